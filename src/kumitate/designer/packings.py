"""Ways to find candidates other than the engine's: trays, boxes where nothing slides, turns.

What such a way finds comes by numbers: each number is a piece of work for some thread or machine,
and what it finds depends on the number, the seed and perhaps a start, and on nothing else.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import Executor, Future, wait
from functools import partial
from itertools import chain, count, repeat
from random import Random
from typing import Any

from kumitate.designer.climb import turning_climb
from kumitate.designer.discover import draw_sample, look
from kumitate.designer.engine import TELL, Accept, Candidate, Progress, Stop, Way
from kumitate.designer.families import Cuts
from kumitate.designer.space import Pieces, Space
from kumitate.model.geometry import Cell
from kumitate.model.shape import Shape

DRAWN = 10  # candidates of a number
CLIMB = 12_000  # steps of a climb with turns
AHEAD = 64  # numbers that a crew has at once, so that many machines have enough to do

Draw = Callable[[int, int], list[frozenset[Cell]] | None]


class Numbered:
    """A way whose candidates come by numbers; `find` says which."""

    size: int  # evaluations of a number

    def __init__(self, space: Space, *, seed: int, accept: Accept, stop: Stop) -> None:
        self.space, self.seed, self.accept, self.stop = space, seed, accept, stop

    def find(self, number: int, start: Pieces | None) -> Iterable[Candidate]:
        """What a number finds, until it is stopped."""
        raise NotImplementedError

    def found(self, number: int, start: Pieces | None) -> list[Candidate]:
        return list(self.find(number, start))

    def candidates(
        self, crew: Executor, starts: Sequence[Pieces] = ()
    ) -> Iterator[Candidate | Progress]:
        begun = deque[Future[list[Candidate]]]()
        following = enumerate(chain(starts, repeat(None)))
        for number in count():
            while len(begun) < AHEAD:
                begun.append(crew.submit(self.found, *next(following)))
            first = begun.popleft()
            while not first.done():
                wait([first], TELL)
                yield Progress(number * self.size, 0)
                if self.stop():
                    first.cancel()
            if not (self.stop() and (first.cancelled() or first.exception())):
                yield from first.result()
            if self.stop():
                return
            yield Progress((number + 1) * self.size, 0)


class Drawn(Numbered):
    """Candidates that are drawn, some for each number."""

    size = DRAWN

    def __init__(self, cuts: Cuts, draw: Draw, space: Space, **how: Any) -> None:
        super().__init__(space, **how)
        self.cuts, self.draw = cuts, draw

    def find(self, number: int, start: Pieces | None) -> Iterator[Candidate]:
        for sample in range(number * DRAWN + 1, (number + 1) * DRAWN + 1):
            if self.stop():
                return
            pieces = self.draw(self.seed, sample)
            levels = look(pieces, self.cuts.grid)[1] if pieces else None
            if pieces and levels:
                found = Candidate(tuple(pieces), levels, sample)
                if self.accept(found):
                    yield found


def drawn(cuts: Cuts) -> Callable[..., Way]:
    """Random cuts."""

    def draw(seed: int, number: int) -> list[frozenset[Cell]] | None:
        draft = draw_sample(cuts, seed, number)
        return [frozenset(piece) for piece in draft.pieces] if draft else None

    return partial(Drawn, cuts, draw)


def hollowed(cuts: Cuts, walls: Set[Cell], least: int, most: int) -> Callable[..., Way]:
    """Random cuts that lose one cell after the other, as long as nothing can slide within walls."""

    def draw(seed: int, number: int) -> list[frozenset[Cell]] | None:
        draft = draw_sample(cuts, seed, number)
        if draft is None:
            return None
        pieces = [frozenset(piece) for piece in draft.pieces]
        dice = Random(f"{seed} hollow {number}")
        holes = 0
        for cell in dice.sample(sorted(cuts.goal.cells), len(cuts.goal)):
            at = next(n for n, piece in enumerate(pieces) if cell in piece)
            smaller = pieces[at] - {cell}
            if len(smaller) < cuts.smallest or not Shape(cuts.grid, smaller).connected:
                continue
            trial = [*pieces[:at], smaller, *pieces[at + 1 :]]
            if holes < most and look([walls, *trial], cuts.grid)[0] == "rigid":
                pieces, holes = trial, holes + 1
        return pieces if holes >= least else None

    return partial(Drawn, cuts, draw)


class Turning(Numbered):
    """Climbs to puzzles that need turns."""

    size = CLIMB

    def find(self, number: int, start: Pieces | None) -> Iterator[Candidate]:
        space, dice = self.space, Random(self.seed + number)
        start = start or space.start or space.cut(Random(f"{self.seed} {number}"), self.stop)
        assembly = space.assembly(start)
        for solution in turning_climb(
            assembly, dice, CLIMB, space.homes, space.holes[1], stop=self.stop
        ):
            pieces = tuple(frozenset(shape.cells) for shape in solution.assembly.shapes)
            assert solution.levels is not None
            found = Candidate(pieces, solution.levels, (number + 1) * CLIMB)
            if len(space.frame) - sum(map(len, pieces)) >= space.holes[0] and self.accept(found):
                yield found
