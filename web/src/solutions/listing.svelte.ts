// How the solutions of a run are looked at: which are listed, in which order, with pictures or without.

import { noFilter, type Filter } from "./rows";

export type Tab = "list" | "statistics" | "compare" | "states";

class Listing {
  tab = $state<Tab>("list");
  pictures = $state(false);
  /** A solution that others are compared with, by its run and number. */
  compared = $state.raw<{ readonly run: string; readonly number: number } | null>(null);
  #wishes = $state.raw<Readonly<Record<string, Filter>>>({}); // by run, for who comes back to it

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
