// The one state of the page. The puzzle is a value in a history; everything else is what the user looks at.
// Components read it; the functions in this folder change it.

import { isAlone } from "../alone";
import type { Connection } from "../events";
import type { History } from "../history";
import type { CollectionData, DesignData, DraftCard, HomeData, Opened, PuzzleData, RunData } from "../messages";
import { baseName, withoutEnding } from "../text";

export type Place = "shapes" | "problem" | "solutions" | "make" | "design";
const everywhere: readonly Place[] = ["shapes", "problem", "solutions"];
/** The places that there are; making and designing take a computer of one's own. */
export const PLACES: readonly Place[] = isAlone ? everywhere : [...everywhere, "make", "design"];
/** The parts of a place, of which small screens show one at a time. */
export type Pane = "list" | "view" | "more";
export type Dialog = "about" | "save as" | "conflict" | "export" | "share" | "keys";

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "good" | "warn" | "bad";
  readonly action: { readonly name: string; readonly act: () => void } | undefined;
}

const fileTitle = (place: string) => (place.startsWith("folder/") ? withoutEnding(baseName(place)) : "");

class Studio {
  /** Whether the server answers; the page works on without, and says so. */
  connection = $state<Connection>("up");
  home = $state.raw<HomeData | null>(null);
  /** Changes of puzzles that were never saved, by any tab. */
  drafts = $state.raw<readonly DraftCard[]>([]);
  /** The collection that is looked at, and which puzzle of it, by its sample. */
  collection = $state.raw<CollectionData | null>(null);
  sample = $state<number | null>(null);
  /** What fills collections, by their places; whether new puzzles are looked for without one that is open. */
  designs = $state.raw<Readonly<Record<string, DesignData>>>({});
  designing = $state(false);
  /** Where the puzzle lies, in which version, and its grid; null on the home page. */
  opened = $state.raw<Opened | null>(null);
  history = $state.raw<History<PuzzleData> | null>(null);
  /** The puzzle as it lies on disk. */
  saved = $state.raw<PuzzleData | null>(null);
  /** Runs whose solutions belong to the puzzle, and those that lie on disk with it. */
  kept = $state.raw<readonly string[]>([]);
  savedKept = $state.raw<readonly string[]>([]);
  /** Under what its draft is kept: its place, or new/ID while it has none. */
  key = "";
  /** How many puzzles were left so far: what was asked for one of them is not done to the next. */
  left = 0;

  place = $state<Place>("shapes");
  pane = $state<Pane>("view");
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
  /** What it is called: by its title, or else as its file is. */
  title = $derived(this.puzzle?.title || fileTitle(this.opened?.place ?? ""));
  changed = $derived(this.puzzle !== this.saved || this.kept !== this.savedKept);
}

export const studio = new Studio();
