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
from kumitate.output.draw import pdf
from kumitate.output.draw.marks import Drawing, Placed, Text
from kumitate.output.draw.words import NO_LETTER, drawn, undrawable
from kumitate.output.make.strokes import lacking, strokes_of

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
        assert told == [f"{name}: no font on this machine has U+10FFFD; install one that does"]
    with pytest.warns(UserWarning, match="U\\+10FFFD"):
        kumitate.export(problem, tmp_path / "b.png")


def test_nothing_to_see_is_no_stencil() -> None:
    assert drawn(" ") is None


@needs_fonts
@pytest.mark.parametrize("word", ["Ж", "ქ"])
def test_a_letter_that_no_font_has_takes_no_other_with_it(word: str, tmp_path: Path) -> None:
    """Wherever it stands; resvg looks for no more fonts after one letter that none has."""
    if undrawable([word]):
        pytest.skip(f"no font here has {word}")
    alone, missing = drawn(word), drawn(NO_LETTER)
    assert alone
    assert missing
    for both in (word + NO_LETTER, NO_LETTER + word):
        made = drawn(both)
        assert made
        letters = Image.frombytes("1", made.size, made.pixels)
        left = letters.crop((0, 0, alone.size[0], made.size[1]))
        right = letters.crop((made.size[0] - alone.size[0], 0, *made.size))
        part = left if both.startswith(word) else right
        ink = [255 - n for n in part.convert("L").tobytes()]
        letter = Image.frombytes("1", alone.size, alone.pixels).convert("L")
        assert sum(ink) == pytest.approx(sum(255 - n for n in letter.tobytes()), rel=0.02)
    bar = kumitate.Shape.from_text(kumitate.CUBES, "##", name=NO_LETTER + word)
    other = bar.named(NO_LETTER * 2)
    pictures = []
    for shape in (bar, other):
        goal = kumitate.Shape.from_text(kumitate.CUBES, "##")
        problem = kumitate.Problem(goal, [kumitate.Piece(shape)])
        kumitate.export(problem, tmp_path / "a.png", warn=lambda words: None, force=True)
        pictures.append((tmp_path / "a.png").read_bytes())
    assert pictures[0] != pictures[1]


# ---- engraved ----


def test_letters_that_cannot_be_engraved_are_left_out_and_named(tmp_path: Path) -> None:
    shapes = [
        kumitate.Shape.from_text(kumitate.CUBES, "###", name=name) for name in ("ČX日", "X", "É")
    ]
    made = [
        kumitate.solid(shape, kumitate.PrintOptions(unit=20, label=True)).volume for shape in shapes
    ]
    assert made[0] == made[1] < made[2]
    bare = kumitate.solid(shapes[2].named(""), kumitate.PrintOptions(unit=20, label=True)).volume
    assert made[2] == bare
    goal = kumitate.Shape.from_text(kumitate.CUBES, "###/###/###")
    problem = kumitate.Problem(goal, [kumitate.Piece(shape) for shape in shapes])
    plate = kumitate.Shape.from_text(kumitate.CUBES, "###/###/###")
    flat = kumitate.Problem(plate, [kumitate.Piece(shape) for shape in shapes])
    label = kumitate.PrintOptions(label=True)
    exports = (
        ("a.stl", problem, label, None), ("a.dxf", flat, None, None),
        ("a.svg", flat, None, "sheets"), ("b.svg", flat, None, "sticks"),
        ("a.glb", next(kumitate.assemble(problem)), label, "assembly"),
    )  # fmt: skip
    for name, what, options, show in exports:
        told: list[str] = []
        kumitate.export(what, tmp_path / name, options=options, show=show, warn=told.append)  # type: ignore[arg-type]
        assert told == [
            f"{name}: names cannot be engraved or drawn with É (U+00C9), Č (U+010C), 日 (U+65E5),"
            " which are left out; name the pieces with A to Z and digits"
        ]
    told = []
    kumitate.export(problem, tmp_path / "c.stl", warn=told.append)  # nothing is engraved
    kumitate.export(kumitate.library["soma"], tmp_path / "d.stl", options=label, warn=told.append)
    assert told == []


def test_letters_look_like_no_others_when_engraved() -> None:
    assert strokes_of("eé") == strokes_of("ee\u0301") == strokes_of("e")
    assert strokes_of("ı") == strokes_of("ß") == []
    assert strokes_of("a\u00a0b") == strokes_of("a b")
    assert lacking(["eé", "e\u0301x\u030c", "a b-#"]) == ["é", "\u030c"]


def test_a_warning_shows_no_letter_that_could_play_tricks_on_a_terminal(tmp_path: Path) -> None:
    bar = kumitate.Shape.from_text(kumitate.CUBES, "##", name="A\x1b\u202eé")
    told: list[str] = []
    kumitate.export(bar, tmp_path / "a.dxf", warn=told.append)
    assert "with U+001B, é (U+00E9), U+202E, which" in told[0]
    assert told[0].isprintable()
