"""Convert between messages and the model: a puzzle as the page has it, and as a value.

The page refers to shapes by ids that never change, the model holds the shapes themselves; a puzzle
that goes to the page and back is equal. What the page sends may be unfinished or wrong: anything
invalid becomes a PuzzleError that says where. A grid is sent as its key: a built-in grid's name, or
the whole table of another, so that a restarted server knows it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from math import atan2, hypot

import msgspec

from kumitate.decoding import from_json
from kumitate.files import json_errors
from kumitate.files.document import FARTHEST, MOST_CELLS, place
from kumitate.files.entries import GridTable
from kumitate.files.json import read_grid
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ONE, Cell, edges, transpose
from kumitate.model.grid import Grid
from kumitate.model.grids import GRIDS
from kumitate.model.puzzle import MOST_COPIES, Piece, Placement, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.output.scene import Point, corners_of, in_space, radius_of
from kumitate.output.solid.surface import face_rings, faces_of
from kumitate.studio.ask.axes import AXES, NEAR, least_turn, mirror_across, short_shifts
from kumitate.studio.messages import (
    MOST_LETTERS,
    MOST_TABLE,
    CellRow,
    GridData,
    GroupData,
    PieceData,
    PlacementData,
    ProblemData,
    PuzzleData,
    ShapeData,
    SideData,
    TileData,
    TurnData,
    WayData,
)

MOST_SHAPES = 10_000  # of a puzzle; also the most problems, and the most pieces of one
MOST_GRIDS = 100  # in the cache, with their derived properties
SMALL = 500  # cells; smaller shapes are cached, with their derived properties


# ---- puzzles ----


def puzzle_data(puzzle: Puzzle) -> PuzzleData:
    """A puzzle as the page has it; the ids of its shapes are their numbers, from 0.

    >>> from kumitate.library import library
    >>> data = puzzle_data(library["soma"])
    >>> data.shapes[0].name, data.shapes[0].cells, data.problems[0].goal
    ('V', [(0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)], 7)
    """
    ids: dict[Shape, int] = {}
    for number, shape in enumerate(puzzle.shapes):
        ids.setdefault(shape, number)
    data = PuzzleData(
        grid=key_of(puzzle.grid),
        title=puzzle.title,
        designer=puzzle.designer,
        comment=puzzle.comment,
        popup=puzzle.popup,
        colours=list(puzzle.colours),
        shapes=[shape_data(shape, number) for number, shape in enumerate(puzzle.shapes)],
        problems=[_problem_data(problem, ids) for problem in puzzle.problems],
    )
    _require_sizes(data)
    names = [data.title, data.designer, *(shape.name for shape in data.shapes)]
    if any(len(name) > MOST_LETTERS for name in [*names, *(p.name for p in data.problems)]):
        raise PuzzleError(f"a name has more than {MOST_LETTERS} letters; shorten it in the file")
    return data


def puzzle_of(data: PuzzleData) -> Puzzle:
    """The puzzle that the page has; a PuzzleError says what is invalid.

    >>> from kumitate.library import library
    >>> puzzle_of(puzzle_data(library["soma"])) == library["soma"]
    True
    """
    _require_sizes(data)
    grid = grid_of(data.grid)
    shapes: dict[int, Shape] = {}
    for shape in data.shapes:
        if shape.id in shapes:
            raise PuzzleError(f"two shapes have the id {shape.id}; reload the page")
        shapes[shape.id] = shape_of(grid, shape)
    problems = []
    for number, problem in enumerate(data.problems, 1):
        with place(problem.name or f"problem {number}"):
            problems.append(_problem_of(grid, shapes, problem))
    return Puzzle(
        grid,
        list(shapes.values()),
        problems,
        data.title,
        data.designer,
        data.colours,
        data.comment,
        data.popup,
    )


def problem_of(puzzle: Puzzle, number: int) -> Problem:
    """A problem of a puzzle, counted from 0."""
    if number >= len(puzzle.problems):
        raise PuzzleError(
            f"there is no problem {number + 1}; the puzzle has {len(puzzle.problems)}"
        )
    return puzzle.problems[number]


def _require_sizes(data: PuzzleData) -> None:
    if sum(len(shape.cells) for shape in data.shapes) > MOST_CELLS:
        raise PuzzleError(f"the puzzle is too large: it has more than {MOST_CELLS:,} cells")
    lists = [len(data.shapes), len(data.problems), *(len(p.pieces) for p in data.problems)]
    if max(lists) > MOST_SHAPES:
        raise PuzzleError(
            f"the puzzle is too large: it has more than {MOST_SHAPES:,} shapes, problems or pieces"
        )


# ---- shapes ----


def shape_data(shape: Shape, number: int) -> ShapeData:
    """A shape with its id."""
    return ShapeData(
        id=number,
        name=shape.name,
        cells=cell_rows(shape),
        weight=shape.weight,
        colour=shape.colour,
    )


def cell_rows(shape: Shape) -> list[CellRow]:
    """The cells of a shape, in order."""
    return [(*cell, int(cell in shape.optional), shape.colours.get(cell, 0)) for cell in shape]


def shape_of(grid: Grid, data: ShapeData) -> Shape:
    """The shape in a message; small shapes are cached."""
    with place(f"shape {data.name!r}" if data.name else "shape"):
        build = _cached_shape if len(data.cells) <= SMALL else _shape
        return build(grid, tuple(data.cells), data.name, data.weight, data.colour)


def _shape(grid: Grid, rows: tuple[CellRow, ...], name: str, weight: int, colour: str) -> Shape:
    cells: set[Cell] = {row[:4] for row in rows}
    if len(cells) < len(rows):
        [(twice, _)] = Counter(row[:4] for row in rows).most_common(1)
        raise PuzzleError(f"the cell {twice} is listed twice")
    optional = {row[:4] for row in rows if row[4]}
    return Shape(grid, cells, optional, {row[:4]: row[5] for row in rows}, name, weight, colour)


_cached_shape = lru_cache(maxsize=1000)(_shape)


# ---- problems ----


def _problem_data(problem: Problem, ids: dict[Shape, int]) -> ProblemData:
    return ProblemData(
        name=problem.name,
        goal=ids.get(problem.goal),
        pieces=[
            PieceData(
                shape=ids[piece.shape],
                min=piece.min,
                max=piece.max,
                groups=[GroupData(group, piece.groups[group]) for group in sorted(piece.groups)],
            )
            for piece in problem.pieces
        ],
        allowed=sorted(problem.allowed),
        # A limit above any possible number of holes.
        max_holes=None if problem.max_holes is None else min(problem.max_holes, MOST_COPIES),
        pinned=_placement_rows(problem.pinned),
        forbidden=_placement_rows(problem.forbidden),
    )


def _problem_of(grid: Grid, shapes: dict[int, Shape], data: ProblemData) -> Problem:
    pieces = []
    for number, piece in enumerate(data.pieces, 1):
        if piece.shape not in shapes:
            raise PuzzleError(f"the shape of piece {number} does not exist; remove the piece")
        groups = {group.group: group.copies for group in piece.groups}
        if len(groups) < len(piece.groups):
            raise PuzzleError(f"piece {number} has the same group twice; remove one of them")
        pieces.append(Piece(shapes[piece.shape], piece.min, piece.max, groups))
    if data.goal is not None and data.goal not in shapes:
        raise PuzzleError("the shape of the goal does not exist; choose another")
    return Problem(
        Shape(grid, set()) if data.goal is None else shapes[data.goal],
        pieces,
        data.name,
        data.allowed,
        data.max_holes,
        [placement_of(placement) for placement in data.pinned],
        [placement_of(placement) for placement in data.forbidden],
    )


def placement_data(placement: Placement) -> PlacementData:
    return PlacementData(*placement)


def placement_of(data: PlacementData) -> Placement:
    return Placement(data.piece, data.turn, data.shift)


def _placement_rows(placements: Iterable[Placement]) -> list[PlacementData]:
    rows = sorted(placements)
    if any(abs(x) > FARTHEST for _, _, shift in rows for x in shift):
        raise PuzzleError(f"a placement has coordinates beyond {FARTHEST:,}")
    return [placement_data(placement) for placement in rows]


# ---- grids by their keys ----


def key_of(grid: Grid) -> str:
    """The name of a built-in grid, or the table of another as a file has it.

    >>> from dataclasses import replace
    >>> from kumitate.model.grids import CUBES
    >>> key_of(CUBES), key_of(replace(CUBES, name="spheres"))[:19]
    ('cubes', '{"name":"spheres","')
    """
    if GRIDS.get(grid.name) == grid:
        return grid.name
    table = msgspec.json.encode(GridTable(**asdict(grid))).decode()
    if len(table) > MOST_TABLE:
        raise PuzzleError(f"the table of the grid is longer than {MOST_TABLE:,} characters")
    return table


def grid_of(key: str) -> Grid:
    """The grid with this key."""
    return _grid_of_table(key) if key.startswith("{") else read_grid(key)


@lru_cache(maxsize=MOST_GRIDS)
def _grid_of_table(table: str) -> Grid:
    with place("the table of the grid"):
        try:
            return read_grid(from_json(table, GridTable))
        except (msgspec.MsgspecError, UnicodeEncodeError) as error:
            raise PuzzleError(json_errors.describe(error, "it")) from None


# ---- a grid as the page draws it ----


@lru_cache(maxsize=MOST_GRIDS)
def grid_data(grid: Grid) -> GridData:
    """Everything about a grid that the page needs for drawing.

    >>> from kumitate.model.grids import CUBES
    >>> data = grid_data(CUBES)
    >>> [side.beyond for side in data.tiles[0].sides][:2], data.tiles[0].section
    ([(-1, 0, 0, 0), (0, -1, 0, 0)], [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    """
    a, b, c = (_rounded(v) for v in grid.basis)
    turns = {axis: least_turn(grid, axis) for axis in AXES}
    return GridData(
        key=key_of(grid),
        name=grid.name,
        basis=(a, b, c),
        tiles=[_tile_data(grid, tile) for tile in range(len(grid.tiles))],
        radius=round(radius_of(grid), 9),
        page=transpose((grid.spot_shift(ONE[0]), grid.spot_shift(ONE[1]), grid.spot_shift(ONE[2]))),
        turns=[TurnData(axis, turn.degrees) for axis, turn in turns.items() if turn],
        mirrors=[axis for axis in AXES if mirror_across(grid, axis)],
        shifts=[WayData(name, shift) for name, shift in short_shifts(grid).items()],
        steps=len(grid.steps),
    )


def _tile_data(grid: Grid, tile: int) -> TileData:
    corners = corners_of(grid, (0, 0, 0, tile))
    x, y, z = (sum(axis) / len(corners) for axis in zip(*corners, strict=True))
    return TileData(
        corners=[_rounded(corner) for corner in corners],
        sides=_touching(grid) if grid.balls else _sides(grid, tile),
        centre=_rounded((x, y, z)),
        height=round(z, 9),
        section=_section(grid, tile, z),
        spot=grid.spot((0, 0, 0, tile)),
    )


def _sides(grid: Grid, tile: int) -> list[SideData]:
    """The faces of a tile; beyond each lies exactly one cell, since tiles meet face to face."""
    faces = faces_of(Shape(grid, {(0, 0, 0, tile)}))
    corners = grid.tiles[tile]
    return [
        SideData(_rounded(face.normal), [corners.index(corner) for corner in ring], beyond)
        for face, (ring, (beyond,)) in zip(faces, face_rings(grid)[tile], strict=True)
    ]


def _touching(grid: Grid) -> list[SideData]:
    """A ball's sides: where it touches others."""
    sides = []
    for cell in grid.neighbours[0]:
        x, y, z = in_space(grid, cell[:3])
        far = hypot(x, y, z)
        sides.append(SideData(_rounded((x / far, y / far, z / far)), [], cell))
    return sides


def _section(grid: Grid, tile: int, height: float) -> list[tuple[float, float]]:
    """Where a horizontal plane cuts a tile; counterclockwise, from the leftmost lowest corner."""
    corners = corners_of(grid, (0, 0, 0, tile))
    spots = {(x, y) for x, y, z in corners if abs(z - height) < NEAR}
    for i, j in [] if grid.balls else edges(grid.tiles[tile]):
        (x, y, z), (x2, y2, z2) = corners[i], corners[j]
        if min(z, z2) < height - NEAR and max(z, z2) > height + NEAR:
            part = (height - z) / (z2 - z)
            spots.add((x + part * (x2 - x), y + part * (y2 - y)))
    if grid.balls or not spots:
        return []
    middle_x, middle_y = (sum(axis) / len(spots) for axis in zip(*spots, strict=True))
    ring = sorted(
        {(round(x, 9) + 0.0, round(y, 9) + 0.0) for x, y in spots},
        key=lambda spot: atan2(spot[1] - middle_y, spot[0] - middle_x),
    )
    first = ring.index(min(ring, key=lambda spot: (spot[1], spot[0])))
    return ring[first:] + ring[:first]


def _rounded(point: Point) -> Point:
    x, y, z = (round(c, 9) + 0.0 for c in point)
    return (x, y, z)
