"""A run on many machines: the caller sends parcels of tasks to a Dask cluster, and writes the run.

    caller      keeps the tasks, splits them, sends parcels, writes checkpoints of the results
    scheduler   Dask's: finds a worker for each parcel, and another one if that worker dies
    workers     search the tasks of a parcel for a second, then send back what they found

A parcel is limited by time, measured by its worker, so no machine has to be benchmarked first. A
worker has one parcel in progress and another one queued, so it never waits. When there is less work
than that, returned tasks are split and parcels are short. Only returned results count: if a worker
dies, its parcel is searched again from the state its tasks had, and only one result of each parcel
is used. So nothing is lost and nothing comes twice; and if the scheduler or the caller dies, the
file has everything up to the last checkpoint.
"""

import asyncio
import logging
import math
import pickle
import re
import signal
import sys
import threading
import time
from bisect import insort
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, count
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any

import msgspec

from kumitate import _core, store
from kumitate.decoding import from_msgpack
from kumitate.jobs.run_journal import MOST_PENDING, size_of
from kumitate.jobs.work import NOTHING, Abandoned, Desk, Seat, half_of
from kumitate.model.errors import PuzzleError
from kumitate.model.options import RunOptions
from kumitate.store import Batch, Recorder, Task

if TYPE_CHECKING:
    from distributed import Client, Future

SECONDS = 1.0  # of work on a parcel,
SHORT = 0.1  # and at least this much, or if there are few tasks;
PART = 0.1  # at most this part of the time spent so far, or of the time left
PARCELS = 2  # per thread of a worker: one in progress, one queued
TASKS = 4  # per parcel, so that a task that ends early does not leave its worker idle
LEAST_ROOM = 1_000_000  # bytes of results that a parcel may have, however many parcels there are
MOST_KILLED = 3  # parcels of a task that Dask gave up, each after four workers died
RESULT_POLL_SECONDS = 0.02
WORKER_POLL_SECONDS = 1.0
SCHEDULER_SECONDS = 10.0  # for a scheduler to answer,
FIRST_WORKER_SECONDS = 60.0  # and for the first worker to join

# By default Dask checks its own health 50 times a second and profiles workers 100 times a second:
# 3 % of the time of a worker with one thread, 4 % over all processes.
LOW_OVERHEAD = {
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
}
PIP = "pip install 'kumitate[cluster]'"


# ---- connecting ----


@contextmanager
def connect(cluster: "str | Client") -> "Iterator[Client]":
    """A client of a cluster with at least one worker, all with this version of kumitate."""
    try:
        from dask import config
        from distributed import Client, LocalCluster
        from distributed.utils import silence_logging_cmgr
    except ImportError:
        raise PuzzleError(f"a cluster needs Dask, which is not installed; run: {PIP}") from None
    _core.expect_leaks()  # Dask's threads may still hold answers of workers when Python ends
    if not isinstance(cluster, str):
        _wait_for_workers(cluster)
        yield cluster
        return
    here = re.fullmatch("local:([1-9][0-9]{,2})", cluster)
    there = re.fullmatch(r"((tcp|tls|wss?)://)?(?!local:)[^\s/]+:[0-9]+", cluster)
    if not here and not there:
        raise PuzzleError(
            f"cluster {cluster}: use local:N with N up to 999, or an address: tcp://host:8786"
        )
    with ExitStack() as stack:
        stack.enter_context(silence_logging_cmgr(logging.CRITICAL))  # our own messages suffice
        where: Any = cluster
        if here:
            with config.set(LOW_OVERHEAD), _sigint_blocked():
                where = LocalCluster(
                    n_workers=int(here[1]),
                    threads_per_worker=1,
                    memory_limit=None,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
                stack.enter_context(where)
        else:
            _require_scheduler(cluster)
        try:
            client = Client(where, timeout=SCHEDULER_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise PuzzleError(f"no Dask scheduler answers at {cluster}: {error}") from None
        with client:
            _wait_for_workers(client)
            yield client


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Delay Ctrl-C; child processes started inside never receive it, as the caller ends them."""
    here = threading.current_thread() is threading.main_thread()
    if not here or sys.platform == "win32":
        yield
        return
    caught: list[int] = []
    resource_tracker.ensure_running()  # if started inside, it would unblock SIGINT
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    handler = signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if caught:
        raise KeyboardInterrupt


def _require_scheduler(address: str) -> None:
    """Reject an address that is not a Dask scheduler within seconds.

    A Client would wait for ever for a server that does not speak Dask. We ask on a thread, so that
    Ctrl-C does not have to wait for the answer.
    """
    from distributed import Security
    from distributed.comm import connect
    from distributed.core import send_recv

    replies: list[str] = []  # "" if it is a scheduler

    async def ask() -> None:
        options = Security().get_connection_args("client")
        comm = await connect(address, timeout=SCHEDULER_SECONDS, **options)
        answer = await send_recv(comm, op="identity")
        await comm.close()
        replies.append("" if answer["type"] == "Scheduler" else f"a {answer['type']} does")

    def listen() -> None:
        try:
            asyncio.run(asyncio.wait_for(ask(), SCHEDULER_SECONDS + 1))
        except Exception as error:
            replies.append(str(error) or "the server there does not speak Dask")

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    thread.join()
    if replies[0]:
        raise PuzzleError(f"no Dask scheduler answers at {address}: {replies[0]}")


def _wait_for_workers(client: "Client") -> None:
    """Wait for a worker, and make sure that all workers have this version of kumitate."""
    address = client.scheduler.address
    try:
        client.wait_for_workers(1, timeout=FIRST_WORKER_SECONDS)
        _require_kumitate(client, None)
    except TimeoutError:
        raise PuzzleError(
            f"the cluster {address} has no workers; start some: dask worker {address}"
        ) from None
    except OSError as error:
        raise PuzzleError(f"the scheduler {address} is gone: {error}") from None


def _require_kumitate(client: "Client", workers: Sequence[str] | None) -> None:
    """Reject workers, of these or of all, that have another version of kumitate or none."""
    found_at: dict[str, Any] = client.run(version, "kumitate", workers=workers, on_error="return")
    here = version("kumitate")
    for address, found in found_at.items():
        if isinstance(found, PackageNotFoundError):
            raise PuzzleError(f"worker {address} has no kumitate; install kumitate {here} there")
        if isinstance(found, str) and found != here:
            raise _other_version(address, found, here)


def _other_version(address: str, found: str, wanted: str) -> PuzzleError:
    return PuzzleError(
        f"worker {address} has kumitate {found}, not {wanted} as here; install {wanted} there"
    )


def gone(address: str) -> PuzzleError:
    return PuzzleError(f"the scheduler {address} is gone")


def fault_of(client: "Client", error: BaseException, what: str) -> PuzzleError:
    """Why a worker, or all of them, could not do something."""
    from distributed import KilledWorker

    if isinstance(error, PuzzleError):
        return error
    if isinstance(error, KilledWorker):
        return PuzzleError(
            f"{what} kills its workers, perhaps because memory runs out; give each worker more"
            " memory"
        )
    try:
        with suppress(OSError):
            _require_kumitate(client, None)  # the most likely reason
    except PuzzleError as reason:
        return reason
    return PuzzleError(f"a worker failed: {type(error).__name__}: {error}")


# ---- the workers' side ----


class Parcel(msgspec.Struct, frozen=True):
    """Some tasks of a run and how long to search them: everything that a worker needs."""

    puzzle: bytes
    problem: int
    options: RunOptions
    path: str
    search: str  # its fingerprint
    tasks: list[Task]
    seconds: float
    room: int  # bytes of results


class Call:
    """Unpickling a pickled Call calls its function.

    Dask closes a worker that cannot unpickle a function. So the only function that we send is
    `pickle.loads`, and a worker without kumitate survives and reports the error.
    """

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.function, self.arguments


def require_version(wanted: str) -> None:
    """Refuse, on a worker, to work for another version of kumitate."""
    from distributed import get_worker

    if version("kumitate") != wanted:
        raise _other_version(get_worker().address, version("kumitate"), wanted)


def abandonment() -> Callable[[], bool]:
    """Asks, on a worker, whether the result of the current task has become useless.

    So it has if the task is cancelled, or if the worker closes.
    """
    from distributed import Status, get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def abandoned() -> bool:
        task = worker.state.tasks.get(key)
        at_work = worker.status in (Status.running, Status.paused)
        return task is None or task.state == "cancelled" or not at_work

    return abandoned


def carry_on(data: bytes) -> bytes:
    """Search a parcel, on a worker, and return the batches found."""
    from distributed import get_worker

    parcel = from_msgpack(data, Parcel)
    desk, seats = _office(parcel.puzzle, parcel.problem, parcel.options, parcel.path)
    if desk.fingerprint != parcel.search:
        raise PuzzleError(
            f"worker {get_worker().address} searches in another order; install the same version of"
            " kumitate there"
        )
    return msgspec.msgpack.encode(work_at(parcel, desk, seats, abandonment()))


@lru_cache(maxsize=2)
def _office(text: bytes, problem: int, options: RunOptions, path: str) -> tuple[Desk, deque[Seat]]:
    """The desk for all parcels of a run, set up once, and its free seats."""
    return Desk(store.puzzle_of(text), problem, options, path), deque()


def work_at(
    parcel: Parcel, desk: Desk, seats: deque[Seat], abandoned: Callable[[], bool]
) -> list[Batch]:
    shift = _Shift(parcel, abandoned)
    batches: list[Batch] = []
    try:
        seat = seats.pop()
    except IndexError:
        seat = Seat(desk)
    with suppress(Abandoned):
        for task in parcel.tasks:
            for batch in seat.work(task, shift):
                batches.append(batch)
                shift.room -= size_of(batch)
            if shift.enough():
                break
    seats.append(seat)
    return batches


class _Shift:
    """The orders while working on a parcel."""

    def __init__(self, parcel: Parcel, abandoned: Callable[[], bool]) -> None:
        self.end = time.monotonic() + parcel.seconds
        self.room = parcel.room
        self.abandoned = abandoned

    def enough(self) -> bool:
        return self.room <= 0 or time.monotonic() >= self.end or self.abandoned()

    def spare(self) -> int:
        return 1

    def is_long(self, nodes: int) -> bool:
        """A search on a cluster is always long."""
        return True

    def give(self, search: _core.Search) -> Task | None:
        """Workers do not split tasks; the caller does."""
        return None


# ---- the caller's side ----


class Workers:
    """The workers of a cluster, and all tasks: waiting, returned or sent away."""

    def __init__(self, desk: Desk, recorder: Recorder, client: "Client") -> None:
        run = recorder.run
        self.client = client
        self.address: str = client.scheduler.address
        self.desk = desk
        self.search = desk.prepared.core.search()  # to split tasks
        self.search.weigh(desk.shares())
        self.prepared = (run.text, run.number, run.options, desk.path, desk.fingerprint)
        self.waiting: deque[Task] = deque()
        self.back = list(recorder.tasks.values())  # returned: to be split, or to wait
        self.begun, self.share = time.monotonic(), sum(map(_share, self.back))
        self.away: dict[Future, list[Task]] = {}
        self.ids = count(recorder.last_task + 1)
        self.killed: Counter[int] = Counter()
        self.known: dict[str, int] = {}  # threads of each worker
        self.fault: Exception | None = None
        self.stopping = False
        self.closing = threading.Event()

    @property
    def threads(self) -> int:
        return max(1, sum(self.known.values()))

    def reports(self) -> Iterator[Sequence[Batch]]:
        from distributed import as_completed

        with suppress(OSError):
            self._update_workers()
        threading.Thread(target=self._watch, daemon=True).start()
        answers = as_completed(loop=self.client.loop, with_results=True)
        while self.waiting or self.back or self.away:
            batches = self._split()
            for future in self._send():
                answers.add(future)
            for future, answer in answers.next_batch(block=False):
                try:
                    batches += self._take(future, answer)
                except PuzzleError as error:
                    self.fault = self.fault or error
            yield batches
            if self.fault:
                raise PuzzleError(
                    f"{self.fault}; everything found is kept;"
                    f" to continue: kumitate solve --resume {self.desk.path}"
                )
            if self.stopping:
                return
            if not self.back:
                time.sleep(RESULT_POLL_SECONDS)

    def stop(self) -> None:
        self.stopping = True

    def close(self) -> None:
        self.closing.set()
        with suppress(Exception):  # the scheduler may be gone
            self.client.cancel(list(self.away))

    def _split(self) -> list[Batch]:
        """Halve the largest of the returned tasks, until there are enough for all workers."""
        batches: list[Batch] = []
        if not self.back:
            return batches
        missing = self.threads * PARCELS * TASKS - sum(1 for _ in self._tasks())
        self.back.sort(key=_share)
        while self.back:
            task = self.back.pop()
            given = None
            if missing > 0 and not task.known:
                self.desk.load(self.search, task)
                given = half_of(self.search, self.ids)
            if given is None:
                self.waiting.append(task)
                continue
            missing -= 1
            self.waiting.append(given)
            half = Task(task.id, self.search.save(), 0, self.search.left)
            batches.append(Batch(task, half, False, NOTHING, (), given))
            insort(self.back, half, key=_share)
        return batches

    def _send(self) -> "Iterator[Future]":
        """Send every worker a parcel to search, and one to queue."""
        most = self.threads * PARCELS
        if not self.waiting or len(self.away) >= most:
            return
        room = max(LEAST_ROOM, MOST_PENDING // most)
        seconds, fair = self._seconds(), sum(1 for _ in self._tasks()) / most
        while self.waiting and len(self.away) < most:
            share = min(len(self.waiting) / (most - len(self.away)), fair)
            tasks = [self.waiting.popleft() for _ in range(math.ceil(share))]
            parcel = Parcel(*self.prepared, tasks, seconds, room)
            call = Call(carry_on, msgspec.msgpack.encode(parcel))
            future = self.client.submit(pickle.loads, pickle.dumps(call), pure=False)
            self.away[future] = tasks
            yield future

    def _seconds(self) -> float:
        """How long to work on a parcel: shorter at the beginning and near the end."""
        if len(self.away) + len(self.waiting) < self.threads:
            return SHORT
        spent, left = time.monotonic() - self.begun, sum(map(_share, self._tasks()))
        ahead = spent * left / max(self.share - left, 1e-9)
        return max(SHORT, min(SECONDS, PART * min(spent, ahead)))

    def _tasks(self) -> Iterator[Task]:
        return chain(self.back, self.waiting, *self.away.values())

    def _take(self, future: "Future", answer: Any) -> list[Batch]:
        """The results of a parcel; its tasks are ours again."""
        tasks = {task.id: task for task in self.away.pop(future)}
        if not isinstance(answer, bytes):
            self._require_excuse(tasks, answer)
            self.waiting.extend(tasks.values())
            return []
        batches = from_msgpack(answer, list[Batch])
        for batch in batches:
            tasks[batch.after.id] = batch.after
            if batch.done:
                del tasks[batch.after.id]
        begun = {batch.after.id for batch in batches}
        self.back += [task for task in tasks.values() if task.id in begun]
        self.waiting.extend(task for task in tasks.values() if task.id not in begun)
        return batches

    def _require_excuse(self, tasks: dict[int, Task], answer: Any) -> None:
        """A parcel whose workers died is sent again; raise an error if something else is wrong."""
        from distributed import KilledWorker

        if not isinstance(answer, tuple):
            raise gone(self.address)
        (_, error, _), what = answer, "a task"
        if isinstance(error, KilledWorker):
            self.killed.update(tasks.keys())
            [(task, times)] = self.killed.most_common(1)
            if times < MOST_KILLED:
                return
            what = f"task {task}"
        raise fault_of(self.client, error, what)

    def _watch(self) -> None:
        """Poll the list of workers, on a thread, since the scheduler may be slow to answer."""
        answered = time.monotonic()
        while not self.closing.wait(WORKER_POLL_SECONDS):
            try:
                self._update_workers()
                answered = time.monotonic()
            except OSError:  # usually the parcels show sooner that the scheduler is gone
                if time.monotonic() - answered > FIRST_WORKER_SECONDS:
                    self.fault = gone(self.address)
                    return
            except Exception as error:
                self.fault = error
                return

    def _update_workers(self) -> None:
        now: dict[str, int] = self.client.nthreads()
        fresh = now.keys() - self.known.keys()
        if fresh:
            _require_kumitate(self.client, list(fresh))
        self.known = now


def _share(task: Task) -> float:
    return task.share
