"""Reading a run, also while it is written."""

import os
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import get_args

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
from kumitate.store.schema import Keep, Options, Order, Summary, unpack, unpack_tree

_SOLUTION = "SELECT names, tree, assembly_number, solution_number FROM solution WHERE "


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
    CDF  CFF  CBB
    GDD  CFE  AAB
    GGD  GEE  AEB
    """
    return Run(Path(path))


class Run(Database):
    """A run on disk; see `open_run`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, schema.kind())
        try:
            [head] = self.rows("SELECT puzzle, puzzle_hash, problem, options, width FROM run")
        except BaseException:
            self.close()
            raise
        text, wanted, number, options, width = head
        self.number, self.width = int(number), int(width)
        self.text = text.encode()
        with place(str(path)):
            if sha256(self.text).hexdigest() != wanted:
                raise PuzzleError("its puzzle was changed; begin a new run with --output")
            self.options = msgspec.json.decode(options, type=Options)
            self.keep = Keep.read(self.options.keep)

    def __len__(self) -> int:
        """How many solutions are kept."""
        [(kept,)] = self.rows("SELECT kept FROM run")
        return int(kept)

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle as it was asked, with what was pinned."""
        with place(str(self.path)):
            return puzzle_of(self.text)

    @property
    def problem(self) -> Problem:
        return self.puzzle.problems[self.number - 1]

    def summary(self) -> Summary:
        """What was found so far, and how far the search is."""
        with self.at_once():
            [row] = self.rows(
                "SELECT state, assemblies, solutions, given_up, rigid, stuck, kept, "
                "stop_after, fraction, seconds, saved FROM run"
            )
            [(nodes, rotations)] = self.rows("SELECT sum(nodes), sum(rotations) FROM task")
            levels = dict(self.rows("SELECT levels, amount FROM tally"))
        state, assemblies, solutions, given_up, rigid, stuck, kept, limit, part, spent, saved = row
        return Summary(
            state=state,
            assemblies=assemblies,
            rotations=rotations if state == "done" and not self.options.thorough else None,
            solutions=solutions if self.options.disassemble else None,
            given_up=given_up,
            rigid=rigid,
            stuck=stuck,
            levels={text: levels[text] for text in sorted(levels, key=_numbers, reverse=True)},
            kept=kept,
            limit=limit,
            fraction=part,
            seconds=spent,
            nodes=nodes,
            saved=saved,
        )

    def page(self, first: int = 1, count: int = 50, order: Order = "found") -> list[Solution]:
        """Some of the solutions kept, from the first-th on, as found or the best first.

        "level" sorts by the level and then by all moves, "moves" by all moves and then by the
        level. Any page takes as long as the first.
        """
        if order not in get_args(Order):
            raise PuzzleError(f"order {order!r} is unknown; say found, level or moves")
        if order != "found" and not self.options.disassemble:
            raise PuzzleError(f"no order by {order}: the run takes nothing apart; say found")
        require_whole(-LARGEST, first=first, count=count)
        if first < 1 or count < 0:
            raise PuzzleError(f"no page of {count} from number {first} on; numbers begin at 1")
        with self.at_once():
            if not self.options.disassemble:
                return self._assemblies(first, count)
            if order == "found":
                last = first + count - 1
                return self._solutions("number BETWEEN ? AND ? ORDER BY number", first, last)
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
            told.state == "done",
            told.seconds,
        )
        lost = f"only {most:,} of the {told.kept:,} solutions are taken from the run"
        return Document(
            self.puzzle,
            [
                answers if n == self.number else None
                for n in range(1, len(self.puzzle.problems) + 1)
            ],
            [lost] if told.kept > most else [],
        )

    def _assemblies(self, first: int, count: int) -> list[Solution]:
        rows = self.rows(
            "SELECT first, amount, length, names FROM assembly WHERE first < ? AND first >="
            " (SELECT max(first) FROM assembly WHERE first <= ?) ORDER BY first",
            first + count,
            first,
        )
        step = self.keep.n if self.keep.what == "every" else 1
        found: list[Solution] = []
        for start, amount, length, names in rows:
            size = length * self.width
            for number in range(max(first, start), min(first + count, start + amount)):
                at = (number - start) * size
                assembly = self.table.assembly(unpack(names[at : at + size], self.width))
                found.append(Solution(assembly, assembly_number=(number - 1) * step + 1))
        return found

    def _ranked(self, first: int, count: int, order: Order) -> list[Solution]:
        keep = Keep("best-moves" if order == "moves" else "best")
        ranks = {(level, moves): n for level, moves, n in self.rows("SELECT * FROM rank")}
        before, found = first - 1, list[Solution]()
        for rank in sorted(ranks, key=keep.sorts, reverse=True):
            if before < ranks[rank]:
                some = "level = ? AND moves = ? AND nth > ? ORDER BY nth LIMIT ?"
                found += self._solutions(some, *rank, before, count - len(found))
            before = max(0, before - ranks[rank])
            if len(found) == count:
                break
        return found

    def _solutions(self, where: str, *values: int) -> list[Solution]:
        return [
            Solution(
                self.table.assembly(unpack(names, self.width)), unpack_tree(tree), None, *which
            )
            for names, tree, *which in self.rows(_SOLUTION + where, *values)
        ]

    @cached_property
    def table(self) -> PlacementTable:
        """What the numbers of placements mean."""
        [(data,)] = self.rows("SELECT placements FROM run")
        rows, kinds = msgspec.msgpack.decode(data, type=tuple[list[Row], list[list[int]]])
        return PlacementTable(self.problem, rows, kinds)


def _numbers(levels: str) -> list[int]:
    return [int(number) for number in levels.split(".")]


def text_of(puzzle: Puzzle) -> bytes:
    """A puzzle as a run keeps it."""
    return puzzle_format.write(Document(puzzle))


def puzzle_of(text: bytes) -> Puzzle:
    return puzzle_format.read(text).puzzle
