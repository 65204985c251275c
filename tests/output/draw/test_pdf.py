"""PDF files that other programs read, with the marks of a drawing where they belong."""

import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from kumitate.output.draw import pdf
from kumitate.output.draw.marks import Ball, Drawing, Line, Mark, Placed, Polygon, Text


def page(*marks: Mark) -> pdf.Page:
    return [Placed(Drawing(marks, (0, 0), (100, 100)), 1.0, (0.0, 0.0))]


SQUARE = Polygon((((10, 10), (50, 10), (50, 50), (10, 50)),), "#ff0000")


def rendered(data: bytes, tmp_path: Path) -> list[Image.Image]:
    """The pages as poppler sees them, a pixel a point."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler-utils) is not here to read PDF")
    (tmp_path / "a.pdf").write_bytes(data)
    done = subprocess.run(
        ["pdftoppm", "-r", "72", "-png", "a.pdf", "page"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    return [
        Image.open(BytesIO(path.read_bytes())).convert("RGB")
        for path in sorted(tmp_path.glob("page*.png"))
    ]


def test_marks_lie_where_they_are_put_from_the_upper_left(tmp_path: Path) -> None:
    ball = Ball((80, 20), 10, "#0000ff")
    line = Line((((0, 70), (100, 70)),), "#00aa00", width=6)
    [seen] = rendered(pdf.write([page(SQUARE, ball, line)], 100, 100), tmp_path)
    assert seen.size == (100, 100)
    assert seen.getpixel((30, 30)) == (255, 0, 0)
    assert seen.getpixel((50, 90)) == (255, 255, 255)
    assert seen.getpixel((50, 70)) == (0, 170, 0)
    red, green, blue = seen.getpixel((80, 20))  # type: ignore[misc]
    assert blue > 200 > max(red, green)


def test_what_is_translucent_lets_the_rest_through_and_words_stay_dark(tmp_path: Path) -> None:
    veil = SQUARE._replace(opacity=0.5)
    words = Text((75, 75), "MMM", 20, "#000000")
    [seen] = rendered(pdf.write([page(veil, words)], 100, 100), tmp_path)
    assert seen.getpixel((30, 30)) == pytest.approx((255, 128, 128), abs=2)
    assert min(seen.crop((50, 60, 100, 90)).convert("L").tobytes()) < 20


def test_a_hole_in_a_polygon_is_a_hole(tmp_path: Path) -> None:
    inner = ((20, 20), (20, 40), (40, 40), (40, 20))
    ring = Polygon((*SQUARE.rings, inner), "#ff0000")
    [seen] = rendered(pdf.write([page(ring)], 100, 100), tmp_path)
    assert seen.getpixel((30, 30)) == (255, 255, 255)
    assert seen.getpixel((15, 15)) == (255, 0, 0)


def test_words_are_as_wide_as_they_are_said_to_be(tmp_path: Path) -> None:
    words = Text((100, 50), "A burr (98.2.4.2) \\ ä", 14, "#000000")
    [seen] = rendered(pdf.write([page(words)], 200, 100), tmp_path)
    ink = seen.convert("L").point(lambda grey: 255 * (grey < 128))
    box = ink.getbbox()
    assert box is not None
    assert box[2] - box[0] == pytest.approx(pdf.text_width(words.words, 14), rel=0.05)
    assert (box[0] + box[2]) / 2 == pytest.approx(100, abs=2)


def test_several_pages_and_a_table_that_points_at_each_object() -> None:
    data = pdf.write([page(SQUARE), page(), page(SQUARE)], 100, 100, "a (b) \\c")
    assert data.count(b"/Type /Page ") == 3
    assert b"/Title (a \\(b\\) \\\\c)" in data
    start = int(re.search(rb"startxref\n(\d+)", data)[1])  # type: ignore[index]
    rows = data[start:].split(b"\n")[3:]
    for number, row in enumerate(rows[: rows.index(b"trailer")], 1):
        at = int(row[:10])
        assert data[at:].startswith(b"%d 0 obj" % number)


@pytest.mark.parametrize("words", ["組立 \n(\x00", "\x00(\n)", "\ud800 Č", "\ud800"])
def test_strange_letters_do_no_harm(words: str, tmp_path: Path) -> None:
    [seen] = rendered(
        pdf.write([page(SQUARE, Text((50, 50), words, 10, "#000000"))], 100, 100, words), tmp_path
    )
    assert seen.getpixel((20, 20)) == (255, 0, 0)
