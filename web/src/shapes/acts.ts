// What the keys of the Shapes place do, by the names that keys.ts gives them.

import {
  copy,
  cutOut,
  change,
  editor,
  escape,
  goToLevel,
  paste,
  putDown,
  remove,
  selectAll,
  shiftTowards,
  toggleMirror,
  type Brush,
  type Change,
  type Reach,
} from "./editor.svelte";
import { make } from "./list.svelte";
import type { Vector } from "../cells";

const brush = (next: Brush) => () => {
  editor.brush = next;
};
const reach = (next: Reach) => () => {
  editor.reach = editor.reach === next ? "cell" : next;
};
const turn = (axis: Change["axis"], back: boolean) => () => {
  if (editor.grid.turns.some((turn) => turn.axis === axis)) void change({ how: "turn", axis, back, by: 2 });
};
const towards = (direction: Vector) => () => shiftTowards(direction);

export const acts: Readonly<Record<string, () => void>> = {
  A: brush("add"),
  R: brush("remove"),
  O: brush("optional"),
  C: brush("colour"),
  S: brush("select"),
  V: brush("look"),
  D: reach("cell"),
  B: reach("box"),
  L: reach("line"),
  F: reach("fill"),
  X: () => toggleMirror(0),
  Y: () => toggleMirror(1),
  Z: () => toggleMirror(2),
  "+": () => goToLevel(editor.level + 1),
  "−": () => goToLevel(editor.level - 1),
  H: () => {
    editor.cut = !editor.cut;
  },
  "→": towards([1, 0, 0]),
  "←": towards([-1, 0, 0]),
  "↑": towards([0, 1, 0]),
  "↓": towards([0, -1, 0]),
  PageUp: towards([0, 0, 1]),
  PageDown: towards([0, 0, -1]),
  "Shift X": turn("x", false),
  "Shift Y": turn("y", false),
  "Shift Z": turn("z", false),
  "Ctrl A": selectAll,
  "Ctrl C": copy,
  "Ctrl X": cutOut,
  "Ctrl V": paste,
  Delete: remove,
  Enter: putDown,
  Esc: escape,
  N: make,
  Home: () => {
    editor.fits++;
  },
};

const named: Readonly<Record<string, string>> = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Backspace: "Delete",
  "=": "+",
  "-": "−",
  _: "−",
};

/** What keys.ts calls the keys that are pressed: "Ctrl C", "→", "A". */
export function nameOf({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const cap = named[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  const shift = shiftKey && /^[A-Z]$|^.{2,}$/.test(cap);
  return [ctrlKey || metaKey ? "Ctrl" : "", altKey ? "Alt" : "", shift ? "Shift" : "", cap].filter(Boolean).join(" ");
}
