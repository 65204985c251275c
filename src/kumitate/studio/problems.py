"""What the page asks about a problem while it is being made: is it right, and where can pieces lie.

Every finding of `kumitate.check` becomes a sentence, with ways out beside it (fixes.py).
"""

import re
from dataclasses import replace

from starlette.routing import BaseRoute

from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.model.puzzle import Problem
from kumitate.search.check import Finding, phase_note
from kumitate.search.check import check as findings_of
from kumitate.search.placements import placements as placements_of
from kumitate.studio.codec import cell_rows, placement_data, problem_of, puzzle_of
from kumitate.studio.fixes import fixes
from kumitate.studio.http import Studio, message_route
from kumitate.studio.messages import (
    CheckData,
    FindingData,
    PlacedData,
    PlacementsData,
    PlacementsRequest,
    ProblemRequest,
)

MOST_PHASED = 600  # cells of a puzzle whose other phase is looked for at once
MOST_PLACED = 200_000  # cells of all placements that are told


def routes(studio: Studio) -> list[BaseRoute]:
    return [
        message_route("/api/problem/check", ProblemRequest, check),
        message_route("/api/problem/placements", PlacementsRequest, placements),
    ]


def check(request: ProblemRequest) -> CheckData:
    """All there is to say about a problem, with ways out."""
    puzzle = puzzle_of(request.puzzle)
    problem = problem_of(puzzle, request.problem)
    found = findings_of(problem, quick=True)
    out = fixes(request.puzzle, request.problem, found)
    told = [
        FindingData(finding.fault, sentence(finding.text), some)
        for finding, some in zip(found, out, strict=True)
    ]
    if sum(map(len, puzzle.shapes)) <= MOST_PHASED:
        told += [FindingData(False, sentence(note)) for note in phase_note(puzzle)]
    return CheckData(told, _line(problem, found))


def sentence(text: str) -> str:
    """A finding as one sentence; a colouring that is drawn below it is left out.

    >>> sentence("a colouring rules it out: number the cells of the goal so:\\n\\n01\\n10")
    'A colouring rules it out.'
    """
    text = re.sub(r": number the cells of the goal so:.*", "", text, flags=re.DOTALL)
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
    """How few and how many pieces can fill the goal, as far as their sizes tell."""
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
    """Where a piece can lie so that it covers a cell, whatever is pinned or forbidden.

    If that is a great many, the first of them; without a cell, where it is pinned or forbidden.
    """
    problem = problem_of(puzzle_of(request.puzzle), request.problem)
    if request.piece >= len(problem.pieces):
        raise PuzzleError(
            f"there is no piece {request.piece + 1}; the problem has {len(problem.pieces)}"
        )
    piece = problem.pieces[request.piece]
    if request.cell is None:
        told = [*problem.pinned, *problem.forbidden]
        return PlacementsData(
            [
                PlacedData(placement_data(way), cell_rows(way.placed(piece.shape)))
                for way in sorted(told)
                if way.piece == request.piece
            ]
        )
    if request.cell not in problem.goal.cells:
        raise PuzzleError("that cell is not one of the goal's; point at one that is")
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
