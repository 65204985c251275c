// Runs of the puzzle that is open: found again after a reload, started, paused, discarded. Their progress
// arrives by itself in studio.runs; this file knows which of them belong to the current question.

import * as api from "../api";
import { DEFAULT_OPTIONS, type ChooseRequest, type RunData, type SolveOptions } from "../messages";
import { chosenColours } from "../puzzle";
import { complain, keepDraft, studio } from "../state";
import { messageOf, sentence } from "../text";
import { isGoing } from "./outcome";

const PLAYED = 1000; // solutions are enough when somebody just wants to watch

class Solving {
  options = $state.raw<SolveOptions>({
    ...DEFAULT_OPTIONS,
    disassemble: true,
    threads: Math.max(1, (navigator.hardwareConcurrency || 1) - 1), // one stays for the page
  });
  /** The runs of the question as it stands, the latest first. */
  ids = $state.raw<readonly string[]>([]);
  /** Whether the server has said which these are. */
  known = $state(false);
  /** Waiting for the server to do what a button asked for. */
  asking = $state(false);
  /** Why it refused. */
  refusal = $state("");
}

export const solving = new Solving();

export const shownRun = (): RunData | undefined => (studio.run === null ? undefined : studio.runs[studio.run]);

/** The colours that its pieces have by now; null if it is of an earlier version. */
export const coloursNow = () =>
  studio.fresh && studio.puzzle ? chosenColours(studio.puzzle, shownRun()?.problem ?? studio.problem) : null;

export function choose(run: string | null): void {
  if (studio.run === run) return;
  studio.run = run;
  studio.number = null;
}

let finds = 0;

/** Find the runs of the question as it stands, and show one: what goes on, else what is shown, else the latest. */
export async function findRuns(): Promise<void> {
  const { puzzle, problem } = studio;
  if (!puzzle?.problems[problem]) {
    solving.ids = [];
    choose(null);
    return;
  }
  const mine = ++finds;
  const before = studio.runs;
  solving.refusal = "";
  try {
    const { runs } = await api.runsOf({ puzzle, problem });
    if (mine !== finds || puzzle !== studio.puzzle || problem !== studio.problem) return;
    const silent = runs.filter(({ id }) => studio.runs[id] === before[id]); // of others there is newer news
    studio.runs = { ...studio.runs, ...Object.fromEntries(silent.map((run) => [run.id, run])) };
    solving.ids = runs.map(({ id }) => id);
    if (shownRun()?.problem !== problem) choose(null);
    if (!solving.ids.includes(studio.run ?? "")) {
      const next = runs.find(isGoing) ?? runs[0];
      if (next) choose(next.id);
    }
    studio.fresh = !studio.run || solving.ids.includes(studio.run);
    solving.known = true;
  } catch (error) {
    if (mine === finds) complain(error);
  }
}

/** Ask the server to do something to a run; what it told meanwhile by itself is newer than its answer. False if it
 * refused, or if somebody has gone on to another question. */
async function ask(question: () => Promise<RunData>): Promise<boolean> {
  const { runs: before, puzzle, problem } = studio;
  solving.asking = true;
  solving.refusal = "";
  try {
    const run = await question();
    if (studio.runs[run.id] === before[run.id]) studio.runs = { ...studio.runs, [run.id]: run };
    if (studio.puzzle !== puzzle || studio.problem !== problem) return false;
    solving.ids = [run.id, ...solving.ids.filter((id) => id !== run.id)];
    choose(run.id);
    studio.fresh = true;
    return true;
  } catch (error) {
    solving.refusal = sentence(messageOf(error));
    return false;
  } finally {
    solving.asking = false;
  }
}

export async function solve(options: SolveOptions = solving.options): Promise<boolean> {
  const { puzzle, problem } = studio;
  return puzzle !== null && ask(() => api.solve({ puzzle, problem, options }));
}

/** Show a run that was made otherwise. */
export const take = (run: RunData) => ask(() => Promise.resolve(run));

/** Pause or go on; a run of an earlier version stays one. */
export async function pauseOrResume(run: RunData): Promise<boolean> {
  const { fresh } = studio;
  const done = await ask(() => (isGoing(run) ? api.pause(run.id) : api.resume(run.id)));
  if (!fresh) {
    solving.ids = solving.ids.filter((id) => id !== run.id);
    studio.fresh = false;
  }
  return done;
}

/** Somebody came to watch: show what was taken apart before, or solve now; false if neither can be. */
export async function solveToWatch(): Promise<boolean> {
  const runs = solving.ids.flatMap((id) => studio.runs[id] ?? []);
  const run = runs.find((one) => one.options.disassemble && (one.kept || isGoing(one) || one.state === "paused"));
  if (!run) return solve({ ...solving.options, disassemble: true, limit: PLAYED });
  choose(run.id);
  return run.kept || isGoing(run) ? true : pauseOrResume(run);
}

/** Stop a run and throw away what it found. */
export async function drop(run: RunData): Promise<void> {
  solving.asking = true;
  try {
    await api.drop(run.id);
    const { [run.id]: _, ...others } = studio.runs;
    studio.runs = others;
    choose(null);
    await findRuns();
  } catch (error) {
    complain(error);
  } finally {
    solving.asking = false;
  }
}

// ---- choosing ----

/** The runs of the same question begin alike. */
const questionOf = (run: string) => run.split("-")[0];

/** Let the solutions of a run be saved with the puzzle, in place of others of the same question. */
export function keep(run: string): void {
  studio.kept = [...studio.kept.filter((one) => questionOf(one) !== questionOf(run)), run];
  keepDraft();
}

export const isKept = (run: string) => studio.kept.includes(run);

/** Choose among the solutions of a run: what is left is shown instead, and one Undo leads back. */
export async function select(run: RunData, request: ChooseRequest): Promise<void> {
  const before = studio.kept;
  if (!(await ask(() => api.choose(run.id, request)))) {
    if (solving.refusal) complain(new Error(solving.refusal));
    return;
  }
  const made = studio.run!;
  if (before.includes(run.id)) keep(made);
  origins = { ...origins, [made]: { run: run.id, kept: before } };
}

let origins = $state.raw<Readonly<Record<string, { run: string; kept: readonly string[] }>>>({}); // of chosen runs

/** What to call to go back to the solutions from which those of a run were chosen; null if that is not known. */
export function undoOf(run: string): (() => void) | null {
  const origin = origins[run];
  if (!origin || !studio.runs[origin.run]) return null;
  return () => {
    studio.kept = origin.kept;
    keepDraft();
    choose(origin.run);
  };
}
