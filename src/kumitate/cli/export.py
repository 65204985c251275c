"""kumitate export: what printers, screens, lasers and woodworkers need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli.arguments import (
    AMOUNT,
    open_puzzle,
    problem_option,
    puzzle_argument,
    the_problem,
)
from kumitate.disk import put, require_free
from kumitate.model.errors import PuzzleError

if TYPE_CHECKING:
    from kumitate.files.document import Document
    from kumitate.model.puzzle import Problem
    from kumitate.model.solution import Solution

LOOKED_AT = 200  # assemblies, in search of one that comes apart


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
        except ValueError:
            self.fail(f"{value!r} is no length; write {self._example()}", param, ctx)
        if len(lengths) not in self.counts:
            self.fail(f"{value!r} has {len(lengths)} numbers; write {self._example()}", param, ctx)
        return lengths

    def _example(self) -> str:
        return " or ".join("x".join(["15"] * count) for count in self.counts)


_MAKING = (
    click.option("--unit", type=Lengths(1, 3), help="A cell's size in mm [by the longest piece]."),
    click.option("--inset", type=float, metavar="MM", help="Clearance on every face [0.07]."),
    click.option("--bevel", type=float, metavar="MM", help="Chamfer of outer edges [0.5]."),
    click.option("--bevel-units", is_flag=True, default=None, help="Chamfer every cell."),
    click.option("--wall", type=float, metavar="MM", help="Hollow, with walls so thick."),
    click.option("--drain", type=float, metavar="MM", help="A hole so wide into the hollow."),
    click.option("--label", is_flag=True, default=None, help="Engrave the pieces' names."),
    click.option("--neck", type=float, help="How thick necks between balls are, of a ball's size."),
)  # fmt: skip


def making_options(command: Callable[..., None]) -> Callable[..., None]:
    return reduce(lambda made, option: option(made), reversed(_MAKING), command)


@click.command()
@puzzle_argument
@click.option("--to", "to", metavar="FILE", help="What to write; its suffix says in which format.")
@click.option("--html", is_flag=True, help="A page to send, named after the puzzle.")
@click.option("--show", metavar="VIEW", help="What it shows, if that format can show several.")
@problem_option
@click.option("--assembly", type=AMOUNT, metavar="N", help="The N-th assembly.")
@click.option("--solution", type=AMOUNT, metavar="N", help="The N-th that comes apart.")
@making_options
@click.option("--bed", type=Lengths(2), help="Print bed [180x180], or laser sheet [300x200].")
@click.option("--gap", type=float, metavar="MM", help="Between pieces on the bed [6].")
@click.option("--each", is_flag=True, help="A file for each piece.")
@click.option("--split", is_flag=True, help="Parts that print without support, to snap together.")
@click.option("--width", type=click.IntRange(16, 10_000), metavar="PIXELS", help="Of a picture.")
@click.option("--max-states", type=AMOUNT, metavar="N", help="At most so many (graph).")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def export(
    puzzle: str,
    to: str | None,
    html: bool,
    show: str | None,
    problem: str | None,
    assembly: int | None,
    solution: int | None,
    max_states: int | None,
    force: bool,
    **options: Any,
) -> None:
    """Write a puzzle for printers, screens, lasers, paper, e.g. kumitate export soma --to soma.3mf

    \b
    .stl .3mf .obj .scad   pieces on print beds (or --show assembly, box)
    .glb .gif .apng        how it comes apart, played
    .html                  a page that plays it, for any browser (or --show booklet)
    .svg .png              pieces (or --show assembly, exploded, layers, steps, sheets, sticks)
    .pdf                   a booklet: cover, pieces, steps
    .txt .csv              an assembly in layers (or --show sticks: a cut list)
    .dxf                   outlines for a laser cutter
    .json                  everything; .graphml the states it can be moved to
    """
    document = open_puzzle(puzzle, problem)
    path = _path(puzzle, to, html)
    if path.suffix == ".json":
        _write_json(document, path, assembly, solution, force)
        return
    if path.suffix == ".graphml":
        _write_states(document, path, assembly or 1, max_states, force)
        return
    from kumitate.output.export import OF_ASSEMBLIES, view_for

    view = view_for(path, show)
    require_free(path, force)
    what: Any = document.puzzle
    if view in OF_ASSEMBLIES:
        apart = view in ("steps", "booklet") and assembly is None
        what = _of_run(puzzle, solution or assembly) or _found(document, assembly, solution, apart)
    elif document.puzzle.problems:
        what = document.puzzle.problems[0]
        if view == "pieces" and path.suffix in (".svg", ".png"):
            what = document.puzzle
    _write(document, what, path, show, force, options)


def _path(puzzle: str, to: str | None, html: bool) -> Path:
    if to and html:
        raise PuzzleError("--html names the file itself; give either --html or --to FILE.html")
    if html:
        return Path(f"{Path(puzzle).name.split('.')[0]}.html")
    if not to:
        raise PuzzleError("--to FILE says what to write, e.g. --to pieces.3mf")
    return Path(to)


def _write(
    document: Document,
    what: Any,
    path: Path,
    show: str | None,
    force: bool,
    options: dict[str, Any],
) -> None:
    from rich.console import Console

    from kumitate.output.export import export as write
    from kumitate.output.make import Make

    names = {field.name for field in fields(Make)}
    given = {name: value for name, value in options.items() if value is not None and name in names}
    if "unit" in given and len(given["unit"]) == 1:
        given["unit"] = given["unit"][0]
    said: list[str] = []
    with Console(stderr=True).status(f"writing {path.name}"):
        made = write(
            what,
            path,
            show=show,  # type: ignore[arg-type]
            make=Make(**given),
            bed=options["bed"],
            gap=options["gap"],
            each=options["each"],
            split=options["split"],
            width=options["width"],
            puzzle=document.puzzle,
            force=force,
            tell=said.append,
        )
    for line in (*map(str, made), *said):
        click.echo(line)


# ---- which assembly ----


def _of_run(file: str, number: int | None) -> Solution | None:
    """Of a run the solution with this number, else the best; None if the file is no run."""
    from kumitate.cli.runs import solution_of
    from kumitate.store import is_run, open_run

    if not is_run(file):
        return None
    with open_run(file) as run:
        best = number is None and run.options.disassemble
        return solution_of(run, number or 1, "level" if best else "found")


def _found(document: Document, assembly: int | None, solution: int | None, apart: bool) -> Solution:
    """A solution saved in the file, or one that is searched for; apart if that is wanted."""
    from kumitate.model.solution import Solution

    problem = the_problem(document, "an assembly")
    [answers] = document.answers
    kept = [s for s in (answers.solutions if answers else ()) if s.disassembly or not apart]
    if assembly is None and len(kept) >= (solution or 1):
        return kept[(solution or 1) - 1]
    if assembly is not None or (solution is None and not apart):
        return Solution(_assembly(problem, assembly or 1))
    if solution is not None:
        return _solution(problem, solution)
    return _first_apart(problem)


def _assembly(problem: Problem, number: int) -> Any:
    from itertools import islice

    from kumitate.search.assemble import assemble

    found = next(islice(assemble(problem), number - 1, None), None)
    if found is None:
        raise PuzzleError(f"--assembly {number}: there are not so many")
    return found


def _solution(problem: Problem, number: int) -> Solution:
    from itertools import islice

    from kumitate.search.solve import solve

    found = next(islice(solve(problem), number - 1, None), None)
    if found is None:
        raise PuzzleError(f"--solution {number}: there are not so many")
    return found


def _first_apart(problem: Problem) -> Solution:
    """The first assembly that comes apart, or the first of all if none soon does."""
    from itertools import islice

    from kumitate.model.solution import Solution
    from kumitate.search.assemble import assemble
    from kumitate.search.disassemble import Bench

    bench = Bench(problem, False, False)
    first = None
    for assembly in islice(assemble(problem), LOOKED_AT):
        first = first or assembly
        ending = bench.examine(assembly, None, None, 1)
        if ending.disassembly:
            return Solution(assembly, ending.disassembly)
    if first is None:
        raise PuzzleError("there is no assembly to show: the pieces do not fill the goal")
    click.echo("kumitate: no assembly that comes apart was found; the first is shown", err=True)
    return Solution(first)


# ---- what is not a picture ----


def _write_json(
    document: Document,
    path: Path,
    assembly: int | None,
    solution: int | None,
    force: bool,
) -> None:
    """The puzzle as kumitate saves it, with a solution if one is asked for."""
    from kumitate.files import write
    from kumitate.model.solution import Answers

    require_free(path, force)
    if assembly or solution:
        found = _found(document, assembly, solution, solution is not None)
        [answers] = document.answers
        document = replace(document, answers=[replace(answers or Answers(), solutions=[found])])
    for lost in write(document, path):
        click.echo(f"kumitate: {path.name}: {lost}", err=True)
    click.echo(str(path))


def _write_states(
    document: Document, path: Path, assembly: int, most: int | None, force: bool
) -> None:
    """Every state that is reached before anything separates is a node, every move an edge."""
    from kumitate.search.states import MOST_STATES, explore

    require_free(path, force)
    problem = the_problem(document, "a graph of states")
    graph = explore(_assembly(problem, assembly), max_states=most or MOST_STATES)
    put(path, graph.to_graphml().encode())
    counts = {
        "state": len(graph.states),
        "move": len(graph.edges),
        "exit": len(graph.exits),
        "dead end": len(graph.dead_ends),
    }
    click.echo(", ".join(f"{n:,} {word}{'s' * (n != 1)}" for word, n in counts.items()))
