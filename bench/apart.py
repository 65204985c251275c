"""CPU milliseconds to take assemblies apart, on one thread, with empty caches.

The assemblies are found beforehand and passed to the core as numbers; timed are the setup and the
search of each assembly in the core. The second column adds the time for the Python values, such as
moves. BurrTools' milliseconds are for the same assemblies (../shared/research/slide_prototype.md).
"""

import resource
import time
from collections import Counter
from statistics import median

from bench.__main__ import REFERENCE
from kumitate import CUBES, Assembly, Piece, Placement, Problem, Shape, assemble, load
from kumitate.search.disassemble import NO_LIMIT, Disassembler, spots

# BurrTools' milliseconds, the bar and the aim.
FILES = {
    "PelikanBurr": ("127-165", 25, 12),
    "DraculasDentalDesaster": ("109-128", 18, 10),
    "SolidSixPieceBurrs": ("11-12", 3, 1),
    "CubeInCage": ("6-8", 2, 0.8),
    "DemoPieceGenerator": ("9.5-10.6", 9.5, 1.9),
    "loose4_in_5x5x1": ("-", 76, "-"),
    "Bermuda": ("0.3-0.4", 0.3, 0.06),
    "HexSticks": ("-", "-", "-"),
    "12PieceSeparation": ("-", "-", "-"),
    "BallRoom": ("-", "-", "-"),
    "FourPieceTetrahedron": ("-", "-", "-"),
}
TRAYS = {(3, 3, 7): ("2700-3800", 350, 120), (2, 5, 8): ("45800", 4536, 2500)}


def tray(width: int, height: int, blocks: int) -> Assembly:
    """Single cubes that slide about in a closed tray and never leave it."""
    inside = [(x, y, 0, 0) for x in range(width) for y in range(height)]
    x, y = range(-1, width + 1), range(-1, height + 1)
    around = {(a, b, c, 0) for a in x for b in y for c in (-1, 0, 1)} - set(inside)
    shapes = [Shape(CUBES, cells) for cells in (around, *({cell} for cell in inside[:blocks]))]
    goal = Shape(CUBES, around | set(inside), optional=set(inside))
    problem = Problem(goal, [Piece(shape) for shape in shapes])
    return Assembly(problem, [Placement(n, 0, (0, 0, 0)) for n in range(len(shapes))])


def timed(problem: Problem, assemblies: list[Assembly], threads: int = 1) -> tuple[float, float]:
    """The CPU milliseconds of this thread and the wall milliseconds, for the search alone."""
    rows = [spots(assembly) for assembly in assemblies]
    start, began = time.thread_time(), time.perf_counter()
    core = Disassembler(problem).core
    for numbers in rows:
        core.take_apart(numbers, NO_LIMIT, 2**31, threads)
    return 1000 * (time.thread_time() - start), 1000 * (time.perf_counter() - began)


def row(name: str, problem: Problem, some: list[Assembly], bars: tuple[object, ...]) -> None:
    cpu = median(timed(problem, some)[0] for _ in range(5 if len(some) > 1 else 3))
    start = time.thread_time()
    disassembler = Disassembler(problem)
    found = [disassembler.examine(assembly) for assembly in some]
    values = 1000 * (time.thread_time() - start)
    levels = Counter(str(e.disassembly.levels) if e.disassembly else e.ending for e in found)
    states = sum(e.states for e in found)
    common = ", ".join(f"{n} x {level}" for level, n in levels.most_common(3))
    theirs = "".join(f"{bar!s:>11}" for bar in bars)
    print(f"{name:24} {len(some):6,} {states:9,} {cpu:8.2f} {values:8.2f} {theirs}   {common}")


def memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    before = memory()  # its peak: first of all
    timed(tray(2, 5, 8).problem, [tray(2, 5, 8)])
    each = (memory() - before) / 1_814_400
    print(f"a tray 2x5 with 8 blocks: {each:.0f} bytes of memory for each of 1,814,400 states")
    print(
        f"\n{'taking apart':24} {'':6} {'states':>9} {'CPU ms':>9}  BurrTools        bar        aim"
    )
    if REFERENCE.exists():
        for name, bars in FILES.items():
            [path] = REFERENCE.rglob(f"{name}.xmpuzzle")
            problem = load(path).problems[0]
            row(name, problem, list(assemble(problem)), bars)
    for (width, height, blocks), bars in TRAYS.items():
        assembly = tray(width, height, blocks)
        row(f"tray {width}x{height}, {blocks} blocks", assembly.problem, [assembly], bars)
    large = tray(2, 5, 8)
    one, two = (min(timed(large.problem, [large], n)[1] for _ in range(3)) for n in (1, 2))
    print(f"\ntray 2x5 on two threads: {one / two:.2f} times as fast ({one:.0f} ms, {two:.0f} ms)")


if __name__ == "__main__":
    main()
