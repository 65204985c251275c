"""What can start to move at all: a proof that nothing can, or velocities that the contacts allow.

Pieces i and j that share a face with normal m (from i to j) may move with velocities v if
m . (v_i - v_j) <= 0. Either some v satisfies all of these and leaves a contact, or there are
positive forces, one for each contact, that balance on every piece (Stiemke's lemma); if the
contacts also hold every piece in all three dimensions, nothing but the whole can move. Such forces
are a certificate that anybody can check by adding them up. Both answers come from one linear
program; it is solved in floating point and what comes out is made exact and checked in whole
numbers, so that rounding can cost an answer but never make one wrong.

Faces alone are looked at: where pieces meet only in edges or corners, velocities that the faces
allow may still be blocked, and then neither answer is given.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import gcd, lcm
from typing import Any, NamedTuple

from kumitate.model import geometry
from kumitate.model.geometry import ZERO, Cell, Vector, apply, subtract
from kumitate.model.grid import Grid
from kumitate.model.numbers import LARGEST, require_whole
from kumitate.model.shape import shift_cell
from kumitate.model.solution import Assembly

PRIME = 2**31 - 1
FINEST, COARSEST = 10_000, 60  # denominators tried when a force, a velocity is made exact


class Force(NamedTuple):
    """A force with which two pieces press on each other, along the normal of faces they share."""

    first: int
    second: int
    normal: Vector  # a covector, from the first piece to the second
    strength: int


Contact = tuple[int, int, Vector]


def rigidity(
    assembly: Assembly,
    part: Sequence[int] | None = None,
    places: Sequence[Vector] | None = None,
    parts: int = 1,
) -> tuple[Force, ...] | None:
    """A certificate that no pieces can move, not even all at once in different directions.

    It is a set of forces between pieces that touch, in balance on every piece; None if there is no
    such proof. With `part`, `places` and `parts`, as an Examination gives them, only those pieces
    are examined, in those places; there is no proof for places between cells.

    >>> from kumitate.model.grids import CUBES
    >>> box = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  ABA  AAA / AAA  AAA  AAA")
    >>> forces = rigidity(box)
    >>> len(forces), forces[0]
    (6, Force(first=0, second=1, normal=(-1, 0, 0), strength=1))
    """
    require_whole(1, parts=parts)
    for number in chain(*(places or ())):
        require_whole(-LARGEST, place=number)
    for piece in part or ():
        require_whole(0, len(assembly.placements) - 1, piece=piece)
    pieces = tuple(range(len(assembly.placements)) if part is None else part)
    where = dict(zip(pieces, places or [ZERO] * len(pieces), strict=True))
    if any(c % parts for place in where.values() for c in place):
        return None
    where = {n: (x // parts, y // parts, z // parts) for n, (x, y, z) in where.items()}
    forces, _ = _forces_or_velocities(_contacts(assembly, where), pieces)
    return forces


def coordinate_motion(assembly: Assembly, places: dict[int, Vector]) -> dict[int, Vector] | None:
    """Velocities with which the pieces at these places fly apart, in at least two groups.

    Every pair slides along a straight line, so the sweeps of the grid decide whether it is free.
    """
    pieces = tuple(places)
    _, velocities = _forces_or_velocities(_contacts(assembly, places), pieces)
    if velocities is None:
        return None
    ways = dict(zip(pieces, velocities, strict=True))
    for i, j in combinations(pieces, 2):
        relative = subtract(ways[i], ways[j])
        mover = [shift_cell(cell, places[i]) for cell in assembly.shapes[i].cells]
        other = {shift_cell(cell, places[j]) for cell in assembly.shapes[j].cells}
        if relative != ZERO and not _slides_off(assembly.problem.grid, mover, other, relative):
            return None
    return ways


def _slides_off(grid: Grid, mover: list[Cell], other: set[Cell], step: Vector) -> bool:
    sweep = grid.sweep(step)
    swept = {
        (x + dx, y + dy, z + dz, met) for x, y, z, tile in mover for dx, dy, dz, met in sweep[tile]
    }
    while not _past(swept, other, step):
        if swept & other:
            return False
        swept = {shift_cell(cell, step) for cell in swept}
    return True


def _past(swept: set[Cell], other: set[Cell], step: Vector) -> bool:
    for axis in range(3):
        mine, its = [cell[axis] for cell in swept], [cell[axis] for cell in other]
        if (step[axis] >= 0 and min(mine) > max(its)) or (step[axis] <= 0 and max(mine) < min(its)):
            return True
    return False


@cache
def _faces(grid: Grid) -> tuple[tuple[tuple[Cell, Vector], ...], ...]:
    """For each tile the cells that it touches in a face, and the face's normal."""
    if grid.gram is not None:
        touching = geometry.touching_balls(grid.gram, grid.diameter2)
        return (tuple(((*d, 0), apply(grid.gram, d)) for d in touching),)
    shared = geometry.shared_faces(grid.tiles, grid.denominator)
    return tuple(
        tuple(
            (cell, facet.normal)
            for f, facet in enumerate(geometry.facets(tile))
            for cell in shared[t, f]
        )
        for t, tile in enumerate(grid.tiles)
    )


def _contacts(assembly: Assembly, places: dict[int, Vector]) -> list[Contact]:
    """Which pieces touch, and the normals of the faces they share, each once."""
    faces = _faces(assembly.problem.grid)
    owner = {
        shift_cell(cell, shift): piece
        for piece, shift in places.items()
        for cell in assembly.shapes[piece].cells
    }
    found = set()
    for (x, y, z, tile), piece in owner.items():
        for (dx, dy, dz, met), normal in faces[tile]:
            other = owner.get((x + dx, y + dy, z + dz, met))
            if other is not None and piece < other:
                found.add((piece, other, normal))
    return sorted(found)


def _forces_or_velocities(
    contacts: list[Contact], pieces: Sequence[int]
) -> tuple[tuple[Force, ...] | None, tuple[Vector, ...] | None]:
    """Exact forces, exact velocities, or neither."""
    import numpy as np  # 0.1 s that a puzzle which comes apart need not pay

    number = {piece: n for n, piece in enumerate(pieces)}
    # The first piece stands still; a row for each contact, three columns for each other piece.
    rows = np.zeros((len(contacts), 3 * len(pieces)), dtype=np.int64)
    for k, (i, j, normal) in enumerate(contacts):
        rows[k, 3 * number[i] : 3 * number[i] + 3] += normal
        rows[k, 3 * number[j] : 3 * number[j] + 3] -= normal
    rows = rows[:, 3:]
    if not rows.size:
        return None, None
    forces, velocities = _solve(rows)
    if forces is not None:
        strength = _whole([Fraction(float(f)).limit_denominator(FINEST) for f in forces])
        balanced = not (np.array(strength, dtype=object) @ rows).any()
        if balanced and min(strength) > 0 and _rank(rows) == rows.shape[1]:
            return tuple(Force(*c, s) for c, s in zip(contacts, strength, strict=True)), None
        return None, None
    scale = float(max(abs(velocities))) or 1.0
    moves = _whole([Fraction(float(v) / scale).limit_denominator(COARSEST) for v in velocities])
    slack = rows.astype(object) @ np.array(moves, dtype=object)
    if max(slack) > 0 or min(slack) == 0:
        return None, None
    flat = [0, 0, 0, *moves]
    return None, tuple((flat[n], flat[n + 1], flat[n + 2]) for n in range(0, len(flat), 3))


def _whole(numbers: list[Fraction]) -> list[int]:
    """The numbers times the least factor that makes them whole."""
    factor = lcm(*(number.denominator for number in numbers))
    whole = [int(number * factor) for number in numbers]
    divisor = gcd(*whole) or 1
    return [number // divisor for number in whole]


def _solve(rows: Any) -> tuple[Any, Any]:
    """Either positive forces with forces . rows = 0, or velocities with rows . velocities <= 0.

    The first phase of the simplex method for forces = 1 + x, x >= 0, in a full tableau; what it
    leaves over at the end prices the velocities.
    """
    import numpy as np

    contacts, columns = rows.shape
    right = -rows.sum(axis=0).astype(float)
    signs = np.where(right < 0, -1.0, 1.0)
    table = np.hstack([rows.T * signs[:, None], np.eye(columns), (right * signs)[:, None]])
    cost = np.concatenate(
        [-table[:, :contacts].sum(axis=0), np.zeros(columns), [-sum(right * signs)]]
    )
    basis = list(range(contacts, contacts + columns))
    for turn in range(50 * (contacts + columns)):
        candidates = np.nonzero(cost[:contacts] < -1e-9)[0]
        if not len(candidates):
            break
        # The steepest column; after a while the first one, which cannot go in circles.
        steepest = turn < 4 * (contacts + columns)
        enters = int(candidates[np.argmin(cost[candidates])] if steepest else candidates[0])
        column = table[:, enters]
        ratios = np.full(columns, np.inf)
        np.divide(table[:, -1], column, out=ratios, where=column > 1e-9)
        least = ratios.min()
        if not np.isfinite(least):
            break
        ties = [r for r in range(columns) if ratios[r] <= least + 1e-12]
        leaves = min(ties, key=lambda r: basis[r])
        table[leaves] /= table[leaves, enters]
        others = np.arange(columns) != leaves
        table[others] -= np.outer(table[others, enters], table[leaves])
        cost = cost - cost[enters] * table[leaves]
        basis[leaves] = enters
    if -cost[-1] < 1e-7:
        forces = np.ones(contacts)
        for row, column_number in enumerate(basis):
            if column_number < contacts:
                forces[column_number] += table[row, -1]
        return forces, None
    return None, (1 - cost[contacts : contacts + columns]) * signs


def _rank(rows: Any) -> int:
    """The rank modulo a prime, which is never more than the rank."""
    import numpy as np

    left = np.array(rows % PRIME, dtype=np.int64)
    rank = 0
    for column in range(left.shape[1]):
        pivots = np.nonzero(left[rank:, column])[0]
        if not len(pivots):
            continue
        pivot = rank + int(pivots[0])
        left[[rank, pivot]] = left[[pivot, rank]]
        inverse = pow(int(left[rank, column]), PRIME - 2, PRIME)
        left[rank] = left[rank] * inverse % PRIME
        for row in np.nonzero(left[:, column])[0]:
            if row != rank:
                left[row] = (left[row] - left[row, column] * left[rank]) % PRIME
        rank += 1
    return rank
