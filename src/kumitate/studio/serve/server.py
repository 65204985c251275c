"""The studio's server: it serves the page and answers its requests (questions.py).

The server holds no puzzle. The page has it and sends it with each request, so a restarted server
continues where the last one stopped.
"""

import asyncio
import socket
import sys
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from kumitate.model.errors import PuzzleError
from kumitate.studio.serve import puzzles
from kumitate.studio.serve.guard import Guard
from kumitate.studio.serve.http import Studio
from kumitate.studio.serve.questions import HANDLERS, Questions, not_found

STATIC = Path(__file__).parents[1] / "static"
FOR_EVER = "public, max-age=31536000, immutable"
THREADS = 40  # that answer requests
HEAD_SECONDS = 10  # for a request's line and headers
GRACE = 3  # seconds to finish responses when the server ends

NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>kumitate studio</title>
<h1>The studio's page was not built</h1>
<p>The server is running, but this kumitate was installed without the page. Reinstall it with
<code>pip install --force-reinstall kumitate</code>, or, in the project's folder, build the page:
<code>npm --prefix web install &amp;&amp; npm --prefix web run build</code></p></html>
"""


def app(studio: Studio, token: str, host: str = "127.0.0.1", static: Path = STATIC) -> Starlette:
    """The whole studio, for requests to this host that have the token."""

    questions = Questions(studio)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        threading.Thread(target=puzzles.warm, daemon=True).start()
        try:
            yield
        finally:
            await questions.close()

    async def events(request: Request) -> Response:
        return StreamingResponse(studio.events.stream(), media_type="text/event-stream")

    async def page(request: Request) -> Response:
        index = static / "index.html"
        if not index.is_file():
            return HTMLResponse(NOT_BUILT, 503)
        return FileResponse(index)

    routes: list[BaseRoute] = [Route("/", page), Route("/api/events", events)]
    routes += questions.routes()
    routes.append(Mount("/api", not_found))  # never look for a file there
    if static.is_dir():
        routes.append(Mount("/", _Files(directory=static)))
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token, host=host)],
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )


class _Files(StaticFiles):
    """The built page; files with a hash in their names never change."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        hashed = path.replace("\\", "/").startswith("assets/")
        response.headers["cache-control"] = FOR_EVER if hashed else "no-cache"
        return response


# ---- running it ----


class Connection(H11Protocol):
    """uvicorn's connection, closed if the head of a request does not arrive in time."""

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
        """Start the timer while a request's head is awaited; stop it when the head has arrived."""
        if self.conn.their_state is not h11.IDLE:
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Server(uvicorn.Server):
    """uvicorn's server, which on shutdown first closes the event streams of pages."""

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
    """A socket to serve on: at this port or, by default, at a free one near the usual port."""
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
        " omit --port to use a free one"
    )


# Take only a port that nobody listens on. On Windows, the option of other systems takes any.
if sys.platform == "win32":
    _ALONE = socket.SO_EXCLUSIVEADDRUSE
else:
    _ALONE = socket.SO_REUSEADDR


def _bound(host: str, port: int) -> socket.socket:
    [(family, *_, address), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else no TCP_NODELAY
    try:
        made.setsockopt(socket.SOL_SOCKET, _ALONE, 1)
        made.bind(address)
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made
