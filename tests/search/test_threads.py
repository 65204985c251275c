"""What goes wrong on a thread of the core is the caller's exception, never the end of Python."""

import os
import signal
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Iterable
from pathlib import Path

import pytest

from kumitate import CUBES, Piece, Problem, PuzzleError, Shape, _core, assemble, count, library
from kumitate.search.assemble import PreparedProblem
from kumitate.search.one.divide import divided
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
    prepared = PreparedProblem(library["soma"].problems[0])
    prepared.prepare()
    with pytest.raises(PuzzleError, match=f"threads: {threads}; there can be 1 to 256"):
        prepared.core.run(threads, True, True)


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


def test_an_engine_that_is_still_busy_when_python_ends_is_no_leak() -> None:
    """It builds a graph of millions of collisions, which nothing can stop."""
    script = """
from kumitate import CUBES, Piece, Problem, Shape, first

goal = Shape.from_text(CUBES, "\\n".join(["#" * 120] * 120))
bar = Shape.from_text(CUBES, "#" * 12)
print(first(Problem(goal, [Piece(bar, 1200)]), engine="local", seconds=0.05).assembly)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "None\n", "")


def test_a_thread_that_leaves_the_core_while_python_ends_aborts_nothing() -> None:
    """Python ends slowly here: the search returns while a last object takes its time to go."""
    script = """
import sys, threading, time
from kumitate import _core, library
from kumitate.search.assemble import PreparedProblem

prepared = PreparedProblem(library["bedlam"].problems[0])
prepared.prepare()
search = prepared.core.restart_search(0, 1)
_core.expect_leaks()

class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(0.2)

def work():
    while True:
        search.run(20)

sys.slow = Slow()
threading.Thread(target=work, daemon=True).start()
time.sleep(0.05)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_dividing_stops_at_the_first_cut_when_it_is_over() -> None:
    goal = Shape.from_text(CUBES, "\n".join(["#" * 20] * 20))
    asked: list[bool] = []

    def over() -> bool:
        asked.append(True)
        return True

    assert divided(Problem(goal, [Piece(Shape.from_text(CUBES, "#"), 400)]), 0, over) is None
    assert len(asked) == 1


def test_the_callbacks_of_a_disassembly_may_raise_while_threads_work() -> None:
    """A closed tray of 5 x 6 cells and 29 blocks: more states than anyone waits for."""
    core = _core.Disassembler(1, 1, _numbers(_STEPS), _numbers(_SWEPT), _numbers(_TURN))
    tray = [
        (x, y, z, 0)
        for x in range(-1, 6)
        for y in range(-1, 7)
        for z in (-1, 0, 1)
        if z or not (0 <= x < 5 and 0 <= y < 6)
    ]
    blocks = [(x, y, 0, 0) for x in range(5) for y in range(6)][:29]
    core.add_piece(_numbers(tray), 1, [])
    for block in blocks:
        core.add_piece(_numbers([block]), 1, [])
    rows = _numbers([(piece, 0, 0, 0, 0) for piece in range(30)])

    def enough(states: int) -> None:
        raise InterruptedError(f"{states} are enough")

    for _ in range(2):
        with pytest.raises(InterruptedError, match="are enough"):
            core.take_apart(rows, 10**9, 10**6, 3, None, enough)
    ending, _, states, _, _ = core.take_apart(rows, 3000, 10**6, 3)
    assert ending == "limit"
    assert states > 3000


_STEPS = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
_SWEPT = [(2, 0, 0, 0, 0, *step, 0) for step in _STEPS]
_TURN = [(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0)]


def _numbers(rows: Iterable[tuple[int, ...]]) -> "array[int]":
    return array("i", (number for row in rows for number in row))


def test_numbers_that_cannot_be_meant_are_refused_by_the_core() -> None:
    core = _core.Disassembler(1, 1, _numbers(_STEPS), _numbers(_SWEPT), _numbers(_TURN))
    with pytest.raises(ValueError, match="a tile that the grid does not have"):
        core.add_piece(_numbers([(0, 0, 0, 1)]), 1, [])
    core.add_piece(_numbers([(0, 0, 0, 0), (10**6, 10**6, 10**6, 0)]), 1, [])
    core.add_piece(_numbers([(1, 0, 0, 0)]), 1, [])
    rows = _numbers([(0, 0, 0, 0, 0), (1, 0, 0, 0, 0)])
    for _ in range(2):  # the second time used to crash
        assert core.take_apart(rows, 100, 100, 1)[0] == "vast"
    with pytest.raises(ValueError, match="two pieces of the assembly or more"):
        core.survey(rows, [0, 2], [(0, 0, 0), (0, 0, 0)])
    for tiles, parts, swept in (
        (0, 1, _SWEPT),
        (1, 0, _SWEPT),
        (1, -1, _SWEPT),
        (1, 1, [(-(2**30), 0, 0, 0, 0)]),
    ):
        with pytest.raises(ValueError, match=r"tile|cells"):
            _core.Disassembler(tiles, parts, _numbers(_STEPS), _numbers(swept), _numbers(_TURN))


def test_instruction_sets_that_there_are_not_are_refused() -> None:
    best = _core.instruction_set()
    assert _core.instruction_sets()[0] == best
    assert _core.instruction_sets()[-1] == "plain"
    for name in ("v5", "", "V3"):
        with pytest.raises(PuzzleError, match=f"instruction set {name} is unknown; there are"):
            _core.use_instruction_set(name)
    assert _core.instruction_set() == best


def test_instruction_sets_are_those_of_the_processor() -> None:
    """As Linux reports its features; the wide registers are listed only if Linux saves them."""
    file = Path("/proc/cpuinfo")
    told = file.read_text("utf-8").splitlines() if file.exists() else []
    features = next((line for line in told if line.startswith("flags")), None)
    if features is None:
        pytest.skip("no flags of x86 in /proc/cpuinfo")
    there = set(features.split())
    v3 = there >= {"avx2", "bmi1", "bmi2", "fma", "f16c", "abm", "movbe", "lahf_lm", "popcnt"}
    v4 = v3 and there >= {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
    assert _core.instruction_sets() == ["v4"] * v4 + ["v3"] * v3 + ["plain"]


def test_a_modulus_that_there_is_not_is_refused() -> None:
    prepared = PreparedProblem(library["soma"].problems[0])
    with pytest.raises(PuzzleError, match="modulus 6; there are 2, 3, 4, 5, 7, 8 and 9"):
        prepared.core.weights(6)
