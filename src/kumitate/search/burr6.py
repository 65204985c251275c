"""All six-piece burrs: counted without visiting them, or visited and taken apart one by one.

Six sticks lie in pairs along three axes and share 32 cells in the middle, each of which belongs to
one of the two or three sticks that can reach it, or stays empty. Two burrs are the same if one of
the 24 symmetries of the frame, 12 rotations and 12 reflections, makes one into the other; that is
what Bill Cutler counted in his complete analysis (1994). His solid burrs (1978) he counted with
mirror images apart, so both numbers are given here.

The work is split in tasks, each a pair of sticks along the first axis. A burr belongs to the task
of that of its three pairs which comes first, so tasks can be done in any order, on any machine, and
their numbers added up.
"""

import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import sqrt
from random import Random
from typing import Literal, NamedTuple

from kumitate import _core
from kumitate.model.burr_sticks import burr_numbers, burr_stick, kaenel_number
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Matrix, Vector, apply
from kumitate.model.grids import CUBES
from kumitate.model.numbers import LARGEST, require_whole
from kumitate.model.puzzle import Piece, Placement, Problem
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, find_placement
from kumitate.search.disassemble import Disassembler

# The moves to the first separation, or why there is none.
BurrEnding = int | Literal["rigid", "stuck"]
BurrProgress = Callable[[float, "BurrCounts"], None]

HOME = (0, 2, 1)  # where a stick lies in the frame of 6 x 6 x 6 cells, as it is drawn
SLICE = 0.2  # seconds between two looks
STUCK, VAST = 30, 31  # the core's endings: below are levels, 0 is rigid
ALL = (1 << 12) - 1
PARTLY = "partly"


@dataclass(frozen=True)
class BurrCounts:
    """What became of six-piece burrs that somebody tried to take apart, and in how many seconds."""

    once: Mapping[BurrEnding, int]  # one of each pair of mirror images
    mirrors: Mapping[BurrEnding, int]  # both of them
    seconds: float  # of one core

    @property
    def assemblies(self) -> int:
        return sum(self.once.values())

    @property
    def levels(self) -> dict[int, int]:
        """How many come apart, at least partly, by so many moves to the first separation."""
        return {level: self.once[level] for level in self.once if isinstance(level, int)}

    def __add__(self, other: "BurrCounts") -> "BurrCounts":
        once, mirrors = Counter(self.once), Counter(self.mirrors)
        once.update(other.once)
        mirrors.update(other.mirrors)
        return BurrCounts(_sorted(once), _sorted(mirrors), self.seconds + other.seconds)


class Estimate(NamedTuple):
    """A number that was estimated, and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class BurrSample:
    """What a random sample of tasks says about all of them."""

    tasks: int
    counts: BurrCounts  # of the sample itself
    endings: Mapping[BurrEnding, Estimate]  # of all burrs, one of each pair of mirror images
    apart: Estimate  # of these, the ones that come apart at least partly
    assemblies: Estimate
    hours: Estimate  # of one core

    @property
    def rate(self) -> float:
        """Assemblies in a second of one core, taken apart."""
        return self.counts.assemblies / self.counts.seconds


class Burr(NamedTuple):
    """A six-piece burr that comes apart, at least partly."""

    assembly: Assembly
    level: int  # moves to the first separation
    mirrored: bool  # it differs from its mirror image, which is not listed


class SixPieceBurrs:
    """All six-piece burrs of some sticks, of all 837 if none are given.

    With `solid=True` only those that have no hole inside. The sticks must come with their mirror
    images.

    >>> from kumitate.model.burr_sticks import burr_sticks
    >>> from kumitate.workshop import notchable
    >>> sawn = SixPieceBurrs(filter(notchable, burr_sticks()))
    >>> sawn.count(), sawn.count(mirrors=True)
    (13354991, 26704015)
    >>> SixPieceBurrs(sawn.sticks, solid=True).run().levels
    {1: 181}
    """

    def __init__(self, sticks: Iterable[Shape] | None = None, *, solid: bool = False) -> None:
        self.solid = solid
        numbers = [*burr_numbers()] if sticks is None else sorted({*map(_number, sticks)})
        if not numbers:
            raise PuzzleError("there are no sticks; give some, or none at all for all 837")
        self.sticks = tuple(burr_stick(number) for number in numbers)
        ways = {way: number for number in numbers for way in burr_numbers()[number]}
        for number in numbers:
            if (mirror := _mirrored(number)) not in numbers:
                raise PuzzleError(f"stick {number} has no mirror image; add stick {mirror}")
        self._stick_of = {way: numbers.index(number) for way, number in ways.items()}
        kinds = [ALL & ~(way - 1) for way in ways]
        kinds.sort(key=lambda kind: (-kind.bit_count(), kind))  # faster, heavy ones first
        home, loose = ([_code(cell) for cell in cells] for cells in _home())
        rotations, reflections = _turns()
        turns = [[_code(_turned(turn, cell)) for cell in _FRAME] for turn in rotations]
        turns += [[_code(_turned(turn, cell)) for cell in _FRAME] for turn in reflections]
        self.core = _core.BurrEnumeration(home, loose, kinds, turns, len(rotations), solid)
        self._places = [rotations[turn] for turn in self.core.places]
        self._placed: dict[tuple[int, int], Placement] = {}

    @property
    def tasks(self) -> range:
        """The tasks, by number."""
        return range(self.core.tasks)

    @property
    def ways(self) -> int:
        """In how many ways the sticks can lie at a place, all together."""
        return len(self._stick_of)

    @cached_property
    def problem(self) -> Problem:
        """The same question for `assemble` and `solve`, which are slower."""
        cells, holes = (
            {(*_turned(turn, cell), 0) for turn in self._places for cell in cells}
            for cells in _home()
        )
        goal = Shape(CUBES, cells, name="burr", optional=set() if self.solid else holes)
        return Problem(goal, [Piece(stick, 0, 6) for stick in self.sticks])

    def count(self, mirrors: bool = False) -> int:
        """How many there are, without visiting them; with `mirrors=True` mirror images apart."""
        if self.solid:
            raise PuzzleError("solid burrs cannot be counted so; run the tasks")
        return self._count[mirrors]

    @cached_property
    def _count(self) -> tuple[int, int]:
        return self.core.count()

    def run(
        self, tasks: Sequence[int] | None = None, progress: BurrProgress | None = None
    ) -> BurrCounts:
        """Visit the burrs of some tasks, or of all, and see how each begins to come apart.

        `progress` is told some times a second which part is done, and the counts so far.
        """
        counts = BurrCounts({}, {}, 0)
        for done, piece, _ in self._slices(tasks, VAST):
            counts += piece
            if progress is not None:
                progress(done, counts)
        return counts

    def apart(
        self,
        tasks: Sequence[int] | None = None,
        level: int = 1,
        progress: BurrProgress | None = None,
    ) -> Iterator[Burr]:
        """Those that come apart at least partly, by so many moves or more to a separation."""
        require_whole(1, STUCK - 1, level=level)
        counts = BurrCounts({}, {}, 0)
        for done, piece, kept in self._slices(tasks, level):
            counts += piece
            if progress is not None:
                progress(done, counts)
            for kinds, moves, mirrored in kept:
                yield Burr(self.assembly(kinds), moves, mirrored)

    def sample(self, tasks: int, seed: int = 0, progress: BurrProgress | None = None) -> BurrSample:
        """What so many tasks, chosen at random, say about all of them.

        A task is chosen the more often the more burrs it is expected to have, and counts for so
        much less.
        """
        require_whole(-LARGEST, tasks=tasks)
        require_whole(0, seed=seed)
        if tasks < 2:
            raise PuzzleError(f"a sample of {tasks}: it takes two tasks at least to tell an error")
        if not self.count():
            raise PuzzleError("these sticks make no burr; there is nothing to sample")
        chances = self._expected
        chosen = Random(seed).choices(self.tasks, chances, k=tasks)
        counts = BurrCounts({}, {}, 0)
        found: list[tuple[float, BurrCounts]] = []
        for number, task in enumerate(chosen, 1):
            piece = self.run([task])
            found.append((chances[task], piece))
            counts += piece
            if progress is not None:
                progress(number / tasks, counts)

        def estimate(what: Callable[[BurrCounts], float]) -> Estimate:
            values = [what(piece) / chance for chance, piece in found]
            mean = sum(values) / tasks
            spread = sum((value - mean) ** 2 for value in values)
            return Estimate(mean, sqrt(spread / (tasks - 1) / tasks))

        def of(ending: BurrEnding) -> Estimate:
            return estimate(lambda piece: piece.once.get(ending, 0))

        return BurrSample(
            tasks,
            counts,
            {ending: of(ending) for ending in counts.once},
            estimate(lambda piece: sum(piece.levels.values())),
            estimate(lambda piece: piece.assemblies),
            estimate(lambda piece: piece.seconds / 3600),
        )

    def assembly(self, kinds: Sequence[int]) -> Assembly:
        """The sticks at the six places as an assembly of the problem; of each which loose cells."""
        return Assembly(self.problem, [self._placement(*kind) for kind in enumerate(kinds)])

    def ending(self, kinds: Sequence[int]) -> BurrEnding:
        """What becomes of one burr."""
        return _ending(self.core.ending(list(kinds)))

    def _placement(self, place: int, kind: int) -> Placement:
        if (place, kind) not in self._placed:
            stick = self._stick_of[1 + (ALL & ~kind)]
            home, loose = _home()
            gone = {cell for bit, cell in enumerate(loose) if not kind >> bit & 1}
            turn = self._places[place]
            cells = {(*_turned(turn, cell), 0) for cell in home if cell not in gone}
            placement = find_placement(stick, self.sticks[stick], Shape(CUBES, cells))
            assert placement is not None
            self._placed[place, kind] = placement
        return self._placed[place, kind]

    @cached_property
    def _expected(self) -> Sequence[float]:
        """For each task the fraction of all burrs that it is expected to have.

        All that have its pair are counted; of these are left those whose other two pairs do not
        come first, which is guessed as if pairs had nothing to do with each other.
        """
        sizes = [1] * len(self.tasks) if self.solid else self.core.sizes()
        whole = sum(sizes) or 1
        before, expected = 0, list[float]()
        for size in sizes:
            expected.append(size * ((1 - before / whole) ** 2 + 0.001))
            before += size
        whole_expected = sum(expected) or 1
        return [size / whole_expected for size in expected]

    def _slices(
        self, tasks: Sequence[int] | None, least: int
    ) -> "Iterator[tuple[float, BurrCounts, Sequence[_core.Kept]]]":
        """Tasks done, some at a time: the fraction done so far, what was found, what was kept."""
        tasks = self.tasks if tasks is None else tasks
        if any(task not in self.tasks for task in tasks):
            raise PuzzleError(f"there is no such task; tasks are 0 to {len(self.tasks) - 1}")
        weights = [self._expected[task] for task in tasks] if len(tasks) > 1 else [1.0]
        whole, done, at, count = sum(weights), 0.0, 0, 1
        while at < len(tasks):
            start = time.thread_time()
            once, mirrored, kept = self.core.run(array("I", tasks[at : at + count]), least)
            spent = time.thread_time() - start
            done += sum(weights[at : at + count])
            at += count
            count = max(1, min(2 * count, int(count * SLICE / max(spent, 1e-9))))
            both = [a + b for a, b in zip(once, mirrored, strict=True)]
            yield (
                done / whole if whole else 1,
                BurrCounts(_named(once), _named(both), spent),
                kept,
            )


@dataclass(frozen=True)
class SolidBurrs:
    """How all solid burrs of some sticks come apart."""

    counts: BurrCounts
    levels: Mapping[str, tuple[int, int]]  # completely: once, and mirror images apart
    partly: tuple[int, int]
    sticks: Sequence[int]  # the numbers of those in burrs that come apart completely

    @property
    def solutions(self) -> tuple[int, int]:
        """How many come apart completely: once, and mirror images apart."""
        once, apart = (sum(column) for column in zip((0, 0), *self.levels.values(), strict=True))
        return once, apart


def solid_burrs(
    sticks: Iterable[Shape] | None = None, progress: BurrProgress | None = None
) -> SolidBurrs:
    """All solid burrs of some sticks, of all 837 if none are given, taken apart to the end.

    >>> from kumitate.model.burr_sticks import burr_sticks
    >>> from kumitate.workshop import notchable
    >>> found = solid_burrs(filter(notchable, burr_sticks()))
    >>> found.levels, found.solutions, len(found.sticks)
    ({'1': (148, 257), '1.2': (31, 57)}, (179, 314), 25)
    """
    burrs = SixPieceBurrs(sticks, solid=True)
    disassembler = Disassembler(burrs.problem)
    levels: dict[str, tuple[int, int]] = {}
    used = set[int]()
    counts = BurrCounts({}, {}, 0)
    for done, piece, kept in burrs._slices(None, 1):
        counts += piece
        for kinds, _, mirrored in kept:
            assembly = burrs.assembly(kinds)
            disassembly = disassembler.examine(assembly).disassembly
            level = str(disassembly.levels) if disassembly else PARTLY
            once, apart = levels.get(level, (0, 0))
            levels[level] = (once + 1, apart + 1 + mirrored)
            if disassembly:
                used |= {int(burrs.sticks[p.piece].name) for p in assembly.placements}
        if progress is not None:
            progress(done, counts)
    partly = levels.pop(PARTLY, (0, 0))
    ordered = dict(sorted(levels.items(), key=lambda item: (-item[1][0], item[0])))
    mirrors = {_mirrored(number) for number in used}
    return SolidBurrs(counts, ordered, partly, tuple(sorted(used | mirrors)))


# ---- the frame ----

_FRAME: Sequence[Vector] = tuple((x, y, z) for x, y, z in product(range(6), repeat=3))


def _code(cell: Vector) -> int:
    x, y, z = cell
    return (6 * x + y) * 6 + z


@cache
def _home() -> tuple[Sequence[Vector], Sequence[Vector]]:
    """The cells of the stick at home, and those that it may lack, by the bits of its number."""

    def placed(shape: Shape) -> set[Vector]:
        return {(x, y, z) for x, y, z, _ in shape.shifted(HOME)}

    whole = placed(burr_stick(1))
    loose = [whole - placed(burr_stick(1 + (1 << bit))) for bit in range(12)]
    return sorted(whole), [cell for cells in loose for cell in cells]


@cache
def _turns() -> tuple[Sequence[Matrix], Sequence[Matrix]]:
    """The rotations and the reflections that keep the frame: those that put axes in a circle."""
    circles = ((0, 1, 2), (1, 2, 0), (2, 0, 1))

    def kept(matrix: Matrix) -> bool:
        return tuple(next(i for i in range(3) if row[i]) for row in matrix) in circles

    rotations = [turn.matrix for turn in CUBES.turns if kept(turn.matrix)]
    return rotations, [turn.matrix for turn in CUBES.mirrors if kept(turn.matrix)]


def _turned(matrix: Matrix, cell: Vector) -> Vector:
    """About the middle of the frame."""
    x, y, z = apply(matrix, (2 * cell[0] - 5, 2 * cell[1] - 5, 2 * cell[2] - 5))
    return (x + 5) // 2, (y + 5) // 2, (z + 5) // 2


@cache
def _known() -> Mapping[Shape, int]:
    return {burr_stick(number): number for number in burr_numbers()}


def _number(stick: Shape) -> int:
    """The number of a stick; those of burr_sticks() are known by sight."""
    number = _known().get(stick) or (kaenel_number(stick) if max(stick.size) == 6 else None)
    if number is None or number not in burr_numbers():
        raise PuzzleError(
            f"shape {stick.name!r} is no stick of the six-piece burr; burr_sticks() gives them all"
        )
    return number


def _mirrored(number: int) -> int:
    """The number of the mirror image."""
    turned = 0
    for bit, (x, y, z) in enumerate(_home()[1]):
        if (number - 1) >> bit & 1:
            turned |= 1 << _home()[1].index((5 - x, y, z))
    return next(least for least, ways in burr_numbers().items() if 1 + turned in ways)


def _ending(code: int) -> BurrEnding:
    assert code != VAST, "a stick went farther than a frame is wide"
    return "rigid" if code == 0 else "stuck" if code == STUCK else code


def _named(counts: Sequence[int]) -> dict[BurrEnding, int]:
    return {_ending(code): count for code, count in enumerate(counts) if count}


def _sorted(counts: Mapping[BurrEnding, int]) -> dict[BurrEnding, int]:
    """The levels, then what does not come apart."""
    levels = {level: counts[level] for level in sorted(e for e in counts if isinstance(e, int))}
    return levels | {e: counts[e] for e in ("rigid", "stuck") if e in counts}
