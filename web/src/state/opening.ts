// Opening and leaving puzzles.

import * as api from "../api";
import * as drafts from "../drafts";
import { begun, done } from "../history";
import type { Opened } from "../messages";
import { withoutEnding } from "../text";
import { words } from "../words";
import { go, hashOf, here, isCollection, targetOf } from "./address";
import { act } from "./changes";
import {
  beginDraft,
  detach,
  findDraft,
  findDraftOf,
  forgetDraft,
  type Found,
  listDrafts,
  mayLeave,
  takeOver,
  writeDraft,
} from "./keeping";
import { complain, notify } from "./notices";
import { studio, type Place } from "./studio.svelte";

export const AT_ONCE = 100; // cards of a collection that are loaded together

const DAMAGED = "damaged";

let arrivals = 0;

/** What was kept cannot be read: the puzzle opens as it was saved. */
function damage(error: unknown): typeof DAMAGED {
  if (api.isLost(error)) throw error;
  return DAMAGED;
}

/** Show what the address bar says. */
export async function arrive(): Promise<void> {
  const to = targetOf(location.hash);
  const { place } = to;
  if (studio.key !== (place ?? drafts.keyOf(to.id ?? "")) && !mayLeave()) {
    history.replaceState(null, "", hashOf(here()));
    return;
  }
  const arrival = ++arrivals;
  try {
    if (studio.collection?.place !== place) studio.collection = null;
    if (!to.design) studio.designing = false;
    if (place && isCollection(place)) {
      leave();
      if (!studio.collection) {
        const found = await api.collection(place, 1, AT_ONCE);
        if (arrival !== arrivals) return;
        studio.collection = found;
      }
      studio.sample = to.sample ?? null;
    } else if (place) {
      if (studio.key !== place) {
        const [opened, draft] = await Promise.all([api.open(place), findDraftOf(place).catch(damage)]);
        if (arrival !== arrivals) return;
        enter(opened);
        if (to.problem && to.problem in opened.puzzle.problems) studio.problem = to.problem;
        if (to.run) studio.run = to.run;
        if (draft === DAMAGED) notify(words.drafts.damaged, "warn");
        else if (draft) restore(draft);
        if (to.export) studio.dialog = "export";
        else if (opened.puzzle.popup && !to.play) studio.dialog = "about";
      }
    } else if (to.grid || to.id) {
      if (!to.id || studio.key !== drafts.keyOf(to.id)) {
        const found = to.id ? await findDraft(to.id) : null;
        const opened = found?.draft.opened ?? (await api.create({ grid: to.grid ?? "cubes" }));
        if (arrival !== arrivals) return;
        const key = to.id && !found?.taken ? drafts.keyOf(to.id) : drafts.freshKey();
        enter({ ...opened, place: "", version: "", writable: false }, key);
        if (found) {
          studio.saved = null;
          if (found.taken) notify(words.drafts.copy, "warn");
          else takeOver(found);
        }
        history.replaceState(null, "", hashOf({ ...to, id: drafts.idOf(key) }));
      }
    } else if (to.design) {
      leave();
      studio.designing = true;
    } else {
      const nowhere = !/^(#\/?)?$/.test(location.hash);
      leave();
      if (nowhere) {
        notify(words.home.noSuchPlace, "warn");
        history.replaceState(null, "", hashOf({}));
      }
      const [home, unsaved] = await Promise.all([api.home(), listDrafts().catch(() => [])]);
      if (arrival !== arrivals) return;
      studio.home = home;
      studio.drafts = unsaved;
    }
    studio.place = to.at ?? "shapes";
    studio.play = to.play ?? false;
  } catch (error) {
    if (arrival !== arrivals) return;
    complain(error);
    if (place || to.grid || to.id) go();
  }
}

/** Begin to work on a puzzle. */
export function enter(opened: Opened, key = opened.place || drafts.freshKey()): void {
  leave();
  beginDraft(drafts.isNew(key) ? drafts.idOf(key) : drafts.freshId());
  studio.key = key;
  studio.opened = opened;
  studio.saved = opened.puzzle;
  studio.kept = studio.savedKept = opened.kept ?? [];
  studio.history = begun(opened.puzzle);
  studio.shape = opened.puzzle.shapes[0]?.id ?? null;
  studio.problem = 0;
  for (const warning of opened.warnings) notify(warning, "warn");
}

/** Bring back changes of the puzzle that were never saved. */
function restore(found: Found): void {
  const { opened, history } = studio;
  const { version, puzzle } = found.draft.opened;
  if (found.taken) return notify(words.drafts.otherTab, "warn");
  if (JSON.stringify(puzzle) === JSON.stringify(opened?.puzzle)) {
    takeOver(found);
    forgetDraft();
  } else if (version === opened?.version) {
    studio.history = done(history!, words.drafts.change, puzzle);
    takeOver(found);
    notify(words.drafts.restored, "warn", { name: words.drafts.discard, act: discard });
  } else {
    // The file went on without these changes: they become a puzzle of their own, to be looked at.
    detach(found);
    notify(words.drafts.stale, "warn", { name: words.drafts.look, act: () => go({ id: found.id }) });
  }
}

/** Back to the puzzle as it lies on disk; that can be undone. */
const discard = () => {
  studio.kept = studio.savedKept;
  act(words.drafts.discarded, (now) => studio.saved ?? now);
};

export function leave(): void {
  writeDraft();
  studio.left++;
  studio.opened = studio.history = studio.saved = studio.dialog = null;
  studio.run = studio.number = null;
  studio.kept = studio.savedKept = [];
  studio.notices = studio.notices.filter((notice) => notice.kind === "bad");
  studio.key = "";
}

/** Begin to work on a puzzle that lies nowhere yet. */
export function enterUnsaved(opened: Opened, place: Place = "shapes"): void {
  enter({ ...opened, place: "" });
  studio.saved = null;
  studio.place = place;
  writeDraft();
  history.pushState(null, "", hashOf(here()));
}

/** Go on with a copy of the puzzle in the cells of another grid. */
export async function regrid(grid: string): Promise<void> {
  const { puzzle } = studio;
  if (!puzzle || !mayLeave()) return;
  const opened = await api.regrid({ puzzle, grid });
  if (studio.puzzle === puzzle) enterUnsaved(opened);
}

/** Open a file that was dropped on the page; it lies nowhere until it is saved. */
export async function openFile(file: File): Promise<void> {
  if (!mayLeave()) return;
  try {
    const opened = await api.importFile(file);
    const title = opened.puzzle.title || withoutEnding(file.name);
    enterUnsaved({ ...opened, puzzle: { ...opened.puzzle, title } });
  } catch (error) {
    complain(error);
  }
}
