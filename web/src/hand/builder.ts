// Putting a puzzle together by hand: pieces lie beside the goal; pick one, turn it, drop it. A drop that does not fit
// is refused, and says why. On a challenge card some pieces are given and stay.
//
// The view asks for `poses`, as with a Hand.

import type { Form } from "../scene/form";
import { boxingOf, type Boxing } from "../scene/frames";
import type { Pose } from "../scene/motion";
import { dot, length, minus, plus, times, union, vector, WORLD, ZERO, type Matrix, type Vector } from "../vector";
import { built as said } from "../words/build";
import type { Core } from "./core";
import { fill, fittingOf, type Fit, type Fitting, type Lattice } from "./fitting";

interface Kit {
  readonly bodies: readonly { readonly name: string; readonly cells: readonly (readonly number[])[] }[];
  readonly forms: readonly Form[]; // where they lie in the solution
  readonly lattice: Lattice;
}

export interface BuilderState {
  readonly turns: readonly number[]; // of each body, by number in the lattice
  readonly placed: readonly Fit[]; // in the order in which they were dropped; given ones first
  readonly given: number; // how many of them stay
  readonly card: number; // which card, 0 for none
  readonly chosen: number;
  readonly words: string;
  readonly blockers: readonly number[];
  readonly hint: Fit | null;
  readonly hints: number;
}

/** The next piece of a solution, or one that must come out. */
type Next = Fit | { readonly out: number };

const NEAR = 1.3; // units from where it fits: a drop farther away is none
const SLACK = 0.35; // units within which a place that is free comes before a nearer one that is taken
const PATIENCE = 1500; // milliseconds
const SLICE = 8;

/** Numbers from 0 to n - 1 in an order that only the seed decides. */
function shuffled(n: number, seed: number): number[] {
  let state = seed * 2654435761;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const all = Array.from({ length: n }, (_, k) => k);
  for (let k = n - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [all[k], all[other]] = [all[other]!, all[k]!];
  }
  return all;
}

export class Builder {
  state: BuilderState;
  readonly #kit: Kit;
  readonly #fitting: Fitting;
  readonly #box: Boxing;
  readonly #solution: readonly Fit[];
  readonly #slots: readonly Vector[]; // the middle of each body's place beside the goal, on the floor
  readonly #changed: () => void;
  readonly #core: Core | null;
  #drag: { readonly from: BuilderState; readonly start: Vector; shift: Vector } | null = null;

  constructor(kit: Kit, changed: () => void, core: Core | null = null) {
    [this.#kit, this.#changed, this.#core] = [kit, changed, core];
    this.#fitting = fittingOf(
      kit.bodies.map(({ cells }) => cells),
      kit.lattice,
    );
    this.#box = boxingOf(kit.forms, WORLD);
    const upright = kit.lattice.turns.findIndex((turn) => length(minus(turn[0], WORLD[0])) + length(minus(turn[1], WORLD[1])) < 1e-6); // prettier-ignore
    this.#solution = kit.bodies.map((_, body) =>
      this.#fitting.fits(body, upright).find(({ shift }) => length(shift) < 1e-3)!,
    );
    this.#slots = this.#beside();
    this.state = this.#dealt(0, 0);
  }

  /** Places beside the goal for all bodies, in rows before it. */
  #beside(): Vector[] {
    const whole = union(this.#kit.forms.map((_, body) => this.#box(body, { turn: WORLD, shift: ZERO })));
    const sizes = this.#kit.forms.map((_, body) => {
      const { low, high } = this.#box(body, { turn: WORLD, shift: ZERO });
      return length(minus(high, low));
    });
    const slot = Math.max(...sizes) * 0.9 + 0.3;
    const columns = Math.max(2, Math.ceil(Math.sqrt(1.8 * sizes.length)));
    const middle = (whole.low[0] + whole.high[0]) / 2;
    return sizes.map((_, n): Vector => {
      const [row, column] = [Math.floor(n / columns), n % columns];
      return [middle + (column - (columns - 1) / 2) * slot, whole.low[1] - (row + 0.7) * slot, whole.low[2]];
    });
  }

  /** A new game: on a card, so many pieces are given. */
  #dealt(card: number, given: number): BuilderState {
    const order = shuffled(this.#kit.bodies.length, card);
    const placed = order.slice(0, given).map((body) => this.#solution[body]!);
    const turns = this.#fitting.ways.map((ways, body) => {
      const fixed = placed.find((fit) => fit.body === body);
      return fixed ? fixed.turn : ways[shuffled(ways.length, card + body + 1)[0]!]!;
    });
    const words = given ? said.card(card, given, order.length - given) : said.start;
    return { turns, placed, given, card, chosen: -1, words, blockers: [], hint: null, hints: 0 };
  }

  #set(change: Partial<BuilderState>): void {
    this.state = { ...this.state, ...change };
    this.#changed();
  }

  deal(card: number, given: number): void {
    this.#set(this.#dealt(card, Math.min(Math.max(given, 0), this.#kit.bodies.length - 1)));
  }

  readonly #fitOf = (body: number) => this.state.placed.find((fit) => fit.body === body);
  readonly #turnOf = (body: number): Matrix => this.#kit.lattice.turns[this.state.turns[body]!]!;
  readonly #named = (bodies: readonly number[]) => bodies.map((body) => this.#kit.bodies[body]!.name);
  isGiven(body: number): boolean {
    return this.state.placed.slice(0, this.state.given).some((fit) => fit.body === body);
  }
  isPlaced(body: number): boolean {
    return !!this.#fitOf(body);
  }
  get dragging(): boolean {
    return !!this.#drag;
  }
  get over(): boolean {
    return this.state.placed.length === this.#kit.bodies.length;
  }
  get lit(): readonly number[] {
    const { hint, chosen } = this.state;
    return hint ? [hint.body] : chosen < 0 ? [] : [chosen];
  }

  /** Where a body that is not in the goal lies. */
  #lying(body: number): Vector {
    const turn = this.#turnOf(body);
    const { low, high } = this.#box(body, { turn, shift: ZERO });
    const slot = this.#slots[body]!;
    return vector((axis) => slot[axis] - (axis === 2 ? low[2] : (low[axis] + high[axis]) / 2));
  }

  /** One pose: where everything is now. */
  get poses(): Pose[] {
    const shifts = this.#kit.bodies.map((_, body) =>
      this.#drag && body === this.state.chosen ? this.#drag.shift : (this.#fitOf(body)?.shift ?? this.#lying(body)),
    );
    return [{ shifts, shown: shifts.map(() => true), turns: shifts.map((_, body) => this.#turnOf(body)) }];
  }

  // ---- what a person does ----

  choose(body: number): void {
    const locked = this.isGiven(body);
    this.#set({ chosen: locked ? -1 : body, hint: null, blockers: [], words: locked ? said.given : said.chosen(this.#kit.bodies[body]!.name) }); // prettier-ignore
  }

  chooseNext(by: 1 | -1): void {
    const all = this.#kit.bodies.flatMap((_, body) => (this.isPlaced(body) ? [] : [body]));
    const at = all.indexOf(this.state.chosen);
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length];
    if (next !== undefined) this.choose(next);
  }

  /** Turn the chosen piece to its next look; one in the goal comes out of it. */
  turnIt(by = 1): void {
    const { chosen, turns, placed } = this.state;
    if (chosen < 0) return;
    const ways = this.#fitting.ways[chosen]!;
    const next = ways[(ways.indexOf(turns[chosen]!) + by + ways.length) % ways.length]!;
    this.#set({
      turns: turns.map((turn, body) => (body === chosen ? next : turn)),
      placed: placed.filter((fit) => fit.body !== chosen),
      hint: null,
      blockers: [],
      words: said.turned(this.#kit.bodies[chosen]!.name, ways.length),
    });
  }

  takeOut(): void {
    const { chosen, placed } = this.state;
    if (chosen < 0 || !this.isPlaced(chosen)) return;
    this.#set({ placed: placed.filter((fit) => fit.body !== chosen), hint: null, words: said.out(this.#named([chosen])[0]!) }); // prettier-ignore
  }

  /** Put the chosen piece, as it lies, where it fits next; for those who do not drag. */
  placeNext(): void {
    const { chosen, turns } = this.state;
    if (chosen < 0) return;
    const free = this.#fitting.fits(chosen, turns[chosen]!).filter((fit) => !this.#inTheWay(fit).length);
    const now = this.#fitOf(chosen);
    const at = free.findIndex(({ shift }) => now && length(minus(shift, now.shift)) < 1e-3);
    if (!free.length) return this.#set({ words: said.nowhere(this.#named([chosen])[0]!), hint: null });
    this.#drop(free[(at + 1) % free.length]!);
  }

  grab(body: number): void {
    this.choose(body);
    if (this.state.chosen !== body) return;
    const start = this.#fitOf(body)?.shift ?? this.#lying(body);
    this.#drag = { from: this.state, start, shift: start };
  }

  drag([x, y]: readonly [number, number], [right, up]: Matrix, perUnit: number): void {
    if (!this.#drag) return;
    const way = plus(times(x / perUnit, right), times(-y / perUnit, up));
    this.#drag.shift = plus(this.#drag.start, way);
    this.#changed();
  }

  /** Let go: where it fits it stays, elsewhere it goes back. `axes` are those of the eye. */
  release([right, up]: Matrix): void {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    const { chosen, turns, placed } = this.state;
    if (length(minus(drag.shift, drag.start)) < 0.15) return this.#set({});
    const name = this.#named([chosen])[0]!;
    const far = ({ shift }: Fit) => {
      const off = minus(shift, drag.shift);
      return Math.hypot(dot(off, right), dot(off, up)); // as it looks: how deep it lies cannot be seen
    };
    const near = this.#fitting
      .fits(chosen, turns[chosen]!)
      .filter((fit) => far(fit) < NEAR)
      .sort((a, b) => far(a) - far(b) || this.#depth(b) - this.#depth(a));
    const best = near[0];
    if (!best) {
      const out = { placed: placed.filter((fit) => fit.body !== chosen), blockers: [] };
      return this.#set({ ...out, words: this.#overGoal(drag.shift) ? said.sticksOut(name) : said.back(name) });
    }
    const free = near.find((fit) => far(fit) < far(best) + SLACK && !this.#inTheWay(fit).length);
    if (free) return this.#drop(free);
    const blockers = this.#inTheWay(best);
    this.#set({ blockers, words: said.taken(name, this.#named(blockers)) });
  }

  readonly #depth = ({ shift }: Fit) => -shift[2]; // lower ones first

  /** Whether any of the dragged piece is over the goal. */
  #overGoal(shift: Vector): boolean {
    const turn = this.#turnOf(this.state.chosen);
    const mine = this.#box(this.state.chosen, { turn, shift });
    const goal = union(this.#kit.forms.map((_, body) => this.#box(body, { turn: WORLD, shift: ZERO })));
    return [0, 1].every((axis) => mine.low[axis]! < goal.high[axis]! && mine.high[axis]! > goal.low[axis]!);
  }

  #inTheWay(fit: Fit): number[] {
    return this.state.placed.flatMap(({ body, cells }) =>
      body !== fit.body && cells.some((cell) => fit.cells.includes(cell)) ? [body] : [],
    );
  }

  #drop(fit: Fit): void {
    const others = this.state.placed.filter(({ body }) => body !== fit.body);
    const placed = [...others, fit];
    const over = placed.length === this.#kit.bodies.length;
    const left = this.#kit.bodies.length - placed.length;
    this.#set({
      placed,
      turns: this.state.turns.map((turn, body) => (body === fit.body ? fit.turn : turn)),
      chosen: over ? -1 : fit.body,
      hint: null,
      blockers: [],
      words: over ? said.over(this.state.hints) : said.dropped(this.#named([fit.body])[0]!, left),
    });
  }

  // ---- hints ----

  hintOrFollow(): void {
    if (this.state.hint) this.#drop(this.state.hint);
    else void this.hint();
  }

  /** Put the next piece into its place, or take out one that cannot stay; false if nobody knows how to go on. */
  async solveOn(): Promise<boolean> {
    const next = await this.hint();
    if (!next) return false;
    if ("out" in next) this.takeOut();
    else this.#drop(next);
    return true;
  }

  async hint(): Promise<Next | undefined> {
    if (this.over) return;
    const { placed, given, hints } = this.state;
    this.#set({ words: said.thinking, hint: null, blockers: [], hints: hints + 1 });
    const next = await this.#next(placed, given);
    if (this.state.placed !== placed) return;
    if (!next) this.#set({ words: said.unknown });
    else if ("out" in next) this.#set({ chosen: next.out, words: said.cannotStay(this.#named([next.out])[0]!) });
    else this.#set({ hint: next, chosen: next.body, words: said.hinted(this.#named([next.body])[0]!) });
    return next;
  }

  /** The next piece of a solution that keeps what is placed; or which must come out; undefined if nobody knows. */
  async #next(placed: readonly Fit[], given: number): Promise<Next | undefined> {
    const same = (a: Fit, b: Fit) =>
      a.cells.length === b.cells.length && a.cells.every((cell) => b.cells.includes(cell));
    if (placed.every((fit) => same(fit, this.#solution[fit.body]!)))
      return this.#solution.find(({ body }) => !placed.some((fit) => fit.body === body));
    const end = performance.now() + PATIENCE;
    for (let kept = placed.length; kept >= given; kept--) {
      const found = await this.#filled(placed.slice(0, kept), end);
      if (found === undefined) return undefined;
      if (found) return kept === placed.length ? found[0] : { out: placed[kept]!.body };
    }
    return undefined;
  }

  async #filled(placed: readonly Fit[], end: number): Promise<readonly Fit[] | null | undefined> {
    const known = await this.#core?.fill(this.#fitting, placed);
    if (known !== undefined) return known;
    const search = fill(this.#fitting, placed);
    while (performance.now() < end) {
      for (const pause = performance.now() + SLICE; performance.now() < pause;) {
        const { done, value } = search.next();
        if (done) return value;
      }
      await new Promise((go) => setTimeout(go));
    }
    return undefined;
  }
}
