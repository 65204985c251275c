"""Write .xmpuzzle; whatever the format has no place for is returned as a list of warnings."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, SubElement, tostring

from kumitate.files.burrtools.places import GRID_TYPES, point_at, spot_at, turn_numbers, turn_point
from kumitate.files.burrtools.reader import NO_RANGE
from kumitate.files.document import FARTHEST, MOST_SPOTS, Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ZERO, Vector, add, subtract, times
from kumitate.model.grid import Grid
from kumitate.model.grids import SPHERES
from kumitate.model.numbers import count_of
from kumitate.model.puzzle import Placement, Problem, Puzzle
from kumitate.model.rotation import Rotation
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers, Disassembly, Levels, Solution

_NO_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_AWAY = 30_000  # units that a removed piece moves; BurrTools takes more than 10,000 as gone


def write(document: Document) -> tuple[bytes, list[str]]:
    """The (uncompressed) bytes of an .xmpuzzle file, and warnings about what it cannot keep."""
    puzzle = document.puzzle
    if puzzle.grid not in GRID_TYPES:
        raise PuzzleError(
            f"BurrTools has no grid {puzzle.grid.name!r}; save the puzzle as .kumitate.json, or"
            " convert it to another grid first"
        )
    lost = [
        f"{name} {value!r} is dropped"
        for name, value in (("title", puzzle.title), ("designer", puzzle.designer))
        if value
    ]
    if painted := [puzzle.label(n) for n, shape in enumerate(puzzle.shapes) if shape.colour]:
        lost.append(f"the colours chosen for {', '.join(painted)} are dropped")
    root = Element("puzzle", version="2")
    SubElement(root, "gridType", type=str(GRID_TYPES.index(puzzle.grid)))
    _write_colours(root, puzzle, lost)
    shapes = SubElement(root, "shapes")
    frames = [_write_shape(shapes, shape, lost) for shape in puzzle.shapes]
    problems = SubElement(root, "problems")
    for number, problem in enumerate(puzzle.problems, 1):
        ids = [_index(puzzle, piece.shape) for piece in problem.pieces]
        goal = _index(puzzle, problem.goal) if problem.goal in puzzle.shapes else None
        placer = _Placer(
            problem, [frames[i] for i in ids], ZERO if goal is None else frames[goal][0]
        )
        element = _write_problem(problem, ids, goal, f"problem {number}", lost)
        problems.append(element)
        answers = document.answers[number - 1]
        if answers is not None:
            _write_answers(element, answers, placer, f"problem {number}", lost)
    comment = SubElement(root, "comment", {"popup": ""} if puzzle.popup else {})
    comment.text = _clean(puzzle.comment, "comment", lost)
    text = b'<?xml version="1.0"?>\n' + tostring(root, encoding="utf-8") + b"\n"
    return text.replace(b"\r", b"&#13;"), lost


def _index(puzzle: Puzzle, shape: Shape) -> int:
    return list(puzzle.shapes).index(shape)


def _clean(text: str, what: str, lost: list[str]) -> str:
    clean = _NO_XML.sub("?", text)
    if clean != text:
        lost.append(f"{what}: control characters became question marks")
    return clean


def _write_colours(root: Element, puzzle: Puzzle, lost: list[str]) -> None:
    colours = list(puzzle.colours)
    used = [c for shape in puzzle.shapes for c in shape.colours.values()]
    used += [c for problem in puzzle.problems for pair in problem.allowed for c in pair]
    for number in range(len(colours), max(used, default=0)):
        lost.append(f"colour {number + 1} is used but not defined; it becomes grey")
        colours.append("#808080")
    element = SubElement(root, "colors")
    for colour in colours:
        red, green, blue = (str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
        SubElement(element, "color", red=red, green=green, blue=blue)


_Frame = tuple[Vector, Vector]  # of a written shape: the corner that became 0, and the hotspot


def _write_shape(parent: Element, shape: Shape, lost: list[str]) -> _Frame:
    corner, (columns, rows, layers) = _box(shape)
    if corner != ZERO:
        lost.append(
            f"shape {shape.name!r} is shifted by {times(-1, corner)}; the format counts from 0"
        )
    cells = ["_"] * (columns * rows * layers)
    spots = []
    for cell in shape:
        x, y, z = subtract(shape.grid.spot(cell), shape.grid.spot_shift(corner))
        spots.append((z, y, x))
        colour = shape.colours.get(cell, 0)
        kind = "+" if cell in shape.optional else "#"
        cells[x + columns * (y + rows * z)] = kind + (str(colour) if colour else "")
    z, y, x = min(spots, default=ZERO) if shape.grid == SPHERES else ZERO
    attributes = {"x": str(columns), "y": str(rows), "z": str(layers)}
    if shape.name:
        attributes["name"] = _clean(shape.name, f"shape {shape.name!r}", lost)
    if shape.weight != 1:
        attributes["weight"] = str(shape.weight)
    attributes |= {name: str(c) for name, c in (("hx", x), ("hy", y), ("hz", z)) if c}
    SubElement(parent, "voxel", attributes | {"type": "0"}).text = "".join(cells)
    return corner, (x, y, z)


def _box(shape: Shape) -> tuple[Vector, Vector]:
    """The corner where the written shape begins, 0 if possible, and its size from there."""
    if not shape.cells:
        return ZERO, (1, 1, 1)
    axes = list(zip(*map(shape.grid.spot, shape.cells), strict=True))
    for corner in (ZERO, shape.corner):
        shift = shape.grid.spot_shift(corner)
        columns, rows, layers = (max(axis) - s + 1 for axis, s in zip(axes, shift, strict=True))
        fits = all(min(axis) >= s for axis, s in zip(axes, shift, strict=True))
        if fits and columns * rows * layers <= MOST_SPOTS // 10:
            return corner, (columns, rows, layers)
    raise PuzzleError(
        f"shape {shape.name!r} spans {columns} x {rows} x {layers} cells, too many for this format"
    )


def _write_problem(
    problem: Problem, ids: list[int], goal: int | None, where: str, lost: list[str]
) -> Element:
    element = Element("problem", state="0")
    if problem.name:
        element.set("name", _clean(problem.name, where, lost))
    if problem.max_holes is not None and not problem.has_ranges:
        lost.append(f"{where}: {NO_RANGE.format(problem.max_holes)}")
    elif problem.max_holes is not None:
        element.set("maxHoles", str(problem.max_holes))
    if problem.pinned or problem.forbidden:
        lost.append(
            f"{where}: {len(problem.pinned)} pinned and {len(problem.forbidden)} forbidden"
            " placements are not kept"
        )
    shapes = SubElement(element, "shapes")
    for piece, number in zip(problem.pieces, ids, strict=True):
        entry = SubElement(shapes, "shape", id=str(number))
        if piece.min == piece.max:
            entry.set("count", str(piece.max))
        else:
            entry.set("min", str(piece.min))
            entry.set("max", str(piece.max))
        for group, copies in sorted(piece.groups.items()):
            if len(piece.groups) == 1 and copies == max(piece.max, 1):
                entry.set("group", str(group))
            else:
                SubElement(entry, "group", group=str(group), count=str(copies))
    if goal is not None:
        SubElement(element, "result", id=str(goal))
    bitmap = SubElement(element, "bitmap")
    for mine, theirs in sorted(problem.allowed):
        SubElement(bitmap, "pair", piece=str(mine - 1), result=str(theirs - 1))
    return element


class _Placer:
    """Converts placements to BurrTools' turns and positions."""

    def __init__(self, problem: Problem, frames: list[_Frame], goal_corner: Vector) -> None:
        self.problem = problem
        self.frames = frames
        self.goal_corner = goal_corner

    def place(self, placement: Placement) -> tuple[int, Vector]:
        grid, shape = self.problem.grid, self.problem.pieces[placement.piece].shape
        corner, hotspot = self.frames[placement.piece]
        mine = shape.lies[placement.turn] if shape.cells else None
        if mine is None:
            raise PuzzleError(f"{placement} does not put {shape.name!r} on cells")
        lying = (
            (number, turn, lies[1])
            for number, turn in enumerate(turn_numbers(grid))
            if (lies := shape.lies[turn]) is not None and lies[0] == mine[0]
        )
        turn_there, turn, back = next(lying)
        shift = subtract(add(placement.shift, mine[1]), back)
        some = shape.restricted([min(shape.cells)])
        arm = subtract(point_at(grid, self._spot(some, corner)), point_at(grid, hotspot))
        image = Placement(placement.piece, turn, shift).placed(some)
        point = point_at(grid, self._spot(image, self.goal_corner))
        return turn_there, spot_at(grid, subtract(point, turn_point(grid, turn, arm)))

    def _spot(self, cell: Shape, corner: Vector) -> Vector:
        return self.problem.grid.spot(next(iter(cell.shifted(times(-1, corner)))))


def _write_answers(
    element: Element, answers: Answers, placer: _Placer, where: str, lost: list[str]
) -> None:
    element.set("state", "2" if answers.complete else "3")
    for name, count in (
        ("assemblies", answers.assembly_count),
        ("solutions", answers.solution_count),
    ):
        if count is not None:
            if not 0 <= count < 10**15:
                raise PuzzleError(f"{where}: {count:,} {name} are too many for this format")
            element.set(name, str(count))
    if answers.seconds is not None:
        seconds = round(min(max(answers.seconds, 0), 10**15 - 1))
        element.set("time", str(seconds))
        if seconds != answers.seconds:
            lost.append(f"{where}: {answers.seconds} seconds are rounded to {seconds}")
    if not answers.solutions:
        return
    parent = SubElement(element, "solutions")
    for number, solution in enumerate(answers.solutions, 1):
        with place(f"{where}, solution {number}"):
            parent.append(_write_solution(solution, placer))
    turning = sum(bool(s.levels and s.levels.total_turns) for s in answers.solutions)
    if turning:
        lost.append(
            f"{where}: the moves of {count_of(turning, 'solution')} are not kept, since an"
            " .xmpuzzle file cannot hold turns"
        )


def _write_solution(solution: Solution, placer: _Placer) -> Element:
    element = Element("solution")
    for name, number in (
        ("asmNum", solution.assembly_number),
        ("solNum", solution.solution_number),
    ):
        if number:
            element.set(name, str(number))
    placements = solution.assembly.placements
    places = [placer.place(placement) for placement in placements]
    _require_near(spot for _, spot in places)
    words: list[str] = []
    numbers: dict[int, int] = {}  # placement: BurrTools' piece number
    first = 0
    for index, piece in enumerate(placer.problem.pieces):
        mine = [n for n, placement in enumerate(placements) if placement.piece == index]
        if len(mine) > piece.max:
            raise PuzzleError(
                f"it uses {len(mine)} copies of {placer.problem.label(index)}, but there are"
                f" {piece.max}"
            )
        if len({places[n] for n in mine}) < len(mine):
            label = placer.problem.label(index)
            raise PuzzleError(f"it puts two copies of {label} in the same place")
        for copy, n in enumerate(sorted(mine, key=lambda n: places[n])):
            turn, (x, y, z) = places[n]
            words.append(f"{x} {y} {z} {turn}")
            numbers[n] = first + copy
        words += ["x"] * (piece.max - len(mine))
        first += piece.max
    SubElement(element, "assembly").text = " ".join(words)
    start = {n: spot for n, (_, spot) in enumerate(places)}
    if solution.levels is not None and solution.levels.total_turns:
        return element
    if solution.disassembly is not None:
        grid = placer.problem.grid
        element.append(_write_separation(solution.disassembly, grid, start, numbers, ""))
    elif solution.levels is not None:
        SubElement(element, "separationInfo").text = " ".join(_preorder(solution.levels))
    return element


def _preorder(levels: Levels | None) -> Iterator[str]:
    if levels and levels.moves < 1:
        raise PuzzleError("a separation needs at least one move")
    yield str(levels.moves + 1 if levels else 0)
    if levels:
        yield from _preorder(levels.left)
        yield from _preorder(levels.removed)


def _require_near(spots: Iterable[Vector]) -> None:
    if any(abs(number) > FARTHEST for spot in spots for number in spot):
        raise PuzzleError(f"a piece has coordinates beyond {FARTHEST:,}")


def _write_separation(
    tree: Disassembly, grid: Grid, start: dict[int, Vector], numbers: dict[int, int], kind: str
) -> Element:
    element = Element("separation", {"type": kind} if kind else {})
    order = sorted(start, key=lambda n: numbers[n])
    pieces = SubElement(element, "pieces", count=str(len(order)))
    pieces.text = " ".join(str(numbers[n]) for n in order)
    states = [start]
    for move in tree.moves:
        if isinstance(move, Rotation) or move.parts > 1 or move.steps:
            raise PuzzleError(
                "an .xmpuzzle file cannot hold coordinate motions or moves by fractions of a cell;"
                " save the puzzle as .kumitate.json"
            )
        shift = times(_AWAY if move.units is None else 1, grid.spot_shift(move.shift))
        now = states[-1]
        states.append({n: add(now[n], shift) if n in move.pieces else now[n] for n in order})
    for state in states:
        _require_near(state.values())
        child = SubElement(element, "state")
        for name, axis in (("dx", 0), ("dy", 1), ("dz", 2)):
            SubElement(child, name).text = " ".join(str(state[n][axis]) for n in order)
    gone = tree.moves[-1].pieces
    for part, name in ((tree.removed, "removed"), (tree.left, "left")):
        if part is not None:
            begin = {n: states[-2][n] for n in order if (n in gone) == (name == "removed")}
            element.append(_write_separation(part, grid, begin, numbers, name))
    return element
