"""kumitate show: a puzzle or a saved solution in the terminal, as text layers in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kumitate.cli import arguments
from kumitate.cli.found import draw
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of

if TYPE_CHECKING:
    from rich.console import Console

    from kumitate.files.document import Document
    from kumitate.model.solution import Solution
    from kumitate.store import Order


@click.command()
@arguments.puzzle_argument
@arguments.problem_option
@arguments.amount_option("--solution", "Show saved solution N, move by move.")
@click.option(
    "--order",
    type=click.Choice(["found", "level", "moves"]),
    help="The order in which --solution numbers a run's solutions. Default: found.",
)
@arguments.json_option
@click.option("--recover", is_flag=True, help="Save the intact part of a damaged run in --output.")
@arguments.output_option("With --recover: the new run, FILE.kumitate.")
def show(
    puzzle: str,
    problem: str | None,
    solution: int | None,
    order: Order | None,
    as_json: bool,
    recover: bool,
    output: str | None,
) -> None:
    """Draw a puzzle, or a solution saved with it, e.g. kumitate show soma

    For a run (kumitate solve --output) or a collection (kumitate search --output) it reports the
    progress and what was found; if one is damaged, --recover saves its intact answers in a new
    file. --json prints a puzzle or a solution in the format of .kumitate.json files.
    """
    from rich.console import Console

    from kumitate.store import is_collection, is_run

    if recover or output:
        from kumitate.cli.runs import recover_run

        if solution is not None or problem is not None or order is not None or as_json:
            raise PuzzleError("--recover only saves; show the new file afterwards")
        recover_run(puzzle, output, recover)
        return
    if order is not None and solution is None:
        raise PuzzleError("--order needs --solution N")
    if is_collection(puzzle) and solution is None:
        from kumitate.cli.collecting import show_collection

        show_collection(puzzle, as_json)
        return
    if is_run(puzzle):
        _show_run(puzzle, solution, problem, order, as_json)
        return
    if order is not None:
        raise PuzzleError(f"{puzzle}: --order needs a run, which kumitate solve --output saves")
    document = arguments.open_puzzle(puzzle, problem)
    if solution is not None:
        _show_solution(_pick(document, solution), as_json)
    elif as_json:
        from kumitate.files.json import write

        click.echo(write(document), nl=False)
    else:
        _show_puzzle(Console(highlight=False), document)


def _show_run(
    file: str, solution: int | None, problem: str | None, order: Order | None, as_json: bool
) -> None:
    from rich.console import Console

    from kumitate.cli.runs import show_run, solution_of
    from kumitate.store import open_run

    with open_run(file) as run:
        if problem is not None:
            raise PuzzleError(
                f"--problem {problem}: the run has only problem {run.number}; leave out --problem"
            )
        if solution is None:
            show_run(Console(highlight=False), run, as_json)
        else:
            found = solution_of(run, solution, order or "found")
            if run.options.disassemble and not found.levels and not as_json:
                click.echo(
                    "the search gave up at a limit, so it is unknown whether this comes apart"
                )
            _show_solution(found, as_json)


def _pick(document: Document, number: int) -> Solution:
    arguments.the_problem(document, "--solution")
    [answers] = document.answers
    kept = answers.solutions if answers else ()
    if number > len(kept):
        raise PuzzleError(
            f"--solution {number}: the file has {count_of(len(kept), 'saved solution')}"
        )
    return kept[number - 1]


def _show_solution(solution: Solution, as_json: bool) -> None:
    if as_json:
        from kumitate.files.json import encode_solution

        click.echo(encode_solution(solution))
    else:
        draw(solution, moves=True)


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
