"""Files that appear whole or not at all, and never in place of another unless that is wanted.

A file is written beside its place, under a name of its own, and moved there once the disk has it.
A process that is killed may leave such a file behind; whoever writes to the folder an hour later
removes it.
"""

import errno
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from kumitate.model.errors import PuzzleError

STALE = 3600.0  # seconds; nothing takes that long to write
LITTLE = 65_536  # bytes; a disk with less room is full
FULL = "the disk is full; make room"
_BESIDE = re.compile(r"\.kumitate-[0-9a-f]{16}(-journal|-wal|-shm)?")


def put(path: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "new.txt"
    >>> put(path, b"all of it")
    >>> path.read_bytes(), len(list(path.parent.iterdir()))
    (b'all of it', 1)
    """
    with appearing(path) as beside:
        beside.write_bytes(data)


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """Where to write a file, which is moved to its place at the end; after an error it is gone."""
    with file_errors():
        require_folder(path)
        _remove_stale(path.parent)
        beside = path.with_name(f".kumitate-{token_hex(8)}")
        try:
            beside.touch(exist_ok=False)
            yield beside
            _sync(beside)
            if path.exists():
                shutil.copymode(path, beside)
            os.replace(beside, path)
            _sync(path.parent)
        except OSError as error:
            if error.errno == errno.ENOSPC and path.is_file():
                raise PuzzleError(f"{FULL} (the old {path.name} stays as it was)") from None
            raise
        finally:
            with suppress(OSError):
                beside.unlink()


def is_full(folder: Path) -> bool:
    """Whether a folder could be written to if its disk had room.

    >>> is_full(Path("/nowhere"))
    False
    """
    try:
        told = os.statvfs(folder)
    except OSError:
        return False
    return os.access(folder, os.W_OK) and told.f_bavail * told.f_frsize < LITTLE


def require_free(path: Path, force: bool) -> None:
    """Refuse a place where no file can be written, or where there is one that is to stay."""
    with file_errors(path):
        exists = path.exists()
    require_folder(path)
    if exists and not force:
        raise PuzzleError(f"{path}: exists already; --force replaces it")


def require_folder(path: Path) -> None:
    """Refuse a file whose folder is not there."""
    with file_errors():
        if not path.parent.is_dir():
            raise PuzzleError(f"there is no folder {path.parent}; make it first")


@contextmanager
def file_errors(path: Path | None = None) -> Iterator[None]:
    """What the system refuses becomes one line, which begins with the file if that is given."""
    try:
        yield
    except PuzzleError:
        raise
    except OSError as error:
        full = error.errno == errno.ENOSPC
        reason = FULL if full else (error.strerror or str(error)).lower()
        raise PuzzleError(f"{path}: {reason}" if path else reason) from None
    except ValueError as error:  # a zero byte, half a character
        raise PuzzleError(f"no name for a file: {error}") from None


def _sync(path: Path) -> None:
    """Wait until the disk has it; a folder's names too."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        if not path.is_dir():  # some file systems cannot do that for folders
            raise
    finally:
        os.close(handle)


def _remove_stale(folder: Path) -> None:
    """Remove what a killed process left behind."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if _BESIDE.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime > STALE:
                        os.unlink(entry)
