"""The runs of a studio: files that hold them, and processes that go on with some.

A run is named by its question: what is asked of which pieces, then how. So who asks again finds
what was found before, also after a restart; and it does not matter how title, comment or another
problem have changed meanwhile. The processes (worker.py) tell how far they are, a few times a
second; whatever else there is to know stands in the files.
"""

import asyncio
import re
import sys
import tempfile
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.store import Options, Run, Summary, open_run, remove, text_of
from kumitate.store.index import Index
from kumitate.studio import results
from kumitate.studio.codec import puzzle_of
from kumitate.studio.exporting import Exports
from kumitate.studio.http import Handler, endpoint_of, read_message
from kumitate.studio.messages import (
    MOST,
    ExportRequest,
    Message,
    PageData,
    PageRequest,
    ProblemRequest,
    RunData,
    RunsData,
    RunState,
    SolutionData,
    SolveOptions,
    SolveRequest,
    StatisticsData,
)
from kumitate.studio.refusal import Refusal
from kumitate.studio.watching import solution_data
from kumitate.studio.worker import News, WorkerRequest, reason_file

ENDING = ".kumitate"
FOLDER = ".kumitate-studio"
PATIENCE = 2.0  # seconds that a new question may take before it is said to be starting
GRACE = 2.0  # seconds to come to a checkpoint before a worker is ended
LONGEST_LINE = 1 << 24  # bytes
MOST_LEVELS = 300  # told with a run, the highest; the statistics have all
MOST_INDEXES = 8  # held in memory
SOON = 1.0  # seconds of work before the time left is worth telling
NO_LIMIT = LARGEST
GONE = "there is no such run any more; solve again"

T = TypeVar("T")
Tell = Callable[[RunData], None]


def runs_folder(folder: Path) -> Path:
    """Where the runs of a folder of puzzles lie; in a temporary one if it cannot be written."""
    try:
        place = folder / FOLDER
        place.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return place
    except OSError:
        return Path(tempfile.mkdtemp(prefix="kumitate-studio-"))


@dataclass
class _Work:
    """A process that goes on with a run, and what it last told."""

    process: asyncio.subprocess.Process
    data: RunData
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    awaited: bool = True  # somebody who asked is waiting for it to begin
    stopping: bool = False
    error: str = ""
    end: "asyncio.Task[None] | None" = None


@dataclass
class _Shelf:
    """An index, and whose turn it is to use it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    index: Index | None = None


class Runs:
    """All runs in a folder; `tell` hears of every change."""

    def __init__(self, folder: Path, tell: Tell = lambda run: None) -> None:
        self.folder = folder
        self.tell = tell
        self._works: dict[str, _Work] = {}
        self._ended: dict[str, RunData] = {}  # those that ended since the server began
        self._asked: dict[str, WorkerRequest] = {}  # questions whose file is not there yet
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._shelves: OrderedDict[str, _Shelf] = OrderedDict()

    def path(self, name: str) -> Path:
        """Where a run lies; a name that could not be one of ours leads nowhere."""
        if not re.fullmatch("[0-9a-f]{16}-[0-9a-f]{8}", name):
            raise Refusal(GONE, "missing")
        return self.folder / f"{name}{ENDING}"

    def existing(self, name: str) -> Path:
        """Where a run lies, if it does."""
        path = self.path(name)
        if not path.exists():
            raise Refusal(GONE, "missing")
        return path

    # ---- what the page asks for ----

    async def start(self, request: SolveRequest) -> RunData:
        """Solve a problem, or go on with what was asked before, with these threads and limit."""
        name, asked, title = await asyncio.to_thread(_asked, request)
        async with self._turns[name]:
            work = self._works.get(name)
            if work is not None:
                if work.data.options == request.options:
                    return work.data
                await self._stop(work)
            if not self.path(name).exists():
                self._asked[name] = asked
                data = RunData(name, title, request.problem, "starting", request.options)
                return await self._spawn(data, request.options.limit)
            data = await self._look(name)
            if data.state == "done":
                return data
            limit = request.options.limit or (NO_LIMIT if data.options.limit else None)
            return await self._spawn(structs.replace(data, options=request.options), limit)

    async def of(self, request: ProblemRequest) -> RunsData:
        """The runs of a problem, whatever the options, the latest first."""
        puzzle = await asyncio.to_thread(puzzle_of, request.puzzle)
        if request.problem >= len(puzzle.problems):
            return RunsData([])
        question = await asyncio.to_thread(_question, puzzle.problems[request.problem])
        names = {path.stem for path in self.folder.glob(f"{question}-*{ENDING}")}
        names |= {name for name in (*self._works, *self._ended) if name.startswith(question)}
        latest = sorted(names, key=lambda name: _saved(self.path(name)), reverse=True)
        found = [await self._look(name) for name in latest]
        return RunsData([structs.replace(run, problem=request.problem) for run in found])

    async def pause(self, name: str) -> RunData:
        async with self._turns[name]:
            if name in self._works:
                await self._stop(self._works[name])
            return await self._look(name)

    async def resume(self, name: str) -> RunData:
        """Go on; beyond a limit that was reached, to twice as many."""
        async with self._turns[name]:
            data = await self._look(name)
            if name in self._works or data.state == "done":
                return data
            limit = data.options.limit
            if data.state == "limit" and limit is not None:
                limit = min(2 * limit, MOST)
                data = structs.replace(data, options=structs.replace(data.options, limit=limit))
            return await self._spawn(data, limit)

    async def drop(self, name: str) -> None:
        """Stop a run and forget all of it."""
        async with self._turns[name]:
            await self._look(name)
            if name in self._works:
                await self._stop(self._works[name], at_once=True)
            self._ended.pop(name, None)
            self._asked.pop(name, None)
            self._shelves.pop(name, None)
            remove(self.path(name))
            reason_file(self.path(name)).unlink(missing_ok=True)
            for unfinished in self.folder.glob(f".{name}*"):
                unfinished.unlink()

    async def page(self, name: str, request: PageRequest) -> PageData:
        """Some of its solutions; none as long as it is only starting."""
        act = partial(results.page, wanted=request)
        return await self._read(name, act, PageData(0, []))

    async def statistics(self, name: str) -> StatisticsData:
        return await self._read(name, results.statistics, StatisticsData(0, 0, [], [], []))

    async def solution(self, name: str, number: str) -> SolutionData:
        def found(run: Run, _: Index) -> SolutionData:
            if re.fullmatch("0*[1-9][0-9]{0,15}", number):
                for solution in run.page(int(number), 1):
                    return solution_data(solution, int(number))
            what = f"there is no solution {number[:40]}; the run keeps {len(run):,}"
            raise Refusal(what, "missing")

        return await self._read(name, found)

    async def close(self) -> None:
        """Bring all work to a checkpoint and end it."""
        await asyncio.gather(*(self._stop(work) for work in self._works.values()))

    # ---- processes ----

    async def _spawn(self, data: RunData, limit: int | None) -> RunData:
        """Start a worker; how the run stands once it has begun, or soon."""
        path, asked = self.path(data.id), self._asked.get(data.id)
        with suppress(OSError):
            self.folder.mkdir(exist_ok=True)  # somebody may have tidied up
        words = [str(path), "--threads", str(data.options.threads)]
        words += ["--limit", str(limit)] if limit is not None else []
        words += ["--new"] if asked is not None else []
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "kumitate.studio.worker", *words),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,
        )
        work = _Work(process, structs.replace(data, state="starting", message=""))
        self._works[data.id] = work
        self._ended.pop(data.id, None)
        work.end = asyncio.create_task(self._follow(work, asked))
        try:
            await asyncio.wait_for(work.begun.wait(), PATIENCE)
        except TimeoutError:
            self.tell(work.data)
        work.awaited = False
        if work.error and not path.exists():
            raise PuzzleError(work.error)
        return work.data

    async def _follow(self, work: _Work, asked: WorkerRequest | None) -> None:
        """Hear what a worker says until it ends, and tell it on."""
        name = work.data.id
        assert work.process.stdin is not None
        assert work.process.stdout is not None
        if asked is not None:
            with suppress(ConnectionError):
                work.process.stdin.write(msgspec.json.encode(asked) + b"\n")
                await work.process.stdin.drain()
        async for line in work.process.stdout:
            try:
                news = msgspec.json.decode(line, type=News)
            except msgspec.DecodeError:
                continue  # somebody else's words
            if news.error:
                work.error = news.error
            elif news.summary is not None and news.summary.state == "running":
                self._asked.pop(name, None)
                work.data = _standing(work.data, news.summary, "running")
                work.begun.set()
                self.tell(work.data)
        code = await work.process.wait()
        work.data = await asyncio.to_thread(self._ending, work, code)
        del self._works[name]
        work.begun.set()
        if work.error and work.awaited and not self.path(name).exists():
            self._asked.pop(name, None)  # refused: who asked is told, and nobody else
            return
        self._ended[name] = work.data
        self.tell(work.data)

    def _ending(self, work: _Work, code: int) -> RunData:
        """How a run stands after its worker has ended, and what there is to say about that."""
        path, threads = self.path(work.data.id), work.data.options.threads
        data = _described(path) if path.exists() else structs.replace(work.data, state="paused")
        data = structs.replace(data, options=structs.replace(data.options, threads=threads))
        error = work.error
        if not error and code not in (0, 130) and not work.stopping:
            error = (
                f"the process that solved it ended by itself ({_cause(code)});"
                " what it found until the last checkpoint is kept, and it can go on"
            )
        return structs.replace(data, state="failed", message=error) if error else data

    async def _stop(self, work: _Work, at_once: bool = False) -> None:
        """Ask a worker to stop at a checkpoint; if it does not soon, end it."""
        assert work.end is not None
        assert work.process.stdin is not None
        work.stopping = True
        if not at_once:
            work.process.stdin.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(work.end), GRACE)
        with suppress(ProcessLookupError):
            work.process.kill()
        await work.end

    # ---- files ----

    async def _look(self, name: str) -> RunData:
        """How a run stands."""
        if name in self._works:
            return self._works[name].data
        if name in self._ended:
            return self._ended[name]
        return await asyncio.to_thread(_described, self.existing(name))

    async def _read(self, name: str, act: Callable[[Run, Index], T], nothing: T | None = None) -> T:
        """What a run's file says, by way of its index, beside the work of the server."""
        await self._look(name)
        if nothing is not None and not self.path(name).exists():
            return nothing
        shelf = self._shelves.setdefault(name, _Shelf())
        self._shelves.move_to_end(name)
        while len(self._shelves) > MOST_INDEXES:
            self._shelves.popitem(last=False)

        def reading() -> T:
            with shelf.lock, open_run(self.path(name)) as run:
                if shelf.index is None:
                    shelf.index = Index(run)
                return act(run, shelf.index)

        return await asyncio.to_thread(reading)


# ---- questions ----


def _asked(request: SolveRequest) -> tuple[str, WorkerRequest, str]:
    """The name of a question's run, the question for a worker, and the title of its puzzle."""
    puzzle = puzzle_of(request.puzzle)
    given = structs.asdict(request.options)
    options = Options(**{name: given[name] for name in Options.__struct_fields__ if name in given})
    if not options.disassemble:
        options = structs.replace(options, fine=False, coordinate=False)
    how = sha256(msgspec.json.encode(options)).hexdigest()[:8]
    if request.problem >= len(puzzle.problems):
        raise PuzzleError("the puzzle sets no such problem; add one, with a goal and pieces")
    name = f"{_question(puzzle.problems[request.problem])}-{how}"
    return name, WorkerRequest(text_of(puzzle).decode(), request.problem + 1, options), puzzle.title


def _question(problem: Problem) -> str:
    """What is asked, whatever it is called."""
    return sha256(text_of(Puzzle.of(replace(problem, name="")))).hexdigest()[:16]


# ---- how a run stands ----


def _described(path: Path) -> RunData:
    """By its file alone; one that runs nowhere is paused."""
    try:
        with open_run(path) as run:
            summary = run.summary()
            given = structs.asdict(run.options)
            known = {name: given[name] for name in SolveOptions.__struct_fields__ if name in given}
            data = RunData(
                path.stem, run.puzzle.title, run.number - 1, "paused", SolveOptions(**known)
            )
    except PuzzleError as error:
        return RunData(path.stem, "", 0, "failed", SolveOptions(), message=str(error))
    reason = reason_file(path)
    if reason.exists():
        data = structs.replace(data, message=reason.read_text("utf-8"))
    if summary.state == "running" or summary.state == "recovered":
        return _standing(data, summary, "paused")
    return _standing(data, summary, summary.state)


def _standing(data: RunData, summary: Summary, state: RunState) -> RunData:
    limit = None if summary.limit is None or summary.limit >= NO_LIMIT else summary.limit
    return structs.replace(
        data,
        state=state,
        options=structs.replace(data.options, limit=limit),
        assemblies=summary.assemblies,
        solutions=summary.solutions,
        kept=summary.kept,
        rigid=summary.rigid,
        stuck=summary.stuck,
        given_up=summary.given_up,
        fraction=summary.fraction,
        seconds=summary.seconds,
        seconds_left=None if state == "done" else seconds_left(summary, limit),
        levels=dict(islice(summary.levels.items(), MOST_LEVELS)),
    )


def seconds_left(summary: Summary, limit: int | None) -> float | None:
    """By the part of the search that is done, or by what is missing to the limit if that is sooner.

    The part done counts all that the run has worked, in all its lives.
    """
    if summary.seconds < SOON:
        return None
    found = summary.assemblies if summary.solutions is None else summary.solutions
    guesses = (
        [summary.seconds * (1 - summary.fraction) / summary.fraction] if summary.fraction else []
    )
    if limit is not None and found:
        guesses.append(summary.seconds * max(0, limit - found) / found)
    return min(guesses, default=None)


def _saved(path: Path) -> float:
    """When a run was written last, in seconds since 1970; one that has no file yet, after all."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return max((file.stat().st_mtime for file in files if file.exists()), default=2.0**62)


def _cause(code: int) -> str:
    if code < 0:
        return f"signal {-code}; perhaps memory ran out" if code == -9 else f"signal {-code}"
    return f"status {code}"


# ---- routes ----


def routes(runs: Runs, exports: Exports) -> list[Route]:
    """Everything under /api/runs, and /api/export."""

    async def start(request: Request) -> Message | Response | None:
        return await runs.start(await read_message(request, SolveRequest))

    async def of(request: Request) -> Message | Response | None:
        return await runs.of(await read_message(request, ProblemRequest))

    async def page(request: Request) -> Message | Response | None:
        return await runs.page(request.path_params["run"], await read_message(request, PageRequest))

    async def solution(request: Request) -> Message | Response | None:
        return await runs.solution(request.path_params["run"], request.path_params["number"])

    async def export(request: Request) -> Message | Response | None:
        wanted = await read_message(request, ExportRequest)
        return await exports.make(wanted, runs.existing(wanted.run) if wanted.run else None)

    def named(act: Callable[[str], Awaitable[Message | None]]) -> Handler:
        return lambda request: act(request.path_params["run"])

    table: list[tuple[str, str, Handler]] = [
        ("POST", "/api/runs", start),
        ("POST", "/api/runs/of", of),
        ("DELETE", "/api/runs/{run}", named(runs.drop)),
        ("POST", "/api/runs/{run}/pause", named(runs.pause)),
        ("POST", "/api/runs/{run}/resume", named(runs.resume)),
        ("POST", "/api/runs/{run}/page", page),
        ("GET", "/api/runs/{run}/statistics", named(runs.statistics)),
        ("GET", "/api/runs/{run}/solutions/{number}", solution),
        ("POST", "/api/export", export),
    ]
    return [Route(path, endpoint_of(act), methods=[method]) for method, path, act in table]
