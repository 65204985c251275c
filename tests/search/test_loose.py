"""Many loose pieces: no search gives up because their combinations cannot be listed.

# # # # # # #      from above, row by row: slots with a loose bar of two cells and a free one,
# B B . # # #      and over them, in a tray, a lid that must slide to the right before it can
# # # # # # #      be lifted, since a hook over the tray holds its corner
"""

import pytest

from kumitate import CUBES, Assembly, Disassembly, Piece, Placement, Problem, Shape, examine
from kumitate.model.geometry import Cell
from kumitate.referee import disassembly_faults


def lidded_box(bars: int) -> Assembly:
    rows = 2 * bars + 1
    box: set[Cell] = {(x, y, 0, 0) for x in range(7) for y in range(rows)}
    box |= {(x, y, 1, 0) for x in range(7) for y in range(rows) if y % 2 == 0 or x in (0, 4, 5, 6)}
    box |= {
        (x, y, 2, 0) for x in range(7) for y in range(rows) if x in (0, 6) or y in (0, rows - 1)
    }
    box |= {(0, 1, 3, 0), (1, 1, 3, 0)}
    lid: set[Cell] = {(x, y, 2, 0) for x in range(1, 5) for y in range(1, rows - 1)}
    loose: list[set[Cell]] = [{(1, y, 1, 0), (2, y, 1, 0)} for y in range(1, rows, 2)]
    shapes = [Shape(CUBES, cells) for cells in (box, lid, *loose)]
    goal = Shape(CUBES, set().union(*(shape.cells for shape in shapes)))
    problem = Problem(goal, [Piece(shape) for shape in shapes])
    return Assembly(problem, [Placement(n, 0, (0, 0, 0)) for n in range(len(shapes))])


@pytest.mark.parametrize("bars", [3, 8, 15, 40])
def test_the_lid_comes_off_in_two_moves_then_each_bar_in_one(bars: int) -> None:
    assembly = lidded_box(bars)
    found = examine(assembly)
    assert isinstance(found.disassembly, Disassembly)
    levels = str(found.disassembly.levels).split(".")
    assert levels[0] == "2"
    assert len(levels) == bars + 1
    assert disassembly_faults(assembly, found.disassembly) == []
