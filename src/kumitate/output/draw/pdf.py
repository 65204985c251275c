"""PDF: drawings on pages, as lines and areas rather than dots, so they print sharp at any size.

Only what drawings need: paths, shaded balls, and words in Helvetica, which every reader of PDF has
built in. Its letters are those of western Europe; words with others are drawn as stencils
(words.py). A page's units are points (1/72 inch), y down as in drawings.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from unicodedata import east_asian_width

from kumitate.output.draw.marks import Ball, Line, Mark, Placed, Polygon, Spot, Text, dark, mixed
from kumitate.output.draw.words import Words, drawn, is_plain

# How wide the letters from space to ~ are, in thousandths of their size (Adobe's metrics).
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_ROUND = 0.5523  # how far the handles of a quarter circle lie from its ends
PEN = 0.7  # points: how wide an outline is
SEAM = 0.25  # points: covers the hairline between two areas

Page = Sequence[Placed]


def write(pages: Sequence[Page], width: float, height: float, title: str = "") -> bytes:
    """A document of pages of one size.

    >>> write([[]], 595, 842)[:8]
    b'%PDF-1.4'
    """
    colours = sorted({m.colour for m in _marks(pages) if isinstance(m, Ball)})
    opacities = sorted({1.0} | {m.opacity for m in _marks(pages) if not isinstance(m, Text)})
    shades = [_shading(colour) for colour in colours]
    odd = sorted({words for words in words_of(pages) if not is_plain(words)})
    pictures = {words: picture for words in odd if (picture := drawn(words))}
    first_page = 5 + len(shades) + len(pictures)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        _tree(len(pages), first_page),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        _resources(len(shades), opacities, len(pictures)),
        *shades,
        *map(_mask, pictures.values()),
    ]
    for number, page in enumerate(pages):
        content = first_page + 2 * number + 1
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2f} {height:.2f}]"
            f" /Resources 4 0 R /Contents {content} 0 R >>".encode()
        )
        objects.append(_stream(_content(page, height, colours, opacities, pictures)))
    text = _string(title) if title.isascii() else b"<%b>" % _utf16(title).hex().encode()
    objects.append(b"<< /Title " + text + b" /Producer (kumitate) >>")
    return _file(objects)


def text_width(words: str, size: float) -> float:
    """How wide words are, in the unit of their size.

    >>> text_width("kumitate", 1000)
    3779.0
    """
    return size * sum(map(_width, words)) / 1000


def _width(letter: str) -> int:
    n = ord(letter) - 32
    if 0 <= n < len(_WIDTHS):
        return _WIDTHS[n]
    return 1000 if east_asian_width(letter) in "WF" else 556


def words_of(pages: Sequence[Page]) -> list[str]:
    """All that is written on some pages."""
    return [mark.words for mark in _marks(pages) if isinstance(mark, Text)]


def _marks(pages: Sequence[Page]) -> Iterator[Mark]:
    return (mark for page in pages for placed in page for mark in placed.drawing.marks)


# ---- what a page shows ----


def _content(
    page: Page,
    height: float,
    colours: Sequence[str],
    opacities: Sequence[float],
    pictures: Mapping[str, Words],
) -> bytes:
    lines = [f"1 0 0 -1 0 {height:.2f} cm 1 j 1 J"]
    for placed in page:
        for mark in placed.drawing.marks:
            opacity = 1.0 if isinstance(mark, Text) else mark.opacity
            lines.append(
                f"/O{opacities.index(opacity)} gs {_mark(mark, placed, colours, pictures)}"
            )
    return "\n".join(lines).encode("cp1252", "replace")


def _mark(mark: Mark, placed: Placed, colours: Sequence[str], pictures: Mapping[str, Words]) -> str:
    if isinstance(mark, Polygon):
        way = " ".join(_way(ring, placed) + " h" for ring in mark.rings)
        line, pen = (mark.line, PEN) if mark.line else (mark.fill, SEAM)
        return f"{_rgb(mark.fill)} rg {_rgb(line)} RG {pen} w {way} B*"
    if isinstance(mark, Line):
        way = " ".join(_way(stroke, placed) for stroke in mark.strokes)
        return f"{_rgb(mark.colour)} RG {PEN * mark.width:.2f} w {way} S"
    x, y = placed.spot(mark.centre)
    if isinstance(mark, Ball):
        r = placed.scale * mark.radius
        shade = f"{r:.2f} 0 0 {r:.2f} {x:.2f} {y:.2f} cm {_CIRCLE}"
        outline = f"{_rgb(dark(mark.colour))} RG {PEN / r:.4f} w {_CIRCLE} S"
        return f"q {shade} W n /S{colours.index(mark.colour)} sh {outline} Q"
    size = placed.scale * mark.size
    if mark.words in pictures:
        which, picture = list(pictures).index(mark.words), pictures[mark.words]
        left, low = x + size * picture.left, y + size * (0.35 + picture.top + picture.height)
        place = f"{size * picture.width:.2f} 0 0 {-size * picture.height:.2f} {left:.2f} {low:.2f}"
        said = f"/Span << /ActualText <{_utf16(mark.words).hex()}> >> BDC"
        return f"{said} q {_rgb(mark.colour)} rg {place} cm /W{which} Do Q EMC"
    left, low = x - text_width(mark.words, size) / 2, y + 0.35 * size
    words = _string(mark.words).decode("cp1252")
    place = f"1 0 0 -1 {left:.2f} {low:.2f} Tm"
    return f"BT {_rgb(mark.colour)} rg /F {size:.2f} Tf {place} {words} Tj ET"


def _way(spots: Sequence[Spot], placed: Placed) -> str:
    points = [f"{x:.2f} {y:.2f}" for x, y in map(placed.spot, spots)]
    return " ".join([f"{points[0]} m", *(f"{point} l" for point in points[1:])])


def _rgb(colour: str) -> str:
    return " ".join(f"{int(colour[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))


def _circle() -> str:
    """The unit circle, in four quarters."""
    k = _ROUND
    ways = ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0))  # from where to where
    curves = (
        f"{a + k * c:g} {b + k * d:g} {c + k * a:g} {d + k * b:g} {c} {d} c" for a, b, c, d in ways
    )
    return f"1 0 m {' '.join(curves)} h"


_CIRCLE = _circle()


def _shading(colour: str) -> bytes:
    """A ball of radius 1 lit from the upper left: light, its colour, and deep at the rim."""
    light, deep = _rgb(mixed(colour, "#ffffff", 0.72)), _rgb(mixed(colour, "#000000", 0.42))
    halves = ((light, _rgb(colour)), (_rgb(colour), deep))
    functions = " ".join(
        f"<< /FunctionType 2 /Domain [0 1] /C0 [{a}] /C1 [{b}] /N 1 >>" for a, b in halves
    )
    stitched = (
        f"<< /FunctionType 3 /Domain [0 1] /Functions [{functions}]"
        " /Bounds [0.45] /Encode [0 1 0 1] >>"
    )
    return (
        "<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [-0.28 -0.4 0 0 0 1.1]"
        f" /Function {stitched} /Extend [true true] >>"
    ).encode()


# ---- the file ----


def _tree(pages: int, first: int) -> bytes:
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(pages))
    return f"<< /Type /Pages /Count {pages} /Kids [{kids}] >>".encode()


def _resources(shades: int, opacities: Sequence[float], pictures: int) -> bytes:
    shadings = " ".join(f"/S{n} {5 + n} 0 R" for n in range(shades))
    drawings = " ".join(f"/W{n} {5 + shades + n} 0 R" for n in range(pictures))
    states = " ".join(f"/O{n} << /ca {o:g} /CA {o:g} >>" for n, o in enumerate(opacities))
    return (
        f"<< /Font << /F 3 0 R >> /Shading << {shadings} >> /XObject << {drawings} >>"
        f" /ExtGState << {states} >> >>"
    ).encode()


def _stream(content: bytes, kind: str = "") -> bytes:
    packed = zlib.compress(content, 9)
    head = f"<< {kind} /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
    return head + packed + b"\nendstream"


def _mask(words: Words) -> bytes:
    """Words as a stencil, painted in any colour: what is dark is 0."""
    wide, high = words.size
    return _stream(
        words.pixels,
        f"/Type /XObject /Subtype /Image /Width {wide} /Height {high}"
        " /ImageMask true /BitsPerComponent 1",
    )


def _utf16(words: str) -> bytes:
    return b"\xfe\xff" + words.encode("utf-16-be", "replace")


def _string(words: str) -> bytes:
    plain = words.encode("cp1252", "replace")
    for mark in (b"\\", b"(", b")"):
        plain = plain.replace(mark, b"\\" + mark)
    return b"(" + plain.replace(b"\r", b" ").replace(b"\n", b" ") + b")"


def _file(objects: Sequence[bytes]) -> bytes:
    """The objects, the table of where each begins, and the trailer; the last object is the info."""
    head = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    bodies = [b"%d 0 obj\n%b\nendobj\n" % (n, content) for n, content in enumerate(objects, 1)]
    *starts, end = accumulate(map(len, bodies), initial=len(head))
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>"
    return (
        head
        + b"".join(bodies)
        + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
        + f"trailer\n{trailer}\nstartxref\n{end}\n%%EOF\n".encode()
    )
