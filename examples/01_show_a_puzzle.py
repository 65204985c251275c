"""Shows a puzzle from the library: its pieces, what it asks, what is known and noteworthy."""

import kumitate

puzzle = kumitate.library["soma"]
print(puzzle)

print("\nHow many different ways each piece can lie, and how many places it has in the cube:")
[problem] = puzzle.problems
for piece, ways in zip(problem.pieces, kumitate.placements(problem), strict=True):
    print(f"  {piece.shape.name}  {len(piece.shape.orientations()):2} ways {len(ways):4} places")

print("\nWhat a designer would want to know:")
for finding in kumitate.check(puzzle):
    print("  -", finding.text)

for answer in kumitate.answers("soma"):
    print(f"\nKnown: {answer} ({answer.source})")
