"""A program that uses a part of kumitate imports that part only: starting is fast."""

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.children import least_cpu

import kumitate
from kumitate import search
from kumitate.grids import GRIDS

MODULES = "import atexit, sys; atexit.register(lambda: print(*sys.modules))"
COMMAND = "from kumitate.cli import main; main()"
LIBRARIES = "import click, dataclasses, json, msgspec"


def loaded(code: str, *words: str | Path) -> set[str]:
    """The modules that a new process has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", f"{MODULES}; {code}", *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_importing_kumitate_imports_almost_nothing() -> None:
    found = loaded("import kumitate")
    assert {name for name in found if name.startswith("kumitate.")} == {
        *("kumitate.startup", "kumitate.library"),
        *("kumitate.model", "kumitate.model.errors", "kumitate.model.numbers"),
    }
    assert not found & {"dataclasses", "inspect", "json", "pathlib", "tomllib"}


@pytest.mark.parametrize("words", [["count", "soma"], ["solve", "six-piece-burr", "--disassemble"]])
def test_a_command_imports_only_what_it_needs(words: list[str]) -> None:
    found = loaded(COMMAND, *words)
    assert not found & {
        *("numpy", "rich", "sqlite3", "subprocess", "tempfile", "xml", "shutil", "gzip", "random"),
        *("fractions", "hashlib", "tomllib", "difflib", "concurrent"),
        *("kumitate.store", "kumitate.jobs", "kumitate.output", "kumitate.studio"),
        *("kumitate.files.burrtools", "kumitate.files.puzzlecad", "kumitate.search.check"),
        *("kumitate.cli.export", "kumitate.cli.runs"),
    }


BLOCKED = 'import sys; sys.modules |= dict.fromkeys(("numpy", "PIL", "manifold3d", "resvg_py"))'


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["count", "soma"], "240 assemblies"),
        (["solve", "rhombic-four", "--disassemble"], "1 comes apart (level 1)"),
        (["solve", "turning-cube", "--disassemble", "--turns"], "1 comes apart (level 9R2)"),
        (["solve", "soma", "-o", "soma.kumitate"], "240 in soma.kumitate"),
        (["first", "y25"], "found"),
        (["check", "soma"], "faults: 0"),
        (["show", "soma"], "27 cells"),
        (["convert", "soma", "-o", "soma.xmpuzzle"], "soma.xmpuzzle"),
    ],
)
def test_solving_needs_no_library_for_pictures_and_solids(
    words: list[str], shown: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{BLOCKED}; {COMMAND}", *words],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout + done.stderr


def test_a_library_that_is_missing_is_named(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{BLOCKED}; {COMMAND}", "export", "soma", "-o", "soma.png"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    missing = "kumitate: this needs resvg-py, which is not installed: pip install resvg-py\n"
    assert done.stderr == missing


def test_reading_a_file_does_not_import_what_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "soma.xmpuzzle"
    kumitate.write(kumitate.Document(kumitate.library["soma"]), path)
    found = loaded("import kumitate; kumitate.count(kumitate.load(sys.argv[1]).problems[0])", path)
    assert "kumitate.files.burrtools.reader" in found
    assert not found & {"kumitate.files.burrtools.writer", "encodings.cp1252"}


@pytest.mark.parametrize(
    ("code", "words", "most", "bare"),
    [
        ("import kumitate", [], 4, "pass"),
        (COMMAND, ["count", "soma"], 2.5, LIBRARIES),
        (COMMAND, ["--help"], 4, LIBRARIES),
    ],
)
def test_starting_takes_little_more_than_what_is_below(
    code: str, words: list[str], most: float, bare: str
) -> None:
    """In CPU seconds; when this was written, some 2, 1.7 and 1.7 times as many."""
    assert least_cpu(code, *words) < most * least_cpu(bare)


DISASSEMBLIES = """
import sys, time
from kumitate import Assembly, Piece, Placement, Problem, Shape, disassemble
from kumitate.grids import GRIDS

grid = GRIDS[sys.argv[1]]
near, far = Shape(grid, {(0, 0, 0, 0)}), Shape(grid, {(9, 0, 0, 0)})
problem = Problem(near | far, [Piece(near), Piece(far)])
assembly = Assembly(problem, [Placement(0, 0, (0, 0, 0)), Placement(1, 0, (0, 0, 0))])
times = [time.process_time()]
for more in (1, 300):
    for _ in range(more):
        disassemble(assembly)
    times.append(time.process_time())
print(times[1] - times[0] < times[2] - times[1])
"""


@pytest.mark.parametrize("grid", GRIDS)
def test_the_first_disassembly_is_fast(grid: str) -> None:
    """It takes less CPU than 300 later ones: what it builds of a grid takes no longer than that."""
    done = subprocess.run(
        [sys.executable, "-c", DISASSEMBLIES, grid], capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.parametrize("package", [kumitate, search])
def test_type_checkers_see_the_names_that_are_imported_late(package: ModuleType) -> None:
    assert package.__file__
    module = ast.parse(Path(package.__file__).read_text("utf-8"))
    seen = {
        (alias.name, node.module)
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    assert {name for name, _ in seen} == set(package.__all__)
    for name, home in seen:
        assert getattr(package, name) is getattr(sys.modules[home or ""], name)


def test_every_name_is_listed_before_it_is_used() -> None:
    code = "import kumitate; print(*dir(kumitate)); from kumitate import *; solve; library; CUBES"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    shown = set(done.stdout.split())
    assert {*ast.literal_eval(str(vars(kumitate)["__all__"])), "grids", "__version__"} <= shown


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'kumitate' has no attribute 'sovle'"):
        kumitate.sovle  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(ImportError):
        from kumitate import sovle  # type: ignore[attr-defined]  # noqa: F401
