"""Random six-piece burrs: six sticks that go together.

Of six sticks chosen blindly, hardly one set in ten thousand goes together. So the places are filled
one after the other, each with a random stick that does not overlap the sticks before it.

A stick is a number of twelve bits, one for each cube that it lacks: von Känel's number minus one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Literal, get_args

from kumitate.burr6.frame import goal, home, places, turned
from kumitate.designer.families import Draft
from kumitate.model.burr_sticks import burr_numbers, burr_stick
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell, Vector
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Piece, Problem
from kumitate.workshop import notchable

Sticks = Literal["all", "notchable", "solid"]

# Von Känel's numbers of the notchable sticks in burrs without holes (Cutler 1978).
SOLID = {1, 18, 35, 52, 86, 103, 120, 154, 188, 256, 359, 615, 792, 824, 856, 871, 888, 911, 928,
         943, 960, 975, 992, 1007, 1024}  # fmt: skip


@dataclass(frozen=True)
class Burrs:
    """Six-piece burrs of random sticks: all 837, the 59 notchable ones, or the 25 of solid burrs.

    The inside of the goal, where sticks can share a cell, is optional: there may be holes.

    >>> print(Burrs("notchable").draw(Random(2)).problem())
    18, 52, 1007, 2 1024, 2840 fill burr (72 cells and 32 optional ones)
    """

    sticks: Sticks = "all"

    title = "Six-piece burr"
    grid = CUBES
    colours = ()
    level_one = False

    def __post_init__(self) -> None:
        if self.sticks not in get_args(Sticks):
            known = ", ".join(get_args(Sticks))
            raise PuzzleError(f"there are no {self.sticks!r} burr sticks; use one of {known}")

    def draw(self, dice: Random) -> Draft:
        """Draw a stick for each place; start again if no stick fits in one of them."""
        chosen = list[int]()
        while len(chosen) < len(places()):
            lacks = 0
            for place, stick in enumerate(chosen):
                lacks |= _blocked(len(chosen), place, stick)
            if sticks := self._lacking(lacks):
                chosen.append(sticks[int(dice.random() * len(sticks))])
            else:
                chosen.clear()
        pieces = [_lying(number, stick) for number, stick in enumerate(chosen)]
        return Draft(pieces, lambda: _problem(chosen))

    def _lacking(self, bits: int) -> Sequence[int]:
        """The oriented sticks that lack at least these cubes."""
        if bits not in self._known:
            self._known[bits] = [stick for stick in _ways(self.sticks) if stick & bits == bits]
        return self._known[bits]

    @cached_property
    def _known(self) -> dict[int, Sequence[int]]:
        return {}


def _problem(sticks: Sequence[int]) -> Problem:
    numbers = Counter(1 + _least()[stick] for stick in sticks)
    return Problem(goal(), [Piece(burr_stick(n), numbers[n]) for n in sorted(numbers)])


# ---- sticks in their places ----


@cache
def _lying(place: int, stick: int) -> tuple[Cell, ...]:
    """The cells of a stick in a place."""
    whole, removable = home()
    gone = {cell for bit, cell in enumerate(removable) if stick >> bit & 1}
    return tuple(_there(place, cell) for cell in whole if cell not in gone)


@cache
def _blocked(place: int, other: int, stick: int) -> int:
    """The cubes that a stick in one place must lack because of a stick in another."""
    filled = _lying(other, stick)
    removable = home()[1]
    return sum(1 << bit for bit, cell in enumerate(removable) if _there(place, cell) in filled)


def _there(place: int, cell: Vector) -> Cell:
    return (*turned(places()[place], cell), 0)


@cache
def _ways(sticks: Sticks) -> list[int]:
    """The sticks of one kind, in all their orientations."""
    least = _least()
    kinds = set(least.values())
    if sticks == "notchable":
        kinds = {stick for stick in kinds if notchable(burr_stick(1 + stick))}
    elif sticks == "solid":
        kinds = {number - 1 for number in SOLID}
    return [stick for stick in least if least[stick] in kinds]


@cache
def _least() -> Mapping[int, int]:
    """Every connected stick in every orientation, 2,225 in all, and the least number it can have.

    Their order matters: it determines what is drawn.
    """
    ways = ((way - 1, number - 1) for number, ways in burr_numbers().items() for way in ways)
    return dict(sorted(ways))
