// The words of putting a puzzle together by hand, in the studio and on exported pages.

import { amount } from "./amount";

const list = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

export const built = {
  begin: "Put together",
  end: "Back to the solution",
  turn: "Turn",
  place: "Next place",
  out: (name: string) => `${name} lies beside the goal again.`,
  takeOut: "Take out",
  restart: "Restart",
  hint: "Hint",
  follow: "Do it",
  solve: "Solve it",
  stop: "Stop",
  newCard: "New card",
  pieces: "Pieces: choose one to place",
  given: "This piece is given: it stays where it is.",
  givenPieces: "Pieces given",
  left: (count: number) => `${amount(count, "piece")} left`,
  start: "Drag a piece into the goal. Choose one and press Turn to turn it.",
  card: (card: number, given: number, left: number) =>
    `Card ${card}: ${amount(given, "piece is given", "pieces are given")}. Find places for the other ${left}.`,
  chosen: (name: string) => `${name} is chosen: drag it into the goal, or turn it.`,
  turned: (name: string, ways: number) =>
    ways === 1 ? `${name} looks the same however it lies.` : `${name} turns. It can lie in ${ways} ways.`,
  back: (name: string) => `${name} goes back beside the goal.`,
  sticksOut: (name: string) => `${name} would stick out of the goal there. Turn it, or try another place.`,
  taken: (name: string, by: readonly string[]) =>
    `${name} does not fit there: ${list(by)} ${by.length === 1 ? "is" : "are"} in the way.`,
  nowhere: (name: string) => `${name} fits nowhere as it lies. Turn it, or take another piece out.`,
  dropped: (name: string, left: number) => `${name} fits. ${left === 1 ? "One piece is" : `${left} pieces are`} left.`,
  thinking: "Looking for a way …",
  unknown: "No hint was found in time. Take a piece out and ask again.",
  cannotStay: (name: string) => `The pieces cannot all stay: take ${name} out.`,
  hinted: (name: string) => `${name} is next. “Do it” puts it in its place.`,
  over: (hints: number) => `Solved${hints ? `, with ${amount(hints, "hint")}` : ""}!`,
};
