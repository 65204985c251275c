"""Bevelled surfaces for screens: what solid.py makes for printers, by a walk along the edges.

Every face moves in by the inset and draws back from its sides where the surface folds outwards; the
gaps are closed by a strip along each fold and a cap at each corner. Faces in one plane have such a
corner in common: where the folds that bound them meet once they are set back. So flat parts stay
whole, and the surface is closed whatever meets there.

No solids are joined or cut, so it takes a millisecond where solid.py takes a second. Where corners
are simple both are the same; at saddles they differ by less than one sees. Lengths are in lattice
units. Where matter touches only along an edge, the surface parts there.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kumitate.model.geometry import Vector, cross, dot, subtract
from kumitate.model.shape import Shape
from kumitate.output.solid.surface import exposed, point

Array = NDArray[np.float64]

MOST_SLANT = 3.0  # how far a sharp edge is set back, times the bevel
DIGITS = 9  # by which corners are told apart


class Bevelled(NamedTuple):
    """Triangles, counterclockwise from outside, and a line along the middle of each fold."""

    points: Array  # one row a point
    triangles: NDArray[np.int32]
    folds: Array  # start and end: one row of six numbers each


def bevelled(shape: Shape, inset: float = 0.0, bevel: float = 0.0) -> Bevelled:
    """The surface of a shape with bevelled edges; without a bevel, the plain faces.

    >>> from kumitate.model.grids import CUBES
    >>> cube = bevelled(Shape.from_text(CUBES, "#"), inset=0.01, bevel=0.04)
    >>> len(cube.points), len(cube.triangles), len(cube.folds)
    (24, 44, 12)
    """
    rings = [corners for _, corners in exposed(shape)]
    if not rings:
        return Bevelled(np.zeros((0, 3)), np.zeros((0, 3), np.int32), np.zeros((0, 6)))
    sides = _Sides(shape, rings)
    corner, places, caps = _corners(sides, inset, bevel)
    polygons = [[corner[side] for side in face] for face in sides.faces]
    folds, strips = [], []
    for side, twin in enumerate(sides.twin):
        ends = (sides.after[side], side, sides.after[twin], twin)
        strip = [corner[end] for end in ends]
        if side < twin and sides.folds[side]:
            folds.append(strip)
        elif side < twin and (strip[1] != strip[2] or strip[3] != strip[0]):
            strips.append(strip)
    across = places[np.array(folds, int).reshape(-1, 4)]
    middles = [across[:, [1, 2]].mean(axis=1), across[:, [0, 3]].mean(axis=1)]
    points, triangles = _joined(places, [*polygons, *folds, *strips, *caps])
    return Bevelled(points, triangles, np.concatenate(middles, axis=1))


def closed(shape: Shape) -> tuple[Array, NDArray[np.int32]]:
    """The plain faces as triangles between points; the surface parts where matter only touches.

    So at an edge or a corner where it does there are several points in one place.

    >>> from kumitate.model.grids import CUBES
    >>> points, triangles = closed(Shape.from_text(CUBES, "#./.#"))
    >>> len(points), len(triangles)
    (16, 24)
    """
    sides = _Sides(shape, [corners for _, corners in exposed(shape)])
    fans = list(sides.around())
    number = np.empty(len(sides.start), np.int32)
    for corner, fan in enumerate(fans):
        number[fan] = corner
    triangles = [(face[0], one, two) for face in sides.faces for one, two in pairwise(face[1:])]
    return sides.place[[fan[0] for fan in fans]], number[np.array(triangles)]


class _Sides:
    """The sides of all faces, by number: each runs counterclockwise about its face."""

    def __init__(self, shape: Shape, rings: list[tuple[Vector, ...]]) -> None:
        self.start: list[Vector] = [corner for ring in rings for corner in ring]
        self.end: list[Vector] = [c for ring in rings for c in (*ring[1:], ring[0])]
        self.faces: list[range] = []
        self.after: list[int] = []
        self.before: list[int] = []
        self.plane: list[Vector] = []  # the normal of its face in whole numbers
        for ring in rings:
            first, size = len(self.after), len(ring)
            self.faces.append(range(first, first + size))
            self.after += [*range(first + 1, first + size), first]
            self.before += [first + size - 1, *range(first, first + size - 1)]
            normal = cross(subtract(ring[1], ring[0]), subtract(ring[2], ring[1]))
            self.plane += [normal] * size
        known = {corner: point(shape.grid, corner) for corner in set(self.start)}
        self.place: Array = np.array([known[corner] for corner in self.start])
        way = np.array([known[corner] for corner in self.end]) - self.place
        self.normal = _unit(np.cross(way, way[self.after]))
        self.inwards = np.cross(self.normal, _unit(way))  # within the face
        self.twin = self._twins()
        self.folds = [self._folded(side, twin) for side, twin in enumerate(self.twin)]

    def _twins(self) -> list[int]:
        """The side of another face that runs the other way, with matter between the two."""
        running: dict[tuple[Vector, Vector], list[int]] = {}
        for side, ends in enumerate(zip(self.start, self.end, strict=True)):
            running.setdefault(ends, []).append(side)
        found = []
        for side, (start, end) in enumerate(zip(self.start, self.end, strict=True)):
            others = running[end, start]
            found.append(others[0] if len(others) == 1 else self._nearest(side, others))
        return found

    def _nearest(self, side: int, others: list[int]) -> int:
        """The first that is met when this face turns about its side, into the matter."""

        def angle(other: int) -> float:
            way = self.inwards[other]
            turned = np.arctan2(-way @ self.normal[side], way @ self.inwards[side])
            return float(turned % (2 * np.pi))

        return min(others, key=angle)

    def _folded(self, side: int, twin: int) -> bool:
        a, b = self.plane[side], self.plane[twin]
        return a != b and (cross(a, b) != (0, 0, 0) or dot(a, b) < 0)

    def around(self) -> Iterator[list[int]]:
        """For each corner of the surface the sides that begin there, one after the other."""
        seen = [False] * len(self.start)
        for first in range(len(seen)):
            side, fan = first, []
            while not seen[side]:
                seen[side] = True
                fan.append(side)
                side = self.twin[self.before[side]]
            if fan:
                yield fan


def _corners(sides: _Sides, inset: float, bevel: float) -> tuple[list[int], Array, list[list[int]]]:
    """For each side the number of the place where it begins, the places, and the caps of those."""
    setback = _setbacks(sides, inset, bevel)
    corner = [0] * len(sides.start)
    bounds: list[tuple[int, int, int]] = []  # of each place: where it is, the folds that meet there
    caps = []
    for fan in sides.around():
        cap = []
        for run in _runs(sides, fan):
            one, other = run[0], sides.before[run[-1]]
            if not sides.folds[one]:  # flat all around
                parts = [(run, one, one)]
            elif _straight(sides, one, other) and abs(setback[one] - setback[other]) > 1e-9:
                half = len(run) // 2  # a bevel that ends where a groove begins
                parts = [(run[:half], one, one), (run[half:], other, other)]
            else:
                parts = [(run, one, other)]
            for part, first, last in parts:
                for side in part:
                    corner[side] = len(bounds)
                cap.append(len(bounds))
                bounds.append((fan[0], first, last))
        caps.append(cap)
    here, one, other = np.array(bounds).T
    m, k = sides.inwards[one], sides.inwards[other]
    s, t = setback[one], setback[other]  # 0 where nothing folds
    along = np.einsum("ij,ij->i", m, k)
    slack = 1 - along**2
    bent = slack > 1e-9
    free = np.where(bent, slack, 1)
    a = np.where(bent, (s - along * t) / free, (s + t) / 2)
    b = np.where(bent, (t - along * s) / free, 0)
    moved = a[:, None] * m + b[:, None] * k - inset * sides.normal[one]
    return corner, sides.place[here] + moved, caps


def _runs(sides: _Sides, fan: list[int]) -> Iterator[list[int]]:
    """The faces around a corner that lie in one plane, from fold to fold."""
    starts = [n for n, side in enumerate(fan) if sides.folds[side]] or [0]
    turned = fan[starts[0] :] + fan[: starts[0]]
    for first, end in pairwise([*(n - starts[0] for n in starts), len(fan)]):
        yield turned[first:end]


def _straight(sides: _Sides, one: int, other: int) -> bool:
    return float(sides.inwards[one] @ sides.inwards[other]) > 1 - 1e-9


def _setbacks(sides: _Sides, inset: float, bevel: float) -> Array:
    """How far each face draws back from each of its sides; not at all where nothing folds."""
    normal, twin = sides.normal, np.array(sides.twin)
    cosine = np.einsum("ij,ij->i", normal, normal[twin])
    sine = np.linalg.norm(np.cross(normal, normal[twin]), axis=1)
    outwards = np.einsum("ij,ij->i", normal, sides.inwards[twin]) < 0
    slant = np.minimum(sine / np.maximum(1 + cosine, 1e-9), MOST_SLANT)
    return np.asarray(slant * np.where(outwards, inset + bevel, -inset))


def _joined(places: Array, polygons: list[list[int]]) -> tuple[Array, NDArray[np.int32]]:
    """Polygons as triangles between places; places that are the same become one."""
    fans = [(p[0], b, c) for p in polygons for b, c in pairwise(p[1:])]
    points, number = np.unique(np.round(places, DIGITS) + 0.0, axis=0, return_inverse=True)
    triangles = number.reshape(-1)[np.array(fans, int).reshape(-1, 3)]
    a, b, c = triangles.T
    return points, triangles[(a != b) & (b != c) & (c != a)].astype(np.int32)


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
