"""The pieces of an assembly as solids where they lie; each is made once, then turned."""

from dataclasses import replace

import numpy as np

from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly
from kumitate.output.scene import corners_of
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.print_options import PrintOptions, solid


def solids_of(assembly: Assembly, options: PrintOptions) -> list[Mesh]:
    """A mesh for each placement. Copies share one, unless cells have different sides.

    >>> from kumitate.model.grids import CUBES
    >>> two = Assembly.from_text(CUBES, "AAB/ABB")
    >>> [round(float(mesh.points.min()), 2) for mesh in solids_of(two, PrintOptions(unit=10))]
    [0.07, 0.07]
    """
    if isinstance(options.unit, tuple):
        return [solid(shape, options) for shape in assembly.shapes]
    made: dict[int, Mesh] = {}
    found = []
    for placement, shape in zip(assembly.placements, assembly.shapes, strict=True):
        problem = assembly.problem
        base = problem.pieces[placement.piece].shape.named(problem.label(placement.piece))
        if placement.piece not in made:
            made[placement.piece] = solid(base, options)
        found.append(_laid(made[placement.piece], base, shape, placement.turn, options))
    return found


def _laid(mesh: Mesh, base: Shape, shape: Shape, turn: int, options: PrintOptions) -> Mesh:
    """The mesh of one shape for another that is the same, turned and shifted."""
    grid = shape.grid
    basis = np.array(grid.basis).T
    matrix, _, _, divisor = grid.turns[turn]
    turned = basis @ (np.array(matrix) / divisor) @ np.linalg.inv(basis)
    unit = options.unit if isinstance(options.unit, int | float) else 1.0
    shift = unit * (_middle(shape) - turned @ _middle(base))
    return replace(mesh, points=mesh.points @ turned.T + shift)


def _middle(shape: Shape) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    cells = [np.mean(corners_of(shape.grid, cell), axis=0) for cell in sorted(shape.cells)]
    return np.asarray(np.mean(cells, axis=0))
