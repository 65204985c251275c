// Cells on the stage, made to be edited: drawing again costs what changed. Where there are thousands they are drawn
// plainly, without rims and shadows.

import { Color, Group, MeshBasicMaterial, MeshStandardMaterial } from "three";
import { type Cell, type Key, keyOf, keysOf, neighbours, openSides, type Row } from "../geometry";
import type { GridData } from "../messages";
import { makeSkin, RIM, veiled } from "./skin";
import { freed } from "./stage";

const FINE = 2000; // sides, or ten times as many as balls: from there on they are drawn plainly

// ---- a shape ----

interface Palette {
  readonly neutral: string;
  readonly colours: readonly string[]; // of cells of colour 1, 2, ...
}

export function makeShape(grid: GridData) {
  const object = new Group();
  const wood = new MeshStandardMaterial({ roughness: 0.72, vertexColors: !grid.radius });
  const glass = new MeshStandardMaterial({
    roughness: 0.5,
    vertexColors: !grid.radius,
    transparent: true,
    opacity: 0.4,
    depthWrite: false,
  });
  const skins = [
    makeSkin(object, grid, [{ material: wood, order: 0, solid: true }]),
    makeSkin(object, grid, veiled(glass)),
  ] as const;
  let shown: ReadonlyMap<Key, Row> = new Map();
  let painted: Palette = { neutral: "", colours: [] };
  let tints: Color[] = [];
  let plainly = false;

  /** The sides that are open, or covered only by what is translucent. */
  const seen = (row: Row, cells: ReadonlyMap<Key, Row>) =>
    openSides(grid, row, (key) => {
      const next = cells.get(key);
      return next !== undefined && (next[4] === 0 || row[4] === 1);
    });

  return {
    object,
    /** Show these cells and no others. */
    draw(cells: ReadonlyMap<Key, Row>, palette: Palette): void {
      const repaint = palette.neutral !== painted.neutral || palette.colours.join() !== painted.colours.join();
      if (repaint) tints = [palette.neutral, ...palette.colours].map((colour) => new Color(colour));
      const touched = new Map<Key, Row>();
      for (const [key, row] of cells) if (repaint || shown.get(key) !== row) touched.set(key, row);
      for (const [key, row] of shown) if (!cells.has(key)) touched.set(key, row);
      for (const row of [...touched.values()]) {
        for (const beside of neighbours(grid, row)) {
          const key = keyOf(beside);
          const next = cells.get(key);
          if (next) touched.set(key, next);
        }
      }
      for (const [key, row] of touched) {
        const now = cells.get(key);
        const sides = now ? seen(now, cells) : [];
        for (const optional of [0, 1] as const)
          skins[optional].put(key, row, now?.[4] === optional ? sides : [], tints[row[5]] ?? tints[0]!);
      }
      [shown, painted] = [cells, palette];
      plainly = skins[0].size() + skins[1].size() > (grid.radius ? FINE / 10 : FINE);
      for (const material of [wood, glass]) material.color.setScalar(plainly && !grid.radius ? 1 / RIM : 1);
      for (const skin of skins) skin.flush(plainly);
    },
    /** Whether there is so much to draw that it is drawn plainly. */
    plain: () => plainly,
    dispose(): void {
      freed(object);
      for (const skin of skins) skin.dispose();
    },
  };
}

// ---- ghosts: cells that are not there, or that something is said about ----

/** Translucent cells, a little larger or smaller than real ones so that both can be seen. */
export function makeGhosts(grid: GridData, size: number, opacity: number) {
  const object = new Group();
  const material = new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false, vertexColors: !grid.radius });
  const skin = makeSkin(object, grid, veiled(material), size);
  let shown: readonly Cell[] = [];
  return {
    object,
    draw(cells: readonly Cell[], colour: string): void {
      if (!cells.length && !shown.length) return;
      const tint = new Color(colour);
      const keys = keysOf(cells);
      for (const cell of shown) skin.put(keyOf(cell), cell, [], tint);
      for (const cell of cells) {
        const open = openSides(grid, cell, (key) => keys.has(key));
        skin.put(keyOf(cell), cell, open, tint);
      }
      shown = cells;
      skin.flush(false);
    },
    dispose(): void {
      freed(object);
      skin.dispose();
    },
  };
}
