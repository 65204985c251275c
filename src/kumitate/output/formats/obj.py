"""OBJ: plain text for modelling programs, with the colours in a second file beside it, the MTL."""

from collections.abc import Sequence

import numpy as np

from kumitate.output.solid.mesh import Mesh


def write(meshes: Sequence[Mesh], name: str) -> tuple[bytes, bytes]:
    """The OBJ, and the MTL that it looks for beside it as `name`.mtl.

    OBJ knows no unit; the numbers are millimetres.

    >>> corner = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> sides = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)
    >>> obj, mtl = write([Mesh(corner, sides, "A", "#E69F00")], "burr")
    >>> print(obj.decode()[:54])
    # kumitate, in millimetres
    mtllib burr.mtl
    o A
    v 0 0 0
    >>> print(mtl.decode())
    # kumitate
    newmtl colour-E69F00
    Kd 0.90196 0.62353 0.00000
    <BLANKLINE>
    """
    lines = ["# kumitate, in millimetres", f"mtllib {_one_line(name)}.mtl"]
    counted_from = 1
    for mesh in meshes:
        lines.append(_object(mesh, counted_from))
        counted_from += len(mesh.points)
    colours = dict.fromkeys(mesh.colour for mesh in meshes)
    materials = ["# kumitate", *map(_material, colours)]
    # The name of a file need not be UTF-8; its bytes come through as they are.
    shape = ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")
    return shape, ("\n".join(materials) + "\n").encode()


def _object(mesh: Mesh, counted_from: int) -> str:
    places = (np.round(mesh.points, 6) + 0.0).ravel().tolist()  # + 0.0 makes of -0 a 0
    corners = (mesh.triangles + counted_from).ravel().tolist()
    return (
        f"o {_one_line(mesh.name)}\n"
        + ("v %.9g %.9g %.9g\n" * len(mesh.points)) % tuple(places)
        + f"usemtl {_material_name(mesh.colour)}\ns off\n"
        + (("f %d %d %d\n" * len(mesh.triangles)) % tuple(corners)).rstrip("\n")
    )


def _material(colour: str) -> str:
    red, green, blue = (part / 255 for part in bytes.fromhex(colour[1:]))
    return f"newmtl {_material_name(colour)}\nKd {red:.5f} {green:.5f} {blue:.5f}"


def _material_name(colour: str) -> str:
    return f"colour-{colour[1:]}"


def _one_line(name: str) -> str:
    return " ".join(name.split())
