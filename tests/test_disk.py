"""Files appear whole or not at all."""

import errno
import os
import time
from pathlib import Path

import pytest

from kumitate import PuzzleError
from kumitate.disk import STALE, put, remove, require_free


def test_a_name_that_the_folder_cannot_hold_is_reported_in_a_line(tmp_path: Path) -> None:
    longest = tmp_path / ("x" * 255)
    put(longest, b"held")
    assert longest.read_bytes() == b"held"
    with pytest.raises(PuzzleError, match=r"^file name too long$"):
        put(tmp_path / ("x" * 256), b"")
    with pytest.raises(PuzzleError, match=r"x: file name too long$"):
        require_free(tmp_path / ("x" * 256), False)
    assert list(tmp_path.iterdir()) == [longest]


def test_the_disk_has_the_file_before_it_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen, sync, replace = tmp_path / "a", list[str](), os.fsync, os.replace
    path.write_bytes(b"old")

    def note_sync(handle: int) -> None:
        name = os.readlink(f"/proc/self/fd/{handle}")
        seen.append("folder" if name == str(tmp_path) else "file")
        sync(handle)

    def note_replace(source: Path, target: Path) -> None:
        assert (source.read_bytes(), target.read_bytes()) == (b"new", b"old")
        seen.append("replace")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    put(path, b"new")
    assert seen == ["file", "replace", "folder"]


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_disk_that_fails_is_an_error_but_for_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Some file systems cannot write a folder's names to the disk on demand."""

    def fail(handle: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{handle}") == (kind == "folder"):
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    if kind == "folder":
        put(tmp_path / "a", b"new")
        assert (tmp_path / "a").read_bytes() == b"new"
    else:
        with pytest.raises(PuzzleError, match="input/output error"):
            put(tmp_path / "a", b"new")
        assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_beside_a_place_that_is_taken(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(PuzzleError, match=r"^is a directory$"):
        put(tmp_path / "folder", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    put(path, b"one")
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()
    path.chmod(0o600)
    put(path, b"two")
    assert path.stat().st_mode & 0o777 == 0o600


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_what_a_killed_process_left_is_removed_after_a_while(tmp_path: Path) -> None:
    """And is never in the way of another with the same process id."""
    if (child := os.fork()) == 0:
        from kumitate.disk import appearing

        with appearing(tmp_path / "a") as beside:
            beside.write_bytes(b"half of")
            os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    [left] = tmp_path.iterdir()
    put(tmp_path / "a", b"whole")
    assert {path.name for path in tmp_path.iterdir()} == {"a", left.name}
    for name in (".kumitate", ".kumitate-notes", left.name):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - STALE - 9,) * 2)
    put(tmp_path / "a", b"again")
    assert {path.name for path in tmp_path.iterdir()} == {"a", ".kumitate", ".kumitate-notes"}


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match=r"there is no folder .*nowhere; create it first"):
        put(tmp_path / "nowhere" / "a", b"")
    put(tmp_path / "a", b"")
    with pytest.raises(PuzzleError, match="a: already exists; force=True replaces it"):
        require_free(tmp_path / "a", False)
    require_free(tmp_path / "a", True)


@pytest.mark.parametrize("refusals", [2, 10**6])
def test_windows_waits_for_programs_that_have_the_old_file_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: int
) -> None:
    """Not run on Windows yet: here the renaming is what refuses."""
    left, replace, path = [refusals], os.replace, tmp_path / "a"
    path.write_bytes(b"old")

    def busy(source: Path, target: Path) -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(errno.EACCES, "Access is denied", str(source), None, str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", busy)
    monkeypatch.setattr("kumitate.disk.WINDOWS", True)
    monkeypatch.setattr("kumitate.disk.PATIENCE", 0.1)
    if refusals == 2:
        put(path, b"new")
        assert path.read_bytes() == b"new"
    else:
        with pytest.raises(PuzzleError, match="access is denied"):
            put(path, b"new")
        assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_windows_waits_for_programs_that_have_a_file_open_to_delete_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, unlink, path = [2], Path.unlink, tmp_path / "a"
    path.touch()

    def busy(file: Path, missing_ok: bool = False) -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(errno.EACCES, "Access is denied", str(file))
        unlink(file, missing_ok)

    monkeypatch.setattr(Path, "unlink", busy)
    monkeypatch.setattr("kumitate.disk.PATIENCE", 0.1)
    with pytest.raises(PermissionError):
        remove(path)
    monkeypatch.setattr("kumitate.disk.WINDOWS", True)
    remove(path)
    assert not path.exists()
    remove(path)
