"""Ctrl-C ends a command whenever it comes: while it starts, between problems, or where Python
drops it."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from tests.children import MAIN, PATIENCE, interrupted

from kumitate import CUBES, Piece, Problem, Puzzle, Shape, library, save

DROPPED = """
import gc, signal
from kumitate.cli import main

def press(*_):  # whatever a callback of the garbage collector raises, Python drops
    gc.callbacks.remove(press)
    signal.raise_signal(signal.SIGINT)

def collect(*_):
    gc.callbacks.append(press)
    gc.collect()

signal.signal(signal.SIGPROF, collect)
signal.setitimer(signal.ITIMER_PROF, 0.8)  # of CPU seconds
main()
"""

WHILE_PRINTING = """
import signal, sys
from kumitate.cli import main

class Pressing:
    def __init__(self, out):
        self.out = out
    def write(self, text):
        if "nodes" in text:
            signal.raise_signal(signal.SIGINT)
        return self.out.write(text)
    def __getattr__(self, name):
        return getattr(self.out, name)

sys.stdout = Pressing(sys.stdout)
main()
"""


def run(code: str, *words: str) -> tuple[int, str, str]:
    child = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=PATIENCE
    )
    return child.returncode, child.stdout, child.stderr


@pytest.mark.parametrize("during", ["click", "msgspec"])
@pytest.mark.parametrize("way", ["script", "module"])
def test_while_the_program_starts_it_is_silent(way: str, during: str, tmp_path: Path) -> None:
    """Importing this module presses Ctrl-C: the command line needs click, and a command msgspec."""
    (tmp_path / f"{during}.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    script = tmp_path / "kumitate"
    script.write_text("from kumitate.cli import main\nmain()\n")
    words = [str(script)] if way == "script" else ["-m", "kumitate"]
    done = subprocess.run(
        [sys.executable, *words, "count", "soma"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


def test_importing_kumitate_leaves_ctrl_c_as_it_is() -> None:
    code = "import signal, kumitate; print(signal.getsignal(signal.SIGINT).__name__)"
    assert run(code, "-m", "kumitate") == (0, "default_int_handler\n", "")


def box(a: int, b: int, c: int, name: str) -> Shape:
    return Shape(CUBES, set(product(range(a), range(b), range(c), [0])), name=name)


def test_what_python_drops_comes_again(tmp_path: Path) -> None:
    """Eight cubes are the most, but by volume there is room for fifteen: nothing else ends it."""
    cube, goal = box(2, 2, 2, name="cube"), box(5, 5, 5, name="goal")
    problem = Problem(goal, [Piece(cube, 0, 15)])
    file = tmp_path / "cubes.kumitate.json"
    save(Puzzle(CUBES, [cube, goal], [problem]), file)
    status, out, errors = run(DROPPED, "pack", str(file), "--seconds", "60")
    assert (status, errors) == (130, "")
    assert "8 pieces placed, and no more than 15 fit" in out


def test_between_two_problems_it_is_not_lost() -> None:
    status, out, _ = run(WHILE_PRINTING, "solve", "pentominoes", "--limit", "1")
    assert status == 130
    assert out.count("nodes") == 1


def test_what_was_found_before_is_still_printed(tmp_path: Path) -> None:
    [easy] = library["soma"].problems
    wye = Shape.from_text(CUBES, "####/.#..", name="Y")
    hard = Problem(box(10, 10, 8, name="box"), [Piece(wye, 1), Piece(wye, 159)])
    shapes = [*library["soma"].shapes, wye, hard.goal]
    save(Puzzle(CUBES, shapes, [easy, hard]), tmp_path / "two.kumitate.json")
    words = [*MAIN, "first", "two.kumitate.json", "--engine", "cover", "--json"]
    status, out, _, _ = interrupted(words, 1, tmp_path)
    assert status == 130
    first, second = json.loads(out)["problems"]
    assert len(first["found"]) == 1
    assert (second["found"], second["interrupted"]) == ([], True)
