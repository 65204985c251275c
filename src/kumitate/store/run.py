"""Read a run, even while another process is writing it."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from kumitate.decoding import from_msgpack
from kumitate.files import json as puzzle_format
from kumitate.files.document import Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST, require_whole
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Answers, Solution, read_levels
from kumitate.model.table import PlacementTable, Row
from kumitate.store import schema
from kumitate.store.database import Database, application_of
from kumitate.store.schema import (
    GIVEN_UP,
    Checkpoint,
    Keep,
    Order,
    Rank,
    Summary,
    Task,
    options_of,
    unpack_tree,
)
from kumitate.store.sums import checksum


def is_run(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a run: its header says SQLite, and not a collection."""
    return application_of(path) not in (None, schema.COLLECTION)


def open_run(path: str | os.PathLike[str]) -> "Run":
    """Open a run for reading, even while another process is writing it.

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


# What a summary repeats from the last checkpoint.
COUNTED = ("given_up", "rigid", "stuck", "kept", "fraction", "seconds", "nodes", "saved", "lost")


class Run(Database):
    """A run on disk; see `open_run`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, schema.RUN)
        try:
            text, number, options, *_, self._placements, width, _ = self.only_row("run")
            self.text: bytes = text.encode()
            self.number, self.width = int(number), int(width)
            self.options = options_of(options)
            self.keep = Keep.read(self.options.keep)
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        """How many solutions are kept."""
        return self.checkpoint().kept

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle as it was asked, including pinned placements."""
        with place(str(self.path)):
            return puzzle_of(self.text)

    @property
    def problem(self) -> Problem:
        """The problem that is solved."""
        return self.puzzle.problems[self.number - 1]

    def checkpoint(self) -> Checkpoint:
        """The latest checkpoint."""
        return Checkpoint(*self.only_row("checkpoint"))

    def tasks(self) -> dict[int, Task]:
        """What is left of the search tree, by number."""
        tasks = {row[0]: Task(*row) for row in self.intact("task", "ORDER BY id")}
        if sum_of_tasks(tasks.values()) != self.checkpoint().tasks:
            raise self.damaged("the state of the search is lost")
        return tasks

    def tally(self) -> dict[str, int]:
        """How many solutions have each level text."""
        levels: dict[str, int] = dict(self.intact("tally"))
        if sum(levels.values()) != self.checkpoint().solutions:
            raise self.damaged("the levels do not add up to the solutions")
        return levels

    def ranks(self) -> dict[Rank, int]:
        """How many of the kept solutions have each level and number of moves."""
        ranks = {(level, moves): amount for level, moves, amount in self.intact("rank")}
        if sum(ranks.values()) != (len(self) if self.options.disassemble else 0):
            raise self.damaged("the ranks do not add up to the solutions kept")
        return ranks

    def summary(self) -> Summary:
        """What has been found so far, and how far the search is."""
        with self.snapshot():
            at, levels = self.checkpoint(), self.tally()
        known = at.state == "done" and not self.options.thorough
        return Summary(
            state=at.state,
            assemblies=at.assemblies,
            rotations=at.rotations if known else None,
            solutions=at.solutions if self.options.disassemble else None,
            levels={text: levels[text] for text in sorted(levels, key=read_levels, reverse=True)},
            limit=at.stop_after,
            **{name: getattr(at, name) for name in COUNTED},
        )

    def verify(self) -> None:
        """Raise a PuzzleError if anything that matters is damaged or missing.

        Every row is checked when it is read; this reads all of them.

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
        """Some of the kept solutions, from number `first` on, in the order found or best first.

        "level" sorts by level and then by total moves, "moves" by total moves and then by level. A
        solution that was given up at a limit has no levels. Every page takes as long as the first.
        """
        if order not in get_args(Order):
            raise PuzzleError(f"order {order!r} is unknown; use found, level or moves")
        if order != "found" and not self.options.disassemble:
            raise PuzzleError(
                f"cannot order by {order}: the run was made without --disassemble; use found"
            )
        require_whole(-LARGEST, first=first, count=count)
        if first < 1 or count < 0:
            raise PuzzleError(f"no page of {count} from number {first}; numbers begin at 1")
        with self.snapshot():
            count = max(0, min(count, len(self) - first + 1))
            if not self.options.disassemble:
                return self._assemblies(first, count)
            if order == "found":
                return self._solutions(self.solution_rows(first, count))
            return self._ranked(first, count, order)

    def __iter__(self) -> Iterator[Solution]:
        """All kept solutions, in the order found."""
        first, size = 1, 1000
        while some := self.page(first, size):
            yield from some
            first += size

    @property
    def is_chosen(self) -> bool:
        """Whether it holds chosen solutions, without a search."""
        return self.checkpoint().state == "chosen"

    def document(self, most: int = 1000) -> Document:
        """The puzzle with its answers as a document, the best solutions first; chosen ones as they
        were chosen."""
        order: Order = "level"
        if self.is_chosen or not self.options.disassemble:
            order = "found"
        summary = self.summary()
        answers = Answers(
            self.page(1, most, order),
            summary.assemblies,
            summary.solutions,
            summary.state == "done" and not summary.given_up,
            summary.seconds,
        )
        warnings = []
        if summary.kept > most:
            warnings.append(f"only {most:,} of the run's {summary.kept:,} solutions are included")
        if unknown := self.ranks().get(GIVEN_UP, 0):
            given_up = f"given up at a limit: {unknown:,} of the kept assemblies"
            warnings.append(f"{given_up}; it is unknown whether they come apart")
        return Document(
            self.puzzle,
            [
                answers if n == self.number else None
                for n in range(1, len(self.puzzle.problems) + 1)
            ],
            warnings,
        )

    def solution_rows(self, first: int, count: int) -> list[tuple[Any, ...]]:
        """`count` rows of table `solution`, from number `first` on."""
        which = "WHERE number BETWEEN ? AND ? ORDER BY number"
        rows = list(self.intact("solution", which, first, first + count - 1))
        if [row[0] for row in rows] != list(range(first, first + count)):
            raise self.damaged("solutions are missing")
        return rows

    def assembly_rows(self, first: int, count: int) -> Iterator[tuple[int, int, int, bytes]]:
        """The rows of table `assembly` that hold `count` assemblies from number `first` on."""
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
                assembly = self.table.assembly_in(names[at : at + size], self.width)
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
            Solution(self.table.assembly_in(names, self.width), unpack_tree(tree), None, *which)
            for _, *which, names, _, _, _, tree in rows
        ]

    @cached_property
    def table(self) -> PlacementTable:
        """The placements, by the search's numbers for them."""
        types = tuple[list[Row], list[list[int]]]
        rows, kinds = from_msgpack(self._placements, types)
        return PlacementTable(self.problem, rows, kinds)


def sum_of_tasks(tasks: Iterable[Task]) -> int:
    """A checksum over all tasks, which shows that none is missing or out of date."""
    return sum(checksum("task", task) for task in tasks)


def text_of(puzzle: Puzzle) -> bytes:
    """A puzzle as a run keeps it."""
    return puzzle_format.write(Document(puzzle))


def puzzle_of(text: bytes) -> Puzzle:
    return puzzle_format.read(text).puzzle
