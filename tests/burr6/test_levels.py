"""Levels by other definitions, longer sticks, and burrs taken apart to the end.

Random burrs go past the plain twin, which shares no code with the search, and past the general
search.
"""

import os
import random
from array import array
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest
from bench.analysis_matrix import cells_of, seems_to_come_apart
from tests.burr6 import plain_levels

from kumitate import PuzzleError, _core, examine, shortest
from kumitate.burr6 import SixPieceBurrs, burr_stick, burr_sticks
from kumitate.burr6.counts import (
    LEVELS_BY,
    STUCK,
    BurrCounts,
    BurrEnding,
    BurrOutcome,
    LevelBy,
    outcome_of,
)
from kumitate.burr6.enumeration import Question, mirror_of
from kumitate.burr6.frame import goal, turns
from kumitate.workshop import notchable

SOAK = "KUMITATE_SOAK" in os.environ
MANY, SOME = (100_000, 5_000) if SOAK else (300, 25)  # for the general search, and the twin
LENGTHS = (6, 8, 10, 12)
TEN = [1487, 2465]  # tasks of notchable sticks
SAWN = [int(stick.name) for stick in burr_sticks() if notchable(stick)]


@cache
def sawn(length: int) -> SixPieceBurrs:
    return SixPieceBurrs([burr_stick(number, length) for number in SAWN], length=length)


Drawn = tuple[SixPieceBurrs, list[int], BurrEnding, BurrOutcome]


def random_burrs(length: int, seed: int, by: LevelBy = "move") -> Iterator[Drawn]:
    """Burrs that come apart, with their level and what becomes of them; a few of each level.

    They are made of a few random sticks, which are light, so that there are some.
    """
    dice = random.Random(seed)
    light = [int(stick.name) for stick in burr_sticks() if len(stick) <= 18]
    while True:
        numbers = {*dice.sample(light, 4)}
        numbers |= {*map(mirror_of, numbers)}
        burrs = SixPieceBurrs([burr_stick(number, length) for number in numbers], length=length)
        tasks = array("I", burrs.tasks)
        levels: dict[tuple[int, ...], BurrEnding] = {}
        for kinds, level, *_ in burrs.core.run(tasks, by=_core.LevelBy[by], least=1)[-1]:
            levels[*kinds] = level
        by_level: dict[int, list[tuple[list[int], BurrOutcome]]] = {}
        for kinds, level, code, _ in burrs.core.run(tasks, complete=True, least=1)[-1]:
            by_level.setdefault(level, []).append((kinds, outcome_of(level, code)))
        for some in by_level.values():
            for kinds, outcome in dice.sample(some, min(6, len(some))):
                yield burrs, kinds, levels.get((*kinds,), "stuck"), outcome


def random_stuck_burrs(length: int, seed: int) -> Iterator[tuple[SixPieceBurrs, list[int], int]]:
    """Burrs that move but never come apart, and how far two sticks get apart; the farthest first.

    Cutler has two more burrs that come apart than we: if they exist, they are among these.
    """
    dice = random.Random(seed)
    light = [int(stick.name) for stick in burr_sticks() if len(stick) <= 17]
    while True:
        numbers = {*dice.sample(light, 5)}
        numbers |= {*map(mirror_of, numbers)}
        burrs = SixPieceBurrs([burr_stick(number, length) for number in numbers], length=length)
        met = set[tuple[int, ...]]()
        for far in range(6, 0, -1):
            _, kept = burrs.answer(Question(keep_far=far), burrs.tasks)
            fresh = [burr.kinds for burr in kept if (*burr.kinds,) not in met]
            assert all(burr.ending == STUCK for burr in kept)
            assert len(kept) == len(met) + len(fresh)
            met |= {(*kinds,) for kinds in fresh}
            for kinds in dice.sample(fresh, min(8, len(fresh))):
                yield burrs, [*kinds], far


def as_sticks(burrs: SixPieceBurrs, kinds: list[int]) -> list[plain_levels.Stick]:
    there = [turns()[0][turn] for turn in burrs.core.places]
    return [(turn, kind, burrs.length) for turn, kind in zip(there, kinds, strict=True)]


# ---- the plain twin ----


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("by", LEVELS_BY)
def test_levels_are_those_of_the_plain_twin(length: int, by: LevelBy) -> None:
    seen = Counter[BurrEnding]()
    for burrs, kinds, level, _ in islice(random_burrs(length, 5, by), SOME):
        assert plain_levels.level(as_sticks(burrs, kinds), by) == level, kinds
        seen[level] += 1
        plain_levels.forget()
    assert len(seen) > 2
    assert burrs.ending(kinds, level_by=by) == level


@pytest.mark.parametrize("length", LENGTHS)
def test_what_is_stuck_is_so_in_the_plain_twin(length: int) -> None:
    seen = Counter[int]()
    for burrs, kinds, far in islice(random_stuck_burrs(length, 2), SOME):
        sticks = as_sticks(burrs, kinds)
        assert plain_levels.level(sticks) == "stuck", kinds
        assert plain_levels.farthest_apart(sticks) == far, kinds
        seen[far] += 1
        plain_levels.forget()
    assert len(seen) > 1


@pytest.mark.parametrize("length", LENGTHS)
def test_outcomes_are_those_of_the_plain_twin(length: int) -> None:
    for burrs, kinds, level, outcome in islice(random_burrs(length, 9), SOME):
        sticks = as_sticks(burrs, kinds)
        moves = plain_levels.total(sticks, ((0, 0, 0),) * 6)
        clumps = tuple(reversed(plain_levels.clumps(sticks)))
        assert outcome == (level, moves, clumps), kinds
        plain_levels.forget()


def test_what_is_remembered_from_one_burr_to_the_next_changes_nothing() -> None:
    for burrs, kinds, level, outcome in islice(random_burrs(6, 4), 60):
        assert (burrs.ending(kinds), burrs.outcome(kinds)) == (level, outcome)


# ---- the general search ----


@pytest.mark.parametrize("length", LENGTHS)
def test_what_is_stuck_is_so_in_the_general_search(length: int) -> None:
    for burrs, kinds, _ in islice(random_stuck_burrs(length, 8), MANY):
        assert examine(burrs.assembly(kinds)).disassembly is None


@pytest.mark.parametrize("length", LENGTHS)
def test_what_comes_apart_completely_does_so_in_the_general_search(length: int) -> None:
    """It may take another nearest separation, and then needs as many moves in all, or more."""
    ends = Counter[bool]()
    for burrs, kinds, _, outcome in islice(random_burrs(length, 7), MANY):
        found = examine(burrs.assembly(kinds))
        if outcome.moves is None:
            assert found.disassembly is None
            assert len(found.part) in outcome.clumps
        else:
            assert found.disassembly is not None
            levels = found.disassembly.levels
            assert levels.moves == outcome.level
            assert levels.total >= outcome.moves
            ends[levels.total == outcome.moves] += 1
    assert ends[True] > 10 * ends[False]


def test_no_way_is_shorter_than_the_shortest() -> None:
    for burrs, kinds, _, outcome in islice(random_burrs(6, 3), 20):
        found = shortest(burrs.assembly(kinds))
        assert (found is None) == (outcome.moves is None)
        assert found is None or found.levels.total <= (outcome.moves or 0)


# ---- what holds for all ----


@pytest.mark.parametrize("number", [11, 58, 1100])
def test_a_definition_that_allows_less_never_needs_fewer_moves(number: int) -> None:
    burrs = sawn(6)
    tasks = burrs.tasks[number::1300]
    plain, axis, unit, piece = (burrs.run(tasks, level_by=by) for by in LEVELS_BY)
    assert plain.once["rigid"] == piece.once["rigid"]
    assert axis.once["stuck"] == plain.once["stuck"] == unit.once["stuck"] <= piece.once["stuck"]

    def moves(counts: BurrCounts) -> int:
        return sum(level * count for level, count in counts.levels.items())

    assert moves(axis) <= moves(plain) <= moves(unit)
    longer = [sawn(length).run(tasks) for length in LENGTHS]
    apart = [sum(counts.levels.values()) for counts in longer]
    assert apart == sorted(apart, reverse=True)


def test_outcomes_add_up_to_levels() -> None:
    burrs = sawn(6)
    counts = burrs.run(burrs.tasks[::300], complete=True)
    by_level = Counter[int]()
    for outcome, (once, _) in counts.outcomes.items():
        by_level[outcome.level] += once
    assert by_level == counts.levels == burrs.run(burrs.tasks[::300], threads=3).levels
    assert counts.mirrors == burrs.run(burrs.tasks[::300]).mirrors
    assert all((o.moves is None) == bool(o.clumps) for o in counts.outcomes)


def test_a_comparison_counts_what_a_run_for_each_variant_counts() -> None:
    """What is known of a burr from those with lighter sticks never changes a count."""
    light = [int(stick.name) for stick in burr_sticks() if len(stick) <= 17]
    some = random.Random(3).sample(light, 24)
    for numbers, every in ((SAWN, 400), ({*some, *map(mirror_of, some)}, 9)):
        of = {
            length: SixPieceBurrs([burr_stick(n, length) for n in numbers], length=length)
            for length in LENGTHS
        }
        tasks = of[6].tasks[::every]
        found = of[6].run(tasks, complete=True, compare=True, threads=2)
        plain = of[6].run(tasks, complete=True)
        assert (found.once, found.mirrors) == (plain.once, plain.mirrors)
        assert found.outcomes == plain.outcomes
        alone: dict[str, BurrCounts] = {by: of[6].run(tasks, level_by=by) for by in LEVELS_BY[1:]}
        alone |= {f"length {length}": of[length].run(tasks) for length in LENGTHS[1:]}
        assert found.compared == {
            name: {ending: (counts.once[ending], counts.mirrors[ending]) for ending in counts.once}
            for name, counts in alone.items()
        }
        assert plain.once["stuck"] < alone["length 8"].once["stuck"]


def test_two_notchable_burrs_of_level_10_have_long_sticks() -> None:
    """As Cutler wrote in 1988: neither is unique, one has 9 holes and one 11."""
    for length, levels in ((6, {}), (10, {10: 2})):
        burrs = sawn(length)
        some = burrs.tasks if SOAK else TEN
        found = list(burrs.apart(some, level=10))
        assert Counter(burr.level for burr in found) == levels
    cells = [
        sum(len(assembly.problem.pieces[placed.piece].shape) for placed in assembly.placements)
        for assembly, _, _ in found
    ]
    assert sorted(len(goal(length=10)) - number for number in cells) == [9, 11]


def test_loves_dozen_takes_18_moves_in_all() -> None:
    burrs = SixPieceBurrs()
    [(kinds, *_)] = burrs.core.run(array("I", [522816]), least=11)[-1]
    assert burrs.outcome(kinds) == BurrOutcome(12, 18)


# ---- wrong questions ----


def test_what_cannot_be_asked() -> None:
    for length in (4, 7, 14, -6):
        with pytest.raises(PuzzleError, match="long; use 6, 8, 10 or 12"):
            SixPieceBurrs(length=length)
    with pytest.raises(PuzzleError, match=r"at least 0 and less than 0\.5"):
        sawn(8).run([0], turns=0.5)
    with pytest.raises(PuzzleError, match='need level_by="move"'):
        sawn(6).run([0], turns=0, level_by="unit")
    with pytest.raises(PuzzleError, match='need level_by="move"'):
        sawn(6).run([0], complete=True, level_by="unit")
    with pytest.raises(PuzzleError, match='need level_by="move"'):
        sawn(6).run([0], compare=True, level_by="unit")
    with pytest.raises(PuzzleError, match="needs sticks of length 6"):
        sawn(8).run([0], compare=True)
    with pytest.raises(PuzzleError, match="leave out turns="):
        sawn(6).run([0], compare=True, turns=0)
    with pytest.raises(PuzzleError, match="levels cannot be counted by 'hour'; use move, axis"):
        sawn(6).run([0], level_by="hour")  # type: ignore[arg-type]
    with pytest.raises(PuzzleError, match="threads 0: it must be"):
        sawn(6).run([0], threads=0)
    assert sawn(6).core.ending([0xFFF] * 6) != STUCK


# ---- Cutler's two burrs more ----


def test_a_small_grid_opens_burrs_that_are_stuck() -> None:
    """Two sticks get 4 cells apart here: too far for a grid of 12 cells, but not for one of 14."""
    burrs = SixPieceBurrs()
    _, kept = burrs.answer(Question(keep_far=4), [520140])
    for burr in kept[:3]:
        sticks = cells_of(burrs, burr.kinds)
        assert any(seems_to_come_apart(sticks, 12, still) for still in range(6))
        assert not any(seems_to_come_apart(sticks, 14, still) for still in range(6))
        assert examine(burrs.assembly(burr.kinds)).disassembly is None
    assert len(kept) == 12
