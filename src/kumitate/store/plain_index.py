"""An in-memory index over the solutions of a run, to sort, filter and count them.

It reads the new rows of the file whenever it is asked, so it follows a run that is still growing.
index.py does the same with NumPy's arrays, for runs with millions of solutions; this one is for the
browser, and says plainly what the other must answer.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.shape import shift_cell
from kumitate.model.solution import Levels
from kumitate.model.table import unpack
from kumitate.store.run import Run
from kumitate.store.schema import unpack_levels

Sorting = Literal["found", "level", "moves", "pieces"]

MARKS = 1000  # numbers in a query
MOST_COUNTED = 1_000_000  # solutions whose placements are counted


class Here(NamedTuple):
    """A cell of the goal, and what must cover it: a piece, or one of its shape; or a colour."""

    cell: Cell
    piece: int | None = None
    colour: int | None = None


class PieceSet(NamedTuple):
    """The solutions that use the same pieces."""

    copies: tuple[int, ...]  # of each piece of the problem
    solutions: int


@dataclass(frozen=True)
class Choice:
    """Which solutions to list, and in which order.

    By level or moves, the greatest come first; by pieces, the fewest; equal ones stay in the order
    found. Bounds leave out assemblies that do not come apart.
    """

    order: Sorting = "found"
    min_level: int | None = None
    max_level: int | None = None
    min_moves: int | None = None
    max_moves: int | None = None
    uses: tuple[int, ...] = ()  # pieces of the problem that must be used,
    lacks: tuple[int, ...] = ()  # and that must not be used
    copies: tuple[int, ...] | None = None  # of each piece: exactly this set
    alone: bool = False  # no other solution has the same set of pieces
    here: tuple["Here", ...] = ()  # what must lie where


class Row(NamedTuple):
    """A solution as a list shows it."""

    number: int  # in the run
    levels: Levels | None
    copies: tuple[int, ...]  # of each piece of the problem


class _Solution(NamedTuple):
    """What is known of a solution."""

    number: int
    level: int
    moves: int
    names: tuple[int, ...]  # of its placements
    copies: tuple[int, ...]  # of each piece


class PlainIndex:
    """The solutions of a run; not thread-safe, so threads that share one need a lock."""

    def __init__(self, run: Run) -> None:
        self.table = run.table
        self.pieces = run.problem.pieces
        self.width = run.width
        self.apart = run.options.disassemble
        self.varied = any(piece.min != piece.max for piece in self.pieces)
        self.counted = 0
        self._turned: dict[tuple[int, int], Mapping[Cell, int]] = {}
        self._state: object = None
        self._solutions: list[_Solution] = []

    # ---- choosing ----

    def choose(self, run: Run, choice: Choice) -> Sequence[int]:
        """The numbers of the solutions that pass the filter, in order."""
        if choice == Choice():
            return range(1, len(run) + 1)
        self._update(run)
        found = [one for one in self._solutions if self._is_in(one, choice)]
        if choice.copies is not None or choice.alone:
            sizes = Counter(one.copies for one in self._solutions)
            found = [one for one in found if not choice.alone or sizes[one.copies] == 1]
        if choice.here:
            fits = [self._fits(here) for here in choice.here]
            found = [
                one for one in found if all(any(fit[name] for name in one.names) for fit in fits)
            ]
        if choice.order in ("level", "moves") and self.apart:
            levels_first = choice.order == "level"
            found.sort(key=lambda s: (s.level, s.moves)[:: 1 if levels_first else -1], reverse=True)
        if choice.order == "pieces" and self.varied:
            found.sort(key=lambda s: (sum(s.copies), *(-amount for amount in s.copies)))
        return [one.number for one in found]

    def _is_in(self, one: _Solution, choice: Choice) -> bool:
        """Whether a solution passes the bounds, and uses the pieces that it should."""
        for value, low, high in (
            (one.level, choice.min_level, choice.max_level),
            (one.moves, choice.min_moves, choice.max_moves),
        ):
            if (low is not None or high is not None) and not (
                value > 0 and (low is None or value >= low) and (high is None or value <= high)
            ):
                return False
        for piece in (*choice.uses, *choice.lacks):
            self._require_piece(piece)
        return (
            all(one.copies[piece] for piece in choice.uses)
            and not any(one.copies[piece] for piece in choice.lacks)
            and choice.copies in (None, one.copies)
        )

    def position(self, run: Run, choice: Choice, number: int) -> int | None:
        """Where a solution is in the list, counted from 0; None if it does not pass the filter."""
        numbers = self.choose(run, choice)
        return numbers.index(number) if number in numbers else None

    def _require_piece(self, piece: int) -> None:
        if piece >= len(self.pieces):
            raise PuzzleError(f"piece {piece} does not exist; there are {len(self.pieces)}, from 0")

    def _fits(self, here: Here) -> list[bool]:
        """Whether the placement with each name covers a cell as asked for."""
        if here.piece is not None:
            self._require_piece(here.piece)
        shape = None if here.piece is None else self.pieces[here.piece].shape
        wanted = None if shape is None else shape.canonical().tokens
        asked = [
            wanted is None or self.pieces[pieces[0]].shape.canonical().tokens == wanted
            for pieces in self.table.kinds
        ]
        fits = [False] * (len(self.table.rows) + 1)  # the last name is no placement's
        for name, (kind, turn, x, y, z) in enumerate(self.table.rows):
            if asked[kind]:
                cell = shift_cell(here.cell, (-x, -y, -z))
                lying = self._lying(kind, turn)
                fits[name] = cell in lying and here.colour in (None, lying[cell])
        return fits

    def _lying(self, kind: int, turn: int) -> Mapping[Cell, int]:
        """The cells of a kind as it is turned, and their colours."""
        if (kind, turn) not in self._turned:
            shape = self.pieces[self.table.kinds[kind][0]].shape
            turned = shape.turned(shape.grid.turns[turn])
            assert turned is not None
            colours = {cell: turned.colours.get(cell, 0) for cell in turned.cells}
            self._turned[kind, turn] = colours
        return self._turned[kind, turn]

    # ---- sets of pieces ----

    def sets(self, run: Run) -> list[PieceSet]:
        """The sets of pieces that solutions use, those with the fewest solutions first.

        If no piece has a range, all solutions use the same.
        """
        self._update(run)
        sizes = Counter(one.copies for one in self._solutions)
        return [PieceSet(*pair) for pair in sorted(sizes.items(), key=lambda p: (p[1], p[0]))]

    # ---- rows ----

    def rows(self, run: Run, numbers: Sequence[int]) -> list[Row]:
        """The solutions with these numbers, unless they were replaced."""
        if not self.apart:
            if not self.varied:
                copies = tuple(piece.min for piece in self.pieces)
                return [Row(number, None, copies) for number in numbers]
            return [
                Row(number, None, self._copies_of(names))
                for number, names in packed_assemblies(run, numbers)
            ]
        return [
            Row(number, unpack_levels(tree), self._copies_of(names))
            for number, _, _, names, _, _, _, tree in solution_rows(run, numbers)
        ]

    def _copies_of(self, names: bytes) -> tuple[int, ...]:
        used = Counter(p.piece for p in self.table.assembly_in(names, self.width).placements)
        return tuple(used[piece] for piece in range(len(self.pieces)))

    # ---- counting ----

    def placed(self, run: Run) -> list[int]:
        """How many of the counted solutions have the placement with each name."""
        self._update(run)
        counted = self._solutions[:MOST_COUNTED]
        self.counted = len(counted)
        used = Counter(name for one in counted for name in one.names)
        return [used[name] for name in range(len(self.table.rows))]

    def cells(self, run: Run) -> list[dict[Cell, int]]:
        """For each kind of piece, how many of the counted solutions have one on each cell."""
        found: list[Counter[Cell]] = [Counter() for _ in self.table.kinds]
        for (kind, turn, x, y, z), amount in zip(self.table.rows, self.placed(run), strict=True):
            if amount:
                for cell in self._lying(kind, turn):
                    found[kind][shift_cell(cell, (x, y, z))] += int(amount)
        return [dict(sorted(cells.items())) for cells in found]

    # ---- reading ----

    def _update(self, run: Run) -> None:
        """Read everything again, if there is anything new."""
        with run.snapshot():
            at = run.checkpoint()
            state = (at.kept, at.solutions, at.given_up)
            if state != self._state:
                self._state, self._solutions = state, list(self._read(run, at.kept))

    def _read(self, run: Run, kept: int) -> Iterator[_Solution]:
        always = tuple(piece.min for piece in self.pieces)
        rows: Iterable[tuple[int, int, int, bytes]]
        if self.apart:
            found = run.solution_rows(1, kept)
            rows = ((row[0], row[4], row[5], row[3]) for row in found)
        else:
            packed = packed_assemblies(run, range(1, kept + 1))
            rows = ((number, 0, 0, names) for number, names in packed)
        for number, level, moves, names in rows:
            copies = self._copies_of(names) if self.varied else always
            yield _Solution(number, level, moves, tuple(unpack(names, self.width)), copies)


def index_of(run: Run) -> PlainIndex:
    """An index with NumPy's arrays, where there are any."""
    if not find_spec("numpy"):
        return PlainIndex(run)
    from kumitate.store.index import Index

    return Index(run)


def packed_rows(run: Run, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The packed names of the solutions with these numbers, taken apart or not."""
    if not run.options.disassemble:
        yield from packed_assemblies(run, numbers)
    else:
        yield from ((row[0], row[3]) for row in solution_rows(run, numbers))


def solution_rows(run: Run, numbers: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """The rows of table `solution` with these numbers, in this order, unless they were replaced."""
    for start in range(0, len(numbers), MARKS):
        some = [int(number) for number in numbers[start : start + MARKS]]
        which = f"WHERE number IN ({','.join('?' * len(some))})"
        found = {row[0]: row for row in run.intact("solution", which, *some)}
        yield from (found[number] for number in some if number in found)


def packed_assemblies(run: Run, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The packed names of the assemblies with these numbers; neighbours share a row of the file."""
    first = amount = length = 0
    names = b""
    for number in numbers:
        if not first <= number < first + amount:
            [(first, amount, length, names)] = run.assembly_rows(number, 1)
        size = length * run.width
        yield number, names[(number - first) * size : (number - first + 1) * size]
