"""All messages between the studio's page and its server.

The classes below define the protocol: msgspec reads and validates with them, and
web/src/messages.ts is generated from them (`make messages`), so both sides use the same names. The
page holds a puzzle as data and edits it; for everything that needs knowledge of puzzles (turns,
checks, solving, drawing) it asks the server. Shapes have ids that stay when the list is sorted, so
nothing is ever renumbered. The file is long because it is the whole protocol, and nothing else.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from kumitate.files.document import FARTHEST, MOST_CELLS
from kumitate.model.numbers import MOST_THREADS
from kumitate.model.options import RunOptions
from kumitate.model.puzzle import MOST_COPIES
from kumitate.model.shape import MOST_COLOURS
from kumitate.output.cards import FoundCard

MOST_LETTERS = 10_000  # of a name
MOST_TABLE = 100_000  # characters of a grid's table
MOST_KEPT = 1000  # runs that are saved with a puzzle
MOST = 2**53 - 1  # the largest integer that JavaScript represents exactly

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
    """The base class of all messages."""


@cache
def protocol() -> str:
    """The version of all messages: the page and its server compare theirs."""
    schemas = msgspec.json.schema_components(Message.__subclasses__())
    return sha256(msgspec.json.encode(schemas, order="sorted")).hexdigest()[:12]


class HelloData(Message):
    """The first event of a stream."""

    protocol: str


# ---- a puzzle ----


class ShapeData(Message):
    """A shape; pieces and goals refer to it by its id."""

    id: Number
    name: Name = ""
    cells: Annotated[list[CellRow], Meta(max_length=MOST_CELLS)] = []
    weight: Annotated[int, Meta(ge=-(2**31), le=2**31)] = 1
    colour: Annotated[str, Meta(max_length=7)] = ""  # chosen for it, else the palette's


class GroupData(Message):
    """How many copies of a piece may belong to a group."""

    group: Number
    copies: Number


class PieceData(Message):
    """A shape that a problem uses, and how many copies."""

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


# ---- a grid, as needed for drawing ----


class SideData(Message):
    """A face of a tile: its corners in order, and the cell beyond, relative to the tile's own.

    A ball has a side for each ball that touches it, with no corners.
    """

    normal: Point
    ring: list[int]  # indices of the tile's corners, counterclockwise seen from outside
    beyond: Cell


class TileData(Message):
    """A tile in space, relative to its lattice point.

    `section` is where the plane at `height` cuts it (x, y in space, counterclockwise), for drawing
    layer by layer; for a ball it is empty.
    """

    corners: list[Point]  # for a ball: its centre
    sides: list[SideData]
    centre: Point
    height: float
    section: list[tuple[float, float]]
    spot: Vector  # column, row, layer in text, relative to the lattice point's


class WayData(Message):
    """A lattice vector by which a shape can be shifted, and its name."""

    name: str  # "+x"
    shift: Vector


class TurnData(Message):
    """The smallest turn about an axis of space that the grid allows."""

    axis: Axis
    degrees: int


class GridData(Message):
    """A grid as the page draws it: a cell is a lattice point, in the basis, and a tile."""

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
    known: str = ""  # its known answers: "240 assemblies", "1 assembly, level 98.2"
    collection: bool = False  # the puzzles that a search has found
    modified: float | None = None  # seconds since 1970
    picture: str = ""  # address of its picture under api/, which changes with the content
    error: str = ""  # why it cannot be opened


class HomeData(Message):
    """The gallery."""

    library: list[Card]
    folder: list[Card]
    folder_name: str
    grids: list[GridData]  # those for new puzzles, the usual five first
    more: int = 0  # files in the folder that are not listed


class Opened(Message):
    """A puzzle that was opened, or read from a file that was dropped on the page."""

    place: str  # "" if it has none yet
    version: str  # of the file, to be sent back when saving
    puzzle: PuzzleData
    grid: GridData
    writable: bool  # false: saving asks for a new name
    warnings: list[str] = []
    kept: list[str] = []  # runs with the solutions that the file holds


class CollectionData(Message):
    """Some of the puzzles in a collection, the best first."""

    place: str
    total: int
    cards: list[FoundCard]


class NewRequest(Message):
    """A new puzzle on a grid."""

    grid: GridKey


class RegridRequest(Message):
    """A puzzle drawn again in the cells of another grid."""

    puzzle: PuzzleData
    grid: GridKey


class SaveRequest(Message):
    """Save a puzzle; the version is the one it had when it was opened or last saved.

    With an empty version the file must not exist yet. The solutions of `kept`, which are runs, are
    saved with the problems that they answer, in place of those that the file holds for them.
    """

    place: str
    version: str
    puzzle: PuzzleData
    kept: Annotated[list[str], Meta(max_length=MOST_KEPT)] = []


class Saved(Message):
    """Where a puzzle was saved, its version, and what its format could not keep."""

    place: str
    version: str
    warnings: list[str] = []


class DraftRequest(Message):
    """Keep changes of a puzzle that are not saved, as one tab has made them."""

    place: str  # where the puzzle lies; "" if it has no place yet
    version: str  # of the file that was changed
    writable: bool
    puzzle: PuzzleData
    time: Count  # milliseconds since 1970
    tab: Annotated[str, Meta(max_length=40)]  # whose draft it is,
    before: Annotated[str, Meta(max_length=40)] = ""  # and whose it may be so far


class DraftCard(Message):
    """What is known of a draft in a list."""

    id: str
    place: str
    version: str
    title: str
    grid: str  # its name
    shapes: int
    time: int
    tab: str


class DraftsData(Message):
    """All drafts, the latest first."""

    drafts: list[DraftCard]


class DraftData(Message):
    """A draft: the puzzle with its changes."""

    opened: Opened
    time: int
    tab: str


class ErrorData(Message):
    """Why a request was rejected: what is wrong, where, and the way out."""

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
    by: Annotated[int, Meta(ge=1, le=10)] = 2  # factor of "scale"


class TextRequest(Message):
    """A shape drawn as text, layers side by side, or burr sticks by von Känel's numbers."""

    grid: GridKey
    text: Annotated[str, Meta(max_length=1_000_000)]
    name: Name = ""


class ShapesData(Message):
    """Some shapes, with ids from 0; the page gives them new ids."""

    shapes: list[ShapeData]
    warnings: list[str] = []


class ShapeRequest(Message):
    """A question about one shape."""

    grid: GridKey
    shape: ShapeData
    colour: str = ""  # to draw it in
    colours: Annotated[list[str], Meta(max_length=MOST_COLOURS)] = []  # of its coloured cells


class FactsData(Message):
    """Sentences about a shape, and the shape as text."""

    sentences: list[str]
    text: str
    size: Vector


# ---- problems ----


class ProblemRequest(Message):
    """A question about a problem of a puzzle, counted from 0."""

    puzzle: PuzzleData
    problem: Number = 0


class FixData(Message):
    """A suggested fix: its name, and the puzzle after it."""

    name: str
    puzzle: PuzzleData


class FindingData(Message):
    """One sentence about a problem; a fault rules out every assembly."""

    fault: bool
    text: str
    fixes: list[FixData] = []


class CheckData(Message):
    """All findings about a problem, faults first, and a one-line summary."""

    findings: list[FindingData]
    line: str


class ShortcutsRequest(Message):
    """Ask whether turns open a problem, counted from 0, sooner than slides alone."""

    puzzle: PuzzleData
    problem: Number = 0
    tolerance: Annotated[float, Meta(ge=0, lt=0.5)] = 0.0  # as a part of a cell


class ShortcutsData(Message):
    """The first shortcuts, a sentence each, one sentence on what was tried, and a page to save."""

    shortcuts: list[str]
    line: str
    page: str = ""  # HTML that plays the first of them


class PlacementsRequest(Message):
    """Ask for the placements of a piece that cover a cell of the goal.

    Without a cell: the placements of the piece that the problem pins or forbids.
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

RunState = Literal["starting", "running", "paused", "limit", "done", "failed", "chosen"]
ResultOrder = Literal["found", "level", "moves", "pieces"]


@dataclass(frozen=True, kw_only=True)
class SolveOptions(RunOptions):
    """How to solve a problem; the names are those of `kumitate.solve_into`."""

    limit: Annotated[int, Meta(ge=1, le=MOST)] | None = None
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] = 1


class SolveRequest(Message):
    """Solve a problem, counted from 0; the same request again resumes its run."""

    puzzle: PuzzleData
    problem: Number = 0
    options: SolveOptions = SolveOptions()


class RunData(Message):
    """The progress of a run; sent whenever it changes."""

    id: str
    title: str
    problem: int
    state: RunState
    options: SolveOptions
    assemblies: int = 0
    solutions: int | None = None  # None without `disassemble`
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


class SearchData(Message):
    """A run with the size of its files; its problem is the one in its own puzzle."""

    run: RunData
    size: int  # bytes


class SearchesData(Message):
    """The runs of a folder, the last written first."""

    searches: list[SearchData]
    more: int = 0  # that are not listed
    size: int = 0  # bytes of all of them


class WhereData(Message):
    """Where the puzzle of a run is, and which of its problems was solved, counted from 0."""

    place: str
    problem: int


class HereData(Message):
    """A cell of the goal, and what must cover it: a piece, or one of its shape; or a colour."""

    cell: Cell
    piece: Number | None = None
    colour: Colour | None = None


class FilterData(Message):
    """Which solutions to list, and in which order."""

    order: ResultOrder = "found"
    min_level: Count | None = None
    max_level: Count | None = None
    min_moves: Count | None = None
    max_moves: Count | None = None
    uses: list[Number] = []  # pieces that must be used,
    lacks: list[Number] = []  # and that must not be used
    copies: list[Number] | None = None  # of each piece: exactly this set
    alone: bool = False  # no other solution has the same set of pieces
    here: Annotated[list[HereData], Meta(max_length=100)] = []  # what must lie where


class PageRequest(FilterData):
    """Ask for `count` of the solutions that pass the filter, from index `first` on."""

    first: Count = 0
    count: Annotated[int, Meta(ge=0, le=1000)] = 100
    find: Count = 0  # a solution whose index is asked for, by its number


class ChooseRequest(FilterData):
    """Choose solutions: keep, or delete, some rows of the list from index `first` on.

    "unique" keeps, of all that look alike, the first.
    """

    act: Literal["keep", "delete", "unique"] = "keep"
    first: Count = 0
    count: Count | None = None  # all that follow


class ShapesOfRequest(FilterData):
    """Make each solution that passes the filter a piece of a new puzzle: its pieces, joined."""

    pieces: list[Number] = []  # of the problem, that are joined; [] for all
    connected: bool = False  # keep only connected shapes
    mirrors: bool = False  # count a shape and its mirror image once


class OneRequest(Message):
    """Look for one assembly of a problem, or pack as many pieces, or fill as many cells, as fit."""

    puzzle: PuzzleData
    problem: Number = 0
    what: Literal["first", "pieces", "cells"] = "first"
    seconds: Annotated[float, Meta(gt=0, le=600)] = 10.0


class OneData(Message):
    """What was found, in words: an assembly as a run, or a packing as a puzzle of its own."""

    words: str
    run: RunData | None = None
    packed: Opened | None = None


class RowData(Message):
    """A solution in the list; ask for it by its number."""

    number: int
    levels: str  # "" if it was not taken apart
    moves: int | None
    pieces: list[int]  # how many copies of each piece of the problem


class PageData(Message):
    """Some rows, the total number that pass the filter, and where the one looked for is."""

    total: int
    rows: list[RowData]
    found: int | None = None


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


class SetData(Message):
    """How many solutions use a set of pieces."""

    copies: list[int]  # of each piece of the problem
    count: int


class StatisticsData(Message):
    """What the solutions of a run have in common."""

    counted: int  # solutions examined
    total: int  # solutions kept
    levels: list[BarData]
    moves: list[BarData]
    positions: list[PositionsData]
    sets: list[SetData] = []  # of pieces, the fewest solutions first; not all, if there are many
    set_count: int = 0
    alone: int = 0  # sets with a single solution


# ---- designing ----

DesignWay = Literal["design", "improve", "cuts", "pieces", "burrs"]
DesignState = Literal["starting", "running", "elsewhere", "paused", "limit", "done", "failed"]
WishValue = bool | int | float | list[int | float | str]


class DesignRequest(Message):
    """Look for new puzzles, and keep them in a collection of the folder.

    By goal, from scratch or from the pieces of a problem, or at random: cuts of a goal, choices of
    a problem's pieces, six-piece burrs. The goal is a name, a box or a family, or that of a
    problem, counted from 0.
    """

    way: DesignWay = "design"
    goal: Name = ""
    puzzle: PuzzleData | None = None
    problem: Number = 0
    wish: dict[str, WishValue] = {}  # what `model/wish.py` declares, by name
    seconds: Annotated[float, Meta(gt=0, le=1e7)] | None = None  # then it stops
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] = 1


class DesignData(Message):
    """How far a collection is; sent whenever it changes."""

    place: str  # of the collection
    what: str  # it holds, in words
    state: DesignState
    designed: bool = True  # by goal; else found at random
    samples: int = 0
    found: int = 0
    best: str = ""  # the levels of the best
    seconds: float = 0.0
    saved: float = 0.0  # seconds since 1970
    message: str = ""  # why it failed


class DesignsData(Message):
    """The collections of the folder, the last written first."""

    designs: list[DesignData]


class DesignActRequest(Message):
    """Pause or resume what fills a collection."""

    place: str
    act: Literal["pause", "resume"]
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] = 1


# ---- watching ----


class PatchData(Message):
    """The colour of a cell, painted on a side of a piece: a convex polygon; or on a whole ball."""

    colour: int  # of the puzzle's, from 1
    ring: list[float]  # x, y, z of each corner; of a ball, of its centre


class FormData(Message):
    """What a piece looks like wherever it lies: triangles, or balls joined by necks."""

    positions: list[float]  # x, y, z of each point
    triangles: list[int]  # three points each
    edges: list[float]  # two points each, six numbers
    balls: list[Point]
    radius: float
    necks: list[tuple[int, int]]  # pairs of balls that touch
    open_parts: list[float] = []  # of the surroundings of each point
    patches: list[PatchData] = []


class StepData(Message):
    """A direction in which pieces slide, and for each tile the cells that it comes through."""

    by: Vector
    way: Point  # the same in space
    words: str
    swept: list[list[Cell]]


class FormsData(Message):
    """What the pieces of a run's problem look like, in their order, and how they may slide."""

    forms: list[FormData]
    steps: list[StepData]


class BodyData(Message):
    """What moves as one: a piece, turned by the rows of a matrix and put at its place."""

    name: str
    piece: int  # which of the problem's
    colour: str
    weight: int
    turn: tuple[Point, Point, Point]
    at: Point
    cells: list[Cell]  # where it lies


class StopData(Message):
    """Where a point of turning bodies is on their way, and by how many radians they have turned."""

    at: Point
    angle: float


class TurningData(Message):
    """Bodies that turn together from stop to stop, counter-clockwise seen from the axis's tip."""

    bodies: list[int]
    axis: Point
    route: list[StopData]


class PoseData(Message):
    """A moment: where each body is, seen from where it lay at first, and whether it is visible."""

    shifts: list[Point]
    shown: list[bool]
    words: str
    kind: Literal["start", "part", "move", "turn", "away"]
    level: str = ""  # of the separation that begins here
    turns: list[
        tuple[Point, Point, Point]
    ] = []  # matrices, before the shifts; [] if none is turned
    turning: TurningData | None = None  # how bodies got here, if not on straight lines


class SolutionData(Message):
    """A solution, ready to play; between two poses, bodies slide straight or turn."""

    number: int
    levels: str
    moves: int | None
    bodies: list[BodyData]
    poses: list[PoseData]
    text: str  # the assembly as text


class HintRequest(Message):
    """Ask for the next move from a position of those bodies of a solution that are together."""

    at: list[Vector]  # of every body, seen from where it lies
    among: list[Number]


class HintData(Message):
    """The next move, and how many it takes until something comes off; or why there is none."""

    outcome: Literal["way", "stuck", "unknown"]
    moving: list[int] = []
    step: int = 0  # which of the grid's
    units: int = 1
    moves: int = 0


class EdgeData(Message):
    """A move that leads from one state to another, and so back."""

    ends: tuple[int, int]
    moving: list[int]  # bodies
    step: int  # which of the grid's
    units: int


class StatesData(Message):
    """The states of a solution that are reached before anything comes off, nearest first.

    A state is where each body is, in lattice units, seen from the first body.
    """

    states: list[list[Vector]]
    depths: list[int]  # moves from the assembly
    exits: list[int]  # states in which something can be taken away
    dead_ends: list[int]  # states that can be left in one direction only
    edges: list[EdgeData]
    whole: bool  # whether there are no more


class ExportRequest(Message):
    """Export a puzzle, or a solution of it, to a file."""

    puzzle: PuzzleData
    problem: Number = 0
    to: str = ".3mf"  # a suffix that `kumitate export` or `kumitate convert` knows
    show: str = ""  # which view; "" for the suffix's default
    run: str = ""
    number: Count = 0  # of a solution of that run
    kept: str = ""  # without a run: the puzzle as .kumitate.json, with a solution
    make: dict[str, bool | float | list[float]] = {}  # options of `output/making.py`, by name


class SolidData(Message):
    """A closed mesh in millimetres."""

    name: str
    colour: str
    positions: list[float]  # x, y, z of each point
    triangles: list[int]  # three points each
    volume: float  # cubic millimetres


class LaidData(Message):
    """A solid on a plate, which of them and where."""

    solid: int
    at: Point


class PreviewData(Message):
    """What an export would make: plates of solids on a bed, or drawings, or text; lengths in mm."""

    unit: list[float]  # the sides of a cell, [] if nothing is made of cells
    bed: tuple[float, float] | None
    plates: list[list[LaidData]]
    solids: list[SolidData]
    drawings: list[str]  # SVG
    text: str
    cut: float  # the length of all cuts of a laser
    engraved: float
    stock: float  # the length of all sticks, saw cuts included
    warnings: list[str]


class ViewRequest(Message):
    """Ask for a drawing of a solution's bodies at these places, seen by a camera."""

    places: list[tuple[tuple[Point, Point, Point], Point]]  # rows of a turn, then a shift
    shown: list[bool]
    axes: tuple[Point, Point, Point]  # to the right, up and towards the eye
