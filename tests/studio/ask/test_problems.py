"""A problem is checked while it is edited; faults come with fixes that help."""

import time
from collections.abc import Sequence

import pytest
from msgspec.structs import replace as changed

from kumitate import CUBES, Piece, Placement, Problem, Puzzle, PuzzleError, Shape, assemble, library
from kumitate.grids import RHOMBS
from kumitate.search.check import Finding
from kumitate.search.check import check as findings_of
from kumitate.search.placements import placements as placements_of
from kumitate.studio.ask import problems as asking
from kumitate.studio.ask.codec import placement_of, puzzle_data, puzzle_of
from kumitate.studio.ask.problems import check, placements, shortcuts
from kumitate.studio.messages import (
    CheckData,
    FindingData,
    FixData,
    PlacementsRequest,
    ProblemRequest,
    PuzzleData,
    ShortcutsRequest,
)


def draw(text: str, name: str = "") -> Shape:
    return Shape.from_text(CUBES, text, name=name)


def asked(shapes: Sequence[Shape], problem: Problem) -> PuzzleData:
    return puzzle_data(Puzzle(CUBES, shapes, [problem]))


def checked(data: PuzzleData, problem: int = 0) -> CheckData:
    return check(ProblemRequest(data, problem))


def finding(told: CheckData, words: str) -> FindingData:
    [found] = [found for found in told.findings if words in found.text]
    return found


def fix(told: CheckData, words: str, name: str) -> FixData:
    fixes = {fix.name: fix for fix in finding(told, words).fixes}
    assert name in fixes, list(fixes)
    return fixes[name]


BAR, ELL, DOT = draw("##", "bar"), draw("##/#.", "L"), draw("#", "dot")
ROW, SQUARE = draw("######", "row"), draw("###/###/###", "square")


# ---- the line ----


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (puzzle_data(library["soma"]), "7 pieces fill all 27 cells."),
        (puzzle_data(library["six-piece-burr"]), "5 to 7 pieces can fill the 104 cells."),
        (asked([DOT], Problem(DOT, [Piece(DOT)])), "1 piece fills all 1 cell."),
        (
            asked([BAR, draw("##+", "g")], Problem(draw("##+", "g"), [Piece(BAR)])),
            "1 piece fills 2 of 3 cells.",
        ),
        (
            asked([BAR, ELL, SQUARE], Problem(SQUARE, [Piece(BAR, 0, 9), Piece(ELL, 1, 9)])),
            "3 to 4 pieces can fill the 9 cells.",
        ),
        (
            asked([ELL, SQUARE], Problem(SQUARE, [Piece(ELL, 0, 9)])),
            "3 pieces can fill the 9 cells.",
        ),
        (
            asked(
                [BAR, DOT, draw("##++", "g")],
                Problem(draw("##++", "g"), [Piece(BAR, 0, 9), Piece(DOT, 0, 1)], max_holes=1),
            ),
            "2 pieces can fill the 4 cells.",
        ),
        (
            asked([BAR, SQUARE], Problem(SQUARE, [Piece(BAR, 4)])),
            "The goal has 9 cells but the pieces fill 8; add a piece or mark a goal cell optional.",
        ),
    ],
)
def test_one_line_sums_it_up(data: PuzzleData, line: str) -> None:
    assert checked(data).line == line


def test_faults_come_first_and_every_finding_is_one_sentence() -> None:
    mutilated = draw(".###/####/####/###.", "board")
    told = checked(asked([BAR, mutilated], Problem(mutilated, [Piece(BAR, 7)])))
    assert [found.fault for found in told.findings] == [True, False]
    ring = draw("###/#.#/###", "ring")
    parts = [Piece(ELL), Piece(draw(".#/##", "J")), Piece(draw("#.#/...", "pair"))]
    told = checked(asked([*(p.shape for p in parts), ring], Problem(ring, parts)))
    assert told.line == "A colouring rules it out."
    for found in told.findings:
        assert "\n" not in found.text
        assert found.text[0].isupper()
        assert found.text.endswith(".")


def test_the_same_is_found_as_by_the_command_line() -> None:
    for name in ("soma", "bedlam", "kanoodle-pyramid"):
        texts = [finding.text for finding in findings_of(library[name].problems[0])]
        told = [found.text for found in checked(puzzle_data(library[name])).findings]
        assert told == [f"{text[0].upper()}{text[1:]}." for text in texts]


def test_a_rhombic_puzzle_is_told_of_its_other_phase() -> None:
    """A cube and a pyramid on each of its faces: a rhombic dodecahedron."""
    cube = Shape(RHOMBS, {(0, 0, 0, t) for t in range(24)})
    solid = Shape(RHOMBS, {n for cell in cube for n in (cell, *cube.neighbours(cell))}, name="D")
    told = checked(puzzle_data(Puzzle(RHOMBS, [solid], [Problem(solid, [Piece(solid)])])))
    assert finding(told, "convert to the grid 'orthoschemes'").text.startswith("D: the same solid")


def test_a_problem_that_is_not_there_is_said() -> None:
    with pytest.raises(PuzzleError, match="there is no problem 2; the puzzle has 1"):
        checked(puzzle_data(library["soma"]), 1)


# ---- fixes ----


def fixed(told: CheckData, words: str, name: str) -> list[Finding]:
    """The findings after a fix; the finding that it fixes must be gone."""
    taken = puzzle_of(fix(told, words, name).puzzle)
    found = findings_of(taken.problems[0])
    assert all(words.lower() not in finding.text.lower() for finding in found)
    return found


def faults(found: list[Finding]) -> list[str]:
    return [finding.text for finding in found if finding.fault]


NOTHING = Shape(CUBES, set())


def test_without_a_goal_take_the_largest_shape_that_is_no_piece() -> None:
    big = draw("####/####/####", "big piece")
    told = checked(asked([big, BAR, SQUARE], Problem(NOTHING, [Piece(big), Piece(BAR)])))
    fixed(told, "The goal is empty", "Make square the goal")
    told = checked(asked([BAR, ROW], Problem(NOTHING, [Piece(BAR), Piece(ROW)])))
    taken = puzzle_of(fix(told, "The goal is empty", "Make row the goal").puzzle)
    assert [piece.shape.name for piece in taken.problems[0].pieces] == ["bar"]


def test_without_shapes_there_is_no_mend() -> None:
    [found] = checked(asked([], Problem(NOTHING, []))).findings
    assert (found.fault, found.fixes) == (True, [])


def test_without_pieces_use_the_other_shapes() -> None:
    soma = library["soma"]
    [problem] = soma.problems
    bare = puzzle_data(Puzzle(CUBES, soma.shapes, [Problem(problem.goal, [])]))
    assert fixed(
        checked(bare), "The problem has no pieces", "Use every other shape once"
    ) == findings_of(problem)
    told = checked(asked([BAR, ROW], Problem(ROW, [])))
    assert faults(fixed(told, "The problem has no pieces", "Use 3 of bar")) == []


@pytest.mark.parametrize(
    ("problem", "name"),
    [
        (Problem(ROW, [Piece(BAR, 2)]), "Use 3 of bar"),
        (Problem(ROW, [Piece(BAR, 5)]), "Use 3 of bar"),
        (Problem(ROW, [Piece(BAR, 0, 1)]), "Use 2 to 3 of bar"),
        (Problem(ROW, [Piece(BAR, 2)]), "Add 2 of dot"),
        (Problem(ROW, [Piece(BAR, 2)]), "Let 2 cells stay empty"),
        (Problem(ROW, [Piece(BAR, 3), Piece(DOT)]), "Leave dot out"),
    ],
)
def test_volumes_are_mended_by_numbers(problem: Problem, name: str) -> None:
    words = "but the pieces fill"
    told = checked(asked([BAR, DOT, ROW, NOTHING], problem))
    found = fixed(told, words, name)
    assert not any(finding.about == "volume" for finding in found)


def test_volumes_with_holes_are_mended_within_the_limit() -> None:
    goal = draw("##++++", "goal")
    problem = Problem(goal, [Piece(BAR, 1)], max_holes=1)
    told = checked(asked([BAR, goal], problem))
    assert faults(fixed(told, "but the pieces fill", "Use 3 of bar")) == []


def test_a_goal_that_others_use_is_copied_before_it_is_mended() -> None:
    problems = [Problem(ROW, [Piece(BAR, 2)], "short"), Problem(ROW, [Piece(BAR, 3)], "right")]
    data = puzzle_data(Puzzle(CUBES, [BAR, ROW], problems))
    loose = fix(checked(data), "but the pieces fill", "Let 2 cells stay empty").puzzle
    short, right = puzzle_of(loose).problems
    assert right == problems[1]
    assert (len(short.goal.optional), short.max_holes, short.goal.name) == (6, 2, "row'")
    assert [shape.id for shape in loose.shapes] == [0, 1, 2]
    assert list(assemble(short))


def test_optional_cells_of_a_piece_become_fixed_or_go() -> None:
    soft = draw("#+", "soft")
    told = checked(asked([soft, ROW], Problem(ROW, [Piece(soft, 3)])))
    assert faults(fixed(told, "has optional cells", "Make all cells of soft fixed")) == []
    fixed(told, "has optional cells", "Remove the optional cells of soft")


def test_a_piece_without_cells_is_left_out_and_pins_stay_with_theirs() -> None:
    none = Shape(CUBES, set(), name="none")
    pins = [Placement(1, 0, (2, 0, 0))]
    problem = Problem(ROW, [Piece(none), Piece(BAR, 3)], pinned=pins)
    told = checked(asked([none, BAR, ROW], problem))
    taken = puzzle_of(fix(told, "has no cells", "Leave none out").puzzle).problems[0]
    assert list(taken.pinned) == [Placement(0, 0, (2, 0, 0))]
    assert faults(findings_of(taken)) == []


def test_a_piece_that_fits_nowhere_is_left_out() -> None:
    rod = draw("#######", "rod")
    told = checked(asked([BAR, rod, ROW], Problem(ROW, [Piece(BAR, 3), Piece(rod, 1)])))
    assert faults(fixed(told, "fits nowhere", "Leave rod out")) == []


def test_colours_are_let_to_meet() -> None:
    red, blue = draw("aa", "red"), draw("bbbb", "blue")
    told = checked(asked([red, blue], Problem(blue, [Piece(red, 2)])))
    name = "Let red meet every colour of the goal"
    assert faults(fixed(told, "fits nowhere in the goal because of its colours", name)) == []


def test_cells_that_nothing_covers_become_optional() -> None:
    goal = draw("##.#.#", "goal")
    told = checked(asked([BAR, goal], Problem(goal, [Piece(BAR)])))
    assert faults(fixed(told, "No piece can cover", "Make those 2 cells optional")) == []


def test_pins_that_clash_are_taken_out() -> None:
    pins = [Placement(0, 0, (0, 0, 0)), Placement(0, 0, (1, 0, 0)), Placement(0, 0, (9, 0, 0))]
    told = checked(asked([BAR, ROW], Problem(ROW, [Piece(BAR, 3)], pinned=pins[:2])))
    assert faults(fixed(told, "are both pinned to the same cell", "Unpin bar")) == []
    told = checked(asked([BAR, ROW], Problem(ROW, [Piece(BAR, 3)], pinned=pins[2:])))
    assert faults(fixed(told, "pinned where it does not fit", "Unpin bar")) == []
    told = checked(
        asked([BAR, ROW], Problem(ROW, [Piece(BAR, 3)], pinned=pins[:1], forbidden=pins[:1]))
    )
    assert (
        faults(fixed(told, "pinned where it is also forbidden", "Allow the pinned placements"))
        == []
    )


def test_pieces_of_one_shape_become_copies_and_their_pins_with_them() -> None:
    turned = draw("#/#", "upright")
    tray = draw("##/##/##", "tray")
    lies = Placement(1, 0, (1, 1, 0)).placed(turned)
    problem = Problem(tray, [Piece(BAR), Piece(turned, 2)], pinned=[Placement(1, 0, (1, 1, 0))])
    told = checked(asked([BAR, turned, tray], problem))
    words = "are the same shape and count as copies"
    assert faults(fixed(told, words, "Replace them with 3 copies of bar")) == []
    taken = puzzle_of(fix(told, words, "Replace them with 3 copies of bar").puzzle).problems[0]
    [piece], [pin] = taken.pieces, taken.pinned
    assert (piece.shape, piece.min, piece.max) == (BAR, 3, 3)
    assert pin.placed(BAR).cells == lies.cells
    assert len(list(assemble(taken))) == len(list(assemble(problem)))


def test_pieces_of_other_groups_are_not_joined() -> None:
    pieces = [Piece(BAR, 2), Piece(draw("#/#", "upright"), groups={1: 1})]
    told = checked(asked([*(p.shape for p in pieces), ROW], Problem(ROW, pieces)))
    assert finding(told, "are the same shape").fixes == []


def test_ids_stay_and_only_what_is_mended_changes() -> None:
    data = asked([BAR, DOT, ROW], Problem(ROW, [Piece(BAR, 2)]))
    shapes = [changed(shape, id=10 * shape.id + 5) for shape in data.shapes]
    problem = changed(
        data.problems[0], goal=25, pieces=[changed(data.problems[0].pieces[0], shape=5)]
    )
    data = changed(data, shapes=shapes, problems=[problem], title="mine")
    taken = fix(checked(data), "but the pieces fill", "Add 2 of dot").puzzle
    assert taken.shapes == shapes
    assert taken.title == "mine"
    assert [(piece.shape, piece.min) for piece in taken.problems[0].pieces] == [(5, 2), (15, 2)]


@pytest.mark.parametrize("name", ["soma", "conway", "evolved-box", "kanoodle-pyramid", "y25"])
def test_whatever_is_offered_helps(name: str) -> None:
    """A puzzle broken in three ways: each fix removes its finding."""
    whole = puzzle_data(library[name])
    first = whole.problems[0]
    breaks = [
        changed(first, pieces=first.pieces[1:]),
        changed(first, pieces=[changed(piece, min=2, max=2) for piece in first.pieces]),
        changed(first, goal=None),
    ]
    for broken in breaks:
        data = changed(whole, problems=[broken, *whole.problems[1:]])
        for found in checked(data).findings:
            for offered in found.fixes:
                after = checked(offered.puzzle)
                assert found.text not in [other.text for other in after.findings], offered.name


# ---- speed ----


def test_a_large_problem_is_looked_at_in_parts_and_says_so() -> None:
    """Cubes with edges of 30 cells: fit, parity and colourings would take minutes."""
    goal = Shape(CUBES, {(x, y, z, 0) for x in range(30) for y in range(30) for z in range(30)})
    pieces = [Piece(draw("####", "I"), 0, 7000), Piece(draw("###/.#.", "T"), 0, 7000)]
    data = asked([*(p.shape for p in pieces), goal], Problem(goal, pieces))
    start = time.process_time()
    told = checked(data)
    assert time.process_time() - start < 3
    assert finding(told, "Too large to check completely here").fault is False
    assert told.line == "6,750 pieces can fill the 27,000 cells."


def test_many_copies_of_one_cell_are_counted_at_once() -> None:
    goal = Shape(CUBES, {(x, y, 0, 0) for x in range(60) for y in range(60)}, name="g")
    start = time.process_time()
    checked(asked([DOT, goal], Problem(goal, [Piece(DOT, 3600)])))
    assert time.process_time() - start < 3


def test_a_check_is_quick_enough_to_be_live() -> None:
    """At most a tenth of a CPU second for Bedlam's cube when one shape has changed."""
    data = puzzle_data(library["bedlam"])
    checked(data)
    times = []
    for x in range(3):
        cells = [*data.shapes[0].cells[:-1], (7 + x, 7, 7, 0, 0, 0)]
        shapes = [changed(data.shapes[0], cells=cells), *data.shapes[1:]]
        edited = changed(data, shapes=shapes)
        start = time.process_time()
        checked(edited)
        times.append(time.process_time() - start)
    assert min(times) < 0.5


# ---- where a piece can lie ----


def test_placements_are_those_that_cover_the_cell() -> None:
    soma = library["soma"]
    [problem] = soma.problems
    data = puzzle_data(soma)
    for piece, cell in ((0, (1, 1, 1, 0)), (3, (0, 0, 0, 0))):
        told = placements(PlacementsRequest(data, 0, piece, cell)).placements
        wanted = [
            way
            for way in placements_of(problem)[piece]
            if cell in way.placed(problem.pieces[piece].shape).cells
        ]
        assert [placement_of(found.placement) for found in told] == wanted
        for found, way in zip(told, wanted, strict=True):
            assert {row[:4] for row in found.cells} == way.placed(problem.pieces[piece].shape).cells


def test_what_is_pinned_or_forbidden_can_still_be_chosen() -> None:
    here = [Placement(0, 0, (0, 0, 0))]
    data = asked([BAR, ROW], Problem(ROW, [Piece(BAR, 3)], pinned=here, forbidden=here))
    told = placements(PlacementsRequest(data, 0, 0, (0, 0, 0, 0))).placements
    assert [placement_of(found.placement) for found in told] == here


def test_questions_about_no_piece_or_no_cell_are_refused() -> None:
    data = puzzle_data(library["soma"])
    with pytest.raises(PuzzleError, match="there is no piece 8; the problem has 7"):
        placements(PlacementsRequest(data, 0, 7, (0, 0, 0, 0)))
    with pytest.raises(PuzzleError, match="not part of the goal"):
        placements(PlacementsRequest(data, 0, 0, (9, 9, 9, 0)))


# ---- turns ----


def test_no_shortcut_is_said_with_what_was_tried() -> None:
    told = shortcuts(ShortcutsRequest(puzzle_data(library["soma"]), tolerance=0.01))
    assert told.shortcuts == []
    assert told.page == ""
    assert told.line == (
        "No shortcut found in 240 assemblies, with quarter turns about the axes of the grid at"
        " tolerance 0.01; other twists were not tried."
    )


def test_a_search_for_shortcuts_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "SECONDS", 0.3)
    start = time.monotonic()
    told = shortcuts(ShortcutsRequest(puzzle_data(library["t-cube"]), tolerance=0.1))
    assert time.monotonic() - start < 10
    assert "so far, with quarter turns" in told.line
    assert told.line.endswith("; 'kumitate check --shortcuts' searches to the end.")


def test_other_grids_have_no_shortcuts() -> None:
    with pytest.raises(PuzzleError, match="on cubes only"):
        shortcuts(ShortcutsRequest(puzzle_data(library["kanoodle-pyramid"])))
