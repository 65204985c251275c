"""Pages opened in a real browser, and what is seen there."""

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from math import hypot
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page

COUNT_FRAMES = """
window.framesAsked = window.framesDue = 0;
const [ask, cancel] = [requestAnimationFrame, cancelAnimationFrame];
window.requestAnimationFrame = (act) => {
  framesAsked++, framesDue++;
  return ask((time) => (act(time), framesDue--));
};
window.onScreen = () => new Promise((done) => ask(() => ask(done)));
window.cancelAnimationFrame = (id) => (cancel(id), id && framesDue--);
"""

# All matrices that place bodies, as WebGL is given them, since `placed` was last emptied.
WATCH_PLACES = """
window.placed = [];
const [names, own] = [new WeakMap(), WebGL2RenderingContext.prototype];
const { getUniformLocation, uniformMatrix3fv, uniformMatrix4fv } = own;
own.getUniformLocation = function (program, name) {
  const at = getUniformLocation.call(this, program, name);
  if (at) names.set(at, name);
  return at;
};
own.uniformMatrix3fv = function (at, flipped, value) {
  if (names.get(at) === "turn") placed.push([...value]); // by rows
  uniformMatrix3fv.call(this, at, flipped, value);
};
own.uniformMatrix4fv = function (at, flipped, value) {
  const [a, b, c, , d, e, f, , g, h, i] = value;
  if (names.get(at) === "modelMatrix") placed.push([a, d, g, b, e, h, c, f, i]);
  uniformMatrix4fv.call(this, at, flipped, value);
};
"""

Pixel = tuple[int, int, int]
Show = Callable[..., "Page"]  # show(html, **options of a browser context)


@pytest.fixture
def show(browser: "Browser", tmp_path: Path) -> Iterator[Show]:
    """Opens a page from disk; at the end it must have complained of nothing and fetched nothing."""
    asked: list[str] = []
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def hear(message: "ConsoleMessage") -> None:
        if "GPU stall due to ReadPixels" not in message.text:  # by the browser, for the screen
            complaints.append(message.text)

    def opened(html: str, before: str = "", **options: object) -> "Page":
        path = tmp_path / f"{len(contexts)}.html"
        path.write_text(html, encoding="utf-8")
        settings = {"viewport": {"width": 720, "height": 480}, "offline": True, **options}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url.split("blob:")[0]))
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(error.message))
        page.add_init_script(COUNT_FRAMES + before)
        page.goto(path.as_uri())
        return settled(page)

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    asked = [url for url in asked if url]  # what a page holds itself is a blob
    assert [re.sub("[^:]*/", "", url) for url in asked] == [
        f"file:{n}.html" for n in range(len(contexts))
    ]


def settled(page: "Page") -> "Page":
    """The page, once it has drawn all there is to draw."""
    drawn = "() => framesDue === 0 && (framesAsked > 0 || !document.getElementById('viewer'))"
    page.wait_for_function(drawn, polling=20)
    page.evaluate("onScreen()")
    return page


def soon(test: Callable[[], bool]) -> bool:
    """Whether something comes true: a picture may reach the screen late, on a busy machine."""
    late = monotonic() + 30
    while not (done := test()) and monotonic() < late:
        sleep(0.05)
    return done


def at_rest(locator: "Locator") -> bytes:
    """What the browser shows once it stays so: the first picture may be one that is half drawn."""
    seen = [locator.screenshot()]

    def stays() -> bool:
        sleep(0.2)
        seen.append(locator.screenshot())
        return seen[-1] == seen[-2]

    assert soon(stays)
    return seen[-1]


def colours_in(locator: "Locator", step: int = 5) -> list[Pixel]:
    """The colours of every few pixels of what the browser shows."""
    from PIL import Image

    with Image.open(BytesIO(locator.screenshot(scale="css"))) as picture:
        small = picture.convert("RGB").resize((picture.width // step, picture.height // step), 0)
    red, green, blue = (channel.tobytes() for channel in small.split())
    return list(zip(red, green, blue, strict=True))


def share_of(colour: str, pixels: list[Pixel]) -> float:
    """How much of a picture is of this colour in more or less light."""
    like = alike(colour)
    return sum(map(like, pixels)) / len(pixels)


def alike(colour: str) -> Callable[[Pixel], bool]:
    """Whether a pixel is of this colour in more or less light.

    Light only scales the three parts of a colour, so it is their ratios that are compared.
    """
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    length = hypot(*wanted)

    def like(pixel: Pixel) -> bool:
        product = sum(a * b for a, b in zip(wanted, pixel, strict=True))
        return hypot(*pixel) > 40 and product > 0.995 * length * hypot(*pixel)

    return like


def spot_of(page: "Page", colour: str) -> tuple[float, float]:
    """Where a piece of this colour is seen on the page's first canvas."""
    canvas = page.locator("canvas").first
    box, step = canvas.bounding_box(), 5
    assert box
    wide = int(box["width"]) // step
    like = alike(colour)
    spots = [divmod(n, wide) for n, pixel in enumerate(colours_in(canvas, step)) if like(pixel)]
    assert spots, f"nothing of {colour} is seen"
    middle = [sum(axis) / len(spots) for axis in zip(*spots, strict=True)]
    row, column = min(spots, key=lambda spot: hypot(spot[0] - middle[0], spot[1] - middle[1]))
    return box["x"] + (column + 0.5) * step, box["y"] + (row + 0.5) * step
