"""kumitate first and pack: one assembly of a large packing, and the most pieces that fit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli.arguments import INTERRUPTED, open_puzzle, puzzle_argument, tell
from kumitate.cli.line import live_line
from kumitate.cli.solve import pick
from kumitate.disk import put, require_free

if TYPE_CHECKING:
    from kumitate.files.document import Document
    from kumitate.model.puzzle import Problem
    from kumitate.model.solution import Assembly
    from kumitate.search.findone import Found

_problem = click.option(
    "--problem", type=click.IntRange(1), default=1, metavar="N", help="The N-th [1]."
)
_seed = click.option("--seed", type=click.IntRange(0), default=0, help="Other random choices.")
_output = click.option(
    "--output", metavar="FILE", help="Save it: .kumitate.json, .xmpuzzle or .csv."
)
_force = click.option("--force", is_flag=True, help="Replace FILE if it exists.")
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command()
@puzzle_argument
@click.option("--seconds", type=click.FloatRange(0), metavar="S", help="Give up after S seconds.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "cover", "sat", "local", "divide"]),
    default="auto",
    help="auto runs several at once.",
)
@_seed
@_problem
@click.option("--why", is_flag=True, help="If there is none, a smallest part that conflicts.")
@click.option("--graph", metavar="FILE", help="Only write the collision graph, in DIMACS format.")
@_output
@_force
@_json
def first(
    puzzle: str,
    seconds: float | None,
    engine: str,
    seed: int,
    problem: int,
    why: bool,
    graph: str | None,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Find one assembly of a large packing, or why there is none, e.g. kumitate first y25

    An engine that is not installed is left out by auto, which says so when nothing was found.
    """
    document = open_puzzle(puzzle)
    asked = pick(document.puzzle, problem)[0]
    for file in filter(None, (output, graph)):
        require_free(Path(file), force)
    if graph is not None:
        put(Path(graph), _graph(asked).encode())
        return
    from kumitate.search.findone import first as find

    with live_line(as_json) as show:
        found = find(
            asked,
            seconds=seconds,
            engine=engine,
            seed=seed,
            progress=lambda now: show(
                lambda spent: (
                    f"{now.nodes:,} nodes, {now.restarts:,} restarts"
                    + (f", {now.placed} placed at once" if now.placed else "")
                    + f", {spent:.0f} s"
                )
            ),
        )
    if as_json:
        _print_json(document, asked, found)
    else:
        _print(asked, found)
    if found.argument is not None and why:
        from kumitate.search.findone import why as conflict

        click.echo(f"\n{conflict(asked)}")
    if found.assembly is None:
        raise SystemExit(1)
    if output is not None:
        _save(document, asked, found.assembly, output)


@click.command()
@puzzle_argument
@click.option("--seconds", type=click.FloatRange(0), default=10, metavar="S", help="For so long.")
@click.option("--cells", is_flag=True, help="The most cells, not the most pieces.")
@click.option("--bound", is_flag=True, help="Also ask CP-SAT how many can be at most.")
@_seed
@_problem
@_output
@_force
@_json
def pack(
    puzzle: str,
    seconds: float,
    cells: bool,
    bound: bool,
    seed: int,
    problem: int,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Place as many pieces as fit, though they do not fill the goal, e.g. kumitate pack soma"""
    import json

    document = open_puzzle(puzzle)
    asked = pick(document.puzzle, problem)[0]
    if output is not None:
        require_free(Path(output), force)
    from kumitate.search.pack import pack as work

    with live_line(as_json) as show:
        packing = work(
            asked,
            by="cells" if cells else "pieces",
            seconds=seconds,
            bound=bound,
            seed=seed,
            progress=lambda now: show(
                lambda spent: f"{now.best} placed so far, at most {now.bound}, {spent:.0f} s"
            ),
        )
    if as_json:
        row: dict[str, Any] = {"by": packing.by, "best": packing.best, "bound": packing.bound}
        row |= {"optimal": packing.optimal, "seconds": round(packing.seconds, 3)}
        row |= {"placements": _placements(packing.assembly)}
        click.echo(json.dumps(_about(document, asked) | row))
    else:
        click.echo(str(packing))
    if output is not None:
        _save(document, packing.assembly.problem, packing.assembly, output)
    if packing.interrupted:
        raise SystemExit(INTERRUPTED)


def _print(problem: Problem, found: Found) -> None:
    from kumitate.search.findone import missing_engines

    if found.assembly is not None:
        click.echo(f"{found.assembly}\n")
        click.echo(f"found by {found.engine} ({found.nodes:,} nodes, {found.seconds:.2f} s)")
    elif found.argument is not None:
        click.echo(f"there is none: {found.argument.told(problem)}")
        if found.engine:
            click.echo(f"by {found.engine} ({found.nodes:,} nodes, {found.seconds:.2f} s)")
    else:
        click.echo(str(found))
        for engine, command in missing_engines().items():
            click.echo(f"engine {engine} is not installed; get it by: {command}")


def _print_json(document: Document, problem: Problem, found: Found) -> None:
    import json

    from kumitate.search.findone import missing_engines

    row: dict[str, Any] = {"found": found.assembly is not None, "none": found.argument is not None}
    row |= {"engine": found.engine, "nodes": found.nodes, "seconds": round(found.seconds, 3)}
    if found.assembly is not None:
        row["placements"] = _placements(found.assembly)
    if found.argument is not None:
        row["argument"] = found.argument.told(problem)
    row["missing"] = missing_engines()
    click.echo(json.dumps(_about(document, problem) | row))


def _about(document: Document, problem: Problem) -> dict[str, Any]:
    title, grid = document.puzzle.title, problem.grid.name
    return {"puzzle": title, "problem": problem.name, "grid": grid}


def _placements(assembly: Assembly) -> list[list[Any]]:
    return [[p.piece, p.turn, list(p.shift)] for p in assembly.placements]


def _graph(problem: Problem) -> str:
    """The collision graph, with what each vertex stands for in comments."""
    from kumitate.search.assemble import Question

    question = Question(problem, False, hopeless=True)
    lines = [
        "c collision graph: a vertex is a placement, an edge joins two that cannot both be used",
        "c vertex: piece, turn, shift",
    ]
    *_, names, _ = question.core.cover()
    for vertex, name in enumerate(names, 1):
        kind, turn, x, y, z = question.table.rows[name]
        label = problem.label(question.table.kinds[kind][0])
        lines.append(f"c {vertex}: {label}, {turn}, {x} {y} {z}")
    return "\n".join(lines) + "\n" + question.core.dimacs()


def _save(document: Document, problem: Problem, assembly: Assembly, output: str) -> None:
    """As a puzzle with its solution, or as a table of points."""
    from dataclasses import replace

    from kumitate.files import write
    from kumitate.files.document import Document as Saved
    from kumitate.model.solution import Answers, Solution
    from kumitate.output.points import points_csv

    if output.endswith(".csv"):
        put(Path(output), points_csv(assembly).encode())
        return
    shapes = dict.fromkeys([*(p.shape for p in problem.pieces), problem.goal])
    puzzle = replace(document.puzzle, shapes=list(shapes), problems=[problem])
    tell(output, write(Saved(puzzle, [Answers([Solution(assembly)])]), output))
