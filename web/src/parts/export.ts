// What can be taken along: each kind of file, what it shows, and what it needs.

import type { ExportRequest } from "../messages";
import { words } from "../words";

export type Needs = "puzzle" | "pieces" | "solution" | "apart";

export interface Kind {
  readonly to: string; // a suffix
  readonly show: string; // which view of the puzzle; "" for the usual one
  readonly what: string;
  readonly needs: Needs;
}

export interface Group {
  readonly title: string;
  readonly hint: string;
  readonly sized: boolean; // made in millimetres
  readonly kinds: readonly Kind[];
}

const { groups, formats } = words.export;
const kind = (to: string, name: keyof typeof formats, needs: Needs, show = ""): Kind => ({
  to,
  show,
  what: formats[name],
  needs,
});

export const GROUPS: readonly Group[] = [
  {
    title: groups.puzzle[0],
    hint: groups.puzzle[1],
    sized: false,
    kinds: [
      kind(".kumitate.json", "kumitate", "puzzle"),
      kind(".xmpuzzle", "xmpuzzle", "puzzle"),
      kind(".scad", "scad", "pieces"),
    ],
  },
  {
    title: groups.print[0],
    hint: groups.print[1],
    sized: true,
    kinds: [
      kind(".3mf", "3mf", "pieces"),
      kind(".stl", "stl", "pieces"),
      kind(".obj", "obj", "pieces"),
      kind(".glb", "pieces.glb", "pieces", "pieces"),
    ],
  },
  {
    title: groups.pictures[0],
    hint: groups.pictures[1],
    sized: false,
    kinds: [
      kind(".svg", "pieces.svg", "pieces", "pieces"),
      kind(".png", "pieces.png", "pieces", "pieces"),
      kind(".svg", "assembly.svg", "solution", "assembly"),
      kind(".png", "exploded.png", "solution", "exploded"),
    ],
  },
  {
    title: groups.solution[0],
    hint: groups.solution[1],
    sized: false,
    kinds: [
      kind(".gif", "gif", "apart"),
      kind(".html", "html", "solution"),
      kind(".pdf", "pdf", "solution"),
      kind(".glb", "glb", "solution"),
    ],
  },
];

/** What is there to be exported. */
export interface There {
  readonly pieces: boolean;
  readonly solution: boolean;
  readonly apart: boolean;
  readonly fresh: boolean;
}

/** Why a kind cannot be made now, "" if it can. */
export function reasonAgainst(needs: Needs, there: There): string {
  if (needs === "puzzle") return "";
  if (needs === "pieces") return there.pieces ? "" : words.export.needsPieces;
  if (!there.solution) return words.export.needsSolution;
  return needs === "apart" && !there.apart ? words.export.needsApart : "";
}

export interface Sizes {
  readonly unit: number | null;
  readonly bevel: number | null;
  readonly inset: number | null;
}

/** A solution is named by its run; everything else is made of the puzzle as it stands. */
export function requestFor(
  { to, show, needs }: Kind,
  { puzzle, problem }: Pick<ExportRequest, "puzzle"> & { problem: number },
  watched: { run: string; number: number } | null,
  sizes: Sizes | null,
): ExportRequest {
  const solution = needs === "solution" || needs === "apart" ? watched : null;
  return { puzzle, problem, to, show, ...(solution ?? { run: "", number: 0 }), ...(sizes ?? {}) };
}
