"""Our own format, .kumitate.json: everything in a puzzle, readable by people and diffable.

The classes in entries.py are the format; `read` and `write` translate between them and the values
of the model. Writing is deterministic: one value, one text.
"""

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import msgspec
from msgspec import Struct

from kumitate.decoding import from_json
from kumitate.files.document import (
    DEEPEST,
    FARTHEST,
    MOST_CELLS,
    MOST_POSES,
    MOST_SPOTS,
    MOST_TAGS,
    Document,
    place,
)
from kumitate.files.entries import (
    VERSION,
    AnswersEntry,
    CellRow,
    DisassemblyEntry,
    GridTable,
    LevelsEntry,
    MoveRow,
    PieceEntry,
    PlacementRow,
    ProblemEntry,
    PuzzleFile,
    ShapeEntry,
    SolutionEntry,
    TurnEntry,
)
from kumitate.files.turns import poses_in, rotation_of, turn_entry
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ZERO
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS
from kumitate.model.puzzle import Piece, Placement, Problem, Puzzle
from kumitate.model.rotation import Rotation
from kumitate.model.shape import Shape
from kumitate.model.solution import (
    Answers,
    AnyMove,
    Assembly,
    Disassembly,
    Levels,
    Move,
    Solution,
)
from kumitate.model.text import draw_page

# ---- reading ----


def read(data: bytes, answers: bool = True) -> Document:
    """The document in the bytes of a .kumitate.json file, with or without its answers."""
    if data.count(b"{") + data.count(b"[") > MOST_TAGS or data.count(b'"') > 4 * MOST_TAGS:
        raise PuzzleError(f"too large: more than {MOST_TAGS:,} objects and lists")
    try:
        head = from_json(data, _Head)
        if head.kumitate is None:
            raise PuzzleError('not a kumitate puzzle: its first field must be "kumitate": 1')
        if head.kumitate != VERSION:
            raise PuzzleError(
                f"format version {head.kumitate}; this kumitate reads {VERSION}, so use a newer one"
            )
        return _document(from_json(data, PuzzleFile), answers)
    except UnicodeDecodeError:
        from kumitate.files.json_errors import line_and_column

        raise PuzzleError(f"not UTF-8 text at {line_and_column(data, _bad_byte(data))}") from None
    except msgspec.MsgspecError as error:
        from kumitate.files.json_errors import located

        raise located(error, data) from None
    except RecursionError:
        raise PuzzleError("nested too deeply") from None


def _bad_byte(data: bytes) -> int:
    """The first byte that is not UTF-8; msgspec's own offset is relative to some string inside."""
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
            f"too large: more than {MOST_CELLS:,} cells, or drawings of more than {MOST_SPOTS:,}"
            " characters"
        )
    answered = (problem.answers for problem in file.problems if problem.answers and with_answers)
    trees = (solution.disassembly for answers in answered for solution in answers.solutions)
    if sum(map(poses_in, trees)) > MOST_POSES:
        raise PuzzleError(f"too large: routes of more than {MOST_POSES:,} poses")
    shapes = []
    for number, entry in enumerate(file.shapes):
        with place(f"shape {number} {entry.name!r}" if entry.name else f"shape {number}"):
            shapes.append(_shape(grid, entry))
    by_name: _ByName = {}
    for shape in shapes:
        by_name.setdefault(shape.name, []).append(shape)
    problems, answers = [], []
    for number, problem in enumerate(file.problems, 1):
        with place(f"problem {number} {problem.name!r}"):
            problems.append(_problem(grid, shapes, by_name, problem))
            answers.append(_answers(problems[-1], problem.answers if with_answers else None))
    puzzle = Puzzle(
        grid, shapes, problems, file.title, file.designer, file.colours, file.comment, file.popup
    )
    return Document(puzzle, answers)


def read_grid(entry: str | GridTable) -> Grid:
    """The grid with a name, or given by its table.

    >>> read_grid("prisms").name
    'prisms'
    """
    if isinstance(entry, GridTable):
        grid = Grid(**msgspec.structs.asdict(entry))
        grid.check()
        return grid
    if entry not in GRIDS:
        raise PuzzleError(
            f"grid {entry!r} is unknown; kumitate has {', '.join(GRIDS)}; or give the grid's table"
        )
    return GRIDS[entry]


def _shape(grid: Grid, entry: ShapeEntry) -> Shape:
    if not entry.cells:
        text = "\n".join(entry.drawing)
        shape = Shape.from_text(grid, text, entry.at, entry.name, entry.weight, entry.colour)
        _require_near(shape)
        return shape
    if entry.drawing or entry.at != ZERO:
        raise PuzzleError("has both a drawing and cells; give only one of them")
    tokens: dict[CellRow, str] = {}
    for token, cells in entry.cells.items():
        for cell in cells:
            if cell in tokens:
                raise PuzzleError(f"the cell {cell} is listed twice")
            tokens[cell] = token
    return Shape.from_tokens(grid, tokens, entry.name, entry.weight, entry.colour)


def _problem(grid: Grid, shapes: list[Shape], by_name: _ByName, entry: ProblemEntry) -> Problem:
    pieces = []
    for piece in entry.pieces:
        low, high = piece.count if isinstance(piece.count, tuple) else (piece.count, piece.count)
        groups = {}
        for group, copies in piece.groups.items():
            if not re.fullmatch("[0-9]{1,9}", group):
                raise PuzzleError(f"group {group[:20]!r} is not a group number")
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
                f"shape {reference} does not exist; there are {len(shapes)}, counted from 0"
            )
        return shapes[reference]
    found = by_name.get(reference, [])
    if len(found) != 1:
        some = f"{len(found)} shapes are" if found else "no shape is"
        raise PuzzleError(f"{some} called {reference!r}; give the shape's number, counted from 0")
    return found[0]


def _placement(row: PlacementRow) -> Placement:
    piece, turn, x, y, z = row
    return Placement(piece, turn, (x, y, z))


def _answers(problem: Problem, entry: AnswersEntry | None) -> Answers | None:
    if entry is None:
        return None
    solutions = []
    for number, solution in enumerate(entry.solutions, 1):
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
                f"piece {piece} with turn {turn}: there are only {len(problem.pieces)} pieces"
                f" and {len(problem.grid.turns)} turns"
            )
    if entry.disassembly is not None and rows != sorted(rows):
        raise PuzzleError("an assembly with a disassembly must list its placements in order")
    tree = _disassembly(entry.disassembly, len(rows), DEEPEST)
    _require_cubes(problem.grid, tree)
    return Solution(
        Assembly(problem, rows),
        tree,
        _levels(entry.levels, DEEPEST),
        entry.assembly_number,
        entry.solution_number,
    )


def _disassembly(entry: DisassemblyEntry | None, pieces: int, deeper: int) -> Disassembly | None:
    if entry is None:
        return None
    if not deeper:
        raise PuzzleError("nested too deeply")
    moves: list[AnyMove] = []
    for number, row in enumerate(entry.moves, 1):
        last = number == len(entry.moves)
        if isinstance(row, TurnEntry):
            moves.append(_rotation(row, entry.parts, pieces, last))
            continue
        some, step, units = row
        if (
            not some
            or len(set(some)) < len(some)
            or max(some) >= pieces
            or step == ZERO
            or units == 0
        ):
            raise PuzzleError(
                f"disassembly: {list(row)} is not a move; it needs some of the {pieces} pieces,"
                " each once, a step that is not 0, 0, 0, and 1 or more units"
            )
        if (units is None) != last:
            raise PuzzleError(
                "disassembly: the last move of a separation, and only that, must have units null"
            )
        steps = entry.steps if last else ()
        if steps and (len(steps) != len(some) or ZERO in steps):
            raise PuzzleError(
                f"disassembly: {len(steps)} steps for the {len(some)} pieces of the last move;"
                " each piece needs one, and none may be 0, 0, 0"
            )
        moves.append(Move(some, step, units, entry.parts, steps))
    left, removed = (_disassembly(part, pieces, deeper - 1) for part in (entry.left, entry.removed))
    return Disassembly(moves, left, removed)


def _require_cubes(grid: Grid, tree: Disassembly | None) -> None:
    if tree and tree.levels.total_turns and grid != CUBES:
        raise PuzzleError(f"disassembly: pieces turn on cubes only, not on {grid.name}")


def _rotation(entry: TurnEntry, parts: int, pieces: int, last: bool) -> Rotation:
    rotation = rotation_of(entry, parts)
    if max(entry.pieces) >= pieces:
        raise PuzzleError(f"disassembly: a turn of piece {max(entry.pieces)}; there are {pieces}")
    if last:
        raise PuzzleError(
            "disassembly: the last move of a separation must take pieces away; a turn does not"
        )
    return rotation


def _levels(entry: LevelsEntry | None, deeper: int) -> Levels | None:
    if entry is None:
        return None
    if not deeper:
        raise PuzzleError("nested too deeply")
    left, removed = (_levels(part, deeper - 1) for part in (entry.left, entry.removed))
    if entry.turns > entry.moves:
        raise PuzzleError(f"levels: {entry.turns} of {entry.moves} moves cannot be turns")
    return Levels(entry.moves, left, removed, entry.turns)


# ---- writing ----


def write(document: Document) -> bytes:
    """The bytes of a .kumitate.json file; only the document's warnings are not part of it."""
    try:
        data = (_pretty(msgspec.to_builtins(_file(document))) + "\n").encode()
        from_json(data, PuzzleFile)  # never write what could not be read back
    except PuzzleError:
        raise
    except (msgspec.MsgspecError, ValueError) as error:
        from kumitate.files.json_errors import describe

        reason = describe(error) if isinstance(error, msgspec.ValidationError) else error
        raise PuzzleError(f"cannot be written: {reason}") from None
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
        raise PuzzleError(f"shape {shape.name!r} has cells with coordinates beyond {FARTHEST:,}")


def _shape_entry(shape: Shape) -> ShapeEntry:
    _require_near(shape)
    if shape.sparse:
        cells: dict[str, list[CellRow]] = {}
        for cell, token in shape.tokens.items():
            cells.setdefault(token, []).append(cell)
        listed = {token: tuple(rows) for token, rows in cells.items()}
        return ShapeEntry(name=shape.name, cells=listed, weight=shape.weight, colour=shape.colour)
    rows = draw_page(shape.grid, shape.tokens, gap=" ").split("\n") if shape.cells else ()
    return ShapeEntry(
        name=shape.name,
        drawing=tuple(rows),
        at=shape.corner if shape.corner != ZERO else ZERO,
        weight=shape.weight,
        colour=shape.colour,
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
    """A solution as a file has it, on one line."""
    return msgspec.json.encode(_solution_entry(solution))


def solution_frame() -> tuple[bytes, bytes, bytes]:
    """What `encode_solution` writes around the placements and the number of a mere assembly.

    >>> solution_frame()
    (b'{"assembly":[', b'],"assembly_number":', b'}')
    """
    empty = msgspec.json.encode(SolutionEntry(assembly=(), assembly_number=1))
    before, _, rest = empty.partition(b"]")
    between, _, after = rest.partition(b"1")
    return before, b"]" + between, after


def _solution_entry(solution: Solution) -> SolutionEntry:
    tree, levels = solution.disassembly, solution.levels
    _require_cubes(solution.assembly.problem.grid, tree)
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
        raise PuzzleError(
            "a separation has moves in different fractions of a step; use one fraction for all"
        )
    last = tree.moves[-1] if tree.moves else None
    return DisassemblyEntry(
        moves=tuple(map(_move_entry, tree.moves)),
        left=_disassembly_entry(tree.left),
        removed=_disassembly_entry(tree.removed),
        parts=last.parts if last else 1,
        steps=tuple(last.steps) if isinstance(last, Move) else (),
    )


def _move_entry(move: AnyMove) -> MoveRow | TurnEntry:
    if isinstance(move, Rotation):
        return turn_entry(move)
    return tuple(move.pieces), move.step, move.units


def _levels_entry(levels: Levels | None) -> LevelsEntry | None:
    if levels is None:
        return None
    left, removed = map(_levels_entry, (levels.left, levels.removed))
    return LevelsEntry(levels.moves, left, removed, levels.turns)


def _pretty(value: Any, indent: int = 0, drawing: bool = False) -> str:
    """JSON with everything on one line that fits there, except drawings, which stay pictures."""
    import json  # which reading does without

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
    """Rows of numbers, as many per line as fit."""
    lines = [""]
    for row in rows:
        if lines[-1] and len(pad) + len(lines[-1]) + len(row) > 94:
            lines.append("")
        lines[-1] += f", {row}" if lines[-1] else row
    return ",\n".join(pad + line for line in lines)
