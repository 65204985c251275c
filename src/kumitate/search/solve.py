"""Assembly and disassembly joined: problem -> solutions."""

from collections.abc import Callable, Iterator
from itertools import count as numbers

from kumitate.model.errors import LimitReached
from kumitate.model.puzzle import Problem
from kumitate.model.solution import Assembly, Solution
from kumitate.search.assemble import Progress, assemble
from kumitate.search.disassemble import Disassembler


def solve(
    problem: Problem,
    *,
    mirrors: bool = False,
    rotations: bool = False,
    thorough: bool = False,
    distinct_copies: bool = False,
    fine: bool = False,
    coordinate: bool = False,
    max_states: int | None = None,
    max_moves: int | None = None,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
    given_up: Callable[[Assembly], None] | None = None,
) -> Iterator[Solution]:
    """The assemblies that come apart, each with its disassembly, as they are found.

    The options are those of `assemble` and `disassemble`. An assembly whose disassembly was stopped
    by a limit may be a solution or not: `given_up` is called with each. Without it LimitReached is
    raised after the last solution, so that nobody takes them for all there are.

    >>> from kumitate.library import library
    >>> [problem] = library["six-piece-burr"].problems
    >>> from collections import Counter
    >>> print(Counter(str(solution.levels) for solution in solve(problem)))
    Counter({'1': 148, '1.2': 31})
    """
    found = assemble(
        problem,
        mirrors=mirrors,
        rotations=rotations,
        thorough=thorough,
        distinct_copies=distinct_copies,
        threads=threads,
        progress=progress,
    )
    disassembler = Disassembler(problem, fine, coordinate)
    solved = numbers(1)
    unknown = 0
    for number, assembly in enumerate(found, 1):
        ending = disassembler.examine(assembly, max_states, max_moves, threads)
        if ending.disassembly:
            yield Solution(assembly, ending.disassembly, None, number, next(solved))
        elif ending.ending == "limit":
            unknown += 1
            if given_up is not None:
                given_up(assembly)
    if unknown and given_up is None:
        raise LimitReached(
            f"{unknown:,} assembl{'y was' if unknown == 1 else 'ies were'} given up at a limit and"
            " may come apart as well"
        )
