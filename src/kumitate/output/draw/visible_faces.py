"""The faces of some shapes that face the viewer, as arrays in the viewer's coordinates.

These are the faces of surface.py, found for all cells at once: a sheet of pieces has thousands.
Here, too, whole numbers decide which faces are covered and where the surface folds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import primitive, subtract
from kumitate.model.grid import Grid
from kumitate.model.shape import Shape
from kumitate.output.draw.paint_order import Floats, Integers
from kumitate.output.draw.view import normals_of, view_of
from kumitate.output.scene import Matrix
from kumitate.output.solid.surface import face_rings

FARTHEST = 20_000  # so that the numbers made of three coordinates fit in 64 bits

FOLD = -1  # no face goes on flat beyond this side
NO_SIDE = -2  # of a face with fewer sides than others


@dataclass(frozen=True, eq=False)
class Facing:
    """The faces that face the viewer, one per row, and a few facts about the others."""

    origins: Floats  # (shapes, 3): from where the corners of each shape are measured
    corners: Floats  # (faces, corners, 3); faces with fewer corners repeat the last one
    normals: Floats
    kinds: Integers  # equal where the normals are
    parts: Integers  # which of the shapes
    colours: Integers  # of the cell, 0 if neutral
    blocks: Integers  # flat connected parts of one colour
    corner_ids: Integers  # (faces, corners)
    headings: Integers  # (faces, corners): directions of the sides
    beyond: Integers  # (faces, corners): the face that goes on flat, or FOLD, or NO_SIDE
    looks: Integers  # equal only for faces that a shift makes one, seen from either side
    centres: Floats
    away_centres: Floats  # of the faces that look away
    away_looks: Integers
    away_parts: Integers
    across: Floats  # as depth.Faces has it


@cache
def view_array(grid: Grid) -> Floats:
    """The turn of `view_of` as an array."""
    return np.array(view_of(grid))


# ---- a grid's tiles, as arrays ----


@dataclass(frozen=True, eq=False)
class _Table:
    """For (tile, face) all that is the same for every cell."""

    corners: Integers  # (tiles, faces, corners, 3)
    sizes: Integers  # corners of a face; 0 if the tile has fewer faces
    beyond: Integers  # (tiles, faces, cells, 4): cells with that very face, seen from the tile
    known: NDArray[np.bool_]  # (tiles, faces, cells): whether there is such a cell
    normals: Floats  # towards the viewer's axes
    kinds: Integers
    headings: Integers
    looks: Integers
    ways: Floats  # along the sides of all faces, in the viewer's coordinates
    across: Floats
    basis: Floats  # from corners to the viewer's coordinates


@cache
def _table(grid: Grid) -> _Table:
    rings = face_rings(grid)
    tiles, faces = len(rings), max(map(len, rings))
    corners_max = max(len(ring) for tile in rings for ring, _ in tile)
    cells_max = max(1, max(len(cells) for tile in rings for _, cells in tile))
    corners = np.zeros((tiles, faces, corners_max, 3), np.int64)
    sizes = np.zeros((tiles, faces), np.int64)
    beyond = np.zeros((tiles, faces, cells_max, 4), np.int64)
    known = np.zeros((tiles, faces, cells_max), bool)
    normals = np.zeros((tiles, faces, 3))
    headings = np.zeros((tiles, faces, corners_max), np.int64)
    directions: dict[tuple[int, int, int], int] = {}
    view = view_array(grid)
    for t, tile in enumerate(rings):
        normals[t, : len(tile)] = np.array(normals_of(grid)[t]) @ view
        for f, (ring, cells) in enumerate(tile):
            sizes[t, f] = len(ring)
            corners[t, f] = [*ring, *[ring[-1]] * (corners_max - len(ring))]
            known[t, f, : len(cells)] = True
            for c, cell in enumerate(cells):
                beyond[t, f, c] = cell
            for k, corner in enumerate(ring):
                way = primitive(subtract(ring[k + 1 - len(ring)], corner))
                headings[t, f, k] = directions.setdefault(way, len(directions))
    basis = np.array(grid.basis) @ view / grid.denominator
    kinds = _numbered(np.round(normals, 6))
    ways = np.array(list(directions)) @ basis
    return _Table(
        corners, sizes, beyond, known, normals, kinds, headings,
        _numbered(np.round(_spread(corners @ basis, sizes), 5)), ways, _across(ways), basis,
    )  # fmt: skip


def _numbered(rows: Floats) -> Integers:
    """Equal numbers for equal rows along the last axis."""
    flat = rows.reshape(-1, rows.shape[-1]) + 0.0
    return np.unique(flat, axis=0, return_inverse=True)[1].reshape(rows.shape[:-1])


def _spread(corners: Floats, sizes: Integers) -> Floats:
    """Second moments of a face's corners about their middle: they tell apart faces that only
    share a middle."""
    real = (np.arange(corners.shape[2]) < sizes[..., None])[..., None]
    middle = (corners * real).sum(axis=2) / np.maximum(sizes, 1)[..., None]
    off = (corners - middle[:, :, None]) * real
    moments: Floats = np.einsum("tfki,tfkj->tfij", off, off).reshape(*sizes.shape, 9)
    return moments


def _across(ways: Floats) -> Floats:
    """Directions of the picture at right angles to these and, first of all, to the axes."""
    angles = np.arctan2(ways[:, 0], -ways[:, 1]) % np.pi
    unique = np.unique(np.round(angles, 9) % round(np.pi, 9))
    unique = unique[(unique != 0) & (np.abs(unique - np.pi / 2) > 1e-8)]
    turned = np.array([np.cos(unique), np.sin(unique)]).T
    return np.concatenate([np.eye(2), turned])


# ---- the shapes' surface ----


@lru_cache(maxsize=8)
def facing(grid: Grid, shapes: tuple[Shape, ...], turns: tuple[Matrix, ...] = ()) -> Facing:
    """The faces of some shapes where they lie; the shapes do not cover each other's faces.

    If there are turns, one for each shape, these turn them about the origin.
    """
    table = _table(grid)
    cells, parts, colours = _cells(shapes)
    lows = _lows(shapes, cells, parts)
    cells[:, :3] -= lows[parts]
    row, face = np.nonzero(_bare(table, cells, parts))
    tile = cells[row, 3]
    whole = table.corners[tile, face] + grid.denominator * cells[row, None, :3]
    sizes = table.sizes[tile, face]
    ids = _identities(whole, parts[row])
    normals, kinds = table.normals[tile, face], table.kinds[tile, face]
    beyond = _beyond(ids, sizes, kinds)
    corners = whole @ table.basis
    looks, across = table.looks[tile, face], table.across
    origins = lows * grid.denominator @ table.basis
    if turns:
        view = view_array(grid)
        spins = np.array([view.T @ np.transpose(turn) @ view for turn in turns])
        spin = spins[parts[row]]
        corners, normals = corners @ spin, (normals[:, None] @ spin)[:, 0]
        origins = (origins[:, None] @ spins)[:, 0]
        numbers = _numbered(spins.reshape(-1, 9))  # faces turned differently never look the same
        looks = looks + (table.looks.max() + 1) * numbers[parts[row]]
        across = _across(np.concatenate(table.ways @ spins))
    seen = normals[:, 2] > 1e-9
    number = np.where(seen, np.cumsum(seen) - 1, FOLD)
    beyond = np.where(beyond >= 0, number[beyond], beyond)
    centres = _centres(corners, beyond)
    return Facing(
        origins=origins,
        corners=corners[seen],
        normals=normals[seen],
        kinds=kinds[seen],
        parts=parts[row][seen],
        colours=colours[row][seen],
        blocks=_blocks(beyond[seen], colours[row][seen]),
        corner_ids=ids[seen],
        headings=table.headings[tile, face][seen],
        beyond=beyond[seen],
        looks=looks[seen],
        centres=centres[seen],
        away_centres=centres[~seen],
        away_looks=looks[~seen],
        away_parts=parts[row][~seen],
        across=across,
    )


def _cells(shapes: Sequence[Shape]) -> tuple[Integers, Integers, Integers]:
    """All cells, with the number of their shape and their colour."""
    cells = [cell for shape in shapes for cell in sorted(shape.cells)]
    parts = np.repeat(np.arange(len(shapes)), [len(shape) for shape in shapes])
    colours = np.zeros(len(cells), np.int64)
    if any(shape.colours for shape in shapes):
        colours[:] = [shape.colours.get(cell, 0) for shape in shapes for cell in sorted(shape)]
    return np.array(cells, np.int64).reshape(-1, 4), parts, colours


def _lows(shapes: Sequence[Shape], cells: Integers, parts: Integers) -> Integers:
    """The least coordinates of each shape; counted from there they stay small."""
    lows, highs = np.zeros((2, len(shapes), 3), np.int64)
    if len(cells):
        filled, firsts = np.unique(parts, return_index=True)
        lows[filled] = np.minimum.reduceat(cells[:, :3], firsts)
        highs[filled] = np.maximum.reduceat(cells[:, :3], firsts)
    for number in np.nonzero((highs - lows).max(axis=1) > FARTHEST)[0].tolist():
        name = shapes[number].name
        raise PuzzleError(
            f"shape {name!r}: its cells are too far apart to draw; at most {FARTHEST} is possible"
        )
    return lows


def _bare(table: _Table, cells: Integers, parts: Integers) -> NDArray[np.bool_]:
    """For (cell, face) whether no cell of the same shape lies beyond."""
    beyond = table.beyond[cells[:, 3]]
    there = beyond.copy()
    there[..., :3] += cells[:, None, None, :3]
    reach = int(np.abs(table.beyond[..., :3]).max())
    low = cells.min(axis=0, initial=0) - reach
    spans = cells.max(axis=0, initial=0) + reach + 1 - low
    spans[3], low[3] = len(table.sizes), 0

    def key(cell: Integers, part: Integers) -> Integers:
        x, y, z, tile = np.moveaxis(cell - low, -1, 0)
        made: Integers = (((part * spans[0] + x) * spans[1] + y) * spans[2] + z) * spans[3] + tile
        return made

    covered = np.isin(key(there, parts[:, None, None]), key(cells, parts))
    bare = ~np.asarray((covered & table.known[cells[:, 3]]).any(axis=2))
    return bare & (table.sizes[cells[:, 3]] > 0)


def _identities(corners: Integers, parts: Integers) -> Integers:
    """A small number for each different corner of a shape."""
    low, high = corners.min(axis=(0, 1), initial=0), corners.max(axis=(0, 1), initial=0)
    spans = high - low + 1
    x, y, z = np.moveaxis(corners - low, -1, 0)
    keys = ((parts[:, None] * spans[0] + x) * spans[1] + y) * spans[2] + z
    return np.unique(keys, return_inverse=True)[1].reshape(keys.shape)


def _beyond(ids: Integers, sizes: Integers, kinds: Integers) -> Integers:
    """For (face, side) the face that goes on in the same plane, if just these two meet there."""
    width = ids.shape[1]
    sides = np.arange(width)
    nexts = np.where(sides[None] + 1 == sizes[:, None], 0, np.minimum(sides[None] + 1, width - 1))
    ends = np.take_along_axis(ids, nexts, axis=1)
    keys = (np.minimum(ids, ends) * (ids.max(initial=0) + 1) + np.maximum(ids, ends)).ravel()
    real = np.nonzero((sides[None] < sizes[:, None]).ravel())[0]
    order = real[np.argsort(keys[real], kind="stable")]
    found = np.full(ids.size, NO_SIDE)
    found[real] = FOLD
    same = keys[order][1:] == keys[order][:-1]
    just_two = same & ~np.append(same[1:], False) & ~np.append(False, same[:-1])
    a, b = order[:-1][just_two], order[1:][just_two]
    flat = kinds[a // width] == kinds[b // width]
    found[a[flat]], found[b[flat]] = b[flat] // width, a[flat] // width
    return found.reshape(ids.shape)


def _blocks(beyond: Integers, colours: Integers) -> Integers:
    """Numbers of the flat connected parts: every face takes the least number it hears of."""
    face, side = np.nonzero(beyond >= 0)
    other = beyond[face, side]
    alike = colours[face] == colours[other]
    face, other = face[alike], other[alike]
    least = np.arange(len(beyond))
    while True:
        heard = least.copy()
        np.minimum.at(heard, face, least[other])
        heard = heard[heard]
        if (heard == least).all():
            return np.unique(least, return_inverse=True)[1]
        least = heard


def _centres(corners: Floats, beyond: Integers) -> Floats:
    real = (beyond != NO_SIDE)[..., None]
    centres: Floats = (corners * real).sum(axis=1) / real.sum(axis=1)
    return centres
