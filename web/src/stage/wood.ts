// Wood: rings around a pith beside the piece, and fibres along it. They fill the piece as they fill a stick, so its long
// sides have grain and its ends have rings, wherever it was cut; and they move with it.

import type { MeshStandardMaterial } from "three";
import { middleOf, minus, plus, times, WORLD, type Box, type Vector } from "../vector";

/** Along which way the grain of a piece runs, and a place on its pith. */
export interface Lie {
  readonly along: Vector;
  readonly pith: Vector;
}

export type Grain = ReturnType<typeof grown>;

const ASIDE = 1.7; // how far the pith is from the middle, in lengths of a unit
const SCATTER = 2.4; // radians between the piths of two pieces

/** The grain runs along the longest side of a piece; no two pieces are of the same stick. */
export function grainOf({ low, high }: Box, piece: number): Lie {
  const size = minus(high, low);
  const longest = Math.max(...size);
  const axis = size.findIndex((each) => each > longest - 1e-6);
  const [right, up] = [WORLD[(axis + 1) % 3]!, WORLD[(axis + 2) % 3]!];
  const angle = SCATTER * piece;
  const aside = times(ASIDE, plus(times(Math.cos(angle), right), times(Math.sin(angle), up)));
  return { along: WORLD[axis]!, pith: plus(middleOf({ low, high }), aside) };
}

const VERTEX = `
  varying vec3 grainAt, grainNormal;`;
const FRAGMENT = `
  uniform float wooden;
  uniform vec3 along, pith;
  varying vec3 grainAt, grainNormal;
  float chance(vec2 at) { return fract(sin(dot(at, vec2(127.1, 311.7))) * 43758.5453); }
  float rough(vec2 at) {
    vec2 cell = floor(at), part = smoothstep(0.0, 1.0, fract(at));
    return mix(mix(chance(cell), chance(cell + vec2(1, 0)), part.x),
               mix(chance(cell + vec2(0, 1)), chance(cell + vec2(1, 1)), part.x), part.y);
  }
  vec3 timber(vec3 colour) {
    float run = dot(grainAt, along);
    vec3 across = grainAt - pith - dot(grainAt - pith, along) * along;
    vec3 u = normalize(along.yzx), v = normalize(along.zxy);
    vec2 at = vec2(dot(across, u), dot(across, v));
    float far = length(at) + 0.12 * rough(vec2(run * 0.7, at.x + at.y)) + 0.05 * sin(run * 1.1 + at.x);
    float ring = fract(far * 5.0);
    float late = smoothstep(0.1, 0.85, ring) * (1.0 - smoothstep(0.88, 1.0, ring));
    float end = smoothstep(0.75, 0.95, abs(dot(normalize(grainNormal), along)));
    float fibre = mix(rough(vec2(run * 1.5, far * 70.0 + at.x * 9.0)), rough(at * 40.0), end);
    vec3 warm = mix(colour, colour * vec3(1.06, 0.96, 0.82) + vec3(0.03, 0.018, 0.0), 0.8);
    return warm * (1.08 - 0.34 * late - 0.16 * fibre - 0.14 * end);
  }`;

/** Let a material be of wood while `wooden` is 1. */
export function grown(skin: MeshStandardMaterial, { along, pith }: Lie) {
  const uniforms = { wooden: { value: 0 }, along: { value: along }, pith: { value: pith } };
  skin.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>${VERTEX}`)
      .replace("#include <begin_vertex>", "#include <begin_vertex>\n  grainAt = position; grainNormal = normal;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>${FRAGMENT}`)
      .replace(
        "#include <color_fragment>",
        "#include <color_fragment>\n  if (wooden > 0.5) diffuseColor.rgb = timber(diffuseColor.rgb);",
      );
  };
  skin.customProgramCacheKey = () => "wood"; // one program for all
  return uniforms;
}
