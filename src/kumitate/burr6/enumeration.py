"""All six-piece burrs: counted without visiting them, or visited and taken apart one by one.

Six sticks lie in pairs along three axes and share 32 cells in the middle. Each of these cells
belongs to one of the two or three sticks that can reach it, or stays empty. Two burrs are the same
if one of the 24 symmetries of the frame (12 rotations and 12 reflections) maps one to the other;
this is how Bill Cutler counted in his complete analysis (1994). In his analysis of solid burrs
(1978) he counted mirror images separately, so both numbers are given here.

The work is split into tasks, one for each pair of sticks along the first axis. A burr belongs to
the task of the first of its three pairs. So tasks can be done in any order, on any machine, and
their results added up.
"""

import time
from array import array
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from math import sqrt
from random import Random
from typing import NamedTuple, Protocol

from kumitate import _core
from kumitate.burr6.counts import (
    LEVELS_BY,
    NEVER,
    TURNING,
    VAST,
    BurrCounts,
    BurrEnding,
    BurrOutcome,
    BurrProgress,
    BurrSample,
    Estimate,
    LevelBy,
    counts_of,
    ending_of,
    outcome_of,
)
from kumitate.burr6.frame import ALL, CELLS, SIDE, goal, home, turned, turns
from kumitate.model.burr_sticks import burr_numbers, burr_stick, kaenel_number
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector
from kumitate.model.grids import CUBES
from kumitate.model.numbers import LARGEST, MOST_THREADS, require_whole
from kumitate.model.options import ApartOptions
from kumitate.model.puzzle import Piece, Placement, Problem, find_placement
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly

SLICE = 0.2  # seconds between two progress reports
LENGTHS = (6, 8, 10, 12)  # of sticks


class Burr(NamedTuple):
    """A six-piece burr that comes apart, at least partly."""

    assembly: Assembly
    level: int  # moves to the first separation
    mirrored: bool  # whether it differs from its mirror image, which is not listed


class Question(NamedTuple):
    """What is asked of all burrs, and which are kept."""

    level_by: LevelBy = "move"
    complete: bool = False
    turns: float | None = None  # the tolerance
    compare: bool = False  # whether how they end is also asked of all VARIANTS
    keep_level: int | None = None  # of this level or more
    keep_moves: int | None = None  # or of so many moves in all, if complete,
    keep_far: int | None = None  # or stuck, with two sticks that get so many cells apart


class Kept(NamedTuple):
    """A burr that is kept."""

    kinds: Sequence[int]  # its sticks, as bits of removable cells
    ending: int  # the core's code
    mirrored: bool
    moves: int | None = None  # in all


class Slice(NamedTuple):
    """What came of some tasks."""

    tasks: int  # how many have been done so far
    done: float  # the fraction of all work
    counts: BurrCounts
    kept: Sequence[Kept]


Answer = tuple[BurrCounts, Sequence[Kept]]


class Awaited(Protocol):
    """The answer to some tasks, once it has come."""

    def result(self) -> Answer: ...


Send = Callable[[Sequence[int]], Awaited]


class SixPieceBurrs:
    """All six-piece burrs made of some sticks, by default of all 837.

    `solid=True` keeps only burrs without holes inside. The sticks must include the mirror image of
    each stick. They can be longer than 6 cells, which makes some burrs harder to take apart.

    >>> from kumitate.model.burr_sticks import burr_sticks
    >>> from kumitate.workshop import notchable
    >>> sawn = SixPieceBurrs(filter(notchable, burr_sticks()))
    >>> sawn.count(), sawn.count(mirrors=True)
    (13354991, 26704015)
    >>> SixPieceBurrs(sawn.sticks, solid=True).run().levels
    {1: 181}
    """

    def __init__(
        self, sticks: Iterable[Shape] | None = None, *, solid: bool = False, length: int = SIDE
    ) -> None:
        require_whole(-LARGEST, length=length)
        if length not in LENGTHS:
            raise PuzzleError(f"sticks cannot be {length} long; use 6, 8, 10 or 12")
        self.solid, self.length = solid, length
        numbers = [*burr_numbers()]
        if sticks is not None:
            numbers = sorted({_number(stick, length) for stick in sticks})
        if not numbers:
            raise PuzzleError("the list of sticks is empty; leave it out for all 837")
        self._numbers = frozenset(numbers)
        self.sticks = tuple(burr_stick(number, length) for number in numbers)
        ways = {way: number for number in numbers for way in burr_numbers()[number]}
        for number in numbers:
            if (mirror := mirror_of(number)) not in numbers:
                raise PuzzleError(f"the mirror image of stick {number} is missing; add {mirror}")
        self._stick_of = {way: numbers.index(number) for way, number in ways.items()}
        kinds = [ALL & ~(way - 1) for way in ways]
        kinds.sort(key=lambda kind: (-kind.bit_count(), kind))  # heavy sticks first is faster
        cells, removable = ([_code(cell) for cell in cells] for cells in home())
        rotations, _ = turns()
        self.core = _core.BurrEnumeration(
            cells, removable, kinds, _images(), len(rotations), solid, length
        )
        self._places = [rotations[turn] for turn in self.core.places]
        self._placed: dict[tuple[int, int], Placement] = {}

    @property
    def tasks(self) -> range:
        """The tasks, by number."""
        return range(self.core.tasks)

    @cached_property
    def kinds(self) -> frozenset[int]:
        """The oriented sticks that can lie in one place, as bits of their removable cells."""
        return frozenset(ALL & ~(way - 1) for way in self._stick_of)

    @property
    def ways(self) -> int:
        """The number of oriented sticks that can lie in one place."""
        return len(self._stick_of)

    @cached_property
    def problem(self) -> Problem:
        """The same problem for `assemble` and `solve`, which are slower."""
        return Problem(goal(self.solid, self.length), [Piece(stick, 0, 6) for stick in self.sticks])

    def count(self, mirrors: bool = False) -> int:
        """How many burrs there are; `mirrors=True` counts mirror images separately."""
        if self.solid:
            raise PuzzleError("solid burrs can only be counted by visiting them; call run()")
        return self._count[mirrors]

    @cached_property
    def _count(self) -> tuple[int, int]:
        return self.core.count()

    def run(
        self,
        tasks: Sequence[int] | None = None,
        progress: BurrProgress | None = None,
        *,
        level_by: LevelBy = "move",
        complete: bool = False,
        turns: float | None = None,
        compare: bool = False,
        threads: int = 1,
    ) -> BurrCounts:
        """Visit the burrs of some tasks, or of all, up to the first separation of each.

        `progress` is called a few times a second with the fraction done and the counts so far.
        `level_by` says what counts as one move: some sticks that go together ("move"), all that
        goes along one axis ("axis"), some sticks by one cell ("unit"), or a single stick ("piece").
        With `complete=True` burrs are taken apart to the end: the counts have their `outcomes`.
        With `turns=`, a tolerance, burrs that do not come apart also end as "turning" if something
        can turn, or as "unclear" if that is neither found nor ruled out. With `compare=True` the
        counts also say in `compared` how the same burrs end by the other definitions, and with
        sticks of length 8, 10 and 12.
        """
        counts = BurrCounts({}, {}, 0)
        question = Question(level_by, complete, turns, compare)
        for _, done, piece, _ in self.slices(tasks, question, threads):
            counts += piece
            if progress is not None:
                progress(done, counts)
        return counts

    def apart(
        self,
        tasks: Sequence[int] | None = None,
        level: int = 1,
        progress: BurrProgress | None = None,
        *,
        level_by: LevelBy = "move",
    ) -> Iterator[Burr]:
        """The burrs that come apart at least partly, `level` or more moves to a separation."""
        require_whole(1, TURNING - 1, level=level)
        counts = BurrCounts({}, {}, 0)
        for _, done, piece, kept in self.slices(tasks, Question(level_by, keep_level=level)):
            counts += piece
            if progress is not None:
                progress(done, counts)
            for burr in kept:
                yield Burr(self.assembly(burr.kinds), burr.ending, burr.mirrored)

    def turning(
        self,
        tasks: Sequence[int] | None = None,
        progress: BurrProgress | None = None,
        *,
        turns: float = 0,
    ) -> Iterator[Assembly]:
        """The burrs that do not come apart, but where something can turn, or where that is unclear.

        After slides by whole or half cells, some sticks turn together about an axis along the grid,
        which may move, or get past others by tilting. `turns` is the tolerance. `examine` with the
        same one and `fine=True` shows whether that takes the burr apart.
        """
        counts = BurrCounts({}, {}, 0)
        for _, done, piece, kept in self.slices(tasks, Question(turns=turns, keep_level=TURNING)):
            counts += piece
            if progress is not None:
                progress(done, counts)
            for burr in kept:
                yield self.assembly(burr.kinds)

    def sample(
        self,
        tasks: int,
        seed: int = 0,
        progress: BurrProgress | None = None,
        *,
        level_by: LevelBy = "move",
        turns: float | None = None,
    ) -> BurrSample:
        """Estimates for all tasks from some tasks chosen at random.

        A task is chosen with a probability proportional to the number of burrs it is expected to
        have, and is weighted by the inverse.
        """
        require_whole(-LARGEST, tasks=tasks)
        require_whole(0, seed=seed)
        if tasks < 2:
            raise PuzzleError(f"a sample of {tasks} is too small; an error estimate needs 2 tasks")
        if not self.count():
            raise PuzzleError("these sticks make no burr, so there is nothing to sample")
        chances = self.expected
        chosen = Random(seed).choices(self.tasks, chances, k=tasks)
        counts = BurrCounts({}, {}, 0)
        found: list[tuple[float, BurrCounts]] = []
        for number, task in enumerate(chosen, 1):
            piece = self.run([task], level_by=level_by, turns=turns)
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
        """An assembly of the problem; `kinds` are its sticks, as bits of removable cells."""
        return Assembly(self.problem, [self._placement(*kind) for kind in enumerate(kinds)])

    def ending(
        self, kinds: Sequence[int], *, level_by: LevelBy = "move", turns: float | None = None
    ) -> BurrEnding:
        """How one burr comes apart: its level, or why it does not."""
        tolerance = ApartOptions(turns=turns).tolerance
        return ending_of(self.core.ending(list(kinds), tolerance, _level_by(level_by)))

    def outcome(self, kinds: Sequence[int]) -> BurrOutcome | None:
        """What becomes of one burr that comes apart at least partly; None if it does not."""
        ending, code = self.core.outcome(list(kinds))
        return outcome_of(ending, code) if code else None

    def census(self, sets: Iterable[Sequence[int]]) -> list[BurrCounts]:
        """What becomes of all assemblies of six sticks; for each six, by their numbers.

        Rotated assemblies count once. So do mirror images, if the sticks are their own mirror
        images together.

        >>> [dozen] = SixPieceBurrs().census([(88, 512, 704, 960, 992, 1008)])
        >>> dozen.assemblies, dozen.solutions, max(dozen.levels)
        (154, 90, 12)
        """
        asked = []
        for numbers in sets:
            unknown = [n for n in numbers if n not in self._numbers]
            if unknown or len(numbers) != len(self._places):
                raise PuzzleError(
                    f"there is no stick {unknown[0]} here" if unknown else "give six sticks"
                )
            ways = [[ALL & ~(way - 1) for way in burr_numbers()[n]] for n in numbers]
            asked.append((ways, Counter(map(mirror_of, numbers)) == Counter(numbers)))
        return [
            counts_of(once, [0] * len(once), 0, apart) for once, apart in self.core.census(asked)
        ]

    def numbers(self, kinds: Sequence[int]) -> tuple[int, ...]:
        """The numbers of the sticks of a burr, in order."""
        sticks = (self.sticks[self._stick_of[1 + (ALL & ~kind)]] for kind in kinds)
        return tuple(sorted(int(stick.name) for stick in sticks))

    def _placement(self, place: int, kind: int) -> Placement:
        if (place, kind) not in self._placed:
            stick = self._stick_of[1 + (ALL & ~kind)]
            whole, removable = home(self.length)
            gone = {cell for bit, cell in enumerate(removable) if not kind >> bit & 1}
            turn = self._places[place]
            cells = {(*turned(turn, cell), 0) for cell in whole if cell not in gone}
            placement = find_placement(stick, self.sticks[stick], Shape(CUBES, cells))
            assert placement is not None
            self._placed[place, kind] = placement
        return self._placed[place, kind]

    @cached_property
    def expected(self) -> Sequence[float]:
        """For each task, the fraction of all burrs that it is expected to have.

        All burrs with its pair are counted. From these we subtract those where one of the other two
        pairs comes first, estimated as if pairs were independent.
        """
        sizes = [1] * len(self.tasks) if self.solid else self.core.sizes()
        whole = sum(sizes) or 1
        before, expected = 0, list[float]()
        for size in sizes:
            expected.append(size * ((1 - before / whole) ** 2 + 0.001))
            before += size
        whole_expected = sum(expected) or 1
        return [size / whole_expected for size in expected]

    def slices(
        self,
        tasks: Sequence[int] | None,
        question: Question,
        threads: int = 1,
        send: Send | None = None,
    ) -> Generator[Slice]:
        """Run tasks, a few at a time and in their order, on several threads.

        `send` may send tasks elsewhere, where `answer` is called with them.
        """
        tasks = self.tasks if tasks is None else tasks
        self._require(question, tasks)
        require_whole(1, MOST_THREADS, threads=threads)
        weights = [self.expected[task] for task in tasks] if len(tasks) > 1 else [1.0]
        whole, done, at, count = sum(weights), 0.0, 0, 1
        running = deque[tuple[int, Awaited]]()
        with ThreadPoolExecutor(threads) as pool:

            def here(some: Sequence[int]) -> Awaited:
                return pool.submit(self.answer, question, some)

            send = send or here
            while at < len(tasks) or running:
                if at < len(tasks) and len(running) < threads:
                    some = tasks[at : at + count]
                    running.append((at, send(some)))
                    at += len(some)
                    continue
                first, answer = running.popleft()
                counts, kept = answer.result()
                end = running[0][0] if running else at
                done += sum(weights[first:end])
                faster = int((end - first) * SLICE / max(counts.seconds, 1e-9))
                count = max(1, min(2 * count, faster))
                yield Slice(end, done / whole if whole else 1, counts, kept)

    def _require(self, question: Question, tasks: Sequence[int]) -> None:
        """Raise a PuzzleError if this cannot be asked."""
        if any(task not in self.tasks for task in tasks):
            raise PuzzleError(f"unknown task; tasks are numbered 0 to {len(self.tasks) - 1}")
        more = question.turns is not None or question.complete or question.compare
        if question.level_by != "move" and more:
            raise PuzzleError('turns=, complete=True and compare=True need level_by="move"')
        if question.compare and self.length != SIDE:
            raise PuzzleError(f"compare=True needs sticks of length {SIDE}")
        if question.compare and question.turns is not None:
            raise PuzzleError("compare=True compares slides; leave out turns=")
        _level_by(question.level_by)

    def answer(self, question: Question, tasks: Sequence[int]) -> Answer:
        """The results of some tasks, and the burrs to keep.

        >>> from kumitate.model.burr_sticks import burr_stick
        >>> few = SixPieceBurrs([burr_stick(1024), burr_stick(256)])
        >>> counts, kept = few.answer(Question(keep_level=2), few.tasks)
        >>> counts.levels, len(kept)
        ({1: 32, 2: 7}, 7)
        """
        self._require(question, tasks)
        start, some, by = time.thread_time(), array("I", tasks), _level_by(question.level_by)
        far = NEVER if question.keep_far is None else min(question.keep_far, NEVER)
        least = VAST if question.keep_level is None else min(question.keep_level, VAST)
        total = NEVER if question.keep_moves is None else min(question.keep_moves, NEVER)
        once, mirrored, apart, compared, found = self.core.run(
            some,
            by=by,
            turns=ApartOptions(turns=question.turns).tolerance,
            complete=question.complete,
            compare=question.compare,
            least=least,
            total=total,
            far=far,
        )
        kept = [
            Kept(kinds, ending, flips, outcome_of(ending, code).moves if code else None)
            for kinds, ending, code, flips in found
        ]
        return counts_of(once, mirrored, time.thread_time() - start, apart, compared), kept


# ---- the sticks ----


def _code(cell: Vector) -> int:
    x, y, z = cell
    return (SIDE * x + y) * SIDE + z


@cache
def _images() -> list[list[int]]:
    """Where the symmetries of the frame take its cells, rotations first."""
    rotations, reflections = turns()
    return [[_code(turned(turn, cell)) for cell in CELLS] for turn in (*rotations, *reflections)]


@cache
def _known(length: int) -> Mapping[Shape, int]:
    return {burr_stick(number, length): number for number in burr_numbers()}


def _number(stick: Shape, length: int) -> int:
    """The number of a stick; those of burr_sticks() are looked up."""
    number = _known(length).get(stick)
    if number is None and max(stick.size) == length:
        number = kaenel_number(stick)
    if number is None or number not in burr_numbers():
        raise PuzzleError(
            f"shape {stick.name!r} is not a stick of the six-piece burr; burr_sticks() lists them"
        )
    return number


def _level_by(word: str) -> _core.LevelBy:
    if word not in LEVELS_BY:
        raise PuzzleError(f"levels cannot be counted by {word!r}; use {', '.join(LEVELS_BY)}")
    return _core.LevelBy[word]


@cache
def mirror_of(number: int) -> int:
    """The number of the mirror image."""
    turned = 0
    for bit, (x, y, z) in enumerate(home()[1]):
        if (number - 1) >> bit & 1:
            turned |= 1 << home()[1].index((5 - x, y, z))
    return next(least for least, ways in burr_numbers().items() if 1 + turned in ways)
