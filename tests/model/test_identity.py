"""A piece has one name, one letter and one colour, wherever it is shown."""

import json
import re
import zipfile
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import kumitate
from kumitate.files import read, write
from kumitate.files.document import Document
from kumitate.model.grids import CUBES
from kumitate.model.identity import Identity, identify_placements, identify_shapes
from kumitate.model.palette import GOAL_COLOUR, PIECE_COLOURS, piece_colour
from kumitate.model.puzzle import Piece, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers, Solution
from kumitate.output.draw.booklet import pages_of
from kumitate.output.draw.layers import layers_svg
from kumitate.output.draw.marks import dark
from kumitate.output.draw.pdf import words_of
from kumitate.output.draw.pictures import svg_of
from kumitate.output.export import export
from kumitate.output.page import scene_data
from kumitate.output.scene import scene_of
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.ask.fixes import fixes
from kumitate.studio.ask.watching import solution_data

CASES = Path(__file__).parents[2] / "web" / "tests" / "identities.json"

# Nothing has a name. The goal comes first, a shape in no use second; the second problem uses the
# pieces of the first in another order.
GOAL, LOOSE, ELL, DOT = (
    Shape.from_text(CUBES, text) for text in ("###/###", "#####", "###/##.", "#")
)
BOTH = [Problem(GOAL, [Piece(DOT), Piece(ELL)]), Problem(GOAL, [Piece(ELL), Piece(DOT)])]
PUZZLE = Puzzle(CUBES, [GOAL, LOOSE, ELL, DOT], BOTH, title="Nameless")
WHO = {"S3": piece_colour(1), "S4": piece_colour(0)}


def painted(puzzle: Puzzle, number: int, colour: str) -> Puzzle:
    """The puzzle with a colour chosen for one of its shapes."""
    old, new = puzzle.shapes[number], replace(puzzle.shapes[number], colour=colour)
    problems = [
        replace(one, pieces=[replace(p, shape=new) if p.shape == old else p for p in one.pieces])
        for one in puzzle.problems
    ]
    shapes = [new if shape == old else shape for shape in puzzle.shapes]
    return replace(puzzle, shapes=shapes, problems=problems)


def solution(problem: int) -> Solution:
    return next(iter(kumitate.solve(PUZZLE.problems[problem], disassemble=True)))


def test_the_page_and_the_server_agree_on_names_and_colours() -> None:
    """web/tests/puzzle.test.ts reads the same cases."""
    for case in json.loads(CASES.read_text()):
        pieces = [piece for problem in case["problems"] for piece in problem["pieces"]]
        goals = {p["goal"] for p in case["problems"]}
        found = identify_shapes(case["names"], pieces, goals, case.get("colours", ()))
        assert found == [
            Identity(name, piece_colour(look) if isinstance(look, int) else look or GOAL_COLOUR)
            for name, look in case["identities"]
        ]


@pytest.mark.parametrize("problem", [0, 1])
def test_a_nameless_piece_is_the_same_one_everywhere(problem: int, tmp_path: Path) -> None:
    found = solution(problem)
    assembly = found.assembly
    assert {who.name: who.colour for who in assembly.identities} == WHO
    assert {letter: name for name, _, letter in assembly.identities} == dict(
        pair.split(" = ") for pair in assembly.legend.split(", ")
    )
    assert set(re.findall(r"\bS\d", str(assembly.problem))) == set(WHO)
    assert {body.name: body.colour for body in scene_of(assembly).bodies} == WHO
    assert {b["name"]: b["colour"] for b in scene_data(scene_of(found))["bodies"]} == WHO  # type: ignore[attr-defined]
    assert {body.name: body.colour for body in solution_data(found, 1).bodies} == WHO
    drawn = layers_svg(assembly)
    for name, colour, letter in assembly.identities:
        assert f">{letter}</text>" in drawn
        assert f"{letter}\u00a0=\u00a0{name}" in drawn
        assert dark(colour) in svg_of(assembly)
    booklet = " ".join(words_of(pages_of(PUZZLE, found)))
    assert set(re.findall(r"\bS\d", booklet)) == set(WHO)
    assert found.disassembly
    assert set(re.findall(r"\bS\d", found.disassembly.describe(assembly))) == set(WHO)
    for kind in ("3mf", "obj", "html", "glb"):
        export(found, tmp_path / f"made.{kind}", show="assembly", puzzle=PUZZLE)
    model = zipfile.ZipFile(tmp_path / "made.3mf").read("3D/3dmodel.model").decode()
    assert set(re.findall(r'name="(S\d)"', model)) == set(WHO)
    assert set(re.findall(r'displaycolor="(#\w{6})', model)) == set(WHO.values())
    assert set(re.findall(r"^o (S\d)", (tmp_path / "made.obj").read_text(), re.M)) == set(WHO)
    page = unescape((tmp_path / "made.html").read_text("utf-8"))
    for name, colour in WHO.items():
        assert f'"name":"{name}","colour":"{colour}"' in page
        assert f'"name":"{name}"'.encode() in (tmp_path / "made.glb").read_bytes()


def test_a_sheet_of_all_shapes_agrees_with_the_assemblies() -> None:
    drawn = svg_of(PUZZLE)
    assert re.findall(">(S[^<]*)</text>", drawn) == ["S1", "S2", "S3", "S4"]
    assert [PUZZLE.colour(n) for n in range(4)] == [
        GOAL_COLOUR, piece_colour(2), WHO["S3"], WHO["S4"]
    ]  # fmt: skip
    assert all(dark(PUZZLE.colour(n)) in drawn for n in range(4))


def test_messages_name_a_nameless_shape_by_its_place() -> None:
    lacking = replace(PUZZLE, problems=[Problem(GOAL, [Piece(ELL), Piece(LOOSE)])])
    found = list(kumitate.check(lacking.problems[0]))
    assert any("piece S2 fits nowhere" in finding.text for finding in found)
    offered = [fix.name for some in fixes(puzzle_data(lacking), 0, found) for fix in some]
    assert any(re.search(r"\bS2\b", name) for name in offered)


def test_names_and_colours_survive_files_and_a_puzzle_of_one_problem(tmp_path: Path) -> None:
    document = Document(PUZZLE, [Answers([solution(0)]), Answers([solution(1)])])
    for name in ("made.kumitate.json", "made.xmpuzzle"):
        write(document, tmp_path / name)
        again = read(tmp_path / name)
        for answers in again.answers:
            assert answers is not None
            [kept] = answers.solutions
            assert {who.name: who.colour for who in kept.assembly.identities} == WHO
    assert svg_of(PUZZLE.problems[1]).count(">S4</text>") == 1


def test_copies_and_namesakes_are_numbered_and_take_colours_that_are_left() -> None:
    one, two, too = Identity("bar", "#E69F00"), Identity("T", "#0072B2"), Identity("T", "#009E73")
    found = identify_placements([one, two, too], [0, 0, 1, 2])
    assert [who.name for who in found] == ["bar.1", "bar.2", "T.1", "T.2"]
    assert [who.letter for who in found] == ["A", "B", "C", "D"]
    assert [found[n].colour for n in (0, 2, 3)] == [one.colour, two.colour, too.colour]
    assert len({who.colour for who in found}) == 4
    assert len(identify_placements([one], [0] * 500)) == 500
    many = [Identity(str(n), colour) for n, colour in enumerate(PIECE_COLOURS)]
    assert identify_placements(many, [0, 0])[1].colour in PIECE_COLOURS


def test_a_chosen_colour_is_seen_on_all_copies_and_changes_no_other(tmp_path: Path) -> None:
    bar = Shape.from_text(CUBES, "##", name="bar")
    dot = Shape.from_text(CUBES, "#", name="dot")
    goal = Shape.from_text(CUBES, "#####", name="row")
    plain = Puzzle(CUBES, [bar, dot, goal], [Problem(goal, [Piece(bar, 2), Piece(dot)])])
    red = painted(plain, 0, "#FF0000")
    assert [red.colour(n) for n in range(3)] == ["#ff0000", piece_colour(1), GOAL_COLOUR]
    [*found] = kumitate.assemble(red.problems[0])
    assert {who.name: who.colour for who in found[0].identities} == {
        "bar.1": "#ff0000", "bar.2": "#ff0000", "dot": piece_colour(1)
    }  # fmt: skip
    assert red.problems[0].question == plain.problems[0].question
    assert plain.problems[0].painted(["#ff0000", ""]) == red.problems[0]
    assert red.problems[0].painted(["", ""]) == plain.problems[0]
    both = Problem(goal, [Piece(bar), Piece(replace(bar, colour="#ff0000")), Piece(dot)])
    assert kumitate.count(both).assemblies == kumitate.count(plain.problems[0]).assemblies
    assert kumitate.read(write_of(red, tmp_path / "a.kumitate.json")).puzzle == red
    assert kumitate.read(write_of(red, tmp_path / "a.scad")).puzzle == red
    lost = write(Document(red), tmp_path / "a.xmpuzzle")
    assert "the colours chosen for bar are dropped" in lost
    with pytest.raises(kumitate.PuzzleError, match=r"the colour of shape 'bar' is 'red'; write it"):
        replace(bar, colour="red")
    with pytest.raises(kumitate.PuzzleError, match="3 colours for 2 pieces"):
        plain.problems[0].painted(["", "", ""])


def write_of(puzzle: Puzzle, path: Path) -> Path:
    assert write(Document(puzzle), path) == []
    return path
