"""Puzzles whose pieces turn, taken apart: a bar in a room, a key in a well, a square by a wall."""

from fractions import Fraction

from kumitate.model.geometry import ZERO, Cell
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Piece, Placement, Problem
from kumitate.model.rotation import Rotation
from kumitate.model.route import Pose
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Move, Solution

AWAY = Move([1], (0, 0, 1), None)


def assembly_of(*parts: set[Cell]) -> Assembly:
    """Pieces A, B, ... where they are."""
    shapes = [Shape(CUBES, part, name=chr(65 + n)) for n, part in enumerate(parts)]
    problem = Problem(Shape(CUBES, set().union(*parts)), [Piece(shape) for shape in shapes])
    return Assembly(problem, [Placement(n, 0, ZERO) for n in range(len(shapes))])


def box(x: int, y: int, z: int, empty: set[Cell]) -> set[Cell]:
    return {(a, b, c, 0) for a in range(x) for b in range(y) for c in range(z)} - empty


def room() -> Solution:
    """A bar of three cells across a room of 4 x 4, in whose lid is a slot along it."""
    inside: set[Cell] = {(x, y, 1, 0) for x in (1, 2, 3, 4) for y in (1, 2, 3, 4)}
    slot: set[Cell] = {(2, y, 2, 0) for y in (1, 2, 3)}
    bar: set[Cell] = {(x, 1, 1, 0) for x in (1, 2, 3)}
    slide, turn = Move([1], (0, 1, 0), 2), Rotation([1], 2, -1, (4, 6, 0))
    return Solution(assembly_of(box(6, 6, 3, inside | slot), bar), Disassembly([slide, turn, AWAY]))


def key() -> Solution:
    """A key whose shaft stands in a well of two by two cells, its tooth under a bridge."""
    empty: set[Cell] = {(x, y, z, 0) for z in (1, 2) for x in (2, 3) for y in (2, 3)}
    empty |= {(x, y, z, 0) for z in (3, 4) for x in range(6) for y in range(6)}
    empty -= {(4, y, 4, 0) for y in range(6)} | {(4, y, 3, 0) for y in (0, 5)}
    tooth: set[Cell] = {(2, 2, 1, 0), (2, 2, 2, 0), (2, 2, 3, 0), (3, 2, 3, 0), (4, 2, 3, 0)}
    slide, turn = Move([1], (1, 0, 0), 1), Rotation([1], 2, 1, (6, 4, 0))
    return Solution(assembly_of(box(6, 6, 5, empty), tooth), Disassembly([slide, turn, AWAY]))


def square() -> Solution:
    """A square beside a wall that is lifted as it turns, and then leaves."""
    none, half, one = Fraction(0), Fraction(1, 2), Fraction(1)
    wall: set[Cell] = {(x, -1, 0, 0) for x in range(-2, 3)}
    route = [Pose(half, half, none), Pose(half, one, half), Pose(half, half, one)]
    turn = Rotation([1], 2, 1, (1, 1, 0), route=route)
    return Solution(assembly_of(wall, {(0, 0, 0, 0)}), Disassembly([turn, AWAY]))
