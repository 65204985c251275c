"""SVG: drawings as a document.

Every string made here is a whole document: sizes in pixels, no script, no style sheet, nothing
fetched from elsewhere.
"""

from collections.abc import Iterator, Sequence

from kumitate.output.draw.marks import Ball, Drawing, Line, Mark, Placed, Polygon, Spot, dark, mixed
from kumitate.output.draw.words import FONTS, xml_text

PICTURE = 360  # pixels: the longer side of a picture
UNIT = 56  # pixels: the most for a lattice unit
PEN = 0.042  # of a unit: how wide lines are, within limits


def framed(drawing: Drawing, low: Spot | None = None, high: Spot | None = None) -> str:
    """A drawing as a document; all of it is shown, or just the box from low to high."""
    left, top = low or drawing.low
    right, bottom = high or drawing.high
    scale = min(UNIT, PICTURE / max(right - left, bottom - top, 1e-9))
    margin = 6.0
    width, height = (round(scale * side + 2 * margin) for side in (right - left, bottom - top))
    origin = (margin - scale * left, margin - scale * top)
    return document(width, height, [Placed(drawing, scale, origin)])


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
    """Gradients that shade balls of these colours; documents on one page may share their names."""
    for colour in colours:
        light, deep = mixed(colour, "#ffffff", 0.72), mixed(colour, "#000000", 0.42)
        yield (
            f'<radialGradient id="ball-{colour[1:]}" cx=".5" cy=".5" r=".55" fx=".36" fy=".3">'
            f'<stop offset="0" stop-color="{light}"/><stop offset=".45" stop-color="{colour}"/>'
            f'<stop offset="1" stop-color="{deep}"/></radialGradient>'
        )


class _Paper(dict[Spot, str]):
    """Spots of a drawing as coordinates on paper, cached as text: corners are used many times."""

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
