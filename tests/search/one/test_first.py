"""One assembly, or why there is none: every engine against the specification and the referee."""

import os
import re
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from tests.children import MAIN, interrupted
from tests.search.boxes import box, problems
from tests.search.specification import all_assemblies

import kumitate
from kumitate import (
    CUBES,
    Assembly,
    Piece,
    Placement,
    Problem,
    PuzzleError,
    Shape,
    _core,
    count,
    first,
    library,
    pack,
    why,
)
from kumitate.cli import main
from kumitate.model.options import CountOptions
from kumitate.referee import assembly_faults
from kumitate.search.assemble import PreparedProblem
from kumitate.search.one import first as findone
from kumitate.search.one import sat_process
from kumitate.search.one.arguments import argument_about
from kumitate.search.one.pack import loosened

has_sat = pytest.mark.skipif("sat" in findone.missing_engines(), reason="python-sat is an extra")
each_engine = pytest.mark.parametrize(
    "engine", ["auto", "cover", "local", pytest.param("sat", marks=has_sat)]
)


def draw(text: str, name: str = "") -> Shape:
    return Shape.from_text(CUBES, text, name=name)


def problem_of(name: str) -> Problem:
    [problem] = library[name].problems
    return problem


@pytest.fixture
def no_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave it all to the engines."""
    monkeypatch.setattr(findone, "argument_about", lambda prepared: None)


# ---- what engines find ----


@each_engine
@pytest.mark.parametrize("name", ["y25", "soma", "conway"])
def test_an_engine_finds_an_assembly(engine: str, name: str) -> None:
    if (engine, name) == ("local", "conway"):
        pytest.skip("too hard for a local search")
    found = first(problem_of(name), engine=engine, seconds=60)
    assert found.assembly is not None
    assert assembly_faults(found.assembly) == []
    assert engine in ("auto", found.engine)


@pytest.mark.parametrize("engine", ["auto", "cover"])
def test_the_t_cube_is_found(engine: str) -> None:
    found = first(problem_of("t-cube"), engine=engine, seconds=60)
    assert found.assembly is not None
    assert assembly_faults(found.assembly) == []


def test_more_cells_than_the_list_core_holds_are_found() -> None:
    found = first(box("T", 8, 8, 8), engine="cover", seconds=60)
    assert found.assembly is not None
    assert assembly_faults(found.assembly) == []


@pytest.mark.parametrize(("letter", "size"), [("Y", (10, 10, 10)), ("N", (10, 10, 5))])
@pytest.mark.parametrize("engine", ["divide", "auto"])
def test_a_large_box_is_filled_part_by_part(
    engine: str, letter: str, size: tuple[int, int, int]
) -> None:
    found = first(box(letter, *size), engine=engine, seconds=60)
    assert found.assembly is not None
    assert assembly_faults(found.assembly) == []


def test_what_cannot_be_divided_is_said() -> None:
    with pytest.raises(PuzzleError, match="copies of a single piece"):
        first(problem_of("soma"), engine="divide")
    assert first(box("N", 5, 4), engine="divide").assembly is None


@pytest.mark.usefixtures("no_argument")
@pytest.mark.parametrize("engine", ["auto", "cover", pytest.param("sat", marks=has_sat)])
@pytest.mark.parametrize(
    "problem",
    [
        box("L", 3, 3),
        box("T", 4, 5),
        Problem(draw("####/####"), [Piece(draw(".##/##."), 2), Piece(draw("#"), 0)]),
        Problem(draw("##+/###"), [Piece(draw("##/##"), 1, 1)], max_holes=0),
    ],
)
def test_an_engine_proves_that_there_is_none(engine: str, problem: Problem) -> None:
    found = first(problem, engine=engine, seconds=60)
    assert found.assembly is None
    assert found.argument is not None
    assert found.argument.text in ("every possibility was searched", "a SAT solver refuted it")


@pytest.mark.usefixtures("no_argument")
def test_a_local_search_never_says_that_there_is_none() -> None:
    start = cpu_seconds()
    found = first(box("L", 3, 3), engine="local", seconds=0.2)
    assert cpu_seconds() - start < 0.7
    assert (found.assembly, found.argument) == (None, None)
    assert found.seconds >= 0.2
    assert str(found) == f"not found in {found.seconds:.1f} s"


def by_cover(prepared: PreparedProblem) -> list[int] | None:
    search = prepared.core.restart_search(prepared.holes, 1)
    outcome = _core.Outcome.GOING
    while outcome == _core.Outcome.GOING:
        outcome = search.run(100)
    return search.names if outcome == _core.Outcome.FOUND else None


def by_sat(prepared: PreparedProblem) -> list[int] | None:
    pytest.importorskip("pysat")
    cover = findone._cover_of(prepared)
    chosen = sat_process.solve(cover, 1)
    return None if chosen is None else sorted(cover["name"][i] for i in chosen)


@pytest.mark.parametrize("engine", [by_cover, by_sat])
@settings(max_examples=150, deadline=None)
@given(problem=problems(ruled=True))
def test_engines_agree_with_the_specification(
    engine: Callable[[PreparedProblem], list[int] | None], problem: Problem
) -> None:
    names = engine(prepared := PreparedProblem(problem, hopeless=True))
    assert (names is not None) == bool(all_assemblies(problem))
    if names is not None:
        assert assembly_faults(prepared.table.assembly(names)) == []


@settings(max_examples=100, deadline=None)
@given(problem=problems(ruled=True))
def test_where_the_local_engine_applies_it_finds_what_there_is(problem: Problem) -> None:
    prepared = PreparedProblem(problem, hopeless=True)
    if findone.local_objection(prepared) or argument_about(prepared):
        return
    found = first(problem, engine="local", seconds=0.05)
    if found.assembly is not None:
        assert assembly_faults(found.assembly) == []
    else:
        assert not all_assemblies(problem)


def odd_goal() -> Problem:
    """Five cells to fill with dominoes, which cannot be, though the goal has four fixed ones."""
    cells = {(0, 0, 1, 0), (0, 1, 0, 0), (0, 1, 1, 0), (1, 0, 0, 0), (0, 0, 0, 0)}
    goal = Shape(CUBES, cells, optional={(0, 0, 0, 0)})
    return Problem(goal, [Piece(draw("##", "domino"), 1, 3)], max_holes=0)


@pytest.mark.usefixtures("no_argument")
@pytest.mark.parametrize("seed", range(5))
def test_the_local_engine_fills_whole_goals_only(seed: int) -> None:
    assert first(odd_goal(), engine="local", seconds=0.05, seed=seed).assembly is None
    assert not all_assemblies(odd_goal())


@pytest.mark.usefixtures("no_argument")
def test_a_wrong_answer_of_an_engine_is_an_internal_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An engine that takes two dominoes for five cells."""
    monkeypatch.setattr(findone, "_wanted", lambda prepared: 2)
    with pytest.raises(AssertionError, match="invalid assembly: nothing covers cell"):
        first(odd_goal(), engine="local")
    kumitate.save(kumitate.Puzzle.of(odd_goal()), tmp_path / "odd.kumitate.json")
    monkeypatch.setattr(
        sys, "argv", ["kumitate", "first", str(tmp_path / "odd.kumitate.json"), "--engine", "local"]
    )
    with pytest.raises(SystemExit) as leaving:
        main()
    assert leaving.value.code == 70
    [line] = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("kumitate: internal error: a search found an invalid assembly")


FILLED = Problem(draw("##+/##+"), [Piece(draw("##", "bar"), 2, 3)], max_holes=1)
BROKEN = "a count, a pin or a ban is broken"


@pytest.mark.parametrize(
    ("problem", "placed", "fault"),
    [
        (FILLED, ["00 10", "01 11", "20 21"], ""),
        (FILLED, ["00 10", "01 11"], "too many cells are empty"),
        (FILLED, ["00 10", "00 01"], "two pieces cover cell 0"),
        (FILLED, ["00 10", "20 21"], "nothing covers cell 1"),
        (replace(FILLED, max_holes=2), ["00 10", "01 11"], ""),
        (replace(FILLED, max_holes=2, pieces=[Piece(draw("##"), 3)]), ["00 10", "01 11"], BROKEN),
        (
            replace(FILLED, max_holes=2, forbidden=[Placement(0, 0, (0, 1, 0))]),
            ["00 10", "01 11"],
            BROKEN,
        ),
        (
            replace(FILLED, max_holes=2, pinned=[Placement(0, 0, (1, 1, 0))]),
            ["00 10", "01 11"],
            BROKEN,
        ),
    ],
)
def test_what_is_wrong_with_an_answer_is_seen(
    problem: Problem, placed: list[str], fault: str
) -> None:
    """Placements by the x and y of their cells."""
    prepared = PreparedProblem(problem, hopeless=True)
    rows = [Placement(*row[:2], row[2:]) for row in prepared.table.rows]
    looks = [row.placed(problem.pieces[0].shape).cells for row in rows]
    cells = [{(int(xy[0]), int(xy[1]), 0, 0) for xy in text.split()} for text in placed]
    assert problem.max_holes is not None
    assert prepared.core.fault([looks.index(some) for some in cells], problem.max_holes) == fault


def test_what_a_run_would_keep_is_verified_too() -> None:
    """Bans that come after the search was prepared are bans that it breaks."""
    prepared = PreparedProblem(FILLED, CountOptions(rotations=True))
    prepared.prepare()
    for name in range(len(prepared.table.rows)):
        prepared.core.forbid(name)
    with pytest.raises(AssertionError, match="an invalid assembly: a count, a pin or a ban"):
        prepared.core.search().run(1000, 1000, 1)


@has_sat
@pytest.mark.parametrize("engine", ["cover", "sat", "auto"])
def test_pins_bans_colours_and_ranges_hold(engine: str) -> None:
    rod = Piece(draw("abb", "rod"), 1, 3)
    goal = draw("#a#/###/+++")
    pinned = [Placement(0, 0, (0, 1, 0))]
    problem = Problem(goal, [rod, Piece(draw("#", "dot"), 0, 3)], allowed=[(2, 1)], pinned=pinned)
    found = first(problem, engine=engine)
    assert found.assembly is not None
    assert assembly_faults(found.assembly) == []
    assert pinned[0] in found.assembly.placements
    banned = [p for p in found.assembly.placements if p not in pinned]
    other = first(replace(problem, forbidden=banned), engine=engine)
    if other.assembly is not None:
        assert not set(banned) & set(other.assembly.placements)
        assert assembly_faults(other.assembly) == []


# ---- how they are asked ----


def test_the_same_seed_gives_the_same_assembly() -> None:
    found = [first(problem_of("y25"), engine="cover", seed=seed) for seed in (3, 3, 4)]
    assert found[0].assembly == found[1].assembly
    assert found[0].assembly != found[2].assembly


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem(draw("##+"), [Piece(draw("##"))]), "others need not be"),
        (
            Problem(draw("####"), [Piece(draw("##"), 1, 2), Piece(draw("#.#"), 0, 2)]),
            "a range that does not begin at 0",
        ),
        (
            Problem(draw("####"), [Piece(draw("##"), 0, 2), Piece(draw("#"), 0, 4)]),
            "pieces of different sizes",
        ),
    ],
)
def test_the_local_engine_says_when_it_cannot(problem: Problem, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        first(problem, engine="local")


def test_an_engine_that_is_missing_is_named_with_the_way_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(findone, "find_spec", lambda name: None)
    with pytest.raises(PuzzleError, match=r"run: pip install 'kumitate\[sat\]'"):
        first(problem_of("soma"), engine="sat")
    with pytest.raises(PuzzleError, match="pip install"):
        why(box("L", 3, 3))
    assert first(problem_of("soma")).assembly is not None


def test_an_unknown_engine_is_a_mistake() -> None:
    with pytest.raises(PuzzleError, match="there is no engine 'quantum'; use auto, cover, sat"):
        first(problem_of("soma"), engine="quantum")


def test_what_cannot_be_meant_is_a_mistake_and_what_cannot_be_is_an_answer() -> None:
    with pytest.raises(PuzzleError, match="the goal is empty"):
        first(Problem(draw(""), [Piece(draw("#"))]))
    found = first(Problem(draw("###"), [Piece(draw("##"))]))
    assert found.argument is not None
    assert "the goal has 3 cells but the pieces fill 2" in found.argument.text
    assert str(found).startswith("no assembly exists: the goal has 3 cells")


# ---- when time is up ----


def too_hard() -> Problem:
    """One that no engine solves in seconds; of two pieces of one shape, so that it is not cut."""
    problem = box("Y", 10, 10, 8)
    shape = problem.pieces[0].shape
    return replace(problem, pieces=[Piece(shape, 1), Piece(shape, 159)])


def cpu_seconds() -> float:
    """Of this process and of its children that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


@each_engine
def test_engines_stop_when_time_is_up(engine: str) -> None:
    """All threads together use little more than that time, and no process is left behind."""
    problem = too_hard()
    glimpses: list[findone.FirstProgress] = []
    start = cpu_seconds()
    found = first(problem, seconds=0.5, engine=engine, progress=glimpses.append)
    late = cpu_seconds() - start - 0.5 * ((os.cpu_count() or 1) + 1)
    assert (found.assembly, found.argument) == (None, None)
    assert late < 1.5
    assert glimpses
    patience = time.monotonic() + 30
    while sat_processes() and time.monotonic() < patience:
        time.sleep(0.05)
    assert not sat_processes()


def sat_processes() -> list[psutil.Process]:
    """Children of this process that are at work for engine sat."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # it has just ended
            if any("sat_process" in word for word in child.cmdline()):
                found.append(child)
    return found


def test_ctrl_c_acts_at_once(tmp_path: Path) -> None:
    problem = too_hard()
    puzzle = kumitate.Puzzle(CUBES, [problem.goal, problem.pieces[0].shape], [problem])
    kumitate.save(puzzle, tmp_path / "hard.kumitate.json")
    status, _, errors, used = interrupted([*MAIN, "first", "hard.kumitate.json"], 2, tmp_path)
    assert status == 130
    assert "Traceback" not in errors
    assert used < 2


# ---- why there is none ----


@has_sat
@pytest.mark.parametrize("problem", [box("L", 3, 3), box("T", 4, 5), box("T", 6, 2)])
def test_a_conflict_is_one_and_nothing_can_be_left_out(problem: Problem) -> None:
    conflict = why(problem)
    assert conflict is not None
    assert conflict.least

    def possible(cells: set[tuple[int, int, int, int]], pieces: set[int]) -> bool:
        goal = replace(problem.goal, optional=problem.goal.cells - cells)
        some = [replace(p, min=p.min if n in pieces else 0) for n, p in enumerate(problem.pieces)]
        return count(Problem(goal, some)).assemblies > 0

    cells, pieces = set(conflict.cells), set(conflict.pieces)
    assert not possible(cells, pieces)
    assert all(possible(cells - {cell}, pieces) for cell in cells)
    assert all(possible(cells, pieces - {piece}) for piece in pieces)
    assert re.match(r"these \d+ cells cannot all be covered", str(conflict))


@has_sat
def test_what_has_an_assembly_has_no_conflict() -> None:
    assert why(problem_of("soma")) is None


# ---- the most that fit ----


@settings(max_examples=60, deadline=None)
@given(problem=problems())
def test_a_packing_is_the_best_there_is(problem: Problem) -> None:
    every = all_assemblies(loosened(problem))
    for by in ("pieces", "cells"):
        best = max(
            len(some) if by == "pieces" else sum(len(look) for _, look in some) for some in every
        )
        packing = pack(problem, by=by, seconds=0.02)
        assert assembly_faults(packing.assembly) == []
        assert packing.best == best <= packing.bound
        placed = packing.assembly.shapes
        assert packing.best == (len(placed) if by == "pieces" else sum(map(len, placed)))


def test_44_of_45_t_tetrominoes_fit_and_that_is_proved_to_be_the_most() -> None:
    seen: list[int] = []
    packing = pack(box("T", 6, 6, 5), seconds=60, progress=lambda now: seen.append(now.best))
    assert (packing.best, packing.bound, packing.optimal) == (44, 44, True)
    assert seen == sorted(seen)


def test_cp_sat_lowers_the_bound() -> None:
    pytest.importorskip("ortools")
    cross = Problem(
        draw(".##./####/####/.##."), [Piece(draw("##/##", "square"), 1), Piece(draw("####"), 2)]
    )
    plain = pack(cross, by="cells", seconds=0.1)
    better = pack(cross, by="cells", seconds=30, bound=True)
    assert plain.best == better.best == better.bound < plain.bound
    assert assembly_faults(better.assembly) == []


def test_pack_says_what_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = Problem(draw("####"), [Piece(draw("##"), 2)], pinned=[Placement(0, 0, (0, 0, 0))])
    with pytest.raises(PuzzleError, match="pack cannot keep pinned pieces"):
        pack(pinned)
    with pytest.raises(PuzzleError, match="it must be pieces or cells"):
        pack(problem_of("soma"), by="weight")  # type: ignore[arg-type]
    monkeypatch.setattr("kumitate.search.one.pack.find_spec", lambda name: None)
    with pytest.raises(PuzzleError, match=r"run: pip install 'kumitate\[cpsat\]'"):
        pack(problem_of("soma"), bound=True)


# ---- the collision graph ----


def test_the_collision_graph_of_the_block_puzzle_is_that_of_its_author() -> None:
    """25 Y-pentominoes in 5x5x5: 960 placements, 77,292 collisions."""
    text = PreparedProblem(problem_of("y25")).core.dimacs()
    head, *edges = text.splitlines()
    assert head == "p edge 960 77292"
    assert len(edges) == 77292
    assert len(set(edges)) == 77292
    assembly = first(problem_of("y25")).assembly
    assert isinstance(assembly, Assembly)
    rows = PreparedProblem(problem_of("y25")).table.rows
    chosen = {rows.index((0, p.turn, *p.shift)) + 1 for p in assembly.placements}
    assert not any({int(a), int(b)} <= chosen for _, a, b in map(str.split, edges))
