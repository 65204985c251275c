// Where the eye is, and where the light comes from.

import {
  clamp,
  cross,
  dot,
  apply,
  transpose,
  length,
  middleOf,
  minus,
  plus,
  times,
  unit,
  type Matrix,
  type Box,
  type Vector,
} from "../vector";

/** From where the eye looks: the angle about the upright axis, and the height, in radians. */
interface Direction {
  readonly yaw: number;
  readonly pitch: number;
}

/** What the eye looks at, and from how far. */
export interface Aim {
  readonly middle: Vector;
  readonly distance: number;
}

export interface Camera {
  readonly matrix: Float32Array; // of the world, onto the screen
  readonly eye: Vector;
  readonly axes: Matrix;
  readonly distance: number;
}

const degrees = Math.PI / 180;

export const FIELD_OF_VIEW = 35; // degrees, from top to bottom
/** Half the height that is seen at distance 1. */
export const FIELD = Math.tan((FIELD_OF_VIEW / 2) * degrees);
/** From the front, right and above. */
export const HOME: Direction = { yaw: -61.2 * degrees, pitch: 33.3 * degrees };
/** Towards the light, along the axes of the eye: from the upper left, over the shoulder. */
export const LIGHT = unit([-0.55, 0.75, 0.9]);

export function axesOf({ yaw, pitch }: Direction): Matrix {
  const back: Vector = [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch)];
  const right: Vector = [-Math.sin(yaw), Math.cos(yaw), 0];
  return [right, cross(back, right), back];
}

/** From where to look at something of this size first: things that lie flat are seen more from above. */
export function directionTo({ low, high }: Box): Direction {
  const [x, y, z] = minus(high, low);
  const flat = clamp(1.3 - (2 * z) / Math.max(x, y, 1e-9), 0, 1);
  return { yaw: HOME.yaw - 0.4 * flat, pitch: HOME.pitch + 0.45 * flat };
}

/** What to look at to see all of a box along the axes, on a screen so many times as wide as high. */
export function aimAt(frame: Box, axes: Matrix, aspect: number): Aim {
  const [x, y, z] = times(0.5, minus(frame.high, frame.low));
  const distance = 1.08 * (Math.max(x / aspect, y) / FIELD + 0.85 * z) + 1e-3;
  return { middle: apply(transpose(axes), middleOf(frame)), distance };
}

/** The camera at a distance from a place; `reach` is how far around it there is something to see. */
export function cameraOn(place: Vector, distance: number, direction: Direction, aspect: number, reach: number): Camera {
  const axes = axesOf(direction);
  const [right, up, back] = axes;
  const eye = plus(place, times(distance, back));
  const [near, far] = [Math.max(distance - reach, distance / 40), distance + reach];
  const [a, b] = [(near + far) / (near - far), (2 * near * far) / (near - far)];
  const [w, h] = [1 / (FIELD * aspect), 1 / FIELD];
  const column = (i: 0 | 1 | 2) => [w * right[i], h * up[i], a * back[i], -back[i]];
  const last = [-w * dot(right, eye), -h * dot(up, eye), b - a * dot(back, eye), dot(back, eye)];
  const matrix = new Float32Array([...column(0), ...column(1), ...column(2), ...last]);
  return { matrix, eye, axes, distance };
}

/** How far the corners of a box are from its middle. */
export const radiusOf = ({ low, high }: Box) => length(minus(high, low)) / 2;
