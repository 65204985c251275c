"""Worker processes of the studio: each works on a file, and reports its progress line by line.

A worker takes a request on its first line of input, and ends at a checkpoint when its input ends.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import msgspec

from kumitate import child
from kumitate.model.errors import PuzzleError

ANSWERERS = 2  # of a kind at the same time
PATIENCE = 0.2  # seconds until we ask again whether somebody still waits
STOP_SECONDS = 2.0  # for a worker to reach a checkpoint before it is killed

T = TypeVar("T")
OnLine = Callable[[bytes], None]
OnEnd = Callable[[int], Awaitable[None]]


class Working(Protocol):
    """What works on a file: a process, or in the browser the page's own worker."""

    stopping: bool

    async def stop(self, kill: bool = False) -> None:
        """Ask it to stop at a checkpoint, and wait until it has."""


# What starts a worker: the name of its module, its words, its request, what hears its lines, and
# what is called with its exit status.
Start = Callable[[str, Sequence[str], msgspec.Struct | None, OnLine, OnEnd], Awaitable[Working]]


class Worker:
    """A process that works; `on_line` gets every line it says, `on_end` its exit status."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        request: msgspec.Struct | None,
        on_line: OnLine,
        on_end: OnEnd,
    ) -> None:
        self.stopping = False
        self._process = process
        self._end = asyncio.create_task(self._follow(request, on_line, on_end))

    @property
    def pid(self) -> int:
        return self._process.pid

    async def _follow(self, request: msgspec.Struct | None, on_line: OnLine, on_end: OnEnd) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if request is not None:
            with suppress(ConnectionError):
                self._process.stdin.write(msgspec.json.encode(request) + b"\n")
                await self._process.stdin.drain()
        async for line in self._process.stdout:
            on_line(line)
        await on_end(await self._process.wait())

    async def stop(self, kill: bool = False) -> None:
        """Ask it to stop at a checkpoint; kill it if it does not soon."""
        assert self._process.stdin is not None
        self.stopping = True
        if not kill:
            self._process.stdin.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._end), STOP_SECONDS)
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._end


@dataclass
class Work(Generic[T]):
    """What a worker does for the page: its process, and its latest report."""

    data: T
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    awaited: bool = True  # the request that started it is still waiting
    error: str = ""
    process: Working = field(init=False)


class Answerers:
    """Processes that answer one request each, with one line; a few at the same time."""

    def __init__(self, module: str, seconds: float, late: str) -> None:
        self._module = module
        self._seconds = seconds
        self._late = late  # what to say after so many seconds
        self._turns = asyncio.Semaphore(ANSWERERS)
        self.processes: set[asyncio.subprocess.Process] = set()

    async def ask(self, request: msgspec.Struct, *words: str) -> bytes:
        """The line that a process answers; empty if it was stopped."""
        async with self._turns:
            process = await child.start_async(f"{__package__}.{self._module}", *words)
            assert process.stdin is not None
            assert process.stdout is not None
            self.processes.add(process)
            try:
                async with asyncio.timeout(self._seconds):
                    process.stdin.write(msgspec.json.encode(request) + b"\n")
                    with suppress(ConnectionError):
                        await process.stdin.drain()
                    return await process.stdout.readline()
            except TimeoutError:
                raise PuzzleError(self._late) from None
            finally:
                await _end(process)
                self.processes.discard(process)

    async def close(self) -> None:
        """Stop all of them."""
        await asyncio.gather(*map(_end, self.processes))


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def while_wanted(work: Awaitable[T], left: Callable[[], Awaitable[bool]]) -> T | None:
    """The result of some work; it is given up as soon as nobody waits for it."""
    working = asyncio.ensure_future(work)
    while not (await asyncio.wait([working], timeout=PATIENCE))[0]:
        if await left():
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working
            return None
    return working.result()


async def start_worker(
    module: str,
    words: Sequence[str],
    request: msgspec.Struct | None,
    on_line: OnLine,
    on_end: OnEnd,
) -> Worker:
    """Start a module of this package as a worker."""
    process = await child.start_async(f"{__package__}.{module}", *words)
    return Worker(process, request, on_line, on_end)


def failure_of(code: int, stopping: bool) -> str:
    """Why a worker ended that nobody told to; "" if it did what it was for.

    >>> failure_of(0, False), failure_of(-9, True)
    ('', '')
    >>> failure_of(1, False).partition(";")[0]
    'the search ended unexpectedly (status 1)'
    """
    if code in (0, 130) or stopping:
        return ""
    cause = f"signal {-code}" if code < 0 else f"status {code}"
    cause += "; perhaps memory ran out" if code == -9 else ""
    return (
        f"the search ended unexpectedly ({cause});"
        " everything up to the last checkpoint is kept; you can resume"
    )
