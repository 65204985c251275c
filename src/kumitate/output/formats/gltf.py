"""GLB: a scene for screens, and its poses played as an animation.

One file after the glTF 2.0 specification: JSON that says what there is, then the numbers. Under a
root that turns z up into y up and millimetres into metres there is a node for each body. From pose
to pose a body moves as timing.py says, on a cubic spline: a straight slide is one that is flat at
two keys, and on a turn there are keys, with their speeds, close enough to keep to the arc. A body
that is not shown has size 0, for glTF alone cannot hide: it goes before the others move, and comes
when they have arrived.
"""

import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import ceil, radians
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.output.scene import Point, Pose, Scene, Turning, between, leg_length
from kumitate.output.solid.mesh import Mesh
from kumitate.output.timing import MOTION, seconds_between, smooth, when

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

# Constants of the specification.
_NUMBERS = {"f": 5126, "u": 5125}  # of 32 bits each
_VERTICES, _INDICES = 34962, 34963
_Z_UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # a quarter turn about x, as a quaternion

_ARC = radians(7.5)  # from key to key of a turn: within 0.0005 of its arc for most pieces
_MOMENT = 1e-4  # of the time of a move: so long before and after a key its speed is measured


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
        kind = "SCALAR" if rows.ndim == 1 else f"VEC{rows.shape[1]}"
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
    if any(pose.turning for pose in scene.poses) and len({*np.ravel(unit)}) > 1:
        raise PuzzleError(
            "pieces turn in this solution, which needs cells of equal sides; give --unit one length"
        )
    here = np.array(scene.poses[0].shifts, dtype=np.float64).reshape(-1, 3) * unit
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
            translation=_listed(here[number].astype(np.float32)),
            scale=[float(scene.poses[0].shown[number])] * 3,
        )
    bodies = {"children": list(range(len(scene.bodies)))} if scene.bodies else {}
    root = document.add("nodes", name="kumitate", rotation=_Z_UP, scale=[0.001] * 3, **bodies)
    document.add("scenes", nodes=[root])
    _add_animation(document, scene.poses, unit)
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


class _Key(NamedTuple):
    """A moment of the film: where everything is, and which bodies are seen.

    On a turn it also has the poses a moment before and after it; elsewhere everything rests.
    """

    seconds: float
    pose: Pose
    shown: Sequence[bool]
    around: tuple[Pose, Pose] | None = None
    moment: float = 1.0  # seconds from each of these


def _add_animation(document: _Document, poses: Sequence[Pose], unit: float | Point) -> None:
    """What never changes has no keyframes."""
    lengths = [seconds_between(before, after) for before, after in pairwise(poses)]
    keys = list(_keys(poses, lengths))
    places = _splines([_shifts(some) * unit for some in _around(keys)], keys)
    turns = _splines(_quaternions([_turns(some) for some in _around(keys)]), keys)
    sizes = np.array([key.shown for key in keys], dtype=np.float32)
    changes = [
        change
        for node in range(len(poses[0].shifts))
        for change in (
            (node, "translation", places[:, :, node]),
            (node, "rotation", turns[:, :, node]),
            (node, "scale", sizes[:, None, [node] * 3]),
        )
        if (change[2] != change[2][0]).any()
    ]
    if not changes:
        return
    clock = document.add_numbers(np.array([key.seconds for key in keys], np.float32), bounds=True)
    begins = accumulate(lengths, initial=0.0)
    document.add(
        "animations",
        name="disassembly",
        samplers=[
            {
                "input": clock,
                "output": document.add_numbers(rows.reshape(-1, rows.shape[-1])),
                "interpolation": "STEP" if path == "scale" else "CUBICSPLINE",
            }
            for _, path, rows in changes
        ],
        channels=[
            {"sampler": number, "target": {"node": node, "path": path}}
            for number, (node, path, _) in enumerate(changes)
        ],
        extras={
            "poses": [
                {"seconds": round(begin, 3), "words": pose.words}
                for begin, pose in zip(begins, poses, strict=True)
            ]
        },
    )


def _keys(poses: Sequence[Pose], lengths: Sequence[float]) -> Iterator[_Key]:
    """The keyframes: everything moves for a part of the time between two poses, and then rests.

    Where bodies come or go they take the first half of that to go, and the others the second half
    to slide.
    """
    yield _Key(0.0, poses[0], poses[0].shown)
    begins = accumulate(lengths, initial=0.0)
    for (before, after), begin, length in zip(pairwise(poses), begins, lengths, strict=False):
        motion = MOTION * length
        if list(before.shown) != list(after.shown):
            stay = [a and b for a, b in zip(before.shown, after.shown, strict=True)]
            yield _Key(begin + motion / 2, before, stay)
        for time in _times(after.turning) if after.turning else ():
            was, now, then = (
                between(before, after, smooth(time + by)) for by in (-_MOMENT, 0, _MOMENT)
            )
            around, moment = (was, then), _MOMENT * motion
            yield _Key(begin + motion * time, now, after.shown, around, moment)
        yield _Key(begin + motion, after, after.shown)
        yield _Key(begin + length, after, after.shown)


def _times(turning: Turning) -> Iterator[float]:
    """The parts of a turn's time after which there are keys: at its stops, and often between."""
    legs = list(pairwise(turning.route))
    steps = ceil(sum(abs(there.angle - here.angle) for here, there in legs) / _ARC)
    stops = accumulate(leg_length(*leg) / turning.length for leg in legs[:-1])
    last = 0.0
    for time in sorted([*(n / steps for n in range(1, steps)), *map(when, stops)]):
        if last + 2 * _MOMENT < time < 1 - 2 * _MOMENT:
            yield (last := time)


# ---- where nodes are, as rows of numbers ----


def _around(keys: Sequence[_Key]) -> Iterator[list[Pose]]:
    """The poses of all keys: a moment before, at, and after them."""
    yield [key.around[0] if key.around else key.pose for key in keys]
    yield [key.pose for key in keys]
    yield [key.around[1] if key.around else key.pose for key in keys]


def _shifts(poses: Sequence[Pose]) -> Doubles:
    return np.array([pose.shifts for pose in poses], dtype=float).reshape(len(poses), -1, 3)


def _turns(poses: Sequence[Pose]) -> Doubles:
    turns = [[place.turn for place in pose.places] for pose in poses]
    return np.array(turns, dtype=float).reshape(len(poses), -1, 3, 3)


def _quaternions(turns: Sequence[Doubles]) -> list[Doubles]:
    """The same turns as quaternions x, y, z, w; of the two for each, those that follow each other.

    A quaternion is the eigenvector of the greatest eigenvalue of a matrix of the turn's entries
    (Bar-Itzhack 2000).
    """
    found = []
    for some in turns:
        (a, b, c), (d, e, f), (g, h, i) = np.moveaxis(some, (2, 3), (0, 1))
        rows = (
            (a - e - i, b + d, c + g, h - f),
            (b + d, e - a - i, f + h, c - g),
            (c + g, f + h, i - a - e, d - b),
            (h - f, c - g, d - b, a + e + i),
        )
        _, vectors = np.linalg.eigh(np.moveaxis(np.array(rows), (0, 1), (2, 3)))
        found.append(vectors[..., 3])
    was, now, then = found
    now *= np.where(now[:1, :, 3:] < 0, -1, 1)
    signs = np.where((now[1:] * now[:-1]).sum(axis=-1, keepdims=True) < 0, -1, 1)
    now[1:] *= np.cumprod(signs, axis=0)
    for other in (was, then):
        other *= np.where((other * now).sum(axis=-1, keepdims=True) < 0, -1, 1)
    return found


def _splines(around: Sequence[Doubles], keys: Sequence[_Key]) -> Floats:
    """For (key, 0 to 2) the speed towards a key, the value there, and the speed from it on."""
    was, now, then = around
    moments = np.array([key.moment for key in keys])[:, None, None]
    rows = np.stack([(now - was) / moments, now, (then - now) / moments], axis=1)
    return rows.astype(np.float32)


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
