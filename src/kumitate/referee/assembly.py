"""Whether an assembly answers its problem, cell by cell."""

from collections import Counter
from collections.abc import Iterator

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.puzzle import Placement
from kumitate.model.solution import Assembly


def assembly_faults(assembly: Assembly, distinct_copies: bool = False) -> list[str]:
    """Everything that is wrong with an assembly as an answer to its problem.

    If a piece is pinned or forbidden, any piece of the same shape and colour counts as that piece,
    unless copies are distinct.
    """
    return list(_assembly_faults(assembly, distinct_copies))


def _assembly_faults(assembly: Assembly, distinct_copies: bool) -> Iterator[str]:
    problem = assembly.problem
    used = Counter(placement.piece for placement in assembly.placements)
    for number, piece in enumerate(problem.pieces):
        if piece.shape.optional:
            yield f"piece {problem.label(number)} has optional cells; only a goal may"
        if not piece.min <= used[number] <= piece.max:
            yield f"{problem.label(number)} is used {used[number]} times, not {piece.copies}"
    covered: dict[Cell, str] = {}
    placed: set[tuple[int, frozenset[tuple[Cell, str]]]] = set()

    def look(placement: Placement) -> tuple[int, frozenset[tuple[Cell, str]]]:
        shape = placement.placed(problem.pieces[placement.piece].shape)
        return placement.piece if distinct_copies else 0, frozenset(shape.tokens.items())

    for number, placement in enumerate(assembly.placements):
        if not 0 <= placement.piece < len(problem.pieces):
            yield f"placement {number} is of piece {placement.piece}, which does not exist"
            continue
        name = assembly.label(number)
        try:
            shape = placement.placed(problem.pieces[placement.piece].shape)
        except PuzzleError:
            yield f"{name} is off the grid: turn {placement.turn} does not put it on cells"
            continue
        placed.add(look(placement))
        for cell in shape:
            if cell not in problem.goal.cells:
                yield f"{name} covers {cell}, which is not in the goal"
            elif not problem.may_lie_on(
                shape.colours.get(cell, 0), problem.goal.colours.get(cell, 0)
            ):
                yield f"{name} may not cover {cell}: its colour is not allowed there"
            if cell in covered:
                yield f"{covered[cell]} and {name} overlap at {cell}"
            covered[cell] = name
    for cell in sorted(problem.goal.fixed - covered.keys()):
        yield f"the goal's cell {cell} is empty"
    holes = len(problem.goal.optional - covered.keys())
    if problem.max_holes is not None and holes > problem.max_holes:
        yield f"{holes} optional cells are empty, at most {problem.max_holes} may be"
    for pin in sorted(problem.pinned):
        if look(pin) not in placed:
            yield f"{problem.label(pin.piece)} is not where it is pinned: {pin}"
    for pin in sorted(problem.forbidden):
        if look(pin) in placed:
            yield f"{problem.label(pin.piece)} is where it is forbidden: {pin}"
