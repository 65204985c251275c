// What is around the bench and shines on it: a bright ceiling, a window to the left, a warm floor. Only its diffuse light
// counts, as spherical harmonics: that costs nothing to draw, and a mirrored white would take the pieces' colours away.
// By day and by night it is the same, so pieces are as bright in the dark theme.

import { LightProbe, SphericalHarmonics3, Vector3 } from "three";

const CEILING = new Vector3(1, 1, 1);
const WALL = new Vector3(0.42, 0.41, 0.39);
const FLOOR = new Vector3(0.34, 0.3, 0.26);
const WINDOW = { towards: new Vector3(-0.3, -0.87, 0.4).normalize(), wide: 0.7, light: 4 }; // wide: a cosine
const DIRECTIONS = 500;

/** How bright it is in a direction, z being up. */
function lightFrom(direction: Vector3): Vector3 {
  const { towards, wide, light } = WINDOW;
  const there = new Vector3().lerpVectors(WALL, direction.z > 0 ? CEILING : FLOOR, Math.abs(direction.z));
  return direction.dot(towards) > wide ? there.multiplyScalar(light) : there;
}

export function makeSurroundings(): LightProbe {
  const found = new SphericalHarmonics3();
  const basis = new Array<number>(9).fill(0);
  for (let n = 0; n < DIRECTIONS; n++) {
    // A spiral from pole to pole, with its points as far from one another everywhere.
    const direction = new Vector3().setFromSphericalCoords(
      1,
      Math.acos(1 - (2 * (n + 0.5)) / DIRECTIONS),
      n * Math.PI * (3 - Math.sqrt(5)),
    );
    SphericalHarmonics3.getBasisAt(direction, basis);
    const light = lightFrom(direction).multiplyScalar((4 * Math.PI) / DIRECTIONS);
    basis.forEach((value, i) => found.coefficients[i]!.addScaledVector(light, value));
  }
  return new LightProbe(found);
}
