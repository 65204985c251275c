// Changes of a puzzle, each from one value to the next: nothing is changed in place, so the old value
// can stand in the history.

import type { ProblemData, PuzzleData, ShapeData } from "./messages";

export const shapeOf = (puzzle: PuzzleData, id: number | null): ShapeData | undefined =>
  puzzle.shapes.find((shape) => shape.id === id);

/** The name of a shape, or for one without its place in the list: S1, S2, ... */
export function labelOf(puzzle: PuzzleData, id: number | null): string {
  const at = puzzle.shapes.findIndex((shape) => shape.id === id);
  return puzzle.shapes[at]?.name || `S${at + 1}`;
}

export const freshId = (puzzle: PuzzleData) => 1 + Math.max(-1, ...puzzle.shapes.map((shape) => shape.id));

export const emptyShape = (id: number): ShapeData => ({ id, name: "", cells: [], weight: 1, colour: "" });

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
  name: "",
  goal: null,
  pieces: [],
  allowed: [],
  max_holes: null,
  pinned: [],
  forbidden: [],
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

/** The colours chosen for the pieces of a problem, as the server is told them. */
export const chosenColours = (puzzle: PuzzleData, problem: number): string =>
  (puzzle.problems[problem]?.pieces ?? []).map(({ shape }) => shapeOf(puzzle, shape)?.colour ?? "").join();

// ---- the list of shapes ----

/** A list with one thing moved. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);

/** Which problems use a shape, by their names or numbers, as their goal or as a piece. */
export const usersOf = (puzzle: PuzzleData, id: number): { name: string; goal: boolean }[] =>
  puzzle.problems.flatMap((problem, at) => {
    const goal = problem.goal === id;
    return goal || problem.pieces.some((piece) => piece.shape === id)
      ? [{ name: problem.name || `${at + 1}`, goal }]
      : [];
  });

/** With all shapes of another puzzle on the same grid; colours it lacks are added, and their numbers follow. */
export function withShapesOf(puzzle: PuzzleData, other: PuzzleData): PuzzleData {
  const colours = [...puzzle.colours];
  const numbers = other.colours.map((colour) => {
    const at = colours.findIndex((each) => each.toLowerCase() === colour.toLowerCase());
    return at >= 0 ? at + 1 : colours.push(colour);
  });
  const first = freshId(puzzle);
  const shapes = other.shapes.map((shape, at): ShapeData => ({
    ...shape,
    id: first + at,
    cells: recoloured(shape, (colour) => numbers[colour - 1] ?? colour),
  }));
  return { ...puzzle, colours, shapes: [...puzzle.shapes, ...shapes] };
}

// ---- colours, by their numbers from 1 ----

const recoloured = ({ cells }: ShapeData, to: (colour: number) => number) =>
  cells.map(([x, y, z, tile, optional, colour]): (typeof cells)[number] => [x, y, z, tile, optional, to(colour)]);

export const withColour = (puzzle: PuzzleData, number: number, colour: string): PuzzleData => ({
  ...puzzle,
  colours: number > puzzle.colours.length ? [...puzzle.colours, colour] : puzzle.colours.with(number - 1, colour),
});

/** Without a colour: its cells become neutral, rules about it go, later colours move up. */
export function withoutColour(puzzle: PuzzleData, number: number): PuzzleData {
  const next = (colour: number) => (colour === number ? 0 : colour > number ? colour - 1 : colour);
  return {
    ...puzzle,
    colours: puzzle.colours.toSpliced(number - 1, 1),
    shapes: puzzle.shapes.map((shape) =>
      shape.cells.some((cell) => cell[5] >= number) ? { ...shape, cells: recoloured(shape, next) } : shape,
    ),
    problems: puzzle.problems.map((problem) => ({
      ...problem,
      allowed: problem.allowed.flatMap(([piece, goal]): [number, number][] =>
        piece === number || goal === number ? [] : [[next(piece), next(goal)]],
      ),
    })),
  };
}
