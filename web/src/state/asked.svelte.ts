// What the server says to a question that changes: its answer to the latest, or why it refused.

import { isLost } from "../api";
import { messageOf } from "../text";
import { studio } from "./studio.svelte";

/** A question is asked whenever what it reads has changed, and when the server is back; null asks nothing. */
export function asked<T>(question: () => Promise<T> | null) {
  let answer = $state.raw<T | null>(null);
  let refusal = $state("");
  const away = $derived(studio.connection === "lost" || studio.connection === "token");
  $effect(() => {
    if (away) return;
    let wanted = true;
    const hear = (found: T | null, error = "") => {
      if (wanted) [answer, refusal] = [found, error];
    };
    const asking = question();
    if (asking) asking.then(hear, (error: unknown) => isLost(error) || hear(null, messageOf(error)));
    else hear(null);
    return () => (wanted = false);
  });
  return {
    get answer() {
      return answer;
    },
    get refusal() {
      return refusal;
    },
  };
}
