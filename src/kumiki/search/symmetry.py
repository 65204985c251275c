"""The thorough comparison: assemblies that are the same though the isometry moves the goal.

The core counts as the same what the goal's own symmetries map onto each other (core/question).
When optional cells leave room, an assembly may fit the goal in another way that no symmetry of the
goal explains. Here all isometries are tried, slowly and plainly: an assembly stands for its class
if the least of all its images in the goal is also the least of those by the goal's symmetries
alone, of which the core keeps one.
"""

from collections.abc import Callable, Collection, Iterator

from kumiki.model.geometry import ZERO, Cell, Vector, triples
from kumiki.model.grid import Turn
from kumiki.model.puzzle import Problem
from kumiki.model.shape import Shape, shift_cell
from kumiki.model.solution import Assembly

# An assembly for comparing: for each placement the kind of piece and how its cells look.
Look = list[tuple[int, list[tuple[Cell, str]]]]


def thorough_filter(
    problem: Problem, kinds: list[int], mirrors: bool
) -> Callable[[Assembly], bool]:
    """Whether an assembly stands for its class; `kinds` numbers the pieces by shape.

    With `mirrors`, mirror images are different.
    """
    goal = problem.goal
    x, y, z, _ = min(goal.cells)
    turns = problem.grid.turns + (() if mirrors else problem.grid.mirrors)
    pins = [_look(kinds[p.piece], p.placed(problem.pieces[p.piece].shape)) for p in problem.pinned]
    bans = [
        _look(kinds[p.piece], p.placed(problem.pieces[p.piece].shape)) for p in problem.forbidden
    ]
    reflected = _mirror_partners(problem, kinds)
    bounds: dict[int, tuple[int, int]] = {}
    for kind, piece in zip(kinds, problem.pieces, strict=True):
        low, high = bounds.get(kind, (0, 0))
        bounds[kind] = (low + piece.min, high + piece.max)

    def image_of(turn: Turn, cell: Cell) -> Cell | None:
        # Turns that miss some cells must all turn about one point.
        return turn(shift_cell(cell, (-x, -y, -z) if turn.divisor > 1 else ZERO))

    def images(cells: frozenset[Cell], turn: Turn) -> dict[Cell, Cell] | None:
        found: dict[Cell, Cell] = {}
        for cell in cells:
            image = image_of(turn, cell)
            if image is None:
                return None
            found[cell] = image
        return found

    own: dict[Turn, Vector] = {}  # the goal's symmetries
    for turn in turns:
        there = images(frozenset(goal.cells), turn)
        if there is not None:
            moved = goal.mapped(there)
            shift = _between(moved, goal)
            if moved.shifted(shift) == goal:
                own[turn] = shift

    def looks(assembly: Assembly) -> Iterator[tuple[bool, Look]]:
        """Every image in the goal, and whether a symmetry of the goal makes it."""
        covered = frozenset(cell for shape in assembly.shapes for cell in shape.cells)
        for number, turn in enumerate(turns):
            there = images(covered, turn)
            if there is None:
                continue
            mirrored = number >= len(problem.grid.turns)
            pieces = []
            for placement, shape in zip(assembly.placements, assembly.shapes, strict=True):
                kind = kinds[placement.piece]
                new = reflected.get(kind) if mirrored else kind
                if new is None:
                    break
                pieces.append((new, shape.mapped({cell: there[cell] for cell in shape.cells})))
            if len(pieces) < len(assembly.placements) or not _within(bounds, pieces):
                continue
            for shift in _shifts(set(there.values()), problem):
                look = sorted(_look(kind, shape.shifted(shift)) for kind, shape in pieces)
                legal = all(p in look for p in pins) and not any(b in look for b in bans)
                if legal and _allowed(problem, pieces, shift):
                    yield own.get(turn) == shift, look

    def stands_for_its_class(assembly: Assembly) -> bool:
        if not assembly.placements:
            return True
        found = list(looks(assembly))
        return min(look for _, look in found) == min(look for is_own, look in found if is_own)

    return stands_for_its_class


def _look(kind: int, shape: Shape) -> tuple[int, list[tuple[Cell, str]]]:
    return kind, list(shape.tokens.items())


def _between(shape: Shape, other: Shape) -> Vector:
    low = [min(axis) for axis in zip(*shape.cells, strict=True)]
    there = [min(axis) for axis in zip(*other.cells, strict=True)]
    return (there[0] - low[0], there[1] - low[1], there[2] - low[2])


def _shifts(cells: Collection[Cell], problem: Problem) -> Iterator[Vector]:
    """The shifts that put some cells into the goal, on all its fixed ones."""
    goal = problem.goal
    slack = []  # how far the box of the cells can move within the goal's box
    for mine, its in list(
        zip(zip(*cells, strict=True), zip(*goal.cells, strict=True), strict=True)
    )[:3]:
        slack.append(range(min(its) - min(mine), max(its) - max(mine) + 1))
    for shift in triples(*slack):
        moved = (shift_cell(cell, shift) for cell in cells)
        if all(cell in goal.cells for cell in moved):
            x, y, z = shift
            if all((a - x, b - y, c - z, tile) in cells for a, b, c, tile in goal.fixed):
                yield shift


def _mirror_partners(problem: Problem, kinds: list[int]) -> dict[int, int]:
    shapes = {kind: problem.pieces[kinds.index(kind)].shape for kind in set(kinds)}
    partners = {}
    for kind, shape in shapes.items():
        mirrored = shape.mirrored()
        for other, candidate in shapes.items():
            if mirrored.congruent(candidate):
                partners[kind] = other
    return partners


def _within(bounds: dict[int, tuple[int, int]], pieces: list[tuple[int, Shape]]) -> bool:
    used = [kind for kind, _ in pieces]
    return all(low <= used.count(kind) <= high for kind, (low, high) in bounds.items())


def _allowed(problem: Problem, pieces: list[tuple[int, Shape]], shift: Vector) -> bool:
    if not problem.goal.colours:
        return True
    return all(
        problem.may_lie_on(colour, problem.goal.colours.get(shift_cell(cell, shift), 0))
        for _, shape in pieces
        for cell, colour in shape.colours.items()
    )
