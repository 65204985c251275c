"""Sheets for a laser cutter: every piece as an outline, layer by layer, and a tray to hold them.

A piece is laid as flat as it can lie. One layer is one part; a piece of several layers is cut in
as many parts, to be glued, of material just as thick as a cell is high. A line is cut in the
middle of the beam, so outlines are drawn half a kerf outside of what is to be left; and pieces
are made smaller by the inset all around, so that they go into the tray, which is not.

The lines to cut are red and those to engrave blue, as laser cutters are commonly set up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, hypot
from xml.sax.saxutils import escape

from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.output.formats.dxf import Polyline, dxf
from kumitate.output.make.outline import (
    Loop,
    Spot,
    cut_in_layers,
    half_width,
    middle,
    middles,
    outline,
    require_layers,
    shrunk,
)
from kumitate.output.make.rectangles import pack
from kumitate.output.make.strokes import HEIGHT, Stroke, strokes_of, width_of
from kumitate.workshop import pieces_to_make

UNIT, INSET, SIZE = 15.0, 0.1, (300.0, 200.0)  # millimetres
CUT, ENGRAVE = "#ff0000", "#0000ff"
_LETTERS = 0.32  # how high they are, in cells
_EPSILON = 1e-6
_FINE = 1000  # parts of a millimetre


@dataclass(frozen=True)
class Part:
    """What is cut out as one: the outer loop, holes, and the lines of its engraved name."""

    name: str
    loops: tuple[Loop, ...]
    engraving: tuple[Stroke, ...] = ()

    @property
    def size(self) -> tuple[float, float]:
        xs, ys = zip(*self.loops[0], strict=True)
        return (max(xs) - min(xs), max(ys) - min(ys))


@dataclass(frozen=True)
class Sheet:
    """A sheet of material, in millimetres from its lower left corner, and the parts on it."""

    width: float
    height: float
    parts: Sequence[Part]


def sheets(
    what: Puzzle | Problem | Sequence[Shape],
    unit: float = UNIT,
    inset: float = INSET,
    kerf: float = 0.15,
    wall: float = 10.0,
    size: tuple[float, float] = SIZE,
    gap: float = 2.0,
) -> list[Sheet]:
    """All parts of a puzzle on few sheets; lengths in millimetres.

    A goal whose layers are all alike gets a tray: a base, and a frame for each layer with a wall
    around the goal. Without a wall (0) there is none.

    >>> from kumitate.library import library
    >>> [len(sheet.parts) for sheet in sheets(library["pentominoes"].problems[0])]
    [10, 4]
    """
    _check(what, unit, inset, kerf, gap)
    parts = [
        part
        for shape, count in pieces_to_make(what)
        for part in _piece(shape, unit, inset - kerf / 2, size[0] >= size[1])
        for _ in range(count)
    ]
    if wall > 0:
        goals = _goals(what)
        parts += [p for goal in goals for p in _tray(goal, unit, kerf / 2, wall, size)]
    return _packed(parts, size, gap)


def to_svg(sheet: Sheet, line: float = 0.02) -> str:
    """A sheet as SVG in true size; hairlines mean cutting, so give a thicker line to look at it.

    >>> to_svg(Sheet(30, 20, [])).splitlines()[0]
    '<svg xmlns="http://www.w3.org/2000/svg" width="30mm" height="20mm" viewBox="0 0 30 20">'
    """
    w, h = _short(sheet.width), _short(sheet.height)
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm"'
        f' viewBox="0 0 {w} {h}">'
    ]
    for name, colour, cutting in (("engrave", ENGRAVE, False), ("cut", CUT, True)):
        rows.append(f'<g id="{name}" fill="none" stroke="{colour}" stroke-width="{line}">')
        for part in sheet.parts:
            lines: Sequence[Stroke] = tuple(reversed(part.loops)) if cutting else part.engraving
            if lines:
                drawn = " ".join(_path(points, sheet.height, cutting) for points in lines)
                rows.append(f'<path d="{drawn}"><title>{_text(part.name)}</title></path>')
        rows.append("</g>")
    return "\n".join([*rows, "</svg>"]) + "\n"


def to_dxf(sheet: Sheet) -> str:
    """A sheet as DXF in millimetres, with layers ENGRAVE and CUT; holes come before outlines."""
    lines: list[Polyline] = []
    for part in sheet.parts:
        lines += [("ENGRAVE", False, stroke) for stroke in part.engraving]
    for part in sheet.parts:
        lines += [("CUT", True, loop) for loop in reversed(part.loops)]
    return dxf([("CUT", 1), ("ENGRAVE", 5)], lines, (sheet.width, sheet.height))


def _check(
    what: Puzzle | Problem | Sequence[Shape], unit: float, inset: float, kerf: float, gap: float
) -> None:
    grids = [what.grid] if isinstance(what, Puzzle | Problem) else [shape.grid for shape in what]
    for name, value in (("inset", inset), ("kerf", kerf), ("gap", gap)):
        if not value >= 0:
            raise PuzzleError(f"{name} {value:g} mm; give 0 or more")
    if not unit > 0:
        raise PuzzleError(f"unit {unit:g} mm; give more than 0")
    for grid in grids:
        require_layers(grid)
        most = half_width(grid) * unit
        for name, value in (("inset", inset), ("half the kerf", kerf / 2)):
            if not value < most:
                raise PuzzleError(
                    f"{name} {value:g} mm leaves nothing of a cell; choose less than {most:g} mm"
                )


# ---- parts ----


def _piece(shape: Shape, unit: float, by: float, broad: bool) -> Iterator[Part]:
    """Its layers, lying flat, each connected part of a layer on its own, named and in true size."""
    if not shape.connected:
        raise PuzzleError(
            f"piece {shape.name!r} falls into {len(shape.components)} parts;"
            " only connected pieces can be cut"
        )
    layers = cut_in_layers(_flat(shape))
    for number, layer in enumerate(layers, 1):
        name = shape.name if len(layers) == 1 else f"{shape.name} {number}/{len(layers)}"
        for component in layer.components:
            loops = tuple(shrunk(_scaled(loop, unit), by) for loop in outline(component))
            centres = _scaled(tuple(middles(component)), unit)
            part = Part(name, loops)
            if (part.size[0] < part.size[1]) == broad:
                part, centres = _quarter(part), _turned(centres)
            yield replace(part, engraving=_engraved(part, centres, unit * _LETTERS))


def _tray(
    goal: Shape, unit: float, out: float, wall: float, size: tuple[float, float]
) -> list[Part]:
    """A frame for each layer of the goal, and a base; nothing if its layers differ."""
    layers = cut_in_layers(_flat(goal))
    flat = [{(x, y, tile) for x, y, _, tile in layer.cells} for layer in layers]
    if any(cells != flat[0] for cells in flat):
        return []
    holes = [_scaled(outline(part)[0], unit) for part in layers[0].components]
    xs, ys = zip(*(spot for hole in holes for spot in hole), strict=True)
    left, right, low, high = min(xs) - wall, max(xs) + wall, min(ys) - wall, max(ys) + wall
    around = ((left, low), (right, low), (right, high), (left, high))
    outer = shrunk(around, -out)
    islands = [_scaled(loop, unit) for part in layers[0].components for loop in outline(part)[1:]]
    cut = tuple(shrunk(tuple(reversed(hole)), -out) for hole in holes)
    name = goal.name or "goal"
    frame = Part(f"{name}: frame", (outer, *cut))
    parts = [frame] * len(layers) + [Part(f"{name}: base", (outer,))]
    parts += [
        Part(f"{name}: island", (shrunk(tuple(reversed(island)), -out),))
        for island in islands
        for _ in layers
    ]
    broad = size[0] >= size[1]
    return [_quarter(p) if (p.size[0] < p.size[1]) == broad else p for p in parts]


def _flat(shape: Shape) -> Shape:
    """Turned to have the fewest layers; as it is, if none of its ways to lie has fewer."""
    heights = {way: len({z for _, _, z, _ in way.cells}) for way in shape.orientations()}
    here = shape.at_origin()
    least = min(heights.values())
    if heights.get(here, 0) == least:
        return here
    return next(way for way, layers in heights.items() if layers == least)


def _engraved(part: Part, centres: Loop, height: float) -> tuple[Stroke, ...]:
    """The name where there is most room beside the middle of a cell, smaller if need be."""
    wide = width_of(part.name)
    if not wide:
        return ()
    x, y = middle(centres)
    near = sorted(centres, key=lambda spot: round(hypot(spot[0] - x, spot[1] - y), 6))
    rooms = [_room(part.loops, centre, height) for centre in near]
    left, right, y = max(rooms, key=lambda room: round(room[1] - room[0], 6))
    k = min(height / HEIGHT, 0.8 * (right - left) / wide)
    x = (left + right - k * wide) / 2
    return tuple(
        tuple((x + k * a, y + k * (b - HEIGHT / 2)) for a, b in stroke)
        for stroke in strokes_of(part.name)
    )


def _room(loops: Sequence[Loop], centre: Spot, height: float) -> tuple[float, float, float]:
    """From where to where a line so high may reach about a spot, and at which height it runs."""
    x, y = centre
    left, right = -1e9, 1e9
    for level in (y - height / 2, y, y + height / 2):
        for loop in loops:
            for (x1, y1), (x2, y2) in pairwise((*loop, loop[0])):
                if (y1 > level) != (y2 > level):
                    met = x1 + (level - y1) / (y2 - y1) * (x2 - x1)
                    left, right = (max(left, met), right) if met < x else (left, min(right, met))
    return left, right, y


def _goals(what: Puzzle | Problem | Sequence[Shape]) -> list[Shape]:
    """The different goals; none, where only shapes are given."""
    if isinstance(what, Problem):
        return [what.goal] if what.goal.cells else []
    problems = what.problems if isinstance(what, Puzzle) else ()
    return list(dict.fromkeys(problem.goal for problem in problems if problem.goal.cells))


# ---- on the sheet ----


def _packed(parts: Sequence[Part], size: tuple[float, float], gap: float) -> list[Sheet]:
    """All parts on as few sheets as can be, a gap around each; lengths in whole micrometres."""
    for part in parts:
        w, h = part.size
        fits = any(a + 2 * gap <= size[0] and b + 2 * gap <= size[1] for a, b in ((w, h), (h, w)))
        if not fits:
            raise PuzzleError(
                f"part {part.name!r} is {w:.1f} x {h:.1f} mm, too large for a sheet of"
                f" {size[0]:g} x {size[1]:g} mm with a gap of {gap:g};"
                " choose a larger sheet or a smaller unit"
            )
    sides = [(_whole(w + gap), _whole(h + gap)) for w, h in (part.size for part in parts)]
    room = (_whole(size[0] - gap), _whole(size[1] - gap))
    return [
        Sheet(
            *size,
            tuple(
                _moved(
                    parts[n] if (w, h) == sides[n] else _quarter(parts[n]),
                    (x / _FINE + gap, y / _FINE + gap),
                )
                for n, x, y, w, h in spots
            ),
        )
        for spots in pack(sides, room)
    ]


def _whole(length: float) -> int:
    return ceil(length * _FINE - _EPSILON)


def _moved(part: Part, corner: Spot) -> Part:
    """With the lower left corner of its box there."""
    dx = corner[0] - min(x for x, _ in part.loops[0])
    dy = corner[1] - min(y for _, y in part.loops[0])

    def moved(line: Loop) -> Loop:
        return tuple((x + dx, y + dy) for x, y in line)

    return replace(
        part, loops=tuple(map(moved, part.loops)), engraving=tuple(map(moved, part.engraving))
    )


def _quarter(part: Part) -> Part:
    """Turned by a right angle."""
    loops, engraving = (tuple(map(_turned, lines)) for lines in (part.loops, part.engraving))
    return replace(part, loops=loops, engraving=engraving)


def _turned(line: Loop) -> Loop:
    return tuple((-y, x) for x, y in line)


def _scaled(line: Loop, k: float) -> Loop:
    return tuple((k * x, k * y) for x, y in line)


# ---- writing ----


def _path(points: Stroke, height: float, closed: bool) -> str:
    spots = " ".join(f"{_short(x)},{_short(height - y)}" for x, y in points)
    return f"M{spots}Z" if closed else f"M{spots}"


def _short(number: float) -> str:
    """To a thousandth, without zeros at the end."""
    return f"{round(number, 3) + 0.0:.3f}".rstrip("0").rstrip(".")


def _text(words: str) -> str:
    return escape("".join(c for c in words if c.isprintable()))
