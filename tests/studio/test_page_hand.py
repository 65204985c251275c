"""Puzzles taken apart by hand in the studio: dragging, pushing, hints from the server."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.output.conftest import spot_of
from tests.studio.conftest import Visit, shot
from tests.studio.test_page_accessible import faults
from tests.studio.test_page_solutions import put, solutions, solve

from kumitate.model.palette import DARK, piece_colour

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = pytest.importorskip("playwright.sync_api").expect

TUBE = "### ### ###/### ### ###/### ### ###"
SHELL = "### ### ###/### ... ###/### ### ###"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def begin(page: "Page") -> None:
    solve(page)
    page.get_by_role("button", name="Take apart by hand").click()


def status(page: "Page") -> "Locator":
    return page.get_by_role("region", name="By hand").get_by_role("status")


def test_a_rod_is_dragged_out_of_its_tube(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "tube", TUBE, (SHELL, 1), ("###", 1)))
    begin(page)
    expect(status(page)).to_contain_text("Drag a piece")
    expect(page.get_by_text("You are 1 move from the first separation.")).to_be_visible()
    page.wait_for_timeout(300)  # the camera has come to rest
    x, y = spot_of(page, piece_colour(1))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 15)
    page.mouse.move(x + 160, y + 40)
    page.mouse.up()
    expect(status(page)).to_have_text("Taken apart in 1 move! No known way is shorter.")
    shot(page, "hand-over")
    page.get_by_role("button", name="Undo", exact=True).last.click()
    expect(status(page)).to_contain_text("Drag a piece")
    for key in ("n", "n", "ArrowUp"):
        page.keyboard.press(key)
    expect(status(page)).to_contain_text("is blocked by")
    spot_of(page, DARK["bad"])  # the outline of what is in the way
    page.get_by_role("button", name="Back to the solution").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_finger_drags_a_rod_out_of_its_tube(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "finger", TUBE, (SHELL, 1), ("###", 1)), **PHONE)
    begin(page)
    expect(status(page)).to_contain_text("Drag a piece")
    page.wait_for_timeout(300)  # the camera has come to rest
    x, y = spot_of(page, piece_colour(1))
    finger = page.context.new_cdp_session(page)
    for kind, along in (("touchStart", [0]), ("touchMove", [20, 50, 80]), ("touchEnd", [80])):
        for far in along:
            points = [{"x": x + far, "y": y + far / 4}] if kind != "touchEnd" else []
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(status(page)).to_have_text("Taken apart in 1 move! No known way is shorter.")


def test_hints_of_the_server_take_a_burr_apart(visit: Visit) -> None:
    page = visit(solutions("six-piece-burr"))
    begin(page)
    bar = page.get_by_role("region", name="By hand")
    bar.get_by_role("group", name="Pieces").get_by_role("button").first.click()
    shot(page, "hand")
    assert faults(page) == []
    for _ in range(40):
        bar.get_by_role("button", name="Hint").click()
        expect(status(page)).to_contain_text("Slide")
        expect(bar.get_by_text("from the")).to_have_count(0)  # the hint says how far it is
        bar.get_by_role("button", name="Do it").click()
        if "Taken apart" in status(page).inner_text():
            return
    pytest.fail("it does not come apart")


def test_a_solution_is_put_together_again(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "tray", "###/###", ("###/#..", 1), ("##", 1)))
    solve(page)
    page.get_by_role("button", name="Put together").click()
    toy = page.get_by_role("dialog", name="Put together")
    for _ in range(2):
        toy.get_by_role("button", name="Hint").click()
        toy.get_by_role("button", name="Do it").click()
    expect(toy.get_by_role("status")).to_have_text("Solved, with 2 hints!")
    toy.get_by_role("button", name="Close").click()
    expect(toy).to_have_count(0)


LONG = pytest.mark.skipif("KUMITATE_SOAK" not in os.environ, reason="make soak: it takes long")


@pytest.mark.parametrize(
    "options", [pytest.param({}, id="mouse", marks=LONG), pytest.param(PHONE, id="phone")]
)
def test_a_newcomer_takes_the_first_piece_off_the_eighteen_piece_burr(
    visit: Visit, options: dict[str, object]
) -> None:
    """From the first page on, with hints; on the phone everything is tapped."""
    page = visit("", **options)
    phone = bool(options)

    def press(what: "Locator") -> None:
        what.tap() if phone else what.click()

    card = page.get_by_role("article").filter(has_text="Eighteen-piece burr")
    press(card.get_by_role("link", name=re.compile("Play")))
    by_hand = page.get_by_role("button", name="Take apart by hand")
    expect(by_hand).to_be_in_viewport(ratio=1)
    press(by_hand)
    bar = page.get_by_role("region", name="By hand")
    expect(page.get_by_text("You are 29 moves from the first separation.")).to_be_visible()
    view = page.locator("main canvas").first.bounding_box()
    assert view is not None
    assert min(view["width"], view["height"]) >= 240
    for tab in page.get_by_role("navigation", name="Places").get_by_role("button").all():
        box = tab.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= page.viewport_size["width"]  # type: ignore[index]
    shot(page, "hand-burr-phone" if phone else "hand-burr")
    for move in range(1, 30):
        press(bar.get_by_role("button", name="Hint"))
        press(bar.get_by_role("button", name="Do it"))
        expect(bar.get_by_text(f"{move} move{'s' * (move > 1)}", exact=True)).to_be_visible()
    expect(status(page)).to_contain_text("comes off. 17 pieces are left here.")
    shot(page, "hand-burr-off-phone" if phone else "hand-burr-off")
