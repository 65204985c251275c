"""Whatever a path leads to, reading and writing end in one line that names it."""

import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

import kumitate
from kumitate import Document, PuzzleError, files

SOMA = Document(kumitate.library["soma"])
NAMES = {
    "a name of 300 bytes": f"{'a' * 300}.kumitate.json",
    "a folder of 300 bytes": f"{'a' * 300}/soma.kumitate.json",
    "a zero byte": "so\0ma.kumitate.json",
    "half a character": "\ud800.kumitate.json",
    "a file as a folder": "file/soma.kumitate.json",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_an_impossible_name_is_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    path = f"{tmp_path}/{name}"
    for attempt in (lambda: kumitate.read(path), lambda: kumitate.write(SOMA, path)):
        with pytest.raises(PuzzleError) as caught:
            attempt()
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A folder without permissions; root becomes the user nobody for a while."""
    folder = tmp_path / "locked"
    folder.mkdir()
    for above in (tmp_path, *tmp_path.parents[:3]):
        if above.stat().st_uid == os.getuid() and above != Path("/tmp"):
            above.chmod(0o755)
    folder.chmod(0)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o700)


@pytest.mark.skipif(os.name != "posix", reason="folders are locked by their mode")
def test_a_folder_that_may_not_be_entered_is_one_line(locked: Path) -> None:
    path = locked / "folder" / "soma.kumitate.json"
    for attempt in (lambda: kumitate.read(path), lambda: kumitate.write(SOMA, path)):
        with pytest.raises(PuzzleError) as caught:
            attempt()
        assert str(caught.value) == f"{path}: permission denied"


def test_many_parts_of_gzip_take_no_more_than_their_length() -> None:
    text = files.encode(SOMA, "soma.json")[0]
    cut = [text[n : n + 10] for n in range(0, len(text), 10)]
    assert files.decode(b"".join(map(gzip.compress, cut))) == SOMA

    def seconds(parts: int) -> float:
        data = gzip.compress(b"") * parts
        start = process_time()
        with pytest.raises(PuzzleError):
            files.decode(data)
        return process_time() - start

    few, many = min(seconds(9_000) for _ in range(3)), seconds(700_000)
    assert many < 10 * few + 0.1
