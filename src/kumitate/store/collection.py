"""A collection on disk: puzzles that a search or a design has found, and how far it is.

A collection is one SQLite file; docs/design-search.md has its tables. Samples are numbered from 1
and recorded in order, so one number says how far the sampling is. A checkpoint writes that number
and the puzzles found so far in one transaction: whatever happens to the process, nothing is lost
and nothing is recorded twice. Puzzles are ordered by their scores: those of a search are the level
and all moves, those of a design whatever it maximises.
"""

import os
import time
from collections import Counter
from collections.abc import Collection as Some
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from struct import iter_unpack, pack, unpack

import msgspec
from msgspec.structs import astuple, force_setattr

from kumitate.decoding import from_json
from kumitate.files import json as puzzle_format
from kumitate.files.document import Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.found import Found
from kumitate.model.numbers import LARGEST, require_whole
from kumitate.model.puzzle import Puzzle
from kumitate.model.solution import Answers, Assembly, Solution
from kumitate.model.wish import Wish
from kumitate.store import database
from kumitate.store.database import Database, Kind, application_of
from kumitate.store.schema import COLLECTION, State

VERSION = 2
ENDLESS = LARGEST

PUZZLES = """
CREATE TABLE puzzle (
    sample INTEGER PRIMARY KEY,
    level INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    levels TEXT NOT NULL,
    pieces TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL,
    score BLOB NOT NULL,
    sum INTEGER NOT NULL
);
CREATE INDEX by_score ON puzzle (score DESC, sample);
"""
SCHEMA = f"""
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
{PUZZLES}"""
FIRST_PUZZLES = PUZZLES.partition(";")[0].replace("score BLOB NOT NULL,", "")  # of version 1

KIND = Kind(
    "collection",
    COLLECTION,
    VERSION,
    SCHEMA,
    ("puzzle",),
    "kumitate search",
    "'kumitate search PUZZLE --output FILE' or 'kumitate design GOAL --output FILE'",
    older=(1,),
)


class DesignQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="design"):
    """What to design: a goal by its name, unless the file has a puzzle, and what is wanted."""

    goal: str
    wish: Wish


class SearchQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="search"):
    """What to search for, besides the goal and the pieces."""

    burr: str | None = None  # which sticks to use
    cut: int | None = None  # number of pieces; without `burr` and `cut`: subsets of the pieces
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
    moves: int  # total
    levels: str
    pieces: str  # equal for puzzles of the same pieces
    document: str  # the puzzle with its solution, as .kumitate.json
    score: bytes = b""  # packed, see `pack_score`; by default the level, then the moves

    def __post_init__(self) -> None:
        if not self.score:
            force_setattr(self, "score", pack_score((self.level, self.moves)))


class Report(msgspec.Struct, frozen=True):
    """How some consecutive samples ended, and the puzzles found among them."""

    first: int
    endings: list[str]
    found: list[Entry]


class Sampled(msgspec.Struct):
    """The checkpoint row of a collection: how far it is."""

    turn: int = 0  # how many times a writer has begun
    state: State = "paused"
    stop_after: int | None = None
    stop_found: int | None = None
    saved: float = 0.0  # seconds since 1970
    seconds: float = 0.0
    samples: int = 0
    lost: int | None = 0


@dataclass(frozen=True)
class Sampling:
    """How far a design search is, and what became of its samples.

    A collection that was recovered from a damaged one and cannot be resumed counts only the samples
    whose puzzles were saved.
    """

    state: State
    samples: int
    found: int  # distinct puzzles
    endings: dict[str, int]  # how the other samples ended
    best: str | None  # levels of the best puzzle
    seconds: float  # of work, over all sessions
    saved: float  # seconds since 1970
    stop_after: int | None  # stop after this many samples,
    stop_found: int | None  # or this many puzzles
    lost: int | None = 0  # puzzles that were found and then lost to damage; None if unknown


def is_collection(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a collection, judging by its header."""
    return application_of(path) == COLLECTION


def create_collection(
    path: Path,
    puzzle: Puzzle | None,
    asked: SearchQuestion | DesignQuestion,
    draws: str,
    start: Solution | None = None,
) -> None:
    """Create an empty collection; it appears whole or not at all, and replaces an older file.

    A design may start with an assembly of the puzzle's problem.
    """
    answers = [Answers([start])] if start else []
    text = "" if puzzle is None else puzzle_format.write(Document(puzzle, answers)).decode()
    options, now = msgspec.json.encode(asked).decode(), time.time()
    question = (text, options, database.kumitate_version(), draws, now)
    at = astuple(Sampled(saved=now))
    database.create(path, KIND, [("collection", question), ("checkpoint", at)])


def open_collection(path: str | os.PathLike[str]) -> "Collection":
    """Open a collection for reading, even while a search is adding to it.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/burrs.kumitate"
    >>> from kumitate.jobs.design import search_into
    >>> done = search_into(path, kumitate.burr6.Burrs("notchable"), level=2, samples=1000)
    >>> with open_collection(path) as found:
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
            self.asked = self._question(options)
            if isinstance(self.asked, DesignQuestion):
                self.kind = KIND._replace(command="kumitate design")
        except BaseException:
            self.close()
            raise
        self.turn = 0

    def _question(self, options: str) -> SearchQuestion | DesignQuestion:
        """What was asked; a file of version 1 does not say that it is a search."""
        tagged = '"type":' in options
        try:
            return from_json(options, SearchQuestion | DesignQuestion if tagged else SearchQuestion)
        except msgspec.MsgspecError as error:
            raise PuzzleError(f"{self.path}: its options cannot be read: {error}") from None

    def __len__(self) -> int:
        return self.tally().get("found", 0)

    @property
    def search(self) -> SearchQuestion:
        """The family that is searched, if this is a search."""
        if isinstance(self.asked, DesignQuestion):
            raise PuzzleError(
                f"{self.path}: made by kumitate design; to continue: kumitate design --resume"
                f" {self.path}"
            )
        return self.asked

    @property
    def design(self) -> DesignQuestion:
        """What is to be designed, if this is a design."""
        if isinstance(self.asked, SearchQuestion):
            raise PuzzleError(
                f"{self.path}: made by kumitate search; to continue: kumitate search --resume"
                f" {self.path}"
            )
        return self.asked

    @cached_property
    def _about(self) -> Document | None:
        with place(str(self.path)):
            return puzzle_format.read(self.text.encode()) if self.text else None

    @property
    def puzzle(self) -> Puzzle | None:
        """The puzzle whose goal is cut, or whose pieces are chosen or changed; None for burrs."""
        return self._about.puzzle if self._about else None

    @property
    def start(self) -> Assembly | None:
        """The assembly that a design starts with."""
        answers = self._about.answers[0] if self._about else None
        return answers.solutions[0].assembly if answers else None

    def checkpoint(self) -> Sampled:
        """The latest checkpoint."""
        return Sampled(*self.only_row("checkpoint"))

    def tally(self) -> dict[str, int]:
        """How many samples ended in each way, the most frequent first."""
        tally: dict[str, int] = dict(self.intact("tally", "ORDER BY amount DESC"))
        if sum(tally.values()) != self.checkpoint().samples:
            raise self.damaged("its counts do not add up to the number of samples")
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
        """Raise a PuzzleError if anything is damaged or missing.

        Every row is checked when it is read; this reads all of them.
        """
        with self.snapshot():
            self.require_sound()
            if sum(1 for _ in self.intact("puzzle")) != len(self):
                raise self.damaged("puzzles are missing")

    def page(self, first: int = 1, count: int = 50) -> list[Entry]:
        """Some of the puzzles, the best first: those of a search by level, then by total moves."""
        require_whole(1, first=first)
        require_whole(0, count=count)
        with self.snapshot():
            return self._page(first, count)

    def _page(self, first: int, count: int) -> list[Entry]:
        order = "score DESC" if self.version == VERSION else "level DESC, moves DESC"
        which = f"ORDER BY {order}, sample LIMIT ? OFFSET ?"
        rows = list(self.intact("puzzle", which, count, first - 1))
        if len(rows) != max(0, min(count, len(self) - first + 1)):
            raise self.damaged("puzzles are missing")
        return [Entry(*row) for row in rows]

    def document(self, number: int = 1) -> Document:
        """The puzzle with this rank, counted from 1, with its solution."""
        require_whole(-LARGEST, number=number)
        some = self.page(number, 1) if number >= 1 else []
        with place(str(self.path)):
            if not some:
                found = f"{len(self):,} {'was' if len(self) == 1 else 'were'} found"
                raise PuzzleError(f"there is no puzzle {number}; {found}")
            return puzzle_format.read(some[0].document.encode())

    def found(self, first: int = 1, count: int = 50) -> list[Found]:
        """Some of the puzzles with their solutions, in the order of `page`."""
        return [self._found(entry) for entry in self.page(first, count)]

    def sampled(self, sample: int) -> Found | None:
        """The puzzle of a sample, with its solution; None if no puzzle was found there."""
        require_whole(0, sample=sample)
        rows = self.intact("puzzle", "WHERE sample = ?", sample)
        return next((self._found(Entry(*row)) for row in rows), None)

    def _found(self, entry: Entry) -> Found:
        with place(f"{self.path}, sample {entry.sample}"):
            document = puzzle_format.read(entry.document.encode())
        return Found(entry.sample, document.puzzle, document.answers[0], entry.document)

    def knows(self, pieces: str) -> bool:
        """Whether a puzzle with these pieces has been recorded."""
        return bool(self.rows("SELECT 1 FROM puzzle WHERE pieces = ?", pieces))

    # ---- writing ----

    def begin(self, samples: int | None, limit: int | None) -> None:
        """Become the only writer; new limits, if given, replace the old ones."""
        with self.transaction():
            self._upgrade()
            at = self.checkpoint()
            at.turn += 1
            at.state = "running"
            if samples or limit:
                at.stop_after, at.stop_found = samples, limit
            self.write_checkpoint(astuple(at))
            self.turn = at.turn

    def _upgrade(self) -> None:
        """Give the puzzles of a file of version 1 their scores."""
        if self.version == VERSION:
            return
        entries = [astuple(Entry(*row)) for row in self.intact("puzzle")]
        self.connection.execute("DROP TABLE puzzle")
        for statement in filter(str.strip, PUZZLES.split(";")):
            self.connection.execute(statement)
        self.write("puzzle", entries)
        self.connection.execute(f"PRAGMA user_version = {VERSION}")
        self.version = VERSION

    def commit(self, reports: Iterable[Report], seconds: float, state: State) -> Sampling:
        """Write a checkpoint: these reports, in this order, until a limit is reached."""
        with self.transaction():
            at, tally = self.checkpoint(), Counter(self.tally())
            self.require_turn(at.turn, self.turn)

            def at_limit() -> bool:
                ends = ((at.samples, at.stop_after), (tally["found"], at.stop_found))
                return any(number >= (end or ENDLESS) for number, end in ends)

            for report in reports:
                entries = {entry.sample: entry for entry in report.found}
                for sample, ending in enumerate(report.endings, report.first):
                    if at_limit():
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
            at.state = "limit" if at_limit() else state
            at.seconds += seconds
            at.saved = time.time()
            self.write_checkpoint(astuple(at))
        return self.summary()

    def commit_designs(
        self,
        entries: Iterable[Entry],
        gone: Some[int],
        evaluations: int,
        seconds: float,
        state: State,
    ) -> Sampling:
        """Write a checkpoint: new puzzles, those that they replace, and how far the design is."""
        with self.transaction():
            at = self.checkpoint()
            self.require_turn(at.turn, self.turn)
            for sample in gone:
                self.connection.execute("DELETE FROM puzzle WHERE sample = ?", (sample,))
            self.write("puzzle", map(astuple, entries))
            [(found,)] = self.rows("SELECT count(*) FROM puzzle")
            at.samples = max(evaluations, at.samples, found)
            self.connection.execute("DELETE FROM tally")
            tally = {"found": found, "passed": at.samples - found}
            self.write("tally", [row for row in tally.items() if row[1]])
            at.state = state
            at.seconds += seconds
            at.saved = time.time()
            self.write_checkpoint(astuple(at))
        return self.summary()


def entry_of(
    sample: int,
    puzzle: Puzzle,
    answers: Answers,
    pieces: object,
    score: Sequence[float] = (),
) -> Entry:
    """A puzzle as a collection keeps it, with its solution and a key that identifies it."""
    [solution] = answers.solutions
    assert solution.levels
    text = puzzle_format.write(Document(puzzle, [answers])).decode()
    key = sha256(repr(pieces).encode()).hexdigest()
    levels = solution.levels
    return Entry(sample, levels.moves, levels.total, str(levels), key, text, pack_score(score))


_SIGN, _ALL = 1 << 63, (1 << 64) - 1


def pack_score(score: Sequence[float]) -> bytes:
    """Numbers as bytes in the same order: the first number that differs decides.

    >>> sorted([pack_score([2.0, -1.0]), pack_score([-3.0, 5.0])]) == [
    ...     pack_score([-3.0, 5.0]), pack_score([2.0, -1.0])]
    True
    """
    bits = (int.from_bytes(pack(">d", number)) for number in score)
    return b"".join((n ^ (_ALL if n & _SIGN else _SIGN)).to_bytes(8) for n in bits)


def unpack_score(packed: bytes) -> tuple[float, ...]:
    """The numbers of a score.

    >>> unpack_score(pack_score([8.0, -2.5]))
    (8.0, -2.5)
    """
    bits = (n ^ (_SIGN if n & _SIGN else _ALL) for (n,) in iter_unpack(">Q", packed))
    return tuple(number for n in bits for number in unpack(">d", n.to_bytes(8)))
