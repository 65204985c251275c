"""Burrs that do not come apart: whether something in them turns, against the plain twin."""

import os
import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, islice

import pytest
from tests.burr6 import plain_turns
from tests.search.test_routes import cubes

from kumitate import _core
from kumitate.burr6.counts import STUCK, TURNING, UNCLEAR
from kumitate.burr6.enumeration import _code
from kumitate.burr6.frame import CELLS, home, turned, turns
from kumitate.referee.routes import route_faults
from kumitate.search.disassemble import pose_of


@cache
def all_kinds(length: int = 6) -> _core.BurrEnumeration:
    """Sticks that lack any of their twelve cubes, even if they are then in several parts.

    Nothing turns in millions of burrs of real sticks; in one of a hundred such something does.
    """
    return burrs_of(range(4096), length)


def burrs_of(kinds: Iterable[int], length: int = 6) -> _core.BurrEnumeration:
    rotations, reflections = turns()
    images = [[_code(turned(turn, c)) for c in CELLS] for turn in (*rotations, *reflections)]
    cells, removable = ([*map(_code, cells)] for cells in home())
    return _core.BurrEnumeration(
        cells, removable, [*kinds], images, len(rotations), solid=False, length=length
    )


def body(place: int, kind: int, length: int = 6) -> plain_turns.Body:
    cells, removable = home(length)
    gone = {cell for bit, cell in enumerate(removable) if not kind >> bit & 1}
    turn = turns()[0][all_kinds().places[place]]
    return frozenset(turned(turn, cell) for cell in cells if cell not in gone)


def bodies(kinds: Sequence[int], length: int = 6) -> list[plain_turns.Body]:
    arm = (length - 6) // 2  # no cell has a negative number
    return [
        frozenset((x + arm, y + arm, z + arm) for x, y, z in body(*kind, length))
        for kind in enumerate(kinds)
    ]


def random_burr(dice: random.Random) -> list[int]:
    """Some have many holes, some few."""
    kinds: list[int] = []
    taken: set[tuple[int, int, int]] = set()
    for place in range(6):
        turn = turns()[0][all_kinds().places[place]]
        full = dice.choice([0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
        kind = sum(
            1 << bit
            for bit, cell in enumerate(home()[1])
            if turned(turn, cell) not in taken and dice.random() < full
        )
        kinds.append(kind)
        taken |= body(place, kind)
    return kinds


def closed_burrs(dice: random.Random, length: int = 6) -> Iterator[list[int]]:
    """Random burrs that do not come apart by slides."""
    while True:
        kinds = random_burr(dice)
        if all_kinds(length).ending(kinds) in (0, STUCK):
            yield kinds


def turns_found(kinds: Sequence[int], length: int = 6, turns: int = 0) -> bool:
    return all_kinds(length).ending([*kinds], turns=turns) == TURNING


def judged(route: plain_turns.Route, tolerance: int) -> bool:
    """Whether the referee finds nothing wrong with a route."""
    poses = [pose_of(pose) for pose in route.poses]
    faults = route_faults(
        cubes(route.moving), cubes(route.staying), 2, poses, Fraction(tolerance, 500)
    )
    return not faults and poses[-1].turn == route.quarters


MANY = 80 if os.environ.get("KUMITATE_SOAK") else 1


@pytest.mark.parametrize(("length", "some"), [(6, 24), (8, 3)])
def test_nothing_turns_that_does_not_turn_in_the_plain_twin_and_the_reverse(
    length: int, some: int
) -> None:
    """Moving pivots take the twin longer, so most burrs in which nothing turns are left out."""
    for n, kinds in enumerate(islice(closed_burrs(random.Random(3), length), some * MANY)):
        pieces = bodies(kinds, length)
        found = all_kinds(length).ending(kinds, turns=0)
        if plain_turns.something_turns(pieces):
            assert found == TURNING, kinds
            continue
        if n % 8 and found == STUCK:
            continue
        routes = [*plain_turns.routes(pieces)]
        assert bool(routes) == (found in (TURNING, UNCLEAR)), kinds


@pytest.mark.parametrize(("length", "some"), [(6, 4), (8, 1)])
def test_what_turns_also_turns_in_the_plain_twin(length: int, some: int) -> None:
    """Or the twin, which divides cells otherwise, cannot tell."""
    burrs = closed_burrs(random.Random(5), length)
    for kinds in islice((one for one in burrs if turns_found(one, length)), some * MANY):
        pieces = bodies(kinds, length)
        assert plain_turns.something_turns(pieces) or [*plain_turns.routes(pieces)], kinds


# The Programmer's Nightmare.
NIGHTMARE = (768, 3140, 3339, 1792, 3620, 960)


def test_a_turn_about_a_moving_pivot_is_found_and_judged() -> None:
    pieces = bodies(NIGHTMARE, 8)
    assert not plain_turns.something_turns(pieces)
    for tolerance in (0, 5):
        assert turns_found(NIGHTMARE, 8, turns=tolerance)
        turn = next(filter(None, plain_turns.routes(pieces, tolerance=tolerance)))
        assert judged(turn, tolerance)
        assert not judged(turn._replace(poses=[turn.poses[0], turn.poses[-1]]), tolerance)


@pytest.mark.parametrize("length", [6, 8, 10, 12])
def test_where_nothing_slides_nothing_turns(length: int) -> None:
    """The cells that every stick has allow a turn only about a pivot beside what turns or stays.

    A face that touches another then moves the same way as all others of that set, so the set can
    slide that way. That settles all rigid burrs.
    """
    bare = bodies([0] * 6, length)
    for axis in range(3):
        across = ((axis + 1) % 3, (axis + 2) % 3)
        found = 0
        for some, *pivot in plain_turns.turns_in_place(bare, axis):
            sides = (some, {*range(6)} - some)
            found += 1
            assert any(
                pivot[n] <= min(cell[k] for i in side for cell in bare[i])
                or pivot[n] >= max(cell[k] + 1 for i in side for cell in bare[i])
                for side in sides
                for n, k in enumerate(across)
            ), (axis, some, pivot)
        assert found > 100


def test_all_burrs_of_some_sticks_are_asked() -> None:
    """Those of a burr where something turns, and what symmetries of the frame make of them."""
    cells, removable = home()
    kinds = {1424, 3377, 64, 1582, 3842, 2}
    for turn in chain(*turns()):
        if {turned(turn, cell) for cell in cells} == {*cells}:
            onto = [removable.index(turned(turn, cell)) for cell in removable]
            kinds |= {sum(1 << onto[b] for b in range(12) if kind >> b & 1) for kind in kinds}
    burrs = burrs_of(kinds)
    tasks = array("I", range(burrs.tasks))
    plain, *_, none = burrs.run(tasks, least=TURNING)
    turning, *_, kept = burrs.run(tasks, least=TURNING, turns=0)
    assert none == []
    assert (plain[STUCK], turning[STUCK], turning[TURNING], len(kept)) == (756, 624, 132, 132)
    assert [n for e, n in enumerate(plain) if e not in (STUCK, TURNING)] == [
        n for e, n in enumerate(turning) if e not in (STUCK, TURNING)
    ]
    for some, *_ in random.Random(1).sample(kept, 5):
        assert burrs.ending(some, turns=0) == TURNING
        assert plain_turns.something_turns(bodies(some))
