// What the statistics draw: the goal's cells with how many solutions have a piece there, and the bars of a histogram.

import { bare, keyOf } from "../geometry";
import type { PositionsData } from "../messages";

/** All cells of the goal, those that a piece never covers with a count of 0: other pieces cover them. */
export function allCells(positions: readonly PositionsData[], piece: PositionsData): PositionsData["cells"] {
  const found = new Map<string, PositionsData["cells"][number]>();
  for (const { cells } of positions) for (const cell of cells) found.set(keyOf(cell), [...bare(cell), 0]);
  for (const cell of piece.cells) found.set(keyOf(cell), cell);
  return [...found.values()].sort((a, b) => a[2] - b[2] || a[1] - b[1] || a[0] - b[0] || a[3] - b[3]);
}

/** The pieces of a set by name: "A 2×B". */
export const namesOf = (copies: readonly number[], names: readonly string[]) =>
  copies
    .flatMap((count, at) => (count ? [count > 1 ? `${count}×${names[at] ?? ""}` : (names[at] ?? "")] : []))
    .join(" ");

/** A histogram of at most so many bars, each from one value to another: neighbouring values share one if there are more. */
export function barsOf(values: readonly { value: number; count: number }[], most = 24) {
  if (!values.length) return [];
  const low = Math.min(...values.map(({ value }) => value));
  const high = Math.max(...values.map(({ value }) => value));
  const width = Math.ceil((high - low + 1) / most);
  const bars = Array.from({ length: Math.ceil((high - low + 1) / width) }, (_, n) => ({
    from: low + n * width,
    to: Math.min(high, low + (n + 1) * width - 1),
    count: 0,
  }));
  for (const { value, count } of values) bars[Math.floor((value - low) / width)]!.count += count;
  return bars;
}
