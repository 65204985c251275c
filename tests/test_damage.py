"""Damaged runs and collections: what is read from them is right, or they are refused in one line.

KUMITATE_SOAK=N damages each file N times, in ways that nobody has seen before.
"""

import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.forgery import forge

import kumitate
from kumitate import PuzzleError, open_run
from kumitate.burr6 import Burrs
from kumitate.jobs.design import resume_search, search_into
from kumitate.store import Order, open_collection, recover, remove
from kumitate.store.index import Index
from kumitate.store.plain_index import Choice

TIMES = int(os.environ.get("KUMITATE_SOAK") or 60)
SEED = time.time_ns() if "KUMITATE_SOAK" in os.environ else 15
PAGE = 4096
MANY = 10_000  # more than there are

Told = tuple[Any, ...]


def damages(data: bytes, times: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """A bit or a byte changed, a page zeroed or swapped with another, the rest cut off."""
    chance, pages = random.Random(seed), len(data) // PAGE
    for _ in range(times):
        made, at = bytearray(data), chance.randrange(len(data))
        kind = chance.choice(["bit", "bit", "byte", "zeros", "cut", "swap"])
        if kind == "bit":
            made[at] ^= 1 << chance.randrange(8)
        elif kind == "byte":
            made[at] = chance.randrange(256)
        elif kind == "cut":
            del made[at:]
        else:
            one, two = (PAGE * chance.randrange(pages) for _ in range(2))
            first, second = data[one : one + PAGE], data[two : two + PAGE]
            made[one : one + PAGE] = bytes(PAGE) if kind == "zeros" else second
            if kind == "swap":
                made[two : two + PAGE] = first
        yield f"{kind} at {at}, seed {seed}", bytes(made)


def fate(look: Callable[[Path], Told], path: Path, data: bytes) -> Told | None:
    """What a damaged file says, or None if it is refused in one line."""
    remove(path)
    path.write_bytes(data)
    try:
        return look(path)
    except PuzzleError as error:
        line = str(error)
    assert "\n" not in line
    assert line.startswith(str(path))
    return None


# ---- runs ----

SOMA, BURRS = kumitate.library["soma"], kumitate.library["six-piece-burr"]

RUNS: list[tuple[kumitate.Puzzle, dict[str, Any]]] = [
    (SOMA, {"limit": 100}),
    (BURRS, {"limit": 150, "disassemble": True}),
    (BURRS, {"limit": 150, "disassemble": True, "keep": "best:40"}),
]


def everything(path: Path) -> Told:
    """All that can be read from a run, each in every way."""
    with open_run(path) as run:
        told, index = run.summary(), Index(run)
        orders = ["found", "level", "moves"] if run.options.disassemble else ["found"]
        pages = [run.page(1, MANY, order) for order in orders]  # type: ignore[arg-type]
        chosen = index.choose(run, Choice(order="level", min_level=1))
        rows = index.rows(run, range(1, len(run) + 1))
        return told, pages, list(chosen), index.cells(run), rows


def to_the_end(path: Path) -> Told:
    told = kumitate.resume(path, limit=MANY)
    with open_run(path) as run:
        kept = sorted(tuple(solution.assembly.placements) for solution in run)
    return told.assemblies, told.solutions, told.levels, told.rotations, told.kept, kept


@pytest.mark.parametrize(("puzzle", "options"), RUNS)
def test_a_damaged_run_is_right_or_refused(
    tmp_path: Path, puzzle: kumitate.Puzzle, options: dict[str, Any]
) -> None:
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    kumitate.solve_into(path, puzzle, **options)
    data, truth = path.read_bytes(), everything(path)
    assemblies = {solution.assembly.placements for solution in truth[1][0]}
    end = to_the_end(path)
    refused = saved = 0
    for what, made in damages(data, TIMES, SEED):
        assert fate(everything, path, made) in (truth, None), what
        ended = fate(to_the_end, path, made)
        assert ended in (end, None), what
        if ended is None:
            refused += 1
            saved += fate(partial(saves, new, assemblies, truth[0]), path, made) is not None
    assert refused > TIMES / 4
    assert saved > TIMES / 8


def saves(new: Path, assemblies: set[Any], truth: kumitate.store.Summary, path: Path) -> Told:
    """What is recovered is true, and claims no more than it knows."""
    before = path.read_bytes()
    remove(new)
    kept, lost, state = recover(path, new)
    assert path.read_bytes() == before
    with open_run(new) as run:
        run.verify()
        told = run.summary()
        found = [solution.assembly.placements for solution in run]
    assert len(found) == len(set(found)) == kept == told.kept
    assert set(found) <= assemblies
    assert lost in (None, truth.kept - kept)
    assert state == told.state != "done"
    assert told.assemblies <= truth.assemblies
    assert told.state == "recovered" or told.assemblies == truth.assemblies
    return kept, lost


# ---- collections ----


def all_puzzles(path: Path) -> Told:
    with open_collection(path) as collection:
        collection.verify()
        return collection.summary(), collection.page(1, MANY)


def more_puzzles(path: Path) -> Told:
    told = resume_search(path, samples=240)
    return told.samples, told.found, told.endings, told.best


def test_a_damaged_collection_is_right_or_refused(tmp_path: Path) -> None:
    path, new = tmp_path / "found.kumitate", tmp_path / "new.kumitate"
    search_into(path, Burrs("solid"), samples=200)
    data, truth = path.read_bytes(), all_puzzles(path)
    end = more_puzzles(path)
    refused = saved = 0
    for what, made in damages(data, TIMES, SEED):
        seen = fate(all_puzzles, path, made)
        assert seen in (truth, None), what
        if seen is None:
            refused += 1
            saved += fate(partial(saves_puzzles, new, truth), path, made) is not None
            continue
        assert fate(more_puzzles, path, made) == end, what
    assert refused > TIMES / 4
    assert saved > TIMES / 8


def saves_puzzles(new: Path, truth: Told, path: Path) -> Told:
    remove(new)
    kept, lost, state = recover(path, new)
    with open_collection(new) as collection:
        collection.verify()
        told, entries = collection.summary(), collection.page(1, MANY)
    assert len(entries) == kept == told.found
    assert all(entry in truth[1] for entry in entries)
    assert lost in (None, truth[0].found - kept)
    assert (state == "recovered") == (told.state == "recovered")
    assert told.samples == truth[0].samples or state == "recovered"
    return kept, lost


# ---- what a sum of a row cannot show ----


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM task",
        "UPDATE task SET share = share / 2",
        "DELETE FROM tally WHERE levels = '1'",
        "UPDATE tally SET amount = amount + 1 WHERE levels = '1'",
        "DELETE FROM rank WHERE level = 1",
        "DELETE FROM solution WHERE number = 7",
        "UPDATE solution SET number = 1000 WHERE number = 7",
        "DELETE FROM checkpoint",
        "UPDATE checkpoint SET kept = kept - 1",
        "UPDATE checkpoint SET tasks = 0",
    ],
)
def test_a_row_too_many_or_too_few_is_noticed(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, BURRS, disassemble=True, limit=100)
    forge(path, statement)
    with open_run(path) as run, pytest.raises(PuzzleError, match=r"run.kumitate: damaged: "):
        run.verify()
    with pytest.raises(PuzzleError, match=r"run.kumitate: damaged: "):
        kumitate.resume(path, limit=1000)


@pytest.mark.parametrize(
    ("statement", "order"),
    [
        ("DELETE FROM rank WHERE level = 1 AND moves = 5", "level"),
        ("DELETE FROM solution WHERE number = 7", "found"),
        ("DELETE FROM solution WHERE number = 100", "found"),
        ("DELETE FROM solution WHERE number = 7", "level"),
        ("UPDATE solution SET nth = 1000 WHERE number = 7", "moves"),
    ],
)
def test_a_page_with_a_row_missing_is_refused(tmp_path: Path, statement: str, order: Order) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, BURRS, disassemble=True, limit=100)
    forge(path, statement)
    with open_run(path) as run, pytest.raises(PuzzleError, match=r"run.kumitate: damaged: "):
        run.page(1, MANY, order)


@pytest.mark.parametrize("first", [1, 1025, 2049])
def test_assemblies_that_are_missing_are_noticed(tmp_path: Path, first: int) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["pentominoes/6x10"])
    forge(path, f"DELETE FROM assembly WHERE first = {first}")
    with open_run(path) as run:
        for some in ((1, MANY), (first, 1), (first + 5, 10), (max(1, first - 5), 10)):
            with pytest.raises(PuzzleError, match="damaged: assemblies are missing"):
                run.page(*some)
        with pytest.raises(PuzzleError, match="damaged: answers are missing"):
            run.verify()


def test_recovery_is_offered_only_if_there_is_something_to_recover(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["soma"])  # 240 assemblies in one row
    connection = sqlite3.connect(path)
    connection.execute("UPDATE assembly SET names = zeroblob(length(names))")
    connection.commit()
    connection.close()
    with open_run(path) as run:
        with pytest.raises(PuzzleError, match="saves its counts, but no answ"):
            run.verify()
        run.rows("DELETE FROM checkpoint")
    with open_run(path) as run, pytest.raises(PuzzleError, match="none of its answers are intact"):
        run.verify()


def test_puzzles_of_a_collection_that_are_missing_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "found.kumitate"
    search_into(path, Burrs("solid"), samples=200)
    forge(path, "DELETE FROM puzzle WHERE sample = (SELECT max(sample) FROM puzzle)")
    with open_collection(path) as collection:
        with pytest.raises(PuzzleError, match="damaged: puzzles are missing"):
            collection.page()
        with pytest.raises(PuzzleError, match="damaged: puzzles are missing"):
            collection.verify()
    forge(path, "UPDATE tally SET amount = amount + 1 WHERE ending = 'locked'")
    with open_collection(path) as collection, pytest.raises(PuzzleError, match="do not add up"):
        collection.summary()


def test_what_sqlite_finds_is_refused_before_more_is_written(tmp_path: Path) -> None:
    """An index may disagree with its table though every row is as it was written."""
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, BURRS, disassemble=True, limit=100)
    connection = sqlite3.connect(path)
    [(root,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'by_rank'")
    connection.close()
    data = bytearray(path.read_bytes())
    data[PAGE * (root - 1) + 3 : PAGE * (root - 1) + 5] = bytes(2)  # it has no cells
    path.write_bytes(data)
    with pytest.raises(PuzzleError, match=r"damaged: .*saves 100 intact answers$"):
        kumitate.resume(path, limit=1000)
    assert path.read_bytes() == data


def test_a_row_in_the_place_of_another_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["pentominoes/6x10"])
    with open_run(path) as run:
        names = "(SELECT names FROM assembly WHERE first = 1025)"
        run.rows(f"UPDATE assembly SET names = {names} WHERE first = 1")
        assert len(run.page(1025, 10)) == 10
        with pytest.raises(PuzzleError, match="a row of table assembly was changed; kumitate show"):
            run.page(1, 10)
    with pytest.raises(PuzzleError, match=r"saves 1,315 intact answers$"):
        kumitate.resume(path)


# ---- recovering ----


def test_a_search_goes_on_without_the_answers_that_were_lost(tmp_path: Path) -> None:
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    kumitate.solve_into(path, BURRS, disassemble=True, limit=100)
    with open_run(path) as run:
        run.rows("UPDATE solution SET names = zeroblob(12) WHERE number IN (3, 50)")
    assert recover(path, new) == (98, 2, "limit")
    with open_run(new) as run:
        told = run.summary()
        assert (told.solutions, told.kept, told.lost) == (100, 98, 2)
        numbers = [solution.solution_number for solution in run]
        assert numbers == [n for n in range(1, 101) if n not in (3, 50)]
    told = kumitate.resume(new, limit=MANY)
    assert (told.state, told.assemblies, told.solutions, told.kept) == ("recovered", 588, 179, 177)
    assert told.levels == {"1.2": 31, "1": 148}
    with open_run(new) as run:
        assert run.document().answers[0].complete is False  # type: ignore[union-attr]
    with pytest.raises(PuzzleError, match="recovered from a damaged run, so it cannot be res"):
        kumitate.resume(new)


def test_what_only_the_log_has_is_recovered_too(tmp_path: Path) -> None:
    """As after a kill: the last checkpoints are in the file's log."""
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    kumitate.solve_into(path, SOMA, limit=10)
    copy = tmp_path / "copy.kumitate"
    with open_run(path) as reader:
        reader.rows("BEGIN")
        reader.rows("SELECT * FROM checkpoint")  # so that the log cannot be written back
        kumitate.resume(path, limit=200)
        for end in ("", "-wal"):
            (tmp_path / f"copy.kumitate{end}").write_bytes(Path(f"{path}{end}").read_bytes())
    assert recover(copy, new) == (200, 0, "limit")
    assert kumitate.resume(new, limit=MANY).assemblies == 240


def test_what_was_never_a_run_is_not_recovered(tmp_path: Path) -> None:
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    with pytest.raises(PuzzleError, match="no such file"):
        recover(path, new)
    for content in (b"", b"{}", bytes(PAGE), b"\x0d" + b"\xff" * PAGE):
        path.write_bytes(content)
        with pytest.raises(PuzzleError, match=r"run.kumitate: nothing can be recovered"):
            recover(path, new)
    assert not new.exists()


def test_the_numbers_of_assemblies_are_unknown_once_some_are_lost(tmp_path: Path) -> None:
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    kumitate.solve_into(path, kumitate.library["pentominoes/6x10"])
    with open_run(path) as run:
        run.rows("UPDATE assembly SET names = zeroblob(9) WHERE first = 1")
    assert recover(path, new) == (1315, 1024, "recovered")
    with open_run(new) as run:
        told = run.summary()
        assert (told.assemblies, told.kept, told.lost) == (2339, 1315, 1024)
        assert {solution.assembly_number for solution in run} == {0}
    with open_run(path) as run:
        run.rows("UPDATE assembly SET names = zeroblob(9) WHERE first = 1025")
    remove(new)
    assert recover(path, new) == (291, 2048, "recovered")


def test_a_search_that_has_lost_its_place_is_not_resumed(tmp_path: Path) -> None:
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    kumitate.solve_into(path, SOMA, limit=100)
    with open_run(path) as run:
        run.rows("UPDATE task SET known = known + 1")
    assert recover(path, new) == (100, 0, "recovered")
    with open_run(new) as run:
        run.verify()
        assert [s.assembly_number for s in run] == list(range(1, 101))
    with pytest.raises(PuzzleError, match="so it cannot be resumed"):
        kumitate.resume(new, limit=1000)


def test_without_a_checkpoint_there_are_at_least_the_answers_saved(tmp_path: Path) -> None:
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    kumitate.solve_into(path, BURRS, disassemble=True, max_states=3)
    with open_run(path) as run:
        whole = run.summary()
        run.rows("UPDATE checkpoint SET assemblies = 1")
    assert recover(path, new) == (whole.kept, None, "recovered")
    with open_run(new) as run:
        run.verify()
        told = run.summary()
    assert (told.solutions, told.given_up, told.levels) == (
        whole.solutions,
        whole.given_up,
        whole.levels,
    )
    assert (told.assemblies, told.rigid, told.lost) == (whole.kept, 0, None)


def test_what_was_deleted_is_not_recovered(tmp_path: Path) -> None:
    """Though it still lies in pages that are free again."""
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    kumitate.solve_into(path, BURRS, disassemble=True)
    with open_run(path) as run:
        run.rows("PRAGMA secure_delete = OFF")
        run.rows("DELETE FROM solution")
        assert run.rows("PRAGMA freelist_count") > [(3,)]
    assert recover(path, new) == (0, 179, "recovered")


def test_of_the_log_only_what_was_committed_is_recovered(tmp_path: Path) -> None:
    path, copy, new = (tmp_path / f"{name}.kumitate" for name in ("run", "copy", "new"))
    kumitate.solve_into(path, SOMA, limit=10)
    with open_run(path) as reader:
        reader.rows("BEGIN")
        reader.rows("SELECT * FROM checkpoint")
        kumitate.resume(path, limit=200)
        data, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    older = b"".join(
        number.to_bytes(4) + (99).to_bytes(4) + bytes(16) + bytes(PAGE) for number in range(1, 40)
    )
    for made, wanted in (
        (log[: -PAGE - 24], (10, 0, "paused")),  # the last commit was not
        (log + older, (200, 0, "limit")),  # followed by what an earlier log has left
    ):
        copy.write_bytes(data)
        Path(f"{copy}-wal").write_bytes(made)
        remove(new)
        assert recover(copy, new) == wanted
        with open_run(copy) as run:
            assert len(run) == wanted[0]  # by SQLite's own account
        remove(copy)


def test_a_collection_goes_on_without_the_puzzles_that_were_lost(tmp_path: Path) -> None:
    path, new = tmp_path / "found.kumitate", tmp_path / "new.kumitate"
    whole = search_into(path, Burrs("solid"), samples=200)
    with open_collection(path) as collection:
        last = "(SELECT max(sample) FROM puzzle)"
        collection.rows(f"UPDATE puzzle SET level = 9 WHERE sample = {last}")
    assert recover(path, new) == (whole.found - 1, 1, "limit")
    told = resume_search(new, samples=240)
    again = search_into(tmp_path / "again.kumitate", Burrs("solid"), samples=240)
    assert (told.samples, told.lost, told.endings.pop("lost")) == (240, 1, 1)
    assert (told.found + 1, told.endings) == (again.found, again.endings)
