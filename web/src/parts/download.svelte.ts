// Files are made beside the work: a dialog may close while one is being made, and it still arrives.

import * as api from "../api";
import { shownRun } from "../solutions/solving.svelte";
import { complain, handOver, isFound, notify, studio } from "../state";
import { words } from "../words";
import { requestFor, type Kind, type There } from "./export";

class Downloads {
  /** What is being made, by what it is called. */
  making = $state.raw<readonly string[]>([]);

  /** The solution that is watched. */
  watched = $derived.by(() => {
    const run = shownRun();
    return run && studio.number !== null ? { run: run.id, number: studio.number } : null;
  });
  /** Whether the puzzle is one of a collection, unchanged, so that the solution kept there can be shown. */
  kept = $derived(this.watched === null && !studio.changed && isFound(studio.opened?.place ?? ""));
  there: There = $derived({
    pieces: studio.puzzle?.shapes.some((shape) => shape.cells.length > 0) ?? false,
    solution: this.watched !== null || this.kept,
    apart: this.kept || (this.watched !== null && !!shownRun()?.options.disassemble),
    fresh: this.kept || studio.fresh,
  });
}

export const downloads = new Downloads();

/** What a kind of file is called while it is made. */
export const nameOf = ({ to, show }: Kind) => `${to} ${show}`.trim();

/** Make a file of the puzzle or of the solution that is watched, and hand it to the browser. */
export async function download(
  kind: Kind,
  watched = downloads.watched,
  make: Record<string, boolean | number | number[]> = {},
): Promise<void> {
  const name = nameOf(kind);
  const { puzzle, problem } = studio;
  if (!puzzle || downloads.making.includes(name)) return;
  downloads.making = [...downloads.making, name];
  try {
    const kept = downloads.kept ? (await api.content<{ file: string }>(studio.opened!.place)).file : "";
    const request = requestFor(kind, { puzzle, problem }, watched, make);
    const { file, lost } = await api.exported({ ...request, kept });
    handOver(file);
    if (lost) notify(words.export.lost(file.name, lost), "warn");
  } catch (error) {
    complain(error);
  } finally {
    downloads.making = downloads.making.filter((other) => other !== name);
  }
}
