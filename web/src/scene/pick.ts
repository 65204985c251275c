// Which body lies under the pointer: the first that a line of sight meets.

import type { Form } from "./form";
import type { Place } from "./turning";
import { apply, cross, dot, minus, transpose, type Vector } from "../vector";

interface Sight {
  readonly origin: Vector;
  readonly direction: Vector;
}

/** Its number, or -1 if there is nothing. Bodies for which `there` is false are looked through. */
export function picked(
  forms: readonly Form[],
  places: readonly Place[],
  there: (body: number) => boolean,
  { origin, direction }: Sight,
): number {
  let [best, nearest] = [-1, Infinity];
  forms.forEach((form, body) => {
    if (!there(body)) return;
    const { turn, shift } = places[body]!;
    const back = transpose(turn);
    const far = distanceTo(form, { origin: apply(back, minus(origin, shift)), direction: apply(back, direction) });
    if (far < nearest) [best, nearest] = [body, far];
  });
  return best;
}

/** How many times its direction a line of sight is long until it meets the form. */
function distanceTo(form: Form, sight: Sight): number {
  let nearest = Infinity;
  for (const ball of form.balls) nearest = Math.min(nearest, toBall(ball, form.radius, sight));
  const corner = (n: number): Vector => [
    form.positions[3 * n]!,
    form.positions[3 * n + 1]!,
    form.positions[3 * n + 2]!,
  ];
  for (let at = 0; at < form.triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(form.triangles[at + k]!)) as [Vector, Vector, Vector];
    nearest = Math.min(nearest, toTriangle(a, b, c, sight));
  }
  return nearest;
}

function toBall(middle: Vector, radius: number, { origin, direction }: Sight): number {
  const from = minus(origin, middle);
  const [a, b, c] = [dot(direction, direction), dot(direction, from), dot(from, from) - radius * radius];
  const root = b * b - a * c;
  const far = root < 0 ? -1 : (-b - Math.sqrt(root)) / a;
  return far > 0 ? far : Infinity;
}

/** By the sides on which the sight passes the edges. (T. Möller and B. Trumbore, 1997) */
function toTriangle(a: Vector, b: Vector, c: Vector, { origin, direction }: Sight): number {
  const [u, v] = [minus(b, a), minus(c, a)];
  const normal = cross(u, v);
  const steep = -dot(direction, normal);
  if (Math.abs(steep) < 1e-12) return Infinity;
  const from = minus(origin, a);
  const side = cross(from, direction);
  const [far, s, t] = [dot(from, normal) / steep, dot(v, side) / steep, -dot(u, side) / steep];
  return far > 1e-9 && s >= 0 && t >= 0 && s + t <= 1 ? far : Infinity;
}
