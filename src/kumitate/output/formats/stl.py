"""STL: triangles and nothing else, so names, colours and units are lost; all printers read it.

Binary, as Marshall Burns gives it in "Automated Fabrication" (1993), 6.5: 80 bytes that say what
you like, the number of triangles, then 50 bytes each, in little-endian order. The header must not
begin with "solid", by which programs know the text form.
"""

from collections.abc import Sequence

import numpy as np

from kumitate.output.solid.mesh import Mesh

HEADER = b"kumitate, in millimetres".ljust(80)
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def write(meshes: Sequence[Mesh]) -> bytes:
    """All meshes in one file, each where it is.

    >>> corner = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> sides = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)
    >>> len(write([Mesh(corner, sides)]))
    284
    """
    records = np.zeros(sum(len(mesh.triangles) for mesh in meshes), RECORD)
    start = 0
    for mesh in meshes:
        here = records[start : start + len(mesh.triangles)]
        here["normal"] = mesh.normals
        here["corners"] = mesh.points[mesh.triangles]
        start += len(here)
    return HEADER + len(records).to_bytes(4, "little") + records.tobytes()
