"""The states of a solution as the page draws them: a graph, layered by the distance in moves."""

from kumitate.model.errors import PuzzleError
from kumitate.model.solution import Assembly, Move
from kumitate.search.states import explore_near
from kumitate.studio.messages import EdgeData, StatesData

MOST_STATES = 3000  # a few seconds, and as much as a picture can show


def states_data(assembly: Assembly) -> StatesData:
    """The nearest states of an assembly.

    >>> from kumitate.model.grids import CUBES
    >>> box = Assembly.from_text(CUBES, "AAAAA AAAAA AAAAA / AAAAA AB..A AAA.A / AAAAA AAAAA AAAAA")
    >>> found = states_data(box)
    >>> found.depths, found.exits, found.edges[0]
    ([0, 1, 1], [2], EdgeData(ends=(0, 1), moving=[1], step=0, units=1))
    """
    if len(assembly.placements) < 2:
        raise PuzzleError("a single piece has no states")
    graph = explore_near(assembly, max_states=MOST_STATES)
    steps = {step: n for n, step in enumerate(assembly.problem.grid.steps)}
    edges = [
        EdgeData(ends, list(move.pieces), steps[move.step], move.units)
        for ends, move in graph.edges.items()
        if isinstance(move, Move) and move.units is not None
    ]
    return StatesData(
        [list(state) for state in graph.states],  # type: ignore[arg-type]
        list(graph.depths),
        list(graph.exits),
        list(graph.dead_ends) if graph.whole else [],
        edges,
        graph.whole,
    )
