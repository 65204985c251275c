"""Events: what happens on the server, told to every page that listens.

A stream of server-sent events for each page (https://html.spec.whatwg.org/#server-sent-events). Any
thread may post; pages that are slow lose the oldest events first, so an event must tell how things
are, not what changed. A comment now and then keeps the line open and finds out who has left.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

import msgspec

from kumitate.studio.messages import Message

HEARTBEAT = 15.0  # seconds
MOST_WAITING = 1000  # events of one page


class _Listener:
    """A page's events that were not sent yet."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.waiting: deque[bytes] = deque(maxlen=MOST_WAITING)
        self.news = asyncio.Event()

    def tell(self, event: bytes | None) -> None:
        if event is not None:
            self.waiting.append(event)
        self.news.set()


class Events:
    """Where events are posted, and streams of them begin."""

    def __init__(self) -> None:
        self._listeners: set[_Listener] = set()
        self._closed = False

    def post(self, name: str, message: Message) -> None:
        """Tell every page; may be called from any thread."""
        self._tell(f"event: {name}\ndata: ".encode() + msgspec.json.encode(message) + b"\n\n")

    def close(self) -> None:
        """End all streams: the server is about to stop."""
        self._closed = True
        self._tell(None)

    def _tell(self, event: bytes | None) -> None:
        for listener in tuple(self._listeners):
            try:
                listener.loop.call_soon_threadsafe(listener.tell, event)
            except RuntimeError:  # its loop has ended
                self._listeners.discard(listener)

    async def stream(self) -> AsyncIterator[bytes]:
        """Whatever is posted from now on."""
        listener = _Listener()
        self._listeners.add(listener)
        try:
            yield b": from now on\n\n"
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
