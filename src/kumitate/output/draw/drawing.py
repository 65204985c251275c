"""What a scene looks like from one side, as marks to be put on paper in order."""

from collections.abc import Sequence, Set
from dataclasses import replace
from importlib.util import find_spec
from itertools import starmap

from kumitate.model.grid import Grid
from kumitate.output.draw.marks import FAINT, Arrangement, Drawing, Line, mixed
from kumitate.output.scene import UPRIGHT, Body, Place, Pose, Scene, require_near


def draw(scene: Scene, pose: int | Pose = 0, colours: Sequence[str] = ()) -> Drawing:
    """A moment of a scene; `colours` are those of cells of colour 1, 2, ... (else the body's).

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.shape import Shape
    >>> from kumitate.output.scene import scene_of
    >>> drawing = draw(scene_of(Shape.from_text(CUBES, "##")))
    >>> [type(mark).__name__ for mark in drawing.marks].count("Polygon")
    3
    """
    moment = pose if isinstance(pose, Pose) else scene.poses[pose]
    sheets = [0 if shown else -1 for shown in moment.shown]
    pairs = zip(scene.bodies, moment.places, strict=True)
    bodies, places = zip(*starmap(_upright, pairs), strict=True) if scene.bodies else ((), ())
    return _drawn(Arrangement(scene.grid, bodies, places, sheets, colours))[0]


def draw_each(grid: Grid, bodies: Sequence[Body], colours: Sequence[str] = ()) -> list[Drawing]:
    """A drawing of each body alone; drawing all at once is much faster than one by one."""
    require_near(body.shape for body in bodies)
    here = [Place(UPRIGHT, (0.0, 0.0, 0.0))] * len(bodies)
    arranged = Arrangement(grid, bodies, here, range(len(bodies)), colours)
    return _drawn(arranged)[: len(bodies)]


def _upright(body: Body, place: Place) -> tuple[Body, Place]:
    """A body that was turned onto cells again, as the shape that covers them; others as they are.

    So pieces are drawn in the same way whether they were turned or made like this.
    """
    for turn in body.shape.grid.turns if place.turn != UPRIGHT else ():
        if turn.matrix == place.turn and (shape := body.shape.turned(turn)):
            return replace(body, shape=shape), Place(UPRIGHT, place.shift)
    return body, place


def without_faint_lines(drawing: Drawing) -> Drawing:
    """The drawing without the lines between cells."""
    marks = [mark for mark in drawing.marks if not (isinstance(mark, Line) and mark[2:] == FAINT)]
    return replace(drawing, marks=marks)


def _drawn(arranged: Arrangement) -> list[Drawing]:
    """One drawing for each sheet; bodies on sheet -1 are not drawn.

    Lines between cells help to count cubes; between smaller cells of many kinds they only distract.
    """
    grid = arranged.grid
    if grid.balls:
        from kumitate.output.draw.balls import draw_balls as drawn
    elif find_spec("numpy"):
        from kumitate.output.draw.tiles import draw_tiles as drawn
    else:  # in the browser
        from kumitate.output.draw.plain_tiles import draw_plainly as drawn
    drawings = drawn(arranged)
    return drawings if len(grid.tiles) == 1 else list(map(without_faint_lines, drawings))


def paled(scene: Scene, vivid: Set[int]) -> Scene:
    """The scene with all bodies but these paled; unchanged if these are none."""
    if not vivid:
        return scene
    return replace(
        scene,
        bodies=[
            body if n in vivid else replace(body, colour=mixed(body.colour, "#f4f4f0", 0.66))
            for n, body in enumerate(scene.bodies)
        ],
    )
