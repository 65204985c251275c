"""The notebooks run from top to bottom, and show what they print today."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.notebooks import NOTEBOOKS, Notebook, read

import kumitate
from kumitate import CUBES, Shape

PICTURE = "image/svg+xml"


def shown(notebook: Notebook) -> list[list[Any]]:
    """What the cells print and return; of a picture, that there is one."""
    return [
        [
            output.get("text") or {**output["data"], PICTURE: PICTURE in output["data"]}
            for output in cell["outputs"]
        ]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_prints(path: Path) -> None:
    """To write the outputs anew: python -m tests.notebooks"""
    done = subprocess.run(
        [sys.executable, "-m", "tests.notebooks", path],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert shown(json.loads(done.stdout)) == shown(read(path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_words_and_pictures(path: Path) -> None:
    notebook = read(path)
    first = notebook["cells"][0]
    assert (first["cell_type"], first["source"][0][:2]) == ("markdown", "# ")
    assert any(
        PICTURE in output.get("data", {})
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
    )


def test_a_view_has_a_picture_where_widgets_do_not_run() -> None:
    pytest.importorskip("anywidget")
    bundle = kumitate.view(Shape.from_text(CUBES, "##", name="bar"))._repr_mimebundle_()
    assert bundle is not None
    assert bundle[0][PICTURE].startswith("<svg")
