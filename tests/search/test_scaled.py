"""Puzzles drawn at two or three times their scale: the same answers, for about the same work.

Where every cell must be filled, each piece of a scaled puzzle lies on the coarse grid: of all empty
cells the first is the corner of a block, and the piece that covers it begins there with a corner of
its own. So the unscaled puzzle knows the answer.
"""

from dataclasses import replace
from itertools import product
from math import factorial, prod
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.search.boxes import problems

import kumitate
from kumitate import CUBES, Piece, Problem, Shape


def scaled(problem: Problem, factor: int) -> Problem:
    def larger(shape: Shape) -> Shape:
        return kumitate.grids.recast(shape, CUBES, scale=factor)

    pieces = [replace(piece, shape=larger(piece.shape)) for piece in problem.pieces]
    return replace(problem, goal=larger(problem.goal), pieces=pieces)


@settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(problems(), st.sampled_from([2, 3]))
def test_the_unscaled_puzzle_knows_the_answer(problem: Problem, factor: int) -> None:
    assume(problem.grid == CUBES)
    problem = replace(problem, goal=replace(problem.goal, optional=frozenset()))
    large, small = kumitate.count(scaled(problem, factor)), kumitate.count(problem)
    assert (large.assemblies, large.rotations) == (small.assemblies, small.rotations)


BOUNDED = st.tuples(st.integers(60, 140), st.integers(0, 1), st.integers(0, 3))  # bars


@settings(deadline=None, max_examples=60)
@given(st.lists(BOUNDED, min_size=2, max_size=4, unique_by=lambda bar: bar[0]), st.randoms())
def test_bars_of_mixed_sizes_fill_rows_of_more_than_512_cells(
    bars: list[tuple[int, int, int]], chance: Random
) -> None:
    """In any order, so many of each as its bounds allow."""
    uses = list(product(*(range(least, least + room + 1) for _, least, room in bars)))
    uses = [used for used in uses if sum(used) <= 8]
    lengths = [sum(n * bar[0] for n, bar in zip(used, bars, strict=True)) for used in uses]
    long = [length for length in lengths if length > 512]
    assume(long)
    row = chance.choice(long)
    ways = sum(
        factorial(sum(used)) // prod(map(factorial, used))
        for used, length in zip(uses, lengths, strict=True)
        if length == row
    )
    pieces = [
        Piece(Shape(CUBES, {(x, 0, 0, 0) for x in range(length)}), least, least + room)
        for length, least, room in bars
    ]
    goal = Shape(CUBES, {(x, 0, 0, 0) for x in range(row)})
    assert kumitate.count(Problem(goal, pieces), rotations=True).assemblies == ways


@pytest.mark.parametrize(
    ("name", "factor"),
    [("soma", 2), ("soma", 3), ("conway", 2), ("six-piece-burr", 2), ("diabolical-cube", 3)],
)
def test_useless_placements_are_removed_whatever_the_size(name: str, factor: int) -> None:
    problem = kumitate.library[name].problems[0]
    large, small = kumitate.count(scaled(problem, factor)), kumitate.count(problem)
    assert (large.assemblies, large.rotations) == (small.assemblies, small.rotations)
    assert large.nodes <= 1.3 * small.nodes
