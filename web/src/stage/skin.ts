// The skin of cells: meshes of their sides that can be redrawn at the cost of what changed.
//
// All sides lie in one mesh for each number of corners, side by side in slots of equal size; a side that goes leaves
// its slot to the last. (Instances would be simpler, but a renderer without a graphics card spends 20 microseconds on
// each: 200 ms for 10,000, against 10 ms so.) A side has a dark rim whose normals lean outwards, which looks like a
// cut edge; drawn plainly, it has none. Balls are instances, for they have many triangles.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  type Material,
} from "three";
import { type Cell, type Key, placeOf } from "../geometry";
import { cross, length, minus, mixed, plus, times, unit, type Vector } from "../vector";
import type { GridData } from "../messages";

export const RIM = 0.6; // how dark the rim is: also the whole side, where it is drawn plainly
const LEAN = 0.35; // how far its normals lean

/** Names side by side, without gaps: one that goes leaves its slot to the last. */
class Slots {
  readonly #names: string[] = [];
  readonly #slots = new Map<string, number>();

  get size(): number {
    return this.#names.length;
  }
  /** The slot of a name, new if it has none. */
  of(name: string): number {
    const slot = this.#slots.get(name) ?? this.#names.push(name) - 1;
    this.#slots.set(name, slot);
    return slot;
  }
  /** The slot that a name leaves, if it had one; the last now belongs there. */
  take(name: string): number | undefined {
    const slot = this.#slots.get(name);
    if (slot === undefined) return undefined;
    const last = this.#names.pop()!;
    if (last !== name) this.#slots.set((this.#names[slot] = last), slot);
    this.#slots.delete(name);
    return slot;
  }
}

/** A mesh of cells, not seen before it has some. */
function dressed<M extends Mesh>(mesh: M, { order, solid }: Look, parent: Group): M {
  mesh.renderOrder = order;
  mesh.castShadow = mesh.receiveShadow = solid;
  mesh.frustumCulled = mesh.visible = false;
  parent.add(mesh);
  return mesh;
}

// ---- sides ----

/** A side as its cell has it: a ring of corners and, inside it, the ring where the rim ends. */
interface Panel {
  readonly corners: number; // in a ring
  readonly points: readonly Vector[]; // the outer ring, then the inner
  readonly normals: readonly Vector[];
}

/** The sides of each tile, drawn larger or smaller by a factor. */
function panelsOf(grid: GridData, size: number): Panel[][] {
  return grid.tiles.map(({ corners, sides, centre }) => {
    const places = corners.map((corner) => mixed(centre, corner, size));
    return sides.map(({ normal, ring }) => {
      const rim = ring.map((corner) => places[corner]!);
      const heart = times(1 / rim.length, rim.reduce(plus));
      const ways = rim.map((at, i) => unit(minus(rim[(i + 1) % rim.length]!, at))); // to the next corner
      const reach = Math.min(...rim.map((at, i) => length(cross(minus(heart, at), ways[i]!))));
      const width = Math.min(0.03, 0.09 * reach);
      const inner = rim.map((at, i) => {
        const [before, after] = [times(-1, ways.at(i - 1)!), ways[i]!];
        return plus(at, times(width / length(cross(before, after)), plus(before, after)));
      });
      const leaning = rim.map((at) => unit(plus(times(LEAN, unit(minus(at, heart))), normal)));
      return {
        corners: ring.length,
        points: [...rim, ...inner],
        normals: [...leaning, ...inner.map((): Vector => normal)],
      };
    });
  });
}

/** The triangles of a slot, from its first point on. */
function trianglesOf(corners: number, fine: boolean): number[] {
  const fan = (first: number) =>
    Array.from({ length: corners - 2 }, (_, i) => [first, first + i + 1, first + i + 2]).flat();
  if (!fine) return fan(0);
  const rim = Array.from({ length: corners }, (_, i) => {
    const [a, b] = [i, (i + 1) % corners];
    return [a, b, corners + b, a, corners + b, corners + a];
  }).flat();
  return [...rim, ...fan(corners)];
}

/** Meshes of panels of one number of corners. */
function makeSheet(parent: Group, corners: number, looks: readonly Look[]) {
  const points = 2 * corners;
  const slots = new Slots();
  const dirty = new Set<number>();
  let room = 64;
  let fine = true;
  let geometry = make();
  const meshes = looks.map((look) => dressed(new Mesh(geometry, look.material), look, parent));

  function make(): BufferGeometry {
    const made = new BufferGeometry();
    for (const name of ["position", "normal", "color"]) {
      const attribute = new BufferAttribute(new Float32Array(3 * points * room), 3).setUsage(DynamicDrawUsage);
      made.setAttribute(name, attribute);
      attribute.onUpload(() => dirty.clear());
    }
    made.setIndex(indices());
    return made;
  }
  function indices(): BufferAttribute {
    const one = trianglesOf(corners, fine);
    const all = new Uint32Array(one.length * room);
    for (let slot = 0; slot < room; slot++)
      for (let i = 0; i < one.length; i++) all[slot * one.length + i] = one[i]! + slot * points;
    return new BufferAttribute(all, 1);
  }
  const arrays = () => ["position", "normal", "color"].map((name) => geometry.getAttribute(name) as BufferAttribute);

  return {
    corners,
    put(name: string, { points: places, normals }: Panel, [x, y, z]: Vector, { r, g, b }: Color): void {
      const slot = slots.of(name);
      if (slot >= room) {
        const old = arrays();
        const before = geometry;
        room *= 2;
        geometry = make();
        arrays().forEach((attribute, i) => attribute.array.set(old[i]!.array));
        for (const mesh of meshes) mesh.geometry = geometry;
        before.dispose();
      }
      const [position, normal, colour] = arrays().map(({ array }) => array as Float32Array) as [
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      let at = 3 * points * slot;
      for (let i = 0; i < points; i++, at += 3) {
        const [px, py, pz] = places[i]!;
        const [nx, ny, nz] = normals[i]!;
        const shade = i < corners ? RIM : 1;
        position.set([px + x, py + y, pz + z], at);
        normal.set([nx, ny, nz], at);
        colour.set([shade * r, shade * g, shade * b], at);
      }
      dirty.add(slot);
    },
    take(name: string): void {
      const slot = slots.take(name);
      if (slot === undefined) return;
      const size = 3 * points;
      for (const { array } of arrays())
        (array as Float32Array).copyWithin(size * slot, size * slots.size, size * (slots.size + 1));
      dirty.add(slot);
    },
    /** Hand over what changed. */
    flush(plainly: boolean): void {
      if (plainly === fine) {
        fine = !plainly;
        geometry.setIndex(indices());
      }
      geometry.setDrawRange(0, slots.size * trianglesOf(corners, fine).length);
      meshes.forEach((mesh, at) => {
        mesh.visible = slots.size > 0;
        mesh.receiveShadow = looks[at]!.solid && fine;
      });
      if (!dirty.size) return;
      const size = 3 * points;
      for (const attribute of arrays()) {
        attribute.clearUpdateRanges();
        if (dirty.size < 100) for (const slot of dirty) attribute.addUpdateRange(size * slot, size);
        attribute.needsUpdate = true;
      }
    },
    size: () => slots.size,
    dispose: () => geometry.dispose(),
  };
}

// ---- balls ----

function makeBalls(parent: Group, { radius, tiles }: GridData, size: number, looks: readonly Look[]) {
  const centre = tiles[0]!.centre;
  const ball = (across: number, down: number) => new SphereGeometry(radius * size, across, down).translate(...centre);
  const round = { fine: ball(32, 20), plain: ball(10, 7) };
  const slots = new Slots();
  let changed = false;
  let meshes = make(16);

  function make(room: number): InstancedMesh[] {
    const [first, ...rest] = looks.map((look) =>
      dressed(new InstancedMesh(round.fine, look.material, room), look, parent),
    );
    first!.setColorAt(0, new Color());
    for (const mesh of rest) [mesh.instanceMatrix, mesh.instanceColor] = [first!.instanceMatrix, first!.instanceColor];
    return [first!, ...rest];
  }

  return {
    put(name: string, [x, y, z]: Vector, colour: Color): void {
      const slot = slots.of(name);
      const old = meshes;
      if (slot >= old[0]!.instanceMatrix.count) {
        meshes = make(2 * old[0]!.instanceMatrix.count);
        meshes[0]!.instanceMatrix.array.set(old[0]!.instanceMatrix.array);
        meshes[0]!.instanceColor!.array.set(old[0]!.instanceColor!.array);
        for (const mesh of old) {
          mesh.removeFromParent();
          mesh.dispose();
        }
      }
      meshes[0]!.instanceMatrix.array.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1], 16 * slot);
      colour.toArray(meshes[0]!.instanceColor!.array, 3 * slot);
      changed = true;
    },
    take(name: string): void {
      const slot = slots.take(name);
      if (slot === undefined) return;
      meshes[0]!.instanceMatrix.array.copyWithin(16 * slot, 16 * slots.size, 16 * slots.size + 16);
      meshes[0]!.instanceColor!.array.copyWithin(3 * slot, 3 * slots.size, 3 * slots.size + 3);
      changed = true;
    },
    flush(plainly: boolean): void {
      for (const mesh of meshes) {
        mesh.count = slots.size;
        mesh.visible = slots.size > 0;
        mesh.geometry = plainly ? round.plain : round.fine;
        mesh.receiveShadow = mesh.castShadow && !plainly;
      }
      if (changed) meshes[0]!.instanceMatrix.needsUpdate = meshes[0]!.instanceColor!.needsUpdate = true;
      changed = false;
    },
    size: () => slots.size,
    dispose(): void {
      for (const geometry of Object.values(round)) geometry.dispose();
    },
  };
}

// ---- cells of one look ----

export interface Look {
  readonly material: Material;
  readonly order: number;
  readonly solid: boolean;
}

/** What a translucent thing is: first a mask in the depth, so that only its nearest sides are seen, then itself. */
export const veiled = (material: Material): Look[] => [
  { material: new MeshBasicMaterial({ colorWrite: false }), order: 1, solid: false },
  { material, order: 2, solid: false },
];

export function makeSkin(parent: Group, grid: GridData, looks: readonly Look[], size = 1) {
  if (grid.radius) {
    const balls = makeBalls(parent, grid, size, looks);
    return {
      ...balls,
      put: (key: Key, cell: Cell, sides: readonly number[], colour: Color) =>
        sides.length ? balls.put(key, placeOf(grid, cell), colour) : balls.take(key),
    };
  }
  const panels = panelsOf(grid, size);
  const kinds = [...new Set(panels.flat().map(({ corners }) => corners))];
  const sheets = new Map(kinds.map((corners) => [corners, makeSheet(parent, corners, looks)]));
  return {
    /** Show these sides of a cell, or nothing of it. */
    put(key: Key, cell: Cell, sides: readonly number[], colour: Color): void {
      const place = placeOf(grid, cell);
      panels[cell[3]]!.forEach((panel, side) => {
        const sheet = sheets.get(panel.corners)!;
        if (sides.includes(side)) sheet.put(`${key}:${side}`, panel, place, colour);
        else sheet.take(`${key}:${side}`);
      });
    },
    flush: (plainly: boolean) => sheets.forEach((sheet) => sheet.flush(plainly)),
    size: () => [...sheets.values()].reduce((sum, sheet) => sum + sheet.size(), 0),
    dispose: () => sheets.forEach((sheet) => sheet.dispose()),
  };
}
