"""Our own format, .kumitate.json, as classes: msgspec reads and validates by them.

The JSON Schema is generated from them, and docs/format.md explains each field. json.py translates
between them and the values of the model.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from kumitate.files.document import FARTHEST, MOST_POSES
from kumitate.model.geometry import ZERO

VERSION = 1

Coordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=0, le=FARTHEST)]
Positive = Annotated[int, Meta(ge=1, le=FARTHEST)]
Colour = Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")]
Reference = str | Number  # the name of a shape, or its number counted from 0
Triple = tuple[Coordinate, Coordinate, Coordinate]
Square = tuple[Triple, Triple, Triple]
Far = Annotated[int, Meta(ge=-4 * FARTHEST, le=4 * FARTHEST)]
Corner = tuple[Far, Far, Far]  # a lattice may be slanted against its page
CellRow = tuple[Coordinate, Coordinate, Coordinate, Number]
PlacementRow = tuple[Number, Number, Coordinate, Coordinate, Coordinate]  # piece, turn, x, y, z
MOST_PARTS = 1000  # units in a step
MoveRow = tuple[tuple[Number, ...], Triple, Count | None]  # placements, step, units
Rational = Annotated[str, Meta(max_length=64)]  # such as -3/2
# x, y, turn; and for an arc, about which point it leads there
PoseRow = Annotated[tuple[Rational, ...], Meta(min_length=3, max_length=5)]
Floats = tuple[float, float, float]
# Not tuple[Count, Count]: in a union with a bounded int that corrupts memory in msgspec 0.22.
Range = Annotated[tuple[Count, ...], Meta(min_length=2, max_length=2)]


class _File(Struct, forbid_unknown_fields=True, omit_defaults=True):
    pass


class GridTable(_File):
    """A grid that is not built in, as its whole table."""

    name: str
    basis: tuple[Floats, Floats, Floats]
    tiles: tuple[tuple[Triple, ...], ...]
    generators: tuple[Square, ...]
    mirror: Square
    denominator: Positive = 1
    gram: Square | None = None
    diameter2: Number = 0
    extra_turn: Square | None = None
    extra_divisor: Positive = 1
    step_order: tuple[Triple, ...] = ()
    page: Square | None = None
    spots: tuple[Triple, ...] = ()


class ShapeEntry(_File):
    """A set of cells, drawn (`drawing`, `at`) or, if nearly all were dots, listed (`cells`)."""

    name: str = ""
    drawing: tuple[str, ...] = ()
    at: Corner = ZERO
    cells: dict[str, tuple[CellRow, ...]] = {}
    weight: Annotated[int, Meta(ge=-(2**31), le=2**31)] = 1
    colour: Colour | Literal[""] = ""


class PieceEntry(_File):
    """A shape that a problem uses, and how often."""

    shape: Reference
    count: Count | Range = 1
    groups: dict[str, Count] = {}


class TurnEntry(_File):
    """A move that turns pieces; with a route, along it, else about the pivot."""

    pieces: tuple[Number, ...]
    axis: Annotated[int, Meta(ge=0, le=2)]
    quarters: Annotated[int, Meta(ge=-3, le=3)]
    pivot: Triple
    tolerance: Annotated[float, Meta(ge=0, lt=0.5)] = 0
    route: Annotated[tuple[PoseRow, ...], Meta(max_length=MOST_POSES)] = ()


class DisassemblyEntry(_File):
    """A separation: moves, then how what stays and what went come apart."""

    moves: Annotated[tuple[MoveRow | TurnEntry, ...], Meta(min_length=1)]
    left: "DisassemblyEntry | None" = None
    removed: "DisassemblyEntry | None" = None
    parts: Annotated[int, Meta(ge=1, le=MOST_PARTS)] = 1
    steps: tuple[Triple, ...] = ()


class LevelsEntry(_File):
    """The same tree with only the number of moves."""

    moves: Count
    left: "LevelsEntry | None" = None
    removed: "LevelsEntry | None" = None
    turns: Count = 0  # of the moves


class SolutionEntry(_File):
    """An assembly, and how it comes apart if that is known."""

    assembly: tuple[PlacementRow, ...]
    disassembly: DisassemblyEntry | None = None
    levels: LevelsEntry | None = None
    assembly_number: Count = 0
    solution_number: Count = 0


class AnswersEntry(_File):
    """What is known of a problem, and the solutions that were kept."""

    complete: bool = False
    assembly_count: Count | None = None
    solution_count: Count | None = None
    seconds: float | None = None
    solutions: tuple[SolutionEntry, ...] = ()


class ProblemEntry(_File):
    """Fill the goal with the pieces."""

    name: str = ""
    goal: Reference | None = None
    pieces: tuple[PieceEntry, ...] = ()
    allowed: tuple[tuple[Number, Number], ...] = ()
    max_holes: Count | None = None
    pinned: tuple[PlacementRow, ...] = ()
    forbidden: tuple[PlacementRow, ...] = ()
    answers: AnswersEntry | None = None


class PuzzleFile(_File):
    """The whole file."""

    kumitate: int  # VERSION
    title: str = ""
    designer: str = ""
    comment: str = ""
    popup: bool = False
    grid: str | GridTable = "cubes"
    colours: Annotated[tuple[Colour, ...], Meta(max_length=63)] = ()
    shapes: tuple[ShapeEntry, ...] = ()
    problems: tuple[ProblemEntry, ...] = ()


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    return msgspec.json.schema(PuzzleFile)
