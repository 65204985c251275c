"""The studio without a server: its questions are asked and answered within one Python.

In the browser, Pyodide runs this in a web worker, and the folder lies in its memory; the page's
worker keeps it in the browser's storage. There are neither processes nor threads. A search works in
slices, and questions are answered between two of them. What takes processes is refused.
"""

import asyncio
import json
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.routing import Mount

from kumitate.model.errors import PuzzleError
from kumitate.studio.messages import ExportRequest, HelloData, Message, OneRequest, protocol
from kumitate.studio.serve.events import Events
from kumitate.studio.serve.exporting import Made, made_here
from kumitate.studio.serve.folder import Folder
from kumitate.studio.serve.http import Studio
from kumitate.studio.serve.one import Found
from kumitate.studio.serve.processes import OnEnd, OnLine, Working
from kumitate.studio.serve.questions import HANDLERS, Questions, not_found
from kumitate.studio.serve.worker import News, WorkerRequest, slices

Tell = Callable[[str, str], None]  # an event by its name, and its message as JSON
MISSING = "the studio in the browser cannot do this; it takes kumitate on a computer of your own"


class Answer(NamedTuple):
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes


class Alone:
    """A studio on a folder; `post` gets its events."""

    def __init__(self, root: Path, tell: Tell = lambda name, data: None) -> None:
        self.questions = Questions(
            Studio(Folder(root), _EventsHere(tell)), begin_here, make_here, find_here
        )
        routes = [*self.questions.routes(), Mount("/", not_found)]
        self._app = Starlette(routes=routes, exception_handlers=HANDLERS)
        tell("hello", json.dumps(msgspec.to_builtins(HelloData(protocol()))))

    async def ask(self, method: str, address: str, body: bytes = b"") -> Answer:
        """The answer to a request for an address, "/api/home"."""
        path, query = urlsplit(address).path, urlsplit(address).query
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"alone")],
            "server": ("alone", 80),
        }
        said: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            said.append(message)

        try:
            await self._app(scope, receive, send)
        except Exception:  # a bug of ours; it was answered, and Starlette raises it again
            traceback.print_exc()
        headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
        return Answer(said[0]["status"], headers, b"".join(part["body"] for part in said[1:]))


class _EventsHere(Events):
    """Events for the one page that there is."""

    def __init__(self, tell: Tell) -> None:
        super().__init__()
        self._tell = tell

    def post(self, name: str, message: Message) -> None:
        self._tell(name, msgspec.json.encode(message).decode())


class _Here:
    """A search on the only thread."""

    def __init__(
        self, words: Sequence[str], asked: WorkerRequest | None, on_line: OnLine, on_end: OnEnd
    ) -> None:
        self.stopping = False
        self._end = asyncio.ensure_future(self._work(words, asked, on_line, on_end))

    async def _work(
        self, words: Sequence[str], asked: WorkerRequest | None, on_line: OnLine, on_end: OnEnd
    ) -> None:
        def say(news: News) -> None:
            on_line(msgspec.json.encode(news))

        code = 0
        try:
            await asyncio.sleep(0)
            for _ in slices(words, asked, say, lambda: self.stopping):
                await asyncio.sleep(0)
        except PuzzleError as error:
            code = 2
            say(News(error=str(error)))
        except ModuleNotFoundError:
            code = 2
            say(News(error=MISSING))
        except MemoryError:
            code = 2
            say(News(error="memory ran out; everything found so far is kept; you can resume"))
        except BaseException:
            code = 1
            raise
        finally:
            await on_end(code)

    async def stop(self, kill: bool = False) -> None:
        self.stopping = True
        await asyncio.shield(self._end)


async def begin_here(
    module: str,
    words: Sequence[str],
    request: msgspec.Struct | None,
    on_line: OnLine,
    on_end: OnEnd,
) -> Working:
    """Work without a process, if that can be."""
    if module != "worker":
        raise PuzzleError(MISSING)
    assert request is None or isinstance(request, WorkerRequest)
    return _Here(words, request, on_line, on_end)


async def make_here(request: ExportRequest, run: Path | None, folder: Path, preview: bool) -> Made:
    """Make an export without a process, if what it needs is there."""
    try:
        return made_here(request, run, folder, preview)
    except ModuleNotFoundError:
        raise PuzzleError(MISSING) from None


async def find_here(request: OneRequest) -> Found:
    """Refused: the engines of `first` take threads."""
    raise PuzzleError(MISSING)
