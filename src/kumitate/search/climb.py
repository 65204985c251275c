"""Harder puzzles by changing a few cells at a time.

Nearly all random cuts of a box fall apart at the first move, yet small changes lead far: give a
cell to another piece that touches it, empty it, or fill an empty one, and keep what does not make
the puzzle much easier. How much easier is measured from the best so far, not from the step before,
so a climb crosses flat land and shallow valleys but never wanders off, and needs no temperature.

Thousands of assemblies that differ in two pieces are judged in a second, so their cells go straight
to the core of one `Disassembler`, which remembers how all other pairs of pieces slide.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from random import Random

from kumitate import _core
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.numbers import LARGEST, require_number, require_whole
from kumitate.model.puzzle import Piece, Placement, Problem
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Solution
from kumitate.search.disassemble import Disassembler, examine

TOGETHER = 0.3  # how often one more cell is changed before the puzzle is judged
FRESH = 3000  # judgements by one bench: it keeps all pieces, and has room for 65,536
MOST_TRIES = 10_000  # to change a cell, before there seems to be no way
NEVER = float("-inf")

Pieces = Sequence[frozenset[Cell]]
Cells = Mapping[Cell, Set[Cell]]  # each with those that touch it


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
) -> Iterator[Solution]:
    """Ever harder puzzles, each with its solution, from an assembly on; it need not come apart.

    `homes` are the cells that each of the placed pieces may have; if not given, those of the goal.
    A puzzle is worth the moves to its first separation, and all moves times `later`. One that is
    worth `slack` less than the best may be on the way to a better one; one that has more than
    `max_states` states is passed over.

    >>> from kumitate.model.grids import CUBES
    >>> slabs = Assembly.from_text(CUBES, "/".join(["AAAA  BBBB  CCCC  DDDD"] * 4))
    >>> *_, best = climb(slabs, seed=1, steps=9000, max_holes=4)
    >>> print(best.levels)
    2.1.2
    """
    require_whole(0, seed=seed, steps=steps, max_holes=max_holes)
    require_whole(1, max_states=max_states)
    require_number(-LARGEST, slack=slack, later=later)
    pieces: Pieces = [frozenset(shape.cells) for shape in assembly.shapes]
    homes = homes or [assembly.problem.goal.cells] * len(pieces)
    if not all(piece <= home for piece, home in zip(pieces, homes, strict=False)):
        raise PuzzleError("a piece of the assembly does not lie in its home; give it larger ones")
    frame = Shape(assembly.problem.grid, frozenset().union(*homes))
    cells = {cell: frozenset(frame.neighbours(cell)) for cell in frame}
    dice = Random(seed)
    best, trial = NEVER, pieces
    for step in range(steps):
        if step % FRESH == 0:
            judge, seen = Disassembler(Problem(frame, [])), dict[frozenset[Cell], int]()
        for piece in trial:
            if piece not in seen:
                seen[piece] = len(seen)
                judge.core.add_piece(array("i", chain.from_iterable(piece)), 1, [])
        worth = _worth(judge, [seen[piece] for piece in trial], later, max_states)
        if worth > max(best, 0):
            better = _assembly(assembly, trial)
            yield Solution(better, examine(better).disassembly)
        if worth >= best - slack:
            best, pieces = max(worth, best), trial
        changed = _changed(pieces, homes, cells, max_holes, dice)
        if changed is None:
            return
        trial = changed


def _worth(judge: Disassembler, pieces: Sequence[int], later: float, max_states: int) -> float:
    """How hard a puzzle is; below 0 if it cannot come apart, and lower for each piece stuck."""
    spots = array("i", chain.from_iterable((piece, 0, 0, 0, 0) for piece in pieces))
    ending, tree, _, part, *_ = judge.core.take_apart(spots, max_states, 2**31, 1)
    if tree is not None:
        return len(tree[0]) + later * _moves(tree)
    return -len(part) if ending in ("rigid", "stuck") else NEVER


def _moves(tree: "_core.Tree | None") -> int:
    return len(tree[0]) + _moves(tree[1]) + _moves(tree[2]) if tree else 0


def _changed(
    pieces: Pieces, homes: Sequence[Set[Cell]], cells: Cells, max_holes: int, dice: Random
) -> Pieces | None:
    """The pieces with some cells given away, emptied or filled; all of them still connected.

    None if no change was found: in a pair of single cubes there is none.
    """
    spots, tries = list(cells), 0
    while True:
        trial = list(pieces)
        while trial == pieces or dice.random() < TOGETHER:
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


def _connected(piece: Set[Cell], cells: Cells) -> bool:
    left = set(piece)
    reached = [left.pop()] if left else []
    for cell in reached:
        reached += (fresh := cells[cell] & left)
        left -= fresh
    return bool(reached) and not left


def _assembly(like: Assembly, pieces: Pieces) -> Assembly:
    """Pieces that lie where they are, with the names of those in another assembly."""
    grid, names = like.problem.grid, [shape.name for shape in like.shapes]
    shapes = [Shape(grid, piece, name=name) for piece, name in zip(pieces, names, strict=True)]
    goal = Shape(grid, frozenset().union(*pieces), name=like.problem.goal.name)
    here = [Placement(number, 0, (0, 0, 0)) for number in range(len(pieces))]
    return Assembly(Problem(goal, [Piece(shape) for shape in shapes]), here)
