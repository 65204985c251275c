// The words of taking a puzzle apart by hand, in the studio and on exported pages.

import { amount } from "./amount";

const list = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
const verb = (names: readonly string[], one: string, many: string) =>
  `${list(names)} ${names.length === 1 ? one : many}`;

export const said = {
  begin: "Take apart by hand",
  end: "Back to the solution",
  title: "By hand",
  undo: "Undo",
  restart: "Restart",
  hint: "Hint",
  follow: "Do it",
  solve: "Solve it",
  stop: "Stop",
  pieces: "Pieces: choose one to move",
  turn: "Turn",
  directions: (name: string) => `Move ${name}`,
  moves: (count: number) => amount(count, "move"),
  start: "Drag a piece to slide it. Drag beside the puzzle to turn the view.",
  blocked: (name: string, by: readonly string[]) => `${name} is blocked by ${list(by)}.`,
  slid: (names: readonly string[], way: string) => `${verb(names, "slides", "slide")} ${way}.`,
  off: (names: readonly string[], left: number) =>
    `${verb(names, "comes", "come")} off. ${left === 1 ? "One piece is" : `${left} pieces are`} left here.`,
  hinted: (names: readonly string[], way: string, units: number, moves: number) =>
    moves === 1
      ? `Slide ${list(names)} out ${way}.`
      : `Slide ${list(names)} ${amount(units, "step")} ${way}: ${moves} moves until something comes off.`,
  hintedTurn: (words: string, moves: number) => `${words}: ${amount(moves, "move")} until something comes off.`,
  went: "The pieces have moved to the state you chose.",
  turned: (names: readonly string[]) => `${verb(names, "turns", "turn")}.`,
  /** How far it is until something comes off; null if nothing ever does, undefined if nobody knows. */
  distance: (way: { moves: number; most?: boolean } | null | undefined, whole: boolean) =>
    way === undefined
      ? ""
      : way === null
        ? "Nothing comes off from here by sliding."
        : `You are ${way.most ? "at most " : ""}${amount(way.moves, "move")} from the ${whole ? "first" : "next"} separation.`,
  thinking: "Looking for a way …",
  stuck: "Nothing comes off from here by sliding. Undo, or restart.",
  unknown: "No way was found in time. Undo a few moves and ask again.",
  over: (moves: number, shortest: number | null, hints: number) =>
    [
      `Taken apart in ${amount(moves, "move")}${hints ? `, with ${amount(hints, "hint")}` : ""}!`,
      ...(shortest === null
        ? []
        : [moves <= shortest ? "No known way is shorter." : `The shortest known way takes ${shortest}.`]),
    ].join(" "),
};
