"""Which assembly is shown when none is named, and how long it is looked for."""

import pytest

import kumitate
from kumitate.search import shown
from kumitate.search.shown import to_show

RIGID = kumitate.Assembly.from_text(kumitate.CUBES, "AAA  AAA  AAA / AAA  ABA  AAA / AAA  AAA  AAA")
LOOSE = kumitate.Assembly.from_text(
    kumitate.CUBES, "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA"
)
OPEN = kumitate.Assembly.from_text(kumitate.CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
ALONE = kumitate.Assembly.from_text(kumitate.CUBES, "AA")


def solutions(*assemblies: kumitate.Assembly) -> list[kumitate.Solution]:
    return [kumitate.Solution(assembly) for assembly in assemblies]


def test_one_that_is_known_to_come_apart_is_taken_as_it_is() -> None:
    known = kumitate.Solution(OPEN, kumitate.disassemble(OPEN), solution_number=7)
    found = to_show([known])
    assert found is not None
    assert (found.solution, found.remark) == (known, "")


def test_a_single_piece_needs_no_taking_apart() -> None:
    assert to_show(solutions(ALONE)) == shown.Shown(kumitate.Solution(ALONE))


def test_there_may_be_none() -> None:
    assert to_show([]) is None


def test_the_search_ends_after_so_many_assemblies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "MOST_EXAMINED", 3)
    endless = (kumitate.Solution(RIGID, assembly_number=n) for n in range(1, 10**12))
    found = to_show(endless)
    assert found is not None
    assert found.solution.assembly_number == 1
    assert found.remark.startswith(
        "gave up before finding a way to take apart the first 3 assemblies"
    )
    assert next(endless).assembly_number == 5


def test_the_search_ends_after_so_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "MOST_STATES", 1)
    found = to_show(solutions(LOOSE))
    assert found is not None
    assert found.remark.startswith("gave up before finding a way to take apart the first assembly")


def test_what_cannot_be_tried_is_shown_with_the_reason() -> None:
    row = kumitate.Shape.from_text(kumitate.CUBES, "#" * 251)
    one = kumitate.Shape.from_text(kumitate.CUBES, "#")
    many = next(kumitate.assemble(kumitate.Problem(row, [kumitate.Piece(one, 251)])))
    found = to_show(solutions(many))
    assert found is not None
    assert found.remark == (
        "could not check whether it comes apart: 251 pieces; at most 250 can be taken apart"
    )


def test_whoever_watches_may_stop_it() -> None:
    def impatient(examined: int) -> None:
        if examined == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        to_show(solutions(*[RIGID] * 5), impatient)
