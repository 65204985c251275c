"""A full disk: it is called that, what stands stays readable, and the message says what to do."""

from contextlib import suppress
from pathlib import Path

import pytest
from tests.test_safety import CUBE, SOMA, disk

import kumitate
from kumitate import PuzzleError, open_run, store
from kumitate.disk import put
from kumitate.jobs.design import design_into
from kumitate.model.wish import Wish

KEPT = "everything up to the last checkpoint is kept"


def fill(folder: Path) -> None:
    """Leave no room for a single byte."""
    with (folder / "filler").open("wb", 0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def replace_on_a_full_disk(path: Path) -> None:
    kumitate.solve_into(path, SOMA)
    fill(path.parent)
    kumitate.solve_into(path, CUBE)


def test_a_full_disk_is_called_full_whatever_sqlite_calls_it(tmp_path: Path) -> None:
    """With room for the run, but none for what SQLite shares between readers, it says I/O error."""
    said = set()
    for size in range(32, 200, 16):
        folder = tmp_path / str(size)
        path = folder / "run.kumitate"
        with disk(folder, f"{size}k"):
            with pytest.raises(PuzzleError) as error:
                replace_on_a_full_disk(path)
            line = str(error.value).removeprefix(f"{path}: ")
            assert line.startswith("the disk is full; ")
            said.add(line.replace(str(path), "RUN"))
            beside = {file.name for file in folder.iterdir()} - {"filler", path.name}
            if any((folder / name).stat().st_size for name in beside if name.endswith("-wal")):
                assert "run.kumitate-wal" in line
    resume = "free some space, then resume with kumitate solve --resume RUN"
    assert "the disk is full; free some space" in said
    assert "the disk is full; free some space (the old run.kumitate is unchanged)" in said
    assert f"the disk is full; {KEPT}: {resume}" in said


def test_a_run_on_a_full_disk_can_be_read_but_not_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    path = folder / "run.kumitate"
    with disk(folder, "200k"):
        kumitate.solve_into(path, SOMA, limit=100)
        fill(folder)
        with open_run(path) as run:
            run.verify()
            assert (run.summary().assemblies, len(run.page(1, 1000))) == (100, 100)
        with pytest.raises(PuzzleError, match=f"the disk is full; {KEPT}.*: free some space, then"):
            kumitate.resume(path, limit=200)
        (folder / "filler").unlink()
        assert kumitate.resume(path, limit=200).assemblies == 200
        assert {file.name for file in folder.iterdir()} == {path.name}


def test_a_run_that_cannot_be_replaced_stays_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    path = folder / "run.kumitate"
    with disk(folder, "200k"):
        kumitate.solve_into(path, SOMA)
        before = path.read_bytes()
        fill(folder)
        with pytest.raises(
            PuzzleError, match=r"full; free some space \(the old run.kumitate is unchanged"
        ):
            kumitate.solve_into(path, CUBE)
        assert path.read_bytes() == before
        assert {file.name for file in folder.iterdir()} == {path.name, "filler"}
        with pytest.raises(
            PuzzleError, match=r"full; free some space \(the old run.kumitate is unchanged"
        ):
            put(path, bytes(50_000))
        with pytest.raises(PuzzleError, match=r"^the disk is full; free some space$"):
            put(folder / "new", bytes(50_000))
        assert path.read_bytes() == before


def test_a_design_on_a_full_disk_keeps_what_was_written(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    path = folder / "cubes.kumitate"
    with disk(folder, "160k"):
        with pytest.raises(PuzzleError, match=f"the disk is full; {KEPT}.* kumitate design --resu"):
            design_into(path, "4x4x4", Wish(pieces=3, holes=(0, 8)), seconds=60, checkpoint=0)
        with store.open_collection(path) as collection:
            collection.verify()
            assert len(collection) > 0
