"""Assemblies as shapes: counts of pieces that others have published."""

from pathlib import Path

import pytest

import kumitate
from kumitate import CUBES, Assembly, Piece, Problem, PuzzleError, Shape
from kumitate.designer.assembly_shapes import assembly_shapes
from kumitate.grids import SPHERES

DEMO = Path(__file__).parents[3] / "shared/reference/burrtools-examples/DemoPieceGenerator.xmpuzzle"


def sticks() -> Problem:
    """A burr stick 2x2x6 of which twelve cubes may be cut away."""
    whole = {(x, y, z, 0) for x in range(6) for y in range(2) for z in range(2)}
    cut = {(x, y, 1, 0) for x in range(1, 5) for y in range(2)}
    cut |= {(x, y, 0, 0) for x in (2, 3) for y in range(2)}
    core, cell = Shape(CUBES, whole - cut, name="core"), Shape.from_text(CUBES, "#", name="cell")
    return Problem(Shape(CUBES, whole, cut), [Piece(core), Piece(cell, 0, 12)])


def test_there_are_837_burr_sticks() -> None:
    """W. Cutler, A computer analysis of all 6-piece burrs, 1994: 837 usable pieces."""
    found = list(assembly_shapes(kumitate.assemble(sticks(), mirrors=True), connected=True))
    assert len(found) == 837
    assert all(shape.connected and 12 <= len(shape) <= 24 for shape in found)


def test_burrtools_piece_generator() -> None:
    """Its guide: 1024 assemblies, with mirror images and the complete check."""
    if not DEMO.exists():
        pytest.skip("no ../shared/reference here")
    [problem] = kumitate.load(DEMO).problems
    assert kumitate.count(problem).assemblies == 928
    found = list(kumitate.assemble(problem, mirrors=True, thorough=True))
    assert len(found) == 1024
    assert len(list(assembly_shapes(found, distinct=False))) == 1024
    distinct = list(assembly_shapes(found))
    assert len(distinct) == len({shape.canonical() for shape in distinct}) == 765


def test_four_cells_in_a_cube_are_the_tetracubes() -> None:
    """All eight but the bar, for which the cube is too small; seven if mirror images are one."""
    cube = {(x, y, z, 0) for x in range(3) for y in range(3) for z in range(3)}
    cell = Shape.from_text(CUBES, "#", name="cell")
    problem = Problem(Shape(CUBES, cube, cube), [Piece(cell, 4)])
    found = list(kumitate.assemble(problem, mirrors=True))
    assert len(list(assembly_shapes(found, connected=True))) == 7
    assert len(list(assembly_shapes(found, connected=True, mirrors=True))) == 6


def drawn(*texts: str) -> list[Assembly]:
    return [Assembly.from_text(CUBES, text) for text in texts]


def test_filters() -> None:
    some = drawn("AAB", "AB/A.", "AA./.BB", "A.B", "AAB/A..", "AABB")
    assert [len(s) for s in assembly_shapes(some, cells=(3, 3))] == [3, 3]
    assert len(list(assembly_shapes(some, connected=True))) == 5
    assert list(assembly_shapes(some, symmetric=False)) == []  # flat ones are mirror images
    two = drawn("AAA .A./A.. ...", "AAA")
    assert [len(shape) for shape in assembly_shapes(two, symmetric=False)] == [5]
    assert [len(shape) for shape in assembly_shapes(two, symmetric=True)] == [3]


def test_some_pieces_are_joined() -> None:
    some = drawn("AAB/CCB", "CAA/CBB")
    found = assembly_shapes(some, pieces=["A", "B"])
    assert [str(shape) for shape in found] == ["###\n..#", "##\n##"]
    assert list(assembly_shapes(some, pieces=[])) == []
    with pytest.raises(PuzzleError, match="there is no piece 'D'; the pieces are A, B, C"):
        list(assembly_shapes(some, pieces=["A", "D"]))


def test_shapes_that_turns_make_into_each_other_count_once() -> None:
    """By the grid's own canonical form; balls have turns that not every shape survives."""
    for grid in (CUBES, SPHERES, kumitate.grids.RHOMBS, kumitate.grids.PRISMS):
        shapes = kumitate.designer.polyforms(grid, 3)
        turned = [
            image
            for shape in shapes
            for turn in grid.turns[:7]
            if (image := shape.turned(turn)) is not None
        ]
        found = [
            Assembly(Problem(shape, [Piece(shape)]), [kumitate.Placement(0, 0, (0, 0, 0))])
            for shape in [*turned, *shapes]
        ]
        assert len(list(assembly_shapes(found))) == len(shapes)
