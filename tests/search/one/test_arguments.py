"""Arguments before any search: none is wrong, and the famous ones are found."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.search.boxes import box, problems, without_corners
from tests.search.specification import all_assemblies

from kumitate import CUBES, Piece, Placement, Problem, Shape, check, library
from kumitate.referee import certificate_faults
from kumitate.search import Certificate
from kumitate.search.one.arguments import argument


def draw(text: str, name: str = "") -> Shape:
    return Shape.from_text(CUBES, text, name=name)


def certificate_of(problem: Problem) -> Certificate:
    found = argument(problem)
    assert found is not None
    assert found.certificate is not None
    assert certificate_faults(problem, found.certificate) == []
    return found.certificate


def any_number(problem: Problem) -> Problem:
    """The same with a range instead of a number of pieces."""
    [piece] = problem.pieces
    return replace(problem, pieces=[replace(piece, min=0, max=piece.max + 1)])


@pytest.mark.parametrize(
    ("problem", "modulus"),
    [
        (box("T", 6, 6, 5), 2),
        (box("T", 5, 10, 10), 2),
        (any_number(box("T", 6, 6, 5)), 8),  # what cells alone can tell
        (any_number(box("T", 5, 10, 10)), 8),
        (without_corners(box("I", 8, 8)), 2),
        (any_number(without_corners(box("I", 8, 8))), 3),
    ],
)
def test_a_colouring_refutes_what_no_search_can(problem: Problem, modulus: int) -> None:
    start = time.process_time()
    found = argument(problem)
    assert time.process_time() - start < (0.3 if len(problem.goal) < 200 else 3)
    assert found is not None
    assert found.text == "a colouring rules it out"
    assert certificate_of(problem).modulus == modulus


@settings(max_examples=300, deadline=None)
@given(problem=problems(ruled=True))
def test_an_argument_is_never_wrong(problem: Problem) -> None:
    found = argument(problem)
    if found is None:
        return
    assert not all_assemblies(problem)
    if found.certificate is not None:
        assert certificate_faults(problem, found.certificate) == []


@pytest.mark.parametrize("name", ["soma", "bedlam", "y25", "t-cube", "pentominoes", "conway"])
def test_what_has_an_assembly_is_not_argued_away(name: str) -> None:
    for problem in library[name].problems:
        assert argument(problem) is None


def test_simple_reasons_come_first() -> None:
    volume = argument(Problem(draw("###"), [Piece(draw("##"))]))
    assert volume is not None
    assert "the goal has 3 cells but the pieces fill 2" in volume.text
    rod = argument(Problem(draw("##/##"), [Piece(draw("####", "rod"))]))
    assert rod is not None
    assert rod.text == "piece rod fits nowhere in the goal"
    bare = argument(Problem(draw("#.###"), [Piece(draw("##"), 2)]))
    assert bare is not None
    assert bare.text == "no piece can cover the goal's cell at column 1, row 1, layer 1"


def test_pins_and_bans_count() -> None:
    problem = Problem(draw("####"), [Piece(draw("##"), 2)])
    assert argument(problem) is None
    middle = Placement(0, 0, (1, 0, 0))
    certificate_of(replace(problem, pinned=[middle]))
    certificate_of(replace(problem, forbidden=[Placement(0, 0, (0, 0, 0))]))


def test_it_is_told_in_words_and_drawn() -> None:
    problem = box("T", 6, 6, 5)
    found = argument(problem)
    assert found is not None
    assert "\n\n010101  101010" in found.describe(problem)
    assert found.describe(problem).splitlines()[-2:] == [
        "wherever a piece lies, it covers the same sum modulo 2: T covers 1",
        "so all pieces together cover 1, but the numbers of the goal add up to 0",
    ]
    [fault] = [finding for finding in check(any_number(problem)) if finding.fault]
    assert "the same sum modulo 8" in fault.text


def test_check_finds_colourings_that_are_no_chessboard() -> None:
    """Bars of three on a square of eight by eight without a corner: Golomb's three colours."""
    board = box("I", 8, 8).goal
    bar = draw("###", "bar")
    problem = Problem(Shape(CUBES, board.cells - {min(board.cells)}), [Piece(bar, 21)])
    [fault] = [finding for finding in check(problem) if finding.fault]
    assert "the same sum modulo" in fault.text
    certificate_of(problem)


# ---- the referee ----


def test_the_referee_finds_what_is_wrong_with_a_certificate() -> None:
    problem = box("T", 6, 6, 5)
    right = certificate_of(problem)

    def faults(certificate: Certificate, of: Problem = problem) -> str:
        return "; ".join(certificate_faults(of, certificate))

    cell = min(right.cells)
    wrong = replace(right, cells={**right.cells, cell: 1 - right.cells[cell]})
    assert "T at" in faults(wrong)
    assert "covers" in faults(wrong)
    assert "T at" in faults(replace(right, pieces={0: 0}))
    assert "prove nothing" in faults(replace(right, modulus=1))
    assert "so nothing is proved" in faults(Certificate(2, {}, {}))
    assert "so it must cover 0" in faults(right, any_number(problem))
    soft = replace(problem, goal=replace(problem.goal, optional=problem.goal.cells))
    assert "need not be covered" in faults(right, soft)
    counted = {str(cell) for cell, number in right.cells.items() if number % right.modulus}
    named = {some.partition(" has")[0] for some in faults(right, soft).split("; ") if "has" in some}
    assert named == counted
    assert "so nothing is proved" in faults(right, box("T", 6, 6, 4))
