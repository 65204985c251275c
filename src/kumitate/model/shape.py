"""Shape: a set of cells that reads and draws itself as text.

    ##.  .#.        .  nothing          #  a cell              a-z  a cell of colour 1 to 26
    .#.  .#.                            +  an optional cell    A-Z  an optional one of that colour

`#27` and `+27` are cells of colour 27. A drawing fixes a shape up to a shift; `corner` says which.
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ZERO, Cell, Vector, add, apply, subtract, times
from kumitate.model.grid import Grid, Turn
from kumitate.model.grids import code
from kumitate.model.numbers import LARGEST, require_whole
from kumitate.model.text import (
    draw_page,
    page_corner,
    read_page,
    require_colour,
    require_text,
)

MOST_COLOURS = 63
MOST_DRAWN = 500_000  # spots of a drawing
_TOKEN = re.compile(r"[._]|[#+][0-9]{0,2}|[A-Za-z]")


def shift_cell(cell: Cell, by: Vector) -> Cell:
    x, y, z, tile = cell
    return (x + by[0], y + by[1], z + by[2], tile)


def no_cell(grid: Grid, spot: Vector, name: str = "") -> PuzzleError:
    """What to say when a drawing shows a cell where none stands."""
    column, row, layer = add(spot, (1, 1, 1))
    beside = [c for c in range(1, column + 9) if grid.cell_at((c - 1, row - 1, layer - 1))]
    near = min(beside, key=lambda c: abs(c - column), default=None)
    return PuzzleError(
        f"drawing{f' of {name!r}' if name else ''}: the grid {grid.name!r} has no cell at"
        f" column {column}, row {row}, layer {layer}"
        + ("" if near is None else f"; the nearest in that row is at column {near}")
    )


@dataclass(frozen=True)
class Shape:
    """A set of cells; in a goal some may be optional, and any may have a colour.

    >>> from kumitate.model.grids import CUBES
    >>> tee = Shape.from_text(CUBES, "###/.#.")
    >>> len(tee), tee.connected
    (4, True)
    >>> print(tee | tee.shifted((0, 0, 1)))
    ###  ###
    .#.  .#.
    >>> tee
    Shape.from_text(CUBES, '###/.#.')
    """

    grid: Grid
    cells: Set[Cell]
    optional: Set[Cell] = frozenset()
    colours: Mapping[Cell, int] = field(default_factory=dict)  # neutral cells left out
    name: str = ""
    weight: int = 1  # in every move, the heaviest piece is held still
    colour: str = ""  # how it looks: '#c82828', or one of the palette if it is not given

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", frozenset(self.cells))
        object.__setattr__(self, "optional", frozenset(self.optional))
        object.__setattr__(self, "colours", {c: n for c, n in self.colours.items() if n != 0})
        try:
            array("i", chain.from_iterable(self.cells))
        except TypeError:
            raise self._error("a cell is four whole numbers (x, y, z, tile)") from None
        except OverflowError:
            raise self._error("cells lie too far from the origin to be handled") from None
        require_whole(-LARGEST, weight=self.weight)
        require_text(name=self.name)
        if self.colour:
            label = f"the colour of shape {self.name!r}"
            object.__setattr__(self, "colour", require_colour(label, self.colour))
        for cell in self.cells:
            if len(cell) != 4 or not 0 <= cell[3] < len(self.grid.tiles):
                raise self._error(
                    f"{cell} is not a cell (x, y, z, tile) of the grid {self.grid.name!r}"
                )
        for what, some in (("optional", self.optional), ("coloured", self.colours.keys())):
            if not some <= self.cells:
                raise self._error(f"{what} {min(some - self.cells)} is not one of its cells")
        for colour in self.colours.values():
            require_whole(-LARGEST, colour=colour)
            if not 1 <= colour <= MOST_COLOURS:
                raise self._error(f"colour {colour} must be 1 to {MOST_COLOURS}, or 0 for neutral")

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        colours = frozenset(self.colours.items())
        return hash((self.cells, self.optional, colours, self.name, self.weight, self.colour))

    # ---- text ----

    @classmethod
    def from_text(
        cls,
        grid: Grid,
        text: str,
        at: Vector = ZERO,
        name: str = "",
        weight: int = 1,
        colour: str = "",
    ) -> "Shape":
        """Read a drawing, and move it by the lattice vector `at`."""
        for number in at:
            require_whole(-LARGEST, at=number)
        tokens: dict[Cell, str] = {}
        for spot, token in read_page(text, _TOKEN):
            if token in "._":
                continue
            cell = grid.cell_at(spot)
            if cell is None:
                raise no_cell(grid, spot, name)
            tokens[shift_cell(cell, at)] = token
        return cls.from_tokens(grid, tokens, name, weight, colour)

    @classmethod
    def from_tokens(
        cls,
        grid: Grid,
        tokens: Mapping[Cell, str],
        name: str = "",
        weight: int = 1,
        colour: str = "",
    ) -> "Shape":
        """A shape from what a drawing would show at each cell."""
        for cell, token in tokens.items():
            if not _TOKEN.fullmatch(token) or token in "._":
                raise PuzzleError(f"shape {name!r}: {token[:20]!r} at {cell} is not a valid symbol")
        optional = {cell for cell, token in tokens.items() if token[0] == "+" or token.isupper()}
        colours = {
            cell: ord(token.lower()) - 96 if token.isalpha() else int(token[1:] or 0)
            for cell, token in tokens.items()
        }
        return cls(grid, tokens.keys(), optional, colours, name, weight, colour)

    @cached_property
    def tokens(self) -> dict[Cell, str]:
        """What a drawing shows at each cell.

        >>> from kumitate.model.grids import CUBES
        >>> Shape.from_text(CUBES, "#.B").tokens
        {(0, 0, 0, 0): '#', (2, 0, 0, 0): 'B'}
        """
        return {cell: self._token(cell) for cell in sorted(self.cells)}

    def _token(self, cell: Cell) -> str:
        colour, free = self.colours.get(cell, 0), cell in self.optional
        if 1 <= colour <= 26:
            return chr(colour + (64 if free else 96))
        return ("+" if free else "#") + (str(colour) if colour else "")

    def __str__(self) -> str:
        columns, rows, layers = self.size
        if columns * rows * layers > MOST_DRAWN:
            return f"{len(self)} cells, too far apart to draw"
        return draw_page(self.grid, self.tokens)

    def __repr__(self) -> str:
        if self.sparse:
            words = [f"from_tokens({code(self.grid)}", repr(self.tokens)]
        else:
            rows = draw_page(self.grid, self.tokens, gap=" ", width=10**9).split("\n")
            words = [f"from_text({code(self.grid)}", repr("/".join(rows))]
            words += [f"at={self.corner}"] if self.corner != ZERO else []
        words += [f"name={self.name!r}"] if self.name else []
        words += [f"weight={self.weight}"] if self.weight != 1 else []
        words += [f"colour={self.colour!r}"] if self.colour else []
        return f"Shape.{', '.join(words)})"

    @cached_property
    def corner(self) -> Vector:
        """The lattice vector at whose spot its drawing begins."""
        return page_corner(self.grid, self.cells)

    @cached_property
    def sparse(self) -> bool:
        """Whether a drawing would be nearly all dots."""
        columns, rows, layers = self.size
        return columns * rows * layers > 1000 + 20 * len(self.cells)

    # ---- what it is ----

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(sorted(self.cells))

    @property
    def fixed(self) -> Set[Cell]:
        """The cells that are not optional."""
        return self.cells - self.optional

    @cached_property
    def size(self) -> Vector:
        """How many columns, rows and layers its drawing spans.

        >>> from kumitate.model.grids import CUBES
        >>> Shape.from_text(CUBES, "###/.#.").size
        (3, 2, 1)
        """
        if not self.cells:
            return ZERO
        axes = list(zip(*map(self.grid.spot, self.cells), strict=True))
        column, row, layer = (max(axis) - min(axis) + 1 for axis in axes)
        return (column, row, layer)

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells of the grid, in the shape or not, that share a face with this one."""
        x, y, z, tile = cell
        for dx, dy, dz, t in self.grid.neighbours[tile]:
            yield (x + dx, y + dy, z + dz, t)

    @cached_property
    def components(self) -> tuple["Shape", ...]:
        """Its connected parts; cells are connected by shared faces, balls where they touch."""
        left, parts = set(self.cells), []
        while left:
            parts.append(self.restricted(take_part(left, self.neighbours)))
        return tuple(parts)

    @property
    def connected(self) -> bool:
        """Whether the shape is in one part; so is a shape without cells."""
        return len(self.components) <= 1

    # ---- the same shape elsewhere ----

    def shifted(self, by: Vector) -> "Shape":
        """Moved by a lattice vector."""
        for number in by:
            require_whole(-LARGEST, shift=number)
        return self.mapped({cell: shift_cell(cell, by) for cell in self.cells})

    def turned(self, turn: Turn) -> "Shape | None":
        """Turned about the origin, or None if it does not land on cells.

        Only the spheres' extra turns can miss; those turn a shape about its first cell.

        >>> from kumitate.model.grids import CUBES
        >>> print(Shape.from_text(CUBES, "###/#..").turned(CUBES.turns[2]))
        ##
        .#
        .#
        """
        images = self.images(turn)
        return None if images is None else self.mapped(images)

    def images(self, turn: Turn) -> dict[Cell, Cell] | None:
        """Where a turn puts each cell, or None if one does not land on a cell.

        >>> from kumitate.model.grids import CUBES
        >>> Shape(CUBES, {(1, 0, 0, 0)}).images(CUBES.turns[2])
        {(1, 0, 0, 0): (-1, 1, 0, 0)}
        """
        if turn.divisor == 1:
            return dict(zip(self.cells, turn.images(self.cells), strict=True))
        x, y, z, _ = min(self.cells, default=(0, 0, 0, 0))
        images: dict[Cell, Cell] = {}
        for cell in self.cells:
            image = turn(shift_cell(cell, (-x, -y, -z)))
            if image is None:
                return None
            images[cell] = shift_cell(image, (x, y, z))
        return images

    def mirrored(self) -> "Shape":
        """Its mirror image.

        >>> from kumitate.model.grids import CUBES
        >>> print(Shape.from_text(CUBES, "###/#..").mirrored())
        ###
        ..#
        """
        image = self.turned(self.grid.mirrors[0])
        assert image is not None
        return image

    def at_origin(self) -> "Shape":
        """Moved so that the least x, y and z of its cells are 0: equal for all translates."""
        if not self.cells:
            return self
        x, y, z, _ = (min(axis) for axis in zip(*self.cells, strict=True))
        return self.shifted((-x, -y, -z))

    def orientations(self, mirrors: bool = False) -> dict["Shape", int]:
        """The different ways it can lie, at the origin, each with the number of its first turn.

        With `mirrors` its reflections too; their numbers follow those of the turns.

        >>> from kumitate.model.grids import CUBES
        >>> len(Shape.from_text(CUBES, "###/.#.").orientations())
        12
        """
        found: dict[Shape, int] = {}
        for number, turn in enumerate(self.grid.turns + (self.grid.mirrors if mirrors else ())):
            image = self.turned(turn)
            if image is not None:
                found.setdefault(image.at_origin(), number)
        return found

    @cached_property
    def lies(self) -> tuple[tuple[int, Vector] | None, ...]:
        """For each turn the first one by which the shape lies the same way, and the shift between.

        Placing it by turn t and shift s is placing it by lies[t][0] and s + lies[t][1]; None marks
        a turn that takes it off the grid.
        """
        first: dict[frozenset[tuple[Cell, str]], tuple[int, Vector]] = {}
        found: list[tuple[int, Vector] | None] = []
        for number, turn in enumerate(self.grid.turns):
            images = self.images(turn)
            if not images:
                found.append(None if images is None else (0, ZERO))
                continue
            x, y, z, _ = (min(axis) for axis in zip(*images.values(), strict=True))
            look = frozenset(
                (shift_cell(images[cell], (-x, -y, -z)), token)
                for cell, token in self.tokens.items()
            )
            turn0, low0 = first.setdefault(look, (number, (x, y, z)))
            found.append((turn0, subtract((x, y, z), low0)))
        return tuple(found)

    def symmetries(self, mirrors: bool = False) -> tuple[Turn, ...]:
        """The turns (with `mirrors` also the reflections) that map it onto itself, up to a shift.

        >>> from kumitate.model.grids import CUBES
        >>> square = Shape.from_text(CUBES, "##/##")
        >>> len(square.symmetries()), len(square.symmetries(mirrors=True))
        (8, 16)
        """
        turns = self.grid.turns + (self.grid.mirrors if mirrors else ())
        return tuple(turn for turn in turns if self._is_kept_by(turn))

    def _is_kept_by(self, turn: Turn) -> bool:
        """Whether a turn maps it onto itself, a shift away: the one that keeps its middle."""
        if turn.divisor > 1:
            image = self.turned(turn)
            return image is not None and image.at_origin() == self.at_origin()
        if not self.cells:
            return True
        x, y, z, _ = map(sum, zip(*self.cells, strict=True))
        moved = apply(turn.matrix, (x, y, z))
        for tile, count in Counter(cell[3] for cell in self.cells).items():
            moved = add(moved, times(count, turn.shifts[tile]))
        x, y, z = subtract((x, y, z), moved)
        size = len(self.cells)
        if x % size or y % size or z % size:
            return False
        by = (x // size, y // size, z // size)
        tokens = self.tokens
        images = ((turn(cell), token) for cell, token in tokens.items())
        return all(
            image is not None and tokens.get(shift_cell(image, by)) == token
            for image, token in images
        )

    def canonical(self, mirrors: bool = False) -> "Shape":
        """The least of its orientations: one shape for all turned (or reflected) copies."""
        return min(self.orientations(mirrors), key=lambda shape: list(shape.tokens.items()))

    def congruent(self, other: "Shape", mirrors: bool = False) -> bool:
        """Whether turning (and, with `mirrors`, reflecting) maps one onto the other.

        Names and weights do not matter; colours and optional cells do.

        >>> from kumitate.model.grids import CUBES
        >>> screw = Shape.from_text(CUBES, "## #./.. #.")
        >>> screw.congruent(screw.mirrored()), screw.congruent(screw.mirrored(), mirrors=True)
        (False, True)
        """
        if self.grid != other.grid or len(self) != len(other):
            return False
        return self.canonical(mirrors).tokens == other.canonical(mirrors).tokens

    # ---- algebra ----

    def __or__(self, other: "Shape") -> "Shape":
        """Both; where they overlap, as this one has it."""
        self._require_grid_of(other)
        optional = self.optional | (other.optional - self.cells)
        colours = {**other.colours, **dict.fromkeys(self.cells, 0), **self.colours}
        return replace(self, cells=self.cells | other.cells, optional=optional, colours=colours)

    def __and__(self, other: "Shape") -> "Shape":
        """This one's cells that are also the other's."""
        self._require_grid_of(other)
        return self.restricted(self.cells & other.cells)

    def __sub__(self, other: "Shape") -> "Shape":
        """This one's cells that are not the other's."""
        self._require_grid_of(other)
        return self.restricted(self.cells - other.cells)

    def restricted(self, cells: Iterable[Cell]) -> "Shape":
        """Only these of its cells."""
        kept = self.cells & set(cells)
        colours = {cell: colour for cell, colour in self.colours.items() if cell in kept}
        return replace(self, cells=kept, optional=self.optional & kept, colours=colours)

    def named(self, name: str) -> "Shape":
        """The same shape under another name."""
        return replace(self, name=name)

    def mapped(self, images: Mapping[Cell, Cell]) -> "Shape":
        """With every cell, its colour and its kind, moved to its image."""
        return replace(
            self,
            cells=set(images.values()),
            optional={images[cell] for cell in self.optional},
            colours={images[cell]: colour for cell, colour in self.colours.items()},
        )

    def _require_grid_of(self, other: "Shape") -> None:
        if self.grid != other.grid:
            raise PuzzleError(
                f"shapes of the grids {self.grid.name!r} and {other.grid.name!r} cannot be"
                " combined; convert one first"
            )

    def _error(self, what: str) -> PuzzleError:
        return PuzzleError(f"shape {self.name!r}: {what}" if self.name else f"shape: {what}")


def take_part(cells: set[Cell], neighbours: Callable[[Cell], Iterable[Cell]]) -> list[Cell]:
    """Remove the least cell, and all that are connected with it, from a set; the cells removed.

    >>> cells = {(0, 0, 0, 0), (1, 0, 0, 0), (5, 0, 0, 0)}
    >>> take_part(cells, lambda cell: [(cell[0] + 1, 0, 0, 0), (cell[0] - 1, 0, 0, 0)])
    [(0, 0, 0, 0), (1, 0, 0, 0)]
    >>> cells
    {(5, 0, 0, 0)}
    """
    reached = [min(cells)]
    cells.remove(reached[0])
    for cell in reached:
        fresh = cells.intersection(neighbours(cell))
        cells -= fresh
        reached += fresh
    return reached
