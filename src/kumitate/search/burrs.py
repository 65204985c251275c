"""Six-piece burrs: which sticks there are, where the six lie, and six at random that go together.

Of six sticks taken blindly hardly one set in ten thousand goes together. So the places are filled
one after the other, each with any stick that leaves alone what the sticks before it fill.

A stick is a number of twelve bits, one for each cube that it lacks: von Känel's number less one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Literal, get_args

from kumitate.model.burr_sticks import burr_numbers, burr_stick
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Piece, Problem
from kumitate.model.shape import Shape
from kumitate.search.families import Draft
from kumitate.workshop import notchable

Sticks = Literal["all", "notchable", "solid"]
BITS = 12

# Von Känel's numbers of the notchable sticks that burrs without holes use (Cutler 1978).
SOLID = {1, 18, 35, 52, 86, 103, 120, 154, 188, 256, 359, 615, 792, 824, 856, 871, 888, 911, 928,
         943, 960, 975, 992, 1007, 1024}  # fmt: skip


@dataclass(frozen=True)
class Burrs:
    """Six-piece burrs of random sticks: all 837, the 59 notchable ones, or the 25 of solid burrs.

    The inside of the goal, where several sticks could have a cube, is optional: there may be holes.

    >>> print(Burrs("notchable").draw(Random(2)).problem())
    18, 52, 1007, 2 1024, 2840 fill burr (72 cells and 32 optional ones)
    """

    sticks: Sticks = "all"

    title = "Six-piece burr"
    grid = CUBES
    colours = ()
    at_once = False

    def __post_init__(self) -> None:
        if self.sticks not in get_args(Sticks):
            known = ", ".join(get_args(Sticks))
            raise PuzzleError(f"there are no {self.sticks!r} burr sticks; say one of {known}")

    def draw(self, dice: Random) -> Draft:
        """A stick for each place; from the start again if none is left for one of them."""
        chosen = list[int]()
        while len(chosen) < len(_places()):
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
        """The sticks in all their ways to lie that lack these cubes, and perhaps more."""
        if bits not in self._known:
            self._known[bits] = [stick for stick in _ways(self.sticks) if stick & bits == bits]
        return self._known[bits]

    @cached_property
    def _known(self) -> dict[int, Sequence[int]]:
        return {}


def _problem(sticks: Sequence[int]) -> Problem:
    numbers = Counter(1 + _least()[stick] for stick in sticks)
    return Problem(_goal(), [Piece(burr_stick(n), numbers[n]) for n in sorted(numbers)])


# ---- the burr ----


@cache
def _places() -> Sequence[Mapping[Cell, Cell]]:
    """Where each cube of a stick lies in the six places of the burr, its inner side inwards."""
    places: list[dict[Cell, Cell]] = []
    for turn in range(3):
        for far in (False, True):
            place: dict[Cell, Cell] = {}
            for cell in burr_stick(1):
                x, y, z = cell[0], cell[2] + 1, 3 - cell[1]
                row = [5 - x, 5 - y, z] if far else [x, y, z]
                a, b, c = row[turn:] + row[:turn]
                place[cell] = (a, b, c, 0)
            places.append(place)
    return places


@cache
def _goal() -> Shape:
    several = Counter(cell for place in _places() for cell in place.values())
    inside = {cell for cell, sticks in several.items() if sticks > 1}
    return Shape(CUBES, several.keys(), optional=inside, name="burr")


@cache
def _lying(place: int, stick: int) -> tuple[Cell, ...]:
    """The cells of a stick in a place."""
    gone = _gone(stick)
    return tuple(there for cell, there in _places()[place].items() if cell not in gone)


@cache
def _blocked(place: int, other: int, stick: int) -> int:
    """The cubes that a stick in a place must lack because of a stick in another."""
    filled = _lying(other, stick)
    here = _places()[place]
    return sum(1 << bit for bit, cell in enumerate(_inside()) if here[cell] in filled)


# ---- the sticks ----


@cache
def _inside() -> list[Cell]:
    """The cube of a stick that each bit takes away."""
    solid = burr_stick(1).cells
    return [min(solid - burr_stick(1 + (1 << bit)).cells) for bit in range(BITS)]


def _gone(stick: int) -> set[Cell]:
    return {cell for bit, cell in enumerate(_inside()) if stick >> bit & 1}


@cache
def _ways(sticks: Sticks) -> list[int]:
    """The sticks of one kind, in all the ways in which they can lie."""
    least = _least()
    kinds = set(least.values())
    if sticks == "notchable":
        kinds = {stick for stick in kinds if notchable(burr_stick(1 + stick))}
    elif sticks == "solid":
        kinds = {number - 1 for number in SOLID}
    return [stick for stick in least if least[stick] in kinds]


@cache
def _least() -> Mapping[int, int]:
    """Every connected stick in every way to lie, 2,225 in all, and the least number it can have.

    They are in order, on which what is drawn depends.
    """
    ways = ((way - 1, number - 1) for number, ways in burr_numbers().items() for way in ways)
    return dict(sorted(ways))
