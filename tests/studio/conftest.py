"""A real studio on a folder of its own, and a real browser that looks at it.

Whatever a page does in these tests, it must log no error and ask nobody but its own server.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.studio.bench import Bench, running

import kumitate

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(kumitate.__file__).parent / "studio" / "static" / "index.html"
SCREENSHOTS = ROOT / "build" / "screenshots"
SHOTS = "KUMITATE_SHOTS" in os.environ
# Half as many points along a line save a third of the time that it takes to draw without a card.
SHARPNESS = 1 if SHOTS else 0.5
RUN = "from kumitate.cli import main; main()"
PATIENCE = 60_000  # milliseconds; machines that test may be slow

Visit = Callable[..., "Page"]  # visit(where, **options of a browser context)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A studio that serves an empty folder."""
    folder = tmp_path / "bench"
    folder.mkdir()
    with running(folder) as bench:
        yield bench


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the studio works in; the tests of a file share it."""
    return tmp_path_factory.mktemp("puzzles")


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[str]:
    """The address of a studio, with its token."""
    pytest.importorskip("uvicorn", reason="uvicorn, which serves the studio, is not installed")
    if not BUILT.exists():
        pytest.skip("the studio's page is not built: run `npm install && npm run build` in web/")
    command = [sys.executable, "-c", RUN, "studio", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        [*command, "--folder", str(folder)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            found = re.search(r"http://\S+", line)
            if found:
                yield found[0]
                break
        process.terminate()
        process.wait(60)
        assert any("http://" in line for line in said), said


@pytest.fixture
def visit(browser: "Browser", studio: str) -> Iterator[Visit]:
    """Opens the studio in a browser of its own; `where` is what follows the address, "#/...".

    At the end nothing may have gone wrong on any page. That the server refused something is no
    error of the page.
    """
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    asked: list[str] = []
    origin = studio.split("?")[0]

    def hear(message: "ConsoleMessage") -> None:
        if message.type == "error" and "responded with a status of 4" not in message.text:
            complaints.append(message.text)

    def opened(where: str = "", **options: object) -> "Page":
        settings = {
            "viewport": {"width": 1280, "height": 720},
            "reduced_motion": "reduce",
            "device_scale_factor": SHARPNESS,
        }
        context = browser.new_context(**{**settings, **options})  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.on("console", hear)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.goto(studio + where)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith((origin, "data:", "blob:"))] == []


@pytest.fixture
def page(visit: Visit) -> "Page":
    """The studio's home page, 1280 x 720, without motion."""
    return visit()


def shot(page: "Page", name: str) -> None:
    """Keep what the page shows as build/screenshots/NAME.png, if that is asked for."""
    if SHOTS:
        page.screenshot(path=SCREENSHOTS / f"{name}.png")
