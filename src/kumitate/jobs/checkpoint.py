"""The driver of every long search: what a crew finds goes into a file, checkpoint by checkpoint.

    crew      searches and reports: threads or processes of this machine, or workers of a cluster
    journal   holds reports until the next checkpoint, then writes them in one transaction

Only the caller's thread writes. Reports on one part of the search come in order, so whatever was
written is a state to resume from.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, Queue
from types import FrameType
from typing import Protocol, TypeVar

from kumitate.search.threads import start_all

CHECKPOINT = 2.0  # seconds between two
POLL_SECONDS = 0.05  # that the caller waits for a report
SIGNAL_SECONDS = 1.0  # several signals within this time count as one

Reported = TypeVar("Reported", covariant=True)
Noted = TypeVar("Noted", contravariant=True)
Report = TypeVar("Report")


class Crew(Protocol[Reported]):
    """The workers that search."""

    def reports(self) -> Iterator[Sequence[Reported]]:
        """What the workers find, as it comes; at least an empty sequence every few milliseconds.

        It ends when the search is complete, or soon after a stop; an error in the crew is raised
        last.
        """

    def stop(self) -> None:
        """Ask the workers to stop; safe to call at any moment."""

    def close(self) -> None:
        """End the workers."""


class Journal(Protocol[Noted]):
    """The reports that are not written yet."""

    def note(self, report: Noted) -> None:
        """Take a report."""

    def is_due(self) -> bool:
        """Whether to write a checkpoint now: a limit may be reached, or memory fills up."""

    def commit(self, seconds: float, *, ended: bool) -> bool:
        """Write all noted reports, with the time they took; True if a limit is reached."""

    def report_progress(self) -> None:
        """Report progress to the user."""


def reports_of(
    threads: Sequence[threading.Thread],
    queue: "Queue[Report | BaseException | None]",
    stop: Callable[[], None],
    watch: Callable[[], None] = lambda: None,
) -> Iterator[Sequence[Report]]:
    """What threads put into a queue: reports, errors, and None when one of them ends.

    The first error stops them all, and is raised last. `watch` is called again and again.
    """
    start_all(threads)
    failure: BaseException | None = None
    left = len(threads)
    while left:
        watch()
        try:
            report = queue.get(timeout=POLL_SECONDS)
        except Empty:
            yield []
            continue
        if isinstance(report, BaseException):
            failure = failure or report
            stop()
        elif report is None:
            left -= 1
        else:
            yield [report]
    if failure:
        raise failure


def drive(crew: Crew[Report], journal: Journal[Report], checkpoint: float) -> None:
    """Write what a crew finds, until it ends or a limit is reached.

    Ctrl-C and SIGTERM write a checkpoint and then raise KeyboardInterrupt.
    """
    with signals(crew.stop) as caught:
        try:
            for _ in recording(crew, journal, checkpoint):
                pass
        finally:
            crew.close()
    if caught:
        raise KeyboardInterrupt


def recording(crew: Crew[Report], journal: Journal[Report], checkpoint: float) -> Iterator[None]:
    """Write what a crew finds, as `drive` does, and come back after each look at its reports."""
    saved = time.monotonic()
    failure: BaseException | None = None
    raised: BaseException | None = None
    reports = crew.reports()
    while True:
        try:
            some = next(reports, None)
        except BaseException as error:
            failure, some = error, None
        if some is None:
            break
        for report in some:
            journal.note(report)
        now = time.monotonic()
        if now - saved >= checkpoint or journal.is_due():
            if journal.commit(now - saved, ended=False):
                return
            saved = now
        if raised is None:
            try:
                journal.report_progress()
            except BaseException as error:  # from the user's callback
                raised = error
                crew.stop()
        yield
    journal.commit(time.monotonic() - saved, ended=True)
    if failure := raised or failure:
        raise failure


@contextmanager
def signals(stop: Callable[[], None]) -> Iterator[list[int]]:
    """Ctrl-C and SIGTERM stop the crew; a later signal acts as usual.

    A second signal within SIGNAL_SECONDS is ignored: signalling a process group delivers it twice.
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
        elif time.monotonic() - first > SIGNAL_SECONDS:
            restore()
            signal.raise_signal(number)

    for number in before:
        signal.signal(number, handle)
    try:
        yield caught
    finally:
        restore()
