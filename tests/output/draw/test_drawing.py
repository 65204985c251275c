"""Drawings: what is drawn last at a point is what a ray from the eye meets first."""

import random
import time
from itertools import pairwise
from math import hypot, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS, SPHERES
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly
from kumitate.output.draw.balls import NECK
from kumitate.output.draw.drawing import draw, draw_each
from kumitate.output.draw.marks import (
    OPTIONAL_OPACITY,
    Ball,
    Drawing,
    Line,
    Polygon,
    Spot,
    mixed,
    shaded,
)
from kumitate.output.draw.paint_order import Faces, Fragment, back_to_front
from kumitate.output.draw.svg import framed
from kumitate.output.draw.visible_faces import FOLD, facing
from kumitate.output.draw.visible_faces import view_array as view_of
from kumitate.output.scene import (
    UPRIGHT,
    Body,
    Place,
    Point,
    Pose,
    Scene,
    Stop,
    Turning,
    corners_of,
    pose_of,
    radius_of,
    scaled,
    scene_of,
)
from kumitate.output.solid.surface import edges_of, faces_of

Array = NDArray[np.float64]

COLOURS = ("#c03020", "#30a040", "#3050c0", "#c0b020", "#20a0b0", "#a030a0")
TILED = [grid for grid in GRIDS.values() if not grid.balls]


def grown(grid: Grid, size: int, taken: set[Cell], start: Cell, chance: random.Random) -> set[Cell]:
    """A connected set of free cells."""
    cells = {start}
    while len(cells) < size:
        beside = {n for cell in cells for n in Shape(grid, cells).neighbours(cell)}
        free = sorted(beside - cells - taken)
        if not free:
            break
        cells.add(chance.choice(free))
    return cells


def heap(grid: Grid, chance: random.Random, bodies: int = 4, size: int = 6) -> Scene:
    """Random bodies side by side."""
    taken: set[Cell] = set()
    made = []
    start: Cell = (0, 0, 0, 0)
    for colour in COLOURS[:bodies]:
        cells = grown(grid, size, taken, start, chance)
        taken |= cells
        made.append(Body(Shape(grid, cells), colour, colour))
        around = {n for cell in taken for n in Shape(grid, taken).neighbours(cell)} - taken
        start = chance.choice(sorted(around))
    return Scene(grid, made, [Pose([(0.0, 0.0, 0.0)] * bodies, [True] * bodies)])


def pulled(scene: Scene, chance: random.Random, far: float) -> Pose:
    """The bodies moved, each in a direction of its own, by any fraction."""
    shifts = [
        (chance.uniform(-far, far), chance.uniform(-far, far), chance.uniform(-far, far))
        for _ in scene.bodies
    ]
    return Pose(shifts, [True] * len(shifts))


def slid(scene: Scene, chance: random.Random) -> Pose:
    """One body a part of a step away; the others lie face to face with each other."""
    x, y, z = chance.choice(scene.grid.steps)
    part = chance.choice([0.25, 0.5, 1.0, 1.75])
    way = np.array((x, y, z)) @ np.array(scene.grid.basis) * part
    shifts: list[Point] = [(0.0, 0.0, 0.0)] * len(scene.bodies)
    shifts[chance.randrange(len(shifts))] = (float(way[0]), float(way[1]), float(way[2]))
    return Pose(shifts, [True] * len(shifts))


def turned(scene: Scene, chance: random.Random) -> Pose:
    """One body on its way through a turn of its own, or at its end, or all of them aslant."""
    places = scene.poses[0].places
    for n in range(len(places)) if chance.random() < 0.3 else [chance.randrange(len(places))]:
        at = (chance.uniform(-2, 2), chance.uniform(-2, 2), chance.uniform(-2, 2))
        angle = chance.choice([0.1, 0.7, 0.7854, 1.3, 1.5707963, 3.0])
        if chance.random() < 0.3:  # in any direction
            x, y, z = (chance.gauss(0, 1) for _ in range(3))
            axis = scaled(1 / hypot(x, y, z), (x, y, z))
        else:
            axis = chance.choice(UPRIGHT)
        places[n] = Turning([n], axis, [Stop(at, 0), Stop(at, angle)]).along(1)
    return pose_of(places, scene.poses[0].shown)


# ---- the ray ----


class Caster:
    """All faces that look to the eye, by surface.py alone."""

    def __init__(self, scene: Scene, pose: Pose) -> None:
        view = view_of(scene.grid)
        rings: list[Array] = []
        normals: list[Array] = []
        self.fills: list[str] = []
        for body, (turn, shift) in zip(scene.bodies, pose.places, strict=True):
            for face in faces_of(body.shape):
                normal = np.array(turn) @ face.normal @ view
                if normal[2] > 1e-9:
                    rings.append((np.array(face.corners) @ np.transpose(turn) + shift) @ view)
                    normals.append(normal)
                    x, y, z = normal.tolist()
                    self.fills.append(shaded(body.colour, (x, y, z)))
        longest = max(map(len, rings))
        self.rings = np.array(
            [[*ring, *ring[-1:].repeat(longest - len(ring), 0)] for ring in rings]
        )
        self.normals = np.array(normals)
        self.offsets = (self.normals * self.rings[:, 0]).sum(axis=1)

    def first(self, x: float, y: float) -> str | None:
        """The colour the ray through a point meets; None if there is doubt, "" if nothing."""
        within = margins(self.rings, x, y)
        if np.abs(within).min() < 2e-3:
            return None
        depths = (self.offsets - self.normals[:, 0] * x - self.normals[:, 1] * y) / self.normals[
            :, 2
        ]
        hits = sorted(((depths[n], self.fills[n]) for n in np.nonzero(within > 0)[0]), reverse=True)
        if len(hits) > 1 and hits[0][0] - hits[1][0] < 1e-3 and hits[0][1] != hits[1][1]:
            return None  # two bodies share a place there
        return hits[0][1] if hits else ""

    def spots(self, chance: random.Random, count: int) -> list[Spot]:
        """Points near edges, where a wrong order shows first; y down, as in drawings."""
        found = []
        for _ in range(count):
            ring = self.rings[chance.randrange(len(self.rings))].tolist()
            n, t = chance.randrange(len(ring)), chance.random()
            x, y = (a + t * (b - a) for a, b in zip(ring[n - 1][:2], ring[n][:2], strict=True))
            found.append((x + chance.uniform(-0.05, 0.05), -y + chance.uniform(-0.05, 0.05)))
        return found


def margins(rings: Array, x: float, y: float) -> Array:
    """How far inside each counterclockwise ring a point is."""
    sides = np.roll(rings, -1, axis=1) - rings
    length = np.hypot(sides[..., 0], sides[..., 1])
    inward = sides[..., 0] * (y - rings[..., 1]) - sides[..., 1] * (x - rings[..., 0])
    found: Array = np.where(length > 0, inward / np.where(length > 0, length, 1), np.inf).min(
        axis=1
    )
    return found


def holds(rings: tuple[tuple[Spot, ...], ...], x: float, y: float) -> bool:
    """Whether the rings wind around a point."""
    winding = 0
    for ring in rings:
        for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
            if (ay <= y) != (by <= y):
                side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
                winding += (1 if side > 0 else -1) if (side > 0) == (by > ay) else 0
    return winding != 0


def topmost(drawing: Drawing, x: float, y: float) -> str:
    for mark in reversed(drawing.marks):
        if isinstance(mark, Polygon) and holds(mark.rings, x, y):
            return mark.fill
        if isinstance(mark, Ball) and hypot(x - mark.centre[0], y - mark.centre[1]) < mark.radius:
            return mark.colour
    return ""


def unlike(a: str, b: str) -> bool:
    """Whether colours differ by more than rounding."""
    if not a or not b:
        return a != b
    return any(abs(int(a[i : i + 2], 16) - int(b[i : i + 2], 16)) > 1 for i in (1, 3, 5))


def spots_in(drawing: Drawing, chance: random.Random, count: int) -> list[Spot]:
    (left, top), (right, bottom) = drawing.low, drawing.high
    return [(chance.uniform(left, right), chance.uniform(top, bottom)) for _ in range(count)]


@pytest.mark.parametrize("grid", TILED, ids=lambda grid: grid.name)
@pytest.mark.parametrize(
    "way", ["as they lie", "one slid", "apart", "through each other", "turned"]
)
def test_the_last_mark_at_a_point_is_what_the_ray_meets_first(grid: Grid, way: str) -> None:
    checked = 0
    for seed in range(8):
        chance = random.Random(f"{grid.name} {way} {seed}")
        scene = heap(grid, chance)
        pose = {
            "as they lie": scene.poses[0],
            "one slid": slid(scene, chance),
            "apart": pulled(scene, chance, 4.0),
            "through each other": pulled(scene, chance, 0.6),
            "turned": turned(scene, chance),
        }[way]
        drawing, caster = draw(scene, pose), Caster(scene, pose)
        for x, y in caster.spots(chance, 60):
            expected = caster.first(x, -y)
            if expected is not None:
                checked += 1
                assert not unlike(topmost(drawing, x, y), expected), (seed, x, y)
    assert checked > 100


@pytest.mark.parametrize("number", range(24))
def test_a_body_turned_onto_cells_is_drawn_as_a_shape_that_lies_so(number: int) -> None:
    turn = CUBES.turns[number]
    shape = Shape.from_text(CUBES, "##. .../#.. #..").named("A")
    lying = shape.turned(turn)
    assert lying is not None
    (a, b, c), (d, e, f), (g, h, i) = turn.matrix
    place = Place(((a, b, c), (d, e, f), (g, h, i)), (0.5, 0.0, 2.0))
    bodies = [Body(shape, "A", COLOURS[0]), Body(lying, "A", COLOURS[0])]
    one, other = (Scene(CUBES, [body], [pose_of([place], [True])]) for body in bodies)
    assert draw(one) == draw(other, Pose([place.shift], [True]))


def sticks_in_a_circle() -> Scene:
    """Three bars, each over the next and under the last."""
    bar = [Shape.from_text(CUBES, "#####"), Shape.from_text(CUBES, "#/#/#/#/#")]
    upright = Shape.from_text(CUBES, "# # # # #")
    bodies = [
        Body(shape, colour, colour) for shape, colour in zip((*bar, upright), COLOURS, strict=False)
    ]
    shifts = [(-1.0, -1.2, 0.0), (2.2, -1.4, -1.1), (0.9, 0.1, -1.7)]
    return Scene(CUBES, bodies, [Pose(shifts, [True] * 3)])


def test_bars_in_a_circle_are_drawn_right() -> None:
    scene = sticks_in_a_circle()
    drawing, caster = draw(scene), Caster(scene, scene.poses[0])
    chance = random.Random(1)
    for x, y in caster.spots(chance, 600):
        expected = caster.first(x, -y)
        assert expected is None or not unlike(topmost(drawing, x, y), expected)


def test_faces_in_a_circle_are_cut() -> None:
    """Three slats laid like the flaps of a box, each tucked under the next."""
    rows = []
    for turn in range(3):
        c, s = np.cos(turn * 2 * np.pi / 3), np.sin(turn * 2 * np.pi / 3)
        slat = np.array([(-2, 0.3, -1), (2, 0.3, 1), (2, 0.9, 1), (-2, 0.9, -1)], float)
        rows.append(
            np.stack(
                [c * slat[:, 0] - s * slat[:, 1], s * slat[:, 0] + c * slat[:, 1], slat[:, 2]], 1
            )
        )
    corners = np.array(rows)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    assert (normals[:, 2] > 0).all()
    edges = (np.roll(corners, -1, axis=1) - corners)[..., :2].reshape(-1, 2)
    across = np.concatenate([np.eye(2), np.stack([-edges[:, 1], edges[:, 0]], 1)])
    three = np.arange(3)
    order = back_to_front(Faces(corners, normals, three, 0 * three, across))
    assert any(isinstance(run, Fragment) for run in order)
    chance = random.Random(5)
    for _ in range(400):
        x, y = chance.uniform(-2, 2), chance.uniform(-2, 2)
        depths = {}
        for face in range(3):
            if margins(corners[[face]], x, y)[0] > 1e-3:
                off = corners[face, 0] @ normals[face] - normals[face, :2] @ (x, y)
                depths[face] = off / normals[face, 2]
        seen = []
        for run in order:
            face, ring = (
                (run.face, np.array(run.corners))
                if isinstance(run, Fragment)
                else (run[0], corners[run[0]])
            )
            if margins(ring[None], x, y)[0] > 0:
                seen.append(face)
        if depths and seen and seen[-1] in depths:
            assert depths[seen[-1]] == max(depths.values())


# ---- balls ----


def first_ball(scene: Scene, pose: Pose, x: float, y: float) -> str | None:
    """The body whose ball or neck a ray meets first; None if it grazes something."""
    view, radius = view_of(scene.grid), radius_of(scene.grid)
    hits = []
    for body, shift in zip(scene.bodies, pose.shifts, strict=True):
        centres = {
            cell: (np.array(corners_of(scene.grid, cell)[0]) + shift) @ view for cell in body.shape
        }
        for cell, centre in centres.items():
            off = hypot(x - centre[0], y - centre[1])
            if abs(off - radius) < 1e-3:
                return None
            if off < radius:
                hits.append((centre[2] + sqrt(radius**2 - off**2), body.colour))
            for other in body.shape.neighbours(cell):
                if cell < other and other in centres:
                    thin, thick = (
                        rod_depths(centre, centres[other], radius, x, y, part)
                        for part in (0.97, 1.03)
                    )
                    if len(thin) != len(thick):
                        return None
                    hits += [(depth, body.colour) for depth in thin]
    hits.sort(reverse=True)
    if len(hits) > 1 and hits[0][0] - hits[1][0] < 1e-2 and hits[0][1] != hits[1][1]:
        return None
    return hits[0][1] if hits else ""


def rod_depths(a: Array, b: Array, radius: float, x: float, y: float, part: float) -> list[float]:
    """Where a ray enters the rod between two balls, by walking along the ray."""
    axis = (b - a) / np.linalg.norm(b - a)
    depths = np.linspace(max(a[2], b[2]) + radius, min(a[2], b[2]) - radius, 400)
    off = np.stack([np.full(400, x), np.full(400, y), depths], 1) - (a + b) / 2
    along = off @ axis
    thick = np.linalg.norm(off - along[:, None] * axis, axis=1)
    half = radius * (1 - sqrt(1 - NECK**2))
    inside = (thick < part * NECK * radius) & (np.abs(along) < part * half)
    return [float(depth) for depth in depths[inside][:1]]


def body_at(drawing: Drawing, x: float, y: float) -> str:
    """The colour of the body drawn last at a point."""
    top = topmost(drawing, x, y)
    return next((c for c in COLOURS if top in (c, mixed(c, "#000000", 0.3))), "")


@pytest.mark.parametrize("far", [0.0, 0.4, 2.0])
def test_balls_and_necks_hide_what_is_behind_them(far: float) -> None:
    checked = 0
    for seed in range(8):
        chance = random.Random(seed)
        scene = heap(SPHERES, chance, bodies=5, size=4)
        # All bodies go outwards from the middle: balls do not overlap.
        shifts = []
        for body in scene.bodies:
            x, y, z = np.mean([corners_of(SPHERES, cell)[0] for cell in body.shape], axis=0) * far
            shifts.append((float(x), float(y), float(z)))
        pose = Pose(shifts, [True] * len(shifts))
        if overlapping_balls(scene, pose):
            continue
        drawing = draw(scene, pose)
        for x, y in spots_in(drawing, chance, 60):
            expected = first_ball(scene, pose, x, -y)
            if expected is not None:
                checked += 1
                assert body_at(drawing, x, y) == expected, (seed, x, y)
    assert checked > 50


def overlapping_balls(scene: Scene, pose: Pose) -> bool:
    sets = [
        np.array([corners_of(scene.grid, cell)[0] for cell in body.shape]) + shift
        for body, shift in zip(scene.bodies, pose.shifts, strict=True)
    ]
    least = 2 * radius_of(scene.grid) - 1e-6
    return any(
        (np.linalg.norm(a[:, None] - b, axis=2) < least).any()
        for n, a in enumerate(sets)
        for b in sets[:n]
    )


# ---- the surface ----


@pytest.mark.parametrize("grid", TILED, ids=lambda grid: grid.name)
def test_the_arrays_are_the_surface(grid: Grid) -> None:
    chance = random.Random(grid.name)
    shape = Shape(grid, grown(grid, 15, set(), (3, -2, 5, 0), chance))
    view = view_of(grid)
    arrays = facing(grid, (shape,))
    faces = [face for face in faces_of(shape) if (np.array(face.normal) @ view)[2] > 1e-9]
    assert len(arrays.corners) == len(faces)
    assert len(arrays.away_centres) == len(faces_of(shape)) - len(faces)
    middles = sorted((np.mean(face.corners, axis=0) @ view).round(6).tolist() for face in faces)
    assert sorted((arrays.centres + arrays.origins[0]).round(6).tolist()) == middles
    folds = {frozenset((e.start, e.end)) for e in edges_of(shape) if e.folds}
    sides = sum(
        frozenset(pair) in folds for f in faces for pair in pairwise([*f.corners, f.corners[0]])
    )
    assert (arrays.beyond == FOLD).sum() == sides


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_the_eye_sees_no_slivers(grid: Grid) -> None:
    towards = view_of(grid)[:, 2]
    normals = [
        face.normal
        for face in faces_of(Shape(grid, {(0, 0, 0, t) for t in range(len(grid.tiles))}))
    ]
    assert all(abs(np.dot(normal, towards)) > 0.05 for normal in normals)
    assert np.linalg.det(view_of(grid)) == pytest.approx(1)  # no mirror image


# ---- drawings ----


def test_flat_parts_are_one_area_each() -> None:
    drawing = draw(scene_of(library["soma"].shapes[-1]))
    areas = [mark for mark in drawing.marks if isinstance(mark, Polygon)]
    assert [len(area.rings[0]) for area in areas] == [4, 4, 4]
    faint = [mark for mark in drawing.marks if isinstance(mark, Line)]
    assert sum(len(line.strokes) for line in faint) == 3 * 12


def test_faces_between_two_pieces_are_not_drawn() -> None:
    halves = scene_of(Assembly.from_text(CUBES, "AB"))
    areas = [mark for mark in draw(halves).marks if isinstance(mark, Polygon)]
    assert len(areas) == 5


def test_optional_cells_can_be_seen_through() -> None:
    goal = Shape.from_text(CUBES, "#+")
    areas = [mark for mark in draw(scene_of(goal)).marks if isinstance(mark, Polygon)]
    assert {area.opacity for area in areas} == {1.0, OPTIONAL_OPACITY}
    balls = draw(scene_of(Shape.from_text(SPHERES, "#.+")))
    assert [mark.opacity for mark in balls.marks if isinstance(mark, Ball)] == [1, OPTIONAL_OPACITY]


def test_coloured_cells_have_their_colour() -> None:
    shape = Shape.from_text(CUBES, "#b")
    fills = {
        m.fill
        for m in draw(scene_of(shape), colours=["#111111", "#808080"]).marks
        if isinstance(m, Polygon)
    }
    grey = [fill for fill in fills if fill[1:3] == fill[3:5] == fill[5:7]]
    assert len(grey) == 3
    assert len(fills) == 5


def test_what_is_not_shown_is_not_drawn() -> None:
    scene = scene_of(Assembly.from_text(CUBES, "AAB"))
    alone = Pose(scene.poses[0].shifts, [False, True])
    assert draw(scene, alone).size == pytest.approx(
        draw(scene_of(Shape.from_text(CUBES, "#"))).size
    )
    assert draw(scene, Pose(alone.shifts, [False, False])).marks == ()


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_each_alone_is_drawn_as_if_it_were_alone(grid: Grid) -> None:
    """As far as a picture shows: products of matrices differ in the last digit by their size."""
    bodies = heap(grid, random.Random(7)).bodies
    empty = Body(Shape(grid, frozenset()), "none", COLOURS[5])
    for body, drawing in zip([*bodies, empty], draw_each(grid, [*bodies, empty]), strict=True):
        alone = draw(Scene(grid, [body], [Pose([(0.0, 0.0, 0.0)], [True])]))
        assert len(drawing.marks) == len(alone.marks)
        assert framed(drawing) == framed(alone)


def test_a_drawing_is_the_same_every_time() -> None:
    scene = sticks_in_a_circle()
    first = draw(scene)
    facing.cache_clear()
    assert draw(scene) == first


def test_cells_far_apart_are_refused_in_one_line() -> None:
    far = Shape(CUBES, {(0, 0, 0, 0), (10**7, 0, 0, 0)}, name="dumbbell")
    with pytest.raises(PuzzleError, match="'dumbbell': its cells are too far apart to draw"):
        draw(scene_of(far))


def test_a_large_shape_is_drawn_in_time() -> None:
    cells = {
        (x, y, z, 0) for x in range(14) for y in range(14) for z in range(14) if (x * y + z) % 3
    }
    scene = scene_of(Shape(CUBES, cells))
    start = time.process_time()
    draw(scene)
    assert time.process_time() - start < 4  # 0.3 s on the machine this was written on
