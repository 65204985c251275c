"""Write a run: create its file, then checkpoint after checkpoint."""

import json
import time
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import msgspec
from msgspec.structs import astuple

from kumitate.model.options import RunOptions
from kumitate.model.puzzle import Puzzle
from kumitate.model.table import PlacementTable
from kumitate.store import database, schema
from kumitate.store.run import Run, sum_of_tasks, text_of
from kumitate.store.schema import (
    Batch,
    Checkpoint,
    FoundAssembly,
    Rank,
    State,
    Task,
    width_for,
)

CHUNK = 1024  # assemblies per row of the file


def create(
    path: Path,
    puzzle: Puzzle,
    problem: int,
    options: RunOptions,
    limit: int | None,
    table: PlacementTable,
    search: str,
    state: bytes,
) -> None:
    """Create a run, not started yet; it appears whole or not at all, and replaces an older file."""
    now, root = time.time(), Task(1, state, 0, 1.0)
    question = (
        text_of(puzzle).decode(),
        problem,
        json.dumps(msgspec.to_builtins(options)),
        database.kumitate_version(),
        search,
        msgspec.msgpack.encode((table.rows, table.kinds)),
        width_for(len(table.rows)),
        now,
    )
    nodes, found, rotations = root.counts
    at = Checkpoint(
        stop_after=limit,
        saved=now,
        nodes=nodes,
        found=found,
        rotations=rotations,
        tasks=sum_of_tasks([root]),
    )
    rows = [("run", question), ("checkpoint", astuple(at)), ("task", root)]
    database.create(path, schema.RUN, rows)


class Recorder:
    """The only writer of a run, one checkpoint at a time.

    It read the file when it began, so before each checkpoint it makes sure that no other writer has
    taken over. After an error it cannot be used any more.
    """

    def __init__(self, run: Run, limit: int | None = None) -> None:
        self.run = run
        self.keep = run.keep
        with run.transaction():
            self.at = run.checkpoint()
            self.tasks = run.tasks()
            self.ranks = Counter(run.ranks())
            self.tally = Counter(run.tally())
            self.at.turn += 1
            self.at.state = "running"
            self.at.stop_after = limit or self.at.stop_after
            run.write_checkpoint(astuple(self.at))
        self.last_task = max(self.tasks, default=0)
        self._written = set(self.tasks)  # the tasks in the file
        self._chunks: list[tuple[int, bytes]] = []  # length and names, not written yet
        self._changed: tuple[set[Rank], set[str]] = set(), set()  # keys of ranks, of the tally

    @property
    def at_limit(self) -> bool:
        return self._room() == 0

    def _room(self) -> int:
        """How many more may be counted until the limit."""
        if self.at.stop_after is None:
            return 2**62
        found = self.at.solutions if self.run.options.disassemble else self.at.assemblies
        return max(0, self.at.stop_after - found)

    def commit(self, batches: Iterable[Batch], seconds: float, state: State) -> None:
        """Write a checkpoint: these batches, in this order, until the limit is reached."""
        changed: set[int] = set()
        with self.run.transaction():
            self.run.require_turn(self.run.checkpoint().turn, self.at.turn)
            for batch in batches:
                if self.at_limit:
                    break
                used = self._take(batch)
                if used is not None:  # the limit cut it short
                    task = batch.before
                    self.tasks[task.id] = task._replace(known=task.known + used)
                    changed.add(task.id)
                    break
                changed |= self._advance(batch)
            self._write_chunks()
            self._write_tasks(changed)
            self._write_counts()
            self._write_checkpoint(seconds, state)

    def _advance(self, batch: Batch) -> set[int]:
        """Update the state of the search after a batch; return the tasks that changed."""
        self.tasks.update((task.id, task) for task in batch.left)
        if batch.done:
            del self.tasks[batch.after.id]
        nodes, found, rotations = batch.counts
        self.at.nodes += nodes
        self.at.found += found
        self.at.rotations += rotations
        return {task.id for task in batch.left}

    def _take(self, batch: Batch) -> int | None:
        """Count and keep what a batch has found; return how many were used, None if all."""
        if not batch.found:
            packed = batch.packed
            used = min(packed.rows, self._room())
            self._keep_packed(packed.names, used, packed.length)
            return used if used < packed.rows else None
        for used, found in enumerate(batch.found):
            if self.at_limit:
                return used
            self._count(found)
        return None

    def _count(self, found: FoundAssembly) -> None:
        if found.ending == "same":
            return
        if found.ending == "found":
            self._keep_packed(found.names, 1, len(found.names) // self.run.width)
            return
        self.at.assemblies += 1
        if found.ending == "rigid":
            self.at.rigid += 1
        elif found.ending == "stuck":
            self.at.stuck += 1
        elif found.ending == "limit":
            self.at.given_up += 1
            self._keep_solution(found, 0)
        else:
            self.at.solutions += 1
            self.tally[found.levels] += 1
            self._changed[1].add(found.levels)
            self._keep_solution(found, self.at.solutions)

    def _keep_packed(self, names: bytes, rows: int, length: int) -> None:
        size, before = length * self.run.width, self.at.assemblies
        self.at.assemblies += rows
        if self.keep.what == "none" or not rows:
            return
        if self.keep.what == "every":
            chosen = range(-before % self.keep.n, rows, self.keep.n)
            names = b"".join(names[row * size : (row + 1) * size] for row in chosen)
        elif len(names) > rows * size:
            names = names[: rows * size]
        if names:
            self._chunks.append((length, names))

    def _write_chunks(self) -> None:
        """Join neighbours of equal length, then cut them into rows of the file."""
        rows = []
        for length, some in groupby(self._chunks, key=itemgetter(0)):
            names = b"".join(chunk for _, chunk in some)
            size = length * self.run.width
            for start in range(0, len(names), CHUNK * size):
                chunk = names[start : start + CHUNK * size]
                amount = len(chunk) // size
                rows.append((self.at.kept + 1, amount, length, chunk))
                self.at.kept += amount
        self.run.write("assembly", rows)
        self._chunks.clear()

    def _keep_solution(self, found: FoundAssembly, solution_number: int) -> None:
        what, n = self.keep
        if what == "none" or (what == "every" and (self.at.solutions + self.at.given_up - 1) % n):
            return
        rank, number = found.rank, self.at.kept + 1
        if what in ("best", "best-moves") and self.at.kept >= n:
            worst = min(self.ranks, key=self.keep.sorts)
            if self.keep.sorts(rank) <= self.keep.sorts(worst):
                return
            number = self._drop(worst)
        else:
            self.at.kept += 1
        self.ranks[rank] += 1
        self._changed[0].add(rank)
        numbers = (number, self.at.assemblies, solution_number)
        row = (*numbers, found.names, *rank, self.ranks[rank], found.tree)
        self.run.write("solution", [row])

    def _drop(self, rank: Rank) -> int:
        """Delete the last solution of a rank and return its number, which is free again."""
        [(number,)] = self.run.rows(
            "DELETE FROM solution WHERE level = ? AND moves = ? AND nth = ? RETURNING number",
            *rank,
            self.ranks[rank],
        )
        self.ranks[rank] -= 1
        self._changed[0].add(rank)
        if not self.ranks[rank]:
            del self.ranks[rank]
        return int(number)

    def _write_tasks(self, changed: set[int]) -> None:
        gone = self._written - self.tasks.keys() | changed
        self.run.connection.executemany("DELETE FROM task WHERE id = ?", [(id,) for id in gone])
        self.run.write("task", [self.tasks[id] for id in sorted(changed & self.tasks.keys())])
        self._written = set(self.tasks)

    def _write_counts(self) -> None:
        ranks, levels = self._changed
        delete = self.run.connection.executemany
        delete("DELETE FROM rank WHERE level = ? AND moves = ?", list(ranks))
        self.run.write("rank", [(*rank, self.ranks[rank]) for rank in ranks & self.ranks.keys()])
        delete("DELETE FROM tally WHERE levels = ?", [(text,) for text in levels])
        self.run.write("tally", [(text, self.tally[text]) for text in levels])
        ranks.clear()
        levels.clear()

    def _write_checkpoint(self, seconds: float, state: State) -> None:
        at = self.at
        if not self.tasks:
            state = "done" if at.lost == 0 else "recovered"
        elif self.at_limit:
            state = "limit"
        at.state = state
        at.seconds += seconds
        at.fraction = fraction_done(at.fraction, self.tasks.values())
        at.tasks = sum_of_tasks(self.tasks.values())
        at.saved = time.time()
        self.run.write_checkpoint(astuple(at))


def fraction_done(before: float, tasks: Iterable[Task]) -> float:
    """The fraction of the tree that is searched; 1 only if no task is left, never decreasing."""
    shares = [task.share for task in tasks]
    return max(before, min(1 - sum(shares), 0.9999)) if shares else 1.0
