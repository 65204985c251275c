"""The engine of design by goal: many short climbs, the best of which continue.

A generation is a tournament: many short climbs, each from a cut of its own; the best quarter goes
on four times as long, again and again, until one is left. That one continues as long as it
improves; then the next generation begins. Large frames are hard to start in, so many climbs start
in a smaller one, which grows layer by layer. In every other generation climbs are warm: some kinds
of puzzles need warm climbs, others cold ones. A resumed design begins with a generation of the best
that it has found.

The unit of work is a climb of some evaluations, numbered from 1. Its seed and its start follow from
the seed of the design and from what climbs with lower numbers found in earlier rounds, and results
are taken in the order of the numbers: a seed finds the same puzzles on any number of threads.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import cycle, islice
from random import Random
from threading import local
from typing import Protocol

from kumitate import _core
from kumitate.designer.space import Pieces, Space
from kumitate.model.numbers import MOST_THREADS, require_whole
from kumitate.model.solution import Levels
from kumitate.search.disassemble import examine

FIRST_CLIMBS = 16  # of a generation
FIRST_EVALUATIONS = 2000  # of each of them
GROWING_EVALUATIONS = 2000  # in each of the smaller frames before
BEGINNINGS = 4  # frames to begin in, by turns: the smallest ones
KEPT = 4  # one in so many goes on, so many times as long
LATER_CLIMBS = 4  # from the winner, at the same time
PATIENCE = 4  # rounds of those without a gain
SLICE = 500  # evaluations between two looks at the clock
TELL = 0.2  # seconds between reports of progress
COLD = {"slack": 4.0, "temperature": 0.3}  # of climbs, as climb.hpp says
WARM = {"slack": 2.0, "temperature": 0.0}
MAX_STATES = 20_000


@dataclass(frozen=True)
class Worth:
    """What a climb goes for: the score is a sum with these weights.

    >>> Worth(total=0)
    Worth(level=1, total=0)
    """

    level: float = 1
    total: float = 0.1


WORTH = Worth()


@dataclass(frozen=True)
class Candidate:
    """Pieces where they lie, and how hard they come apart."""

    pieces: Pieces
    levels: Levels
    evaluations: int  # spent so far, all climbs together


@dataclass(frozen=True)
class Progress:
    """How far the engine is."""

    evaluations: int
    level: int  # the best so far; 0 if nothing comes apart yet


Accept = Callable[[Candidate], bool]
Stop = Callable[[], bool]


class Way(Protocol):
    """A way to find candidates.

    It is made with `seed`, `accept` and `stop`, which are asked in any thread. All that it gives a
    crew to do are its own methods, so an equal way on another machine can do the same.
    """

    def candidates(
        self, crew: Executor, starts: Sequence[Pieces] = ()
    ) -> Iterator[Candidate | Progress]:
        """Candidates and progress, until it is stopped; it may go on from some starts."""


def candidates(
    space: Space,
    *,
    seed: int,
    threads: int = 1,
    worth: Worth = WORTH,
    accept: Accept | None = None,
    stop: Stop,
) -> Iterator[Candidate | Progress]:
    """The best of climb after climb, better and better ones among them, and progress in between.

    `accept` says whether a candidate counts, in any thread: a climb never goes on from a refused
    one as its best, and the score to beat stays. It ends when `stop` says so, or if no cell can be
    changed.

    >>> from kumitate import CUBES, Shape
    >>> cube = Shape.from_text(CUBES, "/".join(["###  ###  ###"] * 3))
    >>> space = Space(cube, homes=(cube.cells,) * 3, holes=(1, 1))
    >>> ever_better = candidates(space, seed=1, stop=lambda: False)
    >>> found = next(it for it in ever_better if isinstance(it, Candidate))
    >>> sum(map(len, found.pieces))
    26
    """
    require_whole(0, seed=seed)
    require_whole(1, MOST_THREADS, threads=threads)
    over = False
    engine = Engine(space, seed=seed, accept=accept, stop=lambda: over or stop(), worth=worth)
    with ThreadPoolExecutor(threads) as crew:
        try:
            yield from engine.candidates(crew)
        finally:
            over = True


@dataclass(frozen=True)
class _Climbed:
    """What a climb has come to."""

    owners: Sequence[int]
    score: float
    candidate: Candidate | None  # if it comes apart
    evaluations: int
    fixed: bool


Round = Generator[Candidate | Progress, None, list[_Climbed]]


class Engine:
    """The way to design: tournaments of climbs in the core."""

    def __init__(
        self,
        space: Space,
        *,
        seed: int,
        accept: Accept | None,
        stop: Stop,
        worth: Worth = WORTH,
    ) -> None:
        self.space, self.seed, self.worth, self.accept = space, seed, worth, accept
        self.stop = stop
        self.evaluations = 0
        self.level = 0
        self.frames = [space]  # each is a layer smaller than the one before
        while smaller := self.frames[-1].smaller:
            self.frames.append(smaller)
        self._mine = local()
        self._climbs = 0  # begun

    def candidates(
        self, crew: Executor, starts: Sequence[Pieces] = ()
    ) -> Generator[Candidate | Progress, None, None]:
        """Generation after generation, the first one from these starts."""
        first: Sequence[Sequence[int] | None] = [*map(self.space.owners, starts)] or [None]
        for warm in cycle((False, True)):
            starting = list(islice(cycle(first), FIRST_CLIMBS))
            first, evaluations = [None], FIRST_EVALUATIONS
            while len(starting) > 1:
                results = yield from self._round(crew, starting, evaluations, warm)
                if self.stop() or all(result.fixed for result in results):
                    return
                results.sort(key=lambda result: -result.score)
                starting = [result.owners for result in results[: max(1, len(results) // KEPT)]]
                evaluations *= KEPT
            best, idle = results[0], 0
            while idle < PATIENCE:
                later = [best.owners] * LATER_CLIMBS
                results = yield from self._round(crew, later, evaluations, warm)
                if self.stop():
                    return
                winner = max(results, key=lambda result: result.score)
                idle = 0 if winner.score > best.score else idle + 1
                best = max(winner, best, key=lambda result: result.score)

    def _round(
        self,
        crew: Executor,
        starts: Sequence[Sequence[int] | None],
        evaluations: int,
        warm: bool,
    ) -> Round:
        """Climbs from these starts, or from new ones; their results in order.

        When it is time to stop, climbs end early, and those that have not begun are left out.
        """
        waiting: list[Future[_Climbed]] = []
        for start in starts:
            self._climbs += 1
            waiting.append(crew.submit(self.climb, start, self._climbs, evaluations, warm))
        results = []
        for future in waiting:
            while not future.done():
                wait([future], TELL)
                yield Progress(self.evaluations, self.level)
                if self.stop():
                    future.cancel()
            if self.stop() and (future.cancelled() or future.exception()):
                continue
            result = future.result()
            results.append(result)
            self.evaluations += result.evaluations
            if result.candidate:
                self.level = max(self.level, result.candidate.levels.moves)
                yield replace(result.candidate, evaluations=self.evaluations)
        return results

    def climb(
        self, start: Sequence[int] | None, number: int, evaluations: int, warm: bool
    ) -> _Climbed:
        """One climb, on some thread."""
        spent = 0
        if start is None:
            start, spent = self._start(number)
        climb = self._core_climb(0, warm)
        seed = _seed(self.seed, number)
        changes = self._run(climb, start, seed, evaluations, self.accept)
        owners = climb.best_owners
        candidate = self._candidate(owners) if climb.best > 0 else None
        return _Climbed(owners, climb.best, candidate, spent + climb.evaluations, not changes)

    def _start(self, number: int) -> tuple[Sequence[int], int]:
        """A cut of a small frame, after a climb in that and each larger one; evaluations spent."""
        frames, dice, spent = self.frames, Random(f"{self.seed} {number}"), 0
        first = len(frames) - 1 - number % min(BEGINNINGS, len(frames))
        pieces = self.space.start or frames[first].cut(dice, self.stop)
        for layer in range(first, 0, -1):
            small, large = frames[layer], frames[layer - 1]
            climb, next_climb = self._core_climb(layer), self._core_climb(layer - 1)
            self._run(climb, small.owners(pieces), dice.getrandbits(32), GROWING_EVALUATIONS)
            ways = list(large.grown(small.pieces(climb.best_owners))) or [
                large.cut(dice, self.stop)
            ]
            scores = list[float]()
            for way in ways:
                self._run(next_climb, large.owners(way), 0, 1)
                scores.append(next_climb.best)
            pieces = ways[scores.index(max(scores))]
            spent += climb.evaluations + len(ways)
        return self.space.owners(pieces), spent

    def _run(
        self,
        climb: _core.Climb,
        start: Sequence[int],
        seed: int,
        evaluations: int,
        accept: Accept | None = None,
    ) -> bool:
        """A climb in the core; whether anything can be changed."""
        climb.begin(list(start), seed)
        pause = "done"
        refused = set[tuple[int, ...]]()  # which a climb meets again and again
        while climb.evaluations < evaluations and pause != "fixed" and not self.stop():
            pause = climb.run(min(SLICE, evaluations - climb.evaluations))
            if pause != "better":
                continue
            owners = tuple(climb.owners)
            counts = owners not in refused and (accept is None or accept(self._candidate(owners)))
            if not counts:
                refused.add(owners)
            climb.settle(counts)
        return pause != "fixed"

    def _core_climb(self, layer: int, warm: bool = False) -> _core.Climb:
        """The core's climb of this thread: its tables are large, so it begins again and again."""
        if not hasattr(self._mine, "climbs"):
            self._mine.climbs = {}
        climbs: dict[tuple[int, bool], _core.Climb] = self._mine.climbs
        if (layer, warm) not in climbs:
            climbs[layer, warm] = self.frames[layer].climb(
                **(WARM if warm else COLD),
                later=self.worth.total / self.worth.level,
                max_states=MAX_STATES,
            )
        return climbs[layer, warm]

    def _candidate(self, owners: Sequence[int]) -> Candidate:
        pieces = self.space.pieces(owners)
        found = examine(self.space.assembly(pieces)).disassembly
        if found is None:
            raise AssertionError("what the core took apart comes apart")
        return Candidate(pieces, found.levels, self.evaluations)


def _seed(seed: int, number: int) -> int:
    return Random(f"{seed} climb {number}").getrandbits(32)
