"""A run on a cluster finds what it finds on threads, whatever dies on the way."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from tests.cli.test_turns import hall
from tests.jobs.clusters import Machine, kill, networks, wait_until
from tests.jobs.kill_harness import contents, expected, faults, wait_for
from tests.jobs.test_local import coloured, copies, loose, mirrored_pair, ranges, tray

import kumitate
from kumitate import Puzzle, PuzzleError
from kumitate.jobs import cluster, work
from kumitate.search import Progress
from kumitate.store import Task, open_run

MANY = "kanoodle"  # 92,755 assemblies in less than a second
LONGER = "iq-puzzler-pro/diamond"  # 344,100 in two
MAIN = [sys.executable, "-c", "from kumitate.cli import main; main()"]
PLAIN = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb"}

answer = cache(expected)


@pytest.fixture
def address(machine: Machine) -> str:
    return machine.address


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make parcels so short that even a small puzzle takes many of them."""
    monkeypatch.setattr(cluster, "SECONDS", 0.02)
    monkeypatch.setattr(cluster, "SHORT", 0.005)


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MAIN, *words], capture_output=True, text=True, cwd=folder, env=PLAIN)


# ---- the same answers ----

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("soma", {}),
    ("conway", {}),
    ("pentominoes/6x10", {"mirrors": True}),
    ("kanoodle-pyramid", {}),
    ("six-piece-burr", {"disassemble": True}),
    ("pentominoes/8x8", {"disassemble": True, "keep": "best:9"}),
    ("pentominoes/2x5x6", {"keep": "none"}),
]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(("name", "options"), ASKED, ids=[name for name, _ in ASKED])
def test_a_cluster_finds_what_threads_find(
    tmp_path: Path, address: str, name: str, options: dict[str, Any]
) -> None:
    here, there = tmp_path / "here.kumitate", tmp_path / "there.kumitate"
    told = kumitate.solve_into(here, kumitate.library[name], **options)
    again = kumitate.solve_into(there, kumitate.library[name], cluster=address, **options)
    for field in ("state", "assemblies", "rotations", "solutions", "rigid", "stuck", "levels"):
        assert getattr(again, field) == getattr(told, field), field
    assert (again.nodes, again.kept, again.fraction) == (told.nodes, told.kept, 1)
    assert faults(there) == []
    if "keep" not in options:
        assert contents(there) == contents(here)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("make", [copies, ranges, coloured, mirrored_pair, loose])
@pytest.mark.parametrize("options", [{}, {"thorough": True}], ids=["plain", "thorough"])
def test_what_a_problem_may_ask_can_be_asked_of_a_cluster(
    tmp_path: Path, address: str, make: Callable[[], Puzzle], options: dict[str, Any]
) -> None:
    path = tmp_path / "run.kumitate"
    puzzle = make()
    kumitate.solve_into(path, puzzle, cluster=address, **options)
    with open_run(path) as run:
        found = [solution.assembly for solution in run]
    assert len(found) == len(set(found))
    assert set(found) == set(kumitate.assemble(puzzle.problems[0], **options))


@pytest.mark.usefixtures("hasty")
def test_pieces_turn_on_a_cluster(tmp_path: Path, address: str) -> None:
    here, there = tmp_path / "here.kumitate", tmp_path / "there.kumitate"
    told = kumitate.solve_into(here, hall(), disassemble=True, turns=0)
    again = kumitate.solve_into(there, hall(), disassemble=True, turns=0, cluster=address)
    assert again.levels == told.levels
    assert any("R1" in level for level in told.levels)
    assert contents(there) == contents(here)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("apart", [False, True])
def test_a_run_goes_on_here_and_there(tmp_path: Path, address: str, apart: bool) -> None:
    """The limit is exact each time, wherever in a parcel it is reached."""
    path, chance = tmp_path / "run.kumitate", random.Random(apart)
    limit, fraction = 5, 0.0
    told = kumitate.solve_into(
        path, kumitate.library["six-piece-burr"], disassemble=apart, limit=limit, cluster=address
    )
    while told.state == "limit":
        assert (told.solutions if apart else told.assemblies) == limit == told.kept
        assert faults(path) == []
        assert told.fraction >= fraction
        limit, fraction = limit + chance.randrange(1, 120), told.fraction
        told = kumitate.resume(path, limit=limit, cluster=chance.choice([None, address]))
    assert contents(path) == answer("six-piece-burr", apart)


def test_parcels_take_the_time_they_should_and_everybody_has_one(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So long each, but less near the end, when tasks are split again."""
    monkeypatch.setattr(cluster, "SECONDS", 0.04)
    monkeypatch.setattr(cluster, "SHORT", 0.01)
    halve, halves = work.half_of, list[Task | None]()

    def half_of(*search: Any) -> Task | None:
        halves.append(halve(*search))
        return halves[-1]

    monkeypatch.setattr(cluster, "half_of", half_of)
    path, seen = tmp_path / "run.kumitate", list[Progress]()
    with cluster.connect(address) as client:
        client.get_task_stream()  # from now on
        start = time.time()
        told = kumitate.solve_into(
            path, kumitate.library["bedlam"], keep="none", cluster=client, progress=seen.append
        )
        parcels = client.get_task_stream(start=start)
    assert told.assemblies == 19_186
    spans = sorted((span["start"], span["stop"]) for p in parcels for span in p["startstops"])
    times = [stop - start for start, stop in spans]
    # Some run out of tasks before their time is over.
    assert 0.025 <= median(times[len(times) // 3 : len(times) // 2]) < 0.2
    assert median(times[-4:]) < median(times[len(times) // 3 : len(times) // 2])
    assert sum(times) > len(times) * 0.01
    last = {p["worker"]: max(span["stop"] for span in p["startstops"]) for p in parcels}
    assert len(last) == 2
    assert max(last.values()) - min(last.values()) < 1  # even on a busy machine
    tasks = 1 + sum(given is not None for given in halves)
    assert tasks > 2 * cluster.PARCELS * cluster.TASKS  # twice the initial number
    fractions = [progress.fraction for progress in seen]
    assert fractions == sorted(fractions)
    assert len(set(fractions)) > 3


# ---- deaths ----


def dying(
    machine: Machine, workers: list[subprocess.Popen[bytes]], moments: list[float]
) -> Callable[[Progress], None]:
    """At each of these fractions of a search, kill a worker and start another."""

    def tell(now: Progress) -> None:
        if moments and now.fraction >= moments[0]:
            moments.pop(0)
            kill(workers.pop(0))
            workers.append(machine.worker())

    return tell


@pytest.mark.parametrize(("name", "apart"), [(MANY, False), ("pentominoes/3x4x5", True)])
def test_workers_that_are_killed_cost_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, apart: bool
) -> None:
    monkeypatch.setattr(cluster, "SHORT", 0.02)
    monkeypatch.setattr(cluster, "SECONDS", 0.1)
    path, whole, chance = (
        tmp_path / "run.kumitate",
        tmp_path / "whole.kumitate",
        random.Random(name),
    )
    kumitate.solve_into(whole, kumitate.library[name], disassemble=apart)
    moments = sorted(0.9 * chance.random() for _ in range(4 - apart))
    with Machine(tmp_path) as machine:
        machine.scheduler()
        workers = [machine.worker(), machine.worker()]
        told = kumitate.solve_into(
            path,
            kumitate.library[name],
            disassemble=apart,
            cluster=machine.address,
            checkpoint=0.1,
            progress=dying(machine, workers, moments),
        )
    assert moments == []
    assert told.state == "done"
    assert faults(path) == []
    assert contents(path) == contents(whole)


def test_after_the_scheduler_is_killed_a_run_goes_on(tmp_path: Path, address: str) -> None:
    path, copy = tmp_path / "run.kumitate", tmp_path / "copy.kumitate"
    with Machine(tmp_path) as machine:
        scheduler = machine.scheduler()
        machine.worker()

        def tell(now: Progress) -> None:
            if now.fraction > 0.3:
                scheduler.kill()

        with pytest.raises(PuzzleError, match=r"the scheduler \S+ is gone; .* --resume \S+$"):
            kumitate.solve_into(
                path, kumitate.library[MANY], cluster=machine.address, progress=tell
            )
    with open_run(path) as run:
        assert run.summary().state == "paused"
        assert 0.3 < run.summary().fraction < 1
    assert faults(path) == []
    shutil.copy(path, copy)
    assert kumitate.resume(path, threads=2).state == "done"
    assert kumitate.resume(copy, cluster=address).state == "done"
    assert contents(path) == contents(copy) == answer(MANY, False)


def test_after_the_caller_is_killed_a_run_goes_on(tmp_path: Path, address: str) -> None:
    path = tmp_path / "run.kumitate"
    with subprocess.Popen(calling(path, LONGER, address)) as process:
        wait_until(partial(has_begun, path))
        process.kill()
    with open_run(path) as run:
        assert run.summary().state == "running"
        assert 0 < run.summary().fraction < 1
    assert faults(path) == []
    on = command(tmp_path, "solve", "--resume", path.name, "--cluster", address)
    assert (on.returncode, on.stderr) == (0, "")
    assert on.stdout.startswith("344,100 assemblies (")
    assert faults(path) == []
    assert contents(path) == answer(LONGER, False)


def test_a_task_that_brings_workers_down_is_not_tried_for_ever(tmp_path: Path) -> None:
    """Workers die whenever they get a parcel, and Dask is set to give up at once."""
    path = tmp_path / "run.kumitate"
    with Machine(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as machine:
        machine.scheduler()
        workers = [machine.worker()]
        over = threading.Event()

        def reap() -> None:
            while not over.wait(0.05):
                if path.exists():
                    kill(workers.pop())
                    workers.append(machine.worker())
                    over.wait(3)

        killer = threading.Thread(target=reap)
        killer.start()
        try:
            with pytest.raises(PuzzleError, match="task 1 kills its workers"):
                kumitate.solve_into(path, tray(), disassemble=True, cluster=machine.address)
        finally:
            over.set()
            killer.join()
    assert faults(path) == []


def test_a_network_that_is_cut_costs_nothing_but_time(tmp_path: Path) -> None:
    """Each worker is in a network of its own; the cable of one is cut without a goodbye."""
    path = tmp_path / "run.kumitate"
    patience = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "11s"}  # the minimum that Dask accepts
    with networks(2) as (hub, inside), Machine(tmp_path, **patience) as machine:
        machine.scheduler(*hub, host="0.0.0.0")
        port = machine.address.rpartition(":")[2]
        for number, words in enumerate(inside, 1):
            machine.worker(*words, address=f"tcp://10.77.{number}.1:{port}")
        caller = machine.start(*hub, *calling(path, LONGER, f"tcp://127.0.0.1:{port}"))
        wait_until(partial(has_begun, path))
        assert caller.poll() is None
        subprocess.check_call([*hub, "ip", "link", "set", "cable1", "down"])
        assert caller.wait(120) == 0
    assert faults(path) == []
    assert contents(path) == answer(LONGER, False)


def calling(path: Path, name: str, address: str) -> list[str]:
    """A command line that solves a puzzle on a cluster, with many checkpoints."""
    program = "import kumitate, sys; path, name, address = sys.argv[1:]; "
    program += "kumitate.solve_into(path, kumitate.library[name], cluster=address, checkpoint=0.05)"
    return [sys.executable, "-c", program, str(path), name, address]


def has_begun(path: Path) -> bool:
    if not path.exists():
        return False
    with open_run(path) as run:
        return run.summary().fraction > 0.1


# ---- stopping ----


def test_ctrl_c_makes_a_checkpoint(tmp_path: Path) -> None:
    """Ctrl-C in a terminal reaches all processes, including those of a local cluster."""
    words = ["solve", LONGER, "--cluster", "local:2", "--output", "run.kumitate"]
    with subprocess.Popen(
        [*MAIN, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=PLAIN,
        start_new_session=True,
    ) as process:
        wait_for(tmp_path / "run.kumitate", 60)
        time.sleep(0.4)
        os.killpg(process.pid, signal.SIGINT)
        printed, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (130, "")
    assert " so far (" in printed
    assert printed.endswith("to continue: kumitate solve --resume run.kumitate\n")
    with open_run(tmp_path / "run.kumitate") as run:
        assert run.summary().state == "paused"
    on = command(tmp_path, "solve", "--resume", "run.kumitate")
    assert on.stdout.startswith("344,100 assemblies (")
    assert contents(tmp_path / "run.kumitate") == answer(LONGER, False)


def test_a_worker_leaves_what_nobody_waits_for(tmp_path: Path, address: str) -> None:
    """Seven blocks in a closed tray: the disassembly takes long and cannot be split."""
    path = tmp_path / "run.kumitate"
    with cluster.connect(address) as client:
        timer = threading.Timer(1.5, partial(os.kill, os.getpid(), signal.SIGINT))
        timer.start()
        start = time.monotonic()
        rest: dict[str, Any] = {"distinct_copies": True, "cluster": client}
        with pytest.raises(KeyboardInterrupt):
            kumitate.solve_into(path, tray(), disassemble=True, **rest)
        assert time.monotonic() - start < 30
        timer.join()
        for worker in client.nthreads():  # each has one thread, which is free again
            client.submit(os.getpid, workers=[worker], pure=False).result(timeout=60)
    with open_run(path) as run:
        assert run.summary().state == "paused"


# ---- user errors ----


def site_without_kumitate(folder: Path) -> Path:
    """Everything that is installed here, except kumitate."""
    import distributed

    folder.mkdir()
    for path in Path(distributed.__file__).parents[1].iterdir():
        if "kumitate" not in path.name and path.suffix != ".pth":
            (folder / path.name).symlink_to(path)
    return folder


def python_with(folder: Path) -> list[str]:
    program = (
        f"import sys; sys.path.append({str(folder)!r}); import distributed.cli.dask_worker as w"
    )
    return [sys.executable, "-S", "-c", f"{program}; w.main()"]


def test_workers_need_this_kumitate(tmp_path: Path) -> None:
    site = site_without_kumitate(tmp_path / "site")
    with Machine(tmp_path) as machine:
        machine.scheduler()
        bare = machine.worker(python=python_with(site))
        path = tmp_path / "run.kumitate"
        with pytest.raises(
            PuzzleError, match=r"^worker tcp://\S+ has no kumitate; install kumitate 0"
        ):
            kumitate.solve_into(path, kumitate.library["soma"], cluster=machine.address)
        assert not path.exists()
        bare.kill()
        older = site / "kumitate-0.0.7.dist-info"
        older.mkdir()
        (older / "METADATA").write_text("Metadata-Version: 2.1\nName: kumitate\nVersion: 0.0.7\n")
        machine.worker(python=python_with(site))
        with pytest.raises(PuzzleError, match=r"^worker \S+ has kumitate 0\.0\.7, not \S+ as here"):
            kumitate.solve_into(path, kumitate.library["soma"], cluster=machine.address)


def test_a_worker_that_comes_later_needs_it_too(tmp_path: Path) -> None:
    site, path = site_without_kumitate(tmp_path / "site"), tmp_path / "run.kumitate"
    with Machine(tmp_path) as machine:
        machine.scheduler()
        machine.worker()
        late: list[subprocess.Popen[bytes]] = []

        def tell(_: Progress) -> None:
            if not late:
                late.append(machine.worker(python=python_with(site)))

        complaint = (
            r"^worker tcp://\S+ has no kumitate.*kept; to continue: kumitate solve --resume .*$"
        )
        with pytest.raises(PuzzleError, match=complaint):
            kumitate.solve_into(
                path,
                kumitate.library["bedlam"],
                rotations=True,
                cluster=machine.address,
                progress=tell,
            )
    assert faults(path) == []
    with open_run(path) as run:
        assert run.summary().state == "paused"


def test_a_cluster_without_workers_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "FIRST_WORKER_SECONDS", 0.3)
    with Machine(tmp_path) as machine:
        machine.scheduler()
        with pytest.raises(PuzzleError, match=r"has no workers; start some: dask worker tcp://"):
            kumitate.solve_into(
                tmp_path / "run.kumitate", kumitate.library["soma"], cluster=machine.address
            )
    assert not (tmp_path / "run.kumitate").exists()


NOWHERE = ["", "local", "local:", "local:0", "local:1000", "somewhere", "tcp://there", "foo://x:1"]


@pytest.mark.parametrize("where", NOWHERE)
def test_no_address_is_one_line(where: str) -> None:
    way_out = "use local:N with N up to 999, or an address: tcp://host:8786"
    complaint = f"^cluster {where}: {way_out}$"
    with pytest.raises(PuzzleError, match=complaint), cluster.connect(where):
        pass


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--cluster local:2 --threads 2", "--threads cannot be combined with --cluster"),
        (
            "--cluster local:2 --disassemble --shortest",
            "--shortest cannot be combined with --cluster",
        ),
        ("--cluster=", "cluster : use local:N"),
        ("--cluster tcp://127.0.0.1:9 --problem 9", "--problem 9: there"),  # at once
    ],
)
def test_a_slip_is_one_line(tmp_path: Path, words: str, complaint: str) -> None:
    refused = command(tmp_path, "solve", "soma", *words.split())
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"kumitate: {complaint}"), refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_nobody_at_the_address_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SCHEDULER_SECONDS", 0.3)
    with (
        pytest.raises(PuzzleError, match=r"^no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster.connect("tcp://127.0.0.1:9"),
    ):
        pass


def test_somebody_else_at_the_address_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SCHEDULER_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        there = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        complaint = "^no Dask scheduler answers at .*: the server there does not speak Dask$"
        with pytest.raises(PuzzleError, match=complaint), cluster.connect(there):
            pass


def test_a_worker_is_no_scheduler(address: str) -> None:
    with cluster.connect(address) as client:
        worker = next(iter(client.nthreads()))
    complaint = f"^no Dask scheduler answers at {worker}: a Worker does$"
    with pytest.raises(PuzzleError, match=complaint), cluster.connect(worker):
        pass


def test_without_the_extra_there_is_the_way_to_get_it(tmp_path: Path) -> None:
    program = "import sys; sys.modules['distributed'] = None; from kumitate.cli import main; main()"
    words = [sys.executable, "-c", program, "solve", "soma", "--cluster", "local:2"]
    refused = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=PLAIN)
    wanted = (
        "kumitate: a cluster needs Dask, which is not installed;"
        " run: pip install 'kumitate[cluster]'"
    )
    assert (refused.returncode, refused.stderr) == (2, f"{wanted}\n")


# ---- the command line ----


def test_without_a_file_the_answers_are_drawn(tmp_path: Path, address: str) -> None:
    there = command(tmp_path, "solve", "slothouber-graatsma", "--cluster", address)
    here = command(tmp_path, "solve", "slothouber-graatsma")
    assert (there.returncode, there.stderr) == (0, "")
    assert there.stdout.rpartition("nodes")[0] == here.stdout.rpartition("nodes")[0]
    assert list(tmp_path.iterdir()) == []


def test_json_is_as_without_a_cluster(tmp_path: Path, address: str) -> None:
    words = ["solve", "six-piece-burr", "--disassemble", "--json"]
    here, there = command(tmp_path, *words), command(tmp_path, *words, "--cluster", address)
    [one], [two] = (json.loads(done.stdout)["problems"] for done in (here, there))
    first, second = (row.pop("found") for row in (one, two))  # workers find them in any order
    assert sorted(s["assembly"] for s in first) == sorted(s["assembly"] for s in second)
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
