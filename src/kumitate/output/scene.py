"""What there is to see: bodies, and where each of them is from one moment to the next.

Every picture, animation and page is drawn from a Scene, so they all show the same colours, words
and motions. Places are in space (the grid's basis is applied), in lattice units; whoever makes
things of a size in millimetres multiplies.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import pairwise
from math import atan, ceil, cos, dist, pi, radians, sin
from typing import NamedTuple

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid, Turn
from kumitate.model.palette import piece_colour
from kumitate.model.rotation import Rotation
from kumitate.model.route import Pose as RoutePose
from kumitate.model.route import Route
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Move, Solution
from kumitate.output.timing import ARM

Point = tuple[float, float, float]
Matrix = tuple[Point, Point, Point]  # its rows
Box = tuple[Point, Point]  # the least and the greatest corner

UPRIGHT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

FARTHEST = 10**9  # coordinate of a cell in a picture
MARGIN = 1.0  # units left free between what went away and what stayed
_ARC = radians(3)  # from stop to stop on an arc: a unit square stays within 0.0005 of it


@dataclass(frozen=True)
class Body:
    """What moves as one: a shape where it lies at first, with a name and a colour."""

    shape: Shape
    name: str
    colour: str  # "#E69F00"


class Place(NamedTuple):
    """Where a body is, seen from where it lay at first: turned about the origin, then shifted."""

    turn: Matrix
    shift: Point

    def __call__(self, point: Point) -> Point:
        """Where a point of the body is."""
        return plus(turned(self.turn, point), self.shift)

    def after(self, first: "Place") -> "Place":
        """This motion after another.

        >>> lifted = Place(UPRIGHT, (0.0, 0.0, 1.0))
        >>> lifted.after(lifted).shift
        (0.0, 0.0, 2.0)
        """
        columns = [turned(self.turn, column) for column in transposed(first.turn)]
        return Place(transposed((columns[0], columns[1], columns[2])), self(first.shift))


class Stop(NamedTuple):
    """Where a point of turning bodies is on their way, and by how many radians they have turned."""

    at: Point
    angle: float


@dataclass(frozen=True)
class Turning:
    """How bodies come to a pose together, if not on straight lines.

    A route leads from stop to stop; on each leg the bodies turn about the one axis that takes them
    from stop to stop, or slide if they do not turn. The first stop has the angle 0. The same is
    written in web/src/scene/turning.ts, and a test compares the two.
    """

    bodies: Sequence[int]
    axis: Point  # of length 1; from its tip, positive angles are counter-clockwise
    route: Sequence[Stop]

    @property
    def length(self) -> float:
        """How long the way is, turns included."""
        return sum(leg_length(a, b) for a, b in pairwise(self.route))

    def along(self, part: float) -> Place:
        """The motion that takes the bodies through this part of their way.

        >>> quarter = Turning([0], UPRIGHT[2], [Stop((1, 0, 0), 0), Stop((1, 0, 0), pi / 2)])
        >>> [[round(x, 3) for x in quarter.along(part)((3, 0, 0))] for part in (0, 0.5, 1)]
        [[3.0, 0.0, 0.0], [2.414, 1.414, 0.0], [1.0, 2.0, 0.0]]
        """
        left, done = part * self.length, 0.0
        for here, there in pairwise(self.route):
            far = leg_length(here, there)
            done = min(1.0, left / far) if far else 1.0
            if left <= far:
                break
            left -= far
        half = (there.angle - here.angle) / 2
        # The chord of a part of an arc is shorter than that of the arc, and points elsewhere.
        chord = sin(done * half) / sin(half) if abs(half) > 1e-9 else done
        bent = turned(rotation(self.axis, (done - 1) * half), minus(there.at, here.at))
        at = plus(here.at, scaled(chord, bent))
        turn = rotation(self.axis, here.angle + 2 * done * half)
        return Place(turn, minus(at, turned(turn, self.route[0].at)))


def leg_length(a: Stop, b: Stop) -> float:
    """How far it is from stop to stop, turns included."""
    return dist(a.at, b.at) + ARM * abs(b.angle - a.angle)


@dataclass(frozen=True)
class Pose:
    """A moment: where each body is, whether it is there, and how it came there."""

    shifts: Sequence[Point]
    shown: Sequence[bool]
    words: str = ""  # what led here
    turns: Sequence[Matrix] = ()  # of the bodies; none if all lie as they did at first
    turning: Turning | None = None  # how bodies got here, if not on straight lines

    @property
    def places(self) -> list[Place]:
        """Where each body is."""
        turns = self.turns or [UPRIGHT] * len(self.shifts)
        return [Place(*place) for place in zip(turns, self.shifts, strict=True)]


def pose_of(
    places: Sequence[Place],
    shown: Sequence[bool],
    words: str = "",
    turning: Turning | None = None,
) -> Pose:
    """The pose of bodies at these places."""
    turns = tuple(place.turn for place in places)
    shifts = tuple(place.shift for place in places)
    upright = all(turn == UPRIGHT for turn in turns)
    return Pose(shifts, tuple(shown), words, () if upright else turns, turning)


def between(before: Pose, after: Pose, part: float) -> Pose:
    """The pose after a part of the way from one to the next.

    >>> here, there = (Pose([(x, 0.0, 0.0)], [True]) for x in (1.0, 3.0))
    >>> between(here, there, 0.25).shifts
    ((1.5, 0.0, 0.0),)
    """
    turning = after.turning
    places = [
        Place(now.turn, _on_the_way(was.shift, now.shift, part))
        for was, now in zip(before.places, after.places, strict=True)
    ]
    if turning:
        moved = turning.along(part)
        for body in turning.bodies:
            places[body] = moved.after(before.places[body])
    return pose_of(places, after.shown, after.words)


def _on_the_way(a: Point, b: Point, part: float) -> Point:
    x, y, z = (p + part * (q - p) for p, q in zip(a, b, strict=True))
    return (x, y, z)


@dataclass(frozen=True)
class Scene:
    """Bodies and their poses; from one pose to the next each body slides straight or turns.

    A body that is not shown in the next pose fades, one that was not shown appears.

    >>> from kumitate.model.grids import CUBES
    >>> scene = scene_of(Assembly.from_text(CUBES, "AAB/ABB"))
    >>> [(body.name, body.colour) for body in scene.bodies]
    [('A', '#E69F00'), ('B', '#0072B2')]
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
    shapes = zip(what.shapes, what.identities, strict=True)
    bodies = [Body(shape, who.name, who.colour) for shape, who in shapes]
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


# ---- taking apart ----


def _take_apart(assembly: Assembly, scene: Scene, whole: Disassembly) -> Iterator[Pose]:
    """The poses of all separations, each part alone on the stage when its turn has come."""
    grid = scene.grid
    places = scene.poses[0].places
    boxes = [box_of(body.shape) for body in scene.bodies]
    for part, separation in whole.separations(range(len(scene.bodies))):
        shown = [n in part for n in range(len(scene.bodies))]
        names = ", ".join(assembly.label(piece) for piece in part)
        yield pose_of(places, shown, f"take apart {names}")
        for move in separation.moves:
            before, turning = list(places), None
            if isinstance(move, Rotation):
                turning = _turning(grid, move)
                for piece in move.pieces:
                    places[piece] = _squared(turning.along(1.0).after(places[piece]))
            else:
                far = (move.units or 0) / move.parts
                if move.units is None:
                    there = [_box_at(place, box) for place, box in zip(places, boxes, strict=True)]
                    far = _far_enough(grid, move, part, there)
                for piece, step in move.ways.items():
                    way = scaled(far, in_space(grid, step))
                    places[piece] = places[piece]._replace(shift=plus(places[piece].shift, way))
            yield pose_of(places, shown, move.describe(assembly), turning)
        gone = separation.moves[-1].pieces if separation.moves else ()
        for piece in gone:  # what went away comes back to where it was when its own turn has come
            places[piece] = before[piece]


def _turning(grid: Grid, move: Rotation) -> Turning:
    """How the pieces of a move go: about its pivot, or along its route."""
    u, v = (move.axis + 1) % 3, (move.axis + 2) % 3

    def stop(x: float, y: float, angle: float) -> Stop:
        at = [0.0, 0.0, 0.0]
        at[u], at[v] = x, y
        return Stop(in_space(grid, at), angle)

    x, y = (move.pivot[n] / 2 / move.parts for n in (u, v))
    route = [stop(*place) for place in _flattened(move.route)] or [
        stop(x, y, 0.0),
        stop(x, y, pi / 2 * move.quarters),
    ]
    return Turning(move.pieces, UPRIGHT[move.axis], tuple(route))


def _flattened(route: Route) -> Iterator[tuple[float, float, float]]:
    """Centres and angles on a route, many on each arc: rotations in between follow it closely."""

    def place(pose: RoutePose) -> tuple[float, float, float]:
        return float(pose.x), float(pose.y), pi / 2 * (pose.turn // 1) + 2 * atan(pose.turn % 1)

    for here, there in pairwise([*route[:1], *route]):
        (x0, y0, first), (x1, y1, last) = place(here), place(there)
        if there.about:
            x, y = map(float, there.about)
            steps = ceil(abs(last - first) / _ARC)
            for n in range(1, steps):
                angle = first + (last - first) * n / steps
                early, late = (sin(a) / sin(last - first) for a in (last - angle, angle - first))
                yield (
                    x + early * (x0 - x) + late * (x1 - x),
                    y + early * (y0 - y) + late * (y1 - y),
                    angle,
                )
        yield x1, y1, last


def _squared(place: Place) -> Place:
    """A place where bodies lie along the grid again, without the errors of sines."""
    x, y, z = ((round(a) + 0.0, round(b) + 0.0, round(c) + 0.0) for a, b, c in place.turn)
    right, back, up = (round(c, 9) + 0.0 for c in place.shift)
    return Place((x, y, z), (right, back, up))


def _box_at(place: Place, box: Box) -> Box:
    """A box after quarter turns and a shift."""
    low, high = (place(corner) for corner in box)
    x, y, z = zip(low, high, strict=True)
    return (min(x), min(y), min(z)), (max(x), max(y), max(z))


def _far_enough(grid: Grid, move: Move, part: Sequence[int], boxes: Sequence[Box]) -> float:
    """How many steps take the pieces of a move clear of each other and of the rest of the part."""
    ways = move.ways
    far = 1.0
    for mover, step in ways.items():
        for other in part:
            relative = minus(in_space(grid, step), in_space(grid, ways.get(other, (0, 0, 0))))
            if any(relative):
                far = max(far, _clear(*boxes[mover], *boxes[other], relative))
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


def box_of(shape: Shape) -> Box:
    """The least and the greatest corner of a shape in space."""
    points = [corner for cell in shape.cells for corner in corners_of(shape.grid, cell)]
    radius = radius_of(shape.grid)
    columns = list(zip(*points, strict=True)) or [(0.0,)] * 3
    low = (min(columns[0]) - radius, min(columns[1]) - radius, min(columns[2]) - radius)
    high = (max(columns[0]) + radius, max(columns[1]) + radius, max(columns[2]) + radius)
    return low, high


def cell_centre(grid: Grid, cell: Cell) -> Point:
    """The middle of a cell in space.

    >>> from kumitate.model.grids import CUBES
    >>> cell_centre(CUBES, (1, 0, 0, 0))
    (1.5, 0.5, 0.5)
    """
    return mean(corners_of(grid, cell))


def centre_of(shape: Shape) -> Point:
    """The mean of the middles of its cells."""
    return mean([cell_centre(shape.grid, cell) for cell in shape.cells])


def mean(points: Sequence[Point]) -> Point:
    x, y, z = (sum(column) / len(points) for column in zip(*points, strict=True))
    return (x, y, z)


def plus(a: Point, b: Point) -> Point:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a: Point, b: Point) -> Point:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(k: float, a: Point) -> Point:
    return (k * a[0], k * a[1], k * a[2])


# ---- turns ----


def rotation(axis: Point, angle: float) -> Matrix:
    """A turn by so many radians about an axis of length 1 through the origin (Rodrigues).

    >>> [[round(x, 3) + 0.0 for x in row] for row in rotation((0, 0, 1), pi / 2)]
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    (x, y, z), c, s = axis, cos(angle), sin(angle)
    k = 1 - c
    return (
        (k * x * x + c, k * x * y - s * z, k * x * z + s * y),
        (k * y * x + s * z, k * y * y + c, k * y * z - s * x),
        (k * z * x - s * y, k * z * y + s * x, k * z * z + c),
    )


def turned(turn: Matrix, point: Point) -> Point:
    x, y, z = (row[0] * point[0] + row[1] * point[1] + row[2] * point[2] for row in turn)
    return (x, y, z)


def transposed(turn: Matrix) -> Matrix:
    x, y, z = zip(*turn, strict=True)
    return (x, y, z)


def turn_in_space(grid: Grid, turn: Turn) -> Matrix:
    """The matrix of a grid's turn in the coordinates of space.

    >>> from kumitate.model.grids import CUBES
    >>> turn_in_space(CUBES, CUBES.turns[0]) == UPRIGHT
    True
    """
    a, b, c = grid.basis
    ways = [crossed(b, c), crossed(c, a), crossed(a, b)]  # at right angles to two of them
    volume = sum(p * q for p, q in zip(a, ways[0], strict=True))
    columns = []
    for axis in range(3):
        x, y, z = (way[axis] / volume / turn.divisor for way in ways)  # of the axis, in the lattice
        columns.append(in_space(grid, turned(turn.matrix, (x, y, z))))
    return transposed((columns[0], columns[1], columns[2]))


def crossed(a: Point, b: Point) -> Point:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
