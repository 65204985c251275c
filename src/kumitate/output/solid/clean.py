"""From a solid of manifold3d to a mesh that stays closed when a slicer merges near corners.

What manifold3d joins is closed, but dirty to a slicer. Its triangles remember the solids they come
from, so where two of those meet in a plane a seam stays, with slivers along it (tidy). Rounding
leaves edges a millionth of a millimetre long, and odd sizes make features as small (_collapsed,
_flipped). And where matter only touches, along an edge or at a corner, merged corners would make
one edge of two; there a hair is taken away, so that the surface parts (_parted, _hairs).
"""

from collections.abc import Iterator
from itertools import count

import numpy as np
from manifold3d import Manifold, OpType
from numpy.typing import NDArray

from kumitate.output.solid.hull import hull
from kumitate.output.solid.mesh import Mesh

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

FLAT = 1e-5  # mm: what is thinner is what rounding left,
SPECK = 1e-5  # mm3: and what is smaller
LAP = 2e-5  # mm: how far solids to be joined overlap; those that only touch may stay apart
NEAR = 2e-3  # mm: corners of a clean mesh are not nearer to each other; slicers merge at 1e-4
SLIVER = 1.5e-6  # mm2: the least area of its triangles
HAIR = 5e-3  # mm: how far from a contact matter goes away
ROUNDS = 4
_ASKEW = np.array([0.5257, 0.6113, 0.5915])  # a direction in which few corners are level


def clean(made: Manifold) -> Mesh:
    """A solid as a mesh whose corners lie apart and whose triangles are no slivers.

    >>> slabs = [Manifold.cube((10, 10, 1)).translate((0, 0, z)) for z in range(3)]
    >>> len(clean(Manifold.batch_boolean(slabs, OpType.Add)).triangles)
    12
    >>> corner = Manifold.cube((1, 1, 1)) + Manifold.cube((1, 1, 1)).translate((1, 1, 1))
    >>> points = clean(corner).points
    >>> len(np.unique(points.round(3), axis=0)) == len(points)
    True
    """
    for _ in range(ROUNDS):
        made = tidy(made)
        found = made.to_mesh64()
        points = np.array(found.vert_properties[:, :3], dtype=np.float64)
        triangles = _collapsed(points, np.array(found.tri_verts, dtype=np.int64))
        points, triangles = _parted(points, _flipped(points, triangles))
        hairs = list(_hairs(points, triangles))
        if not hairs:
            break
        made -= Manifold.batch_boolean(hairs, OpType.Add)
    return Mesh(points, triangles.astype(np.int32))


def tidy(made: Manifold) -> Manifold:
    """The same solid as an original of its own: without seams, and without specks."""
    plain = made.as_original().simplify(FLAT)
    parts = plain.decompose()  # a cavity is one with a negative volume
    kept = [part for part in parts if abs(part.volume()) > SPECK]
    return plain if len(kept) == len(parts) else Manifold.compose(kept)


def _collapsed(points: Array, triangles: Numbers) -> Numbers:
    """Merge corners that a short edge joins, and drop the triangles that vanish."""
    while True:
        ends = _edges(triangles)
        short = ends[np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1) < NEAR]
        if not len(short):
            return triangles
        becomes = np.arange(len(points))
        for a, b in short.tolist():
            while becomes[a] != a:
                a = becomes[a]
            while becomes[b] != b:
                b = becomes[b]
            becomes[max(a, b)] = min(a, b)
        while (becomes[becomes] != becomes).any():
            becomes = becomes[becomes]
        triangles = becomes[triangles]
        a, b, c = triangles.T
        triangles = _without_flaps(triangles[(a != b) & (b != c) & (c != a)])


def _without_flaps(triangles: Numbers) -> Numbers:
    """Drop pairs of triangles that lie back to back and enclose nothing."""
    a, b, c = triangles.T
    facing = ((a < b) ^ (b < c) ^ (c < a)).tolist()
    kept: dict[tuple[int, ...], list[int]] = {}
    for n, corners in enumerate(map(tuple, np.sort(triangles, axis=1).tolist())):
        same = kept.setdefault(corners, [])
        if same and facing[same[-1]] != facing[n]:
            same.pop()
        else:
            same.append(n)
    return triangles[sorted(n for same in kept.values() for n in same)]


def _parted(points: Array, triangles: Numbers) -> tuple[Array, Numbers]:
    """Give each ring of triangles its own corner where several rings meet at one."""
    size = triangles.size
    start, end = np.arange(size), np.arange(size) // 3 * 3 + (np.arange(size) + 1) % 3
    here, there = triangles.ravel()[start], triangles.ravel()[end]
    one, two = np.lexsort((there, here)), np.lexsort((here, there))  # one side, from both faces
    ring, before = np.arange(size), -np.ones(size, int)
    while (ring != before).any():
        before = ring.copy()
        for a, b in ((start[one], end[two]), (end[one], start[two])):
            ring[a] = ring[b] = np.minimum(ring[a], ring[b])
        ring = ring[ring]
    first, numbers = np.unique(ring, return_inverse=True)
    return points[triangles.ravel()[first]], numbers.reshape(-1, 3)


def _edges(triangles: Numbers) -> Numbers:
    """Each edge once, from the lower number to the higher."""
    sides = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    return sides[sides[:, 0] < sides[:, 1]]


def _flipped(points: Array, triangles: Numbers) -> Numbers:
    """A flat triangle and the one at its longest side share their four corners the other way."""
    triangles = triangles.copy()
    for _ in range(ROUNDS):
        flat = np.flatnonzero(_areas(points[triangles]) < SLIVER)
        if not len(flat):
            break
        beside = {
            (row[i], row[i - 2]): (n, row[i - 1])
            for n, row in enumerate(triangles.tolist())
            for i in range(3)
        }
        done: set[int] = set()
        for n in flat.tolist():
            if n in done:
                continue
            row = triangles[n].tolist()
            corners = points[row]
            longest = int(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).argmax())
            a, b, c = row[longest], row[longest - 2], row[longest - 1]
            other, d = beside[b, a]
            if other not in done and (c, d) not in beside and (d, c) not in beside:
                two = np.array([(c, a, d), (d, b, c)])
                old = _areas(points[triangles[[n, other]]]).min()
                if _areas(points[two]).min() > old:
                    triangles[[n, other]] = two
                    done |= {n, other}
    return triangles


def _areas(corners: Array) -> Array:
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    return np.asarray(np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2)


def _hairs(points: Array, triangles: Numbers) -> Iterator[Manifold]:
    """What has to go where the surface touches itself: a rod along an edge, a bead at a corner."""
    place = np.arange(len(points))  # the lowest number of the corners that lie together
    pairs = list(_near(points))
    for a, b in pairs:
        place[place == place[b]] = place[a]
    edges, meeting = np.unique(np.sort(place[_edges(triangles)]), axis=0, return_counts=True)
    bead = HAIR * np.concatenate([np.eye(3), -np.eye(3)])
    for ends in (*edges[meeting > 1], *np.array(pairs, int).reshape(-1, 2)):
        yield hull((points[ends][:, None] + bead).reshape(-1, 3))


def _near(points: Array) -> Iterator[tuple[int, int]]:
    """The pairs of points that lie nearer than a clean mesh allows."""
    along = points @ _ASKEW
    order = np.argsort(along)
    for apart in count(1):
        low, high = order[:-apart], order[apart:]
        level = along[high] - along[low] < NEAR
        if not level.any():
            return
        low, high = low[level], high[level]
        near = np.linalg.norm(points[low] - points[high], axis=1) < NEAR
        yield from zip(low[near].tolist(), high[near].tolist(), strict=True)
