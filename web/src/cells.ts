// What can be done with cells: where they lie, what lies beside them, and how a shape is drawn cell by cell.
//
// Everything follows from GridData, so nothing here asks which grid it is. A cell stands in space (its
// lattice point in the basis) and on the text page at a spot: column, row, layer. Boxes, rooms and mirror
// drawing count in spots; lines, fills and clicks go through the sides of tiles. Rows are never changed in
// place: an edit gives new ones, and how many cells it touched.

import type { GridData, ShapeData, WayData } from "./messages";

export type Vector = readonly [number, number, number];
export type Cell = readonly [number, number, number, number];
/** A cell of a shape: x, y, z, tile, optional, colour. */
export type Row = ShapeData["cells"][number];
export type Key = string;

export const keyOf = ([x, y, z, tile]: Cell | Row): Key => `${x},${y},${z},${tile}`;
export const bare = ([x, y, z, tile]: Cell | Row): Cell => [x, y, z, tile];
export const same = (a: Cell | Row, b: Cell | Row) => a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3];

const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (k: number, a: Vector): Vector => [k * a[0], k * a[1], k * a[2]];
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a: Vector) => Math.sqrt(dot(a, a));
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const modulo = (a: number, n: number) => ((a % n) + n) % n;
const AXES = [0, 1, 2] as const;
const EPSILON = 1e-6;

type Matrix = readonly [Vector, Vector, Vector]; // rows
const apply = (m: Matrix, v: Vector): Vector => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
const transpose = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];
/** The matrix that undoes m up to the factor det(m). */
const adjugate = (m: Matrix): Matrix => transpose([cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])]);

// ---- what a grid's numbers say, worked out once ----

interface Plane {
  readonly normal: Vector;
  readonly offset: number;
}

interface Frame {
  readonly inverse: Matrix; // from space to lattice coordinates
  readonly unpage: Matrix; // from spots to lattice coordinates, times `scale`
  readonly scale: number;
  readonly seats: ReadonlyMap<number, { tile: number; at: Vector }>;
  readonly planes: readonly (readonly Plane[])[]; // of each tile, seen from its lattice point
  readonly spans: readonly { low: Vector; high: Vector }[]; // of each tile, in lattice coordinates
  readonly size: number; // no point of a tile is farther from its centre
  readonly rise: number | null; // how much higher each spot layer is; null if heights vary within one
  readonly unit: Vector; // spots along a unit of space
}

const frames = new WeakMap<GridData, Frame>();

function frameOf(grid: GridData): Frame {
  let frame = frames.get(grid);
  if (!frame) frames.set(grid, (frame = makeFrame(grid)));
  return frame;
}

function makeFrame(grid: GridData): Frame {
  const basis = transpose(grid.basis);
  const volume = dot(basis[0], cross(basis[1], basis[2]));
  const undo = adjugate(basis);
  const inverse: Matrix = [times(1 / volume, undo[0]), times(1 / volume, undo[1]), times(1 / volume, undo[2])];
  const unpage = adjugate(grid.page);
  const scale = dot(grid.page[0], cross(grid.page[1], grid.page[2]));

  const seats = new Map<number, { tile: number; at: Vector }>();
  grid.tiles.forEach(({ spot }, tile) => {
    const at = apply(unpage, spot);
    const seat = seatOf(at, scale);
    if (!seats.has(seat)) seats.set(seat, { tile, at });
  });

  const heights: Vector = [grid.basis[0][2], grid.basis[1][2], grid.basis[2][2]];
  const layers = grid.page[2];
  const steepest = AXES.find((axis) => layers[axis] !== 0);
  const slope = steepest === undefined ? 0 : heights[steepest] / layers[steepest];
  const even = steepest !== undefined && AXES.every((axis) => Math.abs(heights[axis] - slope * layers[axis]) < EPSILON);

  return {
    inverse,
    unpage,
    scale,
    seats,
    planes: grid.tiles.map(({ corners, sides }) =>
      sides.flatMap(({ normal, ring }) => {
        const corner = corners[ring[0] ?? -1];
        return corner ? [{ normal, offset: dot(normal, corner) }] : [];
      }),
    ),
    spans: grid.tiles.map(({ corners, centre }) => {
      const points = grid.radius ? [centre] : corners;
      const within = points.map((corner) => apply(inverse, corner));
      const margin = grid.radius ? 1 : 0;
      return { low: add(least(within), times(-margin, [1, 1, 1])), high: add(most(within), times(margin, [1, 1, 1])) };
    }),
    size:
      grid.radius ||
      Math.max(...grid.tiles.flatMap(({ corners, centre }) => corners.map((c) => length(minus(c, centre))))),
    rise: even ? slope : null,
    unit: [0, 1, 2].map((axis) => {
      const row = grid.page[axis]!;
      const along = apply(transpose(inverse), row); // spots gained by a unit of space in each direction
      return Math.max(1, Math.round(length(along)));
    }) as unknown as Vector,
  };
}

const seatOf = (at: Vector, scale: number) => {
  const n = Math.abs(scale);
  return (modulo(at[0], n) * n + modulo(at[1], n)) * n + modulo(at[2], n);
};
const least = (vectors: readonly Vector[]): Vector => [
  Math.min(...vectors.map((v) => v[0])),
  Math.min(...vectors.map((v) => v[1])),
  Math.min(...vectors.map((v) => v[2])),
];
const most = (vectors: readonly Vector[]): Vector => times(-1, least(vectors.map((v) => times(-1, v))));

// ---- where a cell is ----

/** The place of a cell's lattice point in space. */
export function placeOf(grid: GridData, [x, y, z]: Cell | Row): Vector {
  const [a, b, c] = grid.basis;
  return [x * a[0] + y * b[0] + z * c[0], x * a[1] + y * b[1] + z * c[1], x * a[2] + y * b[2] + z * c[2]];
}

export const centreOf = (grid: GridData, cell: Cell | Row): Vector =>
  add(placeOf(grid, cell), grid.tiles[cell[3]]!.centre);

/** How high the plane is at which a cell is drawn in the layer view. */
export const heightOf = (grid: GridData, cell: Cell | Row): number =>
  placeOf(grid, cell)[2] + grid.tiles[cell[3]]!.height;

/** Where a cell stands in text: column, row, layer. */
export const spotOf = (grid: GridData, cell: Cell | Row): Vector =>
  add(apply(grid.page, [cell[0], cell[1], cell[2]]), grid.tiles[cell[3]]!.spot);

/** The cell that stands at a spot, or null where no cell does. */
export function cellAt(grid: GridData, spot: Vector): Cell | null {
  const { unpage, scale, seats } = frameOf(grid);
  const [x, y, z] = apply(unpage, spot);
  const seat = seats.get(seatOf([x, y, z], scale));
  if (!seat) return null;
  const { tile, at } = seat;
  return [(x - at[0]) / scale + 0, (y - at[1]) / scale + 0, (z - at[2]) / scale + 0, tile]; // never -0
}

/** The cell that shares a side, by the number of the side. */
export function beyond(grid: GridData, [x, y, z, tile]: Cell | Row, side: number): Cell {
  const [dx, dy, dz, next] = grid.tiles[tile]!.sides[side]!.beyond;
  return [x + dx, y + dy, z + dz, next];
}

export const neighbours = (grid: GridData, cell: Cell | Row): Cell[] =>
  grid.tiles[cell[3]]!.sides.map((_, side) => beyond(grid, cell, side));

/** The cell in which a point of space lies; of balls, the nearest. */
export function cellNear(grid: GridData, point: Vector): Cell {
  const { inverse, planes, spans } = frameOf(grid);
  const at = apply(inverse, point);
  let best: Cell = [0, 0, 0, 0];
  let least = Infinity;
  spans.forEach(({ low, high }, tile) => {
    for (let x = Math.ceil(at[0] - high[0] - EPSILON) + 0; x <= at[0] - low[0] + EPSILON; x++) {
      for (let y = Math.ceil(at[1] - high[1] - EPSILON) + 0; y <= at[1] - low[1] + EPSILON; y++) {
        for (let z = Math.ceil(at[2] - high[2] - EPSILON) + 0; z <= at[2] - low[2] + EPSILON; z++) {
          const cell: Cell = [x, y, z, tile];
          const from = minus(point, placeOf(grid, cell));
          const outside = grid.radius
            ? length(minus(from, grid.tiles[tile]!.centre))
            : Math.max(...planes[tile]!.map(({ normal, offset }) => dot(normal, from) - offset));
          if (outside < least - EPSILON) [best, least] = [cell, outside];
        }
      }
    }
  });
  return best;
}

// ---- what a ray meets ----

export interface Ray {
  readonly origin: Vector;
  readonly direction: Vector;
}

export interface Hit {
  readonly cell: Cell;
  readonly side: number;
  readonly distance: number;
}

/** The first of some cells that a ray meets, and through which side. */
export function hit(grid: GridData, cells: Iterable<Cell | Row>, { origin, direction }: Ray): Hit | null {
  const { planes, size } = frameOf(grid);
  const [a, b, c] = grid.basis;
  const [dx, dy, dz] = times(1 / length(direction), direction);
  let found: Hit | null = null;
  let nearest = Infinity;
  for (const cell of cells) {
    const [x, y, z, tile] = cell;
    const { centre } = grid.tiles[tile]!;
    // From the ray's origin to the lattice point; most cells are nowhere near the ray.
    const px = x * a[0] + y * b[0] + z * c[0] - origin[0];
    const py = x * a[1] + y * b[1] + z * c[1] - origin[1];
    const pz = x * a[2] + y * b[2] + z * c[2] - origin[2];
    const cx = px + centre[0],
      cy = py + centre[1],
      cz = pz + centre[2];
    const along = cx * dx + cy * dy + cz * dz;
    const aside2 = cx * cx + cy * cy + cz * cz - along * along;
    if (aside2 > size * size || along - size > nearest || along + size < 0) continue;
    const met = grid.radius
      ? hitBall(grid, cell, along - Math.sqrt(Math.max(0, size * size - aside2)), [cx, cy, cz], [dx, dy, dz])
      : hitPlanes(planes[tile]!, [px, py, pz], [dx, dy, dz]);
    if (met && met.distance > 0 && met.distance < nearest) {
      nearest = met.distance;
      found = { cell: bare(cell), ...met };
    }
  }
  return found;
}

function hitPlanes(planes: readonly Plane[], from: Vector, way: Vector): { side: number; distance: number } | null {
  let enter = -Infinity,
    leave = Infinity,
    side = -1;
  for (let i = 0; i < planes.length; i++) {
    const { normal, offset } = planes[i]!;
    const speed = dot(normal, way);
    const gap = offset + dot(normal, from);
    if (Math.abs(speed) < 1e-12) {
      if (gap < 0) return null;
    } else if (speed < 0) {
      if (gap / speed > enter) [enter, side] = [gap / speed, i];
    } else leave = Math.min(leave, gap / speed);
  }
  return side >= 0 && enter <= leave ? { side, distance: enter } : null;
}

function hitBall(
  grid: GridData,
  cell: Cell | Row,
  distance: number,
  centre: Vector,
  way: Vector,
): { side: number; distance: number } {
  const out = minus(times(distance, way), centre);
  const { sides } = grid.tiles[cell[3]]!;
  const facing = sides.map(({ normal }) => dot(normal, out));
  return { side: facing.indexOf(Math.max(...facing)), distance };
}

// ---- the room around a shape ----

/** A box of spots, both ends included. */
export interface Room {
  readonly low: Vector;
  readonly high: Vector;
}

export const sizeOf = ({ low, high }: Room): Vector => add(minus(high, low), [1, 1, 1]);
export const inRoom = ({ low, high }: Room, spot: Vector) =>
  AXES.every((axis) => low[axis] <= spot[axis] && spot[axis] <= high[axis]);

/** How many spots make about one unit of space along each axis: the step in which a room grows. */
export const unitOf = (grid: GridData): Vector => frameOf(grid).unit;

export function boundsOf(grid: GridData, rows: Iterable<Cell | Row>): Room | null {
  let low: Vector | null = null,
    high: Vector = [0, 0, 0];
  for (const row of rows) {
    const spot = spotOf(grid, row);
    low = low ? [Math.min(low[0], spot[0]), Math.min(low[1], spot[1]), Math.min(low[2], spot[2])] : spot;
    high = low === spot ? spot : [Math.max(high[0], spot[0]), Math.max(high[1], spot[1]), Math.max(high[2], spot[2])];
  }
  return low && { low, high };
}

/** A room that holds another and some cells. */
export function roomAround(grid: GridData, room: Room, rows: Iterable<Cell | Row>): Room {
  const bounds = boundsOf(grid, rows);
  if (!bounds || (inRoom(room, bounds.low) && inRoom(room, bounds.high))) return room;
  return { low: least([room.low, bounds.low]), high: most([room.high, bounds.high]) };
}

/** The room in which to begin: the shape from its corner on, and some space. */
export function firstRoom(grid: GridData, rows: Row[]): Room {
  const units = grid.tiles.length > 2 ? 3 : 5;
  const low = boundsOf(grid, rows)?.low ?? [0, 0, 0];
  const unit = unitOf(grid);
  const start = low.map((c, axis) => Math.floor(c / unit[axis]!) * unit[axis]!) as unknown as Vector;
  return roomAround(grid, { low: start, high: add(start, minus(times(units, unit), [1, 1, 1])) }, rows);
}

/** Larger by a unit on every side. */
export const grown = (grid: GridData, { low, high }: Room): Room => ({
  low: minus(low, unitOf(grid)),
  high: add(high, unitOf(grid)),
});

/** With another size along an axis, but never too small for the cells. */
export function resized(grid: GridData, room: Room, rows: Row[], axis: 0 | 1 | 2, size: number): Room {
  const high = [...room.high] as [number, number, number];
  high[axis] = room.low[axis] + Math.max(1, size) - 1;
  return roomAround(grid, { low: room.low, high }, rows);
}

export function* cellsIn(grid: GridData, { low, high }: Room): Generator<Cell> {
  for (let z = low[2]; z <= high[2]; z++) {
    for (let y = low[1]; y <= high[1]; y++) {
      for (let x = low[0]; x <= high[0]; x++) {
        const cell = cellAt(grid, [x, y, z]);
        if (cell) yield cell;
      }
    }
  }
}

// ---- layers ----

/** A layer is the cells of one height; most often it is also a layer of the text. */
export interface Layer {
  readonly height: number;
  readonly cells: readonly Cell[];
}

/** The layers of a room, the lowest first. Their cells are found when they are asked for. */
export function layersOf(grid: GridData, room: Room): Layer[] {
  const { rise } = frameOf(grid);
  const rounded = (height: number) => Math.round(height / EPSILON);
  const layers: { at: number; layer: Layer }[] = [];
  if (rise === null) {
    const found = new Map<number, Cell[]>();
    for (const cell of cellsIn(grid, room)) {
      const at = rounded(heightOf(grid, cell));
      (found.get(at) ?? found.set(at, []).get(at)!).push(cell);
    }
    for (const [at, cells] of found) layers.push({ at, layer: { height: at * EPSILON, cells } });
  } else {
    // The height follows from the spot layer and the tile, so there is no need to look at every cell.
    const found = new Map<number, Map<number, Set<number>>>(); // height -> spot layer -> tiles
    for (let z = room.low[2]; z <= room.high[2]; z++) {
      grid.tiles.forEach(({ spot, height }, tile) => {
        const at = rounded(rise * (z - spot[2]) + height);
        const there = found.get(at) ?? found.set(at, new Map()).get(at)!;
        (there.get(z) ?? there.set(z, new Set()).get(z)!).add(tile);
      });
    }
    for (const [at, tiles] of found) {
      const walk = function* (): Generator<Cell> {
        for (const [z, some] of tiles) {
          const slice: Room = { low: [room.low[0], room.low[1], z], high: [room.high[0], room.high[1], z] };
          for (const cell of cellsIn(grid, slice)) if (some.has(cell[3])) yield cell;
        }
      };
      if (walk().next().done) continue;
      let cells: Cell[] | undefined;
      layers.push({
        at,
        layer: {
          height: at * EPSILON,
          get cells() {
            return (cells ??= [...walk()]);
          },
        },
      });
    }
  }
  return layers.sort((a, b) => a.at - b.at).map(({ layer }) => layer);
}

/** Where the plane of its layer cuts a cell, as x, y in space; of a ball, nothing. */
export function sectionOf(grid: GridData, cell: Cell | Row): [number, number][] {
  const [x, y] = placeOf(grid, cell);
  return grid.tiles[cell[3]]!.section.map(([dx, dy]) => [x + dx, y + dy]);
}

/** Where a cell stands on the floor: its lowest face, or else its section; of a ball, a small circle. */
export function footprintOf(grid: GridData, cell: Cell | Row): [number, number][] {
  const [x, y] = placeOf(grid, cell);
  const { sides, corners, centre } = grid.tiles[cell[3]]!;
  if (grid.radius) {
    return Array.from({ length: 24 }, (_, i) => {
      const turn = (i * Math.PI) / 12;
      return [x + centre[0] + 0.6 * grid.radius * Math.cos(turn), y + centre[1] + 0.6 * grid.radius * Math.sin(turn)];
    });
  }
  const foot = sides.find(({ normal }) => normal[2] < -1 + EPSILON);
  return foot ? foot.ring.map((i) => [x + corners[i]![0], y + corners[i]![1]]) : sectionOf(grid, cell);
}

/** The cell of a layer that stands on a point of the floor. */
export function standingAt(grid: GridData, { cells }: Layer, [x, y]: readonly [number, number]): Cell | null {
  const within = (cell: Cell) => {
    if (grid.radius) {
      const [cx, cy] = centreOf(grid, cell);
      return Math.hypot(x - cx, y - cy) <= grid.radius;
    }
    const ring = footprintOf(grid, cell);
    const sides = ring.map(([x1, y1], i) => {
      const [x2, y2] = ring[(i + 1) % ring.length]!;
      return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
    });
    return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
  };
  return cells.find(within) ?? null;
}

/** The box in space around some cells. */
export function spaceOf(grid: GridData, cells: Iterable<Cell | Row>): { low: Vector; high: Vector } {
  const r = grid.radius;
  const spans = grid.tiles.map(({ corners, centre }) =>
    r ? { from: minus(centre, [r, r, r]), to: add(centre, [r, r, r]) } : { from: least(corners), to: most(corners) },
  );
  let low: Vector = [Infinity, Infinity, Infinity],
    high: Vector = [-Infinity, -Infinity, -Infinity];
  for (const cell of cells) {
    const place = placeOf(grid, cell);
    const { from, to } = spans[cell[3]]!;
    low = least([low, add(place, from)]);
    high = most([high, add(place, to)]);
  }
  return { low, high };
}

/** Of some cells of a layer, the one an arrow key leads to: along the row, or to the nearest of the next row. */
export function nextIn(
  grid: GridData,
  cells: readonly Cell[],
  from: Cell,
  [dx, dy]: readonly [number, number],
): Cell | null {
  const [x0, y0] = centreOf(grid, from);
  let best: Cell | null = null;
  let least: readonly [number, number] = [Infinity, Infinity];
  for (const cell of cells) {
    const [x, y] = centreOf(grid, cell);
    const ahead = Math.round(((x - x0) * dx + (y - y0) * dy) / EPSILON);
    const aside = Math.round(Math.abs((x - x0) * dy - (y - y0) * dx) / EPSILON);
    if (ahead <= 0 || (dx && aside) || ahead > least[0] || (ahead === least[0] && aside >= least[1])) continue;
    [best, least] = [cell, [ahead, aside]];
  }
  return best;
}

// ---- many cells from two ----

/** All cells whose spots lie between those of two cells, and up to so many layers deep along an axis. */
export function box(grid: GridData, from: Cell, to: Cell, deep: Vector = [0, 0, 0]): Cell[] {
  const [a, b] = [spotOf(grid, from), spotOf(grid, to)];
  const low = least([a, b]),
    high = most([a, b]);
  return [...cellsIn(grid, { low: least([low, add(low, deep)]), high: most([high, add(high, deep)]) })];
}

/** The cells on the straight way from one to another, each beside the next. */
export function line(grid: GridData, from: Cell, to: Cell): Cell[] {
  const { planes } = frameOf(grid);
  const aim = minus(centreOf(grid, to), centreOf(grid, from));
  const way: Cell[] = [from];
  // A little beside the centres, so that the way leaves every cell through a side, never an edge.
  const start = add(centreOf(grid, from), [3.1e-4, 1.7e-4, 0.7e-4]);
  for (let cell = from; !same(cell, to) && way.length < 10_000; way.push(cell)) {
    const side = grid.radius
      ? nearestSide(grid, cell, to, start, aim)
      : leavingSide(planes[cell[3]]!, minus(start, placeOf(grid, cell)), aim);
    if (side < 0) break;
    cell = beyond(grid, cell, side);
  }
  return way;
}

function leavingSide(planes: readonly Plane[], from: Vector, aim: Vector): number {
  let first = -1,
    leave = Infinity;
  planes.forEach(({ normal, offset }, side) => {
    const speed = dot(normal, aim);
    if (speed < 1e-9) return;
    const when = (offset - dot(normal, from)) / speed;
    if (when < leave) [first, leave] = [side, when];
  });
  return first;
}

/** Of the balls that touch one and are nearer to the end, that which is nearest to the line. */
function nearestSide(grid: GridData, cell: Cell, to: Cell, start: Vector, aim: Vector): number {
  const end = centreOf(grid, to);
  const left = length(minus(centreOf(grid, cell), end));
  let best = -1,
    least = Infinity;
  neighbours(grid, cell).forEach((next, side) => {
    const centre = centreOf(grid, next);
    const far = length(minus(centre, end));
    const aside = length(cross(minus(centre, start), aim)) / length(aim);
    if (far < left - EPSILON && aside + far / 100 < least) [best, least] = [side, aside + far / 100];
  });
  return best;
}

/** All cells that can be reached from one through sides while staying inside. */
export function flood(grid: GridData, from: Cell, inside: (cell: Cell) => boolean, limit = 100_000): Cell[] {
  if (!inside(from)) return [];
  const reached = [from];
  const seen = new Set([keyOf(from)]);
  for (const cell of reached) {
    for (const next of neighbours(grid, cell)) {
      const key = keyOf(next);
      if (seen.has(key) || !inside(next)) continue;
      seen.add(key);
      reached.push(next);
      if (reached.length >= limit) return reached;
    }
  }
  return reached;
}

// ---- mirror drawing ----

/** A mirror across an axis: spots go to `sum` minus themselves, and the plane stands at `at` in space. */
export interface Mirror {
  readonly axis: 0 | 1 | 2;
  readonly sum: number;
  readonly at: number;
}

/** The mirror nearest to the middle of a room that maps cells to cells, if the grid has one. */
export function mirrorIn(grid: GridData, room: Room, axis: 0 | 1 | 2): Mirror | null {
  const middle = room.low[axis] + room.high[axis];
  const samples = grid.tiles.flatMap((_, tile): Cell[] => [
    [0, 0, 0, tile],
    [1, 0, 0, tile],
    [0, 1, 0, tile],
    [0, 0, 1, tile],
  ]);
  for (let n = 0; n <= 2 * Math.abs(frameOf(grid).scale) && n < 60; n++) {
    const sum = middle + (n % 2 ? (n + 1) / 2 : -n / 2);
    let at: number | null = null;
    const fits = samples.every((cell) => {
      const image = imageOf(grid, { axis, sum, at: 0 }, cell);
      if (!image) return false;
      const [a, b] = [centreOf(grid, cell), centreOf(grid, image)];
      at ??= (a[axis] + b[axis]) / 2;
      return AXES.every((each) => Math.abs(each === axis ? a[each] + b[each] - 2 * at! : a[each] - b[each]) < EPSILON);
    });
    if (fits && at !== null) return { axis, sum, at };
  }
  return null;
}

function imageOf(grid: GridData, { axis, sum }: Mirror, cell: Cell): Cell | null {
  const spot = [...spotOf(grid, cell)] as [number, number, number];
  spot[axis] = sum - spot[axis];
  return cellAt(grid, spot);
}

/** Some cells and all their mirror images, each once. */
export function mirrored(grid: GridData, mirrors: readonly Mirror[], cells: Iterable<Cell>): Cell[] {
  const all = new Map<Key, Cell>();
  for (const cell of cells) all.set(keyOf(cell), cell);
  for (const mirror of mirrors) {
    for (const cell of [...all.values()]) {
      const image = imageOf(grid, mirror, cell);
      if (image) all.set(keyOf(image), image);
    }
  }
  return [...all.values()];
}

// ---- edits ----

/** New rows, and how many cells are other than before; none: the rows themselves. */
export interface Edit {
  readonly rows: Row[];
  readonly count: number;
}

export type Paint =
  | { readonly kind: "add" | "remove" }
  | { readonly kind: "optional"; readonly optional: boolean }
  | { readonly kind: "colour"; readonly colour: number };

const indexes = new WeakMap<Row[], ReadonlyMap<Key, Row>>();

/** The rows by their cells' keys. */
export function indexOf(rows: Row[]): ReadonlyMap<Key, Row> {
  let index = indexes.get(rows);
  if (!index) indexes.set(rows, (index = new Map(rows.map((row) => [keyOf(row), row]))));
  return index;
}

function rowsOf(index: ReadonlyMap<Key, Row>): Row[] {
  const rows = [...index.values()];
  indexes.set(rows, index);
  return rows;
}

/** Some cells made fixed, optional, coloured or empty. Only adding and optional make cells where none is. */
export function painted(rows: Row[], cells: Iterable<Cell>, paint: Paint): Edit {
  const index = indexOf(rows);
  let fresh: Map<Key, Row> | null = null;
  let count = 0;
  for (const cell of cells) {
    const key = keyOf(cell);
    const before = (fresh ?? index).get(key);
    const after = paintedCell(before, cell, paint);
    if (after === before) continue;
    fresh ??= new Map(index);
    count++;
    if (after) fresh.set(key, after);
    else fresh.delete(key);
  }
  return fresh ? { rows: rowsOf(fresh), count } : { rows, count: 0 };
}

function paintedCell(row: Row | undefined, [x, y, z, tile]: Cell, paint: Paint): Row | undefined {
  switch (paint.kind) {
    case "remove":
      return undefined;
    case "colour":
      return row && row[5] !== paint.colour ? [x, y, z, tile, row[4], paint.colour] : row;
    case "add":
      return row?.[4] === 0 ? row : [x, y, z, tile, 0, row?.[5] ?? 0];
    case "optional": {
      const optional = paint.optional ? 1 : 0;
      return row?.[4] === optional ? row : [x, y, z, tile, optional, row?.[5] ?? 0];
    }
  }
}

const shiftedRow = ([x, y, z, tile, optional, colour]: Row, by: Vector): Row => [
  x + by[0],
  y + by[1],
  z + by[2],
  tile,
  optional,
  colour,
];

export const shifted = (rows: Row[], by: Vector): Row[] => rows.map((row) => shiftedRow(row, by));

/** Those of the rows whose cells are chosen. */
export const taken = (rows: Row[], chosen: ReadonlySet<Key>): Row[] => rows.filter((row) => chosen.has(keyOf(row)));

/** Other rows in place of the chosen cells, and on top of whatever lies where they go. */
export function replaced(rows: Row[], chosen: ReadonlySet<Key>, by: Row[]): Edit {
  const fresh = new Map(indexOf(rows));
  for (const key of chosen) fresh.delete(key);
  for (const row of by) fresh.set(keyOf(row), row);
  return { rows: rowsOf(fresh), count: Math.max(by.length, chosen.size) };
}

export const keysOf = (rows: Iterable<Cell | Row>): Set<Key> => new Set([...rows].map(keyOf));

/** The shift of the grid that goes most nearly in a direction of space. */
export function shiftAlong(grid: GridData, direction: Vector): WayData | null {
  let best: WayData | null = null;
  let most = 0.5;
  for (const way of grid.shifts) {
    const place = placeOf(grid, [...way.shift, 0]);
    const along = dot(place, direction) / (length(place) * length(direction));
    if (along > most + EPSILON) [best, most] = [way, along];
  }
  return best;
}
