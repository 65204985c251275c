// Which cards of a collection are shown, and in which order.

import type { FoundCard } from "../messages";

/** What must be true of a card, by filter; a filter without a value lets all pass. */
export type Wish = Readonly<Partial<Record<Filter, number>>>;
export type Filter = keyof typeof FILTERS;
export type Order = keyof typeof ORDERS;

const smallest = (card: FoundCard) => card.pieces[0] ?? 0;

/** What a filter compares, and how: with the least value wanted, the most, or just one. */
export const FILTERS = {
  level: { of: (card: FoundCard) => card.level, passes: (value: number, wish: number) => value >= wish },
  pieces: { of: (card: FoundCard) => card.pieces.length, passes: (value: number, wish: number) => value === wish },
  smallest: { of: smallest, passes: (value: number, wish: number) => value >= wish },
  holes: { of: (card: FoundCard) => card.holes, passes: (value: number, wish: number) => value <= wish },
  solutions: { of: (card: FoundCard) => card.solutions ?? 0, passes: (value: number, wish: number) => value === wish },
} as const;

/** By what cards are sorted, the lowest first; equal ones stay the best first. */
export const ORDERS = {
  best: () => 0,
  moves: (card: FoundCard) => -card.moves,
  holes: (card: FoundCard) => card.holes,
  pieces: (card: FoundCard) => card.pieces.length,
  smallest: (card: FoundCard) => -smallest(card),
  sample: (card: FoundCard) => card.sample,
} as const;

const filters = Object.keys(FILTERS) as Filter[];

/** The cards that a wish lets pass, in order. */
export function chosen(cards: readonly FoundCard[], wish: Wish, order: Order = "best"): FoundCard[] {
  const passes = (card: FoundCard) =>
    filters.every((name) => wish[name] === undefined || FILTERS[name].passes(FILTERS[name].of(card), wish[name]));
  return cards.filter(passes).sort((a, b) => ORDERS[order](a) - ORDERS[order](b) || a.number - b.number);
}

/** The values to choose from in a filter: none if the cards do not differ, as then it would change nothing. */
export function choices(cards: readonly FoundCard[], filter: Filter): number[] {
  const values = [...new Set(cards.map(FILTERS[filter].of))].sort((a, b) => a - b);
  if (filter === "solutions") return values.length > 1 && values.includes(1) ? [1] : [];
  const useless = filter === "holes" ? values.at(-1) : filter === "pieces" ? undefined : values[0];
  return values.length > 1 ? values.filter((value) => value !== useless) : [];
}
