"""What a search finds, as it is drawn, and as JSON: whole, or line by line while it runs."""

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_commands import CLOSED, MAZE, save_assembled
from tests.cli.test_runs import MAIN, PLAIN, run
from tests.search.test_disassemble import loose

import kumitate
from kumitate import CUBES, Assembly, Piece, Problem, Puzzle, Shape, Solution
from kumitate.cli.found import Lines
from kumitate.cli.interrupt import gently
from kumitate.files.entries import SolutionEntry
from kumitate.files.json import _solution, encode_solution


def solutions_of(problem: Problem, rows: list[dict[str, Any]]) -> list[Solution]:
    """As the file format reads them."""
    import msgspec

    return [_solution(problem, msgspec.convert(row, SolutionEntry)) for row in rows]


# ---- JSON ----


def test_json_has_the_assemblies(tmp_path: Path) -> None:
    [soma] = kumitate.library["soma"].problems
    [told] = json.loads(run(tmp_path, "solve", "soma", "--json").stdout)["problems"]
    found = solutions_of(soma, told["found"])
    assert [s.assembly for s in found] == list(kumitate.assemble(soma))
    assert [s.assembly_number for s in found] == list(range(1, 241))
    [few] = json.loads(run(tmp_path, "solve", "soma", "--json", "--limit", "3").stdout)["problems"]
    assert few["found"] == told["found"][:3]
    assert (few["assemblies"], few["complete"]) == (3, False)


def test_json_has_the_moves(tmp_path: Path) -> None:
    [burrs] = kumitate.library["six-piece-burr"].problems
    words = ("solve", "six-piece-burr", "--disassemble", "--json", "--limit", "9")
    [told] = json.loads(run(tmp_path, *words).stdout)["problems"]
    found = solutions_of(burrs, told["found"])
    assert len(found) == told["solutions"] == 9
    for solution, wanted in zip(found, kumitate.solve(burrs, disassemble=True), strict=False):
        assert solution == wanted
        assert solution.disassembly
        assert kumitate.referee.disassembly_faults(solution.assembly, solution.disassembly) == []


def test_json_has_every_problem(tmp_path: Path) -> None:
    shown = run(tmp_path, "solve", "pentominoes", "--json", "--limit", "2").stdout
    told = json.loads(shown)["problems"]
    assert len(told) == 8
    assert [len(row["found"]) for row in told] == [2] * 8
    assert shown.count("\n") == 1


def test_an_empty_answer_is_json_too(tmp_path: Path) -> None:
    save_assembled(CLOSED, tmp_path / "closed.kumitate.json")
    none = run(tmp_path, "solve", "closed.kumitate.json", "--disassemble", "--json")
    assert none.returncode == 1
    assert json.loads(none.stdout)["problems"][0]["found"] == []


def test_lines_of_json_come_one_by_one(tmp_path: Path) -> None:
    shown = run(tmp_path, "solve", "soma", "--jsonl", "--limit", "20").stdout.splitlines()
    *found, last = map(json.loads, shown)
    assert {row.pop("problem") for row in found} == {"3x3x3"}
    [whole] = json.loads(run(tmp_path, "solve", "soma", "--json", "--limit", "20").stdout)[
        "problems"
    ]
    assert found == whole.pop("found")
    assert last.keys() == whole.keys()
    assert (last["assemblies"], last["complete"]) == (20, False)


@pytest.mark.parametrize(
    ("rest", "options", "limit"),
    [
        ([], {}, None),
        (["--limit", "300"], {}, 300),
        (["--mirrors"], {"mirrors": True}, None),
        (["--distinct-copies"], {"distinct_copies": True}, None),
    ],
)
def test_what_is_written_hundreds_at_a_time_is_written_as_one_by_one(
    tmp_path: Path, rest: list[str], options: dict[str, Any], limit: int | None
) -> None:
    [burrs] = kumitate.library["six-piece-burr"].problems
    found = map(encode_solution, kumitate.solve(burrs, **options))
    each = [one.decode() for one in found][:limit]
    *lines, _ = run(tmp_path, "solve", "six-piece-burr", "--jsonl", *rest).stdout.splitlines()
    assert lines == [f'{{"problem": "solid", {one[1:]}' for one in each]
    whole = run(tmp_path, "solve", "six-piece-burr", "--json", *rest).stdout
    assert whole.endswith(f'"found": [{", ".join(each)}]}}]}}\n')


def test_a_write_that_is_cut_short_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    """As PYTHONUNBUFFERED and a signal do it."""

    class Raw(io.BytesIO):
        def write(self, text: Any) -> int:
            return super().write(text[:100])

    raw = Raw()
    monkeypatch.setattr(sys, "stdout", types.SimpleNamespace(buffer=raw))
    lines = Lines()
    solution = next(kumitate.solve(kumitate.library["soma"].problems[0]))
    for _ in range(3):
        lines.take(solution)
    lines.tick()
    assert raw.getvalue().count(b"\n") == 3
    assert raw.getvalue().count(encode_solution(solution)[1:]) == 3


def test_lines_come_while_the_search_runs_and_ctrl_c_ends_them_cleanly(tmp_path: Path) -> None:
    words = ["solve", "kanoodle", "--jsonl", "--threads", "1"]
    with subprocess.Popen([*MAIN, *words], stdout=subprocess.PIPE, cwd=tmp_path, env=PLAIN) as it:
        assert it.stdout
        lines = [it.stdout.readline() for _ in range(1000)]
        assert it.poll() is None
        it.send_signal(signal.SIGINT)
        rest = it.stdout.read()
    assert it.returncode == 130
    *found, last = map(json.loads, [*lines, *rest.splitlines()])
    assert rest.endswith(b"\n")
    assert all("assembly" in row for row in found)
    assert [row["assembly_number"] for row in found] == list(range(1, len(found) + 1))
    assert (last["assemblies"], last["complete"]) == (len(found), False)


def test_a_reader_that_has_enough_ends_it(tmp_path: Path) -> None:
    words = ["solve", "kanoodle", "--jsonl"]
    with subprocess.Popen(
        [*MAIN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=PLAIN
    ) as it:
        assert it.stdout
        assert it.stderr
        assert json.loads(it.stdout.readline())["assembly"]
        it.stdout.close()
        assert it.stderr.read() == b""
        assert it.wait(timeout=60) == 0


def test_a_solution_is_encoded_as_in_a_file() -> None:
    solution = Solution(Assembly.from_text(CUBES, "AB"), assembly_number=7)
    assert json.loads(encode_solution(solution)) == {
        "assembly": [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0]],
        "assembly_number": 7,
    }


def test_json_of_first_and_pack_is_the_same(tmp_path: Path) -> None:
    [soma] = kumitate.library["soma"].problems
    for command in ("first", "pack"):
        [told] = json.loads(run(tmp_path, command, "soma", "--json").stdout)["problems"]
        [found] = solutions_of(soma, told["found"])
        assert kumitate.referee.assembly_faults(found.assembly) == []


def test_other_commands_speak_json(tmp_path: Path) -> None:
    listed = json.loads(run(tmp_path, "library", "hein", "--json").stdout)
    assert {row["name"].split("/")[0] for row in listed} == {"soma", "soma-figures"}
    [soma] = [row for row in listed if row["name"] == "soma"]
    assert (soma["designer"], soma["assemblies"], soma["levels"]) == ("Piet Hein", 240, {"1": 240})
    checked = json.loads(run(tmp_path, "check", "soma", "--json").stdout)
    assert (checked["faults"], len(checked["findings"])) == (0, 2)
    shown = run(tmp_path, "show", "soma", "--json").stdout
    (tmp_path / "soma.kumitate.json").write_text(shown)
    assert kumitate.load(tmp_path / "soma.kumitate.json") == kumitate.library["soma"]
    run(tmp_path, "solve", "soma", "--limit", "4", "-o", "run.kumitate")
    told = json.loads(run(tmp_path, "show", "run.kumitate", "--json").stdout)
    assert (told["assemblies"], told["state"]) == (4, "limit")
    one = json.loads(run(tmp_path, "show", "run.kumitate", "--solution", "2", "--json").stdout)
    assert len(one["assembly"]) == 7


# ---- limits ----


def test_a_limit_is_exit_status_3_however_many_pieces_are_loose(tmp_path: Path) -> None:
    problem = loose(15).problem
    goal = Shape(CUBES, problem.goal.cells, name="goal")
    kumitate.save(Puzzle.of(Problem(goal, problem.pieces)), tmp_path / "loose.kumitate.json")
    words = ("--disassemble", "--limit", "1", "--max-states", "10000")
    done = run(tmp_path, "solve", "loose.kumitate.json", *words)
    assert done.returncode == 3
    assert "1 unknown (given up at a limit)" in done.stdout


def test_a_disassembly_given_up_is_unknown_everywhere(tmp_path: Path) -> None:
    save_assembled(MAZE, tmp_path / "maze.kumitate.json")
    words = ("solve", "maze.kumitate.json", "--disassemble", "--max-moves", "2")
    shown = run(tmp_path, *words)
    assert shown.returncode == 3
    assert "1 assembly, 0 come apart, 1 unknown (given up at a limit)" in shown.stdout
    told = run(tmp_path, *words, "--json")
    [row] = json.loads(told.stdout)["problems"]
    assert (told.returncode, row["limit"], row["complete"], row["found"]) == (3, 1, False, [])
    *none, last = map(json.loads, run(tmp_path, *words, "--jsonl").stdout.splitlines())
    assert (none, last["limit"]) == ([], 1)
    kept = run(tmp_path, *words, "-o", "run.kumitate")
    assert kept.returncode == 3


def test_the_library_never_hands_out_a_solution_without_levels() -> None:
    [problem] = [Assembly.from_text(CUBES, MAZE).problem]
    with pytest.raises(kumitate.LimitReached, match="1 assembly was given up at a limit and may"):
        list(kumitate.solve(problem, max_moves=2, disassemble=True))
    unknown: list[Assembly] = []
    none = kumitate.solve(problem, disassemble=True, max_moves=2, given_up=unknown.append)
    assert list(none) == []
    assert len(unknown) == 1
    [burrs] = kumitate.library["six-piece-burr"].problems
    found: list[Solution] = []
    with pytest.raises(kumitate.LimitReached):
        found.extend(kumitate.solve(burrs, max_states=3, disassemble=True))
    assert found
    assert all(solution.levels for solution in found)


# ---- counting what cannot be ----


def test_a_count_of_nothing_is_0(tmp_path: Path) -> None:
    bar, row = Shape.from_text(CUBES, "##", name="bar"), Shape.from_text(CUBES, "###", name="row")
    odd = Problem(row, [Piece(bar)])
    corner = Problem(row, [Piece(Shape.from_text(CUBES, "##/#.", name="V"))])
    for problem, words in ((odd, "the goal has 3 cells but"), (corner, "piece V fits nowhere")):
        assert kumitate.count(problem) == kumitate.search.Count(0, 0, 0)
        with pytest.raises(kumitate.PuzzleError, match=words):
            kumitate.assemble(problem)
        kumitate.save(Puzzle.of(problem), tmp_path / "no.kumitate.json")
        counted = run(tmp_path, "count", "no.kumitate.json")
        assert counted.stdout.startswith("0 assemblies (0 nodes")
        assert counted.stderr.startswith(f"kumitate: {words}")
        assert counted.returncode == 1
    with pytest.raises(kumitate.PuzzleError, match="the problem has no pieces"):
        kumitate.count(Problem(row, []))


# ---- drawing ----


def on_a_terminal(folder: Path, *words: str, **more: str) -> str:
    """What a command prints when a terminal shows it."""
    ours, theirs = pty.openpty()
    kept = {k: v for k, v in PLAIN.items() if k not in ("NO_COLOR", "TERM")}
    environment = {**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor", **more}
    with subprocess.Popen([*MAIN, *words], stdout=theirs, cwd=folder, env=environment):
        os.close(theirs)
        printed = b""
        while True:
            try:
                data = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            printed += data
    os.close(ours)
    return printed.decode().replace("\r\n", "\n")


def test_solve_and_show_draw_a_piece_in_one_colour(tmp_path: Path) -> None:
    solved = on_a_terminal(tmp_path, "solve", "soma", "--limit", "1")
    run(tmp_path, "solve", "soma", "--limit", "1", "-o", "run.kumitate")
    shown = on_a_terminal(tmp_path, "show", "run.kumitate", "--solution", "1")
    first = on_a_terminal(tmp_path, "first", "soma")
    colour = re.compile(r"\x1b\[[0-9;]*m(V)")
    ways = {colour.search(text)[0] for text in (solved, shown, first)}  # type: ignore[index]
    assert len(ways) == 1
    drawing = re.sub(r"\x1b\[[0-9;]*m", "", solved).split("\n\n")[0]
    assert drawing == run(tmp_path, "solve", "soma", "--limit", "1").stdout.split("\n\n")[0]
    assert "\x1b" not in on_a_terminal(tmp_path, "solve", "soma", "--limit", "1", NO_COLOR="1")


def test_moves_name_pieces_as_they_are_drawn(tmp_path: Path) -> None:
    shown = run(tmp_path, "solve", "soma", "--disassemble", "--limit", "1", "--moves").stdout
    assert set(re.findall(r"[A-Z]", shown.split("take apart")[0])) == set("VLTZABP")
    assert " = " not in shown
    burr = run(tmp_path, "solve", "six-piece-burr", "--disassemble", "--limit", "1", "--moves")
    legend = dict(re.findall(r"(\w) = ([^,\n]+)", burr.stdout))
    assert legend
    drawing = burr.stdout.split("\n", 1)[1].split(" = ")[0]
    assert set(legend) <= set(drawing)
    movers = re.findall(r"^ +\d+  (.+) slides? ", burr.stdout, re.MULTILINE)
    names = {name for some in movers for name in some.split(", ")}
    assert names <= set(legend.values()) | set(re.findall(r"\w", drawing))


def test_help_has_whole_examples() -> None:
    shown = subprocess.run(
        [*MAIN, "--help"], capture_output=True, text=True, env={**PLAIN, "COLUMNS": "80"}
    ).stdout
    for example in (
        "kumitate count pentominoes/6x10",
        "kumitate convert soma -o soma.xmpuzzle",
        "kumitate search soma --cut 5",
        "kumitate burr6 --solid --notchable",
    ):
        assert example in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "..." not in shown.replace("[ARGS]...", "")


def test_the_module_is_the_command() -> None:
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "kumitate", "--version"], capture_output=True, text=True
    )
    assert done.stdout == f"kumitate {kumitate.__version__}\n"


def test_the_library_says_which_puzzle_may_be_meant() -> None:
    with pytest.raises(KeyError, match=r"^the library has no puzzle 'somma'; did you mean soma\?$"):
        kumitate.library["somma"]
    with pytest.raises(
        kumitate.PuzzleError, match="pentominoes: there is no problem '7x7'; the puzzle has 6"
    ):
        kumitate.library["pentominoes/7x7"]
    assert "somma" not in kumitate.library
    assert kumitate.library.get("somma") is None


def test_ctrl_c_acts_where_it_is_looked_for_and_the_second_at_once() -> None:
    def press() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with gently() as interrupt:
        interrupt()
        press()
        with pytest.raises(KeyboardInterrupt):
            interrupt()
        with pytest.raises(KeyboardInterrupt):
            press()
    with gently() as interrupt, pytest.raises(KeyboardInterrupt), interrupt.now():
        press()
    assert signal.getsignal(signal.SIGINT) is before
