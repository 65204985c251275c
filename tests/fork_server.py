"""Commands in processes of their own that start fast: a server has imported everything, and forks.

A fork behaves like a new process (its own exit status, output, limits, signals) but skips the
imports. Its CPU seconds are those of the command alone; its memory includes
what the server has loaded.
"""

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

LIMITS = (60, 4_000_000_000)  # CPU seconds, and bytes of memory

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

SERVER = """
import json, os, resource, sys
import kumitate.cli
from kumitate import *
list(kumitate.cli.cli.commands.values())
answers = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if not child:
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, path in ((1, asked["stdout"]), (2, asked["stderr"])):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
        seconds, memory = asked["limits"]
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        sys.argv = ["kumitate", *asked["arguments"]]
        kumitate.cli.main()
        sys.exit(0)
    _, status, used = os.wait4(child, 0)
    unit = 1 if sys.platform == "darwin" else 1024
    seconds = used.ru_utime + used.ru_stime
    answer = [os.waitstatus_to_exitcode(status), seconds, used.ru_maxrss * unit]
    print(json.dumps(answer), file=answers, flush=True)
"""


class Run(NamedTuple):
    """What a command did."""

    status: int
    seconds: float
    memory: int
    stdout: str
    stderr: str

    @property
    def returncode(self) -> int:
        return self.status


def run_kumitate(
    folder: Path,
    *arguments: str | Path,
    environment: dict[str, str] | None = None,
    together: bool = False,
    limits: tuple[int, int] = LIMITS,
) -> Run:
    """Run a command in a folder; `together`: stderr goes where stdout does."""
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    with TemporaryDirectory() as kept:
        out, errors = (Path(kept) / name for name in ("stdout", "stderr"))
        asked = {
            "arguments": [str(argument) for argument in arguments],
            "folder": str(folder),
            "limits": limits,
            "environment": os.environ.copy() if environment is None else environment,
            "stdout": str(out),
            "stderr": str(out if together else errors),
        }
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        status, seconds, memory = json.loads(server.stdout.readline())
        said = errors.read_text("utf-8") if errors.exists() else ""
        return Run(status, seconds, memory, out.read_text("utf-8"), said)


@cache
def _server() -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=pipe, stdout=pipe, text=True, env=environment
    )
    atexit.register(server.kill)
    return server
