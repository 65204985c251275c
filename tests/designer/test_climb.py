"""Climbs find harder puzzles, the same for the same seed, and every one of them is right."""

from random import Random

from bench.hard import cut

from kumitate import CUBES, Assembly, disassemble, examine
from kumitate.designer import climb
from kumitate.referee import assembly_faults, disassembly_faults

SLABS = Assembly.from_text(CUBES, "/".join(["AAAA  BBBB  CCCC  DDDD"] * 4))


def test_a_climb_only_goes_up_and_can_be_repeated() -> None:
    found = list(climb(SLABS, seed=2, steps=4000, max_holes=6))
    assert len(found) > 2
    for solution in found:
        assert solution.disassembly is not None
        assert assembly_faults(solution.assembly) == []
        assert disassembly_faults(solution.assembly, solution.disassembly) == []
        assert disassemble(solution.assembly) == solution.disassembly
        assert all(len(shape.components) == 1 for shape in solution.assembly.shapes)
    worth = [s.levels.moves + 0.1 * s.levels.total for s in found if s.levels]
    assert worth == sorted(worth)
    assert worth[-1] > worth[0]
    assert list(climb(SLABS, seed=2, steps=4000, max_holes=6)) == found


def test_pieces_keep_to_their_homes() -> None:
    homes = [
        {(x, y, z, 0) for x in range(4) for y in range(4) for z in (n, n + 1)} for n in range(4)
    ]
    for solution in climb(SLABS, seed=1, steps=500, homes=homes, max_holes=2):
        for home, shape in zip(homes, solution.assembly.shapes, strict=True):
            assert shape.cells <= home


def test_a_climb_with_turns_finds_what_needs_turns() -> None:
    start = cut((3, 3, 3), 3, Random(1))
    found = list(climb(start, seed=1, steps=6000, max_holes=6, turns=0))
    assert found
    for solution in found:
        assert solution.disassembly is not None
        assert solution.levels is not None
        assert solution.levels.total_turns > 0
        assert disassembly_faults(solution.assembly, solution.disassembly) == []
        assert examine(solution.assembly).ending in ("rigid", "stuck")
        assert disassemble(solution.assembly, turns=0) == solution.disassembly
    assert list(climb(start, seed=1, steps=6000, max_holes=6, turns=0)) == found


def test_a_piece_that_fills_its_home_stays_as_it_is() -> None:
    drawing = "XXXXXX  XXXXXX  XXXXXX / XXXXXX  XAABBX  X..XXX / XXXXXX  XXXXXX  XXXXXX"
    room = Assembly.from_text(CUBES, drawing)
    *pieces, box = room.shapes
    air = {cell for piece in pieces for cell in piece}
    found = list(climb(room, seed=1, steps=300, homes=[air, air, box.cells], max_holes=2))
    assert {solution.assembly.shapes[2].cells for solution in found} == {box.cells}
    assert len(found) > 1
