// Changes of a puzzle, each from one value to the next: nothing is changed in place, so the old value
// can stand in the history.

import type { PieceData, ProblemData, PuzzleData, ShapeData } from "./messages";

export const shapeOf = (puzzle: PuzzleData, id: number | null): ShapeData | undefined =>
  puzzle.shapes.find((shape) => shape.id === id);

/** The name of a shape, or for one without its place in the list: S1, S2, ... */
export function labelOf(puzzle: PuzzleData, id: number | null): string {
  const at = puzzle.shapes.findIndex((shape) => shape.id === id);
  return puzzle.shapes[at]?.name || `S${at + 1}`;
}

export const freshId = (puzzle: PuzzleData) => 1 + Math.max(-1, ...puzzle.shapes.map((shape) => shape.id));

export const withShape = (puzzle: PuzzleData, shape: ShapeData): PuzzleData => ({
  ...puzzle,
  shapes: puzzle.shapes.map((old) => (old.id === shape.id ? shape : old)),
});

/** With a shape added at a place of the list, by default at its end; it keeps its id, which must be fresh. */
export const withNewShape = (puzzle: PuzzleData, shape: ShapeData, at = puzzle.shapes.length): PuzzleData => ({
  ...puzzle,
  shapes: puzzle.shapes.toSpliced(at, 0, shape),
});

/** Without a shape, and without whatever used it. */
export function withoutShape(puzzle: PuzzleData, id: number): PuzzleData {
  return {
    ...puzzle,
    shapes: puzzle.shapes.filter((shape) => shape.id !== id),
    problems: puzzle.problems.map((problem) => {
      const kept = problem.pieces.flatMap((piece, at) => (piece.shape === id ? [] : [at]));
      return {
        ...withPieces(problem, kept),
        goal: problem.goal === id ? null : problem.goal,
      };
    }),
  };
}

export const withProblem = (puzzle: PuzzleData, at: number, problem: ProblemData): PuzzleData => ({
  ...puzzle,
  problems: puzzle.problems.with(at, problem),
});

export const emptyProblem = (): ProblemData => ({
  name: "", goal: null, pieces: [], allowed: [], max_holes: null, pinned: [], forbidden: [],
});

export const withPiece = (problem: ProblemData, at: number, piece: PieceData): ProblemData => ({
  ...problem,
  pieces: problem.pieces.with(at, piece),
});

/** With just these of its pieces, by number, in this order; placements of others go. */
export function withPieces(problem: ProblemData, kept: number[]): ProblemData {
  const moved = <T extends { piece: number }>(placements: T[]) =>
    placements.flatMap((p) => (kept.includes(p.piece) ? [{ ...p, piece: kept.indexOf(p.piece) }] : []));
  return {
    ...problem,
    pieces: kept.map((at) => problem.pieces[at]!),
    pinned: moved(problem.pinned),
    forbidden: moved(problem.forbidden),
  };
}
