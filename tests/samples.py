"""Puzzles of the library for tests that take long: some of every grid and kind; in soak, all."""

import os

from kumitate.library import library

SAMPLES = (
    sorted(library)
    if "KUMITATE_SOAK" in os.environ
    else [
        *("soma", "pentominoes", "six-piece-burr", "evolved-box", "turning-slab"),
        *("four-layer-pyramid", "hexiamonds", "two-layer-hexagon", "tetrahexes"),
        *("star-burr", "two-piece-pyramid", "kelvin-cluster", "tangram"),
    ]
)
