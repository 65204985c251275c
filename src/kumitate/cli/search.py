"""kumitate search: new puzzles with a unique solution, by random sampling."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli import arguments
from kumitate.cli.collecting import LISTED, MOST_JSON, Report, carry_out
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.search.threads import cores

if TYPE_CHECKING:
    from kumitate.designer.families import Family
    from kumitate.store import Collection, Sampling

MOST_CELLS = 10_000  # of a box that is cut at random


@click.command()
@arguments.any_puzzle_argument
@arguments.problem_option
@click.option(
    "--burr",
    type=click.Choice(["all", "notchable", "solid"]),
    help="Search six-piece burrs made of all sticks, notchable sticks, or those of solid burrs.",
)
@click.option("--cut", type=arguments.Whole(2), metavar="N", help="Cut the goal into N pieces.")
@arguments.amount_option("--holes", "Leave N cells inside empty. Default: none.")
@arguments.amount_option("--smallest", "Fewest cells in a piece. Default: 1.")
@arguments.amount_option("--level", "Lowest level to accept. Default: 1.")
@click.option(
    "--unique/--several", default=None, help="One solution, or any number. Default: --unique."
)
@click.option(
    "--seed", type=arguments.SEED, metavar="N", help="Seed of the random choices. Default: 0."
)
@arguments.amount_option("--samples", "Stop after N samples. Default: never.")
@arguments.amount_option("--limit", "Stop after N puzzles are found. Default: never.")
@arguments.amount_option("--max-states", "Skip puzzles that need more than N states to take apart.")
@arguments.threads_option
@arguments.output_option(
    "Save the search in FILE.kumitate, to resume it; or the best puzzle in a puzzle file, such as"
    " FILE.kumitate.json, as a page, FILE.html, or to print, FILE.3mf; may be repeated.",
    multiple=True,
)
@arguments.resume_option("Continue a search with the options it began with.")
@arguments.force_option
@arguments.json_option
def search(
    puzzle: str | None,
    samples: int | None,
    limit: int | None,
    threads: int | None,
    output: tuple[str, ...],
    resume: str | None,
    force: bool,
    as_json: bool,
    **wish: Any,
) -> None:
    """Search for new puzzles with a unique solution, e.g. kumitate search soma --cut 5

    It runs until Ctrl-C, --samples or --limit.

    \b
    six-piece burrs               kumitate search --burr notchable --level 3
    some of the pieces of PUZZLE  kumitate search pieces.kumitate.json
    random cuts of its goal       kumitate search soma --cut 5
    or of a box                   kumitate search 4x4x4 --cut 4 --holes 4 --level 2

    --limit 1 -o new.kumitate.json stops at the first puzzle found, and saves it.
    """
    from kumitate.jobs.design import resume_search, search_into
    from kumitate.model.grids import CUBES
    from kumitate.store import open_collection

    options: dict[str, Any] = {"samples": samples, "limit": limit, "threads": threads or cores()}
    kept, saved, shown = arguments.collection_outputs(output, force)
    with TemporaryDirectory() as folder:
        if resume:
            given = {"puzzle": puzzle, "output": kept, **wish}
            if wish["unique"] is False:
                given["several"] = given.pop("unique")
            for name in (name for name, value in given.items() if value is not None):
                option = "PUZZLE" if name == "puzzle" else f"--{name.replace('_', '-')}"
                option += f" {kept}" * (name == "output")
                raise PuzzleError(
                    f"{option} cannot be combined with --resume: a search keeps its options"
                )
            with open_collection(resume) as collection:
                grid = collection.puzzle.grid if collection.puzzle else CUBES
            work = partial(resume_search, resume, **options)
        else:
            family = _family(puzzle, wish)
            grid = family.grid
            options |= {name: value for name, value in wish.items() if value is not None}
            if kept:
                arguments.run_output(kept, force)
            file = kept or str(Path(folder) / "collection")
            work = partial(search_into, file, family, **options)
        path = arguments.puzzle_output(saved, force, grid, ".kumitate") if saved else None
        carry_out(REPORT, work, resume or file, resume or kept, path, shown, as_json, force)


def _family(puzzle: str | None, wish: dict[str, Any]) -> Family:
    """Which puzzles are drawn; what says so is taken out of the wishes."""
    from kumitate.burr6.family import Burrs
    from kumitate.designer.families import Cuts, Subsets
    from kumitate.designer.recipes import box as box_named

    names = ("burr", "cut", "holes", "smallest", "problem")
    burr, cut, holes, smallest, problem = (wish.pop(name) for name in names)
    if burr:
        for name, value in (("PUZZLE", puzzle), ("--cut", cut), ("--problem", problem)):
            if value is not None:
                raise PuzzleError(f"{name} cannot be combined with --burr")
    if not cut and (holes or smallest):
        raise PuzzleError("--holes and --smallest need --cut")
    if burr:
        return Burrs(burr)
    if puzzle is None:
        arguments.missing_puzzle()
    box = None if Path(puzzle).exists() else box_named(puzzle, MOST_CELLS)
    if box and not cut:
        raise PuzzleError(f"{puzzle}: a box has no pieces; add --cut N")
    if box and problem:
        raise PuzzleError(f"{puzzle}: a box cannot be combined with --problem")
    if box:
        return Cuts(box, cut, holes or 0, smallest or 1)
    document = arguments.open_puzzle(puzzle, problem)
    source, asked = document.puzzle, arguments.the_problem(document, "search")
    if cut:
        return Cuts(asked.goal, cut, holes or 0, smallest or 1, source.colours)
    return Subsets(asked, source.colours)


def _how_far(now: Sampling, pace: float) -> str:
    best = f", best level {now.best}" if now.best else ""
    return f"{count_of(now.samples, 'sample')}, {now.found:,} found{best}, {pace:,.0f} samples/s"


def _print(collection: Collection, summary: Sampling) -> None:
    from kumitate.files import decode

    for number, entry in enumerate(collection.page(1, LISTED), 1):
        line = f"level {entry.levels}, total moves: {entry.moves}, sample {entry.sample:,}"
        if not collection.search.cut:
            [problem] = decode(entry.document.encode()).puzzle.problems
            pieces = str(problem).rpartition(" fill ")[0].removeprefix(f"{problem.name}: ")
            line = f"{line}: {pieces}"
        click.echo(f"{number:3}. {line}")
    if summary.found > LISTED:
        click.echo(f"and {summary.found - LISTED:,} more")
    ends = (
        f", {summary.endings[end]:,} {words}" for end, words in _ENDINGS if end in summary.endings
    )
    click.echo(f"{count_of(summary.samples, 'sample')}: {summary.found:,} found{''.join(ends)}")
    if summary.state == "done":
        click.echo("every choice of pieces was tried")


_ENDINGS = (
    ("none", "do not go together"),
    ("locked", "do not come apart"),
    ("easy", "too easy"),
    ("several", "with several solutions"),
    ("again", "already found"),
    ("limit", "given up"),
    ("lost", "lost to damage"),
)


def _as_json(collection: Collection, summary: Sampling) -> dict[str, Any]:
    return {
        "samples": summary.samples,
        "found": summary.found,
        "endings": summary.endings,
        "complete": summary.state in ("limit", "done"),
        "seconds": round(summary.seconds, 3),
        "puzzles": [
            {
                "sample": entry.sample,
                "level": entry.level,
                "moves": entry.moves,
                "levels": entry.levels,
            }
            for entry in collection.page(1, MOST_JSON)
        ],
    }


REPORT = Report("search", _how_far, _print, _as_json)
