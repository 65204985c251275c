"""Collections over HTTP: pages of cards, single puzzles, and what is no collection."""

import os
from pathlib import Path
from urllib.parse import parse_qs

import msgspec
import pytest
from tests.studio.bench import Bench

from kumitate.designer import Cuts
from kumitate.files import decode
from kumitate.jobs.design import resume_search, search_into
from kumitate.jobs.solve import solve_into
from kumitate.library import library
from kumitate.model.grids import CUBES
from kumitate.model.shape import Shape
from kumitate.store import open_collection
from kumitate.studio.messages import CollectionData, HomeData, Opened

BOX = Shape(CUBES, {(x, y, z, 0) for x in range(3) for y in range(3) for z in range(2)})


@pytest.fixture
def cubes(bench: Bench) -> Path:
    """A collection of five puzzles in the studio's folder."""
    path = bench.folder / "cubes.kumitate"
    search_into(path, Cuts(BOX, 3), limit=5)
    return path


def test_a_collection_is_read_page_by_page(bench: Bench, cubes: Path) -> None:
    place = "folder/cubes.kumitate"
    pages = [
        bench.get("collection", place=place, first=first, count="2").told(CollectionData)
        for first in ("1", "3", "5", "7")
    ]
    assert [page.total for page in pages] == [5] * 4
    assert [[card.number for card in page.cards] for page in pages] == [[1, 2], [3, 4], [5], []]
    with open_collection(cubes) as collection:
        ranked = [entry.sample for entry in collection.page()]
    assert [card.sample for page in pages for card in page.cards] == ranked


def test_a_puzzle_of_a_collection_is_opened_and_drawn(bench: Bench, cubes: Path) -> None:
    place = "folder/cubes.kumitate"
    [card] = bench.get("collection", place=place, first="2", count="1").told(CollectionData).cards
    one = f"{place}/sample {card.sample}"
    opened = bench.get("puzzle", place=one).told(Opened)
    assert opened.puzzle.title == card.title
    assert not opened.writable
    content = msgspec.json.decode(bench.get("collection/puzzle", place=one).body)
    assert len(content["scene"]["bodies"]) == 3
    assert content["pieces"].startswith("<svg")
    assert decode(content["file"].encode()).puzzle.title == card.title
    drawn = bench.ask("GET", f"/api/{card.picture}")
    assert drawn.body.startswith(b"<svg")
    assert "immutable" in drawn.headers["cache-control"]
    [where] = parse_qs(card.picture.partition("?")[2])["place"]
    assert where == one


def test_home_lists_collections_and_leaves_runs_out(bench: Bench, cubes: Path) -> None:
    solve_into(bench.folder / "run.kumitate", library["soma"], limit=1)
    (bench.folder / "text.kumitate").write_text("no database")
    [card] = bench.get("home").told(HomeData).folder
    assert (card.place, card.title, card.collection) == ("folder/cubes.kumitate", "cubes", True)
    assert card.known.startswith("5 puzzles, level ")
    resume_search(cubes, limit=6)
    os.utime(cubes)
    [card] = bench.get("home").told(HomeData).folder
    assert card.known.startswith("6 puzzles, level ")


def test_a_damaged_collection_says_so(bench: Bench, cubes: Path) -> None:
    data = bytearray(cubes.read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    cubes.write_bytes(data)
    [card] = bench.get("home").told(HomeData).folder
    assert "damaged" in card.error
    told = bench.get("collection", place="folder/cubes.kumitate", first="1", count="9").error
    assert "damaged" in told["message"]


def test_a_dropped_collection_says_where_it_belongs(bench: Bench, cubes: Path) -> None:
    answer = bench.ask("POST", "/api/import?name=cubes.kumitate", cubes.read_bytes())
    assert answer.status == 400
    assert "move it to the folder that the studio serves" in answer.error["message"]


@pytest.mark.parametrize(
    ("place", "status", "told"),
    [
        ("folder/../cubes.kumitate", 400, "not a valid name"),
        ("folder/.cubes.kumitate", 400, "not a valid name"),
        ("folder/none.kumitate", 404, "does not exist"),
        ("folder/soma.json", 400, "is not a collection"),
        ("library/cubes.kumitate", 404, "there is no collection"),
        ("folder/text.kumitate", 400, "not a collection"),
    ],
)
def test_what_is_no_collection_is_refused(bench: Bench, place: str, status: int, told: str) -> None:
    (bench.folder / "text.kumitate").write_text("no database")
    answer = bench.get("collection", place=place, first="1", count="9")
    assert answer.status == status
    assert told in answer.error["message"]


@pytest.mark.parametrize(
    "sample", ["sample 999999", "sample 0", "sample -1", "sample 99999999999999999999", "1", ""]
)
def test_a_sample_without_a_puzzle_is_refused(bench: Bench, cubes: Path, sample: str) -> None:
    answer = bench.get("puzzle", place=f"folder/cubes.kumitate/{sample}")
    assert answer.status in (400, 404)
    answer = bench.get("collection/puzzle", place=f"folder/cubes.kumitate/{sample}")
    assert answer.status == 404


@pytest.mark.parametrize(("first", "count"), [("0", "1"), ("-1", "1"), ("x", "1"), ("1", "9" * 20)])
def test_numbers_that_make_no_sense_are_refused(
    bench: Bench, cubes: Path, first: str, count: str
) -> None:
    answer = bench.get("collection", place="folder/cubes.kumitate", first=first, count=count)
    assert answer.status == 400
    assert "must be a whole number" in answer.error["message"]
