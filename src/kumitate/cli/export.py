"""kumitate export: what printers, screens, lasers and woodworkers need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kumitate.cli.arguments import (
    Whole,
    amount_option,
    open_puzzle,
    output_option,
    problem_option,
    puzzle_argument,
    the_problem,
    tolerance_in_cells,
)
from kumitate.cli.progress import progress_line
from kumitate.disk import put, require_free
from kumitate.files.document import place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.model.options import ApartOptions, help_for
from kumitate.output.making import MAKE_OPTIONS, OptionKind, export_keywords

if TYPE_CHECKING:
    from kumitate.files.document import Document
    from kumitate.model.puzzle import Problem, Puzzle
    from kumitate.model.solution import Assembly, Solution
    from kumitate.search.assemble import Progress

Item = TypeVar("Item")


class Lengths(click.ParamType):  # type: ignore[type-arg]
    """One length, or several with an x between them: 15, or 180x180."""

    name = "MM"

    def __init__(self, *counts: int) -> None:
        self.counts = counts

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        try:
            lengths = tuple(float(part) for part in str(value).split("x"))
            if not all(map(isfinite, lengths)):
                raise ValueError
        except ValueError:
            self.fail(f"{value!r} is not a length; write {self._example()}", param, ctx)
        if len(lengths) not in self.counts:
            self.fail(f"{value!r} has {len(lengths)} numbers; write {self._example()}", param, ctx)
        return lengths

    def _example(self) -> str:
        return " or ".join("x".join(["15"] * count) for count in self.counts)


_KINDS: dict[OptionKind, dict[str, Any]] = {
    "mm": {"type": float, "metavar": "MM"},
    "sides": {"type": Lengths(1, 3)},
    "bed": {"type": Lengths(2)},
    "flag": {"is_flag": True},
    "part": {"type": float, "metavar": "SIZE"},
    "pixels": {"type": Whole(16, 10_000), "metavar": "PIXELS"},
}


def making_options(command: Callable[..., None]) -> Callable[..., None]:
    """An option for each of `MAKE_OPTIONS`."""

    def option(name: str, kind: OptionKind, text: str) -> Callable[..., Any]:
        return click.option(f"--{name.replace('_', '-')}", help=text, **_KINDS[kind])

    return reduce(lambda made, one: option(*one)(made), reversed(MAKE_OPTIONS), command)


def _views_like(context: click.Context, option: click.Parameter, typed: str) -> list[str]:
    """What a shell may complete VIEW to: what the file named before can show, or any view."""
    from kumitate.output.views import VIEWS

    suffix = Path(context.params.get("output") or "").suffix.lower()
    views = VIEWS.get(suffix) or dict.fromkeys(view for some in VIEWS.values() for view in some)
    return [view for view in views if view.startswith(typed)]


@click.command()
@puzzle_argument
@output_option("The file to write; its suffix sets the format.", "--to")
@click.option(
    "--html", is_flag=True, help="Write a self-contained web page, named after the puzzle."
)
@click.option(
    "--show",
    metavar="VIEW",
    shell_complete=_views_like,
    help="What to show, if the format has a choice.",
)
@problem_option
@amount_option("--assembly", "Show assembly N.")
@amount_option(
    "--solution", "Show saved solution N; if fewer are saved, the N-th that comes apart."
)
@making_options
@click.option(
    "--turns", is_flag=False, flag_value="0", metavar="[TOLERANCE]", help=help_for("turns")
)
@amount_option("--max-states", "Give up beyond N states (.graphml).")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def export(
    puzzle: str,
    output: str | None,
    html: bool,
    show: str | None,
    problem: str | None,
    assembly: int | None,
    solution: int | None,
    turns: str | None,
    max_states: int | None,
    force: bool,
    **options: Any,
) -> None:
    """Write a puzzle for 3D printers, lasers or screens, e.g. kumitate export soma -o soma.3mf

    Where one assembly is shown, it is the first that comes apart, unless you choose another.

    \b
    .stl .3mf .obj .scad   pieces on print beds (or --show assembly, box)
    .glb .gif .apng        an animation of how it comes apart
    .html                  a page that plays it, for any browser (or --show booklet);
                           of a collection, a gallery of all its puzzles
    .svg .png              pieces (or --show assembly, exploded, layers, steps, sheets, sticks)
    .pdf                   a booklet: cover, pieces, steps
    .txt .csv              an assembly in layers (or --show sticks: a cut list)
    .dxf                   outlines for a laser cutter
    .json                  everything
    .graphml               every state that its pieces can reach, as a graph
    """
    from kumitate.output.effects import OTHERS, require_effects
    from kumitate.output.views import OF_ASSEMBLIES, VIEWS, unknown_suffix, view_for
    from kumitate.store import is_collection

    document = open_puzzle(puzzle, problem)
    path = _path(puzzle, output, html)
    suffix = path.suffix.lower()
    if suffix not in (*VIEWS, *OTHERS):
        raise unknown_suffix(path, (*VIEWS, *OTHERS))
    gallery = suffix == ".html" and not show and is_collection(puzzle)
    view = view_for(path, show) if suffix in VIEWS and not gallery else None
    chosen = {"show": show, "assembly": assembly, "solution": solution}
    limits = {"turns": turns, "max_states": max_states}
    require_effects(path, view, chosen | limits | options, document.puzzle.grid)
    apart_options = ApartOptions(
        turns=None if turns is None else tolerance_in_cells("--turns", turns)
    )
    if gallery and problem:
        raise PuzzleError("--problem has no effect on a gallery, which shows whole puzzles")
    if assembly and solution:
        raise PuzzleError("--assembly cannot be combined with --solution")
    require_free(path, force)

    def shown(apart: bool = False) -> Solution:
        return _shown(puzzle, document, assembly, solution, apart, apart_options)

    if gallery:
        _write_gallery(puzzle, path)
    elif suffix == ".json":
        _write_json(document, path, shown() if assembly or solution else None)
    elif suffix == ".graphml":
        _write_states(shown().assembly, path, apart_options.turns, max_states)
    elif view in OF_ASSEMBLIES:
        found = shown(view in ("steps", "booklet"))
        _write(_titled(document.puzzle, puzzle), found, path, show, force, options)
    else:
        whole = _titled(document.puzzle, puzzle)
        what = whole.problems[0] if whole.problems else whole
        _write(whole, what, path, show, force, options)


def _titled(puzzle: Puzzle, file: str) -> Puzzle:
    """A puzzle that nothing names is called as its file."""
    return puzzle if puzzle.called else replace(puzzle, title=_stem(file))


def _stem(file: str) -> str:
    """What a file, or a problem of one (FILE/PROBLEM), is called."""
    path = Path(file)
    return (path.parent if path.parent.is_file() else path).name.split(".")[0]


def _path(puzzle: str, output: str | None, html: bool) -> Path:
    if output and html:
        raise PuzzleError("--html cannot be combined with --output; use --output FILE.html")
    if html:
        return Path(f"{_stem(puzzle)}.html")
    if not output:
        raise PuzzleError("--output FILE is missing, e.g. --output pieces.3mf")
    return Path(output)


def _write(
    puzzle: Puzzle,
    what: Any,
    path: Path,
    show: str | None,
    force: bool,
    options: dict[str, Any],
) -> None:
    from rich.console import Console

    from kumitate.output.export import export as write

    said: list[str] = []
    warned: list[str] = []
    with Console(stderr=True).status(f"writing {path.name}"):
        made = write(
            what,
            path,
            show=show,  # type: ignore[arg-type]
            **export_keywords(options),
            puzzle=puzzle,
            force=force,
            tell=said.append,
            warn=warned.append,
        )
    for line in (*map(str, made), *said):
        click.echo(line)
    for line in warned:
        click.echo(f"kumitate: {line}", err=True)


# ---- which assembly ----


def _shown(
    file: str,
    document: Document,
    assembly: int | None,
    solution: int | None,
    apart: bool,
    options: ApartOptions,
) -> Solution:
    """The assembly or solution asked for, else the first that comes apart.

    `apart` says that the way it comes apart is shown, too.
    """
    from kumitate.model.solution import Solution
    from kumitate.search.shown import Shown, to_show
    from kumitate.store import is_run

    with progress_line(quiet=False) as line:

        def show_progress(now: int | Progress) -> None:
            count = now if isinstance(now, int) else now.assemblies
            line(lambda seconds: f"{count:,} assemblies looked at, {seconds:.0f} s")

        if is_run(file):
            found = _of_run(file, assembly, solution)
        else:
            found = _of_document(document, assembly, solution, options, show_progress)
        if isinstance(found, Solution):
            shown = to_show([found], show_progress, options) if apart else Shown(found)
        else:
            shown = to_show(found, show_progress, options)
    if shown is None:
        raise PuzzleError(
            "there is no assembly to show: the pieces do not fill the goal; run 'kumitate check'"
        )
    if shown.remark:
        click.echo(f"kumitate: {shown.remark}", err=True)
    return shown.solution


def _of_document(
    document: Document,
    assembly: int | None,
    solution: int | None,
    options: ApartOptions,
    show_progress: Callable[[Any], None],
) -> Solution | Iterator[Solution]:
    """What was asked for; if nothing was, whatever there is to choose from."""
    from kumitate.model.solution import Solution
    from kumitate.search.assemble import assemble
    from kumitate.search.solve import solve

    problem = the_problem(document, "an assembly")
    [answers] = document.answers
    kept = answers.solutions if answers else ()
    if assembly is not None:
        return Solution(_nth("assembly", assembly, assemble(problem, progress=show_progress)))
    if solution is not None:
        apart = [saved for saved in kept if saved.disassembly]
        if len(apart) >= solution:
            return apart[solution - 1]
        found = solve(problem, progress=show_progress, disassemble=True, turns=options.turns)
        return _nth("solution", solution, found)
    return chain(kept, _searched(problem, show_progress))


def _of_run(file: str, assembly: int | None, solution: int | None) -> Solution | Iterator[Solution]:
    from kumitate.cli.runs import solution_of
    from kumitate.store import open_run

    with open_run(file) as run:
        if assembly is not None:
            raise PuzzleError(
                "--assembly does not work with a run; use --solution N for the N-th solution it"
                " keeps"
            )
        if solution is not None or not len(run):
            return solution_of(run, solution or 1, "found")
    return _kept_in(file)


def _kept_in(file: str) -> Iterator[Solution]:
    """The best solution of a run, or of one that takes nothing apart all assemblies."""
    from kumitate.store import open_run

    with open_run(file) as run:
        yield from run.page(1, 1, "level") if run.options.disassemble else run


def _searched(problem: Problem, show_progress: Callable[[Any], None]) -> Iterator[Solution]:
    """The assemblies of a problem, which is looked at only once the first is wanted."""
    from kumitate.model.solution import Solution
    from kumitate.search.assemble import assemble

    yield from map(Solution, assemble(problem, progress=show_progress))


def _nth(what: str, number: int, found: Iterator[Item]) -> Item:
    count = 0
    for count, one in enumerate(found, 1):
        if count == number:
            return one
    raise PuzzleError(f"--{what} {number}: the puzzle has {count_of(count, what)}")


# ---- what is not a picture ----


def _write_gallery(file: str, path: Path) -> None:
    """The puzzles of a collection, as many as one page may hold."""
    from kumitate.output.gallery import LIMITS, MOST_PUZZLES, gallery_page
    from kumitate.store import open_collection

    with open_collection(file) as collection, progress_line(quiet=False) as line:
        total = len(collection)

        def show_progress(count: int) -> None:
            line(lambda seconds: f"{count:,} cards, {seconds:.0f} s")

        puzzles = collection.found(1, MOST_PUZZLES)
        page, shown = gallery_page(_stem(file), puzzles, total, show_progress)
    with place(str(path)):
        put(path, page.encode())
    click.echo(str(path))
    if shown < total:
        left = f"shows the best {shown} of {total:,} puzzles, as {LIMITS}"
        click.echo(f"kumitate: {path.name}: {left}", err=True)


def _write_json(document: Document, path: Path, solution: Solution | None) -> None:
    """The puzzle as kumitate saves it, with a solution if one is asked for."""
    from kumitate.files import write
    from kumitate.model.solution import Answers

    if solution:
        the_problem(document, "a solution")
        [answers] = document.answers
        document = replace(document, answers=[replace(answers or Answers(), solutions=[solution])])
    for lost in write(document, path):
        click.echo(f"kumitate: {path.name}: {lost}", err=True)
    click.echo(str(path))


def _write_states(assembly: Assembly, path: Path, turns: float | None, most: int | None) -> None:
    """Every state that is reached before anything separates is a node, every move an edge."""
    from kumitate.search.states import MOST_STATES, explore

    with progress_line(quiet=False) as line:

        def show_progress(states: int) -> None:
            line(lambda seconds: f"{states:,} states, {seconds:.0f} s")

        graph = explore(
            assembly, turns=turns, max_states=most or MOST_STATES, progress=show_progress
        )
    with place(str(path)):
        put(path, graph.to_graphml().encode())
    counts = {
        "state": len(graph.states),
        "move": len(graph.edges),
        "exit": len(graph.exits),
        "dead end": len(graph.dead_ends),
    }
    more = "; there may be more: a motion with a moving pivot is unclear" if graph.unclear else ""
    click.echo(", ".join(count_of(n, word) for word, n in counts.items()) + more)
