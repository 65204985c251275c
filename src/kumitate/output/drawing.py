"""Flat drawings: what a scene looks like from one side, as marks to be put on paper in order.

Nothing here knows SVG: another writer can render the same marks. Lengths are lattice units, x to
the right and y down; marks come farthest first, so each may hide what was drawn before;
paint_order.py finds that order. Balls need no such care: of two that do not overlap the one with
the nearer centre is in front, whatever their sizes, and necks between them lie in small balls of
their own.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING, NamedTuple

from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.shape import Shape
from kumitate.output.scene import (
    Body,
    Point,
    Pose,
    Scene,
    corners_of,
    plus,
    radius_of,
    require_near,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kumitate.output.paint_order import Floats, Fragment, Integers
    from kumitate.output.visible_faces import Facing

Spot = tuple[float, float]

OPTIONAL_OPACITY = 0.42
FAINT = (0.5, 0.36)  # width and opacity of the lines between cells
SEAM = 1.6  # width
NECK = 0.45  # of a ball's radius
_LIGHT = (-0.45, 0.78, 0.43)  # from the upper left, over the viewer's shoulder


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


def draw(scene: Scene, pose: int | Pose = 0, colours: Sequence[str] = ()) -> Drawing:
    """A moment of a scene; `colours` are those of cells of colour 1, 2, ... (else the body's).

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.output.scene import scene_of
    >>> drawing = draw(scene_of(Shape.from_text(CUBES, "##")))
    >>> [type(mark).__name__ for mark in drawing.marks].count("Polygon")
    3
    """
    moment = pose if isinstance(pose, Pose) else scene.poses[pose]
    sheets = [0 if shown else -1 for shown in moment.shown]
    return _drawn(scene.grid, scene.bodies, moment.shifts, sheets, colours)[0]


def draw_each(grid: Grid, bodies: Sequence[Body], colours: Sequence[str] = ()) -> list[Drawing]:
    """A drawing of each body alone; all at once is much quicker than one by one."""
    require_near(body.shape for body in bodies)
    here = [(0.0, 0.0, 0.0)] * len(bodies)
    return _drawn(grid, bodies, here, range(len(bodies)), colours)[: len(bodies)]


def without_faint_lines(drawing: Drawing) -> Drawing:
    """The same without the lines between cells."""
    marks = [mark for mark in drawing.marks if not (isinstance(mark, Line) and mark[2:] == FAINT)]
    return replace(drawing, marks=marks)


def _drawn(
    grid: Grid,
    bodies: Sequence[Body],
    shifts: Sequence[Point],
    sheets: Sequence[int],
    colours: Sequence[str],
) -> list[Drawing]:
    """One drawing for each sheet; what is on sheet -1 is not drawn.

    Lines between cells help to count cubes; between smaller cells of many kinds they only distract.
    """
    paint = _draw_balls if grid.balls else _draw_tiles
    drawings = paint(grid, bodies, shifts, sheets, colours)
    return drawings if len(grid.tiles) == 1 else list(map(without_faint_lines, drawings))


# ---- colours ----


def mixed(colour: str, other: str, part: float) -> str:
    """A colour with some part of another in it.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in pairs)


def shaded(colour: str, normal: Point) -> str:
    """What light makes of a colour on a face with this normal, in the viewer's coordinates."""
    light = sum(a * b for a, b in zip(normal, _LIGHT, strict=True))
    if light > 0.45:
        return mixed(colour, "#ffffff", min(0.42, 0.85 * (light - 0.45)))
    return mixed(colour, "#000000", min(0.42, 0.5 * (0.45 - light)))


def dark(colour: str) -> str:
    """The colour of lines on a body of some colour."""
    return mixed(colour, "#101018", 0.72)


def paled(scene: Scene, vivid: Set[int]) -> Scene:
    """All bodies pale but some; if that is none, all as they are."""
    if not vivid:
        return scene
    return replace(
        scene,
        bodies=[
            body if n in vivid else replace(body, colour=mixed(body.colour, "#f4f4f0", 0.66))
            for n, body in enumerate(scene.bodies)
        ],
    )


# ---- tiles ----


@lru_cache(maxsize=64)
def _parts(shapes: tuple[Shape, ...]) -> tuple[tuple[Shape, ...], tuple[int, ...]]:
    """The shapes, optional cells apart from the others, and whose each part is."""
    found = [
        (part, number)
        for number, shape in enumerate(shapes)
        for part in (
            (shape.restricted(shape.fixed), shape.restricted(shape.optional))
            if shape.optional
            else (shape,)
        )
    ]
    return tuple(part for part, _ in found), tuple(number for _, number in found)


def _draw_tiles(
    grid: Grid,
    bodies: Sequence[Body],
    shifts: Sequence[Point],
    sheets: Sequence[int],
    colours: Sequence[str],
) -> list[Drawing]:
    import numpy as np

    from kumitate.output.paint_order import Faces, back_to_front
    from kumitate.output.visible_faces import facing, view_of

    parts, owners = _parts(tuple(body.shape for body in bodies))
    surface = facing(grid, parts)
    owner = np.array(owners, np.int64)
    offset = np.array(shifts).reshape(-1, 3)[owner] @ view_of(grid) + surface.origins
    sheet = np.array(sheets, np.int64)[owner]
    clear = np.array([bool(part.optional) for part in parts], bool)
    kept = np.nonzero((sheet[surface.parts] >= 0) & ~_covered(surface, offset, sheet, clear))[0]
    corners = surface.corners[kept] + offset[surface.parts[kept], None]
    blocks = np.unique(surface.blocks[kept], return_inverse=True)[1]
    on = sheet[surface.parts[kept]]
    runs = back_to_front(Faces(corners, surface.normals[kept], blocks, on, surface.across))
    styles = _styles(surface, kept, [bodies[n] for n in owners], clear, colours)
    marks: list[list[Mark]] = [[] for _ in range(1 + max([0, *sheets]))]
    for face, made in _marks(surface, kept, corners, runs, styles):
        marks[on[face]] += made
    return [_bounded(found, corners[on == n, :, :2]) for n, found in enumerate(marks)]


def _bounded(marks: list[Mark], points: "Floats") -> Drawing:
    flat = points.reshape(-1, 2)
    if not len(flat):
        return Drawing(tuple(marks), (0.0, 0.0), (0.0, 0.0))
    (left, bottom), (right, top) = flat.min(axis=0).tolist(), flat.max(axis=0).tolist()
    return Drawing(tuple(marks), (left, -top), (right, -bottom))


def _covered(
    surface: "Facing", offset: "Floats", sheet: "Integers", clear: "NDArray[np.bool_]"
) -> "NDArray[np.bool_]":
    """Which faces lie against the very same face of an opaque shape on the same sheet."""
    import numpy as np

    def keys(centres: "Floats", parts: "Integers", looks: "Integers") -> "Integers":
        x, y, z = np.round((centres + offset[parts]) * 1e5).astype(np.int64).T
        mixer = (2**32 + 15, 2**40 + 27, 2**52 + 21, 2**22 + 15)  # may wrap around
        made: Integers = x * mixer[0] + y * mixer[1] + z * mixer[2] + looks * mixer[3]
        return made + sheet[parts]

    away = keys(surface.away_centres, surface.away_parts, surface.away_looks)
    away = away[(sheet[surface.away_parts] >= 0) & ~clear[surface.away_parts]]
    return np.isin(keys(surface.centres, surface.parts, surface.looks), away)


class _Style(NamedTuple):
    """How a face looks."""

    fill: str
    line: str
    opacity: float


def _styles(
    surface: "Facing",
    kept: "Integers",
    bodies: Sequence[Body],
    clear: "NDArray[np.bool_]",
    colours: Sequence[str],
) -> list[_Style]:
    """The style of each face that is kept."""
    known: dict[tuple[int, int, int], _Style] = {}
    rows = zip(
        surface.parts[kept].tolist(),
        surface.colours[kept].tolist(),
        surface.kinds[kept].tolist(),
        kept.tolist(),
        strict=True,
    )
    styles = []
    for part, number, kind, face in rows:
        style = known.get((part, number, kind))
        if style is None:
            plain = bodies[part].colour
            colour = colours[number - 1] if 0 < number <= len(colours) else plain
            x, y, z = surface.normals[face].tolist()
            fill = shaded(colour, (x, y, z))
            opacity = OPTIONAL_OPACITY if clear[part] else 1.0
            style = _Style(fill, dark(plain), opacity)
            known[part, number, kind] = style
        styles.append(style)
    return styles


class _Sides(NamedTuple):
    """All sides of all faces in a row, `width` for each face."""

    width: int
    states: list[int]
    nexts: list[int]  # the side of the same face that begins where this one ends
    begins: list[int]  # corner ids
    headings: list[int]
    spots: list[Spot]  # where each begins


_ABSENT, _INNER, _SEAM, _LINED = range(4)  # states of a side; of two inner ones, one is absent


def _marks(
    surface: "Facing",
    kept: "Integers",
    corners: "Floats",
    runs: "Sequence[list[int] | Fragment]",
    styles: Sequence[_Style],
) -> Iterator[tuple[int, list[Mark]]]:
    """The marks of each run, with one of its faces."""
    sides = _sides(surface, kept, corners, runs)
    for run in runs:
        if isinstance(run, list):
            yield run[0], _marks_of_run(sides, run, styles[run[0]])
        else:
            yield run.face, _marks_of_fragment(sides, run, styles[run.face])


def _sides(
    surface: "Facing", kept: "Integers", corners: "Floats", runs: "Sequence[list[int] | Fragment]"
) -> _Sides:
    import numpy as np

    from kumitate.output.visible_faces import FOLD, NO_SIDE

    count, width = corners.shape[:2]
    beyond = surface.beyond[kept]
    number = np.full(len(surface.beyond), FOLD)
    number[kept] = np.arange(count)
    mate = np.where(beyond >= 0, number[beyond], beyond)
    blocks = surface.blocks[kept]
    mate[(mate >= 0) & (blocks[mate] != blocks[:, None])] = FOLD
    run_of = -np.arange(1, count + 1)
    for n, run in enumerate(runs):
        if isinstance(run, list):
            run_of[run] = n
    inner = (mate >= 0) & (run_of[mate] == run_of[:, None])
    absent = beyond == NO_SIDE
    absent |= inner & (mate < np.arange(count)[:, None])
    states = np.select([absent, mate == FOLD, inner], [_ABSENT, _LINED, _INNER], _SEAM)
    sizes = (beyond != NO_SIDE).sum(axis=1)
    row, side = np.arange(count)[:, None] * width, np.arange(width)
    x, y = (corners[:, :, :2] * (1.0, -1.0)).reshape(-1, 2).T.tolist() or ([], [])
    return _Sides(
        width,
        states.ravel().tolist(),
        np.where(side + 1 == sizes[:, None], row, row + side + 1).ravel().tolist(),
        surface.corner_ids[kept].ravel().tolist(),
        surface.headings[kept].ravel().tolist(),
        list(zip(x, y, strict=True)),
    )


def _marks_of_run(sides: _Sides, run: list[int], style: _Style) -> list[Mark]:
    """A flat area in one piece, the lines between its cells, and its outline.

    A side where another run goes on is first drawn over in the area's colour: else what lies
    behind would shine through the seam.
    """
    width, states = sides.width, sides.states
    of_run = [side for face in run for side in range(face * width, face * width + width)]
    outline = [side for side in of_run if states[side] >= _SEAM]
    lined = [side for side in outline if states[side] == _LINED]
    whole = len(lined) == len(outline)
    line = style.line if whole else ""
    marks: list[Mark] = [Polygon(_outline(sides, outline), style.fill, line, style.opacity)]
    if not whole and style.opacity == 1:
        seams = [side for side in outline if states[side] == _SEAM]
        marks.append(Line(_strokes(sides, seams), style.fill, SEAM))
    faint = [side for side in of_run if _INNER <= states[side] <= _SEAM]
    if faint:
        marks.append(Line(_strokes(sides, faint), style.line, *FAINT))
    if not whole and lined:
        marks.append(Line(_strokes(sides, lined), style.line))
    return marks


def _strokes(sides: _Sides, some: list[int]) -> tuple[tuple[Spot, Spot], ...]:
    spots, nexts = sides.spots, sides.nexts
    return tuple([(spots[side], spots[nexts[side]]) for side in some])


def _outline(sides: _Sides, some: list[int]) -> tuple[tuple[Spot, ...], ...]:
    """The closed rings that some sides make, without corners on straight lines."""
    nexts, begins, headings, spots = sides.nexts, sides.begins, sides.headings, sides.spots
    leaving: dict[int, list[int]] = {}
    for side in some:
        leaving.setdefault(begins[side], []).append(side)
    rings = []
    for begin, waiting in leaving.items():
        while waiting:
            side = waiting.pop()
            ring = [side]
            while (end := begins[nexts[side]]) != begin:
                side = leaving[end].pop()
                ring.append(side)
            last = [ring[-1], *ring]
            turns = zip(ring, last, strict=False)
            rings.append(tuple([spots[s] for s, t in turns if headings[s] != headings[t]]))
    return tuple(rings)


def _marks_of_fragment(sides: _Sides, part: "Fragment", style: _Style) -> list[Mark]:
    ring = tuple((x, -y) for x, y, _ in part.corners)
    strokes: dict[int, list[tuple[Spot, Spot]]] = {_ABSENT: [], _SEAM: [], _LINED: []}
    for n, side in enumerate(part.sides):  # one along a cut is of no state of its own
        state = sides.states[part.face * sides.width + side] if side >= 0 else _ABSENT
        strokes[state].append((ring[n], ring[n + 1 - len(ring)]))
    seams = strokes[_ABSENT] + strokes[_SEAM] if style.opacity == 1 else []
    lines = (
        Line(tuple(seams), style.fill, SEAM),
        Line(tuple(strokes[_SEAM]), style.line, *FAINT),
        Line(tuple(strokes[_LINED]), style.line),
    )
    area = Polygon((ring,), style.fill, "", style.opacity)
    return [area, *(line for line in lines if line.strokes)]


# ---- balls ----


def _draw_balls(
    grid: Grid,
    bodies: Sequence[Body],
    shifts: Sequence[Point],
    sheets: Sequence[int],
    colours: Sequence[str],
) -> list[Drawing]:
    """Balls and the necks between those of a body that touch, by the depth of their centres."""
    radius = radius_of(grid)
    found: list[list[tuple[float, int, Mark]]] = [[] for _ in range(1 + max([0, *sheets]))]
    for body, shift, sheet in zip(bodies, shifts, sheets, strict=True):
        if sheet >= 0:
            centres = {cell: _seen(grid, cell, shift) for cell in sorted(body.shape.cells)}
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


def _seen(grid: Grid, cell: Cell, shift: Point) -> Point:
    """The centre of a ball: right, down and towards the eye."""
    from kumitate.output.visible_faces import view_of

    place = plus(corners_of(grid, cell)[0], shift)
    x, y, z = (
        sum(a * b for a, b in zip(place, column, strict=True))
        for column in view_of(grid).T.tolist()
    )
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
