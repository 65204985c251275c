"""Find one: the first assembly of a packing too large to enumerate, or proof that there is none.

First the arguments that need no search. Then engines, side by side, and the first answer wins:

    cover   the core's searches, started again and again with other random choices
    sat     a SAT solver, CaDiCaL (python-sat, an extra); strong where one must look far ahead
    local   a local search for the most placements without collisions; it can only find, not refute,
            and only where as many placements as can be are always an assembly
    divide  for copies of one piece: cuts the goal into parts that are each filled

Each runs on a thread of its own and checks every few milliseconds whether another was faster; the
SAT solver cannot, so it is a process that is killed.
"""

import json
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from kumitate import _core
from kumitate.model.argument import Argument
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import given, require_number, require_whole
from kumitate.model.puzzle import Problem
from kumitate.model.solution import Assembly
from kumitate.model.text import draw_page
from kumitate.search.assemble import PreparedProblem
from kumitate.search.faults import volume_fault
from kumitate.search.one import sat_process
from kumitate.search.one.arguments import argument_about
from kumitate.search.one.divide import divide_objection, divided
from kumitate.search.threads import cores, start_all

ENGINES = ("cover", "sat", "local", "divide")
PIP = {"sat": "pip install 'kumitate[sat]'"}
TICK = 20  # milliseconds between two checks by an engine
GRACE = 0.1  # seconds; an engine that still builds its collision graph is left to finish
HEAD_START = 0.2  # seconds that the first engine has before others join: most need no more
MOST_COLLISIONS = 40_000_000  # that a local search is made for: some 500 MB

WHOLE_SEARCH = Argument("every possibility was searched")
REFUTED = Argument("a SAT solver refuted it")


class FirstProgress(NamedTuple):
    """How far a search for one assembly is."""

    seconds: float
    nodes: int  # of the cover engine
    restarts: int
    placed: int  # the most placements without collisions that the local engine saw


@dataclass(frozen=True)
class FirstResult:
    """The result of a search for one assembly: an assembly, or why there is none.

    If it has neither, time ran out.
    """

    assembly: Assembly | None = None
    argument: Argument | None = None  # why there is none
    engine: str = ""  # which answered; empty if it needed no search, or none did
    seconds: float = 0
    nodes: int = 0

    def __str__(self) -> str:
        if self.assembly is not None:
            return str(self.assembly)
        if self.argument is not None:
            return f"no assembly exists: {self.argument.text}"
        return f"not found in {self.seconds:.1f} s"

    def __repr__(self) -> str:
        found = f"an assembly, by {self.engine}" if self.assembly is not None else str(self)
        return f"<FirstResult: {found}>"


def first(
    problem: Problem,
    *,
    seconds: float | None = None,
    engine: str = "auto",
    seed: int = 0,
    progress: Callable[[FirstProgress], None] | None = None,
) -> FirstResult:
    """An assembly, or why there is none, or neither if `seconds` ran out.

    `engine="auto"` runs as many engines as there are cores; otherwise only the one that is named,
    which gives the same answer for the same seed (sat may not).

    >>> from kumitate.library import library
    >>> [problem] = library["y25"].problems
    >>> found = first(problem)
    >>> len(found.assembly.placements)
    25
    """
    require_whole(0, seed=seed)
    require_number(0, **given(seconds=seconds))
    start = time.monotonic()
    prepared = PreparedProblem(problem, hopeless=True)
    lineup = _lineup(prepared, engine)
    argument = argument_about(prepared)
    if argument is not None:
        return FirstResult(argument=argument, seconds=time.monotonic() - start)
    portfolio = _Portfolio(
        prepared, seed, start, None if seconds is None else start + seconds, progress
    )
    return portfolio.run(lineup)


def missing_engines() -> dict[str, str]:
    """The engines that are not installed, and the command that gets each.

    >>> missing_engines().keys() <= {"sat"}
    True
    """
    return {"sat": PIP["sat"]} if find_spec("pysat") is None else {}


def _lineup(prepared: PreparedProblem, engine: str) -> list[str]:
    """The engines to run, the first with a head start."""
    if engine == "auto":
        some = ["cover"]
        some += [] if divide_objection(prepared.problem) else ["divide"]
        some += [] if missing_engines() else ["sat"]
        some += [] if local_objection(prepared) else ["local"]
        return (some + ["cover"] * cores())[: max(2, cores()) + ("divide" in some)]
    if engine not in ENGINES:
        raise PuzzleError(f"there is no engine {engine!r}; use auto, {', '.join(ENGINES)}")
    if engine in missing_engines():
        raise PuzzleError(f"engine {engine} is not installed; run: {PIP[engine]}")
    objection = local_objection(prepared) if engine == "local" else None
    objection = divide_objection(prepared.problem) if engine == "divide" else objection
    if objection:
        raise PuzzleError(f"engine {engine} cannot answer this: {objection}; try cover or sat")
    return [engine]


def local_objection(prepared: PreparedProblem) -> str | None:
    """Why the most placements without collisions need not be an assembly, or None if they are.

    They are one if every piece has an exact number, for then all pieces are placed and by their
    volume fill the goal; or if all have the same size, and it does not matter how many of which.
    """
    problem = prepared.problem
    pieces = problem.pieces
    full = prepared.holes == 0 or not problem.goal.optional
    if not full and (problem.goal.fixed or problem.pinned):
        return "some cells must be covered and others need not be"
    if all(piece.min == piece.max for piece in pieces):
        return None
    if not full or len({len(piece.shape) for piece in pieces}) > 1:
        return "pieces of different sizes have a range of copies"
    if len(pieces) > 1 and any(piece.min for piece in pieces):
        return "a piece has a range that does not begin at 0"
    return None


def _wanted(prepared: PreparedProblem) -> int:
    """How many placements make an assembly; more than fit, if it takes a part of one."""
    pieces = prepared.problem.pieces
    if all(piece.min == piece.max for piece in pieces):
        return sum(piece.min for piece in pieces)
    return -(-len(prepared.problem.goal) // len(pieces[0].shape))


class _Answer(NamedTuple):
    engine: str
    names: list[int] | None  # of the placements; None: there is no assembly


class _Portfolio:
    """The engines at work on one question."""

    def __init__(
        self,
        prepared: PreparedProblem,
        seed: int,
        start: float,
        deadline: float | None,
        progress: Callable[[FirstProgress], None] | None,
    ) -> None:
        self.prepared, self.seed, self.start, self.deadline = prepared, seed, start, deadline
        self.progress = progress
        self.stop = threading.Event()
        self.answers: SimpleQueue[_Answer | BaseException | None] = SimpleQueue()
        self.searches: list[_core.RestartSearch] = []
        self.placed = 0

    def run(self, lineup: list[str]) -> FirstResult:
        tasks = ((e, self.seed + n, HEAD_START if n else 0) for n, e in enumerate(lineup))
        threads = [threading.Thread(target=self._work, args=task, daemon=True) for task in tasks]
        try:
            start_all(threads)
            answer = self._first_answer(len(threads))
        finally:
            self.stop.set()
            for thread in threads:
                if thread.ident is not None:
                    thread.join(GRACE)
            if any(thread.is_alive() for thread in threads):
                _core.expect_leaks()  # if Python ends before they do
        spent = time.monotonic() - self.start
        nodes = sum(search.nodes for search in self.searches)
        if answer is None:
            return FirstResult(seconds=spent, nodes=nodes)
        if answer.names is None:
            why = REFUTED if answer.engine == "sat" else WHOLE_SEARCH
            return FirstResult(argument=why, engine=answer.engine, seconds=spent, nodes=nodes)
        assembly = self.prepared.assembly(answer.names)
        return FirstResult(assembly, engine=answer.engine, seconds=spent, nodes=nodes)

    def _first_answer(self, working: int) -> _Answer | None:
        failure: BaseException | None = None
        while working:
            try:
                answer = self.answers.get(timeout=TICK / 1000)
            except Empty:
                self._tell()
                if self.deadline is not None and time.monotonic() >= self.deadline:
                    return None
                continue
            if isinstance(answer, _Answer):
                return answer
            failure = answer or failure
            working -= 1  # others may still find it
        if failure is not None:
            raise failure
        return None

    def _tell(self) -> None:
        if self.progress is not None:
            nodes = sum(search.nodes for search in self.searches)
            restarts = sum(search.restarts for search in self.searches)
            spent = time.monotonic() - self.start
            self.progress(FirstProgress(spent, nodes, restarts, self.placed))

    def _work(self, engine: str, seed: int, wait: float) -> None:
        works = {
            "cover": self._cover,
            "sat": self._sat,
            "local": self._local,
            "divide": self._divide,
        }
        answer: _Answer | BaseException | None = None
        try:
            if not (wait and self.stop.wait(wait)):
                answer = works[engine](seed)
        except BaseException as error:
            answer = error
        self.answers.put(answer)

    def _cover(self, seed: int) -> _Answer | None:
        search = self.prepared.core.restart_search(self.prepared.holes, seed)
        self.searches.append(search)
        while not self.stop.is_set():
            outcome = search.run(TICK)
            if outcome != _core.Outcome.GOING:
                found = outcome == _core.Outcome.FOUND
                return _Answer("cover", search.names if found else None)
        return None

    def _local(self, seed: int) -> _Answer | None:
        local = self.prepared.core.local(False, seed, MOST_COLLISIONS)
        wanted = _wanted(self.prepared)
        if local is None:
            raise PuzzleError("engine local: there are too many collisions; try cover or sat")
        while not self.stop.is_set():
            if local.run(TICK, wanted):
                return _Answer("local", local.names)
            self.placed = local.best
            if local.size[1] == 0:
                break  # nothing collides, and still it is not enough
        return None

    def _divide(self, seed: int) -> _Answer | None:
        found = divided(self.prepared.problem, seed, self.stop.is_set)
        if found is None:
            return None
        names = {row: name for name, row in enumerate(self.prepared.table.rows)}
        return _Answer("divide", sorted(names[(0, p.turn, *p.shift)] for p in found))

    def _sat(self, seed: int) -> _Answer | None:
        cover = _cover_of(self.prepared)
        with _Sat(cover, seed, why=False) as solver:
            while not solver.over:
                if self.stop.wait(TICK / 1000):
                    return None
            [answer] = solver.answers()
        chosen = answer["chosen"]
        return _Answer("sat", chosen and sorted(cover["name"][i] for i in chosen))


def _cover_of(prepared: PreparedProblem) -> dict[str, Any]:
    """The cover as the SAT process reads it."""
    optional, least, most, piece, name, covers = prepared.core.cover()
    return {
        "optional": optional,
        "least": least,
        "most": most,
        "piece": piece,
        "name": name,
        "covers": covers,
        "holes": prepared.holes,
        # of one kind there are as many as fill the goal, whether that is said or not
        "counts": len(least) > 1 or prepared.holes > 0 or bool(volume_fault(prepared.problem)),
    }


class _Sat:
    """The SAT solver as a process, and its answers so far; it is killed on exit."""

    def __init__(self, cover: dict[str, Any], seed: int, why: bool) -> None:
        from kumitate import child  # with asyncio, which answers without SAT need not import

        self.said, self.errors = TemporaryFile(), TemporaryFile()  # noqa: SIM115
        with TemporaryFile() as asked:  # not a pipe, on which a slow start would keep us waiting
            asked.write(json.dumps({"cover": cover, "seed": seed, "why": why}).encode())
            asked.seek(0)
            self.process = subprocess.Popen(
                child.command(sat_process.__name__),
                stdin=asked,
                stdout=self.said,
                stderr=self.errors,
            )

    def __enter__(self) -> "_Sat":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.said.close()
        self.errors.close()

    @property
    def over(self) -> bool:
        return self.process.poll() is not None

    def answers(self) -> list[Any]:
        if self.process.poll():
            self.errors.seek(0)
            last = (self.errors.read().decode().strip().splitlines() or ["no answer"])[-1]
            raise PuzzleError(f"engine sat failed: {last}")
        self.said.seek(0)
        lines = self.said.read().decode().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]


@dataclass(frozen=True)
class Conflict:
    """Cells that cannot all be covered while these pieces are used as often as they must be."""

    problem: Problem
    cells: tuple[tuple[int, int, int, int], ...]
    pieces: tuple[int, ...]  # which of the problem's
    least: bool  # without any one of them the rest do not conflict

    def __str__(self) -> str:
        """In words, with the cells drawn."""
        names = list(dict.fromkeys(self.problem.label(piece) for piece in self.pieces))
        cells = f"{len(self.cells)} cell{'s' * (len(self.cells) != 1)}"
        end = "" if self.least else "\n(time ran out; a smaller set may exist)"
        if not self.cells:
            return f"{', '.join(names)} do not all fit at once{end}"
        page = dict.fromkeys(self.problem.goal.cells, "-") | dict.fromkeys(self.cells, "#")
        also = f" when {', '.join(names)} must be used" if names else ""
        drawn = draw_page(self.problem.grid, page)
        return f"these {cells} cannot all be covered{also}:\n\n{drawn}{end}"


def why(problem: Problem, *, seconds: float = 60, seed: int = 0) -> Conflict | None:
    """A smallest set of cells and pieces that already conflict; None if there is an assembly.

    Nothing can be left out of it, but another set may be smaller. Needs python-sat.
    """
    if missing_engines():
        raise PuzzleError(f"why needs python-sat, which is not installed; run: {PIP['sat']}")
    require_whole(0, seed=seed)
    require_number(0, seconds=seconds)
    prepared = PreparedProblem(problem, hopeless=True)
    cover = _cover_of(prepared) | {"counts": True}
    end = time.monotonic() + seconds
    with _Sat(cover, seed, why=True) as solver:
        while not solver.over and time.monotonic() < end:
            time.sleep(TICK / 1000)
        late, conflicts = not solver.over, solver.answers()
    if not conflicts:
        if late:
            raise PuzzleError(f"found no conflict in {seconds:g} s")
        return None
    last = conflicts[-1]
    cells = sorted(problem.goal.cells)
    pieces = (piece for kind in last["pieces"] for piece in prepared.table.kinds[kind])
    return Conflict(problem, tuple(cells[n] for n in last["cells"]), tuple(pieces), last["least"])
