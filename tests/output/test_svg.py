"""SVG documents: well formed, escaped, the same every time, and quick."""

import re
import subprocess
import sys
import time
from itertools import combinations, islice
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

import kumitate
from kumitate.library import library
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS, SPHERES
from kumitate.model.puzzle import Piece, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Levels, Move, Solution
from kumitate.output.facing import facing
from kumitate.output.scene import exploded, scene_of
from kumitate.output.svg import _cleared, exploded_svg, layers_svg, steps_svg, svg_of
from kumitate.search.assemble import assemble
from kumitate.search.solve import solve

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = Path(__file__).resolve().parents[3] / "shared/reference/burrtools-examples"

ROD = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")


def parsed(svg: str) -> Element:
    """The root of a document, after checks that hold for all of them."""
    root: Element = fromstring(svg)
    assert root.tag == f"{SVG}svg"
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert (root.attrib["width"], root.attrib["height"]) == (f"{width:.0f}", f"{height:.0f}")
    for word in ("nan", "inf", "<script", "href", "@import"):
        assert word not in svg.lower()
    for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", svg):
        assert -1 <= float(x) <= width + 1
        assert -1 <= float(y) <= height + 1
    return root


def words(root: Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", library)
def test_every_puzzle_of_the_library_is_drawn_in_time(name: str) -> None:
    puzzle = library[name]
    svg_of(library["slothouber-graatsma"])  # numpy and the tables of the grid
    facing.cache_clear()
    start = time.process_time()
    svg = svg_of(puzzle)
    assert time.process_time() - start < 0.5  # under 0.05 s on the machine this was written on
    told = words(parsed(svg))
    assert told[0] == puzzle.title
    assert all(any(shape.name in line for line in told) for shape in puzzle.shapes)


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_every_grid_is_drawn(grid: Grid) -> None:
    ends = [(0, 0, 0, 0), (2, 0, 1, 0)]
    parts = [Shape(grid, {end, *Shape(grid, {end}).neighbours(end)}) for end in ends]
    pieces = [Piece(part.named(name)) for part, name in zip(parts, "AB", strict=True)]
    problem = Problem(parts[0] | parts[1], pieces)
    assembly = Assembly(problem, [kumitate.Placement(n, 0, (0, 0, 0)) for n in range(2)])
    for svg in (svg_of(parts[0]), svg_of(assembly), exploded_svg(assembly), layers_svg(assembly)):
        root = parsed(svg)
        assert list(root.iter(f"{SVG}{'circle' if grid.balls else 'path'}"))


def test_names_are_escaped() -> None:
    bar = Shape.from_text(CUBES, "##", name="<b> & \x00\ud800 'c'")
    puzzle = Puzzle(CUBES, [bar], title='"<script>" & more')
    root = fromstring(svg_of(puzzle))
    assert words(root) == ['"<script>" & more', "<b> & \ufffd\ufffd 'c'"]
    svg_of(puzzle).encode("utf-8")


def test_a_sheet_tells_copies_and_keeps_goals_neutral() -> None:
    bar = Shape.from_text(CUBES, "##", name="bar")
    square = Shape.from_text(CUBES, "##/##", name="square")
    svg = svg_of(Puzzle(CUBES, [bar, square], [Problem(square, [Piece(bar, 2)])]))
    assert words(parsed(svg)) == ["bar × 2", "square"]


@pytest.mark.parametrize(
    "empty", [Puzzle(CUBES), Shape(CUBES, frozenset()), Shape(SPHERES, frozenset())]
)
def test_nothing_is_drawn_as_nothing(empty: Puzzle | Shape) -> None:
    parsed(svg_of(empty))


def test_what_is_no_puzzle_is_not_drawn() -> None:
    with pytest.raises(TypeError, match="int is not drawn"):
        svg_of(3)


def test_documents_are_the_same_every_time() -> None:
    for name in ("soma", "kanoodle-pyramid"):
        assembly = next(assemble(library[name].problems[0]))
        first = svg_of(assembly), exploded_svg(assembly), layers_svg(assembly)
        facing.cache_clear()
        assert (svg_of(assembly), exploded_svg(assembly), layers_svg(assembly)) == first


def test_a_solution_tells_its_level() -> None:
    assert words(parsed(svg_of(Solution(ROD, levels=Levels(7))))) == ["level 7"]
    assert words(parsed(svg_of(Solution(ROD)))) == []


def test_steps_show_every_move_and_its_words() -> None:
    apart = Disassembly([Move([1], (1, 0, 0), 1), Move([1], (1, 0, 0), None)])
    root = parsed(steps_svg(Solution(ROD, apart)))
    told = words(root)
    assert told[0] == "level 2"
    steps = " ".join(told[1:]).replace("\u00a0", " ")
    assert steps == "1. B slides 1 to the right 2. B slides out to the right"
    assert len(root.findall(f"{SVG}g")) == 3 + 1  # the start, two moves, the words


def test_a_burr_comes_apart_on_one_sheet() -> None:
    solution = next(solve(library["six-piece-burr"].problems[0]))
    assert solution.disassembly is not None
    told = words(parsed(steps_svg(solution)))
    numbers = [int(line.split(".")[0]) for line in told if re.match(r"\d+\. ", line)]
    assert numbers == list(range(1, solution.disassembly.levels.total + 1))


def test_layers_have_a_letter_for_each_piece() -> None:
    root = parsed(layers_svg(ROD))
    assert words(root) == ["A", "A", "A", "B", "A", "layer 1", "layer 2", "layer 3"]


def test_layers_are_seen_from_above() -> None:
    """The first row of the text is nearest to the eye, so it is lowest on the page."""
    root = parsed(layers_svg(Assembly.from_text(CUBES, "AA/.B")))
    [a, b] = [text for text in root.iter(f"{SVG}text") if text.text in ("A", "B")]
    assert float(a.attrib["y"]) > float(b.attrib["y"])
    assert float(a.attrib["x"]) <= float(b.attrib["x"])


def test_pieces_of_an_exploded_burr_are_clear_of_each_other() -> None:
    assembly = next(solve(library["six-piece-burr"].problems[0])).assembly
    [pose] = _cleared(exploded(scene_of(assembly))).poses
    places = [
        (number, [a + b for a, b in zip(cell, shift, strict=False)])
        for number, (shape, shift) in enumerate(zip(assembly.shapes, pose.shifts, strict=True))
        for cell in shape
    ]
    for (n, a), (m, b) in combinations(places, 2):
        assert n == m or max(abs(p - q) for p, q in zip(a, b, strict=True)) > 1
    parsed(exploded_svg(assembly))


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the examples of BurrTools are not here")
def test_the_examples_of_burrtools_are_drawn_in_time() -> None:
    paths = sorted(EXAMPLES.glob("*.xmpuzzle"))
    assert len(paths) > 10
    for path in paths:
        puzzle = kumitate.load(path)
        start = time.process_time()
        svg = svg_of(puzzle)
        assert time.process_time() - start < 2, path.name
        parsed(svg)


def test_balls_are_shaded_with_colours_of_their_own_document() -> None:
    for assembly in islice(assemble(library["kanoodle-pyramid"].problems[0]), 1):
        svg = svg_of(assembly)
        used = set(re.findall(r"url\(#([\w-]+)\)", svg))
        assert used == set(re.findall(r'<radialGradient id="([\w-]+)"', svg))
        assert len(used) == 12


def test_the_module_is_imported_without_numpy() -> None:
    code = "import sys, kumitate.output.svg; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
