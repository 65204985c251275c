"""The page to send, opened in a real browser: it draws, plays, and asks the network for nothing."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.output.conftest import Show, at_rest, colours_in, settled, share_of, soon
from tests.samples import SAMPLES

from kumitate import PuzzleError
from kumitate.library import library
from kumitate.model.grids import CUBES, SPHERES
from kumitate.model.palette import piece_colour
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Move, Solution
from kumitate.output.page import MOST_BYTES, packed_core, page, pieces_scene, scene_data
from kumitate.output.scene import (
    Body,
    Scene,
    box_of,
    minus,
    plus,
    scene_of,
)
from kumitate.search.one.first import first
from kumitate.search.solve import solve

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROD = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
ROD_MOVES = [Move([1], (1, 0, 0), 1), Move([1], (-1, 0, 0), 1), Move([1], (1, 0, 0), None)]
HURT = "</script><script>hurt = 1</script><img src=x onerror='hurt = 1'>&amp;\"' ünïcode \u2028"

GREEN = piece_colour(2)  # a piece in front of the Soma cube

PHONE: dict[str, object] = {
    "viewport": {"width": 390, "height": 780},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}


@cache
def rod() -> Scene:
    """A rod that goes there and back and then leaves its tube: poses 0 to 4."""
    return scene_of(Solution(ROD, Disassembly(ROD_MOVES)))


@cache
def soma_pieces() -> Scene:
    pieces = library["soma"].problems[0].pieces
    bodies = [Body(p.shape, p.shape.name, piece_colour(n)) for n, p in enumerate(pieces)]
    return pieces_scene(CUBES, bodies)


@cache
def soma_solution() -> Scene:
    return scene_of(next(solve(library["soma"].problems[0], disassemble=True)))


@cache
def burr_solution() -> Scene:
    return scene_of(next(solve(library["six-piece-burr"].problems[0], disassemble=True)))


def play_speed(shown: "Page", speed: str = "4") -> None:
    shown.get_by_label("Speed", exact=True).select_option(speed)


def time_of(shown: "Page") -> float:
    return float(shown.get_by_label("Step", exact=True).input_value())


def wait_for_time(shown: "Page", time: float) -> None:
    shown.wait_for_function(
        "time => +document.querySelector('.scene > div').shadowRoot.querySelector('.time').value"
        " === time",
        arg=time,
        polling=50,
    )


# ---- in the browser ----


def test_every_piece_is_seen_in_its_colour(show: Show) -> None:
    shown = show(page([("pieces", soma_pieces())], "Soma"))
    pixels = colours_in(shown.locator("canvas"))
    for body in soma_pieces().bodies:
        assert share_of(body.colour, pixels) > 0.005, body.name
    assert share_of("#FF00FF", pixels) == 0


def test_title_designer_note_and_scenes_are_told(show: Show) -> None:
    scenes = [("pieces", soma_pieces()), ("solution 1", soma_solution())]
    shown = show(page(scenes, "Soma cube", "Piet Hein", "Seven pieces.\nOne cube."))
    assert shown.title() == "Soma cube"
    assert shown.locator("h1").inner_text() == "Soma cube"
    assert "Piet Hein" in shown.locator("header").inner_text()
    assert "One cube." in shown.locator("header").inner_text()
    assert shown.locator("nav button").all_inner_texts() == ["pieces", "solution 1"]
    names = [body.name for body in soma_pieces().bodies]
    assert shown.locator(".pieces button").all_inner_texts() == names


def test_play_goes_on_to_the_end_and_stops(show: Show) -> None:
    shown = show(page([("", rod())], "Rod"))
    play_speed(shown)
    shown.get_by_label("Play", exact=True).click()
    assert soon(shown.get_by_label("Pause", exact=True).is_visible)
    wait_for_time(shown, 4)
    settled(shown)
    assert soon(shown.get_by_label("Play", exact=True).is_visible)
    assert shown.locator(".words").inner_text().split("\n") == [
        "3 of 3",
        "B slides out to the right",
    ]


def test_play_can_be_stopped_on_the_way_and_begins_anew_at_the_end(show: Show) -> None:
    shown = show(page([("", rod())], "Rod"))
    shown.keyboard.press(" ")
    shown.wait_for_function(
        "() => +document.querySelector('.scene > div').shadowRoot.querySelector('.time').value > 0"
    )
    shown.keyboard.press(" ")
    settled(shown)
    stopped = time_of(shown)
    assert 0 < stopped < 4
    shown.keyboard.press("End")
    wait_for_time(shown, 4)
    watched = """() => {
        const time = document.querySelector('.scene > div').shadowRoot.querySelector('.time');
        const watch = () => {
            window.earliest = Math.min(window.earliest ?? 4, +time.value);
            requestAnimationFrame(watch);
        };
        watch();
    }"""  # in the page, frame by frame: from outside, a busy machine may see the beginning too late
    shown.evaluate(watched)
    shown.keyboard.press(" ")
    assert soon(lambda: bool(shown.evaluate("window.earliest < 1")))


def test_arrows_step_and_words_follow(show: Show) -> None:
    shown = show(page([("", rod())], "Rod"))
    play_speed(shown)
    words = shown.locator(".words span")
    assert shown.locator(".words b").inner_text() == "3 moves"
    for time, pose in enumerate(rod().poses[1:], 1):
        shown.keyboard.press("ArrowRight")
        wait_for_time(shown, time)
        assert words.inner_text() == pose.words
    shown.keyboard.press("ArrowRight")
    assert time_of(settled(shown)) == 4
    shown.keyboard.press("ArrowLeft")
    wait_for_time(shown, 3)
    shown.get_by_label("One step back").click()
    wait_for_time(shown, 2)
    assert words.inner_text() == rod().poses[2].words
    shown.keyboard.press("Home")
    wait_for_time(shown, 0)


def test_steps_asked_for_in_haste_are_all_taken(show: Show) -> None:
    shown = show(page([("", rod())], "Rod"))
    for _ in range(3):
        shown.keyboard.press("ArrowRight")
    wait_for_time(shown, 3)


def test_the_slider_goes_to_any_time_between(show: Show) -> None:
    shown = show(page([("", rod())], "Rod"))
    canvas, time = shown.locator("canvas"), shown.get_by_label("Step", exact=True)
    start = at_rest(canvas)
    box = time.bounding_box()
    assert box is not None
    shown.mouse.click(box["x"] + 0.37 * box["width"], box["y"] + box["height"] / 2)
    assert 1.2 < time_of(settled(shown)) < 1.8
    assert soon(lambda: canvas.screenshot() != start)
    time.focus()
    shown.keyboard.press("Home")
    wait_for_time(shown, 0)
    settled(shown)
    assert soon(lambda: canvas.screenshot() == start)


def test_a_piece_is_hidden_and_shown_by_its_name(show: Show) -> None:
    shown = show(page([("", soma_pieces())], "Soma"))
    canvas, name = shown.locator("canvas"), shown.locator(".pieces button").first
    colour = soma_pieces().bodies[0].colour
    name.click()
    shown.mouse.move(5, 5)
    settled(shown)
    assert name.get_attribute("aria-pressed") == "false"
    assert soon(lambda: share_of(colour, colours_in(canvas)) == 0)
    name.click()
    shown.mouse.move(5, 5)
    settled(shown)
    assert soon(lambda: share_of(colour, colours_in(canvas)) > 0.005)


def test_pointing_at_a_name_shows_where_the_piece_is(show: Show) -> None:
    shown = show(page([("", soma_solution())], "Soma"))
    canvas = shown.locator("canvas")
    unseen = soma_solution().bodies[0].colour
    at_rest(canvas)
    before = colours_in(canvas)
    assert share_of(unseen, before) == 0
    shown.locator(".pieces button").first.hover()
    assert soon(lambda: share_of(unseen, colours_in(canvas)) > 0.02)
    shown.mouse.move(5, 5)
    assert soon(lambda: colours_in(canvas) == before)


BUTTONS: list[Literal["left", "right", "middle"]] = ["left", "right", "middle"]


def test_dragging_turns_the_view_and_a_double_click_resets_it(show: Show) -> None:
    shown = show(page([("", soma_solution())], "Soma"))
    canvas = shown.locator("canvas")
    pictures = [at_rest(canvas)]

    def fresh() -> bool:
        pictures.append(canvas.screenshot())
        return pictures[-1] not in pictures[:-1]

    for button in BUTTONS:
        shown.mouse.move(300, 200)
        shown.mouse.down(button=button)
        shown.mouse.move(380, 230, steps=4)
        shown.mouse.up(button=button)
        settled(shown)
        assert soon(fresh), button
    shown.mouse.wheel(0, 300)
    assert soon(fresh)
    settled(shown)
    shown.mouse.dblclick(300, 200)
    settled(shown)
    assert soon(lambda: canvas.screenshot() == pictures[0])


def test_explode_moves_the_pieces_apart_and_together_again(show: Show) -> None:
    shown = show(page([("", soma_solution())], "Soma"))
    canvas, explode = shown.locator("canvas"), shown.get_by_label("Explode").last
    whole, together = at_rest(canvas), colours_in(canvas)
    assert any(share_of(body.colour, together) == 0 for body in soma_solution().bodies)
    shown.keyboard.press("e")
    settled(shown)
    assert explode.input_value() == "1"
    colours = [body.colour for body in soma_solution().bodies]
    assert soon(lambda: all(share_of(c, apart) for apart in [colours_in(canvas)] for c in colours))
    shown.keyboard.press("e")
    settled(shown)
    assert soon(lambda: canvas.screenshot() == whole)
    explode.focus()
    shown.keyboard.press("End")
    settled(shown)
    assert explode.input_value() == "1"
    assert time_of(shown) == 0


def test_nothing_is_drawn_while_nothing_changes(show: Show) -> None:
    shown = show(page([("", rod())], "Rod"))
    drawn = shown.evaluate("framesAsked")
    shown.wait_for_timeout(400)
    assert shown.evaluate("framesAsked") == drawn
    shown.keyboard.press("ArrowRight")
    shown.wait_for_function("(drawn) => framesAsked > drawn", arg=drawn)


def test_what_a_scene_took_is_given_back_when_another_is_chosen(show: Show) -> None:
    count = """
        window.held = 0;
        for (const kind of ["Buffer", "VertexArray", "Program", "Shader"])
          for (const [verb, by] of [["create", 1], ["delete", -1]]) {
            const own = WebGL2RenderingContext.prototype[verb + kind];
            WebGL2RenderingContext.prototype[verb + kind] = function (...given) {
              held += by;
              return own.apply(this, given);
            };
          }
    """
    shown = show(page([("one", soma_pieces()), ("two", soma_pieces())], "Soma"), before=count)
    held = shown.evaluate("held")
    assert held > 2 * len(soma_pieces().bodies)
    for number in (1, 0, 1):
        shown.locator("nav button").nth(number).click()
        settled(shown)
        assert shown.evaluate("held") == held
        assert shown.locator("canvas").count() == 1
    assert shown.locator("nav [aria-current]").inner_text() == "two"


def test_markup_in_names_does_no_harm(show: Show) -> None:
    scene = replace(
        rod(),
        bodies=[replace(body, name=HURT) for body in rod().bodies],
        poses=[replace(pose, words=HURT) for pose in rod().poses],
    )
    shown = show(page([(HURT, scene), (HURT, scene)], HURT, designer=HURT, note=HURT))
    assert shown.evaluate("typeof hurt") == "undefined"
    assert shown.locator("img").count() == 0
    for place in ("h1", "header p", ".note", "nav button", ".pieces span", ".words span"):
        assert shown.locator(place).first.text_content() == HURT, place


def test_the_policy_lets_no_other_script_or_network_in(show: Show) -> None:
    shown = show(page([("", rod())], "Rod"))
    refused = """async () => {
        const refusals = [];
        document.addEventListener("securitypolicyviolation", (event) =>
          refusals.push(event.violatedDirective));
        const script = document.createElement("script");
        script.textContent = "window.hurt = 1";
        document.body.append(script);
        const image = new Image();
        image.src = "http://127.0.0.1:9/x.png";
        await fetch("http://127.0.0.1:9/x").catch(() => 0);
        await new Promise((done) => setTimeout(done, 50));
        return [typeof window.hurt, ...refusals.sort()];
    }"""
    context = shown.context
    quiet = context.new_page()  # what it refuses, it also tells the console
    quiet.goto(shown.url)
    assert quiet.evaluate(refused) == ["undefined", "connect-src", "img-src", "script-src-elem"]


def test_it_fits_a_phone_and_works_by_touch(show: Show) -> None:
    scenes = [("pieces", soma_pieces()), ("problem 1: solution 1", soma_solution())]
    shown = show(page(scenes, "Soma cube", "Piet Hein"), **PHONE)
    shown.locator("nav button").last.tap()
    settled(shown)
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    assert shown.evaluate("document.documentElement.scrollHeight") == 780
    canvas = shown.locator("canvas")
    width, height = canvas.evaluate("canvas => [canvas.width, canvas.height]")
    assert width == 2 * 390
    assert height > 2 * 780 / 2
    boxes = []
    for control in shown.locator(".bar button, .bar select, .bar input").all():
        box = control.bounding_box()
        assert box is not None
        left, top, right, bottom = (
            box["x"],
            box["y"],
            box["x"] + box["width"],
            box["y"] + box["height"],
        )
        assert 0 <= left < left + 32 <= right <= 390
        assert 0 <= top < top + 32 <= bottom <= 780
        boxes.append((left, top, right, bottom))
    for a, b in combinations(boxes, 2):  # none lies over another
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    shown.get_by_label("One step forward").tap()
    wait_for_time(shown, 1)
    assert soon(lambda: share_of(GREEN, colours_in(canvas)) > 0.02)


def test_two_fingers_zoom(show: Show) -> None:
    shown = show(page([("", soma_solution())], "Soma"), **PHONE)
    canvas = shown.locator("canvas")
    before = share_of(GREEN, colours_in(canvas))
    session = shown.context.new_cdp_session(shown)
    for kind, spread in (("touchStart", 40), ("touchMove", 50), ("touchMove", 80)):
        fingers = [{"x": 195 - spread, "y": 300, "id": 0}, {"x": 195 + spread, "y": 300, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settled(shown)
    assert soon(lambda: share_of(GREEN, colours_in(canvas)) > 1.5 * before > 0)


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_it_is_light_or_dark_as_the_reader_likes(show: Show, scheme: str, dark: bool) -> None:
    shown = show(page([("", rod())], "Rod"), color_scheme=scheme)
    for part in ("header", ".bar", ".stage"):
        pixels = colours_in(shown.locator(part))
        middle = sorted(sum(pixel) for pixel in pixels)[len(pixels) // 2]
        assert (middle < 3 * 64) == dark, part


def test_those_who_want_no_motion_see_steps(show: Show) -> None:
    shown = show(page([("", rod())], "Rod"), reduced_motion="reduce")
    before = shown.evaluate("framesAsked")
    shown.keyboard.press("ArrowRight")
    settled(shown)
    assert time_of(shown) == 1
    assert shown.evaluate("framesAsked") - before <= 2


def test_without_webgl_it_says_so_and_still_tells_the_steps(show: Show) -> None:
    none = "HTMLCanvasElement.prototype.getContext = () => null"
    shown = show(page([("", rod())], "Rod"), before=none)
    assert "WebGL 2 is missing" in shown.locator(".stage").inner_text()
    shown.keyboard.press("End")
    wait_for_time(shown, 4)
    assert shown.locator(".words span").inner_text() == rod().poses[-1].words


def test_a_lost_context_is_drawn_anew(show: Show) -> None:
    shown = show(page([("", soma_pieces())], "Soma"))
    canvas = shown.locator("canvas")
    before = at_rest(canvas)
    canvas.evaluate(
        """async (canvas) => {
             const lose = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
             const told = (what) =>
               new Promise((done) => canvas.addEventListener(`webglcontext${what}`, done));
             lose.loseContext();
             await told("lost");
             setTimeout(() => lose.restoreContext(), 50);
             await told("restored");
           }"""
    )
    settled(shown)
    assert soon(lambda: canvas.screenshot() == before)


# ---- the file ----


def first_scenes(name: str) -> list[tuple[str, Scene]]:
    puzzle = library[name]
    found = []
    for problem in puzzle.problems[:1]:
        bodies = [
            Body(piece.shape, problem.label(n), piece_colour(n))
            for n, piece in enumerate(problem.pieces)
        ]
        found.append(("pieces", pieces_scene(puzzle.grid, bodies)))
        assembly = first(problem, engine="cover").assembly
        if assembly is not None:
            found.append(("solution", scene_of(assembly)))
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_a_library_puzzle_is_small_enough_to_send(name: str) -> None:
    text = page(first_scenes(name), library[name].title)
    most = MOST_BYTES if name in ("maze-box", "squared-rectangle") else 200_000
    assert len(text.encode()) < most + len(packed_core())


def test_a_page_of_soma_is_smaller_than_a_photo() -> None:
    scenes = [("pieces", soma_pieces()), ("solution", soma_solution())]
    assert len(page(scenes, "Soma").encode()) < 82_000 + len(packed_core())


def test_without_a_viewer_it_says_how_to_build_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("kumitate.output.page.files", lambda _: tmp_path)
    with pytest.raises(PuzzleError, match=r"built without its page viewer; build it with npm .*"):
        page([("", rod())], "Rod")


def test_the_same_puzzle_gives_the_same_bytes() -> None:
    write = (
        "import sys; from tests.output.test_page import *;"
        " sys.stdout.buffer.write(page(first_scenes('kanoodle-pyramid'), 'K').encode())"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", write],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(made) == 1
    assert made == {page(first_scenes("kanoodle-pyramid"), "K").encode()}


def test_nothing_in_the_file_points_elsewhere() -> None:
    text = page([("", soma_solution())], "Soma")
    assert not re.search(r"https?:|//[a-z]+\.|url\(|@import|\bsrc=", text)
    assert re.findall(r'href="([^"]*)"', text) == ["data:,"]


def test_a_page_too_large_says_how_large_and_the_way_out() -> None:
    wordy = replace(soma_solution(), poses=[replace(soma_solution().poses[0], words="x" * 999_999)])
    assert len(page([("", wordy)], "Soma")) > 1_000_000
    with pytest.raises(PuzzleError, match=r"page would be 2\.\d MB, more than the 1\.5 MB.*fewer"):
        page([("", wordy)] * 2, "Soma")


def test_scene_data_is_plain_and_whole() -> None:
    scene = soma_solution()
    data = scene_data(scene)
    assert json.loads(json.dumps(data)) == data
    bodies: Any = data["bodies"]
    for body, drawn in zip(scene.bodies, bodies, strict=True):
        assert (drawn["name"], drawn["colour"]) == (body.name, body.colour)
        volume = 0.0
        numbers, corners = drawn["form"]["positions"], drawn["form"]["triangles"]
        for n in range(0, len(corners), 3):
            a, b, c = (numbers[3 * at : 3 * at + 3] for at in corners[n : n + 3])
            volume += determinant(a, b, c) / 6
        assert volume == pytest.approx(len(body.shape))


def determinant(a: list[float], b: list[float], c: list[float]) -> float:
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )


def test_balls_that_touch_have_a_neck() -> None:
    bodies: Any = scene_data(scene_of(Shape(SPHERES, {(n, 0, 0, 0) for n in range(4)})))["bodies"]
    line = bodies[0]["form"]
    assert line["necks"] == [[0, 1], [1, 2], [2, 3]]
    for a, b in line["necks"]:
        gap = minus(line["balls"][a], line["balls"][b])
        assert sum(x * x for x in gap) ** 0.5 == pytest.approx(2 * line["radius"], abs=1e-3)
    square = Shape(SPHERES, {(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)})
    bodies = scene_data(scene_of(square))["bodies"]
    assert len(bodies[0]["form"]["necks"]) == 6  # a tetrahedron of balls


@pytest.mark.parametrize(
    "name", ["soma", "kanoodle-pyramid", "six-piece-burr", "eighteen-piece-burr"]
)
def test_pieces_side_by_side_stand_on_the_floor_and_apart(name: str) -> None:
    [(_, scene), *_] = first_scenes(name)
    boxes = [
        tuple(plus(corner, shift) for corner in box_of(body.shape))
        for body, shift in zip(scene.bodies, scene.poses[0].shifts, strict=True)
    ]
    assert all(low[2] == pytest.approx(0) for low, _ in boxes)
    for (low, high), (low2, high2) in combinations(boxes, 2):
        assert any(high[i] < low2[i] or high2[i] < low[i] for i in (0, 1))
    width, depth, _ = minus(
        tuple(max(high[i] for _, high in boxes) for i in range(3)),  # type: ignore[arg-type]
        tuple(min(low[i] for low, _ in boxes) for i in range(3)),  # type: ignore[arg-type]
    )
    assert 1 < width / depth < 4
