"""What commands share: which puzzle and problem are meant, and where output may go.

Whatever is wrong with an output, its suffix, its folder, a file that already exists, is reported
before any search, so that nobody waits for something that cannot be saved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from kumitate.disk import require_free
from kumitate.files.document import Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST, MOST_THREADS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from kumitate.model.grid import Grid
    from kumitate.model.puzzle import Problem

SILENT = 60  # seconds without a checkpoint after which a writer is taken for dead


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number; unlike those of click.IntRange its bounds do not fill the help."""

    name = "N"

    def __init__(self, least: int, most: int = LARGEST) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number: int = click.INT.convert(value, param, ctx)
        if number < self.least:
            self.fail(f"{number} is too small; it must be at least {self.least}", param, ctx)
        if number > self.most:
            self.fail(f"{number} is too large; it must be at most {self.most:,}", param, ctx)
        return number


AMOUNT, SEED = Whole(1), Whole(0)


def puzzles_like(
    context: click.Context, parameter: click.Parameter, typed: str
) -> list[CompletionItem]:
    """What a shell may complete PUZZLE to: names from the library, their problems, else files.

    Not both, since bash drops all names once it is told to look for files.
    """
    from click.shell_completion import CompletionItem

    from kumitate.library import library

    name, slash, _ = typed.partition("/")
    if not slash:
        names = list(library)
    else:
        problems = library[name].problems if name in library else []
        names = [f"{name}/{problem.name}" for problem in problems]
    items = [CompletionItem(name) for name in names if name.startswith(typed)]
    return items or [CompletionItem(typed, "file")]


puzzle_argument = click.argument("puzzle", shell_complete=puzzles_like)
any_puzzle_argument = click.argument("puzzle", required=False, shell_complete=puzzles_like)
problem_option = click.option(
    "--problem", metavar="NAME", help="Use only this problem, given by its name or number."
)
force_option = click.option("--force", is_flag=True, help="Replace FILE if it exists.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def output_option(text: str, *names: str, **more: Any) -> Callable[..., Any]:
    """`--output FILE`, in every command that writes a file."""
    return click.option("--output", "-o", *names, "output", metavar="FILE", help=text, **more)


def _named(context: click.Context, option: click.Parameter, file: str | None) -> str | None:
    if file == "":
        raise click.BadParameter("give the name of a file", context, option)
    return file


def resume_option(text: str) -> Callable[..., Any]:
    """`--resume FILE`, in every command that goes on with one."""
    return click.option("--resume", metavar="FILE", callback=_named, help=text)


def cluster_option(verb: str) -> Callable[..., Any]:
    """`--cluster WHERE`, in every command that can work on one."""
    text = f"{verb} on Dask workers: tcp://HOST:PORT, or local:N for N processes here."
    return click.option("--cluster", metavar="WHERE", help=text)


def require_own_threads(cluster: str | None, threads: int | None) -> None:
    """Refuse to say how many threads a cluster has."""
    if cluster is not None and threads:
        raise PuzzleError(
            "--threads cannot be combined with --cluster, whose workers have their own"
        )


def amount_option(name: str, text: str) -> Callable[..., Any]:
    """An option for a whole number, at least 1."""
    return click.option(name, type=AMOUNT, metavar="N", help=text)


threads_option = click.option(
    "--threads",
    type=Whole(1, MOST_THREADS),
    metavar="N",
    help="Number of threads. Default: one per core.",
)


def tolerance_of(option: str, text: str, unit: float | None) -> float:
    """A tolerance as a part of a cell, from such a part or from a length in mm.

    >>> tolerance_of("--turns", "0.02", None), tolerance_of("--turns", "0.2mm", 10.0)
    (0.02, 0.02)
    """
    match = re.fullmatch(r"([0-9]{1,9}(?:[.][0-9]{0,9})?|[.][0-9]{1,9})(mm)?", text)
    if not match:
        raise PuzzleError(
            f"{option} {text}: a tolerance is a part of a cell such as 0.02, or a length such as"
            " 0.1mm"
        )
    if not match[2]:
        if unit is not None:
            raise PuzzleError(f"--unit goes with a length, such as {option} 0.1mm")
        unit, half = 1.0, "0.5"
    elif unit is None:
        raise PuzzleError(f"{option} {text} needs the size of a cell; add it, such as --unit 11.15")
    elif 0 < unit < LARGEST:
        half = f"{unit / 2:g}mm"
    else:
        raise PuzzleError(
            f"--unit {unit:g}: the size of a cell in mm must be more than 0, less than {LARGEST:g}"
        )
    tolerance = float(match[1]) / unit
    if not tolerance < 0.5:
        raise PuzzleError(f"{option} {text}: a tolerance is less than {half}, half a cell")
    return tolerance


def tolerance_in_cells(option: str, text: str) -> float:
    """The same where no size of a cell is known."""
    if text.endswith("mm"):
        raise PuzzleError(f"{option} {text}: give it as a part of a cell, such as 0.02")
    return tolerance_of(option, text, None)


# ---- the puzzle, and which of its problems ----


def open_puzzle(name: str, problem: str | None = None) -> Document:
    """What a name on the command line means; warnings go to stderr.

    NAME is a file, be it a run or a collection, or a puzzle of the library, and NAME/PROBLEM one of
    its problems, by name or number; so is `problem`. The document then has only that one. Of a
    collection it is the best puzzle, or with FILE/N the N-th best.
    """
    document, which = _find(name)
    for where, part in ((name, which), (f"--problem {problem}", problem)):
        if part is not None:
            with place(where):
                document = _only(document, part)
    return document


def problems_of(document: Document) -> Sequence[Problem]:
    """The problems of a puzzle, at least one."""
    if not document.puzzle.problems:
        raise PuzzleError(
            "the puzzle has no problem; add one, a goal and pieces, for example in kumitate studio"
        )
    return document.puzzle.problems


def the_problem(document: Document, purpose: str) -> Problem:
    """The only problem of a puzzle, for a command that needs just one."""
    problems = problems_of(document)
    if len(problems) > 1:
        raise PuzzleError(
            f"{purpose} needs one problem, but there are {len(problems)}; choose with --problem:"
            f" {document.puzzle.problem_names}"
        )
    return problems[0]


def _find(name: str) -> tuple[Document, str | None]:
    """The puzzle, and the problem of it that the name asks for."""
    from kumitate.library import library

    if not name:
        raise PuzzleError(
            "the name of the puzzle is empty; give a file or a library name like soma"
        )
    file, _, part = name.rpartition("/")
    if Path(name).is_file():
        return _open_file(name, None)
    if file and Path(file).is_file():
        return _open_file(file, part)
    title, slash, part = name.partition("/")
    if title in library:
        return Document(library[title]), part if slash else None
    if Path(name).exists():  # which says what else it is
        return _open_file(name, None)
    raise PuzzleError(_not_found(name))


def _open_file(file: str, part: str | None) -> tuple[Document, str | None]:
    from kumitate.files import read
    from kumitate.store import is_broken, is_collection, is_run, open_collection, open_run

    if is_collection(file):
        with open_collection(file) as collection:
            if part is not None and not (part.isdecimal() and len(part) < 10):
                raise PuzzleError(f"{file}/{part}: write FILE/N for the N-th best of a collection")
            return collection.document(int(part or 1)), None
    if is_run(file) or is_broken(file):
        with open_run(file) as run:
            document = run.document()
    else:
        document = read(file)
    print_warnings(file, document.warnings)
    return document, part


def _only(document: Document, which: str) -> Document:
    """The puzzle with just the problem of this name or, if none has it, of this number."""
    answers = document.answers[document.puzzle.number_of(which) - 1]
    return replace(document, puzzle=document.puzzle.only(which), answers=[answers])


def _not_found(name: str) -> str:
    from kumitate.library import library

    title = name.partition("/")[0]
    if "." in name:  # a library name has no suffix
        return f"{name}: no such file"
    near = library.nearest(title)
    hint = f"did you mean {near}?" if near else "'kumitate library' lists the names"
    return f"{name}: no such file, and no puzzle in the library has that name; {hint}"


def missing_puzzle() -> NoReturn:
    raise click.UsageError("Missing argument 'PUZZLE'.", click.get_current_context())


# ---- outputs ----


def puzzle_output(output: str, force: bool, grid: Grid, *others: str) -> Path:
    """Where a puzzle on this grid may be saved, in the format that the name asks for.

    `others` are suffixes that the command also knows.
    """
    from kumitate.files import encode
    from kumitate.model.puzzle import Puzzle

    path = _place(output, force)
    if path.suffix.lower() not in others:
        try:
            encode(Document(Puzzle(grid)), path.name)
        except PuzzleError as error:
            more = f"; or use {' or '.join(others)}" if others else ""
            raise PuzzleError(f"{output}: {error}{more}") from None
    return path


def collection_outputs(
    names: tuple[str, ...], force: bool
) -> tuple[str | None, str | None, list[Path]]:
    """The file that keeps a collection, the one for its best puzzle, and those that show it."""
    from kumitate.files import SUFFIXES
    from kumitate.output.views import VIEWS

    kept = [name for name in names if name.lower().endswith(".kumitate")]
    views = {*VIEWS}.difference(SUFFIXES)
    shown = [name for name in dict.fromkeys(names) if Path(name).suffix.lower() in views]
    saved = [name for name in names if name not in (*kept, *shown)]
    for some, what in ((kept, "the collection"), (saved, "the best puzzle")):
        if len(some) > 1:
            raise PuzzleError(f"--output: two files for {what}, {some[0]} and {some[1]}; give one")
    pages = [_place(name, force) for name in shown]
    return kept[0] if kept else None, saved[0] if saved else None, pages


def run_output(output: str, force: bool) -> Path:
    """Where a run or a collection may be kept; nothing else is ever replaced by one."""
    from kumitate.store import is_collection, is_run

    if Path(output).suffix.lower() != ".kumitate":
        raise PuzzleError(
            f"{output}: the name of a run or collection must end in .kumitate, such as run.kumitate"
        )
    path = _place(output, force)
    if path.exists() and not (is_run(path) or is_collection(path)):
        raise PuzzleError(
            f"{output}: neither a run nor a collection of kumitate, so it is not replaced;"
            " choose another name"
        )
    return path


def page_output(output: str, force: bool) -> Path:
    """Where a web page may be written."""
    if Path(output).suffix.lower() != ".html":
        raise PuzzleError(f"{output}: the name of a web page must end in .html, such as page.html")
    return _place(output, force)


def _place(output: str, force: bool) -> Path:
    path = Path(output)
    if not output:
        raise PuzzleError("--output is empty; give the name of a file")
    if path.is_dir():
        raise PuzzleError(f"{output}: is a folder; give the name of a file")
    require_free(path, force)
    if not os.access(path.parent, os.W_OK):
        raise PuzzleError(f"{output}: the folder {path.parent} cannot be written to")
    return path


def print_warnings(name: str | Path, warnings: Iterable[str]) -> None:
    """Warnings about a file, one line each."""
    for warning in warnings:
        click.echo(f"kumitate: {Path(name).name}: {warning}", err=True)
