"""Recipes: what a goal on the command line or in Python means, as a space of puzzles.

A box such as 5x5x5 and a shape are cut into pieces. An assembly is a start: its pieces change cell
by cell, but for those that are kept. A family has a name, and sizes after a slash, as burr18 or
tray/6x6: its recipe says where each piece is at home and what may stay empty.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

from kumitate.designer.engine import Way
from kumitate.designer.families import Cuts, require_holes, slides_away
from kumitate.designer.packings import Turning, drawn, hollowed
from kumitate.designer.space import (
    MORE,
    MOST_CELLS,
    MOST_PIECES,
    Space,
    require_cells,
    require_pieces,
)
from kumitate.designer.sticks import MOST_LACKING, Exchanged, may_lack
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grids import CUBES, RHOMBS, SPHERES
from kumitate.model.numbers import count_of
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly
from kumitate.model.wish import Wish
from kumitate.workshop import millable, notchable, printable

PIECES = 4  # unless the user says how many
MOST_HOLES = 40  # of a burr; with more of them sticks rattle, and come apart too soon
TOOLS = {"notchable": notchable, "millable": millable, "printable": printable}
_SIZE = "[1-9][0-9]{0,3}"
_SIDE = "([0-9]{1,18})"
_BOX = re.compile(rf"{_SIDE}x{_SIDE}(?:x{_SIDE})?")


@dataclass(frozen=True)
class Recipe:
    """Where the pieces of a design may lie, and how to find candidates if not by the engine."""

    title: str
    goal: Shape  # to fill; the cells that may stay empty are optional
    space: Space
    given: Mapping[int, Shape] = field(default_factory=dict)  # pieces that stay as they are
    colours: Sequence[str] = ()
    way: Callable[..., Way] | None = None
    maximise: Sequence[str] = ()  # unless the user says what
    unique: bool = False  # it has exactly one solution
    as_designed: bool = False  # other assemblies of the pieces do not matter
    walls: frozenset[Cell] = frozenset()  # those that are empty are openings, not to be filled
    turns: float | None = None  # pieces may turn, at this tolerance


def recipe_for(
    goal: str | Shape | Assembly | Space,
    wish: Wish,
    *,
    title: str = "",
    colours: Sequence[str] = (),
) -> Recipe:
    """What to design; impossible wishes are refused.

    >>> recipe_for("4x4x4", Wish(pieces=5, holes=2)).title
    '4x4x4 in 5 pieces'
    >>> len(recipe_for("burr18", Wish()).space.homes)
    18
    """
    if isinstance(goal, str) and (cube := box(goal)):
        return _of_shape(cube, wish)
    if wish.home and not isinstance(goal, Shape):
        raise PuzzleError("--home needs a goal that is cut into new pieces, such as 5x5x5")
    if isinstance(goal, str):
        name, _, size = goal.partition("/")
        if name not in FAMILIES:
            known = ", ".join(FAMILIES)
            raise PuzzleError(
                f"{goal}: neither a box such as 5x5x5 nor a family; the families are {known}"
            )
        if wish.keep:
            raise PuzzleError(
                f"there is no piece {wish.keep[0]!r} to keep: {name} is designed from scratch;"
                " leave out --keep"
            )
        return FAMILIES[name](_sizes(goal, size), wish)
    if isinstance(goal, Shape):
        return _of_shape(goal, wish, colours, title)
    if isinstance(goal, Assembly):
        return _of_assembly(goal, wish, title, colours)
    if not isinstance(goal, Space):
        raise PuzzleError(
            f"cannot design {goal!r}; give a box such as 5x5x5, a shape or an assembly"
        )
    empty = goal.frame.cells if not goal.inner else inside(goal.frame)
    given = {n: Shape(goal.frame.grid, goal.homes[n]) for n in goal.kept}
    return Recipe(title or "Design", replace(goal.frame, optional=empty), goal, given)


def with_turns(recipe: Recipe, wish: Wish) -> Recipe:
    """The same, for puzzles that do not come apart without turns."""
    if recipe.way or recipe.goal.grid != CUBES:
        raise PuzzleError(f"{recipe.title}: cannot maximise turns; pieces turn in cubes and burrs")
    if wish.unique or wish.no_turns is not None:
        raise PuzzleError("--unique and --no-turns cannot be combined with --maximise turns")
    goal = replace(recipe.goal, optional=recipe.goal.cells)  # turns need room, dents outside too
    return replace(recipe, goal=goal, way=Turning, as_designed=True, turns=0.0)


def box(name: str, most: int = MOST_CELLS) -> Shape | None:
    """A box of cubes by its size, if that is what the name says; it has at most so many cells.

    >>> len(box("2x3x4")), box("soma")
    (24, None)
    """
    found = _BOX.fullmatch(name)
    if not found:
        return None
    a, b, c = (1 if size is None else int(size) for size in found.groups())
    if not a * b * c:
        raise PuzzleError(f"{name}: the sides of a box are 1 or more")
    require_cells(a * b * c, most)
    return Shape(CUBES, _block((a, b, c)), name=name)


def inside(shape: Shape) -> frozenset[Cell]:
    """The cells of a shape that touch nothing outside."""
    return frozenset(cell for cell in shape.cells if shape.cells >= set(shape.neighbours(cell)))


def _block(size: Sequence[int]) -> set[Cell]:
    return {(x, y, z, 0) for x, y, z in product(*map(range, size))}


def _sizes(goal: str, text: str) -> tuple[int, ...]:
    """The sizes after a slash: 6, or 6x6."""
    if not text and not goal.endswith("/"):
        return ()
    if not re.fullmatch(rf"{_SIZE}(x{_SIZE}){{0,2}}", text):
        raise PuzzleError(f"{goal}: write sizes after the slash, such as cube/5 or tray/6x6")
    return tuple(map(int, text.split("x")))


def _range(wish: Wish, least: int, most: int) -> tuple[int, int]:
    """How many cells may stay empty: as wished, or else in this range."""
    if wish.holes is None:
        return least, most
    return wish.holes if isinstance(wish.holes, tuple) else (wish.holes, wish.holes)


def _limits(wish: Wish) -> tuple[int, int]:
    return wish.smallest or 1, wish.largest or MORE


# ---- a shape that is cut, an assembly that changes ----


def _of_shape(goal: Shape, wish: Wish, colours: Sequence[str] = (), title: str = "") -> Recipe:
    homes = [_home(goal, drawing, n) for n, drawing in enumerate(wish.home, 1)]
    pieces = wish.pieces or len(homes) or PIECES
    if homes and len(homes) != pieces:
        raise PuzzleError(f"{count_of(len(homes), 'home')} for {pieces} pieces; draw one for each")
    require_pieces(pieces)
    room = goal.optional or inside(goal)
    low, high = _range(wish, 0 if goal.optional else min(1, len(room)), len(goal.optional) or 1)
    high = min(high, len(room)) if wish.holes is None else high
    for some in (low, high):
        Cuts(goal, pieces, some, wish.smallest or 1)  # which refuses what is impossible
    if wish.keep:
        raise PuzzleError(
            f"there is no piece {wish.keep[0]!r} to keep: the goal is cut from scratch;"
            " leave out --keep"
        )
    _require_room(wish, pieces, len(goal) - high)
    _require_alike(wish, pieces, len(goal), low, high)
    _require_level(goal, high, wish)
    bare = goal.cells - frozenset().union(*homes) if homes else ()
    if len(bare) > high:
        raise PuzzleError(
            f"{count_of(len(bare), 'cell')} of the goal lie in no home, and at most {high} may stay"
            " empty; draw larger homes, or allow holes"
        )
    space = Space(
        replace(goal, optional=frozenset()),
        tuple(homes) or (frozenset(goal.cells),) * pieces,
        holes=(low, high),
        inner=not goal.optional,
        sizes=_limits(wish),
    )
    title = title or f"{goal.name or 'A goal'} in {count_of(pieces, 'piece')}"
    goal = replace(goal, optional=room if high else frozenset())
    return Recipe(title, goal, space, colours=colours)


def _home(goal: Shape, drawing: str, number: int) -> frozenset[Cell]:
    """The cells of a goal that a drawing of the same size shows."""
    low = [min(axis) for axis in zip(*goal.cells, strict=True)]
    home = Shape.from_text(goal.grid, drawing, (low[0], low[1], low[2]), name=f"home {number}")
    if not home.cells or not home.cells <= goal.cells:
        where = "lies outside the goal" if home.cells else "is empty"
        raise PuzzleError(f"the home of piece {number} {where}; draw it in a picture of the goal")
    return frozenset(home.cells)


def _require_room(wish: Wish, pieces: int, cells: int) -> None:
    if wish.largest is not None and pieces * wish.largest < cells:
        raise PuzzleError(
            f"{count_of(pieces, 'piece')} of at most {count_of(wish.largest, 'cell')} cannot fill"
            f" {count_of(cells, 'cell')}"
        )


def _require_alike(wish: Wish, pieces: int, cells: int, low: int, high: int) -> None:
    if wish.identical and not any((cells - holes) % pieces == 0 for holes in range(low, high + 1)):
        raise PuzzleError(
            f"{count_of(cells - low, 'cell')} cannot be cut into {count_of(pieces, 'piece')} of the"
            " same size, so they cannot be identical; change --pieces or --holes"
        )


def _require_level(goal: Shape, holes: int, wish: Wish) -> None:
    if (wish.level or 1) > 1 and not holes and slides_away(goal):
        raise PuzzleError(
            f"level {wish.level} is impossible: cubes that fill such a goal come apart at the"
            " first move or not at all; allow holes"
        )


def _of_assembly(start: Assembly, wish: Wish, title: str, colours: Sequence[str]) -> Recipe:
    labels = [start.label(n) for n in range(len(start.placements))]
    names = [start.problem.label(placement.piece) for placement in start.placements]
    kept = kept_pieces(start, wish.keep)
    goal = start.problem.goal
    shapes = [start.shapes[n] for n in kept]
    free = frozenset(goal.cells).difference(*(shape.cells for shape in shapes))
    new = wish.pieces
    others = [n for n in range(len(labels)) if n not in kept]
    amount = new if new is not None else len(others)
    if not amount:
        raise PuzzleError("every piece is kept, so there is nothing to design")
    if not 1 <= amount <= MOST_PIECES - len(kept) or len(free) < amount * (wish.smallest or 1):
        raise PuzzleError(
            f"{count_of(len(free), 'cell')} cannot be cut into {count_of(amount, 'piece')} of at"
            f" least {count_of(wish.smallest or 1, 'cell')}"
        )
    now = len(goal.cells) - sum(map(len, start.shapes))
    room = len(free) - amount * (wish.smallest or 1)
    low, high = _range(wish, 0, min(max(now, len(goal.optional & free)), room))
    optional = goal.optional or inside(goal) if high else goal.optional
    if not low <= high <= len(free) - amount:
        raise PuzzleError(
            f"{count_of(high, 'hole')} cannot be made in {count_of(len(free), 'cell')}"
        )
    _require_room(wish, amount, len(free) - high)
    pieces = tuple(frozenset(start.shapes[n].cells) for n in [*kept, *others])
    space = Space(
        Shape(goal.grid, goal.cells, name=goal.name),
        (*(frozenset(shape.cells) for shape in shapes), *(free,) * amount),
        start=pieces if new is None else None,
        kept=frozenset(range(len(kept))),
        holes=(low, high),
        inner=not goal.optional,
        sizes=_limits(wish),
    )
    given = {
        n: replace(shape, name=names[where], weight=max(shape.weight, 2))
        for n, (where, shape) in enumerate(zip(kept, shapes, strict=True))
    }
    named = title or goal.name or "Design"
    return Recipe(named, replace(goal, optional=optional), space, given, colours)


def kept_pieces(assembly: Assembly, names: Collection[str]) -> list[int]:
    """Which placements of an assembly these names mean: all copies of a piece, or one of them."""
    labels = [assembly.label(n) for n in range(len(assembly.placements))]
    kinds = [assembly.problem.label(placement.piece) for placement in assembly.placements]
    for name in names:
        if name not in labels and name not in kinds:
            raise PuzzleError(
                f"there is no piece {name!r} to keep; the pieces are {', '.join(labels)}"
            )
    both = enumerate(zip(labels, kinds, strict=True))
    return [n for n, known in both if not {*known}.isdisjoint(names)]


# ---- families ----


def _side(name: str, size: tuple[int, ...]) -> int:
    """The only size of a family."""
    if len(size) > 1:
        raise PuzzleError(f"{name}: all its sides are the same; write one size, such as {name}/4")
    return size[0] if size else 5


def _cube(size: tuple[int, ...], wish: Wish) -> Recipe:
    side = _side("cube", size)
    cube = box(f"{side}x{side}x{side}")
    assert cube is not None
    return _of_shape(cube, wish)


def _burr(
    title: str, length: int, rows: tuple[int, int], columns: tuple[int, int]
) -> Callable[[tuple[int, ...], Wish], Recipe]:
    """Sticks in three bundles that cross: rows and columns of so many sticks, so thick."""

    def recipe(size: tuple[int, ...], wish: Wish) -> Recipe:
        long = (size or (length,))[0]
        shortest = max(math.prod(rows), math.prod(columns)) + 2
        if len(size) > 1 or long < shortest or long % 2:
            raise PuzzleError(f"{title}: the length must be an even number, {shortest} or more")
        homes = bundles(long, rows, columns)
        _only(wish, "pieces", len(homes), title)
        frame = Shape(CUBES, frozenset[Cell]().union(*homes), name="burr")
        room = inside(frame)
        holes = _range(wish, 0, min(len(room) * 3 // 5, MOST_HOLES))
        require_holes(holes[1], len(room), "inside")
        space = Space(frame, tuple(homes), holes=holes, sizes=_limits(wish))
        fits = [can for name, can in TOOLS.items() if getattr(wish, name)]
        way: Callable[..., Way] | None = None
        if fits and len(may_lack(space, 0)) <= MOST_LACKING:
            way = partial(Exchanged, lambda stick: all(can(stick) for can in fits))
        return Recipe(title, replace(frame, optional=room), space, way=way)

    return recipe


def bundles(length: int, rows: tuple[int, int], columns: tuple[int, int]) -> list[frozenset[Cell]]:
    """The cells of sticks along each axis, around the origin: (how many, how thick) each way.

    >>> [len(stick) for stick in bundles(6, (1, 2), (2, 2))]
    [24, 24, 24, 24, 24, 24]
    """
    every = product(range(3), _spans(*rows), _spans(*columns))
    return [_stick(axis, length, a, b) for axis, a, b in every]


def _spans(amount: int, thick: int) -> list[range]:
    first = -(amount * thick // 2)
    return [range(first + n * thick, first + (n + 1) * thick) for n in range(amount)]


def _stick(axis: int, length: int, a: range, b: range) -> frozenset[Cell]:
    cells = set()
    for place in product(range(-(length // 2), length - length // 2), a, b):
        x, y, z = (*place, *place)[3 - axis : 6 - axis]
        cells.add((x, y, z, 0))
    return frozenset(cells)


def _only(wish: Wish, name: str, number: int, title: str) -> None:
    if getattr(wish, name) not in (None, number):
        raise PuzzleError(f"{title}: it always has {number} {name}; leave out --{name}")


def _box_with_opening(size: tuple[int, ...], wish: Wish) -> Recipe:
    """A closed box but for a hole in the lid, one row and one column smaller than the room."""
    room, walls = _boxed(size)
    a, b, c, _ = max(room)
    gap = {(x, y, c + 1, 0) for x in range(1, max(a, 2)) for y in range(1, max(b, 2))}
    recipe = _packing("box", room, walls - gap, wish, openings=0)
    box = {0: Shape(CUBES, walls - gap, name="box", weight=2)}
    return replace(recipe, space=replace(recipe.space, kept=frozenset(box)), given=box)


def _cage(size: tuple[int, ...], wish: Wish) -> Recipe:
    """A box whose walls are designed as well: they may have openings anywhere."""
    room, walls = _boxed(size)
    recipe = _packing("cage", room, walls, wish, openings=len(walls) // 3)
    anything = replace(recipe.space, sizes=(wish.smallest or 1, MORE))  # so are the walls
    return replace(recipe, space=anything, walls=walls)


def _boxed(size: tuple[int, ...]) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """A room, and the walls around it."""
    a, b, c = _three(size or (3, 3, 3))
    room = frozenset((x + 1, y + 1, z + 1, 0) for x, y, z, _ in _block((a, b, c)))
    return room, frozenset(_block((a + 2, b + 2, c + 2)) - room)


def _packing(
    kind: str, room: frozenset[Cell], walls: frozenset[Cell], wish: Wish, *, openings: int
) -> Recipe:
    """Pieces in a room; the walls are the first piece, and lack at most so many cells."""
    pieces = wish.pieces or 3
    holes = _range(wish, 0, len(room) // 4 + openings)
    if holes[1] > len(room) - pieces * (wish.smallest or 1) + openings:
        raise PuzzleError(
            f"{count_of(pieces, 'piece')} and {count_of(holes[1], 'hole')} are too many for"
            f" {count_of(len(room), 'cell')}"
        )
    a, b, c, _ = max(room)
    goal = Shape(CUBES, walls | room, name=f"packed {kind}", optional=room)
    space = Space(
        Shape(CUBES, goal.cells),
        (walls, *(room,) * pieces),
        holes=holes,
        inner=False,
        sizes=_limits(wish),
    )
    return Recipe(f"{a}x{b}x{c} {kind} in {count_of(pieces, 'piece')}", goal, space)


def _three(size: tuple[int, ...]) -> tuple[int, int, int]:
    if len(size) == 1:
        size = size * 3
    if len(size) != 3 or max(size) > 20:
        raise PuzzleError("write the inside of the box as 3x3x3, with sides up to 20")
    a, b, c = size
    return a, b, c


def _pyramid(size: tuple[int, ...], wish: Wish) -> Recipe:
    side = _side("pyramid", size)
    if side > 20:
        raise PuzzleError(f"pyramid/{side}: at most 20 balls along an edge")
    balls = {cell for cell in _block((side,) * 3) if sum(cell) < side}
    return _of_shape(Shape(SPHERES, balls, name=f"pyramid {side}"), wish)


def _rhombic(size: tuple[int, ...], wish: Wish) -> Recipe:
    """A rhombic dodecahedron: a cube of 24 tiles with a pyramid of four on each of its faces."""
    if size:
        raise PuzzleError("rhombic: it has just one size; leave out the slash")
    cube = Shape(RHOMBS, {(0, 0, 0, tile) for tile in range(len(RHOMBS.tiles))})
    around = {cell for tile in cube for cell in cube.neighbours(tile)}
    goal = Shape(RHOMBS, cube.cells | around, name="rhombic dodecahedron")
    return _of_shape(goal, wish)


def _tray(size: tuple[int, ...], wish: Wish) -> Recipe:
    """A flat board; nothing to climb, since every piece lifts out, so boards are cut at random."""
    if len(size) > 2:
        raise PuzzleError("tray: it is flat; write two sizes, such as tray/6x8")
    a, b = (*(size or (6, 6)), *size)[:2]
    board = box(f"{a}x{b}")
    assert board is not None
    pieces, smallest = wish.pieces or 7, wish.smallest or 3
    cuts = Cuts(board, pieces, 0, smallest)
    _only(wish, "holes", 0, "tray")
    _require_alike(wish, pieces, len(board), 0, 0)
    _require_flat(wish, "tray")
    space = Space(board, (frozenset(board.cells),) * pieces, sizes=_limits(wish))
    title = f"{a}x{b} tray with {count_of(pieces, 'piece')}"
    way = drawn(cuts)
    return Recipe(title, board, space, way=way, maximise=("smallest",), unique=True)


def _require_flat(wish: Wish, title: str) -> None:
    if (wish.level or 1) > 1:
        raise PuzzleError(f"{title}: every piece lifts out, so level {wish.level} is impossible")


def _antislide(size: tuple[int, ...], wish: Wish) -> Recipe:
    """A closed box in which no piece can slide, though as many cells as possible are empty."""
    a, b, c = _three(size or (4, 4, 4))
    room = Shape(CUBES, _block((a, b, c)), name=f"{a}x{b}x{c}")
    pieces, smallest = wish.pieces or 8, wish.smallest or 3
    if wish.unique or wish.no_turns is not None:
        raise PuzzleError("antislide: --unique and --no-turns have no effect, since nothing moves")
    _require_flat(wish, "antislide")
    cuts = Cuts(room, pieces, 0, smallest)
    around = {(x - 1, y - 1, z - 1, 0) for x, y, z, _ in _block((a + 2, b + 2, c + 2))}
    walls = frozenset(around - room.cells)
    low, high = _range(wish, 0, len(room) - pieces * smallest)
    _require_alike(wish, pieces, len(room), low, high)
    homes = (frozenset(room.cells),) * pieces
    space = Space(room, homes, holes=(low, high), inner=False, sizes=_limits(wish))
    return Recipe(
        f"{a}x{b}x{c} anti-slide packing of {count_of(pieces, 'piece')}",
        replace(room, optional=room.cells),
        space,
        way=hollowed(cuts, walls, low, high),
        maximise=("most-holes",),
        as_designed=True,
    )


FAMILIES: dict[str, Callable[[tuple[int, ...], Wish], Recipe]] = {
    "cube": _cube,
    "burr6": _burr("Six-piece burr", 6, (1, 2), (2, 2)),
    "burr18": _burr("Eighteen-piece burr", 8, (2, 2), (3, 2)),
    "board-burr": _burr("Six-board burr", 6, (1, 4), (2, 1)),
    "box": _box_with_opening,
    "cage": _cage,
    "pyramid": _pyramid,
    "rhombic": _rhombic,
    "tray": _tray,
    "antislide": _antislide,
}
