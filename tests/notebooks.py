"""Runs the notebooks in examples/ without Jupyter: cell by cell in IPython, as Jupyter would.

What a cell prints and what its last line returns are its outputs. Of a widget, the picture remains
that stands in for it. To run them and write down the outputs: python -m tests.notebooks
"""

import json
import os
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"

Notebook = dict[str, Any]


def read(path: Path) -> Notebook:
    loaded: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def run(notebook: Notebook) -> Notebook:
    """The notebook with the outputs that its cells have now, run in an empty folder."""
    from IPython.core.displayhook import DisplayHook
    from IPython.core.interactiveshell import InteractiveShell

    class Silent(DisplayHook):
        def __call__(self, result: object = None) -> None:
            """Print nothing: the result becomes an output."""
            if result is not None:
                self.fill_exec_result(result)  # type: ignore[no-untyped-call]

    class Shell(InteractiveShell):
        displayhook_class = Silent

    shell = Shell.instance()
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            cells = [_run(shell, cell) for cell in notebook["cells"]]
        finally:
            os.chdir(before)
    return notebook | {"cells": cells}


def _run(shell: Any, cell: dict[str, Any]) -> dict[str, Any]:
    if cell["cell_type"] != "code":
        return cell
    printed = StringIO()
    with redirect_stdout(printed):
        done = shell.run_cell("".join(cell["source"]), store_history=True)
    done.raise_error()
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed)})
    if done.result is not None:
        data, _ = shell.display_formatter.format(done.result)
        if data.pop(WIDGET, None):
            data["text/plain"] = "Viewer()"
        outputs.append(
            {
                "data": {kind: _lines(StringIO(text)) for kind, text in sorted(data.items())},
                "execution_count": done.execution_count,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return cell | {"execution_count": done.execution_count, "outputs": outputs}


def _lines(text: StringIO) -> list[str]:
    return text.getvalue().splitlines(keepends=True)


def main() -> None:
    """Print a notebook with its outputs; or write those of all of them, each in its own process."""
    if sys.argv[1:]:
        print(json.dumps(run(read(Path(sys.argv[1]))), ensure_ascii=False))
        return
    import subprocess

    for path in NOTEBOOKS:
        command = [sys.executable, "-m", "tests.notebooks", str(path)]
        done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
        text = json.dumps(json.loads(done.stdout), indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
