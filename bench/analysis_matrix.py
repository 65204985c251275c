"""What a program with a small grid would find: Bill Cutler's two burrs more than ours.

He counts 5,951,254,866 six-piece burrs that come apart at least partly, and we two fewer. His
programs put the sticks into a cubic grid, the analysis matrix, 10, 12 or 14 cells wide; he warns
that a stick that leaves it may be given incorrect movements (BURR6 in "Holey 6-Piece Burr").

    kumitate burr6 --output far.json --keep-far 5
    python -m bench.analysis_matrix far.json 14

takes burrs that are stuck, with two sticks that get so far apart that one may leave the grid, and
tells how many would seem to come apart if all cells outside the grid were dropped. A matrix of 10
asks for --keep-far 3, one of 12 for 4. Which stick stays where it is in the grid is not known, so
each is tried. This is a plain search that shares no code with the core.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from kumitate.burr6 import SixPieceBurrs
from kumitate.burr6.counts import STUCK
from kumitate.burr6.frame import SIDE
from kumitate.burr6.saved import read_run
from kumitate.model.geometry import Vector

MOST = 1000  # burrs that are tried, at random if there are more
SETS = [set(some) for size in range(1, 6) for some in combinations(range(6), size)]
State = tuple[Vector, ...]


def seems_to_come_apart(sticks: Sequence[Sequence[Vector]], width: int, still: int) -> bool:
    """Whether some sticks separate, in a grid in which one of them stays at home."""
    states: list[State] = [((0, 0, 0),) * 6]
    seen = {*states}
    for state in states:
        cells = _inside(sticks, state, (width - SIDE) // 2)
        for axis in range(3):
            gaps = _gaps(cells, axis, width)
            for some in SETS:
                far = min(gaps[i, j] for i in some for j in range(6) if j not in some)
                if far >= width:
                    return True
                for by in range(1, far + 1):
                    there = _moved(state, some, axis, by, still)
                    if there not in seen:
                        seen.add(there)
                        states.append(there)
    return False


def _inside(sticks: Sequence[Sequence[Vector]], state: State, margin: int) -> dict[Vector, int]:
    """The stick at each cell of the grid."""
    grid = range(-margin, SIDE + margin)
    found: dict[Vector, int] = {}
    for number, (stick, (a, b, c)) in enumerate(zip(sticks, state, strict=True)):
        for x, y, z in stick:
            if x + a in grid and y + b in grid and z + c in grid:
                found[x + a, y + b, z + c] = number
    return found


def _gaps(cells: dict[Vector, int], axis: int, width: int) -> Counter[tuple[int, int]]:
    """How far each stick can go up along an axis before it hits another; the width, if never."""
    gaps = Counter({(i, j): width for i in range(6) for j in range(6)})
    step = [int(a == axis) for a in range(3)]
    for (x, y, z), stick in cells.items():
        for by in range(1, width):
            other = cells.get((x + by * step[0], y + by * step[1], z + by * step[2]), stick)
            if other != stick:
                gaps[stick, other] = min(gaps[stick, other], by - 1)
    return gaps


def _moved(state: State, some: set[int], axis: int, by: int, still: int) -> State:
    def along(stick: int, a: int) -> int:
        return state[stick][a] + (by if a == axis and stick in some else 0)

    x, y, z = (along(still, a) for a in range(3))
    return tuple((along(n, 0) - x, along(n, 1) - y, along(n, 2) - z) for n in range(6))


def cells_of(burrs: SixPieceBurrs, kinds: Sequence[int]) -> list[list[Vector]]:
    return [[(x, y, z) for x, y, z, _ in shape.cells] for shape in burrs.assembly(kinds).shapes]


def main(name: str, width: int) -> None:
    run = read_run(Path(name))
    kept = [burr.kinds for burr in run.kept if burr.ending == STUCK]
    some = random.Random(0).sample(kept, min(MOST, len(kept)))
    found = 0
    for kinds in some:
        sticks = cells_of(run.burrs, kinds)
        ends = [seems_to_come_apart(sticks, width, still) for still in range(6)]
        found += any(ends)
    print(f"{found:,} of {len(some):,} burrs seem to come apart in a grid {width} cells wide")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
