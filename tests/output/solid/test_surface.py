"""The surface of shapes on every grid: closed, of the right size, seen from outside."""

from itertools import pairwise

import pytest

from kumitate.model.geometry import volume6
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS
from kumitate.model.shape import Shape
from kumitate.output.scene import Point, in_space, minus
from kumitate.output.solid.surface import edges_of, faces_of


def dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def enclosed(shape: Shape) -> float:
    """The volume within, from the faces alone: cones from the origin."""
    total = 0.0
    for face in faces_of(shape):
        first, *rest = face.corners
        total += sum(dot(first, cross(b, c)) for b, c in pairwise(rest)) / 6
    return total


@pytest.mark.parametrize("grid", [g for g in GRIDS.values() if not g.balls], ids=lambda g: g.name)
def test_faces_enclose_the_volume_of_their_cells(grid: Grid) -> None:
    first = (0, 0, 0, 0)
    cells = {first}
    for _ in range(2):
        cells |= {n for cell in cells for n in Shape(grid, cells).neighbours(cell)}
    shape = Shape(grid, cells)
    a, b, c = (in_space(grid, axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    unit = abs(dot(a, cross(b, c))) / grid.denominator**3 / 6
    assert enclosed(shape) == pytest.approx(
        unit * sum(volume6(grid.tiles[tile]) for *_, tile in shape.cells)
    )
    for face in faces_of(shape):
        a, b, c = face.corners[:3]
        assert dot(face.normal, cross(minus(b, a), minus(c, b))) > 0


def test_a_hole_has_a_surface_too() -> None:
    box = Shape.from_text(CUBES, "### ### ###/### #.# ###/### ### ###")
    assert len(faces_of(box)) == 54 + 6


def test_flat_joints_do_not_fold_and_touching_edges_do() -> None:
    square = edges_of(Shape.from_text(CUBES, "##/##"))
    assert (len(square), sum(edge.folds for edge in square)) == (32, 20)
    corner = edges_of(Shape.from_text(CUBES, "#./.#"))
    assert all(edge.folds for edge in corner)
