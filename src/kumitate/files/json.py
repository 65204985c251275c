"""Our own format, .kumitate.json: all a puzzle holds, for people to read and programs to diff.

The classes below are the format: msgspec reads and validates by them, and the JSON Schema is
generated from them; docs/format.md explains each field. `read` and `write` translate between them
and the values of the model. Writing is deterministic: one value, one text.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from kumitate.files.document import (
    DEEPEST,
    FARTHEST,
    MOST_CELLS,
    MOST_SPOTS,
    MOST_TAGS,
    Document,
    place,
)
from kumitate.files.slips import by_path, in_words, line_and_column
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ZERO
from kumitate.model.grid import Grid
from kumitate.model.grids import GRIDS
from kumitate.model.puzzle import Piece, Placement, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers, Assembly, Disassembly, Levels, Move, Solution
from kumitate.model.text import draw_page

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
Floats = tuple[float, float, float]
# Not tuple[Count, Count]: in a union with a bounded int that corrupts memory in msgspec 0.22.
Range = Annotated[tuple[Count, ...], Meta(min_length=2, max_length=2)]


class _File(Struct, forbid_unknown_fields=True, omit_defaults=True):
    pass


class GridTable(_File):
    """A grid that kumitate does not bring along, as its whole table."""

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


class PieceEntry(_File):
    """A shape that a problem uses, and how often."""

    shape: Reference
    count: Count | Range = 1
    groups: dict[str, Count] = {}


class DisassemblyEntry(_File):
    """A separation: moves, then how what stays and what went come apart."""

    moves: Annotated[tuple[MoveRow, ...], Meta(min_length=1)]
    left: "DisassemblyEntry | None" = None
    removed: "DisassemblyEntry | None" = None
    parts: Annotated[int, Meta(ge=1, le=MOST_PARTS)] = 1
    steps: tuple[Triple, ...] = ()


class LevelsEntry(_File):
    """The same tree with only the number of moves."""

    moves: Count
    left: "LevelsEntry | None" = None
    removed: "LevelsEntry | None" = None


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


# ---- reading ----


def read(data: bytes, answers: bool = True) -> Document:
    """The document in the bytes of a .kumitate.json file; its answers only if wanted."""
    if data.count(b"{") + data.count(b"[") > MOST_TAGS or data.count(b'"') > 4 * MOST_TAGS:
        raise PuzzleError(f"more than {MOST_TAGS} objects and lists is too much")
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.kumitate is None:
            raise PuzzleError('no kumitate puzzle: its first field should be "kumitate": 1')
        if head.kumitate != VERSION:
            raise PuzzleError(
                f"format version {head.kumitate}; this kumitate reads {VERSION}, a newer one may do"
            )
        return _document(msgspec.json.decode(data, type=PuzzleFile), answers)
    except UnicodeDecodeError:
        raise PuzzleError(f"not UTF-8 text at {line_and_column(data, _bad_byte(data))}") from None
    except msgspec.MsgspecError as error:
        raise in_words(error, data) from None
    except RecursionError:
        raise PuzzleError("nested too deeply") from None


def _bad_byte(data: bytes) -> int:
    """The first that is not UTF-8; msgspec counts it from the beginning of some text in it."""
    try:
        return len(data.decode())
    except UnicodeDecodeError as error:
        return error.start


_ByName = dict[str, list[Shape]]


class _Head(Struct):
    kumitate: int | None = None


def _document(file: PuzzleFile, with_answers: bool) -> Document:
    grid = read_grid(file.grid)
    spots = sum(len(row) for entry in file.shapes for row in entry.drawing)
    blanks = sum(row.count(".") + row.count("_") for entry in file.shapes for row in entry.drawing)
    listed = sum(len(cells) for entry in file.shapes for cells in entry.cells.values())
    if spots > MOST_SPOTS or spots - blanks + listed > MOST_CELLS:
        raise PuzzleError(
            f"more than {MOST_CELLS} cells in a file, or {MOST_SPOTS} dots, is too much"
        )
    shapes = []
    for number, entry in enumerate(file.shapes):
        with place(f"shape {number} {entry.name!r}"):
            shapes.append(_shape(grid, entry))
    by_name: _ByName = {}
    for shape in shapes:
        by_name.setdefault(shape.name, []).append(shape)
    problems, answers = [], []
    for number, problem in enumerate(file.problems):
        with place(f"problem {number} {problem.name!r}"):
            problems.append(_problem(grid, shapes, by_name, problem))
            answers.append(_answers(problems[-1], problem.answers if with_answers else None))
    puzzle = Puzzle(
        grid, shapes, problems, file.title, file.designer, file.colours, file.comment, file.popup
    )
    return Document(puzzle, answers)


def read_grid(entry: str | GridTable) -> Grid:
    """The grid of a name, or of a table.

    >>> read_grid("prisms").name
    'prisms'
    """
    if isinstance(entry, GridTable):
        grid = Grid(**msgspec.structs.asdict(entry))
        grid.check()
        return grid
    if entry not in GRIDS:
        raise PuzzleError(
            f"grid {entry!r} is unknown; kumitate has {', '.join(GRIDS)}, or give its table"
        )
    return GRIDS[entry]


def _shape(grid: Grid, entry: ShapeEntry) -> Shape:
    if not entry.cells:
        text = "\n".join(entry.drawing)
        shape = Shape.from_text(grid, text, entry.at, entry.name, entry.weight)
        _require_near(shape)
        return shape
    if entry.drawing or entry.at != ZERO:
        raise PuzzleError("has both a drawing and cells; give one of them")
    tokens: dict[CellRow, str] = {}
    for token, cells in entry.cells.items():
        for cell in cells:
            if cell in tokens:
                raise PuzzleError(f"the cell {cell} is listed twice")
            tokens[cell] = token
    return Shape.from_tokens(grid, tokens, entry.name, entry.weight)


def _problem(grid: Grid, shapes: list[Shape], by_name: _ByName, entry: ProblemEntry) -> Problem:
    pieces = []
    for piece in entry.pieces:
        low, high = piece.count if isinstance(piece.count, tuple) else (piece.count, piece.count)
        groups = {}
        for group, copies in piece.groups.items():
            if not re.fullmatch("[0-9]{1,9}", group):
                raise PuzzleError(f"group {group[:20]!r} is not a number of a group")
            groups[int(group)] = copies
        pieces.append(Piece(_refer(shapes, by_name, piece.shape), low, high, groups))
    return Problem(
        Shape(grid, set()) if entry.goal is None else _refer(shapes, by_name, entry.goal),
        pieces,
        entry.name,
        frozenset(entry.allowed),
        entry.max_holes,
        frozenset(map(_placement, entry.pinned)),
        frozenset(map(_placement, entry.forbidden)),
    )


def _refer(shapes: list[Shape], by_name: _ByName, reference: str | int) -> Shape:
    if isinstance(reference, int):
        if reference >= len(shapes):
            raise PuzzleError(
                f"shape {reference} is unknown; there are {len(shapes)}, counted from 0"
            )
        return shapes[reference]
    found = by_name.get(reference, [])
    if len(found) != 1:
        some = f"{len(found)} shapes are" if found else "no shape is"
        raise PuzzleError(f"{some} called {reference!r}; give its number, counted from 0")
    return found[0]


def _placement(row: PlacementRow) -> Placement:
    piece, turn, x, y, z = row
    return Placement(piece, turn, (x, y, z))


def _answers(problem: Problem, entry: AnswersEntry | None) -> Answers | None:
    if entry is None:
        return None
    solutions = []
    for number, solution in enumerate(entry.solutions):
        with place(f"solution {number}"):
            solutions.append(_solution(problem, solution))
    return Answers(
        solutions, entry.assembly_count, entry.solution_count, entry.complete, entry.seconds
    )


def _solution(problem: Problem, entry: SolutionEntry) -> Solution:
    rows = [_placement(row) for row in entry.assembly]
    for piece, turn, _ in rows:
        if piece >= len(problem.pieces) or turn >= len(problem.grid.turns):
            raise PuzzleError(
                f"piece {piece} by turn {turn}: there are {len(problem.pieces)} pieces"
                f" and {len(problem.grid.turns)} turns"
            )
    if entry.disassembly is not None and rows != sorted(rows):
        raise PuzzleError("an assembly with a disassembly lists its placements in order")
    return Solution(
        Assembly(problem, rows),
        _disassembly(entry.disassembly, len(rows), DEEPEST),
        _levels(entry.levels, DEEPEST),
        entry.assembly_number,
        entry.solution_number,
    )


def _disassembly(entry: DisassemblyEntry | None, pieces: int, deeper: int) -> Disassembly | None:
    if entry is None:
        return None
    if not deeper:
        raise PuzzleError("nested too deeply")
    moves = []
    for number, row in enumerate(entry.moves, 1):
        some, step, units = row
        last = number == len(entry.moves)
        if (
            not some
            or len(set(some)) < len(some)
            or max(some) >= pieces
            or step == ZERO
            or units == 0
        ):
            raise PuzzleError(
                f"disassembly: {list(row)} is no move of some of the {pieces} pieces by some units"
            )
        if (units is None) != last:
            raise PuzzleError(
                "disassembly: the last move of a separation, and no other, has units null"
            )
        steps = entry.steps if last else ()
        if steps and (len(steps) != len(some) or ZERO in steps):
            raise PuzzleError(
                f"disassembly: {len(steps)} steps for the {len(some)} pieces of the last move;"
                " each needs one, and none may be 0, 0, 0"
            )
        moves.append(Move(some, step, units, entry.parts, steps))
    left, removed = (_disassembly(part, pieces, deeper - 1) for part in (entry.left, entry.removed))
    return Disassembly(moves, left, removed)


def _levels(entry: LevelsEntry | None, deeper: int) -> Levels | None:
    if entry is None:
        return None
    if not deeper:
        raise PuzzleError("nested too deeply")
    left, removed = (_levels(part, deeper - 1) for part in (entry.left, entry.removed))
    return Levels(entry.moves, left, removed)


# ---- writing ----


def write(document: Document) -> bytes:
    """The bytes of a .kumitate.json file; all of the document is in them but its warnings."""
    try:
        data = (_pretty(msgspec.to_builtins(_file(document))) + "\n").encode()
        msgspec.json.decode(data, type=PuzzleFile)  # what could not be read is not written
    except PuzzleError:
        raise
    except (msgspec.MsgspecError, ValueError) as error:
        told = by_path(error) if isinstance(error, msgspec.ValidationError) else error
        raise PuzzleError(f"cannot be written: {told}") from None
    return data


def _file(document: Document) -> PuzzleFile:
    puzzle = document.puzzle
    known = GRIDS.get(puzzle.grid.name) == puzzle.grid
    return PuzzleFile(
        kumitate=VERSION,
        title=puzzle.title,
        designer=puzzle.designer,
        comment=puzzle.comment,
        popup=puzzle.popup,
        grid=puzzle.grid.name if known else GridTable(**asdict(puzzle.grid)),
        colours=tuple(puzzle.colours),
        shapes=tuple(map(_shape_entry, puzzle.shapes)),
        problems=tuple(
            _problem_entry(puzzle, problem, answers)
            for problem, answers in zip(puzzle.problems, document.answers, strict=True)
        ),
    )


def _require_near(shape: Shape) -> None:
    if any(max(map(abs, cell[:3])) > FARTHEST for cell in shape.cells):
        raise PuzzleError(f"shape {shape.name!r} has cells beyond {FARTHEST}")


def _shape_entry(shape: Shape) -> ShapeEntry:
    _require_near(shape)
    if shape.sparse:
        cells: dict[str, list[CellRow]] = {}
        for cell, token in shape.tokens.items():
            cells.setdefault(token, []).append(cell)
        listed = {token: tuple(rows) for token, rows in cells.items()}
        return ShapeEntry(name=shape.name, cells=listed, weight=shape.weight)
    rows = draw_page(shape.grid, shape.tokens, gap=" ").split("\n") if shape.cells else ()
    return ShapeEntry(
        name=shape.name,
        drawing=tuple(rows),
        at=shape.corner if shape.corner != ZERO else ZERO,
        weight=shape.weight,
    )


def _problem_entry(puzzle: Puzzle, problem: Problem, answers: Answers | None) -> ProblemEntry:
    names = [shape.name for shape in puzzle.shapes]

    def refer(shape: Shape) -> str | int:
        by_name = shape.name and names.count(shape.name) == 1
        return shape.name if by_name else list(puzzle.shapes).index(shape)

    return ProblemEntry(
        name=problem.name,
        goal=refer(problem.goal) if problem.goal in puzzle.shapes else None,
        pieces=tuple(
            PieceEntry(
                shape=refer(piece.shape),
                count=piece.min if piece.min == piece.max else (piece.min, piece.max),
                groups={str(g): piece.groups[g] for g in sorted(piece.groups)},
            )
            for piece in problem.pieces
        ),
        allowed=tuple(sorted(problem.allowed)),
        max_holes=problem.max_holes,
        pinned=_rows(problem.pinned),
        forbidden=_rows(problem.forbidden),
        answers=_answers_entry(answers),
    )


def _rows(placements: Iterable[Placement]) -> tuple[PlacementRow, ...]:
    return tuple((piece, turn, *shift) for piece, turn, shift in sorted(placements))


def _answers_entry(answers: Answers | None) -> AnswersEntry | None:
    if answers is None:
        return None
    return AnswersEntry(
        complete=answers.complete,
        assembly_count=answers.assembly_count,
        solution_count=answers.solution_count,
        seconds=None if answers.seconds is None else float(answers.seconds),
        solutions=tuple(map(_solution_entry, answers.solutions)),
    )


def encode_solution(solution: Solution) -> bytes:
    """A solution as it is in a file, on one line."""
    return msgspec.json.encode(_solution_entry(solution))


def _solution_entry(solution: Solution) -> SolutionEntry:
    tree, levels = solution.disassembly, solution.levels
    return SolutionEntry(
        assembly=_rows(solution.assembly.placements),
        disassembly=_disassembly_entry(tree),
        levels=_levels_entry(levels if tree is None else None),
        assembly_number=solution.assembly_number,
        solution_number=solution.solution_number,
    )


def _disassembly_entry(tree: Disassembly | None) -> DisassemblyEntry | None:
    if tree is None:
        return None
    if len({move.parts for move in tree.moves}) > 1:
        raise PuzzleError("a separation has moves in different parts of a step; use one for all")
    return DisassemblyEntry(
        moves=tuple((tuple(move.pieces), move.step, move.units) for move in tree.moves),
        left=_disassembly_entry(tree.left),
        removed=_disassembly_entry(tree.removed),
        parts=tree.moves[0].parts if tree.moves else 1,
        steps=tuple(tree.moves[-1].steps) if tree.moves else (),
    )


def _levels_entry(levels: Levels | None) -> LevelsEntry | None:
    if levels is None:
        return None
    return LevelsEntry(levels.moves, _levels_entry(levels.left), _levels_entry(levels.removed))


def _pretty(value: Any, indent: int = 0, drawing: bool = False) -> str:
    """JSON with everything on one line that fits, but a drawing always as a picture."""
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not isinstance(value, dict | list | tuple) or not value:
        return flat
    if indent + len(flat) <= 96 and '"drawing"' not in flat and not (drawing and len(value) > 1):
        return flat
    pad = " " * (indent + 2)
    if not re.search('["{]', flat):
        return "[\n" + _fill(map(json.dumps, value), pad) + "\n" + " " * indent + "]"
    if isinstance(value, dict):
        rows = [
            f"{pad}{json.dumps(key)}: {_pretty(item, indent + 2, key == 'drawing')}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    rows = [pad + _pretty(item, indent + 2) for item in value]
    return "[\n" + ",\n".join(rows) + "\n" + " " * indent + "]"


def _fill(rows: Iterable[str], pad: str) -> str:
    """Rows of numbers, as many on a line as fit."""
    lines = [""]
    for row in rows:
        if lines[-1] and len(pad) + len(lines[-1]) + len(row) > 94:
            lines.append("")
        lines[-1] += f", {row}" if lines[-1] else row
    return ",\n".join(pad + line for line in lines)
