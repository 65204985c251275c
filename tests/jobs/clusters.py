"""Clusters of separate processes that a test can kill, and networks that it can cut."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from typing import Self

import pytest

SECONDS = 60.0  # to wait for anything, on a busy machine
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}


class Machine:
    """A scheduler and workers with one thread each; processes still alive at the end are killed."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = {**os.environ, **QUIET, **environment}
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.kill()
            process.wait()

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        with open(self.folder / "log", "ab") as log:
            process = subprocess.Popen(
                words, stdout=log, stderr=log, cwd=self.folder, env=self.environment
            )
        self.processes.append(process)
        return process

    def scheduler(self, *before: str, host: str = "127.0.0.1") -> subprocess.Popen[bytes]:
        self.file.unlink(missing_ok=True)
        words = ["--host", host, "--port", "0", "--no-dashboard", "--no-show"]
        words += ["--scheduler-file", str(self.file)]
        process = self.start(
            *before, sys.executable, "-m", "distributed.cli.dask_scheduler", *words
        )
        wait_until(lambda: self.file.exists() and self.file.read_text() != "")
        return process

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def worker(
        self, *before: str, address: str = "", python: Sequence[str] = (sys.executable,)
    ) -> subprocess.Popen[bytes]:
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "30"]
        words += ["--local-directory", str(self.folder)]
        module = ["-m", "distributed.cli.dask_worker"] if len(python) == 1 else []
        return self.start(*before, *python, *module, address or self.address, *words)


def wait_until(true: object, seconds: float = SECONDS) -> None:
    assert callable(true)
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def kill(process: subprocess.Popen[bytes]) -> None:
    os.kill(process.pid, signal.SIGKILL)


# ---- networks ----


@contextmanager
def networks(workers: int) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Command prefixes that run a command in a network namespace: for the hub, and for each worker.

    A virtual cable joins each worker with the hub, 10.77.N.2 with 10.77.N.1; there is nothing else.
    """
    if not (which("unshare") and which("nsenter") and which("ip")):
        pytest.skip("needs unshare, nsenter and ip")
    if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode:
        pytest.skip("this machine does not allow networks of one's own")
    with ExitStack() as stack:
        holders = []
        for _ in range(workers + 1):
            words = ["unshare", "--net", "sh", "-c", "echo; exec sleep 600"]
            holder = subprocess.Popen(words, stdout=subprocess.PIPE)
            stack.callback(holder.wait)
            stack.callback(holder.kill)
            assert holder.stdout
            holder.stdout.readline()
            stack.callback(holder.stdout.close)
            holders.append(holder.pid)
        hub, *rest = (["nsenter", "--net", "--target", str(pid)] for pid in holders)
        run = subprocess.check_call
        run([*hub, "ip", "link", "set", "lo", "up"])
        for number, (inside, pid) in enumerate(zip(rest, holders[1:], strict=True), 1):
            cable = ["type", "veth", "peer", "name", "cable", "netns", str(pid)]
            run([*hub, "ip", "link", "add", f"cable{number}", *cable])
            for words, name, last in ((hub, f"cable{number}", 1), (inside, "cable", 2)):
                run([*words, "ip", "address", "add", f"10.77.{number}.{last}/24", "dev", name])
                run([*words, "ip", "link", "set", name, "up"])
            run([*inside, "ip", "link", "set", "lo", "up"])
        yield hub, rest
