"""A search is a value: run, save, load, split, resume, cancel, in any order, change nothing.

Each example plays with the searches of one problem at random, then runs every part to its end.
What the parts found, joined in the order of the tree, is what one plain run finds; counts too.
"""

from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.unpacked import unpacked

import kumitate
from kumitate import CUBES, Piece, Problem, Shape, _core
from kumitate.search.assemble import PreparedProblem

ALL = 2**40  # nodes
ACTIONS = ("run", "packed", "skim to save", "cancel", "split", "swap", "refuse", "estimate")


def row_of_bars() -> Problem:
    """520 cells in a row, too many for masks, and five bars: the search is the sparse one."""
    bars = [Shape(CUBES, {(x, 0, 0, 0) for x in range(n)}) for n in (90, 97, 104, 111, 118)]
    goal = Shape(CUBES, {(x, 0, 0, 0) for x in range(520)})
    return Problem(goal, [Piece(bar) for bar in bars])


@cache
def core(kind: str) -> _core.Problem:
    """A problem with some hundred assemblies; lists of masks, or sparse columns.

    On the flat board the search comes to so many nodes that it remembers those that are dead.
    """
    names = {"lists": "soma", "flat": "pentominoes/4x15"}
    problem = kumitate.library[names[kind]].problems[0] if kind in names else row_of_bars()
    made = PreparedProblem(problem).core
    made.prepare(0, True, True, kind in names, False)
    assert (made.size[0] > 512) == (kind == "sparse")
    return made


@dataclass
class Part:
    """A part of the tree, and what it found."""

    search: _core.Search
    found: list[list[int]] = field(default_factory=list)


@cache
def plain(kind: str) -> tuple[list[list[int]], int, int, int]:
    search, found = core(kind).search(), []
    while not search.done:  # step by step, so that nothing is skipped
        found += unpacked(search.run(1))
    return found, search.nodes, search.found, search.all


def act(kind: str, parts: list[Part], action: str, which: int, amount: int) -> None:
    part = parts[which % len(parts)]
    match action:
        case "run":
            part.found += unpacked(part.search.run(amount))
        case "packed":
            part.found += unpacked(part.search.run(amount, 1, 4))
        case "skim to save":  # search on elsewhere; what was saved knows nothing of it
            saved = part.search.save()
            part.search.skim(amount)
            part.search.load(saved)
        case "cancel":  # drop the search: only its state survives
            saved = part.search.save()
            part.search = core(kind).search()
            part.search.load(saved)
        case "split":
            half = part.search.split()
            if half is not None:
                other = core(kind).search()
                other.load(half)
                parts.insert(which % len(parts) + 1, Part(other))
        case "swap":  # a search may stand anywhere
            other = parts[amount % len(parts)].search
            mine, its = part.search.save(), other.save()
            part.search.load(its)
            other.load(mine)
            parts[amount % len(parts)].search, part.search = part.search, other
        case "refuse":
            saved = part.search.save()
            with pytest.raises(ValueError, match="state"):
                part.search.load(saved + b"\xff" * 8 if amount % 2 else saved[:-1])
            part.search.load(saved)
        case "estimate":
            part.search.weigh(core(kind).search().estimate())
            assert 0 <= part.search.left <= 1.000001


# Half of the actions run or split, so that there are several parts, each somewhere else.
OFTEN = st.sampled_from(["run", "split"]) | st.sampled_from(ACTIONS)
PLAYS = st.lists(st.tuples(OFTEN, st.integers(0, 9), st.integers(1, 60)), min_size=8, max_size=30)


@pytest.mark.parametrize("kind", ["lists", "sparse", "flat"])
@settings(deadline=None, max_examples=40)
@given(plays=PLAYS)
def test_any_order_of_calls_gives_what_a_plain_run_gives(
    kind: str, plays: list[tuple[str, int, int]]
) -> None:
    parts = [Part(core(kind).search())]
    for action, which, amount in plays:
        act(kind, parts, action, which, amount * (500 if kind == "flat" else 1))
    for part in parts:
        part.found += unpacked(part.search.run(ALL))
        assert part.search.done
    together = (
        [names for part in parts for names in part.found],
        sum(part.search.nodes for part in parts),
        sum(part.search.found for part in parts),
        sum(part.search.all for part in parts),
    )
    assert together == plain(kind)


def test_nobody_can_tell_that_dead_nodes_are_skipped() -> None:
    """Wherever a search pauses, it stands where one stands that goes step by step."""
    search, steps, random = core("flat").search(), core("flat").search(), Random(4)
    while not search.done:
        search.skim(random.choice((1, 100, 30_000)))
        while not steps.done and steps.nodes < search.nodes:
            steps.skim(1)
        if not search.done:
            assert steps.save() == search.save()
    while not steps.done:
        steps.skim(1)
    assert steps.nodes == search.nodes > 50_000


def test_a_node_of_which_half_was_given_away_is_not_taken_for_dead() -> None:
    """One search does all parts, so it remembers what it saw of the others."""
    search, found, nodes = core("flat").search(), 0, 0
    search.skim(15_000)
    waiting = [search.save()]
    while waiting:
        search.load(waiting.pop())
        while not search.done:
            search.skim(100)
            for _ in range(20):  # from the top down to the last few
                half = search.split()
                waiting += [half] if half else []
        found, nodes = found + search.found, nodes + search.nodes
    assert (nodes, found) == plain("flat")[1:3]


@settings(deadline=None, max_examples=40)
@given(slices=st.lists(st.integers(1, 400)))
def test_a_count_by_frontiers_may_pause_anywhere(slices: list[int]) -> None:
    board = Shape(CUBES, {(x, y, 0, 0) for x in range(4) for y in range(6)})
    domino = Piece(Shape(CUBES, {(0, 0, 0, 0), (1, 0, 0, 0)}), 12)
    made = PreparedProblem(Problem(board, [domino])).core
    made.prepare(0, True, True)
    whole, parts = made.frontier_counts(), made.frontier_counts()
    while whole.run(ALL):
        pass
    for states in slices:
        parts.run(states)
    while parts.run(7):
        pass
    assert parts.done
    assert (parts.totals, parts.states) == (whole.totals, whole.states)
    assert whole.totals[0] == (0, 281)  # ways of 12 dominoes on a board of 4 by 6
