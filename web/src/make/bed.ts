// Solids on print beds, in the round: beds side by side, each with a grid of centimetres.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
} from "three";
import type { PreviewData } from "../messages";
import type { Part } from "../stage/stage";
import type { Box } from "../vector";

const SIZE = 8; // units of the stage that the longest side of a bed has
const BETWEEN = 0.12; // of a bed
const SHARP = 20; // degrees from which an edge is drawn

/** The beds and what lies on them, and the room that they take. */
export function layOut(made: PreviewData, ink: string): { part: Part; box: Box } {
  const object = new Group();
  const [wide, deep] = made.bed ?? [0, 0];
  const geometries = made.solids.map(({ positions, triangles }) => {
    const indexed = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    indexed.setIndex(triangles);
    const surface = indexed.toNonIndexed();
    surface.computeVertexNormals();
    const edges = new EdgesGeometry(indexed, SHARP);
    indexed.dispose();
    return { surface, edges };
  });
  const skins = made.solids.map(({ colour }) => ({
    solid: new MeshStandardMaterial({ color: colour, roughness: 0.68, polygonOffset: true, polygonOffsetFactor: 1 }),
    ink: new LineBasicMaterial({ color: new Color(colour).multiplyScalar(0.35), transparent: true, opacity: 0.6 }),
  }));
  const bed = gridOf(wide, deep);
  const line = new LineBasicMaterial({ color: ink, transparent: true, opacity: 0.5 });
  const low = [Infinity, Infinity, 0];
  const high = [-Infinity, -Infinity, 0];
  const reach = (x: number, y: number, z: number) =>
    [x, y, z].forEach((at, axis) => {
      low[axis] = Math.min(low[axis]!, at);
      high[axis] = Math.max(high[axis]!, at);
    });
  made.plates.forEach((plate, number) => {
    const shift = number * wide * (1 + BETWEEN);
    if (made.bed) {
      const grid = new LineSegments(bed, line);
      grid.position.x = shift;
      object.add(grid);
      reach(shift, 0, 0);
      reach(shift + wide, deep, 0);
    }
    for (const { solid, at } of plate) {
      const { surface, edges } = geometries[solid]!;
      const body = new Mesh(surface, skins[solid]!.solid);
      body.castShadow = body.receiveShadow = true;
      const lines = new LineSegments(edges, skins[solid]!.ink);
      for (const each of [body, lines]) each.position.set(at[0] + shift, at[1], at[2]);
      object.add(body, lines);
      surface.computeBoundingBox();
      const { min, max } = surface.boundingBox!;
      for (const end of [min, max]) reach(end.x + at[0] + shift, end.y + at[1], end.z + at[2]);
    }
  });
  const scale = SIZE / Math.max(made.bed ? Math.max(wide, deep) : high[0]! - low[0]!, 1);
  object.scale.setScalar(scale);
  const scaled = (point: number[]) => point.map((at) => at * scale) as [number, number, number];
  return {
    part: {
      object,
      dispose: () => {
        for (const { surface, edges } of geometries) for (const each of [surface, edges]) each.dispose();
        for (const skin of skins) for (const each of [skin.solid, skin.ink]) each.dispose();
        bed.dispose();
        line.dispose();
      },
    },
    box: { low: scaled(low), high: scaled(high) },
  };
}

/** A bed with a line every centimetre, or every ten on a large one, and around it. */
function gridOf(wide: number, deep: number): BufferGeometry {
  const every = Math.max(wide, deep) > 1000 ? 100 : 10;
  const along = (end: number) => [...Array.from({ length: Math.ceil(end / every) }, (_, n) => n * every), end];
  const points = [
    ...along(wide).flatMap((x) => [x, 0, 0, x, deep, 0]),
    ...along(deep).flatMap((y) => [0, y, 0, wide, y, 0]),
  ];
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
}
