"""kumitate shapes: assemblies become the pieces of a new puzzle."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumitate.cli.arguments import open_puzzle, puzzle_argument, tell
from kumitate.cli.solve import pick
from kumitate.model.errors import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumitate.model.puzzle import Puzzle
    from kumitate.model.shape import Shape
    from kumitate.model.solution import Assembly


@click.command()
@puzzle_argument
@click.argument("output")
@click.option("--problem", type=click.IntRange(1), metavar="N", help="Of problem N [1].")
@click.option("--pieces", metavar="A,B", help="Only these pieces of each assembly, joined.")
@click.option("--connected", is_flag=True, help="Only those that hang together.")
@click.option("--symmetric/--asymmetric", default=None, help="Only those with (without) symmetry.")
@click.option("--cells", metavar="N..M", help="Only those with N to M cells.")
@click.option("--identical", is_flag=True, help="Also those that turns make into another.")
@click.option("--free", is_flag=True, help="A shape and its mirror image count once.")
@click.option("--count", default="0..1", metavar="N..M", help="Of each in the new problem [0..1].")
@click.option("--goal", metavar="NAME", help="The new problem's goal: a shape of PUZZLE.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="The first N shapes.")
@click.option("--force", is_flag=True, help="Replace OUTPUT if it exists.")
def shapes(
    puzzle: str,
    output: str,
    problem: int | None,
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
    """Make each assembly a piece of a new puzzle.

    PUZZLE may be a run, whose assemblies are then taken. With a range of single cells a problem
    generates pieces, e.g. kumitate shapes sticks.xmpuzzle new.kumitate.json --connected
    """
    from kumitate.disk import require_free
    from kumitate.files import write
    from kumitate.files.document import MOST_CELLS, Document
    from kumitate.search.generate import assembly_shapes

    require_free(Path(output), force)
    between, counts = _range("--cells", cells) if cells else None, _range("--count", count)
    source, assemblies = _assemblies(puzzle, problem)
    target = _goal(source, goal)
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
    tell(output, write(Document(_puzzle(source, made, target, counts)), output))
    click.echo(f"{len(made):,} shape{'s' * (len(made) != 1)} in {output}")
    if not made:
        raise SystemExit(1)


def _assemblies(name: str, number: int | None) -> tuple[Puzzle, Iterator[Assembly]]:
    """Those that a run keeps, or all that a search finds, mirror images apart."""
    from kumitate.search.assemble import assemble
    from kumitate.store import is_run, open_run

    if is_run(name):
        if number is not None:
            raise PuzzleError("--problem does not go with a run, which is of one problem")
        run = open_run(name)
        return run.puzzle, (solution.assembly for solution in run)
    puzzle = open_puzzle(name).puzzle
    [problem] = pick(puzzle, number or 1)
    return puzzle, assemble(problem, mirrors=True)


def _range(option: str, text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", text)
    if not found or int(found[1]) > int(found[2] or found[1]):
        raise PuzzleError(f"{option} {text}: write a number, or a range as 5..7")
    return int(found[1]), int(found[2] or found[1])


def _goal(puzzle: Puzzle, name: str | None) -> Shape | None:
    if name is None:
        return None
    named = {puzzle.label(n): shape for n, shape in enumerate(puzzle.shapes)}
    if name not in named:
        raise PuzzleError(f"--goal {name}: there is no such shape; there are {', '.join(named)}")
    return named[name].named("goal")


def _puzzle(
    source: Puzzle, made: list[Shape], goal: Shape | None, counts: tuple[int, int]
) -> Puzzle:
    from kumitate.model.puzzle import Piece, Problem, Puzzle
    from kumitate.model.shape import Shape

    problem = Problem(goal or Shape(source.grid, set()), [Piece(shape, *counts) for shape in made])
    shapes = [*made, *([goal] if goal else [])]
    title = f"Pieces from {source.title}" if source.title else ""
    return Puzzle(source.grid, shapes, [problem], title, colours=source.colours)
