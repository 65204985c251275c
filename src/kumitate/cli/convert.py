"""kumitate convert: between file formats and grids."""

import click

from kumitate.cli import arguments
from kumitate.model.errors import PuzzleError


@click.command()
@arguments.puzzle_argument
@arguments.output_option("Where to save the puzzle.", required=True)
@arguments.problem_option
@click.option("--grid", metavar="NAME", help="Rewrite all shapes in the cells of this grid.")
@arguments.force_option
def convert(puzzle: str, output: str, problem: str | None, grid: str | None, force: bool) -> None:
    """Save a puzzle in another format, e.g. kumitate convert soma -o soma.xmpuzzle

    The suffix sets the format: .kumitate.json, .kumitate.json.gz, .xmpuzzle (BurrTools) or .scad
    (puzzlecad). Whatever a format cannot hold is reported on stderr.
    """
    from kumitate.files import write
    from kumitate.files.document import place
    from kumitate.files.regrid import regrid
    from kumitate.model.grids import GRIDS
    from kumitate.search.check import phase_note

    if grid is not None and grid not in GRIDS:
        raise PuzzleError(f"--grid {grid}: unknown; kumitate has {', '.join(GRIDS)}")
    document = arguments.open_puzzle(puzzle, problem)
    path = arguments.puzzle_output(output, force, GRIDS[grid] if grid else document.puzzle.grid)
    if grid is not None:
        known = len(document.warnings)
        with place(f"--grid {grid}"):
            document = regrid(document, GRIDS[grid])
        arguments.print_warnings(puzzle, document.warnings[known:])
    arguments.print_warnings(path, write(document, path))
    arguments.print_warnings(path, phase_note(document.puzzle))
