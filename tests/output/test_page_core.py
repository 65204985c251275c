"""Exported pages that have the core: they know the way from any position, and solve themselves."""

from typing import TYPE_CHECKING

import pytest
from tests.output.conftest import Show
from tests.output.test_page import PHONE
from tests.output.test_page_hand import begun, status

from kumitate import library
from kumitate.output import page as pages
from kumitate.output.page import page
from kumitate.output.scene import scene_of
from kumitate.search.assemble import assemble
from kumitate.search.solve import solve
from kumitate.studio.ask.hints import hint_of
from kumitate.studio.messages import HintRequest

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect
needs_core = pytest.mark.skipif(
    not pages.packed_core(), reason="built without the core for pages (make wasm)"
)


def push(shown: "Page", body: str, way: str) -> None:
    shown.get_by_role("group", name="Pieces").get_by_role("button", name=body, exact=True).click()
    shown.get_by_role("group", name=f"Move {body}").get_by_role("button", name=way).click()


@needs_core
def test_the_way_is_known_from_a_position_that_the_solution_never_sees(show: Show) -> None:
    solution = next(solve(library["evolved-box"].problems[0], disassemble=True))
    shown = begun(show, scene_of(solution), reduced_motion="reduce")
    push(shown, "A", "to the left")
    at = [(-1, 0, 0), *[(0, 0, 0)] * 5]
    moves = hint_of(solution.assembly, HintRequest(at, list(range(6)))).moves
    assert moves > 30  # far too many for a page to find by itself
    told = f"You are {moves} moves from the first separation."
    expect(shown.get_by_text(told)).to_be_visible(timeout=30_000)
    shown.get_by_role("button", name="Solve it").click()
    expect(status(shown)).to_contain_text("Taken apart in", timeout=60_000)


@needs_core
def test_a_card_with_pieces_in_wrong_places_is_solved_on_a_phone(show: Show) -> None:
    problem = next(p for p in library["pentominoes"].problems if p.name == "6x10")
    scene = scene_of(next(assemble(problem)))
    shown = show(page([("one", scene)], "Pentominoes"), **PHONE, reduced_motion="reduce")
    shown.get_by_role("button", name="Put together").tap()
    group = shown.get_by_role("group", name="Pieces: choose one to place")
    for piece in group.get_by_role("button").all()[:2]:
        piece.tap()
        shown.get_by_role("button", name="Next place").tap()
    expect(shown.get_by_text("10 pieces left")).to_be_visible()
    shown.get_by_role("button", name="Solve it").tap()
    expect(status(shown)).to_contain_text("Solved, with", timeout=60_000)


def test_a_page_without_the_core_finds_its_way_more_slowly(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "packed_core", lambda: "")
    burr = next(solve(library["six-piece-burr"].problems[0], disassemble=True))
    shown = begun(show, scene_of(burr), reduced_motion="reduce")
    shown.get_by_role("button", name="Solve it").click()
    expect(status(shown)).to_contain_text("Taken apart in", timeout=60_000)


@needs_core
def test_a_browser_without_webassembly_finds_its_way_more_slowly(show: Show) -> None:
    burr = next(solve(library["six-piece-burr"].problems[0], disassemble=True))
    html = page([("one", scene_of(burr))], "puzzle")
    shown = show(html, before="delete window.WebAssembly", reduced_motion="reduce")
    shown.get_by_role("button", name="Take apart by hand").click()
    shown.get_by_role("button", name="Solve it").click()
    expect(status(shown)).to_contain_text("Taken apart in", timeout=60_000)
