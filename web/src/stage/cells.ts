// Cells on the stage, made to be edited: drawing again costs what changed.
//
// All sides that can be seen lie in one mesh for each number of corners, side by side in slots of equal size;
// a side that goes leaves its slot to the last. (Instances would be simpler, but a renderer without a graphics
// card spends 20 microseconds on each: 200 ms for 10,000, against 10 ms so.) A side has a dark rim whose
// normals lean outwards, which looks like a cut edge. Where there are thousands the rim is left out, and shadows on them. Balls are
// instances, for they have many triangles.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  SphereGeometry,
  Vector3,
  type Box3,
  type Material,
  type Object3D,
} from "three";
import {
  beyond,
  footprintOf,
  keyOf,
  neighbours,
  placeOf,
  type Cell,
  type Key,
  type Layer,
  type Mirror,
  type Row,
  type Vector,
} from "../cells";
import type { GridData } from "../messages";
import { freed } from "./stage";

const FINE = 2000; // sides, or ten times as many as balls: from there on they are drawn plainly
const RIM = 0.6; // how dark the rim is
const LEAN = 0.35; // how far its normals lean

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
    const middle = new Vector3(...centre);
    const places = corners.map((corner) => new Vector3(...corner).sub(middle).multiplyScalar(size).add(middle));
    return sides.map(({ normal, ring }) => {
      const rim = ring.map((corner) => places[corner]!);
      const out = new Vector3(...normal);
      const heart = rim.reduce((sum, at) => sum.add(at), new Vector3()).divideScalar(rim.length);
      const reach = Math.min(
        ...rim.map((at, i) =>
          heart
            .clone()
            .sub(at)
            .cross(rim[(i + 1) % rim.length]!.clone().sub(at).normalize())
            .length(),
        ),
      );
      const width = Math.min(0.03, 0.09 * reach);
      const inner = rim.map((at, i) => {
        const before = rim
          .at(i - 1)!
          .clone()
          .sub(at)
          .normalize();
        const after = rim[(i + 1) % rim.length]!.clone().sub(at).normalize();
        const sine = before.clone().cross(after).length();
        return at.clone().addScaledVector(before.add(after), width / sine);
      });
      const leaning = rim.map((at) => at.clone().sub(heart).normalize().multiplyScalar(LEAN).add(out).normalize());
      return {
        corners: ring.length,
        points: [...rim, ...inner].map((at) => at.toArray()),
        normals: [...leaning, ...inner.map(() => out)].map((at) => at.toArray()),
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
  const names: string[] = [];
  const slots = new Map<string, number>();
  const dirty = new Set<number>();
  let room = 64;
  let fine = true;
  let geometry = make();
  const meshes = looks.map(({ material, order, solid }) => {
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = order;
    mesh.castShadow = mesh.receiveShadow = solid;
    mesh.frustumCulled = mesh.visible = false;
    parent.add(mesh);
    return mesh;
  });

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
      let slot = slots.get(name);
      if (slot === undefined) {
        slot = names.push(name) - 1;
        slots.set(name, slot);
        if (slot >= room) {
          const old = arrays();
          const before = geometry;
          room *= 2;
          geometry = make();
          arrays().forEach((attribute, i) => attribute.array.set(old[i]!.array));
          for (const mesh of meshes) mesh.geometry = geometry;
          before.dispose();
        }
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
      const slot = slots.get(name);
      if (slot === undefined) return;
      const last = names.pop()!;
      slots.delete(name);
      if (last === name) return;
      const size = 3 * points;
      for (const { array } of arrays())
        (array as Float32Array).copyWithin(size * slot, size * names.length, size * (names.length + 1));
      names[slot] = last;
      slots.set(last, slot);
      dirty.add(slot);
    },
    /** Hand over what changed. */
    flush(plainly: boolean): void {
      if (plainly === fine) {
        fine = !plainly;
        geometry.setIndex(indices());
      }
      geometry.setDrawRange(0, names.length * trianglesOf(corners, fine).length);
      meshes.forEach((mesh, at) => {
        mesh.visible = names.length > 0;
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
    size: () => names.length,
    dispose: () => geometry.dispose(),
  };
}

// ---- balls ----

function makeBalls(parent: Group, { radius, tiles }: GridData, size: number, looks: readonly Look[]) {
  const centre = tiles[0]!.centre;
  const ball = (across: number, down: number) => new SphereGeometry(radius * size, across, down).translate(...centre);
  const round = { fine: ball(32, 20), plain: ball(10, 7) };
  const names: string[] = [];
  const slots = new Map<string, number>();
  let changed = false;
  let meshes = make(16);

  function make(room: number): InstancedMesh[] {
    const [first, ...rest] = looks.map(({ material, order, solid }) => {
      const mesh = new InstancedMesh(round.fine, material, room);
      mesh.renderOrder = order;
      mesh.castShadow = mesh.receiveShadow = solid;
      mesh.frustumCulled = mesh.visible = false;
      parent.add(mesh);
      return mesh;
    });
    first!.setColorAt(0, new Color());
    for (const mesh of rest) [mesh.instanceMatrix, mesh.instanceColor] = [first!.instanceMatrix, first!.instanceColor];
    return [first!, ...rest];
  }

  return {
    put(name: string, [x, y, z]: Vector, colour: Color): void {
      let slot = slots.get(name);
      if (slot === undefined) {
        slot = names.push(name) - 1;
        slots.set(name, slot);
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
      }
      meshes[0]!.instanceMatrix.array.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1], 16 * slot);
      colour.toArray(meshes[0]!.instanceColor!.array, 3 * slot);
      changed = true;
    },
    take(name: string): void {
      const slot = slots.get(name);
      if (slot === undefined) return;
      const last = names.pop()!;
      slots.delete(name);
      changed = true;
      if (last === name) return;
      meshes[0]!.instanceMatrix.array.copyWithin(16 * slot, 16 * names.length, 16 * names.length + 16);
      meshes[0]!.instanceColor!.array.copyWithin(3 * slot, 3 * names.length, 3 * names.length + 3);
      names[slot] = last;
      slots.set(last, slot);
    },
    flush(plainly: boolean): void {
      for (const mesh of meshes) {
        mesh.count = names.length;
        mesh.visible = names.length > 0;
        mesh.geometry = plainly ? round.plain : round.fine;
        mesh.receiveShadow = mesh.castShadow && !plainly;
      }
      if (changed) meshes[0]!.instanceMatrix.needsUpdate = meshes[0]!.instanceColor!.needsUpdate = true;
      changed = false;
    },
    size: () => names.length,
    dispose(): void {
      for (const geometry of Object.values(round)) geometry.dispose();
    },
  };
}

// ---- cells of one look ----

interface Look {
  readonly material: Material;
  readonly order: number;
  readonly solid: boolean;
}

/** What a translucent thing is: first a mask in the depth, so that only its nearest sides are seen, then itself. */
const veiled = (material: Material): Look[] => [
  { material: new MeshBasicMaterial({ colorWrite: false }), order: 1, solid: false },
  { material, order: 2, solid: false },
];

interface Skin {
  /** Show these sides of a cell, or nothing of it. */
  put(key: Key, cell: Cell | Row, sides: readonly number[], colour: Color): void;
  flush(plainly: boolean): void;
  size(): number;
  dispose(): void;
}

function makeSkin(parent: Group, grid: GridData, looks: readonly Look[], size = 1): Skin {
  if (grid.radius) {
    const balls = makeBalls(parent, grid, size, looks);
    return {
      ...balls,
      put: (key, cell, sides, colour) => (sides.length ? balls.put(key, placeOf(grid, cell), colour) : balls.take(key)),
    };
  }
  const panels = panelsOf(grid, size);
  const kinds = [...new Set(panels.flat().map(({ corners }) => corners))];
  const sheets = new Map(kinds.map((corners) => [corners, makeSheet(parent, corners, looks)]));
  return {
    put(key, cell, sides, colour) {
      const place = placeOf(grid, cell);
      panels[cell[3]]!.forEach((panel, side) => {
        const sheet = sheets.get(panel.corners)!;
        if (sides.includes(side)) sheet.put(`${key}:${side}`, panel, place, colour);
        else sheet.take(`${key}:${side}`);
      });
    },
    flush: (plainly) => sheets.forEach((sheet) => sheet.flush(plainly)),
    size: () => [...sheets.values()].reduce((sum, sheet) => sum + sheet.size(), 0),
    dispose: () => sheets.forEach((sheet) => sheet.dispose()),
  };
}

// ---- a shape ----

export interface Palette {
  readonly neutral: string;
  readonly colours: readonly string[]; // of cells of colour 1, 2, ...
}

export interface ShapeOnStage {
  readonly object: Object3D;
  /** Show these cells and no others. */
  draw(cells: ReadonlyMap<Key, Row>, palette: Palette): void;
  /** Whether there is so much to draw that it is drawn plainly. */
  plain(): boolean;
  dispose(): void;
}

export function makeShape(grid: GridData): ShapeOnStage {
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

  /** The sides of a cell that are open, or covered only by what is translucent. */
  function seen(row: Row, cells: ReadonlyMap<Key, Row>): number[] {
    return neighbours(grid, row).flatMap((beside, side) => {
      const next = cells.get(keyOf(beside));
      return !next || (next[4] === 1 && row[4] === 0) ? [side] : [];
    });
  }

  return {
    object,
    draw(cells, palette) {
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
    plain: () => plainly,
    dispose() {
      freed(object);
      for (const skin of skins) skin.dispose();
    },
  };
}

// ---- ghosts: cells that are not there, or that something is said about ----

export interface Ghosts {
  readonly object: Object3D;
  draw(cells: readonly (Cell | Row)[], colour: string): void;
  dispose(): void;
}

/** Translucent cells, a little larger or smaller than real ones so that both can be seen. */
export function makeGhosts(grid: GridData, size: number, opacity: number): Ghosts {
  const object = new Group();
  const material = new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false, vertexColors: !grid.radius });
  const skin = makeSkin(object, grid, veiled(material), size);
  let shown: readonly (Cell | Row)[] = [];
  return {
    object,
    draw(cells, colour) {
      if (!cells.length && !shown.length) return;
      const tint = new Color(colour);
      const keys = new Set(cells.map(keyOf));
      for (const cell of shown) skin.put(keyOf(cell), cell, [], tint);
      for (const cell of cells) {
        const open = grid.tiles[cell[3]]!.sides.flatMap((_, side) =>
          keys.has(keyOf(beyond(grid, cell, side))) ? [] : [side],
        );
        skin.put(keyOf(cell), cell, open, tint);
      }
      shown = cells;
      skin.flush(false);
    },
    dispose() {
      freed(object);
      skin.dispose();
    },
  };
}

// ---- the room: its floor, the layer that is drawn on, the mirrors ----

export interface Scenery {
  readonly object: Object3D;
  draw(
    what: { floor: Layer | undefined; layer: Layer | undefined; mirrors: readonly Mirror[]; box: Box3 },
    colours: { line: string; accent: string },
  ): void;
  dispose(): void;
}

export function makeScenery(grid: GridData): Scenery {
  const object = new Group();
  const clear = () => {
    for (const part of [...object.children]) {
      part.removeFromParent();
      freed(part);
    }
  };
  const flat = (points: readonly number[]) =>
    new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));

  return {
    object,
    draw({ floor, layer, mirrors, box }, { line, accent }) {
      clear();
      const { min, max } = box;
      if (floor) {
        const edges = new Map<string, number[]>();
        for (const cell of floor.cells) {
          const ring = footprintOf(grid, cell);
          ring.forEach(([x, y], i) => {
            const [u, v] = ring[(i + 1) % ring.length]!;
            const name = [`${x.toFixed(3)} ${y.toFixed(3)}`, `${u.toFixed(3)} ${v.toFixed(3)}`].sort().join();
            edges.set(name, [x, y, min.z, u, v, min.z]);
          });
        }
        object.add(
          new LineSegments(
            flat([...edges.values()].flat()),
            new LineBasicMaterial({ color: line, transparent: true, opacity: 0.38 }),
          ),
        );
      }
      if (layer) {
        const rim = [
          [min.x, min.y],
          [max.x, min.y],
          [max.x, max.y],
          [min.x, max.y],
          [min.x, min.y],
        ];
        object.add(
          new Line(
            flat(rim.flatMap(([x, y]) => [x!, y!, layer.height])),
            new LineBasicMaterial({ color: accent, transparent: true, opacity: 0.75 }),
          ),
        );
      }
      for (const { axis, at } of mirrors) {
        const [u, v] = (
          [
            [1, 2],
            [0, 2],
            [0, 1],
          ] as const
        )[axis];
        const corner = (first: Vector3, second: Vector3): Vector3 =>
          new Vector3()
            .setComponent(axis, at)
            .setComponent(u, first.getComponent(u))
            .setComponent(v, second.getComponent(v));
        const rim = [corner(min, min), corner(max, min), corner(max, max), corner(min, max)].map((each) =>
          each.toArray(),
        );
        const glass = new MeshBasicMaterial({
          color: accent,
          transparent: true,
          opacity: 0.07,
          side: DoubleSide,
          depthWrite: false,
        });
        const edge = new LineBasicMaterial({ color: accent, transparent: true, opacity: 0.5 });
        object.add(
          new Mesh(flat([0, 1, 2, 0, 2, 3].flatMap((i) => rim[i]!)), glass),
          new Line(flat([...rim, rim[0]!].flat()), edge),
        );
      }
    },
    dispose: clear,
  };
}
