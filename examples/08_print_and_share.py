"""A puzzle of your own, printed and sent: solids for a printer, and a page that plays it."""

import kumiki

# A rod with a knob in its tube, and the tube's other half.
assembly = kumiki.Assembly.from_text(
    kumiki.CUBES,
    """
    AAA  AAA  CCC
    ABA  BBB  CBC
    AAA  AAA  CCC
    """,
)
puzzle = kumiki.Puzzle.of(assembly.problem)
solution = next(kumiki.solve(assembly.problem), None)

for path in kumiki.export(puzzle, "pieces.3mf", make=kumiki.Make(unit=15), force=True):
    print("to print:", path)
if solution is not None:
    [page] = kumiki.export(solution, "page.html", force=True)
    print("to send:", page, "at level", solution.levels)
for piece in assembly.problem.pieces:
    print(f"{piece.shape.name}: {kumiki.solid(piece.shape).volume / 1000:.1f} cm³")
