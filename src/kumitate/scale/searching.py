"""A search for puzzles on this machine: workers judge samples, and whoever called writes them down.

    workers   are given samples in a row, and report how each ended      --reports-->  queue
    caller    puts the reports in order, and every few seconds writes those without a gap: a
              checkpoint

What is drawn for a sample depends on its number alone, so nobody has to talk to anybody, and any
number of workers finds the same puzzles. Drawing is Python's work, and threads would wait for each
other: the first worker is a thread, the others are processes that end when their input does.
"""

import dataclasses
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from queue import Empty, Queue

import msgspec
from msgspec.structs import replace

from kumitate import store
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_THREADS, given, require_number, require_whole
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.scale.record import CHECKPOINT, signals
from kumitate.scale.work import TICK
from kumitate.search.burrs import Burrs
from kumitate.search.discover import (
    MOST_NODES,
    MOST_STATES,
    Family,
    Terms,
    draw_sample,
    examine_sample,
    last_sample,
    require_possible,
)
from kumitate.search.families import Cuts, Subsets
from kumitate.search.threads import start_all
from kumitate.store import Collection, Entry, Report, Sampling, SearchQuestion, State

SPELL = 0.25  # seconds that the samples given to a worker at once should take
MOST = 5_000  # of them
LIVES = 3  # of processes that die one after the other over the same samples
PATIENCE = 1.0  # seconds for a process to end its samples when all are to stop
PROBE = 3  # samples by which two ways of drawing are told apart

WORKER = "from kumitate.scale.searching import serve; serve()"


Tell = Callable[[Sampling], None]


def search_into(
    path: str | os.PathLike[str],
    family: Family,
    *,
    level: int = 1,
    unique: bool = True,
    seed: int = 0,
    samples: int | None = None,
    limit: int | None = None,
    max_nodes: int = MOST_NODES,
    max_states: int = MOST_STATES,
    threads: int = 1,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
) -> Sampling:
    """Search for puzzles into a file that loses nothing; `resume_search` goes on with it.

    The options are those of `search_puzzles`. It stops after so many `samples`, when as many
    puzzles are found as `limit` says, when all that there is was drawn, or on Ctrl-C and SIGTERM,
    which make a checkpoint and then raise KeyboardInterrupt. What is found does not depend on the
    number of threads. A file of that name is replaced.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/cubes.kumitate"
    >>> solid = "/".join(["###  ###  ###"] * 3)
    >>> cube = kumitate.Shape.from_text(kumitate.CUBES, solid, name="cube")
    >>> done = kumitate.search_into(path, kumitate.Cuts(cube, 4), samples=50)
    >>> done.samples, done.found, done.endings
    (50, 39, {'several': 11})
    """
    require_whole(1, **given(samples=samples, limit=limit))
    require_whole(1, MOST_THREADS, threads=threads)
    require_number(0, checkpoint=checkpoint)
    terms = Terms(level, unique, seed, max_nodes, max_states)
    require_possible(family, terms)
    puzzle, asked = _asked(family, terms)
    store.create_collection(Path(path), puzzle, asked, _draws(family, seed))
    return resume_search(
        path,
        samples=samples,
        limit=limit,
        threads=threads,
        checkpoint=checkpoint,
        progress=progress,
    )


def resume_search(
    path: str | os.PathLike[str],
    *,
    samples: int | None = None,
    limit: int | None = None,
    threads: int = 1,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
) -> Sampling:
    """Go on with a search, wherever it was when its process ended, and however that ended.

    `samples` and `limit` count from the very beginning; if one of them is given, they replace those
    that the search had.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/burrs.kumitate"
    >>> kumitate.search_into(path, kumitate.Burrs("solid"), samples=100).found
    2
    >>> kumitate.resume_search(path, limit=4).samples
    231
    """
    require_whole(1, **given(samples=samples, limit=limit))
    require_whole(1, MOST_THREADS, threads=threads)
    require_number(0, checkpoint=checkpoint)
    with store.open_collection(path) as collection:
        collection.verify()
        if collection.checkpoint().state == "recovered":
            raise PuzzleError(
                f"{path}: recovered from a damaged search, nothing is left to resume; begin a new"
                " search with --output"
            )
        family = _family(collection.puzzle, collection.asked)
        [(draws, version)] = collection.rows("SELECT draws, kumitate FROM collection")
        if draws != _draws(family, collection.asked.seed):
            raise PuzzleError(
                f"{path}: begun by kumitate {version}, which draws other samples; what it found can"
                " be read, but to go on begin anew with --output"
            )
        collection.begin(samples, limit)
        if collection.commit([], 0, "running").state == "running":
            _Crew(collection, family, threads).drive(checkpoint, progress)
        return collection.summary()


def _draws(family: Family, seed: int) -> str:
    """Equal for families of which the same is drawn, as far as the first samples tell."""
    drafts = (draw_sample(family, seed, sample) for sample in range(1, PROBE + 1))
    told = [
        [(piece.min, sorted(piece.shape.cells)) for piece in draft.problem().pieces]
        for draft in drafts
        if draft
    ]
    return sha256(repr(told).encode()).hexdigest()


def _asked(family: Family, terms: Terms) -> tuple[Puzzle | None, SearchQuestion]:
    """A family as a file or a process is told of it."""
    asked = SearchQuestion(
        level=terms.level,
        unique=terms.unique,
        seed=terms.seed,
        max_nodes=terms.max_nodes,
        max_states=terms.max_states,
    )
    if isinstance(family, Burrs):
        return None, replace(asked, burr=family.sticks)
    if isinstance(family, Cuts):
        question = Problem(family.goal, [])
        asked = replace(asked, cut=family.pieces, holes=family.holes, smallest=family.smallest)
    else:
        question = family.problem
    return dataclasses.replace(Puzzle.of(question), colours=family.colours), asked


def _family(puzzle: Puzzle | None, asked: SearchQuestion) -> Family:
    if puzzle is None:
        return Burrs(asked.burr or "all")  # type: ignore[arg-type]
    [problem] = puzzle.problems
    if asked.cut is None:
        return Subsets(problem, puzzle.colours)
    return Cuts(problem.goal, asked.cut, asked.holes, asked.smallest, puzzle.colours)


# ---- the workers ----

Judge = Callable[[int, int], Report]


class _Stopped(Exception):
    """Raised in a worker that is to leave its sample as it is."""


class _Died(Exception):
    """A process has ended, or was killed, over its samples."""


def _judge(
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


def serve() -> None:
    """Be a worker: samples come in by lines, reports go out, until the input ends."""
    with store.open_collection(sys.argv[1]) as collection:
        judge = _judge(_family(collection.puzzle, collection.asked), collection.asked)
    try:
        print("ready", flush=True)
        for line in sys.stdin:
            first, amount = map(int, line.split())
            answer: Report | str
            try:
                answer = judge(first, amount)
            except PuzzleError as error:
                answer = str(error)
            print(msgspec.json.encode(answer).decode(), flush=True)
    except BrokenPipeError:  # whoever asked is gone
        os._exit(0)


class _Crew:
    """The workers, and what they share."""

    def __init__(self, collection: Collection, family: Family, threads: int) -> None:
        self.collection = collection
        self.family = family
        self.threads = threads
        self.told = collection.summary()
        self.reports: Queue[Report | BaseException | None] = Queue()
        self.processes: list[subprocess.Popen[bytes]] = []
        self.change = threading.Lock()  # guards what follows
        self.next = self.told.samples + 1
        self.end = last_sample(family, collection.asked.seed) or store.ENDLESS
        self.last = min(self.told.stop_after or store.ENDLESS, self.end)
        self.deadline: float | None = None  # when those who do not stop are killed

    @property
    def stopping(self) -> bool:
        return self.deadline is not None

    def stop(self, patience: float = PATIENCE) -> None:
        self.deadline = min(time.monotonic() + patience, self.deadline or float("inf"))

    # ---- the caller's side ----

    def drive(self, checkpoint: float, progress: Tell | None) -> None:
        kinds = [self._here, *[self._elsewhere] * (self.threads - 1)]
        crew = [threading.Thread(target=self._work, args=[kind], daemon=True) for kind in kinds]
        with signals(self.stop) as caught:
            try:
                start_all(crew)
                self._record(checkpoint, progress)
            finally:
                self.stop(0)
                for thread in crew:
                    while thread.is_alive():
                        self._kill_the_late()
                        thread.join(TICK)
        if caught:
            raise KeyboardInterrupt

    def _record(self, checkpoint: float, progress: Tell | None) -> None:
        """Write what comes, in order, until all workers have ended or a limit is reached."""
        failure: BaseException | None = None
        early: dict[int, Report] = {}
        ready: list[Report] = []
        fresh: dict[str, Entry] = {}  # of these, by their pieces
        left, following, saved = self.threads, self.told.samples + 1, time.monotonic()
        while left:
            try:
                report = self.reports.get(timeout=TICK)
            except Empty:
                pass
            else:
                if report is None:
                    left -= 1
                elif isinstance(report, BaseException):
                    failure = failure or report
                    self.stop()
                else:
                    early[report.first] = report
                while following in early:
                    ready.append(early.pop(following))
                    following += len(ready[-1].endings)
                    for entry in ready[-1].found:
                        if not self.collection.knows(entry.pieces):
                            fresh.setdefault(entry.pieces, entry)
            now, found = time.monotonic(), self.told.found + len(fresh)
            if now - saved >= checkpoint or found >= (self.told.stop_found or store.ENDLESS):
                self.told = self.collection.commit(ready, now - saved, "running")
                ready, fresh, saved = [], {}, now
                if self.told.state == "limit":
                    return
            self._kill_the_late()
            if progress is not None:
                try:
                    progress(self._how_far(ready, list(fresh.values())))
                except BaseException as error:
                    failure, progress = failure or error, None
                    self.stop()
        state: State = "done" if following > self.end else "paused"
        self.collection.commit(ready, time.monotonic() - saved, state)
        if failure:
            raise failure

    def _how_far(self, ready: Sequence[Report], found: Sequence[Entry]) -> Sampling:
        """With what will be written."""
        best = max(found, key=lambda entry: (entry.level, entry.moves), default=None)
        better = best and best.level > int((self.told.best or "0").split(".")[0])
        return dataclasses.replace(
            self.told,
            samples=self.told.samples + sum(len(report.endings) for report in ready),
            found=self.told.found + len(found),
            best=best.levels if best and better else self.told.best,
        )

    def _kill_the_late(self) -> None:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            for process in self.processes:
                process.kill()

    # ---- the workers' side ----

    def _work(self, kind: Callable[[], AbstractContextManager[Judge]]) -> None:
        """Judge samples while there are some; after a death the same ones again, in a new life."""
        pace, samples, deaths = 1, range(0), 0
        try:
            while not self.stopping:
                with suppress(_Died), kind() as judge:
                    while (samples := samples or self._samples(pace)) and not self.stopping:
                        start = time.monotonic()
                        self.reports.put(judge(samples.start, len(samples)))
                        spent = max(time.monotonic() - start, 1e-6)
                        pace = max(1, min(2 * pace, int(pace * SPELL / spent), MOST))
                        samples, deaths = range(0), 0
                    return
                deaths += 1
                if deaths == LIVES:
                    when = f"at sample {samples.start:,} or soon after" if samples else "at once"
                    raise PuzzleError(
                        f"a worker process died {when}, {LIVES} times; with fewer --threads there"
                        " is more memory for each"
                    )
        except BaseException as error:
            self.reports.put(error)
        finally:
            self.reports.put(None)

    def _samples(self, amount: int) -> range:
        """The next ones that nobody else has."""
        with self.change:
            first, self.next = self.next, min(self.next + amount, self.last + 1)
            return range(first, self.next)

    @contextmanager
    def _here(self) -> Iterator[Judge]:
        def patience(_: int) -> None:
            if self.stopping:
                raise _Stopped

        yield _judge(self.family, self.collection.asked, patience)

    @contextmanager
    def _elsewhere(self) -> Iterator[Judge]:
        """In a process, which does not hear Ctrl-C itself, nor import what lies about here."""
        command = [sys.executable, "-P", "-c", WORKER, str(self.collection.path)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True) as process:
            self.processes.append(process)
            asks, answers = process.stdin, process.stdout
            assert asks
            assert answers

            def judge(first: int, amount: int) -> Report:
                with suppress(BrokenPipeError):
                    os.write(asks.fileno(), f"{first} {amount}\n".encode())
                    if (line := answers.readline()).endswith(b"\n"):
                        answer = msgspec.json.decode(line, type=Report | str)
                        if isinstance(answer, str):
                            raise PuzzleError(answer)
                        return answer
                raise _Died

            if not answers.readline():  # that it is ready
                if process.wait() < 0:
                    raise _Died
                raise PuzzleError("a worker process could not start; --threads 1 needs none")
            yield judge
            process.kill()
