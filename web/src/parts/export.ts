// What can be taken along: each kind of file, what it shows, and what it needs.

import { isAlone } from "../alone";
import type { ExportRequest, Suffix } from "../messages";
import { words } from "../words";

export type Needs = "puzzle" | "pieces" | "solution" | "apart";

export interface Kind {
  readonly to: Suffix;
  readonly show: string; // which view of the puzzle; "" for the usual one
  readonly what: string;
  readonly needs: Needs;
}

export interface Group {
  readonly title: string;
  readonly hint: string;
  readonly workshop: boolean; // made in Make, with all options
  readonly kinds: readonly Kind[];
}

const { groups, formats } = words.export;
const kind = (to: Suffix, name: keyof typeof formats, needs: Needs, show = ""): Kind => ({
  to,
  show,
  what: formats[name],
  needs,
});

const group = (name: keyof typeof groups, ...kinds: readonly Kind[]): Group => {
  const [title, hint] = groups[name];
  return { title, hint, workshop: name === "print", kinds };
};

const EVERYWHERE: readonly Suffix[] = [".kumitate.json", ".xmpuzzle", ".scad", ".svg", ".png", ".html", ".pdf"];

const all: readonly Group[] = [
  group(
    "puzzle",
    kind(".kumitate.json", "kumitate", "puzzle"),
    kind(".xmpuzzle", "xmpuzzle", "puzzle"),
    kind(".scad", "scad", "pieces"),
  ),
  group(
    "print",
    kind(".3mf", "3mf", "pieces"),
    kind(".stl", "stl", "pieces"),
    kind(".obj", "obj", "pieces"),
    kind(".glb", "pieces.glb", "pieces", "pieces"),
  ),
  group(
    "pictures",
    kind(".svg", "pieces.svg", "pieces", "pieces"),
    kind(".png", "pieces.png", "pieces", "pieces"),
    kind(".svg", "assembly.svg", "solution", "assembly"),
    kind(".png", "exploded.png", "solution", "exploded"),
  ),
  group(
    "solution",
    kind(".gif", "gif", "apart"),
    kind(".html", "html", "solution"),
    kind(".pdf", "pdf", "solution"),
    kind(".glb", "glb", "solution"),
  ),
];

/** Whether it can be made here: without a server neither solids nor films, nor what NumPy moves apart. */
export const isHere = ({ to, show }: Kind) => !isAlone || (EVERYWHERE.includes(to) && show !== "exploded");

/** What can be made here. */
export const GROUPS: readonly Group[] = all
  .map((one) => ({ ...one, kinds: one.kinds.filter(isHere) }))
  .filter(({ kinds }) => kinds.length);

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

/** A solution is named by its run; everything else is made of the puzzle as it stands. */
export function requestFor(
  { to, show, needs }: Kind,
  { puzzle, problem }: Pick<ExportRequest, "puzzle"> & { problem: number },
  watched: { run: string; number: number } | null,
  make: Record<string, boolean | number | number[]>,
): ExportRequest {
  const solution = needs === "solution" || needs === "apart" ? watched : null;
  return { puzzle, problem, to, show, ...(solution ?? { run: "", number: 0 }), make };
}
