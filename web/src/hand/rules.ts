// How pieces may slide, by hand: one step of the grid at a time, pushing along what is in the way.
//
// Positions count in lattice units from where everything lay at first. What a cell passes through on a step is a
// table that comes with the puzzle, so this knows no grid. It is the slow, plain twin of the search in the core: a
// few pieces, one step.

import { apply, minus, plus, product, vector, WORLD, ZERO, type Matrix, type Vector } from "../vector";

export type Cell = readonly [number, number, number, number]; // x, y, z, tile

export interface Step {
  readonly by: Vector; // on the lattice
  readonly way: Vector; // in space
  readonly swept: readonly (readonly Cell[])[]; // for each tile what it passes through, seen from where it is
}

/** Where each body is, seen from where it lay at first; after turns, from where those about the origin put it. */
export type Position = readonly Vector[];

/** What moves if a body is pushed a step; or, if all would, which bodies it runs into. */
export type Push = { readonly moving: readonly number[] } | { readonly blockers: readonly number[] };

const SIDE = 2 ** 16; // coordinates of a puzzle stay far within
const keyOf = (x: number, y: number, z: number, tile: number) =>
  (((x + SIDE / 2) * SIDE + y + SIDE / 2) * SIDE + z + SIDE / 2) * 32 + tile;

/** The rules for bodies that lie turned so; on grids of cubes only, others do not turn. */
export function rulesOf(
  lying: readonly (readonly Cell[])[],
  steps: readonly Step[],
  turns: readonly Matrix[] = lying.map(() => WORLD),
): Rules {
  const bodies = lying.map((cells, n) =>
    turns[n] === WORLD ? cells : cells.map((cell) => turnedCell(cell, turns[n]!)),
  );
  const taken = bodies.map((cells) => new Set(cells.map((cell) => keyOf(...cell))));
  const known = new Map<string, boolean>();
  const spans = [0, 1, 2].map((axis) => {
    const all = bodies.flatMap((cells) => cells.map((cell) => cell[axis]!));
    return Math.max(...all) - Math.min(...all);
  });
  const reach = Math.max(...steps.flatMap(({ swept }) => swept.flatMap((cells) => cells.flat().map(Math.abs))), 1);

  /** Whether a body that makes a step runs into another, which is so far away from it. */
  function meets(mover: number, other: number, apart: Vector, step: number): boolean {
    const key = `${mover} ${other} ${step} ${apart.join()}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const met = bodies[mover]!.some(([x, y, z, tile]) =>
      steps[step]!.swept[tile]!.some(([dx, dy, dz, there]) =>
        taken[other]!.has(keyOf(x + dx + apart[0], y + dy + apart[1], z + dz + apart[2], there)),
      ),
    );
    known.set(key, met);
    return met;
  }

  const hits = (at: Position, mover: number, other: number, step: number) =>
    meets(mover, other, minus(at[mover]!, at[other]!), step);

  /** Push a body one step; the others are those of `among` that it may push. */
  function push(at: Position, among: readonly number[], body: number, step: number): Push {
    const moving = [body];
    for (const mover of moving) {
      for (const other of among) if (!moving.includes(other) && hits(at, mover, other, step)) moving.push(other);
    }
    if (moving.length < among.length) return { moving: moving.sort((a, b) => a - b) };
    return { blockers: among.filter((other) => other !== body && hits(at, body, other, step)) };
  }

  /** Whether these can go on along a step for ever, past all the others. */
  function leaves(at: Position, among: readonly number[], moving: readonly number[], step: number): boolean {
    const others = among.filter((body) => !moving.includes(body));
    const shifts = among.map((body) => at[body]!);
    const drift = [0, 1, 2].map(
      (axis) => Math.max(...shifts.map((shift) => shift[axis]!)) - Math.min(...shifts.map((shift) => shift[axis]!)),
    );
    const far = Math.max(...spans.map((span, axis) => span + drift[axis]!)) + reach + 1;
    let gone = ZERO;
    for (let n = 0; n <= far; n++, gone = plus(gone, steps[step]!.by)) {
      const moved = moving.map((body) => plus(at[body]!, gone));
      if (moving.some((body, k) => others.some((other) => meets(body, other, minus(moved[k]!, at[other]!), step))))
        return false;
    }
    return true;
  }

  /** The rules after these bodies have turned. */
  const turned = (those: readonly number[], turn: Matrix) =>
    rulesOf(
      lying,
      steps,
      turns.map((each, body) => (those.includes(body) ? product(turn, each) : each)),
    );

  return { steps, turns, cells: bodies, push, leaves, turned };
}

export interface Rules {
  readonly steps: readonly Step[];
  readonly turns: readonly Matrix[]; // of each body, about the origin
  readonly cells: readonly (readonly Cell[])[]; // of each body, turned so
  push(at: Position, among: readonly number[], body: number, step: number): Push;
  leaves(at: Position, among: readonly number[], moving: readonly number[], step: number): boolean;
  turned(bodies: readonly number[], turn: Matrix): Rules;
}

/** Where a cube lies after a turn about the origin. */
function turnedCell([x, y, z, tile]: Cell, turn: Matrix): Cell {
  const centre = apply(turn, [x + 0.5, y + 0.5, z + 0.5]);
  return [...vector((axis) => Math.floor(centre[axis] + 1e-6)), tile];
}

export const moved = (at: Position, moving: readonly number[], by: Vector): Position =>
  at.map((shift, body) => (moving.includes(body) ? plus(shift, by) : shift));
