"""All runs of a folder with their sizes, and where the puzzle of each is."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.studio.bench import Bench, running
from tests.studio.served import studio

import kumitate
from kumitate.files import write
from kumitate.files.document import Document
from kumitate.model.puzzle import Puzzle
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import (
    Opened,
    RunData,
    SearchesData,
    SolveOptions,
    SolveRequest,
    WhereData,
)
from kumitate.studio.serve import runs

SOMA = kumitate.library["soma"]
CUBE = kumitate.library["diabolical-cube"]


def solved(bench: Bench, puzzle: Puzzle, problem: int = 0) -> RunData:
    """A run of a puzzle that stops at its first assembly."""
    options = SolveOptions(limit=1)
    return bench.post("runs", SolveRequest(puzzle_data(puzzle), problem, options)).told(RunData)


def where(bench: Bench, run: RunData) -> WhereData:
    return bench.get(f"runs/{run.id}/where").told(WhereData)


def test_all_runs_are_listed_with_their_sizes_until_they_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with studio(tmp_path) as served:
        assert served.get(SearchesData, "GET", "runs") == SearchesData([])
        first = served.done(served.solve(SOMA))
        second = served.done(served.solve(CUBE))
        (served.runs.folder / "notes.kumitate").write_text("not a run")
        told = served.get(SearchesData, "GET", "runs")
        assert [search.run for search in told.searches] == [second, first]
        for search in told.searches:
            files = served.runs.folder.glob(f"{search.run.id}.kumitate*")
            assert search.size == sum(file.stat().st_size for file in files) > 0
        assert told.size == sum(search.size for search in told.searches)
        monkeypatch.setattr(runs, "MOST_LISTED", 1)
        few = served.get(SearchesData, "GET", "runs")
        assert (len(few.searches), few.more, few.size) == (1, 1, told.size)
        served.drop(second)
        assert [search.run for search in served.get(SearchesData, "GET", "runs").searches] == [
            first
        ]


def test_a_run_opens_its_puzzle_in_the_gallery_or_as_the_run_has_it(tmp_path: Path) -> None:
    with running(tmp_path) as bench:
        assert where(bench, solved(bench, SOMA)) == WhereData("library/soma", 0)
        changed = Puzzle.of(replace(CUBE.problems[0], name="cube"))
        run = solved(bench, replace(changed, title="my cube"))
        alone = where(bench, run)
        assert alone == WhereData(f"run/{run.id}", 0)
        opened = bench.get("puzzle", place=alone.place).told(Opened)
        assert (opened.puzzle.title, opened.writable, opened.place) == (
            "my cube",
            False,
            alone.place,
        )
        write(Document(replace(changed, title="my cube")), tmp_path / "my.kumitate.json")
        assert where(bench, run) == WhereData("folder/my.kumitate.json", 0)


def test_the_puzzle_of_a_run_that_is_gone_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as bench:
        for name in ("0" * 16 + "-" + "0" * 8, "..%2Fx", "x"):
            assert bench.get(f"runs/{name}/where").status == 404
        assert bench.get("puzzle", place="run/../x").error["reason"] == "missing"
