"""Pieces across an axis: the rectangles that they are made of, and when two of them overlap.

All of it is decided in whole numbers and fractions, so a touch is never taken for a hit.
"""

from collections.abc import Iterator, Set
from fractions import Fraction
from itertools import pairwise
from math import isqrt, lcm
from typing import NamedTuple

from kumitate.model.geometry import Cell, Vector


class Stand(NamedTuple):
    """Where a piece stands: its cells, turned about the origin, then moved by a shift."""

    cells: frozenset[Cell]
    shift: Vector  # in fractions of a cell


class Oblong(NamedTuple):
    """A rectangle across the axis of a turn, as seen from the pivot: its centre and half its sides.

    Numbers are halves of fractions of a cell.
    """

    layer: int  # where it begins along the axis
    x: Fraction
    y: Fraction
    wide: Fraction
    high: Fraction


def oblongs(
    stand: Stand, axis: int, pivot: Vector, whole: int, inset: Fraction
) -> Iterator[Oblong]:
    """What is left of a piece, layer by layer, when its faces are set back.

    That is the union of what is left of all rectangles in it: around every point that is left there
    is a small square, which touches four cells at most, and those are in such a rectangle.
    """
    u, v = (axis + 1) % 3, (axis + 2) % 3
    layers: dict[int, set[tuple[int, int]]] = {}
    for cell in stand.cells:
        layers.setdefault(cell[axis], set()).add((cell[u], cell[v]))
    for layer, cells in layers.items():
        for x, y, wide, high in _rectangles(cells):
            yield Oblong(
                2 * (whole * layer + stand.shift[axis]),
                Fraction(2 * (whole * x + stand.shift[u]) + whole * wide - pivot[u]),
                Fraction(2 * (whole * y + stand.shift[v]) + whole * high - pivot[v]),
                whole * wide - inset,
                whole * high - inset,
            )


def _rectangles(cells: Set[tuple[int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """All rectangles of cells that are part of no larger one: corner, width and height."""

    def full(x: int, y: int, wide: int, high: int) -> bool:
        return all((x + i, y + j) in cells for i in range(wide) for j in range(high))

    for x, y in cells:
        wide = 1
        while full(x, y, wide, 1):
            high = 1
            while full(x, y + high, wide, 1):
                high += 1
            if not (
                full(x - 1, y, 1, high) or full(x + wide, y, 1, high) or full(x, y - 1, wide, 1)
            ):
                yield x, y, wide, high
            wide += 1


def hits_turning(moving: Oblong, still: Oblong, quarters: int) -> bool:
    """Whether a rectangle overlaps another that stays while it turns about the pivot."""
    if quarters < 0:  # the same in a mirror
        moving, still = (one._replace(x=-one.x) for one in (moving, still))
    for _ in range(abs(quarters)):
        if hits_between(moving, still, Fraction(0), Fraction(1)):
            return True
        moving = Oblong(moving.layer, -moving.y, moving.x, moving.high, moving.wide)
    return False


def conditions(moving: Oblong, still: Oblong) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """When two rectangles overlap, the first one turned by some angle a about the pivot.

    They do unless a line along a side of one of them keeps them apart. Each of the eight lines
    does not if A cos a + B sin a + C > 0.
    """
    for side in (1, -1):
        mx, my, sx, sy = side * moving.x, side * moving.y, side * still.x, side * still.y
        yield moving.wide - mx, moving.high + my, still.wide + sx
        yield moving.high - my, moving.wide - mx, still.high + sy
        yield still.wide + sx, still.high + sy, moving.wide - mx
        yield still.high + sy, still.wide - sx, moving.high - my


def hits_between(moving: Oblong, still: Oblong, start: Fraction, end: Fraction) -> bool:
    """Whether they overlap while t = tan(a / 2) goes from start to end, 0 <= t <= 1.

    With t, a condition is (C - A) t^2 + 2 B t + (C + A) > 0. The signs of these quadratics change
    at their roots only, so one time between any two neighbouring roots is enough. Decided in whole
    numbers.
    """
    rows = list(conditions(moving, still))
    scale = lcm(*(number.denominator for row in rows for number in row))
    quadratics = [
        (int((c - a) * scale), int(2 * b * scale), int((c + a) * scale)) for a, b, c in rows
    ]
    if any(_never_positive(*row, start, end) for row in quadratics):
        return False
    # Distinct roots of two quadratics with coefficients below 2^n are more than 2^-(14 n + 24)
    # apart (Mahler's bound for the product of the two, of degree 4).
    n = max(abs(number) for row in quadratics for number in row).bit_length()
    near = 16 * n + 64
    times_of_change = [start, end]
    for row in quadratics:
        times_of_change += [t for t in _roots(*row, near + 2 * n + 8) if start < t < end]
    times_of_change.sort()
    return any(
        all(a * t * t + b * t + c > 0 for a, b, c in quadratics)
        for early, late in pairwise(times_of_change)
        if (late - early) * 2**near > 1
        for t in [(early + late) / 2]
    )


def _never_positive(a: int, b: int, c: int, start: Fraction, end: Fraction) -> bool:
    """Whether a t^2 + b t + c is not, from start to end."""
    if any(a * t * t + b * t + c > 0 for t in (start, end)):
        return False
    return a >= 0 or not start < Fraction(-b, 2 * a) < end or b * b <= 4 * a * c


def _roots(a: int, b: int, c: int, bits: int) -> list[Fraction]:
    """The roots of a t^2 + b t + c, to so many bits."""
    if a == 0:
        return [] if b == 0 else [Fraction(-c, b)]
    square = b * b - 4 * a * c
    if square < 0:
        return []
    root = Fraction(isqrt(square << 2 * bits), 1 << bits)
    return [(-b - root) / (2 * a), (-b + root) / (2 * a)]
