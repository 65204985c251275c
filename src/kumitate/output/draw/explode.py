"""Exploded views: the bodies of a scene moved outwards from the middle until all are clear.

`exploded` moves every body outwards in proportion; `cleared` moves those that still overlap
farther. Cells count as boxes of their own volume there, which is near enough.
"""

from dataclasses import replace
from math import pi

from kumitate.model.geometry import Cell, volume6
from kumitate.model.grid import Grid
from kumitate.output.scene import (
    Point,
    Pose,
    Scene,
    centre_of,
    corners_of,
    mean,
    minus,
    plus,
    radius_of,
    scaled,
)

CLEARANCE = 0.05  # units: between bodies of an exploded view
FARTHEST = 60  # half units: how far a body is moved out to be clear of others


def exploded(scene: Scene, by: float = 0.7) -> Scene:
    """The first pose with every body moved outwards from the middle, by this part of its way.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.solution import Assembly
    >>> from kumitate.output.scene import scene_of
    >>> [pose] = exploded(scene_of(Assembly.from_text(CUBES, "AB")), by=1).poses
    >>> pose.shifts
    ((-0.5, 0.0, 0.0), (0.5, 0.0, 0.0))
    """
    [pose, *_] = scene.poses
    centres = [
        plus(centre_of(body.shape), shift)
        for body, shift in zip(scene.bodies, pose.shifts, strict=True)
    ]
    middle = mean(
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


def cleared(scene: Scene) -> Scene:
    """An exploded scene with its bodies, from the middle outwards, moved on until none overlap.

    Those equally far out move together, which keeps the symmetry of an assembly.
    """
    import numpy as np

    [pose] = scene.poses
    shifts = np.array(pose.shifts).reshape(-1, 3)
    boxes = [np.array([_box(scene.grid, cell) for cell in body.shape]) for body in scene.bodies]

    def meet(a: int, b: int) -> bool:
        middles = boxes[b][:, 0] + shifts[b] - shifts[a] - boxes[a][:, None, 0]
        room = boxes[b][:, 1] + boxes[a][:, None, 1] + CLEARANCE
        return a != b and bool((np.abs(middles) < room).all(axis=2).any())

    lengths = np.round(np.linalg.norm(shifts, axis=1), 6)
    outwards = shifts / np.maximum(lengths, 1e-9)[:, None]
    placed: list[int] = []
    for length in np.unique(lengths):
        ring = np.nonzero(lengths == length)[0].tolist()
        placed += ring
        for _ in range(FARTHEST):
            if not any(meet(a, b) for a in ring for b in placed):
                break
            shifts[ring] += outwards[ring] / 2
    moved = tuple((x, y, z) for x, y, z in shifts.tolist())
    return replace(scene, poses=(Pose(moved, pose.shown),))


def _box(grid: Grid, cell: Cell) -> tuple[Point, Point]:
    """The middle of a cell and half the sides of a box as large, shaped as the one around it."""
    corners, radius = corners_of(grid, cell), radius_of(grid)
    lows, highs = zip(*((min(c), max(c)) for c in zip(*corners, strict=True)), strict=True)
    half = [(high - low) / 2 + radius for low, high in zip(lows, highs, strict=True)]
    solid = 4 / 3 * pi * radius**3
    if not grid.balls:
        solid = volume6(grid.tiles[cell[3]]) / 6 / grid.denominator**3 * space_of(grid)
    shrink = (solid / (8 * half[0] * half[1] * half[2])) ** (1 / 3)
    middle = [(high + low) / 2 for low, high in zip(lows, highs, strict=True)]
    x, y, z = (shrink * side for side in half)
    return (middle[0], middle[1], middle[2]), (x, y, z)


def space_of(grid: Grid) -> float:
    """The space at a lattice point."""
    (a, b, c), (d, e, f), (g, h, i) = grid.basis
    return abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
