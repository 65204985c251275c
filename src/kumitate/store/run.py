"""Reading a run, also while it is written."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import msgspec

from kumitate.files import json as puzzle_format
from kumitate.files.document import Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST, require_whole
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Answers, Solution
from kumitate.model.table import PlacementTable, Row
from kumitate.store import schema
from kumitate.store.database import Database, application_of
from kumitate.store.schema import (
    GIVEN_UP,
    Checkpoint,
    Keep,
    Options,
    Order,
    Rank,
    Summary,
    Task,
    unpack,
    unpack_tree,
)
from kumitate.store.sums import checksum


def is_run(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a run, by how it begins: SQLite, and not another kind of ours."""
    return application_of(path) not in (None, schema.COLLECTION)


def open_run(path: str | os.PathLike[str]) -> "Run":
    """The run in a file, to be read; also while another process goes on with it.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/soma.kumitate"
    >>> kumitate.solve_into(path, kumitate.library["soma"]).assemblies
    240
    >>> with kumitate.open_run(path) as run:
    ...     print(run.page(240)[0])
    TZB  TBB  TLL
    PZZ  TBA  VVL
    PPZ  PAA  VAL
    """
    return Run(Path(path))


class Run(Database):
    """A run on disk; see `open_run`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, schema.RUN)
        try:
            text, number, options, *_, self._placements, width, _ = self.only_row("run")
            self.text: bytes = text.encode()
            self.number, self.width = int(number), int(width)
            self.options = msgspec.json.decode(options, type=Options)
            self.keep = Keep.read(self.options.keep)
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        """How many solutions are kept."""
        return self.checkpoint().kept

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle as it was asked, with what was pinned."""
        with place(str(self.path)):
            return puzzle_of(self.text)

    @property
    def problem(self) -> Problem:
        return self.puzzle.problems[self.number - 1]

    def checkpoint(self) -> Checkpoint:
        """The last checkpoint."""
        return Checkpoint(*self.only_row("checkpoint"))

    def tasks(self) -> dict[int, Task]:
        """What is left of the search tree, by number."""
        tasks = {row[0]: Task(*row) for row in self.intact("task", "ORDER BY id")}
        if sum_of_tasks(tasks.values()) != self.checkpoint().tasks:
            raise self.damaged("the search has lost its place")
        return tasks

    def tally(self) -> dict[str, int]:
        """How many solutions have which levels."""
        levels: dict[str, int] = dict(self.intact("tally"))
        if sum(levels.values()) != self.checkpoint().solutions:
            raise self.damaged("the levels do not add up to the solutions")
        return levels

    def ranks(self) -> dict[Rank, int]:
        """How many of the solutions kept have each level and number of moves."""
        ranks = {(level, moves): amount for level, moves, amount in self.intact("rank")}
        if sum(ranks.values()) != (len(self) if self.options.disassemble else 0):
            raise self.damaged("the ranks do not add up to the solutions kept")
        return ranks

    def summary(self) -> Summary:
        """What was found so far, and how far the search is."""
        with self.snapshot():
            at, levels = self.checkpoint(), self.tally()
        known = at.state == "done" and not self.options.thorough
        return Summary(
            state=at.state,
            assemblies=at.assemblies,
            rotations=at.rotations if known else None,
            solutions=at.solutions if self.options.disassemble else None,
            given_up=at.given_up,
            rigid=at.rigid,
            stuck=at.stuck,
            levels={text: levels[text] for text in sorted(levels, key=_numbers, reverse=True)},
            kept=at.kept,
            limit=at.stop_after,
            fraction=at.fraction,
            seconds=at.seconds,
            nodes=at.nodes,
            saved=at.saved,
            lost=at.lost,
        )

    def verify(self) -> None:
        """Refuse a run in which anything that matters is damaged or missing.

        Whatever is read is checked anyway; this reads all there is.

        >>> import kumitate, tempfile
        >>> path = tempfile.mkdtemp() + "/soma.kumitate"
        >>> done = kumitate.solve_into(path, kumitate.library["soma"])
        >>> with kumitate.open_run(path) as run:
        ...     run.verify()
        """
        with self.snapshot():
            self.require_sound()
            self.tally()
            self.tasks()
            kept, ranks = 0, Counter[Rank]()
            for first, amount, *_ in self.intact("assembly", "ORDER BY first"):
                kept += amount if first == kept + 1 else 0
            for number, _, _, _, level, moves, *_ in self.intact("solution", "ORDER BY number"):
                kept += number == kept + 1
                ranks[level, moves] += 1
            if kept != len(self):
                raise self.damaged("answers are missing")
            if ranks != self.ranks():
                raise self.damaged("the ranks are not those of the solutions")

    def page(self, first: int = 1, count: int = 50, order: Order = "found") -> list[Solution]:
        """Some of the solutions kept, from the first-th on, as found or the best first.

        "level" sorts by the level and then by all moves, "moves" by all moves and then by the
        level. One that was given up at a limit has no levels. Any page takes as long as the first.
        """
        if order not in get_args(Order):
            raise PuzzleError(f"order {order!r} is unknown; say found, level or moves")
        if order != "found" and not self.options.disassemble:
            raise PuzzleError(f"no order by {order}: the run takes nothing apart; say found")
        require_whole(-LARGEST, first=first, count=count)
        if first < 1 or count < 0:
            raise PuzzleError(f"no page of {count} from number {first} on; numbers begin at 1")
        with self.snapshot():
            count = max(0, min(count, len(self) - first + 1))
            if not self.options.disassemble:
                return self._assemblies(first, count)
            if order == "found":
                return self._solutions(self.solution_rows(first, count))
            return self._ranked(first, count, order)

    def __iter__(self) -> Iterator[Solution]:
        """All solutions that are kept, as they were found."""
        first, size = 1, 1000
        while some := self.page(first, size):
            yield from some
            first += size

    def document(self, most: int = 1000) -> Document:
        """The puzzle with answers as in a kumitate file, the best of the solutions first."""
        order: Order = "level" if self.options.disassemble else "found"
        told = self.summary()
        answers = Answers(
            self.page(1, most, order),
            told.assemblies,
            told.solutions,
            told.state == "done" and not told.given_up,
            told.seconds,
        )
        warnings = []
        if told.kept > most:
            warnings.append(f"only {most:,} of the {told.kept:,} solutions are taken from the run")
        if unknown := self.ranks().get(GIVEN_UP, 0):
            given_up = f"given up at a limit: {unknown:,} of the assemblies kept"
            warnings.append(f"{given_up}; whether they come apart is unknown")
        return Document(
            self.puzzle,
            [
                answers if n == self.number else None
                for n in range(1, len(self.puzzle.problems) + 1)
            ],
            warnings,
        )

    def solution_rows(self, first: int, count: int) -> list[tuple[Any, ...]]:
        """So many rows of table `solution` from a number on."""
        which = "WHERE number BETWEEN ? AND ? ORDER BY number"
        rows = list(self.intact("solution", which, first, first + count - 1))
        if [row[0] for row in rows] != list(range(first, first + count)):
            raise self.damaged("solutions are missing")
        return rows

    def assembly_rows(self, first: int, count: int) -> Iterator[tuple[int, int, int, bytes]]:
        """The rows of table `assembly` with so many assemblies from a number on."""
        which = (
            "WHERE first < ? AND first >="
            " (SELECT max(first) FROM assembly WHERE first <= ?) ORDER BY first"
        )
        following = first
        for start, amount, length, names in self.intact("assembly", which, first + count, first):
            if not start <= following < start + amount:
                break
            following = start + amount
            yield start, amount, length, names
        if count and following < first + count:
            raise self.damaged("assemblies are missing")

    def _assemblies(self, first: int, count: int) -> list[Solution]:
        step = self.keep.n if self.keep.what == "every" else 1
        numbered = self.checkpoint().lost == 0
        found: list[Solution] = []
        for start, amount, length, names in self.assembly_rows(first, count):
            size = length * self.width
            for number in range(max(first, start), min(first + count, start + amount)):
                at = (number - start) * size
                assembly = self.table.assembly(unpack(names[at : at + size], self.width))
                which = (number - 1) * step + 1 if numbered else 0
                found.append(Solution(assembly, assembly_number=which))
        return found

    def _ranked(self, first: int, count: int, order: Order) -> list[Solution]:
        keep = Keep("best-moves" if order == "moves" else "best")
        ranks = self.ranks()
        before, found = first - 1, list[Solution]()
        for rank in sorted(ranks, key=keep.sorts, reverse=True):
            some = min(ranks[rank] - before, count - len(found))
            if some > 0:
                which = "WHERE level = ? AND moves = ? AND nth > ? ORDER BY nth LIMIT ?"
                rows = list(self.intact("solution", which, *rank, before, some))
                if [row[6] for row in rows] != list(range(before + 1, before + some + 1)):
                    raise self.damaged("solutions are missing")
                found += self._solutions(rows)
            before = max(0, before - ranks[rank])
            if len(found) == count:
                break
        return found

    def _solutions(self, rows: Iterable[tuple[Any, ...]]) -> list[Solution]:
        return [
            Solution(
                self.table.assembly(unpack(names, self.width)), unpack_tree(tree), None, *which
            )
            for _, *which, names, _, _, _, tree in rows
        ]

    @cached_property
    def table(self) -> PlacementTable:
        """What the numbers of placements mean."""
        types = tuple[list[Row], list[list[int]]]
        rows, kinds = msgspec.msgpack.decode(self._placements, type=types)
        return PlacementTable(self.problem, rows, kinds)


def sum_of_tasks(tasks: Iterable[Task]) -> int:
    """What tells that none is missing and none is older than the others."""
    return sum(checksum("task", task) for task in tasks)


def _numbers(levels: str) -> list[int]:
    return [int(number) for number in levels.split(".")]


def text_of(puzzle: Puzzle) -> bytes:
    """A puzzle as a run keeps it."""
    return puzzle_format.write(Document(puzzle))


def puzzle_of(text: bytes) -> Puzzle:
    return puzzle_format.read(text).puzzle
