"""Pictures of layers: an assembly cut in slices, each piece with its letter."""

from collections.abc import Iterator, Sequence

from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.palette import LIGHT
from kumitate.model.solution import Assembly
from kumitate.model.text import layers_of
from kumitate.output.draw.marks import FAINT, Ball, Drawing, Line, Mark, Polygon, Spot, Text, mixed
from kumitate.output.draw.sheet import INK, Entry, sheet
from kumitate.output.scene import corners_of, radius_of, require_near

STACKED = "Bottom layer first, front row at the top."
FLAT = "Front row at the top."
SIZE = 150  # pixels: how large a layer is; the only one is twice as large


def layers_svg(assembly: Assembly) -> str:
    """An assembly cut in layers, the bottom one first, rows and letters as in its text.

    So the first row is the front, and each layer is seen from below. Under the layers stands which
    letter is which piece.
    """
    grid = assembly.problem.grid
    require_near(assembly.shapes)
    owners = {cell: n for n, shape in enumerate(assembly.shapes) for cell in shape.cells}
    corners = [c for shape in assembly.shapes for cell in shape for c in corners_of(grid, cell)]
    radius = radius_of(grid)
    xs, ys = [c[0] for c in corners] or [0.0], [c[1] for c in corners] or [0.0]
    low, high = (min(xs) - radius, min(ys) - radius), (max(xs) + radius, max(ys) + radius)
    layers = layers_of(grid, owners)
    flat = len(layers) < 2
    entries = []
    for number, cells in enumerate(layers, 1):
        marks = _layer(assembly, {cell: owners[cell] for cell in cells})
        label = "" if flat else f"layer {number}"
        entries.append(Entry(Drawing(tuple(marks), low, high), label))
    foot = [_legend(assembly), FLAT if flat else STACKED]
    return sheet(entries, size=SIZE * (2 if flat else 1), even=True, foot=foot)


def _legend(assembly: Assembly) -> str:
    """The piece each letter stands for; empty if all pieces are the same."""
    if len({placement.piece for placement in assembly.placements}) < 2:
        return ""
    return assembly.legend.replace(" = ", "\u00a0=\u00a0")


def _layer(assembly: Assembly, cells: dict[Cell, int]) -> Iterator[Mark]:
    """The tiles of a layer, lines around each piece, and its letter on one of its tiles."""
    grid, colours = assembly.problem.grid, [who.colour for who in assembly.identities]
    tiles = {cell: _seen_along_z(grid, cell) for cell in cells}
    sides: dict[tuple[Spot, Spot], list[int]] = {}
    for cell, ring in tiles.items():
        if grid.balls:
            yield Ball(ring[0], radius_of(grid), colours[cells[cell]])
        else:
            yield Polygon((ring,), mixed(colours[cells[cell]], "#ffffff", 0.12))
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            sides.setdefault((min(a, b), max(a, b)), []).append(cells[cell])
    if not grid.balls:
        inner = [side for side, owners in sides.items() if len(owners) > 1 == len(set(owners))]
        yield Line(tuple(inner), INK, *FAINT)
        yield Line(tuple(side for side in sides if side not in set(inner)), LIGHT["ink"])
    for number in sorted(set(cells.values())):
        here = assembly.shapes[number].restricted(cells)
        for part in here.components:
            ring = _middle_one([tiles[cell] for cell in part])
            size = 2 * radius_of(grid) or min(_extent(axis) for axis in zip(*ring, strict=True))
            ink = "#ffffff" if _luminance(colours[number]) < 0.45 else LIGHT["ink"]
            yield Text(_mean(ring), assembly.letter(number), 0.5 * size, ink)


def _seen_along_z(grid: Grid, cell: Cell) -> tuple[Spot, ...]:
    """The outline of a tile, rows downwards: the convex hull of its corners."""
    spots = sorted({(round(x, 6), round(y, 6)) for x, y, _ in corners_of(grid, cell)})
    if len(spots) < 3:
        return tuple(spots)
    hull: list[Spot] = []
    for row in (spots, spots[::-1]):  # below, then above (Andrew's monotone chain)
        first = len(hull)
        for spot in row:
            while len(hull) > first + 1 and _turns_right(hull[-2], hull[-1], spot):
                hull.pop()
            hull.append(spot)
        hull.pop()
    return tuple(hull)


def _turns_right(a: Spot, b: Spot, c: Spot) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 1e-9


def _middle_one(rings: Sequence[tuple[Spot, ...]]) -> tuple[Spot, ...]:
    """The ring nearest to the middle of all."""
    x, y = _mean([_mean(ring) for ring in rings])

    def far(ring: tuple[Spot, ...]) -> float:
        a, b = _mean(ring)
        return round((a - x) ** 2 + (b - y) ** 2, 9)

    return min(rings, key=far)


def _mean(spots: Sequence[Spot]) -> Spot:
    x, y = (sum(axis) / len(spots) for axis in zip(*spots, strict=True))
    return (x, y)


def _extent(axis: Sequence[float]) -> float:
    return max(axis) - min(axis)


def _luminance(colour: str) -> float:
    """How light a colour looks, from 0 to 1 (the weights of ITU-R BT.601)."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue
