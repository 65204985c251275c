"""A design on a cluster finds what it finds on threads, whatever dies on the way."""

from pathlib import Path
from typing import Any

import pytest
from tests.jobs.clusters import Machine, kill

import kumitate
from kumitate import PuzzleError
from kumitate.jobs.design import design_into, resume_design
from kumitate.model.wish import Wish
from kumitate.store import Sampling, open_collection

pytest.importorskip("distributed")


def contents(path: Path) -> list[tuple[int, str, str]]:
    with open_collection(path) as found:
        found.verify()
        return [(entry.sample, entry.levels, entry.document) for entry in found.page(1, 1000)]


CUBE = kumitate.Assembly.from_text(kumitate.CUBES, "/".join(["AAA  BBB  CCC"] * 3))
ASKED: list[tuple[Any, Wish, int]] = [
    ("4x4x4", Wish(pieces=4, holes=1, unique=True, seed=3), 25_000),
    (CUBE, Wish(holes=(0, 3)), 15_000),
    ("tray/4x5", Wish(pieces=4), 25),
]


@pytest.mark.parametrize(("goal", "wish", "evaluations"), ASKED, ids=lambda value: str(value)[:9])
def test_a_cluster_finds_what_threads_find(
    tmp_path: Path, machine: Machine, goal: Any, wish: Wish, evaluations: int
) -> None:
    """Also when the design is resumed, be it here or there."""
    here, there = tmp_path / "here.kumitate", tmp_path / "there.kumitate"
    design_into(here, goal, wish, evaluations=evaluations)
    design_into(there, goal, wish, evaluations=evaluations, cluster=machine.address)
    first = contents(here)
    assert contents(there) == first
    assert len(first) > 1
    resume_design(here, evaluations=2 * evaluations, cluster=machine.address)
    resume_design(there, evaluations=2 * evaluations)
    assert contents(there) == contents(here)


def test_a_worker_that_is_killed_costs_nothing_but_time(tmp_path: Path) -> None:
    here, there = tmp_path / "here.kumitate", tmp_path / "there.kumitate"
    wish = Wish(pieces=4, holes=1)
    design_into(here, "4x4x4", wish, evaluations=30_000)
    with Machine(tmp_path) as machine:
        machine.scheduler()
        workers = [machine.worker(), machine.worker()]

        def tell(now: Sampling) -> None:
            if now.samples > 8000 and len(workers) == 2:
                kill(workers.pop())

        design_into(
            there, "4x4x4", wish, evaluations=30_000, cluster=machine.address, progress=tell
        )
        assert len(workers) == 1
    assert contents(there) == contents(here)


def test_a_scheduler_that_dies_is_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "found.kumitate"
    with Machine(tmp_path) as machine:
        scheduler = machine.scheduler()
        machine.worker()
        seen: list[int] = []

        def tell(now: Sampling) -> None:
            seen.append(now.found)
            if now.found and scheduler.poll() is None:
                kill(scheduler)

        with pytest.raises(PuzzleError, match=f"the scheduler {machine.address} is gone"):
            design_into(path, "4x4x4", Wish(pieces=4), cluster=machine.address, progress=tell)
    assert len(contents(path)) >= max(seen) > 0
    with open_collection(path) as found:
        assert found.summary().state == "paused"
    before = len(contents(path))
    resume_design(path, seconds=0.5)
    assert len(contents(path)) >= before
