// Bodies that move: one mesh each (or balls and necks), thin darker edges, and three looks. Shifts and
// shades come from outside (solutions/timeline.ts); here they only become matrices and materials.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import type { BodyData } from "../messages";

export type Look = "solid" | "outline" | "hidden";
type Point = readonly [number, number, number];

export interface Bodies {
  readonly object: Group;
  /** The room of each body where it lies at first. */
  readonly boxes: readonly Box3[];
  readonly middles: readonly Point[];
  /** Put every body where it is, each seen as far as its alpha says. */
  pose(shifts: readonly Point[], alphas: readonly number[]): void;
  look(looks: readonly Look[]): void;
  /** Let one body shine, -1 for none. */
  point(at: number): void;
}

const GLASS = 0.07; // how much is seen of the sides of an outline
const NECK = 0.5; // of a ball's radius

interface Part {
  readonly group: Group;
  readonly skin: MeshStandardMaterial;
  readonly ink: LineBasicMaterial | null;
  readonly solids: readonly Mesh[];
  look: Look;
  alpha: number;
}

export function createBodies(bodies: readonly BodyData[]): Bodies {
  const object = new Group();
  const parts = bodies.map(partOf);
  object.add(...parts.map(({ group }) => group));
  const boxes = bodies.map(boxOf);
  const middles = boxes.map((box) => box.getCenter(new Vector3()).toArray());
  return {
    object,
    boxes,
    middles,
    pose(shifts, alphas) {
      parts.forEach((part, n) => {
        part.group.position.set(...shifts[n]!);
        part.alpha = alphas[n]!;
        dress(part);
      });
    },
    look(looks) {
      parts.forEach((part, n) => {
        part.look = looks[n] ?? "solid";
        dress(part);
      });
    },
    point(at) {
      parts.forEach(({ skin }, n) => skin.emissive.set(skin.color).multiplyScalar(n === at ? 0.35 : 0));
    },
  };
}

function partOf(body: BodyData): Part {
  const group = new Group();
  const skin = new MeshStandardMaterial({
    color: body.colour,
    roughness: 0.68,
    metalness: 0,
    flatShading: !body.balls.length,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  const solids = body.balls.length ? ballsOf(body, skin) : [meshOf(body, skin)];
  for (const solid of solids) solid.castShadow = solid.receiveShadow = true;
  group.add(...solids);
  let ink: LineBasicMaterial | null = null;
  if (body.edges.length) {
    ink = new LineBasicMaterial({ color: new Color(body.colour).multiplyScalar(0.35), transparent: true });
    const lines = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(body.edges, 3));
    group.add(new LineSegments(lines, ink));
  }
  return { group, skin, ink, solids, look: "solid", alpha: 1 };
}

function meshOf({ positions, triangles }: BodyData, skin: MeshStandardMaterial): Mesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(triangles), 1));
  return new Mesh(geometry, skin);
}

/** Balls, and between those that touch a neck; all of a kind are one draw. */
function ballsOf({ balls, radius, necks }: BodyData, skin: MeshStandardMaterial): Mesh[] {
  const round = balls.length > 40 ? 20 : 32;
  const spheres = new InstancedMesh(new SphereGeometry(radius, round, round * 0.75), skin, balls.length);
  balls.forEach((ball, n) => spheres.setMatrixAt(n, new Matrix4().setPosition(...ball)));
  if (!necks.length) return [spheres];
  const rods = new InstancedMesh(
    new CylinderGeometry(NECK * radius, NECK * radius, 1, 20, 1, true),
    skin,
    necks.length,
  );
  necks.forEach(([a, b], n) => {
    const [from, to] = [new Vector3(...balls[a]!), new Vector3(...balls[b]!)];
    const way = to.clone().sub(from);
    const turned = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), way.clone().normalize());
    const scale = new Vector3(1, way.length(), 1);
    rods.setMatrixAt(n, new Matrix4().compose(from.lerp(to, 0.5), turned, scale));
  });
  return [spheres, rods];
}

/** Make a part look as its alpha and its look ask for. */
function dress({ group, skin, ink, solids, look, alpha }: Part): void {
  group.visible = look !== "hidden" && alpha > 0.01;
  const outline = look === "outline";
  const seen = alpha * (outline ? (ink ? GLASS : 3 * GLASS) : 1);
  const glassy = seen < 1;
  if (skin.transparent !== glassy) {
    skin.transparent = glassy;
    skin.needsUpdate = true;
  }
  skin.opacity = seen;
  skin.depthWrite = !outline;
  if (ink) ink.opacity = alpha * (outline ? 1 : 0.6);
  for (const solid of solids) solid.castShadow = !outline && alpha > 0.5;
}

function boxOf({ positions, balls, radius }: BodyData): Box3 {
  const box = new Box3();
  for (const ball of balls) box.expandByPoint(new Vector3(...ball));
  if (balls.length) return box.expandByScalar(radius);
  return box.setFromArray(positions);
}
