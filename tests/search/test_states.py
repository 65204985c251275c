"""Every state is there, the graph says how they hang together, and no way takes fewer moves."""

import xml.etree.ElementTree as ET

import pytest
from bench.apart import tray
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.test_disassemble import UNSHRUNK, assembly_of, climb

from kumitate import (
    CUBES,
    Assembly,
    LimitReached,
    PuzzleError,
    disassemble,
    examine,
    explore,
    shortest,
)
from kumitate.referee import disassembly_faults

MAZE = """
    AAAAAAA  AAAAAAA  AAAAAAA
    AAAAAAA  A.A.A.A  AAAAA.A
    AAAAAAA  AB....A  AAAAAAA
    AAAAAAA  AAAAAAA  AAAAAAA
"""


def test_a_maze_has_dead_ends() -> None:
    """Five places in a corridor and three side rooms, one of which leads out."""
    graph = explore(Assembly.from_text(CUBES, MAZE))
    assert len(graph.states) == 8
    assert len(graph.exits) == 1
    assert len(graph.dead_ends) == 2
    assert graph.depths[graph.exits[0]] == 2
    # Any two places of the corridor are one move apart, and each room is one from its door.
    assert len(graph.edges) == 5 * 4 // 2 + 3


def test_the_end_of_a_corridor_is_a_dead_end() -> None:
    layers = "AAAAAA AAAAAA AAAAAA / AAAAAA AB...A AAAAAA / AAAAAA AAAAAA AAAAAA"
    graph = explore(Assembly.from_text(CUBES, layers))
    assert len(graph.states) == 4
    assert graph.dead_ends == (3,)


def test_as_many_states_as_the_search_visits() -> None:
    for width, height, blocks in ((2, 2, 2), (2, 3, 4), (2, 3, 5)):
        closed = tray(width, height, blocks)
        graph = explore(closed)
        assert len(graph.states) == examine(closed).states
        assert graph.exits == ()
        assert max(graph.depths) > 2


def test_graphml_can_be_read() -> None:
    graph = explore(Assembly.from_text(CUBES, MAZE))
    root = ET.fromstring(graph.to_graphml())
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    assert len(root.findall(".//g:node", space)) == len(graph.states)
    assert len(root.findall(".//g:edge", space)) == len(graph.edges)
    exits = [n for n in root.findall(".//g:node/g:data[@key='exit']", space) if n.text == "true"]
    assert len(exits) == 1


def test_limits_are_told() -> None:
    with pytest.raises(LimitReached, match="more than 100 states"):
        explore(tray(2, 3, 4), max_states=100)
    with pytest.raises(PuzzleError, match="a single piece has no states"):
        explore(Assembly.from_text(CUBES, "A"))


# Seeds of climbs for which the nearest separations are not the fewest moves in total.
BETTER = [(0, 7, 6), (7, 8, 6), (12, 7, 6), (13, 9, 8)]


@pytest.mark.parametrize(("seed", "nearest", "fewest"), BETTER)
def test_the_fewest_moves_in_all(seed: int, nearest: int, fewest: int) -> None:
    assembly = climb(CUBES, seed, 4, (4, 3, 3))
    usual, best = disassemble(assembly), shortest(assembly)
    assert usual is not None
    assert best is not None
    assert (usual.levels.total, best.levels.total) == (nearest, fewest)
    assert disassembly_faults(assembly, best) == []


@settings(max_examples=25, deadline=None, phases=UNSHRUNK)
@given(st.integers(0, 10**6), st.integers(2, 3))
def test_never_more_than_the_nearest_separations_take(seed: int, pieces: int) -> None:
    assembly = climb(CUBES, seed, pieces, (4, 3, 3))
    usual = disassemble(assembly)
    try:
        best = shortest(assembly, max_states=1000)
    except LimitReached:
        return
    assert (usual is None) == (best is None)
    if usual and best:
        assert pieces - 1 <= best.levels.total <= usual.levels.total
        assert best.levels.moves >= usual.levels.moves
        assert disassembly_faults(assembly, best) == []


def test_what_does_not_come_apart_has_no_fewest_moves() -> None:
    assert shortest(tray(2, 2, 2)) is None
    assert shortest(assembly_of([{(0, 0, 0, 0)}], CUBES)) is None
