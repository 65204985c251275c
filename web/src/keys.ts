// Every key of the page, for the help sheet. The places act on them; this table is what people read.

import { words } from "./words";

export interface Key {
  readonly key: string; // "Ctrl Z": pressed together; "1 / 2": one or the other
  readonly what: string;
  readonly place: "everywhere" | "shapes" | "problem" | "solutions";
}

export const keys: readonly Key[] = [
  { key: "Ctrl Z", what: words.help.undo, place: "everywhere" },
  { key: "Ctrl Shift Z / Ctrl Y", what: words.help.redo, place: "everywhere" },
  { key: "Ctrl S", what: words.help.save, place: "everywhere" },
  { key: "1 / 2 / 3", what: words.help.places, place: "everywhere" },
  { key: "?", what: words.help.sheet, place: "everywhere" },
  { key: "Esc", what: words.help.escape, place: "everywhere" },
  { key: "← / →", what: words.help.ways, place: "problem" },
  { key: "Enter", what: words.help.pin, place: "problem" },
  { key: "Space", what: words.solutions.keys.play, place: "solutions" },
  { key: "← / →", what: words.solutions.keys.step, place: "solutions" },
  { key: "Home / End", what: words.solutions.keys.ends, place: "solutions" },
  { key: "E", what: words.solutions.keys.explode, place: "solutions" },
  { key: "F", what: words.solutions.keys.fit, place: "solutions" },
  { key: "↑ / ↓", what: words.solutions.keys.list, place: "solutions" },
  { key: "A", what: words.shapes.keys.add, place: "shapes" },
  { key: "R", what: words.shapes.keys.remove, place: "shapes" },
  { key: "O", what: words.shapes.keys.optional, place: "shapes" },
  { key: "C", what: words.shapes.keys.colour, place: "shapes" },
  { key: "S", what: words.shapes.keys.select, place: "shapes" },
  { key: "V", what: words.shapes.keys.look, place: "shapes" },
  { key: "D", what: words.shapes.keys.cell, place: "shapes" },
  { key: "B", what: words.shapes.keys.box, place: "shapes" },
  { key: "L", what: words.shapes.keys.line, place: "shapes" },
  { key: "F", what: words.shapes.keys.fill, place: "shapes" },
  { key: "X / Y / Z", what: words.shapes.keys.mirror, place: "shapes" },
  { key: "Shift X / Shift Y / Shift Z", what: words.shapes.keys.turn, place: "shapes" },
  { key: "← / → / ↑ / ↓", what: words.shapes.keys.arrows, place: "shapes" },
  { key: "PageUp / PageDown", what: words.shapes.keys.page, place: "shapes" },
  { key: "+ / −", what: words.shapes.keys.layers, place: "shapes" },
  { key: "H", what: words.shapes.keys.cut, place: "shapes" },
  { key: "Enter / Space", what: words.shapes.keys.draw, place: "shapes" },
  { key: "Ctrl A", what: words.shapes.keys.all, place: "shapes" },
  { key: "Ctrl C / Ctrl X / Ctrl V", what: words.shapes.keys.clipboard, place: "shapes" },
  { key: "Delete", what: words.shapes.keys.delete, place: "shapes" },
  { key: "N", what: words.shapes.keys.make, place: "shapes" },
  { key: "Home", what: words.shapes.keys.fit, place: "shapes" },
  { key: "Alt ↑ / Alt ↓", what: words.shapes.keys.reorder, place: "shapes" },
  { key: "F2", what: words.shapes.keys.rename, place: "shapes" },
  { key: "Alt click", what: words.shapes.keys.mouse, place: "shapes" },
  { key: "Shift drag", what: words.shapes.keys.box2, place: "shapes" },
  { key: "Right drag", what: words.shapes.keys.right, place: "shapes" },
];
