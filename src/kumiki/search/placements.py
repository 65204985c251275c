"""Every way a piece fits the goal.

The orientations come from the grid's turns; the shifts from the core, which sees cells as integers
and colours as bits: bit k of a goal's cell says whether it accepts a cell of colour k, bit 0 being
neutral.
"""

from array import array
from collections.abc import Iterable, Iterator

from kumiki import _core
from kumiki.model.geometry import Cell, subtract
from kumiki.model.puzzle import Placement, Problem
from kumiki.model.shape import MOST_COLOURS, Shape


def placements(problem: Problem) -> tuple[tuple[Placement, ...], ...]:
    """For each piece of a problem all its placements in the goal, each once.

    A piece that looks the same after some turns is placed by the first of them.

    >>> from kumiki.model.grids import CUBES
    >>> from kumiki.model.puzzle import Piece
    >>> goal = Shape.from_text(CUBES, "###/###")
    >>> [places] = placements(Problem(goal, [Piece(Shape.from_text(CUBES, "##"))]))
    >>> len(places)
    7
    """
    cells = sorted(problem.goal.cells)
    accepts = [_accepts(problem, problem.goal.colours.get(cell, 0)) for cell in cells]
    goal = _core.Goal(_rows(cells), array("Q", accepts))
    return tuple(
        tuple(
            placement
            for placement in _placements(goal, number, piece.shape)
            if placement not in problem.forbidden
        )
        for number, piece in enumerate(problem.pieces)
    )


def _placements(goal: _core.Goal, number: int, shape: Shape) -> Iterator[Placement]:
    for oriented, turn in shape.orientations().items() if shape.cells else ():
        cells = sorted(oriented.cells)
        kinds = [1 << oriented.colours.get(cell, 0) for cell in cells]
        turned = shape.turned(shape.grid.turns[turn])
        assert turned is not None
        back = subtract(cells[0][:3], min(turned.cells)[:3])
        for x, y, z in goal.fits(_rows(cells), array("Q", kinds)):
            yield Placement(number, turn, (x + back[0], y + back[1], z + back[2]))


def _accepts(problem: Problem, goal_colour: int) -> int:
    colours = range(MOST_COLOURS + 1)
    return sum(1 << colour for colour in colours if problem.may_lie_on(colour, goal_colour))


def _rows(cells: Iterable[Cell]) -> "array[int]":
    return array("i", [number for cell in cells for number in cell])
