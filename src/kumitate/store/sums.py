"""Checksums: every row of a store ends with one, so that a damaged row is never taken for intact.

The sum covers the table's name and all columns, including the key. So a row can be trusted wherever
it is found: in its table, or in a page that nothing points to any more. A sum cannot show that a
row is missing; for that, the number of rows of every table is kept in another row.
"""

from collections.abc import Sequence
from zlib import crc32

import msgspec

_encode = msgspec.msgpack.Encoder().encode


def checksum(table: str, row: Sequence[object]) -> int:
    """The checksum of a row, without the column for the sum itself.

    >>> checksum("tally", ("1.2", 31)) == checksum("tally", ("1.2", 31.0))
    False
    """
    return crc32(_encode((table, *row)))


def sealed(table: str, row: Sequence[object]) -> tuple[object, ...]:
    """A row as it is written: with its checksum."""
    return (*row, checksum(table, row))
