"""Files that appear whole or not at all, and never in place of another unless that is wanted."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from kumitate.model.errors import PuzzleError


def put(path: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all: beside its place, then moved there."""
    _require_folder(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise PuzzleError((error.strerror or str(error)).lower()) from None


def require_free(path: Path, force: bool) -> None:
    """Whether a file may be written there: its folder exists, itself only to be replaced."""
    _require_folder(path)
    if path.exists() and not force:
        raise PuzzleError(f"{path}: exists already; --force replaces it")


def _require_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise PuzzleError(f"there is no folder {path.parent}; make it first")
