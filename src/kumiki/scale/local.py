"""A run on this machine: threads search, and whoever called writes down what they find.

    threads   search a task for a slice, look at what it found  --batches-->  queue
    caller    takes batches from the queue, and every few seconds writes them: a checkpoint

A batch says where its task stood before and stands now, so any beginning of the stream of batches
is something to go on from. A thread without work is hungry, and whoever next ends a slice gives it
half of its task; the batch that says so is in the queue before the other half is begun. The queue
is bounded, so the search waits for the disk and memory stays flat.
"""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from types import FrameType

from kumiki import _core, store
from kumiki.model.errors import PuzzleError
from kumiki.model.puzzle import Puzzle
from kumiki.search.assemble import Progress, Question, may_move
from kumiki.search.disassemble import Bench
from kumiki.store import Batch, Found, Keep, Options, Packed, Recorder, Summary, Task

CHECKPOINT = 2.0  # seconds between two
TICK = 0.05  # seconds that a slice should take
SLICE = 500  # nodes of the first one,
MOST_NODES = 1_000_000  # and of any
ROOM = 1 << 18  # names that a slice may find
MOST_WAITING = 16  # batches
MOST_PENDING = 16_000_000  # bytes of assemblies between two checkpoints,
LARGE = 1_000  # one that was looked at, with its disassembly
LONG = 500_000  # nodes: worth an estimate of what lies ahead
SILENCE = 0.5  # seconds: who looks at assemblies for longer reports before the slice is through
PROBE = 2_000  # nodes by which two searches are told apart

NOTHING = Packed(b"", 0, 0)
Tell = Callable[[Progress], None]


def solve_into(
    path: str | os.PathLike[str],
    puzzle: Puzzle,
    problem: int = 1,
    *,
    mirrors: bool = False,
    rotations: bool = False,
    thorough: bool = False,
    distinct_copies: bool = False,
    disassemble: bool = False,
    fine: bool = False,
    coordinate: bool = False,
    max_states: int | None = None,
    max_moves: int | None = None,
    keep: str = "all",
    limit: int | None = None,
    threads: int = 1,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
) -> Summary:
    """Solve a problem of a puzzle into a file that loses nothing; `resume` goes on with it.

    The options are those of `assemble`, with `disassemble=True` also those of `disassemble`.
    `keep` bounds the file: "all", "every:N", "best:N" (by level, then by all moves), "best-moves:N"
    (the other way round), or "none", which only counts. `limit` stops after so many. There is a
    checkpoint every so many seconds, and at most the work since the last one is ever done again;
    Ctrl-C and SIGTERM make one and then raise KeyboardInterrupt. A file of that name is replaced.

    >>> import kumiki, tempfile
    >>> path = tempfile.mkdtemp() + "/burr.kumiki"
    >>> done = kumiki.solve_into(path, kumiki.library["six-piece-burr"], disassemble=True)
    >>> done.assemblies, done.levels
    (588, {'1.2': 31, '1': 148})
    """
    options = Options(
        mirrors=mirrors,
        rotations=rotations,
        thorough=thorough,
        distinct_copies=distinct_copies,
        disassemble=disassemble,
        fine=fine,
        coordinate=coordinate,
        max_states=max_states,
        max_moves=max_moves,
        keep=keep,
    )
    require_positive(threads=threads)
    begin(path, puzzle, problem, options, limit)
    return resume(path, threads=threads, checkpoint=checkpoint, progress=progress)


def begin(
    path: str | os.PathLike[str],
    puzzle: Puzzle,
    problem: int,
    options: Options,
    limit: int | None = None,
) -> None:
    """A new run in a file, nothing of it done yet; `resume` goes on with it."""
    require_positive(limit=limit)
    if Keep.read(options.keep).what.startswith("best") and not options.disassemble:
        raise PuzzleError(f"keep {options.keep}: the best are known only if they are taken apart")
    if not 1 <= problem <= len(puzzle.problems):
        raise PuzzleError(f"problem {problem}: there are {len(puzzle.problems)}")
    question = _ask(puzzle, problem, options)
    store.create(
        Path(path),
        puzzle,
        problem,
        options,
        limit,
        question.table,
        _fingerprint(question),
        question.core.search().save(),
    )


def resume(
    path: str | os.PathLike[str],
    *,
    puzzle: Puzzle | None = None,
    limit: int | None = None,
    threads: int = 1,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
) -> Summary:
    """Go on with a run, wherever it was when its process ended, and however that ended.

    `limit` replaces the limit that the run had. If `puzzle` is given, it must be the one in the
    file. A run that is done stays as it is.

    >>> import kumiki, tempfile
    >>> path = tempfile.mkdtemp() + "/soma.kumiki"
    >>> kumiki.solve_into(path, kumiki.library["soma"], limit=100).state
    'limit'
    >>> kumiki.resume(path, limit=1000).assemblies
    240
    """
    require_positive(limit=limit, threads=threads)
    with store.open_run(path) as run:
        if puzzle is not None and store.text_of(puzzle) != run.text:
            raise PuzzleError(f"{path}: a run of another puzzle; begin a new one with --output")
        if run.summary().state == "done":
            return run.summary()
        question = _ask(run.puzzle, run.number, run.options)
        [(search, version)] = run.rows("SELECT search, kumiki FROM run")
        if search != _fingerprint(question):
            raise PuzzleError(
                f"{path}: begun by kumiki {version}, which searches in another order; what it found"
                " can be read, but to go on begin anew with --output"
            )
        recorder = Recorder(run, limit)
        if not question.core.possible:
            recorder.tasks.clear()
        if recorder.at_limit or not recorder.tasks:
            recorder.commit([], 0, "paused")
        else:
            _Crew(question, recorder, threads).drive(checkpoint, progress)
        return run.summary()


def require_positive(**numbers: int | None) -> None:
    for name, number in numbers.items():
        if number is not None and number < 1:
            raise PuzzleError(f"{name} {number}: it must be 1 at least")


def _ask(puzzle: Puzzle, problem: int, options: Options) -> Question:
    question = Question(puzzle.problems[problem - 1], options.distinct_copies)
    question.prepare(options.mirrors, options.rotations)
    return question


def _fingerprint(question: Question) -> str:
    """Equal for searches of the same tree in the same order, as far as their beginning tells."""
    probe = question.core.search()
    probe.skim(PROBE)
    told = (question.table.rows, question.table.kinds, question.core.size, probe.save())
    return sha256(repr(told).encode()).hexdigest()


class _Crew:
    """The threads that search, and what they share."""

    def __init__(self, question: Question, recorder: Recorder, threads: int) -> None:
        self.question = question
        self.recorder = recorder
        self.options = recorder.run.options
        self.width = recorder.run.width
        self.threads = threads
        self.reports: Queue[Batch | BaseException | None] = Queue(MOST_WAITING)
        self.change = threading.Condition()  # guards what follows
        self.waiting = deque(recorder.tasks.values())
        self.hungry = self.working = 0
        self.stopping = False
        self.ids = count(recorder.last_task + 1)
        [(self.nodes,)] = recorder.run.rows("SELECT sum(nodes) FROM task")
        self.shares: _core.Shares | None = None
        self.weighing = threading.Lock()

    # ---- the caller's side ----

    def drive(self, checkpoint: float, progress: Tell | None) -> None:
        crew = [threading.Thread(target=self._work, daemon=True) for _ in range(self.threads)]
        with signals(self.stop) as caught:
            start = time.monotonic()
            for thread in crew:
                thread.start()
            try:
                self._record(start, checkpoint, progress)
            finally:
                self.stop()
                while any(thread.is_alive() for thread in crew):
                    self._next(0.01)
        if caught:
            raise KeyboardInterrupt

    def stop(self) -> None:
        with self.change:
            self.stopping = True
            self.change.notify_all()

    def _record(self, saved: float, checkpoint: float, progress: Tell | None) -> None:
        """Write what comes until all threads have ended or the limit is reached."""
        left = self.threads
        pending: list[Batch] = []
        size = 0
        look = _Look(self.recorder, progress)
        failure: BaseException | None = None
        while left:
            report = self._next(TICK)
            if isinstance(report, Batch):
                pending.append(report)
                size += len(report.packed.names) + LARGE * len(report.found)
                look.note(report)
            elif isinstance(report, BaseException):
                failure = failure or report
                self.stop()
            elif report is None:
                left -= 1
            moment = time.monotonic()
            if moment - saved >= checkpoint or size > MOST_PENDING or look.beyond_limit:
                self.recorder.commit(pending, moment - saved, "running")
                pending, size, saved = [], 0, moment
                if self.recorder.at_limit:
                    return
            try:
                look.tell()
            except BaseException as error:
                failure, look.progress = failure or error, None
                self.stop()
        self.recorder.commit(pending, time.monotonic() - saved, "paused")
        if failure:
            raise failure

    def _next(self, patience: float) -> Batch | BaseException | str | None:
        """The next report; None when a thread has ended, "" when there is none yet."""
        try:
            return self.reports.get(timeout=patience)
        except Empty:
            return ""

    # ---- the threads' side ----

    def _work(self) -> None:
        try:
            search = self.question.core.search()
            look = _examiner(self.question, self.options, self._spare, self._patience)
            while (task := self._take()) is not None:
                if look is None:
                    self._search(search, task)
                else:
                    self._search_and_look(search, task, look)
                with self.change:
                    self.working -= 1
                    self.change.notify_all()
        except _Stopped:
            pass
        except BaseException as error:
            self.reports.put(error)
        finally:
            self.reports.put(None)

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

    def _load(self, search: _core.Search, task: Task) -> None:
        try:
            search.load(task.state)
        except ValueError as error:
            path = self.recorder.run.path
            raise PuzzleError(f"{path}: damaged: task {task.id}: {error}") from None

    def _search(self, search: _core.Search, task: Task) -> None:
        """Slice by slice until the task is done, all assemblies as they come."""
        self._load(search, task)
        pace = SLICE
        while not self.stopping:
            start, nodes = time.monotonic(), search.nodes
            names, rows, length = search.run_packed(pace, ROOM, self.width)
            pace = _next_pace(pace, time.monotonic() - start)
            self._count(search, search.nodes - nodes)
            known = min(task.known, rows)
            names = names[known * length * self.width :] if known else names
            packed = Packed(names, rows - known, length)
            task = self._report(search, task, task.known - known, packed)
            if search.done:
                return

    def _search_and_look(self, search: _core.Search, task: Task, look: "_Looker") -> None:
        """The same where each assembly is looked at more closely, which may take long."""
        self._load(search, task)
        pace, room = SLICE, 1
        while not self.stopping:
            start, nodes = time.monotonic(), search.nodes
            names, rows, length = search.run_packed(pace, room, self.width)
            pace = _next_pace(pace, time.monotonic() - start)
            self._count(search, search.nodes - nodes)
            size = length * self.width
            found: list[Found] = []
            begun = spoken = time.monotonic()
            for row in range(min(task.known, rows), rows):
                found.append(look(names[row * size : (row + 1) * size]))
                if row + 1 < rows and (self.stopping or time.monotonic() - spoken > SILENCE):
                    ahead = task._replace(known=row + 1)
                    self.reports.put(Batch(task, ahead, False, NOTHING, found))
                    task, found, spoken = ahead, [], time.monotonic()
                    if self.stopping:
                        return
            room = ROOM // 256 if time.monotonic() - begun < TICK else 1
            known = max(0, task.known - rows)
            task = self._report(search, task, known, NOTHING, found)
            if search.done:
                return

    def _report(
        self,
        search: _core.Search,
        task: Task,
        known: int,
        packed: Packed,
        found: list[Found] | None = None,
    ) -> Task:
        """Tell what a slice has found, and give half of the task away if somebody is hungry."""
        share, given = search.left, None
        if self.hungry > len(self.waiting) and not known and not search.done:
            state = search.split()
            if state is not None:
                given = Task(next(self.ids), state, 0, share - search.left)
                share = search.left
        after = Task(task.id, search.save(), known, share)
        self.reports.put(Batch(task, after, search.done, packed, found or (), given))
        if given:
            with self.change:
                self.waiting.append(given)
                self.change.notify()
        return after

    def _count(self, search: _core.Search, nodes: int) -> None:
        """Once the search turns out to be long, weigh the parts of its tree."""
        with self.weighing:
            self.nodes += nodes
            if self.shares is None and self.nodes > LONG:
                self.shares = self.question.core.search().estimate()
        if self.shares is not None:
            search.weigh(self.shares)

    def _spare(self) -> int:
        """How many threads may take one assembly apart: all, if the others have nothing to do."""
        return self.threads if self.working == 1 else 1

    def _patience(self, _: int) -> None:
        if self.stopping:
            raise _Stopped


class _Stopped(Exception):
    """Raised in a thread that is to leave its assembly as it is."""


class _Look:
    """What is told on the way, between checkpoints too."""

    def __init__(self, recorder: Recorder, progress: Tell | None) -> None:
        self.recorder = recorder
        self.progress = progress
        self.assemblies = recorder.assemblies
        self.room = recorder.limit
        self.tasks = dict(recorder.tasks)
        [(nodes,)] = recorder.run.rows("SELECT sum(nodes) FROM task WHERE done")
        self.done_nodes = nodes or 0
        if self.room is not None:
            counts_apart = recorder.run.options.disassemble
            self.room -= recorder.solutions if counts_apart else recorder.assemblies

    def note(self, batch: Batch) -> None:
        endings = [found.ending for found in batch.found]
        fresh = batch.packed.rows + len(endings) - endings.count("same")
        self.assemblies += fresh
        if self.room is not None:
            apart = self.recorder.run.options.disassemble
            self.room -= endings.count("apart") if apart else fresh
        self.tasks[batch.after.id] = batch.after
        if batch.given:
            self.tasks[batch.given.id] = batch.given
        if batch.done:
            self.done_nodes += _nodes(batch.after)
            del self.tasks[batch.after.id]

    @property
    def beyond_limit(self) -> bool:
        return self.room is not None and self.room <= 0

    def tell(self) -> None:
        if self.progress is not None and self.tasks:
            told = store.fraction_done(self.recorder.fraction, self.tasks.values())
            self.recorder.fraction = told  # so that the file never says less
            nodes = self.done_nodes + sum(map(_nodes, self.tasks.values()))
            self.progress(Progress(self.assemblies, nodes, told))


def _nodes(task: Task) -> int:
    return int.from_bytes(task.state[:8], "little")


def _next_pace(pace: int, seconds: float) -> int:
    """How many nodes take a tick, going by the last slice."""
    return max(16, min(2 * pace, int(pace * TICK / max(seconds, 1e-6)), MOST_NODES))


_Looker = Callable[[bytes], Found]


def _examiner(
    question: Question,
    options: Options,
    spare: Callable[[], int],
    patience: Callable[[int], None],
) -> _Looker | None:
    """What is done with each assembly, or None if it is only to be kept."""
    width = store.width_for(len(question.table.rows))
    problem, table = question.problem, question.table
    same: Callable[[list[int]], bool] = lambda names: False  # noqa: E731
    if options.thorough and may_move(problem.goal):
        stands = question.thorough(options.mirrors)
        same = lambda names: not stands(names)  # noqa: E731
    elif not options.disassemble:
        return None
    bench = Bench(problem, options.fine, options.coordinate) if options.disassemble else None

    def look(packed: bytes) -> Found:
        names = store.unpack(packed, width)
        if same(names):
            return Found(packed, "same")
        if bench is None:
            return Found(packed, "found")
        limits = (options.max_states, options.max_moves)
        found = bench.examine(table.assembly(names), *limits, spare(), patience)
        return Found(packed, found.ending, found.disassembly)

    return look


@contextmanager
def signals(stop: Callable[[], None]) -> Iterator[list[int]]:
    """Ctrl-C and SIGTERM stop the crew; a second one acts as it would without us."""
    caught: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield caught
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def handle(number: int, _: FrameType | None) -> None:
        caught.append(number)
        restore()
        stop()

    for number in before:
        signal.signal(number, handle)
    try:
        yield caught
    finally:
        restore()
