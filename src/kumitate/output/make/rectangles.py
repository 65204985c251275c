"""Rectangles on as few plates as possible: which plate, where on it, and which way round.

Sizes are whole numbers (micrometres, for prints), so that nothing depends on rounding. The plates
are filled by the rule of maximal rectangles (J. Jylänki, "A Thousand Ways to Pack the Bin", 2010):
each plate keeps all the largest rectangles that are still free, and the next piece goes into a
corner of one. No order is best for all sizes, so several are tried, then random ones, the same on
every run, until a bound proves that fewer plates are impossible or the tries are spent.
"""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import NamedTuple

Size = tuple[int, int]
Bed = tuple[float, float]

BED: Bed = (180.0, 180.0)  # millimetres; this and the gap as puzzlecad has them
GAP = 6.0

TRIES = 1000  # in hope of a plate less, after the orders that are often good; fewer when
PLACED = 20_000  # so many rectangles have been placed


class Spot(NamedTuple):
    """Where a rectangle lies: its least corner, and its size there."""

    rectangle: int  # its number
    x: int
    y: int
    width: int
    depth: int


class _Free(NamedTuple):
    x: int
    y: int
    right: int
    back: int


_Rule = Callable[[_Free, int, int], tuple[int, int]]


class _Try(NamedTuple):
    plates: Sequence[Sequence[Spot]]
    order: Sequence[int]
    rule: _Rule


def pack(sizes: Sequence[Size], plate: Size) -> list[list[Spot]]:
    """The rectangles, each small enough for a plate, on as few plates as it can.

    >>> pack([(2, 3), (3, 2)], (4, 3))
    [[Spot(rectangle=0, x=0, y=0, width=2, depth=3), Spot(rectangle=1, x=2, y=0, width=2, depth=3)]]
    """
    enough = fewest(sizes, plate)
    tries = (_try(sizes, plate, order, rule) for order, rule in product(_orders(sizes), _RULES))
    best = min(tries, key=_worth)
    chance = random.Random(0)
    for _ in range(min(TRIES, PLACED // max(1, len(sizes)))):
        if len(best.plates) <= enough:
            break
        changed = _try(sizes, plate, *_another(best, chance))
        best = min(changed, best, key=_worth)  # of equals the new one, so as not to stand still
    return [sorted(spots) for spots in best.plates]


def fewest(sizes: Sequence[Size], plate: Size) -> int:
    """No packing has fewer plates than this; some need more.

    A side that is more than a third of the plate's counts as a half of it, and so on (the dual
    feasible functions of S. P. Fekete and J. Schepers, Mathematical Methods of Operations Research
    60, 2004); then the areas must fit, whichever way round each rectangle counts less.

    >>> fewest([(4, 4)] * 5, (10, 10)), fewest([(6, 6)] * 2, (10, 10)), fewest([(5, 5)] * 4, (9, 9))
    (2, 2, 4)
    """
    bound = 0
    for k, m in product(range(7), repeat=2):
        areas = (
            min(
                _counted(a, plate[0], k) * _counted(b, plate[1], m)
                for a, b in ((width, depth), (depth, width))
                if a <= plate[0] and b <= plate[1]
            )
            for width, depth in sizes
        )
        bound = max(bound, ceil(sum(areas, Fraction(0))))
    return bound


def _counted(side: int, whole: int, k: int) -> Fraction:
    """A side as part of the whole, rounded such that sides that fit in a row still do."""
    if k == 0 or (k + 1) * side % whole == 0:
        return Fraction(side, whole)
    return Fraction((k + 1) * side // whole, k)


# ---- which order, which corner ----

_MEASURES: Sequence[Callable[[Size], tuple[int, int]]] = (
    lambda size: (size[0] * size[1], max(size)),
    lambda size: (max(size), min(size)),
    lambda size: (min(size), max(size)),
    lambda size: (size[0] + size[1], max(size)),
)


def _lowest(free: _Free, width: int, depth: int) -> tuple[int, int]:
    return (free.y + depth, free.x + width)


def _snuggest(free: _Free, width: int, depth: int) -> tuple[int, int]:
    beside, behind = free.right - free.x - width, free.back - free.y - depth
    return (min(beside, behind), max(beside, behind))


def _smallest(free: _Free, width: int, depth: int) -> tuple[int, int]:
    return ((free.right - free.x) * (free.back - free.y), min(_snuggest(free, width, depth)))


_RULES: Sequence[_Rule] = (_lowest, _snuggest, _smallest)


def _orders(sizes: Sequence[Size]) -> list[list[int]]:
    """The numbers of the rectangles, the largest first, by each measure."""
    return [
        sorted(range(len(sizes)), key=lambda n: measure(sizes[n]), reverse=True)
        for measure in _MEASURES
    ]


def _another(last: _Try, chance: random.Random) -> tuple[list[int], _Rule]:
    """The same order, a few or all of the rectangles taken out of turn; maybe another rule."""
    order = list(last.order)
    for _ in range(chance.choice((1, 2, 3, len(order)))):
        moved = order.pop(chance.randrange(len(order)))
        order.insert(chance.randrange(len(order) + 1), moved)
    return order, last.rule if chance.random() < 0.7 else chance.choice(_RULES)


def _worth(tried: _Try) -> tuple[int, int]:
    """Less is better: few plates, and little of the last one used."""
    last = tried.plates[-1] if tried.plates else []
    width = max((spot.x + spot.width for spot in last), default=0)
    depth = max((spot.y + spot.depth for spot in last), default=0)
    return (len(tried.plates), width * depth)


# ---- filling plates ----


def _try(sizes: Sequence[Size], plate: Size, order: Sequence[int], rule: _Rule) -> _Try:
    """Each rectangle, in this order, on the first plate that takes it."""
    plates: list[list[Spot]] = []
    left: list[list[_Free]] = []  # of each plate
    for number in order:
        corners = (_best_corner(free, number, sizes[number], rule) for free in left)
        which, spot = next(((n, s) for n, s in enumerate(corners) if s), (len(plates), None))
        if spot is None:
            plates.append([])
            left.append([_Free(0, 0, *plate)])
            spot = _best_corner(left[which], number, sizes[number], rule)
            assert spot is not None, "a rectangle is larger than the plate"
        plates[which].append(spot)
        left[which] = _cut(left[which], spot)
    return _Try(plates, order, rule)


def _best_corner(free: Sequence[_Free], number: int, size: Size, rule: _Rule) -> Spot | None:
    ways = {size, (size[1], size[0])}
    fitting = (
        (rule(hole, width, depth), Spot(number, hole.x, hole.y, width, depth))
        for hole in free
        for width, depth in sorted(ways)
        if width <= hole.right - hole.x and depth <= hole.back - hole.y
    )
    return min(fitting, default=(None, None))[1]


def _cut(free: Sequence[_Free], spot: Spot) -> list[_Free]:
    """The maximal rectangles that are left when the spot is taken."""
    right, back = spot.x + spot.width, spot.y + spot.depth
    whole: list[_Free] = []
    parts: list[_Free] = []
    for hole in free:
        x, y, r, b = hole
        if right <= x or r <= spot.x or back <= y or b <= spot.y:
            whole.append(hole)
            continue
        if x < spot.x:
            parts.append(_Free(x, y, spot.x, b))
        if right < r:
            parts.append(_Free(right, y, r, b))
        if y < spot.y:
            parts.append(_Free(x, y, r, spot.y))
        if back < b:
            parts.append(_Free(x, back, r, b))
    parts = sorted(set(parts))
    return whole + [
        part
        for part in parts
        if not any(_within(part, other) for other in whole)
        and not any(_within(part, other) for other in parts if other != part)
    ]


def _within(inner: _Free, outer: _Free) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.right <= outer.right
        and inner.back <= outer.back
    )
