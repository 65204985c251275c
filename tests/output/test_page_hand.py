"""Puzzles taken apart by hand on an exported page, with the mouse, a finger and keys."""

from typing import TYPE_CHECKING

import pytest
from tests.output.conftest import Show, settled, spot_of
from tests.output.test_page import PHONE, burr_solution, rod, soma_pieces

from kumitate import library
from kumitate.model.palette import DARK, piece_colour
from kumitate.output.page import page
from kumitate.output.scene import Scene, scene_of
from kumitate.search.assemble import assemble
from kumitate.search.solve import solve

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = pytest.importorskip("playwright.sync_api").expect

BLUE = piece_colour(1)  # the rod


def begun(show: Show, scene: Scene, **options: object) -> "Page":
    shown = show(page([("one", scene)], "puzzle"), **options)
    shown.get_by_role("button", name="Take apart by hand").click()
    return settled(shown)


def status(shown: "Page") -> "Locator":
    return shown.get_by_role("status")


def drag(shown: "Page", colour: str, right: float, down: float) -> None:
    x, y = spot_of(shown, colour)
    shown.mouse.move(x, y)
    shown.mouse.down()
    for part in (0.3, 0.6, 1):
        shown.mouse.move(x + part * right, y + part * down)
    shown.mouse.up()


def test_a_piece_is_dragged_out_and_undone(show: Show) -> None:
    shown = begun(show, rod())
    drag(shown, BLUE, 160, 40)
    expect(status(shown)).to_have_text("Taken apart in 1 move! No known way is shorter.")
    settled(shown)
    shown.get_by_role("button", name="Undo").click()
    expect(shown.get_by_text("0 moves")).to_be_visible()
    drag(settled(shown), BLUE, 0, -160)
    expect(status(shown)).to_have_text("B is blocked by A.")
    spot_of(settled(shown), DARK["bad"])  # the outline of what is in the way
    shown.get_by_role("button", name="Back to the solution").click()
    expect(shown.get_by_role("button", name="Play")).to_be_visible()


def test_hints_lead_to_the_end_on_a_phone(show: Show) -> None:
    shown = begun(show, burr_solution(), **PHONE, reduced_motion="reduce")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
    for _ in range(40):
        shown.get_by_role("button", name="Hint").tap()
        shown.get_by_role("button", name="Do it").tap()
        if "Taken apart in" in status(shown).inner_text():
            break
    expect(status(shown)).to_contain_text("Taken apart in")


def test_a_long_way_is_known_from_the_solution(show: Show) -> None:
    burr = next(solve(library["eighteen-piece-burr"].problems[0], disassemble=True))
    shown = begun(show, scene_of(burr), reduced_motion="reduce")
    shown.get_by_role("button", name="Hint").click()
    expect(status(shown)).to_contain_text(f"{burr.level} moves until something comes off")


def test_keys_choose_and_push(show: Show) -> None:
    shown = begun(show, rod(), reduced_motion="reduce")
    shown.get_by_role("group", name="Pieces").get_by_role("button", name="B").press("Enter")
    shown.get_by_role("group", name="Move B").get_by_role("button", name="to the right").press(
        "Enter"
    )
    expect(status(shown)).to_contain_text("Taken apart in 1 move!")
    for key in ("Backspace", "n", "N", "ArrowUp"):
        shown.keyboard.press(key)
    expect(status(shown)).to_have_text("B is blocked by A.")
    expect(shown.get_by_text("You are 1 move from the first separation.")).to_be_visible()
    shown.keyboard.press("h")
    expect(status(shown)).to_contain_text("Slide B out")
    shown.keyboard.press("h")
    expect(status(shown)).to_contain_text("Taken apart in 1 move, with 1 hint!")


def test_a_turn_of_the_solution_can_be_made(show: Show) -> None:
    cube = library["turning-cube"].problems[0]
    turning = next(solve(cube, disassemble=True, turns=0))
    shown = begun(show, scene_of(turning), reduced_motion="reduce")
    for _ in range(40):
        shown.get_by_role("button", name="Hint").click()
        expect(shown.get_by_role("button", name="Do it")).to_be_visible()
        if "turns" in status(shown).inner_text():
            break
        shown.get_by_role("button", name="Do it").click()
    shown.get_by_role("button", name="Do it").click()
    expect(status(shown)).to_contain_text("turn")
    for _ in range(40):
        if "Taken apart in" in status(shown).inner_text():
            return
        shown.get_by_role("button", name="Hint").click()
        shown.get_by_role("button", name="Do it").click()
    pytest.fail("it does not come apart")


def test_pieces_side_by_side_cannot_be_taken_apart(show: Show) -> None:
    shown = show(page([("pieces", soma_pieces())], "soma"))
    expect(shown.get_by_role("button", name="Take apart by hand")).to_have_count(0)


def test_a_challenge_card_is_solved_with_hints_on_a_phone(show: Show) -> None:
    kanoodle = next(assemble(library["kanoodle"].problems[0]))
    shown = show(page([("one", scene_of(kanoodle))], "Kanoodle"), **PHONE, reduced_motion="reduce")
    shown.get_by_role("button", name="Put together").tap()
    expect(shown.get_by_text("12 pieces left")).to_be_visible()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
    shown.get_by_label("Pieces given").fill("9")
    shown.get_by_role("button", name="New card").tap()
    expect(status(shown)).to_have_text("Card 1: 9 pieces are given. Find places for the other 3.")
    for left in ("2 pieces are left.", "One piece is left.", "Solved, with 3 hints!"):
        shown.get_by_role("button", name="Hint").tap()
        shown.get_by_role("button", name="Do it").tap()
        expect(status(shown)).to_contain_text(left)
    shown.get_by_role("button", name="Back to the solution").tap()
    expect(shown.get_by_role("button", name="Put together")).to_be_visible()
