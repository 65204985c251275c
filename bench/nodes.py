"""One number for the searches: nodes over the library's problems that take no more than seconds.

The numbers are committed in nodes.txt, and tests/search/test_nodes.py compares them. A change that
is meant to change them runs `python -m bench.nodes --write`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import kumitate

COMMITTED = Path(__file__).with_name("nodes.txt")


def problems() -> Iterator[tuple[str, kumitate.Problem]]:
    """All whose number of assemblies is known, by name."""
    for name, puzzle in kumitate.library.items():
        for problem in puzzle.problems:
            [answer] = kumitate.answers(f"{name}/{problem.name}")
            if answer.assemblies is not None:
                yield f"{name}/{problem.name}", problem


def committed() -> dict[str, int]:
    rows = (line.split() for line in COMMITTED.read_text("utf-8").splitlines())
    return {name: int(nodes.replace(",", "")) for name, nodes in rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="commit these numbers from now on")
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
