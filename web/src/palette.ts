// The colours of shapes; the name of one is in puzzle.ts. Both follow `identify_shapes` in kumitate/model/identity.py,
// since a puzzle is changed here without asking the server.

import { GOAL_COLOUR, PIECE_COLOURS } from "./colours";
import type { PuzzleData } from "./messages";
import { shapeOf } from "./puzzle";
import { apply, length, minus, vector, type Matrix, type Vector } from "./vector";

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

const FAR = 0.12; // two colours at least so far apart are not confused

/** The first of some colours that is far from all that are taken, or else the farthest. */
export function freshColour(some: readonly string[], taken: readonly string[]): string {
  const others = taken.map(seenAs);
  const apart = some.map((colour) => Math.min(...others.map((other) => length(minus(seenAs(colour), other)))));
  const far = apart.findIndex((one) => one >= FAR);
  return some[far < 0 ? apart.indexOf(Math.max(...apart)) : far]!;
}

/** How a colour "#rrggbb" is seen (Ottosson's Oklab): lightness, green to red, blue to yellow. */
function seenAs(colour: string): Vector {
  const light = vector((axis) => {
    const part = parseInt(colour.slice(2 * axis + 1, 2 * axis + 3), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const cones = apply(CONES, light);
  return apply(
    SEEN,
    vector((axis) => Math.cbrt(cones[axis])),
  );
}
const CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const SEEN: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** The colour of a piece of one of the puzzle's problems. */
export const colourOfPiece = (puzzle: PuzzleData, problem: number, piece: number): string =>
  shapeColour(puzzle, puzzle.problems[problem]?.pieces[piece]?.shape ?? -1);

/** The colours chosen for the pieces of a problem, as the server is told them. */
export const chosenColours = (puzzle: PuzzleData, problem: number): string =>
  (puzzle.problems[problem]?.pieces ?? []).map(({ shape }) => shapeOf(puzzle, shape)?.colour ?? "").join();
