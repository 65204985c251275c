"""Runs in a file: interrupted, resumed, damaged, on several threads."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kumitate import PuzzleError, library
from kumitate.burr6 import SixPieceBurrs, saved
from kumitate.burr6.counts import BurrCounts
from kumitate.burr6.enumeration import Question
from kumitate.burr6.saved import BurrRun, joined, read_run, run_into, write_run

FEW = SixPieceBurrs(piece.shape for piece in library["six-piece-burr"].problems[0].pieces)
COMPLETE = BurrRun(FEW, Question(complete=True, keep_moves=9))


class Stop(Exception):
    pass


def stop_at(fraction: float) -> Any:
    def progress(done: float, counts: BurrCounts) -> None:
        if done >= fraction:
            raise Stop

    return progress


def test_a_run_that_is_interrupted_twice_comes_to_the_same(tmp_path: Path) -> None:
    whole = run_into(tmp_path / "whole.json", COMPLETE)
    assert whole.finished
    assert whole.counts.outcomes == FEW.run(complete=True).outcomes
    path = tmp_path / "run.json"
    run, last = COMPLETE, 0
    for fraction in (0.1, 0.3):
        with pytest.raises(Stop):
            run_into(path, run, progress=stop_at(fraction))
        run = read_run(path)
        assert last < run.done < len(run.tasks)
        assert run.counts.assemblies < whole.counts.assemblies
        last = run.done
    told: list[float] = []
    done = run_into(path, run, progress=lambda now, _: told.append(now))
    assert told == sorted(told)
    assert told[0] > 0.3
    assert told[-1] == pytest.approx(1)
    assert (done.counts.once, done.counts.outcomes) == (whole.counts.once, whole.counts.outcomes)
    assert sorted(done.kept) == sorted(whole.kept) != []
    assert done.checksum == whole.checksum == read_run(path).checksum
    assert all(burr.moves is not None and burr.moves >= 9 for burr in done.kept)
    # A finished run has nothing left to do.
    assert run_into(path, read_run(path)).counts == read_run(path).counts


def test_threads_come_to_the_same(tmp_path: Path) -> None:
    runs = [run_into(tmp_path / f"{n}.json", COMPLETE, threads=n) for n in (1, 3)]
    assert runs[0].checksum == runs[1].checksum
    assert runs[0].kept == runs[1].kept


def test_parts_add_up(tmp_path: Path) -> None:
    path, asked = tmp_path / "part.json", COMPLETE.question._replace(compare=True)
    whole = run_into(path, replace(COMPLETE, question=asked))
    parts = [
        run_into(path, replace(COMPLETE, question=asked, part=(part, 3))) for part in (2, 3, 1)
    ]
    assert joined(parts).checksum == whole.checksum
    assert sorted(joined(parts).kept) == sorted(whole.kept)
    write_run(path, joined(parts))
    assert read_run(path).finished
    assert read_run(path).counts.compared == whole.counts.compared


def test_only_all_parts_of_a_run_are_joined() -> None:
    parts = [replace(COMPLETE, part=(part, 3), done=0) for part in (1, 2, 3)]
    parts = [replace(part, done=len(part.tasks)) for part in parts]
    with pytest.raises(PuzzleError, match="not all the parts of one run"):
        joined([])
    with pytest.raises(PuzzleError, match="2 of 3 parts"):
        joined(parts[:2])
    with pytest.raises(PuzzleError, match="not all the parts of one run"):
        joined([parts[0], parts[0], parts[2]])
    with pytest.raises(PuzzleError, match="not all the parts of one run"):
        joined([*parts[:2], replace(parts[2], question=Question())])
    with pytest.raises(PuzzleError, match="a part is not finished"):
        joined([*parts[:2], replace(parts[2], done=1)])


def test_what_was_asked_is_remembered(tmp_path: Path) -> None:
    long = SixPieceBurrs(length=10)
    for run in (
        BurrRun(long, Question("piece", keep_level=3), (1000, 620_412)),
        BurrRun(FEW, Question("axis")),
        BurrRun(FEW, Question(turns=0.01), (2, 3)),
    ):
        path = tmp_path / "run.json"
        write_run(path, run)
        read = read_run(path)
        assert (read.question, read.part, read.done) == (run.question, run.part, 0)
        assert read.burrs.sticks == run.burrs.sticks


def test_a_checkpoint_comes_every_few_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved, "CHECKPOINT", 0.0)
    path, seen = tmp_path / "run.json", set[int]()
    run_into(path, COMPLETE, progress=lambda *_: seen.add(read_run(path).done))
    assert len(seen) > 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (None, "not a run of kumitate burr6"),
        ({"kumitate": "soma"}, "Invalid enum value 'soma'"),
        ({"length": 7}, "a burr stick cannot be 7 long"),
        ({"length": 14}, "sticks cannot be 14 long"),
        ({"sticks": [1 << 63]}, "number 9223372036854775808"),
        ({"sticks": [70_000]}, "there is no burr stick 70000"),
        ({"sticks": [2]}, "0 of 706 tasks; there are 4"),
        ({"level_by": "hour"}, "Invalid enum value 'hour'"),
        ({"part": [3, 2]}, "there is no part 3 of 2"),
        ({"part": [0, 0]}, "there is no part 0 of 0"),
        ({"done": 10**9}, "1000000000 of "),
        ({"tasks": 5}, "0 of 5 tasks; there are "),
        ({"done": -1}, "`int` >= 0"),
        ({"seconds": -1}, "`float` >= 0"),
        ({"endings": {"soon": [1, 2]}}, "'soon'"),
        ({"endings": {"1": [1, 1 << 80]}}, "not a run"),
        ({"more": 1}, "unknown field"),
        ({"kept": [[[1, 2, 3], 5, True, None]]}, "a burr of sticks that do not exist"),
        ({"kept": [[[1 << 61] * 6, 5, True, None]]}, "a burr of sticks that do not exist"),
    ],
)
def test_damaged_files_are_refused(
    change: dict[str, Any] | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    data = saved._written(COMPLETE)
    path.write_bytes(
        data[:40] if change is None else json.dumps(json.loads(data) | change).encode()
    )
    with pytest.raises(PuzzleError) as error:
        read_run(path)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}: not a run of kumitate burr6: ")
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="no such file"):
        read_run(tmp_path / "none.json")


# ---- two processes ----


def test_of_two_processes_with_one_file_the_later_goes_on(tmp_path: Path) -> None:
    path, whole = tmp_path / "run.json", run_into(tmp_path / "whole.json", COMPLETE)
    saved_by_the_other: list[bytes] = []

    def meanwhile(done: float, counts: BurrCounts) -> None:
        if not saved_by_the_other:
            run_into(path, read_run(path))
            saved_by_the_other.append(path.read_bytes())

    with pytest.raises(PuzzleError, match="another process has resumed this run"):
        run_into(path, COMPLETE, progress=meanwhile)
    assert path.read_bytes() == saved_by_the_other[0]
    assert read_run(path).checksum == whole.checksum


def test_a_file_that_was_deleted_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    with pytest.raises(PuzzleError, match="or the file was deleted; stopping"):
        run_into(path, COMPLETE, progress=lambda *_: path.unlink(missing_ok=True))
    assert not path.exists()
