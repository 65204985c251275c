"""Drafts lie in the folder's hidden store, and no tab overwrites another's."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.studio.bench import Bench, running

from kumitate import library
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Puzzle
from kumitate.model.shape import Shape
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import DraftCard, DraftData, DraftRequest, DraftsData
from kumitate.studio.serve.drafts import FOLDER
from kumitate.studio.serve.folder import STORE


def draft(title: str = "mine", **fields: Any) -> DraftRequest:
    puzzle = msgspec.structs.replace(puzzle_data(library["soma"]), title=title)
    settings = {"place": "folder/soma.kumitate.json", "version": "v1", "writable": True}
    return DraftRequest(**{**settings, "puzzle": puzzle, "time": 1, "tab": "one", **fields})


def keep(bench: Bench, id: str, request: DraftRequest) -> DraftCard:
    return bench.ask("PUT", f"/api/drafts/{id}", request).told(DraftCard)


def titles(bench: Bench) -> list[str]:
    return [card.title for card in bench.get("drafts").told(DraftsData).drafts]


def test_a_draft_is_found_again_by_a_server_at_another_port(tmp_path: Path) -> None:
    with running(tmp_path) as bench:
        keep(bench, "a1", draft("older", time=5))
        keep(bench, "b2", draft("newer", time=7, place=""))
    with running(tmp_path) as bench:
        assert titles(bench) == ["newer", "older"]
        found = bench.get("drafts/a1").told(DraftData)
        assert (found.opened.puzzle.title, found.opened.version, found.tab) == (
            "older",
            "v1",
            "one",
        )
        assert found.opened.grid.name == "cubes"


def test_only_who_knows_the_owner_takes_a_draft_over(bench: Bench) -> None:
    keep(bench, "a1", draft("one"))
    keep(bench, "a1", draft("one again"))
    refused = bench.ask("PUT", "/api/drafts/a1", draft("two", tab="two"))
    assert refused.error["reason"] == "conflict"
    assert titles(bench) == ["one again"]
    keep(bench, "a1", draft("two", tab="two", before="one"))
    late = bench.ask("PUT", "/api/drafts/a1", draft("late", tab="one"))
    assert late.error["reason"] == "conflict"
    assert titles(bench) == ["two"]


def test_what_was_saved_or_discarded_is_gone(bench: Bench) -> None:
    keep(bench, "a1", draft())
    for _ in range(2):  # twice does no harm
        assert bench.ask("DELETE", "/api/drafts/a1").status == 200
    assert bench.get("drafts/a1").error["reason"] == "missing"
    assert titles(bench) == []


def test_a_damaged_draft_is_left_out_and_written_over(bench: Bench) -> None:
    keep(bench, "a1", draft("good"))
    drafts = bench.folder / STORE / FOLDER
    (drafts / "bad.json").write_text('{"place": "", "puzz')
    (drafts / "notes.txt").write_text("hello")
    (drafts / "folder.json").mkdir()
    assert titles(bench) == ["good"]
    assert "cannot be read" in bench.get("drafts/bad").error["message"]
    keep(bench, "bad", draft("better", tab="two"))
    assert sorted(titles(bench)) == ["better", "good"]


@pytest.mark.parametrize("id", ["..%2Fx", "%2e%2e", "A", "a" * 33, ".hidden", "a.json"])
def test_the_name_of_a_draft_leads_nowhere_else(bench: Bench, id: str) -> None:
    assert bench.ask("PUT", f"/api/drafts/{id}", draft()).status in (404, 405)
    assert not list(bench.folder.rglob("*.json"))


def test_a_draft_of_no_known_grid_is_rejected(bench: Bench) -> None:
    odd = draft()
    odd.puzzle.grid = "no such grid"
    assert bench.ask("PUT", "/api/drafts/a1", odd).status == 400
    assert titles(bench) == []


def test_a_draft_on_a_grid_of_the_users_own_is_opened(bench: Bench) -> None:
    mine = replace(CUBES, name="my cubes")
    request = draft()
    request.puzzle = puzzle_data(Puzzle(mine, [Shape(mine, {(0, 0, 0, 0)})], []))
    assert keep(bench, "a1", request).grid == "my cubes"
    assert bench.get("drafts/a1").told(DraftData).opened.grid.name == "my cubes"
