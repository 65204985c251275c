"""A run on this machine: threads search, and the caller writes what they find.

    threads   search a task, slice by slice  --batches-->  queue  -->  the caller's checkpoints

A thread without work is hungry; the next thread that ends a slice gives it half of its task. The
batch that records the split is in the queue before the other half is started. The queue is bounded,
so the search waits for the disk, and memory stays flat.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from queue import Empty, Queue

from kumitate import _core
from kumitate.jobs.checkpoint import reports_of
from kumitate.jobs.work import LONG, Abandoned, Desk, Seat, half_of
from kumitate.store import Batch, Recorder, Task

MOST_WAITING = 16  # batches


class Threads:
    """The searching threads and their shared state."""

    def __init__(self, desk: Desk, recorder: Recorder, threads: int) -> None:
        self.desk = desk
        self.crew = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        self.queue: Queue[Batch | BaseException | None] = Queue(MOST_WAITING)
        self.change = threading.Condition()  # guards the fields below
        self.waiting = deque(recorder.tasks.values())
        self.hungry = self.working = 0
        self.stopping = False
        self.ids = count(recorder.last_task + 1)
        self.nodes = recorder.at.nodes

    # ---- the caller's side ----

    def reports(self) -> Iterator[Sequence[Batch]]:
        return reports_of(self.crew, self.queue, self.stop)

    def stop(self) -> None:
        with self.change:
            self.stopping = True
            self.change.notify_all()

    def close(self) -> None:
        self.stop()
        while any(thread.is_alive() for thread in self.crew):
            with suppress(Empty):  # it may be full, and threads wait for room
                self.queue.get(timeout=0.01)

    # ---- the threads' side ----

    def _work(self) -> None:
        try:
            seat = Seat(self.desk)
            while (task := self._take()) is not None:
                for batch in seat.work(task, self):
                    self.queue.put(batch)
                    if batch.given:
                        with self.change:
                            self.waiting.append(batch.given)
                            self.change.notify()
                with self.change:
                    self.working -= 1
                    self.change.notify_all()
        except Abandoned:
            pass
        except BaseException as error:
            self.queue.put(error)
        finally:
            self.queue.put(None)

    def _take(self) -> Task | None:
        with self.change:
            self.hungry += 1
            while not self.waiting and self.working and not self.stopping:
                self.change.wait()
            self.hungry -= 1
            if self.stopping or not self.waiting:
                return None
            self.working += 1
            return self.waiting.popleft()

    def enough(self) -> bool:
        return self.stopping

    def abandoned(self) -> bool:
        return self.stopping

    def spare(self) -> int:
        """All threads, if the others have nothing to do."""
        return len(self.crew) if self.working == 1 else 1

    def is_long(self, nodes: int) -> bool:
        with self.change:
            self.nodes += nodes
            return bool(self.nodes > LONG)

    def give(self, search: _core.Search) -> Task | None:
        return half_of(search, self.ids) if self.hungry > len(self.waiting) else None


class Alone:
    """A crew of one, without a thread: it searches a slice whenever its reports are asked for.

    The browser has no threads for Python. `stopped` is asked after every slice.
    """

    def __init__(self, desk: Desk, recorder: Recorder, stopped: Callable[[], bool]) -> None:
        self.desk = desk
        self.enough = self.abandoned = stopped
        self.waiting = list(recorder.tasks.values())
        self.nodes = recorder.at.nodes
        self.stopping = False

    def reports(self) -> Iterator[Sequence[Batch]]:
        seat = Seat(self.desk)
        for task in self.waiting:
            for batch in seat.work(task, self):
                yield [batch]
                if self.stopping:
                    return
            if self.enough():
                return

    def stop(self) -> None:
        self.stopping = True

    def close(self) -> None:
        self.stop()

    def spare(self) -> int:
        return 1

    def is_long(self, nodes: int) -> bool:
        self.nodes += nodes
        return bool(self.nodes > LONG)

    def give(self, search: _core.Search) -> Task | None:
        return None
