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
    assert repr(next(kumitate.assemble(SOMA))) == "<Assembly: 7 pieces in 3x3x3>"
    [solution] = kumitate.solve(BOX.problem, disassemble=True)
    assert repr(solution) == "<Solution: level 2, 2 pieces in 42 cells>"
    assert repr(solution.disassembly) == "<Disassembly: level 2>"


def test_what_a_user_writes_is_shown_as_code_without_defaults() -> None:
    piece = kumitate.Piece(kumitate.Shape.from_text(CUBES, "##", name="I"), 0, 2)
    code = "Piece(shape=Shape.from_text(CUBES, '##', name='I'), min=0, max=2)"
    assert repr(piece) == code
    assert eval(code, vars(kumitate)) == piece
    assert repr(kumitate.Problem(piece.shape, [kumitate.Piece(piece.shape)])) == (
        "Problem(goal=Shape.from_text(CUBES, '##', name='I'), "
        "pieces=(Piece(shape=Shape.from_text(CUBES, '##', name='I')),))"
    )
