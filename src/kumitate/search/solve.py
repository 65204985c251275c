"""Problem -> assemblies -> what becomes of each: the one loop that everybody shares.

An `Examiner` turns what a search finds into Examinations. Threads of this machine, workers of a
cluster and the search for new puzzles each feed it from a search of their own; `examine_all` and
`solve` feed it from the search that `assemble` uses.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Unpack

from kumitate.model.errors import LimitReached
from kumitate.model.numbers import MOST_THREADS, require_whole
from kumitate.model.options import SolveKeywords, SolveOptions
from kumitate.model.puzzle import Problem
from kumitate.model.solution import Assembly, Solution
from kumitate.model.table import PackedRows, unpack
from kumitate.search.assemble import PreparedProblem, Progress
from kumitate.search.disassemble import NO_LIMIT, Disassembler, Examination

MOST_AT_ONCE = 256  # assemblies taken apart in one call


class Examiner:
    """Says what becomes of the assemblies of one problem; every thread needs its own."""

    def __init__(self, prepared: PreparedProblem, options: SolveOptions) -> None:
        self.prepared = prepared
        self.represents = prepared.represents()
        self.disassembler = Disassembler(prepared.problem, options) if options.disassemble else None

    @property
    def has_work(self) -> bool:
        """Whether an assembly has to be looked at; otherwise each is simply found."""
        return self.represents is not None or self.disassembler is not None

    def examine(
        self,
        found: Iterable[PackedRows],
        threads: Callable[[], int] = lambda: 1,
        progress: Callable[[int], None] | None = None,
        budget: int = NO_LIMIT,
    ) -> Iterator[Examination | None]:
        """What became of each assembly, in the order in which they were found.

        None stands for an assembly that counts as the same as another one. `threads` says how many
        may work at the next assemblies. `budget` limits the states visited for all of them
        together. The first is examined alone, so that it does not wait for others.
        """
        most = 1
        for packed in found:
            first = 0
            while first < packed.rows:
                some = packed.part(first, first + most)
                if self.represents and not self.represents(unpack(some.row(0), some.width)):
                    first += 1
                    yield None
                    continue
                for seen in self._examine(some, threads, progress, max(1, budget)):
                    first += 1
                    budget -= seen.states
                    yield seen if budget >= 0 else Examination(seen.assembly, "limit", seen.states)
                most = min(2 * most, MOST_AT_ONCE) if self.represents is None else 1

    def _examine(
        self,
        some: PackedRows,
        threads: Callable[[], int],
        progress: Callable[[int], None] | None,
        budget: int,
    ) -> Iterator[Examination]:
        """What became of some assemblies; of those to be taken apart perhaps only of the first."""
        assembly = partial(self.prepared.assembly_in, some)
        if self.disassembler is None:
            return (Examination(assembly(number), "found") for number in range(some.rows))
        dealer = self.prepared.dealer
        return self.disassembler.examine_some(dealer, some, assembly, threads(), progress, budget)


def examine_all(
    problem: Problem,
    *,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
    **options: Unpack[SolveKeywords],
) -> Iterator[Examination]:
    """Every assembly of a problem with what became of it, as they are found.

    The options are those of `solve`; without `disassemble=True` nothing is taken apart.

    >>> from collections import Counter
    >>> from kumitate.library import library
    >>> [problem] = library["six-piece-burr"].problems
    >>> print(Counter(found.ending for found in examine_all(problem, disassemble=True)))
    Counter({'rigid': 409, 'apart': 179})
    """
    require_whole(1, MOST_THREADS, threads=threads)
    asked = SolveOptions(**options)
    prepared = PreparedProblem(problem, asked)
    prepared.prepare()
    examiner = Examiner(prepared, asked)
    last = Progress(0, 0, 0.0)

    def note(now: Progress) -> None:
        nonlocal last
        last = now
        if progress is not None:
            progress(now)

    def note_states(states: int) -> None:
        if progress is not None:
            progress(last._replace(states=states))

    found = prepared.found(threads, True, note)
    return filter(None, examiner.examine(found, lambda: threads, note_states))


def solve(
    problem: Problem,
    *,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
    given_up: Callable[[Assembly], None] | None = None,
    **options: Unpack[SolveKeywords],
) -> Iterator[Solution]:
    """The solutions of a problem, as they are found: its assemblies, or those that come apart.

    With `disassemble=True` only assemblies that come apart are solutions, each with its
    disassembly; the options are those of `assemble` and `disassemble`. An assembly that was given
    up at a limit may be a solution or not: `given_up` is called with each. Without it LimitReached
    is raised after the last solution, so that nobody takes them for all there are.

    >>> from collections import Counter
    >>> from kumitate.library import library
    >>> [problem] = library["six-piece-burr"].problems
    >>> print(Counter(str(solution.levels) for solution in solve(problem, disassemble=True)))
    Counter({'1': 148, '1.2': 31})
    """
    solutions = unknown = 0
    found = examine_all(problem, threads=threads, progress=progress, **options)
    for number, one in enumerate(found, 1):
        if one.ending == "found":
            yield Solution(one.assembly, assembly_number=number)
        elif one.ending == "apart":
            solutions += 1
            yield Solution(one.assembly, one.disassembly, None, number, solutions)
        elif one.ending == "limit":
            unknown += 1
            if given_up is not None:
                given_up(one.assembly)
    if unknown and given_up is None:
        raise LimitReached(
            f"{unknown:,} assembl{'y was' if unknown == 1 else 'ies were'} given up at a limit and"
            " may come apart as well; raise max_states or max_moves, if given"
        )
