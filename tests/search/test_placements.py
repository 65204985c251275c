"""Placements against a plain search that shares nothing with the core."""

from hypothesis import given, settings
from hypothesis import strategies as st

import kumitate
from kumitate import Piece, Placement, Problem, Shape, placements
from kumitate.grids import GRIDS


def plain_placements(problem: Problem, shape: Shape) -> set[Shape]:
    """Every turn, at every shift that could matter, cell by cell."""
    found = set()
    goal = problem.goal
    for turn in problem.grid.turns:
        turned = shape.turned(turn)
        if turned is None:
            continue
        first = min(turned.cells)
        for cell in goal.cells:
            if cell[3] != first[3]:
                continue
            image = turned.shifted((cell[0] - first[0], cell[1] - first[1], cell[2] - first[2]))
            if all(
                c in goal.cells
                and problem.may_lie_on(image.colours.get(c, 0), goal.colours.get(c, 0))
                for c in image.cells
            ):
                found.add(image)
    return found


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(list(GRIDS.values())), st.data())
def test_placements_are_those_of_a_plain_search(grid: kumitate.Grid, data: st.DataObject) -> None:
    number = st.integers(0, 2)
    cells = st.tuples(number, number, number, st.integers(0, len(grid.tiles) - 1))

    def draw_shape(name: str, most: int) -> Shape:
        chosen = data.draw(st.sets(cells, min_size=1, max_size=most))
        colours = {cell: data.draw(st.integers(0, 2)) for cell in sorted(chosen)}
        return Shape(grid, chosen, colours=colours, name=name)

    goal = draw_shape("goal", 30)
    shapes = [draw_shape("a", 3), draw_shape("b", 2)]
    pairs = st.sets(st.tuples(st.integers(1, 2), st.integers(1, 2)))
    problem = Problem(goal, [Piece(s) for s in shapes], allowed=frozenset(data.draw(pairs)))
    for number_of, (shape, ways) in enumerate(zip(shapes, placements(problem), strict=True)):
        assert all(way.piece == number_of for way in ways)
        placed = [way.placed(shape) for way in ways]
        assert len(set(placed)) == len(placed)
        assert set(placed) == plain_placements(problem, shape)


def test_forbidden_placements_are_left_out() -> None:
    goal = Shape.from_text(kumitate.CUBES, "###")
    bar = Piece(Shape.from_text(kumitate.CUBES, "##"))
    [both] = placements(Problem(goal, [bar]))
    assert len(both) == 2
    [one] = placements(Problem(goal, [bar], forbidden=frozenset({both[0]})))
    assert one == (both[1],)
    assert isinstance(both[0], Placement)
