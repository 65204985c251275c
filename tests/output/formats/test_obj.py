"""OBJ and MTL, read again by trimesh."""

import time
from pathlib import Path

import pytest
import trimesh
from tests.output.plain_meshes import many_triangles, mesh_of

from kumitate.model.grids import CUBES, GRIDS, RHOMBS
from kumitate.model.shape import Shape
from kumitate.output.formats import obj
from kumitate.output.solid.mesh import Mesh


def reread(meshes: list[Mesh], folder: Path) -> trimesh.Scene:
    for suffix, data in zip(("obj", "mtl"), obj.write(meshes, "two words"), strict=True):
        (folder / f"two words.{suffix}").write_bytes(data)
    return trimesh.load_scene(folder / "two words.obj", split_objects=True, group_material=False)


def test_names_colours_and_places_come_back(tmp_path: Path) -> None:
    shape = Shape.from_text(CUBES, "###/#..")
    meshes = [
        mesh_of(shape, name="L", colour="#E69F00"),
        mesh_of(shape.shifted((0, 4, 0)), name="long\nname", colour="#0072B2"),
        mesh_of(shape.shifted((0, 8, 0)), name="again", colour="#E69F00"),
    ]
    scene = reread(meshes, tmp_path)
    assert set(scene.geometry) == {"L", "long name", "again"}
    for mesh in meshes:
        again = scene.geometry[" ".join(mesh.name.split())]
        assert again.is_watertight
        assert again.volume == pytest.approx(mesh.volume)
        assert again.bounds.tolist() == [mesh.points.min(0).tolist(), mesh.points.max(0).tolist()]
        red, green, blue, _ = again.visual.material.main_color
        assert f"#{red:02X}{green:02X}{blue:02X}" == mesh.colour


@pytest.mark.parametrize("name", [grid.name for grid in GRIDS.values() if not grid.balls])
def test_every_grid_comes_back_closed(name: str, tmp_path: Path) -> None:
    mesh = mesh_of(Shape(GRIDS[name], {(0, 0, 0, 0)}), 11.15, name)
    [again] = reread([mesh], tmp_path).geometry.values()
    assert again.is_watertight
    assert again.volume == pytest.approx(mesh.volume, rel=1e-6)


def test_it_is_the_same_again_and_quick() -> None:
    mesh = many_triangles(100_000)
    begun = time.process_time()
    first = obj.write([mesh], "x")
    assert time.process_time() - begun < 1
    assert first == obj.write([mesh], "x")


def test_a_colour_is_written_once() -> None:
    _, mtl = obj.write([mesh_of(Shape(RHOMBS, {(0, 0, 0, t)})) for t in range(3)], "x")
    assert mtl.count(b"newmtl") == 1
