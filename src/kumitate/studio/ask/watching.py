"""Solutions as the page plays them: what pieces look like, once for a run, and where they are when.

Forms have small bevels, so that they look like wood and seams are seen; the line along the middle
of each is sent with them, to be drawn darker.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import combinations, pairwise
from math import dist
from typing import Literal

from msgspec import structs

from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid
from kumitate.model.puzzle import Placement, Problem
from kumitate.model.rotation import Rotation
from kumitate.model.shape import Shape, shift_cell
from kumitate.model.solution import Levels, Solution
from kumitate.output.draw.pictures import picture
from kumitate.output.draw.view import view_of
from kumitate.output.scene import (
    UPRIGHT,
    Body,
    Place,
    Point,
    Pose,
    Turning,
    cell_centre,
    corners_of,
    crossed,
    mean,
    minus,
    plus,
    pose_of,
    radius_of,
    scaled,
    scene_of,
    transposed,
    turn_in_space,
    turned,
)
from kumitate.output.sliding import steps_of
from kumitate.output.solid.bevelled import bevelled
from kumitate.output.solid.surface import faces_of
from kumitate.studio.messages import (
    BodyData,
    FormData,
    FormsData,
    PatchData,
    PoseData,
    SolutionData,
    StepData,
    StopData,
    TurningData,
    ViewRequest,
)

Kind = Literal["start", "part", "move", "turn", "away"]  # of a pose

BEVEL = 0.05  # units, or this part of the smallest face:
PART = 0.16
INSET = 0.2  # of the bevel: the gap between two pieces is twice that wide
PATCH = 0.6  # the size of a painted side, as a part of the side
ABOVE = 0.002  # units between them: the side itself is set back by the inset
DIGITS = 4
MOST_SHADED = 1000  # cells of a piece whose nooks are darker


def forms_data(problem: Problem) -> FormsData:
    """What the pieces of a problem look like.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece
    >>> bar = Shape.from_text(CUBES, "##")
    >>> [form] = forms_data(Problem(bar, [Piece(bar)])).forms
    >>> max(form.positions[::3])
    1.99
    """
    steps = [
        StepData(step.by, _short(step.way), step.words, [list(cells) for cells in step.swept])
        for step in steps_of(problem.grid)
    ]
    forms = []
    for piece in problem.pieces:
        form, patches = _form(_bare(piece.shape)), _patches(piece.shape.at_origin())
        forms.append(structs.replace(form, patches=patches) if patches else form)
    return FormsData(forms, steps)


def solution_data(solution: Solution, number: int) -> SolutionData:
    """A solution, ready to be watched.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.solution import Assembly
    >>> from kumitate.search.disassemble import disassemble
    >>> rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
    >>> data = solution_data(Solution(rod, disassemble(rod)), 1)
    >>> [(pose.kind, pose.level, pose.words) for pose in data.poses]
    [('start', '', ''), ('part', '1', 'take apart A, B'), ('away', '', 'A slides out to the right')]
    """
    scene = scene_of(solution)
    placements = solution.assembly.placements
    return SolutionData(
        number,
        str(solution.levels or ""),
        solution.levels.total if solution.levels else None,
        [
            _body(body, solution.assembly.problem, placement)
            for body, placement in zip(scene.bodies, placements, strict=True)
        ],
        [_pose(pose, *kind) for pose, kind in zip(scene.poses, _kinds(solution), strict=True)],
        solution.assembly.text,
    )


def view_svg(solution: Solution, request: ViewRequest) -> str:
    """The bodies of a solution as a camera sees them, in parallel projection.

    Pictures are always drawn from the same direction, so the bodies are turned instead.
    """
    scene = scene_of(solution)
    if not len(request.places) == len(request.shown) == len(scene.bodies):
        raise PuzzleError(f"the picture needs a place for each of {len(scene.bodies)} bodies")
    for turn in (request.axes, *(turn for turn, _ in request.places)):
        products = [turned(turn, row) for row in turn]
        if any(dist(*pair) > 1e-3 for pair in zip(products, UPRIGHT, strict=True)):
            raise PuzzleError("a picture shows bodies that are turned, not stretched")
    axes = transposed(request.axes)
    first, second, third = (_short(turned(axes, row)) for row in view_of(scene.grid))
    seen = Place((first, second, third), (0.0, 0.0, 0.0))
    places = [seen.after(Place(turn, shift)) for turn, shift in request.places]
    return picture(scene, pose_of(places, request.shown))


def _kinds(solution: Solution) -> Iterator[tuple[Kind, str]]:
    """What each pose of its scene is, and the level of the separation that begins with it."""
    yield "start", ""
    if solution.disassembly is None:
        return
    pieces = range(len(solution.assembly.placements))
    for _, separation in solution.disassembly.separations(pieces):
        yield "part", str(Levels(len(separation.moves), turns=separation.levels.turns))
        for move in separation.moves:
            if isinstance(move, Rotation):
                yield "turn", ""
            else:
                yield ("away" if move.units is None else "move"), ""


def _pose(pose: Pose, kind: Kind, level: str) -> PoseData:
    shifts = [_short(shift) for shift in pose.shifts]
    turning = _turning(pose.turning) if pose.turning else None
    return PoseData(shifts, list(pose.shown), pose.words, kind, level, list(pose.turns), turning)


def _turning(turning: Turning) -> TurningData:
    route = [StopData(_short(at), round(angle, 6)) for at, angle in turning.route]
    return TurningData(list(turning.bodies), turning.axis, route)


def _body(body: Body, problem: Problem, placement: Placement) -> BodyData:
    """A body where its placement puts the form of its piece: one cell says where the others are."""
    shape = problem.pieces[placement.piece].shape
    turn = shape.grid.turns[placement.turn]
    matrix = turn_in_space(shape.grid, turn)
    cell, image = min((shape.images(turn) or {}).items())
    here = cell_centre(shape.grid, shift_cell(cell, _home(shape)))
    there = cell_centre(shape.grid, shift_cell(image, placement.shift))
    rows = [_short(row) for row in matrix]
    return BodyData(
        body.name,
        placement.piece,
        body.colour,
        shape.weight,
        (rows[0], rows[1], rows[2]),
        _short(minus(there, turned(matrix, here))),
        sorted(body.shape.cells),
    )


def _bare(shape: Shape) -> Shape:
    """Its cells alone, moved to the origin: pieces that look alike are equal."""
    return Shape(shape.grid, shape.at_origin().cells)


def _home(shape: Shape) -> tuple[int, int, int]:
    """The way to the origin."""
    x, y, z, _ = (-min(axis) for axis in zip(*shape.cells, strict=True))
    return x, y, z


@lru_cache(1024)
def _form(shape: Shape) -> FormData:
    if shape.grid.balls:
        balls = list(shape)
        touching = [
            (a, b)
            for (a, one), (b, other) in combinations(enumerate(balls), 2)
            if other in shape.neighbours(one)
        ]
        centres = [_short(corners_of(shape.grid, ball)[0]) for ball in balls]
        return FormData([], [], [], centres, round(radius_of(shape.grid), DIGITS), touching)
    bevel = _bevel(shape.grid)
    made = bevelled(shape, INSET * bevel, bevel)
    triangles = [number for triangle in made.triangles for number in triangle]
    folds = (point for fold in made.folds for point in fold)
    open_parts = _open_parts(shape, made.points)
    return FormData(
        _numbers(made.points), triangles, _numbers(folds), [], 0.0, [], open_parts=open_parts
    )


def _open_parts(shape: Shape, points: Sequence[Point]) -> list[float]:
    """How open the surface is at its points; unknown where that takes long, or without NumPy."""
    if len(shape) > MOST_SHADED or not find_spec("numpy"):  # which the browser lacks
        return []
    import numpy as np

    from kumitate.output.solid.openness import openness

    found: list[float] = openness(shape, np.array(points)).round(2).tolist()
    return found


def _patches(shape: Shape) -> list[PatchData]:
    """What shows the colours of cells: on each of their sides a smaller one, a little above it."""
    if not shape.colours:
        return []
    if shape.grid.balls:
        return [
            PatchData(colour, list(_short(cell_centre(shape.grid, ball))))
            for ball, colour in sorted(shape.colours.items())
        ]
    found = []
    for face in faces_of(shape):
        if colour := shape.colours.get(face.cell, 0):
            middle = mean(face.corners)
            above = plus(middle, scaled(ABOVE, face.normal))
            ring = (plus(above, scaled(PATCH, minus(c, middle))) for c in face.corners)
            found.append(PatchData(colour, _numbers(ring)))
    return found


@cache
def _bevel(grid: Grid) -> float:
    """In proportion to the smallest face, measured from its middle to its nearest side."""
    rooms = []
    for tile in range(len(grid.tiles)):
        for face in faces_of(Shape(grid, {(0, 0, 0, tile)})):
            middle = mean(face.corners)
            for corner, after in pairwise([*face.corners, face.corners[0]]):
                inwards = crossed(face.normal, minus(after, corner))
                far = sum(a * b for a, b in zip(minus(middle, corner), inwards, strict=True))
                rooms.append(far / dist(corner, after))
    return min(BEVEL, PART * min(rooms))


def _short(point: Sequence[float]) -> Point:
    x, y, z = (round(c, DIGITS) + 0.0 for c in point)
    return (x, y, z)


def _numbers(points: Iterable[Point]) -> list[float]:
    return [number for point in points for number in _short(point)]
