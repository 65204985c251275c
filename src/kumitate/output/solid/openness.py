"""How open a surface is at its points: what ambient occlusion is baked from.

The part of a small sphere about a point that lies outside the shape is a half on a flat side, more
on a ridge, and less in a nook, where less light comes in. It is counted by directions spread evenly
over the sphere; only the shape's own cells count, since pieces move.
"""

import numpy as np
from numpy.typing import NDArray

from kumitate.model.shape import Shape
from kumitate.output.scene import cell_centre, corners_of
from kumitate.output.solid.surface import faces_of

Array = NDArray[np.float64]

DIRECTIONS = 64
PART = 0.6  # the radius of the sphere, as a part of that of the smallest cell
SLACK = 1e-6


def openness(shape: Shape, points: Array) -> Array:
    """For each point the part of its surroundings that is free, from 0 to 1; not of balls.

    >>> from kumitate.model.grids import CUBES
    >>> ell = Shape.from_text(CUBES, "##/#.")
    >>> openness(ell, np.array([(0.5, 0.5, 1.0), (1.0, 1.0, 0.5), (2.0, 1.0, 1.0)])).round(1)
    array([0.5, 0.3, 0.9])
    """
    directions = _directions()
    taken = np.zeros((len(points), len(directions)), bool)
    solids = [_half_spaces(shape, tile) for tile in range(len(shape.grid.tiles))]
    ball = PART * min(radius for _, _, radius in solids)
    for cell in shape.cells:
        normals, reach, radius = solids[cell[3]]
        away = points - np.array(cell_centre(shape.grid, cell))
        near = np.flatnonzero((away**2).sum(axis=1) <= (radius + ball) ** 2)
        around = away[near, None] + ball * directions
        taken[near] |= (around @ normals.T <= reach + SLACK).all(axis=2)
    return np.asarray(1 - taken.mean(axis=1))


def _half_spaces(shape: Shape, tile: int) -> tuple[Array, Array, float]:
    """The normals of a tile's sides, how far they are from its middle, and its radius."""
    cell = (0, 0, 0, tile)
    middle = np.array(cell_centre(shape.grid, cell))
    faces = faces_of(Shape(shape.grid, {cell}))
    normals = np.array([face.normal for face in faces])
    corners = np.array([face.corners[0] for face in faces])
    reach = (normals * (corners - middle)).sum(axis=1)
    far = np.linalg.norm(np.array(corners_of(shape.grid, cell)) - middle, axis=1)
    return normals, reach, float(far.max())


def _directions() -> Array:
    """A spiral from pole to pole, every turn as far from the next as its points are apart."""
    number = np.arange(DIRECTIONS) + 0.5
    up = 1 - 2 * number / DIRECTIONS
    angle = np.pi * (1 + np.sqrt(5)) * number
    out = np.sqrt(1 - up**2)
    return np.stack([out * np.cos(angle), out * np.sin(angle), up], axis=1)
