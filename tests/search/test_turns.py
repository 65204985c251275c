"""Pieces that turn: rooms with known answers, random scenes against the plain twin, the referee."""

import os
import random
from dataclasses import replace
from fractions import Fraction
from math import pi
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.search import plain_turns
from tests.search.plain_turns import assembly_of

from kumitate import Assembly, Disassembly, Move, PuzzleError, _core, examine
from kumitate.model.geometry import ZERO, Cell, Vector
from kumitate.model.options import ApartOptions
from kumitate.model.rotation import Rotation
from kumitate.referee import disassembly_faults
from kumitate.referee.oblongs import Oblong, hits_turning
from kumitate.search.disassemble import Disassembler, spots

SOAK = "KUMITATE_SOAK" in os.environ


@pytest.fixture
def without_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns about fixed pivots only, as the twin knows them."""
    monkeypatch.setattr("kumitate.search.disassemble.CLEARANCE", 0)


def box(x: int, y: int, z: int, empty: set[Cell]) -> set[Cell]:
    return {(a, b, c, 0) for a in range(x) for b in range(y) for c in range(z)} - empty


def room(side: int, row: int, slot: int = 1) -> Assembly:
    """A bar of three cells across a room; in the lid, in the middle, is a slot that it fits."""
    inside: set[Cell] = {(x, y, 1, 0) for x in range(1, side + 1) for y in range(1, side + 1)}
    opening: set[Cell] = {((side + 1) // 2, y, 2, 0) for y in range(slot, slot + 3)}
    bar: set[Cell] = {(x, row, 1, 0) for x in (1, 2, 3)}
    return assembly_of(box(side + 2, side + 2, 3, inside | opening), bar)


def key() -> Assembly:
    """A key whose shaft stands in a well of two by two cells, its tooth under a bridge."""
    empty: set[Cell] = {(x, y, z, 0) for z in (1, 2) for x in (2, 3) for y in (3, 4)}
    empty |= {(x, y, z, 0) for z in (3, 4) for x in range(6) for y in range(8)}
    empty -= {(4, y, 4, 0) for y in range(8)} | {(4, y, 3, 0) for y in (0, 7)}
    tooth: set[Cell] = {(2, 3, 1, 0), (2, 3, 2, 0), (2, 3, 3, 0), (3, 3, 3, 0), (4, 3, 3, 0)}
    return assembly_of(box(6, 8, 5, empty), tooth)


def spool() -> Assembly:
    """A key whose shaft stands between two walls."""
    empty: set[Cell] = {(3, y, 1, 0) for y in (2, 3, 4)}
    empty |= {(x, y, z, 0) for z in (2, 3) for x in range(7) for y in range(7)}
    empty -= {(4, y, 3, 0) for y in range(7)} | {(4, y, 2, 0) for y in (0, 6)}
    return assembly_of(box(7, 7, 4, empty), {(3, 3, 1, 0), (3, 3, 2, 0), (4, 3, 2, 0)})


def knight() -> Assembly:
    """Two cells, a knight's move apart, in a room of 4 x 3 with holes in its floor and lid."""
    empty: set[Cell] = {(x, y, 1, 0) for x in (1, 2, 3, 4) for y in (1, 2, 3)}
    empty |= {(1, 3, 0, 0), (3, 2, 0, 0), (3, 3, 0, 0), (4, 2, 2, 0)}
    return assembly_of(box(6, 5, 3, empty), {(4, 3, 1, 0), (3, 1, 1, 0)})


@pytest.mark.parametrize(
    ("assembly", "turns", "level"),  # with the slide out of the opening
    [
        (room(3, 2), 0.0, None),
        (room(3, 2), 0.035, None),
        (room(3, 2), 0.036, "1R1"),
        (room(4, 2), 0.0, "2R1"),
        (room(4, 1), 0.0, "2R1"),
        (room(5, 3, 2), 0.0, "1R1"),
        (room(5, 1), 0.0, "2R1"),
        (key(), 0.0, "1R1"),
        (spool(), 0.085, None),
        (spool(), 0.086, "1R1"),
    ],
)
def test_rooms_with_known_answers(assembly: Assembly, turns: float, level: str | None) -> None:
    assert examine(assembly).ending == "stuck"
    found = examine(assembly, turns=turns)
    assert (str(found.disassembly.levels) if found.disassembly else None) == level
    if found.disassembly:
        assert disassembly_faults(assembly, found.disassembly) == []


@pytest.mark.usefixtures("without_routes")
def test_a_slide_by_half_a_cell_before_a_turn() -> None:
    assembly = knight()
    assert examine(assembly, turns=0).ending == "stuck"
    found = examine(assembly, fine=True, turns=0).disassembly
    assert found is not None
    slide, turn, *_ = found.moves
    assert isinstance(slide, Move)
    assert (str(found.levels), slide.units) == ("3R1", 1)
    assert (slide.parts, turn.parts) == (2, 2)
    assert disassembly_faults(assembly, found) == []
    altered = replace(slide, units=2)
    assert disassembly_faults(assembly, Disassembly([altered, turn, *found.moves[2:]]))


def turns_of(assembly: Assembly, tolerance: int, fine: bool = False) -> list[Rotation]:
    """What can turn from where the pieces were assembled."""
    options = ApartOptions(turns=tolerance / 1000, fine=fine)
    disassembler = Disassembler(assembly.problem, options)
    part = list(range(len(assembly.placements)))
    found = disassembler.core.survey(spots(assembly), part, [ZERO for _ in part])
    assert found is not None
    moves = map(disassembler.move, found)
    return [move for move in moves if isinstance(move, Rotation)]


BAR: set[Cell] = {(x, 0, 0, 0) for x in (-1, 0, 1)}
CEILING: set[Cell] = {(-1, 1, 0, 0), (0, 1, 0, 0)}


@pytest.mark.parametrize(
    ("walls", "piece", "pivot", "least"),
    [
        # sqrt((3/2 - t)^2 + (1/2 - t)^2) = 3/2 + t
        (BAR | {(x, y, 0, 0) for x in (-2, 2) for y in (-1, 0, 1)}, BAR, (1, 1, 0), 36),
        # (1/2 - t) sqrt(2) = 1/2 + t: a cell spins between two walls
        ({(-1, 0, 0, 0), (1, 0, 0, 0)}, {(0, 0, 0, 0)}, (1, 1, 0), 86),
        # (1 - t) sqrt(2) = 1 + t: it swings about its corner, under a ceiling
        (CEILING, {(0, 0, 0, 0)}, (0, 0, 0), 172),
    ],
)
def test_the_least_tolerance_of_a_turn(
    walls: set[Cell], piece: set[Cell], pivot: Vector, least: int
) -> None:
    assembly = assembly_of(walls - piece, piece)

    def found(tolerance: int) -> list[Rotation]:
        some = turns_of(assembly, tolerance)
        return [one for one in some if (one.axis, one.quarters, one.pivot) == (2, 1, pivot)]

    assert found(least - 1) == []
    for tolerance in (least, least + 100):
        (turn,) = found(tolerance)
        assert (turn.pieces, turn.tolerance) == ((1,), Fraction(least, 1000))
    away = Move([1], (0, 0, 1), None)
    assert disassembly_faults(assembly, Disassembly([turn, away])) == []
    less = replace(turn, tolerance=Fraction(least - 1, 1000))
    assert "would hit" in disassembly_faults(assembly, Disassembly([less, away]))[0]


def test_the_least_tolerance_is_told() -> None:
    # sqrt((3/2 - t)^2 + (1/2 - t)^2) = 3/2 + t for t = 0.0359
    found = examine(room(3, 2), turns=0.2).disassembly
    assert found is not None
    turn = found.moves[0]
    assert isinstance(turn, Rotation)
    assert turn.tolerance == Fraction(36, 1000)
    assert examine(room(3, 2), turns=turn.tolerance).disassembly == found  # type: ignore[arg-type]
    less = Disassembly([replace(turn, tolerance=Fraction(35, 1000)), *found.moves[1:]])
    assert "would hit" in disassembly_faults(room(3, 2), less)[0]


def test_the_piece_with_fewer_cells_turns() -> None:
    found = examine(room(4, 1), turns=0).disassembly
    assert found is not None
    assert [move.pieces for move in found.moves] == [(1,), (1,), (1,)]


@pytest.mark.parametrize("change", [{"pivot": (5, 6, 0)}, {"axis": 0}, {"quarters": 2}])
def test_an_altered_turn_is_refused(change: dict[str, object]) -> None:
    assembly = room(4, 1)
    found = examine(assembly, turns=0).disassembly
    assert found is not None
    first, turn, last = found.moves
    assert isinstance(turn, Rotation)
    altered = replace(turn, **change)  # type: ignore[arg-type]
    assert disassembly_faults(assembly, Disassembly([first, altered, last]))


def test_other_grids_have_no_turns() -> None:
    from kumitate.grids import PRISMS

    with pytest.raises(PuzzleError, match="on cubes only"):
        examine(Assembly.from_text(PRISMS, "AB"), turns=0)


@pytest.mark.parametrize(("fine", "most"), [(False, 31), (True, 15)])
def test_pieces_turn_in_boxes_of_so_many_cells(fine: bool, most: int) -> None:
    inside: set[Cell] = {(x, y, 1, 0) for x in range(1, 4) for y in range(1, 4)}
    bar: set[Cell] = {(x, 2, 1, 0) for x in (1, 2, 3)}
    empty = inside | {(2, y, 2, 0) for y in (1, 2, 3)}
    walls = (box(wide, 5, 3, empty) for wide in (most, most + 1))
    within, beyond = (assembly_of(some, bar) for some in walls)
    assert examine(within, turns=0.05, fine=fine).ending == "apart"
    with pytest.raises(PuzzleError, match=f"while all pieces are within {most} cells"):
        examine(beyond, turns=0.05, fine=fine)


@pytest.mark.parametrize("turns", [-0.1, 0.5, 7.0, 10**400, float("nan"), True, "0.1"])
def test_a_tolerance_is_less_than_half_a_cell(turns: Any) -> None:
    with pytest.raises(PuzzleError, match="tolerance"):
        examine(room(3, 2), turns=turns)


def meets(turns: tuple[int, ...], stays: tuple[int, ...]) -> bool:
    """What the core and the referee agree on, for oblongs in thousandths of a cell."""
    moving, still = (Oblong(0, *map(Fraction, some)) for some in (turns, stays))
    there = _core.oblongs_meet(turns, stays)
    assert there == hits_turning(moving, still, 1), (turns, stays)
    return there


def test_the_core_decides_like_the_referee() -> None:
    """Whether one oblong hits another on a quarter turn; half of those tried are close calls."""
    chance = random.Random(1)
    hits = 0
    for _ in range(3000):
        inset = chance.choice([0, 0, chance.randrange(200)])
        near = 4 * chance.choice([3, 8, 16])
        places = [250 * chance.randint(-near, near) for _ in range(4)]
        sides = [500 * chance.choice([1, 2]) - inset for _ in range(4)]
        hits += meets((*places[:2], *sides[:2]), (*places[2:], *sides[2:]))
    assert hits > 200


RADIUS = 16


def test_cells_up_to_a_radius() -> None:
    """Hard cells that turn about corners or centres: all of those that can be near others at all.

    The others of the 33 x 33 cells are too near the pivot, or too far from it.
    """
    chance = random.Random(2)
    hits = tried = 0
    for odd in (0, 1):
        centres = [1000 * n + 500 * (1 - odd) for n in range(-RADIUS, RADIUS + odd)]
        for x, y in [(x, y) for x in centres for y in centres]:
            if x < 0 or y < 0 or (not SOAK and chance.random() > 0.02):
                continue  # the other quadrants are the same, turned
            for u, v in [(u, v) for u in centres for v in centres]:
                far = abs((x * x + y * y) ** 0.5 - (u * u + v * v) ** 0.5)
                if far < 1420:
                    hits += meets((x, y, 500, 500), (u, v, 500, 500))
                    tried += 1
                else:
                    assert not _core.oblongs_meet((x, y, 500, 500), (u, v, 500, 500))
    assert 0 < hits < tried


def test_no_sampled_angle_disagrees() -> None:
    """Where two oblongs overlap at some angle, they meet; if they meet, they do at some angle."""
    chance = random.Random(3)
    shallow, pairs = 0, 10**6 if SOAK else 2000
    for _ in range(0, pairs, 1000):
        near = np.array([chance.choice([2, 4, 8]) for _ in range(1000)])
        rows = []
        for n in near:
            inset = chance.choice([0, chance.randrange(200)])
            x, y, u, v = (500 * chance.randint(-2 * n, 2 * n) for _ in range(4))
            sides = [500 * chance.choice([1, 2]) - inset for _ in range(4)]
            rows.append((x, y, *sides[:2], u, v, *sides[2:]))
        there = np.array([_core.oblongs_meet(row[:4], row[4:]) for row in rows])
        deepest = depths(np.array(rows), np.arange(1, 90) * pi / 180).max(axis=0)
        assert there[deepest > 1e-6].all()
        # Between two samples a corner moves by less than a fiftieth of its distance.
        unseen = there & (deepest <= 1e-6)
        assert (deepest > -near * 1500 / 50)[unseen].all()
        shallow += unseen.sum()
    assert shallow < pairs / 200


def depths(rows: NDArray[np.int_], angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """How deep one is inside the other, along the best of four directions; negative if apart."""
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y, wide, high, u, v, width, height = rows.T
    dx, dy = x * c - y * s - u, x * s + y * c - v
    found: NDArray[np.float64] = np.minimum.reduce(
        [
            width + wide * c + high * s - abs(dx),
            height + wide * s + high * c - abs(dy),
            wide + width * c + height * s - abs(dx * c + dy * s),
            high + width * s + height * c - abs(dy * c - dx * s),
        ]
    )
    return found


def random_scene(seed: int) -> Assembly:
    """Small pieces in a layer or two, with some room to move, most of them within walls."""
    chance = random.Random(seed)
    x, y, z = chance.choice([(3, 2, 1), (3, 3, 1), (4, 3, 1), (3, 3, 2), (4, 4, 1)])
    cells = sorted(box(x, y, z, set()))
    pieces, full = chance.choice([2, 2, 3, 4]), chance.choice([0.05, 0.2, 0.4, 0.6])
    parts: list[set[Cell]] = [set() for _ in range(pieces)]
    parts[-1].add(cells.pop(chance.randrange(len(cells))))
    for cell in cells:
        if chance.random() < full:
            parts[min(chance.randrange(pieces + 1), pieces - 1)].add(cell)
    # A wall around most of it, which belongs to the first piece, and a floor and a lid.
    for cell in box(x + 2, y + 2, z, {(a + 1, b + 1, c, 0) for a, b, c, _ in box(x, y, z, set())}):
        if chance.random() > 0.1:
            parts[0].add((cell[0] - 1, cell[1] - 1, cell[2], 0))
    for height in (-1, z):
        parts[0] |= {(a, b, height, 0) for a in range(x) for b in range(y) if chance.random() > 0.1}
    return assembly_of(*filter(None, parts), loose=True)


SCENES = 2000 if SOAK else 60


@pytest.mark.usefixtures("without_routes")
@pytest.mark.parametrize("tolerance", [0, 50, 120])
def test_a_plain_search_agrees(tolerance: int) -> None:
    """The ending, the moves to the first separation, and the states up to so many moves."""
    endings = set()
    turned = 0
    for seed in range(SCENES):
        assembly = random_scene(1000 * tolerance + seed)
        ending, moves, states = plain_turns.separation(assembly, tolerance, most=6)
        found = examine(assembly, turns=tolerance / 1000, max_moves=moves)
        assert found.ending == ending, seed
        if found.disassembly:
            assert len(found.disassembly.moves) == moves, seed
            assert disassembly_faults(assembly, found.disassembly) == [], seed
        else:
            assert found.states == states, seed
            turned += states != examine(assembly, max_moves=moves).states
        endings.add(ending)
    assert endings == {"apart", "stuck", "rigid", "limit"}
    assert turned > SCENES / 20, turned


@pytest.mark.usefixtures("without_routes")
@pytest.mark.parametrize("tolerance", [0, 60])
def test_half_cells_are_cells_of_half_the_size(tolerance: int) -> None:
    """Stops at half cells, against the same pieces made of eight times as many cells."""
    more = 0
    for seed in range(SCENES):
        assembly = random_scene(1000 * tolerance + seed)
        finer = plain_turns.doubled(assembly)
        fine, turns = Fraction(tolerance, 1000), Fraction(tolerance, 500)
        found = examine(assembly, fine=True, turns=float(fine), max_moves=2)
        same = examine(finer, turns=float(turns), max_moves=2)
        assert (found.ending, found.states) == (same.ending, same.states), seed
        if SOAK and seed < 50:
            ending, moves, states = plain_turns.separation(finer, 2 * tolerance, most=4)
            again = examine(assembly, fine=True, turns=float(fine), max_moves=moves)
            assert (again.ending, again.states) == (ending, states or again.states), seed
        more += found.states > examine(assembly, turns=float(fine), max_moves=2).states
        if found.disassembly and same.disassembly:
            assert str(found.disassembly.levels) == str(same.disassembly.levels), seed
            assert disassembly_faults(assembly, found.disassembly) == [], seed
    assert more > SCENES / 10


def test_every_move_of_a_disassembly_stands_up_to_the_referee() -> None:
    """Of scenes that come apart altogether, one separation after the other."""
    turned = 0
    for seed in range(SCENES):
        loose = random_scene(9000 + seed)
        assembly = assembly_of(*(set(shape.cells) for shape in loose.shapes))
        for tolerance, fine in ((0, False), (90, False), (0, True)):
            found = examine(assembly, turns=tolerance / 1000, fine=fine, max_states=3000)
            if found.disassembly:
                assert disassembly_faults(assembly, found.disassembly) == [], seed
                turned += "R" in str(found.disassembly.levels)
    assert turned > SCENES / 20


def many_pieces() -> Assembly:
    """Four pieces in a tray, with an opening for a bar, and more pieces that never move."""
    inside: set[Cell] = {(x, y, 4, 0) for x in range(1, 6) for y in range(1, 6)}
    opening: set[Cell] = {(4, y, 5, 0) for y in (2, 3, 4)}
    buried: list[set[Cell]] = [{(x, y, 1, 0)} for x in range(1, 9, 2) for y in range(1, 9, 2)]
    tray = box(9, 9, 4, set().union(*buried)) | box(7, 7, 6, inside | opening)
    pieces: list[set[Cell]] = [
        {(1, 1, 4, 0), (2, 1, 4, 0), (3, 1, 4, 0)},
        {(1, 2, 4, 0), (2, 2, 4, 0), (1, 3, 4, 0)},
        {(3, 3, 4, 0), (3, 4, 4, 0), (4, 4, 4, 0)},
        {(1, 5, 4, 0), (2, 5, 4, 0), (3, 5, 4, 0)},
    ]
    return assembly_of(tray - set().union(*buried), *pieces, *buried, loose=True)


def test_threads_find_the_same_moves() -> None:
    assembly = many_pieces()
    one, two = (examine(assembly, turns=0, threads=threads) for threads in (1, 2))
    assert one.disassembly is not None
    assert one.disassembly == two.disassembly
    assert str(one.disassembly.levels) == "5R1"
    assert disassembly_faults(assembly, one.disassembly) == []
    assert one.states == two.states > 4000  # so many that the threads share them
