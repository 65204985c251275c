"""A lost server: the page says so, keeps what is drawn, and reconnects by itself."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.studio.bench import TOKEN, running
from tests.studio.conftest import BUILT, PATIENCE, shot
from tests.studio.test_page_home import drafts, state, title, wait_for_draft

from kumitate import library, save

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

expect = pytest.importorskip("playwright.sync_api").expect

LOST = "kumitate studio is not responding."


@pytest.fixture
def page(browser: "Browser") -> Iterator["Page"]:
    """A page in which requests may fail."""
    if not BUILT.exists():
        pytest.skip("the studio's page is not built")
    expect.set_options(timeout=PATIENCE)
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def banner(page: "Page") -> "Locator":
    return page.locator(".banner[role=alert]")


def address(port: int, token: str = TOKEN) -> str:
    return f"http://127.0.0.1:{port}/?token={token}"


def test_a_server_that_comes_back_finds_what_was_drawn_meanwhile(
    page: "Page", tmp_path: Path
) -> None:
    save(library["soma"], tmp_path / "mine.kumitate.json")
    with running(tmp_path) as bench:
        port = bench.port
        page.goto(address(port) + "#/folder/mine.kumitate.json")
        expect(page.get_by_role("region", name="Facts")).to_contain_text("3 cells")
        expect(banner(page)).to_have_count(0)
    expect(banner(page)).to_contain_text(LOST)
    shot(page, "lost")
    title(page).fill("drawn alone")
    page.keyboard.press("Control+s")
    expect(state(page)).to_contain_text("not saved")
    told = page.get_by_role("listitem").filter(has_text="is it still running")
    expect(told).to_have_count(0)  # the banner has said so
    assert drafts(tmp_path) == {}
    with running(tmp_path, port):
        expect(banner(page)).to_have_count(0)
        expect(page.get_by_text("kumitate studio is responding again.")).to_be_visible()
        wait_for_draft(page, tmp_path, "drawn alone")
        page.keyboard.press("Control+s")
        expect(state(page)).not_to_contain_text("not saved")
    assert json.loads((tmp_path / "mine.kumitate.json").read_text())["title"] == "drawn alone"


def test_a_draft_is_found_at_another_port(page: "Page", tmp_path: Path) -> None:
    with running(tmp_path) as bench:
        page.goto(address(bench.port) + "#/new")
        title(page).fill("wanderer")
        wait_for_draft(page, tmp_path, "wanderer")
    with running(tmp_path) as bench:
        other = page.context.new_page()
        page.close()
        other.goto(address(bench.port))
        other.get_by_role("link", name="wanderer").click()
        expect(title(other)).to_have_value("wanderer")


def test_a_server_with_another_token_is_said_and_its_address_heals_old_tabs(
    page: "Page", tmp_path: Path
) -> None:
    with running(tmp_path) as bench:
        port = bench.port
        page.goto(address(port) + "#/library/soma")
        expect(page.get_by_role("region", name="Facts")).to_contain_text("3 cells")
    with running(tmp_path, port, token="another-one"):
        expect(banner(page)).to_contain_text("kumitate studio was restarted.")
        fresh = page.context.new_page()
        fresh.goto(address(port, "another-one"))
        expect(fresh.get_by_role("heading", name="Library")).to_be_visible()
        expect(banner(page)).to_have_count(0)


def test_the_gallery_fills_when_the_server_is_back(page: "Page", tmp_path: Path) -> None:
    with running(tmp_path) as bench:
        port = bench.port
        page.goto(address(port) + "#/library/soma")
        expect(page.get_by_role("region", name="Facts")).to_contain_text("3 cells")
    expect(banner(page)).to_contain_text(LOST)
    page.get_by_role("button", name="kumitate").click()
    expect(page.get_by_role("heading", name="New puzzle")).to_be_visible()
    with running(tmp_path, port):
        expect(page.get_by_role("link", name="Open Soma cube")).to_be_visible()


def test_a_page_of_another_version_says_so(
    page: "Page", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumitate.studio.serve.events.protocol", lambda: "of tomorrow")
    with running(tmp_path) as bench:
        page.goto(address(bench.port))
        expect(banner(page)).to_contain_text("different versions")
        monkeypatch.undo()
        banner(page).get_by_role("button", name="Reload").click()
        expect(page.get_by_role("heading", name="Library")).to_be_visible()
        expect(banner(page)).to_have_count(0)
