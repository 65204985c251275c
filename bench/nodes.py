"""One number for the searches: the nodes of all library problems that take only seconds.

The numbers are committed in nodes.txt, and tests/search/test_nodes.py compares them. After an
intended change, run `python -m bench.nodes --write`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import kumitate

# Counted by frontiers once those are done, which is a matter of time, not of nodes.
BY_FRONTIERS = {"dominoes/8x8", "domino-boxes/4x4x4", "lozenges/side-4", "t-tetrominoes/12x12"}
BY_FRONTIERS |= {"aztec-diamonds/order-5", "aztec-diamonds/order-6", "domino-boxes/2x4x4"}
COMMITTED = Path(__file__).with_name("nodes.txt")


def problems() -> Iterator[tuple[str, kumitate.Problem]]:
    """All problems that are known to have so many assemblies, by name."""
    for name, puzzle in kumitate.library.items():
        for problem in puzzle.problems:
            [answer] = kumitate.library.answers(f"{name}/{problem.name}")
            if answer.assemblies and f"{name}/{problem.name}" not in BY_FRONTIERS:
                yield f"{name}/{problem.name}", problem


def committed() -> dict[str, int]:
    rows = (line.split() for line in COMMITTED.read_text("utf-8").splitlines())
    return {name: int(nodes.replace(",", "")) for name, nodes in rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the numbers to nodes.txt")
    asked = parser.parse_args()
    found: dict[str, int] = {}
    for name, problem in problems():
        found[name] = kumitate.count(problem).nodes
        print(f"{name:32} {found[name]:12,}", flush=True)
    print(f"{'Nodes':32} {sum(found.values()):12,}")
    if asked.write:
        lines = (f"{name:32} {nodes:12,}\n" for name, nodes in found.items())
        COMMITTED.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
