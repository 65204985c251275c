"""The assembly with which a design of a given puzzle starts, and which advice is about."""

from itertools import islice

from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem
from kumitate.model.solution import Answers, Assembly
from kumitate.search.solve import examine_all

TRIES = 1000  # assemblies, of which one may come apart
STATES = 100_000


def start_of(problem: Problem, answers: Answers | None = None) -> Assembly:
    """An assembly of a problem: a known one, or the first that comes apart, or any other.

    >>> from kumitate import CUBES, Piece, Shape
    >>> bar = Piece(Shape.from_text(CUBES, "##", name="A"), 2)
    >>> print(start_of(Problem(Shape.from_text(CUBES, "####"), [bar])))
    AABB
    """
    if answers and answers.solutions:
        return answers.solutions[0].assembly
    start = None
    for found in islice(examine_all(problem, max_states=STATES), TRIES):
        start = start or found.assembly
        if found.disassembly:
            return found.assembly
    if start is None:
        raise PuzzleError(
            "no assembly to start from: the pieces do not fill the goal; run 'kumitate check'"
        )
    return start
