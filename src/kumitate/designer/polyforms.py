"""All connected shapes of n cells: polycubes, polyominoes, polyiamonds, polyspheres, ...

Every shape of n cells is a shape of n - 1 cells plus a neighbour, so each generation grows from the
canonical shapes of the last. Slow and plain: for thousands of shapes, not for millions.
"""

from collections.abc import Iterable

from kumitate.designer.assembly_shapes import shape_key
from kumitate.model.geometry import ONE, transpose
from kumitate.model.grid import Grid, Turn
from kumitate.model.numbers import require_whole
from kumitate.model.shape import Shape


def polyforms(grid: Grid, n: int, mirrors: bool = False, flat: bool = False) -> list[Shape]:
    """One of each connected shape of n cells, counted up to turns.

    `mirrors=True` counts a shape and its mirror image once (the "free" polyforms).
    `flat=True` stays in one layer and never turns it over: CUBES then gives the polyominoes, PRISMS
    the polyiamonds and HEXAGONS the polyhexes, one-sided unless `mirrors` is given.

    >>> from kumitate.model.grids import CUBES
    >>> [len(polyforms(CUBES, n)) for n in range(1, 6)]
    [1, 1, 2, 8, 29]
    >>> [len(polyforms(CUBES, n, mirrors=True, flat=True)) for n in range(1, 6)]
    [1, 1, 2, 5, 12]
    """
    require_whole(0, n=n)
    turns = grid.turns + (grid.mirrors if mirrors else ())
    if flat:
        turns = tuple(turn for turn in turns if _keeps_layers(grid, turn))
    starts = (Shape(grid, {(0, 0, 0, tile)}) for tile in range(len(grid.tiles)))
    found = {_canonical(shape, turns) for shape in starts}
    for _ in range(n - 1):
        grown = (
            Shape(grid, shape.cells | {cell})
            for shape in found
            for cell in {c for old in shape.cells for c in shape.neighbours(old)} - shape.cells
            if not flat or grid.spot(cell)[2] == grid.spot(min(shape.cells))[2]
        )
        found = {_canonical(shape, turns) for shape in grown}
    return sorted(found, key=lambda shape: sorted(shape.cells)) if n > 0 else []


def _canonical(shape: Shape, turns: Iterable[Turn]) -> Shape:
    return Shape(shape.grid, {(x, y, z, tile) for x, y, z, tile, _ in shape_key(shape, turns)})


def _keeps_layers(grid: Grid, turn: Turn) -> bool:
    """Whether a turn maps every layer of the page to a layer, with the same side up."""
    layer = [grid.spot_shift(axis)[2] for axis in ONE]
    moved = [grid.spot_shift(axis)[2] for axis in transpose(turn.matrix)]
    return moved == [turn.divisor * z for z in layer]
