"""What pages are told of how pieces slide; web/tests/slides.json has examples, with their levels.

`python -m tests.output.test_sliding` writes them anew.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kumitate import Assembly, Solution, disassemble, library, solve
from kumitate.model import grids
from kumitate.model.grid import Grid
from kumitate.output.page import scene_data
from kumitate.output.scene import scene_of
from kumitate.output.sliding import steps_of

SLIDES = Path(__file__).parents[2] / "web" / "tests" / "slides.json"
ROD = "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA"
PUZZLES = ["six-piece-burr", "slothouber-graatsma", "kanoodle-pyramid"]


def assemblies() -> Iterator[tuple[str, Assembly]]:
    yield "rod", Assembly.from_text(grids.CUBES, ROD)
    yield "bars", Assembly.from_text(grids.PRISMS, "AABB/AABB")
    for name in PUZZLES:
        yield name, next(solve(library[name].problems[0])).assembly


def examples() -> list[dict[str, object]]:
    """Puzzles as a page gets them, with the level that the search finds."""
    made = []
    for name, assembly in assemblies():
        data = scene_data(scene_of(assembly))
        found = disassemble(assembly)
        bodies = [{"name": body["name"], "cells": body["cells"]} for body in data["bodies"]]  # type: ignore[attr-defined]
        level = len(found.moves) if found else None
        made.append({"name": name, "bodies": bodies, "steps": data["steps"], "level": level})
    return made


def test_the_examples_of_the_page_are_what_it_gets() -> None:
    assert json.loads(SLIDES.read_text()) == json.loads(json.dumps(examples()))


@pytest.mark.parametrize(
    "grid", [each for each in vars(grids).values() if isinstance(each, Grid)], ids=lambda g: g.name
)
def test_a_step_and_its_opposite_sweep_the_same(grid: Grid) -> None:
    """If a cell comes through another on its way, that one comes through it on the way back."""
    steps = {step.by: step for step in steps_of(grid)}
    for (x, y, z), step in steps.items():
        back = steps[-x, -y, -z]
        for tile, cells in enumerate(step.swept):
            for dx, dy, dz, met in cells:
                assert (-dx, -dy, -dz, tile) in back.swept[met]


def test_what_does_not_lie_together_is_not_taken_apart_by_hand() -> None:
    rod = Assembly.from_text(grids.CUBES, ROD)
    assert "steps" in scene_data(scene_of(rod))
    assert "steps" in scene_data(scene_of(Solution(rod, disassemble(rod))))
    assert "steps" not in scene_data(scene_of(rod.shapes[0]))


if __name__ == "__main__":
    SLIDES.write_text(json.dumps(examples(), separators=(",", ":")) + "\n")
