"""The process that solves, one per active run: python -m kumitate.studio.serve.worker RUN

It resumes a run from its file, or starts a new one from a request on standard input, and writes a
line of JSON whenever there is news. Any further input, or its end because the server died, stops it
at a checkpoint, as Ctrl-C would. So a worker never outlives its server, and whatever happens to
either of them, the run can be resumed from its file.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from kumitate import child
from kumitate.disk import put
from kumitate.files import json as puzzle_format
from kumitate.jobs.solve import advance, begin, resume
from kumitate.model.errors import PuzzleError
from kumitate.model.options import RunOptions
from kumitate.search.assemble import Progress
from kumitate.search.one.arguments import argument
from kumitate.store import Recorder, Run, Summary, open_run

CHECKPOINT = 0.5  # seconds until the page can show new solutions
NEWS = 0.25  # seconds between two lines
NICE = 5  # the server has priority
MOST_ARGUED = 2000  # cells of a goal for which a proof of impossibility takes only seconds


class WorkerRequest(msgspec.Struct):
    """The request that starts a run."""

    puzzle: str  # as .kumitate.json
    problem: int  # counted from 1
    options: RunOptions


class News(msgspec.Struct):
    """The progress of a run, or why it stopped; after the last line, read the run's file."""

    summary: Summary | None = None
    error: str = ""


def main() -> None:
    given = read_words(sys.argv[1:])

    def act() -> None:
        asked = child.read_request(WorkerRequest) if given.new else None
        child.stop_on_request()
        if asked is not None:
            _begin(given.run, asked, given.limit)
        _resume(given.run, given.limit, given.threads)

    work(act)


def read_words(words: Sequence[str]) -> argparse.Namespace:
    """The words that start a worker."""
    parser = argparse.ArgumentParser(prog="python -m kumitate.studio.serve.worker")
    parser.add_argument("run", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--new", action="store_true", help="read the request from a line on stdin")
    return parser.parse_args(words)


def slices(
    words: Sequence[str],
    asked: WorkerRequest | None,
    say: Callable[[News], None],
    stopped: Callable[[], bool],
) -> Iterator[None]:
    """What `main` does, without a process or threads: each step is a slice of the search."""
    given = read_words(words)
    if asked is not None:
        _begin(given.run, asked, given.limit)
    with open_run(given.run) as run:
        start = run.summary()
        say(News(replace(start, state="running")))
        report = _reporter(run, start.seconds, say)
        yield from advance(
            given.run, limit=given.limit, checkpoint=CHECKPOINT, progress=report, stopped=stopped
        )
        say(News(run.summary()))


def work(act: Callable[[], None]) -> None:
    """Do what a worker is for, report what goes wrong, and exit."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # it may have been ignored
    try:
        act()
    except KeyboardInterrupt:
        sys.exit(130)
    except PuzzleError as error:
        child.say(News(error=str(error)))
        sys.exit(2)
    except MemoryError:
        child.say(News(error="memory ran out; everything found so far is kept; you can resume"))
        sys.exit(2)


def _begin(path: Path, asked: WorkerRequest, limit: int | None) -> None:
    """Create the run; if an argument proves that there is no assembly, it is done at once."""
    puzzle = puzzle_format.read(asked.puzzle.encode()).puzzle
    begin(path, puzzle, asked.problem, asked.options, limit)
    problem = puzzle.problems[asked.problem - 1]
    why = argument(problem) if len(problem.goal) <= MOST_ARGUED else None
    if why is not None:
        put(reason_file(path), why.describe(problem).encode())
        with open_run(path) as run:
            recorder = Recorder(run)
            recorder.tasks.clear()
            recorder.commit([], 0, "paused")


def reason_file(path: Path) -> Path:
    """The file that explains why a run has no assembly, if that was proved without a search."""
    return path.with_suffix(".why")


def _resume(path: Path, limit: int | None, threads: int) -> None:
    with open_run(path) as run:
        start = run.summary()
        child.say(News(replace(start, state="running")))
        report = _reporter(run, start.seconds, child.say)
        resume(path, limit=limit, threads=threads, checkpoint=CHECKPOINT, progress=report)
        child.say(News(run.summary()))


def _reporter(run: Run, worked: float, say: Callable[[News], None]) -> Callable[[Progress], None]:
    """A progress callback that now and then sends the run's summary and how far the search is."""
    begun = sent = time.monotonic()

    def report(now: Progress) -> None:
        nonlocal sent
        moment = time.monotonic()
        if moment - sent >= NEWS:
            sent = moment
            seconds = worked + moment - begun
            say(News(replace(run.summary(), fraction=now.fraction, seconds=seconds)))

    return report


if __name__ == "__main__":
    main()
