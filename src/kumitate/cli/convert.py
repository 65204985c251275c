"""kumitate convert: between file formats and grids."""

import click

from kumitate.cli.arguments import (
    force_option,
    open_puzzle,
    output_option,
    problem_option,
    puzzle_argument,
    puzzle_output,
    tell,
)
from kumitate.model.errors import PuzzleError


@click.command()
@puzzle_argument
@output_option("Where to save the puzzle.", required=True)
@problem_option
@click.option("--grid", metavar="NAME", help="Rewrite all shapes in the cells of this grid.")
@force_option
def convert(puzzle: str, output: str, problem: str | None, grid: str | None, force: bool) -> None:
    """Save a puzzle in another format, e.g. kumitate convert soma -o soma.xmpuzzle

    The suffix is the format: .kumitate.json, .kumitate.json.gz, .xmpuzzle (BurrTools) or .scad
    (puzzlecad). Whatever a format cannot hold is reported on stderr.
    """
    from kumitate.files import write
    from kumitate.files.regrid import regrid
    from kumitate.model.grids import GRIDS
    from kumitate.search.check import phase_note

    if grid is not None and grid not in GRIDS:
        raise PuzzleError(f"--grid {grid}: unknown; kumitate has {', '.join(GRIDS)}")
    document = open_puzzle(puzzle, problem)
    path = puzzle_output(output, force, GRIDS[grid] if grid else document.puzzle.grid)
    if grid is not None:
        known = len(document.warnings)
        document = regrid(document, GRIDS[grid])
        tell(puzzle, document.warnings[known:])
    tell(path, write(document, path))
    tell(path, phase_note(document.puzzle))
