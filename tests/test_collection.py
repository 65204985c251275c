"""Collections on disk: the best first, each puzzle a file of its own, and files that are others."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.forgery import forge

import kumitate
from kumitate import PuzzleError
from kumitate.burr6 import Burrs
from kumitate.jobs.design import resume_search, search_into
from kumitate.store import (
    Collection,
    Entry,
    Report,
    SearchQuestion,
    create_collection,
    is_collection,
    is_run,
    open_collection,
    recover,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "found.kumitate"


@pytest.fixture
def burrs(path: Path) -> Iterator[Collection]:
    search_into(path, Burrs("solid"), samples=400)
    with open_collection(path) as collection:
        yield collection


def entry(sample: int, level: int, moves: int, pieces: str = "") -> Entry:
    return Entry(sample, level, moves, str(level), pieces or str(sample), "{}")


def blank(path: Path) -> Collection:
    """A collection to write made up reports into."""
    create_collection(path, None, SearchQuestion(burr="all"), "")
    return open_collection(path)


def test_a_puzzle_of_a_collection_is_one_with_its_solution(burrs: Collection) -> None:
    assert len(burrs) > 5
    for number, kept in enumerate(burrs.page(1, 5), 1):
        document = burrs.document(number)
        [answers] = document.answers
        assert answers
        assert (answers.solution_count, answers.complete) == (1, True)
        [solution] = answers.solutions
        assert kumitate.referee.assembly_faults(solution.assembly) == []
        assert solution.disassembly
        assert kumitate.referee.disassembly_faults(solution.assembly, solution.disassembly) == []
        assert str(solution.levels) == kept.levels
        assert document.puzzle.comment.endswith(f"seed 0, sample {kept.sample}.")
    for wrong in (0, -1, len(burrs) + 1):
        with pytest.raises(PuzzleError, match=f"there is no puzzle {wrong}; {len(burrs)} were"):
            burrs.document(wrong)


def test_the_best_come_first(path: Path) -> None:
    """By level, then by moves in total, then the first that was found."""
    ranks = [(1, 5), (3, 5), (2, 9), (3, 7), (3, 5), (1, 6)]
    found = [entry(sample, *rank) for sample, rank in enumerate(ranks, 1)]
    with blank(path) as collection:
        collection.begin(None, None)
        told = collection.commit([Report(1, ["found"] * 6, found)], 1.5, "paused")
        assert [kept.sample for kept in collection.page()] == [4, 2, 5, 3, 6, 1]
        assert [kept.sample for kept in collection.page(3, 2)] == [5, 3]
    assert (told.best, told.found, told.seconds, told.state) == ("3", 6, 1.5, "paused")


def test_the_same_pieces_are_kept_once(path: Path) -> None:
    with blank(path) as collection:
        collection.begin(None, None)
        first = Report(1, ["found", "easy", "found"], [entry(1, 2, 2, "x"), entry(3, 2, 2, "x")])
        collection.commit([first], 0, "running")
        told = collection.commit([Report(4, ["found"], [entry(4, 2, 2, "x")])], 0, "running")
        assert [kept.sample for kept in collection.page()] == [1]
    assert (told.samples, told.found, told.endings) == (4, 1, {"again": 2, "easy": 1})


@pytest.mark.parametrize(
    ("limits", "samples", "found"),
    [((4, None), 4, 2), ((None, 2), 3, 2), ((None, 3), 5, 3), ((5, 2), 3, 2)],
)
def test_a_checkpoint_ends_at_the_limit(
    path: Path, limits: tuple[int | None, int | None], samples: int, found: int
) -> None:
    endings = ["found", "easy", "found", "none", "found", "easy"]
    entries = [entry(sample, 1, 1) for sample in (1, 3, 5)]
    with blank(path) as collection:
        collection.begin(*limits)
        told = collection.commit([Report(1, endings, entries)], 0, "running")
        assert (told.state, told.samples, told.found, len(collection)) == (
            "limit",
            samples,
            found,
            found,
        )


def test_a_checkpoint_is_there_wholly_or_not_at_all(path: Path) -> None:
    with blank(path) as collection:
        collection.begin(None, None)
        collection.commit([Report(1, ["easy"], [])], 0, "running")
        [(pages,)] = collection.rows("PRAGMA page_count")
        collection.rows(f"PRAGMA max_page_count = {pages + 1}")
        large = [Entry(n, 1, 1, "1", str(n), "x" * 5000) for n in range(2, 50)]
        with pytest.raises(PuzzleError, match="then resume with kumitate search --resume "):
            collection.commit([Report(2, ["found"] * 48, large)], 0, "running")
    with open_collection(path) as collection:
        assert (collection.summary().samples, len(collection)) == (1, 0)


def test_a_collection_is_no_run_and_a_run_no_collection(burrs: Collection, tmp_path: Path) -> None:
    run = tmp_path / "soma.kumitate"
    kumitate.solve_into(run, kumitate.library["soma"], limit=1)
    assert (is_run(run), is_collection(run)) == (True, False)
    assert (is_run(burrs.path), is_collection(burrs.path)) == (False, True)
    with pytest.raises(PuzzleError, match="not a kumitate run, but another SQLite file"):
        kumitate.open_run(burrs.path)
    with pytest.raises(PuzzleError, match="not a kumitate collection, but another SQLite file"):
        open_collection(run)
    run.write_bytes(b"{}")
    makers = "'kumitate search PUZZLE --output FILE' or 'kumitate design GOAL --output FILE' makes"
    with pytest.raises(PuzzleError, match=f"not a kumitate collection: {makers} one"):
        open_collection(run)
    with pytest.raises(PuzzleError, match="no such file"):
        open_collection(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE collection SET options = '{\"burr\": 5}'",
        "UPDATE collection SET options = 'no JSON'",
        "UPDATE collection SET options = x'00'",
        "UPDATE collection SET puzzle = x'00'",
        "DELETE FROM collection",
    ],
)
def test_a_damaged_collection_is_one_line(path: Path, statement: str) -> None:
    blank(path).close()
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    with pytest.raises(
        PuzzleError, match=r"found.kumitate: damaged: .* nothing can be recovered, since"
    ):
        open_collection(path)


def test_options_of_another_kumitate_are_one_line(path: Path) -> None:
    blank(path).close()
    forge(path, 'UPDATE collection SET options = \'{"type": "design", "goal": 5}\'')
    with pytest.raises(PuzzleError, match=r"found.kumitate: its options cannot be read: Expected"):
        open_collection(path)


def as_version_1(path: Path) -> None:
    """Make a file what it was before puzzles had scores, and before there were designs."""
    forge(
        path,
        "DROP INDEX by_score",
        "ALTER TABLE puzzle DROP COLUMN score",
        "CREATE INDEX by_level ON puzzle (level DESC, moves DESC, sample)",
        "UPDATE collection SET options = json_remove(options, '$.type')",
        "PRAGMA user_version = 1",
    )


def test_a_collection_of_version_1_is_read_resumed_and_recovered(path: Path) -> None:
    search_into(path, Burrs("solid"), samples=600)
    with open_collection(path) as collection:
        whole = collection.page()
    search_into(path, Burrs("solid"), samples=400)
    with open_collection(path) as collection:
        part = collection.page()
    assert len(whole) > len(part) > 5
    as_version_1(path)
    with open_collection(path) as collection:
        collection.verify()
        assert collection.page() == part
        assert collection.rows("PRAGMA user_version") == [(1,)]
    saved = path.with_name("saved.kumitate")
    assert recover(path, saved).kept == len(part)
    for one in (path, saved):
        resume_search(one, samples=600)
        with open_collection(one) as collection:
            collection.verify()
            assert collection.page() == whole
            assert collection.rows("PRAGMA user_version") == [(2,)]


def test_a_newer_collection_is_refused(burrs: Collection) -> None:
    connection = sqlite3.connect(burrs.path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(PuzzleError, match="a collection of version 99, made by another version"):
        open_collection(burrs.path)
