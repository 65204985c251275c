// Which rows of a long list are in view. Rows are equally high, so no row needs to exist to know where it
// is. A browser draws no element taller than some 17 million pixels; beyond TALLEST the scroll bar stands
// for the rows in proportion, and only what is in view is true to size.

import type { PageRequest } from "../messages";

export const ROW = 34;
export const PAGE = 100;
const TALLEST = 8_000_000;

export interface Window {
  readonly first: number; // of the rows that are drawn
  readonly end: number;
  readonly top: number; // where the first of them lies, in pixels of the scrolled height
  readonly height: number; // of all
}

/** What of `total` rows to draw, when so much is scrolled and seen. */
export function windowOf(scrolled: number, seen: number, total: number): Window {
  const height = Math.min(total * ROW, TALLEST);
  const at = firstSeen(scrolled, seen, total);
  const first = Math.min(Math.floor(at), Math.max(0, total - 1));
  const end = Math.min(total, Math.ceil(at + seen / ROW) + 1);
  return { first, end, top: total * ROW <= TALLEST ? first * ROW : scrolled - (at - first) * ROW, height };
}

/** The row at the upper edge, with its fraction. */
function firstSeen(scrolled: number, seen: number, total: number): number {
  const most = Math.max(0, Math.min(total * ROW, TALLEST) - seen);
  const at = Math.min(most, Math.max(0, scrolled));
  return total * ROW <= TALLEST ? at / ROW : (at / most) * (total - seen / ROW);
}

/** How far to scroll so that a row is wholly in view; as little as possible. */
export function scrollFor(row: number, scrolled: number, seen: number, total: number): number {
  const at = firstSeen(scrolled, seen, total);
  const fit = seen / ROW;
  const wanted = row < at ? row : row + 1 > at + fit ? row + 1 - fit : at;
  if (wanted === at) return scrolled;
  return total * ROW <= TALLEST ? wanted * ROW : (wanted / (total - fit)) * (TALLEST - seen);
}

/** The pages that rows from first to end lie on. */
export function pagesOf({ first, end }: { first: number; end: number }): number[] {
  const from = Math.floor(first / PAGE);
  return end > first ? Array.from({ length: Math.floor((end - 1) / PAGE) - from + 1 }, (_, n) => from + n) : [];
}

/** What to list, and how. */
export type Filter = Required<Omit<PageRequest, "first" | "count">>;

export const noFilter: Filter = {
  order: "found",
  min_level: null,
  max_level: null,
  min_moves: null,
  max_moves: null,
  uses: [],
  lacks: [],
};

/** Whether anything can be left out. */
export const filters = ({ order: _, uses, lacks, ...bounds }: Filter) =>
  uses.length + lacks.length > 0 || Object.values(bounds).some((bound) => bound !== null);
