"""The grids' tables are tilings, and what follows from them agrees with slow, plain tests."""

import hashlib
import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import floor

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

import kumitate
from kumitate import CUBES
from kumitate.grids import GRIDS, HEXAGONS, KELVIN, PRISMS, RHOMBS, SPHERES, TETROCTS
from kumitate.model.geometry import Cell, apply, dot, fineness

ALL = list(GRIDS.values())
TILED = [grid for grid in ALL if not grid.balls]
by_name = pytest.mark.parametrize("grid", ALL, ids=lambda grid: grid.name)


@pytest.mark.parametrize(
    ("grid", "turns", "neighbours", "steps", "fineness", "sweep_rows"),
    [
        (CUBES, 24, 6, 6, 1, 6),
        (PRISMS, 12, 5, 8, 1, 22),
        (SPHERES, 120, 12, 14, 1, 50),
        (RHOMBS, 24, 4, 26, 2, 3888),
        (TETROCTS, 24, 4, 18, 2, 618),
        (HEXAGONS, 12, 8, 8, 3, 14),
        (KELVIN, 24, 14, 18, 4, 54),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_derived_numbers_are_those_of_the_prototype(
    grid: kumitate.Grid, turns: int, neighbours: int, steps: int, fineness: int, sweep_rows: int
) -> None:
    """The numbers come from research/grid_prototype.md, where another program derived them."""
    assert len(grid.turns) == turns
    assert len(set(grid.turns + grid.mirrors)) == 2 * turns
    assert {len(cells) for cells in grid.neighbours} == {neighbours}
    assert len(set(grid.steps)) == steps
    assert grid.fineness == fineness
    assert sum(len(cells) for s in grid.steps[::2] for cells in grid.sweep(s)) == sweep_rows


@by_name
def test_a_grid_of_ours_passes_its_own_check(grid: kumitate.Grid) -> None:
    grid.check()


CORNERS = CUBES.tiles[0]


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (replace(CUBES, tiles=(CORNERS[:-1],)), "fill 5/6 of the space"),
        (replace(CUBES, denominator=2), "fill 1/8 of the space"),
        (
            replace(PRISMS, tiles=(PRISMS.tiles[0], PRISMS.tiles[0]), page=None, spots=()),
            "tile 0 overlaps the cell",
        ),
        (replace(CUBES, tiles=((*CORNERS, (0, 0, 0)),)), "different corners"),
        (
            # bricks in running bond: the upper row is shifted by half a brick
            replace(
                CUBES,
                denominator=2,
                tiles=(
                    tuple((x, y, z) for x in (0, 2) for y in (0, 1) for z in (0, 2)),
                    tuple((x, y, z) for x in (1, 3) for y in (1, 2) for z in (0, 2)),
                ),
                page=None,
            ),
            "must meet face to face",
        ),
        (replace(PRISMS, generators=(CUBES.generators[1],)), "does not map the tiling onto itself"),
        (replace(CUBES, generators=(((1, 1, 0), (0, 1, 0), (0, 0, 1)),)), "more than 24"),
        (replace(CUBES, mirror=CUBES.generators[0]), "mirror .* has determinant 1"),
        (replace(CUBES, generators=(CUBES.mirror,)), "turn .* has determinant -1"),
        (replace(CUBES, step_order=((1, 0, 0), (0, 1, 0), (1, 1, 1))), "steps must be"),
        (replace(CUBES, page=((1, 0, 0), (0, 1, 0), (1, 1, 0))), "page must be invertible"),
        (replace(PRISMS, spots=((0, 0, 0), (2, 0, 0))), "also that of another cell"),
        (replace(SPHERES, diameter2=3), "overlap"),
        (replace(SPHERES, diameter2=1), "touch no other"),
        (replace(CUBES, tiles=(tuple((20 * x, y, z) for x, y, z in CORNERS),)), "too far"),
    ],
)
def test_a_wrong_table_is_refused_with_the_reason(broken: kumitate.Grid, words: str) -> None:
    with pytest.raises(kumitate.PuzzleError, match=words):
        broken.check()


@by_name
def test_turns_are_a_group_where_they_keep_the_lattice(grid: kumitate.Grid) -> None:
    whole = [turn for turn in grid.turns if turn.divisor == 1]
    cells: list[Cell] = [(1, -2, 3, tile) for tile in range(len(grid.tiles))]

    def images(turn: kumitate.grids.Turn, of: list[Cell]) -> tuple[Cell, ...]:
        return tuple(image for cell in of if (image := turn(cell)) is not None)

    known = {images(turn, cells) for turn in whole}
    assert len(known) == len(whole)
    assert images(grid.turns[0], cells) == tuple(cells)
    for first in whole:
        for second in whole:
            assert images(second, list(images(first, cells))) in known


def test_extra_turns_of_the_spheres_keep_distances_and_some_shapes() -> None:
    gram = SPHERES.gram
    assert gram is not None

    def distances(shape: kumitate.Shape) -> list[int]:
        vectors = [
            tuple(a - b for a, b in zip(p, q, strict=True)) for p, q in combinations(shape, 2)
        ]
        return sorted(dot((x, y, z), apply(gram, (x, y, z))) for x, y, z, _ in vectors)

    hexagonal = kumitate.Shape(SPHERES, {(0, 0, 0, 0), (1, -1, 0, 0), (0, -1, 1, 0)})
    square = kumitate.Shape.from_text(SPHERES, "..#./.#.#/..#.")
    bent = kumitate.Shape.from_text(SPHERES, "#... ..../.#.# ..../..#. .#..")
    landed = {}
    for name, shape in {"hexagonal": hexagonal, "square": square, "bent": bent}.items():
        images = [shape.turned(turn) for turn in SPHERES.turns]
        assert all(image is not None for image in images[:24])
        for image in images:
            assert image is None or distances(image) == distances(shape)
        landed[name] = sum(image is not None for image in images[24:])
    assert landed["hexagonal"] > 0
    assert landed["square"] == landed["bent"] == 0


@by_name
def test_a_spot_names_one_cell(grid: kumitate.Grid) -> None:
    spots = {}
    for tile in range(len(grid.tiles)):
        for x, y, z in [
            (x, y, z) for x in range(-2, 3) for y in range(-2, 3) for z in range(-2, 3)
        ]:
            spots[grid.spot((x, y, z, tile))] = (x, y, z, tile)
    assert len(spots) == 125 * len(grid.tiles)
    assert all(grid.cell_at(spot) == cell for spot, cell in spots.items())


# Files number turns by their place in grid.turns; these fingerprints keep that order for good.
FINGERPRINTS = {
    "cubes": "10efbb0ececd3679",
    "prisms": "0abd3d224f04f25e",
    "spheres": "2647ff9aa7ce73cc",
    "rhombic": "10efbb0ececd3679",
    "tetra-octa": "c651edb7d3018eec",
    "hexagons": "0abd3d224f04f25e",
    "truncated octahedra": "1786aaf1febdba6d",
    "orthoschemes": "1786aaf1febdba6d",
}


@by_name
def test_turns_keep_their_numbers(grid: kumitate.Grid) -> None:
    text = repr([(turn.matrix, turn.divisor) for turn in grid.turns + grid.mirrors])
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == FINGERPRINTS[grid.name]


# ---- sweeps against slow tests that share no code with them ----


def half_spaces(grid: kumitate.Grid, tile: int) -> np.ndarray:
    """Rows (a, b) with a.x + b <= 0 inside the tile, from scipy's hull of its corners."""
    corners = np.array(grid.tiles[tile], dtype=float) / grid.denominator
    return np.unique(np.round(ConvexHull(corners).equations, 9), axis=0)


def meets_on_the_way(
    grid: kumitate.Grid, a: int, step: np.ndarray, start: np.ndarray, b: Cell
) -> bool:
    """By a linear program: the largest ball inside both, at any time from 0 to 1."""
    rows, limits = [], []
    for equation in half_spaces(grid, a):  # x - start - t step inside tile a
        normal = equation[:3]
        rows.append([*normal, -normal @ step, 1.0])
        limits.append(normal @ start - equation[3])
    for equation in half_spaces(grid, b[3]):
        normal = equation[:3]
        rows.append([*normal, 0.0, 1.0])
        limits.append(normal @ np.array(b[:3], dtype=float) - equation[3])
    bounds = [(None, None)] * 3 + [(0, 1), (None, 1)]
    found = linprog([0, 0, 0, 0, -1], A_ub=rows, b_ub=limits, bounds=bounds)
    assert found.status == 0
    return bool(-found.fun > 1e-7)


@pytest.mark.parametrize("grid", TILED, ids=lambda grid: grid.name)
def test_sweeps_agree_with_linear_programs(grid: kumitate.Grid) -> None:
    rng = random.Random(grid.name)
    answers = []
    for _ in range(150):
        step = rng.choice(grid.steps)
        parts = rng.choice((1, 1, grid.fineness))
        start = (rng.randrange(parts), rng.randrange(parts), rng.randrange(parts))
        a = rng.randrange(len(grid.tiles))
        x, y, z = (rng.randint(-2, 2) for _ in range(3))
        b = (x, y, z, rng.randrange(len(grid.tiles)))
        if rng.random() < 0.5:  # half of the cases near a known hit, or there would be few
            b = rng.choice(grid.sweep(step, start, parts)[a])
        expected = meets_on_the_way(grid, a, np.array(step) / parts, np.array(start) / parts, b)
        assert (b in grid.sweep(step, start, parts)[a]) == expected, (a, b, step, start, parts)
        answers.append(expected)
    assert {True, False} <= set(answers)


def exact_sides(grid: kumitate.Grid, tile: int) -> set[tuple[int, int, int, int]]:
    """Rows (a, b, c, d) with ax + by + cz < d inside the tile, from every three of its corners."""
    corners, sides = grid.tiles[tile], set()
    for p, q, r in combinations(corners, 3):
        u, v = ([m - n for m, n in zip(end, p, strict=True)] for end in (q, r))
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        for a, b, c in (normal, tuple(-n for n in normal)):
            heights = [a * x + b * y + c * z for x, y, z in corners]
            level = a * p[0] + b * p[1] + c * p[2]
            if max(heights) == level > min(heights):
                sides.add((a, b, c, level))
    return sides


@pytest.mark.parametrize("grid", TILED, ids=lambda grid: grid.name)
def test_points_of_a_sliding_tile_are_in_swept_cells(grid: kumitate.Grid) -> None:
    """Random inner points at random times, exact in fractions, with own point location."""
    rng = random.Random(grid.name)
    sides = [exact_sides(grid, tile) for tile in range(len(grid.tiles))]
    found = 0
    for _ in range(60):
        step, a = rng.choice(grid.steps), rng.randrange(len(grid.tiles))
        weights = [rng.randint(1, 9) for _ in grid.tiles[a]]
        moment = Fraction(rng.randint(0, 997), 997)
        point = [
            Fraction(sum(w * c for w, c in zip(weights, axis, strict=True)), sum(weights))
            + moment * grid.denominator * s
            for axis, s in zip(zip(*grid.tiles[a], strict=True), step, strict=True)
        ]
        low = [floor(x / grid.denominator) for x in point]
        for d in product(*(range(at - 2, at + 3) for at in low)):
            x, y, z = (p - grid.denominator * s for p, s in zip(point, d, strict=True))
            for b, rows in enumerate(sides):
                if all(i * x + j * y + k * z < level for i, j, k, level in rows):
                    assert (*d, b) in grid.sweep(step)[a]
                    found += 1
    assert found >= 50


@pytest.mark.parametrize("parts", [1, 2])
def test_a_rolling_ball_sweeps_the_balls_it_comes_too_near(parts: int) -> None:
    """Distances at many times along the way; the gram matrix is all that is shared."""
    basis = np.array(SPHERES.basis)
    times = np.linspace(0, 1, 2001)[:, None]
    for step in SPHERES.steps:
        for start in [(0, 0, 0), (1, 0, 1), (0, 1, 1)][: 1 if parts == 1 else 3]:
            path = (np.array(start) + times * np.array(step)) / parts @ basis
            swept = SPHERES.sweep(step, start, parts)[0]
            for cell in [
                (x, y, z, 0) for x in range(-4, 5) for y in range(-4, 5) for z in range(-4, 5)
            ]:
                nearest = np.linalg.norm(path - np.array(cell[:3]) @ basis, axis=1).min()
                if abs(nearest - 2**0.5) > 1e-3:
                    assert (cell in swept) == (nearest < 2**0.5), (step, start, cell)


@by_name
def test_sliding_back_sweeps_what_the_other_would(grid: kumitate.Grid) -> None:
    """a slid by s meets b just if b slid by -s meets a."""
    for step in grid.steps[:8:2]:
        forward = {(a, b) for a, cells in enumerate(grid.sweep(step)) for b in cells}
        x, y, z = step
        backward = {
            (t, (-dx, -dy, -dz, b))
            for b, cells in enumerate(grid.sweep((-x, -y, -z)))
            for dx, dy, dz, t in cells
        }
        assert forward == backward


def test_a_step_is_cut_so_that_every_contact_is_a_place() -> None:
    """A cube that goes by two cells at once, and by three, may stop at each of six parts."""
    [cube] = CUBES.tiles
    assert fineness([cube], CUBES.denominator, [(2, 0, 0), (0, 3, 0)]) == 6
    assert fineness([cube], CUBES.denominator, [(1, 0, 0)]) == 1
