"""Turns on the command line: the option, JSON, runs that are resumed, clusters, other formats."""

import json
from pathlib import Path

import pytest
from tests.cli.test_found import solutions_of
from tests.cli.test_runs import run
from tests.search.test_turns import box, room

import kumitate
from kumitate import CUBES, Assembly, Move, Piece, Problem, Puzzle, Rotation, Shape
from kumitate.grids import PRISMS
from kumitate.model.geometry import Cell
from kumitate.referee import disassembly_faults
from kumitate.store import open_run


def hall() -> Puzzle:
    """A bar of three lies anywhere in a room of four by four, whose lid has a slot for it."""
    inside: set[Cell] = {(x, y, 1, 0) for x in range(1, 5) for y in range(1, 5)}
    slot: set[Cell] = {(2, y, 2, 0) for y in (1, 2, 3)}
    frame = Shape(CUBES, box(6, 6, 3, inside | slot), name="frame")
    bar = Shape.from_text(CUBES, "###", name="bar")
    goal = Shape(CUBES, frame.cells | inside, optional=inside, name="goal")
    return Puzzle.of(Problem(goal, [Piece(frame), Piece(bar)]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    kumitate.save(hall(), tmp_path / "hall.kumitate.json")
    prisms = Assembly.from_text(PRISMS, "AB").problem
    kumitate.save(Puzzle.of(prisms), tmp_path / "prisms.kumitate.json")
    return tmp_path


def levels_of(turns: float) -> dict[str, int]:
    found: dict[str, int] = {}
    for solution in kumitate.solve(hall().problem(), disassemble=True, turns=turns):
        found[str(solution.levels)] = found.get(str(solution.levels), 0) + 1
    return found


def test_json_has_moves_of_both_kinds(folder: Path) -> None:
    words = ("solve", "hall.kumitate.json", "--disassemble", "--turns", "--turns-count", "--json")
    [told] = json.loads(run(folder, *words).stdout)["problems"]
    assert told["complete"]
    assert told["levels"] == levels_of(turns=0)
    assert {"1R0", "1R1"} & told["levels"].keys() == {"1R1"}
    assert sum(told["turns"].values()) == told["solutions"] == len(told["found"])
    assert told["turns"].keys() == {"0", "1"}
    kinds = set()
    for solution in solutions_of(hall().problem(), told["found"]):
        assert solution.disassembly is not None
        assert disassembly_faults(solution.assembly, solution.disassembly) == []
        kinds |= {type(move) for move in solution.disassembly.moves}
    assert kinds == {Move, Rotation}


def test_it_says_how_many_turns(folder: Path) -> None:
    told = run(folder, "solve", "hall.kumitate.json", "--disassemble", "--turns", "--turns-count")
    *_, last = told.stdout.splitlines()
    assert " with no turns, " in last
    assert " with 1 turn (" in last
    plain = run(folder, "solve", "hall.kumitate.json", "--disassemble", "--turns")
    assert "turns" not in plain.stdout.splitlines()[-1]


def test_a_length_is_as_good_as_a_part_of_a_cell(folder: Path) -> None:
    words = ("solve", "hall.kumitate.json", "--disassemble", "--json", "--turns")
    rows = []
    for more in (("0.02",), ("0.2mm", "--unit", "10"), (".02",), ("0.223mm", "--unit", "11.15")):
        [row] = json.loads(run(folder, *words, *more).stdout)["problems"]
        rows.append((row["levels"], row["found"]))
    assert all(row == rows[0] for row in rows)


WRONG = {
    ("--disassemble", "--turns", "x"): "--turns x: a tolerance is a part of a cell",
    ("--disassemble", "--turns=-1"): "No such option '-1'",
    ("--disassemble", "--turns", "1e-2"): "--turns 1e-2: a tolerance",
    ("--disassemble", "--turns", "0.5"): "--turns 0.5: a tolerance is less than 0.5, half a cell",
    ("--disassemble", "--turns", "6mm", "--unit", "11"): "is less than 5.5mm, half a cell",
    ("--disassemble", "--turns", "9" * 400): "a tolerance is a part of a cell",
    ("--disassemble", "--turns", "0.1mm"): "add it, such as --unit 11.15",
    ("--disassemble", "--turns", "0.1mm", "--unit", "0"): "--unit 0: the size of a cell",
    ("--disassemble", "--turns", "0.1mm", "--unit", "nan"): "--unit nan: the size of a cell",
    ("--disassemble", "--turns", "0.1mm", "--unit", "inf"): "more than 0, less than 1e+18",
    ("--disassemble", "--turns", "0.1", "--unit", "9"): "--unit goes with a length",
    ("--disassemble", "--unit", "9"): "--unit needs --turns",
    ("--turns", "0.1"): "--turns needs --disassemble",
    ("--turns",): "--turns needs --disassemble",
    ("--disassemble", "--turns-count"): "--turns-count needs --turns",
    (
        "--disassemble",
        "--turns",
        "--coordinate",
    ): "turns cannot be combined with",
    ("--disassemble", "--turns", "--shortest"): "--shortest cannot be combined",
    ("--disassemble", "--turns", "--certify"): "--certify proves that nothing slides",
}


@pytest.mark.parametrize(("words", "told"), WRONG.items(), ids=map(" ".join, WRONG))
def test_a_slip_is_told_in_a_line(folder: Path, words: tuple[str, ...], told: str) -> None:
    shown = run(folder, "solve", "hall.kumitate.json", *words)
    assert shown.returncode == 2
    assert told in shown.stderr
    assert shown.stderr.count("\n") == 1


@pytest.mark.parametrize("more", [(), ("--output", "run.kumitate")], ids=["printed", "kept"])
def test_pieces_on_other_grids_do_not_turn(folder: Path, more: tuple[str, ...]) -> None:
    shown = run(folder, "solve", "prisms.kumitate.json", "--disassemble", "--turns", *more)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr == "kumitate: pieces turn on cubes only, not on prisms\n"
    assert not (folder / "run.kumitate").exists()


def test_a_run_keeps_turns_and_goes_on(folder: Path) -> None:
    words = ("--disassemble", "--turns", "0.02", "--output", "run.kumitate", "--limit", "2")
    assert run(folder, "solve", "hall.kumitate.json", *words).returncode == 0
    on = run(folder, "solve", "--resume", "run.kumitate", "--limit", "1000", "--turns-count")
    assert (on.returncode, on.stderr) == (0, "")
    assert " with no turns, " in on.stdout
    with open_run(folder / "run.kumitate") as kept:
        assert kept.options.turns == 0.02
        assert kept.summary().levels == levels_of(turns=0.02)
        turned = 0
        for solution in kept:
            assert solution.disassembly is not None
            assert disassembly_faults(solution.assembly, solution.disassembly) == []
            turned += solution.disassembly.levels.turns
        assert turned
    again = run(folder, "solve", "--resume", "run.kumitate", "--turns")
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    shown = run(folder, "show", "run.kumitate").stdout
    assert "\n2R1" in shown
    best = run(folder, "show", "run.kumitate", "--order", "level", "--solution", "1").stdout
    assert "turns a quarter" in best


def test_another_format_warns(folder: Path) -> None:
    words = ("solve", "hall.kumitate.json", "--disassemble", "--turns", "--output", "run.kumitate")
    run(folder, *words)
    told = run(folder, "convert", "run.kumitate", "-o", "hall.xmpuzzle")
    assert told.returncode == 0
    [line] = [line for line in told.stderr.splitlines() if "turn" in line]
    assert line.endswith("are not kept, since an .xmpuzzle file cannot hold turns")
    [answers] = kumitate.read(folder / "hall.xmpuzzle").answers
    assert answers is not None
    known = [str(solution.levels) for solution in answers.solutions]
    assert len(known) == sum(levels_of(turns=0).values())
    assert not any("R" in level for level in known)
    assert "None" in known
    own = run(folder, "convert", "run.kumitate", "-o", "copy.kumitate.json")
    assert (own.returncode, own.stderr) == (0, "")
    [answers] = kumitate.read(folder / "copy.kumitate.json").answers
    assert answers is not None
    assert {str(solution.levels) for solution in answers.solutions} == levels_of(turns=0).keys()


def test_an_export_shows_how_pieces_turn(folder: Path) -> None:
    bar = room(4, 1)
    kumitate.save(Puzzle.of(bar.problem), folder / "room.kumitate.json")
    words = ("export", "room.kumitate.json", "--force", "-o")
    still = run(folder, *words, "a.json", "--solution", "1")
    assert (still.returncode, still.stderr.count("\n")) == (2, 1)
    shown = run(folder, *words, "a.json", "--solution", "1", "--turns")
    assert (shown.returncode, shown.stderr) == (0, "")
    [answers] = kumitate.read(folder / "a.json").answers
    assert answers is not None
    assert [str(solution.levels) for solution in answers.solutions] == ["2R1"]
    told = run(folder, *words, "a.txt", "--turns")
    assert (told.returncode, told.stderr) == (0, "")
    for more, wrong in (
        (("a.graphml", "--turns", "0.5"), "less than 0.5"),
        (("a.stl", "--turns"), "--turns has no effect on a.stl"),
        (("a.graphml", "--turns", "x"), "--turns x: a tolerance is a part of a cell"),
        (("a.graphml", "--turns", "nan"), "--turns nan: a tolerance is a part of a cell"),
        (("a.graphml", "--turns", "0.1mm"), "give it as a part of a cell, such as 0.02"),
    ):
        refused = run(folder, *words, *more)
        assert refused.returncode == 2
        assert wrong in refused.stderr
        assert refused.stderr.count("\n") == 1
    prisms = run(folder, "export", "prisms.kumitate.json", "-o", "a.graphml", "--turns")
    assert prisms.stderr == "kumitate: --turns has no effect: pieces turn on cubes only\n"
