"""`check` says in words what is wrong with a question, and what is worth knowing."""

from random import Random

import pytest

import kumitate
from kumitate import CUBES, Piece, Placement, Problem, Shape, check
from kumitate.grids import GRIDS, PRISMS, SPHERES


def draw(text: str, name: str = "") -> Shape:
    return Shape.from_text(CUBES, text, name=name)


def faults(problem: Problem) -> list[str]:
    return [finding.text for finding in check(problem) if finding.fault]


def notes(problem: Problem) -> list[str]:
    return [finding.text for finding in check(problem) if not finding.fault]


BAR = Piece(draw("##", "bar"), 2, 2)


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem(draw(""), [BAR]), "the goal is empty"),
        (Problem(draw("##"), []), "the problem has no pieces"),
        (Problem(draw("#####"), [BAR]), "has 5 cells but the pieces fill 4; add a piece"),
        (Problem(draw("###"), [BAR]), "has 3 cells but the pieces fill 4; leave out a piece"),
        (
            Problem(draw("#++++"), [Piece(draw("#"), 1, 2)], max_holes=1),
            "has 5 cells, and at most 1 may stay empty (max_holes), but the pieces fill 1 to 2;"
            " add a piece or allow 3 holes",
        ),
        (Problem(draw("##/##"), [Piece(draw("####", "rod"))]), "piece rod fits nowhere"),
        (
            Problem(draw("##.##"), [Piece(draw("##", "bar")), Piece(draw("#....#", "gap"))]),
            "piece gap fits nowhere",
        ),
        (Problem(draw("#.#.##"), [BAR]), "no piece can cover the goal's cell at column 1, row 1"),
        (Problem(draw("##"), [Piece(draw("#+", "soft"))]), "piece soft has optional cells"),
        (
            Problem(draw("##"), [Piece(draw("", "none")), BAR]),
            "piece none has no cells; draw it or leave it out",
        ),
    ],
)
def test_a_fault_is_found(problem: Problem, words: str) -> None:
    found = faults(problem)
    assert any(words in fault for fault in found), found


def test_colours_are_blamed_when_they_are_to_blame() -> None:
    red, blue = draw("aa", "red"), draw("bb")
    assert (
        "piece red fits nowhere in the goal because of its colours; allow more colours to meet"
        in faults(Problem(blue, [Piece(red)]))
    )
    assert faults(Problem(blue, [Piece(red)], allowed=[(1, 2)])) == []


def test_pins_must_make_sense() -> None:
    row, bar = draw("####", "row"), Piece(draw("##", "bar"), 2)
    pins = [Placement(0, 0, (0, 0, 0)), Placement(0, 0, (1, 0, 0)), Placement(0, 0, (9, 0, 0))]
    found = faults(Problem(row, [bar], pinned=pins, forbidden=[pins[0]]))
    assert "piece bar is pinned 3 times, but there are only 2; remove a pin" in found
    assert "piece bar is pinned where it does not fit; move or remove the pin" in found
    assert "pieces bar and bar are both pinned to the same cell; remove a pin" in found
    assert (
        "piece bar is pinned where it is also forbidden; allow it there or remove the pin" in found
    )
    assert faults(Problem(row, [bar], pinned=pins[:1])) == []


def test_a_limit_on_holes_is_named_where_it_is_to_blame() -> None:
    row = draw("++++")
    [fault] = faults(Problem(row, [Piece(draw("##"))], max_holes=1))
    assert fault == (
        "the goal has 4 cells, and at most 1 may stay empty (max_holes), but the pieces fill 2;"
        " add a piece or allow 2 holes"
    )
    assert faults(Problem(row, [Piece(draw("##"))], max_holes=2)) == []


def test_an_odd_number_of_tees_fails_by_its_parity() -> None:
    tees = Problem(draw("/".join(["#####"] * 4)), [Piece(draw("###/.#.", "T"), 5)])
    assert [finding.about for finding in check(tees) if finding.fault] == ["parity"]


def test_a_mutilated_chessboard_fails_by_its_colours() -> None:
    board = "/".join([".#######", *["########"] * 6, "#######."])
    [fault] = faults(Problem(draw(board), [Piece(draw("##", "domino"), 31, 31)]))
    assert "has 2 more cells of one colour than of the other" in fault


@pytest.mark.parametrize("grid", [PRISMS, CUBES], ids=lambda grid: grid.name)
def test_the_chessboard_exists_on_two_colourable_grids(grid: kumitate.Grid) -> None:
    bar = Shape(grid, {(0, 0, 0, 0), (0, 0, 1, 0)}, name="bar")
    tower = Shape(grid, {(0, 0, z, 0) for z in range(4)} | {(9, 9, z, 0) for z in (0, 2)})
    assert any("chessboard" in fault for fault in faults(Problem(tower, [Piece(bar, 3, 3)])))


def test_balls_have_no_chessboard() -> None:
    goal = Shape(SPHERES, {(x, 0, 0, 0) for x in range(4)})
    bar = Shape(SPHERES, {(0, 0, 0, 0), (1, 0, 0, 0)}, name="bar")
    assert faults(Problem(goal, [Piece(bar, 2, 2)])) == []


def test_noteworthy_things_are_noted() -> None:
    pieces = [
        Piece(draw("## .#/#. ..", "a")),
        Piece(draw("## #./.# ..", "b")),
        Piece(draw("## .#/#. ..", "c")),
        Piece(draw("#.#", "d")),
    ]
    found = notes(Problem(draw("####/####/####/####"), pieces))
    assert "pieces a and b are mirror images of each other" in found
    assert "pieces a and c are the same shape and count as copies of one piece" in found
    assert "piece d is not connected: it has 2 parts" in found
    assert "the goal looks the same in 8 orientations, 16 with mirror images" in found


def test_all_that_are_alike_are_named_together() -> None:
    bars = [Piece(draw("##", "a")), Piece(draw("#/#", "b")), Piece(draw("#  #", "c"))]
    found = notes(Problem(draw("######"), bars))
    assert "pieces a, b and c are the same shape and count as copies of one piece" in found


def test_a_quick_check_leaves_out_what_takes_long_and_says_so() -> None:
    """This rod fits nowhere, but among ten thousand cells nobody looks."""
    goal = Shape(CUBES, {(x, y, 0, 0) for x in range(100) for y in range(100)})
    rod = Piece(draw("#" * 101, "rod"), 0, 100)
    [note] = check(Problem(goal, [rod]), quick=True)
    assert note == (False, "too large to check completely here; run 'kumitate check'", "large")
    small = Problem(draw("###"), [BAR])
    assert check(small, quick=True) == check(small)


def test_a_puzzle_says_which_of_its_problems_is_meant() -> None:
    bar, row = draw("##", "bar"), draw("###", "row")
    problem = Problem(row, [Piece(bar)], "odd")
    puzzle = kumitate.Puzzle(CUBES, [bar, row], [problem, Problem(bar, [Piece(bar)], "even")])
    texts = [finding.text for finding in check(puzzle) if finding.fault]
    assert texts == [
        "odd: the goal has 3 cells but the pieces fill 2; add a piece or mark a goal cell optional"
    ]


def test_the_library_has_no_faults() -> None:
    """But for the problems that are famous because they are impossible, and check says why."""
    for name, puzzle in kumitate.library.items():
        hopeless = sum(answer.assemblies == 0 for answer in kumitate.library.answers(name))
        assert sum(finding.fault for finding in check(puzzle)) == hopeless, name


def test_a_symmetry_is_a_turn_after_which_a_shape_looks_the_same() -> None:
    """Counted without turning whole shapes; here they are turned."""
    dice = Random(4)
    symmetric = 0
    for _ in range(150):
        grid = dice.choice(list(GRIDS.values()))
        spots = [range(2), range(2), range(2), range(len(grid.tiles))]
        a, b, c, d = ([dice.choice(axis) for _ in range(4)] for axis in spots)
        cells = set(zip(a, b, c, d, strict=True))
        some = {cell for cell in cells if dice.random() < 0.2}
        shape = Shape(grid, cells, some, dict.fromkeys(some, 1)).at_origin()
        images = [(turn, shape.turned(turn)) for turn in grid.turns + grid.mirrors]
        kept = [turn for turn, image in images if image and image.at_origin() == shape]
        assert list(shape.symmetries(mirrors=True)) == kept
        symmetric += len(kept) > 1
    assert symmetric > 20
