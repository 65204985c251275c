// Where the user is, as the address bar has it, so that Back works and a place can be bookmarked.

import * as drafts from "../drafts";
import { studio, type Place } from "./studio.svelte";

/**
 * Somewhere to go: home, a puzzle by its place, a new one on a grid, or one not saved yet by its id; or a
 * collection by its place, and the puzzle of a sample in it; or where new puzzles are designed.
 */
export interface Target {
  readonly place?: string;
  readonly sample?: number;
  readonly grid?: string;
  readonly id?: string;
  readonly at?: Place;
  readonly play?: boolean;
  readonly problem?: number; // counted from 0
  readonly run?: string; // whose solutions to look at
  readonly export?: boolean;
  readonly design?: boolean;
}

/** Whether a place is that of a collection, which is no puzzle. */
export const isCollection = (place: string) => place.toLowerCase().endsWith(".kumitate");
/** Whether a place is that of a puzzle in a collection, which keeps a solution with it. */
export const isFound = (place: string) => /\.kumitate\/sample \d+$/i.test(place);

/** The address of a target: #/, #/design, #/open?place=...&at=solutions&play=1, #/new?grid=...&id=... */
export function hashOf(target: Target): string {
  const { place, grid, id, design } = target;
  const asked = Object.entries(target).filter(([, value]) => value);
  const query = new URLSearchParams(asked.map(([name, value]) => [name, value === true ? "1" : String(value)]));
  return place ? `#/open?${query}` : grid || id ? `#/new?${query}` : design ? "#/design" : "#/";
}

/** The target of an address; the terminal, and the gallery of a site, write short ones such as #/library/soma. */
export function targetOf(hash: string): Target {
  const [path = "", query] = hash.slice(2).split("?");
  const asked = new URLSearchParams(query);
  const value = (name: string) => asked.get(name) || undefined;
  const at = value("at");
  const view = {
    at: at === "problem" || at === "solutions" || at === "make" || at === "design" ? at : "shapes",
    play: asked.get("play") === "1",
    ...(asked.get("export") === "1" && { export: true }),
    ...(value("problem") && { problem: Number(value("problem")) }),
    ...(value("run") && { run: value("run")! }),
    ...(value("sample") && { sample: Number(value("sample")) }),
  } as const;
  if (/^(library|folder|site)\//.test(path)) return { place: decodeURIComponent(path), ...view };
  if (path === "open" && value("place")) return { place: value("place")!, ...view };
  if (path === "new") {
    const [grid, id] = [value("grid"), value("id")];
    return { ...(id ? { id } : { grid: "cubes" }), ...(grid && { grid }), ...view };
  }
  return path === "design" ? { design: true } : {};
}

/** Where the user is now. */
export const here = (): Target => ({
  ...(drafts.isNew(studio.key) ? { id: drafts.idOf(studio.key) } : { place: studio.key }),
  at: studio.place,
});

/** Go somewhere. */
export function go(to: Target = {}): void {
  location.hash = hashOf(to);
}

/** Show another place of the puzzle. */
export function show(at: Place): void {
  [studio.place, studio.pane] = [at, "view"];
  go(here());
}
