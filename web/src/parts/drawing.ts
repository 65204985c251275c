// A few cells of a grid as a small drawing: seen from the front right above, without perspective, and turned
// about the upright axis by any angle.

import type { GridData } from "../messages";
import { centreOf, type Cell, type Row, type Vector } from "../cells";
import { facesOf } from "../stage/faces";

/** A polygon or a disc of the drawing, which of the cells it is of, and how light it is, from 0 to 1. */
export interface Patch {
  readonly cell: number;
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
  return all.reduce<Cell[]>(
    (heap, ball) => (heap.length < 4 && heap.every((other) => touch(ball, other)) ? [...heap, ball] : heap),
    [],
  );
}

/** The cells turned by an angle in radians. A box that fits the one view, or if it `turns` all of them. */
export function drawn(grid: GridData, cells: readonly (Cell | Row)[], angle = 0, turns = false): Drawing {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turned = ([x, y, z]: Vector): Vector => [cos * x - sin * y, sin * x + cos * y, z];
  const faces = facesOf(grid, cells).map(({ cell, normal, corners }) => ({
    cell,
    normal: turned(normal),
    corners: corners.map(turned),
  }));
  const centres = cells.map((cell) => turned(centreOf(grid, cell)));
  const patches = grid.radius
    ? centres.map((centre, cell) => ({
        cell,
        depth: dot(centre, EYE),
        points: [onPage(centre)],
        radius: grid.radius,
        light: 0.8,
      }))
    : faces
        .filter((face) => dot(face.normal, EYE) > 1e-6)
        .map(({ cell, corners, normal }) => ({
          cell,
          depth: corners.reduce((sum, corner) => sum + dot(corner, EYE), 0) / corners.length,
          points: corners.map(onPage),
          radius: 0,
          light: 0.5 + 0.5 * dot(unit(normal), LAMP),
        }));
  patches.sort((a, b) => a.depth - b.depth);
  if (turns)
    return { patches, box: boxAround(grid.radius ? centres : faces.flatMap(({ corners }) => corners), grid.radius) };
  const xs = patches.flatMap((patch) => patch.points.flatMap(([x]) => [x - patch.radius, x + patch.radius]));
  const ys = patches.flatMap((patch) => patch.points.flatMap(([, y]) => [y - patch.radius, y + patch.radius]));
  const size = 1.06 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const middle = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2] as const;
  return { patches, box: squareAt(middle, size) };
}

const onPage = (point: Vector): [number, number] => [dot(point, ACROSS), -dot(point, UP)];
const squareAt = ([x, y]: readonly [number, number], size: number) => `${x - size / 2} ${y - size / 2} ${size} ${size}`;

/** The same at every angle but for where it lies: about the middle of the points, as wide as they are far from it. */
function boxAround(points: readonly Vector[], radius: number): string {
  const middle = [0, 1, 2].map(
    (axis) => points.reduce((sum, point) => sum + point[axis]!, 0) / points.length,
  ) as unknown as Vector;
  const far = Math.max(...points.map(([x, y, z]) => Math.hypot(x - middle[0], y - middle[1], z - middle[2])));
  return squareAt(onPage(middle), 2.06 * (far + radius));
}
