"""Solids as OpenSCAD source: OpenSCAD itself reads them, and trimesh measures what it makes."""

import io
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import trimesh

from kumitate import CUBES, Shape, library
from kumitate.grids import GRIDS
from kumitate.output.formats.openscad import write
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.surface import faces_of


def block(shape: Shape, unit: float = 10.0, name: str = "", colour: str = "#808080") -> Mesh:
    """The bare surface of a shape, each convex face as a fan."""
    places: dict[tuple[float, ...], int] = {}
    triangles = []
    for face in faces_of(shape):
        a, *rest = (places.setdefault(tuple(c), len(places)) for c in face.corners)
        triangles += [(a, b, c) for b, c in pairwise(rest)]
    points = unit * np.array(list(places))
    return Mesh(points, np.array(triangles, dtype=np.int32), name, colour)


SOLIDS = {
    "a cube": Shape.from_text(CUBES, "#"),
    "a bent piece": Shape.from_text(CUBES, "### #../#.. ..."),
    "a ring": Shape.from_text(CUBES, "###/#.#/###"),
    "a rhombic cube": Shape(GRIDS["rhombic"], {(0, 0, 0, tile) for tile in range(24)}),
}


@pytest.fixture
def openscad(tmp_path: Path) -> Callable[[bytes], trimesh.Trimesh]:
    """The mesh that OpenSCAD makes of a source."""
    program = shutil.which("openscad")
    if program is None:
        pytest.skip("OpenSCAD is not installed")

    def run(source: bytes) -> trimesh.Trimesh:
        (tmp_path / "a.scad").write_bytes(source)
        done = subprocess.run(
            [program, "-o", tmp_path / "a.stl", tmp_path / "a.scad"],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert "WARNING" not in done.stderr
        assert "ERROR" not in done.stderr
        mesh = trimesh.load(io.BytesIO((tmp_path / "a.stl").read_bytes()), file_type="stl")
        assert isinstance(mesh, trimesh.Trimesh)
        return mesh

    return run


@pytest.mark.parametrize("shape", SOLIDS.values(), ids=SOLIDS)
def test_openscad_makes_the_same_solid(
    shape: Shape, openscad: Callable[[bytes], trimesh.Trimesh]
) -> None:
    mesh = block(shape)
    made = openscad(write([mesh]))
    assert made.is_watertight
    assert made.volume == pytest.approx(mesh.volume)  # below 0 if the faces looked inwards
    assert made.volume > 0
    assert made.bounds == pytest.approx(np.array([mesh.points.min(0), mesh.points.max(0)]))


def test_openscad_joins_several_solids(openscad: Callable[[bytes], trimesh.Trimesh]) -> None:
    """Two cubes apart, and one that overlaps the first by half: OpenSCAD unites them."""
    cube = Shape.from_text(CUBES, "#")
    meshes = [block(cube), block(cube.shifted((3, 0, 0)))]
    half = Mesh(meshes[0].points + [5, 0, 0], meshes[0].triangles)
    made = openscad(write([*meshes, half]))
    assert made.volume == pytest.approx(2500)
    assert made.body_count == 2


def test_a_piece_can_be_placed(openscad: Callable[[bytes], trimesh.Trimesh]) -> None:
    bar = block(Shape.from_text(CUBES, "###"), name="bar")
    source = write([bar]).replace(b"piece_bar();", b"piece_bar(at = [5, 0, 0], turn = [0, 0, 90]);")
    assert openscad(source).bounds == pytest.approx(np.array([[-5, 0, 0], [5, 30, 10]]))


def test_openscad_accepts_every_piece_of_a_puzzle(
    openscad: Callable[[bytes], trimesh.Trimesh],
) -> None:
    shapes = library["soma"].shapes[:7]
    meshes = [
        block(shape.shifted((5 * n, 0, 0)), name=shape.name) for n, shape in enumerate(shapes)
    ]
    assert openscad(write(meshes)).volume == pytest.approx(27_000)


def test_names_become_modules_and_none_twice() -> None:
    names = ["V", "", "cube", "V", "V 2", "two words", "Würfel", "3", "a/*", "*/ cube();", "x\ny"]
    mesh = block(Shape.from_text(CUBES, "#"))
    text = write([Mesh(mesh.points, mesh.triangles, name) for name in names]).decode()
    modules = re.findall(r"^module (\w+)\(", text, re.MULTILINE)
    assert modules == [
        "piece_V",
        "piece_2",
        "piece_cube",
        "piece_V_2",
        "piece_V_2_2",
        "piece_two_words",
        "piece_W_rfel",
        "piece_3",
        "piece_a",
        "piece_cube_2",
        "piece_x_y",
    ]
    assert text.split("\n\n")[-1].split() == [f"{name}();" for name in modules]


def test_odd_names_do_no_harm(openscad: Callable[[bytes], trimesh.Trimesh]) -> None:
    names = ['"', "/*", "\n; cube(99);", "\u2028cube(99);", "ü\r cube(99);"]
    mesh = block(Shape.from_text(CUBES, "#"))
    made = openscad(write([Mesh(mesh.points, mesh.triangles, name) for name in names]))
    assert made.volume == pytest.approx(1000)


def test_numbers_are_short_and_zero_has_no_sign() -> None:
    points = np.array([[-1e-9, 0.1 + 0.2, 1e-7], [1e6, -2.5, 3], [1 / 3, 0, 0], [0, 0, 7]])
    text = write([Mesh(points, np.array([[0, 1, 2]], dtype=np.int32))]).decode()
    assert "[0, 0.3, 0], [1000000, -2.5, 3], [0.333333, 0, 0], [0, 0, 7]" in text


def test_the_same_meshes_give_the_same_bytes() -> None:
    meshes = [block(shape, name=name) for name, shape in SOLIDS.items()]
    assert write(meshes) == write(meshes)
    assert write([]).startswith(b"//")
