"""The referee finds each kind of fault, on every grid, and nothing else."""

import inspect
import sys
from dataclasses import replace

import pytest

import kumitate
from kumitate import CUBES, Assembly, Disassembly, Move, Piece, Placement, Problem, Shape
from kumitate.grids import GRIDS, PRISMS, RHOMBS, SPHERES, recast
from kumitate.referee import assembly_faults, disassembly_faults

BAR = Shape.from_text(CUBES, "##", name="bar")
HERE = (0, 0, 0)
BESIDE = (0, 1, 0)


def bars(goal: str, *shifts: tuple[int, int, int], **rules: object) -> Assembly:
    """Bars along x at these places, in a drawn goal that asks for two."""
    piece = Piece(BAR, 2, 2)
    problem = Problem(Shape.from_text(CUBES, goal), [piece], **rules)  # type: ignore[arg-type]
    return Assembly(problem, [Placement(0, 0, shift) for shift in shifts])


def test_a_right_assembly_has_no_faults() -> None:
    assert assembly_faults(bars("##/##", HERE, BESIDE)) == []


@pytest.mark.parametrize(
    ("assembly", "faults"),
    [
        (
            bars("##/##", HERE, HERE),
            [
                "bar.1 and bar.2 overlap at (0, 0, 0, 0)",
                "bar.1 and bar.2 overlap at (1, 0, 0, 0)",
                "the goal's cell (0, 1, 0, 0) is empty",
                "the goal's cell (1, 1, 0, 0) is empty",
            ],
        ),
        (
            bars("##/##", HERE),
            [
                "bar is used 1 times, not 2",
                "the goal's cell (0, 1, 0, 0) is empty",
                "the goal's cell (1, 1, 0, 0) is empty",
            ],
        ),
        (
            bars("##/#.", HERE, BESIDE),
            ["bar.2 covers (1, 1, 0, 0), which is not in the goal"],
        ),
        (
            bars("##/##/++", HERE, BESIDE, max_holes=1),
            ["2 optional cells are empty, at most 1 may be"],
        ),
        (
            bars("##/##", HERE, BESIDE, pinned=frozenset({Placement(0, 0, (5, 0, 0))})),
            ["bar is not where it is pinned: Placement(piece=0, turn=0, shift=(5, 0, 0))"],
        ),
        (
            bars("##/##", HERE, BESIDE, forbidden=frozenset({Placement(0, 0, HERE)})),
            ["bar is where it is forbidden: Placement(piece=0, turn=0, shift=(0, 0, 0))"],
        ),
    ],
)
def test_each_fault_is_named(assembly: Assembly, faults: list[str]) -> None:
    assert assembly_faults(assembly) == faults


def test_colours_must_be_allowed() -> None:
    piece = Piece(Shape.from_text(CUBES, "ab", name="flag"))
    problem = Problem(Shape.from_text(CUBES, "cd"), [piece], allowed=frozenset({(1, 3)}))
    assembly = Assembly(problem, [Placement(0, 0, HERE)])
    assert assembly_faults(assembly) == [
        "flag may not cover (1, 0, 0, 0): its colour is not allowed there"
    ]
    fine = replace(problem, allowed=frozenset({(1, 3), (2, 4)}))
    assert assembly_faults(replace(assembly, problem=fine)) == []


def test_a_turn_that_misses_the_cells_is_off_the_grid() -> None:
    square = Shape.from_text(SPHERES, "..#./.#.#/..#.", name="square")
    problem = Problem(square, [Piece(square)])
    [fault, *_] = assembly_faults(Assembly(problem, [Placement(0, 30, HERE)]))
    assert fault == "square is off the grid: turn 30 does not put it on cells"


def test_a_piece_that_is_not_there_is_named() -> None:
    assembly = Assembly(bars("##").problem, [Placement(9, 0, HERE)])
    assert "placement 0 is of piece 9, which does not exist" in assembly_faults(assembly)


def test_a_separation_without_moves_is_named() -> None:
    assert disassembly_faults(TUBE, Disassembly([])) == ["separation of A, B: has no moves"]


def test_optional_cells_in_a_piece_are_a_fault() -> None:
    soft = Shape.from_text(CUBES, "#+", name="soft")
    assembly = Assembly(
        Problem(Shape.from_text(CUBES, "##"), [Piece(soft)]), [Placement(0, 0, HERE)]
    )
    assert assembly_faults(assembly) == ["piece soft has optional cells; only a goal may"]


# ---- disassemblies ----

TUBE = Assembly.from_text(
    CUBES,
    """
    AAA  AAA  AAA
    AAA  BBB  AAA
    AAA  AAA  AAA
    """,
)


def away(*pieces: int, step: tuple[int, int, int]) -> Disassembly:
    return Disassembly([Move(pieces, step, None)])


def test_a_rod_leaves_its_tube_along_the_bore() -> None:
    assert disassembly_faults(TUBE, away(1, step=(1, 0, 0))) == []
    assert disassembly_faults(TUBE, away(0, step=(-1, 0, 0))) == []


@pytest.mark.parametrize(
    ("disassembly", "words"),
    [
        (away(1, step=(0, 0, 1)), "B would pass through A"),
        (away(1, step=(1, 1, 0)), "not a step of the grid"),
        (away(0, 1, step=(1, 0, 0)), "must move some of its pieces and leave others"),
        (Disassembly([Move([], (1, 0, 0), None)]), "must move some of its pieces and leave others"),
        (
            Disassembly([Move([7], (1, 0, 0), None)]),
            "must move some of its pieces and leave others",
        ),
        (Disassembly([Move([1], (1, 0, 0), 3)]), "only the last move must take pieces away"),
        (
            Disassembly([Move([1], (1, 0, 0), None), Move([1], (1, 0, 0), None)]),
            "only the last move must take pieces away",
        ),
        (Disassembly([Move([1], (1, 0, 0), 0), Move([1], (1, 0, 0), None)]), "by 0 units"),
    ],
)
def test_a_wrong_move_is_named(disassembly: Disassembly, words: str) -> None:
    [fault] = disassembly_faults(TUBE, disassembly)
    assert words in fault


def test_a_move_in_the_middle_counts_every_unit() -> None:
    maze = Assembly.from_text(CUBES, "AAAAA / ABCAA / AA.AA / AAAAA")
    assert (
        "B would pass through A"
        in disassembly_faults(
            maze,
            Disassembly(
                [Move([2], (0, 1, 0), 1), Move([1], (1, 0, 0), 2), Move([1], (0, 0, 1), None)]
            ),
        )[0]
    )
    fine = Disassembly(
        [Move([2], (0, 1, 0), 1), Move([1], (1, 0, 0), 1), Move([1], (0, 0, 1), None)],
        left=away(2, step=(0, 0, 1)),
    )
    assert disassembly_faults(maze, fine) == []


@pytest.mark.parametrize("parts", [1, 2])
def test_a_long_way_there_and_back_is_replayed_at_once(parts: int) -> None:
    """However many units: only those matter where pieces are near each other."""
    far = parts * 10**15
    there, back = Move([1], (1, 0, 0), far, parts), Move([1], (-1, 0, 0), far, parts)
    out = Move([1], (1, 0, 0), None, parts)
    assert disassembly_faults(TUBE, Disassembly([there, back, out])) == []
    aside = Move([1], (0, 1, 0), 1, parts)
    for moves in ([there, aside, back], [there, back, aside]):
        [fault] = disassembly_faults(TUBE, Disassembly([*moves, out]))
        assert "pass through" in fault


def test_what_stays_together_must_be_a_group() -> None:
    row = Assembly.from_text(CUBES, "ABC")
    leave = away(2, step=(1, 0, 0))
    assert disassembly_faults(row, leave) == [
        "these do not come apart, and their groups do not let them stay together: A, B"
    ]
    grouped = [replace(piece, groups={4: 1}) for piece in row.problem.pieces[:2]]
    problem = replace(row.problem, pieces=[*grouped, row.problem.pieces[2]])
    assert disassembly_faults(replace(row, problem=problem), leave) == []
    other = replace(
        problem, pieces=[grouped[0], replace(grouped[1], groups={5: 1}), problem.pieces[2]]
    )
    assert disassembly_faults(replace(row, problem=other), leave) != []


@pytest.mark.parametrize("grid", list(GRIDS.values()), ids=lambda grid: grid.name)
def test_two_cells_side_by_side_part_on_every_grid(grid: kumitate.Grid) -> None:
    """Neighbours can part along some steps, and along the opposite of one of those they cannot."""
    *shift, tile = grid.neighbours[0][0]
    cells = [(0, 0, 0, 0), (shift[0], shift[1], shift[2], tile)]
    shapes = [Shape(grid, {cell}) for cell in cells]
    problem = Problem(shapes[0] | shapes[1], [Piece(shape) for shape in shapes])
    pair = Assembly(problem, [Placement(0, 0, HERE), Placement(1, 0, HERE)])
    free = {step for step in grid.steps if not disassembly_faults(pair, away(1, step=step))}
    blocked = set(grid.steps) - free
    assert free
    assert blocked
    assert all((-x, -y, -z) in free for x, y, z in blocked)


def test_a_cube_puzzle_cut_in_rhombic_cells_comes_apart_alike() -> None:
    shapes = [recast(shape, RHOMBS) for shape in TUBE.shapes]
    problem = Problem(shapes[0] | shapes[1], [Piece(shape) for shape in shapes])
    cut = Assembly(problem, [Placement(0, 0, HERE), Placement(1, 0, HERE)])
    assert assembly_faults(cut) == []
    for step in RHOMBS.steps:
        works = step in {(1, 0, 0), (-1, 0, 0)}
        assert (disassembly_faults(cut, away(1, step=step)) == []) == works


def test_a_wedge_of_prisms_slides_out_along_its_faces() -> None:
    block = Assembly.from_text(PRISMS, "AAABBAAA")
    free = [s for s in PRISMS.steps if not disassembly_faults(block, away(1, step=s))]
    assert set(free) >= {(0, 0, 1), (0, 0, -1)}
    assert (1, 0, 0) not in free


def test_no_copy_may_be_in_a_group_more_often_than_it_says() -> None:
    """Two pairs that stay together, but only one copy of each piece may be in the group."""
    a, b = (Shape.from_text(CUBES, "#", name=name) for name in "ab")
    goal = Shape.from_text(CUBES, "####")

    def pairs(copies: int) -> Assembly:
        pieces = [Piece(shape, 2, groups={1: copies}) for shape in (a, b)]
        places = [(0, 0), (0, 2), (1, 1), (1, 3)]
        return Assembly(Problem(goal, pieces), [Placement(p, 0, (x, 0, 0)) for p, x in places])

    apart = away(1, 3, step=(1, 0, 0))
    assert disassembly_faults(pairs(2), apart) == []
    assert disassembly_faults(pairs(1), apart) == [
        "these do not come apart, and their groups do not let them stay together:"
        " a.1, b.1; a.2, b.2"
    ]


def test_a_piece_is_where_all_its_units_took_it() -> None:
    """The shaft is open only above the third place of the slot."""
    slot = Assembly.from_text(CUBES, "AAAAA AAAAA AAA.A / AAAAA AB..A AAA.A / AAAAA AAAAA AAAAA")

    def out(units: int) -> Disassembly:
        return Disassembly([Move([1], (1, 0, 0), units), Move([1], (0, 0, 1), None)])

    assert disassembly_faults(slot, out(2)) == []
    assert "B would pass through A" in disassembly_faults(slot, out(1))[0]


def test_pieces_of_one_look_stand_for_each_other_unless_copies_are_distinct() -> None:
    goal = Shape.from_text(CUBES, "##/##")
    twins = [Piece(BAR), Piece(BAR.named("twin"))]
    here = Placement(0, 0, HERE)
    swapped = [Placement(1, 0, HERE), Placement(0, 0, BESIDE)]
    pinned = Assembly(Problem(goal, twins, pinned=[here]), swapped)
    assert assembly_faults(pinned) == []
    assert len(assembly_faults(pinned, distinct_copies=True)) == 1
    forbidden = Assembly(Problem(goal, twins, forbidden=[here]), swapped)
    assert len(assembly_faults(forbidden)) == 1
    assert assembly_faults(forbidden, distinct_copies=True) == []


def test_the_referee_replays_as_many_separations_as_there_are() -> None:
    """One cube after the other leaves a row of them, though Python may call itself less often."""
    cubes = 100
    cube = Piece(Shape.from_text(CUBES, "#"), cubes)
    row = Shape(CUBES, {(x, 0, 0, 0) for x in range(cubes)})
    assembly = Assembly(Problem(row, [cube]), [Placement(0, 0, (x, 0, 0)) for x in range(cubes)])
    apart: Disassembly | None = None
    for last in range(1, cubes):
        apart = Disassembly([Move((last,), (0, 0, 1), None)], apart)
    assert apart is not None
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + cubes // 2)
    try:
        assert disassembly_faults(assembly, apart) == []
    finally:
        sys.setrecursionlimit(usual)
