"""New puzzles from the page: a request fills a collection of the folder, in its own process."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.studio.bench import Bench, running

import kumitate
from kumitate.jobs.design import design_into
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.wish import Wish
from kumitate.store import open_collection
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import (
    CollectionData,
    DesignActRequest,
    DesignData,
    DesignRequest,
    DesignsData,
)

SOMA = kumitate.library["soma"]
CUBE = DesignRequest("design", "4x4x4", wish={"pieces": 4, "holes": 1, "unique": True})


def listed(bench: Bench) -> list[DesignData]:
    return bench.get("designs").told(DesignsData).designs


def act(bench: Bench, place: str, what: str) -> DesignData:
    return bench.post("designs/act", DesignActRequest(place, what)).told(DesignData)  # type: ignore[arg-type]


def until(bench: Bench, condition: Callable[[DesignData], bool]) -> DesignData:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        [data] = listed(bench)
        if condition(data):
            return data
        time.sleep(0.1)
    raise AssertionError(listed(bench))


def test_a_design_fills_a_collection_is_paused_resumed_and_outlives_the_server(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as bench:
        assert listed(bench) == []
        begun = bench.post("designs", CUBE).told(DesignData)
        assert begun.place == "folder/4x4x4 in 4 pieces.kumitate"
        found = until(bench, lambda data: data.found > 0)
        assert found.state == "running"
        paused = act(bench, begun.place, "pause")
        assert paused.state == "paused"
        assert begun.what == found.what == paused.what
        assert paused.what == "4x4x4: pieces 4, holes 1, unique, seed 0"
        cards = bench.get("collection", place=begun.place, first="1", count="9")
        assert len(cards.told(CollectionData).cards) == min(9, paused.found)
        again = act(bench, begun.place, "resume")
        assert again.state == "running"
        until(bench, lambda data: data.samples > paused.samples)
    with running(tmp_path) as bench:  # the process has ended at a checkpoint
        [data] = listed(bench)
        assert data.state == "paused"
        assert data.samples >= paused.samples
        assert data.found >= paused.found
    with open_collection(tmp_path / "4x4x4 in 4 pieces.kumitate") as collection:
        collection.verify()
        assert collection.design.wish == Wish(pieces=4, holes=1, unique=True)


def test_names_do_not_collide_and_what_has_a_time_stops(bench: Bench) -> None:
    places = []
    for _ in range(2):
        request = DesignRequest("design", "tray/4x5", wish={"pieces": 4}, seconds=0.2)
        places.append(bench.post("designs", request).told(DesignData).place)
    assert places == [f"folder/4x5 tray with 4 pieces{n}.kumitate" for n in ("", " 2")]
    end = time.monotonic() + 60
    while {data.state for data in listed(bench)} != {"limit"}:
        assert time.monotonic() < end, listed(bench)
        time.sleep(0.1)


def test_puzzles_of_the_page_are_improved_cut_and_chosen_from(bench: Bench) -> None:
    [problem] = SOMA.problems
    loose = [replace(piece, min=0, max=2) for piece in problem.pieces]
    puzzle = puzzle_data(replace(SOMA, problems=[replace(problem, pieces=loose)]))
    whats = {}
    for way, wish in (
        ("improve", {"unique": True}),
        ("cuts", {"pieces": 5}),
        ("pieces", {}),
        ("burrs", {"notchable": True}),
    ):
        request = DesignRequest(way, puzzle=puzzle, wish=wish, seconds=0.1)  # type: ignore[arg-type]
        bench.post("designs", request).told(DesignData)
        [data] = [data for data in listed(bench) if data.place not in whats]
        whats[data.place] = data.what
    assert list(whats) == [
        "folder/Soma cube.kumitate",
        "folder/3x3x3 in 5 pieces.kumitate",
        "folder/Soma cube 2.kumitate",
        "folder/Six-piece burrs.kumitate",
    ]


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (DesignRequest("design", "4x4x4", wish={"pieces": 0}), "pieces"),
        (DesignRequest("design", "4x4x4", wish={"piece": 4}), "unknown: 'piece'"),
        (DesignRequest("design", "4x4x4", wish={"unique": [1]}), "unique: '[1"),
        (DesignRequest("design", "4x4x4", wish={"maximise": ["fun"]}), "cannot maximise 'fun'"),
        (DesignRequest("design", "../x"), "neither a box"),
        (DesignRequest("design"), "there is no goal"),
        (DesignRequest("cuts", "burr6"), "only a box"),
        (DesignRequest("cuts", "4x4x4", wish={"holes": [0, 3]}), "not a range"),
        (DesignRequest("design", puzzle=puzzle_data(SOMA), problem=7), "no such problem"),
        (
            DesignRequest("improve", puzzle=puzzle_data(Puzzle.of(Problem(SOMA.shapes[0], [])))),
            "no pieces",
        ),
    ],
)
def test_what_cannot_be_designed_is_refused_in_a_line(
    bench: Bench, request_: DesignRequest, why: str
) -> None:
    answer = bench.post("designs", request_)
    assert answer.status == 400
    assert why in answer.error["message"]
    assert listed(bench) == []
    assert list(bench.folder.glob("*.kumitate")) == []


def test_a_damaged_collection_is_listed_with_the_reason(bench: Bench) -> None:
    path = bench.folder / "cubes.kumitate"
    design_into(path, "3x3x3", Wish(pieces=3), evaluations=2000)
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(len(data) - 4096))
    [found] = listed(bench)
    assert (found.place, found.state) == ("folder/cubes.kumitate", "failed")
    assert "damaged" in found.message


def test_nothing_outside_the_folder_is_acted_on(bench: Bench) -> None:
    for place in ("folder/../x.kumitate", "folder/none.kumitate", "library/soma", "x"):
        answer = bench.post("designs/act", DesignActRequest(place, "resume"))
        assert answer.status in (400, 404), place
