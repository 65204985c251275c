"""Assemblies, moves and levels."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kumitate
from kumitate import (
    CUBES,
    Assembly,
    Disassembly,
    Levels,
    Move,
    Piece,
    Placement,
    Problem,
    Shape,
    Solution,
)
from kumitate.grids import GRIDS
from kumitate.model.identity import LETTERS
from kumitate.model.puzzle import find_placement
from kumitate.model.solution import toward


def test_a_drawing_is_puzzle_and_answer_in_one() -> None:
    assembly = Assembly.from_text(CUBES, "AAB  .bB / 1.B  ..2")
    assert [piece.shape.name for piece in assembly.problem.pieces] == ["1", "2", "A", "B", "b"]
    assert kumitate.referee.assembly_faults(assembly) == []


def test_a_drawing_can_answer_a_given_problem() -> None:
    [problem] = kumitate.library["soma"].problems
    with pytest.raises(kumitate.PuzzleError, match="no unused piece has the shape of the B"):
        Assembly.from_text(CUBES, "AA/AB", problem)
    some = Assembly.from_text(CUBES, "XXX/XYY/.Y.", problem)
    assert [some.label(n) for n in range(2)] == ["V", "L"]


def test_equal_assemblies_are_equal_values() -> None:
    assembly = Assembly.from_text(CUBES, "AAB")
    backwards = Assembly(assembly.problem, tuple(reversed(assembly.placements)))
    assert backwards == assembly


def test_copies_have_labels_of_their_own() -> None:
    dot = Shape.from_text(CUBES, "#", name="dot")
    problem = kumitate.Problem(Shape.from_text(CUBES, "##"), [kumitate.Piece(dot, 2, 2)])
    pair = Assembly(problem, [Placement(0, 0, (0, 0, 0)), Placement(0, 0, (1, 0, 0))])
    assert [pair.label(n) for n in range(2)] == ["dot.1", "dot.2"]
    assert str(pair) == "AB"
    assert pair.legend == "A = dot.1, B = dot.2"


def test_a_piece_named_by_a_letter_is_drawn_by_it() -> None:
    """So that no move of A means a piece that is drawn as E; the others take what is left."""
    [problem] = kumitate.library["soma"].problems
    soma = next(kumitate.assemble(problem))
    assert [soma.letter(n) for n in range(7)] == ["V", "L", "T", "Z", "A", "B", "P"]
    assert soma.legend == ""
    assert Assembly.from_text(CUBES, str(soma), problem) == soma
    cells = {name: Shape.from_text(CUBES, "#", name=name) for name in ("frame", "B", "A", "", "é")}
    row = Shape.from_text(CUBES, "#####")
    mixed = kumitate.Problem(row, [kumitate.Piece(shape) for shape in cells.values()])
    placed = Assembly(mixed, [Placement(n, 0, (n, 0, 0)) for n in range(5)])
    assert str(placed) == "CBADE"
    assert placed.legend == "C = frame, D = S4, E = é"


def test_two_pieces_of_one_letter_are_told_apart() -> None:
    bar, dot = (Shape.from_text(CUBES, cells, name="X") for cells in ("##", "#"))
    problem = kumitate.Problem(Shape.from_text(CUBES, "###"), [*map(kumitate.Piece, (bar, dot))])
    assert str(next(kumitate.assemble(problem))) in ("AAB", "BAA")


def test_there_may_be_more_pieces_than_letters() -> None:
    dots = [Shape.from_text(CUBES, "#", name=name) for name in (*LETTERS, "one", "two", "three")]
    row = Shape.from_text(CUBES, "#" * len(dots))
    many = kumitate.Problem(row, [kumitate.Piece(dot) for dot in dots])
    drawn = str(Assembly(many, [Placement(n, 0, (n, 0, 0)) for n in range(len(dots))]))
    assert drawn == LETTERS + "ABC"


def test_moves_name_the_directions_of_space() -> None:
    pair = Assembly.from_text(CUBES, "AB")
    words = {
        (1, 0, 0): "to the right",
        (-1, 0, 0): "to the left",
        (0, 1, 0): "to the back",
        (0, -1, 0): "to the front",
        (0, 0, 1): "up",
        (0, 0, -1): "down",
    }
    assert {step: toward(CUBES, step) for step in words} == words
    assert Move([0, 1], (0, 0, -1), 3).describe(pair) == "A, B slide 3 down"
    assert Move([0], (0, 0, 1), None).describe(pair) == "A slides out upwards"
    assert Move([0], (0, 0, 1), None).describe_undone(pair) == "A slides in downwards"
    assert Move([1], (0, 1, 0), 1, parts=2).describe(pair) == "B slides 1/2 to the back"
    assert Move([1], (0, 1, 0), 4, parts=2).describe(pair) == "B slides 2 to the back"
    flying = Move([0, 1], (1, 0, 0), None, 1, [(1, 0, 0), (-1, 1, 0)])
    assert flying.describe(pair) == "all slide out at once: A to the right, B to the back left"


@pytest.mark.parametrize("grid", GRIDS.values(), ids=str)
def test_on_every_grid_each_step_has_words_of_its_own(grid: kumitate.Grid) -> None:
    """They are of space, where a step of a slanted lattice may be straight."""
    told = {toward(grid, step): step for step in grid.steps}
    assert len(told) == len(grid.steps)
    assert not any("along" in words for words in told)
    for words, (x, y, z) in told.items():
        flip = {"up": "down", "down": "up", "left": "right", "right": "left"}
        flip |= {"front": "back", "back": "front"}
        undone = " ".join(flip.get(word, word) for word in words.split())
        assert toward(grid, (-x, -y, -z)) == undone


def test_a_step_that_words_do_not_tell_from_another_is_a_vector() -> None:
    assert toward(kumitate.grids.RHOMBS, (1, 1, -1)) == "down and to the back right"
    assert toward(kumitate.grids.RHOMBS, (2, 1, 0)) == "along (2, 1, 0)"


@pytest.mark.parametrize(
    ("levels", "text", "total"),
    [
        (Levels(1), "1", 1),
        (Levels(4, Levels(1, Levels(1))), "4", 6),
        (Levels(4, Levels(1, Levels(2))), "4.1.2", 7),
        (Levels(4, Levels(9, Levels(3)), Levels(1)), "4.9.3", 17),
        (Levels(2, Levels(1), Levels(5)), "2.5", 8),
    ],
)
def test_level_text_is_that_of_burrtools(levels: Levels, text: str, total: int) -> None:
    assert str(levels) == text
    assert levels.total == total


def test_a_solution_has_the_levels_of_its_disassembly() -> None:
    assembly = Assembly.from_text(CUBES, "AAB")
    solution = Solution(assembly, Disassembly([Move([1], (1, 0, 0), None)]))
    assert solution.level == 1
    assert str(solution) == "level 1\nAAB"


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(GRIDS.values())), st.data())
def test_a_placement_is_found_again_where_it_puts_a_shape(
    grid: kumitate.Grid, data: st.DataObject
) -> None:
    number = st.integers(-3, 3)
    cells = st.tuples(number, number, number, st.integers(0, len(grid.tiles) - 1))
    shape = Shape(grid, data.draw(st.sets(cells, min_size=1, max_size=6)), name="it")
    turn = data.draw(st.integers(0, len(grid.turns) - 1))
    if shape.lies[turn] is None:
        return
    placed = Placement(3, turn, data.draw(st.tuples(number, number, number))).placed(shape)
    found = find_placement(3, shape, placed.named("elsewhere"))
    assert found is not None
    assert found.placed(shape) == placed
    assert found.turn <= turn


def test_a_shape_is_not_found_where_another_lies() -> None:
    assert find_placement(0, Shape.from_text(CUBES, "##"), Shape.from_text(CUBES, "#.#")) is None


def test_a_drawing_uses_each_of_two_equal_pieces_once() -> None:
    goal = Shape.from_text(CUBES, "##/##")
    bars = [Piece(Shape.from_text(CUBES, "##", name=name)) for name in "ab"]
    drawn = Assembly.from_text(CUBES, "AA/BB", Problem(goal, bars))
    assert [placement.piece for placement in drawn.placements] == [0, 1]


def test_in_a_coordinate_motion_each_piece_keeps_its_own_step() -> None:
    a, b = (1, 0, 0), (0, 1, 0)
    move = Move([2, 1], a, None, steps=[a, b])
    assert move.ways == {2: a, 1: b}
    assert move.step == b


def test_a_move_that_is_undone_goes_the_other_way_by_as_much() -> None:
    row = Assembly.from_text(CUBES, "A.B")
    move = Move([1], (1, -1, 0), 2)
    assert move.describe(row) == "B slides 2 to the front right"
    assert move.describe_undone(row) == "B slides 2 to the back left"
