"""Turn assemblies into shapes: the answers to one problem become the pieces of the next puzzle.

With a range of single cells around a fixed core, every assembly is a new shape, so a problem is a
generator of pieces; the union of some pieces glues a puzzle's own pieces together.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from operator import or_

from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid, Turn
from kumitate.model.numbers import require_whole
from kumitate.model.puzzle import Piece, Problem, Puzzle
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
    """Each assembly as one shape, or only the union of its pieces named in `pieces`.

    Filters: `connected=True` keeps connected shapes; `symmetric=True` those that look the same in
    another orientation or in a mirror, `symmetric=False` the others; `cells` is a range for the
    number of cells. Of shapes that are rotations of each other only the first is given, unless
    `distinct=False`; `mirrors=True` also counts a shape and its mirror image once. Call `assemble`
    with `mirrors=True`, or one of each pair of mirror images will be missing.

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
    """The union of all or the named pieces, where they lie; None if there are none."""
    problem = assembly.problem
    labels = [problem.label(number) for number in range(len(problem.pieces))]
    for name in pieces or ():
        if name not in labels:
            raise PuzzleError(f"there is no piece {name!r}; the pieces are {', '.join(labels)}")
    chosen = [
        shape
        for placement, shape in zip(assembly.placements, assembly.shapes, strict=True)
        if pieces is None or labels[placement.piece] in pieces
    ]
    if not chosen:
        return None
    whole = reduce(or_, chosen)
    return Shape(whole.grid, whole.cells, colours=whole.colours).at_origin()


def puzzle_from(
    source: Puzzle, shapes: list[Shape], goal: Shape | None = None, counts: tuple[int, int] = (0, 1)
) -> Puzzle:
    """A puzzle whose pieces are shapes made of another's assemblies, so many of each.

    >>> from kumitate.library import library
    >>> puzzle_from(library["soma"], [*library["soma"].shapes[:2]]).title
    'Pieces from Soma cube'
    """
    problem = Problem(
        goal or Shape(source.grid, set()), [Piece(shape, *counts) for shape in shapes]
    )
    every = [*shapes, *([goal] if goal else [])]
    title = f"Pieces from {source.title}" if source.title else ""
    return Puzzle(source.grid, every, [problem], title, colours=source.colours)


def _turns(grid: Grid, mirrors: bool) -> tuple[Turn, ...]:
    return grid.turns + (grid.mirrors if mirrors else ())


def shape_key(shape: Shape, turns: Iterable[Turn]) -> Key:
    """A key that is equal for turned copies of a shape; faster than turning whole shapes."""
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
