"""kumitate burr6: all six-piece burrs, counted, sampled, or visited and taken apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli.arguments import SEED, json_option
from kumitate.cli.progress import progress_line
from kumitate.model.errors import PuzzleError
from kumitate.startup import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kumitate.model.shape import Shape
    from kumitate.search.burr6 import BurrCounts, BurrEnding, BurrProgress, SixPieceBurrs

FEW = 10_000  # tasks that are done without being asked: those of the notchable sticks
MOST = 1_000_000  # tasks of a sample: more than there are


@click.command()
@click.option("--notchable", is_flag=True, help="Use only sticks that a saw can make.")
@click.option("--solid", is_flag=True, help="Only burrs without holes, taken apart completely.")
@click.option(
    "--sample",
    type=click.IntRange(2, MOST),
    metavar="N",
    help="Visit N random tasks and estimate the whole.",
)
@click.option("--part", metavar="I/N", help="Visit part I of N equal parts of the whole.")
@click.option("--seed", type=SEED, metavar="N", help="Seed of the sample. Default: 0.")
@json_option
def burr6(
    notchable: bool,
    solid: bool,
    sample: int | None,
    part: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Count all six-piece burrs, and take them apart, e.g. kumitate burr6 --solid --notchable

    Without --sample or --part the burrs of all 837 sticks are counted and none is visited; those
    without holes, or of notchable sticks, are few enough to be visited at once.
    """
    from kumitate.model.burr_sticks import burr_sticks
    from kumitate.workshop import notchable as sawn

    if sample and part:
        raise click.UsageError("--sample and --part do not go together")
    if solid and (sample or part):
        raise click.UsageError("solid burrs are visited all; leave out --sample and --part")
    if seed is not None and not sample:
        raise click.UsageError("--seed goes with --sample")
    which = _which(part) if part else None
    sticks = [stick for stick in burr_sticks() if not notchable or sawn(stick)]
    done, counts = 0.0, None
    with progress_line(as_json) as show:

        def progress(now: float, so_far: BurrCounts) -> None:
            nonlocal done, counts
            done, counts = now, so_far
            show(
                lambda spent: (
                    f"{now:.0%}, {so_far.assemblies:,} assemblies, {spent:.0f} s"
                    + (f", {spent / now - spent:.0f} s left" if 0 < now < 1 else "")
                )
            )

        try:
            if solid:
                text, row = _solid(sticks, progress)
            else:
                text, row = _with_holes(sticks, sample, which, seed or 0, progress)
            interrupted = False
        except KeyboardInterrupt:
            if counts is None:
                raise
            text, row = [*_lines(counts), f"interrupted at {done:.0%}"], _json(counts)
            interrupted = True
    if as_json:
        import json

        whole = {"notchable": notchable, "solid": solid, "complete": not interrupted}
        click.echo(json.dumps(whole | row))
    else:
        click.echo("\n".join(text))
    if interrupted:
        raise SystemExit(INTERRUPTED)


def _with_holes(
    sticks: Sequence[Shape],
    sample: int | None,
    part: tuple[int, int] | None,
    seed: int,
    progress: BurrProgress,
) -> tuple[list[str], dict[str, Any]]:
    from kumitate.search.burr6 import SixPieceBurrs

    burrs = SixPieceBurrs(sticks)
    text = [
        f"{len(sticks)} sticks, which can lie in {burrs.ways:,} ways",
        f"{burrs.count():,} assemblies, {burrs.count(mirrors=True):,} with mirror images apart",
    ]
    row: dict[str, Any] = {"sticks": len(sticks), "ways": burrs.ways, "tasks": len(burrs.tasks)}
    row |= {"count": burrs.count(), "count_mirrors": burrs.count(mirrors=True)}
    if sample:
        lines, more = _sampled(burrs, sample, seed, progress)
    elif part or len(burrs.tasks) <= FEW:
        which, parts = part or (1, 1)
        counts = burrs.run(burrs.tasks[which - 1 :: parts], progress)
        lines, more = _lines(counts), _json(counts)
    else:
        lines = [
            f"--sample N says what N of the {len(burrs.tasks):,} tasks tell about all of them, and",
            "how long all would take; --part 1/400, 2/400 and so on take them apart",
        ]
        more = {}
    return [*text, "", *lines], row | more


def _solid(sticks: Sequence[Shape], progress: BurrProgress) -> tuple[list[str], dict[str, Any]]:
    from kumitate.search.burr6 import solid_burrs

    found = solid_burrs(sticks, progress)
    text = [f"{len(sticks)} sticks", "", *_lines(found.counts), "", "completely:"]
    text += [*_table(found.levels), f"{len(found.sticks)} different sticks are in these"]
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


def _sampled(
    burrs: SixPieceBurrs, tasks: int, seed: int, progress: BurrProgress
) -> tuple[list[str], dict[str, Any]]:
    found = burrs.sample(tasks, seed, progress)
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
    return [
        *lines,
        f"{apart:,} come apart at least partly ({counts.seconds:.1f} s of one core)",
    ]


def _table(counts: Mapping[str, tuple[int, int]]) -> list[str]:
    """Each with its number, and that with mirror images apart."""
    once, apart = (sum(column) for column in zip((0, 0), *counts.values(), strict=True))
    rows = [*counts.items(), ("in all", (once, apart))]
    heads = f"{'':12} {'assemblies':>17} {'mirrors apart':>17}"
    return [heads, *(f"{name:12} {a:17,} {b:17,}" for name, (a, b) in rows)]


def _name(ending: BurrEnding) -> str:
    return f"level {ending}" if isinstance(ending, int) else ending


def _json(counts: BurrCounts) -> dict[str, Any]:
    return {
        "assemblies": counts.assemblies,
        "mirrors": sum(counts.mirrors.values()),
        "endings": {str(e): [counts.once[e], counts.mirrors[e]] for e in counts.once},
        "seconds": round(counts.seconds, 3),
    }
