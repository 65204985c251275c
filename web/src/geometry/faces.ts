// Which sides of cells can be seen: those that no other cell covers.

import type { GridData } from "../messages";
import { beyond, keyOf, keysOf, placeOf, type Cell, type Key } from "./grid";
import { plus, type Vector } from "../vector";

/** The numbers of a cell's sides that are open: no cell that covers lies beyond. */
export const openSides = (grid: GridData, cell: Cell, covers: (beyond: Key) => boolean): number[] =>
  grid.tiles[cell[3]]!.sides.flatMap((_, side) => (covers(keyOf(beyond(grid, cell, side))) ? [] : [side]));

/** A side of a cell in space, its corners counterclockwise from outside. */
interface Face {
  readonly cell: number; // which of the cells
  readonly normal: Vector;
  readonly corners: readonly Vector[];
}

/** The open sides of cells, which by default cover each other. Balls have none. */
export function facesOf(grid: GridData, cells: readonly Cell[], covering: ReadonlySet<Key> = keysOf(cells)): Face[] {
  if (grid.radius) return [];
  return cells.flatMap((cell, at) => {
    const { sides, corners } = grid.tiles[cell[3]]!;
    const place = placeOf(grid, cell);
    return openSides(grid, cell, (key) => covering.has(key)).map((side) => {
      const { normal, ring } = sides[side]!;
      return { cell: at, normal, corners: ring.map((corner) => plus(place, corners[corner]!)) };
    });
  });
}
