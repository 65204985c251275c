"""What `kumitate check --shortcuts` says: a note for each shortcut, and what was tried."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from kumitate.cli import UNKNOWN
from kumitate.cli.arguments import problems_of, tolerance_of
from kumitate.cli.found import SHOWN, Row
from kumitate.cli.progress import progress_line
from kumitate.disk import put
from kumitate.files.document import Document, place
from kumitate.files.json import encode_solution
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.search.assemble import Progress
from kumitate.search.shortcuts import Shortcut, find_shortcuts, summary
from kumitate.search.threads import cores
from kumitate.startup import INTERRUPTED

LISTED = 10  # shortcuts of a problem in words; JSON has all of them


class Shortcuts:
    """The search in all problems of a puzzle, and what it has found so far."""

    def __init__(self, given: dict[str, Any], quiet: bool) -> None:
        self.unit: float | None = given["unit"]
        if self.unit is not None and given["tolerance"] is None:
            raise PuzzleError("--unit goes with a tolerance in mm, such as --tolerance 0.1mm")
        self.tolerance = tolerance_of("--tolerance", given["tolerance"] or "0", self.unit)
        self.options = {name: given[name] for name in ("fine", "max_states", "max_moves")}
        self.quiet = quiet
        self.rows: list[Row] = []
        self.shown: list[tuple[str, Shortcut]] = []  # on the page, with their problems
        self.status = 0

    def notes(self, document: Document) -> Iterator[str]:
        """Sentences on the shortcuts of each problem, as they are found."""
        problems = problems_of(document)
        for number, problem in enumerate(problems, 1):
            where = f"{problem.name or f'problem {number}'}: " if len(problems) > 1 else ""
            for text in self._notes(problem, where):
                yield where + text
            if self.status == INTERRUPTED:
                return

    def _notes(self, problem: Problem, where: str) -> Iterator[str]:
        found = unknown = 0
        last = Progress(0, 0, 0.0)

        def give_up(_: object) -> None:
            nonlocal unknown
            unknown += 1

        with progress_line(self.quiet) as line:

            def show_progress(now: Progress) -> None:
                nonlocal last
                last = now
                line(lambda seconds: _how_far(now, found, seconds))

            try:
                for shortcut in find_shortcuts(
                    problem,
                    tolerance=self.tolerance,
                    threads=cores(),
                    progress=show_progress,
                    given_up=give_up,
                    **self.options,
                ):
                    found += 1
                    self.rows.append(_row(problem, shortcut))
                    if len(self.shown) < SHOWN:
                        self.shown.append((where, shortcut))
                    if found <= LISTED:
                        line.clear()
                        yield shortcut.describe(self.unit)
            except KeyboardInterrupt:
                self.status = INTERRUPTED
        if found > LISTED:
            yield f"and {count_of(found - LISTED, 'more shortcut')}; --json lists them all"
        if unknown and not self.status:
            self.status = UNKNOWN
        ended = self.status != INTERRUPTED
        yield summary(found, last.assemblies, self.tolerance, unknown, ended)

    def write(self, puzzle: Puzzle, path: Path) -> None:
        """A page that plays the first shortcuts, if there are any."""
        from kumitate.output.page import solutions_page

        if not self.shown:
            click.echo(f"kumitate: {path}: not written, since no shortcut was found", err=True)
            return
        solutions = [(where + one.title, one.solution) for where, one in self.shown]
        words = "\n".join(where + one.describe(self.unit) for where, one in self.shown)
        text = solutions_page(puzzle, solutions, words)
        with place(str(path)):
            put(path, text.encode())
        click.echo(str(path), err=self.quiet)


def _row(problem: Problem, shortcut: Shortcut) -> Row:
    """A shortcut as JSON; its solution as `solve --json` prints it."""
    import json

    slides, levels = shortcut.slides, shortcut.disassembly.levels
    return {
        "problem": problem.name,
        "assembly": shortcut.number,
        "ending": slides.ending,
        "level": str(slides.disassembly.levels) if slides.disassembly else None,
        "moves": slides.disassembly.levels.total if slides.disassembly else None,
        "level_with_turns": str(levels),
        "moves_with_turns": levels.total,
        "tolerance": float(shortcut.tolerance),
        "turns": [
            {
                "move": number,
                "text": turn.describe(shortcut.assembly),
                "tolerance": float(turn.tolerance),
            }
            for number, turn in shortcut.turns.items()
        ],
        "solution": json.loads(encode_solution(shortcut.solution)),
    }


def _how_far(now: Progress, found: int, seconds: float) -> str:
    states = f"assembly {now.assemblies + 1:,}: {now.states:,} states, " if now.states else ""
    return (
        f"{states}{count_of(now.assemblies, 'assembly')}, {count_of(found, 'shortcut')},"
        f" {100 * now.fraction:.1f} % done, {seconds:.0f} s"
    )
