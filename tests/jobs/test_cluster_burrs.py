"""All burrs of some sticks on a cluster: the same counts as on threads."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.jobs.clusters import Machine, kill, wait_until

from kumitate import PuzzleError, library
from kumitate.burr6 import SixPieceBurrs
from kumitate.burr6.counts import BurrCounts
from kumitate.burr6.enumeration import Question
from kumitate.burr6.saved import BurrRun, read_run, run_into
from kumitate.cli import cli
from kumitate.jobs.burrs import run_on

FEW = SixPieceBurrs(piece.shape for piece in library["six-piece-burr"].problems[0].pieces)
COMPLETE = BurrRun(FEW, Question(complete=True, keep_moves=9))


class Stop(Exception):
    pass


def test_a_cluster_counts_what_threads_count(tmp_path: Path) -> None:
    """It loses a worker, is interrupted, goes on with threads, and loses its scheduler."""
    here = run_into(tmp_path / "here.json", COMPLETE)
    path = tmp_path / "there.json"
    with Machine(tmp_path) as machine:
        scheduler = machine.scheduler()
        first = machine.worker()
        machine.worker()
        there = run_on(machine.address, path, COMPLETE)
        assert there.checksum == here.checksum == read_run(path).checksum
        assert there.kept == here.kept

        def stop(done: float, counts: BurrCounts) -> None:
            if first.poll() is None:
                kill(first)
            if done > 0.3:
                raise Stop

        with pytest.raises(Stop):
            run_on(machine.address, path, COMPLETE, stop)
        half = read_run(path)
        assert 0 < half.done < len(half.tasks)
        done = CliRunner().invoke(
            cli, ["burr6", "--resume", str(path), "--cluster", machine.address, "--json"]
        )
        assert json.loads(done.stdout)["checksum"] == here.checksum

        def lose(done: float, counts: BurrCounts) -> None:
            if scheduler.poll() is None:
                kill(scheduler)
                wait_until(lambda: scheduler.poll() is not None)

        with pytest.raises(PuzzleError, match="the scheduler is gone; everything counted is"):
            run_on(machine.address, path, COMPLETE, lose)
    assert run_into(path, read_run(path)).checksum == here.checksum


def test_a_cluster_needs_a_file_and_has_its_own_threads() -> None:
    for words, message in (
        (["--cluster", "local:2"], "--cluster needs --output"),
        (["--cluster", "local:2", "--output", "x.json", "--threads", "2"], "cannot be combined"),
        (["--cluster", "nowhere", "--resume", "x.json"], "x.json: no such file"),
    ):
        done = CliRunner().invoke(cli, ["burr6", *words])
        assert done.exit_code != 0
        assert message in done.output + str(done.exception)
