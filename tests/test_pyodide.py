"""kumitate in Pyodide, run by node: the whole core and its errors, on one thread."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PYODIDE = ROOT / "build" / "pyodide" / "node_modules" / "pyodide"
WHEELS = [
    *ROOT.glob("dist/kumitate-*-pyemscripten_*.whl"),
    *ROOT.glob("build/pyodide/msgspec-*.whl"),
]

pytestmark = pytest.mark.skipif(
    len(WHEELS) < 2 or not PYODIDE.exists() or not shutil.which("node"),
    reason="there is no wheel for Pyodide (make pyodide)",
)

PROGRAM = """
import json
import kumitate
from kumitate import PuzzleError, library

def refused(act):
    try:
        act()
    except PuzzleError as error:
        return str(error)

soma, = library["soma"].problems
burr = next(kumitate.solve(library["evolved-box"].problems[0], disassemble=True))
turning = next(kumitate.solve(library["turning-cube"].problems[0], disassemble=True, turns=0))
print(json.dumps({
    "soma": len(list(kumitate.assemble(soma))),
    "6x10": kumitate.count(library["pentominoes/6x10"].problems[0]).assemblies,
    "levels": str(burr.levels),
    "turns": str(turning.levels),
    "threads": refused(lambda: list(kumitate.assemble(soma, threads=2))),
}))
"""


def test_it_finds_what_it_finds_here() -> None:
    import kumitate
    from kumitate import library

    words = ["node", str(ROOT / "tests" / "pyodide.mjs"), str(PYODIDE), *map(str, WHEELS)]
    done = subprocess.run(words, input=PROGRAM, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["soma"] == 240
    assert found["6x10"] == 2339
    [turning] = library["turning-cube"].problems
    here = next(kumitate.solve(turning, disassemble=True, turns=0))
    assert found["turns"] == str(here.levels)
    assert found["levels"] == "32.5.6.5.3"
    assert found["threads"] == "threads: 2; there can be 1 to 1"
