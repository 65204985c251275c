// Changes that are not saved. They lie with the server, in the folder's hidden store, where every tab finds them again,
// at whatever port. Until the server has them they lie in the browser's own store, the outbox, which outlives a reload.

import type { DraftRequest } from "./messages";

export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const PREFIX = "draft:";
const NEW = "new/";

/** A name that nothing else has, of a draft or a tab. */
export const freshId = () => Math.random().toString(36).slice(2, 12);

// A puzzle that is open is known by its place, or as new/ID while it has none; ID is that of its draft.
export const freshKey = () => NEW + freshId();
export const isNew = (key: string) => key.startsWith(NEW);
export const idOf = (key: string) => key.slice(NEW.length);
export const keyOf = (id: string) => NEW + id;

/** Put a draft into the outbox; false if the browser has no room for it. */
export function keep(store: Store, id: string, draft: DraftRequest): boolean {
  try {
    store.setItem(PREFIX + id, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** What waits in the outbox; what cannot be read is taken out. */
export function waiting(store: Store): { id: string; draft: DraftRequest }[] {
  const all = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  const ids = all.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  return ids.flatMap((id) => {
    try {
      return [{ id, draft: JSON.parse(store.getItem(PREFIX + id) ?? "") as DraftRequest }];
    } catch {
      drop(store, id);
      return [];
    }
  });
}

/** Take a draft out of the outbox, unless a later one lies there. */
export function drop(store: Store, id: string, time = Infinity): void {
  try {
    if ((JSON.parse(store.getItem(PREFIX + id) ?? "") as DraftRequest).time > time) return;
  } catch {
    // there is none, or none that can be read
  }
  store.removeItem(PREFIX + id);
}
