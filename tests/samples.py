"""Puzzles of the library for tests that take long: some of every grid and kind; in soak, all."""

import os

from kumitate.library import library

SAMPLES = (
    sorted(library)
    if "KUMITATE_SOAK" in os.environ
    else [
        *("soma", "bedlam", "conway", "pentominoes", "iq-puzzler-pro", "squared-rectangle"),
        *("six-piece-burr", "eighteen-piece-burr", "altekruse-burr", "board-burr"),
        *("maze-box", "evolved-box", "letterbox", "turning-slab"),
        *("four-layer-pyramid", "ball-rhomboid", "hexiamonds", "two-layer-hexagon", "tetrahexes"),
        *("star-burr", "two-piece-pyramid", "kelvin-cluster", "tangram"),
    ]
)
