"""What an assembly is, as a program that anyone can check: slow, plain, the measure of the core.

`all_assemblies` tries the placements of one piece after the other, in or out. `classes` puts
together what an isometry maps onto each other, by trying every isometry on every assembly.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, lru_cache, partial, reduce
from operator import or_

from kumitate import Placement, Problem, Shape
from kumitate.model.geometry import Cell, Vector
from kumitate.model.shape import shift_cell

Look = frozenset[tuple[Cell, str]]  # a placed piece: its cells, and how they look
Part = tuple[int, Look]  # a kind of pieces, and where one of them lies
Whole = frozenset[Part]  # an assembly


@lru_cache(10)
def kinds(problem: Problem, distinct: bool = False) -> list[int]:
    """Pieces of one shape have one number, unless copies are distinct."""
    shapes = [piece.shape for piece in problem.pieces]
    if distinct:
        return list(range(len(shapes)))
    looks = [shape.canonical().tokens for shape in shapes]
    return [looks.index(look) for look in looks]


def places(problem: Problem, shape: Shape) -> set[Look]:
    """Every turn at every shift, cell by cell."""
    found = set()
    for turn in problem.grid.turns:
        turned = shape.turned(turn)
        if turned is None:
            continue
        x, y, z, _ = min(turned.cells)
        for start in problem.goal.cells:
            by = (start[0] - x, start[1] - y, start[2] - z)
            there = {cell: shift_cell(cell, by) for cell in turned.cells}
            if all(
                image in problem.goal.cells
                and problem.may_lie_on(
                    turned.colours.get(cell, 0),
                    problem.goal.colours.get(image, 0),
                )
                for cell, image in there.items()
            ):
                found.add(frozenset((there[cell], token) for cell, token in turned.tokens.items()))
    return found


def ruled(problem: Problem, rule: Collection[Placement]) -> set[tuple[int, Look]]:
    """Where pins or bans put which pieces."""
    placed = ((p.piece, p.placed(problem.pieces[p.piece].shape)) for p in rule)
    return {(piece, frozenset(shape.tokens.items())) for piece, shape in placed}


def all_assemblies(problem: Problem, distinct: bool = False) -> set[Whole]:
    """Every set of placements that keeps the rules.

    A piece is used at least as often as it is pinned: of two pieces of one shape, one that is
    pinned and need not be used does not stand for the other, which must be.
    """
    kind = kinds(problem, distinct)
    bounds: dict[int, tuple[int, int]] = {}
    pins = ruled(problem, problem.pinned)
    for number, (k, piece) in enumerate(zip(kind, problem.pieces, strict=True)):
        low, high = bounds.get(k, (0, 0))
        mine = sum(pinned == number for pinned, _ in pins)
        if mine > piece.max:
            return set()
        bounds[k] = (low + max(piece.min, mine), high + piece.max)
    must = {(kind[piece], look) for piece, look in pins}
    if len(must) < len(pins):
        return set()  # two pieces of one shape are pinned on the same cells
    banned = {(kind[piece], look) for piece, look in ruled(problem, problem.forbidden)}
    rows = [(k, look) for k in bounds for look in places(problem, problem.pieces[k].shape)]
    rows = [row for row in rows if row not in banned]

    def is_right(chosen: list[tuple[int, Look]]) -> bool:
        used = [k for k, _ in chosen]
        covered = {cell for _, look in chosen for cell, _ in look}
        holes = len(problem.goal.cells) - len(covered)
        return (
            all(low <= used.count(k) <= high for k, (low, high) in bounds.items())
            and problem.goal.fixed <= covered
            and (problem.max_holes is None or holes <= problem.max_holes)
            and must <= set(chosen)
        )

    def grow(at: int, chosen: list[tuple[int, Look]], covered: set[Cell]) -> Iterator[Whole]:
        if is_right(chosen):
            yield frozenset(chosen)
        for i in range(at, len(rows)):
            cells = {cell for cell, _ in rows[i][1]}
            used = sum(k == rows[i][0] for k, _ in chosen)
            if not cells & covered and used < bounds[rows[i][0]][1]:
                yield from grow(i + 1, [*chosen, rows[i]], covered | cells)

    return set(grow(0, [], set()))


def exact_cover(problem: Problem) -> set[Whole]:
    """The same for a goal without optional cells: by the cell that the fewest placements cover.

    A set of placements is a number, whose bit i stands for placement i.
    """
    kind = kinds(problem)
    rows = [(k, look) for k in set(kind) for look in places(problem, problem.pieces[k].shape)]
    cells = [{cell for cell, _ in look} for _, look in rows]
    covering = {
        cell: sum(1 << i for i, mine in enumerate(cells) if cell in mine)
        for cell in problem.goal.cells
    }
    clashing = [reduce(or_, (covering[cell] for cell in mine)) for mine in cells]
    alike = {k: sum(1 << i for i, row in enumerate(rows) if row[0] == k) for k in kind}
    room = {
        k: sum(p.max for j, p in zip(kind, problem.pieces, strict=True) if j == k) for k in kind
    }
    need = {
        k: sum(p.min for j, p in zip(kind, problem.pieces, strict=True) if j == k) for k in kind
    }

    def grow(uncovered: set[Cell], left: int, chosen: list[Part]) -> Iterator[Whole]:
        used = [k for k, _ in chosen]
        if not uncovered:
            if all(used.count(k) >= n for k, n in need.items()):
                yield frozenset(chosen)
            return
        options = min((left & covering[cell] for cell in uncovered), key=int.bit_count)
        for i in (i for i in range(options.bit_length()) if options >> i & 1):
            k = rows[i][0]
            full = used.count(k) + 1 == room[k]
            rest = left & ~clashing[i] & ~(alike[k] if full else 0)
            yield from grow(uncovered - cells[i], rest, [*chosen, rows[i]])

    return set(grow(set(problem.goal.cells), (1 << len(rows)) - 1, []))


def partners(problem: Problem, distinct: bool = False) -> dict[int, int]:
    """For each kind of piece the one that a reflection makes of it; -1 if there is none.

    Distinct copies of either hand go in pairs, first those with the same range, each hand in the
    order of entry; a piece that is never used has no partner.
    """
    kind = kinds(problem, distinct)
    shapes = {k: problem.pieces[k].shape for k in sorted(set(kind))}
    ranges = {
        k: (
            sum(p.min for j, p in zip(kind, problem.pieces, strict=True) if j == k),
            sum(p.max for j, p in zip(kind, problem.pieces, strict=True) if j == k),
        )
        for k in shapes
    }
    found = {k: k if s.congruent(s.mirrored()) else -1 for k, s in shapes.items()}
    left = [k for k in shapes if found[k] == -1 and ranges[k][1]]
    pairs = [(a, b) for a in left for b in left if shapes[b].congruent(shapes[a].mirrored())]
    for a, b in sorted(pairs, key=lambda pair: ranges[pair[0]] != ranges[pair[1]]):
        if found[a] == found[b] == -1:
            found[a], found[b] = b, a
    return found


def classes(
    problem: Problem,
    mirrors: bool,
    thorough: bool,
    wholes: set[Whole] | None = None,
    distinct: bool = False,
) -> int:
    """How many there are when isometries count as nothing."""
    if wholes is None:
        wholes = all_assemblies(problem, distinct)
    partner = partners(problem, distinct)
    around = list(isometries(problem, partner, mirrors, thorough))
    # Assemblies by how they look wherever they lie, if any isometry will do; else as they lie.
    look = at_origin if thorough else frozenset
    left: dict[Whole, list[Whole]] = {}
    for assembly in wholes:
        left.setdefault(look(assembly), []).append(assembly)
    count = 0
    while left:
        count += 1
        todo = [left.popitem()[1][0]]
        for assembly in todo:
            for isometry in around:
                images = [image for part in assembly if (image := isometry(part))]
                if len(images) == len(assembly):
                    todo += left.pop(look(images), [])[:1]
    return count


def at_origin(assembly: Iterable[Part]) -> Whole:
    cells = [cell for _, part in assembly for cell, _ in part]
    low = [min(axis) for axis in zip(*cells, strict=True)] or [0, 0, 0, 0]
    return frozenset((k, shifted(part, (-low[0], -low[1], -low[2]))) for k, part in assembly)


@lru_cache(10_000)
def shifted(look: Look, by: Vector) -> Look:
    return frozenset((shift_cell(cell, by), token) for cell, token in look)


def isometries(
    problem: Problem, partner: dict[int, int], mirrors: bool, thorough: bool
) -> Iterator[Callable[[Part], Part | None]]:
    """The goal's symmetries; if thorough every turn, wherever that puts it.

    They map the parts of assemblies. The same few parts are in all of them, so images are kept.
    """
    goal, grid = problem.goal, problem.grid
    itself = {k: k for k in partner}
    x0, y0, z0, _ = min(goal.cells)
    for number, turn in enumerate(grid.turns + (() if mirrors else grid.mirrors)):
        pivot = (-x0, -y0, -z0) if turn.divisor > 1 else (0, 0, 0)
        where = {cell: turn(shift_cell(cell, pivot)) for cell in goal.cells}
        shift = (0, 0, 0) if thorough else symmetry_shift(goal, where)
        if shift is not None:
            there = {a: shift_cell(b, shift) for a, b in where.items() if b is not None}
            yield cache(partial(image, there, itself if number < len(grid.turns) else partner))


def image(where: dict[Cell, Cell], becomes: dict[int, int], part: Part) -> Part | None:
    """A part under a map of cells and of kinds; None where it would leave the grid."""
    k, look = part
    moved = frozenset((where[cell], token) for cell, token in look if cell in where)
    return (becomes[k], moved) if len(moved) == len(look) else None


def symmetry_shift(goal: Shape, where: dict[Cell, Cell | None]) -> Vector | None:
    """The shift that brings the turned goal onto itself, if there is one."""
    there = {a: b for a, b in where.items() if b is not None}
    if len(there) < len(where):
        return None
    low = [min(axis) for axis in zip(*there.values(), strict=True)]
    home = [min(axis) for axis in zip(*goal.cells, strict=True)]
    shift = (home[0] - low[0], home[1] - low[1], home[2] - low[2])
    mapped = goal.mapped({a: shift_cell(b, shift) for a, b in there.items()})
    return shift if mapped == goal else None
