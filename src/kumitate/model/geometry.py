"""What follows from the corners of convex tiles: facets, volumes, contacts, steps and sweeps.

All of it is exact. Corners are whole numbers, lattice coordinates times one common denominator, so
"touch" and "overlap" never depend on rounding. Corners and steps are vectors, face normals are
covectors, and only covector . vector products occur: the lattice may be skew (triangular prisms)
and no metric is needed. Balls alone need one, the Gram matrix of the lattice basis.

This file knows tiles and lattices, but neither Grid nor Shape.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from math import gcd, lcm
from typing import NamedTuple

Vector = tuple[int, int, int]
Matrix = tuple[Vector, Vector, Vector]
Cell = tuple[int, int, int, int]  # a lattice point, and which of the tiles found there
Tile = tuple[Vector, ...]  # its corners, or the centre of a ball

ZERO: Vector = (0, 0, 0)
ONE: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def add(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(k: int, a: Vector) -> Vector:
    return (k * a[0], k * a[1], k * a[2])


def dot(a: Vector, b: Vector) -> int:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def apply(m: Matrix, v: Vector) -> Vector:
    return (dot(m[0], v), dot(m[1], v), dot(m[2], v))


def transpose(m: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = m
    return ((a, d, g), (b, e, h), (c, f, i))


def multiply(a: Matrix, b: Matrix) -> Matrix:
    columns = transpose(b)
    return (apply(columns, a[0]), apply(columns, a[1]), apply(columns, a[2]))


def determinant(m: Matrix) -> int:
    return dot(m[0], cross(m[1], m[2]))


def adjugate(m: Matrix) -> Matrix:
    """The matrix that undoes m up to the factor det(m), so it stays whole."""
    return transpose((cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])))


def primitive(v: Vector) -> Vector:
    """The shortest lattice vector along v.

    >>> primitive((4, -6, 0))
    (2, -3, 0)
    """
    g = gcd(*v) or 1
    return (v[0] // g, v[1] // g, v[2] // g)


def positive(v: Vector) -> Vector:
    """One of v and -v, always the same one."""
    return max(v, times(-1, v))


def triples(*axes: Iterable[int]) -> Iterator[Vector]:
    """All vectors with x, y and z from these three; from one, if one is given."""
    xs, ys, zs = axes if len(axes) == 3 else axes * 3
    yield from ((x, y, z) for x in xs for y in ys for z in zs)


class Facet(NamedTuple):
    """A face of a tile: normal . corner == offset on the face, less everywhere else."""

    normal: Vector
    offset: int
    corners: frozenset[int]


@cache
def facets(tile: Tile) -> tuple[Facet, ...]:
    """The faces of the convex hull of the corners.

    >>> len(facets(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))))
    4
    """
    found: dict[Vector, Facet] = {}
    for i, j, k in combinations(range(len(tile)), 3):
        normal = primitive(cross(subtract(tile[j], tile[i]), subtract(tile[k], tile[i])))
        if normal == ZERO:
            continue
        heights = [dot(normal, subtract(corner, tile[i])) for corner in tile]
        on = frozenset(c for c, height in enumerate(heights) if height == 0)
        if max(heights) == 0:
            found[normal] = Facet(normal, dot(normal, tile[i]), on)
        if min(heights) == 0:
            flipped = times(-1, normal)
            found[flipped] = Facet(flipped, dot(flipped, tile[i]), on)
    return tuple(found[normal] for normal in sorted(found))


@cache
def edges(tile: Tile) -> tuple[tuple[int, int], ...]:
    """The pairs of corners joined by an edge: two faces share them, and no third corner."""
    found = []
    for pair in combinations(range(len(tile)), 2):
        shared = [facet.corners for facet in facets(tile) if facet.corners.issuperset(pair)]
        if len(shared) >= 2 and frozenset.intersection(*shared) == set(pair):
            found.append(pair)
    return tuple(found)


def volume6(tile: Tile) -> int:
    """Six times the volume: tetrahedra from corner 0 to every face that does not hold it."""
    total = 0
    for facet in facets(tile):
        if 0 in facet.corners:
            continue
        apex = subtract(tile[min(facet.corners)], tile[0])
        for i, j in edges(tile):
            if i in facet.corners and j in facet.corners:
                legs = (apex, subtract(tile[i], tile[0]), subtract(tile[j], tile[0]))
                total += abs(determinant(legs))
    return total


def normals(tiles: Iterable[Tile]) -> set[Vector]:
    """The directions that faces look in, one of each pair +-."""
    return {positive(facet.normal) for tile in tiles for facet in facets(tile)}


def modulo_lattice(corners: Iterable[Vector], denominator: int) -> tuple[frozenset[Vector], Vector]:
    """The corners moved near the origin by a lattice vector, and that vector.

    Two sets of corners are translates by a lattice vector just if their first results agree.
    """
    corners = list(corners)
    x, y, z = (min(axis) // denominator for axis in zip(*corners, strict=True))
    low = (x, y, z)
    return frozenset(subtract(c, times(denominator, low)) for c in corners), low


def shared_faces(tiles: Sequence[Tile], denominator: int) -> dict[tuple[int, int], list[Cell]]:
    """For (tile, number of its facet) the cells, relative to the tile, with that very face."""
    owners: dict[frozenset[Vector], list[tuple[int, int, Vector]]] = {}
    for t, tile in enumerate(tiles):
        for f, facet in enumerate(facets(tile)):
            key, low = modulo_lattice((tile[c] for c in facet.corners), denominator)
            owners.setdefault(key, []).append((t, f, low))
    return {
        (t, f): [(*subtract(low, low2), t2) for t2, f2, low2 in meeting if (t2, f2) != (t, f)]
        for meeting in owners.values()
        for t, f, low in meeting
    }


def touching_balls(gram: Matrix, diameter2: int) -> list[Vector]:
    """The lattice vectors from a ball to the balls it touches."""
    return [d for d in triples(range(-2, 3)) if dot(d, apply(gram, d)) == diameter2]


def contact_rays(covectors: Iterable[Vector]) -> list[Vector]:
    """The directions worth sliding along, one of each pair +-: cross products of two face normals.

    A set of pieces that starts to move with velocity v has m.v <= 0 for the normals m of its
    contacts. If that cone holds any v but 0 it holds an extreme ray or a line, which is such a
    cross product; so no first move is missed.
    """
    rays = {positive(primitive(cross(a, b))) for a, b in combinations(set(covectors), 2)}
    return sorted(rays - {ZERO}, key=lambda v: (sum(map(abs, v)), v))


def fineness(tiles: Sequence[Tile], denominator: int, steps: Iterable[Vector]) -> int:
    """Into how many parts a step must be cut for every contact of two faces to be a position."""
    planes: dict[Vector, list[int]] = {}
    for tile in tiles:
        for normal, offset, _ in facets(tile):
            same_way = positive(normal) == normal
            planes.setdefault(positive(normal), []).append(offset if same_way else -offset)
    parts = 1
    for step in steps:
        for normal, offsets in planes.items():
            spacing = gcd(denominator, *(offset - offsets[0] for offset in offsets))
            travel = denominator * abs(dot(normal, step))
            parts = lcm(parts, travel // gcd(travel, spacing) if travel else 1)
    return parts


# A sweep: for each tile, the cells (relative to its lattice point) whose inside it passes through.
Sweep = tuple[tuple[Cell, ...], ...]


def sweep_tiles(
    tiles: Sequence[Tile], denominator: int, step: Vector, start: Vector = ZERO, parts: int = 1
) -> Sweep:
    """What each tile, standing at start/parts, passes through on its way to (start + step)/parts.

    The swept solid is the Minkowski sum of the tile and the segment, so its separating axes from
    a tile are the cross products of two of {edge directions, step} and the face normals: one list
    of axes serves all pairs. The comparisons are strict: touching and sliding along are free.
    """
    if not find_spec("numpy"):  # in the browser
        return plain_sweep(tiles, denominator, step, start, parts)
    import numpy as np  # 0.1 s that `kumitate --help` need not pay

    axis = np.array(_sweep_axes(tiles, step), dtype=np.int64)

    corners = [np.array(tile, dtype=np.int64) * parts @ axis.T for tile in tiles]
    low = np.array([c.min(0) for c in corners])
    high = np.array([c.max(0) for c in corners])
    moved = axis @ np.array(step) * denominator
    begun = axis @ np.array(start) * denominator
    swept_low = low + begun + np.minimum(moved, 0)
    swept_high = high + begun + np.maximum(moved, 0)

    lattice = denominator * parts
    box = [
        range(
            int((swept_low[:, i].min() - high[:, i].max()) // lattice),
            int(-((low[:, i].min() - swept_high[:, i].max()) // lattice)) + 1,
        )
        for i in range(3)
    ]
    shifts = np.array(list(triples(*box)), dtype=np.int64)
    shifted = shifts @ axis.T * lattice
    # First the three coordinate axes for all pairs and shifts, then all axes for the survivors.
    near = np.ones((len(tiles), len(tiles), len(shifts)), dtype=bool)
    for i in range(3):
        near &= swept_high[:, None, None, i] > low[None, :, None, i] + shifted[None, None, :, i]
        near &= high[None, :, None, i] + shifted[None, None, :, i] > swept_low[:, None, None, i]
    a, b, d = np.nonzero(near)
    hit = (swept_high[a] > low[b] + shifted[d]) & (high[b] + shifted[d] > swept_low[a])
    sure = hit.all(axis=1)
    passes: list[list[Cell]] = [[] for _ in tiles]
    rows = zip(a[sure].tolist(), shifts[d[sure]].tolist(), b[sure].tolist(), strict=True)
    for mover, (x, y, z), met in rows:
        passes[mover].append((x, y, z, met))
    return tuple(tuple(sorted(cells)) for cells in passes)


def plain_sweep(
    tiles: Sequence[Tile], denominator: int, step: Vector, start: Vector, parts: int
) -> Sweep:
    """The same, pair by pair and axis by axis."""
    axes = _sweep_axes(tiles, step)
    spans = []
    for tile in tiles:
        heights = [[parts * dot(axis, corner) for corner in tile] for axis in axes]
        spans.append([(min(some), max(some)) for some in heights])
    moved = [denominator * dot(axis, step) for axis in axes]
    begun = [denominator * dot(axis, start) for axis in axes]
    swept = [
        [
            (low + first + min(way, 0), high + first + max(way, 0))
            for (low, high), first, way in zip(span, begun, moved, strict=True)
        ]
        for span in spans
    ]
    lattice = denominator * parts
    box = [
        range(
            (min(s[i][0] for s in swept) - max(s[i][1] for s in spans)) // lattice,
            -((min(s[i][0] for s in spans) - max(s[i][1] for s in swept)) // lattice) + 1,
        )
        for i in range(3)
    ]
    shifts = [(d, [lattice * dot(axis, d) for axis in axes]) for d in triples(*box)]
    passes = []
    for span in swept:
        met = [
            (*d, number)
            for number, other in enumerate(spans)
            for d, shift in shifts
            if all(
                high > low2 + by and high2 + by > low
                for (low, high), (low2, high2), by in zip(span, other, shift, strict=True)
            )
        ]
        passes.append(tuple(sorted(met)))
    return tuple(passes)


def _sweep_axes(tiles: Sequence[Tile], step: Vector) -> list[Vector]:
    """The axes that may separate a swept tile from another, the axes of the lattice first."""
    directions = {
        positive(primitive(subtract(tile[i], tile[j]))) for tile in tiles for i, j in edges(tile)
    }
    if step != ZERO:
        directions.add(positive(primitive(step)))
    axes = set(contact_rays(directions)) | normals(tiles)
    return [*ONE, *sorted(axes - set(ONE))]


def sweep_ball(
    gram: Matrix, diameter2: int, step: Vector, start: Vector = ZERO, parts: int = 1
) -> Sweep:
    """The same for a ball: which centres come nearer to its path than one diameter."""

    def norm2(v: Vector) -> int:
        return dot(v, apply(gram, v))

    reach = max(map(abs, step)) // parts + 4
    limit = diameter2 * parts * parts
    length2 = norm2(step)
    passed: list[Cell] = []
    for d in triples(range(-reach, reach + 1)):
        there = subtract(times(parts, d), start)
        along = dot(there, apply(gram, step))
        beside = 0 < along < length2 and norm2(there) * length2 - along * along < limit * length2
        if beside or norm2(there) < limit or norm2(subtract(there, step)) < limit:
            passed.append((*d, 0))
    return (tuple(passed),)
