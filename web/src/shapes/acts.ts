// What the keys of Shapes do.

import type { Vector } from "../vector";
import type { Act, Acts } from "../keys";
import {
  change,
  copy,
  cutOut,
  editor,
  goToLevel,
  paste,
  putDown,
  remove,
  selectAll,
  shiftTowards,
  toggleMirror,
  type Brush,
  type Reach,
} from "./editor.svelte";
import { make } from "./list.svelte";

export const brushes = { A: "add", R: "remove", O: "optional", C: "colour", S: "select", V: "look" } as const;
export const reaches = { D: "cell", U: "whole", K: "column", B: "box", L: "line", F: "fill" } as const;

const each = <K extends string, V>(keys: Readonly<Record<K, V>>, act: (value: V) => void) =>
  Object.fromEntries(Object.entries<V>(keys).map(([key, value]) => [key, () => act(value)])) as Record<K, Act>;
const towards = (direction: Vector) => () => shiftTowards(direction);
const turn = (axis: "x" | "y" | "z") => () => {
  if (editor.grid.turns.some((turn) => turn.axis === axis)) void change({ how: "turn", axis });
};

export const acts: Acts<"shapes"> = {
  ...each<keyof typeof brushes, Brush>(brushes, (brush) => (editor.brush = brush)),
  ...each<keyof typeof reaches, Reach>(reaches, (reach) => (editor.reach = editor.reach === reach ? "cell" : reach)),
  X: () => toggleMirror(0),
  Y: () => toggleMirror(1),
  Z: () => toggleMirror(2),
  "Shift X": turn("x"),
  "Shift Y": turn("y"),
  "Shift Z": turn("z"),
  "→": towards([1, 0, 0]),
  "←": towards([-1, 0, 0]),
  "↑": towards([0, 1, 0]),
  "↓": towards([0, -1, 0]),
  PageUp: towards([0, 0, 1]),
  PageDown: towards([0, 0, -1]),
  "+": () => goToLevel(editor.level + 1),
  "−": () => goToLevel(editor.level - 1),
  H: () => {
    editor.cut = !editor.cut;
  },
  "Ctrl A": selectAll,
  "Ctrl C": () => (getSelection()?.toString() ? false : copy()), // text of the page is copied by the browser
  "Ctrl X": cutOut,
  "Ctrl V": paste,
  Enter: () => (editor.floating ? putDown() : false),
  Delete: remove,
  N: make,
  Home: () => editor.fits++,
};
