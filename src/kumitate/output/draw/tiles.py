"""Cells with faces as marks: flat areas of one colour, the lines between cells, outlines.

visible_faces.py finds the faces and paint_order.py the order in which they hide each other; a run
of faces that nothing parts becomes one area.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kumitate.model.shape import Shape
from kumitate.output.draw.marks import (
    FAINT,
    OPTIONAL_OPACITY,
    Arrangement,
    Drawing,
    Line,
    Mark,
    Polygon,
    Spot,
    dark,
    shaded,
)
from kumitate.output.draw.paint_order import Faces, Floats, Fragment, Integers, back_to_front
from kumitate.output.draw.visible_faces import FOLD, NO_SIDE, Facing, facing, view_array
from kumitate.output.scene import UPRIGHT, Body

SEAM = 1.6  # width


@lru_cache(maxsize=64)
def _parts(shapes: tuple[Shape, ...]) -> tuple[tuple[Shape, ...], tuple[int, ...]]:
    """The shapes, split into fixed and optional cells, and the shape each part belongs to."""
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


def draw_tiles(arranged: Arrangement) -> list[Drawing]:
    """The visible faces, painted from the back to the front."""
    grid, bodies, places, sheets, colours = arranged
    parts, owners = _parts(tuple(body.shape for body in bodies))
    turns = tuple(places[n].turn for n in owners)
    surface = facing(grid, parts, () if set(turns) <= {UPRIGHT} else turns)
    owner = np.array(owners, np.int64)
    shifts = np.array([place.shift for place in places]).reshape(-1, 3)
    offset = shifts[owner] @ view_array(grid) + surface.origins
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


def _bounded(marks: list[Mark], points: Floats) -> Drawing:
    flat = points.reshape(-1, 2)
    if not len(flat):
        return Drawing(tuple(marks), (0.0, 0.0), (0.0, 0.0))
    (left, bottom), (right, top) = flat.min(axis=0).tolist(), flat.max(axis=0).tolist()
    return Drawing(tuple(marks), (left, -top), (right, -bottom))


def _covered(
    surface: Facing, offset: Floats, sheet: Integers, clear: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which faces lie against the very same face of an opaque shape on the same sheet."""

    def keys(centres: Floats, parts: Integers, looks: Integers) -> Integers:
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
    surface: Facing,
    kept: Integers,
    bodies: Sequence[Body],
    clear: NDArray[np.bool_],
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
    surface: Facing,
    kept: Integers,
    corners: Floats,
    runs: Sequence[list[int] | Fragment],
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
    surface: Facing, kept: Integers, corners: Floats, runs: Sequence[list[int] | Fragment]
) -> _Sides:

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


def _marks_of_fragment(sides: _Sides, part: Fragment, style: _Style) -> list[Mark]:
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
