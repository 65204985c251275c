import assert from "node:assert/strict";
import test from "node:test";
import { around, cornersOf, union, type Vector } from "../src/vector";

test("a box goes around vectors, with a margin, and around boxes", () => {
  const points: Vector[] = [
    [1, -2, 3],
    [0, 5, 3],
  ];
  assert.deepEqual(around(points), { low: [0, -2, 3], high: [1, 5, 3] });
  assert.deepEqual(around(points, 1), { low: [-1, -3, 2], high: [2, 6, 4] });
  assert.deepEqual(around([]), { low: [0, 0, 0], high: [0, 0, 0] });
  assert.deepEqual(union([around([[9, 9, 9]]), around(points)]), { low: [0, -2, 3], high: [9, 9, 9] });
});

test("a box has eight corners, and is the box around them", () => {
  const box = { low: [0, 1, 2], high: [3, 4, 5] } as const;
  assert.equal(new Set(cornersOf(box).map(String)).size, 8);
  assert.deepEqual(around(cornersOf(box)), box);
});
