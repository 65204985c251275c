"""kumitate search: new puzzles with a unique solution, by random sampling."""

from __future__ import annotations

import re
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli.arguments import INTERRUPTED, SILENT, open_puzzle, tell
from kumitate.cli.line import live_line
from kumitate.cli.solve import cores, duration, missing_puzzle, pick
from kumitate.model.errors import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumitate.model.grid import Grid
    from kumitate.model.shape import Shape
    from kumitate.search.discover import Family
    from kumitate.store import Collection, Sampling

LISTED = 10  # puzzles
MOST_JSON = 1000
LARGEST = 10_000  # cells of a box
_BOX = re.compile(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})(?:x([1-9][0-9]{0,3}))?")


@click.command()
@click.argument("puzzle", required=False)
@click.option(
    "--burr",
    type=click.Choice(["all", "notchable", "solid"]),
    help="Six-piece burrs: of all sticks, notchable ones, or those of solid burrs.",
)
@click.option("--cut", type=click.IntRange(2), metavar="N", help="Cut the goal into N pieces.")
@click.option("--holes", type=click.IntRange(1), metavar="N", help="Leave N cells inside empty.")
@click.option("--smallest", type=click.IntRange(1), metavar="N", help="No piece of fewer cells.")
@click.option("--problem", type=click.IntRange(1), metavar="N", help="Of problem N [1].")
@click.option("--level", type=click.IntRange(1), metavar="N", help="Of this level at least [1].")
@click.option("--unique/--several", default=None, help="One solution, or any number [unique].")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Other random choices [0].")
@click.option("--samples", type=click.IntRange(1), metavar="N", help="Stop after N samples.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop when N are found.")
@click.option("--max-states", type=click.IntRange(1), metavar="N", help="Give one up after N.")
@click.option("--threads", type=click.IntRange(1, 256), help="Threads [all cores].")
@click.option("--output", metavar="FILE", help="Keep all in FILE, which can be resumed.")
@click.option("--resume", metavar="FILE", help="Go on with a search, as it was asked.")
@click.option("--save", metavar="FILE", help="Save the best puzzle found, e.g. new.kumitate.json")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def search(
    puzzle: str | None,
    samples: int | None,
    limit: int | None,
    threads: int | None,
    output: str | None,
    resume: str | None,
    save: str | None,
    force: bool,
    as_json: bool,
    **wish: Any,
) -> None:
    """Search for new puzzles with a unique solution, until Ctrl-C.

    \b
    six-piece burrs               kumitate search --burr notchable --level 3
    some of the pieces of PUZZLE  kumitate search pieces.kumitate.json
    random cuts of its goal       kumitate search soma --cut 5
    or of a box                   kumitate search 4x4x4 --cut 4 --holes 4 --level 2

    --limit 1 --save new.kumitate.json ends with the first one found, and saves it.
    """
    from kumitate.disk import require_free
    from kumitate.model.grids import CUBES
    from kumitate.scale.searching import resume_search, search_into
    from kumitate.store import open_collection

    options: dict[str, Any] = {"samples": samples, "limit": limit, "threads": threads or cores()}
    with TemporaryDirectory() as folder:
        if resume:
            given = {"puzzle": puzzle, "output": output, **wish}
            if wish["unique"] is False:
                given["several"] = given.pop("unique")
            for name in (name for name, value in given.items() if value is not None):
                option = "PUZZLE" if name == "puzzle" else f"--{name.replace('_', '-')}"
                raise PuzzleError(f"{option} does not go with --resume: it goes on as it was begun")
            with open_collection(resume) as collection:
                grid = collection.puzzle.grid if collection.puzzle else CUBES
            work = partial(resume_search, resume, **options)
        else:
            family = _family(puzzle, wish)
            grid = family.grid
            options |= {name: value for name, value in wish.items() if value is not None}
            if output:
                require_free(Path(output), force)
            file = output or str(Path(folder) / "collection")
            work = partial(search_into, file, family, **options)
        kept = resume or output
        if save:
            require_free(Path(save), force)
            _require_savable(save, grid, kept)
        _carry_out(work, kept or file, kept, save, as_json)


def _require_savable(save: str, grid: Grid, kept: str | None) -> None:
    """Nobody should search for what cannot be saved then, or only over all that was found."""
    from kumitate.files import encode
    from kumitate.files.document import Document, place
    from kumitate.model.puzzle import Puzzle

    with place(save):
        if kept and Path(save).resolve() == Path(kept).resolve():
            raise PuzzleError("the search is kept there; save the best puzzle in another file")
        encode(Document(Puzzle(grid, [], [])), save)


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
    source = open_puzzle(puzzle).puzzle
    [asked] = pick(source, problem or 1)
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
    work: Callable[..., Sampling], file: str, kept: str | None, save: str | None, as_json: bool
) -> None:
    """Do it, tell what was found, and leave with the status that says how it went."""
    import json

    from kumitate.files import write
    from kumitate.store import open_collection

    failure: BaseException | None = None
    with live_line(as_json) as show:
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
        on = "" if told.state == "done" else f"; kumitate search --resume {kept}{more} goes on"
        click.echo(f"kept in {kept}{on}")
    if failure:
        raise failure
    if not best:
        raise SystemExit(1)


def _how_far(now: Sampling, pace: float) -> str:
    best = f", best level {now.best}" if now.best else ""
    return f"{_samples(now)}, {now.found:,} found{best}, {pace:,.0f} samples/s"


def show_collection(file: str) -> None:
    """What a search looks for, how far it is, and the best that it has found."""
    from kumitate.store import open_collection

    with open_collection(file) as collection:
        collection.verify()
        told = collection.summary()
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
        family += f", {asked.holes} hole{'s' * (asked.holes != 1)}" if asked.holes else ""
    number = "unique solution" if asked.unique else "any number of solutions"
    return f"{family}: {number}, level {asked.level} at least, seed {asked.seed}"


def _state(told: Sampling, file: str) -> str:
    again = f"kumitate search --resume {file}"
    if told.state in ("done", "recovered"):
        return told.state
    if told.state == "limit":
        return f"stopped at its limit ({again} --samples N goes on)"
    ago = max(0.0, time.time() - told.saved)
    if told.state == "running" and ago <= SILENT:
        return "running"
    state = "paused" if told.state == "paused" else f"broken off {duration(ago)} ago"
    return f"{state} ({again} goes on)"


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
    click.echo(f"{_samples(told)}: {told.found:,} found{''.join(ends)}")
    if told.state == "done":
        click.echo("every choice of pieces was drawn")


def _samples(told: Sampling) -> str:
    return f"{told.samples:,} sample{'s' * (told.samples != 1)}"


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
