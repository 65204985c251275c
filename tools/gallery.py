"""The gallery of the documentation: a card for each puzzle of the library.

Everything on it is made anew from the library: a picture, a page that plays a solution, the pieces
to print, and what is known of each problem. The groups are those of the table in docs/library.md.
"""

import os
import re
import shutil
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from html import escape
from itertools import islice
from pathlib import Path

import kumitate
from kumitate import PrintOptions, Problem, Puzzle, PuzzleError, Solution, library
from kumitate.library.answers import KnownAnswer
from kumitate.model.numbers import count_of

ROOT = Path(__file__).parents[1]
FOLDER = "gallery"  # beside the page, for what the cards lead to
MOST_SOLUTIONS = 200  # are compared for the one that takes the most moves
MOST_STATES = 5_000  # of an assembly that nobody has taken apart before
SECONDS = 20.0  # to find an assembly
SMALL_UNIT = 5.0  # millimetres, for plates of 30 cells

HEAD = (
    "# Gallery\n\n"
    "All puzzles of the [library](library.md). A picture opens a page that turns the puzzle,"
    " plays it, and lets you take it apart yourself. **Print** is a 3MF file with all"
    " pieces, for your slicer; **File** is the puzzle itself, for the [studio](studio.md) and every"
    " command."
)


def write(docs: Path, names: Iterable[str] | None = None) -> None:
    """Write the page of the gallery into a copy of `docs`, and all that its cards lead to."""
    chosen = sorted(library if names is None else names)
    folder = docs / FOLDER
    folder.mkdir()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        made = pool.map(card, chosen, [folder] * len(chosen))
        cards = dict(zip(chosen, made, strict=True))
    parts = [HEAD]
    for title, members in groups().items():
        there = [cards[name] for name in members if name in cards]
        if there:
            parts += [f"## {title}", '<div class="cards" markdown>', *there, "</div>"]
    (docs / "gallery.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def groups() -> dict[str, list[str]]:
    """The names of the library's puzzles by group, as the table in docs/library.md has them."""
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    table = re.search(r"^\| \| names \|\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table, "docs/library.md has a table of names by group"
    rows = [line.strip("| ").split(" | ") for line in table[1].splitlines()]
    return {title[0].upper() + title[1:]: re.findall(r"`([^`]+)`", row) for title, row in rows}


def card(name: str, folder: Path) -> str:
    """A card as Markdown; what it leads to is written into the folder."""
    puzzle = library[name]
    problem, solution = _shown(name, puzzle)
    picture, page = folder / f"{name}.svg", folder / f"{name}.html"
    if solution:
        kumitate.export(solution, picture, show="assembly", puzzle=puzzle)
        kumitate.export(solution, page, puzzle=puzzle)
    else:
        kumitate.export(problem, picture, puzzle=puzzle)
        kumitate.export(problem, page, show="pieces", puzzle=puzzle)
    _print(problem, folder / f"{name}.3mf", puzzle)
    shutil.copy(ROOT / "src" / "kumitate" / "library" / f"{name}.kumitate.json", folder)
    by = f" by {escape(puzzle.designer)}" if puzzle.designer else ""
    link = f"{FOLDER}/{name}"
    return "\n\n".join(
        [
            '<div class="card" markdown>',
            f"[![{escape(puzzle.title)}]({link}.svg){{ loading=lazy }}]({link}.html)",
            f"### {escape(puzzle.title)} {{ #{name} }}",
            f"`{name}`{by}",
            *([escape(puzzle.comment)] if puzzle.comment else []),
            *_known(name, puzzle),
            f"[Play]({link}.html) · [Print]({link}.3mf) · [File]({link}.kumitate.json)",
            "</div>",
        ]
    )


def _print(problem: Problem, path: Path, puzzle: Puzzle) -> None:
    """The pieces as solids, smaller than usual if they are too large for a common printer."""
    try:
        kumitate.export(problem, path, puzzle=puzzle)
    except PuzzleError:
        kumitate.export(problem, path, puzzle=puzzle, options=PrintOptions(unit=SMALL_UNIT))


def _known(name: str, puzzle: Puzzle) -> list[str]:
    """What is known: a line for a puzzle with one problem, a list to unfold for more."""
    answers = library.answers(name)
    lines = [
        f"{_pieces(puzzle.problem(answer.problem))}: {_words(answer)}."
        f" <small>Source: {escape(answer.source)}</small>"
        for answer in answers
    ]
    if len(lines) == 1:
        return lines
    named = [
        f"- **{escape(answer.problem)}**, {line}"
        for answer, line in zip(answers, lines, strict=True)
    ]
    title = f"<summary>{count_of(len(answers), 'problem')}</summary>"
    return ["<details markdown>", title, "\n".join(named), "</details>"]


def _pieces(problem: Problem) -> str:
    low, high = sum(one.min for one in problem.pieces), sum(one.max for one in problem.pieces)
    return count_of(high, "piece") if low == high else f"{low} to {count_of(high, 'piece')}"


def _words(answer: KnownAnswer) -> str:
    """What is known in words, with the highest level where solutions differ in it."""
    if len(answer.levels) < 2:
        return str(answer)
    hardest = max(answer.levels, key=lambda level: [int(n) for n in re.findall(r"\d+", level)])
    return f"{answer}; {sum(answer.levels.values()):,} come apart, the hardest at level {hardest}"


def _shown(name: str, puzzle: Puzzle) -> tuple[Problem, Solution | None]:
    """The largest problem that has an assembly, with the solution that takes the most moves."""
    for problem in sorted(puzzle.problems, key=lambda one: -len(one.goal)):
        [answer] = library.answers(f"{name}/{problem.name}")
        if answer.levels:
            found = kumitate.solve(problem, disassemble=True, turns=answer.turns, fine=answer.fine)
            return problem, max(islice(found, MOST_SOLUTIONS), key=_moves)
        if answer.assemblies != 0:
            return problem, _one(problem)
    return puzzle.problems[0], None


def _one(problem: Problem) -> Solution | None:
    """An assembly of a problem that need not interlock, taken apart if that is soon done."""
    assembly = kumitate.first(problem, seconds=SECONDS).assembly
    if assembly is None:
        return None
    return Solution(assembly, kumitate.examine(assembly, max_states=MOST_STATES).disassembly)


def _moves(solution: Solution) -> int:
    return solution.levels.total if solution.levels else 0
