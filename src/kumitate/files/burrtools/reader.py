"""Read .xmpuzzle: every number is checked before use, and errors say where it is in the file.

Files in the wild have raw Windows-1252 bytes without a declaration; those are read too.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, pairwise
from math import gcd
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from kumitate.files.burrtools.places import GRID_TYPES, point_at, spot_at, turn_numbers, turn_point
from kumitate.files.document import (
    DEEPEST,
    FARTHEST,
    MOST_CELLS,
    MOST_PLACED,
    MOST_SPOTS,
    MOST_TAGS,
    Document,
    place,
)
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ZERO, Cell, Vector, add, primitive, subtract
from kumitate.model.grid import Grid
from kumitate.model.puzzle import Piece, Placement, Problem, Puzzle
from kumitate.model.shape import MOST_COLOURS, Shape
from kumitate.model.solution import Answers, Assembly, Disassembly, Levels, Move, Solution

_KNOWN = {  # element: its attributes, its children
    "puzzle": ("version", "gridType colors shapes problems comment"),
    "gridType": ("type", ""),
    "colors": ("", "color"),
    "color": ("red green blue", ""),
    "shapes": ("", "voxel shape"),
    "voxel": ("x y z type name weight hx hy hz", ""),
    "problems": ("", "problem"),
    "problem": (
        "name state assemblies solutions time maxHoles",
        "shapes result bitmap assembler solutions",
    ),
    "shape": ("id count min max group", "group"),
    "group": ("group count", ""),
    "result": ("id", ""),
    "bitmap": ("", "pair"),
    "pair": ("piece result", ""),
    "assembler": ("version", ""),
    "solutions": ("", "solution"),
    "solution": ("asmNum solNum", "assembly separation separationInfo"),
    "assembly": ("", ""),
    "separation": ("type", "pieces state separation"),
    "separationInfo": ("", ""),
    "pieces": ("count", ""),
    "state": ("", "dx dy dz"),
    "dx": ("", ""),
    "dy": ("", ""),
    "dz": ("", ""),
    "comment": ("popup", ""),
}
NO_RANGE = "the limit of {} holes is dropped; BurrTools applies it only with a range of copies"
_REPEATABLE = "color voxel problem shape group pair solution separation state"
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_CELL = re.compile(r"[#+]([0-9]*)")


def read(data: bytes, answers: bool = True) -> Document:
    """The document in the decompressed bytes of an .xmpuzzle file, with or without its answers."""
    if data.count(b"<") > MOST_TAGS or data.count(b"=") > 2 * MOST_TAGS:
        raise PuzzleError(f"too large: more than {MOST_TAGS:,} tags")
    try:
        root = fromstring(_as_utf8(data), forbid_dtd=True)
    except ParseError as error:
        raise PuzzleError(f"not well-formed XML: {error}") from None
    except (DefusedXmlException, ValueError, LookupError) as error:
        kind = type(error).__name__
        raise PuzzleError(
            f"rejected: XML with a document type, entities or an unusual encoding ({kind})"
        ) from None
    if root.tag != "puzzle":
        raise PuzzleError(f"not a BurrTools puzzle: its root element is <{root.tag}>, not <puzzle>")
    try:
        return _document(root, answers)
    except RecursionError:
        raise PuzzleError("nested too deeply") from None


_ENCODINGS = re.compile(r"utf-?(8|16)|us-ascii|(iso-8859|windows|cp)[-0-9]+|latin-?1")


def _as_utf8(data: bytes) -> bytes:
    """Convert to UTF-8; text not in its declared encoding (default UTF-8) is Windows-1252."""
    declared = re.match(rb"""\s*<\?xml[^>]*?encoding=["']([^"']*)""", data[:200])
    encoding = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    try:
        if _ENCODINGS.fullmatch(encoding):
            data.decode(encoding)
            return data
    except (UnicodeDecodeError, LookupError):
        pass
    # Windows-1252; the five bytes that it leaves undefined stay as they are.
    letters = "".join(
        chr(b) if b in b"\x81\x8d\x8f\x90\x9d" else bytes([b]).decode("cp1252") for b in range(256)
    )
    text, _ = codecs.charmap_decode(data, "strict", letters)
    return re.sub(r"^\s*<\?xml.*?\?>", "", text, count=1).encode("utf-8")


def _document(root: Element, with_answers: bool) -> Document:
    notes = _unknown(root)
    version = root.get("version")
    if version is None:
        raise PuzzleError('<puzzle> has no version; BurrTools writes version="2"')
    if version not in ("1", "2"):
        raise PuzzleError(f"format version {version!r} is unknown; kumitate reads 1 and 2")
    grid = _grid(root.find("gridType"))
    colours = _colours(root.find("colors"))
    shapes, hotspots = _shapes(grid, root.find("shapes"), notes)
    problems: list[Problem] = []
    answers: list[Answers | None] = []
    for number, element in enumerate(_children(root.find("problems"), "problem"), 1):
        with place(f"problem {number}"):
            problem, ids = _problem(grid, shapes, element)
            if problem.max_holes is not None and not problem.has_ranges:
                notes.append(f"problem {number}: {NO_RANGE.format(problem.max_holes)}")
                problem = replace(problem, max_holes=None)
            problems.append(problem)
            if with_answers:
                saved = _Saved(problem, [hotspots[i] for i in ids])
                answers.append(_answers(element, saved, f"problem {number}", notes))
    comment = root.find("comment")
    puzzle = Puzzle(
        grid,
        shapes,
        problems,
        colours=colours,
        comment="" if comment is None else comment.text or "",
        popup=comment is not None and "popup" in comment.attrib,
    )
    return Document(puzzle, answers, notes)


def _unknown(root: Element) -> list[str]:
    """Warnings about unknown elements and attributes."""
    strange: Counter[str] = Counter()
    todo = [root]
    for element in todo:
        attributes, children = _KNOWN[element.tag]
        for name in element.attrib.keys() - attributes.split():
            strange[f"attribute {name!r} of <{element.tag}>"] += 1
        seen: set[str] = set()
        for child in element:
            if child.tag in children.split() and (
                child.tag in _REPEATABLE or child.tag not in seen
            ):
                todo.append(child)
                seen.add(child.tag)
            elif child.tag in seen:
                strange[f"a second <{child.tag}> in <{element.tag}>"] += 1
            else:
                strange[f"element <{child.tag}> in <{element.tag}>"] += 1
    return [f"{what} is unknown; {n} dropped" for what, n in sorted(strange.items())]


def _grid(element: Element | None) -> Grid:
    number = 0 if element is None else _integer(element, "type", 0)
    if not 0 <= number < len(GRID_TYPES):
        raise PuzzleError(
            f"grid type {number} is unknown; kumitate reads 0 (cubes) to 4 (tetra-octa)"
        )
    return GRID_TYPES[number]


def _colours(element: Element | None) -> list[str]:
    colours = []
    for number, child in enumerate(_children(element, "color")):
        with place(f"colour {number + 1}"):
            parts = [_integer(child, name) for name in ("red", "green", "blue")]
            if not all(0 <= part <= 255 for part in parts):
                raise PuzzleError(f"{parts} must all be from 0 to 255")
        colours.append("#{:02x}{:02x}{:02x}".format(*parts))
    return colours


def _shapes(
    grid: Grid, element: Element | None, notes: list[str]
) -> tuple[list[Shape], list[Vector]]:
    shapes: list[Shape] = []
    hotspots: list[Vector] = []
    cells = spots = 0
    for number, voxel in enumerate(_children(element, "voxel")):
        with place(f"shape {number}"):
            size = [_integer(voxel, axis) for axis in "xyz"]
            text = voxel.text or ""
            spots += len(text)
            cells += text.count("#") + text.count("+")
            if spots > MOST_SPOTS or cells > MOST_CELLS:
                raise PuzzleError(
                    f"too large: more than {MOST_CELLS:,} cells or {MOST_SPOTS:,} characters"
                )
            shapes.append(_shape(grid, voxel, size, text, notes))
            hx, hy, hz = (_integer(voxel, name, 0) for name in ("hx", "hy", "hz"))
            hotspots.append((hx, hy, hz))
    return shapes, hotspots


def _shape(grid: Grid, voxel: Element, size: list[int], text: str, notes: list[str]) -> Shape:
    if _integer(voxel, "type") != 0:
        raise PuzzleError(f"shape type {voxel.get('type')} is unknown; kumitate reads 0")
    columns, rows, layers = size
    if min(size) < 1 or max(size) > FARTHEST:
        raise PuzzleError(
            f"size {columns} x {rows} x {layers} must be from 1 to {FARTHEST:,} in each direction"
        )
    strange = re.search(r"[^_#+0-9]", text)
    if strange:
        raise PuzzleError(f"{strange.group()!r} is invalid in its cells; use only _ # + and digits")
    plain = re.sub(r"[0-9]+", "", text)
    if len(plain) != columns * rows * layers:
        raise PuzzleError(
            f"its size {columns} x {rows} x {layers} needs {columns * rows * layers} cells,"
            f" but its text has {len(plain)}"
        )
    if re.search(r"(?:^|_)[0-9]", text):
        raise PuzzleError("an empty cell has a colour; colours may only follow # or +")
    tokens: dict[Cell, str] = {}
    nowhere = 0
    for found, token in zip(re.finditer(r"[#+]", plain), _CELL.finditer(text), strict=True):
        index, colour = found.start(), int(token[1][:6] or 0)
        if colour > MOST_COLOURS:
            raise PuzzleError(f"colour {colour} is too large; the last one is {MOST_COLOURS}")
        spot = (index % columns, index // columns % rows, index // columns // rows)
        cell = grid.cell_at(spot)
        if cell is None:
            nowhere += 1
        else:
            tokens[cell] = token[0][0] + (str(colour) if colour else "")
    name = voxel.get("name", "")
    if nowhere:
        notes.append(
            f"shape {name!r}: {nowhere} filled spots are not cells of {grid.name!r}; dropped"
        )
    weight = _integer(voxel, "weight", 1)
    if abs(weight) > 2**31:
        raise PuzzleError(f"weight {weight} is out of range; the limit is {2**31:,}")
    return Shape.from_tokens(grid, tokens, name, weight)


def _problem(grid: Grid, shapes: list[Shape], element: Element) -> tuple[Problem, list[int]]:
    """The problem, and the shape ids of its pieces."""

    def shape_id(where: Element) -> int:
        number = _integer(where, "id")
        if not 0 <= number < len(shapes):
            raise PuzzleError(
                f"<{where.tag}> names shape {number}, but there are {len(shapes)}, counted from 0"
            )
        return number

    pieces, ids = [], []
    for child in _children(element.find("shapes"), "shape"):
        ids.append(shape_id(child))
        count = _integer(child, "count", 1)
        low, high = _integer(child, "min", count), _integer(child, "max", count)
        counts = {_integer(g, "group"): _integer(g, "count", 1) for g in child.findall("group")}
        groups = {group: copies for group, copies in counts.items() if copies}
        if group := _integer(child, "group", 0):
            groups[group] = max(high, 1)
        pieces.append(Piece(shapes[ids[-1]], low, high, groups))
    result = element.find("result")
    allowed = frozenset(
        (_integer(pair, "piece") + 1, _integer(pair, "result") + 1)
        for pair in _children(element.find("bitmap"), "pair")
    )
    problem = Problem(
        Shape(grid, frozenset()) if result is None else shapes[shape_id(result)],
        pieces,
        element.get("name", ""),
        allowed,
        _integer(element, "maxHoles") if "maxHoles" in element.attrib else None,
    )
    return problem, ids


class _Saved:
    """Converts the piece numbers and positions of saved solutions to placements."""

    def __init__(self, problem: Problem, hotspots: list[Vector]) -> None:
        self.problem = problem
        self.hotspots = hotspots
        self.last_number = list(accumulate(piece.max for piece in problem.pieces))
        self._arms: dict[tuple[int, int], tuple[Vector, Cell]] = {}

    def placement(self, piece: int, spot: Vector, turn_there: int) -> Placement:
        grid, shape = self.problem.grid, self.problem.pieces[piece].shape
        turns = turn_numbers(grid)
        if not 0 <= turn_there < len(turns):
            raise PuzzleError(
                f"transformation {turn_there} is unknown; the grid {grid.name!r} has {len(turns)}"
            )
        if len(shape) > MOST_PLACED:
            raise PuzzleError(
                f"piece {self.problem.label(piece)} has more than {MOST_PLACED} cells"
            )
        turn = turns[turn_there]
        lies = shape.lies[turn]
        if lies is None or not shape.cells:
            raise PuzzleError(f"transformation {turn_there} does not put {shape.name!r} on cells")
        arm, there = self._arm(piece, turn)
        point = add(point_at(grid, spot), arm)
        here = grid.cell_at(spot_at(grid, point))
        if here is None or here[3] != there[3] or point_at(grid, spot_at(grid, point)) != point:
            raise PuzzleError(
                f"piece {self.problem.label(piece)} at {spot} with transformation {turn_there}"
                " is off the grid"
            )
        shift = subtract(here[:3], there[:3])
        shift = add(shift, lies[1])
        if max(map(abs, shift)) > FARTHEST:
            raise PuzzleError(f"piece {self.problem.label(piece)} at {spot} is too far away")
        return Placement(piece, lies[0], shift)

    def _arm(self, piece: int, turn: int) -> tuple[Vector, Cell]:
        """From the hotspot to a cell of the piece, both turned; and where our turn puts that."""
        if (piece, turn) not in self._arms:
            grid, shape = self.problem.grid, self.problem.pieces[piece].shape
            some = min(shape.cells)
            arm = subtract(point_at(grid, grid.spot(some)), point_at(grid, self.hotspots[piece]))
            unshifted = Placement(piece, turn, ZERO).placed(shape.restricted([some]))
            self._arms[piece, turn] = (turn_point(grid, turn, arm), next(iter(unshifted)))
        return self._arms[piece, turn]


def _answers(element: Element, saved: _Saved, where: str, notes: list[str]) -> Answers | None:
    state = _integer(element, "state", 0)
    if not 0 <= state <= 3:
        raise PuzzleError(f"state {state} is unknown; kumitate reads 0 to 3")
    if element.find("assembler") is not None:
        notes.append(
            f"{where}: the state of a paused search is dropped; only BurrTools can resume it"
        )
    solutions = []
    for number, child in enumerate(_children(element.find("solutions"), "solution"), 1):
        with place(f"solution {number}"):
            solutions.append(_solution(child, saved))
    counts = [
        _integer(element, name) if name in element.attrib else None
        for name in ("assemblies", "solutions", "time")
    ]
    if any(count is not None and count < 0 for count in counts):
        raise PuzzleError(f"assemblies, solutions and time are {counts}; none can be negative")
    if state == 0 and not solutions and counts == [None, None, None]:
        return None
    return Answers(solutions, counts[0], counts[1], state == 2, counts[2])


def _solution(element: Element, saved: _Saved) -> Solution:
    text = element.find("assembly")
    if text is None:
        raise PuzzleError("has no <assembly>")
    for child in element[: list(element).index(text)]:
        if child.tag in ("separation", "separationInfo"):
            raise PuzzleError(f"<{child.tag}> comes before its <assembly>")
    words = _words(text)
    placements: dict[int, Placement] = {}  # by BurrTools' piece number
    spots: dict[int, Vector] = {}
    number = piece = 0
    for word in words:
        while piece < len(saved.last_number) and number >= saved.last_number[piece]:
            piece += 1
        if piece == len(saved.last_number):
            raise PuzzleError(f"the assembly has more entries than the problem's {number} pieces")
        if word != "x":
            try:
                x, y, z, turn = (_number(w) for w in (word, next(words), next(words), next(words)))
            except StopIteration:
                raise PuzzleError(f"the assembly ends within piece {number}") from None
            spots[number] = (x, y, z)
            placements[number] = saved.placement(piece, (x, y, z), turn)
        number += 1
    total = saved.last_number[-1] if saved.last_number else 0
    if number != total:
        raise PuzzleError(f"the assembly has {number} entries for {total} pieces")
    assembly = Assembly(saved.problem, list(placements.values()))
    if len(set(placements.values())) != len(placements):
        raise PuzzleError("the assembly puts two copies of a piece in the same place")
    index = {placement: n for n, placement in enumerate(assembly.placements)}
    numbers = {n: index[placement] for n, placement in placements.items()}
    tree = levels = None
    separation, info = element.find("separation"), element.find("separationInfo")
    if separation is not None:
        with place("separation"):
            tree = _separation(separation, saved.problem.grid, numbers, spots)
    elif info is not None:
        with place("separationInfo"):
            counts = map(_number, _words(info))
            levels = _levels(counts)
            if levels is None or next(counts, None) is not None:
                raise PuzzleError("its numbers do not form a tree")
    ordinals = [_integer(element, name, 0) for name in ("asmNum", "solNum")]
    if min(ordinals) < 0:
        raise PuzzleError(f"asmNum and solNum are {ordinals}; neither can be negative")
    return Solution(assembly, tree, levels, *ordinals)


def _levels(counts: Iterator[int], deeper: int = DEEPEST) -> Levels | None:
    states = next(counts, None)
    if not deeper:
        raise PuzzleError("nested too deeply")
    if states is None or states < 0 or states == 1:
        raise PuzzleError("its numbers do not form a tree")
    if not states:
        return None
    left = _levels(counts, deeper - 1)
    return Levels(states - 1, left, _levels(counts, deeper - 1))


def _separation(
    element: Element,
    grid: Grid,
    numbers: dict[int, int],
    start: dict[int, Vector] | None,
    deeper: int = DEEPEST,
) -> Disassembly:
    """`numbers` are the pieces it must have; `start` is where they are, if that is known."""
    if not deeper:
        raise PuzzleError("nested too deeply")
    header = element.find("pieces")
    pieces = _numbers(header, len(numbers))
    if len(set(pieces)) != len(pieces) or set(pieces) != numbers.keys():
        raise PuzzleError(
            f"separates the pieces {pieces[:20]}, but should separate {sorted(numbers)[:20]}"
        )
    states = [_state(state, pieces) for state in element.findall("state")]
    if len(states) < 2:
        raise PuzzleError(f"has {len(states)} states; it needs one before and one after a move")
    if start is not None and any(states[0][p] != start[p] for p in pieces):
        raise PuzzleError("does not begin where the assembly has its pieces")
    moves = [
        _move(grid, before, after, numbers, last=after is states[-1])
        for before, after in pairwise(states)
    ]
    parts: dict[str, Disassembly] = {}
    for child in element.findall("separation"):
        kind = child.get("type", "")
        if kind not in ("left", "removed") or kind in parts:
            raise PuzzleError(f"has a part of type {kind!r}; expected one 'left' and one 'removed'")
        gone = set(moves[-1].pieces)
        some = {p: n for p, n in numbers.items() if (n in gone) == (kind == "removed")}
        parts[kind] = _separation(child, grid, some, None, deeper - 1)
    return Disassembly(moves, parts.get("left"), parts.get("removed"))


def _state(element: Element, pieces: list[int]) -> dict[int, Vector]:
    axes = []
    for name in ("dx", "dy", "dz"):
        axes.append(_numbers(element.find(name), len(pieces)))
        if len(axes[-1]) != len(pieces):
            raise PuzzleError(
                f"a state has {len(axes[-1])} numbers in <{name}> for {len(pieces)} pieces"
            )
    return dict(zip(pieces, zip(*axes, strict=True), strict=True))


def _move(
    grid: Grid,
    before: dict[int, Vector],
    after: dict[int, Vector],
    numbers: dict[int, int],
    last: bool,
) -> Move:
    moved = {p: subtract(after[p], before[p]) for p in before if after[p] != before[p]}
    shifts = set(moved.values())
    if len(shifts) != 1:
        raise PuzzleError(f"a move slides pieces by {sorted(shifts)}; all must slide the same way")
    shift = grid.shift_at(shifts.pop())
    if shift is None:
        raise PuzzleError(
            f"a move slides pieces by {moved.popitem()[1]}, not a whole number of steps"
        )
    away = any(max(map(abs, after[p])) > 10_000 for p in moved)
    if away != last:
        raise PuzzleError(
            "the last move of a separation, and only that, must take pieces away (beyond 10000)"
        )
    return Move([numbers[p] for p in moved], primitive(shift), None if away else gcd(*shift))


def _children(element: Element | None, tag: str) -> list[Element]:
    return [] if element is None else element.findall(tag)


def _integer(element: Element, name: str, default: int | None = None) -> int:
    word = element.get(name)
    if word is None:
        if default is None:
            raise PuzzleError(f"<{element.tag}> has no {name!r}")
        return default
    if not _INTEGER.fullmatch(word.strip()):
        raise PuzzleError(f"{name}={word[:40]!r} of <{element.tag}> is not a whole number")
    return int(word)


def _words(element: Element | None) -> Iterator[str]:
    """The words of a text, lazily: there may be millions."""
    text = "" if element is None else element.text or ""
    return (found.group() for found in re.finditer(r"\S+", text))


def _numbers(element: Element | None, most: int) -> list[int]:
    numbers = [_number(word) for word, _ in zip(_words(element), range(most + 1), strict=False)]
    if len(numbers) > most:
        raise PuzzleError(f"there are more numbers than its {most} pieces")
    return numbers


def _number(word: str) -> int:
    if not _INTEGER.fullmatch(word) or abs(int(word)) > FARTHEST:
        raise PuzzleError(f"{word[:40]!r} is not a whole number up to {FARTHEST:,}")
    return int(word)
