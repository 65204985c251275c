"""Read .scad: the pieces that the source lists, and the problems that kumitate saved in a comment.

A mistake that puzzlecad would reject too is an error. Valid source that would have to be evaluated,
or that has no place in a shape, is skipped with a warning.
"""

import re
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from kumitate.files import json
from kumitate.files.document import MOST_CELLS, MOST_SPOTS, Document, place
from kumitate.files.puzzlecad.source import (
    Call,
    Comment,
    Name,
    Scope,
    Source,
    Value,
    error_at,
    parse,
)
from kumitate.model.burr_sticks import burr_stick
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell, Vector
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Piece, Problem, Puzzle
from kumitate.model.shape import Shape

MOST_SOURCE = 4_000_000  # bytes; nobody writes that much by hand
MOST_PIECES = 10_000
MOST_BOXES = 10
MOST_LETTERS = MOST_SPOTS // 4  # in all pieces together
MOST_WARNINGS = 20
LONGEST_NAME = 40  # a longer comment is prose
LONGEST_CHAIN = 20  # of variables that refer to variables

_MARK = re.compile(rb"\bburr_(?:piece|plate)\b|\bpuzzlecad\b")
_SAVED = re.compile(r"\s*kumitate\s*(?=\{)")
_DESIGNER = re.compile(r"Puzzle design \(c\) *(\S[^\n]*)")  # as puzzlecad's own models have it
_NOTE = re.compile(r"\{(?:[^{}]++|\{[^{}]*+\})*+\}")
_ODD = re.compile(r"[^.a-z+#|]")
_CELL = re.compile(r"[a-z+#]")

# Blocks that leave the pieces in them unchanged, and calls that have nothing to do with pieces.
_PLAIN_BLOCKS = frozenset(
    ["", "module", "translate", "rotate", "union", "group", "render", "color"]
)
_IGNORED_CALLS = _PLAIN_BLOCKS | {"require_puzzlecad_version", "echo", "assert", "if", "for", "let"}

_DEFAULT_LENGTH = Value(6.0, 0, 0)  # of a burr stick


def is_source(data: bytes) -> bool:
    """Whether the bytes of a file that is neither XML nor JSON look like puzzlecad source."""
    return _MARK.search(data) is not None


def read(data: bytes, answers: bool = True) -> Document:
    """The document in the bytes of a .scad file; a packing box becomes the goal of its pieces.

    >>> document = read(b'burr_plate([["xx|x."], 1024]);')
    >>> [(shape.name, len(shape)) for shape in document.puzzle.shapes]
    [('', 3), ('1024', 14)]
    """
    if len(data) > MOST_SOURCE:
        raise PuzzleError(f"too large: more than {MOST_SOURCE // 1_000_000} MB of source")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    source = parse(text)
    reader = _Reader(source)
    shapes, warnings = reader.shapes(), reader.warnings()
    saved = _saved(source.comments, answers)
    if saved is not None and len(plate(saved.puzzle)) == len(shapes):
        return _updated(saved, shapes, warnings)
    if not shapes:
        why = warnings[0] if warnings else "no burr_piece or burr_plate is called"
        raise PuzzleError(f"no readable piece: {why}")
    if saved is not None:
        warnings.append("pieces were added or removed, so the problems kumitate saved are skipped")
    return Document(_puzzle(shapes, reader.boxes, source.comments), warnings=warnings)


def _puzzle(shapes: list[Shape], boxes: list[Vector], comments: list[Comment]) -> Puzzle:
    problems = [Problem(_goal(box, shapes), list(map(Piece, shapes))) for box in boxes]
    goals = [problem.goal for problem in problems]
    designer = next((found[1] for c in comments if (found := _DESIGNER.search(c.text))), "")
    heading = "".join(c.text.strip(" \t\r\n=") for c in comments[:1] if c.first < c.last)
    return Puzzle(CUBES, [*shapes, *goals], problems, designer=designer.strip(), comment=heading)


# ---- what kumitate saved ----


def plate(puzzle: Puzzle) -> list[int]:
    """The numbers of the shapes to print, so in the source: neither empty nor only a goal."""
    used = {piece.shape for problem in puzzle.problems for piece in problem.pieces}
    goals = {problem.goal for problem in puzzle.problems} - used
    return [n for n, shape in enumerate(puzzle.shapes) if shape.cells and shape not in goals]


def _saved(comments: list[Comment], answers: bool) -> Document | None:
    for comment in comments:
        if found := _SAVED.match(comment.text):
            with place(f"line {comment.first}: the puzzle that kumitate saved"):
                saved = json.read(comment.text[found.end() :].encode("utf-8", "replace"), answers)
                if saved.puzzle.grid != CUBES:
                    raise PuzzleError(f"uses the grid {saved.puzzle.grid.name!r}, not cubes")
            return saved
    return None


def _updated(saved: Document, drawn: list[Shape], warnings: list[str]) -> Document:
    """The saved puzzle, with the pieces that were edited since as they are drawn now."""
    puzzle = saved.puzzle
    shapes, images = list(puzzle.shapes), dict[Shape, Shape]()
    for number, now in zip(plate(puzzle), drawn, strict=True):
        old = shapes[number]
        if old.at_origin().cells != now.cells:
            shapes[number] = images[old] = replace(now, name=old.name, weight=old.weight)
    if not images:
        return replace(saved, warnings=(*saved.warnings, *warnings))
    problems = [
        replace(
            problem,
            goal=images.get(problem.goal, problem.goal),
            pieces=[replace(p, shape=images.get(p.shape, p.shape)) for p in problem.pieces],
        )
        for problem in puzzle.problems
    ]
    names = [repr(shape.name) for shape in images][:6]
    warnings = [f"changed since kumitate saved the puzzle: {', '.join(names)}", *warnings]
    return Document(replace(puzzle, shapes=shapes, problems=problems), warnings=warnings)


def _goal(box: Vector, pieces: list[Shape]) -> Shape:
    """The inside of a box; its cells are optional if the pieces cannot fill them all."""
    cells = {(x, y, z, 0) for x, y, z in product(*map(range, box))}
    full = sum(map(len, pieces)) == len(cells)
    return Shape(CUBES, cells, frozenset() if full else cells, name="box")


# ---- pieces ----


class _Found(NamedTuple):
    """A piece in the source."""

    cells: set[Cell]
    first: int  # the lines it spans
    last: int
    variable: str  # the variable that holds it, or the list it is in
    number: str  # of a burr stick
    module: str  # the module it is in


class _Reader:
    """Collects pieces, boxes and warnings."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[_Found] = []
        self.boxes: list[Vector] = []
        self.seen: dict[int, Value] = {}  # by id(); a variable may be used more than once
        self.letters = self.cells = self.notes = self.seams = 0
        self.warned: dict[str, None] = {}
        self.unread: dict[str, int] = {}  # the name of a call: the line of the first

    def shapes(self) -> list[Shape]:
        for value, scope in self.source.calls:
            assert isinstance(value.content, Call)
            name = value.content.name
            if name in self.source.modules:
                continue  # its body is read where it is defined
            if name in ("burr_piece", "burr_plate"):
                self.pieces(value, value.content, scope)
            elif name == "packing_box":
                self.box(value, value.content, scope)
            elif name not in _IGNORED_CALLS:
                self.unread.setdefault(name, value.first)
        names = _names(self.found, self.source.comments)
        return [
            Shape(CUBES, found.cells, name=name).at_origin()
            for found, name in zip(self.found, names, strict=True)
        ]

    def warnings(self) -> list[str]:
        """Warnings about what was skipped, one line each, and no more than anyone would read."""
        lines = list(self.warned)
        for file in self.source.files:
            if "puzzlecad" not in file.text:
                lines.append(f"line {file.line}: the file it names is not read")
        if self.notes:
            lines.append(
                f"{self.notes} notes in braces are not kept; parts to be joined after printing"
                " become separate shapes"
            )
        if self.seams:
            lines.append("all letters are read as x; they only control where puzzlecad bevels")
        if self.unread:
            some = [f"{name} (line {line})" for name, line in list(self.unread.items())[:6]]
            lines.append(f"not read: {', '.join(some)}{', ...' * (len(self.unread) > 6)}")
        more = len(lines) - MOST_WARNINGS
        return lines if more <= 0 else [*lines[:MOST_WARNINGS], f"and {more} more"]

    def warn(self, line: int, what: str) -> None:
        self.warned[f"line {line}: {what}"] = None

    def count(self, cells: int, line: int) -> None:
        self.cells += cells
        if self.cells > MOST_CELLS:
            raise error_at(line, f"too large: more than {MOST_CELLS:,} cells")

    def pieces(self, value: Value, call: Call, scope: Scope) -> None:
        """Everything that a call of burr_piece or burr_plate prints."""
        one = call.name == "burr_piece"
        given = _argument(call, 0, "burr_spec" if one else "burr_specs")
        if given is None:
            self.warn(value.first, f"{call.name} is called without pieces")
            return
        specs, inside, variable = _resolve(given, scope)
        listed = (specs,) if one else specs.content
        if not isinstance(listed, tuple):
            self.warn(value.first, "burr_plate is skipped: it is not given a plain list of pieces")
            return
        copies = None if one else _argument(call, 1, "num_copies")
        if copies and isinstance(copies.content, float) and copies.content != 1:
            self.warn(value.first, f"the number of copies ({copies.content:g}) is dropped")
        before = len(self.found)
        for spec in listed:
            self.piece(spec, inside, variable, value if one and not variable else None)
        for block in scope.outwards():
            if block.word not in _PLAIN_BLOCKS and len(self.found) > before:
                what = f"{block.word} is not evaluated; pieces in it are read once, as drawn"
                self.warn(block.line, what)
                self.unread.pop(block.word, None)

    def piece(self, spec: Value, scope: Scope, variable: str, call: Value | None) -> None:
        value, inside, name = _resolve(spec, scope)
        if id(value) in self.seen:
            return
        self.seen[id(value)] = value
        cells = self.cells_of(value, inside)
        if cells == set():
            self.warn(value.first, "a piece without cells is dropped")
        if not cells:
            return
        if len(self.found) >= MOST_PIECES:
            raise error_at(value.first, f"too large: more than {MOST_PIECES:,} pieces")
        stick = _stick_number(value, inside)
        number = f"{stick.content:g}" if stick and isinstance(stick.content, float) else ""
        module = next((block.name for block in scope.outwards() if block.name), "")
        span = call or value
        self.found.append(_Found(cells, span.first, span.last, name or variable, number, module))

    def cells_of(self, value: Value, scope: Scope) -> set[Cell] | None:
        """The cells of a piece, however it is given; None, with a warning, if it is not literal."""
        stick = _stick_number(value, scope)
        if stick is not None:
            return self.stick(value, stick, scope)
        texts = self.texts(value, scope)
        if texts is None:
            self.warn(value.first, "a piece is skipped: it is not a list of strings or a number")
            return None
        if any("components" in note for text in texts for note in _NOTE.findall(text)):
            self.warn(value.first, "a piece is skipped: its cubes are cut into {components}")
            return None
        return self.drawn(texts, value.first)[0]

    def stick(self, value: Value, number: Value, scope: Scope) -> set[Cell] | None:
        which, long = number.content, _DEFAULT_LENGTH.content
        if isinstance(value.content, Call):
            length = _argument(value.content, 1, "stick_length", "length")
            long = _resolve(length or _DEFAULT_LENGTH, scope)[0].content
        if not isinstance(which, float) or not isinstance(long, float):
            self.warn(value.first, "a burr stick is skipped: its number is an expression")
            return None
        if not (which.is_integer() and long.is_integer() and max(abs(which), abs(long)) < 1e9):
            what = f"there is no burr stick {which:g} of length {long:g}; use whole numbers"
            raise error_at(value.first, what)
        with place(f"line {value.first}"):
            cells = burr_stick(int(which), int(long)).cells
        self.count(len(cells), value.first)
        return set(cells)

    def texts(self, value: Value, scope: Scope) -> list[str] | None:
        """The layers of a piece."""
        if isinstance(value.content, str):
            return [value.content]
        if not isinstance(value.content, tuple):
            return None
        layers = [_resolve(item, scope)[0].content for item in value.content]
        texts = [layer for layer in layers if isinstance(layer, str)]
        return texts if texts and len(texts) == len(layers) else None

    def drawn(self, texts: list[str], line: int) -> tuple[set[Cell], Vector]:
        """The cells of layers of text, and their numbers of columns, rows and layers."""
        self.letters += sum(map(len, texts))
        if self.letters > MOST_LETTERS:
            raise error_at(line, f"too large: pieces drawn with more than {MOST_LETTERS:,} letters")
        common = bool(_NOTE.fullmatch(texts[0]))  # notes for the cells marked with #
        self.notes += common
        layers = []
        for text in texts[common:]:
            plain, notes = _NOTE.subn("", text)
            self.notes += notes
            self.seams += re.search("[a-wyz+]", plain) is not None
            _require_plain(plain, common, line)
            self.count(len(plain) - plain.count(".") - plain.count("|"), line)
            layers.append(plain.split("|"))
        size = (len(layers[0][0]), len(layers[0]), len(layers)) if layers else (0, 0, 0)
        cells = {
            (found.start(), y, z, 0)
            for z, rows in enumerate(layers)
            for y, row in enumerate(rows)
            for found in _CELL.finditer(row)
        }
        for x, y, z, _ in cells:
            if x >= size[0] or y >= size[1]:
                what = f"row {y + 1} of layer {z + 1} goes beyond the first row or layer"
                raise error_at(line, f"{what}, and puzzlecad cuts it off; make the first larger")
        return cells, size

    def box(self, value: Value, call: Call, scope: Scope) -> None:
        """A packing box: its walls are drawn, and everything between them is empty."""
        given = _argument(call, 0, "box_spec")
        texts = None if given is None else self.texts(*_resolve(given, scope)[:2])
        if texts is None:
            self.warn(value.first, "packing_box is skipped: it is not a plain list of strings")
            return
        x, y, z = (n - 2 for n in self.drawn(texts, value.first)[1])
        if min(x, y, z) < 1:
            self.warn(value.first, "packing_box is skipped: there is no cell inside")
        elif (x, y, z) not in self.boxes:
            self.count(x * y * z, value.first)
            self.boxes.append((x, y, z))
            self.warn(value.first, "the inside of the box becomes the goal of all pieces")
        if len(self.boxes) > MOST_BOXES:
            raise error_at(value.first, f"too large: more than {MOST_BOXES} different boxes")


def _argument(call: Call, position: int, *keywords: str) -> Value | None:
    plain = [value for key, value in call.arguments if not key]
    named = [value for key, value in call.arguments if key in keywords]
    return next(iter(named + plain[position : position + 1]), None)


def _stick_number(value: Value, scope: Scope) -> Value | None:
    """The number of a piece that is a burr stick; None for other pieces."""
    content = value.content
    if isinstance(content, Call) and content.name == "burr_stick":
        return _resolve(_argument(content, 0, "kaenel_number") or value, scope)[0]
    return value if isinstance(content, float) else None


def _resolve(value: Value, scope: Scope) -> tuple[Value, Scope, str]:
    """The value that a variable stands for, the scope that defines it, and the variable's name."""
    name = ""
    for _ in range(LONGEST_CHAIN):
        if not isinstance(value.content, Name):
            return value, scope, name
        word = value.content.text
        home = next((s for s in scope.outwards() if word in s.values), None)
        if home is None:
            break
        value, scope, name = home.values[word], home, name or word
    return Value(None, value.first, value.last), scope, name


def _require_plain(plain: str, common: bool, line: int) -> None:
    """Check that a layer without its notes has only letters, dots and bars."""
    odd = _ODD.search(plain)
    if odd and odd[0] in "{}":
        raise error_at(line, "the braces of a piece do not match")
    if odd:
        raise error_at(line, f"{odd[0]!r} is invalid in a piece; write x for a cell, . for none")
    if "#" in plain and not common:
        raise error_at(line, "'#' is a cell with the notes of the first string, but that has none")


# ---- names ----


def _names(pieces: list[_Found], comments: list[Comment]) -> list[str]:
    """A piece is named by the comment beside or above it, else by its variable or module."""
    beside = {c.first: _name(c.text) for c in comments if not c.alone}
    above = {c.last + 1: _name(c.text) for c in comments if c.alone}
    ending = Counter(piece.last for piece in pieces)
    starting = Counter(piece.first for piece in pieces)
    groups = Counter(piece.variable or piece.module for piece in pieces)
    used, names = Counter[str](), []
    for piece in pieces:
        group = piece.variable or piece.module
        used[group] += 1
        numbered = f"{group} {used[group]}" if group and groups[group] > 1 else group
        said = beside.get(piece.last, "") if ending[piece.last] == 1 else ""
        said = said or (above.get(piece.first, "") if starting[piece.first] == 1 else "")
        names.append(said or piece.number or numbered)
    return names


def _name(comment: str) -> str:
    """The name that a comment gives a piece: a few words, not prose or code."""
    name = comment.strip()
    fits = len(name) <= LONGEST_NAME and name.isprintable() and any(map(str.isalnum, name))
    return name if fits and not re.search(r'["\[\]{};]', name) else ""
