"""What is done with a task, on whichever thread or machine: search a slice, look, tell.

A batch says where its task stood before and stands now, so any beginning of a task's stream of
batches is something to go on from. Between two slices whoever gave the task may take half of what
is left of it, or have it laid down.
"""

import threading
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import sha256
from typing import Protocol

from kumitate import _core, store
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Puzzle
from kumitate.search.assemble import PreparedProblem, may_move
from kumitate.search.disassemble import Disassembler
from kumitate.store import Batch, FoundAssembly, Options, PackedRows, Task

TICK = 0.05  # seconds that a slice should take
SLICE = 500  # nodes of the first one,
MOST_NODES = 1_000_000  # and of any
ROOM = 1 << 18  # names that a slice may find
LONG = 500_000  # nodes: worth an estimate of what lies ahead
SILENCE = 0.5  # seconds: who looks at assemblies for longer reports before the slice is through
PROBE = 2_000  # nodes by which two searches are told apart

NOTHING = PackedRows(b"", 0, 0)


class Orders(Protocol):
    """What whoever works at a task asks, again and again."""

    def enough(self) -> bool:
        """Whether to lay the task down after this slice."""

    def abandoned(self) -> bool:
        """Whether to leave even an assembly that is being taken apart."""

    def spare(self) -> int:
        """How many threads may take one assembly apart."""

    def is_long(self, nodes: int) -> bool:
        """Whether the whole search is, now that so many more nodes are searched."""

    def give(self, search: _core.Search) -> Task | None:
        """A part to be split off for somebody else, if somebody needs it."""


class Abandoned(Exception):
    """Raised where an assembly is left as it is."""


def half_of(search: _core.Search, ids: Iterator[int]) -> Task | None:
    """The second half of what is left, as a task of its own; None if there is no half to give."""
    share, state = search.left, search.split()
    return None if state is None else Task(next(ids), state, 0, share - search.left)


class Desk:
    """A question, and what it takes to work at it; threads share it, each on a seat of its own."""

    def __init__(self, puzzle: Puzzle, number: int, options: Options, path: str) -> None:
        self.options = options
        self.path = path  # of the run
        self.keeps = options.keep != "none"
        self.prepared = PreparedProblem(puzzle.problems[number - 1], options.distinct_copies)
        self.prepared.prepare(options.mirrors, options.rotations)
        self.width = store.width_for(len(self.prepared.table.rows))
        self._shares: _core.Shares | None = None
        self._estimating = threading.Lock()

    @cached_property
    def fingerprint(self) -> str:
        """Equal for searches of one tree in one order, as far as their beginning tells."""
        prepared, probe = self.prepared, self.prepared.core.search()
        probe.skim(PROBE)
        told = (prepared.table.rows, prepared.table.kinds, prepared.core.size, probe.save())
        return sha256(repr(told).encode()).hexdigest()

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
    """Where one thread works: a search to load tasks into, and a bench to take assemblies apart."""

    def __init__(self, desk: Desk) -> None:
        options, prepared = desk.options, desk.prepared
        self.desk = desk
        self.search = prepared.core.search()
        self.disassembler: Disassembler | None = None
        self.stands_for_its_class: Callable[[list[int]], bool] | None = None
        if options.disassemble:
            self.disassembler = Disassembler(prepared.problem, options.fine, options.coordinate)
        if options.thorough and may_move(prepared.problem.goal):
            self.stands_for_its_class = prepared.thorough(options.mirrors)

    def work(self, task: Task, orders: Orders) -> Iterator[Batch]:
        """Slice by slice, at least one, until the task is done or it is enough."""
        search, width = self.search, self.desk.width
        self.desk.load(search, task)
        looks = bool(self.disassembler or self.stands_for_its_class)
        pace, room = SLICE, 1 if looks else ROOM
        while True:
            start, nodes = time.monotonic(), search.nodes
            names, rows, length = search.run_packed(pace, room, width)
            pace = _next_pace(pace, time.monotonic() - start)
            if orders.is_long(search.nodes - nodes):
                search.weigh(self.desk.shares())
            size, known = length * width, min(task.known, rows)
            packed, found = NOTHING, list[FoundAssembly]()
            if looks:  # at each assembly, which may take long
                begun = spoken = time.monotonic()
                for row in range(known, rows):
                    found.append(self._look(names[row * size : (row + 1) * size], orders))
                    late = orders.abandoned() or time.monotonic() - spoken > SILENCE
                    if late and row + 1 < rows:
                        ahead = task._replace(known=row + 1)
                        yield Batch(task, ahead, False, NOTHING, found)
                        task, found, spoken = ahead, [], time.monotonic()
                        if orders.enough():
                            return
                room = ROOM // 256 if time.monotonic() - begun < TICK else 1
            else:
                kept = names[known * size :] if self.desk.keeps else b""
                packed = PackedRows(kept, rows - known, length)
            before, (task, given) = task, self._stand(task, max(0, task.known - rows), orders)
            yield Batch(before, task, search.done, packed, found, given)
            if search.done or orders.enough():
                return

    def _stand(self, task: Task, known: int, orders: Orders) -> tuple[Task, Task | None]:
        """Where the task stands now, and the part that was split off."""
        given = None if known or self.search.done else orders.give(self.search)
        return Task(task.id, self.search.save(), known, self.search.left), given

    def _look(self, packed: bytes, orders: Orders) -> FoundAssembly:
        prepared, options = self.desk.prepared, self.desk.options
        names = store.unpack(packed, self.desk.width)
        if self.stands_for_its_class and not self.stands_for_its_class(names):
            return FoundAssembly(packed, "same")
        if self.disassembler is None:
            return FoundAssembly(packed, "found")

        def patience(_: int) -> None:
            if orders.abandoned():
                raise Abandoned

        limits = (options.max_states, options.max_moves)
        assembly = prepared.assembly(names)
        found = self.disassembler.examine(assembly, *limits, orders.spare(), patience)
        return FoundAssembly.of(packed, found.ending, found.disassembly, self.desk.keeps)


def _next_pace(pace: int, seconds: float) -> int:
    """How many nodes take a tick, going by the last slice."""
    return max(16, min(2 * pace, int(pace * TICK / max(seconds, 1e-6)), MOST_NODES))
