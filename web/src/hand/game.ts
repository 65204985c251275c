// A puzzle taken apart by hand: where everything is, which pieces are still together, and every move so far.
//
// A game is a value; each act makes another. Steps of the same pieces in the same direction are one move, as in levels,
// and a step back takes a part of the last move back. What comes off together can be taken apart in turn.

import type { Pose } from "../scene/motion";
import { after, along, type Turning } from "../scene/turning";
import { plus, times, vector, ZERO, type Matrix, type Vector } from "../vector";
import { moved, type Position, type Rules } from "./rules";

export interface Slide {
  readonly moving: readonly number[];
  readonly step: number;
  readonly units: number;
  readonly away: number; // how many steps farther on they were put when they came off; 0 if they did not
}
export interface Turn {
  readonly moving: readonly number[];
  readonly turning: Turning;
}
type Move = Slide | Turn;

interface Situation {
  readonly rules: Rules;
  readonly at: Position;
  readonly shifts: readonly Vector[]; // the same in space
  readonly parts: readonly (readonly number[])[]; // what is together; the first is on the bench
  readonly last: Move | null; // what led here
}

export interface Game {
  readonly situations: readonly Situation[]; // from the first to now
}

export function newGame(rules: Rules, bodies: number): Game {
  const all = Array.from({ length: bodies }, (_, n) => n);
  const still = all.map(() => ZERO);
  return { situations: [{ rules, at: still, shifts: still, parts: [all], last: null }] };
}

const current = ({ situations }: Game) => situations.at(-1)!;

/** The pieces on the bench. */
export const onBench = (game: Game): readonly number[] => current(game).parts[0]!;
export const positionOf = (game: Game): Position => current(game).at;
export const rulesIn = (game: Game): Rules => current(game).rules;
export const movesOf = ({ situations }: Game): readonly Move[] => situations.flatMap(({ last }) => last ?? []);
/** Whether every piece is on its own. */
export const isOver = (game: Game): boolean => onBench(game).length === 1;
/** Whether nothing has come off yet. */
export const isWhole = (game: Game): boolean => current(game).parts.length === 1;

/** Where everything was, from the first position to the last before something came off or turned. */
export function positionsTogether({ situations }: Game): readonly Position[] {
  const [{ rules }] = situations as [Situation];
  const end = situations.findIndex((each) => each.parts.length > 1 || each.rules !== rules);
  return situations.slice(0, end < 0 ? situations.length : end).map(({ at }) => at);
}

/** The game after a body was pushed a step, or what is in its way. */
export function pushed(game: Game, body: number, step: number): Game | { readonly blockers: readonly number[] } {
  const push = rulesIn(game).push(positionOf(game), onBench(game), body, step);
  return "blockers" in push ? push : slid(game, push.moving, step);
}

/** The game after bodies slid a step, which nothing hinders. */
export function slid(game: Game, moving: readonly number[], step: number): Game {
  const { rules, at, shifts, parts, last } = current(game);
  const { by, way } = rules.steps[step]!;
  const before = game.situations.slice(0, -1);
  const next = (slide: Slide): Situation => ({
    rules,
    at: moved(at, moving, by),
    shifts: moved(shifts, moving, way),
    parts,
    last: slide,
  });
  if (last && "step" in last && !last.away && last.moving.join() === moving.join()) {
    if (last.step === step) return { situations: [...before, next({ ...last, units: last.units + 1 })] };
    if (!plus(by, rules.steps[last.step]!.by).some(Boolean)) {
      if (last.units === 1) return { situations: before };
      return { situations: [...before, next({ ...last, units: last.units - 1 })] };
    }
  }
  return { situations: [...game.situations, next({ moving, step, units: 1, away: 0 })] };
}

/** The game after bodies turned, which nothing hinders; on cubes, where lattice and space are the same. */
export function turned(game: Game, last: Turn): Game {
  const { rules, at, parts } = current(game);
  const put = turnedAt(rules, at, last);
  return { situations: [...game.situations, { ...put, shifts: put.at, parts, last }] };
}

/** Rules and position after a turn. */
export function turnedAt(rules: Rules, at: Position, { moving, turning }: Turn): { rules: Rules; at: Position } {
  const whole = along(turning, 1);
  const turn = whole.turn.map((row) => row.map(Math.round)) as unknown as Matrix;
  const tidy = (place: Vector) => vector((axis) => Math.round(place[axis] * 1e4) / 1e4 || 0);
  return {
    rules: rules.turned(moving, turn),
    at: at.map((shift, body) =>
      moving.includes(body) ? tidy(after({ ...whole, turn }, { turn: rules.turns[body]!, shift }).shift) : shift,
    ),
  };
}

/** Whether what slid last can go on for ever. */
export function comesOff(game: Game): boolean {
  const { rules, at, parts, last } = current(game);
  return !!last && "step" in last && !last.away && rules.leaves(at, parts[0]!, last.moving, last.step);
}

/** The game after what slid last has come off, drawn `far` steps farther on. */
export function takenOff(game: Game, far: number): Game {
  const { parts, last, ...rest } = current(game);
  if (!last || !("step" in last)) return game;
  const [bench, ...others] = parts;
  const stay = bench!.filter((body) => !last.moving.includes(body));
  const halves = [stay, last.moving].sort((a, b) => b.length - a.length);
  const together = [...halves, ...others].sort((a, b) => Number(b.length > 1) - Number(a.length > 1));
  const next = { ...rest, parts: together, last: { ...last, away: far } };
  return { situations: [...game.situations.slice(0, -1), next] };
}

export const undone = (game: Game): Game =>
  game.situations.length > 1 ? { situations: game.situations.slice(0, -1) } : game;

/** The game as it was when it had so many positions. */
export const cutTo = ({ situations }: Game, kept: number): Game => ({
  situations: situations.slice(0, Math.max(1, kept)),
});

/** The game as a motion: a pose for each step, and one more where pieces have left the bench. */
export function posesOf({ situations }: Game): Pose[] {
  return situations.flatMap(({ rules, shifts, parts, last }, n) => {
    const shown = (part: readonly number[]) => shifts.map((_, body) => part.includes(body));
    const here: Pose = { shifts, shown: shown(parts[0]!), turns: rules.turns };
    if (!last) return [here];
    if ("turning" in last) return [{ ...here, turning: last.turning }];
    const [before, { way }] = [situations[n - 1]!, rules.steps[last.step]!];
    const farther = (steps: number): Pose => ({
      shifts: moved(before.shifts, last.moving, times(steps, way)),
      shown: shown(before.parts[0]!),
      turns: rules.turns,
    });
    if (last.away) return [farther(last.units + last.away), here];
    return Array.from({ length: last.units }, (_, k) => farther(k + 1));
  });
}
