"""Runs: solve into a file and resume from it, on threads of this machine or on a cluster."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from kumitate import store
from kumitate.jobs.checkpoint import CHECKPOINT, Crew, drive, recording
from kumitate.jobs.local import Alone, Threads
from kumitate.jobs.run_journal import RunJournal, Tell
from kumitate.jobs.work import Desk
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_THREADS, given, require_number, require_whole
from kumitate.model.options import RunKeywords, RunOptions
from kumitate.model.puzzle import Puzzle
from kumitate.search.solve import Examiner
from kumitate.store import Batch, Keep, Recorder, Run, Summary

if TYPE_CHECKING:
    from distributed import Client


def solve_into(
    path: str | os.PathLike[str],
    puzzle: Puzzle,
    problem: int | str = 1,
    *,
    limit: int | None = None,
    threads: int = 1,
    cluster: "str | Client | None" = None,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
    **options: Unpack[RunKeywords],
) -> Summary:
    """Solve a problem of a puzzle, saving everything in a file; `resume` continues it.

    The problem is given by its name or its number, from 1. The options are those of `solve`, and
    `keep`, which bounds the file: "all", "every:N", "best:N" (by level, then by all moves),
    "best-moves:N" (the other way round), or "none", which only counts. `limit` is how many
    solutions to stop after. It runs on `threads` of this machine or on a `cluster`: "tcp://..." is
    the address of a Dask scheduler, "local:4" starts four processes here, and you may pass a Client
    of your own. `checkpoint` is how often to save, in seconds: at most the work since the last save
    is repeated; Ctrl-C and SIGTERM save, too, and then raise KeyboardInterrupt. A file of that name
    is replaced.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/burr.kumitate"
    >>> done = kumitate.solve_into(path, kumitate.library["six-piece-burr"], disassemble=True)
    >>> done.assemblies, done.levels
    (588, {'1.2': 31, '1': 148})
    """
    asked = RunOptions(**options)
    require_whole(1, MOST_THREADS, threads=threads)
    require_number(0, checkpoint=checkpoint)
    with crewed(cluster) as client:
        begin(path, puzzle, problem, asked, limit)
        return resume(
            path, threads=threads, cluster=client, checkpoint=checkpoint, progress=progress
        )


def begin(
    path: str | os.PathLike[str],
    puzzle: Puzzle,
    problem: int | str,
    options: RunOptions,
    limit: int | None = None,
) -> None:
    """A new run in a file, nothing of it done yet; `resume` continues it."""
    require_whole(1, **given(limit=limit))
    number = puzzle.number_of(problem)
    if Keep.read(options.keep).what.startswith("best") and not options.disassemble:
        raise PuzzleError(
            f"keep {options.keep} ranks assemblies by how they come apart, so it needs disassemble"
        )
    desk = Desk(puzzle, number, options, str(path))
    Examiner(desk.prepared, options)  # which refuses what cannot be asked, before there is a file
    store.create(
        Path(path),
        puzzle,
        number,
        options,
        limit,
        desk.prepared.table,
        desk.fingerprint,
        desk.prepared.core.search().save(),
    )


def resume(
    path: str | os.PathLike[str],
    *,
    puzzle: Puzzle | None = None,
    limit: int | None = None,
    threads: int = 1,
    cluster: "str | Client | None" = None,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
) -> Summary:
    """Continue a run from its last checkpoint, however the last process ended.

    `limit` replaces the limit that the run had. If `puzzle` is given, it must be the one in the
    file. A run that was started on threads may continue on a cluster, and the other way round. A
    run that is done stays as it is.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/soma.kumitate"
    >>> kumitate.solve_into(path, kumitate.library["soma"], limit=100).state
    'limit'
    >>> kumitate.resume(path, limit=1000).assemblies
    240
    """
    require_whole(1, **given(limit=limit))
    require_whole(1, MOST_THREADS, threads=threads)
    require_number(0, checkpoint=checkpoint)
    with store.open_run(path) as run:
        if puzzle is not None and store.text_of(puzzle) != run.text:
            raise PuzzleError(f"{path}: a run of another puzzle; begin a new one with --output")
        desk = _desk_of(run, str(path))
        if desk is None:
            return run.summary()
        with crewed(cluster) as client:
            recorder = Recorder(run, limit)
            try:
                journal = RunJournal(recorder, progress)
                crew = None if _is_over(desk, recorder) else _crew(desk, recorder, threads, client)
            except BaseException:  # Ctrl-C before the search begins, too
                recorder.commit([], 0, "paused")
                raise
            if crew is not None:
                drive(crew, journal, checkpoint)
        return run.summary()


def advance(
    path: str | os.PathLike[str],
    *,
    limit: int | None = None,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[None]:
    """`resume` without threads: each step searches a slice, to the end or until it is stopped.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/soma.kumitate"
    >>> begin(path, kumitate.library["soma"], 1, RunOptions())
    >>> for _ in advance(path):
    ...     pass
    >>> kumitate.resume(path).assemblies
    240
    """
    with store.open_run(path) as run:
        desk = _desk_of(run, str(path))
        if desk is None:
            return
        recorder = Recorder(run, limit)
        if not _is_over(desk, recorder):
            crew = Alone(desk, recorder, stopped)
            yield from recording(crew, RunJournal(recorder, progress), checkpoint)


def _desk_of(run: Run, path: str) -> Desk | None:
    """What it takes to continue a run; None if it is done."""
    run.verify()
    state = run.summary().state
    if state == "done":
        return None
    if state in ("recovered", "chosen"):
        why = "recovered from a damaged run" if state == "recovered" else "chosen solutions"
        raise PuzzleError(f"{path}: {why}, so it cannot be resumed; start a new run with --output")
    desk = Desk(run.puzzle, run.number, run.options, path)
    [(search, version)] = run.rows("SELECT search, kumitate FROM run")
    if search != desk.fingerprint:
        raise PuzzleError(
            f"{path}: started by kumitate {version}, which searches in a different order, so it"
            " cannot be resumed; its answers can be read, or start a new run with --output"
        )
    return desk


def _is_over(desk: Desk, recorder: Recorder) -> bool:
    """Whether there is nothing left to search, or nothing more wanted; then the file says so."""
    if not desk.prepared.core.possible:
        recorder.tasks.clear()
    over = recorder.at_limit or not recorder.tasks
    if over:
        recorder.commit([], 0, "paused")
    return over


def crewed(cluster: "str | Client | None") -> "AbstractContextManager[Client | None]":
    """A connected cluster, or None without one."""
    if cluster is None:
        return nullcontext()
    from kumitate.jobs.cluster import connect

    return connect(cluster)


def _crew(desk: Desk, recorder: Recorder, threads: int, client: "Client | None") -> Crew[Batch]:
    if client is None:
        return Threads(desk, recorder, threads)
    from kumitate.jobs.cluster import Workers

    return Workers(desk, recorder, client)
