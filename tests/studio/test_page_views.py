"""Eight views compared with pictures of them: what a change does to the looks is seen, or fails.

Each picture is small and soft, so that other fonts, and other edges of letters and pieces, pass.
When the looks are meant to change, draw them again, and look at each before you commit it:

    KUMITATE_VIEWS=write .venv/bin/python -m pytest tests/studio/test_page_views.py -k looks_as
"""

import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat
from tests.studio.conftest import Visit
from tests.studio.test_page_accessible import SIZES, settled
from tests.studio.test_page_solutions import solutions, solve, soon

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect

VIEWS = Path(__file__).parent / "views"
LONGER = 160  # pixels of the longer side
BLUR = 2
MEAN = 3.0  # of 255: how far all pixels may be from the picture, on the whole,
WORST = 70  # and the worst of them, after the blur
SOMA = "#/open?place=library/soma&at="


def small(png: bytes) -> Image.Image:
    with Image.open(BytesIO(png)) as picture:
        made = picture.convert("RGB")
    made.thumbnail((LONGER, LONGER), Image.Resampling.BOX)
    return made.filter(ImageFilter.GaussianBlur(BLUR))


def difference(one: Image.Image, other: Image.Image) -> tuple[float, int]:
    """How far two pictures are apart, on the whole and at worst; of two sizes, all the way."""
    if one.size != other.size:
        return 255, 255
    apart = ImageStat.Stat(ImageChops.difference(one, other))
    return sum(apart.mean) / 3, max(high for _, high in apart.extrema)


def watched(page: "Page") -> None:
    solve(page)
    page.get_by_text("Solution 1 ·").wait_for()


def home(page: "Page") -> None:
    settled(page, "home")
    page.get_by_label("Search").fill("soma")  # whatever else the library has
    expect(page.get_by_role("article")).to_have_count(2)
    page.wait_for_function(
        "() => [...document.images].every((each) => each.complete && each.naturalWidth)"
    )


def shapes(page: "Page") -> None:
    page.get_by_text("3 cells, connected").first.wait_for()


def problem(page: "Page") -> None:
    page.get_by_text("7 pieces fill all 27 cells.").wait_for()


def apart(page: "Page") -> None:
    watched(page)
    page.get_by_label("Explode").fill("1")
    page.get_by_role("button", name="Fit").click()


def statistics(page: "Page") -> None:
    watched(page)
    page.get_by_role("tab", name="Statistics").click()
    page.get_by_text("Based on all 240 solutions.").wait_for()


def bed(page: "Page") -> None:
    page.get_by_text("7 solids").wait_for()


CASES = {
    "home": ("", "laptop", "light", home),
    "shapes": (SOMA + "shapes", "laptop", "light", shapes),
    "problem-dark": (SOMA + "problem", "laptop", "dark", problem),
    "solution": (solutions("soma"), "laptop", "light", watched),
    "apart-dark": (solutions("soma"), "tablet", "dark", apart),
    "statistics": (solutions("soma"), "laptop", "light", statistics),
    "make": (SOMA + "make", "laptop", "light", bed),
    "solution-phone": (solutions("soma"), "phone", "light", watched),
}


@pytest.mark.parametrize("name", CASES)
def test_a_view_looks_as_it_did(visit: Visit, name: str) -> None:
    where, size, scheme, ready = CASES[name]
    page = visit(where, viewport=SIZES[size], color_scheme=scheme, device_scale_factor=1)
    ready(page)
    path = VIEWS / f"{name}.png"
    if "KUMITATE_VIEWS" in os.environ:
        page.wait_for_timeout(2000)
        VIEWS.mkdir(exist_ok=True)
        small(page.screenshot()).save(path, optimize=True)
        return
    found = (255.0, 255)

    def alike() -> bool:
        nonlocal found
        found = difference(small(page.screenshot()), expected)
        return found[0] <= MEAN and found[1] <= WORST

    with Image.open(path) as picture:
        expected = picture.convert("RGB")
    same = soon(alike)
    if not same:
        page.screenshot(path=path.parents[3] / "build" / f"view-{name}.png")
    assert same, found


def test_views_that_differ_are_told_apart() -> None:
    pictures = [Image.open(VIEWS / f"{name}.png").convert("RGB") for name in CASES]
    for n, one in enumerate(pictures):
        for other in pictures[:n]:
            mean, worst = difference(one, other)
            assert mean > MEAN or worst > WORST
    # A piece of the solution in another colour: its red and blue exchanged.
    solution = pictures[list(CASES).index("solution")]
    box = (60, 40, 90, 66)
    red, green, blue = solution.crop(box).split()
    other = solution.copy()
    other.paste(Image.merge("RGB", (blue, green, red)), box)
    assert difference(solution, other)[1] > WORST
