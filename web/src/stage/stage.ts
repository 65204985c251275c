// The 3D view: a bench with soft light, a camera that looks at its middle, and whatever is put on it.
//
// A frame is drawn only when something changed (`invalidate`) or moves (`animate`). z is up, as in the
// puzzles' layers. Whoever puts an object on the stage takes it off and disposes of it (`discard`).

import {
  DirectionalLight,
  Group,
  Mesh,
  MOUSE,
  NeutralToneMapping,
  Object3D,
  OrthographicCamera,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  ShadowMaterial,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Camera,
  type Material,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Ray } from "../geometry";
import { axesOf, FIELD, FIELD_OF_VIEW, HOME, LIGHT, radiusOf, type Aim } from "../scene/camera";
import { smooth } from "../scene/motion";
import { makeSurroundings } from "./surroundings";
import { apply, cornersOf, middleOf, minus, transpose, type Box, type Matrix, type Vector } from "../vector";

export type Projection = "perspective" | "parallel";

/** What to look at: `radius` is how far around it something may be, `floor` the height of the ground. */
export interface Framing extends Aim {
  readonly radius: number;
  readonly floor: number;
}

/** How a stage is looked at: from where, at what, and what is framed. */
export interface View {
  readonly projection: Projection;
  readonly position: Vector;
  readonly target: Vector;
  readonly zoom: number;
  readonly framed: Framing | null;
}

/** Something to see, and how to free it. */
export interface Part {
  readonly object: Object3D;
  dispose(): void;
}

export type Stage = ReturnType<typeof createStage>;

const SLOW = 36; // milliseconds for a frame
const COARSER = [1, 0.7, 0.5]; // points along a line

const SUN_LIGHT = 1.6;
const SUN = new Vector3(...apply(transpose(axesOf(HOME)), LIGHT));

/** `onlost` hears that the graphics card has dropped everything, and when it is back. */
export function createStage(canvas: HTMLCanvasElement, onlost: (lost: boolean) => void = () => {}) {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.toneMapping = NeutralToneMapping; // bright colours keep their hue
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false; // shadows stay while only the camera moves

  const scene = new Scene();
  const surroundings = makeSurroundings();
  const sun = new DirectionalLight(0xfff4e6, SUN_LIGHT);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.radius = 5;
  sun.shadow.bias = -0.0006;
  sun.shadow.normalBias = 0.02;
  const bench = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.22 }));
  bench.receiveShadow = true;
  const things = new Group();
  scene.add(surroundings, sun, sun.target, bench, things);

  const perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 1000);
  const parallel = new OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  let camera: PerspectiveCamera | OrthographicCamera = perspective;
  for (const each of [perspective, parallel]) {
    each.up.set(0, 0, 1);
    each.position.set(...axesOf(HOME)[2]).multiplyScalar(10);
  }
  const controls = new OrbitControls<PerspectiveCamera | OrthographicCamera>(camera, canvas);
  controls.enableDamping = false;
  controls.zoomToCursor = true;
  controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.ROTATE }; // with Shift, they shift

  let radius = 3; // of what is looked at
  let wanted = 0; // the frame that was asked for
  let last = 0;
  const moving = new Set<(seconds: number) => boolean>();
  const hearing = new Set<(camera: Camera) => void>();
  const seeing = new Set<() => void>();

  // On a slow machine the picture is coarser while it changes, and fine again when it rests.
  let coarseness = 0;
  let late = 0; // frames in a row that took too long
  let judging = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let disposed = false;

  function judge(milliseconds: number): void {
    late = milliseconds > SLOW ? late + 1 : 0;
    if (late > 2 && coarseness + 1 < COARSER.length) [coarseness, late] = [coarseness + 1, 0];
    clearTimeout(rest);
    if (coarseness) rest = setTimeout(() => ((coarseness = 0), redraw()), 300);
  }

  function draw(time: number): void {
    wanted = 0;
    const seconds = last ? Math.min((time - last) / 1000, 0.1) : 0;
    last = moving.size ? time : 0;
    for (const frame of moving) if (!frame(seconds)) moving.delete(frame);
    resize();
    renderer.render(scene, camera);
    for (const hear of seeing) hear();
    judging = requestAnimationFrame((next) => judge(next - time));
    if (moving.size) invalidate();
  }

  function redraw(): void {
    if (!disposed) wanted ||= requestAnimationFrame(draw);
  }

  function invalidate(shadows = true): void {
    if (shadows) renderer.shadowMap.needsUpdate = true;
    redraw();
  }

  function resize(): void {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const size = renderer.getSize(new Vector2());
    const ratio = Math.min(devicePixelRatio, 2) * COARSER[coarseness]!;
    if (size.x === width && size.y === height && renderer.getPixelRatio() === ratio) return;
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
    frameCameras();
  }

  let aspect = 1; // while it is hidden, what it was
  const aspectNow = () => (aspect = canvas.clientWidth / Math.max(1, canvas.clientHeight) || aspect);

  function frameCameras(): void {
    aspectNow();
    const distance = camera.position.distanceTo(controls.target);
    perspective.aspect = aspect;
    perspective.near = Math.max(0.02, distance - 40 * radius);
    perspective.far = distance + 40 * radius;
    perspective.updateProjectionMatrix();
    parallel.top = distance * FIELD; // as large as in perspective
    parallel.bottom = -parallel.top;
    parallel.right = parallel.top * aspect;
    parallel.left = -parallel.right;
    parallel.near = -60 * radius;
    parallel.far = 60 * radius;
    parallel.updateProjectionMatrix();
  }

  function viewed(): void {
    redraw();
    for (const hear of hearing) hear(camera);
  }
  controls.addEventListener("change", viewed);
  const watcher = new ResizeObserver(() => invalidate());
  watcher.observe(canvas);
  const lost = () => onlost(true);
  const restored = () => {
    onlost(false);
    invalidate();
  };
  canvas.addEventListener("webglcontextlost", lost);
  canvas.addEventListener("webglcontextrestored", restored);

  /** Where the camera is and what it looks at. */
  interface Stand {
    readonly target: Vector3;
    readonly position: Vector3;
  }
  let framed: Framing | null = null;
  let journey: { readonly from: Stand; readonly to: Stand } | null = null;

  function travel(target: Vector3, position: Vector3, smoothly: boolean): void {
    const from = { target: controls.target.clone(), position: camera.position.clone() };
    const mine = { from, to: { target: target.clone(), position: position.clone() } };
    journey = mine;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let part = smoothly && !still ? 0 : 1;
    const step = (seconds: number): boolean => {
      if (journey !== mine) return false;
      part = Math.min(1, part + seconds / 0.22);
      const ease = smooth(part);
      const { from, to } = mine;
      const far = [from, to].map((stand) => stand.position.distanceTo(stand.target)) as [number, number];
      controls.target.lerpVectors(from.target, to.target, ease);
      camera.position.lerpVectors(from.position, to.position, ease);
      camera.position
        .sub(controls.target)
        .setLength((1 - ease) * far[0] + ease * far[1])
        .add(controls.target);
      if (part === 1) journey = null;
      settled();
      return part < 1;
    };
    if (step(0)) animate(step);
  }

  function settled(): void {
    controls.update();
    frameCameras();
    viewed();
  }

  /** Put the ground and the light where something is; the shadow reaches as far. */
  function ground(middle: Vector3, floor: number, size: number): void {
    radius = Math.max(size, 0.8);
    bench.position.set(middle.x, middle.y, floor - 0.002 * radius);
    bench.scale.setScalar(radius * 3.4);
    sun.target.position.copy(middle);
    sun.position.copy(middle).addScaledVector(SUN, radius * 4);
    const [left, right, near, far] = [-2 * radius, 2 * radius, 0.1, 9 * radius];
    Object.assign(sun.shadow.camera, { left, right, top: right, bottom: left, near, far });
    sun.shadow.camera.updateProjectionMatrix();
    renderer.shadowMap.needsUpdate = true;
  }

  function project(projection: Projection): void {
    const next = projection === "parallel" ? parallel : perspective;
    next.position.copy(camera.position);
    next.quaternion.copy(camera.quaternion);
    camera = next;
    controls.object = next;
  }

  /** To the right, up and towards the eye, as the camera is turned now. */
  function axes(): Matrix {
    camera.updateMatrixWorld();
    const [right, up, back] = [0, 1, 2].map((n) => new Vector3().setFromMatrixColumn(camera.matrixWorld, n).toArray());
    return [right!, up!, back!];
  }

  /** Look at something from where the camera is. */
  function frame(what: Framing, smoothly = true): void {
    const middle = new Vector3(...what.middle);
    const way = camera.position.clone().sub(controls.target);
    ground(middle, what.floor, what.radius);
    framed = what;
    parallel.zoom = 1;
    travel(middle, middle.clone().add(way.setLength(what.distance)), smoothly);
  }

  /** Call a function before every frame, with the seconds since the last, until it returns false. */
  function animate(frame: (seconds: number) => boolean): void {
    moving.add(frame);
    invalidate();
  }

  const caster = new Raycaster();
  return {
    controls,
    frame,
    axes,
    animate,
    /** Draw a frame soon, with shadows as they are now or, if that takes too long, as they were. */
    invalidate,
    /** How many times as wide as high the picture is. */
    aspect: aspectNow,
    add(object: Object3D): void {
      things.add(object);
      invalidate();
    },
    /** Put parts on the stage; what to call to take them off. */
    put(parts: Readonly<Record<string, Part>>): () => void {
      for (const { object } of Object.values(parts)) things.add(object);
      return () => {
        for (const part of Object.values(parts)) {
          part.object.removeFromParent();
          part.dispose();
        }
        invalidate();
      };
    },
    /** Look at all of a box from where the camera is, with a margin; the bench comes under it. */
    fit(box: Box, smoothly = true, margin = 1.06): void {
      const [now, middle] = [axes(), middleOf(box)];
      const far = cornersOf(box).map((corner) => {
        const [x, y, z] = apply(now, minus(corner, middle));
        return (margin * Math.max(Math.abs(x) / aspectNow(), Math.abs(y))) / FIELD + z;
      });
      frame({ middle, distance: Math.max(...far), floor: box.low[2], radius: radiusOf(box) }, smoothly);
    },
    /** Move on from what was framed last to this; how the user turned, zoomed and shifted the view stays. */
    follow(what: Framing): void {
      const before = framed ?? what;
      const middle = new Vector3(...what.middle);
      const way = middle.clone().sub(new Vector3(...before.middle));
      const nearer = what.distance / before.distance;
      ground(middle, what.floor, what.radius);
      framed = what;
      if (nearer === 1 && !way.lengthSq()) return;
      const now = { target: controls.target, position: camera.position };
      for (const { target, position } of [now, ...(journey ? [journey.from, journey.to] : [])]) {
        position.sub(target).multiplyScalar(nearer).add(target.add(way));
      }
      settled();
    },
    /** Look along a direction: (0, 0, -1) is from above. */
    look(direction: Vector3, smoothly = true): void {
      const tilted = direction.clone();
      if (Math.abs(tilted.x) + Math.abs(tilted.y) < 1e-6) tilted.y = 1e-4 * Math.sign(tilted.z || 1) * -1;
      const far = camera.position.distanceTo(controls.target);
      travel(controls.target.clone(), controls.target.clone().sub(tilted.setLength(far)), smoothly);
    },
    project(projection: Projection): void {
      project(projection);
      settled();
    },
    view(): View {
      return {
        projection: camera === parallel ? "parallel" : "perspective",
        position: camera.position.toArray(),
        target: controls.target.toArray(),
        zoom: camera.zoom,
        framed,
      };
    },
    /** Look as another stage does; nothing happens if it is looked at so already. */
    see(view: View): void {
      const { projection, position, target, zoom } = view;
      if (view.framed && view.framed !== framed) {
        framed = view.framed;
        ground(new Vector3(...framed.middle), framed.floor, framed.radius);
        invalidate();
      }
      const [there, aim] = [new Vector3(...position), new Vector3(...target)];
      const other = projection === "parallel" ? parallel : perspective;
      const off = Math.max(camera.position.distanceTo(there), controls.target.distanceTo(aim));
      if (camera === other && camera.zoom === zoom && off < 1e-6 * there.distanceTo(aim)) return;
      journey = null;
      if (camera !== other) project(projection);
      camera.position.copy(there);
      camera.zoom = zoom;
      controls.target.copy(aim);
      settled();
    },
    /** The line of sight through the pointer. */
    ray(at: { clientX: number; clientY: number }): Ray {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const spot = new Vector2(((at.clientX - left) / width) * 2 - 1, 1 - ((at.clientY - top) / height) * 2);
      caster.setFromCamera(spot, camera);
      const { origin, direction } = caster.ray;
      return { origin: origin.toArray(), direction: direction.toArray() };
    },
    /** How many pixels long a unit is in the middle of the picture. */
    perUnit(): number {
      const distance = camera.position.distanceTo(controls.target);
      return canvas.clientHeight / (2 * FIELD * distance);
    },
    canvas,
    /** Called whenever the camera has moved, e.g. for a view cube. */
    onview(hear: (camera: Camera) => void): () => void {
      hearing.add(hear);
      hear(camera);
      return () => hearing.delete(hear);
    },
    /** Called after every frame, while its pixels can be copied. */
    onframe(see: () => void): () => void {
      seeing.add(see);
      return () => seeing.delete(see);
    },
    /** The picture as it is now; transparent around the things unless the background has a colour. */
    photograph(background = ""): Promise<Blob> {
      resize();
      renderer.render(scene, camera);
      return new Promise((resolve, reject) =>
        copied(canvas, background).toBlob((made) => (made ? resolve(made) : reject(new Error("no picture was made")))),
      );
    },
    setTheme(dark: boolean): void {
      bench.material.opacity = dark ? 0.45 : 0.22;
      invalidate();
    },
    dispose(): void {
      disposed = true; // what arrives later must not draw: that would fill the graphics card again
      cancelAnimationFrame(wanted);
      cancelAnimationFrame(judging);
      clearTimeout(rest);
      watcher.disconnect();
      canvas.removeEventListener("webglcontextlost", lost);
      canvas.removeEventListener("webglcontextrestored", restored);
      controls.dispose();
      freed(scene);
      sun.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
    },
  };
}

/** A copy of a picture on a background. */
export function copied(
  picture: HTMLCanvasElement,
  background: string,
  onto = document.createElement("canvas"),
): HTMLCanvasElement {
  if (onto.width !== picture.width) onto.width = picture.width;
  if (onto.height !== picture.height) onto.height = picture.height;
  const paper = onto.getContext("2d")!;
  paper.clearRect(0, 0, onto.width, onto.height);
  if (background) {
    paper.fillStyle = background;
    paper.fillRect(0, 0, onto.width, onto.height);
  }
  paper.drawImage(picture, 0, 0);
  return onto;
}

/** Free the geometries and materials of an object and all in it. */
export function freed(object: Object3D): void {
  object.traverse((part) => {
    const { geometry, material } = part as Mesh;
    geometry?.dispose();
    for (const each of ([] as (Material | undefined)[]).concat(material)) each?.dispose();
    if ("isInstancedMesh" in part) (part as unknown as { dispose(): void }).dispose();
  });
}
