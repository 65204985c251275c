"""Random documents: any that our own format can keep, and those that BurrTools' can keep too.

They make no sense as puzzles: placements overlap, and moves go nowhere. A file keeps what it is
given; whether that is a right answer is for the referee to judge.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

from kumitate import (
    CUBES,
    Answers,
    Assembly,
    Disassembly,
    Document,
    Grid,
    Levels,
    Move,
    Piece,
    Placement,
    Problem,
    Puzzle,
    Rotation,
    Shape,
    Solution,
)
from kumitate.grids import GRIDS, PRISMS, RHOMBS, SPHERES, TETROCTS
from kumitate.model.geometry import Cell, Vector
from kumitate.model.route import Pose
from kumitate.model.solution import AnyMove

# Grids that are not built in, so a file must have their tables: one renamed, one with the name of
# another grid, and one without a page of its own.
OWN_GRIDS = (
    replace(CUBES, name="mine"),
    replace(CUBES, name="spheres"),
    replace(PRISMS, name="prisms without a page", page=None, spots=()),
)
FAR = 900_000

coordinates = st.integers(-3, 3) | st.integers(-FAR, FAR)
counts = st.integers(0, 5) | st.integers(0, 10**15 - 1)
names = st.sampled_from(["", "a", "b"]) | st.text(max_size=12)
weights = st.sampled_from([1, 1, 0, -1, 7]) | st.integers(-(2**31), 2**31)
vectors: st.SearchStrategy[Vector] = st.tuples(coordinates, coordinates, coordinates)
palettes = st.lists(st.from_regex("#[0-9a-f]{6}", fullmatch=True), max_size=4)
looks = st.sampled_from(["", "", "#c82828", "#00a0ff"])
colour_pairs = st.frozensets(st.tuples(st.integers(1, 63), st.integers(1, 63)), max_size=3)


@st.composite
def painted(
    draw: st.DrawFn, grid: Grid, cells: set[Cell], most_colours: int, names: st.SearchStrategy[str]
) -> Shape:
    """A shape of these cells, some optional, some in colours."""
    if not cells:
        return Shape(grid, cells, name=draw(names), weight=draw(weights))
    some = st.sampled_from(sorted(cells))
    return Shape(
        grid,
        cells,
        draw(st.sets(some)),
        draw(st.dictionaries(some, st.integers(0, most_colours))),
        draw(names),
        draw(weights),
    )


@st.composite
def pieces(draw: st.DrawFn, shapes: Sequence[Shape]) -> Piece:
    low, high = sorted(draw(st.tuples(st.integers(0, 3), st.integers(0, 3))))
    groups = draw(st.dictionaries(st.integers(1, 12), st.integers(1, 3), max_size=3))
    return Piece(draw(st.sampled_from(shapes)), low, high, groups)


def levels(least: int, turning: bool = False) -> st.SearchStrategy[Levels]:
    """Trees of numbers of moves, each at least `least`."""
    moves = st.integers(least, 5) | st.integers(least, 100_000)

    def larger(smaller: st.SearchStrategy[Levels | None]) -> st.SearchStrategy[Levels]:
        slides = st.builds(Levels, moves, smaller, smaller)
        return slides.map(lambda one: replace(one, turns=one.moves // 2)) if turning else slides

    some: st.SearchStrategy[Levels | None] = st.recursive(st.none(), larger, max_leaves=6)
    return larger(some)


# ---- what our own format keeps ----


@st.composite
def shapes(draw: st.DrawFn, grid: Grid) -> Shape:
    """Shapes near or far, dense or scattered widely, or empty."""
    tile = st.integers(0, len(grid.tiles) - 1)
    near, far = st.integers(-3, 3), st.integers(-FAR, FAR)
    cells = draw(st.sets(st.tuples(near, near, near, tile), max_size=8))
    if draw(st.booleans()):
        cells |= draw(st.sets(st.tuples(far, far, far, tile), max_size=2))
    x, y, z = draw(st.just((0, 0, 0)) | st.tuples(near, near, near))
    moved: set[Cell] = {(a + x, b + y, c + z, t) for a, b, c, t in cells}
    return replace(draw(painted(grid, moved, 63, names)), colour=draw(looks))


def placements(problem_pieces: int, grid: Grid) -> st.SearchStrategy[Placement]:
    turns = st.integers(0, len(grid.turns) - 1)
    return st.builds(Placement, st.integers(0, problem_pieces - 1), turns, vectors)


@st.composite
def rotations(draw: st.DrawFn, some: st.SearchStrategy[list[int]], parts: int) -> Rotation:
    """Any turn, half of them on routes; a route ends where a turn about the pivot would lead."""
    axis, quarters = draw(st.integers(0, 2)), draw(st.integers(-3, 3))
    pivot = [0, 0, 0]
    if quarters:
        u, v = draw(coordinates), draw(coordinates)
        pivot[axis - 2], pivot[axis - 1] = u, v + (u + v) % 2 * quarters % 2
    tolerance = Fraction(draw(st.integers(0, 4999)), 10_000)
    at = (pivot[0], pivot[1], pivot[2])
    turn = Rotation(draw(some), axis, quarters, at, parts, tolerance)
    if quarters and draw(st.booleans()):
        return turn
    numbers = st.builds(Fraction, coordinates, st.integers(1, 2**40))
    first = Pose(draw(numbers), draw(numbers), Fraction(0))
    turns = st.builds(Fraction, st.integers(-4, 4), st.integers(1, 2**40))
    between = draw(st.lists(st.builds(Pose, numbers, numbers, turns), max_size=3))
    x, y = first.x - Fraction(at[axis - 2], 2 * parts), first.y - Fraction(at[axis - 1], 2 * parts)
    for _ in range(quarters % 4):
        x, y = -y, x
    x, y = x + Fraction(at[axis - 2], 2 * parts), y + Fraction(at[axis - 1], 2 * parts)
    if not quarters:
        far = st.integers(-3, 3).map(lambda units: Fraction(units, parts))
        x, y = x + draw(far), y + draw(far)
    last = Pose(x, y, Fraction(quarters))
    if draw(st.booleans()):  # the last leg is an arc
        late = draw(st.builds(Fraction, st.integers(1, 9), st.just(10)))
        between.append(Pose(draw(numbers), draw(numbers), last.turn - late))
        last = last._replace(about=(draw(numbers), draw(numbers)))
    return replace(turn, route=[first, *between, last])


@st.composite
def separations(draw: st.DrawFn, placed: int, turning: bool, depth: int = 2) -> Disassembly:
    """Any moves of any pieces, by any fractions of a step; the last move takes them away."""
    some = st.sets(st.integers(0, placed - 1), min_size=1).map(sorted)
    steps = vectors.filter(any)
    units = draw(st.sampled_from([1, 1, 2]))
    parts = st.just(units)
    slides: st.SearchStrategy[AnyMove] = st.builds(Move, some, steps, st.integers(1, 4), parts)
    moves = draw(st.lists(slides | rotations(some, units) if turning else slides, max_size=3))
    away = draw(st.builds(Move, some, steps, st.none(), parts))
    if draw(st.sampled_from([False, False, True])):
        size = len(away.pieces)
        each = draw(st.lists(steps, min_size=size, max_size=size))
        away = replace(away, steps=each)
    part = st.none() | separations(placed, turning, depth - 1) if depth else st.none()
    return Disassembly([*moves, away], draw(part), draw(part))


@st.composite
def solutions(draw: st.DrawFn, problem: Problem) -> Solution:
    rows: list[Placement] = []
    if problem.pieces:
        rows = draw(st.lists(placements(len(problem.pieces), problem.grid), max_size=4))
    tree = draw(st.none() | separations(len(rows), problem.grid == CUBES)) if rows else None
    known = draw(st.none() | levels(0, turning=True)) if tree is None else None
    return Solution(Assembly(problem, rows), tree, known, draw(counts), draw(counts))


@st.composite
def problems(draw: st.DrawFn, grid: Grid, known: Sequence[Shape]) -> Problem:
    nothing = Shape(grid, frozenset())
    goal = draw(st.sampled_from([nothing, *known]))
    some = draw(st.lists(pieces(known), max_size=3)) if known else []
    pins: st.SearchStrategy[frozenset[Placement]] = st.just(frozenset())
    if some:
        pins = st.frozensets(placements(len(some), grid), max_size=2)
    holes = draw(st.none() | counts)
    return Problem(goal, some, draw(names), draw(colour_pairs), holes, draw(pins), draw(pins))


def answers(
    some: st.SearchStrategy[Solution], seconds: st.SearchStrategy[float]
) -> st.SearchStrategy[Answers]:
    count = st.none() | counts
    found = st.lists(some, max_size=2)
    return st.builds(Answers, found, count, count, st.booleans(), st.none() | seconds)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Anything that a .kumitate.json file keeps."""
    grid = draw(st.sampled_from([*GRIDS.values(), *OWN_GRIDS]))
    known = draw(st.lists(shapes(grid), max_size=3))
    asked = draw(st.lists(problems(grid, known), max_size=2))
    puzzle = Puzzle(
        grid,
        known,
        asked,
        draw(st.text(max_size=9)),
        draw(st.text(max_size=9)),
        draw(palettes),
        draw(st.text(max_size=30)),
        draw(st.booleans()),
    )
    seconds = st.floats(0, allow_infinity=False)
    return Document(
        puzzle, [draw(st.none() | answers(solutions(problem), seconds)) for problem in asked]
    )


# ---- what BurrTools' format keeps as well ----

BOXES: dict[Grid, Vector] = {  # the part of the page that shapes are taken from
    CUBES: (4, 3, 3),
    PRISMS: (5, 3, 2),
    SPHERES: (4, 4, 3),
    RHOMBS: (10, 5, 5),
    TETROCTS: (6, 6, 3),
}
xml_texts = st.text(
    st.characters(
        codec="utf-8",
        exclude_categories=("Cc", "Cs"),
        include_characters="\t\n\r",
        exclude_characters="\ufffe\uffff",
    ),
    max_size=12,
)
xml_names = st.sampled_from(["", "a", "b"]) | xml_texts


@cache
def page_cells(grid: Grid) -> list[Cell]:
    columns, rows, layers = BOXES[grid]
    spots = ((x, y, z) for x in range(columns) for y in range(rows) for z in range(layers))
    return sorted(cell for cell in map(grid.cell_at, spots) if cell is not None)


@st.composite
def xml_shapes(draw: st.DrawFn, grid: Grid, most_colours: int) -> Shape:
    """Shapes without cells before the first column, row or layer; only colours of the palette."""
    cells = draw(st.sets(st.sampled_from(page_cells(grid)), max_size=6))
    return draw(painted(grid, cells, most_colours, xml_names))


@st.composite
def xml_placements(draw: st.DrawFn, piece: int, shape: Shape) -> Placement:
    """Placements with the first of several equivalent turns, as a reader gives them."""
    turns = sorted({lies[0] for lies in shape.lies if lies is not None})
    near = st.integers(-3, 3)
    return Placement(piece, draw(st.sampled_from(turns)), draw(st.tuples(near, near, near)))


@st.composite
def xml_separations(
    draw: st.DrawFn, grid: Grid, part: frozenset[int], depth: int = 2
) -> Disassembly:
    """Moves along the grid's steps of some, but not all, of the part's pieces."""
    some = st.sets(st.sampled_from(sorted(part)), min_size=1, max_size=len(part) - 1).map(sorted)
    steps = st.sampled_from(grid.steps)
    moves = draw(st.lists(st.builds(Move, some, steps, st.integers(1, 4)), max_size=3))
    away = draw(st.builds(Move, some, steps, st.none()))
    parts = []
    for half in (part - set(away.pieces), part & set(away.pieces)):
        further = depth and len(half) > 1
        parts.append(draw(st.none() | xml_separations(grid, half, depth - 1)) if further else None)
    return Disassembly([*moves, away], *parts)


@st.composite
def xml_solutions(draw: st.DrawFn, problem: Problem) -> Solution:
    rows: set[Placement] = set()
    for number, piece in enumerate(problem.pieces):
        if piece.shape.cells:
            rows |= draw(st.sets(xml_placements(number, piece.shape), max_size=piece.max))
    tree = known = None
    if len(rows) > 1:
        everything = frozenset(range(len(rows)))
        tree = draw(st.none() | xml_separations(problem.grid, everything))
    if tree is None:
        known = draw(st.none() | levels(1))
    found = st.integers(0, 100_000)
    return Solution(Assembly(problem, sorted(rows)), tree, known, draw(found), draw(found))


@st.composite
def xml_problems(draw: st.DrawFn, grid: Grid, known: Sequence[Shape], most_colours: int) -> Problem:
    goal = draw(st.sampled_from([Shape(grid, frozenset()), *known]))
    some = draw(st.lists(pieces(known), max_size=3)) if known else []
    allowed: frozenset[tuple[int, int]] = frozenset()
    if most_colours:
        colour = st.integers(1, most_colours)
        allowed = draw(st.frozensets(st.tuples(colour, colour), max_size=3))
    ranged = any(piece.min != piece.max for piece in some)
    holes = draw(st.none() | counts) if ranged else None
    return Problem(goal, some, draw(xml_names), allowed, holes)


@st.composite
def xml_documents(draw: st.DrawFn) -> Document:
    """Anything that an .xmpuzzle file keeps."""
    grid = draw(st.sampled_from(list(BOXES)))
    palette = draw(palettes)
    known = draw(st.lists(xml_shapes(grid, len(palette)), max_size=3))
    asked = draw(st.lists(xml_problems(grid, known, len(palette)), max_size=2))
    puzzle = Puzzle(
        grid, known, asked, colours=palette, comment=draw(xml_texts), popup=draw(st.booleans())
    )
    seconds = st.integers(0, 10**9)
    return Document(
        puzzle, [draw(st.none() | answers(xml_solutions(problem), seconds)) for problem in asked]
    )
