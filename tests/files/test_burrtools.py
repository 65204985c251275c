"""BurrTools' files are read correctly, and kumitate warns about what it cannot write there.

The judges of "correctly" share nothing with the reader: the referee for saved solutions, counts and
turn tables measured with BurrTools itself, and its rule for placements in floating point.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from math import cos, floor, pi, sin, sqrt
from pathlib import Path
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.files.strategies import BOXES, documents, page_cells, xml_documents, xml_shapes

import kumitate
from kumitate import (
    CUBES,
    Answers,
    Assembly,
    Disassembly,
    Document,
    Grid,
    Move,
    Piece,
    Placement,
    Problem,
    Puzzle,
    PuzzleError,
    Shape,
    Solution,
)
from kumitate.files import burrtools
from kumitate.files.burrtools.places import GRID_TYPES, turn_numbers
from kumitate.grids import PRISMS, RHOMBS, SPHERES, TETROCTS
from kumitate.model.geometry import Vector, multiply, times
from kumitate.model.puzzle import find_placement

SMALL = """
<puzzle version="2">
 <gridType type="0"/>
 <colors><color red="200" green="40" blue="40"/></colors>
 <shapes>
  <voxel x="2" y="2" z="1" name="L" type="0">##1#_</voxel>
  <voxel x="1" y="1" z="1" name="dot" type="0">#</voxel>
  <voxel x="2" y="2" z="1" name="square" type="0">###+</voxel>
 </shapes>
 <problems>
  <problem name="2x2" state="2" assemblies="1" solutions="1" time="3">
   <shapes><shape id="0"/><shape id="1" min="0" max="2" group="3"/></shapes>
   <result id="2"/>
   <bitmap><pair piece="0" result="0"/></bitmap>
   <solutions>
    <solution asmNum="1" solNum="2">
     <assembly>0 0 0 0 1 1 0 0 x</assembly>
     <separation>
      <pieces count="2">1 0</pieces>
      <state><dx>1 0</dx><dy>1 0</dy><dz>0 0</dz></state>
      <state><dx>1 0</dx><dy>1 0</dy><dz>2 0</dz></state>
      <state><dx>30001 0</dx><dy>1 0</dy><dz>2 0</dz></state>
     </separation>
    </solution>
   </solutions>
  </problem>
 </problems>
 <comment popup="">tiny test</comment>
</puzzle>
""".strip()


def read(text: str) -> Document:
    return burrtools.read(text.encode())


def only_problem(document: Document) -> tuple[Problem, Answers]:
    """The only problem of a document, with its answers."""
    [problem], [answers] = document.puzzle.problems, document.answers
    assert answers is not None
    return problem, answers


# ---- what BurrTools wrote ----


def test_a_small_file_is_read_as_it_is_meant() -> None:
    document = read(SMALL)
    ell = Shape.from_text(CUBES, "#a/#.", name="L")
    dot = Shape.from_text(CUBES, "#", name="dot")
    square = Shape.from_text(CUBES, "##/#+", name="square")
    problem = Problem(
        square, [Piece(ell), Piece(dot, 0, 2, {3: 2})], "2x2", frozenset({(1, 1)}), None
    )
    assembly = Assembly(problem, [Placement(0, 0, (0, 0, 0)), Placement(1, 0, (1, 1, 0))])
    moves = [Move([1], (0, 0, 1), 2), Move([1], (1, 0, 0), None)]
    solution = Solution(assembly, Disassembly(moves), None, 1, 2)
    assert document == Document(
        Puzzle(
            CUBES,
            [ell, dot, square],
            [problem],
            colours=["#c82828"],
            comment="tiny test",
            popup=True,
        ),
        [Answers([solution], 1, 1, True, 3)],
    )
    assert document.warnings == []


def test_every_file_of_burrtools_is_read(references: dict[str, Document]) -> None:
    grids = {document.puzzle.grid.name for document in references.values()}
    assert grids == {grid.name for grid in GRID_TYPES}


def test_only_what_means_nothing_elsewhere_is_dropped(references: dict[str, Document]) -> None:
    said = {name: document.warnings for name, document in references.items() if document.warnings}
    words = {"BallRoom": "paused search", "maxholes_no_range": "the limit of 1 holes"}
    assert said.keys() <= words.keys()
    for name, [warning] in said.items():
        assert words[name] in warning


def test_the_referee_agrees_with_every_saved_assembly(references: dict[str, Document]) -> None:
    judged = 0
    for name, document in references.items():
        for answers in filter(None, document.answers):
            for solution in answers.solutions:
                assert (name, kumitate.referee.assembly_faults(solution.assembly)) == (name, [])
                judged += 1
    assert judged == 366


def test_the_referee_agrees_with_every_saved_disassembly(references: dict[str, Document]) -> None:
    judged = []
    for name, document in references.items():
        for answers in filter(None, document.answers):
            for assembly, tree in ((s.assembly, s.disassembly) for s in answers.solutions):
                if tree is not None:
                    assert (name, kumitate.referee.disassembly_faults(assembly, tree)) == (name, [])
                    judged.append(name)
    assert {"PelikanBurr", "DraculasDentalDesaster", "CubeInCage"} <= set(judged)


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("PelikanBurr", "98.2.4.2"),
        ("DraculasDentalDesaster", "3.5.16.6.4"),
        ("CubeInCage", "4.9.3"),
    ],
)
def test_the_level_is_the_one_that_burrtools_shows(
    references: dict[str, Document], name: str, level: str
) -> None:
    _, answers = only_problem(references[name])
    assert [str(solution.levels) for solution in answers.solutions] == [level]


def test_saved_counts_are_those_that_burrtools_shows(
    reference: Path, references: dict[str, Document]
) -> None:
    rows = json.loads((reference / "burrtools_results.json").read_text("utf-8"))["rows"]
    compared = 0
    for row in rows:
        saved = row.get("saved_in_file", {"assemblies": -1})
        answers = references[row["puzzle"]].answers[row["problem"]]
        if saved["assemblies"] == -1:  # BurrTools' code for "not solved"
            assert answers is None
            continue
        assert answers is not None
        assert answers.complete
        assert answers.assembly_count == saved["assemblies"]
        assert (answers.solution_count or 0) == saved["solutions"]
        compared += 1
    assert compared == 14


def test_the_314_six_piece_burrs_are_there(references: dict[str, Document]) -> None:
    _, answers = only_problem(references["SolidSixPieceBurrs"])
    assert len(answers.solutions) == answers.solution_count == 314
    assert {str(solution.levels) for solution in answers.solutions} == {"1", "1.2"}


def test_what_burrtools_wrote_can_be_written_again(references: dict[str, Document]) -> None:
    for name, document in references.items():
        data, lost = burrtools.write(document)
        assert (name, lost) == (name, [])
        assert burrtools.read(data) == document, name


def test_what_burrtools_wrote_can_be_kept_as_json(references: dict[str, Document]) -> None:
    for name, document in references.items():
        assert kumitate.files.json.read(kumitate.files.json.write(document)) == document, name


# ---- where BurrTools puts things ----


def in_file_coordinates(grid: Grid, number: int) -> list[int]:
    """Three times the matrix, row by row, of one of BurrTools' turns."""
    assert grid.page is not None
    turn = grid.turns[turn_numbers(grid)[number]]
    columns = []
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        far = times(30, axis)  # a point of every lattice
        lattice = grid.shift_at(far)
        assert lattice is not None
        shift = tuple(sum(a * b for a, b in zip(row, lattice, strict=True)) for row in turn.matrix)
        image = grid.spot_shift((shift[0], shift[1], shift[2]))
        assert all(c % (10 * turn.divisor) == 0 for c in image)
        columns.append([c // (10 * turn.divisor) for c in image])
    return [columns[column][row] for row in range(3) for column in range(3)]


@pytest.mark.parametrize("grid", [CUBES, RHOMBS, TETROCTS], ids=lambda grid: grid.name)
def test_turns_are_numbered_as_burrtools_does(reference: Path, grid: Grid) -> None:
    table = json.loads((reference / "xmpuzzle_transforms.json").read_text("utf-8"))["grid0_3_4"]
    assert len(turn_numbers(grid)) == len(table) == 24
    for number, row in enumerate(table):
        assert in_file_coordinates(grid, number) == [3 * entry for entry in row]


def test_turns_of_spheres_are_numbered_as_burrtools_does(reference: Path) -> None:
    table = json.loads((reference / "xmpuzzle_transforms.json").read_text("utf-8"))["grid2_times3"]
    assert len(turn_numbers(SPHERES)) == len(table) == 120
    for number, row in enumerate(table):
        assert in_file_coordinates(SPHERES, number) == row


@pytest.mark.parametrize("grid", GRID_TYPES, ids=lambda grid: grid.name)
def test_every_turn_has_one_number(grid: Grid) -> None:
    assert sorted(turn_numbers(grid)) == list(range(len(grid.turns)))


def test_the_turns_of_prisms_are_a_group_of_sixths_and_halves() -> None:
    turns = [PRISMS.turns[number].matrix for number in turn_numbers(PRISMS)]
    sixth, half = turns[1], turns[6]
    assert turns[0] == multiply(half, half) == multiply(multiply(turns[2], turns[2]), turns[2])
    assert [multiply(sixth, turn) for turn in turns[:6]] == turns[1:6] + turns[:1]
    assert [multiply(sixth, turn) for turn in turns[6:]] == turns[7:] + turns[6:7]


def centre(spot: Vector) -> tuple[float, float, float]:
    """The middle of a prism in space, by section 5.2 of the notes on the format."""
    x, y, z = spot
    height = sqrt(3) / 2
    return (x + 1) / 2, y * height + (height / 3 if (x + y) % 2 == 0 else 2 * height / 3), z


def prism_at(spot: Vector, turn: int, at: Vector, hotspot: Vector) -> Vector:
    """Where BurrTools puts a prism, in floating point."""
    x, y, z = (a - b for a, b in zip(centre(spot), centre(hotspot), strict=True))
    if turn >= 6:
        x, z = -x, -z
    angle = pi / 3 * (turn % 6)
    x, y = x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
    x, y, z = (a + b for a, b in zip(centre(at), (x, y, z), strict=True))
    return round(2 * x - 1), floor(y / (sqrt(3) / 2)), round(z)


def one_prism_piece(shape: Shape, turn: int, at: Vector, hotspot: Vector) -> str:
    """A file with one piece, placed at this position."""
    columns, rows, layers = BOXES[PRISMS]
    box = ((x, y, z) for z in range(layers) for y in range(rows) for x in range(columns))
    text = "".join("#" if PRISMS.cell_at(spot) in shape.cells else "_" for spot in box)
    hx, hy, hz = hotspot
    x, y, z = at
    return f"""<puzzle version="2"><gridType type="1"/>
        <shapes><voxel x="{columns}" y="{rows}" z="{layers}" hx="{hx}" hy="{hy}" hz="{hz}" type="0"
        >{text}</voxel></shapes>
        <problems><problem><shapes><shape id="0"/></shapes><result id="0"/><solutions><solution>
        <assembly>{x} {y} {z} {turn}</assembly>
        </solution></solutions></problem></problems></puzzle>"""


spots = st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(-4, 4))
prism_shapes = xml_shapes(PRISMS, 0).filter(lambda shape: bool(shape.cells))


@settings(max_examples=150, deadline=None)
@given(prism_shapes, st.integers(0, 11), spots, spots)
def test_prisms_go_where_burrtools_puts_them(
    shape: Shape, turn: int, at: Vector, hotspot: Vector
) -> None:
    """An odd number of sixth turns takes an upward triangle to a downward one."""
    text = one_prism_piece(shape, turn, at, hotspot)
    if (sum(at[:2]) + sum(hotspot[:2]) + turn) % 2:
        with pytest.raises(PuzzleError, match=r"solution 1: piece .* is off the grid"):
            read(text)
        return
    _, answers = only_problem(read(text))
    [placed] = answers.solutions[0].assembly.shapes
    assert {PRISMS.spot(cell) for cell in placed} == {
        prism_at(PRISMS.spot(cell), turn, at, hotspot) for cell in shape
    }


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_hotspot_changes_nothing_that_is_read(data: st.DataObject) -> None:
    """X + M (p - h) with another h, and X shifted to match, is the same placement."""
    grid = data.draw(st.sampled_from([CUBES, RHOMBS, TETROCTS]))
    [x, y, z] = data.draw(st.tuples(*[st.integers(0, 9)] * 3))
    cell = data.draw(st.sampled_from(page_cells(grid)).filter(lambda c: max(grid.spot(c)) < 6))
    column, row, layer = grid.spot(cell)
    index = column + 6 * (row + 6 * layer)
    voxels = "".join(
        f'<voxel x="6" y="6" z="6" type="0" {hotspot}>{"_" * index}#{"_" * (215 - index)}</voxel>'
        for hotspot in ("", f'hx="{x}" hy="{y}" hz="{z}"')
    )
    found = read(f"""<puzzle version="2"><gridType type="{GRID_TYPES.index(grid)}"/>
        <shapes>{voxels}</shapes><problems><problem><shapes><shape id="0"/><shape id="1"/></shapes>
        <solutions><solution><assembly>0 0 0 0  {x} {y} {z} 0</assembly></solution></solutions>
        </problem></problems></puzzle>""")
    _, answers = only_problem(found)
    first, second = answers.solutions[0].assembly.shapes
    assert first == second


# ---- what kumitate writes ----


@settings(max_examples=200, deadline=None)
@given(xml_documents())
def test_what_is_written_is_read_back(document: Document) -> None:
    data, lost = burrtools.write(document)
    assert lost == []
    assert burrtools.read(data) == document
    assert burrtools.read(data).warnings == []


@settings(max_examples=50, deadline=None)
@given(xml_documents())
def test_writing_is_deterministic(document: Document) -> None:
    data, _ = burrtools.write(document)
    assert burrtools.write(burrtools.read(data)) == (data, [])


@pytest.mark.parametrize(("grid", "spot"), [(CUBES, []), (SPHERES, ["hx", "hy"])])
def test_only_shapes_of_balls_are_written_with_a_hotspot(grid: Grid, spot: list[str]) -> None:
    """The hotspot is their first ball, since not every corner of the box can have a ball."""
    shape = Shape(grid, {(0, 0, 1, 0), (1, 0, 0, 0)}, name="A")
    data, _ = burrtools.write(Document(kumitate.Puzzle(grid, [shape], [])))
    [voxel] = fromstring(data).iter("voxel")
    assert [name for name in ("hx", "hy", "hz") if name in voxel.attrib] == spot


def test_a_saved_file_is_packed_and_read_back(tmp_path: Path) -> None:
    document = read(SMALL)
    assert kumitate.write(document, tmp_path / "small.xmpuzzle") == []
    assert (tmp_path / "small.xmpuzzle").read_bytes().startswith(b"\x1f\x8b")
    assert kumitate.read(tmp_path / "small.xmpuzzle") == document


def with_puzzle(**fields: Any) -> Document:
    document = read(SMALL)
    return replace(document, puzzle=replace(document.puzzle, **fields))


def with_problem(**fields: Any) -> Document:
    document = read(SMALL)
    [problem] = document.puzzle.problems
    puzzle = replace(document.puzzle, problems=[replace(problem, **fields)])
    return Document(puzzle)


def with_shape(change: Callable[[Shape], Shape]) -> Document:
    ell, *others = read(SMALL).puzzle.shapes
    return Document(Puzzle(CUBES, [change(ell), *others], colours=["#c82828"]))


def with_seconds(seconds: float) -> Document:
    document = read(SMALL)
    _, answers = only_problem(document)
    return replace(document, answers=[replace(answers, seconds=seconds)])


def test_a_time_longer_than_the_format_holds_is_cut() -> None:
    data, lost = burrtools.write(with_seconds(1e20))
    _, answers = only_problem(read(data.decode()))
    assert answers.seconds == 10**15 - 1
    assert any("seconds are rounded" in line for line in lost)


LOST = {
    "a title": (with_puzzle(title="Small"), "title 'Small'"),
    "a designer": (with_puzzle(designer="Nobody"), "designer 'Nobody'"),
    "a bell in the comment": (with_puzzle(comment="\a"), "comment: control characters"),
    "a bell in a shape's name": (with_shape(lambda s: s.named("\x07")), r"shape '\x07'"),
    "a bell in a problem's name": (with_problem(name="\x07"), "problem 1: control characters"),
    "a pinned piece": (
        with_problem(pinned=frozenset({Placement(0, 0, (0, 0, 0))})),
        "problem 1: 1 pinned",
    ),
    "a forbidden piece": (
        with_problem(forbidden=frozenset({Placement(0, 0, (0, 0, 0))})),
        "problem 1: 0 pinned and 1 forbidden",
    ),
    "half a second": (with_seconds(2.5), "problem 1: 2.5 seconds"),
    "a shape before the first column": (
        with_shape(lambda s: s.shifted((-1, 0, 0))),
        "shape 'L' is shifted by (1, 0, 0)",
    ),
    "a shape below the first layer": (
        with_shape(lambda s: s.shifted((0, 5, -7))),
        "shape 'L' is shifted by (0, -5, 7)",
    ),
    "a shape far away": (
        with_shape(lambda s: s.shifted((10_000, 10_000, 10_000))),
        "shape 'L' is shifted by (-10000, -10000, -10000)",
    ),
    "a colour beyond the palette": (with_puzzle(colours=[]), "colour 1 is used but not defined"),
}


@pytest.mark.parametrize(("document", "words"), LOST.values(), ids=LOST.keys())
def test_what_cannot_be_kept_is_told(document: Document, words: str) -> None:
    data, lost = burrtools.write(document)
    assert [warning for warning in lost if words in warning] == lost != []
    assert burrtools.read(data) != document


def test_every_loss_has_its_own_warning() -> None:
    document = read(SMALL)
    [problem] = document.puzzle.problems
    pin = frozenset({Placement(0, 0, (0, 0, 0))})
    moved = [shape.shifted((-1, -1, 0)) for shape in document.puzzle.shapes]
    pieces = [replace(piece, shape=moved[n]) for n, piece in enumerate(problem.pieces)]
    spoilt = replace(problem, goal=moved[2], pieces=pieces, name="\0", pinned=pin)
    puzzle = replace(
        document.puzzle, shapes=moved, problems=[spoilt], title="a", designer="b", comment="\0"
    )
    _, lost = burrtools.write(Document(puzzle, [Answers(seconds=0.1)]))
    for words in ("title", "designer", "comment", "1: control", "pinned", "seconds"):
        assert len([warning for warning in lost if words in warning]) == 1
    assert len([warning for warning in lost if "is shifted by" in warning]) == 3
    assert len(lost) == 9


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=4, max_size=4))
def test_a_solution_stays_right_when_shapes_have_to_move(shifts: list[Vector]) -> None:
    """Pieces and goals drawn anywhere are written from 0 on; the referee still agrees."""
    first = Assembly.from_text(CUBES, "AAB ACB/AAB CCB")
    drawn = [piece.shape for piece in first.problem.pieces]
    shapes = [shape.shifted(by) for shape, by in zip(drawn, shifts[:3], strict=True)]
    goal = first.problem.goal.shifted(shifts[3])
    problem = Problem(goal, [Piece(shape) for shape in shapes])
    aims = [shape.shifted(shifts[3]) for shape in first.shapes]
    rows = [find_placement(n, shape, aims[n]) for n, shape in enumerate(shapes)]
    assembly = Assembly(problem, [row for row in rows if row is not None])
    assert kumitate.referee.assembly_faults(assembly) == []
    document = Document(Puzzle(CUBES, [*shapes, goal], [problem]), [Answers([Solution(assembly)])])
    _, answers = only_problem(burrtools.read(burrtools.write(document)[0]))
    assert kumitate.referee.assembly_faults(answers.solutions[0].assembly) == []


@settings(max_examples=150, deadline=None, report_multiple_bugs=False)
@given(documents().filter(lambda document: document.puzzle.grid in GRID_TYPES))
def test_kumitate_can_read_whatever_it_writes(document: Document) -> None:
    """Moves and pieces that make no sense may be rejected, but then by the writer."""
    try:
        data, _ = burrtools.write(document)
    except PuzzleError:
        return
    burrtools.read(data)


def test_a_grid_that_burrtools_has_not_is_refused() -> None:
    with pytest.raises(PuzzleError, match="no grid 'hexagons'; save the puzzle as"):
        burrtools.write(Document(Puzzle(kumitate.grids.HEXAGONS)))


def solved(grid: Grid, shape: Shape, placement: Placement) -> Document:
    problem = Problem(shape, [Piece(shape)])
    answers = Answers([Solution(Assembly(problem, [placement]))])
    return Document(Puzzle(grid, [shape], [problem]), [answers])


def test_a_piece_of_nothing_cannot_be_placed() -> None:
    with pytest.raises(PuzzleError, match="problem 1, solution 1"):
        burrtools.write(solved(CUBES, Shape(CUBES, set()), Placement(0, 0, (0, 0, 0))))


def test_a_turn_that_a_piece_does_not_survive_is_refused() -> None:
    square = Shape.from_text(SPHERES, "#.#/.#./#.#")
    lost = square.lies.index(None)
    with pytest.raises(PuzzleError, match="problem 1, solution 1"):
        burrtools.write(solved(SPHERES, square, Placement(0, lost, (0, 0, 0))))


# ---- files in the wild ----


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'<puzzle version="2"><comment>Caf\xe9</comment></puzzle>', "Café"),
        (b'<puzzle version="2"><comment>\x93Caf\xe9\x94 \x80</comment></puzzle>', "“Café” €"),
        (b'<puzzle version="2"><comment>\x81\xe9</comment></puzzle>', "\x81é"),
        (b'<?xml version="1.0"?><puzzle version="2"><comment>\xe9</comment></puzzle>', "é"),
        ('<puzzle version="2"><comment>Café</comment></puzzle>'.encode(), "Café"),
        ('\ufeff<puzzle version="2"><comment>Café</comment></puzzle>'.encode(), "Café"),
        (
            b'<?xml version="1.0" encoding="ISO-8859-1"?><puzzle version="2">'
            b"<comment>Caf\xe9</comment></puzzle>",
            "Café",
        ),
        (
            b"<?xml version='1.0' encoding='windows-1251'?><puzzle version='2'>"
            b"<comment>\xcf\xe0\xe7\xeb</comment></puzzle>",
            "Пазл",
        ),
        (
            b'<?xml version="1.0" encoding="UTF-8"?><puzzle version="2">'
            b"<comment>Caf\xe9</comment></puzzle>",
            "Café",
        ),
        (b'<puzzle version="1"><comment>a&lt;&amp;&#233;&#13;</comment></puzzle>', "a<&é\r"),
    ],
)
def test_text_is_read_whatever_its_bytes(data: bytes, name: str) -> None:
    document = kumitate.files.decode(data)
    assert (document.puzzle.comment, document.warnings) == (name, [])


STRANGE = {
    "an element of the puzzle": ("<colors>", "<notes/><colors>", "element <notes> in <puzzle>"),
    "an element of a problem": ("<bitmap>", "<hint/><bitmap>", "element <hint> in <problem>"),
    "an element where it does not belong": ("<bitmap>", "<dx/><bitmap>", "element <dx> in <prob"),
    "an attribute of the puzzle": ('n="2"', 'n="2" by="me"', "attribute 'by' of <puzzle>"),
    "an attribute of a shape": ('name="L"', 'name="L" a="b"', "attribute 'a' of <voxel>"),
    "an attribute of a solution": ("asmNum", "odd='1' asmNum", "attribute 'odd' of <solution>"),
    "a second comment": ("<comment ", "<comment>one</comment><comment ", "<comment>"),
    "a second list of shapes": ("<problems>", "<shapes/><problems>", "<shapes>"),
    "a second grid": ("<colors>", '<gridType type="1"/><colors>', "<gridType>"),
    "a second result": ("<bitmap>", '<result id="0"/><bitmap>', "<result>"),
}


@pytest.mark.parametrize(("old", "new", "words"), STRANGE.values(), ids=STRANGE.keys())
def test_what_has_no_meaning_is_dropped_and_told(old: str, new: str, words: str) -> None:
    assert old in SMALL
    told = read(SMALL.replace(old, new, 1)).warnings
    assert [warning for warning in told if words in warning] != []


def test_what_fills_no_cell_is_dropped_and_told() -> None:
    """Of a square of four spots, two can have balls."""
    voxel = '<voxel x="2" y="2" z="1" name="square" type="0">####</voxel>'
    document = read(f'<puzzle version="2"><gridType type="2"/><shapes>{voxel}</shapes></puzzle>')
    assert [len(shape) for shape in document.puzzle.shapes] == [2]
    [warning] = document.warnings
    assert warning.startswith("shape 'square': 2 filled spots are not cells of 'spheres'")


def test_many_strangers_of_a_kind_make_one_line() -> None:
    document = read('<puzzle version="2">' + "<a b='c'/>" * 1000 + "</puzzle>")
    assert document.warnings == ["element <a> in <puzzle> is unknown; 1000 dropped"]
    document = read('<puzzle version="2" odd="1"><shapes odd="2"/></puzzle>')
    assert document.warnings == [
        "attribute 'odd' of <puzzle> is unknown; 1 dropped",
        "attribute 'odd' of <shapes> is unknown; 1 dropped",
    ]


def test_a_file_without_grid_is_of_cubes() -> None:
    assert read('<puzzle version="2"/>') == Document(Puzzle(CUBES))


def test_margins_around_a_shape_are_no_cells() -> None:
    voxel = '<voxel x="3" y="1" z="2" type="0">_#____</voxel>'
    [shape] = read(f'<puzzle version="2"><shapes>{voxel}</shapes></puzzle>').puzzle.shapes
    assert shape == Shape(CUBES, {(1, 0, 0, 0)})


def test_only_what_moved_away_counts_as_removed() -> None:
    """A part may start somewhere else than it was left: only its moves count."""
    part = """<separation type="removed"><pieces count="2">1 2</pieces>
        <state><dx>9 9</dx><dy>9 9</dy><dz>0 1</dz></state>
        <state><dx>9 9</dx><dy>9 20009</dy><dz>0 1</dz></state></separation>"""
    text = f"""<puzzle version="2"><shapes><voxel x="1" y="1" z="1" type="0">#</voxel></shapes>
        <problems><problem><shapes><shape id="0" count="3"/></shapes><solutions><solution>
        <assembly>0 0 0 0  1 0 0 0  1 0 1 0</assembly><separation><pieces count="3">0 1 2</pieces>
        <state><dx>0 1 1</dx><dy>0 0 0</dy><dz>0 0 1</dz></state>
        <state><dx>0 30001 30001</dx><dy>0 0 0</dy><dz>0 0 1</dz></state>{part}</separation>
        </solution></solutions></problem></problems></puzzle>"""
    _, answers = only_problem(read(text))
    assert answers.solutions[0].disassembly == Disassembly(
        [Move([1, 2], (1, 0, 0), None)], removed=Disassembly([Move([2], (0, 1, 0), None)])
    )


def test_of_two_states_the_one_beyond_10000_is_away() -> None:
    _, answers = only_problem(read(SMALL.replace("30001", "10001")))
    tree = answers.solutions[0].disassembly
    assert tree is not None
    last = tree.moves[-1]
    assert isinstance(last, kumitate.Move)
    assert last.units is None
    for near in ("10000", "-10000"):
        with pytest.raises(kumitate.PuzzleError, match="must take pieces away"):
            read(SMALL.replace("30001", near))


def test_a_group_of_no_copies_is_no_group() -> None:
    group = '<group group="1" count="0"/><group group="3" count="1"/>'
    entry = f'<shape id="1" count="1">{group}</shape>'
    text = SMALL.replace('<shape id="1" min="0" max="2" group="3"/>', entry)
    [problem] = burrtools.read(text.encode(), answers=False).puzzle.problems
    assert problem.pieces[1].groups == {3: 1}
    with pytest.raises(kumitate.PuzzleError, match="-1 copies in group 1"):
        burrtools.read(text.replace('count="0"', 'count="-1"').encode(), answers=False)


# ---- the limit on holes ----

HOLES = """<puzzle version="2"><shapes><voxel x="2" y="1" z="1" name="A" type="0">##</voxel>
<voxel x="4" y="1" z="1" name="r" type="0">++++</voxel></shapes><problems>
<problem maxHoles="1"><shapes><shape id="0" count="1"/></shapes><result id="1"/></problem>
</problems></puzzle>"""


def test_a_limit_on_holes_counts_only_with_a_range() -> None:
    """As in BurrTools, where otherwise the volumes of the pieces decide."""
    found = read(HOLES)
    [problem] = found.puzzle.problems
    assert problem.max_holes is None
    [warning] = found.warnings
    assert warning.startswith("problem 1: the limit of 1 holes is dropped")
    assert kumitate.count(problem, rotations=True).assemblies == 3
    ranged = read(HOLES.replace('count="1"', 'min="0" max="1"'))
    assert ranged.puzzle.problems[0].max_holes == 1
    assert ranged.warnings == []


def test_a_limit_on_holes_that_burrtools_would_ignore_is_a_loss() -> None:
    [problem] = read(HOLES).puzzle.problems
    limited = kumitate.Puzzle.of(replace(problem, max_holes=2))
    data, lost = burrtools.write(Document(limited))
    assert len(lost) == 1
    assert "the limit of 2 holes" in lost[0]
    assert b"maxHoles" not in data


# ---- what our reader cannot check ----


def test_a_lone_carriage_return_is_kept() -> None:
    document = Document(Puzzle(CUBES, comment="a\rb\r\nc"))
    assert burrtools.read(burrtools.write(document)[0]).puzzle.comment == "a\rb\r\nc"


def test_a_part_begins_where_it_was_before_the_last_move() -> None:
    assembly = Assembly.from_text(CUBES, "ABC")
    tree = Disassembly(
        [Move([1, 2], (0, 1, 0), 2), Move([1, 2], (0, 0, 1), None)],
        removed=Disassembly([Move([2], (1, 0, 0), None)]),
    )
    puzzle = Puzzle.of(assembly.problem)
    data, _ = burrtools.write(Document(puzzle, [Answers([Solution(assembly, tree)])]))
    outer = fromstring(data).find(".//solution/separation")
    assert outer is not None
    inner = outer.find("separation")
    assert inner is not None
    before, first = outer.findall("state")[1], inner.findall("state")[0]
    for axis in ("dx", "dy", "dz"):
        assert (first.findtext(axis) or "").split() == (before.findtext(axis) or "").split()[1:]
    assert first.findtext("dy") == "2 2"
    assert first.findtext("dz") == "0 0"
