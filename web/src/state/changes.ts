// Changing the puzzle: everything can be undone.

import { done, redone, undone, type History } from "../history";
import type { PuzzleData } from "../messages";
import { keepDraft } from "./keeping";
import { studio } from "./studio.svelte";

/** Do something to the puzzle that can be undone, named as the user would: "colour 3 cells". */
export const act = (name: string, change: (puzzle: PuzzleData) => PuzzleData, key?: string) =>
  move((history) => done(history, name, change(history.now), key));
export const undo = () => move(undone);
export const redo = () => move(redone);

/** Go through the history; a selected shape or problem that is gone there gives way to another. */
export function move(to: (history: History<PuzzleData>) => History<PuzzleData>): void {
  if (!studio.history) return;
  const { shapes, problems } = (studio.history = to(studio.history)).now;
  if (!shapes.some((shape) => shape.id === studio.shape)) studio.shape = shapes.at(-1)?.id ?? null;
  studio.problem = Math.max(0, Math.min(studio.problem, problems.length - 1));
  keepDraft();
}
