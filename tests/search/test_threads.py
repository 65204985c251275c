"""What goes wrong on a thread of the core is the caller's exception, never the end of Python."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kumitate import PuzzleError, assemble, count, library
from kumitate.search.assemble import Question
from kumitate.search.threads import start_all

COMMAND = "from kumitate.cli import main; main()"
LITTLE = 1_500_000 * 1024  # bytes of address space: too few for the stacks of 256 threads


def limited(*command: str, room: int = LITTLE) -> subprocess.CompletedProcess[str]:
    """A command with that much address space."""
    script = f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({room}, {room}))
os.execv(sys.argv[1], sys.argv[1:])
"""
    return subprocess.run(
        [sys.executable, "-c", script, sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("more", [[], ["--output", "RUN"], ["--disassemble"]])
def test_threads_that_cannot_be_started_are_one_line(more: list[str], tmp_path: Path) -> None:
    where = [str(tmp_path / "soma.kumitate") if word == "RUN" else word for word in more]
    done = limited("-c", COMMAND, "solve", "soma", "--threads", "256", *where)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("kumitate: only ")
    assert " of 256 threads could be started (" in line
    assert line.endswith("; use fewer threads")


def test_a_thread_that_runs_out_of_memory_raises_in_the_caller() -> None:
    """The lists of this search take some 250 MB, of which there are 60."""
    script = """
import resource
from kumitate import CUBES, Piece, Problem, Shape, assemble

goal = Shape(CUBES, {(x, y, z, 0) for x in range(8) for y in range(8) for z in range(8)})
tetracubes = ["##\\n#.\\n#.", "##.\\n.##", "###\\n.#.", "##  #.\\n..  #."]
shapes = [Shape.from_text(CUBES, drawing) for drawing in tetracubes]
found = assemble(Problem(goal, [Piece(shape, 32) for shape in shapes]), threads=THREADS)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (60 << 20), used + (60 << 20)))
try:
    next(found)
except MemoryError:
    print("MemoryError")
"""
    for threads in (1, 2):
        done = subprocess.run(
            [sys.executable, "-c", script.replace("THREADS", str(threads))],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert (done.returncode, done.stdout) == (0, "MemoryError\n"), done.stderr


@pytest.mark.parametrize("threads", [0, 257, 2**32 - 1])
def test_the_core_itself_bounds_the_threads(threads: int) -> None:
    question = Question(library["soma"].problems[0], False)
    question.prepare(False, False)
    with pytest.raises(PuzzleError, match=f"threads: {threads}; there can be 1 to 256"):
        question.core.run(threads, True, True)


def test_python_threads_that_cannot_be_started_are_counted() -> None:
    class Refused(threading.Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    with pytest.raises(PuzzleError, match=r"only 1 of 3 threads could be started .*; use fewer"):
        start_all([threading.Thread(), Refused(), Refused()])


@pytest.mark.parametrize("threads", [1, 4])
def test_a_fork_cannot_go_on_with_a_search_of_its_parent(threads: int) -> None:
    found = assemble(library["bedlam"].problems[0], threads=threads)
    next(found)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            for _ in found:
                pass
        except RuntimeError as error:
            said = str(error)
        del found  # neither does it hang when the search is thrown away
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    end = time.monotonic() + 30
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.02)
    assert b"begin another search" in os.read(reading, 1000)
    os.close(reading)
    next(found)  # the parent's goes on


def test_a_fork_that_has_a_search_of_its_parent_can_end_and_search() -> None:
    found = assemble(library["bedlam"].problems[0], threads=2)
    next(found)
    child = os.fork()
    if child == 0:
        os._exit(0 if count(library["soma"].problems[0], threads=2).assemblies == 240 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert next(found)
