"""The token is the page's alone: no cookie carries it, so no other server ever receives it.

Cookies ignore ports: whatever a studio set would go to every server on 127.0.0.1. So a second
server is started here, a browser that has used the studio visits it, and the server tries to read a
puzzle with all that it got.
"""

import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from tests.studio.bench import running
from tests.studio.conftest import BUILT, Visit

from kumitate import library
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import SaveRequest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PUZZLE = "/api/puzzle?place=library/soma"
# What a page of another port gets hold of: its storage, its cookies, answers of the studio.
SPY = """<!doctype html><meta charset="utf-8"><title>spy</title><script type="module">
  const studio = "STUDIO";
  const tried = async (path, options) => {
    try { return await (await fetch(studio + path, options)).text(); } catch { return "refused"; }
  };
  const told = {
    cookies: document.cookie,
    stored: JSON.stringify({ ...localStorage, ...sessionStorage }),
    opener: String(window.opener),
    asked: [
      await tried("/api/puzzle?place=library/soma", { credentials: "include" }),
      await tried("/api/puzzle?place=library/soma", { credentials: "include", mode: "no-cors" }),
    ],
  };
  await fetch("/told", { method: "POST", body: JSON.stringify(told) });
  document.title = "told";
</script>"""


@dataclass
class Spy:
    """A server on another port of this machine, and what browsers have sent it."""

    port: int
    requests: list[tuple[str, list[tuple[str, str]], str]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@pytest.fixture
def spy(studio: str) -> Iterator[Spy]:
    origin = f"http://{urlsplit(studio).netloc}"

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"] or 0)).decode()
            heard.requests.append((self.path, self.headers.items(), body))
            page = SPY.replace("STUDIO", origin).encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        heard = Spy(server.server_port)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield heard
        server.shutdown()
        thread.join()


def status(studio: str, headers: dict[str, str], path: str = PUZZLE) -> int:
    """What the studio says to a request from outside of any browser."""
    address = urlsplit(studio)
    connection = http.client.HTTPConnection("127.0.0.1", address.port or 80, timeout=30)
    try:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


def token_of(studio: str) -> str:
    return urlsplit(studio).query.removeprefix("token=")


def test_a_server_on_another_port_gets_nothing_to_read_a_puzzle_with(
    studio: str, spy: Spy, browser: "Browser"
) -> None:
    token, host = token_of(studio), urlsplit(studio).netloc
    assert status(studio, {"authorization": f"Bearer {token}"}) == 200  # the spy's aim
    context = browser.new_context()
    page = context.new_page()
    page.goto(studio)
    page.get_by_role("link", name="Open Soma cube").wait_for()
    assert context.cookies() == []
    page.goto(spy.address)  # in the same tab,
    page.wait_for_function("document.title === 'told'")
    other = context.new_page()  # and in another one
    other.goto(spy.address)
    other.wait_for_function("document.title === 'told'")
    context.close()
    assert len(spy.requests) >= 4
    ours = {"Host": host, "Sec-Fetch-Site": "same-origin"}
    for path, headers, body in spy.requests:
        assert token not in path + str(headers) + body
        received = {
            name: value for name, value in headers if name not in ("Origin", "Content-Length")
        }
        assert status(studio, {**received, **ours}) == 403
        assert status(studio, {**received, **ours, "Origin": f"http://{host}"}) == 403
    told = [json.loads(body) for _, _, body in spy.requests if body]
    assert [(one["cookies"], one["stored"], one["opener"]) for one in told] == [
        ("", "{}", "null")
    ] * 2
    assert {answer for one in told for answer in one["asked"]} == {"refused"}


def test_the_token_leaves_the_address_and_a_reload_keeps_working(page: "Page") -> None:
    page.get_by_role("link", name="Open Soma cube").wait_for()
    assert "token" not in page.url
    page.reload()
    page.get_by_role("link", name="Open Soma cube").click()
    page.get_by_role("button", name="Save").first.wait_for()
    assert "token" not in page.url
    page.go_back()
    page.get_by_role("link", name="Open Soma cube").wait_for()
    assert "token" not in page.url


def test_a_copied_address_opens_in_another_tab_of_the_browser(visit: Visit) -> None:
    page = visit("#/library/soma")
    page.get_by_role("button", name="Save").first.wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Save").first.wait_for()


def test_a_browser_without_the_token_is_told_where_to_find_it(
    browser: "Browser", studio: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    for address in (studio.split("?")[0], studio.split("?")[0] + "#/library/soma"):
        page.goto(address)
        page.get_by_role("heading", name="The access token is missing").wait_for()
    assert status(studio, {}, "/api/home") == 403
    context.close()


def test_a_wrong_token_in_a_link_does_not_replace_the_right_one(page: "Page") -> None:
    page.get_by_role("link", name="Open Soma cube").wait_for()
    home = page.url
    page.goto(f"{home.split('#')[0]}?token=wrong")
    page.get_by_role("heading", name="The access token is missing").wait_for()
    page.goto(home)
    page.get_by_role("link", name="Open Soma cube").wait_for()


@pytest.mark.skipif(not BUILT.exists(), reason="the studio's page is not built")
def test_a_tab_of_a_studio_that_was_restarted_works_again_once_the_new_address_was_opened(
    browser: "Browser", tmp_path: Path
) -> None:
    context = browser.new_context()
    old, new = context.new_page(), context.new_page()
    with running(tmp_path) as first:
        old.goto(f"http://127.0.0.1:{first.port}/?token={first.token}")
        old.get_by_role("link", name="Open Soma cube").wait_for()
    with running(tmp_path, first.port, "another") as second:
        old.get_by_role("link", name="Open Soma cube").click()
        old.get_by_text("the access token is missing or out of date").wait_for()
        new.goto(f"http://127.0.0.1:{second.port}/?token={second.token}")
        new.get_by_role("link", name="Open Soma cube").wait_for()
        old.get_by_role("link", name="Open Soma cube").click()
        old.get_by_role("button", name="Save").first.wait_for()
        with old.expect_response("**/api/home"):  # it listens again and hears of what is saved
            old.go_back()
        data = puzzle_data(library["soma"])
        with old.expect_response("**/api/home"):
            request = SaveRequest("folder/a.kumitate.json", "", data)
            assert second.ask("PUT", "/api/puzzle", request).status == 200
        context.close()
