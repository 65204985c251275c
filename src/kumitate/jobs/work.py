"""How a task is worked on, on any thread or machine: search a slice, examine, report a batch.

A batch says where its task stood before and stands now, so the search can be resumed after any
number of a task's batches. Between two slices the owner of the task may take half of what is left
of it, or stop it.
"""

import threading
import time
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from typing import Protocol

from kumitate import _core, store
from kumitate.model.errors import PuzzleError
from kumitate.model.options import RunOptions
from kumitate.model.puzzle import Puzzle
from kumitate.model.table import PackedRows
from kumitate.search.assemble import PreparedProblem
from kumitate.search.solve import Examiner
from kumitate.store import Batch, FoundAssembly, Task

TICK = 0.05  # seconds that a slice should take
SLICE = 500  # nodes of the first one,
MOST_NODES = 1_000_000  # and of any
ROOM = 1 << 18  # names that a slice may find
LONG = 500_000  # nodes: worth an estimate of what lies ahead
REPORT_SECONDS = 0.5  # if examining assemblies takes longer, report before the slice ends
PROBE = 2_000  # nodes that show whether two searches are the same

NOTHING = PackedRows(b"", 0, 0)


class Orders(Protocol):
    """What a thread asks again and again while it works on a task."""

    def enough(self) -> bool:
        """Whether to stop after this slice."""

    def abandoned(self) -> bool:
        """Whether to stop even in the middle of an assembly."""

    def spare(self) -> int:
        """How many threads may take the next assembly apart."""

    def is_long(self, nodes: int) -> bool:
        """Whether the whole search is long, now that this many more nodes were searched."""

    def give(self, search: _core.Search) -> Task | None:
        """A part to be split off for another thread, if one needs it."""


class Abandoned(Exception):
    """Raised to stop in the middle of an assembly."""


def half_of(search: _core.Search, ids: Iterator[int]) -> Task | None:
    """The second half of what is left, as a task of its own; None if there is no half to give."""
    share, state = search.left, search.split()
    return None if state is None else Task(next(ids), state, 0, share - search.left)


class Desk:
    """A problem and what threads share to work on it, each on a seat of its own."""

    def __init__(self, puzzle: Puzzle, number: int, options: RunOptions, path: str) -> None:
        self.options = options
        self.path = path  # of the run
        self.keeps = options.keep != "none"
        self.prepared = PreparedProblem(puzzle.problems[number - 1], options)
        self.prepared.prepare()
        self.width = store.width_for(len(self.prepared.table.rows))
        self._shares: _core.Shares | None = None
        self._estimating = threading.Lock()

    @cached_property
    def fingerprint(self) -> str:
        """Equal for searches of one tree in one order, as far as their first nodes show."""
        prepared, probe = self.prepared, self.prepared.core.search()
        probe.skim(PROBE)
        parts = (prepared.table.rows, prepared.table.kinds, prepared.core.size, probe.save())
        return sha256(repr(parts).encode()).hexdigest()

    def load(self, search: _core.Search, task: Task) -> None:
        try:
            search.load(task.state)
        except ValueError as error:
            raise PuzzleError(f"{self.path}: damaged: task {task.id}: {error}") from None

    def shares(self) -> _core.Shares:
        """What the parts of the tree weigh."""
        with self._estimating:
            if self._shares is None:
                self._shares = self.prepared.core.search().estimate()
            return self._shares


class Seat:
    """Where one thread works: a search to load tasks into, and what examines the assemblies."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.search = desk.prepared.core.search()
        self.examiner = Examiner(desk.prepared, desk.options)

    def work(self, task: Task, orders: Orders) -> Iterator[Batch]:
        """Search slice by slice, at least one, until the task is done or stopped."""
        search, width = self.search, self.desk.width
        self.desk.load(search, task)
        looks = self.examiner.has_work
        pace, room = SLICE, 1 if looks else ROOM
        while True:
            start, nodes = time.monotonic(), search.nodes
            packed = PackedRows(*search.run(pace, room, width), width)
            pace = _next_pace(pace, time.monotonic() - start)
            if orders.is_long(search.nodes - nodes):
                search.weigh(self.desk.shares())
            rows, known = packed.rows, min(task.known, packed.rows)
            packed, found = packed.part(known, rows), list[FoundAssembly]()
            if looks:  # at each assembly, which may take long
                begun = reported = time.monotonic()
                for row, one in enumerate(self._examine(packed, orders), known):
                    found.append(one)
                    late = orders.abandoned() or time.monotonic() - reported > REPORT_SECONDS
                    if late and row + 1 < rows:
                        ahead = task._replace(known=row + 1)
                        yield Batch(task, ahead, False, NOTHING, found)
                        task, found, reported = ahead, [], time.monotonic()
                        if orders.enough():
                            return
                packed = NOTHING
                room = ROOM // 256 if time.monotonic() - begun < TICK else 1
            elif not self.desk.keeps:
                packed = packed._replace(names=b"")
            before, (task, given) = task, self._stand(task, max(0, task.known - rows), orders)
            yield Batch(before, task, search.done, packed, found, given)
            if search.done or orders.enough():
                return

    def _stand(self, task: Task, known: int, orders: Orders) -> tuple[Task, Task | None]:
        """Where the task stands now, and the part that was split off."""
        given = None if known or self.search.done else orders.give(self.search)
        return Task(task.id, self.search.save(), known, self.search.left), given

    def _examine(self, packed: PackedRows, orders: Orders) -> Iterator[FoundAssembly]:
        def patience(_: int) -> None:
            if orders.abandoned():
                raise Abandoned

        for row, one in enumerate(self.examiner.examine([packed], orders.spare, patience)):
            names = packed.row(row)
            if one is None:
                yield FoundAssembly(names, "same")
            else:
                yield FoundAssembly.of(names, one.ending, one.disassembly, self.desk.keeps)


def _next_pace(pace: int, seconds: float) -> int:
    """How many nodes take a tick, going by the last slice."""
    return max(16, min(2 * pace, int(pace * TICK / max(seconds, 1e-6)), MOST_NODES))
