"""Solving and watching, as a person does it: answers come from the library's known ones."""

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import msgspec
import pytest
from PIL import Image
from tests.output.conftest import WATCH_PLACES, colours_in, share_of
from tests.output.turned import key
from tests.studio.conftest import PATIENCE, Visit, shot
from tests.studio.test_page_accessible import faults

import kumitate
from kumitate.files import write
from kumitate.files.document import Document
from kumitate.model.grids import CUBES
from kumitate.model.palette import piece_colour
from kumitate.model.puzzle import Piece, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.output.timing import MOTION
from kumitate.studio.ask.watching import forms_data, solution_data

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = pytest.importorskip("playwright.sync_api").expect

AT_THE_END = """() => {
  const time = document.querySelector("[aria-label=Time]");
  return time.value === time.max;
}"""
CUBE = "### ### ###/### ### ###/### ### ###"
SHELL = "### ### ###/### #.# ###/### ### ###"


def solutions(name: str, play: bool = False) -> str:
    """Where the solutions of a puzzle of the library are."""
    return f"#/open?place=library/{name}&at=solutions" + "&play=1" * play


def put(folder: Path, name: str, goal: str, *pieces: tuple[str, int]) -> str:
    """A small puzzle as a file of the folder; where its solutions are."""
    shapes = [Shape.from_text(CUBES, text, name=chr(65 + n)) for n, (text, _) in enumerate(pieces)]
    made = [Piece(shape, count) for shape, (_, count) in zip(shapes, pieces, strict=True)]
    problem = Problem(Shape.from_text(CUBES, goal, name="goal"), made)
    write(Document(Puzzle.of(problem)), folder / f"{name}.kumitate.json")
    return f"#/open?place=folder/{name}.kumitate.json&at=solutions"


def solve(page: "Page") -> None:
    page.get_by_role("button", name="Solve", exact=True).click()


def results(page: "Page") -> "Locator":
    return page.get_by_role("listbox", name="Solutions")


def rows(page: "Page") -> "Locator":
    return results(page).get_by_role("option")


def counts(page: "Page") -> "Locator":
    """How many solutions are listed."""
    return page.get_by_role("region", name="Solutions").get_by_role("status")


def progress(page: "Page") -> "Locator":
    return page.get_by_role("group", name="Progress of the solve")


def counted(page: "Page") -> int:
    """How many solutions the progress tells of."""
    found = re.search(r"([\d,]+) solution", progress(page).inner_text())
    return int(found[1].replace(",", "")) if found else 0


def player(page: "Page") -> "Locator":
    return page.get_by_role("region", name="Player")


def time(page: "Page") -> float:
    return float(page.get_by_label("Time").input_value())


def last(page: "Page") -> float:
    return float(page.get_by_label("Time").get_attribute("max") or 0)


def canvas(page: "Page") -> "Locator":
    return page.get_by_label("The pieces in 3D").locator("canvas")


def seen(page: "Page", colour: str) -> float:
    """How much of the view is of a colour."""
    return share_of(colour, colours_in(canvas(page)))


def soon(test: Callable[[], bool]) -> bool:
    """Whether something comes true; machines that test may be slow."""
    late = monotonic() + PATIENCE / 1000
    while not (done := test()) and monotonic() < late:
        sleep(0.05)
    return done


# ---- solving ----


def test_all_240_ways_to_build_the_soma_cube_are_listed(visit: Visit) -> None:
    page = visit(solutions("soma"))
    expect(page.get_by_text("Press Solve to find every way")).to_be_visible()
    solve(page)
    expect(page.get_by_text(re.compile("Found all 240 solutions"))).to_be_visible()
    expect(
        page.get_by_role("status").filter(has_text=re.compile("^240 solutions$"))
    ).to_be_visible()
    expect(rows(page).first).to_have_accessible_name("Solution 1 level 1 6 moves")
    results(page).press("End")
    expect(rows(page).last).to_have_accessible_name("Solution 240 level 1 6 moves")
    expect(page.get_by_text("Solution 240 ·")).to_be_visible()
    results(page).press("ArrowUp")
    expect(page.get_by_text("Solution 239 ·")).to_be_visible()


def test_a_burr_is_sorted_and_filtered_by_level_and_moves(visit: Visit) -> None:
    levels = kumitate.library.answers("six-piece-burr")[0].levels
    assert levels == {"1": 148, "1.2": 31}
    page = visit(solutions("six-piece-burr"))
    solve(page)
    status = counts(page)
    expect(status).to_have_text(f"{sum(levels.values())} solutions")
    expect(rows(page).first).to_have_accessible_name(re.compile("^Solution 1 level 1 5 moves"))
    page.get_by_role("button", name="Moves", exact=True).click()
    expect(rows(page).first).to_have_accessible_name(re.compile("level 1.2 6 moves"))

    page.get_by_role("button", name="Filter").click()
    page.get_by_label("Moves to").fill("5")
    expect(status).to_have_text("148 of 179 solutions")
    page.get_by_label("Moves to").fill("")
    page.get_by_label("Moves from").fill("6")
    expect(status).to_have_text("31 of 179 solutions")
    expect(rows(page).last).to_have_accessible_name(re.compile("level 1.2 6 moves"))
    page.get_by_label("Level from").fill("2")
    expect(page.get_by_text("No solutions match this filter.")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect(status).to_have_text("179 solutions")

    page.get_by_label("25", exact=True).select_option("not used")
    expect(status).to_have_text(re.compile(r"^\d+ of 179 solutions$"))
    assert faults(page) == []
    named = rows(page).all_inner_texts()
    assert named
    assert not any("25" in name.split() for name in named), named

    status_before = status.inner_text()
    page.get_by_role("button", name="Shapes", exact=True).click()
    page.get_by_role("button", name="Solutions", exact=True).click()
    expect(status).to_have_text(status_before)
    expect(page.get_by_role("button", name="Moves", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


def test_statistics_count_levels_and_say_where_a_piece_goes(visit: Visit) -> None:
    page = visit(solutions("six-piece-burr"))
    solve(page)
    page.get_by_role("tab", name="Statistics").click()
    panel = page.get_by_role("tabpanel", name="Statistics")
    expect(panel).to_contain_text("Based on all 179 solutions.")
    moves = panel.get_by_role("figure").filter(has_text="Total moves")
    expect(moves.get_by_role("button", name="6: 31 solutions")).to_be_visible()
    moves.get_by_text("As a table").click()
    expect(moves.get_by_role("cell")).to_have_text(["5", "148", "6", "31"])
    where = panel.get_by_role("figure").filter(has_text="Where each piece goes")
    where.get_by_label("Piece").select_option("1")
    expect(where.get_by_role("group", name="Layer 1")).to_be_visible()
    assert "fill-opacity" in where.get_by_role("group", name="Layer 3").inner_html()
    assert faults(page) == []
    shot(page, "statistics")


def test_a_solve_goes_on_through_a_reload_and_is_paused_resumed_and_stopped(visit: Visit) -> None:
    page = visit(solutions("iq-puzzler-pro"))
    solve(page)
    expect(progress(page).get_by_role("button", name="Pause")).to_be_visible()
    expect(rows(page).nth(3)).to_be_visible()
    before = counted(page)
    page.reload()
    expect(progress(page).get_by_role("button", name="Pause")).to_be_visible()
    expect(rows(page).nth(3)).to_be_visible()
    assert soon(lambda: counted(page) > before)
    shot(page, "solving")

    progress(page).get_by_role("button", name="Pause").click()
    expect(progress(page)).to_contain_text("Paused")
    before = counted(page)
    progress(page).get_by_role("button", name="Resume").click()
    assert soon(lambda: counted(page) > before)
    assert re.search("left|estimating the time left|Starting", progress(page).inner_text())

    progress(page).get_by_role("button", name="Discard").click()
    dialog = page.get_by_role("dialog", name="Discard this solve?")
    expect(dialog).to_contain_text("deletes what was found so far")
    dialog.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("heading", name="Not solved yet")).to_be_visible()


def test_new_solutions_do_not_make_the_list_jump(visit: Visit) -> None:
    page = visit(solutions("iq-puzzler-pro"))
    solve(page)
    expect(rows(page).nth(10)).to_be_visible()
    page.get_by_role("button", name="Level", exact=True).click()
    expect(rows(page).nth(10)).to_be_visible()
    results(page).evaluate("(list) => list.scrollTo(0, 340)")
    expect(rows(page).first).to_have_attribute("id", "solution-10")
    before = rows(page).nth(2).inner_text()
    more = page.get_by_role("button", name=re.compile(r"Show [\d,]+ new solution"))
    expect(more).to_be_visible()
    expect(rows(page).first).to_have_attribute("id", "solution-10")
    assert rows(page).nth(2).inner_text() == before
    more.click()
    expect(rows(page).first).to_have_attribute("id", "solution-0")
    progress(page).get_by_role("button", name="Pause").click()
    expect(progress(page)).to_contain_text("Paused")


def test_tens_of_thousands_of_solutions_scroll_and_few_are_in_the_page(visit: Visit) -> None:
    page = visit(solutions("soma"))
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Take apart").uncheck()
    page.get_by_label("Count rotations and mirror images separately").check()
    shot(page, "solve-options")
    assert faults(page) == []
    page.get_by_role("button", name="Solve with these options").click()
    expect(page.get_by_text("11,520 assemblies", exact=True)).to_be_visible()  # xcover's count
    deepest = page.evaluate(
        """async () => {
          const list = document.querySelector("[role=listbox]");
          let most = 0;
          for (let part = 0; part <= 200; part++) {
            list.scrollTop = (part / 200) * (list.scrollHeight - list.clientHeight);
            await new Promise(requestAnimationFrame);
            most = Math.max(most, list.querySelectorAll("*").length);
          }
          return [most, document.querySelectorAll("*").length];
        }"""
    )
    expect(rows(page).last).to_have_accessible_name("Solution 11,520")
    assert deepest[0] < 150, deepest
    assert deepest[1] < 1000, deepest
    for part in (0.5, 0.123, 0.9):
        results(page).evaluate("(list, part) => list.scrollTo(0, part * list.scrollHeight)", part)
        first = int(part * 11520)
        expect(rows(page).first).to_have_attribute("id", f"solution-{first}")
        expect(rows(page).first).to_have_accessible_name(f"Solution {first + 1:,}")


def test_what_cannot_be_built_or_taken_apart_is_said(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "no-way", "####/####", ("###/.#.", 2)))
    solve(page)
    expect(page.get_by_role("heading", name="No solution")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("button", name="Go to Problem")).to_be_visible()

    page = visit(put(folder, "too-few", "####/####", ("###/.#.", 1)))
    solve(page)
    expect(page.get_by_role("main")).to_contain_text(re.compile("8 cells.* 4"))
    shot(page, "refused")

    page = visit(put(folder, "trapped", CUBE, (SHELL, 1), ("#", 1)))
    solve(page)
    told = page.get_by_text("1 assembly, but none comes apart.")
    expect(told.first).to_contain_text("1 is rigid: nothing can move.")
    page.get_by_role("button", name="Show the assemblies").last.click()
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text("it was not taken apart")).to_be_visible()


def test_results_of_an_earlier_version_are_called_so(visit: Visit) -> None:
    page = visit(solutions("diabolical-cube"))
    solve(page)
    expect(page.get_by_text("Found all 13 solutions")).to_be_visible()
    places = page.get_by_role("navigation")
    places.get_by_role("button", name="Problem").click()
    page.get_by_role("button", name=re.compile("^One more of")).first.click()
    places.get_by_role("button", name="Solutions").click()
    old = page.get_by_text("These solutions belong to an earlier version of the puzzle.")
    expect(old).to_be_visible()
    expect(rows(page)).to_have_count(13)
    expect(page.get_by_role("button", name="Solve again")).to_be_enabled()
    page.get_by_role("button", name=re.compile("Undo")).click()
    expect(old).to_have_count(0)
    expect(page.get_by_text("Found all 13 solutions")).to_be_visible()


# ---- watching ----


def test_two_clicks_from_the_gallery_a_burr_comes_apart(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference", viewport={"width": 1000, "height": 640})
    burr = page.get_by_role("article").filter(has_text="Six-piece burr")
    burr.get_by_role("link", name="Play").click()
    player(page).get_by_label("Speed").select_option("8×")
    expect(player(page).get_by_role("status")).to_have_text(re.compile("slides? out "))
    page.wait_for_function(AT_THE_END)
    expect(player(page).get_by_role("button", name="Play")).to_be_visible()
    assert time(page) == last(page) == 10


def test_a_solution_is_stepped_scrubbed_and_played_by_keys(visit: Visit) -> None:
    page = visit(solutions("six-piece-burr", play=True))
    told = player(page).get_by_role("status")
    expect(player(page).get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Home")
    expect(told).to_have_text("Assembled.")
    expect(player(page).get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text(re.compile("^take apart"))
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text(re.compile("slides? out "))
    page.keyboard.press("ArrowLeft")
    expect(told).to_have_text(re.compile("^take apart"))
    page.keyboard.press("End")
    expect(player(page)).to_contain_text("5 of 5")
    page.get_by_label("Time").fill("3.5")
    expect(player(page)).to_contain_text("2 of 5")
    page.get_by_label("Time").press("ArrowRight")
    expect(player(page)).to_contain_text("2 of 5")
    assert soon(lambda: time(page) == 4)
    page.keyboard.press("Space")
    expect(player(page).get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(player(page).get_by_role("button", name="Play")).to_be_visible()


COUNT_BUFFERS = """
window.buffers = 0;
const own = WebGL2RenderingContext.prototype.bufferData;
WebGL2RenderingContext.prototype.bufferData = function (...given) {
  buffers++;
  return own.apply(this, given);
};
"""


def test_another_solution_sends_no_geometry_and_builds_none(visit: Visit) -> None:
    page = visit()
    page.add_init_script(COUNT_BUFFERS)

    def drawn() -> bool:
        return max(seen(page, piece_colour(n)) for n in range(4)) > 0.02

    def asked() -> int:
        """How often this document, not the one before it, asked for the pieces' geometry."""
        resources = page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
        return sum(address.endswith("/forms") for address in resources)

    page.goto(page.url.split("#")[0] + solutions("soma", play=True))
    page.reload()
    expect(page.get_by_text("Solution 1 ·")).to_be_visible()
    expect(rows(page).nth(5)).to_be_visible()
    page.keyboard.press("Home")
    assert soon(drawn)
    before, built = asked(), page.evaluate("buffers")
    assert before > 0
    assert built > 6
    results(page).focus()
    for number in (2, 3, 4):
        page.keyboard.press("ArrowDown")
        expect(page.get_by_text(f"Solution {number} ·")).to_be_visible()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
        assert soon(drawn)
    assert page.evaluate("buffers") == built
    assert asked() == before


def test_the_puzzle_stands_in_the_middle_and_the_eye_follows(visit: Visit) -> None:
    page = visit(solutions("six-piece-burr", play=True))
    expect(player(page).get_by_role("button", name="Pause")).to_be_visible()
    for at in ("0", "2", "4", "10"):
        page.get_by_label("Time").fill(at)
        assert soon(lambda: fills_the_middle(canvas(page).screenshot())), at


def fills_the_middle(shot: bytes) -> bool:
    with Image.open(BytesIO(shot)) as picture:
        left, top, right, bottom = coloured(picture)
    across, down = (left + right) / 2 / picture.width, (top + bottom) / 2 / picture.height
    large = (right - left) / picture.width > 0.35 or (bottom - top) / picture.height > 0.5
    return large and abs(across - 0.5) < 0.15 and abs(down - 0.5) < 0.15


def coloured(picture: "Image.Image") -> tuple[int, int, int, int]:
    """The box around all that is neither paper nor shadow."""
    _, saturation, _ = picture.convert("HSV").split()
    box = saturation.point(lambda s: 255 * (s > 90)).getbbox()
    assert box is not None
    return box


def test_a_turn_is_played_scrubbed_and_told(visit: Visit, folder: Path) -> None:
    """Half-way it is at 45 degrees; held still itself, the others turn the other way."""
    watched = key()
    page = visit(reduced_motion="no-preference", viewport={"width": 1000, "height": 640})
    page.add_init_script(WATCH_PLACES)
    for path, data in (
        ("solutions/1", solution_data(watched, 1)),
        ("forms", forms_data(watched.assembly.problem)),
    ):
        body = msgspec.json.encode(data)
        page.route(f"**/api/runs/*/{path}*", lambda route, _, body=body: route.fulfill(body=body))
    page.goto(page.url.split("#")[0] + put(folder, "turned", "##", ("#", 2)))
    page.reload()
    solve(page)
    told = player(page).get_by_role("status")
    expect(page.get_by_text("level 2R1")).to_be_visible()

    def turned_at(time: float) -> list[float]:
        page.evaluate("placed = []")
        page.get_by_label("Time").fill(str(time))
        assert soon(lambda: bool(page.evaluate("placed.length")))
        return sorted({round(turn[3], 3) + 0.0 for turn in page.evaluate("placed")})  # the sine

    assert soon(lambda: turned_at(2) == [0])
    assert soon(lambda: turned_at(2 + MOTION / 2) == [0, 0.707])
    expect(told).to_have_text("B turns a quarter counter-clockwise, seen from above")
    shot(page, "turn")
    assert soon(lambda: turned_at(3) == [0, 1])
    page.get_by_label("Fixed piece").select_option("B")
    assert soon(lambda: turned_at(2 + MOTION / 2) == [-0.707, 0])
    page.get_by_label("Fixed piece").select_option("A")
    page.get_by_label("Explode").fill("0.5")
    assert soon(lambda: turned_at(2 + MOTION / 2) == [0, 0.707])
    page.get_by_label("Explode").fill("0")
    player(page).get_by_role("button", name="Start").click()
    player(page).get_by_label("Speed").select_option("8×")
    player(page).get_by_role("button", name="Play").click()
    page.wait_for_function(AT_THE_END)
    expect(told).to_have_text("B slides out upwards")


def test_a_puzzle_that_only_turns_open_is_solved_and_watched(visit: Visit, folder: Path) -> None:
    write(Document(Puzzle.of(key().assembly.problem)), folder / "key.kumitate.json")
    page = visit("#/open?place=folder/key.kumitate.json&at=solutions")
    solve(page)
    expect(page.get_by_text("1 assembly, but none comes apart.").first).to_be_visible()
    page.get_by_role("button", name="Try turns").click()
    expect(rows(page).first).to_have_accessible_name("Solution 1 level 2R1 3 moves")
    assert soon(lambda: last(page) > 0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(player(page).get_by_role("status")).to_contain_text("B turns a quarter")
    page.get_by_role("button", name=re.compile("Options")).click()
    page.get_by_label("Turns", exact=True).select_option("allowed")
    page.get_by_label("Tolerance of turns").fill("0.1")
    shot(page, "turn-options")
    assert faults(page) == []


def test_pieces_are_hidden_outlined_and_drawn_apart(visit: Visit) -> None:
    page = visit(solutions("soma"))
    solve(page)
    pieces = page.get_by_role("region", name="Pieces", exact=True)
    first = pieces.get_by_role("button", name=re.compile("^V "))
    expect(first).to_have_accessible_name("V solid")
    colour = piece_colour(0)
    behind = "#E4AC3A"  # its colour behind the tinted sides of outlines
    pieces.get_by_role("button", name="All outline").click()
    assert soon(lambda: max(seen(page, each) for each in (colour, behind)) < 0.005)
    first.click()
    expect(first).to_have_accessible_name("V hidden")
    first.click()
    assert soon(lambda: seen(page, behind) > 0.01)
    pieces.get_by_role("button", name="All solid").click()
    alone = seen(page, colour)
    page.get_by_label("Explode").fill("1.5")
    page.get_by_role("button", name="Fit").click()
    assert soon(lambda: abs(seen(page, colour) - alone) > 0.001)
    shot(page, "drawn-apart")
    page.get_by_role("button", name="Parallel").click()
    page.get_by_label("Fixed piece").select_option("T")
    page.keyboard.press("End")
    assert soon(lambda: time(page) == last(page))


CUT = """() => [...document.querySelectorAll("main button, main label, main select")]
  .filter((one) => one.offsetParent && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.innerText)"""  # what does not fit into its button or label


def test_the_place_is_good_to_look_at_in_the_dark_and_on_a_tablet(visit: Visit) -> None:
    for name, puzzle, scheme, width, height in [
        ("dark", "kanoodle-pyramid", "dark", 1280, 720),
        ("light", "soma", "light", 1280, 720),
        ("tablet", "soma", "light", 820, 1180),
    ]:
        size = {"width": width, "height": height}
        page = visit(solutions(puzzle, play=True), color_scheme=scheme, viewport=size)
        expect(player(page).get_by_role("button", name="Pause")).to_be_visible()
        page.get_by_label("Time").fill("2")
        expect(rows(page).first).to_be_visible()
        shot(page, f"watching-{name}")
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(CUT) == []


# ---- files ----


def test_the_watched_solution_is_saved_as_one_page(visit: Visit, tmp_path: Path) -> None:
    page = visit(solutions("six-piece-burr", play=True))
    expect(player(page)).to_be_visible()
    page.get_by_role("button", name="Save this solution").click()
    dialog = page.get_by_role("dialog", name="Share this solution")
    with page.expect_download() as promised:
        dialog.get_by_role("button", name="Save as a web page").click()
    assert promised.value.suggested_filename.endswith(".html")
    promised.value.save_as(tmp_path / "made.html")
    text = (tmp_path / "made.html").read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "Six-piece burr" in text
    assert not re.search(r"(src|href)=.https?:", text)
    with page.expect_download() as promised:
        dialog.get_by_role("button", name="Save as a GIF").click()
    promised.value.save_as(tmp_path / "made.gif")
    assert (tmp_path / "made.gif").read_bytes()[:4] == b"GIF8"


def test_export_says_what_needs_a_solution_and_makes_the_rest(visit: Visit, tmp_path: Path) -> None:
    page = visit("#/open?place=library/y25&at=shapes")
    page.get_by_role("banner").get_by_role("button", name="Export").click()
    dialog = page.get_by_role("dialog", name="Export")
    expect(dialog.get_by_role("button", name=".gif")).to_be_disabled()
    expect(dialog).to_contain_text("Choose a solution first")
    shot(page, "export")
    for suffix, begins in [(".3mf", b"PK"), (".xmpuzzle", b"\x1f\x8b"), (".kumitate.json", b"{")]:
        with page.expect_download() as promised:
            dialog.get_by_role("button", name=suffix, exact=True).click()
        assert promised.value.suggested_filename.endswith(suffix)
        promised.value.save_as(tmp_path / f"made{suffix}")
        assert (tmp_path / f"made{suffix}").read_bytes().startswith(begins)
