"""All questions that the page can ask, as routes: requests in, responses out, and no socket.

The server (server.py) answers them over HTTP; in the browser, alone.py does without a server. A
part of the studio is a module with `routes(studio)`; to add one, list it in PARTS. What has to do
with runs is given them, too. Workers and exports are started by functions that the two differ in.
"""

import asyncio
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Scope

from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.studio.ask import problems, shapes
from kumitate.studio.serve import collections, designs, drafts, kept, one, puzzles
from kumitate.studio.serve.exporting import Exports, Make
from kumitate.studio.serve.http import Studio, error_line, error_response
from kumitate.studio.serve.one import Find, Ones
from kumitate.studio.serve.processes import Start, start_worker
from kumitate.studio.serve.runs import Runs
from kumitate.studio.serve.runs import routes as run_routes

PARTS = (drafts, collections, shapes, problems)


class Questions:
    """The routes of a studio, and what works for them."""

    def __init__(
        self,
        studio: Studio,
        start: Start = start_worker,
        make: Make | None = None,
        find: Find | None = None,
    ) -> None:
        self.studio = studio
        self.runs = Runs(studio.store, partial(studio.events.post, "run"), start)
        self.designs = designs.Designs(studio.folder, partial(studio.events.post, "design"), start)
        self.exports = Exports(make)
        self.ones = Ones(self.runs, find)

    def routes(self) -> list[BaseRoute]:
        """Everything under /api but the events."""
        found: list[BaseRoute] = []
        for part in PARTS:
            found += part.routes(self.studio)
        found += puzzles.routes(self.studio, self.runs)
        found += run_routes(self.runs, self.exports) + kept.routes(self.runs)
        return found + designs.routes(self.designs) + one.routes(self.ones)

    async def close(self) -> None:
        """Stop all workers at a checkpoint, and all exports and searches for one."""
        await asyncio.gather(self.runs.close(), self.designs.close())
        await asyncio.gather(self.exports.close(), self.ones.close())


async def not_found(scope: Scope, receive: object, send: object) -> None:
    raise HTTPException(404)


async def _user_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, PuzzleError | LimitReached)
    return error_response(error)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return error_line(f"there is nothing at {request.url.path[:80]}", "missing")
    what = f"{request.method} {request.url.path[:80]} is not supported"
    return error_line(what, "question", error.status_code)


async def _internal_error(request: Request, error: Exception) -> Response:
    """A bug of ours; the terminal shows the traceback."""
    what = f"internal error ({type(error).__name__}); please report what you did"
    return error_line(what, "ours")


HANDLERS: dict[Any, Any] = {
    PuzzleError: _user_error,
    LimitReached: _user_error,
    HTTPException: _http_error,
    Exception: _internal_error,
}
