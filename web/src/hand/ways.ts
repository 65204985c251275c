// The next move from any position: breadth first, as the core searches, for as long as a person likes to wait, until
// something comes off or no known solution can be joined sooner.

import { cuts, type Pose } from "../scene/motion";
import { dot, length, minus, times, ZERO, type Vector } from "../vector";
import { turnedAt, type Turn } from "./game";
import { moved, type Position, type Rules } from "./rules";

export interface SlideOn {
  readonly moving: readonly number[];
  readonly step: number;
  readonly units: number;
}
/** What to do next, and how many moves it takes from here until something comes off. */
export type Hint = Act & {
  readonly moves: number;
  readonly most?: boolean; // perhaps fewer
};

const MOST_UNIONS = 6; // of sets that can move the same way

/** The sets that can move a step while something stays: what each piece pushes along, and unions of these. */
function movable(rules: Rules, at: Position, among: readonly number[], step: number): (readonly number[])[] {
  const found = new Map<string, readonly number[]>();
  for (const body of among) {
    const push = rules.push(at, among, body, step);
    if ("moving" in push) found.set(push.moving.join(), push.moving);
  }
  const single = [...found.values()];
  if (single.length <= MOST_UNIONS) {
    for (const one of single) {
      for (const other of [...found.values()]) {
        const both = [...new Set([...one, ...other])].sort((a, b) => a - b);
        if (both.length < among.length) found.set(both.join(), both);
      }
    }
  }
  return [...found.values()];
}

/** A position of some bodies, wherever all of them are. */
const keyOf = ({ turns }: Rules, at: Position, among: readonly number[]) =>
  among.map((body) => `${body} ${turns[body]!.join()} ${minus(at[body]!, at[among[0]!]!).join()}`).join(";");

/** What to do next, by position. */
export type Known = ReadonlyMap<string, Hint>;
export const knownAt = (known: Known, rules: Rules, at: Position, among: readonly number[]) =>
  known.get(keyOf(rules, at, among));

/** The positions of a solution that is shown in these poses. */
export function knownFrom(first: Rules, poses: readonly (Pose & { readonly words?: string })[]): Known {
  const known = new Map<string, Hint>();
  let rules = first;
  let at: Position = (poses[0]?.shifts ?? []).map(() => ZERO);
  for (let start = 0; start < poses.length;) {
    const rest = poses.slice(start);
    const end = rest.findIndex((pose) => cuts(rest[0]!, pose));
    const here = end < 0 ? rest : rest.slice(0, end); // while the same bodies are there
    const among = here[0]!.shown.flatMap((shown, body) => (shown ? [body] : []));
    const acts = here.slice(1).flatMap((pose, n) => actOf(rules, here[n]!, pose) ?? []);
    for (const [n, act] of acts.entries()) {
      if (at.flat().some((part) => !Number.isInteger(part))) return known; // between the cells
      known.set(keyOf(rules, at, among), { ...act, moves: acts.length - n });
      if ("turning" in act) ({ rules, at } = turnedAt(rules, at, act));
      else if (n < acts.length - 1) at = moved(at, act.moving, times(act.units, rules.steps[act.step]!.by));
      // What went away comes back when its own turn has come.
    }
    start += here.length;
  }
  return known;
}

type Act = SlideOn | (Turn & { readonly words: string });

/** What leads from a pose to the next; null if nothing moves, or not along a step. */
export function actOf(
  { steps }: { readonly steps: readonly { readonly way: Vector }[] },
  before: Pose,
  now: Pose & { readonly words?: string },
): Act | null {
  const { turning, words = "" } = now;
  if (turning) return { moving: turning.bodies, turning, words };
  const ways = now.shifts.map((shift, body) => minus(shift, before.shifts[body]!));
  const moving = ways.flatMap((way, body) => (length(way) > 1e-6 ? [body] : []));
  if (!moving.length) return null;
  const far = ways[moving[0]!]!;
  const step = steps.findIndex(({ way }) => dot(way, far) > (1 - 1e-6) * length(way) * length(far));
  return step < 0 ? null : { moving, step, units: Math.round(length(far) / length(steps[step]!.way)) };
}

/** Look for the nearest way; yields, now and then, the best of which is known so far. Null: nothing ever comes off. */
export function* seekWay(
  rules: Rules,
  start: Position,
  among: readonly number[],
  known: Known = new Map(),
): Generator<Hint | undefined, Hint | null> {
  const at = (position: Position) => keyOf(rules, position, among);
  let best: Hint | undefined = known.get(at(start));
  if (best) return best;
  const seen = new Set([at(start)]);
  let layer: { at: Position; first: SlideOn | null }[] = [{ at: start, first: null }];
  for (let moves = 1; layer.length && moves < (best?.moves ?? Infinity); moves++) {
    const next: typeof layer = [];
    for (const { at: here, first } of layer) {
      yield best;
      for (let step = 0; step < rules.steps.length; step++) {
        for (const moving of movable(rules, here, among, step)) {
          if (rules.leaves(here, among, moving, step)) return { ...(first ?? { moving, step, units: 1 }), moves };
          let there: Position = here;
          for (let units = 1; ; units++) {
            there = moved(there, moving, rules.steps[step]!.by);
            const key = at(there);
            if (!seen.has(key)) {
              seen.add(key);
              const begun = first ?? { moving, step, units };
              const on = known.get(key);
              if (on && moves + on.moves < (best?.moves ?? Infinity)) best = { ...begun, moves: moves + on.moves };
              next.push({ at: there, first: begun });
            }
            if (!free(rules, there, among, moving, step)) break;
          }
        }
      }
    }
    layer = next;
  }
  return best ?? null;
}

/** The nearest way that is found before it is late; null if nothing ever comes off, undefined if nobody knows. */
export function nearestWay(
  rules: Rules,
  start: Position,
  among: readonly number[],
  late: () => boolean,
  known?: Known,
): Hint | null | undefined {
  const search = seekWay(rules, start, among, known);
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
    if (late()) return value && { ...value, most: true };
  }
}

const free = (rules: Rules, at: Position, among: readonly number[], moving: readonly number[], step: number) =>
  moving.every((body) => {
    const push = rules.push(at, among, body, step);
    return "moving" in push && push.moving.every((each) => moving.includes(each));
  });
