"""CPU seconds from a puzzle's file to its last assembly on one thread, compared with BurrTools.

Measures the library's puzzles, and BurrTools' examples if ../shared/reference has them. The
yardstick, a fixed loop of plain Python, is measured in the same run, so that numbers can be
compared between machines.
"""

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import kumitate

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"

# For problems that BurrTools solved too: its seconds, the bar and the aim.
BARS = {
    "bedlam/4x4x4": (110.7, 9, 6),
    "pentominoes/3x4x5": (31.3, 1.6, 0.8),
    "pentominoes/6x10": (2.52, 0.25, 0.12),
    "conway/5x5x5": (3.51, 0.4, 0.15),
    "six-piece-burr/solid": (8.09, 0.25, 0.1),
    "kanoodle/5x11": (None, 1.5, 0.8),
    "iq-puzzler-pro/5x11": (None, 15, 8),
}


def cpu(work: Callable[[], object], rounds: int) -> float:
    """The median of a call's CPU seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return median(times)


def yardstick() -> int:
    total = 0
    for number in range(3_000_000):
        total = (total * 31 + number) & 0xFFFF
    return total


def library(rounds: int) -> None:
    print(f"{'library':28} {'assemblies':>10} {'nodes':>11} {'CPU s':>7}  BurrTools s   bar   aim")
    for name, puzzle in kumitate.library.items():
        for problem in puzzle.problems:
            path = f"{name}/{problem.name}"
            if not kumitate.library.answers(path)[0].assemblies:
                continue
            found = kumitate.count(problem)
            seconds = cpu(lambda problem=problem: kumitate.count(problem), rounds)  # type: ignore[misc]
            theirs = "  ".join(f"{'-' if bar is None else bar:>6}" for bar in BARS.get(path, ()))
            print(f"{path:28} {found.assemblies:10,} {found.nodes:11,} {seconds:7.3f}  {theirs}")


def reference(rounds: int) -> None:
    rows = json.loads((REFERENCE / "burrtools_results.json").read_text("utf-8"))["rows"]
    heads = f"{'assemblies':>10} {'reading s':>9} {'CPU s':>7}"
    print(f"\n{'BurrTools file':28} {heads}  BurrTools s  reduced s")
    for row in rows:
        if row.get("assemblies") is None or row["puzzle"] in ("y25", "bedlam"):
            continue
        [path] = REFERENCE.glob(f"*/{row['puzzle']}.xmpuzzle")

        def read(path: Path = path) -> kumitate.Puzzle:
            return kumitate.read(path, answers=False).puzzle

        problem = read().problems[row["problem"]]

        def work(problem: kumitate.Problem = problem) -> kumitate.search.Count:
            return kumitate.count(problem)

        label = f"{row['puzzle']}/{row['problem']}"
        reading, seconds = cpu(read, rounds), cpu(work, rounds)
        theirs = f"{row['seconds_assembly']:11.4f} {row.get('seconds_assembly_reduced') or 0:10.4f}"
        print(f"{label:28} {work().assemblies:10,} {reading:9.4f} {seconds:7.4f}  {theirs}")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"yardstick {cpu(yardstick, 3):.3f} s\n")
    library(rounds)
    if REFERENCE.exists():
        reference(rounds)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
