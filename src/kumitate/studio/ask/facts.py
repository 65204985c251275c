"""What there is to say of a shape, in words: how large, in how many parts, how symmetric, how made.

Holes are found by counting (Euler and Poincare). Within a shape, cells are joined where they share
a face, and whatever touches the outside at an edge or a corner is open; so
parts - ways through + hollows = cells - shared faces + edges it is full around - corners likewise.
"""

from collections import Counter
from collections.abc import Iterator, Set
from functools import cache
from importlib.util import find_spec
from math import prod

from kumitate.model.burr_sticks import kaenel_number
from kumitate.model.geometry import Cell, Vector, edges, modulo_lattice, subtract, times, triples
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES
from kumitate.model.numbers import count_of
from kumitate.model.shape import Shape, shift_cell
from kumitate.workshop import millable, notchable

MOST_TURNED = 4000  # cells of a shape that is turned in every way
MOST_ROOM = 20_000  # cells around a shape among which hollows are looked for
MOST_WOOD = 1_000_000  # cells of the stick that it would be cut from


def facts(shape: Shape) -> list[str]:
    """Sentences about a shape.

    >>> facts(Shape.from_text(CUBES, "##/#."))
    ['3 cells, connected, looks the same in 2 orientations.', 'Can be sawn.']
    >>> facts(Shape.from_text(CUBES, "### ### ###/### #.# #+#/### ### ###"))[1:]
    ['1 cell optional.', 'It encloses a hollow.']
    """
    if not shape.cells:
        return ["No cells yet."]
    if len(shape) > MOST_TURNED:
        return [f"{_size(shape)}.", *_kinds(shape), "Too large to show more here."]
    return [
        f"{_size(shape)}, {_symmetry(shape)}.",
        *_kinds(shape),
        *_holes(shape),
        *_likeness(shape),
        *_making(shape),
    ]


def _size(shape: Shape) -> str:
    parts = len(shape.components)
    return f"{count_of(len(shape), 'cell')}, {'connected' if parts == 1 else f'in {parts} parts'}"


def _kinds(shape: Shape) -> Iterator[str]:
    if shape.optional:
        yield f"{count_of(len(shape.optional), 'cell')} optional."
    if shape.colours:
        colours = len(set(shape.colours.values()))
        several = f", in {colours} colours" if colours > 1 else ""
        yield f"{count_of(len(shape.colours), 'cell')} coloured{several}."


def _symmetry(shape: Shape) -> str:
    same = len(shape.symmetries())
    if same > 1:
        return f"looks the same in {same} orientations"
    return "mirror-symmetric" if len(shape.symmetries(mirrors=True)) > 1 else "no symmetry"


def _likeness(shape: Shape) -> Iterator[str]:
    """What its mirror image is; of a burr stick, by number."""
    mirror = shape.mirrored()
    chiral = not shape.congruent(mirror)
    number = None if shape.optional or len(shape) > 4 * 100 else kaenel_number(shape)
    if number is not None:
        other = f"; its mirror image is {kaenel_number(mirror)}" if chiral else ""
        yield f"Burr stick {number} in von Känel's numbering{other}."
    elif chiral:
        yield "Its mirror image is a different shape."


def _making(shape: Shape) -> Iterator[str]:
    if shape.grid != CUBES or shape.optional or not shape.connected:
        return
    if prod(shape.size) <= MOST_WOOD and find_spec("numpy"):  # which the browser lacks
        sawn, milled = notchable(shape), millable(shape)
        yield "Can be sawn." if sawn else "Can be milled." if milled else "Must be glued."


# ---- holes ----


def _holes(shape: Shape) -> Iterator[str]:
    if shape.grid.balls:  # there is always room between them
        return
    inside = hollows(shape)
    if inside is None:
        return
    through = len(shape.components) + inside - _euler(shape)
    if through:
        yield "A hole goes through it." if through == 1 else f"{through} holes go through it."
    if inside:
        yield f"It encloses {'a hollow' if inside == 1 else f'{inside} hollows'}."


def hollows(shape: Shape) -> int | None:
    """How many hollows it encloses; None if it is too large to look.

    >>> hollows(Shape.from_text(CUBES, "### ### ###/### #.# ###/### ### ###"))
    1
    """
    grid = shape.grid
    spans = [(min(axis) - 2, max(axis) + 3) for axis in list(zip(*shape.cells, strict=True))[:3]]
    if prod(high - low for low, high in spans) * len(grid.tiles) > MOST_ROOM:
        return None
    points = triples(*(range(*span) for span in spans))
    room = {(*point, tile) for point in points for tile in range(len(grid.tiles))}
    left = [frozenset(part.cells) for part in Shape(grid, room - shape.cells).components]
    found = -1  # for the first is all that lies outside
    while left:
        part, *left = left
        while joined := [other for other in left if _around(grid, other) & part]:
            part = part.union(*joined)
            left = [other for other in left if other not in joined]
        found += 1
    return found


def _around(grid: Grid, cells: Set[Cell]) -> Set[Cell]:
    """The cells that share at least a corner with some of these."""
    beside = _cells_at_corners(grid)
    return {shift_cell(other, cell[:3]) for cell in cells for other in beside[cell[3]]}


def _euler(shape: Shape) -> int:
    """Cells less shared faces, and so on; only counted where all around belongs to the shape."""
    grid = shape.grid
    full = _full(grid)
    corners: Counter[Vector] = Counter()
    sides: Counter[tuple[Vector, Vector]] = Counter()
    faces = 0
    for cell in shape.cells:
        here = times(grid.denominator, cell[:3])
        tile = [(here[0] + x, here[1] + y, here[2] + z) for x, y, z in grid.tiles[cell[3]]]
        corners.update(tile)
        sides.update(
            (min(tile[i], tile[j]), max(tile[i], tile[j])) for i, j in edges(grid.tiles[cell[3]])
        )
        faces += sum(other in shape.cells for other in shape.neighbours(cell))
    kept_sides = sum(count == full[_key(grid, *side)] for side, count in sides.items())
    kept_corners = sum(count == full[_key(grid, corner)] for corner, count in corners.items())
    return len(shape) - faces // 2 + kept_sides - kept_corners


def _key(grid: Grid, *points: Vector) -> frozenset[Vector]:
    return modulo_lattice(points, grid.denominator)[0]


@cache
def _full(grid: Grid) -> dict[frozenset[Vector], int]:
    """How many cells meet at each kind of corner and at each kind of edge."""
    corners = Counter(_key(grid, corner) for tile in grid.tiles for corner in tile)
    sides = Counter(_key(grid, tile[i], tile[j]) for tile in grid.tiles for i, j in edges(tile))
    return {**corners, **sides}


@cache
def _cells_at_corners(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """For each tile the cells that share at least a corner with it, seen from its lattice point."""
    meeting: dict[frozenset[Vector], list[tuple[int, Vector]]] = {}
    for tile, corners in enumerate(grid.tiles):
        for corner in corners:
            key, low = modulo_lattice([corner], grid.denominator)
            meeting.setdefault(key, []).append((tile, low))
    found: list[set[Cell]] = [set() for _ in grid.tiles]
    for some in meeting.values():
        for tile, low in some:
            found[tile] |= {(*subtract(low, low2), other) for other, low2 in some}
    return tuple(tuple(sorted(cells)) for cells in found)
