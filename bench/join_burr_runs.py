"""One file of the parts of a run over six-piece burrs, which several machines may have made.

    kumitate burr6 --complete --part 1/16 --output part-1.json    and so on, then
    python -m bench.join_burr_runs all.json part-*.json
    kumitate burr6 --resume all.json

Nothing is left to do, so the last command prints the tables of the whole run, and its checksum.
"""

import sys
from pathlib import Path

from kumitate.burr6.saved import joined, read_run, write_run


def main(into: str, *parts: str) -> None:
    write_run(Path(into), joined([read_run(Path(part)) for part in parts]))


if __name__ == "__main__":
    main(*sys.argv[1:])
