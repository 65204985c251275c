// A shape as one solid: inner sides are gone, edges are drawn dark, seams between cells faint. For
// what is looked at or pointed at, not edited.

import {
  Box3,
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
  Vector3,
  type Intersection,
} from "three";
import { centreOf, placeOf, type Cell, type Key, type Row, type Vector } from "../cells";
import type { GridData } from "../messages";
import { facesOf, type Face } from "./faces";

export interface Look {
  /** Of a cell, by its number. */
  colour: (cell: number) => string;
  /** 1 for solid. */
  opacity?: number;
  /** Sides towards these cells are left out, by default towards the cells themselves. */
  hiding?: ReadonlySet<Key>;
}

/** The cells as an object for the stage; what a ray hits of it is a cell by `cellHit`. */
export function solidOf(grid: GridData, cells: readonly (Cell | Row)[], { colour, opacity = 1, hiding }: Look): Group {
  const group = new Group();
  const glassy = opacity < 1;
  const material = new MeshStandardMaterial({
    roughness: 0.72,
    metalness: 0,
    transparent: glassy,
    opacity,
    depthWrite: !glassy,
    side: glassy ? DoubleSide : 0,
    polygonOffset: true,
    polygonOffsetFactor: glassy ? 2 : 1,
    polygonOffsetUnits: 1,
  });
  if (grid.radius > 0) {
    const balls = new InstancedMesh(new SphereGeometry(grid.radius, 32, 20), material, cells.length);
    cells.forEach((cell, at) => {
      balls.setMatrixAt(at, new Matrix4().setPosition(...centreOf(grid, cell)));
      balls.setColorAt(at, new Color(colour(at)));
    });
    balls.castShadow = balls.receiveShadow = !glassy;
    group.add(balls);
    return group;
  }
  const faces = facesOf(grid, cells, hiding);
  const { geometry, owners } = skin(faces, colour);
  material.vertexColors = true;
  const mesh = new Mesh(geometry, material);
  mesh.userData.owners = owners;
  mesh.castShadow = mesh.receiveShadow = !glassy;
  group.add(mesh);
  const { edges, seams } = linesOf(faces);
  for (const [points, strength] of [
    [edges, 0.55],
    [seams, 0.14],
  ] as const) {
    const line = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
    const ink = new LineBasicMaterial({ color: 0x1c1712, transparent: true, opacity: strength * (glassy ? 0.5 : 1) });
    group.add(new LineSegments(line, ink));
  }
  return group;
}

/** Which cell was hit, by its number. */
export function cellHit({ object, instanceId, faceIndex }: Intersection): number | undefined {
  return instanceId ?? (object.userData.owners as number[] | undefined)?.[faceIndex ?? -1];
}

/** Points between which the cells lie; of balls, those farthest along the axes. */
export function cornersOf(grid: GridData, cells: readonly (Cell | Row)[]): Vector3[] {
  const { radius } = grid;
  const ball = [
    [radius, 0, 0],
    [0, radius, 0],
    [0, 0, radius],
  ].flatMap(([x = 0, y = 0, z = 0]) => [new Vector3(x, y, z), new Vector3(-x, -y, -z)]);
  return cells.flatMap((cell) => {
    const around = radius > 0 ? ball : grid.tiles[cell[3]]!.corners.map((corner) => new Vector3(...corner));
    const from = new Vector3(...(radius > 0 ? centreOf(grid, cell) : placeOf(grid, cell)));
    return around.map((point) => point.clone().add(from));
  });
}

/** The room that cells take. */
export const boxOf = (grid: GridData, cells: readonly (Cell | Row)[]) =>
  new Box3().setFromPoints(cornersOf(grid, cells));

function skin(faces: readonly Face[], colour: (cell: number) => string) {
  const positions: number[] = [];
  const normals: number[] = [];
  const colours: number[] = [];
  const owners: number[] = []; // of each triangle
  for (const { cell, normal, corners } of faces) {
    const { r, g, b } = new Color(colour(cell));
    for (let at = 1; at + 1 < corners.length; at++) {
      for (const corner of [corners[0]!, corners[at]!, corners[at + 1]!]) {
        positions.push(...corner);
        normals.push(...normal);
        colours.push(r, g, b);
      }
      owners.push(cell);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  return { geometry, owners };
}

/** Two flat sides meet in a seam; any other line of a side is an edge of the solid. */
export function linesOf(faces: readonly Face[]): { edges: number[]; seams: number[] } {
  const lines = new Map<string, { ends: [Vector, Vector]; normals: Vector[] }>();
  const name = (point: Vector) => point.map((x) => Math.round(x * 1024)).join(",");
  for (const { corners, normal } of faces) {
    corners.forEach((from, at) => {
      const to = corners[(at + 1) % corners.length]!;
      const key = [name(from), name(to)].sort().join(" ");
      const line = lines.get(key) ?? { ends: [from, to], normals: [] };
      line.normals.push(normal);
      lines.set(key, line);
    });
  }
  const edges: number[] = [];
  const seams: number[] = [];
  for (const {
    ends,
    normals: [a, b, ...more],
  } of lines.values()) {
    const flat = a && b && !more.length && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0.999;
    (flat ? seams : edges).push(...ends[0], ...ends[1]);
  }
  return { edges, seams };
}
