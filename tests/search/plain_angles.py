"""A third opinion on turns about fixed pivots: how near pieces come to others, by numpy.

It shares nothing with the exact decisions of the core and of the referee. How far two rectangles
are apart cannot change faster than their corners move. So it is measured in the middle of some
angles, and again in the middle of either half of those in which it might reach 0.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tests.search.plain_routes import rectangles

from kumitate.model.geometry import Cell

Numbers = NDArray[np.float64]
FIRST = 4  # parts of a quarter turn
ALL, DEEPER = 5, 9  # how often they are halved: to 0.7 and to 0.0014 degrees
PARTS = 16  # of a quarter turn: in each, deeper looks keep to where it is least
TOUCH = 1e-9  # in cells: less of an overlap may be rounding


class Stood(NamedTuple):
    """The cells of a piece, and how far it stands from them, in cells."""

    cells: frozenset[Cell]
    shift: tuple[float, float, float]


class Swings(NamedTuple):
    """Pieces that turn by quarters about some pivots while others stay; all in cells."""

    moving: Sequence[Stood]
    staying: Sequence[Stood]
    axis: int
    quarters: int
    pivots: Sequence[tuple[float, float]]
    tolerances: Sequence[float]  # one for each pivot


def least_gaps(all_swings: Sequence[Swings]) -> list[Numbers]:
    """For each pivot how near anything comes to what stays.

    Less than 0 if the two overlap: then it may be any overlap that was seen.
    """
    ends = np.cumsum([0, *(len(swings.pivots) for swings in all_swings)])
    rows = [_rows(swings, end) for swings, end in zip(all_swings, ends, strict=False)]
    least = np.full(ends[-1], np.inf)
    pairs, numbers = zip(*rows, strict=True)
    _measure(np.concatenate(pairs), np.concatenate(numbers), least)
    return np.split(least, ends[1:-1])


def _rows(swings: Swings, first: int) -> tuple[Numbers, NDArray[np.int64]]:
    """Pairs of rectangles from the pivot, for each quarter: centre and half sides of both.

    And the numbers of their pivots.
    """
    a, b = (_seen(some, swings) for some in (swings.moving, swings.staying))
    pivots = np.array(swings.pivots, float)
    if swings.quarters < 0:  # the same in a mirror
        for x in (a[:, 1], b[:, 1], pivots[:, 0]):
            x *= -1
    i, j = np.nonzero(np.abs(a[:, None, 0] - b[None, :, 0]) < 1)
    pairs = np.hstack([a[i, 1:], b[j, 1:]])
    rows = np.repeat(pairs[None], len(pivots), axis=0)
    rows[..., 0:2] -= pivots[:, None]
    rows[..., 4:6] -= pivots[:, None]
    rows[..., (2, 3, 6, 7)] -= np.array(swings.tolerances)[:, None, None]
    near = np.abs(np.hypot(rows[..., 0], rows[..., 1]) - np.hypot(rows[..., 4], rows[..., 5]))
    reach = np.hypot(rows[..., 2], rows[..., 3]) + np.hypot(rows[..., 6], rows[..., 7])
    number = np.nonzero(near < reach)[0] + first
    rows, blocks = rows[near < reach], []
    for _ in range(abs(swings.quarters)):
        blocks.append(rows)
        rows = rows[:, (1, 0, 3, 2, 4, 5, 6, 7)]
        rows[:, 0] *= -1
    return np.concatenate(blocks), np.tile(number, len(blocks))


def _seen(pieces: Iterable[Stood], swings: Swings) -> Numbers:
    """Their rectangles, with their layers."""
    u, v = (swings.axis + 1) % 3, (swings.axis + 2) % 3
    return np.concatenate(
        [
            _rectangles(cells, swings.axis) + (shift[swings.axis], shift[u], shift[v], 0, 0)
            for cells, shift in pieces
        ]
    )


@lru_cache(1 << 12)
def _rectangles(cells: frozenset[Cell], axis: int) -> Numbers:
    flat = [(cell[axis], cell[(axis + 1) % 3], cell[(axis + 2) % 3]) for cell in cells]
    return np.array(rectangles(flat, 0))


def _measure(rows: Numbers, number: NDArray[np.int64], least: Numbers) -> None:
    """Lower the least gap of each number to what its rows have."""
    # No corner moves faster, whichever of the two is said to turn.
    speed = np.maximum(
        np.hypot(rows[:, 0], rows[:, 1]) + np.hypot(rows[:, 2], rows[:, 3]),
        np.hypot(rows[:, 4], rows[:, 5]) + np.hypot(rows[:, 6], rows[:, 7]),
    )
    half = np.pi / 4 / FIRST
    row = np.tile(np.arange(len(rows)), FIRST)
    middle = np.repeat(half * np.arange(1, 2 * FIRST, 2), len(rows))
    sides: tuple[int, ...] = (-1, 1)
    for halving in range(ALL + DEEPER):
        gaps = np.concatenate(
            [_gaps(rows[some], at) for some, at in zip(*map(_portions, (row, middle)), strict=True)]
        )
        np.minimum.at(least, number[row], gaps)
        near = (gaps < speed[row] * half) & (least[number[row]] >= -TOUCH)
        row, middle, gaps = row[near], middle[near], gaps[near]
        if halving >= ALL:  # there may be no end of them, where two touch all the time
            part = row * PARTS + (middle * (PARTS * 2 / np.pi)).astype(int)
            order = np.lexsort((gaps, part))
            lowest = order[np.diff(part[order], prepend=-1) > 0]
            row, middle = row[lowest], middle[lowest]
            sides = (-3, -1, 1, 3)  # the least of all may be next to it
        half /= 2
        row = np.tile(row, len(sides))
        middle = np.concatenate([middle + side * half for side in sides]).clip(0, np.pi / 2)


def _portions(numbers: NDArray[np.generic]) -> list[NDArray[np.generic]]:
    """Some at a time, which stay in the caches."""
    return np.array_split(numbers, len(numbers) // 8000 + 1)


def _gaps(rows: Numbers, angle: Numbers) -> Numbers:
    """How far the first rectangle, turned by an angle about the origin, is from the second."""
    x, y, wide, high, u, v, width, height = rows.T
    c, s = np.cos(angle), np.sin(angle)
    dx, dy = x * c - y * s - u, x * s + y * c - v
    found: Numbers = np.maximum.reduce(
        [
            np.abs(dx) - width - wide * c - high * s,
            np.abs(dy) - height - wide * s - high * c,
            np.abs(dx * c + dy * s) - wide - width * c - height * s,
            np.abs(dy * c - dx * s) - high - width * s - height * c,
        ]
    )
    return found
