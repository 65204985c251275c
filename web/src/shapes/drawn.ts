// How cells look in the flat: the outline of a cell's section as an SVG path, y upwards as seen from above.

import { centreOf, sectionOf, type Cell, type Row, type Vector } from "../cells";
import type { GridData } from "../messages";

interface Space {
  readonly low: Vector;
  readonly high: Vector;
}

const short = (x: number) => +x.toFixed(4);

export function outlineOf(grid: GridData, cell: Cell | Row): string {
  if (grid.radius) {
    const [x, y] = centreOf(grid, cell);
    const r = short(grid.radius * 0.94);
    return `M${short(x - r)} ${short(-y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
  return `M${sectionOf(grid, cell)
    .map(([x, y]) => `${short(x)} ${short(-y)}`)
    .join("L")}Z`;
}

/** The part of the plane that a picture of the room shows: left, top, width, height. */
export function frameOf({ low, high }: Space, margin: number): string {
  const [x, y, right, top] = [low[0], low[1], high[0], high[1]];
  return [x - margin, -top - margin, right - x + 2 * margin, top - y + 2 * margin].map(short).join(" ");
}

/** Paint cells small, each in its colour, so that the room fills the canvas. */
export function paintSmall(
  canvas: HTMLCanvasElement,
  grid: GridData,
  { low, high }: Space,
  cells: readonly { cell: Cell; colour: string }[],
): void {
  // Kept out of the graphics card: there are many of these, and they are tiny.
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return;
  const { width, height } = canvas;
  const scale = Math.min(width / (high[0] - low[0]), height / (high[1] - low[1])) * 0.92;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(
    scale,
    0,
    0,
    -scale,
    width / 2 - (scale * (low[0] + high[0])) / 2,
    height / 2 + (scale * (low[1] + high[1])) / 2,
  );
  for (const { cell, colour } of cells) {
    pen.fillStyle = colour;
    pen.beginPath();
    if (grid.radius) {
      const [x, y] = centreOf(grid, cell);
      pen.arc(x, y, grid.radius, 0, 7);
    } else for (const [x, y] of sectionOf(grid, cell)) pen.lineTo(x, y);
    pen.fill();
  }
}
