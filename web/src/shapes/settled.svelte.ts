// A value that follows another once that has been at rest for a while and no tool is down: for whatever
// costs more than a frame.

import { editor } from "./editor.svelte";

export function settled<T>(get: () => T, milliseconds: number): { readonly now: T } {
  let now = $state.raw(get());
  $effect(() => {
    const next = get();
    if (next === now || editor.drawing) return;
    const timer = setTimeout(() => (now = next), milliseconds);
    return () => clearTimeout(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
