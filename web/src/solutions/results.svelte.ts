// The solutions of a run, as far as they were looked at: pages of rows, asked for when they come into view.
//
// New solutions must not make the list jump. In the order found they only ever add to its end, so the list
// grows. In any other order they would push rows down; the list then stays as it is, and says how many
// came, until it is refreshed or stands at its top.

import * as api from "../api";
import type { RowData } from "../messages";
import { messageOf } from "../text";
import { filters, noFilter, PAGE, type Filter } from "./rows";

const MOST_PAGES = 60; // that are kept
const BREATH = 400; // milliseconds between two looks for new solutions

export class Results {
  /** How many solutions pass the filter. */
  total = $state(0);
  /** Whether the first answer is there. */
  known = $state(false);
  /** Solutions that came since the list was made. */
  waiting = $state(0);
  error = $state("");
  /** The rows in view. */
  seen = { first: 0, end: 0 };
  #pages = $state.raw<ReadonlyMap<number, readonly RowData[]>>(new Map());
  #run = "";
  #filter: Filter = noFilter;
  #grows = true;
  #kept = 0; // by the run, when the list was made
  #latest = 0; // by now
  #making = 0; // counts lists, so that an answer for an older one is dropped
  #asked = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  row(at: number): RowData | undefined {
    return this.#pages.get(Math.floor(at / PAGE))?.[at % PAGE];
  }

  /** Where a solution lies in the list, as far as is known. */
  find(number: number): number | undefined {
    for (const [page, rows] of this.#pages) {
      const at = rows.findIndex((row) => row.number === number);
      if (at >= 0) return page * PAGE + at;
    }
    return undefined;
  }

  /** List a run from its beginning; one that keeps all only ever adds to what it found. */
  list(run: string, filter: Filter, kept: number, keepsAll: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#run = run;
    this.#filter = filter;
    this.#grows = filter.order === "found" && keepsAll;
    this.known = false;
    this.error = "";
    this.#latest = kept;
    this.refresh();
  }

  /** Make the list anew; what is seen stays until the answer is there. */
  refresh(): void {
    this.#making++;
    this.#asked.clear();
    this.waiting = 0;
    void this.#ask(0, "anew");
  }

  /** The run has now kept so many. */
  grew(kept: number): void {
    if (kept === this.#latest) return;
    this.#latest = kept;
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#grows) void this.#ask(Math.floor(Math.max(0, this.seen.end - 1) / PAGE));
      else if (this.seen.first) this.waiting = Math.max(1, this.#latest - this.#kept);
      else void this.#ask(0, "at the top");
    }, BREATH);
  }

  /** Ask for pages that are not there yet. */
  need(pages: readonly number[]): void {
    for (const page of pages) {
      const rows = this.#pages.get(page);
      const whole = Math.min(PAGE, this.total - page * PAGE);
      if (!this.#asked.has(page) && (!rows || rows.length < whole)) void this.#ask(page);
    }
  }

  /** Where a solution is in the list, null if it does not pass the filter. */
  async look(number: number): Promise<number | null> {
    const [making, run] = [this.#making, this.#run];
    try {
      const { found } = await api.page(run, { ...this.#filter, first: 0, count: 0, find: number });
      return making === this.#making ? (found ?? null) : null;
    } catch (error) {
      this.error = messageOf(error);
      return null;
    }
  }

  /** Ask for a page; anew it replaces all others, if need be only while the list stands at its top. */
  async #ask(page: number, anew?: "anew" | "at the top"): Promise<void> {
    const [making, latest] = [this.#making, this.#latest];
    if (!this.#run) return;
    this.#asked.add(page);
    try {
      const request = { ...this.#filter, first: page * PAGE, count: PAGE };
      const { rows, total } = await api.page(this.#run, request);
      if (making !== this.#making) return;
      if (anew === "at the top" && this.seen.first) {
        this.waiting = Math.max(1, latest - this.#kept);
        return;
      }
      if (anew) this.#kept = latest;
      const pages = new Map(anew ? [] : this.#pages);
      pages.delete(page);
      pages.set(page, rows);
      for (const old of pages.keys()) if (pages.size > MOST_PAGES) pages.delete(old);
      this.#pages = pages;
      this.total = this.#grows && !filters(this.#filter) ? Math.max(total, anew ? 0 : this.total) : total;
      this.known = true;
      this.error = "";
    } catch (error) {
      if (making === this.#making) this.error = messageOf(error);
    } finally {
      if (making === this.#making) this.#asked.delete(page);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#making++;
  }
}
