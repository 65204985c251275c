"""Which is in front: faces in the order in which a painter puts them on paper, farthest first.

Coordinates are the viewer's: x to the right, y up, z towards the eye. Of two faces only those need
an order whose pictures overlap, and there the planes tell which is nearer; no sum of coordinates
does that for pieces in motion or tiles other than cubes. Whole flat blocks are sorted first, since
a block drawn at once has no seams. Blocks that overlap in a cycle are sorted face by face, and
faces that do so (or pass through each other) are cut along their planes, which breaks every cycle.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Point = tuple[float, float, float]

NEAR = 1e-6  # less than this is touching, in lattice units
AT_ONCE = 1_000_000  # pairs looked at together; bounds the memory


@dataclass(frozen=True, eq=False)
class Faces:
    """Convex polygons that face the viewer, as rows of arrays; short ones repeat a corner."""

    corners: Floats  # (faces, corners, 3), counterclockwise
    normals: Floats  # (faces, 3)
    blocks: Integers  # faces of one block lie in one plane and do not overlap
    sheets: Integers  # faces on different sheets of paper never meet
    across: Floats  # (directions, 2): at right angles to all edges in the picture


class Fragment(NamedTuple):
    """A part of a face, cut off along planes."""

    face: int
    corners: tuple[Point, ...]
    sides: tuple[int, ...]  # which side of the face begins at each corner; -1 along a cut


def back_to_front(faces: Faces) -> list[list[int] | Fragment]:
    """Runs of faces of one block each, and fragments, to be drawn in this order."""
    behind, before = _pairs(faces)
    members: list[list[int]] = [[] for _ in range(int(faces.blocks.max(initial=-1)) + 1)]
    for face, block in enumerate(faces.blocks.tolist()):
        members[block].append(face)
    drawn: list[list[int] | Fragment] = []
    edges = faces.blocks[behind], faces.blocks[before]
    for knot in _knots(len(members), *edges):
        if len(knot) == 1:
            drawn.append(members[knot[0]])
        else:
            tied = sorted(face for block in knot for face in members[block])
            drawn += _face_by_face(faces, tied, behind, before)
    return [run for run in drawn if run]


def _face_by_face(
    faces: Faces, tied: list[int], behind: Integers, before: Integers
) -> Iterator[list[int] | Fragment]:
    """The order of some faces, staying on one block as long as that can be."""
    number = np.full(len(faces.blocks), -1)
    number[tied] = np.arange(len(tied))
    behind, before = number[behind], number[before]
    inner = (behind >= 0) & (before >= 0)
    behind, before = behind[inner], before[inner]
    knots = _knots(len(tied), behind, before)
    blocks = faces.blocks[tied].tolist()
    run: list[int] = []
    for knot in _lingering(knots, behind, before, blocks):
        if len(knot) == 1 and run and blocks[knot[0]] == faces.blocks[run[-1]]:
            run.append(tied[knot[0]])
            continue
        yield run
        run = [tied[knot[0]]] if len(knot) == 1 else []
        if len(knot) > 1:
            yield from _cut_apart([_whole(faces, tied[n]) for n in knot], faces.normals)
    yield run


# ---- pairs ----


def _pairs(faces: Faces) -> tuple[Integers, Integers]:
    """All pairs (behind, before) of faces that overlap in the picture.

    Faces that pass through each other are behind and before each other: a circle of two.
    """
    found = [_ordered(faces, a, b) for a, b in _overlapping(faces)]
    behind = np.concatenate([np.zeros(0, np.int64), *(pair[0] for pair in found)])
    before = np.concatenate([np.zeros(0, np.int64), *(pair[1] for pair in found)])
    return behind, before


def _overlapping(faces: Faces) -> Iterator[tuple[Integers, Integers]]:
    """Pairs of faces whose pictures overlap: no direction across an edge separates them.

    Candidates share a strip of their sheet (a face may reach into two) and meet from side to side;
    a pair that shares two strips comes twice.
    """
    if not len(faces.corners):
        return
    shadows = faces.corners[:, :, :2] @ faces.across.T
    low, high = shadows.min(axis=1) + NEAR, shadows.max(axis=1)
    number, strip = _strips(low[:, 1], high[:, 1], faces.sheets)
    aside = strip * (high[:, 0].max() - low[:, 0].min() + 1)
    left, right = low[number, 0] + aside, high[number, 0] + aside
    order = np.argsort(left, kind="stable")
    number, left, right = number[order], left[order], right[order]
    counts = np.maximum(np.searchsorted(left, right) - np.arange(len(left)) - 1, 0)
    chunk = np.cumsum(counts) // AT_ONCE
    for part in range(int(chunk[-1]) + 1):
        rows = np.nonzero(chunk == part)[0]
        first = np.repeat(rows, counts[rows])
        starts = np.cumsum(counts[rows]) - counts[rows]
        second = np.arange(len(first)) - np.repeat(starts, counts[rows]) + first + 1
        a, b = number[first], number[second]
        for axis in range(1, low.shape[1]):
            meet = (low[a, axis] < high[b, axis]) & (low[b, axis] < high[a, axis])
            a, b = a[meet], b[meet]
        yield a, b


def _strips(low: Floats, high: Floats, sheets: Integers) -> tuple[Integers, Integers]:
    """Numbers of faces and of strips across their sheets, so wide that none reaches into three."""
    width = (high - low).max() + NEAR
    first, last = (np.floor((y - low.min()) / width).astype(np.int64) for y in (low, high))
    two = np.nonzero(last > first)[0]
    strip = sheets * (last.max() + 1)
    return (
        np.concatenate([np.arange(len(low)), two]),
        np.concatenate([strip + first, strip[two] + last[two]]),
    )


def _ordered(faces: Faces, a: Integers, b: Integers) -> tuple[Integers, Integers]:
    """For overlapping faces which of them is behind: by their planes, else where they overlap."""
    over_a = _heights(faces, b, a)  # of b's corners over a's plane
    over_b = _heights(faces, a, b)
    b_behind = (over_a.max(axis=1) <= NEAR) | (over_b.min(axis=1) >= -NEAR)
    a_behind = (over_a.min(axis=1) >= -NEAR) | (over_b.max(axis=1) <= NEAR)
    unclear = ~(a_behind | b_behind)
    both = a_behind & b_behind  # in one plane
    if unclear.any():
        least, most = _gaps(faces, a[unclear], b[unclear])
        a_behind[unclear] = most > NEAR
        b_behind[unclear] = least < -NEAR
    a_behind &= ~both
    b_behind &= ~both
    return (
        np.concatenate([a[a_behind], b[b_behind]]),
        np.concatenate([b[a_behind], a[b_behind]]),
    )


def _heights(faces: Faces, of: Integers, over: Integers) -> Floats:
    """How far each corner of one face lies on the near side of another's plane."""
    normals = faces.normals[over]
    offsets = np.einsum("ij,ij->i", normals, faces.corners[over, 0])
    heights: Floats = np.einsum("ikj,ij->ik", faces.corners[of], normals) - offsets[:, None]
    return heights


def _gaps(faces: Faces, a: Integers, b: Integers) -> tuple[Floats, Floats]:
    """The least and the greatest depth of b over a, where both are seen.

    The depth is linear, so it is extreme at corners of the common part of the two pictures; those
    are ends of the sides of each after clipping by the other (Cyrus and Beck).
    """
    least, most = np.full(len(a), np.inf), np.full(len(a), -np.inf)
    for p, q, sign in ((a, b, 1.0), (b, a, -1.0)):
        steepness = faces.normals[p, 2]
        gap = sign * _heights(faces, q, p) / steepness[:, None]  # at q's corners, from p's plane
        corners, clip = faces.corners[q, :, :2], faces.corners[p, :, :2]
        sides = np.roll(clip, -1, axis=1) - clip
        inward = np.stack([-sides[..., 1], sides[..., 0]], axis=-1)
        length = np.linalg.norm(inward, axis=-1)
        short = length < NEAR  # a repeated corner bounds nothing
        inward = inward / np.where(short, 1.0, length)[..., None]
        start = np.einsum("isj,ikj->iks", inward, corners)
        start -= np.einsum("isj,isj->is", inward, clip)[:, None, :]
        start = np.where(short[:, None, :], 1.0, start)
        end = np.roll(start, -1, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = start / (start - end)
        enter = np.where((start < 0) & (end > start), crossing, 0.0).max(axis=2)
        leave = np.where((end < 0) & (start > end), crossing, 1.0).min(axis=2)
        seen = (enter <= leave) & ~((start <= 0) & (end <= 0)).any(axis=2)
        step = np.roll(gap, -1, axis=1) - gap
        for where in (enter, leave):
            there = gap + where * step
            least = np.minimum(least, np.where(seen, there, np.inf).min(axis=1))
            most = np.maximum(most, np.where(seen, there, -np.inf).max(axis=1))
    return least, most


# ---- circles ----


def _knots(size: int, behind: Integers, before: Integers) -> list[list[int]]:
    """Nodes that go round in circles (or single ones), each list before those it lies behind.

    Tarjan's strongly connected components, without recursion.
    """
    after = _followers(size, behind, before)
    low = [-1] * size  # the first node known to be reached; `size` once the knot is tied
    stack: list[int] = []
    knots: list[list[int]] = []
    entered = [0] * size
    clock = iter(range(size))
    for root in range(size):
        todo = [(root, iter(after[root]))] if low[root] < 0 else []
        while todo:
            node, rest = todo[-1]
            if low[node] < 0:
                low[node] = entered[node] = next(clock)
                stack.append(node)
            fresh = None
            for other in rest:
                if low[other] < 0:
                    fresh = other
                    break
                low[node] = min(low[node], low[other])
            if fresh is not None:
                todo.append((fresh, iter(after[fresh])))
                continue
            todo.pop()
            if todo:
                low[todo[-1][0]] = min(low[todo[-1][0]], low[node])
            if low[node] == entered[node]:
                knots.append(_unwound(stack, node))
                for other in knots[-1]:
                    low[other] = size
    return knots[::-1]


def _unwound(stack: list[int], node: int) -> list[int]:
    """What lies on the stack from a node on, taken off it."""
    knot = [stack.pop()]
    while knot[-1] != node:
        knot.append(stack.pop())
    return sorted(knot)


def _followers(size: int, behind: Integers, before: Integers) -> list[list[int]]:
    after: list[list[int]] = [[] for _ in range(size)]
    keys = np.unique(behind * size + before)
    for a, b in zip((keys // max(size, 1)).tolist(), (keys % max(size, 1)).tolist(), strict=True):
        if a != b:
            after[a].append(b)
    return after


def _lingering(
    knots: list[list[int]], behind: Integers, before: Integers, blocks: list[int]
) -> Iterator[list[int]]:
    """The knots in another order that is right too, with few changes from block to block.

    Next comes a block of which the fewest faces must wait, and as much of it as can be drawn.
    """
    home = np.zeros(sum(map(len, knots)), np.int64)
    for number, knot in enumerate(knots):
        home[knot] = number
    after = _followers(len(knots), home[behind], home[before])
    left = [0] * len(knots)
    for others in after:
        for other in others:
            left[other] += 1
    block = [blocks[knot[0]] if len(knot) == 1 else -1 - n for n, knot in enumerate(knots)]
    waiting = Counter(block)
    ready: dict[int, list[int]] = {}

    def release(number: int) -> None:
        ready.setdefault(block[number], []).append(number)
        waiting[block[number]] -= 1

    for number in range(len(knots)):
        if not left[number]:
            release(number)
    while ready:
        key = min(ready, key=lambda found: (waiting[found], found))
        here = ready[key]
        while here:
            number = here.pop()
            yield knots[number]
            for other in after[number]:
                left[other] -= 1
                if not left[other]:
                    release(other)
        del ready[key]


# ---- cuts ----


def _whole(faces: Faces, face: int) -> Fragment:
    corners: list[Point] = []
    sides: list[int] = []
    for side, (x, y, z) in enumerate(faces.corners[face].tolist()):
        if corners and (x, y, z) == corners[-1]:
            sides[-1] = side  # a repeated corner; its last copy begins the next side
        else:
            corners.append((x, y, z))
            sides.append(side)
    return Fragment(face, tuple(corners), tuple(sides))


def _cut_apart(parts: list[Fragment], normals: Floats) -> list[Fragment]:
    """Any parts of faces in order, by cutting those that reach through another's plane."""
    if len(parts) < 2:
        return parts
    best: tuple[float, list[Fragment], list[Fragment], list[Fragment]] | None = None
    for number in range(0, len(parts), max(1, len(parts) // 8)):
        behind, level, ahead = _divided(parts, parts[number], normals)
        made = len(behind) + len(level) + len(ahead) - len(parts)
        cost = 8 * made + abs(len(behind) - len(ahead))
        if best is None or cost < best[0]:
            best = (cost, behind, level, ahead)
    assert best is not None
    _, behind, level, ahead = best
    return [*_cut_apart(behind, normals), *level, *_cut_apart(ahead, normals)]


def _divided(
    parts: Sequence[Fragment], by: Fragment, normals: Floats
) -> tuple[list[Fragment], list[Fragment], list[Fragment]]:
    """What lies behind the plane of one part, in it, and ahead of it."""
    nx, ny, nz = normals[by.face].tolist()
    x, y, z = by.corners[0]
    offset = nx * x + ny * y + nz * z
    behind, level, ahead = [], [], []
    for part in parts:
        heights = [nx * x + ny * y + nz * z - offset for x, y, z in part.corners]
        heights = [0.0 if abs(height) <= NEAR else height for height in heights]
        if part is by or not any(heights):
            level.append(part)
        elif max(heights) <= 0:
            behind.append(part)
        elif min(heights) >= 0:
            ahead.append(part)
        else:
            behind.append(_below(part, heights))
            ahead.append(_below(part, [-height for height in heights]))
    return behind, level, ahead


def _below(part: Fragment, heights: Sequence[float]) -> Fragment:
    """What of a part has negative heights."""
    corners: list[Point] = []
    sides: list[int] = []
    size = len(heights)
    for n, (corner, side) in enumerate(zip(part.corners, part.sides, strict=True)):
        there, height, after = part.corners[n + 1 - size], heights[n], heights[n + 1 - size]
        if height <= 0:
            corners.append(corner)
            sides.append(-1 if height == 0 and after > 0 else side)
        if height * after < 0:
            t = height / (height - after)
            x, y, z = (c + t * (d - c) for c, d in zip(corner, there, strict=True))
            corners.append((x, y, z))
            sides.append(side if after < 0 else -1)
    return Fragment(part.face, tuple(corners), tuple(sides))
