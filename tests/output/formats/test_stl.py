"""STL, read again by trimesh and byte by byte."""

import struct
import time
from io import BytesIO

import numpy as np
import pytest
import trimesh
from tests.output.plain_meshes import many_triangles, mesh_of

from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS
from kumitate.model.shape import Shape
from kumitate.output.formats import stl
from kumitate.output.solid.mesh import Mesh


def reread(data: bytes) -> trimesh.Trimesh:
    return trimesh.load_mesh(BytesIO(data), file_type="stl")


@pytest.mark.parametrize("grid", [g for g in GRIDS.values() if not g.balls], ids=lambda g: g.name)
def test_a_cell_of_every_grid_comes_back_closed_and_as_large(grid: Grid) -> None:
    mesh = mesh_of(Shape(grid, {(0, 0, 0, 0)}), unit=11.15)
    again = reread(stl.write([mesh]))
    assert again.is_watertight
    assert again.is_winding_consistent
    assert again.volume == pytest.approx(mesh.volume, rel=1e-6)
    assert again.volume > 0


def test_several_meshes_stay_where_they_are() -> None:
    shape = Shape.from_text(CUBES, "###/#..")
    meshes = [mesh_of(shape), mesh_of(shape.shifted((5, -2, 7)))]
    again = reread(stl.write(meshes))
    assert again.body_count == 2
    np.testing.assert_allclose(again.bounds, [[0, -20, 0], [80, 20, 80]])
    assert again.volume == pytest.approx(2 * 4000)


def test_the_bytes_are_those_of_the_format() -> None:
    points = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]])
    data = stl.write([Mesh(points, np.array([[0, 1, 2]], dtype=np.int32))])
    assert len(data) == 84 + 50
    assert not data.startswith(b"solid")
    assert struct.unpack_from("<I", data, 80) == (1,)
    numbers = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0)
    assert struct.unpack_from("<12fH", data, 84) == numbers


def test_normals_point_out() -> None:
    shape = Shape.from_text(CUBES, "##/#.")
    mesh = mesh_of(shape)
    middles = mesh.points[mesh.triangles].mean(axis=1)
    for side, inside in ((0.1, False), (-0.1, True)):
        near = np.floor((middles + side * mesh.normals) / 10).astype(int).tolist()
        assert {(x, y, z, 0) in shape.cells for x, y, z in near} == {inside}


def test_a_triangle_without_area_has_no_normal() -> None:
    line = Mesh(
        np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([[0, 1, 2]], dtype=np.int32)
    )
    assert line.normals.tolist() == [[0, 0, 0]]


def test_a_hundred_thousand_triangles_are_quick_and_the_same_again() -> None:
    mesh = many_triangles(100_000)
    begun = time.process_time()
    data = stl.write([mesh])
    assert time.process_time() - begun < 0.5
    assert data == stl.write([mesh])
