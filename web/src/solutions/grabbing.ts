// The pointer on the stage while a puzzle is taken apart by hand: on a piece it drags, beside them it turns the view.

import type { Ray } from "../geometry";
import type { Hand } from "../hand/hand";
import type { Stage } from "../stage/stage";

/** Watch a stage; what to call to stop. Without a hand the pointer turns the view, as always. */
export function watchHand(stage: Stage, handNow: () => Hand | null, pick: (sight: Ray) => number): () => void {
  const { canvas } = stage;
  const leaving = new AbortController();
  const capture = { capture: true, signal: leaving.signal }; // before the camera's controls hear of it
  let drag: { hand: Hand; pointer: number; x: number; y: number } | null = null;

  const down = (event: PointerEvent) => {
    const hand = handNow();
    if (drag || !hand || event.button !== 0) return;
    const body = pick(stage.ray(event));
    if (body < 0) return;
    event.stopImmediatePropagation();
    canvas.setPointerCapture(event.pointerId);
    drag = { hand, pointer: event.pointerId, x: event.clientX, y: event.clientY };
    hand.grab(body);
  };
  const move = (event: PointerEvent) => {
    if (!drag) {
      const hand = event.pointerType === "mouse" && !event.buttons ? handNow() : null;
      canvas.style.cursor = hand && pick(stage.ray(event)) >= 0 ? "grab" : "";
      return;
    }
    if (drag.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    drag.hand.drag([event.clientX - drag.x, event.clientY - drag.y], stage.axes(), stage.perUnit());
  };
  const up = (event: PointerEvent) => {
    if (drag?.pointer !== event.pointerId) return;
    event.stopImmediatePropagation();
    const { hand } = drag;
    drag = null;
    hand.release();
  };
  canvas.addEventListener("pointerdown", down, capture);
  canvas.addEventListener("pointermove", move, capture);
  canvas.addEventListener("pointerup", up, capture);
  canvas.addEventListener("pointercancel", up, capture);
  return () => leaving.abort();
}
