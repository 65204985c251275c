"""The tables of a run, and the values that go into them.

Assemblies are kept as the numbers that the search has for their placements, and the table of those
with them, so that reading never depends on how a search numbers things. Whatever is listed can be
paged without counting rows: numbers have no gaps, and within solutions of one rank (level, moves)
they are counted, so the table of ranks says where a page begins.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from struct import unpack_from
from typing import Literal, NamedTuple

import msgspec

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector
from kumitate.model.solution import Disassembly, Levels, Move
from kumitate.store.database import Kind

APPLICATION = 0x6B756D69  # "kumi"
VERSION = 1
COLLECTION = 0x6B756D63  # "kumc": the other kind of file that a store makes

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
    "kumitate solve PUZZLE --output FILE",
)

Order = Literal["found", "level", "moves"]
State = Literal["running", "paused", "limit", "done", "recovered"]
Outcome = Literal["found", "same", "apart", "limit", "rigid", "stuck"]
DIGITS = 16  # of the number of solutions to keep
Rank = tuple[int, int]  # level, moves in all
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
                raise PuzzleError(f"keep {text!r}: N is too large; it has {DIGITS} digits at most")
            return cls(what, int(number))  # type: ignore[arg-type]
        raise PuzzleError(
            f"keep {text!r} is unknown; say all, none, every:N, best:N or best-moves:N"
        )

    def sorts(self, rank: Rank) -> Rank:
        """The greater, the better."""
        level, moves = rank
        return (moves, level) if self.what == "best-moves" else (level, moves)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was asked, beside the puzzle; the names are those of `solve`."""

    mirrors: bool = False
    rotations: bool = False
    thorough: bool = False
    distinct_copies: bool = False
    disassemble: bool = False
    fine: bool = False
    coordinate: bool = False
    max_states: int | None = None
    max_moves: int | None = None
    keep: str = "all"


class Checkpoint(msgspec.Struct):
    """The row of a run that says how far it is."""

    turn: int = 0  # how often somebody began to write
    state: State = "paused"
    stop_after: int | None = None
    saved: float = 0.0  # when, in seconds since 1970
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
    found: int = 0  # by the search, of which those beyond `known` of its task are counted
    rotations: int = 0
    tasks: int = 0  # the sums of their rows, added up


@dataclass(frozen=True)
class Summary:
    """What a run has found so far, and how far it is.

    In a run that was recovered from a damaged one, and is not to be resumed, the counts are those
    of what was saved: there are at least so many.
    """

    state: State
    assemblies: int  # one of each class
    rotations: int | None  # every one of them, once that is known
    solutions: int | None  # those that come apart; None unless the run takes apart
    given_up: int  # stopped by a limit on taking apart; they may be solutions
    rigid: int
    stuck: int
    levels: dict[str, int]  # how many solutions, the highest level first
    kept: int
    limit: int | None
    fraction: float  # of the search done; only grows
    seconds: float  # of work, over all the times it went on
    nodes: int
    saved: float  # when, in seconds since 1970
    lost: int | None = 0  # answers that were kept, and lost by damage; None if unknown


class Task(NamedTuple):
    """A part of the search tree: where its search stands, and what is left of it.

    Of the assemblies that come next from there, the first `known` are already counted.
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


class PackedRows(NamedTuple):
    """A table of assemblies: so many rows of so many names each."""

    names: bytes
    rows: int
    length: int


class FoundAssembly(NamedTuple):
    """An assembly that was looked at more closely, ready to be sent and written."""

    names: bytes
    ending: Outcome
    levels: str = ""  # if it comes apart
    rank: Rank = GIVEN_UP
    tree: bytes | None = None  # how, unless nobody keeps that

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
    """What a task has found, from where it stood to where it stands now."""

    before: Task
    after: Task
    done: bool
    packed: PackedRows
    found: Sequence[FoundAssembly] = ()  # instead of packed, one for each assembly
    given: Task | None = None  # the part that was split off

    @property
    def left(self) -> list[Task]:
        """What the task has become; if it is done, its last state is among it."""
        return [self.after, *([self.given] if self.given else [])]

    @property
    def counts(self) -> tuple[int, int, int]:
        """The nodes, assemblies and rotations that the search has seen meanwhile."""
        ends = zip(self.before.counts, *(task.counts for task in self.left), strict=True)
        nodes, found, rotations = (sum(after) - before for before, *after in ends)
        return nodes, found, rotations


# ---- packing ----


def unpack(names: bytes, width: int) -> list[int]:
    """The names in a row of a packed table."""
    some = (int.from_bytes(names[at : at + width], "little") for at in range(0, len(names), width))
    blank = (1 << 8 * width) - 1
    return [name for name in some if name != blank]


def width_for(names: int) -> int:
    """How many bytes a name takes, if there are so many; all ones is no name."""
    return next(width for width in range(1, 5) if names < 1 << 8 * width)


class _Tree(msgspec.Struct, array_like=True):
    """A disassembly as it is packed."""

    moves: list[tuple[tuple[int, ...], tuple[int, int, int], int | None]]
    left: "_Tree | None"
    removed: "_Tree | None"
    parts: int
    steps: list[tuple[int, int, int]]


def pack_tree(tree: Disassembly) -> bytes:
    return msgspec.msgpack.encode(_entry(tree))


def _entry(tree: Disassembly | None) -> _Tree | None:
    if tree is None:
        return None
    return _Tree(
        [(tuple(move.pieces), move.step, move.units) for move in tree.moves],
        _entry(tree.left),
        _entry(tree.removed),
        tree.moves[-1].parts,
        list(tree.moves[-1].steps),
    )


def unpack_tree(data: bytes | None) -> Disassembly | None:
    return None if data is None else _tree(msgspec.msgpack.decode(data, type=_Tree))


def _tree(entry: _Tree | None) -> Disassembly | None:
    if entry is None:
        return None
    moves = [_move(*move, entry.parts) for move in entry.moves]
    if entry.steps:
        moves[-1] = replace(moves[-1], steps=entry.steps)
    return Disassembly(moves, _tree(entry.left), _tree(entry.removed))


class _Outline(msgspec.Struct, array_like=True):
    """A packed disassembly whose moves are only counted."""

    moves: list[msgspec.Raw]
    left: "_Outline | None"
    removed: "_Outline | None"


def unpack_levels(data: bytes | None) -> Levels | None:
    """How many moves each separation of a packed disassembly takes."""
    return None if data is None else _levels(msgspec.msgpack.decode(data, type=_Outline))


def _levels(entry: _Outline | None) -> Levels | None:
    if entry is None:
        return None
    return Levels(len(entry.moves), _levels(entry.left), _levels(entry.removed))


@lru_cache(1 << 16)
def _move(pieces: tuple[int, ...], step: Vector, units: int | None, parts: int) -> Move:
    """Solutions of one puzzle share most of their moves, and a page has thousands."""
    return Move(pieces, step, units, parts)
