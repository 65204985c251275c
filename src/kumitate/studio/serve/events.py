"""Events: what happens on the server, sent to every open page.

Each page has a stream of server-sent events (https://html.spec.whatwg.org/#server-sent-events). Any
thread may post. A slow page loses its oldest events, so an event must describe a state, not a
change. A stream begins with the version of the messages; a comment now and then keeps the
connection open and detects closed ones.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

import msgspec

from kumitate.studio.messages import HelloData, Message, protocol

HEARTBEAT = 15.0  # seconds
MOST_WAITING = 1000  # unsent events of one page


class _Listener:
    """The unsent events of a page."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.waiting: deque[bytes] = deque(maxlen=MOST_WAITING)
        self.news = asyncio.Event()

    def add(self, event: bytes | None) -> None:
        if event is not None:
            self.waiting.append(event)
        self.news.set()


class Events:
    """Posts events to the streams of all pages."""

    def __init__(self) -> None:
        self._listeners: set[_Listener] = set()
        self._closed = False

    def post(self, name: str, message: Message) -> None:
        """Send an event to every page; may be called from any thread."""
        self._send(_event(name, message))

    def close(self) -> None:
        """End all streams: the server is about to stop."""
        self._closed = True
        self._send(None)

    def _send(self, event: bytes | None) -> None:
        for listener in tuple(self._listeners):
            try:
                listener.loop.call_soon_threadsafe(listener.add, event)
            except RuntimeError:  # its loop has ended
                self._listeners.discard(listener)

    async def stream(self) -> AsyncIterator[bytes]:
        """The stream of events posted from now on."""
        listener = _Listener()
        self._listeners.add(listener)
        try:
            yield _event("hello", HelloData(protocol()))
            while not self._closed:
                try:
                    await asyncio.wait_for(listener.news.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b": still here\n\n"
                listener.news.clear()
                while listener.waiting:
                    yield listener.waiting.popleft()
        finally:
            self._listeners.discard(listener)


def _event(name: str, message: Message) -> bytes:
    return f"event: {name}\ndata: ".encode() + msgspec.json.encode(message) + b"\n\n"
