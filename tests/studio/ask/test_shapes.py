"""Shapes are changed, read, described and drawn; a changed shape stays about where it was."""

import re
import xml.etree.ElementTree as tree

import pytest

from kumitate import CUBES, Grid, PuzzleError, Shape, library
from kumitate.burr6 import burr_stick
from kumitate.files.document import MOST_CELLS
from kumitate.grids import GRIDS, ORTHOSCHEMES, PRISMS, SPHERES, TETROCTS, recast
from kumitate.studio.ask.codec import key_of, shape_data, shape_of
from kumitate.studio.ask.facts import facts, hollows
from kumitate.studio.ask.shapes import change, describe, draw, read, shrunk
from kumitate.studio.messages import Axis, ChangeRequest, ShapeData, ShapeRequest, TextRequest

each_grid = pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)


def crooked(grid: Grid) -> Shape:
    """A shape without symmetry, away from the origin, with optional and coloured cells."""
    cells = {(5, 0, 2, 0), (6, 0, 2, 0), (7, 0, 2, 0), (5, 1, 2, 0), (5, 0, 3, 0), (5, -1, 3, 0)}
    return Shape(grid, cells, {(7, 0, 2, 0)}, {(5, 1, 2, 0): 3}, "crooked", 7)


def changed(shape: Shape, **how: object) -> Shape:
    request = ChangeRequest(key_of(shape.grid), shape_data(shape, 4), **how)  # type: ignore[arg-type]
    data = change(request)
    assert data.id == 4
    return shape_of(shape.grid, data)


# ---- changing ----


@each_grid
@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_turning_all_the_way_round_gives_back_the_very_same_cells(grid: Grid, axis: Axis) -> None:
    shape = crooked(grid)
    turned = changed(shape, how="turn", axis=axis)
    assert turned != shape
    assert turned.congruent(shape)
    assert changed(turned, how="turn", axis=axis, back=True) == shape
    times = 1
    while turned != shape:
        turned = changed(turned, how="turn", axis=axis)
        times += 1
    assert times in (2, 4, 6)


@each_grid
@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_mirror_image_of_the_mirror_image_is_the_shape(grid: Grid, axis: Axis) -> None:
    shape = crooked(grid)
    image = changed(shape, how="mirror", axis=axis)
    assert image.congruent(shape, mirrors=True)
    assert changed(image, how="mirror", axis=axis) == shape


def test_a_quarter_about_z_goes_from_x_to_y() -> None:
    bar = Shape.from_text(CUBES, "###")
    assert changed(bar, how="turn", axis="z").size == (1, 3, 1)
    assert changed(bar, how="turn", axis="y").size == (1, 1, 3)
    assert changed(bar, how="turn", axis="x").size == (3, 1, 1)
    ell = Shape.from_text(CUBES, "###/#..")  # its short leg points to +y; then to -x
    assert str(changed(ell, how="turn", axis="z")) == "##\n.#\n.#"


def test_a_shape_stays_about_where_it_was() -> None:
    far = Shape.from_text(CUBES, "#####", at=(100, 200, 300))
    for axis in ("x", "y", "z"):
        turned = changed(far, how="turn", axis=axis)
        for cell in turned:
            assert all(abs(a - b) <= 3 for a, b in zip(cell, (102, 200, 300), strict=False))


@pytest.mark.parametrize("grid", [CUBES, PRISMS, TETROCTS, ORTHOSCHEMES], ids=lambda g: g.name)
@pytest.mark.parametrize("by", [2, 3])
def test_scaling_up_and_shrinking_gives_back_the_very_same_cells(grid: Grid, by: int) -> None:
    shape = crooked(grid)
    large = changed(shape, how="scale", by=by)
    assert len(large) == len(recast(shape, grid, by))
    assert changed(large, how="shrink") == shape


def test_shrinking_takes_the_largest_scale() -> None:
    cube = recast(Shape.from_text(CUBES, "##"), CUBES, 6)
    assert len(shrunk(cube)) == 2


@pytest.mark.parametrize("text", ["#", "###", "##/##", "##  ##/##  #."])
def test_what_is_no_larger_shape_does_not_shrink(text: str) -> None:
    with pytest.raises(PuzzleError, match="is not 2, 3 or more times a smaller shape"):
        changed(Shape.from_text(CUBES, text), how="shrink")


def test_cells_of_two_kinds_are_not_joined() -> None:
    whole = recast(Shape.from_text(CUBES, "##"), CUBES, 2)
    loose = Shape(CUBES, whole.cells, {min(whole.cells)})
    with pytest.raises(PuzzleError, match="smaller shape"):
        shrunk(loose)


@pytest.mark.parametrize("grid", [SPHERES, GRIDS["hexagons"]], ids=lambda g: g.name)
def test_what_cannot_be_scaled_is_said(grid: Grid) -> None:
    with pytest.raises(PuzzleError, match="cannot be scaled by 2"):
        changed(crooked(grid), how="scale", by=2)
    with pytest.raises(PuzzleError, match="smaller shape"):
        changed(crooked(grid), how="shrink")


def test_a_shape_does_not_grow_beyond_all_bounds() -> None:
    large = Shape(CUBES, {(x, y, 0, 0) for x in range(100) for y in range(100)})
    with pytest.raises(PuzzleError, match="would have more than 100,000 cells"):
        changed(large, how="scale", by=10)


def test_shrinking_a_large_solid_is_quick() -> None:
    """A box that is no multiple of a smaller one: each of its cells is visited only a few times."""
    box = Shape(CUBES, {(x, y, z, 0) for x in range(23) for y in range(19) for z in range(29)})
    with pytest.raises(PuzzleError, match="smaller shape"):
        shrunk(box)


@each_grid
def test_at_the_origin_a_shape_is_what_its_text_says(grid: Grid) -> None:
    shape = changed(crooked(grid), how="origin")
    assert shape == Shape.from_text(grid, str(shape), name="crooked", weight=7)


def test_nothing_changed_is_nothing() -> None:
    for how in ("turn", "mirror", "scale", "shrink", "origin"):
        assert not changed(Shape(CUBES, set(), name="empty"), how=how).cells


# ---- reading ----


def shapes(text: str, grid: Grid = CUBES, name: str = "") -> list[Shape]:
    data = read(TextRequest(key_of(grid), text, name))
    assert [shape.id for shape in data.shapes] == list(range(len(data.shapes)))
    return [shape_of(grid, shape) for shape in data.shapes]


@each_grid
def test_text_gives_the_shape_that_it_draws(grid: Grid) -> None:
    shape = changed(crooked(grid), how="origin")
    [found] = shapes(str(shape), grid, "mine")
    assert found.cells == shape.cells
    assert (found.optional, found.colours, found.name) == (shape.optional, shape.colours, "mine")


@pytest.mark.parametrize("text", ["1024, 88 52", "1024\n88;52", " 1024,88,,52 "])
def test_whole_numbers_are_burr_sticks(text: str) -> None:
    assert shapes(text) == [burr_stick(1024), burr_stick(88), burr_stick(52)]


@pytest.mark.parametrize(
    ("text", "grid", "words"),
    [
        ("", CUBES, "the text is empty; draw layers with # and ., or list burr numbers"),
        ("  \n ", CUBES, "the text is empty"),
        ("...", CUBES, "the text draws no cell"),
        ("#?#", CUBES, "row 1 has '?', which is not a valid symbol"),
        ("## ##/#", CUBES, "row 2 shows 1 layers, row 1 shows 2"),
        ("1024", PRISMS, "burr numbers are for sticks of cubes, but this grid is 'prisms'"),
        ("0", CUBES, "there is no burr stick 0"),
        ("99999", CUBES, "there is no burr stick 99999; their numbers are 1 to 65536"),
        ("9" * 5000, CUBES, "there is no burr stick 999999999"),
        ("1 " * 501, CUBES, "501 burr numbers are too many; the limit is 500"),
        (".#", SPHERES, "has no cell at column 2, row 1, layer 1"),
        ("#" * 100_001, CUBES, "more than 100,000"),
    ],
)
def test_text_that_means_nothing_is_one_clear_line(text: str, grid: Grid, words: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        shapes(text, grid)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


# ---- describing ----


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", ["No cells yet."]),
        ("#", ["1 cell, connected, looks the same in 24 orientations.", "Can be sawn."]),
        ("#.#", ["2 cells, in 2 parts, looks the same in 8 orientations."]),
        (
            "##. .#./#.. ...",
            [
                "4 cells, connected, looks the same in 2 orientations.",
                "Its mirror image is a different shape.",
                "Can be sawn.",
            ],
        ),
        ("#++/#..", ["4 cells, connected, mirror-symmetric.", "2 cells optional."]),
        (
            "#ab/#..",
            [
                "4 cells, connected, mirror-symmetric.",
                "2 cells coloured, in 2 colours.",
                "Can be sawn.",
            ],
        ),
        ("###/#..", ["4 cells, connected, mirror-symmetric.", "Can be sawn."]),
        (
            "### .#./#.. ...",
            [
                "5 cells, connected, no symmetry.",
                "Its mirror image is a different shape.",
                "Can be sawn.",
            ],
        ),
        (
            "###/#.#/###",
            [
                "8 cells, connected, looks the same in 8 orientations.",
                "A hole goes through it.",
                "Can be milled.",
            ],
        ),
        (
            "#####/#.#.#/#####",
            [
                "13 cells, connected, looks the same in 4 orientations.",
                "2 holes go through it.",
                "Can be milled.",
            ],
        ),
        (
            "### ### ###/### #.# ###/### ### ###",
            [
                "26 cells, connected, looks the same in 24 orientations.",
                "It encloses a hollow.",
                "Must be glued.",
            ],
        ),
    ],
)
def test_facts_are_sentences(text: str, sentences: list[str]) -> None:
    shape = Shape.from_text(CUBES, text)
    data = describe(ShapeRequest("cubes", shape_data(shape, 0)))
    assert data.sentences == sentences
    assert data.text == str(shape)
    assert data.size == shape.size


def test_burr_sticks_are_known_by_their_numbers() -> None:
    assert facts(burr_stick(1024))[1:] == [
        "Burr stick 1024 in von Känel's numbering.",
        "Can be sawn.",
    ]
    assert facts(burr_stick(88))[1] == (
        "Burr stick 88 in von Känel's numbering; its mirror image is 118."
    )
    assert facts(burr_stick(118))[1] == (
        "Burr stick 118 in von Känel's numbering; its mirror image is 88."
    )


def plain_holes(shape: Shape) -> tuple[int, int]:
    """The tunnels and hollows of a shape of cubes, by the Euler number of the solid.

    The slow twin: shrink every cube a little and join it to its neighbours with bars, plates and
    blocks. The result is topologically the same, and its Euler number is counted part by part.
    """
    at = {cell[:3] for cell in shape.cells}
    low = [min(p[i] for p in at) - 1 for i in range(3)]
    high = [max(p[i] for p in at) + 2 for i in range(3)]
    box = {
        (x, y, z)
        for x in range(low[0], high[0])
        for y in range(low[1], high[1])
        for z in range(low[2], high[2])
    }

    def blocks(size: tuple[int, int, int]) -> int:
        spans = [
            [
                (x + i, y + j, z + k)
                for i in range(size[0])
                for j in range(size[1])
                for k in range(size[2])
            ]
            for x, y, z in at
        ]
        return sum(all(p in at for p in span) for span in spans)

    euler = (
        len(at)
        - blocks((2, 1, 1)) - blocks((1, 2, 1)) - blocks((1, 1, 2))
        + blocks((2, 2, 1)) + blocks((2, 1, 2)) + blocks((1, 2, 2))
        - blocks((2, 2, 2))
    )  # fmt: skip
    outside, parts = box - at, 0
    while outside:
        todo = [outside.pop()]
        for x, y, z in todo:
            near = {
                (x + i, y + j, z + k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)
            }
            todo += near & outside
            outside -= near
        parts += 1
    return len(shape.components) + parts - 1 - euler, parts - 1


def told_holes(shape: Shape) -> tuple[int, int]:
    said = " ".join(facts(shape))
    ways = re.search(r"(A|\d+) holes? goe?s? through it", said)
    inside = re.search(r"encloses (a|\d+) hollow", said)
    numbers = [
        int(found[1]) if found and found[1].isdigit() else int(bool(found))
        for found in (ways, inside)
    ]
    return numbers[0], numbers[1]


def test_holes_are_as_many_as_a_plain_count_finds() -> None:
    for name in ("eighteen-piece-burr", "evolved-box", "bedlam", "pentominoes"):
        for shape in library[name].shapes:
            assert told_holes(shape) == plain_holes(shape), (name, shape.name)
    sponge = Shape.from_text(CUBES, "### #.# ###/#.# ... #.#/### #.# ###")
    assert told_holes(sponge) == plain_holes(sponge) == (5, 0)  # one level of the Menger sponge


@each_grid
def test_a_cell_has_no_holes_and_a_thick_shell_a_hollow(grid: Grid) -> None:
    if grid.balls:
        assert not any("hol" in sentence for sentence in facts(crooked(grid)))
        return
    for tile in range(len(grid.tiles)):
        assert told_holes(Shape(grid, {(0, 0, 0, tile)})) == (0, 0)
    near = range(-2, 3)
    block = {(x, y, z, t) for x in near for y in near for z in near for t in range(len(grid.tiles))}
    for tile in {0, len(grid.tiles) - 1}:
        assert hollows(Shape(grid, block - {(0, 0, 0, tile)})) == 1


def test_a_large_shape_is_told_about_at_once() -> None:
    stairs = Shape(CUBES, {(n, n + e, 0, 0) for n in range(3000) for e in (0, 1)})
    assert facts(stairs) == ["6,000 cells, connected.", "Too large to show more here."]
    long = Shape(
        CUBES, {(n, n + e, n + f, 0) for n in range(500) for e, f in ((0, 0), (1, 0), (1, 1))}
    )
    assert facts(long)[0].startswith("1,500 cells, connected")


# ---- drawing ----


def picture(shape: Shape, **more: object) -> str:
    return draw(ShapeRequest(key_of(shape.grid), shape_data(shape, 0), **more))  # type: ignore[arg-type]


@each_grid
def test_a_picture_is_a_document_in_the_colour_asked_for(grid: Grid) -> None:
    drawn = picture(crooked(grid), colour="#12ab9f")
    root = tree.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert drawn == picture(crooked(grid).named("other name"), colour="#12ab9f")
    assert drawn != picture(crooked(grid), colour="#ff0000")


def test_coloured_cells_are_drawn_in_the_puzzles_colours() -> None:
    shape = Shape.from_text(SPHERES, "a.b")
    drawn = picture(shape, colour="#111111", colours=["#ff0000", "#00ff00"])
    assert "ball-ff0000" in drawn
    assert "ball-00ff00" in drawn
    assert "ball-111111" not in drawn


@pytest.mark.parametrize("colour", ["red", "#12345", '#123456"/><script>', "#1234567", "url(x)"])
def test_a_colour_is_six_digits_and_nothing_else(colour: str) -> None:
    for more in ({"colour": colour}, {"colours": [colour]}):
        with pytest.raises(PuzzleError, match="is not a colour"):
            picture(Shape.from_text(CUBES, "#"), **more)


def test_what_is_too_large_to_draw_is_said() -> None:
    large = ShapeData(0, "", [(x, 0, 0, 0, 0, 0) for x in range(20_001)])
    with pytest.raises(PuzzleError, match="too large for a picture"):
        draw(ShapeRequest("cubes", large))
    assert MOST_CELLS > 20_001


def test_a_shape_of_no_cells_has_a_picture_of_nothing() -> None:
    assert picture(Shape(CUBES, set())).startswith("<svg ")
