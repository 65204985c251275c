"""New puzzles by random sampling: draw one from a family, and see whether it is what was asked.

What costs least is asked first. Where a draft says how its pieces lie, that assembly must come
apart, and not too soon; that alone rejects nearly all of them. Then all assemblies are looked for
and taken apart, up to the first solution that is too easy, or the second one.

A sample is a number: what is drawn and how it ends depend on it and on the seed, on nothing else.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from random import Random
from typing import Literal

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.numbers import given, require_whole
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers, Solution
from kumitate.search.assemble import PreparedProblem
from kumitate.search.burrs import Burrs
from kumitate.search.check import volume_fault
from kumitate.search.disassemble import Disassembler
from kumitate.search.families import Cuts, Draft, Subsets
from kumitate.search.generate import Key, shape_key

SLICE = 100  # nodes before the first look at what was found; then twice as many each time,
MOST_SLICE = 20_000  # up to these
MOST_NODES = 1_000_000
MOST_STATES = 50_000
MOST_CHOICES = 5_000  # of which it is known when all of them have been drawn

Family = Burrs | Cuts | Subsets
Patience = Callable[[int], None]  # told the states visited
SampleEnding = Literal["found", "none", "locked", "easy", "several", "limit"]


@dataclass(frozen=True)
class Terms:
    """What is asked of a puzzle, what is drawn, and how much work one may take."""

    level: int = 1  # at least, of each solution
    unique: bool = True  # just one solution
    seed: int = 0  # of the random choices
    max_nodes: int = MOST_NODES  # of the search for its assemblies,
    max_states: int = MOST_STATES  # and of taking them all apart

    def __post_init__(self) -> None:
        require_whole(0, seed=self.seed)
        require_whole(1, level=self.level, max_nodes=self.max_nodes, max_states=self.max_states)


@dataclass(frozen=True)
class Discovery:
    """A puzzle that a search has found, with the easiest of its solutions."""

    title: str
    seed: int
    sample: int
    solution: Solution
    assemblies: int  # rotations and mirror images counted once
    solutions: int  # those of them that come apart
    colours: Sequence[str] = ()

    @property
    def level(self) -> int:
        assert self.solution.level is not None
        return self.solution.level

    @property
    def problem(self) -> Problem:
        return self.solution.assembly.problem

    @property
    def puzzle(self) -> Puzzle:
        """As it is saved: the title has the level, the comment says where it comes from."""
        pieces = [piece.shape for piece in self.problem.pieces]
        return Puzzle(
            self.problem.grid,
            list(dict.fromkeys([*pieces, self.problem.goal])),
            [self.problem],
            title=f"{self.title}, level {self.solution.levels}",
            colours=self.colours,
            comment=f"Found by kumitate search: seed {self.seed}, sample {self.sample}.",
        )

    @property
    def answers(self) -> Answers:
        return Answers([self.solution], self.assemblies, self.solutions, complete=True)

    @property
    def key(self) -> Sequence[Key]:
        """Equal for puzzles of a family with the same pieces, each of them turned.

        Where the goal is its own mirror image, and no piece has to lie here or there, it is also
        equal if all of the pieces are mirrored.
        """
        problem, grid = self.problem, self.problem.grid
        shapes = [piece.shape for piece in problem.pieces for _ in range(piece.min)]
        ways = [grid.turns]
        if not (problem.pinned or problem.forbidden) and _is_mirrored(problem.goal):
            ways.append(grid.mirrors)
        return min(sorted(shape_key(shape, turns) for shape in shapes) for turns in ways)


@lru_cache
def _is_mirrored(goal: Shape) -> bool:
    """Whether a reflection keeps it, with its colours and optional cells."""
    return len(goal.symmetries(mirrors=True)) > len(goal.symmetries())


def search_puzzles(
    family: Family,
    *,
    level: int = 1,
    unique: bool = True,
    seed: int = 0,
    samples: int | None = None,
    max_nodes: int = MOST_NODES,
    max_states: int = MOST_STATES,
) -> Iterator[Discovery]:
    """Puzzles of a family with a unique solution of this level at least, drawn at random.

    Unique means that just one assembly comes apart; others, that do not, may exist. With
    `unique=False` there may be several solutions, all of this level at least. It goes on for ever,
    for so many samples, or until all that there is was drawn, if that is little; no puzzle comes
    twice. A sample that takes more nodes to assemble or more states to take apart than allowed is
    passed over.

    >>> found = next(search_puzzles(Burrs("notchable"), level=3))
    >>> print(found.problem)
    256, 344, 687, 2 1024, 2836 fill burr (72 cells and 32 optional ones)
    >>> found.level, found.sample, found.assemblies, found.solutions
    (3, 1997, 4, 1)
    """
    terms = Terms(level, unique, seed, max_nodes, max_states)
    require_whole(0, **given(samples=samples))
    require_possible(family, terms)
    known: set[tuple[Key, ...]] = set()
    ends = [last for last in (samples, last_sample(family, seed)) if last is not None]
    for sample in range(1, min(ends) + 1) if ends else count(1):
        _, found = examine_sample(family, terms, sample)
        if found and (key := tuple(found.key)) not in known:
            known.add(key)
            yield found


def require_possible(family: Family, terms: Terms) -> None:
    """Nobody should wait for what cannot be."""
    if terms.level > 1 and family.at_once:
        raise PuzzleError(
            f"level {terms.level}: cubes that fill such a goal come apart at the first move or not"
            " at all; allow holes"
        )


def draw_sample(family: Family, seed: int, sample: int) -> Draft | None:
    return family.draw(_dice(seed, sample))


def last_sample(family: Family, seed: int) -> int | None:
    """The sample by which all that there is was drawn; None if that is too far to see."""
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
    """What became of one sample.

    none: it does not go together. locked: it does not come apart. easy: it has a solution below the
    level. several: it has more than one. limit: it was too much work. `patience` is called now and
    then, and may raise.
    """
    draft = draw_sample(family, terms.seed, sample)
    if draft is None:
        return "none", None
    if draft.pieces:
        ending = _first_look(draft.pieces, family.grid, terms, patience)
        if ending != "found":
            return ending, None
    judgement = _judge(draft.problem(), terms, patience)
    if isinstance(judgement, str):
        return judgement, None
    return "found", Discovery(family.title, terms.seed, sample, *judgement, family.colours)


def _first_look(
    pieces: Sequence[Sequence[Cell]], grid: Grid, terms: Terms, patience: Patience | None
) -> SampleEnding:
    """What the assembly says that was drawn, the pieces' cells going straight to the core."""
    core = Disassembler(Problem(Shape(grid, set()), [])).core
    for cells in pieces:
        core.add_piece(array("i", chain.from_iterable(cells)), 1, [])
    spots = array("i", chain.from_iterable((piece, 0, 0, 0, 0) for piece in range(len(pieces))))
    ending, tree, *_ = core.take_apart(spots, terms.max_states, 2**31, 1, None, patience)
    if tree is None:
        return "locked" if ending in ("rigid", "stuck") else "limit"
    return "found" if len(tree[0]) >= terms.level else "easy"


def _judge(
    problem: Problem, terms: Terms, patience: Patience | None
) -> SampleEnding | tuple[Solution, int, int]:
    """The easiest solution, how many assemblies and solutions there are; or why it will not do.

    To leave out placements before the search does not pay for a search that mostly stops early: of
    pentacubes in 3x3x5 ten times as many samples are judged in a second without.
    """
    prepared = PreparedProblem(problem, distinct_copies=False, hopeless=True)
    if volume_fault(problem) or prepared.misfit():
        return "none"
    prepared.core.prepare(prepared.holes, rotations=True, reflections=True, reduces=False)
    if not prepared.core.possible:
        return "none"
    disassembler, search = Disassembler(problem), prepared.core.search()
    easiest: Solution | None = None
    assemblies = solutions = states = 0
    pace = SLICE
    while not search.done:
        found = search.run(pace)
        pace = min(2 * pace, MOST_SLICE)
        for names in found:
            assemblies += 1
            assembly = prepared.assembly(names)
            left = max(1, terms.max_states - states)
            try:
                seen = disassembler.examine(assembly, left, progress=patience)
            except PuzzleError:  # too many pieces, or they slide too far
                return "limit"
            states += seen.states
            if seen.ending == "limit" or states > terms.max_states:
                return "limit"
            if seen.disassembly is None:
                continue
            solutions += 1
            if len(seen.disassembly.moves) < terms.level:
                return "easy"
            if terms.unique and solutions > 1:
                return "several"
            solution = Solution(assembly, seen.disassembly, None, assemblies, solutions)
            if easiest is None or solution.level < easiest.level:  # type: ignore[operator]
                easiest = solution
        if search.nodes > terms.max_nodes:
            return "limit"
        if patience is not None:
            patience(states)
    if easiest is None:
        return "locked" if assemblies else "none"
    return easiest, assemblies, solutions
