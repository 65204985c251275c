"""GLB: judged by Khronos' validator, read again by trimesh, its keyframes held against the scene.

The validator is the npm package gltf-validator, looked for in web/node_modules and on NODE_PATH.
"""

import json
import os
import shutil
import struct
import subprocess
import time
from io import BytesIO
from itertools import pairwise
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray
from tests.output.plain_meshes import many_triangles, meshes_of
from tests.output.test_turning import scenes

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES, GRIDS, TETROCTS
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Move, Solution
from kumitate.output.formats import gltf
from kumitate.output.scene import (
    UPRIGHT,
    Body,
    Place,
    Pose,
    Scene,
    Stop,
    Turning,
    between,
    pose_of,
    scene_of,
)
from kumitate.output.solid.mesh import Mesh
from kumitate.output.timing import CUT, LEAST, MOTION, PER_UNIT, STILL, seconds_between, smooth
from kumitate.search.solve import solve

Floats = NDArray[np.float32]
MODULES = Path(__file__).resolve().parents[3] / "web" / "node_modules"
VALIDATE = """
const bytes = new Uint8Array(require("fs").readFileSync(0));
require("gltf-validator").validateBytes(bytes).then(r => console.log(JSON.stringify(r.issues)));
"""


def validator_issues(data: bytes) -> dict[str, Any]:
    path = os.pathsep.join([str(MODULES), os.environ.get("NODE_PATH", "")])
    environment = {**os.environ, "NODE_PATH": path}
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here to run Khronos' validator")
    run = subprocess.run([node, "-e", VALIDATE], input=data, env=environment, capture_output=True)
    if b"Cannot find module 'gltf-validator'" in run.stderr:
        pytest.skip("no gltf-validator: npm ci --prefix web")
    assert run.returncode == 0, run.stderr
    issues: dict[str, Any] = json.loads(run.stdout)
    return issues


def chunks(data: bytes) -> tuple[dict[str, Any], bytes]:
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    rest = data[20 + size :]
    return json.loads(data[20 : 20 + size]), rest[8:]


def numbers(data: bytes, accessor: int) -> Any:
    content, binary = chunks(data)
    entry = content["accessors"][accessor]
    view = content["bufferViews"][entry["bufferView"]]
    found = np.frombuffer(binary, "<f4", view["byteLength"] // 4, view["byteOffset"])
    return found if entry["type"] == "SCALAR" else found.reshape(entry["count"], -1)


def at(data: bytes, seconds: float) -> list[tuple[list[float], float]]:
    """Where the file's animation has each body, in millimetres, and how large."""
    return [(node["translation"], node["scale"][0]) for node in nodes_at(data, seconds)]


def nodes_at(data: bytes, seconds: float) -> list[dict[str, Any]]:
    """The nodes of the bodies, as the file's animation has them."""
    content, _ = chunks(data)
    [animation] = content["animations"]
    nodes = [dict(node) for node in content["nodes"][:-1]]
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        times, keys = numbers(data, sampler["input"]), numbers(data, sampler["output"])
        if sampler["interpolation"] == "STEP":
            value = keys[np.searchsorted(times, seconds, side="right") - 1]
        else:
            assert sampler["interpolation"] == "CUBICSPLINE"
            value = spline(times, keys.reshape(len(times), 3, -1), seconds)
        nodes[channel["target"]["node"]][channel["target"]["path"]] = value.tolist()
    return nodes


def spline(times: Floats, keys: Floats, seconds: float) -> Floats:
    """The cubic spline of the specification's appendix C."""
    n = int(np.clip(np.searchsorted(times, seconds, side="right") - 1, 0, len(times) - 2))
    length = times[n + 1] - times[n]
    t = float(np.clip((seconds - times[n]) / length, 0, 1))
    (_, start, leaving), (arriving, end, _) = keys[n], keys[n + 1]
    made = (2 * t**3 - 3 * t**2 + 1) * start + (3 * t**2 - 2 * t**3) * end
    made = made + length * ((t**3 - 2 * t**2 + t) * leaving + (t**3 - t**2) * arriving)
    return np.asarray(made, np.float32)


@pytest.fixture(scope="module")
def burr() -> tuple[Scene, bytes]:
    scene = scene_of(next(solve(library["six-piece-burr"].problems[0], disassemble=True)))
    return scene, gltf.write(scene, meshes_of(scene, 11.15), 11.15)


def test_a_taken_apart_burr_passes_the_validator(burr: tuple[Scene, bytes]) -> None:
    issues = validator_issues(burr[1])
    assert issues["messages"] == []


def test_the_validator_can_fail(burr: tuple[Scene, bytes]) -> None:
    assert validator_issues(burr[1].replace(b'"byteOffset":0', b'"byteOffset":3'))["numErrors"] > 0


def test_a_taken_apart_burr_comes_back_with_names_and_colours(burr: tuple[Scene, bytes]) -> None:
    scene, data = burr
    again = trimesh.load_scene(BytesIO(data), file_type="glb")
    assert set(again.graph.nodes_geometry) == {body.name for body in scene.bodies}
    for body in scene.bodies:
        placed, name = again.graph[body.name]
        part = again.geometry[name]
        part.merge_vertices(merge_norm=True)
        assert part.is_watertight
        assert part.volume == pytest.approx(len(body.shape) * 11.15**3, rel=1e-5)
        assert np.linalg.det(placed[:3, :3]) == pytest.approx(1e-9)  # millimetres in metres
        assert part.visual.material.name == body.colour


def test_up_is_up_and_metres_are_metres() -> None:
    tower = scene_of(Shape.from_text(CUBES, "#. #. ##", name="tower"))
    data = gltf.write(tower, meshes_of(tower, 10), 10)
    low, high = trimesh.load_scene(BytesIO(data), file_type="glb").bounds
    np.testing.assert_allclose((low, high), [(0, 0, -0.01), (0.02, 0.03, 0)], atol=1e-9)


def test_keyframes_are_the_poses_of_the_scene(burr: tuple[Scene, bytes]) -> None:
    scene, data = burr
    told = chunks(data)[0]["animations"][0]["extras"]["poses"]
    assert [entry["words"] for entry in told] == [pose.words for pose in scene.poses]
    for pose, entry in zip(scene.poses, told, strict=True):
        for place, (shift, size) in enumerate(at(data, max(0, entry["seconds"] - 0.02))):
            np.testing.assert_allclose(shift, np.multiply(pose.shifts[place], 11.15), atol=1e-4)
            assert size == pose.shown[place]


def test_poses_follow_each_other_as_in_the_player(burr: tuple[Scene, bytes]) -> None:
    scene, data = burr
    told = chunks(data)[0]["animations"][0]["extras"]["poses"]
    for (before, after), (a, b) in zip(pairwise(told), pairwise(scene.poses), strict=True):
        seconds = after["seconds"] - before["seconds"]
        assert seconds == pytest.approx(seconds_between(a, b), abs=2e-3)


def test_half_way_is_half_way_and_what_goes_is_gone_before() -> None:
    shapes = [Shape.from_text(CUBES, "#", at=(x, 0, 0)) for x in range(3)]
    bodies = [Body(shape, "", "#808080") for shape in shapes]
    poses = [
        Pose([(0, 0, 0)] * 3, [True, True, False]),
        Pose([(2, 0, 0), (0, 0, 0), (0, 0, 0)], [True, False, True]),
    ]
    scene = Scene(CUBES, bodies, poses)
    data = gltf.write(scene, meshes_of(scene), (10.0, 20.0, 30.0))
    motion = MOTION * CUT
    (first, *_), (_, goes), (_, comes) = at(data, 0.75 * motion)
    np.testing.assert_allclose(first, (10, 0, 0), atol=1e-5)
    assert (goes, comes) == (0, 0)
    quarter, *_ = at(data, 0.625 * motion)
    np.testing.assert_allclose(quarter[0], (20 * smooth(0.25), 0, 0), atol=1e-5)
    assert [size for _, size in at(data, 0.5 * motion - 0.01)] == [1, 1, 0]
    assert [size for _, size in at(data, motion + 0.01)] == [1, 0, 1]
    assert validator_issues(data)["messages"] == []


def test_each_axis_has_its_unit() -> None:
    assembly = Assembly.from_text(CUBES, "AB")
    away = Disassembly([Move([1], (0, 0, 1), None)])
    scene = scene_of(Solution(assembly, away))
    data = gltf.write(scene, meshes_of(scene), (10.0, 20.0, 30.0))
    lifted, _ = at(data, 99)[1]
    assert lifted == [0, 0, 30 * scene.poses[-1].shifts[1][2]]


@pytest.mark.parametrize("name", [grid.name for grid in GRIDS.values() if not grid.balls])
def test_a_still_of_every_grid_has_no_animation(name: str) -> None:
    scene = scene_of(Shape(GRIDS[name], {(0, 0, 0, 0)}, name=name))
    data = gltf.write(scene, meshes_of(scene), 10)
    assert "animations" not in chunks(data)[0]
    part = trimesh.load_scene(BytesIO(data), file_type="glb").to_mesh()
    part.merge_vertices(merge_norm=True)
    assert part.is_watertight


def test_stills_pass_the_validator() -> None:
    nothing = Scene(CUBES, [], [Pose([], [])])
    scene = scene_of(Shape(TETROCTS, {(0, 0, 0, 0)}))
    assert validator_issues(gltf.write(scene, meshes_of(scene), 10))["messages"] == []
    assert validator_issues(gltf.write(nothing, [], (10, 10, 10)))["numErrors"] == 0


def test_colours_are_linear() -> None:
    cube = Shape.from_text(CUBES, "#")
    scene = Scene(CUBES, [Body(cube, "A", "#FF8000")], [Pose([(0, 0, 0)], [True])])
    content, _ = chunks(gltf.write(scene, meshes_of(scene), 10))
    # 128/255 in sRGB is 0.2159 of the light: https://en.wikipedia.org/wiki/SRGB
    factor = content["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"]
    assert factor == pytest.approx([1, 0.2158605, 0, 1], abs=1e-6)


def test_a_mesh_used_twice_is_written_once() -> None:
    cube = Shape.from_text(CUBES, "#")
    bodies = [Body(cube, "A", "#FF8000"), Body(cube, "B", "#FF8000"), Body(cube, "C", "#0000FF")]
    scene = Scene(CUBES, bodies, [Pose([(n, 0, 0) for n in range(3)], [True] * 3)])
    mesh = meshes_of(scene)[0]
    content, _ = chunks(gltf.write(scene, [mesh] * 3, 10))
    assert [node.get("mesh") for node in content["nodes"]] == [0, 0, 1, None]
    assert [node["name"] for node in content["nodes"]] == ["A", "B", "C", "kumitate"]


def test_corners_are_shared_so_the_mesh_is_closed_as_it_is() -> None:
    scene = scene_of(Shape.from_text(CUBES, "##/#.", name="V"))
    [mesh] = meshes_of(scene)
    data = gltf.write(scene, [mesh], 10)
    content, _ = chunks(data)
    [part] = content["meshes"][0]["primitives"]
    assert set(part["attributes"]) == {"POSITION"}  # without normals all viewers draw flat faces
    assert content["accessors"][part["attributes"]["POSITION"]]["count"] == len(mesh.points)
    assert content["accessors"][part["indices"]]["count"] == mesh.triangles.size
    again = trimesh.load_scene(BytesIO(data), file_type="glb", process=False).geometry["V"]
    assert again.is_watertight
    assert again.faces.tolist() == mesh.triangles.tolist()
    assert validator_issues(data)["messages"] == []


def test_a_triangle_without_area_is_valid_all_the_same() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]])
    mesh = Mesh(points, np.array([[0, 1, 2], [0, 1, 3]], dtype=np.int32))
    scene = scene_of(Shape.from_text(CUBES, "#"))
    assert validator_issues(gltf.write(scene, [mesh], 10))["numErrors"] == 0


def test_an_empty_piece_is_refused() -> None:
    empty = Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32))
    scene = scene_of(Shape.from_text(CUBES, "#", name="nothing"))
    with pytest.raises(PuzzleError, match="piece 'nothing' is empty"):
        gltf.write(scene, [empty], 10)


def test_a_hundred_thousand_triangles_are_quick_and_the_same_again() -> None:
    mesh = many_triangles(100_000)
    scene = scene_of(Shape.from_text(CUBES, "#"))
    begun = time.process_time()
    data = gltf.write(scene, [mesh], 10)
    assert time.process_time() - begun < 0.5
    assert data == gltf.write(scene, [mesh], 10)


def test_a_colour_is_written_as_light() -> None:
    """sRGB as IEC 61966-2-1 has it, on either side of its bend."""
    light = [gltf._linear(part) for part in (0, 10, 11, 0x60, 255)]
    assert light == [0.0, 0.003035, 0.003347, 0.116971, 1.0]


def test_a_slide_that_nobody_sees_takes_no_longer() -> None:
    """What is not shown is only put elsewhere."""
    cube = Shape.from_text(CUBES, "#")
    bodies = (Body(cube, "A", "#E69F00"), Body(cube.shifted((2, 0, 0)), "B", "#56B4E9"))
    still, moved = ((0.0, 0.0, 0.0),) * 2, ((0.0, 0.0, 0.0), (5.0, 0.0, 0.0))

    def seconds(shown: tuple[bool, bool]) -> list[float]:
        scene = Scene(CUBES, bodies, (Pose(still, shown), Pose(moved, shown)))
        [film] = chunks(gltf.write(scene, meshes_of(scene), 10))[0]["animations"]
        return [pose["seconds"] for pose in film["extras"]["poses"]]

    assert seconds((True, True)) == [0.0, pytest.approx(LEAST + 5 * PER_UNIT)]
    assert seconds((True, False)) == [0.0, STILL]


# ---- turns ----


def turned_at(data: bytes, seconds: float, node: int) -> Any:
    """The turn of a body and its shift, as a viewer computes them from the file."""
    found = nodes_at(data, seconds)[node]
    x, y, z, w = np.array(found.get("rotation", [0, 0, 0, 1])) / np.linalg.norm(
        found.get("rotation", [0, 0, 0, 1])
    )
    turn = [
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    ]
    return np.array([*turn, np.array(found["translation"]) / 10])


@pytest.mark.parametrize("number", [0, 1, 2])
def test_turns_keep_to_their_arcs_all_the_time(number: int) -> None:
    """In poses and between them, bodies are where the scene has them."""
    _, scene = scenes()[number]
    data = gltf.write(scene, meshes_of(scene), 10)
    assert validator_issues(data)["messages"] == []
    begin = 0.0
    for before, after in pairwise(scene.poses):
        length = seconds_between(before, after)
        for part in np.linspace(0, 1, 41).tolist():
            moment = between(before, after, smooth(part))
            for node, place in enumerate(moment.places):
                seen = turned_at(data, begin + part * MOTION * length, node)
                np.testing.assert_allclose(seen, [*place.turn, place.shift], atol=5e-4)
        begin += length
        for node, place in enumerate(after.places):
            seen = turned_at(data, begin, node)
            np.testing.assert_allclose(seen, [*place.turn, place.shift], atol=1e-6)


def test_a_half_turn_and_what_follows_go_the_short_way_round() -> None:
    """Of two quaternions that mean the same turn, each key has the one near that of the last."""
    cube = Shape.from_text(CUBES, "##")
    axis = (0.0, 0.0, 1.0)
    turnings = [
        Turning([0], axis, [Stop((0, 0, 0), 0), Stop((0, 0, 0), q)]) for q in (pi, 3 * pi / 2)
    ]
    poses = [pose_of([Place(UPRIGHT, (0.0, 0.0, 0.0))], [True])]
    for turning in turnings:
        place = turning.along(1).after(poses[-1].places[0])
        poses.append(pose_of([place], [True], turning=turning))
    scene = Scene(CUBES, [Body(cube, "A", "#808080")], poses)
    data = gltf.write(scene, meshes_of(scene), 10)
    [animation] = chunks(data)[0]["animations"]
    [sampler] = animation["samplers"]
    keys = numbers(data, sampler["output"]).reshape(-1, 3, 4)[:, 1]
    assert ((keys[1:] * keys[:-1]).sum(axis=1) > 0.9).all()
    assert validator_issues(data)["messages"] == []


def test_cells_of_different_sides_do_not_turn() -> None:
    _, scene = scenes()[0]
    with pytest.raises(PuzzleError, match="give --unit one length"):
        gltf.write(scene, meshes_of(scene), (10.0, 20.0, 30.0))
    assert gltf.write(scene, meshes_of(scene), (10.0, 10.0, 10.0))
