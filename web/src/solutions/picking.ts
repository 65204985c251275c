// A click on a piece in the view chooses it; a drag turns the view, as always.

import type { Stage } from "../stage/stage";

const STILL = 5; // pixels that a hand may tremble

/** Call `chosen` with where a click without a drag was; what to call to stop. */
export function watchClicks(stage: Stage, chosen: (event: PointerEvent) => void): () => void {
  const { canvas } = stage;
  const leaving = new AbortController();
  let down: { readonly pointer: number; readonly x: number; readonly y: number } | null = null;
  const options = { capture: true, signal: leaving.signal };
  canvas.addEventListener(
    "pointerdown",
    ({ button, isPrimary, pointerId, clientX, clientY }) => {
      down = button === 0 && isPrimary ? { pointer: pointerId, x: clientX, y: clientY } : null;
    },
    options,
  );
  canvas.addEventListener(
    "pointerup",
    (event) => {
      const from = down?.pointer === event.pointerId ? down : null;
      down = null;
      if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) <= STILL) chosen(event);
    },
    options,
  );
  return () => leaving.abort();
}
