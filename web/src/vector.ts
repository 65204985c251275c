// Vectors of three numbers, boxes along any three axes, and just enough matrices to change coordinates.

export type Vector = readonly [number, number, number];
export type Axis = 0 | 1 | 2;
/** Rows: for a camera those to the right, up and towards the eye. */
export type Matrix = readonly [Vector, Vector, Vector];

/** A box, both corners included. */
export interface Box {
  readonly low: Vector;
  readonly high: Vector;
}

export const AXES = [0, 1, 2] as const;
export const ZERO: Vector = [0, 0, 0];
export const WORLD: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
export const EPSILON = 1e-6; // below this, two lengths are the same

/** A vector by a function of the axis. */
export const vector = (of: (axis: Axis) => number): Vector => [of(0), of(1), of(2)];
export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (k: number, a: Vector): Vector => [k * a[0], k * a[1], k * a[2]];
export const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [b * z - c * y, c * x - a * z, a * y - b * x];
export const length = (a: Vector) => Math.sqrt(dot(a, a));
export const unit = (a: Vector): Vector => times(1 / (length(a) || 1), a);
export const mixed = (a: Vector, b: Vector, t: number): Vector => plus(times(1 - t, a), times(t, b));
export const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);
export const modulo = (a: number, n: number) => ((a % n) + n) % n;

/** The box around some vectors, larger by a margin on every side; around none, the origin. */
export function around(vectors: readonly Vector[], margin = 0): Box {
  const end = (best: (a: number, b: number) => number, by: number) =>
    vector((axis) => vectors.map((each) => each[axis]).reduce((a, b) => best(a, b)) + by);
  return vectors.length ? { low: end(Math.min, -margin), high: end(Math.max, margin) } : { low: ZERO, high: ZERO };
}
/** The box around some boxes. */
export const union = (boxes: readonly Box[]): Box => around(boxes.flatMap(({ low, high }) => [low, high]));
export const cornersOf = (box: Box): Vector[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((n) => vector((axis) => ((n >> axis) & 1 ? box.high : box.low)[axis]));
export const shifted = ({ low, high }: Box, by: Vector): Box => ({ low: plus(low, by), high: plus(high, by) });
export const middleOf = ({ low, high }: Box): Vector => mixed(low, high, 0.5);

/** A vector of the world, along the rows. */
export const apply = (m: Matrix, v: Vector): Vector => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
export const transpose = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];
/** The matrix that does first b and then a. */
export const product = (a: Matrix, b: Matrix): Matrix => {
  const columns = transpose(b);
  return [apply(columns, a[0]), apply(columns, a[1]), apply(columns, a[2])];
};
/** A turn by so many radians about an axis of length 1 through the origin (Rodrigues). */
export function rotation([x, y, z]: Vector, angle: number): Matrix {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const k = 1 - c;
  return [
    [k * x * x + c, k * x * y - s * z, k * x * z + s * y],
    [k * y * x + s * z, k * y * y + c, k * y * z - s * x],
    [k * z * x - s * y, k * z * y + s * x, k * z * z + c],
  ];
}
/** The matrix that undoes m up to the factor det(m). */
export const adjugate = (m: Matrix): Matrix => transpose([cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])]);
