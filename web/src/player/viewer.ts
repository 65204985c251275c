// The viewer: a scene in the round, in an exported page, a notebook, or among the cards of a
// collection. It is sent bodies and poses and knows nothing of puzzles.
//
// What must stay true: nothing is fetched, nothing is drawn while nothing changes, and `dispose` gives back
// all that `mount` took.

import { Builder } from "../hand/builder";
import { celebrate } from "../hand/celebrate";
import type { Core } from "../hand/core";
import { Hand, roomAround, type Grip } from "../hand/hand";
import type { Lattice } from "../hand/fitting";
import { builderKeys, handKeys } from "../hand/keys";
import type { Cell } from "../hand/rules";
import { aimAt, axesOf, cameraOn, directionTo, FIELD, radiusOf, type Camera } from "../scene/camera";
import { boxOf, type Form } from "../scene/form";
import { movesTo, type Pose } from "../scene/motion";
import { picked } from "../scene/pick";
import { stagingOf } from "../scene/staging";
import {
  apply,
  around,
  clamp,
  cornersOf,
  length,
  minus,
  plus,
  shifted,
  times,
  transpose,
  union,
  WORLD,
  ZERO,
  type Box,
  type Matrix,
  type Vector,
} from "../vector";
import { createBench } from "./bench";
import { createCompass } from "./compass";
import { createControls, keyPresses } from "./controls";
import { watchGestures } from "./gestures";
import { createHandle } from "./handle";
import { make } from "./make";
import { createPainter, type Look } from "./painter";
import { nearer, Player } from "./player";
import { DARK, GOAL_COLOUR, LIGHT } from "../colours";
import style from "./viewer.css?inline";

interface Body {
  readonly name: string;
  readonly colour: string;
  readonly form: Form;
  readonly cells: readonly Cell[];
}
export interface Scene {
  readonly bodies: readonly Body[];
  readonly poses: readonly (Pose & { readonly words: string })[];
  readonly steps?: readonly Grip[]; // if it can be taken apart by hand
  readonly kit?: { readonly lattice: Lattice; readonly goal: Form }; // if it can be put together by hand
}

interface Options {
  /** Whose key presses count, if not only the viewer's own. */
  readonly keys?: EventTarget;
  /** The address of a picture to show where there is no WebGL. */
  readonly still?: string;
  /** Whether to begin with putting it together. */
  readonly building?: boolean;
  /** What knows the way where the page has it. */
  readonly core?: Core | null;
}

/** From where the scene is seen; x, y, z is the place looked at, from the middle of what happens. */
type View = Readonly<Record<(typeof VIEW)[number], number>>;
const VIEW = ["yaw", "pitch", "zoom", "x", "y", "z"] as const;

const GHOST = 0.1; // what is left of the others while one piece is pointed at
const OWN_COLOURS = `${themed(LIGHT)}@media (prefers-color-scheme: dark) {${themed(DARK)}}`;
const NO_WEBGL = "This browser shows nothing in 3D here: WebGL 2 is missing or switched off.";

/** Show a scene within an element, which decides the size; what to call when it goes. */
export function mount(
  element: HTMLElement,
  { bodies, poses, steps = [], kit }: Scene,
  options: Options = {},
): () => void {
  const core = options.core ?? null;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const goodbye = new AbortController();
  const forms = bodies.map(({ form }) => form);
  const whole = union(forms.map((form, n) => shifted(boxOf(form, WORLD), poses[0]!.shifts[n]!)));
  const first: View = { ...directionTo(whole), zoom: 1, x: 0, y: 0, z: 0 };
  const axes = axesOf(first);
  let staged = stagingOf(forms, poses, axes);
  let [view, aim] = [first, first];
  let room = seenBox(roomAround(forms), axes); // in which pieces are moved by hand
  let hand: Hand | null = null;
  let builder: Builder | null = null;
  let solving: Hand | Builder | null = null; // what is being solved, move by move
  let rested = () => {}; // what waits until nothing moves
  let [pointed, hidden] = [-1, new Set<number>()];
  let shades = bodies.map(() => 1); // how much is seen of each body, on its way to `shadeOf`
  let [waiting, before] = [0, 0]; // the frame that was asked for, and the time of the last
  let scale = 0; // how far a pixel is in space
  let seen = staged(0, 0); // where everything was drawn last,
  let camera: Camera | null = null; // and from where

  const player = new Player({ changed, calm: () => calm.matches });
  function changed(): void {
    if (!waiting && !goodbye.signal.aborted) waiting = requestAnimationFrame(frame);
  }

  // ---- what can be done ----

  function look(by: Partial<View>): void {
    aim = { ...aim, ...by };
    changed();
  }
  function reset(): void {
    const turns = Math.round((view.yaw - first.yaw) / (2 * Math.PI));
    view = { ...view, yaw: view.yaw - 2 * Math.PI * turns }; // back the short way
    look(first);
  }
  function point(at: number): void {
    pointed = at;
    changed();
  }
  function hide(n: number): boolean {
    const shown = hidden.has(n);
    hidden = new Set(shown ? [...hidden].filter((other) => other !== n) : [...hidden, n]);
    point(-1); // so that one sees it go
    return shown;
  }
  const shadeOf = (n: number) => (pointed === n ? 1 : hidden.has(n) ? 0 : pointed >= 0 ? GHOST : 1);

  function build(): void {
    if (!kit) return;
    builder = new Builder({ bodies, forms, lattice: kit.lattice }, built, core);
    player.explode(0);
    player.put(builder.poses);
    room = union([seenBox(roomAround([kit.goal]), axes), stagingOf(forms, builder.poses, axes)(0, 0).frame]);
    built();
  }
  function built(): void {
    if (!builder) return;
    const [before, now] = [player.poses[player.last]!, builder.poses[0]!];
    player.put(builder.dragging ? [now] : [before, now]); // it slides to where it goes
    player.head(player.last);
    staged = stagingOf(forms, player.poses, axes);
    bench.follow(builder);
    if (builder.over) celebrate(stage, bodies);
    changed();
  }

  function begin(): void {
    room = seenBox(roomAround(forms), axes);
    const known = { bodies, forms, steps, solution: poses, shortest: poses.length > 1 ? movesTo(poses) : null };
    hand = new Hand(known, played, core?.way);
    player.explode(0);
    player.put(hand.poses);
    played();
  }
  function end(): void {
    hand = builder = solving = null;
    player.put(poses);
    staged = stagingOf(forms, poses, axes);
    handle.follow(null);
    bench.follow(null);
    changed();
  }
  function played(): void {
    if (!hand) return;
    player.lead(hand.poses);
    staged = stagingOf(forms, player.poses, axes);
    handle.follow(hand);
    if (hand.over) celebrate(stage, bodies);
    changed();
  }
  function follow(): void {
    handle.follow(hand);
    bench.follow(builder);
  }
  async function solve(): Promise<void> {
    const toy = hand ?? builder;
    solving = solving ? null : toy;
    follow();
    while (toy && solving === toy && !toy.over && (await toy.solveOn())) {
      await new Promise<void>((resolve) => {
        rested = resolve;
        changed();
      });
    }
    if (solving !== toy) return;
    solving = null;
    follow();
  }
  const solver = { solve: () => void solve(), solving: () => !!solving };
  const handle = createHandle({ bodies, steps }, { begin, end, ...solver, now: () => hand });
  const bench = createBench(bodies, { begin: build, end, ...solver, now: () => builder });
  const acts = { reset, hide, point };
  const several = bodies.length > 1;
  const toys = [...(several && steps.length ? [handle] : []), ...(several && kit ? [bench] : [])];
  const controls = createControls({ bodies, poses, toys }, player, acts);
  const { layout, stage, canvas } = controls;
  const watching = keyPresses({
    " ": () => player.toggle(),
    ArrowLeft: () => player.step(-1),
    ArrowRight: () => player.step(1),
    Home: () => player.head(0),
    End: () => player.head(player.last),
    r: reset,
    e: () => player.toggleExplode(),
  });
  const playing = keyPresses({ ...handKeys(() => hand), r: reset });
  const building = keyPresses({ ...builderKeys(() => builder), r: reset });
  const press = (event: Event) => (hand ? playing : builder ? building : watching)(event);
  const grabs = {
    grab(event: PointerEvent): boolean {
      const toy = hand ?? builder;
      if (!toy || !camera) return false;
      const body = picked(
        forms,
        seen.places,
        (n) => seen.alphas[n]! > 0.5 && !hidden.has(n),
        sightOf(canvas, camera, event),
      );
      if (body >= 0) toy.grab(body);
      return body >= 0;
    },
    drag: (x: number, y: number) => (hand ?? builder)?.drag([x, y], axesOf(view), 1 / scale),
    release: () => (hand ?? builder)?.release(axesOf(view)),
  };
  const gestures = {
    turn: (x: number, y: number) =>
      look({ yaw: aim.yaw - 0.009 * x, pitch: clamp(aim.pitch + 0.009 * y, -1.55, 1.55) }),
    pan: (right: number, down: number) => {
      const [x, y, z] = apply(transpose(axesOf(view)), [-right * scale, down * scale, 0]);
      look({ x: aim.x + x, y: aim.y + y, z: aim.z + z });
    },
    zoom: (by: number) => look({ zoom: clamp(aim.zoom * by, 0.25, 8) }),
  };
  watchGestures(
    canvas,
    { ...gestures, ...grabs },
    (event) => event.ctrlKey || !!options.keys || root.activeElement === canvas,
  );
  canvas.addEventListener("dblclick", reset);

  // ---- drawing, only while something changes ----

  const gl = canvas.getContext("webgl2", { antialias: true });
  const painted = [...bodies, ...(kit ? [{ form: kit.goal, colour: GOAL_COLOUR }] : [])];
  let painter = gl && createPainter(gl, painted);
  const compass = createCompass();
  const still = options.still ? [make("img", { src: options.still, alt: "" })] : [];
  stage.append(gl ? compass.element : make("div", { class: "fallback" }, ...still, make("p", {}, NO_WEBGL)));

  function frame(now: number): void {
    const seconds = before ? Math.min((now - before) / 1000, 0.1) : 1 / 60;
    const settled = (from: number, to: number) => nearer(from, to, seconds, calm.matches);
    view = Object.fromEntries(VIEW.map((key) => [key, settled(view[key], aim[key])])) as View;
    shades = shades.map((shade, n) => settled(shade, shadeOf(n)));
    player.advance(seconds);
    draw();
    controls.follow();
    const still =
      player.atRest && VIEW.every((key) => view[key] === aim[key]) && shades.every((shade, n) => shade === shadeOf(n));
    if (still) rested();
    before = still ? 0 : now;
    waiting = still ? 0 : requestAnimationFrame(frame);
  }

  function draw(): void {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (!painter || !width || !height) return;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    seen = staged(player.shownTime, player.state.apart);
    const { places, alphas } = seen;
    const toy = hand ?? builder;
    const frame = toy ? room : seen.frame;
    const { middle, distance } = aimAt(frame, axes, width / height);
    const aside: Vector = [view.x, view.y, view.z];
    const reach = 3 * radiusOf(frame) + length(aside) + (toy ? 2 * distance : 0);
    camera = cameraOn(plus(middle, aside), distance / view.zoom, view, width / height, reach);
    scale = (2 * FIELD * camera.distance) / (canvas.clientHeight || 1);
    const lit = toy?.lit ?? [];
    const looks = places.map((place, n): Look => ({
      place,
      alpha: alphas[n]! * shades[n]!,
      glow: pointed === n || lit.includes(n) ? 0.2 : 0,
      outlined: !!toy?.state.blockers.includes(n),
    }));
    if (kit) looks.push({ place: { turn: WORLD, shift: ZERO }, alpha: builder ? 0.15 : 0, glow: 0 });
    painter.draw(camera, looks, ratio);
    compass.turn(camera.axes);
  }

  // ---- coming and going ----

  const host = make("div");
  host.style.height = "100%";
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  const own = getComputedStyle(element).getPropertyValue("--panel") ? "" : OWN_COLOURS; // or those of the page around
  sheet.replaceSync(own + style);
  root.adoptedStyleSheets = [sheet];
  root.append(make("div", { class: "viewer" }, layout));
  element.append(host);
  (options.keys ?? host).addEventListener("keydown", press, { signal: goodbye.signal });
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    painter = null;
  });
  canvas.addEventListener("webglcontextrestored", () => {
    painter = gl && createPainter(gl, painted);
    changed();
  });
  const sizes = new ResizeObserver(changed);
  sizes.observe(stage);
  player.put(poses);
  if (options.building) build();
  controls.follow();

  return () => {
    goodbye.abort();
    cancelAnimationFrame(waiting);
    sizes.disconnect();
    painter?.dispose();
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    host.remove();
  };
}

/** A box of the world, along other axes. */
const seenBox = (box: Box, axes: Matrix): Box => around(cornersOf(box).map((corner) => apply(axes, corner)));

/** The line of sight through a pointer. */
function sightOf(canvas: HTMLCanvasElement, { eye, axes: [right, up, back] }: Camera, at: PointerEvent) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const [x, y] = [((at.clientX - left) / width) * 2 - 1, 1 - ((at.clientY - top) / height) * 2];
  const aside = plus(times((x * FIELD * width) / height, right), times(y * FIELD, up));
  return { origin: eye, direction: minus(aside, back) };
}

/** The colours of the studio, as the style sheet names them. */
function themed(theme: Readonly<Record<string, string>>): string {
  const lines = Object.entries(theme).map(([name, colour]) => `--${name}: ${colour};`);
  return `.viewer { color-scheme: light dark; ${lines.join(" ")} }`;
}
