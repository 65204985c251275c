"""kumitate convert: between file formats and grids."""

from pathlib import Path

import click

from kumitate.cli.arguments import open_puzzle, puzzle_argument, tell
from kumitate.disk import require_free
from kumitate.model.errors import PuzzleError


@click.command()
@puzzle_argument
@click.argument("output")
@click.option("--grid", metavar="NAME", help="Rewrite all shapes in the cells of this grid.")
@click.option("--force", is_flag=True, help="Replace OUTPUT if it exists.")
def convert(puzzle: str, output: str, grid: str | None, force: bool) -> None:
    """Save a puzzle as OUTPUT, in the format that its name asks for.

    Formats: .kumitate.json, .kumitate.json.gz, .xmpuzzle (BurrTools), .scad (puzzlecad). What a
    format cannot keep is told on stderr, e.g. kumitate convert old.xmpuzzle new.kumitate.json
    """
    from kumitate.files import write
    from kumitate.files.regrid import regrid
    from kumitate.model.grids import GRIDS
    from kumitate.search.check import phase_note

    document = open_puzzle(puzzle)
    require_free(Path(output), force)
    if grid is not None:
        if grid not in GRIDS:
            raise PuzzleError(f"--grid {grid}: unknown; kumitate has {', '.join(GRIDS)}")
        known = len(document.warnings)
        document = regrid(document, GRIDS[grid])
        tell(puzzle, document.warnings[known:])
    tell(output, write(document, output))
    tell(output, phase_note(document.puzzle))
