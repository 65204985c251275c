"""Assemblies become shapes: what was an answer is a piece of the next puzzle.

With a range of single cells beside a fixed core every assembly is another shape, so a problem is a
generator of pieces; with the union of some pieces it glues a puzzle's own pieces together.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from operator import or_

from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid, Turn
from kumitate.model.numbers import require_whole
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly

Key = tuple[tuple[int, int, int, int, int], ...]


def assembly_shapes(
    assemblies: Iterable[Assembly],
    *,
    pieces: Collection[str] | None = None,
    connected: bool = False,
    symmetric: bool | None = None,
    cells: tuple[int, int] | None = None,
    distinct: bool = True,
    mirrors: bool = False,
) -> Iterator[Shape]:
    """Each assembly as one shape, or the union of those `pieces` in it that are named.

    Only those that are connected, that look the same in another orientation or a mirror (or, with
    `symmetric=False`, do not), and that have a number of cells in the range `cells`, if asked. Of
    shapes that turns make into each other only the first, unless `distinct=False`; `mirrors=True`
    also counts a shape and its mirror image once. Let `assemble` keep mirror images apart, or one
    of each pair will be missing.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece, Problem
    >>> from kumitate.search.assemble import assemble
    >>> cell, square = Shape.from_text(CUBES, "#", name="cell"), Shape.from_text(CUBES, "+++/+++")
    >>> problem = Problem(square, [Piece(cell, 4)])
    >>> for shape in assembly_shapes(assemble(problem, mirrors=True), connected=True):
    ...     print(f"{shape}\\n")
    ##
    ##
    <BLANKLINE>
    ###
    #..
    <BLANKLINE>
    ###
    .#.
    <BLANKLINE>
    ##.
    .##
    <BLANKLINE>
    """
    for number in cells or ():
        require_whole(0, cells=number)
    seen: set[Key] = set()
    for assembly in assemblies:
        shape = _union(assembly, pieces)
        if shape is None or (cells is not None and not cells[0] <= len(shape) <= cells[1]):
            continue
        if connected and not shape.connected:
            continue
        if symmetric is not None and symmetric != (len(shape.symmetries(mirrors=True)) > 1):
            continue
        if distinct:
            key = shape_key(shape, _turns(shape.grid, mirrors))
            if key in seen:
                continue
            seen.add(key)
        yield shape


def _union(assembly: Assembly, pieces: Collection[str] | None) -> Shape | None:
    """Where the pieces lie, all or the named ones, as one shape; None if there are none."""
    problem = assembly.problem
    labels = [problem.label(number) for number in range(len(problem.pieces))]
    for name in pieces or ():
        if name not in labels:
            raise PuzzleError(f"piece {name!r} is unknown; there are {', '.join(labels)}")
    chosen = [
        shape
        for placement, shape in zip(assembly.placements, assembly.shapes, strict=True)
        if pieces is None or labels[placement.piece] in pieces
    ]
    if not chosen:
        return None
    whole = reduce(or_, chosen)
    return Shape(whole.grid, whole.cells, colours=whole.colours).at_origin()


def _turns(grid: Grid, mirrors: bool) -> tuple[Turn, ...]:
    return grid.turns + (grid.mirrors if mirrors else ())


def shape_key(shape: Shape, turns: Iterable[Turn]) -> Key:
    """Equal for shapes that a turn makes into each other; faster than turning whole shapes."""
    first = min(shape.cells)
    x, y, z, _ = first
    tokens = [
        ((a - x, b - y, c - z, t), shape.colours.get((a, b, c, t), 0)) for a, b, c, t in shape
    ]
    keys = []
    for turn in turns:
        images = [(turn(cell), colour) for cell, colour in tokens]
        if any(image is None for image, _ in images):
            continue  # a turn of balls that does not land on cells
        rows = [(*image, colour) for image, colour in images if image]
        low = [min(axis) for axis in zip(*rows, strict=True)]
        keys.append(
            tuple(sorted((a - low[0], b - low[1], c - low[2], t, k) for a, b, c, t, k in rows))
        )
    return min(keys)
