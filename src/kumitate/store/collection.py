"""A collection on disk: puzzles that a search has found, and how far its sampling is.

One SQLite file; docs/design-search.md has its tables. Samples are numbered from 1 and taken down in
order, so one number says how far the sampling is. It is written in one transaction with the puzzles
found until there, a checkpoint: whatever happens to the process, nothing is lost or there twice.
"""

import os
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import msgspec

from kumitate.files import json as puzzle_format
from kumitate.files.document import Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST, require_whole
from kumitate.model.puzzle import Puzzle
from kumitate.model.solution import Answers
from kumitate.store import database
from kumitate.store.database import Database, Kind, application_of
from kumitate.store.schema import COLLECTION, State

VERSION = 1
MADE = "kumitate search PUZZLE --output FILE"
ENDLESS = 2**62
KIND = Kind("collection", COLLECTION, VERSION, {}, "kumitate search", MADE)

SCHEMA = """
CREATE TABLE collection (
    puzzle TEXT NOT NULL,
    options TEXT NOT NULL,
    kumitate TEXT NOT NULL,
    draws TEXT NOT NULL,
    started REAL NOT NULL,
    saved REAL NOT NULL,
    turn INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'paused',
    samples INTEGER NOT NULL DEFAULT 0,
    stop_after INTEGER,
    stop_found INTEGER,
    seconds REAL NOT NULL DEFAULT 0
);
CREATE TABLE tally (
    ending TEXT PRIMARY KEY,
    amount INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE puzzle (
    sample INTEGER PRIMARY KEY,
    level INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    levels TEXT NOT NULL,
    pieces TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL
);
CREATE INDEX by_level ON puzzle (level DESC, moves DESC, sample);
"""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is searched for, beside the goal and the pieces."""

    burr: str | None = None  # which sticks
    cut: int | None = None  # into how many pieces; neither: subsets of the pieces
    holes: int = 0
    smallest: int = 1
    level: int = 1
    unique: bool = True
    seed: int = 0
    max_nodes: int = 1
    max_states: int = 1


class Entry(msgspec.Struct, frozen=True):
    """A puzzle that was found."""

    sample: int
    level: int
    moves: int  # in all
    levels: str
    pieces: str  # equal for puzzles of the same pieces
    document: str  # the puzzle with its solution, as .kumitate.json


class Report(msgspec.Struct, frozen=True):
    """How some samples in a row have ended, and what was found among them."""

    first: int
    endings: list[str]
    found: list[Entry]


@dataclass(frozen=True)
class Sampling:
    """How far a search is, and what became of its samples."""

    state: State
    samples: int
    found: int  # puzzles, each once
    endings: dict[str, int]  # how the other samples ended
    best: str | None  # levels of the best puzzle
    seconds: float  # of work, over all the times it went on
    saved: float  # when, in seconds since 1970
    stop_after: int | None  # samples,
    stop_found: int | None  # or puzzles


def is_collection(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a collection, by how it begins."""
    return application_of(path) == COLLECTION


def create_collection(path: Path, puzzle: Puzzle | None, asked: Asked, draws: str) -> None:
    """A new collection, no sample taken; it appears whole or not at all, in place of an older."""
    text = "" if puzzle is None else puzzle_format.write(Document(puzzle)).decode()

    def fill(connection: sqlite3.Connection) -> None:
        options, now = msgspec.json.encode(asked).decode(), time.time()
        connection.execute(
            "INSERT INTO collection (puzzle, options, kumitate, draws, started, saved)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (text, options, database.kumitate_version(), draws, now, now),
        )

    database.create(path, KIND, SCHEMA, fill)


def open_collection(path: str | os.PathLike[str]) -> "Collection":
    """The collection in a file, to be read; also while a search goes on with it.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/burrs.kumitate"
    >>> done = kumitate.search_into(path, kumitate.Burrs("notchable"), level=2, samples=1000)
    >>> with kumitate.open_collection(path) as found:
    ...     print(len(found), found.document(1).puzzle.title)
    4 Six-piece burr, level 2
    """
    return Collection(Path(path))


class Collection(Database):
    """A collection on disk; see `open_collection`. One process may write to it at a time."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, KIND)
        try:
            self.text, self.asked = self._question()
        except BaseException:
            self.close()
            raise
        self.turn = 0

    def _question(self) -> tuple[str, Asked]:
        rows = self.rows("SELECT puzzle, options FROM collection")
        try:
            [question] = rows
            text, options = msgspec.convert(question, tuple[str, str])
            return text, msgspec.json.decode(options, type=Asked)
        except (ValueError, msgspec.MsgspecError):
            raise PuzzleError(f"{self.path}: damaged: it does not say what was asked") from None

    def __len__(self) -> int:
        [(found,)] = self.rows("SELECT count(*) FROM puzzle")
        return int(found)

    @cached_property
    def puzzle(self) -> Puzzle | None:
        """Whose goal is cut or whose pieces are chosen; None for burrs."""
        with place(str(self.path)):
            return puzzle_format.read(self.text.encode()).puzzle if self.text else None

    def summary(self) -> Sampling:
        """How far the sampling is, and what it has found."""
        with self.at_once():
            [(state, samples, *ends, seconds, saved)] = self.rows(
                "SELECT state, samples, stop_after, stop_found, seconds, saved FROM collection"
            )
            endings = dict(self.rows("SELECT ending, amount FROM tally ORDER BY amount DESC"))
            best = self.page(1, 1)
        found = endings.pop("found", 0)
        levels = best[0].levels if best else None
        return Sampling(state, samples, found, endings, levels, seconds, saved, *ends)

    def page(self, first: int = 1, count: int = 50) -> list[Entry]:
        """Some of the puzzles, those of the highest level first, then those with most moves."""
        require_whole(1, first=first)
        require_whole(0, count=count)
        rows = self.rows(
            "SELECT sample, level, moves, levels, pieces, document FROM puzzle"
            " ORDER BY level DESC, moves DESC, sample LIMIT ? OFFSET ?",
            count,
            first - 1,
        )
        return [Entry(*row) for row in rows]

    def document(self, number: int = 1) -> Document:
        """The N-th best puzzle with its solution."""
        require_whole(-LARGEST, number=number)
        some = self.page(number, 1) if number >= 1 else []
        with place(str(self.path)):
            if not some:
                found = f"{len(self):,} {'was' if len(self) == 1 else 'were'} found"
                raise PuzzleError(f"there is no puzzle {number}; {found}")
            return puzzle_format.read(some[0].document.encode())

    def knows(self, pieces: str) -> bool:
        """Whether a puzzle of these pieces is there."""
        return bool(self.rows("SELECT 1 FROM puzzle WHERE pieces = ?", pieces))

    # ---- writing ----

    def begin(self, samples: int | None, limit: int | None) -> None:
        """Be the one who writes; with these limits or, if there are none, with those it had."""
        with self.speaking():
            self.connection.execute("PRAGMA synchronous = FULL")
            with self.transaction():
                self.rows("UPDATE collection SET turn = turn + 1, state = 'running'")
                if samples or limit:
                    self.rows(
                        "UPDATE collection SET stop_after = ?, stop_found = ?", samples, limit
                    )
                [(self.turn,)] = self.rows("SELECT turn FROM collection")

    def commit(self, reports: Iterable[Report], seconds: float, state: State) -> Sampling:
        """A checkpoint: these reports, in this order, up to where a limit is reached."""
        with self.speaking(), self.transaction():
            self.require_turn(self.turn)
            [(samples, stop_after, stop_found)] = self.rows(
                "SELECT samples, stop_after, stop_found FROM collection"
            )
            found, tally = len(self), Counter[str]()

            def at_end() -> bool:
                return samples >= (stop_after or ENDLESS) or found >= (stop_found or ENDLESS)

            for report in reports:
                entries = {entry.sample: entry for entry in report.found}
                for sample, ending in enumerate(report.endings, report.first):
                    if at_end():
                        break
                    assert sample == samples + 1
                    samples = sample
                    if ending == "found":
                        ending = "found" if self._keep(entries[sample]) else "again"
                        found += ending == "found"
                    tally[ending] += 1
            self.connection.executemany(
                "INSERT INTO tally VALUES (?, ?)"
                " ON CONFLICT (ending) DO UPDATE SET amount = amount + excluded.amount",
                list(tally.items()),
            )
            self.rows(
                "UPDATE collection SET samples = ?, seconds = seconds + ?, state = ?, saved = ?",
                *(samples, seconds, "limit" if at_end() else state, time.time()),
            )
        return self.summary()

    def _keep(self, entry: Entry) -> bool:
        """Whether it is a new puzzle."""
        row = msgspec.structs.astuple(entry)
        cursor = self.connection.execute("INSERT OR IGNORE INTO puzzle VALUES (?,?,?,?,?,?)", row)
        return cursor.rowcount == 1


def entry_of(sample: int, puzzle: Puzzle, answers: Answers, pieces: object) -> Entry:
    """A puzzle as a collection keeps it, with its solution and what tells it from others."""
    [solution] = answers.solutions
    assert solution.levels
    text = puzzle_format.write(Document(puzzle, [answers])).decode()
    key = sha256(repr(pieces).encode()).hexdigest()
    levels = solution.levels
    return Entry(sample, levels.moves, levels.total, str(levels), key, text)
