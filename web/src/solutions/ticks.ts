// The marks under the slider of a solution's time.

import type { PoseData } from "../messages";
import type { Pose } from "../scene/motion";
import { length, minus } from "../vector";

/** A mark: a slide or a turn, or where a part begins to come apart, with the level of that. */
interface Tick {
  readonly pose: number;
  readonly big: boolean;
  readonly turn: boolean;
  readonly text: string;
}

export const ticksOf = (poses: readonly PoseData[]): Tick[] =>
  poses.map(({ kind, level }, pose) => ({
    pose,
    big: kind === "part",
    turn: kind === "turn",
    text: kind === "part" ? level : "",
  }));

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

/** How many moves lead to a pose; that a part begins to come apart is no move. */
export const movesTo = (poses: readonly PoseData[], pose: number) =>
  poses.slice(0, pose + 1).filter(({ kind }) => kind !== "start" && kind !== "part").length;

/** The body that stays where it is although the words of a pose say that it moves, since it is held still; -1 if none. */
export function heldBack(poses: readonly Pose[], drawn: readonly Pose[], pose: number): number {
  const [from, to, seen, next] = [poses[pose - 1], poses[pose], drawn[pose - 1], drawn[pose]];
  if (!from || !to || !seen || !next) return -1;
  const moves = (a: Pose, b: Pose, body: number) => length(minus(b.shifts[body]!, a.shifts[body]!)) > 1e-6;
  return to.shown.findIndex(
    (shown, body) => shown && from.shown[body] && moves(from, to, body) && !moves(seen, next, body),
  );
}
