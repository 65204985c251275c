// Pins: the way from a piece and a cell to a placement, and where those lie that there are already.

import * as api from "../api";
import { bare, type Row } from "../geometry";
import type { PlacedData, PlacementData, ProblemData, PuzzleData, ShapeData } from "../messages";
import { shapeOf } from "../puzzle";
import { complain, studio } from "../state";
import { wayOf } from "./rules";

/** A piece that is about to be pinned: on which of the goal's cells, and the ways it can lie there. */
class Pinning {
  piece = $state<number | null>(null);
  cell = $state<number | null>(null);
  ways = $state.raw<readonly PlacedData[] | null>(null); // null while they are looked for
  at = $state(0);
  /** A pin from the list that is pointed at. */
  shown = $state.raw<PlacementData | null>(null);

  way = $derived(this.ways?.[this.at] ?? null);
}
export const pinning = new Pinning();

export function stopPinning(): void {
  pinning.piece = pinning.cell = pinning.ways = null;
}

export function startPinning(piece: number, cell: number | null = null): void {
  pinning.piece = piece;
  pinning.cell = pinning.ways = null;
  if (cell !== null) void coverCell(cell);
}

/** Look how the piece can lie so that it covers a cell of the goal. */
export async function coverCell(cell: number): Promise<void> {
  const { piece } = pinning;
  const { puzzle, problem } = studio;
  const goal = puzzle && shapeOf(puzzle, puzzle.problems[problem]?.goal ?? null);
  const row = goal?.cells[cell];
  if (piece === null || !puzzle || !row) return;
  pinning.cell = cell;
  pinning.ways = null;
  pinning.at = 0;
  try {
    const { placements } = await api.placements({ puzzle, problem, piece, cell: [...bare(row)] });
    if (pinning.piece !== piece || pinning.cell !== cell || studio.puzzle !== puzzle) return;
    remember(puzzle, puzzle.problems[problem]!, placements);
    pinning.ways = placements;
  } catch (error) {
    complain(error);
    stopPinning();
  }
}

export const turnWay = (by: number) => {
  const count = pinning.ways?.length ?? 0;
  if (count) pinning.at = (pinning.at + by + count) % count;
};

// ---- where placements lie ----

const known = new WeakMap<ShapeData, Map<string, readonly Row[]>>();
let heard = $state(0); // counts up when more is known

const shapeAt = (puzzle: PuzzleData, { pieces }: ProblemData, { piece }: PlacementData) =>
  shapeOf(puzzle, pieces[piece]?.shape ?? null);

function remember(puzzle: PuzzleData, problem: ProblemData, placements: readonly PlacedData[]): void {
  for (const { placement, cells } of placements) {
    const shape = shapeAt(puzzle, problem, placement);
    if (shape) known.set(shape, (known.get(shape) ?? new Map<string, readonly Row[]>()).set(wayOf(placement), cells));
  }
  heard++;
}

/** The cells of a placement, as far as they are known. */
export function cellsOf(puzzle: PuzzleData, problem: ProblemData, placement: PlacementData): readonly Row[] {
  void heard;
  const shape = shapeAt(puzzle, problem, placement);
  return (shape && known.get(shape)?.get(wayOf(placement))) ?? [];
}

/** Ask where the pins lie whose cells are not known. */
export async function findPins(puzzle: PuzzleData, number: number): Promise<void> {
  const problem = puzzle.problems[number];
  if (!problem) return;
  const unknown = [...problem.pinned, ...problem.forbidden].filter((pin) => !cellsOf(puzzle, problem, pin).length);
  for (const piece of new Set(unknown.map((pin) => pin.piece))) {
    if (studio.puzzle !== puzzle) return;
    const found = await api.placements({ puzzle, problem: number, piece }).catch(() => null);
    if (found) remember(puzzle, problem, found.placements);
  }
}
