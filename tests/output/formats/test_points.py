"""Tables of points and layers of numbers, as the block-puzzle solver prints them."""

import csv

import pytest

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES, HEXAGONS, PRISMS, SPHERES
from kumitate.model.puzzle import Piece, Problem
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly
from kumitate.output.formats.points import layers_text, points_csv
from kumitate.search.assemble import assemble


def test_a_cube_prints_as_the_solver_prints_it() -> None:
    assembly = Assembly.from_text(CUBES, "AAB AAB/CDB CDB")
    assert layers_text(assembly) == (
        "======== Layer 1\n 1  1  2 \n 3  4  2 \n======== Layer 2\n 1  1  2 \n 3  4  2 \n========\n"
        "1 = A, 2 = B, 3 = C, 4 = D\n"
    )  # setw(2) and a blank, a rule of three signs a column less one: write_cube_slices
    assert points_csv(assembly).splitlines()[:4] == ["x,y,z,v", "0,0,0,1", "1,0,0,1", "2,0,0,2"]


def test_every_cell_of_the_box_has_a_row_x_fastest() -> None:
    assembly = next(assemble(library["soma"].problems[0]))
    rows = [tuple(map(int, row)) for row in csv.reader(points_csv(assembly).splitlines()[1:])]
    assert [(x, y, z) for x, y, z, _ in rows] == [
        (x, y, z) for z in range(3) for y in range(3) for x in range(3)
    ]
    for number, shape in enumerate(assembly.shapes, 1):
        assert {(x, y, z, 0) for x, y, z, v in rows if v == number} == shape.cells


def test_the_table_says_what_the_layers_say() -> None:
    assembly = next(assemble(library["bedlam"].problems[0]))
    values = [row[3] for row in csv.reader(points_csv(assembly).splitlines()[1:])]
    lines = [line for line in layers_text(assembly).splitlines() if "=" not in line]
    assert " ".join(lines).split() == values


def test_uncovered_cells_are_zero_and_the_box_starts_at_the_goal() -> None:
    goal = Shape.from_text(CUBES, "#+/##", at=(5, -2, 1))
    corner = Shape.from_text(CUBES, "#./##", at=(5, -2, 1))
    [assembly] = assemble(Problem(goal, [Piece(corner)]))
    assert points_csv(assembly) == "x,y,z,v\n0,0,0,1\n1,0,0,0\n0,1,0,1\n1,1,0,1\n"


def test_wide_numbers_keep_their_columns() -> None:
    cells = [(n, 0, 0, 0) for n in range(101)]
    dots = [Piece(Shape(CUBES, {cell}, name=str(cell))) for cell in cells]
    here = Assembly.from_text(CUBES, "A").placements[0]
    problem = Problem(Shape(CUBES, set(cells)), dots)
    assembly = Assembly(problem, [here._replace(piece=n) for n in range(101)])
    rule, row, *_ = layers_text(assembly).splitlines()
    assert row.endswith(" 99 100 101 ")
    assert len(row) == len(rule.split()[0]) + 1


def test_other_grids_give_the_middles_of_their_cells() -> None:
    triangles = points_csv(Assembly.from_text(PRISMS, "AB"))
    assert triangles.splitlines()[1:] == ["0.5,0.288675,0.5,1", "1,0.57735,0.5,2"]
    hexagons = points_csv(Assembly.from_text(HEXAGONS, "A.B"))
    assert hexagons.splitlines()[1:] == ["0,0,0.5,1", "1,0,0.5,2"]


def test_places_without_a_cell_stay_blank() -> None:
    assembly = next(assemble(library["kanoodle-pyramid"].problems[0]))
    assert assembly.problem.grid is SPHERES
    first = layers_text(assembly).splitlines()[1]
    assert [first[i : i + 3].strip() != "" for i in range(0, len(first), 3)] == [
        x % 2 == 0 for x in range(9)
    ]
    assert len(points_csv(assembly).splitlines()) == 1 + len(assembly.problem.goal)


def test_a_box_too_large_to_list_is_told() -> None:
    far = Shape(CUBES, {(0, 0, 0, 0), (10**6, 10**6, 10**6, 0)})
    with pytest.raises(PuzzleError, match="at most 500,000 are listed"):
        points_csv(Assembly(Problem(far, []), ()))
