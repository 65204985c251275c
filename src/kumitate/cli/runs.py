"""Runs on the command line: solving into a file, resuming it, and what it holds."""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli.arguments import SILENT, open_puzzle, run_output, the_problem
from kumitate.cli.progress import connected, progress_line
from kumitate.cli.report import (
    Watch,
    duration,
    each_problem,
    how_far,
    leave,
    row_of,
    sentence,
    turns_in,
    with_pins,
)
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.search.threads import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from distributed import Client
    from rich.console import Console

    from kumitate.cli.found import Sink
    from kumitate.cli.progress import Line
    from kumitate.cli.solve import Wanted
    from kumitate.files.document import Document
    from kumitate.model.options import RunOptions
    from kumitate.model.puzzle import Problem, Puzzle
    from kumitate.model.solution import Solution
    from kumitate.search.assemble import Progress
    from kumitate.store import Order, Run, Summary

MOST_LEVELS = 20  # lines of the histogram
BEST = 3  # solutions listed
WIDEST = 40  # characters of a bar
_GIVEN_UP = (
    "--resume does not try the unknown ones again; a new run with a higher limit may settle them"
)


def begin_run(name: str, options: RunOptions, given: dict[str, Any]) -> None:
    """Solve a problem into a new file."""
    from kumitate.jobs.solve import solve_into

    file, limit, threads = given["output"], given["limit"], given["threads"] or cores()
    document = open_puzzle(name, given["problem"])
    problem = the_problem(document, "--output")
    puzzle = replace(document.puzzle, problems=[with_pins(problem, given["pin"])])
    run_output(file, given["force"])
    row = row_of(puzzle.title or name, problem) | ({"turns": {}} if given["turns_count"] else {})
    with connected(given["cluster"]) as client:
        work = partial(solve_into, file, puzzle, limit=limit, threads=threads, cluster=client)
        _carry_out(partial(work, **vars(options)), file, row, given["as_json"])


def resume_run(file: str, name: str | None, given: dict[str, Any]) -> None:
    """Continue the run in a file."""
    from kumitate.jobs.solve import resume
    from kumitate.store import open_run

    threads, quiet = given.pop("threads") or cores(), given.pop("as_json")
    cluster, limit = given.pop("cluster"), given.pop("limit")
    counted: dict[str, Any] = {"turns": {}} if given.pop("turns_count") else {}
    for key, value in given.items():
        if value:
            option = key.replace("_", "-")
            raise PuzzleError(
                f"--{option} cannot be combined with --resume: a run keeps its options"
            )
    with open_run(file) as run:
        row = row_of(run.puzzle.title or file, run.problem) | counted
        worked = run.summary().seconds
    puzzle = open_puzzle(name).puzzle if name else None
    with connected(cluster) as client:
        work = partial(resume, file, puzzle=puzzle, limit=limit, threads=threads, cluster=client)
        _carry_out(work, file, row, quiet, worked)


def solve_on_cluster(
    cluster: str,
    name: str,
    document: Document,
    pins: tuple[str, ...],
    wanted: Wanted,
    sink: Sink,
) -> None:
    """Solve on a cluster without a file to keep."""
    for key in ("shortest", "certify"):
        if getattr(wanted, key):
            raise PuzzleError(f"--{key} cannot be combined with --cluster")
    with ExitStack() as stack:
        client = cache(lambda: stack.enter_context(connected(cluster)))  # once it is needed
        work = partial(_solve_there, client=client, puzzle=document.puzzle, wanted=wanted)
        each_problem(name, document, pins, work, sink)


def _solve_there(
    problem: Problem,
    row: dict[str, Any],
    watch: Watch,
    client: Callable[[], Client],
    puzzle: Puzzle,
    wanted: Wanted,
) -> bool:
    from kumitate.jobs.solve import solve_into
    from kumitate.store import open_run

    puzzle = replace(puzzle, problems=[problem])
    row.update({"turns": {}} if wanted.turns_count else {})
    failure, ended = None, False
    with watch.interrupt.now():
        there = client()
    with _temporary_run() as file:
        work = partial(solve_into, file, puzzle, limit=wanted.limit, cluster=there)
        try:
            work(progress=_reporter(row, watch.line), **vars(wanted.options))
        except (PuzzleError, KeyboardInterrupt) as error:
            failure = error
        with suppress(PuzzleError), open_run(file) as run:
            summary = run.summary()
            ended = summary.state == "done"
            _fill(row, summary)
            del row["kept"]
            shown = (s for s in run if s.disassembly or not wanted.options.disassemble)
            for solution in islice(shown, watch.sink.most):
                watch.sink.take(solution)
        if isinstance(failure, PuzzleError) and row["assemblies"]:
            watch.sink.end(row, sentence(row, ended))
        if failure:
            raise failure
    return ended


@contextmanager
def _temporary_run() -> Iterator[Path]:
    """A place for a run; after a failure it stays, so that the run can be resumed."""
    from shutil import rmtree
    from tempfile import mkdtemp

    file = Path(mkdtemp(prefix="kumitate-")) / "run.kumitate"
    broken = False
    try:
        yield file
    except PuzzleError:
        broken = file.exists()
        raise
    finally:
        if not broken:
            rmtree(file.parent)


def _carry_out(
    work: Callable[..., Summary], file: str, row: dict[str, Any], quiet: bool, worked: float = 0
) -> None:
    """Work, report how it went, and exit with the status that says so."""
    import json

    summary, interrupted = None, False
    with progress_line(quiet) as line:
        try:
            summary = work(progress=_reporter(row, line, worked))
        except KeyboardInterrupt:
            interrupted, summary = True, _summary_after(file)
        except MemoryError:
            raise PuzzleError(
                f"memory ran out; to continue: kumitate solve --resume {file} --threads 1"
            ) from None
    if summary is not None:
        _fill(row, summary)
    if quiet:
        click.echo(json.dumps({"problems": [row]}))
    elif summary is not None:
        click.echo(sentence(row, summary.state == "done"))
        click.echo(f"kept: {summary.kept:,} in {file}")
        if summary.given_up:
            click.echo(_GIVEN_UP)
        if summary.state not in ("done", "recovered", "chosen"):
            more = " --limit N" if summary.state == "limit" else ""
            click.echo(f"to continue: kumitate solve --resume {file}{more}")
    leave([row], interrupted)


def _reporter(row: dict[str, Any], line: Line, worked: float = 0) -> Callable[[Progress], None]:
    """Shows how far a run is; the assemblies that it counts are already in the file.

    `worked` is the number of seconds that it took before, in other processes.
    """

    def report(now: Progress) -> None:
        row["nodes"] = now.nodes
        line(lambda seconds: how_far(now, seconds + worked))

    return report


def _summary_after(file: str) -> Summary | None:
    """What a run holds after it was interrupted, if it had begun."""
    from kumitate.store import open_run

    with suppress(PuzzleError), open_run(file) as run:
        return run.summary()
    return None


def _fill(row: dict[str, Any], summary: Summary) -> None:
    """Fill in what `kumitate solve` reports about a problem, from a run."""
    row.update(
        assemblies=summary.assemblies,
        solutions=summary.solutions,
        levels=summary.levels,
        complete=summary.state == "done" and not summary.given_up,
        nodes=summary.nodes,
        seconds=round(summary.seconds, 3),
        kept=summary.kept,
    )
    if "turns" in row:
        row["turns"] = turns_in(summary.levels)
    if summary.solutions is not None:
        row.update(rigid=summary.rigid, stuck=summary.stuck, limit=summary.given_up)


def show_run(console: Console, run: Run, as_json: bool) -> None:
    """State, counts, a histogram of levels, and the best solutions."""
    import json

    run.verify()
    summary, puzzle = run.summary(), run.puzzle
    if as_json:
        known = row_of(puzzle.title or str(run.path), run.problem)
        _fill(known, summary)
        click.echo(json.dumps(known | {"state": summary.state, "fraction": summary.fraction}))
        return
    row: dict[str, Any] = {}
    _fill(row, summary)
    row["levels"] = {}
    counts = sentence(row, ended=True).rpartition(" (")[0]
    by = f", by {puzzle.designer}" if puzzle.designer else ""
    spent = duration(summary.seconds) if summary.seconds >= 1 else "less than a second"
    at_least = "at least " if summary.state == "recovered" and summary.fraction < 1 else ""
    lines = [
        f"{puzzle.title or 'Puzzle'}{by} ({puzzle.grid.name})",
        f"{run.problem}\n",
        f"{_state(run, summary)}: {at_least}{counts}",
        f"{summary.nodes:,} nodes, {spent} of work, kept: {summary.kept:,}"
        + (" (--solution N shows one)" if summary.kept else ""),
    ]
    if summary.given_up:
        lines.append(_GIVEN_UP)
    console.print("\n".join(lines), markup=False, soft_wrap=True)
    if summary.lost != 0 and summary.state != "recovered":
        console.print(f"recovered from a damaged run, {_loss(summary.lost)}")
    if summary.levels:
        _show_levels(console, summary)
        _show_best(console, run)


def _state(run: Run, summary: Summary) -> str:
    done = f"{100 * summary.fraction:.1f} %"
    if summary.state == "recovered":
        return f"recovered from a damaged run, {_loss(summary.lost)}"
    again = f"kumitate solve --resume {run.path}"
    if summary.state == "chosen":
        return "chosen in the studio"
    if summary.state == "done":
        return "done"
    if summary.state == "limit":
        return f"stopped at the limit of {summary.limit:,}, {done} of the search done"
    if summary.state == "paused":
        return f"paused at {done} (to continue: {again})"
    ago = max(0.0, time.time() - summary.saved)
    if ago > SILENT:
        return f"interrupted at {done}, {duration(ago)} ago (to continue: {again})"
    left = summary.seconds * (1 - summary.fraction) / summary.fraction if summary.fraction else None
    return f"running, {done} done" + (f", {duration(left)} left" if left is not None else "")


def _loss(lost: int | None) -> str:
    if lost is None:
        return "an unknown number of answers lost"
    return f"{count_of(lost, 'answer')} lost"


def recover_run(file: str, output: str | None, wanted: bool) -> None:
    """Save what is intact in a damaged run or collection, and say how much that is."""
    from kumitate.store import recover

    if not wanted:
        raise PuzzleError("--output needs --recover")
    if not output:
        raise PuzzleError(f"{file}: name the new file: --recover --output NEW.kumitate")
    if run_output(output, force=True).exists():
        raise PuzzleError(f"{output}: already exists; give the new file another name")
    kept, lost, state = recover(file, output)
    click.echo(f"{count_of(kept, 'answer')} kept in {output}, {_loss(lost)}")
    if state == "recovered":
        click.echo("the search itself cannot be resumed")


def _show_levels(console: Console, summary: Summary) -> None:
    shown = list(summary.levels.items())[:MOST_LEVELS]
    most = max(amount for _, amount in shown)
    wide = max(5, *(len(level) for level, _ in shown))
    console.print(f"\n{'level':{wide}}  solutions")
    for level, amount in shown:
        bar = "#" * max(1, round(WIDEST * amount / most))
        console.print(f"{level:{wide}}  {amount:9,}  {bar}")
    if len(summary.levels) > len(shown):
        console.print(f"and {len(summary.levels) - len(shown)} lower levels")


def _show_best(console: Console, run: Run) -> None:
    best = run.page(1, BEST, "level")
    if best:
        console.print("\nthe best (--order level --solution N shows one)")
    for number, solution in enumerate(best, 1):
        if solution.levels:
            total = solution.levels.total
            console.print(f"{number:3}. level {solution.levels}, total moves: {total}")


def solution_of(run: Run, number: int, order: Order) -> Solution:
    """The N-th solution that a run keeps."""
    kept = len(run)
    if not 1 <= number <= kept:
        raise PuzzleError(f"--solution {number}: the run keeps {count_of(kept, 'solution')}")
    return run.page(number, 1, order)[0]
