// Changes of a problem and what they need to know, each from one value to the next.

import type { GroupData, PieceData, PlacementData, ProblemData, PuzzleData } from "../messages";
import { shapeOf } from "../puzzle";

export const MOST_COPIES = 1_000_000;

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** "2" or "0–3" (or 0-3, 0..3), as a range; null if it is none. */
export function readRange(text: string): Range | null {
  const found = /^\s*(\d{1,7})(?:\s*(?:-|–|—|\.\.+|…|to)\s*(\d{1,7}))?\s*$/.exec(text);
  if (!found) return null;
  const min = Number(found[1]);
  const max = Number(found[2] ?? found[1]);
  return min <= max && max <= MOST_COPIES ? { min, max } : null;
}

export const rangeText = ({ min, max }: Range) => (min === max ? `${min}` : `${min}–${max}`);

/** One more or one fewer: of a range its upper end, else both ends. */
export function stepped({ min, max }: Range, by: 1 | -1): Range {
  const next = Math.min(Math.max(max + by, 0), MOST_COPIES);
  return min === max ? { min: next, max: next } : { min: Math.min(min, next), max: next };
}

/** With a shape as one piece more: one copy more if it is a piece already. */
export function withShapeUsed(problem: ProblemData, shape: number): ProblemData {
  const at = problem.pieces.findIndex((piece) => piece.shape === shape);
  const piece = problem.pieces[at];
  const pieces = piece
    ? problem.pieces.with(at, { ...piece, ...stepped(piece, 1) })
    : [...problem.pieces, { shape, min: 1, max: 1, groups: [] }];
  return { ...problem, pieces };
}

/** The shapes that are neither goal nor piece yet. */
export const others = (puzzle: PuzzleData, problem: ProblemData): number[] =>
  puzzle.shapes
    .map((shape) => shape.id)
    .filter((id) => id !== problem.goal && !problem.pieces.some((piece) => piece.shape === id));

/** How many pieces there are, and how many cells they fill, at least and at most. */
export function amounts(puzzle: PuzzleData, problem: ProblemData): { pieces: Range; cells: Range } {
  const sum = (weight: (piece: PieceData) => number) => ({
    min: problem.pieces.reduce((all, piece) => all + piece.min * weight(piece), 0),
    max: problem.pieces.reduce((all, piece) => all + piece.max * weight(piece), 0),
  });
  return { pieces: sum(() => 1), cells: sum((piece) => shapeOf(puzzle, piece.shape)?.cells.length ?? 0) };
}

/** The colours that can meet: rows of the pieces', columns of the goal's; pairs allowed already are there, too. */
export function meeting(puzzle: PuzzleData, problem: ProblemData): { pieces: number[]; goal: number[] } {
  const of = (ids: (number | null)[]) => ids.flatMap((id) => shapeOf(puzzle, id)?.cells.map((cell) => cell[5]) ?? []);
  const sorted = (colours: number[]) => [...new Set(colours)].filter((colour) => colour > 0).sort((a, b) => a - b);
  return {
    pieces: sorted([...of(problem.pieces.map((piece) => piece.shape)), ...problem.allowed.map(([piece]) => piece)]),
    goal: sorted([...of([problem.goal]), ...problem.allowed.map(([, goal]) => goal)]),
  };
}

type Pair = readonly [piece: number, goal: number];

export const allows = (problem: ProblemData, [piece, goal]: Pair) =>
  problem.allowed.some(([a, b]) => a === piece && b === goal);

export const withAllowed = (problem: ProblemData, [piece, goal]: Pair, yes: boolean): ProblemData => ({
  ...problem,
  allowed: [
    ...problem.allowed.filter(([a, b]) => a !== piece || b !== goal),
    ...(yes ? [[piece, goal] as [number, number]] : []),
  ],
});

/** A group that the piece is not in yet. */
export const freshGroup = (groups: readonly GroupData[]) => 1 + Math.max(0, ...groups.map(({ group }) => group));

/** How a placement lies, whatever the piece. */
export const wayOf = ({ turn, shift }: PlacementData) => [turn, ...shift].join();

/** Without a placement: neither pinned nor forbidden. */
export function withoutPin({ pinned, forbidden }: ProblemData, pin: PlacementData) {
  const isOther = (other: PlacementData) => other.piece !== pin.piece || wayOf(other) !== wayOf(pin);
  return { pinned: pinned.filter(isOther), forbidden: forbidden.filter(isOther) };
}
