"""The grids that come with kumitate, by name, and how to draw a shape on another one.

>>> from kumitate import grids
>>> print(", ".join(grids.GRIDS))
cubes, prisms, spheres, rhombic, tetra-octa, hexagons, truncated octahedra, orthoschemes
"""

from kumitate.files.regrid import regrid
from kumitate.model.grid import Grid, Turn
from kumitate.model.grids import (
    CUBES,
    GRIDS,
    HEXAGONS,
    KELVIN,
    ORTHOSCHEMES,
    PRISMS,
    RHOMBS,
    SPHERES,
    TETROCTS,
)
from kumitate.model.recast import recast

__all__ = [
    "CUBES",
    "GRIDS",
    "HEXAGONS",
    "KELVIN",
    "ORTHOSCHEMES",
    "PRISMS",
    "RHOMBS",
    "SPHERES",
    "TETROCTS",
    "Grid",
    "Turn",
    "recast",
    "regrid",
]
