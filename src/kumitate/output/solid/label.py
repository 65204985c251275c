"""The name of a piece, engraved where there is most room for it on its flat faces.

Faces in one plane may carry a name together. A line of letters is tried through the middle of each
face, along each of its sides: how far it may reach is found by walking both ways in small steps as
long as the whole height of the line lies on faces of that plane.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from manifold3d import Manifold, OpType
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.model.shape import Shape
from kumitate.output.make.strokes import HEIGHT, strokes_of, width_of
from kumitate.output.solid.print_options import PrintOptions
from kumitate.output.solid.surface import Face, faces_of

Array = NDArray[np.float64]

DEEP = 0.5  # mm, and half of a thin wall at most
PEN = 0.11  # of the height of a letter: half the width of its strokes
LEAST = 2.0  # mm: how high letters must be to be read
MOST = 8.0  # mm
PART = 0.55  # of the smallest way across a face
STEP = 0.05  # of the height of a line
PLANES = 4  # with the most faces are looked at


class _Line(NamedTuple):
    """Where a line of letters may stand: its middle, the way it runs, its normal, its length."""

    middle: Array
    way: Array
    normal: Array
    length: float


def letters(shape: Shape, options: PrintOptions, unit: Array) -> Manifold:
    """The solid to cut away for the name; empty if the piece has no name."""
    wide = width_of(shape.name)
    if not wide:
        return Manifold()
    faces = faces_of(shape)
    if not faces:
        raise PuzzleError("names are engraved on flat faces, and balls have none; leave out label")
    margin = options.inset + options.bevel
    height = min(PART * min(_across(face, unit) for face in faces) - margin, MOST)
    line = max(_lines(faces, unit, height, margin), key=lambda line: round(line.length, 6))
    size = min(height, line.length / (wide / HEIGHT + 2 * PEN))
    if size < LEAST:
        raise PuzzleError(
            f"piece {shape.name!r}: its name would be {size:.1f} mm high, too small to read"
            f" (less than {LEAST:g} mm); choose a larger unit or a shorter name"
        )
    return _cut(shape.name, line, size, options)


def _across(face: Face, unit: Array) -> float:
    """The least distance from a face's middle to its sides, twice."""
    corners = np.array(face.corners) * unit
    return 2 * float(_inside(corners, np.array(face.normal), corners.mean(axis=0)[None])[0])


def _inside(corners: Array, normal: Array, points: Array) -> Array:
    """How deep points lie within a convex polygon of their plane; negative outside."""
    sides = np.roll(corners, -1, axis=0) - corners
    inwards = np.cross(normal, sides)
    inwards /= np.linalg.norm(inwards, axis=1, keepdims=True)
    depths: Array = np.einsum("psi,si->ps", points[:, None] - corners, inwards).min(axis=1)
    return depths


def _lines(faces: list[Face], unit: Array, height: float, margin: float) -> Iterator[_Line]:
    planes: dict[tuple[float, ...], list[Face]] = {}
    for face in faces:
        offset = sum(a * b for a, b in zip(face.normal, face.corners[0], strict=True))
        key = tuple(round(part, 5) + 0.0 for part in (*face.normal, offset))
        planes.setdefault(key, []).append(face)
    for together in sorted(planes.values(), key=len)[-PLANES:]:
        normal = np.array(together[0].normal)
        polygons = [np.array(face.corners) * unit for face in together]
        for polygon in polygons:
            for way in _ways(polygon):
                yield _longest(polygons, normal, polygon.mean(axis=0), way, height, margin)


def _ways(polygon: Array) -> list[Array]:
    """The directions of its sides, each once; a line may be read either way."""
    sides = np.roll(polygon, -1, axis=0) - polygon
    ways: list[Array] = []
    for way in sides / np.linalg.norm(sides, axis=1, keepdims=True):
        if not any(abs(way @ other) > 0.999 for other in ways):
            ways.append(way)
    return ways


def _longest(
    polygons: list[Array], normal: Array, middle: Array, way: Array, height: float, margin: float
) -> _Line:
    """The line through a middle, as far as it may reach both ways."""
    up = np.cross(normal, way)
    step = STEP * height
    far = max(np.linalg.norm(polygon - middle, axis=1).max() for polygon in polygons)
    reach = step * np.arange(1, 2 + int(far / step))
    ends = []
    for sense in (1.0, -1.0):
        row = middle + sense * reach[:, None] * way
        edge = [row + across * (height / 2) * up for across in (-1, 0, 1)]
        on = np.all([_on(polygons, normal, points) for points in edge], axis=0)
        steps = int(np.argmin(on)) if not on.all() else len(on)
        ends.append(max(0.0, steps * step - margin))
    ahead, behind = ends
    return _Line(middle + (ahead - behind) / 2 * way, way, normal, ahead + behind)


def _on(polygons: list[Array], normal: Array, points: Array) -> NDArray[np.bool_]:
    found = np.zeros(len(points), dtype=bool)
    for polygon in polygons:
        found |= _inside(polygon, normal, points) > -1e-6
    return found


def _cut(name: str, line: _Line, size: float, options: PrintOptions) -> Manifold:
    """The strokes of the letters as rods with flat ends, sunk into the face."""
    scale, pen = size / HEIGHT, PEN * size
    deep = DEEP if options.wall is None else min(DEEP, options.wall / 2)
    left = -width_of(name) * scale / 2
    up = np.cross(line.normal, line.way)
    dot = Manifold.cylinder(2 * deep, pen, circular_segments=12, center=True)
    parts = []
    for stroke in strokes_of(name):
        places = [(left + scale * x, scale * (y - HEIGHT / 2), 0.0) for x, y in stroke]
        dots = [dot.translate(place) for place in places]
        pairs = zip(dots, dots[1:] or dots, strict=False)
        parts += [Manifold.batch_hull([a, b]) for a, b in pairs]
    surface = line.middle - options.inset * line.normal
    frame = np.column_stack([line.way, up, line.normal, surface])
    return Manifold.batch_boolean(parts, OpType.Add).transform(frame)
