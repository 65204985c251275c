"""Solids: a shape becomes a piece that a printer can make, in millimetres.

Every outer face moves inwards by the inset, then convex edges get a chamfer. Both are sums of sets:

    core    what is left when all faces move in by inset + bevel
    piece   the core with a small polytope about each of its points, whose corners lie one bevel out
            along the normals of the faces: faces come back to the inset, convex edges do not

On cubes the core is a union of cuboids, one for each largest block of cells, and the sum of one and
the polytope is the hull of their corners' sums. Blocks rather than cells and pairs of cells, or
pinholes stay where four cells meet. On other grids the surface of the cells, made thick, is taken
away, and the polytope runs over what is left. Where both ways apply they give the same solid.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
from manifold3d import Manifold, Mesh64, OpType
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES
from kumitate.model.shape import Shape
from kumitate.output.scene import corners_of, in_space, radius_of
from kumitate.output.solid.bevelled import closed
from kumitate.output.solid.clean import LAP, clean, tidy
from kumitate.output.solid.hull import hull
from kumitate.output.solid.label import letters
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.print_options import LARGEST, SMALLEST, PrintOptions, unit_for
from kumitate.output.solid.surface import faces_of

Array = NDArray[np.float64]
Block = tuple[Vector, Vector]

THINNEST = 0.01  # mm: of a wall
_BITS = tuple(product((0, 1), repeat=3))


def made(shape: Shape, options: PrintOptions) -> Mesh:
    """The piece in millimetres, where its cells lie; made near the origin to limit rounding."""
    unit = checked_unit(shape, options)
    raw = clean(raw_solid(shape.at_origin(), options, unit))
    low = [min(cell[i] for cell in shape.cells) for i in range(3)]
    return replace(raw.shifted(np.array(in_space(shape.grid, low)) * unit), name=shape.name)


def raw_solid(shape: Shape, options: PrintOptions, unit: Array) -> Manifold:
    """The same as a solid of manifold3d, for further cuts."""
    raw = _balls(shape, options, unit[0]) if shape.grid.balls else _tiles(shape, options, unit)
    return raw - letters(shape, options, unit) if options.label else raw


# ---- what can be made ----


def checked_unit(shape: Shape, options: PrintOptions) -> Array:
    """The unit along each axis; raises if the piece cannot be made."""

    name = f"piece {shape.name!r}" if shape.name else "the piece"
    if not shape.cells:
        raise PuzzleError(f"{name} has no cells to make")
    if len(shape.components) > 1:
        raise PuzzleError(
            f"{name} falls into {len(shape.components)} parts; only connected pieces can be made"
        )
    chosen = options.unit if options.unit is not None else unit_for([shape])
    unit = np.array(chosen if isinstance(chosen, tuple) else (chosen,) * 3, dtype=float)
    if len(set(unit.tolist())) > 1 and shape.grid != CUBES:
        raise PuzzleError(
            f"only cubes can have different sides, not the cells of {shape.grid.name!r};"
            " give unit one length"
        )
    require_size(unit)
    half = _inradius(shape.grid) * float(unit.min())
    for what, value in (("inset", options.inset), ("bevel", options.bevel)):
        if not value >= 0:
            raise PuzzleError(f"{what} {value:g} mm; give 0 or more")
    if options.inset >= half:
        raise PuzzleError(
            f"inset {options.inset:g} mm leaves nothing of a cell; choose less than {half:.4g} mm"
        )
    for what, given in (("bevel", options.bevel), ("wall", options.wall)):
        room = half - options.inset
        if given is not None and given >= room and not (what == "bevel" and shape.grid.balls):
            closes = "leaves nothing flat" if what == "bevel" else "closes the inside"
            raise PuzzleError(f"{what} {given:g} mm {closes}; choose less than {room:.4g} mm")
    if options.wall is not None and not options.wall >= THINNEST:
        raise PuzzleError(f"wall {options.wall:g} mm; give {THINNEST:g} or more")
    if options.drain is not None and options.wall is None:
        raise PuzzleError("a drain hole needs a hollow piece; choose a wall as well")
    return unit


def require_size(unit: Array) -> None:
    """Refuse cells too small or too large for printers and their files."""
    for side in unit.tolist():
        if not SMALLEST <= side <= LARGEST:
            raise PuzzleError(f"unit {side:g} mm; give {SMALLEST:g} to {LARGEST:g}")


@cache
def _inradius(grid: Grid) -> float:
    """The radius of the largest ball in the smallest tile, for a unit of 1."""

    if grid.balls:
        return radius_of(grid)

    def deepest(planes: Array, offsets: Array) -> float:
        """The most that all planes can move in: the best meeting point of four of them."""

        best = 0.0
        for some in combinations(range(len(planes)), 4):
            system = np.column_stack([planes[list(some)], np.ones(4)])
            if abs(np.linalg.det(system)) > 1e-9:
                *centre, depth = np.linalg.solve(system, offsets[list(some)])
                if (planes @ centre + depth <= offsets + 1e-9).all():
                    best = max(best, float(depth))
        return best

    return min(deepest(*_planes(grid, tile)) for tile in range(len(grid.tiles)))


def _planes(grid: Grid, tile: int) -> tuple[Array, Array]:
    """The normals of a tile's faces and how far out they lie."""

    faces = faces_of(Shape(grid, {(0, 0, 0, tile)}))
    normals = np.array([face.normal for face in faces])
    return normals, np.array([np.dot(face.normal, face.corners[0]) for face in faces])


# ---- tiles ----


def _tiles(shape: Shape, options: PrintOptions, unit: Array) -> Manifold:
    if options.bevel_units and options.bevel:
        made = _cell_by_cell(shape, options, unit)
    else:
        made = _swollen(shape, unit, options.inset + options.bevel, options.bevel)
    if options.wall is None:
        return made
    made -= _swollen(shape, unit, options.inset + options.wall, 0.0)
    return made - _hole(shape, options, unit) if options.drain else made


def _cell_by_cell(shape: Shape, options: PrintOptions, unit: Array) -> Manifold:
    """Chamfered cells that meet at their faces, joined by what lies deeper than the chamfers."""

    bevel = options.bevel + options.inset + LAP  # of which the inset takes its part
    cells = [
        _swollen(Shape(shape.grid, {cell}), unit, bevel, bevel + LAP)
        for cell in sorted(shape.cells)
    ]
    seen = Manifold.batch_boolean(cells, OpType.Add) ^ _swollen(shape, unit, options.inset, 0.0)
    return seen + _swollen(shape, unit, options.inset + options.bevel, 0.0)


def _swollen(shape: Shape, unit: Array, by: float, bevel: float) -> Manifold:
    """The shape with its faces moved in, then out again by the bevel with chamfered edges."""

    normals = _normals(shape.grid)
    if shape.grid == CUBES:
        return _cuboids(shape, unit, by, bevel * normals)
    core = _core(shape, unit, by)
    return _sum(core, bevel * normals) if bevel else core


def _core(shape: Shape, unit: Array, by: float) -> Manifold:
    """All points at least this far from the outside along every normal of the grid."""
    points, triangles = closed(shape)
    whole = tidy(Manifold(Mesh64(points * unit, triangles.astype(np.uint64))))
    if not by:
        return whole
    tiles = [np.array(face.corners) * unit for face in faces_of(shape)]
    fewer = min(_triangles(whole), tiles, key=len)  # in the whole those of one plane are joined
    return tidy(whole - _thick(fewer, by * _reach(shape.grid)))


def _sum(core: Manifold, spikes: Array) -> Manifold:
    """All sums of a point of the core and one of the polytope."""
    return core + _thick(_triangles(core), spikes)


def _triangles(solid: Manifold) -> list[Array]:
    mesh = solid.to_mesh64()
    return list(np.asarray(mesh.vert_properties)[:, :3][np.asarray(mesh.tri_verts)])


def _thick(faces: Sequence[Array], polytope: Array) -> Manifold:
    """A surface of convex faces made thick: a polytope runs over every face."""
    parts = [hull((corners[:, None] + polytope).reshape(-1, 3)) for corners in faces]
    return Manifold.batch_boolean(parts, OpType.Add)


def _cuboids(shape: Shape, unit: Array, by: float, spikes: Array) -> Manifold:

    parts = []
    for low, high in blocks_of({(x, y, z) for x, y, z, _ in shape.cells}):
        ends = np.stack([np.array(low) * unit + by, np.array(high) * unit - by])
        corners = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i, j, k in _BITS])
        parts.append(hull((corners[:, None] + spikes).reshape(-1, 3)))
    return Manifold.batch_boolean(parts, OpType.Add)


def blocks_of(cells: set[Vector]) -> list[tuple[Vector, Vector]]:
    """The blocks of cells that no larger one holds, each from a corner to the one beyond its last.

    >>> blocks_of({(0, 0, 0), (1, 0, 0), (0, 1, 0)})
    [((0, 0, 0), (1, 2, 1)), ((0, 0, 0), (2, 1, 1))]
    """
    todo = [(cell, _plus_one(cell)) for cell in sorted(cells)]
    seen, largest = set(todo), []
    while todo:
        low, high = todo.pop()
        grown = [
            larger
            for larger, added in _one_layer_more(low, high)
            if all(cell in cells for cell in product(*map(range, *added)))
        ]
        if not grown:
            largest.append((low, high))
        for block in grown:
            if block not in seen:
                seen.add(block)
                todo.append(block)
    return sorted(largest)


def _plus_one(cell: Vector) -> Vector:
    return (cell[0] + 1, cell[1] + 1, cell[2] + 1)


def _one_layer_more(low: Vector, high: Vector) -> Iterator[tuple[Block, Block]]:
    """The block with a layer added on each of its six sides, and that layer."""
    for axis in range(3):
        below, above = list(low), list(high)
        below[axis] -= 1
        above[axis] += 1
        top, bottom = list(low), list(high)
        top[axis], bottom[axis] = high[axis], low[axis]
        yield (_vector(below), high), (_vector(below), _vector(bottom))
        yield (low, _vector(above)), (_vector(top), _vector(above))


def _vector(numbers: Sequence[int]) -> Vector:
    x, y, z = numbers
    return (x, y, z)


@cache
def _normals(grid: Grid) -> Array:
    """The directions in which faces of the grid look, and their opposites."""

    found: dict[tuple[float, ...], Array] = {}
    for tile in range(len(grid.tiles)):
        for normal in _planes(grid, tile)[0]:
            for way in (normal, -normal):
                found.setdefault(tuple((np.round(way, 6) + 0.0).tolist()), way)
    return np.array([found[key] for key in sorted(found)])


@cache
def _reach(grid: Grid) -> Array:
    """The corners of the polytope whose faces lie 1 out along every normal."""

    polytope = Manifold.cube((8, 8, 8), center=True)
    for x, y, z in _normals(grid).tolist():
        polytope = polytope.trim_by_plane((-x, -y, -z), -1.0)
    return np.array(polytope.to_mesh64().vert_properties[:, :3])


def _hole(shape: Shape, options: PrintOptions, unit: Array) -> Manifold:
    """A round hole into the hollow, from the middle of the lowest face."""

    assert options.drain is not None
    assert options.wall is not None
    face = min(
        faces_of(shape),
        key=lambda f: (round(f.normal[2], 6), min(c[2] for c in f.corners), f.corners),
    )
    corners = np.array(face.corners) * unit
    middle, normal = corners.mean(axis=0), np.array(face.normal)
    sides = np.roll(corners, -1, axis=0) - corners
    inwards = np.cross(normal, sides)
    inwards /= np.linalg.norm(inwards, axis=1, keepdims=True)
    room = float(((middle - corners) * inwards).sum(axis=1).min()) - options.inset - options.bevel
    most = 2 * min(room, room + options.bevel - options.wall)
    if not 0 < options.drain < most:
        raise PuzzleError(
            f"drain {options.drain:g} mm does not fit a face;"
            f" give more than 0, less than {most:.3g}"
        )
    deep = options.inset + 2 * options.wall
    hole = Manifold.cylinder(2 * deep, options.drain / 2, circular_segments=48, center=True)
    return hole.transform(_frame(normal, middle))


def _frame(up: Array, origin: Array) -> Array:
    """The 3 x 4 matrix that takes z up to a direction and 0 to an origin."""

    aside = np.eye(3)[np.abs(up).argmin()]
    x = np.cross(aside, up)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(up, x), up, origin])


# ---- balls ----


def _balls(shape: Shape, options: PrintOptions, unit: float) -> Manifold:
    """Balls, smaller by the inset, and necks between those that touch."""

    radius = radius_of(shape.grid) * unit
    neck = options.neck * radius
    most = _neck_room(shape.grid) * unit - options.inset
    if len(shape.cells) > 1 and not 0 < neck <= most:
        raise PuzzleError(
            f"neck {options.neck:g} of a ball; give more than 0 and at most {most / radius:.3g},"
            " or necks meet balls beside them"
        )
    if options.label:
        raise PuzzleError("names are engraved on flat faces, and balls have none; leave out label")
    made = _beads(shape, unit, radius - options.inset, neck)
    if options.wall is None:
        return made
    made -= _beads(
        shape, unit, radius - options.inset - options.wall, max(0.0, neck - options.wall)
    )
    if options.drain is None:
        return made
    if not 0 < options.drain < radius:
        raise PuzzleError(
            f"drain {options.drain:g} mm does not fit a ball;"
            f" give more than 0, less than {radius:.3g}"
        )

    x, y, z = min((corners_of(shape.grid, cell)[0] for cell in shape.cells), key=lambda c: c[::-1])
    hole = Manifold.cylinder(radius, options.drain / 2, circular_segments=48)
    return made - hole.translate((x * unit, y * unit, z * unit - radius))


def _beads(shape: Shape, unit: float, radius: float, neck: float) -> Manifold:

    centres = {c: np.array(corners_of(shape.grid, c)[0]) * unit for c in sorted(shape.cells)}
    ball = Manifold.sphere(radius, circular_segments=64)
    parts = [ball.translate(centre) for centre in centres.values()]
    for cell, centre in centres.items():
        for other in sorted(shape.neighbours(cell)):
            if neck and cell < other and other in centres:
                way = centres[other] - centre
                long = float(np.linalg.norm(way))
                rod = Manifold.cylinder(long, neck, circular_segments=48)
                parts.append(rod.transform(_frame(way / long, centre)))
    return Manifold.batch_boolean(parts, OpType.Add)


@cache
def _neck_room(grid: Grid) -> float:
    """How thick (in radius) necks may be to miss other balls and, halfway, other necks.

    In a lattice they come nearest at their ends, thirds or middles.
    """
    part = np.linspace(0, 1, 13)[:, None]
    ways = [np.array(in_space(grid, (x, y, z))) for x, y, z, _ in grid.neighbours[0]]
    near = [np.array(in_space(grid, v)) for v in product(range(-2, 3), repeat=3)]
    neck = part * ways[0]
    ends = (np.zeros(3), ways[0])
    others = [centre for centre in near if not any(np.allclose(centre, end) for end in ends)]
    gaps = [np.linalg.norm(neck - centre, axis=1).min() - radius_of(grid) for centre in others]
    for centre, way in product(others, ways):
        if not any(np.allclose(centre + way, end) for end in ends):
            between = np.linalg.norm(neck[:, None] - (centre + part * way), axis=2)
            gaps.append(between.min() / 2)
    return float(min(gaps))
