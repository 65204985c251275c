// The words of the cards of a collection, in exported pages and in the studio.

import { amount, numeral } from "./amount";

const listed = (sizes: readonly number[]) => (sizes.length > 8 ? `${sizes[0]!} to ${sizes.at(-1)!}` : sizes.join(", "));

export const said = {
  puzzles: "Puzzles found",
  filter: "Filter and sort",
  level: "Level",
  pieces: "Pieces",
  holes: "Holes",
  smallest: "Smallest piece",
  solutions: "Solutions",
  any: "any",
  atLeast: (value: number) => `${numeral(value)} or more`,
  exactly: (value: number) => numeral(value),
  atMost: (value: number) => (value ? `${numeral(value)} or fewer` : "none"),
  cells: (value: number) => `${amount(value, "cell")} or more`,
  unique: "unique",
  order: "Sort by",
  orders: {
    best: "best first",
    moves: "most moves",
    holes: "fewest holes",
    pieces: "fewest pieces",
    smallest: "smallest piece, largest first",
    sample: "in the order found",
  },
  /** How many cards pass the filters, of how many that are the best of a total. */
  shown: (count: number, of: number, total: number) =>
    (count < of ? `${numeral(count)} of ` : "") +
    (of < total ? `the best ${numeral(of)} of ${amount(total, "puzzle")}` : amount(of, "puzzle")),
  none: "No puzzle matches.",
  nothing: "This search has not found a puzzle yet.",
  clear: "Show all",
  more: "Load more",
  print: "Print",
  levelOf: (levels: string) => (levels ? `Level ${levels}` : "Not taken apart"),
  moves: (count: number) => amount(count, "move"),
  piecesOf: (sizes: readonly number[]) => `${amount(sizes.length, "piece")} of ${listed(sizes)} cells`,
  holesOf: (count: number) => (count ? amount(count, "hole") : "no holes"),
  solutionsOf: (count: number | null) =>
    count === null ? "solutions not counted" : count === 1 ? "unique solution" : amount(count, "solution"),
  falseOnes: (count: number) => amount(count, "false assembly", "false assemblies"),
  found: (comment: string, sample: number) => comment || `sample ${numeral(sample)}`,
  all: "All puzzles",
  before: "Previous",
  after: "Next",
  download: "Download",
  downloadHint: "The puzzle as a file that kumitate opens",
  studio: "Open in the studio",
  studioHint: "Draw, change and solve it, in this browser",
  opening: "Opening the puzzle",
  piecesTitle: "Pieces",
  stepsTitle: "How it comes apart",
} as const;
