"""Objectives and requirements say what they are called, each against a plain twin."""

from itertools import product
from random import Random

import pytest

import kumitate
from kumitate import CUBES, PuzzleError, Shape, workshop
from kumitate.designer import Design, goals
from kumitate.designer.design import brief_for
from kumitate.designer.engine import Candidate
from kumitate.model.solution import Assembly, Levels
from kumitate.model.wish import Wish
from kumitate.store.collection import pack_score, unpack_score

RODS = "AAA BBB CCC / AAA BBB CCC / AAA BBB CCC"


def designed(drawing: str, **wishes: object) -> Design:
    """The pieces of a drawing as a design that leaves them where they are."""
    assembly = Assembly.from_text(CUBES, drawing)
    wish = Wish(**wishes)  # type: ignore[arg-type]
    disassembly = kumitate.disassemble(assembly)
    levels = disassembly.levels if disassembly else Levels(1)
    pieces = tuple(frozenset(shape.cells) for shape in assembly.shapes)
    return Design(brief_for(assembly, wish), Candidate(pieces, levels, 1))


def grown(size: int, dice: Random) -> Shape:
    """A random piece of so many cubes."""
    shape = Shape(CUBES, {(0, 0, 0, 0)})
    while len(shape) < size:
        around = {near for cell in shape for near in shape.neighbours(cell)} - shape.cells
        shape = Shape(CUBES, shape.cells | {dice.choice(sorted(around))})
    return shape


def test_the_same_pieces_count_as_copies() -> None:
    design = designed(RODS)
    assert [piece.min for piece in design.problem.pieces] == [3]
    assert (design.assemblies, design.solutions) == (1, 1)
    assert goals.identical(design)
    assert not goals.different(design)
    assert goals.symmetric(design)
    assert design.sizes == [9, 9, 9]
    assert design.scores == {"level": 1.0, "moves": 2.0}


def test_counts_are_those_of_a_solve() -> None:
    """Two solutions, and assemblies that are locked."""
    for drawing in ("AAB/CCB/DDD", "AABB/ACCB/ACCB/AABB", RODS):
        design = designed(drawing)
        found = list(kumitate.examine_all(design.problem, disassemble=True))
        apart = [one for one in found if one.disassembly]
        assert (design.assemblies, design.solutions) == (len(found), len(apart))
        assert goals.unique(design) == (len(apart) == 1)
        assert goals.false_assemblies(design) == len(found) - len(apart)
        easiest = min(one.disassembly.levels.moves for one in apart if one.disassembly)
        assert goals.level(design) == design.level == easiest


def test_moves_until_a_single_piece_is_out() -> None:
    """After three moves two pieces and two; the first pair needs two more, the other four."""
    pair = Levels(3, left=Levels(2), removed=Levels(4))
    assert goals._first(pair) == 5
    assert goals._first(Levels(7, left=pair)) == 7


def test_printable_as_a_plain_rule_says() -> None:
    def stands(cells: set[tuple[int, ...]]) -> bool:
        low = min(z for *_, z, _ in cells)
        return all(z == low or (x, y, z - 1, 0) in cells for x, y, z, _ in cells)

    dice = Random(5)
    told = []
    for _ in range(60):
        shape = grown(dice.randrange(3, 12), dice)
        twin = any(stands(set(way.cells)) for way in shape.orientations())
        told.append(workshop.printable(shape))
        assert told[-1] == twin
    assert {True, False} == set(told)


def test_scores_are_packed_in_their_order() -> None:
    dice = Random(1)
    numbers = [0.0, 1.0, -1.0, 2.5, -2.5, 1e300, -1e300, float("inf")]
    scores = [tuple(dice.choices(numbers, k=3)) for _ in range(200)]
    assert sorted(scores) == [unpack_score(packed) for packed in sorted(map(pack_score, scores))]


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(PuzzleError, match="cannot maximise 'lvl'; use one of level, moves, dead"):
        brief_for("3x3x3", Wish(maximise=("lvl",)))


def test_one_objective_may_be_named_without_a_list() -> None:
    assert list(brief_for("3x3x3", Wish(), maximise="moves").maximise) == ["moves", "level"]


def test_a_room_without_a_way_out_has_no_shortcut_unless_the_bar_turns() -> None:
    wall, space, bar = "AAAAA  AAAAA  AAAAA", "AAAAA  A...A  AA.AA", "AAAAA  ABBBA  AA.AA"
    room = designed("/".join([wall, space, bar, space, wall]))
    assert not goals.no_turns(0.05)(room)
    assert goals.no_turns(0.0)(room)


def test_only_optional_cells_stay_empty() -> None:
    cells = set(product(range(3), range(3), range(3), [0]))
    cube = Shape(CUBES, cells, optional={(1, 1, 1, 0)})
    brief = brief_for(cube, Wish(pieces=2))
    for gone, fine in (((1, 1, 1, 0), True), ((0, 0, 0, 0), False)):
        left = [c for c in cube.cells if c != gone]
        pieces = (frozenset(c for c in left if c[2] < 2), frozenset(c for c in left if c[2] == 2))
        assert goals.holes_allowed(Design(brief, Candidate(pieces, Levels(1), 1))) is fine
