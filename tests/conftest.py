"""Random tests draw the same examples every time: what fails has failed before, wherever it runs.

`make soak` draws fresh ones, from a seed that it prints. All tests of pages share one browser;
where there is none, they skip.
"""

import os
import shutil
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SOFTWARE_GRAPHICS = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")

settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("fresh", derandomize=False, database=None, print_blob=True)
settings.load_profile("fresh" if os.environ.get("KUMITATE_SOAK") else "same")

# Behind an & a shell has Ctrl-C ignored, by all that is started from there; tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Chromium, drawing without a graphics card."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright, which drives a browser, is not installed"
    )
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("chromium is not here to look at pages")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", *SOFTWARE_GRAPHICS]
        )
        yield running
        running.close()
