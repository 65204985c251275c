"""What the command line answers to odd numbers, names and wishes: one clear line."""

import re
import subprocess
from pathlib import Path

import click
import pytest
from tests.children import MAIN

import kumitate
from kumitate import CUBES, Piece, PrintOptions, Problem, PuzzleError, Shape
from kumitate.cli import cli
from kumitate.model.solution import Answers

HUGE = "9223372036854775808"


def refused(*words: str, folder: Path | None = None) -> str:
    """The line that says why."""
    child = subprocess.run([*MAIN, *words], capture_output=True, text=True, cwd=folder)
    assert (child.returncode, child.stdout) == (2, "")
    [line] = child.stderr.splitlines()
    return line.removeprefix("kumitate: ")


def printed(*words: str, folder: Path | None = None) -> str:
    return subprocess.check_output([*MAIN, *words], text=True, cwd=folder)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["solve", "soma", "--limit", HUGE],
            "Invalid value for '--limit': 9223372036854775808 is too large;"
            " it must be at most 1,000,000,000,000,000,000 (see kumitate solve --help)",
        ),
        (
            ["solve", "soma", "-o", "r.kumitate", "--keep", f"every:{HUGE}"],
            f"keep 'every:{HUGE}': N is too large; it has at most 16 digits",
        ),
        (
            ["export", "soma", "-o", "a.stl", "--unit", "nan"],
            "Invalid value for '--unit': 'nan' is not a length; write 15 or 15x15x15"
            " (see kumitate export --help)",
        ),
        (
            ["export", "soma", "-o", "a.stl", "--unit", HUGE],
            "unit 9.223372036854776e+18: it must be at most 1,000",
        ),
        (
            ["export", "soma", "-o", "a.stl", "--bed", f"{HUGE}x{HUGE}"],
            "bed 9.223372036854776e+18: it must be at most 10,000",
        ),
        (
            ["export", "soma", "-o", "a.stl", "--inset", "nan"],
            "inset nan: it must be a number",
        ),
        (
            ["export", "soma", "-o", "a.svg", "--show", "assembly", "--assembly", "999"],
            "--assembly 999: the puzzle has 240 assemblies",
        ),
        (
            ["export", "maze-box", "-o", "a.glb", "--solution", "9"],
            "--solution 9: the puzzle has 1 solution",
        ),
        (["show", "soma", "--solution", "2"], "--solution 2: the file has 0 saved solutions"),
        (["solve", "soma", "--moves"], "--moves needs --disassemble"),
        (
            ["show", ""],
            "the name of the puzzle is empty; give a file or a library name like soma",
        ),
        (["convert", "soma", "-o", ""], "--output is empty; give the name of a file"),
        (
            ["design", "3x3x3", "--no-turns", "0.4995", "-o", "no_turns.kumitate"],
            "--no-turns 0.4995: it must be at most 0.499",
        ),
        (["show", "max_states.kumitate"], "max_states.kumitate: no such file"),
        (["show", "max_states/x.json"], "max_states/x.json: no such file"),
        (
            ["show", "max_states"],
            "max_states: no such file, and no puzzle in the library has that name;"
            " 'kumitate library' lists the names",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_one_line_says_what_is_wrong(words: list[str], line: str, tmp_path: Path) -> None:
    assert refused(*words, folder=tmp_path) == line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", cli.commands)
def test_the_help_has_words_and_no_formulas_and_breaks_no_word(name: str) -> None:
    context = click.Context(
        cli.commands[name], info_name=name, terminal_width=98, max_content_width=98
    )
    text = cli.commands[name].get_help(context)
    assert not re.search(r"<=|>=\w|\bx\b|RANGE|\w-\n", text.replace('"level>=9', ""))


def test_numbers_of_things_read_well() -> None:
    dot = Shape.from_text(CUBES, "#", name="dot")
    line = Shape(CUBES, {(x, 0, 0, 0) for x in range(1200)})
    assert str(Problem(dot.named("goal"), [Piece(dot)])) == "dot fill goal (1 cell)"
    assert kumitate.pack(Problem(dot, [Piece(dot)])).summary == "1 piece placed, the most possible"
    told = kumitate.pack(Problem(line, [Piece(dot, 0, 9999)]), by="cells").summary
    assert told == "1,200 cells placed, the most possible"


def test_one_saved_disassembly_is_not_several(tmp_path: Path) -> None:
    puzzle = kumitate.library["six-piece-burr"]
    solution = next(kumitate.solve(puzzle.problems[0], disassemble=True))
    kept = kumitate.Document(puzzle, [Answers([solution])])
    kumitate.write(kept, tmp_path / "one.kumitate.json")
    words = [*MAIN, "convert", "one.kumitate.json", "-o", "two.kumitate.json", "--grid", "rhombic"]
    child = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert "the moves of 1 saved disassembly are not kept" in child.stderr


def test_a_suffix_may_be_in_capitals(tmp_path: Path) -> None:
    printed("solve", "soma", "-o", "R.KUMITATE", folder=tmp_path)
    assert "240 assemblies" in printed("show", "R.KUMITATE", folder=tmp_path)
    printed("pack", "soma", "-o", "A.CSV", folder=tmp_path)
    assert (tmp_path / "A.CSV").read_text().startswith("x,y,z,v")


def test_the_library_is_asked_by_name() -> None:
    with pytest.raises(KeyError, match="have names, such as soma, not 5"):
        kumitate.library[5]  # type: ignore[index]
    assert 5 not in kumitate.library  # type: ignore[comparison-overlap]


def test_a_number_of_millimetres_has_a_bound() -> None:
    with pytest.raises(PuzzleError, match="unit 1001: it must be at most 1,000"):
        PrintOptions(unit=1001)


def test_layers_say_which_piece_is_which(tmp_path: Path) -> None:
    printed("export", "soma", "-o", "a.txt", folder=tmp_path)
    last = (tmp_path / "a.txt").read_text("utf-8").splitlines()[-1]
    assert last == "1 = V, 2 = L, 3 = T, 4 = Z, 5 = A, 6 = B, 7 = P"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", ["library", "solve soma", "solve soma --json", "check soma"])
def test_a_full_disk_behind_stdout_is_named(words: str) -> None:
    with open("/dev/full", "wb") as full:
        child = subprocess.run([*MAIN, *words.split()], stdout=full, stderr=subprocess.PIPE)
    assert child.returncode == 2
    assert child.stderr == b"kumitate: standard output: no space left on device\n"
