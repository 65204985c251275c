"""Designs into a file: they go on from the best, end in time, and lose nothing when they die."""

import os
import random
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from tests.designer.test_engine import HARD
from tests.jobs.kill_harness import alive, wait_for
from tests.jobs.test_design import contents, faults

from kumitate import CUBES, Assembly, disassemble
from kumitate.designer.design import Design, brief_for, way_for
from kumitate.designer.engine import Candidate
from kumitate.jobs.design import design_into, resume_design
from kumitate.model.wish import Wish
from kumitate.store import DesignQuestion, create_collection, entry_of, open_collection

WISH = Wish(pieces=4, holes=1)
KILLS = 3

LIFE = """
import sys, pathlib
from kumitate.jobs.design import design_into, resume_design
from kumitate.model.wish import Wish
path = pathlib.Path(sys.argv[1])
print("alive", flush=True)
rest = dict(threads=2, checkpoint=0.05)
if path.exists():
    resume_design(path, **rest)
else:
    design_into(path, "4x4x4", Wish(pieces=4, holes=1), **rest)
"""


def collection_of_one(path: Path) -> None:
    """A design that has found just one puzzle, but a hard one."""
    assembly = Assembly.from_text(CUBES, HARD)
    apart = disassemble(assembly)
    assert apart
    pieces = tuple(frozenset(shape.cells) for shape in assembly.shapes)
    design = Design(brief_for("4x4x4", WISH), Candidate(pieces, apart.levels, 1))
    create_collection(path, None, DesignQuestion("4x4x4", WISH), "")
    entry = entry_of(1, design.puzzle, design.answers, design.key, design.score)
    with open_collection(path) as collection:
        collection.begin(None, None)
        collection.commit_designs([entry], (), 1, 0, "paused")


def test_a_design_goes_on_from_the_best(tmp_path: Path) -> None:
    """Level 9 in a moment, and the same on any number of threads; new climbs are far from it."""
    one, two, new = (tmp_path / f"{name}.kumitate" for name in ("one", "two", "new"))
    collection_of_one(one)
    shutil.copy(one, two)
    resume_design(one, evaluations=40_000)
    resume_design(two, evaluations=40_000, threads=3)
    assert contents(one) == contents(two)
    assert max(sample for sample, _, _ in contents(one)) > 1
    assert all(levels.startswith("9.") for _, levels, _ in contents(one))
    design_into(new, "4x4x4", WISH, evaluations=40_000)
    assert not any(levels.startswith("9.") for _, levels, _ in contents(new))


@pytest.mark.parametrize(
    ("goal", "wish", "calls"),
    [
        ("burr6", Wish(notchable=True), 40),
        ("3x3x3", Wish(pieces=3, maximise=("turns",)), 40),
        ("tray/4x5", Wish(pieces=4), 4),
        ("4x4x4", WISH, 8),
        ("12x12x12", Wish(pieces=40, smallest=43), 8),
    ],
)
def test_no_climb_goes_on_when_it_is_time_to_stop(goal: str, wish: Wish, calls: int) -> None:
    """It asks again and again, and once the answer is yes, it does no more work."""
    asked = count()
    way = way_for(brief_for(goal, wish), seed=1, stop=lambda: next(asked) >= calls)
    with ThreadPoolExecutor(1) as crew:
        for _ in way.candidates(crew):
            pass
    assert next(asked) < calls + 250  # by then all that was submitted has asked


def wait_for_progress(path: Path, samples: int) -> int:
    """Wait until there are more samples, and say how many there are."""
    wait_for(path)
    for _ in range(600):
        with open_collection(path) as collection:
            told = collection.summary()
        if told.samples > samples:
            return told.samples
        time.sleep(0.05)
    raise AssertionError("no progress")


def test_a_design_that_is_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    path, chance = tmp_path / "found.kumitate", random.Random(1)
    samples, best = 0, 0
    for _ in range(KILLS):
        with alive(LIFE, [str(path)]) as process:
            samples = wait_for_progress(path, samples)
            time.sleep(0.3 * chance.random())
            os.kill(process.pid, signal.SIGKILL)
        assert faults(path) == []
        with open_collection(path) as collection:
            collection.verify()
            told = collection.summary()
        assert (told.state, told.samples >= samples) == ("running", True)
        level = int((told.best or "0").split(".")[0])
        assert level >= best
        best = level
    assert best > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_was_found(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "found.kumitate"
    with alive(LIFE, [str(path)]) as process:
        wait_for_progress(path, 0)
        os.kill(process.pid, number)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert faults(path) == []
    with open_collection(path) as collection:
        assert collection.summary().state == "paused"
