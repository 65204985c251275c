"""Runs: a solve goes into a file, and on, on threads of this machine or on a cluster."""

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from kumitate import store
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_THREADS, given, require_number, require_whole
from kumitate.model.puzzle import Puzzle
from kumitate.scale.local import Threads
from kumitate.scale.record import CHECKPOINT, Crew, Tell, drive
from kumitate.scale.work import Desk
from kumitate.store import Keep, Options, Recorder, Summary

if TYPE_CHECKING:
    from distributed import Client


def solve_into(
    path: str | os.PathLike[str],
    puzzle: Puzzle,
    problem: int = 1,
    *,
    mirrors: bool = False,
    rotations: bool = False,
    thorough: bool = False,
    distinct_copies: bool = False,
    disassemble: bool = False,
    fine: bool = False,
    coordinate: bool = False,
    max_states: int | None = None,
    max_moves: int | None = None,
    keep: str = "all",
    limit: int | None = None,
    threads: int = 1,
    cluster: "str | Client | None" = None,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
) -> Summary:
    """Solve a problem of a puzzle into a file that loses nothing; `resume` goes on with it.

    The options are those of `assemble`, with `disassemble=True` also those of `disassemble`.
    `keep` bounds the file: "all", "every:N", "best:N" (by level, then by all moves), "best-moves:N"
    (the other way round), or "none", which only counts. `limit` stops after so many. The search
    runs on `threads` of this machine or on a `cluster`: "tcp://..." is the address of a scheduler
    of Dask, "local:4" starts four processes here, and a Client is one that you have made. There is
    a checkpoint every so many seconds, and at most the work since the last one is ever done again;
    Ctrl-C and SIGTERM make one and then raise KeyboardInterrupt. A file of that name is replaced.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/burr.kumitate"
    >>> done = kumitate.solve_into(path, kumitate.library["six-piece-burr"], disassemble=True)
    >>> done.assemblies, done.levels
    (588, {'1.2': 31, '1': 148})
    """
    options = Options(
        mirrors=mirrors,
        rotations=rotations,
        thorough=thorough,
        distinct_copies=distinct_copies,
        disassemble=disassemble,
        fine=fine,
        coordinate=coordinate,
        max_states=max_states,
        max_moves=max_moves,
        keep=keep,
    )
    require_whole(1, MOST_THREADS, threads=threads)
    require_number(0, checkpoint=checkpoint)
    with crewed(cluster) as client:
        begin(path, puzzle, problem, options, limit)
        return resume(
            path, threads=threads, cluster=client, checkpoint=checkpoint, progress=progress
        )


def begin(
    path: str | os.PathLike[str],
    puzzle: Puzzle,
    problem: int,
    options: Options,
    limit: int | None = None,
) -> None:
    """A new run in a file, nothing of it done yet; `resume` goes on with it."""
    numbers = {"max_states": options.max_states, "max_moves": options.max_moves, "limit": limit}
    require_whole(1, **given(**numbers))
    require_whole(1, problem=problem)
    if Keep.read(options.keep).what.startswith("best") and not options.disassemble:
        raise PuzzleError(f"keep {options.keep}: the best are known only if they are taken apart")
    if not 1 <= problem <= len(puzzle.problems):
        raise PuzzleError(f"problem {problem}: there are {len(puzzle.problems)}")
    desk = Desk(puzzle, problem, options, str(path))
    store.create(
        Path(path),
        puzzle,
        problem,
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
    """Go on with a run, wherever it was when its process ended, and however that ended.

    `limit` replaces the limit that the run had. If `puzzle` is given, it must be the one in the
    file. What was begun on threads may go on on a cluster, and the reverse. A run that is done
    stays as it is.

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
        run.verify()
        state = run.summary().state
        if state == "done":
            return run.summary()
        if state == "recovered":
            raise PuzzleError(
                f"{path}: recovered from a damaged run, nothing is left to resume; begin a new run"
                " with --output"
            )
        desk = Desk(run.puzzle, run.number, run.options, str(path))
        [(search, version)] = run.rows("SELECT search, kumitate FROM run")
        if search != desk.fingerprint:
            raise PuzzleError(
                f"{path}: begun by kumitate {version}, which searches in another order; what it"
                " found can be read, but to go on begin anew with --output"
            )
        with crewed(cluster) as client:
            recorder = Recorder(run, limit)
            if not desk.prepared.core.possible:
                recorder.tasks.clear()
            if recorder.at_limit or not recorder.tasks:
                recorder.commit([], 0, "paused")
            else:
                drive(_crew(desk, recorder, threads, client), recorder, checkpoint, progress)
        return run.summary()


def crewed(cluster: "str | Client | None") -> "AbstractContextManager[Client | None]":
    """A cluster that can be worked with, if there is to be one."""
    if cluster is None:
        return nullcontext()
    from kumitate.scale.cluster import connect

    return connect(cluster)


def _crew(desk: Desk, recorder: Recorder, threads: int, client: "Client | None") -> Crew:
    if client is None:
        return Threads(desk, recorder, threads)
    from kumitate.scale.cluster import Workers

    return Workers(desk, recorder, client)
