"""One assembly, or as much as fits, over real HTTP; the most that fits is known by counting."""

import time
from pathlib import Path

import msgspec
import pytest
from tests.studio.bench import Bench

import kumitate
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Piece, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.studio.ask.codec import puzzle_data, puzzle_of
from kumitate.studio.messages import (
    OneData,
    OneRequest,
    PageData,
    PageRequest,
    ProblemRequest,
    RunsData,
)

SOMA = puzzle_data(kumitate.library["soma"])


def filled(goal: str, piece: str, most: int) -> Puzzle:
    shape = Shape.from_text(CUBES, piece, name="piece")
    return Puzzle.of(Problem(Shape.from_text(CUBES, goal), [Piece(shape, 0, most)]))


def ask(bench: Bench, request: OneRequest) -> OneData:
    return bench.post("one", request).told(OneData)


def test_one_assembly_is_shown_as_a_run_of_the_question(bench: Bench) -> None:
    told = ask(bench, OneRequest(SOMA))
    assert told.words.startswith("found an assembly in")
    assert told.run is not None
    assert (told.run.state, told.run.kept, told.run.title) == ("chosen", 1, SOMA.title)
    page = bench.post(f"runs/{told.run.id}/page", PageRequest()).told(PageData)
    assert [row.pieces for row in page.rows] == [[1] * 7]
    runs = bench.post("runs/of", ProblemRequest(SOMA)).told(RunsData).runs
    assert [run.id for run in runs] == [told.run.id]


def test_that_there_is_none_is_said_with_the_reason(bench: Bench) -> None:
    corners = puzzle_data(filled("##./###/.##", "##/#.", 3))  # 7 cells, three at a time
    told = ask(bench, OneRequest(corners))
    assert told.run is None
    assert told.words.startswith("there is no assembly: ")


def test_what_is_packed_is_a_puzzle_of_its_own(bench: Bench) -> None:
    tees = puzzle_data(filled("####/####/###.", "###/.#.", 9))
    told = ask(bench, OneRequest(tees, what="pieces"))
    assert told.words == "2 pieces placed, the most possible"
    assert told.packed is not None
    [run] = told.packed.kept
    [problem] = puzzle_of(told.packed.puzzle).problems
    assert problem.goal.optional == problem.goal.cells
    page = bench.post(f"runs/{run}/page", PageRequest()).told(PageData)
    assert [row.pieces for row in page.rows] == [[2]]
    runs = bench.post("runs/of", ProblemRequest(told.packed.puzzle)).told(RunsData).runs
    assert [one.id for one in runs] == [run]


@pytest.mark.skipif(not Path("/proc").exists(), reason="this system has no /proc to look into")
def test_a_search_that_nobody_waits_for_ends(bench: Bench) -> None:
    wanted = OneRequest(puzzle_data(kumitate.library["y25"]), what="cells", seconds=60)

    def workers() -> set[str]:
        lines = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
        return {line.decode() for line in lines if b"serve.one" in line}

    connection = bench.connection()
    connection.request("POST", "/api/one", msgspec.json.encode(wanted), bench.key)
    until = time.monotonic() + 30
    while not workers() and time.monotonic() < until:
        time.sleep(0.02)
    connection.close()
    while workers() and time.monotonic() < until:
        time.sleep(0.02)
    assert not workers()
