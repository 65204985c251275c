"""kumitate site: a website of puzzles to play."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumitate.cli import arguments
from kumitate.cli.progress import progress_line
from kumitate.model.errors import PuzzleError

if TYPE_CHECKING:
    from kumitate.files.document import Document
    from kumitate.model.found import Found
    from kumitate.model.puzzle import Problem
    from kumitate.model.solution import Answers, Solution

SECONDS = 5.0  # of looking for an assembly that comes apart, for each puzzle


@click.command()
@click.argument("folder", metavar="OUT")
@click.argument("puzzles", metavar="[PUZZLE]...", nargs=-1, shell_complete=arguments.puzzles_like)
@click.option(
    "--studio",
    "parts",
    metavar="DIR",
    help="Add the studio, which then runs in the browser; DIR has Python, from 'make pyodide'.",
)
@click.option("--force", is_flag=True, help="Write into OUT even if it is not empty.")
def site(folder: str, puzzles: tuple[str, ...], parts: str | None, force: bool) -> None:
    """Make a website of puzzles to play, e.g. kumitate site public soma evolved-box

    Without a PUZZLE it has the whole library. OUT is a folder for any web host, or for `python -m
    http.server`: a card for each puzzle, to watch, to take apart and put together by hand, with
    hints from any position. After the first visit it works offline. With --studio, OUT/studio is
    the studio itself, without a server, for your own puzzles.
    """
    from kumitate.disk import file_errors, put
    from kumitate.library import library
    from kumitate.model.numbers import count_of
    from kumitate.output.site import site as site_of

    out = Path(folder)
    with file_errors(out):
        if out.exists() and not out.is_dir():
            raise PuzzleError(f"{folder}: is a file; give the name of a folder")
        if out.is_dir() and any(out.iterdir()) and not force:
            raise PuzzleError(f"{folder}: is not empty; force=True writes the site into it")
    studio = None
    if parts is not None:  # refused before any search
        from kumitate.studio.serve.website import studio_files

        studio = studio_files(Path(parts))
    found = []
    with progress_line(quiet=False) as line:
        for number, name in enumerate(puzzles or tuple(library), 1):
            line(partial("{}: {}, {:.0f} s".format, number, name))
            try:
                found.append(_found(number, name, arguments.open_puzzle(name)))
            except _Unsolved as why:
                click.echo(f"kumitate: {name}: left out, {why}", err=True)
    if not found:
        raise PuzzleError("there is no puzzle to show; name one that has an assembly")
    for path, data in site_of("Puzzles to play", found, studio).items():
        with file_errors(out / path):
            (out / path).parent.mkdir(parents=True, exist_ok=True)
        put(out / path, data)
    click.echo(f"{out / 'index.html'}: {count_of(len(found), 'puzzle')}")


class _Unsolved(Exception):
    """Why there is nothing to show of a puzzle."""


def _found(number: int, name: str, document: Document) -> Found:
    """A puzzle with the solution to show: one that its file has, or the first that is found."""
    from kumitate.files import encode
    from kumitate.model.found import Found

    kept = next((one for one in document.answers if one and one.solutions), None)
    solution = kept.solutions[0] if kept else None
    why = "since it has no problem"
    for problem in () if solution else document.puzzle.problems:
        try:
            solution = _solution(problem)
            break
        except _Unsolved as error:
            why = str(error)
    if solution is None:
        raise _Unsolved(why)
    text = encode(document, "puzzle.kumitate.json")[0].decode()
    return Found(number, document.puzzle, kept or _known(name, solution), text)


def _known(name: str, solution: Solution) -> Answers:
    """What the library knows of a puzzle with one problem: assemblies, and how many come apart."""
    from kumitate.library import library
    from kumitate.model.solution import Answers

    known = library.answers(name)
    if Path(name).exists() or len(known) != 1 or not known[0].levels:
        return Answers([solution])
    return Answers([solution], known[0].assemblies, sum(known[0].levels.values()), True)


def _solution(problem: Problem) -> Solution:
    """The first assembly that comes apart; else the first, if there was time to find one."""
    from kumitate.model.solution import Solution
    from kumitate.search.assemble import assemble
    from kumitate.search.shown import to_show
    from kumitate.search.threads import cores

    end = time.monotonic() + SECONDS
    first: list[Solution] = []

    def look(*_: object) -> None:
        if time.monotonic() > end:
            raise TimeoutError

    def candidates() -> Iterator[Solution]:
        for assembly in assemble(problem, threads=cores(), progress=look):
            first[:] = first or [Solution(assembly)]
            yield Solution(assembly)

    try:
        shown = to_show(candidates(), look)
    except TimeoutError:
        if not first:
            raise _Unsolved(f"since no assembly was found in {SECONDS:.0f} seconds") from None
        return first[0]
    except PuzzleError as error:
        raise _Unsolved(f"since {error}") from None
    if shown is None:
        raise _Unsolved("since it has no assembly")
    return shown.solution
