"""Checksums: every row of a store ends with one, so that a damaged row is never taken for a whole.

The sum is over the table's name and all columns, the key among them. So a row is right wherever it
is found: in its table, or in a page that nothing points to any more. What a sum cannot show is that
a row is missing; for that every table is counted in another row.
"""

from collections.abc import Sequence
from zlib import crc32

import msgspec

_encode = msgspec.msgpack.Encoder().encode


def checksum(table: str, row: Sequence[object]) -> int:
    """Of a row, without the column for the sum itself.

    >>> checksum("tally", ("1.2", 31)) == checksum("tally", ("1.2", 31.0))
    False
    """
    return crc32(_encode((table, *row)))


def sealed(table: str, row: Sequence[object]) -> tuple[object, ...]:
    """A row as it is written, with its sum."""
    return (*row, checksum(table, row))
