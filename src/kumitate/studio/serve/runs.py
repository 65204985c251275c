"""The runs of a studio: their files, and the processes that work on some of them.

The name of a run is a hash of its question: the problem, then the options. So the same question
finds its earlier results, even after a restart, and even if the title, the comment or another
problem has changed. The processes (worker.py) report progress a few times a second; everything else
is in the files.
"""

import asyncio
import re
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

from kumitate import disk
from kumitate.decoding import from_json
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST
from kumitate.model.options import ApartOptions, RunOptions, take
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Solution
from kumitate.output.draw.pictures import picture
from kumitate.output.page import kit_data, scene_data
from kumitate.output.scene import scene_of
from kumitate.store import Run, Summary, open_run, remove, text_of
from kumitate.store.plain_index import PlainIndex, index_of
from kumitate.studio.ask.codec import puzzle_of
from kumitate.studio.ask.exploring import states_data
from kumitate.studio.ask.hints import hint_of
from kumitate.studio.ask.watching import forms_data, solution_data, view_svg
from kumitate.studio.messages import (
    MOST,
    ExportRequest,
    FormsData,
    HintData,
    HintRequest,
    Message,
    PageData,
    PageRequest,
    ProblemRequest,
    RunData,
    RunsData,
    RunState,
    SearchData,
    SearchesData,
    SolutionData,
    SolveOptions,
    SolveRequest,
    StatesData,
    StatisticsData,
    ViewRequest,
)
from kumitate.studio.refusal import Refusal
from kumitate.studio.serve import results
from kumitate.studio.serve.exporting import Exports
from kumitate.studio.serve.http import Handler, endpoint_of, read_message, svg_response
from kumitate.studio.serve.processes import Start, Work, failure_of, start_worker
from kumitate.studio.serve.worker import News, WorkerRequest, reason_file

SUFFIX = ".kumitate"
NAME = re.compile("[0-9a-f]{16}-[0-9a-f]{8}")
REPORTED = (
    *("assemblies", "solutions", "kept", "rigid", "stuck"),
    *("given_up", "fraction", "seconds"),
)
START_SECONDS = 2.0  # after that, a run that has not begun is reported as starting
MOST_LEVELS = 300  # sent with a run, the highest first; the statistics have all
MOST_INDEXES = 8  # held in memory
MOST_LISTED = 200  # of all runs
ESTIMATE_SECONDS = 1.0  # of work before we estimate the time left
LEAST_FRACTION = 0.01  # of the search from which we do, or else
PATIENCE_SECONDS = 60.0
NO_LIMIT = LARGEST
GONE = "this run no longer exists; solve again"

T = TypeVar("T")
Colours = str | None  # of the pieces, with commas between them; "" is the palette's
Listener = Callable[[RunData], None]


@dataclass
class _SharedIndex:
    """An index with its lock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    index: PlainIndex | None = None


class Runs:
    """All runs in a folder; `listener` is called on every change."""

    def __init__(
        self,
        folder: Path,
        listener: Listener = lambda run: None,
        start_worker: Start = start_worker,
    ) -> None:
        self.folder = folder
        self.listener = listener
        self._start = start_worker
        self._works: dict[str, Work[RunData]] = {}
        self._ended: dict[str, RunData] = {}  # runs that ended since the server started
        self._asked: dict[str, WorkerRequest] = {}  # runs that have no file yet
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._indexes: OrderedDict[str, _SharedIndex] = OrderedDict()

    def path(self, name: str) -> Path:
        """The path of a run, which may not exist; an invalid name is rejected."""
        if not NAME.fullmatch(name):
            raise Refusal(GONE, "missing")
        return self.folder / f"{name}{SUFFIX}"

    def existing(self, name: str) -> Path:
        """The path of a run that exists."""
        path = self.path(name)
        if not path.exists():
            raise Refusal(GONE, "missing")
        return path

    # ---- requests of the page ----

    async def start(self, request: SolveRequest) -> RunData:
        """Solve a problem, or resume the run of the same question, with these threads and limit."""
        name, asked, title = await asyncio.to_thread(_asked, request)
        async with self._turns[name]:
            work = self._works.get(name)
            if work is not None:
                if work.data.options == request.options:
                    return work.data
                await work.process.stop()
            if not self.path(name).exists():
                self._asked[name] = asked
                data = RunData(name, title, request.problem, "starting", request.options)
                return await self._spawn(data, request.options.limit)
            data = await self._status(name)
            if data.state == "done":
                return data
            limit = request.options.limit or (NO_LIMIT if data.options.limit else None)
            return await self._spawn(structs.replace(data, options=request.options), limit)

    async def of(self, request: ProblemRequest) -> RunsData:
        """The runs of a problem, whatever the options, the latest first."""
        puzzle = await asyncio.to_thread(puzzle_of, request.puzzle)
        if request.problem >= len(puzzle.problems):
            return RunsData([])
        question = await asyncio.to_thread(question_of, puzzle.problems[request.problem])
        names = {path.stem for path in self.folder.glob(f"{question}-*{SUFFIX}")}
        names |= {name for name in (*self._works, *self._ended) if name.startswith(question)}
        latest = sorted(names, key=lambda name: saved_at(self.path(name)), reverse=True)
        found = [await self._status(name) for name in latest]
        return RunsData([structs.replace(run, problem=request.problem) for run in found])

    async def all(self) -> SearchesData:
        """All runs, the last written first; the puzzles of very many are not looked at."""
        names = {path.stem for path in self.folder.glob(f"*{SUFFIX}") if NAME.fullmatch(path.stem)}
        latest = sorted({*names, *self._works}, key=lambda n: saved_at(self.path(n)), reverse=True)
        sizes = await asyncio.to_thread(lambda: {name: size_of(self.path(name)) for name in latest})
        found = []
        for name in latest[:MOST_LISTED]:
            with suppress(Refusal):  # deleted meanwhile
                found.append(SearchData(await self._status(name), sizes[name]))
        return SearchesData(found, max(0, len(latest) - MOST_LISTED), sum(sizes.values()))

    def puzzle(self, name: str) -> tuple[Puzzle, int]:
        """The puzzle of a run, and which of its problems is solved, counted from 0."""
        with open_run(self.existing(name)) as run:
            return run.puzzle, run.number - 1

    async def pause(self, name: str) -> RunData:
        async with self._turns[name]:
            if name in self._works:
                await self._works[name].process.stop()
            return await self._status(name)

    async def resume(self, name: str) -> RunData:
        """Resume; if the limit was reached, double it."""
        async with self._turns[name]:
            data = await self._status(name)
            if name in self._works or data.state in ("done", "chosen"):
                return data
            limit = data.options.limit
            if data.state == "limit" and limit is not None:
                limit = min(2 * limit, MOST)
                data = structs.replace(data, options=replace(data.options, limit=limit))
            return await self._spawn(data, limit)

    async def drop(self, name: str) -> None:
        """Stop a run and delete it."""
        async with self._turns[name]:
            await self._status(name)
            if name in self._works:
                await self._works[name].process.stop(kill=True)
            self._ended.pop(name, None)
            self._asked.pop(name, None)
            self._indexes.pop(name, None)
            remove(self.path(name))
            disk.remove(reason_file(self.path(name)))
            for unfinished in self.folder.glob(f".{name}*"):
                disk.remove(unfinished)

    async def page(self, name: str, request: PageRequest) -> PageData:
        """Some of its solutions; none while it is starting."""
        act = partial(results.page, wanted=request)
        return await self.read(name, act, PageData(0, []))

    async def statistics(self, name: str) -> StatisticsData:
        return await self.read(name, results.statistics, StatisticsData(0, 0, [], [], []))

    async def forms(self, name: str) -> FormsData:
        return await self.read(name, lambda run, _: forms_data(run.problem), FormsData([], []))

    async def solution(self, name: str, number: str, colours: Colours) -> SolutionData:
        return solution_data(await self._solution(name, number, colours), int(number))

    async def scene(self, name: str, number: str, colours: Colours) -> Response:
        """A solution as exported pages show it, with all that it takes to put it together."""
        scene = scene_of(await self._solution(name, number, colours))
        data = {**scene_data(scene), "kit": kit_data(scene)}
        return Response(msgspec.json.encode(data), media_type="application/json")

    async def picture(self, name: str, number: str, colours: Colours) -> Response:
        """Its assembly as SVG."""
        solution = await self._solution(name, number, colours)
        svg = await asyncio.to_thread(picture, scene_of(solution.assembly))
        return svg_response(svg, "private, max-age=3600")

    async def states(self, name: str, number: str, _: Colours) -> StatesData:
        solution = await self._solution(name, number)
        return await asyncio.to_thread(states_data, solution.assembly)

    async def hint(self, name: str, number: str, request: HintRequest) -> HintData:
        solution = await self._solution(name, number)
        return await asyncio.to_thread(hint_of, solution.assembly, request)

    async def view(
        self, name: str, number: str, request: ViewRequest, colours: Colours = None
    ) -> str:
        solution = await self._solution(name, number, colours)
        return await asyncio.to_thread(view_svg, solution, request)

    async def _solution(self, name: str, number: str, colours: Colours = None) -> Solution:
        """A solution of a run; the colours of its pieces may have been chosen since."""

        def found(run: Run, _: PlainIndex) -> Solution:
            if re.fullmatch("0*[1-9][0-9]{0,15}", number):
                for solution in run.page(int(number), 1):
                    painted = colours.split(",") if colours is not None else []
                    same = len(painted) == len(run.problem.pieces)
                    return solution.painted(painted) if same else solution
            what = f"there is no solution {number[:40]}; the run keeps {len(run):,}"
            raise Refusal(what, "missing")

        return await self.read(name, found)

    async def close(self) -> None:
        """Stop all workers at a checkpoint."""
        await asyncio.gather(*(work.process.stop() for work in self._works.values()))

    # ---- processes ----

    async def _spawn(self, data: RunData, limit: int | None) -> RunData:
        """Start a worker; return the run's progress once it has begun, or after a while."""
        path, asked = self.path(data.id), self._asked.get(data.id)
        with suppress(OSError):
            self.folder.mkdir(exist_ok=True)  # the user may have deleted it
        words = [str(path), "--threads", str(data.options.threads)]
        words += ["--limit", str(limit)] if limit is not None else []
        words += ["--new"] if asked is not None else []
        work = Work[RunData](structs.replace(data, state="starting", message=""))
        on_line, on_end = partial(self._on_line, work), partial(self._end, work)
        work.process = await self._start("worker", words, asked, on_line, on_end)
        self._works[data.id] = work
        self._ended.pop(data.id, None)
        try:
            await asyncio.wait_for(work.begun.wait(), START_SECONDS)
        except TimeoutError:
            self.listener(work.data)
        work.awaited = False
        if work.error and not path.exists():
            raise PuzzleError(work.error)
        return work.data

    def _on_line(self, work: Work[RunData], line: bytes) -> None:
        """Pass a worker's report on."""
        try:
            news = from_json(line, News)
        except msgspec.DecodeError:
            return  # printed by some library
        if news.error:
            work.error = news.error
        elif news.summary is not None and news.summary.state == "running":
            self._asked.pop(work.data.id, None)
            work.data = _standing(work.data, news.summary, "running")
            work.begun.set()
            self.listener(work.data)

    async def _end(self, work: Work[RunData], code: int) -> None:
        """A worker has ended."""
        name = work.data.id
        work.data = await asyncio.to_thread(self._ending, work, code)
        del self._works[name]
        work.begun.set()
        if work.error and work.awaited and not self.path(name).exists():
            self._asked.pop(name, None)  # rejected: only the request is answered
            return
        self._ended[name] = work.data
        self.listener(work.data)

    def _ending(self, work: Work[RunData], code: int) -> RunData:
        """The state of a run after its worker has ended, with an error message if it failed."""
        path, threads = self.path(work.data.id), work.data.options.threads
        data = described(path) if path.exists() else structs.replace(work.data, state="paused")
        data = structs.replace(data, options=replace(data.options, threads=threads))
        error = work.error or failure_of(code, work.process.stopping)
        return structs.replace(data, state="failed", message=error) if error else data

    # ---- files ----

    async def _status(self, name: str) -> RunData:
        """The progress of a run."""
        if name in self._works:
            return self._works[name].data
        if name in self._ended:
            return self._ended[name]
        return await asyncio.to_thread(described, self.existing(name))

    async def read(
        self, name: str, act: Callable[[Run, PlainIndex], T], nothing: T | None = None
    ) -> T:
        """Read a run's file with the help of its index, on a thread."""
        await self._status(name)
        if nothing is not None and not self.path(name).exists():
            return nothing
        shared = self._indexes.setdefault(name, _SharedIndex())
        self._indexes.move_to_end(name)
        while len(self._indexes) > MOST_INDEXES:
            self._indexes.popitem(last=False)

        def reading() -> T:
            with shared.lock, open_run(self.path(name)) as run:
                if shared.index is None:
                    shared.index = index_of(run)
                return act(run, shared.index)

        return await asyncio.to_thread(reading)


# ---- questions ----


def _asked(request: SolveRequest) -> tuple[str, WorkerRequest, str]:
    """The name of a request's run, the request for a worker, and the title of the puzzle."""
    puzzle = puzzle_of(request.puzzle)
    options = take(RunOptions, vars(request.options))
    if not options.disassemble:
        options = replace(options, **vars(ApartOptions()))
    how = sha256(msgspec.json.encode(options)).hexdigest()[:8]
    if request.problem >= len(puzzle.problems):
        raise PuzzleError("the puzzle has no such problem; add one, with a goal and pieces")
    name = f"{question_of(puzzle.problems[request.problem])}-{how}"
    return name, WorkerRequest(text_of(puzzle).decode(), request.problem + 1, options), puzzle.title


def question_of(problem: Problem) -> str:
    """A hash of what a problem asks."""
    return sha256(text_of(Puzzle.of(problem.question))).hexdigest()[:16]


# ---- the state of a run ----


def described(path: Path) -> RunData:
    """The state of a run from its file alone; without a worker it is paused."""
    try:
        with open_run(path) as run:
            summary = run.summary()
            options = SolveOptions(**vars(run.options))
            data = RunData(path.stem, run.puzzle.title, run.number - 1, "paused", options)
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
        options=replace(data.options, limit=limit),
        **{name: getattr(summary, name) for name in REPORTED},
        seconds_left=None if state == "done" else seconds_left(summary, limit),
        levels=dict(islice(summary.levels.items(), MOST_LEVELS)),
    )


def seconds_left(summary: Summary, limit: int | None) -> float | None:
    """An estimate from the fraction done, or from the solutions missing to the limit if sooner.

    The fraction and the seconds are totals over all sessions of the run. The first small fractions
    say hours where it will be minutes, so nothing is made of them for a while.
    """
    if summary.seconds < ESTIMATE_SECONDS:
        return None
    found = summary.assemblies if summary.solutions is None else summary.solutions
    telling = summary.fraction >= LEAST_FRACTION or summary.seconds >= PATIENCE_SECONDS
    guesses = (
        [summary.seconds * (1 - summary.fraction) / summary.fraction]
        if summary.fraction and telling
        else []
    )
    if limit is not None and found:
        guesses.append(summary.seconds * max(0, limit - found) / found)
    return min(guesses, default=None)


def saved_at(path: Path) -> float:
    """When a run was last written, in seconds since 1970; far in the future if it has no file."""
    files = (path, path.with_name(f"{path.name}-wal"))
    return max((file.stat().st_mtime for file in files if file.exists()), default=2.0**62)


def size_of(path: Path) -> int:
    """The size of a run with its logs, in bytes."""
    size = 0
    for file in path.parent.glob(f"{path.name}*"):
        with suppress(OSError):
            size += file.stat().st_size
    return size


# ---- routes ----


def routes(runs: Runs, exports: Exports) -> list[Route]:
    """Everything under /api/runs, and /api/export."""

    async def start(request: Request) -> Message | Response | None:
        return await runs.start(await read_message(request, SolveRequest))

    async def of(request: Request) -> Message | Response | None:
        return await runs.of(await read_message(request, ProblemRequest))

    async def page(request: Request) -> Message | Response | None:
        return await runs.page(request.path_params["run"], await read_message(request, PageRequest))

    def numbered(
        act: Callable[[str, str, Colours], Awaitable[Message | Response | None]],
    ) -> Handler:
        return lambda request: act(
            request.path_params["run"],
            request.path_params["number"],
            request.query_params.get("colours"),
        )

    async def hint(request: Request) -> Message | Response | None:
        run, number = (request.path_params[name] for name in ("run", "number"))
        return await runs.hint(run, number, await read_message(request, HintRequest))

    async def export(request: Request) -> Message | Response | None:
        wanted = await read_message(request, ExportRequest)
        return await exports.make(wanted, runs.existing(wanted.run) if wanted.run else None)

    async def preview(request: Request) -> Message | Response | None:
        wanted = await read_message(request, ExportRequest)
        run = runs.existing(wanted.run) if wanted.run else None
        return await exports.preview(wanted, run, request.is_disconnected)

    async def view(request: Request) -> Message | Response | None:
        run, number = (request.path_params[name] for name in ("run", "number"))
        wanted = await read_message(request, ViewRequest)
        colours = request.query_params.get("colours")
        return svg_response(await runs.view(run, number, wanted, colours))

    def named(act: Callable[[str], Awaitable[Message | None]]) -> Handler:
        return lambda request: act(request.path_params["run"])

    async def everything(request: Request) -> Message | Response | None:
        return await runs.all()

    table: list[tuple[str, str, Handler]] = [
        ("GET", "/api/runs", everything),
        ("POST", "/api/runs", start),
        ("POST", "/api/runs/of", of),
        ("DELETE", "/api/runs/{run}", named(runs.drop)),
        ("POST", "/api/runs/{run}/pause", named(runs.pause)),
        ("POST", "/api/runs/{run}/resume", named(runs.resume)),
        ("POST", "/api/runs/{run}/page", page),
        ("GET", "/api/runs/{run}/statistics", named(runs.statistics)),
        ("GET", "/api/runs/{run}/forms", named(runs.forms)),
        ("GET", "/api/runs/{run}/solutions/{number}", numbered(runs.solution)),
        ("GET", "/api/runs/{run}/solutions/{number}/picture", numbered(runs.picture)),
        ("GET", "/api/runs/{run}/solutions/{number}/states", numbered(runs.states)),
        ("GET", "/api/runs/{run}/solutions/{number}/scene", numbered(runs.scene)),
        ("POST", "/api/runs/{run}/solutions/{number}/hint", hint),
        ("POST", "/api/runs/{run}/solutions/{number}/view", view),
        ("POST", "/api/export", export),
        ("POST", "/api/preview", preview),
    ]
    return [Route(path, endpoint_of(act), methods=[method]) for method, path, act in table]
