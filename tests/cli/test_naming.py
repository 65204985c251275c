"""One way to name a puzzle and its problem, and one way to name an output, in every command."""

import json
import os
from pathlib import Path

import pytest
from tests.cli.test_runs import run

import kumitate
from kumitate import CUBES, Piece, Problem, Puzzle, Shape
from kumitate.cli import cli

BAR, DOT = Shape.from_text(CUBES, "##", name="bar"), Shape.from_text(CUBES, "#", name="dot")
ROW, SQUARE = Shape.from_text(CUBES, "####", name="row"), Shape.from_text(CUBES, "##/##", name="sq")
TWO = Puzzle(
    CUBES,
    [BAR, DOT, ROW, SQUARE],
    [Problem(ROW, [Piece(BAR, 2)], "in a row"), Problem(SQUARE, [Piece(DOT, 4)])],
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    kumitate.save(TWO, tmp_path / "two.xmpuzzle")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["two.xmpuzzle/2"],
        ["two.xmpuzzle", "--problem", "2"],
        ["./two.xmpuzzle/2"],
    ],
)
def test_a_problem_of_a_file_is_named_by_its_number(folder: Path, words: list[str]) -> None:
    [counted] = json.loads(run(folder, "count", *words, "--json").stdout)["problems"]
    assert (counted["pieces"], counted["assemblies"]) == (4, 1)
    [first] = json.loads(run(folder, "first", *words, "--json").stdout)["problems"]
    assert len(first["found"][0]["assembly"]) == 4
    shown = run(folder, "show", *words).stdout
    assert "dot" in shown
    assert "bar" not in shown
    made = run(folder, "convert", *words, "-o", "one.kumitate.json")
    assert (made.returncode, made.stderr) == (0, "")
    assert kumitate.load(folder / "one.kumitate.json").problems == TWO.problems[1:]
    kept = run(folder, "solve", *words, "-o", "run.kumitate")
    assert kept.stdout.startswith("1 assembly (")
    made = run(folder, "shapes", *words, "-o", "shapes.json")
    assert made.stdout == "1 shape in shapes.json\n"
    assert run(folder, "check", *words).returncode == 0


def test_or_by_its_name(folder: Path) -> None:
    for words in (["two.xmpuzzle/in a row"], ["two.xmpuzzle", "--problem", "in a row"]):
        [told] = json.loads(run(folder, "count", *words, "--json").stdout)["problems"]
        assert told["problem"] == "in a row"
    for words in (["pentominoes/3x20"], ["pentominoes/4"], ["pentominoes", "--problem", "3x20"]):
        [told] = json.loads(run(folder, "count", *words, "--json").stdout)["problems"]
        assert (told["problem"], told["assemblies"]) == ("3x20", 2)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            "show two.xmpuzzle/3",
            "two.xmpuzzle/3: there is no problem '3'; the puzzle has in a row, 2",
        ),
        (
            "count two.xmpuzzle --problem x",
            "--problem x: there is no problem 'x'; the puzzle has in a row",
        ),
        ("show soma/0", "soma/0: there is no problem '0'; the puzzle has 3x3x3"),
        ("show soma/" + "9" * 5000, "soma/999"),
        ("show p.xmpuzzle/1", "p.xmpuzzle/1: no such file"),
        ("show nosuch.json", "nosuch.json: no such file"),
        (
            "solve two.xmpuzzle -o x.kumitate",
            "--output needs one problem, but there are 2; choose with --problem",
        ),
        (
            "first two.xmpuzzle -o x.json",
            "--output needs one problem, but there are 2; choose with",
        ),
        ("pack two.xmpuzzle -o x.json", "--output needs one problem, but there are 2; choose with"),
        ("shapes two.xmpuzzle -o x.json", "shapes needs one problem, but there are 2; choose with"),
        ("search two.xmpuzzle --cut 2", "search needs one problem, but there are 2; choose with"),
        ("show two.xmpuzzle --solution 1", "--solution needs one problem, but there are 2; choose"),
    ],
)
def test_a_name_that_means_nothing_is_one_line(folder: Path, words: str, complaint: str) -> None:
    refused = run(folder, *words.split())
    assert (refused.returncode, refused.stdout) == (2, "")
    [line] = refused.stderr.splitlines()
    assert line.startswith(f"kumitate: {complaint}"), line
    assert [path.name for path in folder.iterdir()] == ["two.xmpuzzle"]


def test_first_and_pack_go_through_all_problems_as_solve_does(folder: Path) -> None:
    for command in ("solve", "count", "first", "pack"):
        told = json.loads(run(folder, command, "two.xmpuzzle", "--json").stdout)["problems"]
        assert [row["problem"] for row in told] == ["in a row", ""]
    shown = run(folder, "first", "two.xmpuzzle").stdout
    assert "in a row: 2 bar fill row" in shown
    assert "4 dot fill sq" in shown


def test_every_output_is_named_alike() -> None:
    for name, command in cli.commands.items():
        options = [option for parameter in command.params for option in parameter.opts]
        assert not {"--save", "--graph"} & set(options)
        assert [p.name for p in command.params if p.param_type_name == "argument"] in (
            [],
            ["puzzle"],
            ["goal"],  # of a design: a puzzle, a box or a family
            ["words"],
            ["folder", "puzzles"],  # of a site: where it goes, and what is on it
        )
        if "--output" in options:
            assert "-o" in options, name
        if "puzzle" in [p.name for p in command.params] and name != "studio":
            assert "--problem" in options, name


# ---- outputs are safe ----


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("solve soma --output r.json", "r.json: the name of a run or collection must end in"),
        ("solve soma --output .kumitate", ".kumitate: the name of a run or collection must end in"),
        ("search soma --cut 5 -o r.sqlite --samples 1", "r.sqlite: unknown kind of file; use .k"),
        ("first t-cube --engine local -o f.txt", "f.txt: unknown kind of file; use .kumitate.json"),
        ("first t-cube --engine local -o no/f.csv", "there is no folder no; create it first"),
        ("first kanoodle-pyramid -o f.scad", "f.scad: puzzlecad prints cubes, and"),
        ("pack soma -o f.col", "f.col: unknown kind of file; use .kumitate.json, "),
        ("first soma -o box.json", "box.json: is a folder; give the name of a file"),
        (
            "shapes soma -o f.stl",
            "f.stl: unknown kind of file; use .kumitate.json, .json (or .json.gz)",
        ),
        (
            "convert soma -o f.txt",
            "f.txt: unknown kind of file; use .kumitate.json, .json (or .json.gz)",
        ),
        ("solve soma -o mine.kumitate --force", "mine.kumitate: neither a run nor a collection of"),
        ("search soma --cut 4 -o mine.kumitate --force", "mine.kumitate: neither a run nor a coll"),
    ],
)
def test_an_output_is_checked_before_any_search(tmp_path: Path, words: str, complaint: str) -> None:
    """Most of these searches would not end soon."""
    (tmp_path / "mine.kumitate").write_text("mine")
    (tmp_path / "box.json").mkdir()
    refused = run(tmp_path, *words.split())
    assert (refused.returncode, refused.stdout) == (2, "")
    [line] = refused.stderr.splitlines()
    assert line.startswith(f"kumitate: {complaint}"), line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["box.json", "mine.kumitate"]
    assert (tmp_path / "mine.kumitate").read_text() == "mine"


def test_a_run_replaces_a_run_or_a_collection(tmp_path: Path) -> None:
    assert run(tmp_path, "solve", "soma", "--limit", "3", "-o", "x.kumitate").returncode == 0
    words = ["soma", "--cut", "4", "--samples", "3", "-o", "x.kumitate"]
    assert "already exists" in run(tmp_path, "search", *words).stderr
    assert run(tmp_path, "search", *words, "--force").returncode == 0
    done = run(tmp_path, "solve", "soma", "--limit", "5", "-o", "x.kumitate", "--force")
    assert done.returncode == 0
    assert kumitate.open_run(tmp_path / "x.kumitate").summary().assemblies == 5


def test_a_search_may_keep_all_and_save_the_best(tmp_path: Path) -> None:
    words = ["soma", "--cut", "4", "--samples", "3", "-o", "all.kumitate", "-o", "best.xmpuzzle"]
    assert run(tmp_path, "search", *words).returncode == 0
    assert kumitate.load(tmp_path / "best.xmpuzzle").problems
    more = ["--resume", "all.kumitate", "--samples", "5", "-o", "more.json"]
    assert run(tmp_path, "search", *more).returncode == 0
    assert kumitate.load(tmp_path / "more.json").problems


# ---- what the system refuses ----


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a folder that takes no files is needed")
@pytest.mark.parametrize("name", ["x.csv", "x.col", "x.json"])
def test_a_place_that_takes_no_file_is_named(tmp_path: Path, name: str) -> None:
    refused = run(tmp_path, "first", "soma", "-o", f"/proc/{name}")
    assert refused.returncode == 2
    [line] = refused.stderr.splitlines()
    assert line.startswith(f"kumitate: /proc/{name}: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("command", ["show", "check", "solve", "first", "export"])
def test_a_folder_that_cannot_be_entered_is_one_line(tmp_path: Path, command: str) -> None:
    (tmp_path / "shut").mkdir(mode=0)
    refused = run(tmp_path, command, "shut/x.xmpuzzle")
    assert refused.stderr == "kumitate: shut/x.xmpuzzle: permission denied\n"
    assert refused.returncode == 2


LONG = "x" * 300 + ".json"


@pytest.mark.parametrize(
    "words",
    [
        *([name, LONG] for name in cli.commands if name not in ("library", "studio", "burr6")),
        *([name, "soma", "-o", LONG] for name in ("convert", "shapes", "first", "pack")),
        ["solve", "--resume", LONG],
        ["search", "--resume", LONG],
        ["solve", "soma", "-o", "x" * 300 + ".kumitate"],
    ],
    ids=lambda words: " ".join(words)[:20],
)
def test_a_name_that_is_too_long_is_one_line(tmp_path: Path, words: list[str]) -> None:
    more = {"convert": ["-o", "a.json"], "shapes": ["-o", "a.json"]}
    if words[1] == LONG:
        words = [*words, *more.get(words[0], [])]
    refused = run(tmp_path, *words)
    assert (refused.returncode, refused.stdout) == (2, "")
    [line] = refused.stderr.splitlines()
    assert "xxx" in line
    assert line.endswith("name too long")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        "solve soma --output x.kumitate --limit",
        "solve soma --limit",
        "shapes soma -o x.json --limit",
        "first soma --seed",
        "pack soma --seed",
        "search soma --cut 3 --seed",
        "solve soma --disassemble --max-states",
        "solve soma --disassemble --max-moves",
        "show soma --solution",
        "export soma --solution",
        "export soma --assembly",
        "burr6 --sample 2 --seed",
    ],
)
def test_a_number_that_is_too_large_is_one_line(tmp_path: Path, words: str) -> None:
    refused = run(tmp_path, *words.split(), str(2**63))
    assert (refused.returncode, refused.stdout) == (2, "")
    [line] = refused.stderr.splitlines()
    assert f"{2**63} is too large" in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.sep == "\\", reason="backslashes separate folders here")
def test_files_and_folders_may_have_spaces_umlauts_and_backslashes(tmp_path: Path) -> None:
    """All on the way from a puzzle to its solutions, a drawing of them and solids."""
    folder = tmp_path / "Würfel und\\Stäbe"
    folder.mkdir()
    puzzle, found = "böse \\n.kumitate.json", "gelöst \\1.kumitate"
    assert run(folder, "convert", "soma", "-o", puzzle).returncode == 0
    assert run(folder, "count", f"{puzzle}/1").stdout.startswith("240 assemblies")
    solved = run(folder, "solve", puzzle, "-o", found)
    assert f"kept: 240 in {found}" in solved.stdout
    for name in ("Bild \\a.svg", "Körper \\b.stl"):
        made = run(folder, "export", found, "-o", name)
        assert (made.returncode, made.stderr) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [puzzle, found, "Bild \\a.svg", "Körper \\b.stl"]
    )
