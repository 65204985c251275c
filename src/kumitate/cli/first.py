"""kumitate first and pack: one assembly of a large packing, and the most pieces that fit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli import UNKNOWN
from kumitate.cli.arguments import (
    SEED,
    force_option,
    json_option,
    open_puzzle,
    output_option,
    print_warnings,
    problem_option,
    problems_of,
    puzzle_argument,
    puzzle_output,
    the_problem,
)
from kumitate.cli.found import Row, draw
from kumitate.cli.progress import progress_line
from kumitate.disk import put
from kumitate.files.document import place
from kumitate.startup import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumitate.files.document import Document
    from kumitate.model.puzzle import Problem
    from kumitate.model.solution import Assembly
    from kumitate.search.one.first import FirstResult

_seed = click.option(
    "--seed", type=SEED, default=0, metavar="N", help="Seed of the random choices. Default: 0."
)


def _seconds_option(text: str, default: float | None = None) -> Callable[..., Any]:
    return click.option("--seconds", type=float, default=default, metavar="S", help=text)


@click.command()
@puzzle_argument
@problem_option
@_seconds_option("Give up after S seconds. Default: never.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "cover", "sat", "local", "divide"]),
    default="auto",
    help="How to search. Default: auto, which runs several engines side by side.",
)
@_seed
@click.option(
    "--why",
    is_flag=True,
    help="If there is no assembly, show a smallest set of cells and pieces that conflict.",
)
@output_option(
    "Save the puzzle with its assembly (.kumitate.json, .xmpuzzle), or the assembly as points"
    " (.csv). With .col, write only the collision graph, in DIMACS format."
)
@force_option
@json_option
def first(
    puzzle: str,
    problem: str | None,
    seconds: float | None,
    engine: str,
    seed: int,
    why: bool,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Find one assembly of a large packing, or why there is none, e.g. kumitate first y25

    The engine auto skips engines that are not installed, and names them if nothing was found.
    """
    document = open_puzzle(puzzle, problem)
    path = _path(document, output, force, ".csv", ".col")
    if path is not None and path.suffix.lower() == ".col":
        with place(str(path)):
            put(path, _graph(document.puzzle.problems[0]).encode())
        return
    from kumitate.search.one.first import first as find

    def work(asked: Problem, row: Row) -> Assembly | None:
        with progress_line(as_json) as show:
            found = find(
                asked,
                seconds=seconds,
                engine=engine,
                seed=seed,
                progress=_shown(
                    show,
                    lambda now: (
                        f"{now.nodes:,} nodes, {now.restarts:,} restarts"
                        + (f", {now.placed:,} placed at once" if now.placed else "")
                    ),
                ),
            )
        _fill(row, asked, found, why)
        if not as_json:
            _print(row, found)
        return found.assembly

    _each(document, work, path, as_json)


@click.command()
@puzzle_argument
@problem_option
@_seconds_option("Search for at most S seconds. Default: 10.", 10)
@click.option(
    "--cells",
    is_flag=True,
    help="Fill as many cells as possible, instead of placing as many pieces.",
)
@click.option("--bound", is_flag=True, help="Also ask OR-Tools for an upper bound.")
@_seed
@output_option(
    "Save the puzzle with the packing (.kumitate.json, .xmpuzzle) or the packing as points (.csv)."
)
@force_option
@json_option
def pack(
    puzzle: str,
    problem: str | None,
    seconds: float,
    cells: bool,
    bound: bool,
    seed: int,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Place as many pieces as fit, even if they do not fill the goal, e.g. kumitate pack soma"""
    document = open_puzzle(puzzle, problem)
    path = _path(document, output, force, ".csv")
    from kumitate.model.solution import Solution
    from kumitate.search.one.pack import pack as fill

    def work(asked: Problem, row: Row) -> Assembly:
        with progress_line(as_json) as show:
            packing = fill(
                asked,
                by="cells" if cells else "pieces",
                seconds=seconds,
                bound=bound,
                seed=seed,
                progress=_shown(
                    show, lambda now: f"{now.best:,} placed so far, at most {now.bound:,}"
                ),
            )
        row |= {"by": packing.by, "best": packing.best, "bound": packing.bound}
        row |= {"optimal": packing.optimal, "interrupted": packing.interrupted}
        row |= {"seconds": round(packing.seconds, 3)}
        if not as_json:
            draw(Solution(packing.assembly), moves=False)
            click.echo(packing.summary)
        return packing.assembly

    _each(document, work, path, as_json)


def _shown(
    show: Callable[[Callable[[float], str]], None], words: Callable[[Any], str]
) -> Callable[[Any], None]:
    """Shows progress in words, with the seconds so far."""
    return lambda now: show(lambda spent: f"{words(now)}, {spent:.0f} s")


def _path(document: Document, output: str | None, force: bool, *others: str) -> Path | None:
    """Where the answer goes, if anywhere: then there is only one problem."""
    if output is None:
        return None
    the_problem(document, "--output")
    return puzzle_output(output, force, document.puzzle.grid, *others)


def _each(
    document: Document,
    work: Callable[[Problem, Row], Assembly | None],
    path: Path | None,
    as_json: bool,
) -> None:
    """Do it for each problem, and leave with the status that says how it went."""
    import json

    from kumitate.files.json import encode_solution
    from kumitate.model.solution import Solution

    problems = problems_of(document)
    rows: list[Row] = []
    for number, problem in enumerate(problems):
        if len(problems) > 1 and not as_json:
            click.echo(("\n" if number else "") + str(problem))
        title, grid = document.puzzle.title, problem.grid.name
        rows.append({"puzzle": title, "problem": problem.name, "grid": grid})
        found = None
        try:
            found = work(problem, rows[-1])
        except KeyboardInterrupt:
            rows[-1]["interrupted"] = True
        solutions = [Solution(found)] if found else []
        rows[-1]["found"] = [json.loads(encode_solution(solution)) for solution in solutions]
        if path is not None and found is not None:
            _save(document, found, path)
        if rows[-1].get("interrupted"):
            break
    if as_json:
        click.echo(json.dumps({"problems": rows}))
    if rows[-1].get("interrupted"):
        raise SystemExit(INTERRUPTED)
    if any(not row["found"] and not row["none"] for row in rows):
        raise SystemExit(UNKNOWN)
    if not any(row["found"] for row in rows):
        raise SystemExit(1)


def _fill(row: Row, problem: Problem, found: FirstResult, why: bool) -> None:
    from kumitate.search.one.first import missing_engines
    from kumitate.search.one.first import why as conflict

    row |= {"none": found.argument is not None, "engine": found.engine}
    row |= {"nodes": found.nodes, "seconds": round(found.seconds, 3)}
    if found.argument is not None:
        row["argument"] = found.argument.describe(problem)
        if why:
            row["why"] = str(conflict(problem))
    row["missing"] = missing_engines()


def _print(row: Row, found: FirstResult) -> None:
    from kumitate.model.solution import Solution

    by = f"by {found.engine} ({found.nodes:,} nodes, {found.seconds:.2f} s)"
    if found.assembly is not None:
        draw(Solution(found.assembly), moves=False)
        click.echo(f"\nfound {by}")
    elif found.argument is not None:
        click.echo(f"no assembly exists: {row['argument']}")
        if found.engine:
            click.echo(f"proved {by}")
        if "why" in row:
            click.echo(f"\n{row['why']}")
    else:
        click.echo(str(found))
        for engine, command in row["missing"].items():
            click.echo(f"engine {engine} is not installed; run: {command}")


def _graph(problem: Problem) -> str:
    """The collision graph, with what each vertex stands for in comments."""
    from kumitate.search.assemble import PreparedProblem

    prepared = PreparedProblem(problem, hopeless=True)
    lines = [
        "c collision graph: a vertex is a placement, an edge joins two that cannot both be used",
        "c vertex: piece, turn, shift",
    ]
    *_, names, _ = prepared.core.cover()
    for vertex, name in enumerate(names, 1):
        kind, turn, x, y, z = prepared.table.rows[name]
        label = problem.label(prepared.table.kinds[kind][0])
        lines.append(f"c {vertex}: {label}, {turn}, {x} {y} {z}")
    return "\n".join(lines) + "\n" + prepared.core.dimacs()


def _save(document: Document, assembly: Assembly, path: Path) -> None:
    """As a puzzle with its solution, or as a table of points."""
    from dataclasses import replace

    from kumitate.files import write
    from kumitate.files.document import Document as Saved
    from kumitate.model.solution import Answers, Solution
    from kumitate.output.formats.points import points_csv

    if path.suffix.lower() == ".csv":
        with place(str(path)):
            put(path, points_csv(assembly).encode())
        return
    problem = assembly.problem
    shapes = dict.fromkeys([*(p.shape for p in problem.pieces), problem.goal])
    puzzle = replace(document.puzzle, shapes=list(shapes), problems=[problem])
    print_warnings(path, write(Saved(puzzle, [Answers([Solution(assembly)])]), path))
