"""BurrTools' format, .xmpuzzle: XML for five grids, with saved assemblies and separations.

Three things may surprise. A cell's x, y, z are the column, row and layer of its spot on the grid's
page. An assembly gives for each piece the turn T and the position X of the shape's hotspot h: the
cell at p goes to X + M_T (p - h) (places.py). And a separation lists where every piece is after
each move, not how it moved.

The margin of empty cells around a shape, which only an editor shows, is the only thing that is
dropped without a warning.
"""

from kumitate.files.burrtools.reader import read
from kumitate.files.document import Document

__all__ = ["read", "write"]


def write(document: Document) -> tuple[bytes, list[str]]:
    """The (uncompressed) bytes of an .xmpuzzle file, and warnings about what it cannot keep."""
    from kumitate.files.burrtools import writer  # an import that reading does not need

    return writer.write(document)
