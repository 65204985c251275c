// What the user wants, as it was typed, and as the server takes it.

import {
  WISHES,
  type DesignRequest,
  type FamilyName,
  type ProblemData,
  type PuzzleData,
  type WishName,
  type WishOption,
} from "../messages";
import { said } from "../words/design";

/** A family, a block of cubes, or this puzzle: its pieces or its goal. */
export type GoalName = FamilyName | "improve" | "goal" | "block";
export type Typed = Readonly<Partial<Record<WishName, string | boolean | readonly string[]>>>;

export interface Choices {
  readonly goal: GoalName;
  readonly size: string;
  readonly random: boolean;
  readonly typed: Typed;
  readonly seconds: number; // 0: no limit
}

// A cube is a block, too.
const FAMILIES = (Object.keys(said.goals) as GoalName[]).filter(
  (name) => !["improve", "goal", "block", "cube"].includes(name),
);

/** The goals to choose from, for a problem of a puzzle if there is one. */
export function goalsFor(problem: ProblemData | undefined): GoalName[] {
  const mine: GoalName[] = problem ? [...(problem.pieces.length ? (["improve"] as const) : []), "goal"] : [];
  return [...mine, "block", ...FAMILIES];
}

/** How candidates are found. */
export function wayOf({ goal, random }: Pick<Choices, "goal" | "random">): NonNullable<DesignRequest["way"]> {
  if (!random || !canBeRandom(goal)) return goal === "improve" ? "improve" : "design";
  return goal === "improve" ? "pieces" : goal === "burr6" ? "burrs" : "cuts";
}

/** Whether puzzles can be drawn at random, too. */
export const canBeRandom = (goal: GoalName) => ["improve", "goal", "block", "burr6"].includes(goal);

/** Whether a goal has a size to be typed. */
export const hasSize = (goal: GoalName) => goal !== "improve" && goal !== "goal" && goal !== "rhombic";

const SEARCHED: Readonly<Record<string, readonly WishName[]>> = {
  cuts: ["pieces", "holes", "unique", "level", "smallest", "seed"],
  pieces: ["unique", "level", "seed"],
  burrs: ["unique", "level", "notchable", "seed"],
};

/** The wishes that have an effect. */
export function wishesFor(choices: Pick<Choices, "goal" | "random">): WishOption[] {
  const known = SEARCHED[wayOf(choices)];
  const shown = ({ name }: WishOption) => name !== "home" && (name !== "keep" || choices.goal === "improve");
  return WISHES.filter((wish) => (known ? known.includes(wish.name) : shown(wish)));
}

type Value = boolean | number | (number | string)[];

/** What was typed, as the server takes it; undefined for nothing, null if it makes no sense. */
export function valueOf({ kind }: WishOption, typed: Typed[WishName]): Value | null | undefined {
  if (typeof typed !== "string") return (typeof typed === "object" ? typed.length && [...typed] : typed) || undefined;
  const text = typed.trim();
  if (!text) return undefined;
  if (kind === "part") return /^\d*[.,]?\d+$/.test(text) ? Number(text.replace(",", ".")) : null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const range = kind === "range" && /^(\d{1,15})\s*(?:\.\.+|-|–|…|to)\s*(\d{1,15})$/.exec(text);
  return range && Number(range[1]) <= Number(range[2]) ? [Number(range[1]), Number(range[2])] : null;
}

/** A sentence of the server, with the words of the form instead of options of the command line. */
export const inWords = (sentence: string) =>
  sentence.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_, option: string) => {
    const name = option.replaceAll("-", "_");
    return `“${name in said.wish ? said.wish[name as WishName] : option}”`;
  });

/** What to ask the server for; null if something that was typed makes no sense. */
export function requestFor(
  choices: Choices,
  usual: string,
  threads: number,
  at: { puzzle: PuzzleData; problem: number } | null,
): DesignRequest | null {
  const { goal, seconds } = choices;
  const wish: Record<string, Value> = {};
  for (const option of wishesFor(choices)) {
    const value = valueOf(option, choices.typed[option.name]);
    if (value === null) return null;
    if (value !== undefined) wish[option.name] = value;
  }
  const mine = goal === "improve" || goal === "goal";
  const size = choices.size.trim().replaceAll(/\s*[x×*]\s*/gi, "x");
  const named = goal === "block" ? size || usual : size ? `${goal}/${size}` : goal;
  return {
    way: wayOf(choices),
    threads,
    wish,
    seconds: seconds || null,
    ...(mine ? (at ?? {}) : { goal: named }),
  };
}
