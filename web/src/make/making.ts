// What the workshop makes: things, the formats of each, the options that act on it, and what they are when typed.

import { EFFECTS, MAKE_OPTIONS, type MakeName, type MakeOption, type PreviewData, type Suffix } from "../messages";
import type { Needs } from "../parts/export";

export interface Thing {
  readonly name: "pieces" | "assembly" | "box" | "sheets" | "sticks" | "booklet" | "film";
  readonly formats: readonly Suffix[];
  readonly needs: Needs;
}

const SOLIDS = [".3mf", ".stl", ".obj", ".scad"] as const;
export const THINGS: readonly Thing[] = [
  { name: "pieces", formats: SOLIDS, needs: "pieces" },
  { name: "assembly", formats: SOLIDS, needs: "solution" },
  { name: "box", formats: SOLIDS, needs: "pieces" },
  { name: "sheets", formats: [".svg", ".dxf"], needs: "pieces" },
  { name: "sticks", formats: [".svg", ".txt", ".csv"], needs: "pieces" },
  { name: "booklet", formats: [".pdf", ".html"], needs: "solution" },
  { name: "film", formats: [], needs: "solution" },
];

/** What the user typed or ticked; nothing means the default. */
export type Typed = Readonly<Partial<Record<MakeName, string | boolean>>>;
type Value = boolean | number | number[];

/** The options that act on a thing in a format, on a grid of balls or of other tiles. */
export function optionsFor({ name }: Thing, to: string, balls: boolean): MakeOption[] {
  const acting = EFFECTS[`${to} ${name}`] ?? [];
  const lost: readonly MakeName[] = balls ? ["bevel", "bevel_units"] : ["neck"];
  return MAKE_OPTIONS.filter((option) => acting.includes(option.name) && !lost.includes(option.name));
}

const COUNTS = { mm: [1], sides: [1, 3], bed: [2], part: [1], pixels: [1], flag: [] } as const;

/** What was typed, as the server takes it; undefined for nothing, null if it makes no sense. */
export function valueOf({ kind }: MakeOption, typed: string | boolean | undefined): Value | null | undefined {
  if (typeof typed !== "string") return typed || undefined;
  if (!typed.trim()) return undefined;
  const parts = typed.replaceAll(",", ".").split(/[x×*\s]+/i);
  const numbers = parts.filter(Boolean).map(Number);
  const count = numbers.length as never;
  if (!(COUNTS[kind] as readonly number[]).includes(count) || !numbers.every(Number.isFinite)) return null;
  if (kind === "pixels" && !Number.isInteger(numbers[0])) return null;
  return numbers.length === 1 ? numbers[0]! : numbers;
}

/** The options that were given, by name; null if one of them makes no sense. */
export function givenOf(options: readonly MakeOption[], typed: Typed): Record<string, Value> | null {
  const given: Record<string, Value> = {};
  for (const option of options) {
    const value = valueOf(option, typed[option.name]);
    if (value === null) return null;
    if (value !== undefined) given[option.name] = value;
  }
  return given;
}

/** The volume of everything that is printed, in mm³. */
export const volumeOf = ({ plates, solids }: PreviewData): number =>
  plates.flat().reduce((sum, { solid }) => sum + solids[solid]!.volume, 0);

/** How heavy a volume in mm³ is, in grams, at a density in g/cm³. */
export const gramsOf = (volume: number, density: number): number => (volume / 1000) * density;
