"""The studio without a server, as the browser runs it: no socket, process, thread or NumPy."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.studio.conftest import ROOT

from kumitate.output.views import VIEWS
from kumitate.studio.serve.alone import MISSING

STORY = Path(__file__).parent / "alone_story.py"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What a newcomer gets, in a Python that has none of these."""
    folder = tmp_path_factory.mktemp("alone")
    done = subprocess.run(
        [sys.executable, str(STORY), str(folder)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_puzzle_is_solved_watched_and_counted(told: dict[str, object]) -> None:
    run = told["run"]
    assert isinstance(run, dict)
    assert (run["state"], run["assemblies"], run["levels"]) == ("done", 240, {"1": 240})
    assert told["twist"] == 1
    assert told["check"] == "7 pieces fill all 27 cells."
    assert told["listed"] == told["counted"] == 240
    assert (told["poses"], told["forms"]) == (13, 7)
    assert told["pictures"] == ["<svg", "<svg"]
    assert told["told"] == ["hello", "run", "saved"]


def test_a_puzzle_is_changed_saved_and_taken_along(told: dict[str, object]) -> None:
    assert told["again"] is True
    assert told["taken"] == 8
    assert told["nowhere"] == [
        404,
        {"message": "there is nothing at /api/nothing", "reason": "missing"},
    ]


def test_what_needs_numpy_is_refused_in_one_sentence(told: dict[str, object]) -> None:
    files = told["files"]
    assert isinstance(files, dict)
    refused = {name for name, why in files.items() if why}
    assert refused == {".glb", ".stl", ".png", ".gif"} <= set(VIEWS)
    assert {files[name] for name in refused} == {MISSING}
