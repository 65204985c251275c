"""The frame of the six-piece burr: where six sticks lie in pairs along three axes.

The frame is 6 x 6 x 6 cells. A stick at home lies along x, as `burr_stick` draws it, with its
removable cubes facing inwards. A turn about the middle maps the frame to itself if it permutes the
axes cyclically: there are 12 rotations and 12 reflections, and six of the rotations take the stick
at home to the six places. In the middle, 32 cells can each belong to two or three sticks.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

from kumitate.model.burr_sticks import STANDARD, burr_stick
from kumitate.model.geometry import Matrix, Vector, apply
from kumitate.model.grids import CUBES
from kumitate.model.shape import Shape

SIDE = 6
CELLS: Sequence[Vector] = tuple((x, y, z) for x, y, z in product(range(SIDE), repeat=3))
ALL = (1 << STANDARD) - 1  # every removable cube of a stick, as bits


@cache
def home(length: int = SIDE) -> tuple[Sequence[Vector], Sequence[Vector]]:
    """The cells of the stick at home, and its removable cells in the order of its number's bits.

    A stick longer than the frame sticks out of it at both ends.
    """

    def placed(number: int) -> set[Vector]:
        corner = ((SIDE - length) // 2, 2, 1)
        return {(x, y, z) for x, y, z, _ in burr_stick(number, length).shifted(corner)}

    whole = placed(1)
    removable = [whole - placed(1 + (1 << bit)) for bit in range(STANDARD)]
    return sorted(whole), [cell for cells in removable for cell in cells]


@cache
def turns() -> tuple[Sequence[Matrix], Sequence[Matrix]]:
    """The rotations and the reflections that map the frame to itself."""
    circles = ((0, 1, 2), (1, 2, 0), (2, 0, 1))

    def kept(matrix: Matrix) -> bool:
        return tuple(next(i for i in range(3) if row[i]) for row in matrix) in circles

    rotations = [turn.matrix for turn in CUBES.turns if kept(turn.matrix)]
    return rotations, [turn.matrix for turn in CUBES.mirrors if kept(turn.matrix)]


@cache
def places() -> Sequence[Matrix]:
    """The rotations that take the stick at home to the six places: pair by pair, home first."""
    circle: Matrix = ((0, 0, 1), (-1, 0, 0), (0, -1, 0))
    across: Matrix = ((-1, 0, 0), (0, 1, 0), (0, 0, -1))
    one: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    found: list[Matrix] = []
    for _ in range(3):
        found += [one, _after(one, across)]
        one = _after(circle, one)
    return found


def _after(second: Matrix, first: Matrix) -> Matrix:
    columns = [apply(second, (row[0], row[1], row[2])) for row in zip(*first, strict=True)]
    a, b, c = zip(*columns, strict=True)
    return a, b, c


def turned(matrix: Matrix, cell: Vector) -> Vector:
    """Where a turn about the middle of the frame takes a cell."""
    x, y, z = apply(matrix, (2 * cell[0] - 5, 2 * cell[1] - 5, 2 * cell[2] - 5))
    return (x + 5) // 2, (y + 5) // 2, (z + 5) // 2


@cache
def goal(solid: bool = False, length: int = SIDE) -> Shape:
    """The 104 cells of a burr; those in the middle are optional unless it is solid.

    >>> len(goal()), len(goal().optional), len(goal(length=8))
    (104, 32, 152)
    """
    cells, middle = (
        {(*turned(turn, cell), 0) for turn in places() for cell in cells} for cells in home(length)
    )
    return Shape(CUBES, cells, name="burr", optional=set() if solid else middle)
