"""A new file of what is intact in a damaged one.

Answers are saved wherever they lie (salvage.py). If the search, too, still knows where it stands,
the new file has the old counts and can be resumed; else its counts are of what was saved, and its
state is "recovered". It is never "done" if an answer was lost.
"""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple

from kumitate.disk import file_errors
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.store import collection, database, schema
from kumitate.store.collection import Sampled, is_collection
from kumitate.store.database import Kind
from kumitate.store.run import sum_of_tasks
from kumitate.store.salvage import intact_rows
from kumitate.store.schema import Checkpoint, Options, Rank, State, Task, unpack_levels

Row = Sequence[Any]
Written = list[tuple[str, Row]]

_NOTHING = "nothing can be recovered, since it no longer says what was asked"


class Recovered(NamedTuple):
    """What became of a damaged file."""

    kept: int  # answers
    lost: int | None  # None if nothing says how many there were
    state: State


def recover(path: str | os.PathLike[str], output: str | os.PathLike[str]) -> Recovered:
    """Save what is intact in a damaged run or collection in a new file.

    >>> import kumitate, tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> done = kumitate.solve_into(folder / "soma.kumitate", kumitate.library["soma"])
    >>> recover(folder / "soma.kumitate", folder / "new.kumitate")
    Recovered(kept=240, lost=0, state='done')
    """
    path = Path(path)
    with file_errors(path):
        if not path.is_file():
            raise PuzzleError(f"{path}: no such file")
        intact = _intact(path)
    if intact is None:
        raise PuzzleError(f"{path}: {_NOTHING}")
    kind, written, told = intact
    database.create(Path(output), kind, written)
    return told


def way_out(path: Path) -> str:
    """What can be saved of a damaged file, and how."""
    try:
        told = os.stat(path)
        return _way_out(path, told.st_mtime_ns, told.st_size)
    except OSError:
        return _NOTHING


@lru_cache(8)
def _way_out(path: Path, *_: int) -> str:
    intact = _intact(path)
    if intact is None:
        return _NOTHING
    written, kept = intact[1], intact[2].kept
    turn = dict(written)["checkpoint"][0]
    if not kept and not turn:
        return "none of its answers is intact; begin a new one with --output"
    saved = count_of(kept, "intact answer") if kept else "its counts, but no answers"
    return f"kumitate show --recover {path} --output NEW.kumitate saves {saved}"


def _intact(path: Path) -> tuple[Kind, Written, Recovered] | None:
    """What a new file would have; its counts are those of the old one if it says whose turn."""
    kinds = [schema.RUN, collection.KIND]
    for kind in kinds if not is_collection(path) else reversed(kinds):
        rows = intact_rows(path, kind.schema)
        if rows[kind.name]:
            return kind, *(_run if kind is schema.RUN else _collection)(rows)
    return None


def _run(rows: dict[str, list[Any]]) -> tuple[Written, Recovered]:
    question = rows["run"][0]
    apart = msgspec.json.decode(question[2], type=Options).disassemble
    answers = _solutions(rows["solution"]) if apart else _assemblies(rows["assembly"])
    kept = len(answers) if apart else sum(row[1] for row in answers)
    tasks = [Task(*row) for row in rows["task"]]
    tally = dict(rows["tally"])
    at = next((Checkpoint(*row) for row in rows["checkpoint"]), None)
    lost = None if at is None else max(0, at.kept - kept)
    if at is not None and sum(tally.values()) == at.solutions and kept <= at.kept:
        _note_loss(at, lost)
        if sum_of_tasks(tasks) != at.tasks:
            tasks, at.tasks, at.state = [], 0, "recovered"
    else:
        trees = [unpack_levels(row[7]) for row in answers] if apart else []
        levels = Counter(str(levels) for levels in trees if levels)
        tasks, tally, apart_count = [], dict(levels), levels.total()
        at = Checkpoint(
            state="recovered",
            assemblies=kept,
            solutions=apart_count,
            given_up=len(trees) - apart_count,
            lost=lost,
        )
    at.kept = kept
    ranks = Counter((row[4], row[5]) for row in answers) if apart else {}
    written: Written = [("run", question), ("checkpoint", astuple(at))]
    written += [("task", task) for task in tasks]
    written += [("solution" if apart else "assembly", row) for row in answers]
    written += [("rank", (*rank, amount)) for rank, amount in ranks.items()]
    written += [("tally", row) for row in tally.items()]
    return written, Recovered(kept, lost, at.state)


def _collection(rows: dict[str, list[Any]]) -> tuple[Written, Recovered]:
    puzzles, tally = rows["puzzle"], dict(rows["tally"])
    kept, found = len(puzzles), tally.get("found", 0)
    at = next((Sampled(*row) for row in rows["checkpoint"]), None)
    if at is not None and sum(tally.values()) == at.samples and kept <= found:
        lost: int | None = found - kept
        _note_loss(at, lost)
        tally |= {"found": kept, "lost": tally.get("lost", 0) + found - kept}
    else:
        lost, tally = None, {"found": kept}
        at = Sampled(state="recovered", samples=kept, lost=None)
    written: Written = [("collection", rows["collection"][0]), ("checkpoint", astuple(at))]
    written += [("puzzle", row) for row in puzzles]
    written += [("tally", row) for row in tally.items() if row[1]]
    return written, Recovered(kept, lost, at.state)


def _note_loss(at: Checkpoint | Sampled, lost: int | None) -> None:
    """Some answers are lost, but the counts are as they were."""
    at.lost = None if at.lost is None or lost is None else at.lost + lost
    if at.state == "running":
        at.state = "paused"
    if at.state == "done" and at.lost != 0:
        at.state = "recovered"


def _assemblies(rows: Iterable[Row]) -> list[Row]:
    """Numbered anew, without gaps."""
    found: list[Row] = []
    following = 1
    for _, amount, length, names in sorted(rows, key=itemgetter(0)):
        found.append((following, amount, length, names))
        following += amount
    return found


def _solutions(rows: Iterable[Row]) -> list[Row]:
    """Numbered anew, without gaps, also within their ranks."""
    found: list[Row] = []
    ranks = Counter[Rank]()
    for _, assembly, solution, names, level, moves, _, tree in sorted(rows, key=itemgetter(0)):
        ranks[level, moves] += 1
        nth = ranks[level, moves]
        found.append((len(found) + 1, assembly, solution, names, level, moves, nth, tree))
    return found
