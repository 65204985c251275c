// What a ray meets.

import type { GridData } from "../messages";
import { bare, frameOf, type Cell, type Plane } from "./grid";
import { dot, length, minus, times, type Vector } from "../vector";

export interface Ray {
  readonly origin: Vector;
  readonly direction: Vector;
}

interface Hit {
  readonly cell: Cell;
  readonly side: number;
  readonly distance: number;
}

/** The first of some cells that a ray meets, and through which side. */
export function hit(grid: GridData, cells: Iterable<Cell>, { origin, direction }: Ray): Hit | null {
  const { planes, size } = frameOf(grid);
  const [a, b, c] = grid.basis;
  const [dx, dy, dz] = times(1 / length(direction), direction);
  let found: Hit | null = null;
  let nearest = Infinity;
  for (const cell of cells) {
    const [x, y, z, tile] = cell;
    const { centre } = grid.tiles[tile]!;
    // From the ray's origin to the lattice point; most cells are nowhere near the ray.
    const px = x * a[0] + y * b[0] + z * c[0] - origin[0];
    const py = x * a[1] + y * b[1] + z * c[1] - origin[1];
    const pz = x * a[2] + y * b[2] + z * c[2] - origin[2];
    const cx = px + centre[0],
      cy = py + centre[1],
      cz = pz + centre[2];
    const along = cx * dx + cy * dy + cz * dz;
    const aside2 = cx * cx + cy * cy + cz * cz - along * along;
    if (aside2 > size * size || along - size > nearest || along + size < 0) continue;
    const met = grid.radius
      ? hitBall(grid, cell, along - Math.sqrt(Math.max(0, size * size - aside2)), [cx, cy, cz], [dx, dy, dz])
      : hitPlanes(planes[tile]!, [px, py, pz], [dx, dy, dz]);
    if (met && met.distance > 0 && met.distance < nearest) {
      nearest = met.distance;
      found = { cell: bare(cell), ...met };
    }
  }
  return found;
}

function hitPlanes(planes: readonly Plane[], from: Vector, way: Vector): { side: number; distance: number } | null {
  let enter = -Infinity,
    leave = Infinity,
    side = -1;
  for (let i = 0; i < planes.length; i++) {
    const { normal, offset } = planes[i]!;
    const speed = dot(normal, way);
    const gap = offset + dot(normal, from);
    if (Math.abs(speed) < 1e-12) {
      if (gap < 0) return null;
    } else if (speed < 0) {
      if (gap / speed > enter) [enter, side] = [gap / speed, i];
    } else leave = Math.min(leave, gap / speed);
  }
  return side >= 0 && enter <= leave ? { side, distance: enter } : null;
}

function hitBall(
  grid: GridData,
  cell: Cell,
  distance: number,
  centre: Vector,
  way: Vector,
): { side: number; distance: number } {
  const out = minus(times(distance, way), centre);
  const { sides } = grid.tiles[cell[3]]!;
  const facing = sides.map(({ normal }) => dot(normal, out));
  return { side: facing.indexOf(Math.max(...facing)), distance };
}
