"""Saved runs over all six-piece burrs: one file, written every few seconds, to resume from.

The file has the question, the number of tasks that are done, and their results. Tasks are done in
order, so their number is all there is to remember. It is replaced as a whole: a run that is killed
loses a few seconds. Of two processes with the same file the later one continues: the other finds
that its file was replaced, and stops.
"""

import hashlib
import json
import os
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from kumitate.burr6.counts import (
    VARIANTS,
    BurrCounts,
    BurrEnding,
    BurrOutcome,
    BurrProgress,
    LevelBy,
)
from kumitate.burr6.enumeration import Kept, Question, Send, SixPieceBurrs
from kumitate.decoding import from_json
from kumitate.disk import file_errors, put
from kumitate.model.burr_sticks import burr_numbers, burr_stick
from kumitate.model.errors import PuzzleError

CHECKPOINT = 10.0  # seconds
FORMAT = "six-piece burrs"

Number = Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]
Pair = tuple[Number, Number]


@dataclass(frozen=True)
class BurrRun:
    """A run over all burrs, or part `part[0]` of `part[1]`, as far as it has come."""

    burrs: SixPieceBurrs
    question: Question = field(default_factory=Question)
    part: tuple[int, int] = (1, 1)
    done: int = 0  # tasks
    counts: BurrCounts = field(default_factory=lambda: BurrCounts({}, {}, 0))
    kept: tuple[Kept, ...] = ()

    @property
    def tasks(self) -> Sequence[int]:
        """The tasks of this part."""
        which, parts = self.part
        return self.burrs.tasks[which - 1 :: parts]

    @property
    def finished(self) -> bool:
        return self.done == len(self.tasks)

    @property
    def checksum(self) -> str:
        """Of what was counted: the same for every run that finds the same."""
        counted = _written(replace(self, kept=(), counts=replace(self.counts, seconds=0)))
        return hashlib.sha256(counted).hexdigest()[:16]


def run_into(
    path: Path,
    run: BurrRun,
    threads: int = 1,
    progress: BurrProgress | None = None,
    send: Send | None = None,
) -> BurrRun:
    """Go on with a run until it is finished, saving it in a file every few seconds.

    `send` sends tasks elsewhere, as many at once as there are threads (see `slices`).

    >>> import tempfile
    >>> few = SixPieceBurrs([burr_stick(1024), burr_stick(256)])
    >>> path = Path(tempfile.mkdtemp()) / "few.json"
    >>> run_into(path, BurrRun(few)).counts.levels
    {1: 32, 2: 7}
    >>> read_run(path).finished
    True
    """
    file = _save(path, run)
    saved, first, before = time.monotonic(), run.done, _share(run)
    try:
        with closing(run.burrs.slices(run.tasks[first:], run.question, threads, send)) as slices:
            for tasks, done, counts, kept in slices:
                kept = (*run.kept, *kept)
                run = replace(run, done=first + tasks, counts=run.counts + counts, kept=kept)
                if progress is not None:
                    progress(before + done * (1 - before), run.counts)
                if time.monotonic() - saved > CHECKPOINT:
                    file = _save(path, run, file)
                    saved = time.monotonic()
    finally:
        _save(path, run, file)
    return run


def joined(runs: Sequence[BurrRun]) -> BurrRun:
    """The run that these are the parts of: all of them, in any order, and finished.

    >>> import tempfile
    >>> few = SixPieceBurrs([burr_stick(1024), burr_stick(256)])
    >>> path = Path(tempfile.mkdtemp()) / "part.json"
    >>> joined([run_into(path, BurrRun(few, part=(i, 2))) for i in (2, 1)]).counts.levels
    {1: 32, 2: 7}
    """
    asked = {(run.burrs.sticks, run.burrs.length, run.question, run.part[1]) for run in runs}
    if len(asked) != 1 or sorted(run.part[0] for run in runs) != [*range(1, len(runs) + 1)]:
        raise PuzzleError("these are not all the parts of one run")
    if len(runs) != runs[0].part[1]:
        raise PuzzleError(f"{len(runs)} of {runs[0].part[1]} parts")
    if not all(run.finished for run in runs):
        raise PuzzleError("a part is not finished; resume it first")
    runs = sorted(runs, key=lambda run: run.part)
    counts, whole = BurrCounts({}, {}, 0), replace(runs[0], part=(1, 1))
    for run in runs:
        counts += run.counts
    kept = tuple(burr for run in runs for burr in run.kept)
    return replace(whole, done=len(whole.tasks), counts=counts, kept=kept)


def _save(path: Path, run: BurrRun, last: tuple[int, int] | None = None) -> tuple[int, int]:
    """Write the file, unless another process has replaced the one that was last written."""
    if last and _identity(path) != last:
        raise PuzzleError(
            f"{path}: another process has resumed this run, or the file was deleted; stopping"
        )
    write_run(path, run)
    return _identity(path)


def _identity(path: Path) -> tuple[int, int]:
    try:
        file = os.stat(path)
    except OSError:
        return 0, 0
    return file.st_ino, file.st_mtime_ns


def _share(run: BurrRun) -> float:
    """The fraction of the work that is done."""
    tasks = run.tasks
    whole = sum(run.burrs.expected[task] for task in tasks) or 1
    return sum(run.burrs.expected[task] for task in tasks[: run.done]) / whole


# ---- the file ----


class _File(msgspec.Struct, forbid_unknown_fields=True):
    kumitate: Literal["six-piece burrs"]
    sticks: list[int]  # all, if empty
    length: int
    level_by: LevelBy
    complete: bool
    turns: float | bool | None  # the tolerance; False before there was one
    keep_level: Number | None
    keep_moves: Number | None
    part: Pair
    tasks: Number
    done: Number
    endings: dict[str, Pair]
    outcomes: list[tuple[Number, Number | None, list[Number], Number, Number]]
    kept: list[tuple[list[Number], Number, bool, Number | None]]
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    keep_far: Number | None = None
    compare: bool = False
    compared: dict[str, dict[str, Pair]] = {}


def read_run(path: Path) -> BurrRun:
    """The run that a file has."""
    with file_errors(path):
        data = path.read_bytes()
    try:
        return _read(from_json(data, _File))
    except (msgspec.MsgspecError, PuzzleError, ValueError) as error:
        raise PuzzleError(f"{path}: not a run of kumitate burr6: {error}") from None


def _read(file: _File) -> BurrRun:
    sticks = [burr_stick(number, file.length) for number in file.sticks] or None
    burrs = SixPieceBurrs(sticks, length=file.length)
    if not 1 <= file.part[0] <= file.part[1]:
        raise PuzzleError(f"there is no part {file.part[0]} of {file.part[1]}")
    once: dict[BurrEnding, int] = {}
    mirrors: dict[BurrEnding, int] = {}
    for name, (one, both) in file.endings.items():
        ending = _ending(name)
        once[ending], mirrors[ending] = one, both
    outcomes = {
        BurrOutcome(level, moves, tuple(clumps)): (one, both)
        for level, moves, clumps, one, both in file.outcomes
    }
    if not {*file.compared} <= {*VARIANTS}:
        raise PuzzleError("an unknown comparison")
    compared = {
        variant: {_ending(name): both for name, both in endings.items()}
        for variant, endings in file.compared.items()
    }
    turns = None if file.turns is False else file.turns
    run = BurrRun(
        burrs,
        Question(
            file.level_by,
            file.complete,
            turns,
            file.compare,
            file.keep_level,
            file.keep_moves,
            file.keep_far,
        ),
        file.part,
        file.done,
        BurrCounts(once, mirrors, file.seconds, outcomes, compared),
        tuple(Kept(*burr) for burr in file.kept),
    )
    kinds = {kind for burr in run.kept for kind in burr.kinds}
    if not kinds <= burrs.kinds or any(len(burr.kinds) != 6 for burr in run.kept):
        raise PuzzleError("a burr of sticks that do not exist")
    if len(run.tasks) != file.tasks or run.done > file.tasks:
        raise PuzzleError(f"{file.done} of {file.tasks} tasks; there are {len(run.tasks)}")
    return run


def _ending(name: str) -> BurrEnding:
    named: dict[str, BurrEnding] = {"rigid": "rigid", "stuck": "stuck", "turning": "turning"}
    named["unclear"] = "unclear"
    return named[name] if name in named else int(name)


def write_run(path: Path, run: BurrRun) -> None:
    """Write the file of a run, whole or not at all."""
    put(path, _written(run))


def _written(run: BurrRun) -> bytes:
    counts, numbers = run.counts, [int(stick.name) for stick in run.burrs.sticks]
    asked = run.question._asdict()
    for name in ("keep_far", "compare"):
        if asked[name] in (None, False):
            del asked[name]  # which older files, and their checksums, do not have
    row = {
        "kumitate": FORMAT,
        "sticks": [] if len(numbers) == len(burr_numbers()) else numbers,
        "length": run.burrs.length,
        **asked,
        "part": run.part,
        "tasks": len(run.tasks),
        "done": run.done,
        "endings": {str(e): (counts.once[e], counts.mirrors[e]) for e in counts.once},
        "outcomes": [(*outcome, *counts.outcomes[outcome]) for outcome in _in_order(counts)],
        "kept": run.kept,
        "seconds": counts.seconds,
    }
    if counts.compared:
        row["compared"] = {
            variant: {str(e): both for e, both in counts.compared[variant].items()}
            for variant in counts.compared
        }
    return json.dumps(row).encode() + b"\n"


def _in_order(counts: BurrCounts) -> list[BurrOutcome]:
    return sorted(counts.outcomes, key=lambda o: (o.level, o.moves or 0, o.clumps))
