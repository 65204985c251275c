"""What single cells do: every change of one cell, and what becomes of the puzzle.

A cell is given to a piece that touches it, emptied, or filled; pieces stay connected. Each change
is judged by how the pieces come apart where they lie and, if they do, by all other assemblies. So a
designer sees which cells make a puzzle harder, easier or unique, and which one would free a puzzle
that does not come apart.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from kumitate import workshop
from kumitate.designer.design import MOST_NODES, MOST_STATES, copies_of
from kumitate.designer.discover import Terms, judge, look
from kumitate.designer.recipes import inside, kept_pieces
from kumitate.model.geometry import Cell, subtract
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Problem
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Levels, Solution

WAYS_TO_MAKE = {
    "notchable": workshop.notchable,
    "millable": workshop.millable,
    "printable": workshop.printable,
}


@dataclass(frozen=True)
class Changed:
    """A puzzle with a cell changed, or as it is, and what becomes of it."""

    goal: Shape
    shapes: Sequence[Shape] = field(repr=False)  # each piece where it lies
    cell: Cell | None = None
    loser: str | None = None  # the piece that had the cell; None: it was empty
    taker: str | None = None  # the piece that gets it; None: it is emptied

    @cached_property
    def _look(self) -> tuple[str, Levels | None]:
        pieces = [sorted(shape.cells) for shape in self.shapes]
        return look(pieces, self.goal.grid, MOST_STATES)

    @property
    def ending(self) -> str:
        """What becomes of the pieces where they lie: apart, rigid, stuck, or limit."""
        ending, levels = self._look
        return "apart" if levels else ending if ending in ("rigid", "stuck") else "limit"

    @property
    def levels(self) -> Levels | None:
        """How the pieces come apart where they lie; None if they do not."""
        return self._look[1]

    @property
    def level(self) -> int:
        """Moves to the first separation; 0 if it does not come apart."""
        return self.levels.moves if self.levels else 0

    @cached_property
    def problem(self) -> Problem:
        """The goal and the pieces after the change."""
        alike = {(colour, colour) for colour in self.goal.colours.values()}
        return Problem(self.goal, copies_of(self.shapes), allowed=alike)

    @cached_property
    def _verdict(self) -> str | tuple[Solution, int, int]:
        return judge(self.problem, Terms(1, False, 0, MOST_NODES, MOST_STATES))

    @property
    def solutions(self) -> int | None:
        """How many assemblies of these pieces come apart; None if unknown."""
        return None if isinstance(self._verdict, str) else self._verdict[2]

    @cached_property
    def makes(self) -> frozenset[str]:
        """How all pieces can be made without glue: notchable, millable, printable."""
        if self.goal.grid != CUBES:
            return frozenset()
        return frozenset(name for name, can in WAYS_TO_MAKE.items() if all(map(can, self.shapes)))

    @property
    def where(self) -> str:
        """The cell in words, as a drawing of the goal shows it.

        >>> Changed(Shape.from_text(CUBES, "##"), [], (1, 0, 0, 0)).where
        'column 2, row 1, layer 1'
        """
        assert self.cell is not None
        grid = self.goal.grid
        low = [min(axis) for axis in zip(*map(grid.spot, self.goal.cells), strict=True)]
        column, row, layer = subtract(grid.spot(self.cell), (low[0], low[1], low[2]))
        return f"column {column + 1}, row {row + 1}, layer {layer + 1}"

    @property
    def what(self) -> str:
        """The change in words.

        >>> Changed(Shape.from_text(CUBES, "##"), [], (1, 0, 0, 0), "A").what
        'empty A at column 2, row 1, layer 1'
        """
        if self.taker is None:
            return f"empty {self.loser} at {self.where}"
        if self.loser is None:
            return f"let {self.taker} fill {self.where}"
        return f"move the cell at {self.where} from {self.loser} to {self.taker}"


def changes(assembly: Assembly, keep: Collection[str] = ()) -> Iterator[Changed]:
    """The puzzle as it is, and then with every change of a single cell of its goal.

    Pieces named in `keep` stay as they are.

    >>> box = Assembly.from_text(CUBES, "AAAA  AAAA  AAAA / AAAA  AB.A  AAAA / AAAA  AAAA  AAAA")
    >>> now, *others = changes(box)
    >>> now.ending, next(change.what for change in others if change.level)
    ('stuck', 'move the cell at column 1, row 2, layer 2 from A to B')
    """
    goal, shapes = assembly.problem.goal, assembly.shapes
    names = [assembly.label(number) for number in range(len(shapes))]
    shapes = tuple(shape.named(name) for shape, name in zip(shapes, names, strict=True))
    now = Changed(goal, shapes)
    yield now
    kept = kept_pieces(assembly, keep)
    owner = {cell: n for n, shape in enumerate(shapes) for cell in shape.cells}
    deep = inside(goal)
    for cell in goal:
        loser = owner.get(cell)
        if loser in kept:
            continue
        touching = {owner[near] for near in goal.neighbours(cell) if near in owner}
        takers = [n for n in sorted(touching) if n != loser and n not in kept]
        for taker in [*takers, *([None] if loser is not None else [])]:
            changed = list(shapes)
            if loser is not None:
                changed[loser] = _without(shapes[loser], cell)
            if taker is not None:
                changed[taker] = _with(shapes[taker], cell, goal)
            if loser is not None and not (changed[loser].cells and changed[loser].connected):
                continue
            there = goal
            if taker is None and cell not in goal.optional:  # a new hole, or a dent
                room = goal.optional | deep
                there = replace(goal, optional=room) if cell in deep else _without(goal, cell)
            loses = names[loser] if loser is not None else None
            yield Changed(there, changed, cell, loses, names[taker] if taker is not None else None)


def _without(shape: Shape, cell: Cell) -> Shape:
    return shape.restricted(shape.cells - {cell})


def _with(shape: Shape, cell: Cell, goal: Shape) -> Shape:
    colour = goal.colours.get(cell, 0)
    return replace(shape, cells=shape.cells | {cell}, colours={**shape.colours, cell: colour})
