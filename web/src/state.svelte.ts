// The one state of the page. The puzzle is a value in a history; everything else is what the user looks
// at. Components read it and call the functions below; none keeps a copy.

import * as api from "./api";
import { begun, done, redone, undone, type History } from "./history";
import type { HomeData, Opened, PuzzleData, RunData } from "./messages";
import { words } from "./words";

export type Place = "shapes" | "problem" | "solutions";

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "good" | "warn" | "bad";
  readonly action: { readonly name: string; readonly act: () => void } | undefined;
}

class Studio {
  home = $state.raw<HomeData | null>(null);
  /** Where the puzzle lies, in which version, and its grid; null on the home page. */
  opened = $state.raw<Opened | null>(null);
  history = $state.raw<History<PuzzleData> | null>(null);
  /** The puzzle as it lies on disk. */
  saved = $state.raw<PuzzleData | null>(null);
  busy = $state(false);

  place = $state<Place>("shapes");
  /** Which shape is edited, by its id, and which problem is looked at, counted from 0. */
  shape = $state<number | null>(null);
  problem = $state(0);

  runs = $state.raw<Readonly<Record<string, RunData>>>({});
  notices = $state.raw<readonly Notice[]>([]);
  dark = $state(false);

  puzzle = $derived(this.history?.now ?? null);
  changed = $derived(this.puzzle !== this.saved);
}

export const studio = new Studio();

// ---- changing the puzzle ----

/** Do something to the puzzle that can be undone, named as the user would: "colour 3 cells". */
export function act(name: string, change: (puzzle: PuzzleData) => PuzzleData, key?: string): void {
  if (!studio.history) return;
  studio.history = done(studio.history, name, change(studio.history.now), key);
  keepDraft();
}

export function undo(): void {
  if (studio.history) studio.history = undone(studio.history);
  keepDraft();
}

export function redo(): void {
  if (studio.history) studio.history = redone(studio.history);
  keepDraft();
}

// ---- opening and saving ----

/** Go somewhere; the address bar knows, so that Back works: #/, #/open?place=...&at=problem, #/new?grid=... */
export function go(to: { place?: string; at?: Place; grid?: string } = {}): void {
  const query = new URLSearchParams();
  if (to.place) query.set("place", to.place);
  if (to.at) query.set("at", to.at);
  if (to.grid) query.set("grid", to.grid);
  location.hash = to.place ? `#/open?${query}` : to.grid ? `#/new?${query}` : "#/";
}

/** Show what the address bar says. */
export async function arrive(): Promise<void> {
  const [path, query] = location.hash.slice(2).split("?");
  const asked = new URLSearchParams(query);
  const place = asked.get("place");
  try {
    studio.busy = true;
    if (path === "open" && place) {
      if (studio.opened?.place !== place) enter(await api.open(place));
      const at = asked.get("at");
      if (at === "shapes" || at === "problem" || at === "solutions") studio.place = at;
    } else if (path === "new") {
      enter(await api.create({ grid: asked.get("grid") ?? "cubes" }));
      studio.place = "shapes";
    } else {
      leave();
      studio.home = await api.home();
    }
  } catch (error) {
    complain(error);
    if (path) go();
  } finally {
    studio.busy = false;
  }
}

/** Begin to work on a puzzle; changes of it that were never saved are brought back. */
export function enter(opened: Opened): void {
  studio.opened = opened;
  studio.saved = opened.puzzle;
  studio.history = begun(opened.puzzle);
  studio.shape = opened.puzzle.shapes[0]?.id ?? null;
  studio.problem = 0;
  for (const warning of opened.warnings) notify(warning, "warn");
  const draft = readDraft(opened.place);
  if (draft && draft.version === opened.version) {
    studio.history = done(studio.history, words.restored, draft.puzzle);
    notify(words.restored, "warn", { name: words.discard, act: undo });
  }
}

export function leave(): void {
  studio.opened = studio.history = studio.saved = null;
}

/** Save where the puzzle lies, or at a new place; false if that was refused. */
export async function save(place = studio.opened?.place ?? ""): Promise<boolean> {
  const { opened, puzzle } = studio;
  if (!opened || !puzzle) return false;
  try {
    const version = place === opened.place ? opened.version : "";
    const made = await api.save({ place, version, puzzle: $state.snapshot(puzzle) as PuzzleData });
    dropDraft(opened.place);
    studio.opened = { ...opened, place: made.place, version: made.version, writable: true };
    studio.saved = puzzle;
    for (const warning of made.warnings) notify(warning, "warn");
    if (made.place !== opened.place) {
      history.replaceState(null, "", `#/open?${new URLSearchParams({ place: made.place, at: studio.place })}`);
    }
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

// ---- drafts: what is not saved outlives a reload ----

interface Draft { version: string; puzzle: PuzzleData }

let waiting: ReturnType<typeof setTimeout> | undefined;

function keepDraft(): void {
  clearTimeout(waiting);
  waiting = setTimeout(writeDraft, 300);
}

/** Write the draft now; also called when the page is left. */
export function writeDraft(): void {
  clearTimeout(waiting);
  const { opened, puzzle } = studio;
  if (!opened || !puzzle) return;
  if (!studio.changed) return dropDraft(opened.place);
  try {
    localStorage.setItem(`draft:${opened.place}`, JSON.stringify({ version: opened.version, puzzle }));
  } catch {
    // Too large for the browser to keep; leaving the page then asks first.
  }
}

function readDraft(place: string): Draft | null {
  const text = localStorage.getItem(`draft:${place}`);
  return text ? (JSON.parse(text) as Draft) : null;
}

const dropDraft = (place: string) => localStorage.removeItem(`draft:${place}`);

// ---- saying things ----

let notices = 0;

export function notify(text: string, kind: Notice["kind"] = "good", action?: Notice["action"]): void {
  const notice = { id: ++notices, text, kind, action };
  studio.notices = [...studio.notices, notice];
  if (kind === "good") setTimeout(() => dismiss(notice.id), 4000);
}

export const dismiss = (id: number) => {
  studio.notices = studio.notices.filter((notice) => notice.id !== id);
};

export function complain(error: unknown): void {
  notify(error instanceof Error ? error.message : String(error), "bad");
}

// ---- light and dark ----

/** As the system has it, until the user says otherwise. */
export function setTheme(dark?: boolean): void {
  if (dark !== undefined) localStorage.setItem("theme", dark ? "dark" : "light");
  const chosen = localStorage.getItem("theme");
  studio.dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = studio.dark ? "dark" : "light";
}
