"""States per CPU second with turns, on one thread: stuck six-piece burrs, and pieces in trays.

Timed is the core alone; the first row of each kind makes what the others find in the caches. The
last column is the same search without turns.
"""

import time
from random import Random
from statistics import median

from kumitate import CUBES, Assembly, Piece, Placement, Problem, Shape
from kumitate.burr6 import Burrs
from kumitate.model.geometry import ZERO, Cell
from kumitate.model.options import ApartOptions
from kumitate.search.disassemble import NO_LIMIT, Disassembler, spots

MOST = 100_000  # states of a search


def assembly_of(parts: list[set[Cell]]) -> Assembly:
    pieces = [Piece(Shape(CUBES, part)) for part in parts]
    problem = Problem(Shape(CUBES, set().union(*parts)), pieces)
    return Assembly(problem, [Placement(n, 0, ZERO) for n in range(len(parts))])


def stuck_burrs(count: int, seed: int = 1) -> list[Assembly]:
    """Random burrs that move a little, but do not come apart by slides."""
    dice = Random(seed)
    found: list[Assembly] = []
    while len(found) < count:
        parts = [set(cells) for cells in Burrs().draw(dice).pieces]
        assembly = assembly_of(parts)
        report = Disassembler(assembly.problem, ApartOptions(max_states=MOST)).examine(assembly)
        if report.ending == "stuck":
            found.append(assembly)
    return found


def tray(wide: int, high: int, *parts: set[Cell]) -> Assembly:
    """Flat pieces in a closed box."""
    inside = {(x, y, 0, 0) for x in range(wide) for y in range(high)}
    around = {
        (x, y, z, 0) for x in range(-1, wide + 1) for y in range(-1, high + 1) for z in (-1, 0, 1)
    }
    return assembly_of([around - inside, *parts])


BAR: set[Cell] = {(0, 0, 0, 0), (1, 0, 0, 0), (2, 0, 0, 0)}
L: set[Cell] = {(0, 1, 0, 0), (1, 1, 0, 0), (0, 2, 0, 0)}
DOMINO: set[Cell] = {(2, 1, 0, 0), (3, 1, 0, 0)}
CELLS: list[set[Cell]] = [{(x, 2, 0, 0)} for x in (1, 2, 3)]

SCENES = {
    "40 stuck burrs": stuck_burrs(40),
    "tray 4x3, six pieces": [tray(4, 3, BAR, DOMINO, *CELLS)],
    "tray 4x4, five pieces": [tray(4, 4, BAR, L, *CELLS[:2])],
    "tray 5x5, three pieces": [tray(5, 5, BAR, L)],
}


def timed(assemblies: list[Assembly], options: ApartOptions) -> tuple[int, float]:
    """The states, and the CPU seconds of this thread."""
    states, most = 0, options.max_states or NO_LIMIT
    cores = [Disassembler(assembly.problem, options).core for assembly in assemblies]
    start = time.thread_time()
    for core, assembly in zip(cores, assemblies, strict=True):
        states += core.take_apart(spots(assembly), most, 2**31, 1)[2]
    return states, time.thread_time() - start


def row(name: str, assemblies: list[Assembly], options: ApartOptions) -> None:
    first = timed(assemblies, options)[1]
    runs = [timed(assemblies, options) for _ in range(3)]
    states, seconds = runs[0][0], median(seconds for _, seconds in runs)
    plain = [timed(assemblies, ApartOptions(max_states=MOST)) for _ in range(3)]
    slides = plain[0][0] / median(seconds for _, seconds in plain)
    print(
        f"{name:32} {states:9,} {1000 * first:9.1f} {1000 * seconds:9.1f}"
        f" {states / seconds:11,.0f} {slides:11,.0f}"
    )


def main() -> None:
    print(f"{'':32} {'states':>9} {'first, ms':>9} {'CPU ms':>9} {'a second':>11} {'slides':>11}")
    for name, assemblies in SCENES.items():
        for text, turns, fine in (("", 0.0, False), ("0.05", 0.05, False), ("fine", 0.0, True)):
            options = ApartOptions(turns=turns, fine=fine, max_states=MOST)
            row(f"{name} {text}", assemblies, options)


if __name__ == "__main__":
    main()
