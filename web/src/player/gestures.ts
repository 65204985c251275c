// Fingers and mouse on a picture, as in the studio: one finger or either button turns, or drags what it takes hold of;
// two fingers, the middle button or Shift shift the picture, and fingers zoom.

import { clamp } from "../vector";

interface Gestures {
  turn(x: number, y: number): void;
  pan(x: number, y: number): void;
  zoom(by: number): void;
  /** Whether the pointer takes hold of something; then it drags that, by so much from where it began. */
  grab(event: PointerEvent): boolean;
  drag(x: number, y: number): void;
  release(): void;
}

export function watchGestures(on: HTMLElement, act: Gestures, wheelCounts: (event: WheelEvent) => boolean): void {
  const held = new Map<number, readonly [number, number]>();
  const spread = () => {
    const all = [...held.values()];
    const [[x, y], [x2, y2]] = [all[0] ?? [0, 0], all.at(-1) ?? [0, 0]];
    return { x: (x + x2) / 2, y: (y + y2) / 2, size: Math.hypot(x - x2, y - y2) || 1 };
  };
  let dragged: { pointer: number; x: number; y: number } | null = null;
  on.addEventListener("pointerdown", (event) => {
    on.setPointerCapture(event.pointerId);
    if (!held.size && !dragged && event.button === 0 && act.grab(event)) {
      dragged = { pointer: event.pointerId, x: event.clientX, y: event.clientY };
      return;
    }
    held.set(event.pointerId, [event.clientX, event.clientY]);
  });
  on.addEventListener("pointermove", (event) => {
    if (dragged?.pointer === event.pointerId) return act.drag(event.clientX - dragged.x, event.clientY - dragged.y);
    if (!held.has(event.pointerId)) return;
    const before = spread();
    held.set(event.pointerId, [event.clientX, event.clientY]);
    const after = spread();
    const [x, y] = [after.x - before.x, after.y - before.y];
    if (held.size === 1 && event.buttons <= 2 && !event.shiftKey) return act.turn(x, y);
    act.pan(x, y);
    act.zoom(after.size / before.size);
  });
  for (const end of ["pointerup", "pointercancel"] as const)
    on.addEventListener(end, (event) => {
      held.delete(event.pointerId);
      if (dragged?.pointer !== event.pointerId) return;
      dragged = null;
      act.release();
    });
  on.addEventListener("contextmenu", (event) => event.preventDefault());
  const wheel = (event: WheelEvent) => {
    if (!wheelCounts(event)) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    act.zoom(Math.exp(-clamp(event.deltaY * lines, -200, 200) * (event.ctrlKey ? 0.01 : 0.0015)));
  };
  on.addEventListener("wheel", wheel, { passive: false });
}
