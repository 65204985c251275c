"""Child processes start as modules, or in a program of PyInstaller's as that program itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kumitate import child

PROGRAM = "from kumitate import child; child.be_child(); print('not a child')"
CHILD = "import sys; print(sys.argv, __name__, sys.stdin.read())"


def test_a_program_of_pyinstallers_is_its_own_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "worker.py").write_text(CHILD)
    assert child.command("worker", "a b") == [sys.executable, "-P", "-m", "worker", "a b"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    program, *words = child.command("worker", "a b")
    assert program == sys.executable
    done = subprocess.run(
        [program, "-c", PROGRAM, *words],
        cwd=tmp_path,  # where `python -c` looks for modules
        input="asked",
        capture_output=True,
        text=True,
        check=True,
    )
    [path, *rest] = json.loads(done.stdout.partition("]")[0].replace("'", '"') + "]")
    assert Path(path).name == "worker.py"
    assert rest == ["a b"]
    assert done.stdout.partition("]")[2].split() == ["__main__", "asked"]


def test_other_programs_are_no_children() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "count", "soma"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "not a child\n"
