"""The command line as a user meets it: real processes, their output and their exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fork_server import Run, run_kumitate

import kumitate


def run(*arguments: str, cwd: Path | None = None) -> Run:
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"}
    return run_kumitate(cwd or Path.cwd(), *arguments, environment=environment)


def test_help_lists_the_commands() -> None:
    shown = run("--help")
    assert shown.returncode == 0
    for command in ("show", "check", "convert", "library"):
        assert f"  {command} " in shown.stdout


def test_no_command_shows_the_help() -> None:
    shown = run()
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == run("--help").stdout


def test_a_folder_does_not_hide_the_library(tmp_path: Path) -> None:
    (tmp_path / "soma").mkdir()
    assert run("show", "soma", cwd=tmp_path).stdout.startswith("Soma cube")


@pytest.mark.parametrize("words", [["--help"], ["count", "soma"], ["solve", "soma"]])
def test_what_is_done_at_once_does_without_rich(words: list[str]) -> None:
    code = "import atexit, sys; atexit.register(lambda: print('rich' in sys.modules))"
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}; from kumitate.cli import main; main()", *words],
        capture_output=True,
        text=True,
    )
    assert shown.stdout.splitlines()[-1] == "False"


def test_version() -> None:
    assert run("--version").stdout.startswith("kumitate 0.")


def test_show_draws_a_puzzle() -> None:
    shown = run("show", "soma")
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == "Soma cube, by Piet Hein (cubes)"
    assert "##   ###   ###   ##.   ##  .#   ##  #.   ##  #.   ###  ###  ###" in lines
    assert "3x3x3: V, L, T, Z, A, B, P fill 3x3x3 (27 cells)" in lines


def test_show_plays_a_saved_solution(tmp_path: Path) -> None:
    assembly = kumitate.Assembly.from_text(kumitate.CUBES, "AAB")
    tree = kumitate.Disassembly([kumitate.Move([1], (1, 0, 0), None)])
    shapes = [piece.shape for piece in assembly.problem.pieces] + [assembly.problem.goal]
    puzzle = kumitate.Puzzle(kumitate.CUBES, shapes, [assembly.problem])
    answers = kumitate.Answers([kumitate.Solution(assembly, tree)], 1, 1, complete=True)
    kumitate.write(kumitate.Document(puzzle, [answers]), tmp_path / "two.kumitate.json")
    listed = run("show", "two.kumitate.json", cwd=tmp_path)
    assert "assemblies: 1, solutions: 1, kept: 1 (--solution N shows one)" in listed.stdout
    shown = run("show", "two.kumitate.json", "--solution", "1", cwd=tmp_path)
    assert "AAB" in shown.stdout.splitlines()
    assert "  1  B slides out to the right" in shown.stdout.splitlines()
    for wrong in (["--solution", "2"], ["--solution", "1", "--problem", "2"]):
        refused = run("show", "two.kumitate.json", *wrong, cwd=tmp_path)
        assert refused.returncode == 2


def test_library_lists_grids_pieces_and_answers() -> None:
    lines = run("library").stdout.splitlines()
    assert [line.split() for line in lines if line.startswith("soma ")] == [
        ["soma", "Soma", "cube", "cubes", "7", "240", "assemblies"]
    ]
    assert len(lines) == 1 + sum(len(p.problems) for p in kumitate.library.values())


def test_library_finds_by_words() -> None:
    found = run("library", "spheres", "kanoodle").stdout
    assert "kanoodle-pyramid" in found
    assert "iq-puzzler" not in found
    nothing = run("library", "rubik")
    assert nothing.returncode == 1
    assert "no puzzle" in nothing.stderr


def test_check_tells_faults_by_its_exit_status(tmp_path: Path) -> None:
    fine = run("check", "soma")
    assert fine.returncode == 0
    assert "note  pieces A and B are mirror images of each other" in fine.stdout
    row = kumitate.Shape.from_text(kumitate.CUBES, "###", name="row")
    bar = kumitate.Shape.from_text(kumitate.CUBES, "##", name="bar")
    problem = kumitate.Problem(row, [kumitate.Piece(bar)])
    kumitate.save(
        kumitate.Puzzle(kumitate.CUBES, [row, bar], [problem]), tmp_path / "odd.kumitate.json"
    )
    wrong = run("check", "odd.kumitate.json", cwd=tmp_path)
    assert wrong.returncode == 1
    assert "fault the goal has 3 cells but the pieces fill 2" in wrong.stdout


def test_convert_there_and_back(tmp_path: Path) -> None:
    there = run("convert", "soma", "-o", "soma.xmpuzzle", cwd=tmp_path)
    assert there.returncode == 0
    assert "title 'Soma cube' is dropped" in there.stderr
    back = run("convert", "soma.xmpuzzle", "-o", "soma.kumitate.json", cwd=tmp_path)
    assert (back.returncode, back.stderr) == (0, "")
    soma = kumitate.load(tmp_path / "soma.kumitate.json")
    assert soma.problems == kumitate.library["soma"].problems


def test_convert_to_another_grid(tmp_path: Path) -> None:
    made = run("convert", "--grid", "tetra-octa", "soma", "-o", "soma.kumitate.json", cwd=tmp_path)
    assert made.returncode == 0
    assert "pieces fit in fewer places" in made.stderr
    puzzle = kumitate.load(tmp_path / "soma.kumitate.json")
    assert puzzle.grid == kumitate.grids.TETROCTS
    assert len(puzzle.problems[0].goal) == 27 * 5
    refused = run("convert", "--grid", "spheres", "soma", "-o", "balls.kumitate.json", cwd=tmp_path)
    assert refused.returncode == 2
    assert "cannot be converted to 'spheres'" in refused.stderr
    assert not (tmp_path / "balls.kumitate.json").exists()


def test_convert_does_not_overwrite_unasked(tmp_path: Path) -> None:
    precious = tmp_path / "precious.kumitate.json"
    precious.write_text("mine")
    refused = run("convert", "soma", "--output", "precious.kumitate.json", cwd=tmp_path)
    assert refused.returncode == 2
    assert precious.read_text() == "mine"
    assert run("convert", "soma", "-o", str(precious), "--force").returncode == 0
    assert kumitate.load(precious).title == "Soma cube"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "somma"], "did you mean soma?"),
        (["show", "pentominoes/7x9"], "the puzzle has 6x10, 5x12"),
        (["show", "."], "is a directory"),
        (["show"], "Missing argument 'PUZZLE'. (see kumitate show --help)"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["convert", "soma", "-o", "soma.stl"], "unknown kind of file"),
        (
            ["convert", "soma", "-o", "no/such/folder.kumitate.json"],
            "there is no folder no/such; create it first",
        ),
        (["convert", "--grid", "mars", "soma", "-o", "x.kumitate.json"], "--grid mars: unknown"),
        (["show", "soma", "--solution", "1"], "the file has 0 saved solutions"),
        (["show", "soma", "--order", "level"], "--order needs --solution N"),
        (["show", "soma", "--problem", "2"], "there is no problem '2'; the puzzle has 3x3x3"),
        (["show", "soma", "--solution", "one"], "'one' is not a valid integer"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    arguments: list[str], words: str, tmp_path: Path
) -> None:
    refused = run(*arguments, cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stdout == ""
    [line] = refused.stderr.splitlines()
    assert line.startswith("kumitate: ")
    assert words in line


def test_a_reader_that_closes_early_is_no_error() -> None:
    code = "from kumitate.cli import main; main()"
    command = f'"{sys.executable}" -c "{code}" library | head -n 1'
    shown = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True
    )
    assert shown.stderr == ""
    assert shown.stdout.startswith("name")


def test_solve_draws_some_and_counts_all() -> None:
    shown = run("solve", "soma", "--threads", "2")
    assert shown.returncode == 0
    assert shown.stdout.count("\n\n") == 3
    assert shown.stdout.splitlines()[-1].startswith("240 assemblies (")
    assert shown.stderr == ""


def test_solve_stops_at_the_limit_or_draws_all() -> None:
    limited = run("solve", "soma", "--limit", "5").stdout
    assert limited.count("\n\n") == 5
    assert "5 assemblies so far" in limited
    assert run("solve", "diabolical-cube", "--all").stdout.count("\n\n") == 13


@pytest.mark.parametrize(
    ("options", "count"), [([], 240), (["--mirrors"], 480), (["--rotations"], 11520)]
)
def test_count_tells_one_json_object(options: list[str], count: int) -> None:
    shown = json.loads(run("count", "soma", "--json", *options).stdout)
    [row] = shown["problems"]
    assert list(row) == [
        "puzzle",
        "problem",
        "grid",
        "pieces",
        "assemblies",
        "solutions",
        "levels",
        "complete",
        "nodes",
        "seconds",
    ]
    assert (row["puzzle"], row["pieces"], row["assemblies"]) == ("Soma cube", 7, count)
    assert row["complete"] is True


def test_count_goes_through_all_problems_or_one() -> None:
    every = json.loads(run("count", "iq-puzzler-pro-pyramid", "--json").stdout)
    assert [row["assemblies"] for row in every["problems"]] == [3340]
    one = json.loads(run("count", "pentominoes", "--problem", "4", "--json").stdout)
    assert [(row["problem"], row["assemblies"]) for row in one["problems"]] == [("3x20", 2)]


def test_a_challenge_card_is_solved_from_where_its_pieces_lie() -> None:
    card = ["--pin", "A@AAA......../A..........", "--pin", "J@...JJJJ"]
    shown = run("solve", "kanoodle", "--limit", "1", *card)
    assert shown.returncode == 0
    first = shown.stdout.splitlines()[0]
    assert first.startswith("AAAJJJJ")


def test_no_solution_is_status_1(tmp_path: Path) -> None:
    goal = kumitate.Shape.from_text(kumitate.CUBES, "#.#/###/.#.", name="goal")
    ell = kumitate.Shape.from_text(kumitate.CUBES, "##/#.", name="L")
    problem = kumitate.Problem(goal, [kumitate.Piece(ell, 2)])
    kumitate.save(
        kumitate.Puzzle(kumitate.CUBES, [goal, ell], [problem]), tmp_path / "no.kumitate.json"
    )
    shown = run("solve", "no.kumitate.json", cwd=tmp_path)
    assert shown.returncode == 1
    assert shown.stdout.startswith("0 assemblies (")


CLOSED = "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA"
MAZE = "AAAAA  AAAAA  AAAAA / AAAAA  AAA.A  AAA.A / AAAAA  AB..A  AAAAA / AAAAA  AAAAA  AAAAA"


def save_assembled(drawing: str, path: Path) -> None:
    """A puzzle whose goal is what the drawing shows, in pieces A, B, ..."""
    assembly = kumitate.Assembly.from_text(kumitate.CUBES, drawing)
    problem = assembly.problem
    goal = kumitate.Shape(kumitate.CUBES, problem.goal.cells, name="goal")
    problem = kumitate.Problem(goal, problem.pieces)
    shapes = [goal, *(piece.shape for piece in problem.pieces)]
    kumitate.save(kumitate.Puzzle(kumitate.CUBES, shapes, [problem]), path)


def test_solve_takes_apart(tmp_path: Path) -> None:
    save_assembled(MAZE, tmp_path / "maze.kumitate.json")
    shown = run("solve", "maze.kumitate.json", "--disassemble", "--moves", cwd=tmp_path)
    assert shown.returncode == 0
    assert "level 3, total moves: 3\n" in shown.stdout
    assert "  2  B slides 1 to the front\n" in shown.stdout
    assert "1 assembly, 1 comes apart (level 3)" in shown.stdout
    told = json.loads(
        run("solve", "maze.kumitate.json", "--disassemble", "--json", cwd=tmp_path).stdout
    )
    [row] = told["problems"]
    assert (row["solutions"], row["levels"], row["complete"]) == (1, {"3": 1}, True)
    assert (row["rigid"], row["stuck"], row["limit"]) == (0, 0, 0)
    few = run(
        "solve", "maze.kumitate.json", "--disassemble", "--max-moves", "2", "--json", cwd=tmp_path
    )
    [row] = json.loads(few.stdout)["problems"]
    assert (row["limit"], row["complete"], few.returncode) == (1, False, 3)


def test_solve_says_what_does_not_come_apart(tmp_path: Path) -> None:
    save_assembled(CLOSED, tmp_path / "closed.kumitate.json")
    shown = run("solve", "closed.kumitate.json", "--disassemble", "--certify", cwd=tmp_path)
    assert shown.returncode == 1
    assert "1 assembly, 0 come apart, 1 cannot be separated" in shown.stdout
    save_assembled(CLOSED.replace(".", "B"), tmp_path / "full.kumitate.json")
    shown = run("solve", "full.kumitate.json", "--disassemble", "--certify", cwd=tmp_path)
    assert "0 come apart, 1 rigid (1 certified)" in shown.stdout


def test_what_goes_with_disassembling_needs_it() -> None:
    shown = run("solve", "soma", "--fine")
    assert shown.returncode == 2
    assert shown.stderr.endswith("needs --disassemble\n")


def test_export_writes_the_states(tmp_path: Path) -> None:
    save_assembled(MAZE, tmp_path / "maze.kumitate.json")
    words = ("export", "maze.kumitate.json", "--output", "maze.graphml")
    shown = run(*words, cwd=tmp_path)
    assert (shown.returncode, shown.stdout) == (0, "4 states, 4 moves, 1 exit, 0 dead ends\n")
    assert (tmp_path / "maze.graphml").read_text("utf-8").count("<node") == 4
    again = run(*words, cwd=tmp_path)
    assert again.returncode == 2
    assert "already exists" in again.stderr
    few = run(*words, "--force", "--max-states", "2", cwd=tmp_path)
    assert few.returncode == 3
    assert few.stderr == "kumitate: more than 2 states; raise --max-states\n"
    assert (
        "--assembly 7: the puzzle has"
        in run(*words, "--force", "--assembly", "7", cwd=tmp_path).stderr
    )
