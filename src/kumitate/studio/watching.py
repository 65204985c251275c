"""A solution as the page plays it: bodies once, as triangles or balls, and where they are when.

Bodies have small bevels, so that they look like wood and seams are seen; the line along the middle
of each is sent with them, to be drawn darker.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from kumitate.model.grid import Grid
from kumitate.model.shape import Shape
from kumitate.model.solution import Solution
from kumitate.output.bevelled import bevelled
from kumitate.output.scene import Body, Point, Pose, corners_of, in_space, radius_of, scene_of
from kumitate.output.surface import faces_of
from kumitate.studio.messages import BodyData, PoseData, SolutionData

BEVEL = 0.05  # units, or this part of the smallest face:
PART = 0.16
INSET = 0.2  # of the bevel: the gap between two pieces is twice that wide
DIGITS = 4


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
        [_body(body, placed.piece) for body, placed in zip(scene.bodies, placements, strict=True)],
        [_pose(pose, *kind) for pose, kind in zip(scene.poses, _kinds(solution), strict=True)],
        str(solution.assembly),
    )


def _kinds(solution: Solution) -> Iterator[tuple[Literal["start", "part", "move", "away"], str]]:
    """What each pose of its scene is, and the level of the separation that begins with it."""
    yield "start", ""
    if solution.disassembly is None:
        return
    pieces = range(len(solution.assembly.placements))
    for _, separation in solution.disassembly.separations(pieces):
        yield "part", str(len(separation.moves))
        for move in separation.moves:
            yield ("away" if move.units is None else "move"), ""


def _pose(pose: Pose, kind: Literal["start", "part", "move", "away"], level: str) -> PoseData:
    return PoseData([_short(p) for p in pose.shifts], list(pose.shown), pose.words, kind, level)


def _body(body: Body, piece: int) -> BodyData:
    shape = body.shape
    low = [min(axis) for axis in zip(*shape.cells, strict=True)][:3]
    home = in_space(shape.grid, low)
    form = _form(Shape(shape.grid, shape.at_origin().cells))
    return BodyData(
        body.name,
        piece,
        body.colour,
        shape.weight,
        _numbers(form.points + home),
        form.triangles,
        _numbers(form.folds + (*home, *home)),
        [_short((x + home[0], y + home[1], z + home[2])) for x, y, z in form.balls],
        round(radius_of(shape.grid), DIGITS),
        form.necks,
    )


class _Form(NamedTuple):
    """What a shape looks like, wherever it lies."""

    points: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
    triangles: list[int]
    folds: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
    balls: list[Point]
    necks: list[tuple[int, int]]


@lru_cache(1024)
def _form(shape: Shape) -> _Form:
    if shape.grid.balls:
        balls = list(shape)
        touching = [
            (a, b)
            for (a, one), (b, other) in combinations(enumerate(balls), 2)
            if other in shape.neighbours(one)
        ]
        centres = [corners_of(shape.grid, ball)[0] for ball in balls]
        return _Form(np.zeros((0, 3)), [], np.zeros((0, 6)), centres, touching)
    bevel = _bevel(shape.grid)
    made = bevelled(shape, INSET * bevel, bevel)
    return _Form(made.points, made.triangles.ravel().tolist(), made.folds, [], [])


@cache
def _bevel(grid: Grid) -> float:
    """In proportion to the smallest face, measured from its middle to its nearest side."""
    rooms = []
    for tile in range(len(grid.tiles)):
        for face in faces_of(Shape(grid, {(0, 0, 0, tile)})):
            corners = np.array(face.corners)
            sides = np.roll(corners, -1, axis=0) - corners
            inwards = np.cross(face.normal, sides) / np.linalg.norm(sides, axis=1, keepdims=True)
            rooms.append(((corners.mean(axis=0) - corners) * inwards).sum(axis=1).min())
    return float(min(BEVEL, PART * min(rooms)))


def _short(point: Point) -> Point:
    x, y, z = (round(c, DIGITS) for c in point)
    return (x, y, z)


def _numbers(rows: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> list[float]:
    found: list[float] = (np.round(rows, DIGITS) + 0.0).ravel().tolist()
    return found
