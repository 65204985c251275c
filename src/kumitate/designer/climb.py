"""Make puzzles harder by changing a few cells at a time.

Nearly all random cuts of a box fall apart at the first move, but small changes lead far: give a
cell to another piece that touches it, empty it, or fill an empty one, and keep the change unless
the puzzle becomes much easier. "Much easier" is measured from the best puzzle so far, not from the
previous step, so a climb crosses plains and shallow valleys, never wanders off, and needs no
temperature.

The climb is the core's (core/climb.hpp), which judges tens of thousands of puzzles a second. With
turns it is done here, more slowly: cells go straight to the core of `Disassembler`s, which remember
how pairs of pieces slide.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import chain
from random import Random

from kumitate.designer.space import MOST_PIECES, Space
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.numbers import LARGEST, require_number, require_whole
from kumitate.model.options import ApartOptions
from kumitate.model.puzzle import Piece, Placement, Problem
from kumitate.model.shape import Shape, take_part
from kumitate.model.solution import Assembly, Solution
from kumitate.search.disassemble import Disassembler, examine, levels_of

MORE_CELLS = 0.3  # probability of changing one more cell before the puzzle is judged
RENEW_AFTER = 3000  # judgements by one Disassembler: it keeps all pieces, up to 65,536
MOST_TRIES = 10_000  # to change a cell before giving up
SLICE = 500  # puzzles between two looks for Ctrl-C
NEVER = float("-inf")

Pieces = Sequence[frozenset[Cell]]
Cells = Mapping[Cell, Set[Cell]]  # each with its neighbours


def climb(
    assembly: Assembly,
    seed: int,
    steps: int,
    *,
    homes: Sequence[Set[Cell]] = (),
    max_holes: int = 0,
    slack: float = 2,
    later: float = 0.1,
    max_states: int = 20_000,
    turns: float | None = None,
) -> Iterator[Solution]:
    """Harder and harder puzzles, each with its solution; the first assembly need not come apart.

    `homes` are the cells that each placed piece may use, by default all cells of the goal; a piece
    that fills its home, such as a box, stays as it is. The score of a puzzle is the moves to its
    first separation plus `later` times all moves. The climb may pass through puzzles that score up
    to `slack` below the best; it skips puzzles with more than `max_states` states. With `turns`, a
    tolerance as for `disassemble`, pieces may turn as well, and puzzles that come apart by slides
    alone are skipped.

    >>> from kumitate.model.grids import CUBES
    >>> slabs = Assembly.from_text(CUBES, "/".join(["AAAA  BBBB  CCCC  DDDD"] * 4))
    >>> *_, best = climb(slabs, seed=1, steps=9000, max_holes=4)
    >>> print(best.levels)
    4.3.2
    """
    require_whole(0, seed=seed, steps=steps, max_holes=max_holes)
    require_whole(1, max_states=max_states)
    require_number(-LARGEST, slack=slack, later=later)
    pieces: Pieces = [frozenset(shape.cells) for shape in assembly.shapes]
    homes = homes or [assembly.problem.goal.cells] * len(pieces)
    if len(homes) != len(pieces):
        raise PuzzleError(f"{len(homes)} homes for {len(pieces)} pieces; give one for each")
    if not all(piece <= home for piece, home in zip(pieces, homes, strict=True)):
        raise PuzzleError("a piece of the assembly does not lie in its home; make its home larger")
    frame = Shape(assembly.problem.grid, frozenset().union(*homes))
    if turns is None and 2 <= len(pieces) <= MOST_PIECES:
        kept = frozenset(n for n, piece in enumerate(pieces) if piece == homes[n])
        places = tuple(map(frozenset, homes))
        space = Space(frame, places, tuple(pieces), kept, (0, max_holes), inner=False)
        core = space.climb(slack=slack, later=later, max_states=max_states)
        core.begin(space.owners(pieces), Random(seed).getrandbits(32))
        while core.evaluations < steps:
            pause = core.run(min(SLICE, steps - core.evaluations))
            if pause == "fixed":
                return
            if pause == "better":
                core.settle(True)
                better = _assembly(assembly, space.pieces(core.owners))
                yield Solution(better, examine(better).disassembly)
        return
    yield from turning_climb(
        assembly,
        Random(seed),
        steps,
        homes,
        max_holes,
        slack=slack,
        later=later,
        max_states=max_states,
        turns=turns,
    )


def turning_climb(
    assembly: Assembly,
    dice: Random,
    steps: int,
    homes: Sequence[Set[Cell]],
    max_holes: int,
    *,
    slack: float = 2,
    later: float = 0.1,
    max_states: int = 20_000,
    turns: float | None = 0,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Solution]:
    """A climb in Python; it ends early if it is told to stop."""
    pieces: Pieces = [frozenset(shape.cells) for shape in assembly.shapes]
    frame = Shape(assembly.problem.grid, frozenset().union(*homes))
    cells = {cell: frozenset(frame.neighbours(cell)) for cell in frame}
    done = frozenset().union(*(p for p, home in zip(pieces, homes, strict=True) if p == home))
    spots = [cell for cell in cells if cell not in done]
    kinds = [ApartOptions()] + ([ApartOptions(turns=turns)] if turns is not None else [])
    best, trial = NEVER, pieces
    for step in range(steps):
        if stop():
            return
        if step % RENEW_AFTER == 0:
            judges = [Disassembler(Problem(frame, []), kind) for kind in kinds]
            seen = dict[frozenset[Cell], int]()
        for piece in trial:
            if piece not in seen:
                seen[piece] = len(seen)
                for judge in judges:
                    judge.core.add_piece(array("i", chain.from_iterable(piece)), 1, [])
        score = _score(judges, [seen[piece] for piece in trial], later, max_states)
        if score > max(best, 0):
            better = _assembly(assembly, trial)
            yield Solution(better, examine(better, turns=turns).disassembly)
        if score >= best - slack:
            best, pieces = max(score, best), trial
        changed = _changed(pieces, homes, cells, spots, max_holes, dice)
        if changed is None:
            return
        trial = changed


def _score(
    judges: Sequence[Disassembler], pieces: Sequence[int], later: float, max_states: int
) -> float:
    """How hard a puzzle is; below 0 if it cannot come apart, and lower for each stuck piece.

    The last judge says how hard. For those before it, the puzzle must be stuck.
    """
    spots = array("i", chain.from_iterable((piece, 0, 0, 0, 0) for piece in pieces))
    for judge in judges:
        ending, tree, _, part, *_ = judge.core.take_apart(spots, max_states, 2**31, 1)
        if ending not in ("rigid", "stuck"):
            break
    if judge is not judges[-1]:
        return NEVER
    if tree is not None:
        levels = levels_of(tree[0])
        return levels.moves + later * levels.total
    return -len(part) if ending in ("rigid", "stuck") else NEVER


def _changed(
    pieces: Pieces,
    homes: Sequence[Set[Cell]],
    cells: Cells,
    spots: Sequence[Cell],
    max_holes: int,
    dice: Random,
) -> Pieces | None:
    """The pieces with some cells given away, emptied or filled; all pieces are still connected.

    None if no change was found: two single cubes, for example, cannot be changed.
    """
    tries = 0
    while spots:
        trial = list(pieces)
        while trial == pieces or dice.random() < MORE_CELLS:
            tries += 1
            if tries > MOST_TRIES:
                return None
            cell = dice.choice(spots)
            near = [n for n, piece in enumerate(trial) if not piece.isdisjoint(cells[cell])]
            takers: list[int | None] = [
                n for n in near if cell in homes[n] and cell not in trial[n]
            ]
            if len(cells) - sum(map(len, trial)) < max_holes:
                takers.append(None)
            if takers:
                trial = [piece - {cell} if cell in piece else piece for piece in trial]
                if (taker := dice.choice(takers)) is not None:
                    trial[taker] |= {cell}
        if all(
            old is new or _connected(new, cells) for old, new in zip(pieces, trial, strict=True)
        ):
            return trial
    return None


def _connected(piece: Set[Cell], cells: Cells) -> bool:
    left = set(piece)
    return bool(left) and len(take_part(left, cells.__getitem__)) == len(piece)


def _assembly(like: Assembly, pieces: Pieces) -> Assembly:
    """Pieces in place as an assembly, with the names of the pieces of another assembly."""
    grid, names = like.problem.grid, [shape.name for shape in like.shapes]
    shapes = [Shape(grid, piece, name=name) for piece, name in zip(pieces, names, strict=True)]
    goal = Shape(grid, frozenset().union(*pieces), name=like.problem.goal.name)
    here = [Placement(number, 0, (0, 0, 0)) for number in range(len(pieces))]
    return Assembly(Problem(goal, [Piece(shape) for shape in shapes]), here)
