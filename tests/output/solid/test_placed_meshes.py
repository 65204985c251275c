"""Pieces that are turned for an assembly are the same as pieces made where they lie."""

import numpy as np
import pytest
from manifold3d import Manifold, Mesh64

from kumitate.library import library
from kumitate.model.grid import Grid
from kumitate.model.grids import PRISMS, RHOMBS, TETROCTS
from kumitate.model.puzzle import Piece, Problem
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.placed_meshes import solids_of
from kumitate.output.solid.print_options import PrintOptions, solid
from kumitate.search.assemble import assemble
from kumitate.search.placements import placements


def manifold(mesh: Mesh) -> Manifold:
    return Manifold(Mesh64(mesh.points, mesh.triangles.astype(np.uint64)))


def apart(one: Mesh, two: Mesh) -> float:
    """The volume that only one of them fills."""
    a, b = manifold(one), manifold(two)
    return float((a - b).volume() + (b - a).volume())


@pytest.mark.parametrize("name", ["soma", "slothouber-graatsma", "four-layer-pyramid"])
def test_an_assembly_is_that_of_pieces_made_in_place(name: str) -> None:
    assembly = next(assemble(library[name].problems[0]))
    options = PrintOptions(unit=12)
    rough = 1.0 if name == "four-layer-pyramid" else 1e-6  # balls are turned with their facets
    for mesh, shape in zip(solids_of(assembly, options), assembly.shapes, strict=True):
        here = solid(shape, options)
        assert apart(mesh, here) < rough * max(1.0, here.volume * 0.02 * (rough == 1.0))


@pytest.mark.parametrize("grid", [PRISMS, RHOMBS, TETROCTS], ids=lambda grid: grid.name)
def test_turns_of_other_grids_are_right(grid: Grid) -> None:
    cells = {(0, 0, 0, 0)}
    while len(cells) < 4:
        cells.add(min(n for c in cells for n in Shape(grid, cells).neighbours(c) if n not in cells))
    shape = Shape(grid, cells, name="a")
    goal = Shape(grid, {n for c in cells for n in [c, *shape.neighbours(c)]})
    [places] = placements(Problem(goal, [Piece(shape)]))
    for placement in places[:6]:
        assembly = Assembly(Problem(goal, [Piece(shape)]), [placement])
        [mesh] = solids_of(assembly, PrintOptions(unit=20))
        assert apart(mesh, solid(assembly.shapes[0], PrintOptions(unit=20))) < 1e-4


def test_cells_of_different_sides_are_not_turned() -> None:
    assembly = next(assemble(library["soma"].problems[0]))
    options = PrintOptions(unit=(10, 11, 12))
    for mesh, shape in zip(solids_of(assembly, options), assembly.shapes, strict=True):
        assert mesh.points.tobytes() == solid(shape, options).points.tobytes()
