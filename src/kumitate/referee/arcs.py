"""Whether a piece hits another on an arc: a leg of a route on which its centre follows an ellipse.

At the angle a the centre is at M + B cos a + C sin a, and B and C follow from both ends of the arc.
With t = tan(a / 2) each of the eight conditions for two rectangles to overlap is a polynomial of
degree 4 over (1 + t^2)^2, so five values determine it. All of it is exact.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from kumitate.model.route import Pose
from kumitate.referee.oblongs import Oblong, conditions

_TIMES = [Fraction(n, 4) for n in range(5)]
# The values at these times, as parts of the way, times these rows are its Bernstein coefficients,
# times 36. If none of them is positive, neither is the polynomial.
_ROWS = (
    (36, 0, 0, 0, 0),
    (-39, 144, -108, 48, -9),
    (26, -128, 240, -128, 26),
    (-9, 48, -108, 144, -39),
    (0, 0, 0, 0, 36),
)
_MOST_HALVINGS = 16

Curve = tuple[Fraction, ...]  # one condition on a part of the arc, as five such coefficients


def hits_on_arc(moving: Oblong, still: Oblong, here: Pose, there: Pose) -> bool:
    """Whether a rectangle, seen from the centre of the pieces, hits another on an arc.

    Both poses are in the first quadrant. An arc on which it cannot be shown that the two stay apart
    counts as one that hits.

    >>> half, third = Fraction(1, 2), Fraction(1, 3)  # the angle has the cosine 4/5, the sine 3/5
    >>> square, floor = Oblong(0, half, half, half, half), Oblong(0, half, -half, 9 * half, half)
    >>> square = square._replace(x=Fraction(0), y=Fraction(0))
    >>> start = Pose(half, half, Fraction(0))
    >>> up = Pose(half, Fraction(7, 10), third, (half, Fraction(0)))  # y = (cos a + sin a) / 2
    >>> hits_on_arc(square, floor, start, up)  # its corner slides along the floor
    False
    >>> hits_on_arc(square, floor, start, up._replace(about=(half, half)))
    True
    """
    centre = _centre(here, there)
    turns = [here.turn + part * (there.turn - here.turn) for part in _TIMES]
    rows = [_values(moving, still, centre, t) for t in turns]
    return not _apart([_curve(values) for values in zip(*rows, strict=True)], _MOST_HALVINGS)


def _centre(here: Pose, there: Pose) -> Callable[[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """Where the centre is on an arc, by cosine and sine of the angle."""
    (c0, s0), (c1, s1) = here.direction, there.direction
    sweep = s1 * c0 - c1 * s0  # the sine of the angle between the two
    x, y = there.about or (here.x, here.y)

    def at(cos: Fraction, sin: Fraction) -> tuple[Fraction, Fraction]:
        early, late = (s1 * cos - c1 * sin) / sweep, (sin * c0 - cos * s0) / sweep
        return (
            x + early * (here.x - x) + late * (there.x - x),
            y + early * (here.y - y) + late * (there.y - y),
        )

    return at


def _values(
    moving: Oblong,
    still: Oblong,
    centre: Callable[[Fraction, Fraction], tuple[Fraction, Fraction]],
    t: Fraction,
) -> list[Fraction]:
    """The eight conditions at one time, times (1 + t^2)^2."""
    one = 1 + t * t
    cos, sin = (1 - t * t) / one, 2 * t / one
    x, y = centre(cos, sin)
    seen = still._replace(x=still.x - x, y=still.y - y)
    return [(a * cos + b * sin + c) * one * one for a, b, c in conditions(moving, seen)]


def _curve(values: Sequence[Fraction]) -> Curve:
    return tuple(
        sum((weight * value for weight, value in zip(row, values, strict=True)), Fraction(0))
        for row in _ROWS
    )


def _apart(curves: Sequence[Curve], halvings: int) -> bool:
    """Whether the arc can be cut into parts in each of which some condition never holds."""
    if any(max(curve) <= 0 for curve in curves):
        return True
    if halvings == 0 or all(curve[0] > 0 for curve in curves):
        return False
    halves = [_halves(curve) for curve in curves]
    return all(_apart(some, halvings - 1) for some in zip(*halves, strict=True))


def _halves(curve: Curve) -> tuple[Curve, Curve]:
    """The same on the first and on the second half, by means of neighbours (de Casteljau)."""
    rows = [curve]
    while len(rows[-1]) > 1:
        row = rows[-1]
        rows.append(tuple((a + b) / 2 for a, b in pairwise(row)))
    return tuple(row[0] for row in rows), tuple(row[-1] for row in reversed(rows))
