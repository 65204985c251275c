"""A real studio on a loopback port, in a thread, and a plain HTTP client for it."""

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import msgspec

from kumitate.studio.messages import Message
from kumitate.studio.serve.folder import Folder
from kumitate.studio.serve.http import Studio
from kumitate.studio.serve.server import Server, listen

TOKEN = "let-me-in"
Told = TypeVar("Told", bound=Message)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def told(self, kind: type[Told]) -> Told:
        assert self.status == 200, self.body
        return msgspec.json.decode(self.body, type=kind)

    @property
    def error(self) -> dict[str, str]:
        """The message and reason of an error."""
        assert self.status >= 400
        found: dict[str, str] = msgspec.json.decode(self.body)
        return found


@dataclass(frozen=True)
class Bench:
    """A running studio, with the folder that it serves."""

    folder: Path
    port: int
    studio: Studio
    server: Server
    token: str

    @property
    def key(self) -> dict[str, str]:
        """The header with the token."""
        return {"authorization": f"Bearer {self.token}"}

    def ask(
        self,
        method: str,
        path: str,
        body: Message | bytes | None = None,
        headers: dict[str, str] | None = None,
        key: bool = True,
    ) -> Answer:
        connection = self.connection()
        sent = self.key if key else {}
        data = msgspec.json.encode(body) if isinstance(body, msgspec.Struct) else body
        try:
            connection.request(method, path, data, {**sent, **(headers or {})})
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str, **query: str) -> Answer:
        return self.ask(
            "GET", f"/api/{path}?" + "&".join(f"{k}={quote(v)}" for k, v in query.items())
        )

    def post(self, path: str, message: Message | bytes) -> Answer:
        return self.ask("POST", f"/api/{path}", message)

    def connection(self, timeout: float = 30) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)


@contextmanager
def running(folder: Path, port: int = 0, token: str = TOKEN) -> Iterator[Bench]:
    """A studio that serves a folder."""
    studio = Studio(Folder(folder))
    bound = listen("127.0.0.1", port)
    server = Server(studio, token, "127.0.0.1")
    thread = threading.Thread(target=server.run, args=([bound],))
    thread.start()
    try:
        until = time.monotonic() + 30
        while not server.started and time.monotonic() < until:
            time.sleep(0.005)
        assert server.started
        yield Bench(folder, bound.getsockname()[1], studio, server, token)
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()
