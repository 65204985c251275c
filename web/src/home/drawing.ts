// A few cells of a grid as a small drawing: seen from the front right above, without perspective.

import type { GridData } from "../messages";
import { centreOf, type Cell, type Vector } from "../cells";
import { facesOf } from "../stage/faces";

/** A polygon or a disc of the drawing, and how light it is, from 0 to 1. */
export interface Patch {
  readonly points: readonly (readonly [number, number])[]; // one for the middle of a disc
  readonly radius: number;
  readonly light: number;
}

export interface Drawing {
  readonly patches: readonly Patch[]; // those behind first
  readonly box: string; // x, y, width, height
}

const unit = ([x, y, z]: Vector): Vector => {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
};
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const EYE = unit([0.62, -1, 0.72]); // towards the viewer
const ACROSS = unit([-EYE[1], EYE[0], 0]);
const UP: Vector = [-EYE[2] * ACROSS[1], EYE[2] * ACROSS[0], EYE[0] * ACROSS[1] - EYE[1] * ACROSS[0]];
const LAMP = unit([0.15, -0.55, 1]);

/** The cells at one lattice point, or for balls four that lie in a heap: what a grid is made of. */
export function sampleOf(grid: GridData): Cell[] {
  if (!grid.radius) return grid.tiles.map((_, tile) => [0, 0, 0, tile]);
  const first = grid.tiles[0]!.sides.map((side) => side.beyond);
  const all: Cell[] = [[0, 0, 0, 0], ...first];
  const touch = (a: Cell, b: Cell) => {
    const [p, q] = [centreOf(grid, a), centreOf(grid, b)];
    return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < 2.01 * grid.radius;
  };
  return all.reduce<Cell[]>((heap, ball) => (heap.length < 4 && heap.every((other) => touch(ball, other)) ? [...heap, ball] : heap), []);
}

export function drawn(grid: GridData, cells: readonly Cell[]): Drawing {
  const onPage = (point: Vector): [number, number] => [dot(point, ACROSS), -dot(point, UP)];
  const patches = grid.radius
    ? cells
        .map((cell) => centreOf(grid, cell))
        .sort((a, b) => dot(a, EYE) - dot(b, EYE))
        .map((centre) => ({ points: [onPage(centre)], radius: grid.radius, light: 0.8 }))
    : facesOf(grid, cells)
        .filter((face) => dot(face.normal, EYE) > 1e-6)
        .map(({ corners, normal }) => ({
          depth: corners.reduce((sum, corner) => sum + dot(corner, EYE), 0) / corners.length,
          points: corners.map(onPage), radius: 0, light: 0.5 + 0.5 * dot(unit(normal), LAMP),
        }))
        .sort((a, b) => a.depth - b.depth);
  const xs = patches.flatMap((patch) => patch.points.flatMap(([x]) => [x - patch.radius, x + patch.radius]));
  const ys = patches.flatMap((patch) => patch.points.flatMap(([, y]) => [y - patch.radius, y + patch.radius]));
  const size = 1.06 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const middle = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2] as const;
  return { patches, box: `${middle[0] - size / 2} ${middle[1] - size / 2} ${size} ${size}` };
}
