"""How open surfaces are: compared with cubes counted about corners, and with what others leave."""

import numpy as np
import pytest

from kumitate.model.grids import CUBES, GRIDS
from kumitate.model.shape import Shape
from kumitate.output.scene import mean
from kumitate.output.solid.openness import openness
from kumitate.output.solid.surface import faces_of

PIECE = Shape.from_text(CUBES, "### #.. .../#.. ... .../##. ##. .#.")


def test_of_eight_cubes_about_a_corner_those_that_are_missing_are_open() -> None:
    corners = sorted({corner for face in faces_of(PIECE) for corner in face.corners})
    for corner, found in zip(corners, openness(PIECE, np.array(corners)), strict=True):
        x, y, z = (round(c) for c in corner)
        around = [(x - i, y - j, z - k, 0) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        free = sum(cell not in PIECE.cells for cell in around) / 8
        assert found == pytest.approx(free, abs=0.04), corner


@pytest.mark.parametrize("name", [name for name, grid in GRIDS.items() if not grid.balls])
def test_among_others_nothing_is_open_and_they_leave_open_what_a_cell_takes(name: str) -> None:
    grid = GRIDS[name]
    near = (-2, -1, 0, 1, 2)
    tiles = range(len(grid.tiles))
    room = {(x, y, z, tile) for x in near for y in near for z in near for tile in tiles}
    one = Shape(grid, {(0, 0, 0, 0)})
    points = np.array([mean(face.corners) for face in faces_of(one)])
    assert (openness(Shape(grid, room), points) == 0).all()
    rest = openness(Shape(grid, room - one.cells), points)
    assert openness(one, points) + rest == pytest.approx(1, abs=0.02)
