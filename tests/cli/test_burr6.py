"""kumitate burr6: what it prints, and that it can be stopped."""

import json
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from kumitate.cli import cli

KUMITATE = [sys.executable, "-c", "from kumitate.cli import main; main()"]


def printed(*words: str) -> str:
    done = CliRunner().invoke(cli, ["burr6", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_it_counts_and_says_how_to_go_on() -> None:
    lines = printed().splitlines()
    assert lines[0] == "837 sticks, which can lie in 2,225 ways"
    assert lines[1].startswith("35,657,131,235 assemblies, 71,314,165,174 with mirror images apart")
    assert "--sample N" in lines[3]
    assert "--part 1/400" in lines[4]


def test_solid_burrs_are_taken_apart_to_the_end() -> None:
    text = printed("--solid", "--notchable")
    first, second = text.split("completely:")
    assert "181 come apart at least partly" in first
    assert second.splitlines()[-2].split() == ["in", "all", "179", "314"]
    assert second.splitlines()[-1] == "25 different sticks are in these"


def test_as_json() -> None:
    row = json.loads(printed("--solid", "--notchable", "--json"))
    assert row["solid"]
    assert row["notchable"]
    assert row["endings"] == {"1": [181, 318], "rigid": [407, 745]}
    assert row["apart"] == {"1": [148, 257], "1.2": [31, 57]}
    assert (row["partly"], len(row["used"])) == ([2, 4], 25)


def test_parts_add_up() -> None:
    parts = [json.loads(printed("--notchable", "--json", "--part", f"{i}/2")) for i in (1, 2)]
    assert sum(part["assemblies"] for part in parts) == parts[0]["count"] == 13_354_991
    assert sum(part["mirrors"] for part in parts) == parts[0]["count_mirrors"]


def test_a_sample_projects_the_whole() -> None:
    row = json.loads(printed("--notchable", "--sample", "50", "--seed", "7", "--json"))
    value, error = row["projected"]["in all"]
    assert abs(value - row["count"]) < 4 * error
    assert row["rate"] > 0
    assert row["hours"][0] > 0
    text = printed("--notchable", "--sample", "50", "--seed", "7")
    assert f"in all       {value:17,} ± {error:,}" in text.splitlines()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--part", "3"], "--part 3: write I/N, the I-th of N parts, such as 1/100"),
        (["--part", "3/2"], "--part 3/2: write I/N"),
        (["--part", "1/2", "--sample", "9"], "--sample and --part do not go together"),
        (["--solid", "--sample", "9"], "solid burrs are visited all"),
        (["--seed", "9"], "--seed goes with --sample"),
        (["--sample", "1000000000000"], "Invalid value for '--sample'"),
    ],
)
def test_wrong_questions_are_answered_in_a_line(words: list[str], message: str) -> None:
    done = subprocess.run([*KUMITATE, "burr6", *words], capture_output=True, encoding="utf-8")
    assert done.returncode == 2
    assert done.stderr.startswith(f"kumitate: {message}")
    assert done.stderr.count("\n") == 1


def interrupted(*words: str) -> str:
    """What is printed after Ctrl-C, which comes once something was found."""
    program = "from kumitate.cli import main; print('ready', flush=True); main()"
    command = [sys.executable, "-c", program, "burr6", *words]
    for seconds in (2, 4, 8, 16, 32):
        with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as running:
            assert running.stdout is not None
            assert running.stdout.readline() == "ready\n"
            time.sleep(seconds)
            running.send_signal(signal.SIGINT)
            text, _ = running.communicate(timeout=20)
        assert running.returncode == 130
        if text:
            return text
    raise AssertionError("nothing was found")


def test_it_stops_when_asked_and_tells_what_it_has_found() -> None:
    assert "interrupted at 0%" in interrupted("--part", "1/1")
    row = json.loads(interrupted("--part", "1/1", "--json"))
    assert row["complete"] is False
    assert row["assemblies"] == sum(once for once, _ in row["endings"].values()) > 0
