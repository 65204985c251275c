"""The studio on a site, without a server: a newcomer's story in a real browser."""

import functools
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from tests.output.conftest import soon
from tests.studio.conftest import BUILT, PATIENCE, ROOT, shot
from tests.studio.test_page_solutions import player

from kumitate.files import decode, encode
from kumitate.files.document import Document
from kumitate.library import library
from kumitate.model.found import Found
from kumitate.output.site import offline, site
from kumitate.studio.serve.website import NEEDED, studio_files

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page

PARTS = ROOT / "dist" / "browser"
KEPT = "navigator.serviceWorker.ready.then(() => 0)"

pytestmark = pytest.mark.skipif(not BUILT.exists(), reason="the studio's page is not built")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *given: object) -> None:
        pass


@contextmanager
def served(folder: Path, files: Mapping[str, bytes], port: int = 0) -> Iterator[int]:
    """A folder that Python's own server serves; the number of its port."""
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    act = functools.partial(_Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", port), act)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def at(port: int, path: str = "") -> str:
    return f"http://127.0.0.1:{port}/{path}"


@contextmanager
def visitor(browser: "Browser") -> Iterator["BrowserContext"]:
    """A browser of its own, in which nothing may go wrong but what the network does."""
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
    try:
        yield context
    finally:
        context.close()
    assert complaints == []


def card(page: "Page", title: str) -> "Locator":
    return page.get_by_role("article").filter(has_text=title)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A site with a puzzle of its own, and the studio."""
    if not (PARTS / "packages.zip").exists():
        pytest.skip("there is no wheel for Pyodide (make pyodide)")
    puzzle = replace(library["diabolical-cube"], title="Our cube")
    text = encode(Document(puzzle), "our.kumitate.json")[0].decode()
    return site("Ours", [Found(1, puzzle, None, text)], studio_files(PARTS))


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A folder with a Python that does not start."""
    parts = tmp_path / "parts"
    parts.mkdir()
    for name in NEEDED:
        (parts / name).write_text("throw new Error('damaged')")
    return parts


def test_a_studio_whose_python_is_damaged_says_so(
    browser: "Browser", tmp_path: Path, parts: Path
) -> None:
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    context = browser.new_context()
    try:
        with served(tmp_path / "site", offline(studio_files(parts))) as port:
            page = context.new_page()
            page.goto(at(port))
            expect(page.get_by_text("The solver could not start.")).to_be_visible()
            page.goto(at(port, "#/site/gone.kumitate.json"))
            expect(page.get_by_text("this site has no such puzzle any more")).to_be_visible()
    finally:
        context.close()


def test_a_new_version_is_used_from_the_next_load_on_and_never_mixed(
    browser: "Browser", tmp_path: Path, parts: Path
) -> None:
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    files = studio_files(parts)
    newer = {**files, "home.json": files["home.json"].replace(b"Soma cube", b"Soma of today")}
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        with served(tmp_path / "old", offline(files)) as port:
            page.goto(at(port))
            expect(card(page, "Soma cube")).to_be_visible()
            page.evaluate(KEPT)
        page.reload()
        expect(card(page, "Soma cube")).to_be_visible()
        with served(tmp_path / "new", offline(newer), port):
            page.reload()
            notice = page.get_by_text("There is a new version of the studio.")
            expect(notice).to_be_visible()
            expect(card(page, "Soma cube")).to_be_visible()
            # Whichever page is loaded next, all are then new.
            other = context.new_page()
            other.goto(at(port))
            expect(card(other, "Soma of today")).to_be_visible()
            expect(card(page, "Soma of today")).to_be_visible()
            other.close()
        page.reload()
        expect(card(page, "Soma of today")).to_be_visible()
    finally:
        context.close()


def test_a_first_visit_by_way_of_the_gallery_is_not_interrupted(
    browser: "Browser", tmp_path: Path, parts: Path
) -> None:
    from playwright.sync_api import expect

    found = Found(1, library["soma"], None, "{}")
    files = site("Ours", [found], studio_files(parts))
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        with served(tmp_path / "site", files) as port:
            page.goto(at(port))
            page.evaluate(KEPT)
            page.goto(at(port, "studio/"))
            page.evaluate("window.same = true")
            mine = "navigator.serviceWorker.controller?.scriptURL.endsWith('/studio/offline.js')"
            assert soon(lambda: page.evaluate(mine))
            page.wait_for_timeout(500)
            assert page.evaluate("window.same")
            expect(page.get_by_text("There is a new version")).to_have_count(0)
    finally:
        context.close()


def test_the_studio_works_without_a_network_after_one_visit(
    browser: "Browser", whole: dict[str, bytes], tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    with visitor(browser) as context:
        page = context.new_page()
        with served(tmp_path, whole) as port:
            # Neither of the two, a gallery and a studio within it, throws the other's files away.
            page.goto(at(port, "studio/"))
            ready(page)
            page.evaluate(KEPT)
            page.goto(at(port))
            page.evaluate(KEPT)

        page.get_by_role("link", name="Our cube").click()
        page.get_by_role("link", name="Open in the studio").click()
        ready(page)
        expect(page.get_by_label("Title")).to_have_value("Our cube")
        expect(page.get_by_text("from this site; saving makes a copy")).to_be_visible()
        page.keyboard.press("3")
        page.get_by_role("button", name="Solve", exact=True).click()
        expect(page.get_by_text(re.compile("Found all 13 solutions"))).to_be_visible()
        shot(page, "alone-offline")

        # What is drawn on it is kept.
        page.keyboard.press("1")
        page.get_by_label("Title").fill("My cube")
        expect(page.get_by_text("not saved")).to_be_visible()
        page.get_by_role("button", name="kumitate").click()
        page.get_by_role("link", name="My cube").click()
        expect(page.get_by_label("Title")).to_have_value("My cube")


def test_a_newcomer_solves_changes_saves_and_takes_along(
    browser: "Browser", whole: dict[str, bytes], tmp_path: Path
) -> None:
    with visitor(browser) as context, served(tmp_path / "site", whole) as port:
        newcomer(context.new_page(), at(port, "studio/"), tmp_path)


def newcomer(page: "Page", site: str, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    page.goto(site)

    # The gallery is there before the solver is.
    soma = card(page, "Soma cube")
    expect(soma).to_be_visible()
    expect(page.get_by_text("The solver is starting.")).to_be_visible()
    ready(page)
    shot(page, "alone-gallery")
    soma.get_by_role("link", name=re.compile("^Open")).click()
    expect(page.get_by_role("navigation").get_by_role("button")).to_have_text(
        ["Shapes", "Problem", "Solutions"]
    )

    page.keyboard.press("3")
    page.get_by_role("button", name=re.compile("^Options")).click()
    expect(page.get_by_label("Stop after")).to_be_visible()
    expect(page.get_by_label("Threads")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_text(re.compile("Found all 240 solutions"))).to_be_visible()
    time = page.get_by_label("Time")
    time.press("Home")
    time.press("ArrowRight")  # a heading, then a move
    time.press("ArrowRight")
    expect(player(page).get_by_text("1 of 6")).to_be_visible()
    shot(page, "alone-solutions")

    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog").get_by_role("button")).to_have_text(
        ["Close", "Save as a web page", "Save the puzzle itself"]
    )
    page.keyboard.press("Escape")

    page.keyboard.press("1")
    page.get_by_label("Title").fill("My cube")
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved in this browser: ")).to_be_visible()
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
    with page.expect_download() as downloading:
        page.get_by_role("dialog").get_by_role("button", name=".png").click()
    downloading.value.save_as(tmp_path / "pieces.png")
    with Image.open(tmp_path / "pieces.png") as picture:
        assert (picture.format, picture.width) == ("PNG", 800)
        assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 7

    page.goto(site)
    ready(page)
    mine = card(page, "My cube")
    expect(mine.locator("img")).to_be_visible()
    shot(page, "alone-saved")


def ready(page: "Page") -> None:
    page.get_by_text("The solver is starting.").wait_for(state="detached")
