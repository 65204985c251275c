"""Six sticks, all that they make, and what designers look for; against assemble and examine."""

import random
from collections import Counter
from pathlib import Path

import pytest

from kumitate import LimitReached, Piece, Problem, PuzzleError, assemble, examine
from kumitate.burr6 import SixPieceBurrs, burr_stick, burr_sticks
from kumitate.burr6.designs import Design, conditions, find_designs
from kumitate.burr6.enumeration import Question
from kumitate.burr6.frame import goal
from kumitate.burr6.saved import BurrRun, run_into
from kumitate.workshop import notchable

SAWN = [stick for stick in burr_sticks() if notchable(stick)]


def plain_census(numbers: tuple[int, ...], length: int = 6) -> tuple[int, int]:
    """The assemblies of six sticks, and how many of them come apart."""
    pieces = [Piece(burr_stick(n, length), number) for n, number in Counter(numbers).items()]
    ends = [examine(assembly) for assembly in assemble(Problem(goal(length=length), pieces))]
    return len(ends), sum(end.disassembly is not None for end in ends)


@pytest.mark.parametrize("length", [6, 10])
def test_a_census_finds_what_assemble_finds(length: int) -> None:
    """Some sets are their own mirror images, some have sticks that are alike."""
    dice = random.Random(length)
    light = [int(stick.name) for stick in burr_sticks() if len(stick) <= 17]
    sets = [tuple(sorted(dice.choices(dice.sample(light, 4), k=6))) for _ in range(12)]
    sets += [(256, 412, 928, 960, 960, 1024), (1024, 1024, 1024, 992, 992, 992)]
    counts = SixPieceBurrs(length=length).census(sets)
    found = [(one.assemblies, one.solutions) for one in counts]
    assert found == [plain_census(numbers, length) for numbers in sets]
    assert sum(assemblies for assemblies, _ in found) > 100


def test_known_burrs() -> None:
    """Love's Dozen: 154 assemblies, 90 come apart (Jerry McFarland).

    Peter Marineau's Piston Burr is unique, of level 9. So is Bill Cutler's Computer's Choice
    Unique-10, of level 10: it is made of sticks of length 8.
    """
    known = [
        (88, 512, 704, 960, 992, 1008),
        (88, 512, 768, 922, 1008, 1008),
        (624, 702, 768, 883, 1015, 1024),
    ]
    dozen, piston, ten = SixPieceBurrs().census(known)
    assert (dozen.assemblies, dozen.solutions, max(dozen.levels)) == (154, 90, 12)
    assert (piston.assemblies, piston.solutions, piston.levels) == (10, 1, {9: 1})
    assert (ten.assemblies, ten.solutions, ten.levels) == (7, 1, {5: 1})
    [ten] = SixPieceBurrs(length=8).census(known[2:])
    assert (ten.assemblies, ten.solutions, ten.levels) == (7, 1, {10: 1})


def test_unique_notchable_burrs_are_found(tmp_path: Path) -> None:
    burrs = SixPieceBurrs(SAWN)
    run = BurrRun(burrs, Question(complete=True, keep_level=5), (7, 80))
    run = run_into(tmp_path / "run.json", run)
    every = find_designs(run, "")
    assert len(every) == len(run.kept)
    assert [design.level for design in every] == sorted((d.level for d in every), reverse=True)
    told: list[float] = []
    unique = find_designs(run, "unique level>=5 notchable", told.append)
    assert unique == [design for design in every if design.unique] != []
    assert told == sorted(told)
    assert told[-1] == 1
    assert max(design.level for design in unique) == 5  # the highest, says Cutler
    for design in unique[:3]:
        assert plain_census(design.sticks) == (design.assemblies, 1)
        assert design.moves
        assert design.level < (design.fewest or 0) <= design.moves
        cells = sum(len(burr_stick(number)) for number in design.sticks)
        assert design.holes == len(goal()) - cells
    assert all(
        d.holes < 7 and d.moves and d.moves > 9 for d in find_designs(run, "holes<7 moves>9")
    )


def test_the_catalogue_has_unique_burrs(tmp_path: Path) -> None:
    """All of level 7 and more, and all 112 of level 5 that are made of notchable sticks."""
    designs = find_designs(None, "")
    assert all(design.unique and design.length == 6 for design in designs)
    assert Counter(design.level for design in designs) == {9: 183, 8: 2778, 7: 30397, 5: 112}
    sawn = {design.sticks for design in designs if design.notchable}
    assert sawn == {design.sticks for design in designs if design.level == 5}
    chosen = random.Random(1)
    for design in chosen.sample(designs, 3) + chosen.sample(find_designs(None, "notchable"), 3):
        assert plain_census(design.sticks) == (design.assemblies, 1)
    run = BurrRun(SixPieceBurrs(SAWN), Question(complete=True, keep_level=5), (7, 80))
    some = find_designs(run_into(tmp_path / "run.json", run), "unique")
    assert {design.sticks for design in some} < sawn
    assert find_designs(None, "moves>=12") == [d for d in designs if (d.moves or 0) >= 12]


def test_fewest_moves_that_are_not_found_name_the_sticks() -> None:
    """One of the 502 burrs that take 16 moves; trying all separations is too much for it."""
    kinds = (3847, 3140, 3680, 2833, 768, 3240)
    burr = Design((1,) * 6, kinds, 6, 5, 16, holes=7)
    with pytest.raises(LimitReached, match="the fewest moves of 1 1 1 1 1 1 take too many states"):
        print(burr.fewest)


@pytest.mark.parametrize(
    "text", ["Level>=9", "level>9.5", "level", "level>=-1", "unique=1", "x" * 99]
)
def test_conditions_that_are_none(text: str) -> None:
    with pytest.raises(PuzzleError, match="; conditions are unique, notchable, millable, level>=N"):
        conditions(text)


def test_sets_that_are_none() -> None:
    with pytest.raises(PuzzleError, match="give six sticks"):
        SixPieceBurrs().census([(1, 2, 3)])
    with pytest.raises(PuzzleError, match="there is no stick 4097 here"):
        SixPieceBurrs().census([(1, 1, 1, 1, 1, 4097)])
    assert Design((1,) * 6, (0xFFF,) * 6, 6, 1, 5, 0).notchable
