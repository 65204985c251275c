"""At the prompt, what a search returns takes a line."""

import kumitate
from kumitate import CUBES, Assembly, burr6, designer

BOX = Assembly.from_text(CUBES, "AAAAA AAAAA AAAAA / AAAAA AB..A AAA.A / AAAAA AAAAA AAAAA")
SOMA = kumitate.library["soma"].problem()


def test_a_result_takes_a_line() -> None:
    assert repr(kumitate.examine(BOX)) == "<Examination: apart, level 2, 3 states>"
    assert repr(kumitate.explore(BOX)) == "<StateGraph: 3 states>"
    assert repr(kumitate.first(SOMA, engine="cover")) == "<FirstResult: an assembly, by cover>"
    assert repr(kumitate.pack(SOMA)) == "<Packing: 7 pieces placed, the most possible>"
    found = next(designer.search_puzzles(burr6.Burrs("notchable"), level=2))
    assert repr(found) == "<Discovery: sample 49, level 2>"
    assert repr(kumitate.library).startswith("<Library: ")
