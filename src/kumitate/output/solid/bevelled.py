"""Bevelled surfaces for screens: what solid.py makes for printers, by a walk along the edges.

Every face moves in by the inset and draws back from its sides where the surface folds outwards; the
gaps are closed by a strip along each fold and a cap at each corner. Faces in one plane have such a
corner in common: where the folds that bound them meet once they are set back. So flat parts stay
whole, and the surface is closed whatever meets there.

No solids are joined or cut, so it takes milliseconds where solid.py takes a second. Where corners
are simple both are the same; at saddles they differ by less than one sees. Lengths are in lattice
units. Where matter touches only along an edge, the surface parts there. The studio draws pieces
with it, in the browser without NumPy.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import atan2, pi, sqrt
from typing import TYPE_CHECKING, NamedTuple

from kumitate.model.geometry import Vector, cross, dot, subtract
from kumitate.model.shape import Shape
from kumitate.output.scene import Point, crossed, minus, plus, scaled
from kumitate.output.solid.surface import exposed, point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Triangle = tuple[int, int, int]

MOST_SLANT = 3.0  # how far a sharp edge is set back, times the bevel
DIGITS = 9  # by which corners are told apart


class Bevelled(NamedTuple):
    """Triangles, counterclockwise from outside, and a line along the middle of each fold."""

    points: list[Point]
    triangles: list[Triangle]
    folds: list[tuple[Point, Point]]  # start and end


def bevelled(shape: Shape, inset: float = 0.0, bevel: float = 0.0) -> Bevelled:
    """The surface of a shape with bevelled edges; without a bevel, the plain faces.

    >>> from kumitate.model.grids import CUBES
    >>> cube = bevelled(Shape.from_text(CUBES, "#"), inset=0.01, bevel=0.04)
    >>> len(cube.points), len(cube.triangles), len(cube.folds)
    (24, 44, 12)
    """
    rings = [corners for _, corners in exposed(shape)]
    if not rings:
        return Bevelled([], [], [])
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
    middles = [
        tuple(scaled(0.5, plus(places[a], places[b])) for a, b in ((s[1], s[2]), (s[0], s[3])))
        for s in folds
    ]
    points, triangles = _joined(places, [*polygons, *folds, *strips, *caps])
    return Bevelled(points, triangles, [(start, end) for start, end in middles])


def closed(shape: Shape) -> "tuple[NDArray[np.float64], NDArray[np.int32]]":
    """The plain faces as triangles between points; the surface parts where matter only touches.

    So at an edge or a corner where it does there are several points in one place.

    >>> from kumitate.model.grids import CUBES
    >>> points, triangles = closed(Shape.from_text(CUBES, "#./.#"))
    >>> len(points), len(triangles)
    (16, 24)
    """
    import numpy as np

    sides = _Sides(shape, [corners for _, corners in exposed(shape)])
    fans = list(sides.around())
    number = np.empty(len(sides.start), np.int32)
    for corner, fan in enumerate(fans):
        number[fan] = corner
    triangles = [(face[0], one, two) for face in sides.faces for one, two in pairwise(face[1:])]
    return np.array([sides.place[fan[0]] for fan in fans]), number[np.array(triangles)]


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
        self.place: list[Point] = [known[corner] for corner in self.start]
        ends = (known[corner] for corner in self.end)
        ways = [minus(end, start) for start, end in zip(self.place, ends, strict=True)]
        after = (ways[side] for side in self.after)
        self.normal = [_unit(crossed(*pair)) for pair in zip(ways, after, strict=True)]
        self.inwards = [  # within the face
            crossed(normal, _unit(way)) for normal, way in zip(self.normal, ways, strict=True)
        ]
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
            return atan2(-_dot(way, self.normal[side]), _dot(way, self.inwards[side])) % (2 * pi)

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


def _corners(
    sides: _Sides, inset: float, bevel: float
) -> tuple[list[int], list[Point], list[list[int]]]:
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
    places = []
    for here, one, other in bounds:
        m, k = sides.inwards[one], sides.inwards[other]
        s, t = setback[one], setback[other]  # 0 where nothing folds
        along = _dot(m, k)
        slack = 1 - along**2
        if slack > 1e-9:
            a, b = (s - along * t) / slack, (t - along * s) / slack
        else:
            a, b = (s + t) / 2, 0.0
        moved = plus(plus(scaled(a, m), scaled(b, k)), scaled(-inset, sides.normal[one]))
        places.append(plus(sides.place[here], moved))
    return corner, places, caps


def _runs(sides: _Sides, fan: list[int]) -> Iterator[list[int]]:
    """The faces around a corner that lie in one plane, from fold to fold."""
    starts = [n for n, side in enumerate(fan) if sides.folds[side]] or [0]
    turned = fan[starts[0] :] + fan[: starts[0]]
    for first, end in pairwise([*(n - starts[0] for n in starts), len(fan)]):
        yield turned[first:end]


def _straight(sides: _Sides, one: int, other: int) -> bool:
    return _dot(sides.inwards[one], sides.inwards[other]) > 1 - 1e-9


def _setbacks(sides: _Sides, inset: float, bevel: float) -> list[float]:
    """How far each face draws back from each of its sides; not at all where nothing folds."""
    found = []
    for normal, twin in zip(sides.normal, sides.twin, strict=True):
        other = sides.normal[twin]
        across = crossed(normal, other)
        slant = sqrt(_dot(across, across)) / max(1 + _dot(normal, other), 1e-9)
        outwards = _dot(normal, sides.inwards[twin]) < 0
        found.append(min(slant, MOST_SLANT) * (inset + bevel if outwards else -inset))
    return found


def _joined(places: list[Point], polygons: list[list[int]]) -> tuple[list[Point], list[Triangle]]:
    """Polygons as triangles between places; places that are the same become one."""
    rounded = [
        (round(x, DIGITS) + 0.0, round(y, DIGITS) + 0.0, round(z, DIGITS) + 0.0)
        for x, y, z in places
    ]
    points = sorted(set(rounded))
    number = {place: n for n, place in enumerate(points)}
    numbers = [number[place] for place in rounded]
    fans = ((numbers[p[0]], numbers[b], numbers[c]) for p in polygons for b, c in pairwise(p[1:]))
    return points, [(a, b, c) for a, b, c in fans if a != b != c != a]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _unit(v: Point) -> Point:
    return scaled(1 / sqrt(_dot(v, v)), v)
