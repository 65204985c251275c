"""A run appears whole or not at all, an old one stays until then, and no loss goes unnoticed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import kumitate
from kumitate import PuzzleError, open_run
from kumitate.burr6 import Burrs
from kumitate.jobs.design import search_into
from kumitate.model.numbers import LARGEST
from kumitate.model.table import PackedRows
from kumitate.search import Progress
from kumitate.store import Recorder, fraction_done, open_collection
from kumitate.store.schema import Batch, FoundAssembly, Task

SOMA, CUBE = kumitate.library["soma"], kumitate.library["diabolical-cube"]
MANY = "iq-puzzler-pro/diamond"  # 344,100 assemblies in some two seconds


@contextmanager
def disk(folder: Path, size: str) -> Iterator[Callable[[str], None]]:
    """A disk of its own, and a way to change it; only root can have one."""
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], stderr=-1)
    if made.returncode:
        pytest.skip(f"no disk can be mounted: {made.stderr.decode().strip()}")

    def change(options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)

    try:
        yield change
    finally:
        subprocess.run(["umount", folder], check=True)


# ---- appearing ----


@pytest.mark.parametrize("old", [False, True])
def test_on_a_full_disk_a_run_appears_whole_or_not_at_all(tmp_path: Path, old: bool) -> None:
    """Whatever the room for it; once there is more, whatever stands there can be resumed."""
    ends = set()
    for size in range(20, 420, 20):
        folder = tmp_path / str(size)
        path = folder / "run.kumitate"
        with disk(folder, f"{size}k") as change:
            try:
                if old:
                    kumitate.solve_into(path, CUBE)
                    before = path.read_bytes()
                    subprocess.run(["cp", "/dev/zero", folder / "filler"], stderr=-3)
                    os.truncate(folder / "filler", (folder / "filler").stat().st_size * 2 // 3)
            except PuzzleError:
                ends.add("no room for the old one")
                continue
            try:
                kumitate.solve_into(path, SOMA, limit=100)
                ends.add("all")
            except PuzzleError as error:
                ends.add(str(error).removeprefix(f"{path}: ").partition(";")[0])
            change("size=10m")
            (folder / "filler").unlink(missing_ok=True)
            assert [name for name in os.listdir(folder) if name.startswith(".")] == []
            if not path.exists():
                assert not old
                ends.add("none")
                continue
            with open_run(path) as run:
                run.verify()
                of_old = run.puzzle == CUBE
            if of_old:
                assert path.read_bytes() == before
                ends.add("old")
            else:
                assert kumitate.resume(path, limit=1000).assemblies == 240
                ends.add("new")
    assert {"all", "new", "the disk is full", "old" if old else "none"} <= ends


STEPS = ["fsync", "exists", "unlink", "replace"]


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_any_step_leaves_the_old_or_the_new(tmp_path: Path, step: str) -> None:
    """The old one was itself killed, so a part of it is only in its log."""
    path, seen = tmp_path / "run.kumitate", set()
    for nth in range(1, 9):
        kumitate.solve_into(path, SOMA, limit=10)
        if (child := os.fork()) == 0:
            with open_run(path) as _:
                kumitate.resume(path, limit=100)
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
        assert path.with_name("run.kumitate-wal").stat().st_size
        if (child := os.fork()) == 0:
            die_at(step, nth)
            kumitate.solve_into(path, CUBE)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        with open_run(path) as run:
            run.verify()
            of_old, told = run.puzzle == SOMA, run.summary()
        if of_old:
            assert told.assemblies == 100
        else:
            assert kumitate.resume(path).assemblies == 13
        seen.add("old" if of_old else "new")
        if status == 0:
            break
    assert seen == {"old", "new"}


def die_at(step: str, nth: int) -> None:
    """Be killed before the nth call of a function of the system."""
    owner = Path if step in ("unlink", "exists") else os
    act, calls = getattr(owner, step), 0

    def acts(*values: object, **named: object) -> object:
        nonlocal calls
        calls += 1
        if calls == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return act(*values, **named)

    setattr(owner, step, acts)


# ---- deleted, replaced ----


@pytest.mark.parametrize("there", ["nothing", "another run"])
def test_a_run_that_is_gone_is_an_error(tmp_path: Path, there: str) -> None:
    path, gone = tmp_path / "run.kumitate", False

    def remove(_: Progress) -> None:
        nonlocal gone
        if not gone:
            gone = True
            if there == "nothing":
                for file in tmp_path.iterdir():
                    file.unlink()
            else:
                kumitate.solve_into(path, CUBE)

    with pytest.raises(PuzzleError, match=r"run.kumitate: deleted or replaced while it was in use"):
        kumitate.solve_into(path, kumitate.library[MANY], progress=remove, checkpoint=0.05)
    if there == "nothing":
        assert list(tmp_path.iterdir()) == []
    else:
        with open_run(path) as run:
            run.verify()
            assert (len(run), run.puzzle) == (13, CUBE)


def test_a_collection_that_is_gone_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "found.kumitate"
    with pytest.raises(PuzzleError, match=r"found.kumitate: deleted or replaced while it was"):
        search_into(path, Burrs(), progress=lambda _: path.unlink(True), checkpoint=0.05)


# ---- read-only ----


def test_runs_are_read_from_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    path, found = folder / "run.kumitate", folder / "found.kumitate"
    with disk(folder, "10m") as change:
        kumitate.solve_into(path, SOMA, limit=100)
        search_into(found, Burrs("solid"), samples=100)
        (killed := folder / "killed.kumitate").write_bytes(path.read_bytes())
        (folder / "killed.kumitate-wal").write_bytes(bytes(9))
        change("ro")
        with open_run(path) as run:
            run.verify()
            assert len(list(run)) == run.summary().assemblies == 100
        with open_collection(found) as collection:
            collection.verify()
            assert len(collection.page()) == 2
        with pytest.raises(PuzzleError, match=r"run.kumitate: it is read-only; copy it to a"):
            kumitate.resume(path, limit=200)
        with pytest.raises(PuzzleError, match=r"killed.kumitate-wal is part of it; copy both to"):
            open_run(killed)
        with pytest.raises(PuzzleError, match=r"new.kumitate: read-only file system"):
            kumitate.solve_into(folder / "new.kumitate", SOMA)
        words = ["export", str(path), "--output", str(tmp_path / "a.svg")]
        main = [sys.executable, "-c", "from kumitate.cli import main; main()", *words]
        subprocess.run(main, check=True, stdout=subprocess.DEVNULL)
        assert sorted(os.listdir(folder)) == [
            "found.kumitate",
            "killed.kumitate",
            "killed.kumitate-wal",
            "run.kumitate",
        ]


# ---- names and numbers ----


def test_a_name_too_long_for_the_logs_beside_it_is_refused(tmp_path: Path) -> None:
    for length in (240, 252, 300):
        path = tmp_path / f"{'x' * (length - 9)}.kumitate"
        if length == 240:
            assert kumitate.solve_into(path, SOMA, limit=3).kept == 3
            continue
        with pytest.raises(PuzzleError, match=r"kumitate: file name too long$"):
            kumitate.solve_into(path, SOMA, limit=3)
    with pytest.raises(PuzzleError, match=r"kumitate: file name too long$"):
        open_run(path)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("number", [2**63, 2**64, 10**30])
def test_numbers_that_no_file_can_hold_are_refused(tmp_path: Path, number: int) -> None:
    path = tmp_path / "run.kumitate"
    with pytest.raises(PuzzleError, match=f"limit {number}: it must be at most [0-9,]+"):
        kumitate.solve_into(path, SOMA, limit=number)
    assert not path.exists()
    kumitate.solve_into(path, SOMA, limit=3)
    with pytest.raises(PuzzleError, match=f"limit {number}: it must be at most [0-9,]+"):
        kumitate.resume(path, limit=number)
    with open_run(path) as run:
        assert run.page(LARGEST, LARGEST) == []
        for page in ((number, 1), (1, number)):
            with pytest.raises(PuzzleError, match=f"{number}: it must be at most [0-9,]+"):
                run.page(*page)
        with pytest.raises(PuzzleError, match=f"first -{number}: it must be at least -[0-9,]+"):
            run.page(-number, 1)
        with pytest.raises(PuzzleError, match=r"numbers go up to [0-9,]+"):
            run.rows("SELECT * FROM task WHERE id = ?", number)
    search_into(path, Burrs("solid"), samples=100)
    with open_collection(path) as collection:
        with pytest.raises(PuzzleError, match=f"number {number}: it must be at most [0-9,]+"):
            collection.document(number)
        with pytest.raises(PuzzleError, match=f"first {number}: it must be at most [0-9,]+"):
            collection.page(number)


# ---- checkpoints ----


def test_a_refused_checkpoint_leaves_the_file_to_the_other_writer(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, SOMA, limit=3)
    with open_run(path) as first, open_run(path) as second:
        old, new = Recorder(first), Recorder(second)
        with pytest.raises(PuzzleError, match="another process has resumed this run"):
            old.commit([], 0, "paused")
        assert not first.connection.in_transaction
        second.connection.execute("PRAGMA busy_timeout = 0")
        new.commit([], 0, "paused")


def test_a_checkpoint_is_on_the_disk_when_it_is_made(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, SOMA, limit=3)
    with open_run(path) as run:
        Recorder(run)
        assert run.rows("PRAGMA synchronous") == [(2,)]


def test_a_snapshot_is_of_one_moment(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, SOMA, limit=3)
    with open_run(path) as run:
        with run.snapshot():
            before = run.checkpoint()
            kumitate.resume(path, limit=9)
            assert run.checkpoint() == before
        assert run.checkpoint().assemblies == 9


def test_a_snapshot_ends_whatever_happens_in_it(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, SOMA, limit=3)
    with open_run(path) as run:
        for _ in range(2):
            with pytest.raises(ZeroDivisionError), run.snapshot():
                raise ZeroDivisionError
        assert not run.connection.in_transaction


@pytest.mark.parametrize("checkpoint", [0.0, 60.0])
def test_every_nth_is_kept_across_checkpoints(tmp_path: Path, checkpoint: float) -> None:
    path = tmp_path / "run.kumitate"
    told = kumitate.solve_into(path, SOMA, keep="every:7", checkpoint=checkpoint)
    assert (told.assemblies, told.kept) == (240, 35)
    whole = kumitate.assemble(SOMA.problems[0])
    with open_run(path) as run:
        numbers = [solution.assembly_number for solution in run]
        assert numbers == list(range(1, 241, 7))
        assert [s.assembly for s in run] == [a for n, a in enumerate(whole) if n % 7 == 0]


def test_a_limit_in_the_middle_of_a_batch_is_kept_to(tmp_path: Path) -> None:
    """What comes apart counts; what does not is passed by, and nothing is counted twice."""
    path = tmp_path / "run.kumitate"
    burrs = kumitate.library["six-piece-burr"]
    kumitate.solve_into(path, burrs, disassemble=True, limit=1)
    tree = kumitate.Disassembly([kumitate.Move([0], (1, 0, 0), None)])
    with open_run(path) as run:
        recorder = Recorder(run, limit=3)
        before = run.summary().assemblies
        [task] = recorder.tasks.values()
        names = bytes(run.width)
        found = [
            FoundAssembly.of(names, "rigid"),
            FoundAssembly(names, "same"),
            FoundAssembly.of(names, "apart", tree),
            FoundAssembly.of(names, "limit"),
            FoundAssembly.of(names, "apart", tree),
            FoundAssembly.of(names, "apart", tree),
        ]
        batch = Batch(task, task, False, PackedRows(b"", 0, 0), found)
        recorder.commit([batch, batch], 0, "running")
        told = run.summary()
        assert (told.state, told.solutions, told.given_up) == ("limit", 3, 1)
        assert told.assemblies == before + 4
        assert told.rigid + told.stuck == told.assemblies - 4
        [after] = run.tasks().values()
        assert after.known == task.known + 5
        assert [s.solution_number for s in run] == [1, 2, 0, 3]
        numbers = [s.assembly_number for s in run]
        assert numbers == [numbers[0], before + 2, before + 3, before + 4]
    with open_run(path) as run:
        recorder = Recorder(run, limit=4)
        batch = Batch(after, after, False, PackedRows(b"", 0, 0), found[5:] * 2)
        recorder.commit([batch], 0, "running")
        assert [task.known for task in run.tasks().values()] == [after.known + 1]


@pytest.mark.parametrize("max_states", [None, 1])
def test_every_nth_that_comes_apart_or_was_given_up_is_kept(
    tmp_path: Path, max_states: int | None
) -> None:
    told = kumitate.solve_into(
        tmp_path / "run.kumitate",
        kumitate.library["six-piece-burr"],
        disassemble=True,
        keep="every:4",
        max_states=max_states,
        checkpoint=0,
    )
    assert told.solutions is not None
    assert (told.given_up > 0) == (max_states is not None)
    assert told.kept == -(-(told.solutions + told.given_up) // 4)


@pytest.mark.parametrize("checkpoint", [0.0, 60.0])
def test_among_equals_the_first_are_kept(tmp_path: Path, checkpoint: float) -> None:
    """31 of the 179 have level 1.2."""
    path, burrs = tmp_path / "run.kumitate", kumitate.library["six-piece-burr"]
    kumitate.solve_into(path, burrs, disassemble=True)
    with open_run(path) as run:
        whole = list(run)
    kumitate.solve_into(path, burrs, disassemble=True, keep="best:40", checkpoint=checkpoint)
    best = [s for s in whole if str(s.levels) == "1.2"]
    rest = [s for s in whole if str(s.levels) == "1"]
    with open_run(path) as run:
        kept = {s.assembly_number for s in run}
    assert kept == {s.assembly_number for s in [*best, *rest[:9]]}


def test_the_fraction_done_never_falls() -> None:
    tasks = [Task(1, b"", 0, 0.8)]
    assert fraction_done(0.5, tasks) == 0.5
    assert fraction_done(0.1, tasks) == pytest.approx(0.2)
    assert fraction_done(0.1, [Task(1, b"", 0, 0.0)]) == 0.9999
    assert fraction_done(0.5, []) == 1


def test_ctrl_c_loses_no_assembly_that_was_counted(tmp_path: Path) -> None:
    path, counted = tmp_path / "run.kumitate", 0

    def note(now: Progress) -> None:
        nonlocal counted
        counted = now.assemblies
        if counted > 20_000:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        kumitate.solve_into(path, kumitate.library[MANY], threads=2, progress=note, checkpoint=60)
    with open_run(path) as run:
        told = run.summary()
        assert told.state == "paused"
        assert 20_000 < counted <= told.assemblies == told.kept
        run.verify()
