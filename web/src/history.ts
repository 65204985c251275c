// Undo and redo without limit: values never change, so a past is just the values that were.

/** What was done, and how things were before it. */
export interface Entry<T> {
  readonly name: string;
  readonly before: T;
  readonly key: string | undefined;
}

export interface History<T> {
  readonly now: T;
  readonly past: readonly Entry<T>[];
  readonly future: readonly { readonly name: string; readonly after: T; readonly key: string | undefined }[];
}

export const begun = <T>(now: T): History<T> => ({ now, past: [], future: [] });

/** After something was done; what has the same key as the last thing done joins it (a stroke of the brush, a word typed). */
export function done<T>(history: History<T>, name: string, after: T, key?: string): History<T> {
  if (after === history.now) return history;
  const last = history.past.at(-1);
  const joins = key !== undefined && last?.key === key && history.future.length === 0;
  const entry = joins ? { ...last, name } : { name, before: history.now, key };
  return { now: after, past: [...(joins ? history.past.slice(0, -1) : history.past), entry], future: [] };
}

export function undone<T>(history: History<T>): History<T> {
  const last = history.past.at(-1);
  if (!last) return history;
  const again = { name: last.name, after: history.now, key: last.key };
  return { now: last.before, past: history.past.slice(0, -1), future: [again, ...history.future] };
}

export function redone<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (!next) return history;
  const entry = { name: next.name, before: history.now, key: next.key };
  return { now: next.after, past: [...history.past, entry], future };
}
