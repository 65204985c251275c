// Draws bodies by WebGL 2 alone, so that a page to send stays small. Lines are ribbons as wide on the
// screen as they should be, so they are crisp on any screen.

import { DARK } from "../colours";
import { LIGHT, type Camera } from "../scene/camera";
import { boxOf, surfaceOf, type Form } from "../scene/form";
import { put, type Place } from "../scene/turning";
import { apply, transpose, length, middleOf, minus, times, WORLD, type Vector } from "../vector";

/** How a body is seen now. */
export interface Look {
  readonly place: Place;
  readonly alpha: number;
  readonly glow: number;
  readonly outlined?: boolean; // drawn over everything, in a bright line
}

// How every shader begins: with where a body is, and with how its light is shown.
const VERTEX = `#version 300 es
  uniform mat4 camera;
  uniform mat3 turn;
  uniform vec3 shift, eye;
  vec3 put(vec3 place) { return turn * place + shift; }`;

const FRAGMENT = `#version 300 es
  precision highp float;
  uniform vec3 colour;
  uniform float alpha;
  out vec4 seen;
  vec4 shown(vec3 lit) { return vec4(pow(lit, vec3(1.0 / 2.2)), 1.0) * alpha; }`;

const SOLID = [
  `${VERTEX}
  layout(location = 0) in vec3 place;
  layout(location = 1) in vec3 normal;
  out vec3 at, out_of;
  void main() {
    at = put(place);
    out_of = turn * normal;
    gl_Position = camera * vec4(at, 1.0);
  }`,
  `${FRAGMENT}
  uniform vec3 eye, light;
  uniform float glow, gloss;
  in vec3 at, out_of;
  void main() {
    vec3 normal = normalize(out_of), back = normalize(eye - at);
    float key = max(dot(normal, light), 0.0), sky = 0.5 + 0.5 * normal.z;
    float shine = pow(max(dot(normal, normalize(light + back)), 0.0), 48.0);
    float rim = pow(1.0 - max(dot(normal, back), 0.0), 3.0);
    // Dark pieces shine less, or the white of the shine would take their colour away.
    float sheen = gloss * max(max(colour.r, colour.g), colour.b) * (shine * 0.6 + rim * 0.08);
    seen = shown(colour * (1.0 + glow) * (0.24 + 0.32 * sky + 0.56 * key) + sheen);
  }`,
] as const;

const LINE = [
  `${VERTEX}
  layout(location = 0) in vec3 start;
  layout(location = 1) in vec3 end;
  uniform vec2 size;
  uniform float width;
  vec4 ahead(vec4 a, vec4 b) { return a.w < 0.01 ? mix(a, b, (0.01 - a.w) / (b.w - a.w)) : a; }
  void main() {
    vec4 from = camera * vec4(mix(put(start), eye, 0.001), 1.0); // a little before the faces
    vec4 to = camera * vec4(mix(put(end), eye, 0.001), 1.0);
    vec4 a = ahead(from, to), b = ahead(to, from);
    vec2 along = (b.xy / b.w - a.xy / a.w) * size;
    along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    float side = float(gl_VertexID & 1) * 2.0 - 1.0, tip = float(gl_VertexID >> 1) * 2.0 - 1.0;
    vec4 here = tip < 0.0 ? a : b;
    here.xy += (vec2(-along.y, along.x) * side + along * tip * 0.5) * width / size * here.w;
    gl_Position = here;
  }`,
  `${FRAGMENT}
  void main() { seen = shown(colour); }`,
] as const;

export function createPainter(
  gl: WebGL2RenderingContext,
  bodies: readonly { readonly form: Form; readonly colour: string }[],
) {
  const [solid, line] = [program(gl, SOLID), program(gl, LINE)];
  const things = bodies.map(({ form, colour }) => ({
    colour: lightOf(colour),
    gloss: form.balls.length ? 1 : 0.12,
    middle: middleOf(boxOf(form, WORLD)),
    faces: upload(gl, surfaceOf(form), 0),
    edges: upload(gl, new Float32Array(form.edges), 1),
  }));
  function set(to: WebGLProgram, values: Record<string, number | readonly number[] | Float32Array>): void {
    gl.useProgram(to);
    for (const [name, value] of Object.entries(values)) {
      const at = gl.getUniformLocation(to, name);
      if (typeof value === "number") gl.uniform1f(at, value);
      else if (value.length === 2) gl.uniform2fv(at, value);
      else if (value.length === 3) gl.uniform3fv(at, value);
      else if (value.length === 9)
        gl.uniformMatrix3fv(at, true, value); // rows
      else gl.uniformMatrix4fv(at, false, value);
    }
  }
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.BLEND);
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.polygonOffset(1, 1);
  gl.depthFunc(gl.LEQUAL);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  function drawBody(n: number, { place, alpha, glow }: Look): void {
    const { colour, gloss, faces, edges } = things[n]!;
    const [turn, shift] = [place.turn.flat(), place.shift];
    set(solid, { colour, turn, shift, alpha, glow, gloss });
    gl.bindVertexArray(faces.array);
    gl.enable(gl.CULL_FACE);
    if (alpha < 1) {
      gl.colorMask(false, false, false, false); // of what is seen through, only the front
      gl.drawArrays(gl.TRIANGLES, 0, faces.count);
      gl.colorMask(true, true, true, true);
    }
    gl.drawArrays(gl.TRIANGLES, 0, faces.count);
    set(line, { colour: times(0.06, colour), turn, shift, alpha });
    gl.bindVertexArray(edges.array);
    gl.disable(gl.CULL_FACE);
    if (edges.count) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, edges.count);
  }

  /** A bright line around a body, faint where something hides it; balls are tinted instead. */
  function outline(n: number, { place, alpha }: Look, ratio: number): void {
    const { edges, faces } = things[n]!;
    const values = { colour: BLOCKED, turn: place.turn.flat(), shift: place.shift };
    gl.disable(gl.DEPTH_TEST);
    if (edges.count) {
      gl.bindVertexArray(edges.array);
      for (const [wide, part] of [
        [1.5, 0.3],
        [4, 1],
      ] as const) {
        set(line, { ...values, alpha: part * alpha, width: wide * ratio });
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, edges.count);
        gl.enable(gl.DEPTH_TEST);
      }
    } else {
      set(solid, { ...values, alpha: 0.3 * alpha, glow: 0 });
      gl.bindVertexArray(faces.array);
      gl.enable(gl.CULL_FACE);
      gl.drawArrays(gl.TRIANGLES, 0, faces.count);
      gl.disable(gl.CULL_FACE);
    }
    gl.enable(gl.DEPTH_TEST);
  }

  return {
    /** Draw all bodies; `ratio` is how many dots of the screen a pixel has. */
    draw({ matrix, eye, axes }: Camera, looks: readonly Look[], ratio: number): void {
      const size = [gl.drawingBufferWidth, gl.drawingBufferHeight] as const;
      gl.viewport(0, 0, ...size);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      set(solid, { camera: matrix, eye, light: apply(transpose(axes), LIGHT) });
      set(line, { camera: matrix, eye, size, width: 1.5 * ratio });
      // What hides comes first, then what is seen through, from far to near.
      const far = looks.map(({ place }, n) => length(minus(put(place, things[n]!.middle), eye)));
      const order = looks.flatMap(({ alpha }, n) => (alpha > 0.004 ? [n] : []));
      const rank = (n: number) => (looks[n]!.alpha === 1 ? Infinity : far[n]!);
      order.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
      for (const n of order) drawBody(n, looks[n]!);
      for (const n of order) if (looks[n]!.outlined) outline(n, looks[n]!, ratio);
    },
    dispose(): void {
      for (const { faces, edges } of things) for (const each of [faces, edges]) each.dispose();
      for (const each of [solid, line]) gl.deleteProgram(each);
    },
  };
}

function program(gl: WebGL2RenderingContext, sources: readonly [string, string]): WebGLProgram {
  const made = gl.createProgram();
  [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].forEach((kind, n) => {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, sources[n]!);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
    gl.deleteShader(shader); // it lives on in the program
  });
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(gl.getProgramInfoLog(made) ?? "");
  return made;
}

/** Rows of six numbers on the graphics card, read as two vectors: a row for a corner (0) or for a line (1). */
function upload(gl: WebGL2RenderingContext, rows: Float32Array, divisor: 0 | 1) {
  const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, rows, gl.STATIC_DRAW);
  for (const location of [0, 1]) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 24, 12 * location);
    gl.vertexAttribDivisor(location, divisor);
  }
  gl.bindVertexArray(null);
  const dispose = () => {
    gl.deleteVertexArray(array);
    gl.deleteBuffer(buffer);
  };
  return { array, count: rows.length / 6, dispose };
}

/** "#E69F00" as light. */
function lightOf(colour: string): Vector {
  const part = (at: number) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2;
  return [part(1), part(3), part(5)];
}

const BLOCKED = lightOf(DARK.bad);
