"""The sticks of the six-piece burr: 2 x 2 x 6 cubes, numbered by the cubes that are missing."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector, apply
from kumitate.model.grids import CUBES
from kumitate.model.numbers import LARGEST, require_whole
from kumitate.model.shape import Shape

# The cubes that may be missing, by the bits of Jürg von Känel's numbers, for a stick of length 6
# (www.research.ibm.com/BurrPuzzles, definitions 9.0 and 9.1; the same way round as puzzlecad's,
# which goes on from 4096 with the last four, in puzzlecad-burr-stick.scad).
_REMOVABLE: tuple[Vector, ...] = (
    *((x, y, 1) for y in (0, 1) for x in (1, 2, 3, 4)),
    *((x, y, 0) for y in (0, 1) for x in (2, 3)),
    *((x, y, 0) for y in (0, 1) for x in (1, 4)),
)
LONGEST_STICK = 100  # cells
STANDARD = 12  # of the removable cubes: without the last four, the sticks of the six-piece burr


def burr_stick(number: int, length: int = 6) -> Shape:
    """The stick of the six-piece burr with this number by von Känel: 1 is solid, 1024 the lightest.

    >>> print(burr_stick(1024))
    ##..##  #....#
    ######  #....#
    """
    require_whole(-LARGEST, number=number, length=length)
    if not 1 <= number <= 1 << len(_REMOVABLE):
        most = 1 << len(_REMOVABLE)
        raise PuzzleError(f"there is no burr stick {number}; their numbers are 1 to {most}")
    if length % 2 or not 4 <= length <= LONGEST_STICK:
        raise PuzzleError(
            f"a burr stick cannot be {length} long; use an even length, 4 to {LONGEST_STICK}"
        )
    away = {place for bit, place in enumerate(_removable(length)) if (number - 1) >> bit & 1}
    places = ((x, y, z) for x in range(length) for y in (0, 1) for z in (0, 1))
    return Shape(CUBES, {(*p, 0) for p in places if p not in away}, name=str(number))


def kaenel_number(shape: Shape) -> int | None:
    """Its number as a stick of the six-piece burr, the least of all ways to lie, if it is one.

    >>> kaenel_number(burr_stick(3073)), kaenel_number(Shape.from_text(CUBES, "###"))
    (7, None)
    """
    length, *section = sorted(shape.size, reverse=True)
    if shape.grid != CUBES or section != [2, 2] or length < 4 or length % 2:
        return None
    removable = _removable(length)
    missing = 4 * length - len(shape)
    numbers = (
        1 + sum(1 << bit for bit, place in enumerate(removable) if (*place, 0) not in way.cells)
        for way in shape.orientations()
        if way.size == (length, 2, 2)
    )
    return min((n for n in numbers if (n - 1).bit_count() == missing), default=None)


def burr_sticks() -> tuple[Shape, ...]:
    """The sticks of the six-piece burr, one of each, by their numbers: there are 837.

    Each has both ends whole, lacks some of the twelve cubes where other sticks may be, and is in
    one piece.

    >>> len(burr_sticks())
    837
    """
    return tuple(burr_stick(number) for number in burr_numbers())


@cache
def burr_numbers() -> Mapping[int, Sequence[int]]:
    """The numbers of the sticks of the six-piece burr, each with those of all ways it can lie.

    >>> numbers = burr_numbers()
    >>> numbers[7], sum(map(len, numbers.values()))
    ((7, 97, 769, 3073), 2225)
    """
    box = tuple(product(range(6), range(2), range(2)))
    removable = [box.index(place) for place in _REMOVABLE[:STANDARD]]
    beside = [
        sum(
            1 << n
            for n, other in enumerate(box)
            if sum(abs(a - b) for a, b in zip(place, other, strict=True)) == 1
        )
        for place in box
    ]
    middle = [(2 * x - 5, 2 * y - 1, 2 * z - 1) for x, y, z in box]
    turns = [
        [middle.index(place) for place in image]
        for turn in CUBES.turns
        if set(image := [apply(turn.matrix, place) for place in middle]) == set(middle)
    ]
    found: dict[int, Sequence[int]] = {}
    known = set[int]()
    for number in range(1, 1 + (1 << STANDARD)):
        away = [place for bit, place in enumerate(removable) if (number - 1) >> bit & 1]
        if number in known or not _in_one_part(away, beside):
            continue
        images = ({turn[place] for place in away} for turn in turns)
        ways = {
            1 + sum(1 << removable.index(place) for place in image)
            for image in images
            if image <= set(removable)
        }
        known |= ways
        found[number] = tuple(sorted(ways))
    return found


def _in_one_part(away: Sequence[int], beside: Sequence[int]) -> bool:
    """Whether what is left of a stick is connected; cells are bits."""
    left = (1 << len(beside)) - 1 - sum(1 << place for place in away)
    reached = fresh = 1
    while fresh:
        near = 0
        for place in range(len(beside)):
            if fresh >> place & 1:
                near |= beside[place]
        fresh = near & left & ~reached
        reached |= fresh
    return reached == left


@cache
def _removable(length: int) -> tuple[Vector, ...]:
    return tuple((x + length // 2 - 3, y, z) for x, y, z in _REMOVABLE)
