"""Design searches into a file: any number of workers find the same puzzles, each exactly once."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.designer.test_families import box
from tests.forgery import forge
from tests.jobs.clusters import wait_until
from tests.jobs.kill_harness import alive, random_seconds, wait_for

import kumitate
from kumitate import CUBES, Piece, Problem, Puzzle, PuzzleError, child
from kumitate.burr6 import Burrs
from kumitate.designer import Cuts, Subsets, search_puzzles
from kumitate.designer.discover import Terms, draw_sample
from kumitate.designer.polyforms import polyforms
from kumitate.jobs import design as searching
from kumitate.jobs import samplers
from kumitate.jobs.design import resume_search, search_into
from kumitate.store import create_collection, entry_of, open_collection

KILLS = 4
SAMPLES = 3000
Rows = list[tuple[int, str, str]]

LIFE = """
import sys, kumitate, pathlib
from kumitate.jobs.design import resume_search, search_into
path, samples, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print("alive", flush=True)
rest = dict(samples=samples or None, threads=threads, checkpoint=0.05)
if pathlib.Path(path).exists():
    resume_search(path, **rest)
else:
    search_into(path, kumitate.burr6.Burrs("solid"), level=2, **rest)
"""


def contents(path: Path) -> Rows:
    with open_collection(path) as found:
        return [(entry.sample, entry.levels, entry.document) for entry in found.page(1, 10_000)]


def faults(path: Path) -> list[str]:
    """Contradictions in a file, which must not exist whenever its process died."""
    connection = sqlite3.connect(path)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        [(samples,)] = connection.execute("SELECT samples FROM checkpoint")
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
    """The same from an undisturbed search in memory."""
    found = search_puzzles(Burrs("solid"), level=2, samples=SAMPLES)
    entries = [entry_of(one.sample, one.puzzle, one.answers, one.key) for one in found]
    entries.sort(key=lambda entry: (-entry.level, -entry.moves, entry.sample))
    return [(entry.sample, entry.levels, entry.document) for entry in entries]


def start(path: Path, samples: int, threads: int) -> subprocess.Popen[str]:
    return alive(LIFE, [str(path), str(samples), str(threads)])


def workers_of(path: Path) -> list[str]:
    """The processes that still work on a collection."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(path) in words and "sampler_process" in words:
            found.append(folder.name)
    return found


# ---- the same results ----


@pytest.mark.parametrize("threads", [1, 3])
def test_any_number_of_threads_finds_the_same(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "found.kumitate"
    told = search_into(
        path, Burrs("solid"), level=2, samples=SAMPLES, threads=threads, checkpoint=0.1
    )
    assert contents(path) == expected()
    assert (told.state, told.samples, told.found) == ("limit", SAMPLES, len(expected()))
    assert told.found + sum(told.endings.values()) == SAMPLES
    assert told.best == expected()[0][1]
    assert faults(path) == []
    assert workers_of(path) == []


def test_every_family_goes_into_a_file_and_on(tmp_path: Path) -> None:
    path = tmp_path / "found.kumitate"
    pieces = [Piece(s, 0, 1) for s in polyforms(CUBES, 5, mirrors=True, flat=True)]
    goal = kumitate.Shape.from_text(kumitate.grids.PRISMS, "######/######/######", name="prisms")
    puzzle = kumitate.library["six-piece-burr"]
    for family in (
        Burrs("notchable"),
        Cuts(box(4, 4, 4), 4, holes=4, smallest=10),
        Cuts(goal, 3, colours=["#ff0000"]),
        Subsets(Problem(box(5, 5, 1), pieces, name="five")),
        Subsets(puzzle.problems[0], puzzle.colours),
    ):
        search_into(path, family, seed=5, samples=30)
        resume_search(path, samples=60)
        parts = contents(path)
        search_into(path, family, seed=5, samples=60)
        assert contents(path) == parts
        assert sorted(sample for sample, _, _ in parts) == [
            found.sample for found in search_puzzles(family, seed=5, samples=60)
        ]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_ends_with_the_sample_that_meets_it(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "found.kumitate"
    third = sorted(sample for sample, _, _ in expected())[2]
    told = search_into(path, Burrs("solid"), level=2, limit=3, threads=threads)
    assert (told.state, told.samples, told.found) == ("limit", third, 3)
    same = resume_search(path)
    assert (same.samples, same.found) == (third, 3)
    assert resume_search(path, samples=SAMPLES, threads=threads).found == len(expected())
    assert contents(path) == expected()


@pytest.mark.parametrize("family", [Burrs("solid"), Cuts(box(3, 3, 1), 2)])
def test_progress_only_grows(tmp_path: Path, family: kumitate.burr6.Burrs | Cuts) -> None:
    """Also where the same few puzzles are found again and again."""
    seen: list[kumitate.store.Sampling] = []
    path = tmp_path / "found.kumitate"
    done = search_into(path, family, samples=600, threads=2, progress=seen.append)
    assert [told.samples for told in seen] == sorted(told.samples for told in seen)
    assert [told.found for told in seen] == sorted(told.found for told in seen)
    assert seen[-1].best
    assert seen[-1].found <= done.found


def test_the_first_sample_is_not_held_back_by_others(tmp_path: Path) -> None:
    seen: list[int] = []
    search_into(
        tmp_path / "found.kumitate",
        Cuts(box(4, 4, 4), 4),
        samples=10,
        progress=lambda told: seen.append(told.samples),
    )
    assert next(samples for samples in seen if samples) == 1


def test_a_search_ends_when_all_was_drawn(tmp_path: Path) -> None:
    """It ends with the sample that completes the choices, whether it runs once or is resumed."""
    path = tmp_path / "found.kumitate"
    pieces = [Piece(s, 0, 1) for n in (3, 4) for s in polyforms(CUBES, n, mirrors=True, flat=True)]
    family = Subsets(Problem(box(5, 3, 1), pieces))
    drawn, last = set[frozenset[kumitate.Shape]](), 0
    while len(drawn) < family.choices == 20:
        last += 1
        draft = draw_sample(family, 3, last)
        assert draft
        drawn.add(frozenset(piece.shape for piece in draft.problem().pieces))
    done = search_into(path, family, seed=3, samples=10 * last, threads=2)
    assert (done.state, done.samples) == ("done", last)
    assert faults(path) == []
    whole = contents(path)
    assert search_into(path, family, seed=3, samples=last - 5).state == "limit"
    assert resume_search(path, samples=10 * last).state == "done"
    assert resume_search(path).samples == last
    assert contents(path) == whole
    assert {row[0] for row in whole} == {found.sample for found in search_puzzles(family, seed=3)}


# ---- deaths ----


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_is_killed_again_and_again_finds_all(tmp_path: Path, threads: int) -> None:
    chance = random.Random(threads)
    kills = number = 0
    while True:
        path = tmp_path / f"{number}.kumitate"
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
    end = time.monotonic() + 60
    while workers_of(path):
        assert time.monotonic() < end, "the workers of a killed search go on"
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_makes_a_checkpoint(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "found.kumitate"
    with start(path, 0, 2) as process:
        wait_for(path)
        time.sleep(1.5)
        os.kill(process.pid, number)
        process.wait(60)
    with open_collection(path) as found:
        told = found.summary()
    assert told.state == "paused"
    assert faults(path) == []
    assert workers_of(path) == []
    samples = told.samples + 100
    resume_search(path, samples=samples)
    assert {row[0] for row in contents(path)} == {
        found.sample for found in search_puzzles(Burrs("solid"), level=2, samples=samples)
    }


@contextmanager
def killing(path: Path, after: float, most: int) -> Iterator[set[str]]:
    """Kill some workers, each a while after it first appeared."""
    killed, over = set[str](), threading.Event()

    def kill() -> None:
        while len(killed) < most and not over.wait(0.01):
            for pid in set(workers_of(path)) - killed:
                time.sleep(after)
                with suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
                    killed.add(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("after", [0, 1.5])
def test_a_worker_that_dies_is_followed_by_another(tmp_path: Path, after: float) -> None:
    """Whether it was still starting or already had samples; those are judged again."""
    path, samples = tmp_path / "found.kumitate", 0

    class Enough(Exception):
        """Raised when more was judged than the dead workers can have left."""

    def note(told: kumitate.store.Sampling) -> None:
        nonlocal samples
        if len(killed) < 2:
            samples = max(told.samples, SAMPLES)
        elif told.samples > samples + samplers.MOST_SAMPLES:
            raise Enough

    with killing(path, after, 2) as killed, pytest.raises(Enough):
        search_into(path, Burrs("solid"), level=2, threads=2, progress=note)
    assert faults(path) == []
    assert [row for row in contents(path) if row[0] <= SAMPLES] == expected()


def test_workers_that_die_again_and_again_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "found.kumitate"
    died = r"a worker process died (at once|at sample \d+ or soon after), 3 times; use fewer"
    with killing(path, 0, 100), pytest.raises(PuzzleError, match=died):
        search_into(path, Burrs("solid"), level=2, threads=2, checkpoint=0.1)
    assert faults(path) == []
    with open_collection(path) as found:
        assert found.summary().state == "paused"


def test_workers_import_nothing_from_the_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('not for kumitate')")
    monkeypatch.chdir(tmp_path)
    search_into("found.kumitate", Burrs("solid"), level=2, samples=SAMPLES, threads=2)
    assert contents(tmp_path / "found.kumitate") == expected()
    assert capfd.readouterr().err == ""


def test_a_worker_that_cannot_start_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "command", lambda *_: [sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(PuzzleError, match="a worker process could not start; --threads 1 needs"):
        search_into(tmp_path / "found.kumitate", Burrs("solid"), level=2, threads=2)


def test_what_is_wrong_with_a_sample_is_told_by_workers_too(tmp_path: Path) -> None:
    """A pin where its piece does not fit, which is not checked before a sample is judged."""
    pieces = [Piece(s, 0, 1) for n in (3, 4) for s in polyforms(CUBES, n, mirrors=True, flat=True)]
    family = Subsets(Problem(box(5, 3, 1), pieces, pinned=[kumitate.Placement(0, 0, (9, 9, 9))]))
    _, asked = searching._asked(family, Terms())
    path = tmp_path / "found.kumitate"
    create_collection(path, Puzzle.of(family.problem), asked, "")
    command = [sys.executable, "-m", "kumitate.jobs.sampler_process", str(path)]
    told = subprocess.run(command, input="1 1\n", capture_output=True, text=True, check=True)
    ready, answer = told.stdout.splitlines()
    assert (ready, told.stderr) == ('"ready"', "")
    assert "pinned where it does not fit" in json.loads(answer)


def has_begun(path: Path) -> bool:
    """Whether a search has written what its first samples are."""
    with open_collection(path) as found:
        return found.summary().samples > 0


def test_two_do_not_go_on_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "found.kumitate"
    with start(path, 0, 1) as first:
        wait_for(path)
        wait_until(lambda: has_begun(path))
        resume_search(path, samples=1)
        _, complaint = first.communicate(timeout=60)
    assert first.returncode == 1
    assert "another process has resumed this collection; stopping" in complaint
    assert faults(path) == []


# ---- files that are not what they seem ----


def test_what_draws_other_samples_does_not_go_on(tmp_path: Path) -> None:
    path = tmp_path / "found.kumitate"
    search_into(path, Burrs("solid"), samples=10)
    forge(path, "UPDATE collection SET draws = 'other', kumitate = '0.0.7'")
    with pytest.raises(PuzzleError, match=r"started by kumitate 0.0.7, which draws different"):
        resume_search(path, samples=20)
    with open_collection(path) as found:
        assert found.summary().samples == 10


@pytest.mark.parametrize("name", ["samples", "limit", "threads", "level", "max_states"])
@pytest.mark.parametrize(("number", "bound"), [(0, "at least 1"), (10**26, "at most [0-9,]+")])
def test_what_cannot_be_is_refused_before_anything_is_written(
    tmp_path: Path, name: str, number: int, bound: str
) -> None:
    wrong: dict[str, Any] = {name: number}
    with pytest.raises(PuzzleError, match=f"{name} {number}: it must be {bound}"):
        search_into(tmp_path / "found.kumitate", Burrs(), **wrong)
    assert list(tmp_path.iterdir()) == []
