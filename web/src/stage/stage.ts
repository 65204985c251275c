// The 3D view: a bench with soft light, a camera that looks at its middle, and whatever is put on it.
//
// A frame is drawn only when something changed (`invalidate`) or moves (`animate`). z is up, as in the
// puzzles' layers. Whoever puts an object on the stage takes it off and disposes of it (`discard`).

import {
  Box3,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  Object3D,
  OrthographicCamera,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Ray,
  Raycaster,
  Scene,
  ShadowMaterial,
  Sphere,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Camera,
  type Intersection,
  type Material,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

/** The greatest, however many there are; a call takes no more than some 100,000 arguments. */
const most = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b), -Infinity);

export type Projection = "perspective" | "parallel";

export interface Stage {
  readonly canvas: HTMLCanvasElement;
  readonly controls: OrbitControls<PerspectiveCamera | OrthographicCamera>;
  /** The camera in use. */
  camera(): Camera;
  add(object: Object3D): void;
  /** Take an object off and free what it holds. */
  discard(object: Object3D): void;
  /**
   * Move the camera so that it sees all of a box, from where it looks now; the bench comes under it.
   * With points of the box these are seen as large as can be, but some may leave when the view is turned.
   */
  fit(box: Box3, smoothly?: boolean, points?: readonly Vector3[]): void;
  /** Look along a direction: (0, 0, -1) is from above. */
  look(direction: Vector3): void;
  project(projection: Projection): void;
  /** Draw a frame soon, with shadows as they are now or, if that takes too long, as they were. */
  invalidate(shadows?: boolean): void;
  /** Call a function before every frame, with the seconds since the last, until it returns false. */
  animate(frame: (seconds: number) => boolean): () => void;
  /** The line of sight through the pointer. */
  ray(at: { clientX: number; clientY: number }): Ray;
  /** What lies under the pointer, nearest first. */
  pick(at: { clientX: number; clientY: number }, objects: Object3D[]): Intersection[];
  /** Called whenever the camera has moved, e.g. for a view cube. */
  onview(hear: (camera: Camera) => void): () => void;
  setTheme(dark: boolean): void;
  dispose(): void;
}

const SLOW = 36; // milliseconds for a frame
const COARSER = [1, 0.7, 0.5]; // points along a line

const HOME = new Vector3(-0.55, 1, -0.75).normalize(); // from the front right above, looking in

export function createStage(canvas: HTMLCanvasElement): Stage {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false; // shadows stay while only the camera moves

  const scene = new Scene();
  const sky = new HemisphereLight(0xffffff, 0xd8cfc2, 1.6);
  const sun = new DirectionalLight(0xfff4e6, 2.2);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.radius = 5;
  sun.shadow.bias = -0.0006;
  sun.shadow.normalBias = 0.02;
  const bench = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.22 }));
  bench.receiveShadow = true;
  const things = new Group();
  scene.add(sky, sun, sun.target, bench, things);

  const perspective = new PerspectiveCamera(35, 1, 0.1, 1000);
  const parallel = new OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  let camera: PerspectiveCamera | OrthographicCamera = perspective;
  for (const each of [perspective, parallel]) {
    each.up.set(0, 0, 1);
    each.position.copy(HOME).multiplyScalar(-10);
  }
  const controls = new OrbitControls<PerspectiveCamera | OrthographicCamera>(camera, canvas);
  controls.enableDamping = false;
  controls.zoomToCursor = true;

  let radius = 3; // of what is looked at
  let wanted = 0; // the frame that was asked for
  let last = 0;
  const moving = new Set<(seconds: number) => boolean>();
  const hearing = new Set<(camera: Camera) => void>();

  // On a slow machine the picture is coarser while it changes, and fine again when it rests.
  let coarseness = 0;
  let late = 0; // frames in a row that took too long
  let judging = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;

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
    judging = requestAnimationFrame((next) => judge(next - time));
    if (moving.size) invalidate();
  }

  function redraw(): void {
    wanted ||= requestAnimationFrame(draw);
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

  function frameCameras(): void {
    const aspect = canvas.clientWidth / Math.max(1, canvas.clientHeight);
    const distance = camera.position.distanceTo(controls.target);
    perspective.aspect = aspect;
    perspective.near = Math.max(0.02, distance - 40 * radius);
    perspective.far = distance + 40 * radius;
    perspective.updateProjectionMatrix();
    parallel.left = -radius * 1.1 * Math.max(1, aspect);
    parallel.right = -parallel.left;
    parallel.top = radius * 1.1 * Math.max(1, 1 / aspect);
    parallel.bottom = -parallel.top;
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

  /** How far away a ball of some radius is seen whole. */
  function distanceFor(ball: number): number {
    const up = (perspective.fov * Math.PI) / 360;
    const across = Math.atan(Math.tan(up) * (canvas.clientWidth / Math.max(1, canvas.clientHeight)));
    return (ball * 1.08) / Math.sin(Math.min(up, across || up));
  }

  /** From where, along a way, points are seen as large as can be, and the place then looked at. */
  function closest(points: readonly Vector3[], middle: Vector3, way: Vector3): { target: Vector3; position: Vector3 } {
    const up = Math.tan((perspective.fov * Math.PI) / 360);
    const across = up * (canvas.clientWidth / Math.max(1, canvas.clientHeight));
    const towards = way.clone().normalize();
    const right = new Vector3(0, 0, 1).cross(towards).normalize();
    const above = towards.clone().cross(right);
    const target = middle.clone();
    let far = 0;
    for (let round = 0; round < 4; round++) {
      far = most(
        points.map((point) => {
          const from = point.clone().sub(target);
          return (
            1.06 * Math.max(Math.abs(from.dot(right)) / across, Math.abs(from.dot(above)) / up) + from.dot(towards)
          );
        }),
      );
      for (const axis of [right, above]) {
        const seen = points
          .map((point) => point.clone().sub(target))
          .map((from) => from.dot(axis) / (far - from.dot(towards)));
        target.addScaledVector(axis, (far * (most(seen) - most(seen.map((side) => -side)))) / 2);
      }
    }
    return { target, position: target.clone().addScaledVector(towards, far) };
  }

  function travel(target: Vector3, position: Vector3, smoothly: boolean): void {
    const from = { target: controls.target.clone(), position: camera.position.clone() };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let part = smoothly && !still ? 0 : 1;
    const step = (seconds: number): boolean => {
      part = Math.min(1, part + seconds / 0.22);
      const ease = part * part * (3 - 2 * part);
      controls.target.lerpVectors(from.target, target, ease);
      camera.position.lerpVectors(from.position, position, ease);
      camera.position
        .sub(controls.target)
        .setLength((1 - ease) * from.position.distanceTo(from.target) + ease * position.distanceTo(target))
        .add(controls.target);
      controls.update();
      frameCameras();
      viewed();
      return part < 1;
    };
    if (step(0)) stage.animate(step);
  }

  const caster = new Raycaster();
  const stage: Stage = {
    canvas,
    controls,
    camera: () => camera,
    add(object) {
      things.add(object);
      invalidate();
    },
    discard(object) {
      object.removeFromParent();
      freed(object);
      invalidate();
    },
    fit(box, smoothly = true, points = []) {
      const ball = box.isEmpty() ? new Sphere(new Vector3(), 3) : box.getBoundingSphere(new Sphere());
      radius = Math.max(ball.radius, 0.8);
      const floor = box.isEmpty() ? 0 : box.min.z;
      bench.position.set(ball.center.x, ball.center.y, floor - 0.01);
      bench.scale.setScalar(radius * 3.4); // as far as shadows reach
      sun.target.position.copy(ball.center);
      sun.position.copy(ball.center).add(new Vector3(0.5, -0.45, 1.1).setLength(radius * 4));
      Object.assign(sun.shadow.camera, {
        left: -2 * radius,
        right: 2 * radius,
        top: 2 * radius,
        bottom: -2 * radius,
        near: 0.1,
        far: 9 * radius,
      });
      sun.shadow.camera.updateProjectionMatrix();
      renderer.shadowMap.needsUpdate = true;
      const way = camera.position.clone().sub(controls.target).setLength(distanceFor(radius));
      const plain = { target: ball.center, position: ball.center.clone().add(way) };
      const { target, position } = points.length ? closest(points, ball.center, way) : plain;
      parallel.zoom = way.length() / position.distanceTo(target);
      travel(target, position, smoothly);
    },
    look(direction) {
      const tilted = direction.clone();
      if (Math.abs(tilted.x) + Math.abs(tilted.y) < 1e-6) tilted.y = 1e-4 * Math.sign(tilted.z || 1) * -1;
      const far = camera.position.distanceTo(controls.target);
      travel(controls.target.clone(), controls.target.clone().sub(tilted.setLength(far)), true);
    },
    project(projection) {
      const next = projection === "parallel" ? parallel : perspective;
      next.position.copy(camera.position);
      next.quaternion.copy(camera.quaternion);
      camera = next;
      controls.object = next;
      controls.update();
      frameCameras();
      viewed();
    },
    invalidate,
    animate(frame) {
      moving.add(frame);
      invalidate();
      return () => moving.delete(frame);
    },
    ray(at) {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const spot = new Vector2(((at.clientX - left) / width) * 2 - 1, 1 - ((at.clientY - top) / height) * 2);
      caster.setFromCamera(spot, camera);
      return caster.ray;
    },
    pick(at, objects) {
      stage.ray(at);
      return caster.intersectObjects(objects, true);
    },
    onview(hear) {
      hearing.add(hear);
      hear(camera);
      return () => hearing.delete(hear);
    },
    setTheme(dark) {
      sky.intensity = dark ? 1.15 : 1.6;
      sky.groundColor = new Color(dark ? 0x3a3733 : 0xd8cfc2);
      sun.intensity = dark ? 1.9 : 2.2;
      bench.material.opacity = dark ? 0.45 : 0.22;
      invalidate();
    },
    dispose() {
      cancelAnimationFrame(wanted);
      cancelAnimationFrame(judging);
      clearTimeout(rest);
      watcher.disconnect();
      controls.dispose();
      freed(scene);
      sun.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
    },
  };
  return stage;
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
