"""Parts that print without support, and go together again to the piece they were."""

from itertools import combinations

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold, Mesh64

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES, PRISMS
from kumitate.model.shape import Shape
from kumitate.output.solid.joints import HIGH, PEG, TIGHT, parts_of, split
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.print_options import PrintOptions, solid


def manifold(mesh: Mesh) -> Manifold:
    return Manifold(Mesh64(mesh.points, mesh.triangles.astype(np.uint64)))


SNAKE = Shape.from_text(CUBES, "##. .#. .## / ... ... ..# / ... ... .##", name="S")


def test_every_cell_of_a_part_stands_on_one_of_it() -> None:
    for problem in library["evolved-box"].problems:
        for piece in problem.pieces:
            for way in piece.shape.orientations():
                parts = parts_of(way)
                assert set().union(*parts) == way.cells
                assert sum(map(len, parts)) == len(way)
                for part in parts:
                    floor = min(z for _, _, z, _ in part)
                    for x, y, z, tile in part:
                        assert z == floor or (x, y, z - 1, tile) in part


def test_parts_fit_each_other_and_make_the_piece() -> None:
    ring = Shape.from_text(CUBES, "### #.. ### / ... ... ..# / ... ... .##", name="R")
    for shape in (SNAKE, ring):
        meshes = split(shape, PrintOptions(unit=12, inset=0.1, bevel=0.5))
        parts = [manifold(mesh) for mesh in meshes]
        assert all(trimesh.Trimesh(m.points, m.triangles).is_watertight for m in meshes)
        assert all(len(part.decompose()) == 1 for part in parts)
        for one, two in combinations(parts, 2):
            assert (one ^ two).volume() < 1e-6
        whole = solid(shape, PrintOptions(unit=12, inset=0.1, bevel=0.5)).volume
        wide, high = PEG * 12, HIGH * 12
        joint = wide**2 * high - (wide + 2 * TIGHT) ** 2 * (high + TIGHT)  # a peg less its socket
        made = sum(part.volume() for part in parts)
        assert made - whole == pytest.approx(joints(shape, len(parts)) * joint, abs=1e-6)


def joints(shape: Shape, count: int) -> int:
    """Where parts lie on each other, in the flattest way to lie that has so many."""
    ways = [way for way in shape.orientations() if len(parts_of(way)) == count]
    lying = min(ways, key=lambda way: way.size[2])
    number = {cell: n for n, part in enumerate(parts_of(lying)) for cell in part}
    above = ((cell, (cell[0], cell[1], cell[2] + 1, cell[3])) for cell in number)
    return sum(upper in number and number[upper] != number[cell] for cell, upper in above)


def test_a_piece_that_lies_flat_is_one_part() -> None:
    [mesh] = split(Shape.from_text(CUBES, "###/.#.", name="T"), PrintOptions(unit=10))
    assert mesh.name == "T"
    assert mesh.points[:, 2].max() < 10.1


def test_parts_are_numbered() -> None:
    plus = Shape.from_text(CUBES, ".#. ... / ### .#. / .#. ...", name="P")
    both = plus | plus.shifted((0, 0, 3)) | Shape(CUBES, {(1, 1, 2, 0)})
    names = [mesh.name for mesh in split(both.named("P"), PrintOptions(unit=10))]
    assert names == ["P 1/2", "P 2/2"]


@pytest.mark.parametrize(
    ("shape", "options", "words"),
    [
        (Shape.from_text(PRISMS, "##"), PrintOptions(), "only pieces of cubes can be split"),
        (SNAKE, PrintOptions(wall=1), "a hollow piece cannot be split"),
    ],
)
def test_what_is_not_split_is_told(shape: Shape, options: PrintOptions, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        split(shape, options)
