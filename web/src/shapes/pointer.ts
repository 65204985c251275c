// What the pointer does to a shape in space. A button that is pressed on a cell starts a stroke; a finger does so only
// when it moves or is lifted, since a second one may follow to turn the view. The right button removes a cell if it does
// not move, and turns the view if it does. While cells float, a press takes them along and the release puts them down.

import type { Cell } from "../geometry";
import type { Aim, Cells } from "./aim";
import { isFree, type Brush, type editor, type Manner, type Reach } from "./editor.svelte";

type Point = Pick<PointerEvent, "clientX" | "clientY">;
export type Press = Point &
  Pick<PointerEvent, "button" | "pointerType" | "altKey" | "shiftKey" | "ctrlKey" | "metaKey">;

/** The tool as it is now. */
export type Tool = Pick<typeof editor, "brush" | "reach" | "drawing" | "visible"> & {
  readonly floating: object | null;
};

/** What can be done with it. */
export interface Hand {
  aim(at: Point, brush: Brush, cells?: Cells): Aim | null;
  along(at: Point, from: Aim): Cell | null;
  begin(at: Cell, manner: Manner): void;
  drawTo(at: Cell): void;
  lift(): void;
  floatTo(at: Cell): void;
  putDown(): void;
  unselect(): void;
  /** Show which cell a press would touch. */
  point(at: Cell | null, brush: Brush): void;
}

const STEP = 6; // pixels between two points of a stroke
const STEPS = 16; // at most, between two events

const apart = (a: Point, b: Point) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
const between = (a: Point, b: Point, part: number): Point => ({
  clientX: a.clientX + part * (b.clientX - a.clientX),
  clientY: a.clientY + part * (b.clientY - a.clientY),
});

interface Stroke {
  readonly aim: Aim;
  readonly brush: Brush;
  readonly reach: Reach;
  readonly cells: Cells; // as they were when it began
  readonly from: Point;
}

export class Pointer {
  #stroke: Stroke | null = null;
  #resting: Point | null = null; // where a press began, as long as it has not moved
  #last: Point = { clientX: 0, clientY: 0 };
  #touch = false;
  #fingers = 0;

  constructor(
    private readonly tool: Tool,
    private readonly hand: Hand,
  ) {}

  /** A press; false if the view may take it. */
  down(press: Press): boolean {
    const { tool, hand } = this;
    this.#touch = press.pointerType === "touch";
    this.#stroke = this.#resting = null;
    if (this.#touch && ++this.#fingers > 1) {
      hand.lift();
      return false;
    }
    this.#resting = this.#last = press;
    if (press.button !== 0 || (tool.brush === "look" && !tool.floating)) return false;
    const brush = tool.floating ? "add" : press.altKey ? "remove" : tool.brush;
    const aim = hand.aim(press, brush);
    if (!aim) return false;
    const reach = press.shiftKey || (brush === "select" && tool.reach === "cell") ? "box" : tool.reach;
    this.#stroke = { aim, brush, reach, cells: tool.visible, from: press };
    if (tool.floating) hand.floatTo(aim.cell);
    else if (!this.#touch) this.#begin(press);
    return true;
  }

  /** A move with a button or a finger down. */
  move(press: Press): void {
    const { tool, hand } = this;
    if (tool.floating) return;
    if (this.#resting && this.#moved(press)) {
      if (this.#touch && !tool.drawing) this.#begin(press);
      this.#resting = null;
    }
    if (!this.#stroke || !tool.drawing) return;
    const { aim, brush, reach, cells, from } = this.#stroke;
    if (isFree(reach)) {
      const steps = Math.min(STEPS, Math.ceil(apart(press, this.#last) / STEP));
      for (let step = 1; step <= steps; step++) {
        const found = hand.aim(between(this.#last, press, step / steps), brush, cells);
        if (found) hand.drawTo(found.cell);
      }
      this.#last = press;
    } else if (reach !== "fill" && apart(press, from) > 3) {
      const cell = (brush === "add" ? null : hand.aim(press, brush, cells)?.cell) ?? hand.along(press, aim);
      if (cell) hand.drawTo(cell);
    }
  }

  /** A release, or the end of a press that the browser took away. */
  up(press: Press, cancelled: boolean): void {
    const { tool, hand } = this;
    this.#fingers = Math.max(0, this.#fingers - 1);
    if (this.#resting && !cancelled && !this.#moved(press)) {
      if (this.#stroke && tool.floating) hand.putDown();
      else if (this.#stroke && this.#touch) this.#begin(press);
      else if (press.button === 2 && !tool.floating) {
        const found = hand.aim(press, "remove");
        if (found) hand.begin(found.cell, { brush: "remove", reach: "cell", out: found.out });
      } else if (press.button === 0 && !this.#stroke && tool.brush === "select" && !press.ctrlKey) hand.unselect();
    }
    hand.lift();
    this.#stroke = this.#resting = null;
  }

  /** A move with nothing down. */
  hover(press: Press): void {
    const { tool, hand } = this;
    if (tool.drawing) return;
    const brush = tool.floating ? "add" : press.altKey ? "remove" : tool.brush;
    const cell = brush === "look" ? null : (hand.aim(press, brush)?.cell ?? null);
    if (!tool.floating) hand.point(cell, brush);
    else {
      hand.point(null, brush);
      if (cell) hand.floatTo(cell);
    }
  }

  #begin(press: Press): void {
    if (!this.#stroke) return;
    const { aim, brush, reach } = this.#stroke;
    this.#resting = null;
    this.hand.point(null, brush);
    this.hand.begin(aim.cell, { brush, reach, out: aim.out, more: press.ctrlKey || press.metaKey });
  }

  #moved(press: Point): boolean {
    return this.#resting !== null && apart(press, this.#resting) > (this.#touch ? 8 : 4);
  }
}
