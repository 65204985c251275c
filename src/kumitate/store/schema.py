"""The tables of a run, and the values in them.

An assembly is stored as the search's numbers for its placements, together with the table of those
numbers, so reading never depends on how a search numbers things. Lists can be paged without
counting rows: solutions are numbered without gaps, also within each rank (level, moves), so the
table of ranks says where a page begins.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from struct import unpack_from
from typing import Literal, NamedTuple

import msgspec

from kumitate.decoding import from_json, from_msgpack
from kumitate.files.entries import TurnEntry
from kumitate.files.turns import rotation_of, turn_entry
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector
from kumitate.model.options import RunOptions
from kumitate.model.rotation import Rotation
from kumitate.model.solution import AnyMove, Disassembly, Levels, Move
from kumitate.model.table import PackedRows
from kumitate.store.database import Kind

APPLICATION = 0x6B756D69  # "kumi"
VERSION = 1
COLLECTION = 0x6B756D63  # "kumc": the other kind of file in this package

SCHEMA = """
CREATE TABLE run (
    puzzle TEXT NOT NULL,
    problem INTEGER NOT NULL,
    options TEXT NOT NULL,
    kumitate TEXT NOT NULL,
    search TEXT NOT NULL,
    placements BLOB NOT NULL,
    width INTEGER NOT NULL,
    started REAL NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE checkpoint (
    turn INTEGER NOT NULL,
    state TEXT NOT NULL,
    stop_after INTEGER,
    saved REAL NOT NULL,
    fraction REAL NOT NULL,
    seconds REAL NOT NULL,
    assemblies INTEGER NOT NULL,
    solutions INTEGER NOT NULL,
    given_up INTEGER NOT NULL,
    rigid INTEGER NOT NULL,
    stuck INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    lost INTEGER,
    nodes INTEGER NOT NULL,
    found INTEGER NOT NULL,
    rotations INTEGER NOT NULL,
    tasks INTEGER NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    state BLOB NOT NULL,
    known INTEGER NOT NULL,
    share REAL NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE assembly (
    first INTEGER PRIMARY KEY,
    amount INTEGER NOT NULL,
    length INTEGER NOT NULL,
    names BLOB NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE solution (
    number INTEGER PRIMARY KEY,
    assembly_number INTEGER NOT NULL,
    solution_number INTEGER NOT NULL,
    names BLOB NOT NULL,
    level INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    tree BLOB,
    sum INTEGER NOT NULL
);
CREATE UNIQUE INDEX by_rank ON solution (level, moves, nth);
CREATE TABLE rank (
    level INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    UNIQUE (level, moves)
);
CREATE TABLE tally (
    levels TEXT NOT NULL UNIQUE,
    amount INTEGER NOT NULL,
    sum INTEGER NOT NULL
);
"""

RUN = Kind(
    "run",
    APPLICATION,
    VERSION,
    SCHEMA,
    ("assembly", "solution"),
    "kumitate solve",
    "'kumitate solve PUZZLE --output FILE'",
)

Order = Literal["found", "level", "moves"]
State = Literal["running", "paused", "limit", "done", "recovered", "chosen"]
Outcome = Literal["found", "same", "apart", "limit", "rigid", "stuck"]
DIGITS = 16  # of the number of solutions to keep
Rank = tuple[int, int]  # level, total moves
GIVEN_UP: Rank = (0, 0)


class Keep(NamedTuple):
    """Which of the solutions found are kept: all, none, every n-th, or the n best.

    >>> Keep.read("best:100")
    Keep(what='best', n=100)
    """

    what: Literal["all", "none", "every", "best", "best-moves"]
    n: int = 1

    @classmethod
    def read(cls, text: str) -> "Keep":
        what, _, number = text.partition(":")
        if text in ("all", "none"):
            return cls(text)  # type: ignore[arg-type]
        if what in ("every", "best", "best-moves") and re.fullmatch("[1-9][0-9]*", number):
            if len(number) > DIGITS:
                raise PuzzleError(f"keep {text!r}: N is too large; it has at most {DIGITS} digits")
            return cls(what, int(number))  # type: ignore[arg-type]
        raise PuzzleError(
            f"keep {text!r} is unknown; use all, none, every:N, best:N or best-moves:N"
        )

    def sorts(self, rank: Rank) -> Rank:
        """The greater, the better."""
        level, moves = rank
        return (moves, level) if self.what == "best-moves" else (level, moves)


def options_of(text: str) -> RunOptions:
    """The options that a run keeps as JSON; one that is unknown is an error."""
    given = from_json(text, dict[str, object])
    if unknown := given.keys() - RunOptions.__dataclass_fields__.keys():
        raise msgspec.ValidationError(f"unknown options: {', '.join(sorted(unknown))}")
    return from_json(text, RunOptions)


class Checkpoint(msgspec.Struct):
    """The checkpoint row of a run: how far it is."""

    turn: int = 0  # how many times a writer has begun
    state: State = "paused"
    stop_after: int | None = None
    saved: float = 0.0  # seconds since 1970
    fraction: float = 0.0
    seconds: float = 0.0
    assemblies: int = 0
    solutions: int = 0
    given_up: int = 0
    rigid: int = 0
    stuck: int = 0
    kept: int = 0
    lost: int | None = 0
    nodes: int = 0
    found: int = 0  # by the search; a task's first `known` assemblies were counted before
    rotations: int = 0
    tasks: int = 0  # the sum of the checksums of their rows


@dataclass(frozen=True)
class Summary:
    """What a run has found so far, and how far it is.

    A run that was recovered from a damaged one and cannot be resumed counts only what was saved;
    the true numbers are at least as large.
    """

    state: State
    assemblies: int  # one of each class
    rotations: int | None  # all rotations and mirror images, once that is known
    solutions: int | None  # assemblies that come apart; None without --disassemble
    given_up: int  # stopped at a limit of the disassembly; they may be solutions
    rigid: int
    stuck: int
    levels: dict[str, int]  # number of solutions, the highest level first
    kept: int
    limit: int | None
    fraction: float  # of the search that is done; it only grows
    seconds: float  # of work, over all sessions
    nodes: int
    saved: float  # seconds since 1970
    lost: int | None = 0  # answers that were kept and then lost to damage; None if unknown


class Task(NamedTuple):
    """A part of the search tree: the state of its search, and how much is left.

    The first `known` assemblies that the search finds from that state are already counted.
    """

    id: int
    state: bytes
    known: int
    share: float  # of the whole tree

    @property
    def counts(self) -> tuple[int, int, int]:
        """The nodes, assemblies and rotations that its search has seen so far."""
        nodes, found, rotations = unpack_from("<3Q", self.state)
        return nodes, found, rotations


class FoundAssembly(NamedTuple):
    """An assembly that was examined, ready to be sent and written."""

    names: bytes
    ending: Outcome
    levels: str = ""  # if it comes apart
    rank: Rank = GIVEN_UP
    tree: bytes | None = None  # its packed disassembly, if the run keeps solutions

    @classmethod
    def of(
        cls, names: bytes, ending: Outcome, tree: Disassembly | None = None, keeps: bool = True
    ) -> "FoundAssembly":
        if tree is None:
            return cls(names, ending)
        levels = tree.levels
        rank = (levels.moves, levels.total)
        return cls(names, ending, str(levels), rank, pack_tree(tree) if keeps else None)


class Batch(NamedTuple):
    """What a task has found between two of its states."""

    before: Task
    after: Task
    done: bool
    packed: PackedRows
    found: Sequence[FoundAssembly] = ()  # instead of packed, one for each assembly
    given: Task | None = None  # the part that was split off

    @property
    def left(self) -> list[Task]:
        """The task as it is now, and the part split off; a finished task is included."""
        return [self.after, *([self.given] if self.given else [])]

    @property
    def counts(self) -> tuple[int, int, int]:
        """The nodes, assemblies and rotations that the search has seen in between."""
        ends = zip(self.before.counts, *(task.counts for task in self.left), strict=True)
        nodes, found, rotations = (sum(after) - before for before, *after in ends)
        return nodes, found, rotations


# ---- packing ----


def width_for(names: int) -> int:
    """The bytes per name for this many names; a name of all ones is padding."""
    return next(width for width in range(1, 5) if names < 1 << 8 * width)


_Row = tuple[tuple[int, ...], Vector, int | None]  # pieces, step, units


class _Tree(msgspec.Struct, array_like=True):
    """A disassembly as it is packed: slides as lists, turns as maps."""

    moves: list[_Row | TurnEntry]
    left: "_Tree | None"
    removed: "_Tree | None"
    parts: int
    steps: list[tuple[int, int, int]]


def pack_tree(tree: Disassembly) -> bytes:
    return msgspec.msgpack.encode(_entry(tree))


def _entry(tree: Disassembly | None) -> _Tree | None:
    if tree is None:
        return None
    last = tree.moves[-1]
    return _Tree(
        [
            turn_entry(move)
            if isinstance(move, Rotation)
            else (tuple(move.pieces), move.step, move.units)
            for move in tree.moves
        ],
        _entry(tree.left),
        _entry(tree.removed),
        last.parts,
        list(last.steps) if isinstance(last, Move) else [],
    )


def unpack_tree(data: bytes | None) -> Disassembly | None:
    return None if data is None else _tree(from_msgpack(data, _Tree))


def _tree(entry: _Tree | None) -> Disassembly | None:
    if entry is None:
        return None
    moves: list[AnyMove] = [
        rotation_of(move, entry.parts) if isinstance(move, TurnEntry) else _move(*move, entry.parts)
        for move in entry.moves
    ]
    last = moves[-1]
    if entry.steps and isinstance(last, Move):
        moves[-1] = replace(last, steps=entry.steps)
    return Disassembly(moves, _tree(entry.left), _tree(entry.removed))


_MAPS = {*range(0x80, 0x90), 0xDE, 0xDF}  # how a map begins in MessagePack


class _Outline(msgspec.Struct, array_like=True):
    """A packed disassembly whose moves are only counted."""

    moves: list[msgspec.Raw]
    left: "_Outline | None"
    removed: "_Outline | None"


def unpack_levels(data: bytes | None) -> Levels | None:
    """How many moves each separation of a packed disassembly takes."""
    return None if data is None else _levels(from_msgpack(data, _Outline))


def _levels(entry: _Outline | None) -> Levels | None:
    if entry is None:
        return None
    turns = sum(bytes(move)[0] in _MAPS for move in entry.moves)
    return Levels(len(entry.moves), _levels(entry.left), _levels(entry.removed), turns)


@lru_cache(1 << 16)
def _move(pieces: tuple[int, ...], step: Vector, units: int | None, parts: int) -> Move:
    """A cached move: solutions of one puzzle share most of them, and a page has thousands."""
    return Move(pieces, step, units, parts)
