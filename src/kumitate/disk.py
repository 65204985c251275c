"""Files that appear whole or not at all, and never replace another file unless asked to.

A file is written under a temporary name in its folder and renamed once it is on disk. A process
that is killed may leave a temporary file behind; the next write to the folder, an hour or more
later, removes it.
"""

import errno
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kumitate.model.errors import PuzzleError

WINDOWS = os.name == "nt"
PATIENCE = 2.0  # seconds in which a virus scanner, say, lets go of a file
STALE = 3600.0  # seconds; nothing takes that long to write
LITTLE = 65_536  # bytes; a disk with less free space counts as full
FULL = "the disk is full; free some space"
_TEMPORARY = re.compile(r"\.kumitate-[0-9a-f]{16}(-journal|-wal|-shm)?")


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
    """A temporary path to write to; it is renamed at the end, or removed after an error."""
    with file_errors():
        require_folder(path)
        _remove_stale(path.parent)
        beside = path.with_name(f".kumitate-{os.urandom(8).hex()}")
        try:
            beside.touch(exist_ok=False)
            yield beside
            _sync(beside)
            if path.exists():
                os.chmod(beside, stat.S_IMODE(path.stat().st_mode))
            _patiently(lambda: os.replace(beside, path))
            _sync(path.parent)
        except OSError as error:
            if error.errno == errno.ENOSPC and path.is_file():
                raise PuzzleError(f"{FULL} (the old {path.name} is unchanged)") from None
            raise
        finally:
            with suppress(OSError):
                beside.unlink()


def is_full(folder: Path) -> bool:
    """Whether only a lack of space keeps a folder from being written to.

    >>> is_full(Path("/nowhere"))
    False
    """
    from shutil import disk_usage

    try:
        free = disk_usage(folder).free
    except OSError:
        return False
    return os.access(folder, os.W_OK) and free < LITTLE


def require_free(path: Path, force: bool) -> None:
    """Raise a PuzzleError if the folder is missing, or if the file exists and must stay."""
    with file_errors(path):
        exists = path.exists()
    require_folder(path)
    if exists and not force:
        raise PuzzleError(f"{path}: already exists; force=True replaces it")


def require_folder(path: Path) -> None:
    """Raise a PuzzleError if the file's folder does not exist."""
    with file_errors():
        if not path.parent.is_dir():
            raise PuzzleError(f"there is no folder {path.parent}; create it first")


@contextmanager
def file_errors(path: Path | None = None) -> Iterator[None]:
    """Turn an error of the operating system into one line, which begins with the path if given."""
    try:
        yield
    except PuzzleError:
        raise
    except OSError as error:
        full = error.errno == errno.ENOSPC
        reason = FULL if full else (error.strerror or str(error)).lower()
        raise PuzzleError(f"{path}: {reason}" if path else reason) from None
    except ValueError as error:  # a zero byte, half a character
        raise PuzzleError(f"not a valid file name: {error}") from None


def remove(path: Path) -> None:
    """Delete a file, if it is there.

    >>> remove(Path("not here.txt"))
    """
    _patiently(lambda: path.unlink(missing_ok=True))


def _patiently(act: Callable[[], None]) -> None:
    """Try again for a while: Windows neither renames nor deletes what a program has open."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            act()
            return
        except PermissionError:
            if not WINDOWS or time.monotonic() > deadline:
                raise
            time.sleep(PATIENCE / 40)


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk. Windows opens no folders."""
    folder = path.is_dir()
    if folder and WINDOWS:
        return
    handle = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError:
        if not folder:  # some file systems cannot sync those
            raise
    finally:
        os.close(handle)


def _remove_stale(folder: Path) -> None:
    """Remove temporary files that killed processes left behind."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime > STALE:
                        os.unlink(entry)
