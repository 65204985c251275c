// A colour for cells that is not mistaken for one that is there.

import { apply, length, minus, vector, type Matrix, type Vector } from "../vector";

const FAR = 0.12; // two colours at least so far apart are not confused

/** The first of some colours that is far from all that are taken, or else the farthest. */
export function freshColour(some: readonly string[], taken: readonly string[]): string {
  const others = taken.map(seenAs);
  const apart = some.map((colour) => Math.min(...others.map((other) => length(minus(seenAs(colour), other)))));
  const far = apart.findIndex((one) => one >= FAR);
  return some[far < 0 ? apart.indexOf(Math.max(...apart)) : far]!;
}

/** How a colour "#rrggbb" is seen (Ottosson's Oklab): lightness, green to red, blue to yellow. */
function seenAs(colour: string): Vector {
  const light = vector((axis) => {
    const part = parseInt(colour.slice(2 * axis + 1, 2 * axis + 3), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const cones = apply(CONES, light);
  return apply(
    SEEN,
    vector((axis) => Math.cbrt(cones[axis])),
  );
}
const CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const SEEN: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
