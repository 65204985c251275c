"""Boxes hold what belongs in them, and their lids go on."""

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold, Mesh64

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES
from kumitate.model.shape import Shape
from kumitate.output.solid.boxes import CLEARANCE, PLUG, WALL, box
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.print_options import PrintOptions, solid
from kumitate.search.assemble import assemble


def manifold(mesh: Mesh) -> Manifold:
    return Manifold(Mesh64(mesh.points, mesh.triangles.astype(np.uint64)))


@pytest.mark.parametrize("name", ["soma", "pentominoes/6x10", "kanoodle", "four-layer-pyramid"])
def test_the_assembly_fits_in_and_the_lid_closes_it(name: str) -> None:
    problem = library[name].problems[0]
    options = PrintOptions(unit=12)
    made, lid = (manifold(mesh) for mesh in box(problem.goal, options))
    assert made.genus() == 0
    assert len(made.decompose()) == len(lid.decompose()) == 1
    for shape in next(assemble(problem)).shapes:
        assert (manifold(solid(shape, options)) ^ made).volume() < 1e-9
    low, high = np.array(made.bounding_box()).reshape(2, 3)
    low2, high2 = np.array(lid.bounding_box()).reshape(2, 3)
    assert high2[:2] - low2[:2] == pytest.approx(high[:2] - low[:2])
    closed = lid.rotate((180, 0, 0))
    here = np.array(closed.bounding_box()).reshape(2, 3)
    closed = closed.translate((*(low - here[0])[:2], high[2] - here[0][2] - PLUG))
    assert (closed ^ made).volume() < 1e-6


def test_a_cuboid_has_walls_of_the_stated_thickness() -> None:
    goal = Shape.from_text(CUBES, "###/###", name="g")
    made, lid = box(goal, PrintOptions(unit=10))
    inner = (30 + 2 * CLEARANCE) * (20 + 2 * CLEARANCE) * (10 + PLUG)
    outer = (30 + 2 * CLEARANCE + 2 * WALL) * (20 + 2 * CLEARANCE + 2 * WALL) * (10 + WALL + PLUG)
    assert made.volume == pytest.approx(outer - inner)
    assert made.name == "g: box"
    assert lid.volume == pytest.approx(
        (30 + 2 * CLEARANCE + 2 * WALL) * (20 + 2 * CLEARANCE + 2 * WALL) * WALL + 30 * 20 * PLUG
    )
    assert all(trimesh.Trimesh(m.points, m.triangles).is_watertight for m in (made, lid))


def test_no_goal_no_box() -> None:
    with pytest.raises(PuzzleError, match="the goal is empty"):
        box(Shape(CUBES, set()), PrintOptions())
