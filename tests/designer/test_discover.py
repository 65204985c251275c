"""What a search finds is right: unique by a plain twin, of its level, and past the referee."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from tests.designer.test_families import box, lump
from tests.search import plain_apart
from tests.search.specification import Look, Whole, all_assemblies, classes, kinds, places

import kumitate
from kumitate import CUBES, Assembly, Piece, Problem, PuzzleError, Shape, Solution
from kumitate.burr6 import Burrs
from kumitate.designer import Cuts, Discovery, Subsets, search_puzzles
from kumitate.designer.discover import SampleEnding, Terms, draw_sample, examine_sample
from kumitate.designer.families import Family
from kumitate.designer.polyforms import polyforms
from kumitate.model.puzzle import find_placement

SOAK = bool(os.environ.get("KUMITATE_SOAK"))


def flat_pentominoes() -> Subsets:
    shapes = polyforms(CUBES, 5, mirrors=True, flat=True)
    return Subsets(Problem(box(5, 5, 1), [Piece(shape, 0, 1) for shape in shapes]))


def small_pieces() -> Subsets:
    shapes = [shape for n in (2, 3, 4) for shape in polyforms(CUBES, n)]
    return Subsets(Problem(box(2, 2, 3), [Piece(shape, 0, 2) for shape in shapes]))


FAMILIES: dict[str, tuple[Family, int, int]] = {  # with a level, and a number of samples
    "burrs": (Burrs(), 3, 1500),
    "notchable": (Burrs("notchable"), 2, 1500),
    "cut": (Cuts(box(4, 4, 4), 5), 1, 40),
    "holes": (Cuts(box(4, 4, 4), 4, 4), 2, 1500),
    "balls": (Cuts(lump(kumitate.grids.SPHERES, 25), 4), 1, 60),
    "prisms": (Cuts(lump(kumitate.grids.PRISMS, 30), 4), 1, 60),
    "subsets": (flat_pentominoes(), 1, 200),
}


# ---- referee ----


@pytest.mark.parametrize(("family", "level", "samples"), FAMILIES.values(), ids=FAMILIES)
def test_every_puzzle_found_is_right(family: Family, level: int, samples: int) -> None:
    """The referee takes it apart, and a search that does not stop early finds no other way."""
    found = list(search_puzzles(family, level=level, samples=samples))
    assert found
    for puzzle in found[:20]:
        solution = puzzle.solution
        assert solution.disassembly
        assert kumitate.referee.assembly_faults(solution.assembly) == []
        assert kumitate.referee.disassembly_faults(solution.assembly, solution.disassembly) == []
        assert puzzle.level == len(solution.disassembly.moves) >= level
        assert puzzle.solutions == 1
        assert kumitate.count(puzzle.problem).assemblies == puzzle.assemblies
        [only] = kumitate.solve(puzzle.problem, disassemble=True)
        assert str(only.levels) == str(solution.levels)


# ---- a plain twin ----


def plain_wholes(problem: Problem) -> set[Whole]:
    """Every assembly of pieces that are all used: a place for each, one after the other."""
    kind = kinds(problem)
    copies = [k for k, piece in zip(kind, problem.pieces, strict=True) for _ in range(piece.min)]
    where = {k: sorted(places(problem, problem.pieces[k].shape), key=sorted) for k in set(copies)}
    fixed = problem.goal.fixed

    def grow(left: Sequence[int], at: int, chosen: list[tuple[int, Look]]) -> Iterator[Whole]:
        if not left:
            if fixed <= {cell for _, look in chosen for cell, _ in look}:
                yield frozenset(chosen)
            return
        taken = {cell for _, look in chosen for cell, _ in look}
        for n in range(at, len(where[left[0]])):
            look = where[left[0]][n]
            if taken.isdisjoint(cell for cell, _ in look):
                again = left[1:2] == left[:1]
                yield from grow(left[1:], n + 1 if again else 0, [*chosen, (left[0], look)])

    return set(grow(sorted(copies), 0, []))


def as_assembly(problem: Problem, whole: Whole) -> Assembly:
    left = [n for n, piece in enumerate(problem.pieces) for _ in range(piece.min)]
    kind, placed = kinds(problem), []
    for k, look in sorted(whole, key=lambda one: (one[0], sorted(one[1]))):
        number = next(n for n in left if kind[n] == k)
        left.remove(number)
        shape = problem.pieces[number].shape
        placed.append(find_placement(number, shape, Shape(problem.grid, {c for c, _ in look})))
    return Assembly(problem, [placement for placement in placed if placement])


def plain_ending(family: Family, terms: Terms, sample: int) -> SampleEnding:
    """How a sample must end, if solutions are all looked for and then counted."""
    draft = draw_sample(family, terms.seed, sample)
    if draft is None:
        return "none"
    problem = draft.problem()
    if draft.pieces:
        here = [Shape(family.grid, set(part), name=str(n)) for n, part in enumerate(draft.pieces)]
        goal = Shape(family.grid, {cell for part in draft.pieces for cell in part})
        lying = Problem(goal, [Piece(shape) for shape in here])
        drawn = [kumitate.Placement(n, 0, (0, 0, 0)) for n in range(len(here))]
        level = plain_apart.level(Assembly(lying, drawn))
        if not isinstance(level, int):
            return "locked"
        if level < terms.level:
            return "easy"
    wholes = plain_wholes(problem)
    if not wholes:
        return "none"
    levels = {whole: plain_apart.level(as_assembly(problem, whole)) for whole in wholes}
    solved = {whole for whole, level in levels.items() if isinstance(level, int)}
    if not solved:
        return "locked"
    if any(levels[whole] < terms.level for whole in solved):  # type: ignore[operator]
        return "easy"
    number = classes(problem, mirrors=False, thorough=False, wholes=solved)
    return "found" if number == 1 or not terms.unique else "several"


TWINS: dict[str, tuple[Family, Terms, int]] = {
    "cubes": (Cuts(box(3, 3, 2), 4), Terms(), 6),
    "two solutions": (Cuts(box(3, 3, 2), 4), Terms(unique=False), 3),
    "harder": (Cuts(box(3, 3, 2), 4), Terms(level=2), 5),
    "holes": (Cuts(Shape.from_text(CUBES, "##+ ###/### #+#/+## ###"), 3, 2), Terms(), 15),
    "prisms": (Cuts(lump(kumitate.grids.PRISMS, 14), 3), Terms(), 12),
    "balls": (Cuts(lump(kumitate.grids.SPHERES, 13), 3), Terms(), 6),
    "subsets": (small_pieces(), Terms(), 15),
}


@pytest.mark.parametrize(("family", "terms", "samples"), TWINS.values(), ids=TWINS)
def test_samples_end_as_by_a_plain_twin(family: Family, terms: Terms, samples: int) -> None:
    endings = Counter[SampleEnding]()
    for sample in range(1, samples + 1):
        ending, _ = examine_sample(family, terms, sample)
        assert ending == plain_ending(family, terms, sample), sample
        endings[ending] += 1
    if terms.unique and terms.level == 1:
        assert endings["found"]


def test_the_twin_places_each_piece_as_the_specification_does() -> None:
    problem = next(search_puzzles(Cuts(box(3, 2, 2), 3))).problem
    assert plain_wholes(problem) == all_assemblies(problem)


def test_burrs_end_as_by_a_plain_twin() -> None:
    terms, few = Terms(level=2), 40 if SOAK else 3
    found = islice(search_puzzles(Burrs(), level=2), 10 if SOAK else 1)
    for sample in [*range(1, few), *(puzzle.sample for puzzle in found)]:
        assert examine_sample(Burrs(), terms, sample)[0] == plain_ending(Burrs(), terms, sample)


# ---- samples ----


def told(found: Discovery | None) -> object:
    return found and (found.sample, found.puzzle, found.answers)


def test_a_sample_is_the_same_whenever_it_is_drawn() -> None:
    terms = Terms(level=2, seed=7)
    family = Burrs("notchable")
    there = [examine_sample(family, terms, sample) for sample in range(1, 300)]
    back = [examine_sample(Burrs("notchable"), terms, sample) for sample in range(299, 0, -1)]
    assert [(e, told(f)) for e, f in there] == [(e, told(f)) for e, f in reversed(back)]
    other = [examine_sample(family, Terms(level=2, seed=8), sample)[0] for sample in range(1, 300)]
    assert other != [ending for ending, _ in there]


def test_no_puzzle_comes_twice() -> None:
    """Two pieces of a small square: the same, turned or mirrored, are drawn again and again."""
    square = Cuts(box(3, 3, 1), 2)
    found = list(search_puzzles(square, samples=300))
    again = sum(examine_sample(square, Terms(), sample)[0] == "found" for sample in range(1, 301))
    assert len(found) < again
    looks = [
        frozenset(Counter(p.shape.canonical(mirrors=True) for p in f.problem.pieces).items())
        for f in found
    ]
    assert len(set(looks)) == len(looks)


def test_mirror_images_are_the_same_puzzle() -> None:
    """All of the pieces mirrored, that is; some of them mirrored are another puzzle."""
    found = next(search_puzzles(Cuts(box(4, 4, 4), 4)))
    shapes = [piece.shape for piece in found.problem.pieces]
    assert not any(shape.congruent(shape.mirrored()) for shape in shapes)

    def key(some: list[Shape]) -> object:
        problem = Problem(found.problem.goal, [Piece(shape) for shape in some])
        return replace(found, solution=Solution(Assembly(problem, []))).key

    turned = [shape.turned(CUBES.turns[n]) or shape for n, shape in enumerate(shapes, 5)]
    assert key(shapes) == key(turned[::-1])
    assert key(shapes) == key([shape.mirrored() for shape in shapes])
    assert key(shapes) != key([shapes[0].mirrored(), *shapes[1:]])


CHIRAL = Shape.from_text(CUBES, "### #.. / ### ... / ### .#.", name="chiral")


def in_colours(shape: Shape) -> Shape:
    """Three corners of a box, so that no reflection keeps them all."""
    corners = [(0, 0, 0, 0), (2, 0, 0, 0), (0, 1, 0, 0)]
    return replace(shape, colours={corner: n for n, corner in enumerate(corners, 1)})


@pytest.mark.parametrize(
    ("goal", "rules"),
    [
        (CHIRAL, {}),
        (in_colours(box(3, 2, 4)), {}),
        (replace(box(3, 2, 4), optional={(0, 0, 0, 0), (2, 0, 1, 0), (0, 1, 3, 0)}), {}),
        (box(3, 2, 4), {"pinned": [kumitate.Placement(0, 0, (0, 0, 0))]}),
        (box(3, 2, 4), {"forbidden": [kumitate.Placement(0, 0, (0, 0, 0))]}),
    ],
)
def test_mirror_images_are_others_if_the_goal_is_not_mirrored(
    goal: Shape, rules: dict[str, Any]
) -> None:
    screw = Shape.from_text(CUBES, "## #./.. #.")
    keys = []
    for shape in (screw, screw.turned(CUBES.turns[7]) or screw, screw.mirrored()):
        assembly = Assembly(Problem(goal, [Piece(shape)], **rules), [])
        keys.append(Discovery("", 0, 1, Solution(assembly), 1, 1).key)
    assert keys[0] == keys[1] != keys[2]


def test_pieces_of_a_goal_that_is_not_mirrored_are_found_both_ways_round() -> None:
    def look(shapes: list[Shape]) -> str:
        return str(sorted(sorted(shape.canonical().cells) for shape in shapes))

    found = search_puzzles(Cuts(CHIRAL, 3), samples=300)
    sets = [[piece.shape for piece in one.problem.pieces] for one in found]
    looks = {look(shapes) for shapes in sets}
    assert len(looks) == len(sets)
    mirrored = {look([shape.mirrored() for shape in shapes]): look(shapes) for shapes in sets}
    assert any(mirrored[there] != there for there in looks & mirrored.keys())


def test_several_solutions_are_told_by_the_easiest() -> None:
    family = Cuts(box(3, 3, 2), 4)
    puzzles = list(search_puzzles(family, unique=False, samples=60))
    several = [found for found in puzzles if found.solutions > 1]
    assert several
    for found in several[:5]:
        solutions = list(kumitate.solve(found.problem, disassemble=True))
        assert len(solutions) == found.solutions
        assert found.level == min(solution.level or 0 for solution in solutions)


def test_what_takes_too_long_is_given_up() -> None:
    hard = Cuts(box(4, 4, 4), 10)
    assert examine_sample(hard, Terms(max_nodes=1), 1)[0] == "limit"
    burrs = [examine_sample(Burrs(), Terms(max_states=1), sample)[0] for sample in range(1, 200)]
    assert {"limit", "locked"} <= set(burrs)


def test_more_pieces_than_can_be_taken_apart_are_given_up() -> None:
    dot, bar = Shape.from_text(CUBES, "#", name="dot"), Shape.from_text(CUBES, "##", name="bar")
    family = Subsets(Problem(box(252, 1, 1), [Piece(dot, 250, 252), Piece(bar, 0, 1)]))
    assert [examine_sample(family, Terms(), sample)[0] for sample in (1, 2, 3)] == ["limit"] * 3


def test_a_puzzle_says_where_it_comes_from() -> None:
    found = next(search_puzzles(Cuts(box(4, 4, 4), 5), seed=3))
    assert found.puzzle.title == f"4x4x4 in 5 pieces, level {found.solution.levels}"
    assert found.puzzle.comment == f"Found by kumitate search: seed 3, sample {found.sample}."
    assert [shape.name for shape in found.puzzle.shapes] == [*"ABCDE", "4x4x4"]


@pytest.mark.parametrize("terms", [{"level": 0}, {"seed": -1}, {"max_nodes": 0}, {"max_states": 0}])
def test_terms_that_make_no_sense_are_refused(terms: dict[str, Any]) -> None:
    with pytest.raises(PuzzleError, match=r"it must be at least [01]"):
        next(search_puzzles(Burrs(), **terms))
    vast: dict[str, Any] = dict.fromkeys(terms, 10**26)
    with pytest.raises(PuzzleError, match=r"it must be at most 1[,0]+"):
        next(search_puzzles(Burrs(), **vast))
