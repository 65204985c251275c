"""How an assembly comes apart: the fewest moves to each separation.

The core sees pieces as bodies and knows of the grid only what a tile sweeps through along a step.
It remembers how any two bodies block each other, so all assemblies of a problem go through one
`Disassembler`. An assembly that does not come apart is rigid, moves without separating, or was
given up at a limit; `examine` says which.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import count
from struct import iter_unpack, unpack
from typing import Literal, Unpack

from kumitate import _core
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.model.geometry import ZERO, Vector, times
from kumitate.model.grid import Grid
from kumitate.model.numbers import MOST_THREADS, count_of, require_whole
from kumitate.model.options import DEFAULTS, ApartKeywords, ApartOptions
from kumitate.model.puzzle import Problem
from kumitate.model.rotation import Rotation
from kumitate.model.route import Pose
from kumitate.model.solution import Assembly, Disassembly, Levels, Move
from kumitate.model.table import PackedRows
from kumitate.search.placements import numbers_of, rows_of, turns_of

MOST_STEPS = 32  # pairs of opposite steps: more than the core has bits for
FARTHEST = 100  # lattice vectors along an axis: the length of a step
MOST_PIECES = 250  # no more than a file keeps
HALVES = 2  # of a cell: where pieces that turn may stop; slides alone never need to
NO_LIMIT = 2**63
HEAVY = 2**31 - 1  # weights saturate here
CLEARANCE = 40  # of pieces that turn about a moving pivot, in parts of which a cell has 2000

Ending = Literal["found", "apart", "rigid", "stuck", "limit"]


@dataclass(frozen=True)
class Examination:
    """An assembly, and what became of it.

    apart: it comes apart, and here is how. rigid: nothing can move in a part of it. stuck: a part
    of it moves, but does not separate wherever it goes. limit: given up, it may come apart or not.
    found: nobody tried to take it apart.

    With turns, the ending and the level are proved for pieces whose faces are set back by 0.01 of a
    cell less than the tolerance, and for hard pieces exactly, as far as pivots move: no set of
    pieces that was tried (core/tilting.hpp) gets farther. Where a motion was neither found nor
    ruled out, or where there were too many of them to try, `unclear` is set: the ending is limit,
    or it is apart, but some separation may take fewer moves.
    """

    assembly: Assembly
    ending: Ending
    states: int = 0  # visited on the way
    disassembly: Disassembly | None = None
    part: Sequence[int] = ()  # unless apart: the pieces that it ended with,
    places: Sequence[Vector] = ()  # and where those were, from where they were assembled,
    parts: int = 1  # in so many parts of a cell
    unclear: bool = False  # some motion that could matter was neither found nor ruled out

    def __post_init__(self) -> None:
        if self.part != ():
            object.__setattr__(self, "part", tuple(self.part))
            object.__setattr__(self, "places", tuple(self.places))

    def __repr__(self) -> str:
        level = f", level {self.disassembly.levels}" if self.disassembly else ""
        return f"<Examination: {self.ending}{level}, {count_of(self.states, 'state')}>"


def disassemble(
    assembly: Assembly,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    **options: Unpack[ApartKeywords],
) -> Disassembly | None:
    """How an assembly comes apart with the fewest moves to each separation, or None if it cannot.

    `fine=True` lets pieces also stop between the cells, at every place where faces may meet.
    `coordinate=True` tries, where no step leads on, to let all pieces fly apart at once, each in
    its own direction; that is one move. If a limit is reached, `max_states` visited or `max_moves`
    to a separation, it raises LimitReached. `progress` is called some twenty times a second with
    the number of states visited.

    >>> from kumitate.model.grids import CUBES
    >>> rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
    >>> disassemble(rod).moves
    (Move(pieces=(0,), step=(1, 0, 0), units=None),)
    """
    found = examine(assembly, threads=threads, progress=progress, **options)
    if found.unclear and found.ending == "limit":
        raise LimitReached(
            "unclear whether it comes apart: a motion with a moving pivot was neither found nor"
            " ruled out"
        )
    if found.ending == "limit":
        raise LimitReached(f"gave up after {found.states:,} states; raise max_states or max_moves")
    return found.disassembly


def examine(
    assembly: Assembly,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    **options: Unpack[ApartKeywords],
) -> Examination:
    """Try to take an assembly apart, and report how that ended; same options as `disassemble`.

    >>> from kumitate.model.grids import CUBES
    >>> box = Assembly.from_text(CUBES, "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA")
    >>> found = examine(box)
    >>> found
    <Examination: stuck, 2 states>
    >>> found.part
    (0, 1)
    """
    disassembler = Disassembler(assembly.problem, ApartOptions(**options))
    return disassembler.examine(assembly, threads, progress)


class Disassembler:
    """Takes the assemblies of one problem apart; every thread needs its own."""

    def __init__(self, problem: Problem, options: ApartOptions = DEFAULTS) -> None:
        self.problem, self.options = problem, options
        turns_too = options.turns is not None
        if turns_too and problem.grid.name != "cubes":
            raise PuzzleError(f"pieces turn on cubes only, not on {problem.grid.name}")
        self.parts = 1
        if options.fine:
            self.parts = HALVES if turns_too else problem.grid.fineness
        if len(problem.grid.steps) > 2 * MOST_STEPS:
            raise PuzzleError(
                f"the grid {problem.grid.name!r} has {len(problem.grid.steps)} steps;"
                f" at most {2 * MOST_STEPS} can be tried"
            )
        tiles, steps, swept = grid_sweeps(problem.grid, self.parts)
        turns = turns_of(problem.grid)
        self._separation = partial(_separation, problem.grid, self.parts)
        self.core = _core.Disassembler(
            tiles, self.parts, steps, swept, turns, options.tolerance, CLEARANCE
        )
        for number, piece in enumerate(problem.pieces):
            if not piece.shape.cells:
                raise PuzzleError(f"piece {problem.label(number)} has no cells")
            cells = rows_of(piece.shape.cells)
            weight = max(-HEAVY, min(piece.shape.weight, HEAVY))
            self.core.add_piece(cells, weight, list(piece.groups.items()))

    def examine(
        self,
        assembly: Assembly,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
        budget: int = NO_LIMIT,
    ) -> Examination:
        """What becomes of an assembly; `budget` is another limit on the states visited."""
        require_whole(1, MOST_THREADS, threads=threads)
        require_few(len(assembly.placements))
        rescue = self._rescue(lambda _: assembly)
        limits = self._limits(budget)
        report = self.core.take_apart(spots(assembly), *limits, threads, rescue, progress)
        return self._examination(assembly, report)

    def examine_some(
        self,
        dealer: _core.Dealer,
        packed: PackedRows,
        assembly: Callable[[int], Assembly],
        threads: int,
        progress: Callable[[int], None] | None,
        budget: int,
    ) -> Iterator[Examination]:
        """What becomes of the first assemblies of a table: as many as take a hundredth of a second.

        `assembly` makes the values; `budget` limits the states of all of them together.
        """
        require_few(packed.length)
        names, _, length, width = packed
        limits, rescue = self._limits(budget), self._rescue(assembly)
        reports = self.core.take_apart_some(
            dealer, names, length, width, budget, *limits, threads, rescue, progress
        )
        return map(self._examination, map(assembly, count()), reports)

    def _limits(self, budget: int) -> tuple[int, int]:
        moves = self.options.max_moves or NO_LIMIT
        return min(self.options.max_states or NO_LIMIT, budget), min(moves, 2**31)

    def _rescue(self, assembly: Callable[[int], Assembly]) -> "_core.Rescue | None":
        """How the core asks for a coordinate motion, if that may be one."""

        def fly_apart(number: int, part: list[int], places: list[Vector]) -> list[Vector]:
            where = dict(zip(part, map(self._whole, places), strict=True))
            if any(place is None for place in where.values()):
                return []
            from kumitate.search.rigid import coordinate_motion

            still = {n: at for n, at in where.items() if at}
            ways = coordinate_motion(assembly(number), still)
            return [ways[piece] for piece in part] if ways else []

        return fly_apart if self.options.coordinate else None

    def _examination(self, assembly: Assembly, report: "_core.Report") -> Examination:
        ending, tree, seen, part, places = report
        unclear = ending == "unclear"
        if tree is not None:
            made = self.disassembly(tree)
            return Examination(assembly, "apart", seen, made, parts=self.parts, unclear=unclear)
        if ending == "vast":
            raise PuzzleError(
                "there are too many pieces, or they slide too far, to take this apart"
            )
        places = places or [ZERO] * len(part)
        known: Ending = "limit" if ending == "crowded" or ending == "unclear" else ending
        return Examination(assembly, known, seen, None, part, places, self.parts, unclear)

    def _whole(self, place: Vector) -> Vector | None:
        """A place in cells, if it is not between them."""
        x, y, z = (c // self.parts for c in place)
        return (x, y, z) if times(self.parts, (x, y, z)) == place else None

    def move(self, slide: "_core.Slide", route: Sequence[Sequence[int]] = ()) -> Move | Rotation:
        pieces, direction, units, each, turn = slide
        if turn:
            from fractions import Fraction

            quarters, pivot, tolerance = turn
            least = Fraction(tolerance, 1000)
            poses = [pose_of(pose) for pose in route]
            return Rotation(pieces, direction, quarters, pivot, self.parts, least, poses)
        return Move(pieces, self.problem.grid.steps[direction], units or None, self.parts, each)

    def disassembly(self, tree: "_core.Tree") -> Disassembly:
        levels, _ = tree
        return Disassembly.later(self._separation, *tree, levels=levels_of(levels))


@lru_cache(1 << 12)
def levels_of(levels: bytes) -> Levels:
    """The levels of a tree that the core found; assemblies of a problem share most of them."""

    def read() -> Levels:
        number, turns = next(numbers)
        left = read() if number & 1 else None
        return Levels(number >> 2, left, read() if number & 2 else None, turns)

    numbers = iter_unpack("=II", levels)
    return read()


def _separation(grid: Grid, parts: int, counts: bytes, slides: bytes) -> dict[str, object]:
    """The fields of a disassembly, from the core's tree: see `flatten` in the bindings."""

    def read() -> tuple[tuple[Move | Rotation, ...], Disassembly | None, Disassembly | None]:
        number, _ = next(levels)
        moves = [move() for _ in range(number >> 2)]
        left = Disassembly(*read()) if number & 1 else None
        return tuple(moves), left, Disassembly(*read()) if number & 2 else None

    def move() -> Move | Rotation:
        direction, units, some, ways, quarters, poses = (next(numbers) for _ in range(6))
        pieces = [next(numbers) for _ in range(some)]
        steps = [(next(numbers), next(numbers), next(numbers)) for _ in range(ways)]
        if quarters or poses:
            from fractions import Fraction

            pivot = (next(numbers), next(numbers), next(numbers))
            tolerance = Fraction(next(numbers), 1000)
            route = [pose_of([next(numbers) for _ in range(8)]) for _ in range(poses)]
            return Rotation(pieces, direction, quarters, pivot, parts, tolerance, route)
        return Move(pieces, grid.steps[direction], units or None, parts, steps)

    levels = iter_unpack("=II", counts)
    numbers = iter(unpack(f"={len(slides) // 4}i", slides))
    return dict(zip(("moves", "left", "removed"), read(), strict=True))


def pose_of(numbers: Sequence[int]) -> Pose:
    """A pose that the core found.

    >>> pose_of([1, 3, 2, 1, 4, 0, 0, 0])
    Pose(x=Fraction(1, 2), y=Fraction(3, 2), turn=Fraction(1, 4), about=None)
    """
    from fractions import Fraction

    x, y, per, turn, whole, on_arc, about_x, about_y = numbers
    about = (Fraction(about_x, per), Fraction(about_y, per)) if on_arc else None
    return Pose(Fraction(x, per), Fraction(y, per), Fraction(turn, whole), about)


def require_few(pieces: int) -> None:
    """Trees of separations are as deep as there are pieces, at worst."""
    if pieces > MOST_PIECES:
        raise PuzzleError(f"{pieces} pieces; at most {MOST_PIECES} can be taken apart")


def spots(assembly: Assembly) -> "array[int]":
    """An assembly as the core reads it, five numbers a placement."""
    numbers = [n for piece, turn, shift in assembly.placements for n in (piece, turn, *shift)]
    return numbers_of(numbers)


@cache
def grid_sweeps(grid: Grid, parts: int) -> "tuple[int, array[int], array[int]]":
    """The grid as the core sees it: tiles, steps, and what is swept along them."""
    steps = grid.steps[::2]
    for step in steps:
        if max(map(abs, step)) > FARTHEST:
            raise PuzzleError(f"the grid {grid.name!r}: its step {step} leads too far to be tried")
    balls = grid.gram or (), grid.diameter2
    swept = array("i", _core.sweeps(grid.tiles, grid.denominator, *balls, steps, parts))
    return len(grid.tiles), array("i", [c for step in steps for c in step]), swept
