// Undo and redo without limit: values never change, so a past is just the values that were.

/** What was done or undone, and how things are on its other side. */
interface Entry<T> {
  readonly name: string;
  readonly key: string | undefined;
  readonly value: T;
}

export interface History<T> {
  readonly now: T;
  readonly past: readonly Entry<T>[];
  readonly future: readonly Entry<T>[];
}

export const begun = <T>(now: T): History<T> => ({ now, past: [], future: [] });

/** After something was done; what has the same key as the last thing done joins it (a stroke of the brush, a word typed). */
export function done<T>({ now, past, future }: History<T>, name: string, after: T, key?: string): History<T> {
  if (after === now) return { now, past, future };
  const last = past.at(-1);
  const joins = key !== undefined && last?.key === key && !future.length;
  const entry = { name, key, value: joins ? last.value : now };
  return { now: after, past: [...(joins ? past.slice(0, -1) : past), entry], future: [] };
}

export function undone<T>(history: History<T>): History<T> {
  const last = history.past.at(-1);
  if (!last) return history;
  const future = [{ ...last, value: history.now }, ...history.future];
  return { now: last.value, past: history.past.slice(0, -1), future };
}

export function redone<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { now: next.value, past: [...history.past, { ...next, value: history.now }], future };
}
