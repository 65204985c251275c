"""The core's climbs against plain judgement; a seed finds the same on any number of threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice, permutations
from random import Random

import pytest
from bench.design import old_burr

from kumitate import CUBES, Assembly, PuzzleError, Shape, examine
from kumitate.designer.engine import Candidate, Engine, candidates
from kumitate.designer.space import NOBODY, Space
from kumitate.grids import PRISMS, SPHERES
from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid

NEVER = float("-inf")


def box(grid: Grid, x: int, y: int, z: int) -> Shape:
    tiles = range(len(grid.tiles) or 1)
    cells = {(i, j, k, t) for i in range(x) for j in range(y) for k in range(z) for t in tiles}
    return Shape(grid, cells)


def cube(side: int, pieces: int, **more: object) -> Space:
    frame = box(CUBES, side, side, side)
    return Space(frame, (frozenset(frame.cells),) * pieces, **more)  # type: ignore[arg-type]


def connected(grid: Grid, cells: frozenset[Cell]) -> bool:
    return len(Shape(grid, cells).components) == 1


@pytest.mark.parametrize(
    ("space", "least"),
    [
        (cube(3, 4, holes=(0, 9), inner=False), 1),
        (cube(4, 3, holes=(1, 4)), 3),
        (cube(4, 9, holes=(2, 8)), 1),
        (cube(4, 17, holes=(2, 8)), 1),
        (Space(box(PRISMS, 3, 3, 2), (frozenset(box(PRISMS, 3, 3, 2).cells),) * 3), 1),
        (Space(box(SPHERES, 3, 3, 3), (frozenset(box(SPHERES, 3, 3, 3).cells),) * 4), 1),
    ],
)
def test_every_judgement_is_that_of_a_plain_search(space: Space, least: int) -> None:
    """Of all that climbs keep: levels, moves, homes, holes and sizes are right."""
    climb = space.climb(slack=1, later=0.1, max_states=3000)
    levels = set[int]()
    for seed in range(3):
        climb.begin(space.owners(space.cut(Random(seed))), seed)
        before, checked = list[int](), 0
        while climb.evaluations < 4000:
            pause = climb.run(1 if checked < 15 else 100)
            if pause == "better":
                climb.settle(True)
            elif checked >= 15 or climb.owners == before:
                continue  # what was judged last was not kept, or may not have been
            before, checked = climb.owners, checked + 1
            pieces = space.pieces(before)
            assert all(connected(space.frame.grid, piece) for piece in pieces)
            assert space.holes[0] <= before.count(NOBODY) <= space.holes[1]
            way = examine(space.assembly(pieces), max_states=3000).disassembly
            assert climb.level == (way.levels.moves if way else 0)
            assert way is None or climb.total == way.levels.total
            levels.add(climb.level)
    assert len(levels) >= least


def test_a_hard_burr_is_judged_right() -> None:
    space, pieces = old_burr()
    climb = space.climb(slack=3, later=0, max_states=3000)
    climb.begin(space.owners(pieces), 1)
    levels = set[int]()
    for _ in range(60):
        before = climb.owners
        if climb.run(1) == "better":
            climb.settle(True)
        if climb.owners != before or not levels:
            levels.add(climb.level)
            way = examine(space.assembly(space.pieces(climb.owners)), max_states=3000).disassembly
            assert climb.level == (way.levels.moves if way else 0)
    assert 29 in levels
    assert len(levels) > 1


def test_a_refused_puzzle_leaves_everything_as_it_was() -> None:
    space = cube(4, 4, holes=(1, 2))
    climb = space.climb(slack=0.5, later=0.1, max_states=3000)
    climb.begin(space.owners(space.cut(Random(3))), 3)
    levels = list[int]()
    while climb.evaluations < 3000:
        best, owners = climb.best, climb.best_owners
        if climb.run(3000 - climb.evaluations) != "better":
            break
        counts = len(levels) < 2
        climb.settle(counts)
        if counts:
            levels.append(climb.level)
        elif best != NEVER:
            assert climb.best == best
            assert climb.best_owners == owners
    assert len(levels) == 2
    assert examine(space.assembly(space.pieces(climb.best_owners))).disassembly is not None


def test_the_colder_a_climb_the_less_it_loses() -> None:
    """From one puzzle that is kept to the next: nothing at all when it is as cold as can be."""
    space = cube(4, 3, holes=(1, 1))
    losses = list[float]()
    for temperature in (1e-9, 0.3, 0):  # 0: all within the slack is kept
        climb = space.climb(slack=4, temperature=temperature, later=0.1, max_states=3000)
        climb.begin(space.owners(space.cut(Random(3))), 3)
        kept, lost = 0.0, 0.0
        while climb.evaluations < 3000:
            before = climb.owners
            if climb.run(1) == "better":
                climb.settle(True)
            elif climb.owners == before:
                continue
            score = climb.level + 0.1 * climb.total
            lost += max(0, kept - score)
            kept = score
        losses.append(lost)
        assert climb.best > 1
    assert losses[0] == 0 < losses[1] < losses[2]


def _found(space: Space, seed: int, threads: int) -> Iterator[Candidate]:
    for report in candidates(space, seed=seed, threads=threads, stop=lambda: False):
        if isinstance(report, Candidate):
            yield report


def test_threads_do_not_change_what_a_seed_finds() -> None:
    space = cube(3, 3, holes=(1, 1))
    most = 16 + 4 + 1  # all rounds of a tournament, and the first climb after it
    one, two = (list(islice(_found(space, 5, threads), most)) for threads in (1, 2))
    assert one == two
    assert one != list(islice(_found(space, 6, 1), most))
    assert all(sum(map(len, candidate.pieces)) == 26 for candidate in one)


HARD = """
    DDBB  DBBB  ACCB  ABBB
    DDDA  AADA  AC.A  BBBB
    AAAA  AADB  BCDB  BCDB
    CBBA  CCBB  CCCC  CCDD
"""  # level 9.2.3


def test_climbs_go_on_from_starts() -> None:
    """So the first tournament loses nothing; from new cuts it does not come as far."""
    space = cube(4, 4, holes=(1, 1))
    shapes = Assembly.from_text(CUBES, HARD).shapes
    start = space.arranged([frozenset(shape.cells) for shape in shapes])
    assert start is not None
    for starts, hard in (([start], True), ([], False)):
        engine = Engine(space, seed=1, accept=None, stop=lambda: False)
        with ThreadPoolExecutor(1) as crew, closing(engine.candidates(crew, starts)) as reports:
            found = islice((it for it in reports if isinstance(it, Candidate)), 16)
            levels = {candidate.levels.moves for candidate in found}
        assert (min(levels) >= 9) == hard


def test_pieces_find_their_homes() -> None:
    """Against trying every order."""
    chance, fitting = Random(7), 0
    for _ in range(200):
        frame = box(CUBES, 4, 1, 1)
        cells = sorted(frame.cells)
        homes = tuple(frozenset(chance.sample(cells, chance.randrange(1, 4))) for _ in range(3))
        pieces = [frozenset({cell}) for cell in chance.sample(cells, 3)]
        space = Space(frame, homes, holes=(0, 4), inner=False)
        ways = {
            some
            for some in permutations(pieces)
            if all(piece <= home for piece, home in zip(some, homes, strict=True))
        }
        fitting += bool(ways)
        found = space.arranged(pieces)
        assert found in ways if ways else found is None
    assert 20 < fitting < 180
    assert space.arranged(pieces[:2]) is None


def test_what_is_refused_is_not_found() -> None:
    def even(candidate: Candidate) -> bool:
        return all(len(piece) % 2 == 0 for piece in candidate.pieces)

    space = cube(4, 3, holes=(2, 2))
    reports = candidates(space, seed=1, accept=even, stop=lambda: False)
    found = islice((it for it in reports if isinstance(it, Candidate)), 20)
    assert all(map(even, found))


def test_a_climb_asks_once_about_a_candidate() -> None:
    asked = list[Candidate]()

    def refuse(candidate: Candidate) -> bool:
        asked.append(candidate)
        return False

    space = cube(3, 3, holes=(1, 1))
    engine = Engine(space, seed=1, accept=refuse, stop=lambda: False)
    start = space.owners(space.cut(Random(1)))
    assert engine._run(engine._core_climb(0), start, 1, 2000, refuse)
    assert len({candidate.pieces for candidate in asked}) == len(asked) > 10


def test_kept_pieces_and_sizes_stay_as_they_are() -> None:
    frame = box(CUBES, 3, 3, 3)
    lid = frozenset(cell for cell in frame if cell[2] == 2)
    rest = frozenset(frame.cells) - lid
    space = Space(frame, (rest, rest, lid), kept=frozenset({2}), sizes=(7, 11))
    for candidate in islice(_found(space, 1, 1), 10):
        assert candidate.pieces[2] == lid
        assert all(7 <= len(piece) <= 11 for piece in candidate.pieces[:2])


def test_puzzles_grow_by_a_layer() -> None:
    space = cube(4, 3, holes=(1, 2), sizes=(12, 40))
    small = space.smaller
    assert small is not None
    assert len(small.frame.cells) == 48
    ways = 0
    for seed in range(20):
        pieces = small.cut(Random(seed))
        for grown in space.grown(pieces):
            ways += 1
            assert all(old <= new for old, new in zip(pieces, grown, strict=True))
            assert sum(map(len, grown)) == sum(map(len, pieces)) + 16
            assert all(connected(CUBES, piece) and 12 <= len(piece) <= 40 for piece in grown)
    assert ways > 20


def test_only_what_may_be_everywhere_grows() -> None:
    frame = box(CUBES, 4, 4, 4)
    cells = frozenset(frame.cells)
    assert Space(frame, (cells, cells)).smaller is not None
    assert Space(frame, (cells, cells - {(0, 0, 0, 0)})).smaller is None
    assert Space(frame, (cells, cells), start=(cells, frozenset())).smaller is None
    assert cube(4, 8).smaller is None  # too small
    assert cube(4, 2, holes=(9, 9)).smaller is None  # no room for so many holes inside


def test_large_frames_are_no_hindrance() -> None:
    """Short climbs from cuts of the whole frame hardly ever get beyond level 1."""
    found = islice(_found(cube(6, 3, holes=(1, 1)), 1, 1), 16)
    assert max(candidate.levels.moves for candidate in found) >= 5


def test_spaces_that_cannot_be() -> None:
    frame = box(CUBES, 2, 2, 2)
    cells = frozenset(frame.cells)
    with pytest.raises(PuzzleError, match="1 piece: a design has 2 to 64"):
        Space(frame, (cells,))
    with pytest.raises(PuzzleError, match="home of piece 2 lies outside"):
        Space(frame, (cells, cells | {(9, 9, 9, 0)}))
    with pytest.raises(PuzzleError, match="no random cut"):
        Space(frame, (cells, cells), sizes=(5, 8)).cut(Random(1))
