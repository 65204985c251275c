"""Written files are clean: STL, OBJ, GLB and 3MF, read again and merged, of every grid and puzzle.

A slicer merges corners that are nearly the same. After merging at 1e-4 mm every solid must have
exactly two triangles at each edge, which run along it in opposite directions, and one ring of them
at each corner; no triangle may be smaller than 1e-6 mm2, and the volume must be that of the solid.

Reference puzzles lie in ../shared beside the repository; where they are missing they are skipped.
"""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

from kumitate.files import load
from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES
from kumitate.model.making import pieces_to_make
from kumitate.model.puzzle import Puzzle
from kumitate.model.shape import Shape
from kumitate.output import gltf, obj, stl, threemf
from kumitate.output.make import Make, solid, unit_for
from kumitate.output.mesh import Mesh
from kumitate.output.scene import Body, Pose, Scene

Points = NDArray[np.float64]

REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"
FILES = sorted(REFERENCE.rglob("*.xmpuzzle"))
DIGITS = 4  # behind the point: corners that agree so far are one
SLIVER = 1e-6  # mm2


def flaws(points: Points, triangles: NDArray[np.int64]) -> list[str]:
    """What is wrong with one solid as a slicer sees it."""
    merged = trimesh.Trimesh(points, triangles, process=False)
    merged.merge_vertices(merge_norm=True, merge_tex=True, digits_vertex=DIGITS)
    a, b, c = (merged.vertices[merged.faces[:, i]] for i in range(3))
    least = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).min() / 2)
    _, meeting = np.unique(np.sort(merged.edges, axis=1), axis=0, return_counts=True)
    found = []
    if least < SLIVER:
        found.append(f"a triangle of {least:.2g} mm2")
    if (meeting != 2).any():
        found.append(f"{(meeting != 2).sum()} edges with other than two triangles")
    if rings_at_corners(merged) != len(np.unique(merged.faces)):
        found.append("corners where more than one ring of triangles meets")
    if not merged.is_winding_consistent:
        found.append("triangles that turn the wrong way")
    return found


def rings_at_corners(mesh: trimesh.Trimesh) -> int:
    """Corners of triangles are in one ring if their triangles share a side that ends there."""
    size = len(mesh.vertices)
    corners = (np.arange(len(mesh.faces))[:, None] * size + mesh.faces).ravel()
    order = np.argsort(corners)
    beside = mesh.face_adjacency[:, :, None] * size + mesh.face_adjacency_edges[:, None, :]
    joined = order[np.searchsorted(corners[order], beside)]  # by adjacency, face, end of the side
    pairs = joined.transpose(0, 2, 1).reshape(-1, 2)
    labels = trimesh.graph.connected_component_labels(pairs, node_count=len(corners))
    return len(np.unique(labels))


# ---- the files, read by others ----


def in_stl(meshes: list[Mesh]) -> Iterator[tuple[Points, NDArray[np.int64]]]:
    """The file knows no solids, but keeps their order."""
    again = trimesh.load_mesh(BytesIO(stl.write(meshes)), file_type="stl", process=False)
    start = 0
    for mesh in meshes:
        end = start + len(mesh.triangles)
        yield np.asarray(again.vertices), np.asarray(again.faces)[start:end]
        start = end
    assert start == len(again.faces)


def in_obj(meshes: list[Mesh]) -> Iterator[tuple[Points, NDArray[np.int64]]]:
    text, _ = obj.write(meshes, "x")
    scene = trimesh.load_scene(
        BytesIO(text), file_type="obj", split_objects=True, group_material=False, process=False
    )
    for mesh in meshes:
        yield scene.geometry[mesh.name].vertices, scene.geometry[mesh.name].faces


def in_glb(meshes: list[Mesh]) -> Iterator[tuple[Points, NDArray[np.int64]]]:
    bodies = [Body(Shape.from_text(CUBES, "#"), mesh.name, mesh.colour) for mesh in meshes]
    still = Pose([(0.0, 0.0, 0.0)] * len(bodies), [True] * len(bodies))
    data = gltf.write(Scene(CUBES, bodies, [still]), meshes, 1.0)
    scene = trimesh.load_scene(BytesIO(data), file_type="glb", process=False)
    for mesh in meshes:
        placed, name = scene.graph[mesh.name]
        part = scene.geometry[name].copy()
        part.apply_transform(placed)
        yield part.vertices * 1000, part.faces


def in_3mf(meshes: list[Mesh]) -> Iterator[tuple[Points, NDArray[np.int64]]]:
    import lib3mf

    data = threemf.write([(mesh, (0.0, 0.0, 0.0)) for mesh in meshes])
    model = lib3mf.get_wrapper().CreateModel()
    reader = model.QueryReader("3mf")
    reader.SetStrictModeActive(True)
    reader.ReadFromBuffer(data)
    assert reader.GetWarningCount() == 0
    objects = model.GetMeshObjects()
    while objects.MoveNext():
        assert objects.GetCurrentMeshObject().IsManifoldAndOriented()
    scene = trimesh.load_scene(BytesIO(data), file_type="3mf", process=False)
    for mesh in meshes:
        yield scene.geometry[mesh.name].vertices, scene.geometry[mesh.name].faces


READERS = {"stl": in_stl, "obj": in_obj, "glb": in_glb, "3mf": in_3mf}


def require_clean(meshes: list[Mesh]) -> None:
    """Each mesh, in files of all four kinds, a row of them as on a bed."""
    row, at = [], 0.0
    for number, mesh in enumerate(meshes):
        low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
        moved = mesh.shifted((at - low[0], -low[1], -low[2]))
        row.append(replace(moved, name=f"{number} {mesh.name}"))
        at = (at + high[0] - low[0] + 6) % 180
    for kind, read in READERS.items():
        for mesh, (points, triangles) in zip(row, read(row), strict=True):
            assert (kind, mesh.name, flaws(points, triangles)) == (kind, mesh.name, [])
            again = trimesh.Trimesh(points - points.mean(axis=0), triangles, process=False)
            assert again.volume == pytest.approx(mesh.volume, rel=1e-6)


# ---- puzzles ----


def meshes_of(puzzle: Puzzle) -> list[Mesh]:
    """Of each piece of all its problems, once; in the sizes that an export chooses."""
    found: dict[tuple[Shape, float], Mesh] = {}
    for source in puzzle.problems or [puzzle]:
        shapes = [shape for shape, _ in pieces_to_make(source)]
        unit = unit_for(shapes)
        for shape in shapes:
            if (shape.at_origin(), unit) not in found:
                found[shape.at_origin(), unit] = solid(shape, Make(unit=unit))
    return list(found.values())


@pytest.mark.skipif(not FILES, reason=f"no reference puzzles in {REFERENCE}")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_reference_puzzle_is_clean_in_its_files(path: Path) -> None:
    try:
        puzzle = load(path)
    except PuzzleError as error:
        pytest.skip(f"not read: {error}")
    require_clean(meshes_of(puzzle))


@pytest.mark.parametrize("name", sorted(library))
def test_every_puzzle_of_the_library_is_clean_in_its_files(name: str) -> None:
    require_clean(meshes_of(library[name]))
