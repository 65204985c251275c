"""A solve into a file finds what a solve in memory finds, whatever stops it on the way."""

import os
import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from tests.forgery import forge
from tests.jobs.kill_harness import contents, faults

import kumitate
from kumitate import CUBES, Piece, Problem, Puzzle, PuzzleError, Shape
from kumitate.jobs import checkpoint as record
from kumitate.jobs import work
from kumitate.model.options import RunOptions
from kumitate.search import Progress
from kumitate.store import Order, Recorder, Task, open_run


def puzzle_of(goal: Shape, *pieces: Piece, **rules: object) -> Puzzle:
    problem = Problem(goal, pieces, **rules)  # type: ignore[arg-type]
    return Puzzle(CUBES, [*dict.fromkeys([goal, *(piece.shape for piece in pieces)])], [problem])


def box(*size: int, optional: bool = False) -> Shape:
    x, y, z = size
    cells = {(a, b, c, 0) for a in range(x) for b in range(y) for c in range(z)}
    return Shape(CUBES, cells, cells if optional else set(), name="box")


def copies() -> Puzzle:
    """A shape entered three times, with copies, one of them pinned."""
    bar = Shape.from_text(CUBES, "##", name="bar")
    pieces = [Piece(bar.named(name), low, high) for name, low, high in [("a", 1, 3), ("b", 2, 8)]]
    problem = Problem(box(4, 3, 1), pieces, pinned=[kumitate.Placement(1, 0, (0, 0, 0))])
    return Puzzle(CUBES, [box(4, 3, 1), *(p.shape for p in pieces)], [problem])


def ranges() -> Puzzle:
    """Assemblies of different lengths."""
    cell, bar = Shape.from_text(CUBES, "#", name="cell"), Shape.from_text(CUBES, "##", name="bar")
    return puzzle_of(box(3, 3, 1), Piece(cell, 0, 9), Piece(bar, 0, 4))


def coloured() -> Puzzle:
    """Placements that differ only in colour: one node of the search gives several assemblies."""
    goal = Shape.from_text(CUBES, "+++/+++/#+.", name="goal")
    plain = Shape.from_text(CUBES, "##", name="plain")
    red = Shape.from_text(CUBES, "ab", name="red")
    blue = Shape.from_text(CUBES, "aa", name="blue")
    return puzzle_of(goal, Piece(plain, 0, 1), Piece(red, 1, 2), Piece(blue, 0, 1))


def mirrored_pair() -> Puzzle:
    """A reflection turns some assemblies into ones of other pieces, and some of the same pieces."""
    ell = Shape.from_text(CUBES, "###/#..", name="L")
    square = Shape.from_text(CUBES, "##/##", name="O")
    return puzzle_of(box(4, 4, 1), Piece(ell, 0, 4), Piece(square, 0, 4))


def loose() -> Puzzle:
    return puzzle_of(
        box(3, 2, 2, optional=True), Piece(Shape.from_text(CUBES, "##/#.", name="L"), 1, 2)
    )


PUZZLES = [copies, ranges, coloured, mirrored_pair, loose]
OPTIONS = [
    {},
    {"mirrors": True},
    {"rotations": True},
    {"thorough": True},
    {"distinct_copies": True},
]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "".join(options) or "plain")
@pytest.mark.parametrize("make", PUZZLES, ids=lambda make: make.__name__)
def test_what_is_kept_are_the_assemblies(
    tmp_path: Path, make: Callable[[], Puzzle], options: dict[str, bool], threads: int
) -> None:
    puzzle = make()
    path = tmp_path / "run.kumitate"
    told = kumitate.solve_into(path, puzzle, threads=threads, **options)  # type: ignore[arg-type]
    wanted = list(kumitate.assemble(puzzle.problems[0], **options))  # type: ignore[arg-type]
    counted = kumitate.count(puzzle.problems[0], **options)  # type: ignore[arg-type]
    with open_run(path) as run:
        found = [solution.assembly for solution in run]
        assert [solution.assembly_number for solution in run] == list(range(1, len(found) + 1))
    assert (told.state, told.fraction) == ("done", 1)
    assert (told.assemblies, told.kept) == (len(wanted), len(wanted))
    assert told.rotations == (None if "thorough" in options else counted.rotations)
    assert Counter(map(str, found)) == Counter(map(str, wanted))
    assert set(found) == set(wanted)
    if threads == 1:
        assert found == wanted


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("make", PUZZLES, ids=lambda make: make.__name__)
def test_a_limit_raised_again_and_again_ends_with_all(
    tmp_path: Path, make: Callable[[], Puzzle], threads: int, apart: bool
) -> None:
    """The limit is exact, wherever in a slice of the search it is reached."""
    path, whole = tmp_path / "run.kumitate", tmp_path / "whole.kumitate"
    chance = random.Random(make.__name__)
    puzzle = make()
    kumitate.solve_into(whole, puzzle, disassemble=apart)
    limit = 1
    told = kumitate.solve_into(path, puzzle, limit=limit, threads=threads, disassemble=apart)
    while told.state == "limit":
        assert (told.solutions if apart else told.assemblies) == limit
        assert (told.kept == limit, faults(path)) == (True, [])
        limit += chance.randrange(1, 40)
        told = kumitate.resume(path, limit=limit, threads=threads)
    assert told.state == "done"
    assert contents(path) == contents(whole)


def test_a_slice_may_be_reported_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if disassembly were slow: one batch per assembly, and a stop after any of them."""
    monkeypatch.setattr(work, "REPORT_SECONDS", -1.0)
    monkeypatch.setattr(work, "TICK", 1e9)  # many assemblies in a slice
    path, whole = tmp_path / "run.kumitate", tmp_path / "whole.kumitate"
    burrs = kumitate.library["six-piece-burr"]
    kumitate.solve_into(whole, burrs, disassemble=True)
    told = kumitate.solve_into(path, burrs, disassemble=True, limit=5)
    while told.state == "limit":
        assert faults(path) == []
        told = kumitate.resume(path, limit=(told.solutions or 0) + 17, threads=2, checkpoint=0.001)
    assert contents(path) == contents(whole)
    with open_run(path) as run, open_run(whole) as other:
        assert run.summary().levels == other.summary().levels
        assert (run.summary().rigid, run.summary().nodes) == (409, 16847)


def test_progress_only_grows_from_one_life_to_the_next(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    seen: list[Progress] = []
    puzzle = kumitate.library["pentominoes/3x4x5"]
    told = kumitate.solve_into(path, puzzle, limit=500, progress=seen.append, threads=2)
    while told.state == "limit":
        told = kumitate.resume(
            path, limit=told.assemblies + 500, threads=2, checkpoint=0.1, progress=seen.append
        )
        assert told.state == "done" or 0 < told.fraction < 1
    fractions = [progress.fraction for progress in seen]
    assert fractions == sorted(fractions)
    assert len(set(fractions)) > 20
    assert told.fraction == 1
    assert told.assemblies == 3940


def test_solutions_are_as_solve_gives_them(tmp_path: Path) -> None:
    puzzle = kumitate.library["six-piece-burr"]
    path = tmp_path / "run.kumitate"
    told = kumitate.solve_into(path, puzzle, disassemble=True)
    wanted = list(kumitate.solve(puzzle.problems[0], disassemble=True))
    with open_run(path) as run:
        assert list(run) == wanted
        document = run.document(most=10)
    assert (told.solutions, told.rigid, told.levels) == (179, 409, {"1.2": 31, "1": 148})
    assert document.warnings == ["only 10 of the run's 179 solutions are included"]
    [answers] = document.answers
    assert answers
    assert {str(solution.levels) for solution in answers.solutions} == {"1.2"}
    for solution in wanted[:20]:
        assert solution.disassembly
        assert kumitate.referee.disassembly_faults(solution.assembly, solution.disassembly) == []


def test_what_was_given_up_is_kept_without_a_disassembly(tmp_path: Path) -> None:
    puzzle = kumitate.library["maze-box"]
    path = tmp_path / "run.kumitate"
    told = kumitate.solve_into(path, puzzle, disassemble=True, max_states=100)
    assert (told.solutions, told.given_up, told.kept) == (0, 1, 1)
    with open_run(path) as run:
        [solution] = run.page(order="level")
    assert solution.disassembly is None
    assert solution.levels is None


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_disassembly_stops_when_asked(tmp_path: Path, threads: int) -> None:
    """Seven blocks in a closed tray: millions of states, so this takes at least some seconds."""
    path = tmp_path / "run.kumitate"
    finger = threading.Thread(target=interrupt_when_begun, args=[path])
    finger.start()
    start = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        kumitate.solve_into(path, tray(), disassemble=True, distinct_copies=True, threads=threads)
    assert time.process_time() - start < 2.5
    finger.join()
    assert faults(path) == []
    with open_run(path) as run:
        assert run.summary().state == "paused"


def interrupt_when_begun(path: Path) -> None:
    """Press Ctrl-C soon after a run's threads have begun, however slow the machine is."""
    begun = False
    while not begun:
        time.sleep(0.05)
        with suppress(sqlite3.OperationalError):
            connection = sqlite3.connect(path.as_uri() + "?mode=ro", uri=True)
            begun = connection.execute("SELECT count(*) FROM checkpoint").fetchone() == (1,)
            connection.close()
    while not any("(_work)" in thread.name for thread in threading.enumerate()):
        time.sleep(0.05)
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)


def tray() -> Puzzle:
    inside = [(x, y, 0, 0) for x in range(3) for y in range(4)]
    around = {(a, b, c, 0) for a in range(-1, 4) for b in range(-1, 5) for c in (-1, 0, 1)}
    walls = Shape(CUBES, around - set(inside), name="walls")
    goal = Shape(CUBES, around, set(inside), name="goal")
    blocks = [Shape(CUBES, {cell}, name=f"{n}") for n, cell in enumerate(inside[:9])]
    return puzzle_of(goal, *map(Piece, [walls, *blocks]))


def test_every_nth_is_kept(tmp_path: Path) -> None:
    whole, path = tmp_path / "whole.kumitate", tmp_path / "run.kumitate"
    kumitate.solve_into(whole, kumitate.library["soma"])
    told = kumitate.solve_into(path, kumitate.library["soma"], keep="every:7")
    assert (told.assemblies, told.kept) == (240, 35)
    with open_run(path) as run, open_run(whole) as all_of_it:
        assert list(run) == list(all_of_it)[::7]


@pytest.mark.parametrize(("keep", "key"), [("best:40", "level"), ("best-moves:40", "moves")])
def test_the_best_are_kept(tmp_path: Path, keep: str, key: Order) -> None:
    puzzle = kumitate.library["six-piece-burr"]
    whole, path = tmp_path / "whole.kumitate", tmp_path / "run.kumitate"
    kumitate.solve_into(whole, puzzle, disassemble=True)
    told = kumitate.solve_into(path, puzzle, disassemble=True, keep=keep, checkpoint=0.01)
    assert (told.solutions, told.kept, told.levels) == (179, 40, {"1.2": 31, "1": 148})
    with open_run(path) as run, open_run(whole) as all_of_it:
        ranks = [rank(solution) for solution in run.page(1, 100, key)]
        assert ranks == [rank(solution) for solution in all_of_it.page(1, 40, key)]
        assert sorted(ranks) == sorted(map(rank, run))
    assert faults(path) == []


def rank(solution: kumitate.Solution) -> tuple[int, int]:
    assert solution.levels
    return solution.levels.moves, solution.levels.total


def test_counting_keeps_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    told = kumitate.solve_into(path, kumitate.library["soma"], keep="none", threads=2)
    assert (told.assemblies, told.rotations, told.kept) == (240, 11520, 0)
    with open_run(path) as run:
        assert (list(run), len(run)) == ([], 0)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"keep": "best:3"}, "ranks assemblies by how they come apart"),
        ({"keep": "worst:3"}, "keep 'worst:3' is unknown; use all, none, every:N"),
        ({"keep": "every:0"}, "keep 'every:0' is unknown"),
        ({"problem": 2}, "there is no problem 2; the puzzle has"),
        ({"limit": 0}, "limit 0: it must be at least 1"),
        ({"threads": 0}, "threads 0: it must be at least 1"),
    ],
)
def test_a_slip_is_one_line(tmp_path: Path, options: dict[str, object], complaint: str) -> None:
    path = tmp_path / "run.kumitate"
    with pytest.raises(PuzzleError, match=complaint):
        kumitate.solve_into(path, kumitate.library["soma"], **options)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_question_without_an_answer_is_done(tmp_path: Path) -> None:
    """A chequered board without two opposite corners cannot be filled with dominoes."""
    board = Shape.from_text(CUBES, ".###/####/####/###.", name="board")
    domino = Shape.from_text(CUBES, "##", name="domino")
    path = tmp_path / "run.kumitate"
    told = kumitate.solve_into(path, puzzle_of(board, Piece(domino, 7)), threads=2)
    assert (told.state, told.assemblies, told.fraction) == ("done", 0, 1)
    assert kumitate.resume(path) == told


def test_a_run_of_another_puzzle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    soma = kumitate.library["soma"]
    kumitate.solve_into(path, soma, limit=3)
    with pytest.raises(PuzzleError, match="a run of another puzzle"):
        kumitate.resume(path, puzzle=kumitate.library["bedlam"])
    with pytest.raises(PuzzleError, match="a run of another puzzle"):
        kumitate.resume(path, puzzle=replace(soma, title="Soma"))
    assert kumitate.resume(path, puzzle=soma, limit=500).state == "done"


def test_an_exception_in_progress_pauses_the_run(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    puzzle = kumitate.library["pentominoes/3x4x5"]

    def interrupt(now: Progress) -> None:
        if now.assemblies > 500:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        kumitate.solve_into(path, puzzle, threads=2, progress=interrupt)
    with open_run(path) as run:
        told = run.summary()
    assert (told.state, faults(path)) == ("paused", [])
    assert 500 < told.assemblies < 3940
    assert kumitate.resume(path, threads=2).assemblies == 3940


def test_a_search_in_another_order_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["soma"], limit=3)
    forge(path, "UPDATE run SET search = 'another', kumitate = '0.0.7'")
    with pytest.raises(PuzzleError, match=r"started by kumitate 0\.0\.7, which searches in a"):
        kumitate.resume(path, limit=500)
    with open_run(path) as run:
        assert len(run.page()) == 3


def test_the_second_to_write_takes_over(tmp_path: Path) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["soma"], limit=3)
    with open_run(path) as first, open_run(path) as second:
        one, two = Recorder(first), Recorder(second)
        with pytest.raises(PuzzleError, match="another process has resumed this run"):
            one.commit([], 0, "paused")
        two.commit([], 0, "paused")


def test_two_that_begin_at_once_do_not_both_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second writer begins when the first has taken its turn, but not yet read the file."""
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["soma"], limit=3)
    others: list[Recorder] = []

    def begin() -> None:
        with open_run(path) as run:
            others.append(Recorder(run))

    other = threading.Thread(target=begin)
    with open_run(path) as run:
        read = run.tasks

        def tasks() -> dict[int, Task]:
            other.start()
            other.join(0.5)
            return read()

        monkeypatch.setattr(run, "tasks", tasks)
        first = Recorder(run)
        other.join()
        assert [first.at.turn + 1] == [recorder.at.turn for recorder in others]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_twice_at_once_is_one(number: signal.Signals) -> None:
    stops: list[str] = []
    with record.signals(lambda: stops.append("stop")) as caught:
        signal.raise_signal(number)
        signal.raise_signal(number)
    assert (stops, caught) == (["stop"], [number])


def test_a_later_ctrl_c_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "SIGNAL_SECONDS", 0.0)
    with record.signals(lambda: None):
        signal.raise_signal(signal.SIGINT)
        time.sleep(0.01)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_instruction_sets_search_in_one_order(tmp_path: Path) -> None:
    """So a run can be resumed on another machine."""
    from kumitate import _core

    best, told = _core.instruction_set(), set()
    try:
        for name in ["plain", *{best}]:
            _core.use_instruction_set(name)
            told.add(work.Desk(kumitate.library["bedlam"], 1, RunOptions(), "").fingerprint)
    finally:
        _core.use_instruction_set(best)
    assert len(told) == 1


@pytest.mark.parametrize("step", ["_is_over", "_crew"])
def test_ctrl_c_before_the_search_begins_leaves_a_paused_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    path = tmp_path / "run.kumitate"
    with monkeypatch.context() as patch:
        patch.setattr(f"kumitate.jobs.solve.{step}", interrupted)
        with pytest.raises(KeyboardInterrupt):
            kumitate.solve_into(path, kumitate.library["soma"])
    with open_run(path) as run:
        assert run.summary().state == "paused"
    assert kumitate.resume(path).assemblies == 240
