// The goal drawn layer by layer, each cell shaded by how many solutions have a piece there.

import type { GridData, PositionsData } from "../messages";

export interface Patch {
  readonly cell: readonly [number, number, number, number];
  readonly count: number;
  /** The cell's outline in the layer; of a ball it is empty, and a circle is drawn. */
  readonly points: readonly (readonly [number, number])[];
  readonly centre: readonly [number, number];
}

export interface Layer {
  readonly height: number;
  readonly patches: readonly Patch[];
}

export interface Layers {
  readonly layers: readonly Layer[]; // from the bottom up
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** All cells of the goal, those that a piece never covers with a count of 0: other pieces cover them. */
export function allCells(positions: readonly PositionsData[], piece: PositionsData): PositionsData["cells"] {
  const found = new Map<string, PositionsData["cells"][number]>();
  for (const { cells } of positions)
    for (const [x, y, z, tile] of cells) found.set(`${x},${y},${z},${tile}`, [x, y, z, tile, 0]);
  for (const cell of piece.cells) found.set(cell.slice(0, 4).join(), cell);
  return [...found.values()].sort((a, b) => a[2] - b[2] || a[1] - b[1] || a[0] - b[0] || a[3] - b[3]);
}

/** y grows upwards in space and downwards on paper, so it is turned round here. */
export function layersOf(grid: GridData, cells: PositionsData["cells"]): Layers {
  const found = new Map<number, Patch[]>();
  const [a, b, c] = grid.basis;
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y, z, tile, count] of cells) {
    const { section, centre, height } = grid.tiles[tile]!;
    const [px, py, pz] = [0, 1, 2].map((axis) => x * a[axis]! + y * b[axis]! + z * c[axis]!) as [
      number,
      number,
      number,
    ];
    const points = section.map(([sx, sy]) => [px + sx, -(py + sy)] as const);
    const middle = [px + centre[0], -(py + centre[1])] as const;
    const ends = points.length
      ? points
      : ([
          [middle[0] - grid.radius, middle[1] - grid.radius],
          [middle[0] + grid.radius, middle[1] + grid.radius],
        ] as const);
    for (const [ex, ey] of ends) {
      [left, right] = [Math.min(left, ex), Math.max(right, ex)];
      [low, high] = [Math.min(low, ey), Math.max(high, ey)];
    }
    const at = Math.round((pz + height) * 1000) / 1000;
    found.set(at, [...(found.get(at) ?? []), { cell: [x, y, z, tile], count, points, centre: middle }]);
  }
  const layers = [...found].sort(([one], [two]) => one - two).map(([height, patches]) => ({ height, patches }));
  return cells.length
    ? { layers, box: { x: left, y: low, width: right - left, height: high - low } }
    : { layers, box: { x: 0, y: 0, width: 1, height: 1 } };
}

export interface Bar {
  readonly from: number;
  readonly to: number; // the same for a bar of one value
  readonly count: number;
}

/** A histogram of at most so many bars: neighbouring values share one if there are more. */
export function barsOf(values: readonly { value: number; count: number }[], most = 24): Bar[] {
  if (!values.length) return [];
  const low = Math.min(...values.map(({ value }) => value));
  const high = Math.max(...values.map(({ value }) => value));
  const width = Math.ceil((high - low + 1) / most);
  const bars = Array.from({ length: Math.ceil((high - low + 1) / width) }, (_, n) => ({
    from: low + n * width,
    to: Math.min(high, low + (n + 1) * width - 1),
    count: 0,
  }));
  for (const { value, count } of values) bars[Math.floor((value - low) / width)]!.count += count;
  return bars;
}
