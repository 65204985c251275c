"""Marks on paper: what a drawing is made of, and the colours of its light and shade.

Nothing here knows SVG or PDF: each writer renders the same marks. Lengths are lattice units, x to
the right and y down. Marks come farthest first, so each may hide what was drawn before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kumitate.model.grid import Grid
from kumitate.output.scene import Body, Place

Spot = tuple[float, float]

OPTIONAL_OPACITY = 0.42  # of cells that may stay empty
FAINT = (0.5, 0.36)  # width and opacity of the lines between cells
_LIGHT = (-0.45, 0.78, 0.43)  # from the upper left, over the viewer's shoulder


class Arrangement(NamedTuple):
    """Bodies to be drawn: each on a sheet, -1 for none, at its place; colours of cells 1, 2, ..."""

    grid: Grid
    bodies: Sequence[Body]
    places: Sequence[Place]
    sheets: Sequence[int]
    colours: Sequence[str]


class Polygon(NamedTuple):
    """A filled area; rings may be holes in others. It has an outline if `line` is a colour."""

    rings: tuple[tuple[Spot, ...], ...]
    fill: str
    line: str = ""
    opacity: float = 1.0


class Line(NamedTuple):
    """Straight strokes of a pen, from spot to spot; 1 is the width of an outline."""

    strokes: tuple[tuple[Spot, Spot], ...]
    colour: str
    width: float = 1.0
    opacity: float = 1.0


class Ball(NamedTuple):
    """A shaded disc."""

    centre: Spot
    radius: float
    colour: str
    opacity: float = 1.0


class Text(NamedTuple):
    """Words centred on a spot; the size is that of the letters."""

    centre: Spot
    words: str
    size: float
    colour: str


Mark = Polygon | Line | Ball | Text


@dataclass(frozen=True)
class Drawing:
    """Marks, farthest first, and the corners of the box around them."""

    marks: Sequence[Mark]
    low: Spot
    high: Spot

    @property
    def size(self) -> Spot:
        return (self.high[0] - self.low[0], self.high[1] - self.low[1])


@dataclass(frozen=True)
class Placed:
    """A drawing on paper: how long a unit is there, and where its origin lies."""

    drawing: Drawing
    scale: float
    origin: Spot

    def spot(self, spot: Spot) -> Spot:
        """Where a spot of the drawing lies on the paper."""
        return (self.origin[0] + self.scale * spot[0], self.origin[1] + self.scale * spot[1])


def standing(drawing: Drawing, scale: float, x: float, y: float) -> Placed:
    """A drawing with the middle of its lower edge at a point of the paper."""
    (left, _), (right, bottom) = drawing.low, drawing.high
    return Placed(drawing, scale, (x - scale * (left + right) / 2, y - scale * bottom))


# ---- colours ----


def mixed(colour: str, other: str, part: float) -> str:
    """A colour with some part of another in it.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in pairs)


def shaded(colour: str, normal: Sequence[float]) -> str:
    """What light makes of a colour on a face with this normal, in the viewer's coordinates."""
    light = sum(a * b for a, b in zip(normal, _LIGHT, strict=True))
    if light > 0.45:
        return mixed(colour, "#ffffff", min(0.42, 0.85 * (light - 0.45)))
    return mixed(colour, "#000000", min(0.42, 0.5 * (0.45 - light)))


def dark(colour: str) -> str:
    """The colour of lines on a body of some colour."""
    return mixed(colour, "#101018", 0.72)
