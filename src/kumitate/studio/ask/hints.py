"""The next move for a person who takes a puzzle apart by hand: the nearest way from where it is."""

from kumitate.model.puzzle import Piece, Placement, Problem
from kumitate.model.shape import Shape, shift_cell
from kumitate.model.solution import Assembly, Move
from kumitate.search.disassemble import examine
from kumitate.studio.messages import HintData, HintRequest
from kumitate.studio.refusal import Refusal

MOST_STATES = 400_000  # a second or two


def hint_of(assembly: Assembly, request: HintRequest) -> HintData:
    """The first move of the nearest separation from a position.

    >>> from kumitate.model.grids import CUBES
    >>> rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
    >>> hint_of(rod, HintRequest([(0, 0, 0), (1, 0, 0)], [0, 1]))
    HintData(outcome='way', moving=[0], step=0, units=1, moves=1)
    """
    grid = assembly.problem.grid
    among = sorted(set(request.among))
    if len(request.at) != len(assembly.shapes) or not set(among) <= set(range(len(request.at))):
        raise Refusal(
            "this position has other pieces than the solution; reload the page", "question"
        )
    shapes = []
    for body in among:
        cells = assembly.shapes[body].cells
        shapes.append(Shape(grid, {shift_cell(cell, request.at[body]) for cell in cells}))
    whole = {cell for shape in shapes for cell in shape.cells}
    if len(shapes) < 2 or len(whole) < sum(map(len, shapes)):
        raise Refusal(
            "in this position pieces overlap, or only one is left; restart the game", "question"
        )
    # Of one group: only the nearest separation counts, what came off may stay together for ever.
    pieces = [Piece(shape, groups={1: len(shapes)}) for shape in shapes]
    problem = Problem(Shape(grid, whole), pieces)
    here = Assembly(problem, [Placement(n, 0, (0, 0, 0)) for n in range(len(shapes))])
    found = examine(here, max_states=MOST_STATES)
    if found.disassembly is None:
        return HintData("unknown" if found.ending == "limit" else "stuck")
    moves = found.disassembly.moves
    first = moves[0]
    assert isinstance(first, Move)
    moving = [among[piece] for piece in first.pieces]
    return HintData("way", moving, grid.steps.index(first.step), first.units or 1, len(moves))
