"""kumitate export on the command line: what is chosen, what is said, and what goes wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys; sys.argv[0] = 'kumitate'; from kumitate.cli import main; main()"


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, "export", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_suffix_says_how_and_the_names_are_printed(tmp_path: Path) -> None:
    done = run("soma", "--to", "soma.3mf", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "soma.3mf\n7 solids, 129.83 cm³\n",
        "",
    )
    assert (tmp_path / "soma.3mf").read_bytes()[:2] == b"PK"


def test_html_names_the_page_after_the_puzzle(tmp_path: Path) -> None:
    done = run("soma", "--html", cwd=tmp_path)
    assert done.stdout == "soma.html\n"
    assert (tmp_path / "soma.html").stat().st_size < 200_000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--to FILE says what to write"),
        (("--to", "a.html", "--html"), "give either --html or --to FILE.html"),
        (("--to", "a.xyz"), "a.xyz: no kind of file"),
        (("--to", "a.gif", "--show", "sheets"), ".gif shows steps, not sheets"),
        (("--to", "a.stl", "--inset", "9"), "inset 9 mm is more than half a cell"),
        (("--to", "a.stl", "--unit", "nine"), "'nine' is no length; write 15 or 15x15x15"),
        (("--to", "a.stl", "--unit", "1x2"), "has 2 numbers; write 15 or 15x15x15"),
        (("--to", "a.stl", "--unit", "0"), "unit"),
        (("--to", "a.stl", "--bevel", "-1"), "bevel"),
        (("--to", "a.stl", "--wall", "20"), "wall"),
        (("--to", "a.stl", "--bed", "10x10"), "fits the bed of 10 x 10 mm on no side"),
        (("--to", "a.dxf", "--unit", "1x2x3"), "for printers only"),
        (("--to", "a.svg", "--show", "assembly", "--assembly", "999"), "there are not so many"),
        (("--to", "a.gif", "--solution", "999"), "there are not so many"),
        (("--to", "a.svg", "--problem", "2"), "--problem 2: there is no problem '2'; it has 3x3x3"),
        (("--to", "no/such/a.svg"), "there is no folder"),
        (
            ("--to", "a.gif", "--width", "9999"),
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
    run("evolved-box", "--to", "a.kumitate.json", "--solution", "1", cwd=tmp_path)
    saved = json.loads((tmp_path / "a.kumitate.json").read_text("utf-8"))
    assert saved["problems"][0]["answers"]["solutions"][0]["disassembly"]
    done = run("a.kumitate.json", "--to", "a.svg", "--show", "steps", cwd=tmp_path)
    assert done.returncode == 0
    assert "level 32.5.6.5.3" in (tmp_path / "a.svg").read_text("utf-8")


def test_what_does_not_come_apart_is_shown_as_it_is(tmp_path: Path) -> None:
    import kumitate

    knot = kumitate.Assembly.from_text(
        kumitate.CUBES, "AAA  AAA  AAA / AAA  ABA  AAA / AAA  AAA  AAA"
    ).problem
    kumitate.save(kumitate.Puzzle.of(knot), tmp_path / "knot.kumitate.json")
    done = run("knot.kumitate.json", "--to", "knot.html", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "knot.html\n")
    assert "no assembly that comes apart was found" in done.stderr


def test_no_assembly_at_all_is_told(tmp_path: Path) -> None:
    import kumitate

    goal = kumitate.Shape.from_text(kumitate.CUBES, "####")
    piece = kumitate.Piece(kumitate.Shape.from_text(kumitate.CUBES, "#.#"), 2)
    bent = kumitate.Puzzle.of(kumitate.Problem(goal, [piece]))
    kumitate.save(bent, tmp_path / "bent.kumitate.json")
    assert run("bent.kumitate.json", "--to", "a.html", cwd=tmp_path).returncode == 0
    goal = kumitate.Shape.from_text(kumitate.CUBES, "##.##")
    none = kumitate.Puzzle.of(kumitate.Problem(goal, [piece]))
    kumitate.save(none, tmp_path / "none.kumitate.json")
    done = run("none.kumitate.json", "--to", "b.html", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_a_run_gives_its_best_solution_or_the_one_asked_for(tmp_path: Path) -> None:
    import kumitate

    burr = kumitate.library["six-piece-burr"]
    kumitate.solve_into(tmp_path / "burr.kumitate", burr, disassemble=True)
    done = run("burr.kumitate", "--to", "best.svg", "--show", "steps", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "best.svg\n")
    assert "level 1.2" in (tmp_path / "best.svg").read_text("utf-8")
    with kumitate.open_run(tmp_path / "burr.kumitate") as opened:
        [third] = opened.page(3, 1)
    words = ("--to", "third.txt", "--solution", "3")
    assert run("burr.kumitate", *words, cwd=tmp_path).returncode == 0
    from kumitate.output.points import layers_text

    assert (tmp_path / "third.txt").read_text("utf-8") == layers_text(third.assembly)
    beyond = run("burr.kumitate", "--to", "b.txt", "--solution", "9999", cwd=tmp_path)
    assert (beyond.returncode, beyond.stderr.count("\n")) == (2, 1)


def test_a_film_is_as_wide_as_films_are_unless_one_says(tmp_path: Path) -> None:
    from PIL import Image

    for words, wide in (((), 480), (("--width", "120"), 120)):
        assert run("soma", "--to", "a.gif", "--force", *words, cwd=tmp_path).returncode == 0
        with Image.open(tmp_path / "a.gif") as film:
            assert film.width == wide


def test_an_impatient_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    import signal
    import time

    words = ["export", "eighteen-piece-burr", "--to", "a.gif", "--width", "900"]
    child = subprocess.Popen([sys.executable, "-c", PROGRAM, *words], cwd=tmp_path)
    time.sleep(2)
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=20) == 130
    assert list(tmp_path.iterdir()) == []


def test_a_larger_sheet_takes_more(tmp_path: Path) -> None:
    words = ("pentominoes/6x10", "--to", "a.dxf")
    assert run(*words, cwd=tmp_path).stdout == "a-1.dxf\na-2.dxf\n"
    assert run(*words, "--bed", "400x400", cwd=tmp_path).stdout == "a.dxf\n"
