// What can be done with the list of shapes.

import * as api from "../api";
import type { ShapeData } from "../messages";
import {
  emptyShape,
  freshId,
  labelOf,
  moved,
  usersOf,
  withNewShape,
  withoutShape,
  withShape,
  withShapesOf,
} from "../puzzle";
import { act, complain, enter, notify, studio, undo } from "../state";
import { said } from "../words/shapes";

class List {
  /** The shape whose name is being typed, and the one that is about to be deleted. */
  naming = $state<number | null>(null);
  deleting = $state<number | null>(null);
  typing = $state(false);
}

export const list = new List();

const labelled = ({ id }: ShapeData) => labelOf(studio.puzzle!, id);

export function make(): void {
  const id = freshId(studio.puzzle!);
  act(said.did.make, (puzzle) => withNewShape(puzzle, emptyShape(id)));
  studio.shape = id;
}

/** Shapes that were read, after those that are there; the first of them is looked at. */
export function add(shapes: readonly ShapeData[], from = ""): void {
  const first = freshId(studio.puzzle!);
  act(said.did.add(shapes.length, from), (puzzle) =>
    shapes.reduce((all, shape, at) => withNewShape(all, { ...shape, id: first + at }), puzzle),
  );
  studio.shape = first;
}

export function duplicate(shape: ShapeData): void {
  const puzzle = studio.puzzle!;
  const id = freshId(puzzle);
  const label = labelOf(puzzle, shape.id);
  const at = puzzle.shapes.indexOf(shape) + 1;
  act(said.did.duplicate(label), (now) => withNewShape(now, { ...shape, id, name: said.list.copyOf(label) }, at));
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
  act(said.did.remove(label), (now) => withoutShape(now, id));
  if (studio.shape === id || studio.shape === null) studio.shape = next?.id ?? null;
  notify(said.deleted(label), "good", { name: said.undo, act: undo });
}

export function rename(shape: ShapeData, name: string): void {
  list.naming = null;
  if (name === shape.name) return;
  act(said.did.rename(labelled(shape), name), (puzzle) => withShape(puzzle, { ...shape, name }));
}

export function move(from: number, to: number): void {
  const { shapes } = studio.puzzle!;
  const shape = shapes[from];
  if (!shape || !shapes[to] || from === to) return;
  act(
    said.did.move(labelled(shape)),
    (puzzle) => ({ ...puzzle, shapes: moved(puzzle.shapes, from, to) }),
    `move ${shape.id}`,
  );
}

export function weigh(shape: ShapeData, weight: number): void {
  if (weight === shape.weight) return;
  act(said.did.weigh(labelled(shape)), (puzzle) => withShape(puzzle, { ...shape, weight }), `weight ${shape.id}`);
}

/** Give a shape a colour of its own, or "" for that of the palette. */
export function paint(shape: ShapeData, colour: string): void {
  if (colour === shape.colour) return;
  act(said.did.paintShape(labelled(shape)), (puzzle) => withShape(puzzle, { ...shape, colour }), `look ${shape.id}`);
}

/** Add the shapes of a puzzle file, if they are of the same grid. */
export async function addFile(file: File): Promise<void> {
  const was = studio.opened;
  try {
    const opened = await api.importFile(file);
    if (studio.opened !== was || !studio.puzzle) return;
    for (const warning of opened.warnings) notify(warning, "warn");
    if (opened.puzzle.grid !== studio.puzzle.grid) {
      const text = said.file.other(file.name, opened.grid.name);
      notify(text, "warn", { name: said.file.open, act: () => enter(opened) });
    } else if (!opened.puzzle.shapes.length) notify(said.file.none(file.name), "warn");
    else {
      const count = opened.puzzle.shapes.length;
      const first = freshId(studio.puzzle);
      act(said.did.add(count, file.name), (puzzle) => withShapesOf(puzzle, opened.puzzle));
      studio.shape = first;
      notify(said.file.added(count, file.name));
    }
  } catch (error) {
    complain(error);
  }
}
