"""What kumitate's files in SQLite share, whatever their tables.

Such a file appears whole or not at all, is opened only if it is of the right kind and version, and
changes by transactions. Every row ends with a checksum (sums.py), and is checked when it is read.
Whoever begins to write takes a turn; a process that finds another turn than its own stops, and so
does one whose file was deleted or replaced. Whatever SQLite complains about becomes one line with
the way out.
"""

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from kumitate.disk import appearing, file_errors, is_full
from kumitate.files import GZIP
from kumitate.files.document import place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import LARGEST
from kumitate.store.sums import checksum, sealed

MAGIC = b"SQLite format 3\0"
PATIENCE = 30.0  # seconds to wait while somebody else writes
_HEAD = 72  # bytes of the header, up to the application id
_LOOK = 4096  # bytes that show what a file is
_NOT_AS_WRITTEN = "parts of it are not as they were written"
_LOGS = ("-wal", "-shm", "-journal")  # what SQLite writes beside a file


class Kind(NamedTuple):
    """What a file holds, and how one is made and resumed.

    Two tables have one row each: the one named like the kind says what was asked, `checkpoint` how
    far the work is. The last column of every table is `sum`.
    """

    name: str  # "run"
    application: int
    version: int
    schema: str
    answers: tuple[str, ...]  # the tables of what was found
    command: str  # "kumitate solve", with --output and --resume
    made: str  # "kumitate solve PUZZLE --output FILE"


def application_of(path: str | os.PathLike[str]) -> int | None:
    """The application id in the file's header; None if the file is not SQLite.

    Not for a file that this process has open: to close a file, however it was opened, gives up all
    locks that the process holds on it, and SQLite would take it for one that nobody uses.
    """
    head = _head(path, _HEAD)
    return int.from_bytes(head[-4:]) if head.startswith(MAGIC) and len(head) == _HEAD else None


def is_broken(path: str | os.PathLike[str]) -> bool:
    """Whether a file is named like one of ours, but begins like nothing that is ever so named."""
    head = _head(path, _LOOK)
    ours = Path(path).suffix.lower() == ".kumitate" and application_of(path) is None
    return ours and not head.startswith(GZIP) and not _is_text(head)


def _head(path: str | os.PathLike[str], size: int) -> bytes:
    """How a file begins; nothing of what is no file, such as a pipe, which may never begin."""
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
        return error.end == len(data) == _LOOK  # only cut off
    return b"\0" not in data


class Database:
    """A file of one kind, open to be read and written."""

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
                self.require_place()
            except BaseException:
                self.connection.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        """To write if that is possible, else to read.

        Beside a file in WAL mode SQLite writes two others, so in a read-only folder, or where there
        is no room for them, it must be told that nobody changes the file.
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
                    f"{self.path}: not readable in a read-only folder, since {log} belongs to"
                    " it; copy both to a folder where you may write"
                ) from None
            connection = _open(f"{address}?immutable=1")
        return connection

    def _log(self) -> str | None:
        """The name of the file beside this one that has a part of it, if there is one."""
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
        """Rows of a table as they were written, without their sums; a damaged one is an error."""
        with self.sqlite_errors():
            for row in self.connection.execute(f"SELECT * FROM {table} {which}", values):
                fields = row[:-1]
                if checksum(table, fields) != row[-1]:
                    raise self.damaged(f"a row of table {table} was changed")
                yield fields

    def only_row(self, table: str) -> tuple[Any, ...]:
        """The row of a table that has one."""
        rows = list(self.intact(table))
        if len(rows) != 1:
            raise self.damaged(f"table {table} has {len(rows)} rows, not 1")
        return rows[0]

    def require_sound(self) -> None:
        """Refuse a file in which SQLite finds a fault, before more is written into it."""
        [(told,), *_] = self.rows("PRAGMA integrity_check(1)")
        if told != "ok":
            raise self.damaged(_NOT_AS_WRITTEN)

    def damaged(self, what: str) -> PuzzleError:
        """What to raise when the file is not as it was written."""
        from kumitate.store.recover import way_out

        return PuzzleError(f"{self.path}: damaged: {what}; {way_out(self.path)}")

    @contextmanager
    def sqlite_errors(self) -> Iterator[None]:
        """Whatever SQLite complains about becomes one line with the way out."""
        try:
            yield
        except UnicodeDecodeError:
            raise self.damaged("text that is not UTF-8") from None
        except OverflowError:
            raise PuzzleError(f"{self.path}: numbers go up to {LARGEST:,}") from None
        except sqlite3.ProgrammingError:
            raise  # our own slip
        except sqlite3.Error as error:
            raise self._complaint(error) from None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is read inside is of one moment."""
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
        """What is written inside is there wholly or not at all."""
        with self.sqlite_errors():
            self.connection.execute("PRAGMA synchronous = FULL")
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
        self.require_place()

    def write(self, table: str, rows: Iterable[Sequence[object]]) -> None:
        """Add rows, each with its sum."""
        _write(self.connection, table, rows)

    def write_checkpoint(self, row: Sequence[object]) -> None:
        self.connection.execute("DELETE FROM checkpoint")
        self.write("checkpoint", [row])

    def require_turn(self, turn: int, mine: int) -> None:
        if turn != mine:
            raise PuzzleError(
                f"{self.path}: another process goes on with this {self.kind.name}; stopping"
            )

    def require_place(self) -> None:
        """Refuse to go on with a file that is no longer at its place."""
        try:
            same = _identity(self.path) == self._identity
        except OSError:
            same = False
        if not same:
            raise PuzzleError(
                f"{self.path}: deleted or replaced while it was in use; stopping, since nothing"
                " more can be kept there"
            )

    def _require_version(self) -> None:
        [(application,)] = self.rows("PRAGMA application_id")
        [(version,)] = self.rows("PRAGMA user_version")
        name, mine, readable, *_ = self.kind
        with place(str(self.path)):
            if application != mine:
                other = f"not a kumitate {name}, but another SQLite file"
                raise PuzzleError(other if self.path.stat().st_size else self._how_to_make())
            if version != readable:
                raise PuzzleError(
                    f"a {name} of version {version}, made by another kumitate;"
                    f" this one reads {readable}"
                )

    def _complaint(self, error: sqlite3.Error) -> PuzzleError:
        code = _code(error)
        full = _is_full(error, self.path)
        if full or code == sqlite3.SQLITE_IOERR:
            log = self._log()
            told = (
                f"the disk is full{'' if full else f' or fails ({error})'}; all is kept up to the"
                f" last checkpoint{f' ({log} belongs to it)' if log else ''}: make room, then go on"
                f" with {self.kind.command} --resume {self.path}"
            )
        elif code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            told = "another program is writing to it; wait until it has finished"
        elif code == sqlite3.SQLITE_READONLY:
            told = "it is read-only; copy it to a folder where you may write"
        elif code == sqlite3.SQLITE_NOTADB and not is_broken(self.path):
            told = self._how_to_make()
        elif code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
            told = str(error)
        else:
            return self.damaged(_NOT_AS_WRITTEN)
        return PuzzleError(f"{self.path}: {told}")

    def _how_to_make(self) -> str:
        return f"not a kumitate {self.kind.name}: '{self.kind.made}' makes one"


def create(path: Path, kind: Kind, rows: Iterable[tuple[str, Sequence[object]]]) -> None:
    """A new file with these rows of tables; an older one stays until the new one stands."""
    with place(str(path)):
        for log in _LOGS:
            with file_errors():
                path.with_name(path.name + log).exists()  # refuses a name too long for its logs
        try:
            with appearing(path) as beside:
                try:
                    _fill(beside, kind, rows)
                    _settle(path)
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
        connection.execute("PRAGMA journal_mode = WAL")  # of what comes later
    finally:
        connection.close()


def _settle(path: Path) -> None:
    """Make a file that is to be replaced whole without its logs, and remove them.

    A new file must not take the logs of an older one for its own.
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
    """Delete a file with the logs that belong to it, which a new one must not take for its own."""
    for log in ("", *_LOGS):
        path.with_name(path.name + log).unlink(missing_ok=True)


def _write(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[object]]) -> None:
    whole = [sealed(table, row) for row in rows]
    if whole:
        marks = ",".join("?" * len(whole[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", whole)


def _open(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True)


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_full(error: sqlite3.Error, path: Path) -> bool:
    """Whether the disk has no room, which SQLite also calls an I/O error or, later, read-only."""
    code = _code(error)
    perhaps = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
    return code == sqlite3.SQLITE_FULL or (code in perhaps and is_full(path.parent))


def _identity(path: Path) -> tuple[int, int]:
    told = path.stat()
    return told.st_dev, told.st_ino


def kumitate_version() -> str:
    from importlib.metadata import version

    return version("kumitate")
