"""Read rows out of a damaged SQLite file, page by page.

SQLite finds a row by way of other pages, and gives up where one of them is broken. But a row with a
correct checksum is correct wherever it is (sums.py). So we look for rows in every page that looks
like a leaf of a table, in the file and in its log, and trust nothing else:

    leaf    0D .. .. cells(2) .. .. ..  at(2) at(2) ...          ...  cell  cell  cell
    cell    size, key, column types, columns; then, if it is long, the number of the next page
"""

import mmap
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import error as StructError
from struct import unpack, unpack_from
from typing import NamedTuple

from kumitate.store.sums import checksum

Value = None | int | float | str | bytes
Rows = dict[str, list[tuple[Value, ...]]]

_LEAF = 0x0D
_HEADER = 100  # bytes of the file's header, at the beginning of the first page
_LOG_HEADER, _FRAME_HEADER = 32, 24
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # by column type


class _Table(NamedTuple):
    name: str
    types: tuple[str, ...]


def intact_rows(path: Path, schema: str) -> Rows:
    """The intact rows of each table, without their checksums; each key once."""
    tables = _tables(schema)
    found: dict[str, dict[int, tuple[Value, ...]]] = {table.name: {} for table in tables}
    with _Pages(path) as pages:
        free = pages.free()
        for number in range(1, pages.count + 1):
            for key, values in () if number in free else _cells(pages, number):
                for table in tables:
                    row = _row(table, key, values)
                    if row is not None:
                        found[table.name][key] = row
                        break
    return {name: list(rows.values()) for name, rows in found.items()}


def _tables(schema: str) -> list[_Table]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(schema)
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return [
            _Table(name, tuple(row[2] for row in connection.execute(f"PRAGMA table_info({name})")))
            for (name,) in names
        ]
    finally:
        connection.close()


def _row(table: _Table, key: int, values: Sequence[Value]) -> tuple[Value, ...] | None:
    """A cell as a row of this table; None if it is not one."""
    if len(values) != len(table.types):
        return None
    row = [
        float(value) if type(value) is int and kind == "REAL" else value
        for value, kind in zip(values, table.types, strict=True)
    ]
    if row[0] is None:  # SQLite stores the key beside the columns
        row[0] = key
    return tuple(row[:-1]) if checksum(table.name, row[:-1]) == row[-1] else None


# ---- pages ----


class _Pages:
    """The pages of a file, including those that are only in its log so far."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        size = os.fstat(self._file.fileno()).st_size
        self._data: mmap.mmap | bytes = b""
        if size:
            self._data = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        size_given = int.from_bytes(self._data[16:18])
        is_size = 512 <= size_given <= 32768 and not size_given & (size_given - 1)
        self.size = size_given if is_size else 4096
        self._logged = self._read_log(path.with_name(f"{path.name}-wal"))
        self.count = max([-(-size // self.size), *self._logged])

    def __enter__(self) -> "_Pages":
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self._data, mmap.mmap):
            self._data.close()
        self._file.close()

    def _read_log(self, path: Path) -> dict[int, bytes]:
        try:
            log = path.read_bytes()
        except OSError:
            return {}
        pages: dict[int, bytes] = {}
        begun: dict[int, bytes] = {}  # pages of a transaction that is not committed yet
        step = _FRAME_HEADER + self.size
        for at in range(_LOG_HEADER, len(log) - step + 1, step):
            number, ends, salts = unpack_from(">II8s", log, at)
            if salts != log[16:24] or number > (len(log) + len(self._data)) // self.size:
                continue
            begun[number] = log[at + _FRAME_HEADER : at + step]
            if ends:
                pages |= begun
                begun = {}
        return pages

    def free(self) -> set[int]:
        """The pages that are no longer used; they may hold deleted rows."""
        [trunk, amount] = unpack_from(">II", self[1].ljust(_HEADER), 32)
        free: set[int] = set()
        while 0 < trunk <= self.count and trunk not in free:
            page = self[trunk]
            following, leaves = unpack_from(">II", page.ljust(8))
            free |= {trunk, *unpack_from(f">{min(leaves, len(page) // 4 - 2)}I", page, 8)}
            trunk = following
        return free if len(free) == amount else set()

    def __getitem__(self, number: int) -> bytes:
        start = (number - 1) * self.size
        return self._logged.get(number) or self._data[start : start + self.size]


def _cells(pages: _Pages, number: int) -> Iterator[tuple[int, list[Value]]]:
    """The key and the columns of every readable cell of a page."""
    page, start = pages[number], _HEADER if number == 1 else 0
    if len(page) <= start + 8 or page[start] != _LEAF:
        return
    for n in range(min(unpack_from(">H", page, start + 3)[0], len(page) // 4)):
        try:
            [at] = unpack_from(">H", page, start + 8 + 2 * n)
            size, at = _varint(page, at)
            key, at = _varint(page, at)
            yield key, _columns(_payload(pages, page, at, size))
        except (IndexError, ValueError, StructError):
            continue


def _payload(pages: _Pages, page: bytes, at: int, size: int) -> bytes:
    """The bytes of a cell, including overflow pages."""
    usable = pages.size
    if size > usable * pages.count:
        raise ValueError
    most, least = usable - 35, (usable - 12) * 32 // 255 - 23
    if size <= most:
        return page[at : at + size]
    local = least + (size - least) % (usable - 4)
    local = local if local <= most else least
    parts = [page[at : at + local]]
    [following] = unpack_from(">I", page, at + local)
    left = size - local
    while left > 0:
        page = pages[following] if following else b""
        [following] = unpack_from(">I", page)
        parts.append(page[4 : 4 + left])
        left -= usable - 4
    return b"".join(parts)


def _columns(payload: bytes) -> list[Value]:
    end, at = _varint(payload, 0)
    types: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        types.append(kind)
    values: list[Value] = []
    for kind in types:
        size = _INTEGER_BYTES.get(kind, 0) if kind < 12 else (kind - 12) // 2
        size = 8 if kind == 7 else size
        data = payload[at : at + size]
        if len(data) < size or kind in (10, 11):
            raise ValueError
        values.append(_value(kind, data))
        at += size
    return values


def _value(kind: int, data: bytes) -> Value:
    if kind == 0:
        return None
    if kind == 7:
        number: float = unpack(">d", data)[0]
        return number
    if kind < 10:
        return kind - 8 if kind > 7 else int.from_bytes(data, signed=True)
    return data if kind % 2 == 0 else data.decode()


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number in up to nine bytes, and the position after it."""
    number = 0
    for _ in range(8):
        byte = data[at]
        at += 1
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at
    return (number << 8 | data[at]) - (1 << 64 if number >> 55 else 0), at + 1
