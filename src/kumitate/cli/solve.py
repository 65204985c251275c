"""kumitate solve and kumitate count: every way the pieces fill the goal, or only how many."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, NoReturn

import click

from kumitate.cli.arguments import INTERRUPTED, open_puzzle, puzzle_argument
from kumitate.cli.line import live_line
from kumitate.model.errors import LimitReached, PuzzleError

if TYPE_CHECKING:
    from kumitate.model.puzzle import Problem, Puzzle
    from kumitate.search.assemble import Progress

_APART = ("fine", "coordinate", "moves", "shortest", "certify", "max_states", "max_moves")
SHOWN = 3  # assemblies drawn when nobody says how many

_OPTIONS = (
    click.option("--problem", type=int, metavar="N", help="Only the N-th problem."),
    click.option("--pin", multiple=True, metavar="PIECE@DRAWING", help="PIECE lies where shown."),
    click.option("--mirrors", is_flag=True, help="Keep mirror images apart."),
    click.option("--rotations", is_flag=True, help="Keep everything apart."),
    click.option("--thorough", is_flag=True, help="Also compare by turns that move the goal."),
    click.option("--distinct-copies", is_flag=True, help="Pieces entered twice are two."),
    click.option("--threads", type=click.IntRange(1, 256), help="Threads [all cores]."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
)  # fmt: skip


def search_options(command: Callable[..., None]) -> Callable[..., None]:
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


@click.command()
@click.argument("puzzle", required=False)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop after N, and draw them.")
@click.option("--all", "draw_all", is_flag=True, help=f"Draw all of them, not only {SHOWN}.")
@click.option("--disassemble", is_flag=True, help="Only those that come apart, with their levels.")
@click.option("--fine", is_flag=True, help="Pieces may stop between cells on their way out.")
@click.option("--coordinate", is_flag=True, help="Pieces may fly apart all at once.")
@click.option("--moves", is_flag=True, help="Print the moves, too.")
@click.option("--shortest", is_flag=True, help="The fewest moves in all; for small puzzles.")
@click.option("--certify", is_flag=True, help="Prove what is rigid by forces in balance.")
@click.option("--max-states", type=click.IntRange(1), metavar="N", help="Give one up after N.")
@click.option("--max-moves", type=click.IntRange(1), metavar="N", help="Give one up beyond N.")
@click.option("--output", metavar="FILE", help="Keep all in FILE, a run that can be resumed.")
@click.option("--keep", metavar="WHAT", help="In it: all, none, every:N, best:N or best-moves:N.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option("--resume", metavar="FILE", help="Go on with a run, as it was asked.")
@click.option("--cluster", metavar="WHERE", help="On workers of Dask: tcp://HOST:PORT or local:N.")
@search_options
def solve(
    puzzle: str | None,
    limit: int | None,
    draw_all: bool,
    disassemble: bool,
    output: str | None,
    keep: str | None,
    force: bool,
    resume: str | None,
    cluster: str | None,
    **options: Any,
) -> None:
    """Find every way the pieces fill the goal, e.g. kumitate solve soma

    Rotations and mirror images of an assembly count once. A challenge card is solved from where its
    pieces lie: kumitate solve kanoodle --pin "A@AAA......../A.........."

    A long solve goes into a file: kumitate solve bedlam --output run.kumitate, and
    to continue later: kumitate solve --resume run.kumitate
    """
    if cluster is not None and options["threads"]:
        raise PuzzleError("--threads does not go with --cluster: its workers have their own")
    if resume or output:
        from kumitate.cli.runs import begin, go_on

        options.update(disassemble=disassemble, all=draw_all, keep=keep, force=force)
        options.update(cluster=cluster)
        if resume:
            go_on(resume, puzzle, output, limit, options)
        else:
            begin(str(output), puzzle or missing_puzzle(), limit, options)
        return
    puzzle = puzzle or missing_puzzle()
    if keep or force:
        raise PuzzleError("--keep and --force go with --output")
    apart = {name: options.pop(name) for name in _APART}
    if not disassemble and any(apart.values()):
        flags = ", ".join("--" + name.replace("_", "-") for name in _APART)
        raise PuzzleError(f"{flags} go with --disassemble")
    draw: dict[str, Any] = {"limit": limit, "draw_all": draw_all}
    if cluster is not None:
        from kumitate.cli.runs import spread

        spread(cluster, puzzle, options, disassemble=disassemble, **draw, **apart)
        return
    work = partial(_take_apart, **apart) if disassemble else _solve
    each_problem(puzzle, open_puzzle(puzzle).puzzle, options, partial(work, **draw))


@click.command()
@puzzle_argument
@search_options
def count(puzzle: str, **options: Any) -> None:
    """Count the ways the pieces fill the goal, e.g. kumitate count pentominoes/6x10"""
    each_problem(puzzle, open_puzzle(puzzle).puzzle, options, _count)


def missing_puzzle() -> NoReturn:
    raise click.UsageError("Missing argument 'PUZZLE'.", click.get_current_context())


def each_problem(
    name: str, puzzle: Puzzle, options: dict[str, Any], work: Callable[..., None]
) -> None:
    """Do it for each problem asked for, and leave with the status that says how it went."""
    import json

    as_json = options.pop("as_json")
    problems = pick(puzzle, options.pop("problem"))
    pins = options.pop("pin")
    options["threads"] = options["threads"] or cores()
    rows: list[dict[str, Any]] = []
    interrupted = False
    for problem in problems:
        pinned = [*problem.pinned, *(pin_of(problem, text) for text in pins)]
        rows.append(row_of(puzzle.title or name, problem))
        start = time.perf_counter()
        if len(problems) > 1 and not as_json:
            click.echo(str(problem))
        try:
            work(replace(problem, pinned=pinned), rows[-1], options, quiet=as_json)
        except KeyboardInterrupt:
            interrupted = True
        rows[-1]["seconds"] = round(time.perf_counter() - start, 3)
        if not as_json:
            click.echo(sentence(rows[-1]))
        if interrupted:
            break
    if as_json:
        click.echo(json.dumps({"problems": rows}))
    if interrupted:
        raise SystemExit(INTERRUPTED)
    if not any(
        row["assemblies"] if row["solutions"] is None else row["solutions"] or row["limit"]
        for row in rows
    ):
        raise SystemExit(1)


def row_of(puzzle: str, problem: Problem) -> dict[str, Any]:
    """What is told of a problem; filled in as it becomes known."""
    low, high = (sum(p.min for p in problem.pieces), sum(p.max for p in problem.pieces))
    return {
        "puzzle": puzzle,
        "problem": problem.name,
        "grid": problem.grid.name,
        "pieces": low if low == high else [low, high],
        "assemblies": 0,
        "solutions": None,
        "levels": {},
        "complete": False,
        "nodes": 0,
        "seconds": 0.0,
    }


def _solve(
    problem: Problem,
    row: dict[str, Any],
    options: dict[str, Any],
    quiet: bool,
    limit: int | None,
    draw_all: bool,
) -> None:
    from kumitate.search.assemble import assemble

    draw = limit or (None if draw_all else SHOWN)
    with live(row, quiet) as tell:
        for assembly in assemble(problem, progress=tell, **options):
            row["assemblies"] += 1
            if not quiet and (draw is None or row["assemblies"] <= draw):
                click.echo(f"{assembly}\n")
            if row["assemblies"] == limit:
                return
    row["complete"] = True


def _take_apart(
    problem: Problem,
    row: dict[str, Any],
    options: dict[str, Any],
    quiet: bool,
    limit: int | None,
    draw_all: bool,
    fine: bool,
    coordinate: bool,
    moves: bool,
    shortest: bool,
    certify: bool,
    max_states: int | None,
    max_moves: int | None,
) -> None:
    from kumitate.model.solution import Solution
    from kumitate.search.assemble import assemble
    from kumitate.search.disassemble import Bench
    from kumitate.search.rigid import rigidity
    from kumitate.search.states import MOST_TRIED
    from kumitate.search.states import shortest as fewest_moves

    if shortest and (fine or coordinate):
        raise PuzzleError("--shortest goes neither with --fine nor with --coordinate")

    draw = limit or (None if draw_all else SHOWN)
    bench = Bench(problem, fine, coordinate)
    row.update(solutions=0, rigid=0, stuck=0, limit=0, **({"certified": 0} if certify else {}))
    with live(row, quiet) as tell:
        last: Progress | None = None

        def note(now: Progress) -> None:
            nonlocal last
            last = now
            tell(now)

        def tell_states(states: int) -> None:
            if last:
                tell(last, f"assembly {row['assemblies']:,}: {states:,} states, ")

        for assembly in assemble(problem, progress=note, **options):
            row["assemblies"] += 1
            found = bench.examine(assembly, max_states, max_moves, options["threads"], tell_states)
            if found.disassembly is None:
                row[found.ending] += 1
                if certify and found.ending == "rigid":
                    row["certified"] += (
                        rigidity(assembly, found.part, found.places, found.parts) is not None
                    )
                continue
            row["solutions"] += 1
            disassembly = found.disassembly
            if shortest:
                try:
                    fewest = fewest_moves(assembly, max_states=max_states or MOST_TRIED)
                    disassembly = fewest or disassembly
                except LimitReached:
                    row["unproved"] = row.get("unproved", 0) + 1
            level = str(disassembly.levels)
            row["levels"][level] = row["levels"].get(level, 0) + 1
            if not quiet and (draw is None or row["solutions"] <= draw):
                click.echo(f"{Solution(assembly, disassembly)}\n")
                if moves:
                    click.echo(f"{disassembly.told(assembly)}\n")
            if row["solutions"] == limit:
                return
    row["complete"] = not row["limit"]  # what was given up may be a solution


def _count(problem: Problem, row: dict[str, Any], options: dict[str, Any], quiet: bool) -> None:
    from kumitate.search.assemble import count

    with live(row, quiet) as tell:

        def note(now: Progress) -> None:
            row["assemblies"] = now.assemblies
            tell(now)

        found = count(problem, progress=note, **options)
    row.update(assemblies=found.assemblies, nodes=found.nodes, complete=True)


def sentence(row: dict[str, Any]) -> str:
    found = row["assemblies"]
    some = f"{found:,} assembl{'y' if found == 1 else 'ies'}"
    end = "" if row["complete"] else " so far"
    if row["solutions"] is not None:
        levels = sorted(row["levels"].items(), key=lambda one: [int(n) for n in one[0].split(".")])
        told = ", ".join(f"{n:,} of level {level}" for level, n in levels)
        if len(levels) == 1:
            told = f"level {levels[0][0]}"
        apart = f"{row['solutions']:,} come{'s' * (row['solutions'] == 1)} apart"
        some += f", {apart}" + (f" ({told})" if levels else "")
        some += "".join(f", {row[how]:,} {words}" for how, words in _ENDINGS.items() if row[how])
        if "unproved" in row:
            some += f", {row['unproved']:,} perhaps not by the fewest moves"
        if row["rigid"] and "certified" in row:
            some += f" ({row['certified']:,} certified)"
    return f"{some}{end} ({row['nodes']:,} nodes, {row['seconds']:.2f} s)"


_ENDINGS = {
    "stuck": "cannot be separated",
    "limit": "given up at the limit",
    "rigid": "rigid",
}


@contextmanager
def live(row: dict[str, Any], quiet: bool, worked: float = 0) -> Iterator[Callable[..., None]]:
    """Notes the nodes; once a search has taken a second, a line on stderr with the time left.

    `worked` are the seconds that the search took before, in other processes.
    """
    with live_line(quiet) as show:

        def tell(now: Progress, before: str = "") -> None:
            row["nodes"] = now.nodes
            show(lambda seconds: before + _how_far(now, seconds + worked))

        yield tell


def _how_far(now: Progress, spent: float) -> str:
    left = spent * (1 - now.fraction) / now.fraction if now.fraction > 0 else None
    return (
        f"{now.assemblies:,} assemblies, {now.nodes / spent / 1e6:.1f} M nodes/s,"
        f" {100 * now.fraction:.1f} % done, {duration(left)} left"
    )


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "unknown time"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else f"{seconds / 86400:,.0f} days"


def pick(puzzle: Puzzle, number: int | None) -> list[Problem]:
    problems = list(puzzle.problems)
    if number is None:
        if not problems:
            raise PuzzleError("the puzzle sets no problem: nothing to solve")
        return problems
    if not 1 <= number <= len(problems):
        many = "is 1 problem" if len(problems) == 1 else f"are {len(problems)} problems"
        raise PuzzleError(f"--problem {number}: there {many}")
    return [problems[number - 1]]


def pin_of(problem: Problem, text: str) -> Any:
    """PIECE@DRAWING, where the drawing shows the goal from its corner with the piece's cells."""
    from kumitate.model.shape import Shape
    from kumitate.model.solution import find_placement

    name, at, drawing = text.partition("@")
    numbers = [n for n in range(len(problem.pieces)) if problem.label(n) == name]
    if not at or not numbers:
        known = ", ".join(problem.label(n) for n in range(len(problem.pieces)))
        raise PuzzleError(f"--pin {text}: write PIECE@DRAWING with one of the pieces {known}")
    shape = problem.pieces[numbers[0]].shape
    cells = Shape.from_text(problem.grid, drawing, problem.goal.corner, name).cells
    placement = find_placement(numbers[0], replace(shape, colours={}), Shape(problem.grid, cells))
    if placement is None:
        raise PuzzleError(f"--pin {text}: the drawing does not show piece {name}")
    return placement


def cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
