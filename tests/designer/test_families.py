"""What is drawn is of the family: connected cuts, subsets of the right volume, burrs that fit."""

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

import kumitate
from kumitate import CUBES, Piece, Placement, Problem, PuzzleError, Shape
from kumitate.burr6 import Burrs, burr_stick, kaenel_number
from kumitate.burr6 import family as burrs
from kumitate.designer import Cuts, Subsets, polyforms
from kumitate.designer.families import Draft
from kumitate.grids import GRIDS
from kumitate.model.geometry import Cell

SEEDS = range(30)


def box(*size: int) -> Shape:
    x, y, z = map(range, size)
    return Shape(CUBES, {(*at, 0) for at in product(x, y, z)}, name="x".join(map(str, size)))


def lump(grid: kumitate.Grid, cells: int) -> Shape:
    """The cells that are nearest to one of them, by steps from neighbour to neighbour."""
    found = [(0, 0, 0, 0)]
    for cell in found:
        found += [c for c in Shape(grid, set()).neighbours(cell) if c not in found]
        if len(found) >= cells:
            break
    return Shape(grid, set(found[:cells]), name="lump")


def drawn(family: Cuts | Subsets | Burrs, seed: int) -> Draft:
    draft = family.draw(Random(seed))
    assert draft
    return draft


# ---- cuts ----


def check_cut(family: Cuts, draft: Draft) -> None:
    """Connected parts of the goal, apart from each other, all of it but for the holes."""
    parts = [set(part) for part in draft.pieces]
    assert len(parts) == family.pieces
    assert all(Shape(family.grid, part).connected for part in parts)
    assert not any(a & b for a, b in combinations(parts, 2))
    whole = set[Cell]().union(*parts)
    empty = family.goal.cells - whole
    assert whole <= family.goal.cells
    assert len(empty) == family.holes
    assert min(map(len, parts)) >= family.smallest
    problem = draft.problem()
    assert empty <= problem.goal.optional
    assert [len(piece.shape) for piece in problem.pieces] == list(map(len, parts))
    for piece, part in zip(problem.pieces, parts, strict=True):
        assert piece.shape.congruent(family.goal.restricted(part)) or family.goal.optional


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_a_cut_is_a_cut_on_every_grid(grid: kumitate.Grid) -> None:
    goal = lump(grid, 40)
    for seed in SEEDS:
        check_cut(family := Cuts(goal, 4), drawn(family, seed))


def test_sizes_are_roughly_balanced() -> None:
    sizes = [list(map(len, drawn(Cuts(box(4, 4, 4), 4), seed).pieces)) for seed in range(200)]
    assert sum(max(some) - min(some) <= 4 for some in sizes) > 150
    small = Cuts(box(4, 4, 4), 4, smallest=14)
    assert all(min(map(len, drawn(small, seed).pieces)) >= 14 for seed in SEEDS)


def test_holes_are_inside_and_optional() -> None:
    family = Cuts(box(4, 4, 4), 4, holes=3)
    for seed in SEEDS:
        draft = drawn(family, seed)
        check_cut(family, draft)
        goal = draft.problem().goal
        assert goal.optional == {(x, y, z, 0) for x in (1, 2) for y in (1, 2) for z in (1, 2)}


def test_holes_are_where_the_goal_has_optional_cells() -> None:
    goal = Shape.from_text(CUBES, "####/+##+/####", name="goal")
    family = Cuts(goal, 2, holes=1)
    for seed in SEEDS:
        draft = drawn(family, seed)
        check_cut(family, draft)
        assert draft.problem().goal == goal


def test_pieces_keep_the_colours_of_the_goal() -> None:
    goal = Shape.from_text(CUBES, "ab#/#ba", name="goal")
    problem = drawn(Cuts(goal, 2), 1).problem()
    colours = Counter(n for piece in problem.pieces for n in piece.shape.colours.values())
    assert colours == Counter(goal.colours.values())
    assert problem.allowed == {(1, 1), (2, 2)}
    assert next(kumitate.assemble(problem))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((1, 0, 1), "cannot cut into 1 piece; use 2 to 250"),
        ((28, 0, 1), "27 cells cannot be cut into 28 pieces of at least 1 cell"),
        ((3, 0, 10), "27 cells cannot be cut into 3 pieces of at least 10 cells"),
        ((3, 2, 1), "2 holes cannot be made; only 1 cell is inside"),
    ],
)
def test_a_cut_that_cannot_be_is_refused(arguments: tuple[int, int, int], complaint: str) -> None:
    with pytest.raises(PuzzleError, match=complaint):
        Cuts(box(3, 3, 3), *arguments)


def test_a_goal_in_more_parts_than_pieces_is_refused() -> None:
    with pytest.raises(PuzzleError, match="the goal has 3 parts; cut it into at least 3 pieces"):
        Cuts(Shape.from_text(CUBES, "##.##.##"), 2)
    check_cut(family := Cuts(Shape.from_text(CUBES, "##.##.##"), 3), drawn(family, 1))


def test_without_holes_cubes_in_rows_without_gaps_come_apart_at_once() -> None:
    """Those of a box, or of a solid burr; not where a row has a gap, and not with holes."""
    cross = Shape.from_text(CUBES, ".#. ###/### ###/.#. .#.")
    for goal in (box(4, 4, 4), cross, kumitate.library["six-piece-burr"].problems[0].goal):
        family = Cuts(goal, 3)
        assert family.level_one
        for seed in range(100):
            pieces = [Piece(Shape(CUBES, set(part))) for part in drawn(family, seed).pieces]
            lying = [Placement(n, 0, (0, 0, 0)) for n in range(3)]
            found = kumitate.disassemble(kumitate.Assembly(Problem(goal, pieces), lying))
            assert found is None or len(found.moves) == 1
    assert not Cuts(box(4, 4, 4), 3, holes=1).level_one
    assert not Cuts(Shape.from_text(CUBES, "###/#.#"), 2).level_one
    assert not Cuts(lump(kumitate.grids.PRISMS, 12), 2).level_one
    with pytest.raises(PuzzleError, match="level 2 is impossible: cubes that fill such a goal"):
        next(kumitate.designer.search_puzzles(Cuts(box(4, 4, 4), 3), level=2))


# ---- subsets ----


def tetrominoes(least: int = 0, most: int = 2) -> list[Piece]:
    return [Piece(s, least, most) for s in polyforms(CUBES, 4, mirrors=True, flat=True)]


def counts_of(problem: Problem) -> dict[Shape, int]:
    return {piece.shape: piece.min for piece in problem.pieces}


def test_each_choice_is_drawn_equally_often() -> None:
    """Against all counts in their ranges, one after the other."""
    goal = Shape.from_text(CUBES, "####/####/###+", name="goal")
    dot, bar = Shape.from_text(CUBES, "#", name="dot"), Shape.from_text(CUBES, "##", name="bar")
    pieces = [*tetrominoes(), Piece(dot, 1, 2), Piece(bar, 0, 1)]
    sizes = [len(piece.shape) for piece in pieces]
    every = {
        counts
        for counts in product(*(range(piece.min, piece.max + 1) for piece in pieces))
        if 11 <= sum(n * size for n, size in zip(counts, sizes, strict=True)) <= 12
    }
    family = Subsets(Problem(goal, pieces))
    assert family.choices == len(every)
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(60 * len(every)):
        counts = counts_of(drawn(family, seed).problem())
        seen[tuple(counts.get(piece.shape, 0) for piece in pieces)] += 1
    assert seen.keys() == every
    assert max(seen.values()) < 120


def test_choices_are_counted_among_what_is_drawn() -> None:
    family = Subsets(Problem(box(4, 4, 1), tetrominoes()))
    for seed in SEEDS:
        counts = family.choose(Random(seed))
        shapes = [piece.shape for piece in family.problem.pieces]
        assert counts_of(drawn(family, seed).problem()) == {
            shape: n for shape, n in zip(shapes, counts, strict=True) if n
        }


def test_pins_go_with_their_pieces() -> None:
    goal = box(4, 4, 1)
    pieces = tetrominoes()
    pin = Placement(4, 0, (0, 0, 0))  # the straight one or the square
    problem = Problem(goal, pieces, pinned=[pin], forbidden=[Placement(0, 0, (1, 0, 0))])
    [name] = {pieces[4].shape}
    for seed in SEEDS:
        made = drawn(Subsets(problem), seed).problem()
        [kept] = made.pinned
        assert made.pieces[kept.piece].shape == name
        assert kept[1:] == pin[1:]
        for rule in made.forbidden:
            assert made.pieces[rule.piece].shape == pieces[0].shape


def test_what_fits_nowhere_is_never_drawn() -> None:
    long = Shape.from_text(CUBES, "#####", name="long")
    problem = Problem(box(4, 4, 1), [*tetrominoes(), Piece(long, 0, 3)])
    family = Subsets(problem)
    assert all(long not in counts_of(drawn(family, seed).problem()) for seed in SEEDS)
    with pytest.raises(PuzzleError, match="piece long fits nowhere in the goal"):
        Subsets(Problem(box(4, 4, 1), [*tetrominoes(), Piece(long, 1, 3)]))


def test_one_choice_is_no_family() -> None:
    with pytest.raises(PuzzleError, match="only one choice of pieces that fits the volume"):
        Subsets(kumitate.library["soma"].problems[0])
    with pytest.raises(PuzzleError, match="there is no choice of pieces that fits the volume"):
        Subsets(Problem(box(3, 3, 1), tetrominoes(0, 9)))
    with pytest.raises(PuzzleError, match="but the pieces fill 0 to 40; add a piece"):
        Subsets(Problem(box(9, 9, 9), tetrominoes()))
    with pytest.raises(PuzzleError, match="has no cells"):
        Subsets(Problem(box(2, 2, 1), [Piece(Shape(CUBES, set()), 0, 1)]))


# ---- burrs ----


def test_the_goal_is_that_of_the_library_with_what_sticks_share_optional() -> None:
    [problem] = kumitate.library["six-piece-burr"].problems
    goal = drawn(Burrs(), 0).problem().goal
    whole = Shape(CUBES, goal.cells)
    assert whole.canonical() == Shape(CUBES, problem.goal.cells).canonical()
    assert (len(goal.fixed), len(goal.optional)) == (72, 32)


def test_there_are_as_many_sticks_as_cutler_counts() -> None:
    """W. Cutler, A computer analysis of all 6-piece burrs, 1994."""
    sticks = burrs._least()
    assert (len(sticks), len(set(sticks.values()))) == (2225, 837)
    for stick in list(sticks)[::50]:
        assert kaenel_number(burr_stick(1 + stick)) == 1 + sticks[stick]
    assert len({sticks[stick] for stick in burrs._ways("notchable")}) == 59
    solid = {piece.shape for piece in kumitate.library["six-piece-burr"].problems[0].pieces}
    assert {kaenel_number(shape) for shape in solid} == burrs.SOLID


@pytest.mark.parametrize("sticks", ["all", "notchable", "solid"])
def test_six_sticks_go_together(sticks: burrs.Sticks) -> None:
    for seed in SEEDS:
        draft = drawn(Burrs(sticks), seed)
        parts = [set(part) for part in draft.pieces]
        assert len(parts) == 6
        assert not any(a & b for a, b in combinations(parts, 2))
        problem = draft.problem()
        whole = set[Cell]().union(*parts)
        assert problem.goal.fixed <= whole <= problem.goal.cells
        shapes = [piece.shape for piece in problem.pieces for _ in range(piece.min)]
        looks = (
            sorted(sorted(shape.canonical().cells) for shape in some)
            for some in (shapes, [Shape(CUBES, part) for part in parts])
        )
        assert next(looks) == next(looks)
        assert all(shape.connected for shape in shapes)
        if sticks == "notchable":
            assert all(map(kumitate.workshop.notchable, shapes))
        if sticks == "solid":
            assert {int(shape.name) for shape in shapes} <= burrs.SOLID


def test_other_sticks_are_unknown() -> None:
    with pytest.raises(PuzzleError, match="no 'some' burr sticks; use one of all, notchable, sol"):
        Burrs("some")  # type: ignore[arg-type]
