"""A run on many machines: the caller hands parcels of tasks to a Dask cluster, and writes.

    caller      keeps the tasks, splits them, sends parcels, makes checkpoints of what comes back
    scheduler   Dask's: finds a worker for each parcel, and another one if that worker dies
    workers     work at the tasks of a parcel for a second, then send back what they found

A parcel is sized by the clock of whoever works at it, so no machine needs to be measured before. A
worker has one parcel at hand and one to go on with, so it waits for nobody; once there is less than
that, the tasks that come back are split and parcels are short. Only what came back is known: if a
worker dies its parcel is worked at anew from where its tasks stood, and of each parcel just one
answer is taken. So nothing is lost and nothing comes twice, and if the scheduler or the caller dies
the file holds all up to the last checkpoint.
"""

import asyncio
import logging
import math
import pickle
import re
import signal
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
from kumitate.model.errors import PuzzleError
from kumitate.scale.record import MOST_PENDING, size_of
from kumitate.scale.work import NOTHING, Abandoned, Desk, Seat, half_of
from kumitate.store import Batch, Options, Recorder, Task

if TYPE_CHECKING:
    from distributed import Client, Future

SECONDS = 1.0  # to work at a parcel,
SHORT = 0.1  # and if they are few,
PART = 0.1  # or else of the time that was spent or is left, if that is less
PARCELS = 2  # for each thread of a worker: one at hand, one to go on with
TASKS = 4  # in each of them, so that one which is soon done does not make it short
LEAST_ROOM = 1_000_000  # bytes that a parcel may find, however many there are
MOST_KILLED = 3  # parcels given up by Dask, each after its workers died four times
POLL = 0.02  # seconds between two looks at what has come back,
LOOK = 1.0  # and at who is there
PATIENCE = 10.0  # seconds for a scheduler to answer,
MUSTER = 60.0  # and for the first worker to come

# Dask looks at its own health fifty times a second, and a hundred times at what workers do: for a
# worker of one thread that is 3 % of its work, for all processes together 4 %.
THRIFTY = {
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
}
PIP = "pip install 'kumitate[cluster]'"


# ---- the way there ----


@contextmanager
def connect(cluster: "str | Client") -> "Iterator[Client]":
    """A client of a cluster that has workers, all of which have this kumitate."""
    try:
        from dask import config
        from distributed import Client, LocalCluster
        from distributed.utils import silence_logging_cmgr
    except ImportError:
        raise PuzzleError(f"a cluster needs Dask, not installed; get it by: {PIP}") from None
    if not isinstance(cluster, str):
        _muster(cluster)
        yield cluster
        return
    here = re.fullmatch("local:([1-9][0-9]{,2})", cluster)
    there = re.fullmatch(r"((tcp|tls|wss?)://)?(?!local:)[^\s/]+:[0-9]+", cluster)
    if not here and not there:
        raise PuzzleError(
            f"cluster {cluster}: write local:N, N up to 999, or an address such as tcp://host:8786"
        )
    with ExitStack() as stack:
        stack.enter_context(silence_logging_cmgr(logging.CRITICAL))  # we say what is wrong
        where: Any = cluster
        if here:
            with config.set(THRIFTY), _deaf():
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
            client = Client(where, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise PuzzleError(f"no scheduler of Dask answers at {cluster}: {error}") from None
        with client:
            _muster(client)
            yield client


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C waits, and processes started meanwhile never hear it: the caller ends them."""
    here = threading.current_thread() is threading.main_thread()
    if not here or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    heard: list[int] = []
    resource_tracker.ensure_running()  # which would let others hear
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if heard:
        raise KeyboardInterrupt


def _require_scheduler(address: str) -> None:
    """Ask whoever listens there what it is, on a thread, since Ctrl-C must not wait for the answer.

    A Client would ask too, but waits for ever for somebody who does not speak Dask.
    """
    from distributed import Security
    from distributed.comm import connect
    from distributed.core import send_recv

    told: list[str] = []

    async def ask() -> None:
        options = Security().get_connection_args("client")
        comm = await connect(address, timeout=PATIENCE, **options)
        answer = await send_recv(comm, op="identity")
        await comm.close()
        told.append("" if answer["type"] == "Scheduler" else f"a {answer['type']} does")

    def listen() -> None:
        try:
            asyncio.run(asyncio.wait_for(ask(), PATIENCE + 1))
        except Exception as error:
            told.append(str(error) or "whoever listens there does not speak Dask")

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    thread.join()
    if told[0]:
        raise PuzzleError(f"no scheduler of Dask answers at {address}: {told[0]}")


def _muster(client: "Client") -> None:
    """Wait for a worker, and make sure that all have this kumitate."""
    address = client.scheduler.address
    try:
        client.wait_for_workers(1, timeout=MUSTER)
        _require_kumitate(client, None)
    except TimeoutError:
        raise PuzzleError(
            f"the cluster {address} has no workers; start some: dask worker {address}"
        ) from None
    except OSError as error:
        raise PuzzleError(f"the scheduler {address} is gone: {error}") from None


def _require_kumitate(client: "Client", workers: Sequence[str] | None) -> None:
    """This version, on these workers or all."""
    told: dict[str, Any] = client.run(version, "kumitate", workers=workers, on_error="return")
    here = version("kumitate")
    for address, found in told.items():
        if isinstance(found, PackageNotFoundError):
            raise PuzzleError(f"worker {address} has no kumitate; install kumitate {here} there")
        if isinstance(found, str) and found != here:
            raise PuzzleError(
                f"worker {address} has kumitate {found}, not {here} as here; install that there"
            )


# ---- the workers' side ----


class Parcel(msgspec.Struct, frozen=True):
    """Some tasks of a run, and how long to work at them; whoever gets it needs nothing else."""

    puzzle: bytes
    problem: int
    options: Options
    path: str
    search: str  # its fingerprint
    tasks: list[Task]
    seconds: float
    room: int  # bytes that may be found


class Call:
    """Once pickled, a call of `carry_on` for whoever unpickles it.

    Dask closes a worker that cannot read a function. So it gets none but `pickle.loads`, and a
    worker that has no kumitate lives to tell.
    """

    def __init__(self, parcel: Parcel) -> None:
        self.parcel = msgspec.msgpack.encode(parcel)

    def __reduce__(self) -> tuple[Callable[[bytes], bytes], tuple[bytes]]:
        return carry_on, (self.parcel,)


def carry_on(data: bytes) -> bytes:
    """Work at a parcel, and tell in batches what came of it."""
    from distributed import Status, get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def abandoned() -> bool:
        """Whether the answer is of no use any more: nobody waits for it, or it cannot be sent."""
        task = worker.state.tasks.get(key)
        at_work = worker.status in (Status.running, Status.paused)
        return task is None or task.state == "cancelled" or not at_work

    parcel = msgspec.msgpack.decode(data, type=Parcel)
    desk, seats = _office(parcel.puzzle, parcel.problem, parcel.options, parcel.path)
    if desk.fingerprint != parcel.search:
        raise PuzzleError(
            f"worker {worker.address} searches in another order; install the same kumitate there"
        )
    return msgspec.msgpack.encode(work_at(parcel, desk, seats, abandoned))


@lru_cache(maxsize=2)
def _office(text: bytes, problem: int, options: Options, path: str) -> tuple[Desk, deque[Seat]]:
    """Set up once for all parcels of a run, with the seats that are free."""
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
    """The orders of one who works at a parcel."""

    def __init__(self, parcel: Parcel, abandoned: Callable[[], bool]) -> None:
        self.end = time.monotonic() + parcel.seconds
        self.room = parcel.room
        self.abandoned = abandoned

    def enough(self) -> bool:
        return self.room <= 0 or time.monotonic() >= self.end or self.abandoned()

    def spare(self) -> int:
        return 1

    def is_long(self, nodes: int) -> bool:
        """Else it would need no cluster."""
        return True

    def give(self, search: _core.Search) -> Task | None:
        """The caller splits."""
        return None


# ---- the caller's side ----


class Workers:
    """The workers of a cluster, and the tasks that are here and there."""

    def __init__(self, desk: Desk, recorder: Recorder, client: "Client") -> None:
        run = recorder.run
        self.client = client
        self.address: str = client.scheduler.address
        self.desk = desk
        self.search = desk.prepared.core.search()  # to split tasks
        self.search.weigh(desk.shares())
        self.prepared = (run.text, run.number, run.options, desk.path, desk.fingerprint)
        self.waiting: deque[Task] = deque()
        self.back = list(recorder.tasks.values())  # to be split or to wait
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
            self._look_round()
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
                    f"{self.fault}; what was found is kept;"
                    f" to continue: kumitate solve --resume {self.desk.path}"
                )
            if self.stopping:
                return
            if not self.back:
                time.sleep(POLL)

    def stop(self) -> None:
        self.stopping = True

    def close(self) -> None:
        self.closing.set()
        with suppress(Exception):  # whoever is gone has nothing to be told
            self.client.cancel(list(self.away))

    def _split(self) -> list[Batch]:
        """Halve the largest of those that came back, until there are enough for everybody."""
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
        """Give every worker something to do, and something to go on with."""
        most = self.threads * PARCELS
        if not self.waiting or len(self.away) >= most:
            return
        room = max(LEAST_ROOM, MOST_PENDING // most)
        seconds, fair = self._seconds(), sum(1 for _ in self._tasks()) / most
        while self.waiting and len(self.away) < most:
            share = min(len(self.waiting) / (most - len(self.away)), fair)
            tasks = [self.waiting.popleft() for _ in range(math.ceil(share))]
            parcel = Parcel(*self.prepared, tasks, seconds, room)
            future = self.client.submit(pickle.loads, pickle.dumps(Call(parcel)), pure=False)
            self.away[future] = tasks
            yield future

    def _seconds(self) -> float:
        """How long to work at a parcel: not for long at the beginning, nor near the end."""
        if len(self.away) + len(self.waiting) < self.threads:
            return SHORT
        spent, left = time.monotonic() - self.begun, sum(map(_share, self._tasks()))
        ahead = spent * left / max(self.share - left, 1e-9)
        return max(SHORT, min(SECONDS, PART * min(spent, ahead)))

    def _tasks(self) -> Iterator[Task]:
        return chain(self.back, self.waiting, *self.away.values())

    def _take(self, future: "Future", answer: Any) -> list[Batch]:
        """What came of a parcel."""
        tasks = {task.id: task for task in self.away.pop(future)}
        if not isinstance(answer, bytes):
            self._require_excuse(tasks, answer)
            self.waiting.extend(tasks.values())
            return []
        batches = msgspec.msgpack.decode(answer, type=list[Batch])
        for batch in batches:
            tasks[batch.after.id] = batch.after
            if batch.done:
                del tasks[batch.after.id]
        begun = {batch.after.id for batch in batches}
        self.back += [task for task in tasks.values() if task.id in begun]
        self.waiting.extend(task for task in tasks.values() if task.id not in begun)
        return batches

    def _require_excuse(self, tasks: dict[int, Task], answer: Any) -> None:
        """A parcel that nobody answered is sent again, unless something is wrong."""
        from distributed import KilledWorker

        if not isinstance(answer, tuple):
            raise PuzzleError(self._gone())
        _, error, _ = answer
        if isinstance(error, KilledWorker):
            self.killed.update(tasks.keys())
            [(task, times)] = self.killed.most_common(1)
            if times < MOST_KILLED:
                return
            error = PuzzleError(f"task {task} brings down its workers; is their memory too small?")
        elif not isinstance(error, PuzzleError):
            with suppress(OSError):
                _require_kumitate(self.client, None)  # most likely that is the reason
            error = PuzzleError(f"a worker failed: {type(error).__name__}: {error}")
        raise error

    def _gone(self) -> str:
        return f"the scheduler {self.address} is gone"

    def _watch(self) -> None:
        """See who comes and goes, on a thread, since it may take the scheduler long to answer."""
        heard = time.monotonic()
        while not self.closing.wait(LOOK):
            try:
                self._look_round()
                heard = time.monotonic()
            except OSError:  # most often that is learnt from the parcels, and sooner
                if time.monotonic() - heard > MUSTER:
                    self.fault = PuzzleError(self._gone())
                    return
            except Exception as error:
                self.fault = error
                return

    def _look_round(self) -> None:
        now: dict[str, int] = self.client.nthreads()
        fresh = now.keys() - self.known.keys()
        if fresh:
            _require_kumitate(self.client, list(fresh))
        self.known = now


def _share(task: Task) -> float:
    return task.share
