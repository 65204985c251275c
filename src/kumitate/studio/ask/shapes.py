"""Questions of the page about one shape: change it, read it from text, describe it, draw it.

A changed shape stays about where it was: the middle of its box, rounded down, does not move. So
turning it all the way round, or scaling it up and down again, gives exactly the same cells.
"""

import re
from functools import lru_cache
from math import gcd

from starlette.routing import BaseRoute

from kumitate.files.document import MOST_CELLS
from kumitate.model.burr_sticks import burr_stick
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell, Vector, subtract, times, triples, volume6
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES
from kumitate.model.palette import piece_colour
from kumitate.model.recast import recast
from kumitate.model.shape import Shape, shift_cell
from kumitate.output.draw.pictures import picture as svg_picture
from kumitate.output.scene import Body, Pose, Scene
from kumitate.studio.ask.axes import AXES, inverse, least_turn, mirror_across
from kumitate.studio.ask.codec import SMALL, grid_of, shape_data, shape_of
from kumitate.studio.ask.facts import facts
from kumitate.studio.messages import (
    Axis,
    ChangeRequest,
    FactsData,
    ShapeData,
    ShapeRequest,
    ShapesData,
    TextRequest,
)
from kumitate.studio.serve.http import Studio, message_route

MOST_STICKS = 500  # read from one text
MOST_SCALE = 10
MOST_DRAWN = 20_000  # cells
_COLOUR = re.compile("#[0-9a-fA-F]{6}")


def routes(studio: Studio) -> list[BaseRoute]:
    return [
        message_route("/api/shape/change", ChangeRequest, change),
        message_route("/api/shape/read", TextRequest, read),
        message_route("/api/shape/facts", ShapeRequest, describe),
        message_route("/api/shape/picture", ShapeRequest, draw),
    ]


# ---- changing ----


def change(request: ChangeRequest) -> ShapeData:
    """The shape turned, mirrored, scaled, or moved to the origin."""
    grid = grid_of(request.grid)
    shape = shape_of(grid, request.shape)
    if not shape.cells:
        return request.shape
    match request.how:
        case "turn":
            made = _stay(shape, turned(shape, request.axis, request.back))
        case "mirror":
            made = _stay(shape, mirrored(shape, request.axis))
        case "scale":
            made = _stay(shape, scaled(shape, request.by))
        case "shrink":
            made = _stay(shape, shrunk(shape))
        case "origin":
            made = shape.shifted(times(-1, shape.corner))
    return shape_data(made, request.shape.id)


def turned(shape: Shape, axis: Axis, back: bool = False) -> Shape:
    """The shape, turned about an axis of space by the grid's smallest turn."""
    least = least_turn(shape.grid, axis)
    if least is None:
        raise PuzzleError(_no_such("turn about", shape.grid, axis))
    made = shape.turned(inverse(shape.grid, least.turn) if back else least.turn)
    assert made is not None
    return made


def mirrored(shape: Shape, axis: Axis) -> Shape:
    """The shape, mirrored along an axis of space."""
    mirror = mirror_across(shape.grid, axis)
    if mirror is None:
        raise PuzzleError(_no_such("mirror along", shape.grid, axis))
    made = shape.turned(mirror)
    assert made is not None
    return made


def scaled(shape: Shape, by: int) -> Shape:
    """The shape, with every cell `by` times as large."""
    if len(shape) * by**3 > 2 * MOST_CELLS:
        raise PuzzleError(f"{by} times as large, it would have more than {MOST_CELLS:,} cells")
    made = recast(shape, shape.grid, by)
    if len(made) > MOST_CELLS:
        raise PuzzleError(f"{by} times as large, it would have {len(made):,} cells: too many")
    return made


def shrunk(shape: Shape) -> Shape:
    """The smallest shape that gives this one when scaled by a whole number.

    >>> print(shrunk(recast(Shape.from_text(CUBES, "##/#."), CUBES, 3)))
    ##
    #.
    """
    sizes = [volume6(tile) for tile in shape.grid.tiles]
    volume = sum(sizes[tile] for *_, tile in shape) // max(1, gcd(*sizes))
    for by in range(MOST_SCALE, 1, -1):
        small = _divided(shape, by) if volume and volume % by**3 == 0 else None
        if small is not None:
            return small
    raise PuzzleError(f"{shape.name or 'the shape'} is not 2, 3 or more times a smaller shape")


def _divided(shape: Shape, by: int) -> Shape | None:
    """The shape that gives this one when scaled, up to a shift; None if there is none.

    Each cell must be part of a scaled cell whose parts are all present and alike.
    """
    owners = _owners(shape.grid, by)
    for shift in triples(range(by)):
        left = dict(shape.tokens)
        small: dict[Cell, str] = {}
        cell = next(iter(left), None)  # the least cell, which rejects most shifts at once
        while cell is not None:
            x, y, z, part = shift_cell(cell, shift)
            if (x % by, y % by, z % by, part) not in owners:
                return None  # the grid does not scale
            tile, at, parts = owners[x % by, y % by, z % by, part]
            corner = subtract((x, y, z), at)
            here = [shift_cell(other, subtract(corner, shift)) for other in parts]
            token = left[cell]
            if any(left.get(other) != token for other in here):
                break
            for other in here:
                del left[other]
            small[corner[0] // by, corner[1] // by, corner[2] // by, tile] = token
            cell = next(iter(left), None)
        else:
            return Shape.from_tokens(shape.grid, small, shape.name, shape.weight, shape.colour)
    return None


@lru_cache(maxsize=100)
def _owners(grid: Grid, by: int) -> dict[Cell, tuple[int, Vector, tuple[Cell, ...]]]:
    """For each cell, modulo the scaled lattice: its scaled tile, where it lies, and all parts.

    Empty if the grid does not scale.
    """
    owners = {}
    try:
        for tile in range(len(grid.tiles)):
            parts = tuple(recast(Shape(grid, {(0, 0, 0, tile)}), grid, by))
            for x, y, z, part in parts:
                owners[x % by, y % by, z % by, part] = (tile, (x, y, z), parts)
    except PuzzleError:
        return {}
    return owners


def _stay(shape: Shape, made: Shape) -> Shape:
    return made.shifted(subtract(_middle(shape), _middle(made)))


def _middle(shape: Shape) -> Vector:
    """The middle of the lattice points of its cells, rounded down."""
    x, y, z, _ = ((min(axis) + max(axis)) // 2 for axis in zip(*shape.cells, strict=True))
    return (x, y, z)


def _no_such(what: str, grid: Grid, axis: Axis) -> str:
    find = least_turn if what.startswith("turn") else mirror_across
    there = [other for other in AXES if find(grid, other)]
    return f"the grid {grid.name!r} has no {what} {axis}; it has {', '.join(there) or 'none'}"


# ---- reading ----


def read(request: TextRequest) -> ShapesData:
    """The shape that a text draws, or the burr sticks whose numbers it lists."""
    grid, text = grid_of(request.grid), request.text.strip()
    if not text:
        raise PuzzleError("the text is empty; draw layers with # and ., or list burr numbers")
    shapes = (
        _sticks(grid, text)
        if re.fullmatch(r"[\d\s,;]+", text, re.ASCII)
        else [Shape.from_text(grid, text, name=request.name)]
    )
    if any(not shape.cells or len(shape) > MOST_CELLS for shape in shapes):
        raise PuzzleError(f"the text draws no cells, or more than {MOST_CELLS:,}")
    return ShapesData([shape_data(shape, number) for number, shape in enumerate(shapes)])


def _sticks(grid: Grid, text: str) -> list[Shape]:
    numbers = re.findall(r"\d+", text)
    if grid != CUBES:
        raise PuzzleError(
            f"burr numbers are for sticks of cubes, but this grid is {grid.name!r};"
            " draw layers with # and . instead"
        )
    if len(numbers) > MOST_STICKS:
        raise PuzzleError(f"{len(numbers)} burr numbers are too many; the limit is {MOST_STICKS}")
    return [burr_stick(int(number[:9])) for number in numbers]


# ---- describing and drawing ----


def describe(request: ShapeRequest) -> FactsData:
    """Facts about a shape, and the shape as text."""
    shape = shape_of(grid_of(request.grid), request.shape)
    return FactsData(facts(shape), str(shape), shape.size)


def draw(request: ShapeRequest) -> str:
    """A shape as SVG, in one colour except for its coloured cells."""
    for colour in filter(None, (request.colour, *request.colours)):
        if not _COLOUR.fullmatch(colour):
            raise PuzzleError(f"{colour[:20]!r} is not a colour; write it as '#rrggbb'")
    shape = shape_of(grid_of(request.grid), request.shape)
    if len(shape) > MOST_DRAWN:
        raise PuzzleError(f"a shape of {len(shape):,} cells is too large for a picture")
    draw = _cached_picture if len(shape) <= SMALL else _picture
    return draw(shape.named(""), request.colour or piece_colour(0), tuple(request.colours))


def _picture(shape: Shape, colour: str, colours: tuple[str, ...]) -> str:
    here = Pose(((0.0, 0.0, 0.0),), (True,))
    return svg_picture(Scene(shape.grid, (Body(shape, "", colour),), (here,)), colours=colours)


_cached_picture = lru_cache(maxsize=500)(_picture)
