"""kumitate shapes: assemblies become the pieces of a new puzzle."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import click

from kumitate.cli.arguments import (
    amount_option,
    force_option,
    open_puzzle,
    output_option,
    print_warnings,
    problem_option,
    puzzle_argument,
    puzzle_output,
    the_problem,
)
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumitate.model.puzzle import Puzzle
    from kumitate.model.shape import Shape
    from kumitate.model.solution import Assembly


@click.command()
@puzzle_argument
@output_option("Where to save the new puzzle.", required=True)
@problem_option
@click.option("--pieces", metavar="A,B", help="Join only these pieces of each assembly.")
@click.option("--connected", is_flag=True, help="Keep only connected shapes.")
@click.option(
    "--symmetric/--asymmetric", default=None, help="Only shapes with, or without, symmetry."
)
@click.option("--cells", metavar="N..M", help="Only shapes of N to M cells.")
@click.option("--identical", is_flag=True, help="Keep shapes that are rotations of each other.")
@click.option("--free", is_flag=True, help="Count a shape and its mirror image once.")
@click.option(
    "--count",
    default="0..1",
    metavar="N..M",
    help="How many of each the new problem uses. Default: 0..1.",
)
@click.option("--goal", metavar="NAME", help="The goal of the new problem: a shape of PUZZLE.")
@amount_option("--limit", "Stop after N shapes.")
@force_option
def shapes(
    puzzle: str,
    output: str,
    problem: str | None,
    pieces: str | None,
    connected: bool,
    symmetric: bool | None,
    cells: str | None,
    identical: bool,
    free: bool,
    count: str,
    goal: str | None,
    limit: int | None,
    force: bool,
) -> None:
    """Make each assembly a piece of a new puzzle, e.g. kumitate shapes soma -o new.kumitate.json

    If PUZZLE is a run, its saved assemblies are used. To generate pieces, use a problem whose only
    piece is a single cell with a range of copies:
    kumitate shapes sticks.xmpuzzle -o new.kumitate.json --connected
    """
    from kumitate.designer.assembly_shapes import assembly_shapes, puzzle_from
    from kumitate.files import write
    from kumitate.files.document import MOST_CELLS, Document

    between, counts = _range("--cells", cells) if cells else None, _range("--count", count)
    source, assemblies = _assemblies(puzzle, problem)
    target = _goal(source, goal)
    path = puzzle_output(output, force, source.grid)
    found = assembly_shapes(
        assemblies,
        pieces=pieces.split(",") if pieces else None,
        connected=connected,
        symmetric=symmetric,
        cells=between,
        distinct=not identical,
        mirrors=free,
    )
    made: list[Shape] = []
    size = len(target) if target else 0
    for shape in islice(found, limit):
        size += len(shape)
        if size > MOST_CELLS:
            raise PuzzleError(f"more than {MOST_CELLS:,} cells in all; use --limit or ask for less")
        made.append(shape.named(f"S{len(made) + 1}"))
    print_warnings(path, write(Document(puzzle_from(source, made, target, counts)), path))
    click.echo(f"{count_of(len(made), 'shape')} in {output}")
    if not made:
        raise SystemExit(1)


def _assemblies(name: str, problem: str | None) -> tuple[Puzzle, Iterator[Assembly]]:
    """Those that a run keeps, or all that a search finds, mirror images apart."""
    from kumitate.search.assemble import assemble
    from kumitate.store import is_run, open_run

    if is_run(name):
        if problem is not None:
            raise PuzzleError("--problem cannot be combined with a run, which has only one problem")
        run = open_run(name)
        return run.puzzle, (solution.assembly for solution in run)
    document = open_puzzle(name, problem)
    return document.puzzle, assemble(the_problem(document, "shapes"), mirrors=True)


def _range(option: str, text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", text)
    if not found or int(found[1]) > int(found[2] or found[1]):
        raise PuzzleError(f"{option} {text}: write a number, or a range such as 5..7")
    return int(found[1]), int(found[2] or found[1])


def _goal(puzzle: Puzzle, name: str | None) -> Shape | None:
    if name is None:
        return None
    named = {puzzle.label(n): shape for n, shape in enumerate(puzzle.shapes)}
    if name not in named:
        raise PuzzleError(
            f"--goal {name}: there is no such shape; the shapes are {', '.join(named)}"
        )
    return named[name].named("goal")
