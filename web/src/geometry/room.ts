// The room around a shape: a box of spots to draw in.

import type { GridData } from "../messages";
import { cellAt, frameOf, placeOf, spotOf, type Cell, type Row } from "./grid";
import { plus, AXES, around, minus, shifted, times, union, vector, type Axis, type Box, type Vector } from "../vector";

/** A box of spots. */
export type Room = Box;

export const sizeOf = ({ low, high }: Room): Vector => plus(minus(high, low), [1, 1, 1]);
export const inRoom = ({ low, high }: Room, spot: Vector) =>
  AXES.every((axis) => low[axis] <= spot[axis] && spot[axis] <= high[axis]);

/** How many spots make about one unit of space along each axis: the step in which a room grows. */
export const unitOf = (grid: GridData): Vector => frameOf(grid).unit;

export function boundsOf(grid: GridData, rows: Iterable<Cell>): Room | null {
  const spots = Array.from(rows, (row) => spotOf(grid, row));
  return spots.length ? around(spots) : null;
}

/** A room that holds another and some cells. */
export function roomAround(grid: GridData, room: Room, rows: Iterable<Cell>): Room {
  const bounds = boundsOf(grid, rows);
  if (!bounds || (inRoom(room, bounds.low) && inRoom(room, bounds.high))) return room;
  return union([room, bounds]);
}

/** The room in which to begin: from the origin on, or from the shape's corner if that is far, and some space. */
export function firstRoom(grid: GridData, rows: Row[]): Room {
  const units = grid.tiles.length > 2 ? 3 : 5;
  const low = boundsOf(grid, rows)?.low ?? [0, 0, 0];
  const unit = unitOf(grid);
  const start = vector((axis) => {
    const corner = Math.floor(low[axis] / unit[axis]) * unit[axis];
    return corner > 0 && corner < units * unit[axis] ? 0 : corner;
  });
  return roomAround(grid, { low: start, high: plus(start, minus(times(units, unit), [1, 1, 1])) }, rows);
}

/** Larger by a unit on every side. */
export const grown = (grid: GridData, { low, high }: Room): Room => ({
  low: minus(low, unitOf(grid)),
  high: plus(high, unitOf(grid)),
});

/** With another size along an axis, but never too small for the cells. */
export function resized(grid: GridData, room: Room, rows: Row[], axis: Axis, size: number): Room {
  const high = [...room.high] as [number, number, number];
  high[axis] = room.low[axis] + Math.max(1, size) - 1;
  return roomAround(grid, { low: room.low, high }, rows);
}

export function* cellsIn(grid: GridData, { low, high }: Room): Generator<Cell> {
  for (let z = low[2]; z <= high[2]; z++) {
    for (let y = low[1]; y <= high[1]; y++) {
      for (let x = low[0]; x <= high[0]; x++) {
        const cell = cellAt(grid, [x, y, z]);
        if (cell) yield cell;
      }
    }
  }
}

/** The box in space around some cells. */
export function spaceOf(grid: GridData, cells: Iterable<Cell>): Box {
  const spans = grid.tiles.map(({ corners, centre }) => around(grid.radius ? [centre] : corners, grid.radius));
  return union(Array.from(cells, (cell) => shifted(spans[cell[3]]!, placeOf(grid, cell))));
}
