"""kumitate design: one command, one file, resumed as long as one likes."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.fork_server import needs_fork, run_kumitate
from tests.jobs.kill_harness import wait_for

import kumitate
from kumitate.jobs.design import design_into, search_into
from kumitate.model.wish import Wish
from kumitate.store import open_collection

pytestmark = needs_fork
QUICK = ["--pieces", "4", "--holes", "1", "--evaluations", "20000"]
KEYS = ["level", "levels", "moves", "pieces", "holes", "assemblies", "solutions", "sample"]


def run(folder: Path, *words: str) -> Any:
    return run_kumitate(folder, *words)


def puzzles(text: str) -> list[dict[str, Any]]:
    told = json.loads(text)
    assert list(told) == ["puzzles", "evaluations", "seconds"]
    found: list[dict[str, Any]] = told["puzzles"]
    return found


def test_json_has_the_best_first(tmp_path: Path) -> None:
    done = run(tmp_path, "design", "4x4x4", *QUICK, "--unique", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = puzzles(done.stdout)
    assert len(found) > 3
    for puzzle in found:
        assert list(puzzle) == KEYS
        assert puzzle["holes"] == 64 - sum(puzzle["pieces"]) == 1
        assert puzzle["solutions"] == 1
        assert puzzle["level"] == int(puzzle["levels"].split(".")[0])
    ranks = [(puzzle["level"], puzzle["moves"]) for puzzle in found]
    assert ranks == sorted(ranks, reverse=True)
    assert not list(tmp_path.iterdir())


def test_a_file_of_options_asks_the_same(tmp_path: Path) -> None:
    lines = ['goal = "4x4x4"', "pieces = 4", 'holes = "1..2"', "unique = true"]
    lines += ['maximise = ["moves", "level"]', "evaluations = 20_000"]
    (tmp_path / "goal.toml").write_text("\n".join(lines))
    by_file = run(tmp_path, "design", "goal.toml", "--seed", "3", "--json")
    words = shlex.split("4x4x4 --pieces 4 --holes 1..2 --unique --maximise moves,level --seed 3")
    by_words = run(tmp_path, "design", *words, "--evaluations", "20000", "--json")
    assert puzzles(by_file.stdout) == puzzles(by_words.stdout)
    moves = [puzzle["moves"] for puzzle in puzzles(by_file.stdout)]
    assert moves == sorted(moves, reverse=True)


def test_pieces_stay_in_the_homes_that_are_drawn(tmp_path: Path) -> None:
    """Two slabs that share the middle, on the command line, in a file and resumed."""
    top = "####  ####/####  ####/....  ...."
    homes = [top, "/".join(reversed(top.split("/")))]
    words = ["4x3x2", "--home", homes[0], "--home", homes[1], "--holes", "0"]
    lines = ['goal = "4x3x2"', f"home = {json.dumps(homes)}", "holes = 0", "evaluations = 9_000"]
    (tmp_path / "slabs.toml").write_text("\n".join(lines))
    by_words = run(tmp_path, "design", *words, "--evaluations", "9000", "--json")
    told = puzzles(by_words.stdout)
    assert puzzles(run(tmp_path, "design", "slabs.toml", "--json").stdout) == told
    run(tmp_path, "design", *words, "--evaluations", "9000", "-o", "slabs.kumitate")
    run(tmp_path, "design", "--resume", "slabs.kumitate", "--evaluations", "40000")
    with open_collection(tmp_path / "slabs.kumitate") as collection:
        assert len(collection) >= len(told) > 0
        for number in range(1, len(collection) + 1):
            [answers] = collection.document(number).answers
            assert answers is not None
            assembly = answers.solutions[0].assembly
            rows = [{y for _, y, *_ in shape.cells} for shape in assembly.shapes]
            low = min(min(some) for some in rows)
            assert {low, low + 2} not in [some & {low, low + 2} for some in rows]


def test_a_collection_is_resumed_shown_and_solved(tmp_path: Path) -> None:
    done = run(tmp_path, "design", "4x4x4", *QUICK, "-o", "c.kumitate", "-o", "best.xmpuzzle")
    assert done.stdout.splitlines()[-2:] == [
        "the best is saved in best.xmpuzzle",
        "kept in c.kumitate; to continue: kumitate design --resume c.kumitate",
    ]
    before = puzzles(run(tmp_path, "show", "c.kumitate", "--json").stdout)
    done = run(tmp_path, "design", "--resume", "c.kumitate", "--evaluations", "40000", "--json")
    after = puzzles(done.stdout)
    assert json.loads(done.stdout)["evaluations"] == 40_000
    assert len(after) > len(before)
    assert (after[0]["level"], after[0]["moves"]) >= (before[0]["level"], before[0]["moves"])
    with open_collection(tmp_path / "c.kumitate") as collection:
        collection.verify()
        assert [entry.level for entry in collection.page()] == [one["level"] for one in after][:50]
        document = collection.document(2)
    told = run(tmp_path, "solve", "c.kumitate/2", "--disassemble", "--json")
    [row] = json.loads(told.stdout)["problems"]
    assert (row["assemblies"], row["solutions"]) == (after[1]["assemblies"], after[1]["solutions"])
    assert document.puzzle.comment.startswith("Found by kumitate design: seed 0, sample ")
    assert "4x4x4: pieces 4, holes 1, seed 0\n" in run(tmp_path, "show", "c.kumitate").stdout


def test_one_command_makes_a_page_and_plates_of_the_best(tmp_path: Path) -> None:
    """The files that `export` makes of the best puzzle of the collection, and says the same."""
    made = ["-o", "page.html", "-o", "plates.3mf", "-o", "page.html", "--force", "--split"]
    (tmp_path / "page.html").write_text("of yesterday")
    done = run(tmp_path, "design", "4x4x4", *QUICK, "-o", "c.kumitate", *made)
    assert (done.returncode, done.stderr) == (0, "")
    said = list[str]()
    for name in ("page.html", "plates.3mf"):
        file = (tmp_path / name).read_bytes()
        split = ["--split"] if name == "plates.3mf" else []
        again = run(tmp_path, "export", "c.kumitate/1", "-o", name, "--force", *split)
        assert (tmp_path / name).read_bytes() == file
        said += again.stdout.splitlines()
    assert done.stdout.splitlines()[-4:-1] == said
    more = run(tmp_path, "design", "--resume", "c.kumitate", "--time", "1", "-o", "b.svg", "--json")
    assert puzzles(more.stdout)
    assert more.stderr == "b.svg\n"
    assert b"<svg" in (tmp_path / "b.svg").read_bytes()


def test_ctrl_c_reports_and_saves(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "kumitate", "design", "4x4x4", "-o", "c.kumitate", "--json"]
    child = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, env=os.environ)
    for _ in range(300):
        time.sleep(0.1)
        if (tmp_path / "c.kumitate").exists():
            with open_collection(tmp_path / "c.kumitate") as collection:
                if len(collection) > 0:
                    break
    child.send_signal(signal.SIGINT)
    told, _ = child.communicate(timeout=60)
    assert child.returncode == 130
    assert puzzles(told.decode())
    with open_collection(tmp_path / "c.kumitate") as collection:
        assert collection.summary().state == "paused"


def test_a_file_of_options_from_windows_is_read(tmp_path: Path) -> None:
    lines = b'\xef\xbb\xbfgoal = "3x3x3"\r\npieces = 3\r\nevaluations = 5000\r\n'
    (tmp_path / "GOAL.TOML").write_bytes(lines)
    assert puzzles(run(tmp_path, "design", "GOAL.TOML", "--json").stdout)


def test_a_collection_that_is_deleted_meanwhile_is_one_line(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "kumitate", "design", "3x3x3", "-o", "c.kumitate"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=-1, stderr=-1, text=True) as child:
        wait_for(tmp_path / "c.kumitate")
        time.sleep(0.5)
        for file in tmp_path.iterdir():
            file.unlink()
        out, errors = child.communicate(timeout=60)
    assert (child.returncode, out) == (2, "")
    assert errors.startswith("kumitate: c.kumitate: deleted or replaced while it was in use; stop")
    assert len(errors.splitlines()) == 1


def test_a_design_goes_on_after_its_limit_was_reached(tmp_path: Path) -> None:
    run(tmp_path, "design", "3x3x3", "--evaluations", "5000", "-o", "c.kumitate")
    done = run(tmp_path, "design", "--resume", "c.kumitate", "--time", "1s", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["evaluations"] > 5000


def test_a_design_that_finds_nothing_says_so(tmp_path: Path) -> None:
    words = [
        "design",
        "4x4x4",
        "--level",
        "99",
        "--evaluations",
        "2000",
        "-o",
        "best.kumitate.json",
    ]
    done = run(tmp_path, *words)
    assert done.returncode == 1
    assert "nothing met all requirements; search longer, or ask for less" in done.stdout
    assert not list(tmp_path.iterdir())


def test_cuts_that_never_succeed_stop_in_time(tmp_path: Path) -> None:
    words = shlex.split("design 12x12x12 --pieces 40 --smallest 43 --time 1s")
    began = time.monotonic()
    assert run(tmp_path, *words).returncode == 1
    assert time.monotonic() - began < 15


def test_improving_a_puzzle_with_a_piece_kept(tmp_path: Path) -> None:
    words = shlex.split("design letterbox --keep box --pieces 2 --holes 0..9 --evaluations 20000")
    done = run(tmp_path, *words, "-o", "best.kumitate.json")
    assert done.returncode == 0, done.stderr
    [problem] = kumitate.load(tmp_path / "best.kumitate.json").problems
    [old] = kumitate.library["letterbox"].problems
    assert problem.pieces[0].shape.congruent(old.pieces[0].shape)
    assert problem.pieces[0].shape.name == "box"
    words = shlex.split("design letterbox --keep box --pieces 3 --evaluations 20000")
    assert run(tmp_path, *words).returncode == 0  # any cell of its room may stay empty


def test_advice_on_single_cells(tmp_path: Path) -> None:
    cell = kumitate.Assembly.from_text(
        kumitate.CUBES, "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA"
    )
    kumitate.save(kumitate.Puzzle.of(cell.problem), tmp_path / "stuck.kumitate.json")
    done = run(tmp_path, "design", "--from", "stuck.kumitate.json")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("stuck.kumitate.json: it does not come apart: ")
    assert " changes would free it:" in lines[1]
    told = json.loads(run(tmp_path, "design", "--from", "stuck.kumitate.json", "--json").stdout)
    assert told["now"]["ending"] in ("rigid", "stuck")
    frees = [one for one in told["changes"] if one["ending"] == "apart"]
    assert lines[1] == f"{len(frees)} changes would free it:"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("design", "Missing argument 'GOAL'."),
        ("design barrel", "barrel: no such file, and no puzzle in the library has that name"),
        ("design 5x5x5 --pieces 1", "1 piece: a design has 2 to 64 of them"),
        ("design 5x5x5 --holes 99", "99 holes cannot be made; only 27 cells are inside"),
        ("design 5x5x5 --holes 3..1", "Invalid value for '--holes': the range 3..1 is empty"),
        ("design 5x5x5 --maximise fun", "cannot maximise 'fun'; use one of level, moves"),
        ("design 5x5x5 --unique --maximise turns", "--unique and --no-turns cannot be combined"),
        ("design tray --maximise turns", "6x6 tray with 7 pieces: cannot maximise turns; pieces"),
        ("design 5x5x5 --time 0", "Invalid value for '--time': '0' is not a time; write it as"),
        ("design 5x5x5 --time soon", "Invalid value for '--time': 'soon' is not a time"),
        ("design 5x5x5 --no-turns 0.7", "--no-turns 0.7: a tolerance is less than 0.5, half"),
        ("design 5x5x5 --seed -1", "Invalid value for '--seed': -1 is too small"),
        ("design 5x5x5 --evaluations 1" + 25 * "0", "Invalid value for '--evaluations': 1"),
        ("design 5x5x5 -o x.doc", "x.doc: unknown kind of file; use .kumitate.json, "),
        ("design 5x5x5 -o old.kumitate", "old.kumitate: already exists; --force"),
        ("design 5x5x5 --problem 2", "--problem needs a puzzle, and 5x5x5 is not one"),
        ("design pyramid -o x.scad", "x.scad: puzzlecad prints cubes, and"),
        ("design pyramid -o x.dxf", "the grid 'spheres' cannot be cut from sheets; cubes,"),
        ("design pyramid -o x.3mf --split", "--split has no effect: only pieces of cubes are"),
        ("design 5x5x5 -o x.html --split", "--split is for files to print; add --output plat"),
        ("design --from soma --split", "--split cannot be combined with --from"),
        ("design --resume old.kumitate --level 2", "--level cannot be combined with --resume: a"),
        ("design 5x5x5 --resume old.kumitate", "GOAL cannot be combined with --resume"),
        ("design --resume search.kumitate", "search.kumitate: made by kumitate search; to con"),
        ("search --resume old.kumitate", "old.kumitate: made by kumitate design; to continue"),
        ("design --from soma 5x5x5", "GOAL cannot be combined with --from"),
        ("design --from soma --level 3", "--level cannot be combined with --from"),
        (
            "design soma --keep Q",
            "there is no piece 'Q' to keep; the pieces are V, L, T, Z, A, B, P",
        ),
        ("design t-cube --keep T", "every piece is kept, so there is nothing to design"),
        (
            "design pyramid --notchable",
            "--notchable needs pieces of cubes; the goal is made of",
        ),
        (
            "design pyramid --no-turns 0",
            "--no-turns needs pieces of cubes; the goal is made of",
        ),
        ("design --from soma --time 5s", "--time cannot be combined with --from"),
        ("design --from=", "the name of the puzzle is empty"),
        ("design --resume=", "Invalid value for '--resume': give the name of a file"),
        ("design 3x3x3 --output=", "--output is empty; give the name of a file"),
        ("design 3x3x3 --problem=", "--problem needs a puzzle, and 3x3x3 is not one"),
        ("design 3x3x3 --maximise level,", "cannot maximise ''; use one of level, moves"),
        ("design half.toml", "half.toml: pieces: 2.5 is not a whole number"),
        ("design day.toml", "day.toml: time: write a number or a text"),
        ("design no.toml", "no.toml: no such file"),
        ("design bad.toml", "bad.toml: 'piece' is unknown; use goal, pieces, holes"),
        ("design odd.toml", "odd.toml: unique: write true or false"),
        ("design deep.toml", "deep.toml: not a TOML file: maximum recursion depth exceeded"),
        ("design cut.toml", "cut.toml: not a TOML file: Unterminated string"),
        ("design twice.toml", "twice.toml: 'no-turns' is given twice, with - and with _; keep"),
        ("design BAD.TOML", "BAD.TOML: no such file"),
        ("design 5x5x5 --no-turns 0.1mm", "--no-turns 0.1mm: give it as a part of a cell, such"),
        ("design soma --largest 2", "7 pieces of at most 2 cells cannot fill 27 cells"),
        ("design 3x3x3 -o a.kumitate -o b.kumitate", "--output: two files for the collection,"),
        ("design 3x3x3 -o old.html", "old.html: already exists; --force replaces it"),
        ("design 3x3x3 --cluster nowhere", "cluster nowhere: use local:N with N up to 999, or"),
        ("design 3x3x3 --cluster local:1 --threads 2", "--threads cannot be combined with --clus"),
        ("design --from soma --cluster local:1", "--cluster cannot be combined with --from"),
        ("design none.toml", 'none.toml: it needs a line such as goal = "5x5x5"'),
    ],
)
def test_a_slip_is_one_line(tmp_path: Path, words: str, complaint: str) -> None:
    design_into(tmp_path / "old.kumitate", "3x3x3", Wish(), evaluations=1)
    search_into(tmp_path / "search.kumitate", kumitate.burr6.Burrs("solid"), samples=1)
    (tmp_path / "bad.toml").write_text('goal = "5x5x5"\npiece = 3\n')
    (tmp_path / "odd.toml").write_text('goal = "5x5x5"\nunique = 3\n')
    (tmp_path / "none.toml").write_text("pieces = 3\n")
    (tmp_path / "half.toml").write_text('goal = "5x5x5"\npieces = 2.5\n')
    (tmp_path / "day.toml").write_text('goal = "5x5x5"\ntime = 2026-11-16\n')
    (tmp_path / "deep.toml").write_text("goal = " + "[" * 5000 + "]" * 5000)
    (tmp_path / "cut.toml").write_text('goal = "5x5')
    (tmp_path / "old.html").write_text("of yesterday")
    (tmp_path / "twice.toml").write_text('goal = "5x5x5"\nno-turns = 0\nno_turns = 0.1\n')
    before = sorted(path.name for path in tmp_path.iterdir())
    refused = run(tmp_path, *words.split())
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith(f"kumitate: {complaint}"), refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before
