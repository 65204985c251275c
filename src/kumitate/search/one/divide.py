"""Large goals for copies of one piece, cut into parts that are each filled.

A box of 10x10x10 is eight of 5x5x5, and what is hopeless for a search of the whole is eight times
the same small question. The goal is cut by a plane where both parts can be filled by volume, the
most even cut first, and the parts again, until they are small enough to be searched. This finds or
does not find; it never proves that there is none.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate

from kumitate import _core
from kumitate.model.geometry import Cell, Vector, add
from kumitate.model.puzzle import Placement, Problem
from kumitate.model.shape import shift_cell
from kumitate.search.assemble import PreparedProblem
from kumitate.search.one.arguments import argument_about

SMALL = 150  # cells of a part that is not cut again
PATIENCE = 50_000  # nodes of a search for one part
TICK = 20  # milliseconds

Cells = frozenset[Cell]


def divide_objection(problem: Problem) -> str | None:
    """Why parts of the goal cannot be filled one by one, if so."""
    if len(problem.pieces) != 1 or problem.goal.optional:
        return "it only handles copies of a single piece, in a goal without optional cells"
    if problem.pinned or problem.forbidden or problem.goal.colours:
        return "it does not handle pins, forbidden placements or colours"
    return None


def divided(problem: Problem, seed: int, over: Callable[[], bool]) -> list[Placement] | None:
    """Placements that fill the goal, part by part; None if no cut led to any, or it is over.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece
    >>> from kumitate.model.shape import Shape
    >>> goal, bar = Shape.from_text(CUBES, "####"), Shape.from_text(CUBES, "##")
    >>> divided(Problem(goal, [Piece(bar, 2)]), 0, lambda: False)
    [Placement(piece=0, turn=0, shift=(0, 0, 0)), Placement(piece=0, turn=0, shift=(2, 0, 0))]
    """
    size = len(problem.pieces[0].shape)
    known: dict[Cells, list[Placement] | None] = {}  # parts moved to the origin

    def fill(cells: Cells) -> list[Placement] | None:
        low = [min(axis) for axis in zip(*cells, strict=True)]
        home: Vector = (low[0], low[1], low[2])
        away: Vector = (-low[0], -low[1], -low[2])
        part = frozenset(shift_cell(cell, away) for cell in cells)
        if part not in known:
            known[part] = search(part) if len(part) <= SMALL else cut(part)
        found = known[part]
        return found and [Placement(0, turn, add(shift, home)) for _, turn, shift in found]

    def cut(cells: Cells) -> list[Placement] | None:
        for one, other in _cuts(cells, size):
            if over():
                break
            first = fill(one)
            second = first and fill(other)
            if first and second:
                return [*first, *second]
        return None

    def search(cells: Cells) -> list[Placement] | None:
        piece = replace(problem.pieces[0], min=len(cells) // size, max=len(cells) // size)
        goal = replace(problem.goal, cells=cells)
        prepared = PreparedProblem(replace(problem, goal=goal, pieces=[piece]), hopeless=True)
        if argument_about(prepared) is not None:
            return None
        search = prepared.core.restart_search(0, seed)
        while not over() and search.nodes < PATIENCE:
            outcome = search.run(TICK)
            if outcome == _core.Outcome.FOUND:
                return list(prepared.assembly(search.names).placements)
            if outcome == _core.Outcome.NONE:
                return None
        return None

    return fill(frozenset(problem.goal.cells))


def _cuts(cells: Cells, size: int) -> Iterator[tuple[Cells, Cells]]:
    """Both parts of the cells for each plane that leaves whole numbers of pieces, evenest first."""
    planes = []
    for axis in range(3):
        layers = Counter(cell[axis] for cell in cells)
        lows = sorted(layers)[:-1]
        for low, below in zip(lows, accumulate(layers[low] for low in lows), strict=True):
            if below % size == 0:
                planes.append((abs(2 * below - len(cells)), axis, low))
    for _, axis, low in sorted(planes):
        one = frozenset(cell for cell in cells if cell[axis] <= low)
        yield one, cells - one
