"""A collection on disk: puzzles that a search has found, and how far its sampling is.

One SQLite file; docs/design-search.md has its tables. Samples are numbered from 1 and taken down in
order, so one number says how far the sampling is. It is written in one transaction with the puzzles
found until there, a checkpoint: whatever happens to the process, nothing is lost or there twice.
"""

import os
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import astuple

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
ENDLESS = LARGEST

SCHEMA = """
CREATE TABLE collection (
    puzzle TEXT NOT NULL,
    options TEXT NOT NULL,
    kumitate TEXT NOT NULL,
    draws TEXT NOT NULL,
    started REAL NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE checkpoint (
    turn INTEGER NOT NULL,
    state TEXT NOT NULL,
    stop_after INTEGER,
    stop_found INTEGER,
    saved REAL NOT NULL,
    seconds REAL NOT NULL,
    samples INTEGER NOT NULL,
    lost INTEGER,
    sum INTEGER NOT NULL
);
CREATE TABLE tally (
    ending TEXT NOT NULL UNIQUE,
    amount INTEGER NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE puzzle (
    sample INTEGER PRIMARY KEY,
    level INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    levels TEXT NOT NULL,
    pieces TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL,
    sum INTEGER NOT NULL
);
CREATE INDEX by_level ON puzzle (level DESC, moves DESC, sample);
"""

KIND = Kind(
    "collection",
    COLLECTION,
    VERSION,
    SCHEMA,
    ("puzzle",),
    "kumitate search",
    "kumitate search PUZZLE --output FILE",
)


class SearchQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class Sampled(msgspec.Struct):
    """The row of a collection that says how far it is."""

    turn: int = 0  # how often somebody began to write
    state: State = "paused"
    stop_after: int | None = None
    stop_found: int | None = None
    saved: float = 0.0  # when, in seconds since 1970
    seconds: float = 0.0
    samples: int = 0
    lost: int | None = 0


@dataclass(frozen=True)
class Sampling:
    """How far a search is, and what became of its samples.

    In a collection that was recovered from a damaged one, and is not to be resumed, they are the
    samples whose puzzles were saved.
    """

    state: State
    samples: int
    found: int  # puzzles, each once
    endings: dict[str, int]  # how the other samples ended
    best: str | None  # levels of the best puzzle
    seconds: float  # of work, over all the times it went on
    saved: float  # when, in seconds since 1970
    stop_after: int | None  # samples,
    stop_found: int | None  # or puzzles
    lost: int | None = 0  # puzzles that were found, and lost by damage; None if unknown


def is_collection(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a collection, by how it begins."""
    return application_of(path) == COLLECTION


def create_collection(path: Path, puzzle: Puzzle | None, asked: SearchQuestion, draws: str) -> None:
    """A new collection, no sample taken; it appears whole or not at all, in place of an older."""
    text = "" if puzzle is None else puzzle_format.write(Document(puzzle)).decode()
    options, now = msgspec.json.encode(asked).decode(), time.time()
    question = (text, options, database.kumitate_version(), draws, now)
    at = astuple(Sampled(saved=now))
    database.create(path, KIND, [("collection", question), ("checkpoint", at)])


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
            self.text: str
            self.text, options, *_ = self.only_row("collection")
            self.asked = msgspec.json.decode(options, type=SearchQuestion)
        except BaseException:
            self.close()
            raise
        self.turn = 0

    def __len__(self) -> int:
        return self.tally().get("found", 0)

    @cached_property
    def puzzle(self) -> Puzzle | None:
        """Whose goal is cut or whose pieces are chosen; None for burrs."""
        with place(str(self.path)):
            return puzzle_format.read(self.text.encode()).puzzle if self.text else None

    def checkpoint(self) -> Sampled:
        """The last checkpoint."""
        return Sampled(*self.only_row("checkpoint"))

    def tally(self) -> dict[str, int]:
        """How many samples ended in which way, the most frequent first."""
        tally: dict[str, int] = dict(self.intact("tally", "ORDER BY amount DESC"))
        if sum(tally.values()) != self.checkpoint().samples:
            raise self.damaged("the ways to end do not add up to the samples")
        return tally

    def summary(self) -> Sampling:
        """How far the sampling is, and what it has found."""
        with self.snapshot():
            at, endings = self.checkpoint(), self.tally()
            best = self._page(1, 1)
        found = endings.pop("found", 0)
        return Sampling(
            state=at.state,
            samples=at.samples,
            found=found,
            endings=endings,
            best=best[0].levels if best else None,
            seconds=at.seconds,
            saved=at.saved,
            stop_after=at.stop_after,
            stop_found=at.stop_found,
            lost=at.lost,
        )

    def verify(self) -> None:
        """Refuse a collection in which anything is damaged or missing.

        Whatever is read is checked anyway; this reads all there is.
        """
        with self.snapshot():
            self.require_sound()
            if sum(1 for _ in self.intact("puzzle")) != len(self):
                raise self.damaged("puzzles are missing")

    def page(self, first: int = 1, count: int = 50) -> list[Entry]:
        """Some of the puzzles, those of the highest level first, then those with most moves."""
        require_whole(1, first=first)
        require_whole(0, count=count)
        with self.snapshot():
            return self._page(first, count)

    def _page(self, first: int, count: int) -> list[Entry]:
        order = "ORDER BY level DESC, moves DESC, sample LIMIT ? OFFSET ?"
        rows = list(self.intact("puzzle", order, count, first - 1))
        if len(rows) != max(0, min(count, len(self) - first + 1)):
            raise self.damaged("puzzles are missing")
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
        """Become the only writer; with these limits or, if there are none, with those it had."""
        with self.transaction():
            at = self.checkpoint()
            at.turn += 1
            at.state = "running"
            if samples or limit:
                at.stop_after, at.stop_found = samples, limit
            self.write_checkpoint(astuple(at))
            self.turn = at.turn

    def commit(self, reports: Iterable[Report], seconds: float, state: State) -> Sampling:
        """A checkpoint: these reports, in this order, up to where a limit is reached."""
        with self.transaction():
            at, tally = self.checkpoint(), Counter(self.tally())
            self.require_turn(at.turn, self.turn)

            def at_end() -> bool:
                ends = ((at.samples, at.stop_after), (tally["found"], at.stop_found))
                return any(number >= (end or ENDLESS) for number, end in ends)

            for report in reports:
                entries = {entry.sample: entry for entry in report.found}
                for sample, ending in enumerate(report.endings, report.first):
                    if at_end():
                        break
                    assert sample == at.samples + 1
                    at.samples = sample
                    if ending == "found":
                        entry = entries[sample]
                        if self.knows(entry.pieces):
                            ending = "again"
                        else:
                            self.write("puzzle", [astuple(entry)])
                    tally[ending] += 1
            self.connection.execute("DELETE FROM tally")
            self.write("tally", (+tally).items())
            if state == "done" and at.lost != 0:
                state = "recovered"
            at.state = "limit" if at_end() else state
            at.seconds += seconds
            at.saved = time.time()
            self.write_checkpoint(astuple(at))
        return self.summary()


def entry_of(sample: int, puzzle: Puzzle, answers: Answers, pieces: object) -> Entry:
    """A puzzle as a collection keeps it, with its solution and what tells it from others."""
    [solution] = answers.solutions
    assert solution.levels
    text = puzzle_format.write(Document(puzzle, [answers])).decode()
    key = sha256(repr(pieces).encode()).hexdigest()
    levels = solution.levels
    return Entry(sample, levels.moves, levels.total, str(levels), key, text)
