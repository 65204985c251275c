"""Questions of the page about a problem that is being edited: is it valid, where can pieces lie?

Every finding of `kumitate.check` becomes a sentence with suggested fixes (fixes.py). Whether turns
open it sooner is searched for some seconds at most.
"""

import re
import time
from contextlib import suppress
from dataclasses import replace

from starlette.routing import BaseRoute

from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.model.puzzle import Problem
from kumitate.model.solution import Assembly
from kumitate.output.page import solutions_page
from kumitate.search.assemble import Progress
from kumitate.search.check import Finding, phase_note
from kumitate.search.check import check as findings_of
from kumitate.search.placements import placements as placements_of
from kumitate.search.shortcuts import Shortcut, find_shortcuts, summary
from kumitate.studio.ask.codec import cell_rows, placement_data, problem_of, puzzle_of
from kumitate.studio.ask.fixes import fixes
from kumitate.studio.messages import (
    CheckData,
    FindingData,
    PlacedData,
    PlacementsData,
    PlacementsRequest,
    ProblemRequest,
    ShortcutsData,
    ShortcutsRequest,
)
from kumitate.studio.serve.http import Studio, message_route

MOST_PHASED = 600  # cells of a puzzle for which finding its other phase is fast
MOST_PLACED = 200_000  # cells of all placements in an answer
SECONDS = 10.0  # to look for shortcuts
MOST_SHORTCUTS = 10  # in an answer,
MOST_PLAYED = 3  # and on its page


def routes(studio: Studio) -> list[BaseRoute]:
    return [
        message_route("/api/problem/check", ProblemRequest, check),
        message_route("/api/problem/shortcuts", ShortcutsRequest, shortcuts),
        message_route("/api/problem/placements", PlacementsRequest, placements),
    ]


def check(request: ProblemRequest) -> CheckData:
    """All findings about a problem, with suggested fixes."""
    puzzle = puzzle_of(request.puzzle)
    problem = problem_of(puzzle, request.problem)
    found = findings_of(problem, quick=True)
    out = fixes(request.puzzle, request.problem, found)
    findings = [
        FindingData(finding.fault, sentence(finding.text), some)
        for finding, some in zip(found, out, strict=True)
    ]
    if sum(map(len, puzzle.shapes)) <= MOST_PHASED:
        findings += [FindingData(False, sentence(note)) for note in phase_note(puzzle)]
    return CheckData(findings, _line(problem, found))


class _Enough(Exception):
    """The search for shortcuts has taken its time, or found enough."""


def shortcuts(request: ShortcutsRequest) -> ShortcutsData:
    """What opens by turns sooner than by slides alone, as far as some seconds of search go."""
    puzzle = puzzle_of(request.puzzle)
    problem = problem_of(puzzle, request.problem)
    found: list[Shortcut] = []
    assemblies = unknown = 0
    ended = True
    end = time.monotonic() + SECONDS

    def watch(now: Progress) -> None:
        nonlocal assemblies
        assemblies = now.assemblies
        if time.monotonic() > end:
            raise _Enough

    def give_up(_: Assembly) -> None:
        nonlocal unknown
        unknown += 1

    try:
        for one in find_shortcuts(
            problem, tolerance=request.tolerance, progress=watch, given_up=give_up
        ):
            found.append(one)
            if len(found) == MOST_SHORTCUTS:
                raise _Enough
    except _Enough:
        ended = False
    line = summary(len(found), assemblies, request.tolerance, unknown, ended)
    more = "" if ended else "; 'kumitate check --shortcuts' searches to the end"
    texts = [sentence(one.describe()) for one in found]
    shown = [(one.title, one.solution) for one in found[:MOST_PLAYED]]
    page = ""
    with suppress(PuzzleError):  # a page may be too large
        page = solutions_page(puzzle, shown, "\n".join(texts[:MOST_PLAYED])) if shown else ""
    return ShortcutsData(texts, sentence(line + more), page)


def sentence(text: str) -> str:
    """A finding as one sentence, without the drawing of a colouring that may follow it.

    >>> sentence("a colouring rules it out: number the cells of the goal like this:\\n\\n01\\n10")
    'A colouring rules it out.'
    """
    text = re.sub(r": number the cells of the goal like this:.*", "", text, flags=re.DOTALL)
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _line(problem: Problem, found: list[Finding]) -> str:
    """The first fault, or how the pieces fill the goal."""
    if found and found[0].fault:
        return sentence(found[0].text)
    cells = count_of(len(problem.goal), "cell")
    if any(piece.min < piece.max for piece in problem.pieces):
        low, high = _piece_counts(problem)
        if low > high:
            return f"No number of these pieces fills the {cells}."
        pieces = count_of(low, "piece") if low == high else f"{low:,} to {count_of(high, 'piece')}"
        return f"{pieces} can fill the {cells}."
    count, least = sum(piece.min for piece in problem.pieces), problem.volume[0]
    pieces = f"{count_of(count, 'piece')} {'fills' if count == 1 else 'fill'}"
    return f"{pieces} {f'all {cells}' if least == len(problem.goal) else f'{least:,} of {cells}'}."


def _piece_counts(problem: Problem) -> tuple[int, int]:
    """The least and the greatest number of pieces that can fill the goal, by their sizes."""
    room = len(problem.goal)
    need = len(problem.goal.fixed)
    if problem.max_holes is not None:
        need = max(need, room - problem.max_holes)
    low = high = sum(piece.min for piece in problem.pieces)
    need, room = need - problem.volume[0], room - problem.volume[0]
    sizes = sorted((len(piece.shape.fixed), piece.max - piece.min) for piece in problem.pieces)
    for size, copies in reversed(sizes):
        used = min(copies, max(0, -(-need // size))) if size else 0
        low, need = low + used, need - used * size
    for size, copies in sizes:
        used = min(copies, max(0, room // size)) if size else copies
        high, room = high + used, room - used * size
    return low, high


def placements(request: PlacementsRequest) -> PlacementsData:
    """The placements of a piece that cover a cell, ignoring what is pinned or forbidden.

    If there are very many, only the first; without a cell, those that are pinned or forbidden.
    """
    problem = problem_of(puzzle_of(request.puzzle), request.problem)
    if request.piece >= len(problem.pieces):
        raise PuzzleError(
            f"there is no piece {request.piece + 1}; the problem has {len(problem.pieces)}"
        )
    piece = problem.pieces[request.piece]
    if request.cell is None:
        ruled = [*problem.pinned, *problem.forbidden]
        return PlacementsData(
            [
                PlacedData(placement_data(way), cell_rows(way.placed(piece.shape)))
                for way in sorted(ruled)
                if way.piece == request.piece
            ]
        )
    if request.cell not in problem.goal.cells:
        raise PuzzleError("that cell is not part of the goal; choose one that is")
    [ways] = placements_of(replace(problem, pieces=[piece], pinned=(), forbidden=()))
    found: list[PlacedData] = []
    for way in ways:
        placed = way.placed(piece.shape)
        if request.cell in placed.cells:
            data = placement_data(way._replace(piece=request.piece))
            found.append(PlacedData(data, cell_rows(placed)))
            if len(found) * len(placed) > MOST_PLACED:
                break
    return PlacementsData(found)
