"""Designs are what was asked for, ever better ones, and the same for the same seed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import kumitate
from kumitate import CUBES, Assembly, PuzzleError, Shape
from kumitate.designer import Cuts, Design
from kumitate.designer.design import Niche, Score, brief_for, improvements
from kumitate.designer.engine import Candidate, Progress
from kumitate.model.wish import Wish
from kumitate.referee import assembly_faults, disassembly_faults
from kumitate.search.disassemble import examine


def named(found: Iterator[Design]) -> list[tuple[Any, ...]]:
    return [(d.candidate.pieces, str(d.levels), d.sample) for d in found]


def test_designs_get_better_and_better_and_are_right() -> None:
    best: Score = ()
    found = list(kumitate.design("4x4x4", pieces=4, unique=True, smallest=6, evaluations=60_000))
    assert len(found) > 2
    for design in found:
        assert design.score > best
        best = design.score
        assert design.holes == 1
        assert min(design.sizes) >= 6
        solution = design.solution
        assert solution.disassembly
        assert assembly_faults(solution.assembly) == []
        assert disassembly_faults(solution.assembly, solution.disassembly) == []
        again = list(kumitate.solve(design.problem, disassemble=True))
        assert [str(one.levels) for one in again] == [str(design.levels)]
        assert design.puzzle.title == f"4x4x4 in 4 pieces, level {design.levels}"


def test_a_seed_finds_the_same_on_any_number_of_threads() -> None:
    def found(seed: int, threads: int) -> list[tuple[Any, ...]]:
        wish: Any = {"pieces": 3, "holes": 1, "seed": seed}
        return named(kumitate.design("3x3x3", **wish, threads=threads, evaluations=40_000))

    assert found(1, 1) == found(1, 3) != found(2, 1)


def test_a_users_functions_decide() -> None:
    def even(design: Design) -> float:
        return -max(design.sizes)

    def no_small_piece(design: Design) -> bool:
        return min(design.sizes) > 12

    cube = Shape(CUBES, Cuts(box(4), 3).goal.cells, name="cube")
    found = kumitate.design(
        cube, pieces=3, maximise=[even], require=[no_small_piece], evaluations=60_000
    )
    for design in found:
        assert min(design.sizes) > 12
        assert list(design.scores) == ["even", "level", "moves"]
        assert design.scores["even"] == -max(design.sizes)


def box(side: int) -> Shape:
    sides = range(side)
    return Shape(CUBES, {(x, y, z, 0) for x in sides for y in sides for z in sides})


def test_the_archive_keeps_the_best_of_each_niche() -> None:
    """Against a plain twin, on random cuts instead of climbs."""
    brief = brief_for(box(3), Wish(pieces=3, holes=0))
    cuts = Cuts(box(3), 3)

    def drawn(*_: object, **how: Any) -> Iterator[Candidate | Progress]:
        for number in range(1, 60):
            draft = cuts.draw(Random(number))
            assert draft
            pieces = tuple(map(frozenset, draft.pieces))
            disassembly = examine(brief.space.assembly(pieces)).disassembly
            if disassembly:
                yield Candidate(pieces, disassembly.levels, number)
            yield Progress(number, 1)

    def way(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(candidates=drawn)

    brief = replace(brief, recipe=replace(brief.recipe, way=way))
    archive: dict[Niche, Score] = {}
    with ThreadPoolExecutor(1) as crew:
        found = improvements(brief, archive, seed=1, crew=crew, stop=lambda: False)
        given = [one for one in found if isinstance(one, Design)]
    every = [Design(brief, one) for one in drawn() if isinstance(one, Candidate)]
    assert len(given) < len(every)
    for niche in {design.niche for design in every}:
        best = max(design.score for design in every if design.niche == niche)
        assert archive[niche] == best
        mine = [design.score for design in given if design.niche == niche]
        assert mine == sorted(set(mine))
        assert mine[-1] == best


def test_a_kept_piece_stays_and_its_weight_holds_it() -> None:
    walls = "XXXXX XXXXX XXXXX XXXXX / XXXXX XAABX XABBX X..XX / XXXXX XCCCX XDDBX X..XX"
    start = Assembly.from_text(CUBES, walls + " / XXXXX XXXXX XXXXX XXXXX")
    for design in kumitate.design(start, keep=("X",), pieces=2, holes=(0, 4), evaluations=20_000):
        assert design.shapes[0].cells == start.shapes[-1].cells
        assert design.shapes[0].name == "X"
        assert len(design.designed) == 2


def test_a_goal_keeps_its_colours() -> None:
    colours = {
        (x, y, z, 0): 1 + (x + y + z) % 2 for x in range(3) for y in range(3) for z in (0, 1)
    }
    goal = Shape(CUBES, colours.keys(), colours=colours)
    design = next(kumitate.design(goal, pieces=3, holes=0, evaluations=20_000))
    assert all(shape.colours for shape in design.shapes)
    assert assembly_faults(design.solution.assembly) == []


def test_on_every_kind_of_grid() -> None:
    for family in ("pyramid/4", "rhombic"):
        design = next(kumitate.design(family, pieces=3, evaluations=20_000))
        assert design.problem.grid != CUBES
        assert assembly_faults(design.solution.assembly) == []


def test_nothing_can_slide_in_an_anti_slide_packing() -> None:
    design = next(kumitate.design("antislide/3x3x3", pieces=4, evaluations=3))
    cells = {(x, y, z, 0) for x in range(-1, 4) for y in range(-1, 4) for z in range(-1, 4)}
    walls = frozenset(cells - design.brief.goal.cells)
    boxed = design.brief.space.assembly((walls, *design.candidate.pieces))
    assert examine(boxed).ending == "rigid"
    assert design.holes > 0


def test_the_walls_of_a_cage_have_openings() -> None:
    """Openings are no part of the goal, so nothing fills them; only pieces count as designed."""
    *_, design = kumitate.design("cage/2x2x2", pieces=2, unique=True, evaluations=12_000)
    cage = design.shapes[0]
    walls = design.brief.recipe.walls
    assert cage.cells < walls
    assert not (walls - cage.cells) & design.problem.goal.cells
    assert design.holes == 8 - sum(design.sizes)
    assert (len(design.sizes), cage.weight, design.solutions) == (2, 2, 1)
    solved = list(kumitate.solve(design.problem, disassemble=True))
    assert sum(solution.disassembly is not None for solution in solved) == 1
    assert not assembly_faults(design.solution.assembly)


def test_a_tray_has_one_solution() -> None:
    design = next(kumitate.design("tray/4x5", pieces=5, evaluations=300))
    assert len(list(kumitate.assemble(design.problem))) == 1


def test_what_cannot_be_is_refused_at_once() -> None:
    with pytest.raises(PuzzleError, match="level 3 is impossible"):
        kumitate.design("4x4x4", holes=0, level=3)
    with pytest.raises(PuzzleError, match="cannot design 5; give a box such as 5x5x5, a shape"):
        kumitate.design(5)  # type: ignore[arg-type]
    with pytest.raises(PuzzleError, match="evaluations 0: it must be at least 1"):
        kumitate.design("4x4x4", evaluations=0)
