"""Random tests draw the same examples every time: what fails has failed before, wherever it runs.

`make soak` draws fresh ones, from a seed that it prints. All tests of pages share one browser;
where there is none, they skip. In CI a skip is a failure, unless its reason is in MAY_SKIP.
"""

import os
import re
import shutil
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# WebGL without a graphics card; everything else on a page is drawn by the CPU without that detour,
# which saves a quarter of the CPU time of page tests.
SOFTWARE_GRAPHICS = (
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",
)

MAY_SKIP = [
    "make soak|KUMITATE_SOAK",  # takes long
    "make pyodide",  # takes zig, and minutes
    "reference",  # files that are not part of the project
    "this user may|root may",  # CI may run as root, or not
    "OpenSCAD is not|no font here|no disk can be mounted|no other address|networks of one's own",
    "unshare|could not import 'ortools'",  # OR-Tools is an extra of 30 MB
    "make wasm",  # takes zig, of 90 MB, and a minute; make soak builds it
    # one of many cases, to which the test does not apply
    "nobody has counted|no levels are known|did not count|not of cubes|touch at a corner",
    "touch along an edge|flat faces|too hard for a local search|no flags of x86",
]

# What `make quick` leaves out, besides everything that needs a browser: clusters, runs that are
# killed, processes by the dozen, and comparisons with slow twins.
SLOW = re.compile(
    "|".join(
        (
            "tests/(cli|jobs|burr6)/",
            "tests/output/(test_clean_meshes|test_page|test_view|solid/)",
            "tests/studio/(test_page|test_export|serve/test_(runs|server|results))",
            "tests/test_(docs|damage|damage_words|safety)",
            "tests/files/test_(fuzz|bad_input)",
            "tests/designer/test_(discover|assembly_shapes)",
            "test_one_of_each_class_is_found|test_a_frontier_counts|test_a_plain_count_of_orbits",
            "test_every_assembly_is_found_once|test_an_argument_is_never_wrong",
            "test_a_plain_search_agrees|test_any_order_of_calls|test_engines_agree|test_ctrl_c",
            "test_variants_are_counted|test_a_packing_is_the_best|test_every_set_of_options",
            "tests/test_notebooks",
        )
    )
)

# What takes longest begins first, so that no worker is left alone with it at the end.
LONGEST = re.compile(
    "|".join(
        (
            "tests/jobs/test_(cluster|kill)",
            "test_whoever_opens_and_closes_many_puzzles|test_visiting_burrs",
            "test_levels_are_those_of_the_general_search|test_any_order_of_calls",
            "test_one_of_each_class_is_found|test_whatever_bytes_come",
        )
    )
)

settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("fresh", derandomize=False, database=None, print_blob=True)
settings.load_profile("fresh" if os.environ.get("KUMITATE_SOAK") else "same")

# Behind an & a shell has Ctrl-C ignored, by all that is started from there; tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what takes long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        slow = [
            item
            for item in items
            if SLOW.search(item.nodeid) or "browser" in getattr(item, "fixturenames", ())
        ]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]
    items.sort(key=lambda item: not LONGEST.search(item.nodeid))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """What CI skips is a check that nobody makes."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.skipped and "KUMITATE_CI" in os.environ:
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if not any(re.search(known, reason) for known in MAY_SKIP):
            report.outcome = "failed"
            report.longrepr = f"{reason}: CI must not skip this, or tests/conftest.py says why"


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Chromium, drawing without a graphics card."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright, which drives a browser, is not installed"
    )
    # The shell has the same engine and no windows, which saves a third of the CPU time.
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        pytest.skip("chromium is not here to look at pages")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", *SOFTWARE_GRAPHICS]
        )
        yield running
        running.close()
