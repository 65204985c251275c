"""Solving into a file on the command line, going on, and looking at what is there."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.fork_server import Run, run_kumitate
from tests.jobs.kill_harness import wait_for

import kumitate
from kumitate.cli.runs import _state

MAIN = [sys.executable, "-c", "from kumitate.cli import main; main()"]
PLAIN = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"}


def run(folder: Path, *arguments: str) -> Run:
    return run_kumitate(folder, *arguments, environment=PLAIN)


def test_a_solve_goes_into_a_file_and_on(tmp_path: Path) -> None:
    begun = run(tmp_path, "solve", "soma", "--output", "run.kumitate", "--limit", "100")
    assert begun.returncode == 0
    assert begun.stdout.startswith("100 assemblies so far (")
    assert begun.stdout.splitlines()[1:] == [
        "kept: 100 in run.kumitate",
        "to continue: kumitate solve --resume run.kumitate --limit N",
    ]
    shown = run(tmp_path, "show", "run.kumitate").stdout
    assert "stopped at the limit of 100, " in shown
    on = run(tmp_path, "solve", "--resume", "run.kumitate", "--limit", "1000", "--threads", "1")
    assert on.returncode == 0
    assert on.stdout.startswith("240 assemblies (2,275 nodes, ")
    assert "goes on" not in on.stdout
    again = run(tmp_path, "solve", "soma", "--resume", "run.kumitate")
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.startswith("240 assemblies (2,275 nodes, ")
    shown = run(tmp_path, "show", "run.kumitate").stdout
    assert "done: 240 assemblies\n" in shown
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.kumitate"]


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    words = ["solve", "iq-puzzler-pro/5x11", "--rotations", "--output", "run.kumitate"]
    with subprocess.Popen(
        [*MAIN, *words], stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=PLAIN
    ) as process:
        wait_for(tmp_path / "run.kumitate")
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    first, *rest = printed.splitlines()
    assert " so far (" in first
    assert rest[-1] == "to continue: kumitate solve --resume run.kumitate"
    assert "paused at " in run(tmp_path, "show", "run.kumitate").stdout


def test_show_tells_levels_and_the_best(tmp_path: Path) -> None:
    solved = run(tmp_path, "solve", "six-piece-burr", "--disassemble", "--output", "burrs.kumitate")
    assert solved.returncode == 0
    shown = run(tmp_path, "show", "burrs.kumitate")
    assert shown.returncode == 0
    lines = [line.rstrip() for line in shown.stdout.splitlines()]
    assert "done: 588 assemblies, 179 come apart, 409 rigid" in lines
    assert "1.2           31  ########" in lines
    assert f"1            148  {'#' * 40}" in lines
    assert "  1. level 1.2, total moves: 6" in lines
    best = run(tmp_path, "show", "burrs.kumitate", "--solution", "1", "--order", "level").stdout
    assert best.startswith("level 1.2, total moves: 6\n")
    assert "\ntake apart " in best
    assert run(tmp_path, "show", "burrs.kumitate", "--solution", "179").returncode == 0


def test_a_run_can_be_read_as_a_puzzle(tmp_path: Path) -> None:
    run(tmp_path, "solve", "six-piece-burr", "--disassemble", "--output", "burrs.kumitate")
    assert run(tmp_path, "convert", "burrs.kumitate", "-o", "burrs.kumitate.json").returncode == 0
    [answers] = kumitate.read(tmp_path / "burrs.kumitate.json").answers
    assert answers
    assert (answers.assembly_count, answers.solution_count, answers.complete) == (588, 179, True)
    assert len(answers.solutions) == 179


def test_json_has_the_same_fields_as_without_a_file(tmp_path: Path) -> None:
    plain = run(tmp_path, "solve", "six-piece-burr", "--disassemble", "--json")
    kept = run(
        tmp_path, "solve", "six-piece-burr", "--disassemble", "--json", "--output", "run.kumitate"
    )
    [one], [two] = (json.loads(done.stdout)["problems"] for done in (plain, kept))
    assert two.pop("kept") == len(one.pop("found")) == 179
    assert one.keys() == two.keys()
    assert {**one, "seconds": 0} == {**two, "seconds": 0}


def test_pins_are_part_of_the_run(tmp_path: Path) -> None:
    pin = ["--pin", "A@AAA......../A.........."]
    run(tmp_path, "solve", "kanoodle", *pin, "--output", "card.kumitate", "--keep", "every:3")
    told = json.loads(run(tmp_path, "count", "kanoodle", *pin, "--json").stdout)["problems"][0]
    with kumitate.open_run(tmp_path / "card.kumitate") as card:
        assert card.summary().assemblies == told["assemblies"]
        assert len(card) == -(-told["assemblies"] // 3)
        for solution in card.page(1, 20):
            assert set(card.problem.pinned) <= set(solution.assembly.placements)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("solve", "Missing argument 'PUZZLE'. (see kumitate solve --help)"),
        ("solve --output x.kumitate", "Missing argument 'PUZZLE'. (see kumitate solve --help)"),
        ("solve --resume no.kumitate", "no.kumitate: no such file"),
        ("solve soma --output run.kumitate", "run.kumitate: already exists; --force replaces it"),
        ("solve soma --output no/x.kumitate", "there is no folder no; create it first"),
        ("solve soma --keep all", "--keep and --force need --output"),
        (
            "solve soma --output x.kumitate --all",
            "--all cannot be combined with --output; k",
        ),
        ("solve soma --output x.kumitate --fine", "--fine needs --disassemble"),
        (
            "solve soma --output x.kumitate --keep best:9",
            "keep best:9 ranks assemblies by how",
        ),
        ("solve soma --output x.kumitate --keep 9", "keep '9' is unknown; use all, none, every:N"),
        ("solve soma --output x.kumitate --problem 2", "--problem 2: there is no problem '2'"),
        (
            "solve pentominoes --output x.kumitate",
            "--output needs one problem, but there are 8; choose",
        ),
        (
            "solve --resume run.kumitate --mirrors",
            "--mirrors cannot be combined with --resume: a run keeps",
        ),
        ("solve --resume run.kumitate --output x", "--output cannot be combined with --resume"),
        (
            "solve bedlam --resume run.kumitate",
            "run.kumitate: a run of another puzzle; begin a new",
        ),
        (
            "solve --resume soma.json",
            "soma.json: not a kumitate run: 'kumitate solve PUZZLE --output",
        ),
        ("show run.kumitate --solution 6", "--solution 6: the run keeps 5 solutions"),
        (
            "show run.kumitate --order level",
            "--order needs --solution N",
        ),
        (
            "show run.kumitate --solution 1 --order level",
            "cannot order by level: the run was made without --disassemble",
        ),
        (
            "show run.kumitate --solution 1 --problem 1",
            "--problem 1: the run has only problem 1; leave out --problem",
        ),
        ("show soma --solution 1 --order level", "soma: --order needs a run, which kumitate solve"),
    ],
)
def test_a_slip_is_one_line(tmp_path: Path, words: str, complaint: str) -> None:
    kumitate.solve_into(tmp_path / "run.kumitate", kumitate.library["soma"], limit=5)
    kumitate.save(kumitate.library["soma"], tmp_path / "soma.json")
    refused = run(tmp_path, *words.split())
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"kumitate: {complaint}"), refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert not (tmp_path / "x.kumitate").exists()


def test_no_solution_is_exit_status_1(tmp_path: Path) -> None:
    box = kumitate.Shape.from_text(
        kumitate.CUBES, "### ### ###/### #.# ###/### ### ###", name="box"
    )
    cell = kumitate.Shape.from_text(kumitate.CUBES, "#", name="cell")
    goal = kumitate.Shape(kumitate.CUBES, box.cells | {(1, 1, 1, 0)}, name="goal")
    problem = kumitate.Problem(goal, [kumitate.Piece(box), kumitate.Piece(cell)])
    puzzle = kumitate.Puzzle(kumitate.CUBES, [box, cell, goal], [problem])
    kumitate.save(puzzle, tmp_path / "closed.kumitate.json")
    words = ["solve", "closed.kumitate.json", "--disassemble", "--output", "closed.kumitate"]
    closed = run(tmp_path, *words)
    assert closed.returncode == 1
    assert closed.stdout.startswith("1 assembly, 0 come apart, 1 rigid (")


@pytest.mark.parametrize(
    "words",
    ["solve soma --threads 256 --output", "search --burr solid --threads 256 --output"],
)
def test_too_many_threads_are_one_line(tmp_path: Path, words: str) -> None:
    """With room for some, by the limit on the memory that a process may ask for."""
    size = 1_200_000_000
    refused = subprocess.run(
        [*MAIN, *words.split(), "new.kumitate"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=PLAIN,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
    )
    assert refused.returncode == 2
    [line] = refused.stderr.splitlines()
    assert re.fullmatch(
        r"kumitate: only \d+ of 256 threads could be started \(.*\); use fewer threads", line
    ), line


# ---- damaged runs ----


def test_a_damaged_run_is_refused_and_recovered(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["six-piece-burr"], disassemble=True)
    with kumitate.open_run(path) as damaged:
        damaged.rows("UPDATE solution SET names = zeroblob(12) WHERE number = 7")
    line = (
        "kumitate: run.kumitate: damaged: a row of table solution was changed; kumitate show"
        " --recover run.kumitate --output NEW.kumitate saves 178 intact answers\n"
    )
    for words in (["show", "run.kumitate"], ["solve", "--resume", "run.kumitate"]):
        refused = run(tmp_path, *words)
        assert (refused.returncode, refused.stderr) == (2, line)
    made = run(tmp_path, "show", "--recover", "run.kumitate", "--output", "new.kumitate")
    assert made.stdout.splitlines() == [
        "178 answers kept in new.kumitate, 1 answer lost",
        "the search itself cannot be resumed",
    ]
    shown = run(tmp_path, "show", "new.kumitate")
    state = "recovered from a damaged run, 1 answer lost: 588 assemblies, 179 come apart"
    assert state in shown.stdout
    assert run(tmp_path, "show", "new.kumitate", "--solution", "178").returncode == 0
    again = run(tmp_path, "solve", "--resume", "new.kumitate")
    assert again.returncode == 2
    assert again.stderr.startswith("kumitate: new.kumitate: recovered from a damaged run, so it")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--output x.kumitate", "--output needs --recover"),
        ("--recover", "run.kumitate: name the new file: --recover --output NEW.kumitate"),
        ("--recover -o x.json", "x.json: the name of a run or collection must end in .kumitate"),
        ("--recover -o run.kumitate", "run.kumitate: already exists; give the new file"),
        ("--recover -o no/x.kumitate", "there is no folder no; create it first"),
        ("--recover -o x.kumitate --solution 1", "--recover only saves; show the new file after"),
    ],
)
def test_a_slip_with_recover_is_one_line(tmp_path: Path, words: str, complaint: str) -> None:
    kumitate.solve_into(tmp_path / "run.kumitate", kumitate.library["soma"], limit=5)
    refused = run(tmp_path, "show", "run.kumitate", *words.split())
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"kumitate: {complaint}"), refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert os.listdir(tmp_path) == ["run.kumitate"]


def test_what_is_deleted_meanwhile_is_an_error(tmp_path: Path) -> None:
    words = ["solve", "iq-puzzler-pro/5x11", "--rotations", "--output", "run.kumitate"]
    with subprocess.Popen(
        [*MAIN, *words], stdout=-1, stderr=-1, text=True, cwd=tmp_path, env=PLAIN
    ) as process:
        wait_for(tmp_path / "run.kumitate-wal")
        (tmp_path / "run.kumitate").unlink()
        printed, complaint = process.communicate(timeout=60)
    assert (process.returncode, printed) == (2, "")
    assert complaint.splitlines()[-1].startswith(
        "kumitate: run.kumitate: deleted or replaced while it was in use; "
    )


# ---- kumitate shapes ----


def test_assemblies_become_pieces(tmp_path: Path) -> None:
    made = run(
        tmp_path, "shapes", "soma", "-o", "new.kumitate.json", "--pieces", "V,L", "--goal", "3x3x3"
    )
    assert made.returncode == 0
    puzzle = kumitate.load(tmp_path / "new.kumitate.json")
    [problem] = puzzle.problems
    assert made.stdout == f"{len(problem.pieces)} shapes in new.kumitate.json\n"
    assert (len(problem.goal), {len(piece.shape) for piece in problem.pieces}) == (27, {7})
    assert {(piece.min, piece.max) for piece in problem.pieces} == {(0, 1)}
    apart = {piece.shape.canonical().cells for piece in problem.pieces}
    assert len(apart) == len(problem.pieces)


def test_pieces_come_from_a_run_as_well(tmp_path: Path) -> None:
    run(tmp_path, "solve", "soma", "--mirrors", "--threads", "1", "--output", "run.kumitate")
    words = ["--pieces", "V,L", "--count", "1..2", "--goal", "3x3x3"]
    run(tmp_path, "shapes", "run.kumitate", "-o", "one.kumitate.json", *words)
    run(tmp_path, "shapes", "soma", "-o", "two.kumitate.json", *words)
    one, two = (kumitate.load(tmp_path / f"{name}.kumitate.json") for name in ("one", "two"))
    assert one.problems[0].pieces[0].copies == "1..2"
    assert one == two


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--pieces V,Q", "there is no piece 'Q'; the pieces are V, L, T, Z, A, B, P"),
        ("--cells 3-5", "--cells 3-5: write a number, or a range such as 5..7"),
        ("--count 2..1", "--count 2..1: write a number, or a range such as 5..7"),
        (
            "--goal box",
            "--goal box: there is no such shape; the shapes are V, L, T, Z, A, B, P, 3x3x3",
        ),
        ("--problem 2", "--problem 2: there is no problem '2'; the puzzle has 3x3x3"),
    ],
)
def test_a_slip_with_shapes_is_one_line(tmp_path: Path, words: str, complaint: str) -> None:
    refused = run(tmp_path, "shapes", "soma", "-o", "new.kumitate.json", *words.split())
    assert (refused.returncode, refused.stderr) == (2, f"kumitate: {complaint}\n")
    assert list(tmp_path.iterdir()) == []


def test_no_shape_is_exit_status_1(tmp_path: Path) -> None:
    none = run(tmp_path, "shapes", "soma", "-o", "new.kumitate.json", "--cells", "5")
    assert (none.returncode, none.stdout) == (1, "0 shapes in new.kumitate.json\n")


def test_a_run_at_work_says_how_much_time_is_left(tmp_path: Path) -> None:
    """A quarter took ten seconds, so the rest takes thirty."""
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["soma"], limit=1, disassemble=False)
    with kumitate.open_run(path) as run:
        told = replace(run.summary(), state="running", fraction=0.25, seconds=10, saved=time.time())
        assert _state(run, told) == "running, 25.0 % done, 30 s left"
        assert _state(run, replace(told, fraction=0)) == "running, 0.0 % done"
        late = replace(told, saved=time.time() - 3600)
        assert _state(run, late).startswith("interrupted at 25.0 %, 60 min ago (to continue: ")
