"""Fine and coordinate motion, groups and limits, against the slow plain twin and by hand."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search import plain_apart
from tests.search.test_disassemble import (
    BOXES,
    UNSHRUNK,
    assembly_of,
    climb,
    example,
    needs_reference,
    random_assembly,
)

from kumitate import CUBES, Assembly, Grid, Move, assemble, examine, rigidity
from kumitate.grids import HEXAGONS, KELVIN, RHOMBS, TETROCTS
from kumitate.model.geometry import Cell
from kumitate.referee import disassembly_faults

Box = tuple[int, int, int]

FINE: list[tuple[Grid, Box]] = [
    (TETROCTS, (2, 2, 2)),
    (TETROCTS, (2, 1, 1)),
    (HEXAGONS, (4, 4, 2)),
    (KELVIN, (3, 2, 2)),
    (RHOMBS, (1, 1, 1)),
]
SEALED = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  ABA  AAA / AAA  AAA  AAA")
LOOSE = Assembly.from_text(CUBES, "AAAAA AAAAA AAAAA / AAAAA AB..A AAAAA / AAAAA AAAAA AAAAA")
TWO_MOVES = Assembly.from_text(CUBES, "AAAA  AAAA  AAAA / AAAA  AB.A  AA.A / AAAA  AAAA  AAAA")


def grouped(assembly: Assembly, groups: Sequence[Mapping[int, int]]) -> Assembly:
    pieces = [
        replace(piece, groups=dict(some))
        for piece, some in zip(assembly.problem.pieces, groups, strict=True)
    ]
    return Assembly(replace(assembly.problem, pieces=pieces), assembly.placements)


def sparse_assembly(grid: Grid, seed: int, pieces: int, box: Box) -> Assembly:
    """Few cells, dealt out at random: unlike a full box this has room to move in, and to stop."""
    chance = random.Random(seed)
    kept = chance.choice([0.3, 0.5, 0.7])
    parts: list[set[Cell]] = [{(box[0], n, 0, 0)} for n in range(pieces)]
    for x, y, z in product(*map(range, box)):
        for tile in range(len(grid.tiles)):
            if chance.random() < kept:
                parts[min(chance.randrange(pieces), chance.randrange(pieces))].add((x, y, z, tile))
    return assembly_of(parts, grid)


# ---- the plain twin ----


@settings(max_examples=120, deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(FINE), st.integers(0, 10**6), st.integers(2, 3), st.booleans())
def test_a_plain_search_agrees_about_places_between_cells(
    where: tuple[Grid, Box], seed: int, pieces: int, coordinate: bool
) -> None:
    assembly = (sparse_assembly if seed % 4 else random_assembly)(where[0], seed, pieces, where[1])
    expected = plain_apart.level(assembly, most_states=150, fine=True)
    found = examine(assembly, fine=True, coordinate=coordinate)
    if found.disassembly:
        assert disassembly_faults(assembly, found.disassembly) == []
    if expected == "many":
        return
    if expected is None and not coordinate:
        assert found.ending in ("rigid", "stuck")
        assert len(found.part) == pieces
    elif expected is None and found.disassembly:
        last = found.disassembly.moves[-1]
        assert isinstance(last, Move)
        assert last.steps
    elif found.disassembly:
        assert found.disassembly.levels.moves == expected
    elif expected is not None:
        assert len(found.part) < pieces


@settings(max_examples=150, deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(BOXES), st.integers(0, 10**6), st.integers(2, 4), st.data())
def test_a_plain_search_agrees_about_groups(
    where: tuple[Grid, Box], seed: int, pieces: int, data: st.DataObject
) -> None:
    some = st.dictionaries(st.integers(1, 2), st.integers(1, 2), max_size=2)
    groups = data.draw(st.lists(some, min_size=pieces, max_size=pieces))
    assembly = grouped(random_assembly(where[0], seed, pieces, where[1]), groups)
    clumps = plain_apart.clumps(assembly, most_states=150)
    if clumps is None:
        return
    together = [clump for clump in clumps if len(clump) > 1]
    found = examine(assembly)
    if may_stay(together, groups) and clumps != [tuple(range(pieces))]:
        assert found.ending == "apart"
        assert found.disassembly is not None
        assert disassembly_faults(assembly, found.disassembly) == []
    elif not may_stay(together, groups):
        assert found.ending in ("rigid", "stuck")


def may_stay(clumps: list[tuple[int, ...]], groups: Sequence[Mapping[int, int]]) -> bool:
    """Whether each clump can be given a group; every piece here is there once."""
    for choice in product((1, 2), repeat=len(clumps)):
        used = Counter(
            (n, group) for clump, group in zip(clumps, choice, strict=True) for n in clump
        )
        if all(times <= groups[n].get(group, 0) for (n, group), times in used.items()):
            return True
    return False


@settings(max_examples=100, deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(BOXES), st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 60))
def test_a_limit_stops_what_needs_more_and_nothing_else(
    where: tuple[Grid, Box], seed: int, pieces: int, states: int
) -> None:
    assembly = (climb if seed % 2 else random_assembly)(where[0], seed, pieces, where[1])
    level = plain_apart.level(assembly, most_states=150)
    whole = examine(assembly, max_states=3000)
    if whole.ending == "limit":
        return
    limited = examine(assembly, max_states=states)
    if states >= whole.states:
        assert limited == whole
    elif limited.ending != "limit":  # the last state that was visited has what it takes
        assert limited.disassembly == whole.disassembly
    if isinstance(level, int):
        few = examine(assembly, max_moves=level)
        assert few.ending != "limit" or len(few.part) < pieces
        if level > 1:
            assert examine(assembly, max_moves=level - 1).ending == "limit"


# ---- by hand ----


def test_as_many_moves_as_it_takes_are_enough() -> None:
    assert examine(TWO_MOVES, max_moves=2).ending == "apart"
    assert examine(TWO_MOVES, max_moves=1).ending == "limit"


def test_a_part_that_was_given_up_is_not_left_together_as_a_group() -> None:
    """A and B may stay together only if it is known that they cannot part."""
    box = Assembly.from_text(
        CUBES, "AAAAA.D AAAAA.. AAAAA.. / AAAAA.. AB..A.. AAAAA.. / AAAAA.. AAAAA.. AAAAA.."
    )
    both = {1: 1, 2: 1}
    assembly = grouped(box, [both, both, {}])
    assert examine(assembly).ending == "apart"
    assert examine(assembly, max_states=1).ending == "limit"


def test_what_rattles_in_a_box_does_not_fly_apart() -> None:
    found = examine(LOOSE, coordinate=True)
    assert (found.ending, found.part) == ("stuck", (0, 1))
    assert examine(SEALED, coordinate=True).ending == "rigid"


def test_there_is_no_proof_of_rigidity_between_cells() -> None:
    here, half, beside = (0, 0, 0), (1, 0, 0), (2, 0, 0)
    forces = rigidity(SEALED)
    assert forces is not None
    assert rigidity(SEALED, [0, 1], [here, here], 2) == forces
    assert rigidity(SEALED, [0, 1], [beside, beside], 2) == forces
    assert rigidity(SEALED, [0, 1], [here, half], 2) is None


@needs_reference
@pytest.mark.parametrize("heavy", range(3))
def test_the_heaviest_piece_stays_when_all_fly_apart(heavy: int) -> None:
    [iris] = assemble(example("iris3d"))
    pieces = [
        replace(piece, shape=replace(piece.shape, weight=2 if n == heavy else 1))
        for n, piece in enumerate(iris.problem.pieces)
    ]
    assembly = Assembly(replace(iris.problem, pieces=pieces), iris.placements)
    found = examine(assembly, coordinate=True)
    assert found.disassembly is not None
    [move] = found.disassembly.moves
    assert isinstance(move, Move)
    assert move.steps
    still = next(n for n, p in enumerate(assembly.placements) if p.piece == heavy)
    assert still not in move.pieces
