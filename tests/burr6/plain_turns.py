"""The plain twin of the search for burrs in which something turns: every state, pivot and set.

Sticks stand at whole or half cells along every axis, and turn about pivots at quarters of cells
within the box around them. Whether a cell hits another on its way is the core's rule, which
tests/search/test_turns.py compares with the referee's.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations, product
from math import hypot
from typing import NamedTuple

from kumitate import _core
from kumitate.model.geometry import Vector

Body = frozenset[Vector]
State = tuple[Vector, ...]  # where the pieces are, in half cells


def something_turns(bodies: Sequence[Body], most: int = 500) -> bool:
    """Whether any of some pieces can turn in any state that slides by half cells lead to.

    >>> bar, block = frozenset({(0, 0, 0), (1, 0, 0), (2, 0, 0)}), frozenset({(0, 0, 1)})
    >>> something_turns([bar, block], most=1)
    True
    """
    return any(_turns(bodies, state, axis) for state in states(bodies, most) for axis in range(3))


def states(bodies: Sequence[Body], most: int = 500) -> Iterator[State]:
    """All states that slides by half cells lead to."""
    start: State = ((0, 0, 0),) * len(bodies)
    known, here = {start}, [start]
    while here:
        state = here.pop()
        yield state
        for there in _slid(bodies, state):
            if there not in known and len(known) < most:
                known.add(there)
                here.append(there)
    assert len(known) < most or most == 1


Flats = list[list[tuple[int, int, int]]]  # pieces: layers, and squares of half a cell


class Route(NamedTuple):
    """How some pieces turn about a moving pivot."""

    moving: Flats
    staying: Flats
    quarters: int
    poses: Sequence[Sequence[int]]


def routes(bodies: Sequence[Body], tolerance: int = 0) -> Iterator[Route | None]:
    """Turns of the sticks along an axis, one or two of them; None where that is unclear.

    In every state, without asking first what can begin to turn. The tolerance is in parts of which
    a cell has 1000.
    """
    for state, axis in product(states(bodies), range(3)):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        if any(at[axis] % 2 for at in state):
            continue  # two layers would be in the way where one is
        flats: Flats = [
            [
                (
                    cell[axis] + at[axis] // 2,
                    2 * cell[u] + at[u] + i,
                    2 * cell[v] + at[v] + j,
                )
                for cell in body
                for i, j in product((0, 1), repeat=2)
            ]
            for body, at in zip(bodies, state, strict=True)
        ]
        lying = [n for n, body in enumerate(bodies) if len({cell[axis] for cell in body}) > 4]
        for moves in (*({n} for n in lying), {*lying}):
            moving = [flat for n, flat in enumerate(flats) if n in moves]
            staying = [flat for n, flat in enumerate(flats) if n not in moves]
            near, far, certain, *_ = _core.find_stops(
                moving, staying, tolerance=4 * tolerance, clearance=80, boxes=20_000
            )
            if not certain:
                yield None
            for quarters, _, _, poses in (*near, *far):
                if quarters % 4:
                    yield Route(moving, staying, quarters, poses)


def _slid(bodies: Sequence[Body], state: State) -> Iterator[State]:
    others = range(1, len(bodies))
    for some in (set(s) for size in others for s in combinations(others, size)):
        for axis, by in product(range(3), (1, -1)):
            there = tuple(
                (at[0] + by * (axis == 0), at[1] + by * (axis == 1), at[2] + by * (axis == 2))
                if n in some
                else at
                for n, at in enumerate(state)
            )
            if not any(
                _overlap(bodies[a], bodies[b], _minus(there[b], there[a]))
                for a in some
                for b in range(len(bodies))
                if b not in some
            ):
                yield there


def _minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@lru_cache(1 << 16)
def _overlap(a: Body, b: Body, offset: Vector) -> bool:
    return any(
        all(abs(2 * (there[n] - here[n]) + offset[n]) < 2 for n in range(3))
        for here in a
        for there in b
    )


# Maps of pivots are whole numbers with a bit for each: rows of WIDE quarters of a cell.
WIDE, FROM, NEAR = 256, 100, 40


def _turns(bodies: Sequence[Body], state: State, axis: int) -> bool:
    everyone = range(len(bodies))
    for quarters in (1, 2):
        pivots = _lattice(bodies, state, axis, quarters)
        hit = _pushes(bodies, state, axis, quarters)
        for c, a, b in product(everyone, repeat=3):  # what is hit turns too
            if len({a, b, c}) == 3:
                hit[a, b] |= hit[a, c] & hit[c, b]
        for a in everyone:
            whole = pivots
            for b in everyone:
                whole &= hit[a, b] if a != b else whole
            if whole != pivots:  # about some pivot not everyone turns
                return True
    return False


def turns_in_place(bodies: Sequence[Body], axis: int) -> Iterator[tuple[set[int], float, float]]:
    """All sets that can make a quarter turn where they stand, with their pivots in cells."""
    state: State = ((0, 0, 0),) * len(bodies)
    pivots = _lattice(bodies, state, axis, 1) | _lattice(bodies, state, axis, 2)
    hit = _pushes(bodies, state, axis, 1)
    everyone = set(range(len(bodies)))
    for some in (set(s) for n in range(1, len(bodies)) for s in combinations(everyone, n)):
        left = pivots
        for a, b in product(some, everyone - some):
            left &= ~hit[a, b]
        while left:
            y, x = divmod(left.bit_length() - 1, WIDE)
            yield some, (x - FROM) / 4, (y - FROM) / 4
            left ^= 1 << y * WIDE + x


def _lattice(bodies: Sequence[Body], state: State, axis: int, quarters: int) -> int:
    """The pivots in the box around the pieces that lead them from half cells to half cells.

    For half turns only those that do not for quarter turns.
    """
    u, v = (axis + 1) % 3, (axis + 2) % 3
    corners = [
        (4 * cell[u] + 2 * at[u], 4 * cell[v] + 2 * at[v])
        for body, at in zip(bodies, state, strict=True)
        for cell in body
    ]
    (left, right), (bottom, top) = ((min(c), max(c) + 4) for c in zip(*corners, strict=True))
    return sum(
        1 << (y + FROM) * WIDE + x + FROM
        for x, y in product(range(left, right + 1), range(bottom, top + 1))
        if (x + y) % 2 == quarters - 1
    )


def _pushes(
    bodies: Sequence[Body], state: State, axis: int, quarters: int
) -> dict[tuple[int, int], int]:
    """For two pieces, the pivots about which the first hits the second, counter-clockwise."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    found = {}
    for a, b in permutations(range(len(bodies)), 2):
        corner = (2 * state[a][v] + FROM) * WIDE + 2 * state[a][u] + FROM
        hit = _hits(bodies[a], bodies[b], axis, _minus(state[b], state[a]), quarters)
        found[a, b] = hit << corner >> NEAR * (WIDE + 1)
    return found


@cache
def _hits(a: Body, b: Body, axis: int, offset: Vector, quarters: int) -> int:
    """The pivots about which the first piece hits the second, counter-clockwise."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    found = 0
    for c, d in product(a, b):
        if abs(2 * (d[axis] - c[axis]) + offset[axis]) < 2:
            by = (4 * (d[u] - c[u]) + 2 * offset[u], 4 * (d[v] - c[v]) + 2 * offset[v])
            found |= _cell_hits(*by, quarters) << 4 * (c[v] * WIDE + c[u])
    return found


@cache
def _cell_hits(x: int, y: int, quarters: int) -> int:
    """The pivots about which a cell hits another; from NEAR before its low corner."""
    found = 0
    for u, v in product(range(-NEAR, NEAR), repeat=2):
        a, b = 2 - u, 2 - v  # the middle of the cell, from the pivot
        if abs(hypot(a, b) - hypot(a + x, b + y)) < 6:  # else they are too far to meet
            there = (a + x, b + y, 2, 2)
            if _core.oblongs_meet((a, b, 2, 2), there) or (
                quarters == 2 and _core.oblongs_meet((-b, a, 2, 2), there)
            ):
                found |= 1 << (v + NEAR) * WIDE + u + NEAR
    return found
