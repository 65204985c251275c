// What a viewer of a motion can do: play it, step through it, go to any time, draw it apart. It knows the
// poses, not how they are drawn; the renderer calls `advance` before each frame until all is at rest.

import { later, stepFrom, type Pose } from "../scene/motion";
import { clamp } from "../vector";

export interface Playing {
  readonly time: number; // on its way to `goal`
  readonly goal: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly apart: number; // how far bodies are drawn apart, on its way to `explode`
  readonly explode: number;
}

export interface Options {
  /** Called after every change. */
  readonly changed?: (state: Playing) => void;
  /** Whether the user wants no motion. */
  readonly calm?: () => boolean;
}

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8]; // to choose from
const HURRY = 3; // how much faster, for each pose still to go when several steps were asked for
const SETTLING = 16; // how fast what was changed comes to rest: by a factor of e in 1/16 second

/** A number brought nearer to its aim, by the seconds that passed; at once if there is to be no motion. */
export function nearer(now: number, aim: number, seconds: number, calm = false): number {
  return calm || Math.abs(aim - now) < 2e-3 ? aim : aim + (now - aim) * Math.exp(-SETTLING * seconds);
}

const alike = (a: Pose, b: Pose | undefined) =>
  !!b &&
  a.shown.join() === b.shown.join() &&
  a.shifts.join(";") === b.shifts.join(";") &&
  a.turns?.join() === b.turns?.join();

export class Player {
  state: Playing = { time: 0, goal: 0, playing: false, speed: 1, apart: 0, explode: 0 };
  #poses: readonly Pose[] = [];
  readonly #changed: (state: Playing) => void;
  readonly #calm: () => boolean;

  constructor({ changed = () => {}, calm = () => false }: Options = {}) {
    [this.#changed, this.#calm] = [changed, calm];
  }

  get last(): number {
    return Math.max(0, this.#poses.length - 1);
  }

  /** The time to draw: people who want no motion see only poses. */
  get shownTime(): number {
    return this.#calm() ? Math.round(this.state.time) : this.state.time;
  }

  get atRest(): boolean {
    const { time, goal, apart, explode } = this.state;
    return time === goal && apart === explode;
  }

  /** Show another motion, from its start. */
  put(poses: readonly Pose[]): void {
    this.#poses = poses;
    this.#set({ time: 0, goal: 0, playing: false });
  }

  /** Show the same motion as seen otherwise, e.g. with another body held still. */
  replace(poses: readonly Pose[]): void {
    this.#poses = poses;
    const { time, goal } = this.state;
    this.#set({ time: clamp(time, 0, this.last), goal: clamp(goal, 0, this.last) });
  }

  /** Show a motion whose end has changed: go back to where the two part, and on from there. */
  lead(poses: readonly Pose[]): void {
    const parting = poses.findIndex((pose, n) => !alike(pose, this.#poses[n]));
    if (parting < 0) return this.head(poses.length - 1); // a part of the way that is known
    if (this.state.time > parting - 1) this.jump(parting - 1);
    this.replace(poses);
    this.head(this.last);
  }

  /** The motion that is shown. */
  get poses(): readonly Pose[] {
    return this.#poses;
  }

  play(): void {
    if (!this.last) return;
    this.#set({ time: this.state.time === this.last ? 0 : this.state.time, goal: this.last, playing: true });
  }

  pause(): void {
    this.head(this.state.time);
  }

  toggle(): void {
    if (this.state.playing) this.pause();
    else this.play();
  }

  /** Be on the way to a time, as fast as it takes. */
  head(to: number): void {
    const goal = clamp(to, 0, this.last);
    this.#set({ goal, playing: false, ...(this.#calm() ? { time: goal } : {}) });
  }

  /** Be at a time now. */
  jump(to: number): void {
    const time = clamp(to, 0, this.last);
    this.#set({ time, goal: time, playing: false });
  }

  /** Be on the way to the next pose in a direction; steps asked for in haste add up. */
  step(by: 1 | -1): void {
    const { playing, time, goal } = this.state;
    this.head(stepFrom(playing ? time : goal, by, this.last));
  }

  hurry(speed: number): void {
    this.#set({ speed });
  }

  explode(by: number): void {
    this.#set({ explode: by });
  }

  /** Draw everything apart, or together again. */
  toggleExplode(): void {
    this.explode(this.state.explode ? 0 : 1);
  }

  /** Let so many seconds pass. */
  advance(seconds: number): void {
    const { time, goal, playing, speed, apart, explode } = this.state;
    const way = goal - time;
    const pace = playing ? speed : Math.max(speed, HURRY * Math.abs(way) - 2);
    const next = later(this.#poses, time, Math.sign(way) * seconds * pace);
    const there = Math.abs(next - time) >= Math.abs(way);
    this.#set({
      time: there ? goal : next,
      playing: playing && !there,
      apart: nearer(apart, explode, seconds, this.#calm()),
    });
  }

  #set(change: Partial<Playing>): void {
    this.state = { ...this.state, ...change };
    this.#changed(this.state);
  }
}
