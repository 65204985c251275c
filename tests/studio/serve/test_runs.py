"""Runs of the studio: real processes behind a real server, and what the page learns about them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache, partial
from http.client import HTTPConnection
from pathlib import Path

import pytest
from tests.forgery import forge
from tests.jobs.kill_harness import contents, expected, faults
from tests.model.test_identity import painted
from tests.studio.served import Refused, Studio, studio

import kumitate
from kumitate import CUBES, Piece, Problem, Puzzle, Shape
from kumitate.output.draw.marks import dark
from kumitate.store import Summary
from kumitate.studio.messages import SolutionData
from kumitate.studio.serve import runs as runs_module
from kumitate.studio.serve.folder import store_of
from kumitate.studio.serve.runs import seconds_left

MANY = "iq-puzzler-pro/diamond"  # 344,100 assemblies in a second or two
MORE = "iq-puzzler-pro/5x11"  # 1,082,785, in three times as long
BURRS = kumitate.library["six-piece-burr"]
SOMA = kumitate.library["soma"]
BEDLAM = kumitate.library["bedlam"]  # ten seconds

answer = cache(expected)


def alive(process: int) -> bool:
    """Whether a process is running; a zombie is not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def gone(process: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while alive(process) and time.monotonic() < end:
        time.sleep(0.01)
    return not alive(process)


def file_of(served: Studio, run: object) -> Path:
    return served.runs.path(run.id)  # type: ignore[attr-defined]


# ---- solving ----


def test_a_burr_is_solved_and_the_page_hears_of_it(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(BURRS)
        assert run.state in ("starting", "running")
        done = served.done(run)
        [known] = kumitate.library.answers("six-piece-burr")
        assert done.assemblies == known.assemblies
        assert done.levels == dict(known.levels)
        assert done.solutions == done.kept == sum(known.levels.values())
        assert done.rigid == done.assemblies - done.solutions
        assert (done.title, done.problem, done.fraction) == ("Six-piece burrs", 0, 1.0)
        assert served.runs_of(BURRS) == [done]
        assert served.workers == []
        states = [data.state for _, data in served.told]
        assert states == sorted(states, key=["starting", "running", "done"].index)


def test_solutions_arrive_while_it_runs_and_news_a_few_times_a_second(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(kumitate.library[MANY], disassemble=False)
        some = served.wait(run, lambda data: data.kept > 0)
        assert some.state == "running"
        page = served.page(run, first=some.kept - 1, count=1)
        assert page.total >= some.kept
        assert page.rows[0].number == some.kept
        assert len(served.solution(run, some.kept).bodies) == 12
        done = served.done(run)
        assert done.assemblies == done.kept == 344_100
        moments = [moment for moment, data in served.told if data.state == "running"]
        assert len(moments) <= 5 * (moments[-1] - moments[0]) + 2
        fractions = [data.fraction for _, data in served.told]
        assert fractions == sorted(fractions)


def test_pausing_stops_at_a_checkpoint_and_nothing_is_lost(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(kumitate.library[MANY], disassemble=False)
        served.wait(run, lambda data: data.kept > 0)
        [worker] = served.workers
        paused = served.pause(run)
        assert paused.state == "paused"
        with kumitate.open_run(file_of(served, run)) as opened:
            assert opened.summary().state == "paused"  # it was not killed
        assert 0 < paused.kept < 344_100
        assert not alive(worker)
        assert served.state(run, kumitate.library[MANY]) == paused == served.pause(run)
        assert served.page(run, count=0).total == paused.kept
        assert served.resume(run).state in ("starting", "running")
        served.done(run)
        assert contents(file_of(served, run)) == answer(MANY, False)


def test_two_questions_are_solved_at_once(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        one = served.solve(kumitate.library[MANY], disassemble=False)
        other = served.solve(SOMA, disassemble=False)
        assert len(served.workers) == 2 or served.last(other).state == "done"  # type: ignore
        assert served.done(other).assemblies == 240
        assert served.done(one).assemblies == 344_100


def test_a_worker_that_is_killed_is_told_and_its_run_goes_on(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(kumitate.library[MANY], disassemble=False)
        served.wait(run, lambda data: data.kept > 0)
        served.statistics(run)  # a reader must not disturb the log
        served.page(run, uses=[0])
        os.kill(served.workers[0], signal.SIGKILL)
        failed = served.wait(run, lambda data: data.state == "failed")
        assert "signal 9" in failed.message
        assert "you can resume" in failed.message
        assert failed.kept > 0
        assert faults(file_of(served, run)) == []
        assert served.resume(run).message == ""
        served.done(run)
        assert contents(file_of(served, run)) == answer(MANY, False)


# ---- the same question again ----


def test_the_same_question_finds_the_same_run(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.done(served.solve(SOMA, disassemble=False))
        renamed = replace(SOMA, title="My cube", comment="mine", shapes=SOMA.shapes[::-1])
        assert served.solve(renamed, disassemble=False, fine=True) == run
        assert served.solve(SOMA, disassemble=False, threads=2) == run
        other = served.done(served.solve(SOMA, disassemble=False, mirrors=True))
        assert other.id != run.id
        assert other.assemblies == 480
        assert [data.id for data in served.runs_of(renamed)] == [other.id, run.id]
        [problem] = SOMA.problems
        goal = replace(problem.goal, name="another")
        puzzle = Puzzle.of(replace(problem, goal=goal))
        assert served.runs_of(puzzle) == []


def test_colours_that_were_chosen_since_are_shown_and_make_no_other_question(
    tmp_path: Path,
) -> None:
    with studio(tmp_path) as there:
        run = there.done(there.solve(SOMA))
        red = painted(SOMA, 1, "#ff0000")
        [same] = there.runs_of(red)
        assert same.id == run.id
        before = there.solution(run, 1)
        for colours, seen in ((",%23ff0000,,,,,", "#ff0000"), ("%23ff0000", SOMA.colour(1))):
            path = f"runs/{run.id}/solutions/1?colours={colours}"
            after = there.get(SolutionData, "GET", path)
            assert {b.name: b.colour for b in after.bodies} == {
                b.name: seen if b.piece == 1 else b.colour for b in before.bodies
            }
        with pytest.raises(Refused, match="'red'; write it as"):
            there.ask("GET", f"runs/{run.id}/solutions/1?colours=red,,,,,,")
        _, drawn = there.ask("GET", f"runs/{run.id}/solutions/1/picture?colours=,%23ff0000,,,,,")
        _, made = there.export(red, to=".svg", show="assembly", run=run.id, number=1)
        for picture in (drawn, made):
            assert dark("#ff0000").encode() in picture


def test_a_limit_is_reached_and_passed(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(SOMA, disassemble=False, limit=10)
        reached = served.wait(run, lambda data: data.state == "limit")
        assert (reached.assemblies, reached.kept, reached.options.limit) == (10, 10, 10)
        served.resume(run)
        more = served.wait(run, lambda data: data.state == "limit" and data.kept > 10)
        assert (more.assemblies, more.options.limit) == (20, 20)
        again = served.solve(SOMA, disassemble=False)
        assert again.id == run.id
        done = served.done(run)
        assert (done.assemblies, done.options.limit) == (240, None)


def test_other_threads_for_a_run_at_work_take_over(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(BEDLAM, disassemble=False)
        before = served.wait(run, lambda data: data.kept > 0)
        [first] = served.workers
        assert served.solve(BEDLAM, disassemble=False).id == run.id
        assert served.workers == [first]
        served.solve(BEDLAM, disassemble=False, threads=2)
        [second] = served.workers
        assert first != second
        assert not alive(first)
        paused = served.pause(run)
        assert paused.kept >= before.kept
        assert paused.options.threads == 2


# ---- when the server ends ----


def test_no_process_outlives_its_server_and_the_next_one_goes_on(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(kumitate.library[MORE], disassemble=False)
        served.wait(run, lambda data: data.kept > 0)
        [worker] = served.workers
    assert not alive(worker)
    with studio(tmp_path) as served:
        [found] = served.runs_of(kumitate.library[MORE])
        assert (found.id, found.state) == (run.id, "paused")
        assert 0 < found.kept < 1_082_785
        assert found.seconds_left is None or found.seconds_left > 0
        served.resume(found)
        served.done(found)
        assert contents(file_of(served, run)) == answer(MORE, False)


SERVE = """
import pathlib, sys, time
from tests.studio.served import studio
import kumitate
with studio(pathlib.Path(sys.argv[1])) as served:
    run = served.solve(kumitate.library["bedlam"], disassemble=False)
    served.wait(run, lambda data: data.kept > 0)
    print(*served.workers, flush=True)
    time.sleep(60)
"""


def test_a_worker_ends_when_its_server_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    ) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        assert alive(worker)
        server.kill()
        assert gone(worker, 5)
    [file] = tmp_path.glob("*.kumitate")
    assert faults(file) == []
    with studio(tmp_path) as served:
        [found] = served.runs_of(BEDLAM)
        assert found.state == "paused"
        assert found.kept > 0


def test_a_run_that_was_running_when_all_died_is_paused(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.done(served.solve(SOMA, disassemble=False))
        path = file_of(served, run)
    forge(path, "UPDATE checkpoint SET state = 'running'")
    with studio(tmp_path) as served:
        assert [data.state for data in served.runs_of(SOMA)] == ["paused"]


# ---- starting and deleting ----


def test_a_run_that_is_only_starting_is_empty_and_can_be_paused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_module, "START_SECONDS", 0.0)
    with studio(tmp_path) as served:
        run = served.solve(SOMA, disassemble=False)
        assert run.state == "starting"
        assert served.page(run).total == 0
        assert served.statistics(run).total == 0
        assert served.pause(run).state == "paused"
        assert [data.id for data in served.runs_of(SOMA)] == [run.id]
        served.resume(run)
        assert served.done(run).assemblies == 240


def test_whoever_tidies_up_the_folder_can_solve_again(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(SOMA, disassemble=False)
        assert served.done(run).assemblies == 240
        shutil.rmtree(file_of(served, run).parent)
        other = served.solve(BURRS)
        assert served.done(other).assemblies == 588


def test_dropping_a_run_deletes_all_of_it(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(BEDLAM, disassemble=False)
        served.wait(run, lambda data: data.kept > 0)
        served.page(run, order="level")
        [worker] = served.workers
        assert len(list(tmp_path.iterdir())) >= 2  # the log, too
        served.drop(run)
        assert not alive(worker)
        assert list(tmp_path.iterdir()) == []
        assert served.runs_of(BEDLAM) == []
        with pytest.raises(Refused, match="solve again") as error:
            served.page(run)
        assert (error.value.status, error.value.reason) == (404, "missing")
        again = served.solve(SOMA, disassemble=False)
        served.drop(served.done(again))
        assert list(tmp_path.iterdir()) == []


# ---- rejected requests ----


def bars(pieces: int, goal: str = "####") -> Puzzle:
    bar = Shape.from_text(CUBES, "##", name="bar")
    problem = Problem(Shape.from_text(CUBES, goal), [Piece(bar, pieces)])
    return Puzzle.of(problem)


@pytest.mark.parametrize(
    ("puzzle", "options", "sentence"),
    [
        (bars(3), {}, "the goal has 4 cells but the pieces fill 6; leave out a piece"),
        (bars(2, "#.#.#.#"), {}, "piece bar fits nowhere in the goal"),
        (bars(2, "."), {}, "the goal is empty; draw the shape to fill"),
        (Puzzle(CUBES), {}, "the puzzle has no such problem"),
        (bars(2), {"keep": "some"}, "keep 'some' is unknown; use all, none"),
        (
            bars(2),
            {"keep": "best:3", "disassemble": False},
            "ranks assemblies by how they come apart",
        ),
    ],
)
def test_a_question_without_sense_is_refused_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    puzzle: Puzzle,
    options: dict[str, object],
    sentence: str,
) -> None:
    monkeypatch.setattr(runs_module, "START_SECONDS", 60.0)  # a refusal ends the wait
    with studio(tmp_path) as served:
        with pytest.raises(Refused, match=sentence) as error:
            served.solve(puzzle, 0, **options)
        assert (error.value.status, error.value.reason) == (400, "question")
        assert "\n" not in str(error.value)
        assert [*served.workers, *served.told, *served.runs_of(puzzle)] == []
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_that_comes_late_is_told_to_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_module, "START_SECONDS", 0.0)
    with studio(tmp_path) as served:
        run = served.solve(bars(3))
        failed = served.wait(run, lambda data: data.state == "failed")
        assert failed.message.startswith("the goal has 4 cells but the pieces fill 6")
        assert served.runs_of(bars(3)) == [failed]
        served.drop(failed)
        assert served.runs_of(bars(3)) == []


def test_an_argument_why_there_is_none_is_the_answer(tmp_path: Path) -> None:
    tee = Shape.from_text(CUBES, "###/.#.", name="T")
    goal = Shape.from_text(CUBES, "/".join(["######"] * 6))
    puzzle = Puzzle.of(Problem(goal, [Piece(tee, 9)]))
    with studio(tmp_path) as served:
        done = served.done(served.solve(puzzle))
        assert (done.assemblies, done.solutions, done.fraction) == (0, 0, 1.0)
        assert done.message.startswith("a colouring rules it out: number the cells")
        assert served.page(done).total == 0
    with studio(tmp_path) as served:
        assert served.runs_of(puzzle) == [done]
        served.drop(done)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["0", "..", "%2e%2e%2fx", "0123456789abcdef-01234567"])
def test_a_run_that_nobody_has_is_missing(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.kumitate").write_text("not yours")
    with studio(tmp_path / "runs") as served:
        for method, path in (
            ("POST", "pause"),
            ("POST", "resume"),
            ("GET", "statistics"),
            ("GET", "solutions/1"),
        ):
            connection = HTTPConnection("127.0.0.1", served.port)
            connection.request(method, f"/api/runs/{name}/{path}")
            response = connection.getresponse()
            assert response.status == 404
            connection.close()


def test_what_is_no_message_is_refused(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        for body in ({}, {"puzzle": 3}, {"puzzle": {"grid": "cubes"}, "more": 1}):
            with pytest.raises(Refused, match="invalid request") as error:
                served.ask("POST", "runs", body)
            assert error.value.status == 400
        run = served.done(served.solve(SOMA, disassemble=False))
        for number in (0, 241):
            with pytest.raises(Refused) as error:
                served.solution(run, number)
        assert error.value.status == 404
        with pytest.raises(Refused, match="piece 9 does not exist; there are 7"):
            served.page(run, uses=[9])


def test_a_damaged_run_says_so_and_can_be_dropped(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.done(served.solve(SOMA, disassemble=False))
        path = file_of(served, run)
    path.write_bytes(b"SQLite format 3\0" + b"nothing" * 1000)
    with studio(tmp_path) as served:
        [found] = served.runs_of(SOMA)
        assert found.state == "failed"
        assert "damaged" in found.message
        served.drop(found)
        assert served.done(served.solve(SOMA, disassemble=False)).assemblies == 240


# ---- a worker on its own ----


def worker(*words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "kumitate.studio.serve.worker", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def test_a_worker_without_a_run_says_so_in_one_line(tmp_path: Path) -> None:
    with worker(str(tmp_path / "none.kumitate")) as process:
        assert process.stdout is not None
        [line] = process.stdout.read().splitlines()
        assert json.loads(line)["error"].endswith("none.kumitate: no such file")
    assert process.returncode == 2


@pytest.mark.parametrize("word", [b"", b"stop\n"])
def test_a_worker_stops_at_a_word_or_at_the_end_of_its_input(tmp_path: Path, word: bytes) -> None:
    path = tmp_path / "run.kumitate"
    kumitate.solve_into(path, kumitate.library["bedlam"], limit=1)
    with worker(str(path), "--limit", "1000000", "--threads", "2") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        process.stdin.write(word)
        process.stdin.flush() if word else process.stdin.close()
        process.wait(60)
    assert process.returncode == 130  # it stopped by itself, before its time was up
    with kumitate.open_run(path) as run:
        assert run.summary().state == "paused"
    assert faults(path) == []


# ---- small things ----


NOTHING = Summary("running", 0, None, None, 0, 0, 0, {}, 0, None, 0.0, 0.0, 0, 0.0)
summary = partial(replace, NOTHING)


def test_the_time_left_follows_from_what_is_done() -> None:
    assert seconds_left(summary(fraction=0.5, seconds=0.1), None) is None
    assert seconds_left(summary(fraction=0.0, seconds=10), None) is None
    assert seconds_left(summary(fraction=0.25, seconds=10), None) == 30
    # Of iq-puzzler-pro, 0.1 % after 10 s would say three hours; it takes minutes.
    assert seconds_left(summary(fraction=0.001, seconds=10), None) is None
    assert seconds_left(summary(fraction=0.001, seconds=10, assemblies=50), 100) == 10
    assert seconds_left(summary(fraction=0.001, seconds=60), None) == 59940
    assert seconds_left(summary(fraction=0.25, seconds=10, assemblies=50), 100) == 10
    assert seconds_left(summary(fraction=0.25, seconds=10, solutions=0), 100) == 30


def test_runs_lie_hidden_beside_the_puzzles_or_elsewhere(tmp_path: Path) -> None:
    assert store_of(tmp_path) == tmp_path / ".kumitate-studio"
    assert list((tmp_path / ".kumitate-studio").iterdir()) == []
    (tmp_path / "file").write_text("no folder")
    elsewhere = store_of(tmp_path / "file")
    assert elsewhere.is_dir()
    elsewhere.rmdir()
