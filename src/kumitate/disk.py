"""Files that appear whole or not at all, and never in place of another unless that is wanted."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kumitate.model.errors import PuzzleError


@contextmanager
def file_errors() -> Iterator[None]:
    """What the system says of a path, whatever is wrong with it, as a PuzzleError."""
    try:
        yield
    except PuzzleError:
        raise
    except OSError as error:
        raise PuzzleError((error.strerror or str(error)).lower()) from None
    except ValueError as error:  # a zero byte, half a character
        raise PuzzleError(f"no name for a file: {error}") from None


def put(path: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all: beside its place, then moved there."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with file_errors():
        _require_folder(path)
        try:
            with open(beside, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, beside)
            os.replace(beside, path)
        except OSError:
            with suppress(OSError):
                beside.unlink()
            raise


def require_free(path: Path, force: bool) -> None:
    """Whether a file may be written there: its folder exists, itself only to be replaced."""
    with file_errors():
        _require_folder(path)
        if path.exists() and not force:
            raise PuzzleError(f"{path}: exists already; --force replaces it")


def _require_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise PuzzleError(f"there is no folder {path.parent}; make it first")
