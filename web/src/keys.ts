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
];
