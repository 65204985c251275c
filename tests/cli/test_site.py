"""A website of puzzles, made by the command, served by Python's own server, opened in a browser."""

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.cli.test_runs import run
from tests.output.conftest import soon

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_site_is_played_in_the_browser_and_then_offline(
    browser: "Browser", tmp_path: Path
) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    made = run(tmp_path, "site", "public", "pentominoes/6x10", "evolved-box")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("public/index.html: 2 puzzles")
    served = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "public"))
    )
    threading.Thread(target=served.serve_forever, daemon=True).start()
    complaints: list[str] = []
    context = browser.new_context(reduced_motion="reduce")
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(error.message))
        page.goto(f"http://127.0.0.1:{served.server_port}/")
        # The hardest comes first.
        cards = page.get_by_role("list", name="Puzzles found").get_by_role("link")
        expect(cards).to_have_text(["Evolved box", "Pentominoes"])
        picture = page.locator("img").last
        expect(picture).to_be_visible()
        assert soon(lambda: picture.evaluate("image => image.naturalWidth > 0"))
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    finally:
        served.shutdown()
        served.server_close()
    try:
        page.reload()
        cards.first.click()
        page.get_by_role("button", name="Take apart by hand").click()
        page.get_by_role("button", name="Solve it").click()
        expect(page.get_by_text("Taken apart in")).to_be_visible(timeout=60_000)
        page.get_by_role("link", name="All puzzles").click()
        cards.nth(1).click()
        page.get_by_role("button", name="Put together").click()
        page.get_by_role("button", name="Solve it").click()
        expect(page.get_by_text("Solved, with")).to_be_visible(timeout=60_000)
    finally:
        context.close()
    assert complaints == []


def test_what_has_no_assembly_is_left_out(tmp_path: Path) -> None:
    impossible = {
        "kumitate": 1,
        "shapes": [{"name": "A", "drawing": ["##"]}, {"name": "goal", "drawing": ["###"]}],
        "problems": [{"goal": "goal", "pieces": [{"shape": "A"}]}],
    }
    (tmp_path / "no.kumitate.json").write_text(json.dumps(impossible))
    told = run(tmp_path, "site", "public", "no.kumitate.json", "t-cube")
    assert told.stdout.startswith("public/index.html: 1 puzzle\n")
    assert "kumitate: no.kumitate.json: left out, since" in told.stderr
    again = run(tmp_path, "site", "public", "t-cube")
    assert again.returncode == 2
    assert again.stderr == ("kumitate: public: is not empty; --force writes the site into it\n")
    assert run(tmp_path, "site", "public", "t-cube", "--force").returncode == 0
    alone = run(tmp_path, "site", "other", "no.kumitate.json")
    assert alone.returncode == 2
    assert alone.stderr.endswith(
        "kumitate: there is no puzzle to show; name one that has an assembly\n"
    )
    assert not (tmp_path / "other").exists()


def test_what_the_studio_needs_is_asked_for_before_any_search(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    done = run(tmp_path, "site", "public", "--studio", "parts", "no-such-puzzle")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "kumitate: parts: has no pyodide.mjs; give the folder that 'make pyodide' fills,"
        " dist/browser\n"
    )
    assert not (tmp_path / "public").exists()
