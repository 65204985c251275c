"""The states of a solution as a picture; how many there are comes from `explore`."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.studio.conftest import Visit, shot
from tests.studio.test_page_accessible import SIZES, faults
from tests.studio.test_page_solutions import player, put, solutions, solve

import kumitate
from kumitate.search.states import StateGraph, explore

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = pytest.importorskip("playwright.sync_api").expect

BURR = "eighteen-piece-burr"
FULL, ROOM = "#######", "#.....#"
SHELL = "/".join(f"{FULL} {row} {FULL}" for row in (FULL, *[ROOM] * 5, FULL))


def listbox(page: "Page") -> "Locator":
    return page.get_by_role("listbox", name="States of the pieces")


def panel(page: "Page") -> "Locator":
    return page.get_by_role("tabpanel", name="States")


def to_go(graph: StateGraph, state: int) -> int:
    """How many moves it takes from a state until something comes off."""
    layer, moves, seen = {state}, 1, {state}
    while not layer & set(graph.exits):
        layer = {b for ends in graph.edges for a, b in (ends, ends[::-1]) if a in layer} - seen
        seen |= layer
        moves += 1
    return moves


def test_a_state_is_clicked_and_the_way_by_hand_is_drawn(visit: Visit) -> None:
    [problem] = kumitate.library[BURR].problems
    [solution] = kumitate.solve(problem, disassemble=True)
    graph = explore(solution.assembly)
    page = visit(solutions(BURR))
    solve(page)
    page.get_by_role("tab", name="States").click()
    states = listbox(page).get_by_role("option")
    expect(states).to_have_count(len(graph.states))
    expect(panel(page)).to_contain_text(f"{len(graph.states)} states, up to {max(graph.depths)}")
    expect(panel(page)).to_contain_text(f"{len(graph.exits)} exit, where")
    expect(panel(page)).to_contain_text(f"{len(graph.dead_ends)} dead ends")
    expect(states.first).to_have_attribute("aria-selected", "true")

    far = graph.depths.index(4)
    box = states.nth(far).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    hand = page.get_by_role("region", name="By hand")
    expect(hand).to_contain_text("4 moves")
    expect(hand).to_contain_text(f"{to_go(graph, far)} moves from the first separation")
    expect(states.nth(far)).to_have_attribute("aria-selected", "true")
    expect(panel(page)).to_contain_text("your way")
    shot(page, "states")
    assert faults(page) == []
    hand.get_by_role("button", name="Undo", exact=True).click()
    expect(states.nth(far)).to_have_attribute("aria-selected", "false")

    listbox(page).press("End")  # the exit
    expect(panel(page)).to_contain_text("Something can be taken away here.")
    page.keyboard.press("Enter")
    expect(hand).to_contain_text("1 move from the first separation")
    expect(states.nth(graph.exits[0])).to_have_attribute("aria-selected", "true")
    hand.get_by_role("button", name="Back to the solution").click()
    expect(panel(page)).to_contain_text("your way")  # it stays, beside the solution's
    expect(states.first).to_have_attribute("aria-selected", "true")
    player(page).get_by_role("button", name="Next").click(click_count=2)  # past the heading
    expect(states.first).to_have_attribute("aria-selected", "false")


def test_a_phone_shows_the_nearest_of_too_many_states(visit: Visit, folder: Path) -> None:
    goal = SHELL.replace(ROOM, "####..#", 1)
    page = visit(put(folder, "loose", goal, (SHELL, 1), ("#", 3)), viewport=SIZES["phone"])
    solve(page)
    page.get_by_role("button", name="Show the assemblies").first.click()
    page.get_by_role("group", name="Show").get_by_role("button").first.click()
    page.get_by_role("tab", name="States").click()
    expect(panel(page)).to_contain_text("The nearest 3,000 states")
    expect(panel(page)).to_contain_text("No exit among them")
    expect(panel(page)).not_to_contain_text("dead end.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, "states-phone")
    listbox(page).get_by_role("option").nth(5).click()
    page.get_by_role("button", name="Show it in the view").click()
    expect(page.get_by_role("region", name="By hand")).to_contain_text("1 move")
