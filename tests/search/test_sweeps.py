"""What tiles sweep, where turns send them: the core agrees with the plain geometry of the model."""

import random
from array import array
from dataclasses import replace

import pytest

from kumitate import Assembly, Grid, PuzzleError, _core, disassemble
from kumitate.grids import CUBES, GRIDS, HEXAGONS, PRISMS, SPHERES, TETROCTS
from kumitate.model.geometry import (
    Matrix,
    Sweep,
    Tile,
    Vector,
    add,
    adjugate,
    apply,
    determinant,
    multiply,
    plain_sweep,
    sweep_ball,
    sweep_tiles,
    times,
    triples,
)
from kumitate.search.placements import plain_turns_of, turns_of


def numbers(sweeps: list[Sweep]) -> "array[int]":
    """Sweeps as the core gives them."""
    found = array("i")
    for sweep in sweeps:
        for cells in sweep:
            found.extend((len(cells), *(number for cell in cells for number in cell)))
    return found


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_the_core_sweeps_as_the_grid_does(grid: Grid) -> None:
    for parts in {1, min(grid.fineness, 2)}:
        expected = [grid.sweep(s, at, parts) for at in triples(range(parts)) for s in grid.steps]
        balls = (grid.gram or (), grid.diameter2)
        found = _core.sweeps(grid.tiles, grid.denominator, *balls, grid.steps, parts)
        assert array("i", found) == numbers(expected)


def shear(rng: random.Random) -> Matrix:
    """A random lattice basis."""
    matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    for _ in range(3):
        a, b, c = (rng.randint(-1, 1) for _ in range(3))
        matrix = multiply(
            ((1, a, 0), (0, 1, b), (0, 0, 1)), multiply(matrix, ((1, 0, 0), (c, 1, 0), (0, 0, 1)))
        )
    return matrix


@pytest.mark.parametrize("seed", range(30))
def test_the_core_sweeps_any_tiles_along_any_step(seed: int) -> None:
    """Also when the corners are so fine that their products need more than 64 bits."""
    rng = random.Random(seed)
    grid = rng.choice([CUBES, PRISMS, TETROCTS, HEXAGONS])
    matrix, parts = shear(rng), rng.randint(1, 3)
    tiles = [tuple(apply(matrix, corner) for corner in tile) for tile in grid.tiles]
    step: Vector = (rng.randint(-3, 3), rng.randint(-3, 3), rng.randint(-3, 3))
    expected = [
        sweep_tiles(tiles, grid.denominator, step, start, parts) for start in triples(range(parts))
    ]
    assert expected == [
        plain_sweep(tiles, grid.denominator, step, start, parts) for start in triples(range(parts))
    ]
    for fine in (1, 99_991):
        corners = [[times(fine, corner) for corner in tile] for tile in tiles]
        found = _core.sweeps(corners, fine * grid.denominator, (), 0, [step], parts)
        assert array("i", found) == numbers(expected)


@pytest.mark.parametrize("seed", range(20))
def test_the_core_rolls_balls_along_any_step(seed: int) -> None:
    rng = random.Random(seed)
    gram, diameter2 = rng.choice(
        [
            (((1, 0, 0), (0, 1, 0), (0, 0, 1)), 1),
            (((2, 1, 1), (1, 2, 1), (1, 1, 2)), 2),
            (((3, -1, -1), (-1, 3, -1), (-1, -1, 3)), 3),
        ]
    )
    step: Vector = (rng.randint(-3, 3), rng.randint(-3, 3), rng.randint(-3, 3))
    parts = rng.randint(1, 3)
    expected = [sweep_ball(gram, diameter2, step, at, parts) for at in triples(range(parts))]
    found = _core.sweeps((((0, 0, 0),),), 1, gram, diameter2, [step], parts)
    assert array("i", found) == numbers(expected)


def test_a_step_that_leads_far_away_is_refused() -> None:
    """Bricks with six sides, so slanted that two of them slide by hundreds of cells at a time."""
    sides = [(667, -334), (333, 334), (-333, 666)]
    corners: list[Vector] = [(0, 0, 0)]
    for x, y in [*sides, *((-x, -y) for x, y in sides)][:5]:
        corners.append((corners[-1][0] + x, corners[-1][1] + y, 0))
    tile: Tile = (*corners, *((x, y, 1000) for x, y, _ in corners))
    up: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, -1))
    grid = Grid("bricks", CUBES.basis, (tile,), (), up, denominator=1000)
    grid.check()
    two = Assembly.from_text(grid, "AB")
    with pytest.raises(PuzzleError, match=r"step \(.*\) leads too far"):
        disassemble(two)


def made_by_core(grid: Grid) -> "array[int]":
    table = grid.tiles, grid.denominator, grid.generators, grid.mirror
    return array("i", _core.turns(*table, grid.extra_turn, grid.extra_divisor))


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_the_core_turns_as_the_grid_does(grid: Grid) -> None:
    assert made_by_core(grid) == plain_turns_of(grid) == turns_of(grid)


@pytest.mark.parametrize("seed", range(40))
def test_the_core_turns_grids_in_any_basis_with_tiles_anywhere(seed: int) -> None:
    """Also with other generators, which may make fewer turns and in another order."""
    rng = random.Random(seed)
    grid = rng.choice([*GRIDS.values(), SPHERES])
    basis = shear(rng)
    assert determinant(basis) == 1

    def within(matrix: Matrix) -> Matrix:
        return multiply(basis, multiply(matrix, adjugate(basis)))

    def moved(tile: Tile) -> Tile:
        far = times(grid.denominator, (rng.randint(-2, 2), rng.randint(-2, 2), rng.randint(-2, 2)))
        corners = [apply(basis, corner) for corner in tile]
        rng.shuffle(corners)
        return tuple(add(corner, far) for corner in corners) if grid.gram is None else tile

    plain = [turn.matrix for turn in grid.turns if turn.divisor == 1]
    chosen = grid.generators if rng.random() < 0.3 else rng.choices(plain, k=rng.randint(0, 3))
    other = replace(
        grid,
        tiles=tuple(map(moved, grid.tiles)),
        generators=tuple(map(within, chosen)),
        mirror=within(rng.choice([turn.matrix for turn in grid.mirrors if turn.divisor == 1])),
        extra_turn=grid.extra_turn and within(grid.extra_turn),
    )
    assert made_by_core(other) == plain_turns_of(other)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"generators": (((0, -1, 0), (1, 0, 0), (0, 0, 1)),)}, "lands on no tile"),
        ({"generators": (((1, 1, 0), (0, 1, 0), (0, 0, 1)),)}, "more than 24"),
        ({"mirror": ((2**62, 0, 0), (0, 1, 0), (0, 0, 1))}, "lands on no tile"),
        ({"mirror": ((2**70, 0, 0), (0, 1, 0), (0, 0, 1))}, "lands on no tile"),
    ],
)
def test_a_table_that_is_no_grid_is_an_error_that_says_why(
    changes: dict[str, object], error: str
) -> None:
    with pytest.raises(PuzzleError, match=error):
        turns_of(replace(PRISMS, **changes))  # type: ignore[arg-type]


def test_a_grid_with_large_numbers_has_the_same_turns() -> None:
    for scale in (2**30, 2**45, 2**70):
        tiles = tuple(tuple(times(scale, c) for c in tile) for tile in CUBES.tiles)
        assert turns_of(replace(CUBES, tiles=tiles, denominator=scale)) == turns_of(CUBES)
