"""The slow, plain twin of the disassembler: every set of pieces, every step, unit by unit.

It shares nothing with the search but the sweeps of the grid, and finds only what is a fact about an
assembly: whether it comes apart, in how many moves at least the first separation is reached, and
which pieces never part. With `fine` pieces may stop between the cells, at parts of a step.
"""

from collections.abc import Iterator, Sequence, Set
from itertools import combinations

from kumitate import Assembly
from kumitate.model.geometry import Cell, Vector, add, subtract, times

Shapes = list[Set[Cell]]
Place = tuple[Vector, ...]  # of each piece, relative to the first


def level(assembly: Assembly, most_states: int = 3000, fine: bool = False) -> int | str | None:
    """Moves to the first separation; None if there is none, 'many' if there are too many states."""
    found = _separation(_Pieces(assembly, fine), range(len(assembly.shapes)), None, most_states)
    return found if found is None or isinstance(found, str) else found[0]


def clumps(assembly: Assembly, most_states: int = 3000) -> list[tuple[int, ...]] | None:
    """The sets of pieces that never part, however they are taken apart; None if it takes long.

    What can be taken out of a part can be taken out of a smaller one, so they do not depend on the
    order of separations.
    """
    pieces = _Pieces(assembly, fine=False)
    parts: list[tuple[tuple[int, ...], Place | None]] = [(tuple(range(len(assembly.shapes))), None)]
    found = []
    for part, start in parts:
        separation = _separation(pieces, part, start, most_states) if len(part) > 1 else None
        if separation == "many":
            return None
        if separation is None:
            found.append(part)
            continue
        assert not isinstance(separation, str)
        _, some, place = separation
        for half in (some, frozenset(range(len(part))) - some):
            chosen = sorted(half)
            parts.append((tuple(part[n] for n in chosen), tuple(place[n] for n in chosen)))
    return sorted(found)


class _Pieces:
    """An assembly as it is moved here: places are in parts of a cell."""

    def __init__(self, assembly: Assembly, fine: bool) -> None:
        self.grid = assembly.problem.grid
        self.shapes: Shapes = [shape.cells for shape in assembly.shapes]
        self.parts = self.grid.fineness if fine else 1


def _separation(
    pieces: _Pieces, part: Sequence[int], start: Place | None, most_states: int
) -> tuple[int, frozenset[int], Place] | str | None:
    """The moves to the first separation, which pieces (of the part) leave, and from where."""
    shapes = [pieces.shapes[n] for n in part]
    start = start or ((0, 0, 0),) * len(shapes)
    front, seen, moves = [start], {start}, 1
    while front:
        for place in front:
            some = _separates(pieces, shapes, place)
            if some is not None:
                return moves, some, place
        following = []
        for place in front:
            for there in _moves(pieces, shapes, place):
                if there not in seen:
                    seen.add(there)
                    following.append(there)
        if len(seen) > most_states:
            return "many"
        front, moves = following, moves + 1
    return None


def _sets(count: int) -> Iterator[frozenset[int]]:
    for size in range(1, count):
        yield from map(frozenset, combinations(range(1, count), size))


def _slide(
    pieces: _Pieces, shapes: Shapes, place: Place, some: frozenset[int], step: Vector
) -> Place | None:
    """One unit, or None if something is in the way."""
    for piece in some:
        for other in set(range(len(shapes))) - some:
            offset = subtract(place[piece], place[other])
            a, b, c = (number // pieces.parts for number in offset)
            start = subtract(offset, times(pieces.parts, (a, b, c)))
            sweep = pieces.grid.sweep(step, start, pieces.parts)
            for x, y, z, tile in shapes[piece]:
                for dx, dy, dz, met in sweep[tile]:
                    if (x + a + dx, y + b + dy, z + c + dz, met) in shapes[other]:
                        return None
    return tuple(add(at, step) if piece in some else at for piece, at in enumerate(place))


FAR = 14  # cells: farther than any two pieces here can be and still meet


def _separates(pieces: _Pieces, shapes: Shapes, place: Place) -> frozenset[int] | None:
    for some in _sets(len(shapes)):
        for step in pieces.grid.steps:
            there: Place | None = place
            for _ in range(FAR * pieces.parts):
                there = there and _slide(pieces, shapes, there, some, step)
            if there:
                return some
    return None


def _moves(pieces: _Pieces, shapes: Shapes, place: Place) -> Iterator[Place]:
    for some in _sets(len(shapes)):
        for step in pieces.grid.steps:
            there = _slide(pieces, shapes, place, some, step)
            while there is not None:
                yield tuple(subtract(at, there[0]) for at in there)
                there = _slide(pieces, shapes, there, some, step)
