"""The same solid in other cells: on another grid, or scaled up on its own.

A cell is recast as the cells of the new grid that lie inside it, and only if their volumes add up
to its own: a solid is cut finer, never changed. The other way round, cells are joined where they
make up whole cells of the coarser grid. The bases are read as exact fractions, so grids that share
an irrational basis (prisms) work and unrelated ones fail.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import lcm

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import (
    Cell,
    Matrix,
    Tile,
    Vector,
    add,
    apply,
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
Change = tuple[Matrix, int]  # from those of one grid to those of another: whole numbers, divided


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
        return Shape.from_tokens(grid, tokens, shape.name, shape.weight, shape.colour)
    joined = _join(shape, grid) if scale == 1 else None
    if joined is not None:
        return joined
    how = f"scaled by {scale}" if scale > 1 else f"converted to {grid.name!r}"
    raise PuzzleError(
        f"shape {shape.name!r} of the grid {shape.grid.name!r} cannot be {how}:"
        " its cells neither divide into whole cells of that grid nor join to form them"
    )


def same_shifts(grid: Grid, other: Grid) -> bool:
    """Whether whatever fits at two places of one grid, a shift apart, does so on the other.

    >>> from kumitate.model.grids import CUBES, RHOMBS, TETROCTS
    >>> same_shifts(CUBES, RHOMBS), same_shifts(CUBES, TETROCTS)
    (True, False)
    """
    rows, below = _change(grid, other, 1)
    return all(x % below == 0 for row in rows for x in row)


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
    tokens: dict[Cell, str] = {}
    covered = 0
    for cell, token in shape.tokens.items():
        around = _cell_around(shape.grid, cell, grid)
        if around not in tokens:
            parts = _parts(grid, around, shape.grid)
            if parts is None or not shape.cells >= set(parts):
                return None
            covered += len(parts)
        if tokens.setdefault(around, token) != token:
            return None
    if covered < len(shape):
        return None
    return Shape.from_tokens(grid, tokens, shape.name, shape.weight, shape.colour)


def _parts(grid: Grid, cell: Cell, finer: Grid, scale: int = 1) -> tuple[Cell, ...] | None:
    """The finer grid's cells that a cell is made of, or None if it is not made of whole ones."""
    x, y, z, tile = cell
    whole, part, unit = _located(_change(grid, finer, scale), (x, y, z), 1)
    found = _parts_of_tile(grid, tile, finer, scale, part, unit)
    return found and tuple(shift_cell(c, whole) for c in found)


@cache
def _parts_of_tile(
    grid: Grid, tile: int, finer: Grid, scale: int, at: Vector, below: int
) -> tuple[Cell, ...] | None:
    if grid.balls or finer.balls:
        return None
    rows, divisor = _change(grid, finer, scale)
    corners = [
        tuple(
            Fraction(a, below) + Fraction(c, divisor * grid.denominator)
            for a, c in zip(at, apply(rows, corner), strict=True)
        )
        for corner in grid.tiles[tile]
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
    x, y, z, tile = cell
    (a, b, c), over = _middle(finer, tile)
    point = (over * x + a, over * y + b, over * z + c)
    whole, part, unit = _located(_change(finer, grid, 1), point, over)
    return shift_cell(_tile_around(grid, part, unit), whole)


@cache
def _middle(grid: Grid, tile: int) -> tuple[Vector, int]:
    """The middle of a tile: whole numbers, and what they are divided by."""
    x, y, z = (sum(axis) for axis in zip(*grid.tiles[tile], strict=True))
    return (x, y, z), len(grid.tiles[tile]) * grid.denominator


@cache
def _tile_around(grid: Grid, point: Vector, unit: int) -> Cell:
    """The cell in which a point lies, given in parts of a unit."""
    x, y, z = point
    for shift in triples(range(-2, 3)):
        here = times(grid.denominator, subtract((x, y, z), times(unit, shift)))
        for t, tile in enumerate(grid.tiles):
            if all(dot(side.normal, here) <= side.offset * unit for side in facets(tile)):
                return (*shift, t)
    raise AssertionError(f"{point} lies in no tile of {grid.name}")


@cache
def _change(grid: Grid, other: Grid, scale: int) -> Change:
    """The matrix from lattice coordinates of one grid to those of the other."""
    a, b, c = ((Fraction(x), Fraction(y), Fraction(z)) for x, y, z in other.basis)
    inverse = (_cross(b, c), _cross(c, a), _cross(a, b))  # its rows, times the volume
    volume = _image(inverse, a)[0]
    columns = [_image(inverse, [scale * Fraction(x) / volume for x in v]) for v in grid.basis]
    below = lcm(*(x.denominator for column in columns for x in column))
    first, second, third = (
        (int(x * below), int(y * below), int(z * below)) for x, y, z in zip(*columns, strict=True)
    )
    return (first, second, third), below


def _cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _image(matrix: Sequence[Point], v: Sequence[Fraction]) -> Point:
    x, y, z = (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] for row in matrix)
    return (x, y, z)


def _located(change: Change, point: Vector, over: int) -> tuple[Vector, Vector, int]:
    """Where a point, divided by `over`, lies in the other grid: its floor, the rest, their unit.

    In whole numbers throughout, for there may be a hundred thousand points.
    """
    rows, below = change
    unit = below * over
    (x, a), (y, b), (z, c) = (divmod(n, unit) for n in apply(rows, point))
    return (x, y, z), (a, b, c), unit
