"""The plain twin of searches with turns: every set of pieces, every way, every pivot, one by one.

The first piece stays where it is: that it moves is that all others move the other way. Whether one
rectangle hits another is asked of `_core.oblongs_meet`, which test_turns.py compares with the
referee's own rule.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations, product

from kumitate import CUBES, Assembly, Piece, Placement, Problem, Shape, _core
from kumitate.model.geometry import ZERO, Cell, Vector
from kumitate.model.rotation import Rotation

State = tuple[frozenset[Cell], ...]
Oblong = tuple[int, int, int, int]  # its centre and half its sides, in thousandths of a cell
AXES: list[Vector] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def assembly_of(*parts: set[Cell], loose: bool = False) -> Assembly:
    """Pieces where they are; loose ones need not come apart, once some have been taken away."""
    groups = {1: 1} if loose else {}
    pieces = [Piece(Shape(CUBES, part), groups=groups) for part in parts]
    problem = Problem(Shape(CUBES, set().union(*parts)), pieces)
    return Assembly(problem, [Placement(n, 0, ZERO) for n in range(len(pieces))])


def doubled(assembly: Assembly) -> Assembly:
    """The same with eight cells for each, so that half a cell is a cell."""
    halves = list(product(range(2), repeat=3))
    return assembly_of(
        *(
            {(2 * x + a, 2 * y + b, 2 * z + c, 0) for x, y, z, _ in shape for a, b, c in halves}
            for shape in assembly.shapes
        ),
        loose=bool(assembly.problem.pieces[0].groups),
    )


def separation(assembly: Assembly, tolerance: int, most: int) -> tuple[str, int, int]:
    """How the search for the first separation ends, the moves that it took, and the states.

    It ends with "limit" when there are more states than `most`: all those so many moves away.
    """
    start: State = tuple(frozenset(shape.cells) for shape in assembly.shapes)
    known, here, moves = {start}, [start], 0
    while here:
        moves += 1
        if any(_opens(state) for state in here):
            return "apart", moves, 0
        there = []
        for state in here:
            for child in chain(_slid(state), _turned(state, tolerance)):
                if child not in known:
                    known.add(child)
                    there.append(child)
        if there and len(known) > most:
            return "limit", moves, len(known)
        here = there
    return "stuck" if len(known) > 1 else "rigid", moves, len(known)


def _sets(state: State) -> Iterator[frozenset[int]]:
    """All sets of pieces without the first."""
    others = range(1, len(state))
    yield from (
        frozenset(some) for size in range(1, len(state)) for some in combinations(others, size)
    )


def _shift(cells: frozenset[Cell], by: Vector) -> frozenset[Cell]:
    return frozenset((x + by[0], y + by[1], z + by[2], t) for x, y, z, t in cells)


def _apart(state: State, some: frozenset[int], moved: dict[int, frozenset[Cell]]) -> bool:
    still = set().union(*(state[n] for n in range(len(state)) if n not in some))
    return not any(still & cells for cells in moved.values())


def _ways() -> Iterator[Vector]:
    for axis, sign in product(AXES, (1, -1)):
        yield (sign * axis[0], sign * axis[1], sign * axis[2])


def _far(state: State) -> int:
    numbers = [n for cells in state for cell in cells for n in cell[:3]]
    return max(numbers) - min(numbers) + 1


def _glide(state: State, some: frozenset[int], way: Vector) -> Iterator[dict[int, frozenset[Cell]]]:
    """Where a set stands after 1, 2, ... units, as long as nothing is in its way."""
    for units in range(1, _far(state) + 1):
        by = (units * way[0], units * way[1], units * way[2])
        moved = {n: _shift(state[n], by) for n in some}
        if not _apart(state, some, moved):
            return
        yield moved


def _opens(state: State) -> bool:
    return any(
        sum(1 for _ in _glide(state, some, way)) == _far(state)
        for some in _sets(state)
        for way in _ways()
    )


def _slid(state: State) -> Iterator[State]:
    for some in _sets(state):
        for way in _ways():
            for moved in _glide(state, some, way):
                yield tuple(moved.get(n, cells) for n, cells in enumerate(state))


def _turned(state: State, tolerance: int) -> Iterator[State]:
    low = [min(cell[n] for cells in state for cell in cells) for n in range(3)]
    high = [max(cell[n] for cells in state for cell in cells) + 1 for n in range(3)]
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        pivots = product(range(2 * low[u], 2 * high[u] + 1), range(2 * low[v], 2 * high[v] + 1))
        for (x, y), sense in product(pivots, (1, -1)):
            for quarters in (sense, 2 * sense, 3 * sense):
                sets = [
                    some
                    for some in _sets(state)
                    if not any(
                        _hits(state[a], state[b], axis, quarters, x, y, tolerance)
                        for a in some
                        for b in range(len(state))
                        if b not in some
                    )
                ]
                if not sets:
                    break  # what cannot go so far cannot go farther
                if quarters % 2 and (x + y) % 2:
                    continue
                turn = _turn(axis, quarters, x, y)
                for some in sets:
                    yield tuple(
                        frozenset(map(turn.turn_cell, cells)) if n in some else cells
                        for n, cells in enumerate(state)
                    )


def _turn(axis: int, quarters: int, x: int, y: int) -> Rotation:
    pivot = list(ZERO)
    pivot[(axis + 1) % 3], pivot[(axis + 2) % 3] = x, y
    return Rotation((), axis, quarters, (pivot[0], pivot[1], pivot[2]))


@lru_cache(1 << 20)
def _hits(
    moving: frozenset[Cell],
    still: frozenset[Cell],
    axis: int,
    quarters: int,
    x: int,
    y: int,
    tolerance: int,
) -> bool:
    others = _oblongs(still, axis, tolerance)
    return any(
        _meet((a - 500 * x, b - 500 * y, *sides), (c - 500 * x, d - 500 * y, *other), quarters)
        for layer, (a, b, *sides) in _oblongs(moving, axis, tolerance)
        for height, (c, d, *other) in others
        if layer == height
    )


@lru_cache(1 << 14)
def _oblongs(cells: frozenset[Cell], axis: int, tolerance: int) -> list[tuple[int, Oblong]]:
    """What is left of a piece when its faces are set back, with the layers: blocks of cells."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    found = []
    for cell in cells:
        for wide, high in product((1, 2), repeat=2) if tolerance else [(1, 1)]:
            block = set()
            for i, j in product(range(wide), range(high)):
                other = list(cell)
                other[u], other[v] = cell[u] + i, cell[v] + j
                block.add((other[0], other[1], other[2], 0))
            if block <= cells:
                x, y = 1000 * cell[u] + 500 * wide, 1000 * cell[v] + 500 * high
                found.append((cell[axis], (x, y, 500 * wide - tolerance, 500 * high - tolerance)))
    return found


@lru_cache(1 << 20)
def _meet(moving: Oblong, still: Oblong, quarters: int) -> bool:
    x, y, wide, high = moving
    if quarters < 0:  # the same in a mirror
        return _meet((-x, y, wide, high), (-still[0], *still[1:]), -quarters)
    return quarters > 0 and (
        _core.oblongs_meet(moving, still) or _meet((-y, x, high, wide), still, quarters - 1)
    )
