"""kumitate solve and kumitate count: every way the pieces fill the goal, or only how many."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, NoReturn

import click

from kumitate.cli.arguments import (
    AMOUNT,
    UNKNOWN,
    force_option,
    json_option,
    open_puzzle,
    output_option,
    problem_option,
    puzzle_argument,
)
from kumitate.cli.found import SHOWN, Drawn, Lines, OneObject, Row, Sink
from kumitate.cli.interrupt import Interrupt, gently
from kumitate.cli.progress import Line, progress_line
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.model.numbers import MOST_THREADS, count_of
from kumitate.startup import INTERRUPTED

if TYPE_CHECKING:
    from kumitate.files.document import Document
    from kumitate.model.puzzle import Problem
    from kumitate.search.assemble import Progress

OFTEN = 256  # assemblies between two looks at the clock
_APART = ("fine", "coordinate", "moves", "shortest", "certify", "max_states", "max_moves")

_OPTIONS = (
    click.option(
        "--pin",
        multiple=True,
        metavar="PIECE@DRAWING",
        help="Fix a piece where the drawing shows it; may be repeated.",
    ),
    click.option("--mirrors", is_flag=True, help="Count mirror images separately."),
    click.option("--rotations", is_flag=True, help="Count rotations and mirror images separately."),
    click.option(
        "--thorough", is_flag=True, help="Count assemblies once that differ by moving in the goal."
    ),
    click.option(
        "--distinct-copies",
        is_flag=True,
        help="Treat a shape that is listed twice as two different pieces.",
    ),
    click.option(
        "--threads",
        type=click.IntRange(1, MOST_THREADS),
        metavar="N",
        help="Number of threads. Default: one per core.",
    ),
    json_option,
)


def search_options(command: Callable[..., None]) -> Callable[..., None]:
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


@click.command()
@click.argument("puzzle", required=False)
@problem_option
@click.option("--limit", type=AMOUNT, metavar="N", help="Stop after N, and draw them all.")
@click.option(
    "--all", "draw_all", is_flag=True, help=f"Draw all of them. Default: the first {SHOWN}."
)
@click.option(
    "--disassemble", is_flag=True, help="Keep only assemblies that come apart; show their levels."
)
@click.option("--moves", is_flag=True, help="Print the moves that take each apart.")
@click.option("--fine", is_flag=True, help="Let pieces stop between cells on their way out.")
@click.option(
    "--coordinate", is_flag=True, help="Also try to move all pieces apart at the same time."
)
@click.option(
    "--shortest",
    is_flag=True,
    help="Find the fewest moves in total, not to each separation; for small puzzles.",
)
@click.option(
    "--certify", is_flag=True, help="Prove by balanced forces that rigid assemblies cannot move."
)
@click.option(
    "--max-states",
    type=AMOUNT,
    metavar="N",
    help="Give up taking an assembly apart after N states. Default: no limit.",
)
@click.option(
    "--max-moves",
    type=AMOUNT,
    metavar="N",
    help="Give up on separations that take more than N moves. Default: no limit.",
)
@output_option("Save everything in FILE.kumitate, a run that can be resumed.")
@click.option(
    "--keep",
    metavar="WHAT",
    help="What the run keeps: all, none, every:N, best:N or best-moves:N. Default: all.",
)
@force_option
@click.option("--resume", metavar="FILE", help="Continue a run with the options it began with.")
@click.option(
    "--cluster",
    metavar="WHERE",
    help="Solve on Dask workers: tcp://HOST:PORT, or local:N for N processes here.",
)
@search_options
@click.option("--jsonl", is_flag=True, help="Print each solution at once as one line of JSON.")
def solve(
    puzzle: str | None,
    limit: int | None,
    draw_all: bool,
    disassemble: bool,
    output: str | None,
    keep: str | None,
    force: bool,
    resume: str | None,
    cluster: str | None,
    jsonl: bool,
    **options: Any,
) -> None:
    """Find every way the pieces fill the goal, e.g. kumitate solve soma

    Rotations and mirror images of an assembly count once. To solve a challenge card, pin the pieces
    that it shows: kumitate solve kanoodle --pin "A@AAA......../A.........."

    A long solve can be saved in a file: kumitate solve bedlam --output run.kumitate, and
    continued later: kumitate solve --resume run.kumitate
    """
    if cluster is not None and options["threads"]:
        raise PuzzleError("--threads does not go with --cluster: its workers have their own")
    if jsonl and options["as_json"]:
        raise PuzzleError("--json and --jsonl exclude each other")
    if resume or output:
        from kumitate.cli.runs import begin, go_on

        if jsonl:
            raise PuzzleError("--jsonl does not go with a run, which keeps what it finds")
        options.update(disassemble=disassemble, all=draw_all, keep=keep, force=force)
        options.update(cluster=cluster)
        if resume:
            go_on(resume, puzzle, output, limit, options)
        else:
            begin(str(output), puzzle or missing_puzzle(), limit, options)
        return
    puzzle = puzzle or missing_puzzle()
    if keep or force:
        raise PuzzleError("--keep and --force go with --output")
    apart = {name: options.pop(name) for name in _APART}
    idle = next((name for name, value in apart.items() if value and not disassemble), None)
    if idle is not None:
        raise PuzzleError(f"--{idle.replace('_', '-')} goes with --disassemble; add that")
    moves = apart.pop("moves")
    document = open_puzzle(puzzle, options.pop("problem"))
    sink: Sink
    if jsonl:
        sink = Lines()
    elif options["as_json"]:
        sink = OneObject()
    else:
        sink = Drawn(limit or (None if draw_all else SHOWN), moves)
    if cluster is not None:
        from kumitate.cli.runs import spread

        spread(cluster, puzzle, document, options, sink, limit, disassemble, apart)
        return
    work = partial(_take_apart, **apart) if disassemble else _solve
    each_problem(puzzle, document, options, partial(work, limit=limit), sink)


@click.command()
@puzzle_argument
@problem_option
@search_options
def count(puzzle: str, **options: Any) -> None:
    """Count the ways the pieces fill the goal, e.g. kumitate count pentominoes/6x10"""
    document = open_puzzle(puzzle, options.pop("problem"))
    sink = Counted() if options["as_json"] else Drawn(0, False)
    each_problem(puzzle, document, options, _count, sink)


class Counted(OneObject):
    """Numbers only."""

    def close(self) -> None:
        import json

        click.echo(json.dumps({"problems": [row for row, _ in self.rows]}))


def missing_puzzle() -> NoReturn:
    raise click.UsageError("Missing argument 'PUZZLE'.", click.get_current_context())


def each_problem(
    name: str,
    document: Document,
    options: dict[str, Any],
    work: Callable[..., bool],
    sink: Sink,
) -> None:
    """Do it for each problem asked for, and leave with the status that says how it went.

    `work` says whether its search went to its end.
    """
    puzzle = document.puzzle
    if not puzzle.problems:
        raise PuzzleError("the puzzle sets no problem: nothing to solve")
    pins = options.pop("pin")
    options.pop("as_json")
    options["threads"] = options["threads"] or cores()
    rows: list[Row] = []
    interrupted = False
    for problem in puzzle.problems:
        pinned = [*problem.pinned, *(pin_of(problem, text) for text in pins)]
        row = row_of(puzzle.title or name, problem)
        start, ended = time.perf_counter(), False
        with gently() as interrupt, progress_line(sink.quiet) as line:
            sink.begin(str(problem) if len(puzzle.problems) > 1 else "", line)
            watch = Watch(row, sink, interrupt, line)
            try:
                ended = work(replace(problem, pinned=pinned), row, options, watch)
                interrupt()
            except KeyboardInterrupt:
                interrupted = True
            row["seconds"] = round(time.perf_counter() - start, 3)
            row["complete"] = ended and not row.get("limit")  # which may be solutions
            sink.end(row, sentence(row, ended))
        rows.append(row)
        interrupted = interrupted or interrupt.pressed  # perhaps while it was printed
        if interrupted:
            break
    sink.close()
    leave(rows, interrupted)


def leave(rows: list[Row], interrupted: bool) -> None:
    """With the exit status that says how it went, unless something was found and nothing left."""
    if interrupted:
        raise SystemExit(INTERRUPTED)
    if any(row.get("limit") for row in rows):
        raise SystemExit(UNKNOWN)
    if not any(row["assemblies"] if row["solutions"] is None else row["solutions"] for row in rows):
        raise SystemExit(1)


def row_of(puzzle: str, problem: Problem) -> dict[str, Any]:
    """What is told of a problem; filled in as it becomes known."""
    low, high = (sum(p.min for p in problem.pieces), sum(p.max for p in problem.pieces))
    return {
        "puzzle": puzzle,
        "problem": problem.name,
        "grid": problem.grid.name,
        "pieces": low if low == high else [low, high],
        "assemblies": 0,
        "solutions": None,
        "levels": {},
        "complete": False,
        "nodes": 0,
        "seconds": 0.0,
    }


class Watch:
    """What a search tells on its way, and whether to stop it.

    The line counts the assemblies that have been dealt with, not those that wait for it: what it
    has counted, Ctrl-C does not lose.
    """

    def __init__(self, row: Row, sink: Sink, interrupt: Interrupt, line: Line) -> None:
        self.row, self.sink, self.interrupt, self.line = row, sink, interrupt, line
        self.last: Progress | None = None

    def __call__(self, now: Progress) -> None:
        self.last = now
        self.row["nodes"] = now.nodes
        self._tell("")

    def counted(self) -> None:
        """After each assembly: a search may hand out thousands at a time."""
        self.interrupt()
        if self.row["assemblies"] % OFTEN == 0:
            self._tell("")

    def states(self, states: int) -> None:
        """Of an assembly that is being taken apart."""
        self._tell(f"assembly {self.row['assemblies']:,}: {states:,} states, ")

    def _tell(self, before: str) -> None:
        self.interrupt()
        self.sink.tick()
        if (now := self.last) is not None:
            here = now._replace(assemblies=self.row["assemblies"])
            self.line(lambda seconds: before + how_far(here, seconds))


def _solve(
    problem: Problem, row: Row, options: dict[str, Any], watch: Watch, limit: int | None
) -> bool:
    from kumitate.model.solution import Solution
    from kumitate.search.assemble import assemble

    with watch.interrupt.now():  # laying out a large puzzle takes a while
        assemblies = assemble(problem, progress=watch, **options)
    for assembly in assemblies:
        row["assemblies"] += 1
        watch.sink.take(Solution(assembly, assembly_number=row["assemblies"]))
        if row["assemblies"] == limit:
            return False
        watch.counted()
    return True


def _take_apart(
    problem: Problem,
    row: Row,
    options: dict[str, Any],
    watch: Watch,
    limit: int | None,
    fine: bool,
    coordinate: bool,
    shortest: bool,
    certify: bool,
    max_states: int | None,
    max_moves: int | None,
) -> bool:
    from kumitate.model.solution import Solution
    from kumitate.search.assemble import assemble
    from kumitate.search.disassemble import Disassembler
    from kumitate.search.rigid import rigidity
    from kumitate.search.states import MOST_TRIED
    from kumitate.search.states import shortest as fewest_moves

    if shortest and (fine or coordinate):
        raise PuzzleError("--shortest goes neither with --fine nor with --coordinate")
    with watch.interrupt.now():
        disassembler = Disassembler(problem, fine, coordinate)
        assemblies = assemble(problem, progress=watch, **options)
    row.update(solutions=0, rigid=0, stuck=0, limit=0, **({"certified": 0} if certify else {}))
    for assembly in assemblies:
        found = disassembler.examine(
            assembly, max_states, max_moves, options["threads"], watch.states
        )
        proof, disassembly = None, found.disassembly
        if certify and found.ending == "rigid":
            with watch.interrupt.now():
                proof = rigidity(assembly, found.part, found.places, found.parts)
        if shortest and disassembly:
            try:
                with watch.interrupt.now():
                    most = max_states or MOST_TRIED
                    disassembly = fewest_moves(assembly, max_states=most) or disassembly
            except LimitReached:
                row["unproved"] = row.get("unproved", 0) + 1
        row["assemblies"] += 1
        if disassembly is None:
            row[found.ending] += 1
            if proof is not None:
                row["certified"] += 1
        else:
            row["solutions"] += 1
            level = str(disassembly.levels)
            row["levels"][level] = row["levels"].get(level, 0) + 1
            numbers = (row["assemblies"], row["solutions"])
            watch.sink.take(Solution(assembly, disassembly, None, *numbers))
        if row["solutions"] == limit:
            return False
        watch.counted()
    return True


def _count(problem: Problem, row: Row, options: dict[str, Any], watch: Watch) -> bool:
    from kumitate.search.assemble import PreparedProblem, count

    def note(now: Progress) -> None:
        row["assemblies"] = now.assemblies
        watch(now)

    with watch.interrupt.now():
        found = count(problem, progress=note, **options)
    row.update(assemblies=found.assemblies, nodes=found.nodes)
    if not found.assemblies and (fault := PreparedProblem(problem, False, hopeless=True).fault):
        click.echo(f"kumitate: {fault}", err=True)
    return True


def sentence(row: dict[str, Any], ended: bool) -> str:
    """How many were found, by a search that went to its end or did not."""
    found = row["assemblies"]
    some = count_of(found, "assembly")
    end = "" if ended else " so far"
    if row["solutions"] is not None:
        levels = sorted(row["levels"].items(), key=lambda one: [int(n) for n in one[0].split(".")])
        told = ", ".join(f"{n:,} of level {level}" for level, n in levels)
        if len(levels) == 1:
            told = f"level {levels[0][0]}"
        apart = f"{row['solutions']:,} come{'s' * (row['solutions'] == 1)} apart"
        some += f", {apart}" + (f" ({told})" if levels else "")
        some += "".join(f", {row[how]:,} {words}" for how, words in _ENDINGS.items() if row[how])
        if "unproved" in row:
            some += f", {row['unproved']:,} perhaps not by the fewest moves"
        if row["rigid"] and "certified" in row:
            some += f" ({row['certified']:,} certified)"
    return f"{some}{end} ({count_of(row['nodes'], 'node')}, {row['seconds']:.2f} s)"


_ENDINGS = {
    "stuck": "cannot be separated",
    "limit": "unknown (given up at a limit)",
    "rigid": "rigid",
}


def how_far(now: Progress, spent: float) -> str:
    left = spent * (1 - now.fraction) / now.fraction if now.fraction > 0 else None
    return (
        f"{now.assemblies:,} assemblies, {now.nodes / spent / 1e6:.1f} M nodes/s,"
        f" {100 * now.fraction:.1f} % done, {duration(left)} left"
    )


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "unknown time"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else f"{seconds / 86400:,.0f} days"


def pin_of(problem: Problem, text: str) -> Any:
    """PIECE@DRAWING, where the drawing shows the goal from its corner with the piece's cells."""
    from kumitate.model.shape import Shape
    from kumitate.model.solution import find_placement

    name, at, drawing = text.partition("@")
    numbers = [n for n in range(len(problem.pieces)) if problem.label(n) == name]
    if not at or not numbers:
        known = ", ".join(problem.label(n) for n in range(len(problem.pieces)))
        raise PuzzleError(f"--pin {text}: write PIECE@DRAWING with one of the pieces {known}")
    shape = problem.pieces[numbers[0]].shape
    cells = Shape.from_text(problem.grid, drawing, problem.goal.corner, name).cells
    placement = find_placement(numbers[0], replace(shape, colours={}), Shape(problem.grid, cells))
    if placement is None:
        raise PuzzleError(f"--pin {text}: the drawing does not show piece {name}")
    return placement


def cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
