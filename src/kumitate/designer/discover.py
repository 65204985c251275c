"""Find new puzzles by random sampling: draw one from a family and test whether it qualifies.

The cheapest tests come first. If a draft says how its pieces lie, that assembly must come apart,
and at the wanted level; this alone rejects nearly all drafts. Then all assemblies are found and
taken apart, until one solution is too easy or, for unique puzzles, there is a second one.

A sample is a number: what is drawn and how it ends depend only on that number and the seed.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from random import Random
from typing import Literal, TypedDict, Unpack

from kumitate import _core
from kumitate.designer.assembly_shapes import Key, shape_key
from kumitate.designer.families import Draft, Family, Subsets
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.numbers import given, require_whole
from kumitate.model.options import SolveOptions
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers, Levels, Solution
from kumitate.model.table import PackedRows
from kumitate.search.assemble import PreparedProblem
from kumitate.search.disassemble import Disassembler, levels_of
from kumitate.search.solve import Examiner

SLICE = 100  # nodes before the first check of what was found; doubled each time,
MOST_SLICE = 20_000  # up to this many
MOST_NODES = 1_000_000
MOST_STATES = 50_000
MOST_CHOICES = 5_000  # up to this many, we compute when all of them have been drawn

Patience = Callable[[int], None]  # called with the number of states visited
SampleEnding = Literal["found", "none", "locked", "easy", "several", "limit"]


@dataclass(frozen=True)
class Terms:
    """What is required of a puzzle, the seed, and how much work a sample may take."""

    level: int = 1  # minimum for each solution
    unique: bool = True  # exactly one solution
    seed: int = 0  # of the random choices
    max_nodes: int = MOST_NODES  # to find its assemblies,
    max_states: int = MOST_STATES  # and to take them all apart

    def __post_init__(self) -> None:
        require_whole(0, seed=self.seed)
        require_whole(1, level=self.level, max_nodes=self.max_nodes, max_states=self.max_states)


class TermKeywords(TypedDict, total=False):
    """The same as keywords."""

    level: int
    unique: bool
    seed: int
    max_nodes: int
    max_states: int


@dataclass(frozen=True)
class Discovery:
    """A puzzle that a search has found, with its easiest solution."""

    title: str
    seed: int
    sample: int
    solution: Solution
    assemblies: int  # rotations and mirror images counted once
    solutions: int  # assemblies that come apart
    colours: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"<Discovery: sample {self.sample}, level {self.solution.levels}>"

    @property
    def level(self) -> int:
        """Moves to the first separation of its easiest solution."""
        assert self.solution.level is not None
        return self.solution.level

    @property
    def problem(self) -> Problem:
        """The goal and the pieces."""
        return self.solution.assembly.problem

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is saved: its title has the level, its comment the seed and sample."""
        comment = f"Found by kumitate search: seed {self.seed}, sample {self.sample}."
        return puzzle_found(self.title, self.solution, self.colours, comment)

    @property
    def answers(self) -> Answers:
        """Its solution, as a file keeps it."""
        return Answers([self.solution], self.assemblies, self.solutions, complete=True)

    @property
    def key(self) -> Sequence[Key]:
        """A key that is equal for puzzles of a family with the same pieces, however turned."""
        return key_of(self.problem)


def puzzle_found(title: str, solution: Solution, colours: Sequence[str], comment: str) -> Puzzle:
    """The puzzle that a solution solves, as it is saved; its title has the level."""
    problem = solution.assembly.problem
    pieces = [piece.shape for piece in problem.pieces]
    return Puzzle(
        problem.grid,
        list(dict.fromkeys([*pieces, problem.goal])),
        [problem],
        title=f"{title}, level {solution.levels}",
        colours=colours,
        comment=comment,
    )


def key_of(problem: Problem) -> Sequence[Key]:
    """A key that is equal for problems with the same goal and the same pieces, however turned.

    If the goal is its own mirror image and no placement is pinned or forbidden, the key is also
    equal for the mirror images of all pieces.
    """
    grid = problem.grid
    shapes = [piece.shape for piece in problem.pieces for _ in range(piece.min)]
    ways = [grid.turns]
    if not (problem.pinned or problem.forbidden) and _is_mirrored(problem.goal):
        ways.append(grid.mirrors)
    return min(sorted(shape_key(shape, turns) for shape in shapes) for turns in ways)


@lru_cache
def _is_mirrored(goal: Shape) -> bool:
    """Whether a shape, with its colours and optional cells, is its own mirror image."""
    return len(goal.symmetries(mirrors=True)) > len(goal.symmetries())


def search_puzzles(
    family: Family,
    *,
    samples: int | None = None,
    **terms: Unpack[TermKeywords],
) -> Iterator[Discovery]:
    """Random puzzles of a family with a unique solution of at least this level.

    Unique means that exactly one assembly comes apart; there may be others that do not. With
    `unique=False` there may be several solutions, all of at least this level. The search runs for
    `samples` samples, by default for ever, but a small family ends when everything in it has been
    drawn. No puzzle is found twice. A sample that needs more than `max_nodes` nodes to assemble, or
    more than `max_states` states to take apart, is skipped.

    >>> from kumitate.burr6 import Burrs
    >>> found = next(search_puzzles(Burrs("notchable"), level=3))
    >>> print(found.problem)
    256, 344, 687, 2 1024, 2836 fill burr (72 cells and 32 optional ones)
    >>> found.level, found.sample, found.assemblies, found.solutions
    (3, 1997, 4, 1)
    """
    asked = Terms(**terms)
    require_whole(0, **given(samples=samples))
    require_possible(family, asked)
    known: set[tuple[Key, ...]] = set()
    ends = [last for last in (samples, last_sample(family, asked.seed)) if last is not None]
    for sample in range(1, min(ends) + 1) if ends else count(1):
        _, found = examine_sample(family, asked, sample)
        if found and (key := tuple(found.key)) not in known:
            known.add(key)
            yield found


def require_possible(family: Family, terms: Terms) -> None:
    """Reject a search that cannot succeed."""
    if terms.level > 1 and family.level_one:
        raise PuzzleError(
            f"level {terms.level} is impossible: cubes that fill such a goal come apart at the"
            " first move or not at all; allow holes"
        )


def draw_sample(family: Family, seed: int, sample: int) -> Draft | None:
    return family.draw(_dice(seed, sample))


def last_sample(family: Family, seed: int) -> int | None:
    """The sample by which everything has been drawn; None if there are too many choices."""
    if not isinstance(family, Subsets) or family.choices > MOST_CHOICES:
        return None
    drawn, sample = set[tuple[int, ...]](), 0
    while len(drawn) < family.choices:
        sample += 1
        drawn.add(family.choose(_dice(seed, sample)))
    return sample


def _dice(seed: int, sample: int) -> Random:
    return Random(seed << 64 | sample)


def examine_sample(
    family: Family, terms: Terms, sample: int, patience: Patience | None = None
) -> tuple[SampleEnding, Discovery | None]:
    """Draw and judge one sample.

    The ending says why it was rejected. none: it does not go together. locked: it does not come
    apart. easy: it has a solution below the level. several: it has more than one solution. limit:
    it was too much work. `patience` is called now and then, and may raise.
    """
    draft = draw_sample(family, terms.seed, sample)
    if draft is None:
        return "none", None
    if draft.pieces:
        ending = _first_look(draft.pieces, family.grid, terms, patience)
        if ending != "found":
            return ending, None
    judgement = judge(draft.problem(), terms, patience)
    if isinstance(judgement, str):
        return judgement, None
    return "found", Discovery(family.title, terms.seed, sample, *judgement, family.colours)


def _first_look(
    pieces: Sequence[Sequence[Cell]], grid: Grid, terms: Terms, patience: Patience | None
) -> SampleEnding:
    """Take apart the assembly that was drawn; the pieces' cells go straight to the core."""
    ending, levels = look(pieces, grid, terms.max_states, patience)
    if levels is None:
        return "locked" if ending in ("rigid", "stuck") else "limit"
    return "found" if levels.moves >= terms.level else "easy"


def look(
    pieces: Iterable[Iterable[Cell]],
    grid: Grid,
    max_states: int = MOST_STATES,
    patience: Patience | None = None,
) -> tuple[str, Levels | None]:
    """How pieces come apart, where they lie: the core's ending, and the levels if they do."""
    core = Disassembler(Problem(Shape(grid, set()), [])).core
    amount = 0
    for cells in pieces:
        core.add_piece(array("i", chain.from_iterable(cells)), 1, [])
        amount += 1
    spots = array("i", chain.from_iterable((piece, 0, 0, 0, 0) for piece in range(amount)))
    ending, tree, *_ = core.take_apart(spots, max_states, 2**31, 1, None, patience)
    return ending, levels_of(tree[0]) if tree is not None else None


def judge(
    problem: Problem, terms: Terms, patience: Patience | None = None
) -> SampleEnding | tuple[Solution, int, int]:
    """The easiest solution and the numbers of assemblies and solutions, or why it is rejected.

    Most of these searches stop early, so reducing placements first does not pay: without it, ten
    times as many samples of pentacubes in 3x3x5 are judged per second.
    """
    prepared = PreparedProblem(problem, hopeless=True)
    if prepared.fault:
        return "none"
    prepared.prepare(reduces=False)
    if not prepared.core.possible:
        return "none"
    found = _assemblies(prepared.core.search(), terms, patience)
    examiner = Examiner(prepared, SolveOptions(disassemble=True))
    examinations = examiner.examine(found, progress=patience, budget=terms.max_states)
    easiest: Solution | None = None
    assemblies = solutions = 0
    try:
        for assemblies, seen in enumerate(filter(None, examinations), 1):
            if seen.ending == "limit":
                return "limit"
            if seen.disassembly is None:
                continue
            solutions += 1
            if seen.disassembly.levels.moves < terms.level:
                return "easy"
            if terms.unique and solutions > 1:
                return "several"
            solution = Solution(seen.assembly, seen.disassembly, None, assemblies, solutions)
            if easiest is None or solution.level < easiest.level:  # type: ignore[operator]
                easiest = solution
    except (PuzzleError, LimitReached):  # too many nodes, too many pieces, or they slide too far
        return "limit"
    if easiest is None:
        return "locked" if assemblies else "none"
    return easiest, assemblies, solutions


def _assemblies(
    search: _core.Search, terms: Terms, patience: Patience | None
) -> Iterator[PackedRows]:
    """What a search finds, slice by slice."""
    pace = SLICE
    while not search.done:
        yield PackedRows(*search.run(pace))
        pace = min(2 * pace, MOST_SLICE)
        if search.nodes > terms.max_nodes:
            raise LimitReached("too many nodes")
        if patience is not None:
            patience(0)
