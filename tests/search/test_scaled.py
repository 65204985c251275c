"""Puzzles drawn at two or three times their scale: the same answers, for about the same work.

Where every cell must be filled, each piece of a scaled puzzle lies on the coarse grid: of all empty
cells the first is the corner of a block, and the piece that covers it begins there with a corner of
its own. So the unscaled puzzle knows the answer.
"""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests.search.boxes import problems

import kumitate
from kumitate import CUBES, Problem, Shape


def scaled(problem: Problem, factor: int) -> Problem:
    def larger(shape: Shape) -> Shape:
        return kumitate.grids.recast(shape, CUBES, scale=factor)

    pieces = [replace(piece, shape=larger(piece.shape)) for piece in problem.pieces]
    return replace(problem, goal=larger(problem.goal), pieces=pieces)


@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(problems())
def test_the_unscaled_puzzle_knows_the_answer(problem: Problem) -> None:
    assume(problem.grid == CUBES)
    problem = replace(problem, goal=replace(problem.goal, optional=frozenset()))
    large, small = kumitate.count(scaled(problem, 2)), kumitate.count(problem)
    assert (large.assemblies, large.rotations) == (small.assemblies, small.rotations)


@pytest.mark.parametrize(
    ("name", "factor"),
    [("soma", 2), ("soma", 3), ("conway", 2), ("six-piece-burr", 2), ("diabolical-cube", 3)],
)
def test_useless_placements_are_removed_whatever_the_size(name: str, factor: int) -> None:
    problem = kumitate.library[name].problems[0]
    large, small = kumitate.count(scaled(problem, factor)), kumitate.count(problem)
    assert (large.assemblies, large.rotations) == (small.assemblies, small.rotations)
    assert large.nodes <= 1.3 * small.nodes
