"""A solid stays the same when its cells are cut finer, joined, or scaled."""

from time import process_time

import pytest

import kumitate
from kumitate import (
    CUBES,
    Answers,
    Assembly,
    Document,
    Piece,
    Placement,
    Problem,
    Puzzle,
    Shape,
    Solution,
)
from kumitate.grids import GRIDS, ORTHOSCHEMES, PRISMS, RHOMBS, SPHERES, TETROCTS, recast, regrid
from kumitate.model.geometry import volume6
from kumitate.model.recast import other_phase
from kumitate.search.check import phase_note


def volume(shape: Shape) -> float:
    grid = shape.grid
    basis = grid.basis
    (a, b, c), (d, e, f), (g, h, i) = basis
    cell = abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
    sixths = sum(volume6(grid.tiles[tile]) for *_, tile in shape.cells)
    return sixths * cell / (6 * grid.denominator**3)


@pytest.mark.parametrize("grid", [RHOMBS, TETROCTS, ORTHOSCHEMES], ids=lambda grid: grid.name)
def test_cubes_are_cut_and_joined_again(grid: kumitate.Grid) -> None:
    shape = Shape.from_text(CUBES, "#a+ .../.B. .#.", at=(3, -1, 2), name="x", weight=2)
    cut = recast(shape, grid)
    assert volume(cut) == pytest.approx(volume(shape))
    assert len(cut.components) == len(shape.components)
    assert len(cut.optional) * len(shape) == len(cut) * len(shape.optional)
    assert recast(cut, CUBES) == shape


def test_half_a_cube_does_not_join() -> None:
    cut = recast(Shape.from_text(CUBES, "#"), RHOMBS)
    with pytest.raises(kumitate.PuzzleError, match="cannot be converted to 'cubes'"):
        recast(Shape(RHOMBS, sorted(cut.cells)[1:]), CUBES)  # type: ignore[arg-type]


@pytest.mark.parametrize("factor", [2, 3])
@pytest.mark.parametrize(
    "grid", [CUBES, PRISMS, RHOMBS, TETROCTS, ORTHOSCHEMES], ids=lambda grid: grid.name
)
def test_scaling_multiplies_the_volume(grid: kumitate.Grid, factor: int) -> None:
    shape = Shape(grid, {(0, 0, 0, tile) for tile in range(len(grid.tiles))})
    big = recast(shape, grid, factor)
    assert volume(big) == pytest.approx(factor**3 * volume(shape))
    assert len(big.components) == len(shape.components)


@pytest.mark.parametrize("name", ["spheres", "hexagons", "truncated octahedra"])
def test_what_cannot_be_scaled_says_so(name: str) -> None:
    shape = Shape(GRIDS[name], {(0, 0, 0, 0)}, name="it")
    with pytest.raises(kumitate.PuzzleError, match=r"'it' .* cannot be scaled by 2"):
        recast(shape, shape.grid, 2)


def test_unrelated_grids_do_not_convert() -> None:
    for other in (PRISMS, SPHERES):
        with pytest.raises(kumitate.PuzzleError, match="cannot be converted"):
            recast(Shape.from_text(CUBES, "#"), other)


def dodecahedron(corner: bool) -> Shape:
    """A rhombic dodecahedron about the centre of a cube, or about its corner."""
    if corner:
        at_corner = {
            (x, y, z, tile)
            for x in (-1, 0)
            for y in (-1, 0)
            for z in (-1, 0)
            for tile in range(24)
            if (-2 * x, -2 * y, -2 * z) in RHOMBS.tiles[tile]
        }
        return Shape(RHOMBS, at_corner)
    inner = {(0, 0, 0, tile) for tile in range(24)}
    shape = Shape(RHOMBS, inner)
    return Shape(RHOMBS, inner | {n for cell in inner for n in shape.neighbours(cell)})


def test_the_two_phases_of_the_rhombic_grid_are_one_shape_in_orthoschemes() -> None:
    centre, corner = dodecahedron(corner=False), dodecahedron(corner=True)
    assert len(centre) == len(corner) == 48
    assert not centre.congruent(corner)
    assert recast(centre, ORTHOSCHEMES).congruent(recast(corner, ORTHOSCHEMES))
    assert other_phase(centre, ORTHOSCHEMES)
    assert other_phase(corner, ORTHOSCHEMES)
    assert not other_phase(recast(Shape.from_text(CUBES, "#"), RHOMBS), ORTHOSCHEMES)


def test_a_large_puzzle_changes_its_grid_in_seconds() -> None:
    """24 rhombic cells for each of 1,728 cubes, and twice as many to see if there are two ways."""
    cube = Shape(CUBES, {(x, y, z, 0) for x in range(12) for y in range(12) for z in range(12)})
    problem = Problem(cube, [Piece(cube)])
    answers = Answers([Solution(Assembly(problem, [Placement(0, 0, (0, 0, 0))]))])
    start = process_time()
    found = regrid(Document(Puzzle.of(problem), [answers]), RHOMBS)
    assert [len(shape) for shape in found.puzzle.shapes] == [24 * 1728]
    assert phase_note(found.puzzle) == []
    assert process_time() - start < 5
