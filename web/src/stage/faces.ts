// The sides of a set of cells that can be seen: those with no other cell of the set beyond.

import { keyOf, placeOf, type Cell, type Key, type Row, type Vector } from "../cells";
import type { GridData } from "../messages";

/** A side of a cell in space, its corners counterclockwise from outside. */
export interface Face {
  readonly cell: number; // which of the cells
  readonly normal: Vector;
  readonly corners: readonly Vector[];
}

/** The sides of cells with nothing of `hiding` beyond, by default no other of the cells. Balls have none. */
export function facesOf(
  grid: GridData,
  cells: readonly (Cell | Row)[],
  hiding: ReadonlySet<Key> = new Set(cells.map(keyOf)),
): Face[] {
  return cells.flatMap((cell, at) => {
    const tile = grid.tiles[cell[3]]!;
    const [x, y, z] = placeOf(grid, cell);
    return tile.sides.flatMap(({ normal, ring, beyond: [dx, dy, dz, other] }) => {
      if (!ring.length || hiding.has(keyOf([cell[0] + dx, cell[1] + dy, cell[2] + dz, other]))) return [];
      const corners = ring.map((corner): Vector => {
        const [a, b, c] = tile.corners[corner]!;
        return [x + a, y + b, z + c];
      });
      return [{ cell: at, normal, corners }];
    });
  });
}
