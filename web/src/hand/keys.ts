// The keys of taking a puzzle apart by hand, and of putting it together, as the browser names them, for the studio and for exported pages.

import type { Builder } from "./builder";
import type { Hand } from "./hand";

export const handKeys = (now: () => Hand | null) => ({
  n: () => now()?.chooseNext(1),
  N: () => now()?.chooseNext(-1),
  ArrowLeft: () => now()?.pushToward([-1, 0, 0]),
  ArrowRight: () => now()?.pushToward([1, 0, 0]),
  ArrowUp: () => now()?.pushToward([0, 1, 0]),
  ArrowDown: () => now()?.pushToward([0, -1, 0]),
  PageUp: () => now()?.pushToward([0, 0, 1]),
  PageDown: () => now()?.pushToward([0, 0, -1]),
  t: () => now()?.turnIt(),
  h: () => now()?.hintOrFollow(),
  Backspace: () => now()?.undo(),
});

export const builderKeys = (now: () => Builder | null) => ({
  n: () => now()?.chooseNext(1),
  N: () => now()?.chooseNext(-1),
  t: () => now()?.turnIt(),
  T: () => now()?.turnIt(-1),
  p: () => now()?.placeNext(),
  h: () => now()?.hintOrFollow(),
  Backspace: () => now()?.takeOut(),
});
