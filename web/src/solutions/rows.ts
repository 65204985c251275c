// Which rows of a long list are in view. Rows are equally high, so no row needs to exist to know where it
// is. A browser draws no element taller than some 17 million pixels; beyond TALLEST the scroll bar stands
// for the rows in proportion, and only what is in view is true to size.

import type { FilterData } from "../messages";

export const ROW = 34; // pixels
export const TALL = 92; // with a picture
export const PAGE = 100;
const TALLEST = 8_000_000;

/** What of `total` rows to draw, when so much is scrolled and seen: the first and where it lies, in pixels of the height of all. */
export function windowOf(scrolled: number, seen: number, total: number, row = ROW) {
  const height = Math.min(total * row, TALLEST);
  const at = firstSeen(scrolled, seen, total, row);
  const first = Math.min(Math.floor(at), Math.max(0, total - 1));
  const end = Math.min(total, Math.ceil(at + seen / row) + 1);
  return { first, end, top: total * row <= TALLEST ? first * row : scrolled - (at - first) * row, height };
}

/** The row at the upper edge, with its fraction. */
function firstSeen(scrolled: number, seen: number, total: number, row: number): number {
  const most = Math.max(0, Math.min(total * row, TALLEST) - seen);
  const at = Math.min(most, Math.max(0, scrolled));
  return total * row <= TALLEST ? at / row : (at / most) * (total - seen / row);
}

/** How far to scroll so that a row is wholly in view; as little as possible. */
export function scrollFor(at: number, scrolled: number, seen: number, total: number, row = ROW): number {
  const first = firstSeen(scrolled, seen, total, row);
  const fit = seen / row;
  const wanted = at < first ? at : at + 1 > first + fit ? at + 1 - fit : first;
  if (wanted === first) return scrolled;
  return total * row <= TALLEST ? wanted * row : (wanted / (total - fit)) * (TALLEST - seen);
}

/** The pages that rows from first to end lie on. */
export function pagesOf({ first, end }: { first: number; end: number }): number[] {
  const from = Math.floor(first / PAGE);
  return end > first ? Array.from({ length: Math.floor((end - 1) / PAGE) - from + 1 }, (_, n) => from + n) : [];
}

/** What to list, and how. */
export type Filter = Required<FilterData>;

export const noFilter: Filter = {
  order: "found",
  min_level: null,
  max_level: null,
  min_moves: null,
  max_moves: null,
  uses: [],
  lacks: [],
  copies: null,
  alone: false,
  here: [],
};

/** Whether anything can be left out. */
export const filters = ({ order: _, uses, lacks, here, alone, ...bounds }: Filter) =>
  uses.length + lacks.length + here.length > 0 || alone || Object.values(bounds).some((bound) => bound !== null);

type Here = Filter["here"][number];
const same = (a: Here, b: Here) => a.piece === b.piece && a.colour === b.colour && a.cell.join() === b.cell.join();

/** With a wish for a cell, or without it if it was there. */
export const toggled = (filter: Filter, wish: Here): Filter => ({
  ...filter,
  here: filter.here.some((one) => same(one, wish))
    ? filter.here.filter((one) => !same(one, wish))
    : [...filter.here, wish],
});

/** With a piece exactly where it lies: on all of these cells. */
export const withPiece = (filter: Filter, piece: number, cells: readonly Here["cell"][]): Filter => ({
  ...filter,
  here: [
    ...filter.here.filter((one) => one.piece !== piece),
    ...cells.map((cell) => ({ cell, piece, colour: null }) satisfies Here),
  ],
});
