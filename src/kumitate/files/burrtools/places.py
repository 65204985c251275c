"""BurrTools' coordinates: its numbers for turns, and points in space for its positions.

The cell at p of a shape with hotspot h goes to X + M_T (p - h). That is a sum of points in space.
For most grids, file coordinates are cartesian up to a factor, so every spot is a point, even one
without a cell; for prisms the points are the centres of cells. Points here are in lattice
coordinates, multiplied by a number that keeps them whole, so M_T is the matrix of one of the grid's
own turns.
"""

from functools import cache

from kumitate.model.geometry import ONE, Matrix, Vector, adjugate, apply, determinant, multiply
from kumitate.model.grid import Grid
from kumitate.model.grids import (
    CUBES,
    PRISMS,
    QUARTER_X,
    QUARTER_Z,
    RHOMBS,
    SIXTH_Z,
    SPHERES,
    TETROCTS,
)

GRID_TYPES = (CUBES, PRISMS, SPHERES, RHOMBS, TETROCTS)

# BurrTools numbers the turns of spheres in no particular order; this table gives each turn's number
# in SPHERES.turns.
_SPHERE_TURNS = (
    (0, 9, 2, 15, 6, 21, 13, 5, 4, 7, 10, 14, 18, 12, 1, 17, 22, 3, 19, 8, 23, 16, 20, 11)
    + (49, 95, 74, 70, 109, 113, 116, 106, 96, 86, 68, 111, 26, 118, 88, 56, 65, 78, 99, 44)
    + (85, 91, 107, 60, 119, 98, 52, 92, 53, 90, 97, 84, 25, 59, 46, 45, 58, 24, 117, 51, 57)
    + (47, 80, 112, 110, 77, 67, 76, 108, 79, 64, 35, 32, 30, 34, 63, 66, 75, 33, 31, 89, 101)
    + (41, 104, 103, 40, 100, 87, 50, 93, 43, 54, 48, 94, 39, 102, 42, 55, 83, 114, 82, 38, 37)
    + (115, 81, 71, 72, 62, 28, 29, 73, 69, 105, 36, 61, 27)
)
_QUARTER_Y: Matrix = ((0, 0, -1), (0, 1, 0), (1, 0, 0))
_HALF_Y: Matrix = ((-1, -1, 0), (0, 1, 0), (0, 0, -1))  # in the prisms' basis


def _power(matrix: Matrix, n: int) -> Matrix:
    return multiply(matrix, _power(matrix, n - 1)) if n else ONE


@cache
def turn_numbers(grid: Grid) -> tuple[int, ...]:
    """For each of BurrTools' turn numbers, the number of the turn in grid.turns."""
    if grid == SPHERES:
        return _SPHERE_TURNS
    if grid == PRISMS:
        matrices = [
            multiply(_power(SIXTH_Z, q), first) for first in (ONE, _HALF_Y) for q in range(6)
        ]
        return tuple([turn.matrix for turn in grid.turns].index(matrix) for matrix in matrices)
    lasts = [*(_power(_QUARTER_Y, n) for n in range(4)), QUARTER_Z, _power(QUARTER_Z, 3)]
    matrices = [multiply(last, _power(QUARTER_X, q)) for last in lasts for q in range(4)]
    page = _page(grid)
    ours = [multiply(page, turn.matrix) for turn in grid.turns]
    return tuple(ours.index(multiply(matrix, page)) for matrix in matrices)


def _page(grid: Grid) -> Matrix:
    assert grid.page is not None
    return grid.page


def point_at(grid: Grid, spot: Vector) -> Vector:
    """The point in space of a spot."""
    if grid != PRISMS:
        return apply(adjugate(_page(grid)), spot)
    cell = grid.cell_at(spot)
    assert cell is not None
    x, y, z, tile = cell
    return (3 * x + 1 + tile, 3 * y + 1 + tile, 3 * z)  # the centre of the triangle


def spot_at(grid: Grid, point: Vector) -> Vector:
    """The spot at a point, or the nearest one before it."""
    if grid != PRISMS:
        x, y, z = apply(_page(grid), point)
        whole = determinant(_page(grid))
        return (x // whole, y // whole, z // whole)
    x, y, z = point
    return grid.spot((x // 3, y // 3, z // 3, x % 3 - 1))


def turn_point(grid: Grid, turn: int, point: Vector) -> Vector:
    x, y, z = apply(grid.turns[turn].matrix, point)
    divisor = grid.turns[turn].divisor
    return (x // divisor, y // divisor, z // divisor)
