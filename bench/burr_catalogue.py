"""The catalogue of unique six-piece burrs that comes with kumitate, made of finished runs.

    kumitate burr6 --notchable --complete --output sawn.json --keep-level 5
    kumitate burr6 --complete --output all.json --keep-level 7
    python -m bench.burr_catalogue sawn.json all.json

It has the unique burrs that a run has kept: those of level 7 and more, and of level 5 and more if
all sticks are notchable.
"""

import sys
from pathlib import Path

from kumitate.burr6 import designs
from kumitate.burr6.saved import read_run

LEVEL, NOTCHABLE_LEVEL = 7, 5


def main(names: list[str]) -> None:
    found, sums = list[designs.Design](), list[str]()
    for name in names:
        run = read_run(Path(name))
        if not run.finished:
            raise SystemExit(f"{name}: {run.done:,} of {len(run.tasks):,} tasks are done")
        sums.append(run.checksum)
        found += designs.find_designs(run, f"unique level>={LEVEL}")
        found += designs.find_designs(
            run, f"unique notchable level>={NOTCHABLE_LEVEL} level<{LEVEL}"
        )
    data = designs.catalogue_of({d.kinds: d for d in found}.values(), sums)
    Path(designs.__file__).with_name(designs.CATALOGUE).write_bytes(data)
    print(f"{len(found):,} unique burrs, {len(data):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
