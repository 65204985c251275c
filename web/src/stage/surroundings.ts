// What is around the bench and shines on it: a bright ceiling, a window to the left, a warm floor. It is painted, some
// numbers for each direction, since matt things show no more of it than where it is bright; by day and by night it is
// the same, so pieces are as bright in the dark theme.

import { DataTexture, EquirectangularReflectionMapping, FloatType, LinearFilter, RGBAFormat } from "three";

const [WIDE, HIGH] = [64, 32];
const CEILING = [1, 1, 1];
const WALL = [0.42, 0.41, 0.39];
const FLOOR = [0.34, 0.3, 0.26];
const WINDOW = { across: 0.8, up: 0.62, wide: 0.13, high: 0.18, light: 4 };

export function makeSurroundings(): DataTexture {
  const data = new Float32Array(4 * WIDE * HIGH);
  for (let row = 0; row < HIGH; row++) {
    const up = (row + 0.5) / HIGH; // 0 is straight down, 1 straight up
    const [low, high] = up < 0.5 ? [FLOOR, WALL] : [WALL, CEILING];
    const part = (2 * up) % 1;
    for (let column = 0; column < WIDE; column++) {
      const across = (column + 0.5) / WIDE;
      const { wide, high: tall, light } = WINDOW;
      const bright = Math.abs(across - WINDOW.across) < wide && Math.abs(up - WINDOW.up) < tall ? light : 1;
      const at = 4 * (row * WIDE + column);
      for (const n of [0, 1, 2]) data[at + n] = bright * (low[n]! + part * (high[n]! - low[n]!));
      data[at + 3] = 1;
    }
  }
  const made = new DataTexture(data, WIDE, HIGH, RGBAFormat, FloatType, EquirectangularReflectionMapping);
  made.minFilter = made.magFilter = LinearFilter;
  made.needsUpdate = true;
  return made;
}
