"""Solids: watertight, in one part, with the holes of their cells and no others, and they fit."""

import random
import time
from io import BytesIO
from itertools import combinations, product

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold, Mesh64
from numpy.typing import NDArray
from tests.samples import SAMPLES

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector, edges, facets
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS, PRISMS, RHOMBS, SPHERES
from kumitate.model.shape import Shape
from kumitate.output.formats import stl
from kumitate.output.solid import solid as making
from kumitate.output.solid.hull import hull
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.print_options import PrintOptions, solid, unit_for
from kumitate.output.solid.solid import _core, _cuboids, _normals, _sum, blocks_of
from kumitate.output.solid.surface import face_rings, faces_of
from kumitate.search.assemble import assemble

TILES = [grid for grid in GRIDS.values() if not grid.balls]


def manifold(mesh: Mesh) -> Manifold:
    return Manifold(Mesh64(mesh.points, mesh.triangles.astype(np.uint64)))


def read_again(mesh: Mesh) -> trimesh.Trimesh:
    return trimesh.Trimesh(mesh.points, mesh.triangles, process=False)


def blob(grid: Grid, cells: int, seed: int) -> Shape:
    chance = random.Random(seed)
    found = {(0, 0, 0, 0)}
    while len(found) < cells:
        beside = {n for cell in found for n in Shape(grid, found).neighbours(cell)} - found
        found.add(chance.choice(sorted(beside)))
    return Shape(grid, found, name="blob")


def euler(shape: Shape) -> int:
    """Of the inside of a shape, from its cells alone: cells - faces + edges - corners within.

    A face, an edge or a corner is within the shape if all cells of the grid that touch it are.
    """
    grid, d = shape.grid, shape.grid.denominator
    reach = [(x, y, z) for x in range(-3, 4) for y in range(-3, 4) for z in range(-3, 4)]

    def parts(x: int, y: int, z: int, t: int) -> set[frozenset[Vector]]:
        here = [(d * x + a, d * y + b, d * z + c) for a, b, c in grid.tiles[t]]
        faces = {frozenset(here[c] for c in f.corners) for f in facets(grid.tiles[t])}
        sides = {frozenset((here[i], here[j])) for i, j in edges(grid.tiles[t])}
        return faces | sides | {frozenset((corner,)) for corner in here}

    mine = {part for cell in shape.cells for part in parts(*cell)}
    around = {
        (x + dx, y + dy, z + dz, t)
        for x, y, z, _ in shape.cells
        for dx, dy, dz in reach
        for t in range(len(grid.tiles))
    } - set(shape.cells)
    bare = {part for cell in around for part in parts(*cell)}
    within = mine - bare
    sign = {1: -1, 2: 1}
    return len(shape.cells) + sum(sign.get(len(part), -1) for part in within)


def require_sound(mesh: Mesh, shape: Shape) -> None:
    again = read_again(mesh)
    assert again.is_watertight
    assert again.is_winding_consistent
    assert again.volume > 0
    assert again.euler_number == 2 * euler(shape)
    assert len(manifold(mesh).decompose()) == 1 + cavities(shape)


def cavities(shape: Shape) -> int:
    """How many holes nobody can look into."""
    low = [min(c[i] for c in shape.cells) - 1 for i in range(3)]
    high = [max(c[i] for c in shape.cells) + 1 for i in range(3)]
    empty = {
        (x, y, z, t)
        for x in range(low[0], high[0] + 1)
        for y in range(low[1], high[1] + 1)
        for z in range(low[2], high[2] + 1)
        for t in range(len(shape.grid.tiles))
    } - set(shape.cells)
    return sum(
        all(low[i] < cell[i] < high[i] for cell in part.cells for i in range(3))
        for part in Shape(shape.grid, empty).components
    )


def pieces_of(name: str) -> list[Shape]:
    shapes = {piece.shape for problem in library[name].problems for piece in problem.pieces}
    return sorted(shapes, key=lambda shape: shape.name)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_piece_of_the_library_is_sound_in_its_file(name: str) -> None:
    for shape in pieces_of(name):
        mesh = solid(shape)
        again = trimesh.load_mesh(BytesIO(stl.write([mesh])), file_type="stl")
        assert isinstance(again, trimesh.Trimesh)
        assert again.is_watertight
        assert again.is_winding_consistent
        assert again.volume == pytest.approx(mesh.volume, rel=1e-5)
        assert again.body_count == 1
        if not shape.grid.balls:
            assert again.euler_number == 2 * euler(shape)


def inset_volume(shape: Shape, unit: float, inset: float) -> float:
    """Of a piece of cubes, from its cells: each is eight corners, and more where all is filled.

    A cell keeps its inside; where two, four or eight cells meet in a face, an edge or a corner the
    slab, bar or cube between their insides belongs to the piece as well.
    """
    cells = {cell[:3] for cell in shape.cells}
    inner, gap = unit - 2 * inset, 2 * inset
    total = 0.0
    for x, y, z in cells:
        for dx, dy, dz in product((0, 1), repeat=3):
            block = product((x, x + dx), (y, y + dy), (z, z + dz))
            if all(cell in cells for cell in block):
                total += inner ** (3 - dx - dy - dz) * gap ** (dx + dy + dz)
    return total


@pytest.mark.parametrize("name", [n for n in SAMPLES if library[n].grid == CUBES])
def test_the_volume_of_every_piece_of_cubes_is_the_formula(name: str) -> None:
    for shape in pieces_of(name):
        mesh = solid(shape, PrintOptions(unit=10, inset=0.3, bevel=0))
        assert mesh.volume == pytest.approx(inset_volume(shape, 10, 0.3), rel=1e-9)


@pytest.mark.parametrize("grid", TILES, ids=lambda grid: grid.name)
@pytest.mark.parametrize("bevel", [0.0, 0.5])
def test_random_pieces_have_the_holes_of_their_cells(grid: Grid, bevel: float) -> None:
    big = len(grid.tiles[0]) > 12
    for cells, seed in ((1, 0), (2, 0), (4, 1), (5, 2), (9, 3)) if big else (
        (1, 0), (2, 0), (4, 1), (7, 2), (12, 3), (20, 4),
    ):  # fmt: skip
        shape = blob(grid, cells, seed)
        require_sound(solid(shape, PrintOptions(unit=30, bevel=bevel)), shape)


@pytest.mark.parametrize(
    ("text", "holes"),
    [("##/##", 0), ("## ##/## ##", 0), ("###/#.#/###", 1), ("### #.# ###/### #.# ###", 1)],
)
def test_blocks_have_no_pinholes_and_rings_one_hole(text: str, holes: int) -> None:
    shape = Shape.from_text(CUBES, text)
    mesh = solid(shape, PrintOptions(unit=10, inset=0.1, bevel=0.6))
    assert manifold(mesh).genus() == holes
    require_sound(mesh, shape)


@pytest.mark.parametrize(
    ("text", "volume"), [("###/..#", 3779.156), ("##/##", 3807.58), ("## ##/## ##", 7720.78)]
)
def test_volumes_are_those_of_another_program(text: str, volume: float) -> None:
    """Chamfered hulls and Minkowski sums made by hand gave these (10 mm, inset 0.1, bevel 0.6)."""
    mesh = solid(Shape.from_text(CUBES, text), PrintOptions(unit=10, inset=0.1, bevel=0.6))
    assert mesh.volume == pytest.approx(volume, abs=0.005)


@pytest.mark.parametrize("grid", TILES, ids=lambda grid: grid.name)
def test_without_inset_and_bevel_the_volume_is_that_of_the_cells(grid: Grid) -> None:
    shape = blob(grid, 6, 7)
    mesh = solid(shape, PrintOptions(unit=10, inset=0, bevel=0))
    one = [
        solid(Shape(grid, {cell}), PrintOptions(unit=10, inset=0, bevel=0)).volume for cell in shape
    ]
    (a, b, c) = grid.basis
    lattice = abs(float(np.linalg.det(np.array([a, b, c])))) * 1000
    assert mesh.volume == pytest.approx(sum(one), rel=1e-6)
    whole = [solid(Shape(grid, {(0, 0, 0, t)}), PrintOptions(unit=10, inset=0, bevel=0)).volume
             for t in range(len(grid.tiles))]  # fmt: skip
    assert sum(whole) == pytest.approx(lattice, rel=1e-6)


def test_the_volume_of_an_inset_bar_is_the_formula() -> None:
    mesh = solid(
        Shape.from_text(CUBES, "####"), PrintOptions(unit=(10, 12, 14), inset=0.3, bevel=0)
    )
    assert mesh.volume == pytest.approx((40 - 0.6) * (12 - 0.6) * (14 - 0.6))
    mesh = solid(Shape.from_text(CUBES, "#"), PrintOptions(unit=10, inset=0.5, bevel=1))
    side, b = 9.0, 1.0
    # Of a chamfered cube: twelve prisms go, and at each corner what they share is counted once.
    core = side - 2 * b
    assert mesh.volume == pytest.approx(
        core**3 + 6 * b * core**2 + 12 * core * b * b / 2 + 8 * b**3 / 6
    )


@pytest.mark.parametrize("grid", TILES, ids=lambda grid: grid.name)
def test_flat_faces_lie_one_inset_in(grid: Grid) -> None:
    """Measured along the normals of the grid: nowhere less, and all faces reached."""
    shape = Shape(grid, {(0, 0, 0, 0)})
    unit, inset = 30.0, 0.4
    mesh = solid(shape, PrintOptions(unit=unit, inset=inset, bevel=0.3))
    for corners, _ in face_rings(grid)[0]:
        a, b, c, *_ = (np.array(grid.basis).T @ np.array(p) / grid.denominator for p in corners)
        normal = np.cross(b - a, c - b)
        normal /= np.linalg.norm(normal)
        assert (mesh.points @ normal).max() == pytest.approx(unit * normal @ a - inset, abs=1e-6)


def test_both_ways_to_make_cubes_agree() -> None:
    """Cuboids joined; and faces taken away, the polytope run over what is left."""
    unit = np.array([10.0, 10.0, 10.0])
    for cells, seed in ((1, 0), (4, 1), (9, 2), (16, 3)):
        shape = blob(CUBES, cells, seed)
        quick = _cuboids(shape, unit, 0.7, 0.5 * _normals(CUBES))
        slow = _sum(_core(shape, unit, 0.7), 0.5 * _normals(CUBES))
        assert abs((quick - slow).volume()) + abs((slow - quick).volume()) < 1e-6


def test_blocks_are_all_there_and_none_within_another() -> None:
    for seed in range(20):
        cells = {(x, y, z) for x, y, z, _ in blob(CUBES, 12, seed).cells}
        blocks = blocks_of(cells)
        covered = [
            {(x, y, z) for x in range(a[0], b[0]) for y in range(a[1], b[1])
             for z in range(a[2], b[2])}
            for a, b in blocks
        ]  # fmt: skip
        assert set().union(*covered) == cells
        assert not any(one < two for one in covered for two in covered)


FITTING = ["soma", "six-piece-burr", "conway", "four-layer-pyramid", "evolved-box"]


@pytest.mark.parametrize("name", FITTING)
def test_pieces_put_together_do_not_overlap_and_leave_the_gap(name: str) -> None:
    assembly = next(assemble(library[name].problems[0]))
    options = PrintOptions(unit=12, inset=0.2)
    made = [manifold(solid(shape, options)) for shape in assembly.shapes]
    pairs = list(combinations(made, 2))
    assert all((a ^ b).volume() < 1e-9 for a, b in pairs)
    gaps = [a.min_gap(b, 2.0) for a, b in pairs]
    assert min(gaps) == pytest.approx(0.4, abs=0.02 if name == "four-layer-pyramid" else 1e-6)


def test_prisms_and_rhombs_leave_the_gap_too() -> None:
    for grid in (PRISMS, RHOMBS):
        first, second = (0, 0, 0, 0), (*grid.neighbours[0][0][:3], grid.neighbours[0][0][3])
        options = PrintOptions(unit=20, inset=0.3)
        a, b = (manifold(solid(Shape(grid, {cell}), options)) for cell in (first, second))
        assert a.min_gap(b, 2.0) == pytest.approx(0.6, abs=1e-6)


def test_cells_can_be_chamfered_one_by_one() -> None:
    shape = Shape.from_text(CUBES, "###/.#.")
    plain = solid(shape, PrintOptions(unit=10))
    units = solid(shape, PrintOptions(unit=10, bevel_units=True))
    require_sound(units, shape)
    assert units.volume < plain.volume
    assert units.points.max(0) == pytest.approx(plain.points.max(0))


def test_a_hollow_piece_has_walls_and_a_drain_opens_it() -> None:
    shape = Shape.from_text(CUBES, "###/.#.", name="T")
    full = solid(shape, PrintOptions(unit=15, bevel=0, inset=0.1))
    hollow = solid(shape, PrintOptions(unit=15, bevel=0, inset=0.1, wall=2))
    inner = solid(shape, PrintOptions(unit=15, bevel=0, inset=2.1))
    assert full.volume - hollow.volume == pytest.approx(inner.volume, rel=1e-9)
    assert len(manifold(hollow).decompose()) == 2  # outside and inside
    drained = solid(shape, PrintOptions(unit=15, bevel=0, inset=0.1, wall=2, drain=4))
    assert manifold(drained).genus() == 0
    assert len(manifold(drained).decompose()) == 1
    taken = hollow.volume - drained.volume
    assert taken == pytest.approx(np.pi * 4 * 2, rel=0.01)  # a disc through one wall


@pytest.mark.parametrize("grid", [*TILES, SPHERES], ids=lambda grid: grid.name)
def test_hollow_pieces_of_every_grid_are_watertight(grid: Grid) -> None:
    mesh = solid(blob(grid, 3, 1), PrintOptions(unit=30, wall=1.5, drain=2))
    assert read_again(mesh).is_watertight
    assert mesh.volume < solid(blob(grid, 3, 1), PrintOptions(unit=30)).volume


def test_balls_are_joined_and_smaller_by_the_inset() -> None:
    pair = Shape.from_text(SPHERES, "#.#")
    mesh = solid(Shape.from_text(SPHERES, "#"), PrintOptions(unit=10, inset=0.2))
    radius = np.linalg.norm(mesh.points, axis=1)
    ball = float(radius.max())
    assert mesh.volume == pytest.approx(4 / 3 * np.pi * ball**3, rel=0.01)
    assert len(pair.components) == 2
    ring = next(s for s in (blob(SPHERES, 4, n) for n in range(20)))
    joined = solid(ring, PrintOptions(unit=10, inset=0.2))
    assert len(manifold(joined).decompose()) == 1
    assert read_again(joined).is_watertight
    thin = solid(ring, PrintOptions(unit=10, inset=0.2, neck=0.2))
    assert thin.volume < joined.volume


def test_the_name_is_cut_into_a_face() -> None:
    shape = Shape.from_text(CUBES, "###/.#.", name="T7")
    plain, named = (solid(shape, PrintOptions(unit=15, label=label)) for label in (False, True))
    cut = manifold(plain) - manifold(named)
    assert read_again(named).is_watertight
    assert len(manifold(named).decompose()) == 1
    assert 5 < cut.volume() < 60
    low, high = np.array(cut.bounding_box()).reshape(2, 3)
    assert min(high - low) == pytest.approx(0.5, abs=1e-6)
    assert max(high - low) > 6


def test_a_name_can_be_read_from_outside() -> None:
    """The wide end of an L is its foot, and points to the right of who looks at the face."""
    shape = Shape.from_text(CUBES, "#", name="L")
    plain, named = (
        solid(shape, PrintOptions(unit=15, bevel=0, label=label)) for label in (False, True)
    )
    cut = manifold(plain) - manifold(named)
    points = np.array(cut.to_mesh64().vert_properties[:, :3])
    low, high = points.min(0), points.max(0)
    thin, wide, tall = np.argsort(high - low).tolist()
    ends = [points[abs(points[:, tall] - end) < 1] for end in (low[tall], high[tall])]
    foot = int(np.ptp(ends[1][:, wide]) > np.ptp(ends[0][:, wide]))
    down = np.eye(3)[tall] * (1 if foot else -1)
    outwards = np.eye(3)[thin] * (1 if low[thin] > 7.5 else -1)
    right = np.cross(-down, outwards)
    stem = ends[1 - foot].mean(axis=0)
    assert (ends[foot].mean(axis=0) - stem) @ right > 1


def test_pieces_of_other_grids_can_be_labelled() -> None:
    for grid in (PRISMS, RHOMBS):
        shape = blob(grid, 4, 2).named("A")
        plain, named = (solid(shape, PrintOptions(unit=40, label=label)) for label in (False, True))
        assert named.volume < plain.volume
        assert read_again(named).is_watertight


@pytest.mark.parametrize(
    ("shape", "options", "words"),
    [
        (
            "###",
            PrintOptions(unit=10, inset=5),
            "5 mm leaves nothing of a cell; choose less than 5 mm",
        ),
        ("###", PrintOptions(unit=10, inset=-1), "inset -1 mm; give 0 or more"),
        ("###", PrintOptions(unit=10, bevel=-1), "bevel -1 mm; give 0 or more"),
        (
            "###",
            PrintOptions(unit=10, bevel=5),
            "bevel 5 mm leaves nothing flat; choose less than 4.93",
        ),
        (
            "###",
            PrintOptions(unit=10, wall=4.95),
            "wall 4.95 mm closes the inside; choose less than 4.93",
        ),
        ("###", PrintOptions(unit=10, wall=0), "wall 0 mm; give 0.01 or more"),
        ("###", PrintOptions(unit=10, drain=2), "a drain hole needs a hollow piece"),
        ("###", PrintOptions(unit=10, wall=1, drain=9), "drain 9 mm does not fit a face"),
        ("###", PrintOptions(unit=0), "unit 0 mm; give 0.1 to 1000"),
        ("#.#", PrintOptions(unit=10), "falls into 2 parts; only connected pieces can be made"),
        (
            "###",
            PrintOptions(unit=4, label=True),
            r"mm high, too small to read \(less than 2 mm\); choose a larger unit or a shorter",
        ),
    ],
)
def test_what_cannot_be_made_is_told_with_the_limit(
    shape: str, options: PrintOptions, words: str
) -> None:
    with pytest.raises(PuzzleError, match=words):
        solid(Shape.from_text(CUBES, shape, name="long name"), options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (PrintOptions(unit=10, label=True), "balls have none"),
        (PrintOptions(unit=10, neck=0.9), "at most 0.[67]"),
        (PrintOptions(unit=(1, 2, 3)), "give unit one length"),
        (PrintOptions(unit=10, wall=1, drain=99), "does not fit a ball"),
    ],
)
def test_what_cannot_be_made_of_balls_is_told(options: PrintOptions, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        solid(blob(SPHERES, 3, 0), options)


def test_an_empty_shape_is_told() -> None:
    with pytest.raises(PuzzleError, match="no cells to make"):
        solid(Shape(CUBES, set()))


def test_the_unit_follows_the_longest_piece() -> None:
    sizes = [unit_for([Shape.from_text(CUBES, "#" * n), Shape.from_text(CUBES, "#")])
             for n in (1, 3, 4, 5, 6, 12)]  # fmt: skip
    assert sizes == [17, 17, 16, 14, 11, 11]


def test_a_solid_is_the_same_each_time() -> None:
    shape = blob(CUBES, 30, 5).named("x")
    one, two = (solid(shape, PrintOptions(label=True)) for _ in range(2))
    assert one.points.tobytes() == two.points.tobytes()
    assert one.triangles.tobytes() == two.triangles.tobytes()


def test_a_hundred_cells_with_bevel_take_little_time() -> None:
    """The bar is 0.2 s; some 0.08 s are measured on an idle machine."""
    shape = blob(CUBES, 100, 1)
    solid(shape)
    start = time.process_time()
    solid(shape)
    assert time.process_time() - start < 0.4


def test_a_piece_far_away_is_the_same_piece() -> None:
    bar = Shape.from_text(CUBES, "##")
    here, there = (solid(bar.shifted((x, 0, 0)), PrintOptions(unit=10)) for x in (0, 10**6))
    assert there.points - here.points == pytest.approx(np.array([[10**7, 0, 0]] * len(here.points)))
    assert there.triangles.tolist() == here.triangles.tolist()


@pytest.mark.parametrize("name", ["truncated octahedra", "hexagons", "prisms"])
def test_a_solid_takes_no_more_hulls_than_it_has_faces(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joining them takes most of the time; a hexagon is one, not four triangles."""
    taken = []

    def noted(points: NDArray[np.float64]) -> Manifold:
        taken.append(points)
        return hull(points)

    monkeypatch.setattr(making, "hull", noted)
    shape = blob(GRIDS[name], 4, 7)
    making.raw_solid(shape, PrintOptions(unit=20, bevel=0), np.full(3, 20.0))
    assert 0 < len(taken) <= len(faces_of(shape))
