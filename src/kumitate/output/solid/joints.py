"""Pieces of cubes in parts that print without support, with pegs to snap them together.

A part lies on its lowest layer, and under every other cell of it there is one of its cells. A piece
that can be turned to lie so is one part. Else it is cut between layers, in the way that needs the
fewest parts: a layer's connected cells join the part below if all of them stand on it. Where cells
of two parts lie on each other the lower one gets a peg and the upper one a socket.
"""

from dataclasses import replace

import numpy as np
from manifold3d import Manifold, OpType
from numpy.typing import NDArray

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grids import CUBES
from kumitate.model.shape import Shape
from kumitate.output.solid.clean import clean
from kumitate.output.solid.mesh import Mesh
from kumitate.output.solid.print_options import PrintOptions, unit_for
from kumitate.output.solid.solid import checked_unit, raw_solid

Array = NDArray[np.float64]

PEG = 0.4  # of a cell: how wide pegs are,
HIGH = 0.3  # and how high
TIGHT = 0.015  # mm between a peg and its socket, as puzzlecad's snap joints have


def split(shape: Shape, options: PrintOptions) -> list[Mesh]:
    """The piece in parts that print without support, each as it lies on the bed.

    >>> [mesh.name for mesh in split(Shape.from_text(CUBES, "##/#.", name="V"), PrintOptions())]
    ['V']
    >>> bridge = Shape.from_text(CUBES, "#.# ### #.#", name="H")
    >>> [mesh.name for mesh in split(bridge, PrintOptions())]
    ['H']
    """
    if shape.grid != CUBES:
        raise PuzzleError(
            f"only pieces of cubes can be split, not those of the grid {shape.grid.name!r}"
        )
    if options.wall is not None:
        raise PuzzleError("a hollow piece cannot be split; leave out the wall or the split")
    lying, parts = min(
        ((way, parts_of(way)) for way in shape.orientations()),
        key=lambda found: (len(found[1]), found[0].size[2]),
    )
    options = options if options.unit is not None else replace(options, unit=unit_for([shape]))
    unit = checked_unit(lying, options)
    whole = raw_solid(lying, options, unit)
    if len(parts) == 1:
        return [replace(clean(whole), name=shape.name)]
    made = []
    for number, part in enumerate(parts, 1):
        cut = whole ^ Manifold.batch_boolean(
            [_cell(cell, unit) for cell in sorted(part)], OpType.Add
        )
        for cell in sorted(part):
            x, y, z, tile = cell
            if _other(parts, part, (x, y, z + 1, tile)):
                cut += _peg(cell, unit, 0.0)
            if _other(parts, part, (x, y, z - 1, tile)):
                cut -= _peg((x, y, z - 1, tile), unit, TIGHT)
        made.append(replace(clean(cut), name=f"{shape.name} {number}/{len(parts)}"))
    return made


def parts_of(shape: Shape) -> list[frozenset[Cell]]:
    """The cells of the parts that a piece is cut into, as it lies, from below.

    >>> bridge = Shape.from_text(CUBES, "##. .#. .##")
    >>> [len(part) for part in parts_of(bridge)]
    [3, 2]
    """
    parts: list[set[Cell]] = []
    for z in sorted({cell[2] for cell in shape.cells}):
        layer = shape.restricted(cell for cell in shape.cells if cell[2] == z)
        for component in layer.components:
            below = {(x, y, z - 1, tile) for x, y, _, tile in component.cells}
            under = next((part for part in parts if below <= part), None)
            if under is None:
                parts.append(set(component.cells))
            else:
                under |= component.cells
    return list(map(frozenset, parts))


def _other(parts: list[frozenset[Cell]], mine: frozenset[Cell], cell: Cell) -> bool:
    return cell not in mine and any(cell in part for part in parts)


def _cell(cell: Cell, unit: Array) -> Manifold:
    return Manifold.cube(unit).translate(np.array(cell[:3]) * unit)


def _peg(below: Cell, unit: Array, wider: float) -> Manifold:
    """What stands on a cell: a peg, or a little wider and higher the room for it."""
    side, high = PEG * float(min(unit[:2])) + 2 * wider, HIGH * float(unit[2]) + wider
    x, y, z = (np.array(below[:3]) + (0.5, 0.5, 1.0)) * unit
    sunk = 0.1 * float(unit[2])  # so that the peg and what it stands on are one
    return Manifold.cube((side, side, high + sunk)).translate(
        (x - side / 2, y - side / 2, z - sunk)
    )
