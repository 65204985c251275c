"""Six-piece burrs, against the numbers that Bill Cutler published and the general search."""

import os
import random
import re
from array import array
from collections import Counter
from pathlib import Path

import pytest
from tests.search import plain_apart

from kumitate import CUBES, Assembly, Piece, Problem, PuzzleError, Shape, assemble, examine, library
from kumitate.burr6 import burr_stick, burr_sticks, kaenel_number
from kumitate.burr6.counts import BurrEnding
from kumitate.burr6.enumeration import SixPieceBurrs
from kumitate.burr6.solid import solid_burrs
from kumitate.referee import assembly_faults, disassembly_faults
from kumitate.workshop import notchable

PAGE = (Path(__file__).parents[2] / "docs/six-piece-burr.md").read_text("utf-8")
TABLE = {
    name.strip("*"): tuple(int(n.replace(",", "").strip("*")) for n in counts)
    for name, *counts in re.findall(
        r"^\| ([^|]+) \| ([\d,*]+) \| ([\d,*]+) \|$", PAGE, re.MULTILINE
    )
}
NO_WAY = ("rigid", "stuck")
SAWN = [stick for stick in burr_sticks() if notchable(stick)]
FEW = [piece.shape for piece in library["six-piece-burr"].problems[0].pieces]  # 25 of these


def mirrored(stick: Shape) -> Shape:
    return Shape(CUBES, {(-x, y, z, tile) for x, y, z, tile in stick.cells})


def with_mirror_images(numbers: list[int]) -> list[Shape]:
    sticks = [burr_stick(number) for number in numbers]
    return sticks + [mirrored(stick) for stick in sticks]


def ending_of(assembly: Assembly) -> BurrEnding:
    """What the general search says becomes of it; the level, or why there is none."""
    found = examine(assembly)
    if found.disassembly:
        return found.disassembly.levels.moves
    if len(found.part) < 6:  # the first separation succeeds, a later one does not
        level = plain_apart.level(assembly)
        assert isinstance(level, int)
        return level
    assert found.ending in ("rigid", "stuck")
    return found.ending


# ---- the numbers of the literature ----


def test_there_are_as_many_assemblies_as_cutler_counts() -> None:
    """In A Computer Analysis of All 6-Piece Burrs (1994); mirror images are the same there."""
    burrs = SixPieceBurrs()
    assert (len(burrs.sticks), burrs.ways) == (837, 2225)
    assert burrs.count() == 35_657_131_235


def test_all_assemblies_of_notchable_sticks_are_visited() -> None:
    """Cutler, Holey 6-Piece Burr, addendum of 1988: 13,354,991 essentially different ones."""
    burrs = SixPieceBurrs(SAWN)
    found = burrs.run()
    assert found.assemblies == burrs.count() == 13_354_991
    assert sum(found.mirrors.values()) == burrs.count(mirrors=True)


def test_25_notchable_sticks_make_314_solid_burrs() -> None:
    """Cutler, The Six-Piece Burr (1978), where mirror images are apart."""
    found = solid_burrs(SAWN)
    assert found.solutions[1] == 314
    assert set(found.sticks) == {kaenel_number(stick) for stick in FEW}
    assert len(found.sticks) == 25


@pytest.mark.skipif("KUMITATE_SOAK" not in os.environ, reason="40 seconds; set KUMITATE_SOAK=1")
def test_369_sticks_make_119979_solid_burrs() -> None:
    """Cutler and Arthur Cross, as told in the same article."""
    found = solid_burrs()
    assert found.solutions[1] == 119_979
    assert len(found.sticks) == 369
    assert sum(notchable(burr_stick(number)) for number in found.sticks) == 59
    assert found.counts.levels == {1: found.solutions[0] + found.partly[0]}
    assert found.levels == {name: told for name, told in TABLE.items() if name[0].isdigit()}


def test_the_table_of_all_burrs_has_all_burrs() -> None:
    """It takes more than an hour to make, so only its sums are looked at, and one part of it."""
    burrs = SixPieceBurrs()
    ends = {name: told for name, told in TABLE.items() if name.startswith(("level", *NO_WAY))}
    once, mirrors = (sum(column) for column in zip(*ends.values(), strict=True))
    assert (once, mirrors) == TABLE["in all"] == (burrs.count(), burrs.count(mirrors=True))
    apart = zip(*(told for name, told in ends.items() if name not in NO_WAY), strict=True)
    assert tuple(sum(column) for column in apart) == TABLE["come apart, at least partly"]
    named = {name if name in NO_WAY else int(name.split()[1]) for name in ends}
    assert set(burrs.run(burrs.tasks[522816:522817]).once) <= named
    assert max(level for level in named if isinstance(level, int)) == 12  # and none of 11: Cutler
    assert 11 not in named


def test_loves_dozen_is_the_burr_of_level_12() -> None:
    """154 assemblies, 90 of which come apart, and one with twelve moves: Jerry McFarland's note."""
    [burr] = SixPieceBurrs().apart([522816], level=10)
    sticks = [burr.assembly.problem.pieces[p.piece].shape for p in burr.assembly.placements]
    problem = Problem(burr.assembly.problem.goal, [Piece(stick) for stick in sticks])
    ends = [examine(assembly) for assembly in assemble(problem)]
    levels = [end.disassembly.levels.moves for end in ends if end.disassembly]
    assert (len(ends), len(levels), levels.count(12)) == (154, 90, 1)
    assert burr.level == max(levels) == 12


# ---- the general search ----


@pytest.mark.parametrize("seed", [0, 1, 2, 6, 8])
def test_few_sticks_make_the_burrs_that_assemble_finds(seed: int) -> None:
    """Light sticks, so that many burrs come apart; a few hundred of them."""
    dice = random.Random(seed)
    light = [int(stick.name) for stick in burr_sticks() if len(stick) <= 16]
    burrs = SixPieceBurrs(with_mirror_images(dice.sample(light, 3)))
    found = burrs.run()
    assert found.assemblies == burrs.count() > 100
    assert found.once == Counter(map(ending_of, assemble(burrs.problem)))
    assert found.mirrors == Counter(map(ending_of, assemble(burrs.problem, mirrors=True)))


def test_levels_are_those_of_the_general_search() -> None:
    burrs = SixPieceBurrs()
    dice = random.Random(3)
    judged = Counter[int]()
    while sum(judged.values()) < 300:
        tasks = array("I", dice.sample(burrs.tasks, 5))
        by_level: dict[int, list[list[int]]] = {}
        for kinds, level, *_ in burrs.core.run(tasks, least=1)[-1]:
            by_level.setdefault(level, []).append(kinds)
        for level, some in by_level.items():
            for kinds in dice.sample(some, min(20, len(some))):
                assembly = burrs.assembly(kinds)
                found = examine(assembly)
                assert assembly_faults(assembly) == []
                if found.disassembly:
                    assert disassembly_faults(assembly, found.disassembly) == []
                    assert found.disassembly.levels.moves == level
                else:
                    assert len(found.part) < 6  # partly
                judged[level] += 1
    assert set(judged) >= {1, 2, 3, 4}


def test_a_plain_search_agrees() -> None:
    burrs = SixPieceBurrs(FEW)
    some = list(burrs.apart(burrs.tasks[::40], level=2))
    for assembly, level, _ in random.Random(1).sample(some, 5):
        assert plain_apart.level(assembly) == level


# ---- tasks ----


def test_tasks_add_up() -> None:
    burrs = SixPieceBurrs(FEW)
    parts = [burrs.run(burrs.tasks[part::3]) for part in range(3)]
    whole, together = burrs.run(), parts[0] + parts[1] + parts[2]
    assert (together.once, together.mirrors) == (whole.once, whole.mirrors)


def test_a_sample_tells_the_whole_within_its_errors() -> None:
    burrs = SixPieceBurrs(FEW)
    whole, told = burrs.run(), burrs.sample(300, seed=1)
    estimates = [(told.assemblies, burrs.count()), (told.apart, sum(whole.levels.values()))]
    estimates += [(told.endings[e], whole.once[e]) for e in ("rigid", "stuck", 1, 2, 3)]
    for (value, error), truth in estimates:
        assert abs(value - truth) < 4 * error < truth
    assert burrs.sample(300, seed=1).endings == told.endings


def test_progress_only_grows() -> None:
    told = list[tuple[float, int]]()
    burrs = SixPieceBurrs(FEW)
    burrs.run(progress=lambda done, counts: told.append((done, counts.assemblies)))
    assert told == sorted(told)
    assert told[-1][0] == pytest.approx(1)
    assert told[-1][1] == burrs.count()


# ---- wrong questions ----


def test_what_cannot_be_asked() -> None:
    with pytest.raises(PuzzleError, match="'2x1' is not a stick of the six-piece burr"):
        SixPieceBurrs([Shape.from_text(CUBES, "##", name="2x1")])
    with pytest.raises(PuzzleError, match="not a stick of the six-piece burr"):
        SixPieceBurrs([burr_stick(256, length=8)])
    chiral = next(s for s in burr_sticks() if kaenel_number(mirrored(s)) != int(s.name))
    with pytest.raises(PuzzleError, match=f"mirror image of stick {chiral.name} is missing; add "):
        SixPieceBurrs([chiral])
    with pytest.raises(PuzzleError, match="the list of sticks is empty"):
        SixPieceBurrs([])
    with pytest.raises(PuzzleError, match="tasks are numbered 0 to "):
        SixPieceBurrs([burr_stick(256)]).run([99])
    with pytest.raises(PuzzleError, match="these sticks make no burr"):
        SixPieceBurrs([burr_stick(1)]).sample(5)
    with pytest.raises(PuzzleError, match="solid burrs can only be counted by visiting"):
        SixPieceBurrs(solid=True).count()
    for tasks in (-3, 0, 1):
        with pytest.raises(PuzzleError, match=f"a sample of {tasks} is too small"):
            SixPieceBurrs(FEW).sample(tasks)
    for level in (0, 30, 300):
        with pytest.raises(PuzzleError, match=f"level {level}: it must be"):
            next(SixPieceBurrs(FEW).apart(level=level))
