"""Which solutions of a run look alike: the same after turning or reflecting the goal.

Two assemblies are alike if a symmetry of the goal, reflections included, takes one to the other,
and pieces of the same shape may change places. Runs count such assemblies once unless they were
asked otherwise, but files of other programs, and runs that count rotations, hold several of each.
"""

from collections.abc import Iterator, Sequence

from kumitate.model.geometry import Cell
from kumitate.model.puzzle import Placement
from kumitate.model.shape import Shape, shift_cell
from kumitate.model.table import unpack
from kumitate.store.plain_index import packed_rows
from kumitate.store.run import Run

Spot = tuple[int, frozenset[Cell]]  # the class of a piece, and the cells that it covers


def one_of_each(run: Run, numbers: Sequence[int]) -> list[int]:
    """The first of each class of solutions that look alike, in the order given."""
    table, problem = run.table, run.problem
    classes: dict[object, int] = {}
    kinds = []
    for pieces in table.kinds:
        look = tuple(problem.pieces[pieces[0]].shape.canonical(mirrors=True).tokens.items())
        kinds.append(classes.setdefault(look, len(classes)))
    names: dict[Spot, int] = {}
    spots = [_spot(run, name, kinds) for name in range(len(table.rows))]
    for spot in spots:
        names.setdefault(spot, len(names))
    maps: list[list[int | None]] = []
    for symmetry in _symmetries(problem.goal):
        images = ((kind, frozenset(map(symmetry.get, cells))) for kind, cells in spots)
        maps.append([names.get(image) for image in images])  # type: ignore[arg-type]
    seen: set[tuple[int, ...]] = set()
    found = []
    for number, row in packed_rows(run, numbers):
        used = unpack(row, run.width)
        images_of_it = ([image[name] for name in used] for image in maps)
        whole = (sorted(image) for image in images_of_it if None not in image)  # type: ignore[type-var]
        least = tuple(min(whole))
        if least not in seen:
            seen.add(least)  # type: ignore[arg-type]
            found.append(number)
    return found


def _spot(run: Run, name: int, kinds: Sequence[int]) -> Spot:
    kind, turn, *shift = run.table.rows[name]
    piece = run.table.kinds[kind][0]
    placed = Placement(piece, turn, (shift[0], shift[1], shift[2]))
    return kinds[kind], frozenset(placed.placed(run.problem.pieces[piece].shape).cells)


def _symmetries(goal: Shape) -> Iterator[dict[Cell, Cell]]:
    """The maps of the goal onto itself, the one that moves nothing first."""
    low = [min(axis) for axis in zip(*goal.cells, strict=True)]
    yield {cell: cell for cell in goal.cells}
    for turn in goal.symmetries(mirrors=True):
        images = goal.images(turn)
        if images is None:
            continue
        there = [min(axis) for axis in zip(*images.values(), strict=True)]
        by = (low[0] - there[0], low[1] - there[1], low[2] - there[2])
        yield {cell: shift_cell(image, by) for cell, image in images.items()}
