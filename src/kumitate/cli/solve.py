"""kumitate solve and kumitate count: every way the pieces fill the goal, or only how many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from kumitate.cli.arguments import (
    amount_option,
    any_puzzle_argument,
    cluster_option,
    force_option,
    json_option,
    missing_puzzle,
    open_puzzle,
    output_option,
    problem_option,
    puzzle_argument,
    require_own_threads,
    resume_option,
    threads_option,
    tolerance_of,
)
from kumitate.cli.found import SHOWN, Drawn, Lines, OneObject, Row, Sink
from kumitate.cli.report import OFTEN, Watch, each_problem, found_in, turns_in
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.model.options import (
    DEFAULTS,
    ApartOptions,
    CountOptions,
    RunOptions,
    SolveOptions,
    help_for,
    take,
)
from kumitate.search.threads import cores

if TYPE_CHECKING:
    from kumitate.model.puzzle import Problem
    from kumitate.model.solution import Assembly, Disassembly
    from kumitate.search.assemble import Progress

_OF_DISASSEMBLY = ("moves", "shortest", "certify")


def option(name: str) -> Callable[..., Any]:
    """An option of a solve as a flag, or with a number if its default is none."""
    flag = f"--{name.replace('_', '-')}"
    if getattr(DEFAULTS, name) is False:
        return click.option(flag, is_flag=True, help=help_for(name))
    return amount_option(flag, help_for(name))


_COUNT_OPTIONS = (
    click.option(
        "--pin",
        multiple=True,
        metavar="PIECE@DRAWING",
        help="Fix a piece where the drawing shows it; may be repeated.",
    ),
    *(option(one.name) for one in fields(CountOptions)),
    threads_option,
    json_option,
)


def count_options(command: Callable[..., None]) -> Callable[..., None]:
    return reduce(lambda made, one: one(made), reversed(_COUNT_OPTIONS), command)


class Wanted(NamedTuple):
    """What `kumitate solve` does with each problem."""

    options: SolveOptions
    threads: int
    limit: int | None
    shortest: bool
    certify: bool
    turns_count: bool


@click.command()
@any_puzzle_argument
@problem_option
@amount_option("--limit", "Stop after N solutions, and draw them all.")
@click.option("--all", is_flag=True, help=f"Draw all solutions. Default: the first {SHOWN}.")
@option("disassemble")
@click.option("--moves", is_flag=True, help="Print the moves that take each solution apart.")
@option("fine")
@option("coordinate")
@click.option(
    "--turns", is_flag=False, flag_value="0", metavar="[TOLERANCE]", help=help_for("turns")
)
@click.option(
    "--unit", type=float, metavar="MM", help="Size of a cell, for --turns with a length in mm."
)
@click.option(
    "--turns-count", is_flag=True, help="Count the solutions by how many turns they take."
)
@click.option(
    "--shortest",
    is_flag=True,
    help="Minimise the moves in total, instead of those to each separation; for small puzzles.",
)
@click.option(
    "--certify", is_flag=True, help="Prove by balanced forces that rigid assemblies cannot move."
)
@option("max_states")
@option("max_moves")
@output_option("Save everything in FILE.kumitate, a run that can be resumed.")
@click.option("--keep", metavar="WHAT", help=help_for("keep"))
@force_option
@resume_option("Continue a run with the options it began with.")
@cluster_option("Solve")
@count_options
@click.option(
    "--jsonl", is_flag=True, help="Print each solution as soon as it is found, as one line of JSON."
)
def solve(puzzle: str | None, resume: str | None, **given: Any) -> None:
    """Find every way the pieces fill the goal, e.g. kumitate solve soma

    Rotations and mirror images of an assembly count once. To solve a challenge card, pin the pieces
    that it shows: kumitate solve kanoodle --pin "A@AAA......../A.........."

    A long solve can be saved in a file: kumitate solve bedlam --output run.kumitate, and
    continued later: kumitate solve --resume run.kumitate
    """
    require_own_threads(given["cluster"], given["threads"])
    if given["jsonl"] and given["as_json"]:
        raise PuzzleError("--json cannot be combined with --jsonl")
    if given["jsonl"] and (resume or given["output"]):
        option = "--resume" if resume else "--output"
        raise PuzzleError(f"--jsonl cannot be combined with {option}; kumitate show prints a run")
    if resume:
        from kumitate.cli.runs import resume_run

        resume_run(resume, puzzle, given)
        return
    unit = given.pop("unit")
    if given["turns"] is not None:
        given["turns"] = tolerance_of("--turns", given["turns"], unit)
    elif unit is not None:
        raise PuzzleError("--unit needs --turns with a length, such as --turns 0.1mm")
    if given["turns_count"] and given["turns"] is None:
        raise PuzzleError("--turns-count needs --turns")
    puzzle = puzzle or missing_puzzle()
    for name in ("all", *_OF_DISASSEMBLY):
        if given["output"] and given[name]:
            raise PuzzleError(
                f"--{name} cannot be combined with --output; kumitate show draws what it keeps"
            )
    for name in (*_OF_DISASSEMBLY, *(one.name for one in fields(ApartOptions))):
        missing = given[name] is None or given[name] is False  # 0 is a tolerance
        if not missing and not given["disassemble"]:
            raise PuzzleError(f"--{name.replace('_', '-')} needs --disassemble")
    if given["output"]:
        from kumitate.cli.runs import begin_run

        begin_run(puzzle, take(RunOptions, given), given)
    else:
        _search(puzzle, given)


@click.command()
@puzzle_argument
@problem_option
@count_options
def count(puzzle: str, **given: Any) -> None:
    """Count the ways the pieces fill the goal, e.g. kumitate count pentominoes/6x10"""
    document = open_puzzle(puzzle, given["problem"])
    sink = Counted() if given["as_json"] else Drawn(0, False)
    options, threads = take(CountOptions, given), given["threads"] or cores()
    work = partial(_count, options=options, threads=threads)
    each_problem(puzzle, document, given["pin"], work, sink)


class Counted(OneObject):
    """Numbers only."""

    def close(self) -> None:
        import json

        click.echo(json.dumps({"problems": [row for row, _ in self.rows]}))


def _search(puzzle: str, given: dict[str, Any]) -> None:
    """Solve without a file."""
    if given["keep"] or given["force"]:
        raise PuzzleError("--keep and --force need --output")
    options = take(SolveOptions, given)
    if given["shortest"] and (options.fine or options.coordinate or options.turns is not None):
        raise PuzzleError("--shortest cannot be combined with --fine, --coordinate or --turns")
    if given["certify"] and options.turns is not None:
        raise PuzzleError("--certify proves that nothing slides; leave it out with --turns")
    document = open_puzzle(puzzle, given["problem"])
    limit = given["limit"]
    sink: Sink
    if given["jsonl"]:
        sink = Lines()
    elif given["as_json"]:
        sink = OneObject()
    else:
        sink = Drawn(limit or (None if given["all"] else SHOWN), given["moves"])
    threads = given["threads"] or cores()
    wanted = Wanted(
        options, threads, limit, given["shortest"], given["certify"], given["turns_count"]
    )
    if given["cluster"] is None:
        work = _solve if options.disassemble or options.thorough else _list
        each_problem(puzzle, document, given["pin"], partial(work, wanted=wanted), sink)
        return
    from kumitate.cli.runs import solve_on_cluster

    solve_on_cluster(given["cluster"], puzzle, document, given["pin"], wanted, sink)


def _list(problem: Problem, row: Row, watch: Watch, wanted: Wanted) -> bool:
    """Every assembly, hundreds at a time."""
    from kumitate.search.assemble import PreparedProblem

    with watch.interrupt.now():  # laying out a large puzzle takes a while
        prepared = PreparedProblem(problem, wanted.options)
        prepared.prepare()
    for packed in prepared.found(wanted.threads, True, watch):
        for first in range(0, packed.rows, OFTEN):
            some = packed.part(first, first + OFTEN)
            if wanted.limit:
                some = some.part(0, wanted.limit - row["assemblies"])
            watch.sink.take_all(prepared, some, row["assemblies"] + 1)
            row["assemblies"] += some.rows
            if row["assemblies"] == wanted.limit:
                return False
            watch.renew()
    return True


def _solve(problem: Problem, row: Row, watch: Watch, wanted: Wanted) -> bool:
    """Every assembly with what became of it."""
    from kumitate.model.solution import Solution
    from kumitate.search.solve import examine_all

    with watch.interrupt.now():
        every = examine_all(problem, threads=wanted.threads, progress=watch, **vars(wanted.options))
    if wanted.options.disassemble:
        row.update(solutions=0, rigid=0, stuck=0, limit=0)
        row.update({"certified": 0} if wanted.certify else {})
        row.update({"turns": {}} if wanted.turns_count else {})
    for found in every:
        assembly, disassembly, proof = found.assembly, found.disassembly, None
        if wanted.certify and found.ending == "rigid":
            from kumitate.search.rigid import rigidity

            with watch.interrupt.now():
                proof = rigidity(assembly, found.part, found.places, found.parts)
        if wanted.shortest and disassembly:
            disassembly = _shortest(assembly, row, watch, wanted) or disassembly
        row["assemblies"] += 1
        if found.ending == "found":
            watch.sink.take(Solution(assembly, assembly_number=row["assemblies"]))
        elif disassembly is None:
            row[found.ending] += 1
            if proof is not None:
                row["certified"] += 1
        else:
            row["solutions"] += 1
            level = str(disassembly.levels)
            row["levels"][level] = row["levels"].get(level, 0) + 1
            if wanted.turns_count:
                row["turns"] = turns_in(row["levels"])
            numbers = (row["assemblies"], row["solutions"])
            watch.sink.take(Solution(assembly, disassembly, None, *numbers))
        if found_in(row) == wanted.limit:
            return False
        watch.counted()
    return True


def _shortest(assembly: Assembly, row: Row, watch: Watch, wanted: Wanted) -> Disassembly | None:
    """The disassembly with the fewest moves in total, unless that takes too long to find."""
    from kumitate.search.states import MOST_TRIED, shortest

    try:
        with watch.interrupt.now():
            return shortest(assembly, max_states=wanted.options.max_states or MOST_TRIED)
    except LimitReached:
        row["unproved"] = row.get("unproved", 0) + 1
        return None


def _count(problem: Problem, row: Row, watch: Watch, options: CountOptions, threads: int) -> bool:
    from kumitate.search.assemble import PreparedProblem, count

    def note(now: Progress) -> None:
        row["assemblies"] = now.assemblies
        watch(now)

    with watch.interrupt.now():
        found = count(problem, threads=threads, progress=note, **vars(options))
    row.update(assemblies=found.assemblies, nodes=found.nodes)
    if not found.assemblies and (fault := PreparedProblem(problem, hopeless=True).fault):
        click.echo(f"kumitate: {fault}", err=True)
    return True
