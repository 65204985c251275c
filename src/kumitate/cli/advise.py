"""What `kumitate design --from` says: what each change of a single cell does to a puzzle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kumitate.cli import arguments
from kumitate.cli.progress import progress_line
from kumitate.model.numbers import count_of
from kumitate.startup import INTERRUPTED

if TYPE_CHECKING:
    from kumitate.designer.advice import Changed

LISTED = 10  # changes of a kind in words; JSON has all of them


def advise(name: str, problem: str | None, keep: Sequence[str], as_json: bool) -> None:
    """Print what a puzzle does now, and what would make it harder, unique, easier, buildable."""
    from kumitate.designer.advice import changes
    from kumitate.designer.start import start_of
    from kumitate.files.document import place

    document = arguments.open_puzzle(name, problem)
    arguments.the_problem(document, "design --from")
    found: list[Changed] = []
    interrupted = False
    with progress_line(as_json) as line:
        with place(name):
            start = start_of(document.puzzle.problems[0], document.answers[0])
        try:
            for number, change in enumerate(changes(start, keep)):
                _ = change.ending == "apart" and change.solutions
                found.append(change)
                line(lambda seconds, n=number: f"{count_of(n, 'change')} tried")  # type: ignore[misc]
        except KeyboardInterrupt:
            interrupted = True
    if found:
        now, *others = found
        if as_json:
            click.echo(json.dumps({"now": _row(now), "changes": list(map(_row, others))}))
        else:
            _print(name, now, others)
    if interrupted:
        raise SystemExit(INTERRUPTED)


def _row(change: Changed) -> dict[str, Any]:
    return {
        "cell": change.cell,
        "from": change.loser,
        "to": change.taker,
        "ending": change.ending,
        "level": change.level or None,
        "levels": str(change.levels) if change.levels else None,
        "solutions": change.solutions if change.ending == "apart" else None,
        "makes": sorted(change.makes),
    }


def _print(name: str, now: Changed, others: Sequence[Changed]) -> None:
    click.echo(f"{name}: {_state(now)}")
    apart = sorted(
        (one for one in others if one.levels),
        key=lambda one: (one.level, one.levels.total if one.levels else 0),
        reverse=True,
    )
    made = [one for one in apart if one.makes - now.makes]
    if now.levels is None:
        _list("free it", apart)
    else:
        worth = (now.level, now.levels.total)
        totals = [(one, (one.level, one.levels.total if one.levels else 0)) for one in apart]
        _list("make it harder", [one for one, total in totals if total > worth])
        if now.solutions != 1:
            _list("make it unique", [one for one in apart if one.solutions == 1])
        _list("make it easier", [one for one, total in totals if total < worth][::-1])
    if made:
        _list("make it buildable", made, makes=True)
    locked = sum(one.levels is None for one in others)
    click.echo(f"{count_of(len(others), 'change')} tried, {locked:,} do not come apart")


def _state(now: Changed) -> str:
    if now.levels:
        return f"level {now.levels}, {_ways(now)}"
    if now.ending == "limit":
        return "unknown whether it comes apart: too many states"
    if now.ending == "rigid":
        return "it does not come apart: some of the pieces hold each other, and nothing can move"
    return "it does not come apart: pieces move, but nothing separates wherever they go"


def _ways(change: Changed) -> str:
    if change.solutions is None:
        return "solutions unknown"
    return "unique" if change.solutions == 1 else count_of(change.solutions, "solution")


def _list(what: str, changes: Sequence[Changed], makes: bool = False) -> None:
    some = count_of(len(changes), "change")
    click.echo(f"{some} would {what}" + (":" if changes else ""))
    for change in changes[:LISTED]:
        how = f", {' and '.join(sorted(change.makes))}" if makes else ""
        click.echo(f"  level {change.levels}, {_ways(change)}{how}: {change.what}")
    if len(changes) > LISTED:
        click.echo(f"  and {len(changes) - LISTED:,} more; --json lists them all")
