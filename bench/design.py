"""How fast puzzles are judged by climbs, and how hard the puzzles are that designs find.

`python -m bench.design speed` prints puzzles judged a second, of CPU time on one thread.
`python -m bench.design bars [--seconds N] [--seeds N] [--beaten] [CLASS ...]` prints the level that
each seed reaches in so many CPU seconds; with --beaten, a seed stops above the bar. Classes are
cubes with an inner hole, such as 5x6 for six pieces in 5x5x5, and `burr` for eighteen pieces; and
with a unique solution `unique` for six pieces in 5x5x5, `packing` for three pieces in a cage of
3x3x3, and `burr6` for six notchable sticks. The referee checks every puzzle.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

from bench.hard import EIGHTEEN_PIECE_BURR, drawn, sticks
from kumitate import CUBES, Shape, disassemble
from kumitate.designer.design import Design, brief_for, improvements
from kumitate.designer.engine import Candidate, candidates
from kumitate.designer.space import Pieces, Space
from kumitate.model.solution import Solution
from kumitate.model.wish import Wish
from kumitate.referee import assembly_faults, disassembly_faults

HOLES = {4: (1, 1, 1), 5: (2, 2, 2), 6: (2, 2, 2)}
# Chen, Wang, Song and Bickel, "Computational Design of High-level Interlocking Puzzles" (2022).
PUBLISHED = {4: (8, 6, 8, 5), 5: (11, 16, 14, 13), 6: (15, 20, 27, 17)}
BARS = {f"{n}x{k}": PUBLISHED[n][k - 3] for n, k in product(PUBLISHED, range(3, 7))}
BARS |= {"burr": 60, "unique": 23, "packing": 15, "burr6": 5}
WISHES = {
    "unique": ("5x5x5", Wish(pieces=6, holes=1, unique=True)),
    "packing": ("cage/3x3x3", Wish(pieces=3, unique=True)),
    "burr6": ("burr6", Wish(notchable=True, unique=True)),
}


def cube(side: int, pieces: int) -> Space:
    """A cube with one inner cell that stays empty."""
    box = frozenset((x, y, z, 0) for x, y, z in product(range(side), repeat=3))
    solid = box - {(*HOLES[side], 0)}
    return Space(Shape(CUBES, solid), (solid,) * pieces)


def burr() -> Space:
    """Eighteen sticks of length 8, cut down to rods where they cross."""
    whole, rods = (tuple(map(frozenset, some)) for some in sticks())
    frame = Shape(CUBES, frozenset().union(*whole))
    return Space(frame, whole, rods, holes=(0, len(frame)), inner=False)


def old_burr() -> tuple[Space, Pieces]:
    """The same with the library's puzzle."""
    space = burr()
    shapes = drawn(EIGHTEEN_PIECE_BURR).shapes
    low = [min(cell[axis] for shape in shapes for cell in shape) + 4 for axis in range(3)]
    moved = [{(x - low[0], y - low[1], z - low[2], 0) for x, y, z, _ in s} for s in shapes]
    pieces = [next(frozenset(s) for s in moved if s <= home) for home in space.homes]
    return space, tuple(pieces)


def space_of(name: str) -> Space:
    if name == "burr":
        return burr()
    side, pieces = map(int, name.split("x"))
    return cube(side, pieces)


def harder(name: str, seed: int, stop: Callable[[], bool]) -> Iterator[tuple[Solution, int]]:
    """Ever harder puzzles of a class, solved, and how many puzzles were judged before."""
    level = 0
    if name in WISHES:
        goal, wish = WISHES[name]
        brief = brief_for(goal, replace(wish, seed=seed))
        with ThreadPoolExecutor(1) as crew:
            for found in improvements(brief, {}, seed=seed, crew=crew, stop=stop):
                if isinstance(found, Design) and found.level > level:
                    level = found.level
                    yield found.solution, found.sample
        return
    space = space_of(name)
    for report in candidates(space, seed=seed, stop=stop):
        if isinstance(report, Candidate) and report.levels.moves > level:
            level = report.levels.moves
            assembly = space.assembly(report.pieces)
            yield Solution(assembly, disassemble(assembly)), report.evaluations


def speed_of(space: Space, pieces: Pieces, evaluations: int) -> Iterator[float]:
    """Puzzles judged a second, all near the same one."""
    climb = space.climb(slack=2, later=0.1, max_states=20_000)
    for seed in range(3):
        climb.begin(space.owners(pieces), seed)
        start = time.process_time()
        while climb.evaluations < evaluations:
            if climb.run(evaluations - climb.evaluations) == "better":
                climb.settle(climb.evaluations == 1)  # it stays where it is
        yield evaluations / (time.process_time() - start)


def near_ten(space: Space) -> Candidate:
    """A puzzle of about level 10."""
    near = list[Candidate]()

    def look(candidate: Candidate) -> bool:
        near.extend([candidate] * (9 <= candidate.levels.moves <= 11))
        return True

    for _ in candidates(space, seed=1, accept=look, stop=lambda: bool(near)):
        pass
    return near[0]


def speed() -> None:
    space = cube(5, 6)
    near = near_ten(space)
    print("| puzzle | level | judged a second |\n|---|---|---|")
    rows = [(f"six pieces in 5x5x5 | {near.levels}", space, near.pieces, 50_000)]
    rows.append(("18-piece burr | 29", *old_burr(), 5_000))
    for name, space, pieces, evaluations in rows:
        print(f"| {name} | {max(speed_of(space, pieces, evaluations)):,.0f} |", flush=True)


def bars(names: list[str], seconds: float, seeds: int, beaten: bool) -> None:
    print("| class | bar | levels, with CPU seconds and puzzles judged until then |\n|---|---|---|")
    for name in names or BARS:
        reached = []
        for seed in range(1, seeds + 1):
            start = time.process_time()
            ends = start + seconds
            row = "nothing"
            for best, judged in harder(name, seed, lambda ends=ends: time.process_time() > ends):  # type: ignore[misc]
                assert best.disassembly is not None
                assert not assembly_faults(best.assembly)
                assert not disassembly_faults(best.assembly, best.disassembly)
                row = f"{best.levels} ({time.process_time() - start:.0f} s, {judged:,})"
                if beaten and best.disassembly.levels.moves > BARS[name]:
                    break
            reached.append(row)
        print(f"| {name} | {BARS[name]} | {', '.join(reached)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.design")
    parser.add_argument("what", choices=["speed", "bars"])
    parser.add_argument("classes", nargs="*", metavar="CLASS", help=", ".join(BARS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--beaten", action="store_true", help="stop above the bar")
    asked = parser.parse_intermixed_args()
    if not BARS.keys() >= set(asked.classes):
        parser.error(f"classes are {', '.join(BARS)}")
    if asked.what == "speed":
        speed()
    else:
        bars(asked.classes, asked.seconds, asked.seeds, asked.beaten)


if __name__ == "__main__":
    main()
