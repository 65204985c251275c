"""Convex hulls that are proved.

manifold3d finds hulls fast, but now and then wrongly when many points lie in one plane, as in sums
of polygons and polytopes they mostly do. So each hull is checked, and tried again turned some other
way, where other roundings happen, until no point lies outside; at worst the best is taken.
"""

import numpy as np
from manifold3d import Manifold, Mesh64
from numpy.typing import NDArray

Array = NDArray[np.float64]

FLAT = 1e-7  # mm: points this near to a plane lie in it
NEAR = 1e-3  # mm: the most that is let pass where no way is better
NEEDLE = 1e-5  # mm: triangles of less height say nothing of a plane
TURNS = 12


def hull(points: Array) -> Manifold:
    """The convex hull of points.

    >>> round(hull(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 6.0]])).volume(), 9)
    1.0
    """
    best, least = Manifold(), np.inf
    for number in range(TURNS):
        turn = _rotation(number)
        mesh = Manifold.hull_points(np.ascontiguousarray(points @ turn)).to_mesh64()
        corners = np.asarray(mesh.vert_properties)[:, :3] @ turn.T
        triangles = np.array(mesh.tri_verts, dtype=np.uint64)
        outside = _outside(corners[triangles], points)
        if outside < least:
            best, least = Manifold(Mesh64(np.ascontiguousarray(corners), triangles)), outside
        if least < FLAT:
            break
    assert least < NEAR, f"no hull was found; points lie {least} mm outside"
    return best


def _rotation(number: int) -> Array:
    """One of many rotations; number 0 changes nothing."""
    turn = np.eye(3)
    for axis in range(3):
        angle = number * (axis + 1) * 0.7368
        one, two = (axis + 1) % 3, (axis + 2) % 3
        about = np.eye(3)
        about[one, one] = about[two, two] = np.cos(angle)
        about[one, two], about[two, one] = -np.sin(angle), np.sin(angle)
        turn = turn @ about
    return turn


def _outside(corners: Array, points: Array) -> float:
    """How far points lie beyond the planes of these triangles, needles left out."""
    sides = np.roll(corners, -1, axis=1) - corners
    normals = np.cross(sides[:, 0], sides[:, 1])
    doubled = np.linalg.norm(normals, axis=1)
    plain = doubled > NEEDLE * np.linalg.norm(sides, axis=2).max(axis=1)
    if not plain.any():
        return np.inf
    normals = normals[plain] / doubled[plain, None]
    heights = points @ normals.T - np.einsum("ij,ij->i", normals, corners[plain, 0])
    return float(heights.max())
