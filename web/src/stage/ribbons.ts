// Lines as wide on the screen as they should be, on any screen: each is a ribbon of two triangles that always faces the
// eye. (Lines of WebGL are one dot wide, and instances are slow where there is no graphics card.)

import { BufferAttribute, BufferGeometry, Color, DoubleSide, GLSL3, Mesh, ShaderMaterial, Vector2 } from "three";

const WIDTH = 1.5; // pixels

const VERTEX = `
  in vec3 end;
  in float corner;
  uniform vec2 size;
  uniform float width;
  vec4 seen(vec3 at) {
    vec4 world = modelMatrix * vec4(at, 1.0);
    return projectionMatrix * viewMatrix * vec4(mix(world.xyz, cameraPosition, 0.001), 1.0); // a little before the faces
  }
  vec4 ahead(vec4 a, vec4 b) { return a.w < 0.01 ? mix(a, b, (0.01 - a.w) / (b.w - a.w)) : a; }
  void main() {
    vec4 from = seen(position), to = seen(end);
    vec4 a = ahead(from, to), b = ahead(to, from);
    vec2 along = (b.xy / b.w - a.xy / a.w) * size;
    along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    float side = mod(corner, 2.0) * 2.0 - 1.0, tip = floor(corner / 2.0) * 2.0 - 1.0;
    vec4 here = tip < 0.0 ? a : b;
    here.xy += (vec2(-along.y, along.x) * side + along * tip * 0.5) * width / size * here.w;
    gl_Position = here;
  }`;
const FRAGMENT = `
  uniform vec3 colour;
  uniform float alpha;
  out vec4 lit;
  void main() { lit = vec4(colour, alpha); lit = linearToOutputTexel(lit); }`;

/** The geometry of lines: two points each, six numbers. */
export function ribbonsOf(edges: readonly number[]): BufferGeometry {
  const count = edges.length / 6;
  const [starts, ends, corners] = [12, 12, 4].map((each) => new Float32Array(count * each)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const index: number[] = [];
  for (let n = 0; n < count; n++) {
    for (let corner = 0; corner < 4; corner++) {
      starts.set(edges.slice(6 * n, 6 * n + 3), 12 * n + 3 * corner);
      ends.set(edges.slice(6 * n + 3, 6 * n + 6), 12 * n + 3 * corner);
      corners[4 * n + corner] = corner;
    }
    index.push(...[0, 1, 2, 2, 1, 3].map((corner) => 4 * n + corner));
  }
  return new BufferGeometry()
    .setAttribute("position", new BufferAttribute(starts, 3))
    .setAttribute("end", new BufferAttribute(ends, 3))
    .setAttribute("corner", new BufferAttribute(corners, 1))
    .setIndex(index);
}

export type Ink = ReturnType<typeof inkOf>;

/** What to draw ribbons with. */
export function inkOf(colour: Color) {
  const uniforms = {
    colour: { value: colour },
    alpha: { value: 1 },
    width: { value: WIDTH },
    size: { value: new Vector2(1, 1) },
  };
  const material = new ShaderMaterial({
    uniforms,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    glslVersion: GLSL3,
    side: DoubleSide,
    transparent: true,
    depthWrite: false,
  });
  return { material, uniforms };
}

/** Lines drawn with an ink, so many times as wide as usual. */
export function ribbonMesh(geometry: BufferGeometry, { material, uniforms }: Ink, wide = 1): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.onBeforeRender = (renderer) => {
    renderer.getDrawingBufferSize(uniforms.size.value);
    uniforms.width.value = WIDTH * wide * renderer.getPixelRatio();
  };
  return mesh;
}
