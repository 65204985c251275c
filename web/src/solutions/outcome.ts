// How a run goes and how it ended, in words.

import type { RunData, SolveOptions } from "../messages";
import { sentence } from "../text";
import { amount } from "../words/amount";
import { said } from "../words/solutions";

/** Seconds as people say them: "a few seconds", "about 3 minutes". */
export function duration(seconds: number): string {
  if (seconds < 1) return said.lessThanASecond;
  if (seconds < 10) return said.aFewSeconds;
  if (seconds < 90) return said.about(amount(Math.round(seconds / 5) * 5, "second"));
  if (seconds < 90 * 60) return said.about(amount(Math.round(seconds / 60), "minute"));
  if (seconds < 36 * 3600) return said.about(amount(Math.round(seconds / 3600), "hour"));
  return seconds < 700 * 86400 ? said.about(amount(Math.round(seconds / 86400), "day")) : said.years;
}

/** The time something took, more exactly: "0.42 s", "3 min 20 s". */
export function took(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export const isGoing = (run: RunData | undefined) => run?.state === "starting" || run?.state === "running";

/** Whether what is kept of a run is all that there is. */
export const isComplete = (run: RunData) => run.state === "done" && run.kept === (run.solutions ?? run.assemblies);

/** What was found: solutions if it was taken apart, else assemblies. */
export const found = (run: RunData) =>
  run.solutions === null ? said.assemblies(run.assemblies) : said.solutions(run.solutions);

interface Outcome {
  readonly kind: "good" | "warn" | "bad";
  readonly text: string;
  /** What can be done about it. */
  readonly offer: "all" | "assemblies" | "again" | null;
}

/** How a run ended, null while it goes on or is paused. */
export function outcomeOf(run: RunData): Outcome | null {
  if (run.state === "chosen") return { kind: "good", text: said.chosen(run.kept), offer: null };
  if (run.state === "failed") return { kind: "bad", text: sentence(run.message || said.failed), offer: "again" };
  if (run.state === "limit") return { kind: "good", text: said.limitReached(found(run)), offer: "all" };
  if (run.state !== "done") return null;
  if (!run.assemblies) return { kind: "warn", text: sentence(run.message || said.noAssembly), offer: null };
  const why = [
    run.rigid ? said.rigid(run.rigid) : "",
    run.stuck ? said.stuck(run.stuck) : "",
    run.given_up ? said.givenUp(run.given_up) : "",
  ]
    .filter(Boolean)
    .join(" ");
  if (run.solutions === 0) {
    return {
      kind: "warn",
      text: `${said.noneApart(said.assemblies(run.assemblies))} ${why}`.trim(),
      offer: "assemblies",
    };
  }
  const count = run.solutions ?? run.assemblies;
  const of =
    run.solutions !== null && run.solutions < run.assemblies
      ? ` ${said.ofAssemblies(said.assemblies(run.assemblies))}`
      : "";
  const text = (count === 1 ? said.doneOne : said.done)(found(run) + of, took(run.seconds));
  return { kind: "good", text: `${text} ${why}`.trim(), offer: null };
}

/** How a run differs from the usual, to tell it from others: "mirror images counted separately, at most 100". */
export function optionsText(options: SolveOptions): string {
  const { ways } = said;
  const [what = "", count = ""] = options.keep.split(":");
  const parts = [
    options.disassemble ? "" : ways.disassemble,
    ...(["mirrors", "rotations", "thorough", "distinct_copies", "fine", "coordinate"] as const).map((name) =>
      options[name] ? ways[name] : "",
    ),
    options.turns === null ? "" : ways.turns(options.turns),
    count && `${ways.keep[what] ?? what} ${count}`,
    options.limit === null ? "" : ways.limit(options.limit),
  ].filter(Boolean);
  return parts.join(", ") || ways.plain;
}
