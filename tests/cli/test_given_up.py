"""Assemblies whose disassembly was given up at a limit: unknown, wherever a run is read."""

import json
from pathlib import Path

from tests.cli.test_runs import run

import kumitate

BURRS = ("solve", "six-piece-burr", "--disassemble", "--max-moves", "1")
COUNTS = "588 assemblies, 148 come apart (level 1), 31 unknown (given up at a limit), 409 rigid"


def test_a_search_that_went_to_its_end_does_not_say_so_far(tmp_path: Path) -> None:
    assert f"{COUNTS} (16,847 nodes" in run(tmp_path, *BURRS).stdout
    begun = run(tmp_path, *BURRS, "-o", "run.kumitate")
    again = run(tmp_path, "solve", "--resume", "run.kumitate")
    for told in (begun, again):
        assert told.returncode == 3
        assert told.stdout.startswith(f"{COUNTS} (16,847 nodes")
        assert "does not try the unknown ones again; a new run with a higher limit" in told.stdout


def test_one_that_stopped_early_says_so_far(tmp_path: Path) -> None:
    told = run(tmp_path, *BURRS, "--limit", "9").stdout
    assert ", 9 come apart (level 1), 2 unknown (given up at a limit) so far (" in told


def test_show_says_of_each_whether_it_is_known_to_come_apart(tmp_path: Path) -> None:
    run(tmp_path, *BURRS, "-o", "run.kumitate")
    shown = run(tmp_path, "show", "run.kumitate").stdout
    assert "does not try the unknown ones again; a new run with a higher limit" in shown
    known = run(tmp_path, "show", "run.kumitate", "--order", "level", "--solution", "148").stdout
    assert known.startswith("level 1, total moves: 5\n")
    for number in ("149", "179"):
        words = ("show", "run.kumitate", "--order", "level", "--solution", number)
        assert run(tmp_path, *words).stdout.startswith(
            "the search gave up at a limit, so it is unknown whether this comes apart\n"
        )
    run(tmp_path, "solve", "soma", "--limit", "1", "-o", "soma.kumitate")
    assert "unknown" not in run(tmp_path, "show", "soma.kumitate", "--solution", "1").stdout


def test_a_document_with_unknown_ones_is_not_complete(tmp_path: Path) -> None:
    run(tmp_path, *BURRS, "-o", "run.kumitate")
    done = run(tmp_path, "convert", "run.kumitate", "-o", "burrs.kumitate.json")
    assert "given up at a limit: 31 of the kept assemblies; it is unknown whether" in done.stderr
    [problem] = json.loads((tmp_path / "burrs.kumitate.json").read_text())["problems"]
    assert "complete" not in problem["answers"]
    assert len(problem["answers"]["solutions"]) == 179
    with kumitate.open_run(tmp_path / "run.kumitate") as run_file:
        [answers] = run_file.document().answers
    assert answers
    assert not answers.complete
