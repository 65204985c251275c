"""kumitate design: say what puzzle you want, and for how long to look for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial, reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli import arguments
from kumitate.cli.collecting import LISTED, MOST_JSON, Report, carry_out
from kumitate.cli.progress import connected
from kumitate.cli.report import duration
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.model.wish import Wish, wish_help
from kumitate.search.threads import cores

if TYPE_CHECKING:
    from kumitate.model.grid import Grid
    from kumitate.model.shape import Shape
    from kumitate.model.solution import Assembly
    from kumitate.store import Collection, Entry, Sampling

MINUTE = 100  # seconds; more are told in minutes
_TIME = re.compile(r"(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,9})s?)?")


class _Seconds(click.ParamType):  # type: ignore[type-arg]
    """A time such as 90, 90s, 10m or 1h30m, in seconds."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = _TIME.fullmatch(str(value))
        hours, minutes, seconds = (int(part or 0) for part in found.groups()) if found else (0,) * 3
        total = 3600 * hours + 60 * minutes + seconds
        if not total:
            self.fail(f"{value!r} is not a time; write it as 90s, 10m or 1h30m", param, ctx)
        return total


class _Range(click.ParamType):  # type: ignore[type-arg]
    """A whole number, or a range such as 0..8."""

    name = "N"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | tuple[int, int]:
        found = re.fullmatch(r"([0-9]{1,18})(?:\.\.([0-9]{1,18}))?", str(value))
        if not found:
            self.fail(f"{value!r} is neither a number nor a range such as 0..8", param, ctx)
        low, high = int(found[1]), int(found[2] or found[1])
        if low > high:
            self.fail(f"the range {value} is empty; the smaller number comes first", param, ctx)
        return low if low == high else (low, high)


_KINDS: dict[str, dict[str, Any]] = {
    "holes": {"type": _Range(), "metavar": "N"},
    "maximise": {"multiple": True, "metavar": "WHAT"},
    "keep": {"multiple": True, "metavar": "PIECE"},
    "home": {"multiple": True, "metavar": "DRAWING"},
    "no_turns": {"metavar": "TOLERANCE"},
    "seed": {"type": arguments.SEED, "metavar": "N", "default": None},
}


def _wish_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """An option for each wish: a flag, or with a number."""

    def option(name: str) -> Callable[..., Any]:
        flag, text = f"--{name.replace('_', '-')}", wish_help(name)
        if name in _KINDS:
            return click.option(flag, help=text, **_KINDS[name])
        if getattr(Wish, name, None) is False:
            return click.option(flag, is_flag=True, help=text)
        return arguments.amount_option(flag, text)

    names = [one.name for one in fields(Wish)]
    return reduce(lambda made, name: option(name)(made), reversed(names), command)


@click.command()
@click.argument("goal", required=False)
@arguments.problem_option
@_wish_options
@click.option(
    "--time",
    "seconds",
    type=_Seconds(),
    metavar="TIME",
    help="Stop after a time such as 90s, 10m or 1h30m.",
)
@arguments.amount_option("--evaluations", "Stop after N candidates. Default: never.")
@arguments.threads_option
@arguments.cluster_option("Design")
@click.option(
    "--from",
    "start",
    metavar="PUZZLE",
    help="List the effect of every change of a single cell of PUZZLE.",
)
@arguments.output_option(
    "Save everything in FILE.kumitate, to resume it; or the best puzzle in a puzzle file, such as"
    " FILE.kumitate.json, as a page, FILE.html, or to print, FILE.3mf; may be repeated.",
    multiple=True,
)
@click.option(
    "--split",
    is_flag=True,
    help="Split the pieces in FILE.3mf into parts that print without support.",
)
@arguments.resume_option("Continue a design with the options it began with.")
@arguments.force_option
@arguments.json_option
def design(
    goal: str | None,
    problem: str | None,
    seconds: int | None,
    evaluations: int | None,
    threads: int | None,
    cluster: str | None,
    start: str | None,
    output: tuple[str, ...],
    split: bool,
    resume: str | None,
    force: bool,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Design new puzzles by goal, e.g. kumitate design 5x5x5 --pieces 4 --unique --time 1m

    It runs until Ctrl-C, --time or --evaluations, and keeps the best puzzle for each level, number
    of holes and size of the smallest piece.

    \b
    GOAL is
      a box                5x5x5 --pieces 4 --holes 1
      the goal of a puzzle my.xmpuzzle --pieces 5, or a library name such as soma
      a puzzle to improve  my.xmpuzzle, with --keep PIECE for pieces that must not change
      a family             cube, burr6, burr18, board-burr, box, cage, pyramid, rhombic, tray
                           or antislide, with its size after a slash: cube/6, tray/6x8
      a file of options    goal.toml

    WHAT to maximise: level, moves, dead-ends, false-assemblies, fewest-holes, most-holes, turns,
    smallest or first-piece. Default: level,moves.
    """
    from kumitate.designer.recipes import recipe_for
    from kumitate.jobs.design import design_into, question_of, resume_design
    from kumitate.store import open_collection

    given = {n: wish for n, wish in wishes.items() if wish not in (None, ()) and wish is not False}
    if start is not None:
        from kumitate.cli.advise import advise

        others = given | {"goal": goal, "output": output, "resume": resume}
        others |= {"time": seconds, "evaluations": evaluations}
        others |= {"threads": threads, "cluster": cluster, "split": split or None}
        _refuse({name: value for name, value in others.items() if name != "keep"}, "--from")
        advise(start, problem, wishes["keep"], as_json)
        return
    budget: dict[str, Any] = {"seconds": seconds, "evaluations": evaluations, "threads": threads}
    kept, saved, shown = arguments.collection_outputs(output, force)
    with TemporaryDirectory() as folder:
        if resume is not None:
            _refuse(given | {"goal": goal, "problem": problem, "output": kept}, "--resume")
            with open_collection(resume) as collection:
                grid = recipe_for(**question_of(collection)).goal.grid
            file, make = resume, partial(resume_design, resume)
        else:
            if goal and goal.lower().endswith(".toml"):
                goal, given, budget = _from_file(goal, given, budget)
            if goal is None:
                raise click.UsageError("Missing argument 'GOAL'.", click.get_current_context())
            wish = _wish(given)
            what, title, colours = _goal(goal, problem, wish)
            grid = recipe_for(what, wish).goal.grid
            if kept is not None:
                arguments.run_output(kept, force)
            file = kept or str(Path(folder) / "collection")
            make = partial(design_into, file, what, wish, title=title, colours=colours)
        arguments.require_own_threads(cluster, budget["threads"])
        budget["threads"] = budget["threads"] or cores()
        _require_makes(shown, split, grid)
        path = None
        if saved is not None:
            path = arguments.puzzle_output(saved, force, grid, ".kumitate")
        with connected(cluster) as client:
            work = partial(make, **budget, cluster=client)
            carry_out(REPORT, work, file, resume or kept, path, shown, as_json, force, split)


def _require_makes(shown: Sequence[Path], split: bool, grid: Grid) -> None:
    """Refuse now what could not be made of the puzzle that will be found."""
    from kumitate.output.effects import require_effects
    from kumitate.output.views import SOLIDS

    printed = [path for path in shown if path.suffix.lower() in SOLIDS]
    if split and not printed:
        raise PuzzleError("--split is for files to print; add --output plates.3mf")
    for path in printed:
        require_effects(path, "pieces", {"split": split}, grid)
    if any(path.suffix.lower() == ".dxf" for path in shown):
        from kumitate.output.make.outline import require_layers

        require_layers(grid)


def _refuse(given: dict[str, Any], option: str) -> None:
    """Refuse what has no effect beside an option."""
    for name in (name for name, value in given.items() if value not in (None, ())):
        flag = "GOAL" if name == "goal" else f"--{name.replace('_', '-')}"
        why = ": a design keeps its options" if option == "--resume" else ""
        raise PuzzleError(f"{flag} cannot be combined with {option}{why}")


# ---- what is asked ----


def _wish(given: dict[str, Any]) -> Wish:
    """What the options ask."""
    given = dict(given)
    if "maximise" in given:
        given["maximise"] = tuple(
            part.strip() for text in given["maximise"] for part in text.split(",")
        )
    if "no_turns" in given:
        text = str(given["no_turns"])
        given["no_turns"] = arguments.tolerance_in_cells("--no-turns", text)
    return Wish(**given)


def _from_file(
    name: str, given: dict[str, Any], budget: dict[str, Any]
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The goal, the wishes and the budget of a small file; options given beside it win."""
    import tomllib

    try:
        lines = tomllib.loads(Path(name).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise PuzzleError(f"{name}: no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PuzzleError(f"{name}: not a TOML file: {error}") from None
    goal = lines.pop("goal", None)
    if not isinstance(goal, str):
        raise PuzzleError(f'{name}: it needs a line such as goal = "5x5x5"')
    wishes: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    options = {p.opts[0][2:]: p for p in design.params if isinstance(p, click.Option)}
    known = [one.name.replace("_", "-") for one in fields(Wish)] + [
        "time",
        "evaluations",
        "threads",
    ]
    for key, value in lines.items():
        flag = key.replace("_", "-")
        if flag not in known:
            raise PuzzleError(f"{name}: {key!r} is unknown; use goal, {', '.join(known)}")
        option = options[flag]
        assert option.name is not None
        wishes_or_limits = limits if flag in ("time", "evaluations", "threads") else wishes
        if option.name in wishes_or_limits:
            raise PuzzleError(f"{name}: {flag!r} is given twice, with - and with _; keep one")
        try:
            wishes_or_limits[option.name] = _value(option, value)
        except click.BadParameter as error:
            raise PuzzleError(f"{name}: {key}: {error.message}") from None
    wishes = {key: value for key, value in wishes.items() if value is not False}
    chosen = {key: value for key, value in budget.items() if value is not None}
    return goal, wishes | given, budget | limits | chosen


def _value(option: click.Option, value: Any) -> Any:
    """What a line of a file says, as the option of that name would take it."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise click.BadParameter("write true or false")
        return value
    if option.multiple:
        some = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in some):
            raise click.BadParameter('write a text, or a list of texts such as ["level", "moves"]')
        return tuple(some)
    if isinstance(value, float) and option.name != "no_turns":
        raise click.BadParameter(f"{value} is not a whole number")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise click.BadParameter("write a number or a text")
    return option.type.convert(value, option, None)


def _goal(name: str, problem: str | None, wish: Wish) -> tuple[str | Shape | Assembly, str, Any]:
    """What is designed, its title, and the colours of its puzzle."""
    from kumitate.designer.recipes import FAMILIES, box
    from kumitate.designer.start import start_of
    from kumitate.files.document import place

    if not Path(name).exists() and (name.partition("/")[0] in FAMILIES or box(name)):
        if problem is not None:
            raise PuzzleError(f"--problem needs a puzzle, and {name} is not one; leave it out")
        return name, "", ()
    document = arguments.open_puzzle(name, problem)
    puzzle, asked = document.puzzle, arguments.the_problem(document, "design")
    number = puzzle.problems.index(asked)
    title = puzzle.title
    if not asked.pieces or (wish.pieces and not wish.keep):
        return asked.goal, "", puzzle.colours
    with place(name):
        return start_of(asked, document.answers[number]), title, puzzle.colours


# ---- what was found ----


def _how_far(now: Sampling, pace: float) -> str:
    best = f", best level {now.best}" if now.best else ""
    tried = count_of(now.samples, "candidate")
    return f"{tried}, {count_of(now.found, 'puzzle')}{best}, {pace:,.0f} candidates/s"


def _rows(collection: Collection, most: int) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """The best puzzles, and what is reported of each."""
    from kumitate.files import decode

    for entry in collection.page(1, most):
        document = decode(entry.document.encode())
        [problem], [answers] = document.puzzle.problems, document.answers
        sizes = sorted(len(p.shape) for p in problem.pieces for _ in range(p.min))
        yield (
            entry,
            {
                "level": entry.level,
                "levels": entry.levels,
                "moves": entry.moves,
                "pieces": sizes,
                "holes": len(problem.goal) - sum(sizes),
                "assemblies": answers.assembly_count if answers else None,
                "solutions": answers.solution_count if answers else None,
                "sample": entry.sample,
            },
        )


def _as_json(collection: Collection, summary: Sampling) -> dict[str, Any]:
    return {
        "puzzles": [row for _, row in _rows(collection, MOST_JSON)],
        "evaluations": summary.samples,
        "seconds": round(summary.seconds, 3),
    }


def _print(collection: Collection, summary: Sampling) -> None:
    for number, (_, row) in enumerate(_rows(collection, LISTED), 1):
        click.echo(f"{number:3}. {_line(row)}")
    if summary.found > LISTED:
        click.echo(f"and {summary.found - LISTED:,} more")
    spent = f"{summary.seconds:.1f} s" if summary.seconds < MINUTE else duration(summary.seconds)
    candidates, kept = count_of(summary.samples, "candidate"), count_of(summary.found, "puzzle")
    click.echo(f"{candidates} in {spent}: {kept} kept")
    if summary.samples and not summary.found:
        click.echo("nothing met all requirements; search longer, or ask for less")


def _line(row: dict[str, Any]) -> str:
    sizes, assemblies, solutions = row["pieces"], row["assemblies"], row["solutions"]
    cells = count_of(sizes[-1], "cell")
    if sizes[0] < sizes[-1]:
        cells = f"{sizes[0]} to {cells}"
    ways = "solutions unknown"
    if solutions is not None and assemblies is not None:
        ways = "unique" if solutions == 1 else count_of(solutions, "solution")
        false = assemblies - solutions
        ways += f" ({count_of(false, 'false assembly')})" if false else ""
    return (
        f"level {row['levels']}, total moves: {row['moves']}, pieces of {cells},"
        f" {count_of(row['holes'], 'hole')}, {ways}"
    )


REPORT = Report("design", _how_far, _print, _as_json)
