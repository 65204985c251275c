"""SVG documents: well formed, escaped, the same every time, and quick."""

import re
import subprocess
import sys
import time
from dataclasses import replace
from itertools import combinations, islice, product
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

import kumitate
from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS, PRISMS, RHOMBS, SPHERES, TETROCTS
from kumitate.model.puzzle import Piece, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Levels, Move, Solution
from kumitate.output.draw.compass import compass
from kumitate.output.draw.drawing import draw
from kumitate.output.draw.explode import cleared, exploded
from kumitate.output.draw.layers import FLAT, STACKED, layers_svg
from kumitate.output.draw.marks import FAINT, Line, dark, mixed
from kumitate.output.draw.pictures import exploded_svg, steps_svg, svg_of
from kumitate.output.draw.visible_faces import facing
from kumitate.output.scene import scene_of
from kumitate.search.assemble import assemble
from kumitate.search.solve import solve

SVG = "{http://www.w3.org/2000/svg}"

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
    text = " ".join(told)  # long names are on several lines
    assert [shape.name for shape in puzzle.shapes if shape.name not in text] == []


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
    bar = Shape.from_text(CUBES, "##", name="<b> & \x00\x01 'c'")
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
    assert steps == "1. B slides 1 to the right 2. B slides out to the right right front up"
    assert len(root.findall(f"{SVG}g")) == 3 + 1  # the start, two moves, the words


def test_a_burr_comes_apart_on_one_sheet() -> None:
    solution = next(solve(library["six-piece-burr"].problems[0], disassemble=True))
    assert solution.disassembly is not None
    told = words(parsed(steps_svg(solution)))
    numbers = [int(line.split(".")[0]) for line in told if re.match(r"\d+\. ", line)]
    assert numbers == list(range(1, solution.disassembly.levels.total + 1))


def test_layers_have_a_letter_for_each_piece() -> None:
    root = parsed(layers_svg(ROD))
    told = words(root)
    assert told[:8] == ["A", "A", "A", "B", "A", "layer 1", "layer 2", "layer 3"]
    assert " ".join(told[8:]) == STACKED


def test_a_flat_assembly_is_one_large_layer_without_a_number() -> None:
    flat, solid = (layers_svg(Assembly.from_text(CUBES, text)) for text in ("AAB", "AAB AAB"))
    assert words(parsed(flat)) == ["A", "B", FLAT]
    assert float(parsed(flat).attrib["width"]) > 0.8 * float(parsed(solid).attrib["width"])


def test_layers_are_as_the_text_shows_them() -> None:
    """Not its mirror image: columns to the right, rows downwards, the lowest layer first."""
    assembly = next(assemble(library["soma"].problems[0]))
    seen: list[list[str]] = []
    layers = layers_svg(assembly).split("<g ")[1:-1]
    colours = {who.letter: who.colour for who in assembly.identities}
    letters = {mixed(colour, "#ffffff", 0.12): letter for letter, colour in colours.items()}
    for layer in layers:
        tiles = re.findall(r'<path d="M([^"]*)Z" fill="(#\w+)"', layer)
        corners = {
            min((float(y), float(x)) for x, y in (spot.split() for spot in way.split("L"))): fill
            for way, fill in tiles
        }
        row = [letters[corners[at]] for at in sorted(corners)]
        seen.append(["".join(row[n : n + 3]) for n in (0, 3, 6)])
    assert [" ".join(rows) for rows in zip(*seen, strict=True)] == [
        " ".join(line.split()) for line in str(assembly).splitlines()
    ]


def test_a_layer_picture_says_which_piece_a_letter_is() -> None:
    bar = Shape.from_text(CUBES, "##", name="bar")
    one = Shape.from_text(CUBES, "#", name="one")
    goal = Shape.from_text(CUBES, "#####")
    both = next(assemble(Problem(goal, [Piece(bar, 2), Piece(one)])))
    for words in ("A\u00a0=\u00a0bar.1", "B\u00a0=\u00a0bar.2", "C\u00a0=\u00a0one"):
        assert words in layers_svg(both)
    alike = next(assemble(Problem(Shape.from_text(CUBES, "####"), [Piece(bar, 2)])))
    for plain in (alike, ROD):
        assert "\u00a0=\u00a0" not in layers_svg(plain)


def test_a_sheet_names_and_colours_pieces_as_an_assembly_does() -> None:
    """Also if the goal comes first and nothing has a name."""
    goal, bar, ell = (Shape.from_text(CUBES, text) for text in ("###/###", "#", "###/##."))
    loose = Shape.from_text(CUBES, "#####")
    problem = Problem(goal, [Piece(bar), Piece(ell)])
    puzzle = Puzzle(CUBES, [goal, loose, ell, bar], [problem])
    assert [puzzle.label(n) for n in range(4)] == ["S1", "S2", "S3", "S4"]
    scene = scene_of(next(assemble(puzzle.problems[0])))
    assert [(body.name, body.colour) for body in scene.bodies] == [
        (puzzle.label(n), puzzle.colour(n)) for n in (3, 2)
    ]
    drawn = svg_of(puzzle)
    words = [text.text for text in parsed(drawn).iter(f"{SVG}text")]
    assert words == ["S1", "S2", "S3", "S4"]
    assert dark(puzzle.colour(2)) in drawn


def test_a_title_may_stand_in_the_comment() -> None:
    burr = Puzzle(CUBES, [Shape.from_text(CUBES, "#")], comment="Name: Pelikan\nDesigner: Dic S.")
    words = [text.text for text in parsed(svg_of(burr)).iter(f"{SVG}text")]
    assert words == ["Pelikan", "by Dic S.", "S1"]
    assert Puzzle(CUBES, comment="Ten Yen\nvery nice").called == "Ten Yen"
    assert Puzzle(CUBES, comment="Designed by: Coffin").called == ""
    assert Puzzle(CUBES, title="A", comment="Name: B").called == "A"


def test_a_tower_keeps_its_proportions() -> None:
    """Its longer side is as long as that of any large picture."""
    root = parsed(svg_of(Shape.from_text(CUBES, " ".join("#" * 30))))
    assert (root.attrib["width"], root.attrib["height"]) == ("30", "372")


def test_pieces_of_an_exploded_burr_are_clear_of_each_other() -> None:
    assembly = next(solve(library["six-piece-burr"].problems[0], disassemble=True)).assembly
    [pose] = cleared(exploded(scene_of(assembly))).poses
    places = [
        (number, [a + b for a, b in zip(cell, shift, strict=False)])
        for number, (shape, shift) in enumerate(zip(assembly.shapes, pose.shifts, strict=True))
        for cell in shape
    ]
    for (n, a), (m, b) in combinations(places, 2):
        assert n == m or max(abs(p - q) for p, q in zip(a, b, strict=True)) > 1
    parsed(exploded_svg(assembly))


@pytest.mark.parametrize("grid", [PRISMS, RHOMBS, TETROCTS], ids=lambda grid: grid.name)
def test_puzzles_of_other_grids_are_drawn_in_time(grid: Grid) -> None:
    block = [
        (x, y, z, t) for x, y, z in product(range(4), repeat=3) for t in range(len(grid.tiles))
    ]
    some = [Shape(grid, set(block[n::7] + block[: 5 * n])) for n in range(1, 10)]
    start = time.process_time()
    svg = svg_of(Puzzle(grid, some))
    assert time.process_time() - start < 4
    parsed(svg)


def test_balls_are_shaded_with_colours_of_their_own_document() -> None:
    for assembly in islice(assemble(library["kanoodle-pyramid"].problems[0]), 1):
        svg = svg_of(assembly)
        used = set(re.findall(r"url\(#([\w-]+)\)", svg))
        assert used == set(re.findall(r'<radialGradient id="([\w-]+)"', svg))
        assert len(used) == 12


def test_the_module_is_imported_without_numpy() -> None:
    code = "import sys, kumitate.output.draw.svg; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("far", [10**9 + 1, -(2 * 10**9)])
def test_what_lies_too_far_away_is_refused(far: int) -> None:
    shape = Shape(CUBES, {(0, far, 0, 0)}, name="far")
    problem = Problem(shape, [Piece(shape)])
    lying = Assembly(problem, [kumitate.Placement(0, 0, (0, 0, 0))])
    with pytest.raises(PuzzleError, match="shape 'far': a cell is more than 1,000,000,000 from"):
        svg_of(shape)
    for shown in (svg_of, layers_svg, exploded_svg):
        with pytest.raises(PuzzleError, match="more than 1,000,000,000 from the origin"):
            shown(lying)
    with pytest.raises(PuzzleError, match="more than 1,000,000,000 from the origin"):
        svg_of(problem)


def test_what_lies_far_away_is_drawn_as_if_near() -> None:
    near = Shape.from_text(CUBES, "##/#.")
    for by in ((10**6, 0, 0), (0, -(10**9) + 2, 10**9 - 2)):
        assert svg_of(near.shifted(by)) == svg_of(near)


def test_lines_between_cells_are_for_cubes_only() -> None:
    """Between smaller cells of many kinds they only distract."""
    faint = f'stroke-opacity="{FAINT[1]}"'
    assert faint in svg_of(Shape.from_text(CUBES, "##"))
    for grid in (PRISMS, RHOMBS, TETROCTS):
        cell = (0, 0, 0, 0)
        pair = Shape(grid, {cell, next(Shape(grid, {cell}).neighbours(cell))})
        assert faint not in svg_of(pair)


@pytest.mark.parametrize("grid", GRIDS.values(), ids=str)
def test_the_compass_points_where_moves_go(grid: Grid) -> None:
    """Its arrows run as bodies of a scene do when they slide to the right, to the front and up."""
    arrows = [mark for mark in compass(grid, (0, 0), 1, 1, "#000000") if isinstance(mark, Line)]
    cell = Shape(grid, {(0, 0, 0, 0)})
    here = draw(scene_of(cell))
    for arrow, way in zip(arrows, ((1, 0, 0), (0, -1, 0), (0, 0, 1)), strict=True):
        pose = replace(scene_of(cell).poses[0], shifts=(way,))
        moved = draw(scene_of(cell), pose)
        shift = [b - a for a, b in zip(here.low, moved.low, strict=True)]
        assert arrow.strokes[0][1] == pytest.approx(shift)
    right, front, up = (arrow.strokes[0][1] for arrow in arrows)
    assert right[0] > 0
    assert front[0] < 0 < front[1]  # to the lower left
    assert up[1] < 0
