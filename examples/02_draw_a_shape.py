"""Draws a shape as text, then turns, mirrors, enlarges and carves it."""

from kumitate import CUBES, Shape
from kumitate.grids import recast

screw = Shape.from_text(CUBES, "## #. / .. #.", name="screw")
print("A screw of four cubes, with its two layers side by side:\n")
print(screw)

print("\nTurned, and mirrored:\n")
print(screw.turned(CUBES.turns[2]), screw.mirrored(), sep="\n\n")

same = screw.congruent(screw.mirrored())
print("\nIs the mirror image the same piece?", "Yes." if same else "No, no turn makes it so.")

print("\nTwice as large:\n")
print(recast(screw, CUBES, scale=2))

block = Shape.from_text(CUBES, "###/###/###")
print("\nA block with the screw's first layer cut out:\n")
print(block - screw)
