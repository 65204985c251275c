// Short messages to the user, and errors.

import { isLost } from "../api";
import { messageOf } from "../text";
import { studio, type Notice } from "./studio.svelte";

let notices = 0;

export function notify(text: string, kind: Notice["kind"] = "good", action?: Notice["action"]): void {
  const notice = { id: ++notices, text, kind, action };
  studio.notices = [...studio.notices.filter((old) => old.text !== text), notice];
  if (kind === "good") setTimeout(() => dismiss(notice.id), 4000);
}

export const dismiss = (id: number) => {
  studio.notices = studio.notices.filter((notice) => notice.id !== id);
};

/** Say what went wrong; of a lost connection the banner speaks. */
export function complain(error: unknown): void {
  if (!isLost(error)) notify(messageOf(error), "bad");
}
