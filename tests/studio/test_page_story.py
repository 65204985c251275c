"""What a newcomer does, from the first page on; the pictures of the studio in docs/ come from here.

With KUMITATE_SHOTS set they are left in build/screenshots, from where `python -m tools.pictures`
copies them.
"""

import re
from typing import TYPE_CHECKING

import pytest
from tests.studio.conftest import Visit, shot
from tests.studio.test_page_shapes import cell, entry, facts, fresh
from tests.studio.test_page_solutions import player

from kumitate.library import library

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect

LOADED = """() => [...document.images]
  .filter((image) => image.getBoundingClientRect().top < innerHeight) // the others wait until then
  .every((image) => image.complete && image.naturalWidth)"""


def test_two_clicks_and_a_burr_comes_apart(visit: Visit) -> None:
    page = visit()
    card = page.get_by_role("article").filter(has_text="Eighteen-piece burr")
    expect(card).to_be_visible()
    page.wait_for_function(LOADED)
    shot(page, "studio-gallery")

    card.get_by_role("link", name=re.compile("Play")).click()
    expect(player(page)).to_be_visible()
    time = page.get_by_label("Time")
    time.press("Home")
    for _ in range(30):
        time.press("ArrowRight")
    # The 29 moves of the first separation; headings are steps of the timeline, but not moves.
    expect(player(page).get_by_text("29 of 73")).to_be_visible()
    shot(page, "studio-solutions")


def test_the_soma_cube_is_drawn_set_and_solved(visit: Visit) -> None:
    """One piece by clicks, the others as text; what is missing the check line fixes."""
    page = fresh(visit)
    for place in ((0, 0, 0), (1, 0, 0), (0, 1, 0)):
        cell(page, *place).click()
    expect(facts(page)).to_contain_text("3 cells, connected")

    shapes = {shape.name: shape for shape in library["soma"].shapes}
    shapes["right"], shapes["left"] = shapes["A"], shapes["B"]
    for name in ("L", "T", "Z", "right", "left", "P", "3x3x3"):
        typed(page, name, str(shapes[name]))
    page.keyboard.press("2")

    fix(page, "Make 3x3x3 the goal")
    fix(page, "Use every other shape once")
    expect(page.get_by_text("7 pieces fill all 27 cells.")).to_be_visible()
    page.keyboard.press("1")
    entry(page, "P").click()
    expect(facts(page)).to_contain_text("4 cells, connected")
    shot(page, "studio-shapes")

    page.keyboard.press("3")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_text(re.compile("Found all 240 solutions"))).to_be_visible()
    expect(player(page)).to_be_visible()


def typed(page: "Page", name: str, text: str) -> None:
    """Add a shape as text."""
    page.get_by_role("button", name="From text").click()
    dialog = page.get_by_role("dialog")
    said, named = dialog.get_by_role("textbox").all()
    said.fill(text)
    named.fill(name)
    dialog.get_by_role("button", name=re.compile("^Add")).click()
    expect(dialog).to_be_hidden()


def fix(page: "Page", what: str) -> None:
    """Take the way out that the check line offers."""
    page.get_by_role("button", name=re.compile("Fix")).click()
    page.get_by_role("button", name=what).click()
