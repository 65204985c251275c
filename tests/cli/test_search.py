"""kumitate search as a designer meets it."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.cli.test_runs import MAIN, PLAIN, run
from tests.jobs.kill_harness import wait_for

import kumitate
from kumitate import CUBES, Piece, Problem, Puzzle, Shape
from kumitate.jobs.design import resume_search, search_into


def wait_until_found(folder: Path) -> None:
    """Wait until a running search has found a puzzle."""
    found = 0
    while not found:
        time.sleep(0.1)
        with kumitate.store.open_collection(folder / "found.kumitate") as collection:
            found = collection.summary().found


def test_one_command_makes_a_working_puzzle(tmp_path: Path) -> None:
    words = ["--burr", "notchable", "--level", "2", "--limit", "1", "-o", "new.kumitate.json"]
    made = run(tmp_path, "search", *words)
    assert (made.returncode, made.stderr) == (0, "")
    first, second, third = made.stdout.splitlines()
    assert first.startswith("  1. level 2")
    assert " samples: 1 found, " in second
    assert third == "the best is saved in new.kumitate.json"
    [answers] = kumitate.read(tmp_path / "new.kumitate.json").answers
    assert answers
    [solution] = answers.solutions
    assert kumitate.referee.assembly_faults(solution.assembly) == []
    assert solution.disassembly
    assert kumitate.referee.disassembly_faults(solution.assembly, solution.disassembly) == []
    solved = run(tmp_path, "solve", "new.kumitate.json", "--disassemble", "--json")
    [told] = json.loads(solved.stdout)["problems"]
    assert (told["solutions"], told["levels"]) == (1, {str(solution.levels): 1})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.kumitate.json"]
    again = run(tmp_path, "search", *words)
    assert again.stderr == "kumitate: new.kumitate.json: already exists; --force replaces it\n"


def test_a_search_goes_into_a_file_and_on(tmp_path: Path) -> None:
    words = ["soma", "--cut", "5", "--seed", "3"]
    begun = run(tmp_path, "search", *words, "--samples", "40", "--output", "found.kumitate")
    assert begun.returncode == 0
    end = "kept in found.kumitate; to continue: kumitate search --resume found.kumitate --samples N"
    assert begun.stdout.splitlines()[-1] == end
    on = run(tmp_path, "search", "--resume", "found.kumitate", "--samples", "80", "--json")
    whole = run(tmp_path, "search", *words, "--samples", "80", "--json", "--threads", "1")
    one, two = json.loads(on.stdout), json.loads(whole.stdout)
    assert one["complete"] is True
    assert one.pop("seconds") > 0
    assert two.pop("seconds") > 0
    assert one == two
    assert (one["samples"], len(one["puzzles"])) == (80, one["found"])
    shown = run(tmp_path, "show", "found.kumitate").stdout.splitlines()
    assert shown[0] == "3x3x3 cut into 5 pieces: unique solution, level 1 or more, seed 3"
    assert shown[1].startswith("stopped at its limit (to continue: kumitate search --resume found")
    assert shown[3].startswith("  1. level 1, total moves: ")
    assert f"and {one['found'] - 10} more" in shown


def test_the_nth_puzzle_of_a_collection_is_a_puzzle_everywhere(tmp_path: Path) -> None:
    run(tmp_path, "search", "soma", "--cut", "4", "--samples", "9", "--output", "found.kumitate")
    with kumitate.store.open_collection(tmp_path / "found.kumitate") as found:
        samples = [entry.sample for entry in found.page()]
    for name, sample in (("found.kumitate", samples[0]), ("found.kumitate/2", samples[1])):
        told = run(tmp_path, "convert", name, "-o", "out.kumitate.json", "--force")
        assert (told.returncode, told.stderr) == (0, "")
        puzzle = kumitate.load(tmp_path / "out.kumitate.json")
        assert puzzle.comment == f"Found by kumitate search: seed 0, sample {sample}."
    assert "sample" in run(tmp_path, "show", "found.kumitate/2").stdout
    assert run(tmp_path, "show", "found.kumitate", "--solution", "1").stdout.startswith("level 1")
    assert run(tmp_path, "export", "found.kumitate/2", "--output", "two.svg").returncode == 0
    missing = run(tmp_path, "show", "found.kumitate/99")
    assert missing.stderr == (
        f"kumitate: found.kumitate: there is no puzzle 99; {len(samples)} were found\n"
    )


def test_ctrl_c_tells_what_was_found(tmp_path: Path) -> None:
    words = [
        "search",
        "soma",
        "--cut",
        "4",
        "--output",
        "found.kumitate",
        "-o",
        "best.xmpuzzle",
    ]
    with subprocess.Popen(
        [*MAIN, *words], stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=PLAIN
    ) as process:
        wait_for(tmp_path / "found.kumitate")
        wait_until_found(tmp_path)
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert printed.splitlines()[-1] == (
        "kept in found.kumitate; to continue: kumitate search --resume found.kumitate"
    )
    assert kumitate.load(tmp_path / "best.xmpuzzle").problems
    shown = run(tmp_path, "show", "found.kumitate").stdout
    assert "paused (to continue: kumitate search --resume found.kumitate)" in shown


def test_an_error_on_the_way_tells_what_was_found_before(tmp_path: Path) -> None:
    """Somebody else goes on with it."""
    words = ["search", "soma", "--cut", "4", "--output", "found.kumitate", "-o", "best.json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*MAIN, *words], stdout=pipe, stderr=pipe, text=True, cwd=tmp_path, env=PLAIN
    ) as process:
        wait_for(tmp_path / "found.kumitate")
        wait_until_found(tmp_path)
        resume_search(tmp_path / "found.kumitate", samples=1)
        printed, complaint = process.communicate(timeout=60)
    assert process.returncode == 2
    assert complaint == (
        "kumitate: found.kumitate: another process has resumed this collection; stopping\n"
    )
    assert printed.startswith("  1. level 1, total moves: ")
    assert "\nthe best is saved in best.json\n" in printed
    assert kumitate.load(tmp_path / "best.json").problems


def test_a_search_ends_when_all_was_drawn(tmp_path: Path) -> None:
    flat = [
        s for n in (3, 4) for s in kumitate.designer.polyforms(CUBES, n, mirrors=True, flat=True)
    ]
    problem = Problem(Shape.from_text(CUBES, "#####/#####/#####"), [Piece(s, 0, 1) for s in flat])
    kumitate.save(Puzzle.of(problem), tmp_path / "pieces.kumitate.json")
    made = run(tmp_path, "search", "pieces.kumitate.json", "--output", "found.kumitate")
    assert made.returncode == 0
    assert made.stdout.endswith("\nevery choice of pieces was tried\nkept in found.kumitate\n")
    assert run(tmp_path, "show", "found.kumitate").stdout.splitlines()[1] == "done"
    told = json.loads(run(tmp_path, "search", "--resume", "found.kumitate", "--json").stdout)
    assert told["complete"] is True


def test_nothing_found_is_exit_status_1(tmp_path: Path) -> None:
    words = ["3x3x3", "--cut", "2", "--holes", "1", "--level", "9", "--samples", "20"]
    none = run(tmp_path, "search", *words)
    assert (none.returncode, none.stderr) == (1, "")
    assert none.stdout.startswith("20 samples: 0 found, ")


def test_subsets_are_told_by_their_pieces(tmp_path: Path) -> None:
    made = run(tmp_path, "search", "six-piece-burr", "--limit", "1", "--threads", "1")
    assert made.returncode == 0
    assert ": 1, 11, 12, 16, 24, 25\n" in made.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("search", "Missing argument 'PUZZLE'. (see kumitate search --help)"),
        ("search soma", "there is only one choice of pieces that fits the volume of the goal"),
        ("search 4x4x4", "4x4x4: a box has no pieces; add --cut N"),
        ("search 99x99x99 --cut 3", "970,299 cells are too many; the limit is 10,000"),
        ("search 3x3x3 --cut 3 --holes 2", "2 holes cannot be made; only 1 cell is inside"),
        ("search soma --cut 3 --smallest 10", "27 cells cannot be cut into 3 pieces of at"),
        ("search 4x4x4 --cut 4 --level 2", "level 2 is impossible: cubes that fill such a goal"),
        ("search soma --holes 1", "--holes and --smallest need --cut"),
        ("search soma --burr all", "PUZZLE cannot be combined with --burr"),
        ("search --burr all --cut 3", "--cut cannot be combined with --burr"),
        (
            "search 4x4x4 --cut 4 --problem 7",
            "4x4x4: a box cannot be combined with --problem",
        ),
        ("search --burr all --max-states 1" + 25 * "0", "Invalid value for '--max-states': 1"),
        (
            "search --resume old.kumitate --samples 1" + 25 * "0",
            "Invalid value for '--samples': 1",
        ),
        (
            "search soma --cut 3 --samples 5 -o x.doc",
            "x.doc: unknown kind of file; use .kumitate.json, ",
        ),
        (
            "search soma --cut 3 --samples 5 -o no/x.json",
            "there is no folder no; create it first",
        ),
        (
            "search kanoodle-pyramid --cut 3 --samples 5 -o x.scad",
            "x.scad: puzzlecad prints cubes, and",
        ),
        (
            "search soma --cut 3 --samples 5 -o x.json --output y.json",
            "--output: two files for the best puzzle, x.json and y.json; give one",
        ),
        (
            "search --resume old.kumitate -o old.kumitate --force",
            "--output old.kumitate cannot be combined with --resume: a search keeps its options",
        ),
        ("search --burr some", "Invalid value for '--burr': 'some' is not one of"),
        ("search soma --cut 3 --problem 2", "--problem 2: there is no problem '2'"),
        ("search soma --cut 3 --output old.kumitate", "old.kumitate: already exists; --force"),
        ("search soma --cut 3 --output no/x.kumitate", "there is no folder no; create it first"),
        (
            "search soma --resume old.kumitate",
            "PUZZLE cannot be combined with --resume: a",
        ),
        (
            "search --resume old.kumitate --level 2",
            "--level cannot be combined with --resume: a search keeps",
        ),
        (
            "search --resume old.kumitate --several",
            "--several cannot be combined with --resume: a search keeps",
        ),
        (
            "search --resume run.kumitate",
            "run.kumitate: not a kumitate collection, but another SQLite file",
        ),
        (
            "solve --resume old.kumitate",
            "old.kumitate: not a kumitate run, but another SQLite",
        ),
    ],
)
def test_a_slip_is_one_line(tmp_path: Path, words: str, complaint: str) -> None:
    search_into(tmp_path / "old.kumitate", kumitate.burr6.Burrs("solid"), samples=1)
    kumitate.solve_into(tmp_path / "run.kumitate", kumitate.library["soma"], limit=1)
    refused = run(tmp_path, *words.format(here=tmp_path.name).split())
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith(f"kumitate: {complaint}"), refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.kumitate", "run.kumitate"]
    with kumitate.store.open_collection(tmp_path / "old.kumitate") as kept:
        assert kept.summary().samples == 1
