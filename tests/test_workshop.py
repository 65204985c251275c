"""What a saw and a mill can make, against the published counts of the six-piece burr's sticks."""

from functools import cache
from itertools import product

import pytest

from kumitate.designer.polyforms import polyforms
from kumitate.library import library
from kumitate.model.burr_sticks import burr_numbers, burr_stick, burr_sticks, kaenel_number
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES, SPHERES
from kumitate.model.puzzle import Piece, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.workshop import Cut, as_stick, cuts, millable, notchable, pieces_to_make

# The numbers of the sticks as puzzlecad's model of the burr set lists them: the 25 of the solid
# burrs (its "notchable" set of 42), the further ones of the "level 5" set and the "obscure
# notchables" make 59, the "obscure millables" 19 more.
SOLID = {1, 18, 35, 52, 86, 103, 120, 154, 188, 256, 359, 615, 792, 824, 856, 871, 888, 911, 928,
         943, 960, 975, 992, 1007, 1024}  # fmt: skip
LEVEL_5 = {103, 120, 154, 188, 256, 327, 344, 376, 412, 444, 463, 480, 495, 512, 551, 568, 632,
           670, 687, 704, 734, 751, 768, 824, 856, 888, 928, 943, 960, 975, 992, 1007, 1024, 1933,
           2836}  # fmt: skip
OBSCURE = {276, 653, 291, 308, 717, 395, 534, 427, 598, 1417, 1419, 1449, 1935, 2840}
MILLED = {160, 88, 118, 192, 224, 399, 536, 416, 672, 431, 600, 448, 736, 491, 630, 508, 766, 1423,
          1513}  # fmt: skip


@cache
def orientations() -> list[int]:
    """The numbers of all sticks in one piece, turned or not: Cutler counts 2,225."""
    return [number for number in range(1, 4097) if burr_stick(number).connected]


@cache
def least_numbers() -> dict[int, int]:
    """For each of them the least number of the same stick turned, by where the turns put bits."""
    solid = burr_stick(1)
    place_of = {
        bit: next(iter(solid.cells - burr_stick(1 + (1 << bit)).cells)) for bit in range(12)
    }
    bit_at = {place: bit for bit, place in place_of.items()}
    least = {}
    for number in orientations():
        images = [number - 1]
        for ends, over, quarter in product((False, True), repeat=3):
            image = 0
            for bit in range(12):
                if (number - 1) >> bit & 1:
                    x, y, z, _ = place_of[bit]
                    if ends:  # about a line across the stick
                        x, y = 5 - x, 1 - y
                    if over:  # about its length, by a half turn
                        y, z = 1 - y, 1 - z
                    if quarter:
                        y, z = 1 - z, y
                    at = bit_at.get((x, y, z, 0))
                    if at is None:
                        break
                    image |= 1 << at
            else:
                images.append(image)
        least[number] = 1 + min(images)
    return least


def test_the_six_piece_burr_has_as_many_sticks_as_cutler_counts() -> None:
    assert len(orientations()) == 2225
    assert len(set(least_numbers().values())) == 837


def test_all_its_sticks_are_listed_with_the_ways_they_lie() -> None:
    ways: dict[int, list[int]] = {}
    for number, least in least_numbers().items():
        ways.setdefault(least, []).append(number)
    assert {number: list(of) for number, of in burr_numbers().items()} == ways
    assert [int(stick.name) for stick in burr_sticks()] == sorted(ways)


def test_59_of_its_sticks_are_notchable_and_78_millable() -> None:
    sticks = sorted(set(least_numbers().values()))
    sawn = {number for number in sticks if notchable(burr_stick(number))}
    milled = {number for number in sticks if millable(burr_stick(number))}
    assert (len(sawn), len(milled)) == (59, 78)
    assert sawn == SOLID | LEVEL_5 | OBSCURE
    assert milled - sawn == MILLED


def test_the_solid_burrs_use_25_notchable_sticks() -> None:
    [problem] = library["six-piece-burr"].problems
    assert {kaenel_number(piece.shape) for piece in problem.pieces} == SOLID


def test_the_number_of_a_stick_is_the_least_of_all_ways_to_lie() -> None:
    for number in orientations()[::37]:
        assert kaenel_number(burr_stick(number)) == least_numbers()[number]


def test_numbers_survive_turning_and_lengthening() -> None:
    long = burr_stick(960, length=10)
    assert long.size == (10, 2, 2)
    for turn in CUBES.turns:
        turned = long.turned(turn)
        assert turned is not None
        assert kaenel_number(turned.shifted((3, -2, 7))) == 960


def test_what_is_no_burr_stick_has_no_number() -> None:
    short = Shape(CUBES, {c for c in burr_stick(1).cells if c[0] < 5})
    bitten = Shape(CUBES, burr_stick(1).cells - {(0, 0, 0, 0)})
    for shape in (short, bitten, Shape(CUBES, frozenset()), Shape.from_text(SPHERES, "#")):
        assert kaenel_number(shape) is None


def left_by(shape: Shape, found: tuple[Cut, ...]) -> set[tuple[int, ...]]:
    """What is left of the stick when all boxes are cut away."""
    stick = set(product(*map(range, shape.size)))
    for cut in found:
        stick -= set(product(*map(range, cut.low, cut.high)))
    return stick


@pytest.mark.parametrize("number", sorted(SOLID | LEVEL_5 | OBSCURE | MILLED))
def test_cuts_leave_just_the_piece(number: int) -> None:
    stick = burr_stick(number)
    found = cuts(stick)
    assert found is not None
    assert left_by(stick, found) == {cell[:3] for cell in stick.cells}
    assert (number in MILLED) == any(cut.across < 0 for cut in found)


def in_a_notch(shape: Shape, place: tuple[int, ...]) -> bool:
    """The definition, slowly: all that a blade one cell wide meets on its way is empty."""
    full = {cell[:3] for cell in shape.cells}
    for into, across in product(range(3), repeat=2):
        if into == across:
            continue
        [width] = {0, 1, 2} - {into, across}
        for beyond in (range(place[into] + 1), range(place[into], shape.size[into])):
            swept = [range(0)] * 3
            swept[width] = range(place[width], place[width] + 1)
            swept[into], swept[across] = beyond, range(shape.size[across])
            if not full & set(product(*swept)):
                return True
    return False


def test_all_pentacubes_agree_with_the_definitions() -> None:
    sawn, milled = 0, 0
    for shape in polyforms(CUBES, 5):
        places = set(product(*map(range, shape.size))) - {cell[:3] for cell in shape.cells}
        assert notchable(shape) == all(in_a_notch(shape, place) for place in places)
        assert millable(shape) or not notchable(shape)
        sawn, milled = sawn + notchable(shape), milled + millable(shape)
        found = cuts(shape)
        assert (found is not None) == millable(shape)
        assert found is None or left_by(shape, found) == {cell[:3] for cell in shape.cells}
    assert 0 < sawn <= milled <= 29


@pytest.mark.parametrize(
    ("drawing", "sawn", "milled"),
    [
        ("### ### ###/### #.# ###/### ### ###", False, False),  # a hollow cube
        ("### ### ###/### #.# #.#/### ### ###", False, False),  # a blind hole
        ("### ### ###/#.# #.# #.#/### ### ###", False, True),  # a hole right through
        ("### ### ###/### #.. ###/### #.# ###", False, False),  # a hole round a corner
        ("####/#.../####", True, True),  # a fork, sawn from its end
    ],
    ids=["hollow", "blind", "through", "bent", "fork"],
)
def test_holes(drawing: str, sawn: bool, milled: bool) -> None:
    shape = Shape.from_text(CUBES, drawing)
    assert (notchable(shape), millable(shape)) == (sawn, milled)


def test_what_is_not_in_one_piece_cannot_be_made() -> None:
    near = Shape.from_text(CUBES, "#.#")
    far = Shape(CUBES, {(0, 0, 0, 0), (10**6, 10**6, 10**6, 0)})
    for apart in (near, far):
        assert not notchable(apart)
        assert not millable(apart)
        assert cuts(apart) is None


def test_a_stick_lies_along_with_the_waste_on_top() -> None:
    for number in (256, 960, 1024):
        for turn in CUBES.turns:
            turned = burr_stick(number).turned(turn)
            assert turned is not None
            lying = as_stick(turned)
            assert lying.congruent(turned)
            assert lying.size == (6, 2, 2)
            above = sum(z for _, _, z, _ in lying.cells)
            assert 2 * above <= len(lying)


def test_only_cubes_are_cut_from_sticks() -> None:
    with pytest.raises(PuzzleError, match="'spheres'; only pieces of cubes are cut"):
        notchable(Shape.from_text(SPHERES, "#"))


@pytest.mark.parametrize(("number", "length"), [(0, 6), (65537, 6), (1, 5), (1, 7)])
def test_numbers_and_lengths_have_limits(number: int, length: int) -> None:
    with pytest.raises(PuzzleError, match=r"no burr stick (0|65537);|even length, 4 to 100"):
        burr_stick(number, length)


def test_as_many_are_made_as_any_problem_may_use() -> None:
    bar, dot = Shape.from_text(CUBES, "##", name="bar"), Shape.from_text(CUBES, "#")
    goal = Shape.from_text(CUBES, "####/####")
    two = Problem(goal, [Piece(bar, 2), Piece(dot, 0, 1_000_000)])
    three = Problem(goal, [Piece(bar, 3)])
    puzzle = Puzzle(CUBES, [bar, dot, goal], [two, three])
    made = {shape.name: count for shape, count in pieces_to_make(puzzle)}
    assert made == {"bar": 3, "S2": 8}  # no more single cubes than the goal can hold
    assert pieces_to_make(Puzzle(CUBES, [bar])) == [(bar, 1)]
