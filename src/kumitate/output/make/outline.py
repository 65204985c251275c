"""Outlines: what a layer of cells looks like from above, as closed loops of straight lines.

A loop has the material on its left: the outer ones run counterclockwise, holes clockwise. Which
edges are outside is decided in whole numbers; only then do corners become places in space. Where
two cells touch at a corner only, loops do not cross: the corner belongs to each cell alone.
"""

from functools import cache
from itertools import pairwise
from math import atan2, hypot

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector, add, times
from kumitate.model.grid import Grid
from kumitate.model.grids import GRIDS
from kumitate.model.shape import Shape
from kumitate.model.text import layers_of
from kumitate.output.scene import in_space

Spot = tuple[float, float]
Loop = tuple[Spot, ...]


def require_layers(grid: Grid) -> None:
    """Refuse a grid whose cells are not upright prisms in layers."""
    if not _layered(grid):
        known = [name for name, some in GRIDS.items() if _layered(some)]
        raise PuzzleError(
            f"the grid {grid.name!r} cannot be cut from sheets;"
            f" {', '.join(known[:-1])} and {known[-1]} can"
        )


def cut_in_layers(shape: Shape) -> list[Shape]:
    """Its layers, the bottom one first.

    >>> from kumitate.model.grids import CUBES
    >>> [str(layer) for layer in cut_in_layers(Shape.from_text(CUBES, "## .#"))]
    ['##', '#']
    """
    require_layers(shape.grid)
    return [shape.restricted(cells) for cells in layers_of(shape.grid, shape.cells)]


def outline(layer: Shape) -> list[Loop]:
    """The loops about the cells of one connected layer, in space, the outer one first.

    >>> from kumitate.model.grids import CUBES
    >>> outline(Shape.from_text(CUBES, "##"))
    [((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0))]
    """
    grid = layer.grid
    edges = _outer_edges(layer)
    left = [(a, b) for a, ends in edges.items() for b in ends]
    loops = []
    while left:
        path = [left[0]]
        while True:
            a, b = path[-1]
            # Of several ways on, the sharpest to the left stays with the same cell.
            ways = ((b, c) for c in edges[b])
            after = max(ways, key=lambda way: _left_turn(grid, a, *way))
            if after == path[0]:
                break
            path.append(after)
        done = set(path)
        left = [edge for edge in left if edge not in done]
        ring = _corners(grid, [a for a, _ in path])
        loops.append(tuple(_spot(grid, corner) for corner in ring))
    return sorted(loops, key=area, reverse=True)


def area(loop: Loop) -> float:
    """What a loop encloses, less than nothing for a hole.

    >>> area(((0, 0), (2, 0), (2, 1), (0, 1)))
    2.0
    """
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise((*loop, loop[0]))) / 2


def shrunk(loop: Loop, by: float) -> Loop:
    """Every side moved into the material by so much, out of it if negative; corners stay sharp.

    >>> shrunk(((0, 0), (9, 0), (9, 9), (0, 9)), 1)
    ((1.0, 1.0), (8.0, 1.0), (8.0, 8.0), (1.0, 8.0))
    """
    moved = []
    for a, b, c in zip((loop[-1], *loop[:-1]), loop, (*loop[1:], loop[0]), strict=True):
        (x1, y1), (x2, y2) = _inwards(a, b), _inwards(b, c)
        k = by / (1 + x1 * x2 + y1 * y2)
        moved.append((b[0] + k * (x1 + x2), b[1] + k * (y1 + y2)))
    return tuple(moved)


@cache
def half_width(grid: Grid) -> float:
    """The radius of the largest circle within every cell, seen from above: how far shrinking goes.

    >>> from kumitate.model.grids import CUBES
    >>> half_width(CUBES)
    0.5
    """
    widths = []
    for ring in _rings(grid):
        loop = tuple(_spot(grid, corner) for corner in ring)
        x, y = middle(loop)
        for a, b in pairwise((*loop, loop[0])):
            inwards = _inwards(a, b)
            widths.append((x - a[0]) * inwards[0] + (y - a[1]) * inwards[1])
    return min(widths)


def middle(loop: Loop) -> Spot:
    """The mean of its corners."""
    return (sum(x for x, _ in loop) / len(loop), sum(y for _, y in loop) / len(loop))


def middles(layer: Shape) -> list[Spot]:
    """The middle of each of its cells, seen from above."""
    grid = layer.grid
    return [
        middle(tuple(_spot(grid, add(c, _origin(grid, cell[:3]))) for c in _rings(grid)[cell[3]]))
        for cell in sorted(layer.cells)
    ]


# ---- in whole numbers ----


@cache
def _layered(grid: Grid) -> bool:
    """Whether its tiles are upright prisms that stand in layers, each as high as a lattice unit."""
    (_, _, tilt_a), (_, _, tilt_b), (slant_x, slant_y, _) = grid.basis
    if grid.balls or tilt_a or tilt_b or slant_x or slant_y:
        return False
    for tile in grid.tiles:
        foot = {(x, y) for x, y, z in tile if z == 0}
        head = {(x, y) for x, y, z in tile if z == grid.denominator}
        if foot != head or len(tile) != 2 * len(foot):
            return False
    return True


@cache
def _rings(grid: Grid) -> tuple[tuple[Vector, ...], ...]:
    """The foot of each tile: its corners counterclockwise in space."""
    rings = []
    for tile in grid.tiles:
        foot = [corner for corner in tile if corner[2] == 0]
        x, y = middle(tuple(_spot(grid, corner) for corner in foot))
        at = {corner: _spot(grid, corner) for corner in foot}
        rings.append(tuple(sorted(foot, key=lambda c: atan2(at[c][1] - y, at[c][0] - x))))
    return tuple(rings)


def _outer_edges(layer: Shape) -> dict[Vector, list[Vector]]:
    """From each corner the corners where an edge leads that only one cell has."""
    edges: set[tuple[Vector, Vector]] = set()
    for cell in layer.cells:
        origin = _origin(layer.grid, cell[:3])
        ring = [add(corner, origin) for corner in _rings(layer.grid)[cell[3]]]
        for a, b in pairwise((*ring, ring[0])):
            if (b, a) in edges:
                edges.remove((b, a))
            else:
                edges.add((a, b))
    found: dict[Vector, list[Vector]] = {}
    for a, b in sorted(edges):
        found.setdefault(a, []).append(b)
    return found


def _origin(grid: Grid, place: Vector) -> Vector:
    """A lattice point, on the floor, in the whole numbers of the corners."""
    return times(grid.denominator, (place[0], place[1], 0))


def _corners(grid: Grid, ring: list[Vector]) -> list[Vector]:
    """Without those in the middle of a straight side, from the least one on."""
    kept = [
        b
        for a, b, c in zip((ring[-1], *ring[:-1]), ring, (*ring[1:], ring[0]), strict=True)
        if abs(_left_turn(grid, a, b, c)) > 1e-9
    ]
    first = kept.index(min(kept))
    return kept[first:] + kept[:first]


def _left_turn(grid: Grid, a: Vector, b: Vector, c: Vector) -> float:
    """By what angle a path from a by b to c turns to the left."""
    (ax, ay), (bx, by), (cx, cy) = (_spot(grid, corner) for corner in (a, b, c))
    ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
    return atan2(ux * vy - uy * vx, ux * vx + uy * vy)


def _spot(grid: Grid, corner: Vector) -> Spot:
    d = grid.denominator
    x, y, _ = in_space(grid, (corner[0] / d, corner[1] / d, 0))
    return (x, y)


def _inwards(a: Spot, b: Spot) -> Spot:
    """Of length 1, to the left of the way from a to b."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = hypot(x, y)
    return (-y / length, x / length)
