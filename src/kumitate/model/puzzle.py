"""Piece, Problem, Puzzle: what is asked.

A problem holds its goal and pieces as shapes, not as numbers into a list, so it stands on its own
and nothing has to be renumbered. A problem may be unsolvable, even by volume: an editor holds many
such for a while. Only what could never mean anything (min > max, two grids) is refused here;
`kumitate.check` says what else is wrong with a question.
"""

import re
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from kumitate.model.as_code import as_code
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell, Vector
from kumitate.model.grid import Grid
from kumitate.model.identity import Identity, identify_shapes
from kumitate.model.numbers import LARGEST, count_of, given, require_whole
from kumitate.model.shape import MOST_COLOURS, Shape, shift_cell
from kumitate.model.text import require_colour, require_text, side_by_side

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

    def __repr__(self) -> str:
        return as_code(self, *(["max"] if self.max == self.min else []))

    @property
    def copies(self) -> str:
        """How many copies, as text: '2', or '0..3'."""
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


def find_placement(piece: int, shape: Shape, placed: Shape) -> Placement | None:
    """The placement, by the first turn that fits, that puts the shape where `placed` is.

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


def placement_on(piece: int, shape: Shape, cells: Set[Cell]) -> Placement | None:
    """The first placement of a shape, whatever its colours, on just these cells."""
    return find_placement(
        piece, replace(shape, colours={}, optional=frozenset()), Shape(shape.grid, cells)
    )


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
    known_as: Mapping[Shape, Identity] = field(  # its pieces, in the puzzle it belongs to
        default_factory=dict, compare=False, repr=False, kw_only=True
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(self.pieces))
        require_text(name=self.name)
        for name in ("allowed", "pinned", "forbidden"):
            object.__setattr__(self, name, frozenset(getattr(self, name)))
        for piece in self.pieces:
            if not isinstance(piece, Piece):
                raise PuzzleError(f"{piece!r} is not a piece; use Piece(shape)")
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
            raise PuzzleError(f"max_holes {self.max_holes}: it must be at least 0, or None")

    def __repr__(self) -> str:
        return as_code(self)

    @property
    def grid(self) -> Grid:
        """The grid of the goal and of all pieces."""
        return self.goal.grid

    @property
    def volume(self) -> tuple[int, int]:
        """The least and the most cells that the pieces can fill."""
        least = sum(piece.min * len(piece.shape.fixed) for piece in self.pieces)
        return least, sum(piece.max * len(piece.shape.fixed) for piece in self.pieces)

    @property
    def has_ranges(self) -> bool:
        """Whether some piece has a range of copies."""
        return any(piece.min != piece.max for piece in self.pieces)

    def may_lie_on(self, piece_colour: int, goal_colour: int) -> bool:
        """Whether a piece's cell of one colour may cover a goal's cell of another; 0 is neutral."""
        return not piece_colour or not goal_colour or (piece_colour, goal_colour) in self.allowed

    @cached_property
    def identities(self) -> tuple[Identity, ...]:
        """The name and the colour of each piece."""
        distinct = list(dict.fromkeys(piece.shape for piece in self.pieces))
        found = identify_shapes(
            [shape.name for shape in distinct],
            range(len(distinct)),
            (),
            [shape.colour for shape in distinct],
        )
        known = {**dict(zip(distinct, found, strict=True)), **self.known_as}
        return tuple(known[piece.shape] for piece in self.pieces)

    def label(self, piece: int) -> str:
        """The name of a piece; one without a name is called after its place in the puzzle.

        >>> from kumitate.model.grids import CUBES
        >>> bar = Shape.from_text(CUBES, "##")
        >>> Problem(Shape.from_text(CUBES, "##/##"), [Piece(bar, 2)]).label(0)
        'S1'
        """
        return self.identities[piece].name

    def colour(self, piece: int) -> str:
        """The colour of a piece."""
        return self.identities[piece].colour

    def painted(self, colours: Sequence[str]) -> "Problem":
        """The same question with these colours for its pieces; "" is the palette's.

        >>> from kumitate import library
        >>> soma = library["soma"].problem()
        >>> soma.painted(["#ff0000", *[""] * 6]).colour(0)
        '#ff0000'
        """
        if len(colours) != len(self.pieces):
            raise PuzzleError(
                f"{count_of(len(colours), 'colour')} for {count_of(len(self.pieces), 'piece')}"
            )
        chosen = zip(self.pieces, colours, self.identities, strict=True)
        pieces = [
            (replace(piece, shape=replace(piece.shape, colour=colour)), who)
            for piece, colour, who in chosen
        ]
        known = {
            piece.shape: who._replace(colour=piece.shape.colour or who.colour)
            for piece, who in pieces
        }
        return replace(self, pieces=[piece for piece, _ in pieces], known_as=known)

    @property
    def question(self) -> "Problem":
        """What it asks, whatever it is called and whatever colours were chosen for its pieces."""
        plain = [replace(p, shape=replace(p.shape, colour="")) for p in self.pieces]
        return replace(self, name="", goal=replace(self.goal, colour=""), pieces=plain)

    @classmethod
    def in_box(cls, box: Shape, pieces: Sequence[Piece], name: str = "") -> "Problem":
        """Pack pieces into a box whose walls are fixed cells and whose inside is optional cells.

        The walls become the first piece. It outweighs the others, so it is held still while they
        leave through its openings.

        >>> from kumitate.model.grids import CUBES
        >>> tray = Shape.from_text(CUBES, "####/#+++/####", name="tray")
        >>> problem = Problem.in_box(tray, [Piece(Shape.from_text(CUBES, "##", name="bar"))])
        >>> print(problem)
        tray, bar fill packed tray (9 cells and 3 optional ones)
        """
        if not box.optional or not box.fixed:
            raise PuzzleError("a box has walls, drawn as #, and an inside, drawn as +")
        weight = max([box.weight, *(piece.shape.weight + 1 for piece in pieces)])
        walls = replace(box.restricted(box.fixed), name=box.name or "box", weight=weight)
        goal = replace(box, name=f"packed {walls.name}", weight=1)
        return cls(goal, [Piece(walls), *pieces], name)

    def pin(self, piece: str, drawing: str) -> "Problem":
        """The problem with a piece fixed where a drawing of the goal shows it.

        The drawing has the size of the goal, and dots where the piece is not.

        >>> from kumitate import count, library
        >>> soma = library["soma"].problem()
        >>> count(soma.pin("L", "LLL ... ... / L.. ... ... / ... ... ...")).assemblies
        219
        """
        labels = [self.label(number) for number in range(len(self.pieces))]
        if piece not in labels:
            raise PuzzleError(f"there is no piece {piece!r}; the pieces are {', '.join(labels)}")
        number = labels.index(piece)
        cells = Shape.from_text(self.grid, drawing, self.goal.corner, piece).cells
        placement = placement_on(number, self.pieces[number].shape, cells)
        if placement is None:
            raise PuzzleError(f"the drawing does not show piece {piece}")
        return replace(self, pinned=[*self.pinned, placement])

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
    known_as: Mapping[Shape, Identity] = field(  # shapes that keep another puzzle's identity
        default_factory=dict, compare=False, repr=False, kw_only=True
    )

    def __post_init__(self) -> None:
        require_text(title=self.title, designer=self.designer, comment=self.comment)
        for name in ("shapes", "problems", "colours"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        colours = [
            require_colour(f"colour {n}", colour) for n, colour in enumerate(self.colours, 1)
        ]
        object.__setattr__(self, "colours", tuple(colours))
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
                    raise PuzzleError(f"{where}: {shape.name!r} is not a shape of the puzzle")
        object.__setattr__(self, "problems", tuple(map(self._own, self.problems)))

    def __repr__(self) -> str:
        return as_code(self)

    @classmethod
    def of(cls, problem: Problem) -> "Puzzle":
        """The puzzle that sets just this problem; its pieces keep their names and colours.

        >>> from kumitate.library import library
        >>> [shape.name for shape in Puzzle.of(library["soma"].problems[0]).shapes]
        ['V', 'L', 'T', 'Z', 'A', 'B', 'P', '3x3x3']
        """
        shapes = [*(piece.shape for piece in problem.pieces), problem.goal]
        known = {p.shape: who for p, who in zip(problem.pieces, problem.identities, strict=True)}
        return cls(
            problem.grid, [*dict.fromkeys(shapes)], [problem], title=problem.name, known_as=known
        )

    def problem(self, which: int | str = 1) -> Problem:
        """One of its problems, by its name or, if none has that name, by its number from 1.

        >>> from kumitate.library import library
        >>> print(library["pentominoes"].problem("3x20"))
        3x20: F, I, L, N, P, T, U, V, W, X, Y, Z fill 3x20 (60 cells)
        """
        return self.problems[self.number_of(which) - 1]

    def number_of(self, problem: int | str) -> int:
        """The number, from 1, of a problem that is given by its name or number."""
        names = [one.name for one in self.problems]
        numbers = [str(number) for number in range(1, len(names) + 1)]
        which = str(problem)
        if names.count(which) > 1:
            raise PuzzleError(
                f"{names.count(which)} problems are called {which!r}; give the number of one"
            )
        for labels in (names, numbers):
            if which in labels:
                return labels.index(which) + 1
        there = f"the puzzle has {self.problem_names}" if self.problems else "the puzzle has none"
        raise PuzzleError(f"there is no problem {problem!r}; {there}")

    @property
    def problem_names(self) -> str:
        """The names of its problems, or the numbers of those without."""
        return ", ".join(one.name or str(n) for n, one in enumerate(self.problems, 1))

    def only(self, which: int | str) -> "Puzzle":
        """The puzzle with just one of its problems, and the shapes that this one uses."""
        problem = self.problem(which)
        used = {problem.goal, *(piece.shape for piece in problem.pieces)}
        shapes = [shape for shape in self.shapes if shape in used]
        known = dict(zip(self.shapes, self.identities, strict=True))
        return replace(self, problems=[problem], shapes=shapes, known_as=known)

    @property
    def called(self) -> str:
        """Its title, or else the name that its comment begins with, as in BurrTools files.

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
        """The name of a shape; one without a name is called after its place in the list.

        >>> from kumitate.model.grids import CUBES
        >>> bar, square = (Shape.from_text(CUBES, text) for text in ("##", "##/##"))
        >>> puzzle = Puzzle(CUBES, [square, bar], [Problem(square, [Piece(bar, 2)])])
        >>> puzzle.label(1), puzzle.problems[0].label(0)
        ('S2', 'S2')
        """
        return self.identities[shape].name

    def colour(self, shape: int) -> str:
        """The colour of a shape."""
        return self.identities[shape].colour

    @cached_property
    def identities(self) -> list[Identity]:
        """The name and the colour of each shape."""
        numbers = self._numbers
        pieces = [piece.shape for problem in self.problems for piece in problem.pieces]
        goals = [problem.goal for problem in self.problems if problem.goal.cells]
        found = identify_shapes(
            [shape.name for shape in self.shapes],
            [numbers[shape] for shape in pieces],
            {numbers[shape] for shape in goals},
            [shape.colour for shape in self.shapes],
        )
        pairs = zip(self.shapes, found, strict=True)
        return [self.known_as.get(shape, who) for shape, who in pairs]

    @cached_property
    def _numbers(self) -> dict[Shape, int]:
        """Where each shape stands in the list; of equal ones, the first."""
        return {shape: number for number, shape in reversed(list(enumerate(self.shapes)))}

    def _own(self, problem: Problem) -> Problem:
        """The problem with this puzzle's names and colours for its pieces."""
        shapes = dict.fromkeys(piece.shape for piece in problem.pieces)
        who = {shape: self.identities[self._numbers[shape]] for shape in shapes}
        if problem.identities == tuple(who[piece.shape] for piece in problem.pieces):
            return problem
        return replace(problem, known_as=who)

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
