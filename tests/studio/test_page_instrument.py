"""Solutions as an instrument: find, choose, keep, look at pieces; answers come from elsewhere."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.output.conftest import colours_in
from tests.studio.conftest import Visit, shot
from tests.studio.test_page_accessible import faults
from tests.studio.test_page_shapes import entry, tool
from tests.studio.test_page_solutions import (
    canvas,
    counts,
    player,
    put,
    results,
    rows,
    seen,
    solutions,
    solve,
    soon,
)

import kumitate
from kumitate.files.document import Document
from kumitate.model.grids import CUBES
from kumitate.model.palette import piece_colour
from kumitate.model.puzzle import Piece, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers
from kumitate.studio.ask.codec import key_of, shape_data
from kumitate.studio.ask.shapes import draw
from kumitate.studio.messages import ShapeRequest

expect = pytest.importorskip("playwright.sync_api").expect

SOMA = kumitate.library["soma"]


def with_t_in_the_corner() -> int:
    """How many solutions of the Soma cube, as they are listed, have the T on the first cell."""
    [problem] = SOMA.problems
    [tee] = [n for n, piece in enumerate(problem.pieces) if piece.shape.name == "T"]
    corner = min(problem.goal.cells)
    return sum(
        any(
            placement.piece == tee and corner in shape.cells
            for placement, shape in zip(assembly.placements, assembly.shapes, strict=True)
        )
        for assembly in kumitate.assemble(problem)
    )


def test_a_solution_with_the_t_in_a_corner_is_found_and_looked_at(visit: Visit) -> None:
    page = visit(solutions("soma"))
    solve(page)
    expect(counts(page)).to_have_text("240 solutions")
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_label("What lies there").select_option("T")
    layer = page.get_by_role("group", name="Layer 1")
    layer.get_by_role("button", name="Cell 0, 0, 0").click()
    found = with_t_in_the_corner()
    assert 0 < found < 240
    expect(counts(page)).to_have_text(f"{found} of 240 solutions")
    # The whole goal is in view, and the first of these solutions is watched.
    for number in (1, 2, 3):
        box = page.get_by_role("group", name=f"Layer {number}").bounding_box()
        edge = page.get_by_label("Go to no.").bounding_box()
        assert box is not None
        assert edge is not None
        assert box["y"] + box["height"] < edge["y"]
    expect(rows(page).first).to_have_attribute("aria-selected", "true")
    page.get_by_label("Pictures").check()
    expect(rows(page).first.locator("img")).to_be_visible()
    assert faults(page) == []
    shot(page, "piece-here")
    page.get_by_role("button", name="Clear the filter").click()
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_label("Go to no.").fill("123")
    page.get_by_label("Go to no.").press("Enter")
    expect(page.get_by_text("Solution 123 ·")).to_be_visible()
    expect(rows(page).and_(page.locator("[aria-selected=true]"))).to_have_accessible_name(
        re.compile("^Solution 123 ")
    )


def test_a_clicked_piece_is_shown_alone_hidden_and_searched_for(visit: Visit) -> None:
    page = visit(solutions("soma"))
    solve(page)
    expect(counts(page)).to_have_text("240 solutions")
    assert soon(lambda: max(seen(page, piece_colour(n)) for n in range(7)) > 0.02)
    box = canvas(page).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    picked = page.get_by_role("group", name=re.compile("^Piece "))
    expect(picked).to_be_visible()
    name = (picked.get_attribute("aria-label") or "").removeprefix("Piece ")
    pieces = page.get_by_role("region", name="Pieces", exact=True)
    picked.get_by_role("button", name="Only this").click()
    expect(pieces.get_by_role("button", name=re.compile(r"^\w solid$"))).to_have_count(1)
    expect(pieces.get_by_role("button", name=f"{name} solid")).to_be_visible()
    picked.get_by_role("button", name="Show all").click()
    picked.get_by_role("button", name="Hold still").click()
    expect(page.get_by_label("Fixed piece")).to_have_value(re.compile(r"^\d$"))
    shot(page, "picked")
    assert faults(page) == []
    picked.get_by_role("button", name=f"Only solutions with {name} here").click()
    expect(counts(page)).to_have_text(re.compile(r"^\d+ of 240 solutions$"))
    picked.get_by_role("button", name="Hide").click()
    expect(pieces.get_by_role("button", name=f"{name} hidden")).to_be_visible()
    expect(picked).to_have_count(0)


def test_solutions_in_a_file_are_edited_and_saved(visit: Visit, folder: Path) -> None:
    path = folder / "kept.xmpuzzle"
    [problem] = SOMA.problems
    some = [*kumitate.solve(problem, disassemble=True)][:6]
    kumitate.write(Document(SOMA, [Answers(some, 240, 240, True)]), path)
    page = visit("#/open?place=folder/kept.xmpuzzle&at=solutions")
    expect(counts(page)).to_have_text("6 solutions")
    expect(page).to_have_title("kept · kumitate")  # the format has no title, so its file's name
    expect(page.get_by_text("Saved in the puzzle's file.")).to_be_visible()
    results(page).press("Home")
    results(page).press("ArrowDown")
    expect(page.get_by_text("Solution 2 ·")).to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("button", name="Delete after").click()
    expect(counts(page)).to_have_text("2 solutions")
    shot(page, "edit-list")
    page.get_by_role("button", name="Undo the last change").click()
    expect(counts(page)).to_have_text("6 solutions")
    results(page).press("Home")
    page.get_by_role("button", name="Delete this one").click()
    expect(counts(page)).to_have_text("5 solutions")
    expect(page.get_by_text("Will be in the file when you save.")).to_be_visible()
    page.keyboard.press("Control+S")
    expect(page.get_by_text("Saved in the puzzle's file.")).to_be_visible()
    [answers] = kumitate.read(path).answers
    assert answers is not None
    assert [s.assembly.placements for s in answers.solutions] == [
        s.assembly.placements for s in some[1:]
    ]
    page.reload()
    expect(counts(page)).to_have_text("5 solutions")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("button", name="Make pieces of them").click()
    dialog = page.get_by_role("dialog", name="Make pieces of them")
    dialog.get_by_label("V", exact=True).uncheck()
    dialog.get_by_role("button", name="Make the puzzle").click()
    expect(page.get_by_role("banner").get_by_role("status")).to_contain_text("no file yet")
    expect(page.get_by_role("region", name="Facts")).to_contain_text("24 cells, connected")


def test_bars_and_sets_of_pieces_filter_the_list(visit: Visit) -> None:
    page = visit(solutions("six-piece-burr"))
    solve(page)
    expect(counts(page)).to_have_text("179 solutions")
    page.get_by_role("tab", name="Statistics").click()
    page.get_by_role("button", name="6: 31 solutions").click()
    expect(page.get_by_role("tab", name="List")).to_have_attribute("aria-selected", "true")
    expect(counts(page)).to_have_text("31 of 179 solutions")
    page.get_by_role("button", name="Filter (on)").click()
    page.get_by_role("button", name="Clear the filter").click()
    page.get_by_role("tab", name="Statistics").click()
    sets = page.get_by_role("figure").filter(has_text="Piece sets")
    told = re.search(r"(\d+) sets? of pieces; (\d+) ha", sets.inner_text())
    assert told is not None
    sets.get_by_role("button", name="List sets with one solution").click()
    expect(counts(page)).to_have_text(f"{told[2]} of 179 solutions")


def test_statistics_of_a_search_that_has_not_ended_say_so(visit: Visit) -> None:
    page = visit(solutions("kanoodle"))
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Stop after").fill("20")
    page.get_by_role("button", name="Solve with these options").click()
    expect(page.get_by_text("The first 20 solutions. There may be more.")).to_be_visible()
    page.get_by_role("tab", name="Statistics").click()
    panel = page.get_by_role("tabpanel", name="Statistics")
    expect(panel).to_contain_text("There may be more: these may not be typical of all.")
    expect(panel).not_to_contain_text("always")


def picture_of(shape: Shape, colour: str, *colours: str) -> str:
    """The address of a picture of a shape, as the page writes it."""
    request = ShapeRequest(key_of(shape.grid), shape_data(shape, 0), colour, [*colours])
    return "data:image/svg+xml," + quote(draw(request), safe="!*'()")


def test_the_colours_of_cells_are_seen(visit: Visit, folder: Path) -> None:
    red, near_red, violet = "#cc2222", "#c82828", "#8a2be2"
    goal = Shape.from_text(CUBES, "####", name="goal")
    coloured = {cell: 1 for cell in goal.cells if cell[0] > 1}
    half = Shape.from_text(CUBES, "##", name="half")
    other = Shape(CUBES, half.cells, colours=dict.fromkeys(half.cells, 1), name="red half")
    box = Shape(CUBES, goal.cells, colours=coloured, name="goal")
    problem = Problem(box, [Piece(half), Piece(other)], allowed={(1, 1)})
    puzzle = Puzzle(CUBES, [box, half, other], [problem], colours=[red])
    kumitate.save(puzzle, folder / "coloured.kumitate.json")
    page = visit("#/open?place=folder/coloured.kumitate.json&at=solutions")
    solve(page)
    expect(counts(page)).to_have_text(re.compile("solution"))
    assert soon(lambda: seen(page, red) > 0.005)
    shot(page, "cell-colours")
    page.get_by_label("Colours of cells").uncheck()
    assert soon(lambda: seen(page, red) < 0.001)

    page.keyboard.press("1")
    picture = entry(page, "red half").locator("img")
    expect(picture).to_have_attribute("src", picture_of(other, piece_colour(1), red))
    entry(page, "half").click()
    tool(page, "Colour").click()
    page.get_by_role("button", name="Add a colour").click()
    assert page.get_by_label("Change colour 2").input_value() not in (red, near_red)
    page.get_by_role("button", name="Remove colour 2").click()
    look = page.get_by_role("region", name="Facts").get_by_label("Colour")
    assert look.input_value() == piece_colour(0).lower()
    look.fill(violet)
    picture = entry(page, "half").locator("img")
    expect(picture).to_have_attribute("src", picture_of(half, violet, red))
    shot(page, "piece-colour")
    assert faults(page) == []
    page.keyboard.press("3")
    assert soon(lambda: seen(page, violet) > 0.005)
    expect(page.get_by_text("These solutions belong to an earlier version")).to_have_count(0)
    page.keyboard.press("Control+S")
    expect(page.get_by_role("banner").get_by_role("status")).to_have_text(re.compile("^saved"))
    assert kumitate.read(folder / "coloured.kumitate.json").puzzle.shapes[1].colour == violet
    page.keyboard.press("1")
    page.get_by_role("button", name="Default").click()
    expect(look).to_have_value(piece_colour(0).lower())


def test_pieces_are_of_wood_for_whoever_likes_that_and_stay_so(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "bars", "####/####", ("####", 2)))
    solve(page)

    def is_wooden() -> bool:
        return len(set(colours_in(canvas(page)))) > 2 * plain

    plain = 0
    assert soon(is_wooden)
    plain = len(set(colours_in(canvas(page))))
    page.get_by_label("Wood").check()
    assert soon(is_wooden)
    shot(page, "wood")
    page.reload()
    expect(page.get_by_label("Wood")).to_be_checked()
    assert soon(is_wooden)


def test_one_assembly_is_found_and_what_fits_is_packed(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "tees", "####/####/###.", ("###/.#.", 9)))
    page.get_by_role("button", name="Find one, or pack").click()
    dialog = page.get_by_role("dialog", name="Find one, or pack")
    assert faults(page) == []
    start = dialog.get_by_role("button", name="Start")
    start.click()
    expect(dialog.get_by_role("status")).to_contain_text("There is no assembly")
    dialog.get_by_label("As many pieces as fit").check()
    start.click()
    expect(dialog.get_by_role("status")).to_have_text("2 pieces placed, the most possible.")
    shot(page, "pack")
    dialog.get_by_role("button", name="Open it as a puzzle of its own").click()
    expect(counts(page)).to_have_text("1 assembly")
    page.goto(page.url.split("#")[0] + solutions("soma"))
    page.get_by_role("button", name="Find one, or pack").click()
    start.click()
    expect(dialog).to_have_count(0)
    expect(counts(page)).to_have_text("1 assembly")


def test_words_do_not_contradict_the_picture_when_a_piece_is_held(visit: Visit) -> None:
    page = visit(solutions("diabolical-cube"))
    solve(page)  # for the first time here: nothing is shown before
    expect(player(page)).to_contain_text("0 of 5")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    told = player(page).get_by_role("status")
    expect(told).to_have_text(re.compile("slides? out"))
    expect(player(page)).to_contain_text("1 of 5")
    name = told.inner_text().split()[0].rstrip(",")
    page.get_by_label("Fixed piece").select_option(name)
    expect(told).to_contain_text(f"({name} is held still: the rest moves the other way)")
