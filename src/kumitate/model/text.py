"""A page of text: layers of a grid side by side, rows from top to bottom, one token a cell.

    AAB  A.B          A page holds the layers of whatever is drawn. A blank line starts further
    ABB  ..B          layers below the first ones; `/` may stand for the end of a row.

Which cell stands at a column, row and layer is the grid's business (Grid.spot); what the tokens
mean is the business of whoever reads the page.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ZERO, Cell, Vector, subtract
from kumitate.model.grid import Grid

WIDTH = 78


def read_page(text: str, token: re.Pattern[str]) -> Iterator[tuple[Vector, str]]:
    """Every (column, row, layer) of a page with the token that stands there.

    >>> list(read_page("A. ./B. C", re.compile(".")))[:3]
    [((0, 0, 0), 'A'), ((1, 0, 0), '.'), ((0, 0, 1), '.')]
    """
    first_layer = 0
    for block in re.split(r"\n\s*\n", text.replace("/", "\n").strip()):
        rows = [line.split() for line in block.splitlines()]
        for y, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise PuzzleError(
                    f"drawing: row {y + 1} shows {len(row)} layers, row 1 shows {len(rows[0])}"
                )
            for z, layer in enumerate(row, first_layer):
                end = 0
                for x, found in enumerate(token.finditer(layer)):
                    if found.start() != end:
                        break
                    end = found.end()
                    yield (x, y, z), found.group()
                if end != len(layer):
                    raise PuzzleError(
                        f"drawing: row {y + 1} has {layer[end]!r}, which is not a valid symbol"
                    )
        first_layer += len(rows[0]) if rows else 0


def draw_page(grid: Grid, tokens: Mapping[Cell, str], gap: str = "  ", width: int = WIDTH) -> str:
    """The page that shows these cells, from its corner on; as many layers side by side as fit.

    >>> from kumitate.model.grids import CUBES
    >>> print(draw_page(CUBES, {(4, 0, 0, 0): "A", (5, 1, 0, 0): "B"}))
    A.
    .B
    """
    if not tokens:
        return "."
    corner = grid.spot_shift(page_corner(grid, tokens))
    at = {subtract(grid.spot(cell), corner): token for cell, token in tokens.items()}
    columns, rows, layers = (max(axis) + 1 for axis in zip(*at, strict=True))
    abreast = max(1, (width + len(gap)) // (columns + len(gap)))
    blocks = []
    for first in range(0, layers, abreast):
        some = range(first, min(first + abreast, layers))
        blocks.append(
            "\n".join(
                gap.join("".join(at.get((x, y, z), ".") for x in range(columns)) for z in some)
                for y in range(rows)
            )
        )
    return "\n\n".join(blocks)


def layers_of(grid: Grid, cells: Collection[Cell]) -> list[list[Cell]]:
    """Cells by the layers of a page, the bottom layer first.

    >>> from kumitate.model.grids import CUBES
    >>> layers_of(CUBES, {(0, 0, 1, 0), (0, 0, 0, 0), (1, 0, 0, 0)})
    [[(0, 0, 0, 0), (1, 0, 0, 0)], [(0, 0, 1, 0)]]
    """
    found: dict[int, list[Cell]] = {}
    for cell in sorted(cells):
        found.setdefault(grid.spot(cell)[2], []).append(cell)
    return [found[layer] for layer in sorted(found)]


def page_corner(grid: Grid, cells: Collection[Cell]) -> Vector:
    """The lattice vector at whose spot a drawing of these cells begins."""
    if not cells:
        return ZERO
    column, row, layer = (min(axis) for axis in zip(*map(grid.spot, cells), strict=True))
    return grid.shift_before((column, row, layer))


def side_by_side(blocks: Sequence[str], gap: int = 2, width: int = WIDTH) -> str:
    """Blocks of text in rows, each row as wide as fits, aligned at the top.

    >>> print(side_by_side(["ab\\nc", "d"]))
    ab  d
    c
    """
    rows: list[list[list[str]]] = []
    room = 0
    for block in blocks:
        lines = block.split("\n")
        wide = max(map(len, lines))
        padded = [line.ljust(wide) for line in lines]
        if not rows or wide > room:
            rows.append([])
            room = width
        rows[-1].append(padded)
        room -= wide + gap
    return "\n\n".join(
        "\n".join(
            (" " * gap)
            .join(block[i] if i < len(block) else " " * len(block[0]) for block in row)
            .rstrip()
            for i in range(max(map(len, row)))
        )
        for row in rows
    )


def require_text(**texts: str) -> None:
    """Texts that every file can hold: no half of a character.

    >>> require_text(name="\\ud800")
    Traceback (most recent call last):
    kumitate.PuzzleError: name '\\ud800' has half a character (a lone surrogate); type it again
    """
    for what, text in texts.items():
        if not isinstance(text, str):
            raise PuzzleError(f"{what} {text!r}: it must be text (a str)")
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise PuzzleError(
                f"{what} {text[:40]!r} has half a character (a lone surrogate); type it again"
            )


def wrap_pairs(legend: str, width: int = WIDTH) -> list[str]:
    """The lines of a legend, none of whose pairs is broken.

    >>> wrap_pairs("A = frame, B = stick", 12)
    ['A = frame,', 'B = stick']
    """
    from textwrap import wrap  # an import that only this function needs

    lines = wrap(legend.replace(" = ", "\xa0=\xa0"), width)
    return [line.replace("\xa0", " ") for line in lines]


def require_colour(what: str, colour: str) -> str:
    """A colour as it is kept, in lower case.

    >>> require_colour("colour 1", "#C82828")
    '#c82828'
    >>> require_colour("colour 1", "red")
    Traceback (most recent call last):
    kumitate.PuzzleError: colour 1 is 'red'; write it as '#rrggbb'
    """
    if not isinstance(colour, str) or not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise PuzzleError(f"{what} is {str(colour)[:20]!r}; write it as '#rrggbb'")
    return colour.lower()
