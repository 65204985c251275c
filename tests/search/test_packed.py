"""Assemblies in packed tables, taken apart and listed by the core, are those that values describe.

The twin deals placements out to pieces the plain way: the pins first, then each piece as many as it
needs, then as many as it may have.
"""

import copy
import pickle
from array import array
from collections.abc import Callable
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.search.boxes import problems

import kumitate
from kumitate import CUBES, Assembly, Disassembly, Placement, Problem, PuzzleError, Solution
from kumitate.files.json import encode_solution, solution_frame
from kumitate.model.options import CountOptions, SolveOptions
from kumitate.model.puzzle import find_placement
from kumitate.model.table import PackedRows, PlacementTable, unpack
from kumitate.search.assemble import PreparedProblem
from kumitate.search.disassemble import Disassembler, Examination
from kumitate.search.solve import Examiner

SLOW = settings(
    deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@st.composite
def with_turned_copies(draw: st.DrawFn) -> Problem:
    """Ruled problems; a piece that is entered twice may be drawn in two turns."""
    problem = draw(problems(ruled=True))
    *others, last = problem.pieces
    turn = draw(st.sampled_from(problem.grid.turns))
    turned = last.shape.turned(turn) if others and last.shape == others[0].shape else None
    if turned is None or any(
        rule.piece == len(others) for rule in (*problem.pinned, *problem.forbidden)
    ):
        return problem
    return replace(problem, pieces=[*others, replace(last, shape=turned)])


def plainly_dealt(table: PlacementTable, names: list[int]) -> list[Placement]:
    problem = table.problem

    def place_of(piece: int, name: int) -> Placement:
        kind, turn, *shift = table.rows[name]
        first = problem.pieces[table.kinds[kind][0]].shape
        placed = Placement(0, turn, tuple(shift)).placed(first)  # type: ignore[arg-type]
        found = find_placement(piece, problem.pieces[piece].shape, placed)
        assert found
        return found

    dealt = []
    left = list(names)
    for pin in sorted(problem.pinned):
        name = table.name(pin)
        if name in left:
            left.remove(name)
            dealt.append(place_of(pin.piece, name))
    for bound in ("min", "max"):
        for number, piece in enumerate(problem.pieces):
            kind = next(k for k, pieces in enumerate(table.kinds) if number in pieces)
            mine = [name for name in left if table.rows[name][0] == kind]
            used = sum(place.piece == number for place in dealt)
            for name in mine[: max(0, getattr(piece, bound) - used)]:
                left.remove(name)
                dealt.append(place_of(number, name))
    assert not left
    return sorted(dealt)


@SLOW
@given(with_turned_copies(), st.booleans())
def test_lines_and_values_are_those_of_the_twin(problem: Problem, distinct: bool) -> None:
    try:
        prepared = PreparedProblem(problem, CountOptions(distinct_copies=distinct))
    except PuzzleError:
        assume(False)
    prepared.prepare()
    number = 1
    for packed in prepared.found(1, True, None):
        text = b""
        for row in range(packed.rows):
            plain = plainly_dealt(prepared.table, unpack(packed.row(row), packed.width))
            assembly = Assembly(problem, plain)
            assert prepared.assembly_in(packed, row) == assembly
            text += encode_solution(Solution(assembly, assembly_number=number + row))
        assert prepared.lines(packed, number, solution_frame()) == text
        number += packed.rows


@SLOW
@given(with_turned_copies(), st.booleans(), st.booleans(), st.sampled_from([None, 1, 3, 50]))
def test_together_they_come_apart_as_they_do_one_by_one(
    problem: Problem, fine: bool, coordinate: bool, max_states: int | None
) -> None:
    try:
        every = list(kumitate.assemble(problem, thorough=fine))
    except PuzzleError:
        assume(False)
    found = kumitate.examine_all(
        problem,
        disassemble=True,
        thorough=fine,
        fine=fine,
        coordinate=coordinate,
        max_states=max_states,
    )
    alone = Disassembler(
        problem, SolveOptions(fine=fine, coordinate=coordinate, max_states=max_states)
    )
    assert list(found) == [alone.examine(assembly) for assembly in every]


@SLOW
@given(problems(), st.integers(1, 200))
def test_a_budget_of_states_is_spent_one_by_one(problem: Problem, budget: int) -> None:
    try:
        prepared = PreparedProblem(problem)
    except PuzzleError:
        assume(False)
    prepared.prepare()
    examiner = Examiner(prepared, SolveOptions(disassemble=True))
    seen = examiner.examine(prepared.found(1, True, None), budget=budget)
    alone = Disassembler(problem)
    for one, assembly in zip(seen, kumitate.assemble(problem), strict=True):
        expected = alone.examine(assembly, budget=max(1, budget))
        budget -= expected.states
        if budget < 0:
            expected = Examination(assembly, "limit", expected.states)
        assert one == expected


def solutions() -> list[Solution]:
    return list(kumitate.solve(kumitate.library["six-piece-burr"].problems[0], disassemble=True))


def test_a_lazy_value_is_a_value_like_any_other() -> None:
    assert solutions() == solutions()
    assert set(solutions()) == set(solutions())
    for lazy in solutions()[::20]:
        assembly, tree = lazy.assembly, lazy.disassembly
        assert tree
        whole = Solution(
            Assembly(assembly.problem, assembly.placements),
            Disassembly(tree.moves, tree.left, tree.removed),
            None,
            lazy.assembly_number,
            lazy.solution_number,
        )
        assert whole == lazy
        assert repr(whole) == repr(lazy)
        assert whole.levels == Disassembly(tree.moves, tree.left, tree.removed).levels


def test_unread_values_survive_pickling_and_copying() -> None:
    ways: list[Callable[[Solution], Solution]] = [
        copy.copy,
        copy.deepcopy,
        lambda value: pickle.loads(pickle.dumps(value)),
    ]
    for way in ways:
        assert [way(solution) for solution in solutions()[:9]] == solutions()[:9]
    renamed = replace(solutions()[0].assembly, problem=kumitate.library["soma"].problems[0])
    assert renamed.placements == solutions()[0].assembly.placements
    assert not hasattr(solutions()[0].assembly, "nothing")


def test_solutions_do_not_wait_for_a_long_search_behind_them() -> None:
    """Of three assemblies in one table the last is a tray with blocks that never come out."""
    cells = [(x, y, 0, 0) for x in range(3) for y in range(4)]
    around = {(x, y, z, 0) for x in range(-1, 4) for y in range(-1, 5) for z in (-1, 0, 1)}
    tray = kumitate.Shape(CUBES, around - set(cells))
    block = kumitate.Shape(CUBES, {(0, 0, 0, 0)})
    goal = kumitate.Shape(CUBES, around | set(cells), optional=set(cells))
    problem = Problem(goal, [kumitate.Piece(tray), kumitate.Piece(block, 0, 10)])
    prepared = PreparedProblem(problem)
    prepared.prepare()
    [whole] = [name for name, row in enumerate(prepared.table.rows) if row[0] == 0]
    few = [
        name for name, row in enumerate(prepared.table.rows) if row[0] and (*row[2:], 0) in cells
    ]
    blank = 2**32 - 1
    rows = [[whole] + [blank] * 10, [whole] + [blank] * 10, [whole, *few[:10]]]
    names = array("I", chain.from_iterable(rows)).tobytes()

    def stop(states: int) -> None:
        raise InterruptedError

    examiner = Examiner(prepared, SolveOptions(disassemble=True))
    found = examiner.examine([PackedRows(names, 3, 11)], progress=stop)
    next(found), next(found)
    with pytest.raises(InterruptedError):
        next(found)
