// What a ray from the eye means for a tool: which cell it would touch, and which way is out.

import {
  beyond,
  type Cell,
  cellNear,
  centreOf,
  hit,
  inRoom,
  type Key,
  keyOf,
  type Ray,
  type Row,
  spotOf,
  standingAt,
} from "../geometry";
import { plus, AXES, EPSILON, times, vector, type Vector } from "../vector";
import type { Brush, editor } from "./editor.svelte";

export type Cells = ReadonlyMap<Key, Row>;

/** What can be aimed at. */
export type Scene = Pick<typeof editor, "grid" | "index" | "visible" | "layers" | "room" | "space">;

export interface Aim {
  readonly cell: Cell;
  readonly out: Vector; // where a deep box grows, in spots
}

/** The axis of the page along which a side looks. */
function axisOf(normal: Vector): Vector {
  const steep = AXES.reduce((best, axis) => (Math.abs(normal[axis]) > Math.abs(normal[best]) + EPSILON ? axis : best));
  return vector((axis) => (axis === steep ? Math.sign(normal[axis]) : 0));
}

/**
 * The cell that a brush would touch: beyond a face, or the one with the face; or on the floor.
 * A stroke aims at the cells as they were when it began, not at those it has added.
 */
export function aim(scene: Scene, ray: Ray, brush: Brush, cells: Cells = scene.visible): Aim | null {
  const { grid, index, layers, space } = scene;
  const met = hit(grid, cells.values(), ray);
  if (met) {
    const out = axisOf(grid.tiles[met.cell[3]]!.sides[met.side]!.normal);
    if (brush !== "add") return { cell: met.cell, out: times(-1, out) };
    const cell = beyond(grid, met.cell, met.side);
    return cells === scene.visible && index.has(keyOf(cell)) ? null : { cell, out };
  }
  const [floor] = layers;
  if ((brush !== "add" && brush !== "optional") || !floor || ray.direction[2] >= 0) return null;
  const [x, y] = reached(ray, 2, space.low[2]);
  const cell = standingAt(grid, floor, [x, y]);
  return cell && !index.has(keyOf(cell)) ? { cell, out: [0, 0, 1] } : null;
}

/** Where the ray is on the level of the cell where a box or line began. */
export function along({ grid, room }: Scene, ray: Ray, { cell, out }: Aim): Cell | null {
  const axis = AXES.find((each) => out[each] !== 0)!;
  const level = centreOf(grid, cell)[axis];
  const far = (level - ray.origin[axis]) / ray.direction[axis];
  if (!Number.isFinite(far) || far < 0) return null;
  const there = cellNear(grid, reached(ray, axis, level));
  return inRoom(room, spotOf(grid, there)) ? there : null;
}

/** The point where a ray reaches a value along an axis. */
const reached = ({ origin, direction }: Ray, axis: 0 | 1 | 2, value: number) =>
  plus(origin, times((value - origin[axis]) / direction[axis], direction));
