"""From where pictures are drawn: from the front, a little from the right and from above."""

from functools import cache
from math import cos, dist, radians, sin

from kumitate.model.grid import Grid
from kumitate.output.scene import Matrix, Point, crossed, in_space, minus, scaled
from kumitate.output.solid.surface import face_rings

AZIMUTH = 32  # degrees to the right of the front, or near it where that shows a face edge on
ELEVATION = 28
GRAZING = 0.16  # faces that the eye sees flatter than this look like slivers


@cache
def view_of(grid: Grid) -> Matrix:
    """A turn of space: its columns are the directions to the right, up and towards the eye."""
    normals = [normal for tile in normals_of(grid) for normal in tile]
    angles = sorted(range(10, 56), key=lambda angle: abs(angle - AZIMUTH))

    def flattest(angle: int) -> float:
        towards = [row[2] for row in _view(angle)]
        seen = (sum(a * b for a, b in zip(n, towards, strict=True)) for n in normals)
        return min(map(abs, seen), default=1.0)

    good = (angle for angle in angles if flattest(angle) >= GRAZING)
    angle = next(good, None)
    return _view(max(angles, key=flattest) if angle is None else angle)


def _view(azimuth: float) -> Matrix:
    a, e = radians(azimuth), radians(ELEVATION)
    return (
        (cos(a), -sin(a) * sin(e), sin(a) * cos(e)),
        (sin(a), cos(a) * sin(e), -cos(a) * cos(e)),
        (0.0, cos(e), sin(e)),
    )


def normals_of(grid: Grid) -> list[list[Point]]:
    """For each tile the unit normals of its faces in space."""
    found: list[list[Point]] = []
    for rings in () if grid.balls else face_rings(grid):
        found.append([])
        for ring, _ in rings:
            a, b, c = (in_space(grid, corner) for corner in ring[:3])
            normal = crossed(minus(b, a), minus(c, b))
            found[-1].append(scaled(1 / dist(normal, (0, 0, 0)), normal))
    return found
