// What was not saved outlives a reload, in the browser's own store. A draft lies under its puzzle's
// place, or under new/ID while the puzzle has none; what cannot be read back is as good as absent.

import type { Opened, PuzzleData } from "./messages";

/** A puzzle with its changes, when they were kept, and by which tab. */
export interface Draft {
  readonly opened: Opened;
  readonly time: number;
  readonly tab?: string;
}

export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const PREFIX = "draft:";
const NEW = "new/";

export const freshKey = () => NEW + Math.random().toString(36).slice(2, 10);
export const isNew = (key: string) => key.startsWith(NEW);
export const idOf = (key: string) => key.slice(NEW.length);
export const keyOf = (id: string) => NEW + id;

/** Keep a draft; false if the browser has no room for it. */
export function keep(store: Store, key: string, opened: Opened, time = Date.now(), tab?: string): boolean {
  try {
    store.setItem(PREFIX + key, JSON.stringify({ opened, time, tab } satisfies Draft));
    return true;
  } catch {
    return false;
  }
}

/** The draft that was kept, null if there is none, "damaged" if what is there cannot be read. */
export function kept(store: Store, key: string): Draft | null | "damaged" {
  const text = store.getItem(PREFIX + key);
  if (text === null) return null;
  try {
    const draft = JSON.parse(text) as Draft;
    const { puzzle, grid } = draft.opened;
    const whole =
      typeof draft.time === "number" &&
      typeof draft.opened.version === "string" &&
      typeof puzzle.grid === "string" &&
      puzzle.shapes.every((shape) => Array.isArray(shape.cells)) &&
      puzzle.problems.every((problem) => Array.isArray(problem.pieces)) &&
      Array.isArray(grid.tiles);
    return whole ? draft : "damaged";
  } catch {
    return "damaged";
  }
}

export const drop = (store: Store, key: string) => store.removeItem(PREFIX + key);

/** Whether what lies there was kept by another tab, which has changes of its own. */
export function isOthers(store: Store, key: string, tab: string): boolean {
  const draft = kept(store, key);
  return draft !== null && draft !== "damaged" && (draft.tab ?? tab) !== tab;
}

/** A puzzle that was left while it was being saved: what was changed after that is a draft of what lies there now. */
export function savedMeanwhile(
  store: Store,
  key: string,
  puzzle: PuzzleData,
  made: { place: string; version: string },
): void {
  const draft = kept(store, key);
  drop(store, key);
  if (!draft || draft === "damaged" || JSON.stringify(draft.opened.puzzle) === JSON.stringify(puzzle)) return;
  keep(store, made.place, { ...draft.opened, place: made.place, version: made.version, writable: true }, draft.time);
}

/** Under which keys drafts lie. */
export function keys(store: Store): string[] {
  const all = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  return all.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
}

/** The drafts of puzzles that lie nowhere yet, the latest first. */
export function newOnes(store: Store): { key: string; draft: Draft }[] {
  return keys(store)
    .filter(isNew)
    .flatMap((key) => {
      const draft = kept(store, key);
      return draft && draft !== "damaged" ? [{ key, draft }] : [];
    })
    .sort((a, b) => b.draft.time - a.draft.time);
}
