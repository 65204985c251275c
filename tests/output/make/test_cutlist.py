"""Cut lists: whoever follows them has the piece, with its clearance, in his hands."""

import csv
from io import StringIO
from itertools import pairwise, product
from xml.etree.ElementTree import Element

import pytest
import resvg_py
from defusedxml.ElementTree import fromstring

from kumitate.library import library
from kumitate.model.burr_sticks import burr_stick
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES, PRISMS
from kumitate.model.puzzle import Piece, Problem
from kumitate.model.shape import Shape
from kumitate.output.make.cutlist import (
    Notch,
    Stick,
    cut_list,
    cut_list_csv,
    cut_list_text,
    stock_of,
)
from kumitate.output.make.stickplan import cut_list_svg

UNIT, INSET = 7.0, 0.25
FACES = {  # the axis that the tool enters along, from which end, and those of length and width
    "top": (2, True, 0, 1),
    "bottom": (2, False, 0, 1),
    "back": (1, True, 0, 2),
    "front": (1, False, 0, 2),
    "right end": (0, True, 1, 2),
    "left end": (0, False, 1, 2),
}


def box(stick: Stick, notch: Notch) -> list[tuple[float, float]]:
    """The ranges of x, y and z that a notch takes, read from the list alone."""
    into, far, length, width = FACES[notch.face]
    ranges = [(0.0, size) for size in stick.size]
    ranges[length] = notch.length or ranges[length]
    ranges[width] = notch.width or ranges[width]
    if notch.depth is not None:
        whole = stick.size[into]
        ranges[into] = (whole - notch.depth, whole) if far else (0.0, notch.depth)
    return ranges


def stays(stick: Stick, point: tuple[float, ...]) -> bool:
    """Whether a point of the stick is left when all notches are cut."""
    return not any(
        all(low < p < high for p, (low, high) in zip(point, box(stick, notch), strict=True))
        for notch in stick.notches
    )


def belongs(shape: Shape, point: tuple[float, ...]) -> bool:
    """Whether a point of the stick is that far from all that is not the piece."""
    nominal = [p + INSET for p in point]
    corners = product(*((n - INSET * 0.999, n + INSET * 0.999) for n in nominal))
    return all((*(int(c // UNIT) for c in corner), 0) in shape.cells for corner in corners)


SHAPES = [
    *(burr_stick(n) for n in (1, 18, 256, 792, 960, 1024, 1417, 1933, 2840, 88, 508, 1423, 1513)),
    *(piece.shape for piece in library["soma"].problems[0].pieces),
    *(piece.shape for piece in library["pentominoes"].problems[0].pieces),
    Shape.from_text(CUBES, "#####/#..../#####", name="fork"),
    Shape.from_text(CUBES, "### ### ###/#.# #.# #.#/### ### ###", name="tube"),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_what_the_notches_leave_is_the_piece_with_its_clearance(shape: Shape) -> None:
    [stick] = cut_list([shape], UNIT, INSET)
    assert stick.tool in ("saw", "mill")
    assert stick.shape.congruent(shape)
    middles = []
    for size in stick.size:
        marks = {0.0, size}
        marks |= {
            k * UNIT + d for k in range(9) for d in (-2 * INSET, 0) if 0 < k * UNIT + d < size
        }
        middles.append([(a + b) / 2 for a, b in pairwise(sorted(marks))])
    for point in product(*middles):
        assert stays(stick, point) == belongs(stick.shape, point), point


def test_the_tool_is_the_simplest_that_will_do() -> None:
    sticks = cut_list([burr_stick(n) for n in (256, 88, 2)])
    assert [stick.tool for stick in sticks] == ["saw", "mill", "glue"]
    assert not sticks[2].notches
    assert "2: 1 of 59.9 x 19.9 x 19.9 mm, glue it" in cut_list_text(sticks)


def test_a_sawn_notch_runs_right_across() -> None:
    for stick in cut_list(library["six-piece-burr"]):
        assert stick.tool == "saw"
        assert all(notch.width is None and notch.depth == 10 for notch in stick.notches)


def test_stock_is_counted_by_cross_section_with_a_saw_cut_each() -> None:
    bar = Shape.from_text(CUBES, "####", name="bar")
    goal = Shape.from_text(CUBES, "####/####/####/####")
    ell = Shape.from_text(CUBES, "###/#..", name="L")
    sticks = cut_list(Problem(goal, [Piece(bar, 2), Piece(ell, 2)]), unit=10, inset=0)
    assert [(s.section, s.sticks, s.length) for s in stock_of(sticks, kerf=2.5)] == [
        ((10, 10), 2, 2 * 42.5),
        ((20, 10), 2, 2 * 32.5),
    ]
    assert "stock 20 x 10 mm: 2 sticks, 65 mm in total, with 2.5 mm" in cut_list_text(sticks, 2.5)


def test_the_table_has_a_row_for_each_notch() -> None:
    sticks = cut_list([burr_stick(n) for n in (1, 792, 1423)])
    rows = list(csv.DictReader(cut_list_csv(sticks).splitlines()))
    assert [(row["piece"], row["face"]) for row in rows] == [
        ("1", ""),
        ("792", "top"),
        ("792", "back"),
        ("1423", "top"),
        ("1423", "top"),
        ("1423", "front"),
    ]
    numbers = ("from", "to", "across from", "across to", "depth")
    assert [float(rows[1][name]) for name in numbers] == [19.9, 40.0, 0.0, 19.9, 10.0]
    assert float(rows[5]["depth"]) == 19.9  # right through


def test_a_name_with_a_comma_stays_one_field() -> None:
    text = cut_list_csv(cut_list([Shape.from_text(CUBES, "##", name='a, "b"')]))
    assert next(csv.DictReader(text.splitlines()))["piece"] == 'a, "b"'


@pytest.mark.parametrize("inset", [5, 6, -0.1, float("nan")])
def test_clearance_is_less_than_half_a_cell(inset: float) -> None:
    with pytest.raises(PuzzleError, match="leaves nothing of a cell; choose 0 to less than 5 mm"):
        cut_list([burr_stick(1)], 10, inset)


def test_bad_lengths_are_told() -> None:
    with pytest.raises(PuzzleError, match="unit 0 mm; give more than 0"):
        cut_list([burr_stick(1)], 0)
    with pytest.raises(PuzzleError, match="kerf -1 mm; give 0 or more"):
        stock_of(cut_list([burr_stick(1)]), -1)
    with pytest.raises(PuzzleError, match="only pieces of cubes are cut from sticks"):
        cut_list([Shape.from_text(PRISMS, "#")])


def parts(page: Element, tag: str) -> list[Element]:
    return list(page.iter("{http://www.w3.org/2000/svg}" + tag))


def test_plans_show_four_sides_in_true_size() -> None:
    plan = cut_list_svg(cut_list([burr_stick(256)], unit=10, inset=0))
    page = fromstring(plan)
    assert page.get("width") == "210mm"
    assert (page.get("viewBox") or "").startswith("0 0 210 ")
    wood = [path.get("d") for path in parts(page, "path") if path.get("fill") == "#f6e7d0"]
    assert len(wood) == 2 + 3  # the two ends from above, and each other side
    assert "M0,20 60,20 60,0 0,0Z" in wood
    [notch] = [path.get("d") for path in parts(page, "path") if path.get("fill") == "url(#waste)"]
    assert notch == "M10,20 50,20 50,0 10,0Z"


def test_plans_are_drawn_and_are_the_same_when_repeated() -> None:
    sticks = cut_list(library["eighteen-piece-burr"])
    plan = cut_list_svg(sticks)
    assert plan == cut_list_svg(cut_list(library["eighteen-piece-burr"]))
    picture = bytes(resvg_py.svg_to_bytes(svg_string=plan, width=300, dpi=96))
    assert picture.startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@A1", " =1", "|x", "%x", "\tx"])
def test_a_name_is_no_formula_in_a_spreadsheet(name: str) -> None:
    [_, row] = csv.reader(StringIO(cut_list_csv(cut_list([burr_stick(1).named(name)]))))
    assert row[0] == f"'{name}"


def test_a_name_never_ends_a_row() -> None:
    [_, row] = csv.reader(StringIO(cut_list_csv(cut_list([burr_stick(1).named("a\rb\nc")]))))
    assert row[0] == "a b\nc"


def test_a_plain_name_stays_as_it_is() -> None:
    [_, row] = csv.reader(StringIO(cut_list_csv(cut_list([burr_stick(1).named("#2 a-b")]))))
    assert row[0] == "#2 a-b"
