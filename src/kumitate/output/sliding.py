"""How pieces slide and turn on a grid, as pages are told that let a person play by hand.

A page knows no grid: it pushes pieces along the steps of this table, and what a cell passes through
on a step says what is in the way (web/src/hand/rules.ts).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from kumitate.model.geometry import Cell, Vector
from kumitate.model.grid import Grid
from kumitate.model.solution import toward
from kumitate.output.scene import Matrix, Point, cell_centre, in_space, transposed, turned


class Step(NamedTuple):
    """A direction in which pieces slide."""

    by: Vector  # on the lattice
    way: Point  # in space
    words: str
    swept: Sequence[Sequence[Cell]]  # for each tile the cells that it comes through, seen from it


@lru_cache(16)
def steps_of(grid: Grid) -> tuple[Step, ...]:
    """All steps of a grid.

    >>> from kumitate.model.grids import CUBES
    >>> steps_of(CUBES)[0]
    Step(by=(1, 0, 0), way=(1.0, 0.0, 0.0), words='to the right', swept=(((1, 0, 0, 0),),))
    """
    return tuple(
        Step(step, in_space(grid, step), toward(grid, step), _swept(grid, step))
        for step in grid.steps
    )


def _swept(grid: Grid, step: Vector) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        tuple(cell for cell in cells if cell != (0, 0, 0, tile))
        for tile, cells in enumerate(grid.sweep(step))
    )


class Lattice(NamedTuple):
    """How the cells of a grid lie in space, and its turns there; for putting pieces together."""

    basis: Sequence[Point]
    centre: Point  # of the cell at the origin
    turns: Sequence[Matrix]


@lru_cache(16)
def lattice_of(grid: Grid) -> Lattice | None:
    """The lattice of a grid whose cells all look alike, else None.

    >>> from kumitate.model.grids import CUBES, PRISMS
    >>> found = lattice_of(CUBES)
    >>> found.centre, len(found.turns), lattice_of(PRISMS)
    ((0.5, 0.5, 0.5), 24, None)
    """
    if len(grid.tiles) > 1:
        return None
    units = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    basis = transposed(tuple(in_space(grid, unit) for unit in units))  # type: ignore[arg-type]
    back = _inverse(basis)
    turns = []
    for turn in grid.turns:
        # A place in space, as numbers of the lattice, turned, and again in space.
        columns = []
        for unit in units:
            x, y, z = turned(back, unit)
            image = [sum(row[n] * part for n, part in enumerate((x, y, z))) for row in turn.matrix]
            columns.append(in_space(grid, [part / turn.divisor for part in image]))
        turns.append(transposed((columns[0], columns[1], columns[2])))
    return Lattice(transposed(basis), cell_centre(grid, (0, 0, 0, 0)), tuple(turns))


def _inverse(matrix: Matrix) -> Matrix:
    a, b, c = matrix
    rows = transposed((_cross(b, c), _cross(c, a), _cross(a, b)))
    determinant = sum(x * y for x, y in zip(a, _cross(b, c), strict=True))
    p, q, r = ((x / determinant, y / determinant, z / determinant) for x, y, z in rows)
    return p, q, r


def _cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
