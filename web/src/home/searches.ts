// The searches of a folder as the gallery lists them.

import type { RunData, SearchData } from "../messages";

const ORDER: Readonly<Record<RunData["state"], number>> = {
  starting: 0,
  running: 0,
  paused: 1,
  limit: 1,
  failed: 1,
  done: 2,
  chosen: 3,
};

/** With what was heard of them meanwhile, and those that were heard of first; what goes on comes first. */
export function listed(
  searches: readonly SearchData[],
  heard: Readonly<Record<string, RunData>>,
): readonly SearchData[] {
  const now = searches.map(({ run, size }) => ({ run: heard[run.id] ?? run, size }));
  return now.sort((a, b) => ORDER[a.run.state] - ORDER[b.run.state]); // else in their order
}

export const canPause = ({ state }: RunData) => state === "starting" || state === "running";
export const canResume = ({ state }: RunData) => state === "paused" || state === "limit" || state === "failed";
