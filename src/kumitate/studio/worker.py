"""The process that solves, one for each run at work: python -m kumitate.studio.worker RUN

It goes on with a run from its file, or makes a new one of a question on its standard input, and
writes a line of JSON whenever there is news. Whatever comes on standard input after that, be it
only its end because the server died, stops it at a checkpoint, as Ctrl-C would. So a worker never
outlives its server, and whatever befalls either of them, the file is there to go on from.
"""

import argparse
import os
import signal
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec

from kumitate.disk import put
from kumitate.files import json as puzzle_format
from kumitate.model.errors import PuzzleError
from kumitate.scale.runs import begin, resume
from kumitate.search.arguments import argument
from kumitate.search.assemble import Progress
from kumitate.store import Options, Recorder, Run, Summary, open_run

CHECKPOINT = 0.5  # seconds: solutions are seen that soon
NEWS = 0.25  # seconds between two lines
GRACE = 3.0  # seconds to come to a checkpoint; then it ends with the one before
NICE = 5  # the page comes first
MOST_ARGUED = 2000  # cells of a goal for which a reason why not is found within seconds


class WorkerRequest(msgspec.Struct):
    """A question to begin a run with."""

    puzzle: str  # as a file of kumitate has it
    problem: int  # counted from 1
    options: Options


class News(msgspec.Struct):
    """How a run stands, or why it cannot go on; after the last line the file has the rest."""

    summary: Summary | None = None
    error: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kumitate.studio.worker")
    parser.add_argument("run", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--new", action="store_true", help="a line on stdin has the question")
    given = parser.parse_args()
    if hasattr(os, "nice"):
        os.nice(NICE)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # it may have been ignored
    try:
        asked = msgspec.json.decode(read_line(), type=WorkerRequest) if given.new else None
        stop_when_told()
        if asked is not None:
            _begin(given.run, asked, given.limit)
        _go_on(given.run, given.limit, given.threads)
    except KeyboardInterrupt:
        sys.exit(130)
    except PuzzleError as error:
        _say(News(error=str(error)))
        sys.exit(2)
    except MemoryError:
        _say(News(error="memory ran out; what was found until then is kept, and it can go on"))
        sys.exit(2)


def _begin(path: Path, asked: WorkerRequest, limit: int | None) -> None:
    """Make the run; if an argument says that there is no assembly, it is done at once."""
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
    """Where it is written why a run has no assembly, if that was clear before any search."""
    return path.with_suffix(".why")


def _go_on(path: Path, limit: int | None, threads: int) -> None:
    with open_run(path) as run:
        start = run.summary()
        _say(News(replace(start, state="running")))
        report = _reporter(run, start.seconds)
        resume(path, limit=limit, threads=threads, checkpoint=CHECKPOINT, progress=report)
        _say(News(run.summary()))


def _reporter(run: Run, worked: float) -> Callable[[Progress], None]:
    """Tells every now and then what the file says, and how far it is by now."""
    begun = told = time.monotonic()

    def report(now: Progress) -> None:
        nonlocal told
        moment = time.monotonic()
        if moment - told >= NEWS:
            told = moment
            seconds = worked + moment - begun
            _say(News(replace(run.summary(), fraction=now.fraction, seconds=seconds)))

    return report


def _say(news: News) -> None:
    try:
        sys.stdout.buffer.write(msgspec.json.encode(news) + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # nobody listens; standard input says so, too
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


# ---- standard input ----


def read_line() -> bytes:
    """The line with which it all begins; after it nothing comes but the word to stop."""
    line = b""
    while not line.endswith(b"\n"):
        some = os.read(0, 1 << 16)
        if not some:
            raise KeyboardInterrupt
        line += some
    return line


def stop_when_told() -> None:
    """From now on, whatever comes on standard input is as Ctrl-C, and soon after the end."""

    def wait() -> None:
        os.read(0, 1)
        interrupt_main()
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    main()
