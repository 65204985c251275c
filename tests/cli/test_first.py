"""kumitate first and kumitate pack as a user meets them: output, files and exit status."""

import json
import os
from pathlib import Path

import pytest
from tests.fork_server import Run, run_kumitate
from tests.search.boxes import box, without_corners

import kumitate
from kumitate import CUBES, Problem


def run(*arguments: str, cwd: Path) -> Run:
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"}
    return run_kumitate(cwd, *arguments, environment=environment)


def save(problem: Problem, path: Path) -> None:
    shapes = [problem.goal, *(piece.shape for piece in problem.pieces)]
    kumitate.save(kumitate.Puzzle(CUBES, shapes, [problem]), path)


def test_the_block_puzzle_from_end_to_end(tmp_path: Path) -> None:
    """Found, printed as layers, saved with its solution and as points."""
    done = run("first", "y25", "--engine", "cover", "--output", "y.kumitate.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    *layers, _, last = done.stdout.splitlines()
    assert [len(line.split()) for line in layers] == [5] * 5
    assert last.startswith("found by cover (")
    [answers] = kumitate.read(tmp_path / "y.kumitate.json").answers
    assert answers
    [solution] = answers.solutions
    assert kumitate.referee.assembly_faults(solution.assembly) == []
    assert str(solution.assembly) == "\n".join(layers)
    assert "level" not in run("show", "y.kumitate.json", "--solution", "1", cwd=tmp_path).stdout

    points = run("first", "y25", "--engine", "cover", "--output", "y.csv", cwd=tmp_path)
    assert points.returncode == 0
    head, *rows = (tmp_path / "y.csv").read_text().split()
    assert head == "x,y,z,v"
    assert sorted({int(row.split(",")[3]) for row in rows}) == list(range(1, 26))
    assert len(rows) == 125
    again = run("first", "y25", "--output", "y.csv", cwd=tmp_path)
    assert again.returncode == 2
    assert "y.csv: already exists; --force replaces it" in again.stderr


def test_the_collision_graph_is_written_in_dimacs_format(tmp_path: Path) -> None:
    done = run("first", "y25", "--output", "y25.col", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    lines = (tmp_path / "y25.col").read_text().splitlines()
    assert lines.count("p edge 960 77292") == 1
    assert {line[0] for line in lines} == {"c", "p", "e"}
    assert sum(line.startswith("e ") for line in lines) == 77292


def test_none_is_exit_status_1_with_the_argument(tmp_path: Path) -> None:
    save(without_corners(box("I", 8, 8)), tmp_path / "board.kumitate.json")
    done = run("first", "board.kumitate.json", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("no assembly exists: a colouring rules it out: number the cells")
    shown = run("first", "board.kumitate.json", "--json", cwd=tmp_path).stdout
    [told] = json.loads(shown)["problems"]
    assert (told["found"], told["none"], told["engine"]) == ([], True, "")
    assert "the same sum modulo" in told["argument"]


def test_json_has_the_placements(tmp_path: Path) -> None:
    [told] = json.loads(run("first", "soma", "--json", cwd=tmp_path).stdout)["problems"]
    [found] = told["found"]
    [problem] = kumitate.library["soma"].problems
    placed = [kumitate.Placement(p, t, (x, y, z)) for p, t, x, y, z in found["assembly"]]
    assert kumitate.referee.assembly_faults(kumitate.Assembly(problem, placed)) == []


def test_time_that_is_up_is_said(tmp_path: Path) -> None:
    done = run("first", "t-cube", "--engine", "local", "--seconds", "0", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("not found in 0.")


def test_a_smallest_conflict_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("pysat")
    save(box("L", 3, 3), tmp_path / "three.kumitate.json")
    done = run("first", "three.kumitate.json", "--why", cwd=tmp_path)
    assert done.returncode == 1
    assert "these 3 cells cannot all be covered:" in done.stdout


def test_pack_prints_the_most_that_fit(tmp_path: Path) -> None:
    save(box("T", 6, 6, 5), tmp_path / "box.kumitate.json")
    done = run("pack", "box.kumitate.json", "--output", "best.kumitate.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "44 pieces placed, the most possible"
    [answers] = kumitate.read(tmp_path / "best.kumitate.json").answers
    assert answers
    assert kumitate.referee.assembly_faults(answers.solutions[0].assembly) == []
    [told] = json.loads(run("pack", "soma", "--cells", "--json", cwd=tmp_path).stdout)["problems"]
    assert (told["by"], told["best"], told["optimal"]) == ("cells", 27, True)
