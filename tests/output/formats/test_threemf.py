"""3MF, read again by the consortium's own library in strict mode, and by trimesh."""

import time
import zipfile
from io import BytesIO
from typing import Any

import numpy as np
import pytest
import trimesh
from tests.output.plain_meshes import many_triangles, mesh_of

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES, GRIDS
from kumitate.model.palette import piece_colour
from kumitate.model.shape import Shape
from kumitate.output.formats import threemf
from kumitate.output.solid.mesh import Mesh

HERE = (0.0, 0.0, 0.0)


def strictly(data: bytes) -> Any:
    """The model as lib3mf has it, which must have nothing to complain about."""
    import lib3mf

    wrapper = lib3mf.get_wrapper()
    model = wrapper.CreateModel()
    reader = model.QueryReader("3mf")
    reader.SetStrictModeActive(True)
    reader.ReadFromBuffer(data)
    assert reader.GetWarningCount() == 0
    return model


def each(iterator: Any) -> list[Any]:
    found = []
    while iterator.MoveNext():
        found.append(iterator.GetCurrent())
    return found


def meshes_in(model: Any) -> list[Any]:
    objects = model.GetMeshObjects()
    return [objects.GetCurrentMeshObject() for _ in iter(objects.MoveNext, False)]


def test_a_puzzle_comes_back_with_names_colours_and_unit() -> None:
    import lib3mf

    shapes = {piece.shape.name: piece.shape for piece in library["soma"].problems[0].pieces}
    meshes = [
        mesh_of(shape, 11.15, name, piece_colour(n))
        for n, (name, shape) in enumerate(shapes.items())
    ]
    model = strictly(threemf.write((mesh, HERE) for mesh in meshes))
    assert model.GetUnit() == lib3mf.ModelUnit.MilliMeter
    assert model.GetBaseMaterialGroups().Count() == 1
    for mesh, again in zip(meshes, meshes_in(model), strict=True):
        assert again.GetName() == mesh.name
        assert again.IsManifoldAndOriented()
        assert (again.GetVertexCount(), again.GetTriangleCount()) == (
            len(mesh.points),
            len(mesh.triangles),
        )
        group, number, coloured = again.GetObjectLevelProperty()
        assert coloured
        colour = model.GetBaseMaterialGroupByID(group).GetDisplayColor(number)
        assert f"#{colour.Red:02X}{colour.Green:02X}{colour.Blue:02X}" == mesh.colour


@pytest.mark.parametrize("name", [grid.name for grid in GRIDS.values() if not grid.balls])
def test_trimesh_finds_every_grid_closed_and_as_large(name: str) -> None:
    mesh = mesh_of(Shape(GRIDS[name], {(0, 0, 0, 0)}), 11.15, name)
    data = threemf.write([(mesh, (1.0, 2.0, 3.0))])
    strictly(data)
    scene = trimesh.load_scene(BytesIO(data), file_type="3mf")
    assert list(scene.geometry) == [name]
    again = scene.to_mesh()
    assert again.is_watertight
    assert again.volume == pytest.approx(mesh.volume, rel=1e-6)
    np.testing.assert_allclose(again.bounds[0], mesh.points.min(axis=0) + (1, 2, 3), atol=1e-5)
    assert scene.units == "millimeter"


def test_copies_are_written_once_and_placed_often() -> None:
    mesh = mesh_of(Shape.from_text(CUBES, "###/#.."), name="L")
    shifts = [(0.0, 0.0, 0.0), (40.0, 0.0, 0.0), (0.25, 30.0, -7.5)]
    model = strictly(threemf.write([(mesh, shift) for shift in shifts]))
    assert len(meshes_in(model)) == 1
    places = [item.GetObjectTransform().Fields[3] for item in each(model.GetBuildItems())]
    assert [tuple(place) for place in places] == shifts


def test_names_may_be_anything() -> None:
    names = ['<A> & "B"', "組立", "tab\tnew\nline", "", "🧩"]
    cube = Shape.from_text(CUBES, "#")
    model = strictly(threemf.write([(mesh_of(cube, name=name), HERE) for name in names]))
    assert [mesh.GetName().split() for mesh in meshes_in(model)] == [name.split() for name in names]
    [mesh] = meshes_in(strictly(threemf.write([(mesh_of(cube, name="bell \x07"), HERE)])))
    assert mesh.GetName() == "bell \ufffd"


def test_places_keep_a_thousandth_of_a_micrometre_and_no_minus_zero() -> None:
    mesh = mesh_of(Shape.from_text(CUBES, "#"), unit=1.234567)
    moved = Mesh(mesh.points * (1, 1, -1) * (1, 1, 1e-9), mesh.triangles)
    text = (
        zipfile.ZipFile(BytesIO(threemf.write([(moved, HERE)]))).read("3D/3dmodel.model").decode()
    )
    assert 'x="1.234567" y="1.234567" z="0"' in text
    assert '"-0"' not in text


def test_an_empty_piece_is_refused() -> None:
    empty = Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32), "nothing")
    with pytest.raises(PuzzleError, match="piece 'nothing' is empty"):
        threemf.write([(empty, HERE)])


def test_nothing_at_all_is_a_valid_file() -> None:
    assert each(strictly(threemf.write([])).GetBuildItems()) == []


def test_a_hundred_thousand_triangles_are_quick_and_the_same_again() -> None:
    mesh = many_triangles(100_000)
    begun = time.process_time()
    data = threemf.write([(mesh, HERE)])
    assert time.process_time() - begun < 1
    assert data == threemf.write([(mesh, HERE)])
    dates = {entry.date_time for entry in zipfile.ZipFile(BytesIO(data)).infolist()}
    assert dates == {(1980, 1, 1, 0, 0, 0)}
