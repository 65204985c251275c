// Drawn apart: every body moves outwards from the middle of those that are there.

import { placesOf, type Pose } from "./motion";
import { put } from "./turning";
import { minus, plus, times, ZERO, type Vector } from "../vector";

/** The poses with each body moved outwards by a part of its way from the middle. */
export function exploded<P extends Pose>(poses: readonly P[], middles: readonly Vector[], by: number): readonly P[] {
  if (by === 0) return poses;
  return poses.map((pose) => {
    const places = placesOf(pose).map((place, n) => put(place, middles[n]!));
    const there = places.filter((_, n) => pose.shown[n]);
    const middle = times(1 / (there.length || 1), there.reduce(plus, ZERO));
    return { ...pose, shifts: places.map((place, n) => plus(pose.shifts[n]!, times(by, minus(place, middle)))) };
  });
}
