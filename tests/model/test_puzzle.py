"""Problems and puzzles: what could never mean anything is refused; the rest prints and reprs."""

from dataclasses import replace

import pytest

import kumitate
from kumitate import CUBES, Piece, Placement, Problem, Puzzle, Shape, grids
from kumitate.grids import SPHERES

BAR = Shape.from_text(CUBES, "##", name="bar")
SQUARE = Shape.from_text(CUBES, "##/##", name="square")
TWO_BARS = Problem(SQUARE, [Piece(BAR, 2, 2)], "flat")


@pytest.mark.parametrize(("low", "high"), [(2, 1), (-1, 0)])
def test_an_empty_range_is_refused(low: int, high: int) -> None:
    with pytest.raises(kumitate.PuzzleError, match=f"'bar': the range {low}..{high} is empty"):
        Piece(BAR, low, high)


def test_two_copies_are_written_shortly() -> None:
    assert Piece(BAR, 2) == Piece(BAR, 2, 2)
    assert Piece(BAR).copies == "1"


def test_a_shape_is_no_piece() -> None:
    with pytest.raises(kumitate.PuzzleError, match=r"is not a piece; use Piece\(shape\)"):
        Problem(SQUARE, [BAR])  # type: ignore[list-item]


@pytest.mark.parametrize("colour", ["red", "#12345", "#12345g"])
def test_a_colour_is_written_as_numbers(colour: str) -> None:
    with pytest.raises(kumitate.PuzzleError, match="write it as '#rrggbb'"):
        Puzzle(CUBES, colours=[colour])
    assert Puzzle(CUBES, colours=["#FF00aa"]).colours == ("#ff00aa",)


def test_shapes_of_another_grid_are_refused() -> None:
    ball = Shape(SPHERES, {(0, 0, 0, 0)}, name="ball")
    with pytest.raises(kumitate.PuzzleError, match="'ball' is of the grid 'spheres'"):
        Problem(SQUARE, [Piece(ball)])
    with pytest.raises(kumitate.PuzzleError, match="not of the puzzle's grid 'cubes'"):
        Puzzle(CUBES, [ball])


def test_a_problem_uses_only_the_puzzles_shapes() -> None:
    with pytest.raises(
        kumitate.PuzzleError, match="problem 'flat': 'bar' is not a shape of the puzzle"
    ):
        Puzzle(CUBES, [SQUARE], [TWO_BARS])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"pinned": frozenset({Placement(1, 0, (0, 0, 0))})},
            "piece 1, but the problem has 1 piece",
        ),
        ({"forbidden": frozenset({Placement(0, 24, (0, 0, 0))})}, "turn 24, but the grid has 24"),
        ({"allowed": frozenset({(0, 1)})}, "numbered 1 to 63"),
        ({"max_holes": -1}, "max_holes -1: it must be at least 0"),
    ],
)
def test_rules_about_nothing_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(kumitate.PuzzleError, match=words):
        replace(TWO_BARS, **change)  # type: ignore[arg-type]


def test_repr_is_code_that_gives_the_puzzle_back() -> None:
    problem = replace(
        TWO_BARS,
        pieces=[Piece(BAR, 0, 2, {1: 2})],
        pinned=frozenset({Placement(0, 0, (0, 0, 0))}),
        allowed=frozenset({(1, 2)}),
        max_holes=1,
    )
    puzzle = Puzzle(CUBES, [BAR, SQUARE], [problem], "Bars", "me", ["#ff0000"], "hello", True)
    assert eval(repr(puzzle), vars(kumitate) | vars(grids)) == puzzle


def test_colours_meet_when_neutral_or_allowed() -> None:
    problem = replace(TWO_BARS, allowed=frozenset({(1, 2)}))
    assert problem.may_lie_on(0, 5)
    assert problem.may_lie_on(5, 0)
    assert problem.may_lie_on(1, 2)
    assert not problem.may_lie_on(2, 1)


def test_every_library_puzzle_prints_and_reprs() -> None:
    for name, puzzle in kumitate.library.items():
        assert puzzle.title in str(puzzle), name
        assert eval(repr(puzzle), vars(kumitate) | vars(grids)) == puzzle, name


def test_half_a_character_is_refused_where_it_enters() -> None:
    """No file could hold it: some would fail on it only when all else is done."""
    half = "a\ud800"
    for enter in (
        lambda: Shape.from_text(CUBES, "#", name=half),
        lambda: Problem(Shape.from_text(CUBES, "#"), [], name=half),
        lambda: Puzzle(CUBES, title=half),
        lambda: Puzzle(CUBES, designer=half),
        lambda: Puzzle(CUBES, comment=half),
    ):
        with pytest.raises(kumitate.PuzzleError, match="half a character"):
            enter()
