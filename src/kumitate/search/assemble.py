"""Every way the pieces fill the goal, one of each class of assemblies that count as the same.

The core searches on its own threads while Python reads what it finds; a caller that stops reading
stops the search. Copies are one piece to the core, however often their shape was entered; the table
of placements deals them out to the pieces again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Unpack

from kumitate import _core
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_THREADS, require_whole
from kumitate.model.options import DEFAULTS, CountKeywords, CountOptions
from kumitate.model.puzzle import Placement, Problem
from kumitate.model.solution import Assembly
from kumitate.model.table import PackedRows, PlacementTable, unpack
from kumitate.search.faults import fits_nowhere, require_sense, too_many_pinned, volume_fault
from kumitate.search.placements import ask, distinct_pins

LONG = 200_000  # nodes, some 50 ms: after that a count also tries the frontier
SLICE = 20_000  # states of a frontier between two looks
TICK = 50  # milliseconds between two looks at the search: Ctrl-C takes effect within that


class Progress(NamedTuple):
    """How far a search is."""

    assemblies: int  # one of each class
    nodes: int
    fraction: float  # of the search done; only grows
    states: int = 0  # visited so far of the assembly that is being taken apart


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
    threads: int = 1,
    ordered: bool = True,
    progress: Callable[[Progress], None] | None = None,
    **options: Unpack[CountKeywords],
) -> Iterator[Assembly]:
    """The assemblies of a problem, rotations and mirror images counted once.

    `mirrors=True` counts mirror images separately, `rotations=True` also rotations;
    `thorough=True` counts an assembly once even if optional cells leave room for it in several
    places that no symmetry of the goal maps onto each other. `distinct_copies=True`
    treats pieces of one shape as different if they were entered separately. The order does not
    depend on the number of threads, unless `ordered=False`.

    >>> from kumitate.library import library
    >>> [problem] = library["slothouber-graatsma"].problems
    >>> for assembly in assemble(problem):
    ...     print(assembly)
    AAF  CCF  CCI
    AAF  EHF  EBB
    GDD  EDD  EBB
    """
    prepared = PreparedProblem(problem, CountOptions(**options))
    prepared.prepare()
    found = prepared.found(threads, ordered, progress)
    represents = prepared.represents()
    return (
        prepared.assembly_in(some, row)
        for some in found
        for row in range(some.rows)
        if represents is None or represents(unpack(some.row(row), some.width))
    )


def count(
    problem: Problem,
    *,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
    **options: Unpack[CountKeywords],
) -> Count:
    """How many assemblies there are; the options are those of `assemble`.

    If nothing can fit, for example because the volumes do not match, the count is 0; `assemble`
    raises an error that says why.

    >>> from kumitate.library import library
    >>> count(library["soma"].problems[0])
    Count(assemblies=240, rotations=11520, nodes=2275)
    """
    require_whole(1, MOST_THREADS, threads=threads)
    prepared = PreparedProblem(problem, CountOptions(**options), hopeless=True)
    if prepared.fault:
        return Count(0, 0, 0)
    prepared.prepare()
    represents = prepared.represents()
    if represents is None:
        return count_all(prepared.core, threads, progress)
    found = prepared.found(threads, False, progress)
    names = (unpack(some.row(row), some.width) for some in found for row in range(some.rows))
    return Count(sum(map(represents, names)), None, prepared.nodes)


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


class PreparedProblem:
    """A problem in the core's hands, and the table of what its numbers mean.

    A problem that plainly has no assembly is an error that says why, unless it may be hopeless.
    """

    def __init__(
        self, problem: Problem, options: CountOptions = DEFAULTS, hopeless: bool = False
    ) -> None:
        self.problem, self.options = problem, options
        self.nodes = 0
        require_sense(problem)
        self.fault = volume_fault(problem)  # why there is no assembly, if that is plain
        if self.fault and not hopeless:
            raise PuzzleError(self.fault)
        self.core, kinds = ask(problem, options.distinct_copies)
        self.table = PlacementTable.later(_rows, self.core, problem=problem, kinds=kinds)
        misfit = self._misfit()
        if misfit and not hopeless:
            raise PuzzleError(f"{misfit}; run 'kumitate check' to see why")
        self.fault = self.fault or misfit
        self._pin()

    def _misfit(self) -> str | None:
        """That a piece fits nowhere, if one does that must be used."""
        for kind, pieces in enumerate(self.table.kinds):
            if any(self.problem.pieces[p].min for p in pieces) and not self.core.fits(kind):
                return fits_nowhere(self.problem, pieces[0])
        return None

    def _pin(self) -> None:
        problem, pins = self.problem, distinct_pins(self.problem)
        for number, count in Counter(pin.piece for pin in pins).items():
            if count > problem.pieces[number].max:
                raise PuzzleError(too_many_pinned(problem, number, count))
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

    def prepare(self, reduces: bool = True) -> None:
        """Break the symmetry, and if it reduces, leave out placements that lead nowhere."""
        self.core.prepare(
            self.holes,
            rotations=not self.options.rotations,
            reflections=not self.options.mirrors,
            reduces=reduces,
        )

    def assembly(self, names: list[int]) -> Assembly:
        """The assembly that a search for one found, given by the names of its placements.

        Every search's answer is checked, by the core: a wrong one is a bug, never a result.
        """
        fault = self.core.fault(names, self.holes)
        if fault:
            raise AssertionError(f"a search found an invalid assembly: {fault}")
        return self.table.assembly(names)

    def assembly_in(self, packed: PackedRows, row: int) -> Assembly:
        """An assembly of those that a search packed."""
        return self.table.assembly_in(packed.row(row), packed.width)

    def lines(self, packed: PackedRows, first: int, frame: tuple[bytes, bytes, bytes]) -> bytes:
        """Assemblies as text, each with its number, from `first` on.

        The frame is what comes before the placements, between them and the number, and after that.
        """
        return self.dealer.lines(packed.names, packed.length, packed.width, first, *frame)

    @cached_property
    def dealer(self) -> _core.Dealer:
        """How the core deals placements out to pieces, as the table does."""
        table = self.table
        turned = [
            (kind, n, turn, its, *shift)
            for kind, pieces in enumerate(table.kinds)
            for n, piece in enumerate(pieces[1:], 1)
            for turn in {row[1] for row in table.rows if row[0] == kind}
            for its, shift in [table.turned(piece, turn)]
        ]
        place = {piece: n for pieces in table.kinds for n, piece in enumerate(pieces)}
        return _core.Dealer(
            self.core,
            table.kinds,
            turned,
            [[place[piece] for piece in order] for order in table.order],
            [(name, place[piece]) for name, piece in table.pins.items()],
        )

    def represents(self) -> Callable[[list[int]], bool] | None:
        """Whether an assembly stands for its class; None if each that is found does.

        They all do unless the count is thorough, and an assembly may also fit the goal in ways that
        no symmetry of the goal explains. Every thread needs its own.
        """
        goal = self.problem.goal
        if not (self.options.thorough and (goal.optional or goal.colours)):
            return None
        return self.core.thorough(reflections=not self.options.mirrors).stands_for_its_class

    def found(
        self, threads: int, ordered: bool, progress: Callable[[Progress], None] | None
    ) -> Iterator[PackedRows]:
        """Every assembly, in tables of as many as there are at the time; some may be empty."""
        require_whole(1, MOST_THREADS, threads=threads)
        return self._read(threads, ordered, progress)

    def _read(
        self, threads: int, ordered: bool, progress: Callable[[Progress], None] | None
    ) -> Iterator[PackedRows]:
        run = self.core.run(threads, True, ordered)
        try:
            over = False
            while not over:
                packed, over = run.read(TICK)
                self.nodes = report(run, progress)
                yield PackedRows(*packed)
        finally:
            run.stop()


def count_all(
    searchable: _core.Searchable, threads: int, progress: Callable[[Progress], None] | None
) -> Count:
    """Visits all answers; once that turns out to be long, also counts by frontiers."""
    run = searchable.run(threads, False, False)
    frontiers: _core.FrontierCounts | None = None
    going = True  # the frontiers, or they have not begun
    try:
        while True:
            _, over = run.read(0 if frontiers and going else TICK)
            nodes = report(run, progress)
            if over:
                nodes, found, every, _ = run.report()
                return Count(found, every, nodes)
            if going and nodes > LONG:
                frontiers = frontiers or searchable.frontier_counts()
                going = frontiers.run(SLICE)
                if frontiers.done:
                    totals = [(high << 64) + low for high, low in frontiers.totals]
                    classes = sum(totals) // len(totals)
                    return Count(classes, totals[0], nodes + frontiers.states)
    finally:
        run.stop()


def report(run: _core.ParallelSearch, progress: Callable[[Progress], None] | None) -> int:
    """Report how far a search is; and the nodes it has visited."""
    nodes, found, _, fraction = run.report()
    if progress is not None:
        progress(Progress(found, nodes, fraction))
    return nodes


def _rows(core: _core.Problem) -> dict[str, object]:
    """What is missing of a table of placements; a count never asks for it."""
    return {"rows": core.placements()}
