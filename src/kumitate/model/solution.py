"""Assembly, Disassembly, Solution: what is answered.

Pieces in a disassembly are numbered as the placements of its assembly, so copies can be told
apart. A separation is a list of moves of which the last takes some pieces away for good; then
what stays (`left`) and what went (`removed`) come apart in the same manner, until every part is a
single piece or a group.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import NoneType

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell, Vector, times
from kumitate.model.grid import Grid
from kumitate.model.identity import Identity, identify_placements
from kumitate.model.lazy import Lazy
from kumitate.model.numbers import count_of, ratio_of
from kumitate.model.puzzle import Piece, Placement, Problem, placement_on
from kumitate.model.rotation import Rotation
from kumitate.model.shape import Shape, no_cell
from kumitate.model.text import draw_page, read_page, wrap_pairs

_LETTER = re.compile(r"[A-Za-z0-9._]")


@dataclass(frozen=True)
class Assembly(Lazy):
    """Placements that should fill the goal of a problem; the referee says whether they do.

    >>> from kumitate.model.grids import CUBES
    >>> assembly = Assembly.from_text(CUBES, "AAB/ABB")
    >>> print(assembly)
    AAB
    ABB
    >>> print(assembly.problem)
    A, B fill the goal (6 cells)
    """

    problem: Problem
    placements: Sequence[Placement]  # sorted, so equal assemblies are equal values

    def __post_init__(self) -> None:
        object.__setattr__(self, "placements", tuple(sorted(self.placements)))

    def __repr__(self) -> str:
        goal = self.problem.goal.name or count_of(len(self.problem.goal), "cell")
        return f"<Assembly: {count_of(len(self.placements), 'piece')} in {goal}>"

    @classmethod
    def from_text(cls, grid: Grid, text: str, problem: Problem | None = None) -> "Assembly":
        """Read a drawing with one letter for each piece: puzzle and answer in one.

        If a problem is given, the drawing is an answer to it, whatever the letters.
        """
        cells: dict[str, set[Cell]] = {}
        for spot, letter in read_page(text, _LETTER):
            if letter in "._":
                continue
            cell = grid.cell_at(spot)
            if cell is None:
                raise no_cell(grid, spot)
            cells.setdefault(letter, set()).add(cell)
        if problem is not None:
            return cls(problem, _placements(problem, cells))
        shapes = [Shape(grid, cells[letter], name=letter) for letter in sorted(cells)]
        goal = Shape(grid, {cell for part in cells.values() for cell in part})
        here = (Placement(n, 0, (0, 0, 0)) for n in range(len(shapes)))
        return cls(Problem(goal, [Piece(shape) for shape in shapes]), tuple(here))

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """What each placement covers."""
        return tuple(p.placed(self.problem.pieces[p.piece].shape) for p in self.placements)

    @cached_property
    def identities(self) -> tuple[Identity, ...]:
        """The name, the colour and the letter of each placement."""
        placed = [placement.piece for placement in self.placements]
        pieces = self.problem.pieces
        painted = {number for number, piece in enumerate(pieces) if piece.shape.colour}
        return identify_placements(self.problem.identities, placed, painted)

    def letter(self, placement: int) -> str:
        """The letter that stands for a placement in drawings."""
        return self.identities[placement].letter

    def label(self, placement: int) -> str:
        """The piece's name, and which copy of it when there are several."""
        return self.identities[placement].name

    def colour(self, placement: int) -> str:
        """The colour of a placement: its piece's, or for further copies one that is left over."""
        return self.identities[placement].colour

    @property
    def legend(self) -> str:
        """The letters of the drawing that differ from the labels, as `A = frame, B = stick.1`."""
        named = ((who.letter, who.name) for who in self.identities)
        return ", ".join(f"{letter} = {name}" for letter, name in named if letter != name)

    @property
    def text(self) -> str:
        """The drawing, and below it the legend, if letters differ from names.

        >>> from kumitate.model.grids import CUBES
        >>> bar = Shape.from_text(CUBES, "##", name="bar")
        >>> problem = Problem(Shape.from_text(CUBES, "####"), [Piece(bar, 2)])
        >>> print(Assembly.from_text(CUBES, "AABB", problem).text)
        AABB
        A = bar.1, B = bar.2
        """
        return "\n".join([str(self), *wrap_pairs(self.legend)])

    def __str__(self) -> str:
        page = {}
        for number, shape in enumerate(self.shapes):
            page.update(dict.fromkeys(shape.cells, self.letter(number)))
        return draw_page(self.problem.grid, page)


def _placements(problem: Problem, cells: Mapping[str, Set[Cell]]) -> list[Placement]:
    """A piece for each letter; of several that fit, the first that is not used up."""
    found: list[Placement] = []
    for letter in sorted(cells):
        fitting = (
            placement
            for number, piece in enumerate(problem.pieces)
            if sum(p.piece == number for p in found) < piece.max
            and (placement := placement_on(number, piece.shape, cells[letter])) is not None
        )
        placement = next(fitting, None)
        if placement is None:
            raise PuzzleError(f"drawing: no unused piece has the shape of the {letter}")
        found.append(placement)
    return found


@dataclass(frozen=True)
class Move:
    """Some pieces slid together along a step, any number of units; units None: away for good.

    A unit is the step, or a part of it where pieces may stop between the cells. In a coordinate
    motion pieces go away all at once, each along a step of its own; `step` is then that of the
    first of them.
    """

    pieces: Sequence[int]  # which of the assembly's placements
    step: Vector
    units: int | None
    parts: int = 1  # units in a step
    steps: Sequence[Vector] = ()  # of each of the pieces, in a coordinate motion

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))
        if self.steps:
            pairs = sorted(zip(self.pieces, self.steps, strict=True))
            object.__setattr__(self, "steps", tuple(step for _, step in pairs))
            object.__setattr__(self, "step", self.steps[0])
        object.__setattr__(self, "pieces", tuple(sorted(self.pieces)))

    def __repr__(self) -> str:
        rest = f", parts={self.parts}" * (self.parts > 1) + f", steps={self.steps}" * bool(
            self.steps
        )
        return f"Move(pieces={self.pieces}, step={self.step}, units={self.units}{rest})"

    @property
    def shift(self) -> Vector:
        """How far the pieces go, in units; for a move away, one of it."""
        return times(1 if self.units is None else self.units, self.step)

    @property
    def ways(self) -> dict[int, Vector]:
        """Along which step each piece goes."""
        return dict(zip(self.pieces, self.steps or [self.step] * len(self.pieces), strict=True))

    def describe(self, assembly: Assembly) -> str:
        """In words.

        >>> from kumitate.model.grids import CUBES
        >>> Move([1], (0, -1, 0), None).describe(Assembly.from_text(CUBES, "B/A"))
        'B slides out to the front'
        """
        if self.steps:
            grid = assembly.problem.grid
            ways = (f"{assembly.label(n)} {_out(grid, way)}" for n, way in self.ways.items())
            return f"all slide out at once: {', '.join(ways)}"
        return self._slide(assembly, "out", self.step)

    def describe_undone(self, assembly: Assembly) -> str:
        """The move undone, in words.

        >>> from kumitate.model.grids import CUBES
        >>> Move([1], (0, -1, 0), None).describe_undone(Assembly.from_text(CUBES, "B/A"))
        'B slides in to the back'
        """
        if self.steps:
            return f"all together: {', '.join(map(assembly.label, self.pieces))}"
        return self._slide(assembly, "in", times(-1, self.step))

    def _slide(self, assembly: Assembly, out: str, step: Vector) -> str:
        names, grid = ", ".join(map(assembly.label, self.pieces)), assembly.problem.grid
        slides = f"{names} slide{'s' * (len(self.pieces) == 1)}"
        if self.units is None:
            return f"{slides} {out} {_out(grid, step)}"
        return f"{slides} {ratio_of(self.units, self.parts)} {toward(grid, step)}"


AnyMove = Move | Rotation  # of a disassembly

_SIDES = (("left", "", "right"), ("front", "", "back"), ("down", "", "up"))


def toward(grid: Grid, step: Vector) -> str:
    """Which way a step leads, in words; as a vector, if the words fit another step just as well.

    x runs from left to right, y from front to back and z up, in space: on a grid whose steps lie
    aslant, the words say on which sides of the start the end is.

    >>> from kumitate.model.grids import CUBES, PRISMS
    >>> toward(CUBES, (0, 0, 1)), toward(CUBES, (0, -1, 0)), toward(PRISMS, (0, 1, 0))
    ('up', 'to the front', 'to the back right')
    """
    sides = _sides(grid, step)
    if sum(_sides(grid, other) == sides for other in {*grid.steps, step}) > 1:
        return f"along {step}"
    across, deep, high = (words[side] for words, side in zip(_SIDES, sides, strict=True))
    level = f"to the {' '.join(filter(None, (deep, across)))}" if across or deep else ""
    return " and ".join(filter(None, (high, level)))


def _out(grid: Grid, step: Vector) -> str:
    """The same after `slides out` or `slides in`, where plain `up` would not do."""
    return re.sub("^(up|down)", r"\1wards", toward(grid, step))


def _sides(grid: Grid, step: Vector) -> list[int]:
    """For each axis of space 0, 1 or 2: whether a step goes back, not at all, or forth along it."""
    there = [sum(step[n] * grid.basis[n][axis] for n in range(3)) for axis in range(3)]
    least = 1e-9 * max(map(abs, there))
    return [1 + (part > least) - (part < -least) for part in there]


@dataclass(frozen=True)
class Levels:
    """How many moves each separation takes; as text in the notation of BurrTools.

    The first number is the level. Parts that come apart by single moves are left out. If any moves
    are turns, slides and turns are counted separately: 3R1 is three slides and a turn.

    >>> print(Levels(98, left=Levels(2, removed=Levels(1)), removed=Levels(1)))
    98.2
    >>> print(Levels(4, left=Levels(2), turns=1))
    3R1.2R0
    """

    moves: int
    left: "Levels | None" = None
    removed: "Levels | None" = None
    turns: int = 0  # of the moves

    @property
    def total(self) -> int:
        """All moves to take everything apart."""
        return self.moves + sum(part.total for part in (self.left, self.removed) if part)

    @property
    def total_turns(self) -> int:
        """Those of all moves that are turns."""
        return self.turns + sum(part.total_turns for part in (self.left, self.removed) if part)

    @property
    def _worth_telling(self) -> bool:
        parts = (self.left, self.removed)
        return self.moves > 1 or any(part._worth_telling for part in parts if part)

    def __str__(self) -> str:
        known = self.__dict__.get("text")  # the same levels are printed again and again
        if known is None:
            numbers = self._numbers(turns=self.total_turns > 0)
            known = self.__dict__["text"] = ".".join(numbers)
        return str(known)

    def _numbers(self, turns: bool) -> Iterator[str]:
        yield f"{self.moves - self.turns}R{self.turns}" if turns else str(self.moves)
        for part in (self.left, self.removed):
            if part and part._worth_telling:
                yield from part._numbers(turns)


def read_levels(text: str) -> list[tuple[int, int]]:
    """The moves to each separation that the text of some levels tells, and how many are turns.

    >>> read_levels("98.2"), read_levels("3R1.1R1")
    ([(98, 0), (2, 0)], [(4, 1), (2, 1)])
    """
    found = []
    for part in text.split("."):
        match = re.fullmatch("([0-9]{1,18})(?:R([0-9]{1,18}))?", part)
        if not match:
            raise PuzzleError(f"levels {text[:40]!r}: write them as 98.2, or with turns as 3R1.1R1")
        slides, turns = int(match[1]), int(match[2] or 0)
        found.append((slides + turns, turns))
    return found


@dataclass(frozen=True)
class Disassembly(Lazy):
    """The tree of separations that takes an assembly apart."""

    moves: Sequence[AnyMove]  # the last of them takes pieces away
    left: "Disassembly | None" = field(default_factory=NoneType)
    removed: "Disassembly | None" = field(default_factory=NoneType)

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", tuple(self.moves))

    def __repr__(self) -> str:
        return f"<Disassembly: level {self.levels}>"

    def describe(self, assembly: Assembly) -> str:
        """The moves in words, separation by separation.

        >>> from kumitate.model.grids import CUBES
        >>> rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
        >>> print(Disassembly([Move([1], (1, 0, 0), None)]).describe(rod))
        take apart A, B
          1  B slides out to the right
        """
        lines = []
        for part, separation in self.separations(range(len(assembly.placements))):
            lines.append(f"take apart {', '.join(assembly.label(piece) for piece in part)}")
            for number, move in enumerate(separation.moves, 1):
                lines.append(f"{number:3}  {move.describe(assembly)}")
        return "\n".join(lines)

    @cached_property
    def levels(self) -> Levels:
        """How many moves each separation takes."""
        left = self.left.levels if self.left else None
        removed = self.removed.levels if self.removed else None
        turns = sum(isinstance(move, Rotation) for move in self.moves)
        return Levels(len(self.moves), left, removed, turns)

    def separations(self, pieces: Sequence[int]) -> Iterator[tuple[tuple[int, ...], "Disassembly"]]:
        """Every node of the tree, with the pieces that it takes apart; this one holds `pieces`."""
        waiting = [(tuple(pieces), self)]
        while waiting:
            part, separation = waiting.pop()
            yield part, separation
            gone = set(separation.moves[-1].pieces if separation.moves else ())
            if separation.removed:
                waiting.append((tuple(p for p in part if p in gone), separation.removed))
            if separation.left:
                waiting.append((tuple(p for p in part if p not in gone), separation.left))


@dataclass(frozen=True)
class Solution:
    """An assembly with its disassembly, or with the number of moves if only that was kept."""

    assembly: Assembly
    disassembly: Disassembly | None = None
    levels: Levels | None = None
    assembly_number: int = 0  # when found, counted from 1; 0 if unknown
    solution_number: int = 0

    def __post_init__(self) -> None:
        if self.disassembly is not None:
            object.__setattr__(self, "levels", self.disassembly.levels)

    def __repr__(self) -> str:
        level = f"level {self.levels}, " if self.levels else ""
        return f"<Solution: {level}{repr(self.assembly).partition(': ')[2]}"

    @property
    def level(self) -> int | None:
        """The moves to the first separation."""
        return self.levels.moves if self.levels else None

    def painted(self, colours: Sequence[str]) -> "Solution":
        """With these colours for the pieces of its problem; "" is the palette's.

        >>> from kumitate import library, solve
        >>> first = next(solve(library["soma"].problem()))
        >>> first.painted(["#ff0000", *[""] * 6]).assembly.colour(0)
        '#ff0000'
        """
        problem = self.assembly.problem.painted(colours)
        return replace(self, assembly=replace(self.assembly, problem=problem))

    def __str__(self) -> str:
        return f"level {self.levels}\n{self.assembly}" if self.levels else str(self.assembly)


@dataclass(frozen=True)
class Answers:
    """What is known of a problem: how many assemblies and solutions, and those that were kept."""

    solutions: Sequence[Solution] = ()  # the ones kept; there may be more
    assembly_count: int | None = None
    solution_count: int | None = None
    complete: bool = False  # the search went to its end, and nothing was given up
    seconds: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "solutions", tuple(self.solutions))
