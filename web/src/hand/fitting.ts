// Where pieces fit in a goal, and how the rest can be filled: for putting a puzzle together by hand.
//
// A cell is known by its centre in space, so this knows no grid; it holds where all cells look alike. Filling is a
// plain search for an exact cover, the slow twin of the core's: the cell with the fewest placements comes first.

import { apply, minus, plus, type Matrix, type Vector } from "../vector";

/** How the cells of a grid lie in space, and which turns map them onto each other. */
export interface Lattice {
  readonly basis: Matrix; // rows
  readonly centre: Vector; // of the cell at the origin
  readonly turns: readonly Matrix[];
}

export interface Fit {
  readonly body: number;
  readonly turn: number; // which of the lattice's
  readonly shift: Vector; // after the turn
  readonly cells: readonly number[]; // of the goal
}

export type Fitting = ReturnType<typeof fittingOf>;

const keyOf = (at: Vector) => at.map((part) => Math.round(part * 50)).join();
const spotOf = ({ basis, centre }: Lattice, [x, y, z]: readonly number[]): Vector =>
  [0, 1, 2].map((axis) => centre[axis]! + x! * basis[0][axis]! + y! * basis[1][axis]! + z! * basis[2][axis]!) as unknown as Vector; // prettier-ignore

/** Bodies by their cells where they lie in the solution, which fill the goal. */
export function fittingOf(bodies: readonly (readonly (readonly number[])[])[], lattice: Lattice) {
  const spots = bodies.map((cells) => cells.map((cell) => spotOf(lattice, cell)));
  const goal = new Map(spots.flat().map((spot, n) => [keyOf(spot), n]));
  const places = spots.flat();
  const known = new Map<string, readonly Fit[]>();

  /** The placements of a body that lies turned so. */
  function fits(body: number, turn: number): readonly Fit[] {
    const name = `${body} ${turn}`;
    const before = known.get(name);
    if (before) return before;
    const turned = spots[body]!.map((spot) => apply(lattice.turns[turn]!, spot));
    const found = places.flatMap((place): Fit[] => {
      const shift = minus(place, turned[0]!);
      const cells = turned.map((spot) => goal.get(keyOf(plus(spot, shift))) ?? -1);
      return cells.includes(-1) ? [] : [{ body, turn, shift, cells }];
    });
    known.set(name, found);
    return found;
  }

  /** The turns in which a body fits the goal, each look once. */
  const ways = bodies.map((_, body) => {
    const looks = new Set<string>();
    return lattice.turns.flatMap((_, turn) => {
      const some = fits(body, turn);
      const look = some.map(({ cells }) => [...cells].sort((a, b) => a - b).join()).sort()[0];
      if (look === undefined || looks.has(look)) return [];
      looks.add(look);
      return [turn];
    });
  });

  return { fits, ways, size: places.length, spots };
}

/** Fill what is left of the goal; yields now and then. Null if it cannot be filled. */
export function* fill(fitting: Fitting, placed: readonly Fit[]): Generator<void, readonly Fit[] | null> {
  const words = Math.ceil(fitting.size / 32);
  const maskOf = ({ cells }: Fit) => {
    const mask = new Int32Array(words);
    for (const cell of cells) mask[cell >> 5]! |= 1 << (cell & 31);
    return mask;
  };
  const meet = (a: Int32Array, b: Int32Array) => a.some((word, n) => word & b[n]!);
  interface Option {
    readonly fit: Fit;
    readonly mask: Int32Array;
  }
  const without = (options: readonly Option[], { fit, mask }: Option) =>
    options.filter((each) => each.fit.body !== fit.body && !meet(each.mask, mask));
  let options: readonly Option[] = fitting.ways.flatMap((turns, body) =>
    turns.flatMap((turn) => fitting.fits(body, turn).map((fit) => ({ fit, mask: maskOf(fit) }))),
  );
  const open = new Set(Array.from({ length: fitting.size }, (_, n) => n));
  for (const fit of placed) {
    options = without(options, { fit, mask: maskOf(fit) });
    for (const cell of fit.cells) open.delete(cell);
  }

  function* search(left: readonly Option[], chosen: readonly Fit[]): Generator<void, readonly Fit[] | null> {
    yield;
    if (!open.size) return chosen;
    const counts = new Uint32Array(fitting.size);
    for (const { fit } of left) for (const cell of fit.cells) counts[cell]!++;
    let hardest = -1;
    for (const cell of open) if (hardest < 0 || counts[cell]! < counts[hardest]!) hardest = cell;
    for (const option of left.filter(({ fit }) => fit.cells.includes(hardest))) {
      for (const cell of option.fit.cells) open.delete(cell);
      const found = yield* search(without(left, option), [...chosen, option.fit]);
      for (const cell of option.fit.cells) open.add(cell);
      if (found) return found;
    }
    return null;
  }
  return yield* search(options, []);
}
