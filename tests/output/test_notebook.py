"""Values draw themselves in a notebook, as IPython asks them to."""

import subprocess
import sys

import pytest
from defusedxml.ElementTree import fromstring

import kumitate
import kumitate.output.notebook  # as the front door does in a notebook
from kumitate.output.draw.pictures import svg_of


@pytest.mark.parametrize("kind", ["shape", "problem", "puzzle", "assembly", "solution"])
def test_a_value_draws_itself(kind: str) -> None:
    puzzle = kumitate.library["soma"]
    solution = next(kumitate.solve(puzzle.problems[0], disassemble=True))
    values = {
        "shape": puzzle.shapes[0],
        "problem": puzzle.problems[0],
        "puzzle": puzzle,
        "assembly": solution.assembly,
        "solution": solution,
    }
    drawn = getattr(values[kind], "_repr_svg_")()  # noqa: B009 (mypy knows no such attribute)
    assert fromstring(drawn).tag.endswith("svg")
    assert drawn == svg_of(values[kind])


def test_kumitate_comes_without_numpy_and_pictures() -> None:
    """So that the command line answers at once."""
    code = "import sys, kumitate; print({'numpy', 'PIL', 'manifold3d'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_in_ipython_values_draw_themselves_from_the_start() -> None:
    code = (
        "from IPython.core.formatters import DisplayFormatter; import kumitate;"
        "print(*DisplayFormatter().format(kumitate.library['soma'].shapes[0])[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "image/svg+xml" in done.stdout.split()
