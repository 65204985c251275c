"""Building problems on the page: goal, pieces, ranges, colours, pins, and the line that checks."""

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.search.test_shortcuts import maze
from tests.studio.conftest import Visit, shot

import kumitate
from kumitate import CUBES, Piece, Problem, Puzzle, Shape, assemble
from kumitate.files import write
from kumitate.files.document import Document
from kumitate.library import library

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = pytest.importorskip("playwright.sync_api").expect

SOMA = library["soma"]


def put(folder: Path, name: str, puzzle: Puzzle) -> str:
    """A puzzle as a file of the folder; where the page opens its problem."""
    write(Document(puzzle), folder / f"{name}.kumitate.json")
    return f"#/open?place=folder/{name}.kumitate.json&at=problem"


def saved(page: "Page", folder: Path, name: str) -> Problem:
    """Save, and read what was saved: the last problem."""
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("banner").get_by_role("status")).not_to_contain_text("not")
    return kumitate.load(folder / f"{name}.kumitate.json").problems[-1]


def line(page: "Page") -> "Locator":
    return page.get_by_label("Check", exact=True)


def copies(page: "Page", name: str) -> "Locator":
    return page.get_by_label(f"How many of {name}:")


def test_soma_is_built_from_its_shapes_by_clicks(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "soma", Puzzle(CUBES, SOMA.shapes, title="Soma")))
    expect(line(page)).to_contain_text("There is no problem yet.")
    page.get_by_role("main").get_by_role("button", name="New problem").last.click()
    page.get_by_role("button", name="3x3x3: make it the goal").click()
    page.get_by_role("button", name="V: add it to the pieces").click()
    expect(line(page)).to_contain_text("27 cells but the pieces fill 3")
    page.get_by_role("button", name="Add all others once").click()
    expect(line(page)).to_contain_text("7 pieces fill all 27 cells.")
    shot(page, "problem")
    assert saved(page, folder, "soma") == Problem(
        SOMA.shapes[-1], [Piece(shape) for shape in SOMA.shapes[:-1]]
    )


def test_a_goal_and_a_piece_are_dragged_into_place(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "dragged", Puzzle(CUBES, SOMA.shapes, [Problem(SOMA.shapes[0], [])])))
    shelf = page.get_by_role("region", name="Shapes")
    item = shelf.get_by_role("listitem")
    item.filter(has_text="3x3x3").drag_to(page.get_by_label("The goal in 3D"))
    expect(page.get_by_role("heading", name="Goal: 3x3x3")).to_be_visible()
    item.filter(has_text="T").first.drag_to(page.get_by_role("region", name="Pieces"))
    expect(copies(page, "T")).to_have_value("1")
    page.keyboard.press("Control+z")
    expect(copies(page, "T")).to_have_count(0)


def test_a_new_goal_is_as_large_as_the_pieces_or_of_any_size(visit: Visit, folder: Path) -> None:
    problem = replace(SOMA.problems[0], goal=Shape(CUBES, set()))
    page = visit(put(folder, "goalless", Puzzle(CUBES, SOMA.shapes[:7], [problem])))
    page.get_by_role("button", name="New goal").click()
    dialog = page.get_by_role("dialog")
    for side in ("Long", "Wide", "High"):
        expect(dialog.get_by_label(side)).to_have_value("3")
    expect(dialog.get_by_role("status")).to_have_text("27 cells · the pieces have 27")
    dialog.get_by_label("Long").fill("999")
    expect(dialog.get_by_role("button", name="Make it the goal")).to_be_disabled()
    dialog.get_by_label("Long").fill("3")
    shot(page, "new-goal")
    dialog.get_by_role("button", name="Make it the goal").click()
    expect(page.get_by_role("heading", name="Goal: 3x3x3")).to_be_visible()
    expect(line(page)).to_contain_text("7 pieces fill all 27 cells")
    page.get_by_role("button", name="New goal").click()
    dialog.get_by_role("button", name="Ball").click()
    dialog.get_by_label("Cells across").fill("3")
    expect(dialog.get_by_role("status")).to_contain_text("19 cells")
    dialog.get_by_role("button", name="Make it the goal").click()
    expect(page.get_by_role("heading", name="Goal: ball 3")).to_be_visible()


def test_a_wrong_volume_is_said_and_mended(visit: Visit, folder: Path) -> None:
    problem = SOMA.problems[0]
    short = Problem(problem.goal, problem.pieces[1:], problem.name)
    page = visit(put(folder, "short", Puzzle(CUBES, SOMA.shapes, [short])))
    expect(line(page)).to_contain_text("27 cells but the pieces fill 24")
    line(page).get_by_role("button", name="Fix").click()
    fixes = line(page).get_by_role("listitem").get_by_role("button")
    shot(page, "fix")
    fix = fixes.first.inner_text()
    fixes.first.click()
    expect(line(page)).not_to_contain_text("but the pieces fill")
    undo = page.get_by_role("button", name=re.compile("Undo"))
    expect(undo).to_have_attribute("title", re.compile(re.escape(fix), re.IGNORECASE))
    undo.click()
    expect(line(page)).to_contain_text("27 cells but the pieces fill 24")


def test_counts_are_stepped_and_typed_as_ranges(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "ranges", SOMA))
    page.get_by_role("button", name="One more of V").click()
    expect(copies(page, "V")).to_have_value("2")
    copies(page, "L").fill("0-3")
    copies(page, "L").press("Enter")
    expect(copies(page, "L")).to_have_value("0–3")
    page.get_by_role("button", name="One fewer of L").click()
    expect(copies(page, "L")).to_have_value("0–2")
    copies(page, "T").fill("some")
    copies(page, "T").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("a range such as 0–3")
    copies(page, "T").blur()
    expect(copies(page, "T")).to_have_value("1")
    pieces = saved(page, folder, "ranges").pieces
    assert [(piece.min, piece.max) for piece in pieces[:3]] == [(2, 2), (0, 2), (1, 1)]
    page.get_by_role("textbox", name="Set all to").fill("1")
    page.get_by_role("button", name="Set all to").click()
    expect(line(page)).to_contain_text("7 pieces fill all 27 cells.")


def test_pieces_are_grouped_sorted_and_removed(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "groups", SOMA))
    page.get_by_role("button", name="Settings of L").click()
    page.get_by_role("button", name="Add to a group").click()
    page.get_by_label("Group", exact=True).fill("3")
    page.get_by_label("Group", exact=True).press("Tab")
    page.get_by_role("button", name="Move up").click()
    page.get_by_role("button", name="Settings of V").click()
    page.get_by_role("button", name="Remove V from the pieces").click()
    pieces = saved(page, folder, "groups").pieces
    assert [piece.shape.name for piece in pieces] == ["L", "T", "Z", "A", "B", "P"]
    assert pieces[0].groups == {3: 1}


def test_colours_meet_where_the_matrix_is_ticked(visit: Visit, folder: Path) -> None:
    goal = Shape.from_text(CUBES, "ab", name="goal")
    bar = Shape.from_text(CUBES, "aa", name="bar")
    problem = Problem(goal, [Piece(bar)])
    coloured = Puzzle(CUBES, [goal, bar], [problem], colours=["#cc0000", "#0000cc"])
    page = visit(put(folder, "colours", coloured))
    expect(line(page)).to_contain_text("because of its colours")
    expect(page.get_by_text("Neutral cells")).to_be_visible()
    page.get_by_role("button", name="Match equal colours").click()
    expect(page.get_by_label("Piece colour 1 on goal colour 1")).to_be_checked()
    page.get_by_label("Piece colour 1 on goal colour 2").check()
    expect(line(page)).to_contain_text("1 piece fills all 2 cells.")
    shot(page, "colours")
    assert saved(page, folder, "colours").allowed == {(1, 1), (1, 2)}


def test_a_limit_of_holes_is_set_and_taken_away(visit: Visit, folder: Path) -> None:
    goal = Shape.from_text(CUBES, "##++", name="goal")
    bar = Shape.from_text(CUBES, "##", name="bar")
    page = visit(put(folder, "holes", Puzzle(CUBES, [goal, bar], [Problem(goal, [Piece(bar)])])))
    limit = page.get_by_role("textbox", name=re.compile("At most"))
    limit.fill("1")
    limit.press("Tab")
    assert saved(page, folder, "holes").max_holes == 1
    limit.fill("")
    limit.press("Tab")
    assert saved(page, folder, "holes").max_holes is None


def test_a_piece_is_pinned_where_it_was_dropped_and_another_forbidden(
    visit: Visit, folder: Path
) -> None:
    page = visit(put(folder, "pins", SOMA))
    view = page.get_by_label("The goal in 3D")
    tokens = page.get_by_role("region", name="Pieces").get_by_role("listitem")
    tokens.filter(has=copies(page, "V")).drag_to(view)
    bar = page.get_by_role("group", name="Pin V in the goal")
    expect(bar).to_contain_text("Placement 1 of")
    bar.get_by_role("button", name="Next").click()
    expect(bar).to_contain_text("Placement 2 of")
    shot(page, "pinning")
    bar.get_by_role("button", name="Pin here").click()
    expect(page.get_by_text("V must lie here")).to_be_visible()

    page.get_by_role("button", name="Settings of T").click()
    page.get_by_role("button", name="Pin T in the goal").click()
    bar = page.get_by_role("group", name="Pin T in the goal")
    bar.get_by_label("Cell").fill("27")
    bar.get_by_label("Cell").press("Tab")
    expect(bar).to_contain_text("Placement 1 of")
    bar.get_by_role("button", name="Forbid here").click()
    expect(page.get_by_text("T must not lie here")).to_be_visible()
    page.reload()
    expect(page.get_by_text("V must lie here")).to_be_visible()
    shot(page, "pinned")

    problem = saved(page, folder, "pins")
    [pin], [ban] = problem.pinned, problem.forbidden
    assert (problem.label(pin.piece), problem.label(ban.piece)) == ("V", "T")
    assert pin.placed(problem.pieces[0].shape).cells <= problem.goal.cells
    page.get_by_role("region", name="Pins").get_by_role("button", name="Remove").first.click()
    expect(page.get_by_text("V must lie here")).to_have_count(0)
    assert saved(page, folder, "pins").pinned == frozenset()


def test_where_pins_lie_is_asked_once_for_each_piece(visit: Visit, folder: Path) -> None:
    problem = SOMA.problems[0]
    assembly = next(iter(assemble(problem)))
    pinned = replace(problem, pinned=assembly.placements[:4])
    where = put(folder, "many-pins", replace(SOMA, problems=[pinned]))
    page = visit()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{page.url.split('#')[0]}{where}")
    expect(page.get_by_label("The goal in 3D")).to_be_visible()
    expect(line(page)).to_contain_text("7 pieces fill all 27 cells")
    while len([url for url in asked if "placements" in url]) < 4:
        page.wait_for_event("request")
    page.wait_for_timeout(500)  # and no more of them
    assert len([url for url in asked if "placements" in url]) == 4


def test_two_pieces_of_one_name_that_fit_nowhere_are_both_told(visit: Visit, folder: Path) -> None:
    rods = [Shape.from_text(CUBES, "#" * long, name="rod") for long in (4, 5)]
    goal = Shape.from_text(CUBES, "###/###/###", name="square")
    puzzle = Puzzle(CUBES, [*rods, goal], [Problem(goal, [Piece(rod) for rod in rods])])
    page = visit(put(folder, "rods", puzzle))
    line(page).get_by_role("button", name="findings").click()
    told = line(page).get_by_role("listitem").filter(has_text="Piece rod fits nowhere in the goal")
    expect(told).to_have_count(2)


def test_the_check_line_finds_a_twist_that_opens_it_sooner(visit: Visit, folder: Path) -> None:
    asked = maze().problem
    shapes = [*(piece.shape for piece in asked.pieces), asked.goal]
    page = visit(put(folder, "maze", Puzzle(CUBES, shapes, [asked], title="Maze")))
    line(page).get_by_role("button", name="Does a twist open it?").click()
    line(page).get_by_role("button", name="Exact pieces").click()
    told = line(page).get_by_role("listitem").filter(has_text="Assembly 1 opens at level 1R1")
    expect(told).to_contain_text("with turns, at level 5 without; move 1: p1 turns a quarter")
    expect(line(page).get_by_role("status")).to_contain_text("1 shortcut found in 1 assembly")
    shot(page, "twist")
    with page.expect_download() as download:
        line(page).get_by_role("button", name="Save as a web page").click()
    assert download.value.suggested_filename == "shortcuts.html"
    assert "opens at level 1R1" in Path(download.value.path()).read_text(encoding="utf-8")
    page.get_by_label("Name of the problem").fill("changed")  # the answer was about another puzzle
    expect(told).to_have_count(0)
    expect(line(page).get_by_role("status")).to_contain_text("2 pieces fill all")


def test_without_a_twist_the_check_line_says_what_was_tried(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "soma-twist", SOMA))
    line(page).get_by_role("button", name="Does a twist open it?").click()
    line(page).get_by_role("button", name="Loose pieces: 0.05", exact=False).click()
    status = line(page).get_by_role("status")
    expect(status).to_contain_text("No shortcut found in 240 assemblies, with quarter turns")
    expect(status).to_contain_text("at tolerance 0.05; other twists were not tried.")
    expect(line(page).get_by_role("button", name="Save as a web page")).to_have_count(0)


def test_other_grids_are_not_asked_for_twists(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "balls", library["kanoodle-pyramid"]))
    expect(line(page)).to_contain_text("pieces fill all")
    expect(line(page).get_by_role("button", name="Does a twist open it?")).to_have_count(0)


def test_problems_are_named_doubled_sorted_and_deleted(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "several", SOMA))
    problems = page.get_by_role("region", name="Problems")
    problems.get_by_label("Name of the problem").fill("first")
    problems.get_by_role("button", name="Duplicate").click()
    problems.get_by_role("button", name="New problem").click()
    problems.get_by_label("Name of the problem").fill("empty")
    expect(line(page)).to_contain_text("The goal is empty")
    problems.get_by_role("button", name="Move up").click()
    saved(page, folder, "several")
    names = [problem.name for problem in kumitate.load(folder / "several.kumitate.json").problems]
    assert names == ["first", "empty", "first 2"]
    problems.get_by_role("button", name="Delete").click()
    expect(problems.get_by_label("Name of the problem")).to_have_value("first 2")
    page.keyboard.press("Control+z")
    expect(problems.get_by_role("listitem")).to_have_count(3)
