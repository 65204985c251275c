// When everything is where, as a function of time. Time runs from 0, the first pose, to the number of the
// last; between two poses bodies slide on straight lines. All of it is pure: the player asks, and draws.

import type { BodyData, PoseData } from "../messages";

export type Point = readonly [number, number, number];

/** A mark under the slider: a move, or where a part begins to come apart, with the level of that. */
export interface Tick {
  readonly pose: number;
  readonly big: boolean;
  readonly text: string;
}

/** Where each body is, and how much of it is seen: 0 is nothing, 1 all. */
export interface Moment {
  readonly shifts: readonly Point[];
  readonly alphas: readonly number[];
}

const REST = 0.85; // of a motion; the remainder is a short rest

export const clamp = (x: number, low: number, high: number) => Math.max(low, Math.min(high, x));
const smooth = (x: number) => ((t) => t * t * (3 - 2 * t))(clamp(x, 0, 1));
const plus = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const mixed = (a: Point, b: Point, t: number): Point => [
  a[0] + t * (b[0] - a[0]),
  a[1] + t * (b[1] - a[1]),
  a[2] + t * (b[2] - a[2]),
];

/** Whether bodies come or go between two poses. */
const cuts = (a: PoseData, b: PoseData) => a.shown.some((shown, n) => shown !== b.shown[n]);

export const ticksOf = (poses: readonly PoseData[]): Tick[] =>
  poses.map(({ kind, level }, pose) => ({ pose, big: kind === "part", text: kind === "part" ? level : "" }));

/** The ticks whose text can be read: none runs into the one before it. */
export function labelled(ticks: readonly Tick[], width: number, letter = 7): Tick[] {
  const last = Math.max(1, ticks.length - 1);
  let free = -Infinity;
  return ticks.filter(({ pose, text }) => {
    const at = (width * pose) / last;
    if (!text || at < free) return false;
    free = at + letter * (text.length + 1);
    return true;
  });
}

/** Seconds from a pose to the next: a longer way takes longer, within reason. */
export function secondsAfter(poses: readonly PoseData[], from: number): number {
  const [a, b] = [poses[from], poses[from + 1]];
  if (!a || !b) return 0;
  const ways = a.shifts.map((shift, n) => (a.shown[n] && b.shown[n] ? Math.hypot(...minus(shift, b.shifts[n]!)) : 0));
  const far = Math.max(0, ...ways);
  if (cuts(a, b)) return 1.2;
  return far < 1e-9 ? 0.35 : clamp(0.6 + 0.15 * far, 0.6, 1.6);
}

/** The time so many seconds on; less than nothing goes back. A frame never skips a pose. */
export function later(poses: readonly PoseData[], time: number, seconds: number): number {
  const from = seconds < 0 ? Math.ceil(time) - 1 : Math.floor(time);
  if (from < 0 || from >= poses.length - 1) return clamp(time, 0, poses.length - 1);
  return clamp(time + seconds / secondsAfter(poses, from), from, from + 1);
}

/** The next pose in a direction. */
export const stepFrom = (time: number, by: 1 | -1, last: number) =>
  clamp(by > 0 ? Math.floor(time + 1e-6) + 1 : Math.ceil(time - 1e-6) - 1, 0, last);

/** Which pose the words are about: the one that is being reached. */
export const poseAt = (time: number, last: number) => clamp(Math.ceil(time - 1e-6), 0, last);

/** The heaviest of those that are there: by weight, and among equals by room; -1 if none is there. */
export function heaviest(bodies: readonly BodyData[], there: readonly boolean[]): number {
  const rooms = bodies.map(roomOf);
  return bodies.reduce((best, { weight }, n) => {
    const most = bodies[best]?.weight ?? -Infinity;
    const more = weight > most || (weight === most && rooms[n]! > rooms[best]! + 1e-6);
    return there[n] && more ? n : best;
  }, -1);
}

/** The volume of a body, or how many balls it has. */
function roomOf({ positions, triangles, balls }: BodyData): number {
  if (balls.length) return balls.length;
  let six = 0;
  const point = (n: number): Point => [positions[3 * n]!, positions[3 * n + 1]!, positions[3 * n + 2]!];
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [point(triangles[at]!), point(triangles[at + 1]!), point(triangles[at + 2]!)];
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

/**
 * The poses as they look when a body is held still: the chosen one while it is there, else the heaviest
 * of those that are. Its own shift is taken from all, so what it did the others do the other way.
 */
export function heldStill(bodies: readonly BodyData[], poses: readonly PoseData[], chosen: number | null): PoseData[] {
  const holders = new Map<string, number>(); // by who is there
  return poses.map((pose) => {
    const there = pose.shown.join();
    if (!holders.has(there)) {
      holders.set(there, chosen !== null && pose.shown[chosen] ? chosen : heaviest(bodies, pose.shown));
    }
    const still = pose.shifts[holders.get(there)!] ?? [0, 0, 0];
    return { ...pose, shifts: pose.shifts.map((shift) => [...minus(shift, still)] as [number, number, number]) };
  });
}

/**
 * Where everything is at a time. A body that goes fades where it stands, and only then do those that stay
 * move to where they are seen next.
 */
export function momentAt(poses: readonly PoseData[], time: number): Moment {
  const from = clamp(Math.floor(time), 0, poses.length - 1);
  const a = poses[from]!;
  const b = poses[from + 1] ?? a;
  const way = (time - from) / REST;
  const cut = cuts(a, b);
  const fade = smooth(2 * way);
  const slide = cut ? smooth(2 * way - 1) : smooth(way);
  const shift = (n: number) =>
    a.shown[n] === b.shown[n] ? mixed(a.shifts[n]!, b.shifts[n]!, slide) : (a.shown[n] ? a : b).shifts[n]!;
  return {
    shifts: a.shifts.map((_, n) => shift(n)),
    alphas: a.shown.map((shown, n) => (1 - fade) * Number(shown) + fade * Number(b.shown[n])),
  };
}

/** The shifts with every body moved outwards from the middle of those that are seen, by a part of its way. */
export function exploded({ shifts, alphas }: Moment, middles: readonly Point[], by: number): readonly Point[] {
  if (by === 0) return shifts;
  const places = middles.map((middle, n) => plus(middle, shifts[n]!));
  const seen = alphas.reduce((sum, alpha) => sum + alpha, 0) || 1;
  const middle = places.reduce<Point>((sum, place, n) => mixed(sum, plus(sum, place), alphas[n]! / seen), [0, 0, 0]);
  return places.map((place, n) => mixed(shifts[n]!, plus(shifts[n]!, minus(place, middle)), by));
}
