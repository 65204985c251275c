"""A puzzle goes over the wire and comes back equal; a grid arrives as it is in space."""

from dataclasses import replace
from itertools import pairwise
from math import cos, radians, sin

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from tests.files.strategies import OWN_GRIDS, documents

from kumitate import CUBES, Document, Grid, Puzzle, PuzzleError, Shape, library
from kumitate.files import decode, encode
from kumitate.files.burrtools.places import GRID_TYPES
from kumitate.grids import GRIDS, SPHERES
from kumitate.model.puzzle import MOST_COPIES
from kumitate.output.scene import corners_of, in_space
from kumitate.studio.ask.axes import AXES, inverse, least_turn, mirror_across, short_shifts
from kumitate.studio.ask.codec import grid_data, grid_of, key_of, puzzle_data, puzzle_of
from kumitate.studio.messages import (
    MOST_TABLE,
    GridData,
    GroupData,
    PieceData,
    PlacementData,
    ProblemData,
    PuzzleData,
    ShapeData,
    TileData,
)

each_grid = pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)


def there_and_back(puzzle: Puzzle) -> Puzzle:
    """Encode as JSON, as on the wire, and decode."""
    sent = msgspec.json.encode(puzzle_data(puzzle))
    return puzzle_of(msgspec.json.decode(sent, type=PuzzleData))


# ---- puzzles ----


@pytest.mark.parametrize("name", list(library))
def test_a_puzzle_of_the_library_comes_back_equal(name: str) -> None:
    assert there_and_back(library[name]) == library[name]


@pytest.mark.parametrize("name", [n for n in library if library[n].grid in GRID_TYPES])
def test_a_puzzle_of_another_program_comes_back_equal(name: str) -> None:
    """Unlike library puzzles, these have duplicate shapes and no titles."""
    data, _ = encode(Document(library[name]), "a.xmpuzzle")
    puzzle = decode(data).puzzle
    assert there_and_back(puzzle) == puzzle


@given(documents())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_puzzle_comes_back_equal(document: Document) -> None:
    """Except that a limit above any possible number of holes is reduced."""
    puzzle = document.puzzle
    problems = [
        problem if problem.max_holes is None else replace(problem, max_holes=problem.max_holes % 99)
        for problem in puzzle.problems
    ]
    puzzle = replace(puzzle, problems=problems)
    assert there_and_back(puzzle) == puzzle


def test_more_holes_than_cells_are_any_number() -> None:
    [problem] = library["soma"].problems
    many = replace(library["soma"], problems=[replace(problem, max_holes=10**12)])
    assert there_and_back(many).problems[0].max_holes == MOST_COPIES


def test_a_problem_may_have_no_goal_yet() -> None:
    data = PuzzleData("cubes", shapes=[ShapeData(4, "A", [(0, 0, 0, 0, 0, 0)])])
    data.problems = [ProblemData("later", pieces=[PieceData(4, 2, 3)])]
    puzzle = puzzle_of(data)
    assert not puzzle.problems[0].goal.cells
    assert puzzle_data(puzzle).problems[0].goal is None


def test_ids_need_not_be_numbers_in_a_row() -> None:
    data = PuzzleData(
        "cubes",
        shapes=[
            ShapeData(7, "goal", [(0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 1, 2)]),
            ShapeData(3, "bar", [(0, 0, 0, 0, 0, 1)], weight=5),
        ],
        problems=[ProblemData("p", 7, [PieceData(3, groups=[GroupData(1, 2)])], [(1, 2)])],
    )
    [problem] = puzzle_of(data).problems
    assert problem.goal == Shape.from_text(CUBES, "#B", name="goal")
    assert problem.pieces[0].shape == Shape.from_text(CUBES, "a", name="bar", weight=5)
    assert problem.pieces[0].groups == {1: 2}


def test_the_same_cells_in_another_order_are_the_same_value() -> None:
    rows = [(x, 0, 0, 0, 0, 0) for x in range(4)]
    one, two = (
        puzzle_of(PuzzleData("cubes", shapes=[ShapeData(0, "A", some)]))
        for some in (rows, rows[::-1])
    )
    assert one == two
    assert hash(one.shapes[0]) == hash(two.shapes[0])


def wrong(**change: object) -> PuzzleData:
    shape = ShapeData(0, "A", [(0, 0, 0, 0, 0, 0)])
    whole = PuzzleData("cubes", shapes=[shape], problems=[ProblemData("P", 0, [PieceData(0)])])
    return msgspec.structs.replace(whole, **change)


def problem(**change: object) -> list[ProblemData]:
    return [msgspec.structs.replace(ProblemData("P", 0, [PieceData(0)]), **change)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (wrong(grid="spheroids"), "grid 'spheroids' is unknown; kumitate has cubes, prisms"),
        (
            wrong(shapes=[ShapeData(0, "A", [(0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 1, 0)])]),
            "shape 'A': the cell (0, 0, 0, 0) is listed twice",
        ),
        (wrong(shapes=[ShapeData(0, "A", [(0, 0, 0, 9, 0, 0)])]), "(0, 0, 0, 9) is not a cell"),
        (wrong(shapes=[ShapeData(0), ShapeData(0)]), "two shapes have the id 0"),
        (wrong(problems=problem(goal=5)), "P: the shape of the goal does not exist"),
        (wrong(problems=problem(pieces=[PieceData(5)])), "P: the shape of piece 1 does not exist"),
        (wrong(problems=problem(pieces=[PieceData(0, 3, 2)])), "the range 3..2 is empty"),
        (
            wrong(problems=problem(pieces=[PieceData(0, groups=[GroupData(1, 1)] * 2)])),
            "P: piece 1 has the same group twice",
        ),
        (wrong(problems=problem(pieces=[PieceData(0, groups=[GroupData(0, 1)])])), "in group 0"),
        (wrong(problems=problem(allowed=[(0, 1)])), "colours are numbered 1 to 63"),
        (
            wrong(problems=problem(pinned=[PlacementData(1, 0, (0, 0, 0))])),
            "the problem has 1 piece",
        ),
        (wrong(problems=problem(pinned=[PlacementData(0, 24, (0, 0, 0))])), "the grid has 24"),
        (wrong(colours=["red"]), "colour 1 is 'red'; write it as '#rrggbb'"),
        (
            wrong(shapes=[ShapeData(n, "", [(0, 0, 0, 0, 0, 0)] * 2000) for n in range(51)]),
            "more than 100,000 cells",
        ),
        (wrong(shapes=[ShapeData(n) for n in range(10_001)]), "more than 10,000 shapes"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(data: PuzzleData, words: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzle_of(data)
    assert words in str(caught.value)


def test_a_name_that_could_not_come_back_is_not_sent() -> None:
    with pytest.raises(PuzzleError, match="more than 10000 letters"):
        puzzle_data(Puzzle(CUBES, title="x" * 10_001))


# ---- keys of grids ----


@pytest.mark.parametrize("grid", [*GRIDS.values(), *OWN_GRIDS], ids=lambda grid: grid.name)
def test_a_grid_is_found_again_by_its_key(grid: Grid) -> None:
    assert grid_of(key_of(grid)) == grid


def test_grids_of_ones_own_do_not_hide_those_of_kumitate() -> None:
    impostor = replace(CUBES, name="spheres")
    assert key_of(impostor) != "spheres"
    assert grid_of("spheres") == SPHERES


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("{", "the table of the grid: it is not JSON"),
        ("{}", "the table of the grid: it has no field name"),
        ('{"name": "x", "oops": 1}', "the table of the grid: unknown field oops"),
        (key_of(replace(CUBES, name="mine", denominator=2)), "grid 'mine'"),
        ("", "grid '' is unknown"),
        ("\ud800{", "is unknown"),
        ("{\ud800", "the table of the grid: "),
    ],
)
def test_a_key_that_means_no_grid_is_said_to(key: str, why: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        grid_of(key)
    assert why in str(caught.value)


def test_a_table_that_could_not_come_back_is_not_sent() -> None:
    long = replace(CUBES, name="x" * MOST_TABLE)
    with pytest.raises(
        PuzzleError, match="the table of the grid is longer than 100,000 characters"
    ):
        puzzle_data(Puzzle(long, []))


# ---- grids in space ----


def cross(a: list[float], b: list[float]) -> list[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a: list[float] | tuple[float, ...], b: list[float] | tuple[float, ...]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def minus(a: tuple[float, ...], b: tuple[float, ...]) -> list[float]:
    return [x - y for x, y in zip(a, b, strict=True)]


def volume(tile: TileData) -> float:
    """The volume by the divergence theorem, which needs every ring to run the right way round."""
    total = 0.0
    for side in tile.sides:
        first, *others = (tile.corners[c] for c in side.ring)
        for b, c in pairwise(others):
            total += dot(first, cross(list(b), list(c))) / 6
    return total


def place(data: GridData, cell: tuple[int, int, int, int]) -> list[tuple[float, ...]]:
    """The corners of a cell, from the message alone."""
    at = [sum(cell[i] * data.basis[i][axis] for i in range(3)) for axis in range(3)]
    return [
        tuple(a + c for a, c in zip(at, corner, strict=True))
        for corner in data.tiles[cell[3]].corners
    ]


@each_grid
def test_tiles_fill_the_space_at_a_lattice_point(grid: Grid) -> None:
    data = grid_data(grid)
    a, b, c = (list(v) for v in data.basis)
    whole = abs(dot(a, cross(b, c)))
    if grid.balls:
        assert 0 < data.radius < whole
    else:
        assert data.radius == 0
        assert sum(map(volume, data.tiles)) == pytest.approx(whole)
        assert all(volume(tile) > 0 for tile in data.tiles)


@each_grid
def test_beyond_a_side_lies_the_cell_that_has_the_same_corners(grid: Grid) -> None:
    data = grid_data(grid)
    for number, tile in enumerate(data.tiles):
        assert sorted(side.beyond for side in tile.sides) == list(grid.neighbours[number])
        for side in tile.sides:
            assert dot(side.normal, side.normal) == pytest.approx(1)
            if grid.balls:
                [centre] = place(data, side.beyond)
                way = minus(centre, tile.centre)
                assert dot(way, way) ** 0.5 == pytest.approx(2 * data.radius)
                assert dot(way, side.normal) == pytest.approx(2 * data.radius)
                continue
            ring = [tile.corners[c] for c in side.ring]
            there = place(data, side.beyond)
            for corner in ring:
                assert any(corner == pytest.approx(other, abs=1e-6) for other in there)
            # The normal looks outwards, and the ring runs counterclockwise about it.
            assert dot(side.normal, minus(ring[0], tile.centre)) > 0
            turn = cross(minus(ring[1], ring[0]), minus(ring[2], ring[1]))
            assert dot(side.normal, turn) > 0


@each_grid
def test_a_section_is_a_ring_within_its_tile(grid: Grid) -> None:
    for tile in grid_data(grid).tiles:
        if grid.balls:
            assert tile.section == []
            continue
        assert len(tile.section) >= 3
        assert tile.height == pytest.approx(tile.centre[2])
        x, y, _ = tile.centre
        for (a, b), (c, d) in zip(tile.section, tile.section[1:] + tile.section[:1], strict=True):
            assert (a - x) * (d - y) - (b - y) * (c - x) > -1e-9  # counterclockwise
            for side in tile.sides:
                corner = tile.corners[side.ring[0]]
                assert dot(side.normal, minus((a, b, tile.height), corner)) < 1e-6


@each_grid
def test_the_page_and_the_spots_say_where_a_cell_stands_in_text(grid: Grid) -> None:
    data = grid_data(grid)
    for cell in [(2, -3, 1, t) for t in range(len(grid.tiles))]:
        spot = tuple(
            sum(row[i] * cell[i] for i in range(3)) + data.tiles[cell[3]].spot[axis]
            for axis, row in enumerate(data.page)
        )
        assert spot == grid.spot(cell)


@pytest.mark.parametrize(
    ("name", "degrees"),
    [
        ("cubes", (90, 90, 90)),
        ("prisms", (180, 180, 60)),
        ("spheres", (90, 90, 90)),
        ("rhombic", (90, 90, 90)),
        ("tetra-octa", (90, 90, 90)),
        ("hexagons", (180, 180, 60)),
    ],
)
def test_the_least_turns_about_the_axes_are_known(name: str, degrees: tuple[int, ...]) -> None:
    data = grid_data(GRIDS[name])
    assert [(turn.axis, turn.degrees) for turn in data.turns] == list(
        zip("xyz", degrees, strict=True)
    )
    assert data.mirrors == ["x", "y", "z"]


@each_grid
def test_a_turn_moves_the_middles_of_cells_as_a_turn_in_space_does(grid: Grid) -> None:
    """Counterclockwise seen from the axis' tip; a full circle of turns changes nothing."""
    cells = [(1, 2, -1, t) for t in range(len(grid.tiles))]

    def middle(cell: tuple[int, int, int, int]) -> list[float]:
        corners = corners_of(grid, cell)
        return [sum(axis) / len(corners) for axis in zip(*corners, strict=True)]

    for i, axis in enumerate(AXES):
        least = least_turn(grid, axis)
        assert least is not None
        j, k = (i + 1) % 3, (i + 2) % 3
        angle = radians(least.degrees)
        for cell in cells:
            image = least.turn(cell)
            assert image is not None
            assert inverse(grid, least.turn)(image) == cell
            before, after = middle(cell), middle(image)
            assert after[i] == pytest.approx(before[i])
            assert after[j] == pytest.approx(cos(angle) * before[j] - sin(angle) * before[k])
            assert after[k] == pytest.approx(sin(angle) * before[j] + cos(angle) * before[k])
        mirror = mirror_across(grid, axis)
        assert mirror is not None
        for cell in cells:
            image = mirror(cell)
            assert image is not None
            signs = [-1 if n == i else 1 for n in range(3)]
            assert middle(image) == pytest.approx(
                [sign * x for sign, x in zip(signs, middle(cell), strict=True)]
            )


@each_grid
def test_shifts_point_where_their_names_say_and_reach_every_lattice_point(grid: Grid) -> None:
    shifts = short_shifts(grid)
    for name, shift in shifts.items():
        for axis, part in zip(AXES, in_space(grid, shift), strict=True):
            sign = "+" if part > 1e-9 else "-" if part < -1e-9 else ""
            assert (sign + axis if sign else axis) in name or not sign
            assert sign or axis not in name
    assert {"+x", "-x", "+y", "-y", "+z", "-z"} <= shifts.keys()
    reached = [(0, 0, 0)]
    for point in reached:
        for x, y, z in shifts.values():
            there = (point[0] + x, point[1] + y, point[2] + z)
            if max(map(abs, there)) <= 3 and there not in reached:
                reached.append(there)
    assert {(1, 0, 0), (0, 1, 0), (0, 0, 1)} <= set(reached)


def test_a_grid_that_turns_about_no_axis_still_goes_over() -> None:
    slanted = replace(
        CUBES, name="slanted", basis=((1.0, 0.0, 0.0), (0.3, 1.1, 0.0), (0.1, 0.2, 0.9))
    )
    data = grid_data(slanted)
    assert data.turns == []
    assert data.mirrors == []
    assert [side.beyond for side in data.tiles[0].sides] == [
        side.beyond for side in grid_data(CUBES).tiles[0].sides
    ]
