"""Makes a grid of 3 x 2 x 1 bricks: it has fewer turns than cubes, so pieces fit in fewer ways."""

from kumitate import CUBES, Grid, Piece, Problem, Shape, placements

BRICKS = Grid(
    name="bricks",
    basis=((3.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 1.0)),
    tiles=(tuple((x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)),),
    generators=(
        ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),  # a half turn about z
        ((1, 0, 0), (0, -1, 0), (0, 0, -1)),  # a half turn about x
    ),
    mirror=((1, 0, 0), (0, 1, 0), (0, 0, -1)),
)
BRICKS.check()  # raises a PuzzleError if something is wrong with the table
print("the table is a grid")

for grid in (CUBES, BRICKS):
    ell = Shape.from_text(grid, "## / #.", name="L")
    wall = Shape.from_text(grid, "### ### / ### ###", name="wall")
    [ways] = placements(Problem(wall, [Piece(ell)]))
    print(f"\n{grid.name}: {len(grid.turns)} turns, {len(grid.steps)} steps")
    print(f"an L has {len(ell.orientations())} orientations and {len(ways)} placements in the wall")
