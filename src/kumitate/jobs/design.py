"""New puzzles into a file: a search, or a design by goal.

In a search, workers (samplers.py) judge samples, and the caller writes:

workers   are given samples in a row, and report how each ended      --reports-->  queue
caller    puts the reports in order, and every few seconds writes those without a gap: a
          checkpoint

A design has a crew for its climbs, threads or a cluster (climbers.py), and yields better and better
puzzles; the caller writes those that the archive keeps, and deletes those that they replace.
"""

import dataclasses
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from msgspec.structs import replace

from kumitate import store
from kumitate.burr6.family import Burrs
from kumitate.designer.design import (
    Brief,
    Design,
    Niche,
    Score,
    brief_for,
    found_how,
    improvements,
    niche_of,
)
from kumitate.designer.discover import (
    TermKeywords,
    Terms,
    draw_sample,
    require_possible,
)
from kumitate.designer.engine import Progress
from kumitate.designer.families import Cuts, Family, Subsets
from kumitate.designer.space import Pieces
from kumitate.jobs.checkpoint import CHECKPOINT, drive, signals
from kumitate.jobs.samplers import Samplers
from kumitate.jobs.solve import crewed
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_THREADS, given, require_number, require_whole
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Solution, read_levels
from kumitate.model.wish import Wish
from kumitate.store import (
    Collection,
    DesignQuestion,
    Entry,
    Report,
    Sampling,
    SearchQuestion,
    State,
)

if TYPE_CHECKING:
    from distributed import Client

PROBE = 3  # samples by which two ways of drawing are told apart
STARTS = 16  # of the best puzzles, to go on from
SESSION = 1_000_003  # from the seed of one session of a design to that of the next

Tell = Callable[[Sampling], None]


def search_into(
    path: str | os.PathLike[str],
    family: Family,
    *,
    samples: int | None = None,
    limit: int | None = None,
    threads: int = 1,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
    **terms: Unpack[TermKeywords],
) -> Sampling:
    """Save a search for puzzles in a file, as it runs; `resume_search` continues it.

    The options are those of `search_puzzles`. It stops after `samples` samples, when
    `limit` puzzles are found, when every possible sample was drawn, or on Ctrl-C and SIGTERM,
    which make a checkpoint and then raise KeyboardInterrupt. What is found does not depend on the
    number of threads. A file of that name is replaced.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/cubes.kumitate"
    >>> solid = "/".join(["###  ###  ###"] * 3)
    >>> cube = kumitate.Shape.from_text(kumitate.CUBES, solid, name="cube")
    >>> done = search_into(path, kumitate.designer.Cuts(cube, 4), samples=50)
    >>> done.samples, done.found, done.endings
    (50, 39, {'several': 11})
    """
    require_whole(1, **given(samples=samples, limit=limit))
    require_whole(1, MOST_THREADS, threads=threads)
    require_number(0, checkpoint=checkpoint)
    wanted = Terms(**terms)
    require_possible(family, wanted)
    puzzle, asked = _asked(family, wanted)
    store.create_collection(Path(path), puzzle, asked, _draws(family, wanted.seed))
    return resume_search(
        path,
        samples=samples,
        limit=limit,
        threads=threads,
        checkpoint=checkpoint,
        progress=progress,
    )


def resume_search(
    path: str | os.PathLike[str],
    *,
    samples: int | None = None,
    limit: int | None = None,
    threads: int = 1,
    checkpoint: float = CHECKPOINT,
    progress: Tell | None = None,
) -> Sampling:
    """Resume a search that was saved in a file, however its process ended.

    `samples` and `limit` count from the very beginning; if one of them is given, they replace those
    that the search had.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/burrs.kumitate"
    >>> search_into(path, kumitate.burr6.Burrs("solid"), samples=100).found
    2
    >>> resume_search(path, limit=4).samples
    231
    """
    require_whole(1, **given(samples=samples, limit=limit))
    require_whole(1, MOST_THREADS, threads=threads)
    require_number(0, checkpoint=checkpoint)
    with store.open_collection(path) as collection:
        collection.verify()
        if collection.checkpoint().state == "recovered":
            raise PuzzleError(
                f"{path}: recovered from a damaged search, so it cannot be resumed; start a new"
                " search with --output"
            )
        family = family_of(collection.puzzle, collection.search)
        [(draws, version)] = collection.rows("SELECT draws, kumitate FROM collection")
        if draws != _draws(family, collection.search.seed):
            raise PuzzleError(
                f"{path}: started by kumitate {version}, which draws different samples, so it"
                " cannot be resumed; what it found can be read, or start a new search with --output"
            )
        collection.begin(samples, limit)
        if collection.commit([], 0, "running").state == "running":
            samplers = Samplers(collection, family, threads)
            drive(samplers, _SampleJournal(collection, samplers.end, progress), checkpoint)
        return collection.summary()


def _draws(family: Family, seed: int) -> str:
    """Equal for families of which the same is drawn, as far as the first samples tell."""
    drafts = (draw_sample(family, seed, sample) for sample in range(1, PROBE + 1))
    drawn = [
        [(piece.min, sorted(piece.shape.cells)) for piece in draft.problem().pieces]
        for draft in drafts
        if draft
    ]
    return sha256(repr(drawn).encode()).hexdigest()


def _asked(family: Family, terms: Terms) -> tuple[Puzzle | None, SearchQuestion]:
    """A family as a file or a process is told of it."""
    asked = SearchQuestion(
        level=terms.level,
        unique=terms.unique,
        seed=terms.seed,
        max_nodes=terms.max_nodes,
        max_states=terms.max_states,
    )
    if isinstance(family, Burrs):
        return None, replace(asked, burr=family.sticks)
    if isinstance(family, Cuts):
        question = Problem(family.goal, [])
        asked = replace(asked, cut=family.pieces, holes=family.holes, smallest=family.smallest)
    elif isinstance(family, Subsets):
        question = family.problem
    else:
        raise PuzzleError(
            "a file keeps only searches for Cuts, Subsets and Burrs; use search_puzzles for others"
        )
    return dataclasses.replace(Puzzle.of(question), colours=family.colours), asked


def family_of(puzzle: Puzzle | None, asked: SearchQuestion) -> Family:
    if puzzle is None:
        return Burrs(asked.burr or "all")  # type: ignore[arg-type]
    [problem] = puzzle.problems
    if asked.cut is None:
        return Subsets(problem, puzzle.colours)
    return Cuts(problem.goal, asked.cut, asked.holes, asked.smallest, puzzle.colours)


# ---- what is written ----


class _SampleJournal:
    """Reports in the order of their samples: those without a gap before them can be written."""

    def __init__(self, collection: Collection, end: int, progress: Tell | None) -> None:
        self.collection = collection
        self.end = end
        self.progress = progress
        self.written = collection.summary()
        self.following = self.written.samples + 1
        self.early: dict[int, Report] = {}
        self.ready: list[Report] = []
        self.fresh: dict[str, Entry] = {}  # puzzles in these, by their pieces

    def note(self, report: Report) -> None:
        self.early[report.first] = report
        while self.following in self.early:
            report = self.early.pop(self.following)
            self.ready.append(report)
            self.following += len(report.endings)
            for entry in report.found:
                if not self.collection.knows(entry.pieces):
                    self.fresh.setdefault(entry.pieces, entry)

    def is_due(self) -> bool:
        found = self.written.found + len(self.fresh)
        return found >= (self.written.stop_found or store.ENDLESS)

    def commit(self, seconds: float, *, ended: bool) -> bool:
        state: State = "running"
        if ended:
            state = "done" if self.following > self.end else "paused"
        self.written = self.collection.commit(self.ready, seconds, state)
        self.ready, self.fresh = [], {}
        return self.written.state == "limit"

    def report_progress(self) -> None:
        """How far the search is, with what will be written."""
        if self.progress is None:
            return
        found = self.fresh.values()
        best = max(found, key=lambda entry: (entry.level, entry.moves), default=None)
        better = best and best.level > read_levels(self.written.best or "0")[0][0]
        self.progress(
            dataclasses.replace(
                self.written,
                samples=self.written.samples + sum(len(report.endings) for report in self.ready),
                found=self.written.found + len(found),
                best=best.levels if best and better else self.written.best,
            )
        )


# ---- design by goal ----


class BudgetKeywords(TypedDict, total=False):
    """A budget as keywords, for type checkers."""

    evaluations: int | None
    seconds: float | None
    threads: int
    checkpoint: float
    progress: Tell | None


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How long a design runs, on how many threads, and how often it saves and reports."""

    evaluations: int | None = None
    seconds: float | None = None
    threads: int = 1
    checkpoint: float = CHECKPOINT
    progress: Tell | None = None

    def __post_init__(self) -> None:
        require_whole(1, **given(evaluations=self.evaluations))
        require_whole(1, MOST_THREADS, threads=self.threads)
        require_number(0, checkpoint=self.checkpoint, **given(seconds=self.seconds))


def design_into(
    path: str | os.PathLike[str],
    goal: str | Shape | Assembly,
    wish: Wish,
    *,
    title: str = "",
    colours: Sequence[str] = (),
    cluster: "str | Client | None" = None,
    **budget: Unpack[BudgetKeywords],
) -> Sampling:
    """Save a design in a file, as it runs; `resume_design` continues it.

    The goal and the wishes are those of `kumitate.design`. The file keeps the best puzzle for each
    level, number of holes and size of the smallest piece. The design stops after `evaluations`
    candidates or `seconds`, or on Ctrl-C and SIGTERM, which make a checkpoint and then raise
    KeyboardInterrupt. It runs on `threads` of this machine or on a `cluster`, as `solve_into` does,
    with the same results. A file of that name is replaced.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/cubes.kumitate"
    >>> done = design_into(path, "4x4x4", Wish(pieces=4, holes=1), evaluations=30_000)
    >>> done.found > 5
    True
    """
    plan = Budget(**budget)
    brief_for(goal, wish, title=title, colours=colours)  # which refuses what is impossible
    puzzle, start = None, None
    if isinstance(goal, Shape):
        puzzle = Puzzle.of(Problem(goal, []))
    elif isinstance(goal, Assembly):
        puzzle, start = Puzzle.of(goal.problem), Solution(goal)
    if puzzle:
        puzzle = dataclasses.replace(puzzle, title=title, colours=colours)
    asked = DesignQuestion(goal if isinstance(goal, str) else "", wish)
    with crewed(cluster) as client:
        store.create_collection(Path(path), puzzle, asked, "", start)
        return _resume(path, plan, client)


def resume_design(
    path: str | os.PathLike[str],
    *,
    cluster: "str | Client | None" = None,
    **budget: Unpack[BudgetKeywords],
) -> Sampling:
    """Resume a design: first from the best puzzles in the file, then with new climbs.

    New puzzles must be better than those in the file. `evaluations` count from the very beginning,
    `seconds` from now. A limit that was reached no longer counts.
    """
    plan = Budget(**budget)
    with crewed(cluster) as client:
        return _resume(path, plan, client)


def _resume(path: str | os.PathLike[str], budget: Budget, client: "Client | None") -> Sampling:
    with store.open_collection(path) as collection:
        collection.verify()
        brief = brief_for(**question_of(collection))
        last = collection.checkpoint()
        reached = last.samples >= (last.stop_after or store.ENDLESS)
        collection.begin(budget.evaluations or (store.ENDLESS if reached else None), None)
        _run(collection, brief, budget, client)
        return collection.summary()


def question_of(collection: Collection) -> dict[str, Any]:
    """What a collection is to design, as the arguments of `brief_for`."""
    asked, puzzle = collection.design, collection.puzzle
    if puzzle is None:
        return {"goal": asked.goal, "wish": asked.wish}
    goal = collection.start or puzzle.problems[0].goal
    return {"goal": goal, "wish": asked.wish, "title": puzzle.title, "colours": puzzle.colours}


def _run(collection: Collection, brief: Brief, budget: Budget, client: "Client | None") -> None:
    journal = _DesignJournal(collection, brief)
    before, end = journal.evaluations, collection.checkpoint().stop_after or store.ENDLESS
    began = saved = time.monotonic()
    ends = began + (budget.seconds if budget.seconds is not None else float("inf"))
    seed = brief.wish.seed + (collection.turn - 1) * SESSION  # each session climbs anew
    state: State = "paused"
    with (
        signals(lambda: None) as caught,
        _crew(collection, seed, budget.threads, client) as crew,
        closing(
            improvements(
                brief,
                journal.archive,
                seed=seed,
                crew=crew,
                stop=lambda: bool(caught) or time.monotonic() > ends,
                starts=journal.starts(),
            )
        ) as found,
    ):
        try:
            for one in found if before < end else ():
                so_far = one.evaluations if isinstance(one, Progress) else one.sample
                if before + so_far > end:
                    state = "limit"
                    journal.evaluations = end
                    break
                journal.evaluations = before + so_far
                if isinstance(one, Design):
                    journal.note(one)
                now = time.monotonic()
                if now - saved >= budget.checkpoint:
                    journal.commit(now - saved, "running")
                    saved = now
                if budget.progress is not None:
                    budget.progress(journal.summary())
            else:
                if before >= end or (not caught and time.monotonic() > ends):
                    state = "limit"
        except BaseException:
            with suppress(PuzzleError):  # which would hide what came first
                journal.commit(time.monotonic() - saved, state)
            raise
        journal.commit(time.monotonic() - saved, state)
    if caught:
        raise KeyboardInterrupt


def _crew(collection: Collection, seed: int, threads: int, client: "Client | None") -> Executor:
    """Threads, or the workers of a cluster."""
    if client is None:
        return ThreadPoolExecutor(threads)
    from kumitate.jobs.climbers import Climbers

    return Climbers(client, seed, question_of(collection))


class _DesignJournal:
    """The archive of a design, with what is not written yet."""

    def __init__(self, collection: Collection, brief: Brief) -> None:
        self.collection, self.brief = collection, brief
        self.written = collection.summary()
        self.evaluations = self.written.samples
        self.samples: dict[Niche, int] = {}
        self.archive: dict[Niche, Score] = {}
        for number in range(1, self.written.found + 1):
            [entry] = collection.page(number, 1)
            niche = niche_of(collection.document(number).puzzle.problems[0], entry.level)
            self.samples[niche] = entry.sample
            self.archive[niche] = store.unpack_score(entry.score)
        self.best = self.written.best
        self.best_score = max(self.archive.values(), default=())
        self.fresh: dict[Niche, Entry] = {}
        self.gone: set[int] = set()

    def starts(self) -> list[Pieces]:
        """The best puzzles in the file, as far as their pieces lie at home."""
        solutions = (found.solution for found in self.collection.found(1, STARTS))
        shapes = (solution.assembly.shapes for solution in solutions if solution)
        pieces = ([frozenset(shape.cells) for shape in some] for some in shapes)
        return [start for start in map(self.brief.space.arranged, pieces) if start]

    def note(self, design: Design) -> None:
        niche, sample = design.niche, max(self.evaluations, 1)
        taken = {*self.samples.values()}
        while sample in taken:  # several found by one climb
            sample += 1
        if niche not in self.fresh and niche in self.samples:
            self.gone.add(self.samples[niche])
        how = found_how(self.brief.wish.seed, sample)
        puzzle = dataclasses.replace(design.puzzle, comment=how)
        self.fresh[niche] = store.entry_of(sample, puzzle, design.answers, design.key, design.score)
        self.samples[niche] = sample
        if design.score > self.best_score:
            self.best_score, self.best = design.score, str(design.levels)

    def commit(self, seconds: float, state: State) -> None:
        entries = self.fresh.values()
        self.written = self.collection.commit_designs(
            entries, self.gone, self.evaluations, seconds, state
        )
        self.fresh, self.gone = {}, set()

    def summary(self) -> Sampling:
        return dataclasses.replace(
            self.written, samples=self.evaluations, found=len(self.archive), best=self.best
        )
