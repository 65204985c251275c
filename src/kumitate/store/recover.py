"""Copy whatever is intact in a damaged file to a new one.

Intact answers are found anywhere in the file (salvage.py). If the state of the search is also
intact, the new file keeps the old counts and can be resumed; otherwise it counts what was saved,
and its state is "recovered". It is never "done" if an answer was lost.
"""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import astuple

from kumitate.disk import file_errors
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.store import collection, database, schema
from kumitate.store.collection import Entry, Sampled, is_collection
from kumitate.store.database import Kind
from kumitate.store.run import sum_of_tasks
from kumitate.store.salvage import intact_rows
from kumitate.store.schema import Checkpoint, Rank, State, Task, options_of, unpack_levels

Row = Sequence[Any]
AnswerRow = Sequence[Any]  # of table `solution`, or of `assembly`
Written = list[tuple[str, Row]]  # a table, and a row of it

_NOTHING = "nothing can be recovered, since the record of what was asked is damaged too"


class Recovered(NamedTuple):
    """The result of recovering a damaged file."""

    kept: int  # answers
    lost: int | None  # None if it is unknown how many there were
    state: State


def recover(path: str | os.PathLike[str], output: str | os.PathLike[str]) -> Recovered:
    """Save whatever is intact in a damaged run or collection to a new file.

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
    kind, written, recovered = intact
    database.create(Path(output), kind, written)
    return recovered


def way_out(path: Path) -> str:
    """How much of a damaged file can be recovered, and how."""
    try:
        status = os.stat(path)
        return _way_out(path, status.st_mtime_ns, status.st_size)
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
        return "none of its answers are intact; start a new one with --output"
    saved = count_of(kept, "intact answer") if kept else "its counts, but no answers"
    return f"kumitate show --recover {path} --output NEW.kumitate saves {saved}"


def _intact(path: Path) -> tuple[Kind, Written, Recovered] | None:
    """The rows of a new file; None if the question itself is damaged."""
    kinds = [schema.RUN, collection.KIND]
    for kind in kinds if not is_collection(path) else reversed(kinds):
        rows = intact_rows(path, kind.schema)
        if kind is collection.KIND:
            older = intact_rows(path, collection.FIRST_PUZZLES)["puzzle"]
            puzzles = {row[0]: astuple(Entry(*row)) for row in [*older, *rows["puzzle"]]}  # type: ignore[arg-type]
            rows["puzzle"] = list(puzzles.values())
        if rows[kind.name]:
            return kind, *(_run if kind is schema.RUN else _collection)(rows)
    return None


def _run(rows: dict[str, list[Any]]) -> tuple[Written, Recovered]:
    question = rows["run"][0]
    apart = options_of(question[2]).disassemble
    rows_found = sorted(rows["solution" if apart else "assembly"], key=itemgetter(0))
    answers = _solutions(rows_found) if apart else _assemblies(rows_found)
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
        at, tally, _ = count_answers(answers, apart)
        tasks, at.state, at.lost = [], "recovered", lost
    at.kept = kept
    return answer_rows(question, at, tasks, answers, apart, tally), Recovered(kept, lost, at.state)


def count_answers(
    rows: Iterable[AnswerRow], apart: bool
) -> tuple[Checkpoint, dict[str, int], list[AnswerRow]]:
    """A checkpoint and a tally of levels that count some answers, which are renumbered."""
    answers = _solutions(rows) if apart else _assemblies(rows)
    kept = len(answers) if apart else sum(row[1] for row in answers)
    trees = [unpack_levels(row[7]) for row in answers] if apart else []
    levels = Counter(str(levels) for levels in trees if levels)
    at = Checkpoint(
        kept=kept,
        assemblies=kept,
        solutions=levels.total(),
        given_up=len(trees) - levels.total(),
    )
    return at, dict(levels), answers


def answer_rows(
    question: Row,
    at: Checkpoint,
    tasks: Sequence[Task],
    answers: Sequence[AnswerRow],
    apart: bool,
    tally: dict[str, int],
) -> Written:
    """All rows of a run with these answers."""
    ranks = Counter((row[4], row[5]) for row in answers) if apart else {}
    written: Written = [("run", question), ("checkpoint", astuple(at))]
    written += [("task", task) for task in tasks]
    written += [("solution" if apart else "assembly", row) for row in answers]
    written += [("rank", (*rank, amount)) for rank, amount in ranks.items()]
    written += [("tally", row) for row in tally.items()]
    return written


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
    """Record that some answers are lost; the counts stay as they were."""
    at.lost = None if at.lost is None or lost is None else at.lost + lost
    if at.state == "running":
        at.state = "paused"
    if at.state == "done" and at.lost != 0:
        at.state = "recovered"


def _assemblies(rows: Iterable[AnswerRow]) -> list[AnswerRow]:
    """The rows of assemblies, renumbered without gaps."""
    found: list[AnswerRow] = []
    following = 1
    for _, amount, length, names in rows:
        found.append((following, amount, length, names))
        following += amount
    return found


def _solutions(rows: Iterable[AnswerRow]) -> list[AnswerRow]:
    """The rows of solutions, renumbered without gaps, also within their ranks."""
    found: list[AnswerRow] = []
    ranks = Counter[Rank]()
    for _, assembly, solution, names, level, moves, _, tree in rows:
        ranks[level, moves] += 1
        nth = ranks[level, moves]
        found.append((len(found) + 1, assembly, solution, names, level, moves, nth, tree))
    return found
