"""One door to all formats: every suffix and view is written, the same each time, or refused."""

import json
import re
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from PIL import Image

import kumitate
from kumitate.model.errors import PuzzleError
from kumitate.model.solution import Solution
from kumitate.output.export import export
from kumitate.output.scene import scene_of
from kumitate.output.views import OF_ASSEMBLIES, VIEWS, View, view_for

SOMA = kumitate.library["soma"]
HEADS = {  # the first bytes of files
    ".3mf": b"PK\3\4",
    ".zip": b"PK\3\4",
    ".glb": b"glTF",
    ".png": b"\x89PNG",
    ".apng": b"\x89PNG",
    ".gif": b"GIF89a",
    ".pdf": b"%PDF",
    ".svg": b"<svg",
    ".html": b"<!doctype html>",
    ".dxf": b"  0\nSECTION",
    ".stl": b"kumitate",
    ".xmpuzzle": b"\x1f\x8b",
    ".kumitate.json": b"{",
}


@pytest.fixture(scope="module")
def solution() -> Solution:
    return next(kumitate.solve(SOMA.problems[0], disassemble=True))


@pytest.mark.parametrize(
    ("suffix", "view"), [(suffix, view) for suffix, views in VIEWS.items() for view in views]
)
def test_every_kind_of_file_is_written_the_same_each_time(
    suffix: str, view: View, solution: Solution, tmp_path: Path
) -> None:
    what = solution if view in OF_ASSEMBLIES else SOMA
    made = export(what, tmp_path / f"a{suffix}", show=view, width=200, puzzle=SOMA)
    first = {path: path.read_bytes() for path in made}
    assert first
    assert all(data.startswith(HEADS.get(suffix, b"")) for data in first.values() if data)
    again = export(
        what,
        tmp_path / f"a{suffix}",
        show=view,
        width=200,
        puzzle=SOMA,
        force=True,
    )
    assert {path: path.read_bytes() for path in again} == first


def test_an_existing_file_is_not_replaced_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "soma.svg"
    path.write_text("mine")
    with pytest.raises(PuzzleError, match="already exists"):
        export(SOMA, path)
    assert path.read_text() == "mine"
    export(SOMA, path, force=True)
    assert path.read_text().startswith("<svg")


def test_a_file_among_several_that_exists_stops_them_all(tmp_path: Path) -> None:
    (tmp_path / "a-Z.stl").write_text("mine")
    with pytest.raises(PuzzleError, match=r"a-Z\.stl: already exists"):
        export(SOMA, tmp_path / "a.stl", each=True)
    assert [path.name for path in tmp_path.iterdir()] == ["a-Z.stl"]


@pytest.mark.parametrize(
    ("name", "show", "words"),
    [
        ("a.foo", None, r"a.foo: unknown kind of file; use one of .stl, .3mf"),
        ("a", None, "unknown kind of file"),
        ("a.gif", "pieces", r".gif shows steps, not pieces; to show pieces, use .stl"),
        ("a.gif", "nonsense", r".gif shows steps, not nonsense$"),
    ],
)
def test_what_a_format_cannot_show_is_told(name: str, show: str | None, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        view_for(Path(name), show)


def test_steps_need_a_solution(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="to show steps, give an assembly or a solution"):
        export(SOMA, tmp_path / "a.gif")


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="there is no folder"):
        export(SOMA, tmp_path / "no" / "a.svg")


def test_a_shape_alone_is_enough(tmp_path: Path) -> None:
    tee = kumitate.Shape.from_text(kumitate.CUBES, "###/.#.", name="T")
    [made] = export(tee, tmp_path / "tee.3mf")
    model = zipfile.ZipFile(BytesIO(made.read_bytes())).read("3D/3dmodel.model").decode()
    assert 'name="T"' in model


def test_an_assembly_without_disassembly_has_just_one_pose(
    solution: Solution, tmp_path: Path
) -> None:
    [film] = export(solution.assembly, tmp_path / "a.glb")
    data = film.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    assert "animations" not in json.loads(data[20 : 20 + length])
    [film] = export(solution, tmp_path / "b.glb")
    data = film.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    assert len(json.loads(data[20 : 20 + length])["animations"]) == 1


def test_a_picture_is_as_wide_as_asked(tmp_path: Path) -> None:
    [made] = export(SOMA, tmp_path / "a.png", width=333)
    with Image.open(made) as picture:
        assert picture.width == 333


def test_pieces_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    bar, bent = (kumitate.Shape.from_text(kumitate.CUBES, t, name="a/b") for t in ("##", "##/#."))
    puzzle = kumitate.Puzzle(kumitate.CUBES, [bar, bent])
    made = export(puzzle, tmp_path / "p.stl", each=True)
    assert [path.name for path in made] == ["p-a_b-1.stl", "p-a_b-2.stl"]


def test_the_puzzle_gives_its_title(solution: Solution, tmp_path: Path) -> None:
    [made] = export(solution, tmp_path / "a.html", puzzle=SOMA)
    assert "Soma cube" in made.read_text("utf-8")
    [made] = export(SOMA, tmp_path / "a.svg")
    assert "Soma cube" in "".join(fromstring(made.read_text("utf-8")).itertext())


def test_a_puzzle_may_be_named_in_its_comment(solution: Solution, tmp_path: Path) -> None:
    """As in files of BurrTools, which have no other place for it."""
    puzzle = replace(SOMA, title="", designer="", comment="Name: Soma\nDesigned by: Piet Hein")
    for name, show in (("a.html", None), ("b.html", "booklet"), ("c.pdf", None)):
        [made] = export(solution, tmp_path / name, show=show, puzzle=puzzle)  # type: ignore[arg-type]
        text = made.read_text("latin-1")
        assert ("<title>Soma</title>" if name != "c.pdf" else "/Title (Soma)") in text
    assert "by Piet Hein" in (tmp_path / "a.html").read_text("utf-8")


def test_a_piece_has_the_colour_that_it_has_in_the_assembly(tmp_path: Path) -> None:
    """Also if a piece before it is used by no assembly, or is entered twice."""
    one, bar, ell = (
        kumitate.Shape.from_text(kumitate.CUBES, text, name=name)
        for text, name in (("#", "one"), ("##", "bar"), ("##/#.", "ell"))
    )
    goal = kumitate.Shape.from_text(kumitate.CUBES, "###/###/#..")
    pieces = [kumitate.Piece(one, 0), *[kumitate.Piece(bar)] * 2, kumitate.Piece(ell)]
    problem = kumitate.Problem(goal, pieces)
    scene = scene_of(next(kumitate.assemble(problem)))
    colour = {body.name: body.colour for body in scene.bodies}["ell"]
    [made] = export(problem, tmp_path / "a.3mf")
    model = zipfile.ZipFile(BytesIO(made.read_bytes())).read("3D/3dmodel.model").decode()
    materials = re.findall('<base name="([^"]*)" displaycolor="(#[0-9A-F]{6})', model)
    assert colour in {found for _, found in materials}
    assert len({found for _, found in materials}) == 2


@pytest.mark.parametrize("name", ["a.stl", "a.3mf", "a.dxf"])
def test_nothing_to_make_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="there are no pieces to"):
        export(kumitate.Puzzle(kumitate.CUBES), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
