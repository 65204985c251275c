"""Shortcuts: puzzles made to slide that a turn opens sooner, or at all, and some without."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from kumitate import (
    CUBES,
    Assembly,
    Disassembly,
    LimitReached,
    Piece,
    Placement,
    Problem,
    PuzzleError,
    Shape,
    examine,
    find_shortcuts,
    library,
)
from kumitate.grids import PRISMS
from kumitate.model.geometry import Cell
from kumitate.referee import disassembly_faults
from kumitate.search import Progress, Shortcut
from kumitate.search.shortcuts import summary


def assembly_of(*parts: set[Cell]) -> Assembly:
    shapes = [Shape(CUBES, part, name=f"p{n}") for n, part in enumerate(parts)]
    goal = Shape(CUBES, set().union(*parts))
    here = (Placement(n, 0, (0, 0, 0)) for n in range(len(shapes)))
    return Assembly(Problem(goal, [Piece(shape) for shape in shapes]), tuple(here))


def box(x: int, y: int, z: int, empty: set[Cell]) -> set[Cell]:
    return {(a, b, c, 0) for a in range(x) for b in range(y) for c in range(z)} - empty


def room() -> Assembly:
    """A bar of three cells across a room of three by three; the slot in the lid runs along."""
    inside: set[Cell] = {(x, y, 1, 0) for x in (1, 2, 3) for y in (1, 2, 3)}
    slot: set[Cell] = {(2, y, 2, 0) for y in (1, 2, 3)}
    return assembly_of(box(5, 5, 3, inside | slot), {(x, 2, 1, 0) for x in (1, 2, 3)})


def maze(*lid: set[Cell]) -> Assembly:
    """A bar that was meant to leave by five slides; in the lid of its first room there is a slot.

    It slides back, right through a tunnel, up, to the front and out to the right. But in the first
    room there is space to turn it, and then it fits the slot. Other pieces may lie on the lid.
    """
    empty: set[Cell] = {(x, y, 1, 0) for x in range(1, 6) for y in range(1, 6)}
    empty |= {(3, y, 2, 0) for y in (2, 3, 4)}  # the slot
    empty |= {(x, 5, z, 0) for z in (1, 2) for x in range(7, 10)} | {(6, 5, 1, 0)}  # a second room
    empty |= {(x, 4, 2, 0) for x in range(7, 11)} | {
        (x, y, 3, 0) for x in range(6) for y in range(7)
    }
    bar: set[Cell] = {(x, 3, 1, 0) for x in (2, 3, 4)}
    return assembly_of(box(11, 7, 4, empty), bar, *lid)


def found(assembly: Assembly, tolerance: float = 0.0) -> list[Shortcut]:
    shortcuts = list(find_shortcuts(assembly.problem, tolerance=tolerance))
    for shortcut in shortcuts:
        assert disassembly_faults(shortcut.assembly, shortcut.disassembly) == []
    return shortcuts


def moves_of(disassembly: Disassembly) -> tuple[int, int]:
    return disassembly.levels.moves, disassembly.levels.total


def test_a_bar_leaves_by_a_turn_instead_of_five_slides() -> None:
    slides = examine(maze()).disassembly
    assert slides is not None
    assert str(slides.levels) == "5"
    [shortcut] = found(maze())
    assert shortcut.slides.disassembly == slides
    assert str(shortcut.disassembly.levels) == "1R1"
    [(move, turn)] = shortcut.turns.items()
    assert turn.tolerance == shortcut.tolerance == 0
    assert shortcut.describe() == (
        "assembly 1 opens at level 1R1 with turns, at level 5 without;"
        f" move {move}: {turn.describe(shortcut.assembly)} (needs no tolerance)"
    )


def test_what_is_stuck_opens_only_with_enough_tolerance() -> None:
    # sqrt((3/2 - t)^2 + (1/2 - t)^2) = 3/2 + t for t = 0.0359
    stuck = room()
    assert found(stuck) == found(stuck, 0.035) == []
    for tolerance in (0.036, 0.2):
        [shortcut] = found(stuck, tolerance)
        assert shortcut.slides.ending == "stuck"
        assert shortcut.tolerance == Fraction(36, 1000)
        assert shortcut.describe().startswith(
            "assembly 1 is stuck without turns, but opens with them at level 1R1; move 1: p1 turns"
        )
        assert shortcut.describe().endswith("(needs a tolerance of 0.036)")
        assert shortcut.describe(unit=11).endswith("(needs a tolerance of 0.036 (0.4 mm))")


def test_a_shortcut_after_the_first_separation_counts() -> None:
    """The same maze under a plate that has to go first."""
    plate: set[Cell] = {(x, y, 3, 0) for x in range(6) for y in range(7)}
    [shortcut] = found(maze(plate))
    assert shortcut.slides.disassembly is not None
    assert str(shortcut.slides.disassembly.levels) == "1.5"
    assert str(shortcut.disassembly.levels) == "1R0.1R1"
    assert "comes apart in 3 moves with turns (level 1R0.1R1), in 6 without (level 1.5)" in str(
        shortcut.describe()
    )
    [move] = shortcut.turns
    assert move > 1


def test_the_diabolical_cube_has_no_shortcut() -> None:
    seen: list[Progress] = []
    problem = library["diabolical-cube"].problem()
    assert list(find_shortcuts(problem, progress=seen.append)) == []
    assert seen[-1].assemblies == 13
    assert all(one.assemblies <= other.assemblies for one, other in pairwise(seen))
    assert summary(0, 13, 0.0, 0, ended=True) == (
        "no shortcut found in 13 assemblies, with quarter turns about the axes of the grid at"
        " tolerance 0; other twists were not tried"
    )


def test_a_limit_leaves_it_open() -> None:
    problem = maze().problem
    with pytest.raises(LimitReached, match="1 assembly may have a shortcut"):
        list(find_shortcuts(problem, max_states=2))
    given_up: list[Assembly] = []
    assert list(find_shortcuts(problem, max_states=2, given_up=given_up.append)) == []
    assert len(given_up) == 1
    [shortcut] = find_shortcuts(problem, max_states=100_000, max_moves=5)
    assert shortcut.disassembly.levels.turns == 1
    assert "; 1 assembly may have a shortcut" in summary(0, 1, 0.0, 1, ended=True)


def test_progress_may_stop_the_search() -> None:
    class Stopped(Exception):
        pass

    def stop(now: Progress) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        list(find_shortcuts(maze().problem, progress=stop))


def test_other_grids_and_tolerances_are_refused_at_once() -> None:
    with pytest.raises(PuzzleError, match="pieces turn on cubes only, not on prisms"):
        find_shortcuts(Assembly.from_text(PRISMS, "AB").problem)
    with pytest.raises(PuzzleError, match="a tolerance is"):
        find_shortcuts(maze().problem, tolerance=0.5)


def random_room(seed: int) -> Assembly:
    """A bar or an L in a room whose lid has holes, perhaps with another piece beside it."""
    chance = random.Random(seed)
    side = chance.choice([3, 3, 4])
    empty: set[Cell] = {(x, y, 1, 0) for x in range(1, side + 1) for y in range(1, side + 1)}
    holes = {(x, y, 2, 0) for x, y, _, _ in empty if chance.random() < 0.45}
    piece: set[Cell] = {(x, 2, 1, 0) for x in (1, 2, 3)}
    if chance.random() < 0.3:
        piece.add((1, 3, 1, 0))
    others: list[set[Cell]] = [{(3, 1, 1, 0)}] if chance.random() < 0.4 else []
    return assembly_of(box(side + 2, side + 2, 3, empty | holes), piece, *others)


@pytest.mark.parametrize("tolerance", [0.0, 0.05])
def test_each_assembly_is_compared_by_itself(tolerance: float) -> None:
    """Random rooms: those are shortcuts that open at a lower level, or with fewer moves."""
    shortcuts = opened = 0
    for seed in range(30):
        assembly = random_room(seed)
        slides = examine(assembly).disassembly
        turns = examine(assembly, turns=tolerance).disassembly
        shorter = turns is not None and (slides is None or moves_of(turns) < moves_of(slides))
        given = [one.disassembly for one in found(assembly, tolerance) if one.assembly == assembly]
        assert given == ([turns] if shorter else [])
        shortcuts += shorter
        opened += shorter and slides is None
    assert 0 < opened <= shortcuts < 30
