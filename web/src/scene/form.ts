// What a piece looks like wherever it lies: triangles and the lines along its folds, or balls joined by
// necks. Every renderer draws the rows of `surfaceOf`.

import {
  around,
  cross,
  dot,
  length,
  minus,
  plus,
  times,
  apply,
  union,
  unit,
  type Matrix,
  type Box,
  type Vector,
} from "../vector";

export interface Form {
  readonly positions: readonly number[]; // x, y, z of each point
  readonly triangles: readonly number[]; // three points each, counterclockwise from outside
  readonly edges: readonly number[]; // two points each, six numbers
  readonly balls: readonly Vector[];
  readonly radius: number;
  readonly necks: readonly (readonly [number, number])[]; // of balls that touch
}

const MANY_BALLS = 40; // so many are drawn less round
const UPRIGHT: Vector = [0, 0, 1];

const pointsOf = ({ positions }: Form): Vector[] =>
  Array.from({ length: positions.length / 3 }, (_, n) => [
    positions[3 * n]!,
    positions[3 * n + 1]!,
    positions[3 * n + 2]!,
  ]);

/** A form turned, by the rows of a matrix, and put at a place. */
export function placed(form: Form, turn: Matrix, at: Vector): Form {
  const put = (point: Vector) => plus(apply(turn, point), at);
  return { ...form, positions: pointsOf(form).flatMap(put), balls: form.balls.map(put) };
}

/** The box around a form, along these axes. */
export function boxOf(form: Form, axes: Matrix): Box {
  const seen = (points: readonly Vector[], margin: number) =>
    points.length
      ? [
          around(
            points.map((point) => apply(axes, point)),
            margin,
          ),
        ]
      : [];
  return union([...seen(pointsOf(form), 0), ...seen(form.balls, form.radius)]);
}

/** The volume of a form, or how many balls it has. */
export function volumeOf(form: Form): number {
  if (form.balls.length) return form.balls.length;
  const points = pointsOf(form);
  let six = 0;
  for (let at = 0; at < form.triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => points[form.triangles[at + n]!]!) as [Vector, Vector, Vector];
    six += dot(a, cross(b, c));
  }
  return six / 6;
}

// ---- the surface ----

const NOOK = 0.5; // how much darker it is where nothing is open

/** How bright each corner of each triangle is, three numbers alike, where less than a half of the surroundings is open:
 * the ambient occlusion of the form itself. */
export function shadeOf(triangles: readonly number[], openParts: readonly number[]): Float32Array {
  const shade = triangles.map((point) => 1 - NOOK * Math.max(0, 1 - 2 * openParts[point]!));
  return new Float32Array(shade.flatMap((bright) => [bright, bright, bright]));
}

/** Three rows of six numbers for each triangle: the corner and the normal there. */
export function surfaceOf(form: Form): Float32Array {
  const into: number[] = [];
  const points = pointsOf(form);
  for (let at = 0; at < form.triangles.length; at += 3) {
    const corners = [0, 1, 2].map((n) => points[form.triangles[at + n]!]!) as [Vector, Vector, Vector];
    const normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[1])));
    for (const corner of corners) into.push(...corner, ...normal);
  }
  const sides = form.balls.length < MANY_BALLS ? 40 : 20;
  for (const ball of form.balls) lathe(into, ball, plus(ball, UPRIGHT), ballProfile(form.radius, sides), sides);
  for (const [a, b] of form.necks) {
    const [start, end] = [form.balls[a]!, form.balls[b]!];
    lathe(into, start, end, neckProfile(length(minus(end, start)), form.radius), sides);
  }
  return new Float32Array(into);
}

/** How far along the axis, how far out from it, and the normal's two parts, along and out. */
type Profile = readonly (readonly [number, number, number, number])[];

/** A surface turned about the way from `start` to `end`. */
function lathe(into: number[], start: Vector, end: Vector, profile: Profile, sides: number): void {
  const axis = unit(minus(end, start));
  const aside = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
  const third = cross(axis, aside);
  const ring = Array.from({ length: sides + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / sides;
    return plus(times(Math.cos(angle), aside), times(Math.sin(angle), third));
  });
  const corner = ([along, out, normalAlong, normalOut]: Profile[number], k: number) =>
    into.push(
      ...plus(start, plus(times(along, axis), times(out, ring[k]!))),
      ...plus(times(normalAlong, axis), times(normalOut, ring[k]!)),
    );
  for (let row = 1; row < profile.length; row++) {
    const [low, high] = [profile[row - 1]!, profile[row]!];
    for (let k = 0; k < sides; k++) {
      for (const [at, by] of [
        [low, 0],
        [low, 1],
        [high, 1],
        [low, 0],
        [high, 1],
        [high, 0],
      ] as const)
        corner(at, k + by);
    }
  }
}

const ballProfile = (radius: number, sides: number): Profile =>
  Array.from({ length: sides / 2 + 1 }, (_, k) => {
    const angle = (2 * Math.PI * k) / sides;
    return [-radius * Math.cos(angle), radius * Math.sin(angle), -Math.cos(angle), Math.sin(angle)] as const;
  });

/** A waist that leaves both balls smoothly. */
const neckProfile = (between: number, radius: number): Profile =>
  Array.from({ length: 9 }, (_, k) => {
    const angle = ((k - 4) / 4) * 0.9;
    const hollow = radius * 0.55; // how round the waist is
    return [
      between / 2 + hollow * Math.sin(angle),
      radius * 0.42 + hollow * (1 - Math.cos(angle)),
      -Math.sin(angle),
      Math.cos(angle),
    ] as const;
  });
