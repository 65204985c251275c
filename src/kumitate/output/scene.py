"""What there is to see: bodies, and where each of them is from one moment to the next.

Every picture, animation and page is drawn from a Scene, so they all show the same colours, words
and motions. Places are in space (the grid's basis is applied), in lattice units; whoever makes
things of a size in millimetres multiplies.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.palette import piece_colour
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Move, Solution

Point = tuple[float, float, float]

FARTHEST = 10**9  # coordinate of a cell in a picture
MARGIN = 1.0  # units left free between what went away and what stayed


@dataclass(frozen=True)
class Body:
    """What moves as one: a shape where it lies at first, with a name and a colour."""

    shape: Shape
    name: str
    colour: str  # "#E69F00"


@dataclass(frozen=True)
class Pose:
    """A moment: where each body is, seen from where it lay at first, and whether it is there."""

    shifts: Sequence[Point]
    shown: Sequence[bool]
    words: str = ""  # what led here


@dataclass(frozen=True)
class Scene:
    """Bodies and their poses; from one pose to the next each body slides on a straight line.

    A body that is not shown in the next pose fades, one that was not shown appears.

    >>> from kumitate.model.grids import CUBES
    >>> scene = scene_of(Assembly.from_text(CUBES, "AAB/ABB"))
    >>> [(body.name, body.colour) for body in scene.bodies]
    [('A', '#E69F00'), ('B', '#56B4E9')]
    """

    grid: Grid
    bodies: Sequence[Body]
    poses: Sequence[Pose]


@singledispatch
def scene_of(what: object) -> Scene:
    """A shape or an assembly as it lies; a solution, move by move."""
    raise TypeError(f"{type(what).__name__} is not drawn")


@scene_of.register
def _(what: Shape) -> Scene:
    return _still(what.grid, [Body(what, what.name, piece_colour(0))])


@scene_of.register
def _(what: Assembly) -> Scene:
    shapes = zip(what.shapes, colours_of(what), strict=True)
    bodies = [Body(shape, what.label(n), colour) for n, (shape, colour) in enumerate(shapes)]
    return _still(what.problem.grid, bodies)


@scene_of.register
def _(what: Solution) -> Scene:
    scene = scene_of(what.assembly)
    if what.disassembly is None:
        return scene
    moments = _take_apart(what.assembly, scene, what.disassembly)
    return replace(scene, poses=(*scene.poses, *moments))


def require_near(shapes: Iterable[Shape]) -> None:
    """Whether shapes lie where they can still be drawn to a fraction of a cell.

    >>> from kumitate.model.grids import CUBES
    >>> require_near([Shape(CUBES, {(2 * 10**9, 0, 0, 0)}, name="far")])
    Traceback (most recent call last):
    kumitate.PuzzleError: shape 'far': a cell is more than 1,000,000,000 from the origin; move it
    """
    for shape in shapes:
        if any(abs(number) > FARTHEST for cell in shape.cells for number in cell[:3]):
            raise PuzzleError(
                f"shape {shape.name!r}: a cell is more than {FARTHEST:,} from the origin; move it"
            )


def _still(grid: Grid, bodies: Sequence[Body]) -> Scene:
    require_near(body.shape for body in bodies)
    here = Pose(((0.0, 0.0, 0.0),) * len(bodies), (True,) * len(bodies))
    return Scene(grid, tuple(bodies), (here,))


def colours_of(assembly: Assembly) -> list[str]:
    """The colour of each placement: its piece's, and for further copies those left over.

    >>> from kumitate.library import library
    >>> from kumitate.search.assemble import assemble
    >>> len(set(colours_of(next(assemble(library["slothouber-graatsma"].problems[0])))))
    9
    """
    seen: set[int] = set()
    fresh = iter(range(len(assembly.problem.pieces), 10**9))
    numbers = []
    for placement in assembly.placements:
        numbers.append(next(fresh) if placement.piece in seen else placement.piece)
        seen.add(placement.piece)
    return [piece_colour(number) for number in numbers]


def exploded(scene: Scene, by: float = 0.7) -> Scene:
    """The first pose with every body moved outwards from the middle, by this part of its way.

    >>> from kumitate.model.grids import CUBES
    >>> [pose] = exploded(scene_of(Assembly.from_text(CUBES, "AB")), by=1).poses
    >>> pose.shifts
    ((-0.5, 0.0, 0.0), (0.5, 0.0, 0.0))
    """
    [pose, *_] = scene.poses
    centres = [
        plus(_centre(body.shape), shift)
        for body, shift in zip(scene.bodies, pose.shifts, strict=True)
    ]
    middle = _mean(
        [
            centre
            for body, centre in zip(scene.bodies, centres, strict=True)
            for _ in body.shape.cells
        ]
    )
    shifts = tuple(
        plus(shift, scaled(by, minus(centre, middle)))
        for shift, centre in zip(pose.shifts, centres, strict=True)
    )
    return replace(scene, poses=(Pose(shifts, pose.shown),))


# ---- taking apart ----


def _take_apart(assembly: Assembly, scene: Scene, whole: Disassembly) -> Iterator[Pose]:
    """The poses of all separations, each part alone on the stage when its turn has come."""
    grid = scene.grid
    shifts = list(scene.poses[0].shifts)
    boxes = [box_of(body.shape) for body in scene.bodies]
    for part, separation in whole.separations(range(len(scene.bodies))):
        shown = [n in part for n in range(len(scene.bodies))]
        names = ", ".join(assembly.label(piece) for piece in part)
        yield Pose(tuple(shifts), tuple(shown), f"take apart {names}")
        for move in separation.moves:
            before = list(shifts)
            far = _far_enough(grid, move, part, boxes, shifts) if move.units is None else None
            for piece, step in move.ways.items():
                way = in_space(grid, step)
                length = far if far is not None else (move.units or 0) / move.parts
                shifts[piece] = plus(shifts[piece], scaled(length, way))
            yield Pose(tuple(shifts), tuple(shown), move.describe(assembly))
        gone = separation.moves[-1].pieces if separation.moves else ()
        for piece in gone:  # what went away comes back to where it was when its own turn has come
            shifts[piece] = before[piece]


def _far_enough(
    grid: Grid,
    move: Move,
    part: Sequence[int],
    boxes: Sequence[tuple[Point, Point]],
    shifts: Sequence[Point],
) -> float:
    """How many steps take the pieces of a move clear of each other and of the rest of the part."""
    ways = move.ways
    far = 1.0
    for mover, step in ways.items():
        for other in part:
            relative = minus(in_space(grid, step), in_space(grid, ways.get(other, (0, 0, 0))))
            if any(relative):
                low, high = (plus(corner, shifts[mover]) for corner in boxes[mover])
                low2, high2 = (plus(corner, shifts[other]) for corner in boxes[other])
                far = max(far, _clear(low, high, low2, high2, relative))
    return far


def _clear(low: Point, high: Point, low2: Point, high2: Point, way: Point) -> float:
    """How many times `way` brings the first box a margin beyond the second, along some axis."""
    needed = (
        ((high2[i] - low[i]) if way[i] > 0 else (high[i] - low2[i]), abs(way[i])) for i in range(3)
    )
    return min((gap + MARGIN) / speed for gap, speed in needed if speed > 1e-9)


# ---- cells in space ----


def in_space(grid: Grid, v: Sequence[float]) -> Point:
    """A lattice vector in space.

    >>> from kumitate.model.grids import CUBES
    >>> in_space(CUBES, (1, 2, 3))
    (1.0, 2.0, 3.0)
    """
    x, y, z = (sum(v[i] * grid.basis[i][axis] for i in range(3)) for axis in range(3))
    return (x, y, z)


def corners_of(grid: Grid, cell: Cell) -> list[Point]:
    """The corners of a cell's tile in space; of a ball, its centre."""
    x, y, z, tile = cell
    d = grid.denominator
    return [in_space(grid, (x + a / d, y + b / d, z + c / d)) for a, b, c in grid.tiles[tile]]


def radius_of(grid: Grid) -> float:
    """How large the balls of a grid are in space; 0 if it has none."""
    if grid.gram is None:
        return 0.0
    length = sum(x * x for x in in_space(grid, (1, 0, 0)))  # of a basis vector, squared
    return float((length * grid.diameter2 / grid.gram[0][0]) ** 0.5 / 2)


def box_of(shape: Shape) -> tuple[Point, Point]:
    """The least and the greatest corner of a shape in space."""
    points = [corner for cell in shape.cells for corner in corners_of(shape.grid, cell)]
    radius = radius_of(shape.grid)
    columns = list(zip(*points, strict=True)) or [(0.0,)] * 3
    low = (min(columns[0]) - radius, min(columns[1]) - radius, min(columns[2]) - radius)
    high = (max(columns[0]) + radius, max(columns[1]) + radius, max(columns[2]) + radius)
    return low, high


def _centre(shape: Shape) -> Point:
    return _mean([_mean(corners_of(shape.grid, cell)) for cell in shape.cells])


def _mean(points: Sequence[Point]) -> Point:
    x, y, z = (sum(column) / len(points) for column in zip(*points, strict=True))
    return (x, y, z)


def plus(a: Point, b: Point) -> Point:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a: Point, b: Point) -> Point:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(k: float, a: Point) -> Point:
    return (k * a[0], k * a[1], k * a[2])
