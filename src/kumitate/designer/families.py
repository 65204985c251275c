"""Families of puzzles from which a search draws at random: cuts of a goal, subsets of pieces.

Cuts (and six-piece burrs, in burr6/family.py) are drawn as an assembly: pieces where they lie. So
we know whether that assembly comes apart before we search for others. If it does not, the draft is
rejected, even though the same pieces may have another assembly that does: that one is just as
likely to be drawn. Only subsets of given pieces need a search for the first assembly.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from string import ascii_uppercase
from typing import NamedTuple, Protocol

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES
from kumitate.model.numbers import LARGEST, count_of, require_whole
from kumitate.model.puzzle import Piece, Problem
from kumitate.model.shape import Shape
from kumitate.search.disassemble import MOST_PIECES
from kumitate.search.faults import fits_nowhere, require_sense, volume_fault
from kumitate.search.placements import placements

WINDING = 0.9  # probability that a piece grows from its newest cell; winding pieces interlock
TRIES = 200  # to draw one sample before giving up


class Draft(NamedTuple):
    """A drawn sample: where the pieces lie, if that is known, and the problem that they pose.

    Most drafts are rejected by how their pieces lie, so the problem is made only on demand.
    """

    pieces: Sequence[Sequence[Cell]]
    problem: Callable[[], Problem]


class Family(Protocol):
    """Puzzles to draw from at random: `Cuts`, `Subsets`, `kumitate.burr6.Burrs`, or your own."""

    @property
    def title(self) -> str:
        """What a puzzle found this way is called."""

    @property
    def grid(self) -> Grid:
        """The grid of its puzzles."""

    @property
    def colours(self) -> Sequence[str]:
        """What the colours of its puzzles look like."""

    @property
    def level_one(self) -> bool:
        """Whether every sample comes apart at the first move or not at all."""

    def draw(self, dice: Random) -> Draft | None:
        """A random puzzle; None if this attempt failed."""


def require_holes(holes: int, room: int, where: str) -> None:
    """Raises if so many cells cannot stay empty; `room` cells can, and `where` says which."""
    if not 0 <= holes <= room:
        cells = "1 cell is" if room == 1 else f"{room:,} cells are"
        raise PuzzleError(f"{count_of(holes, 'hole')} cannot be made; only {cells} {where}")


def slides_away(goal: Shape) -> bool:
    """Whether pieces that can slide at all in this goal, when it is full, slide all the way out.

    They do if no row of cubes has a gap. Suppose some pieces slide by one cell but hit another
    piece later. In the row where they collide, take a moving cube and a cube ahead of it that
    stays, as close together as possible. Nothing lies between them, not even an empty cell, since
    the row has no gap; so they would have collided at once.
    """
    if goal.grid != CUBES:
        return False
    for axis in range(3):
        rows: dict[Cell, list[int]] = {}
        for cell in goal.cells:
            rows.setdefault((*cell[:axis], 0, *cell[axis + 1 :]), []).append(cell[axis])  # type: ignore[arg-type]
        if any(max(row) - min(row) >= len(row) for row in rows.values()):
            return False
    return True


# ---- cuts ----


@dataclass(frozen=True)
class Cuts:
    """A goal cut at random into connected pieces of about the same size.

    `holes` cells stay empty: optional cells of the goal or, if it has none, inside cells, which
    become optional. No piece has fewer than `smallest` cells.

    >>> goal = Shape.from_text(CUBES, "####/####/####", name="3x4")
    >>> print(Cuts(goal, 3).draw(Random(1)).problem())
    A, B, C fill 3x4 (12 cells)
    """

    goal: Shape
    pieces: int
    holes: int = 0
    smallest: int = 1
    colours: Sequence[str] = ()  # of the goal's puzzle

    def __post_init__(self) -> None:
        object.__setattr__(self, "colours", tuple(self.colours))
        require_whole(-LARGEST, pieces=self.pieces, holes=self.holes, smallest=self.smallest)
        cells = len(self.goal) - self.holes
        if not 2 <= self.pieces <= MOST_PIECES:
            some = f"{self.pieces} piece{'s' * (self.pieces != 1)}"
            raise PuzzleError(f"cannot cut into {some}; use 2 to {MOST_PIECES}")
        require_holes(self.holes, len(self._hollow), "optional" if self.goal.optional else "inside")
        if self.smallest < 1 or cells < self.smallest * self.pieces:
            raise PuzzleError(
                f"{cells} cell{'s' * (cells != 1)} cannot be cut into {self.pieces} pieces of"
                f" at least {self.smallest} cell{'s' * (self.smallest != 1)}"
            )
        if len(self.goal.components) > self.pieces:
            parts = len(self.goal.components)
            raise PuzzleError(f"the goal has {parts} parts; cut it into at least {parts} pieces")

    @property
    def title(self) -> str:
        """What a puzzle found this way is called."""
        return f"{self.goal.name or 'A goal'} in {self.pieces} pieces"

    @property
    def grid(self) -> Grid:
        """The grid of the goal."""
        return self.goal.grid

    @property
    def level_one(self) -> bool:
        """Whether every sample comes apart at the first move or not at all."""
        return not self.holes and slides_away(self.goal)

    def draw(self, dice: Random) -> Draft | None:
        """Grow pieces from random cells, in turn, as long as possible."""
        for _ in range(TRIES):
            empty = [self._hollow[n] for n in _some(self.holes, len(self._hollow), dice)]
            parts = self._grown(empty, dice)
            if parts and min(map(len, parts)) >= self.smallest:
                return self._draft([[self._cells[n] for n in part] for part in parts])
        return None

    def _draft(self, pieces: Sequence[Sequence[Cell]]) -> Draft:
        return Draft(pieces, lambda: self._problem(pieces))

    def _grown(self, empty: Sequence[int], dice: Random) -> list[list[int]] | None:
        near, chance = self._near, dice.random
        taken = bytearray(len(near))
        for n in empty:
            taken[n] = True
        free = [n for n in range(len(near)) if not taken[n]]
        parts = [[free[n]] for n in _some(self.pieces, len(free), dice)]
        for [n] in parts:
            taken[n] = True
        edges = [_mixed(near[n], dice) for [n] in parts]
        growing = list(range(self.pieces))
        while growing:
            for which in list(growing):
                edge = edges[which]
                while edge:
                    if chance() > WINDING:
                        at = int(chance() * len(edge))
                        edge[at], edge[-1] = edge[-1], edge[at]
                    if not taken[n := edge.pop()]:
                        taken[n] = True
                        parts[which].append(n)
                        edge += _mixed([m for m in near[n] if not taken[m]], dice)
                        break
                else:
                    growing.remove(which)
        return parts if all(taken) else None

    def _problem(self, pieces: Sequence[Sequence[Cell]]) -> Problem:
        goal = self.goal
        shapes = [
            replace(goal.restricted(cells), optional=set(), name=_name(n, self.pieces)).at_origin()
            for n, cells in enumerate(pieces)
        ]
        if self.holes and not goal.optional:
            goal = replace(goal, optional={self._cells[n] for n in self._hollow})
        alike = {(colour, colour) for colour in goal.colours.values()}
        return Problem(goal, [Piece(shape) for shape in shapes], allowed=alike)

    @cached_property
    def _cells(self) -> list[Cell]:
        return sorted(self.goal.cells)

    @cached_property
    def _near(self) -> list[list[int]]:
        """For each cell, its neighbours in the goal."""
        number = {cell: n for n, cell in enumerate(self._cells)}
        return [
            [number[near] for near in self.goal.neighbours(cell) if near in number]
            for cell in self._cells
        ]

    @cached_property
    def _hollow(self) -> list[int]:
        """The cells that may stay empty."""
        optional, cells = self.goal.optional, self.goal.cells
        return [
            n
            for n, cell in enumerate(self._cells)
            if (cell in optional if optional else cells >= set(self.goal.neighbours(cell)))
        ]


def _name(number: int, amount: int) -> str:
    return ascii_uppercase[number] if amount <= len(ascii_uppercase) else str(number + 1)


def _some(amount: int, size: int, dice: Random) -> list[int]:
    """Random distinct numbers below `size`."""
    found: dict[int, None] = {}
    while len(found) < amount:
        found[int(dice.random() * size)] = None
    return list(found)


def _mixed(numbers: Sequence[int], dice: Random) -> list[int]:
    return sorted(numbers, key=lambda _: dice.random())


# ---- subsets ----


@dataclass(frozen=True)
class Subsets:
    """Choices of pieces, within the range of each, whose volume fits the goal.

    All choices are equally likely.

    >>> from kumitate.designer.polyforms import polyforms
    >>> goal = Shape.from_text(CUBES, "####/####/####", name="3x4")
    >>> pieces = [Piece(shape, 0, 1) for n in (3, 4, 5) for shape in polyforms(CUBES, n, flat=True)]
    >>> Subsets(Problem(goal, pieces)).choices
    273
    """

    problem: Problem
    colours: Sequence[str] = ()  # of the problem's puzzle

    def __post_init__(self) -> None:
        object.__setattr__(self, "colours", tuple(self.colours))
        require_sense(self.problem)
        if fault := volume_fault(self.problem):
            raise PuzzleError(fault)
        for number, (low, high) in enumerate(self._bounds):
            if low > high:
                raise PuzzleError(fits_nowhere(self.problem, number))
        if self.choices < 2:
            some = "only one choice" if self.choices else "no choice"
            raise PuzzleError(
                f"there is {some} of pieces that fits the volume of the goal; give the pieces"
                " ranges, such as 0..1, or cut the goal"
            )

    @property
    def title(self) -> str:
        """What a puzzle found this way is called."""
        return self.problem.name or self.problem.goal.name or "Puzzle"

    @property
    def grid(self) -> Grid:
        """The grid of the problem."""
        return self.problem.grid

    @property
    def level_one(self) -> bool:
        """Whether every sample comes apart at the first move or not at all."""
        full = not self.problem.goal.optional or self.problem.max_holes == 0
        return full and slides_away(self.problem.goal)

    @property
    def choices(self) -> int:
        """The number of choices."""
        return self._ways[0][0]

    def draw(self, dice: Random) -> Draft:
        """A random choice of pieces; nobody has put them together yet."""
        counts = self.choose(dice)
        return Draft((), lambda: self._problem(counts))

    def choose(self, dice: Random) -> tuple[int, ...]:
        """Copies of each piece, drawn one piece at a time, weighted by the choices that remain."""
        counts, volume = list[int](), 0
        for number, (low, high) in enumerate(self._bounds):
            size, ways = self._sizes[number], self._ways[number + 1]
            place = dice.randrange(self._ways[number][volume])
            for copies in range(low, high + 1):
                place -= ways[volume + copies * size]
                if place < 0:
                    break
            counts.append(copies)
            volume += copies * size
        return tuple(counts)

    def _problem(self, counts: Sequence[int]) -> Problem:
        used = [number for number, copies in enumerate(counts) if copies]
        now = {number: place for place, number in enumerate(used)}
        pieces = self.problem.pieces
        pinned, forbidden = (
            [rule._replace(piece=now[rule.piece]) for rule in rules if rule.piece in now]
            for rules in (self.problem.pinned, self.problem.forbidden)
        )
        return replace(
            self.problem,
            pieces=[replace(pieces[n], min=counts[n], max=counts[n]) for n in used],
            pinned=pinned,
            forbidden=forbidden,
        )

    @cached_property
    def _sizes(self) -> list[int]:
        return [len(piece.shape) for piece in self.problem.pieces]

    @cached_property
    def _bounds(self) -> list[tuple[int, int]]:
        """Bounds for the copies of each piece: at least those pinned, none if it fits nowhere."""
        pinned = Counter(pin.piece for pin in self.problem.pinned)
        room = len(self.problem.goal)
        return [
            (max(piece.min, pinned[n]), min(piece.max, room // self._sizes[n]) if ways else 0)
            for n, (piece, ways) in enumerate(
                zip(self.problem.pieces, placements(self.problem), strict=True)
            )
        ]

    @cached_property
    def _ways(self) -> list[list[int]]:
        """Row n, entry v: the choices of pieces n and later that complete a volume v."""
        goal, holes = self.problem.goal, self.problem.max_holes
        least = max(len(goal.fixed), len(goal) - holes if holes is not None else 0)
        rows = [[int(volume >= least) for volume in range(len(goal) + 1)]]
        for (low, high), size in reversed(list(zip(self._bounds, self._sizes, strict=True))):
            later = rows[-1]
            rows.append(
                [
                    sum(later[volume + low * size : volume + high * size + 1 : size])
                    for volume in range(len(goal) + 1)
                ]
            )
        return rows[::-1]
