// Taking a puzzle apart by hand: what a person does to the pieces, and what there is to see and to say about it.
//
// The view asks for `poses` after every change. A drag is always counted from where the piece was grabbed, so
// that dragging back takes the move back.

import { boxOf, type Form } from "../scene/form";
import { boxingOf, type Boxing } from "../scene/frames";
import type { Pose } from "../scene/motion";
import { dot, length, plus, times, union, WORLD, type Box, type Matrix, type Vector } from "../vector";
import { said } from "../words/hand";
import { aimed, seenWay } from "./aim";
import * as games from "./game";
import { isOver, movesOf, onBench, positionOf, rulesIn, type Game, type Turn } from "./game";
import { rulesOf, type Cell, type Position, type Rules, type Step } from "./rules";
import { knownAt, knownFrom, seekWay, type Hint, type Known, type SlideOn } from "./ways";

export interface Grip extends Step {
  readonly words: string; // which way it leads
}

export interface Puzzle {
  readonly bodies: readonly { readonly name: string; readonly cells: readonly Cell[] }[];
  readonly forms: readonly Form[]; // where they lie at first
  readonly steps: readonly Grip[];
  readonly solution: readonly (Pose & { readonly words?: string })[]; // how it is known to come apart
  readonly shortest: number | null; // in so many moves
}

/** What is known of the nearest way: null if nothing comes off, undefined if it takes too long to find out. */
type Way = Hint | null | undefined;
/** Finds the nearest way by slides from a position of some bodies. */
export type Guide = (rules: Rules, at: Position, among: readonly number[]) => Promise<Way>;

export interface HandState {
  readonly game: Game;
  readonly chosen: number; // the piece that was touched last, -1 for none
  readonly words: string;
  readonly distance: string; // how far it is until something comes off
  readonly hint: Hint | null;
  readonly blockers: readonly number[];
  readonly hints: number; // that were asked for
}

const MARGIN = 1; // units between what came off and the rest
const PATIENCE = 1000; // milliseconds of looking for a way
const SLICE = 8; // milliseconds, so that everything else goes on

/** Look for a way bit by bit, as long as anybody wants to know. */
async function sought(search: ReturnType<typeof seekWay>, wanted: () => boolean): Promise<Way> {
  let best: Hint | undefined;
  for (let spent = 0; spent < PATIENCE && wanted();) {
    const begun = performance.now();
    let now = begun;
    for (; now < begun + SLICE; now = performance.now()) {
      const { done, value } = search.next();
      if (done) return value;
      best = value;
    }
    spent += now - begun;
    await new Promise((go) => setTimeout(go));
  }
  return best && { ...best, most: true };
}

function slidOn(game: Game, { moving, step, units }: SlideOn): Game {
  for (let n = 0; n < units; n++) game = games.slid(game, moving, step);
  return game;
}

export class Hand {
  state: HandState;
  readonly #rules: Rules;
  readonly #known: Known;
  readonly #puzzle: Puzzle;
  readonly #box: Boxing;
  readonly #changed: () => void;
  readonly #guide: Guide | undefined;
  readonly #turns: boolean; // whether it takes more than slides
  #grabbed: Game | null = null; // as it was when the piece was grabbed
  #measured: { readonly game: Game; readonly way: Promise<Way> } | null = null;

  constructor(puzzle: Puzzle, changed: () => void, guide?: Guide) {
    this.#puzzle = puzzle;
    this.#rules = rulesOf(
      puzzle.bodies.map(({ cells }) => cells),
      puzzle.steps,
    );
    this.#box = boxingOf(puzzle.forms, WORLD);
    this.#known = knownFrom(this.#rules, puzzle.solution);
    this.#guide = guide;
    this.#turns = puzzle.solution.some(({ turning }) => turning);
    this.#changed = changed;
    this.state = this.#fresh();
    this.#measure();
  }

  #fresh(): HandState {
    const game = games.newGame(this.#rules, this.#puzzle.bodies.length);
    return { game, chosen: -1, words: said.start, distance: "", hint: null, blockers: [], hints: 0 };
  }

  #set(change: Partial<HandState>): void {
    this.state = { ...this.state, ...change };
    if (!this.#grabbed) this.#measure();
    this.#changed();
  }

  get poses(): Pose[] {
    return games.posesOf(this.state.game);
  }
  get moves(): number {
    return movesOf(this.state.game).length;
  }
  get over(): boolean {
    return isOver(this.state.game);
  }
  /** What to let shine: what a hint is about, or what was chosen. */
  get lit(): readonly number[] {
    const { hint, chosen } = this.state;
    return hint ? hint.moving : chosen < 0 ? [] : [chosen];
  }
  /** The turn that the chosen piece can make here, as far as the solution shows. */
  get turn(): Turn | null {
    const { game, chosen } = this.state;
    const next = knownAt(this.#known, rulesIn(game), positionOf(game), onBench(game));
    return next && "turning" in next && next.moving.includes(chosen) ? next : null;
  }

  readonly #named = (bodies: readonly number[]) => bodies.map((body) => this.#puzzle.bodies[body]!.name);
  readonly #step = (step: number) => this.#puzzle.steps[step]!;

  choose(body: number): void {
    this.#set({ chosen: body, hint: null, blockers: [] });
  }

  /** Choose the next piece on the bench, or the one before. */
  chooseNext(by: 1 | -1): void {
    const bench = onBench(this.state.game);
    const at = bench.indexOf(this.state.chosen);
    this.choose(bench[at < 0 ? (by > 0 ? 0 : bench.length - 1) : (at + by + bench.length) % bench.length]!);
  }

  // ---- dragging ----

  grab(body: number): void {
    this.#grabbed = this.state.game;
    this.choose(body);
  }

  /** Drag what was grabbed by so many pixels from where that was. */
  drag(by: readonly [number, number], axes: Matrix, perUnit: number): void {
    const start = this.#grabbed;
    if (!start) return;
    const ways = this.#puzzle.steps.map(({ way }) => seenWay(way, axes, perUnit));
    const aims = aimed(by, ways, perUnit);
    const free = aims.find(({ step }) => !("blockers" in games.pushed(start, this.state.chosen, step)));
    const aim = free ?? aims[0];
    if (!aim) this.#set({ game: start, blockers: [], words: said.start });
    else this.#push(start, aim.step, Math.max(aim.units, free ? 0 : 1));
  }

  /** Let go: what can leave does. */
  release(): void {
    const start = this.#grabbed;
    this.#grabbed = null;
    if (start && start !== this.state.game && games.comesOff(this.state.game)) this.#takeOff();
    else this.#set({});
  }

  // ---- by keys and buttons ----

  /** Push the chosen piece one step, or out if nothing is in its way any more. */
  push(step: number): void {
    const { game, chosen } = this.state;
    if (!onBench(game).includes(chosen) || this.over) return;
    this.#push(game, step, 1);
    if (!this.state.blockers.length && games.comesOff(this.state.game)) this.#takeOff();
  }

  /** Push the chosen piece along the step that leads most in a direction. */
  pushToward(direction: Vector): void {
    const near = this.#puzzle.steps.map(({ way }) => dot(way, direction) / length(way));
    this.push(near.indexOf(Math.max(...near)));
  }

  undo(): void {
    this.#set({ game: games.undone(this.state.game), words: said.start, hint: null, blockers: [] });
  }

  restart(): void {
    this.#set(this.#fresh());
  }

  async hint(): Promise<void> {
    const { game, hints } = this.state;
    if (this.over) return;
    this.#set({ words: said.thinking, hint: null, blockers: [], hints: hints + 1 });
    const hint = await this.#nearest(game).catch(() => undefined);
    if (this.state.game !== game) return; // the player went on meanwhile
    if (!hint) return this.#set({ words: hint === null ? said.stuck : said.unknown });
    const words =
      "turning" in hint
        ? said.hintedTurn(hint.words, hint.moves)
        : said.hinted(this.#named(hint.moving), this.#step(hint.step).words, hint.units, hint.moves);
    this.#set({ hint, words });
  }

  /** Do what the hint says, or ask for one. */
  hintOrFollow(): void {
    if (this.state.hint) this.follow();
    else void this.hint();
  }

  /** Make the next move of the nearest way; false if there is none. */
  async solveOn(): Promise<boolean> {
    await this.hint();
    const known = !!this.state.hint;
    this.follow();
    return known;
  }

  /** Do what the hint says. */
  follow(): void {
    const { hint } = this.state;
    if (!hint) return;
    if ("turning" in hint) return this.#turn(hint);
    const game = slidOn(this.state.game, hint);
    this.#set({ game, hint: null, words: said.slid(this.#named(hint.moving), this.#step(hint.step).words) });
    if (hint.moves === 1) this.#takeOff();
  }

  /** Where everything was until something came off or turned. */
  get trail(): readonly Position[] {
    return games.positionsTogether(this.state.game);
  }

  /** Keep so many positions of the trail, and slide on from there on a way that nothing hinders. */
  slideOn(kept: number, way: readonly SlideOn[]): void {
    const game = way.reduce(slidOn, games.cutTo(this.state.game, kept));
    this.#set({ game, chosen: -1, hint: null, blockers: [], words: said.went });
  }

  /** Turn what can turn with the chosen piece. */
  turnIt(): void {
    if (this.turn) this.#turn(this.turn);
  }

  #turn(turn: Turn): void {
    const game = games.turned(this.state.game, { moving: turn.moving, turning: turn.turning });
    this.#set({ game, hint: null, blockers: [], words: said.turned(this.#named(turn.moving)) });
  }

  #push(from: Game, step: number, units: number): void {
    let [game, blockers]: [Game, readonly number[]] = [from, []];
    const { chosen } = this.state;
    for (let n = 0; n < units; n++) {
      const next = games.pushed(game, chosen, step);
      if ("blockers" in next) {
        blockers = next.blockers;
        break;
      }
      game = next;
    }
    const [name] = this.#named([chosen]);
    const last = game === from ? null : movesOf(game).at(-1);
    const words = blockers.length
      ? said.blocked(name!, this.#named(blockers))
      : last
        ? said.slid(this.#named(last.moving), this.#step(step).words)
        : said.start;
    this.#set({ game, blockers, words, hint: null });
  }

  #takeOff(): void {
    const { game, hints } = this.state;
    const last = movesOf(game).at(-1)!;
    if (!("step" in last)) return;
    const { moving, step } = last;
    const next = games.takenOff(game, this.#clear(game, moving, this.#step(step).way));
    const words = isOver(next)
      ? said.over(movesOf(next).length, this.#puzzle.shortest, hints)
      : said.off(this.#named(moving), onBench(game).length - moving.length);
    this.#set({ game: next, words, chosen: -1, blockers: [], hint: null });
  }

  // ---- how far it is ----

  /** The nearest way from where everything is. */
  #nearest(game: Game): Promise<Way> {
    if (this.#measured?.game !== game) this.#measured = { game, way: this.#way(game) };
    return this.#measured.way;
  }

  async #way(game: Game): Promise<Way> {
    const [rules, at, among] = [rulesIn(game), positionOf(game), onBench(game)];
    const known = knownAt(this.#known, rules, at, among);
    if (known) return known;
    const guided = await this.#guide?.(rules, at, among);
    if (guided || (guided === null && !this.#turns)) return guided;
    return sought(seekWay(rules, at, among, this.#known), () => this.state.game === game);
  }

  /** Say how far it is from here, as soon as that is known. */
  #measure(): void {
    const { game } = this.state;
    if (this.#measured?.game === game) return;
    this.state = { ...this.state, distance: "" };
    if (this.over) return;
    void this.#nearest(game).then(
      (way) => {
        if (this.state.game !== game) return;
        this.state = { ...this.state, distance: said.distance(way, games.isWhole(game)) };
        this.#changed();
      },
      () => {}, // a hint says so
    );
  }

  /** How many steps bring what moves a margin beyond the rest of the bench. */
  #clear(game: Game, moving: readonly number[], way: Vector): number {
    const { shifts } = game.situations.at(-1)!;
    const { turns } = rulesIn(game);
    const around = (bodies: readonly number[]) =>
      union(bodies.map((body) => this.#box(body, { turn: turns[body]!, shift: shifts[body]! })));
    const [mine, rest] = [around(moving), around(onBench(game).filter((body) => !moving.includes(body)))];
    const needed = way.map((part, axis) =>
      Math.abs(part) < 1e-9
        ? Infinity
        : ((part > 0 ? rest.high[axis]! - mine.low[axis]! : mine.high[axis]! - rest.low[axis]!) + MARGIN) /
          Math.abs(part),
    );
    return Math.max(1, Math.min(...needed));
  }
}

/** The box around everything, with room for pieces to move in. */
export const roomAround = (forms: readonly Form[]): Box => {
  const whole = union(forms.map((form) => boxOf(form, WORLD)));
  const more = times(0.15, plus(whole.high, times(-1, whole.low)));
  return { low: plus(whole.low, times(-1, more)), high: plus(whole.high, more) };
};
