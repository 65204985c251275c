"""Rotation: the move that turns pieces about an axis along the grid of cubes.

All coordinates are whole numbers. An axis passes through corners or centres of cells, so a pivot
is given in half cells (in half units where pieces may stop between cells). Seen from the far end
of its axis, from the right, from behind or from above, a positive turn is counter-clockwise.

Where a turn about a fixed pivot would hit something, the pieces may follow a route (model/route.py)
that ends in the same place. A route may also end as it began, without a turn: then the pieces tilt,
slide and tilt back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from kumitate.model.geometry import ZERO, Cell, Vector
from kumitate.model.numbers import ratio_of
from kumitate.model.route import Route

if TYPE_CHECKING:
    from fractions import Fraction  # which commands without turns do without

    from kumitate.model.solution import Assembly

AMOUNTS = {1: "a quarter", 2: "halfway", 3: "three quarters"}
VIEWS = ("the right", "the front", "above")  # from which the words see a turn about each axis


@dataclass(frozen=True)
class Rotation:
    """Some pieces turned together by quarters, about an axis that passes through the pivot.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.solution import Assembly
    >>> quarter = Rotation([1], axis=2, quarters=1, pivot=(2, 2, 0))
    >>> quarter.describe(Assembly.from_text(CUBES, "AB"))
    'B turns a quarter counter-clockwise, seen from above'
    >>> quarter.turn_cell((1, 0, 0, 0)), quarter.turn_point((0, 0, 5))
    ((1, 1, 0, 0), (4, 0, 5))
    """

    pieces: Sequence[int]  # which of the assembly's placements
    axis: int  # 0, 1 or 2: x, y or z
    quarters: int  # 1 to 3, or -1 to -3 for clockwise; 0 on a route that only tilts
    pivot: Vector  # in halves of a unit; 0 along the axis
    parts: int = 1  # units in a cell
    tolerance: "Fraction" = 0  # type: ignore[assignment]  # by which faces must be set back, in cells
    route: Route = ()  # of the centre of the pieces; none if they turn about the pivot

    def __post_init__(self) -> None:
        from fractions import Fraction

        object.__setattr__(self, "pieces", tuple(sorted(self.pieces)))
        object.__setattr__(self, "tolerance", Fraction(self.tolerance))
        object.__setattr__(self, "route", tuple(self.route))

    @property
    def fault(self) -> str | None:
        """Why this is not a valid turn, in a sentence; collisions are not checked.

        >>> Rotation([0], axis=2, quarters=1, pivot=(1, 2, 0)).fault
        'a quarter turn about (1, 2, 0) does not lead from cells to cells'
        """
        return next(self._faults(), None)

    def _faults(self) -> Iterator[str]:
        if not self.pieces or len(set(self.pieces)) < len(self.pieces):
            yield "a turn needs some pieces, each once"
        if self.axis not in (0, 1, 2) or abs(self.quarters) > 3 or self.parts < 1:
            yield "a turn goes by -3 to 3 quarters about axis 0, 1 or 2"
            return
        if not self.quarters and not self.route:
            yield "a turn by 0 quarters needs a route"
        if self.pivot[self.axis]:
            yield f"the pivot {self.pivot} must have 0 along axis {self.axis}"
        if self.quarters % 2 and sum(self.pivot) % 2:
            yield f"a quarter turn about {self.pivot} does not lead from cells to cells"
        if not 0 <= 2 * self.tolerance < 1:
            yield f"a tolerance of {float(self.tolerance):g} is not at least 0 and less than 0.5"
        if self.route:
            yield from self._route_faults()

    def _route_faults(self) -> Iterator[str]:
        first, last = self.route[0], self.route[-1]
        if len(self.route) < 2 or first.turn or last.turn != self.quarters:
            yield f"the route must begin with a turn of 0 and end with {self.quarters}"
            return
        if first.about or any(
            there.about and not 0 < abs(there.turn - here.turn) <= 1
            for here, there in pairwise(self.route)
        ):
            yield "an arc of the route must turn pieces, by a quarter at most"
        if not self.quarters and self.pivot != ZERO:
            yield f"the pivot of a route without a turn must be 0, 0, 0, not {self.pivot}"
        if not self.quarters and any(c.denominator > 1 for c in self._slid):
            yield "the route does not lead from cells to cells"
        if self.quarters:
            halves = 2 * self.parts
            u, v = (self.pivot[n] for n in self._plane)
            x, y = halves * first.x - u, halves * first.y - v
            for _ in range(self.quarters % 4):
                x, y = -y, x
            if (halves * last.x, halves * last.y) != (u + x, v + y):
                yield f"the route does not end where a turn about {self.pivot} leads"

    @property
    def _plane(self) -> tuple[int, int]:
        return (self.axis + 1) % 3, (self.axis + 2) % 3

    @property
    def _slid(self) -> "tuple[Fraction, Fraction]":
        """How far a route without a turn leads, in units."""
        first, last = self.route[0], self.route[-1]
        return self.parts * (last.x - first.x), self.parts * (last.y - first.y)

    def turn_point(self, point: Vector) -> Vector:
        """Where a point goes, in halves of a unit."""
        u, v = self._plane
        there = list(point)
        if not self.quarters:
            x, y = self._slid
            there[u] += int(2 * x)
            there[v] += int(2 * y)
        for _ in range(self.quarters % 4):
            across, along = there[u] - self.pivot[u], there[v] - self.pivot[v]
            there[u], there[v] = self.pivot[u] - along, self.pivot[v] + across
        return (there[0], there[1], there[2])

    def turn_cell(self, cell: Cell) -> Cell:
        """Where a cube goes whose side is one unit."""
        x, y, z = self.turn_point((2 * cell[0] + 1, 2 * cell[1] + 1, 2 * cell[2] + 1))
        return (x // 2, y // 2, z // 2, cell[3])

    def describe(self, assembly: "Assembly") -> str:
        """In words."""
        return self._words(assembly, 1)

    def describe_undone(self, assembly: "Assembly") -> str:
        """The move undone, in words."""
        return self._words(assembly, -1)

    def _words(self, assembly: "Assembly", sign: int) -> str:
        names, s = ", ".join(map(assembly.label, self.pieces)), "s" * (len(self.pieces) == 1)
        if not self.quarters:
            return f"{names} tilt{s}, slide{s} {self._way(assembly, sign)}, and tilt{s} back"
        # The front is the near end of its axis, the other views are far ends.
        clockwise = (sign * self.quarters < 0) != (self.axis == 1)
        sense = "clockwise" if clockwise else "counter-clockwise"
        moving = " about a moving axis" if self.route else ""
        return (
            f"{names} turn{s} {AMOUNTS[abs(self.quarters)]} {sense}{moving},"
            f" seen from {VIEWS[self.axis]}"
        )

    def _way(self, assembly: "Assembly", sign: int) -> str:
        """How far and where to a route without a turn leads, along one axis after the other."""
        from kumitate.model.solution import toward

        ways = []
        for axis, units in zip(self._plane, self._slid, strict=True):
            step = [0, 0, 0]
            step[axis] = sign if units > 0 else -sign
            if units:
                far = ratio_of(abs(int(units)), self.parts)
                ways.append(f"{far} {toward(assembly.problem.grid, (step[0], step[1], step[2]))}")
        return " and ".join(ways) or "back to its place"
