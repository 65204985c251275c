"""kumitate export on the command line: what is chosen, what is said, and what goes wrong."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.children import MAIN, interrupted
from tests.fork_server import Run, run_kumitate

import kumitate
from kumitate.burr6 import burr_stick
from kumitate.output.formats.points import layers_text, points_csv
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import ExportRequest
from kumitate.studio.serve.exporting import make

PROGRAM = "import sys; sys.argv[0] = 'kumitate'; from kumitate.cli import main; main()"


def run(*words: str, cwd: Path) -> Run:
    return run_kumitate(cwd, "export", *words)


def test_the_suffix_says_how_and_the_names_are_printed(tmp_path: Path) -> None:
    done = run("soma", "--output", "soma.3mf", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "soma.3mf\n7 solids, 129.83 cm³\n",
        "",
    )
    assert (tmp_path / "soma.3mf").read_bytes()[:2] == b"PK"
    assert run("soma", "-o", "soma.txt", cwd=tmp_path).stdout == "soma.txt\n"


def test_html_names_the_page_after_the_puzzle(tmp_path: Path) -> None:
    done = run("soma", "--html", cwd=tmp_path)
    assert done.stdout == "soma.html\n"
    assert "<title>Soma cube</title>" in (tmp_path / "soma.html").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--output FILE is missing"),
        (("--output", "a.html", "--html"), "--html cannot be combined with --output"),
        (("--output", "a.xyz"), ".txt, .dxf, .json, .graphml"),
        (("--output", "a.stl", "--assembly", "999"), "--assembly has no effect on a.stl (pieces)"),
        (("--output", "a.svg", "--unit", "3"), "(pieces); it is for --show sheets, sticks"),
        (("--output", "a.svg", "--inset", "99"), "--inset has no effect"),
        (("--output", "a.svg", "--wall", "2"), "it is for .stl, .3mf, .obj, .scad, .glb"),
        (("--output", "a.svg", "--label"), "--label has no effect"),
        (("--output", "a.svg", "--bevel-units"), "--bevel-units has no effect"),
        (("--output", "a.svg", "--width", "90"), "it is for .png, .gif, .apng"),
        (("--output", "a.svg", "--max-states", "9"), "it is for .graphml"),
        (("--output", "a.json", "--show", "pieces"), "--show has no effect on a.json; it is for"),
        (("--output", "a.dxf", "--gap", "2"), "--gap has no effect"),
        (("--output", "a.stl", "--show", "box", "--bevel", "2"), "--bevel has no effect"),
        (("--output", "a.stl", "--show", "assembly", "--each"), "it is for --show pieces, box"),
        (("--output", "a.stl", "--neck", "0.4"), "only balls have necks"),
        (
            ("--output", "a.gif", "--assembly", "1", "--solution", "1"),
            "--assembly cannot be combined with --solution",
        ),
        (("--output", "a.txt", "--solution", "9" * 20), "--solution"),
        (("--output", "a.gif", "--show", "sheets"), ".gif shows steps, not sheets"),
        (("--output", "a.stl", "--inset", "9"), "inset 9 mm leaves nothing of a cell"),
        (("--output", "a.stl", "--unit", "nine"), "'nine' is not a length; write 15 or 15x15x15"),
        (("--output", "a.stl", "--unit", "1x2"), "has 2 numbers; write 15 or 15x15x15"),
        (("--output", "a.stl", "--unit", "0"), "unit"),
        (("--output", "a.stl", "--bevel", "-1"), "bevel"),
        (("--output", "a.stl", "--wall", "20"), "wall"),
        (("--output", "a.stl", "--bed", "10x10"), "does not fit the bed of 10 x 10 mm on any side"),
        (("--output", "a.dxf", "--unit", "1x2x3"), "only 3D files can have"),
        (
            ("--output", "a.svg", "--show", "assembly", "--assembly", "999"),
            "the puzzle has 240 assemblies",
        ),
        (("--output", "a.gif", "--solution", "999"), "the puzzle has 240 solutions"),
        (
            ("--output", "a.svg", "--problem", "2"),
            "--problem 2: there is no problem '2'; the puzzle has 3x3x3",
        ),
        (("--output", "no/such/a.svg"), "there is no folder"),
        (
            ("--output", "a.gif", "--width", "9999"),
            "pixels wide cannot be made; choose from 1",
        ),
    ],
)
def test_a_slip_is_one_line_and_writes_nothing(
    words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    done = run("soma", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_solution_saved_in_the_file_comes_first(tmp_path: Path) -> None:
    run("evolved-box", "--output", "a.kumitate.json", "--solution", "1", cwd=tmp_path)
    saved = json.loads((tmp_path / "a.kumitate.json").read_text("utf-8"))
    assert saved["problems"][0]["answers"]["solutions"][0]["disassembly"]
    done = run("a.kumitate.json", "--output", "a.svg", "--show", "steps", cwd=tmp_path)
    assert done.returncode == 0
    assert "level 32.5.6.5.3" in (tmp_path / "a.svg").read_text("utf-8")


@pytest.fixture
def burr(tmp_path: Path) -> kumitate.Problem:
    """Six sticks in burr.kumitate.json; of four assemblies only the last comes apart."""
    solid = kumitate.library["six-piece-burr"].problems[0].goal
    inner = {
        cell
        for cell in solid.cells
        if all(1 <= at - low <= 4 for at, low in zip(cell, solid.corner, strict=False))
    }
    goal = kumitate.Shape(kumitate.CUBES, solid.cells, inner, name="burr")
    numbers = (828, 824, 489, 1024, 792, 1007)
    problem = kumitate.Problem(goal, [kumitate.Piece(burr_stick(n)) for n in numbers])
    kumitate.save(kumitate.Puzzle.of(problem), tmp_path / "burr.kumitate.json")
    return problem


def test_one_assembly_is_the_first_that_comes_apart(burr: kumitate.Problem, tmp_path: Path) -> None:
    every = list(kumitate.assemble(burr))
    assert [kumitate.examine(one).ending for one in every] == ["rigid"] * 3 + ["apart"]
    for words in (("assembly", "png"), ("exploded", "svg"), ("layers", "svg"), ("assembly", "stl")):
        view, suffix = words
        show = ("burr.kumitate.json", "--show", view)
        by_itself = run(*show, "-o", f"a-{view}.{suffix}", cwd=tmp_path)
        assert (by_itself.returncode, by_itself.stderr) == (0, "")
        run(*show, "-o", f"b-{view}.{suffix}", "--assembly", "4", cwd=tmp_path)
        run(*show, "-o", f"c-{view}.{suffix}", "--assembly", "1", cwd=tmp_path)
        a, b, c = ((tmp_path / f"{n}-{view}.{suffix}").read_bytes() for n in "abc")
        assert a == b != c
    for suffix, text in ((".txt", layers_text), (".csv", points_csv)):
        assert run("burr.kumitate.json", "-o", f"a{suffix}", cwd=tmp_path).stderr == ""
        assert (tmp_path / f"a{suffix}").read_text("utf-8") == text(every[3])


def test_if_no_assembly_comes_apart_that_is_said(burr: kumitate.Problem, tmp_path: Path) -> None:
    kumitate.solve_into(tmp_path / "rigid.kumitate", kumitate.Puzzle.of(burr), limit=3)
    done = run("rigid.kumitate", "-o", "a.txt", cwd=tmp_path)
    words = "none of the 3 assemblies looked at comes apart; showing the first"
    assert (done.returncode, done.stderr) == (0, f"kumitate: {words}\n")
    assert (tmp_path / "a.txt").read_text("utf-8") == layers_text(next(kumitate.assemble(burr)))


def test_saved_assemblies_are_tried_before_any_search(
    burr: kumitate.Problem, tmp_path: Path
) -> None:
    every = list(kumitate.assemble(burr))
    turned = kumitate.Assembly(burr, next(_rotations(burr)).placements)
    saved = kumitate.Answers([kumitate.Solution(every[1]), kumitate.Solution(turned)])
    document = kumitate.Document(kumitate.Puzzle.of(burr), [saved])
    kumitate.write(document, tmp_path / "saved.kumitate.json")
    assert run("saved.kumitate.json", "-o", "a.txt", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.txt").read_text("utf-8") == layers_text(turned) != layers_text(every[3])


def _rotations(problem: kumitate.Problem) -> Iterator[kumitate.Assembly]:
    """The assemblies that come apart but are not the one that stands for its class."""
    first = {str(one) for one in kumitate.assemble(problem)}
    for one in kumitate.assemble(problem, rotations=True):
        if str(one) not in first and kumitate.disassemble(one):
            yield one


def test_a_run_that_takes_nothing_apart_shows_what_does_come_apart(
    burr: kumitate.Problem, tmp_path: Path
) -> None:
    kumitate.solve_into(tmp_path / "burr.kumitate", kumitate.Puzzle.of(burr))
    fourth = list(kumitate.assemble(burr))[3]
    assert run("burr.kumitate", "-o", "a.txt", cwd=tmp_path).stderr == ""
    assert (tmp_path / "a.txt").read_text("utf-8") == layers_text(fourth)
    done = run("burr.kumitate", "-o", "b.txt", "--assembly", "1", cwd=tmp_path)
    assert "use --solution N for the N-th solution it keeps" in done.stderr
    done = run("burr.kumitate", "-o", "b.txt", "--problem", "2", cwd=tmp_path)
    assert "--problem 2: there is no problem '2'; the puzzle has 1" in done.stderr


def test_a_graph_is_of_the_assembly_asked_for(burr: kumitate.Problem, tmp_path: Path) -> None:
    every = list(kumitate.assemble(burr))
    first, fourth = (kumitate.explore(every[n]).to_graphml() for n in (0, 3))
    assert first != fourth
    kumitate.solve_into(tmp_path / "run.kumitate", kumitate.Puzzle.of(burr), disassemble=True)
    for words in (
        ("burr.kumitate.json",),
        ("burr.kumitate.json", "--solution", "1"),
        ("burr.kumitate.json", "--assembly", "4"),
        ("run.kumitate",),
        ("run.kumitate", "--solution", "1"),
    ):
        done = run(*words, "-o", "a.graphml", "--force", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / "a.graphml").read_text("utf-8") == fourth
    run("burr.kumitate.json", "--assembly", "1", "-o", "b.graphml", cwd=tmp_path)
    assert (tmp_path / "b.graphml").read_text("utf-8") == first


def test_an_assembly_that_is_asked_for_is_taken_apart_for_a_film(
    burr: kumitate.Problem, tmp_path: Path
) -> None:
    show = ("burr.kumitate.json", "--show", "steps")
    done = run(*show, "-o", "a.svg", "--assembly", "4", cwd=tmp_path)
    assert done.stderr == ""
    assert "level" in (tmp_path / "a.svg").read_text("utf-8")
    done = run(*show, "-o", "b.svg", "--assembly", "1", cwd=tmp_path)
    assert done.stderr == "kumitate: the assembly does not come apart\n"


def test_what_does_not_come_apart_is_shown_as_it_is(tmp_path: Path) -> None:
    knot = kumitate.Assembly.from_text(
        kumitate.CUBES, "AAA  AAA  AAA / AAA  ABA  AAA / AAA  AAA  AAA"
    ).problem
    kumitate.save(kumitate.Puzzle.of(knot), tmp_path / "knot.kumitate.json")
    done = run("knot.kumitate.json", "--output", "knot.html", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "knot.html\n")
    assert done.stderr == "kumitate: the assembly does not come apart\n"


def test_no_assembly_at_all_is_told(tmp_path: Path) -> None:
    goal = kumitate.Shape.from_text(kumitate.CUBES, "####")
    piece = kumitate.Piece(kumitate.Shape.from_text(kumitate.CUBES, "#.#"), 2)
    bent = kumitate.Puzzle.of(kumitate.Problem(goal, [piece]))
    kumitate.save(bent, tmp_path / "bent.kumitate.json")
    assert run("bent.kumitate.json", "--output", "a.html", cwd=tmp_path).returncode == 0
    goal = kumitate.Shape.from_text(kumitate.CUBES, "##.##")
    none = kumitate.Puzzle.of(kumitate.Problem(goal, [piece]))
    kumitate.save(none, tmp_path / "none.kumitate.json")
    done = run("none.kumitate.json", "--output", "b.html", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_a_run_gives_its_best_solution_or_the_one_asked_for(tmp_path: Path) -> None:
    burr = kumitate.library["six-piece-burr"]
    kumitate.solve_into(tmp_path / "burr.kumitate", burr, disassemble=True)
    done = run("burr.kumitate", "--output", "best.svg", "--show", "steps", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "best.svg\n")
    assert "level 1.2" in (tmp_path / "best.svg").read_text("utf-8")
    with kumitate.open_run(tmp_path / "burr.kumitate") as opened:
        [third] = opened.page(3, 1)
    words = ("--output", "third.txt", "--solution", "3")
    assert run("burr.kumitate", *words, cwd=tmp_path).returncode == 0
    assert (tmp_path / "third.txt").read_text("utf-8") == layers_text(third.assembly)
    beyond = run("burr.kumitate", "--output", "b.txt", "--solution", "9999", cwd=tmp_path)
    assert (beyond.returncode, beyond.stderr.count("\n")) == (2, 1)


def test_a_film_is_as_wide_as_films_are_unless_one_says(tmp_path: Path) -> None:
    from PIL import Image

    for words, wide in (((), 480), (("--width", "120"), 120)):
        assert run("soma", "--output", "a.gif", "--force", *words, cwd=tmp_path).returncode == 0
        with Image.open(tmp_path / "a.gif") as film:
            assert film.width == wide


def test_an_impatient_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    words = ["export", "eighteen-piece-burr", "--output", "a.gif", "--width", "900"]
    status, *_ = interrupted([*MAIN, *words], 1.5, tmp_path)
    assert status == 130
    assert list(tmp_path.iterdir()) == []


def test_the_search_for_an_assembly_is_watched_and_stopped(tmp_path: Path) -> None:
    seen, terminal = pty.openpty()
    words = ["export", "bedlam", "-o", "a.txt", "--assembly", "2000000000"]
    child = subprocess.Popen([sys.executable, "-c", PROGRAM, *words], cwd=tmp_path, stderr=terminal)
    os.close(terminal)
    told = b""
    while b"assemblies looked at" not in told:
        told += os.read(seen, 4096)
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=60) == 130
    os.close(seen)
    assert list(tmp_path.iterdir()) == []


def test_a_larger_sheet_takes_more(tmp_path: Path) -> None:
    words = ("pentominoes/6x10", "--output", "a.dxf")
    assert run(*words, cwd=tmp_path).stdout == "a-1.dxf\na-2.dxf\n"
    assert run(*words, "--bed", "400x400", cwd=tmp_path).stdout == "a.dxf\n"


def test_a_limit_is_named_as_the_command_line_names_it(tmp_path: Path) -> None:
    box = kumitate.Assembly.from_text(
        kumitate.CUBES, "AAAAA AAAAA AAAAA / AAAAA AB..A AAA.A / AAAAA AAAAA AAAAA"
    )
    kumitate.save(kumitate.Puzzle.of(box.problem), tmp_path / "box.kumitate.json")
    words = ("box.kumitate.json", "-o", "a.graphml", "--max-states")
    done = run(*words, "2", cwd=tmp_path)
    assert done.stderr == "kumitate: more than 2 states; raise --max-states\n"
    assert run(*words, "3", cwd=tmp_path).returncode == 0


def test_the_studio_shows_the_same(burr: kumitate.Problem, tmp_path: Path) -> None:
    puzzle = kumitate.Puzzle.of(burr)
    kumitate.solve_into(tmp_path / "run.kumitate", puzzle)
    kumitate.solve_into(tmp_path / "rigid.kumitate", puzzle, limit=3)
    request = ExportRequest(puzzle_data(puzzle), to=".txt")
    made = make(request, tmp_path / "run.kumitate", tmp_path)
    fourth = list(kumitate.assemble(burr))[3]
    assert (tmp_path / made.name).read_text("utf-8") == layers_text(fourth)
    assert made.lost == []
    (tmp_path / made.name).unlink()
    made = make(request, tmp_path / "rigid.kumitate", tmp_path)
    assert made.lost == ["none of the 3 assemblies looked at comes apart; showing the first"]


def test_a_puzzle_without_a_name_is_called_as_its_own_file(tmp_path: Path) -> None:
    soma = replace(kumitate.library["soma"], title="", comment="")
    kumitate.save(soma, tmp_path / "seven.kumitate.json")
    for suffix, title in (("html", "<title>seven</title>"), ("pdf", "/Title (seven)")):
        assert run("seven.kumitate.json", "-o", f"a.{suffix}", cwd=tmp_path).returncode == 0
        assert title in (tmp_path / f"a.{suffix}").read_text("latin-1")
    assert run("seven.kumitate.json", "-o", "b.json", cwd=tmp_path).returncode == 0
    assert kumitate.load(tmp_path / "b.json").title == ""


def test_a_sheet_of_one_problem_shows_what_that_needs(tmp_path: Path) -> None:
    words = ("pentominoes", "-o", "a.svg", "--problem", "1")
    assert run(*words, cwd=tmp_path).returncode == 0
    drawn = (tmp_path / "a.svg").read_text("utf-8")
    first, second, *_ = kumitate.library["pentominoes"].problems
    assert f">{first.goal.name}<" in drawn
    assert f">{second.goal.name}<" not in drawn


@pytest.mark.parametrize("name", ["x.stl", "x.svg", "x.graphml", "x.json"])
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    """No file can be made below /proc, not even by root."""
    refused = run("soma", "--output", f"/proc/{name}", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr == f"kumitate: /proc/{name}: no such file or directory\n"


def test_a_name_of_bytes_that_are_no_text_is_kept(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.obj")
    words = [*MAIN, "export", "soma", "--output", name]
    subprocess.run(words, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    assert b"mtllib \xff.mtl\n" in (tmp_path / name).read_bytes()
