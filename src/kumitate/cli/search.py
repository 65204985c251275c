"""kumitate search: new puzzles with a unique solution, by random sampling."""

from __future__ import annotations

import re
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli.arguments import (
    AMOUNT,
    SEED,
    SILENT,
    Whole,
    force_option,
    json_option,
    open_puzzle,
    output_option,
    problem_option,
    puzzle_output,
    run_output,
    tell,
    the_problem,
)
from kumitate.cli.progress import progress_line
from kumitate.cli.solve import cores, duration, missing_puzzle
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_THREADS, count_of
from kumitate.startup import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumitate.model.shape import Shape
    from kumitate.search.discover import Family
    from kumitate.store import Collection, Sampling

LISTED = 10  # puzzles
MOST_JSON = 1000
LARGEST = 10_000  # cells of a box
_BOX = re.compile(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})(?:x([1-9][0-9]{0,3}))?")


@click.command()
@click.argument("puzzle", required=False)
@problem_option
@click.option(
    "--burr",
    type=click.Choice(["all", "notchable", "solid"]),
    help="Six-piece burrs: of all sticks, of notchable ones, or of those in solid burrs.",
)
@click.option("--cut", type=Whole(2), metavar="N", help="Cut the goal into N pieces.")
@click.option(
    "--holes", type=AMOUNT, metavar="N", help="Leave N cells inside empty. Default: none."
)
@click.option(
    "--smallest", type=AMOUNT, metavar="N", help="Least number of cells of a piece. Default: 1."
)
@click.option("--level", type=AMOUNT, metavar="N", help="Least level. Default: 1.")
@click.option(
    "--unique/--several", default=None, help="One solution, or any number. Default: --unique."
)
@click.option("--seed", type=SEED, metavar="N", help="Seed of the random choices. Default: 0.")
@click.option("--samples", type=AMOUNT, metavar="N", help="Stop after N samples. Default: never.")
@click.option("--limit", type=AMOUNT, metavar="N", help="Stop when N are found. Default: never.")
@click.option(
    "--max-states",
    type=AMOUNT,
    metavar="N",
    help="Skip a puzzle that needs more than N states to take apart.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, MOST_THREADS),
    metavar="N",
    help="Number of threads. Default: one per core.",
)
@output_option(
    "Save the search in FILE.kumitate, to resume it, or the best puzzle in a puzzle file, such as"
    " FILE.kumitate.json; may be repeated.",
    multiple=True,
)
@click.option("--resume", metavar="FILE", help="Continue a search with the options it began with.")
@force_option
@json_option
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

    It goes on until Ctrl-C, or until --samples or --limit are reached.

    \b
    six-piece burrs               kumitate search --burr notchable --level 3
    some of the pieces of PUZZLE  kumitate search pieces.kumitate.json
    random cuts of its goal       kumitate search soma --cut 5
    or of a box                   kumitate search 4x4x4 --cut 4 --holes 4 --level 2

    --limit 1 -o new.kumitate.json stops at the first puzzle found, and saves it.
    """
    from kumitate.model.grids import CUBES
    from kumitate.scale.searching import resume_search, search_into
    from kumitate.store import open_collection

    options: dict[str, Any] = {"samples": samples, "limit": limit, "threads": threads or cores()}
    kept, saved = _outputs(output)
    with TemporaryDirectory() as folder:
        if resume:
            given = {"puzzle": puzzle, "output": kept, **wish}
            if wish["unique"] is False:
                given["several"] = given.pop("unique")
            for name in (name for name, value in given.items() if value is not None):
                option = "PUZZLE" if name == "puzzle" else f"--{name.replace('_', '-')}"
                option += f" {kept}" * (name == "output")
                raise PuzzleError(f"{option} does not go with --resume: it goes on as it was begun")
            with open_collection(resume) as collection:
                grid = collection.puzzle.grid if collection.puzzle else CUBES
            work = partial(resume_search, resume, **options)
        else:
            family = _family(puzzle, wish)
            grid = family.grid
            options |= {name: value for name, value in wish.items() if value is not None}
            if kept:
                run_output(kept, force)
            file = kept or str(Path(folder) / "collection")
            work = partial(search_into, file, family, **options)
        path = puzzle_output(saved, force, grid, ".kumitate") if saved else None
        _carry_out(work, resume or file, resume or kept, path, as_json)


def _outputs(names: tuple[str, ...]) -> tuple[str | None, str | None]:
    """The file that keeps the search, and the one for the best puzzle."""
    kept = [name for name in names if name.lower().endswith(".kumitate")]
    saved = [name for name in names if name not in kept]
    for some, what in ((kept, "the search"), (saved, "the best puzzle")):
        if len(some) > 1:
            raise PuzzleError(f"--output: two files for {what}, {some[0]} and {some[1]}; give one")
    return kept[0] if kept else None, saved[0] if saved else None


def _family(puzzle: str | None, wish: dict[str, Any]) -> Family:
    """Which puzzles are drawn; what says so is taken out of the wishes."""
    from kumitate.search.burrs import Burrs
    from kumitate.search.families import Cuts, Subsets

    names = ("burr", "cut", "holes", "smallest", "problem")
    burr, cut, holes, smallest, problem = (wish.pop(name) for name in names)
    if burr:
        for name, value in (("PUZZLE", puzzle), ("--cut", cut), ("--problem", problem)):
            if value is not None:
                raise PuzzleError(f"{name} does not go with --burr")
    if not cut and (holes or smallest):
        raise PuzzleError("--holes and --smallest go with --cut")
    if burr:
        return Burrs(burr)
    if puzzle is None:
        missing_puzzle()
    box = _box(puzzle)
    if box and not cut:
        raise PuzzleError(f"{puzzle}: a box has no pieces; add --cut N")
    if box and problem:
        raise PuzzleError(f"{puzzle}: a box sets no problems; leave out --problem")
    if box:
        return Cuts(box, cut, holes or 0, smallest or 1)
    document = open_puzzle(puzzle, problem)
    source, asked = document.puzzle, the_problem(document, "search")
    if cut:
        return Cuts(asked.goal, cut, holes or 0, smallest or 1, source.colours)
    return Subsets(asked, source.colours)


def _box(name: str) -> Shape | None:
    """A box of cubes by its size, if that is what the name says and no file is called so."""
    from kumitate.model.grids import CUBES
    from kumitate.model.shape import Shape

    found = _BOX.fullmatch(name)
    if not found or Path(name).exists():
        return None
    a, b, c = (int(size or 1) for size in found.groups())
    if a * b * c > LARGEST:
        raise PuzzleError(f"{name}: {a * b * c:,} cells; at most {LARGEST:,} can be cut")
    cells = {(x, y, z, 0) for x in range(a) for y in range(b) for z in range(c)}
    return Shape(CUBES, cells, name=name)


def _carry_out(
    work: Callable[..., Sampling], file: str, kept: str | None, save: Path | None, as_json: bool
) -> None:
    """Do it, tell what was found, and leave with the status that says how it went."""
    import json

    from kumitate.files import write
    from kumitate.store import open_collection

    failure: BaseException | None = None
    with progress_line(as_json) as show:
        before: int | None = None

        def note(now: Sampling) -> None:
            nonlocal before
            before = done = now.samples if before is None else before
            show(lambda seconds: _how_far(now, (now.samples - done) / seconds))

        try:
            work(progress=note)
        except (KeyboardInterrupt, PuzzleError) as error:
            failure = SystemExit(INTERRUPTED) if isinstance(error, KeyboardInterrupt) else error
    if failure and before is None:  # nothing was searched
        raise failure
    with open_collection(file) as collection:
        told, best = collection.summary(), collection.page(1, 1)
        if as_json:
            click.echo(json.dumps(_as_json(collection, told)))
        else:
            _print(collection, told)
        if save and best:
            tell(save, write(collection.document(1), save))
            if not as_json:
                click.echo(f"the best is saved in {save}")
    if kept and not as_json:
        more = " --samples N" if told.state == "limit" else ""
        on = "" if told.state == "done" else f"; to continue: kumitate search --resume {kept}{more}"
        click.echo(f"kept in {kept}{on}")
    if failure:
        raise failure
    if not best:
        raise SystemExit(1)


def _how_far(now: Sampling, pace: float) -> str:
    best = f", best level {now.best}" if now.best else ""
    return f"{count_of(now.samples, 'sample')}, {now.found:,} found{best}, {pace:,.0f} samples/s"


def show_collection(file: str, as_json: bool) -> None:
    """What a search looks for, how far it is, and the best that it has found."""
    import json

    from kumitate.store import open_collection

    with open_collection(file) as collection:
        collection.verify()
        told = collection.summary()
        if as_json:
            click.echo(json.dumps(_as_json(collection, told)))
            return
        click.echo(f"{_wish(collection)}\n{_state(told, file)}\n")
        _print(collection, told)


def _wish(collection: Collection) -> str:
    asked, puzzle = collection.asked, collection.puzzle
    if puzzle is None:
        family = f"six-piece burrs, {asked.burr} sticks"
    else:
        [problem] = puzzle.problems
        goal = problem.goal.name or "the goal"
        family = f"{goal} cut into {asked.cut} pieces" if asked.cut else f"some of {problem}"
        family += f", {count_of(asked.holes, 'hole')}" if asked.holes else ""
    number = "unique solution" if asked.unique else "any number of solutions"
    return f"{family}: {number}, level {asked.level} at least, seed {asked.seed}"


def _state(told: Sampling, file: str) -> str:
    again = f"kumitate search --resume {file}"
    if told.state in ("done", "recovered"):
        return told.state
    if told.state == "limit":
        return f"stopped at its limit (to continue: {again} --samples N)"
    ago = max(0.0, time.time() - told.saved)
    if told.state == "running" and ago <= SILENT:
        return "running"
    state = "paused" if told.state == "paused" else f"broken off {duration(ago)} ago"
    return f"{state} (to continue: {again})"


def _print(collection: Collection, told: Sampling) -> None:
    from kumitate.files import decode

    for number, entry in enumerate(collection.page(1, LISTED), 1):
        line = f"level {entry.levels}, moves in all: {entry.moves}, sample {entry.sample:,}"
        if not collection.asked.cut:
            [problem] = decode(entry.document.encode()).puzzle.problems
            pieces = str(problem).rpartition(" fill ")[0].removeprefix(f"{problem.name}: ")
            line = f"{line}: {pieces}"
        click.echo(f"{number:3}. {line}")
    if told.found > LISTED:
        click.echo(f"and {told.found - LISTED:,} more")
    ends = (f", {told.endings[end]:,} {words}" for end, words in _ENDINGS if end in told.endings)
    click.echo(f"{count_of(told.samples, 'sample')}: {told.found:,} found{''.join(ends)}")
    if told.state == "done":
        click.echo("every choice of pieces was drawn")


_ENDINGS = (
    ("none", "do not go together"),
    ("locked", "do not come apart"),
    ("easy", "too easy"),
    ("several", "with several solutions"),
    ("again", "found before"),
    ("limit", "given up"),
    ("lost", "lost by damage"),
)


def _as_json(collection: Collection, told: Sampling) -> dict[str, Any]:
    return {
        "samples": told.samples,
        "found": told.found,
        "endings": told.endings,
        "complete": told.state in ("limit", "done"),
        "seconds": round(told.seconds, 3),
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
