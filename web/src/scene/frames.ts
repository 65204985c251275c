// What to look at, and what everything stands on, as time passes.

import { boxOf, type Form } from "./form";
import { between, cuts, momentAt, passageAt, placesOf, type Pose } from "./motion";
import type { Place } from "./turning";
import { mixed, apply, product, shifted, union, WORLD, type Matrix, type Box } from "../vector";

const GLANCES = 12; // at a turn, for it may reach out of the boxes where it begins and ends

/** The box around a body at a place, along the axes of the world or of the eye. */
export type Boxing = (body: number, place: Place) => Box;

export function boxingOf(forms: readonly Form[], axes: Matrix): Boxing {
  const upright = forms.map((form) => boxOf(form, axes));
  return (n, { turn, shift }) =>
    shifted(turn === WORLD ? upright[n]! : boxOf(forms[n]!, product(axes, turn)), apply(axes, shift));
}

/**
 * The box to look at in each pose, along the axes, as the boxes around the bodies are. The eye rests while
 * pieces move: it sees all that they pass through, but only at the end, before some come or go, the place
 * they went away to.
 */
export function framesOf(box: Boxing, poses: readonly Pose[]): Box[] {
  const seen = poses.map((pose, at) => {
    const turns = Array.from({ length: pose.turning ? GLANCES : 0 }, (_, n) =>
      between(poses[at - 1]!, pose, n / GLANCES),
    );
    return union(
      [placesOf(pose), ...turns].flatMap((places) =>
        places.map((place, n) => box(n, place)).filter((_, n) => pose.shown[n]),
      ),
    );
  });
  const frames: Box[] = [];
  while (frames.length < poses.length) {
    const first = frames.length;
    const rest = poses.slice(first);
    const next = rest.findIndex((pose) => cuts(rest[0]!, pose));
    const end = next < 0 ? poses.length : first + next;
    const before = union(seen.slice(first, Math.max(end - 1, first + 1)));
    frames.push(...Array<Box>(end - first - 1).fill(before), union(seen.slice(first, end)));
  }
  return frames;
}

/** The box to look at, at a time. */
export function frameAt(frames: readonly Box[], poses: readonly Pose[], time: number): Box {
  const { from, to, look } = passageAt(poses, time);
  const [a, b] = [frames[from]!, frames[to]!];
  return { low: mixed(a.low, b.low, look), high: mixed(a.high, b.high, look) };
}

/** The height of the ground in each pose: the lowest body that is there stands on it. */
export const floorsOf = (box: Boxing, poses: readonly Pose[]): number[] =>
  poses.map((pose) => lowest(box, placesOf(pose), pose.shown) ?? 0);

/** The height of the ground at a time. It moves as bodies do, so none sinks into it and all stand on it. */
export function floorAt(box: Boxing, floors: readonly number[], poses: readonly Pose[], time: number): number {
  const { from, to, slide } = passageAt(poses, time);
  if (poses[to]!.turning) return lowest(box, momentAt(poses, time).places, poses[to]!.shown) ?? 0;
  return (1 - slide) * floors[from]! + slide * floors[to]!;
}

function lowest(box: Boxing, places: readonly Place[], shown: readonly boolean[]): number | null {
  const lows = places.map((place, n) => box(n, place).low[2]).filter((_, n) => shown[n]);
  return lows.length ? Math.min(...lows) : null;
}
