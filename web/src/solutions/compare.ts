// Two solutions side by side: which pieces lie alike in both. Pieces are compared as they lie, not turned.

import { keyOf } from "../geometry";
import type { BodyData, PoseData } from "../messages";

export type Fate = "alike" | "elsewhere" | "only";
type Body = Pick<BodyData, "name" | "piece" | "cells">;

/** What a piece is called without the number of its copy. */
function kindsIn(bodies: readonly Body[]): string[] {
  const copies = (piece: number) => bodies.filter((body) => body.piece === piece).length;
  return bodies.map(({ name, piece }) => (copies(piece) > 1 ? name.replace(/\.\d+$/, "") : name));
}

const placeOf = ({ cells }: Body) => cells.map(keyOf).sort().join(" ");

/** What becomes of each piece of a solution in another; identical pieces may swap. */
export function fatesOf(bodies: readonly Body[], others: readonly Body[]): Fate[] {
  const [mine, theirs] = [kindsIn(bodies), kindsIn(others)];
  const there = new Set(others.map((body, n) => `${theirs[n]} ${placeOf(body)}`));
  const alike = bodies.map((body, n) => there.has(`${mine[n]} ${placeOf(body)}`));
  const left = new Map<string, number>(); // of a kind, in the other solution
  for (const kind of theirs) left.set(kind, (left.get(kind) ?? 0) + 1);
  const take = (kind: string) => {
    const count = left.get(kind) ?? 0;
    left.set(kind, count - 1);
    return count > 0;
  };
  alike.forEach((is, n) => is && take(mine[n]!));
  return alike.map((is, n) => (is ? "alike" : take(mine[n]!) ? "elsewhere" : "only"));
}

/** Whether two solutions fill the same cells. */
export function fillAlike(bodies: readonly Body[], others: readonly Body[]): boolean {
  const [here, there] = [bodies, others].map((all) => new Set(all.flatMap(({ cells }) => cells.map(keyOf))));
  return here!.size === there!.size && [...here!].every((cell) => there!.has(cell));
}

/** A motion that waits at its end until another has come to its own. */
export function waiting(poses: readonly PoseData[], other: number, words: string): readonly PoseData[] {
  const end = poses.at(-1);
  if (!end || poses.length >= other) return poses;
  const rest: PoseData = { ...end, kind: "start", level: "", words, turning: null };
  return [...poses, ...Array.from({ length: other - poses.length }, () => rest)];
}
