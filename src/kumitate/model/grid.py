"""Grid: a tiling of space, written as data.

A grid says where its tiles have their corners and which maps turn it; everything a puzzle needs
(turns as maps on cells, neighbours, steps, sweeps) is derived from that by geometry.py. So a new
grid is a table, not a class: `check` proves that the table is a tiling, and nothing else in
kumitate asks which grid it is looking at.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from kumitate.model import geometry
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import (
    ONE,
    ZERO,
    Cell,
    Matrix,
    Sweep,
    Tile,
    Vector,
    add,
    adjugate,
    apply,
    determinant,
    multiply,
    positive,
    subtract,
    times,
    triples,
)

BasisVector = tuple[float, float, float]

MOST_TILES = 100  # also the most corners of a tile
FARTHEST_CORNER = 4  # in lattice units


class Turn(NamedTuple):
    """A rotation or reflection of a grid, as a whole-number map on cells.

    A cell (p, tile) goes to (matrix p / divisor + shifts[tile], onto[tile]). Only the extra turns
    of the spheres have a divisor; a cell they carry off the lattice has no image.
    """

    matrix: Matrix
    onto: tuple[int, ...]
    shifts: tuple[Vector, ...]
    divisor: int = 1

    def __call__(self, cell: Cell) -> Cell | None:
        x, y, z, tile = cell
        image = apply(self.matrix, (x, y, z))
        if self.divisor > 1:
            if any(c % self.divisor for c in image):
                return None
            image = (image[0] // self.divisor, image[1] // self.divisor, image[2] // self.divisor)
        return (*add(image, self.shifts[tile]), self.onto[tile])

    def images(self, cells: Iterable[Cell]) -> list[Cell]:
        """Where many cells go; it has no divisor.

        >>> from kumitate.model.grids import CUBES
        >>> CUBES.turns[2].images([(1, 0, 0, 0), (2, 0, 0, 0)])
        [(-1, 1, 0, 0), (-1, 2, 0, 0)]
        """
        (a, b, c), (d, e, f), (g, h, i) = self.matrix
        origins = [(*shift, tile) for shift, tile in zip(self.shifts, self.onto, strict=True)]
        return [
            (a * x + b * y + c * z + u, d * x + e * y + f * z + v, g * x + h * y + i * z + w, onto)
            for x, y, z, tile in cells
            for u, v, w, onto in (origins[tile],)
        ]

    def then(self, other: "Turn") -> "Turn":
        """This turn and then the other; neither has a divisor."""
        origins = [(*shift, tile) for shift, tile in zip(self.shifts, self.onto, strict=True)]
        images = other.images(origins)
        onto, shifts = (tile for *_, tile in images), ((x, y, z) for x, y, z, _ in images)
        return Turn(multiply(other.matrix, self.matrix), tuple(onto), tuple(shifts))


@dataclass(frozen=True)
class Grid:
    """A tiling of space, written as data.

    A cell is (x, y, z, tile): a lattice point, and which of the tiles found there.
    Cubes have one tile, triangular prisms two, the rhombic grid 24. Turns are whole-number
    maps on cells, so a turned shape is exact and a new grid is a table, not code.

    >>> from kumitate.model.grids import CUBES, PRISMS
    >>> len(CUBES.turns), len(PRISMS.turns)
    (24, 12)
    """

    name: str
    basis: tuple[BasisVector, BasisVector, BasisVector]  # the lattice in space, for drawing
    tiles: tuple[Tile, ...]  # corners in lattice coordinates times denominator; a ball: its centre
    generators: tuple[Matrix, ...]  # turns about the origin that make all the others
    mirror: Matrix  # one reflection
    denominator: int = 1
    gram: Matrix | None = None  # balls only: whole-number Gram matrix of the basis
    diameter2: int = 0  # balls only: diameter squared, by that Gram matrix
    extra_turn: Matrix | None = None  # one that only some shapes survive, times extra_divisor
    extra_divisor: int = 1
    step_order: tuple[Vector, ...] = ()  # one of each pair +-; derived when not given
    page: Matrix | None = None  # where a lattice point stands on a text page
    spots: tuple[Vector, ...] = ()  # where its tiles stand, seen from there

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        from kumitate.model.grids import code  # which imports this module

        return code(self)

    # ---- turns ----

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All rotations, the one that changes nothing first; files number them in this order."""
        group, made_of = [ONE], [(ONE, ONE)]
        for matrix in group:
            for generator in self.generators:
                made = multiply(generator, matrix)
                if made not in group:
                    group.append(made)
                    made_of.append((matrix, generator))
                if len(group) > 24:
                    raise self._error("its turns make more than 24; a lattice in space has no more")
        known = {matrix: self._turn(matrix) for matrix in (ONE, *self.generators)}
        for matrix, (before, generator) in zip(group, made_of, strict=True):
            known[matrix] = known.get(matrix) or known[before].then(known[generator])
        turns = [known[matrix] for matrix in group]
        if self.extra_turn is not None:
            begun = [multiply(matrix, self.extra_turn) for matrix in group]
            extra = {multiply(matrix, end) for matrix in begun for end in group}
            turns += [self._extra(matrix) for matrix in sorted(extra)]
        return tuple(turns)

    @cached_property
    def mirrors(self) -> tuple[Turn, ...]:
        """All reflections, in the order of the turns they make with `mirror`."""
        mirror = self._turn(self.mirror)
        plain = [mirror.then(turn) for turn in self.turns if turn.divisor == 1]
        extra = [multiply(turn.matrix, self.mirror) for turn in self.turns if turn.divisor > 1]
        return (*plain, *map(self._extra, extra))

    def _turn(self, matrix: Matrix) -> Turn:
        home = {}
        for t, tile in enumerate(self.tiles):
            key, low = geometry.modulo_lattice(tile, self.denominator)
            home[key] = (t, low)
        onto, shifts = [], []
        for t, tile in enumerate(self.tiles):
            image = [apply(matrix, corner) for corner in tile]
            key, low = geometry.modulo_lattice(image, self.denominator)
            if key not in home:
                raise self._error(
                    f"the turn {matrix} does not map the tiling onto itself: tile {t} lands on no"
                    " tile"
                )
            target, low_there = home[key]
            onto.append(target)
            shifts.append(subtract(low, low_there))
        return Turn(matrix, tuple(onto), tuple(shifts))

    def _extra(self, matrix: Matrix) -> Turn:
        tiles = range(len(self.tiles))
        return Turn(matrix, tuple(tiles), tuple(ZERO for _ in tiles), self.extra_divisor)

    # ---- contacts and slides ----

    @property
    def balls(self) -> bool:
        """Whether its cells are balls."""
        return self.gram is not None

    @cached_property
    def neighbours(self) -> tuple[tuple[Cell, ...], ...]:
        """For each tile, the cells (relative to its lattice point) that share a face with it.

        >>> from kumitate.model.grids import RHOMBS, SPHERES
        >>> len(RHOMBS.neighbours[0]), len(SPHERES.neighbours[0])
        (4, 12)
        """
        if self.gram is not None:
            touching = geometry.touching_balls(self.gram, self.diameter2)
            return (tuple((*d, 0) for d in touching),)
        found: list[list[Cell]] = [[] for _ in self.tiles]
        shared = geometry.shared_faces(self.tiles, self.denominator)
        for (t, _), cells in shared.items():
            found[t] += cells
        return tuple(tuple(sorted(cells)) for cells in found)

    @cached_property
    def _contact_rays(self) -> list[Vector]:
        if self.gram is not None:
            touching = geometry.touching_balls(self.gram, self.diameter2)
            return geometry.contact_rays(positive(apply(self.gram, d)) for d in touching)
        return geometry.contact_rays(geometry.normals(self.tiles))

    @cached_property
    def steps(self) -> tuple[Vector, ...]:
        """The directions in which pieces slide, as lattice vectors, each followed by its opposite.

        >>> from kumitate.model.grids import CUBES, SPHERES
        >>> len(CUBES.steps), len(SPHERES.steps)
        (6, 14)
        """
        one_way = self.step_order or self._contact_rays
        return tuple(step for ray in one_way for step in (ray, times(-1, ray)))

    @cached_property
    def fineness(self) -> int:
        """How far positions must be subdivided for every face contact to be a position.

        >>> from kumitate.model.grids import CUBES, RHOMBS
        >>> CUBES.fineness, RHOMBS.fineness
        (1, 2)
        """
        return 1 if self.balls else geometry.fineness(self.tiles, self.denominator, self.steps)

    @lru_cache(maxsize=10_000)  # noqa: B019 (grids live as long as the program)
    def sweep(self, step: Vector, start: Vector = ZERO, parts: int = 1) -> Sweep:
        """What each tile passes through when slid from start/parts by step/parts, itself included.

        >>> from kumitate.model.grids import CUBES
        >>> CUBES.sweep((1, 0, 0))
        (((0, 0, 0, 0), (1, 0, 0, 0)),)
        """
        if self.gram is not None:
            return geometry.sweep_ball(self.gram, self.diameter2, step, start, parts)
        return geometry.sweep_tiles(self.tiles, self.denominator, step, start, parts)

    # ---- the text page ----

    @cached_property
    def _page(self) -> tuple[Matrix, tuple[Vector, ...]]:
        """Without a page of its own a grid draws the tiles of a lattice point side by side."""
        if self.page is not None:
            return self.page, self.spots or (ZERO,)
        width = len(self.tiles)
        return ((width, 0, 0), (0, 1, 0), (0, 0, 1)), tuple((t, 0, 0) for t in range(width))

    def spot_shift(self, shift: Vector) -> Vector:
        """How far a lattice vector moves things on the page."""
        return apply(self._page[0], shift)

    def spot(self, cell: Cell) -> Vector:
        """Where a cell stands in text: column, row, layer (the coordinates of .xmpuzzle files).

        >>> from kumitate.model.grids import PRISMS
        >>> PRISMS.spot((1, 1, 0, 1))
        (4, 1, 0)
        """
        page, spots = self._page
        x, y, z, tile = cell
        return add(apply(page, (x, y, z)), spots[tile])

    def cell_at(self, spot: Vector) -> Cell | None:
        """The cell that stands at a spot, or None where no cell does.

        >>> from kumitate.model.grids import SPHERES
        >>> SPHERES.cell_at((1, 1, 0)), SPHERES.cell_at((1, 0, 0))
        ((0, 0, 1, 0), None)
        """
        matrix, d = self._unpage
        x, y, z = apply(matrix, spot)
        seated = self._seats.get((x % d, y % d, z % d))
        if seated is None:
            return None
        tile, (a, b, c) = seated
        return ((x - a) // d, (y - b) // d, (z - c) // d, tile)

    def shift_at(self, spot: Vector) -> Vector | None:
        """The lattice vector that moves every cell by this much on the page, or None."""
        matrix, d = self._unpage
        x, y, z = apply(matrix, spot)
        return (x // d, y // d, z // d) if x % d == y % d == z % d == 0 else None

    def shift_before(self, spot: Vector) -> Vector:
        """The nearest lattice vector that stands at or before a spot in column, row and layer.

        >>> from kumitate.model.grids import SPHERES
        >>> SPHERES.spot_shift(SPHERES.shift_before((1, 0, 0)))
        (0, 0, 0)
        """
        column, row, layer = spot
        before = ((column - x, row - y, layer - z) for z, y, x in triples(range(self._period)))
        return next(shift for shift in map(self.shift_at, before) if shift is not None)

    @cached_property
    def _period(self) -> int:
        """How far to look along each axis of the page for a lattice point."""
        counting = range(1, abs(self._unpage[1]) + 1)
        axes = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        return max(
            next(n for n in counting if self.shift_at(times(n, axis)) is not None) for axis in axes
        )

    @cached_property
    def _unpage(self) -> tuple[Matrix, int]:
        page = self._page[0]
        return adjugate(page), determinant(page)

    @cached_property
    def _seats(self) -> dict[Vector, tuple[int, Vector]]:
        """From what is left of a spot by the lattice to the tile there, and its own spot."""
        matrix, d = self._unpage
        seats: dict[Vector, tuple[int, Vector]] = {}
        for tile, spot in enumerate(self._page[1]):
            x, y, z = apply(matrix, spot)
            seats.setdefault((x % d, y % d, z % d), (tile, (x, y, z)))
        return seats

    # ---- proof ----

    def check(self) -> None:
        """Prove that the table is a tiling and that its turns keep it, or raise a PuzzleError.

        >>> from kumitate.model.grids import GRIDS
        >>> for grid in GRIDS.values():
        ...     grid.check()
        """
        self._check_numbers()
        if self.balls:
            self._check_balls()
        else:
            self._check_tiles()
        for turn, sense in [(t, 1) for t in self.turns] + [(t, -1) for t in self.mirrors]:
            if determinant(turn.matrix) != sense * turn.divisor**3:
                kind = "turn" if sense == 1 else "mirror"
                raise self._error(
                    f"the {kind} {turn.matrix} has determinant {determinant(turn.matrix)}"
                )
            self._check_keeps_neighbours(turn)
        self._check_steps()
        self._check_page()

    def _check_numbers(self) -> None:
        """Nothing so large that the proofs would take long: tables come from files, too."""
        if not 1 <= len(self.tiles) <= MOST_TILES:
            raise self._error(f"has {len(self.tiles)} tiles; 1 to {MOST_TILES} can be handled")
        for t, tile in enumerate(self.tiles):
            if not 1 <= len(tile) <= MOST_TILES or len(set(tile)) != len(tile):
                raise self._error(f"tile {t} must have 1 to {MOST_TILES} different corners")
            for corner in tile:
                if max(map(abs, corner)) > FARTHEST_CORNER * self.denominator:
                    raise self._error(f"corner {corner} of tile {t} is too far from the origin")
        matrices = (*self.generators, self.mirror, self.extra_turn or ONE, self.gram or ONE)
        if any(
            abs(x) > 100 for matrix in (*matrices, self.page or ONE) for row in matrix for x in row
        ):
            raise self._error("a matrix has an entry beyond 100")
        (a, b, c), (d, e, f), (g, h, i) = self.basis
        volume = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        if not 1e-9 < abs(volume) < 1e9:
            raise self._error(f"the basis vectors span a volume of {volume}")

    def _check_balls(self) -> None:
        if len(self.tiles) != 1:
            raise self._error(f"balls come one to a lattice point, not {len(self.tiles)}")
        if self.sweep(ZERO) != (((0, 0, 0, 0),),):
            raise self._error(f"balls of diameter squared {self.diameter2} overlap")
        if not self.neighbours[0]:
            raise self._error(f"balls of diameter squared {self.diameter2} touch no other ball")

    def _check_tiles(self) -> None:
        for t, tile in enumerate(self.tiles):
            faces = geometry.facets(tile)
            for c, corner in enumerate(tile):
                if sum(c in facet.corners for facet in faces) < 3:
                    raise self._error(f"corner {corner} of tile {t} is not a corner of its hull")
        volume = sum(map(geometry.volume6, self.tiles))
        whole = 6 * self.denominator**3
        if volume != whole:
            from fractions import Fraction  # an import that only this error needs

            part = Fraction(volume, whole)
            raise self._error(f"its tiles fill {part} of the space at a lattice point, not 1")
        for t, cells in enumerate(self.sweep(ZERO)):
            for cell in cells:
                if cell != (0, 0, 0, t):
                    raise self._error(f"tile {t} overlaps the cell {cell}")
        for (t, f), others in geometry.shared_faces(self.tiles, self.denominator).items():
            if len(others) != 1:
                corners = sorted(
                    self.tiles[t][c] for c in geometry.facets(self.tiles[t])[f].corners
                )
                raise self._error(
                    f"the face of tile {t} with corners {corners} is shared with"
                    f" {len(others)} others; tiles must meet face to face"
                )

    def _check_keeps_neighbours(self, turn: Turn) -> None:
        if turn.divisor > 1:
            return
        for tile, cells in enumerate(self.neighbours):
            at = turn.shifts[tile]
            images = set()
            for x, y, z, t in cells:
                there = add(apply(turn.matrix, (x, y, z)), turn.shifts[t])
                images.add((*subtract(there, at), turn.onto[t]))
            if images != set(self.neighbours[turn.onto[tile]]):
                raise self._error(
                    f"the turn {turn.matrix} does not keep the neighbours of tile {tile}"
                )

    def _check_steps(self) -> None:
        listed = {positive(step) for step in self.step_order} or set(self._contact_rays)
        wrong = listed ^ set(self._contact_rays)
        if wrong or len(self.step_order) not in (0, len(listed)):
            raise self._error(f"its steps must be, in any order, {self._contact_rays}")

    def _check_page(self) -> None:
        page, spots = self._page
        if len(spots) != len(self.tiles) or determinant(page) == 0:
            raise self._error("its page must be invertible and have one spot for each tile")
        for tile in range(len(spots)):
            if self.cell_at(self.spot((0, 0, 0, tile))) != (0, 0, 0, tile):
                raise self._error(
                    f"the spot of tile {tile} on the page is also that of another cell"
                )

    def _error(self, what: str) -> PuzzleError:
        return PuzzleError(f"grid {self.name!r}: {what}")
