"""Many tabs on one studio: a browser has six connections to a server, and each tab wants news."""

from pathlib import Path

from playwright.sync_api import Page, expect
from tests.studio.conftest import Visit
from tests.studio.test_page_home import title

from kumitate import library, save

TABS = 7
TOLD = "This puzzle was saved in another tab."


def open_saved(visit: Visit, path: Path) -> Page:
    save(library["soma"], path)
    page = visit(f"#/folder/{path.name}")
    title(page).wait_for()
    return page


def test_seven_tabs_are_answered_and_all_hear_what_one_has_saved(
    visit: Visit, folder: Path
) -> None:
    first = open_saved(visit, folder / "tabs.kumitate.json")
    tabs = [first]
    for _ in range(TABS - 1):
        page = first.context.new_page()
        page.goto(first.url)
        title(page).wait_for()
        tabs.append(page)
    title(tabs[3]).fill("from the fourth")
    tabs[3].keyboard.press("Control+s")
    for page in tabs:
        expect(page.get_by_text(TOLD)).to_have_count(0 if page is tabs[3] else 1)
    tabs[-1].get_by_role("button", name="Load it").click()
    expect(title(tabs[-1])).to_have_value("from the fourth")
    tabs.pop(0).close()  # another one takes over to listen, and looks for what was missed
    title(tabs[-1]).fill("from the last")
    tabs[-1].keyboard.press("Control+s")
    expect(tabs[2].get_by_text(TOLD)).to_have_count(1)


def test_what_was_saved_while_nobody_listened_is_told_afterwards(
    visit: Visit, folder: Path
) -> None:
    first = open_saved(visit, folder / "gap.kumitate.json")
    first.context.route("**/api/events", lambda route: route.fulfill(status=429))
    first.reload()
    title(first).wait_for()
    second = first.context.new_page()
    second.goto(first.url)
    title(second).fill("from the second")
    second.keyboard.press("Control+s")
    expect(second.get_by_text("saved", exact=True)).to_be_visible()
    expect(first.get_by_text(TOLD)).to_have_count(0)
    first.context.unroute("**/api/events")
    expect(first.get_by_text(TOLD)).to_have_count(1)
    expect(second.get_by_text(TOLD)).to_have_count(0)
