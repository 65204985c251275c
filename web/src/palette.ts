// The colours of pieces, as in kumitate/model/palette.py: the same piece has the same colour everywhere.

import type { PuzzleData } from "./messages";

const PIECES = [
  "#E69F00",
  "#56B4E9",
  "#009E73",
  "#F0E442",
  "#0072B2",
  "#D55E00",
  "#CC79A7",
  "#8C6100",
  "#2F7FA8",
  "#00573F",
  "#A79C12",
  "#5FA8D8",
  "#8F3F00",
  "#8E4A70",
  "#F5CF80",
  "#A9DAF4",
  "#7FCEB9",
  "#F7F1A0",
  "#EAAE7F",
  "#E5BCD3",
];
const GOLDEN = 0.618033988749895;

/** The colour of the piece with this number, counted from 0. */
export function pieceColour(number: number): string {
  const further = number - PIECES.length;
  if (further < 0) return PIECES[number]!;
  return fromHls((further * GOLDEN) % 1, [0.6, 0.42, 0.76][further % 3]!, 0.55);
}

function fromHls(hue: number, lightness: number, saturation: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (turn: number) => {
    const at = (turn + hue * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return `#${[0, 8, 4].map((turn) => part(turn).toString(16).padStart(2, "0")).join("")}`.toUpperCase();
}

export const GOAL = "#cfc9bd"; // as in kumitate/model/palette.py

/** The colour of a shape: that of the first piece it is, a goal's, or else by its place in the list. */
export function shapeColour(puzzle: PuzzleData, id: number): string {
  for (const { pieces } of puzzle.problems) {
    const at = pieces.findIndex((piece) => piece.shape === id);
    if (at >= 0) return pieceColour(at);
  }
  if (puzzle.problems.some((problem) => problem.goal === id)) return GOAL;
  return pieceColour(
    Math.max(
      0,
      puzzle.shapes.findIndex((shape) => shape.id === id),
    ),
  );
}
