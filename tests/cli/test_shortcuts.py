"""kumitate check --shortcuts: what it says, writes and refuses, and what a limit leaves open."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.test_progress import watch
from tests.cli.test_runs import run
from tests.fork_server import needs_fork
from tests.search.test_shortcuts import maze, room

import kumitate
from kumitate import CUBES, Assembly, Problem, Puzzle

pytestmark = needs_fork

TWISTS = "with quarter turns about the axes of the grid at tolerance"


def put(folder: Path, *assemblies: Assembly) -> str:
    """A puzzle with the problem of each assembly, as a file."""
    problems = [one.problem for one in assemblies]
    shapes = [shape for one in problems for shape in (*(p.shape for p in one.pieces), one.goal)]
    named = [Problem(one.goal, one.pieces, f"room {n}") for n, one in enumerate(problems, 1)]
    kumitate.save(Puzzle(CUBES, shapes, named, title="Rooms"), folder / "rooms.kumitate.json")
    return "rooms.kumitate.json"


def test_each_problem_is_searched(tmp_path: Path) -> None:
    told = run(tmp_path, "check", put(tmp_path, maze(), room()), "--shortcuts")
    assert told.returncode == 0
    notes = [line[6:] for line in told.stdout.splitlines() if "assembly" in line]
    assert re.fullmatch(
        "room 1: assembly 1 opens at level 1R1 with turns, at level 5 without; move 1: p1 turns a"
        r" quarter (counter-)?clockwise, seen from above \(needs no tolerance\)",
        notes[0],
    )
    assert notes[1:] == [
        f"room 1: 1 shortcut found in 1 assembly, {TWISTS} 0; other twists were not tried",
        f"room 2: no shortcut found in 1 assembly, {TWISTS} 0; other twists were not tried",
    ]
    assert re.search(r"^faults: 0, notes: \d+$", told.stdout, re.M)


@pytest.mark.parametrize(("millimetres", "found"), [("0.35mm", 0), ("0.36mm", 1)])
def test_a_tolerance_in_millimetres(tmp_path: Path, millimetres: str, found: int) -> None:
    """The bar needs 0.0359 of a cell; here a cell has 10 mm."""
    words = ("--shortcuts", "--tolerance", millimetres, "--unit", "10", "--json")
    told = run(tmp_path, "check", put(tmp_path, room()), *words)
    answer = json.loads(told.stdout)
    assert answer["complete"]
    assert len(answer["shortcuts"]) == found
    if found:
        [shortcut] = answer["shortcuts"]
        turns, solution = shortcut.pop("turns"), shortcut.pop("solution")
        assert shortcut == {
            "problem": "room 1",
            "assembly": 1,
            "ending": "stuck",
            "level": None,
            "moves": None,
            "level_with_turns": "1R1",
            "moves_with_turns": 2,
            "tolerance": 0.036,
        }
        [turn] = turns
        assert (turn["move"], turn["tolerance"]) == (1, 0.036)
        assert turn["text"].startswith("p1 turns a quarter ")
        assert "(needs a tolerance of 0.036 (0.36 mm))" in answer["findings"][-2]["text"]
        options = ("--disassemble", "--turns", "0.036", "--json")
        told = run(tmp_path, "solve", put(tmp_path, room()), *options)
        [solved] = json.loads(told.stdout)["problems"][0]["found"]
        assert solution["assembly"] == solved["assembly"]
        assert solution["disassembly"] == solved["disassembly"]


def test_a_page_plays_the_shortcut(tmp_path: Path) -> None:
    words = ("check", put(tmp_path, maze()), "--shortcuts", "-o", "page.html")
    told = run(tmp_path, *words)
    assert told.returncode == 0
    assert told.stdout.endswith("page.html\n")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h1>Rooms</h1>" in page
    assert "opens at level 1R1 with turns, at level 5 without" in page
    assert run(tmp_path, *words).returncode == 2
    assert run(tmp_path, *words, "--force").returncode == 0


def test_without_a_shortcut_there_is_no_page(tmp_path: Path) -> None:
    told = run(tmp_path, "check", put(tmp_path, room()), "--shortcuts", "-o", "page.html")
    assert told.returncode == 0
    assert told.stderr == "kumitate: page.html: not written, since no shortcut was found\n"
    assert not (tmp_path / "page.html").exists()


def test_a_limit_leaves_it_open(tmp_path: Path) -> None:
    told = run(tmp_path, "check", put(tmp_path, maze()), "--shortcuts", "--max-states", "2")
    assert told.returncode == 3
    assert "; 1 assembly may have a shortcut (given up at a limit, or unclear)" in told.stdout


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["soma", "--tolerance", "0.1"], "--tolerance needs --shortcuts"),
        (["soma", "--fine"], "--fine needs --shortcuts"),
        (["soma", "--shortcuts", "--tolerance", "a little"], "--tolerance a little: a tolerance"),
        (["soma", "--shortcuts", "--tolerance", "1mm"], "--tolerance 1mm needs the size of a cell"),
        (["soma", "--shortcuts", "--tolerance", "0.5"], "a tolerance is"),
        (["soma", "--shortcuts", "--tolerance", "9mm", "--unit", "10"], "is less than 5mm, half a"),
        (["soma", "--shortcuts", "--unit", "10"], "--unit goes with a tolerance in mm"),
        (["soma", "--shortcuts", "-o", "page.pdf"], "page.pdf: the name of a web page must end in"),
        (["kanoodle-pyramid", "--shortcuts"], "pieces turn on cubes only, not on spheres"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, words: list[str], error: str) -> None:
    told = run(tmp_path, "check", *words)
    assert told.returncode == 2
    assert told.stderr.startswith("kumitate: ")
    assert error in told.stderr
    assert told.stderr.count("\n") == 1


def test_a_long_search_shows_its_progress_and_stops_at_ctrl_c(tmp_path: Path) -> None:
    words = ["check", "t-cube", "--shortcuts", "--tolerance", "0.05"]
    _, seen, printed, status = watch(tmp_path, 100, words, seconds=20)
    assert status == 130
    assert any(re.search(r"[\d,]+ assemblies, 0 shortcuts, [\d.]+ % done, \d+ s", t) for t in seen)
    assert re.search(r"no shortcut found in [\d,]+ assemblies so far, with quarter turns", printed)
