"""What kumitate's files in SQLite share, whatever their tables.

Such a file appears whole or not at all, is opened only if it is of the right kind and version, and
changes by transactions. Whoever begins to write takes a turn; one that finds another turn than its
own stops. Whatever SQLite complains about becomes one line with the way out.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from kumitate.files.document import place
from kumitate.model.errors import PuzzleError

MAGIC = b"SQLite format 3\0"
PATIENCE = 30.0  # seconds to wait while somebody else writes
_HEAD = 72  # bytes of the header, up to the application id


class Kind(NamedTuple):
    """What a file holds, and how one is made and gone on with."""

    name: str  # "run"; also that of the table with a single row
    application: int
    version: int
    migrations: Mapping[int, str]  # from each older version to the next
    command: str  # "kumitate solve", with --output and --resume
    made: str  # "kumitate solve PUZZLE --output FILE"


def application_of(path: str | os.PathLike[str]) -> int | None:
    """Which program says that the file is its own, by how it begins; None if it is no SQLite.

    Not for a file that this process has open: to close a file, however it was opened, gives up all
    locks that the process holds on it, and SQLite would take it for one that nobody uses.
    """
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return None
    return int.from_bytes(head[-4:]) if head.startswith(MAGIC) and len(head) == _HEAD else None


class Database:
    """A file of one kind, open to be read and written."""

    def __init__(self, path: Path, kind: Kind) -> None:
        self.path = path
        self.kind = kind
        with place(str(path)):
            if not path.is_file():
                raise PuzzleError("no such file")
        with self.speaking():
            self.connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
            try:
                self._require_version()
            except BaseException:
                self.connection.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def rows(self, query: str, *values: object) -> list[Any]:
        with self.speaking():
            return self.connection.execute(query, values).fetchall()

    @contextmanager
    def speaking(self) -> Iterator[None]:
        """Whatever SQLite complains about becomes one line with the way out."""
        try:
            yield
        except sqlite3.Error as error:
            raise PuzzleError(f"{self.path}: {self._complaint(error)}") from None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is read inside is of one moment."""
        with self.speaking():
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self.connection.execute("ROLLBACK")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written inside is there wholly or not at all."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def require_turn(self, mine: int) -> None:
        [(turn,)] = self.rows(f"SELECT turn FROM {self.kind.name}")
        if turn != mine:
            raise PuzzleError(
                f"{self.path}: another process goes on with this {self.kind.name}; stopping"
            )

    def _require_version(self) -> None:
        [(application,)] = self.rows("PRAGMA application_id")
        [(version,)] = self.rows("PRAGMA user_version")
        name, mine, newest, *_ = self.kind
        with place(str(self.path)):
            if application != mine:
                other = f"an SQLite file, but no {name} of kumitate"
                raise PuzzleError(other if self.path.stat().st_size else self._how_to_make())
            if version > newest:
                raise PuzzleError(
                    f"a {name} of version {version}, made by a newer kumitate;"
                    f" this one reads {newest}"
                )
        if version < newest:
            self._migrate()

    def _migrate(self) -> None:
        """Bring an older file up to date, wholly or not at all."""
        with self.transaction():
            [(version,)] = self.rows("PRAGMA user_version")
            for older in range(version, self.kind.version):
                for statement in filter(str.strip, self.kind.migrations[older].split(";")):
                    self.connection.execute(statement)
            self.connection.execute(f"PRAGMA user_version = {self.kind.version}")

    def _complaint(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return (
                f"{error}; all is kept up to the last checkpoint: make room, then go on with"
                f" {self.kind.command} --resume {self.path}"
            )
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return "another program is writing to it; wait until it has finished"
        if code == sqlite3.SQLITE_NOTADB and application_of(self.path) is None:
            return self._how_to_make()
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return f"damaged: {error}"
        return str(error)

    def _how_to_make(self) -> str:
        return f"no {self.kind.name} of kumitate: '{self.kind.made}' makes one"


def create(path: Path, kind: Kind, schema: str, fill: Callable[[sqlite3.Connection], None]) -> None:
    """A new file with these tables and what `fill` puts into them, in place of an older one."""
    if not path.parent.is_dir():
        raise PuzzleError(f"there is no folder {path.parent}; make it first")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    remove(beside)
    try:
        connection = sqlite3.connect(beside, isolation_level=None)
        try:
            connection.execute(f"PRAGMA application_id = {kind.application}")
            connection.execute(f"PRAGMA user_version = {kind.version}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(schema)
            fill(connection)
        finally:
            connection.close()
        remove(path)
        os.replace(beside, path)
    except (sqlite3.Error, OSError) as error:
        remove(beside)
        raise PuzzleError(f"{path}: {error}") from None


def remove(path: Path) -> None:
    """Delete a file with the log that belongs to it, which a new one must not take for its own."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def kumitate_version() -> str:
    from importlib.metadata import version

    return version("kumitate")
