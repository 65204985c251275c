"""However a solve dies, nothing is lost and nothing comes twice."""

import os
import random
import resource
import signal
import time
from functools import cache, partial
from pathlib import Path

import pytest
from tests.jobs.kill_harness import (
    contents,
    expected,
    faults,
    live,
    random_seconds,
    start,
    wait_for,
)

import kumitate

KILLS = 13  # per solve, of which there are four
MANY = "iq-puzzler-pro/diamond"  # 344,100 assemblies in about two seconds
BURRS = "six-piece-burr"  # 588 assemblies, 179 of which come apart

answer = cache(expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "apart"), [(MANY, False), (BURRS, True)])
def test_a_solve_that_is_killed_again_and_again_finds_all(
    tmp_path: Path, name: str, apart: bool, threads: int
) -> None:
    chance = random.Random(f"{name} {threads}")
    kills = number = 0
    while True:
        path = tmp_path / f"{number}.kumitate"
        enough = kills >= KILLS
        if live(path, name, threads, apart, 60 if enough else random_seconds(chance)):
            assert faults(path) == []
            assert contents(path) == answer(name, apart)
            if enough:
                return
            number += 1
            continue
        kills += 1
        if path.exists():
            assert faults(path) == []


def test_a_full_disk_is_one_line_and_costs_nothing(tmp_path: Path) -> None:
    """No file may grow beyond a megabyte; the whole run needs eight."""
    path = tmp_path / "run.kumitate"
    small = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
    with start(path, MANY, 2, False, preexec_fn=small) as process:
        _, complaint = process.communicate(timeout=60)
    assert process.returncode == 1
    assert len(complaint.splitlines()) == 1
    assert f"free some space, then resume with kumitate solve --resume {path}" in complaint
    assert faults(path) == []
    some = contents(path)
    assert 0 < len(some) < 344_100
    assert set(some) <= set(answer(MANY, False))
    assert live(path, MANY, 2, False, 60)
    assert contents(path) == answer(MANY, False)


@pytest.mark.parametrize("damage", ["cut", "zeros"])
def test_a_corrupted_tail_is_left_out(tmp_path: Path, damage: str) -> None:
    """As after a crash of the whole machine: SQLite's log is cut in the middle."""
    path, log = tmp_path / "run.kumitate", tmp_path / "run.kumitate-wal"
    with start(path, MANY, 2, False) as process:
        wait_for(path)
        while not log.exists() or log.stat().st_size <= 100_000:
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    whole = log.read_bytes()
    cut = len(whole) * 2 // 3 + 123
    rest = b"" if damage == "cut" else bytes(len(whole) - cut)
    log.write_bytes(whole[:cut] + rest)
    (tmp_path / "run.kumitate-shm").unlink(missing_ok=True)
    assert faults(path) == []
    assert live(path, MANY, 2, False, 60)
    assert faults(path) == []
    assert contents(path) == answer(MANY, False)


def test_others_read_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    seen = []
    with start(path, MANY, 1, False) as process:
        wait_for(path)
        while process.poll() is None:
            with kumitate.open_run(path) as run:
                told = run.summary()
                assert told.assemblies == told.kept
                first = max(1, told.kept - 5)
                numbers = [solution.assembly_number for solution in run.page(first, 6)]
                assert numbers == list(range(first, first + len(numbers)))
                assert min(6, told.kept) <= len(numbers) <= 6
            seen.append((told.assemblies, told.fraction))
        assert process.returncode == 0
    assert seen == sorted(seen)
    assert len(set(seen)) > 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_makes_a_checkpoint(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "run.kumitate"
    with start(path, MANY, 2, False) as process:
        wait_for(path)
        time.sleep(0.3)
        os.kill(process.pid, number)
        process.wait(60)
    with kumitate.open_run(path) as run:
        assert run.summary().state == "paused"
    assert faults(path) == []
    assert live(path, MANY, 2, False, 60)
    assert contents(path) == answer(MANY, False)
