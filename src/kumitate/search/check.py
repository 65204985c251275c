"""What is wrong or noteworthy about a puzzle, in words, before anything is searched.

A fault means that no assembly can exist; a note is something a designer would want to know. An
editor checks again after every change: then `quick` skips what takes long, and says so.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from kumitate.model.geometry import Cell
from kumitate.model.grid import Grid
from kumitate.model.grids import ORTHOSCHEMES, RHOMBS
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.recast import other_phase
from kumitate.model.shape import Shape
from kumitate.search.faults import (
    fits_nowhere,
    nonsense,
    not_covered,
    too_many_pinned,
    volume_fault,
)
from kumitate.search.one.arguments import argument
from kumitate.search.placements import placements

LARGE = 150_000  # cells of the goal times ways that pieces can be turned: 0.4 s at most
MOST_CELLS = 1000  # of a goal whose colourings are tried at once
MOST_TURNED = 3000  # cells of pieces, or of a goal, that are turned in every way at once


class Finding(NamedTuple):
    """One sentence about a puzzle; a fault if it rules out every assembly."""

    fault: bool
    text: str
    about: str = ""  # in one word, for programs: "volume"


def check(question: Puzzle | Problem, *, quick: bool = False) -> list[Finding]:
    """Everything wrong or noteworthy, faults first; `quick` skips slow tests of large puzzles.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece
    >>> bar = Shape.from_text(CUBES, "##", name="bar")
    >>> goal = Shape.from_text(CUBES, "###/###/###", name="square")
    >>> print(check(Problem(goal, [Piece(bar, 4, 4)]))[0].text)
    the goal has 9 cells but the pieces fill 8; add a piece or mark a goal cell optional
    """
    if isinstance(question, Problem):
        found = _with_colouring(question, quick)
    else:
        found = list(_puzzle_findings(question))
        several = len(question.problems) > 1
        for number, problem in enumerate(question.problems, 1):
            where = f"{problem.name or f'problem {number}'}: " if several else ""
            some = _with_colouring(problem, quick)
            found += [finding._replace(text=where + finding.text) for finding in some]
    return sorted(found, key=lambda finding: not finding.fault)


def _puzzle_findings(puzzle: Puzzle) -> Iterator[Finding]:
    if not puzzle.problems:
        yield Finding(
            False, "the puzzle has no problem, so there is nothing to solve; add a goal and pieces"
        )
    yield from (Finding(False, note) for note in phase_note(puzzle))


def phase_note(puzzle: Puzzle) -> list[str]:
    """A warning if rhombic shapes could also be drawn in a way that never fits the first."""
    if puzzle.grid != RHOMBS:
        return []
    both = [
        puzzle.label(number)
        for number, shape in enumerate(puzzle.shapes)
        if shape.cells and other_phase(shape, ORTHOSCHEMES)
    ]
    if not both:
        return []
    return [
        f"{', '.join(both)}: the same solid can be drawn with rhombic cells in two ways that never"
        " fit together; if pieces should fit and do not, convert to the grid 'orthoschemes'"
    ]


def is_large(problem: Problem) -> bool:
    """Whether it takes long to see where all pieces fit.

    >>> from kumitate.library import library
    >>> is_large(library["bedlam"].problems[0])
    False
    """
    return len(problem.goal) * len(problem.pieces) * len(problem.grid.turns) > LARGE


def _with_colouring(problem: Problem, quick: bool) -> list[Finding]:
    """The findings, and if no fault is among them, the colouring that may still be one."""
    found = list(_findings(problem, quick))
    large = quick and (is_large(problem) or len(problem.goal) > MOST_CELLS)
    if not large and not any(finding.fault for finding in found):
        why = argument(problem)
        if why is not None:
            found.append(Finding(True, why.describe(problem), "colouring"))
    if large and problem.pieces:
        found.append(
            Finding(False, "too large to check completely here; run 'kumitate check'", "large")
        )
    return found


def _findings(problem: Problem, quick: bool) -> Iterator[Finding]:
    yield from (Finding(True, text, about) for about, text in nonsense(problem))
    if not problem.goal.cells or not problem.pieces:
        return
    for number, piece in enumerate(problem.pieces):
        if piece.shape.cells and not piece.shape.optional and not piece.shape.connected:
            label, parts = problem.label(number), len(piece.shape.components)
            yield Finding(False, f"piece {label} is not connected: it has {parts} parts", "parts")
    if not problem.goal.connected:
        parts = len(problem.goal.components)
        yield Finding(False, f"the goal is not connected: it has {parts} parts", "parts")
    fault = volume_fault(problem)
    if fault:
        yield Finding(True, fault, "volume")
    yield from _pins(problem)
    if not (quick and is_large(problem)):
        yield from _fit(problem)
        yield from _parity(problem)
    if not quick or sum(len(piece.shape) for piece in problem.pieces) <= MOST_TURNED:
        yield from _likeness(problem)
    if not quick or len(problem.goal) <= MOST_TURNED:
        rotations, symmetries = _symmetries(problem.goal)
        if symmetries > 1:
            text = f"the goal looks the same in {rotations} orientations"
            if rotations == 1:
                text = "the goal is mirror-symmetric"
            elif symmetries > rotations:
                text += f", {symmetries} with mirror images"
            yield Finding(False, text, "symmetry")


@lru_cache(maxsize=50)
def _symmetries(shape: Shape) -> tuple[int, int]:
    """How many turns map it onto itself, without and with mirror images."""
    every = shape.symmetries(mirrors=True)
    return sum(turn in shape.grid.turns for turn in every), len(every)


def _fit(problem: Problem) -> Iterator[Finding]:
    ways = placements(problem)
    covered: set[Cell] = set()
    for number, piece in enumerate(problem.pieces):
        if not ways[number]:
            why = (
                _fits_by_shape(problem, number)
                and " because of its colours; allow more colours to meet"
            )
            text = fits_nowhere(problem, number) + (why or "")
            yield Finding(piece.min > 0, text, "fit")
        turns = {turn for _, turn, _ in ways[number]}
        turned = {turn: piece.shape.turned(problem.grid.turns[turn]) for turn in turns}
        for _, turn, (x, y, z) in ways[number]:
            oriented = turned[turn]
            assert oriented is not None
            covered.update((a + x, b + y, c + z, t) for a, b, c, t in oriented.cells)
    bare = sorted(problem.goal.fixed - covered)
    if bare:
        yield Finding(True, not_covered(problem, bare), "cover")


def _fits_by_shape(problem: Problem, piece: int) -> bool:
    plain = [replace(p, shape=replace(p.shape, colours={})) for p in problem.pieces]
    return bool(placements(replace(problem, pieces=plain))[piece])


def _pins(problem: Problem) -> Iterator[Finding]:
    """Pinned pieces must fit, beside each other, and not be more than there are."""
    yield from (Finding(True, text, "pins") for text in _pin_faults(problem))


def _pin_faults(problem: Problem) -> Iterator[str]:
    covered: dict[Cell, str] = {}
    used = Counter(pin.piece for pin in problem.pinned)
    for number, count in used.items():
        if count > problem.pieces[number].max:
            yield too_many_pinned(problem, number, count)
    for pin in sorted(problem.pinned):
        name = problem.label(pin.piece)
        shape = problem.pieces[pin.piece].shape
        if shape.lies[pin.turn] is None or not pin.placed(shape).cells <= problem.goal.cells:
            yield f"piece {name} is pinned where it does not fit; move or remove the pin"
            continue
        if pin in problem.forbidden:
            yield (
                f"piece {name} is pinned where it is also forbidden; allow it there or remove the"
                " pin"
            )
        for cell in pin.placed(shape):
            if cell in covered:
                yield (
                    f"pieces {covered[cell]} and {name} are both pinned to the same cell;"
                    " remove a pin"
                )
                break
            covered[cell] = name


def _parity(problem: Problem) -> Iterator[Finding]:
    """Colour the grid like a chessboard: the pieces' surpluses must be able to make the goal's."""
    if problem.goal.optional or problem.has_ranges:
        return
    surplus = _surplus(problem.goal)
    if surplus is None or problem.volume[0] != len(problem.goal):
        return
    reach = {0}
    for piece in problem.pieces:
        mine = _surplus(piece.shape)
        assert mine is not None
        if mine:
            ways = range(-mine * piece.min, mine * piece.min + 1, 2 * mine)
            reach = {total + way for total in reach for way in ways}
    if surplus not in reach:
        yield Finding(
            True,
            f"coloured like a chessboard, the goal has {surplus} more cells of one colour than of"
            " the other, but with these pieces the difference can only be"
            f" {', '.join(str(r) for r in sorted(reach) if r >= 0)}",
            "parity",
        )


def _surplus(shape: Shape) -> int | None:
    """By how many its cells of one chessboard colour outnumber the other's."""
    colours = _chessboard(shape.grid)
    if colours is None:
        return None
    (a, b, c), tiles = colours
    odd = sum((a * x + b * y + c * z + tiles[t]) % 2 for x, y, z, t in shape.cells)
    return abs(len(shape) - 2 * odd)


def _chessboard(grid: Grid) -> tuple[tuple[int, int, int], list[int]] | None:
    """A two-colouring in which all neighbours differ: of the lattice's axes, and of the tiles."""
    for axes in [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]:
        tiles = {0: 0}
        todo = [0]
        for tile in todo:
            for x, y, z, other in grid.neighbours[tile]:
                colour = (tiles[tile] + 1 + axes[0] * x + axes[1] * y + axes[2] * z) % 2
                if other not in tiles:
                    tiles[other] = colour
                    todo.append(other)
                elif tiles[other] != colour:
                    tiles.clear()
                    break
            if not tiles:
                break
        if len(tiles) == len(grid.tiles):
            return axes, [tiles[tile] for tile in range(len(grid.tiles))]
    return None


def _likeness(problem: Problem) -> Iterator[Finding]:
    """Pieces that are the same shape, or mirror images of each other."""
    alike: dict[str, list[str]] = {}
    images: dict[str, dict[str, str]] = {}
    for number, piece in enumerate(problem.pieces):
        turned, mirrored = likeness(piece.shape)
        alike.setdefault(turned, []).append(problem.label(number))
        images.setdefault(mirrored, {}).setdefault(turned, problem.label(number))
    for names in alike.values():
        if len(names) > 1:
            text = f"pieces {_listed(names)} are the same shape and count as copies of one piece"
            yield Finding(False, text, "copies")
    for pair in images.values():
        if len(pair) > 1:
            text = f"pieces {_listed(list(pair.values()))} are mirror images of each other"
            yield Finding(False, text, "mirror")


@lru_cache(maxsize=200)
def likeness(shape: Shape) -> tuple[str, str]:
    """A digest that all turned copies of a shape share, and one that mirrored ones share too.

    >>> from kumitate.model.grids import CUBES
    >>> likeness(Shape.from_text(CUBES, "##")) == likeness(Shape.from_text(CUBES, "#/#"))
    True
    """
    turned, mirrored = (
        sha256(repr(shape.canonical(mirrors).tokens).encode()).hexdigest()
        for mirrors in (False, True)
    )
    return turned, mirrored


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
