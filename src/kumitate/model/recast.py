"""The same solid in other cells: on another grid, or scaled up on its own.

A cell is recast as the cells of the new grid that lie inside it, and only if their volumes add up
to its own: a solid is cut finer, never changed. The other way round, cells are joined where they
make up whole cells of the coarser grid. The bases are read as exact fractions, so grids that share
an irrational basis (prisms) work and unrelated ones fail.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import floor, lcm

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import (
    Cell,
    Tile,
    Vector,
    add,
    dot,
    facets,
    subtract,
    times,
    triples,
    volume6,
)
from kumitate.model.grid import Grid
from kumitate.model.numbers import require_whole
from kumitate.model.shape import Shape, shift_cell

Point = tuple[Fraction, Fraction, Fraction]  # in lattice coordinates


def recast(shape: Shape, grid: Grid, scale: int = 1) -> Shape:
    """The shape, `scale` times as large, in cells of the grid.

    >>> from kumitate.model.grids import CUBES, RHOMBS
    >>> cube = Shape.from_text(CUBES, "#")
    >>> len(recast(cube, CUBES, 2)), len(recast(cube, RHOMBS))
    (8, 24)
    >>> recast(recast(cube, RHOMBS), CUBES) == cube
    True
    """
    require_whole(1, scale=scale)
    if grid == shape.grid and scale == 1:
        return shape
    parts = {cell: _parts(shape.grid, cell, grid, scale) for cell in shape.cells}
    if None not in parts.values():
        tokens = {part: shape.tokens[cell] for cell, found in parts.items() for part in found or ()}
        return Shape.from_tokens(grid, tokens, shape.name, shape.weight)
    joined = _join(shape, grid) if scale == 1 else None
    if joined is not None:
        return joined
    how = f"scaled by {scale}" if scale > 1 else f"converted to {grid.name!r}"
    raise PuzzleError(
        f"shape {shape.name!r} of the grid {shape.grid.name!r} cannot be {how}:"
        " its cells are not made of whole cells there, nor make up whole ones"
    )


def same_shifts(grid: Grid, other: Grid) -> bool:
    """Whether whatever fits at two places of one grid, a shift apart, does so on the other.

    >>> from kumitate.model.grids import CUBES, RHOMBS, TETROCTS
    >>> same_shifts(CUBES, RHOMBS), same_shifts(CUBES, TETROCTS)
    (True, False)
    """
    return all(x.denominator == 1 for row in _change(grid, other, 1) for x in row)


def other_phase(shape: Shape, finer: Grid) -> bool:
    """Whether its grid can draw the same solid where none of the grid's turns or shifts takes it.

    True of rhombic dodecahedra: about the centre of a cube and about its corner they are one solid
    but two shapes, which never match. On the finer grid, where the two differ by a shift, they do.

    >>> from kumitate.model.grids import ORTHOSCHEMES, RHOMBS
    >>> other_phase(Shape(RHOMBS, {(0, 0, 0, 0)}), ORTHOSCHEMES)
    False
    """
    return _join(recast(shape, finer).shifted((1, 0, 0)), shape.grid) is not None


def _join(shape: Shape, grid: Grid) -> Shape | None:
    """The shape in larger cells, or None if it is not made of whole ones."""
    if grid.balls or shape.grid.balls:
        return None
    kinds: dict[Cell, set[str]] = {}
    for cell, token in shape.tokens.items():
        kinds.setdefault(_cell_around(shape.grid, cell, grid), set()).add(token)
    parts = [_parts(grid, cell, shape.grid) for cell in kinds]
    if None in parts or {part for found in parts for part in found or ()} != shape.cells:
        return None
    if any(len(tokens) > 1 for tokens in kinds.values()):
        return None
    tokens = {cell: token for cell, (token,) in kinds.items()}
    return Shape.from_tokens(grid, tokens, shape.name, shape.weight)


def _parts(grid: Grid, cell: Cell, finer: Grid, scale: int = 1) -> tuple[Cell, ...] | None:
    """The finer grid's cells that a cell is made of, or None if it is not made of whole ones."""
    whole, part = _split(_image(_change(grid, finer, scale), cell[:3]))
    found = _parts_of_tile(grid, cell[3], finer, scale, part)
    return found and tuple(shift_cell(c, whole) for c in found)


@cache
def _parts_of_tile(
    grid: Grid, tile: int, finer: Grid, scale: int, at: Point
) -> tuple[Cell, ...] | None:
    if grid.balls or finer.balls:
        return None
    change = _change(grid, finer, scale)
    corners = [
        tuple(a + Fraction(c, grid.denominator) for a, c in zip(at, image, strict=True))
        for image in (_image(change, corner) for corner in grid.tiles[tile])
    ]
    # One unit in which the corners of both grids are whole.
    unit = lcm(finer.denominator, *(x.denominator for corner in corners for x in corner))
    solid: Tile = tuple((int(x * unit), int(y * unit), int(z * unit)) for x, y, z in corners)
    k = unit // finer.denominator
    found, volume = [], 0
    for t, tile_there in enumerate(finer.tiles):
        small = [times(k, corner) for corner in tile_there]
        shifts = (
            range(-((min(mine) - min(its)) // unit), (max(its) - max(mine)) // unit + 1)
            for mine, its in zip(zip(*small, strict=True), zip(*solid, strict=True), strict=True)
        )
        for shift in triples(*shifts):  # all that keep its box within the solid's
            moved = [add(corner, times(unit, shift)) for corner in small]
            if all(dot(side.normal, p) <= side.offset for side in facets(solid) for p in moved):
                found.append((*shift, t))
                volume += volume6(tuple(small))
    return tuple(found) if volume == volume6(solid) else None


def _cell_around(finer: Grid, cell: Cell, grid: Grid) -> Cell:
    """The cell of the other grid in which the middle of a cell lies."""
    tile, change = finer.tiles[cell[3]], _change(finer, grid, 1)
    middle = [
        Fraction(sum(axis), len(tile) * finer.denominator) for axis in zip(*tile, strict=True)
    ]
    point = [p + m for p, m in zip(cell, middle, strict=False)]
    whole, part = _split(_image(change, point))
    return shift_cell(_tile_around(grid, part), whole)


@cache
def _tile_around(grid: Grid, point: Point) -> Cell:
    unit = lcm(*(p.denominator for p in point))
    x, y, z = (int(p * unit) for p in point)
    for shift in triples(range(-2, 3)):
        here = times(grid.denominator, subtract((x, y, z), times(unit, shift)))
        for t, tile in enumerate(grid.tiles):
            if all(dot(side.normal, here) <= side.offset * unit for side in facets(tile)):
                return (*shift, t)
    raise AssertionError(f"{point} lies in no tile of {grid.name}")


@cache
def _change(grid: Grid, other: Grid, scale: int) -> tuple[Point, Point, Point]:
    """Rows of the matrix from lattice coordinates of one grid to those of the other."""
    a, b, c = ((Fraction(x), Fraction(y), Fraction(z)) for x, y, z in other.basis)
    inverse = (_cross(b, c), _cross(c, a), _cross(a, b))  # its rows, times the volume
    volume = _image(inverse, a)[0]
    columns = [_image(inverse, [scale * Fraction(x) / volume for x in v]) for v in grid.basis]
    first, second, third = zip(*columns, strict=True)
    return (first, second, third)


def _cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _image(matrix: Sequence[Point], v: Sequence[int | Fraction]) -> Point:
    x, y, z = (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] for row in matrix)
    return (x, y, z)


def _split(point: Point) -> tuple[Vector, Point]:
    """The whole numbers below, and the rest."""
    whole = (floor(point[0]), floor(point[1]), floor(point[2]))
    return whole, (point[0] - whole[0], point[1] - whole[1], point[2] - whole[2])
