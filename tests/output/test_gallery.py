"""A gallery in a real browser: cards to filter and sort, and a player for each, offline."""

import json
import re
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.fork_server import needs_fork, run_kumitate
from tests.output.conftest import Show, soon

from kumitate.designer import Cuts, search_puzzles
from kumitate.files import decode
from kumitate.files import json as puzzle_format
from kumitate.files.document import Document
from kumitate.jobs.design import search_into
from kumitate.library import library
from kumitate.model.found import Found
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers
from kumitate.output import gallery
from kumitate.output.cards import card_of
from kumitate.output.gallery import gallery_page

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

HURT = "</script><script>hurt = 1</script><img src=x onerror='hurt = 1'>"
NO_WEBGL = "HTMLCanvasElement.prototype.getContext = () => null;"


def box(*sides: int) -> Shape:
    a, b, c = sides
    return Shape(CUBES, {(x, y, z, 0) for x in range(a) for y in range(b) for z in range(c)})


@cache
def found() -> list[Found]:
    """Six puzzles: boxes cut in two, three and four pieces."""
    made: list[Found] = []
    for pieces in (2, 3, 4):
        made += some(Cuts(box(3, 2, 2), pieces), 2, 100 * pieces)
    return made


def some(family: Cuts, count: int, first: int = 0) -> list[Found]:
    drawn = islice(search_puzzles(family, unique=False), count)
    return [
        Found(
            first + one.sample,
            one.puzzle,
            one.answers,
            puzzle_format.write(Document(one.puzzle, [one.answers])).decode(),
        )
        for one in drawn
    ]


@cache
def made() -> str:
    return gallery_page("Boxes", found(), 9)[0]


def titles(page: "Page") -> list[str]:
    return page.locator("article h2").all_inner_texts()


def ranks(page: "Page") -> list[int]:
    return [int(text) for text in page.locator(".rank").all_inner_texts()]


def field(page: "Page", name: str) -> "Locator":
    return page.get_by_label(name, exact=True)


# ---- what a card says ----


def test_a_card_says_what_its_document_says() -> None:
    for number, one in enumerate(found(), 1):
        card = card_of(number, one)
        assert (card.number, card.sample, card.title) == (number, one.sample, one.puzzle.title)
        assert sum(card.pieces) == 12
        assert card.holes == 0
        assert card.pieces == sorted(card.pieces)
        assert str(card.level) == card.levels.split(".")[0]
    [hollow] = some(Cuts(box(3, 3, 3), 2, holes=1), 1)
    card = card_of(1, hollow)
    assert (sum(card.pieces), card.holes) == (26, 1)
    lacking = card_of(1, Found(1, library["soma"], None, ""))
    assert (lacking.levels, lacking.pieces, lacking.solutions) == ("", [], None)


def test_solutions_that_were_not_all_counted_are_not_told() -> None:
    one = found()[0]
    assert one.answers is not None
    some = Answers(one.answers.solutions, 3, 1, complete=False)
    assert card_of(1, one._replace(answers=some)).solutions is None


def test_a_large_collection_shows_its_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "MOST_PUZZLES", 4)
    assert gallery_page("Boxes", found(), 6)[1] == 4
    monkeypatch.setattr(gallery, "MOST_BYTES", 10_000)
    assert 1 <= gallery_page("Boxes", found(), 6)[1] < 4


def test_the_same_puzzles_give_the_same_bytes() -> None:
    assert made() == gallery_page("Boxes", found(), 9)[0]


# ---- in the browser ----


def test_every_puzzle_has_a_card_with_a_picture(show: Show) -> None:
    page = show(made())
    assert page.locator("h1").inner_text() == "Boxes"
    assert ranks(page) == [1, 2, 3, 4, 5, 6]
    assert page.get_by_role("status").inner_text() == "the best 6 of 9 puzzles"
    pictures = page.locator("article img")
    drawn = "(all) => all.every((image) => image.naturalWidth > 0)"
    assert soon(lambda: bool(pictures.evaluate_all(drawn)))
    first, card = page.locator("article").first, card_of(1, found()[0])
    told = first.inner_text()
    assert f"Level {card.levels} · {card.moves} move" in told
    assert f"2 pieces of {card.pieces[0]}, {card.pieces[1]} cells" in told
    assert "Found by kumitate search: seed 0" in told


def test_cards_are_filtered_and_sorted(show: Show) -> None:
    page = show(made())
    cards = [card_of(n, one) for n, one in enumerate(found(), 1)]
    field(page, "Pieces").select_option("3")
    assert ranks(page) == [card.number for card in cards if len(card.pieces) == 3]
    assert page.get_by_role("status").inner_text().startswith("2 of ")
    field(page, "Pieces").select_option("any")
    field(page, "Sort by").select_option("smallest piece, largest first")
    assert ranks(page) == [card.number for card in sorted(cards, key=lambda c: -c.pieces[0])]
    field(page, "Pieces").select_option("4")
    field(page, "Smallest piece").select_option(str(max(card.pieces[0] for card in cards)))
    assert ranks(page) == []
    page.get_by_role("button", name="Show all").click()
    assert ranks(page) == [1, 2, 3, 4, 5, 6]


def test_a_card_opens_plays_and_leads_back(show: Show) -> None:
    page = show(made())
    page.get_by_role("link", name=titles(page)[2]).nth(0).press("Enter")
    assert soon(page.locator("canvas").is_visible)
    assert page.url.endswith(f"#{found()[2].sample}")
    names = page.locator(".pieces button").all_inner_texts()
    assert names == ["A", "B", "C"]
    page.keyboard.press("End")
    assert soon(lambda: "slides out" in page.locator(".words").inner_text())
    page.get_by_role("link", name="Next").click()
    assert soon(lambda: page.url.endswith(f"#{found()[3].sample}"))
    page.keyboard.press("Escape")
    assert soon(page.locator("article").first.is_visible)
    assert not page.locator("canvas").count()
    focused = "document.querySelector('#gallery > div').shadowRoot.activeElement.textContent"
    assert page.evaluate(focused) == found()[3].puzzle.title
    page.go_back()
    assert soon(page.locator("canvas").is_visible)


def test_a_puzzle_is_downloaded_as_its_file(show: Show) -> None:
    page = show(made())
    page.locator("article a").nth(4).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename.endswith(f"-{found()[4].sample}.kumitate.json")
    data = Path(waiting.value.path()).read_bytes()
    assert data.decode() == found()[4].text
    assert decode(data).puzzle == found()[4].puzzle


def test_without_webgl_there_is_a_picture_and_the_moves_in_words(show: Show) -> None:
    page = show(made(), NO_WEBGL)
    page.locator("article a").first.click()
    assert soon(page.locator(".fallback img").is_visible)
    page.get_by_label("One step forward").click()
    assert soon(lambda: page.locator(".words span").inner_text().startswith("take apart"))
    assert page.locator(".words b").inner_text().startswith("0 of ")  # that is no move


def test_paper_shows_the_pieces_and_every_step(show: Show) -> None:
    page = show(made())
    page.locator("article a").first.click()
    assert soon(page.locator("canvas").is_visible)
    page.emulate_media(media="print")
    assert page.locator(".paper img").count() == 2
    assert page.locator(".paper").is_visible()
    assert not page.locator("canvas").is_visible()
    assert "slides out" in page.locator(".paper ol").inner_text()


def test_what_a_puzzle_is_called_is_never_markup(show: Show) -> None:
    one = found()[0]
    evil = Puzzle(
        CUBES, one.puzzle.shapes, one.puzzle.problems, title=HURT, comment=HURT, designer=HURT
    )
    page = show(gallery_page(HURT, [one._replace(puzzle=evil)] * 2, 2)[0])
    assert titles(page) == [HURT, HURT]
    page.locator("article a").first.click()
    assert soon(page.locator("canvas").is_visible)
    assert page.evaluate("typeof hurt") == "undefined"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_at_any_size_in_light_and_dark(show: Show, width: int, scheme: str) -> None:
    page = show(made(), viewport={"width": width, "height": 780}, color_scheme=scheme)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) == width
    text, paper = (
        page.locator("article").first.evaluate(f"(e) => getComputedStyle(e).{name}")
        for name in ("color", "backgroundColor")
    )
    lightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (text, paper)]
    assert (lightness[0] < lightness[1]) == (scheme == "light")
    page.locator("article a").first.click()
    assert soon(page.locator("canvas").is_visible)
    assert page.evaluate(wide) == width


# ---- the command ----


@needs_fork
def test_export_writes_a_gallery_of_a_collection(tmp_path: Path) -> None:
    search_into(tmp_path / "cubes.kumitate", Cuts(box(3, 3, 2), 3), limit=3)
    done = run_kumitate(tmp_path, "export", "cubes.kumitate", "--to", "gallery.html")
    assert (done.returncode, done.stdout) == (0, "gallery.html\n")
    text = (tmp_path / "gallery.html").read_text("utf-8")
    [data] = re.findall(r'id="data">(.*?)</script>', text)
    cards = json.loads(data)["cards"]
    assert [card["number"] for card in cards] == [1, 2, 3]
    for before, after in combinations(cards, 2):
        assert (before["level"], before["moves"]) >= (after["level"], after["moves"])
    again = run_kumitate(tmp_path, "export", "cubes.kumitate", "--html")
    assert (tmp_path / "cubes.html").read_text("utf-8") == text.replace("gallery<", "cubes<")
    assert again.stdout == "cubes.html\n"
    best = run_kumitate(tmp_path, "export", "cubes.kumitate/1", "-o", "best.html")
    assert best.returncode == 0
    assert "in 3 pieces" in (tmp_path / "best.html").read_text("utf-8")


@needs_fork
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--width", "300"], "--width has no effect on g.html; it is for .png, .gif, .apng"),
        (["--solution", "1"], "--solution has no effect on g.html; it is for --show steps"),
        (["--problem", "1"], "--problem has no effect on a gallery"),
    ],
)
def test_options_that_would_change_nothing_are_refused(
    tmp_path: Path, words: list[str], told: str
) -> None:
    search_into(tmp_path / "cubes.kumitate", Cuts(box(3, 2, 2), 2), limit=1)
    done = run_kumitate(tmp_path, "export", "cubes.kumitate", "-o", "g.html", *words)
    assert done.returncode == 2
    assert told in done.stderr


@needs_fork
def test_an_empty_collection_has_no_gallery(tmp_path: Path) -> None:
    search_into(tmp_path / "none.kumitate", Cuts(box(3, 3, 3), 2, holes=1), level=9, samples=3)
    done = run_kumitate(tmp_path, "export", "none.kumitate", "-o", "g.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "kumitate: none.kumitate: there is no puzzle 1; 0 were found\n"
