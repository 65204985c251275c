"""A website of puzzles, made by the command, served by Python's own server, opened in a browser."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.cli.test_runs import run
from tests.output.conftest import soon

from kumitate.files import decode
from kumitate.studio.serve.website import NEEDED

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def test_a_site_is_played_in_the_browser_and_then_offline(
    browser: "Browser", tmp_path: Path
) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    made = run(tmp_path, "site", "public", "pentominoes/6x10", "evolved-box")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("public/index.html: 2 puzzles")
    complaints: list[str] = []
    context = browser.new_context(reduced_motion="reduce")
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(error.message))
        with serving(tmp_path / "public") as address:
            page.goto(address)
            # The hardest comes first.
            cards = page.get_by_role("list", name="Puzzles found").get_by_role("link")
            expect(cards).to_have_text(["Evolved box", "Pentominoes"])
            picture = page.locator("img").last
            expect(picture).to_be_visible()
            assert soon(lambda: picture.evaluate("image => image.naturalWidth > 0"))
            page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
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


def test_the_gallery_opens_its_puzzles_in_the_studio_that_the_site_has(
    browser: "Browser", tmp_path: Path
) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    (tmp_path / "parts").mkdir()
    for name in NEEDED:
        (tmp_path / "parts" / name).touch()
    made = run(tmp_path, "site", "public", "evolved-box", "t-cube", "--studio", "parts")
    assert made.returncode == 0, made.stderr
    public = tmp_path / "public"
    context = browser.new_context()
    try:
        page = context.new_page()
        with serving(public) as address:
            page.goto(f"{address}#2")
            link = page.get_by_role("link", name="Open in the studio")
            where = re.fullmatch(r"studio/#/site/(.+)", link.get_attribute("href") or "")
            assert where is not None
            name = f"puzzles/{where[1]}"
            opened = decode((public / "studio" / name).read_bytes()).puzzle
            assert page.get_by_role("heading", level=2).first.text_content() == opened.title
            assert json.dumps(name) in (public / "studio" / "offline.js").read_text("utf-8")
            link.click()
            expect(page.get_by_text("The solver")).to_be_visible()
    finally:
        context.close()


def test_what_the_studio_needs_is_asked_for_before_any_search(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    done = run(tmp_path, "site", "public", "--studio", "parts", "no-such-puzzle")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "kumitate: parts: has no pyodide.mjs; give the folder that 'make pyodide' fills,"
        " dist/browser\n"
    )
    assert not (tmp_path / "public").exists()
