"""Routes: how pieces move together in the plane across an axis if they may tilt, slide and turn.

A pose says where the centre of the moving pieces is, the centre of the box around them, and how far
they have turned. From each pose of a route to the next leads a leg: a translation if both have the
same angle, else the rotation about the one pivot that takes the first pose to the second, or an
arc. All numbers are rational, so a route can be checked exactly.

On an arc the centre follows an ellipse: at an angle a it is at M + B cos a + C sin a, where M is
given and B and C let the arc begin and end at the two poses. So pieces can turn while a corner of
theirs keeps to a wall, or two corners to two walls; a rotation cannot do that.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction  # which commands without turns do without


class Pose(NamedTuple):
    """Where pieces are: their centre, in cells, and how far they have turned.

    A turn of q + t means q quarter turns counter-clockwise, and then by the angle whose half has
    the tangent t, which is at least 0 and less than 1. If the leg that leads here is an arc,
    `about` is the middle of its ellipse.

    >>> from fractions import Fraction
    >>> pose = Pose(Fraction(1, 2), Fraction(1, 2), Fraction(3, 2))
    >>> pose.direction  # of what pointed to the right: its cosine and sine
    (Fraction(-4, 5), Fraction(3, 5))
    """

    x: "Fraction"
    y: "Fraction"
    turn: "Fraction"
    about: "tuple[Fraction, Fraction] | None" = None

    @property
    def direction(self) -> "tuple[Fraction, Fraction]":
        """Cosine and sine of the angle by which pieces are turned."""
        from fractions import Fraction

        quarters = self.turn // 1
        t = Fraction(self.turn) - quarters
        cos, sin = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        for _ in range(quarters % 4):
            cos, sin = -sin, cos
        return cos, sin


Route = Sequence[Pose]
