"""SVG: one picture, or a sheet of pictures with words under them.

Every string made here is a whole document: sizes in pixels, no script, no style sheet, nothing
fetched from elsewhere. Pictures of one sheet share one scale, so pieces can be compared.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from math import pi
from statistics import median
from textwrap import wrap

from kumitate.model.geometry import Cell, volume6
from kumitate.model.grid import Grid
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Solution
from kumitate.output.drawing import (
    FAINT,
    Ball,
    Drawing,
    Line,
    Mark,
    Placed,
    Polygon,
    Spot,
    Text,
    dark,
    draw,
    draw_each,
    mixed,
    paled,
    standing,
    without_faint_lines,
)
from kumitate.output.scene import (
    Body,
    Point,
    Pose,
    Scene,
    colours_of,
    corners_of,
    exploded,
    radius_of,
    require_near,
    scene_of,
)
from kumitate.output.words import FONTS, xml_text

INK = "#5b5b5b"  # for words; can be read on white and on black

PICTURE = 360  # pixels: the longer side of a picture
UNIT = 56  # pixels: the most for a lattice unit
LEAST_CELL = 11  # pixels: on a sheet that is wide enough
SHEET = 900  # pixels: the width of a sheet
ENTRY = 104  # pixels: how large a common picture of a sheet is
STEP = 150  # pixels: the same on a sheet of steps or layers
MANY = 24  # steps: more than that are drawn smaller
GAP = 22
CLEARANCE = 0.05  # units: between bodies of an exploded view
FARTHEST = 60  # half units: how far a body is moved out to be clear of others
LETTERS = 13  # pixels
PEN = 0.042  # of a unit: how wide lines are, within limits


def picture(scene: Scene, pose: int | Pose = 0, colours: Sequence[str] = ()) -> str:
    """One moment of a scene; `colours` are those of cells of colour 1, 2, ...

    >>> from kumitate.model.grids import CUBES
    >>> picture(scene_of(Shape.from_text(CUBES, "##")))[:44]
    '<svg xmlns="http://www.w3.org/2000/svg" widt'
    """
    return framed(draw(scene, pose, colours))


def framed(drawing: Drawing, low: Spot | None = None, high: Spot | None = None) -> str:
    """A drawing as a document; all of it is shown, or just the box from low to high."""
    left, top = low or drawing.low
    right, bottom = high or drawing.high
    scale = min(UNIT, PICTURE / max(right - left, bottom - top, 1e-9))
    margin = 6.0
    width, height = (round(scale * side + 2 * margin) for side in (right - left, bottom - top))
    origin = (margin - scale * left, margin - scale * top)
    return document(width, height, [Placed(drawing, scale, origin)])


@singledispatch
def svg_of(what: object) -> str:
    """A shape, problem, puzzle, assembly or solution as a document of its own.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.solution import Levels
    >>> "level 2" in svg_of(Solution(Assembly.from_text(CUBES, "AB"), levels=Levels(2)))
    True
    """
    raise TypeError(f"{type(what).__name__} is not drawn")


@svg_of.register
def _(what: Scene) -> str:
    return picture(what)


@svg_of.register
def _(what: Shape) -> str:
    return picture(scene_of(what))


@svg_of.register
def _(what: Assembly) -> str:
    return picture(scene_of(what))


@svg_of.register
def _(what: Solution) -> str:
    words = f"level {what.levels}" if what.levels else ""
    return _sheet([_Entry(draw(scene_of(what.assembly)), words)], size=PICTURE)


@svg_of.register
def _(what: Problem) -> str:
    return svg_of(Puzzle.of(what))


@svg_of.register
def _(what: Puzzle) -> str:
    copies = {
        piece.shape: f" × {piece.copies}"
        for problem in reversed(what.problems)
        for piece in problem.pieces
        if piece.copies != "1"
    }
    bodies = [Body(shape, what.label(n), what.colour(n)) for n, shape in enumerate(what.shapes)]
    entries = [
        _Entry(drawing, body.name + copies.get(body.shape, ""))
        for body, drawing in zip(bodies, draw_each(what.grid, bodies, what.colours), strict=True)
    ]
    by = f"by {what.by}" if what.by else ""
    longest = max((max(entry.drawing.size) for entry in entries), default=0.0)
    size = max(ENTRY, LEAST_CELL * longest / _cell_size(what.grid))
    return _sheet(entries, what.called, by, size=size)


def _cell_size(grid: Grid) -> float:
    """The side of a cube as large as a cell on average, in units."""
    return float((_volume(grid) / len(grid.tiles)) ** (1 / 3))


def _volume(grid: Grid) -> float:
    """The space at a lattice point."""
    (a, b, c), (d, e, f), (g, h, i) = grid.basis
    return abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))


def exploded_svg(assembly: Assembly) -> str:
    """An assembly with its pieces drawn apart, each as far out as it must be to be clear."""
    return picture(_cleared(exploded(scene_of(assembly))))


def _cleared(scene: Scene) -> Scene:
    """An exploded scene with its bodies, from the middle outwards, moved on until none overlap.

    Those equally far out move together, which keeps the symmetry of an assembly.
    """
    import numpy as np

    [pose] = scene.poses
    shifts = np.array(pose.shifts).reshape(-1, 3)
    boxes = [np.array([_box(scene.grid, cell) for cell in body.shape]) for body in scene.bodies]

    def meet(a: int, b: int) -> bool:
        middles = boxes[b][:, 0] + shifts[b] - shifts[a] - boxes[a][:, None, 0]
        room = boxes[b][:, 1] + boxes[a][:, None, 1] + CLEARANCE
        return a != b and bool((np.abs(middles) < room).all(axis=2).any())

    lengths = np.round(np.linalg.norm(shifts, axis=1), 6)
    outwards = shifts / np.maximum(lengths, 1e-9)[:, None]
    placed: list[int] = []
    for length in np.unique(lengths):
        ring = np.nonzero(lengths == length)[0].tolist()
        placed += ring
        for _ in range(FARTHEST):
            if not any(meet(a, b) for a in ring for b in placed):
                break
            shifts[ring] += outwards[ring] / 2
    moved = tuple((x, y, z) for x, y, z in shifts.tolist())
    return replace(scene, poses=(Pose(moved, pose.shown),))


def _box(grid: Grid, cell: Cell) -> tuple[Point, Point]:
    """The middle of a cell and half the sides of a box as large, shaped as the one around it."""
    corners, radius = corners_of(grid, cell), radius_of(grid)
    lows, highs = zip(*((min(c), max(c)) for c in zip(*corners, strict=True)), strict=True)
    half = [(high - low) / 2 + radius for low, high in zip(lows, highs, strict=True)]
    solid = 4 / 3 * pi * radius**3
    if not grid.balls:
        solid = volume6(grid.tiles[cell[3]]) / 6 / grid.denominator**3 * _volume(grid)
    shrink = (solid / (8 * half[0] * half[1] * half[2])) ** (1 / 3)
    middle = [(high + low) / 2 for low, high in zip(lows, highs, strict=True)]
    x, y, z = (shrink * side for side in half)
    return (middle[0], middle[1], middle[2]), (x, y, z)


def steps_svg(solution: Solution) -> str:
    """Every step of taking a solution apart on one sheet; what does not move is pale.

    A pose is left out if it shows nothing but what the last move left.
    """
    scene = scene_of(solution)
    [start, *poses] = scene.poses
    entries = [_Entry(draw(scene, start))]
    before, moved, number = start, set[int](), 0
    for pose in poses:
        left = [shown and n not in moved for n, shown in enumerate(before.shown)]
        moved = _moved(before, pose)
        before = pose
        if moved:
            number += 1
            words = re.sub(r", (?=[-\d, ]*\))", ",\u00a0", pose.words)  # steps stay on one line
            entries.append(_Entry(draw(paled(scene, moved), pose), f"{number}. {words}"))
        elif list(pose.shown) != left:
            entries.append(_Entry(draw(scene, pose), pose.words))
    title = f"level {solution.levels}" if solution.levels else ""
    if len(entries) > MANY:
        entries = [replace(e, drawing=without_faint_lines(e.drawing)) for e in entries]
    return _sheet(entries, title, size=STEP if len(entries) <= MANY else ENTRY, even=True)


def _moved(before: Pose, pose: Pose) -> set[int]:
    """Which bodies went somewhere, unless some came or went."""
    if tuple(before.shown) != tuple(pose.shown):
        return set()
    pairs = zip(before.shifts, pose.shifts, strict=True)
    return {n for n, (was, now) in enumerate(pairs) if was != now and pose.shown[n]}


# ---- layers ----


def layers_svg(assembly: Assembly) -> str:
    """An assembly cut in layers, the lowest first, rows and letters as in its text.

    So each layer is seen from below. Under the layers stands which letter is which piece.
    """
    grid = assembly.problem.grid
    require_near(assembly.shapes)
    layers: dict[int, dict[Cell, int]] = {}
    for number, shape in enumerate(assembly.shapes):
        for cell in sorted(shape.cells):
            layers.setdefault(grid.spot(cell)[2], {})[cell] = number
    corners = [c for shape in assembly.shapes for cell in shape for c in corners_of(grid, cell)]
    radius = radius_of(grid)
    xs, ys = [c[0] for c in corners] or [0.0], [c[1] for c in corners] or [0.0]
    low, high = (min(xs) - radius, min(ys) - radius), (max(xs) + radius, max(ys) + radius)
    entries = [
        _Entry(Drawing(tuple(_layer(assembly, layers[layer])), low, high), f"layer {n}")
        for n, layer in enumerate(sorted(layers), 1)
    ]
    return _sheet(entries, size=STEP, even=True, foot=_legend(assembly))


def _legend(assembly: Assembly) -> str:
    """Which piece each letter stands for, unless that is plain to see."""
    if len({placement.piece for placement in assembly.placements}) < 2:
        return ""
    letters = [assembly.letter(n) for n in range(len(assembly.placements))]
    labels = [assembly.label(n) for n in range(len(assembly.placements))]
    pairs = zip(letters, labels, strict=True)
    return "" if letters == labels else ", ".join(f"{a}\u00a0=\u00a0{b}" for a, b in pairs)


def _layer(assembly: Assembly, cells: dict[Cell, int]) -> Iterator[Mark]:
    """The tiles of a layer, lines around each piece, and its letter on one of its tiles."""
    grid, colours = assembly.problem.grid, colours_of(assembly)
    tiles = {cell: _seen_along_z(grid, cell) for cell in cells}
    sides: dict[tuple[Spot, Spot], list[int]] = {}
    for cell, ring in tiles.items():
        if grid.balls:
            yield Ball(ring[0], radius_of(grid), colours[cells[cell]])
        else:
            yield Polygon((ring,), mixed(colours[cells[cell]], "#ffffff", 0.12))
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            sides.setdefault((min(a, b), max(a, b)), []).append(cells[cell])
    if not grid.balls:
        inner = [side for side, owners in sides.items() if len(owners) > 1 == len(set(owners))]
        yield Line(tuple(inner), INK, *FAINT)
        yield Line(tuple(side for side in sides if side not in set(inner)), "#303030")
    for number in sorted(set(cells.values())):
        here = assembly.shapes[number].restricted(cells)
        for part in here.components:
            ring = _middle_one([tiles[cell] for cell in part])
            size = 2 * radius_of(grid) or min(_extent(axis) for axis in zip(*ring, strict=True))
            ink = "#ffffff" if _luminance(colours[number]) < 0.45 else "#202020"
            yield Text(_mean(ring), assembly.letter(number), 0.5 * size, ink)


def _seen_along_z(grid: Grid, cell: Cell) -> tuple[Spot, ...]:
    """The outline of a tile, rows downwards: the convex hull of its corners."""
    spots = sorted({(round(x, 6), round(y, 6)) for x, y, _ in corners_of(grid, cell)})
    if len(spots) < 3:
        return tuple(spots)
    hull: list[Spot] = []
    for row in (spots, spots[::-1]):  # below, then above (Andrew's monotone chain)
        first = len(hull)
        for spot in row:
            while len(hull) > first + 1 and _turns_right(hull[-2], hull[-1], spot):
                hull.pop()
            hull.append(spot)
        hull.pop()
    return tuple(hull)


def _turns_right(a: Spot, b: Spot, c: Spot) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 1e-9


def _middle_one(rings: Sequence[tuple[Spot, ...]]) -> tuple[Spot, ...]:
    """The ring nearest to the middle of all."""
    x, y = _mean([_mean(ring) for ring in rings])

    def far(ring: tuple[Spot, ...]) -> float:
        a, b = _mean(ring)
        return round((a - x) ** 2 + (b - y) ** 2, 9)

    return min(rings, key=far)


def _mean(spots: Sequence[Spot]) -> Spot:
    x, y = (sum(axis) / len(spots) for axis in zip(*spots, strict=True))
    return (x, y)


def _extent(axis: Sequence[float]) -> float:
    return max(axis) - min(axis)


def _luminance(colour: str) -> float:
    """How light a colour looks, from 0 to 1 (the weights of ITU-R BT.601)."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


# ---- sheets ----


@dataclass(frozen=True)
class _Entry:
    """A drawing of a sheet and the words under it."""

    drawing: Drawing
    words: str = ""


@dataclass(frozen=True)
class _Box:
    """The place of an entry, in pixels."""

    drawing: Drawing
    lines: Sequence[str]
    width: float
    height: float  # of the drawing alone


def _sheet(
    entries: Sequence[_Entry],
    title: str = "",
    subtitle: str = "",
    size: float = ENTRY,
    even: bool = False,
    foot: str = "",
) -> str:
    """Rows of drawings at one scale, words centred under them; `even` makes columns of them."""
    scale = _common_scale([entry.drawing for entry in entries], size)
    boxes = [_boxed(entry, scale, size if even else 0.0) for entry in entries]
    if even:
        widest = max((box.width for box in boxes), default=0.0)
        boxes = [replace(box, width=widest) for box in boxes]
    rows = _rows(boxes)
    heads = [(words, s) for words, s in ((title, 1.5 * LETTERS), (subtitle, LETTERS)) if words]
    width = max([_row_width(row) for row in rows] + [_text_width(*head) for head in heads] + [1.0])
    placed: list[Placed] = []
    texts: list[Mark] = []
    y = float(GAP)
    for words, letters in heads:
        texts.append(Text((GAP + width / 2, y + letters / 2), words, letters, INK))
        y += 1.5 * letters
    y += GAP / 2 if heads else 0
    for row in rows:
        x = GAP + (0 if even and len(rows) > 1 else (width - _row_width(row)) / 2)
        y += max(box.height for box in row)
        for box in row:
            placed.append(standing(box.drawing, scale, x + box.width / 2, y))
            texts += _caption(box, x + box.width / 2, y)
            x += box.width + GAP
        y += 1.3 * LETTERS * max(len(box.lines) for box in row) + GAP
    for line in wrap(foot, max(12, int(width / _text_width("n", LETTERS)))):
        texts.append(Text((GAP + width / 2, y + LETTERS / 2), line, LETTERS, INK))
        y += 1.3 * LETTERS
    y += GAP / 2 if foot else 0
    placed.append(Placed(Drawing(tuple(texts), (0, 0), (0, 0)), 1.0, (0.0, 0.0)))
    return document(width + 2 * GAP, y, placed, title)


def _common_scale(drawings: Sequence[Drawing], size: float) -> float:
    """Pixels to a unit: a common drawing gets this size, and the widest fits on the sheet."""
    sizes = [max(*drawing.size, 1e-9) for drawing in drawings] or [1.0]
    widest = max([drawing.size[0] for drawing in drawings] + [1e-9])
    return min(UNIT, size / median(sizes), (SHEET - 2 * GAP) / widest)


def _boxed(entry: _Entry, scale: float, least: float) -> _Box:
    width, height = (scale * side for side in entry.drawing.size)
    lines = wrap(entry.words, max(12, int(max(width, least) / _text_width("n", LETTERS))))
    width = max([width, least] + [_text_width(line, LETTERS) for line in lines])
    return _Box(entry.drawing, lines, width, height)


def _rows(boxes: Sequence[_Box]) -> list[list[_Box]]:
    rows: list[list[_Box]] = []
    for box in boxes:
        if rows and _row_width([*rows[-1], box]) <= SHEET - 2 * GAP:
            rows[-1].append(box)
        else:
            rows.append([box])
    return rows


def _row_width(row: Sequence[_Box]) -> float:
    return sum(box.width for box in row) + GAP * (len(row) - 1)


def _text_width(words: str, letters: float) -> float:
    """About how wide words are; a sheet must not depend on the fonts of a machine."""
    return 0.56 * letters * len(words)


def _caption(box: _Box, x: float, y: float) -> Iterator[Text]:
    for n, line in enumerate(box.lines):
        yield Text((x, y + (1.0 + 1.3 * n) * LETTERS), line, LETTERS, INK)


# ---- the document ----


def document(width: float, height: float, placed: Sequence[Placed], title: str = "") -> str:
    """Drawings on a page of this size, as a document of its own."""
    wide, high = round(width), round(height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}">'
    ]
    if title:
        lines.append(f"<title>{xml_text(title)}</title>")
    marks = [mark for part in placed for mark in part.drawing.marks]
    lines += _gradients(sorted({mark.colour for mark in marks if isinstance(mark, Ball)}))
    for part in placed:
        if part.drawing.marks:
            paper = _Paper(part)
            lines.append(f'<g stroke-width="{paper.pen:.2f}" stroke-linejoin="round">')
            lines += [_element(mark, paper) for mark in part.drawing.marks]
            lines.append("</g>")
    return "\n".join([*lines, "</svg>\n"])


def _gradients(colours: Sequence[str]) -> Iterator[str]:
    """How balls of these colours are shaded; documents on one page may share the names."""
    for colour in colours:
        light, deep = mixed(colour, "#ffffff", 0.72), mixed(colour, "#000000", 0.42)
        yield (
            f'<radialGradient id="ball-{colour[1:]}" cx=".5" cy=".5" r=".55" fx=".36" fy=".3">'
            f'<stop offset="0" stop-color="{light}"/><stop offset=".45" stop-color="{colour}"/>'
            f'<stop offset="1" stop-color="{deep}"/></radialGradient>'
        )


class _Paper(dict[Spot, str]):
    """Where the spots of a drawing lie on paper, as written; corners are used again and again."""

    def __init__(self, placed: Placed) -> None:
        self.scale, (self.x, self.y) = placed.scale, placed.origin
        self.pen = min(1.5, max(0.6, PEN * placed.scale))

    def __missing__(self, spot: Spot) -> str:
        x, y = self.x + self.scale * spot[0], self.y + self.scale * spot[1]
        text = self[spot] = f"{x:.2f} {y:.2f}"
        return text


def _element(mark: Mark, paper: _Paper) -> str:
    """A mark as an element."""
    if isinstance(mark, Polygon):
        way = "".join([f"M{'L'.join([paper[spot] for spot in ring])}Z" for ring in mark.rings])
        stroke = f' stroke="{mark.line}"' if mark.line else ""
        return f'<path d="{way}" fill="{mark.fill}"{stroke}{_faded(mark.opacity)}/>'
    if isinstance(mark, Line):
        way = "".join([f"M{paper[start]}L{paper[end]}" for start, end in mark.strokes])
        width = f' stroke-width="{mark.width * paper.pen:.2f}"' if mark.width != 1 else ""
        return f'<path d="{way}" fill="none" stroke="{mark.colour}"{width}{_faded(mark.opacity)}/>'
    x, y = paper[mark.centre].split()
    if isinstance(mark, Ball):
        paint = f'fill="url(#ball-{mark.colour[1:]})" stroke="{dark(mark.colour)}"'
        radius = f"{paper.scale * mark.radius:.2f}"
        return f'<circle cx="{x}" cy="{y}" r="{radius}" {paint}{_faded(mark.opacity)}/>'
    size = paper.scale * mark.size
    return (
        f'<text x="{x}" y="{float(y) + 0.35 * size:.2f}" font-size="{size:.2f}"'
        f' fill="{mark.colour}" text-anchor="middle" font-family="{FONTS}">'
        f"{xml_text(mark.words)}</text>"
    )


def _faded(opacity: float) -> str:
    """Fill and stroke apart: fading both as a group makes a renderer ten times slower."""
    return f' fill-opacity="{opacity}" stroke-opacity="{opacity}"' if opacity < 1 else ""
