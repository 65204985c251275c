"""Whether pieces that tilt, slide and turn on a route hit others that stay."""

from collections.abc import Iterator, Sequence, Set
from fractions import Fraction
from itertools import pairwise

from kumitate.model.geometry import ZERO, Cell
from kumitate.model.route import Pose, Route
from kumitate.referee.arcs import hits_on_arc
from kumitate.referee.oblongs import Oblong, Stand, conditions, hits_between, oblongs


def route_faults(
    moving: Sequence[Set[Cell]],
    staying: Sequence[Set[Cell]],
    axis: int,
    route: Route,
    tolerance: Fraction = Fraction(0),
) -> list[str]:
    """Everything that is wrong with a route of pieces, cubes, across an axis past others that stay.

    >>> square, wall = {(0, 0, 0, 0)}, {(x, -1, 0, 0) for x in range(-2, 3)}
    >>> half = Fraction(1, 2)
    >>> there, lifted, back = (Pose(half, y, turn) for y, turn in ((half, 0), (1, half), (half, 1)))
    >>> route_faults([square], [wall], 2, [there, lifted, back])
    []
    >>> route_faults([square], [wall], 2, [there, back])
    ['leg 1 hits a piece']
    """
    moves, stays = ([Stand(frozenset(p), ZERO) for p in some] for some in (moving, staying))
    return list(faults_on_route(moves, stays, axis, route, tolerance))


def faults_on_route(
    moving: Sequence[Stand],
    staying: Sequence[Stand],
    axis: int,
    route: Route,
    tolerance: Fraction,
    whole: int = 1,
) -> Iterator[str]:
    """The same for pieces that stand between cells, at fractions of which `whole` make a cell."""
    if not 0 <= tolerance < Fraction(1, 2):
        yield f"a tolerance of {tolerance} leaves nothing of a cell"
        return
    x, y = (_middle(moving, (axis + n) % 3, whole) for n in (1, 2))
    if len(route) < 2 or route[0] != Pose(x, y, Fraction(0)):
        yield f"does not begin at the centre, ({x}, {y}), or ends there"
        return
    cos, sin = route[-1].direction
    ends = whole * (route[-1].x - (x * cos - y * sin)), whole * (route[-1].y - (x * sin + y * cos))
    if any(number.denominator > 1 for number in (route[-1].turn, *ends)):
        yield "does not end on cells"

    def across(stands: Sequence[Stand], x: Fraction, y: Fraction) -> list[Oblong]:
        size = 2 * whole
        return [
            Oblong(o.layer, o.x / size - x, o.y / size - y, o.wide / size, o.high / size)
            for stand in stands
            for o in oblongs(stand, axis, ZERO, whole, size * tolerance)
        ]

    still = across(staying, Fraction(0), Fraction(0))
    pairs = [
        (a, b) for a in across(moving, x, y) for b in still if abs(a.layer - b.layer) < 2 * whole
    ]
    for number, (here, there) in enumerate(pairwise(route), 1):
        quadrant = min(here.turn, there.turn) // 1
        if max(here.turn, there.turn) > quadrant + 1:
            yield f"leg {number} is not in one quadrant"
        elif there.about and here.turn == there.turn:
            yield f"leg {number} is an arc, but turns nothing"
        elif any(_hits_on_leg(a, b, here, there) for a, b in pairs):
            yield f"leg {number} hits a piece"


def _middle(stands: Sequence[Stand], axis: int, whole: int) -> Fraction:
    """Of the box around pieces, in cells."""
    lows = [whole * cell[axis] + stand.shift[axis] for stand in stands for cell in stand.cells]
    return Fraction(min(lows) + max(lows) + whole, 2 * whole)


def _hits_on_leg(moving: Oblong, still: Oblong, here: Pose, there: Pose) -> bool:
    """Whether a rectangle, seen from the centre of the pieces, hits another on a leg."""
    quadrant = min(here.turn, there.turn) // 1
    for _ in range(quadrant % 4):
        moving = Oblong(moving.layer, -moving.y, moving.x, moving.high, moving.wide)
    here, there = (pose._replace(turn=pose.turn - quadrant) for pose in (here, there))

    def seen(oblong: Oblong, x: Fraction, y: Fraction) -> Oblong:
        return oblong._replace(x=oblong.x - x, y=oblong.y - y)

    if there.about:
        return hits_on_arc(moving, still, here, there)
    cos, sin = here.direction
    if here.turn == there.turn:
        values = [
            [a * cos + b * sin + c for a, b, c in conditions(moving, seen(still, pose.x, pose.y))]
            for pose in (here, there)
        ]
        since, until = Fraction(0), Fraction(1)  # where all conditions hold, as parts of the leg
        for first, last in zip(*values, strict=True):
            if first <= 0 and last <= 0:
                return False
            if first <= 0:
                since = max(since, first / (first - last))
            elif last <= 0:
                until = min(until, first / (first - last))
        return since < until
    # The pivot p stays where it is: p = there + R (p - here), R being the turn between the two.
    late_cos, late_sin = there.direction
    c, s = late_cos * cos + late_sin * sin, late_sin * cos - late_cos * sin
    x, y = there.x - (c * here.x - s * here.y), there.y - (s * here.x + c * here.y)
    # (1 - R) p = (x, y), and the inverse of 1 - R is (1 + s / (1 - c) i) / 2, as a complex number.
    slope = s / (1 - c)
    pivot = (x - slope * y) / 2, (y + slope * x) / 2
    dx, dy = here.x - pivot[0], here.y - pivot[1]
    # Where the rectangle would be seen from the pivot before any turn.
    before = seen(moving, -(cos * dx + sin * dy), -(cos * dy - sin * dx))
    early, late = sorted((here.turn, there.turn))
    return hits_between(before, seen(still, *pivot), early, late)
