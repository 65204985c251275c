"""GLB: a scene for screens, and its poses played as an animation.

One file after the glTF 2.0 specification: JSON that says what there is, then the numbers. Under a
root that turns z up into y up and millimetres into metres there is a node for each body. From pose
to pose a body slides on a straight line, then all rest for a moment; one that is not shown has size
0, for glTF alone cannot hide: it goes before the others slide, and comes when they have arrived.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.output.mesh import Mesh
from kumitate.output.scene import Point, Pose, Scene

SLIDE = 0.9  # seconds from one pose to the next,
CUT = 0.1  # or this where nothing is seen to slide
REST = 0.3  # seconds in each pose

Floats = NDArray[np.float32]

# Constants of the specification.
_NUMBERS = {"f": 5126, "u": 5125}  # of 32 bits each
_VERTICES, _INDICES = 34962, 34963
_Z_UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # a quarter turn about x, as a quaternion


@dataclass
class _Document:
    """The file as it grows: its lists of JSON objects, and the numbers they point into."""

    lists: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    numbers: bytearray = field(default_factory=bytearray)

    def add(self, kind: str, **what: object) -> int:
        """One more of a kind; its number, by which others refer to it."""
        entries = self.lists.setdefault(kind, [])
        entries.append(what)
        return len(entries) - 1

    def add_numbers(
        self, rows: Floats | NDArray[np.uint32], bounds: bool = False, **view: object
    ) -> int:
        """An accessor to these rows."""
        at = len(self.numbers)
        self.numbers += rows.astype(rows.dtype.newbyteorder("<")).tobytes()
        of = self.add(
            "bufferViews", buffer=0, byteOffset=at, byteLength=len(self.numbers) - at, **view
        )
        kind = "SCALAR" if rows.ndim == 1 else "VEC3"
        number = _NUMBERS[rows.dtype.kind]
        limits = {"min": _listed(rows.min(0)), "max": _listed(rows.max(0))} if bounds else {}
        return self.add(
            "accessors", bufferView=of, componentType=number, count=len(rows), type=kind, **limits
        )


def write(scene: Scene, meshes: Sequence[Mesh], unit: float | Point) -> bytes:
    """The bodies of a scene, each drawn by its mesh; with several poses, an animation.

    Meshes are where the bodies lie at first; `unit` says how many millimetres a lattice unit is, by
    which the poses move them. Names and colours are those of the bodies.
    """
    document = _Document()
    shifts = np.array([pose.shifts for pose in scene.poses], dtype=float)
    shifts = shifts.reshape(len(scene.poses), len(scene.bodies), 3) * unit
    colours = {
        colour: _add_material(document, colour)
        for colour in dict.fromkeys(body.colour for body in scene.bodies)
    }
    drawn: dict[tuple[Mesh, str], int] = {}
    for number, (body, mesh) in enumerate(zip(scene.bodies, meshes, strict=True)):
        if not len(mesh.triangles):
            raise PuzzleError(f"piece {body.name!r} is empty; there is nothing to draw")
        looks = (mesh, body.colour)
        if looks not in drawn:
            drawn[looks] = _add_mesh(document, mesh, body.name, colours[body.colour])
        document.add(
            "nodes",
            name=body.name,
            mesh=drawn[looks],
            translation=_listed(shifts[0, number].astype(np.float32)),
            scale=[float(scene.poses[0].shown[number])] * 3,
        )
    bodies = {"children": list(range(len(scene.bodies)))} if scene.bodies else {}
    root = document.add("nodes", name="kumitate", rotation=_Z_UP, scale=[0.001] * 3, **bodies)
    document.add("scenes", nodes=[root])
    _add_animation(document, scene.poses, shifts)
    return _packed(document)


def _add_material(document: _Document, colour: str) -> int:
    surface = {
        "baseColorFactor": [*map(_linear, bytes.fromhex(colour[1:])), 1.0],
        "metallicFactor": 0.0,
        "roughnessFactor": 0.6,
    }
    return document.add("materials", name=colour, pbrMetallicRoughness=surface)


def _linear(part: int) -> float:
    """How much light an sRGB number from 0 to 255 stands for (IEC 61966-2-1)."""
    c = part / 255
    return round(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4, 6)


def _add_mesh(document: _Document, mesh: Mesh, name: str, material: int) -> int:
    """Without normals, by which the specification has viewers draw flat triangles."""
    places = document.add_numbers(mesh.points.astype(np.float32), bounds=True, target=_VERTICES)
    corners = document.add_numbers(mesh.triangles.ravel().astype(np.uint32), target=_INDICES)
    triangles = {"attributes": {"POSITION": places}, "indices": corners, "material": material}
    return document.add("meshes", name=name, primitives=[triangles])


# ---- the animation ----


class _Change(NamedTuple):
    node: int
    path: str  # translation or scale
    keys: Floats  # what it is at each keyframe
    how: str  # it goes from one to the next


def _add_animation(document: _Document, poses: Sequence[Pose], shifts: NDArray[np.float64]) -> None:
    """Each pose is two keyframes, at its begin and at its end; what never changes has none."""
    changes = [
        change
        for number in range(shifts.shape[1])
        for change in (_sliding(number, shifts), _showing(number, poses))
        if (change.keys != change.keys[0]).any()
    ]
    if not changes:
        return
    begins = _begins(poses, shifts)
    times = np.add.outer(begins, [0.0, REST]).ravel()
    clock = document.add_numbers(times.astype(np.float32), bounds=True)
    document.add(
        "animations",
        name="disassembly",
        samplers=[
            {
                "input": clock,
                "output": document.add_numbers(change.keys),
                "interpolation": change.how,
            }
            for change in changes
        ],
        channels=[
            {"sampler": number, "target": {"node": change.node, "path": change.path}}
            for number, change in enumerate(changes)
        ],
        extras={
            "poses": [
                {"seconds": round(begin, 3), "words": pose.words}
                for begin, pose in zip(begins, poses, strict=True)
            ]
        },
    )


def _begins(poses: Sequence[Pose], shifts: NDArray[np.float64]) -> list[float]:
    """When each pose begins, in seconds."""
    shown = np.array([pose.shown for pose in poses])
    slides = (shifts[1:] != shifts[:-1]).any(axis=2) & shown[1:] & shown[:-1]
    lengths = [REST + (SLIDE if some else CUT) for some in slides.any(axis=1)]
    return list(accumulate(lengths, initial=0.0))


def _sliding(number: int, shifts: NDArray[np.float64]) -> _Change:
    keys = shifts[:, number].repeat(2, axis=0).astype(np.float32)
    return _Change(number, "translation", keys, "LINEAR")


def _showing(number: int, poses: Sequence[Pose]) -> _Change:
    """Size 1 or 0, and at the end of a pose already 0 for one that the next does not show."""
    shown = [pose.shown[number] for pose in poses]
    after = [*shown[1:], True]
    sizes = [size for pair in zip(shown, after, strict=True) for size in (pair[0], all(pair))]
    return _Change(number, "scale", np.array([sizes] * 3, dtype=np.float32).T, "STEP")


# ---- the file ----


def _packed(document: _Document) -> bytes:
    """The two chunks of a GLB, each filled up to a multiple of four bytes."""
    content: dict[str, object] = {"asset": {"version": "2.0", "generator": "kumitate"}, "scene": 0}
    content |= document.lists
    if document.numbers:
        content["buffers"] = [{"byteLength": len(document.numbers)}]
    text = json.dumps(content, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if document.numbers:
        chunks += struct.pack("<I4s", len(document.numbers), b"BIN\0") + document.numbers
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _listed(row: Floats) -> list[float]:
    """As JSON has it: the float32 itself, for readers compare bounds with the numbers."""
    return [float(x) for x in np.atleast_1d(row)]
