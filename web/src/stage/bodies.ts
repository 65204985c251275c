// Bodies that move: one mesh each, thin darker edges, three looks, and a bright outline for what is in the way. Where they are comes from outside
// (scene/staging.ts); here that only becomes matrices and materials.
//
// The geometry of a form is made once and shared by every body that has it, in every solution of a run.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshStandardMaterial,
} from "three";
import { DARK } from "../colours";
import type { BodyData, FormData } from "../messages";
import { boxOf, shadeOf, surfaceOf, type Form } from "../scene/form";
import type { Place } from "../scene/turning";
import { WORLD } from "../vector";
import { coatsOf, fade, painted, type Paint } from "./paint";
import { inkOf, ribbonMesh, ribbonsOf, type Ink } from "./ribbons";
import { grainOf, grown, type Grain } from "./wood";

export type Look = "solid" | "outline" | "hidden";

export type Forms = ReturnType<typeof createForms>;
export type Bodies = ReturnType<typeof createBodies>;

const GLASS = 0.07; // how much is seen of the sides of an outline

interface Part {
  readonly group: Group;
  readonly solid: Mesh<BufferGeometry, MeshStandardMaterial>;
  readonly ink: Ink;
  readonly outline: Group; // bold, and faint where something hides it
  readonly paint: readonly Paint[];
  readonly grain: Grain;
  readonly round: boolean; // without edges
  look: Look;
  alpha: number;
}

/** What pieces look like, by their numbers. */
export function createForms(forms: readonly (Form & Partial<FormData>)[], colours: readonly string[] = []) {
  const surfaces = forms.map((form) => {
    const rows = new InterleavedBuffer(surfaceOf(form), 6);
    const made = new BufferGeometry()
      .setAttribute("position", new InterleavedBufferAttribute(rows, 3, 0))
      .setAttribute("normal", new InterleavedBufferAttribute(rows, 3, 3));
    const { open_parts: openParts } = form;
    if (openParts?.length) made.setAttribute("color", new BufferAttribute(shadeOf(form.triangles, openParts), 3));
    return made;
  });
  const grains = forms.map((form, piece) => grainOf(boxOf(form, WORLD), piece));
  const edges = forms.map((form) => ribbonsOf(form.edges));
  const coats = forms.map((form) => coatsOf(form, colours));
  return {
    surfaces,
    edges,
    coats,
    grains,
    dispose(): void {
      const worn = coats.flat().map(({ geometry }) => geometry);
      for (const geometry of [...surfaces, ...edges, ...worn]) geometry.dispose();
    },
  };
}

export function createBodies(forms: Forms, bodies: readonly BodyData[]) {
  const object = new Group();
  const blocked = [inkOf(new Color(DARK.bad)), inkOf(new Color(DARK.bad))] as const;
  blocked[1].material.depthTest = false;
  blocked[1].uniforms.alpha.value = 0.3;
  const parts = bodies.map((body) => partOf(forms, body, blocked));
  object.add(...parts.map(({ group }) => group));
  return {
    object,
    /** Put every body where it is, each seen as far as its alpha says. */
    pose(places: readonly Place[], alphas: readonly number[]): void {
      parts.forEach((part, n) => {
        setPlace(part.group, places[n]!);
        part.alpha = alphas[n]!;
        dress(part);
      });
    },
    /** Show the colours of cells, or not. */
    paint(seen: boolean): void {
      for (const { paint } of parts) for (const mesh of paint) mesh.visible = seen;
    },
    /** Of wood, or plain. */
    wood(wooden: boolean): void {
      for (const { grain } of parts) grain.wooden.value = wooden ? 1 : 0;
    },
    look(looks: readonly Look[]): void {
      parts.forEach((part, n) => {
        part.look = looks[n] ?? "solid";
        dress(part);
      });
    },
    /** Let these bodies shine, and no others; outline those that are in the way. */
    point(at: readonly number[], blockers: readonly number[] = []): void {
      parts.forEach(({ solid: { material }, outline, round }, n) => {
        outline.visible = blockers.includes(n);
        const tinted = round && outline.visible;
        material.emissive.set(tinted ? DARK.bad : material.color);
        material.emissive.multiplyScalar(at.includes(n) || tinted ? 0.35 : 0);
      });
    },
    /** Take them off the stage and free what is theirs: not the forms. */
    dispose(): void {
      object.removeFromParent();
      for (const { solid, ink } of parts) for (const each of [solid.material, ink.material]) each.dispose();
      for (const ink of blocked) ink.material.dispose();
      for (const { paint } of parts) for (const { material } of paint) material.dispose();
    },
  };
}

function partOf(forms: Forms, { piece, colour, turn, at }: BodyData, [bold, faint]: readonly [Ink, Ink]): Part {
  const skin = new MeshStandardMaterial({
    color: colour,
    roughness: 0.68,
    metalness: 0,
    vertexColors: forms.surfaces[piece]!.hasAttribute("color"),
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  const grain = grown(skin, forms.grains[piece]!);
  const ink = inkOf(new Color(colour).multiplyScalar(0.2));
  const edges = forms.edges[piece]!;
  const solid = new Mesh(forms.surfaces[piece], skin);
  const outline = new Group().add(ribbonMesh(edges, faint), ribbonMesh(edges, bold, 2.5));
  outline.visible = false;
  for (const each of outline.children) each.renderOrder = 1;
  const paint = painted(forms.coats[piece]!);
  const lying = new Group().add(solid, ribbonMesh(edges, ink), outline, ...paint);
  setPlace(lying, { turn, shift: at });
  solid.receiveShadow = true;
  const round = !edges.getAttribute("position").count;
  return { group: new Group().add(lying), solid, ink, outline, paint, grain, round, look: "solid", alpha: 1 };
}

function setPlace(group: Group, { turn: [[a, b, c], [d, e, f], [g, h, i]], shift: [x, y, z] }: Place): void {
  group.matrixAutoUpdate = false;
  group.matrix.set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
  group.matrixWorldNeedsUpdate = true;
}

/** Make a part look as its alpha and its look ask for. */
function dress({ group, solid, ink, paint, round, look, alpha }: Part): void {
  const skin = solid.material;
  group.visible = look !== "hidden" && alpha > 0.01;
  const outline = look === "outline";
  const seen = alpha * (outline ? (round ? 3 * GLASS : GLASS) : 1);
  const glassy = seen < 1;
  if (skin.transparent !== glassy) {
    skin.transparent = glassy;
    skin.needsUpdate = true;
  }
  skin.opacity = seen;
  skin.depthWrite = !outline;
  fade(paint, outline ? alpha / 4 : alpha);
  ink.uniforms.alpha.value = alpha * (outline ? 1 : 0.6);
  solid.castShadow = !outline && alpha > 0.5;
}
