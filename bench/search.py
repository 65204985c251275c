"""Design search: samples per CPU second for each family, on one thread, and their endings.

All samples are drawn once first, to measure the drawing and to fill the tables. `blindly` draws six
of the 837 sticks without checking whether they go together.
"""

import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import kumitate
from kumitate import CUBES, Piece, Problem, Shape
from kumitate.burr6 import Burrs
from kumitate.burr6 import family as burrs
from kumitate.designer import Cuts, Subsets, polyforms
from kumitate.designer.discover import Terms, draw_sample, examine_sample
from kumitate.designer.families import Family
from kumitate.grids import PRISMS
from kumitate.jobs.design import search_into
from kumitate.model.burr_sticks import burr_stick

BLINDLY = 20_000


def box(*size: int) -> Shape:
    x, y, z = map(range, size)
    return Shape(CUBES, {(a, b, c, 0) for a in x for b in y for c in z})


def some_of(goal: Shape, *cells: int) -> Subsets:
    """At most one of each shape with these numbers of cells."""
    shapes = [shape for n in cells for shape in polyforms(CUBES, n, flat=goal.size[2] == 1)]
    return Subsets(Problem(goal, [Piece(shape, 0, 1) for shape in shapes]))


def families() -> dict[str, tuple[Family, dict[int, int]]]:
    """The families, each with levels and the number of samples for each level."""
    pyramid = kumitate.library["kanoodle-pyramid"].problems[0].goal
    prisms = Shape.from_text(PRISMS, "/".join(["########  " * 3] * 4))
    return {
        "burrs of all sticks": (Burrs(), {1: 3000, 3: 20_000, 5: 60_000}),
        "burrs of notchable sticks": (Burrs("notchable"), {1: 3000, 3: 20_000, 5: 60_000}),
        "burrs of the 25 solid sticks": (Burrs("solid"), {1: 3000, 2: 20_000}),
        "cuts of 3x3x3 in 4": (Cuts(box(3, 3, 3), 4), {1: 2000}),
        "cuts of 4x4x4 in 5": (Cuts(box(4, 4, 4), 5), {1: 2000}),
        "cuts of 4x4x4 in 4, 4 holes": (Cuts(box(4, 4, 4), 4, 4), {1: 2000, 2: 20_000}),
        "cuts of 5x5x5 in 4, 9 holes": (Cuts(box(5, 5, 5), 4, 9), {1: 2000, 2: 20_000}),
        "cuts of 4x4x4 in 13": (Cuts(box(4, 4, 4), 13), {1: 200}),
        "cuts of 96 prisms in 5": (Cuts(prisms, 5), {1: 1000}),
        "cuts of 55 balls in 6": (Cuts(pyramid, 6), {1: 500}),
        "pentominoes for 5x5": (some_of(box(5, 5, 1), 5), {1: 3000}),
        "pentacubes for 3x3x5": (some_of(box(3, 3, 5), 5), {1: 1000}),
        "3 to 5 cubes for 3x3x3": (some_of(box(3, 3, 3), 3, 4, 5), {1: 2000}),
    }


def measure(name: str, family: Family, level: int, samples: int) -> None:
    start = time.process_time()
    for sample in range(1, samples + 1):
        draw_sample(family, 0, sample)
    drawing = time.process_time() - start
    endings, levels = Counter[str](), Counter[int]()
    start = time.process_time()
    for sample in range(1, samples + 1):
        ending, found = examine_sample(family, Terms(level), sample)
        endings[ending] += 1
        if found:
            levels[found.level] += 1
    spent = time.process_time() - start
    ends = (f"{endings[end]:7,}" for end in ("none", "locked", "easy", "several", "limit", "found"))
    counts = ", ".join(f"{n:,} x {level}" for level, n in sorted(levels.items()))
    print(
        f"{name:29}{level:5} {samples:7,} {samples / spent:9,.0f} {100 * drawing / spent:6.0f} %"
        f" {' '.join(ends)}   {counts}"
    )


def blindly() -> None:
    sticks = sorted({1 + stick for stick in burrs._least().values()})
    goal, dice = draw_sample(Burrs(), 0, 1), Random(1)
    assert goal
    small = together = 0
    start = time.process_time()
    for _ in range(BLINDLY):
        numbers = [dice.choice(sticks) for _ in range(6)]
        pieces = [Piece(burr_stick(n)) for n in numbers]
        if sum(len(piece.shape) for piece in pieces) <= 104:
            small += 1
            problem = Problem(goal.problem().goal, pieces)
            together += next(kumitate.assemble(problem), None) is not None
    spent = time.process_time() - start
    print(
        f"\nsix of 837 sticks blindly: {BLINDLY:,} sets, {small:,} not too large, {together:,} go"
        f" together; {BLINDLY / spent:,.0f} sets a second"
    )


def cpu() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def into_a_file() -> None:
    """The cost of the file and of a second worker, over all processes."""
    samples = 40_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.kumitate"
        rest: dict[str, Any] = {"level": 4, "samples": samples}
        ways: dict[str, Callable[[], object]] = {
            "in memory": lambda: list(kumitate.designer.search_puzzles(Burrs(), **rest)),
            "into a file": lambda: search_into(path, Burrs(), **rest),
            "with two workers": lambda: search_into(path, Burrs(), threads=2, **rest),
        }
        for name, way in ways.items():
            start = cpu()
            way()
            print(f"{name}: {samples:,} samples of burrs in {cpu() - start:.1f} s")


def main() -> None:
    print(
        f"{'family':29}level samples  a second  drawing    none  locked    easy several   limit"
        "   found   levels"
    )
    for name, (family, levels) in families().items():
        for level, samples in levels.items():
            measure(name, family, level, samples)
    blindly()
    into_a_file()


if __name__ == "__main__":
    main()
