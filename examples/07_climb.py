"""Evolves a box of four pieces and shows how it comes apart."""

from kumitate import CUBES, Assembly
from kumitate.designer import climb

slabs = Assembly.from_text(CUBES, "/".join(["AAAA  BBBB  CCCC  DDDD"] * 4))
for solution in climb(slabs, seed=3, steps=20_000, max_holes=6):
    print(f"level {solution.levels}")
print(f"\n{solution.assembly}\n")
assert solution.disassembly is not None
print(solution.disassembly.describe(solution.assembly))
