"""Every way a piece fits the goal.

The core sees cells as integers and colours as bits: bit k of a goal's cell says whether it accepts
a cell of colour k, bit 0 being neutral. A placement's name is its number in the core's order, which
is by piece, by turn, and by the goal's cells.
"""

from array import array
from collections import Counter
from collections.abc import Iterable
from functools import cache

from kumitate import _core
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.puzzle import Placement, Problem
from kumitate.model.shape import MOST_COLOURS, Shape

_EVERY_COLOUR = (1 << MOST_COLOURS + 1) - 1


def placements(problem: Problem) -> tuple[tuple[Placement, ...], ...]:
    """For each piece of a problem all its placements in the goal, each once.

    A piece that looks the same after some turns is placed by the first of them.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece
    >>> from kumitate.model.shape import Shape
    >>> goal = Shape.from_text(CUBES, "###/###")
    >>> [places] = placements(Problem(goal, [Piece(Shape.from_text(CUBES, "##"))]))
    >>> len(places)
    7
    """
    found: list[list[Placement]] = [[] for _ in problem.pieces]
    prepared, _ = ask(problem, distinct_copies=True)
    for piece, turn, x, y, z in prepared.placements():
        placement = Placement(piece, turn, (x, y, z))
        if placement not in problem.forbidden:
            found[piece].append(placement)
    return tuple(map(tuple, found))


def ask(problem: Problem, distinct_copies: bool) -> tuple[_core.Problem, list[list[int]]]:
    """The problem as the core sees it, and which pieces each piece of the core stands for.

    Pieces of one shape are copies of one piece to the core, however often the shape was entered,
    unless copies are to be distinct. A piece is used as often as it is pinned, at least.
    """
    goal, grid = problem.goal, problem.grid
    accepts = {colour: _accepts(problem, colour) for colour in {0, *goal.colours.values()}}
    alike: list[list[int]] = []
    try:
        prepared = _core.Problem(
            goal.cells,
            goal.optional,
            goal.colours,
            accepts,
            turns_of(grid),
            len(grid.tiles),
        )
        pinned = Counter(pin.piece for pin in distinct_pins(problem))
        for number, piece in enumerate(problem.pieces):
            shape, bounds = piece.shape, (max(piece.min, pinned[number]), piece.max)
            kind = prepared.add_piece(
                shape.cells, shape.colours, *bounds, may_be_copy=not distinct_copies
            )
            if kind == len(alike):
                alike.append([])
            alike[kind].append(number)
    except OverflowError:
        raise too_far() from None
    return prepared, alike


def distinct_pins(problem: Problem) -> list[Placement]:
    """The pins of a problem, one of those that put a piece on the same cells by other turns."""
    found: dict[tuple[int, Shape], Placement] = {}
    for pin in sorted(problem.pinned):
        shape = problem.pieces[pin.piece].shape
        if shape.lies[pin.turn] is not None:
            found.setdefault((pin.piece, pin.placed(shape)), pin)
    return list(found.values())


@cache
def turns_of(grid: Grid) -> "array[int]":
    """The turns, and then as many reflections, as the core reads them.

    The core makes them of the grid's table, since it is fast; of one that is wrong, or that has
    large numbers, it makes nothing.
    """
    extra = grid.extra_turn, grid.extra_divisor
    try:
        table = grid.tiles, grid.denominator, grid.generators, grid.mirror
        found = array("i", _core.turns(*table, *extra))
    except TypeError:  # numbers beyond 64 bits
        found = array("i")
    return found or plain_turns_of(grid)


def plain_turns_of(grid: Grid) -> "array[int]":
    """The same from the model, which says what is wrong with a table."""
    numbers: list[int] = []
    for (a, b, c), onto, shifts, divisor in grid.turns + grid.mirrors:
        numbers += (*a, *b, *c, divisor)
        for tile, (x, y, z) in zip(onto, shifts, strict=True):
            numbers += (tile, x, y, z)
    return array("i", numbers)


def _accepts(problem: Problem, goal_colour: int) -> int:
    if not goal_colour:
        return _EVERY_COLOUR
    colours = range(MOST_COLOURS + 1)
    return sum(1 << colour for colour in colours if problem.may_lie_on(colour, goal_colour))


def rows_of(cells: Iterable[Cell]) -> "array[int]":
    """Cells as the core reads them, four numbers each."""
    return numbers_of([number for cell in cells for number in cell])


def numbers_of(numbers: list[int]) -> "array[int]":
    """As the core reads them, if they are not too large."""
    try:
        return array("i", numbers)
    except OverflowError:
        raise too_far() from None


def too_far() -> PuzzleError:
    return PuzzleError("cells lie too far from the origin to be handled")
