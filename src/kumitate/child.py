"""Child processes: requests and answers are lines, mostly of JSON, over standard input and output.

A child runs in a session of its own (on Windows, in a process group of its own without a window),
so Ctrl-C reaches only the parent, which decides what to do.
A child imports nothing from the current folder. It ends when its standard input ends, so it never
outlives its parent.

A program that PyInstaller made has no Python to start: its children are itself, started with a word
that `be_child` recognises.
"""

import asyncio
import os
import runpy
import subprocess
import sys
import threading
import time
from _thread import interrupt_main
from typing import Any, TypeVar

import msgspec

from kumitate.decoding import from_json

GRACE = 3.0  # seconds to reach a checkpoint after being asked to stop
LONGEST_LINE = 1 << 24  # bytes
CHILD = "--child"

T = TypeVar("T")

APART: dict[str, Any]  # how a process is started that Ctrl-C is not to reach
if sys.platform == "win32":
    APART = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
else:
    APART = {"start_new_session": True}

# ---- the parent's side ----


def start(module: str, *words: str) -> subprocess.Popen[bytes]:
    """Start a module as a child, with pipes to its standard input and output."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command(module, *words), stdin=pipe, stdout=pipe, **APART)


async def start_async(module: str, *words: str) -> asyncio.subprocess.Process:
    """The same for a server, which must not block."""
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *command(module, *words),
        stdin=pipe,
        stdout=pipe,
        limit=LONGEST_LINE,
        **APART,
    )


def command(module: str, *words: str) -> list[str]:
    """The words that start a module as a child."""
    if getattr(sys, "frozen", False):
        return [sys.executable, CHILD, module, *words]
    return [sys.executable, "-P", "-m", module, *words]


# ---- the child's side ----


def be_child() -> None:
    """In a program that PyInstaller made: if it was started as a child, be that, and exit."""
    if sys.argv[1:2] == [CHILD]:
        sys.argv = sys.argv[2:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        sys.exit()


def read_request(kind: type[T]) -> T:
    """Read the request line; any input after it means stop."""
    line = b""
    while not line.endswith(b"\n"):
        some = os.read(0, 1 << 16)
        if not some:
            raise KeyboardInterrupt
        line += some
    return from_json(line, kind)


def stop_on_request() -> None:
    """From now on, any input or its end acts as Ctrl-C; GRACE seconds later the child exits."""

    def wait() -> None:
        os.read(0, 1)
        interrupt_main()
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def say(answer: Any) -> None:
    """Write an answer line; if the parent is gone, our input has ended too, and that stops us."""
    try:
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
