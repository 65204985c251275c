"""Runs on disk: pages in any order, versions, and files that are not what they seem."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import msgspec
import pytest

import kumitate
from kumitate import Disassembly, Move, PuzzleError, Rotation, Solution
from kumitate.model.route import Pose
from kumitate.model.table import PackedRows, unpack
from kumitate.store import (
    Batch,
    FoundAssembly,
    Keep,
    Recorder,
    Run,
    is_run,
    open_run,
    recover,
)
from kumitate.store.schema import pack_tree, unpack_levels, unpack_tree, width_for

NOTHING = PackedRows(b"", 0, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.kumitate"


@pytest.fixture
def burrs(path: Path) -> Iterator[Run]:
    kumitate.solve_into(path, kumitate.library["six-piece-burr"], disassemble=True)
    with open_run(path) as run:
        yield run


def change(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


# ---- pages ----


def rank(solution: Solution) -> tuple[int, int]:
    return (solution.levels.moves, solution.levels.total) if solution.levels else (0, 0)


@pytest.mark.parametrize("size", [1, 7, 50, 1000])
def test_pages_of_any_size_are_the_whole_in_order(burrs: Run, size: int) -> None:
    for order in ("found", "level", "moves"):
        firsts = range(1, len(burrs) + 1, size)
        whole = [solution for first in firsts for solution in burrs.page(first, size, order)]
        assert len(whole) == len(set(map(id, whole))) == 179
        assert {s.assembly for s in whole} == {s.assembly for s in burrs}
        if order == "found":
            assert [s.solution_number for s in whole] == list(range(1, 180))
        else:
            ranks = [rank(s) if order == "level" else rank(s)[::-1] for s in whole]
            assert ranks == sorted(ranks, reverse=True)
    assert burrs.page(180) == []


def test_a_page_is_found_by_its_place_and_not_by_counting(burrs: Run) -> None:
    """SQLite's own account of what it does: it searches by key, and never scans."""
    seen: list[str] = []
    burrs.connection.set_trace_callback(seen.append)
    for order in ("found", "level", "moves"):
        burrs.page(100, 50, order)
    burrs.connection.set_trace_callback(None)
    queries = [query for query in seen if "FROM solution" in query]
    assert len(queries) >= 3
    for query in queries:
        for row in burrs.rows(f"EXPLAIN QUERY PLAN {query}"):
            assert row[-1].startswith("SEARCH"), row


def test_pages_of_a_run_that_takes_nothing_apart(path: Path) -> None:
    kumitate.solve_into(path, kumitate.library["pentominoes/6x10"])
    with open_run(path) as run:
        whole = list(run)
        assert len(whole) == 2339
        for first in (1, 1000, 1024, 1025, 2049, 2339):
            assert run.page(first, 30) == whole[first - 1 : first + 29]
        for wrong in ("level", "moves"):
            with pytest.raises(PuzzleError, match=f"cannot order by {wrong}: the run was made"):
                run.page(order=wrong)
        with pytest.raises(PuzzleError, match="order 'best' is unknown; use found, level or moves"):
            run.page(order="best")  # type: ignore[arg-type]
        with pytest.raises(PuzzleError, match="numbers begin at 1"):
            run.page(0)


def test_better_ones_take_the_place_of_the_worst(path: Path) -> None:
    """Random levels against sorting them all."""
    puzzle, chance = kumitate.library["six-piece-burr"], Random(3)
    kumitate.solve_into(path, puzzle, disassemble=True, keep="best:25", limit=1)
    trees = [
        Disassembly([*[Move([0], (1, 0, 0), 1)] * n, Move([0], (1, 0, 0), None)]) for n in range(9)
    ]
    trees += [Disassembly(tree.moves, trees[2]) for tree in trees]
    given = [chance.choice(trees) for _ in range(300)]
    with open_run(path) as run:
        [first] = run
        recorder = Recorder(run, limit=1000)
        [task] = recorder.tasks.values()
        names = bytes(run.width)
        for at in range(0, 300, 10):
            found = [FoundAssembly.of(names, "apart", tree) for tree in given[at : at + 10]]
            recorder.commit([Batch(task, task, False, PackedRows(b"", 0, 0), found)], 0, "running")
        wanted = [rank(first), *((t.levels.moves, t.levels.total) for t in given)]
        best = sorted(wanted, reverse=True)[:25]
        numbers = run.rows("SELECT number FROM solution ORDER BY number")
        ranks = run.rows("SELECT level, moves FROM solution ORDER BY level DESC, moves DESC")
        assert ranks == best
        assert [number for (number,) in numbers] == list(range(1, 26))
        assert [rank(s) for s in run.page(1, 25, "level")] == best
        assert run.summary().solutions == 301


# ---- what is packed ----


def test_a_disassembly_is_unpacked_as_it_was() -> None:
    flight = Move([0, 1], (1, 1, 0), None, 2, [(1, 1, 0), (-1, 0, 0)])
    tree = Disassembly(
        [Move([0, 2], (0, 0, -1), 3, 2), flight],
        Disassembly([Move([1], (1, 0, 0), None)]),
        Disassembly([Move([2], (0, 1, 0), None)], None, Disassembly([Move([0], (1, 0, 0), None)])),
    )
    assert unpack_tree(pack_tree(tree)) == tree
    assert unpack_tree(None) is None


def test_turns_are_unpacked_as_they_were() -> None:
    half = Fraction(1, 2)
    route = [Pose(half, half, 0 * half), Pose(half, 3 * half, half), Pose(0 * half, half, 2 * half)]
    tree = Disassembly(
        [
            Rotation([0, 2], 2, -1, (3, 1, 0), 2, Fraction(36, 1000)),
            Rotation([1], 2, 1, (1, 1, 0), 2, route=route),
            Move([0], (0, 0, 1), None, 2),
        ],
        Disassembly([Rotation([1], 0, 2, (0, 0, 0)), Move([1], (1, 0, 0), None)]),
    )
    assert unpack_tree(pack_tree(tree)) == tree
    assert unpack_levels(pack_tree(tree)) == tree.levels
    assert str(tree.levels) == "1R2.1R1"


def test_a_disassembly_is_packed_as_docs_long_solves_says() -> None:
    """Runs of earlier versions must stay readable: lists without names, in this order."""
    tree = Disassembly(
        [Move([0], (0, 0, 1), 3, 2), Move([0], (1, 0, 0), None, 2)],
        Disassembly([Move([1, 2], (1, 1, 0), None, 1, [(1, 1, 0), (-1, 0, 0)])]),
    )
    later = [[[[1, 2], [1, 1, 0], None]], None, None, 1, [[1, 1, 0], [-1, 0, 0]]]
    expected = [[[[0], [0, 0, 1], 3], [[0], [1, 0, 0], None]], later, None, 2, []]
    assert msgspec.msgpack.decode(pack_tree(tree)) == expected


def test_names_take_the_bytes_they_need() -> None:
    assert [width_for(n) for n in (1, 255, 256, 65535, 65536, 2**24)] == [1, 1, 2, 2, 3, 4]
    assert unpack(bytes([1, 0, 2, 1, 255, 255]), 2) == [1, 258]


# ---- versions ----


def test_a_newer_run_is_refused(burrs: Run) -> None:
    change(burrs.path, "PRAGMA user_version = 99")
    with pytest.raises(PuzzleError, match="a run of version 99, made by another version"):
        open_run(burrs.path)
    with pytest.raises(PuzzleError, match="a run of version 99, made by another version"):
        kumitate.resume(burrs.path)


# ---- files that are not what they seem ----


def test_a_changed_puzzle_is_refused(burrs: Run) -> None:
    change(burrs.path, "UPDATE run SET puzzle = replace(puzzle, '\"solid\"', '\"hollow\"')")
    with pytest.raises(PuzzleError, match="damaged: a row of table run was changed; nothing can"):
        open_run(burrs.path)


def test_other_files_are_no_runs(tmp_path: Path, path: Path) -> None:
    for content in (b"", b"{}", b"SQLite format 2"):
        path.write_bytes(content)
        assert not is_run(path)
        with pytest.raises(PuzzleError, match="not a kumitate run"):
            open_run(path)
    path.unlink()
    change(path, "CREATE TABLE run (puzzle TEXT)")
    assert is_run(path)
    with pytest.raises(PuzzleError, match="not a kumitate run, but another SQLite file"):
        open_run(path)
    os.mkfifo(tmp_path / "pipe")  # to look into it would never end
    for missing in (tmp_path / "nowhere", tmp_path, tmp_path / "pipe"):
        assert not is_run(missing)
        with pytest.raises(PuzzleError, match="no such file"):
            recover(missing, tmp_path / "new.kumitate")
        with pytest.raises(PuzzleError, match="no such file"):
            open_run(missing)


def test_a_run_that_is_open_here_keeps_its_log_whoever_else_reads_it(burrs: Run) -> None:
    """To open a run must not give up the locks of those who have it open in the same process."""
    with open_run(burrs.path) as again:
        reader = "import kumitate, sys; print(len(kumitate.open_run(sys.argv[1])))"
        words = [sys.executable, "-c", reader, str(burrs.path)]
        assert subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout == b"179\n"
        assert burrs.path.with_name("run.kumitate-wal").exists()
        assert len(again) == len(burrs) == 179


def test_a_damaged_file_is_one_line(burrs: Run) -> None:
    path = burrs.path
    burrs.close()
    data = bytearray(path.read_bytes())
    data[100:3000] = b"\x55" * 2900
    path.write_bytes(data)
    with pytest.raises(PuzzleError, match="damaged") as error:
        open_run(path)
    assert "\n" not in str(error.value)


def test_a_state_of_another_search_is_refused(path: Path) -> None:
    """Not followed into the void, whoever wrote it into the file."""
    kumitate.solve_into(path, kumitate.library["soma"], limit=3)
    with open_run(path) as run:
        [task] = run.tasks().values()
    far = task.state[:32] + bytes.fromhex("0000000000FFFFFF0000000000FFFFFF")
    for state in (far, bytes(24), bytes(32)):
        with open_run(path) as run:
            recorder = Recorder(run, 100)
            recorder.commit([Batch(task, task._replace(state=state), False, NOTHING)], 0, "paused")
        with pytest.raises(PuzzleError, match="damaged: task 1: "):
            kumitate.resume(path, limit=100)
        task = task._replace(state=state)


def test_when_the_disk_is_full_the_last_checkpoint_stays(path: Path) -> None:
    kumitate.solve_into(path, kumitate.library["soma"], limit=100)
    with open_run(path) as run:
        recorder = Recorder(run, limit=100_000)
        [(pages,)] = run.rows("PRAGMA page_count")
        run.rows(f"PRAGMA max_page_count = {pages + 3}")
        [task] = recorder.tasks.values()
        packed = PackedRows(bytes(7 * run.width * 10_000), 10_000, 7)
        with pytest.raises(PuzzleError, match="full; everything up to the last checkpoint is kept"):
            recorder.commit([Batch(task, task, False, packed)], 0, "running")
    with open_run(path) as run:
        assert (len(run), run.summary().assemblies) == (100, 100)
    assert kumitate.resume(path, limit=1000).assemblies == 240


def test_a_run_replaces_an_older_one_with_its_log(path: Path) -> None:
    """The log of a killed process must not be taken for that of the new run."""
    kumitate.solve_into(path, kumitate.library["soma"])
    log = path.with_name(path.name + "-wal")
    log.write_bytes(b"of another run")
    kumitate.solve_into(path, kumitate.library["diabolical-cube"])
    with open_run(path) as run:
        assert len(run) == 13


@pytest.mark.parametrize("text", ["", "every", "every:", "every:x", "best:-1", "best:²", "all:3"])
def test_what_to_keep_is_said_in_few_ways(text: str) -> None:
    with pytest.raises(PuzzleError, match="is unknown; use all, none, every:N, best:N or best-mo"):
        Keep.read(text)


def test_a_checkpoint_has_the_counts_of_all_tasks(path: Path) -> None:
    kumitate.solve_into(path, kumitate.library["soma"], threads=2)
    with open_run(path) as run:
        at = run.checkpoint()
        assert (at.nodes, at.found, at.rotations) == (2275, 240, 11520)
        assert run.rows("SELECT * FROM task") == []


def test_a_search_that_needs_no_more_leaves_no_task(path: Path) -> None:
    kumitate.solve_into(path, kumitate.library["soma"], limit=3)
    with open_run(path) as run:
        recorder = Recorder(run)
        recorder.tasks.clear()
        recorder.commit([], 0, "paused")
        assert run.summary().state == "done"
        run.verify()
        assert run.rows("SELECT * FROM task") == []
