"""The side of a run that writes: what a crew finds goes into the file, checkpoint by checkpoint.

A crew are threads of this machine or workers of a cluster; only who called writes. What comes is
in order for each task, so any beginning of it is something to go on from.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

from kumitate import store
from kumitate.search.assemble import Progress
from kumitate.store import Batch, Recorder

CHECKPOINT = 2.0  # seconds between two
MOST_PENDING = 16_000_000  # bytes of assemblies between two checkpoints,
LARGE = 500  # one that was looked at, with its disassembly
ONCE = 1.0  # seconds in which signals are taken for one

Tell = Callable[[Progress], None]


class Crew(Protocol):
    """Those who search."""

    def reports(self) -> Iterator[Sequence[Batch]]:
        """What they find, as it comes, and every few milliseconds nothing.

        It ends when all is searched, or soon after a stop; what went wrong is raised at the end.
        """

    def stop(self) -> None:
        """Ask them to end; whatever the caller is doing just then."""

    def close(self) -> None:
        """End them."""


def drive(crew: Crew, recorder: Recorder, checkpoint: float, progress: Tell | None) -> None:
    """Write what a crew finds until it has ended or the limit is reached.

    Ctrl-C and SIGTERM make a checkpoint and then raise KeyboardInterrupt.
    """
    with signals(crew.stop) as caught:
        try:
            _record(crew, recorder, checkpoint, progress)
        finally:
            crew.close()
    if caught:
        raise KeyboardInterrupt


def _record(crew: Crew, recorder: Recorder, checkpoint: float, progress: Tell | None) -> None:
    saved = time.monotonic()
    pending: list[Batch] = []
    size = 0
    look = _Look(recorder, progress)
    failure: BaseException | None = None
    reports = crew.reports()
    while True:
        try:
            some = next(reports, None)
        except BaseException as error:
            failure, some = failure or error, None
        if some is None:
            break
        for batch in some:
            pending.append(batch)
            size += size_of(batch)
            look.note(batch)
        moment = time.monotonic()
        if moment - saved >= checkpoint or size > MOST_PENDING or look.beyond_limit:
            recorder.commit(pending, moment - saved, "running")
            pending, size, saved = [], 0, moment
            if recorder.at_limit:
                return
        try:
            look.tell()
        except BaseException as error:
            failure, look.progress = failure or error, None
            crew.stop()
    recorder.commit(pending, time.monotonic() - saved, "paused")
    if failure:
        raise failure


def size_of(batch: Batch) -> int:
    """About how many bytes it takes."""
    return len(batch.packed.names) + LARGE * len(batch.found)


class _Look:
    """What is told on the way, between checkpoints too."""

    def __init__(self, recorder: Recorder, progress: Tell | None) -> None:
        self.recorder = recorder
        self.progress = progress
        self.assemblies = recorder.at.assemblies
        self.nodes = recorder.at.nodes
        self.room = recorder.at.stop_after
        self.tasks = dict(recorder.tasks)
        if self.room is not None:
            counts_apart = recorder.run.options.disassemble
            self.room -= recorder.at.solutions if counts_apart else recorder.at.assemblies

    def note(self, batch: Batch) -> None:
        endings = [found.ending for found in batch.found]
        fresh = batch.packed.rows + len(endings) - endings.count("same")
        self.assemblies += fresh
        if self.room is not None:
            apart = self.recorder.run.options.disassemble
            self.room -= endings.count("apart") if apart else fresh
        self.nodes += batch.counts[0]
        self.tasks.update((task.id, task) for task in batch.left)
        if batch.done:
            del self.tasks[batch.after.id]

    @property
    def beyond_limit(self) -> bool:
        return self.room is not None and self.room <= 0

    def tell(self) -> None:
        if self.progress is not None and self.tasks:
            told = store.fraction_done(self.recorder.at.fraction, self.tasks.values())
            self.recorder.at.fraction = told  # so that the file never says less
            self.progress(Progress(self.assemblies, self.nodes, told))


@contextmanager
def signals(stop: Callable[[], None]) -> Iterator[list[int]]:
    """Ctrl-C and SIGTERM stop the crew; a later one acts as it would without us.

    Not one that comes at once: who signals a process and its group means it once.
    """
    caught: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield caught
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    first = 0.0

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def handle(number: int, _: FrameType | None) -> None:
        nonlocal first
        if not caught:
            first = time.monotonic()
            caught.append(number)
            stop()
        elif time.monotonic() - first > ONCE:
            restore()
            signal.raise_signal(number)

    for number in before:
        signal.signal(number, handle)
    try:
        yield caught
    finally:
        restore()
