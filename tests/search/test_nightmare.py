"""The Programmer's Nightmare: it is closed to slides, and opens by a turn after half a cell."""

import os
from collections import Counter

import pytest
from bench.nightmare import STICKS, Room, burr, nightmare

import kumitate
from kumitate import Rotation
from kumitate.model.burr_sticks import kaenel_number
from kumitate.referee import disassembly_faults


def test_none_of_its_102_assemblies_comes_apart_by_slides() -> None:
    found = Counter(kumitate.examine(a).ending for a in kumitate.assemble(burr()))
    assert found == {"stuck": 90, "rigid": 12}


def test_with_sticks_of_length_6_some_do() -> None:
    found = Counter(kumitate.examine(a).ending for a in kumitate.assemble(burr(length=6)))
    assert found == {"stuck": 78, "rigid": 12, "apart": 12}


def test_one_opens_by_half_a_cell_and_a_turn_about_a_moving_pivot() -> None:
    assembly = nightmare()
    assert {kaenel_number(shape) for shape in assembly.shapes} == {*STICKS}
    apart = kumitate.disassemble(assembly, turns=0.01, fine=True)
    assert apart is not None
    assert str(apart.levels) == "4R1.3R0"
    assert disassembly_faults(assembly, apart) == []
    lifted, turn, *_ = apart.moves
    assert (lifted.parts, turn.parts) == (2, 2)
    assert isinstance(turn, Rotation)
    assert turn.route
    assert turn.tolerance == 0


def test_its_turn_is_fully_legal() -> None:
    """Hard pieces, with no room at all, begin and end their turn on arcs."""
    apart = kumitate.disassemble(nightmare(), turns=0, fine=True)
    assert apart is not None
    assert str(apart.levels) == "4R1.3R0"
    assert disassembly_faults(nightmare(), apart) == []
    turn = apart.moves[1]
    assert isinstance(turn, Rotation)
    assert any(pose.about for pose in turn.route)


def test_half_a_cell_is_needed() -> None:
    """The lightest stick turns once the one across it has slid along its own length."""
    room = Room(frozenset({(2, 3, 1), (3, 3, 1)}), 5, (0, 0, -1))
    assert room.allows()
    assert not room.allows(half=False)
    assert not room.allows((2, 2, 1), 5)


@pytest.mark.skipif(not os.environ.get("KUMITATE_SOAK"), reason="takes minutes; make soak")
def test_exactly_one_of_its_assemblies_opens_with_turns() -> None:
    found = [kumitate.examine(a, turns=0.005, fine=True) for a in kumitate.assemble(burr())]
    assert Counter(one.ending for one in found) == {"apart": 1, "stuck": 89, "rigid": 12}
