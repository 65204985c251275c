// What the Shapes place edits, with which tool, and what is under way: one state for the 3D view, the layer
// view and the keys. The cells themselves lie in the puzzle; here is only how they are looked at and touched.

import * as api from "../api";
import {
  bare,
  boundsOf,
  box,
  centring,
  column,
  type Cell,
  firstRoom,
  flood,
  grown,
  heightOf,
  holes,
  inner,
  indexOf,
  inRoom,
  type Key,
  keyOf,
  keysOf,
  type Layer,
  layersOf,
  line,
  type Mirror,
  mirrored,
  mirrorIn,
  type Paint,
  painted,
  point,
  replaced,
  resized,
  type Room,
  roomAround,
  type Row,
  shiftAlong,
  shifted,
  spaceOf,
  spotOf,
  taken,
} from "../geometry";
import { plus, times, vector, type Axis, type Vector } from "../vector";
import type { ChangeRequest, GridData, WayData } from "../messages";
import { shapeColour } from "../palette";
import { labelOf, shapeOf, withShape } from "../puzzle";
import { act, complain, remembered, studio } from "../state";
import { said } from "../words/shapes";

/** What happens to the cells that are touched; with "look" nothing does. */
export type Brush = "add" | "remove" | "optional" | "colour" | "select" | "look";
/** Which cells a drag touches. */
export type Reach = "cell" | "whole" | "column" | "box" | "line" | "fill";
/** Whether a drag touches what it comes over, rather than what lies between its ends. */
export const isFree = (reach: Reach) => reach === "cell" || reach === "whole" || reach === "column";
export type View = "both" | "stage" | "layer";

const NO_ROWS: Row[] = [];
const NO_COLOURS: readonly string[] = [];
const NO_KEYS: ReadonlySet<Key> = new Set();

class Editor {
  brush = $state<Brush>("add");
  reach = $state<Reach>("cell");
  /** The number of the colour that is painted with; 0 is neutral. */
  colour = $state(1);
  /** How many cells deep a box is. */
  deep = $state(1);
  /** The axes across which drawing is mirrored. */
  across = $state.raw<readonly Axis[]>([]);
  view = $state<View>("both");
  /** Whether layers above the one that is drawn on are hidden. */
  cut = $state(false);
  /** Where the layer that is drawn on lies. */
  height = $state(0);

  rooms = $state.raw<Readonly<Record<number, Room>>>({});
  picked = $state.raw<{ readonly shape: number; readonly keys: ReadonlySet<Key> } | null>(null);
  clipboard = $state.raw<Row[]>(NO_ROWS);
  /** What is being pasted, and where it would go. */
  floating = $state.raw<{ readonly rows: Row[]; readonly by: Vector } | null>(null);
  /** The shape as it would be after what the pointer rests on. */
  preview = $state.raw<Row[] | null>(null);
  /** The cells that a click would touch, and how. */
  pointed = $state.raw<{ readonly cells: readonly Cell[]; readonly brush: Brush } | null>(null);
  /** Where the keys draw in the layer view, and where their box or line began. */
  cursor = $state.raw<Cell | null>(null);
  anchor = $state.raw<Cell | null>(null);
  /** How often all was to be seen anew. */
  fits = $state(0);
  /** Whether a tool is down; whatever costs more than a frame waits until it is lifted. */
  drawing = $state(false);

  grid = $derived(studio.opened?.grid as GridData);
  shape = $derived(studio.puzzle ? shapeOf(studio.puzzle, studio.shape) : undefined);
  rows = $derived(this.shape?.cells ?? NO_ROWS);
  index = $derived(indexOf(this.rows));
  tint = $derived(studio.puzzle && this.shape ? shapeColour(studio.puzzle, this.shape.id) : "#ffffff");
  colours: readonly string[] = $derived(studio.puzzle?.colours ?? NO_COLOURS);
  room = $derived(roomAround(this.grid, this.rooms[studio.shape ?? -1] ?? firstRoom(this.grid, this.rows), this.rows));
  layers = $derived(layersOf(this.grid, this.room));
  /** The box around the room in space. */
  space = $derived(spaceOf(this.grid, [...(this.layers[0]?.cells ?? []), ...(this.layers.at(-1)?.cells ?? [])]));
  level = $derived(nearest(this.layers, this.height));
  layer = $derived(this.layers[this.level]);
  below = $derived(this.layers[this.level - 1]);
  mirrors = $derived(
    this.across
      .map((axis) => mirrorIn(this.grid, this.room, axis))
      .filter((mirror): mirror is Mirror => mirror !== null),
  );
  chosen = $derived(
    this.picked?.shape === studio.shape ? new Set([...this.picked.keys].filter((key) => this.index.has(key))) : NO_KEYS,
  );
  /** What turns, mirrors and shifts act on: the selected cells, or all. */
  subject = $derived(this.chosen.size ? taken(this.rows, this.chosen) : this.rows);
  /** The cells that are shown in space. */
  visible = $derived.by((): ReadonlyMap<Key, Row> => {
    if (!this.cut || !this.layer) return this.index;
    const top = this.layer.height + 1e-6;
    return new Map([...this.index].filter(([, row]) => heightOf(this.grid, row) <= top));
  });
}

export const editor = new Editor();

function nearest(layers: readonly Layer[], height: number): number {
  let best = 0;
  layers.forEach((layer, at) => {
    if (Math.abs(layer.height - height) < Math.abs(layers[best]!.height - height)) best = at;
  });
  return best;
}

let known: GridData | null = null; // whose puzzle the editor speaks of, also while another place is shown

/** Forget what was said about the shapes of another puzzle. */
export function forget(): void {
  if (editor.grid === known) return;
  known = editor.grid;
  editor.rooms = {};
  editor.picked = editor.floating = editor.preview = editor.pointed = editor.cursor = editor.anchor = null;
  editor.clipboard = NO_ROWS;
  editor.across = [];
  editor.height = -Infinity;
}

export function goToLevel(level: number): void {
  const layer = editor.layers[Math.max(0, Math.min(level, editor.layers.length - 1))];
  if (layer) editor.height = layer.height;
}

export function toggleMirror(axis: Axis): void {
  editor.across = editor.across.includes(axis)
    ? editor.across.filter((each) => each !== axis)
    : [...editor.across, axis];
}

// ---- changing the shape ----

/** Give the shape other cells. The room they had stays, so that nothing jumps. */
function edit(name: string, rows: Row[], key?: string): void {
  const { shape, room } = editor;
  if (!shape) return;
  if (editor.rooms[shape.id] !== room) editor.rooms = { ...editor.rooms, [shape.id]: room };
  act(name, (puzzle) => withShape(puzzle, { ...shape, cells: rows }), key);
}

interface Stroke {
  readonly brush: Brush;
  readonly reach: Reach;
  readonly from: Cell;
  readonly before: Row[];
  readonly paint: Paint | null; // null selects
  readonly kept: ReadonlySet<Key>; // what stays selected
  readonly out: Vector; // where a deep box grows, in spots
  readonly key: string;
  cells: Map<Key, Cell>;
  last: Cell;
}

let stroke: Stroke | null = null;
let strokes = 0;

export interface Manner {
  readonly brush: Brush;
  readonly reach: Reach;
  readonly out: Vector;
  /** The layer to stay in, if any. */
  readonly layer?: Layer | undefined;
  /** Whether what is selected stays so. */
  readonly more?: boolean;
}

/** Put a tool down on a cell. */
export function begin(at: Cell, { brush, reach, out, layer, more = false }: Manner): void {
  if (brush === "look" || !editor.shape) return;
  const row = editor.index.get(keyOf(at));
  const paint: Paint | null =
    brush === "select"
      ? null
      : brush === "colour"
        ? { kind: "colour", colour: editor.colour }
        : brush === "optional"
          ? { kind: "optional", optional: row?.[4] !== 1 }
          : { kind: brush };
  stroke = {
    brush,
    reach,
    from: at,
    before: editor.rows,
    paint,
    kept: more ? editor.chosen : NO_KEYS,
    out,
    key: `stroke ${++strokes}`,
    cells: new Map(),
    last: at,
  };
  editor.drawing = true;
  if (reach === "fill") for (const cell of filled(at, row, layer)) stroke.cells.set(keyOf(cell), cell);
  drawTo(at);
}

/** Move it to another cell. */
export function drawTo(at: Cell, gapless = false): void {
  if (!stroke) return;
  const { grid } = editor;
  const { reach, from, last, out } = stroke;
  if (isFree(reach)) {
    for (const each of gapless ? line(grid, last, at) : [at])
      for (const cell of cellsOf(each, reach)) stroke.cells.set(keyOf(cell), cell);
  } else if (reach === "box")
    stroke.cells = new Map(box(grid, from, at, times(editor.deep - 1, out)).map((cell) => [keyOf(cell), cell]));
  else if (reach === "line") stroke.cells = new Map(line(grid, from, at).map((cell) => [keyOf(cell), cell]));
  stroke.last = at;
  const cells = mirrored(grid, editor.mirrors, stroke.cells.values());
  if (!stroke.paint) {
    const keys = cells.map(keyOf).filter((key) => editor.index.has(key));
    editor.picked = { shape: studio.shape!, keys: new Set([...stroke.kept, ...keys]) };
    return;
  }
  const { rows, count } = painted(stroke.before, cells, stroke.paint);
  if (rows !== editor.rows) edit(said.did.paint(stroke.paint, count), rows, stroke.key);
}

/** What a brush touches at a cell. */
export function cellsOf(at: Cell, reach: Reach): Cell[] {
  const { grid, room } = editor;
  return reach === "whole" ? point(grid, at) : reach === "column" ? column(grid, room, at) : [at];
}

/** Lift it; false if none was down. */
export function lift(): boolean {
  const was = stroke !== null;
  stroke = null;
  editor.drawing = false;
  return was;
}

/** Empty cells up to the walls of the room, or cells alike. */
function filled(at: Cell, row: Row | undefined, layer: Layer | undefined): Cell[] {
  const { grid, room, index } = editor;
  const there = layer && keysOf(layer.cells);
  return flood(grid, at, (cell) => {
    if (there && !there.has(keyOf(cell))) return false;
    const other = index.get(keyOf(cell));
    return row
      ? other !== undefined && other[4] === row[4] && other[5] === row[5]
      : !other && inRoom(room, spotOf(grid, cell));
  });
}

// ---- selecting, copying, pasting ----

export function select(keys: ReadonlySet<Key>): void {
  editor.picked = studio.shape === null ? null : { shape: studio.shape, keys };
}

export const selectAll = () => select(keysOf(editor.rows));

export function remove(): void {
  const { count, rows } = painted(editor.rows, taken(editor.rows, editor.chosen).map(bare), { kind: "remove" });
  if (count) edit(said.did.paint({ kind: "remove" }, count), rows);
}

export function copy(): void {
  if (editor.subject.length) editor.clipboard = editor.subject;
}

export function cutOut(): void {
  if (!editor.chosen.size) return;
  copy();
  remove();
}

/** Begin to paste: the cells float where they were until they are put down. */
export function paste(): void {
  if (editor.clipboard.length && editor.shape) editor.floating = { rows: editor.clipboard, by: [0, 0, 0] };
}

export function floatTo(at: Cell): void {
  const anchor = editor.floating?.rows[0];
  if (!anchor || !editor.floating) return;
  editor.floating = { ...editor.floating, by: vector((axis) => at[axis] - anchor[axis]) };
}

export function putDown(): void {
  const { floating } = editor;
  if (!floating) return;
  editor.floating = null;
  const rows = shifted(floating.rows, floating.by);
  edit(said.did.paste(rows.length), replaced(editor.rows, NO_KEYS, rows).rows);
  select(keysOf(rows));
}

/** Leave whatever is under way, the selection last; false if there was nothing. */
export function escape(): boolean {
  if (editor.floating) editor.floating = null;
  else if (editor.anchor) editor.anchor = null;
  else if (editor.chosen.size) editor.picked = null;
  else return false;
  return true;
}

// ---- the shape as a whole ----

export type Change = Pick<ChangeRequest, "how" | "axis" | "back" | "by">;

const changes = remembered<Row[], Row[]>();

/** What would become of the cells. */
function changed(change: Change): Promise<Row[]> {
  const { subject, shape, grid } = editor;
  return changes(subject, JSON.stringify(change), async () => {
    return (await api.change({ grid: grid.key, shape: { ...shape!, cells: subject }, ...change })).cells;
  });
}

let previews = 0;

export function preview(change: Change | WayData): void {
  const number = ++previews;
  if (!editor.rows.length) return;
  if ("shift" in change) editor.preview = shifted(editor.subject, change.shift);
  else
    changed(change).then(
      (rows) => {
        if (number === previews) editor.preview = rows;
      },
      () => {},
    );
}

export function endPreview(): void {
  previews++;
  editor.preview = null;
}

function replace(name: string, by: Row[]): void {
  const { chosen } = editor;
  edit(name, chosen.size ? replaced(editor.rows, chosen, by).rows : by);
  if (chosen.size) select(keysOf(by));
}

/** Turn, mirror or scale the selected cells, or all. */
export async function change(how: Change): Promise<void> {
  const { subject, shape } = editor;
  if (!shape || !subject.length) return;
  try {
    const rows = await changed(how);
    endPreview();
    if (editor.subject === subject) replace(said.did.change(how, label()), rows);
  } catch (error) {
    complain(error);
  }
}

export function shift(way: WayData): void {
  if (editor.floating) {
    const { rows, by } = editor.floating;
    editor.floating = { rows, by: plus(by, way.shift) };
  } else if (editor.subject.length) {
    endPreview();
    replace(said.did.shift(way.name, label()), shifted(editor.subject, way.shift));
  }
}

/** Shift along a direction of space, by the grid's vector that is nearest to it. */
export function shiftTowards(direction: Vector): void {
  const way = shiftAlong(editor.grid, direction);
  if (way) shift(way);
}

/** What is spoken of: the shape by its name, or the selected cells. */
const label = () => (editor.chosen.size ? said.cells(editor.chosen.size) : labelOf(studio.puzzle!, editor.shape!.id));

/** Fill what is empty within the shape. */
export function fillHoles(): void {
  const { rows, count } = painted(editor.rows, holes(editor.grid, editor.rows), { kind: "add" });
  if (count) edit(said.did.fillHoles(count), rows);
}

/** Make cells optional, or all fixed. */
export function constrain(which: "inside" | "outside" | "none"): void {
  const inside = keysOf(inner(editor.grid, editor.rows));
  const cells = editor.rows.filter((row) => which === "none" || inside.has(keyOf(row)) === (which === "inside"));
  const { rows, count } = painted(editor.rows, cells, { kind: "optional", optional: which !== "none" });
  if (count) edit(said.did.paint({ kind: "optional", optional: which !== "none" }, count), rows);
}

/** Move the shape to the middle of the room. */
export function centre(): void {
  const { grid, room, rows } = editor;
  const by = centring(grid, room, rows);
  if (by.some(Boolean)) edit(said.did.centre(label()), shifted(rows, by));
}

/** Change all shapes alike; one thing to undo. */
export async function changeAll(how: Change | WayData): Promise<void> {
  const { puzzle } = studio;
  if (!puzzle) return;
  endPreview();
  const drawn = puzzle.shapes.filter((shape) => shape.cells.length);
  try {
    const made = await Promise.all(
      drawn.map(async (shape) =>
        "shift" in how
          ? { ...shape, cells: shifted(shape.cells, how.shift) }
          : { ...shape, cells: (await api.change({ grid: puzzle.grid, shape, ...how })).cells },
      ),
    );
    if (studio.puzzle !== puzzle) return;
    const name = "shift" in how ? said.did.shift(how.name, said.all) : said.did.change(how, said.all);
    act(name, (now) => made.reduce(withShape, now));
    editor.rooms = {};
    editor.fits++;
  } catch (error) {
    complain(error);
  }
}

// ---- the room ----

function setRoom(room: Room): void {
  if (!editor.shape) return;
  editor.rooms = { ...editor.rooms, [editor.shape.id]: room };
  editor.fits++;
}

export const grow = () => setRoom(grown(editor.grid, editor.room));
export const resize = (axis: Axis, size: number) => setRoom(resized(editor.grid, editor.room, editor.rows, axis, size));

/** Move the shape to the origin, and leave no room around it. */
export async function minimise(): Promise<void> {
  const { shape, rows, grid } = editor;
  if (!shape || !rows.length) return;
  editor.picked = null;
  try {
    const { cells } = await api.change({ grid: grid.key, shape, how: "origin" });
    if (editor.rows !== rows) return;
    const moved = cells.some((cell) => !editor.index.has(keyOf(cell)));
    if (moved) edit(said.did.minimise(label()), cells);
    setRoom(boundsOf(grid, editor.rows)!);
  } catch (error) {
    complain(error);
  }
}
