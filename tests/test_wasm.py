"""The core for pages (core/wasm.cpp), run by node, finds what the core here finds."""

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from kumitate import library
from kumitate.model.puzzle import Problem
from kumitate.model.solution import Assembly, Move
from kumitate.output.sliding import steps_of
from kumitate.search.assemble import assemble, count
from kumitate.search.disassemble import examine
from kumitate.search.placements import placements

CORE = Path(str(files("kumitate.output"))) / "core.wasm"
REFUSED, OVER, GOING = -1, 0, 1

pytestmark = [
    pytest.mark.skipif(not CORE.exists(), reason="built without the core for pages (make wasm)"),
    pytest.mark.skipif(not shutil.which("node"), reason="there is no node"),
]
Act = dict[str, Any]


def asked(*questions: list[Act]) -> list[list[Act]]:
    """What the core answers to each question, in an instance of its own."""
    command = ["node", str(Path(__file__).with_name("wasm.mjs")), str(CORE)]
    made = subprocess.run(
        command, input=json.dumps(questions), capture_output=True, text=True, check=True
    )
    found: list[list[Act]] = json.loads(made.stdout)
    return found


def listed(some: Any) -> list[int]:
    rows = [list(row) for row in some]
    return [len(rows), *(number for row in rows for number in row)]


def cover_of(problem: Problem) -> Act:
    """All placements as options, of cells and pieces."""
    cells = {cell: n for n, cell in enumerate(sorted(problem.goal.cells))}
    options = [
        [*(cells[cell] for cell in place.placed(piece.shape).cells), len(cells) + number]
        for number, (piece, its) in enumerate(zip(problem.pieces, placements(problem), strict=True))
        for place in its
    ]
    bounds = [(1, 1)] * len(cells) + [(piece.min, piece.max) for piece in problem.pieces]
    numbers = [*listed(bounds), len(options)]
    for option in options:
        numbers += [len(option), *option]
    return {"act": "cover", "numbers": numbers}


def pieces_of(assembly: Assembly) -> Act:
    grid = assembly.problem.grid
    steps = steps_of(grid)[::2]
    numbers = [len(grid.tiles), *listed(step.by for step in steps)]
    for step in steps:
        for tile, cells in enumerate(step.swept):
            numbers += listed([(0, 0, 0, tile), *cells])
    numbers.append(len(assembly.shapes))
    for shape in assembly.shapes:
        numbers += listed(sorted(shape.cells))
    return {"act": "pieces", "numbers": numbers}


def way_of(assembly: Assembly, **given: int) -> Act:
    at = [number for n in range(len(assembly.shapes)) for number in (n, 0, 0, 0)]
    return {"act": "way", "numbers": at, **given}


def slides(numbers: list[int]) -> list[tuple[int, int, list[int]]]:
    found = []
    while numbers:
        direction, units, several, *numbers = numbers
        found.append((direction, units, numbers[:several]))
        numbers = numbers[several:]
    return found


def everything(acts: int, room: int = 0) -> list[Act]:
    return [{"act": "advance", "given": [1 << 30, room]}] * acts


@pytest.mark.parametrize("name", ["soma", "pentominoes/6x10", "slothouber-graatsma"])
def test_it_counts_what_the_core_here_counts(name: str) -> None:
    puzzle, _, number = name.partition("/")
    problem = next(p for p in library[puzzle].problems if not number or p.name == number)
    [[_, *_, found]] = asked([cover_of(problem), *everything(1), {"act": "found"}])
    assert found["status"] == count(problem, rotations=True, distinct_copies=True).assemblies


def test_an_answer_fills_the_goal_and_none_is_none() -> None:
    [problem] = library["soma"].problems
    cover = cover_of(problem)
    impossible = {"act": "cover", "numbers": [2, 1, 1, 1, 1, 1, 1, 0]}  # nothing covers item 1
    refused = {"act": "cover", "numbers": [1, 1, 1, 1, 1, 7]}
    cut = {"act": "cover", "numbers": cover["numbers"][:-1]}
    [[_, found], [none], [wrong], [short]] = asked(
        [cover, *everything(1, room=1)], [impossible], [refused], [cut]
    )
    assert found["status"] == GOING
    assert found["numbers"][0] == len(found["numbers"]) - 1 == len(problem.pieces)
    assert none["status"] == OVER
    assert (wrong["status"], wrong["words"]) == (
        REFUSED,
        "an option covers an item that there is not",
    )
    assert (short["status"], short["words"]) == (REFUSED, "the question ends too soon")


def test_a_search_is_shared_by_two() -> None:
    [problem] = library["soma"].problems
    cover = cover_of(problem)
    some = {"act": "advance", "given": [500, 0]}
    [[*_, given, _, mine]] = asked(
        [cover, some, {"act": "split"}, *everything(1), {"act": "found"}]
    )
    assert given["status"] == GOING
    load = {"act": "load", "numbers": given["numbers"]}
    [[*_, others]] = asked([cover, load, *everything(1), {"act": "found"}])
    assert mine["status"] < 11520
    assert mine["status"] + others["status"] == 11520


@pytest.mark.parametrize(
    "name", ["six-piece-burr", "evolved-box", "rhombic-four", "four-piece-tetrahedron"]
)
def test_the_nearest_way_is_that_of_the_core_here(name: str) -> None:
    assembly = next(iter(assemble(library[name].problems[0])))
    [[_, way]] = asked([pieces_of(assembly), way_of(assembly)])
    here = examine(assembly)
    if here.disassembly is None:
        assert way["numbers"] == []
        return
    moves = here.disassembly.moves
    steps = assembly.problem.grid.steps
    expected = [
        (steps.index(move.step), move.units or 0, list(move.pieces))
        for move in moves
        if isinstance(move, Move)
    ]
    assert slides(way["numbers"])[:-1] == expected[:-1]
    assert len(expected) == len(slides(way["numbers"]))


def test_what_never_comes_off_and_what_takes_too_long_are_told_apart() -> None:
    box = Assembly.from_text(
        library["soma"].grid, "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA"
    )
    burr = next(iter(assemble(library["eighteen-piece-burr"].problems[0])))
    [[_, stuck], [_, late, known]] = asked(
        [pieces_of(box), way_of(box)],
        [pieces_of(burr), way_of(burr, late=0), way_of(burr)],
    )
    assert (stuck["status"], stuck["numbers"]) == (OVER, [])
    assert (late["status"], late["numbers"]) == (GOING, [])
    assert len(slides(known["numbers"])) == 29


def test_it_is_small() -> None:
    from kumitate.output.page import packed_core

    assert len(packed_core()) * 3 / 4 < 120_000
