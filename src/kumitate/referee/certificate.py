"""Whether a certificate proves that a problem has no assembly."""

from collections.abc import Iterator

from kumitate.model.argument import Certificate
from kumitate.model.geometry import Cell
from kumitate.model.puzzle import Problem
from kumitate.model.shape import Shape


def certificate_faults(problem: Problem, certificate: Certificate) -> list[str]:
    """Everything that keeps a certificate from proving that the problem has no assembly.

    Every piece is laid on every cell in every turn, and the numbers under it are added up.
    """
    return list(_certificate_faults(problem, certificate))


def _certificate_faults(problem: Problem, certificate: Certificate) -> Iterator[str]:
    modulus, numbers = certificate.modulus, certificate.cells
    if modulus < 2:
        yield f"sums modulo {modulus} prove nothing"
        return
    for cell in sorted(numbers.keys() - problem.goal.fixed):
        if numbers[cell] % modulus:
            yield f"{cell} has a number but need not be covered"
    for number, piece in enumerate(problem.pieces):
        makes = certificate.pieces.get(number, 0)
        if piece.min != piece.max and makes % modulus:
            yield f"{problem.label(number)} may be used {piece.copies} times, so it must cover 0"
        for lying in _everywhere(problem, number):
            covered = sum(numbers.get(cell, 0) for cell in lying.cells)
            if (covered - makes) % modulus:
                at = min(lying.cells)
                yield f"{problem.label(number)} at {at} covers {covered}, not {makes}"
                break
    pieces = sum(
        piece.min * certificate.pieces.get(number, 0) for number, piece in enumerate(problem.pieces)
    )
    if (pieces - sum(numbers.values())) % modulus == 0:
        yield f"pieces and cells both add up to {pieces % modulus}, so nothing is proved"


def _everywhere(problem: Problem, number: int) -> Iterator[Shape]:
    """Every way a piece may lie together with the pinned placements."""
    goal, shape = problem.goal, problem.pieces[number].shape
    pins = [p.placed(problem.pieces[p.piece].shape) for p in problem.pinned]
    banned = [
        p.placed(problem.pieces[p.piece].shape).tokens
        for p in problem.forbidden
        if problem.pieces[p.piece].shape.congruent(shape)
    ]
    seen: set[frozenset[tuple[Cell, str]]] = set()
    for turn in problem.grid.turns:
        turned = shape.turned(turn)
        if turned is None:
            continue
        look = frozenset(turned.at_origin().tokens.items())
        if look in seen:
            continue
        seen.add(look)
        first = min(turned.cells)
        for start in goal.cells:
            if start[3] != first[3]:
                continue
            lying = turned.shifted((start[0] - first[0], start[1] - first[1], start[2] - first[2]))
            if (
                lying.cells <= goal.cells
                and all(
                    problem.may_lie_on(lying.colours.get(c, 0), goal.colours.get(c, 0))
                    for c in lying.cells
                )
                and not any(lying.cells & pin.cells and lying.tokens != pin.tokens for pin in pins)
                and lying.tokens not in banned
            ):
                yield lying
