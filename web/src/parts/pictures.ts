// Pictures of shapes, drawn by the server, each asked for once: shapes are values, so one that changed
// is another one.

import * as api from "../api";
import type { ShapeData } from "../messages";

const known = new WeakMap<ShapeData, Map<string, Promise<string>>>();

/** The address of a shape's picture in some colour ("" for its own). */
export function pictureOf(grid: string, shape: ShapeData, colour: string): Promise<string> {
  const ours = known.get(shape) ?? new Map<string, Promise<string>>();
  known.set(shape, ours);
  const asked =
    ours.get(colour) ??
    api.picture({ grid, shape, colour }).then((svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`);
  ours.set(colour, asked);
  asked.catch(() => ours.delete(colour));
  return asked;
}
