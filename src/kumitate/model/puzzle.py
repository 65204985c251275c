"""Piece, Problem, Puzzle: what is asked.

A problem holds its goal and pieces as shapes, not as numbers into a list, so it stands on its own
and nothing has to be renumbered. A problem may be unsolvable, even by volume: an editor holds many
such for a while. Only what could never mean anything (min > max, two grids) is refused here;
`kumitate.check` says what else is wrong with a question.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector
from kumitate.model.grid import Grid
from kumitate.model.numbers import LARGEST, count_of, given, require_whole
from kumitate.model.palette import GOAL_COLOUR, piece_colour
from kumitate.model.shape import MOST_COLOURS, Shape
from kumitate.model.text import require_text, side_by_side

MOST_COPIES = 1_000_000
LONGEST_TITLE = 80  # characters of a comment
_NAME = re.compile(r"^\s*(?:name|title)\s*:(.+)", re.IGNORECASE | re.MULTILINE)
_DESIGNER = re.compile(r"^\s*design(?:er|ed by)\s*:(.+)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Piece:
    """A shape, how many copies of it a problem uses, and the groups they belong to.

    `Piece(shape, 4)` means exactly four copies, `Piece(shape, 0, 4)` any number up to four. A group
    is a set of pieces that need not come apart; `groups` says how many copies of this one may
    belong to each group number.
    """

    shape: Shape
    min: int = 1
    max: int = -1  # if not given, as min: Piece(shape, 2) is just two
    groups: Mapping[int, int] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.max == -1:
            object.__setattr__(self, "max", self.min)
        require_whole(-LARGEST, min=self.min, max=self.max)
        label = f"piece {self.shape.name!r}" if self.shape.name else "piece"
        if not 0 <= self.min <= self.max:
            raise PuzzleError(
                f"{label}: the range {self.min}..{self.max} is empty; use 0 <= min <= max"
            )
        if self.max > MOST_COPIES:
            raise PuzzleError(f"{label}: {self.max} copies; at most {MOST_COPIES} can be handled")
        for group, copies in self.groups.items():
            require_whole(-LARGEST, group=group, copies=copies)
            if not (1 <= group <= MOST_COPIES and 1 <= copies <= MOST_COPIES):
                raise PuzzleError(
                    f"{label}: {copies} copies in group {group}; both are 1 to {MOST_COPIES}"
                )

    @property
    def copies(self) -> str:
        """How many of it, in words: '2', or '0..3'."""
        return str(self.min) if self.min == self.max else f"{self.min}..{self.max}"


class Placement(NamedTuple):
    """A piece of a problem, turned and then shifted to lie in the goal."""

    piece: int  # which of problem.pieces
    turn: int  # which of grid.turns
    shift: Vector

    def placed(self, shape: Shape) -> Shape:
        """Where this puts a shape.

        >>> from kumitate.model.grids import CUBES
        >>> Placement(0, 0, (1, 0, 0)).placed(Shape.from_text(CUBES, "#"))
        Shape.from_text(CUBES, '#', at=(1, 0, 0))
        """
        turns = shape.grid.turns
        turned = shape.turned(turns[self.turn]) if 0 <= self.turn < len(turns) else None
        if turned is None:
            raise PuzzleError(
                f"turn {self.turn} does not put the shape {shape.name!r} on cells of its grid"
            )
        return turned.shifted(self.shift)


@dataclass(frozen=True)
class Problem:
    """Fill the goal with the pieces, by these rules.

    >>> from kumitate.model.grids import CUBES
    >>> goal = Shape.from_text(CUBES, "###/###", name="2x3")
    >>> ell = Shape.from_text(CUBES, "##/#.", name="L")
    >>> print(Problem(goal, (Piece(ell, 2, 2),)))
    2 L fill 2x3 (6 cells)
    """

    goal: Shape
    pieces: Sequence[Piece]
    name: str = ""
    allowed: Collection[tuple[int, int]] = ()  # colours (piece's, goal's) that may meet
    max_holes: int | None = None  # how many optional cells may stay empty
    pinned: Collection[Placement] = ()  # these must be in the assembly,
    forbidden: Collection[Placement] = ()  # and these must not

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(self.pieces))
        require_text(name=self.name)
        for name in ("allowed", "pinned", "forbidden"):
            object.__setattr__(self, name, frozenset(getattr(self, name)))
        for piece in self.pieces:
            if not isinstance(piece, Piece):
                raise PuzzleError(f"{piece!r} is no piece; a shape becomes one by Piece(shape)")
            if piece.shape.grid != self.grid:
                raise PuzzleError(
                    f"piece {piece.shape.name!r} is of the grid {piece.shape.grid.name!r}"
                    f" but the goal of {self.grid.name!r}; convert one of them"
                )
        for placement in (*self.pinned, *self.forbidden):
            for number in (placement.piece, placement.turn, *placement.shift):
                require_whole(-LARGEST, placement=number)
            if not 0 <= placement.piece < len(self.pieces):
                raise PuzzleError(
                    f"placement of piece {placement.piece}, but the problem has"
                    f" {count_of(len(self.pieces), 'piece')}"
                )
            if not 0 <= placement.turn < len(self.grid.turns):
                raise PuzzleError(
                    f"placement by turn {placement.turn}, but the grid has {len(self.grid.turns)}"
                )
        for pair in self.allowed:
            for colour in pair:
                require_whole(-LARGEST, colour=colour)
            if not all(1 <= colour <= MOST_COLOURS for colour in pair):
                raise PuzzleError(
                    f"colours {pair} may meet, but colours are numbered 1 to {MOST_COLOURS}"
                )
        require_whole(-LARGEST, **given(max_holes=self.max_holes))
        if self.max_holes is not None and self.max_holes < 0:
            raise PuzzleError(f"at most {self.max_holes} holes; give a number from 0 on, or none")

    @property
    def grid(self) -> Grid:
        return self.goal.grid

    @property
    def volume(self) -> tuple[int, int]:
        """The least and the most cells that the pieces can fill."""
        least = sum(piece.min * len(piece.shape.fixed) for piece in self.pieces)
        return least, sum(piece.max * len(piece.shape.fixed) for piece in self.pieces)

    @property
    def has_ranges(self) -> bool:
        """Whether it is open how many copies of some piece are used."""
        return any(piece.min != piece.max for piece in self.pieces)

    def may_lie_on(self, piece_colour: int, goal_colour: int) -> bool:
        """Whether a piece's cell of one colour may cover a goal's cell of another; 0 is neutral."""
        return not piece_colour or not goal_colour or (piece_colour, goal_colour) in self.allowed

    def label(self, piece: int) -> str:
        """The name of a piece, or for one without its number in the problem, from 1."""
        return self.pieces[piece].shape.name or f"#{piece + 1}"

    def __str__(self) -> str:
        if len(self.pieces) > 13:
            pieces = f"{len(self.pieces)} kinds of pieces"
        else:
            pieces = ", ".join(
                self.label(number)
                if piece.copies == "1"
                else f"{piece.copies} {self.label(number)}"
                for number, piece in enumerate(self.pieces)
            )
        cells = count_of(len(self.goal.fixed), "cell")
        if self.goal.optional:
            cells += f" and {count_of(len(self.goal.optional), 'optional one')}"
        title = f"{self.name}: " if self.name else ""
        return f"{title}{pieces or 'no pieces'} fill {self.goal.name or 'the goal'} ({cells})"


@dataclass(frozen=True)
class Puzzle:
    """One grid, its shapes, colours and problems, and who designed it.

    >>> from kumitate.model.grids import CUBES
    >>> bar = Shape.from_text(CUBES, "##", name="bar")
    >>> square = Shape.from_text(CUBES, "##/##", name="square")
    >>> problem = Problem(square, [Piece(bar, 2, 2)])
    >>> print(Puzzle(CUBES, [bar, square], [problem], title="Two bars"))
    Two bars (cubes)
    <BLANKLINE>
    bar  square
    ##   ##
         ##
    <BLANKLINE>
    2 bar fill square (4 cells)
    """

    grid: Grid
    shapes: Sequence[Shape] = ()
    problems: Sequence[Problem] = ()
    title: str = ""
    designer: str = ""
    colours: Sequence[str] = ()  # of colour 1, 2, ...: '#c82828'
    comment: str = ""
    popup: bool = False  # show the comment when the puzzle is opened

    def __post_init__(self) -> None:
        require_text(title=self.title, designer=self.designer, comment=self.comment)
        for name in ("shapes", "problems", "colours"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "colours", tuple(colour.lower() for colour in self.colours))
        for number, colour in enumerate(self.colours, 1):
            if not re.fullmatch("#[0-9a-f]{6}", colour):
                raise PuzzleError(f"colour {number} is {colour!r}; write it as '#rrggbb'")
        if len(self.colours) > MOST_COLOURS:
            raise PuzzleError(
                f"{len(self.colours)} colours; at most {MOST_COLOURS} can be told apart"
            )
        for shape in self.shapes:
            if shape.grid != self.grid:
                raise PuzzleError(
                    f"shape {shape.name!r} is not of the puzzle's grid {self.grid.name!r}"
                )
        known = set(self.shapes)
        for problem in self.problems:
            used = [piece.shape for piece in problem.pieces]
            used += [problem.goal] if problem.goal.cells else []  # no goal yet is none of them
            for shape in used:
                if shape not in known:
                    where = f"problem {problem.name!r}"
                    raise PuzzleError(f"{where}: {shape.name!r} is no shape of the puzzle")

    @classmethod
    def of(cls, problem: Problem) -> "Puzzle":
        """The puzzle that sets just this problem.

        >>> from kumitate.library import library
        >>> [shape.name for shape in Puzzle.of(library["soma"].problems[0]).shapes]
        ['V', 'L', 'T', 'Z', 'A', 'B', 'P', '3x3x3']
        """
        shapes = [*(piece.shape for piece in problem.pieces), problem.goal]
        return cls(problem.grid, list(dict.fromkeys(shapes)), [problem], title=problem.name)

    @property
    def called(self) -> str:
        """Its title, or else the name that its comment begins with; BurrTools has no other place.

        >>> from kumitate.model.grids import CUBES
        >>> burr = Puzzle(CUBES, comment="Name: Pelikan Burr\\nDesigned by: D. Sonneveld")
        >>> burr.called, burr.by
        ('Pelikan Burr', 'D. Sonneveld')
        """
        first = self.comment.strip().partition("\n")[0].strip()
        plain = "" if ":" in first or len(first) > LONGEST_TITLE else first
        return self.title or _said(_NAME, self.comment) or plain

    @property
    def by(self) -> str:
        """Its designer, or else the one that its comment names."""
        return self.designer or _said(_DESIGNER, self.comment)

    def label(self, shape: int) -> str:
        """The name of a shape, or for one without what it is: piece #2, the goal, or shape S3.

        Pieces are numbered as in the first problem that uses the shape.

        >>> from kumitate.model.grids import CUBES
        >>> bar, square, loose = (Shape.from_text(CUBES, text) for text in ("##", "##/##", "#"))
        >>> puzzle = Puzzle(CUBES, [square, bar, loose], [Problem(square, [Piece(bar, 2)])])
        >>> [puzzle.label(n) for n in range(3)]
        ['goal', '#1', 'S3']
        """
        return self._labels[shape]

    def colour(self, shape: int) -> str:
        """The colour of a shape: that of its piece, see `label`; the goal's; or by its place."""
        piece = self._pieces[shape]
        if piece is None and any(problem.goal == self.shapes[shape] for problem in self.problems):
            return GOAL_COLOUR
        return piece_colour(shape if piece is None else piece)

    @cached_property
    def _pieces(self) -> list[int | None]:
        """The number of each shape as a piece, in the first problem that uses it."""
        numbers: dict[Shape, int] = {}
        for problem in self.problems:
            for number, piece in enumerate(problem.pieces):
                numbers.setdefault(piece.shape, number)
        return [numbers.get(shape) for shape in self.shapes]

    @cached_property
    def _labels(self) -> list[str]:
        goals = {problem.goal for problem in self.problems}
        labels: list[str] = []
        for number, (shape, piece) in enumerate(zip(self.shapes, self._pieces, strict=True)):
            label = shape.name or ("goal" if piece is None and shape in goals else "")
            if piece is not None and not label:
                label = f"#{piece + 1}"
            if not label or (label in labels and not shape.name):
                label = f"S{number + 1}"
            labels.append(label)
        return labels

    def __str__(self) -> str:
        by = f", by {self.by}" if self.by else ""
        pictures = [f"{self.label(n)}\n{shape}" for n, shape in enumerate(self.shapes)]
        return "\n\n".join(
            (f"{self.called or 'Puzzle'}{by} ({self.grid.name})", side_by_side(pictures))
            + (("\n".join(map(str, self.problems)),) if self.problems else ())
        )


def _said(pattern: re.Pattern[str], comment: str) -> str:
    found = pattern.search(comment)
    return found[1].strip()[:LONGEST_TITLE] if found else ""
