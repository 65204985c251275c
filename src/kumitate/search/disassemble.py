"""How an assembly comes apart: the fewest moves to each separation.

The core sees pieces as bodies and knows of the grid only what a tile sweeps through along a step;
what it asked about two bodies once it remembers, so all assemblies of a problem go through one
`Disassembler`. An assembly that cannot come apart is either rigid, moves without separating, or
was given up at a limit; `examine` tells these apart.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from kumitate import _core
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.model.geometry import ZERO, Vector, times, triples
from kumitate.model.grid import Grid
from kumitate.model.numbers import MOST_THREADS, given, require_whole
from kumitate.model.puzzle import Problem
from kumitate.model.solution import Assembly, Disassembly, Move
from kumitate.search.placements import numbers_of, rows_of, turns_of
from kumitate.search.rigid import coordinate_motion

MOST_STEPS = 32  # pairs of opposite steps: more than the core has bits for
MOST_PIECES = 250  # no more than a file keeps
NO_LIMIT = 2**63
HEAVY = 2**31 - 1  # what is heavier is as heavy

Ending = Literal["apart", "rigid", "stuck", "limit"]


@dataclass(frozen=True)
class Examination:
    """What became of an assembly that somebody tried to take apart.

    apart: here is how. rigid: a part of it in which nothing can move. stuck: a part of it that
    moves, but does not separate wherever it goes. limit: the search was stopped.
    """

    ending: Ending
    states: int  # visited on the way
    disassembly: Disassembly | None = None
    part: Sequence[int] = ()  # unless apart: the pieces that it ended with,
    places: Sequence[Vector] = ()  # and where those were, from where they were assembled,
    parts: int = 1  # in so many parts of a cell

    def __post_init__(self) -> None:
        object.__setattr__(self, "part", tuple(self.part))
        object.__setattr__(self, "places", tuple(self.places))


def disassemble(
    assembly: Assembly,
    *,
    fine: bool = False,
    coordinate: bool = False,
    max_states: int | None = None,
    max_moves: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Disassembly | None:
    """How an assembly comes apart with the fewest moves to each separation, or None if it cannot.

    `fine=True` lets pieces also stop between the cells, at every place where faces may meet.
    `coordinate=True` tries, where no step leads on, to let all pieces fly apart at once, each in
    its own direction; that is one move. Limits on the states visited or on the moves to a
    separation raise LimitReached when they are met. `progress` is called some twenty times a second
    with the number of states visited.

    >>> from kumitate.model.grids import CUBES
    >>> rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
    >>> disassemble(rod).moves
    (Move(pieces=(0,), step=(1, 0, 0), units=None),)
    """
    found = examine(
        assembly,
        fine=fine,
        coordinate=coordinate,
        max_states=max_states,
        max_moves=max_moves,
        threads=threads,
        progress=progress,
    )
    if found.ending == "limit":
        raise LimitReached(
            f"stopped after {found.states:,} states by the limit; allow more of them"
        )
    return found.disassembly


def examine(
    assembly: Assembly,
    *,
    fine: bool = False,
    coordinate: bool = False,
    max_states: int | None = None,
    max_moves: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Examination:
    """Try to take an assembly apart, and say how that ended.

    >>> from kumitate.model.grids import CUBES
    >>> box = Assembly.from_text(CUBES, "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA")
    >>> found = examine(box)
    >>> found.ending, found.states, found.part
    ('stuck', 2, (0, 1))
    """
    disassembler = Disassembler(assembly.problem, fine, coordinate)
    return disassembler.examine(assembly, max_states, max_moves, threads, progress)


class Disassembler:
    """The place where the assemblies of one problem are taken apart."""

    def __init__(self, problem: Problem, fine: bool = False, coordinate: bool = False) -> None:
        self.problem = problem
        self.coordinate = coordinate
        self.parts = problem.grid.fineness if fine else 1
        if len(problem.grid.steps) > 2 * MOST_STEPS:
            raise PuzzleError(
                f"the grid {problem.grid.name!r} has {len(problem.grid.steps)} steps;"
                f" at most {2 * MOST_STEPS} can be tried"
            )
        tiles, steps, swept = _sweeps(problem.grid, self.parts)
        turns = turns_of(problem.grid)
        self.core = _core.Disassembler(tiles, self.parts, steps, swept, turns)
        for number, piece in enumerate(problem.pieces):
            if not piece.shape.cells:
                raise PuzzleError(f"piece {problem.label(number)} has no cells")
            cells = rows_of(piece.shape.cells)
            weight = max(-HEAVY, min(piece.shape.weight, HEAVY))
            self.core.add_piece(cells, weight, list(piece.groups.items()))

    def examine(
        self,
        assembly: Assembly,
        max_states: int | None = None,
        max_moves: int | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> Examination:
        require_whole(1, **given(max_states=max_states, max_moves=max_moves))
        require_whole(1, MOST_THREADS, threads=threads)
        require_few(assembly)
        states = NO_LIMIT if max_states is None else max_states
        moves = NO_LIMIT if max_moves is None else max_moves

        def fly_apart(part: list[int], places: list[Vector]) -> list[Vector]:
            where = dict(zip(part, map(self._whole, places), strict=True))
            if any(place is None for place in where.values()):
                return []
            ways = coordinate_motion(assembly, {n: at for n, at in where.items() if at})
            return [ways[piece] for piece in part] if ways else []

        rescue = fly_apart if self.coordinate else None
        ending, tree, seen, part, places = self.core.take_apart(
            spots(assembly), states, min(moves, 2**31), threads, rescue, progress
        )
        if ending == "vast":
            raise PuzzleError(
                "the pieces are too many, or slide too far, for their places to be told apart"
            )
        places = places or [ZERO] * len(part)
        known: Ending = "limit" if ending == "crowded" else ending
        return Examination(known, seen, self.disassembly(tree), part, places, self.parts)

    def _whole(self, place: Vector) -> Vector | None:
        """A place in cells, if it is not between them."""
        x, y, z = (c // self.parts for c in place)
        return (x, y, z) if times(self.parts, (x, y, z)) == place else None

    def move(self, slide: "_core.Slide") -> Move:
        pieces, direction, units, each = slide
        return Move(pieces, self.problem.grid.steps[direction], units or None, self.parts, each)

    def disassembly(self, tree: "_core.Tree | None") -> Disassembly | None:
        if tree is None:
            return None
        moves, left, removed = tree
        return Disassembly(
            [self.move(slide) for slide in moves],
            self.disassembly(left),
            self.disassembly(removed),
        )


def require_few(assembly: Assembly) -> None:
    """Trees of separations are as deep as there are pieces, at worst."""
    if len(assembly.placements) > MOST_PIECES:
        raise PuzzleError(
            f"{len(assembly.placements)} pieces; at most {MOST_PIECES} can be taken apart"
        )


def spots(assembly: Assembly) -> "array[int]":
    """An assembly as the core reads it, five numbers a placement."""
    numbers = [n for piece, turn, shift in assembly.placements for n in (piece, turn, *shift)]
    return numbers_of(numbers)


@cache
def _sweeps(grid: Grid, parts: int) -> "tuple[int, array[int], array[int]]":
    """The grid as the core sees it: tiles, steps, and what is swept along them."""
    steps = grid.steps[::2]
    swept = array("i")
    for start in triples(range(parts)):
        for step in steps:
            for cells in grid.sweep(step, start, parts):
                swept.append(len(cells))
                for cell in cells:
                    swept.extend(cell)
    return len(grid.tiles), array("i", [c for step in steps for c in step]), swept
