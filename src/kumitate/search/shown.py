"""Which assembly stands for a problem when none is named: the first that comes apart.

A burr may have many assemblies that cannot be built; a picture of one of those misleads. So every
picture, solid and graph of "the" assembly asks here. The search is bounded by what it visits, not
by time, so that a picture is the same on every machine.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from kumitate.model.errors import PuzzleError
from kumitate.model.options import DEFAULTS, ApartOptions
from kumitate.model.solution import Solution
from kumitate.search.disassemble import Disassembler

MOST_EXAMINED = 10_000  # assemblies
MOST_STATES = 2_000_000  # of all of them together; some seconds


@dataclass(frozen=True)
class Shown:
    """The assembly to show, and a remark if it is not known to come apart."""

    solution: Solution
    remark: str = ""


def to_show(
    candidates: Iterable[Solution],
    progress: Callable[[int], None] = lambda examined: None,
    options: ApartOptions = DEFAULTS,
) -> Shown | None:
    """The first of these solutions that comes apart, or else the first; None if there are none.

    A candidate without a disassembly is examined. `progress` is called some twenty times a second
    with the number of assemblies examined so far, and may raise to stop.

    >>> from kumitate.library import library
    >>> from kumitate.search.assemble import assemble
    >>> shown = to_show(map(Solution, assemble(library["six-piece-burr"].problems[0])))
    >>> shown.solution.level, shown.remark
    (1, '')
    """
    first: Solution | None = None
    disassembler: Disassembler | None = None
    examined = states = 0
    for examined, solution in enumerate(candidates):
        if solution.disassembly or len(solution.assembly.placements) == 1:
            return Shown(solution)
        first = first or solution
        if examined == MOST_EXAMINED:
            return Shown(first, _unknown(examined))
        progress(examined)
        tick = partial(_tick, progress, examined)
        try:
            disassembler = disassembler or Disassembler(solution.assembly.problem, options)
            found = disassembler.examine(solution.assembly, 1, tick, MOST_STATES - states)
        except PuzzleError as error:
            return Shown(first, f"could not check whether it comes apart: {error}")
        if found.ending == "apart":
            return Shown(replace(solution, disassembly=found.disassembly))
        states += found.states
        if found.ending == "limit" or states >= MOST_STATES:
            return Shown(first, _unknown(examined + 1))
    if first is None:
        return None
    if examined == 0:
        return Shown(first, "the assembly does not come apart")
    some = f"{examined + 1:,} assemblies"
    return Shown(first, f"none of the {some} looked at comes apart; showing the first")


def _tick(progress: Callable[[int], None], examined: int, states: int) -> None:
    progress(examined)


def _unknown(examined: int) -> str:
    if examined > 1:
        some = f"the first {examined:,} assemblies"
        return f"gave up before finding a way to take apart {some}; showing the first"
    return "gave up before finding a way to take apart the first assembly; showing it"
