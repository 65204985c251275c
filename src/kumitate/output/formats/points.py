"""An assembly as a table of points, and as layers of numbers.

Both are written as the block-puzzle solver by F. Mößbauer writes them (write_csv_point_cloud and
write_cube_slices in its block-puzzle.cpp), so what reads its files reads these. Pieces are
numbered from 1 in the order of the placements; 0 is a cell of the box that none of them covers.
Below the last layer the numbers are explained.
"""

from collections.abc import Iterator
from math import prod

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ZERO, Vector, subtract
from kumitate.model.grids import CUBES
from kumitate.model.shape import MOST_DRAWN, Shape
from kumitate.model.solution import Assembly
from kumitate.model.text import wrap_pairs
from kumitate.output.scene import corners_of


def points_csv(assembly: Assembly) -> str:
    """A row x,y,z,v for each cell of the box that holds the goal, x fastest; v is the piece.

    On other grids than cubes only covered cells have a row, with the middle of the cell in space.

    >>> print(points_csv(Assembly.from_text(CUBES, "AB/A.")), end="")
    x,y,z,v
    0,0,0,1
    1,0,0,2
    0,1,0,1
    1,1,0,0
    """
    rows = ["x,y,z,v"]
    if assembly.problem.grid == CUBES:
        numbers, size = _numbers(assembly)
        rows += [f"{x},{y},{z},{numbers.get((x, y, z), 0)}" for x, y, z in _spots(size)]
    else:
        for number, shape in enumerate(assembly.shapes, 1):
            rows += [",".join(map(_short, middle)) + f",{number}" for middle in _middles(shape)]
    return "\n".join(rows) + "\n"


def layers_text(assembly: Assembly) -> str:
    """The layers one below the other, each a table of numbers, and the pieces by their numbers.

    A place of the page where the grid has no cell stays blank.

    >>> layers_text(Assembly.from_text(CUBES, "AB/A.")).splitlines()
    ['===== Layer 1', ' 1  2 ', ' 1  0 ', '=====', '1 = A, 2 = B']
    """
    numbers, (columns, rows, layers) = _numbers(assembly)
    grid, corner = assembly.problem.grid, _corner(assembly)
    wide = max(2, len(str(len(assembly.placements))))
    rule = "=" * (columns * (wide + 1) - 1)
    lines = []
    for z in range(layers):
        lines.append(f"{rule} Layer {z + 1}")
        for y in range(rows):
            line = ""
            for x in range(columns):
                spot = (corner[0] + x, corner[1] + y, corner[2] + z)
                seen = str(numbers.get((x, y, z), 0)) if grid.cell_at(spot) else ""
                line += seen.rjust(wide) + " "
            lines.append(line)
    pairs = ", ".join(f"{n + 1} = {assembly.label(n)}" for n in range(len(assembly.placements)))
    return "\n".join([*lines, rule, *wrap_pairs(pairs)]) + "\n"


def _numbers(assembly: Assembly) -> tuple[dict[Vector, int], Vector]:
    """The piece at each covered spot, seen from the corner of the box, and the size of the box."""
    grid, corner = assembly.problem.grid, _corner(assembly)
    numbers = {
        subtract(grid.spot(cell), corner): number
        for number, shape in enumerate(assembly.shapes, 1)
        for cell in shape.cells
    }
    size = _whole(assembly).size
    if prod(size) > MOST_DRAWN:
        raise PuzzleError(
            f"the assembly spans {prod(size):,} places; at most {MOST_DRAWN:,} are listed"
        )
    return numbers, size


def _corner(assembly: Assembly) -> Vector:
    spots = [assembly.problem.grid.spot(cell) for cell in _whole(assembly).cells] or [ZERO]
    column, row, layer = (min(axis) for axis in zip(*spots, strict=True))
    return (column, row, layer)


def _whole(assembly: Assembly) -> Shape:
    """The goal; or the pieces, where they reach beyond it."""
    cells = set(assembly.problem.goal.cells).union(*(shape.cells for shape in assembly.shapes))
    return Shape(assembly.problem.grid, cells)


def _spots(size: Vector) -> Iterator[Vector]:
    columns, rows, layers = size
    yield from ((x, y, z) for z in range(layers) for y in range(rows) for x in range(columns))


def _middles(shape: Shape) -> Iterator[tuple[float, float, float]]:
    for cell in sorted(shape.cells):
        corners = corners_of(shape.grid, cell)
        x, y, z = (sum(axis) / len(corners) for axis in zip(*corners, strict=True))
        yield (x, y, z)


def _short(number: float) -> str:
    """To six places, without zeros at the end."""
    return f"{round(number, 6) + 0.0:.6f}".rstrip("0").rstrip(".")
