// The cells that a stroke of a tool touches: a box, a line, a connected area, and their mirror images.

import type { GridData } from "../messages";
import {
  beyond,
  cellAt,
  centreOf,
  frameOf,
  keyOf,
  neighbours,
  placeOf,
  same,
  spotOf,
  type Cell,
  type Key,
  type Plane,
} from "./grid";
import { cellsIn, type Room } from "./room";
import { around, AXES, cross, dot, EPSILON, length, minus, plus, type Axis, type Vector } from "../vector";

/** All cells whose spots lie between those of two cells, and up to so many layers deep along an axis. */
export function box(grid: GridData, from: Cell, to: Cell, deep: Vector = [0, 0, 0]): Cell[] {
  const [a, b] = [spotOf(grid, from), spotOf(grid, to)];
  return [...cellsIn(grid, around([a, b, plus(a, deep), plus(b, deep)]))];
}

/** The cells on the straight way from one to another, each beside the next. */
export function line(grid: GridData, from: Cell, to: Cell): Cell[] {
  const { planes } = frameOf(grid);
  const aim = minus(centreOf(grid, to), centreOf(grid, from));
  const way: Cell[] = [from];
  // A little beside the centres, so that the way leaves every cell through a side, never an edge.
  const start = plus(centreOf(grid, from), [3.1e-4, 1.7e-4, 0.7e-4]);
  for (let cell = from; !same(cell, to) && way.length < 10_000; way.push(cell)) {
    const side = grid.radius
      ? nearestSide(grid, cell, to, start, aim)
      : leavingSide(planes[cell[3]]!, minus(start, placeOf(grid, cell)), aim);
    if (side < 0) break;
    cell = beyond(grid, cell, side);
  }
  return way;
}

function leavingSide(planes: readonly Plane[], from: Vector, aim: Vector): number {
  let first = -1,
    leave = Infinity;
  planes.forEach(({ normal, offset }, side) => {
    const speed = dot(normal, aim);
    if (speed < 1e-9) return;
    const when = (offset - dot(normal, from)) / speed;
    if (when < leave) [first, leave] = [side, when];
  });
  return first;
}

/** Of the balls that touch one and are nearer to the end, that which is nearest to the line. */
function nearestSide(grid: GridData, cell: Cell, to: Cell, start: Vector, aim: Vector): number {
  const end = centreOf(grid, to);
  const left = length(minus(centreOf(grid, cell), end));
  let best = -1,
    least = Infinity;
  neighbours(grid, cell).forEach((next, side) => {
    const centre = centreOf(grid, next);
    const far = length(minus(centre, end));
    const aside = length(cross(minus(centre, start), aim)) / length(aim);
    if (far < left - EPSILON && aside + far / 100 < least) [best, least] = [side, aside + far / 100];
  });
  return best;
}

/** All cells that can be reached from one through sides while staying inside. */
export function flood(grid: GridData, from: Cell, inside: (cell: Cell) => boolean, limit = 100_000): Cell[] {
  if (!inside(from)) return [];
  const reached = [from];
  const seen = new Set([keyOf(from)]);
  for (const cell of reached) {
    for (const next of neighbours(grid, cell)) {
      const key = keyOf(next);
      if (seen.has(key) || !inside(next)) continue;
      seen.add(key);
      reached.push(next);
      if (reached.length >= limit) return reached;
    }
  }
  return reached;
}

// ---- mirror drawing ----

/** A mirror across an axis: spots go to `sum` minus themselves, and the plane stands at `at` in space. */
export interface Mirror {
  readonly axis: Axis;
  readonly sum: number;
  readonly at: number;
}

/** The mirror nearest to the middle of a room that maps cells to cells, if the grid has one. */
export function mirrorIn(grid: GridData, room: Room, axis: Axis): Mirror | null {
  const middle = room.low[axis] + room.high[axis];
  const samples = grid.tiles.flatMap((_, tile): Cell[] => [
    [0, 0, 0, tile],
    [1, 0, 0, tile],
    [0, 1, 0, tile],
    [0, 0, 1, tile],
  ]);
  for (let n = 0; n <= 2 * Math.abs(frameOf(grid).scale) && n < 60; n++) {
    const sum = middle + (n % 2 ? (n + 1) / 2 : -n / 2);
    let at: number | null = null;
    const fits = samples.every((cell) => {
      const image = imageOf(grid, { axis, sum, at: 0 }, cell);
      if (!image) return false;
      const [a, b] = [centreOf(grid, cell), centreOf(grid, image)];
      at ??= (a[axis] + b[axis]) / 2;
      return AXES.every((each) => Math.abs(each === axis ? a[each] + b[each] - 2 * at! : a[each] - b[each]) < EPSILON);
    });
    if (fits && at !== null) return { axis, sum, at };
  }
  return null;
}

function imageOf(grid: GridData, { axis, sum }: Mirror, cell: Cell): Cell | null {
  const spot = [...spotOf(grid, cell)] as [number, number, number];
  spot[axis] = sum - spot[axis];
  return cellAt(grid, spot);
}

/** Some cells and all their mirror images, each once. */
export function mirrored(grid: GridData, mirrors: readonly Mirror[], cells: Iterable<Cell>): Cell[] {
  const all = new Map<Key, Cell>();
  for (const cell of cells) all.set(keyOf(cell), cell);
  for (const mirror of mirrors) {
    for (const cell of [...all.values()]) {
      const image = imageOf(grid, mirror, cell);
      if (image) all.set(keyOf(image), image);
    }
  }
  return [...all.values()];
}
