"""What the card of a puzzle in a collection says, in an exported gallery and in the studio.

All of it comes from the puzzle's document, whichever search has found it.
"""

from dataclasses import dataclass

from kumitate.model.found import Found


@dataclass(frozen=True)
class FoundCard:
    """What the card of a puzzle in a collection says."""

    number: int  # its rank, from 1
    sample: int
    title: str
    comment: str
    level: int  # 0 if it was not taken apart
    levels: str
    moves: int  # total
    pieces: list[int]  # cells of each, the smallest first
    holes: int
    assemblies: int | None
    solutions: int | None  # None if they were not all counted
    picture: str = ""  # packed SVG, or where the studio serves it


def card_of(number: int, found: Found) -> FoundCard:
    """The card of a puzzle: everything that can be told from its document.

    >>> from kumitate.library import library
    >>> from kumitate.model.solution import Answers
    >>> from kumitate.search.solve import solve
    >>> soma = library["soma"]
    >>> answers = Answers([next(solve(soma.problems[0], disassemble=True))], 240, 240, True)
    >>> card = card_of(1, Found(7, soma, answers, ""))
    >>> card.title, card.level, card.pieces, card.holes, card.solutions
    ('Soma cube', 1, [3, 4, 4, 4, 4, 4, 4], 0, 240)
    """
    _, puzzle, answers, _ = found
    solution = found.solution
    levels = solution.levels if solution else None
    sizes = sorted(map(len, solution.assembly.shapes)) if solution else []
    goal = len(solution.assembly.problem.goal) if solution else 0
    return FoundCard(
        number,
        found.sample,
        puzzle.called or "Puzzle",
        puzzle.comment,
        levels.moves if levels else 0,
        str(levels or ""),
        levels.total if levels else 0,
        sizes,
        max(0, goal - sum(sizes)),
        answers.assembly_count if answers else None,
        answers.solution_count if answers and answers.complete else None,
    )
