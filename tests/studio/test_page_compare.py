"""Two solutions side by side: what differs is counted here by their cells."""

import re
from itertools import islice

import pytest
from tests.output.conftest import colours_in, share_of
from tests.studio.conftest import Visit, shot
from tests.studio.test_page_accessible import faults
from tests.studio.test_page_solutions import counts, player, solutions, solve, soon

import kumitate
from kumitate.model.palette import piece_colour

expect = pytest.importorskip("playwright.sync_api").expect


def elsewhere(first: int, second: int) -> set[str]:
    """The pieces of the Soma cube that lie on other cells in another solution."""
    [problem] = kumitate.library["soma"].problems
    found = [*islice(kumitate.assemble(problem), max(first, second))]
    places = [
        {
            (problem.pieces[at.piece].shape.name, shape.cells)
            for at, shape in zip(
                found[number - 1].placements, found[number - 1].shapes, strict=True
            )
        }
        for number in (first, second)
    ]
    return {name or "" for name, _ in places[0] ^ places[1]}


def test_two_solutions_are_seen_side_by_side_with_what_differs(visit: Visit) -> None:
    page = visit(solutions("soma"))
    solve(page)
    expect(counts(page)).to_have_text("240 solutions")
    page.get_by_role("button", name="Compare …").click()
    here = page.get_by_role("img", name="The pieces in 3D")
    other = page.get_by_role("img", name="The pieces of the other solution in 3D")
    expect(other).to_be_visible()
    page.get_by_role("tab", name="Compare").click()
    panel = page.get_by_role("tabpanel", name="Compare")
    expect(panel).to_contain_text("This is the same solution.")

    # Seen by one camera, also after it was turned: both pictures are the same.
    def shares() -> list[list[float]]:
        return [
            [share_of(piece_colour(n), colours_in(each)) for n in range(7)]
            for each in (here, other)
        ]

    def alike() -> bool:
        one, two = shares()
        return sum(one) > 0.1 and max(abs(a - b) for a, b in zip(one, two, strict=True)) < 0.005

    assert soon(alike), shares()
    before = shares()[0]
    box = other.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + box["height"] - 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 240, box["y"] + box["height"] - 90, steps=4)
    page.mouse.up()
    assert soon(lambda: max(abs(a - b) for a, b in zip(before, shares()[0], strict=True)) > 0.02)
    assert soon(alike), shares()

    different = elsewhere(1, 2)
    assert 0 < len(different) < 7
    page.get_by_label("Compare with no.").fill("2")
    page.get_by_label("Compare with no.").press("Enter")
    expect(panel).to_contain_text(f"{len(different)} of 7 pieces lie elsewhere.")
    words = panel.get_by_role("listitem").all_inner_texts()
    assert {text.split()[0] for text in words if "elsewhere" in text} == different
    shot(page, "compare")
    assert faults(page) == []
    player(page).get_by_role("button", name="Next").click(click_count=2)
    expect(player(page)).to_contain_text("1 of 6")

    page.evaluate("location.hash = '#/open?place=library/diabolical-cube&at=solutions&play=1'")
    expect(page.get_by_text(re.compile("^Solution 2 · Soma cube"))).to_be_visible()
    expect(panel).to_contain_text("only in solution 2")
    panel.get_by_role("button", name="Stop comparing").click()
    expect(other).to_have_count(0)
