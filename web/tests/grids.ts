// The grids that kumitate brings along, as the server sends them (`make messages` writes them).

import type { GridData } from "../src/messages";
import data from "./grids.json";

export const grids = data as unknown as Record<string, GridData>;
export const cubes = grids["cubes"]!;
export const spheres = grids["spheres"]!;
