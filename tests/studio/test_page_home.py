"""The gallery, the header and whatever else is around: found, opened, saved, brought back."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.studio.conftest import PATIENCE, Visit, shot
from tests.studio.test_page_accessible import faults

import kumitate
from kumitate.files import write
from kumitate.files.document import Document
from kumitate.library import library

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = pytest.importorskip("playwright.sync_api").expect

DROP = """([kinds, name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  const told = { dataTransfer, bubbles: true, cancelable: true };
  for (const kind of kinds) document.body.dispatchEvent(new DragEvent(kind, told));
}"""


def cards(page: "Page") -> "Locator":
    return page.get_by_role("article")


def card_of(page: "Page", name: str) -> "Locator":
    """The card of a file that `put` has put there."""
    return cards(page).filter(has=page.locator(f"h3 a[href*='{name}.kumitate']"))


def title(page: "Page") -> "Locator":
    return page.get_by_label("Title of the puzzle")


def state(page: "Page") -> "Locator":
    """Whether it is saved, and where."""
    return page.get_by_role("banner").get_by_role("status")


def put(folder: Path, name: str, puzzle: str = "soma") -> str:
    """A puzzle of the library as a file of the folder; where the page opens it."""
    write(Document(library[puzzle]), folder / f"{name}.kumitate.json")
    return f"#/open?place=folder/{name}.kumitate.json"


def saved(folder: Path, name: str) -> str:
    """The title of a puzzle that lies in the folder."""
    return kumitate.load(folder / f"{name}.kumitate.json").title


# ---- the gallery ----


def test_the_gallery_shows_the_library_with_pictures(page: "Page") -> None:
    expect(cards(page)).to_have_count(len(library))
    soma = cards(page).filter(has_text="Soma cube")
    expect(soma).to_contain_text("by Piet Hein")
    expect(soma).to_contain_text("Cubes · 7 pieces")
    expect(soma).to_contain_text("240 assemblies")
    soma.scroll_into_view_if_needed()
    picture = soma.locator("img")
    page.wait_for_function("(picture) => picture.naturalWidth > 0", arg=picture.element_handle())
    page.evaluate("document.querySelector('.page').scrollTo(0, 0)")
    shot(page, "home")


def test_cards_are_found_by_words_kind_and_grid(page: "Page") -> None:
    search = page.get_by_label("Search")
    search.fill("hein SOMA 240")
    expect(cards(page)).to_have_count(1)
    search.fill("no such puzzle")
    expect(page.get_by_text("No puzzles match your search.")).to_be_visible()
    page.get_by_role("button", name="Clear the search").click()
    expect(cards(page)).to_have_count(len(library))

    balls = sum(puzzle.grid.balls for puzzle in library.values())
    page.get_by_role("group", name="Kind").get_by_role("button", name="Balls").click()
    expect(cards(page)).to_have_count(balls)
    page.get_by_role("group", name="Kind").get_by_role("button", name="All", exact=True).click()
    page.get_by_label("Grid", exact=True).select_option("spheres")
    expect(cards(page)).to_have_count(balls)


def test_a_card_opens_its_puzzle_and_back_leads_home(page: "Page") -> None:
    page.get_by_role("link", name="Open Soma cube").click()
    expect(title(page)).to_have_value("Soma cube")
    expect(state(page)).to_contain_text("saved · from the library")
    page.go_back()
    expect(cards(page)).to_have_count(len(library))


def test_back_leads_to_where_one_was_in_the_gallery(page: "Page") -> None:
    expect(cards(page)).to_have_count(len(library))
    card = cards(page).last
    card.scroll_into_view_if_needed()
    card.get_by_role("link", name=re.compile("^Open")).click()
    expect(page.get_by_role("button", name="Shapes", exact=True)).to_be_visible()
    page.go_back()
    expect(cards(page).last).to_be_in_viewport()
    page.get_by_role("searchbox").fill("soma")
    page.get_by_role("link", name="Open Soma cube").click()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("soma")


def test_an_address_that_leads_nowhere_says_so(visit: Visit) -> None:
    page = visit("#/nowhere?grid=cubes")
    expect(page.get_by_text("There is nothing at this address")).to_be_visible()
    expect(cards(page)).to_have_count(len(library))
    assert page.url.endswith("#/")


def test_notices_lie_above_dialogs(page: "Page") -> None:
    page.get_by_role("link", name="Open Soma cube").click()
    page.get_by_role("button", name="Export", exact=True).click()
    with page.expect_download():
        page.get_by_role("dialog").get_by_role("button", name=re.compile("kumitate.json")).click()
    notice = page.get_by_text("is in your downloads")
    expect(notice).to_be_visible()
    shot(page, "notice-above-dialog")
    ranks = "(e) => e.closest('[popover]').matches(':popover-open')"
    assert notice.evaluate(ranks)


def test_play_is_one_click_away(page: "Page") -> None:
    page.get_by_role("link", name=re.compile("^Play Six-piece burr")).click()
    expect(page.get_by_role("button", name="Solutions")).to_have_attribute("aria-current", "page")
    assert "at=solutions" in page.url
    assert "play=1" in page.url


def test_a_file_that_cannot_be_read_is_shown_with_its_error(visit: Visit, folder: Path) -> None:
    (folder / "broken.xmpuzzle").write_bytes(b"<puzzle")
    page = visit()
    broken = cards(page).filter(has_text="broken.xmpuzzle")
    expect(broken).to_contain_text("Cannot be opened")
    expect(broken.get_by_role("link")).to_have_count(0)
    (folder / "broken.xmpuzzle").unlink()


# ---- new puzzles and files ----


def test_a_new_puzzle_waits_for_its_name_and_outlives_a_reload(page: "Page", folder: Path) -> None:
    page.get_by_role("button", name="New puzzle: Balls").click()
    expect(state(page)).to_contain_text("no file yet")
    title(page).fill("Heap of balls")
    expect(state(page)).to_contain_text("not saved")
    page.reload()
    expect(title(page)).to_have_value("Heap of balls")

    page.get_by_role("button", name="kumitate").click()
    waiting = page.get_by_role("listitem").filter(has_text="Heap of balls")
    waiting.get_by_role("link", name="Continue").click()
    expect(title(page)).to_have_value("Heap of balls")
    page.keyboard.press("Control+s")
    page.get_by_label("Name").press("Enter")
    expect(state(page)).to_contain_text("saved · heap-of-balls.kumitate.json")
    assert kumitate.load(folder / "heap-of-balls.kumitate.json").grid == kumitate.grids.SPHERES
    page.get_by_role("button", name="kumitate").click()
    expect(cards(page).first).to_contain_text("Heap of balls")
    expect(page.get_by_text("Not saved yet")).to_have_count(0)


def test_a_bad_file_is_refused_in_one_sentence(page: "Page") -> None:
    expect(cards(page).first).to_be_visible()
    page.evaluate(DROP, [["dragenter"], "notes.xmpuzzle", "hello"])
    expect(page.get_by_text("Drop to open")).to_be_visible()
    page.evaluate(DROP, [["dragover", "drop"], "notes.xmpuzzle", "hello"])
    expect(page.get_by_text("Drop to open")).to_have_count(0)
    notice = page.get_by_role("listitem").filter(has_text="notes.xmpuzzle")
    expect(notice).to_be_visible()
    assert "\n" not in notice.locator("span").inner_text()
    expect(cards(page).first).to_be_visible()


def test_a_dropped_file_opens_and_can_be_saved(page: "Page", folder: Path, tmp_path: Path) -> None:
    write(Document(library["t-cube"]), tmp_path / "mine.kumitate.json")
    text = (tmp_path / "mine.kumitate.json").read_text("utf-8")
    expect(cards(page).first).to_be_visible()
    page.evaluate(DROP, [["dragenter", "dragover", "drop"], "mine.kumitate.json", text])
    expect(title(page)).to_have_value(library["t-cube"].title)
    expect(state(page)).to_contain_text("not saved")
    page.reload()
    expect(title(page)).to_have_value(library["t-cube"].title)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("Name").fill("dropped")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(state(page)).to_contain_text("saved · dropped.kumitate.json")
    assert kumitate.load(folder / "dropped.kumitate.json") == library["t-cube"]


# ---- saving ----


def test_a_title_is_changed_undone_and_saved(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "titled"))
    title(page).fill("Piet's cube")
    title(page).press("Enter")
    expect(state(page)).to_contain_text("not saved")
    undo = page.get_by_role("button", name=re.compile("^Undo|↶"))
    expect(undo).to_contain_text("change the title")
    page.keyboard.press("Control+z")
    expect(title(page)).to_have_value("Soma cube")
    expect(state(page)).not_to_contain_text("not saved")
    page.keyboard.press("Control+Shift+z")
    expect(title(page)).to_have_value("Piet's cube")
    page.keyboard.press("Control+s")
    expect(state(page)).to_contain_text("saved · titled.kumitate.json")
    expect(state(page)).not_to_contain_text("not saved")
    assert saved(folder, "titled") == "Piet's cube"


def test_a_puzzle_of_the_library_is_saved_as_a_copy(visit: Visit, folder: Path) -> None:
    put(folder, "taken")
    page = visit("#/open?place=library/soma")
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog", name="Save as")
    expect(dialog).to_contain_text("The library does not change")
    expect(dialog.get_by_label("Name")).to_have_value("soma")
    dialog.get_by_label("Name").fill("taken")
    dialog.get_by_label("Name").press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("already exists")
    dialog.get_by_label("Name").fill("copy.xmpuzzle")
    dialog.get_by_label("Name").press("Enter")
    expect(state(page)).to_contain_text("saved · copy.xmpuzzle")
    assert kumitate.load(folder / "copy.xmpuzzle").shapes == library["soma"].shapes


def test_what_is_said_about_a_puzzle_is_edited_and_undone(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "told"))
    page.get_by_role("button", name="About", exact=True).click()
    dialog = page.get_by_role("dialog", name="About this puzzle")
    dialog.get_by_label("Designer").fill("Piet")
    dialog.get_by_label("Comment", exact=True).fill("Seven pieces.")
    dialog.get_by_label("Show the comment").check()
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(state(page)).not_to_contain_text("not saved")
    told = kumitate.load(folder / "told.kumitate.json")
    assert (told.designer, told.comment, told.popup) == ("Piet", "Seven pieces.", True)
    page.reload()
    expect(page.get_by_role("dialog")).to_contain_text("Comment")
    page.get_by_role("dialog").press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_puzzle_is_drawn_again_on_another_grid_as_a_copy(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "regridded"))
    page.get_by_role("button", name="About", exact=True).click()
    dialog = page.get_by_role("dialog", name="About this puzzle")
    dialog.get_by_label("Its grid: Cubes").select_option("Balls")
    dialog.get_by_role("button", name="Make a copy").click()
    expect(dialog.get_by_role("alert")).to_contain_text("spheres")
    dialog.get_by_label("Its grid: Cubes").select_option("Rhombic")
    dialog.get_by_role("button", name="Make a copy").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(state(page)).to_contain_text("not saved · no file yet")
    expect(page.get_by_role("region", name="Facts")).to_contain_text("72 cells")  # V: 3 x 24


# ---- two tabs ----


def conflict(visit: Visit, folder: Path, name: str) -> "Page":
    """A page with changes, "mine", of a puzzle that another tab has saved as "theirs"."""
    page = visit(put(folder, name))
    other = page.context.new_page()
    other.goto(page.url)
    expect(title(other)).to_have_value("Soma cube")
    title(page).fill("mine")
    title(other).fill("theirs")
    other.keyboard.press("Control+s")
    expect(state(other)).not_to_contain_text("not saved")
    expect(page.get_by_text("This puzzle was saved in another tab, and you")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.get_by_role("dialog")).to_contain_text("Nothing is lost")
    assert saved(folder, name) == "theirs"
    return page


def test_the_other_version_can_be_loaded_and_mine_comes_back(visit: Visit, folder: Path) -> None:
    page = conflict(visit, folder, "load")
    shot(page, "conflict")
    page.get_by_role("button", name="Load the other version").click()
    expect(title(page)).to_have_value("theirs")
    page.get_by_role("button", name=re.compile("Undo")).click()
    expect(title(page)).to_have_value("mine")


def test_mine_can_be_saved_over_the_other_and_that_comes_back(visit: Visit, folder: Path) -> None:
    page = conflict(visit, folder, "over")
    page.get_by_role("button", name="Save mine over it").click()
    expect(state(page)).not_to_contain_text("not saved")
    assert saved(folder, "over") == "mine"
    page.get_by_role("button", name=re.compile("Undo")).click()
    expect(title(page)).to_have_value("theirs")


def test_mine_can_be_saved_beside_the_other(visit: Visit, folder: Path) -> None:
    page = conflict(visit, folder, "beside")
    page.get_by_role("button", name="Save mine under another name").click()
    page.get_by_label("Name").fill("beside-mine")
    page.get_by_label("Name").press("Enter")
    expect(state(page)).to_contain_text("saved · beside-mine.kumitate.json")
    assert (saved(folder, "beside"), saved(folder, "beside-mine")) == ("theirs", "mine")


def test_a_file_that_was_removed_is_written_again(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "removed"))
    title(page).fill("still here")
    (folder / "removed.kumitate.json").unlink()
    page.keyboard.press("Control+s")
    expect(page.get_by_text("it has been written again")).to_be_visible()
    assert saved(folder, "removed") == "still here"


# ---- what was not saved ----


def test_changes_outlive_a_reload_and_can_be_discarded(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "draft"))
    title(page).fill("changed")
    page.reload()
    expect(title(page)).to_have_value("changed")
    page.get_by_role("button", name="Discard them").click()
    expect(title(page)).to_have_value("Soma cube")
    page.reload()
    expect(title(page)).to_have_value("Soma cube")


def test_changes_of_an_older_version_become_a_puzzle_of_their_own(
    visit: Visit, folder: Path
) -> None:
    page = visit(put(folder, "older"))
    title(page).fill("older changes")
    page.get_by_role("button", name="kumitate").click()
    expect(card_of(page, "older")).to_contain_text("has unsaved changes")
    put(folder, "older", "t-cube")
    page.goto(page.url.split("#")[0] + "#/open?place=folder/older.kumitate.json")
    expect(title(page)).to_have_value(library["t-cube"].title)
    page.get_by_role("button", name="Show them").click()
    expect(title(page)).to_have_value("older changes")


def drafts(folder: Path) -> dict[str, Path]:
    """The drafts that the server keeps, by the titles of their puzzles."""
    files = (folder / ".kumitate-studio" / "drafts").glob("*.json")
    return {json.loads(file.read_text("utf-8"))["puzzle"]["title"]: file for file in files}


def wait_for_draft(page: "Page", folder: Path, title: str) -> Path:
    """Wait until the server has a draft, and the browser's outbox is empty."""
    for _ in range(PATIENCE // 20):
        if title in drafts(folder):
            waiting = "() => Object.keys(localStorage).every((key) => !key.startsWith('draft:'))"
            page.wait_for_function(waiting)
            return drafts(folder)[title]
        page.wait_for_timeout(20)
    raise AssertionError(drafts(folder))


def test_a_damaged_draft_is_said_to_be(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "damaged"))
    title(page).fill("to be damaged")
    file = wait_for_draft(page, folder, "to be damaged")
    page.get_by_role("button", name="kumitate").click()
    expect(page.get_by_role("heading", name="New puzzle")).to_be_visible()
    broken = {**json.loads(file.read_text("utf-8")), "writable": "perhaps"}
    file.write_text(json.dumps(broken), "utf-8")
    page.evaluate("(hash) => { location.hash = hash }", "#/open?place=folder/damaged.kumitate.json")
    expect(page.get_by_text("unsaved changes could not be read")).to_be_visible()
    expect(title(page)).to_have_value("Soma cube")
    file.unlink()


def test_leaving_asks_when_a_draft_finds_no_room(visit: Visit, folder: Path) -> None:
    page = visit(put(folder, "full"))
    expect(title(page)).to_have_value("Soma cube")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('full') } }")
    page.route("**/api/drafts/*", lambda route: route.fulfill(status=429))
    title(page).fill("no room")
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.accept()


def test_no_tab_loses_what_another_has_not_saved(visit: Visit, folder: Path) -> None:
    """Each tab keeps a draft of its own, also one that was duplicated with all it remembers."""
    one = visit(put(folder, "tabs"))
    expect(title(one)).to_have_value("Soma cube")
    title(one).fill("from one")
    wait_for_draft(one, folder, "from one")
    two = one.context.new_page()
    two.goto(one.url)
    expect(two.get_by_text("Another tab has unsaved changes")).to_be_visible()
    expect(title(two)).to_have_value("Soma cube")
    title(two).fill("from two")
    wait_for_draft(two, folder, "from two")
    for page, text in ((one, "from one"), (two, "from two")):
        page.reload()
        expect(title(page)).to_have_value(text)
    two.get_by_role("button", name="kumitate").click()
    expect(card_of(two, "tabs")).to_contain_text("has unsaved changes")
    assert {"from one", "from two"} <= drafts(folder).keys()
    older = two.get_by_role("listitem").filter(has_text=re.compile("from (one|two)"))
    expect(older.get_by_role("link", name="Continue")).to_have_count(
        1
    )  # the card stands for the other
    title(one).fill("Soma cube")
    one.keyboard.press("Control+s")
    expect(state(one)).not_to_contain_text("not saved")


def test_a_draft_of_another_day_is_gone_on_with(page: "Page", folder: Path) -> None:
    page.get_by_role("button", name="New puzzle: Cubes").click()
    title(page).fill("yesterday")
    wait_for_draft(page, folder, "yesterday")
    where = page.url
    later = page.context.new_page()
    page.close()
    later.goto(where)
    expect(title(later)).to_have_value("yesterday")
    title(later).fill("today")
    wait_for_draft(later, folder, "today")
    assert "yesterday" not in drafts(folder)
    later.get_by_role("button", name="kumitate").click()
    expect(later.get_by_text("today")).to_be_visible()


def test_a_new_puzzle_in_two_tabs_is_two_puzzles(page: "Page", folder: Path) -> None:
    page.get_by_role("button", name="New puzzle: Cubes").click()
    title(page).fill("the original")
    wait_for_draft(page, folder, "the original")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text("so this tab works on a separate copy.")).to_be_visible()
    expect(title(other)).to_have_value("the original")
    title(other).fill("the copy")
    wait_for_draft(other, folder, "the copy")
    assert other.url != page.url
    assert "the original" in drafts(folder)


def test_what_is_discarded_in_the_gallery_is_gone(page: "Page", folder: Path) -> None:
    page.get_by_role("button", name="New puzzle: Cubes").click()
    title(page).fill("unwanted")
    page.get_by_role("button", name="kumitate").click()
    unwanted = page.get_by_role("listitem").filter(has_text="unwanted")
    unwanted.get_by_role("button", name="Discard").click()
    unwanted.get_by_role("button", name="Really discard?").click()
    expect(unwanted).to_have_count(0)
    assert "unwanted" not in drafts(folder)


# ---- searches ----


def test_searches_are_paused_resumed_opened_and_deleted_at_home(visit: Visit) -> None:
    page = visit("#/open?place=library/iq-puzzler-pro&at=solutions")  # hours
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.get_by_role("button", name="kumitate").click()
    searches = page.get_by_role("region", name="Searches")
    name = kumitate.library["iq-puzzler-pro"].title
    row = searches.get_by_role("listitem").filter(has_text=name)
    expect(row).to_contain_text("running")
    expect(row).to_contain_text(re.compile(r"\d [kM]B"))
    row.get_by_role("button", name="Pause").click()
    expect(row).to_contain_text("paused")
    assert faults(page) == []
    shot(page, "searches")
    row.get_by_role("button", name="Resume").click()
    expect(row).to_contain_text("running")
    row.get_by_role("button", name="Open").click()
    expect(title(page)).to_have_value(name)
    expect(page.get_by_role("group", name="Progress of the solve")).to_contain_text("left")
    page.get_by_role("button", name="kumitate").click()
    row.get_by_role("button", name="Delete").click()
    row.get_by_role("button", name="Really delete?").click()
    expect(row).to_have_count(0)


# ---- looks and keys ----


def test_dark_is_chosen_and_stays(page: "Page") -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    expect(cards(page).first).to_be_visible()
    assert page.evaluate(paper) == "rgb(250, 248, 245)"
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(paper) == "rgb(23, 24, 26)"
    page.reload()
    expect(cards(page).first).to_be_visible()
    assert page.evaluate(paper) == "rgb(23, 24, 26)"
    shot(page, "home-dark")


def test_keys_act_everywhere_but_not_while_typing(visit: Visit) -> None:
    page = visit("#/open?place=library/soma")
    expect(title(page)).to_have_value("Soma cube")
    for key, place in (("2", "Problem"), ("3", "Solutions"), ("1", "Shapes")):
        page.keyboard.press(key)
        tab = page.get_by_role("button", name=place, exact=True)
        expect(tab).to_have_attribute("aria-current", "page")
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_contain_text("Ctrl")
    shot(page, "keys")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    title(page).fill("")
    page.keyboard.type("2?")
    expect(title(page)).to_have_value("2?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "at=shapes" in page.url
