"""Words in any script: drawn where a font has them, named where none has."""

import re
import shutil
import subprocess
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import kumitate
from kumitate.output import pdf
from kumitate.output.drawing import Drawing, Placed, Text
from kumitate.output.words import NO_LETTER, drawn, undrawable

SCRIPTS = "Č Ł Ő ě Ωμ Жд"

needs_fonts = pytest.mark.skipif(bool(undrawable([SCRIPTS])), reason="no font here has these")


def page(words: str) -> pdf.Page:
    return [Placed(Drawing((Text((150, 30), words, 24, "#cc0000"),), (0, 0), (0, 0)), 1.0, (0, 0))]


def seen(data: bytes, tmp_path: Path) -> Image.Image:
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler-utils) is not here to read PDF")
    (tmp_path / "a.pdf").write_bytes(data)
    command = ["pdftoppm", "-r", "72", "-png", "-singlefile", "a.pdf", "page"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert done.stderr == b""
    return Image.open(BytesIO((tmp_path / "page.png").read_bytes())).convert("RGB")


@needs_fonts
@pytest.mark.parametrize("word", SCRIPTS.split())
def test_a_pdf_shows_letters_of_any_script(word: str, tmp_path: Path) -> None:
    """Not as question marks, in the colour asked for, in the middle, on one line."""
    shown = seen(pdf.write([page(word)], 300, 60), tmp_path)
    asked = seen(pdf.write([page("?" * len(word))], 300, 60), tmp_path)
    assert shown.tobytes() != asked.tobytes()
    red, _, blue = shown.split()
    assert min(red.tobytes()) > 150 > 100 > min(blue.tobytes())
    dark = shown.convert("L").point([255 * (n < 200) for n in range(256)])
    left, top, right, bottom = dark.getbbox() or (0, 0, 0, 0)
    assert abs((left + right) / 2 - 150) < 3
    assert 8 < top < bottom < 46


@needs_fonts
def test_the_text_itself_can_be_found_in_the_file() -> None:
    data = pdf.write([page("Čech")], 300, 60, "Čech")
    wanted = ("\ufeff" + "Čech").encode("utf-16-be").hex().encode()
    streams = re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)
    assert any(wanted in zlib.decompress(stream) for stream in streams)
    assert b"/Title <" + wanted + b">" in data


def test_words_of_western_europe_stay_text() -> None:
    assert b"/Image" not in pdf.write([page("Mößbauer × 2 …")], 300, 60)


def test_a_letter_that_no_font_has_is_named(tmp_path: Path) -> None:
    assert undrawable([f"a{NO_LETTER}b"]) == [NO_LETTER]
    assert undrawable(["plain \t words"]) == []
    bar = kumitate.Shape.from_text(kumitate.CUBES, "##", name=NO_LETTER)
    goal = kumitate.Shape.from_text(kumitate.CUBES, "####")
    problem = kumitate.Problem(goal, [kumitate.Piece(bar, 2)])
    assembly = next(kumitate.assemble(problem))
    for what, name in ((assembly, "a.pdf"), (problem, "a.png")):
        told: list[str] = []
        kumitate.export(what, tmp_path / name, warn=told.append)
        assert told == [f"{name}: no font on this machine has {NO_LETTER} (U+10FFFD)"]
    with pytest.warns(UserWarning, match="U\\+10FFFD"):
        kumitate.export(problem, tmp_path / "b.png")


def test_nothing_to_see_is_no_stencil() -> None:
    assert drawn(" ") is None
