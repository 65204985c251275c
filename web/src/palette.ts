// The colours of shapes; the name of one is in puzzle.ts. Both follow `identify_shapes` in kumitate/model/identity.py,
// since a puzzle is changed here without asking the server.

import { GOAL_COLOUR, PIECE_COLOURS } from "./colours";
import type { PuzzleData } from "./messages";
import { shapeOf } from "./puzzle";

export const GOAL = GOAL_COLOUR;

/** The colour of the piece with this number, counted from 0. */
export const pieceColour = (number: number): string => PIECE_COLOURS[number % PIECE_COLOURS.length]!;

/** The colour of a shape: its own, or that of the palette. There, pieces come first, in the order in which problems
 * use them, then shapes in no use. */
export function shapeColour(puzzle: PuzzleData, id: number): string {
  const own = shapeOf(puzzle, id)?.colour;
  if (own) return own;
  const goals = new Set(puzzle.problems.map((problem) => problem.goal));
  const pieces = puzzle.problems.flatMap((problem) => problem.pieces.map((piece) => piece.shape));
  const loose = puzzle.shapes.map((shape) => shape.id).filter((each) => !goals.has(each));
  const number = [...new Set([...pieces, ...loose])].indexOf(id);
  return number < 0 ? GOAL : pieceColour(number);
}

/** The colour of a piece of one of the puzzle's problems. */
export const colourOfPiece = (puzzle: PuzzleData, problem: number, piece: number): string =>
  shapeColour(puzzle, puzzle.problems[problem]?.pieces[piece]?.shape ?? -1);
