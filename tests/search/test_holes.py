"""Few holes in many optional cells, and pieces that may be left out: holes are placed like pieces.

The specification finds the same assemblies; a frontier, which visits none, counts as many.
"""

from itertools import product
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.specification import all_assemblies, classes

from kumitate import CUBES, Piece, Problem, Puzzle, Shape, _core, assemble, count
from kumitate.jobs.work import Desk
from kumitate.model.options import CountOptions, RunOptions
from kumitate.search.assemble import PreparedProblem

SHAPES = [Shape.from_text(CUBES, text) for text in ("##", "###", "##/#.", "#")]


def board(width: int, depth: int, fixed: int, holes: int, bounds: list[tuple[int, int]]) -> Problem:
    cells = [(x, y, 0, 0) for x, y in product(range(width), range(depth))]
    goal = Shape(CUBES, set(cells), optional=set(cells[fixed:]))
    pieces = [
        Piece(shape, low, low + more) for shape, (low, more) in zip(SHAPES, bounds, strict=False)
    ]
    return Problem(goal, pieces, max_holes=holes)


some_bounds = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=4)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 3), st.integers(0, 2), some_bounds, st.booleans())
def test_every_assembly_with_few_holes_is_found_once(
    fixed: int, holes: int, bounds: list[tuple[int, int]], mirrors: bool
) -> None:
    problem = board(3, 3, fixed, holes, bounds)
    wholes = all_assemblies(problem)
    counted = count(problem, mirrors=mirrors)
    assert counted.assemblies == classes(problem, mirrors, False, wholes)
    if counted.assemblies:
        assert len(set(assemble(problem, mirrors=mirrors))) == counted.assemblies
        assert len(set(assemble(problem, rotations=True))) == len(wholes)


@pytest.mark.parametrize("rotations", [True, False])
@pytest.mark.parametrize("holes", [1, 2, 4])
def test_a_frontier_counts_as_many(holes: int, rotations: bool) -> None:
    problem = board(4, 5, 0, holes, [(0, 10), (0, 6)])
    prepared = PreparedProblem(problem, CountOptions(rotations=rotations))
    prepared.prepare()
    search, frontiers = prepared.core.search(), prepared.core.frontier_counts()
    search.skim(10**9)
    while frontiers.run(100_000):
        pass
    totals = [low for _, low in frontiers.totals]
    assert (search.found, search.all) == (sum(totals) // len(totals), totals[0])


def test_the_sparse_search_places_holes_too() -> None:
    """600 optional cells in a row and bars of 199 to 201: one of them lies left, middle and right
    of the two holes at most, wherever those are."""
    goal = {(x, 0, 0, 0) for x in range(600)}
    bars = [Shape(CUBES, {(x, 0, 0, 0) for x in range(n)}) for n in (199, 200)]
    problem = Problem(
        Shape(CUBES, goal, optional=goal), [Piece(bars[0], 0, 3), Piece(bars[1], 0, 3)], max_holes=1
    )
    wholes = {(200, 200, 200): 1, (199, 200, 200): 3 * 4}  # the order of the bars, then the hole
    assert count(problem, rotations=True).assemblies == sum(wholes.values())


def test_placed_holes_are_part_of_the_fingerprint_of_a_run() -> None:
    """So a run from before holes were placed like pieces, whose tree is another, is not resumed."""

    class Before:
        """The core without the placements of holes."""

        def __init__(self, core: _core.Problem, holes: int) -> None:
            self.search, (cells, placements) = core.search, core.size
            self.size = cells, placements - holes

    puzzle = Puzzle.of(board(4, 5, 2, 2, [(0, 10), (0, 6)]))
    desk, old = (Desk(puzzle, 1, RunOptions(rotations=True), "") for _ in range(2))
    old.prepared.core = cast("_core.Problem", Before(old.prepared.core, 18))
    assert old.prepared.core.size[1] == len(old.prepared.table.rows)
    assert desk.fingerprint != old.fingerprint
