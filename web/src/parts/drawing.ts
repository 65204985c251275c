// A few cells of a grid as a small drawing: seen from the front right above, without perspective, and turned
// about the upright axis by any angle.

import type { GridData } from "../messages";
import { type Cell, centreOf, facesOf } from "../geometry";
import { cross, dot, length, minus, unit, vector, type Vector, around, middleOf } from "../vector";

/** A polygon or a disc of the drawing, which of the cells it is of, and how light it is, from 0 to 1. */
interface Patch {
  readonly cell: number;
  readonly points: readonly (readonly [number, number])[]; // one for the middle of a disc
  readonly radius: number;
  readonly light: number;
}

export interface Drawing {
  readonly patches: readonly Patch[]; // those behind first
  readonly box: string; // x, y, width, height
}

const EYE = unit([0.62, -1, 0.72]); // towards the viewer
const ACROSS = unit([-EYE[1], EYE[0], 0]);
const UP = cross(EYE, ACROSS);
const LAMP = unit([0.15, -0.55, 1]);

/** The cells at one lattice point, or for balls four that lie in a heap: what a grid is made of. */
export function sampleOf(grid: GridData): Cell[] {
  if (!grid.radius) return grid.tiles.map((_, tile) => [0, 0, 0, tile]);
  const first = grid.tiles[0]!.sides.map((side) => side.beyond);
  const all: Cell[] = [[0, 0, 0, 0], ...first];
  const touch = (a: Cell, b: Cell) => length(minus(centreOf(grid, a), centreOf(grid, b))) < 2.01 * grid.radius;
  return all.reduce<Cell[]>(
    (heap, ball) => (heap.length < 4 && heap.every((other) => touch(ball, other)) ? [...heap, ball] : heap),
    [],
  );
}

/** The cells turned by an angle in radians. A box that fits the one view, or if it `turns` all of them. */
export function drawn(grid: GridData, cells: readonly Cell[], angle = 0, turns = false): Drawing {
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
  const box = around(
    patches.flatMap(({ points, radius }) =>
      points.flatMap(([x, y]): Vector[] => [
        [x - radius, y - radius, 0],
        [x + radius, y + radius, 0],
      ]),
    ),
  );
  const [width, height] = minus(box.high, box.low);
  return { patches, box: squareAt(middleOf(box), 1.06 * Math.max(width, height)) };
}

const onPage = (point: Vector): [number, number] => [dot(point, ACROSS), -dot(point, UP)];
const squareAt = ([x, y]: Vector | readonly [number, number], size: number) =>
  `${x - size / 2} ${y - size / 2} ${size} ${size}`;

/** The same at every angle but for where it lies: about the middle of the points, as wide as they are far from it. */
function boxAround(points: readonly Vector[], radius: number): string {
  const middle = vector((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const far = Math.max(...points.map((point) => length(minus(point, middle))));
  return squareAt(onPage(middle), 2.06 * (far + radius));
}
