// Drafts of the puzzle: changes that are not saved outlive a reload, a crash and the server.
//
// Each page keeps a draft of its own, so no tab overwrites another's. Whoever opens the puzzle next takes over a draft
// whose tab has gone; which tabs are there, the browser knows by their locks.

import * as api from "../api";
import * as drafts from "../drafts";
import type { DraftCard, DraftData, DraftRequest, PuzzleData, Saved } from "../messages";
import { words } from "../words";
import { complain } from "./notices";
import { studio } from "./studio.svelte";

const tab = drafts.freshId(); // of this page alone: a tab that was duplicated is another one
const lockOf = (name: string) => `tab ${name}`;

/** Show the other tabs that this one is there, until it is left. */
export function appear(): void {
  const left = new Promise<void>((leave) => addEventListener("pagehide", () => leave()));
  if ("locks" in navigator) void navigator.locks.request(lockOf(tab), () => left);
}

/** Whether another tab is there. Only loopback addresses have locks; by another, nobody is, and the server has the last word. */
async function isThere(name: string): Promise<boolean> {
  if (name === tab || !("locks" in navigator)) return false;
  const { held } = await navigator.locks.query();
  return !!held?.some((lock) => lock.name === lockOf(name));
}

// ---- the draft of the puzzle that is open ----

let id = drafts.freshId();
let before = ""; // whose it was
let current: DraftRequest | null = null; // as it was last written
let safe: PuzzleData | null = null; // what the server has of it
let timer: ReturnType<typeof setTimeout> | undefined;

/** Which draft that is. */
export const draftId = () => id;

/** Whether leaving the page would lose changes. */
export const atRisk = () => studio.changed && !writeDraft();

export const mayLeave = () => !studio.opened || !atRisk() || confirm(words.drafts.lose);

export function keepDraft(): void {
  clearTimeout(timer);
  timer = setTimeout(writeDraft, 300);
}

/** Write the draft now; false if only this page has the changes. Also called when the page is left. */
export function writeDraft(): boolean {
  clearTimeout(timer);
  const { opened, puzzle } = studio;
  if (!opened || !puzzle) return true;
  if (!studio.changed) {
    if (current) forgetDraft();
    return true;
  }
  if (safe === puzzle) return true;
  const { place, version, writable } = opened;
  current = { place, version, writable, puzzle, time: Date.now(), tab, before };
  const fits = drafts.keep(localStorage, id, current);
  send(id, current);
  return fits;
}

/** There is nothing any more that is not saved. */
export function forgetDraft(): void {
  clearTimeout(timer);
  void discardDraft(id);
  current = safe = null;
}

/** Begin with a puzzle that has no draft yet. */
export function beginDraft(fresh: string): void {
  id = fresh;
  before = "";
  current = safe = null;
}

/** Go on with a draft whose tab has gone; from now on it is this page's. */
export function takeOver(found: Found): void {
  ({ id } = found);
  before = found.draft.tab;
  writeDraft();
}

/** A puzzle was left while it was being saved: what was changed after that is a draft of what lies there now. */
export function savedMeanwhile(of: string, puzzle: PuzzleData, { place, version }: Saved): void {
  const draft = latest.get(of) ?? null;
  if (!draft || draft.puzzle === puzzle) void discardDraft(of);
  else send(of, { ...draft, place, version, writable: true });
}

// ---- the server's side ----

let sending: Promise<unknown> = Promise.resolve();
const latest = new Map<string, DraftRequest>(); // what this page has written, by id

const queued = (act: () => Promise<unknown>) => (sending = sending.then(act).catch(complain));

function send(to: string, draft: DraftRequest): void {
  latest.set(to, draft);
  void queued(async () => {
    if (latest.get(to) !== draft) return; // a later one follows
    try {
      await api.keepDraft(to, draft);
    } catch (error) {
      if (error instanceof api.Refusal && error.reason === "conflict") return apart(to, draft);
      latest.delete(to); // it waits in the outbox
      throw error;
    }
    drafts.drop(localStorage, to, draft.time);
    if (to === id) {
      before = tab;
      if (draft === current) safe = draft.puzzle;
    }
  });
}

/** Another tab has written there: this page keeps its changes elsewhere. */
function apart(from: string, draft: DraftRequest): void {
  const fresh = drafts.freshId();
  drafts.drop(localStorage, from);
  latest.delete(from);
  drafts.keep(localStorage, fresh, draft);
  if (from === id) id = fresh;
  send(fresh, draft);
}

export function discardDraft(which: string): Promise<unknown> {
  drafts.drop(localStorage, which);
  latest.delete(which);
  return queued(() => api.dropDraft(which));
}

/** Send what waits in the outbox, perhaps since another day. */
export function sendWaiting(): Promise<unknown> {
  for (const each of drafts.waiting(localStorage)) if (!latest.has(each.id)) send(each.id, each.draft);
  return sending;
}

/** All drafts that the server has. */
export async function listDrafts(): Promise<DraftCard[]> {
  await sendWaiting();
  return (await api.drafts()).drafts;
}

/** A draft that was found. */
export interface Found {
  readonly id: string;
  readonly draft: DraftData;
  /** Whether another tab works on it. */
  readonly taken: boolean;
}

/** A draft by its id. */
export async function findDraft(id: string): Promise<Found | null> {
  await sendWaiting();
  try {
    const draft = await api.draft(id);
    return { id, draft, taken: await isThere(draft.tab) };
  } catch (error) {
    if (error instanceof api.Refusal && error.reason === "missing") return null;
    throw error;
  }
}

/** The latest draft of a puzzle that nobody works on; if there is none, the latest of another tab. */
export async function findDraftOf(place: string): Promise<Found | null> {
  let other: Found | null = null;
  for (const card of await listDrafts()) {
    if (card.place !== place) continue;
    const found = await findDraft(card.id);
    if (found && !found.taken) return found;
    other ??= found;
  }
  return other;
}

/** Let a draft lie for itself: the file that it changed has gone on without it. */
export function detach({ id: which, draft }: Found): void {
  const { puzzle } = draft.opened;
  send(which, { place: "", version: "", writable: false, puzzle, time: draft.time, tab, before: draft.tab });
}
