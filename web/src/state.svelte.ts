// The one state of the page. The puzzle is a value in a history; everything else is what the user looks
// at. Components read it and call the functions below; none keeps a copy.

import * as api from "./api";
import * as drafts from "./drafts";
import { begun, done, redone, undone, type History } from "./history";
import type { HomeData, Opened, PuzzleData, RunData, Saved } from "./messages";
import { withoutEnding } from "./text";
import { words } from "./words";

export type Place = "shapes" | "problem" | "solutions";
export type Dialog = "about" | "save as" | "conflict" | "export" | "share" | "keys";

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
  /** Under what its draft is kept: its place, or new/ID while it has none. */
  key = "";
  busy = $state(false);

  place = $state<Place>("shapes");
  /** Which shape is edited, by its id, and which problem is looked at, counted from 0. */
  shape = $state<number | null>(null);
  problem = $state(0);
  /** Whether to solve and show at once how it comes apart. */
  play = $state(false);

  dialog = $state<Dialog | null>(null);
  runs = $state.raw<Readonly<Record<string, RunData>>>({});
  /** Which run is looked at, which of its solutions is watched, by number, and whether it still answers the puzzle. */
  run = $state<string | null>(null);
  number = $state<number | null>(null);
  fresh = $state(true);
  notices = $state.raw<readonly Notice[]>([]);
  dark = $state(false);

  puzzle = $derived(this.history?.now ?? null);
  changed = $derived(this.puzzle !== this.saved);
}

export const studio = new Studio();

// ---- changing the puzzle ----

/** Do something to the puzzle that can be undone, named as the user would: "colour 3 cells". */
export const act = (name: string, change: (puzzle: PuzzleData) => PuzzleData, key?: string) =>
  move((history) => done(history, name, change(history.now), key));
export const undo = () => move(undone);
export const redo = () => move(redone);

/** Through the history; what is selected may be gone there. */
function move(to: (history: History<PuzzleData>) => History<PuzzleData>): void {
  if (!studio.history) return;
  const { shapes, problems } = (studio.history = to(studio.history)).now;
  if (!shapes.some((shape) => shape.id === studio.shape)) studio.shape = shapes.at(-1)?.id ?? null;
  studio.problem = Math.max(0, Math.min(studio.problem, problems.length - 1));
  keepDraft();
}

// ---- opening and saving ----

/** Somewhere to go: home, a puzzle by its place, a new one on a grid, or one not saved yet by its id. */
export interface Target {
  place?: string;
  at?: Place;
  play?: boolean;
  grid?: string;
  id?: string;
}

/** The address of a target: #/, #/open?place=...&at=solutions&play=1, #/new?grid=...&id=... */
export function hashOf({ place, at, play, grid, id }: Target): string {
  const query = new URLSearchParams();
  if (place) query.set("place", place);
  if (grid) query.set("grid", grid);
  if (id) query.set("id", id);
  if (at) query.set("at", at);
  if (play) query.set("play", "1");
  return place ? `#/open?${query}` : grid || id ? `#/new?${query}` : "#/";
}

/** Go somewhere; the address bar knows, so that Back works. */
export function go(to: Target = {}): void {
  location.hash = hashOf(to);
}

/** Show another place of the puzzle. */
export function show(at: Place): void {
  studio.place = at;
  go({ ...here(), at });
}

const here = (): Target => (drafts.isNew(studio.key) ? { id: drafts.idOf(studio.key) } : { place: studio.key });

const placeNamed = (name: string | null): Place => (name === "problem" || name === "solutions" ? name : "shapes");

let arrivals = 0;
let visits = 0; // counts puzzles that were left

/** Show what the address bar says. */
export async function arrive(): Promise<void> {
  const [path = "", query] = location.hash.slice(2).split("?");
  const asked = new URLSearchParams(query);
  const short = /^(library|folder)\//.test(path); // #/library/soma, as the terminal writes it
  const place = short ? decodeURIComponent(path) : path === "open" ? (asked.get("place") ?? "") : "";
  const stays = studio.key === (place || drafts.keyOf(asked.get("id") ?? ""));
  if (!stays && !mayLeave()) {
    history.replaceState(null, "", hashOf({ ...here(), at: studio.place }));
    return;
  }
  const arrival = ++arrivals;
  try {
    studio.busy = true;
    if (place) {
      if (studio.key !== place) {
        const opened = await api.open(place);
        if (arrival !== arrivals) return;
        enter(opened);
        if (opened.puzzle.popup && !asked.has("play")) studio.dialog = "about";
      }
    } else if (path === "new") {
      const key = asked.has("id") ? drafts.keyOf(asked.get("id")!) : drafts.freshKey();
      if (studio.key !== key) {
        const draft = drafts.kept(localStorage, key);
        const found = draft && draft !== "damaged" ? draft.opened : null;
        const opened = found ?? (await api.create({ grid: asked.get("grid") ?? "cubes" }));
        if (arrival !== arrivals) return;
        enter(opened, key);
        if (draft && draft !== "damaged") takeOver(key, draft);
        if (found) studio.saved = null;
        const target = { grid: asked.get("grid") ?? "", id: drafts.idOf(key), at: placeNamed(asked.get("at")) };
        history.replaceState(null, "", hashOf(target));
      }
    } else {
      leave();
      const home = await api.home();
      if (arrival !== arrivals) return;
      studio.home = home;
    }
    studio.place = placeNamed(asked.get("at"));
    studio.play = asked.get("play") === "1";
  } catch (error) {
    if (arrival !== arrivals) return;
    complain(error);
    if (path) go();
  } finally {
    if (arrival === arrivals) studio.busy = false;
  }
}

/** Begin to work on a puzzle; changes of it that were never saved are brought back. */
export function enter(opened: Opened, key = opened.place || drafts.freshKey()): void {
  leave();
  studio.key = key;
  studio.opened = opened;
  studio.saved = opened.puzzle;
  studio.history = begun(opened.puzzle);
  studio.shape = opened.puzzle.shapes[0]?.id ?? null;
  studio.problem = 0;
  for (const warning of opened.warnings) notify(warning, "warn");
  if (drafts.isNew(key)) return;
  const draft = drafts.kept(localStorage, key);
  if (draft === "damaged") {
    drafts.drop(localStorage, key);
    notify(words.drafts.damaged, "warn");
  } else if (draft && draft.opened.version === opened.version) {
    studio.history = done(studio.history, words.drafts.change, draft.opened.puzzle);
    takeOver(key, draft);
    notify(words.drafts.restored, "warn", { name: words.drafts.discard, act: discard });
  } else if (draft) {
    // The file went on without these changes: they become a puzzle of their own, to be looked at.
    const id = drafts.freshKey();
    const apart = { ...draft.opened, place: "", version: "", writable: false };
    if (!drafts.keep(localStorage, id, apart, draft.time)) return;
    drafts.drop(localStorage, key);
    const look = () => go({ id: drafts.idOf(id) });
    notify(words.drafts.stale, "warn", { name: words.drafts.look, act: look });
  }
}

/** Back to the puzzle as it lies on disk; that can be undone. */
const discard = () => act(words.drafts.discarded, (now) => studio.saved ?? now);

export function leave(): void {
  writeDraft();
  visits++;
  studio.opened = studio.history = studio.saved = studio.dialog = null;
  studio.run = studio.number = null;
  studio.notices = studio.notices.filter((notice) => notice.kind === "bad");
  studio.key = "";
  drafted = false;
}

/** Open a file that was dropped on the page; it lies nowhere until it is saved. */
export async function openFile(file: File): Promise<void> {
  if (!mayLeave()) return;
  try {
    studio.busy = true;
    const opened = await api.importFile(file);
    const title = opened.puzzle.title || withoutEnding(file.name);
    enter({ ...opened, place: "", puzzle: { ...opened.puzzle, title } });
    studio.saved = null;
    studio.place = "shapes";
    writeDraft();
    history.pushState(null, "", hashOf(here()));
  } catch (error) {
    complain(error);
  } finally {
    studio.busy = false;
  }
}

let saving: Promise<unknown> = Promise.resolve();

/** One after the other, each going by what the one before has left; not for a puzzle that is no longer open. */
function queued(act: () => Promise<void>): Promise<void> {
  const asked = visits;
  const next = saving.catch(() => {}).then(() => (asked === visits ? act() : undefined));
  saving = next;
  return next;
}

/** Save where the puzzle lies; one that lies nowhere, or where nothing can be written, asks for a name. */
export const save = () => queued(saveHere);

/** Save at a place; throws what the server says if it refuses. With no version the place must be free. */
export const saveAt = (place: string, version = "") => queued(() => put(place, version));

async function saveHere(): Promise<void> {
  const { opened } = studio;
  if (!opened) return;
  if (!opened.writable || !opened.place) {
    studio.dialog = "save as";
    return;
  }
  try {
    await put(opened.place, opened.version);
  } catch (error) {
    if (error instanceof api.Refusal && error.reason === "conflict") await conflict(opened.place);
    else complain(error);
  }
}

/** The file is not what was opened: another version lies there, or it is gone and can be written again. */
async function conflict(place: string): Promise<void> {
  try {
    await api.open(place);
    studio.dialog = "conflict";
  } catch (error) {
    if (!(error instanceof api.Refusal) || error.reason !== "missing") return complain(error);
    await put(place, "").then(() => notify(words.drafts.again), complain);
  }
}

async function put(place: string, version: string): Promise<void> {
  const { opened, puzzle, key } = studio;
  if (!opened || !puzzle) return;
  const made = await api.save({ place, version, puzzle });
  for (const warning of made.warnings) notify(warning, "warn");
  if (studio.key !== key) return drafts.savedMeanwhile(localStorage, key, puzzle, made);
  if (made.place !== key) forgetDraft();
  studio.opened = { ...opened, place: made.place, version: made.version, writable: true };
  studio.key = made.place;
  studio.saved = puzzle;
  studio.dialog = null;
  writeDraft();
  inStep();
  if (made.place !== key) history.replaceState(null, "", hashOf({ place: made.place, at: studio.place }));
}

/** Take over the version that lies there now; ours, if it was changed, is one Undo away. False if nothing came of it. */
export async function loadOther(): Promise<boolean> {
  const { opened } = studio;
  if (!opened) return false;
  try {
    const other = await api.open(opened.place);
    if (studio.opened !== opened || !studio.history) return false;
    move((history) => (studio.changed ? done(history, words.drafts.loaded, other.puzzle) : begun(other.puzzle)));
    studio.opened = other;
    studio.saved = other.puzzle;
    studio.dialog = null;
    forgetDraft();
    inStep();
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

/** Save ours over the version that lies there now, which then is one Undo away. */
export async function overwriteOther(): Promise<void> {
  const ours = studio.puzzle;
  if (!(await loadOther()) || !ours) return;
  act(words.drafts.overwritten, () => ours);
  await save();
}

/** A puzzle was saved, here or in another tab. */
export async function heardSaved(saved: Saved): Promise<void> {
  await saving.catch(() => {});
  const { opened } = studio;
  if (!opened) studio.home = await api.home().catch(() => studio.home);
  else if (opened.place === saved.place && opened.version !== saved.version) {
    const text = studio.changed ? words.drafts.elsewhereChanged : words.drafts.elsewhere;
    notify(text, "warn", { name: words.drafts.reload, act: () => void loadOther() });
  }
}

/** Look for what was saved while nobody listened. */
export async function lookForSaved(): Promise<void> {
  await saving.catch(() => {});
  const { opened } = studio;
  const now = opened?.place ? await api.open(opened.place).catch(() => null) : null;
  if (now && studio.opened === opened) await heardSaved(now);
}

/** There is no other version any more that a notice could speak of. */
function inStep(): void {
  const texts: string[] = [words.drafts.elsewhere, words.drafts.elsewhereChanged];
  studio.notices = studio.notices.filter((notice) => !texts.includes(notice.text));
}

// ---- drafts: what is not saved outlives a reload ----

let waiting: ReturnType<typeof setTimeout> | undefined;
let drafted = false; // whether this tab has a draft of the puzzle lying there

const tab = (): string => (sessionStorage["kumitate tab"] ??= Math.random().toString(36).slice(2));

/** Whether leaving the page would lose changes. */
export const atRisk = () => studio.changed && !writeDraft();

/** What another tab kept, perhaps one of another day, is from now on this tab's. */
function takeOver(key: string, draft: drafts.Draft): void {
  drafted = drafts.keep(localStorage, key, draft.opened, draft.time, tab());
}

const mayLeave = () => !studio.opened || !atRisk() || confirm(words.drafts.lose);

function keepDraft(): void {
  clearTimeout(waiting);
  waiting = setTimeout(writeDraft, 300);
}

/** Write the draft now, false if there is no room for it, or another tab's lies there; also called when the page is left. */
export function writeDraft(): boolean {
  clearTimeout(waiting);
  const { opened, puzzle } = studio;
  if (!opened || !puzzle) return true;
  if (!studio.changed) {
    if (drafted) forgetDraft();
    return true;
  }
  if (drafts.isOthers(localStorage, studio.key, tab())) return false;
  const fits = drafts.keep(localStorage, studio.key, { ...opened, puzzle }, Date.now(), tab());
  drafted ||= fits;
  return fits;
}

function forgetDraft(): void {
  clearTimeout(waiting);
  if (!drafts.isOthers(localStorage, studio.key, tab())) drafts.drop(localStorage, studio.key);
  drafted = false;
}

// ---- saying things ----

let notices = 0;

export function notify(text: string, kind: Notice["kind"] = "good", action?: Notice["action"]): void {
  const notice = { id: ++notices, text, kind, action };
  studio.notices = [...studio.notices.filter((old) => old.text !== text), notice];
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
