"""Bill Cutler's Programmer's Nightmare (1989), found again from what is said about it.

billcutlerpuzzles.com/stock/nightmare.html: a six-piece burr with 102 assemblies; none comes apart
by slides, and one by a twist that hard pieces without play can make. James Storer's collection has
the way: F up half a unit, A turns by a quarter, A up, which takes F along, D up and out.

`python -m bench.nightmare` takes two minutes. It first asks where a stick can turn about its own
axis only after another has moved by half a cell, if the others have no more than what every stick
has. Then it visits the burrs that leave these sticks that room, those with few holes first, until
it finds some with 102 assemblies of which none comes apart by slides.

The sticks are longer than 6. With length 6, twelve of these assemblies come apart by slides.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import kumitate
from kumitate import CUBES, Assembly, Piece, Problem, Shape
from kumitate._core import find_stops
from kumitate.burr6.frame import ALL, home, places, turned
from kumitate.model.burr_sticks import burr_numbers, burr_stick
from kumitate.model.geometry import Vector

LENGTH, ASSEMBLIES = 8, 102
MOST_HOLES = 8  # Storer says 7
STICKS = (476, 512, 757, 956, 1021, 1024)  # found, with 499, 702, 768, 990, 1012, 1024: mirrored
OPENS = """
    ........  ........  ........  ..CCDD..  ..CCDD..  ........  ........  ........
    ........  ........  ........  ..CCDD..  ..CCDD..  ........  ........  ........
    ...EE...  ...EE...  ...EE...  ..CCED..  ..CEED..  ...EE...  ...EE...  ...EE...
    ...EE...  ...EE...  AAAAAAAA  AACCEDAA  BBCEBDBB  BBBBBBBB  ...EE...  ...EE...
    ...FF...  ...FF...  AAA..AAA  AA....AA  BBCFBDBB  BBBF.BBB  ...FF...  ...FF...
    ...FF...  ...FF...  ...FF...  ..CCFD..  ..C.FD..  ...FF...  ...FF...  ...FF...
    ........  ........  ........  ..CCDD..  ..CCDD..  ........  ........  ........
    ........  ........  ........  ..CCDD..  ..CCDD..  ........  ........  ........
"""


def nightmare() -> Assembly:
    """The assembly that comes apart, lettered as Storer does."""
    return Assembly.from_text(CUBES, OPENS)


def burr(numbers: Sequence[int] = STICKS, length: int = LENGTH) -> Problem:
    """Six sticks to put together; there may be holes in the middle.

    >>> kumitate.count(burr()).assemblies
    102
    """
    whole, removable = home()
    more = range(-(length - 6) // 2, 6 + (length - 6) // 2)
    long = {(x, y, z) for x in more for _, y, z in whole}
    goal, middle = (
        {(*turned(place, cell), 0) for place in places() for cell in cells}
        for cells in (long, removable)
    )
    sticks = [Piece(burr_stick(n, length), numbers.count(n)) for n in sorted({*numbers})]
    return Problem(Shape(CUBES, goal, optional=middle), sticks)


# ---- where a stick can turn ----

Cells = frozenset[Vector]
ACROSS: Sequence[Vector] = ((0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


class Room(NamedTuple):
    """The stick in place 0 turns with these of its cells in the middle, once another has moved."""

    cells: Cells
    other: int  # its place
    to: Vector  # by half a cell

    def allows(self, more: Vector | None = None, place: int = 0, half: bool = True) -> bool:
        """Whether it turns if another stick has one more cell; or if the other is at home."""
        staying = []
        for n in range(1, 6):
            by = self.to if half and n == self.other else (0, 0, 0)
            staying.append(_halves(fixed(n) | ({more} if more and n == place else set()), by))
        moving = _halves(fixed(0) | self.cells)
        if any({*moving} & {*other} for other in staying):
            return False
        near, far, *_ = find_stops([moving], staying, tolerance=10, clearance=20)
        return any(quarters % 4 for quarters, *_ in [*near, *far])

    @property
    def holes(self) -> Cells:
        """The cells that no stick can have."""
        others = (cell for cell in owners() if cell not in self.cells)
        return frozenset(c for c in others if not any(self.allows(c, p) for p in owners()[c] if p))


def fixed(place: int) -> Cells:
    """The cells that every stick in this place has."""
    whole, removable = home()
    return frozenset(turned(places()[place], cell) for cell in {*whole} - {*removable})


@cache
def owners() -> dict[Vector, dict[int, int]]:
    """The cells in the middle, with the places whose sticks may have them, each with its bit."""
    found: dict[Vector, dict[int, int]] = {}
    for place, turn in enumerate(places()):
        for bit, cell in enumerate(home()[1]):
            found.setdefault(turned(turn, cell), {})[place] = 1 << bit
    return found


@cache
def numbered() -> dict[int, int]:
    """The numbers of all sticks, by the bits of the cells that they have in the middle."""
    return {ALL & ~(way - 1): n for n, ways in burr_numbers().items() for way in ways}


def rooms() -> Iterator[Room]:
    """Where half a cell is needed."""
    least: list[Cells] = []  # with which a stick is in one piece
    for cells in (frozenset(c) for n in range(6) for c in combinations(home()[1], n)):
        if _bits(cells, 0) in numbered() and not any(other <= cells for other in least):
            least.append(cells)
    for cells, other, to in product(least, range(1, 6), ACROSS):
        room = Room(cells, other, to)
        if room.allows() and not room.allows(half=False):
            yield room


def _halves(cells: Iterable[Vector], by: Vector = (0, 0, 0)) -> list[tuple[int, int, int]]:
    """Layers along x, and in them quarters of cells of half the size."""
    return [
        (x, 2 * y + i + by[1], 2 * z + j + by[2])
        for x, y, z in cells
        for i in (0, 1)
        for j in (0, 1)
    ]


def _bits(cells: Iterable[Vector], place: int) -> int:
    return sum(owners()[cell][place] for cell in cells)


# ---- the burrs that leave it ----


def burrs(room: Room, empty: Cells, holes: int) -> Iterator[tuple[int, ...]]:
    """The sticks of all burrs with so many holes where the other stick can go its way."""
    rest = [cell for cell in owners() if cell not in room.cells | empty]
    theirs = [cell for cell in rest if room.other in owners()[cell]]
    first = numbered()[_bits(room.cells, 0)]
    places_left = [p for p in range(1, 6) if p != room.other]
    standing = {cell: p for p in range(6) for cell in fixed(p)} | dict.fromkeys(room.cells, 0)
    for mine in (frozenset(c) for n in range(13) for c in combinations(theirs, n)):
        if (second := numbered().get(_bits(mine, room.other))) is None:
            continue
        body = fixed(room.other) | mine
        ahead = {(x, y + room.to[1], z + room.to[2]) for x, y, z in body} - body
        if any(cell in standing for cell in ahead):
            continue
        free = {
            c: [p for p in owners()[c] if p in places_left] for c in rest if c not in mine | ahead
        }
        free = {cell: may for cell, may in free.items() if may}
        full = len(owners()) - holes - len(room.cells) - len(mine)
        for filled in combinations(free, full) if full >= 0 else ():
            for owned in product(*(free[cell] for cell in filled)):
                kinds = dict.fromkeys(places_left, 0)
                for cell, place in zip(filled, owned, strict=True):
                    kinds[place] |= owners()[cell][place]
                if all(kind in numbered() for kind in kinds.values()):
                    sticks = (numbered()[kind] for kind in kinds.values())
                    yield tuple(sorted((first, second, *sticks)))


def closed(numbers: Sequence[int]) -> bool:
    """Whether no assembly comes apart by slides."""
    return not any(kumitate.examine(a).disassembly for a in kumitate.assemble(burr(numbers)))


def main() -> None:
    tried: set[tuple[int, ...]] = set()
    found = False
    ways = [(room, room.holes) for room in rooms()]
    for room, empty in ways:
        stick = numbered()[_bits(room.cells, 0)]
        print(
            f"stick {stick} turns if {room.other} goes to {room.to}: {len(empty)} holes", flush=True
        )
    for holes in range(MOST_HOLES + 1):
        for room, empty in ways:
            for numbers in burrs(room, empty, holes) if len(empty) <= holes else ():
                if numbers in tried:
                    continue
                tried.add(numbers)
                if kumitate.count(burr(numbers)).assemblies == ASSEMBLIES and closed(numbers):
                    found = True
                    print(f"{holes} holes: {numbers}", flush=True)
        print(f"{len(tried):,} kinds of burrs with up to {holes} holes", flush=True)
    assert found


if __name__ == "__main__":
    main()
