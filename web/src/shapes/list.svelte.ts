// What can be done with the list of shapes.

import * as api from "../api";
import type { ShapeData } from "../messages";
import {
  freshId,
  labelOf,
  usersOf,
  withNewShape,
  withoutShape,
  withShape,
  withShapeMoved,
  withShapesOf,
} from "../puzzle";
import { act, complain, enter, notify, studio, undo } from "../state.svelte";
import { words } from "../words";

class List {
  /** The shape whose name is being typed, and the one that is about to be deleted. */
  naming = $state<number | null>(null);
  deleting = $state<number | null>(null);
  typing = $state(false);
}

export const list = new List();

export function make(): void {
  const id = freshId(studio.puzzle!);
  act(words.shapes.did.make, (puzzle) => withNewShape(puzzle, { id, name: "", cells: [], weight: 1 }));
  studio.shape = id;
}

/** Shapes that were read, after those that are there; the first of them is looked at. */
export function add(shapes: readonly ShapeData[], from = ""): void {
  const first = freshId(studio.puzzle!);
  act(words.shapes.did.add(shapes.length, from), (puzzle) =>
    shapes.reduce((all, shape, at) => withNewShape(all, { ...shape, id: first + at }), puzzle),
  );
  studio.shape = first;
}

export function duplicate(shape: ShapeData): void {
  const puzzle = studio.puzzle!;
  const id = freshId(puzzle);
  const label = labelOf(puzzle, shape.id);
  const at = puzzle.shapes.indexOf(shape) + 1;
  act(words.shapes.did.duplicate(label), (now) =>
    withNewShape(now, { ...shape, id, name: words.shapes.list.copyOf(label) }, at),
  );
  studio.shape = id;
}

/** Ask first if problems use it. */
export function askToRemove(id: number): void {
  if (usersOf(studio.puzzle!, id).length) list.deleting = id;
  else remove(id);
}

export function remove(id: number): void {
  const puzzle = studio.puzzle!;
  const label = labelOf(puzzle, id);
  const at = puzzle.shapes.findIndex((shape) => shape.id === id);
  const next = puzzle.shapes[at + 1] ?? puzzle.shapes[at - 1];
  act(words.shapes.did.remove(label), (now) => withoutShape(now, id));
  if (studio.shape === id || studio.shape === null) studio.shape = next?.id ?? null;
  notify(words.shapes.deleted(label), "good", { name: words.shapes.undo, act: undo });
}

export function rename(shape: ShapeData, name: string): void {
  list.naming = null;
  if (name === shape.name) return;
  act(words.shapes.did.rename(labelOf(studio.puzzle!, shape.id), name), (puzzle) =>
    withShape(puzzle, { ...shape, name }),
  );
}

export function move(from: number, to: number): void {
  const shape = studio.puzzle!.shapes[from];
  if (!shape || to < 0 || to >= studio.puzzle!.shapes.length || from === to) return;
  act(
    words.shapes.did.move(labelOf(studio.puzzle!, shape.id)),
    (puzzle) => withShapeMoved(puzzle, from, to),
    `move ${shape.id}`,
  );
}

export function weigh(shape: ShapeData, weight: number): void {
  if (weight === shape.weight) return;
  act(
    words.shapes.did.weigh(labelOf(studio.puzzle!, shape.id)),
    (puzzle) => withShape(puzzle, { ...shape, weight }),
    `weight ${shape.id}`,
  );
}

/** Add the shapes of a puzzle file, if they are of the same grid. */
export async function addFile(file: File): Promise<void> {
  const was = studio.opened;
  try {
    const opened = await api.importFile(file);
    if (studio.opened !== was || !studio.puzzle) return;
    for (const warning of opened.warnings) notify(warning, "warn");
    if (opened.puzzle.grid !== studio.puzzle.grid) {
      const text = words.shapes.file.other(file.name, opened.grid.name);
      notify(text, "warn", { name: words.shapes.file.open, act: () => enter(opened) });
    } else if (!opened.puzzle.shapes.length) notify(words.shapes.file.none(file.name), "warn");
    else {
      const count = opened.puzzle.shapes.length;
      const first = freshId(studio.puzzle);
      act(words.shapes.did.add(count, file.name), (puzzle) => withShapesOf(puzzle, opened.puzzle));
      studio.shape = first;
      notify(words.shapes.file.added(count, file.name));
    }
  } catch (error) {
    complain(error);
  }
}
