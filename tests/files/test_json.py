"""Our own format keeps everything, is readable, and reports every mistake.

The round trips are random documents; the mistakes are a table. The schema and the page that
explains the format are compared with the classes that define it.
"""

import gzip
import json as plain
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from tests.files.strategies import OWN_GRIDS, documents

import kumitate
from kumitate import (
    CUBES,
    Answers,
    Assembly,
    Disassembly,
    Document,
    Levels,
    Move,
    Piece,
    Placement,
    Problem,
    Puzzle,
    PuzzleError,
    Rotation,
    Shape,
    Solution,
)
from kumitate.files import decode, entries, json
from kumitate.files.document import FARTHEST
from kumitate.grids import GRIDS
from kumitate.model.text import draw_page

DOCS = Path(__file__).resolve().parents[2] / "docs"

ell = Shape.from_text(CUBES, "## #./#. ..", name="L")
dot = Shape.from_text(CUBES, "b", name="dot", weight=2)
box = Shape.from_text(CUBES, "## #+/## +A", name="box")
asked = Problem(box, [Piece(ell), Piece(dot, 0, 3, {2: 1})], "fill", frozenset({(2, 1)}), 5)
fill = Assembly(asked, [Placement(0, 0, (0, 0, 0)), Placement(1, 0, (1, 1, 0))])
apart = Disassembly([Move([1], (0, 0, 1), 1), Move([1], (1, 0, 0), None)])
small = Document(
    Puzzle(CUBES, [ell, dot, box], [asked], "Small", "Nobody", ["#c82828", "#2828c8"]),
    [Answers([Solution(fill, apart, None, 1, 1)], 1, 1, True, 0.5)],
)
SMALL = """\
{
  "kumitate": 1,
  "title": "Small",
  "designer": "Nobody",
  "colours": ["#c82828", "#2828c8"],
  "shapes": [
    {
      "name": "L",
      "drawing": [
        "## #.",
        "#. .."
      ]
    },
    {
      "name": "dot",
      "drawing": ["b"],
      "weight": 2
    },
    {
      "name": "box",
      "drawing": [
        "## #+",
        "## +A"
      ]
    }
  ],
  "problems": [
    {
      "name": "fill",
      "goal": "box",
      "pieces": [{"shape": "L"}, {"shape": "dot", "count": [0, 3], "groups": {"2": 1}}],
      "allowed": [[2, 1]],
      "max_holes": 5,
      "answers": {
        "complete": true,
        "assembly_count": 1,
        "solution_count": 1,
        "seconds": 0.5,
        "solutions": [
          {
            "assembly": [[0, 0, 0, 0, 0], [1, 0, 1, 1, 0]],
            "disassembly": {"moves": [[[1], [0, 0, 1], 1], [[1], [1, 0, 0], null]]},
            "assembly_number": 1,
            "solution_number": 1
          }
        ]
      }
    }
  ]
}
"""


def changed(**fields: Any) -> bytes:
    """The small file with other fields."""
    return plain.dumps({**plain.loads(SMALL), **fields}).encode()


def with_shape(**fields: Any) -> bytes:
    """A file with one shape."""
    return plain.dumps({"kumitate": 1, "shapes": [fields]}).encode()


def with_problem(**fields: Any) -> bytes:
    """The small file with another problem."""
    [problem] = plain.loads(SMALL)["problems"]
    return changed(problems=[{**problem, "answers": None, **fields}])


def with_solution(**fields: Any) -> bytes:
    """The small file with another solution."""
    [problem] = plain.loads(SMALL)["problems"]
    [solution] = problem["answers"]["solutions"]
    return with_problem(answers={"solutions": [{**solution, **fields}]})


# ---- what goes in comes out ----


@settings(max_examples=200, deadline=None)
@given(documents())
def test_what_is_written_is_read_back(document: Document) -> None:
    assert json.read(json.write(document)) == document


@settings(max_examples=100, deadline=None)
@given(documents())
def test_one_document_has_one_text(document: Document) -> None:
    text = json.write(document)
    assert json.write(json.read(text)) == text


@settings(max_examples=50, deadline=None)
@given(documents())
def test_any_json_reader_can_read_it(document: Document) -> None:
    text = json.write(document).decode()
    assert plain.loads(text, parse_constant=pytest.fail)["kumitate"] == entries.VERSION


@pytest.mark.parametrize("grid", [*GRIDS.values(), *OWN_GRIDS], ids=lambda grid: grid.name)
def test_every_grid_comes_back(grid: kumitate.Grid) -> None:
    cells = [(x, -x, 2 * x, tile) for x in range(2) for tile in range(len(grid.tiles))]
    document = Document(Puzzle(grid, [Shape(grid, set(cells))]))
    assert json.read(json.write(document)) == document


def test_a_grid_of_kumitate_is_written_as_its_name() -> None:
    assert b'"grid": "rhombic"' in json.write(Document(Puzzle(GRIDS["rhombic"])))
    assert b'"grid"' not in json.write(Document(Puzzle(CUBES)))


def test_a_grid_of_another_is_written_as_its_table() -> None:
    text = json.write(Document(Puzzle(OWN_GRIDS[1])))
    assert plain.loads(text)["grid"]["name"] == "spheres"
    assert json.read(text).puzzle.grid == OWN_GRIDS[1]


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_cells_far_away_come_back(grid: kumitate.Grid) -> None:
    ends = (-FARTHEST, FARTHEST)
    corners = [
        (x, y, z, tile)
        for x in ends
        for y in ends
        for z in ends
        for tile in range(0, len(grid.tiles), 4)
    ]
    alone = [Shape(grid, {cell}) for cell in corners]
    document = Document(Puzzle(grid, [*alone, Shape(grid, set(corners))]))
    assert json.read(json.write(document)) == document


dear = Solution(Assembly(asked, [Placement(0, 0, (FARTHEST + 1, 0, 0))]))
UNREADABLE = {
    "a cell too far away": Document(Puzzle(CUBES, [Shape(CUBES, {(FARTHEST + 1, 0, 0, 0)})])),
    "a shape too heavy": Document(Puzzle(CUBES, [replace(ell, weight=2**40)])),
    "seconds that are no number": replace(small, answers=[Answers(seconds=float("nan"))]),
    "seconds without end": replace(small, answers=[Answers(seconds=float("inf"))]),
    "a count beyond all others": replace(small, answers=[Answers(assembly_count=2**60)]),
    "a negative count": replace(small, answers=[Answers(solution_count=-1)]),
    "a placement too far away": replace(small, answers=[Answers([dear])]),
}


@pytest.mark.parametrize("document", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_could_not_be_read_is_not_written(document: Document) -> None:
    with pytest.raises(PuzzleError):
        json.write(document)


def test_an_empty_shape_that_is_not_listed_is_no_trouble() -> None:
    """A problem may be empty; an empty piece need not be a shape of the puzzle."""
    nothing = Shape(CUBES, set(), name="nothing")
    try:
        document = Document(Puzzle(CUBES, [ell], [Problem(nothing, [Piece(ell), Piece(nothing)])]))
    except PuzzleError:
        return
    assert json.read(json.write(document)) == document


@pytest.mark.parametrize("ending", [".kumitate.json", ".json", ".kumitate.json.gz"])
def test_a_saved_file_is_read_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"small{ending}"
    assert kumitate.write(small, path) == []
    assert kumitate.read(path) == small
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_file_that_ends_in_gz_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "small.kumitate.json.gz"
    kumitate.write(small, path)
    assert gzip.decompress(path.read_bytes()).decode() == SMALL


def test_packing_is_deterministic_too(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.kumitate.json.gz", "b.kumitate.json.gz")]
    for path in paths:
        kumitate.write(small, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "small.xmpuzzle"
    kumitate.write(small, path)
    before = path.read_bytes()
    with pytest.raises(PuzzleError, match=r"small\.xmpuzzle: BurrTools has no grid 'mine'"):
        kumitate.write(Document(Puzzle(OWN_GRIDS[0])), path)
    assert [entry.read_bytes() for entry in tmp_path.iterdir()] == [before]


def test_a_file_of_unknown_kind_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(
        PuzzleError, match=r"small\.txt: unknown kind of file; use \.kumitate\.json, \.json .*scad"
    ):
        kumitate.write(small, tmp_path / "small.txt")
    assert list(tmp_path.iterdir()) == []


def test_a_mark_of_the_byte_order_does_no_harm() -> None:
    """Some editors begin a file with it."""
    assert decode("\ufeff".encode() + SMALL.encode()) == small


def test_gzip_may_come_in_several_parts() -> None:
    data = SMALL.encode()
    assert decode(gzip.compress(data[:99]) + gzip.compress(data[99:])) == small


def test_nothing_after_gzip_is_dropped_in_silence() -> None:
    data = gzip.compress(SMALL.encode()) + b"and more"
    with pytest.raises(PuzzleError, match="gzip"):
        decode(data)


# ---- for people ----


def test_the_text_is_one_that_people_can_read() -> None:
    assert json.write(small).decode() == SMALL
    assert json.read(SMALL.encode()) == small


@pytest.mark.parametrize("name", sorted(kumitate.library))
def test_the_shapes_of_the_library_are_pictures(name: str) -> None:
    puzzle = kumitate.library[name]
    lines = json.write(Document(puzzle)).decode().splitlines()
    text = "\n".join(line.strip().removeprefix('"drawing": [').rstrip(",]") for line in lines)
    for shape in puzzle.shapes:
        picture = draw_page(shape.grid, shape.tokens, gap=" ").split("\n")
        assert "\n".join(f'"{row}"' for row in picture) in text


def test_moves_number_the_placements_so_those_must_be_in_order() -> None:
    with pytest.raises(PuzzleError, match=r"solution 1: .* must list its placements in order"):
        json.read(with_solution(assembly=[[1, 0, 1, 1, 0], [0, 0, 0, 0, 0]]))


def test_a_cell_may_be_written_in_more_than_one_way() -> None:
    listed = {"#1": [[0, 0, 0, 0]], "B": [[1, 0, 0, 0]], "#": [[3, 0, 0, 0]]}
    puzzles = [
        json.read(data).puzzle
        for data in (
            with_shape(drawing=["#1+2_#"]),
            with_shape(drawing=["aB.#"]),
            with_shape(cells=listed),
        )
    ]
    assert puzzles[0] == puzzles[1] == puzzles[2]


# ---- every mistake has its message ----

AWAY = [[1], [1, 0, 0], None]
ROUTE = [["3/2", "1/2", "0"], ["3/2", "3/2", "1"]]


def turn(changed: Mapping[str, object] = {}) -> dict[str, object]:
    return {"pieces": [1], "axis": 2, "quarters": 1, "pivot": [2, 2, 0], **changed}


WRONG_TURNS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("axis 7", {"axis": 7}, ["moves[0].axis should be 2 or less"]),
    ("a huge axis", {"axis": 2**63}, ["axis"]),
    ("4 quarters", {"quarters": 4}, ["moves[0].quarters should be 3 or less"]),
    ("no quarters", {"quarters": 0}, ["solution 1: disassembly: a turn by 0 quarters"]),
    ("a pivot along the axis", {"pivot": [2, 2, 2]}, ["must have 0 along axis 2"]),
    ("a pivot beside cells", {"pivot": [1, 2, 0]}, ["from cells to cells"]),
    ("a pivot far away", {"pivot": [2**63, 0, 0]}, ["pivot"]),
    ("a flat pivot", {"pivot": [2, 2]}, ["moves[0].pivot should have 3 entries"]),
    ("no pieces", {"pieces": []}, ["needs some pieces"]),
    ("a piece twice", {"pieces": [1, 1]}, ["each once"]),
    ("a stranger", {"pieces": [2]}, ["piece 2; there are 2"]),
    ("a huge piece", {"pieces": [2**63]}, ["pieces"]),
    ("a tolerance below 0", {"tolerance": -0.1}, ["tolerance should be 0"]),
    ("a tolerance of half a cell", {"tolerance": 0.5}, ["tolerance should be less than"]),
    ("a tolerance of five digits", {"tolerance": 0.03601}, ["four decimals"]),
    ("a tiny tolerance", {"tolerance": 1e-300}, ["four decimals"]),
    ("a tolerance in words", {"tolerance": "0.1"}, ["tolerance should be a number"]),
    ("a field too many", {"angle": 90}, ["unknown field", "angle"]),
    ("no axis", {"axis": None}, ["axis"]),
    ("a route of one pose", {"route": ROUTE[:1]}, ["begin with a turn of 0"]),
    ("a route that turns at once", {"route": [["0", "0", "1"]] * 2}, ["turn of 0"]),
    (
        "a route to elsewhere",
        {"route": [ROUTE[0], ["2", "1", "1"]]},
        ["does not end where"],
    ),
    ("a long route", {"route": [["0", "0", "0"]] * 30_001}, ["route should have 30000"]),
    ("a route of numbers", {"route": [[0, 0, 0]]}, ["route[0][0] should be text"]),
    ("a flat route", {"route": [["0", "0"]]}, ["route[0] should have 3"]),
    ("half an arc", {"route": [["0", "0", "0", "0"]]}, ["3 numbers, or 5 on an arc"]),
    ("an arc to a far place", {"route": [["0", "0", "0", "0", "9" * 20]]}, ["1,000,000 cells"]),
    ("an arc without a turn", {"route": [ROUTE[0], [*ROUTE[0], "1", "1"], ROUTE[-1]]}, ["an arc"]),
    ("a route to a far place", {"route": [["9" * 20, "0", "0"]]}, ["1,000,000 cells"]),
    ("a route round and round", {"route": [["0", "0", "9"]]}, ["once around"]),
    ("fine numbers on a route", {"route": [["1/1" + "0" * 400, "0", "0"]]}, ["route"]),
    *(
        (f"{text!r} on a route", {"route": [[text, "0", "0"]]}, ["such as 3/2"])
        for text in ("", "x", "1/0", "1/", "/2", "0.5", "1e9", "1_0", " 1", "1/-2", "٣")
    ),
    (
        "a tilt about a pivot",
        {"quarters": 0, "route": [["0", "0", "0"], ["1", "0", "0"]]},
        ["pivot of a route without a turn"],
    ),
    (
        "a tilt to between cells",
        {"quarters": 0, "pivot": [0, 0, 0], "route": [["0", "0", "0"], ["1/2", "0", "0"]]},
        ["from cells to cells"],
    ),
]
WRONG = {
    "an unknown field": (changed(titel="x"), ["titel"]),
    "an unknown field of a shape": (with_shape(nmae="x"), ["nmae", "shapes"]),
    "an unknown field of a problem": (with_problem(holes=1), ["holes", "problems"]),
    "a title that is a number": (changed(title=5), ["title should be text, not a whole number"]),
    "a weight that is a word": (with_shape(weight="heavy"), ["weight", "shapes"]),
    "a weight that is a fraction": (with_shape(weight=1.5), ["weight", "shapes"]),
    "a list that is an object": (changed(shapes={}), ["shapes"]),
    "a version from the future": (changed(kumitate=2), ["version 2", "reads 1"]),
    "a version that is a word": (changed(kumitate="1"), ["kumitate should be a whole number"]),
    "no version": (b'{"title": "x"}', ['"kumitate": 1']),
    "nothing": (b"{}", ['"kumitate": 1']),
    "an unknown grid": (changed(grid="hypercubes"), ["'hypercubes'", "cubes", "tetra-octa"]),
    "a grid that is no tiling": (
        changed(grid={**msgspec.to_builtins(CUBES), "denominator": 2}),
        ["grid 'cubes'", "fill"],
    ),
    "a colour by name": (changed(colours=["red"]), ["colours"]),
    "too many colours": (changed(colours=["#000000"] * 64), ["colours", "63"]),
    "a shape that two have the name of": (
        changed(shapes=[{"name": "L"}, {"name": "L"}, {"name": "dot"}, {"name": "box"}]),
        ["problem 1 'fill'", "2 shapes", "'L'", "number"],
    ),
    "a shape that is not there": (with_problem(goal="bax"), ["problem 1 'fill'", "'bax'"]),
    "a number of no shape": (with_problem(goal=3), ["problem 1 'fill'", "shape 3", "are 3"]),
    "a number of a piece's shape beyond the last": (
        with_problem(pieces=[{"shape": 7}]),
        ["problem 1 'fill'", "shape 7", "are 3"],
    ),
    "a negative number of a shape": (with_problem(goal=-1), ["goal"]),
    "more at least than at most": (
        with_problem(pieces=[{"shape": "dot", "count": [3, 2]}]),
        ["problem 1 'fill'", "'dot'", "3..2"],
    ),
    "a negative count": (with_problem(pieces=[{"shape": 0, "count": -1}]), ["count"]),
    "a range of three": (with_problem(pieces=[{"shape": 0, "count": [1, 2, 3]}]), ["count"]),
    "a group that is a word": (
        with_problem(pieces=[{"shape": 0, "groups": {"x": 1}}]),
        ["problem 1 'fill'", "group 'x'"],
    ),
    "a group beyond all numbers": (
        with_problem(pieces=[{"shape": 0, "groups": {"9" * 5000: 1}}]),
        ["problem 1 'fill'", "group"],
    ),
    "group zero": (
        with_problem(pieces=[{"shape": "dot", "groups": {"0": 1}}]),
        ["problem 1 'fill'", "'dot'", "group 0"],
    ),
    "a colour pair beyond the colours": (
        with_problem(allowed=[[1, 64]]),
        ["problem 1 'fill'", "(1, 64)", "63"],
    ),
    "less than no holes": (with_problem(max_holes=-1), ["max_holes"]),
    "a pin of a piece that is not there": (
        with_problem(pinned=[[2, 0, 0, 0, 0]]),
        ["problem 1 'fill'", "piece 2", "2 pieces"],
    ),
    "a pin by a turn that is not there": (
        with_problem(pinned=[[0, 24, 0, 0, 0]]),
        ["problem 1 'fill'", "turn 24", "24"],
    ),
    "a cell too far away": (with_shape(cells={"#": [[1_000_001, 0, 0, 0]]}), ["cells", "shapes"]),
    "a tile that is not there": (
        with_shape(name="a", cells={"#": [[0, 0, 0, 1]]}),
        ["shape 0 'a'", "(0, 0, 0, 1)", "'cubes'"],
    ),
    "a drawing with a stranger in it": (
        with_shape(name="a", drawing=["##", "#?"]),
        ["shape 0 'a'", "row 2", "'?'"],
    ),
    "a drawing in colour 64": (with_shape(name="a", drawing=["#64"]), ["shape 0 'a'", "colour 64"]),
    "a drawing with layers missing": (
        with_shape(name="a", drawing=["# #", "#"]),
        ["shape 0 'a'", "row 2", "1 layers"],
    ),
    "a drawing off the grid": (
        plain.dumps(
            {"kumitate": 1, "grid": "spheres", "shapes": [{"name": "a", "drawing": ["##"]}]}
        ).encode(),
        ["shape 0 'a'", "'spheres'", "column 2"],
    ),
    "a drawing and cells": (
        with_shape(name="a", drawing=["#"], cells={"#": [[0, 0, 0, 0]]}),
        ["shape 0 'a'", "both"],
    ),
    **{
        f"cells called {token!r}": (
            with_shape(name="a", cells={token: [[0, 0, 0, 0]]}),
            ["shape 0 'a'"],
        )
        for token in ("", "aa", "#x", "#64", "#123", ".", "é", "²", "#²", " #", "#-1", "+ 1")
    },
    "a cell that is listed twice": (
        with_shape(name="a", cells={"#": [[0, 0, 0, 0]], "a": [[0, 0, 0, 0]]}),
        ["shape 0 'a'", "(0, 0, 0, 0)"],
    ),
    "an assembly with a stranger": (
        with_solution(assembly=[[2, 0, 0, 0, 0]]),
        ["problem 1 'fill'", "solution 1", "piece 2", "2 pieces"],
    ),
    "an assembly by no turn": (
        with_solution(assembly=[[0, 99, 0, 0, 0]]),
        ["problem 1 'fill'", "solution 1", "turn 99", "24 turns"],
    ),
    "a separation without moves": (with_solution(disassembly={"moves": []}), ["moves"]),
    "a move of nothing": (
        with_solution(disassembly={"moves": [[[], [1, 0, 0], None]]}),
        ["problem 1 'fill'", "solution 1", "disassembly"],
    ),
    "a move of a stranger": (
        with_solution(disassembly={"moves": [[[2], [1, 0, 0], None]]}),
        ["problem 1 'fill'", "solution 1", "disassembly", "2 pieces"],
    ),
    "a move to where it was": (
        with_solution(disassembly={"moves": [[[1], [0, 0, 0], None]]}),
        ["problem 1 'fill'", "solution 1", "disassembly"],
    ),
    "a separation that separates nothing": (
        with_solution(disassembly={"moves": [[[1], [1, 0, 0], 1]]}),
        ["problem 1 'fill'", "solution 1", "disassembly", "last move"],
    ),
    "a separation with two ends": (
        with_solution(disassembly={"moves": [[[1], [1, 0, 0], None]] * 2}),
        ["problem 1 'fill'", "solution 1", "disassembly", "last move"],
    ),
    "a move of no units": (
        with_solution(disassembly={"moves": [[[1], [1, 0, 0], 0], [[1], [1, 0, 0], None]]}),
        ["units"],
    ),
    **{
        f"a turn with {words}": (
            with_solution(disassembly={"moves": [turn(changed), AWAY]}),
            wanted,
        )
        for words, changed, wanted in WRONG_TURNS
    },
    "a turn at the end": (
        with_solution(disassembly={"moves": [turn()]}),
        ["problem 1 'fill'", "solution 1", "must take pieces away; a turn does not"],
    ),
    "a turn that is a number": (with_solution(disassembly={"moves": [1, AWAY]}), ["moves[0]"]),
    "more turns than moves": (
        with_solution(levels={"moves": 1, "turns": 2}),
        ["2 of 1 moves cannot be turns"],
    ),
    "a truncated file": (b'{"kumitate": 1,\n "title": "', ["truncated", "at line 2, column 12"]),
    "a comma too many": (
        '{"kumitate": 1,\n "title": "é", }'.encode(),
        ["malformed", "line 2, column 16"],
    ),
    "a byte that is no letter": (b'{"kumitate": 1,\n "title": "\xff"}', ["line 2, column 12"]),
    "something after the end": (SMALL.encode() + b"x", ["malformed"]),
}


@pytest.mark.parametrize(("data", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_slip_is_told_and_where(data: bytes, words: list[str]) -> None:
    with pytest.raises(PuzzleError) as refused:
        json.read(data)
    assert [word for word in words if word not in str(refused.value)] == []


PLACED = {
    "text for a number": (
        '"pieces": [{"shape": "L"},\n {"shape": "dot", "count": "two"}]',
        "line 5, column 28: problems[0].pieces[1].count should be a whole number or a list,"
        " not text",
    ),
    "a point": (
        '"max_holes": 1.0',
        "line 4, column 14: problems[0].max_holes should be a whole number or null,"
        " not a number with a decimal point",
    ),
    "too few": (
        '"pinned": [[0, 0, 0, 0]]',
        "line 4, column 12: problems[0].pinned[0] should have 5",
    ),
    "below zero": (
        '"max_holes":\n -1',
        "line 5, column 2: problems[0].max_holes should be 0 or more",
    ),
    "a field that is missing": (
        '"pieces": [{}]',
        "line 4, column 12: problems[0].pieces[0] has no field shape",
    ),
    "a field that nobody knows": (
        '"pieces": [{"shape": "L",\n\n  "é\\" ]": "{", "max": 5}]',
        "line 6, column 3: unknown field problems[0].pieces[0].é",
    ),
    "a key that the path does not name": (
        '"pieces": [{"shape": "L", "groups":\n {"1": "x"}}]',
        "line 5, column 2: problems[0].pieces[0].groups[...] should be a whole number, not text",
    ),
    "half a character at the end": (
        '"name": "\\\\\\ud83d"',
        "half a character (\\ud83d) at line 4, column 12; write both halves, or the"
        " character itself",
    ),
    "half a character before text": (
        '"name": "\\ud83dxxxxxx"',
        "half a character (\\ud83d) at line 4",
    ),
    "the other half": ('"name": "\\uDE00"', "half a character (\\uDE00) at line 4, column 10"),
    "a slip before half a character": (
        '"name": x, "goal": "\\ud83d"',
        "JSON is malformed: invalid",
    ),
}


@pytest.mark.parametrize(("problem", "words"), PLACED.values(), ids=PLACED.keys())
def test_a_slip_is_told_in_plain_words_with_its_line(problem: str, words: str) -> None:
    shapes = '[{"name": "L", "drawing": ["#[,{", "\\""]}, {"name": "dot"}]'
    text = f'{{"kumitate": 1, "shapes": {shapes},\n"problems":\n [{{\n{problem}}}]}}'
    with pytest.raises(PuzzleError) as refused:
        json.read(text.encode())
    assert str(refused.value).startswith(words)


def test_a_slip_at_the_end_of_a_large_file_is_found_at_once() -> None:
    shapes = [{"name": f"{n}", "cells": {"#": [[n, 0, 0, 0]]}} for n in range(99_000)]
    data = plain.dumps({"kumitate": 1, "shapes": shapes, "title": 5}, indent=1).encode()
    seconds = []
    for _ in range(3):  # a busy machine slows some of them
        start = time.process_time()
        with pytest.raises(PuzzleError, match=r"^line 1\d{6}, column 11: title should be text"):
            json.read(data)
        seconds.append(time.process_time() - start)
        if seconds[-1] < 2:
            break
    assert min(seconds) < 2
    deep = b'{"kumitate": 1, "shapes": [], "comment": ' + b"[" * 99_999
    with pytest.raises(PuzzleError, match=r"comment should be text, not a list|nested too deeply"):
        json.read(deep)


def test_moves_and_counts_that_are_unknown_stay_unknown() -> None:
    known = Solution(fill, None, Levels(3, None, Levels(1)))
    document = replace(small, answers=[Answers([known, Solution(fill)])])
    assert json.read(json.write(document)) == document


# ---- the page and the schema ----


def test_the_schema_is_the_published_one() -> None:
    """After a change: kumitate.files.entries.schema(), with indent=2, goes into that file."""
    written = plain.dumps(entries.schema(), indent=2) + "\n"
    assert (DOCS / "kumitate.schema.json").read_text("utf-8") == written


def test_the_page_explains_every_field() -> None:
    page = (DOCS / "format.md").read_text("utf-8")
    kinds = [
        thing
        for name, thing in vars(entries).items()
        if isinstance(thing, type) and issubclass(thing, msgspec.Struct) and name[0] != "_"
        if thing.__module__ == entries.__name__
    ]
    fields = {field for kind in kinds for field in kind.__struct_fields__}
    assert len(fields) > 40
    assert sorted(field for field in fields if f"`{field}`" not in page) == []


def test_steps_belong_to_the_pieces_beside_them() -> None:
    flying = Disassembly([Move([0, 1], (1, 0, 0), None, 1, [(1, 0, 0), (0, 1, 0)])])
    document = Document(
        Puzzle(CUBES, [ell, dot, box], [asked]), [Answers([Solution(fill, flying)])]
    )
    text = json.write(document).decode()
    swapped = text.replace("[[0, 1], [1, 0, 0], null]", "[[1, 0], [1, 0, 0], null]")
    assert swapped != text
    for data, first in ((text, (1, 0, 0)), (swapped, (0, 1, 0))):
        answers = decode(data.encode()).answers[0]
        assert answers is not None
        tree = answers.solutions[0].disassembly
        assert tree is not None
        [move] = tree.moves
        assert isinstance(move, Move)
        assert move.ways[0] == first
    twice = text.replace("[[0, 1], [1, 0, 0], null]", "[[1, 1], [1, 0, 0], null]")
    with pytest.raises(PuzzleError, match="is not a move; it needs some"):
        decode(twice.encode())


def test_pieces_on_other_grids_do_not_turn() -> None:
    """Neither are such turns written, nor are they read."""
    grid = replace(CUBES, name="mine")
    tree = Disassembly([Rotation([1], 2, 1, (0, 0, 0)), Move([1], (1, 0, 0), None)])
    puzzle = Puzzle.of(Assembly.from_text(grid, "AB").problem)
    assembly = Assembly(puzzle.problems[0], [Placement(n, 0, (0, 0, 0)) for n in range(2)])
    with pytest.raises(PuzzleError, match="pieces turn on cubes only, not on mine"):
        json.write(Document(puzzle, [Answers([Solution(assembly, tree)])]))
    file = plain.loads(json.write(Document(puzzle, [Answers([Solution(assembly)])])))
    [solution] = file["problems"][0]["answers"]["solutions"]
    solution["disassembly"] = {"moves": [turn(), AWAY]}
    with pytest.raises(PuzzleError, match="pieces turn on cubes only, not on mine"):
        json.read(plain.dumps(file).encode())


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (Answers([], -1), "problems[0].answers.assembly_count should be 0 or more"),
        (Answers([], 1, 2**60), "problems[0].answers.solution_count should be 9007199254740992 or"),
        (Answers([], seconds=float("inf")), "Out of range float values are not JSON compliant"),
    ],
)
def test_what_cannot_be_written_is_told_in_plain_words(answers: Answers, words: str) -> None:
    with pytest.raises(PuzzleError) as refused:
        json.write(replace(small, answers=[answers]))
    assert str(refused.value).startswith(f"cannot be written: {words}")
