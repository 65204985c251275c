"""What the page does without WebGL, when a part of it breaks, and what it does not load."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from tests.studio.conftest import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

expect = pytest.importorskip("playwright.sync_api").expect

NO_WEBGL = """() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more);
    };
}"""

Visit = Callable[[str], "Page"]


@pytest.fixture
def context(browser: "Browser") -> Iterator["BrowserContext"]:
    """A browser in which things may go wrong."""
    expect.set_options(timeout=PATIENCE)
    made = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


@pytest.fixture
def visit(context: "BrowserContext", studio: str) -> Visit:
    def opened(where: str) -> "Page":
        page = context.new_page()
        page.goto(studio + where)
        return page

    return opened


def test_without_webgl_shapes_are_drawn_layer_by_layer(
    context: "BrowserContext", visit: Visit
) -> None:
    context.add_init_script(f"({NO_WEBGL})()")
    page = visit("#/library/soma")
    expect(page.get_by_role("alert")).to_contain_text("The 3D view needs WebGL")
    page.get_by_role("application").focus()
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Facts")).to_contain_text("2 cells")
    page.keyboard.press("2")
    expect(page.get_by_role("heading", name="Goal: 3x3x3")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("The 3D view needs WebGL")


def test_a_view_that_the_graphics_card_dropped_says_so_and_comes_back(visit: Visit) -> None:
    page = visit("#/library/soma")
    expect(page.get_by_role("img", name="3D")).to_be_visible()
    page.evaluate("""() => {
      const canvas = document.querySelector("[data-stage] > canvas");
      window.loss = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
      loss.loseContext();
    }""")
    expect(page.get_by_role("alert")).to_contain_text("The graphics card has dropped")
    page.get_by_role("application").focus()
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Facts")).to_contain_text("2 cells")
    page.evaluate("loss.restoreContext()")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_place_that_breaks_says_so_and_the_others_work(
    context: "BrowserContext", visit: Visit
) -> None:
    context.route("**/Problem-*.js", lambda route: route.abort())
    page = visit("#/library/soma?at=problem")
    expect(page.get_by_role("alert")).to_contain_text("This part of the page has stopped working")
    page.keyboard.press("1")
    expect(page.get_by_role("region", name="Facts")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_unexpected_error_is_shown(visit: Visit) -> None:
    page = visit("")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    page.evaluate("() => void Promise.reject(new Error('the cat is on the keyboard'))")
    expect(page.get_by_text("the cat is on the keyboard")).to_be_visible()


def test_the_gallery_loads_no_3d(context: "BrowserContext", visit: Visit) -> None:
    loaded: list[str] = []
    context.on("response", lambda response: loaded.append(response.url))
    page = visit("")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    assert any("/index-" in url for url in loaded)
    assert not any("/Stage-" in url for url in loaded)
    with page.expect_response("**/Stage-*"):
        page.goto(page.url.split("#")[0] + "#/library/soma")
    expect(page.get_by_role("region", name="Facts")).to_be_visible()
