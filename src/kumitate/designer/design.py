"""Design by goal: ever better puzzles of what was asked for.

An engine climbs to ever harder candidates; all other requirements are tested here, on promising
candidates only. All assemblies of such a candidate are found, so a puzzle is known by its easiest
solution, and by how many it has. An archive keeps the best puzzle for each level, number of holes
and size of the smallest piece: a run gives a gallery, not one puzzle.
"""

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from string import ascii_uppercase
from typing import TYPE_CHECKING, Unpack

from kumitate.designer import goals
from kumitate.designer.assembly_shapes import Key, shape_key
from kumitate.designer.discover import Terms, judge, key_of, puzzle_found
from kumitate.designer.engine import Candidate, Engine, Progress, Stop, Way
from kumitate.designer.recipes import TOOLS, Recipe, recipe_for, with_turns
from kumitate.designer.space import Pieces, Space
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell, Vector
from kumitate.model.grids import CUBES
from kumitate.model.numbers import MOST_THREADS, given, require_number, require_whole
from kumitate.model.puzzle import Piece, Placement, Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers, Assembly, Levels, Solution
from kumitate.model.wish import Wish, WishKeywords
from kumitate.search.disassemble import examine

if TYPE_CHECKING:
    from kumitate.designer.goals import Objective, Requirement

MOST_NODES = 200_000  # to find all assemblies of a candidate
MOST_STATES = 100_000  # to take them apart
MOST_KNOWN = 1000  # candidates of which everything is remembered

Niche = tuple[int, int, int]  # level, holes, cells of the smallest piece
Score = tuple[float, ...]


@dataclass(frozen=True)
class Brief:
    """What to design: the puzzles that are possible, what is wanted, and what is required."""

    recipe: Recipe
    wish: Wish
    maximise: "dict[str, Objective]"
    require: "Sequence[Requirement]"
    cheap: "Sequence[Requirement]"  # those that need not find all assemblies

    @property
    def space(self) -> Space:
        return self.recipe.space

    @property
    def goal(self) -> Shape:
        return self.recipe.goal

    @property
    def promising(self) -> int:
        """The level from which all assemblies of a candidate are looked for."""
        return max(2, (self.wish.level or 1) // 2)

    @property
    def terms(self) -> Terms:
        """By which all assemblies of a candidate are judged."""
        return Terms(1, self.wish.unique, 0, MOST_NODES, MOST_STATES)


@dataclass(frozen=True)
class Design:
    """A designed puzzle, with its easiest solution; facts are computed when first asked for."""

    brief: Brief = field(repr=False, compare=False)
    candidate: Candidate

    def __repr__(self) -> str:
        return f"<Design: level {self.levels}, {self.sample:,} evaluations>"

    # ---- how it lies ----

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """Each piece where it lies."""
        recipe, letters = self.brief.recipe, iter(_letters(self.brief.recipe))
        return tuple(
            recipe.given[n]
            if n in recipe.given
            else replace(
                recipe.goal.restricted(cells),
                optional=frozenset(),
                name=next(letters),
                weight=2 if cells <= recipe.walls else 1,
            )
            for n, cells in enumerate(self.candidate.pieces)
        )

    @property
    def designed(self) -> list[Shape]:
        """The pieces, except walls and those that were given."""
        recipe, shapes = self.brief.recipe, enumerate(self.shapes)
        return [s for n, s in shapes if n not in recipe.given and not s.cells <= recipe.walls]

    @property
    def sizes(self) -> list[int]:
        """The number of cells of each designed piece."""
        return [len(shape) for shape in self.designed]

    @property
    def goal(self) -> Shape:
        """What the pieces fill: openings in walls are no part of it."""
        goal, walls = self.brief.goal, self.brief.recipe.walls
        openings = walls.difference(*self.candidate.pieces)
        return goal.restricted(goal.cells - openings) if openings else goal

    @property
    def empty(self) -> frozenset[Cell]:
        """The cells that stay empty."""
        return frozenset(self.goal.cells).difference(*self.candidate.pieces)

    @property
    def holes(self) -> int:
        """The number of cells that stay empty."""
        return len(self.empty)

    # ---- the question, and the answers ----

    @cached_property
    def problem(self) -> Problem:
        """The goal and the designed pieces."""
        goal = self.goal
        alike = {(colour, colour) for colour in goal.colours.values()}
        return Problem(goal, copies_of(self.shapes), allowed=alike)

    @cached_property
    def _verdict(self) -> str | tuple[Solution, int, int]:
        if self.brief.recipe.as_designed:
            return "not asked"
        return judge(self.problem, self.brief.terms)

    @cached_property
    def solution(self) -> Solution:
        """The easiest solution; if finding all of them was too much work, the one designed."""
        if not isinstance(self._verdict, str):
            return self._verdict[0]
        pieces = [Piece(shape.at_origin()) for shape in self.shapes]
        here = [Placement(n, 0, _corner(shape)) for n, shape in enumerate(self.shapes)]
        assembly = Assembly(replace(self.problem, pieces=pieces), here)
        return Solution(assembly, examine(assembly, turns=self.brief.recipe.turns).disassembly)

    @property
    def assemblies(self) -> int | None:
        """How many there are, rotations and mirror images counted once; None if unknown."""
        return None if isinstance(self._verdict, str) else self._verdict[1]

    @property
    def solutions(self) -> int | None:
        """How many assemblies come apart; None if unknown."""
        return None if isinstance(self._verdict, str) else self._verdict[2]

    @property
    def levels(self) -> Levels:
        """The moves of its easiest solution, separation by separation."""
        assert self.solution.levels is not None
        return self.solution.levels

    @property
    def level(self) -> int:
        """Moves to the first separation of its easiest solution."""
        return self.levels.moves

    # ---- how good it is ----

    @cached_property
    def scores(self) -> dict[str, float]:
        """Its score for each objective, most important first."""
        return {name: float(value(self)) for name, value in self.brief.maximise.items()}

    @property
    def score(self) -> Score:
        """Its scores in order, most important first; the larger, the better."""
        return tuple(self.scores.values())

    @property
    def niche(self) -> Niche:
        """Where the archive keeps it."""
        return niche_of(self.problem, self.level)

    # ---- as it is saved ----

    def found_by(self, candidate: Candidate) -> "Design":
        """The same design, with what is known of it, as found by an equal candidate."""
        same = copy(self)
        object.__setattr__(same, "candidate", candidate)
        return same

    @property
    def sample(self) -> int:
        """How many candidates had been evaluated when this one was found."""
        return self.candidate.evaluations

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is saved: its title has the level, its comment how it was found."""
        recipe, seed = self.brief.recipe, self.brief.wish.seed
        how = found_how(seed, self.sample)
        return puzzle_found(recipe.title, self.solution, recipe.colours, how)

    @property
    def answers(self) -> Answers:
        """Its solution, as a file keeps it."""
        counts = (self.assemblies, self.solutions)
        return Answers([self.solution], *counts, complete=self.solutions is not None)

    @property
    def key(self) -> Sequence[Key]:
        """Equal for designs of one goal with the same pieces, however turned."""
        return key_of(self.problem)


def found_how(seed: int, sample: int) -> str:
    return f"Found by kumitate design: seed {seed}, sample {sample}."


def niche_of(problem: Problem, level: int) -> Niche:
    """Where the archive keeps a puzzle of this level."""
    cells = sum(piece.min * len(piece.shape) for piece in problem.pieces)
    return level, len(problem.goal) - cells, min(len(piece.shape) for piece in problem.pieces)


def copies_of(shapes: Iterable[Shape]) -> list[Piece]:
    """Pieces, of which those that are the same count as copies of one."""
    kinds: dict[object, list[Shape]] = {}
    for shape in map(Shape.at_origin, shapes):
        kinds.setdefault((shape.weight, _key(replace(shape, name=""))), []).append(shape)
    return [Piece(same[0], len(same)) for same in kinds.values()]


@lru_cache(1 << 12)
def _key(shape: Shape) -> Key:
    return shape_key(shape, shape.grid.turns)


def _corner(shape: Shape) -> Vector:
    x, y, z, _ = (min(axis) for axis in zip(*shape.cells, strict=True))
    return (x, y, z)


def _letters(recipe: Recipe) -> Iterable[str]:
    """Names for the designed pieces."""
    names = {shape.name for shape in recipe.given.values()}
    few = len(recipe.space.homes) <= len(ascii_uppercase)
    every = ascii_uppercase if few else map(str, range(1, len(recipe.space.homes) + 1))
    return [name for name in every if name not in names] + sorted(names)


# ---- the search ----


class _Known:
    """What is known of candidates: a climb judges them, and later they are found."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.designs: dict[Pieces, Design] = {}

    def design(self, candidate: Candidate) -> Design:
        design = self.designs.get(candidate.pieces) or Design(self.brief, candidate)
        if len(self.designs) > MOST_KNOWN:
            self.designs.clear()
        self.designs[candidate.pieces] = design
        return design

    def accept(self, candidate: Candidate) -> bool:
        """Whether a climb may go on from a candidate; the level that is required lies ahead."""
        brief, design = self.brief, self.design(candidate)
        some = brief.cheap if candidate.levels.moves < brief.promising else brief.require
        return all(required(design) for required in some)


def way_for(brief: Brief, *, seed: int, stop: Stop, known: _Known | None = None) -> Way:
    """The way to find candidates for a brief."""
    way = brief.recipe.way or Engine
    return way(brief.space, seed=seed, accept=(known or _Known(brief)).accept, stop=stop)


def improvements(
    brief: Brief,
    archive: dict[Niche, Score],
    *,
    seed: int,
    crew: Executor,
    stop: Stop,
    starts: Sequence[Pieces] = (),
) -> Generator[Design | Progress, None, None]:
    """Designs that are better than the archive's in their niche, or have a niche of their own.

    The archive is updated; Progress comes a few times a second. The climbs of the crew end when
    this does.
    """
    over, known = False, _Known(brief)
    way = way_for(brief, seed=seed, stop=lambda: over or stop(), known=known)
    try:
        for found in way.candidates(crew, starts):
            if isinstance(found, Progress):
                yield found
                continue
            if found.levels.moves < (brief.wish.level or 1):
                continue
            design = known.design(found).found_by(found)
            if not all(required(design) for required in brief.require):
                continue
            niche = design.niche
            if niche[0] < (brief.wish.level or 1):  # another assembly is easier
                continue
            if niche not in archive or design.score > archive[niche]:
                archive[niche] = design.score
                yield design
    finally:
        over = True


def design(
    goal: "str | Shape | Assembly | Space",
    *,
    maximise: "str | Iterable[str | Objective]" = (),
    require: "Iterable[Requirement]" = (),
    evaluations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    **wishes: Unpack[WishKeywords],
) -> Iterator[Design]:
    """Better and better puzzles, each with its solution and its scores.

    The goal is a box such as `"5x5x5"`, the name of a family such as `"burr6"`, a shape to cut, an
    assembly to begin with, or a `Space` of your own. `maximise` lists objectives, the most
    important first, by default the level and then all moves; `require` is what a puzzle must be.
    Both take plain functions of a `Design`. The other wishes are those of `kumitate design`:
    `unique=True`, `level=8`, ... It runs until you stop it, or until it has judged `evaluations`
    candidates or run for `seconds`.

    >>> *_, best = design("4x4x4", pieces=4, holes=1, unique=True, evaluations=30_000)
    >>> best.level > 1, best.solutions
    (True, 1)
    """
    require_whole(1, **given(evaluations=evaluations))
    require_number(0, **given(seconds=seconds))
    require_whole(1, MOST_THREADS, threads=threads)
    brief = brief_for(goal, Wish(**wishes), maximise=maximise, require=require)
    return _ever_better(brief, evaluations, seconds, threads)


def _ever_better(
    brief: Brief, evaluations: int | None, seconds: float | None, threads: int
) -> Iterator[Design]:
    best: Score | None = None
    ends = time.monotonic() + seconds if seconds is not None else None

    def stop() -> bool:
        return ends is not None and time.monotonic() > ends

    with (
        ThreadPoolExecutor(threads) as crew,
        closing(improvements(brief, {}, seed=brief.wish.seed, crew=crew, stop=stop)) as some,
    ):
        for found in some:
            so_far = found.evaluations if isinstance(found, Progress) else found.sample
            if evaluations is not None and so_far > evaluations:
                return
            if isinstance(found, Design) and (best is None or found.score > best):
                best = found.score
                yield found


def brief_for(
    goal: "str | Shape | Assembly | Space",
    wish: Wish,
    *,
    maximise: "str | Iterable[str | Objective]" = (),
    require: "Iterable[Requirement]" = (),
    title: str = "",
    colours: Sequence[str] = (),
) -> Brief:
    """What to design; impossible wishes are refused."""
    recipe = recipe_for(goal, wish, title=title, colours=colours)
    _require_cubes(recipe, wish)
    wish = replace(wish, unique=wish.unique or recipe.unique)
    names = [maximise] if isinstance(maximise, str) else maximise
    wanted = list(names or wish.maximise or recipe.maximise)
    if "turns" in wanted:
        recipe = with_turns(recipe, wish)
    ranks = goals.objectives([*wanted, "level", "moves"])  # of what is equally good, the hardest
    cheap = goals.cheap_requirements(wish, require)
    return Brief(recipe, wish, ranks, (*cheap, *goals.dear_requirements(wish)), cheap)


def _require_cubes(recipe: Recipe, wish: Wish) -> None:
    for name in (*TOOLS, "no_turns") if recipe.goal.grid != CUBES else ():
        if name in wish.given:
            raise PuzzleError(
                f"--{name.replace('_', '-')} needs pieces of cubes; the goal is made of"
                f" {recipe.goal.grid.name}"
            )
