"""OpenSCAD source of solids, for makers who go on from there: cut, join, engrave, place.

Every mesh becomes a module with its points and faces in it, so the file needs no library. A call of
each stands at the end; `at` and `turn` move a piece, as in

    piece_V(at = [20, 0, 0], turn = [0, 0, 90]);

OpenSCAD wants the corners of a face clockwise seen from outside, ours run the other way round.
(https://en.wikibooks.org/wiki/OpenSCAD_User_Manual/Primitive_Solids#polyhedron)
"""

import re
from collections.abc import Sequence

from kumitate.output.solid.mesh import Mesh

DIGITS = 6  # behind the point; a millionth of a millimetre


def write(meshes: Sequence[Mesh]) -> bytes:
    """The bytes of a .scad file with a module for each mesh, named after it.

    >>> import numpy as np
    >>> points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5]])
    >>> triangles = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], dtype=np.int32)
    >>> print(write([Mesh(points, triangles, "tip", "#e69f00")]).decode())
    // Lengths are in millimetres.
    <BLANKLINE>
    // tip
    module piece_tip(at = [0, 0, 0], turn = [0, 0, 0]) {
        translate(at) rotate(turn) color("#e69f00")
        polyhedron(
            points = [
                [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5]
            ],
            faces = [
                [1, 2, 0], [3, 1, 0], [3, 2, 1], [3, 0, 2]
            ],
            convexity = 10
        );
    }
    <BLANKLINE>
    piece_tip();
    <BLANKLINE>
    """
    names = _module_names(meshes)
    modules = [_module(mesh, name) for mesh, name in zip(meshes, names, strict=True)]
    calls = "".join(f"{name}();\n" for name in names)
    return "\n".join(["// Lengths are in millimetres.\n", *modules, calls]).encode()


def _module_names(meshes: Sequence[Mesh]) -> list[str]:
    """Names that OpenSCAD can read, none twice, and none of its own such as `cube`."""
    names: list[str] = []
    for number, mesh in enumerate(meshes, 1):
        plain = re.sub("[^0-9A-Za-z]+", "_", mesh.name).strip("_") or str(number)
        name, copy = f"piece_{plain}", 1
        while name in names:
            copy += 1
            name = f"piece_{plain}_{copy}"
        names.append(name)
    return names


def _module(mesh: Mesh, name: str) -> str:
    title = "".join(letter if letter.isprintable() else " " for letter in mesh.name)
    points = [f"[{', '.join(map(_number, point))}]" for point in mesh.points.tolist()]
    faces = [str(triangle[::-1]) for triangle in mesh.triangles.tolist()]
    return (
        f"{f'// {title}'.rstrip()}\n"
        f"module {name}(at = [0, 0, 0], turn = [0, 0, 0]) {{\n"
        f'    translate(at) rotate(turn) color("{mesh.colour}")\n'
        "    polyhedron(\n"
        f"        points = [\n{_filled(points)}\n        ],\n"
        f"        faces = [\n{_filled(faces)}\n        ],\n"
        "        convexity = 10\n"
        "    );\n"
        "}\n"
    )


def _number(value: float) -> str:
    """As few digits as say it, and no minus before zero."""
    return f"{round(value, DIGITS) + 0.0:.{DIGITS}f}".rstrip("0").rstrip(".")


def _filled(words: list[str]) -> str:
    """Words in lines that fit a page."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > 80:
            lines.append("")
        lines[-1] += f", {word}" if lines[-1] else word
    return ",\n".join(" " * 12 + line for line in lines)
