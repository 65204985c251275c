"""Fixes: ways out of what is wrong with a problem, each the whole puzzle as it would be.

A fix is only offered if it helps: the fixed puzzle is checked again, and the finding that it
belongs to must be gone. Another fault may then show: faults often hide each other. Fixes change the
page's data, not values, so that every id stays.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace as changed

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Cell
from kumitate.model.puzzle import MOST_COPIES, Problem, Puzzle, find_placement
from kumitate.search.check import Finding, check, is_large, likeness
from kumitate.search.placements import placements
from kumitate.studio.ask.codec import placement_data, placement_of, puzzle_of
from kumitate.studio.messages import (
    FixData,
    PieceData,
    PlacementData,
    ProblemData,
    PuzzleData,
    ShapeData,
)

MOST_MENDS = 3  # beside one finding
MOST_TRIED = 12  # in all, for each takes a check
MOST_CELLS = 5000  # of a puzzle: each fix sends all of it

Fix = tuple[str, PuzzleData]


@dataclass(frozen=True)
class Case:
    """The problem to fix, as the page has it and as a value."""

    data: PuzzleData
    number: int
    puzzle: Puzzle

    @property
    def problem(self) -> Problem:
        return self.puzzle.problems[self.number]

    @property
    def asked(self) -> ProblemData:
        return self.data.problems[self.number]

    def shape(self, id: int | None) -> ShapeData:
        return next(shape for shape in self.data.shapes if shape.id == id)

    def asking(self, **new: object) -> PuzzleData:
        """The puzzle with this problem changed."""
        problems = list(self.data.problems)
        problems[self.number] = changed(self.asked, **new)
        return changed(self.data, problems=problems)


def fixes(data: PuzzleData, number: int, found: list[Finding]) -> list[list[FixData]]:
    """For each finding the ways out of it that help."""
    case = Case(data, number, puzzle_of(data))
    if sum(len(shape.cells) for shape in data.shapes) > MOST_CELLS:
        return [[] for _ in found]
    tries = MOST_TRIED
    offered: list[list[FixData]] = []
    for finding in found:
        some: list[FixData] = []
        for name, fixed in _FIXERS.get(finding.about, _nothing)(case):
            if tries == 0 or len(some) == MOST_MENDS:
                break
            tries -= 1
            if _helps(fixed, number, finding, found):
                some.append(FixData(name, fixed))
        offered.append(some)
    return offered


def _helps(fixed: PuzzleData, number: int, finding: Finding, before: list[Finding]) -> bool:
    """Whether the finding is gone, and not just said with other numbers."""
    try:
        after = check(puzzle_of(fixed).problems[number], quick=True)
    except PuzzleError:
        return False

    def alike(found: list[Finding]) -> int:
        return sum(other.about == finding.about for other in found)

    gone = all(other.text != finding.text for other in after)
    return gone and alike(after) < alike(before)


def _nothing(case: Case) -> Iterator[Fix]:
    return iter(())


# ---- the goal and the pieces ----


def _goal(case: Case) -> Iterator[Fix]:
    """Take the largest shape, best one that is no piece yet."""
    used = {piece.shape for piece in case.asked.pieces}
    shapes = sorted(
        (shape for shape in case.data.shapes if shape.cells),
        key=lambda shape: (shape.id in used, -len(shape.cells)),
    )
    for shape in shapes[:1]:
        kept = [n for n, piece in enumerate(case.asked.pieces) if piece.shape != shape.id]
        yield (
            f"Make {_label(case, shape)} the goal",
            _only(Case(case.asking(goal=shape.id), case.number, case.puzzle), kept),
        )


def _pieces(case: Case) -> Iterator[Fix]:
    """Use every other shape once; a single one as often as fills the goal."""
    others = [
        shape
        for shape in case.data.shapes
        if shape.cells and shape.id != case.asked.goal and not any(row[4] for row in shape.cells)
    ]
    if len(others) == 1:
        count = max(1, len(case.problem.goal.fixed) // len(others[0].cells))
        pieces = [PieceData(others[0].id, count, count)]
        yield f"Use {_of(count, _label(case, others[0]))}", case.asking(pieces=pieces)
    elif others:
        pieces = [PieceData(shape.id) for shape in others]
        yield "Use every other shape once", case.asking(pieces=pieces)


def _volume(case: Case) -> Iterator[Fix]:
    """Other numbers of one piece, one more shape, or cells that may stay empty."""
    problem = case.problem
    (least, most), every = problem.volume, len(problem.goal)
    fixed = len(problem.goal.fixed)
    if problem.max_holes is not None:
        fixed = max(fixed, every - problem.max_holes)

    def needed(cells: int) -> int:
        """How many more pieces of this size (or fewer, below 0) come nearest to a fit."""
        if not cells:
            return 0
        return -(-(fixed - most) // cells) if most < fixed else -(-(least - every) // cells) * -1

    changes: list[tuple[int, Fix]] = []
    used = {piece.shape for piece in case.asked.pieces} | {case.asked.goal}
    for shape in case.data.shapes:
        more = needed(len(shape.cells))
        if more > 0 and shape.id not in used:
            extra = PieceData(shape.id, more, more)
            name = f"Add {_of(more, _label(case, shape))}"
            changes.append((more, (name, case.asking(pieces=[*case.asked.pieces, extra]))))
    for number, piece in enumerate(problem.pieces):
        more = needed(len(piece.shape))
        if more and piece.min + more >= 0 and piece.max + more <= MOST_COPIES:
            changes.append((abs(more), _counted(case, number, more)))
    for _, fix in sorted(changes, key=lambda change: change[0]):
        yield fix
    empty = every - most
    if most < fixed and 2 * empty <= every:
        goal = case.shape(case.asked.goal)
        loose = _recast_goal(case, [(*row[:4], 1, row[5]) for row in goal.cells])
        name = f"Let {empty} cell{'s' * (empty > 1)} stay empty"
        yield name, Case(loose, case.number, case.puzzle).asking(max_holes=empty)


def _counted(case: Case, number: int, more: int) -> Fix:
    piece = case.asked.pieces[number]
    new = changed(piece, min=piece.min + more, max=piece.max + more)
    label = case.problem.label(number)
    if new.max == 0:
        return f"Leave {label} out", _without(case, number)
    pieces = list(case.asked.pieces)
    pieces[number] = new
    copies = str(new.min) if new.min == new.max else f"{new.min} to {new.max}"
    return f"Use {copies} of {label}", case.asking(pieces=pieces)


# ---- one piece ----


def _optional(case: Case) -> Iterator[Fix]:
    """A piece has no optional cells: make them fixed, or take them off."""
    for number, piece in enumerate(case.asked.pieces):
        shape, label = case.shape(piece.shape), case.problem.label(number)
        if any(row[4] for row in shape.cells):
            fixed = [(*row[:4], 0, row[5]) for row in shape.cells]
            yield f"Make all cells of {label} fixed", _recast_piece(case, number, fixed)
            bare = [row for row in shape.cells if not row[4]]
            if bare:
                yield f"Remove the optional cells of {label}", _recast_piece(case, number, bare)


def _empty(case: Case) -> Iterator[Fix]:
    for number, piece in enumerate(case.problem.pieces):
        if not piece.shape.cells:
            yield f"Leave {case.problem.label(number)} out", _without(case, number)


def _fit(case: Case) -> Iterator[Fix]:
    """A piece that fits nowhere: perhaps only because of its colours."""
    stuck = [number for number, ways in enumerate(placements(case.problem)) if not ways]
    of_goal = set(case.problem.goal.colours.values())
    for number in stuck:
        label, shape = case.problem.label(number), case.problem.pieces[number].shape
        pairs = {(colour, other) for colour in shape.colours.values() for other in of_goal}
        if pairs - set(case.asked.allowed):
            allowed = sorted(pairs | set(case.asked.allowed))
            yield f"Let {label} meet every colour of the goal", case.asking(allowed=allowed)
    for number in stuck:
        yield f"Leave {case.problem.label(number)} out", _without(case, number)


def _copies(case: Case) -> Iterator[Fix]:
    """Pieces of one shape become one piece with as many copies."""
    alike: dict[str, list[int]] = {}
    for number, piece in enumerate(case.problem.pieces):
        alike.setdefault(likeness(piece.shape)[0], []).append(number)
    for some in alike.values():
        pieces = [case.asked.pieces[number] for number in some]
        forbidden = any(placement.piece in some for placement in case.asked.forbidden)
        if len(some) > 1 and not forbidden and all(p.groups == pieces[0].groups for p in pieces):
            label = _label(case, case.shape(pieces[0].shape))
            yield f"Replace them with {_range(pieces)} copies of {label}", _joined(case, some)


def _joined(case: Case, some: list[int]) -> PuzzleData:
    first, *others = some
    pieces = list(case.asked.pieces)
    joining = [pieces[number] for number in some]
    pieces[first] = changed(
        pieces[first], min=sum(p.min for p in joining), max=sum(p.max for p in joining)
    )
    pinned = []
    for pin in case.asked.pinned:
        if pin.piece in others:
            shape = case.problem.pieces[pin.piece].shape
            placed = placement_of(pin).placed(shape)
            found = find_placement(first, case.problem.pieces[first].shape, placed)
            assert found is not None
            pin = placement_data(found)
        pinned.append(pin)
    joined = Case(case.asking(pieces=pieces, pinned=pinned), case.number, case.puzzle)
    return _only(joined, [n for n in range(len(pieces)) if n not in others])


# ---- cells of the goal, and pins ----


def _cover(case: Case) -> Iterator[Fix]:
    """Cells that nothing can cover need not be covered."""
    if is_large(case.problem):
        return
    covered: set[Cell] = set()
    for piece, ways in zip(case.problem.pieces, placements(case.problem), strict=True):
        covered.update(*(way.placed(piece.shape).cells for way in ways))
    bare = case.problem.goal.fixed - covered
    goal = case.shape(case.asked.goal)
    cells = [(*row[:4], 1 if row[:4] in bare else row[4], row[5]) for row in goal.cells]
    what = "that cell" if len(bare) == 1 else f"those {len(bare)} cells"
    yield f"Make {what} optional", _recast_goal(case, cells)


def _pins(case: Case) -> Iterator[Fix]:
    pinned, forbidden = case.asked.pinned, case.asked.forbidden
    both = [placement for placement in forbidden if placement in pinned]
    if both:
        kept = [placement for placement in forbidden if placement not in pinned]
        yield "Allow the pinned placements", case.asking(forbidden=kept)
    for number, pin in enumerate(pinned):
        kept = [*pinned[:number], *pinned[number + 1 :]]
        yield f"Unpin {case.problem.label(pin.piece)}", case.asking(pinned=kept)


_FIXERS: dict[str, Callable[[Case], Iterator[Fix]]] = {
    "goal": _goal,
    "pieces": _pieces,
    "volume": _volume,
    "optional": _optional,
    "empty": _empty,
    "fit": _fit,
    "copies": _copies,
    "cover": _cover,
    "pins": _pins,
}


# ---- changing the data ----


def _without(case: Case, number: int) -> PuzzleData:
    return _only(case, [n for n in range(len(case.asked.pieces)) if n != number])


def _only(case: Case, kept: list[int]) -> PuzzleData:
    """Only these pieces; placements of others go with them."""
    new = {old: n for n, old in enumerate(kept)}

    def renumbered(some: Iterable[PlacementData]) -> list[PlacementData]:
        return [changed(p, piece=new[p.piece]) for p in some if p.piece in new]

    return case.asking(
        pieces=[case.asked.pieces[n] for n in kept],
        pinned=renumbered(case.asked.pinned),
        forbidden=renumbered(case.asked.forbidden),
    )


Rows = list[tuple[int, int, int, int, int, int]]


def _recast_goal(case: Case, cells: Rows) -> PuzzleData:
    """The goal with other cells; a copy of it if others use that shape, too."""
    goal = case.asked.goal
    others = [p.goal for n, p in enumerate(case.data.problems) if n != case.number]
    pieces = [piece.shape for p in case.data.problems for piece in p.pieces]
    data, id = _with_cells(case, case.shape(goal), cells, goal in (*others, *pieces))
    return Case(data, case.number, case.puzzle).asking(goal=id)


def _recast_piece(case: Case, number: int, cells: Rows) -> PuzzleData:
    """A piece with other cells; a copy of its shape if that is also a goal."""
    piece = case.asked.pieces[number]
    goals = [p.goal for p in case.data.problems]
    data, id = _with_cells(case, case.shape(piece.shape), cells, piece.shape in goals)
    pieces = list(case.asked.pieces)
    pieces[number] = changed(piece, shape=id)
    return Case(data, case.number, case.puzzle).asking(pieces=pieces)


def _with_cells(case: Case, shape: ShapeData, cells: Rows, copied: bool) -> tuple[PuzzleData, int]:
    """The puzzle with other cells for a shape, or with a shape of them beside it; and its id."""
    shapes = list(case.data.shapes)
    at = shapes.index(shape)
    if copied:
        fresh = 1 + max(other.id for other in shapes)
        shapes.insert(at + 1, changed(shape, id=fresh, cells=cells, name=f"{shape.name}'"))
        return changed(case.data, shapes=shapes), fresh
    shapes[at] = changed(shape, cells=cells)
    return changed(case.data, shapes=shapes), shape.id


# ---- words ----


def _label(case: Case, shape: ShapeData) -> str:
    return case.puzzle.label([other.id for other in case.data.shapes].index(shape.id))


def _of(number: int, label: str) -> str:
    return label if number == 1 else f"{number} of {label}"


def _range(pieces: list[PieceData]) -> str:
    low, high = sum(piece.min for piece in pieces), sum(piece.max for piece in pieces)
    return str(low) if low == high else f"{low} to {high}"
