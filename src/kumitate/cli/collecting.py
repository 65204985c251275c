"""Searches and designs that fill a collection: how they run, and how they are reported."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli import arguments
from kumitate.cli.progress import progress_line
from kumitate.cli.report import duration
from kumitate.model.errors import PuzzleError
from kumitate.startup import INTERRUPTED

if TYPE_CHECKING:
    from pathlib import Path

    from kumitate.store import Collection, Sampling

LISTED = 10  # puzzles
MOST_JSON = 1000


@dataclass(frozen=True)
class Report:
    """The words of a command that fills collections."""

    command: str
    how_far: Callable[[Sampling, float], str]  # the line of progress, with samples a second
    listing: Callable[[Collection, Sampling], None]  # prints what was found
    as_object: Callable[[Collection, Sampling], dict[str, Any]]  # the same for --json

    def resuming(self, summary: Sampling, file: str) -> str:
        """The command that continues; empty if there is nothing left to do."""
        if summary.state in ("done", "recovered"):
            return ""
        more = " --samples N" if self.command == "search" and summary.state == "limit" else ""
        return f"kumitate {self.command} --resume {file}{more}"


def carry_out(
    report: Report,
    work: Callable[..., Sampling],
    file: str,
    kept: str | None,
    save: Path | None,
    show: Sequence[Path],
    as_json: bool,
    force: bool,
    split: bool = False,
) -> None:
    """Fill a collection, report what was found, and exit with the status that says how it went."""
    import json

    from kumitate.cli.export import export
    from kumitate.files import write
    from kumitate.output.views import SOLIDS
    from kumitate.store import is_collection, open_collection

    failure: BaseException | None = None
    before: int | None = None
    with progress_line(as_json) as show_line:

        def note(now: Sampling) -> None:
            nonlocal before
            before = done = now.samples if before is None else before
            show_line(lambda seconds: report.how_far(now, (now.samples - done) / seconds))

        try:
            work(progress=note)
        except (KeyboardInterrupt, PuzzleError) as error:
            failure = SystemExit(INTERRUPTED) if isinstance(error, KeyboardInterrupt) else error
    if failure and (before is None or not is_collection(file)):  # nothing was tried, or is left
        raise failure
    with open_collection(file) as collection:
        summary, best = collection.summary(), collection.page(1, 1)
        if as_json:
            click.echo(json.dumps(report.as_object(collection, summary)))
        else:
            report.listing(collection, summary)
        if save and best:
            arguments.print_warnings(save, write(collection.document(1), save))
            if not as_json:
                click.echo(f"the best is saved in {save}")
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        for path in show if best else ():
            context = click.get_current_context()  # as on the command line, with its defaults
            parts = split and path.suffix.lower() in SOLIDS
            context.invoke(export, puzzle=f"{file}/1", output=str(path), force=force, split=parts)
    if kept and not as_json:
        again = report.resuming(summary, kept)
        click.echo(f"kept in {kept}" + (f"; to continue: {again}" if again else ""))
    if failure:
        raise failure
    if not best:
        raise SystemExit(1)


def show_collection(file: str, as_json: bool) -> None:
    """What a search or a design looks for, how far it is, and the best that it has found."""
    import json

    from kumitate.cli import design, search
    from kumitate.jobs.asked import asked_of
    from kumitate.store import DesignQuestion, open_collection

    with open_collection(file) as collection:
        collection.verify()
        summary = collection.summary()
        designed = isinstance(collection.asked, DesignQuestion)
        report = design.REPORT if designed else search.REPORT
        if as_json:
            click.echo(json.dumps(report.as_object(collection, summary)))
            return
        click.echo(f"{asked_of(collection)}\n{_state(summary, report.resuming(summary, file))}\n")
        report.listing(collection, summary)


def _state(summary: Sampling, again: str) -> str:
    if not again:
        return summary.state
    if summary.state == "limit":
        return f"stopped at its limit (to continue: {again})"
    ago = max(0.0, time.time() - summary.saved)
    if summary.state == "running" and ago <= arguments.SILENT:
        return "running"
    state = "paused" if summary.state == "paused" else f"interrupted {duration(ago)} ago"
    return f"{state} (to continue: {again})"
