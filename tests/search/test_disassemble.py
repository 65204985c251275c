"""Assemblies come apart as a plain search says, and with the levels that BurrTools gives."""

import json
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bench.apart import tray
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.children import interrupted
from tests.search import plain_apart

import kumitate
from kumitate import (
    CUBES,
    Assembly,
    Disassembly,
    Grid,
    LimitReached,
    Piece,
    Placement,
    Problem,
    Shape,
    assemble,
    disassemble,
    examine,
    library,
    rigidity,
    solve,
)
from kumitate.grids import HEXAGONS, KELVIN, PRISMS, RHOMBS, SPHERES, TETROCTS
from kumitate.referee import disassembly_faults

REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"
RESULTS = REFERENCE / "burrtools_results.json"
ROWS = json.loads(RESULTS.read_text("utf-8"))["rows"] if RESULTS.exists() else []
TAKEN_APART = [row for row in ROWS if row.get("levels")]
needs_reference = pytest.mark.skipif(not ROWS, reason="../shared/reference is not here")
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)


def example(name: str, problem: int = 0) -> Problem:
    [path] = REFERENCE.rglob(f"{name}.xmpuzzle")
    return kumitate.load(path).problems[problem]


def assembly_of(parts: list[set[kumitate.model.geometry.Cell]], grid: Grid) -> Assembly:
    shapes = [Shape(grid, part, name=f"p{n}") for n, part in enumerate(parts)]
    goal = Shape(grid, {cell for part in parts for cell in part})
    problem = Problem(goal, [Piece(shape) for shape in shapes])
    return Assembly(problem, [Placement(n, 0, (0, 0, 0)) for n in range(len(shapes))])


def random_assembly(grid: Grid, seed: int, pieces: int, box: tuple[int, int, int]) -> Assembly:
    """The cells of a box dealt out to pieces: by slabs, at random, or something between.

    Pieces may be in several parts, which the search does not mind; so do some come apart in one
    move, some in several, and some not at all.
    """
    chance = random.Random(seed)
    disorder, holes = chance.choice([0.1, 0.2, 0.4]), chance.choice([0.05, 0.25, 0.45])
    parts: list[set[Any]] = [set() for _ in range(pieces)]
    x, y, z = box
    tiles = range(len(grid.tiles))
    for cell in ((a, b, c, t) for a in range(x) for b in range(y) for c in range(z) for t in tiles):
        if chance.random() > holes:
            slab = cell[0] * pieces // x
            parts[chance.randrange(pieces) if chance.random() < disorder else slab].add(cell)
    for n, part in enumerate(parts):
        if not part:
            part.add((x, n, 0, 0))
    return assembly_of(parts, grid)


def climb(grid: Grid, seed: int, pieces: int, box: tuple[int, int, int]) -> Assembly:
    """A random assembly changed cell by cell, whenever that makes its level no lower."""
    chance = random.Random(seed)
    best = random_assembly(grid, seed, pieces, box)
    highest = 0
    cells = sorted(best.problem.goal.cells)
    for _ in range(200):
        parts = [set(shape.cells) for shape in best.shapes]
        cell = chance.choice(cells)
        for part in parts:
            part.discard(cell)
        if chance.random() < 0.7:
            chance.choice(parts).add(cell)
        if all(parts):
            other = assembly_of(parts, grid)
            found = examine(other, max_states=300).disassembly
            if found and found.levels.moves >= highest:
                best, highest = other, found.levels.moves
    return best


# Grids on which a plain search of a few pieces ends, with boxes that interlock now and then.
BOXES = [
    (CUBES, (5, 4, 3)),
    (CUBES, (3, 3, 3)),
    (PRISMS, (3, 3, 2)),
    (SPHERES, (3, 3, 2)),
    (HEXAGONS, (4, 4, 2)),
    (TETROCTS, (2, 1, 1)),
    (KELVIN, (3, 2, 2)),
]


@settings(
    max_examples=1500 if "KUMITATE_SOAK" in os.environ else 150, deadline=None, phases=UNSHRUNK
)
@given(st.sampled_from(BOXES), st.integers(0, 10**6), st.integers(2, 4))
def test_a_plain_search_agrees(
    where: tuple[Grid, tuple[int, int, int]], seed: int, pieces: int
) -> None:
    grid, box = where
    assembly = (climb if seed % 2 else random_assembly)(grid, seed, pieces, box)
    expected = plain_apart.level(assembly, most_states=300)
    found = examine(assembly)
    if expected is None:
        assert found.ending in ("rigid", "stuck")
        assert set(found.part) == set(range(pieces))
    elif expected != "many":
        # The whole separates; some part of it may still not.
        if found.disassembly:
            assert found.disassembly.levels.moves == expected
            assert disassembly_faults(assembly, found.disassembly) == []
        else:
            assert len(found.part) < pieces


@needs_reference
@pytest.mark.parametrize("row", TAKEN_APART, ids=lambda row: f"{row['puzzle']}-{row['problem']}")
def test_levels_equal_those_of_burrtools(row: dict[str, Any]) -> None:
    problem = example(row["puzzle"], row["problem"])
    solutions = list(solve(problem, distinct_copies=True, disassemble=True))
    assert len(solutions) == row["solutions"]
    assert Counter(str(s.levels) for s in solutions) == Counter(row["levels"])
    for solution in solutions:
        assert solution.disassembly is not None
        assert disassembly_faults(solution.assembly, solution.disassembly) == []


@needs_reference
def test_the_314_six_piece_burrs_of_cutler() -> None:
    problem = example("SolidSixPieceBurrs")
    found = Counter(str(s.levels) for s in solve(problem, mirrors=True, disassemble=True))
    assert found == {"1": 257, "1.2": 57}


@needs_reference
@pytest.mark.parametrize("path", sorted(REFERENCE.glob("*/*.xmpuzzle")), ids=lambda p: p.stem)
def test_saved_disassemblies_have_the_levels_we_find(path: Path) -> None:
    for known in kumitate.read(path).answers:
        for solution in known.solutions[:50] if known else ():
            if solution.levels is not None:
                found = disassemble(solution.assembly)
                assert found is not None
                assert found.levels == solution.levels


# Assemblies, those that come apart, and the first number of their levels; the counts of
# research on these files, and for HexSticks the number that its author gives.
OTHER_GRIDS = [
    ("HexSticks", 0, 33, {1: 2}),
    ("12PieceSeparation", 0, 1, {1: 1}),
    ("DiagonalCube", 0, 2, {1: 1}),
    ("AugmentedSecondStellation", 0, 2, {1: 1}),
    ("BrokenSticks", 0, 2, {1: 1}),
    ("FourPieceTetrahedron", 0, 1, {1: 1}),
    ("BallRoom", 0, 2, {1: 2}),
    ("BallRoom", 1, 1, {1: 1}),
    ("BallRoom", 2, 3, {1: 3}),
]


@needs_reference
@pytest.mark.parametrize(("name", "number", "assemblies", "levels"), OTHER_GRIDS)
def test_other_grids_come_apart_too(
    name: str, number: int, assemblies: int, levels: dict[int, int]
) -> None:
    found = list(assemble(example(name, number)))
    assert len(found) == assemblies
    apart = [(a, d) for a in found if (d := disassemble(a))]
    assert Counter(d.levels.moves for _, d in apart) == levels
    for assembly, disassembly in apart:
        assert disassembly_faults(assembly, disassembly) == []
    if name == "12PieceSeparation":
        [(_, disassembly)] = apart
        assert disassembly.levels.total == 25


KNOWN = [(name, p.name) for name, puzzle in library.items() for p in puzzle.problems]


@pytest.mark.parametrize(("name", "problem"), KNOWN, ids=lambda word: word)
def test_levels_in_the_library_are_those_that_are_known(name: str, problem: str) -> None:
    [answer] = library.answers(f"{name}/{problem}")
    if not answer.levels:
        pytest.skip("no levels are known")
    if answer.fine and "KUMITATE_SOAK" not in os.environ:
        pytest.skip("takes seconds: make soak")
    [prepared] = library[f"{name}/{problem}"].problems
    found = solve(prepared, threads=2, disassemble=True, turns=answer.turns, fine=answer.fine)
    solutions = list(found)
    assert Counter(str(s.levels) for s in solutions) == Counter(answer.levels)
    for solution in solutions[:: max(1, len(solutions) // 40)]:
        assert solution.disassembly is not None
        assert disassembly_faults(solution.assembly, solution.disassembly) == []


@settings(max_examples=60, deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(BOXES), st.integers(0, 10**6), st.integers(2, 6), st.integers(0, 10**6))
def test_turning_the_whole_changes_no_level(
    where: tuple[Grid, tuple[int, int, int]], seed: int, pieces: int, turn: int
) -> None:
    grid, box = where
    assembly = random_assembly(grid, seed, pieces, box)
    rotation = grid.turns[turn % len(grid.turns)]
    turned = [shape.turned(rotation) for shape in assembly.shapes]
    if any(shape is None for shape in turned) or rotation.divisor > 1:
        return
    other = assembly_of([set(shape.cells) for shape in turned if shape], grid)
    one, two = examine(assembly, max_states=20_000), examine(other, max_states=20_000)
    assert one.ending == two.ending
    if one.disassembly and two.disassembly:
        assert one.disassembly.levels.moves == two.disassembly.levels.moves


@settings(max_examples=40, deadline=None, phases=UNSHRUNK)
@given(st.integers(0, 10**6), st.integers(2, 5), st.sampled_from([40, 100, 300]))
def test_a_far_away_box_changes_no_level(seed: int, pieces: int, distance: int) -> None:
    """The first piece has a part far off, where nothing else ever comes."""
    assembly = random_assembly(CUBES, seed, pieces, (4, 4, 3))
    shapes = [set(shape.cells) for shape in assembly.shapes]
    here = range(distance, distance + 2)
    far = {(x, y, z, 0) for x in here for y in here for z in here}
    one = examine(assembly, max_states=2000)
    two = examine(assembly_of([shapes[0] | far, *shapes[1:]], CUBES), max_states=2000)
    assert one.ending == two.ending
    if one.disassembly and two.disassembly:
        assert one.disassembly.levels == two.disassembly.levels


@settings(max_examples=100, deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(BOXES), st.integers(0, 10**6), st.integers(6, 20))
def test_many_pieces_near_together_come_apart_as_if_far_from_each_other(
    where: tuple[Grid, tuple[int, int, int]], seed: int, pieces: int
) -> None:
    """What blocks what is read off all cells; with a far cell, pairs of pieces are asked about."""
    grid, box = where
    near = random_assembly(grid, seed, pieces, box)
    shapes = [set(shape.cells) for shape in near.shapes]
    far = assembly_of([shapes[0] | {(40, 50, 60, 0)}, *shapes[1:]], grid)
    one, two = examine(near, max_states=1000), examine(far, max_states=1000)
    assert (one.ending, one.states, one.part) == (two.ending, two.states, two.part)
    assert one.disassembly == two.disassembly
    if one.disassembly:
        assert disassembly_faults(near, one.disassembly) == []


@settings(max_examples=40, deadline=None, phases=UNSHRUNK)
@given(st.integers(0, 10**6), st.integers(2, 5), st.sampled_from([40, 100, 300]))
def test_a_far_wall_costs_a_move_at_most(seed: int, pieces: int, distance: int) -> None:
    """It takes one more move at most to leave it behind, and that not first."""
    assembly = random_assembly(CUBES, seed, pieces, (4, 4, 3))
    before = examine(assembly, max_states=2000)
    far = {(x, y, distance, 0) for x in range(-3, 8) for y in range(-3, 8)}
    shapes = [set(shape.cells) for shape in assembly.shapes]
    # The box is fixed: it is one piece with the first.
    after = examine(assembly_of([shapes[0] | far, *shapes[1:]], CUBES), max_states=50_000)
    if before.disassembly and after.disassembly:
        assert before.disassembly.levels.moves <= after.disassembly.levels.moves
        assert after.disassembly.levels.moves <= before.disassembly.levels.moves + 1
    if before.ending in ("rigid", "stuck") and len(before.part) == pieces:
        assert after.ending == before.ending


def states_of(assembly: Assembly, disassembly: Disassembly) -> list[dict[int, Any]]:
    """Where the pieces are after every move of the first separation."""
    at = dict.fromkeys(range(len(assembly.placements)), (0, 0, 0))
    states = [dict(at)]
    for move in disassembly.moves[:-1]:
        assert isinstance(move, kumitate.Move)
        for piece in move.pieces:
            x, y, z = at[piece]
            a, b, c = move.shift
            at[piece] = (x + a, y + b, z + c)
        states.append(dict(at))
    return states


@needs_reference
@pytest.mark.parametrize("name", ["PelikanBurr", "CubeInCage", "DraculasDentalDesaster"])
def test_reversing_the_moves_assembles_it(name: str) -> None:
    """What is left after the last state, replayed backwards from there, ends where it began."""
    [solution] = solve(example(name), disassemble=True)
    assert solution.disassembly is not None
    moves, states = solution.disassembly.moves, states_of(solution.assembly, solution.disassembly)
    for before, move in zip(reversed(states[:-1]), reversed(moves[:-1]), strict=True):
        # From the state after the move, with everything shifted there, the way back is free.
        after = states[states.index(before) + 1]
        shapes = [
            set(shape.shifted(after[n]).cells) for n, shape in enumerate(solution.assembly.shapes)
        ]
        here = assembly_of(shapes, CUBES)
        assert isinstance(move, kumitate.Move)
        x, y, z = move.step
        back = kumitate.Move(move.pieces, (-x, -y, -z), move.units)
        away = kumitate.Move(move.pieces, (-x, -y, -z), None)
        [fault] = disassembly_faults(here, Disassembly([back, away])) or [""]
        assert "move 1" not in fault


def cut_apart(seed: int, pieces: int) -> Assembly:
    """A box sawn along zigzags: each cut leaves two parts that slide off each other along y.

    Every piece is all cells whose x lies between two functions of y and z that do not vary along y,
    so each slides off along y whatever the others do.
    """
    chance = random.Random(seed)
    length, width, height = 3 * pieces, 4, 4
    borders = [[0] * height]
    for _ in range(pieces - 1):
        borders.append([low + chance.randint(1, 4) for low in borders[-1]])
    borders.append([length * 4] * height)
    parts: list[set[Any]] = [set() for _ in range(pieces)]
    for z in range(height):
        for n in range(pieces):
            for x in range(borders[n][z], min(borders[n + 1][z], borders[n][z] + 5)):
                parts[n] |= {(x, y, z, 0) for y in range(width)}
    return assembly_of(parts, CUBES)


@pytest.mark.parametrize("seed", range(20))
def test_what_comes_apart_by_construction_is_found_to(seed: int) -> None:
    assembly = cut_apart(seed, pieces=2 + seed % 6)
    found = disassemble(assembly)
    assert found is not None
    assert found.levels.moves == 1
    assert disassembly_faults(assembly, found) == []


def test_more_than_64_pieces() -> None:
    """A wall of bricks in a tray that is open on one side; then without the opening."""
    side = 9
    bricks = [{(x, y, 0, 0)} for x in range(side) for y in range(side)]
    floor = {(x, y, -1, 0) for x in range(-1, side + 1) for y in range(-1, side + 1)}
    walls = {(x, y, 0, 0) for x, y, _, _ in floor if x in (-1, side) or y in (-1, side)}
    assembly = assembly_of([*bricks, floor | walls], CUBES)
    found = disassemble(assembly)
    assert found is not None
    assert str(found.levels) == "1"
    assert disassembly_faults(assembly, found) == []
    lid = {(x, y, 1, 0) for x, y, _, _ in floor}
    closed = examine(assembly_of([*bricks, floor | walls | lid], CUBES))
    assert closed.ending == "rigid"


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_state_of_a_closed_tray_is_visited(threads: int) -> None:
    """Seven blocks and two holes in 3x3: every arrangement, 9! / 2 of them."""
    found = examine(tray(3, 3, 7), threads=threads)
    assert (found.ending, found.states) == ("stuck", 181_440)


@needs_reference
def test_the_answer_is_the_same_for_any_number_of_threads() -> None:
    [solution] = solve(example("PelikanBurr"), disassemble=True)
    for threads in (2, 3):
        found = examine(solution.assembly, threads=threads)
        assert found.disassembly == solution.disassembly
        assert found.states == examine(solution.assembly).states


def test_a_limit_is_kept_however_many_pieces_are_loose() -> None:
    """Twenty blocks that each may or may not move along: a million sets at every turn."""
    inside = {(x, y, 0, 0) for x in range(10) for y in range(8)}
    around = {(x, y, z, 0) for x in range(-1, 11) for y in range(-1, 9) for z in (-1, 0, 1)}
    blocks = [{(x, y, 0, 0)} for x in range(1, 10, 2) for y in range(0, 8, 2)]
    found = examine(assembly_of([around - inside, *blocks], CUBES), max_states=20_000)
    assert found.ending == "limit"
    assert found.states < 100_000


@pytest.mark.parametrize("distance", [66_000, 900_000, 2**30])
def test_pieces_too_far_apart_are_refused(distance: int) -> None:
    far = assembly_of([{(-distance, 0, 0, 0)}, {(distance, 0, 0, 0)}], CUBES)
    with pytest.raises(kumitate.PuzzleError, match="they slide too far"):
        examine(far)
    with pytest.raises(kumitate.PuzzleError, match="too far from the origin"):
        examine(assembly_of([{(0, 0, 0, 0)}, {(2**31, 0, 0, 0)}], CUBES))


def test_what_cannot_be_taken_apart_is_refused() -> None:
    nothing = assembly_of([{(0, 0, 0, 0)}, set()], CUBES)
    with pytest.raises(kumitate.PuzzleError, match="piece p1 has no cells"):
        examine(nothing)
    wide = assembly_of([{(0, 0, 0, 0), (0, 30_000, 30_000, 0)}, {(0, 1, 0, 0)}], CUBES)
    with pytest.raises(kumitate.PuzzleError, match="they slide too far"):
        examine(wide)
    row = assembly_of([{(x, 0, 0, 0)} for x in range(251)], CUBES)
    for search in (examine, kumitate.explore):
        with pytest.raises(kumitate.PuzzleError, match="251 pieces; at most 250"):
            search(row)
    few = assembly_of([{(x, 0, 0, 0)} for x in range(250)], CUBES)
    found = disassemble(few)
    assert found is not None
    assert found.levels.total == 249
    for limits in ({"max_states": 0}, {"max_moves": 0}, {"threads": 0}):
        with pytest.raises(kumitate.PuzzleError, match="must be at least 1"):
            examine(tray(2, 2, 2), **limits)  # type: ignore[arg-type]


def loose(cubes: int) -> Assembly:
    """Cubes in a closed box with much room, each on its own."""
    inside = {(x, y, z, 0) for x in range(32) for y in range(4) for z in range(3)}
    box = {(x, y, z, 0) for x in range(-1, 33) for y in range(-1, 5) for z in range(-1, 4)}
    return assembly_of([box - inside, *({(2 * n, 1, 1, 0)} for n in range(cubes))], CUBES)


def test_limits_are_kept_where_states_have_thousands_of_children() -> None:
    start = time.process_time()
    found = examine(loose(11), max_states=10_000)
    assert found.ending == "limit"
    assert found.states < 300_000
    assert time.process_time() - start < 5


def test_states_are_counted_once_when_places_become_wide() -> None:
    """A pin in a corridor longer than the narrow numbers for places reach, walled by blocks."""
    length = 40
    corridor = {(x, 0, 0, 0) for x in range(length)}
    box = {(x, y, z, 0) for x in range(-1, length + 1) for y in (-1, 0, 1) for z in (-1, 0, 1)}
    pieces = [{cell} for cell in ((0, 0, 0, 0), (1, 0, 0, 0))]
    # Bricks, so that no single piece is longer than the numbers allow for at first.
    walls = [
        {cell for cell in box - corridor if cell[0] // 5 == n} for n in range(-1, length // 5 + 1)
    ]
    assembly = assembly_of([*pieces, *(wall for wall in walls if wall)], CUBES)
    joined = assembly_of([*pieces, box - corridor], CUBES)
    assert examine(joined).states == 40 * 39 // 2
    assert examine(assembly).ending == "apart"


def test_a_referee_wants_all_pieces_of_a_coordinate_motion_to_move() -> None:
    sealed = Assembly.from_text(CUBES, "AAA.  AAA.  AAA. / AAA.  ABAC  AAA. / AAA.  AAA.  AAA.")
    wrong = kumitate.Move([1, 2], (0, 0, 0), None, 1, [(0, 0, 0), (1, 0, 0)])
    then = Disassembly([kumitate.Move([2], (1, 0, 0), None)])
    assert disassembly_faults(sealed, Disassembly([wrong], None, then)) != []


def test_any_weight_will_do() -> None:
    """Here the tube stays, being heavier, however heavy."""
    rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
    for weight in (2, 10**18):
        tube, bar = rod.problem.pieces
        heavy = Piece(Shape(CUBES, tube.shape.cells, name="A", weight=weight))
        assembly = Assembly(Problem(rod.problem.goal, [heavy, bar]), list(rod.placements))
        found = disassemble(assembly)
        assert found is not None
        assert found.moves[0].pieces == (1,)


def test_a_limit_is_not_a_proof() -> None:
    assert examine(tray(3, 3, 7), max_states=1000).ending == "limit"
    with pytest.raises(LimitReached, match="gave up after"):
        disassemble(tray(3, 3, 7), max_states=1000)
    assert examine(tray(3, 3, 7), max_moves=3).ending == "limit"
    assert examine(tray(2, 2, 2), max_states=1000).ending == "stuck"
    [only] = list(solve(library["slothouber-graatsma"].problems[0], max_moves=10, disassemble=True))
    assert only.level == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_a_disassembly_stops_within_a_tenth_of_a_second(threads: int) -> None:
    """Best of three, from the signal to the exception; the clock is the CPU's, of all threads."""
    times = []
    for _ in range(3):
        sent: list[float] = []

        def interrupt(sent: list[float] = sent) -> None:
            time.sleep(0.3)
            sent.append(time.process_time())
            signal.raise_signal(signal.SIGINT)

        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            examine(tray(3, 4, 10), threads=threads)
        times.append(time.process_time() - sent[0])
    assert min(times) < 0.1 * threads


def test_progress_tells_the_states() -> None:
    seen: list[int] = []
    found = examine(tray(3, 3, 7), progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 0
    assert seen[-1] <= found.states

    def stop(states: int) -> None:
        raise RuntimeError(f"at {states}")

    with pytest.raises(RuntimeError, match="at"):
        examine(tray(3, 3, 7), progress=stop)


def test_ctrl_c_stops_a_disassembly_at_once() -> None:
    code = """
import sys
sys.path.insert(0, ".")
from tests.search.test_disassemble import tray, examine
examine(tray(3, 4, 10), threads=int(sys.argv[1]))
"""
    for threads in ("1", "2"):
        words = [sys.executable, "-c", code, threads]
        _, _, errors, used = interrupted(words, 2, Path(__file__).resolve().parents[2])
        assert errors.rstrip().endswith("KeyboardInterrupt")
        assert "examine(tray" in errors or "in examine" in errors
        assert used < 1.5  # with the time Python takes to leave


def test_pieces_of_a_group_may_stay_together() -> None:
    """Two hooked pieces that never part, and a third that leaves them."""
    hooked = [
        {(x, y, z, 0) for x in range(5) for y in range(5) for z in range(5)} - {(2, 2, 2, 0)},
        {(2, 2, 2, 0)},
        {(6, 0, 0, 0)},
    ]
    assembly = assembly_of(hooked, CUBES)
    assert examine(assembly).ending == "rigid"
    pieces = [
        Piece(piece.shape, groups={1: 1} if n < 2 else {})
        for n, piece in enumerate(assembly.problem.pieces)
    ]
    grouped = Assembly(Problem(assembly.problem.goal, pieces), list(assembly.placements))
    found = disassemble(grouped)
    assert found is not None
    assert disassembly_faults(grouped, found) == []


def test_a_single_piece_is_no_disassembly() -> None:
    assert disassemble(Assembly.from_text(CUBES, "AA")) is None


def test_the_rhombic_grid_gives_cube_puzzles_the_same_levels() -> None:
    """Along the axes alone; with its diagonals too, a level can only fall."""
    assembly = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
    parts = [
        {(x, y, z, t) for x, y, z, _ in shape.cells for t in range(24)} for shape in assembly.shapes
    ]
    found = disassemble(assembly_of(parts, RHOMBS))
    assert found is not None
    assert str(found.levels) == "1"


def held(assembly: Assembly, forces: tuple[kumitate.search.Force, ...]) -> bool:
    """Whether the forces are a proof: between faces that touch, positive, and in balance."""
    sums: dict[int, list[int]] = {n: [0, 0, 0] for n in range(len(assembly.placements))}
    for first, second, normal, strength in forces:
        assert strength > 0
        assert any(
            (x + dx, y + dy, z + dz, u) in assembly.shapes[second].cells
            for x, y, z, t in assembly.shapes[first].cells
            for dx, dy, dz, u in assembly.problem.grid.neighbours[t]
        )
        for axis in range(3):
            sums[first][axis] -= strength * normal[axis]
            sums[second][axis] += strength * normal[axis]
    return not any(any(total) for total in sums.values())


# Rigid assemblies of BurrTools' examples, and how many have a certificate; the one of BrokenSticks
# is rigid only by its edges.
CERTIFIED = [
    ("HexSticks", 31, 31),
    ("DiagonalCube", 1, 1),
    ("AugmentedSecondStellation", 1, 1),
    ("BrokenSticks", 1, 0),
]


@needs_reference
@pytest.mark.parametrize(("name", "rigid", "certified"), CERTIFIED)
def test_what_is_rigid_is_held_by_forces(name: str, rigid: int, certified: int) -> None:
    found = [a for a in assemble(example(name)) if examine(a).ending == "rigid"]
    assert len(found) == rigid
    proofs = [(a, forces) for a in found if (forces := rigidity(a)) is not None]
    assert len(proofs) == certified
    assert all(held(assembly, forces) for assembly, forces in proofs)


def test_what_can_move_has_no_certificate() -> None:
    rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
    assert rigidity(rod) is None
    assert rigidity(Assembly.from_text(CUBES, "A.B")) is None


@settings(max_examples=60, deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(BOXES), st.integers(0, 10**6), st.integers(2, 5))
def test_a_certificate_is_only_given_to_what_is_rigid(
    where: tuple[Grid, tuple[int, int, int]], seed: int, pieces: int
) -> None:
    grid, box = where
    assembly = random_assembly(grid, seed, pieces, box)
    forces = rigidity(assembly)
    if forces is not None:
        assert examine(assembly, max_states=1000).ending == "rigid"
        assert grid.balls or held(assembly, forces)


@needs_reference
def test_an_iris_opens_by_coordinate_motion() -> None:
    """Locked along every step, as BurrTools says; but its three pieces fly apart in one move."""
    [assembly] = assemble(example("iris3d"))
    assert disassemble(assembly) is None
    found = disassemble(assembly, coordinate=True)
    assert found is not None
    assert str(found.levels) == "1"
    assert disassembly_faults(assembly, found) == []
    [away] = found.moves
    assert isinstance(away, kumitate.Move)
    assert len(set(away.steps)) == 2
    wrong = kumitate.Move(away.pieces, away.step, None, 1, [(1, 0, 0), (0, 1, 0)])
    assert "would pass through" in disassembly_faults(assembly, Disassembly([wrong]))[0]
    [solution] = solve(example("iris3d"), coordinate=True, disassemble=True)
    assert solution.disassembly == found


FINE = ["12PieceSeparation", "FourPieceTetrahedron", "AugmentedSecondStellation", "DiagonalCube"]


@needs_reference
@pytest.mark.parametrize("name", FINE)
def test_finer_places_change_neither_ending_nor_level(name: str) -> None:
    """So far as anybody knows; what they may change is the rest of the level."""
    for assembly in assemble(example(name)):
        coarse, fine = disassemble(assembly), disassemble(assembly, fine=True)
        assert (coarse is None) == (fine is None)
        if coarse and fine:
            assert coarse.levels.moves == fine.levels.moves
            assert disassembly_faults(assembly, fine) == []
            assert {move.parts for move in fine.moves} == {2}
