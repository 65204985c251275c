"""Shapes read, draw, turn and combine; text and code give the same value back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kumitate
from kumitate import CUBES, Shape, grids
from kumitate.grids import GRIDS, PRISMS, RHOMBS, SPHERES
from kumitate.model.geometry import Cell


@st.composite
def shapes(draw: st.DrawFn, far: bool = True) -> Shape:
    grid = draw(st.sampled_from(list(GRIDS.values())))
    reach = draw(st.sampled_from([2, 1000])) if far else 2
    number = st.integers(-reach, reach)
    tile = st.integers(0, len(grid.tiles) - 1)
    cells: set[Cell] = draw(st.sets(st.tuples(number, number, number, tile), max_size=8))
    optional = {cell for cell in sorted(cells) if draw(st.booleans())}
    colours = {cell: draw(st.integers(0, 63)) for cell in sorted(cells) if draw(st.booleans())}
    return Shape(
        grid, cells, optional, colours, draw(st.text(max_size=5)), draw(st.integers(-2, 2))
    )


@settings(max_examples=200, deadline=None)
@given(shapes())
def test_repr_is_code_that_gives_the_shape_back(shape: Shape) -> None:
    assert eval(repr(shape), vars(kumitate) | vars(grids)) == shape


@settings(max_examples=200, deadline=None)
@given(shapes(far=False))
def test_a_drawing_read_again_is_the_same_shape_at_the_corner(shape: Shape) -> None:
    again = Shape.from_text(shape.grid, str(shape), shape.corner, shape.name, shape.weight)
    assert again == shape


@settings(max_examples=100, deadline=None)
@given(shapes(far=False), st.data())
def test_turning_keeps_everything_but_the_place(shape: Shape, data: st.DataObject) -> None:
    turn = data.draw(st.sampled_from(shape.grid.turns + shape.grid.mirrors))
    image = shape.turned(turn)
    if image is None:
        assert shape.grid == SPHERES
        return
    assert len(image) == len(shape)
    assert len(image.optional) == len(shape.optional)
    assert sorted(image.colours.values()) == sorted(shape.colours.values())
    assert len(image.components) == len(shape.components)
    assert image.congruent(shape, mirrors=True)


@settings(max_examples=60, deadline=None)
@given(shapes(far=False))
def test_each_turn_lies_as_the_first_of_its_kind_does(shape: Shape) -> None:
    for turn, lies in zip(shape.grid.turns, shape.lies, strict=True):
        image = shape.turned(turn)
        if lies is None:
            assert image is None
            continue
        first, shift = lies
        again = shape.turned(shape.grid.turns[first])
        assert again is not None
        assert again.shifted(shift) == image


def test_layers_stand_side_by_side_or_below_each_other() -> None:
    beside = Shape.from_text(CUBES, "##  #.\n#.  ..")
    below = Shape.from_text(CUBES, "##\n#.\n\n#.\n..")
    assert beside == below == Shape.from_text(CUBES, "## #./#. ..")
    assert sorted(beside.cells) == [(0, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 0)]


def test_a_wide_shape_is_drawn_in_several_rows_of_layers() -> None:
    rod = Shape(CUBES, {(x, 0, z, 0) for x in range(20) for z in range(5)})
    assert str(rod).count("\n\n") == 1
    assert Shape.from_text(CUBES, str(rod)) == rod


def test_colours_and_optional_cells_have_letters() -> None:
    shape = Shape.from_text(CUBES, "#+aB.#27+63")
    assert [shape.colours.get((x, 0, 0, 0), 0) for x in range(7)] == [0, 0, 1, 2, 0, 27, 63]
    assert {cell[0] for cell in shape.optional} == {1, 3, 6}
    assert str(shape) == "#+aB.#27+63"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("##\n# #", "row 2 shows 2 layers, row 1 shows 1"),
        ("#?#", "row 1 has '\\?'"),
        ("#64", "colour 64 must be 1 to 63"),
    ],
)
def test_a_drawing_with_a_slip_is_refused(text: str, words: str) -> None:
    with pytest.raises(kumitate.PuzzleError, match=words):
        Shape.from_text(CUBES, text)


def test_a_cell_where_none_can_be_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(
        kumitate.PuzzleError, match=r"no cell at column 2, row 1, layer 1; .* column 1"
    ):
        Shape.from_text(SPHERES, ".#./#.#")


def test_cells_of_other_grids_and_colours_of_no_cell_are_refused() -> None:
    with pytest.raises(kumitate.PuzzleError, match="is not a cell"):
        Shape(CUBES, {(0, 0, 0, 1)})
    with pytest.raises(kumitate.PuzzleError, match=r"optional .* is not one of its cells"):
        Shape(CUBES, {(0, 0, 0, 0)}, {(1, 0, 0, 0)})
    with pytest.raises(kumitate.PuzzleError, match="cannot be combined"):
        Shape(CUBES, {(0, 0, 0, 0)}) | Shape(SPHERES, {(0, 0, 0, 0)})


def test_union_intersection_and_difference() -> None:
    left = Shape.from_text(CUBES, "aa.")
    right = Shape.from_text(CUBES, ".BB")
    assert str(left | right) == "aaB"
    assert str(right | left) == "aBB"
    assert str((left & right).shifted((-1, 0, 0))) == "a"
    assert str(left - right) == "a"


def test_parts_that_touch_along_an_edge_are_not_connected() -> None:
    assert len(Shape.from_text(CUBES, "#./.#").components) == 2
    assert Shape.from_text(CUBES, "##/.#").connected
    assert Shape(SPHERES, {(0, 0, 0, 0), (1, 0, 0, 0)}).connected


@pytest.mark.parametrize(
    ("text", "turns", "with_mirrors"),
    [
        ("#", 24, 48),
        ("##", 8, 16),
        ("###/#..", 1, 2),
        ("##./.##", 2, 4),
        ("## #./.. #.", 2, 2),
        ("### ### ###/### ### ###/### ### ###", 24, 48),
    ],
)
def test_symmetries(text: str, turns: int, with_mirrors: int) -> None:
    shape = Shape.from_text(CUBES, text)
    assert len(shape.symmetries()) == turns
    assert len(shape.symmetries(mirrors=True)) == with_mirrors
    assert len(shape.orientations()) == 24 // turns


def test_prisms_turn_by_sixths() -> None:
    rhombus = Shape.from_text(PRISMS, "##")
    assert len(rhombus.orientations()) == 3
    hexagon = Shape.from_text(PRISMS, ".###./.###.")
    assert hexagon.connected
    assert len(hexagon.symmetries()) == 12


def test_a_rhombic_dodecahedron_has_the_symmetry_of_the_cube() -> None:
    about_centre = {(0, 0, 0, tile) for tile in range(24)}
    caps = {
        (x + dx, y + dy, z + dz, t)
        for x, y, z, tile in about_centre
        for dx, dy, dz, t in RHOMBS.neighbours[tile]
    }
    solid = Shape(RHOMBS, about_centre | caps)
    assert len(solid) == 48
    assert len(solid.symmetries(mirrors=True)) == 48


def test_where_shapes_overlap_the_first_says_which_colour() -> None:
    plain, coloured = Shape.from_text(CUBES, "##"), Shape.from_text(CUBES, "ab")
    assert (plain | coloured).colours == {}
    assert (coloured | plain) == coloured
