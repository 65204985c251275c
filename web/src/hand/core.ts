// The core in a page: WebAssembly in a worker, so that the page stays alive however long it searches. It knows the
// nearest way from any position, and whether what is left of a goal can be filled. A page whose browser cannot run it
// searches by itself, more slowly (ways.ts, fitting.ts).

import { times } from "../vector";
import CoreWorker from "./core-worker?worker&inline";
import type { Fit, Fitting } from "./fitting";
import { moved, type Position, type Rules } from "./rules";
import type { Hint, SlideOn } from "./ways";

/** What the core is asked, in the numbers of core/wasm.cpp. */
export interface Question {
  readonly kind: "way" | "fill";
  readonly about: Int32Array;
  readonly from: Int32Array;
  readonly patience: number; // milliseconds
}
export interface Answer {
  readonly numbers: Int32Array;
  readonly over: boolean; // there is nothing more to find
}

export interface Core {
  /** The nearest way until something comes off; null if nothing ever does, undefined if nobody knows. */
  readonly way: (rules: Rules, at: Position, among: readonly number[]) => Promise<Hint | null | undefined>;
  /** Fill what is left of a goal: null if that cannot be done, undefined if nobody knows. */
  readonly fill: (fitting: Fitting, placed: readonly Fit[]) => Promise<readonly Fit[] | null | undefined>;
}

const PATIENCE = 3000; // milliseconds

/** The core whose file is packed (zlib, base64) in a page; null where it cannot run. */
export function coreIn(packed?: string): Core | null {
  if (!packed || typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") return null;
  return coreFrom(async () => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  });
}

type Ask = (question: Omit<Question, "patience">) => Promise<Answer | null>;

/** Starts the worker with the first question. One question is under way, the latest other one waits. */
function coreFrom(bytes: () => Promise<ArrayBuffer>): Core {
  let worker: Promise<Worker> | null = null;
  let idle: Promise<unknown> = Promise.resolve();
  let latest = 0;

  async function started(): Promise<Worker> {
    const made = new CoreWorker();
    const file = await bytes();
    made.postMessage(file, [file]);
    return made;
  }
  const ask: Ask = (question) => {
    const turn = ++latest;
    const answer = idle.then(async () => {
      if (turn !== latest) return null; // somebody wants to know something else by now
      const its = await (worker ??= started());
      return new Promise<Answer | null>((resolve) => {
        its.onmessage = ({ data }) => resolve(data as Answer | null);
        its.onerror = () => resolve(null);
        its.postMessage({ ...question, patience: PATIENCE });
      });
    });
    idle = answer.catch(() => {});
    return answer.catch(() => null);
  };
  return { way: waysBy(ask), fill: (fitting, placed) => filled(ask, fitting, placed) };
}

// ---- taking apart ----

function waysBy(ask: Ask): Core["way"] {
  const known = new Map<string, Hint>(); // on ways that were found
  const pieces = new WeakMap<Rules, Int32Array>();
  const keyOf = ({ turns }: Rules, at: Position, among: readonly number[]) =>
    JSON.stringify(among.map((body) => [body, turns[body], at[body]]));

  return async (rules, at, among) => {
    if (!among.every((body) => at[body]!.every(Number.isInteger))) return undefined; // between the cells
    const before = known.get(keyOf(rules, at, among));
    if (before) return before;
    const about = pieces.get(rules) ?? questionOf(rules);
    pieces.set(rules, about);
    const from = Int32Array.from(among.flatMap((body) => [body, ...at[body]!]));
    const answer = await ask({ kind: "way", about, from });
    if (!answer) return undefined;
    const slides = slidesIn(answer.numbers, among);
    if (!slides.length) return answer.over ? null : undefined;
    for (const [n, { moving, step, units }] of slides.entries()) {
      known.set(keyOf(rules, at, among), { moving, step, units, moves: slides.length - n });
      at = moved(at, moving, times(units, rules.steps[step]!.by));
    }
    return { ...slides[0]!, moves: slides.length };
  };
}

/** The grid and the pieces; of each pair of opposite steps the first. */
function questionOf({ steps, cells }: Rules): Int32Array {
  const forth = steps.filter((_, step) => step % 2 === 0);
  const listed = (some: readonly (readonly number[])[]) => [some.length, ...some.flat()];
  return Int32Array.from([
    steps[0]!.swept.length,
    ...listed(forth.map(({ by }) => by)),
    ...forth.flatMap(({ swept }) => swept.flatMap((cells, tile) => listed([[0, 0, 0, tile], ...cells]))),
    cells.length,
    ...cells.flatMap(listed),
  ]);
}

function slidesIn(numbers: Int32Array, among: readonly number[]): SlideOn[] {
  const slides: SlideOn[] = [];
  for (let at = 0; at < numbers.length;) {
    const [step, units, count] = numbers.subarray(at, at + 3) as unknown as [number, number, number];
    const moving = [...numbers.subarray(at + 3, at + 3 + count)].map((piece) => among[piece]!);
    slides.push({ moving: moving.sort((a, b) => a - b), step, units: units || 1 });
    at += 3 + count;
  }
  return slides;
}

// ---- putting together ----

async function filled(ask: Ask, fitting: Fitting, placed: readonly Fit[]): ReturnType<Core["fill"]> {
  const taken = new Set(placed.flatMap(({ cells }) => cells));
  const gone = new Set(placed.map(({ body }) => body));
  const open = Array.from({ length: fitting.size }, (_, cell) => cell).filter((cell) => !taken.has(cell));
  const left = fitting.ways.flatMap((_, body) => (gone.has(body) ? [] : [body]));
  if (!left.length) return open.length ? null : [];
  const cellAt = new Map(open.map((cell, n) => [cell, n]));
  const options = left.flatMap((body) =>
    fitting.ways[body]!.flatMap((turn) =>
      fitting.fits(body, turn).filter(({ cells }) => !cells.some((cell) => taken.has(cell))),
    ),
  );
  const items = open.length + left.length;
  const about = Int32Array.from([
    items,
    ...Array.from({ length: 2 * items }, () => 1),
    options.length,
    ...options.flatMap(({ body, cells }) => [
      cells.length + 1,
      ...cells.map((cell) => cellAt.get(cell)!),
      open.length + left.indexOf(body),
    ]),
  ]);
  const answer = await ask({ kind: "fill", about, from: new Int32Array() });
  if (!answer) return undefined;
  if (!answer.numbers.length) return answer.over ? null : undefined;
  const [count] = answer.numbers;
  return [...answer.numbers.subarray(1, 1 + count!)].map((option) => options[option]!);
}
