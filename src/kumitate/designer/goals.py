"""What is wanted of a new puzzle: objectives and requirements, each a plain function of a design.

An objective returns a number, the higher the better; a requirement returns whether a design will
do. A user's own functions take the place of the named ones anywhere. Requirements are asked in
order, so the cheap ones come first, and those for which all assemblies must be found come last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from kumitate import workshop
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.model.shape import Shape
from kumitate.model.solution import Levels
from kumitate.model.wish import Wish
from kumitate.search.shortcuts import find_shortcuts
from kumitate.search.states import explore

if TYPE_CHECKING:
    from kumitate.designer.design import Design

    Objective = Callable[[Design], float]
    Requirement = Callable[[Design], bool]

MOST_STATES = 20_000  # in which dead ends are counted, or shortcuts looked for


# ---- objectives ----


def level(design: Design) -> float:
    """Moves to the first separation, in the easiest solution."""
    return design.level


def moves(design: Design) -> float:
    """All moves to take everything apart."""
    return design.levels.total


def dead_ends(design: Design) -> float:
    """States that can be left in one direction only, before anything separates."""
    try:
        return len(explore(design.solution.assembly, max_states=MOST_STATES).dead_ends)
    except LimitReached:
        return 0


def false_assemblies(design: Design) -> float:
    """Assemblies that do not come apart."""
    if design.assemblies is None or design.solutions is None:
        return 0
    return design.assemblies - design.solutions


def fewest_holes(design: Design) -> float:
    """The fewer cells stay empty, the better."""
    return -design.holes


def most_holes(design: Design) -> float:
    """The more cells stay empty, the better."""
    return design.holes


def first_piece(design: Design) -> float:
    """Moves until a single piece is out."""
    return _first(design.levels)


def _first(levels: Levels) -> int:
    parts = [part for part in (levels.left, levels.removed) if part is not None]
    return levels.moves + (min(map(_first, parts)) if len(parts) == 2 else 0)


def turns(design: Design) -> float:
    """Moves that are turns."""
    return design.levels.total_turns


def smallest(design: Design) -> float:
    """Cells of the smallest piece."""
    return min(design.sizes)


OBJECTIVES: dict[str, Objective] = {
    "level": level,
    "moves": moves,
    "dead-ends": dead_ends,
    "false-assemblies": false_assemblies,
    "fewest-holes": fewest_holes,
    "most-holes": most_holes,
    "first-piece": first_piece,
    "turns": turns,
    "smallest": smallest,
}


def objectives(wanted: Iterable[str | Objective]) -> dict[str, Objective]:
    """Objectives by name, in order; a function is called by its own name.

    >>> list(objectives(["moves", len]))
    ['moves', 'len']
    """
    found: dict[str, Objective] = {}
    for one in wanted:
        if callable(one):
            found[getattr(one, "__name__", repr(one))] = one
        elif one in OBJECTIVES:
            found[one] = OBJECTIVES[one]
        else:
            raise PuzzleError(f"cannot maximise {one!r}; use one of {', '.join(OBJECTIVES)}")
    return found


# ---- requirements ----


def unique(design: Design) -> bool:
    """Exactly one assembly comes apart."""
    return design.solutions == 1


def sizes(least: int, most: int | None) -> Requirement:
    """The cells of each piece are in this range."""

    def required(design: Design) -> bool:
        return all(least <= size and (most is None or size <= most) for size in design.sizes)

    return _named(required, f"pieces of {least}{f' to {most}' if most else ' or more'} cells")


def notchable(design: Design) -> bool:
    """A saw can make every piece."""
    return all(_can(workshop.notchable, shape) for shape in design.designed)


def millable(design: Design) -> bool:
    """A milling cutter can make every piece."""
    return all(_can(workshop.millable, shape) for shape in design.designed)


def printable(design: Design) -> bool:
    """Every piece prints without support."""
    return all(_can(workshop.printable, shape) for shape in design.designed)


@lru_cache(1 << 12)
def _can(tool: Callable[[Shape], bool], shape: Shape) -> bool:
    return tool(shape)


def different(design: Design) -> bool:
    """No two pieces are the same, turned or not."""
    return not any(one.congruent(other) for one, other in combinations(design.designed, 2))


def identical(design: Design) -> bool:
    """All pieces are the same."""
    first, *others = design.designed
    return all(first.congruent(other) for other in others)


def symmetric(design: Design) -> bool:
    """Every piece looks the same in another orientation or in a mirror."""
    return all(len(shape.symmetries(mirrors=True)) > 1 for shape in design.designed)


def holes_allowed(design: Design) -> bool:
    """Only cells that are optional stay empty."""
    return design.empty <= design.brief.goal.optional


def no_turns(tolerance: float) -> Requirement:
    """No assembly opens sooner, or at all, if pieces may turn at this tolerance."""

    def required(design: Design) -> bool:
        found = find_shortcuts(design.problem, tolerance=tolerance, max_states=MOST_STATES)
        try:
            return next(found, None) is None
        except LimitReached:
            return False

    return _named(required, f"no shortcut by turns at tolerance {tolerance:g}")


def _named(function: Requirement, name: str) -> Requirement:
    function.__name__ = name
    return function


def cheap_requirements(wish: Wish, own: Iterable[Requirement] = ()) -> tuple[Requirement, ...]:
    """What a wish requires of the pieces where they lie, and the user's own requirements.

    >>> [required.__name__ for required in cheap_requirements(Wish(smallest=8, millable=True))]
    ['holes_allowed', 'pieces of 8 or more cells', 'millable']
    """
    found: list[Requirement] = [holes_allowed]
    if wish.smallest is not None or wish.largest is not None:
        found.append(sizes(wish.smallest or 1, wish.largest))
    for plain in (different, identical, symmetric, notchable, millable, printable):
        if getattr(wish, plain.__name__):
            found.append(plain)
    return (*found, *own)


def dear_requirements(wish: Wish) -> tuple[Requirement, ...]:
    """What a wish requires of all assemblies.

    >>> [required.__name__ for required in dear_requirements(Wish(unique=True, no_turns=0.1))]
    ['unique', 'no shortcut by turns at tolerance 0.1']
    """
    found: list[Requirement] = [unique] if wish.unique else []
    found += [no_turns(wish.no_turns)] if wish.no_turns is not None else []
    return tuple(found)
