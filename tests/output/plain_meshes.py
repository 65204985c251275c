"""Meshes for tests, made from the surface alone: the plainest way from a shape to triangles."""

from itertools import pairwise

import numpy as np

from kumitate.model.shape import Shape
from kumitate.output.scene import Point, Scene
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.surface import faces_of


def mesh_of(shape: Shape, unit: float = 10, name: str = "", colour: str = "#E69F00") -> Mesh:
    """Fans of triangles over the faces, their equal corners made one."""
    numbers: dict[Point, int] = {}
    triangles = []
    for face in faces_of(shape):
        first, *rest = (
            numbers.setdefault(
                (round(x, 9) + 0.0, round(y, 9) + 0.0, round(z, 9) + 0.0), len(numbers)
            )
            for x, y, z in face.corners
        )
        triangles += [(first, b, c) for b, c in pairwise(rest)]
    points = unit * np.array(list(numbers), dtype=np.float64)
    return Mesh(points, np.array(triangles, dtype=np.int32), name, colour)


def meshes_of(scene: Scene, unit: float = 10) -> list[Mesh]:
    return [mesh_of(body.shape, unit, body.name, body.colour) for body in scene.bodies]


def many_triangles(count: int) -> Mesh:
    """A wavy sheet of at least this many triangles."""
    n = int((count / 2) ** 0.5) + 2
    across = np.arange(n, dtype=np.float64)
    x, y = (axis.ravel() for axis in np.meshgrid(across, across))
    points = np.column_stack([x, y, np.sin(x) + np.cos(y)])
    a = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    triangles = np.vstack(
        [np.column_stack([a, a + 1, a + n]), np.column_stack([a + 1, a + n + 1, a + n])]
    )
    return Mesh(points, triangles.astype(np.int32), "wavy")
