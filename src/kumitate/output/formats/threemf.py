"""3MF: what slicers like best, since it keeps the unit, the names and the colours.

A zip of three small XML files, after the 3MF core specification 1.3. A mesh that is placed several
times is written once. The core has no word for plates: give it what lies on one of them, or all of
them in a row (see plates.py).
"""

import re
import zipfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from xml.sax.saxutils import quoteattr

import numpy as np

from kumitate.model.errors import PuzzleError
from kumitate.output.scene import Point
from kumitate.output.solid.mesh import Mesh

_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TYPES = f"""{_XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
"""
_RELATIONS = (
    f'{_XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">\n'
    '<Relationship Id="model" Target="/3D/3dmodel.model"'
    ' Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>\n</Relationships>\n'
)
_MODEL = f"""{_XML}<model unit="millimeter" xml:lang="en"\
 xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
<metadata name="Application">kumitate</metadata>
<resources>
%s
</resources>
<build>
%s
</build>
</model>
"""
_MATERIALS = 1  # the id of the list of colours; those of the objects follow
_NOT_XML = re.compile("[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(placed: Iterable[tuple[Mesh, Point]]) -> bytes:
    """Meshes, each moved by a shift in millimetres.

    >>> corner = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> sides = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)
    >>> mesh = Mesh(corner, sides, "A")
    >>> zipfile.ZipFile(BytesIO(write([(mesh, (0, 0, 0)), (mesh, (5, 0, 0))]))).namelist()
    ['[Content_Types].xml', '_rels/.rels', '3D/3dmodel.model']
    """
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in (
            ("[Content_Types].xml", _TYPES),
            ("_rels/.rels", _RELATIONS),
            ("3D/3dmodel.model", _model(list(placed))),
        ):
            entry = zipfile.ZipInfo(name)  # dated 1980, whenever it is written
            entry.create_system = 3  # and as on Unix, wherever
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED, 6)
    return packed.getvalue()


def _model(placed: Sequence[tuple[Mesh, Point]]) -> str:
    numbers: dict[Mesh, int] = {}
    for mesh, _ in placed:
        numbers.setdefault(mesh, _MATERIALS + 1 + len(numbers))
    colours = list(dict.fromkeys(mesh.colour for mesh in numbers))
    resources = [_materials(colours)] if colours else []
    resources += [
        _object(mesh, number, colours.index(mesh.colour)) for mesh, number in numbers.items()
    ]
    items = (
        f'<item objectid="{numbers[mesh]}" transform="1 0 0 0 1 0 0 0 1 %.9g %.9g %.9g"/>' % shift
        for mesh, shift in placed
    )
    return _MODEL % ("\n".join(resources), "\n".join(items))


def _materials(colours: Sequence[str]) -> str:
    bases = (f'<base name="{colour}" displaycolor="{colour}"/>' for colour in colours)
    return f'<basematerials id="{_MATERIALS}">{"".join(bases)}</basematerials>'


def _object(mesh: Mesh, number: int, colour: int) -> str:
    if not len(mesh.triangles):
        raise PuzzleError(f"piece {mesh.name!r} is empty; 3MF holds only pieces with a surface")
    name = quoteattr(_NOT_XML.sub("\ufffd", " ".join(mesh.name.split())))
    # One formatting of all numbers at once: 100,000 triangles in 0.2 s.
    points = '<vertex x="%.9g" y="%.9g" z="%.9g"/>' * len(mesh.points)
    triangles = '<triangle v1="%d" v2="%d" v3="%d"/>' * len(mesh.triangles)
    places = (np.round(mesh.points, 6) + 0.0).ravel().tolist()  # + 0.0 makes of -0 a 0
    return (
        f'<object id="{number}" type="model" name={name} pid="{_MATERIALS}" pindex="{colour}">\n'
        f"<mesh><vertices>{points % tuple(places)}</vertices>\n"
        f"<triangles>{triangles % tuple(mesh.triangles.ravel().tolist())}</triangles></mesh>\n"
        "</object>"
    )
