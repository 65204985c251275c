"""Runs on the command line: solving into a file, going on with one, and what one holds."""

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
from kumitate.cli.progress import progress_line
from kumitate.cli.solve import (
    Watch,
    cores,
    duration,
    each_problem,
    how_far,
    leave,
    pin_of,
    row_of,
    sentence,
)
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from distributed import Client
    from rich.console import Console

    from kumitate.cli.found import Sink
    from kumitate.cli.progress import Line
    from kumitate.files.document import Document
    from kumitate.model.puzzle import Problem, Puzzle
    from kumitate.model.solution import Solution
    from kumitate.search.assemble import Progress
    from kumitate.store import Order, Run, Summary

MOST_LEVELS = 20  # lines of the histogram
BEST = 3  # solutions listed
WIDEST = 40  # characters of a bar
_GIVEN_UP = "the unknown ones are not tried again; a new run with a higher limit may settle them"


def begin(file: str, name: str, limit: int | None, options: dict[str, Any]) -> None:
    """Solve a problem into a new file."""
    from kumitate.scale.runs import solve_into

    for key in ("all", "moves", "shortest", "certify"):
        if options.pop(key):
            raise PuzzleError(
                f"--{key} does not go with --output; kumitate show draws what it keeps"
            )
    for key in ("fine", "coordinate", "max_states", "max_moves"):
        if options[key] and not options["disassemble"]:
            raise PuzzleError(f"--{key.replace('_', '-')} goes with --disassemble")
    document = open_puzzle(name, options.pop("problem"))
    puzzle, problem = document.puzzle, the_problem(document, "--output")
    if pins := options.pop("pin"):
        pinned = [*problem.pinned, *(pin_of(problem, text) for text in pins)]
        puzzle = replace(puzzle, problems=[replace(problem, pinned=pinned)])
    run_output(file, options.pop("force"))
    quiet = options.pop("as_json")
    options["threads"] = options["threads"] or cores()
    options["keep"] = options["keep"] or "all"
    row = row_of(puzzle.title or name, problem)
    with _joined(options.pop("cluster")) as client:
        work = partial(solve_into, file, puzzle, limit=limit, cluster=client, **options)
        _carry_out(work, file, row, quiet)


def go_on(
    file: str, name: str | None, output: str | None, limit: int | None, options: dict[str, Any]
) -> None:
    """Go on with the run in a file."""
    from kumitate.scale.runs import resume
    from kumitate.store import open_run

    threads, quiet = options.pop("threads") or cores(), options.pop("as_json")
    cluster = options.pop("cluster")
    for key, value in [*options.items(), ("output", output)]:
        if value:
            option = key.replace("_", "-")
            raise PuzzleError(f"--{option} does not go with --resume: it goes on as it was begun")
    with open_run(file) as run:
        row = row_of(run.puzzle.title or file, run.problem)
        worked = run.summary().seconds
    puzzle = open_puzzle(name).puzzle if name else None
    with _joined(cluster) as client:
        work = partial(resume, file, puzzle=puzzle, limit=limit, threads=threads, cluster=client)
        _carry_out(work, file, row, quiet, worked)


def spread(
    cluster: str,
    name: str,
    document: Document,
    options: dict[str, Any],
    sink: Sink,
    limit: int | None,
    disassemble: bool,
    apart: dict[str, Any],
) -> None:
    """Solve on a cluster what nobody asked to keep."""
    for key in ("shortest", "certify"):
        if apart.pop(key):
            raise PuzzleError(f"--{key} does not go with --cluster")
    more = {"limit": limit, "disassemble": disassemble, **apart}
    with ExitStack() as stack:
        client = cache(lambda: stack.enter_context(_joined(cluster)))  # once it is needed
        work = partial(_solve_there, client=client, puzzle=document.puzzle, more=more)
        each_problem(name, document, options, work, sink)


@contextmanager
def _joined(cluster: str | None) -> Iterator[Client | None]:
    """A cluster, if there is to be one; whoever watches sees that it is waited for."""
    from rich.console import Console

    from kumitate.scale.runs import crewed

    if cluster is None:
        yield None
        return
    with ExitStack() as stack:
        with Console(stderr=True).status(f"waiting for the workers of {cluster}"):
            client = stack.enter_context(crewed(cluster))
        yield client


def _solve_there(
    problem: Problem,
    row: dict[str, Any],
    options: dict[str, Any],
    watch: Watch,
    client: Callable[[], Client],
    puzzle: Puzzle,
    more: dict[str, Any],
) -> bool:
    from kumitate.scale.runs import solve_into
    from kumitate.store import open_run

    puzzle = replace(puzzle, problems=[problem])
    options = options | more
    failure, ended = None, False
    with watch.interrupt.now():
        there = client()
    with _for_now() as file:
        try:
            solve_into(file, puzzle, cluster=there, progress=_teller(row, watch.line), **options)
        except (PuzzleError, KeyboardInterrupt) as error:
            failure = error
        with suppress(PuzzleError), open_run(file) as run:
            summary = run.summary()
            ended = summary.state == "done"
            _fill(row, summary)
            del row["kept"]
            shown = (s for s in run if s.disassembly or not options["disassemble"])
            for solution in islice(shown, watch.sink.most):
                watch.sink.take(solution)
        if isinstance(failure, PuzzleError) and row["assemblies"]:
            watch.sink.end(row, sentence(row, ended))
        if failure:
            raise failure
    return ended


@contextmanager
def _for_now() -> Iterator[Path]:
    """A place for a run; if that breaks off it stays, to go on with."""
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
    """Do it, tell how it went, and leave with the status that says so."""
    import json

    summary, interrupted = None, False
    with progress_line(quiet) as line:
        try:
            summary = work(progress=_teller(row, line, worked))
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
        if summary.state not in ("done", "recovered"):
            more = " --limit N" if summary.state == "limit" else ""
            click.echo(f"to continue: kumitate solve --resume {file}{more}")
    leave([row], interrupted)


def _teller(row: dict[str, Any], line: Line, worked: float = 0) -> Callable[[Progress], None]:
    """Shows how far a run is, whose assemblies are kept by the time it tells of them.

    `worked` are the seconds that it took before, in other processes.
    """

    def tell(now: Progress) -> None:
        row["nodes"] = now.nodes
        line(lambda seconds: how_far(now, seconds + worked))

    return tell


def _summary_after(file: str) -> Summary | None:
    """What a run holds after it was interrupted, if it had begun."""
    from kumitate.store import open_run

    with suppress(PuzzleError), open_run(file) as run:
        return run.summary()
    return None


def _fill(row: dict[str, Any], summary: Summary) -> None:
    """What `kumitate solve` says of a problem, from a run."""
    row.update(
        assemblies=summary.assemblies,
        solutions=summary.solutions,
        levels=summary.levels,
        complete=summary.state == "done" and not summary.given_up,
        nodes=summary.nodes,
        seconds=round(summary.seconds, 3),
        kept=summary.kept,
    )
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
    if summary.state == "done":
        return "done"
    if summary.state == "limit":
        return f"stopped at the limit of {summary.limit:,}, {done} of the search done"
    if summary.state == "paused":
        return f"paused at {done} (to continue: {again})"
    ago = max(0.0, time.time() - summary.saved)
    if ago > SILENT:
        return f"broken off at {done}, {duration(ago)} ago (to continue: {again})"
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
        raise PuzzleError("--output goes with --recover")
    if not output:
        raise PuzzleError(f"{file}: name the new file: --recover --output NEW.kumitate")
    if run_output(output, force=True).exists():
        raise PuzzleError(f"{output}: exists already; give the new file another name")
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
        console.print(f"and {len(summary.levels) - len(shown)} more below")


def _show_best(console: Console, run: Run) -> None:
    best = run.page(1, BEST, "level")
    if best:
        console.print("\nthe best (--order level --solution N shows one)")
    for number, solution in enumerate(best, 1):
        if solution.levels:
            total = solution.levels.total
            console.print(f"{number:3}. level {solution.levels}, moves in all: {total}")


def solution_of(run: Run, number: int, order: Order) -> Solution:
    """The N-th solution that a run keeps."""
    kept = len(run)
    if not 1 <= number <= kept:
        raise PuzzleError(f"--solution {number}: the run keeps {count_of(kept, 'solution')}")
    return run.page(number, 1, order)[0]
