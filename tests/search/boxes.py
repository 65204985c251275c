"""Boxes to fill with copies of one piece, and small random problems."""

from dataclasses import replace
from itertools import product

from hypothesis import strategies as st

from kumitate import CUBES, Grid, Piece, Problem, Shape, placements
from kumitate.grids import PRISMS, SPHERES

DRAWN = {"T": "###/.#.", "Y": "####/.#..", "N": "###./..##", "L": "##/#.", "I": "##"}


def box(letter: str, *size: int) -> Problem:
    """As many of the piece as fill it by volume."""
    shape = Shape.from_text(CUBES, DRAWN[letter], name=letter)
    x, y, z = (*size, 1, 1)[:3]
    goal = Shape(CUBES, {(*spot, 0) for spot in product(range(x), range(y), range(z))})
    return Problem(goal, [Piece(shape, len(goal) // len(shape))])


def without_corners(problem: Problem) -> Problem:
    """The goal without its first and last cell, and a piece less."""
    cells = sorted(problem.goal.cells)
    [piece] = problem.pieces
    return Problem(Shape(CUBES, set(cells[1:-1])), [Piece(piece.shape, piece.min - 1)])


@st.composite
def problems(draw: st.DrawFn, ruled: bool = False) -> Problem:
    """With ranges, copies, optional cells, colours and limits; so small that all can be tried.

    If ruled, a piece entered twice, a pin and bans too.
    """
    grid: Grid = draw(st.sampled_from([CUBES, CUBES, PRISMS, SPHERES]))
    spots = st.tuples(*(st.integers(0, most) for most in (2, 1, 1, len(grid.tiles) - 1)))

    def shape(name: str, least: int, most: int) -> Shape:
        cells = draw(st.sets(spots, min_size=least, max_size=most))
        hues = {cell: draw(st.sampled_from([0, 0, 0, 1, 2])) for cell in sorted(cells)}
        return Shape(grid, cells, colours={c: h for c, h in hues.items() if h}, name=name)

    goal = shape("goal", 3, 8)
    optional = draw(st.sets(st.sampled_from(sorted(goal.cells)), max_size=3))
    goal = Shape(grid, goal.cells, optional=optional, colours=goal.colours, name="goal")
    pieces = []
    for name in "abc"[: draw(st.integers(1, 3))]:
        least = draw(st.integers(0, 2))
        pieces.append(Piece(shape(name, 1, 3), least, least + draw(st.integers(0, 2))))
    if ruled and draw(st.booleans()):
        pieces.append(Piece(pieces[0].shape, 0, draw(st.integers(0, 2))))
    holes = draw(st.none() | st.integers(0, 2))
    problem = Problem(goal, pieces, allowed=[(1, 1), (2, 2)], max_holes=holes)
    places = [place for some in placements(problem) for place in some]
    if not places or not ruled or draw(st.booleans()):
        return problem
    pins = [place for place in places if pieces[place.piece].max]
    pinned = draw(st.sets(st.sampled_from(pins), max_size=1)) if pins else ()
    forbidden = draw(st.sets(st.sampled_from(places), max_size=2))
    return replace(problem, pinned=pinned, forbidden=forbidden)
