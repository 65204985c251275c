// How the solutions of a run are looked at: which are listed, in which order, with pictures or without.

import { noFilter, type Filter } from "./rows";

export type Tab = "list" | "statistics" | "compare" | "states";

export interface Compared {
  readonly run: string;
  readonly number: number;
  readonly title: string; // of its puzzle
  readonly colours: readonly string[]; // of cells
  readonly painted: string | null; // the colours of its pieces
}

class Listing {
  tab = $state<Tab>("list");
  pictures = $state(false);
  /** A solution that the others are compared with, perhaps of another puzzle. */
  compared = $state.raw<Compared | null>(null);
  /** Whether what lies alike in both is only outlined. */
  outlined = $state(true);
  #wishes = $state.raw<Readonly<Record<string, Filter>>>({}); // by run, kept for a return to it

  filter(run: string): Filter {
    return this.#wishes[run] ?? noFilter;
  }
  wish(run: string, filter: Filter): void {
    this.#wishes = { ...this.#wishes, [run]: filter };
  }
  /** List only some solutions, and show them. */
  narrow(run: string, change: (filter: Filter) => Filter): void {
    this.wish(run, change(this.filter(run)));
    this.tab = "list";
  }
}

export const listing = new Listing();
