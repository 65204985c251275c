"""Files: one module per format, each with `read(data, answers)` and `write(Document)`.

This module has what they share: it opens a file of unknown format safely, and chooses the format to
save in by the file's name. Only the formats that a program uses are imported.
"""

import os
import warnings
import zlib
from pathlib import Path

from kumitate.disk import file_errors, put
from kumitate.files.document import MOST_BYTES, Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Puzzle

SUFFIXES = (".kumitate.json", ".kumitate.json.gz", ".xmpuzzle", ".scad")  # of puzzles
AMBIGUOUS = (".json", ".json.gz", ".scad")  # may hold a puzzle or something else
GZIP = b"\x1f\x8b"
GZIP_BITS = (
    31  # asks zlib for the header of gzip; it has no date, so the same data is the same file
)
MOST_PARTS = 10_000  # members of a gzip file; programs that pack blocks of 64 kB make hundreds
CHUNK = 1 << 16


def read(path: str | os.PathLike[str], answers: bool = True) -> Document:
    """Read a puzzle file: the puzzle, its saved answers, and warnings about what was dropped.

    The format is recognised by the file's content, not by its name.
    """
    path = Path(path)
    with place(str(path)):
        with file_errors():
            if path.exists() and not path.is_file() and not path.is_dir():
                raise PuzzleError("not a file")
            if path.stat().st_size > MOST_BYTES:
                raise PuzzleError(f"larger than {MOST_BYTES // 1_000_000} MB")
            data = path.read_bytes()
        return decode(data, answers)


def decode(data: bytes, answers: bool = True) -> Document:
    """The document in the bytes of a file, which may be compressed with gzip."""
    if data.startswith(GZIP):
        data = _unpack(data)
    data = data.removeprefix(b"\xef\xbb\xbf")
    start = data.lstrip(b" \t\r\n")[:1]
    if start == b"<":
        from kumitate.files import burrtools

        return burrtools.read(data, answers)
    if start == b"{":
        from kumitate.files import json

        return json.read(data, answers)
    if not start:
        raise PuzzleError("the file is empty")
    from kumitate.files import puzzlecad

    if puzzlecad.is_source(data):
        return puzzlecad.read(data, answers)
    raise PuzzleError(
        "not a puzzle file; kumitate reads its own JSON, BurrTools' .xmpuzzle and puzzlecad's .scad"
    )


def load(path: str | os.PathLike[str]) -> Puzzle:
    """Load the puzzle in a file, without its saved answers; anything dropped is a Python warning.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/soma.kumitate.json"
    >>> kumitate.save(kumitate.library["soma"], path)
    >>> kumitate.load(path).title
    'Soma cube'
    """
    document = read(path, answers=False)
    for warning in document.warnings:
        warnings.warn(f"{Path(path).name}: {warning}", stacklevel=2)
    return document.puzzle


def write(document: Document, path: str | os.PathLike[str]) -> list[str]:
    """Save in the format that the file's suffix names; return warnings about anything dropped."""
    path = Path(path)
    with place(str(path)):
        data, lost = encode(document, path.name)
        put(path, data)
    return lost


def encode(document: Document, name: str) -> tuple[bytes, list[str]]:
    """The bytes of a file with this name, and warnings about what its format cannot keep."""
    from kumitate.files import burrtools, json, puzzlecad

    if name.endswith(".xmpuzzle"):
        data, lost = burrtools.write(document)
        return _pack(data), lost
    if name.endswith(".json"):
        return json.write(document), []
    if name.endswith(".json.gz"):
        return _pack(json.write(document)), []
    if name.endswith(".scad"):
        return puzzlecad.write(document)
    raise PuzzleError(
        "unknown kind of file; use .kumitate.json, .json (or .json.gz), .xmpuzzle or .scad;"
        " 'kumitate export' makes meshes and pictures"
    )


def save(puzzle: Puzzle, path: str | os.PathLike[str]) -> None:
    """Save a puzzle; whatever the format cannot keep is a Python warning."""
    for warning in write(Document(puzzle), path):
        warnings.warn(f"{Path(path).name}: {warning}", stacklevel=2)


def _pack(data: bytes) -> bytes:
    return zlib.compress(data, 9, GZIP_BITS)


def _unpack(data: bytes) -> bytes:
    """Decompress gzip data, but never beyond the limit: 300 kB can hold 300 MB."""
    plain, at = bytearray(), 0
    for _ in range(MOST_PARTS):
        if at == len(data):
            return bytes(plain)
        unpacker = zlib.decompressobj(GZIP_BITS)
        while not unpacker.eof:
            chunk = data[at : at + CHUNK]
            if not chunk:
                raise PuzzleError("truncated: the gzip data ends too early")
            at += len(chunk)
            try:
                plain += unpacker.decompress(chunk, MOST_BYTES - len(plain) + 1)
            except zlib.error as error:
                raise PuzzleError(f"damaged gzip data: {error}") from None
            if len(plain) > MOST_BYTES:
                raise PuzzleError(f"unpacks to more than {MOST_BYTES // 1_000_000} MB")
        at -= len(unpacker.unused_data)
    raise PuzzleError(f"gzip data in more than {MOST_PARTS:,} parts; compress it in one go")
