"""Solutions that belong to a puzzle: from its file to the page, chosen there, and back."""

import time
from pathlib import Path

import pytest
from tests.studio.bench import Answer, Bench
from tests.studio.served import Refused, Studio, studio

import kumitate
from kumitate import CUBES, Piece, Problem, Puzzle, Shape
from kumitate.files.document import Document
from kumitate.model.solution import Answers, Levels, Solution
from kumitate.store.alike import one_of_each
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import (
    ChooseRequest,
    Opened,
    PageData,
    PageRequest,
    ProblemRequest,
    RunData,
    RunsData,
    Saved,
    SaveRequest,
    SolutionData,
    SolveRequest,
)
from kumitate.studio.serve import kept

SOMA = kumitate.library["soma"]
CUBE = kumitate.library["five-piece-cube"]


def saved_answers(count: int = 3) -> Answers:
    [problem] = CUBE.problems
    found = [*kumitate.solve(problem, disassemble=True)][:count]
    return Answers(found, len(found), len(found), True, 2.5)


def save(bench: Bench, request: SaveRequest) -> Answer:
    return bench.ask("PUT", "/api/puzzle", request)


def solved(bench: Bench) -> str:
    """A run of the Soma cube."""
    asked = SolveRequest(puzzle_data(SOMA))
    run = bench.post("runs", asked).told(RunData)
    late = time.monotonic() + 60
    while run.state != "done" and time.monotonic() < late:
        [run] = bench.post("runs/of", ProblemRequest(puzzle_data(SOMA))).told(RunsData).runs
    assert run.state == "done"
    return run.id


def choose(there: Studio, run: RunData, **wanted: object) -> RunData:
    request = ChooseRequest(**wanted)  # type: ignore[arg-type]
    return there.get(RunData, "POST", f"runs/{run.id}/choose", request)


def numbers(there: Studio, run: RunData) -> list[str]:
    """The solutions of a run as text, to compare."""
    rows = there.page(run).rows
    return [there.solution(run, row.number).text for row in rows]


# ---- files ----


@pytest.mark.parametrize("suffix", [".xmpuzzle", ".kumitate.json"])
def test_solutions_in_a_file_are_shown_and_written_back(bench: Bench, suffix: str) -> None:
    path, answers = bench.folder / f"cube{suffix}", saved_answers()
    kumitate.write(Document(CUBE, [answers]), path)
    before = kumitate.read(path).answers
    opened = bench.get("puzzle", place=f"folder/cube{suffix}").told(Opened)
    [run] = opened.kept
    [told] = bench.post("runs/of", ProblemRequest(opened.puzzle)).told(RunsData).runs
    assert (told.id, told.state, told.kept) == (run, "chosen", len(answers.solutions))
    first = bench.get(f"runs/{run}/solutions/1").told(SolutionData)
    assert first.levels == str(answers.solutions[0].levels)
    assert first.text == answers.solutions[0].assembly.text

    request = SaveRequest(opened.place, opened.version, opened.puzzle, opened.kept)
    save(bench, request).told(Saved)
    assert kumitate.read(path).answers == before
    again = bench.get("puzzle", place=f"folder/cube{suffix}").told(Opened)
    assert again.kept == [run]


def test_what_a_dropped_file_holds_is_saved_with_its_copy(bench: Bench) -> None:
    [problem] = SOMA.problems
    answers = Answers([Solution(next(kumitate.assemble(problem)))], 240, None)
    data, _ = kumitate.files.encode(Document(SOMA, [answers]), "a.json")
    found = bench.ask("POST", "/api/import?name=a.json", data).told(Opened)
    assert found.warnings == []
    save(bench, SaveRequest("folder/a.kumitate.json", "", found.puzzle, found.kept))
    [copied] = kumitate.read(bench.folder / "a.kumitate.json").answers
    assert copied is not None
    assert [one.assembly for one in copied.solutions] == [one.assembly for one in answers.solutions]


def test_levels_without_moves_stay_in_the_file(bench: Bench) -> None:
    path = bench.folder / "cube.xmpuzzle"
    [one, *_] = saved_answers(1).solutions
    kumitate.write(Document(CUBE, [Answers([Solution(one.assembly, None, Levels(7))], 1, 1)]), path)
    before = kumitate.read(path).answers
    opened = bench.get("puzzle", place="folder/cube.xmpuzzle").told(Opened)
    save(bench, SaveRequest(opened.place, opened.version, opened.puzzle, opened.kept))
    assert kumitate.read(path).answers == before


def test_found_solutions_are_saved_and_deleted_ones_are_gone(bench: Bench) -> None:
    path = bench.folder / "soma.kumitate.json"
    kumitate.save(SOMA, path)
    opened = bench.get("puzzle", place="folder/soma.kumitate.json").told(Opened)
    assert opened.kept == []
    run = solved(bench)
    made = bench.post(f"runs/{run}/choose", ChooseRequest(act="keep", first=0, count=12))
    chosen = made.told(RunData)
    request = SaveRequest(opened.place, opened.version, opened.puzzle, [chosen.id])
    saved = save(bench, request).told(Saved)
    [answers] = kumitate.read(path).answers
    assert answers is not None
    assert len(answers.solutions) == 12

    none = bench.post(f"runs/{chosen.id}/choose", ChooseRequest(act="delete")).told(RunData)
    assert none.kept == 0
    save(bench, SaveRequest(opened.place, saved.version, opened.puzzle, [none.id]))
    [answers] = kumitate.read(path).answers
    assert answers is None or not answers.solutions


def test_a_run_that_is_gone_leaves_the_file_as_it_is(bench: Bench) -> None:
    path = bench.folder / "cube.kumitate.json"
    kumitate.write(Document(CUBE, [saved_answers()]), path)
    opened = bench.get("puzzle", place="folder/cube.kumitate.json").told(Opened)
    for run in opened.kept:
        bench.ask("DELETE", f"/api/runs/{run}")
    save(bench, SaveRequest(opened.place, opened.version, opened.puzzle, opened.kept))
    [answers] = kumitate.read(path).answers
    assert answers is not None
    assert len(answers.solutions) == len(saved_answers().solutions)
    bad = save(
        bench, SaveRequest(opened.place, opened.version, opened.puzzle, [f"{run[:16]}-../x"])
    )
    assert bad.status != 200


# ---- choosing ----


def test_solutions_are_deleted_before_at_and_after_one(tmp_path: Path) -> None:
    with studio(tmp_path) as there:
        run = there.done(there.solve(SOMA))
        all_of_them = numbers(there, run)
        kept_ones = choose(there, run, act="keep", count=10)
        assert (kept_ones.state, kept_ones.kept, kept_ones.solutions) == ("chosen", 10, 10)
        assert numbers(there, kept_ones) == all_of_them[:10]
        after = choose(there, kept_ones, act="delete", first=7)
        before = choose(there, after, act="delete", first=0, count=2)
        left = choose(there, before, act="delete", first=1, count=1)
        assert numbers(there, left) == [all_of_them[n] for n in (2, 4, 5, 6)]
        assert len(numbers(there, run)) == 100, "the search keeps what it found"
        assert there.resume(left).state == "chosen"


def test_only_what_passes_the_filter_is_deleted(tmp_path: Path) -> None:
    burrs = kumitate.library["six-piece-burr"]
    with studio(tmp_path) as there:
        run = there.done(there.solve(burrs))
        high = there.page(run, min_moves=6).total
        left = choose(there, run, act="delete", min_moves=6)
        assert left.kept == run.kept - high
        assert there.page(left, min_moves=6).total == 0
        assert sum(left.levels.values()) == left.kept


def test_of_solutions_that_look_alike_one_is_kept(tmp_path: Path) -> None:
    with studio(tmp_path) as there:
        run = there.done(there.solve(SOMA, disassemble=False, rotations=True))
        assert run.assemblies == 11520  # xcover's count
        assert choose(there, run, act="unique").kept == 240


def test_pieces_of_one_shape_may_change_places(tmp_path: Path) -> None:
    bar = Shape.from_text(CUBES, "##")
    puzzle = Puzzle.of(
        Problem(Shape.from_text(CUBES, "##/##"), [Piece(bar.named("A")), Piece(bar.named("B"))])
    )
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, puzzle, rotations=True, distinct_copies=True)
    with kumitate.open_run(path) as run:
        assert len(run) == 4
        assert one_of_each(run, range(1, 5)) == [1]


def test_only_the_latest_choices_stay_on_disk(tmp_path: Path) -> None:
    with studio(tmp_path) as there:
        run = there.done(there.solve(SOMA))
        for count in range(1, kept.MOST_CHOSEN + 4):
            choose(there, run, act="keep", count=count)
        states = [one.state for one in there.runs_of(SOMA)]
        assert states.count("chosen") == kept.MOST_CHOSEN
        assert states.count("done") == 1
        with pytest.raises(Refused, match="no longer exists"):
            choose(there, RunData("0" * 16 + "-" + "0" * 8, "", 0, "done", run.options))


def test_a_solution_is_found_by_its_number_wherever_it_is(tmp_path: Path) -> None:
    with studio(tmp_path) as there:
        run = there.done(there.solve(kumitate.library["six-piece-burr"]))
        listed = [row.number for row in there.page(run, order="moves", count=1000).rows]
        for number in (1, 77, 179):
            found = there.get(
                PageData, "POST", f"runs/{run.id}/page", PageRequest(order="moves", find=number)
            )
            assert found.found == listed.index(number)
        assert there.page(run, find=180).found is None
        assert there.page(run, find=1, lacks=[0], uses=[0]).found is None
