"""Plates: pieces apart, inside and lying well; as few plates as bounds and brute force prove."""

import random
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.output.plain_meshes import mesh_of

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES, GRIDS, PRISMS
from kumitate.model.shape import Shape
from kumitate.output.make.plates import Plate, in_a_row, lay_out
from kumitate.output.make.rectangles import Size, Spot, fewest, pack
from kumitate.output.solid.mesh import Mesh

NEARLY = 1e-5


def boxes(plate: Plate) -> list[tuple[np.ndarray, np.ndarray]]:
    return [
        (mesh.points.min(axis=0) + shift, mesh.points.max(axis=0) + shift) for mesh, shift in plate
    ]


def is_right(plates: list[Plate], bed: tuple[float, float], gap: float) -> None:
    for plate in plates:
        for low, high in boxes(plate):
            assert low[2] == pytest.approx(0, abs=NEARLY)
            assert (low[:2] >= -NEARLY).all()
            assert (high[:2] <= np.add(bed, NEARLY)).all()
        for (low, high), (low2, high2) in combinations(boxes(plate), 2):
            apart = np.maximum(low2 - high, low - high2)[:2].max()
            assert apart >= gap - NEARLY


def spots_are_right(spots: list[Spot], plate: Size) -> None:
    for spot in spots:
        assert 0 <= spot.x <= spot.x + spot.width <= plate[0]
        assert 0 <= spot.y <= spot.y + spot.depth <= plate[1]
    for a, b in combinations(spots, 2):
        assert (
            a.x + a.width <= b.x
            or b.x + b.width <= a.x
            or a.y + a.depth <= b.y
            or b.y + b.depth <= a.y
        )


# ---- rectangles, against brute force ----


def fit_one_plate(sizes: list[Size], plate: Size) -> bool:
    """Tries every place at sums of sides, which is enough: push all towards the corner."""
    width, depth = plate
    if sum(a * b for a, b in sizes) > width * depth:
        return False
    sums = {0}
    for a, b in sizes:
        sums |= {s + side for s in sums for side in (a, b)}

    def covered(x: int, y: int, w: int, d: int) -> int:
        row = ((1 << w) - 1) << x
        return sum(row << (width * (y + i)) for i in range(d))

    choices = [
        {
            covered(x, y, w, d)
            for w, d in ((a, b), (b, a))
            for x in sums
            for y in sums
            if x + w <= width and y + d <= depth
        }
        for a, b in sorted(sizes, reverse=True)
    ]

    @cache
    def rest(number: int, taken: int) -> bool:
        return number == len(choices) or any(
            rest(number + 1, taken | choice) for choice in choices[number] if not taken & choice
        )

    return rest(0, 0)


def least_plates(sizes: list[Size], plate: Size) -> int:
    """Over all ways to share the rectangles out."""

    @cache
    def fits(part: int) -> bool:
        return fit_one_plate([size for n, size in enumerate(sizes) if part >> n & 1], plate)

    @cache
    def least(left: int) -> int:
        if not left:
            return 0
        first = left & -left
        others = rest = left ^ first
        best = len(sizes)
        while True:
            if fits(first | others):
                best = min(best, 1 + least(rest ^ others))
            if not others:
                return best
            others = (others - 1) & rest

    return least((1 << len(sizes)) - 1)


def test_brute_force_knows_easy_cases() -> None:
    assert least_plates([(3, 2)] * 6, (6, 6)) == 1
    assert least_plates([(3, 2)] * 7, (6, 6)) == 2
    assert least_plates([(4, 4)] * 2, (6, 6)) == 2


def test_small_cases_need_as_many_plates_as_brute_force_says() -> None:
    chance = random.Random(1)
    bounds_met = 0
    for _ in range(150):
        plate = (chance.randint(6, 9), chance.randint(6, 9))
        sizes = [(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(chance.randint(2, 6))]
        plates = pack(sizes, plate)
        least = least_plates(sizes, plate)
        assert len(plates) == least, (sizes, plate)
        assert fewest(sizes, plate) <= least
        bounds_met += fewest(sizes, plate) == least
    assert bounds_met > 130


def test_a_plate_sawn_into_pieces_is_put_together_again() -> None:
    chance = random.Random(2)
    for _ in range(10):
        parts = [(180, 180)]
        while len(parts) < 8:
            width, depth = max(parts)
            parts.remove((width, depth))
            cut = chance.randint(width // 4, 3 * width // 4)
            parts += [(depth, cut), (depth, width - cut)]
        chance.shuffle(parts)
        assert len(pack(parts, (180, 180))) == 1


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), max_size=25),
    st.tuples(st.integers(60, 100), st.integers(60, 100)),
)
def test_rectangles_never_overlap_and_none_is_lost(sizes: list[Size], plate: Size) -> None:
    plates = pack(sizes, plate)
    for spots in plates:
        spots_are_right(spots, plate)
    found = sorted(spot for spots in plates for spot in spots)
    assert [spot.rectangle for spot in found] == list(range(len(sizes)))
    for spot in found:
        assert sorted((spot.width, spot.depth)) == sorted(sizes[spot.rectangle])
    assert len(plates) >= fewest(sizes, plate)


# ---- meshes on beds ----


@pytest.mark.parametrize("name", ["bedlam", "pentominoes", "six-piece-burr", "y25"])
def test_library_pieces_lie_apart_and_inside(name: str) -> None:
    pieces = library[name].problems[0].pieces
    meshes = [
        mesh for piece in pieces for mesh in [mesh_of(piece.shape, 11.15)] * min(piece.max, 25)
    ]
    plates = lay_out(meshes)
    is_right(plates, (180, 180), 6)
    assert sum(map(len, plates)) == len(meshes)


@pytest.mark.parametrize("name", [grid.name for grid in GRIDS.values() if not grid.balls])
def test_on_every_grid_a_piece_keeps_its_size_and_touches_the_bed(name: str) -> None:
    grid = GRIDS[name]
    shape = Shape(grid, {(0, 0, 0, 0)})
    shape = Shape(grid, {(0, 0, 0, 0), *shape.neighbours((0, 0, 0, 0))})
    mesh = mesh_of(shape, 11.15, "A", "#56B4E9")
    [[(laid, shift)]] = lay_out([mesh])
    is_right([[(laid, shift)]], (180, 180), 6)
    assert laid.volume == pytest.approx(mesh.volume)
    assert (laid.name, laid.colour) == ("A", "#56B4E9")
    assert (laid.points[:, 2] < 1e-4).sum() >= 3


def test_soma_fits_one_plate_and_two_where_the_bound_says_so() -> None:
    meshes = [mesh_of(piece.shape, 11.15) for piece in library["soma"].problems[0].pieces]
    assert len(lay_out(meshes)) == 1
    # One piece covers 2 x 2 cells and six 3 x 2: 22.3 and 33.45 mm, with 2 mm between.
    sizes = [(22300 + 2000, 22300 + 2000)] + [(33450 + 2000, 22300 + 2000)] * 6
    bed = (70.0, 70.0)
    plates = lay_out(meshes, bed, gap=2)
    is_right(plates, bed, 2)
    assert len(plates) == fewest(sizes, (72000, 72000)) == 2


def test_a_piece_lies_on_its_broad_side_whichever_way_it_came() -> None:
    ell = Shape.from_text(CUBES, "###/#../#..")
    for turn in range(24):
        turned = ell.turned(CUBES.turns[turn])
        assert turned is not None
        [[(laid, _)]] = lay_out([mesh_of(turned)])
        np.testing.assert_allclose(np.ptp(laid.points, axis=0), (30, 30, 10), atol=1e-6)


def test_the_larger_foot_wins_over_the_lower_height() -> None:
    layers = "###  ...  ...  .../###  .#.  .#.  .#./###  ...  ...  ..."
    tower = mesh_of(Shape.from_text(CUBES, layers))
    upside_down = Mesh(tower.points * (1, -1, -1), tower.triangles)
    [[(laid, _)]] = lay_out([upside_down])
    assert np.ptp(laid.points, axis=0).tolist() == [30, 30, 40]
    above_ten = laid.points[laid.points[:, 2] > 10.5]
    assert np.ptp(above_ten, axis=0).tolist() == [10, 10, 20]


def test_a_cross_is_laid_straight_though_askew_it_would_be_smaller() -> None:
    cross = mesh_of(Shape.from_text(CUBES, ".#./###/.#."))
    [[(laid, _)]] = lay_out([cross])
    assert np.ptp(laid.points, axis=0).tolist() == [30, 30, 10]


def test_a_stick_that_came_askew_is_laid_straight() -> None:
    stick = mesh_of(Shape.from_text(CUBES, "####"))
    c, s = np.cos(0.3), np.sin(0.3)
    askew = Mesh(stick.points @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), stick.triangles)
    [[(laid, _)]] = lay_out([askew])
    assert sorted(np.ptp(laid.points, axis=0)) == pytest.approx([10, 10, 40])


def test_three_balls_lie_flat() -> None:
    from manifold3d import Manifold

    ball = Manifold.sphere(5.2, 64)
    centres = np.array([(0, 0, 0), (10, 0, 0), (5, 75**0.5, 0)])
    c, s = np.cos(0.7), np.sin(0.7)
    tilted = centres @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    three = sum((ball.translate(centre) for centre in tilted), Manifold()).to_mesh64()
    mesh = Mesh(np.array(three.vert_properties), np.array(three.tri_verts, dtype=np.int32))
    [[(laid, _)]] = lay_out([mesh])
    assert np.ptp(laid.points, axis=0)[2] == pytest.approx(10.4, abs=0.05)


def test_a_piece_too_long_to_lie_stands() -> None:
    board = mesh_of(Shape.from_text(CUBES, "######/######"))
    [[(laid, shift)]] = lay_out([board], bed=(25, 25))
    assert np.ptp(laid.points, axis=0)[2] == 60
    is_right([[(laid, shift)]], (25, 25), 6)


def test_a_piece_that_fits_no_way_is_refused_with_both_sizes() -> None:
    plate = mesh_of(Shape.from_text(CUBES, "###/###/###"), name="lid")
    with pytest.raises(PuzzleError, match=r"piece 'lid' is 30 x 30 x 10 mm .* bed of 25 x 25 mm"):
        lay_out([plate], bed=(25, 25))
    [[_]] = lay_out([plate], bed=(30, 30))  # to the very edge


@pytest.mark.parametrize(("bed", "gap"), [((0, 180), 6), ((180, 180), -1)])
def test_a_bed_or_gap_of_no_size_is_refused(bed: tuple[float, float], gap: float) -> None:
    with pytest.raises(PuzzleError, match="choose sizes above 0"):
        lay_out([], bed, gap)


def test_copies_stay_one_mesh() -> None:
    mesh = mesh_of(Shape.from_text(PRISMS, "###"), 15)
    placed = in_a_row(lay_out([mesh] * 30, bed=(100, 100)), bed=(100, 100))
    assert len(placed) == 30
    assert len({id(laid) for laid, _ in placed}) <= 2


def test_plates_in_a_row_do_not_meet() -> None:
    meshes = [mesh_of(piece.shape, 20) for piece in library["bedlam"].problems[0].pieces]
    plates = lay_out(meshes)
    assert len(plates) > 1
    is_right([in_a_row(plates)], (len(plates) * 186, 180), 6)


def test_the_next_bed_begins_a_gap_after_the_last() -> None:
    mesh = mesh_of(Shape.from_text(CUBES, "#"))
    plates: list[Plate] = [[(mesh, (1.0, 2.0, 0.0))], [(mesh, (3.0, 4.0, 0.0))]]
    row = in_a_row(plates, (100.0, 50.0), 6.0)
    assert [shift for _, shift in row] == [(1.0, 2.0, 0.0), (109.0, 4.0, 0.0)]


def test_nothing_needs_no_plate() -> None:
    assert lay_out([]) == []


def test_the_layout_is_the_same_again() -> None:
    def layout() -> list[list[tuple[list[float], object]]]:
        meshes = [mesh_of(piece.shape, 15) for piece in library["bedlam"].problems[0].pieces]
        return [
            [(mesh.points.ravel().tolist(), shift) for mesh, shift in p] for p in lay_out(meshes)
        ]

    assert layout() == layout()
