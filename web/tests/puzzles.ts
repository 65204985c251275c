import type { PuzzleData } from "../src/messages";

/** A puzzle of cubes with nothing in it. */
export const empty: PuzzleData = {
  grid: "cubes",
  title: "",
  designer: "",
  comment: "",
  popup: false,
  colours: [],
  shapes: [],
  problems: [],
};
