"""Child processes of tests: interrupted by their own clock, and never left behind.

How long a child has worked, and how long it takes to stop, is counted in the CPU seconds that it
uses itself, so that a busy machine changes nothing.
"""

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]

MAIN = [sys.executable, "-c", "from kumitate.cli import main; main()"]
PATIENCE = 120.0  # seconds by the clock on the wall, on the busiest of machines


def interrupted(
    words: list[str], after: float, folder: Path | None = None
) -> tuple[int, str, str, float]:
    """Start a child and press Ctrl-C after so many CPU seconds, its own children's included.

    Gives its exit status, what it printed on stdout and stderr, and the CPU seconds that it still
    used after Ctrl-C.
    """
    before = _reaped()
    process = subprocess.Popen(
        words,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        used, deadline = 0.0, time.monotonic() + PATIENCE
        while used < after:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, f"no {after} CPU seconds in {PATIENCE} s"
            time.sleep(0.01)
            used = _used(psutil.Process(process.pid))
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=PATIENCE)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return process.returncode, out, errors, _reaped() - before - used


def least_cpu(code: str, *words: str) -> float:
    """The CPU seconds that a new process takes for some Python; the best of three.

    The first may have to compile modules, which are kept for the others.
    """
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(3):
        before = _reaped()
        call = [sys.executable, "-c", code, *words]
        subprocess.run(call, env=kept, capture_output=True, check=True)
        times.append(_reaped() - before)
    return min(times)


def _used(process: psutil.Process) -> float:
    """The CPU seconds of a process and its children, those that have ended among them."""
    total = 0.0
    for each in [process, *process.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            times = each.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def _reaped() -> float:
    """The CPU seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
