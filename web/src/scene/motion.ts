// When everything is where. Time runs from 0, the first pose, to the number of the last; between two
// poses each body slides on a straight line or turns. All of it is pure: a player asks, and draws.

import { CUT, LEAST, MOST, MOTION, PER_UNIT, STILL } from "./timing";
import { after, along, lengthOf, seenFrom, seenTurning, undone, type Place, type Turning } from "./turning";
import { clamp, EPSILON, length, minus, mixed, plus, times, WORLD, ZERO, type Matrix, type Vector } from "../vector";

export interface Pose {
  readonly shifts: readonly Vector[]; // of each body, from where it lay at first
  readonly shown: readonly boolean[];
  readonly turns?: readonly Matrix[]; // of each body, before its shift; none if nothing is turned
  readonly turning?: Turning | null; // how bodies got here, if not on straight lines
}

/** Where each body is, and how much of it is seen: 0 is nothing, 1 all. */
interface Moment {
  readonly places: readonly Place[];
  readonly alphas: readonly number[];
}

export const placesOf = ({ shifts, turns }: Pose): Place[] =>
  shifts.map((shift, n) => ({ turn: turns?.[n] ?? WORLD, shift }));

/** A time between two poses, by their numbers, and how far everything is on its way. */
interface Passage {
  readonly from: number;
  readonly to: number;
  readonly fade: number; // of bodies that come or go
  readonly slide: number; // of bodies that stay
  readonly look: number; // of the eye
}

/** From 0 to 1, slow at both ends; as in output/timing.py. */
export const smooth = (x: number) => ((t) => t * t * (3 - 2 * t))(clamp(x, 0, 1));

/** Whether bodies come or go between two poses. */
export const cuts = (a: Pose, b: Pose) => a.shown.some((shown, n) => shown !== b.shown[n]);

/** Seconds from a pose to the next: a longer way takes longer, within reason. */
export function secondsAfter(poses: readonly Pose[], from: number): number {
  const [a, b] = [poses[from], poses[from + 1]];
  if (!a || !b) return 0;
  if (cuts(a, b)) return CUT;
  const slid = () => Math.max(0, ...a.shifts.map((shift, n) => (a.shown[n] ? length(minus(shift, b.shifts[n]!)) : 0)));
  const far = b.turning ? lengthOf(b.turning) : slid();
  return far < 1e-9 ? STILL : clamp(LEAST + PER_UNIT * far, LEAST, MOST);
}

/** How many moves lead to a pose, or to the last: where a part begins to come apart, or is put aside, is none. */
export const movesTo = (poses: readonly Pose[], last = poses.length - 1): number =>
  poses.filter((pose, n) => n && n <= last && !cuts(poses[n - 1]!, pose) && secondsAfter(poses, n - 1) !== STILL)
    .length;

/** The time so many seconds later; fewer than none go back. It never skips a pose. */
export function later(poses: readonly Pose[], time: number, seconds: number): number {
  const from = seconds < 0 ? Math.ceil(time) - 1 : Math.floor(time);
  if (from < 0 || from >= poses.length - 1) return clamp(time, 0, poses.length - 1);
  return clamp(time + seconds / secondsAfter(poses, from), from, from + 1);
}

/** The next pose in a direction. */
export const stepFrom = (time: number, by: 1 | -1, last: number) =>
  clamp(by > 0 ? Math.floor(time + 1e-6) + 1 : Math.ceil(time - 1e-6) - 1, 0, last);

/** Which pose the words are about: the one that is being reached. */
export const poseAt = (time: number, last: number) => clamp(Math.ceil(time - 1e-6), 0, last);

/**
 * How far a time is between its two poses. Where bodies come or go they fade first, and only then do those
 * that stay move to where they are seen next. Every motion ends with a short rest.
 */
export function passageAt(poses: readonly Pose[], time: number): Passage {
  const from = clamp(Math.floor(time), 0, poses.length - 1);
  const to = Math.min(from + 1, poses.length - 1);
  const way = (time - from) / MOTION;
  const slide = cuts(poses[from]!, poses[to]!) ? smooth(2 * way - 1) : smooth(way);
  return { from, to, fade: smooth(2 * way), slide, look: smooth(way) };
}

/**
 * Where each body is after a part of the way from a pose to the next. What turns also slides from where its route
 * would end to where it belongs: bodies may be drawn apart, and routes are told in few digits.
 */
export function between(before: Pose, next: Pose, part: number): Place[] {
  const [were, are] = [placesOf(before), placesOf(next)];
  const { turning } = next;
  const slid = were.map(({ shift }, n) => ({ turn: are[n]!.turn, shift: mixed(shift, are[n]!.shift, part) }));
  if (!turning) return slid;
  const [moved, end] = [along(turning, part), along(turning, 1)];
  return slid.map((place, n) => {
    if (!turning.bodies.includes(n)) return place;
    const { turn, shift } = after(moved, were[n]!);
    return { turn, shift: plus(shift, times(part, minus(are[n]!.shift, after(end, were[n]!).shift))) };
  });
}

/** Where everything is at a time. What comes or goes does so where it stands. */
export function momentAt(poses: readonly Pose[], time: number): Moment {
  const { from, to, fade, slide } = passageAt(poses, time);
  const [a, b] = [poses[from]!, poses[to]!];
  const [were, on, are] = [placesOf(a), between(a, b, slide), placesOf(b)];
  return {
    places: were.map((_, n) => (a.shown[n] === b.shown[n] ? on : a.shown[n] ? were : are)[n]!),
    alphas: a.shown.map((shown, n) => (1 - fade) * Number(shown) + fade * Number(b.shown[n])),
  };
}

/** The heaviest of the bodies that are there: by weight, and among equals by volume; -1 if none is there. */
export function heaviest(
  bodies: readonly { readonly weight: number; readonly volume: number }[],
  there: readonly boolean[] = bodies.map(() => true),
): number {
  return bodies.reduce((best, { weight, volume }, n) => {
    const most = bodies[best] ?? { weight: -Infinity, volume: 0 };
    const more = weight > most.weight || (weight === most.weight && volume > most.volume + 1e-6);
    return there[n] && more ? n : best;
  }, -1);
}

/**
 * The poses as they look when a body is held still: the one that `holder` names of those that are there.
 * Its own motion is taken from all, so the others move the other way instead. Where bodies come or go, another
 * may be held: it is put where it lay at first or, if it has been turned, left where it is.
 */
export function heldStill<P extends Pose>(poses: readonly P[], holder: (there: readonly boolean[]) => number): P[] {
  const holders = new Map<string, number>(); // by the bodies there
  let frame = AT_FIRST; // the motion that puts the bodies where they are drawn
  let anchor = AT_FIRST; // where the held body is drawn
  return poses.map((pose, n) => {
    const [there, places, before] = [pose.shown.join(), placesOf(pose), frame];
    if (!holders.has(there)) holders.set(there, holder(pose.shown));
    const holding = holders.get(there)!;
    const held = places[holding] ?? AT_FIRST;
    if (!n || cuts(poses[n - 1]!, pose)) anchor = isTurned(frame) || isTurned(held) ? after(frame, held) : AT_FIRST;
    frame = after(anchor, undone(held));
    const drawn = places.map((place) => after(frame, place));
    const shifts = drawn.map(({ shift }) => shift);
    const { turning } = pose;
    if (!turning && ![frame, ...places].some(isTurned)) return { ...pose, shifts };
    const others = shifts.flatMap((_, body) => (turning?.bodies.includes(body) ? [] : [body]));
    const seen = turning?.bodies.includes(holding) ? seenTurning(turning, others) : turning;
    return { ...pose, shifts, turns: drawn.map(({ turn }) => turn), turning: seen && seenFrom(before, seen) };
  });
}

const AT_FIRST: Place = { turn: WORLD, shift: ZERO };
const isTurned = ({ turn }: Place) => turn.some((row, n) => length(minus(row, WORLD[n]!)) > EPSILON);
