"""Pieces laid on print beds: each on the side it stands best on, all on as few beds as possible.

A piece can rest only on a side of its convex hull. The best is the one with most of the piece's own
surface on the bed, for that is what holds it; then the one that leaves it lowest. Of a hull's sides
only the largest are looked at. A piece takes the rectangle about it (see rectangles.py), turned so
that this is small; it goes onto a bed whole or not at all.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.output.make.rectangles import BED, GAP, Bed, Spot, pack
from kumitate.output.scene import Point, plus
from kumitate.output.solid.mesh import Mesh

Plate = list[tuple[Mesh, Point]]
Floats = NDArray[np.float64]

_SIDES = 40  # of a hull that are looked at
_TOUCHES = 0.01  # millimetres from the bed that still touch it
_FINE = 1000  # places are whole micrometres
_SLACK = 1e-6  # millimetres; less is rounding


def lay_out(meshes: Sequence[Mesh], bed: Bed = BED, gap: float = GAP) -> list[Plate]:
    """Plates of meshes, lying on z = 0, each with the shift that puts it in its place.

    A bed reaches from (0, 0) to `bed`. Copies (the very same Mesh) that lie the same way come as
    the very same Mesh again, so that 3MF writes them once.
    """
    if not (min(bed) > 0 and gap >= 0):
        raise PuzzleError(f"bed {_by(*bed)} mm with gap {gap:g} mm; choose sizes above 0")
    lying = {mesh: _laid(mesh, bed) for mesh in meshes}
    quarter = {mesh: _quarter_turned(mesh) for mesh in lying.values()}
    sizes = [_size(lying[mesh]) for mesh in meshes]
    between = _rounded_up(gap)
    room = (floor((bed[0] + _SLACK) * _FINE) + between, floor((bed[1] + _SLACK) * _FINE) + between)
    plates = []
    for spots in pack([(width + between, depth + between) for width, depth in sizes], room):
        dx, dy = _margin(spots, room)
        plate = []
        for number, x, y, width, _ in spots:
            mesh = lying[meshes[number]]
            as_it_lies = width == sizes[number][0] + between
            shift = ((x + dx) / _FINE, (y + dy) / _FINE, 0.0)
            plate.append((mesh if as_it_lies else quarter[mesh], shift))
        plates.append(plate)
    return plates


def in_a_row(plates: Sequence[Plate], bed: Bed = BED, gap: float = GAP) -> Plate:
    """All plates as one, bed beside bed: for a format that has no plates."""
    return [
        (mesh, plus(shift, (number * (bed[0] + gap), 0.0, 0.0)))
        for number, plate in enumerate(plates)
        for mesh, shift in plate
    ]


def _margin(spots: Sequence[Spot], room: tuple[int, int]) -> tuple[int, int]:
    """What to move the pieces of a plate by so that they are in its middle."""
    width = max(spot.x + spot.width for spot in spots)
    depth = max(spot.y + spot.depth for spot in spots)
    return (room[0] - width) // 2, (room[1] - depth) // 2


def _size(mesh: Mesh) -> tuple[int, int]:
    width, depth, _ = np.ptp(mesh.points, axis=0)
    return _rounded_up(width), _rounded_up(depth)


def _rounded_up(length: float) -> int:
    return ceil((length - _SLACK) * _FINE)


def _by(*lengths: float) -> str:
    return " x ".join(f"{length:.4g}" for length in lengths)


# ---- lying down ----


def _laid(mesh: Mesh, bed: Bed) -> Mesh:
    """The mesh on the best side on which it fits the bed, its least corner at the origin."""
    if not len(mesh.triangles):
        raise PuzzleError(f"piece {mesh.name!r} is empty; there is nothing to lay on a plate")
    for turn in _turns(mesh):
        points = mesh.points @ turn.T
        points -= points.min(axis=0)
        width, depth, _ = points.max(axis=0)
        for a, b in ((width, depth), (depth, width)):
            if a <= bed[0] + _SLACK and b <= bed[1] + _SLACK:
                return Mesh(points, mesh.triangles, mesh.name, mesh.colour)
    raise PuzzleError(
        f"piece {mesh.name!r} is {_by(*np.ptp(mesh.points, axis=0))} mm and does not fit the bed of"
        f" {_by(*bed)} mm on any side; choose a smaller unit or a larger bed"
    )


def _quarter_turned(mesh: Mesh) -> Mesh:
    points = mesh.points[:, [1, 0, 2]] * (-1, 1, 1)
    points -= points.min(axis=0)
    return Mesh(points, mesh.triangles, mesh.name, mesh.colour)


def _turns(mesh: Mesh) -> Iterator[Floats]:
    """Rotation matrices that lay the mesh on a side of its hull, the best side first."""
    hull, sides = _hull(mesh)
    faces, areas = mesh.normals, _areas(mesh)

    def badness(down: Floats) -> tuple[float, float, bool, list[float]]:
        depths = mesh.points @ down
        on_bed = (depths > depths.max() - _TOUCHES)[mesh.triangles].all(axis=1)
        touching = float(areas[on_bed].sum())
        if touching < 0.01 * areas.sum():  # a ball's facet is no side to stand on
            touching = 0.0
        stays = down[2] < -0.999999
        return -round(touching, 2), round(float(np.ptp(depths)), 3), not stays, down.tolist()

    for down in sorted(sides, key=badness):
        upright = np.abs(faces @ down) < 1e-4
        yield _frame(down, hull, faces[upright], areas[upright])


def _areas(mesh: Mesh) -> Floats:
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    areas: Floats = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return areas


def _hull(mesh: Mesh) -> tuple[Floats, list[Floats]]:
    """The corners of the convex hull, and the directions that its largest sides face."""
    from manifold3d import Manifold

    found = Manifold.hull_points(mesh.points).to_mesh64()
    hull = Mesh(np.array(found.vert_properties[:, :3]), np.array(found.tri_verts, dtype=np.int32))
    areas, normals = _areas(hull), hull.normals
    sides: dict[tuple[float, ...], list[int]] = {}  # its triangles, the largest first
    for number in np.argsort(-areas, kind="stable").tolist():
        if areas[number] < 1e-6 * areas.max():
            break  # slivers face anywhere
        facing = np.round(normals[number], 4) + 0.0
        sides.setdefault(tuple(facing.tolist()), []).append(number)
    largest = sorted(sides.values(), key=lambda side: -areas[side].sum())[:_SIDES]
    return hull.points, [normals[side[0]] for side in largest]


def _frame(down: Floats, hull: Floats, walls: Floats, areas: Floats) -> Floats:
    """The rotation that turns a direction down, and the rectangle about the mesh square."""
    up = -down
    aside = np.eye(3)[np.abs(up).argmin()]
    x = np.cross(aside, up)
    x /= np.linalg.norm(x)
    flat = np.array([x, np.cross(up, x)])
    cos, sin = _good_rectangle(hull @ flat.T, walls @ flat.T, areas)
    rows = np.vstack([np.array([[cos, sin], [-sin, cos]]) @ flat, up])
    whole = np.round(rows)  # quarter turns leave whole numbers whole
    turn: Floats = np.where(np.abs(rows - whole) < 1e-6, whole, rows)
    return turn


def _good_rectangle(points: Floats, walls: Floats, areas: Floats) -> tuple[float, float]:
    """The direction of a rectangle about the points: small, and with walls along its sides.

    One side of the smallest lies along a side of their convex hull (H. Freeman and R. Shapira,
    1975). But a cross of cubes, whose smallest is askew, is better laid straight: a rectangle with
    all walls (normals and areas) along its sides may be twice as large as one with none.
    """
    ring = np.array(_ring(points))
    ways = np.roll(ring, -1, axis=0) - ring
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    beside = ways[:, ::-1] * (-1, 1)
    sizes = np.ptp(ring @ ways.T, axis=0) * np.ptp(ring @ beside.T, axis=0)
    turned = np.minimum(np.abs(walls @ ways.T), np.abs(walls @ beside.T))
    straight = areas @ (turned < 1e-4) / max(areas.sum(), 1e-9)
    cos, sin = ways[np.round(sizes * (2 - straight), 3).argmin()]
    return float(cos), float(sin)


def _ring(points: Floats) -> list[Floats]:
    """The corners of the convex hull in the plane, counterclockwise."""
    rows = np.unique(np.round(points, 6), axis=0)

    def half(rows: Floats) -> list[Floats]:
        chain: list[Floats] = []
        for p in rows:
            while len(chain) > 1 and not _turns_left(chain[-2], chain[-1], p):
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(rows) + half(rows[::-1])


def _turns_left(a: Floats, b: Floats, c: Floats) -> bool:
    return bool((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 1e-9)
