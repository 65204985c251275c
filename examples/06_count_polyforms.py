"""Counts the connected shapes of one to four cells, on every built-in grid."""

from kumitate.designer import polyforms
from kumitate.grids import GRIDS, HEXAGONS

print(f"{'cells':20}" + "".join(f"{n:>6}" for n in range(1, 5)))
for grid in GRIDS.values():
    counts = [len(polyforms(grid, n, mirrors=True)) for n in range(1, 5)]
    print(f"{grid.name:20}" + "".join(f"{count:6}" for count in counts))

print("\nThe seven tetrahexes:")
for shape in polyforms(HEXAGONS, 4, mirrors=True, flat=True):
    print(f"\n{shape}")
