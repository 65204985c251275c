"""An arrow along the way of bodies that turn, for pictures that show them where they arrive."""

from collections.abc import Sequence
from itertools import pairwise
from math import dist

from kumitate.output.draw.marks import Drawing, Polygon, Spot
from kumitate.output.draw.view import view_of
from kumitate.output.scene import Point, Pose, Scene, corners_of, transposed, turned

POINTS = 24  # along the arrow
WIDTH = 0.13  # units
HEAD = 0.42  # units: how wide and how long its head is
INK, RIM = "#202028", "#ffffff"


def with_arrow(drawing: Drawing, scene: Scene, before: Pose, after: Pose, back: bool) -> Drawing:
    """A drawing, and if bodies turn from one pose to the next, an arrow over it along their way.

    It is the way of their corner that goes farthest; with `back`, that of the move undone.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.shape import Shape
    >>> from kumitate.output.draw.drawing import draw
    >>> from kumitate.output.scene import Stop, Turning, pose_of, scene_of
    >>> scene = scene_of(Shape.from_text(CUBES, "##"))
    >>> [here] = scene.poses
    >>> quarter = Turning([0], (0, 0, 1), [Stop((0, 0, 0), 0), Stop((0, 0, 0), 1.57)])
    >>> there = pose_of([quarter.along(1)], [True], turning=quarter)
    >>> with_arrow(draw(scene, there), scene, here, there, back=False).marks[-1].fill == INK
    True
    """
    if after.turning is None:
        return drawing
    corners = [
        before.places[body](corner)
        for body in after.turning.bodies
        for cell in scene.bodies[body].shape
        for corner in corners_of(scene.grid, cell)
    ]
    places = [after.turning.along(n / POINTS) for n in range(POINTS + 1)]
    to_eye = transposed(view_of(scene.grid))
    ways = [[place(corner) for place in places] for corner in corners]
    # Of several corners that go as far, the one nearest to the eye.
    best = max(ways, key=lambda way: (round(_length(way), 6), turned(to_eye, way[-1])[2]))
    way = [(x, -y) for x, y, _ in (turned(to_eye, point) for point in best)]
    ring = _arrow(way[::-1] if back else way)
    xs, ys = zip(*ring, drawing.low, drawing.high, strict=True)
    return Drawing(
        (*drawing.marks, Polygon((ring,), INK, RIM)), (min(xs), min(ys)), (max(xs), max(ys))
    )


def _length(way: Sequence[Point]) -> float:
    return sum(dist(a, b) for a, b in pairwise(way))


def _arrow(way: Sequence[Spot]) -> tuple[Spot, ...]:
    """The outline of an arrow along a way."""
    tip = way[-1]
    shaft = [spot for spot in way if dist(spot, tip) > HEAD] or [way[0]]
    neck = shaft[-1]

    def beside(spot: Spot, onto: Spot, far: float) -> Spot:
        x, y = onto[0] - spot[0], onto[1] - spot[1]
        length = dist(spot, onto) or 1.0
        return (spot[0] - far * y / length, spot[1] + far * x / length)

    pairs = list(zip(shaft, [*shaft[1:], tip], strict=True))
    left = [beside(spot, onto, WIDTH / 2) for spot, onto in pairs]
    right = [beside(spot, onto, -WIDTH / 2) for spot, onto in pairs]
    wings = (beside(neck, tip, HEAD / 2), beside(neck, tip, -HEAD / 2))
    return (*left, wings[0], tip, wings[1], *reversed(right))
