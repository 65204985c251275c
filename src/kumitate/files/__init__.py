"""Files: one module a format, each with `read(bytes) -> Document` and `write(Document)`.

Here is what they share: opening a file of unknown kind safely, and saving by the file's name.
"""

import gzip
import os
import warnings
import zlib
from pathlib import Path

from kumitate.disk import put
from kumitate.files import burrtools, json, puzzlecad
from kumitate.files.document import MOST_BYTES, Document, place
from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Puzzle

GZIP = b"\x1f\x8b"


def read(path: str | os.PathLike[str], answers: bool = True) -> Document:
    """The puzzle in a file, with the answers saved in it and what could not be kept.

    The kind of file is told by its content, not by its name.
    """
    path = Path(path)
    with place(str(path)):
        try:
            if path.exists() and not path.is_file() and not path.is_dir():
                raise PuzzleError("not a file")
            if path.stat().st_size > MOST_BYTES:
                raise PuzzleError(f"larger than {MOST_BYTES // 1_000_000} MB")
            data = path.read_bytes()
        except OSError as error:
            raise PuzzleError((error.strerror or str(error)).lower()) from None
        return decode(data, answers)


def decode(data: bytes, answers: bool = True) -> Document:
    """The document in the bytes of a file, packed by gzip or not."""
    if data.startswith(GZIP):
        data = _unpack(data)
    data = data.removeprefix(b"\xef\xbb\xbf")
    start = data.lstrip(b" \t\r\n")[:1]
    if start == b"<":
        return burrtools.read(data, answers)
    if start == b"{":
        return json.read(data, answers)
    if not start:
        raise PuzzleError("the file is empty")
    if puzzlecad.is_source(data):
        return puzzlecad.read(data, answers)
    raise PuzzleError(
        "neither a kumitate puzzle (JSON) nor one of BurrTools (.xmpuzzle) or puzzlecad (.scad)"
    )


def load(path: str | os.PathLike[str]) -> Puzzle:
    """The puzzle in a file, without answers; what else it cannot hold is told as Python warnings.

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
    """Save in the format that the name asks for; returns what that format cannot keep."""
    path = Path(path)
    with place(str(path)):
        data, lost = encode(document, path.name)
        put(path, data)
    return lost


def encode(document: Document, name: str) -> tuple[bytes, list[str]]:
    """The bytes of a file of this name, and what its format cannot keep."""
    if name.endswith(".xmpuzzle"):
        data, lost = burrtools.write(document)
        return gzip.compress(data, mtime=0), lost
    if name.endswith(".json"):
        return json.write(document), []
    if name.endswith(".json.gz"):
        return gzip.compress(json.write(document), mtime=0), []
    if name.endswith(".scad"):
        return puzzlecad.write(document)
    raise PuzzleError(
        "unknown kind of file; use .kumitate.json, .kumitate.json.gz, .xmpuzzle or .scad"
    )


def save(puzzle: Puzzle, path: str | os.PathLike[str]) -> None:
    """Save a puzzle; what the format cannot keep is told as Python warnings."""
    for warning in write(Document(puzzle), path):
        warnings.warn(f"{Path(path).name}: {warning}", stacklevel=2)


def _unpack(data: bytes) -> bytes:
    """Undo gzip, but never beyond the limit: 300 kB can hold 300 MB."""
    plain = b""
    while data:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            plain += unpacker.decompress(data, MOST_BYTES - len(plain) + 1)
        except zlib.error as error:
            raise PuzzleError(f"damaged gzip: {error}") from None
        if len(plain) > MOST_BYTES:
            raise PuzzleError(f"unpacks to more than {MOST_BYTES // 1_000_000} MB")
        if not unpacker.eof:
            raise PuzzleError("truncated: the gzip data ends too early")
        data = unpacker.unused_data  # gzip may come in several parts
    return plain
