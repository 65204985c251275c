"""The studio on a site, without a server: a newcomer's story in a real browser."""

import functools
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.studio.conftest import BUILT, PATIENCE, ROOT, shot
from tests.studio.test_page_solutions import player

from kumitate.files import decode
from kumitate.studio.serve.website import NEEDED, studio_files

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

PARTS = ROOT / "dist" / "browser"

pytestmark = pytest.mark.skipif(not BUILT.exists(), reason="the studio's page is not built")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *given: object) -> None:
        pass


@contextmanager
def served(folder: Path, parts: Path) -> Iterator[str]:
    """The address of a studio that any web server can serve."""

    for path, data in studio_files(parts).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not (PARTS / "packages.zip").exists():
        pytest.skip("there is no wheel for Pyodide (make pyodide)")
    with served(tmp_path_factory.mktemp("site"), PARTS) as address:
        yield address


def test_a_studio_whose_python_is_damaged_says_so(browser: "Browser", tmp_path: Path) -> None:
    from playwright.sync_api import expect

    parts = tmp_path / "parts"
    parts.mkdir()
    for name in NEEDED:
        (parts / name).write_text("throw new Error('damaged')")
    context = browser.new_context()
    try:
        with served(tmp_path / "site", parts) as address:
            page = context.new_page()
            page.goto(address)
            expect(page.get_by_text("The solver could not start.")).to_be_visible()
    finally:
        context.close()


def test_a_newcomer_solves_changes_saves_and_takes_along(
    browser: "Browser", site: str, tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    context = browser.new_context(
        viewport={"width": 1280, "height": 720}, reduced_motion="reduce", accept_downloads=True
    )
    context.set_default_timeout(PATIENCE)
    complaints: list[str] = []

    def hear(said: "ConsoleMessage") -> None:
        if said.type == "error":
            complaints.append(said.text)

    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("console", hear)
    page = context.new_page()
    page.goto(site)

    # The gallery is there before the solver is.
    card = page.get_by_role("article").filter(has_text="Soma cube")
    expect(card).to_be_visible()
    expect(page.get_by_text("The solver is starting.")).to_be_visible()
    ready(page)
    shot(page, "alone-gallery")
    card.get_by_role("link", name=re.compile("^Open")).click()
    expect(page.get_by_role("navigation").get_by_role("button")).to_have_text(
        ["Shapes", "Problem", "Solutions"]
    )

    page.keyboard.press("3")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_text(re.compile("Found all 240 solutions"))).to_be_visible()
    time = page.get_by_label("Time")
    time.press("Home")
    time.press("ArrowRight")  # a heading, then a move
    time.press("ArrowRight")
    expect(player(page).get_by_text("1 of 6")).to_be_visible()
    shot(page, "alone-solutions")

    page.keyboard.press("1")
    page.get_by_label("Title").fill("My cube")
    page.keyboard.press("Control+s")
    page.get_by_role("dialog").get_by_role("textbox").fill("mine.kumitate.json")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_text("saved · mine.kumitate.json")).to_be_visible()

    page.reload()
    ready(page)
    expect(page.get_by_label("Title")).to_have_value("My cube")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Export", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name=".xmpuzzle").click()
    downloading.value.save_as(tmp_path / "mine.xmpuzzle")
    assert len(decode((tmp_path / "mine.xmpuzzle").read_bytes()).puzzle.shapes) == 8

    page.goto(site)
    ready(page)
    mine = page.get_by_role("article").filter(has_text="My cube")
    expect(mine.locator("img")).to_be_visible()
    shot(page, "alone-saved")
    context.close()
    assert complaints == []


def ready(page: "Page") -> None:
    page.get_by_text("The solver is starting.").wait_for(state="detached")
