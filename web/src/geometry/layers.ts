// Cells layer by layer, from the bottom up, and how a layer looks from above.

import type { GridData } from "../messages";
import { centreOf, heightOf, placeOf, spotOf, type Cell } from "./grid";
import { cellsIn, type Room } from "./room";
import { EPSILON, type Box } from "../vector";

/** The cells of one height; in most grids a layer of the text, too. */
export interface Layer<C extends Cell = Cell> {
  readonly height: number;
  readonly cells: readonly C[];
}

/** Cells by layers, the lowest first. */
export function byHeight<C extends Cell>(grid: GridData, cells: Iterable<C>): Layer<C>[] {
  const found = new Map<number, C[]>();
  for (const cell of cells) {
    const at = Math.round(heightOf(grid, cell) / EPSILON);
    const layer = found.get(at);
    if (layer) layer.push(cell);
    else found.set(at, [cell]);
  }
  return [...found].sort(([a], [b]) => a - b).map(([at, cells]) => ({ height: at * EPSILON, cells }));
}

export const layersOf = (grid: GridData, room: Room): Layer[] => byHeight(grid, cellsIn(grid, room));

/** Where the plane of its layer cuts a cell, as x, y in space; of a ball, nothing. */
export function sectionOf(grid: GridData, cell: Cell): [number, number][] {
  const [x, y] = placeOf(grid, cell);
  return grid.tiles[cell[3]]!.section.map(([dx, dy]) => [x + dx, y + dy]);
}

/** Where a cell stands on the floor: its lowest face, or else its section; of a ball, a small circle. */
export function footprintOf(grid: GridData, cell: Cell): [number, number][] {
  const [x, y] = placeOf(grid, cell);
  const { sides, corners, centre } = grid.tiles[cell[3]]!;
  if (grid.radius) {
    return Array.from({ length: 24 }, (_, i) => {
      const turn = (i * Math.PI) / 12;
      return [x + centre[0] + 0.6 * grid.radius * Math.cos(turn), y + centre[1] + 0.6 * grid.radius * Math.sin(turn)];
    });
  }
  const foot = sides.find(({ normal }) => normal[2] < -1 + EPSILON);
  return foot ? foot.ring.map((i) => [x + corners[i]![0], y + corners[i]![1]]) : sectionOf(grid, cell);
}

/** The cell of a layer that stands on a point of the floor. */
export function standingAt(grid: GridData, { cells }: Layer, [x, y]: readonly [number, number]): Cell | null {
  const within = (cell: Cell) => {
    if (grid.radius) {
      const [cx, cy] = centreOf(grid, cell);
      return Math.hypot(x - cx, y - cy) <= grid.radius;
    }
    const ring = footprintOf(grid, cell);
    const sides = ring.map(([x1, y1], i) => {
      const [x2, y2] = ring[(i + 1) % ring.length]!;
      return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
    });
    return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
  };
  return cells.find(within) ?? null;
}
/** Of some cells of a layer, the one an arrow key leads to: along the row, or to the nearest of the next row. */
export function nextIn(
  grid: GridData,
  cells: readonly Cell[],
  from: Cell,
  [dx, dy]: readonly [number, number],
): Cell | null {
  const [x0, y0] = centreOf(grid, from);
  let best: Cell | null = null;
  let least: readonly [number, number] = [Infinity, Infinity];
  for (const cell of cells) {
    const [x, y] = centreOf(grid, cell);
    const ahead = Math.round(((x - x0) * dx + (y - y0) * dy) / EPSILON);
    const aside = Math.round(Math.abs((x - x0) * dy - (y - y0) * dx) / EPSILON);
    if (ahead <= 0 || (dx && aside) || ahead > least[0] || (ahead === least[0] && aside >= least[1])) continue;
    [best, least] = [cell, [ahead, aside]];
  }
  return best;
}

/** Of the cells of a layer, one that is nearest to a cell of another, seen from above. */
export function nearestIn(grid: GridData, cells: readonly Cell[], from: Cell): Cell | null {
  const [x, y] = spotOf(grid, from);
  const far = (cell: Cell) => {
    const [u, v] = spotOf(grid, cell);
    return Math.abs(u - x) + Math.abs(v - y);
  };
  return cells.reduce<Cell | null>((best, cell) => (best && far(best) <= far(cell) ? best : cell), null);
}

// ---- seen from above: y upwards in space is downwards in a picture ----

const short = (x: number) => +x.toFixed(4);

/** The outline of a cell in its layer, as an SVG path. */
export function outlineOf(grid: GridData, cell: Cell): string {
  if (grid.radius) {
    const [x, y] = centreOf(grid, cell);
    const r = short(grid.radius * 0.94);
    return `M${short(x - r)} ${short(-y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
  return `M${sectionOf(grid, cell)
    .map(([x, y]) => `${short(x)} ${short(-y)}`)
    .join("L")}Z`;
}

/** The SVG view box of a picture of a box in space. */
export function viewBoxOf({ low, high }: Box, margin: number): string {
  const [x, y, right, top] = [low[0], low[1], high[0], high[1]];
  return [x - margin, -top - margin, right - x + 2 * margin, top - y + 2 * margin].map(short).join(" ");
}
