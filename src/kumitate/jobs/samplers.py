"""The workers of a design search: they judge samples, on one thread and in processes.

What is drawn for a sample depends only on its number, so workers need not talk to each other, and
any number of them finds the same puzzles. Drawing is Python code, and threads would wait for each
other; so the first worker is a thread, and the others are processes that end when their input does.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from queue import Queue

from kumitate import child, store
from kumitate.decoding import from_json
from kumitate.designer.discover import Terms, examine_sample, last_sample
from kumitate.designer.families import Family
from kumitate.jobs.checkpoint import POLL_SECONDS, reports_of
from kumitate.model.errors import PuzzleError
from kumitate.store import Collection, Report, SearchQuestion

BATCH_SECONDS = 0.25  # that the samples given to a worker at once should take
MOST_SAMPLES = 5_000  # in such a batch
MOST_DEATHS = 3  # of processes in a row, over the same samples
STOP_SECONDS = 1.0  # for a process to finish its samples when all should stop

Judge = Callable[[int, int], Report]


class _Stopped(Exception):
    """Raised in a worker to stop in the middle of a sample."""


class _Died(Exception):
    """A worker process ended, or was killed, before it answered."""


def judge_of(
    family: Family, asked: SearchQuestion, patience: Callable[[int], None] | None = None
) -> Judge:
    terms = Terms(asked.level, asked.unique, asked.seed, asked.max_nodes, asked.max_states)

    def judge(first: int, amount: int) -> Report:
        report = Report(first, [], [])
        try:
            for sample in range(first, first + amount):
                ending, found = examine_sample(family, terms, sample, patience)
                if found:
                    entry = store.entry_of(sample, found.puzzle, found.answers, found.key)
                    report.found.append(entry)
                report.endings.append(ending)
                if patience is not None:
                    patience(0)
        except _Stopped:
            pass
        return report

    return judge


def serve(family: Family, asked: SearchQuestion) -> None:
    """Run as a worker process: read lines with samples, write reports, until the input ends."""
    judge = judge_of(family, asked)
    child.say("ready")
    for line in sys.stdin:
        first, amount = map(int, line.split())
        answer: Report | str
        try:
            answer = judge(first, amount)
        except PuzzleError as error:
            answer = str(error)
        child.say(answer)


class Samplers:
    """The workers and their shared state."""

    def __init__(self, collection: Collection, family: Family, threads: int) -> None:
        self.collection = collection
        self.family = family
        kinds = [self._here, *[self._elsewhere] * (threads - 1)]
        self.crew = [
            threading.Thread(target=self._work, args=[kind], daemon=True) for kind in kinds
        ]
        self.queue: Queue[Report | BaseException | None] = Queue()
        self.processes: list[subprocess.Popen[bytes]] = []
        self.change = threading.Lock()  # guards the fields below
        summary = collection.summary()
        self.next = summary.samples + 1
        self.end = last_sample(family, collection.search.seed) or store.ENDLESS
        self.last = min(summary.stop_after or store.ENDLESS, self.end)
        self.deadline: float | None = None  # when workers that have not stopped are killed

    @property
    def stopping(self) -> bool:
        return self.deadline is not None

    # ---- the caller's side ----

    def reports(self) -> Iterator[Sequence[Report]]:
        return reports_of(self.crew, self.queue, self.stop, self._kill_the_late)

    def stop(self, patience: float = STOP_SECONDS) -> None:
        self.deadline = min(time.monotonic() + patience, self.deadline or float("inf"))

    def close(self) -> None:
        self.stop(0)
        for thread in self.crew:
            while thread.is_alive():
                self._kill_the_late()
                thread.join(POLL_SECONDS)

    def _kill_the_late(self) -> None:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            for process in self.processes:
                process.kill()

    # ---- the workers' side ----

    def _work(self, kind: Callable[[], AbstractContextManager[Judge]]) -> None:
        """Judge samples while there are any; if the process dies, a new one repeats its samples."""
        pace, samples, deaths = 1, range(0), 0
        try:
            while not self.stopping:
                with suppress(_Died), kind() as judge:
                    while (samples := samples or self._samples(pace)) and not self.stopping:
                        start = time.monotonic()
                        self.queue.put(judge(samples.start, len(samples)))
                        spent = max(time.monotonic() - start, 1e-6)
                        pace = max(
                            1, min(2 * pace, int(pace * BATCH_SECONDS / spent), MOST_SAMPLES)
                        )
                        samples, deaths = range(0), 0
                    return
                deaths += 1
                if deaths == MOST_DEATHS:
                    when = f"at sample {samples.start:,} or soon after" if samples else "at once"
                    raise PuzzleError(
                        f"a worker process died {when}, {MOST_DEATHS} times; use fewer --threads,"
                        " which leaves more memory for each"
                    )
        except BaseException as error:
            self.queue.put(error)
        finally:
            self.queue.put(None)

    def _samples(self, amount: int) -> range:
        """The next samples that no other worker has."""
        with self.change:
            first, self.next = self.next, min(self.next + amount, self.last + 1)
            return range(first, self.next)

    @contextmanager
    def _here(self) -> Iterator[Judge]:
        def patience(_: int) -> None:
            if self.stopping:
                raise _Stopped

        yield judge_of(self.family, self.collection.search, patience)

    @contextmanager
    def _elsewhere(self) -> Iterator[Judge]:
        """A judge in a process of its own."""
        path = str(self.collection.path)
        with child.start("kumitate.jobs.sampler_process", path) as process:
            self.processes.append(process)
            asks, answers = process.stdin, process.stdout
            assert asks
            assert answers

            def judge(first: int, amount: int) -> Report:
                with suppress(BrokenPipeError):
                    os.write(asks.fileno(), f"{first} {amount}\n".encode())
                    if (line := answers.readline()).endswith(b"\n"):
                        answer: Report | str = from_json(line, Report | str)
                        if isinstance(answer, str):
                            raise PuzzleError(answer)
                        return answer
                raise _Died

            if not answers.readline():  # "ready"
                if process.wait() < 0:
                    raise _Died
                raise PuzzleError("a worker process could not start; --threads 1 needs none")
            yield judge
            process.kill()
