// Shapes as wholes: blocks and balls of any size, what is inside, and what is missing within.

import type { GridData } from "../messages";
import { apply, AXES, length, middleOf, minus, modulo, vector, type Vector } from "../vector";
import { centreOf, frameOf, keysOf, keyOf, neighbours, spotOf, type Cell, type Row } from "./grid";
import { boundsOf, cellsIn, inRoom, spaceOf, type Room } from "./room";
import { flood } from "./strokes";

/** The room of a block so many units long, wide and high. */
const roomOf = (grid: GridData, size: Vector): Room => ({
  low: [0, 0, 0],
  high: vector((axis) => size[axis] * frameOf(grid).unit[axis] - 1),
});

/** A block so many units long, wide and high. */
export const block = (grid: GridData, size: Vector): Cell[] => [...cellsIn(grid, roomOf(grid, size))];

/** The cells of a block so many units wide whose centres lie in the ball that it holds. */
export function ball(grid: GridData, width: number): Cell[] {
  const cells = block(grid, [width, width, width]);
  if (!cells.length) return cells;
  const space = spaceOf(grid, cells);
  const middle = middleOf(space);
  const radius = Math.min(...AXES.map((axis) => space.high[axis] - space.low[axis])) / 2;
  return cells.filter((cell) => length(minus(centreOf(grid, cell), middle)) <= radius);
}

/** The sides of the block of so many cubes that is most like a cube, the longest first. */
export function sidesOf(volume: number): Vector {
  let best: Vector = [volume, 1, 1];
  for (let c = 1; c * c * c <= volume; c++) {
    if (volume % c) continue;
    for (let b = c; b * b * c <= volume; b++) {
      const a = volume / c / b;
      if (Number.isInteger(a) && a - c < best[0] - best[2]) best = [a, b, c];
    }
  }
  return best;
}

/** All cells that lie at the lattice point of one: on the rhombic grid, a cube. */
export const point = (grid: GridData, [x, y, z]: Cell): Cell[] => grid.tiles.map((_, tile) => [x, y, z, tile]);

/** All cells of a room above and below a cell. */
export function column(grid: GridData, room: Room, cell: Cell): Cell[] {
  const [x, y] = spotOf(grid, cell);
  return [...cellsIn(grid, { low: [x, y, room.low[2]], high: [x, y, room.high[2]] })];
}

/** The empty cells that nothing outside can reach through sides. */
export function holes(grid: GridData, rows: readonly Row[]): Cell[] {
  const bounds = boundsOf(grid, rows);
  if (!bounds) return [];
  const { unit } = frameOf(grid);
  const room = { low: minus(bounds.low, unit), high: vector((axis) => bounds.high[axis] + unit[axis]) };
  const full = keysOf(rows);
  const empty = [...cellsIn(grid, room)].filter((cell) => !full.has(keyOf(cell)));
  const free = (cell: Cell) => !full.has(keyOf(cell)) && inRoom(room, spotOf(grid, cell));
  const reached = keysOf(empty.length ? flood(grid, empty[0]!, free, Infinity) : []);
  return empty.filter((cell) => !reached.has(keyOf(cell)) && inRoom(bounds, spotOf(grid, cell)));
}

/** The cells with others on all sides. */
export function inner(grid: GridData, rows: readonly Row[]): Row[] {
  const full = keysOf(rows);
  return rows.filter((row) => neighbours(grid, row).every((cell) => full.has(keyOf(cell))));
}

/** The lattice shift that brings rows as near to the middle of a room as the grid allows. */
export function centring(grid: GridData, room: Room, rows: readonly Row[]): Vector {
  const bounds = boundsOf(grid, rows);
  if (!bounds) return [0, 0, 0];
  const { unpage, scale } = frameOf(grid);
  const far = vector((axis) =>
    Math.floor((room.low[axis] + room.high[axis] - bounds.low[axis] - bounds.high[axis]) / 2),
  );
  const n = Math.abs(scale);
  for (let less = 0; less < n * n * n; less++) {
    const spots = vector((axis) => far[axis] - (Math.floor(less / n ** axis) % n));
    const shift = apply(unpage, spots);
    if (shift.every((part) => modulo(part, n) === 0)) return vector((axis) => shift[axis] / scale + 0);
  }
  return [0, 0, 0];
}
