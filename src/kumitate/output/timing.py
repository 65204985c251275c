"""How long motions take: one table for films, glTF, the exported page and the studio.

`web/src/scene/timing.ts` is written from it (`make messages`), and a test compares the two.
"""

from math import asin, dist, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kumitate.output.scene import Pose

CUT = 1.2  # seconds in which bodies come or go, and those that stay find their places
STILL = 0.35  # seconds from a pose to another in which everything is where it was
LEAST = 0.6  # seconds of a move, and
PER_UNIT = 0.15  # seconds more for each unit of its way, but
MOST = 1.6  # at most so many seconds
ARM = 1.5  # units: a turn is as long as the way of a point so far from its axis
MOTION = 0.85  # the part of that time in which something moves; in the remainder all rest


def seconds_between(before: "Pose", after: "Pose") -> float:
    """Seconds from a pose to the next: a longer way takes longer, within reason.

    >>> from kumitate.output.scene import Pose
    >>> here = Pose([(0, 0, 0)], [True])
    >>> [seconds_between(here, Pose([(x, 0, 0)], [True])) for x in (0, 1, 100)]
    [0.35, 0.75, 1.6]
    >>> seconds_between(here, Pose([(0, 0, 0)], [False]))
    1.2
    """
    if list(before.shown) != list(after.shown):
        return CUT
    far = after.turning.length if after.turning else _longest(before, after)
    return STILL if far < 1e-9 else min(LEAST + PER_UNIT * far, MOST)


def _longest(before: "Pose", after: "Pose") -> float:
    """The longest way that a body which is there goes from one pose to the next."""
    ways = zip(before.shifts, after.shifts, after.shown, strict=True)
    return max((dist(a, b) for a, b, seen in ways if seen), default=0.0)


def smooth(part: float) -> float:
    """How far a motion is when this part of its time has passed: it is slow at both ends.

    This is the cubic curve that is flat at both ends, so a cubic spline of glTF that is flat at two
    keys is this curve between them. `smooth` in web/src/scene/motion.ts is the same.

    >>> [smooth(part) for part in (0, 0.25, 0.5, 1)]
    [0, 0.15625, 0.5, 1]
    """
    return part * part * (3 - 2 * part)


def when(far: float) -> float:
    """Which part of its time has passed when a motion is so far: the inverse of `smooth`.

    >>> [round(when(far), 6) for far in (0, 0.15625, 0.5, 1)]
    [0.0, 0.25, 0.5, 1.0]
    """
    return 0.5 - sin(asin(1 - 2 * far) / 3)
