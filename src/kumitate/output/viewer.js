// @ts-check
/**
 * The viewer: a scene in the round, in a page of its own or in a notebook.
 *
 * It is sent bodies and poses (page.py writes them) and knows nothing of puzzles. Time runs from 0,
 * the first pose, to the number of the last; between two poses each body slides on a straight line.
 * What must stay true: nothing is fetched, nothing is drawn while nothing changes, and dispose()
 * gives back all that mount() took.
 *
 * @typedef {[number, number, number]} Vector
 * @typedef {{name: string, colour: string, points: Vector[], faces: number[][],
 *   folds: [number, number][], balls: Vector[], radius: number, necks: [number, number][]}} Body
 * @typedef {{shifts: Vector[], shown: boolean[], words: string}} Pose
 * @typedef {{bodies: Body[], poses: Pose[]}} Scene
 * @typedef {{keys?: EventTarget, loop?: boolean}} Options
 *   keys: whose key presses count, if not only the viewer's own
 *
 * @typedef {{low: Vector, high: Vector}} Box
 * @typedef {[Vector, Vector, Vector]} Axes to the right, up, and towards the eye
 * @typedef {{shifts: Vector[], alphas: number[], frame: Box}} Moment
 * @typedef {{yaw: number, pitch: number, zoom: number, explode: number,
 *   x: number, y: number, z: number}} View x, y, z: the place looked at, seen from the middle
 * @typedef {{matrix: Float32Array, eye: Vector, axes: Axes, distance: number}} Camera
 * @typedef {{shift: Vector, alpha: number, glow: number}} Look
 * @typedef {{draw(camera: Camera, looks: Look[], ratio: number): void, dispose(): void}} Painter
 *
 * @typedef {{time: number, goal: number, playing: boolean, speed: number, view: View, aim: View,
 *   pointed: number, hidden: Set<number>, shades: number[]}} State
 *   the view is on its way to `aim`, the time to `goal`, and the shades (how much of each body is
 *   seen) to what hiding and pointing ask for
 * @typedef {{play(): void, pause(): void, goto(time: number): void, dispose(): void,
 *   readonly state: {time: number, last: number, playing: boolean, view: View, hidden: string[]}
 *   }} Controller
 */

const FIELD = Math.tan((26 * Math.PI) / 360); // half the height seen, at distance 1
const SPEEDS = [0.5, 1, 2, 4];
const GHOST = 0.1; // what is left of the others while one piece is pointed at
const MANY_BALLS = 120; // so many are drawn less round
/** @type {Axes} */
const WORLD = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

// ---- vectors and boxes ----

/** @type {(a: Vector, b: Vector) => Vector} */
const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @type {(a: Vector, b: Vector) => Vector} */
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @type {(k: number, a: Vector) => Vector} */
const scaled = (k, a) => [k * a[0], k * a[1], k * a[2]];
/** @type {(a: Vector, b: Vector) => number} */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @type {(a: Vector, b: Vector) => Vector} */
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
/** @type {(a: Vector) => Vector} */
const unit = (a) => scaled(1 / (Math.hypot(...a) || 1), a);
/** @type {(a: Vector, b: Vector, t: number) => Vector} */
const mixed = (a, b, t) => plus(scaled(1 - t, a), scaled(t, b));
/** @type {(a: Vector, axes: Axes) => Vector} */
const seenBy = (a, axes) => [dot(a, axes[0]), dot(a, axes[1]), dot(a, axes[2])];
/** @type {(x: number, low: number, high: number) => number} */
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
/** @type {(x: number) => number} from 0 to 1, slow at both ends */
const smooth = (x) => ((t) => t * t * (3 - 2 * t))(clamp(x, 0, 1));

/** @type {(boxes: Box[]) => Box} */
function union(boxes) {
  const all = boxes.length ? boxes : [{ low: [0, 0, 0], high: [0, 0, 0] }];
  const least = (/** @type {number} */ i) => all.reduce((m, { low }) => Math.min(m, low[i]), Infinity);
  const most = (/** @type {number} */ i) => all.reduce((m, { high }) => Math.max(m, high[i]), -Infinity);
  return { low: [least(0), least(1), least(2)], high: [most(0), most(1), most(2)] };
}

/** @type {(body: Body, axes: Axes) => Box} the box around a body, along these axes */
function boxOf(body, axes) {
  const points = body.points.map((p) => seenBy(p, axes)).map((p) => ({ low: p, high: p }));
  const r = body.radius;
  const balls = body.balls.map((p) => seenBy(p, axes))
    .map((p) => ({ low: minus(p, [r, r, r]), high: plus(p, [r, r, r]) }));
  return union([...points, ...balls]);
}

/** @type {(box: Box) => Vector} */
const middleOf = ({ low, high }) => mixed(low, high, 0.5);

// ---- motion ----

/** @type {(a: Pose, b: Pose) => boolean} whether some body comes or goes */
const cuts = (a, b) => a.shown.some((shown, n) => shown !== b.shown[n]);

/**
 * What to look at in each pose, along the axes. The eye rests while pieces slide: it sees all that
 * they pass through, but only at the end, before some come or go, the place they went away to.
 * @type {(scene: Scene, axes: Axes) => Box[]}
 */
export function framesOf({ bodies, poses }, axes) {
  const boxes = bodies.map((body) => boxOf(body, axes));
  const seen = poses.map(({ shifts, shown }) => union(
    boxes.map(({ low, high }, n) => [low, high].map((corner) => plus(corner, seenBy(shifts[n], axes))))
      .filter((_, n) => shown[n]).map(([low, high]) => ({ low, high }))));
  /** @type {Box[]} */
  const frames = [];
  for (let first = 0, end = 0; first < poses.length; first = end) {
    for (end = first + 1; end < poses.length && !cuts(poses[first], poses[end]); ) end++;
    const before = union(seen.slice(first, Math.max(end - 1, first + 1)));
    frames.push(...Array(end - first - 1).fill(before), union(seen.slice(first, end)));
  }
  return frames;
}

/**
 * Where everything is at a time. A body that goes fades where it stands, and only then do those
 * that stay move to where they are seen next; each motion ends with a short rest.
 * @type {(scene: Scene, frames: Box[], time: number) => Moment}
 */
export function momentAt({ poses }, frames, time) {
  const from = clamp(Math.floor(time), 0, poses.length - 1);
  const to = Math.min(from + 1, poses.length - 1);
  const [a, b] = [poses[from], poses[to]];
  const way = (time - from) / 0.85;
  const fade = smooth(2 * way);
  const slide = cuts(a, b) ? smooth(2 * way - 1) : smooth(way);
  /** @type {(n: number) => Vector} */
  const shift = (n) =>
    a.shown[n] === b.shown[n] ? mixed(a.shifts[n], b.shifts[n], slide) : (a.shown[n] ? a : b).shifts[n];
  return {
    shifts: a.shifts.map((_, n) => shift(n)),
    alphas: a.shown.map((shown, n) => (1 - fade) * Number(shown) + fade * Number(b.shown[n])),
    frame: {
      low: mixed(frames[from].low, frames[to].low, smooth(way)),
      high: mixed(frames[from].high, frames[to].high, smooth(way)),
    },
  };
}

/** @type {(scene: Scene, from: number) => number} seconds from a pose to the next */
function secondsAfter({ poses }, from) {
  const [a, b] = [poses[from], poses[from + 1]];
  if (cuts(a, b)) return 1.2;
  const ways = a.shifts.map((shift, n) => Math.hypot(...minus(shift, b.shifts[n])));
  return clamp(0.6 + 0.15 * Math.max(0, ...ways), 0.6, 1.6);
}

/** @type {(scene: Scene, time: number, by: number) => number} the time so many seconds on, or back */
function later(scene, time, by) {
  const from = by < 0 ? Math.ceil(time) - 1 : Math.floor(time);
  if (from < 0 || from >= scene.poses.length - 1) return time;
  return clamp(time + by / secondsAfter(scene, from), from, from + 1);
}

/** @type {(state: State, scene: Scene, seconds: number, loop: boolean) => void} */
function advance(state, scene, seconds, loop) {
  const way = state.goal - state.time;
  const hurry = state.playing ? state.speed : Math.max(state.speed, 3 * Math.abs(way) - 2);
  const next = later(scene, state.time, Math.sign(way) * seconds * hurry);
  state.time = Math.abs(next - state.time) >= Math.abs(way) ? state.goal : next;
  if (state.playing && state.time === state.goal) loop ? (state.time = 0) : (state.playing = false);
}

/** @type {(state: State, part: number) => void} bring the view and the shades nearer to their aims */
function settle(state, part) {
  /** @type {(now: number, aim: number) => number} */
  const nearer = (now, aim) => (Math.abs(aim - now) < 2e-3 ? aim : now + part * (aim - now));
  const { view, aim } = state;
  for (const key of viewKeys(view)) view[key] = nearer(view[key], aim[key]);
  state.shades = state.shades.map((shade, n) => nearer(shade, shadeOf(state, n)));
}

/** @type {(state: State) => boolean} whether the next picture would be the same */
const atRest = (state) =>
  state.time === state.goal
  && viewKeys(state.view).every((key) => state.view[key] === state.aim[key])
  && state.shades.every((shade, n) => shade === shadeOf(state, n));

/** @type {(view: View) => (keyof View)[]} */
const viewKeys = (view) => /** @type {(keyof View)[]} */ (Object.keys(view));

/** @type {(state: State, n: number) => number} */
function shadeOf({ pointed, hidden }, n) {
  return pointed === n ? 1 : hidden.has(n) ? 0 : pointed >= 0 ? GHOST : 1;
}

/**
 * How each body is seen: where it is, moved outwards from the middle of all that are there.
 * @type {(state: State, moment: Moment, middles: Vector[]) => Look[]}
 */
function looksOf({ view, shades, pointed }, { shifts, alphas }, middles) {
  const places = middles.map((middle, n) => plus(middle, shifts[n]));
  const weight = alphas.reduce((sum, alpha) => sum + alpha, 0) || 1;
  /** @type {Vector} */
  const zero = [0, 0, 0];
  const middle = places.reduce((sum, place, n) => plus(sum, scaled(alphas[n] / weight, place)), zero);
  return places.map((place, n) => ({
    shift: plus(shifts[n], scaled(view.explode, minus(place, middle))),
    alpha: alphas[n] * shades[n],
    glow: pointed === n ? 0.2 : 0,
  }));
}

// ---- the camera ----

/** @type {(scene: Scene) => View} things that lie flat are seen more from above */
function firstView({ bodies, poses }) {
  const boxes = bodies.map((body) => boxOf(body, WORLD));
  const { low, high } = union(boxes.map((box, n) =>
    ({ low: plus(box.low, poses[0].shifts[n]), high: plus(box.high, poses[0].shifts[n]) })));
  const [x, y, z] = minus(high, low);
  const flat = clamp(1.3 - (2 * z) / Math.max(x, y, 1e-9), 0, 1);
  return { yaw: -1.1 - 0.37 * flat, pitch: 0.5 + 0.45 * flat, zoom: 1, explode: 0, x: 0, y: 0, z: 0 };
}

/** @type {(view: View) => Axes} */
function axesOf({ yaw, pitch }) {
  /** @type {Vector} */
  const back = [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch)];
  /** @type {Vector} */
  const right = [-Math.sin(yaw), Math.cos(yaw), 0];
  return [right, cross(back, right), back];
}

/** @type {(frame: Box, first: Axes, view: View, aspect: number) => Camera} a frame is along `first` */
function cameraOn(frame, first, view, aspect) {
  const axes = axesOf(view);
  const [right, up, back] = axes;
  const [x, y, z] = scaled(0.5 + 0.4 * view.explode, minus(frame.high, frame.low));
  const distance = (1.08 * (Math.max(x / aspect, y) / FIELD + 0.6 * z) + 1e-3) / view.zoom;
  const [m0, m1, m2] = middleOf(frame);
  const middle = plus(plus(scaled(m0, first[0]), scaled(m1, first[1])), scaled(m2, first[2]));
  const eye = plus(plus(middle, [view.x, view.y, view.z]), scaled(distance, back));
  const reach = 3 * Math.hypot(x, y, z) + Math.hypot(view.x, view.y, view.z);
  const [near, far] = [Math.max(distance - reach, distance / 40), distance + reach];
  const [a, b] = [(near + far) / (near - far), (2 * near * far) / (near - far)];
  const [w, h] = [1 / (FIELD * aspect), 1 / FIELD];
  const column = (/** @type {0 | 1 | 2} */ i) => [w * right[i], h * up[i], a * back[i], -back[i]];
  const matrix = new Float32Array([...column(0), ...column(1), ...column(2),
    -w * dot(right, eye), -h * dot(up, eye), b - a * dot(back, eye), dot(back, eye)]);
  return { matrix, eye, axes, distance };
}

// ---- surfaces ----

/**
 * A surface turned on the lathe about the way from `start` to `end`: each row of the profile is how
 * far along, how far out, and the normal's two parts, along and out.
 * @type {(into: number[], start: Vector, end: Vector, profile: number[][], sides: number) => void}
 */
function turn(into, start, end, profile, sides) {
  const axis = unit(minus(end, start));
  const aside = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
  const third = cross(axis, aside);
  const ring = Array.from({ length: sides + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / sides;
    return plus(scaled(Math.cos(angle), aside), scaled(Math.sin(angle), third));
  });
  const corner = (/** @type {number[]} */ [along, out, na, no], /** @type {number} */ k) =>
    into.push(...plus(start, plus(scaled(along, axis), scaled(out, ring[k]))),
      ...plus(scaled(na, axis), scaled(no, ring[k])));
  for (let row = 1; row < profile.length; row++)
    for (let k = 0; k < sides; k++) {
      const [low, high] = [profile[row - 1], profile[row]];
      corner(low, k), corner(low, k + 1), corner(high, k + 1);
      corner(low, k), corner(high, k + 1), corner(high, k);
    }
}

/** @type {(radius: number, sides: number) => number[][]} */
const ballProfile = (radius, sides) => Array.from({ length: sides / 2 + 1 }, (_, k) => {
  const angle = (2 * Math.PI * k) / sides;
  return [-radius * Math.cos(angle), radius * Math.sin(angle), -Math.cos(angle), Math.sin(angle)];
});

/** @type {(length: number, radius: number) => number[][]} a waist that leaves both balls smoothly */
const neckProfile = (length, radius) => Array.from({ length: 9 }, (_, k) => {
  const angle = ((k - 4) / 4) * 0.9;
  const hollow = radius * 0.55; // how round the waist is
  return [length / 2 + hollow * Math.sin(angle), radius * 0.42 + hollow * (1 - Math.cos(angle)),
    -Math.sin(angle), Math.cos(angle)];
});

/** @type {(body: Body, sides: number) => number[]} a row a corner: its place and the normal there */
function trianglesOf(body, sides) {
  /** @type {number[]} */
  const into = [];
  for (const face of body.faces) {
    const corners = face.map((n) => body.points[n]);
    const normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[1])));
    for (let k = 2; k < corners.length; k++)
      for (const corner of [corners[0], corners[k - 1], corners[k]]) into.push(...corner, ...normal);
  }
  for (const ball of body.balls)
    turn(into, ball, plus(ball, [0, 0, 1]), ballProfile(body.radius, sides), sides);
  for (const [a, b] of body.necks) {
    const [start, end] = [body.balls[a], body.balls[b]];
    turn(into, start, end, neckProfile(Math.hypot(...minus(end, start)), body.radius), sides);
  }
  return into;
}

// ---- drawing ----

const SOLID = [`#version 300 es
  layout(location = 0) in vec3 place;
  layout(location = 1) in vec3 normal;
  uniform mat4 camera;
  uniform vec3 shift;
  out vec3 at, out_of;
  void main() {
    at = place + shift;
    out_of = normal;
    gl_Position = camera * vec4(at, 1.0);
  }`, `#version 300 es
  precision highp float;
  uniform vec3 colour, eye, light;
  uniform float alpha, glow, gloss;
  in vec3 at, out_of;
  out vec4 seen;
  void main() {
    vec3 normal = normalize(out_of), back = normalize(eye - at);
    float key = max(dot(normal, light), 0.0), sky = 0.5 + 0.5 * normal.z;
    float shine = pow(max(dot(normal, normalize(light + back)), 0.0), 48.0);
    float rim = pow(1.0 - max(dot(normal, back), 0.0), 3.0);
    vec3 lit = colour * (1.0 + glow) * (0.24 + 0.32 * sky + 0.56 * key) + gloss * (shine * 0.6 + rim * 0.08);
    seen = vec4(pow(lit, vec3(1.0 / 2.2)), 1.0) * alpha;
  }`];

// A line is a ribbon as wide on the screen as is asked, so it is crisp on any screen.
const LINE = [`#version 300 es
  layout(location = 0) in vec3 start;
  layout(location = 1) in vec3 end;
  uniform mat4 camera;
  uniform vec3 shift, eye;
  uniform vec2 size;
  uniform float width;
  vec4 ahead(vec4 a, vec4 b) { return a.w < 0.01 ? mix(a, b, (0.01 - a.w) / (b.w - a.w)) : a; }
  void main() {
    vec4 from = camera * vec4(mix(start + shift, eye, 0.001), 1.0); // a little before the faces
    vec4 to = camera * vec4(mix(end + shift, eye, 0.001), 1.0);
    vec4 a = ahead(from, to), b = ahead(to, from);
    vec2 along = (b.xy / b.w - a.xy / a.w) * size;
    along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    float side = float(gl_VertexID & 1) * 2.0 - 1.0, tip = float(gl_VertexID >> 1) * 2.0 - 1.0;
    vec4 here = tip < 0.0 ? a : b;
    here.xy += (vec2(-along.y, along.x) * side + along * tip * 0.5) * width / size * here.w;
    gl_Position = here;
  }`, `#version 300 es
  precision highp float;
  uniform vec3 colour;
  uniform float alpha;
  out vec4 seen;
  void main() { seen = vec4(pow(colour * 0.06, vec3(1.0 / 2.2)), 1.0) * alpha; }`];

/** @type {(gl: WebGL2RenderingContext, sources: string[]) => WebGLProgram} */
function program(gl, sources) {
  const made = gl.createProgram();
  [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].forEach((kind, n) => {
    const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
    gl.shaderSource(shader, sources[n]);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
    gl.deleteShader(shader); // it lives on in the program
  });
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`${gl.getProgramInfoLog(made)}`);
  return made;
}

/**
 * Rows of six numbers on the graphics card, read as two vectors.
 * @param {WebGL2RenderingContext} gl
 * @param {number[]} rows
 * @param {number} divisor 0: a row is for a corner; 1: for a whole line
 */
function upload(gl, rows, divisor) {
  const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()];
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(rows), gl.STATIC_DRAW);
  for (const location of [0, 1]) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 24, 12 * location);
    gl.vertexAttribDivisor(location, divisor);
  }
  gl.bindVertexArray(null);
  const dispose = () => (gl.deleteVertexArray(array), gl.deleteBuffer(buffer));
  return { array, count: rows.length / 6, dispose };
}

/** @type {(colour: string) => Vector} "#E69F00" as light */
function lightOf(colour) {
  const part = (/** @type {number} */ at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2;
  return [part(1), part(3), part(5)];
}

/** @type {(gl: WebGL2RenderingContext, bodies: Body[]) => Painter} */
function painter(gl, bodies) {
  const [solid, line] = [program(gl, SOLID), program(gl, LINE)];
  const sides = bodies.flatMap((body) => body.balls).length < MANY_BALLS ? 40 : 20;
  const things = bodies.map((body) => ({
    colour: lightOf(body.colour),
    gloss: body.balls.length ? 1 : 0.12,
    middle: middleOf(boxOf(body, WORLD)),
    faces: upload(gl, trianglesOf(body, sides), 0),
    folds: upload(gl, body.folds.flatMap(([a, b]) => [...body.points[a], ...body.points[b]]), 1),
  }));
  /** @type {(p: WebGLProgram, values: Record<string, number | number[] | Float32Array>) => void} */
  function set(p, values) {
    gl.useProgram(p);
    for (const [name, value] of Object.entries(values)) {
      const at = gl.getUniformLocation(p, name);
      if (typeof value === "number") gl.uniform1f(at, value);
      else if (value.length === 2) gl.uniform2fv(at, value);
      else if (value.length === 3) gl.uniform3fv(at, value);
      else gl.uniformMatrix4fv(at, false, value);
    }
  }
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.BLEND);
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.polygonOffset(1, 1);
  gl.depthFunc(gl.LEQUAL);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  /** @type {(n: number, look: Look) => void} */
  function drawBody(n, { shift, alpha, glow }) {
    const { colour, gloss, faces, folds } = things[n];
    set(solid, { colour, shift, alpha, glow, gloss });
    gl.bindVertexArray(faces.array);
    gl.enable(gl.CULL_FACE);
    if (alpha < 1) {
      gl.colorMask(false, false, false, false); // of what is seen through, only the front
      gl.drawArrays(gl.TRIANGLES, 0, faces.count);
      gl.colorMask(true, true, true, true);
    }
    gl.drawArrays(gl.TRIANGLES, 0, faces.count);
    set(line, { colour, shift, alpha });
    gl.bindVertexArray(folds.array);
    gl.disable(gl.CULL_FACE);
    if (folds.count) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, folds.count);
  }

  return {
    draw({ matrix, eye, axes: [right, up, back] }, looks, ratio) {
      const size = [gl.drawingBufferWidth, gl.drawingBufferHeight];
      const light = unit(plus(plus(back, scaled(0.75, up)), scaled(-0.55, right)));
      gl.viewport(0, 0, size[0], size[1]);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      set(solid, { camera: matrix, eye, light });
      set(line, { camera: matrix, eye, size, width: 1.5 * ratio });
      // What hides comes first, then what is seen through, from far to near.
      const far = looks.map(({ shift }, n) => Math.hypot(...minus(plus(things[n].middle, shift), eye)));
      const order = looks.flatMap(({ alpha }, n) => (alpha > 0.004 ? [n] : []));
      const rank = (/** @type {number} */ n) => (looks[n].alpha === 1 ? Infinity : far[n]);
      order.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
      for (const n of order) drawBody(n, looks[n]);
    },
    dispose() {
      for (const { faces, folds } of things) faces.dispose(), folds.dispose();
      for (const p of [solid, line]) gl.deleteProgram(p);
    },
  };
}

// ---- what is on the page ----

const STYLE = `
  :host { display: block; height: 100%; min-height: 0; }
  * { box-sizing: border-box; }
  .viewer { --ink: #22242a; --soft: #646872; --paper: #ffffff; --ground: #e9e7e2; --line: #dcdad4;
    --accent: #0b6e8a; --on-accent: #ffffff; container-type: inline-size; height: 100%;
    font: 15px/1.4 system-ui, sans-serif; color: var(--ink); color-scheme: light dark; }
  @media (prefers-color-scheme: dark) {
    .viewer { --ink: #ecebe7; --soft: #a2a5ad; --paper: #1f2126; --ground: #121316; --line: #35383f;
      --accent: #5cc3e0; --on-accent: #0d1a1f; } }
  .layout { display: grid; height: 100%; min-height: 0; background: var(--paper);
    grid-template: "stage pieces" minmax(0, 1fr) "bar bar" auto / minmax(0, 1fr) auto; }
  .stage { grid-area: stage; position: relative; min-height: 0;
    background: radial-gradient(circle at 50% 42%, var(--paper), var(--ground) 90%); }
  canvas { position: absolute; width: 100%; height: 100%; touch-action: none; cursor: grab; }
  canvas:focus-visible { outline-offset: -3px; }
  canvas:active { cursor: grabbing; }
  .fallback { position: absolute; inset: 0; margin: auto; height: fit-content; max-width: 30em;
    padding: 1em; text-align: center; }
  .reset { position: absolute; top: 10px; right: 10px; }
  .pieces { grid-area: pieces; width: 13em; margin: 0; padding: 10px; list-style: none; overflow: auto;
    border-left: 1px solid var(--line); }
  .bar { grid-area: bar; display: grid; gap: 4px 18px; align-items: center; padding: 10px 16px 12px;
    border-top: 1px solid var(--line);
    grid-template: "words words words" auto "buttons time extras" auto / auto minmax(0, 1fr) auto; }
  .words { grid-area: words; display: flex; gap: 12px; min-height: 1.4em; margin: 0; }
  .words b { font-weight: 600; white-space: nowrap; font-variant-numeric: tabular-nums; }
  .words span { color: var(--soft); overflow: hidden; overflow-wrap: anywhere;
    display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .buttons, .extras, label { display: flex; align-items: center; gap: 8px; }
  .buttons { grid-area: buttons; }
  .time { grid-area: time; width: 100%; }
  .extras { grid-area: extras; gap: 18px; justify-content: flex-end; }
  label { color: var(--soft); font-size: 13px; }
  label input { width: 96px; }
  input { accent-color: var(--accent); height: 32px; margin: 0; cursor: pointer; }
  select, button { font: inherit; color: inherit; background: var(--paper);
    border: 1px solid var(--line); cursor: pointer; }
  select { height: 34px; border-radius: 8px; padding: 0 4px; }
  button { display: grid; place-items: center; width: 40px; height: 40px; padding: 0; border-radius: 50%;
    transition: background 0.15s, border-color 0.15s; }
  button:hover { border-color: var(--soft); }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  [aria-disabled=true] { opacity: 0.35; cursor: default; }
  .play { width: 46px; height: 46px; color: var(--on-accent); background: var(--accent);
    border-color: transparent; }
  svg { width: 18px; height: 18px; fill: currentColor; }
  .pieces button { display: flex; align-items: center; gap: 10px; width: 100%; height: auto;
    min-height: 34px; padding: 4px 10px; border: 0; border-radius: 8px; background: none; }
  .pieces button:hover, .pieces button:focus-visible { background: var(--ground); }
  .pieces span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .pieces i { flex: none; width: 16px; height: 16px; border-radius: 5px; background: var(--swatch);
    border: 2px solid var(--swatch); }
  .pieces [aria-pressed=false] i { background: none; }
  .pieces [aria-pressed=false] span { color: var(--soft); text-decoration: line-through; }
  @container (max-width: 680px) {
    .layout { grid-template: "stage" minmax(0, 1fr) "pieces" auto "bar" auto / minmax(0, 1fr); }
    .pieces { display: flex; width: auto; padding: 4px 8px; border-left: 0;
      border-top: 1px solid var(--line); }
    .pieces li { flex: none; max-width: 12em; }
    .pieces button { min-height: 40px; }
    .bar { grid-template: "words words" auto "time time" auto "buttons extras" auto
      / auto minmax(0, 1fr); padding: 8px 12px; }
    .extras { gap: 12px; } label input { width: 80px; } label .aside { display: none; }
    .words { min-height: 2.8em; } }
  @media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
  [hidden] { display: none !important; }`;

const ICONS = {
  play: "M5 3l11 6.5L5 16z",
  pause: "M4 3h4v13H4zM11 3h4v13h-4z",
  back: "M14 3v13L6 9.5zM3.5 3h2.2v13H3.5z",
  forward: "M5 3v13l8-6.5zM13.3 3h2.2v13h-2.2z",
  reset: "M9.5 2.5a7 7 0 1 0 7 7h-2.2a4.8 4.8 0 1 1-1.5-3.5L10.5 8.3H17V1.8l-2.6 2.6a7 7 0 0 0-4.9-1.9z",
};

const HELP = "The pieces in space: drag to turn, scroll or pinch to zoom, drag with two fingers or the "
  + "right button to move, double click to reset";
const NO_WEBGL = "This browser shows nothing in 3D here: WebGL 2 is missing or switched off.";

/**
 * An element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @type {(button: HTMLElement, icon: keyof typeof ICONS, label: string) => void} */
function dress(button, icon, label) {
  button.innerHTML = `<svg viewBox="0 0 19 19" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
  button.setAttribute("aria-label", label);
  button.title = label;
}

/** @type {(kind: string, icon: keyof typeof ICONS, label: string, act: () => void) => HTMLButtonElement} */
function iconButton(kind, icon, label, act) {
  const button = make("button", { class: kind, type: "button" });
  dress(button, icon, label);
  button.addEventListener("click", act);
  return button;
}

/** @type {(label: string, max: number, act: (value: number) => void) => HTMLInputElement} */
function slider(label, max, act) {
  const made = make("input",
    { type: "range", min: "0", max: `${max}`, step: "any", value: "0", "aria-label": label });
  made.addEventListener("input", () => act(made.valueAsNumber));
  return made;
}

/** @type {(bodies: Body[], toggle: (n: number) => boolean, point: (n: number) => void) => HTMLElement} */
function pieceList(bodies, toggle, point) {
  const rows = bodies.map((body, n) => {
    const swatch = make("i");
    swatch.style.setProperty("--swatch", body.colour);
    const name = body.name || `piece ${n + 1}`;
    const button = make("button", { type: "button", "aria-pressed": "true", title: name },
      swatch, make("span", {}, name));
    button.addEventListener("click", () => button.setAttribute("aria-pressed", `${toggle(n)}`));
    button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && point(n));
    button.addEventListener("focus", () => button.matches(":focus-visible") && point(n));
    for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => point(-1));
    return make("li", {}, button);
  });
  return make("ul", { class: "pieces", "aria-label": "Pieces: press to hide or show" }, ...rows);
}

/**
 * Fingers and mouse: one turns, two (or another button, or shift) pan and zoom.
 * @param {HTMLElement} on
 * @param {{turn(x: number, y: number): void, pan(x: number, y: number): void, zoom(by: number): void}} act
 * @param {(event: WheelEvent) => boolean} wheelCounts
 */
function watchGestures(on, act, wheelCounts) {
  /** @type {Map<number, [number, number]>} */
  const held = new Map();
  const spread = () => {
    const [[x, y], [x2, y2]] = [[...held.values()][0], [...held.values()].at(-1) ?? [0, 0]];
    return { x: (x + x2) / 2, y: (y + y2) / 2, size: Math.hypot(x - x2, y - y2) || 1 };
  };
  on.addEventListener("pointerdown", (event) => {
    on.setPointerCapture(event.pointerId);
    held.set(event.pointerId, [event.clientX, event.clientY]);
  });
  on.addEventListener("pointermove", (event) => {
    if (!held.has(event.pointerId)) return;
    const before = spread();
    held.set(event.pointerId, [event.clientX, event.clientY]);
    const after = spread();
    const [x, y] = [after.x - before.x, after.y - before.y];
    if (held.size === 1 && event.buttons === 1 && !event.shiftKey) act.turn(x, y);
    else act.pan(x, y), act.zoom(after.size / before.size);
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
    on.addEventListener(end, (event) => held.delete(event.pointerId));
  on.addEventListener("contextmenu", (event) => event.preventDefault());
  on.addEventListener("wheel", (event) => {
    if (!wheelCounts(event)) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    act.zoom(Math.exp(-clamp(event.deltaY * lines, -200, 200) * (event.ctrlKey ? 0.01 : 0.0015)));
  }, { passive: false });
}

/**
 * What stands around the picture, and how it follows the state.
 * @param {Scene} scene
 * @param {{toggle(): void, step(by: number): void, jump(time: number): void, reset(): void,
 *   speed(by: number): void, explode(by: number): void, hide(n: number): boolean,
 *   point(n: number): void}} act
 */
function makeControls({ bodies, poses }, act) {
  const last = poses.length - 1;
  const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": HELP });
  const [number, told] = [make("b"), make("span")];
  const time = slider("Step", last, act.jump);
  const explode = slider("Explode", 1, act.explode);
  const speed = make("select", { "aria-label": "Speed" }, ...SPEEDS.map((s) =>
    make("option", { value: `${s}`, ...(s === 1 ? { selected: "" } : {}) }, `${s}×`)));
  speed.addEventListener("change", () => act.speed(Number(speed.value)));
  const play = iconButton("play", "play", "Play", act.toggle);
  const back = iconButton("back", "back", "One step back", () => act.step(-1));
  const forward = iconButton("forward", "forward", "One step forward", () => act.step(1));
  const reset = iconButton("reset", "reset", "Reset the view", act.reset);
  const pieces = pieceList(bodies, act.hide, act.point);
  const words = make("p", { class: "words", "aria-live": "polite" }, number, told);
  const buttons = make("div", { class: "buttons" }, back, play, forward);
  const faster = make("label", {}, make("span", { class: "aside" }, "Speed"), speed);
  const outwards = make("label", {}, "Explode", explode);
  const extras = make("div", { class: "extras" }, faster, outwards);
  const bar = make("div", { class: "bar" }, words, buttons, time, extras);
  time.className = "time";
  for (const part of [words, buttons, time, faster]) part.hidden = last < 1;
  outwards.hidden = pieces.hidden = bodies.length < 2;
  bar.hidden = last < 1 && bodies.length < 2;
  const stage = make("div", { class: "stage" }, canvas, reset);
  const layout = make("div", { class: "layout" }, stage, pieces, bar);

  /** @type {(state: State) => void} only what is new is written, as a page reader reads it out */
  function tell(state) {
    const at = Math.ceil(state.time - 1e-6); // words say what leads to a pose
    const count = at || poses[0].words ? `${at} / ${last}` : last === 1 ? "1 step" : `${last} steps`;
    const text = poses[at].words;
    if (number.textContent !== count) number.textContent = count;
    if (told.textContent !== text) told.title = told.textContent = text;
    if (time.valueAsNumber !== state.time) time.value = `${state.time}`;
    time.setAttribute("aria-valuetext", `${count} ${text}`);
    if (explode.valueAsNumber !== state.aim.explode) explode.value = `${state.aim.explode}`;
    const label = state.playing ? "Pause" : "Play";
    if (play.title !== label) dress(play, state.playing ? "pause" : "play", label);
    back.ariaDisabled = `${state.time === 0}`; // truly disabled ones would lose the focus
    forward.ariaDisabled = `${state.time === last}`;
  }
  return { layout, stage, canvas, tell };
}

/**
 * Keys that act, unless the element in focus has a use of its own for them.
 * @type {(act: Record<string, () => void>) => (event: Event) => void}
 */
const keyPresses = (act) => (event) => {
  if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.altKey || event.metaKey) return;
  const [target] = event.composedPath();
  const own = target instanceof HTMLSelectElement
    || (target instanceof HTMLInputElement && target.className !== "time")
    || (target instanceof HTMLButtonElement && event.key === " ");
  if (own || !act[event.key]) return;
  event.preventDefault();
  act[event.key]();
};

/** @type {(scene: Scene) => State} */
function firstState(scene) {
  const view = firstView(scene);
  return {
    time: 0, goal: 0, playing: false, speed: 1, view, aim: { ...view },
    pointed: -1, hidden: new Set(), shades: scene.bodies.map(() => 1),
  };
}

/**
 * Show a scene within an element, which decides the size.
 * @param {HTMLElement} element
 * @param {Scene} scene
 * @param {Options} options
 * @returns {Controller}
 */
export function mount(element, scene, options = {}) {
  const { bodies, poses } = scene;
  const last = poses.length - 1;
  const state = firstState(scene);
  const first = { ...state.view };
  const axes = axesOf(first);
  const frames = framesOf(scene, axes);
  const middles = bodies.map((body) => middleOf(boxOf(body, WORLD)));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const goodbye = new AbortController();
  let camera = cameraOn(frames[0], axes, first, 1);
  let [waiting, before] = [0, 0];

  // ---- what can be done ----

  /** @type {(change: Partial<State>) => void} */
  function change(by) {
    Object.assign(state, by);
    if (calm.matches && !state.playing) state.time = state.goal;
    if (!waiting && !goodbye.signal.aborted) waiting = requestAnimationFrame(frame);
  }
  const look = (/** @type {Partial<View>} */ by) => change({ aim: { ...state.aim, ...by } });
  const head = (/** @type {number} */ goal) => change({ goal: clamp(goal, 0, last), playing: false });
  const jump = (/** @type {number} */ time) => (head(time), change({ time: state.goal }));
  const play = () => change({ time: state.time === last ? 0 : state.time, goal: last, playing: last > 0 });
  const pause = () => head(state.time);
  const toggle = () => (state.playing ? pause() : play());
  function step(/** @type {number} */ by) {
    const from = state.playing ? state.time : state.goal;
    head(by > 0 ? Math.floor(from) + 1 : Math.ceil(from) - 1);
  }
  function reset() {
    const turns = Math.round((state.view.yaw - first.yaw) / (2 * Math.PI));
    state.view.yaw -= 2 * Math.PI * turns; // back the short way
    look({ ...first, explode: state.aim.explode });
  }
  /** @type {(n: number) => boolean} whether it is now shown */
  function hide(n) {
    const shown = state.hidden.delete(n) || !state.hidden.add(n);
    change({ pointed: -1 }); // so that one sees it go
    return shown;
  }
  const { layout, stage, canvas, tell } = makeControls(scene, {
    toggle, step, jump, reset, hide,
    speed: (speed) => change({ speed }),
    explode: (explode) => look({ explode }),
    point: (pointed) => change({ pointed }),
  });
  const press = keyPresses({
    " ": toggle,
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => head(0),
    End: () => head(last),
    r: reset,
    e: () => look({ explode: state.aim.explode ? 0 : 1 }),
  });
  watchGestures(canvas, {
    turn: (x, y) =>
      look({ yaw: state.aim.yaw - 0.009 * x, pitch: clamp(state.aim.pitch + 0.009 * y, -1.55, 1.55) }),
    pan(x, y) {
      const scale = (2 * FIELD * camera.distance) / (canvas.clientHeight || 1);
      const by = plus(scaled(-x * scale, camera.axes[0]), scaled(y * scale, camera.axes[1]));
      look({ x: state.aim.x + by[0], y: state.aim.y + by[1], z: state.aim.z + by[2] });
    },
    zoom: (by) => look({ zoom: clamp(state.aim.zoom * by, 0.25, 8) }),
  }, (event) => event.ctrlKey || !!options.keys || root.activeElement === canvas);
  canvas.addEventListener("dblclick", reset);

  // ---- drawing, only while something changes ----

  const gl = canvas.getContext("webgl2", { antialias: true });
  let paint = gl && painter(gl, bodies);
  if (!gl) stage.append(make("p", { class: "fallback" }, NO_WEBGL));

  /** @type {(now: number) => void} */
  function frame(now) {
    const seconds = before ? Math.min((now - before) / 1000, 0.1) : 1 / 60;
    settle(state, calm.matches ? 1 : 1 - Math.exp(-16 * seconds));
    advance(state, scene, seconds, !!options.loop);
    draw();
    tell(state);
    before = atRest(state) ? 0 : now;
    waiting = before && requestAnimationFrame(frame);
  }

  function draw() {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.round(x * ratio));
    if (!paint || !width || !height) return;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const moment = momentAt(scene, frames, calm.matches ? Math.round(state.time) : state.time);
    camera = cameraOn(moment.frame, axes, state.view, width / height);
    paint.draw(camera, looksOf(state, moment, middles), ratio);
  }

  // ---- coming and going ----

  const host = make("div");
  host.style.height = "100%";
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  root.append(make("div", { class: "viewer" }, layout));
  element.append(host);
  (options.keys ?? host).addEventListener("keydown", press, { signal: goodbye.signal });
  canvas.addEventListener("webglcontextlost", (event) => (event.preventDefault(), (paint = null)));
  canvas.addEventListener("webglcontextrestored", () => (gl && (paint = painter(gl, bodies)), change({})));
  const sizes = new ResizeObserver(() => change({}));
  sizes.observe(stage);
  tell(state);

  function dispose() {
    goodbye.abort();
    cancelAnimationFrame(waiting);
    sizes.disconnect();
    paint?.dispose();
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    host.remove();
  }
  return {
    play, pause, goto: jump, dispose,
    get state() {
      const hidden = bodies.filter((_, n) => state.hidden.has(n)).map((body) => body.name);
      return { time: state.time, last, playing: state.playing, view: { ...state.aim }, hidden };
    },
  };
}

/**
 * Show one of several scenes, with a row of buttons to choose it by.
 * @param {HTMLElement} element
 * @param {{title: string, scene: Scene}[]} scenes
 * @param {Options} options
 */
export function mountSeveral(element, scenes, options = {}) {
  const nav = make("nav", { "aria-label": "What to show" });
  const stage = make("div", { class: "scene" });
  /** @type {Controller | undefined} */
  let shown;
  const buttons = scenes.map(({ title, scene }) => {
    const button = make("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      shown?.dispose();
      shown = mount(stage, scene, options);
      for (const other of buttons) other.removeAttribute("aria-current");
      button.setAttribute("aria-current", "true");
    });
    return button;
  });
  nav.append(...buttons);
  nav.hidden = scenes.length < 2;
  element.append(nav, stage);
  buttons[0]?.click();
}
