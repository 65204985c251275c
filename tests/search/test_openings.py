"""Boxes with openings: what goes in and out, by slides and by turns, while the box stays."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.search.test_disassemble import random_assembly
from tests.search.test_turns import key, room

import kumitate
from kumitate import (
    CUBES,
    Assembly,
    Disassembly,
    Piece,
    Problem,
    Puzzle,
    PuzzleError,
    Shape,
    count,
    examine,
    library,
    placements,
    solve,
)
from kumitate.referee import disassembly_faults

BOXES = ["letterbox", "side-door", "slot-box"]
QUICK = ["side-door", "slot-box", "turning-cube", "turning-brick", "turning-slab"]
BAR = Shape.from_text(CUBES, "###", name="bar")
ROOM = Shape.from_text(
    CUBES,
    """
    ######  ######  ######
    ######  #++++#  ##.###
    ######  #++++#  ##.###
    ######  #++++#  ##.###
    ######  #++++#  ######
    ######  ######  ######
    """,
    name="room",
)


def moved(disassembly: Disassembly) -> set[int]:
    """The pieces that move while the first ones, then the next, are taken away."""
    found = {piece for move in disassembly.moves for piece in move.pieces}
    return found | moved(disassembly.left) if disassembly.left else found


def test_a_bar_under_a_slot_must_turn_unless_it_lies_along_it() -> None:
    problem = Problem.in_box(ROOM, [Piece(BAR)])
    assert count(problem).assemblies == 16  # the room is not symmetric: its slot is off the middle
    by_slides = Counter(str(s.levels) for s in solve(problem, disassemble=True))
    with_turns = Counter(str(s.levels) for s in solve(problem, disassemble=True, turns=0))
    assert sum(by_slides.values()) == 8
    assert sum(with_turns.values()) == 16
    assert {level for level in with_turns if "R1" in level} == with_turns.keys() - by_slides.keys()


def test_turned_packings_are_the_same_only_if_the_box_is() -> None:
    ring = "#####/#+++#/#+++#/#+++#/#####"
    square, notched = (Shape.from_text(CUBES, text) for text in (ring, "#.###" + ring[5:]))
    for box, ways in ((square, 2), (notched, 6)):
        problem = Problem.in_box(box, [Piece(BAR)])
        assert len(placements(problem)[0]) == 1
        assert count(problem).assemblies == ways


def test_the_box_is_the_first_and_the_heaviest_piece() -> None:
    heavy = Shape.from_text(CUBES, "##", name="lead", weight=7)
    problem = Problem.in_box(ROOM.named(""), [Piece(BAR), Piece(heavy, 2)], name="pack")
    box, *others = problem.pieces
    assert (box.shape.name, box.shape.weight, box.shape.optional) == ("box", 8, frozenset())
    assert others == [Piece(BAR), Piece(heavy, 2)]
    assert problem.goal.fixed == box.shape.cells == ROOM.fixed
    assert problem.goal.optional == ROOM.optional


@pytest.mark.parametrize("drawing", ["###", "+++"])
def test_a_box_has_walls_and_an_inside(drawing: str) -> None:
    with pytest.raises(PuzzleError, match="a box has walls"):
        Problem.in_box(Shape.from_text(CUBES, drawing), [Piece(BAR)])


@pytest.mark.parametrize("ending", ["kumitate.json", "xmpuzzle"])
def test_a_box_is_saved_and_read(ending: str, tmp_path: Path) -> None:
    puzzle = replace(Puzzle.of(Problem.in_box(ROOM, [Piece(BAR)], name="pack")), title="")
    path = tmp_path / f"box.{ending}"
    kumitate.save(puzzle, path)
    [problem] = kumitate.load(path).problems
    assert problem == puzzle.problems[0]


def test_the_heaviest_piece_never_moves() -> None:
    """Whichever piece that is, the moves are as many, unless that is unclear, and the referee
    accepts them."""
    scenes = [random_assembly(CUBES, seed, 4, (4, 3, 3)) for seed in range(25)]
    scenes += [room(4, 1), room(5, 1), key()]
    for name in QUICK:
        scenes += [s.assembly for s in solve(library[name].problem(), disassemble=True, turns=0)]
    would_move = turned = 0
    for scene in scenes:
        for stays in range(len(scene.shapes)):
            plain, heavy = weighed(scene, None), weighed(scene, stays)
            for turns in (None, 0):
                before, after = (examine(a, turns=turns, max_states=1500) for a in (plain, heavy))
                assert (before.ending == "apart") == (after.ending == "apart")
                if before.disassembly is None or after.disassembly is None:
                    continue
                if not before.unclear and not after.unclear:
                    levels = before.disassembly.levels, after.disassembly.levels
                    assert levels[0].moves == levels[1].moves
                assert disassembly_faults(heavy, after.disassembly) == []
                assert stays not in moved(after.disassembly)
                would_move += stays in moved(before.disassembly)
                turned += after.disassembly.levels.turns > 0
    assert would_move > 20
    assert turned > 8


def weighed(assembly: Assembly, heavy: int | None) -> Assembly:
    """The same with at most one heavier piece."""
    numbers = [placement.piece for placement in assembly.placements]
    pieces = [
        Piece(replace(assembly.problem.pieces[number].shape, weight=1 + (place == heavy)))
        for place, number in enumerate(numbers)
    ]
    placements = [p._replace(piece=n) for n, p in enumerate(assembly.placements)]
    return Assembly(Problem(assembly.problem.goal, pieces), placements)


TURNING = [
    (name, problem.name)
    for name, puzzle in library.items()
    for problem in puzzle.problems
    if library.answers(f"{name}/{problem.name}")[0].turns is not None
]


@pytest.mark.parametrize(("name", "problem"), TURNING, ids=lambda word: word)
def test_the_librarys_turning_puzzles_do_not_open_by_slides(name: str, problem: str) -> None:
    [asked] = library[f"{name}/{problem}"].problems
    assert list(solve(asked, disassemble=True)) == []


@pytest.mark.parametrize("name", BOXES)
def test_the_librarys_boxes_stay(name: str) -> None:
    [problem] = library[name].problems
    [solution] = solve(problem, disassemble=True, turns=0)
    assert solution.disassembly is not None
    assert 0 not in moved(solution.disassembly)
    assert problem.label(solution.assembly.placements[0].piece) == "box"
