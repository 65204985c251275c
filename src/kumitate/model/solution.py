"""Assembly, Disassembly, Solution: what is answered.

Pieces in a disassembly are numbered as the placements of its assembly, so copies can be told
apart. A separation is a list of moves of which the last takes some pieces away for good; then
what stays (`left`) and what went (`removed`) come apart in the same manner, until every part is a
single piece or a group.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from string import ascii_letters, digits

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell, Vector, times
from kumitate.model.grid import Grid
from kumitate.model.puzzle import Piece, Placement, Problem
from kumitate.model.shape import Shape, no_cell, shift_cell
from kumitate.model.text import draw_page, read_page

_LETTERS = ascii_letters[26:] + ascii_letters[:26] + digits
_ONE_EACH = frozenset(_LETTERS)
_LETTER = re.compile(r"[A-Za-z0-9._]")


@dataclass(frozen=True)
class Assembly:
    """Placements that fill the goal of a problem; whether they do, the referee says.

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

    def letter(self, placement: int) -> str:
        """What stands for a placement in the drawing.

        Its label, if that is a single letter and no other placement has it; the others take the
        letters that are left, which begin again when all are used.
        """
        return self._letters[placement]

    def label(self, placement: int) -> str:
        """The piece's name, and which copy of it when there are several."""
        return self._labels[placement]

    @property
    def legend(self) -> str:
        """The letters of the drawing that differ from the labels, as `A = frame, B = stick.1`."""
        pairs = zip(self._letters, self._labels, strict=True)
        return ", ".join(f"{letter} = {label}" for letter, label in pairs if letter != label)

    @cached_property
    def _labels(self) -> tuple[str, ...]:
        copies = Counter(p.piece for p in self.placements)
        seen: Counter[int] = Counter()
        labels = []
        for piece, _, _ in self.placements:
            seen[piece] += 1
            which = f".{seen[piece]}" if copies[piece] > 1 else ""
            labels.append(self.problem.label(piece) + which)
        return tuple(labels)

    @cached_property
    def _letters(self) -> tuple[str, ...]:
        often = Counter(self._labels)
        own = {label for label in often if label in _ONE_EACH and often[label] == 1}
        left = cycle([letter for letter in _LETTERS if letter not in own] or _LETTERS)
        return tuple(label if label in own else next(left) for label in self._labels)

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
            and (placement := _placement_on(number, piece.shape, cells[letter])) is not None
        )
        placement = next(fitting, None)
        if placement is None:
            raise PuzzleError(f"drawing: no piece is left that looks like the {letter}")
        found.append(placement)
    return found


def _placement_on(piece: int, shape: Shape, cells: Set[Cell]) -> Placement | None:
    """The first placement, whatever the colours, on just these cells."""
    plain = Shape(shape.grid, shape.cells, name=shape.name, weight=shape.weight)
    return find_placement(piece, plain, Shape(shape.grid, cells)) if shape.cells else None


def find_placement(piece: int, shape: Shape, placed: Shape) -> Placement | None:
    """The placement, by the first turn that does it, that puts the shape where `placed` is.

    >>> from kumitate.model.grids import CUBES
    >>> bar = Shape.from_text(CUBES, "##")
    >>> find_placement(0, bar, bar.shifted((0, 0, 5)))
    Placement(piece=0, turn=0, shift=(0, 0, 5))
    """
    if not shape.cells or len(shape) != len(placed):
        return None
    x, y, z, _ = min(placed.cells)
    mine, there = shape.tokens, placed.tokens
    for number, turn in enumerate(shape.grid.turns):
        images = shape.images(turn)
        if images is None:
            continue
        x0, y0, z0, _ = min(images.values())
        shift = (x - x0, y - y0, z - z0)
        if all(there.get(shift_cell(images[cell], shift)) == mine[cell] for cell in images):
            return Placement(piece, number, shift)
    return None


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
            ways = (f"{assembly.label(n)} {toward(grid, way)}" for n, way in self.ways.items())
            return f"out all at once: {', '.join(ways)}"
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
        names = ", ".join(map(assembly.label, self.pieces))
        slides = f"{names} slide{'s' * (len(self.pieces) == 1)}"
        if self.units is not None:
            out = f"{self.units}" if self.parts == 1 else f"{self.units}/{self.parts}"
        return f"{slides} {out} {toward(assembly.problem.grid, step)}"


_AXES = (("to the right", "to the left"), ("to the back", "to the front"), ("upwards", "downwards"))


def toward(grid: Grid, step: Vector) -> str:
    """Which way a step leads: in words if it is along an axis of space, else as a vector.

    x runs from left to right, y from front to back and z up.

    >>> from kumitate.model.grids import CUBES
    >>> toward(CUBES, (0, 0, 1)), toward(CUBES, (1, 1, 0))
    ('upwards', 'along (1, 1, 0)')
    """
    there = [sum(step[n] * grid.basis[n][axis] for n in range(3)) for axis in range(3)]
    least = 1e-9 * max(map(abs, there))
    along = [axis for axis in range(3) if abs(there[axis]) > least]
    if len(along) != 1:
        return f"along {step}"
    return _AXES[along[0]][there[along[0]] < 0]


@dataclass(frozen=True)
class Levels:
    """How many moves each separation takes; as text in the notation of BurrTools.

    The first number is the level. Parts that come apart by single moves are left out.

    >>> print(Levels(98, left=Levels(2, removed=Levels(1)), removed=Levels(1)))
    98.2
    """

    moves: int
    left: "Levels | None" = None
    removed: "Levels | None" = None

    @property
    def total(self) -> int:
        """All moves to take everything apart."""
        return self.moves + sum(part.total for part in (self.left, self.removed) if part)

    @property
    def _worth_telling(self) -> bool:
        parts = (self.left, self.removed)
        return self.moves > 1 or any(part._worth_telling for part in parts if part)

    def __str__(self) -> str:
        parts = (part for part in (self.left, self.removed) if part and part._worth_telling)
        return ".".join([str(self.moves), *map(str, parts)])


@dataclass(frozen=True)
class Disassembly:
    """The tree of separations that takes an assembly apart."""

    moves: Sequence[Move]
    left: "Disassembly | None" = None
    removed: "Disassembly | None" = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", tuple(self.moves))

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

    @property
    def levels(self) -> Levels:
        parts = (part.levels if part else None for part in (self.left, self.removed))
        return Levels(len(self.moves), *parts)

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

    @property
    def level(self) -> int | None:
        """The moves to the first separation."""
        return self.levels.moves if self.levels else None

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
