"""kumitate show: a puzzle or a saved solution in the terminal, as text layers in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kumitate.cli.arguments import open_puzzle, puzzle_argument
from kumitate.model.errors import PuzzleError

if TYPE_CHECKING:
    from rich.console import Console

    from kumitate.files.document import Document
    from kumitate.model.solution import Disassembly, Solution
    from kumitate.store import Order


@click.command()
@puzzle_argument
@click.option("--solution", type=int, metavar="N", help="The N-th saved solution, move by move.")
@click.option("--problem", type=int, metavar="N", help="Of the N-th problem (else the first).")
@click.option(
    "--order",
    type=click.Choice(["found", "level", "moves"]),
    help="Of a run: the N-th as found, or the best first.",
)
@click.option("--recover", is_flag=True, help="Save what is intact in a damaged run, by --output.")
@click.option("--output", "-o", metavar="FILE", help="With --recover: the new run (FILE.kumitate).")
def show(
    puzzle: str,
    solution: int | None,
    problem: int | None,
    order: Order | None,
    recover: bool,
    output: str | None,
) -> None:
    """Draw a puzzle, or a solution saved with it, e.g. kumitate show soma

    Of a run (kumitate solve --output) or a collection (kumitate search --output) it says how far it
    is and what it has found. If one is damaged, --recover saves its intact answers in a new file.
    """
    from rich.console import Console

    from kumitate.store import is_collection, is_run

    if recover or output:
        from kumitate.cli.runs import recover_run

        if solution is not None or problem is not None or order is not None:
            raise PuzzleError("--recover only saves; show the new file afterwards")
        recover_run(puzzle, output, recover)
        return
    for option, value in (("problem", problem), ("order", order)):
        if value is not None and solution is None:
            raise PuzzleError(f"--{option} says which solution to show; add --solution N")
    console = Console(highlight=False)
    if is_collection(puzzle) and solution is None:
        from kumitate.cli.search import show_collection

        show_collection(puzzle)
        return
    if is_run(puzzle):
        _show_run(console, puzzle, solution, problem, order)
        return
    if order is not None:
        raise PuzzleError(f"{puzzle}: --order is for runs, as kumitate solve --output makes them")
    document = open_puzzle(puzzle)
    if solution is None:
        _show_puzzle(console, document)
    else:
        found = _pick(document, problem or 1, solution)
        _show_solution(console, found)


def _show_run(
    console: Console, file: str, solution: int | None, problem: int | None, order: Order | None
) -> None:
    from kumitate.cli.runs import show_run, solution_of
    from kumitate.store import open_run

    with open_run(file) as run:
        if problem is not None:
            raise PuzzleError(f"--problem {problem}: the run is of problem {run.number} only")
        if solution is None:
            show_run(console, run)
        else:
            found = solution_of(run, solution, order or "found")
            _show_solution(console, found)


def _pick(document: Document, problem: int, solution: int) -> Solution:
    if not 1 <= problem <= len(document.answers):
        raise PuzzleError(f"--problem {problem}: there are {len(document.answers)} problems")
    answers = document.answers[problem - 1]
    kept = answers.solutions if answers else ()
    if not 1 <= solution <= len(kept):
        raise PuzzleError(f"--solution {solution}: {len(kept)} solutions are saved in the file")
    return kept[solution - 1]


def _show_puzzle(console: Console, document: Document) -> None:
    from rich.columns import Columns
    from rich.text import Text

    puzzle = document.puzzle
    by = f", by {puzzle.by}" if puzzle.by else ""
    console.print(Text.assemble((puzzle.called or "Puzzle", "bold"), by, f" ({puzzle.grid.name})"))
    if puzzle.comment:
        console.print(Text(puzzle.comment.strip(), "dim"))
    goals = {problem.goal for problem in puzzle.problems}
    pictures = []
    for number, shape in enumerate(puzzle.shapes):
        colour = "" if shape in goals else puzzle.colour(number)
        name = puzzle.label(number)
        pictures.append(Text.assemble((name, "bold"), "\n", (str(shape), colour), "\n"))
    console.print()
    console.print(Columns(pictures, padding=(0, 3)))
    for problem, answers in zip(puzzle.problems, document.answers, strict=True):
        console.print(Text(str(problem)))
        if answers is not None:
            known = (("assemblies", answers.assembly_count), ("solutions", answers.solution_count))
            words = [f"{name}: {count}" for name, count in known if count is not None]
            kept = f"kept: {len(answers.solutions)} (--solution N shows one)"
            console.print(Text("  " + ", ".join([*words, kept]), "dim"))


def _show_solution(console: Console, solution: Solution) -> None:
    from rich.text import Text

    from kumitate.output.scene import colours_of

    assembly = solution.assembly
    colours = colours_of(assembly)
    letters = {assembly.letter(n): colour for n, colour in enumerate(colours)}
    picture = Text()
    for character in str(assembly):
        picture.append(character, letters.get(character, ""))
    if solution.levels:
        console.print(f"level {solution.levels}, moves in all: {solution.levels.total}\n")
    console.print(picture)
    console.print()
    for number, _ in enumerate(assembly.placements):
        console.print(
            Text.assemble((assembly.letter(number), colours[number]), "  ", assembly.label(number))
        )
    if solution.disassembly:
        _show_moves(console, solution, solution.disassembly)


def _show_moves(console: Console, solution: Solution, disassembly: Disassembly) -> None:
    assembly = solution.assembly
    everything = range(len(assembly.placements))
    for part, separation in disassembly.separations(everything):
        console.print(f"\ntake apart {', '.join(assembly.letter(n) for n in part)}")
        for number, move in enumerate(separation.moves, 1):
            letters = ", ".join(assembly.letter(n) for n in move.pieces)
            columns, rows, layers = assembly.problem.grid.spot_shift(move.shift)
            way = f"{columns:+} columns, {rows:+} rows, {layers:+} layers"
            end = " and away" if move.units is None else ""
            console.print(f"{number:4}. {letters}: {way}{end}")
