// Which cards of the gallery are shown.

import type { Card, DraftCard, HomeData } from "../messages";

export interface Wish {
  readonly text: string;
  readonly kind: string; // "" for any
  readonly grid: string;
}

const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The cards that have every word of the text somewhere, in the kind and grid wished for. */
export function chosen(cards: readonly Card[], { text, kind, grid }: Wish): Card[] {
  const asked = plain(text).split(/\s+/).filter(Boolean);
  return cards.filter((card) => {
    if ((kind && card.kind !== kind) || (grid && card.grid !== grid)) return false;
    const said = plain([card.title, card.designer, card.place, card.grid, card.kind, card.known].join(" "));
    return asked.every((word) => said.includes(word));
  });
}

/** The folder's cards, the last saved first; what cannot be opened, last. */
export const latest = (cards: readonly Card[]) =>
  cards.toSorted((a, b) => Number(!!a.error) - Number(!!b.error) || (b.modified ?? 0) - (a.modified ?? 0));

/** The values that cards have in a field, the most frequent first; a choice of one is none. */
export function choices(home: HomeData, field: "kind" | "grid"): string[] {
  const counts = new Map<string, number>();
  for (const card of [...home.folder, ...home.library]) {
    if (!card.error && card[field]) counts.set(card[field], (counts.get(card[field]) ?? 0) + 1);
  }
  const found = [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  return found.length > 1 ? found : [];
}

/**
 * The drafts that are listed for themselves: of puzzles without a place, or with one that has no card (of the gallery
 * around this studio), and all but the latest of the others.
 */
export const looseDrafts = (drafts: readonly DraftCard[]) =>
  drafts.filter(
    ({ place }, at) => !place || place.startsWith("site/") || drafts.findIndex((draft) => draft.place === place) !== at,
  );
