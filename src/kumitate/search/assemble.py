"""Every way the pieces fill the goal, one of each class of assemblies that count as the same.

The core searches on its own threads while Python reads what it finds; whoever stops reading stops
the search. Copies are one piece to the core, however often their shape was entered; the table of
placements deals them out to the pieces again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from kumitate import _core
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_THREADS, require_whole
from kumitate.model.puzzle import Placement, Problem
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly
from kumitate.model.table import PlacementTable
from kumitate.search.check import volume_fault
from kumitate.search.placements import ask, distinct_pins

LONG = 200_000  # nodes, some 50 ms: after that a count also tries the frontier
SLICE = 20_000  # states of a frontier between two looks
TICK = 50  # milliseconds between two looks at the search: Ctrl-C acts within that


class Progress(NamedTuple):
    """How far a search is."""

    assemblies: int  # one of each class
    nodes: int
    fraction: float  # of the search done; only grows


@dataclass(frozen=True)
class Count:
    """How many assemblies a problem has."""

    assemblies: int  # one of each class of those that count as the same
    rotations: int | None  # every one of them; unknown after a thorough count
    nodes: int  # how much work it was


@dataclass(frozen=True)
class Hint:
    """Whether a position can be completed, in how many ways, and a piece to place next."""

    ways: int
    next: Placement | None


def assemble(
    problem: Problem,
    *,
    mirrors: bool = False,
    rotations: bool = False,
    thorough: bool = False,
    distinct_copies: bool = False,
    threads: int = 1,
    ordered: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[Assembly]:
    """The assemblies of a problem, rotations and mirror images counted once.

    `mirrors=True` keeps mirror images apart, `rotations=True` keeps everything apart;
    `thorough=True` also takes two assemblies for the same when optional cells leave room to turn
    one into the other though that moves the goal. `distinct_copies=True` tells pieces of one shape
    apart if they were entered separately. The order does not depend on the number of threads,
    unless `ordered=False`.

    >>> from kumitate.library import library
    >>> [problem] = library["slothouber-graatsma"].problems
    >>> for assembly in assemble(problem):
    ...     print(assembly)
    AAF  CCF  CCI
    AAF  EHF  EBB
    GDD  EDD  EBB
    """
    require_whole(1, MOST_THREADS, threads=threads)
    prepared = PreparedProblem(problem, distinct_copies)
    prepared.prepare(mirrors, rotations)
    found = prepared.names(threads, ordered, progress)
    if thorough and may_move(problem.goal):
        found = filter(prepared.thorough(mirrors), found)
    return map(prepared.assembly, found)


def count(
    problem: Problem,
    *,
    mirrors: bool = False,
    rotations: bool = False,
    thorough: bool = False,
    distinct_copies: bool = False,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
) -> Count:
    """How many assemblies there are; the options are those of `assemble`.

    The answer to a question that no assembly could answer, say because the volumes do not match, is
    0; `assemble` raises an error that says why.

    >>> from kumitate.library import library
    >>> count(library["soma"].problems[0])
    Count(assemblies=240, rotations=11520, nodes=2275)
    """
    require_whole(1, MOST_THREADS, threads=threads)
    prepared = PreparedProblem(problem, distinct_copies, hopeless=True)
    if prepared.fault:
        return Count(0, 0, 0)
    prepared.prepare(mirrors, rotations)
    if thorough and may_move(problem.goal):
        found = prepared.names(threads, False, progress)
        kept = sum(map(prepared.thorough(mirrors), found))
        return Count(kept, None, prepared.nodes)
    return prepared.count(threads, progress)


def hint(problem: Problem, placed: Iterable[Placement]) -> Hint:
    """Whether the pieces placed so far can be completed, in how many ways, and one next piece.

    >>> from kumitate.library import library
    >>> [problem] = library["soma"].problems
    >>> start = next(assemble(problem)).placements[:4]
    >>> hint(problem, start).ways
    1
    """
    pinned = replace(problem, pinned=[*problem.pinned, *placed])
    ways = count(pinned, rotations=True).assemblies
    if not ways:
        return Hint(0, None)
    first = next(assemble(pinned, rotations=True))
    left = [p for p in first.placements if p not in pinned.pinned]
    return Hint(ways, left[0] if left else None)


def may_move(goal: Shape) -> bool:
    """Whether an assembly may fit a goal in ways that no symmetry of the goal explains."""
    return bool(goal.optional or goal.colours)


class PreparedProblem:
    """A problem in the core's hands, and the table of what its numbers mean.

    A question that no assembly could answer is an error that says why, unless it may be hopeless.
    """

    def __init__(self, problem: Problem, distinct_copies: bool, hopeless: bool = False) -> None:
        self.problem = problem
        self.nodes = 0
        require_sense(problem)
        self.fault = volume_fault(problem)  # why no assembly could answer it, as far as is plain
        if self.fault and not hopeless:
            raise PuzzleError(self.fault)
        self.core, kinds = ask(problem, distinct_copies)
        self.table = PlacementTable(problem, self.core.placements(), kinds)
        misfit = self.misfit()
        if misfit and not hopeless:
            raise PuzzleError(f"{misfit}; kumitate check says more")
        self.fault = self.fault or misfit
        self._pin()

    def misfit(self) -> str | None:
        """That a piece fits nowhere, if one does that must be used."""
        fitting = {row[0] for row in self.table.rows}
        for kind, pieces in enumerate(self.table.kinds):
            if kind not in fitting and any(self.problem.pieces[p].min for p in pieces):
                return f"piece {self.problem.label(pieces[0])} fits nowhere in the goal"
        return None

    def _pin(self) -> None:
        problem, pins = self.problem, distinct_pins(self.problem)
        for number, count in Counter(pin.piece for pin in pins).items():
            if count > problem.pieces[number].max:
                label = problem.label(number)
                raise PuzzleError(f"{count} of piece {label} are pinned, more than there are")
        for pin in pins:
            name = self.table.name(pin)
            if name is None:
                label = problem.label(pin.piece)
                raise PuzzleError(f"piece {label} is pinned where it does not fit: {pin}")
            self.core.pin(name)
        for ban in problem.forbidden:
            name = self.table.name(ban)
            if name is not None:
                self.core.forbid(name)

    @property
    def holes(self) -> int:
        """How many optional cells may stay empty."""
        holes = max(0, len(self.problem.goal) - self.problem.volume[0])
        most = self.problem.max_holes
        return holes if most is None else min(holes, most)

    def prepare(self, mirrors: bool, rotations: bool) -> None:
        self.core.prepare(self.holes, rotations=not rotations, reflections=not mirrors)

    def assembly(self, names: list[int]) -> Assembly:
        """What an engine found, by the names of its placements.

        Every engine's answer passes here: a wrong one is a bug, never a result.
        """
        fault = self.core.fault(names, self.holes)
        if fault:
            raise AssertionError(f"a search found an assembly that is none: {fault}")
        return self.table.assembly(names)

    def thorough(self, mirrors: bool) -> Callable[[list[int]], bool]:
        return self.core.thorough(reflections=not mirrors).stands_for_its_class

    def names(
        self, threads: int, ordered: bool, progress: Callable[[Progress], None] | None
    ) -> Iterator[list[int]]:
        """Of the placements of each assembly."""
        run = self.core.run(threads, True, ordered)
        try:
            over = False
            while not over:
                found, over = run.read(TICK)
                self._tell(run, progress)
                yield from found
        finally:
            run.stop()

    def count(self, threads: int, progress: Callable[[Progress], None] | None) -> Count:
        """Visits all assemblies; once that turns out to be long, also counts by frontiers."""
        run = self.core.run(threads, False, False)
        frontiers: _core.FrontierCounts | None = None
        going = True  # the frontiers, or they have not begun
        try:
            while True:
                _, over = run.read(0 if frontiers and going else TICK)
                self._tell(run, progress)
                if over:
                    nodes, found, every, _ = run.report()
                    return Count(found, every, nodes)
                if going and self.nodes > LONG:
                    frontiers = frontiers or self.core.frontier_counts()
                    going = frontiers.run(SLICE)
                    if frontiers.done:
                        totals = [(high << 64) + low for high, low in frontiers.totals]
                        classes = sum(totals) // len(totals)
                        return Count(classes, totals[0], self.nodes + frontiers.states)
        finally:
            run.stop()

    def _tell(self, run: _core.ParallelSearch, progress: Callable[[Progress], None] | None) -> None:
        nodes, found, _, fraction = run.report()
        self.nodes = nodes
        if progress is not None:
            progress(Progress(found, nodes, fraction))


def require_sense(problem: Problem) -> None:
    """A question that cannot be meant is an error that says why."""
    if not problem.goal.cells:
        raise PuzzleError("the goal is empty; draw the shape to fill")
    if not problem.pieces:
        raise PuzzleError("there are no pieces to fill the goal with")
    for number, piece in enumerate(problem.pieces):
        if not piece.shape.cells:
            raise PuzzleError(f"piece {problem.label(number)} has no cells")
        if piece.shape.optional:
            raise PuzzleError(
                f"piece {problem.label(number)} has optional cells; only a goal may have those"
            )
