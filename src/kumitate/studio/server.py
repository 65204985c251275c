"""The studio's server: its page, and the answers to whatever the page asks.

The server keeps no puzzle: the page has it and sends it along with each question, so a server that
was started anew goes on where the last one was. A part of the studio is a module with
`routes(studio)`; to add one, name it in PARTS.
"""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.studio import problems, puzzles, shapes
from kumitate.studio.exporting import Exports
from kumitate.studio.guard import Guard
from kumitate.studio.http import Studio, error_line, error_response
from kumitate.studio.runs import Runs, runs_folder
from kumitate.studio.runs import routes as run_routes

PARTS = (puzzles, shapes, problems)
STATIC = Path(__file__).parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
HEAD_SECONDS = 10  # for a request's line and headers
GRACE = 3  # seconds for answers under way when the server ends

NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>kumitate studio</title>
<h1>The studio's page was not built</h1>
<p>The server runs, but this kumitate was installed without the page. Install it again with
<code>pip install --force-reinstall kumitate</code>, or, in the project's folder, build the page:
<code>npm --prefix web install &amp;&amp; npm --prefix web run build</code></p></html>
"""


def app(studio: Studio, token: str, host: str = "127.0.0.1", static: Path = STATIC) -> Starlette:
    """The whole studio, for requests that know the token, sent to this host."""

    runs = Runs(runs_folder(studio.folder.root), partial(studio.events.post, "run"))
    exports = Exports()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        threading.Thread(target=puzzles.warm, daemon=True).start()
        try:
            yield
        finally:
            await runs.close()
            await exports.close()

    async def events(request: Request) -> Response:
        return StreamingResponse(studio.events.stream(), media_type="text/event-stream")

    async def page(request: Request) -> Response:
        index = static / "index.html"
        if not index.is_file():
            return HTMLResponse(NOT_BUILT, 503)
        return FileResponse(index)

    routes: list[BaseRoute] = [Route("/", page), Route("/api/events", events)]
    for part in PARTS:
        routes += part.routes(studio)
    routes += run_routes(runs, exports)
    routes.append(Mount("/api", _nothing))  # so that no file is looked for
    if static.is_dir():
        routes.append(Mount("/", _Files(directory=static)))
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token, host=host)],
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )


class _Files(StaticFiles):
    """The built page; what has a hash in its name never changes."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        hashed = path.replace("\\", "/").startswith("assets/")
        response.headers["cache-control"] = FOR_EVER if hashed else "no-cache"
        return response


async def _nothing(scope: Scope, receive: object, send: object) -> None:
    raise HTTPException(404)


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, PuzzleError | LimitReached)
    return error_response(error)


async def _not_served(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return error_line(f"there is nothing at {request.url.path[:80]}", "missing")
    what = f"{request.method} {request.url.path[:80]} is not supported"
    return error_line(what, "question", error.status_code)


async def _ours(request: Request, error: Exception) -> Response:
    """Our own slip; the terminal shows where."""
    what = f"internal error ({type(error).__name__}); please report what you did"
    return error_line(what, "ours")


HANDLERS: dict[Any, Any] = {
    PuzzleError: _refuse,
    LimitReached: _refuse,
    HTTPException: _not_served,
    Exception: _ours,
}


# ---- running it ----


class Connection(H11Protocol):
    """uvicorn's, closed if the head of a request does not arrive in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget()

    def _watch(self) -> None:
        """Start the clock when a head is awaited, stop it when it is there."""
        if self.conn.their_state is not h11.IDLE:
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Server(uvicorn.Server):
    """uvicorn, that lets go of pages which listen for events before it waits for the others."""

    def __init__(self, studio: Studio, token: str, host: str) -> None:
        self.studio = studio
        config = uvicorn.Config(
            app(studio, token, host),
            http=Connection,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE,
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.studio.events.close()
        await super().shutdown(sockets)


def listen(host: str, port: int | None, near: int = 8642, tries: int = 20) -> socket.socket:
    """A socket to serve on: this port, or if none is given, a free one near the usual."""
    last: OSError | None = None
    for number in range(near, near + tries) if port is None else [port]:
        try:
            return _bound(host, number)
        except OSError as error:
            last = error
            if isinstance(error, socket.gaierror):
                raise PuzzleError(f"--host {host}: no such address") from None
    assert last is not None
    if port is None:
        raise PuzzleError(f"no free port from {near} to {near + tries - 1}; give one with --port")
    raise PuzzleError(
        f"port {port} on {host} is not available: {(last.strerror or str(last)).lower()};"
        " leave --port out for a free one"
    )


def _bound(host: str, port: int) -> socket.socket:
    [(family, *_, address), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else no TCP_NODELAY
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made
