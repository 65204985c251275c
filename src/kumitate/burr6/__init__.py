"""Six-piece burrs: their sticks, counts and disassemblies of all of them, and random ones.

>>> from kumitate import burr6
>>> burr6.kaenel_number(burr6.burr_stick(3073))
7
"""

from kumitate.burr6.counts import BurrCounts, BurrOutcome, BurrSample
from kumitate.burr6.enumeration import Burr, SixPieceBurrs
from kumitate.burr6.family import Burrs
from kumitate.burr6.solid import SolidBurrs, solid_burrs
from kumitate.model.burr_sticks import burr_stick, burr_sticks, kaenel_number

__all__ = [
    "Burr",
    "BurrCounts",
    "BurrOutcome",
    "BurrSample",
    "Burrs",
    "SixPieceBurrs",
    "SolidBurrs",
    "burr_stick",
    "burr_sticks",
    "kaenel_number",
    "solid_burrs",
]
