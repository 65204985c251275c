"""What the studio's page and its server say to each other, all of it.

The classes below are the wire: msgspec reads and validates by them, and web/src/messages.ts is
written from them (`make messages`), so both sides use the same names. The page holds a puzzle as
data and changes it there; whatever takes knowledge of puzzles (turns, checks, solving, drawing) it
asks for. Shapes have ids that stay when the list is sorted, so nothing is ever renumbered.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from kumitate.files.document import FARTHEST, MOST_CELLS
from kumitate.model.numbers import MOST_THREADS
from kumitate.model.puzzle import MOST_COPIES
from kumitate.model.shape import MOST_COLOURS

MOST_LETTERS = 10_000  # of a name
MOST_TABLE = 100_000  # letters of a grid's table
MOST = 2**53 - 1  # the largest number that a page holds exactly

Coordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]
Number = Annotated[int, Meta(ge=0, le=MOST_COPIES)]
Count = Annotated[int, Meta(ge=0, le=MOST)]
Flag = Annotated[int, Meta(ge=0, le=1)]
Colour = Annotated[int, Meta(ge=0, le=MOST_COLOURS)]
Name = Annotated[str, Meta(max_length=MOST_LETTERS)]
GridKey = Annotated[str, Meta(max_length=MOST_TABLE)]  # a name, or the table of another grid
Point = tuple[float, float, float]
Vector = tuple[Coordinate, Coordinate, Coordinate]
Cell = tuple[Coordinate, Coordinate, Coordinate, Number]  # x, y, z, tile
CellRow = tuple[Coordinate, Coordinate, Coordinate, Number, Flag, Colour]  # ..., optional, colour
Axis = Literal["x", "y", "z"]
Kind = Literal["packing", "burr", "interlocking", "balls", "flat"]


class Message(Struct, forbid_unknown_fields=True):
    """Whatever goes over the wire."""


# ---- a puzzle ----


class ShapeData(Message):
    """A shape; pieces and goals name it by its id."""

    id: Number
    name: Name = ""
    cells: Annotated[list[CellRow], Meta(max_length=MOST_CELLS)] = []
    weight: Annotated[int, Meta(ge=-(2**31), le=2**31)] = 1


class GroupData(Message):
    """How many copies of a piece may belong to a group."""

    group: Number
    copies: Number


class PieceData(Message):
    """A shape that a problem uses, and how often."""

    shape: Number  # id
    min: Number = 1
    max: Number = 1
    groups: list[GroupData] = []


class PlacementData(Message):
    """A piece (which of the problem's, counted from 0) turned and shifted into the goal."""

    piece: Number
    turn: Number
    shift: Vector


class ProblemData(Message):
    """Fill the goal with the pieces; `allowed` pairs a piece's colour with a goal's."""

    name: Name = ""
    goal: Number | None = None  # id of a shape
    pieces: list[PieceData] = []
    allowed: list[tuple[Colour, Colour]] = []
    max_holes: Number | None = None
    pinned: list[PlacementData] = []
    forbidden: list[PlacementData] = []


class PuzzleData(Message):
    """A whole puzzle, as the page edits it."""

    grid: GridKey
    title: Name = ""
    designer: Name = ""
    comment: str = ""
    popup: bool = False
    colours: Annotated[list[str], Meta(max_length=MOST_COLOURS)] = []  # "#c82828"
    shapes: list[ShapeData] = []
    problems: list[ProblemData] = []


# ---- a grid, as far as drawing needs it ----


class SideData(Message):
    """A face of a tile: its corners in order, and the cell beyond, seen from the tile's own.

    A ball has a side for each ball that touches it, with no corners.
    """

    normal: Point
    ring: list[int]  # of the tile's corners, counterclockwise from outside
    beyond: Cell


class TileData(Message):
    """A tile in space, seen from its lattice point.

    `section` is where the plane at `height` cuts it (x, y in space, counterclockwise), for drawing
    layer by layer; of a ball it is empty.
    """

    corners: list[Point]  # of a ball: its centre
    sides: list[SideData]
    centre: Point
    height: float
    section: list[tuple[float, float]]
    spot: Vector  # column, row, layer in text, seen from the lattice point's


class WayData(Message):
    """A lattice vector by which a shape can be shifted, and what to call it."""

    name: str  # "+x"
    shift: Vector


class TurnData(Message):
    """A turn about an axis of space, as far as the grid allows."""

    axis: Axis
    degrees: int


class GridData(Message):
    """A grid as the page draws it: a cell's place is its lattice point in the basis, and a tile."""

    key: GridKey
    name: str
    basis: tuple[Point, Point, Point]
    tiles: list[TileData]
    radius: float  # of a ball; 0 for other tiles
    page: tuple[Vector, Vector, Vector]  # from lattice points to columns, rows, layers of text
    turns: list[TurnData]
    mirrors: list[Axis]
    shifts: list[WayData]
    steps: int  # directions in which pieces slide, for a fact line


# ---- home and files ----


class Card(Message):
    """A puzzle in the gallery. Its place is library/NAME or folder/PATH."""

    place: str
    title: str
    designer: str = ""
    grid: str = ""  # its name
    kind: Kind = "packing"
    pieces: int = 0
    problems: int = 0
    known: str = ""  # what is known of its answers: "240 assemblies", "1 assembly, level 98.2"
    modified: float | None = None  # seconds since 1970
    picture: str = ""  # address of its picture below api/, which changes with the content
    error: str = ""  # why it cannot be opened


class HomeData(Message):
    """The gallery."""

    library: list[Card]
    folder: list[Card]
    folder_name: str
    grids: list[GridData]  # those a new puzzle can have, the usual five first
    more: int = 0  # files in the folder that are not listed


class Opened(Message):
    """A puzzle as it was found, or read from a file that was dropped on the page."""

    place: str  # "" if it lies nowhere yet
    version: str  # of the file, to be given back when saving
    puzzle: PuzzleData
    grid: GridData
    writable: bool  # false: saving asks for a new name
    warnings: list[str] = []


class NewRequest(Message):
    """A new puzzle on a grid."""

    grid: GridKey


class SaveRequest(Message):
    """Save a puzzle; the version is the one it had when it was opened or last saved.

    With an empty version the file must not exist yet.
    """

    place: str
    version: str
    puzzle: PuzzleData


class Saved(Message):
    """Where a puzzle lies now, in which version, and what its format could not keep."""

    place: str
    version: str
    warnings: list[str] = []


class ErrorData(Message):
    """Why a request was refused: what, where, and the way out."""

    message: str
    reason: Literal["question", "conflict", "missing", "forbidden", "large", "ours"] = "question"


# ---- shapes ----


class ChangeRequest(Message):
    """A shape changed as a whole; it stays about where it was."""

    grid: GridKey
    shape: ShapeData
    how: Literal["turn", "mirror", "scale", "shrink", "origin"]
    axis: Axis = "z"
    back: bool = False  # a turn the other way
    by: Annotated[int, Meta(ge=1, le=10)] = 2  # of a scale


class TextRequest(Message):
    """A shape drawn as text, layers side by side, or burr sticks by von Känel's numbers."""

    grid: GridKey
    text: Annotated[str, Meta(max_length=1_000_000)]
    name: Name = ""


class ShapesData(Message):
    """Some shapes, with ids from 0; the page gives them its own."""

    shapes: list[ShapeData]
    warnings: list[str] = []


class ShapeRequest(Message):
    """A question about one shape."""

    grid: GridKey
    shape: ShapeData
    colour: str = ""  # what to draw it in
    colours: Annotated[list[str], Meta(max_length=MOST_COLOURS)] = []  # of its coloured cells


class FactsData(Message):
    """What there is to say of a shape, in words, and the shape as text."""

    sentences: list[str]
    text: str
    size: Vector


# ---- problems ----


class ProblemRequest(Message):
    """A question about a problem of a puzzle, counted from 0."""

    puzzle: PuzzleData
    problem: Number = 0


class FixData(Message):
    """A way out: what to call it, and the puzzle as it would be."""

    name: str
    puzzle: PuzzleData


class FindingData(Message):
    """One sentence about a problem; a fault rules out every assembly."""

    fault: bool
    text: str
    fixes: list[FixData] = []


class CheckData(Message):
    """All there is to say about a problem, faults first, and one line that sums it up."""

    findings: list[FindingData]
    line: str


class PlacementsRequest(Message):
    """Where a piece can lie in the goal so that it covers a cell.

    Without a cell: where the problem pins and forbids the piece.
    """

    puzzle: PuzzleData
    problem: Number
    piece: Number
    cell: Cell | None = None


class PlacedData(Message):
    """A placement and the cells it covers."""

    placement: PlacementData
    cells: list[CellRow]


class PlacementsData(Message):
    """Placements that can be pinned or forbidden."""

    placements: list[PlacedData]


# ---- solving ----

RunState = Literal["starting", "running", "paused", "limit", "done", "failed"]
ResultOrder = Literal["found", "level", "moves", "pieces"]


class SolveOptions(Message):
    """How a problem is solved; the words are those of `kumitate.solve_into`."""

    disassemble: bool = True
    mirrors: bool = False
    rotations: bool = False
    thorough: bool = False
    distinct_copies: bool = False
    fine: bool = False
    coordinate: bool = False
    keep: str = "all"
    limit: Annotated[int, Meta(ge=1, le=MOST)] | None = None
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] = 1


class SolveRequest(Message):
    """Solve a problem, counted from 0; the same question again goes on with its run."""

    puzzle: PuzzleData
    problem: Number = 0
    options: SolveOptions = field(default_factory=SolveOptions)


class RunData(Message):
    """How far a run is; sent whenever that changes."""

    id: str
    title: str
    problem: int
    state: RunState
    options: SolveOptions
    assemblies: int = 0
    solutions: int | None = None  # None if nothing is taken apart
    kept: int = 0
    rigid: int = 0
    stuck: int = 0
    given_up: int = 0
    fraction: float = 0.0
    seconds: float = 0.0
    seconds_left: float | None = None
    levels: dict[str, int] = {}
    message: str = ""  # why it failed, or why there can be no assembly


class RunsData(Message):
    """Runs, the latest first."""

    runs: list[RunData]


class PageRequest(Message):
    """Some rows of a run's solutions, from the first-th (counted from 0) that pass the filter."""

    first: Count = 0
    count: Annotated[int, Meta(ge=0, le=1000)] = 100
    order: ResultOrder = "found"
    min_level: Count | None = None
    max_level: Count | None = None
    min_moves: Count | None = None
    max_moves: Count | None = None
    uses: list[Number] = []  # pieces that must be there,
    lacks: list[Number] = []  # and that must not


class RowData(Message):
    """A solution in the list; its number is by which it can be asked for."""

    number: int
    levels: str  # "" if it was not taken apart
    moves: int | None
    pieces: list[int]  # how many copies of each piece of the problem


class PageData(Message):
    """Some rows, and how many pass the filter in all."""

    total: int
    rows: list[RowData]


class BarData(Message):
    """A bar of a histogram."""

    value: int
    count: int


class PositionsData(Message):
    """How many solutions have a piece on each cell of the goal."""

    piece: int
    name: str
    colour: str
    cells: list[tuple[int, int, int, int, int]]  # x, y, z, tile, solutions
    placements: list[int]  # solutions for each of its placements that occur, most first


class StatisticsData(Message):
    """What the solutions of a run have in common."""

    counted: int  # solutions looked at
    total: int  # solutions kept
    levels: list[BarData]
    moves: list[BarData]
    positions: list[PositionsData]


# ---- watching ----


class BodyData(Message):
    """What moves as one, as triangles in space, or as balls joined by necks."""

    name: str
    piece: int  # which of the problem's
    colour: str
    weight: int
    positions: list[float]  # x, y, z of each point
    triangles: list[int]  # three points each
    edges: list[float]  # two points each, six numbers
    balls: list[Point]
    radius: float
    necks: list[tuple[int, int]]  # of balls that touch


class PoseData(Message):
    """A moment: where each body is, seen from where it lay at first, and whether it is there."""

    shifts: list[Point]
    shown: list[bool]
    words: str
    kind: Literal["start", "part", "move", "away"]
    level: str = ""  # of the separation that begins here


class SolutionData(Message):
    """A solution, ready to be watched; from one pose to the next bodies slide on straight lines."""

    number: int
    levels: str
    moves: int | None
    bodies: list[BodyData]
    poses: list[PoseData]
    text: str  # the assembly as text


class ExportRequest(Message):
    """A file to take along: of a puzzle, or of a solution of a run."""

    puzzle: PuzzleData
    problem: Number = 0
    to: str = ".3mf"  # a suffix that `kumitate export` or `kumitate convert` knows
    show: str = ""  # which view; "" for the usual one of the suffix
    run: str = ""
    number: Count = 0  # of a solution of that run
    unit: float | None = None  # millimetres
    bevel: float | None = None
    inset: float | None = None
