"""puzzlecad source: makers' files are read, and what kumitate writes reads back unchanged.

OpenSCAD itself is the second reader: a stand-in for the library echoes what it is given. The
numbers of burr sticks are compared with Cutler's counts, which come from outside.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Set
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.files.strategies import names, painted, palettes, problems

import kumitate
from kumitate import CUBES, Document, Piece, Problem, Puzzle, PuzzleError, Shape
from kumitate.files import decode, puzzlecad
from kumitate.model.burr_sticks import burr_stick
from kumitate.model.geometry import Cell

# A typical maker's file: modules to choose by hand, joints, labels, and things that are not pieces.
MAKER = """\
/* ====================================
  A model for personal use.

  Puzzle design (c) Jane Doe
==================================== */
include <puzzlecad.scad>

require_puzzlecad_version("2.0");

$burr_scale = 17;
$burr_inset = 0.07;     // Use 0.06 for a tighter fit
wall = $burr_scale / 2 + 1;

// Uncomment one of the following lines to render that component.

*pieces();
*tray();

knot = ["xx|x.", "..|x."];
burrs = [1, 256, burr_stick(1024, stick_length = 8)];

module pieces() {
    burr_plate([
        ["x.|x{connect=fz+y-,clabel=A}."],
        ["x{connect={mz+y+,fz-y+},clabel={G,X}}xx|..x"], // the hook
        knot,
        [".aab|..b.", "....|..b{label_text=a \\"B\\"|,label_orient=z+x+}."],
    ], $plate_width = 160);
    translate([4 * $burr_scale + $plate_sep, 0, 0])
    // key
    burr_piece("x|x|x");
}

module tray() {
    render(convexity = 2) difference() {
        cube([wall, wall, wall > 3 ? 1 : [0:2:8][0]]);
        for (i = [0:3], j = [0:3]) translate([i, j, 0]) cylinder(r = 1, $fn = 32);
    }
}

function half(list) = [for (i = [0:len(list) - 1]) if (i % 2 == 0) let (j = i) list[j]];

module sticks(list = [1]) {
    burr_plate(burrs);
}
"""


def read(text: str) -> Document:
    return puzzlecad.read(text.encode())


def drawings(text: str) -> list[str]:
    return [str(shape) for shape in read(text).puzzle.shapes]


# ---- reading ----


def test_letters_run_along_x_rows_along_y_and_texts_along_z() -> None:
    [shape] = read('burr_piece(["xx|..|x.", "..|.x"]);').puzzle.shapes
    assert shape.cells == {(0, 0, 0, 0), (1, 0, 0, 0), (0, 2, 0, 0), (1, 1, 1, 0)}


def test_a_makers_file_is_read() -> None:
    document = read(MAKER)
    puzzle = document.puzzle
    assert {shape.name: len(shape) for shape in puzzle.shapes} == {
        "pieces 1": 2,
        "the hook": 4,
        "knot": 4,
        "pieces 3": 5,
        "key": 3,
        "1": 24,
        "256": 16,
        "1024": 22,
    }
    assert puzzle.designer == "Jane Doe"
    assert puzzle.comment.startswith("A model for personal use.")
    assert puzzle.problems == ()
    assert document.warnings == [
        "3 notes in braces are not kept; parts to be joined after printing become separate shapes",
        "all letters are read as x; they only control where puzzlecad bevels",
        "not read: difference (line 35), cube (line 36), cylinder (line 37)",
    ]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ('burr_piece("xxx|.x.");', [4]),
        ('burr_piece(burr_spec = ["xx"]);', [2]),
        ("burr_plate([52, 615]);", [20, 19]),
        ('burr_plate(["xx|x.", ["x", "x"], ["xxx"],]);', [3, 2, 3]),
        ('a = "xx"; b = a; burr_plate([a, [b, "x."], [a, a]]);', [2, 3, 4]),
        ('burr_plate(later); later = ["x", "xx"];', [1, 2]),
        ('x = "x"; module m() { x = "xx"; burr_piece(x); } burr_piece(x);', [2, 1]),
        ('*!#%burr_piece("x");', [1]),
        ('color("red") { translate([1, 2, 3]) burr_piece("x"); ; }', [1]),
        ('burr_piece(["{connect=mz+y+}", "#x|.#"]);', [3]),
        ('burr_piece(["...|...", "..x|...", "..x|.xx"]);', [4]),
        ('burr_piece(["xxx|x", "x"]);', [5]),  # short rows are padded
        ("burr_piece(burr_stick(stick_length = 12, kaenel_number = 1));", [48]),
        ('// burr_piece("x");\n/* burr_piece("x"); */ burr_piece("xx");', [2]),
    ],
)
def test_pieces_are_read_in_all_forms(text: str, cells: list[int]) -> None:
    assert [len(shape) for shape in read(text).puzzle.shapes] == cells


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('burr_plate([["xx"], // one\n["xxx"] // two\n]);', ["one", "two"]),
        ('// bar\nburr_piece("xx");', ["bar"]),
        ('/* bar */ burr_piece("xx");', [""]),
        ('burr_plate(["xx", "x"]); // both', ["", ""]),
        ('// bar\n\nburr_piece("xx");', [""]),
        ('// "xxx",\nburr_piece("xx");', [""]),
        (
            "// This comment goes on and on, and nobody would call a piece so\nburr_piece(1);",
            ["1"],
        ),
        ('bar = "xx"; burr_piece(bar); burr_plate([bar]);', ["bar"]),
        ('p = ["xx", "x"]; burr_plate(p);', ["p 1", "p 2"]),
        ('module bar() burr_piece("xx");', ["bar"]),
    ],
)
def test_pieces_are_called_as_the_file_calls_them(text: str, expected: list[str]) -> None:
    assert [shape.name for shape in read(text).puzzle.shapes] == expected


WARNED = {
    "a list that is calculated": ("burr_plate(repeat(8, 1));", "line 2: burr_plate is skipped"),
    "a list of a module's caller": ("module m(p) burr_plate(p);", "line 2: burr_plate is skipped"),
    "a piece that is calculated": ("burr_piece(p[3]);", "line 2: a piece is skipped"),
    "a piece that is nowhere": ("burr_piece(p);", "line 2: a piece is skipped"),
    "a name for itself": ("a = b; b = a; burr_piece(a);", "line 2: a piece is skipped"),
    "a stick that is calculated": (
        "burr_piece(burr_stick(1 + 1));",
        "line 2: a burr stick is",
    ),
    "cubes cut up": ('burr_piece("x{components={z+,y-}}");', "line 2: a piece is skipped"),
    "no pieces": ("burr_piece($burr_scale = 3);", "line 2: burr_piece is called without pieces"),
    "no cells": ('burr_piece("...");', "line 2: a piece without cells is dropped"),
    "copies": (
        'burr_plate(["xx"], num_copies = 3);',
        "line 2: the number of copies (3) is dropped",
    ),
    "a mirror image": ('mirror([1, 0, 0]) burr_piece("xx");', "line 2: mirror is not evaluated"),
    "a loop": ('for (i = [0:2]) burr_piece("xx");', "line 2: for is not evaluated"),
    "a choice": ('if (a) burr_piece("xx"); else cube(1);', "line 2: if is not evaluated"),
    "another file": ("use <parts.scad>", "line 2: the file it names is not read"),
    "another call": ("packing_tray(3);", "not read: packing_tray (line 2)"),
    "a box without walls": (
        "*packing_box($box_wall_thickness = 4);",
        "line 2: packing_box is",
    ),
}


@pytest.mark.parametrize(("text", "start"), WARNED.values(), ids=WARNED)
def test_what_is_left_out_is_told(text: str, start: str) -> None:
    document = read('burr_piece("x");\n' + text)
    assert [warning for warning in document.warnings if warning.startswith(start)]
    assert len(document.puzzle.shapes) <= 2


def test_ever_so_many_warnings_are_cut_short() -> None:
    warnings = read('burr_piece("x");\n' + "burr_piece(a);\n" * 100).warnings
    assert len(warnings) == 21
    assert warnings[-1] == "and 80 more"


def test_a_packing_box_becomes_the_goal() -> None:
    """Its walls are drawn all around; the 1 x 2 x 3 inside takes two bent pieces."""
    document = read("""
        burr_plate([["xx|x."], ["xx|x."]]);
        packing_box(["xxxx|xxxx|xxxx|xxxx|xxxx", "xxxx|x..x|x..x|x..x|xxxx", "xxxx|x.ox|xx+x"]);
    """)
    assert document.warnings[0] == "line 3: the inside of the box becomes the goal of all pieces"
    [problem] = document.puzzle.problems
    assert problem.goal == Shape.from_text(CUBES, "##/##/##", name="box")
    assert next(kumitate.assemble(problem))


def test_what_a_box_has_to_spare_may_stay_empty() -> None:
    [problem] = read('burr_piece("xx"); packing_box(["xxxxx|xxx|xxx", "", ""]);').puzzle.problems
    assert (len(problem.goal), len(problem.goal.fixed)) == (3, 0)


def test_the_library_itself_has_no_pieces() -> None:
    own = "module burr_plate(a) { echo(a); }\nmodule burr_piece(a) { burr_plate([a]); }"
    with pytest.raises(PuzzleError, match="no readable piece: no burr_piece or burr_plate"):
        read(own)


def test_text_in_an_old_encoding_is_read() -> None:
    [shape] = puzzlecad.read('burr_piece("x"); // Würfel'.encode("cp1252")).puzzle.shapes
    assert shape.name == "Würfel"


# ---- mistakes ----

SLIPS = {
    "an unknown letter": ('\nburr_piece("xX");', ["line 2", "'X'", "x for a cell"]),
    "a blank": ('burr_piece("xx x");', ["line 1", "' '"]),
    "a sharp without notes": ('burr_piece("x#");', ["line 1", "'#'", "first string"]),
    "a brace that is open": ('burr_piece("x{connect=mz+y+x");', ["line 1", "braces"]),
    "a brace too many": ('burr_piece("x{a}}");', ["line 1", "braces"]),
    "a row that is too long": (
        'burr_piece("x.|.xx");',
        ["line 1", "row 2 of layer 1", "cuts it off"],
    ),
    "a layer that is too large": ('burr_piece(["x", "x|x"]);', ["row 2 of layer 2", "cuts it off"]),
    "a stick 0": ("burr_piece(0);", ["line 1", "no burr stick 0", "1 to 65536"]),
    "a stick -1": ("burr_piece(-1);", ["line 1", "no burr stick -1"]),
    "a stick too high": ("\n\nburr_plate([1, 65537]);", ["line 3", "65537"]),
    "half a stick": ("burr_piece(97.5);", ["line 1", "97.5", "whole"]),
    "an endless stick": ("burr_piece(1e999);", ["line 1", "inf"]),
    "a stick of odd length": ("burr_piece(burr_stick(1, 7));", ["line 1", "7 long", "even"]),
    "a stick too long": ("burr_piece(burr_stick(1, 10000));", ["10000 long", "100"]),
    "a text without end": ('burr_piece("xx);\n', ["line 1", "string", "never closed"]),
    "a comment without end": ("burr_piece(1);\n/* ", ["line 2", "comment", "never closed"]),
    "a bracket without end": ('burr_plate([["x"], ', ["line 1", "'['", "never closed by ']'"]),
    "a bracket of another kind": ('burr_plate(["x");', ["line 1", "'['", "')' comes"]),
    "brackets that cross": ("a = ([1)];\nburr_piece(1);", ["line 1", "'['", "']'"]),
    "a block without end": ("module a() {\nburr_piece(1);", ["line 1", "'{'", "never closed"]),
    "a block's end too many": ("burr_piece(1); }", ["line 1", "'}'"]),
    "no semicolon": ("burr_piece(1)", ["line 1", "';' is missing"]),
    "no semicolon after a value": ("a = 1\nburr_piece(1);", ["line 1", "';'", "burr_piece"]),
    "no value": ("a = ;\nburr_piece(1);", ["line 1", "value is missing", "';'"]),
    "no comma": ('burr_plate([["x"] ["xx"]]);', ["skipped"]),
    "words without sense": ("hello burr_piece world", ["line 1", "'hello'"]),
    "nothing to read": ("include <puzzlecad.scad>", ["no burr_piece or burr_plate is called"]),
    "nothing that can be read": ("burr_piece(f(3));", ["no readable piece", "line 1"]),
    "nothing but diagonal cuts": ('burr_piece("x{components=z-}");', ["{components}"]),
    "saved nonsense": (
        "burr_piece(1);\n/* kumitate {} */",
        ["line 2", "kumitate saved"],
    ),
    "a saved grid of spheres": (
        'burr_piece("x");\n/* kumitate {"kumitate": 1, "grid": "spheres"} */',
        ["line 2", "'spheres'", "cubes"],
    ),
}


@pytest.mark.parametrize(("text", "words"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_named_in_one_line(text: str, words: list[str]) -> None:
    with pytest.raises(PuzzleError) as caught:
        decode(text.encode())
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 200
    for word in words:
        assert word in message


BOMBS: dict[str, Callable[[], str]] = {
    "a great file": lambda: "burr_piece(1);" + " " * 4_000_000,
    "deep lists": lambda: "burr_piece(" + "[" * 4000,
    "ever deeper lists": lambda: "burr_piece(" + "[" * 3_900_000,
    "deep brackets": lambda: "burr_piece(" + "(" * 90_000,
    "deep blocks": lambda: "burr_piece(1);" + "{" * 90_000,
    "calls of calls": lambda: "burr_piece(1);" + "translate(1)" * 20_000,
    "functions of functions": lambda: "burr_piece(" + "f(" * 40_000,
    "comments that never end": lambda: "burr_piece(1);" + "/* " * 1_300_000,
    "quotes": lambda: "burr_piece(1);" + '"' * 3_900_001,
    "sticks": lambda: "burr_plate([" + "1," * 24_000 + "]);",
    "dots": lambda: 'burr_piece("' + "." * 3_900_000 + '");',
    "rows": lambda: 'burr_piece("' + "|" * 900_000 + '");',
    "cells": lambda: 'burr_piece("' + "x" * 900_000 + '");',
    "small pieces": lambda: "burr_plate([" + '"x",' * 24_000 + "]);",
    "braces": lambda: 'burr_piece("x' + "{" * 900_000 + '");',
    "a text used again and again": lambda: (
        's="' + "." * 900_000 + 'x"; burr_plate([' + "[s]," * 20_000 + "]);"
    ),
    "a chain of names": lambda: (
        "burr_piece(a4000);" + "".join(f"a{n + 1} = a{n};" for n in range(4000))
    ),
    "lists of lists of lists": lambda: (
        'a0 = "x";'
        + "".join(f"a{n + 1} = [a{n}, a{n}];" for n in range(4000))
        + "burr_plate(a4000);"
    ),
    "a great number": lambda: "burr_piece(" + "9" * 3_900_000 + ");",
    "a great box": lambda: (
        'packing_box(["' + "|".join(["x" * 500] * 500) + '"' + ', ""' * 500 + "]);"
    ),
    "many boxes": lambda: "".join(
        f'packing_box(["{"x" * n}|xxx|xxx", "", ""]);' for n in range(3, 500)
    ),
    "saved brackets": lambda: "burr_piece(1); /* kumitate {" + "{" * 3_900_000 + "*/",
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_refused_at_once(bomb: Callable[[], str]) -> None:
    data = bomb().encode()
    before = time.process_time()
    with pytest.raises(PuzzleError) as caught:
        decode(data + b"// puzzlecad")
    assert time.process_time() - before < 1
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


SNIPPETS = [
    '"',
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "|",
    "=",
    "/*",
    "*/",
    "//",
    "1e9",
    "kumitate {",
]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_broken_file_gives_a_document_or_one_line(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([MAKER, puzzlecad.write(soma())[0].decode()]))
    for _ in range(data.draw(st.integers(1, 3))):
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        some = data.draw(st.sampled_from([*SNIPPETS, "", text[start : start + 30]]))
        text = text[:start] + some + text[data.draw(st.sampled_from([start, start + 1, end])) :]
    told = ""
    try:
        decode(text.encode())
    except PuzzleError as error:
        told = str(error)
    assert "\n" not in told


# ---- numbers of sticks ----

# Cutler's 25 notchable pieces that occur in solid burrs, by their Kaenel numbers as
# given in "extensible-burr-set.scad" of puzzlecad (the set "notchable").
NOTCHABLE = [1, 18, 35, 52, 86, 103, 120, 154, 188, 256, 359, 615, 792, 824, 856, 871, 888, 911]
NOTCHABLE += [928, 943, 960, 975, 992, 1007, 1024]


def turned_about_the_stick(cells: Set[Cell]) -> set[frozenset[Cell]]:
    """The eight orientations of a stick of length 6 in the same box."""
    quarter = {frozenset((x, z, 1 - y, 0) for x, y, z, _ in cells)}
    for _ in range(3):
        quarter |= {frozenset((x, z, 1 - y, 0) for x, y, z, _ in some) for some in quarter}
    return quarter | {frozenset((5 - x, 1 - y, z, 0) for x, y, z, _ in some) for some in quarter}


def connected(cells: Set[Cell]) -> bool:
    left, reached = set(cells), [(0, 0, 0, 0)]
    while reached:
        x, y, z, _ = cell = reached.pop()
        if cell in left:
            left.remove(cell)
            reached += [(x + 1, y, z, 0), (x - 1, y, z, 0), (x, 1 - y, z, 0), (x, y, 1 - z, 0)]
    return not left


def test_of_4096_sticks_2225_hold_together_and_837_differ() -> None:
    """As http://www.research.ibm.com/BurrPuzzles/Burr6.html and Cutler say."""
    whole = [cells for n in range(1, 4097) if connected(cells := burr_stick(n).cells)]
    assert len(whole) == 2225
    different, seen = 0, set[frozenset[Cell]]()
    for cells in whole:
        if cells not in seen:
            different += 1
            seen |= turned_about_the_stick(cells)
    assert different == 837


def test_the_notchable_sticks_are_those_of_the_library() -> None:
    [problem] = kumitate.library["six-piece-burr"].problems[:1]
    mine = {Shape(CUBES, burr_stick(n).cells).canonical().cells for n in NOTCHABLE}
    assert mine == {piece.shape.canonical().cells for piece in problem.pieces}


def test_burr_305_comes_apart_three_and_three() -> None:
    """Its numbers are from puzzlecad-examples.scad, its opening from puzzleworld.org."""
    shapes = read("burr_plate([52, 615, 792, 960, 975, 992]);").puzzle.shapes
    goal = kumitate.library["six-piece-burr"].problems[0].goal
    [solution] = kumitate.solve(Problem(goal, [Piece(shape) for shape in shapes]), disassemble=True)
    assert solution.disassembly is not None
    [move] = solution.disassembly.moves
    assert len(move.pieces) == 3


def test_a_longer_stick_is_longer_at_both_ends() -> None:
    short, long = burr_stick(975).cells, burr_stick(975, 10).cells
    assert long == {(x + 2, y, z, 0) for x, y, z, _ in short} | {
        (x, y, z, 0) for x, y, z in product((0, 1, 8, 9), (0, 1), (0, 1))
    }


# ---- writing ----


def soma() -> Document:
    return Document(kumitate.library["soma"])


@st.composite
def cube_puzzles(draw: st.DrawFn) -> Puzzle:
    near = st.integers(-3, 3)
    known = []
    for _ in range(draw(st.integers(0, 4))):
        cells = draw(st.sets(st.tuples(near, near, near, st.just(0)), max_size=8))
        known.append(draw(painted(CUBES, cells, 63, names)))
    asked = draw(st.lists(problems(CUBES, known), max_size=2))
    texts = [draw(st.text(max_size=20) | st.sampled_from(["*/", "a\nb", "/*", "// x"]))] * 3
    title, designer, comment = texts
    return Puzzle(
        CUBES, known, asked, title, designer, draw(palettes), comment, draw(st.booleans())
    )


@settings(max_examples=100, deadline=None)
@given(cube_puzzles())
def test_what_is_written_comes_back(puzzle: Puzzle) -> None:
    data, lost = puzzlecad.write(Document(puzzle))
    back = decode(data)
    assert (back.puzzle, list(back.warnings), lost) == (puzzle, [], [])


@settings(max_examples=50, deadline=None)
@given(cube_puzzles())
def test_without_the_saved_puzzle_the_same_cells_come_back(puzzle: Puzzle) -> None:
    source = puzzlecad.write(Document(puzzle))[0].decode().split("/* kumitate")[0]
    goals = {problem.goal for problem in puzzle.problems}
    used = {piece.shape for problem in puzzle.problems for piece in problem.pieces}
    printed = [s for s in puzzle.shapes if s.cells and (s in used or s not in goals)]
    if printed:
        shapes = read(source).puzzle.shapes
        assert [s.cells for s in shapes] == [s.at_origin().cells for s in printed]
    else:
        with pytest.raises(PuzzleError, match="no readable piece"):
            read(source)


def test_names_come_back_without_the_saved_puzzle() -> None:
    source = puzzlecad.write(soma())[0].decode().split("/* kumitate")[0]
    pieces = kumitate.library["soma"].shapes[:7]
    assert read(source).puzzle.shapes == tuple(shape.at_origin() for shape in pieces)


def test_a_piece_that_was_changed_by_hand_is_the_one_that_counts() -> None:
    text = puzzlecad.write(soma())[0].decode()
    document = read(text.replace('["xxx|x.."]', '["xxxx|x..."]'))
    assert document.warnings == ["changed since kumitate saved the puzzle: 'L'"]
    ell = document.puzzle.shapes[1]
    assert (ell.name, str(ell)) == ("L", "####\n#...")
    assert document.puzzle.problems[0].pieces[1].shape == ell
    assert document.puzzle.problems[0].goal == kumitate.library["soma"].problems[0].goal


def test_a_piece_more_makes_the_saved_problem_void() -> None:
    text = puzzlecad.write(soma())[0].decode()
    document = read(text.replace("burr_plate([", 'burr_plate([["x"], '))
    assert "pieces were added or removed" in document.warnings[-1]
    assert len(document.puzzle.shapes) == 8
    assert document.puzzle.problems == ()


def test_saved_answers_are_told_as_lost() -> None:
    puzzle = kumitate.library["soma"]
    answers = kumitate.Answers((), 240, 240, True)
    data, lost = puzzlecad.write(Document(puzzle, [answers]))
    assert lost == ["problem 1: saved answers are not kept"]
    assert decode(data).puzzle == puzzle


def test_the_unit_follows_the_longest_side() -> None:
    """17, 16, 14 and 11 mm for 3, 4, 5 and more, as puzzlecad's own converter has it."""

    def unit(length: int) -> str:
        shape = Shape.from_text(CUBES, "#" * length)
        found = re.search(
            r"burr_scale = (\d+)", puzzlecad.write(Document(Puzzle(CUBES, [shape])))[0].decode()
        )
        assert found
        return found[1]

    assert [unit(n) for n in (1, 3, 4, 5, 6, 9)] == ["17", "17", "16", "14", "11", "11"]


def test_a_puzzle_of_another_grid_is_refused(tmp_path: Path) -> None:
    puzzle = kumitate.library["kanoodle-pyramid"]
    with pytest.raises(PuzzleError, match=r"a\.scad: puzzlecad prints cubes.*'spheres'"):
        kumitate.write(Document(puzzle), tmp_path / "a.scad")
    assert not list(tmp_path.iterdir())


def test_a_shape_spread_too_far_is_refused() -> None:
    shape = Shape(CUBES, {(0, 0, 0, 0), (1000, 1000, 1000, 0)}, name="far")
    with pytest.raises(PuzzleError, match="'far' spans 1001 x 1001 x 1001"):
        puzzlecad.write(Document(Puzzle(CUBES, [shape])))


@pytest.mark.parametrize("name", list(kumitate.library))
def test_every_library_puzzle_of_cubes_is_kept(name: str, tmp_path: Path) -> None:
    puzzle = kumitate.library[name]
    if puzzle.grid != CUBES:
        pytest.skip("not of cubes")
    path = tmp_path / f"{name}.scad"
    assert kumitate.write(Document(puzzle), path) == []
    assert kumitate.load(path) == puzzle
    assert puzzlecad.write(Document(puzzle))[0] == path.read_bytes()


# ---- OpenSCAD reads the same ----

STAND_IN = """
$plate_sep = 6;
module require_puzzlecad_version(version) {}
module burr_plate(list) { echo(list); cube(1); }
module burr_piece(spec) { burr_plate([is_string(spec) ? [spec] : spec]); }
function burr_stick(number, stick_length) = ["xx"];
"""


@pytest.fixture
def openscad(tmp_path: Path) -> Callable[[str], list[list[str]]]:
    """What OpenSCAD passes to puzzlecad: the strings of each piece."""
    program = shutil.which("openscad")
    if program is None:
        pytest.skip("OpenSCAD is not installed")
    (tmp_path / "puzzlecad.scad").write_text(STAND_IN)

    def run(source: str) -> list[list[str]]:
        (tmp_path / "a.scad").write_text(source, "utf-8")
        subprocess.run(
            [program, "-o", tmp_path / "a.echo", tmp_path / "a.scad"],
            check=True,
            capture_output=True,
            timeout=60,
        )
        told = (tmp_path / "a.echo").read_text("utf-8").splitlines()
        assert not [line for line in told if "WARNING" in line or "ERROR" in line]
        lists = "\n".join(line for line in told if line.startswith("ECHO: [["))
        return [re.findall('"([^"]*)"', piece) for piece in re.findall(r'\["[^\]]*\]', lists)]

    return run


@pytest.mark.parametrize("name", ["soma", "eighteen-piece-burr"])
def test_openscad_reads_what_is_written(
    name: str, openscad: Callable[[str], list[list[str]]]
) -> None:
    data, _ = puzzlecad.write(Document(kumitate.library[name]))
    source = data.decode()
    drawn = [
        {
            (x, y, z, 0)
            for z, text in enumerate(texts)
            for y, row in enumerate(text.split("|"))
            for x, letter in enumerate(row)
            if letter == "x"
        }
        for texts in openscad(source)
    ]
    assert drawn == [s.cells for s in read(source.split("/* kumitate")[0]).puzzle.shapes]


def test_openscad_finds_the_same_pieces_in_a_makers_file(
    openscad: Callable[[str], list[list[str]]],
) -> None:
    source = MAKER.replace("*pieces();", "pieces();").replace('\\"B\\"', "B")
    notes = re.compile(r"\{(\{.*?\}|[^{}])*\}")
    filled = [sum(len(re.findall("[a-z]", notes.sub("", t))) for t in p) for p in openscad(source)]
    shapes = [shape for shape in read(source).puzzle.shapes if not shape.name.isdigit()]
    assert sorted(filled) == sorted(map(len, shapes))
