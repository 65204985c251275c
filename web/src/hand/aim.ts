// What a drag on the screen means: a step of the grid, and how many times.

import { dot, type Matrix, type Vector } from "../vector";

type Flat = readonly [number, number];

const DEAD = 6; // pixels: a shorter drag means nothing yet
const LEAST = 0.8; // the cosine of the largest angle between a drag and what it means
const FORESHORTENED = 0.15; // steps that point so much towards the eye cannot be aimed at

/** A way in space as it looks: to the right and down, in pixels. */
export const seenWay = (way: Vector, [right, up]: Matrix, perUnit: number): Flat => [
  perUnit * dot(right, way),
  -perUnit * dot(up, way),
];

/** Steps whose pictures point where the drag does, the nearest first, and how many of each it is long. */
export function aimed([x, y]: Flat, ways: readonly Flat[], perUnit: number): { step: number; units: number }[] {
  const far = Math.hypot(x, y);
  if (far < DEAD) return [];
  const found = ways.flatMap(([a, b], step) => {
    const long = Math.hypot(a, b);
    const along = (x * a + y * b) / (long || 1);
    const aims = long > FORESHORTENED * perUnit && along > LEAST * far;
    return aims ? [{ step, units: Math.round(along / long), near: along / far }] : [];
  });
  return found.sort((a, b) => b.near - a.near);
}
