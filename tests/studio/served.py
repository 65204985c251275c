"""A studio with only runs and exports, on a real server, and a client for it."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import msgspec
import uvicorn
from starlette.applications import Starlette

from kumitate.model.puzzle import Puzzle
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import (
    ErrorData,
    ExportRequest,
    FormsData,
    PageData,
    PageRequest,
    ProblemRequest,
    RunData,
    RunsData,
    SolutionData,
    SolveOptions,
    SolveRequest,
    StatisticsData,
)
from kumitate.studio.serve import kept
from kumitate.studio.serve.exporting import Exports
from kumitate.studio.serve.processes import Worker
from kumitate.studio.serve.questions import HANDLERS
from kumitate.studio.serve.runs import Runs, routes

T = TypeVar("T")


class Refused(Exception):
    """An error response of the server."""

    def __init__(self, status: int, error: ErrorData) -> None:
        super().__init__(error.message)
        self.status = status
        self.reason = error.reason


class Studio:
    """A client that asks as the page does; `told` is what the server has broadcast, with times."""

    def __init__(
        self, port: int, runs: Runs, exports: Exports, told: list[tuple[float, RunData]]
    ) -> None:
        self.port = port
        self.runs = runs
        self.exports = exports
        self.told = told

    def ask(self, method: str, path: str, body: object = None) -> tuple[dict[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            data = None if body is None else msgspec.json.encode(body)
            connection.request(method, f"/api/{path}", data)
            response = connection.getresponse()
            answer = response.read()
            if response.status != 200:
                raise Refused(response.status, msgspec.json.decode(answer, type=ErrorData))
            return dict(response.getheaders()), answer
        finally:
            connection.close()

    def get(self, kind: type[T], method: str, path: str, body: object = None) -> T:
        return msgspec.json.decode(self.ask(method, path, body)[1], type=kind)

    def solve(self, puzzle: Puzzle, problem: int = 0, **options: Any) -> RunData:
        request = SolveRequest(
            puzzle_data(puzzle), problem, SolveOptions(**{"disassemble": True, **options})
        )
        return self.get(RunData, "POST", "runs", request)

    def runs_of(self, puzzle: Puzzle, problem: int = 0) -> list[RunData]:
        request = ProblemRequest(puzzle_data(puzzle), problem)
        return self.get(RunsData, "POST", "runs/of", request).runs

    def state(self, run: RunData, puzzle: Puzzle) -> RunData:
        [found] = [r for r in self.runs_of(puzzle, run.problem) if r.id == run.id]
        return found

    def pause(self, run: RunData) -> RunData:
        return self.get(RunData, "POST", f"runs/{run.id}/pause")

    def resume(self, run: RunData) -> RunData:
        return self.get(RunData, "POST", f"runs/{run.id}/resume")

    def drop(self, run: RunData) -> None:
        assert json.loads(self.ask("DELETE", f"runs/{run.id}")[1]) is None

    def page(self, run: RunData, **wanted: Any) -> PageData:
        return self.get(PageData, "POST", f"runs/{run.id}/page", PageRequest(**wanted))

    def statistics(self, run: RunData) -> StatisticsData:
        return self.get(StatisticsData, "GET", f"runs/{run.id}/statistics")

    def forms(self, run: RunData) -> FormsData:
        return self.get(FormsData, "GET", f"runs/{run.id}/forms")

    def solution(self, run: RunData, number: int) -> SolutionData:
        return self.get(SolutionData, "GET", f"runs/{run.id}/solutions/{number}")

    def export(self, puzzle: Puzzle, **wanted: Any) -> tuple[str, bytes]:
        headers, data = self.ask("POST", "export", ExportRequest(puzzle_data(puzzle), **wanted))
        said = {name.lower(): value for name, value in headers.items()}["content-disposition"]
        return unquote(said.partition("filename*=UTF-8''")[2]), data

    def last(self, run: RunData) -> RunData | None:
        """The last broadcast about a run."""
        return next((data for _, data in reversed(self.told) if data.id == run.id), None)

    def wait(self, run: RunData, until: Callable[[RunData], bool], seconds: float = 60) -> RunData:
        """Wait for the first broadcast about a run that satisfies a condition."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            data = self.last(run)
            if data is not None and until(data):
                return data
            time.sleep(0.01)
        raise AssertionError(f"{self.last(run)}")

    def done(self, run: RunData, seconds: float = 60) -> RunData:
        return self.wait(run, lambda data: data.state == "done", seconds)

    @property
    def workers(self) -> list[int]:
        """The ids of the worker processes."""
        processes = [work.process for work in self.runs._works.values()]
        return [process.pid for process in processes if isinstance(process, Worker)]

    @property
    def processes(self) -> "set[asyncio.subprocess.Process]":
        """Those that make exports."""
        return self.exports.answerers.processes


@contextmanager
def studio(folder: Path) -> Iterator[Studio]:
    """A server in a thread; closing it closes its runs too."""
    told: list[tuple[float, RunData]] = []
    runs = Runs(folder, lambda run: told.append((time.monotonic(), run)))

    @asynccontextmanager
    async def life(_: Starlette):  # type: ignore[no-untyped-def]
        yield
        await runs.close()
        await exports.close()

    exports = Exports()
    parts = [*routes(runs, exports), *kept.routes(runs)]
    app = Starlette(routes=parts, lifespan=life, exception_handlers=HANDLERS)
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_level="critical", ws="none", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Studio(port, runs, exports, told)
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()
