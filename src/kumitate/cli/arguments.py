"""What commands share: finding the puzzle that is meant, and saying what a file could not keep."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

import click

from kumitate.files.document import Document
from kumitate.model.errors import PuzzleError

INTERRUPTED = 130  # exit status
SILENT = 60  # seconds after which somebody who writes nothing is taken for dead


def open_puzzle(name: str) -> Document:
    """The file of this name, be it a run, or the library's puzzle; warnings go to stderr.

    Of a collection it is the best puzzle, or with FILE/N the N-th best.
    """
    from kumitate.files import read
    from kumitate.library import library
    from kumitate.store import is_collection, is_run, open_collection, open_run

    file, _, number = name.rpartition("/") if not Path(name).is_file() else (name, "", "1")
    if is_collection(file) and number.isdecimal():
        with open_collection(file) as collection:
            return collection.document(int(number))
    if not Path(name).is_file():
        if name in library:
            return Document(library[name])
        if not Path(name).exists():
            raise PuzzleError(_not_found(name))
    if is_run(name):
        with open_run(name) as run:
            document = run.document()
    else:
        document = read(name)
    tell(name, document.warnings)
    return document


def _not_found(name: str) -> str:
    from kumitate.library import library

    title, _, problem = name.partition("/")
    if title in library:
        problems = ", ".join(p.name for p in library[title].problems)
        return f"{name}: {title} has no problem {problem!r}; it has {problems}"
    near = get_close_matches(title, list(library), 1, 0.5)
    hint = f"did you mean {near[0]}?" if near else "'kumitate library' lists them"
    return f"{name}: no such file, nor a puzzle of the library; {hint}"


def tell(name: str, warnings: Iterable[str]) -> None:
    """Warnings about a file, one line each."""
    for warning in warnings:
        click.echo(f"kumitate: {Path(name).name}: {warning}", err=True)


puzzle_argument = click.argument("puzzle")
