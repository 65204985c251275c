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
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from tests.output.plain_meshes import many_triangles, meshes_of

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES, GRIDS, TETROCTS
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Move, Solution
from kumitate.output import gltf
from kumitate.output.mesh import Mesh
from kumitate.output.scene import Body, Pose, Scene, scene_of
from kumitate.search.solve import solve

MODULES = Path(__file__).resolve().parents[2] / "web" / "node_modules"
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
    return found if entry["type"] == "SCALAR" else found.reshape(-1, 3)


def at(data: bytes, seconds: float) -> list[tuple[list[float], float]]:
    """Where the file's animation has each body, in millimetres, and how large."""
    content, _ = chunks(data)
    [animation] = content["animations"]
    nodes = [dict(node) for node in content["nodes"][:-1]]
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        times, keys = numbers(data, sampler["input"]), numbers(data, sampler["output"])
        if sampler["interpolation"] == "STEP":
            value = keys[np.searchsorted(times, seconds, side="right") - 1]
        else:
            value = np.array([np.interp(seconds, times, column) for column in keys.T])
        nodes[channel["target"]["node"]][channel["target"]["path"]] = value.tolist()
    return [(node["translation"], node["scale"][0]) for node in nodes]


@pytest.fixture(scope="module")
def burr() -> tuple[Scene, bytes]:
    scene = scene_of(next(solve(library["six-piece-burr"].problems[0])))
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
        for place, (shift, size) in enumerate(at(data, entry["seconds"] + 0.1)):
            np.testing.assert_allclose(shift, np.multiply(pose.shifts[place], 11.15), atol=1e-4)
            assert size == pose.shown[place]


def test_moves_take_their_time_and_a_change_of_scene_does_not(burr: tuple[Scene, bytes]) -> None:
    told = chunks(burr[1])[0]["animations"][0]["extras"]["poses"]
    for before, after in pairwise(told):
        way = gltf.CUT if after["words"].startswith("take apart") else gltf.SLIDE
        assert after["seconds"] - before["seconds"] == pytest.approx(way + gltf.REST)


def test_half_way_is_half_way_and_what_goes_is_gone_before() -> None:
    shapes = [Shape.from_text(CUBES, "#", at=(x, 0, 0)) for x in range(3)]
    bodies = [Body(shape, "", "#808080") for shape in shapes]
    poses = [
        Pose([(0, 0, 0)] * 3, [True, True, False]),
        Pose([(2, 0, 0), (0, 0, 0), (0, 0, 0)], [True, False, True]),
    ]
    scene = Scene(CUBES, bodies, poses)
    data = gltf.write(scene, meshes_of(scene), (10.0, 20.0, 30.0))
    (first, *_), (_, goes), (_, comes) = at(data, gltf.REST + gltf.SLIDE / 2)
    np.testing.assert_allclose(first, (10, 0, 0), atol=1e-5)
    assert (goes, comes) == (0, 0)
    assert [size for _, size in at(data, gltf.REST - 0.01)] == [1, 1, 0]
    assert [size for _, size in at(data, gltf.REST + gltf.SLIDE + 0.01)] == [1, 0, 1]
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


def test_a_slide_that_nobody_sees_takes_no_time() -> None:
    """What is not shown in both poses is only put elsewhere."""
    cube = Shape.from_text(CUBES, "#")
    bodies = (Body(cube, "A", "#E69F00"), Body(cube.shifted((2, 0, 0)), "B", "#56B4E9"))
    still, moved = ((0.0, 0.0, 0.0),) * 2, ((0.0, 0.0, 0.0), (5.0, 0.0, 0.0))

    def seconds(shown: tuple[bool, bool]) -> list[float]:
        scene = Scene(CUBES, bodies, (Pose(still, shown), Pose(moved, shown)))
        [film] = chunks(gltf.write(scene, meshes_of(scene), 10))[0]["animations"]
        return [pose["seconds"] for pose in film["extras"]["poses"]]

    assert seconds((True, True)) == [0.0, gltf.REST + gltf.SLIDE]
    assert seconds((True, False)) == [0.0, gltf.REST + gltf.CUT]
