"""What commands share: the puzzle and the problem that are meant, and where an output may go.

Whatever may be wrong with an output, its suffix, its folder, a file that is there already, is said
before any search, so that nobody waits for something that cannot be saved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumitate.disk import require_free
from kumitate.files.document import Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST

if TYPE_CHECKING:
    from kumitate.model.grid import Grid
    from kumitate.model.puzzle import Problem

UNKNOWN = 3  # exit status: a limit ended the search before the answer was known
SILENT = 60  # seconds after which somebody who writes nothing is taken for dead


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number; unlike those of click.IntRange its bounds do not fill the help."""

    name = "N"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number: int = click.INT.convert(value, param, ctx)
        if number < self.least:
            self.fail(f"{number} is too small; {self.least} is the least", param, ctx)
        if number > LARGEST:
            self.fail(f"{number} is too large; {LARGEST:,} is the most", param, ctx)
        return number


AMOUNT, SEED = Whole(1), Whole(0)

puzzle_argument = click.argument("puzzle")
problem_option = click.option(
    "--problem", metavar="NAME", help="Only this problem, by its name or number."
)
force_option = click.option("--force", is_flag=True, help="Replace FILE if it exists.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def output_option(text: str, **more: Any) -> Callable[..., Any]:
    """`--output FILE`, in every command that writes a file."""
    return click.option("--output", "-o", metavar="FILE", help=text, **more)


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


def the_problem(document: Document, purpose: str) -> Problem:
    """The only problem of a puzzle, for what is about one."""
    problems = document.puzzle.problems
    if not problems:
        raise PuzzleError("the puzzle sets no problem: nothing to solve")
    if len(problems) > 1:
        raise PuzzleError(
            f"{purpose} needs one problem, but there are {len(problems)}: add --problem NAME with"
            f" one of {_names(problems)}"
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
    tell(file, document.warnings)
    return document, part


def _only(document: Document, which: str) -> Document:
    """The puzzle with just the problem of this name or, if none has it, of this number."""
    problems = document.puzzle.problems
    found = [n for n, problem in enumerate(problems) if problem.name == which]
    if not found and which.isdecimal() and len(which) < 10 and 1 <= int(which) <= len(problems):
        found = [int(which) - 1]
    if len(found) > 1:
        raise PuzzleError(f"{len(found)} problems are called {which!r}; give the number of one")
    if not found:
        there = f"it has {_names(problems)}" if problems else "it sets no problem"
        raise PuzzleError(f"there is no problem {which!r}; {there}")
    [number] = found
    only = problems[number]
    used = {only.goal, *(piece.shape for piece in only.pieces)}
    shapes = [shape for shape in document.puzzle.shapes if shape in used]
    puzzle = replace(document.puzzle, problems=[only], shapes=shapes)
    return replace(document, puzzle=puzzle, answers=[document.answers[number]])


def _names(problems: Sequence[Problem]) -> str:
    return ", ".join(problem.name or str(n) for n, problem in enumerate(problems, 1))


def _not_found(name: str) -> str:
    from kumitate.library import library

    title = name.partition("/")[0]
    if "." in name:  # a library name has no suffix
        return f"{name}: no such file"
    near = library.nearest(title)
    hint = f"did you mean {near}?" if near else "'kumitate library' lists them"
    return f"{name}: no such file, nor a puzzle of the library; {hint}"


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


def run_output(output: str, force: bool) -> Path:
    """Where a run or a collection may be kept; nothing else is ever replaced by one."""
    from kumitate.store import is_collection, is_run

    if Path(output).suffix.lower() != ".kumitate":
        raise PuzzleError(
            f"{output}: the name of a run or collection ends in .kumitate, as run.kumitate"
        )
    path = _place(output, force)
    if path.exists() and not (is_run(path) or is_collection(path)):
        raise PuzzleError(
            f"{output}: neither a run nor a collection of kumitate, so it is not replaced;"
            " choose another name"
        )
    return path


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


def tell(name: str | Path, warnings: Iterable[str]) -> None:
    """Warnings about a file, one line each."""
    for warning in warnings:
        click.echo(f"kumitate: {Path(name).name}: {warning}", err=True)
