"""The surface of a shape: the faces of its cells that no other of its cells covers.

Which faces those are, and which edges fold, is decided in whole numbers (lattice coordinates times
the denominator); only then do the corners become places in space. Balls have no faces.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from kumitate.model.geometry import (
    Cell,
    Vector,
    add,
    cross,
    dot,
    facets,
    shared_faces,
    subtract,
    times,
)
from kumitate.model.grid import Grid
from kumitate.model.shape import Shape
from kumitate.output.scene import Point, in_space


class Face(NamedTuple):
    """A flat piece of the surface: its corners run counterclockwise seen from outside."""

    corners: tuple[Point, ...]
    normal: Point  # of length 1
    cell: Cell  # whose face it is


class Edge(NamedTuple):
    """A side of some faces; it folds unless it lies within a flat part of the surface."""

    start: Point
    end: Point
    folds: bool


def faces_of(shape: Shape) -> list[Face]:
    """The faces that are seen from outside, or from inside a hole.

    >>> from kumitate.model.grids import CUBES
    >>> len(faces_of(Shape.from_text(CUBES, "##")))
    10
    """
    grid = shape.grid
    return [
        Face(tuple(point(grid, c) for c in corners), _outwards(grid, corners), cell)
        for cell, corners in exposed(shape)
    ]


def edges_of(shape: Shape) -> list[Edge]:
    """The sides of those faces, each once.

    >>> from kumitate.model.grids import CUBES
    >>> edges = edges_of(Shape.from_text(CUBES, "##"))
    >>> len(edges), sum(edge.folds for edge in edges)
    (20, 16)
    """
    grid = shape.grid
    meeting: dict[tuple[Vector, Vector], list[Vector]] = {}
    for _, corners in exposed(shape):
        normal = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[1]))
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            meeting.setdefault((min(a, b), max(a, b)), []).append(normal)
    return [
        Edge(point(grid, a), point(grid, b), not _flat(normals))
        for (a, b), normals in meeting.items()
    ]


def _flat(normals: list[Vector]) -> bool:
    """Whether just two faces meet, in one plane."""
    if len(normals) != 2:
        return False
    a, b = normals
    return cross(a, b) == (0, 0, 0) and dot(a, b) > 0


def exposed(shape: Shape) -> Iterator[tuple[Cell, tuple[Vector, ...]]]:
    """Each face that no other cell of the shape covers, its corners in whole numbers."""
    if shape.grid.balls:
        return
    for cell in sorted(shape.cells):
        x, y, z, tile = cell
        here = times(shape.grid.denominator, (x, y, z))
        for corners, beyond in face_rings(shape.grid)[tile]:
            if not any((x + dx, y + dy, z + dz, t) in shape.cells for dx, dy, dz, t in beyond):
                yield cell, tuple(add(corner, here) for corner in corners)


@cache
def face_rings(grid: Grid) -> tuple[tuple[tuple[tuple[Vector, ...], tuple[Cell, ...]], ...], ...]:
    """For each tile its faces: corners in order, and the cells that have the very same face."""
    shared = shared_faces(grid.tiles, grid.denominator)
    handed = 1 if dot(_integers(grid.basis[0]), cross(*map(_integers, grid.basis[1:]))) > 0 else -1
    return tuple(
        tuple(
            (_ring(tile, facet.corners, times(handed, facet.normal)), tuple(shared.get((t, f), ())))
            for f, facet in enumerate(facets(tile))
        )
        for t, tile in enumerate(grid.tiles)
    )


def _integers(v: Point) -> Vector:
    """A vector of the basis, near enough to tell which hand the basis is."""
    x, y, z = (round(1_000_000 * c) for c in v)
    return (x, y, z)


def _ring(tile: tuple[Vector, ...], on: frozenset[int], normal: Vector) -> tuple[Vector, ...]:
    """The corners of a face in order, counterclockwise about the normal: a convex hull's walk."""
    left = [tile[c] for c in sorted(on)]
    ring = [left[0]]
    while True:
        here = ring[-1]
        # Next comes the corner that all others lie to the left of.
        after = next(
            b
            for b in left
            if b != here
            and all(dot(normal, cross(subtract(b, here), subtract(c, here))) >= 0 for c in left)
        )
        if after == ring[0]:
            return tuple(ring)
        ring.append(after)


def point(grid: Grid, corner: Vector) -> Point:
    d = grid.denominator
    return in_space(grid, (corner[0] / d, corner[1] / d, corner[2] / d))


def _outwards(grid: Grid, corners: tuple[Vector, ...]) -> Point:
    a, b, c = (point(grid, corner) for corner in corners[:3])
    u = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    v = (c[0] - b[0], c[1] - b[1], c[2] - b[2])
    x, y, z = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = (x * x + y * y + z * z) ** 0.5
    return (x / length, y / length, z / length)
