"""Writing a run: making its file, and one checkpoint after the other."""

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from struct import unpack_from

import msgspec

from kumitate.model.puzzle import Puzzle
from kumitate.model.table import PlacementTable
from kumitate.store import database, schema
from kumitate.store.run import Run, text_of
from kumitate.store.schema import (
    Batch,
    Found,
    Options,
    Rank,
    State,
    Task,
    width_for,
)

CHUNK = 1024  # assemblies in a row


def create(
    path: Path,
    puzzle: Puzzle,
    problem: int,
    options: Options,
    limit: int | None,
    table: PlacementTable,
    search: str,
    state: bytes,
) -> None:
    """A new run, nothing of it done; it appears whole or not at all, in place of an older one."""
    text = text_of(puzzle)
    placements = msgspec.msgpack.encode((table.rows, table.kinds))
    width = width_for(len(table.rows))

    def fill(connection: sqlite3.Connection) -> None:
        now = time.time()
        connection.execute(
            "INSERT INTO run (puzzle, puzzle_hash, problem, options, kumitate, search, "
            "placements, width, started, saved, stop_after) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            (
                text.decode(),
                sha256(text).hexdigest(),
                problem,
                json.dumps(msgspec.to_builtins(options)),
                database.kumitate_version(),
                search,
                placements,
                width,
                now,
                now,
                limit,
            ),
        )
        connection.execute(
            "INSERT INTO task VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            _task_row(Task(1, state, 0, 1.0), False),
        )

    database.create(path, schema.kind(), schema.SCHEMA, fill)


def _task_row(task: Task, done: bool) -> tuple[object, ...]:
    nodes, found, rotations = unpack_from("<3Q", task.state)
    return (task.id, task.state, task.known, task.share, done, nodes, found, rotations)


class Recorder:
    """The one that writes a run, a checkpoint at a time.

    What it knows of the file it read when it began; so before it writes it makes sure that nobody
    else has taken over. After an error it is of no more use.
    """

    def __init__(self, run: Run, limit: int | None = None) -> None:
        self.run = run
        self.keep = run.keep
        with run.speaking():
            run.connection.execute("PRAGMA synchronous = FULL")
            with run.transaction():
                self._execute(
                    "UPDATE run SET turn = turn + 1, state = 'running', "
                    "stop_after = coalesce(?, stop_after)",
                    limit,
                )
                [row] = run.rows(
                    "SELECT turn, stop_after, assemblies, solutions, given_up, rigid, stuck, kept,"
                    " fraction, seconds FROM run"
                )
                self.limit: int | None
                self.turn, self.limit, self.assemblies, *counts, self.fraction, self.seconds = row
                self.solutions, self.given_up, self.rigid, self.stuck, self.kept = counts
                ranks = run.rows("SELECT level, moves, amount FROM rank")
                self.ranks = Counter({(level, moves): n for level, moves, n in ranks})
                tasks = run.rows(
                    "SELECT id, state, known, share FROM task WHERE NOT done ORDER BY id"
                )
                self.tasks = {row[0]: Task(*row) for row in tasks}
                [(self.last_task,)] = run.rows("SELECT max(id) FROM task")
        self._chunks: list[tuple[int, bytes]] = []  # length, names; to be written
        self._tally: Counter[str] = Counter()

    @property
    def at_limit(self) -> bool:
        return self._room() == 0

    def _room(self) -> int:
        """How many more there may be until the limit."""
        if self.limit is None:
            return 2**62
        found: int = self.solutions if self.run.options.disassemble else self.assemblies
        return max(0, self.limit - found)

    def commit(self, batches: Iterable[Batch], seconds: float, state: State) -> None:
        """A checkpoint: these batches, in this order, up to where the limit is reached."""
        changed: dict[int, tuple[Task, bool]] = {}
        with self.run.speaking(), self.run.transaction():
            self.run.require_turn(self.turn)
            for batch in batches:
                if self.at_limit:
                    break
                used = self._take(batch)
                if used is not None:  # not all of it
                    task = batch.before
                    changed[task.id] = (task._replace(known=task.known + used), False)
                    break
                changed[batch.after.id] = (batch.after, batch.done)
                if batch.given:
                    changed[batch.given.id] = (batch.given, False)
            self._write_chunks()
            self._write_tasks(changed)
            self._write_counts(seconds, state)

    def _take(self, batch: Batch) -> int | None:
        """Count and keep what a batch has found; how many of it, unless that is all."""
        if not batch.found:
            names, rows, length = batch.packed
            used = min(rows, self._room())
            self._keep_packed(names, used, length)
            return used if used < rows else None
        for used, found in enumerate(batch.found):
            if self.at_limit:
                return used
            self._count(found)
        return None

    def _count(self, found: Found) -> None:
        if found.ending == "same":
            return
        if found.ending == "found":
            self._keep_packed(found.names, 1, len(found.names) // self.run.width)
            return
        self.assemblies += 1
        if found.ending == "rigid":
            self.rigid += 1
        elif found.ending == "stuck":
            self.stuck += 1
        elif found.ending == "limit":
            self.given_up += 1
            self._keep_solution(found, 0)
        else:
            self.solutions += 1
            self._tally[found.levels] += 1
            self._keep_solution(found, self.solutions)

    def _keep_packed(self, names: bytes, rows: int, length: int) -> None:
        size, before = length * self.run.width, self.assemblies
        self.assemblies += rows
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
        """Neighbours of one length together, then cut into rows of the file."""
        rows = []
        for length, some in groupby(self._chunks, key=itemgetter(0)):
            names = b"".join(chunk for _, chunk in some)
            size = length * self.run.width
            for start in range(0, len(names), CHUNK * size):
                chunk = names[start : start + CHUNK * size]
                amount = len(chunk) // size
                rows.append((self.kept + 1, amount, length, chunk))
                self.kept += amount
        self.run.connection.executemany("INSERT INTO assembly VALUES (?, ?, ?, ?)", rows)
        self._chunks.clear()

    def _keep_solution(self, found: Found, solution_number: int) -> None:
        what, n = self.keep
        if what == "none" or (what == "every" and (self.solutions + self.given_up - 1) % n):
            return
        rank, number = found.rank, self.kept + 1
        if what in ("best", "best-moves") and self.kept >= n:
            worst = min(self.ranks, key=self.keep.sorts)
            if self.keep.sorts(rank) <= self.keep.sorts(worst):
                return
            number = self._drop(worst)
        else:
            self.kept += 1
        self.ranks[rank] += 1
        self._execute(
            "INSERT INTO solution VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            number,
            self.assemblies,
            solution_number,
            found.names,
            *rank,
            self.ranks[rank],
            found.tree,
        )
        self._write_rank(rank)

    def _drop(self, rank: Rank) -> int:
        """Forget the last solution of a rank; its number is free again."""
        where = "level = ? AND moves = ? AND nth = ?"
        [(number,)] = self.run.rows(
            f"SELECT number FROM solution WHERE {where}", *rank, self.ranks[rank]
        )
        self._execute("DELETE FROM solution WHERE number = ?", number)
        self.ranks[rank] -= 1
        self._write_rank(rank)
        if not self.ranks[rank]:
            del self.ranks[rank]
        return int(number)

    def _write_rank(self, rank: Rank) -> None:
        if self.ranks[rank]:
            self._execute("INSERT OR REPLACE INTO rank VALUES (?, ?, ?)", *rank, self.ranks[rank])
        else:
            self._execute("DELETE FROM rank WHERE level = ? AND moves = ?", *rank)

    def _write_tasks(self, changed: dict[int, tuple[Task, bool]]) -> None:
        rows = [_task_row(task, done) for task, done in changed.values()]
        self.run.connection.executemany(
            "INSERT OR REPLACE INTO task VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows
        )
        for number, (task, done) in changed.items():
            self.tasks[number] = task
            if done:
                del self.tasks[number]

    def _write_counts(self, seconds: float, state: State) -> None:
        self.seconds += seconds
        self.fraction = fraction_done(self.fraction, self.tasks.values())
        if not self.tasks:
            state = "done"
        elif self.at_limit:
            state = "limit"
        for levels, amount in self._tally.items():
            self._execute(
                "INSERT INTO tally VALUES (?, ?)"
                " ON CONFLICT (levels) DO UPDATE SET amount = amount + excluded.amount",
                levels,
                amount,
            )
        self._tally.clear()
        self._execute(
            "UPDATE run SET state = ?, assemblies = ?, solutions = ?, given_up = ?, rigid = ?,"
            " stuck = ?, kept = ?, fraction = ?, seconds = ?, saved = ?",
            *(state, self.assemblies, self.solutions, self.given_up, self.rigid),
            *(self.stuck, self.kept, self.fraction, self.seconds, time.time()),
        )

    def _execute(self, statement: str, *values: object) -> None:
        self.run.connection.execute(statement, values)


def fraction_done(before: float, tasks: Iterable[Task]) -> float:
    """Of the whole tree; all of it only when no task is left, and never less than before."""
    shares = [task.share for task in tasks]
    return max(before, min(1 - sum(shares), 0.9999)) if shares else 1.0
