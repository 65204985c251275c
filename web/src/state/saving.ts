// Saving, and getting on with other versions of the same file: one that another tab or program has written.

import * as api from "../api";
import { begun, done } from "../history";
import type { Saved } from "../messages";
import { words } from "../words";
import { hashOf, here } from "./address";
import { act, move } from "./changes";
import { draftId, forgetDraft, listDrafts, savedMeanwhile, writeDraft } from "./keeping";
import { complain, notify } from "./notices";
import { studio } from "./studio.svelte";

let saving: Promise<unknown> = Promise.resolve();

/** One after the other, each going by what the one before has left; not for a puzzle that is no longer open. */
function queued(act: () => Promise<void>): Promise<void> {
  const asked = studio.left;
  const next = saving.catch(() => {}).then(() => (asked === studio.left ? act() : undefined));
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
  const { opened, puzzle, key, kept } = studio;
  if (!opened || !puzzle) return;
  const draft = draftId();
  const made = await api.save({ place, version, puzzle, kept: [...kept] });
  for (const warning of made.warnings) notify(warning, "warn");
  if (studio.key !== key) return savedMeanwhile(draft, puzzle, made);
  studio.opened = { ...opened, place: made.place, version: made.version, writable: true };
  studio.key = made.place;
  studio.saved = puzzle;
  studio.savedKept = kept;
  studio.dialog = null;
  writeDraft();
  inStep();
  if (made.place !== key) history.replaceState(null, "", hashOf(here()));
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
    studio.kept = studio.savedKept = other.kept ?? [];
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
  if (!opened)
    [studio.home, studio.drafts] = await Promise.all([api.home(), listDrafts()]).catch(() => [
      studio.home,
      studio.drafts,
    ]);
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
