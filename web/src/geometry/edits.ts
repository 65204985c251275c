// Changes of a shape's rows. Rows are never changed in place: an edit gives new ones, and how many cells it touched.

import type { GridData, WayData } from "../messages";
import { keyOf, placeOf, type Cell, type Key, type Row } from "./grid";
import { dot, EPSILON, length, type Vector } from "../vector";

/** New rows, and how many cells are other than before; none: the rows themselves. */
interface Edit {
  readonly rows: Row[];
  readonly count: number;
}

export type Paint =
  | { readonly kind: "add" | "remove" }
  | { readonly kind: "optional"; readonly optional: boolean }
  | { readonly kind: "colour"; readonly colour: number };

const indexes = new WeakMap<Row[], ReadonlyMap<Key, Row>>();

/** The rows by their cells' keys. */
export function indexOf(rows: Row[]): ReadonlyMap<Key, Row> {
  let index = indexes.get(rows);
  if (!index) indexes.set(rows, (index = new Map(rows.map((row) => [keyOf(row), row]))));
  return index;
}

function rowsOf(index: ReadonlyMap<Key, Row>): Row[] {
  const rows = [...index.values()];
  indexes.set(rows, index);
  return rows;
}

/** Some cells made fixed, optional, coloured or empty. Only adding and optional make cells where none is. */
export function painted(rows: Row[], cells: Iterable<Cell>, paint: Paint): Edit {
  const index = indexOf(rows);
  let fresh: Map<Key, Row> | null = null;
  let count = 0;
  for (const cell of cells) {
    const key = keyOf(cell);
    const before = (fresh ?? index).get(key);
    const after = paintedCell(before, cell, paint);
    if (after === before) continue;
    fresh ??= new Map(index);
    count++;
    if (after) fresh.set(key, after);
    else fresh.delete(key);
  }
  return fresh ? { rows: rowsOf(fresh), count } : { rows, count: 0 };
}

function paintedCell(row: Row | undefined, [x, y, z, tile]: Cell, paint: Paint): Row | undefined {
  switch (paint.kind) {
    case "remove":
      return undefined;
    case "colour":
      return row && row[5] !== paint.colour ? [x, y, z, tile, row[4], paint.colour] : row;
    case "add":
      return row?.[4] === 0 ? row : [x, y, z, tile, 0, row?.[5] ?? 0];
    case "optional": {
      const optional = paint.optional ? 1 : 0;
      return row?.[4] === optional ? row : [x, y, z, tile, optional, row?.[5] ?? 0];
    }
  }
}

const shiftedRow = ([x, y, z, tile, optional, colour]: Row, by: Vector): Row => [
  x + by[0],
  y + by[1],
  z + by[2],
  tile,
  optional,
  colour,
];

export const shifted = (rows: Row[], by: Vector): Row[] => rows.map((row) => shiftedRow(row, by));

/** Those of the rows whose cells are chosen. */
export const taken = (rows: Row[], chosen: ReadonlySet<Key>): Row[] => rows.filter((row) => chosen.has(keyOf(row)));

/** Other rows in place of the chosen cells, and on top of whatever lies where they go. */
export function replaced(rows: Row[], chosen: ReadonlySet<Key>, by: Row[]): Edit {
  const fresh = new Map(indexOf(rows));
  for (const key of chosen) fresh.delete(key);
  for (const row of by) fresh.set(keyOf(row), row);
  return { rows: rowsOf(fresh), count: Math.max(by.length, chosen.size) };
}

/** The shift of the grid that goes most nearly in a direction of space. */
export function shiftAlong(grid: GridData, direction: Vector): WayData | null {
  let best: WayData | null = null;
  let most = 0.5;
  for (const way of grid.shifts) {
    const place = placeOf(grid, [...way.shift, 0]);
    const along = dot(place, direction) / (length(place) * length(direction));
    if (along > most + EPSILON) [best, most] = [way, along];
  }
  return best;
}
