"""How pieces are made: the one value that printers' options come down to, and the way to a solid.

Light to import; what makes the solids (solid.py) is loaded when the first one is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kumitate.model.numbers import MOST_MILLIMETRES, given, require_number
from kumitate.model.shape import Shape

if TYPE_CHECKING:
    from kumitate.output.solid.mesh import Mesh

UNITS = ((3, 17.0), (4, 16.0), (5, 14.0))  # mm for pieces up to so many cells, as puzzlecad has it;
SMALL = 11.0  # and for longer ones
SMALLEST, LARGEST = 0.1, 1000  # mm: of a cell


@dataclass(frozen=True)
class PrintOptions:
    """How pieces are made; lengths in millimetres. Clearances are absolute, whatever the unit.

    >>> PrintOptions(unit=15).inset
    0.07
    """

    unit: float | tuple[float, float, float] | None = None  # of a lattice unit; None: by size
    inset: float = 0.07  # taken off every face
    bevel: float = 0.5  # chamfer of convex edges
    bevel_units: bool = False  # chamfer each cell, so that all can be seen
    wall: float | None = None  # hollow, with walls so thick
    drain: float | None = None  # the diameter of a hole into the hollow
    label: bool = False  # engrave the name
    neck: float = 0.5  # how thick necks between balls are, of a ball's diameter

    def __post_init__(self) -> None:
        lengths: dict[str, object] = {"inset": self.inset, "bevel": self.bevel, "neck": self.neck}
        lengths |= given(wall=self.wall, drain=self.drain)
        require_number(-MOST_MILLIMETRES, MOST_MILLIMETRES, **lengths)
        for unit in self.unit if isinstance(self.unit, tuple) else (self.unit,):
            require_number(-LARGEST, LARGEST, **given(unit=unit))


def unit_for(shapes: Sequence[Shape]) -> float:
    """The size of a cell that suits pieces: the longer the longest of them, the smaller.

    >>> from kumitate.model.grids import CUBES
    >>> unit_for([Shape.from_text(CUBES, "###")]), unit_for([Shape.from_text(CUBES, "#" * 6)])
    (17.0, 11.0)
    """
    longest = max((max(shape.size) for shape in shapes), default=1)
    return next((unit for cells, unit in UNITS if longest <= cells), SMALL)


def solid(shape: Shape, options: PrintOptions | None = None) -> "Mesh":
    """The piece as a closed mesh in millimetres, where its cells lie.

    So pieces of an assembly fit together, with gaps of two insets.

    >>> from kumitate.model.grids import CUBES
    >>> bar = Shape.from_text(CUBES, "##", name="bar")
    >>> round(solid(bar, PrintOptions(unit=10, inset=0.5, bevel=0)).volume, 6)
    1539.0
    """
    from kumitate.output.solid.solid import made

    return made(shape, options or PrintOptions())
