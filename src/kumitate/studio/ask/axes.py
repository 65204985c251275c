"""The axes of space in a grid: its smallest turns about them, its mirrors, its shifts along them.

A user turns a shape "about z" on any grid, but the grid's table has its turns only as whole-number
maps of the lattice. Here we convert each turn to space coordinates and find the right one.
"""

from collections.abc import Sequence
from functools import cache
from math import atan2, degrees, dist, inf
from typing import NamedTuple

from kumitate.model.geometry import ONE, ZERO, Vector, multiply, subtract, triples
from kumitate.model.grid import Grid, Turn
from kumitate.output.scene import (
    UPRIGHT,
    Point,
    in_space,
    scaled,
    transposed,
    turn_in_space,
    turned,
)
from kumitate.studio.messages import Axis

AXES: tuple[Axis, ...] = ("x", "y", "z")
REACH = 3  # lattice units: no useful shift goes farther
NEAR = 1e-9
CLOSE = 1e-6  # of matrices that are to be the same


class Quarter(NamedTuple):
    """A turn about an axis, counterclockwise seen from its tip, and its angle."""

    turn: Turn
    degrees: int


@cache
def least_turn(grid: Grid, axis: Axis) -> Quarter | None:
    """The smallest turn about an axis that maps the grid to itself, if there is one.

    >>> from kumitate.model.grids import CUBES, PRISMS
    >>> [least_turn(grid, axis).degrees for grid in (CUBES, PRISMS) for axis in "xz"]
    [90, 90, 180, 60]
    """
    i = AXES.index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    found = []
    for turn in grid.turns[1:]:
        seen = turn_in_space(grid, turn)
        [a, b, c] = (turned(seen, row) for row in seen)
        rigid = turn.divisor == 1 and _are_near((a, b, c), UPRIGHT)
        if rigid and _are_near([transposed(seen)[i]], [UPRIGHT[i]]):
            angle = degrees(atan2(seen[k][j], seen[j][j])) % 360
            found.append(Quarter(turn, round(angle)))
    return min(found, key=lambda quarter: quarter.degrees, default=None)


@cache
def inverse(grid: Grid, turn: Turn) -> Turn:
    """The turn that undoes another."""
    return next(other for other in grid.turns if multiply(other.matrix, turn.matrix) == ONE)


@cache
def mirror_across(grid: Grid, axis: Axis) -> Turn | None:
    """The reflection that changes the sign of one coordinate in space, if the grid has it."""
    wanted = [scaled(-1.0 if row[AXES.index(axis)] else 1.0, row) for row in UPRIGHT]
    mirrors = (turn for turn in grid.mirrors if turn.divisor == 1)
    return next((turn for turn in mirrors if _are_near(turn_in_space(grid, turn), wanted)), None)


def _are_near(some: Sequence[Point], others: Sequence[Point]) -> bool:
    pairs = zip(some, others, strict=True)
    return all(dist(one, other) < CLOSE for one, other in pairs)


@cache
def short_shifts(grid: Grid) -> dict[str, Vector]:
    """The lattice vectors along the axes, and those that are not sums of shorter ones, by name.

    A name has the signs of the vector's coordinates in space.

    >>> from kumitate.model.grids import CUBES, SPHERES
    >>> list(short_shifts(CUBES)), len(short_shifts(SPHERES))
    (['+x', '-x', '+y', '-y', '+z', '-z'], 18)
    """
    lengths = {
        shift: round(sum(x * x for x in in_space(grid, shift)), 6)
        for shift in triples(range(-REACH, REACH + 1))
        if shift != ZERO
    }

    def bare(shift: Vector) -> bool:
        """Whether it is not the sum of two shorter ones."""
        shorter = [other for other in lengths if lengths[other] < lengths[shift]]
        return all(lengths.get(subtract(shift, other), inf) >= lengths[shift] for other in shorter)

    nearest: dict[str, Vector] = {}
    for shift in sorted(lengths, key=lambda shift: (lengths[shift], shift)):
        nearest.setdefault(_pointing(grid, shift), shift)
    kept = {name: shift for name, shift in nearest.items() if len(name) == 2 or bare(shift)}
    order = sorted(kept, key=lambda name: (len(name), name[1::2], name.replace("-", "~")))
    return {name: kept[name] for name in order}


def _pointing(grid: Grid, shift: Vector) -> str:
    """'+x' or '-x+z': the axes of space along which a lattice vector points."""
    parts = zip(in_space(grid, shift), AXES, strict=True)
    return "".join(f"{'+' if part > 0 else '-'}{axis}" for part, axis in parts if abs(part) > NEAR)
