"""What all SQLite files of kumitate share, whatever their tables.

A file appears whole or not at all, opens only if its kind and version are right, and changes only
in transactions. Every row ends with a checksum (sums.py), which is verified on reading. A writer
takes a turn number when it begins; a writer that finds a later turn in the file stops, and so does
one whose file was deleted or replaced. Every SQLite error becomes one line with the way out.
"""

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from kumitate import disk
from kumitate.disk import appearing, file_errors, is_full
from kumitate.files import GZIP
from kumitate.files.document import place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST
from kumitate.store.sums import checksum, sealed

MAGIC = b"SQLite format 3\0"
LOCK_SECONDS = 30.0  # how long to wait while another process writes
_HEADER = 72  # bytes, up to the application id
_SNIFF = 4096  # bytes from which to recognise a file
_NOT_AS_WRITTEN = "parts of it are not as they were written"
_LOGS = ("-wal", "-shm", "-journal")  # suffixes of the files that SQLite writes beside a database


class Kind(NamedTuple):
    """A kind of file: its tables, and the commands that make and resume one.

    Two tables have one row each: the table with the kind's name has the question, and `checkpoint`
    has how far the work is. The last column of every table is `sum`.
    """

    name: str  # "run"
    application: int
    version: int
    schema: str
    answers: tuple[str, ...]  # the tables of results
    command: str  # "kumitate solve", which takes --output and --resume
    made: str  # "'kumitate solve PUZZLE --output FILE'"
    older: tuple[int, ...] = ()  # versions that can be read, too


def application_of(path: str | os.PathLike[str]) -> int | None:
    """The application id in the file's header; None if the file is not SQLite.

    Do not call this for a file that this process has open in SQLite: closing any handle of a file
    drops all locks that the process holds on it.
    """
    head = _head(path, _HEADER)
    return int.from_bytes(head[-4:]) if head.startswith(MAGIC) and len(head) == _HEADER else None


def is_broken(path: str | os.PathLike[str]) -> bool:
    """Whether a file has our suffix, but is neither SQLite nor a text or gzip file."""
    head = _head(path, _SNIFF)
    ours = Path(path).suffix.lower() == ".kumitate" and application_of(path) is None
    return ours and not head.startswith(GZIP) and not _is_text(head)


def _head(path: str | os.PathLike[str], size: int) -> bytes:
    """The first bytes of a file; none if it is not a regular file, as reading a pipe may hang."""
    try:
        if not Path(path).is_file():
            return b""
        with open(path, "rb") as file:
            return file.read(size)
    except (OSError, ValueError):
        return b""


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.end == len(data) == _SNIFF  # a character was only cut off
    return b"\0" not in data


class Database:
    """A file of one kind, open for reading and writing."""

    def __init__(self, path: Path, kind: Kind) -> None:
        self.path = path
        self.kind = kind
        with file_errors(path):
            if not path.is_file():
                raise PuzzleError(f"{path}: no such file")
            self._identity = _identity(path)
        with self.sqlite_errors():
            self.connection = self._connect()
            try:
                self._require_version()
                self.require_same_file()
            except BaseException:
                self.connection.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        """Open for writing if possible, else for reading only.

        In WAL mode SQLite writes two more files beside the database. Where it cannot, because the
        folder is read-only or the disk is full, we open the file as immutable.
        """
        address = self.path.absolute().as_uri()
        connection = _open(f"{address}?mode=rw")
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchall()
        except sqlite3.OperationalError as error:
            connection.close()
            full = _is_full(error, self.path)
            if not full and _code(error) not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                raise
            if log := self._log():
                if full:
                    raise
                raise PuzzleError(
                    f"{self.path}: not readable in a read-only folder, since {log} is part of"
                    " it; copy both to a folder where you may write"
                ) from None
            connection = _open(f"{address}?immutable=1")
        return connection

    def _log(self) -> str | None:
        """The name of the write-ahead log beside the file, if it has data."""
        log = self.path.with_name(f"{self.path.name}-wal")
        return log.name if log.exists() and log.stat().st_size else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    # ---- reading ----

    def rows(self, query: str, *values: object) -> list[Any]:
        with self.sqlite_errors():
            return self.connection.execute(query, values).fetchall()

    def intact(self, table: str, which: str = "", *values: object) -> Iterator[tuple[Any, ...]]:
        """Rows of a table, without their checksums; a damaged row is an error."""
        with self.sqlite_errors():
            for row in self.connection.execute(f"SELECT * FROM {table} {which}", values):
                fields = row[:-1]
                if checksum(table, fields) != row[-1]:
                    raise self.damaged(f"a row of table {table} was changed")
                yield fields

    def only_row(self, table: str) -> tuple[Any, ...]:
        """The row of a table that has exactly one."""
        rows = list(self.intact(table))
        if len(rows) != 1:
            raise self.damaged(f"table {table} has {len(rows)} rows, not 1")
        return rows[0]

    def require_sound(self) -> None:
        """Raise a PuzzleError if SQLite finds a fault, before anything more is written."""
        [(verdict,), *_] = self.rows("PRAGMA integrity_check(1)")
        if verdict != "ok":
            raise self.damaged(_NOT_AS_WRITTEN)

    def damaged(self, what: str) -> PuzzleError:
        """The error to raise when the file is damaged, with what can be recovered."""
        from kumitate.store.recover import way_out

        return PuzzleError(f"{self.path}: damaged: {what}; {way_out(self.path)}")

    @contextmanager
    def sqlite_errors(self) -> Iterator[None]:
        """Turn every SQLite error into one line with the way out."""
        try:
            yield
        except UnicodeDecodeError:
            raise self.damaged("text that is not UTF-8") from None
        except OverflowError:
            raise PuzzleError(f"{self.path}: numbers go up to {LARGEST:,}") from None
        except sqlite3.ProgrammingError:
            raise  # a bug of ours
        except sqlite3.Error as error:
            raise self._puzzle_error(error) from None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read inside comes from one consistent snapshot."""
        with self.sqlite_errors():
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    # ---- writing ----

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything written inside is committed together or not at all."""
        with self.sqlite_errors():
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
        self.require_same_file()

    def write(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Add rows, each with its checksum."""
        _write(self.connection, table, rows)

    def write_checkpoint(self, row: Sequence[object]) -> None:
        self.connection.execute("DELETE FROM checkpoint")
        self.write("checkpoint", [row])

    def require_turn(self, turn: int, mine: int) -> None:
        if turn != mine:
            raise PuzzleError(
                f"{self.path}: another process has resumed this {self.kind.name}; stopping"
            )

    def require_same_file(self) -> None:
        """Raise a PuzzleError if the file was deleted or replaced since it was opened."""
        try:
            same = _identity(self.path) == self._identity
        except OSError:
            same = False
        if not same:
            raise PuzzleError(
                f"{self.path}: deleted or replaced while it was in use; stopping, since nothing"
                " more can be saved there"
            )

    def _require_version(self) -> None:
        [(application,)] = self.rows("PRAGMA application_id")
        [(version,)] = self.rows("PRAGMA user_version")
        self.version: int = version
        name, readable = self.kind.name, self.kind.version
        with place(str(self.path)):
            if application != self.kind.application:
                other = f"not a kumitate {name}, but another SQLite file"
                raise PuzzleError(other if self.path.stat().st_size else self._how_to_make())
            if version not in (readable, *self.kind.older):
                raise PuzzleError(
                    f"a {name} of version {version}, made by another version of kumitate;"
                    f" this one reads {readable}"
                )

    def _puzzle_error(self, error: sqlite3.Error) -> PuzzleError:
        code = _code(error)
        full = _is_full(error, self.path)
        if full or code == sqlite3.SQLITE_IOERR:
            log = self._log()
            reason = (
                f"the disk is full{'' if full else f' or failing ({error})'}; everything up to the"
                f" last checkpoint is kept{f' ({log} is part of it)' if log else ''}: free some"
                f" space, then resume with {self.kind.command} --resume {self.path}"
            )
        elif code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            reason = "another program is writing to it; wait until it has finished"
        elif code == sqlite3.SQLITE_READONLY:
            reason = "it is read-only; copy it to a folder where you may write"
        elif code == sqlite3.SQLITE_NOTADB and not is_broken(self.path):
            reason = self._how_to_make()
        elif code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
            reason = str(error)
        else:
            return self.damaged(_NOT_AS_WRITTEN)
        return PuzzleError(f"{self.path}: {reason}")

    def _how_to_make(self) -> str:
        return f"not a kumitate {self.kind.name}: {self.kind.made} makes one"


def create(path: Path, kind: Kind, rows: Iterable[tuple[str, Sequence[object]]]) -> None:
    """Create a file with these rows; an older file stays until the new one is complete."""
    with place(str(path)):
        for log in _LOGS:
            with file_errors():
                path.with_name(path.name + log).exists()  # raises if the log's name is too long
        try:
            with appearing(path) as beside:
                try:
                    _fill(beside, kind, rows)
                    _remove_logs(path)
                except sqlite3.Error as error:
                    if _is_full(error, path):
                        raise OSError(errno.ENOSPC, str(error)) from None
                    raise
        except sqlite3.Error as error:
            raise PuzzleError(str(error)) from None


def _fill(path: Path, kind: Kind, rows: Iterable[tuple[str, Sequence[object]]]) -> None:
    connection = _open(path.absolute().as_uri())
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN")
        connection.execute(f"PRAGMA application_id = {kind.application}")
        connection.execute(f"PRAGMA user_version = {kind.version}")
        for statement in filter(str.strip, kind.schema.split(";")):
            connection.execute(statement)
        for table, row in rows:
            _write(connection, table, [row])
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")  # for later writes
    finally:
        connection.close()


def _remove_logs(path: Path) -> None:
    """Merge the logs of a file that is about to be replaced into it, then remove them.

    A new file must not pick up the logs of an older one.
    """
    if path.exists() and application_of(path) is not None:
        connection = _open(path.absolute().as_uri())
        try:
            [(busy, *_)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.DatabaseError as error:
            busy = _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if _code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                raise
        finally:
            connection.close()
        if busy:
            raise PuzzleError("another program is using it; wait until it has finished")
    for log in _LOGS:
        path.with_name(path.name + log).unlink(missing_ok=True)


def remove(path: Path) -> None:
    """Delete a file with its logs, so that a new file does not pick them up."""
    for log in ("", *_LOGS):
        disk.remove(path.with_name(path.name + log))


def _write(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[object]]) -> None:
    whole = [sealed(table, row) for row in rows]
    if whole:
        marks = ",".join("?" * len(whole[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", whole)


def _open(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, timeout=LOCK_SECONDS, isolation_level=None, uri=True)


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_full(error: sqlite3.Error, path: Path) -> bool:
    """Whether the disk is full, which SQLite may also report as an I/O error or as read-only."""
    code = _code(error)
    perhaps = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
    return code == sqlite3.SQLITE_FULL or (code in perhaps and is_full(path.parent))


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def kumitate_version() -> str:
    from importlib.metadata import version

    return version("kumitate")
