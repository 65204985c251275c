"""The graph of all states of pieces that turn, against the plain twin and against slides alone."""

import pytest
from tests.search import plain_turns
from tests.search.test_tilts import elbow, unclear_scene
from tests.search.test_turns import key, random_scene, room

from kumitate import CUBES, Move, Placement, PuzzleError, Rotation, explore
from kumitate.grids import PRISMS
from kumitate.model.solution import AnyMove, Assembly, Disassembly
from kumitate.referee import disassembly_faults
from kumitate.search import StateGraph


def way_to(graph: StateGraph, state: int) -> list[AnyMove]:
    """Moves from the assembly to a state, each along an edge to a state that is nearer to it."""
    moves: list[AnyMove] = []
    while state:
        (before, _), move = next(
            (edge, move)
            for edge, move in graph.edges.items()
            if edge[1] == state and graph.depths[edge[0]] < graph.depths[state]
        )
        moves.insert(0, move)
        state = before
    return moves


def test_a_room_where_a_bar_turns() -> None:
    hard, loose = (explore(room(3, 2), turns=turns) for turns in (0, 0.036))
    assert (len(hard.states), hard.exits) == (3, ())
    assert (len(loose.states), loose.exits) == (4, (3,))
    [turn] = (move for move in loose.edges.values() if isinstance(move, Rotation))
    assert abs(turn.quarters) == 1
    assert all(isinstance(place, Placement) for state in loose.states for place in state)
    text = loose.to_graphml()
    assert f"turned by {turn.quarters} about z at (5, 5, 0)" in text
    assert "0:0,0,0 0:0,1,0</data>" in text


@pytest.fixture
def fixed_pivots(monkeypatch: pytest.MonkeyPatch) -> None:
    """No moving pivots, which the plain twin does not know."""
    monkeypatch.setattr("kumitate.search.disassemble.CLEARANCE", 0)


@pytest.mark.usefixtures("fixed_pivots")
def test_without_turns_it_is_the_graph_of_slides() -> None:
    slides = explore(room(4, 1))
    assert len(slides.states) == 8
    assert all(isinstance(move, Move) for move in slides.edges.values())
    assert len(explore(room(4, 1), turns=0).states) == 16


@pytest.mark.usefixtures("fixed_pivots")
@pytest.mark.parametrize("tolerance", [0, 50])
@pytest.mark.parametrize("first", range(0, 40, 10))
def test_a_plain_search_agrees(first: int, tolerance: int) -> None:
    for assembly in map(random_scene, range(first, first + 10)):
        ending, moves, states = plain_turns.separation(assembly, tolerance, 60)
        if ending == "limit":
            continue
        graph = explore(assembly, turns=tolerance / 1000)
        if ending == "apart":
            assert 1 + min(graph.depths[n] for n in graph.exits) == moves
        else:
            assert (graph.exits, len(graph.states)) == ((), states)


def test_the_referee_replays_the_way_to_an_exit() -> None:
    """Seen from the first piece, which does not move on this way."""
    for assembly in (room(4, 1), key()):
        graph = explore(assembly, turns=0)
        for state in graph.exits:
            way = way_to(graph, state)
            if any(0 in move.pieces for move in way):
                continue
            tries = [Disassembly([*way, Move([1], step, None)]) for step in CUBES.steps]
            assert any(disassembly_faults(assembly, tree) == [] for tree in tries)


def test_routes_are_moves() -> None:
    """The elbow turns in its room only if the pivot moves; the referee judges how."""
    assembly = elbow()
    graph = explore(assembly, turns=0)
    assert min(graph.depths[n] for n in graph.exits) == 1
    assert " about z at " in graph.to_graphml()
    assert ", which moves" in graph.to_graphml()
    [exit] = (n for n in graph.exits if graph.depths[n] == 1)
    [turn] = way_to(graph, exit)
    assert isinstance(turn, Rotation)
    assert turn.route
    assert disassembly_faults(assembly, Disassembly([turn, Move([1], (0, 0, 1), None)])) == []


def test_a_graph_says_that_a_motion_is_unclear() -> None:
    """The piece turns if its faces are set back by 0.003; whether hard pieces can is not known."""
    scene = unclear_scene()
    assert explore(scene, turns=0).unclear
    assert not explore(scene, turns=0.02).unclear


def test_wrong_questions() -> None:
    with pytest.raises(PuzzleError, match="on cubes only"):
        explore(Assembly.from_text(PRISMS, "AB"), turns=0)
    with pytest.raises(PuzzleError, match="tolerance"):
        explore(room(3, 2), turns=0.5)
