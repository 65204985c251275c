"""Bevelled surfaces, compared with the solids that printers get and with the plain faces."""

from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS, HEXAGONS, KELVIN, SPHERES
from kumitate.model.shape import Shape
from kumitate.output.solid.bevelled import bevelled as plainly_bevelled
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.print_options import PrintOptions, solid
from kumitate.output.solid.surface import edges_of, faces_of

TILED = [grid for grid in GRIDS.values() if not grid.balls]
INSET, BEVEL = 0.004, 0.015


class Bevelled(NamedTuple):
    """The same as arrays."""

    points: NDArray[np.float64]
    triangles: NDArray[np.int32]
    folds: NDArray[np.float64]  # one row of six numbers each


def bevelled(shape: Shape, inset: float = 0.0, bevel: float = 0.0) -> Bevelled:
    made = plainly_bevelled(shape, inset, bevel)
    triangles = np.array(made.triangles, np.int32).reshape(-1, 3)
    return Bevelled(np.array(made.points), triangles, np.array(made.folds).reshape(-1, 6))


def blob(grid: Grid, size: int, seed: int = 1) -> Shape:
    """So many cells, each beside one before."""
    chance = Random(seed)
    cells = [(0, 0, 0, 0)]
    while len(cells) < size:
        beside = list(Shape(grid, set(cells)).neighbours(chance.choice(cells)))
        cells += {chance.choice(beside)} - set(cells)
    return Shape(grid, set(cells))


def volume(made: Bevelled) -> float:
    return Mesh(made.points, made.triangles).volume


def open_sides(made: Bevelled) -> int:
    """Sides of triangles that no other runs along in the other direction."""
    sides = made.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    size = len(made.points)
    there, back = sides @ [size, 1], sides @ [1, size]
    return int(
        (np.bincount(there, minlength=size**2) != np.bincount(back, minlength=size**2)).sum()
    )


@pytest.mark.parametrize("grid", TILED, ids=lambda grid: grid.name)
@pytest.mark.parametrize("size", [1, 6, 25])
def test_it_is_closed_and_a_little_smaller_than_the_cells(grid: Grid, size: int) -> None:
    for seed in range(3):
        shape = blob(grid, size, seed)
        made, plain = bevelled(shape, INSET, BEVEL), bevelled(shape)
        assert open_sides(made) == open_sides(plain) == 0
        assert 0.7 * volume(plain) < volume(made) < volume(plain)
        assert len(made.folds) == len(plain.folds)
        away = made.points[:, None] - plain.points
        assert np.linalg.norm(away, axis=2).min(axis=1).max() < 12 * (INSET + BEVEL)


@pytest.mark.parametrize("grid", TILED, ids=lambda grid: grid.name)
def test_without_a_bevel_it_is_the_faces_and_their_folds(grid: Grid) -> None:
    shape = blob(grid, 12)
    made = bevelled(shape)
    corners = {_key(corner) for face in faces_of(shape) for corner in face.corners}
    assert set(map(_key, made.points)) == corners
    area = 0.0
    for face in faces_of(shape):
        first, *rest = np.array(face.corners)
        area += sum(
            float(np.linalg.norm(np.cross(b - first, c - first))) / 2 for b, c in pairwise(rest)
        )
    a, b, c = (made.points[made.triangles[:, n]] for n in range(3))
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == pytest.approx(area)
    folds = {frozenset((_key(e.start), _key(e.end))) for e in edges_of(shape) if e.folds}
    assert {frozenset((_key(row[:3]), _key(row[3:]))) for row in made.folds} == folds


def _key(point: object) -> tuple[float, ...]:
    return tuple(np.round(np.array(point), 5) + 0.0)


@pytest.mark.parametrize("grid", [CUBES, HEXAGONS, KELVIN], ids=lambda grid: grid.name)
def test_it_is_what_printers_get_where_corners_are_simple(grid: Grid) -> None:
    """On these grids no face looks along a bevel; cells in a row have no saddles."""
    for cells in (1, 2, 3):
        shape = Shape(grid, {(n, 0, 0, 0) for n in range(cells)})
        printed = (
            solid(shape, PrintOptions(unit=100, inset=100 * INSET, bevel=100 * BEVEL)).volume / 1e6
        )
        assert volume(bevelled(shape, INSET, BEVEL)) == pytest.approx(printed, abs=1e-6)


@pytest.mark.parametrize("drawing", ["###/#..", "###/#.#/###", "#.#/###", "#### .##."])
def test_pieces_of_cubes_are_just_what_printers_get(drawing: str) -> None:
    shape = Shape.from_text(CUBES, drawing)
    printed = solid(shape, PrintOptions(unit=100, inset=1, bevel=4)).volume / 1e6
    assert volume(bevelled(shape, 0.01, 0.04)) == pytest.approx(printed, abs=1e-6)


def test_saddles_differ_by_less_than_one_sees() -> None:
    for seed in range(5):
        shape = blob(CUBES, 40, seed)
        printed = solid(shape, PrintOptions(unit=100, inset=1, bevel=4)).volume / 1e6
        assert volume(bevelled(shape, 0.01, 0.04)) == pytest.approx(printed, rel=1e-3)


@pytest.mark.parametrize("grid", TILED, ids=lambda grid: grid.name)
def test_the_lines_lie_on_the_surface(grid: Grid) -> None:
    made = bevelled(blob(grid, 15), INSET, BEVEL)
    ends = made.folds.reshape(-1, 2, 3)
    for point in np.concatenate([ends.mean(axis=1), ends[:, 0]]):
        assert _distance(point, made) < 1e-6


def _distance(point: "np.ndarray[tuple[int], np.dtype[np.float64]]", made: Bevelled) -> float:
    """From the nearest of the triangles: by clipping, side by side, to where it is above them."""
    a, b, c = (made.points[made.triangles[:, n]] for n in range(3))
    best = np.inf
    for p, q in ((a, b), (b, c), (c, a)):
        along = q - p
        share = np.clip(((point - p) * along).sum(1) / (along * along).sum(1), 0, 1)
        best = min(best, np.linalg.norm(p + share[:, None] * along - point, axis=1).min())
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    above = np.ones(len(a), bool)
    for p, q in ((a, b), (b, c), (c, a)):
        above &= (np.cross(q - p, point - p) * normal).sum(1) >= 0
    heights = np.abs(((point - a) * normal).sum(1))[above]
    return float(min(best, heights.min(initial=np.inf)))


def test_cells_that_touch_along_an_edge_part_there() -> None:
    shape = Shape.from_text(CUBES, "#./.#")
    assert volume(bevelled(shape)) == pytest.approx(2)
    alone = volume(bevelled(Shape.from_text(CUBES, "#"), 0.01, 0.04))
    assert volume(bevelled(shape, 0.01, 0.04)) == pytest.approx(2 * alone)


def test_balls_and_nothing_have_no_surface() -> None:
    for shape in (Shape(SPHERES, {(0, 0, 0, 0)}), Shape(CUBES, set())):
        assert [len(part) for part in bevelled(shape)] == [0, 0, 0]
