"""Reasons why a problem has no assembly, found before anything is searched.

By volume; a piece that fits nowhere; a cell that nothing covers; and every colouring there is, all
at once: if placements, each taken any whole number of times, cannot make every fixed cell covered
once and every piece used as often as it should be, counted modulo m, then no choice of them can.
Z/8 has every argument of Z/4 and Z/2, so the smaller ones only make an argument simpler.
"""

from kumitate.model.argument import Argument, Certificate
from kumitate.model.puzzle import Problem
from kumitate.search.assemble import PreparedProblem
from kumitate.search.faults import not_covered

MODULI = {8: (2, 4), 9: (3,), 5: ()}  # to ask, and if one refutes, the simpler ones
MOST_ROWS = 5000  # cells and pieces: the basis has that many rows and columns


def argument(problem: Problem) -> Argument | None:
    """Why there is no assembly, if that is clear before any search.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece
    >>> from kumitate.model.shape import Shape
    >>> tee = Shape.from_text(CUBES, "###/.#.", name="T")
    >>> goal = Shape.from_text(CUBES, "/".join(["######"] * 6))
    >>> problem = Problem(goal, [Piece(tee, 9)])
    >>> print(argument(problem).describe(problem))
    a colouring rules it out: number the cells of the goal like this:
    <BLANKLINE>
    010101
    101010
    010101
    101010
    010101
    101010
    <BLANKLINE>
    wherever a piece lies, it covers the same sum modulo 2: T covers 1
    so all pieces together cover 1, but the numbers of the goal add up to 0
    """
    return argument_about(PreparedProblem(problem, hopeless=True))


def argument_about(prepared: PreparedProblem) -> Argument | None:
    """The same for a problem that the core holds already."""
    if prepared.fault:
        return Argument(prepared.fault)
    found = certificate(prepared)
    if found is None:
        return None
    return Argument(_bare(prepared) or "a colouring rules it out", found)


def certificate(prepared: PreparedProblem) -> Certificate | None:
    """The colouring of the smallest modulus that is known to rule out every assembly."""
    problem = prepared.problem
    if len(problem.goal) + len(prepared.table.kinds) > MOST_ROWS:
        return None
    if any(problem.pieces[pin.piece].min < problem.pieces[pin.piece].max for pin in problem.pinned):
        return None  # the core asks for those that are pinned, which a certificate cannot say
    found: dict[int, list[int]] = {}
    for modulus, simpler in MODULI.items():
        weights = prepared.core.weights(modulus)
        if weights is not None:
            found[modulus] = weights
            for simple in simpler:
                weights = prepared.core.weights(simple)
                if weights is not None:
                    found[simple] = weights
    return _certificate(prepared, min(found), found[min(found)]) if found else None


def _certificate(prepared: PreparedProblem, modulus: int, weights: list[int]) -> Certificate:
    cells = sorted(prepared.problem.goal.cells)
    pieces = {
        piece: -weights[len(cells) + kind] % modulus
        for kind, some in enumerate(prepared.table.kinds)
        for piece in some
    }
    fixed = prepared.problem.goal.fixed
    numbers = {cell: w for cell, w in zip(cells, weights, strict=False) if cell in fixed}
    return Certificate(modulus, numbers, pieces)


def _bare(prepared: PreparedProblem) -> str | None:
    """That nothing covers some cell."""
    _, _, _, _, _, covers = prepared.core.cover()
    covered = {cell for some in covers for cell in some}
    problem = prepared.problem
    bare = [c for n, c in enumerate(sorted(problem.goal.cells)) if n not in covered]
    bare = [cell for cell in bare if cell in problem.goal.fixed]
    return not_covered(problem, bare) if bare else None
