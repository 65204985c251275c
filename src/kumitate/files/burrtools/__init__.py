"""BurrTools' format, .xmpuzzle: XML, its five grids, with saved assemblies and separations.

Three things are not as one would guess. A cell's x, y, z are the column, row and layer of its spot
on the grid's page. An assembly gives for each piece the turn T and the place X of the shape's
hotspot h: the cell at p goes to X + M_T (p - h) (places.py). And a separation lists where every
piece is after each move, not how it moved.

The margin of empty cells around a shape, which only an editor sees, is the one thing that is not
kept and not warned about.
"""

from kumitate.files.burrtools.reader import read
from kumitate.files.burrtools.writer import write

__all__ = ["read", "write"]
