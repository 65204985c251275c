"""Pack: the most pieces, or the most cells, that fit when they need not fill the goal.

A local search looks for placements without collisions, as many or as heavy as it can find; it is
better the longer it runs and can be stopped at any time. That it cannot be better still, only a
bound proves: by volume, by a colouring, or, when asked, by CP-SAT (OR-Tools, an extra).
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of, require_number, require_whole
from kumitate.model.puzzle import Piece, Problem
from kumitate.model.solution import Assembly
from kumitate.search.assemble import PreparedProblem
from kumitate.search.one.arguments import argument
from kumitate.search.one.first import MOST_COLLISIONS, TICK

PIP = "pip install 'kumitate[cpsat]'"
SECONDS = 10.0

Measure = Literal["pieces", "cells"]


class PackProgress(NamedTuple):
    """How far a packing is."""

    seconds: float
    best: int  # pieces, or cells
    bound: int  # no more can be


@dataclass(frozen=True)
class Packing:
    """Pieces that fit together in a goal, and how many could fit at most.

    In the problem of its assembly every cell is optional and so is every piece, so that the referee
    can judge it.
    """

    assembly: Assembly
    by: Measure
    best: int  # pieces, or cells, that are placed
    bound: int  # no more than this can be
    seconds: float
    interrupted: bool = False  # by Ctrl-C: this is what was found until then

    @property
    def optimal(self) -> bool:
        """Whether no more can be placed."""
        return self.best >= self.bound

    @property
    def summary(self) -> str:
        """How many are placed, and whether that is the most."""
        proof = "the most possible" if self.optimal else f"and no more than {self.bound:,} fit"
        return f"{count_of(self.best, self.by[:-1])} placed, {proof}"

    def __repr__(self) -> str:
        return f"<Packing: {self.summary}>"

    def __str__(self) -> str:
        return f"{self.assembly}\n{self.summary}"


def pack(
    problem: Problem,
    *,
    by: Measure = "pieces",
    seconds: float = SECONDS,
    bound: bool = False,
    seed: int = 0,
    progress: Callable[[PackProgress], None] | None = None,
) -> Packing:
    """The most pieces, or cells, that were found to fit within some seconds.

    It ends earlier if no more can fit; Ctrl-C ends it as if time were up. Pieces are used no more
    often than the problem says, but need not be used. `bound=True` also asks CP-SAT how many can
    fit at most.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece
    >>> from kumitate.model.shape import Shape
    >>> goal, tee = Shape.from_text(CUBES, "####/####/###."), Shape.from_text(CUBES, "###/.#.")
    >>> pack(Problem(goal, [Piece(tee, 0, 9)])).best
    2
    """
    if by not in ("pieces", "cells"):
        raise PuzzleError(f"by {by!r}: it must be pieces or cells")
    if problem.pinned:
        raise PuzzleError("pack cannot keep pinned pieces; cut their cells out of the goal")
    if bound and find_spec("ortools") is None:
        raise PuzzleError(f"a bound needs OR-Tools, which is not installed; run: {PIP}")
    require_whole(0, seed=seed)
    require_number(0, seconds=seconds)
    start = time.monotonic()
    prepared = PreparedProblem(loosened(problem))
    local = prepared.core.local(by == "cells", seed, MOST_COLLISIONS)
    if local is None:
        raise PuzzleError("there are too many collisions for a local search; pack a smaller goal")
    prover = _Prover(prepared, by, _simple_bound(prepared.problem, by), seconds if bound else 0)
    interrupted = False
    try:
        while not local.run(TICK, prover.bound):
            spent = time.monotonic() - start
            if progress is not None:
                progress(PackProgress(spent, local.best, prover.bound))
            if spent >= seconds or local.size[1] == 0:
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        prover.end()
    best, names = local.best, local.names
    if len(prover.names) and prover.best > best:
        best, names = prover.best, prover.names
    top = prover.bound if local.size[1] else best
    spent = time.monotonic() - start
    return Packing(prepared.assembly(names), by, best, top, spent, interrupted)


def loosened(problem: Problem) -> Problem:
    """The same problem asking for nothing: every cell may stay empty, every piece be left out."""
    goal = replace(problem.goal, optional=problem.goal.cells)
    pieces = [replace(piece, min=0) for piece in problem.pieces]
    return replace(problem, goal=goal, pieces=pieces, max_holes=None)


def _simple_bound(problem: Problem, by: Measure) -> int:
    """By volume, or one piece less if a colouring rules out that copies of one fill the goal."""
    room, pieces = len(problem.goal), 0
    for size, most in sorted((len(piece.shape), piece.max) for piece in problem.pieces):
        used = min(most, room // size)
        pieces, room = pieces + used, room - used * size
    if len(problem.pieces) == 1:
        [piece] = problem.pieces
        full = replace(problem.goal, optional=frozenset())
        if room == 0 and argument(replace(problem, goal=full, pieces=[Piece(piece.shape, pieces)])):
            pieces -= 1
        return pieces * (1 if by == "pieces" else len(piece.shape))
    if by == "pieces":
        return pieces
    sums = 1  # bit n: some pieces fill n cells
    for piece in problem.pieces:
        for _ in range(min(piece.max, len(problem.goal) // len(piece.shape))):
            sums |= sums << len(piece.shape)
    return (sums & ((2 << len(problem.goal)) - 1)).bit_length() - 1


class _Prover:
    """The bound, and CP-SAT on a thread that lowers it, if asked for some seconds."""

    def __init__(self, prepared: PreparedProblem, by: Measure, bound: int, seconds: float) -> None:
        self.bound = bound
        self.best, self.names = 0, list[int]()
        self.solver: Any = None
        self.thread = threading.Thread(target=self._prove, args=(prepared, by, seconds))
        if seconds:
            self.thread.start()

    def end(self) -> None:
        if self.solver is not None:
            self.solver.stop_search()
        if self.thread.ident is not None:
            self.thread.join()

    def _prove(self, prepared: PreparedProblem, by: Measure, seconds: float) -> None:
        from ortools.sat.python import cp_model

        optional, _, most, piece, name, covers = prepared.core.cover()
        model = cp_model.CpModel()
        chosen = [model.new_bool_var("") for _ in covers]
        at: list[list[Any]] = [[] for _ in optional]
        of: list[list[Any]] = [[] for _ in most]
        for i, cells in enumerate(covers):
            of[piece[i]].append(chosen[i])
            for cell in cells:
                at[cell].append(chosen[i])
        for some in at:
            model.add_at_most_one(some)
        for limit, some in zip(most, of, strict=True):
            if limit < len(some):
                model.add(sum(some) <= limit)
        weights = [len(cells) if by == "cells" else 1 for cells in covers]
        model.maximize(sum(w * x for w, x in zip(weights, chosen, strict=True)))
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.best_bound_callback = self._lower
        self.solver = solver
        status = solver.solve(model)
        self._lower(solver.best_objective_bound)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.best = round(solver.objective_value)
            self.names = [n for n, x in zip(name, chosen, strict=True) if solver.value(x)]

    def _lower(self, bound: float) -> None:
        self.bound = min(self.bound, int(bound + 1e-6))
