"""Values draw themselves in a notebook, as IPython asks them to."""

import subprocess
import sys

import pytest
from defusedxml.ElementTree import fromstring

import kumitate
from kumitate.output.svg import svg_of


@pytest.mark.parametrize("kind", ["shape", "problem", "puzzle", "assembly", "solution"])
def test_a_value_draws_itself(kind: str) -> None:
    puzzle = kumitate.library["soma"]
    solution = next(kumitate.solve(puzzle.problems[0]))
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
