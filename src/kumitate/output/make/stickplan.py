"""Plans of sticks: each stick of a cut list in true size, seen from its four sides.

The stick is rolled over its front edge from view to view, so its left end stays on the left: top,
front, bottom, back. What is cut away is hatched and says how deep; what is cut right through is
white and crossed. Below each view stand the places to mark, in millimetres from the left end.
"""

from collections.abc import Iterator, Sequence

from kumitate.model.grids import CUBES
from kumitate.model.palette import LIGHT
from kumitate.model.shape import Shape
from kumitate.output.make.cutlist import Stick
from kumitate.output.make.outline import Loop, outline
from kumitate.output.make.strokes import HEIGHT, strokes_of, width_of

_PAGE, _MARGIN = 210.0, 12.0  # as wide as A4 paper
_LABELS, _BELOW, _APART = 13.0, 8.0, 10.0
_TITLE, _LETTERS = 6.5, 2.6  # what the title takes, and how high its letters are
_INK, _WOOD = LIGHT["ink"], "#f6e7d0"
_PATTERN = (
    '<defs><pattern id="waste" width="1.5" height="1.5" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect width="1.5" height="1.5" fill="#ffffff"/>'
    '<rect width="0.3" height="1.5" fill="#b5651d"/></pattern></defs>'
)
# For each view the axis that is up and down in it, whether that one grows upwards, the axis that
# goes into the stick, and whether one looks along it.
_VIEWS = {
    "top": (1, True, 2, False),
    "front": (2, True, 1, True),
    "bottom": (1, False, 2, True),
    "back": (2, False, 1, False),
}

Depths = dict[tuple[int, int], int]  # (column, row from below) to how many cells are cut away


def cut_list_svg(sticks: Sequence[Stick]) -> str:
    """The plans of all sticks, on a page as wide as A4 paper; of those to be glued, the name.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> from kumitate.output.make.cutlist import cut_list
    >>> cut_list_svg(cut_list([burr_stick(256)])).count("url(#waste)")
    1
    """
    drawn: list[str] = []
    x, y, tall = _MARGIN, _MARGIN, 0.0
    page = max([_PAGE, *(2 * _MARGIN + _width(stick) for stick in sticks)])
    for stick in sticks:
        if x > _MARGIN and x + _width(stick) > page - _MARGIN:
            x, y, tall = _MARGIN, y + tall + _APART, 0.0
        drawn += [f'<g transform="translate({_short(x)},{_short(y)})">', *_plan(stick), "</g>"]
        x, tall = x + _width(stick) + _APART, max(tall, _height(stick))
    w, h = _short(page), _short(y + tall + _MARGIN)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm"'
        f' viewBox="0 0 {w} {h}">'
    )
    paper = f'<rect width="{w}" height="{h}" fill="#ffffff"/>'
    return "\n".join([head, _PATTERN, paper, *drawn, "</svg>"]) + "\n"


def _width(stick: Stick) -> float:
    return _LABELS + max(stick.size[0], _LETTERS / HEIGHT * width_of(_title(stick)) - _LABELS)


def _height(stick: Stick) -> float:
    return _TITLE + (0 if stick.tool == "glue" else 2 * sum(stick.size[1:]) + 4 * _BELOW)


def _title(stick: Stick) -> str:
    size = " x ".join(f"{n:g}" for n in stick.size)
    return f"{stick.name}: {stick.count} of {size}, {stick.tool}"


def _plan(stick: Stick) -> Iterator[str]:
    """The title of a stick, and its views one below the other."""
    yield _words(_title(stick), 0, 3, _LETTERS)
    if stick.tool == "glue":
        return
    y = _TITLE
    for name, (up, *_) in _VIEWS.items():
        tall = stick.size[up]
        yield _words(name, 0, y + tall / 2 + 1.1, 2.2)
        yield f'<g transform="translate({_short(_LABELS)},{_short(y)})">'
        yield from _view(stick, _depths(stick, name), tall, stick.shape.size[_VIEWS[name][2]])
        yield "</g>"
        y += tall + _BELOW


def _view(stick: Stick, depths: Depths, tall: float, through: int) -> Iterator[str]:
    """One side: the wood, what is cut away, how deep, and the places along the length."""
    long = stick.size[0]
    for depth in sorted(set(depths.values())):
        same = Shape(CUBES, {(*spot, 0, 0) for spot, deep in depths.items() if deep == depth})
        fill = _WOOD if not depth else "#ffffff" if depth == through else "url(#waste)"
        for region in same.components:
            loops = [_on_view(stick, loop, tall) for loop in outline(region)]
            lines = "".join("M" + " ".join(map(_spot, loop)) + "Z" for loop in loops)
            yield (
                f'<path d="{lines}" fill="{fill}" fill-rule="evenodd" stroke="{_INK}"'
                ' stroke-width="0.25" stroke-linejoin="round"/>'
            )
            if depth:
                yield from _depth(stick, region, depth, through, tall)
    for x, marks in (*_places(stick, depths), (long, [f"{long:g}"])):
        yield f'<path d="M{_short(x)},{_short(tall)}v1.2" stroke="{_INK}" stroke-width="0.2"/>'
        for line, mark in enumerate(marks):
            yield _words(mark, x - width_of(mark) / 6, tall + 3.6 + 2.6 * line, 2)


def _depth(stick: Stick, region: Shape, depth: int, through: int, tall: float) -> Iterator[str]:
    """How deep a region is, written in the middle of its longest row; a cross if through."""
    rows: dict[int, list[int]] = {}
    for x, y, *_ in region:
        rows.setdefault(y, []).append(x)
    row = max(rows, key=lambda y: (len(rows[y]), -y))
    corners = ((min(rows[row]), row), (max(rows[row]) + 1, row + 1))
    (x1, y1), (x2, y2) = _on_view(stick, corners, tall)
    if depth == through:
        lines = f"M{_spot((x1, y1))} {_spot((x2, y2))}M{_spot((x1, y2))} {_spot((x2, y1))}"
        yield f'<path d="{lines}" fill="none" stroke="{_INK}" stroke-width="0.15"/>'
        return
    text = f"{depth * stick.unit:g}"
    wide = width_of(text) * 2.5 / HEIGHT
    left, foot = (x1 + x2 - wide) / 2, (y1 + y2) / 2 + 1.25
    yield (
        f'<rect x="{_short(left - 0.7)}" y="{_short(foot - 3.25)}" width="{_short(wide + 1.4)}"'
        ' height="4" rx="0.8" fill="#ffffff"/>'
    )
    yield _words(text, left, foot, 2.5)


def _places(stick: Stick, depths: Depths) -> Iterator[tuple[float, list[str]]]:
    """Where along the stick the depth changes, and what to mark there.

    Clearance puts the edge a little to the left where the wood is on that side, so there may be
    two marks.
    """
    columns, rows = (max(axis) + 1 for axis in zip(*depths, strict=True))
    for x in range(1, columns):
        changes = [depths[x, y] - depths[x - 1, y] for y in range(rows)]
        marks = {x * stick.unit - 2 * stick.inset * (change > 0) for change in changes if change}
        if marks:
            yield x * stick.unit - stick.inset, [f"{round(m, 2):g}" for m in sorted(marks)]


def _depths(stick: Stick, view: str) -> Depths:
    """How many cells lie free before the first one of the piece, seen from this side."""
    up, upwards, into, along = _VIEWS[view]
    size, cells = stick.shape.size, stick.shape.cells
    order = range(size[into]) if along else range(size[into])[::-1]
    found: Depths = {}
    for x in range(size[0]):
        for row in range(size[up]):
            at = [x, 0, 0]
            at[up] = row if upwards else size[up] - 1 - row
            depth = 0
            for at[into] in order:
                if (at[0], at[1], at[2], 0) in cells:
                    break
                depth += 1
            found[x, row] = depth
    return found


def _on_view(stick: Stick, loop: Loop, tall: float) -> Loop:
    """Cells to millimetres on the page, whose y goes down, within what is left of the stick."""
    u, off = stick.unit, stick.inset
    return tuple(
        (
            min(max(u * x - off, 0.0), stick.size[0]),
            tall - min(max(u * y - off, 0.0), tall),
        )
        for x, y in loop
    )


def _words(text: str, x: float, y: float, height: float) -> str:
    """A line of text as strokes, so that it needs no font, its foot at (x, y)."""
    k = height / HEIGHT
    lines = "".join(
        "M" + " ".join(_spot((x + k * a, y - k * b)) for a, b in stroke)
        for stroke in strokes_of(text)
    )
    return (
        f'<path d="{lines}" fill="none" stroke="{_INK}" stroke-width="{_short(height / 10)}"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _spot(spot: tuple[float, float]) -> str:
    return f"{_short(spot[0])},{_short(spot[1])}"


def _short(number: float) -> str:
    return f"{round(number, 3) + 0.0:.3f}".rstrip("0").rstrip(".")
