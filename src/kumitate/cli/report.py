"""What `kumitate solve` says about each problem: a row of numbers, a sentence, how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kumitate.cli import UNKNOWN
from kumitate.cli.arguments import problems_of
from kumitate.cli.interrupt import Interrupt, gently
from kumitate.cli.progress import Line, progress_line
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.startup import INTERRUPTED

if TYPE_CHECKING:
    from kumitate.cli.found import Row, Sink
    from kumitate.files.document import Document
    from kumitate.model.puzzle import Problem
    from kumitate.search.assemble import Progress

OFTEN = 256  # assemblies between two looks at the clock


def each_problem(
    name: str,
    document: Document,
    pins: tuple[str, ...],
    work: Callable[[Problem, Row, Watch], bool],
    sink: Sink,
) -> None:
    """Work at each problem, and exit with the status that says how it went.

    `work` says whether its search went to its end.
    """
    problems = problems_of(document)
    rows: list[Row] = []
    interrupted = False
    for problem in problems:
        pinned = with_pins(problem, pins)
        row = row_of(document.puzzle.title or name, problem)
        start, ended = time.perf_counter(), False
        with gently() as interrupt, progress_line(sink.quiet) as line:
            sink.begin(str(problem) if len(problems) > 1 else "", line)
            watch = Watch(row, sink, interrupt, line)
            try:
                ended = work(pinned, row, watch)
                interrupt()
            except KeyboardInterrupt:
                interrupted = True
            row["seconds"] = round(time.perf_counter() - start, 3)
            row["complete"] = ended and not row.get("limit")  # which may be solutions
            sink.end(row, sentence(row, ended))
        rows.append(row)
        interrupted = interrupted or interrupt.pressed  # perhaps while it was printed
        if interrupted:
            break
    sink.close()
    leave(rows, interrupted)


def with_pins(problem: Problem, pins: tuple[str, ...]) -> Problem:
    """The problem with pieces fixed by PIECE@DRAWING."""
    for text in pins:
        piece, at, drawing = text.partition("@")
        try:
            problem = problem.pin(piece, drawing)
        except PuzzleError as error:
            hint = "" if at else "write PIECE@DRAWING; "
            raise PuzzleError(f"--pin {text}: {hint}{error}") from None
    return problem


def leave(rows: list[Row], interrupted: bool) -> None:
    """Exit with the status that says how it went, unless all is well."""
    if interrupted:
        raise SystemExit(INTERRUPTED)
    if any(row.get("limit") for row in rows):
        raise SystemExit(UNKNOWN)
    if not any(map(found_in, rows)):
        raise SystemExit(1)


def found_in(row: Row) -> int:
    """The number of solutions, or of assemblies if nothing was taken apart."""
    return int(row["assemblies"] if row["solutions"] is None else row["solutions"])


def row_of(puzzle: str, problem: Problem) -> dict[str, Any]:
    """What is reported about a problem; filled in as it becomes known."""
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


class Watch:
    """Reports how far a search is, and stops it after Ctrl-C.

    The line counts the assemblies that have been dealt with, not those that wait for it: what it
    has counted, Ctrl-C does not lose.
    """

    def __init__(self, row: Row, sink: Sink, interrupt: Interrupt, line: Line) -> None:
        self.row, self.sink, self.interrupt, self.line = row, sink, interrupt, line
        self.last: Progress | None = None

    def __call__(self, now: Progress) -> None:
        self.last = now
        self.row["nodes"] = now.nodes
        self.interrupt()
        self.sink.tick()
        here = now._replace(assemblies=self.row["assemblies"])
        self.line(lambda seconds: how_far(here, seconds))

    def counted(self) -> None:
        """After each assembly: a search may hand out thousands at a time."""
        self.interrupt()
        if self.row["assemblies"] % OFTEN == 0:
            self.renew()

    def renew(self) -> None:
        """Now that assemblies were dealt with since the search reported."""
        if self.last:
            self(self.last._replace(states=0))


def sentence(row: dict[str, Any], ended: bool) -> str:
    """How many were found, by a search that went to its end or did not."""
    found = row["assemblies"]
    some = count_of(found, "assembly")
    end = "" if ended else " so far"
    if row["solutions"] is not None:
        from kumitate.model.solution import read_levels

        levels = sorted(row["levels"].items(), key=lambda one: read_levels(one[0]))
        which = ", ".join(f"{n:,} of level {level}" for level, n in levels)
        if len(levels) == 1:
            which = f"level {levels[0][0]}"
        apart = f"{row['solutions']:,} come{'s' * (row['solutions'] == 1)} apart"
        some += f", {apart}" + (f" ({which})" if levels else "")
        for turns, n in row.get("turns", {}).items():
            some += f", {n:,} with {count_of(int(turns), 'turn') if int(turns) else 'no turns'}"
        some += "".join(f", {row[how]:,} {words}" for how, words in _ENDINGS.items() if row[how])
        if row["rigid"] and "certified" in row:
            some += f" ({row['certified']:,} certified)"
        if "unproved" in row:
            some += f", {row['unproved']:,} perhaps not in the fewest moves"
    return f"{some}{end} ({count_of(row['nodes'], 'node')}, {row['seconds']:.2f} s)"


def turns_in(levels: Mapping[str, int]) -> dict[str, int]:
    """How many solutions take how many turns, from how many are of each level.

    >>> turns_in({"2R1": 3, "3R1.1R1": 5, "0R1.2": 1})
    {'1': 4, '2': 5}
    """
    from kumitate.model.solution import read_levels

    found: dict[int, int] = {}
    for level, amount in levels.items():  # a separation that is left out is a single slide
        turns = sum(turns for _, turns in read_levels(level))
        found[turns] = found.get(turns, 0) + amount
    return {str(turns): found[turns] for turns in sorted(found)}


_ENDINGS = {
    "stuck": "cannot be separated",
    "limit": "unknown (given up at a limit)",
    "rigid": "rigid",
}


def how_far(now: Progress, spent: float) -> str:
    spare = spent * (1 - now.fraction) / now.fraction if now.fraction > 0 else None
    left = "time left unknown" if spare is None else f"{duration(spare)} left"
    apart = f"assembly {now.assemblies:,}: {now.states:,} states, " if now.states else ""
    return (
        f"{apart}{now.assemblies:,} assemblies, {now.nodes / spent / 1e6:.1f} M nodes/s,"
        f" {100 * now.fraction:.1f} % done, {left}"
    )


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else f"{seconds / 86400:,.0f} days"
