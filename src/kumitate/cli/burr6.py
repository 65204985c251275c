"""kumitate burr6: all six-piece burrs, counted, sampled, or visited and taken apart."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli.arguments import (
    AMOUNT,
    SEED,
    Whole,
    cluster_option,
    force_option,
    json_option,
    output_option,
    resume_option,
    threads_option,
    tolerance_of,
)
from kumitate.cli.progress import connected, progress_line
from kumitate.cli.report import duration
from kumitate.disk import require_free
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.search.threads import cores
from kumitate.startup import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from distributed import Client

    from kumitate.burr6.counts import BurrCounts, BurrEnding, BurrOutcome, BurrProgress, LevelBy
    from kumitate.burr6.enumeration import Kept, Question, SixPieceBurrs
    from kumitate.burr6.saved import BurrRun
    from kumitate.model.shape import Shape
    from kumitate.model.solution import Assembly

FEW = 10_000  # tasks that are done without being asked: those of the notchable sticks
MOST = 1_000_000  # tasks of a sample: more than there are
MOST_STATES = 1_000_000  # that are visited to open a burr with turns
LENGTHS = ("6", "8", "10", "12")
LEVELS_BY = ("move", "axis", "unit", "piece")
Answer = tuple[list[str], dict[str, Any]]

# Options that cannot be combined.
_ASKED = ("turns", "complete", "compare", "level_by")
_APART = {
    "solid": ("sample", "part", *_ASKED, "length", "output", "threads"),
    "sample": ("part", "complete", "compare", "output", "threads"),
    "level_by": ("turns", "complete", "compare"),
    "compare": ("length", "turns"),
    "cluster": ("threads",),
    "find": ("solid", "sample", "part", *_ASKED, "length", "output"),
}
_NEEDS = {
    "seed": ("sample",),
    "keep_level": ("output",),
    "keep_moves": ("output", "complete"),
    "keep_far": ("output",),
    "cluster": ("output",),
    "unit": ("turns",),
    "force": ("output",),
    "run": ("find",),
}


@click.command()
@click.option("--notchable", is_flag=True, help="Use only sticks that a saw can make.")
@click.option("--solid", is_flag=True, help="Only burrs without holes, taken apart completely.")
@click.option("--length", type=click.Choice(LENGTHS), help="Length of the sticks. Default: 6.")
@click.option(
    "--level-by",
    type=click.Choice(LEVELS_BY),
    help="What counts as one move: sticks that slide together (move, the default), all that slides"
    " along one axis (axis), sticks that slide by one cell (unit), or one stick that slides"
    " (piece).",
)
@click.option(
    "--complete",
    is_flag=True,
    help="Do not stop at the first separation: take burrs apart until nothing more separates.",
)
@click.option(
    "--compare",
    is_flag=True,
    help="Also count levels by the other definitions of a move, and with sticks of length 8, 10"
    " and 12.",
)
@click.option(
    "--turns",
    is_flag=False,
    flag_value="0",
    metavar="[TOLERANCE]",
    help="Also find the burrs that slides do not open, but in which something can turn. TOLERANCE:"
    " how far faces are set back, as a part of a cell. Default: 0, a perfect fit.",
)
@click.option(
    "--unit", type=float, metavar="MM", help="Size of a cell, for --turns with a length in mm."
)
@click.option(
    "--sample",
    type=Whole(2, MOST),
    metavar="N",
    help="Take apart the burrs of N random tasks and estimate the totals.",
)
@click.option("--seed", type=SEED, metavar="N", help="Seed of the sample. Default: 0.")
@click.option("--part", metavar="I/N", help="Take apart part I of N equal parts.")
@output_option("Take apart all burrs, or a part, and save the run in FILE.json, to resume it.")
@click.option("--keep-level", type=AMOUNT, metavar="N", help="Save the burrs with level N or more.")
@click.option(
    "--keep-moves",
    type=AMOUNT,
    metavar="N",
    help="Save the burrs that take N or more moves in all.",
)
@click.option(
    "--keep-far",
    type=AMOUNT,
    metavar="N",
    help="Save the burrs that never come apart, but have sticks that get N cells apart or more.",
)
@force_option
@resume_option("Continue a run with the options it began with.")
@click.option(
    "--find",
    metavar="CONDITIONS",
    help='List the burrs that meet all conditions, such as "level>=9 unique notchable".',
)
@click.option(
    "--run",
    metavar="FILE",
    help="The run whose burrs --find lists. Default: the catalogue of unique burrs.",
)
@threads_option
@cluster_option("Run")
@json_option
def burr6(as_json: bool, resume: str | None, **given: Any) -> None:
    """Count all six-piece burrs, and take them apart, e.g. kumitate burr6 --solid --notchable

    Without --sample, --part or --output the burrs of all 837 sticks are only counted, not taken
    apart; those without holes, or of notchable sticks, are few enough to take apart in one go.
    A run over all burrs can be saved, kumitate burr6 --complete --output all.json, and continued
    after an interruption: kumitate burr6 --resume all.json
    """
    _check(resume, given)
    if given["find"] is not None:
        _find(given["run"], given["find"], as_json)
        return
    if given["turns"] is not None:
        given["turns"] = tolerance_of("--turns", given["turns"], given["unit"])
    part = _which(given["part"]) if given["part"] is not None else None
    name = resume or given["output"]
    file = Path(name) if name is not None else None
    run = _run(file, resume, part, given) if file else None
    done, first, counts = 0.0, 0.0, None
    with connected(given["cluster"]) as client, progress_line(as_json) as show:

        def progress(now: float, so_far: BurrCounts) -> None:
            nonlocal done, first, counts
            first = first if counts else now
            done, counts = now, so_far
            show(partial(_progress, now, first, so_far))

        try:
            if file and run:
                text, row = _saved(file, run, client, given["threads"] or cores(), progress)
            elif given["solid"]:
                text, row = _solid(_sticks(given), progress)
            else:
                text, row = _with_holes(part, given, progress)
            interrupted = False
        except KeyboardInterrupt:
            if counts is None:
                raise
            text, row = [*_lines(counts), f"interrupted at {done:.0%}"], _json(counts)
            text += [f"to continue: kumitate burr6 --resume {file}"] * (file is not None)
            interrupted = True
    if as_json:
        import json

        whole = {"notchable": given["notchable"], "solid": given["solid"]}
        click.echo(json.dumps(whole | {"complete": not interrupted} | row))
    else:
        click.echo("\n".join(text))
    if interrupted:
        raise SystemExit(INTERRUPTED)


def _progress(now: float, first: float, counts: BurrCounts, spent: float) -> str:
    text = f"{now:.1%}, {counts.assemblies:,} assemblies, {duration(spent)}"
    if now > first:
        text += f", {duration(spent * (1 - now) / (now - first))} left"
    return text


def _check(resume: str | None, given: dict[str, Any]) -> None:
    """Raise an error for options that cannot be combined."""

    def flag(name: str) -> str:
        return "--" + name.replace("_", "-")

    for name, value in given.items():
        value = value not in (None, False)
        if resume and value and name not in ("threads", "cluster"):
            raise click.UsageError(
                f"{flag(name)} cannot be combined with --resume: a run keeps its options"
            )
        for other in _APART.get(name, ()) if value else ():
            if given[other] not in (None, False):
                raise click.UsageError(f"{flag(name)} cannot be combined with {flag(other)}")
    for name, others in _NEEDS.items():
        for other in () if resume else others:
            if given[name] not in (None, False) and given[other] in (None, False):
                raise click.UsageError(f"{flag(name)} needs {flag(other)}")


def _find(file: str | None, text: str, as_json: bool) -> None:
    from kumitate.burr6.designs import conditions, find_designs
    from kumitate.burr6.saved import read_run

    conditions(text)
    with progress_line(as_json) as show:
        run = read_run(Path(file)) if file else None
        found = find_designs(run, text, lambda done: show(lambda _: f"{done:.1%}"))
    if as_json:
        import json

        click.echo(json.dumps([vars(design) | {"unique": design.unique} for design in found]))
        return
    for design in found:
        moves = f", {design.moves} moves in all" if design.moves else ""
        if "fewest" in vars(design):
            moves += f" ({design.fewest} at best)"
        click.echo(
            f"level {design.level}{moves}, {count_of(design.holes, 'hole')},"
            f" {count_of(design.assemblies, 'assembly')}, {count_of(design.solutions, 'solution')}"
            f"{', notchable' * design.notchable}{', millable' * design.millable}:"
            f" {' '.join(map(str, design.sticks))}"
        )
    click.echo(f"{len(found):,} found")


def _sticks(given: dict[str, Any]) -> list[Shape]:
    from kumitate.model.burr_sticks import burr_stick, burr_sticks
    from kumitate.workshop import notchable

    wanted = [stick for stick in burr_sticks() if not given["notchable"] or notchable(stick)]
    return [burr_stick(int(stick.name), int(given["length"] or 6)) for stick in wanted]


def _burrs(given: dict[str, Any]) -> SixPieceBurrs:
    from kumitate.burr6.enumeration import SixPieceBurrs

    return SixPieceBurrs(_sticks(given), length=int(given["length"] or 6))


def _run(
    file: Path, resume: str | None, part: tuple[int, int] | None, given: dict[str, Any]
) -> BurrRun:
    """The run to go on with, or a new one."""
    from kumitate.burr6.saved import BurrRun, read_run

    if resume:
        return read_run(file)
    if file.suffix.lower() != ".json":
        raise PuzzleError(f"{file}: the name of a burr6 run must end in .json, such as all.json")
    require_free(file, given["force"])
    if given["force"] and file.exists():
        read_run(file)  # nothing else is ever replaced
    return BurrRun(_burrs(given), _question(given), part or (1, 1))


def _question(given: dict[str, Any]) -> Question:
    """What is asked; burrs where something turns are always kept."""
    from kumitate.burr6.counts import TURNING
    from kumitate.burr6.enumeration import Question

    keep = {name: given[name] for name in ("keep_level", "keep_moves", "keep_far")}
    if given["turns"] is not None and keep["keep_level"] is None:
        keep["keep_level"] = TURNING
    level_by: LevelBy = given["level_by"] or "move"
    return Question(level_by, given["complete"], given["turns"], given["compare"], **keep)


def _saved(
    file: Path, run: BurrRun, client: Client | None, threads: int, progress: BurrProgress
) -> Answer:
    from kumitate.burr6.saved import run_into
    from kumitate.jobs.burrs import run_on

    if client is None:
        run = run_into(file, run, threads, progress)
    else:
        run = run_on(client, file, run, progress)
    text, row = _head(run.burrs)
    more, found = _counted(run.burrs, run.question, run.counts, run.kept)
    text += [*more, f"checksum {run.checksum}"]
    return text, row | found | {"checksum": run.checksum, "kept": len(run.kept)}


def _head(burrs: SixPieceBurrs) -> Answer:
    text = [
        f"{len(burrs.sticks)} sticks, which can lie in {burrs.ways:,} ways",
        f"{burrs.count():,} assemblies, {burrs.count(mirrors=True):,} counting mirror images"
        " separately",
        "",
    ]
    row = {"sticks": len(burrs.sticks), "ways": burrs.ways, "tasks": len(burrs.tasks)}
    return text, row | {"count": burrs.count(), "count_mirrors": burrs.count(mirrors=True)}


def _with_holes(
    part: tuple[int, int] | None, given: dict[str, Any], progress: BurrProgress
) -> Answer:
    from kumitate.burr6.counts import BurrCounts
    from kumitate.burr6.enumeration import Kept

    burrs = _burrs(given)
    text, row = _head(burrs)
    if given["sample"]:
        lines, more = _sampled(burrs, given, progress)
    elif part or len(burrs.tasks) <= FEW:
        which, parts = part or (1, 1)
        tasks = burrs.tasks[which - 1 :: parts]
        question = _question(given)
        counts, kept = BurrCounts({}, {}, 0), list[Kept]()
        for piece in burrs.slices(tasks, question, given["threads"] or cores()):
            counts += piece.counts
            kept += piece.kept
            progress(piece.done, counts)
        lines, more = _counted(burrs, question, counts, kept)
    else:
        lines = [
            f"--sample N estimates the results and the time from N of {len(burrs.tasks):,} tasks;",
            "--part 1/400, 2/400 and so on take all of them apart, as --output FILE.json does",
        ]
        more = {}
    return [*text, *lines], row | more


def _counted(
    burrs: SixPieceBurrs, question: Question, counts: BurrCounts, kept: Sequence[Kept]
) -> Answer:
    """What was counted; and of burrs where something turns, whether that takes them apart."""
    from kumitate.burr6.counts import TURNING, UNCLEAR

    text, row = _lines(counts), _json(counts)
    if question.turns is None:
        return text, row
    turning = [burr for burr in kept if burr.ending in (TURNING, UNCLEAR)]
    found = [_opened(burrs.assembly(burr.kinds), question.turns) for burr in turning]
    some = [counts.once.get(ending, 0) for ending in ("turning", "unclear")]
    text += [f"something turns in {some[0]:,} that do not come apart by slides"]
    text += [f"whether something turns in {some[1]:,} more is unclear"] * (some[1] > 0)
    text += [f"sticks {' '.join(names)}: {end}" for names, end in found]
    rows = [{"sticks": [*map(int, names)], "ending": end} for names, end in found]
    return text, row | {"turning": rows}


def _opened(assembly: Assembly, turns: float) -> tuple[list[str], str]:
    """The sticks of a burr, and how slides and turns take it apart."""
    from kumitate.referee import disassembly_faults
    from kumitate.search.disassemble import examine

    opened = examine(assembly, fine=True, turns=turns, max_states=MOST_STATES)
    names = [assembly.problem.pieces[placed.piece].shape.name for placed in assembly.placements]
    end = f"level {opened.disassembly.levels}" if opened.disassembly else opened.ending
    if opened.disassembly:
        assert not disassembly_faults(assembly, opened.disassembly)
    return names, "unclear" if opened.unclear else end


def _solid(sticks: Sequence[Shape], progress: BurrProgress) -> Answer:
    from kumitate.burr6.solid import solid_burrs

    found = solid_burrs(sticks, progress)
    text = [f"{len(sticks)} sticks", "", *_lines(found.counts), "", "completely:"]
    text += [*_table(found.levels), f"these use {len(found.sticks)} different sticks"]
    row = {"sticks": len(sticks)} | _json(found.counts)
    row["apart"] = {level: list(counts) for level, counts in found.levels.items()}
    row |= {"partly": list(found.partly), "used": list(found.sticks)}
    return text, row


def _which(part: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", part)
    which, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= which <= parts:
        raise PuzzleError(f"--part {part}: write I/N, the I-th of N parts, such as 1/100")
    return which, parts


def _sampled(burrs: SixPieceBurrs, given: dict[str, Any], progress: BurrProgress) -> Answer:
    tasks, seed = given["sample"], given["seed"] or 0
    level_by: LevelBy = given["level_by"] or "move"
    found = burrs.sample(tasks, seed, progress, level_by=level_by, turns=given["turns"])
    rows = {_name(ending): found.endings[ending] for ending in found.endings}
    rows |= {"come apart": found.apart, "in all": found.assemblies}
    text = [
        f"{tasks} random tasks of {len(burrs.tasks):,}: {found.counts.assemblies:,} assemblies"
        f" in {found.counts.seconds:.1f} s of one core, {found.rate:,.0f} a second",
        f"{'':12} {'in all tasks':>17}   standard error",
        *(f"{name:12} {value:17,.0f} ± {error:,.0f}" for name, (value, error) in rows.items()),
        f"{'core-hours':12} {found.hours.value:17.2f} ± {found.hours.error:.2f}",
    ]
    row = _json(found.counts) | {"sampled": tasks, "seed": seed, "rate": round(found.rate)}
    row["projected"] = {name: [round(value), round(error)] for name, (value, error) in rows.items()}
    row["hours"] = [round(value, 3) for value in found.hours]
    return text, row


def _lines(counts: BurrCounts) -> list[str]:
    lines = _table({_name(e): (counts.once[e], counts.mirrors[e]) for e in counts.once})
    apart = sum(counts.levels.values())
    lines += [f"{apart:,} come apart at least partly ({counts.seconds:.1f} s of one core)"]
    lines += _outcomes(counts.outcomes) if counts.outcomes else []
    return [*lines, *_compared(counts)] if counts.compared else lines


def _outcomes(outcomes: Mapping[BurrOutcome, tuple[int, int]]) -> list[str]:
    """By level, how many come apart completely, and of the others what never parts; by moves."""
    ways = sorted({outcome.clumps for outcome in outcomes}, key=lambda c: (len(c), c))
    levels = sorted({outcome.level for outcome in outcomes})
    names = ["completely" if not way else "+".join(map(str, way)) for way in ways]

    def row(name: str, column: int, levels: Sequence[int]) -> str:
        sums = [
            sum(
                both[column]
                for o, both in outcomes.items()
                if o.clumps == way and o.level in levels
            )
            for way in ways
        ]
        return f"{name:12} " + " ".join(f"{number:14,}" for number in sums)

    moves = {
        f"{moves} moves": tuple(
            sum(both[column] for o, both in outcomes.items() if o.moves == moves)
            for column in (0, 1)
        )
        for moves in sorted({o.moves for o in outcomes if o.moves})
    }
    return [
        "",
        "how far they come apart (or which numbers of sticks stay together):",
        f"{'':12} " + " ".join(f"{name:>14}" for name in names),
        *(row(f"level {level}", 0, [level]) for level in levels),
        row("in all", 0, levels),
        row("with mirrors", 1, levels),
        "",
        "total moves of those that come apart completely:",
        *_table({name: (once, mirrors) for name, (once, mirrors) in moves.items()}),
    ]


def _compared(counts: BurrCounts) -> list[str]:
    """How the burrs end by each definition and length, mirror images counted once."""
    columns = {"move": counts.once} | {
        name: {ending: once for ending, (once, _) in endings.items()}
        for name, endings in counts.compared.items()
    }
    levels = {e for column in columns.values() for e in column if isinstance(e, int)}

    endings: list[BurrEnding] = [*sorted(levels), "rigid", "stuck"]

    def row(head: str, cells: Iterable[str]) -> str:
        return f"{head:9}" + "".join(f"{cell:>16}" for cell in cells)

    return [
        "",
        "levels by other definitions, and with longer sticks:",
        row("", columns),
        *(
            row(_name(ending), (f"{each.get(ending, 0):,}" for each in columns.values()))
            for ending in endings
        ),
    ]


def _table(counts: Mapping[str, tuple[int, int]]) -> list[str]:
    """Each with its number, once and with mirror images counted separately."""
    once, apart = (sum(column) for column in zip((0, 0), *counts.values(), strict=True))
    rows = [*counts.items(), ("in all", (once, apart))]
    heads = f"{'':12} {'assemblies':>17} {'with mirrors':>17}"
    return [heads, *(f"{name:12} {a:17,} {b:17,}" for name, (a, b) in rows)]


def _name(ending: BurrEnding) -> str:
    return f"level {ending}" if isinstance(ending, int) else ending


def _json(counts: BurrCounts) -> dict[str, Any]:
    row: dict[str, Any] = {
        "assemblies": counts.assemblies,
        "mirrors": sum(counts.mirrors.values()),
        "endings": {str(e): [counts.once[e], counts.mirrors[e]] for e in counts.once},
        "seconds": round(counts.seconds, 3),
    }
    if counts.outcomes:
        row["outcomes"] = [[*outcome, *both] for outcome, both in counts.outcomes.items()]
    if counts.compared:
        row["compared"] = {
            variant: {str(ending): [*both] for ending, both in endings.items()}
            for variant, endings in counts.compared.items()
        }
    return row
