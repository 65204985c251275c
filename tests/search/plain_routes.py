"""The plain twin of the search for routes: poses on a fine grid, checked one by one.

A pose is good if all rectangles are farther apart than half the largest motion from one pose of the
grid to the next, so the twin finds only routes that exist. It misses narrow ones.
"""

from collections.abc import Sequence
from math import hypot, pi

import numpy as np
from numpy.typing import NDArray

Flat = tuple[int, int, int]  # layer, u, v
Piece = Sequence[Flat]
Numbers = NDArray[np.float64]
Rectangle = tuple[int, float, float, float, float]  # layer, centre, half sides
TOGETHER = 300000


def rectangles(piece: Piece, tolerance: float) -> list[tuple[int, float, float, float, float]]:
    """For each block of one or two cells a side its layer, centre and half sides, set back."""
    cells, found = set(piece), []
    for w, u, v in piece:
        for wide, high in ((2, 2), (2, 1), (1, 2), (1, 1)):
            if cells.issuperset((w, u + i, v + j) for i in range(wide) for j in range(high)):
                found.append(
                    (w, u + wide / 2, v + high / 2, wide / 2 - tolerance, high / 2 - tolerance)
                )
                if wide == high:
                    break  # the others are inside
    return found


def centre(moving: Sequence[Piece]) -> tuple[float, float]:
    us, vs = zip(*((u, v) for piece in moving for _, u, v in piece), strict=True)
    return (min(us) + max(us) + 1) / 2, (min(vs) + max(vs) + 1) / 2


def gaps(
    moving: Sequence[Piece],
    staying: Sequence[Piece],
    tolerance: float,
    x: Numbers,
    y: Numbers,
    angle: Numbers,
    enough: float = -np.inf,
) -> Numbers:
    """How far apart the two sets are, for each pose; less than 0 if they overlap.

    Where they are not far enough apart, it may be less than so.
    """
    at = centre(moving)
    least = np.full(x.shape, np.inf)
    left = np.arange(len(x))  # poses that are still good, and a few others
    cos, sin = np.cos(angle), np.sin(angle)
    movers = [one for piece in moving for one in rectangles(piece, tolerance)]
    stayers = [one for piece in staying for one in rectangles(piece, tolerance)]
    for layer, u, v, w, h in movers:
        u, v = u - at[0], v - at[1]
        for other, sx, sy, sw, sh in stayers:
            if layer != other:
                continue
            c, s = np.abs(cos), np.abs(sin)
            dx, dy = sx - x - u * cos + v * sin, sy - y - u * sin - v * cos
            apart = np.maximum.reduce(
                [
                    np.abs(dx) - (sw + w * c + h * s),
                    np.abs(dy) - (sh + w * s + h * c),
                    np.abs(dx * cos + dy * sin) - (w + sw * c + sh * s),
                    np.abs(dy * cos - dx * sin) - (h + sw * s + sh * c),
                ]
            )
            least[left] = np.minimum(least[left], apart)
            good = apart > enough
            if 20 * np.count_nonzero(good) < 19 * len(good):
                left, x, y, cos, sin = (numbers[good] for numbers in (left, x, y, cos, sin))
    return least


def stops(
    moving: Sequence[Piece],
    staying: Sequence[Piece],
    goals: Sequence[int],
    tolerance: float,
    per_cell: int = 8,
    angles: int = 24,
) -> set[tuple[int, int, int]]:
    """The places on cells, but the start, to which poses of the grid lead from there.

    For each of some goals, quarters of a turn: those, and the shift after a turn about the corner
    (0, 0).
    """
    at = centre(moving)
    radius = max(
        hypot(u + i - at[0], v + j - at[1])
        for piece in moving
        for _, u, v in piece
        for i in (0, 1)
        for j in (0, 1)
    )
    # The centre stays in the box around what stays.
    axes, starts = [], []
    for n in (0, 1):
        numbers = [cell[n + 1] for piece in staying for cell in piece]
        before = int((at[n] - min(numbers)) * per_cell)
        after = int((max(numbers) + 1 - at[n]) * per_cell)
        axes.append(at[n] + np.arange(-before, after + 1) / per_cell)
        starts.append(before)
    low, high = (-1, 1) if 0 in goals else (min(0, *goals), max(0, *goals))
    turns = np.arange(low * angles, high * angles + 1) / angles
    x, y, angle = np.meshgrid(*axes, turns * pi / 2, indexing="ij")
    margin = max(1 / per_cell, radius * pi / 2 / angles) / 2
    if 2 * tolerance <= margin:
        return set()  # it touches something, most likely
    free = gaps(moving, staying, tolerance, x.ravel(), y.ravel(), angle.ravel(), margin) > margin
    good = free.reshape(x.shape)
    reached = np.zeros_like(good)
    reached[starts[0], starts[1], -low * angles] = True
    reached &= good
    while True:
        more = reached.copy()
        for axis in range(3):
            near, there = [slice(None)] * 3, [slice(None)] * 3
            near[axis], there[axis] = slice(None, -1), slice(1, None)
            more[tuple(there)] |= reached[tuple(near)]
            more[tuple(near)] |= reached[tuple(there)]
        more &= good
        if (more == reached).all():
            break
        reached = more
    found: set[tuple[int, int, int]] = set()
    for quarters in goals:
        # The centre of a lattice pose: turned about (0, 0), and shifted by whole cells.
        turned = {0: at, 1: (-at[1], at[0]), -1: (at[1], -at[0])}[quarters]
        ends = reached[:, :, (quarters - low) * angles]
        shifts = np.stack(np.meshgrid(*axes, indexing="ij")) - np.array(turned).reshape(2, 1, 1)
        whole = (np.abs(shifts - np.round(shifts)) < 1e-9).all(axis=0)
        if quarters == 0:
            whole[starts[0], starts[1]] = False
        places = np.round(shifts[:, ends & whole]).astype(int)
        found.update((quarters, int(u), int(v)) for u, v in places.T)
    return found
