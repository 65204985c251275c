// The colours of cells, which constrain where pieces may go: painted on the sides of a piece, or on its balls.

import { BufferGeometry, Float32BufferAttribute, Mesh, MeshStandardMaterial, SphereGeometry } from "three";
import type { FormData } from "../messages";

export type Paint = Mesh<BufferGeometry, MeshStandardMaterial>;
/** A coat for each colour of a form's cells, which its bodies share. */
type Coats = readonly { readonly geometry: BufferGeometry; readonly colour: string }[];

const LARGER = 1.004; // a painted ball

export function coatsOf({ patches, radius }: Partial<FormData>, colours: readonly string[]): Coats {
  const all = patches ?? [];
  return [...new Set(all.map(({ colour }) => colour))].map((colour) => {
    const rings = all.filter((patch) => patch.colour === colour).map(({ ring }) => ring);
    const positions = rings.flatMap((ring) => (ring.length === 3 ? ballAt(ring, radius ?? 0) : fanOf(ring)));
    const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(positions, 3));
    geometry.computeVertexNormals();
    return { geometry, colour: colours[colour - 1] ?? "#888888" };
  });
}

/** What a body wears of these. */
export const painted = (coats: Coats): Paint[] =>
  coats.map(
    ({ geometry, colour }) =>
      new Mesh(geometry, new MeshStandardMaterial({ color: colour, roughness: 0.68, metalness: 0 })),
  );

/** Let paint be seen as far as the body is. */
export function fade(paint: readonly Paint[], alpha: number): void {
  for (const { material } of paint) {
    material.opacity = alpha;
    material.transparent = alpha < 1;
  }
}

/** A convex polygon as triangles. */
const fanOf = (ring: readonly number[]) =>
  Array.from({ length: ring.length / 3 - 2 }, (_, n) =>
    [0, n + 1, n + 2].flatMap((corner) => ring.slice(3 * corner, 3 * corner + 3)),
  ).flat();

function ballAt([x = 0, y = 0, z = 0]: readonly number[], radius: number): number[] {
  const ball = new SphereGeometry(radius * LARGER, 24, 16).toNonIndexed().translate(x, y, z);
  const positions = [...ball.getAttribute("position").array];
  ball.dispose();
  return positions;
}
