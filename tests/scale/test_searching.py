"""Searches into a file: the same puzzles by any number of workers, and nothing lost or twice."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.scale.lives import random_seconds, wait_for
from tests.search.test_families import box

import kumiki
from kumiki import CUBES, Burrs, Cuts, Piece, Problem, PuzzleError, Subsets, open_collection
from kumiki.search.polyforms import polyforms
from kumiki.store import entry_of

KILLS = 4
SAMPLES = 3000
Rows = list[tuple[int, str, str]]

LIFE = """
import sys, kumiki, pathlib
path, samples, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print("alive", flush=True)
rest = dict(samples=samples or None, threads=threads, checkpoint=0.05)
if pathlib.Path(path).exists():
    kumiki.resume_search(path, **rest)
else:
    kumiki.search_into(path, kumiki.Burrs("solid"), level=2, **rest)
"""


def contents(path: Path) -> Rows:
    with open_collection(path) as found:
        return [(entry.sample, entry.levels, entry.document) for entry in found.page(1, 10_000)]


def faults(path: Path) -> list[str]:
    """What does not agree in a file, whenever its process died."""
    connection = sqlite3.connect(path)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        [(samples,)] = connection.execute("SELECT samples FROM collection")
        tally = dict(connection.execute("SELECT ending, amount FROM tally"))
        [(puzzles, last)] = connection.execute(
            "SELECT count(*), coalesce(max(sample), 0) FROM puzzle"
        )
        if sum(tally.values()) != samples:
            found.append(f"{samples} samples, but {tally}")
        if puzzles != tally.get("found", 0) or last > samples:
            found.append(f"{puzzles} puzzles up to sample {last}, but {tally}")
    finally:
        connection.close()
    return found


@cache
def expected() -> Rows:
    """The same by a search in memory, that nobody disturbs."""
    found = kumiki.search_puzzles(Burrs("solid"), level=2, samples=SAMPLES)
    entries = [entry_of(one.sample, one.puzzle, one.answers, one.key) for one in found]
    entries.sort(key=lambda entry: (-entry.level, -entry.moves, entry.sample))
    return [(entry.sample, entry.levels, entry.document) for entry in entries]


def start(path: Path, samples: int, threads: int) -> subprocess.Popen[str]:
    process: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, "-c", LIFE, str(path), str(samples), str(threads)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "alive\n"
    return process


def workers_of(path: Path) -> list[str]:
    """The processes that still work for a collection."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(path) in words and "serve()" in words:
            found.append(folder.name)
    return found


# ---- the same, however it is done ----


@pytest.mark.parametrize("threads", [1, 3])
def test_any_number_of_threads_finds_the_same(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "found.kumiki"
    told = kumiki.search_into(
        path, Burrs("solid"), level=2, samples=SAMPLES, threads=threads, checkpoint=0.1
    )
    assert contents(path) == expected()
    assert (told.state, told.samples, told.found) == ("limit", SAMPLES, len(expected()))
    assert told.found + sum(told.endings.values()) == SAMPLES
    assert told.best == expected()[0][1]
    assert faults(path) == []
    assert workers_of(path) == []


def test_every_family_goes_into_a_file_and_on(tmp_path: Path) -> None:
    path = tmp_path / "found.kumiki"
    pieces = [Piece(s, 0, 1) for s in polyforms(CUBES, 5, mirrors=True, flat=True)]
    goal = kumiki.Shape.from_text(kumiki.PRISMS, "######/######/######", name="prisms")
    puzzle = kumiki.library["six-piece-burr"]
    for family in (
        Burrs("notchable"),
        Cuts(box(4, 4, 4), 4, holes=4, smallest=10),
        Cuts(goal, 3, colours=["#ff0000"]),
        Subsets(Problem(box(5, 5, 1), pieces, name="five")),
        Subsets(puzzle.problems[0], puzzle.colours),
    ):
        kumiki.search_into(path, family, seed=5, samples=30)
        kumiki.resume_search(path, samples=60)
        parts = contents(path)
        kumiki.search_into(path, family, seed=5, samples=60)
        assert contents(path) == parts
        assert sorted(sample for sample, _, _ in parts) == [
            found.sample for found in kumiki.search_puzzles(family, seed=5, samples=60)
        ]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_ends_with_the_sample_that_meets_it(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "found.kumiki"
    third = sorted(sample for sample, _, _ in expected())[2]
    told = kumiki.search_into(path, Burrs("solid"), level=2, limit=3, threads=threads)
    assert (told.state, told.samples, told.found) == ("limit", third, 3)
    same = kumiki.resume_search(path)
    assert (same.samples, same.found) == (third, 3)
    assert kumiki.resume_search(path, samples=SAMPLES, threads=threads).found == len(expected())
    assert contents(path) == expected()


def test_progress_only_grows(tmp_path: Path) -> None:
    seen: list[kumiki.Sampling] = []
    kumiki.search_into(
        tmp_path / "found.kumiki", Burrs("solid"), samples=600, threads=2, progress=seen.append
    )
    assert [told.samples for told in seen] == sorted(told.samples for told in seen)
    assert [told.found for told in seen] == sorted(told.found for told in seen)
    assert seen[-1].best


# ---- however it dies ----


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_is_killed_again_and_again_finds_all(tmp_path: Path, threads: int) -> None:
    chance = random.Random(threads)
    kills = number = 0
    while True:
        path = tmp_path / f"{number}.kumiki"
        enough = kills >= KILLS
        with start(path, SAMPLES, threads) as process:
            try:
                seconds = 60 if enough else 4 * random_seconds(chance)
                assert process.wait(seconds) == 0, process.stderr and process.stderr.read()
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                kills += 1
                if not path.exists():
                    continue
                assert process.wait() == -signal.SIGKILL
                assert faults(path) == []
                continue
        assert faults(path) == []
        assert contents(path) == expected()
        if enough:
            break
        number += 1
    end = time.monotonic() + 20
    while workers_of(path):
        assert time.monotonic() < end, "the workers of a killed search go on"
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_makes_a_checkpoint(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "found.kumiki"
    with start(path, 0, 2) as process:
        wait_for(path)
        time.sleep(1.5)
        os.kill(process.pid, number)
        moment = time.monotonic()
        process.wait(20)
    assert time.monotonic() - moment < 5
    with open_collection(path) as found:
        told = found.summary()
    assert told.state == "paused"
    assert faults(path) == []
    assert workers_of(path) == []
    samples = told.samples + 100
    kumiki.resume_search(path, samples=samples)
    assert {row[0] for row in contents(path)} == {
        found.sample for found in kumiki.search_puzzles(Burrs("solid"), level=2, samples=samples)
    }


def test_a_worker_that_dies_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "found.kumiki"

    def kill() -> None:
        while not (pids := workers_of(path)):
            time.sleep(0.01)
        os.kill(int(pids[0]), signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    with pytest.raises(PuzzleError, match="a worker process was killed; --resume goes on"):
        kumiki.search_into(path, Burrs("solid"), level=2, threads=2, checkpoint=0.1)
    assert faults(path) == []
    with open_collection(path) as found:
        assert found.summary().state == "paused"


def test_two_do_not_go_on_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "found.kumiki"
    with start(path, 0, 1) as first:
        wait_for(path)
        time.sleep(0.3)
        kumiki.resume_search(path, samples=1)
        _, complaint = first.communicate(timeout=20)
    assert first.returncode == 1
    assert "another process goes on with this collection; stopping" in complaint
    assert faults(path) == []


# ---- files that are not what they seem ----


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_what_draws_other_samples_does_not_go_on(tmp_path: Path) -> None:
    path = tmp_path / "found.kumiki"
    kumiki.search_into(path, Burrs("solid"), samples=10)
    change(path, "UPDATE collection SET draws = 'other', kumiki = '0.0.7'")
    with pytest.raises(PuzzleError, match=r"begun by kumiki 0.0.7, which draws other samples"):
        kumiki.resume_search(path, samples=20)
    with open_collection(path) as found:
        assert found.summary().samples == 10


@pytest.mark.parametrize("wrong", [{"samples": 0}, {"limit": 0}, {"threads": 0}, {"level": 0}])
def test_what_cannot_be_is_refused_before_anything_is_written(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    with pytest.raises(PuzzleError, match="it must be 1 at least"):
        kumiki.search_into(tmp_path / "found.kumiki", Burrs(), **wrong)
    assert list(tmp_path.iterdir()) == []
