"""Convert a whole document to another grid.

Shapes are recast one by one, and placements are looked up again for the recast pieces. Pieces slide
along different steps in the two grids, so saved disassemblies keep only their numbers of moves.
"""

from dataclasses import replace

from kumitate.files.document import Document
from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid
from kumitate.model.numbers import count_of
from kumitate.model.puzzle import Piece, Placement, Problem, find_placement
from kumitate.model.recast import recast, same_shifts
from kumitate.model.shape import Shape
from kumitate.model.solution import Answers, Assembly, Solution

_FEWER_PLACES = (
    "on the grid {grid!r} pieces fit in fewer places than before: cells that were alike are of"
    " several kinds there"
)


def regrid(document: Document, grid: Grid) -> Document:
    """The document on another grid; its warnings list what could not be kept.

    >>> from kumitate.library import library
    >>> from kumitate.model.grids import RHOMBS
    >>> puzzle = regrid(Document(library["soma"]), RHOMBS).puzzle
    >>> len(puzzle.shapes[0]), puzzle.grid.name
    (72, 'rhombic')
    """
    puzzle = document.puzzle
    shapes = {shape: recast(shape, grid) for shape in puzzle.shapes}
    problems = [_problem(problem, shapes, grid) for problem in puzzle.problems]
    answers = [
        saved and _answers(saved, problem)
        for saved, problem in zip(document.answers, problems, strict=True)
    ]
    trees = sum(
        solution.disassembly is not None
        for saved in document.answers
        for solution in (saved.solutions if saved else ())
    )
    lost = [] if same_shifts(puzzle.grid, grid) else [_FEWER_PLACES.format(grid=grid.name)]
    if trees:
        saved = count_of(trees, "saved disassembly")
        lost.append(f"the moves of {saved} are not kept, only their number")
    moved = replace(
        puzzle, grid=grid, shapes=tuple(shapes[s] for s in puzzle.shapes), problems=problems
    )
    return Document(moved, answers, (*document.warnings, *lost))


def _problem(problem: Problem, shapes: dict[Shape, Shape], grid: Grid) -> Problem:
    pieces = [replace(piece, shape=shapes[piece.shape]) for piece in problem.pieces]
    return replace(
        problem,
        goal=shapes.get(problem.goal) or Shape(grid, frozenset()),
        pieces=pieces,
        pinned=frozenset(_placement(p, problem, pieces) for p in problem.pinned),
        forbidden=frozenset(_placement(p, problem, pieces) for p in problem.forbidden),
    )


def _placement(placement: Placement, problem: Problem, pieces: list[Piece]) -> Placement:
    shape = pieces[placement.piece].shape
    there = recast(placement.placed(problem.pieces[placement.piece].shape), shape.grid)
    found = find_placement(placement.piece, shape, there)
    if found is None:
        raise PuzzleError(f"no turn of that grid places {shape.name!r} as {placement}")
    return found


def _answers(answers: Answers, problem: Problem) -> Answers:
    return replace(answers, solutions=[_solution(s, problem) for s in answers.solutions])


def _solution(solution: Solution, problem: Problem) -> Solution:
    old = solution.assembly
    pieces = list(problem.pieces)
    placements = [_placement(p, old.problem, pieces) for p in old.placements]
    return replace(solution, assembly=Assembly(problem, placements), disassembly=None)
