"""Shows a puzzle from the library: its pieces, its problem, and what is known about it."""

import kumitate

puzzle = kumitate.library["soma"]
print(puzzle)

print("\nHow many orientations each piece has, and how many placements in the cube:")
[problem] = puzzle.problems
for piece, ways in zip(problem.pieces, kumitate.placements(problem), strict=True):
    print(f"  {piece.shape.name}  {len(piece.shape.orientations()):2} {len(ways):4}")

print("\nWhat a designer would want to know:")
for finding in kumitate.check(puzzle):
    print("  -", finding.text)

for answer in kumitate.library.answers("soma"):
    print(f"\nKnown: {answer} ({answer.source})")
