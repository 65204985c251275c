"""The referee replays turns: what is right passes, and whatever is altered is refused."""

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.files.strategies import rotations
from tests.search.test_turns import box, key, random_scene, room

from kumitate import (
    CUBES,
    Answers,
    Assembly,
    Disassembly,
    Document,
    Move,
    Piece,
    Placement,
    Problem,
    Puzzle,
    Rotation,
    Shape,
    Solution,
    examine,
)
from kumitate._core import find_route
from kumitate.files import json
from kumitate.grids import PRISMS
from kumitate.model.geometry import Cell
from kumitate.model.route import Pose
from kumitate.model.solution import AnyMove
from kumitate.referee import disassembly_faults
from kumitate.referee.oblongs import Stand, oblongs
from kumitate.search.disassemble import pose_of
from kumitate.store.schema import pack_tree, unpack_levels, unpack_tree


def pair(first: set[Cell], second: set[Cell]) -> Assembly:
    """Two pieces where they are."""
    pieces = [Piece(Shape(CUBES, cells)) for cells in (first, second)]
    problem = Problem(Shape(CUBES, first | second), pieces)
    return Assembly(problem, [Placement(n, 0, (0, 0, 0)) for n in range(2)])


UP = Move([1], (0, 0, 1), None)


def found(assembly: Assembly, turns: float = 0) -> Disassembly:
    tree = examine(assembly, turns=turns).disassembly
    assert tree is not None
    assert disassembly_faults(assembly, tree) == []
    return tree


def altered(turn: Rotation) -> Iterator[Rotation]:
    """The same in many other ways, none of which is right."""
    x, y, z = turn.pivot
    for step in (1, 2, 3):
        yield replace(turn, pivot=(x + step, y, z))
        yield replace(turn, pivot=(x, y - step, z))
        yield replace(turn, pivot=(x + step, y + step, z))
    yield replace(turn, pivot=(x, y, z + 2))
    for axis in {0, 1, 2, 3, -1} - {turn.axis}:
        yield replace(turn, axis=axis)
    for quarters in {-4, 0, 2, 4, 5}:
        yield replace(turn, quarters=quarters)
    for pieces in ((), (0, 1), (1, 1), (7,), (-1,)):
        yield replace(turn, pieces=pieces)
    for tolerance in (Fraction(-1, 1000), Fraction(1, 2), Fraction(7), turn.tolerance + 1):
        yield replace(turn, tolerance=tolerance)
    for thousandths in (-1, 1, 100):
        tolerance = turn.tolerance + Fraction(thousandths, 1000)
        yield replace(turn, tolerance=tolerance)
    for parts in (0, -1, 2, 3):
        yield replace(turn, parts=parts)


@pytest.mark.parametrize(
    ("assembly", "turns"), [(room(3, 2), 0.036), (room(4, 1), 0), (key(), 0)], ids=["3", "4", "key"]
)
def test_an_altered_turn_is_refused(assembly: Assembly, turns: float) -> None:
    moves = list(found(assembly, turns).moves)
    at = next(n for n, move in enumerate(moves) if isinstance(move, Rotation))
    turn = moves[at]
    assert isinstance(turn, Rotation)
    for other in altered(turn):
        wrong = Disassembly([*moves[:at], other, *moves[at + 1 :]])
        [fault] = disassembly_faults(assembly, wrong)
        assert "\n" not in fault


def test_a_turn_takes_nothing_away() -> None:
    assembly = room(4, 1)
    slide, turn, _ = found(assembly).moves
    assert isinstance(turn, Rotation)
    [fault] = disassembly_faults(assembly, Disassembly([slide, turn]))
    assert fault.endswith(f"turning about {turn.pivot}: takes nothing away")


def test_pieces_on_other_grids_do_not_turn() -> None:
    prisms = Assembly.from_text(PRISMS, "AB")
    turn = Rotation([1], 2, 1, (0, 0, 0))
    [fault] = disassembly_faults(prisms, Disassembly([turn, UP]))
    assert fault.endswith("pieces on the grid 'prisms' do not turn")


def fine_room() -> tuple[Assembly, Disassembly]:
    """A bar of two turns in the middle of a room of three by three, half a cell from where it was.

    Where it was, its corners would hit the walls.
    """
    inside: set[Cell] = {(x, y, 1, 0) for x in (1, 2, 3) for y in (1, 2, 3)}
    bar: set[Cell] = {(1, 2, 1, 0), (2, 2, 1, 0)}
    slot: set[Cell] = {(2, y, 2, 0) for y in (1, 2, 3)}
    assembly = pair(box(5, 5, 3, inside | slot), bar)
    moves: list[AnyMove] = [
        Move([1], (1, 0, 0), 1, 2),  # half a cell, to the middle
        Rotation([1], 2, 1, (10, 10, 0), 2),
        Move([1], (0, 1, 0), 1, 2),
        Move([1], (0, 0, 1), None, 2),
    ]
    return assembly, Disassembly(moves)


def test_turns_between_cells() -> None:
    assembly, tree = fine_room()
    assert disassembly_faults(assembly, tree) == []
    slide, turn, back, out = tree.moves
    assert isinstance(turn, Rotation)
    assert isinstance(back, Move)
    tries: list[list[AnyMove]] = [
        [turn, back, out],
        [slide, replace(turn, pivot=(10, 8, 0)), back, out],
        [slide, replace(turn, pivot=(11, 11, 0)), back, out],
        [slide, turn, replace(back, units=3), out],
    ]
    for moves in tries:
        assert disassembly_faults(assembly, Disassembly(moves)), moves
    other = replace(turn, pivot=(5, 5, 0), parts=1)  # about the same point
    assert disassembly_faults(assembly, Disassembly([slide, other, back, out])) == []


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_of_a_piece_is_in_its_oblongs(seed: int) -> None:
    """A point is left if the square around it, as wide as the faces are set back, is inside."""
    chance = random.Random(seed)
    cells = {(x, y) for x in range(5) for y in range(5) if chance.random() < 0.7}
    inset = Fraction(chance.choice([0, 1, 3, 5]), 16)
    piece = Stand(frozenset((x, y, 0, 0) for x, y in cells), (0, 0, 0))
    found = list(oblongs(piece, 2, (0, 0, 0), 1, 2 * inset))
    for x, y in product([Fraction(2 * n + 1, 32) for n in range(16 * 5)], repeat=2):
        near = product((x - inset, x + inset), (y - inset, y + inset))
        left = all((a // 1, b // 1) in cells for a, b in near)
        assert left == any(
            abs(2 * x - one.x) < one.wide and abs(2 * y - one.y) < one.high for one in found
        )


# ---- routes ----


def walled(quarters: int, goal: tuple[int, int]) -> tuple[Assembly, Rotation]:
    """A bar of three that lies along a wall; and how it gets to the goal."""
    bar: set[Cell] = {(x, 0, 0, 0) for x in range(3)}
    wall: set[Cell] = {(x, -1, 0, 0) for x in range(-7, 8)}
    assembly = pair(wall, bar)
    flat = [[(z, x, y) for x, y, z, _ in sorted(part)] for part in (bar, wall)]
    verdict, _, _, poses, _ = find_route([flat[0]], [flat[1]], quarters, 0, 40, goal)
    assert verdict == "found"
    route = [pose_of(pose) for pose in poses]
    pivot = (0, 0, 0)
    if quarters:
        first, last = route[0], route[-1]
        x, y = last.x - first.x, last.y - first.y
        # (1 - R) (pivot - first) = last - first, R being the quarter turn
        u, v = first.x + (x - quarters * y) / 2, first.y + (y + quarters * x) / 2
        pivot = (int(2 * u), int(2 * v), 0)
    return assembly, Rotation([1], 2, quarters, pivot, route=route)


ROUTES = {"a stick stands up": walled(1, (2, 0)), "a stick lies elsewhere": walled(0, (2, 1))}


@pytest.mark.parametrize(("assembly", "turn"), ROUTES.values(), ids=ROUTES.keys())
def test_a_route_is_replayed(assembly: Assembly, turn: Rotation) -> None:
    out = Move([1], (0, 1, 0), None)
    assert turn.fault is None
    assert disassembly_faults(assembly, Disassembly([turn, out])) == []
    moved = {turn.turn_cell(cell) for cell in assembly.shapes[1].cells}
    back = Move([1], (0, -1, 0), 1)
    # It stands where the route ends: down to the wall, and no farther.
    low = min(y for _, y, _, _ in moved)
    assert disassembly_faults(assembly, Disassembly([turn, *[back] * low, out])) == []
    assert disassembly_faults(assembly, Disassembly([turn, *[back] * (low + 1), out]))


@pytest.mark.parametrize(("assembly", "turn"), ROUTES.values(), ids=ROUTES.keys())
def test_an_altered_route_is_refused(assembly: Assembly, turn: Rotation) -> None:
    out = Move([1], (0, 1, 0), None)
    half = Fraction(1, 2)
    first, *between, last = turn.route
    routes = [
        [first, last._replace(y=last.y - 2)],
        [first, *between],
        [*between, last] if between else [last],
        [first],
        [first._replace(x=first.x + half), *between, last],
        [first._replace(turn=half), *between, last],
        [first, *between, last._replace(turn=last.turn + half)],
        [first, *between, last._replace(turn=last.turn + 1)],
        [first, *between, last._replace(x=last.x + half)],
        [first, *between, last._replace(x=last.x + Fraction(1, 10**30))],
        [first, first._replace(y=first.y - Fraction(1, 10**12)), *between, last],
        [first, first._replace(turn=Fraction(5, 2)), *between, last],
    ]
    if turn.quarters:
        routes += [[first, last], [first, *between, last._replace(x=last.x + 1)]]
    for route in routes:
        faults = disassembly_faults(assembly, Disassembly([replace(turn, route=route), out]))
        assert faults, route
    others = [
        replace(turn, axis=0),
        replace(turn, axis=1),
        replace(turn, quarters=turn.quarters - 1),
        replace(turn, quarters=turn.quarters + 2),
        replace(turn, pivot=(2, 0, 0)),
        replace(turn, pivot=(1, 0, 0)),
        replace(turn, pieces=(0,)),
        replace(turn, tolerance=Fraction(1, 2)),
        replace(turn, route=()),
    ]
    for other in others:
        assert disassembly_faults(assembly, Disassembly([other, out])), other


def test_a_route_between_cells() -> None:
    """The same route, half a cell to the right of where it was found."""
    assembly, turn = ROUTES["a stick stands up"]
    half = Fraction(1, 2)
    route = [pose._replace(x=pose.x + half) for pose in turn.route]
    x, y, _ = turn.pivot
    moved = replace(turn, parts=2, pivot=(2 * x + 2, 2 * y, 0), route=route)
    slide, out = Move([1], (1, 0, 0), 1, 2), Move([1], (0, 1, 0), None, 2)
    assert disassembly_faults(assembly, Disassembly([slide, moved, out])) == []
    assert disassembly_faults(assembly, Disassembly([moved, out]))
    assert disassembly_faults(assembly, Disassembly([slide, turn, out]))


@settings(max_examples=200, deadline=None)
@given(rotations(st.sets(st.integers(0, 1), min_size=1, max_size=1).map(sorted), 1))
def test_any_turn_gets_an_answer_in_a_line(turn: Rotation) -> None:
    """However far the pivot is, and however odd the numbers of a route are."""
    assembly = room(4, 1)
    first = Fraction(5, 2), Fraction(3, 2), Fraction(0)
    turns = [turn]
    if turn.route and turn.axis == 2:  # begin where the bar is
        turns.append(replace(turn, route=[Pose(*first), *turn.route[1:]]))
    for one in turns:
        faults = disassembly_faults(assembly, Disassembly([one, UP]))
        assert len(faults) <= 1
        assert not any("\n" in fault for fault in faults)


@pytest.mark.parametrize("tolerance", [0, 0.05, 0.1, 0.15])
def test_what_is_found_is_right_and_kept(tolerance: float) -> None:
    """By files and by runs."""
    turned = 0
    for assembly in map(random_scene, range(600 if "KUMITATE_SOAK" in os.environ else 30)):
        tree = examine(assembly, turns=tolerance, max_states=1000).disassembly
        if tree is None:
            continue
        assert disassembly_faults(assembly, tree) == []
        assert unpack_tree(pack_tree(tree)) == tree
        assert unpack_levels(pack_tree(tree)) == tree.levels
        document = Document(Puzzle.of(assembly.problem), [Answers([Solution(assembly, tree)])])
        [answers] = json.read(json.write(document)).answers
        assert answers is not None
        assert answers.solutions[0].disassembly == tree
        turned += tree.levels.total_turns
    assert turned or not tolerance
