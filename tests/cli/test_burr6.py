"""kumitate burr6: what it prints, and that it can be stopped."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests import children

from kumitate.burr6 import counts, enumeration
from kumitate.cli import burr6 as command
from kumitate.cli import cli

KUMITATE = [sys.executable, "-c", "from kumitate.cli import main; main()"]


def printed(*words: str) -> str:
    done = CliRunner().invoke(cli, ["burr6", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_it_counts_and_says_how_to_go_on() -> None:
    lines = printed().splitlines()
    assert lines[0] == "837 sticks, which can lie in 2,225 ways"
    counts = "35,657,131,235 assemblies, 71,314,165,174 counting mirror images separately"
    assert lines[1].startswith(counts)
    assert "--sample N" in lines[3]
    assert "--part 1/400" in lines[4]


def test_solid_burrs_are_taken_apart_to_the_end() -> None:
    text = printed("--solid", "--notchable")
    first, second = text.split("completely:")
    assert "181 come apart at least partly" in first
    assert second.splitlines()[-2].split() == ["in", "all", "179", "314"]
    assert second.splitlines()[-1] == "these use 25 different sticks"


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


def test_turns_are_looked_for_where_slides_do_not_help() -> None:
    plain, turns = (
        json.loads(printed("--notchable", "--json", "--part", "7/400", *more))
        for more in ([], ["--turns"])
    )
    assert turns["turning"] == []
    assert turns["endings"] == plain["endings"]
    text = printed("--notchable", "--part", "7/400", "--turns")
    assert text.splitlines()[-1] == "something turns in 0 that do not come apart by slides"
    row = json.loads(printed("--notchable", "--sample", "2", "--turns", "--json"))
    assert row["endings"]["stuck"]


def test_turns_of_longer_sticks_with_a_tolerance() -> None:
    tolerance = ["--turns", "0.05mm", "--unit", "10"]
    text = printed("--notchable", "--length", "8", *tolerance, "--part", "7/400")
    assert text.splitlines()[-1] == "something turns in 0 that do not come apart by slides"


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
        (["--part", "1/2", "--sample", "9"], "--sample cannot be combined with --part"),
        (["--solid", "--sample", "9"], "--solid cannot be combined"),
        (["--seed", "9"], "--seed needs --sample"),
        (["--solid", "--turns"], "--solid cannot be combined with --turns"),
        (["--sample", "1000000000000"], "Invalid value for '--sample'"),
        (["--complete", "--level-by", "unit"], "--level-by cannot be combined with --complete"),
        (["--compare", "--level-by", "unit"], "--level-by cannot be combined with --compare"),
        (["--compare", "--length", "8"], "--compare cannot be combined with --length"),
        (["--compare", "--sample", "9"], "--sample cannot be combined with --compare"),
        (["--compare", "--turns"], "--compare cannot be combined with --turns"),
        (["--complete", "--sample", "9"], "--sample cannot be combined with --complete"),
        (["--turns", "0.1mm"], "--turns 0.1mm needs the size of a cell"),
        (["--unit", "10"], "--unit needs --turns"),
        (["--turns", "half"], "--turns half: a tolerance is a part of a cell such as 0.02"),
        (["--length", "7"], "Invalid value for '--length'"),
        (["--keep-level", "9"], "--keep-level needs --output"),
        (["--keep-moves", "9", "--output", "a.json"], "--keep-moves needs --complete"),
        (["--run", "a.json"], "--run needs --find"),
        (["--find", "easy", "--run", "a.json"], "cannot look for 'easy'; conditions are unique,"),
        (["--resume", ""], "Invalid value for '--resume': give the name of a file"),
        (["--output", ""], ".: the name of a burr6 run must end in .json"),
        (["--part", ""], "--part : write I/N, the I-th of N parts"),
        (["--output", "all.kumitate"], "all.kumitate: the name of a burr6 run must end in .json"),
        (["--output", "no/all.json"], "there is no folder no; create it first"),
        (["--resume", "none.json"], "none.json: no such file"),
        (["--resume", "a.json", "--complete"], "--complete cannot be combined with --resume"),
    ],
)
def test_wrong_questions_are_answered_in_a_line(words: list[str], message: str) -> None:
    done = subprocess.run([*KUMITATE, "burr6", *words], capture_output=True, encoding="utf-8")
    assert done.returncode == 2
    assert done.stderr.startswith(f"kumitate: {message}")
    assert done.stderr.count("\n") == 1


def test_the_command_offers_what_there_is() -> None:
    """It lists this itself, so that it need not import the search to print its help."""
    assert command.LEVELS_BY == counts.LEVELS_BY
    assert tuple(map(int, command.LENGTHS)) == enumeration.LENGTHS


def test_what_counts_as_a_move_can_be_chosen() -> None:
    words = ("--notchable", "--part", "2/40", "--json")
    plain, unit, long, complete = (
        json.loads(printed(*words, *more))
        for more in ([], ["--level-by", "unit"], ["--length", "8"], ["--complete"])
    )
    assert plain["endings"]["stuck"] == unit["endings"]["stuck"]
    assert plain["endings"]["2"] != unit["endings"]["2"]
    assert plain["endings"]["stuck"] < long["endings"]["stuck"]
    assert complete["endings"] == plain["endings"]
    apart = [(once, mirrors) for *_, once, mirrors in complete["outcomes"]]
    assert sum(once for once, _ in apart) == sum(
        once for level, (once, _) in plain["endings"].items() if level.isdigit()
    )
    text = printed(*words[:-1], "--complete")
    assert "how far they come apart (or which numbers of sticks stay together):" in text
    assert "total moves of those that come apart completely:" in text


def test_definitions_and_lengths_are_compared_in_one_run(tmp_path: Path) -> None:
    file = str(tmp_path / "run.json")
    words = ("--notchable", "--part", "2/40", "--compare")
    row = json.loads(printed(*words, "--json", "--output", file))
    unit, long = (
        json.loads(printed(*words[:-1], "--json", *more))["endings"]
        for more in (["--level-by", "unit"], ["--length", "10"])
    )
    assert row["compared"]["unit"] == unit
    assert row["compared"]["length 10"] == long
    title = "\nlevels by other definitions, and with longer sticks:\n"
    table = printed(*words).split(title)[1]
    assert table in printed("--resume", file).split(title)[1]  # nothing is left to do
    head, *lines = table.splitlines()
    names = ["move", "axis", "unit", "piece", "length 8", "length 10", "length 12"]
    assert head.split() == " ".join(names).split()
    stuck = [int(number.replace(",", "")) for number in lines[-1].split()[1:]]
    assert stuck[:3] == [row["endings"]["stuck"][0]] * 3
    assert stuck[5] == long["stuck"][0]


def test_burrs_that_turn_are_saved(tmp_path: Path) -> None:
    file = str(tmp_path / "turns.json")
    words = ("--notchable", "--part", "7/400", "--turns")
    row = json.loads(printed(*words, "--json", "--output", file))
    plain = json.loads(printed(*words, "--json"))
    assert row["endings"] == plain["endings"]
    assert row["turning"] == plain["turning"]


def test_a_run_is_saved_interrupted_and_resumed(tmp_path: Path) -> None:
    file = str(tmp_path / "run.json")
    words = ("--complete", "--part", "7/60000", "--keep-level", "4", "--threads", "2")
    text = printed(*words, "--output", file)
    assert text.splitlines()[-1].startswith("checksum ")
    assert json.loads(Path(file).read_text())["kept"]
    row = json.loads(printed("--resume", file, "--json"))
    assert text.splitlines()[-1] == f"checksum {row['checksum']}"
    listed = printed("--find", "level>=4 assemblies<50", "--run", file).splitlines()
    rows = json.loads(printed("--find", "level>=4 assemblies<50", "--run", file, "--json"))
    assert listed[-1] == f"{len(rows):,} found"
    assert len(rows) == len(listed) - 1 > 0
    assert all(row["level"] >= 4 and row["assemblies"] < 50 for row in rows)
    again = subprocess.run(
        [*KUMITATE, "burr6", *words, "--output", file], capture_output=True, encoding="utf-8"
    )
    assert (again.returncode, again.stderr) == (
        2,
        f"kumitate: {file}: already exists; --force replaces it\n",
    )
    long = str(tmp_path / "long.json")
    told = interrupted("--complete", "--output", long, "--force", "--threads", "1")
    assert told.splitlines()[-1] == f"to continue: kumitate burr6 --resume {long}"
    done = json.loads(Path(long).read_text())
    assert 0 < done["done"] < done["tasks"] == 620_412


def test_the_catalogue_is_searched_if_no_run_is_given() -> None:
    listed = printed("--find", "notchable holes=3 moves>=12 fewest>=12").splitlines()
    assert listed == [
        "level 5, 12 moves in all (12 at best), 3 holes, 8 assemblies, 1 solution, notchable,"
        " millable: 120 154 256 412 960 1024",
        "level 5, 12 moves in all (12 at best), 3 holes, 4 assemblies, 1 solution, notchable,"
        " millable: 103 256 670 928 975 1024",
        "2 found",
    ]


def test_far_apart_and_stuck_burrs_are_saved(tmp_path: Path) -> None:
    file = str(tmp_path / "far.json")
    row = json.loads(
        printed("--notchable", "--part", "7/100", "--keep-far", "3", "--output", file, "--json")
    )
    kept = json.loads(Path(file).read_text())["kept"]
    assert row["kept"] == len(kept) > 0
    assert {ending for _, ending, _, _ in kept} == {counts.STUCK}
    assert printed("--find", "", "--run", file) == "0 found\n"


def interrupted(*words: str) -> str:
    """What is printed after Ctrl-C, which comes once something was found."""
    for seconds in (2, 4, 8, 16):
        status, text, _, _ = children.interrupted([*KUMITATE, "burr6", *words], seconds)
        assert status == 130
        if text:
            return text
    raise AssertionError("nothing was found")


def test_it_stops_when_asked_and_tells_what_it_has_found() -> None:
    assert "interrupted at 0%" in interrupted("--part", "1/1")
    row = json.loads(interrupted("--part", "1/1", "--json"))
    assert row["complete"] is False
    assert row["assemblies"] == sum(once for once, _ in row["endings"].values()) > 0
