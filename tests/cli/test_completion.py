"""Shells complete commands, the names of puzzles and problems, and views."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kumitate import library


def completed(*words: str) -> list[tuple[str, str]]:
    """What bash is offered for the last word: its kind and its text."""
    asked = {
        "_KUMITATE_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("kumitate", *words)),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        [sys.executable, "-m", "kumitate"],
        env=os.environ | asked,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = (line.partition(",") for line in done.stdout.splitlines())
    return [(kind, text) for kind, _, text in rows]


@pytest.mark.parametrize("command", ["solve", "show", "studio", "search"])
def test_puzzles_are_completed_to_names_of_the_library_else_to_files(command: str) -> None:
    names = [name for name in library if name.startswith("so")]
    assert "soma" in names
    assert completed(command, "so") == [("plain", name) for name in names]
    assert completed(command, "soma.x") == [("file", "soma.x")]


def test_problems_are_completed() -> None:
    names = [problem.name for problem in library["pentominoes"].problems]
    offered = completed("count", "pentominoes/3")
    expected = [f"pentominoes/{name}" for name in names if name.startswith("3")]
    assert [text for kind, text in offered if kind == "plain"] == expected
    assert len(expected) > 1
    assert completed("count", "no-such-puzzle/3") == [("file", "no-such-puzzle/3")]


def test_views_are_those_of_the_format() -> None:
    assert completed("export", "soma", "--output", "soma.gif", "--show", "") == [("plain", "steps")]
    assert ("plain", "sheets") in completed("export", "soma", "--show", "s")


def test_bash_completes(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not here to complete words")
    (tmp_path / "kumitate").write_text(f'#!/bin/sh\nexec {sys.executable} -m kumitate "$@"\n')
    (tmp_path / "kumitate").chmod(0o755)
    script = """
        eval "$(_KUMITATE_COMPLETE=bash_source kumitate)"
        COMP_WORDS=(kumitate solve slot) COMP_CWORD=2
        _kumitate_completion kumitate 2> /dev/null
        echo "${COMPREPLY[@]}"
    """
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [bash, "-c", script], env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    names = [name for name in library if name.startswith("slot")]
    assert done.stdout.split() == names, done.stderr
