"""The puzzles that a design may become: a frame of cells, and a home for each piece.

Everything else in this room sees pieces as sets of cells. The core sees numbers: cells of the frame
in order, and for each the piece that owns it, or nobody.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import chain
from random import Random

from kumitate import _core
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.numbers import count_of
from kumitate.model.puzzle import Piece, Placement, Problem
from kumitate.model.shape import Shape, take_part
from kumitate.model.solution import Assembly
from kumitate.search.disassemble import grid_sweeps

NOBODY = 2**32 - 1  # owns the empty cells
MOST_PIECES = 64  # that the core climbs with
MOST_CUTS = 1000  # until one is as it must be
FEW_CUTS = 20  # to see that a smaller frame can be cut
MOST_CELLS = 2000  # of a frame; the core tries a few hundred candidates a second in it
MORE = 2**31 - 1
CONTESTED = 4  # power of the pieces that may have a cell, for how far a way leads round it
FEWEST_CELLS = 8  # for each piece, on average, in the smallest frame to begin with

Pieces = tuple[frozenset[Cell], ...]


def require_cells(cells: int, most: int = MOST_CELLS) -> None:
    """Refuse frames that are too large."""
    if cells > most:
        raise PuzzleError(f"{cells:,} cells are too many; the limit is {most:,}")


def require_pieces(pieces: int) -> None:
    """Refuse too few pieces, and too many."""
    if not 2 <= pieces <= MOST_PIECES:
        raise PuzzleError(f"{count_of(pieces, 'piece')}: a design has 2 to {MOST_PIECES} of them")


@dataclass(frozen=True)
class Space:
    """The puzzles that a design may become: which cells each piece may use.

    A piece that is `kept` stays as it is at the start, or fills its home. Holes are cells of the
    frame that stay empty, `inner` ones if they touch nothing outside the frame.

    >>> from kumitate.model.grids import CUBES
    >>> slab = Shape.from_text(CUBES, "### / ### / ###")
    >>> space = Space(slab, homes=(slab.cells,) * 2)
    >>> sorted(map(len, space.cut(Random(1))))
    [4, 5]
    """

    frame: Shape
    homes: tuple[frozenset[Cell], ...]
    start: Pieces | None = None
    kept: frozenset[int] = frozenset()
    holes: tuple[int, int] = (0, 0)
    inner: bool = True
    sizes: tuple[int, int] = (1, MORE)

    def __post_init__(self) -> None:
        require_cells(len(self.frame))
        require_pieces(len(self.homes))
        for number, home in enumerate(self.homes):
            if not home <= self.frame.cells:
                raise PuzzleError(f"the home of piece {number + 1} lies outside the frame")
            if self.start and not self.start[number] <= home:
                raise PuzzleError(f"piece {number + 1} does not lie in its home")

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells of the frame as the core numbers them."""
        return sorted(self.frame.cells)

    @cached_property
    def _numbers(self) -> dict[Cell, int]:
        return {cell: number for number, cell in enumerate(self.cells)}

    @cached_property
    def _neighbours(self) -> list[list[int]]:
        numbers = self._numbers
        near = ([*self.frame.neighbours(cell)] for cell in self.cells)
        return [[numbers[cell] for cell in cells if cell in numbers] for cells in near]

    @cached_property
    def _may_be_empty(self) -> list[int]:
        numbers, inner = self._numbers, self.inner
        return [
            int(not inner or all(other in numbers for other in self.frame.neighbours(cell)))
            for cell in self.cells
        ]

    @cached_property
    def smaller(self) -> "Space | None":
        """The same with one layer of the frame less, on a longest side, to grow from.

        None if it would be too small, or if not all pieces may be everywhere.
        """
        cells, pieces = self.frame.cells, len(self.homes)
        if self.start or self.kept or any(home != cells for home in self.homes):
            return None
        spans = [(min(some), max(some)) for some in list(zip(*cells, strict=True))[:3]]
        axis = max(range(3), key=lambda axis: spans[axis][1] - spans[axis][0])
        low, high = spans[axis]
        layer = low if (high - low) % 2 == 0 else high  # so that what is inside stays inside
        left = frozenset(cell for cell in cells if cell[axis] != layer)
        frame = Shape(self.frame.grid, left, name=self.frame.name)
        if len(left) < FEWEST_CELLS * pieces or not self._connected(left):
            return None
        least, most = (max(1, size * len(left) // len(cells)) for size in self.sizes)
        space = replace(self, frame=frame, homes=(left,) * pieces, sizes=(least, most))
        try:
            space.cut(Random(0), tries=FEW_CUTS)
        except PuzzleError:
            return None
        return space

    def grown(self, small: Pieces) -> Iterator[Pieces]:
        """Pieces of the smaller frame with the layer that it lacks, in all ways that fit.

        The layer goes to one of the pieces, or each of its cells to the piece below. Usually some
        of these puzzles are as hard as the small one.
        """
        if self.smaller is None:
            return
        layer = self.frame.cells - self.smaller.frame.cells
        owners = self.owners(small)
        below = list(owners)
        for number in map(self._numbers.__getitem__, layer):
            near = (owners[other] for other in self._neighbours[number])
            below[number] = next((owner for owner in near if owner != NOBODY), NOBODY)
        ways = [self.pieces(below)]
        for number, piece in enumerate(small):
            ways.append((*small[:number], piece | layer, *small[number + 1 :]))
        for way in ways:
            if self._fits(self.owners(way)) and all(map(self._connected, way)):
                yield way

    def climb(
        self, *, slack: float, later: float, max_states: int, temperature: float = 0
    ) -> _core.Climb:
        """A climb in the core; it begins with some owners."""
        numbers = self._numbers
        return _core.Climb(
            *grid_sweeps(self.frame.grid, 1),
            array("i", chain.from_iterable(self.cells)),
            self._neighbours,
            self._may_be_empty,
            [sorted(map(numbers.__getitem__, home)) for home in self.homes],
            [int(number in self.kept) for number in range(len(self.homes))],
            self.holes,
            self.sizes,
            slack,
            temperature,
            later,
            max_states,
        )

    def owners(self, pieces: Sequence[Set[Cell]]) -> list[int]:
        """For each cell the number of its piece."""
        owner = {cell: number for number, piece in enumerate(pieces) for cell in piece}
        return [owner.get(cell, NOBODY) for cell in self.cells]

    def pieces(self, owners: Sequence[int]) -> Pieces:
        """The pieces from the owners of the cells."""
        found: list[set[Cell]] = [set() for _ in self.homes]
        for cell, owner in zip(self.cells, owners, strict=True):
            if owner != NOBODY:
                found[owner].add(cell)
        return tuple(map(frozenset, found))

    def arranged(self, pieces: Sequence[frozenset[Cell]]) -> Pieces | None:
        """Pieces where they lie, in the order of their homes; None if that cannot be.

        >>> from kumitate.model.grids import CUBES
        >>> row = Shape.from_text(CUBES, "###").cells
        >>> left, right = (frozenset((x, 0, 0, 0) for x in some) for some in ([0], [1, 2]))
        >>> space = Space(Shape(CUBES, row), homes=(frozenset(row), left))
        >>> space.arranged([left, right]) == (right, left)
        True
        """
        owner: dict[int, int] = {}  # the piece of each home

        def settle(piece: int, tried: set[int]) -> bool:
            """Find a home for a piece; pieces that live there may have to move."""
            for home, cells in enumerate(self.homes):
                if home not in tried and pieces[piece] <= cells:
                    tried.add(home)
                    if home not in owner or settle(owner[home], tried):
                        owner[home] = piece
                        return True
            return False

        if len(pieces) != len(self.homes) or not all(settle(n, set()) for n in range(len(pieces))):
            return None
        found = tuple(pieces[owner[home]] for home in range(len(self.homes)))
        same = all(found[n] == (self.start or self.homes)[n] for n in self.kept)
        return found if same and self._fits(self.owners(found)) else None

    def assembly(self, pieces: Pieces) -> Assembly:
        """Pieces where they lie as an assembly."""
        grid = self.frame.grid
        shapes = [Shape(grid, piece) for piece in pieces]
        goal = Shape(grid, frozenset().union(*pieces), name="goal")
        here = [Placement(number, 0, (0, 0, 0)) for number in range(len(pieces))]
        return Assembly(Problem(goal, [Piece(shape) for shape in shapes]), here)

    def cut(
        self, dice: Random, stop: Callable[[], bool] = lambda: False, tries: int = MOST_CUTS
    ) -> Pieces:
        """The frame cut at random: each piece grows from a cell of its home."""
        for _ in range(tries):
            if stop():
                break
            owners = self._cut_once(dice)
            if owners is not None:
                return self.pieces(owners)
        raise PuzzleError(
            f"no random cut of {self.frame.name or 'the frame'} into {len(self.homes)} pieces was"
            f" found in {tries} tries; allow more holes or other sizes, or give a start"
        )

    @cached_property
    def _at_home(self) -> list[list[int]]:
        """For each cell the pieces whose home it is in."""
        found: list[list[int]] = [[] for _ in self.cells]
        for number, home in enumerate(self.homes):
            for cell in map(self._numbers.__getitem__, home):
                found[cell].append(number)
        return found

    @cached_property
    def _own(self) -> list[list[int]]:
        """For each piece the cells that it must have, since nobody else can."""
        found: list[list[int]] = [[] for _ in self.homes]
        for cell, at_home in enumerate(self._at_home):
            if len(at_home) == 1 and not self._may_be_empty[cell]:
                found[at_home[0]].append(cell)
        return found

    def _cut_once(self, dice: Random) -> list[int] | None:
        owners = [NOBODY] * len(self.cells)
        for number in self.kept:
            for cell in map(self._numbers.__getitem__, (self.start or self.homes)[number]):
                owners[cell] = number
        pieces = [number for number in range(len(self.homes)) if number not in self.kept]
        for number in pieces:
            for cell in self._own[number]:
                owners[cell] = number
        bound = [number for number in pieces if self._own[number]]
        dice.shuffle(bound)
        if not all(self._join(number, owners, dice) for number in bound):
            return None
        for number in pieces:
            if not self._own[number]:
                home = sorted(map(self._numbers.__getitem__, self.homes[number]))
                free = [cell for cell in home if owners[cell] == NOBODY]
                if not free:
                    return None
                owners[dice.choice(free)] = number
        begun = [(cell, owner) for cell, owner in enumerate(owners) if owner in pieces]
        begun.sort(key=lambda both: both[1])
        edge = [(near, owner) for cell, owner in begun for near in self._neighbours[cell]]
        while edge:  # cells that pieces may grow into
            at = dice.randrange(len(edge))
            edge[at], edge[-1] = edge[-1], edge[at]
            next_cell, number = edge.pop()
            if owners[next_cell] == NOBODY and number in self._at_home[next_cell]:
                owners[next_cell] = number
                edge += [(near, number) for near in self._neighbours[next_cell]]
        return self._with_holes(owners, dice)

    def _join(self, number: int, owners: list[int], dice: Random) -> bool:
        """Join the cells that a piece must have by random ways through free cells of its home."""
        first, *others = self._own[number]
        before = dict[int, int]()
        edge = [(0.0, first, first)]
        while edge:
            far, cell, came_from = heappop(edge)
            if cell in before:
                continue
            before[cell] = came_from
            for near in self._neighbours[cell]:
                rivals = self._at_home[near]
                if owners[near] == number or (owners[near] == NOBODY and number in rivals):
                    heappush(edge, (far + dice.random() * len(rivals) ** CONTESTED, near, cell))
        if not before.keys() >= {*others}:
            return False
        for cell in others:
            while cell != first:
                owners[cell] = number
                cell = before[cell]
        return True

    def _with_holes(self, owners: list[int], dice: Random) -> list[int] | None:
        """With as many cells emptied as must be, if that leaves all pieces as they must be."""
        least = self.holes[0]
        spots = [
            cell
            for cell, owner in enumerate(owners)
            if owner != NOBODY and owner not in self.kept and self._may_be_empty[cell]
        ]
        dice.shuffle(spots)
        while owners.count(NOBODY) < least and spots:
            cell = spots.pop()
            owner, owners[cell] = owners[cell], NOBODY
            if not self._connected(self.pieces(owners)[owner]):
                owners[cell] = owner
        return owners if self._fits(owners) else None

    def _fits(self, owners: list[int]) -> bool:
        """Whether there are as many holes, where they may be, and pieces of such sizes."""
        empty = [cell for cell, owner in enumerate(owners) if owner == NOBODY]
        return (
            self.holes[0] <= len(empty) <= self.holes[1]
            and all(self._may_be_empty[cell] for cell in empty)
            and all(
                number in self.kept
                or (self.sizes[0] <= len(piece) <= self.sizes[1] and bool(piece))
                for number, piece in enumerate(self.pieces(owners))
            )
        )

    def _connected(self, piece: Set[Cell]) -> bool:
        left = set(piece)
        return bool(left) and len(take_part(left, self.frame.neighbours)) == len(piece)
