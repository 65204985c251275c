"""What is said of a damaged run: in our words, with the way out, and nothing that is not true."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.test_runs import run
from tests.test_damage import BURRS, PAGE, SOMA

import kumitate
from kumitate import PuzzleError, open_run
from kumitate.burr6 import Burrs
from kumitate.jobs.design import search_into
from kumitate.store import is_run, recover


def pages_zeroed(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), PAGE):
        yield data[:at] + bytes(PAGE) + data[at + PAGE :]


def zero_table(path: Path, name: str) -> None:
    """Lose the root page of a table."""
    connection = sqlite3.connect(path)
    [(root,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [name])
    connection.close()
    data = path.read_bytes()
    path.write_bytes(data[: PAGE * (root - 1)] + bytes(PAGE) + data[PAGE * root :])


def test_the_words_of_sqlite_stay_inside(tmp_path: Path) -> None:
    """Whichever page is lost, the message says what can be saved, and that is so."""
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, SOMA)
    offers = set()
    for number, made in enumerate(pages_zeroed(path.read_bytes())):
        path.write_bytes(made)
        with pytest.raises(PuzzleError) as error:
            kumitate.resume(path)
        line = str(error.value).removeprefix(f"{path}: damaged: ")
        assert line != str(error.value)
        assert re.search("malformed|database|btree|[Pp]age|SQL", line) is None, line
        new = tmp_path / f"{number}.kumitate"
        command = f"kumitate show --recover {path} --output NEW.kumitate saves "
        offer = line.partition("; ")[2]
        offers.add(offer.replace(command, ""))
        if not offer.startswith(command):
            with pytest.raises(PuzzleError, match="nothing can be recovered"):
                recover(path, new)
        else:
            kept, _, _ = recover(path, new)
            assert offer == command + (
                "240 intact answers" if kept else "its counts, but no answers"
            )
    assert offers == {
        "240 intact answers",
        "its counts, but no answers",
        "nothing can be recovered, since the record of what was asked is damaged too",
    }


@pytest.mark.parametrize("beginning", [bytes(PAGE), b"\xa7" * PAGE, b""])
def test_a_run_whose_first_page_is_lost_is_a_damaged_run(tmp_path: Path, beginning: bytes) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, SOMA)
    path.write_bytes(beginning + path.read_bytes()[PAGE:])
    saves = (
        r"damaged: .*; kumitate show --recover \S+ --output NEW.kumitate saves 240 intact answers"
    )
    if not beginning:
        saves = "damaged: "  # every page is now at another place
    for words in (
        "show run.kumitate",
        "solve --resume run.kumitate",
        "export run.kumitate -o a.stl",
    ):
        refused = run(tmp_path, *words.split())
        assert refused.returncode == 2
        assert re.search(saves, refused.stderr), refused.stderr
    assert not is_run(path)  # so nothing replaces it
    kept = run(tmp_path, "solve", "soma", "-o", "run.kumitate", "--force")
    assert "so it is not replaced" in kept.stderr


def test_a_collection_whose_first_page_is_lost_is_damaged_too(tmp_path: Path) -> None:
    path = tmp_path / "found.kumitate"
    told = search_into(path, Burrs("solid"), samples=50)
    assert told.found
    path.write_bytes(bytes(PAGE) + path.read_bytes()[PAGE:])
    refused = run(tmp_path, "show", "found.kumitate")
    assert f"--output NEW.kumitate saves {told.found} intact answer" in refused.stderr


def test_a_puzzle_by_the_name_of_a_run_is_still_read(tmp_path: Path) -> None:
    kumitate.save(SOMA, tmp_path / "soma.json")
    kumitate.save(SOMA, tmp_path / "soma.json.gz")
    for name in ("soma.json", "soma.json.gz"):
        (tmp_path / name).rename(tmp_path / "soma.kumitate")
        assert "Soma cube" in run(tmp_path, "show", "soma.kumitate").stdout


def test_a_run_that_only_counts_is_recovered_with_its_counts(tmp_path: Path) -> None:
    path, new = tmp_path / "run.kumitate", tmp_path / "new.kumitate"
    kumitate.solve_into(path, BURRS, disassemble=True, keep="none", limit=100)
    zero_table(path, "by_rank")
    with pytest.raises(PuzzleError, match=r"NEW\.kumitate saves its counts, but no answers$"):
        kumitate.resume(path, limit=200)
    assert recover(path, new) == (0, 0, "limit")
    assert kumitate.resume(new, limit=1000).levels == {"1.2": 31, "1": 148}


def test_what_is_said_of_counts_after_a_loss_is_true(tmp_path: Path) -> None:
    """At least so many only if the search had not gone to its end, or its counts are lost."""
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, SOMA)
    zero_table(path, "assembly")
    recover(path, tmp_path / "done.kumitate")
    told = run(tmp_path, "show", "done.kumitate").stdout
    assert "recovered from a damaged run, 240 answers lost: 240 assemblies\n" in told
    assert "kept: 0\n" in told
    kumitate.solve_into(path, SOMA, limit=100)
    zero_table(path, "task")
    recover(path, tmp_path / "stopped.kumitate")
    told = run(tmp_path, "show", "stopped.kumitate").stdout
    assert "recovered from a damaged run, 0 answers lost: at least 100 assemblies\n" in told
    kumitate.solve_into(path, SOMA)
    zero_table(path, "checkpoint")
    recover(path, tmp_path / "unknown.kumitate")
    told = run(tmp_path, "show", "unknown.kumitate").stdout
    assert "an unknown number of answers lost: at least 240 assemblies\n" in told
    with open_run(tmp_path / "done.kumitate") as saved:
        assert saved.summary().state == "recovered"
