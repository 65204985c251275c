"""Turns as values: where they lead, in words, and what is not a turn."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from kumitate import CUBES, Assembly, Disassembly, Levels, Move, PuzzleError, Rotation
from kumitate.model.route import Pose
from kumitate.model.solution import read_levels

PAIR = Assembly.from_text(CUBES, "AB")


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("quarters", [-3, -2, -1, 1, 2, 3])
def test_a_turn_and_the_same_undone(axis: int, quarters: int) -> None:
    pivot = [2, 4, 6]
    pivot[axis] = 0
    there = Rotation([1], axis, quarters, (pivot[0], pivot[1], pivot[2]))
    back = replace(there, quarters=-quarters)
    again = replace(there, quarters=quarters - 4 if quarters > 0 else quarters + 4)
    for cell in ((0, 0, 0, 0), (3, -1, 2, 0), (5, 5, 5, 0)):
        assert back.turn_cell(there.turn_cell(cell)) == cell
        assert again.turn_cell(cell) == there.turn_cell(cell)
        assert there.turn_cell(cell)[axis] == cell[axis]
    assert there.fault is None


@pytest.mark.parametrize(("u", "v"), list(product(range(4), repeat=2)))
def test_cells_go_to_cells(u: int, v: int) -> None:
    """A quarter turn does that if both numbers of its pivot are odd, or both are even."""
    turn = Rotation([0], 2, 1, (u, v, 0))
    x, y, _ = turn.turn_point((1, 1, 1))
    assert (turn.fault is None) == (x % 2 == y % 2 == 1) == ((u + v) % 2 == 0)
    assert replace(turn, quarters=2).fault is None


def test_seen_from_each_side() -> None:
    """Counter-clockwise from the positive end; but the front is the negative end of its axis."""
    words = [Rotation([1], axis, 1, (0, 0, 0)).describe(PAIR) for axis in range(3)]
    assert words == [
        "B turns a quarter counter-clockwise, seen from the right",
        "B turns a quarter clockwise, seen from the front",
        "B turns a quarter counter-clockwise, seen from above",
    ]
    back = Rotation([0, 1], 2, -2, (0, 0, 0))
    assert back.describe_undone(PAIR) == ("A, B turn halfway counter-clockwise, seen from above")


def pose(x: int, y: int, turn: int = 0) -> Pose:
    return Pose(Fraction(x, 2), Fraction(y, 2), Fraction(turn))


def test_a_tilt_in_words() -> None:
    tilt = Rotation([1], 2, 0, (0, 0, 0), route=[pose(1, 1), pose(-1, 5)])
    assert tilt.fault is None
    assert tilt.turn_cell((0, 0, 0, 0)) == (-1, 2, 0, 0)
    assert tilt.describe(PAIR) == "B tilts, slides 1 to the left and 2 to the back, and tilts back"
    undone = "B tilts, slides 1 to the right and 2 to the front, and tilts back"
    assert tilt.describe_undone(PAIR) == undone
    fine = replace(tilt, parts=2, axis=0, route=[pose(1, 1), pose(1, 2)])
    assert fine.describe(PAIR) == "B tilts, slides 1/2 up, and tilts back"
    assert fine.turn_point((0, 0, 0)) == (0, 0, 2)
    whole = replace(fine, route=[pose(1, 1), pose(1, 3)])
    assert whole.describe(PAIR) == "B tilts, slides 1 up, and tilts back"


def test_a_moving_axis_in_words() -> None:
    turn = Rotation([1], 2, -1, (2, 2, 0), route=[pose(1, 1), pose(1, 3, -1)])
    assert turn.fault is None
    assert turn.describe(PAIR) == "B turns a quarter clockwise about a moving axis, seen from above"


def test_levels_with_turns_are_read_as_they_are_written() -> None:
    turn, out = Rotation([1], 2, 1, (0, 0, 0)), Move([1], (1, 0, 0), None)
    tree = Disassembly([turn, turn, out], Disassembly([turn, out], Disassembly([out])))
    assert str(tree.levels) == "1R2.1R1"
    assert (tree.levels.total, tree.levels.total_turns) == (6, 3)
    assert read_levels(str(tree.levels)) == [(3, 2), (2, 1)]
    for levels in (Levels(98, Levels(2), Levels(4)), Levels(1), Levels(3, Levels(2, turns=1))):
        told = read_levels(str(levels))
        assert told[0] == (levels.moves, levels.turns)
        assert sum(turns for _, turns in told) == levels.total_turns


@pytest.mark.parametrize(
    "text", ["", "R1", "3R", "1..2", "-1", "1.", "3r1", "1R1R1", "٣", "9" * 19]
)
def test_levels_that_are_none(text: str) -> None:
    with pytest.raises(PuzzleError, match=r"write them as 98\.2, or with turns"):
        read_levels(text)
