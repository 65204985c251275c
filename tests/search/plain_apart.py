"""The slow, plain twin of the disassembler: every set of pieces, every step, unit by unit.

It shares nothing with the search but the sweeps of the grid, and finds only what is a fact about an
assembly: whether it comes apart, and in how many moves at least the first separation is reached.
"""

from collections.abc import Iterator, Set
from itertools import combinations

from kumitate import Assembly
from kumitate.model.geometry import Cell, Vector, add, subtract

Shapes = list[Set[Cell]]
Place = tuple[Vector, ...]  # of each piece, relative to the first


def level(assembly: Assembly, most_states: int = 3000) -> int | str | None:
    """Moves to the first separation; None if there is none, 'many' if there are too many states."""
    shapes = [shape.cells for shape in assembly.shapes]
    start: Place = ((0, 0, 0),) * len(shapes)
    front, seen, moves = [start], {start}, 1
    while front:
        if any(_separates(assembly, shapes, place) for place in front):
            return moves
        following = []
        for place in front:
            for there in _moves(assembly, shapes, place):
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
    assembly: Assembly,
    shapes: Shapes,
    place: Place,
    some: frozenset[int],
    step: Vector,
) -> Place | None:
    """One unit, or None if something is in the way."""
    sweep = assembly.problem.grid.sweep(step)
    still = {
        (x + a, y + b, z + c, tile)
        for piece, (a, b, c) in enumerate(place)
        if piece not in some
        for x, y, z, tile in shapes[piece]
    }
    for piece in some:
        a, b, c = place[piece]
        for x, y, z, tile in shapes[piece]:
            for dx, dy, dz, met in sweep[tile]:
                if (x + a + dx, y + b + dy, z + c + dz, met) in still:
                    return None
    return tuple(add(at, step) if piece in some else at for piece, at in enumerate(place))


FAR = 14  # units: farther than any two pieces here can be and still meet


def _separates(assembly: Assembly, shapes: Shapes, place: Place) -> bool:
    for some in _sets(len(shapes)):
        for step in assembly.problem.grid.steps:
            there: Place | None = place
            for _ in range(FAR):
                there = there and _slide(assembly, shapes, there, some, step)
            if there:
                return True
    return False


def _moves(assembly: Assembly, shapes: Shapes, place: Place) -> Iterator[Place]:
    for some in _sets(len(shapes)):
        for step in assembly.problem.grid.steps:
            there = _slide(assembly, shapes, place, some, step)
            while there is not None:
                yield tuple(subtract(at, there[0]) for at in there)
                there = _slide(assembly, shapes, there, some, step)
