"""Routes of pieces that tilt, slide and turn: rooms with known answers, and random scenes.

Every route is judged by the referee, and by the plain twin at many times on its way. Where the core
says that there is none, the twin must not find one.
"""

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest
from tests.search import plain_routes
from tests.search.plain_routes import Flat, Piece

from kumitate import PuzzleError
from kumitate._core import find_route
from kumitate.model.geometry import ZERO, Cell
from kumitate.model.route import Pose
from kumitate.referee.oblongs import Oblong, Stand, hits_turning, oblongs
from kumitate.referee.routes import route_faults
from kumitate.search.disassemble import pose_of

SOAK = bool(os.environ.get("KUMITATE_SOAK"))


class Answer(NamedTuple):
    verdict: str
    tolerance: Fraction
    none_at: Fraction  # below 0 if nothing is known
    route: list[Pose]


def ask(
    moving: Sequence[Piece],
    staying: Sequence[Piece],
    quarters: int,
    tolerance: Fraction | None = Fraction(0),
    goal: tuple[int, int] | None = None,
    clearance: Fraction = Fraction(2, 100),
    boxes: int = 100_000,
) -> Answer:
    """The core's answer, after the referee's judgement; without a tolerance, the least one."""
    units = None if tolerance is None else int(tolerance * 2000)
    verdict, least, none_at, poses, _ = find_route(
        [list(piece) for piece in moving],
        [list(piece) for piece in staying],
        quarters,
        units,
        int(clearance * 2000),
        goal,
        boxes,
    )
    route = [pose_of(pose) for pose in poses]
    answer = Answer(verdict, Fraction(least, 2000), Fraction(none_at, 2000), route)
    assert (verdict == "found") == bool(route)
    if route:
        assert faults(moving, staying, answer) == []
        assert route[-1].turn == quarters
    return answer


def faults(moving: Sequence[Piece], staying: Sequence[Piece], answer: Answer) -> list[str]:
    return route_faults(cubes(moving), cubes(staying), 2, answer.route, answer.tolerance)


def cubes(pieces: Sequence[Piece]) -> list[set[Cell]]:
    return [{(u, v, layer, 0) for layer, u, v in piece} for piece in pieces]


def block(wide: int, high: int, u: int = 0, v: int = 0) -> list[Flat]:
    return [(0, u + i, v + j) for i in range(wide) for j in range(high)]


def room(wide: int, high: int) -> list[Flat]:
    """A wall around so many cells."""
    inside = set(block(wide, high))
    return [cell for cell in block(wide + 2, high + 2, -1, -1) if cell not in inside]


def drawn(text: str) -> tuple[list[list[Flat]], list[list[Flat]]]:
    """What moves, M, and what stays, #; the first row is the highest."""
    rows = text.split()[::-1]
    cells: dict[str, list[Flat]] = {"M": [], "#": [], ".": []}
    for v, row in enumerate(rows):
        for u, sign in enumerate(row):
            cells[sign].append((0, u, v))
    return [cells["M"]], [cells["#"]]


SQUARE, WALL = [block(1, 1)], [block(15, 1, -7, -1)]

# ---- rooms with known answers ----


def test_a_square_beside_a_wall_turns_in_place_only_if_its_axis_moves() -> None:
    answer = ask(SQUARE, WALL, 1, goal=(1, 0))
    assert answer.verdict == "found"
    assert len(answer.route) > 2
    assert answer.route[-1][:2] == answer.route[0][:2]
    # On the way its diagonal is upright, and then its axis is (sqrt(2) - 1) / 2 farther away.
    _, y, angle = along(answer.route)
    lift = (np.abs(np.cos(angle)) + np.abs(np.sin(angle)) - 1) / 2
    assert (y - 0.5 >= lift - 1e-9).all()
    assert y.max() > 0.5 + (sqrt(2) - 1) / 2 - 1e-4


@pytest.mark.parametrize("quarters", [1, -1])
@pytest.mark.parametrize("length", [2, 3, 4, 6])
def test_a_stick_beside_a_wall_turns(length: int, quarters: int) -> None:
    assert ask([block(length, 1)], WALL, quarters).verdict == "found"


@pytest.mark.parametrize(("quarters", "goal"), [(1, (2, 0)), (-1, (1, 3))])
def test_a_stick_stands_up_where_its_middle_was_only_with_a_moving_pivot(
    quarters: int, goal: tuple[int, int]
) -> None:
    answer = ask([block(3, 1)], WALL, quarters, goal=goal)
    assert answer.route[-1][:2] == (Fraction(3, 2), Fraction(3, 2))
    at_once = answer._replace(route=[answer.route[0], answer.route[-1]])
    assert faults([block(3, 1)], WALL, at_once) == ["leg 1 hits a piece"]


def test_a_square_between_two_walls() -> None:
    least = ask([block(1, 1, 2)], [room(5, 1)], 1, None)
    needed = (sqrt(2) - 1) / (2 * (sqrt(2) + 1))
    assert least.none_at < needed <= least.tolerance <= least.none_at + Fraction(1, 1000)
    assert f"{needed:.4f}" == "0.0858"


def test_a_corner_swing_under_a_ceiling() -> None:
    # About its own corner a square rises by sqrt(2) - 1; set back, by 0.1716 less all around.
    ceiling = [block(15, 1, -7, -1), block(15, 1, -7, 1)]
    needed = 3 - 2 * sqrt(2)
    assert f"{needed:.4f}" == "0.1716"
    half = Fraction(1, 2)
    swing = [Pose(half, half, Fraction(0)), Pose(-half, half, Fraction(1))]
    for thousandths, expected in ((171, ["leg 1 hits a piece"]), (172, [])):
        tolerance = Fraction(thousandths, 1000)
        assert route_faults(cubes(SQUARE), cubes(ceiling), 2, swing, tolerance) == expected


def test_a_bar_in_rooms() -> None:
    bar = [block(3, 1, 0, 1)]
    assert ask(bar, [room(3, 3)], 1).verdict == "none"
    assert ask(bar, [room(3, 3)], 1).none_at == 0
    assert ask(bar, [room(4, 4)], 1).verdict == "found"
    assert ask(bar, [room(5, 5)], 1).verdict == "found"
    # In the middle of the room its corners are as far from the centre as the walls:
    # (1.5 - t)^2 + (0.5 - t)^2 = (1.5 + t)^2.
    needed = (7 - sqrt(48)) / 2
    least = ask(bar, [room(3, 3)], 1, None)
    assert least.none_at < needed <= least.tolerance <= least.none_at + Fraction(1, 1000)


def test_a_key_in_a_well() -> None:
    # The shaft is in one layer, the bit has room in the next.
    well = [
        (0, u, v) for u in range(-3, 5) for v in range(-3, 5) if not (0 <= u < 2 and 0 <= v < 2)
    ]
    bit = [(1, 0, 0), (1, 1, 0), (1, 2, 0)]
    assert ask([[(0, 0, 0), *bit]], [well], 1).verdict == "found"
    # A shaft that fills the well cannot turn at all, unless it is set back as for a corner swing.
    full = [(0, u, v) for u in (0, 1) for v in (0, 1)]
    for moving in ([[*full, *bit]], [full, bit]):
        assert ask(moving, [well], 1).verdict == "none"
        least = ask(moving, [well], 1, None)
        needed = 2 * (sqrt(2) - 1) / (2 * (sqrt(2) + 1))
        assert least.none_at < needed <= least.tolerance <= least.none_at + Fraction(1, 1000)


def test_tilt_slide_tilt_back() -> None:
    # It cannot slide down and left, nor can it turn, unless its faces are set back much farther.
    moving, staying = drawn("""
        ######
        #...M#
        ##MMM#
        #...##
        #.#..#
        ######
    """)
    least = ask(moving, staying, 0, None, (-1, -1))
    assert (least.none_at, least.tolerance) == (Fraction(111, 2000), Fraction(113, 2000))
    angles = along(least.route)[2]
    assert 0.1 < np.abs(angles).max() < 1
    tolerance = least.tolerance + Fraction(1, 100)
    for quarters in (1, -1):
        assert ask(moving, staying, quarters, tolerance).verdict == "none"


def test_a_goal_that_is_taken_or_out_of_reach() -> None:
    bar = [block(3, 1, 0, 1)]
    assert ask(bar, [room(5, 5)], 0, goal=(0, 9)).verdict == "none"
    assert ask(bar, [room(5, 5)], 0, goal=(3, 0)).verdict == "none"
    assert ask(bar, [room(5, 5)], 0, goal=(1, 2)).verdict == "found"


def test_the_goal_may_be_far_away() -> None:
    assert ask(SQUARE, WALL, 1, goal=(40, 30)).verdict == "found"


def test_other_layers_do_not_matter() -> None:
    bar = [block(3, 1, 0, 1)]
    lifted = [[(1, u, v) for _, u, v in room(3, 3)]]
    assert ask(bar, lifted, 1).verdict == "found"
    assert ask(bar, [*lifted, room(3, 3)], 1).verdict == "none"


def test_the_search_gives_up() -> None:
    bar = [block(3, 1, 0, 1)]
    assert ask(bar, [room(3, 3)], 1, Fraction(35, 1000), boxes=100).verdict == "limit"


def test_bad_questions() -> None:
    bar, walls = [block(3, 1, 0, 1)], [room(3, 3)]
    with pytest.raises(PuzzleError, match="less than half a cell"):
        ask(bar, walls, 1, Fraction(1, 2))
    with pytest.raises(PuzzleError, match="thousandth of a cell"):
        ask(bar, walls, 1, clearance=Fraction(0))
    with pytest.raises(PuzzleError, match="less than a full turn"):
        ask(bar, walls, 4)
    with pytest.raises(PuzzleError, match="overlap"):
        ask(bar, [block(1, 1, 0, 1)], 0, goal=(0, 0))
    with pytest.raises(PuzzleError, match="1024 cells"):
        ask(bar, [block(1, 1, -(2**31))], 1)
    with pytest.raises(PuzzleError, match="2048 cells"):
        ask(bar, walls, 1, goal=(0, 2**31 - 1))
    with pytest.raises(PuzzleError, match="nothing moves"):
        ask([], walls, 1)


def test_the_referee_refuses_altered_routes() -> None:
    answer = ask(SQUARE, WALL, 1, goal=(1, 0))
    for n, pose in enumerate(answer.route):
        for altered in (
            pose._replace(x=pose.x + Fraction(1, 3)),
            pose._replace(y=pose.y - Fraction(1, 2)),
            pose._replace(turn=pose.turn + Fraction(1, 2)),
        ):
            if 0 < n < len(answer.route) - 1 and altered.x != pose.x:
                continue  # along the wall it may go where it likes
            route = [*answer.route[:n], altered, *answer.route[n + 1 :]]
            assert faults(SQUARE, WALL, answer._replace(route=route))
    tight = ask([block(3, 1, 0, 1)], [room(3, 3)], 1, None)
    less = tight._replace(tolerance=tight.tolerance - Fraction(1, 1000))
    assert faults([block(3, 1, 0, 1)], [room(3, 3)], less) == ["leg 1 hits a piece"]


# ---- random scenes ----


def random_scene(chance: random.Random) -> tuple[list[list[Flat]], list[list[Flat]]]:
    """A piece of 1 to 4 cells in a room with some blocks."""
    side, layers = chance.choice((3, 4, 5)), chance.choice((1, 1, 2))
    inside = {(w, u, v) for w in range(layers) for u in range(side) for v in range(side)}
    walls = {(w, u, v) for w in range(layers) for _, u, v in room(side, side)}
    size, piece = chance.randint(1, 4), {chance.choice(sorted(inside))}
    while len(piece) < size:
        w, u, v = chance.choice(sorted(piece))
        dw, du, dv = chance.choice([(1, 0, 0), (0, 1, 0), (0, 0, 1)])
        sign = chance.choice((1, -1))
        cell = (w + sign * dw, u + sign * du, v + sign * dv)
        if cell in inside:
            piece.add(cell)
    rest = sorted(inside - piece)
    blocks = chance.sample(rest, chance.randint(0, len(rest) // 2))
    if chance.random() < 0.5:  # one large piece stays, or many small ones
        return [sorted(piece)], [sorted(walls.union(blocks))]
    return [sorted(piece)], [sorted(walls), *([cell] for cell in blocks)]


def along(route: Sequence[Pose], times: int = 100) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Poses on a route, from a plain formula in floating point: x, y and angle."""

    def angle_of(turn: Fraction) -> float:
        return float(turn // 1) * np.pi / 2 + 2 * float(np.arctan(float(turn % 1)))

    def poses() -> Iterator[np.ndarray]:
        s = np.linspace(0, 1, times)
        for here, there in pairwise(route):
            a, b = (complex(float(pose.x), float(pose.y)) for pose in (here, there))
            first, last = angle_of(here.turn), angle_of(there.turn)
            angle = first + s * (last - first)
            if there.about:
                middle = complex(*map(float, there.about))
                early, late = np.sin(last - angle), np.sin(angle - first)
                at = middle + (early * (a - middle) + late * (b - middle)) / np.sin(last - first)
            elif first == last:
                at = a + s * (b - a)
            else:
                pivot = (b - a * np.exp(1j * (last - first))) / (1 - np.exp(1j * (last - first)))
                at = pivot + (a - pivot) * np.exp(1j * (angle - first))
            yield np.stack([at.real, at.imag, angle])

    x, y, angle = np.concatenate(list(poses()), axis=1)
    return x, y, angle


def compare(seed: int) -> tuple[str, bool]:
    """The verdict on a random scene, and whether the twin finds a route."""
    chance = random.Random(seed)
    moving, staying = random_scene(chance)
    tolerance = Fraction(chance.choice((0, 0, 20, 40, 60, 80, 100, 150, 200)), 1000)
    quarters = chance.choice((1, -1, 0))
    answer = ask(moving, staying, quarters, tolerance)
    if answer.route:
        gaps = plain_routes.gaps(moving, staying, float(tolerance), *along(answer.route))
        assert gaps.min() > -1e-9
    found = False
    if tolerance:
        less = float(tolerance) - 0.01
        found = bool(plain_routes.stops(moving, staying, [quarters], less))
        assert not found or answer.verdict == "found"
    return answer.verdict, found


@pytest.mark.parametrize("tens", range(1000 if SOAK else 20))
def test_random_scenes(tens: int) -> None:
    for seed in range(10 * tens, 10 * tens + 10):
        compare(seed)


def test_random_scenes_are_of_all_kinds() -> None:
    kinds = Counter(compare(seed) for seed in range(30))
    assert kinds["found", True] >= 5
    assert kinds["found", False] >= 5
    assert kinds["none", False] >= 5


def legal_pivots(
    moving: Sequence[Piece], staying: Sequence[Piece], quarters: int
) -> list[tuple[int, int]]:
    """Pivots, in half cells, about which hard pieces make a quarter turn."""

    def seen(pieces: Sequence[Piece], x: int, y: int) -> list[Oblong]:
        return [
            oblong._replace(x=oblong.x - x, y=oblong.y - y)
            for piece in cubes(pieces)
            for oblong in oblongs(Stand(frozenset(piece), ZERO), 2, ZERO, 1, Fraction(0))
        ]

    return [
        (x, y)
        for x in range(-4, 13)
        for y in range(-4, 13)
        if (x + y) % 2 == 0
        and not any(
            a.layer == b.layer and hits_turning(a, b, quarters)
            for a in seen(moving, x, y)
            for b in seen(staying, x, y)
        )
    ]


@pytest.mark.parametrize("seed", range(200 if SOAK else 6))
def test_what_turns_about_a_fixed_pivot_has_a_route(seed: int) -> None:
    moving, staying = random_scene(random.Random(5000 + seed))
    for quarters in (1, -1):
        if legal_pivots(moving, staying, quarters):
            assert ask(moving, staying, quarters).verdict == "found"
