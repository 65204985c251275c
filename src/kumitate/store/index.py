"""An index in memory over the solutions of a run, for those who sort, filter and count them.

It holds numbers only, a column for each thing one may ask for, and reads what is new in the file
when it is asked again; so it follows a run that goes on. A column that would be the same all the
way down (the copies of each piece, where nothing has a range) is not read at all.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.shape import shift_cell
from kumitate.model.solution import Levels
from kumitate.store.run import Run
from kumitate.store.schema import unpack, unpack_levels

Sorting = Literal["found", "level", "moves", "pieces"]
Integers = NDArray[np.int64]

LOT = 20_480  # solutions read at a time
BLANK = b"\xff"  # what fills a row up
MOST_COUNTED = 1_000_000  # solutions whose placements are counted


@dataclass(frozen=True)
class Choice:
    """Which solutions, and in which order.

    By level or moves the greatest come first, by pieces the fewest; those that are equal stay as
    they were found. Bounds leave out what did not come apart.
    """

    order: Sorting = "found"
    min_level: int | None = None
    max_level: int | None = None
    min_moves: int | None = None
    max_moves: int | None = None
    uses: tuple[int, ...] = ()  # pieces of the problem that must be there,
    lacks: tuple[int, ...] = ()  # and that must not


class Row(NamedTuple):
    """A solution as a list shows it."""

    number: int  # by which the run has it
    levels: Levels | None
    copies: tuple[int, ...]  # of each piece of the problem


class Index:
    """The columns of a run; whoever shares one among threads sees to it that they take turns."""

    def __init__(self, run: Run) -> None:
        self.table = run.table
        self.pieces = run.problem.pieces
        self.width = run.width
        self.apart = run.options.disassemble
        self.varied = any(piece.min != piece.max for piece in self.pieces)
        self.replaces = run.keep.what.startswith("best")  # forgets some for better ones
        self._kinds = np.array([row[0] for row in self.table.rows] + [len(self.table.kinds)])
        self._dealt: dict[tuple[int, int], list[int]] = {}
        self._state: object = None
        self._clear()

    def _clear(self) -> None:
        self.size = self.counted = 0
        self._ranks: Integers = np.zeros((2, 0), np.int64)  # level and moves
        small = np.min_scalar_type(max(piece.max for piece in self.pieces))
        self._copies: NDArray[np.integer] = np.zeros((len(self.pieces), 0), small)
        self._used: Integers = np.zeros(len(self._kinds), np.int64)
        self._sorted: dict[Sorting, Integers] = {}
        self._last: tuple[Choice, Sequence[int] | Integers] | None = None

    # ---- which ----

    def choose(self, run: Run, choice: Choice) -> Sequence[int] | Integers:
        """The numbers of the solutions that pass, in order."""
        if choice == Choice():
            return range(1, len(run) + 1)
        self._grow(run)
        if self._last is None or self._last[0] != choice:
            self._last = (choice, self._choose(choice))
        return self._last[1]

    def _choose(self, choice: Choice) -> Sequence[int] | Integers:
        passing = self._passing(choice)
        order = self._order(choice.order)
        if order is None:
            return range(1, self.size + 1) if passing is None else np.flatnonzero(passing) + 1
        return (order if passing is None else order[passing[order]]) + 1

    def _passing(self, choice: Choice) -> NDArray[np.bool_] | None:
        """Whether each solution passes; None if all do."""
        tests: list[NDArray[np.bool_]] = []
        bounds = (
            (0, choice.min_level, choice.max_level),
            (1, choice.min_moves, choice.max_moves),
        )
        for column, low, high in bounds:
            if low is None and high is None:
                continue
            if not self.apart:
                return np.zeros(self.size, bool)
            values = self._ranks[column]
            tests += [values > 0]
            tests += [] if low is None else [values >= low]
            tests += [] if high is None else [values <= high]
        for some, there in ((choice.uses, True), (choice.lacks, False)):
            for piece in some:
                if piece >= len(self.pieces):
                    raise PuzzleError(f"piece {piece}: there are {len(self.pieces)}, from 0 on")
                if self.varied:
                    tests.append((self._copies[piece] > 0) == there)
                elif (self.pieces[piece].min > 0) != there:
                    return np.zeros(self.size, bool)
        return np.logical_and.reduce(tests) if tests else None

    def _order(self, order: Sorting) -> Integers | None:
        """The places of all solutions, sorted; None if that is as they were found."""
        if order == "found" or not (self.varied if order == "pieces" else self.apart):
            return None
        if order not in self._sorted:
            if order == "pieces":
                fewer = self._copies.max(initial=0) - self._copies[::-1]
                self._sorted[order] = np.lexsort((*fewer, self._copies.sum(axis=0)))
            else:
                level, moves = self._ranks
                first, then = (level, moves) if order == "level" else (moves, level)
                self._sorted[order] = np.argsort(-(first << 32 | then), kind="stable")
        return self._sorted[order]

    # ---- rows ----

    def rows(self, run: Run, numbers: Sequence[int]) -> list[Row]:
        """The solutions of these numbers, if they are still there."""
        if not self.apart:
            if not self.varied:
                copies = tuple(piece.min for piece in self.pieces)
                return [Row(number, None, copies) for number in numbers]
            return [
                Row(number, None, self._copies_of(names))
                for number, names in _assemblies(run, numbers)
            ]
        marks = ",".join("?" * len(numbers))
        found = {
            number: Row(number, unpack_levels(tree), self._copies_of(names))
            for number, _, _, names, _, _, _, tree in run.intact(
                "solution", f"WHERE number IN ({marks})", *numbers
            )
        }
        return [found[number] for number in numbers if number in found]

    def _copies_of(self, names: bytes) -> tuple[int, ...]:
        used = Counter(p.piece for p in self.table.assembly(unpack(names, self.width)).placements)
        return tuple(used[piece] for piece in range(len(self.pieces)))

    # ---- counting ----

    def placed(self, run: Run) -> Integers:
        """How many of the solutions counted have the placement of each name."""
        self._grow(run)
        for _, names in self._lots(run, self.counted, min(self.size, MOST_COUNTED)):
            self._used += np.bincount(names.ravel(), minlength=len(self._used))
            self.counted += len(names)
        return self._used[:-1]

    def cells(self, run: Run) -> list[dict[Cell, int]]:
        """For each kind of piece how many of the solutions counted have one on each cell."""
        found: list[Counter[Cell]] = [Counter() for _ in self.table.kinds]
        lying: dict[tuple[int, int], Sequence[Cell]] = {}
        for (kind, turn, x, y, z), amount in zip(self.table.rows, self.placed(run), strict=True):
            if amount:
                if (kind, turn) not in lying:
                    shape = self.pieces[self.table.kinds[kind][0]].shape
                    turned = shape.turned(shape.grid.turns[turn])
                    assert turned is not None
                    lying[kind, turn] = tuple(turned.cells)
                for cell in lying[kind, turn]:
                    found[kind][shift_cell(cell, (x, y, z))] += int(amount)
        return [dict(sorted(cells.items())) for cells in found]

    # ---- reading ----

    def _grow(self, run: Run) -> None:
        """Read what is new; all of it, if a run that keeps the best has replaced some."""
        with run.snapshot():
            at = run.checkpoint()
            state = (at.kept, at.solutions, at.given_up)
            if state == self._state:
                return
            if self.replaces:
                self._clear()
            self._last = None
            self._sorted.clear()
            ranks, copies = [self._ranks], [self._copies]
            if self.apart or self.varied:
                for some, names in self._lots(run, self.size, at.kept):
                    ranks.append(some)
                    if self.varied:
                        copies.append(self._deal(names))
            self._ranks = np.concatenate(ranks, axis=1)
            self._copies = np.concatenate(copies, axis=1)
            self._state, self.size = state, at.kept

    def _lots(self, run: Run, before: int, last: int) -> Iterator[tuple[Integers, Integers]]:
        """Ranks and names of the solutions from after the before-th to the last-th, a row each."""
        none = np.zeros((2, 0), np.int64)
        while before < last and self.apart:
            rows = run.solution_rows(before + 1, min(LOT, last - before))
            longest = max(len(row[3]) for row in rows)
            table = b"".join(row[3].ljust(longest, BLANK) for row in rows)
            ranks = np.array([row[4:6] for row in rows], np.int64).T
            before += len(rows)
            yield ranks, self._numbers(table, longest)
        while before < last:
            some = min(LOT, last - before)
            for first, _, length, names in run.assembly_rows(before + 1, some):
                lot = self._numbers(names, length * self.width)
                yield none, lot[max(0, before + 1 - first) : before + some + 1 - first]
            before += some

    def _numbers(self, table: bytes, size: int) -> Integers:
        """Packed rows as numbers; what fills a row up becomes the number after the last name."""
        digits = np.frombuffer(table, np.uint8).reshape(-1, size // self.width or 1, self.width)
        names = np.zeros(digits.shape[:2], np.int64)
        for n in range(self.width):
            names |= digits[:, :, n].astype(np.int64) << 8 * n
        return np.minimum(names, len(self._kinds) - 1)

    def _deal(self, names: Integers) -> NDArray[np.integer]:
        """How many copies of each piece (a row) each of these solutions (a column) has."""
        kinds, rows = len(self.table.kinds), len(names)
        places = np.arange(rows)[:, None] * (kinds + 1) + self._kinds[names]
        amounts = np.bincount(places.ravel(), minlength=rows * (kinds + 1)).reshape(rows, -1)
        copies = np.zeros((len(self.pieces), rows), self._copies.dtype)
        for kind, pieces in enumerate(self.table.kinds):
            if len(pieces) == 1:
                copies[pieces[0]] = amounts[:, kind]
                continue
            for amount in np.unique(amounts[:, kind]):
                having = amounts[:, kind] == amount
                dealt = self._dealt_copies(kind, int(amount), names[having.argmax()])
                copies[np.ix_(pieces, having)] = np.array(dealt)[:, None]
        return copies

    def _dealt_copies(self, kind: int, amount: int, names: Integers) -> list[int]:
        """So many of a kind, shared by its pieces; that depends on no more than how many."""
        if (kind, amount) not in self._dealt:
            some = [int(name) for name in names if name < len(self.table.rows)]
            used = Counter(p.piece for p in self.table.assembly(some).placements)
            self._dealt[kind, amount] = [used[piece] for piece in self.table.kinds[kind]]
        return self._dealt[kind, amount]


def _assemblies(run: Run, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The packed names of these numbers; neighbours lie in one row of the file."""
    first = amount = length = 0
    names = b""
    for number in numbers:
        if not first <= number < first + amount:
            [(first, amount, length, names)] = run.assembly_rows(number, 1)
        size = length * run.width
        yield number, names[(number - first) * size : (number - first + 1) * size]
