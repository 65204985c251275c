"""The five grids of the mechanical puzzles, and three more, as tables.

Corners are lattice coordinates times the grid's denominator. The origin is a point of full
symmetry, so every turn is a bare matrix. The pages are those of BurrTools' files: a cell's
column, row and layer there are its x, y and z. Grid.check proves each of them.
"""

from itertools import permutations, product

from kumitate.model.as_code import as_code
from kumitate.model.geometry import (
    ONE,
    Matrix,
    Tile,
    Vector,
    adjugate,
    apply,
    determinant,
    modulo_lattice,
    multiply,
    transpose,
    triples,
)
from kumitate.model.grid import BasisVector, Grid

QUARTER_X: Matrix = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
QUARTER_Z: Matrix = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
MIRROR_X: Matrix = ((-1, 0, 0), (0, 1, 0), (0, 0, 1))
SIXTH_Z: Matrix = ((0, -1, 0), (1, 1, 0), (0, 0, 1))  # in the basis a, b at 60 degrees
HALF_A: Matrix = ((1, 1, 0), (0, -1, 0), (0, 0, -1))
MIRROR_Z: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, -1))

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
FACE_DIAGONALS = ((1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1))
SPACE_DIAGONALS = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))

FCC: Matrix = ((0, 1, 1), (1, 0, 1), (1, 1, 0))  # columns: the basis, every other corner of a cube
BCC: Matrix = ((-1, 1, 1), (1, -1, 1), (1, 1, -1))  # columns: half the space diagonals of a 2-cube
TRIANGULAR = ((1.0, 0.0, 0.0), (0.5, 3**0.5 / 2, 0.0), (0.0, 0.0, 1.0))


def _basis(columns: Matrix, unit: float = 1.0) -> tuple[BasisVector, BasisVector, BasisVector]:
    a, b, c = ((unit * x, unit * y, unit * z) for x, y, z in transpose(columns))
    return (a, b, c)


def _within(columns: Matrix, v: Vector, scale: int = 1) -> Vector:
    """A cartesian vector in the lattice of these basis columns, times scale."""
    divisor = determinant(columns)
    x, y, z = (scale * c for c in apply(adjugate(columns), v))
    assert x % divisor == y % divisor == z % divisor == 0
    return (x // divisor, y // divisor, z // divisor)


def _map_within(columns: Matrix, turn: Matrix) -> Matrix:
    """A cartesian turn as a map of lattice coordinates."""
    a, b, c = (_within(columns, v) for v in transpose(multiply(turn, columns)))
    return transpose((a, b, c))


def _digits(text: str) -> Vector:
    x, y, z = map(int, text)
    return (x, y, z)


CUBES = Grid(
    name="cubes",
    basis=_basis(ONE),
    tiles=(tuple(triples((0, 1))),),
    generators=(QUARTER_X, QUARTER_Z),
    mirror=MIRROR_X,
    step_order=AXES,
    page=ONE,
)

PRISMS = Grid(
    name="prisms",
    basis=TRIANGULAR,
    tiles=(
        ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)),
        ((1, 1, 0), (1, 0, 0), (0, 1, 0), (1, 1, 1), (1, 0, 1), (0, 1, 1)),
    ),
    generators=(SIXTH_Z, HALF_A),
    mirror=MIRROR_Z,
    step_order=((0, 0, 1), (1, 0, 0), (0, 1, 0), (-1, 1, 0)),
    page=((2, 1, 0), (0, 1, 0), (0, 0, 1)),
    spots=((0, 0, 0), (1, 0, 0)),
)

# The half turn about a space diagonal keeps the hexagonal layers across it but not the lattice.
_HALF_111: Matrix = ((-1, 2, 2), (2, -1, 2), (2, 2, -1))  # times 3

SPHERES = Grid(
    name="spheres",
    basis=_basis(FCC),
    tiles=(((0, 0, 0),),),
    generators=(_map_within(FCC, QUARTER_X), _map_within(FCC, QUARTER_Z)),
    mirror=_map_within(FCC, MIRROR_X),
    gram=((2, 1, 1), (1, 2, 1), (1, 1, 2)),
    diameter2=2,
    extra_turn=_map_within(FCC, _HALF_111),
    extra_divisor=3,
    step_order=tuple(_within(FCC, v, 2) for v in AXES + SPACE_DIAGONALS),
    page=FCC,
)

# A cube cut in 24: spot on the page, then the centre of the cube, the centre of a face and the
# two ends of an edge of that face.
_RHOMBIC = """
    012: 111 011 000 002   021: 111 011 000 020   023: 111 011 002 022   032: 111 011 020 022
    102: 111 101 000 002   120: 111 110 000 020   124: 111 112 002 022   142: 111 121 020 022
    201: 111 101 000 200   203: 111 101 002 202   210: 111 110 000 200   214: 111 112 002 202
    230: 111 110 020 220   234: 111 112 022 222   241: 111 121 020 220   243: 111 121 022 222
    302: 111 101 200 202   320: 111 110 200 220   324: 111 112 202 222   342: 111 121 220 222
    412: 111 211 200 202   421: 111 211 200 220   423: 111 211 202 222   432: 111 211 220 222
"""

# Two neighbouring cubes, an even one and the odd one beside it, each cut in a tetrahedron and four
# eighths of octahedra: spot on the page, then the corners, here in cartesian coordinates.
_TETRA_OCTA = """
    111: 000 110 101 011   200: 100 000 110 101   020: 010 000 110 011   002: 001 000 101 011
    222: 111 110 101 011
    411: 200 110 101 211   300: 100 200 110 101   520: 210 200 110 211   502: 201 200 101 211
    322: 111 110 101 211
"""


def _table(text: str) -> list[tuple[Vector, Tile]]:
    words = text.replace(":", "").split()
    return [
        (_digits(words[i]), tuple(map(_digits, words[i + 1 : i + 5])))
        for i in range(0, len(words), 5)
    ]


RHOMBS = Grid(
    name="rhombic",
    basis=_basis(ONE),
    denominator=2,
    tiles=tuple(corners for _, corners in _table(_RHOMBIC)),
    generators=(QUARTER_X, QUARTER_Z),
    mirror=MIRROR_X,
    step_order=AXES + FACE_DIAGONALS + SPACE_DIAGONALS,
    page=((5, 0, 0), (0, 5, 0), (0, 0, 5)),
    spots=tuple(spot for spot, _ in _table(_RHOMBIC)),
)

TETROCTS = Grid(
    name="tetra-octa",
    basis=_basis(FCC),
    denominator=2,
    tiles=tuple(
        tuple(_within(FCC, corner, 2) for corner in corners) for _, corners in _table(_TETRA_OCTA)
    ),
    generators=(_map_within(FCC, QUARTER_X), _map_within(FCC, QUARTER_Z)),
    mirror=_map_within(FCC, MIRROR_X),
    step_order=(
        *(_within(FCC, v, 2) for v in AXES),
        *(_within(FCC, v) for v in FACE_DIAGONALS),
    ),
    page=((0, 3, 3), (3, 0, 3), (3, 3, 0)),
    spots=tuple(spot for spot, _ in _table(_TETRA_OCTA)),
)

HEXAGONS = Grid(
    name="hexagons",
    basis=TRIANGULAR,
    denominator=3,
    tiles=(
        tuple(
            (x, y, z)
            for z in (0, 3)
            for x, y in ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))
        ),
    ),
    generators=(SIXTH_Z, HALF_A),
    mirror=MIRROR_Z,
    page=((2, 1, 0), (0, 1, 0), (0, 0, 1)),
)

# Truncated octahedra about the points of the bcc lattice; corners (0, +-1/2, +-1) and permutations.
KELVIN = Grid(
    name="truncated octahedra",
    basis=_basis(BCC),
    denominator=4,
    tiles=(
        tuple(
            sorted(
                _within(BCC, (x, y, z), 2)
                for half, one in product((1, -1), (2, -2))
                for x, y, z in permutations((0, half, one))
            )
        ),
    ),
    generators=(_map_within(BCC, QUARTER_X), _map_within(BCC, QUARTER_Z)),
    mirror=_map_within(BCC, MIRROR_X),
    step_order=(  # as they would be derived, but that takes a while
        *((0, 1, -1), (0, 1, 1), (1, -1, 0), (1, 0, -1), (1, 0, 1)),
        *((1, 1, 0), (1, 1, 2), (1, 2, 1), (2, 1, 1)),
    ),
    page=BCC,
)


def _orthoschemes() -> list[tuple[Vector, Tile]]:
    """The 24 tiles at a bcc point, with their spots: each rhombic tile cut in two at the middle of
    its longest edge. Corners in a cube of edge 2: centre, face centre, edge centre, corner."""
    found: dict[frozenset[Vector], tuple[Vector, Tile]] = {}
    for axes in permutations(range(3)):
        for signs in triples((1, -1)):
            point, path = [1, 1, 1], [(1, 1, 1)]
            for axis in axes:
                point[axis] += signs[axis]
                path.append((point[0], point[1], point[2]))
            tile = tuple(_within(BCC, corner, 2) for corner in path)
            column, row, layer = (3 * sum(c) // 4 for c in zip(*path, strict=True))
            found.setdefault(modulo_lattice(tile, 2)[0], ((column, row, layer), tile))
    return list(found.values())


# Rhombic pieces drawn in two phases of the cubic lattice never fit each other although the solids
# do; on these finer tiles, whose lattice is bcc, the two phases are one.
_CUT = _orthoschemes()
ORTHOSCHEMES = Grid(
    name="orthoschemes",
    basis=_basis(BCC, 0.5),
    denominator=2,
    tiles=tuple(tile for _, tile in _CUT),
    generators=(_map_within(BCC, QUARTER_X), _map_within(BCC, QUARTER_Z)),
    mirror=_map_within(BCC, MIRROR_X),
    page=((-3, 3, 3), (3, -3, 3), (3, 3, -3)),
    spots=tuple(spot for spot, _ in _CUT),
)

GRIDS = {
    grid.name: grid
    for grid in (
        CUBES,
        PRISMS,
        SPHERES,
        RHOMBS,
        TETROCTS,
        HEXAGONS,
        KELVIN,
        ORTHOSCHEMES,
    )
}


def code(grid: Grid) -> str:
    """The Python that names a grid: a constant of this module, or the whole table.

    >>> code(CUBES)
    'CUBES'
    """
    constants = (name for name, value in globals().items() if value is grid)
    return next(constants, as_code(grid))
