"""A collection in the studio: designed on the page, its cards, and puzzles that can be opened."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from tests.studio.conftest import Visit, shot
from tests.studio.test_page_accessible import faults

from kumitate.designer import Cuts
from kumitate.jobs.design import search_into
from kumitate.model.grids import CUBES
from kumitate.model.shape import Shape
from kumitate.store import open_collection

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

expect = pytest.importorskip("playwright.sync_api").expect

CELLS = {(x, y, z, 0) for x in range(3) for y in range(3) for z in range(2)}
BOX = Shape(CUBES, CELLS, name="3x3x2")
CUBES_FILE = "#/folder/cubes.kumitate"


@pytest.fixture(scope="module", autouse=True)
def samples(folder: Path) -> list[int]:
    """The samples of a collection in the folder, the best first; more than come at once."""
    search_into(folder / "cubes.kumitate", Cuts(BOX, 3), limit=105)
    with open_collection(folder / "cubes.kumitate") as collection:
        return [entry.sample for entry in collection.page(1, 200)]


def test_home_leads_to_the_cards_and_a_card_to_the_player(page: "Page", samples: list[int]) -> None:
    page.get_by_role("link", name="Open cubes").click()
    cards = page.get_by_role("article")
    expect(cards).to_have_count(100)
    expect(page.get_by_text("the best 100 of 105 puzzles", exact=True)).to_be_visible()
    page.get_by_role("button", name="Load more").click()
    expect(cards).to_have_count(105)
    expect(page.get_by_role("button", name="Load more")).to_be_hidden()
    picture = cards.first.locator("img")
    page.wait_for_function("(picture) => picture.naturalWidth > 0", arg=picture.element_handle())
    cards.nth(101).get_by_role("link").click()
    expect(page.locator("canvas")).to_be_visible()
    expect(page).to_have_url(f"{page.url.split('&')[0]}&sample={samples[101]}")
    page.keyboard.press("End")
    expect(page.locator(".words")).to_contain_text("slides out")
    page.reload()
    expect(page.locator("canvas")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cards).to_have_count(105)
    expect(cards.nth(101).get_by_role("link")).to_be_focused()


def test_cards_that_are_loaded_while_the_page_looks_for_new_ones_stay(page: "Page") -> None:
    designs: list[Route] = []
    looks: list[Route] = []
    page.route("**/api/designs", lambda route: designs.append(route))
    page.get_by_role("link", name="Open cubes").click()
    cards = page.get_by_role("article")
    expect(cards).to_have_count(100)
    look = re.compile(r"first=1&count=100$")
    page.route(look, lambda route: looks.append(route))
    with page.expect_request(look):
        for design in designs:
            design.continue_()
    page.get_by_role("button", name="Load more").click()
    expect(cards).to_have_count(105)
    with page.expect_response(re.compile(r"first=1&count=105$")):
        looks[0].continue_()
    expect(cards).to_have_count(105)
    expect(page.get_by_role("button", name="Load more")).to_be_hidden()


def test_a_puzzle_opens_in_the_editor_and_back_leads_to_its_cards(
    visit: Visit, samples: list[int]
) -> None:
    page = visit(CUBES_FILE)
    page.get_by_role("article").nth(1).get_by_role("link").click()
    page.get_by_role("link", name="Open", exact=True).click()
    expect(page.get_by_label("Title of the puzzle")).to_have_value("3x3x2 in 3 pieces, level 1")
    where = page.get_by_role("banner").get_by_role("status")
    expect(where).to_contain_text(f"sample {samples[1]}, read-only")
    page.go_back()
    expect(page.get_by_role("heading", name="cubes.kumitate")).to_be_visible()
    page.get_by_role("link", name="Export").click()
    dialog = page.get_by_role("dialog")
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name=".stl").click()
    assert waiting.value.suggested_filename.endswith((".stl", ".zip"))
    with page.expect_download() as waiting:  # the collection keeps its solution
        dialog.get_by_role("button", name=".pdf").click()
    assert Path(waiting.value.path()).read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_cards_and_player_are_for_everybody(visit: Visit, scheme: str, width: int) -> None:
    page = visit(CUBES_FILE, color_scheme=scheme, viewport={"width": width, "height": 780})
    expect(page.get_by_role("article").first).to_be_visible()
    shot(page, f"collection-{scheme}-{width}")
    assert faults(page) == []
    page.get_by_role("article").first.get_by_role("link").click()
    expect(page.locator("canvas")).to_be_visible()
    shot(page, f"collection-puzzle-{scheme}-{width}")
    assert faults(page) == []


def test_the_player_follows_the_theme_of_the_page(visit: Visit) -> None:
    page = visit(CUBES_FILE, color_scheme="light")
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("article").first.get_by_role("link").click()
    expect(page.locator("canvas")).to_be_visible()
    panel = page.locator(".layout").evaluate("(e) => getComputedStyle(e).backgroundColor")
    assert panel == "rgb(31, 33, 36)"


def test_a_collection_that_is_gone_leads_home(visit: Visit) -> None:
    page = visit("#/folder/none.kumitate")
    expect(page.get_by_text("none.kumitate does not exist")).to_be_visible()
    expect(page.get_by_role("link", name="Open cubes")).to_be_visible()


def test_a_unique_cube_of_four_pieces_is_designed_and_its_plates_are_saved(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="Design a puzzle").click()
    wanted = page.get_by_role("region", name="What you want")
    wanted.get_by_role("textbox", name="Size").fill("4x4x4")
    wanted.get_by_role("textbox", name="Pieces").fill("many")
    expect(page.get_by_role("alert")).to_contain_text("Enter a whole number")
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    wanted.get_by_role("textbox", name="Pieces").fill("4")
    wanted.get_by_label("Unique").check()
    wanted.get_by_label("Stop after").select_option("never: until I pause it")
    shot(page, "design")
    assert faults(page) == []
    page.get_by_role("button", name="Start").click()

    expect(page.get_by_role("heading", name="4x4x4 in 4 pieces.kumitate")).to_be_visible()
    state = page.get_by_role("banner").get_by_role("status")
    expect(state).to_contain_text("running")
    cards = page.get_by_role("article")
    expect(cards.nth(2)).to_be_visible()  # they come while one watches
    shot(page, "design-running")
    page.get_by_role("button", name="Pause").click()
    expect(state).to_contain_text("paused")
    found = int(re.search(r"([\d,]+) puzzle", state.inner_text())[1].replace(",", ""))  # type: ignore[index]
    expect(page.locator(".count")).to_have_text(f"{found} puzzles")
    expect(cards.first).to_contain_text("4 pieces of")
    expect(cards.first).to_contain_text("unique solution")
    assert faults(page) == []

    cards.first.get_by_role("link").click()
    page.get_by_role("link", name="Make", exact=True).click()
    expect(page.get_by_role("region", name="Preview")).to_have_attribute("aria-busy", "false")
    expect(page.get_by_role("region", name="Material and time")).to_contain_text("4 solids")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename.endswith(".3mf")
    with ZipFile(waiting.value.path()) as plates:
        assert plates.read("3D/3dmodel.model").count(b"<object ") >= 4


def test_a_puzzle_that_was_found_is_improved_from_where_it_is(visit: Visit) -> None:
    page = visit(CUBES_FILE)
    page.get_by_role("article").first.get_by_role("link").click()
    page.get_by_role("link", name="Improve").click()
    wanted = page.get_by_role("region", name="What you want")
    expect(wanted.get_by_role("combobox", name="Goal")).to_have_value("improve")
    wanted.get_by_role("textbox", name="Holes").fill("0..2")
    wanted.get_by_role("textbox", name="Level").fill("50")
    wanted.get_by_text("More wishes").click()
    wanted.get_by_label("Identical pieces").check()
    wanted.get_by_label("Different pieces").check()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_contain_text("contradict each other")
    wanted.get_by_label("Identical pieces").uncheck()
    wanted.get_by_label("Stop after").select_option("10 minutes")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("banner").get_by_role("status")).to_contain_text("0 puzzles")
    expect(page.get_by_text("This search has not found a puzzle yet.")).to_be_visible()
    page.get_by_role("link", name="Design a puzzle").click()
    made = page.get_by_role("region", name="What was found")
    expect(made.get_by_role("listitem").filter(has_text="3x3x2 in 3 pieces")).to_contain_text(
        "holes 0..2, level 50, different"
    )
    shot(page, "design-found")
    made.get_by_role("button", name=re.compile("^Pause")).click(timeout=8000)
    expect(made.get_by_role("status").first).to_contain_text("paused")
    assert faults(page) == []
