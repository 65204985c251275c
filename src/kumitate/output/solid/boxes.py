"""A box for a packing puzzle, and a lid that plugs it.

The goal is hollowed out of a block, every cell with the way it comes in from above, so any goal
that can be filled from the top gets its box: flat trays, cuboids, steps, pyramids of balls.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from manifold3d import Manifold, OpType
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.model.shape import Shape
from kumitate.output.scene import box_of, corners_of, radius_of
from kumitate.output.solid.clean import LAP, clean
from kumitate.output.solid.hull import hull
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.print_options import PrintOptions, unit_for
from kumitate.output.solid.solid import require_size

Array = NDArray[np.float64]

WALL = 6.0  # mm, and the clearance, as puzzlecad has them
CLEARANCE = 0.2  # mm between the goal and the walls, and around the lid's plug
PLUG = 2.0  # mm: how far the lid reaches in
COLOUR = "#B9A88A"


def box(goal: Shape, options: PrintOptions) -> tuple[Mesh, Mesh]:
    """The box and its lid, in millimetres; the lid lies on its back beside the box.

    >>> from kumitate.model.grids import CUBES
    >>> made, lid = box(Shape.from_text(CUBES, "##/##"), PrintOptions(unit=10))
    >>> np.round(np.ptp(made.points, axis=0), 6).tolist()
    [32.4, 32.4, 18.0]
    """
    if not goal.cells:
        raise PuzzleError("the goal is empty; there is nothing to make a box for")
    unit = options.unit if options.unit is not None else unit_for([goal])
    sides = np.array(unit if isinstance(unit, tuple) else (unit,) * 3, dtype=float)
    require_size(sides)
    low, high = (np.array(corner) * sides for corner in box_of(goal))
    top = high[2] + PLUG
    border = np.array([WALL + CLEARANCE, WALL + CLEARANCE, 0])
    outside = _cuboid(low - border - (0, 0, WALL), np.array([*(high + border)[:2], top]))
    hollow = Manifold.batch_boolean(list(_shafts(goal, sides, CLEARANCE, top + 1)), OpType.Add)
    plate = _cuboid(low - border + (0, 0, 0), np.array([*(high + border)[:2], low[2] + WALL]))
    plug = Manifold.batch_boolean(list(_shafts(goal, sides, LAP, top)), OpType.Add)
    # From within the plate: faces that only touch may be apart by a rounding error.
    within = np.array([*(low - border)[:2], high[2] - WALL / 2])
    above = _cuboid(within, np.array([*(high + border)[:2], top]))
    sunk = (plug ^ above).translate((0, 0, low[2] + WALL - high[2]))
    aside = (float(high[0] - low[0] + 2 * border[0] + WALL), 0.0, -WALL)
    name = goal.name or "goal"
    return (
        replace(clean(outside - hollow), name=f"{name}: box", colour=COLOUR),
        replace(clean((plate + sunk).translate(aside)), name=f"{name}: lid", colour=COLOUR),
    )


def _cuboid(low: Array, high: Array) -> Manifold:
    return Manifold.cube(high - low).translate(low)


def _shafts(goal: Shape, sides: Array, wider: float, top: float) -> Iterator[Manifold]:
    """Each cell seen from above, from its lowest point up to the top."""
    if goal.grid.balls:
        yield from _round_shafts(goal, float(sides[0]), wider, top)
        return
    around = wider * np.array([(x, y) for x in (-1, 1) for y in (-1, 1)])
    for cell in sorted(goal.cells):
        corners = np.array(corners_of(goal.grid, cell)) * sides
        flat = (corners[:, None, :2] + around).reshape(-1, 2)
        yield hull(np.array([(x, y, z) for x, y in flat for z in (corners[:, 2].min(), top)]))


def _round_shafts(goal: Shape, unit: float, wider: float, top: float) -> Iterator[Manifold]:
    """For balls, and for all that lies between two that touch: there may be a neck."""
    radius = radius_of(goal.grid) * unit
    shafts = {}
    for cell in sorted(goal.cells):
        x, y, z = np.array(corners_of(goal.grid, cell)[0]) * unit
        high = top - z + radius + wider
        shaft = Manifold.cylinder(high, radius + wider, circular_segments=64)
        shafts[cell] = shaft.translate((x, y, z - radius - wider))
        yield shafts[cell]
    for cell, shaft in shafts.items():
        for other in sorted(goal.neighbours(cell)):
            if cell < other and other in shafts:
                yield Manifold.batch_hull([shaft, shafts[other]])
