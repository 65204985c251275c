// Where a cell is, and what lies beside it.
//
// Everything follows from GridData, so nothing here asks which grid it is. A cell has a place in space (its lattice
// point in the basis) and a spot on the text page: column, row, layer.

import type { GridData, ShapeData } from "../messages";
import {
  around,
  plus,
  adjugate,
  apply,
  cross,
  dot,
  EPSILON,
  length,
  minus,
  modulo,
  times,
  transpose,
  vector,
  type Matrix,
  type Vector,
} from "../vector";

/** x, y, z, tile, and whatever else is known of it. */
export type Cell = readonly [number, number, number, number, ...number[]];
/** A cell of a shape: x, y, z, tile, optional, colour. */
export type Row = ShapeData["cells"][number];
export type Key = string;

export const keyOf = ([x, y, z, tile]: Cell): Key => `${x},${y},${z},${tile}`;
export const bare = ([x, y, z, tile]: Cell): [number, number, number, number] => [x, y, z, tile];
export const same = (a: Cell, b: Cell) => a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];
export const keysOf = (rows: Iterable<Cell>): Set<Key> => new Set([...rows].map(keyOf));

// ---- what a grid's numbers say, worked out once ----

export interface Plane {
  readonly normal: Vector;
  readonly offset: number;
}

type Frame = ReturnType<typeof makeFrame>;

const frames = new WeakMap<GridData, Frame>();

export function frameOf(grid: GridData): Frame {
  let frame = frames.get(grid);
  if (!frame) frames.set(grid, (frame = makeFrame(grid)));
  return frame;
}

function makeFrame(grid: GridData) {
  const basis = transpose(grid.basis);
  const volume = dot(basis[0], cross(basis[1], basis[2]));
  const undo = adjugate(basis);
  const inverse: Matrix = [times(1 / volume, undo[0]), times(1 / volume, undo[1]), times(1 / volume, undo[2])];
  const unpage = adjugate(grid.page);
  const scale = dot(grid.page[0], cross(grid.page[1], grid.page[2]));

  const seats = new Map<number, { tile: number; at: Vector }>();
  grid.tiles.forEach(({ spot }, tile) => {
    const at = apply(unpage, spot);
    const seat = seatOf(at, scale);
    if (!seats.has(seat)) seats.set(seat, { tile, at });
  });

  return {
    inverse, // from space to lattice coordinates
    unpage, // from spots to lattice coordinates, times `scale`
    scale,
    seats,
    /** Of each tile, seen from its lattice point. */
    planes: grid.tiles.map(({ corners, sides }) =>
      sides.flatMap(({ normal, ring }) => {
        const corner = corners[ring[0] ?? -1];
        return corner ? [{ normal, offset: dot(normal, corner) }] : [];
      }),
    ),
    /** Of each tile, in lattice coordinates. */
    spans: grid.tiles.map(({ corners, centre }) =>
      grid.radius ? around([apply(inverse, centre)], 1) : around(corners.map((corner) => apply(inverse, corner))),
    ),
    /** No point of a tile is farther from its centre. */
    size:
      grid.radius ||
      Math.max(...grid.tiles.flatMap(({ corners, centre }) => corners.map((c) => length(minus(c, centre))))),
    /** Spots along a unit of space. */
    unit: vector((axis) => {
      const along = apply(transpose(inverse), grid.page[axis]); // spots gained by a unit of space in each direction
      return Math.max(1, Math.round(length(along)));
    }),
  };
}

const seatOf = (at: Vector, scale: number) => {
  const n = Math.abs(scale);
  return (modulo(at[0], n) * n + modulo(at[1], n)) * n + modulo(at[2], n);
};

// ---- where a cell is ----

/** The place of a cell's lattice point in space. */
export function placeOf(grid: GridData, [x, y, z]: Cell): Vector {
  const [a, b, c] = grid.basis;
  return [x * a[0] + y * b[0] + z * c[0], x * a[1] + y * b[1] + z * c[1], x * a[2] + y * b[2] + z * c[2]];
}

export const centreOf = (grid: GridData, cell: Cell): Vector => plus(placeOf(grid, cell), grid.tiles[cell[3]]!.centre);

/** How high the plane is at which a cell is drawn in the layer view. */
export const heightOf = (grid: GridData, cell: Cell): number => placeOf(grid, cell)[2] + grid.tiles[cell[3]]!.height;

/** Where a cell stands in text: column, row, layer. */
export const spotOf = (grid: GridData, cell: Cell): Vector =>
  plus(apply(grid.page, [cell[0], cell[1], cell[2]]), grid.tiles[cell[3]]!.spot);

/** The cell that stands at a spot, or null where no cell does. */
export function cellAt(grid: GridData, spot: Vector): Cell | null {
  const { unpage, scale, seats } = frameOf(grid);
  const [x, y, z] = apply(unpage, spot);
  const seat = seats.get(seatOf([x, y, z], scale));
  if (!seat) return null;
  const { tile, at } = seat;
  return [(x - at[0]) / scale + 0, (y - at[1]) / scale + 0, (z - at[2]) / scale + 0, tile]; // never -0
}

/** The cell that shares a side, by the number of the side. */
export function beyond(grid: GridData, [x, y, z, tile]: Cell, side: number): Cell {
  const [dx, dy, dz, next] = grid.tiles[tile]!.sides[side]!.beyond;
  return [x + dx, y + dy, z + dz, next];
}

export const neighbours = (grid: GridData, cell: Cell): Cell[] =>
  grid.tiles[cell[3]]!.sides.map((_, side) => beyond(grid, cell, side));

/** The cell in which a point of space lies; of balls, the nearest. */
export function cellNear(grid: GridData, point: Vector): Cell {
  const { inverse, planes, spans } = frameOf(grid);
  const at = apply(inverse, point);
  let best: Cell = [0, 0, 0, 0];
  let least = Infinity;
  spans.forEach(({ low, high }, tile) => {
    for (let x = Math.ceil(at[0] - high[0] - EPSILON) + 0; x <= at[0] - low[0] + EPSILON; x++) {
      for (let y = Math.ceil(at[1] - high[1] - EPSILON) + 0; y <= at[1] - low[1] + EPSILON; y++) {
        for (let z = Math.ceil(at[2] - high[2] - EPSILON) + 0; z <= at[2] - low[2] + EPSILON; z++) {
          const cell: Cell = [x, y, z, tile];
          const from = minus(point, placeOf(grid, cell));
          const outside = grid.radius
            ? length(minus(from, grid.tiles[tile]!.centre))
            : Math.max(...planes[tile]!.map(({ normal, offset }) => dot(normal, from) - offset));
          if (outside < least - EPSILON) [best, least] = [cell, outside];
        }
      }
    }
  });
  return best;
}
