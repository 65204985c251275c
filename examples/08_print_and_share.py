"""A puzzle of your own, printed and sent: solids for a printer, and a page that plays it."""

import kumitate

# A rod with a knob in its tube, and the tube's other half.
assembly = kumitate.Assembly.from_text(
    kumitate.CUBES,
    """
    AAA  AAA  CCC
    ABA  BBB  CBC
    AAA  AAA  CCC
    """,
)
puzzle = kumitate.Puzzle.of(assembly.problem)
solution = next(kumitate.solve(assembly.problem), None)

for path in kumitate.export(
    puzzle, "pieces.3mf", options=kumitate.PrintOptions(unit=15), force=True
):
    print("to print:", path)
if solution is not None:
    [page] = kumitate.export(solution, "page.html", force=True)
    print("to send:", page, "at level", solution.levels)
for piece in assembly.problem.pieces:
    print(f"{piece.shape.name}: {kumitate.solid(piece.shape).volume / 1000:.1f} cm³")
