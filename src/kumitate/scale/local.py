"""A run on this machine: threads search, and whoever called writes down what they find.

    threads   work at a task, slice by slice  --batches-->  queue  -->  the caller's checkpoints

A thread without work is hungry, and whoever next ends a slice gives it half of its task; the batch
that says so is in the queue before the other half is begun. The queue is bounded, so the search
waits for the disk and memory stays flat.
"""

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import count
from queue import Empty, Queue

from kumitate import _core
from kumitate.scale.work import LONG, TICK, Abandoned, Desk, Seat, half_of
from kumitate.search.threads import start_all
from kumitate.store import Batch, Recorder, Task

MOST_WAITING = 16  # batches


class Threads:
    """The threads that search, and what they share."""

    def __init__(self, desk: Desk, recorder: Recorder, threads: int) -> None:
        self.desk = desk
        self.crew = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        self.queue: Queue[Batch | BaseException | None] = Queue(MOST_WAITING)
        self.change = threading.Condition()  # guards what follows
        self.waiting = deque(recorder.tasks.values())
        self.hungry = self.working = 0
        self.stopping = False
        self.ids = count(recorder.last_task + 1)
        self.nodes = recorder.at.nodes

    # ---- the caller's side ----

    def reports(self) -> Iterator[Sequence[Batch]]:
        start_all(self.crew)
        failure: BaseException | None = None
        left = len(self.crew)
        while left:
            report = self._next(TICK)
            if isinstance(report, BaseException):
                failure = failure or report
                self.stop()
            left -= report is None
            yield [report] if isinstance(report, Batch) else []
        if failure:
            raise failure

    def stop(self) -> None:
        with self.change:
            self.stopping = True
            self.change.notify_all()

    def close(self) -> None:
        self.stop()
        while any(thread.is_alive() for thread in self.crew):
            self._next(0.01)

    def _next(self, patience: float) -> Batch | BaseException | str | None:
        """The next report; None when a thread has ended, "" when there is none yet."""
        try:
            return self.queue.get(timeout=patience)
        except Empty:
            return ""

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
        """All, if the others have nothing to do."""
        return len(self.crew) if self.working == 1 else 1

    def is_long(self, nodes: int) -> bool:
        with self.change:
            self.nodes += nodes
            return bool(self.nodes > LONG)

    def give(self, search: _core.Search) -> Task | None:
        return half_of(search, self.ids) if self.hungry > len(self.waiting) else None
