"""Sheets for laser cutters, judged by other programs: shapely, ezdxf, an XML reader, resvg."""

from io import BytesIO, StringIO
from itertools import combinations, pairwise
from math import sqrt

import ezdxf
import pytest
import resvg_py
from defusedxml.ElementTree import fromstring
from ezdxf.document import Drawing
from ezdxf.entities.polyline import Polyline
from PIL import Image
from shapely import LineString, Polygon  # type: ignore[import-untyped]
from tests.samples import SAMPLES

from kumitate.designer.polyforms import polyforms
from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS, HEXAGONS, PRISMS
from kumitate.model.puzzle import Piece, Problem
from kumitate.model.shape import Shape
from kumitate.output.make.outline import Loop
from kumitate.output.make.sheets import Part, Sheet, sheets, to_dxf, to_svg

CELL = {"cubes": 1.0, "prisms": sqrt(3) / 4, "hexagons": sqrt(3) / 2}
FLAT = [CUBES, PRISMS, HEXAGONS]


def polygon(part: Part) -> Polygon:
    outer, *holes = part.loops
    return Polygon(outer, holes)


def parts_of(*shapes: Shape, **options: float) -> list[Part]:
    made = sheets(shapes, **{"inset": 0.0, "kerf": 0.0, "unit": 10.0, **options})  # type: ignore[arg-type]
    return [part for sheet in made for part in sheet.parts]


def perimeter(loop: Loop) -> float:
    return sum(sqrt((a - c) ** 2 + (b - d) ** 2) for (a, b), (c, d) in pairwise((*loop, loop[0])))


@pytest.mark.parametrize("grid", FLAT, ids=lambda grid: grid.name)
def test_an_outline_has_the_area_of_its_cells(grid: Grid) -> None:
    for shape in polyforms(grid, 6, mirrors=True, flat=True):
        [part] = parts_of(shape)
        assert polygon(part).is_valid
        assert polygon(part).area == pytest.approx(600 * CELL[grid.name])


def test_an_outline_is_not_a_square_for_each_cell() -> None:
    [bar] = parts_of(Shape.from_text(CUBES, "#####"))
    assert bar.loops == (((2, 2), (52, 2), (52, 12), (2, 12)),)


@pytest.mark.parametrize(("inset", "kerf"), [(0.3, 0.0), (0.0, 0.4), (0.1, 0.15), (2.0, 0.2)])
def test_sides_move_in_by_the_inset_and_out_by_half_the_kerf(inset: float, kerf: float) -> None:
    by = inset - kerf / 2
    for shape in polyforms(CUBES, 5, mirrors=True, flat=True):
        [plain] = parts_of(shape)
        [part] = parts_of(shape, inset=inset, kerf=kerf)
        # A corner more outwards than inwards for each quarter of a turn: four in all.
        area = 500 - by * perimeter(plain.loops[0]) + 4 * by * by
        assert polygon(part).area == pytest.approx(area)


@pytest.mark.parametrize("grid", FLAT, ids=lambda grid: grid.name)
def test_slanted_sides_move_as_far_as_straight_ones(grid: Grid) -> None:
    for shape in polyforms(grid, 5, mirrors=True, flat=True):
        [plain], [part] = parts_of(shape), parts_of(shape, inset=0.5)
        mitred = polygon(plain).buffer(-0.5, join_style="mitre", mitre_limit=10)
        assert polygon(part).area == pytest.approx(mitred.area)
        assert polygon(part).is_valid


def test_a_ring_has_a_hole_that_grows_with_the_inset() -> None:
    [part] = parts_of(Shape.from_text(CUBES, "###/#.#/###"), inset=0.5)
    outer, hole = part.loops
    assert Polygon(outer).area == pytest.approx(29**2)
    assert Polygon(hole).area == pytest.approx(11**2)


STRIP = {(x, y, 0, tile) for x in range(4) for y in range(2) for tile in (0, 1)}


@pytest.mark.parametrize(
    "shape",
    [
        Shape.from_text(CUBES, "####/#..#/#.#./####"),
        Shape(PRISMS, STRIP - {(1, 0, 0, 1)}),  # two triangles touch below the missing one
    ],
)
def test_cells_that_touch_at_a_corner_come_apart_there(shape: Shape) -> None:
    assert shape.connected
    [plain], [part] = parts_of(shape), parts_of(shape, inset=0.4)
    assert len(part.loops) == 1  # what would be a hole is open there
    assert len(set(plain.loops[0])) < len(plain.loops[0])
    assert polygon(part).is_valid
    slow = Polygon(plain.loops[0]).buffer(0)  # shapely sees the hole
    shrunk = slow.buffer(-0.4, join_style="mitre", mitre_limit=10)
    assert polygon(part).area == pytest.approx(shrunk.area)


def test_a_piece_of_several_layers_is_cut_layer_by_layer() -> None:
    tower = Shape.from_text(CUBES, "## ##/## #./## #.", name="P")
    parts = parts_of(tower)
    assert sorted((part.name, polygon(part).area) for part in parts) == [
        ("P 1/2", pytest.approx(600)),
        ("P 2/2", pytest.approx(400)),
    ]


def test_a_piece_that_stands_is_laid_flat() -> None:
    standing = Shape(CUBES, {(0, 0, z, 0) for z in range(4)} | {(0, 1, 0, 0)}, name="L")
    [part] = parts_of(standing)
    assert part.name == "L"
    assert polygon(part).area == pytest.approx(500)


def test_parts_lie_apart_on_the_sheet() -> None:
    made = sheets(library["pentominoes"].problems[0], gap=3, kerf=0.2)
    for sheet in made:
        for part in sheet.parts:
            left, low, right, high = polygon(part).bounds
            assert min(left, low) > 3 - 1e-6
            assert right < 300 - 3 + 1e-6
            assert high < 200 - 3 + 1e-6
        for a, b in combinations(sheet.parts, 2):
            assert polygon(a).distance(polygon(b)) > 3 - 1e-6


def test_names_are_engraved_within_their_parts() -> None:
    problem = library["pentominoes"].problems[0]
    named = [piece.shape.named(f"{piece.shape.name}-pentomino") for piece in problem.pieces]
    hexes = [shape.named(f"hex {n}") for n, shape in enumerate(polyforms(HEXAGONS, 4, flat=True))]
    for part in parts_of(*named) + parts_of(*hexes):
        assert part.engraving
        for stroke in part.engraving:
            assert polygon(part).contains(LineString(stroke))


def test_every_copy_is_cut() -> None:
    [shape, goal] = library["y25"].shapes
    names = [part.name for sheet in sheets(library["y25"], wall=0) for part in sheet.parts]
    assert names == [shape.name] * 25
    assert len(goal) == 125


def test_a_tray_has_the_goal_as_its_hole_and_a_base() -> None:
    problem = library["pentominoes"].problems[0]
    made = sheets(problem, unit=10, kerf=0, wall=12)
    trays = [part for sheet in made for part in sheet.parts if ":" in part.name]
    frame, base = sorted(trays, key=lambda part: -len(part.loops))
    assert sorted(frame.size) == sorted(base.size) == [84, 124]
    assert Polygon(frame.loops[1]).area == pytest.approx(6000)
    assert len(base.loops) == 1


def test_a_box_of_three_layers_gets_three_frames() -> None:
    parts = [part for sheet in sheets(library["soma"]) for part in sheet.parts]
    assert sum(part.name.endswith("frame") for part in parts) == 3
    assert sum(part.name.endswith("base") for part in parts) == 1


def test_a_hole_in_the_goal_is_an_island_in_the_tray() -> None:
    ring = Shape.from_text(CUBES, "###/#.#/###", name="ring")
    bar = Shape.from_text(CUBES, "####", name="bar")
    [sheet] = sheets(Problem(ring, [Piece(bar, 2)]), unit=10, kerf=0.2)
    [island] = [part for part in sheet.parts if part.name == "ring: island"]
    assert island.size == pytest.approx((10.2, 10.2))


def test_a_goal_that_nothing_drops_into_has_no_tray() -> None:
    parts = [part for sheet in sheets(library["eighteen-piece-burr"]) for part in sheet.parts]
    assert not any(":" in part.name for part in parts)


# ---- files ----


def read(sheet: Sheet) -> Drawing:
    drawing = ezdxf.read(StringIO(to_dxf(sheet)))  # type: ignore[attr-defined]
    assert isinstance(drawing, Drawing)
    return drawing


@pytest.mark.parametrize("name", ["pentominoes", "soma", "slothouber-graatsma"])
def test_ezdxf_reads_the_same_areas(name: str) -> None:
    for sheet in sheets(library[name].problems[0]):
        drawing = read(sheet)
        auditor = drawing.audit()
        assert not auditor.errors
        assert not auditor.fixes
        assert drawing.units == ezdxf.units.MM
        lines = [e for e in drawing.modelspace() if isinstance(e, Polyline)]
        cut = [e for e in lines if e.dxf.layer == "CUT"]
        assert all(e.is_closed for e in cut)
        areas = [Polygon([(p.x, p.y) for p in e.points()]).area for e in cut]
        wanted = [Polygon(loop).area for part in sheet.parts for loop in part.loops]
        assert sorted(areas) == pytest.approx(sorted(wanted), abs=0.05)
        engraved = [e for e in lines if e.dxf.layer == "ENGRAVE"]
        assert len(engraved) == sum(len(part.engraving) for part in sheet.parts)
        assert not any(e.is_closed for e in engraved)
        assert len(lines) == len(drawing.modelspace())


def test_dxf_layers_have_the_colours_of_laser_cutters() -> None:
    [sheet] = sheets([Shape.from_text(CUBES, "##", name="a")])
    layers = read(sheet).layers
    assert layers.get("CUT").color == 1  # red
    assert layers.get("ENGRAVE").color == 5  # blue


def test_holes_are_cut_before_what_holds_them() -> None:
    [sheet] = sheets([Shape.from_text(CUBES, "###/#.#/###")])
    cut = [e for e in read(sheet).modelspace() if e.dxf.layer == "CUT"]
    hole, outer = (Polygon([(p.x, p.y) for p in e.points()]).area for e in cut)  # type: ignore[attr-defined]
    assert hole < outer


def test_svg_is_in_millimetres_with_red_cuts_and_blue_names() -> None:
    sheet = sheets(library["pentominoes"].problems[0], size=(250, 180))[0]
    page = fromstring(to_svg(sheet))
    assert (page.get("width"), page.get("height")) == ("250mm", "180mm")
    assert page.get("viewBox") == "0 0 250 180"
    groups = {group.get("id"): group for group in page}
    assert groups["cut"].get("stroke") == "#ff0000"
    assert groups["engrave"].get("stroke") == "#0000ff"
    assert len(groups["cut"]) == len(sheet.parts)
    assert float(groups["cut"].get("stroke-width") or 1) < 0.0254  # a thousandth of an inch


def test_svg_shows_what_it_says() -> None:
    [sheet] = sheets(
        [Shape.from_text(CUBES, "#", name="I")], unit=20, size=(30, 30), inset=0, kerf=0
    )
    drawn = resvg_py.svg_to_bytes(svg_string=to_svg(sheet, line=0.4), width=300, dpi=96)
    picture = Image.open(BytesIO(bytes(drawn))).convert("RGBA")
    assert picture.getpixel((20, 180)) == (255, 0, 0, 255)  # the left side, 2 mm from the edge
    assert picture.getpixel((120, 180)) == (0, 0, 255, 255)  # the I in the middle
    assert picture.getpixel((250, 50)) == (0, 0, 0, 0)


def test_names_may_hold_anything() -> None:
    wild = Shape.from_text(CUBES, "##", name='<a & "b">\x00\n')
    [sheet] = sheets([wild])
    page = fromstring(to_svg(sheet))
    titles = {title.text for title in page.iter("{http://www.w3.org/2000/svg}title")}
    assert titles == {'<a & "b">'}
    assert not read(sheet).audit().errors


def test_files_are_the_same_when_repeated() -> None:
    for name in ("iq-puzzler-pro", "bedlam"):
        first, again = sheets(library[name]), sheets(library[name])
        assert list(map(to_svg, first)) == list(map(to_svg, again))
        assert list(map(to_dxf, first)) == list(map(to_dxf, again))


@pytest.mark.parametrize("name", SAMPLES)
def test_every_puzzle_is_cut_or_says_why_not(name: str) -> None:
    puzzle = library[name]
    if puzzle.grid not in (*FLAT, library["tangram"].grid):
        with pytest.raises(PuzzleError, match="cannot be cut from sheets; cubes, prisms and hexag"):
            sheets(puzzle)
        return
    made = sheets(puzzle.problems[0], unit=8, size=(600, 400), wall=5)
    for sheet in made:
        assert all(polygon(part).is_valid for part in sheet.parts)


# ---- slips ----


@pytest.mark.parametrize("name", sorted(set(GRIDS) - {g.name for g in FLAT}))
def test_grids_without_layers_are_refused(name: str) -> None:
    with pytest.raises(PuzzleError, match="cubes, prisms and hexagons can"):
        sheets([Shape(GRIDS[name], {(0, 0, 0, 0)})])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"inset": 6}, "inset 6 mm leaves nothing of a cell; choose less than 5 mm"),
        ({"inset": float("nan")}, "inset nan mm; give 0 or more"),
        ({"kerf": -1}, "kerf -1 mm; give 0 or more"),
        ({"kerf": 11}, "half the kerf 5.5 mm leaves nothing of a cell"),
        ({"unit": 0}, "unit 0 mm; give more than 0"),
        ({"unit": 200}, "part 'long' is 600.0 x 200.0 mm, too large for a sheet of 300 x 200 mm"),
    ],
)
def test_slips_are_told_in_one_line(options: dict[str, float], words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        parts_of(Shape.from_text(CUBES, "###", name="long"), **options)


def test_a_piece_in_two_parts_cannot_be_cut() -> None:
    with pytest.raises(PuzzleError, match="piece 'two' falls into 2 parts"):
        sheets([Shape.from_text(CUBES, "#.#", name="two")])
