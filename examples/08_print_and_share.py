"""Prints and shares your own puzzle: solids for a printer, and a page that plays the solution."""

import kumitate

# B is a rod with knobs inside a tube, whose two halves are A and C.
assembly = kumitate.Assembly.from_text(
    kumitate.CUBES,
    """
    AAA  AAA  CCC
    ABA  BBB  CBC
    AAA  AAA  CCC
    """,
)
puzzle = kumitate.Puzzle.of(assembly.problem)
solution = next(kumitate.solve(assembly.problem, disassemble=True), None)

for path in kumitate.export(
    puzzle, "pieces.3mf", options=kumitate.PrintOptions(unit=15), force=True
):
    print("to print:", path)
if solution is not None:
    [page] = kumitate.export(solution, "page.html", force=True)
    print("to send:", page, "at level", solution.levels)
for piece in assembly.problem.pieces:
    print(f"{piece.shape.name}: {kumitate.solid(piece.shape).volume / 1000:.1f} cm³")
