"""Balls as marks, with the necks between those that touch.

Of two balls that do not overlap the one with the nearer centre is in front, whatever their sizes,
and necks between them lie in small balls of their own: sorting by depth is enough.
"""

from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin

from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.output.draw.marks import (
    OPTIONAL_OPACITY,
    Arrangement,
    Ball,
    Drawing,
    Mark,
    Polygon,
    Spot,
    mixed,
)
from kumitate.output.draw.view import view_of
from kumitate.output.scene import Body, Place, Point, corners_of, radius_of, transposed, turned

NECK = 0.45  # of a ball's radius


def draw_balls(arranged: Arrangement) -> list[Drawing]:
    """Balls and the necks between those of a body that touch, by the depth of their centres."""
    grid, bodies, places, sheets, colours = arranged
    radius = radius_of(grid)
    found: list[list[tuple[float, int, Mark]]] = [[] for _ in range(1 + max([0, *sheets]))]
    for body, place, sheet in zip(bodies, places, sheets, strict=True):
        if sheet >= 0:
            centres = {cell: _seen(grid, cell, place) for cell in sorted(body.shape.cells)}
            found[sheet] += _balls(body, centres, radius, colours)
            found[sheet] += _necks(body, centres, radius)
    drawings = []
    for marks in found:
        ordered = [mark for *_, mark in sorted(marks, key=lambda mark: mark[:2])]
        spots = [mark.centre for mark in ordered if isinstance(mark, Ball)] or [(radius, radius)]
        xs, ys = zip(*spots, strict=True)
        low, high = (min(xs) - radius, min(ys) - radius), (max(xs) + radius, max(ys) + radius)
        drawings.append(Drawing(tuple(ordered), low, high))
    return drawings


def _seen(grid: Grid, cell: Cell, place: Place) -> Point:
    """The centre of a ball: right, down and towards the eye."""
    centre = place(corners_of(grid, cell)[0])
    x, y, z = turned(transposed(view_of(grid)), centre)
    return (x, -y, z)


def _balls(
    body: Body, centres: dict[Cell, Point], radius: float, colours: Sequence[str]
) -> Iterator[tuple[float, int, Mark]]:
    for cell, (x, y, z) in centres.items():
        number = body.shape.colours.get(cell, 0)
        colour = colours[number - 1] if 0 < number <= len(colours) else body.colour
        opacity = OPTIONAL_OPACITY if cell in body.shape.optional else 1.0
        yield round(z, 6), 0, Ball((x, y), radius, colour, opacity)


def _necks(
    body: Body, centres: dict[Cell, Point], radius: float
) -> Iterator[tuple[float, int, Mark]]:
    """Short rods between balls that touch; a rod as deep as its balls is drawn after them."""
    fixed = body.shape.fixed
    fill = mixed(body.colour, "#000000", 0.3)
    for cell, (x, y, z) in centres.items():
        for other in body.shape.neighbours(cell):
            if cell < other and cell in fixed and other in fixed:
                x2, y2, z2 = centres[other]
                middle = ((x + x2) / 2, (y + y2) / 2)
                axis = ((x2 - x) / 2 / radius, (y2 - y) / 2 / radius, (z2 - z) / 2 / radius)
                ring = _rod(middle, axis, NECK * radius, radius * (1 - (1 - NECK**2) ** 0.5))
                yield round((z + z2) / 2, 6), 1, Polygon((ring,), fill)


def _rod(middle: Spot, axis: Point, thick: float, half: float) -> tuple[Spot, ...]:
    """The outline of a rod: half of the ellipse that ends it on either side."""
    x, y, z = axis
    flat = hypot(x, y)
    ux, uy = (x / flat, y / flat) if flat > 1e-9 else (1.0, 0.0)
    ring = []
    for end, first in ((1, -6), (-1, 6)):
        for turn in ((first + n) * pi / 12 for n in range(13)):
            forth, side = end * half * flat + thick * abs(z) * cos(turn), thick * sin(turn)
            ring.append((middle[0] + forth * ux - side * uy, middle[1] + forth * uy + side * ux))
    return tuple(ring)
