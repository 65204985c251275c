"""Why a problem has no assembly, as far as that is plain: every such sentence, once.

`check` lists all that apply, a search raises the first, and an argument quotes it.
"""

from collections.abc import Iterator, Sequence

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell, add
from kumitate.model.numbers import count_of
from kumitate.model.puzzle import Problem


def require_sense(problem: Problem) -> None:
    """Raise an error for a problem that cannot be meant."""
    for _, text in nonsense(problem):
        raise PuzzleError(text)


def nonsense(problem: Problem) -> Iterator[tuple[str, str]]:
    """What keeps a problem from meaning anything, in one word and in a sentence.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.shape import Shape
    >>> list(nonsense(Problem(Shape.from_text(CUBES, "##"), [])))
    [('pieces', 'the problem has no pieces; add some to fill the goal')]
    """
    if not problem.goal.cells:
        yield "goal", "the goal is empty; draw the shape to fill"
    elif not problem.pieces:
        yield "pieces", "the problem has no pieces; add some to fill the goal"
    else:
        for number, piece in enumerate(problem.pieces):
            label = problem.label(number)
            if not piece.shape.cells:
                yield "empty", f"piece {label} has no cells; draw it or leave it out"
            elif piece.shape.optional:
                yield "optional", f"piece {label} has optional cells; only a goal may have those"


def volume_fault(problem: Problem) -> str | None:
    """The cells that pieces fill must lie between the fixed cells and all cells of the goal."""
    least, most = problem.volume
    fixed, every = len(problem.goal.fixed), len(problem.goal.cells)
    pieces = str(least) if least == most else f"{least} to {most}"
    goal = count_of(every, "cell") if fixed == every else f"{fixed} to {every} cells to fill"
    holes = problem.max_holes
    if most < fixed:
        way = "add a piece or mark a goal cell optional"
    elif holes is not None and most < every - holes:
        goal = f"{count_of(every, 'cell')}, and at most {holes} may stay empty (max_holes),"
        way = f"add a piece or allow {count_of(every - most, 'hole')}"
    elif least > every:
        way = "leave out a piece or make the goal larger"
    else:
        return None
    return f"the goal has {goal} but the pieces fill {pieces}; {way}"


def fits_nowhere(problem: Problem, piece: int) -> str:
    return f"piece {problem.label(piece)} fits nowhere in the goal"


def not_covered(problem: Problem, cells: Sequence[Cell]) -> str:
    column, row, layer = add(problem.grid.spot(cells[0]), (1, 1, 1))
    others = count_of(len(cells) - 1, "other cell")
    more = f", or {others}" if len(cells) > 1 else ""
    return f"no piece can cover the goal's cell at column {column}, row {row}, layer {layer}{more}"


def too_many_pinned(problem: Problem, piece: int, count: int) -> str:
    name, most = problem.label(piece), problem.pieces[piece].max
    only = "is only 1" if most == 1 else f"are only {most}"
    return f"piece {name} is pinned {count} times, but there {only}; remove a pin"
